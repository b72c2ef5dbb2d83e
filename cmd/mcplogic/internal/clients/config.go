// Package clients is mcplogic config and mcplogic setup: the programs that start servers, and their files.
package clients

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/inside"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/settings"
	"github.com/mcplogic/mcplogic/internal/configfile"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines mcplogic config.

// mcpClient is a program that starts servers, such as an editor. Each has its own file for configurations, in JSON or
// TOML.
type mcpClient struct {
	// name is the argument of the command, title the name that people know. key is the member of the configuration that
	// holds the servers.
	name, title, key string
	// where says for people which file the configuration belongs into, file returns its path: a relative one if it
	// belongs into the current folder. file fails where the system has no such folder of the user.
	where string
	// kind is the "type" of an entry for a client that wants one, toml is set for one whose file is TOML and not JSON.
	// allTools is set for a client that wants to be told that it may use all tools.
	kind           string
	toml, allTools bool
	file           func() (string, error)
	// url is the member with the address of a server over HTTP, "" if the file takes none. urlKind is the type of such
	// an entry.
	url, urlKind string
	// home is a folder that is there if the client is installed, program its command.
	home    func() (string, error)
	program string
}

// clients are the programs whose configuration the command knows. Others read one of these forms too,
// mostly that of claude.
var clients = []mcpClient{
	{name: "vscode", title: "VS Code", key: "servers", kind: "stdio", where: ".vscode/mcp.json in the workspace",
		file: here(".vscode", "mcp.json"), url: "url", urlKind: "http",
		home: below(os.UserConfigDir, "Code"), program: "code"},
	{name: "claude", title: "Claude Desktop", key: "mcpServers",
		where: "claude_desktop_config.json, see Settings, Developer, Edit Config",
		file:  below(os.UserConfigDir, "Claude", "claude_desktop_config.json"), home: below(os.UserConfigDir, "Claude")},
	{name: "claude-code", title: "Claude Code", key: "mcpServers", kind: "stdio", where: ".mcp.json in the project",
		file: here(".mcp.json"), url: "url", urlKind: "http", home: below(os.UserHomeDir, ".claude"), program: "claude"},
	{name: "cursor", title: "Cursor", key: "mcpServers", where: ".cursor/mcp.json in the project or the home folder",
		file: here(".cursor", "mcp.json"), url: "url", home: below(os.UserHomeDir, ".cursor"), program: "cursor"},
	{name: "codex", title: "Codex", key: "mcp_servers", toml: true, where: "~/.codex/config.toml",
		file: below(codexHome, "config.toml"), url: "url", home: below(codexHome), program: "codex"},
	{name: "zed", title: "Zed", key: "context_servers", where: "settings.json, see zed: open settings",
		file: below(zedHome, "settings.json"), url: "url", home: below(zedHome), program: "zed"},
	{name: "windsurf", title: "Windsurf", key: "mcpServers", where: "~/.codeium/windsurf/mcp_config.json",
		file: below(os.UserHomeDir, ".codeium", "windsurf", "mcp_config.json"), url: "serverUrl",
		home: below(os.UserHomeDir, ".codeium", "windsurf"), program: "windsurf"},
	{name: "gemini", title: "Gemini CLI", key: "mcpServers",
		where: ".gemini/settings.json in the home folder or the project",
		file:  below(os.UserHomeDir, ".gemini", "settings.json"), url: "httpUrl",
		home: below(os.UserHomeDir, ".gemini"), program: "gemini"},
	{name: "copilot", title: "Copilot CLI", key: "mcpServers", kind: "local", allTools: true,
		where: "~/.copilot/mcp-config.json", file: below(os.UserHomeDir, ".copilot", "mcp-config.json"),
		url: "url", urlKind: "http", home: below(os.UserHomeDir, ".copilot"), program: "copilot"},
	{name: "lmstudio", title: "LM Studio", key: "mcpServers", where: "~/.lmstudio/mcp.json",
		file: below(os.UserHomeDir, ".lmstudio", "mcp.json"), url: "url",
		home: below(os.UserHomeDir, ".lmstudio"), program: "lms"},
	{name: "cline", title: "Cline", key: "mcpServers", where: "cline_mcp_settings.json, see Configure MCP Servers",
		file: below(clineHome, "settings", "cline_mcp_settings.json"), url: "url", urlKind: "streamableHttp",
		home: below(clineHome)},
	{name: "continue", title: "Continue", key: "mcpServers", where: ".continue/mcpServers/mcp.json in the workspace",
		file: here(".continue", "mcpServers", "mcp.json"), url: "url", urlKind: "streamable-http",
		home: below(os.UserHomeDir, ".continue"), program: "cn"},
	{name: "junie", title: "JetBrains Junie", key: "mcpServers",
		where: ".junie/mcp/mcp.json in the project or the home folder",
		file:  here(".junie", "mcp", "mcp.json"), home: below(os.UserHomeDir, ".junie"), program: "junie"},
}

// here is the path of a client's file in the current folder.
func here(elements ...string) func() (string, error) {
	return func() (string, error) { return filepath.Join(elements...), nil }
}

// below is the path of a client's file in a folder of the user.
func below(folder func() (string, error), elements ...string) func() (string, error) {
	return func() (string, error) {
		dir, err := folder()
		return filepath.Join(append([]string{dir}, elements...)...), err
	}
}

// codexHome is the folder of Codex, which CODEX_HOME moves.
func codexHome() (string, error) {
	if dir := os.Getenv("CODEX_HOME"); dir != "" {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".codex"), err
}

// zedHome is the folder of Zed's settings. On macOS it is not where most programs have their settings.
func zedHome() (string, error) {
	if runtime.GOOS == "darwin" {
		home, err := os.UserHomeDir()
		return filepath.Join(home, ".config", "zed"), err
	}
	dir, err := os.UserConfigDir()
	name := "zed"
	if runtime.GOOS == "windows" {
		name = "Zed"
	}
	return filepath.Join(dir, name), err
}

// clineHome is the folder of Cline, within that of VS Code.
var clineHome = below(os.UserConfigDir, "Code", "User", "globalStorage", "saoudrizwan.claude-dev")

// clientServer is a server as a configuration names it: by the command that starts it, or by its URL.
type clientServer struct {
	Command string
	Args    []string
	URL     string
}

// members returns the members of the entry of a server. Other members that a file has there stay as they are.
func (c mcpClient) members(s clientServer) (list []configfile.Member) {
	add := func(key string, value any) { list = append(list, configfile.Member{Key: key, Value: value}) }
	kind := c.kind
	if s.URL != "" {
		kind = c.urlKind
	}
	if kind != "" {
		add("type", kind)
	}
	if s.URL != "" {
		add(c.url, s.URL)
	} else {
		add("command", s.Command)
		add("args", s.Args)
	}
	if c.allTools {
		add("tools", []string{"*"})
	}
	return list
}

// configFlags are the flags of config that the server does not have. Without write the configuration is printed.
// file is where to write, "" for the client's own file.
type configFlags struct {
	write, replace, remove bool
	file                   string

	// The options of setup. With yes nobody is asked. With undo the servers are taken out again. url is the address of
	// a server over HTTP. chosen are the names of clients, empty for all that are found.
	yes, undo bool
	url       string
	chosen    []string
}

// NewConfig makes the command that prints the configuration of a client, or writes it. It has flags of its own and
// the flags of serve that make sense over standard input and output.
func NewConfig() *cobra.Command {
	f, w := &settings.ServerFlags{}, &configFlags{}
	cmd := &cobra.Command{
		Use:   "config [flags] CLIENT PATH...",
		Short: "Print or write the configuration of a client for this server",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return fmt.Errorf("config needs the name of a client (%s) and a PATH", strings.Join(clientNames(), ", "))
			}
			return nil
		},
		ValidArgs: clientNames(),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := findClient(args[0])
			if err != nil {
				return err
			}
			if w.file != "" && !w.write && !w.remove {
				return errors.New("--file goes with --write or --remove")
			}
			return configure(cmd, c, f, w, args[1:])
		},
	}
	cmd.Flags().BoolVar(&w.write, "write", false, "write the configuration into the client's file")
	cmd.Flags().BoolVar(&w.remove, "remove", false, "take the server out of the client's file")
	cmd.MarkFlagsMutuallyExclusive("write", "remove")
	cmd.Flags().StringVar(&w.file, "file", "", "file to write to; default: the client's own")
	cmd.Flags().BoolVar(&w.replace, "replace", false, "replace the server of the same name that has another PATH")
	f.Add(cmd.Flags())
	f.AddIdentity(cmd.Flags())
	return cmd
}

// Titles lists the clients by the names that the command takes and those that people know.
func Titles() string {
	var list []string
	for _, c := range clients {
		list = append(list, c.name+" ("+c.title+")")
	}
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " and " + list[last]
}

func clientNames() []string {
	var names []string
	for _, c := range clients {
		names = append(names, c.name)
	}
	return names
}

// findClient returns the client of a name. The error for an unknown name suggests the nearest one, or lists
// all when none is near.
func findClient(name string) (mcpClient, error) {
	for _, c := range clients {
		if c.name == name {
			return c, nil
		}
	}
	hint := "known are " + strings.Join(clientNames(), ", ")
	words := clientNames()
	for _, c := range clients {
		words = append(words, c.title, strings.ReplaceAll(c.title, " ", "-"))
	}
	if near := slices.Index(words, spell.Nearest(name, words)); near >= 0 {
		if near >= len(clients) { // a title, written in two ways
			near = (near - len(clients)) / 2
		}
		hint = "did you mean " + clients[near].name + "?"
	}
	return mcpClient{}, fmt.Errorf("unknown client %s; %s", name, hint)
}

// configure prints or writes the configuration of a client. The name of the server is that of --name, of mcplogic.json
// or of the first path. A command that is not installed yet is no error: the configuration will be right when it is. A
// hint on standard error says so.
func configure(cmd *cobra.Command, c mcpClient, f *settings.ServerFlags, w *configFlags, paths []string) error {
	server, installed, err := entryOf(cmd, paths)
	if err != nil {
		return err
	}
	if err := f.Settle(cmd.Flags(), paths); err != nil {
		return err
	}
	given := cmp.Or(f.Name, settings.ServerName(paths))
	name := settings.ClientName(given)
	if name != given {
		fmt.Fprintf(cmd.ErrOrStderr(), "The server is called %s: some clients take letters, digits, - and _ alone.\n",
			name)
	}
	if !w.remove && !inside.Has(server.Command) {
		_, report := cli.LoadFiles(cmd.Context(), cmd.ErrOrStderr(), paths, f.Load(cmd))
		cli.PrintDiagnostics(cmd.ErrOrStderr(), report) // the configuration will be right when the files are
	}
	if w.write || w.remove {
		err = writeConfig(cmd, c, w, name, server)
	} else {
		err = printConfig(cmd, c, name, server)
	}
	if err == nil && !installed && !w.remove {
		fmt.Fprintf(cmd.ErrOrStderr(), "There is no %s yet: go install ./cmd/mcplogic makes it.\n", server.Command)
	}
	return err
}

// entryOf returns the entry of a server and whether its command is there. Paths become absolute, because clients start
// servers in a folder of their own.
func entryOf(cmd *cobra.Command, paths []string) (server clientServer, installed bool, err error) {
	command, installed, err := ownPath()
	if err != nil {
		return server, false, err
	}
	server = clientServer{Command: command, Args: []string{"serve"}}
	if server.Args, err = appendFlags(server.Args, cmd.Flags()); err != nil {
		return server, false, err
	}
	if inside.Has(command) { // which is the last of the paths
		paths = paths[:len(paths)-1]
	}
	for _, path := range paths {
		if err := cli.PathError(path); err != nil {
			return server, false, err
		}
		absolute, err := filepath.Abs(path)
		if err != nil {
			return server, false, err
		}
		server.Args = append(server.Args, absolute)
	}
	return server, installed, nil
}

// printConfig prints the configuration of a client. Where the text belongs goes to standard error, so that the output
// can be the file.
func printConfig(cmd *cobra.Command, c mcpClient, name string, server clientServer) error {
	text, err := c.text(nil).Set([]string{c.key, name}, c.members(server))
	if err != nil {
		return err
	}
	fmt.Fprint(cmd.OutOrStdout(), string(text))
	fmt.Fprintf(cmd.ErrOrStderr(), "This goes into %s.\n", c.where)
	return nil
}

// text returns a text in the format of the client's file; nil stands for an empty file.
func (c mcpClient) text(data []byte) configfile.Text {
	if c.toml {
		return configfile.TOML(data)
	}
	return configfile.JSON(data)
}

// writeConfig puts the entry of a server into a client's file, or takes it out. A file that needs no change is not
// touched. The path of the backup is said on standard error, all else on standard output.
func writeConfig(cmd *cobra.Command, c mcpClient, w *configFlags, name string, server clientServer) error {
	var err error
	path := w.file
	if path == "" {
		if path, err = c.file(); err != nil {
			return err
		}
	}
	file, err := configfile.Open(path)
	if err != nil {
		return err
	}
	state := "has"
	if w.remove {
		state = "does not have"
	}
	changed, err := c.merge(file.Text(), name, server, w)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if bytes.Equal(changed, file.Text()) {
		fmt.Fprintf(cmd.OutOrStdout(), "%s %s the server %s already\n", path, state, name)
		return nil
	}
	return replaceText(cmd, file, path, changed, fmt.Sprintf("%s the server %s now", state, name))
}

// replaceText writes the new text of a client's file, and says what is so now.
func replaceText(cmd *cobra.Command, file *configfile.File, path string, text []byte, state string) error {
	backup, err := file.Replace(text)
	if err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s %s\n", path, state)
	if backup != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s is the file as it was.\n", backup)
	}
	return nil
}

// merge returns the text of a client's file with the entry of a server, or without it. An entry of the same name that
// starts another program, or has the URL of a server elsewhere, is an error: it is not ours to replace. One of ours
// with other paths is replaced if that is wanted.
func (c mcpClient) merge(text []byte, name string, server clientServer, w *configFlags) ([]byte, error) {
	path := []string{c.key, name}
	for _, key := range []string{"command", cmp.Or(c.url, "url")} {
		old, err := c.text(text).Get(path, key)
		if err != nil {
			return nil, err
		}
		if old != nil && (key != "command" && old != server.URL || key == "command" && !isOwn(old, server.Command)) {
			return nil, fmt.Errorf("there is another server %s, with the %s %v; choose another name with --name", name,
				key, old)
		}
	}
	old, err := c.text(text).Get(path, "args")
	if err != nil {
		return nil, err
	}
	was := servedPaths(old)
	if len(was) > 0 && !w.replace && !slices.Equal(was, servedPaths(server.Args)) {
		return nil, fmt.Errorf("there is a server %s for %s; choose another name with --name, or --replace it", name,
			strings.Join(was, ", "))
	}
	if w.remove {
		return c.text(text).Remove(path)
	}
	if old != nil && server.URL != "" { // the command goes, with all that belongs to it
		if text, err = c.text(text).Remove(path); err != nil {
			return nil, err
		}
	}
	return c.text(text).Set(path, c.members(server))
}

// servedPaths returns the paths among the arguments of serve.
func servedPaths(args any) (paths []string) {
	switch list := args.(type) {
	case []string:
		for _, arg := range list[min(1, len(list)):] {
			if !strings.HasPrefix(arg, "-") {
				paths = append(paths, arg)
			}
		}
	case []any:
		words := make([]string, len(list))
		for i, arg := range list {
			words[i], _ = arg.(string)
		}
		return servedPaths(words)
	}
	return paths
}

// isOwn reports whether the command of an entry is this one, or mcplogic, perhaps in another folder. Its path may be
// that of another system, so both slashes separate.
func isOwn(command any, own string) bool {
	text, _ := command.(string)
	if text == own {
		return true
	}
	base := text[strings.LastIndexAny(text, `/\`)+1:]
	return strings.TrimSuffix(base, ".exe") == "mcplogic"
}

// fileFlags are the flags whose values are files or folders. Clients start a server in a folder of their own, so their
// configuration has absolute paths.
var fileFlags = []string{"allow-read", "allow-write", "instructions", "perf-map"}

// ownFlags are the flags of config and setup that are not those of serve.
var ownFlags = []string{"write", "remove", "file", "replace", "yes", "undo", "url", "client"}

// appendFlags appends the flags that were given, with absolute paths where they name files.
func appendFlags(args []string, flags *pflag.FlagSet) ([]string, error) {
	var lost error
	flags.Visit(func(f *pflag.Flag) {
		if slices.Contains(ownFlags, f.Name) {
			return
		}
		values, err := flagValues(f)
		for _, value := range values {
			value, pathErr := fromAnywhere(f.Name, value)
			err = errors.Join(err, pathErr)
			args = append(args, "--"+f.Name+"="+value)
		}
		lost = errors.Join(lost, err)
	})
	return args, lost
}

// flagValues are the values of a flag as they are written on a command line, one for each time that it is given.
func flagValues(f *pflag.Flag) (values []string, err error) {
	switch value := f.Value.(type) {
	case pflag.SliceValue:
		return value.GetSlice(), nil
	case *settings.Addresses:
		for name, d := range *value {
			if settings.HasPassword(d.Address) {
				return nil, passwordError("the database "+name, "MCPLOGIC_SQL_"+strings.ToUpper(name))
			}
			values = append(values, name+"="+d.Address)
		}
	default:
		if f.Name == "store" && settings.HasPassword(value.String()) {
			return nil, passwordError("the store", "MCPLOGIC_STORE")
		}
		if f.Value.Type() != "stringToString" {
			return []string{value.String()}, nil
		}
		// pflag writes such a map as [a=b,c=d], as fields of CSV.
		text := strings.TrimSuffix(strings.TrimPrefix(value.String(), "["), "]")
		values, err = csv.NewReader(strings.NewReader(text)).Read()
	}
	slices.Sort(values)
	return values, err
}

// passwordError refuses an address. It does not show it.
func passwordError(what, variable string) error {
	return fmt.Errorf("the address of %s has a password, which would stand in the client's file; give the address to the "+
		"server in the environment, as %s", what, variable)
}

// fromAnywhere returns the value of a flag with an absolute path, if it names a file.
func fromAnywhere(flag, value string) (string, error) {
	scheme := "" // what stands before the path
	switch {
	case slices.Contains(fileFlags, flag):
	case flag == "store" && strings.HasPrefix(value, "file:"):
		scheme = "file:"
	case flag == "sql" && strings.Contains(value, "=sqlite:"):
		name, _, _ := strings.Cut(value, "=")
		scheme = name + "=sqlite:"
	default:
		return value, nil
	}
	path, err := filepath.Abs(strings.TrimPrefix(value, scheme))
	return scheme + path, err
}

// ownPath returns the absolute path of this command and whether it is there. The result of go run does not
// stay, so under go run it is the path of an installed command, or the one to which go install would write.
func ownPath() (path string, there bool, err error) {
	path, err = os.Executable()
	if err != nil || !isTransient(path) {
		return path, true, err
	}
	if found, err := exec.LookPath("mcplogic"); err == nil {
		found, err = filepath.Abs(found)
		return found, true, err
	}
	out, err := exec.Command("go", "env", "GOBIN", "GOPATH").Output()
	if err != nil {
		return "", false, fmt.Errorf("where go install puts commands: %w", err)
	}
	bin, goPath, _ := strings.Cut(strings.TrimRight(string(out), "\n"), "\n")
	if bin == "" {
		bin = filepath.Join(filepath.SplitList(goPath)[0], "bin")
	}
	path = filepath.Join(bin, filepath.Base(path))
	_, err = os.Stat(path)
	return path, err == nil, nil
}

// isTransient reports whether a program file is one that go run has made and will remove.
func isTransient(path string) bool { return strings.Contains(path, "go-build") }

// Invocation returns how the person at the terminal can call this command again: by its name alone, if the
// shell finds this file by it.
func Invocation() string {
	own, err := os.Executable()
	if err != nil {
		return "mcplogic"
	}
	if isTransient(own) {
		return "go run ./cmd/mcplogic"
	}
	if found, err := exec.LookPath(filepath.Base(own)); err == nil {
		if absolute, err := filepath.Abs(found); err == nil && absolute == own {
			return filepath.Base(own)
		}
	}
	return own
}
