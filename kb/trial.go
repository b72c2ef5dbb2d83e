package kb

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/folder"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/lazyregexp"
)

// This file defines trials: a throw-away copy of a folder in which a text is tried out before it is saved. It also
// defines drafts: a knowledge base with some of its texts as an editor has them.

// Trial is a copy of the folder of a knowledge base with one file changed. Nothing that its goals do reaches the
// folder itself. It is for one goroutine.
type Trial struct {
	// Snapshot is the knowledge base, nil when Report has errors.
	Snapshot *Snapshot
	// Report has what is wrong; its places are relative to the folder.
	Report source.Diagnostics

	dir string
}

// These bound the folder of a trial, and how long a goal of its texts or tests may run.
const (
	maxTrialFiles = 10_000
	maxTrialBytes = 64 << 20
	trialTime     = 5 * time.Second
)

// maxName is how many bytes a name may have. The systems allow 255, and the text before is kept under a longer name.
const maxName = 200

// dataEndings are the endings of files of facts; see facts/2.
var dataEndings = []string{".csv", ".tsv", ".json", ".jsonl"}

// isProlog reports whether an ending is that of rules or tests.
func isProlog(ext string) bool { return ext == ".pl" || ext == ".plt" }

// CheckName says what is wrong with a name for a file of rules, tests or facts in a folder, nil if nothing is.
func CheckName(name string) error {
	ext := path.Ext(name)
	if bad := badCharacter(name); bad != "" {
		return fmt.Errorf("%q has %s in it", name, bad)
	}
	switch {
	case !filepath.IsLocal(name) || strings.Contains(name, `\`) || path.Clean(name) != name:
		return fmt.Errorf("%q is no file within the folder", name)
	case !isProlog(ext) && !slices.Contains(dataEndings, ext):
		return fmt.Errorf("%q ends neither in .pl, for rules, nor in .plt, for tests, nor as a file of facts: in %s", name,
			strings.Join(dataEndings, ", "))
	}
	for word := range strings.SplitSeq(name, "/") {
		stem, _, _ := strings.Cut(strings.ToLower(word), ".")
		switch {
		case strings.EqualFold(word, "mcplogic.json"):
			return fmt.Errorf("%q has the settings of the server", name)
		case folder.Hidden(word):
			return fmt.Errorf("%q is hidden and would not be loaded", name)
		case strings.HasPrefix(word, "-"):
			return fmt.Errorf("%q would be an option of commands", name)
		case strings.TrimSpace(word) != word || reservedNames().MatchString(strings.TrimSpace(stem)):
			return fmt.Errorf("%q is no name of a file on every system", name)
		case len(word) > maxName:
			return fmt.Errorf("%q is longer than %d bytes", name, maxName)
		}
	}
	return nil
}

// reservedNames matches the names of devices on Windows. A name stays reserved with any ending.
var reservedNames = lazyregexp.New(`^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])$`)

// badCharacter names what a name of a file must not have in it: what people do not see, or what shells and some systems
// take for something else. An accent that stands by itself would make a second file of a name that looks the same.
func badCharacter(name string) string {
	for _, r := range name {
		switch {
		case r == utf8.RuneError || unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp):
			return "a character that is not shown"
		case r >= 0x300 && r <= 0x36f:
			return "an accent apart from its letter"
		case strings.ContainsRune("*?[]{}<>:\"|$`;&~!", r):
			return "a " + string(r)
		}
	}
	return ""
}

// Try loads a copy of a folder in which a file has the given text; with the name "" nothing is changed. The goals of
// its texts see no environment and no other folder, whatever o allows. Close it after use.
func Try(ctx context.Context, of, name, text string, o *Options) (*Trial, error) {
	if name != "" {
		if err := CheckName(name); err != nil {
			return nil, err
		}
	}
	dir, err := os.MkdirTemp("", "mcplogic-trial-")
	if err != nil {
		return nil, err
	}
	t := &Trial{dir: dir}
	if err := t.load(ctx, of, name, text, o); err != nil {
		return nil, errors.Join(errors.New(t.relative(err.Error())), t.Close())
	}
	return t, nil
}

// Close takes the copy away.
func (t *Trial) Close() error { return os.RemoveAll(t.dir) }

func (t *Trial) load(ctx context.Context, from, name, text string, o *Options) error {
	paths := []string{"."}
	if err := copyFolder(from, t.dir); err != nil {
		return err
	}
	if name != "" {
		file := filepath.Join(t.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return err
		}
	}
	err := fs.WalkDir(t.FS(), ".", func(file string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && path.Ext(file) == ".plt" {
			paths = append(paths, file)
		}
		return err
	})
	if err != nil {
		return err
	}
	given := o.complete()
	own := Options{FS: t.FS(), Predicates: given.Predicates, Lint: true, Empty: true,
		Directives: engine.Limits{Time: trialTime, Memory: given.Directives.Memory},
		Native:     given.Native, Trust: given.Trust, saving: name}
	t.Snapshot, err = Load(ctx, paths, &own)
	t.Report = t.Snapshot.Report(err)
	return nil
}

// FS has the files of the copy.
func (t *Trial) FS() fs.FS { return os.DirFS(t.dir) }

// relative takes the folder of the copy out of a text.
func (t *Trial) relative(text string) string {
	text = strings.ReplaceAll(text, filepath.ToSlash(t.dir)+"/", "")
	return strings.ReplaceAll(text, t.dir, ".")
}

// copyFolder copies the files below a folder that are not hidden. Links that lead out of it are left out.
func copyFolder(from, to string) error {
	root, err := os.OpenRoot(from)
	if err != nil {
		return err
	}
	defer root.Close()
	files, left := 0, int64(maxTrialBytes)
	return fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != "." && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, filepath.FromSlash(name)), 0o700)
		}
		n, err := copyWithin(root, name, filepath.Join(to, filepath.FromSlash(name)), left)
		if left -= n; left <= 0 || files == maxTrialFiles {
			return fmt.Errorf("the folder is too large for a trial; %d files and %d bytes are the most", maxTrialFiles,
				maxTrialBytes)
		}
		files++
		return err
	})
}

// copyWithin copies a regular file of a folder, up to so many bytes.
func copyWithin(root *os.Root, name, to string, most int64) (int64, error) {
	info, err := root.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return 0, nil // a link that leads nowhere, or out of the folder, or a pipe
	}
	in, err := root.Open(name)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(out, io.LimitReader(in, most))
	return n, errors.Join(err, out.Close())
}

// TestOutcome is what came of a test or of an example of info/2.
type TestOutcome struct {
	Name    string `json:"name"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Passed  bool   `json:"passed"`
	Message string `json:"message,omitempty"`
	// Answers are the answers to the goal of an example, up to mostAnswers.
	Answers []string `json:"answers,omitempty"`
	// Case says that it is a stored call with the answer that is expected.
	Case bool `json:"case,omitempty"`
}

// mostAnswers bounds the answers of an example that are looked at.
const mostAnswers = 20

// TestsIn names the tests in the text of a file by their unit and name. One that cannot be read without the operators
// of other files is named by its first line.
func TestsIn(name, text string) (names []string) {
	if !isProlog(path.Ext(name)) {
		return nil
	}
	unit := ""
	source.Read("", text, &source.Options{Each: func(c *source.Clause) bool {
		head := c.Term
		if rule, ok := term.Is(head, ":-", 2); ok {
			head = rule[0]
		} else if directive, ok := term.Is(head, ":-", 1); ok {
			head = directive[0]
		}
		compound, _ := head.(*term.Compound)
		line, _, _ := strings.Cut(text[c.Start:c.End], "\n")
		switch {
		case c.Err != nil && strings.HasPrefix(line, "test("):
			names = append(names, "test "+unit+": "+line)
		case compound == nil || len(compound.Args) > 2:
		case compound.Functor == "begin_tests":
			unit = inner.Plain(compound.Args[0])
		case compound.Functor == "test":
			names = append(names, "test "+unit+": "+inner.Plain(compound.Args[0]))
		}
		return true
	}})
	return names
}

// Test runs the tests and examples of a trial that has a snapshot.
func (t *Trial) Test(ctx context.Context, memory int) ([]TestOutcome, error) {
	return t.Snapshot.Test(ctx, engine.Limits{Memory: memory, Time: trialTime})
}

// Test runs the tests of the .plt files among those loaded, and the examples of info/2. Each is run within limits, all
// tests together within ten times that time, and nothing that they change stays. A Time of 0: no limit. The error says
// why not all could be run.
func (s *Snapshot) Test(ctx context.Context, each engine.Limits) ([]TestOutcome, error) {
	var list []TestOutcome
	if slices.ContainsFunc(s.Files, func(file string) bool { return path.Ext(file) == ".plt" }) {
		goal, all := "plunit:test_result(all, R)", each
		if all.Time *= 10; each.Time > 0 {
			goal = fmt.Sprintf("plunit:set_test_options([timeout(%g)]), %s", each.Time.Seconds(), goal)
		}
		o := &engine.RunOptions{Transaction: true, Limits: all}
		for solution, err := range s.Program.Query(ctx, goal, o) {
			if err != nil {
				return nil, err
			}
			if c, ok := solution.Get("R").(*term.Compound); ok && len(c.Args) == 6 {
				list = append(list, testOutcome(c.Args))
			}
		}
	}
	for _, e := range s.Examples() {
		one := TestOutcome{Name: e.Predicate + ": " + e.Title, File: e.Place.File, Line: e.Place.Line}
		o := &engine.RunOptions{Module: e.Module, Transaction: true, Limits: each}
		r, err := inner.Of(s.Program).StartTerm(e.Test, nil, o)
		if err != nil {
			return nil, err
		}
		state, err := r.Next(ctx)
		r.Close()
		// A goal that asks the user of a client has nobody to ask here.
		one.Passed = err == nil && (state == engine.Answer || state == engine.Waiting)
		one.Answers = s.answers(ctx, e, o)
		if !one.Passed {
			p := s.Program
			one.Message = fmt.Sprintf("%s should give %s, and gives %s", p.FormatTerm(e.Module, e.Goal),
				p.FormatTerm(e.Module, e.Wanted), answersText(one.Answers))
		}
		list = append(list, one)
	}
	return list, nil
}

// answersText words the answers of an example, the first three.
func answersText(answers []string) string {
	const most = 3
	switch {
	case len(answers) == 0:
		return "no answer"
	case len(answers) > most:
		answers = append(slices.Clone(answers[:most]), "...")
	}
	return strings.Join(answers, ", ")
}

// answers are those of the goal of an example as instances of it. What ends it otherwise stands at the end.
func (s *Snapshot) answers(ctx context.Context, e Example, o *engine.RunOptions) (list []string) {
	instance := &term.Var{Name: "Goal", ID: -1}
	goal := term.New(",", e.Goal, term.New("=", instance, e.Goal))
	r, err := inner.Of(s.Program).StartTerm(goal, []*term.Var{instance}, o)
	if err != nil {
		return []string{err.Error()}
	}
	defer r.Close()
	for len(list) < mostAnswers {
		state, err := r.Next(ctx)
		if err != nil {
			return append(list, err.Error())
		}
		if state != engine.Answer {
			break
		}
		list = append(list, inner.Of(s.Program).FormatNumbered(r.Solution().Values()[0]))
	}
	return list
}

// testOutcome reads a result of library(plunit): unit, name, generated values, file, line and how it ended.
func testOutcome(args []engine.Term) TestOutcome {
	line, _ := args[4].(term.Int)
	name, _, _ := term.Indicator(args[5])
	one := TestOutcome{Name: inner.Plain(args[0]) + ": " + inner.Plain(args[1]), File: inner.Plain(args[3]),
		Line: int(line), Passed: name != "failed"}
	if c, ok := args[5].(*term.Compound); ok && !one.Passed {
		for _, arg := range c.Args {
			if text := inner.Plain(arg); text != "" {
				one.Message = strings.TrimPrefix(one.Message+"; "+text, "; ")
			}
		}
	}
	return one
}

// savedMark is the first line of a file that a model has saved.
const savedMark = source.RestrictedMark + ": a model has saved this file; take this line away to trust what it says\n"

// ErrChanged is the error of a save of a text that is not of the file as it is.
var ErrChanged = errors.New("the file is not what it was")

// Read returns the text of a file of a folder that is not hidden, and its hash.
func Read(dir, name string) (text, hash string, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", "", err
	}
	defer root.Close()
	if !filepath.IsLocal(name) || isHidden(name) {
		return "", "", fs.ErrNotExist
	}
	f, err := openRegular(rootFS{root}, name)
	if err != nil {
		return "", "", reason(err)
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if !utf8.Valid(data) {
		return "", "", errors.New("it is not UTF-8")
	}
	sum := sha256.Sum256(data)
	return string(data), hex.EncodeToString(sum[:8]), err
}

// File is a file of a folder.
type File struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
}

// FolderFiles lists the files of a folder that are not hidden, in the order of their names, maxTrialFiles at most.
func FolderFiles(dir string) (list []File, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != "." && folder.Hidden(d.Name()):
			if d.IsDir() {
				return fs.SkipDir
			}
		case len(list) == maxTrialFiles:
			return fs.SkipAll
		case d.Type().IsRegular():
			info, err := d.Info()
			if err != nil {
				return err
			}
			list = append(list, File{name, info.Size()})
		}
		return nil
	})
	return list, err
}

// Author is who saves files.
type Author struct {
	// Name is for people, "" for one that is not known.
	Name string
	// Owner says that the rules are to have the rights of others. The first line of any other file of rules says that it
	// is restricted.
	Owner bool
}

// Saved is an entry of the history of a folder.
type Saved struct {
	Time time.Time `json:"time"`
	By   string    `json:"by,omitempty"`
	File string    `json:"file"`
	Was  string    `json:"was,omitempty"` // the hash of the text before, "" for none
	Hash string    `json:"hash"`
}

// historyName is a hidden file of a folder with a line of JSON for each save.
const historyName = ".saves.jsonl"

// History returns the last saves of a file of a folder, "" for those of all files, the newest first, most at most.
func History(dir, file string, most int) (list []Saved) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	f, err := openRegular(rootFS{root}, historyName)
	if err != nil {
		return nil // nothing was saved yet
	}
	defer f.Close()
	data, _ := io.ReadAll(f) // what can be read
	for line := range bytes.Lines(data) {
		var one Saved
		if json.Unmarshal(line, &one) == nil && (file == "" || one.File == file) {
			list = append(list, one)
		}
	}
	slices.Reverse(list)
	return list[:min(len(list), most)]
}

// versionsName is a hidden folder of a folder with the texts before and after the last saves, by their hashes.
// mostVersions bounds what they take together, in bytes; those of the last save always stay.
const (
	versionsName = ".versions"
	mostVersions = 64 << 20
)

// Version returns the text of a hash that the history has. The error is [fs.ErrNotExist] if it was too long ago.
func Version(dir, hash string) (string, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	if _, err := hex.DecodeString(hash); err != nil || hash == "" {
		return "", fs.ErrNotExist
	}
	data, err := root.ReadFile(versionsName + "/" + hash)
	return string(data), err
}

// keepVersions keeps texts by their hashes, and drops the oldest ones that are too much.
func keepVersions(root *os.Root, texts map[string]string) error {
	if err := root.Mkdir(versionsName, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	for hash, text := range texts {
		if err := writeWithin(root, versionsName+"/"+hash, []byte(text)); err != nil {
			return err
		}
	}
	folder, err := root.Open(versionsName)
	if err != nil {
		return err
	}
	defer folder.Close()
	entries, err := folder.Readdir(-1)
	slices.SortFunc(entries, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	size := int64(0)
	for _, e := range entries {
		if _, own := texts[e.Name()]; own {
			size += e.Size()
		} else if size += e.Size(); size > mostVersions {
			err = errors.Join(err, root.Remove(versionsName+"/"+e.Name()))
		}
	}
	return err
}

// Save writes a text to a file of a folder, all or nothing. hash is that of the text that the file has, "" when there
// is none, else the error is ErrChanged. The text before and the new one are kept for [Version]. The history says who
// has saved. Save returns the hash of the new text.
func Save(dir, name, text, hash string, by Author) (string, error) {
	if err := CheckName(name); err != nil {
		return "", err
	}
	old, now, err := Read(dir, name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if now != hash {
		return "", ErrChanged
	}
	if other := twin(dir, name); other != "" && hash == "" {
		return "", fmt.Errorf("%q and %q would be one file on some systems, which do not tell small letters from capitals",
			name, other)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	if isProlog(path.Ext(name)) && !source.IsRestricted(text) && !by.Owner {
		text = savedMark + text
	}
	if sub, _ := path.Split(name); sub != "" {
		if err := root.MkdirAll(path.Clean(sub), 0o777); err != nil {
			return "", err
		}
	}
	// A save that cannot be noted is not made.
	history, err := root.OpenFile(historyName, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return "", err
	}
	defer history.Close()
	sum := sha256.Sum256([]byte(text))
	texts := map[string]string{hex.EncodeToString(sum[:8]): text}
	if hash != "" {
		texts[hash] = old
	}
	if err := keepVersions(root, texts); err != nil {
		return "", err
	}
	if err := writeWithin(root, name, []byte(text)); err != nil {
		return "", err
	}
	was := hash
	if _, hash, err = Read(dir, name); err != nil {
		return hash, err
	}
	line, err := json.Marshal(Saved{time.Now().UTC().Truncate(time.Second), by.Name, name, was, hash})
	if err != nil {
		return hash, err
	}
	_, err = history.Write(append(line, '\n'))
	return hash, err
}

// twin returns a file of a folder whose name, or that of a folder it is in, is another one only by the case of letters.
func twin(dir, name string) string {
	files, _ := FolderFiles(dir)
	words := strings.Split(name, "/")
	for _, f := range files {
		for i, word := range strings.Split(f.Name, "/") {
			if i == len(words) || word != words[i] {
				if i < len(words) && strings.EqualFold(word, words[i]) {
					return f.Name
				}
				break
			}
		}
	}
	return ""
}

// writeWithin writes a file of a folder under another name first.
func writeWithin(root *os.Root, name string, data []byte) error {
	dir, base := path.Split(name)
	temporary := dir + "." + base + ".new"
	f, err := root.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = root.Rename(temporary, name)
	}
	if err != nil {
		_ = root.Remove(temporary)
	}
	return err
}

// Drafts loads a knowledge base again and again while its texts are being written. What one load has read the next one
// need not. Load is for one goroutine, Alone for one other.
type Drafts struct {
	paths []string
	o     Options
	cache *host.LoadCache
	alone *host.LoadCache // of the text that was loaded alone
}

// NewDrafts returns the drafts of files and folders.
func NewDrafts(paths []string, o *Options) *Drafts {
	return &Drafts{paths: slices.Clone(paths), o: o.complete(), cache: new(host.LoadCache),
		alone: new(host.LoadCache)}
}

// Load loads the files, and texts instead of those on the disk, by their paths. Texts whose files are not there are
// loaded after them if they are .pl files below one of the folders, and tests (.plt) in any case. The snapshot is nil
// if there are errors among the diagnostics.
func (d *Drafts) Load(ctx context.Context, texts map[string]string) (*Snapshot, error) {
	l := newLoading(d.paths, &d.o, true)
	l.loadCache = d.cache
	left := map[string]string{} // by their canonical paths
	for path := range texts {
		left[d.o.canonical()(path)] = path
	}
	for i, s := range l.sources {
		if path, ok := left[d.o.canonical()(s.Name)]; ok {
			l.sources[i] = source.File{Name: s.Name, Text: texts[path]}
			delete(left, d.o.canonical()(s.Name))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(left)) {
		path := left[key]
		if ext := filepath.Ext(path); ext == ".plt" || ext == ".pl" && d.within(key) {
			l.sources = append(l.sources, source.File{Name: filepath.ToSlash(path), Text: texts[path]})
		}
	}
	if len(l.sources) > 0 { // a folder may be empty but for what is being written
		l.found.report = slices.DeleteFunc(l.found.report, func(one source.Diagnostic) bool { return one.Code == "path" })
	}
	snapshot, report := l.runUnder(ctx)
	if l.left {
		d.cache = new(host.LoadCache) // that of the load that does not end is still in use
	}
	if snapshot == nil {
		return nil, report
	}
	return snapshot, nil
}

// Rest is what is known of the rest of a knowledge base while one of its texts is loaded alone.
type Rest struct {
	// Before are texts that are loaded before it.
	Before []source.File
	// Stand returns the text that stands for that of a file which the text loads.
	Stand func(path string) (text string, ok bool)
	// Defines reports whether another text defines a predicate.
	Defines func(name string, arity int) bool
}

// Alone loads one text without the rest of its knowledge base, and returns the diagnostics of that text.
func (d *Drafts) Alone(ctx context.Context, text source.File, rest *Rest) source.Diagnostics {
	l := &loading{o: &d.o, began: time.Now(), names: map[string]*Tool{}, found: foundFiles{files: []string{text.Name}},
		sandbox: newSandbox(d.paths, &d.o), texts: map[string][]string{}, loadCache: d.alone, defines: rest.Defines}
	l.sandbox.stand = rest.Stand
	l.sources = append(slices.Clone(rest.Before), text)
	_, report := l.runUnder(ctx)
	if l.left {
		d.alone = new(host.LoadCache)
	}
	return slices.DeleteFunc(report, func(one source.Diagnostic) bool { return one.File != text.Name })
}

// within reports whether a file is below one of the folders.
func (d *Drafts) within(file string) bool {
	return slices.ContainsFunc(d.paths, func(path string) bool {
		return strings.HasPrefix(file, strings.TrimSuffix(d.o.canonical()(path), "/")+"/")
	})
}
