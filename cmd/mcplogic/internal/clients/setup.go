package clients

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/settings"
	"github.com/mcplogic/mcplogic/internal/configfile"
	"github.com/mcplogic/mcplogic/internal/knownclients"
)

// This file defines mcplogic setup.

// NewSetup makes the command that writes a server into the configurations of all clients of this machine.
func NewSetup() *cobra.Command {
	f, w := &settings.ServerFlags{}, &configFlags{}
	cmd := &cobra.Command{
		Use:   "setup [flags] PATH...",
		Short: "Set up the clients of this machine for this server, or take that back",
		Args: func(cmd *cobra.Command, args []string) error {
			if w.url != "" && (len(args) > 0 || f.Name != "") {
				return nil
			}
			if w.url != "" {
				return errors.New("setup --url needs a PATH or --name, for the name of the server")
			}
			return cli.NeedPaths(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			found, err := w.clients()
			if err != nil {
				return err
			}
			if len(found) == 0 {
				fmt.Fprintf(cmd.ErrOrStderr(), "No client was found; --client names one of %s.\n",
					strings.Join(clientNames(), ", "))
				return cli.Exit(cli.ExitNo)
			}
			s := &setup{cmd: cmd, flags: w}
			if s.server, s.installed, err = entryOf(cmd, args); err != nil {
				return err
			}
			s.server.URL = w.url
			if w.undo {
				return s.undo(found)
			}
			if len(args) > 0 {
				if err := f.Settle(cmd.Flags(), args); err != nil {
					return err
				}
			}
			return s.run(found, cmp.Or(f.Name, serverNameOf(args)))
		},
	}
	cmd.Flags().BoolVar(&w.yes, "yes", false, "write without asking")
	cmd.Flags().BoolVar(&w.undo, "undo", false, "take the server out of the clients' files")
	cmd.Flags().StringVar(&w.url, "url", "", "URL of a server over HTTP that runs already; the clients then start none")
	cmd.Flags().StringArrayVar(&w.chosen, "client", nil, "client to set up; default: all that are found; may be repeated")
	cmd.Flags().BoolVar(&w.replace, "replace", false, "replace the server of the same name that has another PATH")
	_ = cmd.RegisterFlagCompletionFunc("client", cobra.FixedCompletions(clientNames(), cobra.ShellCompDirectiveNoFileComp))
	f.Add(cmd.Flags())
	f.AddIdentity(cmd.Flags())
	return cmd
}

func serverNameOf(paths []string) string {
	if len(paths) == 0 {
		return ""
	}
	return settings.ServerName(paths)
}

// clients returns the clients that are named, or else those of this machine.
func (w *configFlags) clients() (list []mcpClient, err error) {
	for _, name := range w.chosen {
		c, err := findClient(name)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	if len(w.chosen) > 0 {
		return list, nil
	}
	for _, c := range clients {
		if c.isInstalled() {
			list = append(list, c)
		}
	}
	return list, nil
}

// isInstalled reports whether a client has been here: it has its folder or its command, or its file is there.
func (c mcpClient) isInstalled() bool {
	for _, place := range []func() (string, error){c.home, c.file} {
		if path, err := place(); err == nil {
			if _, err := os.Stat(path); err == nil {
				return true
			}
		}
	}
	if c.program == "" {
		return false
	}
	_, err := exec.LookPath(c.program)
	return err == nil
}

// setup is one run of the command.
type setup struct {
	cmd       *cobra.Command
	flags     *configFlags
	server    clientServer
	installed bool
}

// change is what becomes of the file of a client.
type change struct {
	client mcpClient
	path   string
	file   *configfile.File
	text   []byte
}

// open reads the file of a client.
func (c mcpClient) open() (*change, error) {
	path, err := c.file()
	if err != nil {
		return nil, err
	}
	file, err := configfile.Open(path)
	return &change{client: c, path: path, file: file}, err
}

// run tries the server, shows what would be written, and writes it if that is wanted. A file that cannot be changed
// does not keep the others from it.
func (s *setup) run(found []mcpClient, given string) error {
	out, stderr := s.cmd.OutOrStdout(), s.cmd.ErrOrStderr()
	tools, err := s.try(s.server)
	if err != nil {
		fmt.Fprintf(stderr, "The server does not start, so nothing was written: %s\n", err)
		return cli.Exit(cli.ExitNo)
	}
	name := fitName(settings.ClientName(given), found, tools)
	if name != given {
		fmt.Fprintf(stderr, "The server is called %s: that is what all of these clients take.\n", name)
	}
	failed := false
	var changes []*change
	for _, c := range found {
		ch, err := s.plan(c, name)
		switch {
		case err != nil:
			fmt.Fprintf(stderr, "%s is left out: %s\n", c.title, err)
			failed = true
		case bytes.Equal(ch.text, ch.file.Text()):
			fmt.Fprintf(out, "%s: %s has the server %s already.\n", c.title, ch.path, name)
		default:
			entry, err := c.text(nil).Set([]string{c.key, name}, c.members(s.server))
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "%s: into %s goes\n%s", c.title, ch.path, entry)
			changes = append(changes, ch)
		}
	}
	if len(changes) > 0 && !s.agreed() {
		fmt.Fprintln(stderr, "Nothing was written; with --yes it is.")
		return nil
	}
	for _, ch := range changes {
		err := replaceText(s.cmd, ch.file, ch.path, ch.text, "has the server "+name+" now")
		if err == nil {
			err = s.verify(ch, name)
		}
		if err != nil {
			fmt.Fprintf(stderr, "%s: %s\n", ch.path, err)
			failed = true
		}
	}
	s.show(found, name, tools)
	if failed {
		return cli.Exit(cli.ExitNo)
	}
	return nil
}

// plan is what becomes of the file of a client that gets the server.
func (s *setup) plan(c mcpClient, name string) (*change, error) {
	if s.server.URL != "" && c.url == "" {
		return nil, fmt.Errorf("its file takes no servers over HTTP")
	}
	ch, err := c.open()
	if err != nil {
		return nil, err
	}
	if ch.text, err = c.merge(ch.file.Text(), name, s.server, s.flags); err != nil {
		return nil, fmt.Errorf("%s: %w", ch.path, err)
	}
	return ch, nil
}

// agreed asks the person at the terminal, unless --yes has answered. Without a terminal the answer is no.
func (s *setup) agreed() bool {
	if s.flags.yes || !cli.IsTerminal(s.cmd.InOrStdin()) {
		return s.flags.yes
	}
	fmt.Fprint(s.cmd.ErrOrStderr(), "Write that? [y/N] ")
	line, _ := bufio.NewReader(cli.Typed(s.cmd)).ReadString('\n')
	return strings.HasPrefix(strings.ToLower(strings.TrimSpace(line)), "y")
}

// verify reads a file again, and starts the server as it stands there if that is not what was tried.
func (s *setup) verify(ch *change, name string) error {
	file, err := configfile.Open(ch.path)
	if err != nil {
		return err
	}
	written := clientServer{URL: s.server.URL}
	for key, to := range map[string]any{"command": &written.Command, "args": &written.Args} {
		value, err := ch.client.text(file.Text()).Get([]string{ch.client.key, name}, key)
		if err != nil {
			return err
		}
		switch v := value.(type) {
		case string:
			*to.(*string) = v
		case []any:
			for _, one := range v {
				*to.(*[]string) = append(*to.(*[]string), fmt.Sprint(one))
			}
		}
	}
	if s.server.URL != "" || reflect.DeepEqual(written, s.server) {
		return nil
	}
	_, err = s.try(written)
	return err
}

// tryTime bounds the start of a server. Large knowledge bases take long.
const tryTime = time.Minute

// try starts a server as a client does, or connects to one, and lists its tools. A command that is not installed yet is
// tried as this one.
func (s *setup) try(server clientServer) ([]*mcp.Tool, error) {
	ctx, cancel := context.WithTimeout(s.cmd.Context(), tryTime)
	defer cancel()
	var transport mcp.Transport = &mcp.StreamableClientTransport{Endpoint: server.URL, DisableStandaloneSSE: true}
	if server.URL == "" {
		command := server.Command
		if own, err := os.Executable(); err == nil && !s.installed {
			command = own
		}
		run := exec.Command(command, server.Args...)
		run.Dir, run.Stderr = os.TempDir(), s.cmd.ErrOrStderr()
		transport = &mcp.CommandTransport{Command: run}
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "mcplogic", Version: cli.Version()}, nil)
	session, err := client.Connect(ctx, transport, nil)
	if err != nil {
		return nil, err
	}
	defer session.Close()
	return cli.Gather(session.Tools(ctx, nil))
}

// known is what is known of how a client treats tools, nil for nothing.
func (c mcpClient) known() *knownclients.Client {
	at := slices.IndexFunc(knownclients.Table, func(k knownclients.Client) bool { return k.Name == c.title })
	if at < 0 {
		return nil
	}
	return &knownclients.Table[at]
}

// tooLong returns the tools of which the name is too long for a client.
func tooLong(c mcpClient, server string, tools []*mcp.Tool) (names []string) {
	known := c.known()
	for _, t := range tools {
		if known != nil && known.MaxName > 0 && known.Length(server, t.Name) > known.MaxName {
			names = append(names, t.Name)
		}
	}
	return names
}

// fitName shortens the name of a server until each client takes the names of its tools, which have that before them. A
// name that cannot be short enough stays.
func fitName(name string, found []mcpClient, tools []*mcp.Tool) string {
	for short := name; short != ""; {
		if !slices.ContainsFunc(found, func(c mcpClient) bool { return len(tooLong(c, short, tools)) > 0 }) {
			return short
		}
		if at := strings.LastIndexAny(short, "-_"); at > 0 { // whole words
			short = strings.TrimRight(short[:at], "-_")
		} else {
			short = short[:len(short)-1]
		}
	}
	return name
}

// show lists the tools that the clients will see.
func (s *setup) show(found []mcpClient, name string, tools []*mcp.Tool) {
	out := s.cmd.OutOrStdout()
	fmt.Fprintln(out, "The clients will see these tools when they start again:")
	for _, t := range tools {
		line, _, _ := strings.Cut(cmp.Or(t.Description, t.Title), "\n")
		fmt.Fprintf(out, "  %s  %s\n", t.Name, line)
	}
	for _, c := range found {
		if names := tooLong(c, name, tools); len(names) > 0 {
			fmt.Fprintf(s.cmd.ErrOrStderr(), "%s will not take %s: the names are too long for it.\n", c.title,
				strings.Join(names, ", "))
		}
	}
	if !s.installed && s.server.URL == "" {
		fmt.Fprintf(s.cmd.ErrOrStderr(), "There is no %s yet: go install ./cmd/mcplogic makes it.\n", s.server.Command)
	}
}

// undo takes the entries of the server out of the clients' files, whatever their names are. It says if there is none.
func (s *setup) undo(found []mcpClient) error {
	taken := false
	for _, c := range found {
		ch, err := c.open()
		if err != nil {
			return err
		}
		ch.text = ch.file.Text()
		entries, err := c.text(ch.text).Get(nil, c.key)
		if err != nil {
			return fmt.Errorf("%s: %w", ch.path, err)
		}
		var names []string
		all, _ := entries.(map[string]any)
		for name, entry := range all {
			if members, ok := entry.(map[string]any); ok && s.isOurs(c, members) {
				if ch.text, err = c.text(ch.text).Remove([]string{c.key, name}); err != nil {
					return fmt.Errorf("%s: %w", ch.path, err)
				}
				names = append(names, name)
			}
		}
		if len(names) == 0 {
			continue
		}
		taken = true
		if len(names) == len(all) && !c.toml { // TOML has no object apart from its members
			if ch.text, err = c.text(ch.text).Remove([]string{c.key}); err != nil {
				return fmt.Errorf("%s: %w", ch.path, err)
			}
		}
		slices.Sort(names)
		if err := replaceText(s.cmd, ch.file, ch.path, ch.text,
			"does not have the server "+strings.Join(names, ", ")+" now"); err != nil {
			return err
		}
	}
	if !taken {
		fmt.Fprintln(s.cmd.ErrOrStderr(), "No client here has this server.")
	}
	return nil
}

// isOurs reports whether an entry is of the server: it has the URL, or starts this command with the same paths.
func (s *setup) isOurs(c mcpClient, entry map[string]any) bool {
	if s.server.URL != "" {
		return c.url != "" && entry[c.url] == s.server.URL
	}
	clean := func(paths []string) []string {
		for i := range paths {
			paths[i] = filepath.Clean(paths[i])
		}
		return paths
	}
	return isOwn(entry["command"], s.server.Command) &&
		slices.Equal(clean(servedPaths(entry["args"])), clean(servedPaths(s.server.Args)))
}
