package engine_test

import (
	"fmt"
	"os"
	"regexp"
	"runtime/debug"
	"strconv"
	"testing"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/stretchr/testify/require"
)

// This file tests that built-ins reserve memory before they allocate it.

// greedyGoals make texts and terms far larger than the limit outside the stacks. text(N, Piece, Text) repeats a piece
// 2^N times.
var greedyGoals = []string{
	`text(22, "x", T), split_string(T, "x", "", _)`,
	`text(22, "x", T), atomic_list_concat(_, x, T)`,
	`text(21, "a,", T), string_concat("[", T, S), term_to_atom(_, S)`,
	`text(21, "- ", T), term_string(_, T)`,
	`text(20, "1+", T), open_string(T, S), read_term(S, _, [variable_names(_)])`,
	`text(21, "[", T), read_term_from_atom(T, _, [])`,
	`text(20, "f(", T), term_to_atom(_, T)`,
	`text(19, "A,_,", T), string_concat("[", T, S), atom_to_term(S, _, _)`,
	`text(19, "x,\n ", T), open_string(T, S), read_term(S, _, [subterm_positions(_)])`,
	`text(20, "x", T), with_output_to(string(_), (repeat, write(T), fail))`,
	`shared(40, T), term_to_atom(T, _)`,
	`text(22, "x", T), with_output_to(string(_), (repeat, write(T), fail))`,
	`length(L, 500000), length(M, 500000), dif(L, M)`,
	`length(L, 500000), length(M, 500000), L =@= M`,
	`length(L, 500000), length(M, 500000), subsumes_term(L, M)`,
	`length(L, 500000), length(M, 500000), unifiable(L, M, _)`,
	`length(L, 500000), copy_term(L, _)`,
	`text(21, "[", T), open_string(T, S), json_read(S, _)`,
	`text(22, "x", T), open_string(T, S), findall(X, (repeat, peek_string(S, 4000000, X)), _)`,
}

const greedyRules = `
text(0, T, T) :- !.
text(N, T, Text) :- M is N - 1, string_concat(T, T, Twice), text(M, Twice, Text).
shared(0, Leaf) :- !, text(8, x, Leaf).
shared(N, f(T, T)) :- M is N - 1, shared(M, T).
`

// TestPeak measures the peak memory of the process while a goal runs into its memory limit. The peak is about the limit
// plus half of it for garbage that Go has not collected yet. The bound is more than twice as high, in case the
// collector runs late on a busy machine. A built-in that does not reserve memory takes hundreds of MiB.
func TestPeak(t *testing.T) { // not beside others, whose memory would count
	if raceEnabled {
		t.Skip("the race detector takes memory of its own")
	}
	const limit, most = 32 << 20, 128 << 20
	defer debug.SetGCPercent(debug.SetGCPercent(50))
	prog, err := engine.LoadText(t.Context(), "greedy.pl", greedyRules, nil)
	require.NoError(t, err)
	for _, goal := range greedyGoals {
		t.Run(goal, func(t *testing.T) {
			debug.FreeOSMemory()
			if os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) != nil {
				t.Skip("the system does not forget the peak")
			}
			before := memoryStatus(t, "VmRSS")
			_, err := prog.Once(t.Context(), goal, &engine.RunOptions{Limits: engine.Limits{Memory: limit,
				Inferences: 100_000_000}})
			peak := memoryStatus(t, "VmHWM") - before
			var ex *engine.Exception
			require.ErrorAs(t, err, &ex)
			require.Equal(t, "memory", ex.Limit())
			t.Logf("%d MiB", peak>>20)
			require.Less(t, peak, most)
		})
	}
}

// memoryStatus returns a line of the process's status in bytes.
func memoryStatus(t *testing.T, name string) int {
	status, err := os.ReadFile("/proc/self/status")
	require.NoError(t, err)
	found := regexp.MustCompile(fmt.Sprintf(`%s:\s+(\d+) kB`, name)).FindSubmatch(status)
	require.NotNil(t, found)
	n, err := strconv.Atoi(string(found[1]))
	require.NoError(t, err)
	return n << 10
}
