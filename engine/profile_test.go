package engine_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/source"
)

// slow has a predicate that loops, a predicate that calls it, and one that spends its time in a built-in predicate.
const slow = `main :- loop(30000000), quick(3), sorts(2).
quick(0).
quick(N) :- N > 0, N1 is N - 1, quick(N1).
loop(0) :- !.
loop(N) :-
    N1 is N - 1,
    loop(N1).
drive :- between(1, 300, _), loop(1000), fail.
drive.
sorts(0) :- !.
sorts(N) :-
    findall(Y, (between(1, 50000, X), Y is -X), L), msort(L, _),
    N1 is N - 1,
    sorts(N1).
`

// TestProfile asks where a goal has spent its time.
func TestProfile(t *testing.T) {
	t.Parallel()
	p := engine.New(nil)
	require.NoError(t, p.Load(t.Context(), source.File{Name: "slow.pl", Text: slow}))
	var profile inspect.Profile
	entries := map[string]inspect.ProfileEntry{}
	sampled := func() bool {
		return entries["loop/1"].Self > 0 && entries["sorts/1"].Total > 0 && entries["main/0"].Total > 0
	}
	began := time.Now()
	for tries := 0; !sampled(); tries++ { // the machine decides how often it is sampled
		require.Less(t, tries, 100)
		found, err := p.Once(t.Context(), "main", &engine.RunOptions{Profile: &profile})
		require.NoError(t, err)
		require.NotNil(t, found)
		require.LessOrEqual(t, profile.Total(), 2*time.Since(began))
		for _, e := range profile.Predicates() {
			entries[e.Name] = e
		}
	}
	var text bytes.Buffer
	require.NoError(t, profile.WriteText(&text, 20))
	t.Log(text.String())
	require.Contains(t, text.String(), "slow.pl:12")

	var driven inspect.Profile
	first := func() string {
		if driven.Total() < 50*time.Millisecond {
			return "" // few samples, and a busy machine may have taken all of them at one place
		}
		return driven.Predicates()[0].Name
	}
	for times := 100; first() != "loop/1"; times *= 10 {
		require.Less(t, times, 1_000_000, "got %s, not the clause that calls a built-in each thousand calls", first())
		goal := fmt.Sprintf("forall(between(1, %d, _), drive)", times)
		_, err := p.Once(t.Context(), goal, &engine.RunOptions{Profile: &driven})
		require.NoError(t, err)
	}
}

// TestProfileAtPrompt calls profile/1: the goal is called once, and the profile goes to the error stream.
func TestProfileAtPrompt(t *testing.T) {
	t.Parallel()
	p := engine.New(nil)
	require.NoError(t, p.Load(t.Context(), source.File{Name: "slow.pl", Text: slow}))
	for goal, want := range map[string]string{"profile(main)": "loop/1", `\+ profile(fail)`: "no samples",
		"catch(profile(throw(x)), x, true)": "no samples", "profile(member(_, [1,2]), [top(3)])": "no samples"} {
		var out bytes.Buffer
		for tries := 0; !strings.Contains(out.String(), want); tries++ { // the machine decides how often it is sampled
			require.Less(t, tries, 100, "%s: got %s", goal, &out)
			out.Reset()
			_, err := p.Once(t.Context(), goal, &engine.RunOptions{Error: &out})
			require.NoError(t, err, goal)
		}
	}
}
