package engine_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/tools/deep"
)

// This file compares tables with a direct evaluation of generated programs. The evaluation applies all mutually
// recursive rules until nothing changes, and treats negation by the alternating fixpoint.

// datalog is a generated program. Predicates are p0, p1 ... and the facts e.
type datalog struct {
	facts []fact
	rules []rule
	preds int
	size  int // the constants of the domain
}

type fact struct {
	pred string
	x, y int
}

// rule has a head and a body of atoms, whose arguments are variables (negative) or constants.
type rule struct{ atoms []ruleAtom }

type ruleAtom struct {
	pred    string
	args    [2]int
	negated bool
}

// generate makes a program, with negated atoms if negation is true.
func generate(r *rand.Rand, negation bool) *datalog {
	d := &datalog{preds: 1 + r.IntN(3), size: 2 + r.IntN(5)}
	for range 1 + r.IntN(2*d.size) {
		d.facts = append(d.facts, fact{"e", r.IntN(d.size), r.IntN(d.size)})
	}
	for p := range d.preds {
		for range 1 + r.IntN(3) {
			d.rules = append(d.rules, d.rule(r, "p"+strconv.Itoa(p), negation))
		}
	}
	return d
}

func (d *datalog) rule(r *rand.Rand, head string, negation bool) rule {
	arg := func() int {
		if r.IntN(6) == 0 {
			return r.IntN(d.size)
		}
		return -1 - r.IntN(4)
	}
	var body []ruleAtom
	var vars []int
	for range 1 + r.IntN(3) {
		pred := "e"
		if r.IntN(3) > 0 {
			pred = "p" + strconv.Itoa(r.IntN(d.preds))
		}
		a := ruleAtom{pred: pred, args: [2]int{arg(), arg()}}
		body = append(body, a)
		vars = append(vars, a.args[:]...)
	}
	pick := func() int { return vars[r.IntN(len(vars))] }
	if negation && r.IntN(2) == 0 {
		pred := "p" + strconv.Itoa(r.IntN(d.preds))
		body = append(body, ruleAtom{pred: pred, args: [2]int{pick(), pick()}, negated: true})
	}
	return rule{append([]ruleAtom{{pred: head, args: [2]int{pick(), pick()}}}, body...)}
}

// model returns the consequences of the rules. A negated atom holds if assumed does not have it.
func (d *datalog) model(assumed map[fact]bool) map[fact]bool {
	known := map[fact]bool{}
	for _, f := range d.facts {
		known[f] = true
	}
	for n := -1; n != len(known); {
		n = len(known)
		for _, r := range d.rules {
			d.derive(r, 1, map[int]int{}, known, assumed)
		}
	}
	return known
}

func (d *datalog) derive(r rule, at int, env map[int]int, known, assumed map[fact]bool) {
	value := func(arg int) int {
		if arg < 0 {
			return env[arg]
		}
		return arg
	}
	if at == len(r.atoms) {
		head := r.atoms[0]
		known[fact{head.pred, value(head.args[0]), value(head.args[1])}] = true
		return
	}
	a := r.atoms[at]
	if a.negated {
		if !assumed[fact{a.pred, value(a.args[0]), value(a.args[1])}] {
			d.derive(r, at+1, env, known, assumed)
		}
		return
	}
	for f := range maps.Clone(known) {
		if f.pred != a.pred {
			continue
		}
		inner, ok := maps.Clone(env), true
		for i, v := range []int{f.x, f.y} {
			arg := a.args[i]
			if old, bound := inner[arg]; arg >= 0 && arg != v || arg < 0 && bound && old != v {
				ok = false
			} else if arg < 0 {
				inner[arg] = v
			}
		}
		if ok {
			d.derive(r, at+1, inner, known, assumed)
		}
	}
}

// wellFounded returns the true facts, and those that are true or undefined.
func (d *datalog) wellFounded() (sure, maybe map[fact]bool) {
	sure = map[fact]bool{}
	for {
		maybe = d.model(sure)
		next := d.model(maybe)
		if len(next) == len(sure) {
			return sure, maybe
		}
		sure = next
	}
}

// text writes the program. wrap is how often a call is nested in a goal whose continuation cannot be copied.
func (d *datalog) text(r *rand.Rand, wrap float64) string {
	var b strings.Builder
	for p := range d.preds {
		fmt.Fprintf(&b, ":- table p%d/2.\n", p)
	}
	for _, f := range d.facts {
		fmt.Fprintf(&b, "e(%d, %d).\n", f.x, f.y)
	}
	for _, rule := range d.rules {
		var body []string
		for _, a := range rule.atoms[1:] {
			goal := a.String()
			switch {
			case r.Float64() >= wrap || a.negated:
			case r.IntN(2) == 0:
				goal = "catch(" + goal + ", none, true)"
			default:
				goal = "G = (true, " + goal + "), call(G)"
				goal = strings.ReplaceAll(goal, "G", "G"+strconv.Itoa(len(body)))
			}
			body = append(body, goal)
		}
		fmt.Fprintf(&b, "%s :- %s.\n", rule.atoms[0], strings.Join(body, ", "))
	}
	return b.String()
}

func (a ruleAtom) String() string {
	var args [2]string
	for i, n := range a.args {
		args[i] = strconv.Itoa(n)
		if n < 0 {
			args[i] = "X" + strconv.Itoa(-n)
		}
	}
	if a.negated {
		return fmt.Sprintf("tnot(%s(%s, %s))", a.pred, args[0], args[1])
	}
	return fmt.Sprintf("%s(%s, %s)", a.pred, args[0], args[1])
}

// answers lists the facts of a predicate that match a call. Undefined facts have a mark.
func answers(call ruleAtom, sure, maybe map[fact]bool) string {
	var list []string
	for f := range maybe {
		if f.pred != call.pred || call.args[0] >= 0 && call.args[0] != f.x || call.args[1] >= 0 && call.args[1] != f.y ||
			call.args[0] < 0 && call.args[0] == call.args[1] && f.x != f.y {
			continue
		}
		mark := ""
		if !sure[f] {
			mark = "?"
		}
		list = append(list, fmt.Sprintf("%d-%d%s", f.x, f.y, mark))
	}
	slices.Sort(list)
	return strings.Join(slices.Compact(list), " ")
}

// asked returns the same list from the tables of a program.
func asked(t *testing.T, prog *engine.Program, calls []ruleAtom, o *engine.RunOptions) []string {
	var got []string
	var goals []string
	for i, c := range calls {
		args := strings.TrimPrefix(c.String(), c.pred)
		goals = append(goals, fmt.Sprintf("findall(R, (call_delays(%s, D), %s = p(X, Y), "+
			"(D == true -> M = '' ; M = ?), atomic_list_concat([X, -, Y, M], R)), L%d0), sort(L%d0, L%d), "+
			"atomic_list_concat(L%d, ' ', A%d)", c, "p"+args, i, i, i, i, i))
	}
	s, err := prog.Once(t.Context(), strings.Join(goals, ", "), o)
	require.NoError(t, err)
	for i := range calls {
		got = append(got, s.Text("A"+strconv.Itoa(i)))
	}
	return got
}

// stressed returns options that exercise the collector with some programs.
func stressed(i int) *engine.RunOptions {
	return engine.Stressed(&engine.RunOptions{},
		engine.Stress{Verify: i%10 == 3, Grow: i%10 == 6, GC: i%10 == 9, Eager: i%2 == 0})
}

// TestGeneratedTables reads MCPLOGIC_PROGRAMS and MCPLOGIC_SEED.
func TestGeneratedTables(t *testing.T) {
	t.Parallel()
	programs, seed := randomPrograms(t, 50, 150), uint64(deep.Number(t, "MCPLOGIC_SEED", 1))
	for i := range programs {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		d := generate(r, i%3 == 2)
		sure, maybe := d.wellFounded()
		text := d.text(r, float64(i%4)/6)
		prog, err := engine.LoadText(t.Context(), "generated.pl", text, nil)
		require.NoError(t, err, text)
		var calls []ruleAtom
		var want []string
		for range 4 {
			c := ruleAtom{pred: "p" + strconv.Itoa(r.IntN(d.preds)), args: [2]int{-1, -2}}
			for j := range c.args {
				if r.IntN(3) == 0 {
					c.args[j] = r.IntN(d.size)
				}
			}
			calls = append(calls, c)
			want = append(want, answers(c, sure, maybe))
		}
		require.Equal(t, want, asked(t, prog, calls, stressed(i)), "program %d, calls %v:\n%s", i, calls, text)
	}
}

// TestEnoughBehindTables adds the facts that an explanation calls enough, and checks that the goal then holds in the
// direct evaluation. It reads MCPLOGIC_PROGRAMS.
func TestEnoughBehindTables(t *testing.T) {
	t.Parallel()
	goals, single, named, sets := 0, 0, 0, 0
	for i := range randomPrograms(t, 30, 150) {
		r := rand.New(rand.NewPCG(7, uint64(i)))
		d := generate(r, i%3 == 2)
		_, maybe := d.wellFounded()
		text := d.text(r, 0)
		prog, err := engine.LoadText(t.Context(), "generated.pl", text, nil)
		require.NoError(t, err, text)
		for range 2 {
			goal := fact{"p" + strconv.Itoa(r.IntN(d.preds)), r.IntN(d.size), r.IntN(d.size)}
			if maybe[goal] {
				continue
			}
			question := fmt.Sprintf("%s(%d, %d)", goal.pred, goal.x, goal.y)
			m, err := prog.WhyNot(t.Context(), question, &engine.WhyOptions{Limits: engine.Limits{Time: 3 * time.Second}})
			if limited(err) {
				continue
			}
			require.NoError(t, err, text)
			for _, set := range m.Enough {
				var facts []fact
				for _, text := range set {
					facts = append(facts, factOf(t, text))
				}
				require.True(t, d.holdsWith(goal, facts...), "%s with %q\n%s\n%s", question, set, m.Text, text)
			}
			goals, sets = goals+1, sets+len(m.Enough)
			if d.oneIsEnough(goal) {
				if single++; len(m.Enough) > 0 && len(m.Enough[0]) == 1 {
					named++
				}
			}
		}
	}
	t.Logf("%d goals, %d sets are enough; one fact is enough for %d goals, and named for %d", goals, sets, single, named)
	require.Greater(t, named, single/2)
}

// factOf reads a fact.
func factOf(t *testing.T, text string) (f fact) {
	_, err := fmt.Sscanf(strings.NewReplacer("(", " ", ",", "", ")", "").Replace(text), "%s %d %d", &f.pred, &f.x, &f.y)
	require.NoError(t, err, text)
	return f
}

// holdsWith reports whether a fact follows when other facts are added.
func (d *datalog) holdsWith(goal fact, facts ...fact) bool {
	with := *d
	with.facts = append(slices.Clone(d.facts), facts...)
	sure, _ := with.wellFounded()
	return sure[goal]
}

// oneIsEnough reports whether a single added fact makes another one follow.
func (d *datalog) oneIsEnough(goal fact) bool {
	for n := range d.size * d.size {
		if d.holdsWith(goal, fact{"e", n / d.size, n % d.size}) {
			return true
		}
	}
	return false
}

// TestMutualRecursion checks that the number of inferences grows linearly with the data. An answer takes about seven
// inferences up to 4,000 answers, and nine beyond. With quadratic growth, eight times the data would take 64 times as
// many.
func TestMutualRecursion(t *testing.T) {
	t.Parallel()
	prog, err := engine.LoadText(t.Context(), "pingpong.pl", `
:- table ping/2, pong/2.
ping(_, 0).
ping(N, X) :- pong(N, Y), Y < N, X is Y + 1.
pong(N, X) :- ping(N, Y), Y < N, X is Y + 1.
cost(N, Inferences) :-
    statistics(inferences, Before),
    aggregate_all(count, ping(N, _), _),
    statistics(inferences, After),
    Inferences is After - Before.
`, nil)
	require.NoError(t, err)
	s, err := prog.Once(t.Context(), "cost(10, _), cost(1000, A), cost(8000, B), Ratio is B / A", nil)
	require.NoError(t, err)
	ratio, err := strconv.ParseFloat(s.Text("Ratio"), 64)
	require.NoError(t, err)
	require.Less(t, ratio, 12.0)
}
