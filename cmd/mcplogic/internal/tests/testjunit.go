package tests

import (
	"encoding/xml"
	"fmt"
	"os"
	"strings"
)

// This file defines the report in the XML format of JUnit.

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

// junitSuite is one unit of tests. seconds is the sum of the times of its tests, and Time is its text.
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

// WriteJUnit writes the results to a file, as one suite for each unit, in the order in which the units ran. A file that
// is there is replaced. Without a name of a file nothing is written.
func WriteJUnit(file string, results []Result) error {
	if file == "" {
		return nil
	}
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
func junitOf(r *Result) junitCase {
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
