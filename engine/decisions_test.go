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
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/stretchr/testify/require"
)

// This file compares the check of decision tables with the behaviour of their rows.

// randomTable makes the rows of a table with tests of whole numbers, decimals, texts and booleans.
func randomTable(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("\"n (between(integer,0,4))\",d (decimal),t (a|b|c),b (boolean),out: o\n")
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	number := func(most int) string {
		low, high := r.IntN(most), r.IntN(most)
		return pick("-", fmt.Sprint(low), fmt.Sprintf("< %d", low), fmt.Sprintf(">= %d", low), fmt.Sprintf("not(%d)", low),
			fmt.Sprintf("[%d..%d)", min(low, high), max(low, high)+1), fmt.Sprintf("not(%d, > %d)", low, high))
	}
	for range 1 + r.IntN(6) {
		fmt.Fprintf(&b, "%q,%q,%q,%s,x\n", number(5), number(3), pick("-", "a", "b, c", "not(b)"), pick("-", "true", "-"))
	}
	return b.String()
}

// TestTableChecks compares overlaps and gaps with the number of rows that hold for each possible input, and runs each
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
		var found source.Diagnostics
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

// TestRangeIndex compares the binary search in tables of ranges with trying the rows one by one.
func TestRangeIndex(t *testing.T) {
	t.Parallel()
	indexed := 0 // a table is not indexed if its rows span too many parts
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
		if seed >= 8 { // rows that span many parts
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

// TestValidityChecks compares overlaps and gaps in time with the rows that are in force on each day, and runs each
// witness on its day. The same rows as facts overlap on the same days.
func TestValidityChecks(t *testing.T) {
	t.Parallel()
	named, dated := regexp.MustCompile(`k = (\w)`), regexp.MustCompile(`(?:today =|on) 202\d-\d\d-(\d\d)`)
	for seed := range uint64(120) {
		r := rand.New(rand.NewPCG(seed, 3))
		var rows [][4]any // the key, the first day, the day after the last, the texts
		table, facts := "k (a|b),valid_from,valid_until,out: v\n", "k,v,valid_from,valid_until\n"
		for i := range 2 + r.IntN(4) {
			key, from, until := string("ab"[r.IntN(2)]), 2+r.IntN(5), 3+r.IntN(6)
			texts := []string{"", ""}
			if until <= from || r.IntN(3) == 0 {
				until = 99
			} else {
				texts[1] = fmt.Sprintf("2024-01-%02d", until)
			}
			if r.IntN(4) == 0 {
				from = 0
			} else {
				texts[0] = fmt.Sprintf("2024-01-%02d", from)
			}
			rows = append(rows, [4]any{key, from, until, texts})
			table += fmt.Sprintf("%s,%s,%s,%d\n", key, texts[0], texts[1], i)
			facts += fmt.Sprintf("%s,%d,%s,%s\n", key, i, texts[0], texts[1])
		}
		const load = ":- facts(fact/2, 'f.csv', [header(true)]).\n"
		files := fstest.MapFS{"t.csv": {Data: []byte(table)}, "f.csv": {Data: []byte(facts)},
			"t.pl":   {Data: []byte(":- decision(row/2, 't.csv').\n:- decision(all/2, 't.csv', [hit(collect)]).\n")},
			"f.pl":   {Data: []byte(":- mode(fact(+atom, -integer), zero_or_one).\n" + load)},
			"all.pl": {Data: []byte(":- decision(all/2, 't.csv', [hit(collect)]).\n" + load)}}
		prog, err := engine.LoadFS(t.Context(), files, nil, "all.pl")
		require.NoError(t, err, table)
		count := func(pred, key string, day int) (n int) {
			s, err := prog.Once(t.Context(), fmt.Sprintf("findall(V, %s(%s, V), L), length(L, N)", pred, key),
				&engine.RunOptions{Given: engine.Given{Now: time.Date(2024, 1, day, 12, 0, 0, 0, time.Local)}})
			require.NoError(t, err)
			var got struct{ N int }
			require.NoError(t, s.Scan(&got))
			return got.N
		}
		// The days of the table reach from its first date to its last. An open end is tested by the days beyond it.
		low, high, open := 99, 0, [2]bool{}
		for _, row := range rows {
			from, until := row[1].(int), row[2].(int)
			open[0], open[1] = open[0] || from == 0, open[1] || until == 99
			for _, day := range []int{from, until} {
				if day != 0 && day != 99 {
					low, high = min(low, day), max(high, day)
				}
			}
		}
		switch {
		case high == 0:
			low, high = 1, 1
		case open[0]:
			low--
		}
		if !open[1] {
			high--
		}
		overlap, gap := map[string]bool{}, false
		for day := max(low, 1); day <= high; day++ {
			for _, key := range []string{"a", "b"} {
				want := 0
				for _, row := range rows {
					if row[0] == key && row[1].(int) <= day && day < row[2].(int) {
						want++
					}
				}
				require.Equal(t, want, count("all", key, day), table)
				require.Equal(t, want, count("fact", key, day), facts)
				overlap[key], gap = overlap[key] || want > 1, gap || want == 0
			}
		}
		for file, pred := range map[string]string{"t.pl": "all", "f.pl": "fact"} {
			checked, err := engine.LoadFS(t.Context(), files, nil, file)
			var found source.Diagnostics
			if !errors.As(err, &found) {
				require.NoError(t, err)
				found = checked.Diagnostics()
			}
			foundOverlap, foundGap := map[string]bool{}, false
			for _, d := range found {
				at := named.FindStringSubmatch(d.Message)
				require.NotNil(t, at, d.Message)
				key, day := at[1], 1
				if on := dated.FindStringSubmatch(d.Message); on != nil {
					_, err := fmt.Sscan(on[1], &day)
					require.NoError(t, err)
				}
				if strings.HasPrefix(d.Message, "no row") {
					foundGap = true
					require.Zero(t, count(pred, key, day), table+d.Message)
					continue
				}
				foundOverlap[key] = true
				require.Greater(t, count(pred, key, day), 1, table+d.Message)
			}
			for _, key := range []string{"a", "b"} {
				require.Equal(t, overlap[key], foundOverlap[key], "%s%s%s", file, table, found)
			}
			if file == "t.pl" && len(foundOverlap) == 0 {
				require.Equal(t, gap, foundGap, table)
			}
		}
	}
}
