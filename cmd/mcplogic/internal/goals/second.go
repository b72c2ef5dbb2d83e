package goals

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/reference"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines mcplogic query --reference: the same questions, asked elsewhere. It also defines mcplogic test
// --reference: the same tests, run elsewhere.

// askReference prints the answers of the other interpreter. It loads the files as one text, without the declarations of
// a knowledge base, which it does not know.
func (q *query) askReference(ctx context.Context, paths []string, goal string) error {
	sources, err := new(kb.Options).Sources(paths)
	if err != nil {
		return q.notFound(err)
	}
	answer := q.second(ctx, sources, goal, q.limit)
	if q.asJSON {
		return q.printSecond(answer)
	}
	return q.showSecond(answer)
}

// notFound prints why paths lead to no files.
func (q *query) notFound(err error) error {
	report := (*kb.Snapshot)(nil).Report(err)
	cli.PrintDiagnostics(q.stderr, report)
	return cli.NotLoaded(report)
}

// second runs a goal on the other interpreter, under the same limits of time and memory. It counts no
// inferences, so --max-inferences has no effect on it. The memory is that of the whole process, because the
// interpreter does not count its own.
func (q *query) second(ctx context.Context, sources []source.File, goal string, limit int) reference.Result {
	var program strings.Builder
	for _, s := range sources {
		program.WriteString(s.Text + "\n")
	}
	return q.secondLimits().Run(ctx, program.String(), goal, limit)
}

// secondLimits returns the limits of the other interpreter. A time of 0 is no limit here, where package reference takes
// it for its default.
func (q *query) secondLimits() reference.Limits {
	l := reference.Limits{Time: q.limits.Time, Memory: int64(q.limits.Memory)}
	if l.Time == 0 {
		l.Time = math.MaxInt64
	}
	return l
}

// printSecond prints lines of JSON as printLines does, so that the output of the two engines can be
// compared line by line.
func (q *query) printSecond(answer reference.Result) error {
	for _, bindings := range answer.Solutions {
		if err := cli.PrintJSON(q.stdout, map[string]any{"solution": bindings}); err != nil {
			return err
		}
	}
	result := queryResult{Status: answer.Status, Error: answer.Error, Output: answer.Output}
	if err := cli.PrintJSON(q.stdout, result); err != nil {
		return err
	}
	return exitFor(answer.Status)
}

// showSecond prints solutions for people, all at once. The interpreter is asked for all of them before any
// is printed. An error goes to standard error, after the solutions before it.
func (q *query) showSecond(answer reference.Result) error {
	out := &cli.LineWriter{W: q.stdout}
	_, _ = io.WriteString(out, answer.Output)
	out.FreshLine()
	for i, bindings := range answer.Solutions {
		end := " ;"
		if i == len(answer.Solutions)-1 && answer.Status == "true" {
			end = "."
		}
		fmt.Fprintln(q.stdout, bindingText(bindings)+end)
	}
	switch answer.Status {
	case "true":
	case "false":
		fmt.Fprintln(q.stdout, "false.")
	default:
		fmt.Fprintf(q.stderr, "error: %s\n", answer.Error)
	}
	return exitFor(answer.Status)
}

// exitFor returns the exit code for a status of the other interpreter. That interpreter does not tell a
// goal that cannot be read from one that throws, so both have one code.
func exitFor(status string) error {
	switch status {
	case "true":
		return nil
	case "false":
		return cli.Exit(cli.ExitNo)
	case "limit":
		return cli.Exit(cli.ExitLimit)
	}
	return cli.Exit(cli.ExitThrew)
}

// bindingText is X = a, Y = b on lines of their own, sorted by name; true for none.
func bindingText(bindings map[string]string) string {
	var lines []string
	for _, name := range cli.SortedKeys(bindings) {
		lines = append(lines, name+" = "+bindings[name])
	}
	if len(lines) == 0 {
		return "true"
	}
	return strings.Join(lines, ",\n")
}

// SecondOpinion runs tests on another interpreter, to tell a wrong program from a wrong engine. Each test
// there begins with the program as it was loaded.
type SecondOpinion struct {
	program *engine.Program
	text    string // the clauses that are no tests
	// Agreed and unable count tests. Disagreements are counted in testCounts, as they make the command fail.
	Agreed, Unable int
}

// prelude are predicates that tests use and ISO Prolog lacks.
const prelude = `
memberchk(X, List) :- member(X, List), !.
assertion(Goal) :- \+ \+ Goal, !.
assertion(Goal) :- throw(assertion_failed(Goal)).
forall(Condition, Action) :- \+ ( Condition, \+ Action ).
`

// NewSecondOpinion prepares the questions of a program. The clauses come from library(plunit), which leaves
// the tests out.
func NewSecondOpinion(ctx context.Context, program *engine.Program) (*SecondOpinion, error) {
	var text strings.Builder
	text.WriteString(prelude)
	for clause, err := range program.Query(ctx, "plunit:portable_clause(Clause)", nil) {
		if err != nil {
			return nil, err
		}
		text.WriteString(inner.Plain(clause.Get("Clause")) + ".\n")
	}
	return &SecondOpinion{program: program, text: text.String()}, nil
}

// About compares the result of a test with what the other interpreter says, and counts it. The result is
// the term result/6 of library(plunit).
func (s *SecondOpinion) About(ctx context.Context, result []term.Term, passed bool) string {
	said := s.ask(ctx, result)
	switch {
	case strings.HasPrefix(said, "cannot say"):
		s.Unable++
		return said
	case (said == "true") == passed:
		s.Agreed++
		return "agrees"
	case said == "true":
		return "disagrees: the test passes there"
	}
	return "disagrees: the test fails there: " + said
}

// ask runs a test on the other interpreter. It returns "true" for a test that passes, a text that begins with "cannot
// say" when nothing follows from the answer, and else the answer itself.
func (s *SecondOpinion) ask(ctx context.Context, result []term.Term) string {
	goal, err := s.goal(ctx, result)
	if err != nil {
		return "cannot say: the test is not ISO Prolog"
	}
	answer := reference.Run(ctx, s.text, goal, 1)
	switch {
	case answer.Status == "limit":
		return "cannot say: it took too long there"
	case answer.Status == "error" && cannotJudge(answer.Error):
		return "cannot say: " + answer.Error
	case answer.Status == "error":
		return answer.Error
	}
	return answer.Status
}

// goal returns a test as a goal that needs no library(plunit).
func (s *SecondOpinion) goal(ctx context.Context, result []term.Term) (string, error) {
	goal := term.NewVar("Goal")
	question := term.New(":", term.Atom("plunit"), term.New("portable_test", result[0], result[1], result[4], result[2],
		goal))
	r, err := inner.Of(s.program).StartTerm(question, []*term.Var{goal}, nil)
	if err != nil {
		return "", err
	}
	defer r.Close()
	if found, err := NextSolution(ctx, r); err != nil || !found {
		return "", engine.ErrNoSolution
	}
	return inner.Plain(r.Solution().Get("Goal")), nil
}

// cannotJudge reports whether an error says that the other interpreter lacks something. Such an error tells
// nothing about the test. The texts are parts of the errors that it gives.
func cannotJudge(formal string) bool {
	for _, lack := range []string{"existence_error(procedure", "syntax_error", "type_error(evaluable", "unexpected",
		"load", "domain_error(stream"} {
		if strings.Contains(formal, lack) {
			return true
		}
	}
	return false
}
