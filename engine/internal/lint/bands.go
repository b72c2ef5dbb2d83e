package lint

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/flow"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/values"
)

// This file defines three searches on the inputs of a predicate: for values that two clauses accept although mode/2
// promises one answer, for values that no clause accepts, and for clauses that no value reaches. As inputs are compared
// with constants, it is enough to try the constants and one value between neighbouring constants.

// limit is the condition of a clause on an input: it is one of some values, or a number or a moment within bounds. A
// nil bound is no bound.
type limit struct {
	values       []term.Term // nil for any
	low, high    term.Term
	above, below bool // the bounds themselves are excluded
}

// takes reports whether a value satisfies a limit.
func (l *limit) takes(v term.Term) bool {
	if l.values != nil && !slices.ContainsFunc(l.values, func(one term.Term) bool { return term.Equal(one, v) }) {
		return false
	}
	if l.low != nil {
		if order, ok := inOrder(v, l.low); !ok || order < 0 || order == 0 && l.above {
			return false
		}
	}
	if l.high != nil {
		if order, ok := inOrder(v, l.high); !ok || order > 0 || order == 0 && l.below {
			return false
		}
	}
	return true
}

// inOrder compares two numbers, or two moments of one type. ok is false for other terms.
func inOrder(a, b term.Term) (order int, ok bool) {
	if isNumber(a) && isNumber(b) {
		return term.CompareNumbers(exactly(a), exactly(b)), true
	}
	at := momentOf(a)
	return term.Compare(a, b), at != "" && at == momentOf(b)
}

// exactly returns the integer or rational number with the value of a number. To comparisons of arithmetic 1.0 is 1.
func exactly(t term.Term) term.Term {
	f, ok := t.(term.Float)
	if r := new(big.Rat); ok && r.SetFloat64(float64(f)) != nil {
		return term.NewRational(r)
	}
	return t
}

// momentOf returns the type of a date, a time or a datetime, "" for another term.
func momentOf(t term.Term) string {
	name, _, _ := term.Indicator(t)
	if _, ok := (values.Type{Name: string(name)}).Time(t); ok {
		return string(name)
	}
	return ""
}

// band is a clause, or a branch of a clause, with its conditions on the inputs.
type band struct {
	cl     *clause
	at     *syntax.Layout
	limits []limit
	// moments are the inputs that mode/2 declares as dates, times or datetimes.
	moments []bool
	// exact says that the clause holds for all values within its limits; otherwise it may have further conditions.
	exact bool
	// looked says that conditions compare values of facts. never says that one of them does not hold.
	looked, never bool
	// cuts says that later bands are not tried after it holds.
	cuts bool
	// way is the way in which the predicate is called.
	way *calling
	// given are the variables that goals have bound.
	given map[term.Term]bool
	// values has the known values of variables.
	values map[term.Term]term.Term
	// facts returns the facts of the predicate that a goal calls, if it has only facts without variables. Otherwise it
	// returns nil.
	facts func(g goal) []*clause
	// reached says that some values reach the band. taken says that an earlier band takes some values, and by is that
	// band.
	reached bool
	taken   string
}

// takes reports whether the inputs are within the limits of a band that some values can take.
func (b *band) takes(inputs []term.Term) bool { return !b.never && b.limited(inputs) }

// limited reports whether the inputs are within the limits of a band.
func (b *band) limited(inputs []term.Term) bool {
	for i := range inputs {
		if !b.limits[i].takes(inputs[i]) {
			return false
		}
	}
	return true
}

// maxPoints bounds the tried combinations of values.
const maxPoints = 20_000

// bands reports overlaps and gaps of a predicate that promises one answer or at most one, and its clauses that no call
// reaches.
func (c *checker) bands(p *predicate) {
	overridden := c.mentioned["overrides"]+c.mentioned["exception"] > 0 // labelled rules may give way to each other
	if p.more != nil || p.tabled || overridden || len(p.modes) == 0 && !c.guarded(p) {
		return
	}
	var list []*band
	ways := c.waysOf(p, maxChain)
	all := len(ways) > 0
	for _, w := range ways {
		bands, closed := c.tryBands(p, w)
		list, all = append(list, bands...), all && closed
	}
	if !all || len(p.modes) == 0 && !c.published || slices.ContainsFunc(list, func(b *band) bool { return b.looked }) {
		return // there may be other calls, or other facts later
	}
	for _, b := range list {
		if !slices.ContainsFunc(list, func(other *band) bool {
			return other.reached && other.cl == b.cl && other.at == b.at
		}) && (len(p.modes) > 0 || b.bounded()) && !b.stops() {
			place := placeOf(b.cl, b.at)
			if !slices.ContainsFunc(c.found, func(f Finding) bool { return f.File == b.cl.file && f.At == place }) {
				c.report(b.cl, b.at, "unreached", "no call comes here: %s", b.whyUnreached(list, ways))
			}
			return
		}
	}
}

// whyUnreached says why no value reaches a band: earlier bands take all matching values, or no value matches.
func (b *band) whyUnreached(list []*band, ways []*calling) string {
	for _, other := range list {
		if other.taken != "" && other.cl == b.cl && other.at == b.at {
			return other.taken
		}
	}
	for k, i := range b.way.inputs() {
		d, s := b.way.takes[i], b.way.from
		switch {
		case !b.limits[k].excludes(d):
			continue
		case s == nil:
			return fmt.Sprintf("mode/2 has %s as argument %d, which is not within the bounds", d.Type, i+1)
		}
		format := "the only call, %s in line %d, gives %s as argument %d, which is not within the bounds"
		if len(ways) > 1 {
			format = "none gives a value within the bounds: %s in line %d gives %s as argument %d"
		}
		return fmt.Sprintf(format, s.cl.show(s.g.Term), placeOf(s.cl, s.g.Layout).Line, d.Type, i+1)
	}
	return "no value that mode/2 or a call allows is within the bounds"
}

// excludes reports whether no value of a declaration satisfies a limit.
func (l *limit) excludes(d *declaration) bool {
	if d.values != nil {
		return !slices.ContainsFunc(d.values, l.takes)
	}
	low, high := d.Range()
	below, known := 0, low != nil && l.high != nil
	if known {
		below, known = inOrder(l.high, low)
	}
	above, both := 0, high != nil && l.low != nil
	if both {
		above, both = inOrder(l.low, high)
	}
	return known && (below < 0 || below == 0 && l.below) || both && (above > 0 || above == 0 && l.above) ||
		l.values != nil && !slices.ContainsFunc(l.values, func(v term.Term) bool { return flow.Env{}.Narrow(v, d.Type) })
}

// bounded reports whether an input of a band has bounds that some value satisfies.
func (b *band) bounded() (bounded bool) {
	for _, l := range b.limits {
		order, both := 0, false
		if l.low != nil && l.high != nil {
			order, both = inOrder(l.low, l.high)
		}
		bounded = bounded || (l.low != nil || l.high != nil) && !(both && order > 0)
	}
	return bounded
}

// stops reports whether the clause of a band throws or fails, so that it may be there to reject unwanted values.
func (b *band) stops() (found bool) {
	visit(b.cl.goals.Term, func(t term.Term) {
		name, _, _ := term.Indicator(t)
		found = found || stops[name]
	})
	return found
}

// tryBands reports overlaps and gaps for one way in which a predicate is called. It returns the bands, and whether it
// has tried all values that come in this way.
func (c *checker) tryBands(p *predicate, w *calling) (list []*band, closed bool) {
	inputs := w.inputs()
	if len(inputs) == 0 || len(p.modes) > 0 && w.promised && c.repeatedKeys(p, inputs) {
		return nil, false
	}
	list, ok := c.bandsOf(p, w, inputs)
	if !ok || !slices.ContainsFunc(list, func(b *band) bool {
		return slices.ContainsFunc(b.limits, func(l limit) bool { return l.low != nil || l.high != nil || l.values != nil })
	}) {
		return nil, false
	}
	domains := make([][]term.Term, len(inputs))
	points, gapless, closed := 1, true, true
	for k, i := range inputs {
		total, all := false, false
		domains[k], total, all = domain(list, k, w.takes[i])
		gapless, closed = gapless && total, closed && all
		if points *= len(domains[k]); points > maxPoints {
			return nil, false
		}
	}
	at := make([]term.Term, len(inputs))
	said := map[string]bool{"overlap": !w.promised, "gap": !w.total, "gapless": gapless}
	for n := range points {
		for k := range at {
			at[k] = domains[k][n%len(domains[k])]
			n /= len(domains[k])
		}
		c.tryPoint(p, w, list, inputs, at, said)
	}
	return list, closed
}

// tryPoint finds the clauses that take some values of the inputs. It reports each pair of clauses once.
func (c *checker) tryPoint(p *predicate, w *calling, list []*band, inputs []int, at []term.Term, said map[string]bool) {
	var first, taker *band
	for _, b := range list {
		if !b.takes(at) {
			continue
		}
		if taker == nil {
			b.reached = true
		} else if b.taken == "" {
			b.taken = fmt.Sprintf("what comes before takes all values that fit, such as %s in line %d",
				point(p, inputs, at), placeOf(taker.cl, taker.at).Line)
		}
		if taker == nil && b.cuts && b.exact {
			taker = b
		}
		if first != nil && first.cuts {
			continue
		}
		if first != nil && first.exact && b.exact && !said["overlap"] && (first.cl != b.cl || first.at != b.at) &&
			!sameOutputs(first.cl, b.cl, inputs) {
			said["overlap"] = true
			c.report(b.cl, b.at, "overlap", "%s fits this clause and the one in line %d, and mode/2%s promises one answer",
				point(p, inputs, at), first.cl.line, w.of(p))
		}
		if first == nil || b.cuts && !first.cuts {
			first = b
		}
	}
	named := func(b *band) bool { return b.never && b.limited(at) }
	if first == nil && !said["gap"] && (said["gapless"] || slices.ContainsFunc(list, named)) {
		said["gap"] = true
		c.report(list[0].cl, nil, "gap", "%s fits no clause, and mode/2%s promises one answer", point(p, inputs, at), w.of(p))
	}
}

// sameOutputs reports whether two clauses have the same outputs in their heads: they then give the same answer twice.
func sameOutputs(a, b *clause, inputs []int) bool {
	for i := range a.args {
		if !slices.Contains(inputs, i) && (!isAtomic(a.args[i]) || !term.Equal(a.args[i], b.args[i])) {
			return false
		}
	}
	return a != b
}

// repeatedKeys reports facts with the same inputs and different outputs. It returns true if nothing more is to be
// checked.
func (c *checker) repeatedKeys(p *predicate, inputs []int) bool {
	first := map[string]*clause{}
	for _, cl := range p.clauses {
		if !cl.isFact() || len(term.Variables(cl.args...)) > 0 {
			return false
		}
	}
	for _, cl := range p.clauses {
		at := make([]term.Term, len(inputs))
		for k, i := range inputs {
			at[k] = cl.args[i]
		}
		shown := point(p, inputs, at)
		earlier := first[shown]
		if c.timed[cl.label] {
			continue
		} else if earlier == nil {
			first[shown] = cl
		} else if !sameOutputs(earlier, cl, inputs) {
			c.report(cl, nil, "overlap", "%s fits this fact and the one in line %d, and mode/2 promises one answer", shown,
				earlier.line)
			return true
		}
	}
	return len(p.clauses) > maxBands
}

// throughFacts reports inputs for which the only clause of a predicate has several answers. The clause calls only
// facts, or it takes a list or a range from facts and returns each member as an answer.
func (c *checker) throughFacts(p *predicate) {
	if len(p.modes) != 1 || len(p.clauses) != 1 || p.tabled || len(p.clauses[0].args) == 0 ||
		p.proofs[0] != term.Term(term.Atom("one")) && p.proofs[0] != term.Term(term.Atom("zero_or_one")) {
		return
	}
	cl := p.clauses[0]
	goals := cl.conjuncts()
	args, name := argumentsOfGoal(goals[0])
	rows := c.facts(keyOf(cl.key.Module, name, len(args)))
	if len(goals) > 2 {
		return
	}
	first := map[string]string{}
	for _, row := range rows {
		values := map[term.Term]term.Term{}
		fits := len(term.Variables(row.args...)) == 0
		for i, arg := range args {
			known, twice := values[arg]
			fits = fits && (isVar(arg) || isAtomic(arg) && term.Equal(arg, row.args[i])) &&
				(!twice || term.Equal(known, row.args[i]))
			values[arg] = row.args[i]
		}
		if !fits {
			continue
		}
		members := []term.Term{nil}
		member := term.Term(nil)
		if len(goals) == 2 {
			if member, members = membersFor(goals[1], values); member == nil || values[member] != nil {
				return
			}
		}
		for _, one := range members {
			if member != nil {
				values[member] = one
			}
			inputs, answer, ok := p.answer(cl, values)
			if !ok {
				return
			}
			if earlier, known := first[inputs]; known && earlier != answer {
				c.report(cl, goals[len(goals)-1].Layout, "overlap", "%s fits several answers, %s and %s, and mode/2 promises one",
					inputs, earlier, answer)
				return
			}
			first[inputs] = answer
		}
	}
}

// membersFor returns the variable that a goal of member/2 or between/3 enumerates, and its first value. The variable is
// nil for another goal.
func membersFor(g goal, values map[term.Term]term.Term) (member term.Term, list []term.Term) {
	args, name := argumentsOfGoal(g)
	value := func(t term.Term) term.Term {
		if known := values[t]; known != nil {
			return known
		}
		return t
	}
	switch {
	case name == "member" && len(args) == 2 && isVar(args[0]):
		if items, ok := term.Slice(value(args[1])); ok {
			return args[0], items
		}
	case name == "between" && len(args) == 3 && isVar(args[2]):
		low, isInt := value(args[0]).(term.Int)
		high, both := value(args[1]).(term.Int)
		for n := low; isInt && both && n <= high && n < low+2; n++ {
			list = append(list, n)
		}
		if isInt && both {
			return args[2], list
		}
	}
	return nil, nil
}

// answer shows a call with its inputs, and the outputs, given the values of variables. ok is false if an argument has
// no known value.
func (p *predicate) answer(cl *clause, values map[term.Term]term.Term) (inputs, outputs string, ok bool) {
	var given []int
	var at, out []term.Term
	for i, arg := range cl.args {
		value := values[arg]
		switch {
		case !isVar(arg) || value == nil || p.isInput(i) == p.isOutput(i):
			return "", "", false
		case p.isInput(i):
			given, at = append(given, i), append(at, value)
		default:
			out = append(out, value)
		}
	}
	return point(p, given, at), syntax.FormatTerm(term.List(out...)), true
}

// maxBands bounds the facts that are examined individually.
const maxBands = 200

// point shows a call with some inputs.
func point(p *predicate, inputs []int, at []term.Term) string {
	args := make([]string, p.clauses[0].key.Arity)
	for i := range args {
		args[i] = "_"
	}
	for k, i := range inputs {
		if at[k] != nil {
			args[i] = syntax.FormatTerm(at[k])
		}
	}
	return syntax.FormatTerm(term.Atom(p.clauses[0].key.Name)) + "(" + strings.Join(args, ", ") + ")"
}

// domain returns the values of an input that must be tried: those named in clauses, and for numbers also their
// neighbours. gapless says that each value must have a clause. closed says that the list is complete.
func domain(list []*band, k int, d *declaration) (values []term.Term, gapless, closed bool) {
	var numbers, moments []term.Term
	for _, b := range list {
		l := b.limits[k]
		for _, v := range append(slices.Clone(l.values), l.low, l.high) {
			if v != nil && isNumber(v) {
				numbers = append(numbers, v)
			} else if v != nil && momentOf(v) != "" {
				moments = append(moments, besides(v)...)
			} else if v != nil {
				values = append(values, v)
			}
		}
	}
	if len(moments) > 0 {
		closed = d.moment && len(values)+len(numbers) == 0
		return distinct(append(moments, values...)), closed, closed
	}
	if d.values != nil {
		return d.values, true, true
	}
	slices.SortFunc(numbers, term.CompareNumbers)
	numbers = slices.CompactFunc(numbers, term.Equal)
	if len(numbers) > 0 && d.number {
		values = append(values, neighbours(numbers, d.whole)...)
		low, high := d.Range()
		within := limit{low: low, high: high}
		values = slices.DeleteFunc(append(values, low, high), func(v term.Term) bool { return v == nil || !within.takes(v) })
		gapless = true
	} else {
		values = append(values, numbers...)
	}
	switch {
	case len(values) == 0 && len(numbers) == 0:
		return []term.Term{nil}, true, true // all values are alike
	case d.Only(flow.Text) && len(numbers) == 0:
		values, closed = append(values, unknownValue), true
	}
	return distinct(values), gapless, gapless || closed
}

// besides returns a moment, the one before it and the one after it.
func besides(t term.Term) []term.Term {
	typ := values.Type{Name: momentOf(t)}
	at, _ := typ.Time(t)
	unit := time.Second
	if typ.Name == "date" {
		unit *= secondsOfDay
	}
	return []term.Term{t, typ.OfTime(at.Add(-unit)), typ.OfTime(at.Add(unit))}
}

const secondsOfDay = 86_400

// neighbours returns the numbers, one number between each two, one below all and one above all. For integers it adds
// the integers next to each. An infinite number has no neighbours.
func neighbours(numbers []term.Term, integers bool) (list []term.Term) {
	var last *big.Rat
	for _, n := range numbers {
		r := ratOf(n)
		switch {
		case r == nil:
			continue
		case integers:
			floor := new(big.Int).Div(r.Num(), r.Denom())
			for by := int64(-1); by <= 2; by++ {
				list = append(list, term.NewInt(new(big.Int).Add(floor, big.NewInt(by))))
			}
		case last == nil:
			list = append(list, n, moved(n, r, -1))
		default:
			list = append(list, n, likely(n, new(big.Rat).Quo(new(big.Rat).Add(last, r), big.NewRat(2, 1))))
		}
		last = r
	}
	switch {
	case last == nil:
		list = append(list, term.Int(0))
	case !integers:
		list = append(list, moved(numbers[len(numbers)-1], last, 1))
	}
	return list
}

// ratOf returns the value of a number, nil if it is not finite.
func ratOf(n term.Term) *big.Rat {
	switch n := exactly(n).(type) {
	case term.Int:
		return new(big.Rat).SetInt64(int64(n))
	case *term.Big:
		return new(big.Rat).SetInt(n.Int())
	case *term.Rational:
		return n.Rat()
	}
	return nil
}

// moved returns the sum of an integer and a number whose value is r.
func moved(n term.Term, r *big.Rat, by int64) term.Term {
	return likely(n, new(big.Rat).Add(r, big.NewRat(by, 1)))
}

// likely returns a value as a number of the kind that is compared with n: a float unless n is exact, or no float has
// the value.
func likely(n term.Term, value *big.Rat) term.Term {
	f, isExact := value.Float64()
	if _, isRational := n.(*term.Rational); isRational || !isExact || value.IsInt() && exactly(n) == n {
		return term.NewRational(value)
	}
	return term.Float(f)
}

// bandsOf returns the clauses of a predicate as bands. A single clause whose last goal is a condition gives a band for
// each branch. ok is false if a head is not understood.
func (c *checker) bandsOf(p *predicate, w *calling, inputs []int) (list []*band, ok bool) {
	for _, cl := range p.clauses {
		b := &band{cl: cl, limits: make([]limit, len(inputs)), exact: !c.timed[cl.label], way: w,
			given: map[term.Term]bool{}, values: map[term.Term]term.Term{}}
		b.facts = func(g goal) []*clause { return c.rowsOf(cl, g) }
		vars := map[*term.Var]int{}
		b.moments = make([]bool, len(inputs))
		for k, i := range inputs {
			b.moments[k] = w.takes[i].moment
			switch arg := cl.args[i].(type) {
			case *term.Var:
				if _, twice := vars[arg]; twice {
					return nil, false
				}
				vars[arg] = k
			case *term.Compound:
				if momentOf(arg) == "" {
					return nil, false
				}
				b.limits[k].values = []term.Term{arg}
			default:
				b.limits[k].values = []term.Term{arg}
			}
		}
		for i, unknown := range w.unknown {
			b.exact = b.exact && (!unknown || isVar(cl.args[i]) && cl.inHead(variableOf(cl.args[i])) == 1)
		}
		list = append(list, b.branches(cl.conjuncts(), vars, len(p.clauses) == 1)...)
	}
	return list, len(list) <= maxBands
}

// branches notes the conditions of goals on the inputs. It returns a band for each branch of a condition that is the
// last goal of the only clause, and a band for each fact of a called fact predicate.
func (b *band) branches(goals []goal, vars map[*term.Var]int, only bool) (list []*band) {
	for i, one := range goals {
		name, arity, _ := term.Indicator(one.Term)
		if rows, ok := b.rows(one, vars); ok {
			for _, row := range rows {
				list = append(list, row.branches(goals[i+1:], vars, only)...)
			}
			return list
		}
		if only && i == len(goals)-1 && arity == 2 && name == ";" {
			if condition, ok := term.Is(one.Term.(*term.Compound).Args[0], "->", 2); ok && condition != nil {
				then := b.copy()
				then.at, then.cuts = one.Arg(0).Layout, true
				then.limitedBy(one.Arg(0).Arg(0), vars)
				return append([]*band{then}, b.copy().branches(one.Arg(1).Conjuncts(), vars, true)...)
			}
		}
		if only && i == len(goals)-1 && arity == 2 && name == "->" {
			b.limitedBy(one.Arg(0), vars)
			return []*band{b}
		}
		b.limitedByGoal(one, vars)
	}
	return []*band{b}
}

func (b *band) copy() *band {
	other := *b
	other.limits, other.given, other.values = slices.Clone(b.limits), maps.Clone(b.given), maps.Clone(b.values)
	return &other
}

// limitedBy notes the conditions of a conjunction.
func (b *band) limitedBy(g goal, vars map[*term.Var]int) {
	for _, one := range g.Conjuncts() {
		b.limitedByGoal(one, vars)
	}
}

// mirrored are the comparisons with their sides exchanged.
var mirrored = map[term.Atom]term.Atom{"<": ">", ">": "<", "=<": ">=", ">=": "=<", "=:=": "=:="}

// opposites maps each comparison of two numbers or moments to the one that holds exactly when it does not.
var opposites = map[string]term.Atom{"<": ">=", ">": "=<", "=<": ">", ">=": "<"}

// withoutNot returns the goal that holds where another one does, without negations: a comparison for one that is
// denied. A goal that is denied and no comparison stays as it is.
func withoutNot(g goal) goal {
	inner, denied := g, false
	for {
		plain, _ := inner.Plain()
		name, arity, _ := term.Indicator(plain.Term)
		if negation := name == "\\+" || name == "not"; arity != 1 || !negation && name != "once" && name != "call" {
			break
		} else if negation {
			denied = !denied
		}
		inner = plain.Arg(0)
	}
	name, arity, _ := term.Indicator(inner.Term)
	if !denied && name != "!" {
		return inner
	}
	plain := strings.TrimPrefix(string(name), "@")
	if opposites[plain] == "" || arity != 2 {
		return g
	}
	opposite := term.Atom(strings.TrimSuffix(string(name), plain)) + opposites[plain]
	return goal{Term: term.New(opposite, inner.Term.(*term.Compound).Args...), Layout: g.Layout, Module: g.Module}
}

// limitedByGoal notes the conditions of one goal. A goal that is not understood may have any condition.
func (b *band) limitedByGoal(g goal, vars map[*term.Var]int) {
	g = withoutNot(g)
	name, arity, _ := term.Indicator(g.Term)
	if rows, ok := b.rows(g, vars); ok && len(rows) == 1 {
		*b = *rows[0]
		return
	}
	if holds, known := b.decided(g); known {
		b.looked, b.never = true, b.never || !holds
		return
	}
	switch {
	case g.Term == term.Term(term.True):
		return
	case g.Term == term.Term(term.Atom("!")):
		b.cuts = true
		return
	case arity != 2 && arity != 3:
		b.exact = false
		return
	}
	args := g.Term.(*term.Compound).Args
	ordered := term.Atom(strings.TrimPrefix(string(name), "@"))
	if ordered == name || mirrored[ordered] == "" {
		ordered = ""
	}
	input := func(t term.Term) (*limit, bool) {
		v, isVariable := t.(*term.Var)
		k, isInput := vars[v]
		if !isVariable || !isInput {
			return nil, false
		}
		if !b.moments[k] {
			ordered = ""
		}
		return &b.limits[k], true
	}
	left, isInput := input(args[0])
	right, other := input(args[1])
	items, isList := term.Slice(args[1])
	switch {
	case arity == 3:
		l, ok := input(args[2])
		if name == "between" && ok && isNumber(args[0]) && isNumber(args[1]) && l.values == nil {
			l.bound(">=", args[0])
			l.bound("=<", args[1])
			return
		}
		b.exact = false
	case isInput && ordered != "" && momentOf(args[1]) != "":
		left.bound(ordered, args[1])
	case other && ordered != "" && momentOf(args[0]) != "":
		right.bound(mirrored[ordered], args[0])
	case isInput && mirrored[name] != "" && b.number(args[1]) != nil:
		left.bound(name, b.number(args[1]))
	case other && mirrored[name] != "" && b.number(args[0]) != nil:
		right.bound(mirrored[name], b.number(args[0]))
	case isInput && (name == "==" || name == "=") && (isAtomic(args[1]) || momentOf(args[1]) != ""):
		left.oneOf([]term.Term{args[1]})
	case isInput && (name == "memberchk" || name == "member") && isList && !slices.ContainsFunc(items, isNotAtomic):
		left.oneOf(items)
	case (name == "is" || name == "=") && isVar(args[0]) && !isInput && !b.given[args[0]]:
		b.given[args[0]] = true
		if n := b.number(args[1]); n != nil {
			b.values[args[0]] = n
		}
	default:
		b.exact = false
	}
}

// decided reports whether a comparison of known values holds. known is false for another goal.
func (b *band) decided(g goal) (holds, known bool) {
	args, name := argumentsOfGoal(g)
	if len(args) != 2 {
		return false, false
	}
	left, right := args[0], args[1]
	for _, side := range []*term.Term{&left, &right} {
		if known := b.values[*side]; known != nil {
			*side = known
		}
	}
	same, known := term.Equal(left, right), isAtomic(left) && isAtomic(right)
	items, isList := term.Slice(args[1])
	switch {
	case known && (name == "==" || name == "="):
		return same, true
	case known && (name == "\\==" || name == "\\="):
		return !same, true
	case isAtomic(left) && (name == "member" || name == "memberchk") && isList && !slices.ContainsFunc(items, isNotAtomic):
		return slices.ContainsFunc(items, func(one term.Term) bool { return term.Equal(one, left) }), true
	}
	l, r := b.number(args[0]), b.number(args[1])
	if _, compares := opposites[name]; !compares && name != "=:=" && name != "=\\=" || l == nil || r == nil {
		return false, false
	}
	order := term.CompareNumbers(exactly(l), exactly(r))
	switch name {
	case "<":
		return order < 0, true
	case ">":
		return order > 0, true
	case "=<":
		return order <= 0, true
	case ">=":
		return order >= 0, true
	}
	return (order == 0) == (name == "=:="), true
}

// maxRows bounds the examined facts of one goal.
const maxRows = 24

// rows returns a band for each fact that matches a goal and the known values. ok is false if the goal does not call a
// fact predicate.
func (b *band) rows(g goal, vars map[*term.Var]int) (list []*band, ok bool) {
	args, _ := argumentsOfGoal(g)
	facts := b.facts(g)
	if len(facts) == 0 || len(facts) > maxRows {
		return nil, false
	}
	for _, fact := range facts {
		row, fits := b.copy(), true
		for i, arg := range args {
			v, isVariable := arg.(*term.Var)
			k, isInput := vars[v]
			value := fact.args[i]
			if known := row.values[arg]; known != nil {
				arg, isVariable = known, false
			}
			switch {
			case !isVariable:
				fits = fits && term.Equal(arg, value)
			case isInput && row.limits[k].low == nil && row.limits[k].high == nil:
				row.limits[k].oneOf([]term.Term{value})
			case isInput, row.given[arg]:
				return nil, false
			default:
				row.given[arg], row.values[arg] = true, value
			}
		}
		if fits {
			list = append(list, row)
		}
	}
	return list, true
}

// rowsOf returns the facts of the predicate that a goal calls, if it has no other clauses and no variables.
func (c *checker) rowsOf(cl *clause, g goal) []*clause {
	args, name := argumentsOfGoal(g)
	rows := c.facts(keyOf(cl.key.Module, name, len(args)))
	if len(rows) > maxRows || slices.ContainsFunc(rows, func(row *clause) bool {
		return slices.ContainsFunc(row.args, isNotAtomic)
	}) {
		return nil
	}
	return rows
}

// number returns the value of an expression of known numbers, nil if it is unknown. It skips quotients of integers,
// which depend on flags, and large integers.
func (b *band) number(t term.Term) term.Term {
	if known := b.values[t]; known != nil {
		t = known
	}
	c, _ := t.(*term.Compound)
	switch {
	case isNumber(t):
		return t
	case c == nil || len(c.Args) != 2:
		return nil
	}
	x, y := b.number(c.Args[0]), b.number(c.Args[1])
	if x == nil || y == nil {
		return nil
	}
	p, q := ratOf(x), ratOf(y)
	_, isFloat := x.(term.Float)
	if _, ok := y.(term.Float); ok {
		isFloat = true
	}
	const large = 64 // bits of the operands
	if p == nil || q == nil || max(p.Num().BitLen(), p.Denom().BitLen(), q.Num().BitLen(), q.Denom().BitLen()) > large {
		return nil
	}
	r := new(big.Rat)
	switch {
	case c.Functor == "+":
		r.Add(p, q)
	case c.Functor == "-":
		r.Sub(p, q)
	case c.Functor == "*":
		r.Mul(p, q)
	case c.Functor == "rdiv" && !isFloat && q.Sign() != 0:
		r.Quo(p, q)
	default:
		return nil
	}
	if f, _ := r.Float64(); isFloat {
		return term.Float(f)
	}
	return term.NewRational(r)
}

func isNotAtomic(t term.Term) bool { return !isAtomic(t) }

// oneOf notes that an input is one of some values.
func (l *limit) oneOf(values []term.Term) {
	if l.values == nil {
		l.values = values
		return
	}
	l.values = slices.DeleteFunc(slices.Clone(l.values), func(v term.Term) bool {
		return !slices.ContainsFunc(values, func(one term.Term) bool { return term.Equal(one, v) })
	})
}

// bound notes a comparison of an input with a number or a moment.
func (l *limit) bound(op term.Atom, n term.Term) {
	stricter := func(than term.Term, sign int, strict bool) bool {
		if than == nil {
			return true
		}
		order, _ := inOrder(n, than)
		return order == sign || order == 0 && strict
	}
	if op == ">" || op == ">=" || op == "=:=" {
		if stricter(l.low, 1, op == ">") {
			l.low, l.above = n, op == ">"
		}
	}
	if op == "<" || op == "=<" || op == "=:=" {
		if stricter(l.high, -1, op == "<") {
			l.high, l.below = n, op == "<"
		}
	}
}
