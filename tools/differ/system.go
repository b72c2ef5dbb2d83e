package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// This file defines the systems, how each is started, and what it cannot be asked.

// A system is a Prolog that answers the goals of a file, one after the other.
type system struct {
	name string
	// command answers the questions of a file from a given number on. The file holds a line
	// for each, as encode wrote it.
	command func(file string, first int) *exec.Cmd
	encode  func(n int, q question) string
	// read takes the answers from what the command prints.
	read func(*pipe) error
	// alone answers a question about files, whose folder is given. nil: the command does so.
	alone func(ctx context.Context, folder string, q question) (answer, error)
	// unfit says why a question makes no sense there; "" when it does.
	unfit func(question) string
}

//go:embed prelude/swipl.pl
var swiplPrelude string

//go:embed prelude/gprolog.pl
var gprologPrelude string

//go:embed prelude/common.pl
var commonPrelude string

// findSystems builds ours into dir and looks for the others on the PATH. Ours is the first.
func findSystems(ctx context.Context, dir string, opts options) ([]system, error) {
	binary := filepath.Join(dir, "mcplogic")
	build := exec.CommandContext(ctx, "go", "build", "-o", binary, "github.com/mcplogic/mcplogic/cmd/mcplogic")
	if text, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building mcplogic: %w\n%s", err, text)
	}
	limit := "--timeout=" + opts.timeout.String()
	all := []system{
		batch("mcplogic", binary, limit, "--max-memory=256MiB", "--max-inferences=50000000"),
		batch("ichiban", binary, limit, "--reference"),
	}
	never, err := secondOpinions(opts.testdata)
	if err != nil {
		return nil, err
	}
	all[1].unfit = func(q question) string {
		if slices.ContainsFunc(never, func(o secondOpinion) bool { return o.Never && o.Goal == q.Goal }) {
			return "ends the process"
		}
		return unfitForIchiban(q)
	}
	for name, prepare := range map[string]func(context.Context, string) (system, error){"swipl": swipl, "gplc": gprolog} {
		if _, err := exec.LookPath(name); err != nil {
			continue
		}
		s, err := prepare(ctx, dir)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	slices.SortFunc(all[1:], func(a, b system) int { return strings.Compare(b.name, a.name) })
	return chosen(all, opts.systems)
}

// chosen keeps ours and the systems of a list, all when it is empty.
func chosen(all []system, list string) ([]system, error) {
	if list == "" {
		return all, nil
	}
	names := strings.Split(list, ",")
	some := slices.DeleteFunc(all[1:], func(s system) bool { return !slices.Contains(names, s.name) })
	for _, name := range names {
		known := func(s system) bool { return s.name == name }
		if name != all[0].name && !slices.ContainsFunc(some, known) {
			return nil, fmt.Errorf("no system is named %q", name)
		}
	}
	return all[:1+len(some)], nil
}

// batch is a system asked through mcplogic query --batch. The lines of its output have all that differ needs.
func batch(name, binary string, flags ...string) system {
	return system{
		name: name,
		command: func(file string, first int) *exec.Cmd {
			args := append([]string{"query", "--json", "--batch", file}, flags...)
			return exec.Command(binary, args...)
		},
		encode: encodeJSON,
		read:   (*pipe).readJSON,
		alone: func(ctx context.Context, folder string, q question) (answer, error) {
			return askAlone(ctx, binary, folder, q, flags...)
		},
		unfit: func(question) string { return "" },
	}
}

// askAlone asks a question about files by a process of its own: goals of a batch reach no files.
func askAlone(ctx context.Context, binary, folder string, q question, flags ...string) (answer, error) {
	args := []string{"query", "--json", "--allow-read=.", "--allow-write=.", "--limit=" + strconv.Itoa(q.max())}
	args = append(args, flags...)
	if q.Texts != nil {
		args = append(args, "main.pl")
	}
	cmd := exec.CommandContext(ctx, binary, append(args, q.Goal)...)
	cmd.Dir = folder
	out, _ := cmd.Output() // a goal that throws ends it with an exit code
	var a answer
	for line := range strings.Lines(string(out)) {
		var one struct {
			Solution map[string]string `json:"solution"`
			answer
		}
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			return a, fmt.Errorf("%s: unexpected line %q", q.Goal, line)
		}
		if one.Solution == nil {
			a.Status, a.Error, a.Output = one.Status, one.Error, one.Output
			continue
		}
		a.Solutions = append(a.Solutions, one.Solution)
	}
	return a.formal("").apart().neutral(), nil
}

func swipl(_ context.Context, dir string) (system, error) {
	prelude := filepath.Join(dir, "swipl.pl")
	return system{
		name: "swipl",
		command: func(file string, first int) *exec.Cmd {
			return exec.Command("swipl", "-q", "-f", "none", "--stack-limit=256m", "-g", "differ:main", prelude, "--", file,
				strconv.Itoa(first))
		},
		encode: encodeTerm,
		read:   (*pipe).readMarked,
		unfit:  func(q question) string { return "" },
	}, os.WriteFile(prelude, []byte(swiplPrelude+commonPrelude), 0o644)
}

// gprolog is compiled, since its top level prints more than answers.
func gprolog(ctx context.Context, dir string) (system, error) {
	prelude, binary := filepath.Join(dir, "gprolog.pl"), filepath.Join(dir, "gprolog")
	if err := os.WriteFile(prelude, []byte(gprologPrelude+commonPrelude), 0o644); err != nil {
		return system{}, err
	}
	build := exec.CommandContext(ctx, "gplc", "--no-top-level", "-o", binary, prelude)
	build.Dir = dir
	if text, err := build.CombinedOutput(); err != nil {
		return system{}, fmt.Errorf("gplc: %w\n%s", err, text)
	}
	return system{
		name:    "gprolog",
		command: func(file string, first int) *exec.Cmd { return exec.Command(binary, file, strconv.Itoa(first)) },
		encode:  encodeTerm,
		read:    (*pipe).readMarked,
		unfit:   unfitForGprolog,
	}, nil
}

// common are areas that are not of the dialect of SWI-Prolog alone.
var common = regexp.MustCompile(`^lang/(arith|arithfunc|atoms|construct|control|database|` +
	`dcg|errors|exceptions|lists|readwrite|solutions|streams|terms|text|types)$|` +
	`^(random|differential)/(s[^w]|[^s])|^$`)

// quoted are texts whose type is another outside of the dialect of SWI-Prolog: strings.
var quoted = regexp.MustCompile("[\"`]")

// cyclic are unifications that may make a cyclic term, at which both systems may recurse until
// their process ends.
var cyclic = regexp.MustCompile(`\b([A-Z_]\w*) ?= ?([^, ]*[(\[+][^=]*)`)

func unfitForISO(q question) string {
	for _, m := range cyclic.FindAllStringSubmatch(q.Goal, -1) {
		if regexp.MustCompile(`\b` + m[1] + `\b`).MatchString(m[2]) {
			return "cyclic terms"
		}
	}
	switch text := q.Setup + q.Goal; {
	case !common.MatchString(q.Area):
		return "another dialect"
	case quoted.MatchString(text):
		return "strings"
	}
	return ""
}

// foreign are areas of the language tests that ichiban/prolog does not know.
var foreign = regexp.MustCompile(`^lang/(modules|anymodule|tabling|clpfd|json|time|flags|format|determinism|` +
	`blockoperators)$`)

// unfitForIchiban: of the language tests it is asked what it can be asked, since it says itself what it
// lacks.
func unfitForIchiban(q question) string {
	switch {
	case !strings.HasPrefix(q.Area, "lang/"):
		return unfitForISO(q)
	case foreign.MatchString(q.Area):
		return "another dialect"
	case quoted.MatchString(q.Setup + q.Goal):
		return "strings"
	}
	return ""
}

// unfitForGprolog: it reads bytes, not Unicode.
func unfitForGprolog(q question) string {
	for _, r := range q.Setup + q.Goal {
		if r > '~' {
			return "Unicode"
		}
	}
	return unfitForISO(q)
}
