package bridge

import (
	"context"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/bridgetest"
)

// leaningRules ask in helper predicates. Each goal of TestLeaningGoals becomes the body of t/1.
const leaningRules = `
:- use_module(library(mcp)).
:- use_module(library(solution_sequences)).
capabilities([tools, elicitation]).
tools([tool(t, t, 1)]).
:- mode(t(-term), zero_or_more).
:- info(t/1, [comment is 'Leans on an answer.', argnames is [r]]).
schema({type-object, properties-{income-{type-integer}}, required-[income]}).
q(P, A) :- schema(S), mcp_elicit(P, S, A).
approved(P) :- q(P, A), A = accept(_).
by_head(P) :- q(P, A), accepted(A).
by_cut(P) :- q(P, A), !, A = accept(_).
by_once(P) :- once(q(P, A)), A = accept(_).
by_choice(P) :- q(P, A), member(X, [1, 2]), A = accept(X).
by_order(P) :- q(P, A), A \== cancel, A \== decline.
by_all(P) :- schema(S), mcp_elicit_all([ask(k, P, S)], L), L = [k-accept(_)].
by_throw(P) :- q(P, A), ( A = accept(_) -> true ; throw(refused) ).
by_note(P) :- q(P, A), assertz(noted(P, A)), A = accept(_).
accepted(accept(_)).
own(P, R) :- q(P, A), ( A = accept(_) -> R = yes ; A == cancel -> R = unknown ; R = no ).
by_clause(P, R) :- q(P, A), cases(A, R).
cases(accept(_), yes).
cases(decline, no).
cases(cancel, unknown).
:- dynamic(noted/2).
:- table tabled/1, answers/1, best(_, max), unsure/0.
tabled(P) :- approved(P).
answers(A) :- q(a, A).
best(P, N) :- own(P, R), ( R == yes -> N = 1 ; N = 0 ).
unsure :- tnot(answers(accept(_))).
t(R) :- `

// leaning are goals that fail, or would, for lack of an answer.
var leaning = []string{
	"G = (q(a, A), A = accept(_)), \\+ G, R = no",
	"G = mcp_elicit(a, {type-object, properties-{}}, A), \\+ ( G, A = accept(_) ), R = no",
	"term_to_atom(G, 'approved(a)'), \\+ G, R = no",
	"G = approved(a), not(G), R = no",
	"\\+ approved(a), R = no",
	"( approved(a) -> R = yes ; R = no )",
	"( approved(a) *-> R = yes ; R = no )",
	"( approved(a), R = yes ; R = no )",
	"forall(member(P, [a, b]), \\+ approved(P)), R = no",
	"forall(approved(a), fail), R = no",
	"forall(q(a, A), A = accept(_)), R = yes ; R = no",
	"G = approved(a), forall(G, fail), R = no",
	"findall(P, ( member(P, [a, b]), approved(P) ), R)",
	"( findall(A, q(a, A), L), L = [accept(_)] -> R = yes ; R = no )",
	"( findall(A, q(a, A), L), member(accept(_), L) -> R = yes ; R = no )",
	"( bagof(P, ( member(P, [a, b]), approved(P) ), R) -> true ; R = no )",
	"( setof(A, q(a, A), [accept(_)]) -> R = yes ; R = no )",
	"aggregate_all(count, ( member(P, [a, b]), approved(P) ), R)",
	"aggregate_all(sum(1), approved(a), R)",
	"( aggregate_all(max(P), ( member(P, [1, 2]), approved(P) ), R) -> true ; R = no )",
	"( aggregate_all(max(1, A), q(a, A), max(1, accept(_))) -> R = yes ; R = no )",
	"( tabled(a) -> R = yes ; R = no )",
	"( tnot(tabled(a)) -> R = no ; R = yes )",
	"( answers(accept(_)) -> R = yes ; R = no )",
	"( answers(A), A = accept(_) -> R = yes ; R = no )",
	"forall(answers(_), true), ( answers(A), A = accept(_) -> R = yes ; R = no )",
	"( best(a, N), N = 1 -> R = yes ; R = no )",
	"forall(best(a, _), true), ( best(a, N), N = 1 -> R = yes ; R = no )",
	"( call(approved, a) -> R = yes ; R = no )",
	"( maplist(approved, [a, b]) -> R = yes ; R = no )",
	"include(approved, [a, b], R)",
	"partition(approved, [a, b], _, R)",
	"( once(approved(a)) -> R = yes ; R = no )",
	"ignore(( approved(a), R = yes )), ( var(R) -> R = no ; true )",
	"( catch(approved(a), _, fail) -> R = yes ; R = no )",
	"catch(by_throw(a), _, true), R = no",
	"catch(by_throw(a), E, true), ( E == refused -> R = no ; R = yes )",
	"catch(( by_throw(a), R = yes ), refused, fail) ; R = no",
	"( by_head(a) -> R = yes ; R = no )",
	"( by_cut(a) -> R = yes ; R = no )",
	"( by_once(a) -> R = yes ; R = no )",
	"( by_choice(a) -> R = yes ; R = no )",
	"( by_order(a) -> R = yes ; R = no )",
	"( by_all(a) -> R = yes ; R = no )",
	"( by_note(a) -> R = yes ; R = no )",
	"( own(a, yes) -> R = yes ; R = no )",
	"( by_clause(a, no) -> R = no ; R = yes )",
	"( limit(1, q(a, A)), A = accept(_) -> R = yes ; R = no )",
	"( distinct(A, q(a, A)), A = accept(_) -> R = yes ; R = no )",
	"( call_cleanup(approved(a), true) -> R = yes ; R = no )",
	"( call_with_depth_limit(approved(a), 100, _) -> R = yes ; R = no )",
	"( call_with_time_limit(10, approved(a)) -> R = yes ; R = no )",
	"( first_solution(x, [approved(a)], []) -> R = yes ; R = no )",
	"( freeze(X, approved(a)), X = 1 -> R = yes ; R = no )",
	"( phrase(( call([L, L] >> approved(a)) ), []) -> R = yes ; R = no )",
	"R = first ; approved(a), R = yes",
	"( mcp_ask(a, integer, _) -> R = yes ; R = no )",
	"nb_setval(k, 1), ( approved(a), nb_setval(k, 2), fail ; nb_getval(k, R) )",
}

// treated are goals with a case for a question that nobody answers, and what they come to.
var treated = map[string]string{
	"own(a, R)":        "unknown",
	"by_clause(a, R)":  "unknown",
	"G = own(a, R), G": "unknown",
	"q(a, A), ( A = accept(_) -> R = yes ; R = A )":                                  "cancel",
	"q(a, A), ( \\+ A = cancel -> R = yes ; R = A )":                                 "cancel",
	"( q(a, cancel) -> R = dismissed ; R = no )":                                     "dismissed",
	"own(a, unknown), R = dismissed":                                                 "dismissed",
	"once(own(a, R))":                                                                "unknown",
	"findall(X, ( member(P, [a, b]), own(P, X) ), R)":                                "[unknown,unknown]",
	"findall(P-X, own(P, X), [_-R])":                                                 "unknown",
	"bagof(X, own(a, X), R)":                                                         "[unknown]",
	"aggregate_all(count, ( member(P, [a, b]), own(P, unknown) ), R)":                "2",
	"aggregate_all(max(N), ( member(N, [2, 1]), own(N, _) ), R)":                     "2",
	"aggregate_all(min(N, X), ( member(N, [2, 1]), own(N, X) ), min(_, R))":          "unknown",
	"forall(member(P, [a, b]), own(P, _)), R = all":                                  "all",
	"forall(member(P, [a, b]), ( own(P, X), assertz(noted(P, X)) )), noted(b, R)":    "unknown",
	"forall(own(a, X), X \\== no), R = all":                                          "all",
	"forall(( member(P, [a, b]), own(P, X) ), ( X == unknown, own(P, X) )), R = all": "all",
	"G = own(a, X), forall(G, X \\== no), R = all":                                   "all",
	"best(a, N), ( N = 1 -> R = yes ; R = none )":                                    "none",
	"best(a, _), best(a, R)":                                                         "0",
	"answers(R)":                                                                     "cancel",
	"catch(by_throw(a), refused, R = none)":                                          "none",
	"catch(by_throw(a), E, ( E = refused -> throw(known) ; true )) ; R = x":          "",
	"maplist(own, [a, b], R)":                                                        "[unknown,unknown]",
	"foldl([P, N0, N]>>( own(P, _), N is N0 + 1 ), [a, b], 0, R)":                    "2",
	"between(1, 3, N), q(a, A), ( A = accept(_) ; N =:= 3 ), !, R = N":               "3",
	"R = 1": "1",
}

// TestLeaningGoals has goals lean on an answer that does not come, however they are made.
func TestLeaningGoals(t *testing.T) {
	never := func(ctx context.Context, _ *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	ask := func(goal string, i int, nobody bool) *mcp.CallToolResult {
		version := []string{"2025-06-18", "2025-11-25", "2026-07-28"}[i%3]
		handler, o := (&user{answers: []*mcp.ElicitResult{cancel}}).answer, (*Options)(nil)
		if nobody {
			handler, o = never, &Options{AskTime: 20 * time.Millisecond}
		}
		s := NewServer(loadText(t, leaningRules+goal+".\n"), o)
		cs := connect(t, s, version, &mcp.ClientOptions{ElicitationHandler: handler}, unchecked)
		return bridgetest.CallTool(t, cs, "t", "")
	}
	for i, goal := range leaning {
		r := ask(goal, i, false)
		require.Equal(t, "undecided", r.Meta["mcplogic/code"], "%s: %v", goal, bridgetest.TextsOf(r))
		require.NotEmpty(t, r.StructuredContent.(map[string]any)["undecided"], goal)
		if i%3 != 2 { // such a client does not come back
			require.Equal(t, "undecided", ask(goal, i, true).Meta["mcplogic/code"], goal)
		}
	}
	i := 0
	for goal, want := range treated {
		i++
		r := ask(goal, i, false)
		require.Equal(t, want == "", r.IsError, "%s: %v", goal, bridgetest.TextsOf(r))
		if want != "" {
			require.Equal(t, []string{"r: " + want}, bridgetest.TextsOf(r), goal)
		}
	}
	r := ask("catch(q(a, _), error(mcp_error(unanswered, _), _), R = nobody)", 0, true)
	require.Equal(t, []string{"r: nobody"}, bridgetest.TextsOf(r))
}
