package syntax

import (
	"encoding/json"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/term"
)

// seed adds the texts of the tables, here and in the conformance table of syntax.
func seed(f *testing.F) {
	text, err := os.ReadFile("../../../testdata/iso/syntax.jsonl")
	require.NoError(f, err)
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		var c struct{ Text string }
		require.NoError(f, json.Unmarshal([]byte(line), &c))
		f.Add(strings.TrimSuffix(c.Text, "."), i%2 == 0)
		f.Add(c.Text, i%2 == 0)
	}
	for _, file := range []string{"read.txt", "iso.txt", "errors.txt", "write.txt"} {
		text, err := os.ReadFile("testdata/" + file)
		require.NoError(f, err)
		for i, line := range strings.Split(string(text), "\n") {
			if text, _, ok := strings.Cut(line, " ==> "); ok {
				f.Add(strings.ReplaceAll(text, "␤", "\n"), i%2 == 0)
			}
		}
	}
}

// FuzzRead checks that reading a whole text never panics, terminates, and gives positions inside the text.
func FuzzRead(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, text string, lenient bool) {
		if len(text) > 1<<12 {
			return
		}
		in := NewInput("fuzz", &chunks{text, 7})
		p := NewParser(in, nil, &Flags{Lenient: lenient})
		p.Positions, p.Spans = true, true
		if strings.HasPrefix(text, "&") {
			p.Conversion = map[rune]rune{'&': ',', '^': '\'', '%': '.'}
		}
		for n := 0; ; n++ {
			require.LessOrEqual(t, n, len(text)+1)
			read, err := p.Read()
			if err == io.EOF {
				break
			}
			if err != nil {
				var syntaxError *Error
				require.ErrorAs(t, err, &syntaxError)
				require.Positive(t, syntaxError.Pos.Line)
				require.Positive(t, syntaxError.Pos.Column)
				continue
			}
			require.NotNil(t, read.Term)
			require.NotNil(t, read.Layout)
			requireNested(t, read.Span)
		}
		require.Equal(t, len(text), in.Bytes())
	})
}

// requireNested requires that the parts of a span are within it.
func requireNested(t *testing.T, root *Span) {
	require.NotNil(t, root)
	for todo := []*Span{root}; len(todo) > 0; {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		require.Less(t, s.From, s.To)
		parts := s.Args
		if s.Tail != nil {
			parts = append(slices.Clone(parts), s.Tail)
		}
		for _, part := range parts {
			require.LessOrEqual(t, s.From, part.From)
			require.LessOrEqual(t, part.To, s.To)
		}
		todo = append(todo, parts...)
	}
}

// FuzzWriteRead writes what it reads, and reads an equal term back, under its own flags, in both notations.
func FuzzWriteRead(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, text string, lenient bool) {
		flags := &Flags{Lenient: lenient}
		read, err := ParseTerm(text, nil, flags)
		if err != nil || len(text) > 1<<12 {
			return
		}
		for _, o := range []WriteOptions{{Quoted: true}, {Quoted: true, IgnoreOps: true, DotLists: true},
			{Quoted: true, SpaceArgs: true}} {
			o.VarNames = map[*term.Var]string{}
			for _, v := range read.Vars {
				o.VarNames[v.Var] = v.Name
			}
			written := Format(read.Term, &o)
			back, err := ParseTerm(written, nil, flags)
			require.NoError(t, err, written)
			require.True(t, sameTerm(read.Term, back.Term), written)
		}
	})
}

// sameTerm compares up to the names of variables; NaN is equal to itself.
func sameTerm(a, b term.Term) bool {
	type pair struct{ a, b term.Term }
	vars := map[*term.Var]*term.Var{}
	stack := []pair{{a, b}}
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch a := p.a.(type) {
		case *term.Var:
			b, ok := p.b.(*term.Var)
			if known := vars[a]; !ok || known != nil && known != b {
				return false
			}
			vars[a] = b
		case *term.Compound:
			b, ok := p.b.(*term.Compound)
			if !ok || a.Functor != b.Functor || len(a.Args) != len(b.Args) {
				return false
			}
			for i := range a.Args {
				stack = append(stack, pair{a.Args[i], b.Args[i]})
			}
		case term.Float:
			b, ok := p.b.(term.Float)
			if !ok || math.Float64bits(float64(a)) != math.Float64bits(float64(b)) && !(a != a && b != b) {
				return false
			}
		default:
			if !term.Equal(a, p.b) {
				return false
			}
		}
	}
	return true
}
