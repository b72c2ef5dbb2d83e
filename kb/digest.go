package kb

import (
	"archive/zip"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/internal/folder"
	"github.com/mcplogic/mcplogic/internal/inner"
)

// This file defines the rules that a program was loaded from, their digest, and the archive from which the program can
// be loaded again. It also defines the fingerprint by which a reload sees that files have changed.

// Short is the beginning of the digest. It is long enough to distinguish the versions of one knowledge base.
func (r *Rules) Short() string {
	if r == nil {
		return ""
	}
	return inner.ShortDigest(r.Digest)
}

// fingerprint is a hash of the names and contents of all files of a knowledge base.
type fingerprint [sha256.Size]byte

// fingerprint hashes the found files and the files named deps.
func (l *loading) fingerprint(deps []string) (f fingerprint) {
	hash := sha256.New()
	for _, file := range append(slices.Clip(l.textFiles()), l.sums(deps)...) {
		fmt.Fprintf(hash, "%q %d %x %t\n", file.name, file.size, file.sum, file.ok)
	}
	for _, d := range l.found.report {
		fmt.Fprintln(hash, d)
	}
	hash.Sum(f[:0])
	return f
}

// textFiles returns the texts with their hashes. They are computed once.
func (l *loading) textFiles() []ruleFile {
	if l.summed == nil {
		for _, s := range l.sources {
			file := ruleFile{s.Name, int64(len(s.Text)), [sha256.Size]byte{}, true}
			if s.Open != nil {
				file = sumFile(l.o.tree(), s.Name)
			} else {
				file.sum = sha256.Sum256(bytesOf(s.Text))
			}
			l.summed = append(l.summed, file)
		}
	}
	return l.summed
}

// sums returns files with the hashes of their current contents, or of their contents after the load.
func (l *loading) sums(names []string) []ruleFile {
	list := make([]ruleFile, len(names))
	for i, name := range names {
		at := slices.IndexFunc(l.read, func(f ruleFile) bool { return f.name == name })
		if at >= 0 {
			list[i] = l.read[at]
		} else {
			list[i] = sumFile(l.o.tree(), name)
		}
	}
	return list
}

func sumFile(tree folder.Tree, name string) ruleFile {
	f := ruleFile{name: name}
	file, err := tree.Open(filepath.FromSlash(name))
	if err != nil {
		return f
	}
	defer file.Close()
	hash := sha256.New()
	f.size, err = io.Copy(hash, file)
	f.ok = err == nil
	hash.Sum(f.sum[:0])
	return f
}

// digest gives the snapshot its rules, and the program their digest.
func (l *loading) digest() {
	l.read = l.sums(l.deps)
	for _, f := range copies(l.program) {
		l.read = append(l.read, ruleFile{name: f.Name, sum: sha256.Sum256([]byte(f.Copy.Version)), ok: true})
	}
	r := &Rules{Engine: inner.Of(l.program).EngineVersion(), Module: moduleVersion(), Settings: map[string]string{},
		tree: l.o.tree()}
	roots := l.sandbox.roots(l.o)
	for _, path := range l.paths {
		name, _ := rooted(roots, path)
		r.Paths = append(r.Paths, name)
	}
	for _, s := range l.snapshot.Settings {
		if text, ok := "", false; s.Given && !s.Secret && l.o.Setting != nil {
			if text, ok = l.o.Setting(s.Name); ok {
				r.Settings[s.Name] = text
			}
		}
	}
	for _, f := range append(slices.Clip(l.textFiles()), l.read...) {
		file := RuleFile{Name: f.name, Sum: hex.EncodeToString(f.sum[:]), Size: f.size}
		if name, ok := rooted(roots, f.name); ok {
			file.Name, file.path = name, f.name
		}
		if !slices.ContainsFunc(r.Files, func(g RuleFile) bool { return g.Name == file.Name }) {
			r.Files = append(r.Files, file)
		}
	}
	raw, _ := json.Marshal(r) // texts and numbers
	sum := sha256.Sum256(raw)
	r.Digest = hex.EncodeToString(sum[:])
	l.snapshot.Rules = r
	inner.Of(l.program).SetDigest(r.Digest)
}

// moduleVersion is the version of this module in the running program, or "" for a build from a working copy.
func moduleVersion() string {
	const path = "github.com/mcplogic/mcplogic"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, m := range append(slices.Clip(info.Deps), &info.Main) {
		if m.Path == path && m.Version != "(devel)" {
			return m.Version
		}
	}
	return ""
}

// roots are the folders of the knowledge base, followed by the other folders that goals may read. No folder is
// repeated.
func (s *fileSandbox) roots(o *Options) (list []string) {
	folders := append(slices.Clip(s.Read[len(o.AllowRead):]), s.inner...)
	for _, root := range append(folders, o.AllowRead...) {
		if o.FS == nil {
			root, _ = filepath.Abs(root)
		}
		if !slices.Contains(list, root) {
			list = append(list, root)
		}
	}
	return list
}

// rooted returns the name of a file in archives: the number of the first folder that holds it, and its name there.
func rooted(roots []string, name string) (in string, ok bool) {
	name = filepath.FromSlash(name)
	for i, root := range roots {
		path := name
		if filepath.IsAbs(root) {
			path, _ = filepath.Abs(name)
		}
		rel, err := filepath.Rel(root, path)
		if err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(filepath.Join(fmt.Sprint(i), rel)), true
		}
	}
	return filepath.ToSlash(name), false
}

// manifestName is the file of an archive that describes its rules: everything but the contents of the files.
const manifestName = "rules.json"

// ErrRulesChanged says that files have changed since they were loaded.
var ErrRulesChanged = errors.New("the rules have changed since they were loaded")

// Archive writes the rules as a ZIP file, to be read by [OpenArchive]. The error is [ErrRulesChanged] if the files have
// changed since they were loaded.
func (r *Rules) Archive(w io.Writer) error {
	z := zip.NewWriter(w)
	out, err := z.Create(manifestName)
	if err == nil {
		err = json.NewEncoder(out).Encode(r)
	}
	for _, f := range r.Files {
		if err == nil && f.path != "" {
			err = r.pack(z, f)
		}
	}
	return errors.Join(err, z.Close())
}

func (r *Rules) pack(z *zip.Writer, f RuleFile) error {
	in, err := r.tree.Open(filepath.FromSlash(f.path))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrRulesChanged, err)
	}
	defer in.Close()
	out, err := z.Create(f.Name)
	if err != nil {
		return err
	}
	hash := sha256.New()
	if _, err := io.Copy(io.MultiWriter(out, hash), in); err != nil {
		return err
	}
	if hex.EncodeToString(hash.Sum(nil)) != f.Sum {
		return fmt.Errorf("%w: %s", ErrRulesChanged, f.path)
	}
	return nil
}

// OpenArchive returns rules that [Rules.Archive] has written, and the options by which they are loaded: those given,
// with the files and the settings of the archive.
func (o *Options) OpenArchive(archive *zip.Reader) (*Rules, *Options, error) {
	if archive == nil {
		return nil, nil, errors.New("the archive is nil")
	}
	in, err := archive.Open(manifestName)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	r := &Rules{}
	if err := json.NewDecoder(in).Decode(r); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", manifestName, err)
	}
	own, tree := o.complete(), archived{archive, r.Short()}
	own.FS, own.AllowRead, own.AllowWrite = tree, nil, nil
	for i, name := range r.Paths {
		r.Paths[i] = tree.named(name)
	}
	own.Setting = func(name string) (string, bool) {
		if text, ok := r.Settings[name]; ok {
			return text, true
		}
		if o == nil || o.Setting == nil {
			return "", false
		}
		return o.Setting(name)
	}
	return r, &own, nil
}

// archived is the file system of an archive. Its names differ from those of other archives: they begin with the short
// digest in place of folder 0, and with the short digest, a point and the number in place of another folder.
type archived struct {
	archive fs.FS
	short   string
}

// named returns the name of a file of the archive.
func (a archived) named(name string) string {
	number, _, _ := strings.Cut(name, "/")
	return strings.TrimSuffix(a.short+"."+number, ".0") + name[len(number):]
}

// Open opens a file by a name that named returns.
func (a archived) Open(name string) (fs.File, error) {
	first, _, _ := strings.Cut(name, "/")
	number, ok := strings.CutPrefix(first, a.short)
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return a.archive.Open(cmp.Or(strings.TrimPrefix(number, "."), "0") + name[len(first):])
}
