package kb_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/tools/heaptest"
)

// TestBasesAreForgotten opens, reloads and drops knowledge bases, with a store and without. A dropped one that is still
// referenced shows as a growing heap.
func TestBasesAreForgotten(t *testing.T) {
	const rules = `:- dynamic(seen/1).
tools([twice/2]).
:- mode(twice(+integer, -integer), one).
:- info(twice/2, [comment is 'Doubles.', argnames is [number, doubled]]).
twice(N, M) :- M is N*%d.
:- persistent(order/2).
`
	dir := t.TempDir()
	file := filepath.Join(dir, "rules.pl")
	edit := func(n int) { save(t, file, fmt.Sprintf(rules, n)) }
	edit(2)
	open := func(o *kb.Options) *kb.Base {
		base, err := kb.Open(t.Context(), []string{file}, o)
		require.NoError(t, err)
		return base
	}
	ask := func(base *kb.Base, n int) {
		_, err := base.Snapshot().Program.Once(t.Context(), fmt.Sprintf("twice(%d, M), assertz(seen(M))", n),
			&engine.RunOptions{Transaction: true})
		require.NoError(t, err)
	}
	kept := open(nil)
	for name, use := range map[string]func(n int){
		"opened": func(n int) { ask(open(nil), n) },
		"reloaded": func(n int) {
			edit(n)
			require.NoError(t, kept.Reload(t.Context()).Err)
			ask(kept, 1)
		},
		"stored": func(n int) {
			store, err := kb.OpenStore("file:"+filepath.Join(dir, "store"), nil)
			require.NoError(t, err)
			ask(open(&kb.Options{Store: store}), n)
			require.NoError(t, store.Close())
		},
	} {
		t.Run(name, func(t *testing.T) {
			heaptest.RequireForgotten(t, 500, 64<<20, use)
		})
	}
}
