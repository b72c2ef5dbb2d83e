package kb

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestKnown looks for values through rules, and not where the author keeps reasons to themselves.
func TestKnown(t *testing.T) {
	var many strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&many, "many(item%d, %d).\n", i, i)
	}
	dir := t.TempDir()
	const module = ":- module(m, [pair/2]).\npair(left, right).\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "m.pl"), []byte(module), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.pl"), []byte(`
		tools([tool(ok, ok, 2), tool(quiet, ok, 2, [explain(false)]), tool(one, one, 1), tool(big, big, 1),
		       tool(hidden, hidden, 1), tool(loop, loop, 1), tool(mixed, mixed, 2), tool(spoken, spoken, 1)]).
		:- mode(ok(+atom, -integer), zero_or_one).
		ok(Name, Age) :- nonvar(Name), ( person(Name), age(Name, Age) -> true ; Age = 0 ).
		person(Name) :- once(age(Name, _)).
		age(ann, 3). age("bob", 4). age(12, 5). age(ann, 6).
		:- mode(one(+one_of(atom, [a, b])), zero_or_one).
		one(X) :- age(X, _).
		:- mode(big(+atom), zero_or_one).
		big(X) :- many(X, _).
		:- explain(secret/1, opaque).
		:- mode(hidden(+atom), zero_or_one).
		hidden(X) :- secret(X).
		secret(word).
		:- mode(loop(+atom), zero_or_one).
		loop(X) :- loop(X).
		loop(X) :- age(X, _).
		:- mode(mixed(+atom, +string), zero_or_one).
		mixed(A, B) :- length(A, _), m:pair(B, A).
		:- mode(spoken(+atom), zero_or_one).
		spoken(X), X == a => true.
		spoken(X) => other(X).
		other(y).
	`+many.String()), 0o600))
	base, err := Open(t.Context(), []string{dir}, nil)
	require.NoError(t, err)
	got := map[string]string{}
	for _, tool := range base.Snapshot().Tools {
		for _, k := range MergeKnown(base.Snapshot().Known(t.Context(), tool)) {
			got[tool.Name] += fmt.Sprintf("%s %q %t;", k.Argument, k.Values, k.More)
		}
	}
	require.Equal(t, map[string]string{
		"ok": `Arg1 ["ann" "bob"] false;`,
		"big": `Arg1 ["item0" "item1" "item2" "item3" "item4" "item5" "item6" "item7" "item8" "item9" "item10" ` +
			`"item11"] true;`,
		"loop":   `Arg1 ["ann" "bob"] false;`,
		"mixed":  `Arg1 ["right"] false;Arg2 ["left"] false;`,
		"spoken": `Arg1 ["y"] false;`,
	}, got)
	require.Equal(t, []Known{{"a, b", []string{"x"}, false, false}, {"c", []string{"x"}, true, false}},
		MergeKnown([]Known{{"a", []string{"x"}, false, false}, {"b", []string{"x"}, false, false},
			{"c", []string{"x"}, true, false}, {"a", []string{"x"}, false, false}}))
}
