package cases

import (
	"encoding/json"
	"io/fs"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/kb/decisions"
)

func TestDifferences(t *testing.T) {
	for _, test := range []struct {
		expected, got string
		want          []string
	}{
		{`{"a":1,"b":[1,2]}`, `{"b":[1.0,2],"a":1.00}`, nil},
		{`1`, `"1"`, []string{`expected 1, is "1"`}},
		{`{"a":{"b":1}}`, `{"a":{"b":2}}`, []string{"a.b: expected 1, is 2"}},
		{`{"a":1}`, `{"b":1}`, []string{"a: expected 1, and is not there", "b: 1 is not expected"}},
		{`{"s":[1,2]}`, `{"s":[2,1]}`, []string{"s: the same in another order"}},
		{`{"s":[1,2,2]}`, `{"s":[2,3]}`, []string{"s: missing 1", "s: missing 2", "s: not expected 3"}},
		{`{"s":[{"x":1,"y":"<b>"}]}`, `{"s":[{"x":2,"y":"<b>"}]}`, []string{"s.x: expected 1, is 2"}},
		{`{"s":[{"x":1,"y":[2.50]},"1"]}`, `{"s":["1",{"y":[2.5],"x":1.0}]}`, []string{"s: the same in another order"}},
		{`{"s":[1,"1",null,"null",true]}`, `{"s":["1","1",null,null,true]}`,
			[]string{"s: missing 1", `s: missing "null"`, `s: not expected "1"`, "s: not expected null"}},
		{`1e400`, `1e400`, nil},
		{`1e999999999`, `1`, []string{"expected 1e999999999, is 1"}},
		{`1e2`, `100`, []string{"expected 1e2, is 100"}},
		{`100000000000000000001`, `100000000000000000002`,
			[]string{"expected 100000000000000000001, is 100000000000000000002"}},
		{``, `1`, []string{"expected null, is 1"}},
	} {
		require.Equal(t, test.want, Differences(json.RawMessage(test.expected), json.RawMessage(test.got)), test)
	}
	long := json.RawMessage(`[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22]`)
	require.Len(t, Differences(long, json.RawMessage(`[]`)), mostDifferences+1)
	// Comparing long lists does not compare each item with each other.
	const many = 100_000
	odd, even := make([]int, many), make([]int, many)
	for i := range many {
		odd[i], even[i] = 2*i+1, 2*i
	}
	was, err := json.Marshal(odd)
	require.NoError(t, err)
	now, err := json.Marshal(even)
	require.NoError(t, err)
	list := Differences(was, now)
	require.Equal(t, "and 199980 more", list[mostDifferences])
}

// A case that was made from a call and written is read again unchanged.
func TestText(t *testing.T) {
	was := &decisions.Record{Tool: "t", Outcome: "ok", Arguments: json.RawMessage(`{"a":"<b>"}`), User: "kim",
		Now: time.Date(2026, 3, 1, 12, 0, 0, 5, time.UTC), Seed: "s", Result: json.RawMessage(
			`{"content":[],"structuredContent":{"solutions":[{"n":12345678901234567890}],"more":true,"cursor":"x","note":"y"}}`)}
	c, err := Of(was)
	require.NoError(t, err)
	c.Name, c.Title = "x/y", "Über <alles>"
	list, report := ReadFolder(fstest.MapFS{"cases/x/y.json": {Data: []byte(c.Text())}, "cases/.z.json": {},
		"cases/a.txt": {}}, "kb")
	require.Empty(t, report)
	require.Len(t, list, 1)
	read := list[0]
	require.Equal(t, "kb/cases/x/y.json", read.File)
	require.JSONEq(t, `{"solutions":[{"n":12345678901234567890}],"more":true}`, string(read.Expected))
	require.Contains(t, string(read.Expected), "12345678901234567890")
	require.Equal(t, c.Text(), read.Text())
	was.Omitted = []string{"arguments.pin"}
	_, err = Of(was)
	require.ErrorContains(t, err, "values were left out")
}

// A file that cannot be read gives a diagnostic, and reading does not wait for a pipe.
func TestUnread(t *testing.T) {
	list, report := ReadFolder(fstest.MapFS{"cases/pipe.json": {Mode: fs.ModeNamedPipe}}, "")
	require.Empty(t, list)
	require.Len(t, report, 1)
	require.Contains(t, report[0].Message, "no regular file")
	list, report = ReadFolder(locked{}, "kb")
	require.Empty(t, list)
	require.Len(t, report, 1)
	require.Equal(t, "kb/cases", report[0].File)
	require.Contains(t, report[0].Message, "permission denied")
}

// locked is a folder that may not be read.
type locked struct{}

func (locked) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
}

func TestCheckName(t *testing.T) {
	for _, name := range []string{"ann", "kids/bob", "fall 1", "übung"} {
		require.NoError(t, CheckName(name), name)
	}
	for _, name := range []string{"", "../x", "/x", "x/../y", ".x", "a//b", "con", "a\nb", "a*b", "-x"} {
		require.Error(t, CheckName(name), name)
	}
}

// Any bytes give a case, or a diagnostic at a place within them.
func FuzzParse(f *testing.F) {
	for _, text := range []string{`{"tool":"x","expected":1}`, `{"tool":1`, `[`, ``, `{"a"`, `{"tool":"x"}y`, "\xff",
		`{"tool":`, `{"tool"`, `{,}`, `{"expected":[[[`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c := &Case{Name: "x", File: "x.json"}
		for _, d := range c.Parse(text) {
			require.Positive(t, d.Line)
			require.Positive(t, d.Column)
			require.LessOrEqual(t, d.Line, len(text)+1)
			require.LessOrEqual(t, d.Column, len(text)+1)
		}
	})
}
