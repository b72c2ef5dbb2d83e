package main

import (
	"context"
	"strings"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/reference"
)

// This file defines mcplogic test --reference: the same tests, run elsewhere.

// secondOpinion runs tests on another interpreter, to tell a wrong program from a wrong engine. Each test
// there begins with the program as it was loaded.
type secondOpinion struct {
	program *engine.Program
	text    string // the clauses that are no tests
	// agreed and unable count tests. Disagreements are counted in testCounts, as they make the command fail.
	agreed, unable int
}

// prelude are predicates that tests use and ISO Prolog lacks.
const prelude = `
memberchk(X, List) :- member(X, List), !.
assertion(Goal) :- \+ \+ Goal, !.
assertion(Goal) :- throw(assertion_failed(Goal)).
forall(Condition, Action) :- \+ ( Condition, \+ Action ).
`

// newSecondOpinion prepares the questions of a program. The clauses come from library(plunit), which leaves
// the tests out.
func newSecondOpinion(ctx context.Context, program *engine.Program) (*secondOpinion, error) {
	var text strings.Builder
	text.WriteString(prelude)
	for clause, err := range program.Query(ctx, "plunit:portable_clause(Clause)", nil) {
		if err != nil {
			return nil, err
		}
		text.WriteString(plain(clause.Get("Clause")) + ".\n")
	}
	return &secondOpinion{program: program, text: text.String()}, nil
}

// about compares the result of a test with what the other interpreter says, and counts it. The result is
// the term result/6 of library(plunit).
func (s *secondOpinion) about(ctx context.Context, result []term.Term, passed bool) string {
	said := s.ask(ctx, result)
	switch {
	case strings.HasPrefix(said, "cannot say"):
		s.unable++
		return said
	case (said == "true") == passed:
		s.agreed++
		return "agrees"
	case said == "true":
		return "disagrees: the test passes there"
	}
	return "disagrees: the test fails there: " + said
}

// ask runs a test on the other interpreter. It returns "true" for a test that passes, a text that begins with "cannot
// say" when nothing follows from the answer, and else the answer itself.
func (s *secondOpinion) ask(ctx context.Context, result []term.Term) string {
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
func (s *secondOpinion) goal(ctx context.Context, result []term.Term) (string, error) {
	goal := term.NewVar("Goal")
	question := term.New(":", term.Atom("plunit"), term.New("portable_test", result[0], result[1], result[4], result[2],
		goal))
	r, err := s.program.StartTerm(question, []*term.Var{goal}, nil)
	if err != nil {
		return "", err
	}
	defer r.Close()
	if found, err := nextSolution(ctx, r); err != nil || !found {
		return "", engine.ErrNoSolution
	}
	return plain(r.Solution().Get("Goal")), nil
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
