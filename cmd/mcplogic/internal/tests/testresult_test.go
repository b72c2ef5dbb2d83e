package tests

import (
	"bytes"
	"encoding/xml"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCounts puts failures first, and leaves out what there is none of.
func TestCounts(t *testing.T) {
	var c Counts
	for _, status := range []string{"passed", "choice_point", "blocked", "failed", "fixme", "passed"} {
		c.Add(status)
	}
	require.Equal(t, "1 failed, 3 passed, 1 blocked, 1 to be fixed", c.Text(nil))
	require.Equal(t, "0 passed", Counts{}.Text(nil))
}

// TestJUnit writes results whose texts have what XML does not take, and reads them as XML.
func TestJUnit(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results.xml")
	require.NoError(t, WriteJUnit(file, []Result{
		{Unit: "a", Test: "one", Status: "passed", Seconds: 1, Output: "\x1b[1m<&>"},
		{Unit: "b", Test: "two", Forall: "X=1", Status: "failed", Message: "wrong", Want: "1", Got: "2", Seconds: 2},
		{Unit: "a", Test: "three", Status: "blocked"},
	}))
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NotContains(t, string(data), "\x1b")
	type suite struct {
		Name     string `xml:"name,attr"`
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Skipped  int    `xml:"skipped,attr"`
		Cases    []struct {
			Name    string `xml:"name,attr"`
			Output  string `xml:"system-out"`
			Failure string `xml:"failure"`
		} `xml:"testcase"`
	}
	var all struct {
		Tests  int     `xml:"tests,attr"`
		Time   string  `xml:"time,attr"`
		Suites []suite `xml:"testsuite"`
	}
	require.NoError(t, xml.Unmarshal(data, &all))
	require.Equal(t, 3, all.Tests)
	require.Equal(t, "3.000", all.Time)
	require.Len(t, all.Suites, 2)
	require.Equal(t, []int{2, 0, 1}, []int{all.Suites[0].Tests, all.Suites[0].Failures, all.Suites[0].Skipped})
	require.Contains(t, all.Suites[0].Cases[0].Output, "<&>")
	require.Equal(t, "two with X=1", all.Suites[1].Cases[0].Name)
	require.Contains(t, all.Suites[1].Cases[0].Failure, "expected: 1\ngot:      2")
}

// TestPrint says nothing of a test that has passed.
func TestPrint(t *testing.T) {
	var out bytes.Buffer
	passed := Result{Unit: "a", Test: "one", Status: "passed"}
	passed.Print(&out)
	require.Empty(t, out.String())
	failed := Result{Unit: "a", Test: "one", File: "a.plt", Line: 3, Status: "failed", Message: "wrong"}
	failed.Print(&out)
	require.Contains(t, out.String(), "a.plt:3")
	require.Contains(t, out.String(), "wrong")
}
