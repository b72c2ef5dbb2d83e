package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the result of one test and the counts of many.

// testResult says how one test ended. Its JSON form is a line of the output of --json. Want and Got are
// texts of terms; which tests have them is library(plunit)'s to say.
type testResult struct {
	Unit    string `json:"unit"`
	Test    string `json:"test"`
	Forall  string `json:"forall,omitempty"` // values of the variables of its generator
	File    string `json:"file"`
	Line    int    `json:"line"`
	Status  string `json:"status"` // passed, choice_point, failed, blocked or fixme
	Message string `json:"message,omitempty"`
	Want    string `json:"expected,omitempty"`
	Got     string `json:"got,omitempty"`
	Output  string `json:"output,omitempty"`
	// Why is the goal that made the test fail, with its values.
	Why     string  `json:"why,omitempty"`
	Seconds float64 `json:"seconds"`
	// Reference says, when the other interpreter was asked, what it found: agrees, disagrees,
	// or why it could not be asked.
	Reference string `json:"reference,omitempty"`
}

// judge reads the outcome that library(plunit) gives a test: an atom, or a term whose name is the status
// and whose arguments are a message and what was expected and found.
func (r *testResult) judge(outcome term.Term) {
	name, _, _ := term.Indicator(outcome)
	r.Status = string(name)
	c, ok := outcome.(*term.Compound)
	if !ok {
		return
	}
	r.Message = plain(c.Args[0])
	switch name {
	case "failed":
		r.Want, r.Got = plain(c.Args[1]), plain(c.Args[2])
	case "fixme":
		r.Got = plain(c.Args[1])
	}
}

// print prints a result for people, as a diagnostic at the place of the test. A test that passes is not
// worth a line, unless the other interpreter disagrees.
func (r *testResult) print(w io.Writer) {
	severity, text := engine.SeverityWarning, r.Message
	switch r.Status {
	case "passed":
		if !strings.HasPrefix(r.Reference, "disagrees") {
			return
		}
		text = "passed"
	case "failed":
		severity = engine.SeverityError
	case "choice_point":
		text = "succeeded with a choice point"
	case "blocked":
		text = "blocked: " + r.Message
	case "fixme":
		text = fmt.Sprintf("to be fixed: %s (%s)", r.Message, r.Got)
	}
	name := r.Unit + ":" + r.Test
	if r.Forall != "" {
		name += " with " + r.Forall
	}
	at := engine.Position{File: r.File, Place: engine.Place{Line: r.Line}}
	d := engine.Diagnostic{Position: at, Severity: severity, Message: fmt.Sprintf("test %s: %s", name, text)}
	printDiagnostics(w, engine.Diagnostics{d})
	if r.Status == "failed" && r.Want != "" {
		fmt.Fprintf(w, "    expected: %s\n    got:      %s\n", r.Want, r.Got)
	}
	if r.Why != "" {
		fmt.Fprintf(w, "    %s\n", r.Why)
	}
	if strings.HasPrefix(r.Reference, "disagrees") {
		fmt.Fprintf(w, "    ichiban/prolog %s\n", r.Reference)
	}
}

// testCounts counts the tests by how they ended. A test that passes and leaves a choice point has passed.
// One about which the interpreters disagree is counted as Disagreed too.
type testCounts struct {
	Passed    int `json:"passed"`
	Failed    int `json:"failed"`
	Blocked   int `json:"blocked"`
	Fixme     int `json:"fixme"`
	Disagreed int `json:"disagreed"`
}

// add counts one test.
func (c *testCounts) add(status string) {
	switch status {
	case "failed":
		c.Failed++
	case "blocked":
		c.Blocked++
	case "fixme":
		c.Fixme++
	default:
		c.Passed++
	}
}

// text returns the counts in words. Failures come first, and kinds of which there is none are left out.
func (c testCounts) text(second *secondOpinion) string {
	parts := []string{fmt.Sprintf("%d passed", c.Passed)}
	if c.Failed > 0 {
		parts = append([]string{fmt.Sprintf("%d failed", c.Failed)}, parts...)
	}
	if c.Blocked > 0 {
		parts = append(parts, fmt.Sprintf("%d blocked", c.Blocked))
	}
	if c.Fixme > 0 {
		parts = append(parts, fmt.Sprintf("%d to be fixed", c.Fixme))
	}
	if second != nil {
		parts = append(parts, fmt.Sprintf("ichiban/prolog agrees with %d, disagrees with %d, cannot say of %d",
			second.agreed, c.Disagreed, second.unable))
	}
	return strings.Join(parts, ", ")
}
