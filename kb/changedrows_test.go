package kb_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/tools/deep"
)

// aRow returns a row: a text with a number in it, an integer, a decimal number, and a value that may be missing.
func aRow(random *rand.Rand, number int) string {
	name := fmt.Sprintf("item%d", number)
	switch random.IntN(40) {
	case 0:
		name = fmt.Sprintf("\"a %d\nb\"", number)
	case 1:
		name = "Ärmel"
	}
	note := ""
	if random.IntN(3) > 0 {
		note = fmt.Sprint(random.IntN(9))
	}
	return fmt.Sprintf("%s,%d,%d.%d,%s", name, random.IntN(1000), random.IntN(100), random.IntN(10), note)
}

// oddLines are lines that edits insert now and then: values of other types, wrong rows, and lines that are not
// rows.values of other types, rows that are wrong, and lines that are no rows.
var oddLines = []string{"x,y,1,2", "x,1.5,1,2", "7,7,7,7", "x,1,2,", "x,1,many,2", "x,1", "\"x", "x\",1,1,1", "",
	"x,1,1,1\r", "007,1,1,1", "x,,,", "-,1,1,1", "a;b,1,1,1", "\"x,\n1\",1,1.5,1"}

// TestChangedRows edits a data file at random, and compares each reload with a load from the beginning.
func TestChangedRows(t *testing.T) {
	t.Parallel()
	for i, directives := range []string{
		":- facts(item/4, 'items.csv').\n",
		":- facts(item/4, 'items.csv', [header(true)]).\n",
		":- facts(item/4, 'items.csv', [types([atom, integer, float, number]), null(['-'])]).\n",
		":- mode(item(+atom, -integer, -float, -number), zero_or_one).\n:- facts(item/4, 'items.csv', [header(true)]).\n",
		":- mode(item(+atom, -integer, -float, -number), zero_or_more).\n:- facts(item/4, 'items.csv', [header(true), " +
			"columns([name, number, size, note]), types([string, any, decimal, maybe(integer)])]).\n",
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(uint64(i), 5))
			dir := t.TempDir()
			save(t, filepath.Join(dir, "items.pl"), directives+"lines(L) :- findall(N-R, (R = item(_, _, _, _), "+
				"clause(R, true, Ref), clause_property(Ref, line_count(N))), L).\n")
			var lines []string
			if strings.Contains(directives, "header") {
				lines = append(lines, "name,number,size,note")
			}
			for number := range 10_000 {
				lines = append(lines, aRow(random, number))
			}
			file, end := filepath.Join(dir, "items.csv"), "\n"
			save(t, file, strings.Join(lines, "\n")+end)
			base, err := kb.Open(t.Context(), []string{dir}, nil)
			require.NoError(t, err)
			sound, read, rows := lines, 0, 0
			for step := range deep.Count(6, 60) {
				lines = slices.Clone(lines)
				if at := random.IntN(len(lines)); random.IntN(4) == 0 {
					lines = slices.Delete(lines, at, min(at+1+random.IntN(20), len(lines)))
				}
				for range 1 + random.IntN(2) {
					at := random.IntN(len(lines) + 1)
					if random.IntN(4) == 0 {
						at = len(lines)
					}
					line := aRow(random, 100_000+step)
					if random.IntN(9) == 0 {
						line = oddLines[random.IntN(len(oddLines))]
					}
					lines = slices.Insert(lines, at, line)
				}
				if random.IntN(5) == 0 {
					end = map[string]string{"\n": "", "": "\n"}[end]
				}
				save(t, file, strings.Join(lines, "\n")+end)
				change := base.Reload(t.Context())
				fresh, err := kb.Load(t.Context(), []string{dir}, nil)
				require.Equal(t, fresh.Report(err), change.Diagnostics)
				require.Equal(t, err == nil, change.Err == nil)
				if err != nil {
					lines = sound
					continue
				}
				sound = lines
				require.Equal(t, clauseLines(t, fresh), clauseLines(t, change.Snapshot))
				is, should := inner.Of(change.Snapshot.Program).DataFiles(), inner.Of(fresh.Program).DataFiles()
				read, rows = read+is[0].Read, rows+should[0].Read
				is[0].Read = should[0].Read
				require.Equal(t, should, is)
			}
			t.Logf("%d of %d rows were read", read, rows)
			require.Less(t, read, rows)
		})
	}
}

// clauseLines lists the facts of a snapshot with their lines.
func clauseLines(t *testing.T, s *kb.Snapshot) string {
	answer, err := s.Program.Once(t.Context(), "lines(L), with_output_to(string(Text), print(L))", nil)
	require.NoError(t, err)
	return fmt.Sprint(answer.Get("Text"))
}

// TestChangedPlaces reloads files with one line, at each place, that would be read wrongly if only a part of the file
// were read.
func TestChangedPlaces(t *testing.T) {
	t.Parallel()
	pair := func(i int) string { return fmt.Sprintf("a%d,%d", i, i) }
	word := func(i int) string { return fmt.Sprintf("w%d", i) }
	for _, test := range []struct {
		name, directives string
		arity            int
		head             string
		row              func(i int) string
		at               int
		line             string
	}{
		{"missing", "[types([atom, integer])]", 2, "", pair, 9000, "b,"},
		{"missing at a cut", "[types([atom, integer])]", 2, "", pair, 4096, "b,"},
		{"separator", "[types([atom])]", 1, "", word, 4096, "sep=a"},
		{"mark", "[]", 1, "", word, 4096, "\uFEFFxa"},
		{"two marks", "[]", 1, "\uFEFF\uFEFFxa", word, 4200, "xa"},
		{"zero byte", "[]", 1, "", word, 4096, "\x00a"},
		{"lines before the header", "[header(true)]", 2, "sep=;\n\n\"a\nb\";c",
			func(i int) string { return fmt.Sprintf("z%d;%d", i, i) }, 6000, "z;"},
		{"one field no more", "[]", 1, "w;0", func(i int) string { return fmt.Sprintf("w%d", i) }, 6000, "w;1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			args := strings.Repeat(", _", test.arity)[2:]
			save(t, filepath.Join(dir, "items.pl"), fmt.Sprintf(":- facts(item/%d, 'items.csv', %s).\n", test.arity,
				test.directives)+"lines(L) :- findall(N-R, (R = item("+args+"), clause(R, true, Ref), "+
				"clause_property(Ref, line_count(N))), L).\n")
			var lines []string
			if test.head != "" {
				lines = append(lines, test.head)
			}
			for i := range 10_000 {
				lines = append(lines, test.row(i))
			}
			file := filepath.Join(dir, "items.csv")
			save(t, file, strings.Join(lines, "\n")+"\n")
			base, err := kb.Open(t.Context(), []string{dir}, nil)
			require.NoError(t, err)
			for range 2 {
				lines = slices.Insert(lines, test.at, test.line)
				save(t, file, strings.Join(lines, "\n")+"\n")
				change := base.Reload(t.Context())
				fresh, err := kb.Load(t.Context(), []string{dir}, nil)
				require.NoError(t, err)
				require.NoError(t, change.Err)
				require.Equal(t, fresh.Diagnostics, change.Diagnostics)
				require.Equal(t, clauseLines(t, fresh), clauseLines(t, change.Snapshot))
				is, should := inner.Of(change.Snapshot.Program).DataFiles(), inner.Of(fresh.Program).DataFiles()
				is[0].Read = should[0].Read
				require.Equal(t, should, is)
			}
		})
	}
}
