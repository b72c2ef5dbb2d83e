package engine_test

import (
	"io"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
)

func TestReadGoal(t *testing.T) {
	t.Parallel()
	p := engine.New(nil)
	require.NoError(t, p.Load(t.Context()))
	for _, test := range []struct{ text, goal, rest, err string }{
		{"a.", "a", "", ""},
		{"X = 1. Y = 2.\n", "X=1", "Y = 2.\n", ""},
		{"% nothing\n  ", "", "", "EOF"},
		{"", "", "", "EOF"},
		{"a", "", "", "incomplete"},
		{"a(1.5,\n", "", "", "incomplete"},
		{"X = 'a. b\n", "", "", "incomplete"},
		{"X = \"a. b\n", "", "", "incomplete"},
		{"a /* not\nyet. ", "", "", "incomplete"},
		{"0'. = X.\n", "46=X", "", ""},
		{"X = 'it''s.'.\n", "X='it\\'s.'", "", ""},
		{"a b\n", "", "", "incomplete"},
		{"a b. c.\n", "", "c.\n", "goal:1:3: error: operator expected, got b [syntax]\n    a b. c.\n      ^"},
		{"a,\n\tb)).\nc.", "", "c.", "goal:2:3: error: unbalanced \")\": nothing is open [syntax]\n     b)).\n      ^"},
		{"X #> 1.", "", "", "goal:1:3: error: operator expected, got #>; #> is an operator of library(clpfd), which :- " +
			"use_module(library(clpfd)) loads [syntax]\n    X #> 1.\n      ^"},
		{"X ? 1.", "", "", "goal:1:3: error: operator expected, got ? [syntax]\n    X ? 1.\n      ^"},
	} {
		g, rest, err := engine.Inner(p).ReadGoal("goal", test.text)
		switch test.err {
		case "":
			require.NoError(t, err, test.text)
			require.Equal(t, test.goal, p.FormatTerm("", g.Term), test.text)
		case "EOF":
			require.ErrorIs(t, err, io.EOF, test.text)
		case "incomplete":
			require.ErrorIs(t, err, source.ErrIncomplete, test.text)
		default:
			require.EqualError(t, err, test.err, test.text)
		}
		if test.err != "EOF" && test.err != "incomplete" {
			require.Equal(t, test.rest, rest[len(rest)-len(test.rest):], test.text)
			require.LessOrEqual(t, len(rest), len(test.rest)+1, test.text)
		}
	}
}

// TestSessionWithoutRoom keeps values that leave no memory for another goal: the next goal fails, and then the values
// are gone.
func TestSessionWithoutRoom(t *testing.T) {
	t.Parallel()
	p := engine.New(nil)
	require.NoError(t, p.Load(t.Context()))
	var session engine.Session
	call := func(text string, memory int) error {
		g, _, err := engine.Inner(p).ReadGoal("goal", text)
		require.NoError(t, err)
		r, err := engine.Inner(p).StartTerm(g.Term, g.Vars, &engine.RunOptions{Residual: true, Session: &session,
			Limits: engine.Limits{Memory: memory}})
		if err != nil {
			return err
		}
		defer r.Close()
		_, err = r.Next(t.Context())
		return err
	}
	require.NoError(t, call("numlist(1, 200000, L), nb_setval(k, L).", 256<<20))
	require.ErrorContains(t, call("true.", 1<<20), "memory")
	require.NoError(t, call("true.", 1<<20))
}

func TestSession(t *testing.T) {
	t.Parallel()
	p := engine.New(nil)
	require.NoError(t, p.Load(t.Context()))
	var session engine.Session
	ask := func(text string) (string, error) {
		g, _, err := engine.Inner(p).ReadGoal("goal", text)
		require.NoError(t, err)
		r, err := engine.Inner(p).StartTerm(g.Term, g.Vars, &engine.RunOptions{Residual: true, Session: &session})
		if err != nil {
			return "", err
		}
		defer r.Close()
		state, err := r.Next(t.Context())
		if err != nil || state != engine.Answer {
			return "false", err
		}
		return engine.Inner(p).FormatAnswer(r.Solution()), nil
	}
	for _, step := range []struct{ goal, want string }{
		{"nb_setval(k, f(X, Y, X)), b_setval(b, 1).", "true"},
		{"nb_getval(k, V).", "V = f(_A, _, _A)"},
		{"catch(throw(x), _, nb_setval(k, 2)).", "true"},
		{"nb_getval(k, V).", "V = 2"},
		{"W = [$V, f($V)], Z = $Unknown.", "W = [2, f(2)],\nZ = $Unknown"},
		{"V = 3, W = $W.", "V = 3,\nW = [2, f(2)]"},
		{"set_prolog_flag(occurs_check, true).", "true"},
		{"X = f(X).", "false"},
		{"create_prolog_flag(mine, 7, []).", "true"},
		{"current_prolog_flag(mine, X).", "X = 7"},
	} {
		got, err := ask(step.goal)
		require.NoError(t, err, step.goal)
		require.Equal(t, step.want, got, step.goal)
	}
	_, err := ask("nb_setval(k, 5), throw(x).")
	require.Error(t, err)
	got, err := ask("nb_getval(k, V).")
	require.NoError(t, err)
	require.Equal(t, "V = 2", got, "what a goal with an error has set is not kept")
}

// TestLeftByLoad checks that goals begin with the state that directives have left. The first session gets all of it.
// Others get copies, whose changes no other run sees.
func TestLeftByLoad(t *testing.T) {
	t.Parallel()
	const text = `
:- flag(c, _, 7).
:- message_queue_create(q), thread_send_message(q, hello(abc_left_1)).
:- trie_new(T), trie_insert(T, f(_, abc_left_2), v), nb_setval(t, T).
:- set_random(seed(5)).
:- engine_create(X, member(X, [a, b]), _, [alias(e)]), engine_next(e, a).
p(1).
:- open_string("one. two.", S), nb_setval(s, S), read(S, one).
p(2).
`
	const template = `flag(c, C, C + 1), thread_get_message(q, M), nb_getval(t, T),
		trie_gen(T, K, V), trie_delete(T, K, V), trie_insert(T, new, 1), random(R)`
	for _, open := range []bool{false, true} {
		prog, err := engine.LoadText(t.Context(), "p.pl", text, &engine.Options{LeaveOpen: open})
		require.NoError(t, err)
		ask := func(goal string, s *engine.Session) string {
			found, err := prog.Once(t.Context(), goal, &engine.RunOptions{Session: s})
			require.NoError(t, err)
			return engine.Inner(prog).FormatNumbered(term.List(found.Values()...))
		}
		first := ask(template, nil)
		require.Contains(t, first, "[7,hello(abc_left_1),'$trie'(")
		require.Contains(t, first, "f(_1,abc_left_2),v,")
		var waiting sync.WaitGroup
		for range 4 {
			waiting.Go(func() { require.Equal(t, first, ask(template, nil)) })
		}
		waiting.Wait()
		session := &engine.Session{}
		const opened = "catch(engine_next(e, A), error(A, _), true), nb_getval(s, _S), catch(read(_S, B), error(B, _), true)"
		if open {
			require.Empty(t, prog.Diagnostics())
			require.Equal(t, "[b,'$stream'(3),two]", ask(opened, session))
		} else {
			require.Len(t, prog.Diagnostics(), 2)
			require.Contains(t, ask(opened, session), "[existence_error(engine,e),'$stream'(3),existence_error(stream,")
		}
		require.Equal(t, first, ask(template, session))
		require.Equal(t, "[8]", ask("flag(c, C, C)", session))
		require.Equal(t, "[new,_1]", ask("findall(K, (nb_getval(t, T), trie_gen(T, K)), [K])", session))
		require.Contains(t, ask(opened, nil), "[existence_error(engine,e),'$stream'(3),existence_error(stream,")
		session.Close()
		require.Equal(t, first, ask(template, nil))
	}
}

// TestFlagsOfNestedLoad runs a directive that loads a file which creates a flag.
func TestFlagsOfNestedLoad(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{"a1.pl": {Data: []byte(":- create_prolog_flag(my_flag, false, []).\n:- flag(n, _, 3).\n")},
		"a2.pl": {Data: []byte(":- consult(a1).\n")}}
	prog, err := engine.LoadFS(t.Context(), files, nil, "a2.pl")
	require.NoError(t, err)
	const goal = "current_prolog_flag(my_flag, false), flag(n, 3, 3)"
	_, err = prog.Once(t.Context(), goal, nil)
	require.NoError(t, err)
	prog, err = engine.LoadFS(t.Context(), files, nil)
	require.NoError(t, err)
	_, err = prog.Once(t.Context(), "consult(a2), "+goal, nil)
	require.NoError(t, err)
}

func TestCompletions(t *testing.T) {
	t.Parallel()
	p, err := engine.LoadText(t.Context(), "zoo.pl", "quagga(marius, 'Quagga-like').\n", nil)
	require.NoError(t, err)
	require.Equal(t, []string{"quagga"}, engine.Inner(p).Completions("quag"))
	require.Contains(t, engine.Inner(p).Completions("atom_c"), "atom_codes")
	require.Contains(t, engine.Inner(p).Completions("fold"), "foldl", "of a library that is not loaded")
	require.Contains(t, engine.Inner(p).Completions("mari"), "marius")
	require.Empty(t, engine.Inner(p).Completions("no_such_word_"))
}

// TestRandomSeed seeds the random numbers: the seed affects that run and its session, and no other runs.
func TestRandomSeed(t *testing.T) {
	t.Parallel()
	prog, err := engine.LoadText(t.Context(), "p.pl", "", nil)
	require.NoError(t, err)
	ask := func(goal string, s *engine.Session) string {
		found, err := prog.Once(t.Context(), goal, &engine.RunOptions{Session: s})
		require.NoError(t, err)
		return engine.Inner(prog).FormatNumbered(found.Get("X"))
	}
	const next = "X is random(1<<60)"
	seeded := "set_random(seed(7)), " + next
	require.Equal(t, ask(seeded, nil), ask(seeded, nil))
	first := ask(seeded, nil)
	for range 20 {
		ask("set_random(seed(7)), X = 1", nil)
		require.NotEqual(t, first, ask(next, nil), "the numbers of another run")
	}
	session := &engine.Session{}
	ask("set_random(seed(7)), X = 1", session)
	require.Equal(t, first, ask(next, session))
	require.NotEqual(t, first, ask(next, session))
	require.NotEqual(t, ask(next+", Y is random_float", nil), ask(next, nil))
}

// TestEngineOfALoad uses an engine that a directive of a consulted text has made. The engine changes the program for
// its host, while the machine of the directive is used by other runs.
func TestEngineOfALoad(t *testing.T) {
	t.Parallel()
	text := ":- engine_create(x, (repeat, assertz(f(1))), _, [alias(e)]).\n"
	p := engine.New(&engine.Options{Files: engine.FilesOf(fstest.MapFS{"e.pl": {Data: []byte(text)}})})
	require.NoError(t, p.Load(t.Context(), source.File{Name: "x.pl", Text: ":- dynamic f/1.\n"}))
	host, err := p.Start("consult(user:'e.pl'), member(X, [1, 2]), ( X == 2 -> engine_next(e, _) ; true )",
		&engine.RunOptions{Session: &engine.Session{}})
	require.NoError(t, err)
	_, err = host.Next(t.Context())
	require.NoError(t, err)
	var others []*engine.Run
	for range 20 {
		r, err := p.Start("member(_, [1, 2])", &engine.RunOptions{Transaction: true})
		require.NoError(t, err)
		_, err = r.Next(t.Context())
		require.NoError(t, err)
		others = append(others, r)
	}
	_, err = host.Next(t.Context())
	require.NoError(t, err)
	for _, r := range others {
		require.False(t, r.Changed())
		r.Close()
	}
	host.Close()
	_, err = p.Once(t.Context(), "f(_)", nil)
	require.NoError(t, err)
}
