package engine_test

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/tools/heaptest"
)

// This file defines the tests that memory is given back.

const visitor = `
:- dynamic(seen/2).
visit(Text) :-
    atom_concat(visitor_, Text, Atom),
    atom_string(Atom, String),
    nb_setval(Atom, String),
    assertz(seen(Atom, String)),
    findall(X, ( between(1, 20, I), atomic_list_concat([Atom, I], X) ), Xs),
    msort(Xs, _),
    retract(seen(Atom, _)),
    catch(throw(Xs), _, true).
`

// TestFlatUnderNewTexts makes calls with ever new texts, and compares the memory of the process in the middle and at
// the end.
func TestFlatUnderNewTexts(t *testing.T) {
	calls := 20_000
	if testing.Short() || raceEnabled {
		calls = 4_000
	}
	p, err := engine.LoadText(t.Context(), "visitor.pl", visitor, nil)
	require.NoError(t, err)
	var middle uint64
	for i := range calls {
		goal := fmt.Sprintf("visit('%d never seen before')", i)
		_, err := p.Once(t.Context(), goal, &engine.RunOptions{Transaction: true, Limits: engine.Limits{Memory: 16 << 20}})
		require.NoError(t, err)
		if i == calls/2 {
			middle = heaptest.InUse()
		}
	}
	require.Less(t, heaptest.InUse(), middle+1<<19)
}

// TestReferencesAreForgotten makes references to ever new clauses, which are then erased.
func TestReferencesAreForgotten(t *testing.T) {
	p, err := engine.LoadText(t.Context(), "refer.pl",
		"refer(N) :- forall(between(1, N, I), ( assertz(p(I), R), erase(R) )).\n", nil)
	require.NoError(t, err)
	for _, n := range []string{"1000", "300000"} {
		before := heaptest.InUse()
		_, err := p.Once(t.Context(), "refer("+n+")", &engine.RunOptions{Limits: engine.Limits{Memory: 16 << 20}})
		require.NoError(t, err)
		require.Eventually(t, func() bool { return heaptest.InUse() < before+8<<20 }, time.Minute, 50*time.Millisecond)
	}
}

// TestReplacedVariables sets one variable of the environment again and again.
func TestReplacedVariables(t *testing.T) {
	t.Parallel()
	p, err := engine.LoadText(t.Context(), "set.pl",
		"set(N) :- forall(between(1, N, I), ( setenv(name, I), unsetenv(name) )).\n", nil)
	require.NoError(t, err)
	_, err = p.Once(t.Context(), "set(50000)", &engine.RunOptions{Limits: engine.Limits{Memory: 1 << 20}})
	require.NoError(t, err)
}

// TestStacksGivenBack runs goals that need much of each stack, and checks the memory of the process afterwards.
func TestStacksGivenBack(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc")
	}
	p, err := engine.LoadText(t.Context(), "deep.pl", `
long(N) :- numlist(1, 3000000, L), length(L, N).
deep(0).
deep(N) :- M is N - 1, deep(M), N >= 0.
choices(0) :- !.
choices(N) :- ( true ; fail ), M is N - 1, choices(M).
`, nil)
	require.NoError(t, err)
	for _, goal := range []string{"long(N)", "deep(2000000)", "choices(1000000)"} {
		debug.FreeOSMemory() // the memory that other tests have left does not count
		before := resident(t)
		o := &engine.RunOptions{Limits: engine.Limits{Memory: 1 << 30}}
		r, err := p.Start(goal, o)
		require.NoError(t, err)
		_, err = r.Next(t.Context())
		require.NoError(t, err)
		require.Greater(t, resident(t), before+20<<20, "while the answer of %s is there", goal)
		r.Close()
		debug.FreeOSMemory()
		require.Less(t, resident(t), before+10<<20, "after %s", goal)
	}
}

// resident is the memory of the process in bytes.
func resident(t *testing.T) int {
	text, err := os.ReadFile("/proc/self/statm")
	require.NoError(t, err)
	pages, err := strconv.Atoi(strings.Fields(string(text))[1])
	require.NoError(t, err)
	return pages * os.Getpagesize()
}
