package engine_test

import (
	"errors"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
)

// This file checks undefined answers: every answer that depends on an undefined goal is marked as undefined, whatever
// construct lies between.

// verdicts are the answers of a goal. An undefined answer is followed by ?. "no" is a failure, and "no?" an undefined
// failure.
func verdicts(t *testing.T, p *engine.Program, goal string) string {
	t.Helper()
	return verdictsWith(t, p, goal, &engine.RunOptions{})
}

func verdictsWith(t *testing.T, p *engine.Program, goal string, o *engine.RunOptions) string {
	t.Helper()
	r, err := p.Start(goal, o)
	require.NoError(t, err, goal)
	defer r.Close()
	var list []string
	for {
		state, err := r.Next(t.Context())
		require.NoError(t, err, goal)
		if state != engine.Answer {
			break
		}
		s, mark := r.Solution(), ""
		if s.Undefined() {
			mark = "?"
		}
		text := strings.TrimSuffix(strings.TrimSuffix(s.String(), "undefined"), ", ")
		list = append(list, strings.ReplaceAll(text, " ", "")+mark)
	}
	switch {
	case len(list) > 0:
		return strings.Join(list, " ")
	case r.Undefined():
		return "no?"
	}
	return "no"
}

const openRules = `
:- table win/1, must/1, may/1, t/0, even/1, best(_, max), left/1.
win(X) :- move(X, Y), tnot(win(Y)).
move(a, b). move(b, c). move(d, d). move(e, d).
must(X) :- p(X), tnot(may(X)).
may(X) :- p(X), open(X), tnot(must(X)).
p(al). p(bo). open(al).
t :- \+ win(d).
even(0).
even(N) :- N > 0, M is N-1, tnot(even(M)).
best(X, 1) :- p(X), must(X).
left(X) :- p(X), ( must(X) -> fail ; true ).
cut(X) :- must(X), !, fail.
cut(_).
once_cut(X) :- must(X), !, X == bo.
less(X) :- member(X, [al, bo]), ( must(X) -> X == cy ; true ).
pick(X) :- member(X, [al, bo]), ( must(X) -> fail ; true ).
:- dynamic fact/1.
fact(1). fact(2).
inserted(V) :- trie_new(T), ( must(al), trie_insert(T, k), fail ; trie_gen(T, V) ).
deleted :- trie_new(T), trie_insert(T, k), ( must(al), trie_delete(T, k, _), fail ; true ).
next(V) :- engine_create(X, member(X, [1, 2]), E), ( must(al), engine_next(E, _), fail ; engine_next(E, V) ).
:- table none/0, some/0, either/0, fine/0.
none :- findall(x, must(al), []).
some :- tnot(none).
either :- ( must(al) -> fail ; true ).
either :- p(cy).
fine :- p(bo).
empty(none) :- aggregate_all(count, must(al), 0), !.
empty(some).
full(none) :- aggregate_all(count, must(bo), 0), !.
full(some).
first(N) :- member(N, [0, 1]), aggregate_all(count, must(al), N), !.
loop(0) :- !.
loop(N) :- findall(x, must(al), _), M is N-1, loop(M).
inside :- engine_create(_, (must(al), flag(k, _, 1)), E), ( engine_next(E, _), fail ; true ).
`

func TestUndefinedIsCarried(t *testing.T) {
	p, err := engine.LoadText(t.Context(), "t.pl", openRules, nil)
	require.NoError(t, err)
	for _, tt := range []struct{ goal, want string }{
		{"win(X)", "X=b X=d? X=e?"}, {"win(a)", "no"}, {"tnot(win(a))", "true"}, {"tnot(win(d))", "?"},
		{"must(X)", "X=al? X=bo"}, {"must(al), may(al)", "?"}, {"undefined", "?"}, {"\\+ undefined", "?"},
		{"even(7)", "no"}, {"even(8)", "true"}, {"t", "?"}, {"\\+ t", "?"}, {"\\+ \\+ t", "?"},
		{"\\+ must(al)", "?"}, {"\\+ must(bo)", "no"}, {"\\+ must(cy)", "true"},
		{"member(X, [al, bo, cy]), \\+ must(X)", "X=al? X=cy"},
		{"member(X, [al, bo, cy]), ( must(X) -> R = y ; R = n )", "X=al,R=y? X=bo,R=y X=cy,R=n"},
		{"member(X, [al, bo, cy]), ( must(X) *-> R = y ; R = n )", "X=al,R=y? X=bo,R=y X=cy,R=n"},
		{"( must(al) -> fail ; true )", "no?"}, {"( must(bo) -> fail ; true )", "no"},
		{"( must(al) *-> fail ; true )", "no?"}, {"once(must(al)), fail", "no"},
		{"\\+ ( must(al) -> fail ; true )", "?"}, {"\\+ ( must(bo) -> fail ; true )", "true"},
		{"( ( must(al) -> fail ; true ) -> R = y ; R = n )", "R=n?"}, {"cut(al)", "?"}, {"cut(bo)", "no"},
		{"cut(cy)", "true"}, {"once_cut(X)", "no?"}, {"once_cut(bo)", "true"}, {"\\+ once_cut(al)", "true"},
		{"pick(X)", "X=al?"},
		{"findall(_X, pick(_X), L)", "L=[al]?"}, {"findall(_X, must(_X), L)", "L=[al,bo]?"},
		{"findall(_X, (member(_X, [bo]), must(_X)), L)", "L=[bo]"}, {"findall(_X, must(_X), L, [z])", "L=[al,bo,z]?"},
		{"setof(_X, must(_X), L)", "L=[al,bo]?"}, {"bagof(_X, must(_X), [_ | _])", "?"},
		{"member(X, [al, bo]), aggregate_all(count, must(X), N)", "X=al,N=1? X=bo,N=1"},
		{"member(X, [al, bo]), aggregate_all(max(1), must(X), N)", "X=al,N=1? X=bo,N=1"},
		{"aggregate_all(bag(_X), must(_X), L)", "L=[al,bo]?"}, {"aggregate_all(count, pick(_), N)", "N=1?"},
		{"findall(_X, less(_X), L)", "L=[]?"},
		{"forall(p(_X), must(_X))", "?"}, {"forall(must(_X), p(_X))", "true"}, {"forall(p(_X), _X \\== cy)", "true"},
		{"forall(member(_X, [bo, cy]), must(_X))", "no"}, {"forall(member(_X, [al, cy]), must(_X))", "no"},
		{"ignore(must(al))", "?"}, {"once(must(_))", "?"}, {"( must(_) -> true ; fail )", "?"},
		{"\\+ \\+ must(_)", "true"}, {"limit(1, must(_))", "?"}, {"findnsols(1, x, must(_), _), !", "?"},
		{"best(al, N)", "N=1?"}, {"best(bo, N)", "N=1"},
		{"catch((must(al), throw(x)), x, true)", "?"}, {"catch((must(al), throw(x) ; true), x, fail)", "no?"},
		{"catch((must(bo), throw(x)), x, true)", "true"},
		{"nb_setval(k, 0), ( must(al), nb_setval(k, 1), fail ; nb_getval(k, V) )", "V=1?"},
		{"( must(al), flag(k, _, 1), fail ; flag(k, V, V) )", "V=1?"},
		{"nb_setval(k, 0), ( must(al), nb_delete(k), fail ; nb_current(k, _) )", "no?"},
		{"( must(al), recorda(k, 1), fail ; recorded(k, V) )", "V=1"}, // not in a transaction
		{"( must(al), thread_send_message(main, x), fail ; thread_peek_message(main, V) )", "V=x?"},
		{"thread_send_message(main, x), ( must(al), thread_get_message(_), fail ; true )", "?"},
		{"thread_send_message(main, x), ( must(al), thread_peek_message(_), fail ; true )", "true"},
		{"message_queue_create(q), ( must(al), message_queue_destroy(q), fail ; true )", "?"},
		{"inserted(V)", "V=k?"},
		{"deleted", "?"},
		{"next(V)", "V=2?"},
		{"inside", "?"},
		{"with_output_to(atom(S), forall(must(al), write(x)))", "S=x?"},
		{"with_output_to(atom(S), forall(must(_), print(x)))", "S=xx?"},
		{"with_output_to(atom(S), forall(must(_X), format('~w', [_X])))", "S=albo?"},
		{"with_output_to(atom(S), forall(must(bo), write(x)))", "S=x"},
		{"with_output_to(atom(S), ( must(al), fail ; write(x) ))", "S=x"},
		{"( with_output_to(string(_), must(al)), fail ; true )", "true"},
		{"( must(al), format(atom(_), x, []), fail ; true )", "true"},
		{"forall(must(al), write(''))", "true"},
		{"S = s(0), ( must(al), nb_setarg(1, S, 1), fail ; true )", "S=s(1)?"}, {"call(must, al)", "?"},
		{"maplist([_X]>>must(_X), [bo])", "true"}, {"maplist([_X]>>must(_X), [bo, al])", "?"},
		{"call_delays(must(al), C)", "C=must(al)?"}, {"call_delays(must(bo), C)", "C=true"},
		{"not_exists(must(al))", "?"}, {"not_exists(must(bo))", "no"}, {"must(X), !", "X=al?"},
		{"offset(1, must(X))", "X=bo?"}, {"call_nth(must(X), 2)", "X=bo?"}, {"call_nth(must(X), N)", "X=al,N=1? X=bo,N=2?"},
		{"offset(1, win(X))", "X=d? X=e?"}, {"limit(1, offset(2, win(_)))", "?"},
		{"S = s(0), between(1, 2, I), arg(1, S, V), must(al), nb_setarg(1, S, I)", "S=s(1),I=1,V=0? S=s(2),I=2,V=1?"},
		{"S = s(0), between(1, 3, I), arg(1, S, V), ( I == 1, must(al), nb_setarg(1, S, 1), fail ; I > 1 )",
			"S=s(1),I=2,V=1? S=s(1),I=3,V=1?"},
		{"S = s(0), fact(I), arg(1, S, V), ( I == 1, must(al), nb_setarg(1, S, 1), fail ; I > 1 )", "S=s(1),I=2,V=1?"},
		{"S = s(0), p(_X), arg(1, S, V), ( _X == al, must(al), nb_setarg(1, S, 1), fail ; _X \\== al )", "S=s(1),_X=bo,V=1?"},
		{"none", "no?"}, {"none ; \\+ none", "?"}, {"( none -> R = y ; R = n )", "R=n?"}, {"some", "?"}, {"\\+ some", "?"},
		{"none, fail ; true", "true"}, {"( none ; fine )", "true"},
		{"either", "?"}, {"\\+ either", "?"},
		{"findall(x, none, [])", "?"}, {"findall(x, none, [x])", "no?"}, {"forall(fine, none)", "?"},
		{"empty(R)", "R=some?"}, {"full(R)", "R=some"}, {"first(N)", "N=1?"},
		{"loop(20000)", "?"}, {"loop(20000), fail", "no?"},
		{"nb_setval(k, 0), ( must(al), nb_setval(k, 1), fail ; true ), fine", "?"}, {"fine", "true"},
		{"( must(al) ; true )", "? true"}, {"( must(al), fail ; true )", "true"},
		{"findall(_X, must(_X), [bo])", "no?"}, {"findall(_X, must(_X), L), L == [bo]", "no?"},
		{"findall(x, must(bo), [])", "no"}, {"findall(_X, must(_X), L, [z]), L = [_, _]", "no?"},
		{"aggregate_all(count, must(al), 0)", "no?"}, {"aggregate_all(count, must(bo), 0)", "no"},
		{"aggregate_all(sum(2), must(_), 2)", "no?"}, {"aggregate_all(max(2), must(al), 3)", "no?"},
		{"aggregate_all(min(2, w), must(al), min(3, w))", "no?"}, {"aggregate_all(max(2), must(bo), 3)", "no"},
		{"aggregate_all(bag(_X), must(_X), [bo])", "no?"}, {"aggregate_all(set(_X), must(_X), [bo])", "no?"},
		{"bagof(_X, must(_X), [bo])", "no?"}, {"setof(_X, must(_X), [bo])", "no?"},
		{"aggregate(count, _X^must(_X), 1)", "no?"}, {"bagof(_X, (p(_X), _X == al, must(_X)), [])", "no?"},
		{"\\+ findall(_X, must(_X), [bo])", "?"}, {"forall(findall(_X, must(_X), [bo]), fail)", "?"},
		{"( findall(x, must(al), []) -> R = n ; R = y )", "R=y?"}, {"foreach(must(_X), _X == bo)", "no?"},
		{"findall(_Y, (findall(x, must(al), _L), member(_Y, _L)), [])", "no?"},
		{"nb_setval(k, 0), ( must(al), nb_setval(k, 1), fail ; nb_getval(k, 0) )", "no?"},
		{"S = s(0), ( must(al), nb_setarg(1, S, 1), fail ; true ), !, arg(1, S, 0)", "no?"},
		{"S = s(0), ( must(al), nb_setarg(1, S, 1), fail ; member(X, [1, 2]) ), arg(1, S, 0)", "no?"},
		{"S = s(0), ( must(bo), nb_setarg(1, S, 1), fail ; true ), arg(1, S, 0)", "no"},
		{"with_output_to(atom(''), forall(must(al), write(x)))", "no?"},
		{"nb_setval(k, 0), setup_call_cleanup(true, once(must(_)), nb_setval(k, 1)), nb_getval(k, V)", "V=1?"},
		{"with_output_to(atom(_), once(must(_))), with_output_to(atom(S), write(x))", "S=x?"},
		{"setup_call_cleanup(true, once(must(_X)), true), _X == bo", "no?"},
	} {
		require.Equal(t, tt.want, verdicts(t, p, tt.goal), tt.goal)
	}
	for _, goal := range []string{"must(al), assertz(fact(1))", "\\+ must(al), assertz(fact(1))",
		"must(al), assertz(fact(1)), fail", "assertz(fact(1)), must(al), retract(fact(1)), assertz(fact(2))",
		"transaction((assertz(fact(1)), must(al)))", "transaction((must(al), assertz(fact(1))))"} {
		_, err := p.Once(t.Context(), goal, &engine.RunOptions{})
		require.ErrorContains(t, err, "fact/1 is not changed: the change rests on what is neither true nor false", goal)
	}
	_, err = p.Once(t.Context(), "retractall(fact(_)), assertz(fact(0))", &engine.RunOptions{})
	require.NoError(t, err)
	for _, goal := range []string{"must(al), assertz(fact(1))", "\\+ must(al), assertz(fact(1))",
		"must(al), assertz(fact(1)), fail", "assertz(fact(1)), must(al), retract(fact(1)), assertz(fact(2))",
		"assertz(fact(1)), must(al)", "assertz(fact(1)), \\+ must(al)", "retractall(fact(_)), must(al)",
		"assertz(fact(1)), forall(p(X), must(X))", "assertz(fact(1)), ( must(al) ; true )",
		"transaction((assertz(fact(1)), must(al)))",
		"assertz(fact(1)), flag(k, _, 0), ( must(al), flag(k, _, 1), fail ; true )",
		"( must(al), recorda(fact, 1), fail ; true ), ( recorded(fact, 1) -> assertz(fact(1)) ; true )"} {
		r, err := p.Start(goal, &engine.RunOptions{Transaction: true})
		require.NoError(t, err)
		_, err = r.Next(t.Context())
		require.NoError(t, err)
		var ex *engine.Exception
		require.True(t, errors.As(r.Commit(), &ex), goal)
		require.Contains(t, engine.Inner(p).FormatNumbered(ex.Formal()), "permission_error(commit,undefined,", goal)
		r.Close()
		_, err = p.Once(t.Context(), "findall(X, fact(X), [0])", &engine.RunOptions{})
		require.NoError(t, err, goal)
	}
}

// openProgram is a random program of propositions. Its first clauses are those of p0.
type openProgram [][][]int // the clauses of each proposition: n+1 for pn, -n-1 for its negation

func randomOpen(r *rand.Rand) openProgram {
	p := make(openProgram, 2+r.Intn(5))
	for i := range p {
		for range r.Intn(3) {
			var body []int
			for range r.Intn(3) {
				body = append(body, (1+r.Intn(len(p)))*(1-2*r.Intn(2)))
			}
			p[i] = append(p[i], body)
		}
	}
	return p
}

// least is the least model when negations are evaluated in another model.
func (p openProgram) least(by []bool) []bool {
	model := make([]bool, len(p))
	for changed := true; changed; {
		changed = false
		for i, clauses := range p {
			for _, body := range clauses {
				holds := !model[i]
				for _, l := range body {
					holds = holds && (l > 0 && model[max(l, 1)-1] || l < 0 && !by[max(-l, 1)-1])
				}
				model[i], changed = model[i] || holds, changed || holds
			}
		}
	}
	return model
}

// wellFounded says for each proposition whether it is true, and whether it is true or undefined (Van Gelder 1989).
func (p openProgram) wellFounded() (sure, maybe []bool) {
	sure = make([]bool, len(p))
	for range len(p) + 1 {
		maybe = p.least(sure)
		sure = p.least(maybe)
	}
	return sure, p.least(sure)
}

func (p openProgram) text(name string) string {
	var b strings.Builder
	for i, clauses := range p {
		fmt.Fprintf(&b, ":- table %s%d/0.\n:- dynamic none/0.\n", name, i)
		if len(clauses) == 0 {
			fmt.Fprintf(&b, "%s%d :- fail.\n", name, i)
		}
		for _, body := range clauses {
			goals := []string{"true"}
			for _, l := range body {
				goal := fmt.Sprintf("%s%d", name, max(l, -l)-1)
				if l < 0 {
					goal = "tnot(" + goal + ")"
				}
				goals = append(goals, goal)
			}
			fmt.Fprintf(&b, "%s%d :- %s.\n", name, i, strings.Join(goals, ", "))
		}
	}
	return b.String()
}

// TestWellFounded compares random programs with their well-founded models, and with SWI-Prolog where it is installed.
func TestWellFounded(t *testing.T) {
	var all, goals, want strings.Builder
	undefined := 0
	for seed := range 300 {
		program := randomOpen(rand.New(rand.NewSource(int64(seed))))
		sure, maybe := program.wellFounded()
		text := program.text("p")
		p, err := engine.LoadText(t.Context(), "t.pl", text, nil)
		require.NoError(t, err)
		for i := range program {
			pos, neg, list := "no", "true", "L=[]"
			switch {
			case sure[i]:
				pos, neg, list = "true", "no", "L=[x]"
			case maybe[i]:
				pos, neg, list = "?", "?", "L=[x]?"
				undefined++
			}
			for goal, verdict := range map[string]string{"p%d": pos, "once(p%d)": pos, "\\+ p%d": neg, "tnot(p%d)": neg,
				"findall(x, p%d, L)": list, "\\+ \\+ p%d": pos, "( p%d -> true ; fail )": pos, "forall(p%d, fail)": neg} {
				goal = fmt.Sprintf(goal, i)
				require.Equal(t, verdict, verdicts(t, p, goal), "%s\n%s", goal, text)
			}
			fmt.Fprintf(&goals, "verdict(g%d_%d).\n", seed, i)
			fmt.Fprintln(&want, map[string]string{"no": "no", "true": "true", "?": "undefined"}[pos])
		}
		all.WriteString(program.text(fmt.Sprintf("g%d_", seed)))
	}
	require.Greater(t, undefined, 80)
	swipl, err := exec.LookPath("swipl")
	if err != nil {
		t.Skip("SKIPPED: SWI-Prolog is not installed")
	}
	const ask = "verdict(G) :- call_delays(G, C), !, ( C == true -> writeln(true) ; writeln(undefined) ).\n" +
		"verdict(_) :- writeln(no).\n"
	file := filepath.Join(t.TempDir(), "all.pl")
	list := strings.ReplaceAll(strings.TrimSpace(goals.String()), ".\n", ",\n")
	require.NoError(t, os.WriteFile(file, []byte(all.String()+ask+"main :- "+list+"\n"), 0o666))
	out, err := exec.Command(swipl, "-q", "-g", "main", "-t", "halt", file).CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, want.String(), string(out))
}
