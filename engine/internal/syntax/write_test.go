package syntax

import (
	"errors"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/term"
)

// TestWriteOptions has its expected values from swipl 9.0.4, save those of brace terms, which ISO
// undoes with the other operators.
func TestWriteOptions(t *testing.T) {
	numbers := "[" + strings.Repeat("1,", 29) + "1]"
	for _, c := range []struct {
		text string
		o    WriteOptions
		want string
	}{
		{"f('A b',\"s\",[])", WriteOptions{}, "f(A b,s,[])"},
		{"'$VAR'(1)", WriteOptions{}, "$VAR(1)"},
		{"'$VAR'(1)", WriteOptions{Quoted: true}, "'$VAR'(1)"},
		{"'$VAR'(51)", WriteOptions{NumberVars: true}, "Z1"},
		{numbers, WriteOptions{MaxDepth: 5}, "[1,1,1,1|...]"},
		{"f(" + numbers + ")", WriteOptions{MaxDepth: 5}, "f([1,1,1|...])"},
		{"f(g(h(i(j(k)))))", WriteOptions{MaxDepth: 3}, "f(g(h(...)))"},
		{"1+2+3+4+5+6+7", WriteOptions{MaxDepth: 3}, "... + ... + 6+7"},
		{"[a,b|c]", WriteOptions{DotLists: true, Quoted: true}, "'.'(a,'.'(b,c))"},
		{"[a]", WriteOptions{NoLists: true, Quoted: true}, "'.'(a,[])"},
		{"[a,b|c]", WriteOptions{IgnoreOps: true}, "[a,b|c]"},
		{"1+2*3", WriteOptions{IgnoreOps: true}, "+(1,*(2,3))"},
		{"{a,b}", WriteOptions{IgnoreOps: true, Quoted: true}, "{}(','(a,b))"},
		{"{a,b}", WriteOptions{IgnoreOps: true, Quoted: true, BraceTerms: true}, "{','(a,b)}"},
		{"f(a,b,[c,d])", WriteOptions{SpaceArgs: true}, "f(a, b, [c, d])"},
		{"a:-b,c", WriteOptions{SpaceArgs: true}, "a:-b, c"},
		{"a+b*c=d", WriteOptions{SpaceArgs: true}, "a+b*c=d"},
		{"{a,b}", WriteOptions{SpaceArgs: true}, "{a, b}"},
		{"1+2", WriteOptions{Priority: 400}, "(1+2)"},
		{"a:-b", WriteOptions{Priority: 999}, "(a:-b)"},
		{"- a", WriteOptions{Priority: 100}, "(-a)"},
		{"+", WriteOptions{Priority: 1}, "+"},
		{":-", WriteOptions{Priority: 999}, ":-"},
		{"1.5+0.1", WriteOptions{FloatFormat: "%.3f"}, "1.500+0.100"},
		{"f(ab)", WriteOptions{Portray: func(t term.Term) (string, bool) { return "<>", t == term.Term(term.Atom("ab")) }},
			"f(<>)"},
		{"'a b'+'C'", WriteOptions{}, "a b+C"},
		{"1 - (-1)", WriteOptions{}, "1- -1"},
	} {
		t.Run(c.text, func(t *testing.T) {
			read, err := ParseTerm(c.text, nil, nil)
			require.NoError(t, err)
			require.Equal(t, c.want, Format(read.Term, &c.o))
		})
	}
}

func TestVarNames(t *testing.T) {
	read, err := ParseTerm("f(X,Y,X)", nil, nil)
	require.NoError(t, err)
	x, y := read.Vars[0].Var, read.Vars[1].Var
	require.Equal(t, "f(Foo,_"+strconv.FormatInt(y.ID, 10)+",Foo)",
		Format(read.Term, &WriteOptions{VarNames: map[*term.Var]string{x: "Foo"}}))
}

func TestMaxBytes(t *testing.T) {
	read, err := ParseTerm("[aé,bé,cé,dé]", nil, nil)
	require.NoError(t, err)
	for limit := 1; limit < 17; limit++ {
		var b strings.Builder
		require.Equal(t, ErrTooLong, Write(&b, read.Term, &WriteOptions{MaxBytes: limit}))
		require.LessOrEqual(t, b.Len(), limit)
		require.True(t, strings.HasPrefix("[aé,bé,cé,dé]", b.String()))
	}
	require.Equal(t, "[aé,bé,cé,dé]", Format(read.Term, &WriteOptions{MaxBytes: 17}))
	require.Equal(t, "abc", Format(term.Atom("abcdef"), &WriteOptions{MaxBytes: 3}))
}

type failingWriter struct{}

var errDisk = errors.New("disk full")

func (failingWriter) Write([]byte) (int, error) { return 0, errDisk }

func TestWriteError(t *testing.T) {
	require.Equal(t, errDisk, Write(failingWriter{}, term.Atom("a"), nil))
}

// TestCycles has its expected values from swipl 9.0.4 for Cycles.
func TestCycles(t *testing.T) {
	loop := &term.Compound{Functor: "f", Args: []term.Term{nil, term.Atom("y"), nil}}
	loop.Args[0], loop.Args[2] = loop, loop
	list := &term.Compound{Functor: ".", Args: []term.Term{term.Atom("a"), nil}}
	list.Args[1] = term.PartialList(list, term.Atom("b"))
	inner := &term.Compound{Functor: "f", Args: []term.Term{nil}}
	inner.Args[0] = inner
	plus := &term.Compound{Functor: "+", Args: []term.Term{term.Int(1), nil}}
	plus.Args[1] = plus
	for _, c := range []struct {
		t           term.Term
		cycles, not string
	}{
		{loop, "@(S_1,[S_1=f(S_1,y,S_1)])", "f(...,y,...)"},
		{list, "@(S_1,[S_1=[a,b|S_1]])", "[a,b|...]"},
		{term.New("g", inner, inner), "@(g(S_1,S_1),[S_1=f(S_1)])", "g(f(...),f(...))"},
		{plus, "@(S_1,[S_1=1+S_1])", "1+ ..."},
	} {
		require.Equal(t, c.cycles, Format(c.t, &WriteOptions{Cycles: true}))
		require.Equal(t, c.not, Format(c.t, nil))
		var b strings.Builder
		require.NoError(t, PortrayClause(&b, term.New(":-", term.Atom("a"), c.t), nil))
		require.Equal(t, ErrTooLong, Write(&b, c.t, &WriteOptions{Cycles: true, MaxBytes: 3}))
	}
	conj := &term.Compound{Functor: ",", Args: []term.Term{term.Atom("a"), nil}}
	conj.Args[1] = conj
	var b strings.Builder
	require.NoError(t, PortrayClause(&b, conj, nil))
}

func TestFormatFloat(t *testing.T) {
	for f, want := range map[float64]string{ // from swipl 9.0.4
		1: "1.0", 1e10: "10000000000.0", 1e14: "100000000000000.0", 1e15: "1.0e+15", 1e22: "1.0e+22", 0.1: "0.1",
		0.0001: "0.0001", 0.00001: "1.0e-5", 0.000123: "0.000123", 123456789012345: "123456789012345.0",
		1234567890123456: "1.234567890123456e+15", 1.2345e-5: "1.2345e-5", 5e-324: "5.0e-324",
		math.MaxFloat64: "1.7976931348623157e+308", math.Inf(1): "1.0Inf", math.Inf(-1): "-1.0Inf",
		math.Copysign(0, -1): "-0.0", 1188618257784862.2: "1188618257784862.2", -1000000000000000.5: "-1000000000000000.5",
		12345678901234567: "1.2345678901234568e+16",
	} {
		require.Equal(t, want, FormatFloat(f))
	}
	require.Equal(t, "1.5NaN", FormatFloat(math.NaN()))
	require.Equal(t, "0.0", FormatFloat(0))
}

// TestPortrayClause lays out the clauses of a file and compares with what swipl 9.0.4 prints.
func TestPortrayClause(t *testing.T) {
	metas := map[string]string{"findall": "?0-", "forall": "00", "catch": "0?0", "\\+": "0", "once": "0", "not": "0",
		"ignore": "0", "call": "0", "setup_call_cleanup": "000", "with_output_to": "?0", "aggregate_all": "?0?",
		"call_cleanup": "00"}
	text, err := os.ReadFile("testdata/portray.pl")
	require.NoError(t, err)
	p := NewParser(NewTextInput("portray.pl", string(text)), nil, nil)
	var got strings.Builder
	for {
		read, err := p.Read()
		if err != nil {
			break
		}
		require.NoError(t, PortrayClause(&got, read.Term, &WriteOptions{Metas: func(name string, _ int) string {
			return metas[name]
		}}))
	}
	require.Equal(t, string(text), got.String())
}

func TestPortrayNames(t *testing.T) {
	read, err := ParseTerm("f(X, Y, Z, X, Y, B) :- Z", nil, nil)
	require.NoError(t, err)
	var b strings.Builder
	require.NoError(t, PortrayClause(&b, read.Term, &WriteOptions{VarNames: map[*term.Var]string{read.Vars[0].Var: "A"}}))
	require.Equal(t, "f(A, B, C, A, B, _) :-\n    C.\n", b.String())
}
