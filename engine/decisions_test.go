package engine_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/stretchr/testify/require"
)

// This file tests the check of decision tables against what their rows do.

// randomTable makes the rows of a table with tests of whole numbers, decimals, texts and booleans.
func randomTable(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("\"n (between(integer,0,4))\",d (decimal),t (a|b|c),b (boolean),out: o\n")
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	number := func(most int) string {
		low, high := r.IntN(most), r.IntN(most)
		return pick("-", fmt.Sprint(low), fmt.Sprintf("< %d", low), fmt.Sprintf(">= %d", low), fmt.Sprintf("not(%d)", low),
			fmt.Sprintf("[%d..%d)", min(low, high), max(low, high)), fmt.Sprintf("not(%d, > %d)", low, high))
	}
	for range 1 + r.IntN(6) {
		fmt.Fprintf(&b, "%q,%q,%q,%s,x\n", number(5), number(3), pick("-", "a", "b, c", "not(b)"), pick("-", "true", "-"))
	}
	return b.String()
}

// TestTableChecks compares overlaps and gaps with the numbers of rows that hold for all inputs there are, and runs each
// witness.
func TestTableChecks(t *testing.T) {
	t.Parallel()
	const all = "between(0, 4, N), member(D, [-1, 0, 1r2, 1, 3r2, 2, 5r2, 3]), member(T, [a, b, c]), " +
		"member(B, [true, false])"
	witness := regexp.MustCompile(`for n = (\d+), d = ([-0-9.]+), t = (\w+), b = (\w+)`)
	for seed := range uint64(150) {
		table := randomTable(rand.New(rand.NewPCG(seed, 1)))
		prog, err := engine.LoadFS(t.Context(), fstest.MapFS{"t.csv": {Data: []byte(table)}, "t.pl": {Data: []byte(
			":- decision(row/5, 't.csv', [hit(collect)]).\n" +
				"rows(N, D, T, B, Count) :- findall(x, row(N, D, T, B, _), L), length(L, Count).\n")}}, nil, "t.pl")
		require.NoError(t, err, table)
		var counts struct{ Most, Least int }
		s, err := prog.Once(t.Context(), "findall(C, ("+all+", rows(N, D, T, B, C)), L), max_list(L, Most), "+
			"min_list(L, Least)", nil)
		require.NoError(t, err, table)
		require.NoError(t, s.Scan(&counts))
		checked, err := engine.LoadFS(t.Context(), fstest.MapFS{"t.csv": {Data: []byte(table)},
			"t.pl": {Data: []byte(":- decision(row/5, 't.csv').\n")}}, nil, "t.pl")
		var found engine.Diagnostics
		if !errors.As(err, &found) {
			require.NoError(t, err)
			found = checked.Diagnostics()
		}
		overlap, gap := false, false
		for _, d := range found {
			if d.Code != "decision" {
				continue
			}
			at := witness.FindStringSubmatch(d.Message)
			require.NotNil(t, at, d.Message)
			decimal := at[2]
			if whole, half, ok := strings.Cut(decimal, "."); ok && half == "5" {
				decimal = fmt.Sprintf("%s + 1r2", whole)
			}
			s, err := prog.Once(t.Context(), fmt.Sprintf("D is %s, rows(%s, D, %s, %s, C)", decimal, at[1], at[3], at[4]), nil)
			require.NoError(t, err)
			var count struct{ C int }
			require.NoError(t, s.Scan(&count))
			if strings.HasPrefix(d.Message, "no row") {
				gap = true
				require.Zero(t, count.C, table+d.Message)
			} else {
				overlap = true
				require.Greater(t, count.C, 1, table+d.Message)
			}
		}
		require.Equal(t, counts.Most > 1, overlap, table)
		require.Equal(t, counts.Least == 0, gap || overlap && counts.Least == 0, table) // errors come without the warnings
	}
}

// TestRangeIndex compares tables of ranges that are searched by halves with the rows one by one.
func TestRangeIndex(t *testing.T) {
	t.Parallel()
	indexed := 0 // rows that stand in too many parts keep a table from being so
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 2))
		hit := []string{"first", "collect", "sum", "rule_order"}[seed%4]
		var b, facts strings.Builder
		b.WriteString("n (integer),d (decimal),out: o (integer)\n")
		for i := range 200 {
			low, m := 3*i+r.IntN(4), r.IntN(5)
			open, high := []string{"(", "["}[r.IntN(2)], low+1+r.IntN(6)
			end := []string{")", "]"}[r.IntN(2)]
			fmt.Fprintf(&b, "%s%d..%d%s,%s,%d\n", open, low, high, end, fmt.Sprintf("< %d.5", m), i%3)
			fmt.Fprintf(&facts, "r('%s', %d, %d, '%s', %d, %d).\n", open, low, high, end, m, i%3)
		}
		if seed >= 8 { // rows that stand in many parts
			b.WriteString("-,[0..9],7\n< 300,-,8\n")
			facts.WriteString("r('[', -9, 9999, ']', 8, 7).\nr('[', -9999, 300, ')', 99, 8).\n")
		}
		prog, err := engine.LoadFS(t.Context(), fstest.MapFS{"t.csv": {Data: []byte(b.String())}, "t.pl": {Data: []byte(
			":- decision(row/3, 't.csv', [hit(" + hit + ")]).\n" + facts.String() + `
holds(N, D, O) :- r(Open, Low, High, End, M, O),
    ( Open == '[' -> N >= Low ; N > Low ), ( End == ']' -> N =< High ; N < High ), D < M + 1r2.
want(first, N, D, [O]) :- once(holds(N, D, O)), !.
want(rule_order, N, D, L) :- !, want(collect, N, D, L).
want(collect, N, D, L) :- !, findall(O, holds(N, D, O), L).
want(sum, N, D, [S]) :- findall(O, holds(N, D, O), L), L \== [], !, sum_list(L, S).
want(_, _, _, []).
wrong(H, N, D, L, W) :- between(-2, 630, N), member(D, [0, 1r2, 2, 4]),
    findall(O, row(N, D, O), L), want(H, N, D, W), L \== W.
`)}}, nil, "t.pl")
		require.NoError(t, err)
		for s, err := range prog.Query(t.Context(), "wrong("+hit+", N, D, L, W)", nil) {
			require.NoError(t, err)
			t.Fatal(seed, boundOnly(s))
		}
		if proof, err := prog.Why(t.Context(), "row(101, 0, O)", nil); err == nil && hit != "sum" {
			require.Contains(t, proof.Text, " n: ")
		}
		_, err = prog.Once(t.Context(), "current_predicate('row node'/5) ; current_predicate('row row node'/5)", nil)
		if err == nil {
			indexed++
		}
	}
	require.GreaterOrEqual(t, indexed, 6)
}

// BenchmarkRangeIndex looks inputs up in tables of ranges, which takes hardly longer where there are a hundred times
// as many rows.
func BenchmarkRangeIndex(b *testing.B) {
	for _, rows := range []int{1000, 100_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			var text strings.Builder
			text.WriteString("n (integer),out: o (integer)\n")
			for i := range rows {
				fmt.Fprintf(&text, "[%d..%d),%d\n", 10*i, 10*i+10, i)
			}
			prog, err := engine.LoadFS(b.Context(), fstest.MapFS{"t.csv": {Data: []byte(text.String())}, "t.pl": {Data: []byte(
				":- decision(row/2, 't.csv', [complete(false)]).\n" +
					"look(0) :- !.\nlook(I) :- N is I * 7919 mod " + fmt.Sprint(10*rows) + ", row(N, _), J is I - 1, look(J).\n")}},
				nil, "t.pl")
			require.NoError(b, err)
			b.ResetTimer()
			_, err = prog.Once(b.Context(), fmt.Sprintf("look(%d)", b.N), nil)
			require.NoError(b, err)
		})
	}
}

// workbookOf packs a sheet named Rates.
func workbookOf(t *testing.T, rows string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range map[string]string{
		"xl/workbook.xml": `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">` +
			`<sheets><sheet name="Rates" r:id="r1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="r1" Target="worksheets/s.xml"/></Relationships>`,
		"xl/styles.xml":              `<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
		"xl/worksheets/s.xml":        "<worksheet><sheetData>" + rows + "</sheetData></worksheet>",
	} {
		w, err := z.Create(name)
		require.NoError(t, err)
		_, err = w.Write([]byte(text))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return b.Bytes()
}

// TestTableInWorkbook loads a table from a sheet: texts, a number as a text, a date, and a mistake with sheet and cell.
func TestTableInWorkbook(t *testing.T) {
	t.Parallel()
	cell := func(text string) string { return `<c t="inlineStr"><is><t>` + text + "</t></is></c>" }
	head := "<row>" + cell("age (integer)") + cell("since (date)") + cell("out: rate (decimal)") + "</row>"
	rows := head + "<row>" + cell("&lt; 18") + cell("-") + "<c><v>0.1</v></c></row>" +
		"<row>" + cell(">= 18") + `<c s="1"><v>45292</v></c>` + cell("0.25") + "</row>"
	load := func(rows string) (*engine.Program, error) {
		return engine.LoadFS(t.Context(), fstest.MapFS{"r.xlsx": {Data: workbookOf(t, rows)}, "r.pl": {Data: []byte(
			":- decision(rate/3, 'r.xlsx', [sheet('Rates'), complete(false)]).\n")}}, nil, "r.pl")
	}
	prog, err := load(rows)
	require.NoError(t, err)
	s, err := prog.Once(t.Context(), "rate(3, date(2000,1,1), A), rate(20, date(2024,1,1), B)", nil)
	require.NoError(t, err)
	require.Equal(t, "A = 1r10, B = 1r4", boundOnly(s))
	proof, err := prog.Why(t.Context(), "rate(20, date(2024,1,1), B)", nil)
	require.NoError(t, err)
	require.Contains(t, proof.Text, "[r.xlsx:3; A3 age: >= 18; B3 since: 2024-01-01; C3 rate: 0.25]")
	_, err = load(head + "<row>" + cell("&lt; 18 years") + "</row>")
	require.ErrorContains(t, err, "sheet Rates, cell A2: got years, want the end")
}
