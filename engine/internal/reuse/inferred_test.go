package reuse_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/source"
)

// A load that follows another one infers types for the predicates that have changed and for those that call them,
// directly or not, and for no others. It finds the same mistakes as a load of the same texts alone.
func TestInferredAgain(t *testing.T) {
	const files, rules = 50, 4
	text := func(file int) string {
		var b strings.Builder
		for i := range rules {
			fmt.Fprintf(&b, "p%d_%d(X, Y) :- q%[1]d(X, Z), p%d_%d(Z, Y).\n", file, i, max(file-1, 0)/10*10, max(i-1, 0))
		}
		fmt.Fprintf(&b, "p%d_0(X, X).\nq%[1]d(a, %[1]d).\nq%[1]d(b, %[1]d).\nr%[1]d(X) :- q%[1]d(X, b).\n", file)
		return b.String()
	}
	var list []source.File
	for i := range files {
		list = append(list, source.File{Name: fmt.Sprint("f", i, ".pl"), Text: text(i)})
	}
	cache := &host.LoadCache{}
	load := func(o *engine.Options) (found []string) {
		o.Lint, o.Lenient = true, true
		p := engine.New(o)
		_ = p.Load(t.Context(), list...)
		for _, d := range p.Diagnostics() {
			found = append(found, d.String())
		}
		return found
	}
	const file, all = rules + 2, files * (rules + 2)
	for _, step := range []struct {
		name     string
		file     int
		from, to string
		most     int
	}{
		{"the first load", 0, "", "", all},
		{"nothing has changed", 0, "", "", 0},
		{"a fact that two rules ask", 7, "q7(b, 7).", "q7(b, none).", file},
		{"a rule that no other one calls", 8, "q8(X, b)", "q8(b, X)", file},
		{"a rule that those of ten files call", 10, "p10_0(X, X).", "p10_0(X, _).", file + 10*rules},
		{"a predicate more", 9, "q9(a, 9).", "q9(a, 9).\nnew(a).", file + 1},
		{"a predicate less", 9, "\nnew(a).", "", file},
		{"a call of what is not there", 11, "r11(X) :- q11(X, b).", "r11(X) :- away(X), q11(X, b).", file},
		{"a definition of it", 12, "q12(a, 12).", "q12(a, 12).\naway(1).", file + 2},
	} {
		list[step.file].Text = strings.Replace(list[step.file].Text, step.from, step.to, 1)
		found := load(&engine.Options{LoadCache: cache})
		require.Equal(t, load(&engine.Options{}), found, step.name)
		require.NotEmpty(t, found)
		looked := cache.Inferred().Looked()
		require.LessOrEqual(t, looked, step.most, step.name)
		require.Equal(t, step.most > 0, looked > 0, step.name)
	}
}
