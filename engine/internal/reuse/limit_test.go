package reuse_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
)

// TestLimit loads texts twice with a cache that has room for 10,000 facts in arrays, but not for their text.
func TestLimit(t *testing.T) {
	const n = 5000
	var facts, rules strings.Builder
	for i := range n {
		fmt.Fprintf(&facts, "fact(%d, \"some words that every fact of this text has\").\n", i)
		fmt.Fprintf(&rules, "rule(X, %d) :- fact(X, _), X > %d.\n", i, i)
	}
	for _, test := range []struct {
		name   string
		texts  []string
		parsed []string
		goal   string
		want   engine.Term
	}{
		{"facts", []string{facts.String(), "small(1)."}, nil, "fact(4999, _), X = 1", term.Int(1)},
		{"rules", []string{facts.String(), rules.String(), "small(1)."}, []string{"b.pl"}, "rule(4999, X)", term.Int(0)},
		{"one text", []string{facts.String() + rules.String() + facts.String(), "small(1)."}, []string{"a.pl"},
			"aggregate_all(count, fact(_, _), X)", term.Int(2 * n)},
	} {
		t.Run(test.name, func(t *testing.T) {
			var sources []source.File
			for i, text := range test.texts {
				sources = append(sources, source.File{Name: string(rune('a'+i)) + ".pl", Text: text})
			}
			cache := &host.LoadCache{}
			cache.SetLimit(10_000 * 8)
			for range 3 {
				p := engine.New(&engine.Options{LoadCache: cache})
				require.NoError(t, p.Load(context.Background(), sources...))
				s, err := p.Once(context.Background(), test.goal, nil)
				require.NoError(t, err)
				require.Equal(t, test.want, s.Get("X"))
			}
			require.Equal(t, test.parsed, cache.Parsed())
		})
	}
}
