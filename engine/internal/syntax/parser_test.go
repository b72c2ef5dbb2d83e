package syntax

import (
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/term"
)

func TestFlags(t *testing.T) {
	for _, c := range []struct {
		text  string
		flags Flags
		want  string
	}{
		{`f("aé",""," ")`, Flags{}, `f("aé",""," ")`},
		{`f("aé","")`, Flags{DoubleQuotes: Codes}, `f([97,233],[])`},
		{`f("aé","")`, Flags{DoubleQuotes: Chars}, `f([a,é],[])`},
		{`f("a b","")`, Flags{DoubleQuotes: Atom}, `f('a b','')`},
		{"f(`aé`,``)", Flags{}, `f([97,233],[])`},
		{"f(`aé`)", Flags{BackQuotes: Chars}, `f([a,é])`},
		{"f(`aé`)", Flags{BackQuotes: String}, `f("aé")`},
		{"f(`a b`)", Flags{BackQuotes: Atom}, `f('a b')`},
		{"f(Xy,_y)", Flags{VarPrefix: true}, `f('Xy',_)`},
		{"Xy(a)", Flags{VarPrefix: true}, `'Xy'(a)`},
		{"X = +", Flags{Lenient: true}, `=(_,+)`},
		{"f(a:-b,c;d)", Flags{Lenient: true}, `f(:-(a,b),;(c,d))`},
		{"[a:-b|c->d]", Flags{Lenient: true}, `[:-(a,b)|->(c,d)]`},
		{"'a\tb\\e\\s\\x41z'", Flags{Lenient: true}, `'a\tb\x1B\\x20\Az'`},
		{"'a\nb\\c\n  d'", Flags{Lenient: true}, `'a\nbd'`},
		{"f(1E3,16'FF,36'zZ,0'\\e,0'\t)", Flags{Lenient: true}, `f(1000.0,255,1295,27,9)`},
		{"- = x", Flags{Lenient: true}, `=(-,x)`},
	} {
		t.Run(c.text, func(t *testing.T) {
			read, err := ParseTerm(c.text, nil, &c.flags)
			require.NoError(t, err)
			require.Equal(t, strings.ReplaceAll(c.want, `\x20\`, " "), canonical(read.Term))
		})
	}
}

// TestFlagsAndOpsActAtOnce changes the operators and flags between two clauses of one text.
func TestFlagsAndOpsActAtOnce(t *testing.T) {
	ops, flags := NewOps(StandardOps()), &Flags{}
	p := NewParser(NewTextInput("", `a. f(x ==> "y"). f(x ~~> "y").`), ops, flags)
	_, err := p.Read()
	require.NoError(t, err)
	ops.Add(700, XFX, "~~>")
	ops.Add(700, XFX, "==>")
	flags.DoubleQuotes = Atom
	for _, want := range []string{"f(==>(x,y))", "f(~~>(x,y))"} {
		read, err := p.Read()
		require.NoError(t, err)
		require.Equal(t, want, canonical(read.Term))
	}
}

func TestVars(t *testing.T) {
	read, err := ParseTerm("f(X, _, Y, _Z, X,\n _, Y, X)", nil, nil)
	require.NoError(t, err)
	var got []string
	for _, v := range read.Vars {
		require.Equal(t, v.Name, v.Var.Name)
		got = append(got, fmt.Sprintf("%s %d %d:%d", v.Name, v.Count, v.Pos.Line, v.Pos.Column))
	}
	require.Equal(t, []string{"X 3 1:3", "Y 2 1:9", "_Z 1 1:12"}, got)
	args, _ := term.Is(read.Term, "f", 8)
	require.NotEqual(t, args[1], args[5], "each _ is a variable of its own")
	require.Equal(t, args[0], args[7])

	var names []string
	for i := range 100 {
		names = append(names, fmt.Sprintf("V%d", i), "V0")
	}
	read, err = ParseTerm("["+strings.Join(names, ",")+"]", nil, nil)
	require.NoError(t, err)
	require.Len(t, read.Vars, 100)
	require.Equal(t, 101, read.Vars[0].Count)
}

// TestLayout checks the place of every subterm; parentheses are not part of it.
func TestLayout(t *testing.T) {
	const text = "p(X) :-\n  q([X, a|T]),\n  ( \\+ r -> - 1 ; {s} ).\n"
	p := NewParser(NewTextInput("p.pl", "\n"+text), nil, nil)
	p.Positions = true
	read, err := p.Read()
	require.NoError(t, err)
	require.Equal(t, "p.pl:2:1", read.Pos.String())
	require.Equal(t, "p.pl:4:25", read.End.String())
	var got []string
	var visit func(t term.Term, l *Layout)
	visit = func(s term.Term, l *Layout) {
		got = append(got, fmt.Sprintf("%d:%d %s", l.Pos.Line, l.Pos.Column, varName.ReplaceAllString(Format(s, nil), "_")))
		if c, ok := s.(*term.Compound); ok {
			require.Len(t, l.Args, len(c.Args))
			for i := range c.Args {
				visit(c.Args[i], l.Args[i])
			}
		}
	}
	visit(read.Term, read.Layout)
	require.Equal(t, []string{
		"2:1 p(_):-q([_,a|_]),(\\+r-> -1;{s})", "2:1 p(_)", "2:3 _",
		"3:3 q([_,a|_]),(\\+r-> -1;{s})", "3:3 q([_,a|_])", "3:5 [_,a|_]", "3:6 _", "3:9 [a|_]", "3:9 a", "3:11 _",
		"4:5 \\+r-> -1;{s}", "4:5 \\+r-> -1", "4:5 \\+r", "4:8 r", "4:13 -1", "4:19 {s}", "4:20 s",
	}, got)
}

func TestClauses(t *testing.T) {
	p := NewParser(NewTextInput("a.pl", "#!/usr/bin/env mcplogic\n:- a.\n% c\nb. 'c'.% d\ne(\"f. g\"). /* x. */ h"),
		nil, nil)
	var got []string
	for {
		read, err := p.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			got = append(got, err.Error())
			continue
		}
		got = append(got, read.Pos.String()+" "+canonical(read.Term))
	}
	require.Equal(t, []string{"a.pl:2:1 :-(a)", "a.pl:4:1 b", "a.pl:4:4 c", `a.pl:5:1 e("f. g")`,
		"a.pl:5:22: unexpected end of file: the clause is not closed by a full stop"}, got)
}

func TestParseTerm(t *testing.T) {
	for _, text := range []string{"", "  ", "% c"} {
		_, err := ParseTerm(text, nil, nil)
		require.Equal(t, io.EOF, err)
	}
	for text, msg := range map[string]string{
		"a. b":   "1:4: unexpected text after the end of the term",
		"a. 'b":  "1:4: the quoted atom that begins here is not closed",
		"f(a":    "1:4: unexpected end of file: f( of 1:1 is still open",
		"a b":    "1:3: operator expected, got b",
		"a. /*":  "1:4: the comment that begins here is not closed by */",
		"f(x) y": "1:6: operator expected, got y",
	} {
		_, err := ParseTerm(text, nil, nil)
		require.EqualError(t, err, msg)
	}
	read, err := ParseTerm("\xff'a\xff'\xff", nil, nil)
	require.Error(t, err)
	require.Nil(t, read)
	for text, want := range map[string]string{
		"\xff\xfea\x00.\x00": "1:1: the text is UTF-16;",
		"\xfe\xff\x00a\x00.": "1:1: the text is UTF-16;",
		"a\x00.\x00":         "1:2: the text is UTF-16;",
		"\x00a\x00.":         "1:1: the text is UTF-16;",
		"p(\n caf\xe9).":     "2:5: the byte 0xE9 is not UTF-8",
		"p('caf\xe9').":      "(column 7)",
		"p('caf\xe9').  ":    "1:3: the byte 0xE9 is not UTF-8",
		"p(\"\\n\n\xe9\").":  "(2:1)",
		"p(`\xe9`).":         "(column 4)",
		"p(0'\xe9).":         "0xE9",
		"p('\xc3').":         "0xC3",
		"p(\xe9t\xe9).":      "1:3: the byte 0xE9",
		"p(''\xe9'')":        "the byte 0xE9",
		"p(abc, \x00).":      "1:8: illegal character U+0000",
	} {
		_, err := ParseTerm(text, nil, nil)
		require.ErrorContains(t, err, want, "%q", text)
	}
	for _, text := range []string{"\ufeffp('\ufffd').", "p('é', \"€😀\", 0'é). % \xe9", "/* \xe9 */ p."} {
		_, err := ParseTerm(text, nil, nil)
		require.NoError(t, err, "%q", text)
	}
}

func TestParseNumber(t *testing.T) {
	for text, want := range map[string]string{
		"1": "1", " 1": "1", "\n\t 12": "12", "-1": "-1", "- 1": "-1", "+1": "1", "+ 1": "1", "0x1F": "31", "-0x1f": "-31",
		"0'a": "97", "0'\\n": "10", "0'''": "39", "0b101": "5", "0o17": "15", "1.5": "1.5", "-1.5e3": "-1500.0",
		"1e10": "10000000000.0", "1.0Inf": "1.0Inf",
		"-1.0Inf": "-1.0Inf", "1.5NaN": "1.5NaN", "1_000": "1000", "/* c */ 7": "7", "% c\n7": "7", "-0.0": "-0.0",
		"123456789012345678901234567890": "123456789012345678901234567890", "-9223372036854775808": "-9223372036854775808",
		"'-'1": "-1",
	} {
		n, err := ParseNumber(text, nil, nil)
		require.NoError(t, err, text)
		require.Equal(t, want, Format(n, nil), text)
	}
	for _, text := range []string{"", " ", "a", "1 ", "1a", "--1", "1 2", "1.", "1e", "0x", "0'", "0'ab", "'1'", "\"1\"",
		"1.0e999", "(1)", "1/*", "X", "- - 1"} {
		_, err := ParseNumber(text, nil, nil)
		var syntaxError *Error
		require.ErrorAs(t, err, &syntaxError, text)
	}
	n, err := ParseNumber("-9223372036854775808", nil, nil)
	require.NoError(t, err)
	require.Equal(t, term.Term(term.Int(math.MinInt64)), n)
}

func TestOps(t *testing.T) {
	system := StandardOps()
	user := NewOps(system)
	user.Add(0, XFX, "is")
	user.Add(700, XFX, "===")
	user.Add(200, XF, "!!")
	_, ok := user.Infix("is")
	require.False(t, ok, "removed here")
	require.False(t, user.Is("is"))
	_, ok = system.Infix("is")
	require.True(t, ok, "still there")
	clone := user.Clone()
	clone.Add(0, XFX, "===")
	op, ok := user.Infix("===")
	require.True(t, ok)
	require.Equal(t, Op{700, XFX, "==="}, op)
	op, ok = user.Prefix("-")
	require.True(t, ok)
	require.Equal(t, "fy", op.Type.String())
	op, ok = user.Postfix("!!")
	require.True(t, ok)
	require.Equal(t, 199, op.leftMax())
	require.Len(t, user.All(), len(system.All())+1)
	for _, op := range system.All() {
		typ, ok := ParseOpType(op.Type.String())
		require.True(t, ok)
		require.Equal(t, op.Type, typ)
	}
	_, ok = ParseOpType("yfy")
	require.False(t, ok)
}
