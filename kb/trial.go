package kb

import (
	"context"
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

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/rulefiles"
)

// This file defines trials: temporary copies of a folder, in which a text is tried out before it is saved. It also
// defines drafts: knowledge bases in which some texts come from an editor.

// Trial is a copy of the folder of a knowledge base with one file changed. Nothing that its goals do reaches the
// folder itself. It is for one goroutine.
type Trial struct {
	// Snapshot is the knowledge base, or nil if Report has errors.
	Snapshot *Snapshot
	// Report has the diagnostics. Their places are relative to the folder.
	Report source.Diagnostics

	dir string
}

// The bounds of the bytes of a trial's folder, and of the time of each goal of its texts or tests.
const (
	maxTrialBytes = 64 << 20
	trialTime     = 5 * time.Second
)

// Try loads a copy of a folder in which a file has the given text; if name is "", no file is changed. The goals of its
// texts see no environment and no other folder, whatever o allows. Close it after use.
func (o *Options) Try(ctx context.Context, of, name, text string) (*Trial, error) {
	if name != "" {
		if err := rulefiles.CheckName(name); err != nil {
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

// Close deletes the copy.
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

// FS returns the files of the copy.
func (t *Trial) FS() fs.FS { return os.DirFS(t.dir) }

// relative removes the folder of the copy from a text.
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
		if left -= n; left <= 0 || files == rulefiles.MaxFiles {
			return fmt.Errorf("the folder is too large for a trial; %d files and %d bytes are the most", rulefiles.MaxFiles,
				maxTrialBytes)
		}
		files++
		return err
	})
}

// copyWithin copies a regular file of a folder, up to a number of bytes.
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

// TestOutcome is the outcome of a test or of an example of info/2.
type TestOutcome struct {
	Name    string `json:"name"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Passed  bool   `json:"passed"`
	Message string `json:"message,omitempty"`
	// Answers are the answers to the goal of an example, up to mostAnswers.
	Answers []string `json:"answers,omitempty"`
	// Case says that the test is a stored call with its expected answer.
	Case bool `json:"case,omitempty"`
}

// mostAnswers bounds the collected answers of an example.
const mostAnswers = 20

// Test runs the tests and examples of a trial. It is an error if the trial has no snapshot.
func (t *Trial) Test(ctx context.Context, memory int) ([]TestOutcome, error) {
	if t.Snapshot == nil {
		return nil, errors.New("the trial has no snapshot")
	}
	return t.Snapshot.Test(ctx, engine.Limits{Memory: memory, Time: trialTime})
}

// Test runs the tests of the .plt files among those loaded, and the examples of info/2. Each test runs within the
// limits, and all tests together within ten times the Time. A Time of 0 means no limit. All changes are undone. The
// error says why not all tests could be run.
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
		// A goal that asks the user of a client gets no answer here.
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

// answersText returns the first three answers of an example as text.
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

// answers returns the answers to the goal of an example as instances of the goal. If an error ends the goal, the error
// is the last element.
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

// Drafts loads a knowledge base again and again while its texts are being written. It caches parsed files from one load
// to the next. One goroutine may call Load while another calls Alone.
type Drafts struct {
	paths []string
	o     Options
	cache *host.LoadCache
	alone *host.LoadCache // the cache of Alone
}

// Drafts returns the drafts of files and folders.
func (o *Options) Drafts(paths []string) *Drafts {
	return &Drafts{paths: slices.Clone(paths), o: o.complete(), cache: new(host.LoadCache),
		alone: new(host.LoadCache)}
}

// Load loads the files. The texts, by their paths, replace files on the disk, also when other files load them. A text
// without a file is loaded after the files if it is a .pl file below one of the folders, or a test (.plt). The snapshot
// is nil if there are errors among the diagnostics.
func (d *Drafts) Load(ctx context.Context, texts map[string]string) (*Snapshot, error) {
	l := newLoading(d.paths, &d.o, true)
	l.loadCache = d.cache
	left := map[string]string{} // by their canonical paths
	for path := range texts {
		left[d.o.canonical()(path)] = path
	}
	drafts := maps.Clone(left)
	l.sandbox.draft = func(path string) (string, bool) {
		draft, ok := drafts[d.o.canonical()(path)]
		return texts[draft], ok
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
	if len(l.sources) > 0 { // a folder may be empty except for the new texts
		l.found.report = slices.DeleteFunc(l.found.report, func(one source.Diagnostic) bool { return one.Code == "path" })
	}
	snapshot, report := l.runUnder(ctx)
	if l.left {
		d.cache = new(host.LoadCache) // the load that does not end still uses the old cache
	}
	if snapshot == nil {
		return nil, report
	}
	return snapshot, nil
}

// Rest describes the rest of a knowledge base while one of its texts is loaded alone.
type Rest struct {
	// Before are the texts that are loaded before the text.
	Before []source.File
	// Stand returns the text that replaces a file which the text loads. Draft returns the text of a file that is being
	// written.
	Stand, Draft func(path string) (text string, ok bool)
	// Defines reports whether another text defines a predicate.
	Defines func(name string, arity int) bool
}

// Alone loads one text without the rest of its knowledge base, and returns the diagnostics of that text.
func (d *Drafts) Alone(ctx context.Context, text source.File, rest *Rest) source.Diagnostics {
	l := loadingOf(d.paths, &d.o)
	l.found, l.loadCache, l.defines = foundFiles{files: []string{text.Name}}, d.alone, rest.Defines
	l.sandbox.stand, l.sandbox.draft = rest.Stand, rest.Draft
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
