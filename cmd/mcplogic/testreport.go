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

// junitSuites is the root of a report in the XML format of JUnit. The format has no standard; the elements and
// attributes here are those that CI systems agree on. Times are seconds as decimal fractions.
type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

// junitSuite is one unit of tests. seconds adds up the times of its tests, of which Time is the text.
type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
	seconds  float64
}

// junitCase is one test. A case without Failure and Skipped has passed. CI systems identify a test by Class and Name
// together, so the class is the unit.
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

// junitFailure says why a test failed. Message is one line for lists of tests, Text the details.
type junitFailure struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// junitSkipped marks a test that was not run, or whose failure is known. Such a test fails no build.
type junitSkipped struct {
	Message string `xml:"message,attr"`
}

// writeJUnit writes the results to a file, as one suite for each unit, in the order in which the units ran. A file that
// is there is replaced.
func writeJUnit(file string, results []testResult) error {
	all := junitSuites{}
	byName := map[string]int{}
	total := 0.0
	for i := range results {
		r := &results[i]
		// Tests of one unit may come apart in the results. byName has the index of the suite, because append moves the
		// suites.
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
	// The counts of the root are sums: readers do not add up the suites themselves.
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

// junitOf converts one result. A test with forall(Generator) has several results, whose names tell the values of the
// generator apart. A choice point that a test leaves is a pass: JUnit has no warnings.
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

// xmlText returns a text in which U+FFFD stands for each character that XML 1.0 cannot hold, not even as a reference
// (2.2, Char): control characters, U+FFFE and U+FFFF. Output of tests may have any. Tab and newline stay; a carriage
// return is replaced, too.
func xmlText(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0xFFFE || r == 0xFFFF {
			return '\uFFFD'
		}
		return r
	}, text)
}

// testWhyTime bounds the search for the reason of one failure, so that many failures do not make a run much longer.
const testWhyTime = time.Second

// why returns the line that says which goal made a test fail, with its values; "" if none is found. Only tests that had
// no answer have such a goal: a wrong value, an exception or a surplus answer has its reason in the message. args are
// the arguments of result/6, as report has them. A test of a forall generator is left out, because the body alone does
// not have the values of the generator.
func (t *testRun) why(ctx context.Context, res *testResult, args []engine.Term) string {
	if res.Status != "failed" || res.Message != "failed" || res.Forall != "" || len(args) != 6 {
		return ""
	}
	// library(plunit) keeps a unit as plunit:unit(Unit, Module, Context, Options, File, Line), and a test as 'unit
	// test'(Name, File, Line, Options, Body) in the module of the unit.
	module, body := term.NewVar("M"), term.NewVar("B")
	unit := term.New("unit", args[0], module, term.NewVar("_"), term.NewVar("_"), term.NewVar("_"), term.NewVar("_"))
	goal := term.New(",", term.New(":", term.Atom("plunit"), unit),
		term.New(":", module, term.New("unit test", args[1], args[3], args[4], term.NewVar("_"), body)))
	values, state, err := t.first(ctx, goal, []*term.Var{module, body}, "user")
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
