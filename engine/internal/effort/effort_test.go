package effort

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
)

// TestText checks the sentences about the work of a run and the likely mistake.
func TestText(t *testing.T) {
	user := database.New().User()
	p, tabled := user.Lookup(code.Functor("p", 1)), user.Lookup(code.Functor("t", 2))
	p.File, p.Line = "a.pl", 3
	(&database.Definer{}).Set(tabled, database.Tabled)
	for _, test := range []struct {
		effort Effort
		want   string
	}{
		{Effort{Calls: 1}, "It made 1 call."},
		{Effort{Calls: 1234567, Top: p, Share: 0.95}, "It made 1,234,567 calls, nearly all of p/1 (x/a.pl:3)."},
		{Effort{Calls: 999, Top: tabled, Share: 0.5, Works: true}, "It took 999 steps, 50 % of them of t/2."},
		{Effort{Calls: 5000, Top: p, Share: 1, Depth: 1000, Deepest: p, Subject: p, Own: true, Kind: Same},
			"It made 5,000 calls, nearly all of p/1 (x/a.pl:3); 1,000 calls of it waited for the end of another. " +
				"Likely cause: p/1 calls itself with the same arguments, which has no end. " +
				"Put a goal that makes progress before that call."},
		{Effort{Calls: 70000, Top: p, Share: 1, Depth: MostFrames, Deepest: p, Subject: p, Own: true, Kind: Grows,
			Argument: 1, Size: -1000},
			"It made 70,000 calls, nearly all of p/1 (x/a.pl:3); more than 65,536 calls of it waited for the end of another. " +
				"Likely cause: argument 1 of p/1 grows from call to call, up to a size of -1,000, and nothing ends that. " +
				"Recursion should go on with a part of an argument, or have a bound."},
		{Effort{Calls: 10, Top: p, Share: 1, Subject: p, Own: true, Recursive: true, Kind: Falls, Argument: 1, Size: -7},
			"It made 10 calls, nearly all of p/1 (x/a.pl:3). Likely cause: argument 1 of p/1 falls from call to call, to -7, " +
				"and no clause ends that. Add the case that ends it, or a test before the call."},
		{Effort{Calls: 10, Top: p, Share: 1, Subject: p, Own: true, LeftRecursive: true},
			"It made 10 calls, nearly all of p/1 (x/a.pl:3). Likely cause: a clause of p/1 calls p/1 first, with nothing done " +
				"before: that has no end. Put another goal first, or declare :- table p/1."},
		{Effort{Calls: 10, Top: tabled, Share: 1, Subject: tabled, Own: true, Recursive: true, Kind: Rises},
			"It made 10 calls, nearly all of t/2. Likely cause: t/2 is called with ever new arguments, each of which needs " +
				"a table. Add a test that bounds them before the call."},
		{Effort{Calls: 10, Top: p, Share: 1, Subject: p, Own: true, Generator: "between/3", Answers: 4321},
			"It made 10 calls, nearly all of p/1 (x/a.pl:3). Likely cause: there is too much to try. The search asked " +
				"between/3, and others like it, 4,321 times for another answer: give them less to choose from, or put goals " +
				"that rule out most answers first."},
	} {
		require.Equal(t, test.want, test.effort.Text(func(file string) string { return "x/" + file }))
	}
}

// TestChangeOf finds how arguments change from call to call. A change has to be seen in three calls of the same
// kinds.
func TestChangeOf(t *testing.T) {
	number := func(n int64) measure { return measure{numberMeasure, n} }
	list := func(n int64) measure { return measure{listMeasure, n} }
	for _, test := range []struct {
		name     string
		calls    [][2]measure
		kind     Change
		argument int
	}{
		{"two calls show nothing", [][2]measure{{number(1)}, {number(2)}}, Varied, 0},
		{"a number that rises", [][2]measure{{number(1)}, {number(2)}, {number(5)}}, Rises, 1},
		{"a number that falls", [][2]measure{{number(3)}, {number(2)}, {number(-5)}}, Falls, 1},
		{"a number that does both", [][2]measure{{number(1)}, {number(2)}, {number(1)}}, Varied, 2},
		{"the second argument", [][2]measure{{number(2), list(1)}, {number(1), list(1)}, {number(2), list(9)}}, Grows, 2},
		{"a list that becomes shorter", [][2]measure{{list(3)}, {list(2)}, {list(1)}}, Varied, 2},
		{"the same", [][2]measure{{list(3)}, {list(3)}, {list(3)}}, Same, 0},
		{"another kind begins anew", [][2]measure{{list(1)}, {list(2)}, {number(3)}, {number(4)}}, Varied, 0},
		{"of late", [][2]measure{{number(9)}, {number(1)}, {number(3)}, {number(4)}, {number(5)}}, Rises, 1},
	} {
		var l Log
		for _, args := range test.calls {
			l.looks[l.looked%mostLooks] = look{at: 7, arity: 2, args: [lookedAt]measure{args[0], args[1]}}
			l.looked++
		}
		var e Effort
		l.changeOf(&e, 7)
		require.Equal(t, test.kind, e.Kind, test.name)
		require.Equal(t, test.argument, e.Argument, test.name)
	}
}

// TestPlumbing checks which predicates are internal or control predicates.
func TestPlumbing(t *testing.T) {
	db := database.New()
	for name, want := range map[string]bool{"p": false, "$p": true, "call": true, "$lambda 1": false, "$tbl_call": true} {
		require.Equal(t, want, IsPlumbing(db.User().Lookup(code.Functor(name, 1))), name)
	}
	repeat, other := db.System().Lookup(code.Functor("repeat", 0)), db.System().Lookup(code.Functor("once", 1))
	repeat.File, other.File = ControlFile, ControlFile
	require.False(t, IsPlumbing(repeat))
	require.True(t, IsPlumbing(other))
	require.False(t, IsOwn(db, repeat))
	require.True(t, IsOwn(db, db.User().Lookup(code.Functor("p", 1))))
}
