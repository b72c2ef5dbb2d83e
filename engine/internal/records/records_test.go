package records

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
)

// read returns the rows of a text, a line each, with the mistakes among them.
func read(text string, o Options) string {
	for {
		lines, r, err := readOnce(text, &o)
		if !errors.Is(err, ErrGuess) {
			return strings.Join(lines, "\n")
		}
		o.Known = r.Guessed().Types
	}
}

// readOnce reads a text once.
func readOnce(text string, o *Options) (lines []string, r Reader, err error) {
	r = NewReader(strings.NewReader(text), o)
	for {
		row, err := r.Next()
		var bad *Mistake
		var end *End
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, ErrGuess):
			return lines, r, err
		case errors.As(err, &end):
			return append(lines, fmt.Sprintf("%d:%d end: %s", end.Place.Line, end.Place.Column, end)), r, err
		case errors.As(err, &bad):
			lines = append(lines, fmt.Sprintf("%d:%d: %s", bad.Place.Line, bad.Place.Column, bad))
		case err != nil:
			return append(lines, err.Error()), r, err
		default:
			lines = append(lines, fmt.Sprintf("%d %s", row.Place.Line, syntax.ShowTerm(asTerm(row))))
		}
	}
}

// asTerm returns a row as a term r(...).
func asTerm(row Row) term.Term {
	row.Rows.Seal()
	t := &term.Compound{Functor: "r"}
	for _, v := range row.Rows.Row(0) {
		switch v.Kind {
		case relation.Int:
			t.Args = append(t.Args, term.Int(v.Int()))
		case relation.Float:
			t.Args = append(t.Args, term.Float(v.Float()))
		case relation.Atom:
			t.Args = append(t.Args, term.Atom(row.Rows.Text(v)))
		case relation.String:
			t.Args = append(t.Args, term.String(row.Rows.Text(v)))
		default:
			t.Args = append(t.Args, row.Rows.Term(v))
		}
	}
	return t
}

func TestRows(t *testing.T) {
	tests := []struct {
		name, text string
		o          Options
		want       string
	}{
		{"guessed", "a,1,0.5\nb,-2,3\n", Options{Arity: 3}, "1 r(a,1,0.5)\n2 r(b,-2,3.0)"},
		{"codes are not numbers", "007,+49\n8,1\n", Options{Arity: 2}, "1 r('007','+49')\n2 r('8','1')"},
		{"exponents", "1e3\n2\n", Options{Arity: 1}, "1 r(1000.0)\n2 r(2.0)"},
		{"not numbers", "inf\n0x10\n1_000\n", Options{Arity: 1}, "1 r(inf)\n2 r('0x10')\n3 r('1_000')"},
		{"large", "123456789012345678901234567890\n", Options{Arity: 1}, "1 r(123456789012345678901234567890)"},
		{"missing", "a,\n,2\n", Options{Arity: 2}, "1 r(a,null)\n2 r(null,2)"},
		{"all missing", "a,\nb,\n", Options{Arity: 2}, "1 r(a,null)\n2 r(b,null)"},
		{"null", "a,NA\nb,2\n", Options{Arity: 2, Null: []string{"NA"}}, "1 r(a,null)\n2 r(b,2)"},
		{"quotes", "\"a,b\",\"c \"\"d\"\"\"\n\"x\ny\",z\nv,w\n", Options{Arity: 2},
			"1 r('a,b','c \"d\"')\n2 r('x\\ny',z)\n4 r(v,w)"},
		{"CRLF and a mark", "\uFEFFa,1\r\nb,2\r\n", Options{Arity: 2}, "1 r(a,1)\n2 r(b,2)"},
		{"no last newline", "a,1\nb,2", Options{Arity: 2}, "1 r(a,1)\n2 r(b,2)"},
		{"header", "id,name\n1,ann\n", Options{Arity: 2, Header: true}, "2 r(1,ann)"},
		{"columns", "id,name,age\n1,ann,36\n", Options{Arity: 2, Header: true, Columns: []string{"age", "id"}}, "2 r(36,1)"},
		{"no such column", "id,name\n1,ann\n", Options{Arity: 1, Header: true, Columns: []string{"nam"}},
			"1:1 end: there is no column nam; the columns are id, name; did you mean name?"},
		{"two of a name", "id,name,id\n1,ann,2\n", Options{Arity: 1, Header: true, Columns: []string{"id"}},
			"1:1 end: several columns are called id; give them names of their own"},
		{"two of a name that nobody chooses", "id,name,id\n1,ann,2\n",
			Options{Arity: 1, Header: true, Columns: []string{"name"}}, "2 r(ann)"},
		{"too few columns", "a,b\n", Options{Arity: 1},
			"1:1 end: the predicate has 1 argument and the row has 2 fields; name the columns by columns([...])"},
		{"ragged", "a,1\nb\nc,3\n", Options{Arity: 2}, "1 r(a,1)\n2:1: the row has 1 field, expected 2\n3 r(c,3)"},
		{"types", "a,1\nb,x\n", Options{Arity: 2, Types: []Type{String, Integer}},
			"1 r(\"a\",1)\n2:3: expected an integer, got \"x\""},
		{"header taken for a row", "name,n\nb,1\n", Options{Arity: 2, Types: []Type{Atom, Integer}},
			"1:6: expected an integer, got \"n\"; if the first line names the columns, say header(true)\n2 r(b,1)"},
		{"boolean", "TRUE\nfalse\n", Options{Arity: 1, Types: []Type{Boolean}}, "1 r(true)\n2 r(false)"},
		{"decimal comma", "a;1,5\n", Options{Arity: 2, Separator: ';', DecimalComma: true}, "1 r(a,1.5)"},
		{"a line of a spreadsheet", "\ufeffsep=;\r\nk;v\r\na;1\r\n", Options{Arity: 2, Header: true}, "3 r(a,1)"},
		{"such a line without a header", "sep=\t\na\t1\n", Options{Arity: 2, Separator: ';'}, "2 r(a,1)"},
		{"such a line elsewhere", "a,1\nsep=;\n", Options{Arity: 2}, "1 r(a,1)\n2:1: the row has 1 field, expected 2"},
		{"another separator", "k;v\na;1\n", Options{Arity: 2, Header: true},
			"1:1 end: the predicate has 2 arguments and the text has the columns k;v; say separator(';')"},
		{"tabs that are not said", "k\tv\tw\na\t1\t2\n", Options{Arity: 3, Header: true},
			"1:1 end: the predicate has 3 arguments and the text has the columns k\tv\tw; say separator('\\t')"},
		{"another separator, with columns", "k;v;w\na;1;2\n", Options{Arity: 2, Header: true, Columns: []string{"k", "v"}},
			"1:1 end: there is no column k; the columns are k;v;w; say separator(';')"},
		{"another separator, and more columns", "k|v|w\n", Options{Arity: 2, Header: true},
			"1:1 end: the predicate has 2 arguments and the text has the columns k|v|w; say separator('|')"},
		{"one column", "key\n", Options{Arity: 2, Header: true},
			"1:1 end: the predicate has 2 arguments and the text has the columns key; choose by columns([...])"},
		{"tabs", "a\t1\n", Options{Format: TSV, Arity: 2}, "1 r(a,1)"},
		{"open quote", "a,1\n\"b,2\nc,3\n", Options{Arity: 2},
			"1 r(a,1)\n2:1 end: a quoted field must end with its quote; a quote within it is written \"\""},
		{"bare quote", "a,1\nb\"c,2\nd,3\n", Options{Arity: 2},
			"1 r(a,1)\n2:2: a field that contains a quote must be quoted\n3 r(d,3)"},
		{"encoding", "a,1\n\xff,2\n", Options{Arity: 2},
			"1 r(a,1)\n2:1: the text is not valid UTF-8; save the file as UTF-8, or name its encoding in facts/3"},
		{"any", "1\nx\n2.5\n", Options{Arity: 1, Types: []Type{Any}}, "1 r(1)\n2 r(x)\n3 r(2.5)"},
		{"UTF-16", "\xff\xfea\x00,\x001\x00\n\x00", Options{Arity: 2},
			"1:1 end: the text is UTF-32, or UTF-16 without a mark; save the file as UTF-8, or name its encoding in facts/3"},
		{"UTF-16, the other way", "\xfe\xff\x00a\x00,\x001\x00\n", Options{Arity: 2},
			"1:1 end: the text is UTF-32, or UTF-16 without a mark; save the file as UTF-8, or name its encoding in facts/3"},
		{"UTF-16 without a mark", "a\x00,\x001\x00\n\x00", Options{Arity: 2},
			"1:1 end: the text is UTF-32, or UTF-16 without a mark; save the file as UTF-8, or name its encoding in facts/3"},
		{"CR alone", "a,1\rb,2\r", Options{Arity: 2}, "1:1 end: the predicate has 2 arguments and the row has 3 fields; " +
			"name the columns by columns([...]); it contains a CR, which ends no line without LF"},
		{"CR alone behind names", "id,name\r1,Ann\r", Options{Arity: 2, Header: true}, "1:1 end: the predicate has 2 " +
			"arguments and the text has the columns id, name\r1, Ann; choose by columns([...]); it contains a CR, which " +
			"ends no line without LF"},
		{"blank lines", "a,1\n\nb,2\n\n", Options{Arity: 2}, "1 r(a,1)\n3 r(b,2)"},
		{"empty", "", Options{Arity: 2}, ""},
		{"empty, no header", "", Options{Arity: 2, Header: true},
			"1:1 end: the file is empty; a line with the names of the columns was expected"},
		{"header alone", "id,name\n", Options{Arity: 2, Header: true}, ""},

		{"lines", "{\"a\":1,\"b\":\"x\"}\n{\"b\":\"y\",\"a\":2.5,\"c\":0}\n",
			Options{Format: Lines, Arity: 2, Columns: []string{"b", "a"}}, "1 r(x,1)\n2 r(y,2.5)"},
		{"first object names the columns", "{\"a\":1,\"b\":\"x\"}\n{\"b\":\"y\"}\n", Options{Format: Lines, Arity: 2},
			"1 r(1,x)\n2 r(null,y)"},
		{"nested", "[[1,{\"k\":[true,null]}],[2,{}]]", Options{Format: JSON, Arity: 2}, "1 r(1,{k-[true,null]})\n1 r(2,{})"},
		{"array over lines", "[\n {\"a\":1},\n {\"a\":2}\n]\n", Options{Format: JSON, Arity: 1}, "2 r(1)\n3 r(2)"},
		{"exact", "[12345678901234567890123]\n[1.0]\n", Options{Format: Lines, Arity: 1},
			"1 r(12345678901234567890123)\n2 r(1.0)"},
		{"JSON types", "[\"a\",1]\n[\"b\",1.5]\n[3,2.0]\n", Options{Format: Lines, Arity: 2, Types: []Type{String, Integer}},
			"1 r(\"a\",1)\n2:1: expected an integer, got 1.5\n3:1: expected a text, got 3"},
		{"numbers beyond the largest float", "[1e400]\n{\"a\":[1,-1E+309]}\n[\"1e400\"]\n[1e-400]\n[[1e308],1e999]\n[2]\n",
			Options{Format: Lines, Arity: 1}, "1:1: the number 1e400 is too large\n2:1: the number -1E+309 is too large\n" +
				"3 r('1e400')\n4 r(0.0)\n5:1: the row has 2 items, expected 1\n6 r(2)"},
		{"large decimals", "[1e400]\n[2.5]\n", Options{Format: Lines, Arity: 1, Types: []Type{Decimal}},
			"1 r(1" + strings.Repeat("0", 400) + ")\n2 r(5r2)"},
		{"broken line", "{\"a\":1}\n{\"a\":}\n{\"a\":3}\n", Options{Format: Lines, Arity: 1},
			"1 r(1)\n2:6: invalid character '}' looking for beginning of value\n3 r(3)"},
		{"broken array", "[{\"a\":1},\n{\"a\" 2}]", Options{Format: JSON, Arity: 1},
			"1 r(1)\n2:6 end: invalid character '2' after object key"},
		{"cut array", "[[1],[2]", Options{Format: JSON, Arity: 1}, "1 r(1)\n1 r(2)\n1:9 end: the text ends within a value"},
		{"no array", "{\"a\":1}", Options{Format: JSON, Arity: 1},
			"1:1 end: a JSON array was expected; for one value a line use format(jsonl)"},
		{"members", "{\"a\":1,\"b\":2}", Options{Format: Lines, Arity: 1},
			"1:1: the predicate has 1 argument and the object has the members a, b; choose by columns([...])"},
		{"bracket too many", "[1]\n]\n[2]\n}\n", Options{Format: Lines, Arity: 1},
			"1 r(1)\n2:1: invalid character ']' looking for beginning of value\n3 r(2)\n" +
				"4:1: invalid character '}' looking for beginning of value"},
		{"members twice", "{\"a\":1,\"b\":2}\n{\"a\":1,\"b\":2,\"a\":3}\n{\"b\":1,\"c\":2,\"c\":3}\n",
			Options{Format: Lines, Arity: 2}, "1 r(1,2)\n2:1: the object has several members a\n3 r(null,1)"},
		{"members twice at first", "[{\"a\":1,\"a\":2}, {\"a\":1,\"b\":2}]", Options{Format: JSON, Arity: 2},
			"1:2: the predicate has 2 arguments and the object has the members a; choose by columns([...])\n1 r(1,2)"},
		{"JSON in another encoding", "[\"m\xfcsli\"]\n[\"x\"]\n", Options{Format: Lines, Arity: 1},
			"1:1: the text is not valid UTF-8; save the file as UTF-8, or name its encoding in facts/3\n2 r(x)"},
		{"JSON in UTF-16", "\xff\xfe[\x001\x00]\x00", Options{Format: JSON, Arity: 1},
			"1:1 end: the text is UTF-32, or UTF-16 without a mark; save the file as UTF-8, or name its encoding in facts/3"},
		{"JSON lines in UTF-16", "\xff\xfe[\x001\x00]\x00\n\x00", Options{Format: Lines, Arity: 1},
			"1:1 end: the text is UTF-32, or UTF-16 without a mark; save the file as UTF-8, or name its encoding in facts/3"},
		{"scalars", "1\n\"x\"\n", Options{Format: Lines, Arity: 1}, "1 r(1)\n2 r(x)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, read(tt.text, tt.o)) })
	}
}

// endless is a text of one character without end.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

func TestLongRows(t *testing.T) {
	for _, tt := range []struct {
		start string
		o     Options
	}{
		{"a,\"", Options{Arity: 2}}, {"a,", Options{Arity: 2}},
		{"[\"", Options{Format: Lines, Arity: 1}}, {"[[\"", Options{Format: JSON, Arity: 1}},
	} {
		r := NewReader(io.MultiReader(strings.NewReader(tt.start), endless('x')), &tt.o)
		_, err := r.Next()
		var end *End
		require.ErrorAs(t, err, &end)
		require.Contains(t, end.Message, "longer than 16 MiB")
	}
}

// numbered returns a text with a row for each number up to a million. One row has a text instead.
func numbered() string {
	const rows, odd = 1_000_000, 900_000
	var b strings.Builder
	for i := 1; i <= rows; i++ {
		if i == odd {
			b.WriteString("many\n")
			continue
		}
		fmt.Fprintln(&b, i)
	}
	return b.String()
}

// A guessed type fits all rows. A row without the given type is a mistake, and reading goes on.
func TestLateTypes(t *testing.T) {
	text := numbered()
	lines, first, err := readOnce(text, &Options{Arity: 1})
	require.ErrorIs(t, err, ErrGuess)
	require.Len(t, lines, 899_999)
	_, last, err := readOnce(text, &Options{Arity: 1, Known: first.Guessed().Types})
	require.ErrorIs(t, err, io.EOF)
	guessed := last.Guessed()
	require.Equal(t, []Type{Atom}, guessed.Types)
	require.Equal(t, []OddColumn{{1, 999_999, 1, false, "many", syntax.Place{Line: 900_000, Column: 1}}}, guessed.Odd)
	r := NewReader(strings.NewReader(text), &Options{Arity: 1, Types: []Type{Integer}})
	rows, mistakes := 0, []string{}
	for {
		_, err := r.Next()
		var bad *Mistake
		switch {
		case errors.Is(err, io.EOF):
			require.Equal(t, []string{`900000:1 expected an integer, got "many"`}, mistakes)
			require.Equal(t, 999_999, rows)
			return
		case errors.As(err, &bad):
			mistakes = append(mistakes, fmt.Sprintf("%d:%d %s", bad.Place.Line, bad.Place.Column, bad))
		default:
			require.NoError(t, err)
			rows++
		}
	}
}

// TestOddColumns checks that columns of numbers that became atoms because of few values are reported, and columns of
// codes are not.
func TestOddColumns(t *testing.T) {
	numbers := strings.Repeat("1\n2.5\n", 10)
	for text, want := range map[string]string{
		numbers + "x\n":                     "[{1 20 1 x 21:1}]",
		"n\n" + numbers:                     "[]", // a header
		numbers + "x\ny\n":                  "[{1 20 2 x 21:1}]",
		"1\nx\n":                            "[{1 1 1 x 2:1}]",
		"x\n1\ny\n":                         "[{1 1 1 y 3:1}]", // x may be a header
		"1\nx\ny\n":                         "[]",
		numbers + numbers + "x\n1\ny\n":     "[{1 41 2 x 41:1}]",
		numbers + "007\nx\n":                "[]",
		strings.Repeat("x\n", 30) + numbers: "[]",
		numbers + "\n3\n":                   "[]",
		"n\n\" 1\"\n\" 2\"\n":               "[{1 0 2  1 2:1}]",
		"n\n1.234\n1.234.567\n":             "[{1 1 1 1.234.567 3:1}]",
		"n\n\"1,5\"\n\"2,25\"\n":            "[{1 0 2 1,5 2:1}]",
		"n\n1 000\nx\n2 000\n":              "[]",
		"n\n1.2.3\n10.0.0.1\n2024-01-02\n":  "[]",
	} {
		o := Options{Arity: 1}
		_, r, err := readOnce(text, &o)
		for ; errors.Is(err, ErrGuess); _, r, err = readOnce(text, &o) {
			o.Known = r.Guessed().Types
		}
		require.ErrorIs(t, err, io.EOF)
		got := []string{}
		for _, odd := range r.Guessed().Odd {
			got = append(got, fmt.Sprintf("{%d %d %d %s %d:%d}", odd.Column, odd.Numbers, odd.Others, odd.Text, odd.Place.Line,
				odd.Place.Column))
		}
		require.Equal(t, want, fmt.Sprint(got), text)
	}
}

// TestOtherSeparators finds the separator within the only field of all rows.
func TestOtherSeparators(t *testing.T) {
	const noted = "all rows have one field; "
	for _, test := range []struct {
		text string
		o    Options
		want string
	}{
		{"k;v\na;b\n", Options{Arity: 1}, noted + `say separator(';') if that divides it at 1:1`},
		{"k;v\na;b\n", Options{Arity: 1, Header: true}, noted + `say separator(';') if that divides it at 1:1`},
		{"a\tb\n\nc\td\n", Options{Arity: 1}, noted + `say separator('\t') if that divides it at 1:1`},
		{"a|b;c|d\na|b|c\n", Options{Arity: 1}, noted + `say separator('|') if that divides it at 1:1`},
		{"a,b\nc,d\n", Options{Arity: 1, Format: TSV}, noted + `say separator(',') if that divides it at 1:1`},
		{"k;v\na;b\n", Options{Arity: 1, Separator: '|'}, ""},
		{"one; two\nthree\n", Options{Arity: 1}, ""},
		{"one; two\n", Options{Arity: 1}, ""},
		{"a;b,c\nd;e,f\n", Options{Arity: 2}, ""},
		{"a;1\nb;2\n", Options{Arity: 2}, "the predicate has 2 arguments and the row has 1 field; say separator(';') at 1:1"},
		{"ab\n", Options{Arity: 2}, "the predicate has 2 arguments and the row has 1 field; " +
			"name the columns by columns([...]) at 1:1"},
		{"k;v\na;1\n", Options{Arity: 2, Header: true}, "the predicate has 2 arguments and the text has the columns k;v; " +
			"say separator(';') at 1:1"},
	} {
		_, r, err := readOnce(test.text, &test.o)
		got := ""
		var end *End
		if errors.As(err, &end) {
			got = fmt.Sprintf("%s at %d:%d", end, end.Place.Line, end.Place.Column)
		}
		for _, m := range r.Guessed().Noted {
			got += fmt.Sprintf("%s at %d:%d", m, m.Place.Line, m.Place.Column)
		}
		require.Equal(t, test.want, got, test.text)
	}
}

func TestDeepValues(t *testing.T) {
	r := NewReader(strings.NewReader(strings.Repeat("[", 1<<20)), &Options{Format: Lines, Arity: 1})
	_, err := r.Next()
	require.ErrorContains(t, err, "exceeded max depth")
}

func FuzzRows(f *testing.F) {
	f.Add("a,1\n\"b\"\"\",2\n", uint8(0))
	f.Add("[{\"a\":[1,2]}]", uint8(1))
	f.Add("{\"a\":1}\n[", uint8(2))
	f.Fuzz(func(t *testing.T, text string, format uint8) {
		formats := []Format{CSV, JSON, Lines, TSV}
		o := Options{Format: formats[int(format)%len(formats)], Arity: 2}
		require.NotContains(t, read(text, o), "\x00never\x00")
	})
}

// Exact values keep their digits, and an impossible one is a mistake at its place.
func TestExactTypes(t *testing.T) {
	exact := []Type{Decimal, Date}
	comma := Options{Format: CSV, Types: exact, Separator: ';', DecimalComma: true}
	named := Options{Format: Lines, Types: exact, Columns: []string{"a", "b"}}
	for _, tt := range []struct {
		o          Options
		text, want string
	}{
		{Options{Format: CSV, Types: exact}, "0.10,2024-02-29", "1 r(1r10,date(2024,2,29))"},
		{Options{Format: CSV, Types: exact}, "12345678901234567890.5,", "1 r(24691357802469135781r2,null)"},
		{Options{Format: CSV, Types: exact}, "2,2023-02-29",
			`1:3: expected a date such as 2026-01-31, got "2023-02-29": February 2023 has no day 29; ` +
				"if the first line names the columns, say header(true)"},
		{comma, "0,10;2024-02-29", "1 r(1r10,date(2024,2,29))"},
		{comma, "\n0.10;2024-02-29", `2:1: expected a decimal number, got "0.10"`},
		{named, `[0.10, "2024-02-29"]`, "1 r(1r10,date(2024,2,29))"},
		{named, `["0.5", null]`, "1 r(1r2,null)"},
		{named, `[1.23456789012345678901, null]`, "1 r(123456789012345678901r100000000000000000000,null)"},
		{named, `{"a": true}`, `1:1: a: expected a decimal number, got "true"`},
		{named, `{"a": 1, "b": "2024-13-01"}`,
			`1:1: b: expected a date such as 2026-01-31, got "2024-13-01": there is no month 13`},
		{named, `{"a": 1, "b": 20240101}`, `1:1: b: expected a date such as 2026-01-31, got "20240101"`},
	} {
		tt.o.Arity = 2
		require.Equal(t, tt.want, read(tt.text, tt.o), tt.text)
	}
}

// FuzzFields compares fields and mistakes with those of encoding/csv.
func FuzzFields(f *testing.F) {
	for _, text := range []string{
		"a,b\n", "\"a\"\"b\",c\r\n\r\nd", "\"a\r\nb\",\"\"\n,\n", "a\"b\nc", "\"a\"b", "\"a", "\r", "a\r",
		"x,\"\"\"\ny\",z\n", "\xff,a\n",
	} {
		f.Add(text, true)
		f.Add(strings.ReplaceAll(text, ",", "¦"), false)
	}
	f.Fuzz(func(t *testing.T, text string, comma bool) {
		separator := '¦'
		if comma {
			separator = ','
		}
		own, other := newCSVText(strings.NewReader(text), separator, false), csv.NewReader(strings.NewReader(text))
		if isWide([]byte(text)) || strings.HasPrefix(text, "\uFEFF") {
			return
		}
		other.Comma, other.FieldsPerRecord = separator, -1
		for {
			err := own.next()
			record, wrong := other.Read()
			require.Equal(t, wrong == nil, err == nil, "%v %v", err, wrong)
			if errors.Is(wrong, csv.ErrBareQuote) {
				require.IsType(t, &Mistake{}, err)
				continue
			}
			if err != nil {
				require.Equal(t, errors.Is(wrong, io.EOF), errors.Is(err, io.EOF))
				return
			}
			require.Len(t, own.fields, len(record))
			for i, field := range record {
				require.Equal(t, field, string(own.fields[i]))
				line, column := other.FieldPos(i)
				require.Equal(t, syntax.Place{Line: line, Column: column}, own.places[i])
			}
		}
	})
}
