package tests

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/goals"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/settings"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/cases"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines how mcplogic test runs tests, examples of info/2 and cases.

// testRun holds the flags of mcplogic test and what it has found.
type testRun struct {
	// The flags. only chooses tests, as --run describes it. time and memory are limits of each test; junit is a file. A
	// time of 0 is no limit, and an only of "" chooses all tests and examples.
	sandbox   settings.Sandbox
	asJSON    bool
	reference bool
	only      string
	verbose   bool
	time      time.Duration
	memory    settings.Size
	junit     string
	watch     bool
	coverage  coverage

	// The subject of the test, and the result so far. second is nil without --reference.
	program *engine.Program
	session engine.Session // of the load and the tests
	errors  bool           // the files have errors
	output  host.Buffer    // of the goals, with --json
	second  *goals.SecondOpinion
	counts  Counts
	results []Result  // for JUnit
	last    string    // the test that has ended last, "" for none
	began   time.Time // of the test that runs
	// restricted says that the example that runs stands in a restricted file.
	restricted bool
	watched    *watched // nil without --watch

	stdout, stderr io.Writer
}

// runAll runs the tests and prints each result before the next test begins: results are the answers of one goal. With
// --json the output of a test is collected for its result; else it goes to standard output as it comes, and FreshLine
// ends a line that it has left open. The run as a whole has no limit of time: library(plunit) limits each test.
func (t *testRun) runAll(ctx context.Context) error {
	out := &cli.LineWriter{W: t.stdout}
	o := &engine.RunOptions{Limits: engine.Limits{Memory: int(t.memory)}, Output: out, Error: t.stderr,
		Session: &t.session}
	if t.asJSON {
		o.Output = &t.output
	}
	r, err := t.program.Start(t.goal(), o)
	if err != nil {
		return t.broken(ctx, err)
	}
	defer r.Close()
	ended := func() bool { return false }
	for {
		t.began = time.Now()
		found, err := goals.NextSolution(ctx, r)
		ended()
		if found {
			if begins, ok := term.Is(r.Solution().Get("R"), "begin", 2); ok {
				ended = t.begin(inner.Plain(begins[0]) + ":" + inner.Plain(begins[1]))
				continue
			}
		}
		out.FreshLine()
		if err != nil {
			return t.broken(ctx, err)
		}
		if !found {
			return nil
		}
		if err := t.report(ctx, r.Solution()); err != nil {
			return err
		}
	}
}

// begin tells that a test begins, if that is wanted, or when it has run for a second. Call ended when it has ended.
func (t *testRun) begin(name string) (ended func() bool) {
	if t.verbose {
		fmt.Fprintln(t.stderr, "test", name)
		return func() bool { return false }
	}
	return cli.Busy(t.stderr, "running test "+name)
}

// goal returns the goal whose answers are the results of the tests that the flags choose. It is a text, in which names
// are quoted where they need it, so that any name can be chosen.
func (t *testRun) goal() string {
	spec := "all"
	if strings.ContainsAny(t.only, "*?") {
		unit, test, both := strings.Cut(t.only, ":")
		if !both {
			test = "*"
		}
		spec = engine.FormatTerm(term.New("matching", term.Atom(unit), term.Atom(test)))
	} else if unit, test, both := strings.Cut(t.only, ":"); both {
		spec = engine.FormatTerm(term.New(":", term.Atom(unit), term.Atom(test)))
	} else if t.only != "" {
		spec = engine.FormatTerm(term.Atom(t.only))
	}
	options := "begin(true)"
	if t.time > 0 {
		options += fmt.Sprintf(", timeout(%g)", t.time.Seconds())
	}
	return fmt.Sprintf("plunit:set_test_options([%s]), plunit:test_result(%s, R)", options, spec)
}

// broken prints an error of the run as a whole that is no interruption, or that a test has halted. Each ends the
// command, since the tests behind it have not run. Results so far are printed already, and counts are not.
func (t *testRun) broken(ctx context.Context, err error) error {
	var halt *engine.Halt
	if errors.As(err, &halt) {
		fmt.Fprintf(t.stderr, "a test called halt(%d)\n", halt.Code)
	} else if ctx.Err() == nil {
		fmt.Fprintf(t.stderr, "error: %s%s\n", err, t.otherUnit(ctx, err))
	}
	return cli.Exit(cli.ExitNo)
}

// otherUnit proposes another unit if an error says that a unit does not exist.
func (t *testRun) otherUnit(ctx context.Context, err error) string {
	thrown, ok := errors.AsType[*engine.Exception](err)
	if !ok {
		return ""
	}
	missing, _ := term.Is(thrown.Formal(), "existence_error", 2)
	if missing == nil || missing[0] != term.Term(term.Atom("unit_test")) {
		return ""
	}
	return spell.Hint(inner.Plain(missing[1]), t.units(ctx))
}

// report prints the result that an answer holds, the term result(Unit, Test, Forall, File, Line, Outcome). With
// --reference it asks the other interpreter before that, unless the test was blocked or is to be fixed.
func (t *testRun) report(ctx context.Context, s engine.Solution) error {
	args := s.Get("R").(*term.Compound).Args
	line, _ := args[4].(term.Int)
	res := Result{Unit: inner.Plain(args[0]), Test: inner.Plain(args[1]), File: inner.Plain(args[3]), Line: int(line),
		Output: t.output.String(), Seconds: time.Since(t.began).Seconds()}
	// The next answer begins with no output, so each result has that of its own test.
	t.output.Reset()
	if args[2] != term.Term(term.Nil) {
		res.Forall = engine.FormatTerm(args[2])
	}
	res.judge(args[5])
	res.Why = t.why(ctx, &res, args)
	// The search for the reason runs the goal again, whose output is not shown.
	t.output.Reset()
	t.counts.Add(res.Status)
	t.note(res)
	if t.second != nil && (res.Status == "passed" || res.Status == "choice_point" || res.Status == "failed") {
		if res.Reference = t.second.About(ctx, args, res.Status != "failed"); strings.HasPrefix(res.Reference, "disagrees") {
			t.counts.Disagreed++
		}
	}
	if t.asJSON {
		return cli.PrintJSON(t.stdout, res)
	}
	res.Print(t.stdout)
	return nil
}

// note keeps a result for JUnit, and its name for an interruption. Results are kept to the end, because the counts come
// first in that format.
func (t *testRun) note(res Result) {
	t.last = res.Unit + ":" + res.Test
	if t.junit != "" {
		t.results = append(t.results, res)
	}
}

// testWhyTime bounds the search for the reason of one failure, so that many failures do not make a run much longer.
const testWhyTime = time.Second

// why returns the line that says which goal made a test fail, with its values; "" if none is found. Only tests that had
// no answer have such a goal: a wrong value, an exception or a surplus answer has its reason in the message. args are
// the arguments of result/6, as report has them. A test of a forall generator is left out, because the body alone does
// not have the values of the generator.
func (t *testRun) why(ctx context.Context, res *Result, args []engine.Term) string {
	if res.Status != "failed" || res.Message != "failed" || res.Forall != "" || len(args) != 6 {
		return ""
	}
	// library(plunit) keeps a unit as plunit:unit(Unit, Module, Context, Options, File, Line), and a test as 'unit
	// test'(Name, File, Line, Options, Body) in the module of the unit.
	module, body := term.NewVar("M"), term.NewVar("B")
	unit := term.New("unit", args[0], module, term.NewVar("_"), term.NewVar("_"), term.NewVar("_"), term.NewVar("_"))
	goal := term.New(",", term.New(":", term.Atom("plunit"), unit),
		term.New(":", module, term.New("unit test", args[1], args[3], args[4], term.NewVar("_"), body)))
	found, state, err := t.first(ctx, goal, []*term.Var{module, body}, "user")
	values := found.Values()
	if err != nil || state != engine.Answer {
		return ""
	}
	name, _ := values[0].(term.Atom)
	// The goal is explained in the module of the unit, so its qualification is dropped.
	tested := values[1]
	if q, ok := term.Is(tested, ":", 2); ok {
		tested = q[1]
	}
	// The search calls the predicates under test again. These calls are no coverage.
	o := &engine.WhyOptions{Limits: engine.Limits{Time: testWhyTime}, Run: engine.RunOptions{Module: string(name),
		Limits: engine.Limits{Memory: int(t.memory)}}}
	if t.coverage.counted != nil {
		t.coverage.counted.Pause(true)
		defer t.coverage.counted.Pause(false)
	}
	misses, err := inner.Of(t.program).WhyNotTerm(ctx, &source.Goal{Term: tested, Vars: term.Variables(tested)}, o)
	if err != nil || misses.Line == "" {
		return ""
	}
	line := misses.Line
	if _, reason, ok := strings.Cut(line, "): "); ok && strings.HasPrefix(line, "no answer for 'unit body'(") {
		line = reason // the body of the test has a name that says nothing
	}
	return line
}

// first runs a goal to its first answer, under the limits of a test. It runs in a transaction that is never committed,
// so that examples cannot see each other's changes. The solution is empty unless the state is Answer.
func (t *testRun) first(ctx context.Context, goal engine.Term, vars []*term.Var, module string) (s engine.Solution,
	state engine.State, err error) {
	o := &engine.RunOptions{Module: module, Transaction: true, Limits: engine.Limits{Time: t.time, Memory: int(t.memory)},
		Output: &t.output,
		Error:  t.stderr, Restricted: t.restricted}
	r, err := inner.Of(t.program).StartTerm(goal, vars, o)
	if err != nil {
		return s, 0, err
	}
	defer r.Close()
	if state, err = r.Next(ctx); err == nil && state == engine.Answer {
		s = r.Solution()
	}
	return s, state, err
}

// exampleUnit is the unit that examples belong to in results, and in --run.
const exampleUnit = "examples"

// runExamples runs the examples one after the other and prints their results. The output of their goals goes to the
// JSON alone: it belongs to the results of tools.
func (t *testRun) runExamples(ctx context.Context, examples []kb.Example) error {
	for _, e := range examples {
		res := Result{Unit: exampleUnit, Test: e.Predicate + ": " + e.Title, File: e.Place.File, Line: e.Place.Line}
		t.began, t.restricted = time.Now(), inner.Of(t.program).IsRestricted(e.Place.File)
		ended := t.begin(res.Unit + ":" + res.Test)
		t.tryExample(ctx, e, &res)
		ended()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := t.told(res); err != nil {
			return err
		}
	}
	return nil
}

// told counts and prints the result of a test that has just ended.
func (t *testRun) told(res Result) error {
	res.Seconds = time.Since(t.began).Seconds()
	res.Output = t.output.String()
	t.output.Reset()
	t.counts.Add(res.Status)
	t.note(res)
	if t.asJSON {
		return cli.PrintJSON(t.stdout, res)
	}
	res.Print(t.stdout)
	return nil
}

// tryExample fills in the result of one example. e.Test is the goal with the wanted bindings as a test, and has no
// answer when they do not come; e.Goal is the goal alone. A goal that asks the user of a client is blocked, because a
// test has no client.
func (t *testRun) tryExample(ctx context.Context, e kb.Example, res *Result) {
	found, state, err := t.first(ctx, e.Test, nil, e.Module)
	switch {
	case found.Undefined(): // told below
	case err == nil && state == engine.Answer:
		res.Status = "passed"
		return
	case err == nil && state == engine.Waiting:
		res.Status, res.Message = "blocked", "it asks the user of a client"
		return
	}
	// The test does not say what came instead, so the goal runs again for its first answer.
	res.Status, res.Message, res.Want = "failed", "the example is wrong", t.program.FormatTerm(e.Module, e.Wanted)
	vars := term.Variables(e.Goal)
	found, state, thrown := t.first(ctx, e.Goal, vars, e.Module)
	var exception *engine.Exception
	switch {
	case errors.As(thrown, &exception):
		res.Got = engine.FormatTerm(exception.Term)
	case thrown != nil:
		res.Got = thrown.Error()
	case state != engine.Answer:
		res.Got = "no solution"
	default:
		res.Got = valuesText(vars, found.Values())
		if found.Undefined() {
			res.Message, res.Got = "undefined: neither true nor false", res.Got+" (undefined)"
		}
	}
}

// valuesText is the values of variables as bindings, "true" when there are none.
func valuesText(vars []*term.Var, values []engine.Term) string {
	list := make([]string, len(vars))
	for i, v := range vars {
		list[i] = v.Name + " = " + engine.FormatTerm(values[i])
	}
	return cmp.Or(strings.Join(list, ", "), "true")
}

// runCases runs the cases beside the rules. Files that cannot be used are errors of the run.
func (t *testRun) runCases(ctx context.Context, list []*cases.Case, snapshot *kb.Snapshot) error {
	if len(list) == 0 {
		return nil
	}
	o := &bridge.Options{Limits: engine.Limits{Time: t.time, Memory: int(t.memory)}, Backtraces: true}
	if t.time == 0 {
		o.Time = settings.Unlimited
	}
	server := bridge.NewServer(snapshot, o)
	defer server.Close()
	for _, c := range list {
		ended := t.begin(caseUnit + ":" + c.Name)
		if err := t.told(CaseResult(cases.Run(ctx, server, c))); err != nil {
			return err
		}
		ended()
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}
