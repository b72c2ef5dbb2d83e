package kb

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
)

// TestKnown looks for values through rules, except where explanations are switched off.
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
		       tool(hidden, hidden, 1), tool(loop, loop, 1), tool(mixed, mixed, 2), tool(spoken, spoken, 1),
		       tool(measured, measured, 2), tool(lowered, lowered, 2), tool(split, split, 2)]).
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
		:- mode(mixed(+atom, +atom), zero_or_one).
		mixed(A, B) :- nonvar(A), m:pair(B, A).
		:- mode(spoken(+atom), zero_or_one).
		spoken(X), X == a => true.
		spoken(X) => other(X).
		other(y).
		:- mode(measured(+atom, -integer), zero_or_one).
		measured(A, N) :- atom_length(A, N), sub_atom(A, 0, 1, _, F), first(F).
		:- mode(lowered(+atom, -atom), zero_or_one).
		lowered(A, B) :- downcase_atom(A, B), first(B).
		:- mode(split(+any, -list), zero_or_one).
		split(A, B) :- is_list(A), reverse(A, B), aggregate_all(count, member(_, B), _).
		first(p). first(q).
	`+many.String()), 0o600))
	base, err := Open(t.Context(), []string{dir}, nil)
	require.NoError(t, err)
	got := map[string]string{}
	for _, tool := range base.Snapshot().Tools {
		for _, k := range base.Snapshot().Known(tool) {
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
}

// The search for one tool leaves enough of the budget for the tools after it.
func TestKnownOfMany(t *testing.T) {
	var text strings.Builder
	for i := range 32 {
		fmt.Fprintf(&text, "row(r%d, %d).\n", i, i)
	}
	text.WriteString("last(X) :- person(X). person(ann). person(bob).\n")
	names := []string{"wide0", "wide1", "wide2", "wide3", "wide4", "wide5", "last"}
	for _, name := range names {
		fmt.Fprintf(&text, "tools([tool(%[1]s, %[1]s, 1)]).\n:- mode(%[1]s(+atom), zero_or_one).\n", name)
		if name != "last" {
			fmt.Fprintf(&text, "%s(X) :- row(X, 0)%s.\n", name, strings.Repeat(", row(X, 0)", 300))
		}
	}
	file := filepath.Join(t.TempDir(), "a.pl")
	require.NoError(t, os.WriteFile(file, []byte(text.String()), 0o600))
	s, err := Load(t.Context(), []string{file}, nil)
	require.NoError(t, err)
	require.Len(t, s.Tools, len(names))
	for _, tool := range s.Tools {
		if tool.Name != "last" {
			s.Known(tool)
		}
	}
	last := s.Known(s.Tools[slices.IndexFunc(s.Tools, func(t *Tool) bool { return t.Name == "last" })])
	require.Equal(t, []Known{{Argument: "Arg1", Values: []string{"ann", "bob"}, Closed: true}}, last)
}

// A list of values is closed if no other value has a solution. The tool of each predicate in closed has a closed list;
// the tool of each predicate in open does not.
func TestClosed(t *testing.T) {
	const closed = `
		fact(ann). fact("bob").
		first(X) :- age(X, A), A > 3.
		both(X) :- age(X, _). both(cid).
		second(X) :- far(X). second(X) :- far(X), X \= y.
		far(X) :- user:age(X, _), true.
		single(X) => age(X, _).
		ranked(X) :- rank(X, _).
		deep(X) :- deep1(X). deep1(X) :- deep2(X). deep2(X) :- deep3(X). deep3(X) :- deep4(X). deep4(a).
		listed(X) :- member(X, [a, b]).
		tabled(X) :- age(X, _).
		behind(X) :- true, age(X, _).
	`
	const open = `
		other(X) :- age(_, X), 4 = 4. other(_).
		some(X) :- ( age(X, _) ; true ).
		negated(X) :- \+ age(X, _).
		changed(X) :- now(X).
		anything(X) :- size(X, _).
		sized(X) :- age(X, _). sized(X) :- atom_length(X, 3).
		many(X) :- item(X).
		long(X) :- text(X).
		quiet(X) :- secret(X). quiet(ann).
		renamed(X) :- copy_term(X, Y), age(Y, _).
		caught(X) :- catch(age(X, _), _, true).
		thrown(X) :- ( age(X, _) -> true ; throw(unknown(X)) ).
		delayed(X) :- freeze(X, age(X, _)).
	`
	var text strings.Builder
	text.WriteString(`:- dynamic(now/1). :- table(tabled/1). :- explain(secret/1, opaque).
		:- mode(rank(+one_of(atom, [low, high]), -integer), zero_or_one).
		rank(X, 1) :- atom_length(X, 4). rank(low, 2).
		now(ann). age(ann, 3). age(bob, 4). size(_, 2). secret(s). text('` + strings.Repeat("x", 50) + "').\n")
	for i := range 13 {
		fmt.Fprintf(&text, "item(item%d).\n", i)
	}
	names := map[bool][]string{}
	for isClosed, rules := range map[bool]string{true: closed, false: open} {
		text.WriteString(rules)
		for line := range strings.SplitSeq(strings.TrimSpace(rules), "\n") {
			name, _, _ := strings.Cut(strings.TrimSpace(line), "(")
			names[isClosed] = append(names[isClosed], name)
			fmt.Fprintf(&text, ":- mode(%[1]s(+atom), zero_or_one).\ntools([tool(%[1]s, %[1]s, 1)]).\n", name)
		}
	}
	file := filepath.Join(t.TempDir(), "a.pl")
	require.NoError(t, os.WriteFile(file, []byte(text.String()), 0o600))
	s, err := Load(t.Context(), []string{file}, nil)
	require.NoError(t, err)
	require.Len(t, s.Tools, len(names[true])+len(names[false]))
	for _, tool := range s.Tools {
		list := s.Known(tool)
		isClosed := len(list) == 1 && list[0].Closed
		require.Equal(t, slices.Contains(names[true], tool.Name), isClosed, tool.Name)
		if isClosed {
			for _, err := range s.Program.Query(t.Context(), tool.Functor+"(zoe)", nil) {
				t.Errorf("%s has a solution for zoe (%v)", tool.Name, err)
			}
		}
	}
}

// Bounds of inputs come from the comparisons of each clause. Numbers outside of the bounds have no solution, and the
// bounds themselves have one.
func TestBounds(t *testing.T) {
	const rules = `
		below(X, child) :- X < 18. below(X, adult) :- X >= 18, X =< 120.
		branch(X, R) :- ( X < 0 -> fail ; X =< 10 -> R = low ; X =< 99.5, R = high ).
		pair(X, Y) :- Y = 1, X > 3.
		some(X, Y) :- ( X > 3 -> Y = 1 ; Y = 0 ).
		passed(X, Y) :- integer(X), below(X, Y).
		loop(X, Y) :- loop(X, Y). loop(X, Y) :- between(1, 5, X), Y = X.
		facts(3, a). facts(5, b). facts(x, c).
		equal(X, Y) :- X =:= 7, Y = X.
		mirrored(X, Y) :- 0 < X, 10.5 >= X, Y = X.
		changed(X, Y) :- now(X, Y).
		computed(X, Y) :- X > 2 * 3, Y = X.
		other(X, Y) :- one(Z), X > Z, Y = X.
		text(X, Y) :- atom_length(abc, Y), X > 3.
		neither(X, Y) :- X > 3, Y = X. neither(X, Y) :- X < 3, Y = X.
		thrown(X, Y) :- ( X < 0 -> throw(negative) ; Y = X ).
		declared(X, Y) :- inner(X, Y).
	`
	want := map[string]string{"below": "<nil>..120", "branch": "<nil>..99", "passed": "<nil>..120", "loop": "1..5",
		"facts": "3..5", "equal": "7..7", "mirrored": "1..10", "pair": "4..<nil>", "computed": "7..<nil>",
		"other": "2..<nil>", "text": "4..<nil>",
		"declared": "2..9"}
	text := ":- dynamic(now/2).\nnow(1, 1). one(1).\n" +
		":- mode(inner(+between(integer, 2, 9), -term), one).\ninner(X, X) :- member(X, [2, 9]).\n" + rules
	names := []string{}
	for line := range strings.SplitSeq(strings.TrimSpace(rules), "\n") {
		name, _, _ := strings.Cut(strings.TrimSpace(line), "(")
		names = append(names, name)
		text += fmt.Sprintf(":- mode(%[1]s(+integer, -term), zero_or_one).\ntools([tool(%[1]s, %[1]s, 2)]).\n", name)
	}
	file := filepath.Join(t.TempDir(), "a.pl")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	s, err := Load(t.Context(), []string{file}, nil)
	require.NoError(t, err)
	require.Len(t, s.Tools, len(names))
	got := map[string]string{}
	for _, tool := range s.Tools {
		for _, b := range s.Known(tool) {
			got[tool.Name] = fmt.Sprintf("%v..%v", b.Low, b.High)
			for n := -2; n < 130; n++ {
				_, err := s.Program.Once(t.Context(), fmt.Sprintf("%s(%d, _)", tool.Name, n),
					&engine.RunOptions{Limits: engine.Limits{Inferences: 1000}})
				if b.Low != nil && n < int(b.Low.(term.Int)) || b.High != nil && n > int(b.High.(term.Int)) {
					require.Error(t, err, "%s(%d, _)", tool.Name, n)
				} else if (term.Term(term.Int(n)) == b.Low || term.Term(term.Int(n)) == b.High) && tool.Name != "loop" {
					require.NoError(t, err, "%s(%d, _)", tool.Name, n)
				}
			}
		}
	}
	require.Equal(t, want, got)
}
