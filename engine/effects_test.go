package engine_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/internal/base"
	"github.com/mcplogic/mcplogic/tools/deep"
)

// oddArguments are texts of arguments, from which calls choose at random.
var oddArguments = strings.Fields(`
_ [] a p 'A b' "" "text" 0 1 -1 3.5 1r3 f(x) f(_,_) [a,b] [a|_] [a|b] a-b (a,b)
(:-) {a} 100000000000000000000 1.0Inf 4611686018427387904 user system lists mcp user:a m:p/1
user_input user_output user_error
is/2 append/3 append/4 p/1 q/1 r/0 call/1 (',')/2 (!)/0 nb_getval/2 atom_length/2 lists:append/3 system:is/2
lists:zork/1 [is/2,append/3] (is/2,append/3) system:zork/1 portray/1 message_hook/3 user:goal_expansion/2
prolog_load_context/2 foo//1 is(0,0) append(0,0,0) p(0) (:) xfx fy yfx 200 700 0.5 read write append
lists:append(_,_,_) (p(_):-q(_))
(append(_,_,_):-fail)
(is(_,_)=>true) (a-->b) (user:portray(_):-true) (goal_expansion(_,true):-true) (term_expansion(_,[]):-true) p(7) q(8)
(p(_)=>true) true fail repeat throw(x) member(_,[1,2]) (true;fail) \\+a X^p(X) [X]>>p(X)
unknown double_quotes codes occurs_check
library(lists) library(apply) 'p.pl' [] [access(read_only)] [alias(x)] [type(atom)] _{a:1}
d{b:"c"} table p/_ incremental
p(_) q(_) text(_) on off true false error warning silent informational`)

// wholeState is the state of a program, beside its predicates, that goals can see.
const wholeState = `findall(op(P,T,N), current_op(P,T,N), Ops),
	findall(F-V, (current_prolog_flag(F,V), F \== max_tagged_integer), Flags),
	findall(K-V, nb_current(K,V), Globals), findall(K, current_key(K), Keys), findall(K, current_flag(K), Counters),
	findall(S-A, stream_property(S,alias(A)), Streams),
	findall(p(X), p(X), Ps), findall(q(X), q(X), Qs), findall(X-Y, append(X,Y,[1]), Appended), Two is 1+1,
	current_input(I), current_output(O), prompt(Prompt,Prompt)`

// TestEffectsOfFailedCalls calls each predicate of the manual in transactions that are rolled back, as a server does
// with calls that fail. It then compares all predicates and modules with their state before. MCPLOGIC_CALLS is the
// number of calls, MCPLOGIC_SEED the first seed.
func TestEffectsOfFailedCalls(t *testing.T) {
	t.Parallel()
	calls := deep.Number(t, "MCPLOGIC_CALLS", deep.Count(3000, 300_000))
	seed := uint64(deep.Number(t, "MCPLOGIC_SEED", 1))
	var preds []base.Documented
	for _, c := range base.Documentation() {
		preds = append(preds, c.Predicates...)
	}
	random := rand.New(rand.NewPCG(seed, 2))
	const together = 100 // calls between two comparisons
	p, before, state := victim(t)
	for done := 0; done < calls; done += together {
		var goals []string
		for range together {
			goals = append(goals, oddGoal(random, preds[random.IntN(len(preds))]))
		}
		for _, goal := range goals {
			callInVain(t, p, goal)
		}
		if difference(p, before) == "" && stateOf(t, p) == state {
			continue
		}
		for _, goal := range goals { // find the call that made the difference
			p, before, state = victim(t)
			callInVain(t, p, goal)
			if found := difference(p, before); found != "" {
				t.Errorf("%s has changed %s", goal, found)
			}
			require.Equal(t, state, stateOf(t, p), goal)
		}
		require.False(t, t.Failed())
		p, before, state = victim(t)
	}
}

// oddGoal returns a call of a predicate with unusual arguments.
func oddGoal(random *rand.Rand, d base.Documented) string {
	args := make([]string, d.Arity)
	for i := range args {
		args[i] = oddArguments[random.IntN(len(oddArguments))]
	}
	goal := fmt.Sprintf("G =.. ['%s', %s]", strings.ReplaceAll(strings.ReplaceAll(d.Name, `\`, `\\`), "'", "''"),
		strings.Join(args, ", "))
	if d.Arity == 0 {
		goal = fmt.Sprintf("G = '%s'", d.Name)
	}
	return goal + ", call(G), fail"
}

// victim loads a program and returns its state.
func victim(t *testing.T) (p *engine.Program, schema map[string]string, state string) {
	p, err := engine.LoadFS(t.Context(), fstest.MapFS{"p.pl": {Data: []byte(`:- dynamic p/1.
p(1). p(2).
q(X) :- p(X), append(_, _, [X]).
r :- X is 1, X > 0.
`)}}, nil, "p.pl")
	require.NoError(t, err)
	state = stateOf(t, p)
	return p, engine.Schema(p), state
}

// callInVain calls a goal as a server would, and rolls its changes back. The call must not panic.
func callInVain(t *testing.T, p *engine.Program, goal string) {
	_, err := p.Once(t.Context(), goal, &engine.RunOptions{Transaction: true, Limits: engine.Limits{Inferences: 20_000,
		Memory: 16 << 20, Time: 100 * time.Millisecond}, Input: strings.NewReader("a. b.")})
	var panicked *engine.Panic
	if errors.As(err, &panicked) {
		t.Errorf("%s: %v\n%s", goal, panicked, firstLines(panicked.Stack))
	}
}

// difference names a predicate or module that has changed, or a new predicate outside of libraries. New modules are
// ignored, as modules that goals mention are kept for a while.
func difference(p *engine.Program, before map[string]string) string {
	now := engine.Schema(p)
	for name, was := range before {
		if now[name] != was {
			return fmt.Sprintf("%s from %s to %s", name, was, now[name])
		}
	}
	for name, is := range now {
		module, _, isPredicate := strings.Cut(name, ": ")
		if _, known := before[name]; !known && isPredicate && !engine.IsLibrary(p, module) {
			return fmt.Sprintf("%s to %s", name, is)
		}
	}
	return ""
}

// stateOf returns what a goal sees of a program.
func stateOf(t *testing.T, p *engine.Program) string {
	s, err := p.Once(t.Context(), wholeState, &engine.RunOptions{Transaction: true})
	require.NoError(t, err)
	require.NotNil(t, s)
	var state []string
	for _, name := range []string{"Ops", "Flags", "Globals", "Keys", "Counters", "Streams", "Ps", "Qs",
		"Appended", "Two", "I", "O", "Prompt"} {
		state = append(state, engine.Inner(p).FormatNumbered(s.Get(name)))
	}
	return strings.Join(state, "\n")
}
