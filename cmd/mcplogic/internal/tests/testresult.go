package tests

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/goals"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/cases"
	"github.com/mcplogic/mcplogic/internal/inner"
)

// This file defines the result of one test and the counts of many.

// Result says how one test ended. Its JSON form is a line of the output of --json. Want and Got are
// texts of terms; which tests have them is library(plunit)'s to say.
type Result struct {
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
func (r *Result) judge(outcome term.Term) {
	name, _, _ := term.Indicator(outcome)
	r.Status = string(name)
	c, ok := outcome.(*term.Compound)
	if !ok {
		return
	}
	r.Message = inner.Plain(c.Args[0])
	switch name {
	case "failed":
		r.Want, r.Got = inner.Plain(c.Args[1]), inner.Plain(c.Args[2])
	case "fixme":
		r.Got = inner.Plain(c.Args[1])
	}
}

// Print prints a result for people, as a diagnostic at the place of the test. A test that passes is not
// worth a line, unless the other interpreter disagrees.
func (r *Result) Print(w io.Writer) {
	severity, text := source.SeverityWarning, r.Message
	switch r.Status {
	case "passed":
		if !strings.HasPrefix(r.Reference, "disagrees") {
			return
		}
		text = "passed"
	case "failed":
		severity = source.SeverityError
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
	at := source.Position{File: r.File, Place: source.Place{Line: r.Line}}
	d := source.Diagnostic{Position: at, Severity: severity, Message: fmt.Sprintf("test %s: %s", name, text)}
	cli.PrintDiagnostics(w, source.Diagnostics{d})
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

// Counts counts the tests by how they ended. A test that passes and leaves a choice point has passed.
// One about which the interpreters disagree is counted as Disagreed too.
type Counts struct {
	Passed    int `json:"passed"`
	Failed    int `json:"failed"`
	Blocked   int `json:"blocked"`
	Fixme     int `json:"fixme"`
	Disagreed int `json:"disagreed"`
}

// Add counts one test.
func (c *Counts) Add(status string) {
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

// Text returns the counts in words. Failures come first, and counts of zero are left out.
func (c Counts) Text(second *goals.SecondOpinion) string {
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
			second.Agreed, c.Disagreed, second.Unable))
	}
	return strings.Join(parts, ", ")
}

// caseUnit is the unit that cases belong to in results, and in test --run.
const caseUnit = "cases"

// CaseResult is the outcome of a case as that of a test.
func CaseResult(o *cases.Outcome) Result {
	at := o.Case.Place("expected")
	if o.Case.Error != "" {
		at = o.Case.Place("error")
	}
	res := Result{Unit: caseUnit, Test: o.Name, File: at.File, Line: at.Line, Status: "passed"}
	if !o.Passed {
		res.Status, res.Message, res.Why = "failed", o.Message(), strings.ReplaceAll(strings.TrimSpace(o.Why), "\n", "\n    ")
		res.Want, res.Got = Compact(o.Expected), Compact(o.Got)
	}
	return res
}

// Compact is JSON on one line.
func Compact(raw []byte) string {
	var b bytes.Buffer
	_ = json.Compact(&b, raw) // what was read is JSON, and nothing is none
	return b.String()
}
