package engine_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/internal/base"
	"github.com/mcplogic/mcplogic/tools/deep"
)

// largeTerms makes terms of some hundred thousand parts. Work on one that is quadratic takes minutes.
const largeTerms = `
large(integers, L) :- numlist(1, 200000, L).
large(atoms, L) :- numlist(1, 50000, Is), maplist([I, A]>>atom_concat(a, I, A), Is, L).
large(pairs, L) :- numlist(1, 100000, Is), maplist([I, I-I]>>true, Is, L).
large(variables, L) :- length(L, 200000).
large(codes, L) :- length(L, 200000), maplist(=(0'a), L).
large(atom, A) :- format(atom(A), "~*c", [2000000, 0'a]).
large(string, S) :- format(string(S), "~*c", [1000000, 0'é]).
large(lines, S) :- repeated(200000, "a,b\n", S).
large(items, S) :- repeated(200000, "- a: 1\n", S).
large(array, S) :- repeated(200000, "{\"a\":1},", S1), atomics_to_string(["[", S1, "1]"], S).
large(brackets, S) :- format(string(S), "~*c", [1000000, 0'[]).
large(escapes, S) :- format(string(S), "~*c", [1000000, 0'%]).
large(directives, S) :- repeated(200000, "~w", S).
large(digits, S) :- format(string(S), "~*c", [1000000, 0'7]).
large(integer, N) :- N is 7 ** 1000000.
large(rational, N) :- N is 7 ** 200000 rdiv 3 ** 300000.
large(deep, T) :- numlist(1, 200000, Is), foldl([_, X, f(X)]>>true, Is, x, T).
large(left, T) :- numlist(1, 200000, Is), foldl([I, X, X + I]>>true, Is, x, T).
large(body, T) :- numlist(1, 200000, Is), foldl([_, X, (true, X)]>>true, Is, true, T).
large(wide, T) :- functor(T, f, 200000).
large(dict, D) :- large(pairs, L), dict_pairs(D, t, L).
large(number, 50000000).
large(infinite, inf).
repeated(N, Part, S) :- length(L, N), maplist(=(Part), L), atomics_to_string(L, S).
`

var largeKinds = strings.Fields(`integers atoms pairs variables codes atom string lines items array brackets escapes
directives digits integer rational deep left body wide dict number infinite`)

// TestLargeArguments calls predicates of the manual with large arguments, and checks that the limit of inferences ends
// long calls.
func TestLargeArguments(t *testing.T) {
	t.Parallel()
	if testing.Short() || raceEnabled {
		t.Skip("takes long")
	}
	// These predicates wait, end the process, ask a client, or have clauses in the tests of the database.
	left := strings.Fields("sleep halt break prompt thread_get_message message_queue_destroy consult")
	var goals []string
	for _, c := range base.Documentation() {
		for _, d := range c.Predicates {
			if slices.Contains(left, d.Name) || strings.HasPrefix(d.Name, "mcp_") {
				continue
			}
			for _, kind := range largeKinds {
				goals = append(goals, largeGoals(kind, d)...)
			}
		}
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(goals), func(i, j int) { goals[i], goals[j] = goals[j], goals[i] })
	for i, goal := range goals[:deep.Count(20, 5000)] {
		p, err := engine.LoadText(t.Context(), "large.pl", largeTerms, nil)
		require.NoError(t, err)
		callLarge(t, p, goal)
		if i%1000 == 999 {
			t.Logf("%d calls", i+1)
		}
	}
}

// largeGoals returns calls with a large argument in each place. The other arguments are unbound, a short text, or
// large.
func largeGoals(kind string, d base.Documented) (goals []string) {
	name := "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(d.Name) + "'"
	for place := range d.Arity {
		for _, other := range []string{"_", `"b"`, "B"}[:min(3, 1+2*(d.Arity-1))] {
			args := slices.Repeat([]string{other}, d.Arity)
			args[place] = "B"
			goals = append(goals, fmt.Sprintf("large(%s, B), G =.. [%s, %s], findall(x, limit(10, G), _)", kind, name,
				strings.Join(args, ", ")))
		}
	}
	return goals
}

// callLarge runs a goal within limits. If they do not end the goal, the context does. A goal that the context does not
// end never ends.
func callLarge(t *testing.T, p *engine.Program, goal string) {
	const patience = 3 * time.Minute // for about a second of work
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := p.Once(ctx, goal, &engine.RunOptions{Transaction: true, Limits: engine.Limits{Inferences: 3_000_000,
			Memory: 64 << 20},
			Input: strings.NewReader("a. b.")})
		ended <- err
	}()
	select {
	case err := <-ended:
		require.NotErrorIs(t, err, context.DeadlineExceeded, "no limit has ended %s", goal)
		var panicked *engine.Panic
		require.False(t, errors.As(err, &panicked), goal)
	case <-time.After(2 * patience):
		require.FailNow(t, "nothing ends "+goal)
	}
}
