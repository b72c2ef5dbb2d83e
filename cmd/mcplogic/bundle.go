package main

import (
	"archive/zip"
	"cmp"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/inside"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/settings"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/lazyregexp"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines mcplogic bundle. It also defines the manifest of an MCP bundle and what clients ask the user who
// installs a bundle: the settings of setting/3.

// bundleFlags are the flags of bundle and of build.
type bundleFlags struct {
	settings.ServerFlags
	// output is the file to write. author and description go into the manifest, which demands both.
	output, author, description string
	// binaries are PLATFORM=FILE, commands for other platforms than this one.
	binaries []string
	// registry is used by bundle only, and publishes nothing itself.
	registry registryFlags
}

// newBundle makes the command that packs a folder and the server into one file that clients install.
func newBundle() *cobra.Command {
	f := &bundleFlags{}
	cmd := &cobra.Command{
		Use:   "bundle [flags] PATH -o FILE.mcpb",
		Short: "Pack a folder and its server into one file that clients install",
		Args:  cli.NeedPaths,
		RunE:  func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	// bundle does not have the other flags of a server. They keep their defaults.
	f.Add(pflag.NewFlagSet("", pflag.ContinueOnError))
	f.Loading.Add(flags)
	flags.StringVar(&f.Name, "name", "", "name of the server; default: that of PATH")
	flags.StringVar(&f.Title, "title", "", "title of the server, for people")
	flags.StringVar(&f.Server, "server-version", "0.1.0", "version of the bundle")
	flags.StringVarP(&f.output, "output", "o", "", "file to write; default: the name of the server and .mcpb")
	flags.StringVar(&f.author, "author", "unknown", "who has written the rules")
	flags.StringVar(&f.description, "description", "", "one sentence on what the rules know")
	flags.StringVar(&f.registry.file, "server-json", "", "file to write for the registry of MCP servers too")
	flags.StringVar(&f.registry.name, "registry-name", "", "name in the registry, such as io.github.ada/birds")
	flags.StringVar(&f.registry.url, "url", "", "https address where the bundle will be")
	flags.StringArrayVar(&f.binaries, "binary", nil, "PLATFORM=FILE of a command, the platform linux, darwin or windows")
	return cmd
}

// platforms maps names of GOOS to the names in a manifest, which are the values of process.platform in Node.
var platforms = map[string]string{"linux": "linux", "darwin": "darwin", "windows": "win32"}

// run writes the bundle. A folder that does not load is not packed. The flags for the registry are checked before
// anything is written; its entry is written last, because it has the hash of the bundle.
func (f *bundleFlags) run(cmd *cobra.Command, paths []string) error {
	if err := f.registry.check(); err != nil {
		return err
	}
	snapshot, err := f.loadFolder(cmd, paths)
	if err != nil {
		return err
	}
	if err := f.registry.checkVersion(f.Server); err != nil {
		return err
	}
	f.Name = cmp.Or(f.Name, settings.ServerName(paths))
	binaries, err := f.commands()
	if err != nil {
		return err
	}
	if program, err := os.Open(binaries["linux"]); err == nil {
		tellLoader(cmd, program)
		_ = program.Close()
	}
	f.output = cmp.Or(f.output, f.Name+".mcpb")
	m := f.manifest(snapshot, binaries)
	sum := sha256.New() // of what is written: a pipe cannot be read again
	err = cli.WriteWhole(f.output, 0o644, func(w io.Writer) error {
		return f.pack(io.MultiWriter(w, sum), paths[0], m, binaries)
	})
	if err == nil && f.registry.file != "" {
		err = f.registry.write(m, sum.Sum(nil))
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s: %s, for %s\n", f.output, cli.Summary(snapshot),
		strings.Join(cli.SortedKeys(binaries), ", "))
	return nil
}

// loadFolder loads the one folder that is packed, with its settings. It refuses one whose facts would be forgotten:
// they have to be kept outside of the folder, which is unpacked anew.
func (f *bundleFlags) loadFolder(cmd *cobra.Command, paths []string) (*kb.Snapshot, error) {
	if info, err := os.Stat(paths[0]); len(paths) != 1 || err == nil && !info.IsDir() {
		return nil, fmt.Errorf("%s takes one folder", cmd.Name())
	}
	if err := f.Settle(cmd.Flags(), paths); err != nil {
		return nil, err
	}
	snapshot, report := cli.LoadFiles(cmd.Context(), cmd.ErrOrStderr(), paths, f.Load(cmd))
	cli.PrintDiagnostics(cmd.ErrOrStderr(), report)
	if snapshot == nil {
		return nil, cli.NotLoaded(report)
	}
	given, err := settings.ReadSettings(paths[0])
	kept := given.Texts["store"] != "" && !strings.HasPrefix(given.Texts["store"], "file:"+filepath.Clean(paths[0]))
	if persistent := inner.Of(snapshot.Program).Persistent(); err == nil && len(persistent) > 0 && !kept {
		return nil, fmt.Errorf("%s is persistent, and its facts would be gone at the next start; "+
			`"store": "%s" in %s keeps them below the user's data`, persistent[0],
			settings.ClientName(settings.ServerName(paths)), settings.SettingsFile)
	}
	return snapshot, err
}

// tellLoader says that a program for Linux does not run on all of them: it asks for the loader of a C library.
func tellLoader(cmd *cobra.Command, program io.ReaderAt) {
	file, err := elf.NewFile(program)
	if err != nil {
		return
	}
	if slices.ContainsFunc(file.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP }) {
		cli.Tell(cmd)("the command was built with cgo and runs only where the C library is as new as here; " +
			"CGO_ENABLED=0 go install ./cmd/mcplogic makes one for every Linux")
	}
}

// commands returns the files of the commands by their names of GOOS. This command is packed for its own system, unless
// --binary names another one for it.
func (f *bundleFlags) commands() (map[string]string, error) {
	own, err := os.Executable()
	if err != nil {
		return nil, err
	}
	binaries := map[string]string{}
	for _, given := range f.binaries {
		system, file, ok := strings.Cut(given, "=")
		if !ok || platforms[system] == "" {
			return nil, fmt.Errorf("got --binary %s, want linux=FILE, darwin=FILE or windows=FILE", given)
		}
		binaries[system] = file
	}
	if binaries[runtime.GOOS] == "" && platforms[runtime.GOOS] != "" {
		binaries[runtime.GOOS] = own
	}
	if len(binaries) == 0 {
		return nil, errors.New("clients run on other systems than this one; name a command for one: --binary linux=FILE")
	}
	return binaries, nil
}

// entryPoint is the path of the command of a system within a bundle. Windows starts only files with .exe.
func entryPoint(system string) string {
	name := "server/mcplogic-" + system
	if system == "windows" {
		name += ".exe"
	}
	return name
}

// manifest describes the bundle to clients. The command of the first system, by name, is the one of the server itself;
// the others are overrides. Each setting of the rules is asked for at the installation and reaches the server as a
// variable of its environment, where other users of the machine cannot read it.
func (f *bundleFlags) manifest(s *kb.Snapshot, binaries map[string]string) *manifest {
	systems := cli.SortedKeys(binaries)
	m := &manifest{ManifestVersion: "0.3", Name: f.Name, DisplayName: f.Title, Version: f.Server,
		Description: cmp.Or(f.description, "Rules and facts of "+f.Name+", served by mcplogic."),
		Author:      map[string]string{"name": f.author}, PromptsGenerated: len(s.Prompts) > 0}
	env := map[string]string{}
	for _, setting := range s.Settings {
		if m.UserConfig == nil {
			m.UserConfig = map[string]option{}
		}
		m.UserConfig[setting.Name] = optionOf(setting)
		env[setting.Variable()] = settings.UserValue(setting.Name)
	}
	config := func(system string) manifestConfig {
		return manifestConfig{Command: "${__dirname}/" + entryPoint(system), Args: []string{"serve", "${__dirname}/kb"},
			Env: env}
	}
	m.Server = manifestServer{Type: "binary", EntryPoint: entryPoint(systems[0]), Config: config(systems[0])}
	for _, system := range systems {
		m.Compatibility.Platforms = append(m.Compatibility.Platforms, platforms[system])
		if system != systems[0] {
			if m.Server.Config.Overrides == nil {
				m.Server.Config.Overrides = map[string]manifestConfig{}
			}
			m.Server.Config.Overrides[platforms[system]] = config(system)
		}
	}
	for _, t := range s.Tools {
		first, _, _ := strings.Cut(t.Description, "\n")
		m.Tools = append(m.Tools, manifestTool{t.Name, first})
	}
	return m
}

// pack writes a bundle, which is a zip file: the manifest at its root, the commands, which can be run, and the files of
// the folder.
func (f *bundleFlags) pack(w io.Writer, folder string, m *manifest, binaries map[string]string) error {
	z := zip.NewWriter(w)
	out, err := z.Create("manifest.json")
	if err == nil {
		err = cli.PrintJSON(out, m)
	}
	for _, system := range cli.SortedKeys(binaries) {
		if err == nil {
			err = packFile(z, entryPoint(system), 0o755, func() (fs.File, error) { return os.Open(binaries[system]) })
		}
	}
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := packFolder(z, root, f.output); err != nil {
		return err
	}
	return z.Close()
}

// packFolder packs the files of a folder that are not hidden, other than the bundle itself, which may be written into
// the folder. The root keeps links from leading out of it.
func packFolder(z *zip.Writer, root *os.Root, bundle string) error {
	own, err := filepath.Abs(bundle)
	if err != nil {
		return err
	}
	return fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != "." && strings.HasPrefix(path.Base(name), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir() || isFile(own, filepath.Join(root.Name(), filepath.FromSlash(name))):
			return nil
		}
		info, err := root.Stat(name)
		if err != nil || !info.Mode().IsRegular() {
			return nil // a link that leads nowhere, or out of the folder, or a pipe
		}
		return packFile(z, inside.Folder+"/"+name, info.Mode().Perm(), func() (fs.File, error) { return root.Open(name) })
	})
}

// isFile reports whether a path is the absolute path own. Links are not followed.
func isFile(own, name string) bool {
	absolute, err := filepath.Abs(name)
	return err == nil && absolute == own
}

// packFile packs one file with its permissions. Times are not packed: the same files make the same bundle. packFile
// calls open once and closes what it returns.
func packFile(z *zip.Writer, name string, mode fs.FileMode, open func() (fs.File, error)) error {
	in, err := open()
	if err != nil {
		return err
	}
	defer in.Close()
	h := &zip.FileHeader{Name: name, Method: zip.Deflate}
	h.SetMode(mode)
	out, err := z.CreateHeader(h)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return err
}

// manifest is the manifest.json of a bundle, in version 0.3 of the MCPB format (formerly DXT). Clients show the names
// and texts before they install the bundle, and Tools as well: the server is not asked before it runs. PromptsGenerated
// says that the server has prompts, whose texts the manifest need not hold then.
type manifest struct {
	ManifestVersion  string            `json:"manifest_version"`
	Name             string            `json:"name"`
	DisplayName      string            `json:"display_name,omitempty"`
	Version          string            `json:"version"`
	Description      string            `json:"description"`
	Author           map[string]string `json:"author"`
	Server           manifestServer    `json:"server"`
	Tools            []manifestTool    `json:"tools,omitempty"`
	UserConfig       map[string]option `json:"user_config,omitempty"`
	PromptsGenerated bool              `json:"prompts_generated,omitempty"`
	Compatibility    struct {
		Platforms []string `json:"platforms"`
	} `json:"compatibility"`
}

// manifestServer says how a client starts the server. EntryPoint is the path of the command within the bundle.
type manifestServer struct {
	Type       string         `json:"type"`
	EntryPoint string         `json:"entry_point"`
	Config     manifestConfig `json:"mcp_config"`
}

// manifestConfig is a command line. Clients replace ${__dirname} by the folder in which the bundle is unpacked, and
// ${user_config.NAME} by what the user has given. Overrides replace it on the platforms that are their keys.
type manifestConfig struct {
	Command   string                    `json:"command"`
	Args      []string                  `json:"args"`
	Env       map[string]string         `json:"env"`
	Overrides map[string]manifestConfig `json:"platform_overrides,omitempty"`
}

// manifestTool is a tool as it is shown before the installation: without a schema, with the first line of its
// description.
type manifestTool struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
}

// This part defines server.json, by which a bundle is published in the registry of MCP servers.

// registrySchema is what the entry says it follows.
const registrySchema = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"

// registryEntry is the content of server.json, as far as a bundle needs it.
type registryEntry struct {
	Schema      string            `json:"$schema"`
	Name        string            `json:"name"`
	Title       string            `json:"title,omitempty"`
	Description string            `json:"description"`
	Version     string            `json:"version"`
	Packages    []registryPackage `json:"packages"`
}

// registryPackage is how the server can be had: here always one bundle, at an address and with a hash that clients
// compare.
type registryPackage struct {
	Type       string            `json:"registryType"`
	Identifier string            `json:"identifier"`
	Version    string            `json:"version,omitempty"`
	SHA256     string            `json:"fileSha256"`
	Transport  map[string]string `json:"transport"`
}

// The bounds of the schema of the registry. A name is a reversed domain, a slash and the publisher's own name. Longest
// lengths are in characters.
const (
	registryName    = `^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$`
	registryNameMax = 200
	registryTextMax = 100
	registryVersMax = 255
)

// registryVersion is what the registry takes for a version, in our words: one release, neither a range nor latest. It
// is compiled when it is first used, because most runs of the command are about other things.
var registryVersion = lazyregexp.New(`^[0-9A-Za-z][0-9A-Za-z.+_-]*$`)

// checkVersion reports a version that the registry refuses. A part x or X stands for any number there.
func (r *registryFlags) checkVersion(release string) error {
	if r.file == "" {
		return nil
	}
	isWild := func(part string) bool { return strings.EqualFold(part, "x") }
	wild := slices.ContainsFunc(strings.Split(release, "."), isWild)
	if wild || release == "latest" || len(release) > registryVersMax || !registryVersion().MatchString(release) {
		return fmt.Errorf("the registry takes one exact version, such as 1.2.3; got %q", release)
	}
	return nil
}

// registryFlags say how a bundle is published. Without file no entry is written, and the other two must be "".
type registryFlags struct {
	name, url, file string
}

// check reports what is wrong with the flags before anything is written.
func (r *registryFlags) check() error {
	if r.file == "" {
		if r.name != "" || r.url != "" {
			return errors.New("--registry-name and --url go with --server-json")
		}
		return nil
	}
	if !regexp.MustCompile(registryName).MatchString(r.name) || len(r.name) > registryNameMax {
		return fmt.Errorf("--server-json needs --registry-name, such as io.github.ada/birds; got %q", r.name)
	}
	u, err := url.Parse(r.url)
	switch {
	case err != nil || u.Scheme != "https" || u.Host == "":
		return fmt.Errorf("--server-json needs --url, the https address where the bundle will be; got %q", r.url)
	case !strings.Contains(strings.ToLower(r.url), "mcp"):
		return fmt.Errorf("the registry takes bundles only from addresses that contain mcp, as in .mcpb; got %q", r.url)
	}
	return nil
}

// write writes the entry for a bundle that has been written. sum is the SHA-256 of the bundle.
func (r *registryFlags) write(m *manifest, sum []byte) error {
	e := registryEntry{Schema: registrySchema, Name: r.name, Title: cutText(m.DisplayName, registryTextMax),
		Description: cutText(m.Description, registryTextMax), Version: m.Version,
		Packages: []registryPackage{{Type: "mcpb", Identifier: r.url, Version: m.Version,
			SHA256: hex.EncodeToString(sum), Transport: map[string]string{"type": "stdio"}}}}
	return cli.WriteWhole(r.file, 0o644, func(w io.Writer) error { return cli.PrintJSON(w, e) })
}

func cutText(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-3]) + "..."
}

// option is a member of user_config in a manifest of the MCPB format. Type is string, number, boolean, file or
// directory. Min and Max count for numbers only, Sensitive for strings only: the client masks such a value and keeps it
// in the key chain of the system. Default has the JSON type that Type says.
type option struct {
	Type        string   `json:"type"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
	Required    bool     `json:"required,omitempty"`
	Default     any      `json:"default,omitempty"`
	Sensitive   bool     `json:"sensitive,omitempty"`
	Min         *float64 `json:"min,omitempty"`
	Max         *float64 `json:"max,omitempty"`
}

// optionOf converts a setting to a field of the client's form. Types of must_be/2 that the format lacks become strings,
// which the server checks when it loads. A choice is a string whose description names the values.
func optionOf(s kb.Setting) option {
	o := option{Type: "string", Title: s.Title, Description: s.Description, Required: s.Default == nil}
	number := func(least, most *float64) { o.Type, o.Min, o.Max = "number", least, most }
	at := func(n float64) *float64 { return &n }
	switch name, args := splitTerm(s.Type); name {
	case "integer", "float", "number", "rational":
		number(nil, nil)
	case "nonneg":
		number(at(0), nil)
	case "positive_integer":
		number(at(1), nil)
	case "boolean", "bool":
		o.Type = "boolean"
	case "file", "directory":
		o.Type = name
	case "between":
		if len(args) == 2 {
			number(numberOf(args[0]), numberOf(args[1]))
		}
	case "oneof":
		if len(args) == 1 {
			o.Description = strings.TrimSpace(o.Description + " One of " + strings.Join(choiceTexts(args[0]), ", ") + ".")
		}
	}
	// A secret has no default in the manifest, which everybody can read.
	o.Sensitive = s.Secret && o.Type == "string"
	o.Description = cmp.Or(o.Description, s.Title)
	if s.Default != nil && !s.Secret {
		o.Default = jsonDefault(s.Default, o.Type)
	}
	return o
}

// splitTerm returns the name and the arguments of a type, such as between(1, 10) or integer.
func splitTerm(t engine.Term) (string, []engine.Term) {
	if c, ok := t.(*term.Compound); ok {
		return string(c.Functor), c.Args
	}
	name, _ := t.(term.Atom)
	return string(name), nil
}

// choiceTexts are the values of a list as texts.
func choiceTexts(list engine.Term) []string {
	items, _ := term.Slice(list)
	var texts []string
	for _, item := range items {
		texts = append(texts, fmt.Sprint(jsonDefault(item, "string")))
	}
	return texts
}

// numberOf returns a number, and nil for other terms, such as inf as a bound. It also returns nil for integers that do
// not fit a term.Int.
func numberOf(t engine.Term) *float64 {
	n := 0.0
	switch t := t.(type) {
	case term.Int:
		n = float64(t)
	case term.Float:
		n = float64(t)
	default:
		return nil
	}
	return &n
}

// jsonDefault converts a default to a value of the type of a field. Terms other than texts are written as in Prolog,
// and the server reads them back.
func jsonDefault(t engine.Term, kind string) any {
	if kind == "boolean" {
		return t == term.Term(term.True)
	}
	if n := numberOf(t); n != nil && kind == "number" {
		return *n
	}
	return inner.Plain(t)
}

// missingSettings are the settings that have to be given and were not, each with how to do that.
func missingSettings(s *kb.Snapshot) []string {
	var list []string
	for _, one := range s.Settings {
		if one.Default == nil && !one.Given {
			list = append(list, fmt.Sprintf("the setting %s has no value: set %s in the environment, or --set %[1]s=VALUE",
				one.Name, one.Variable()))
		}
	}
	return list
}
