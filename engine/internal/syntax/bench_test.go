package syntax

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/term"
)

// BenchmarkReadFacts reads 1000 small facts an iteration.
func BenchmarkReadFacts(b *testing.B) {
	text := strings.Repeat("f(1, abc, \"x\").\n", 1000)
	b.ReportAllocs()
	for b.Loop() {
		p := NewParser(NewTextInput("facts.pl", text), nil, nil)
		n := 0
		for ; ; n++ {
			if _, err := p.Read(); err == io.EOF {
				break
			}
		}
		require.Equal(b, 1000, n)
	}
}

// BenchmarkReadRules reads 1000 clauses with operators and variables an iteration.
func BenchmarkReadRules(b *testing.B) {
	text := strings.Repeat("path(X, Y, [X|P]) :- edge(X, Z), \\+ X = Y, N is Z + 1 * 2, path(N, Y, P).\n", 1000)
	b.ReportAllocs()
	for b.Loop() {
		p := NewParser(NewTextInput("rules.pl", text), nil, nil)
		for {
			if _, err := p.Read(); err == io.EOF {
				break
			}
		}
	}
}

// BenchmarkWrite writes 1000 clauses an iteration.
func BenchmarkWrite(b *testing.B) {
	r, err := ParseTerm("path(X, Y, [X|P]) :- edge(X, Z), \\+ X = Y, N is Z + 1 * 2, path(N, Y, P)", nil, nil)
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		for range 1000 {
			_ = Write(io.Discard, r.Term, &WriteOptions{Quoted: true})
		}
	}
}

// BenchmarkWriteList writes a list of 100,000 numbers an iteration.
func BenchmarkWriteList(b *testing.B) {
	var items []term.Term
	for i := range 100_000 {
		items = append(items, term.Int(i))
	}
	list := term.List(items...)
	b.ReportAllocs()
	for b.Loop() {
		_ = Write(io.Discard, list, nil)
	}
}
