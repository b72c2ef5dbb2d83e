package main

import (
	"context"
	"encoding/xml"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines what mcplogic test says besides how tests ended: JUnit's format, and why a test failed.

// junitSuites is a report as JUnit and most CI systems have it.
type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
	seconds  float64
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	File    string        `xml:"file,attr"`
	Line    int           `xml:"line,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitFailure `xml:"failure,omitempty"`
	Skipped *junitSkipped `xml:"skipped,omitempty"`
	Output  string        `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

type junitSkipped struct {
	Message string `xml:"message,attr"`
}

// writeJUnit writes the results to a file.
func writeJUnit(file string, results []testResult) error {
	all := junitSuites{}
	byName := map[string]int{}
	total := 0.0
	for i := range results {
		r := &results[i]
		at, ok := byName[r.Unit]
		if !ok {
			at = len(all.Suites)
			byName[r.Unit] = at
			all.Suites = append(all.Suites, junitSuite{Name: xmlText(r.Unit)})
		}
		suite := &all.Suites[at]
		one := junitOf(r)
		suite.Cases = append(suite.Cases, one)
		suite.Tests++
		all.Tests++
		suite.seconds += r.Seconds
		total += r.Seconds
		if one.Failure != nil {
			suite.Failures++
			all.Failures++
		}
		if one.Skipped != nil {
			suite.Skipped++
			all.Skipped++
		}
	}
	for i := range all.Suites {
		all.Suites[i].Time = fmt.Sprintf("%.3f", all.Suites[i].seconds)
	}
	all.Time = fmt.Sprintf("%.3f", total)
	data, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append([]byte(xml.Header), append(data, '\n')...), 0o666)
}

func junitOf(r *testResult) junitCase {
	name := r.Test
	if r.Forall != "" {
		name += " with " + r.Forall
	}
	one := junitCase{Name: xmlText(name), Class: xmlText(r.Unit), File: r.File, Line: r.Line,
		Time: fmt.Sprintf("%.3f", r.Seconds), Output: xmlText(r.Output)}
	switch r.Status {
	case "failed":
		text := r.Message
		if r.Want != "" {
			text += "\nexpected: " + r.Want + "\ngot:      " + r.Got
		}
		if r.Why != "" {
			text += "\n" + r.Why
		}
		one.Failure = &junitFailure{xmlText(r.Message), xmlText(text)}
	case "blocked", "fixme":
		one.Skipped = &junitSkipped{xmlText(r.Message)}
	}
	return one
}

// xmlText returns a text without the characters that XML cannot hold.
func xmlText(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0xFFFE || r == 0xFFFF {
			return '\uFFFD'
		}
		return r
	}, text)
}

// testWhyTime bounds how long the reason of a failure is looked for.
const testWhyTime = time.Second

// why finds the goal that made a test fail that should have succeeded, with its values, "" if none is found.
func (t *testRun) why(ctx context.Context, res *testResult, args []engine.Term) string {
	if res.Status != "failed" || res.Message != "failed" || res.Forall != "" || len(args) != 6 {
		return ""
	}
	module, body := term.NewVar("M"), term.NewVar("B")
	unit := term.New("unit", args[0], module, term.NewVar("_"), term.NewVar("_"), term.NewVar("_"), term.NewVar("_"))
	goal := term.New(",", term.New(":", term.Atom("plunit"), unit),
		term.New(":", module, term.New("unit test", args[1], args[3], args[4], term.NewVar("_"), body)))
	values, state, err := t.first(ctx, goal, []*term.Var{module, body}, "user")
	if err != nil || state != engine.Answer {
		return ""
	}
	name, _ := values[0].(term.Atom)
	tested := values[1]
	if q, ok := term.Is(tested, ":", 2); ok {
		tested = q[1]
	}
	o := &engine.WhyOptions{Time: testWhyTime, Run: engine.RunOptions{Module: string(name), Memory: int(t.memory)}}
	if t.coverage.counted != nil {
		t.coverage.counted.Pause(true)
		defer t.coverage.counted.Pause(false)
	}
	misses, err := t.program.WhyNotTerm(ctx, &engine.Goal{Term: tested, Vars: term.Variables(tested)}, o)
	if err != nil || misses.Line == "" {
		return ""
	}
	line := misses.Line
	if _, reason, ok := strings.Cut(line, "): "); ok && strings.HasPrefix(line, "no answer for 'unit body'(") {
		line = reason // the body of the test has a name that says nothing
	}
	return line
}
