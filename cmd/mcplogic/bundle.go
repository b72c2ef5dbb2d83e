package main

import (
	"archive/zip"
	"crypto/sha256"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcplogic/mcplogic/kb"
)

// This file defines mcplogic bundle.

// bundleFlags are the flags of bundle and of build.
type bundleFlags struct {
	serverFlags
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
		Args:  needPaths,
		RunE:  func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	// bundle does not have the other flags of a server. They keep their defaults.
	f.add(pflag.NewFlagSet("", pflag.ContinueOnError))
	f.loading.add(flags)
	flags.StringVar(&f.name, "name", "", "name of the server; default: that of PATH")
	flags.StringVar(&f.title, "title", "", "title of the server, for people")
	flags.StringVar(&f.server, "server-version", "0.1.0", "version of the bundle")
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
	if err := f.registry.checkVersion(f.server); err != nil {
		return err
	}
	if f.name == "" {
		f.name = serverName(paths)
	}
	binaries, err := f.commands()
	if err != nil {
		return err
	}
	if program, err := os.Open(binaries["linux"]); err == nil {
		tellLoader(cmd, program)
		_ = program.Close()
	}
	if f.output == "" {
		f.output = f.name + ".mcpb"
	}
	m := f.manifest(snapshot, binaries)
	sum := sha256.New() // of what is written: a pipe cannot be read again
	err = writeWhole(f.output, 0o644, func(w io.Writer) error {
		return f.pack(io.MultiWriter(w, sum), paths[0], m, binaries)
	})
	if err == nil && f.registry.file != "" {
		err = f.registry.write(m, sum.Sum(nil))
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s: %s, for %s\n", f.output, summary(snapshot),
		strings.Join(sortedKeys(binaries), ", "))
	return nil
}

// loadFolder loads the one folder that is packed, with its settings. It refuses one whose facts would be forgotten:
// they have to be kept outside of the folder, which is unpacked anew.
func (f *bundleFlags) loadFolder(cmd *cobra.Command, paths []string) (*kb.Snapshot, error) {
	if info, err := os.Stat(paths[0]); len(paths) != 1 || err == nil && !info.IsDir() {
		return nil, fmt.Errorf("%s takes one folder", cmd.Name())
	}
	if err := f.settle(cmd.Flags(), paths); err != nil {
		return nil, err
	}
	snapshot, report := kb.Load(cmd.Context(), paths, f.load(cmd))
	printDiagnostics(cmd.ErrOrStderr(), report)
	if snapshot == nil {
		return nil, notLoaded(report)
	}
	given, err := readSettings(paths[0])
	kept := given.texts["store"] != "" && !strings.HasPrefix(given.texts["store"], "file:"+filepath.Clean(paths[0]))
	if persistent := snapshot.Program.Persistent(); err == nil && len(persistent) > 0 && !kept {
		return nil, fmt.Errorf("%s is persistent, and its facts would be gone at the next start; "+
			`"store": "%s" in %s keeps them below the user's data`, persistent[0], clientName(serverName(paths)), settingsFile)
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
		tell(cmd)("the command was built with cgo and runs only where the C library is as new as here; " +
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
	systems := sortedKeys(binaries)
	m := &manifest{ManifestVersion: "0.3", Name: f.name, DisplayName: f.title, Version: f.server,
		Description: f.description, Author: map[string]string{"name": f.author}, PromptsGenerated: len(s.Prompts) > 0}
	if m.Description == "" {
		m.Description = "Rules and facts of " + f.name + ", served by mcplogic."
	}
	env := map[string]string{}
	for _, setting := range s.Settings {
		if m.UserConfig == nil {
			m.UserConfig = map[string]option{}
		}
		m.UserConfig[setting.Name] = optionOf(setting)
		env[kb.SettingVariable(setting.Name)] = userValue(setting.Name)
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
		err = printJSON(out, m)
	}
	for _, system := range sortedKeys(binaries) {
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

// packedFolder is where the files of the folder stand.
const packedFolder = "kb"

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
		return packFile(z, packedFolder+"/"+name, info.Mode().Perm(), func() (fs.File, error) { return root.Open(name) })
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
