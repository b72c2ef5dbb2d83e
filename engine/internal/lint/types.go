package lint

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/flow"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/shapes"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines the search for goals that never succeed and for clauses that no call reaches, by the inferred types
// of arguments.

// Facts summarises the facts of a predicate: their number, and the argument types of facts that are not kept.
type Facts struct {
	count int
	types []flow.Type
	// Changed says that a hook has replaced a fact that is not kept.
	Changed bool
}

// MaxFacts bounds the individually examined facts of a predicate. Of the others only the types are used.
const MaxFacts = 1000

// IsFact returns the name and the arity of a term that is a fact of its own module.
func IsFact(t term.Term) (name term.Atom, arity int, ok bool) {
	name, arity, ok = term.Indicator(t)
	neck := arity == 1 && (name == ":-" || name == "?-") ||
		arity == 2 && (name == ":-" || name == ":" || name == "-->" || name == "=>")
	return name, arity, ok && arity > 0 && !neck && !(arity == 1 && offering[name])
}

// Add counts a fact. It reports whether the fact need not be kept, as there are many.
func (f *Facts) Add(fact term.Term) bool {
	if f.count++; f.count <= MaxFacts {
		return false
	}
	args := fact.(*term.Compound).Args
	if f.types == nil {
		f.types = make([]flow.Type, len(args))
	}
	flow.Add(f.types, args)
	return true
}

// byValues holds the findings about values of arguments.
const byValues = "goals that never succeed, clauses that no call reaches, overlaps, gaps and outputs without a value"

// typed is a predicate in the form that the inference uses.
type typed struct {
	*predicate
	flow *flow.Predicate
	// said are the goals that have been reported.
	said map[*syntax.Layout]bool
}

// types infers the types of the program and searches for goals that no types fit.
func (c *checker) types() {
	var program []*flow.Predicate
	var list []*typed
	for _, p := range c.order {
		if len(p.clauses) == 0 {
			continue
		}
		one := &typed{p, c.flowOf(p), map[*syntax.Layout]bool{}}
		list = append(list, one)
		if !c.dynamic[one.flow.Key] || c.declaredFacts(one.flow.Key) == nil {
			program = append(program, one.flow)
		}
	}
	keys := slices.Concat(slices.Collect(maps.Keys(c.data)), slices.Collect(maps.Keys(c.dynamic)))
	slices.SortFunc(keys, func(a, b key) int {
		return cmp.Or(cmp.Compare(a.Module, b.Module), cmp.Compare(a.String(), b.String()))
	})
	for _, k := range keys {
		if d, ok := c.data[k]; ok {
			program = append(program, &flow.Predicate{Key: k, Facts: d.Classes})
			continue
		}
		if facts := c.declaredFacts(k); facts != nil {
			program = append(program, facts)
		}
	}
	var ok bool
	if c.flow, ok = flow.Infer(program, c.world, c.world.Memory()); !ok {
		c.unchecked(list[0].clauses[0], "the values of arguments take too many steps to follow", byValues)
		return
	}
	if w, ok := c.world.(interface{ Inferred(r *flow.Result) }); ok {
		w.Inferred(c.flow)
	}
	for _, p := range c.order {
		c.denied(p)
	}
	for _, p := range list {
		if !p.flow.Open {
			c.never(p)
			c.contradictions(p)
			for _, cl := range p.clauses {
				if !cl.isFact() {
					c.keysApart(p, cl)
					c.columnsExchanged(p, cl)
				}
			}
			c.unreached(p)
			c.throughFacts(p.predicate)
			c.bands(p.predicate)
			c.unanswered(p)
			c.emptyCollections(p.predicate)
			c.cutBy(p.predicate)
			c.misspeltHeads(p.predicate)
			c.withoutGroups(p.predicate)
			c.writtenOtherwise(p.predicate)
			c.missing(p.predicate)
			c.defaults(p.predicate)
		}
		c.unboundInputs(p.predicate)
		for _, cl := range p.clauses {
			if cl.changed != "" {
				c.unchecked(cl, cl.changed+" makes something else of clauses, of this one first", "mistakes in those")
				continue
			}
			c.unboundOutputs(p.predicate, cl)
			c.inOneBranch(p.predicate, cl)
			c.headExpressions(p.predicate, cl)
			c.sums.accumulated(p.predicate, cl)
			c.endless(p.predicate, cl)
		}
	}
}

// declaredFacts returns a dynamic predicate with the types from its only directive mode/2. It returns nil if there is
// no such directive, or if a clause is no fact.
func (c *checker) declaredFacts(k key) *flow.Predicate {
	p := c.predicates[k]
	if p == nil || len(p.modes) != 1 || slices.ContainsFunc(p.clauses, func(cl *clause) bool { return !cl.isFact() }) {
		return nil
	}
	facts := &flow.Predicate{Key: k}
	for i, arg := range p.modes[0] {
		t := flow.Any
		if mode, ok := arg.(*term.Compound); ok && len(mode.Args) == 1 {
			t = declarationOf(mode.Args[0]).Type
		}
		for _, cl := range p.clauses {
			t = flow.Union(t, flow.Env{}.Of(cl.args[i]))
		}
		facts.Facts = append(facts.Facts, t)
	}
	return facts
}

// denied examines the rules for \+ of a predicate as if they were its clauses.
func (c *checker) denied(p *predicate) {
	if len(p.denying) == 0 {
		return
	}
	own := *p
	own.clauses = p.denying
	q := &typed{&own, c.flowOf(&own), map[*syntax.Layout]bool{}}
	for i, cl := range q.clauses {
		c.visit(q, i, flow.Env{}, "")
		for _, mode := range q.modes {
			c.declared(q, i, cl, mode)
		}
	}
}

// flowOf returns a predicate in the form that the inference takes.
func (c *checker) flowOf(p *predicate) *flow.Predicate {
	k := p.clauses[0].key
	f := &flow.Predicate{Key: k, Facts: p.more, Open: p.hooked || c.world.Open(k, len(p.clauses)+p.left)}
	for _, cl := range p.clauses {
		f.Open = f.Open || cl.changed != ""
		f.Clauses = append(f.Clauses, flowClause(cl))
	}
	return f
}

func flowClause(cl *clause) flow.Clause {
	return flow.Clause{Head: cl.args, Body: cl.goals, Opaque: cl.read.DictCalls || cl.apart, From: cl.read}
}

// never reports the goals of a predicate that never succeed, for all calls and for those allowed by mode/2.
func (c *checker) never(p *typed) {
	for i, cl := range p.clauses {
		p.expected(cl)
		c.visit(p, i, flow.Env{}, "")
	}
	k := p.flow.Key
	if cl := p.clauses[0]; c.flow.Never(k) && !p.circles && len(p.said) == 0 && k.Arity > 0 {
		pure, onward, round := c.calculates(p)
		if pure && round {
			c.report(cl, nil, "never", "%s never succeeds: each of its clauses calls it again, or calls what does; a clause is "+
				"missing that ends this", k)
		} else if pure && !onward {
			c.report(cl, nil, "never", "%s never succeeds: no values fit all the goals of a clause", k)
		}
		if pure {
			return
		}
	}
	for _, mode := range p.modes {
		for i, cl := range p.clauses {
			c.declared(p, i, cl, mode)
		}
	}
}

// calculates reports whether a predicate that never succeeds only calculates. A predicate that reads, writes, fails on
// purpose or throws may loop forever intentionally. onward says that each of its clauses calls a predicate that never
// succeeds. round says that these predicates call it again.
func (c *checker) calculates(p *typed) (pure, onward, round bool) {
	pure, onward = true, true
	for _, cl := range p.clauses {
		c.everyGoal(cl, func(g goal) { pure = pure && c.flow.Calculates(cl.key.Module, g) })
		onward = onward && len(c.hopeless(cl)) > 0
	}
	reached := map[key]bool{}
	todo := []*predicate{p.predicate}
	for round = onward; round && len(todo) > 0; todo = todo[1:] {
		for _, cl := range todo[0].clauses {
			called := c.hopeless(cl)
			round = round && len(called) > 0
			for _, k := range called {
				if q := c.predicates[k]; !reached[k] && q != nil {
					reached[k], todo = true, append(todo, q)
				}
			}
		}
	}
	return pure, onward, round && reached[p.flow.Key]
}

// hopeless returns the predicates that a clause calls and that never succeed.
func (c *checker) hopeless(cl *clause) (list []key) {
	c.everyGoal(cl, func(g goal) {
		args, name := argumentsOfGoal(g)
		if k := c.world.Resolve(cl.key.Module, name, len(args)); c.flow.Never(k) {
			list = append(list, k)
		}
	})
	return list
}

// declared examines a clause for the calls described by one directive mode/2.
func (c *checker) declared(p *typed, i int, cl *clause, mode []term.Term) {
	env := flow.Env{}
	for k, arg := range cl.args {
		declared, ok := term.Is(mode[k], "+", 1)
		if !ok {
			continue
		}
		t := declarationOf(declared[0]).Type
		if env.Narrow(arg, t) {
			continue
		}
		if _, isAtom := arg.(term.Atom); isAtom && p.eitherText[k] {
			return
		}
		c.report(cl, cl.argLayout(k), "never", "no call reaches this clause: mode/2 says that argument %d is %s, "+
			"and here it is %s%s", k+1, t, flow.Env{}.Of(arg), meant(arg, t))
		return
	}
	c.visit(p, i, env, ", for calls as mode/2 has them")
	row := c.flow.Row(cl.key.Module, p.flow.Clauses[i], env)
	for k := range row {
		declared, ok := term.Is(mode[k], "-", 1)
		if !ok || len(p.modes) > 1 {
			continue
		}
		if at := givesInBranch(cl, cl.goals, cl.args[k], declarationOf(declared[0])); at != nil {
			c.report(cl, at.Layout, "output_type", "mode/2 says that argument %d is %s, and this branch gives %s", k+1,
				declarationOf(declared[0]).Type, cl.show(at.Term.(*term.Compound).Args[1]))
		} else if d := declarationOf(declared[0]); d.number && c.sums.reportMade(cl, k, row[k]) {
			continue
		} else if d.refuses(row[k]) && d.none(row[k]) {
			c.report(cl, cl.argLayout(k), "output_type", "mode/2 says that argument %d is %s, and this clause gives %s",
				k+1, d.Type, row[k])
		} else if typ, exact := exactMode(mode[k]); exact && typ.Name == "decimal" && row[k].MayFloat() &&
			!c.calculationSaid(p, cl, cl.args[k]) {
			c.report(cl, cl.argLayout(k), "inexact", "mode/2 says that argument %d is a decimal, and this clause may give a "+
				"float, which is not exact; write decimals as fractions, such as 1r10 for 0.1", k+1)
		} else if d.number && !d.whole && !exact && row[k].Only(flow.Rational) &&
			!row[k].Only(flow.Integer) {
			c.report(cl, cl.argLayout(k), "output_type", "mode/2 says that argument %d is a number, and this clause may give a "+
				"fraction such as 1r3, which is none; say decimal(2) in mode/2, or write / in place of rdiv", k+1)
		}
	}
}

// calculationSaid reports whether a calculation of an output has already been reported.
func (c *checker) calculationSaid(p *typed, cl *clause, output term.Term) (said bool) {
	from := map[term.Term]bool{output: true}
	c.everyGoal(cl, func(goal) {})
	for _, g := range slices.Backward(cl.every) {
		if args, name := argumentsOfGoal(g); name == "is" && len(args) == 2 && isVar(args[0]) && from[args[0]] {
			said = said || p.said[g.Layout]
			for _, v := range term.Variables(args[1]) {
				from[v] = true
			}
		}
	}
	return said
}

// refuses reports whether values of a type are checked: any value where a number is declared, texts where listed values
// are, numbers where a date, a time or a duration is, and numbers, lists and other compounds where a text is.
func (d declaration) refuses(t flow.Type) bool {
	texts := len(t.Texts()) > 0 && t.Listed() && !slices.Contains(t.Texts(), term.Term(term.Atom("null")))
	return d.number && !t.IsAny() || d.values != nil && texts || d.Only(flow.Compound) && t.Only(flow.Number) ||
		d.Only(flow.Text) && (t.Only(flow.Number) || t.Only(flow.Compound) || t.Only(flow.List))
}

// none reports whether no value of a type belongs to a declared type. The empty list is no text.
func (d declaration) none(t flow.Type) bool {
	return flow.Meet(t, d.Type).Empty() || d.Only(flow.Text) && t.Only(flow.List)
}

// givesInBranch returns a goal of a branch, Output = Value, with a value that is no number where mode/2 has numbers. No
// other goal of that branch has the output.
func givesInBranch(cl *clause, g goal, output term.Term, d declaration) *goal {
	v, ok := output.(*term.Var)
	if !ok || !d.number {
		return nil
	}
	var with []goal
	for _, one := range g.Conjuncts() {
		if has(one.Term, v) {
			with = append(with, one)
		}
	}
	if len(with) != 1 {
		return nil
	}
	one := with[0]
	name, arity, _ := term.Indicator(one.Term)
	switch {
	case arity == 2 && name == ";":
		if at := givesInBranch(cl, one.Arg(0), v, d); at != nil {
			return at
		}
		return givesInBranch(cl, one.Arg(1), v, d)
	case arity == 2 && name == "->" && !has(one.Arg(0).Term, v):
		return givesInBranch(cl, one.Arg(1), v, d)
	case arity == 2 && name == "=" && one.Arg(0).Term == output && one.Layout != cl.goals.Layout:
		if value := one.Arg(1).Term; !isVar(value) && flow.Meet(flow.Env{}.Of(value), d.Type).Empty() {
			if _, _, isSum := calculation(value); !isSum {
				return &one
			}
		}
	}
	return nil
}

// contradictions reports a comparison that fails for every number that passes the comparisons before it.
func (c *checker) contradictions(p *typed) {
	for _, cl := range p.clauses {
		limits := map[term.Term]*limit{}
		for _, g := range cl.conjuncts() {
			args, name := argumentsOfGoal(g)
			op := term.Atom(name)
			if len(args) != 2 || mirrored[op] == "" {
				continue
			}
			v, n := args[0], args[1]
			if isNumber(v) {
				v, n, op = n, v, mirrored[op]
			}
			if !isVar(v) || !isNumber(n) {
				continue
			}
			if limits[v] == nil {
				limits[v] = &limit{}
			}
			l := limits[v]
			if l.bound(op, n); l.low == nil || l.high == nil || p.said[g.Layout] {
				continue
			}
			if order := term.CompareNumbers(l.low, l.high); order > 0 || order == 0 && (l.above || l.below) {
				p.said[g.Layout] = true
				c.report(cl, g.Layout, "never", "%s never succeeds: the comparisons before it leave no such number",
					cl.show(g.Term))
				break
			}
		}
	}
}

// argLayout returns the layout of an argument of the head.
func (cl *clause) argLayout(i int) *syntax.Layout {
	head := cl.read.Layout
	if _, rule := term.Is(cl.read.Term, ":-", 2); rule {
		head = head.Arg(0)
	}
	if cl.grammar {
		return nil
	}
	return head.Arg(i)
}

// visit walks through a clause and reports the goals that never succeed.
func (c *checker) visit(p *typed, i int, env flow.Env, when string) {
	cl := p.clauses[i]
	decimals := map[*term.Var]bool{}
	p.decimals(cl.args, decimals)
	entirely := c.flow.Visit(cl.key.Module, p.flow.Clauses[i], env, func(g goal, before flow.Env, succeeds bool) {
		if p.said[g.Layout] || g.Layout == nil {
			return
		}
		if c.inexact(cl, g, before, decimals) || c.noDay(cl, g) || c.misspeltTest(cl, g, before) {
			p.said[g.Layout] = true
			return
		}
		why := cmp.Or(c.unknownFunction(g), c.impossibleDay(g), sameSides(g))
		c.notListed(cl, g, before)
		if wrong := cmp.Or(c.formatKinds(cl, g, before), c.exchanged(cl, g, before), c.elements(cl, g, before),
			c.calculatedList(cl, g, before), c.aggregated(cl, g, before)); wrong != "" {
			p.said[g.Layout] = true
			c.report(cl, g.Layout, "format_arguments", "%s", wrong)
		} else if why != "" {
			when = ""
		} else if v, t := c.operandOfNoNumber(g, before); v != nil &&
			(!succeeds || when != "" || t.Only(flow.Compound)) {
			why = fmt.Sprintf("%s is %s here, and no number", cl.nameOf(v), t)
			if succeeds && t.Only(flow.Text) {
				when = ` but for texts that have a value, such as pi or "a"` + when
			}
		} else if why = c.misspelt(cl, g, succeeds); why != "" {
			when = ""
		} else if static := c.changesStatic(cl, g); static != nil {
			p.said[g.Layout] = true
			f := c.report(cl, g.Layout, "never", "%s never succeeds: %s is not dynamic", cl.show(g.Term), static.clauses[0].key)
			if first := static.clauses[0]; first.file == cl.file {
				f.Insert, f.Line = fmt.Sprintf(":- dynamic(%s).", first.key), first.line
			}
		} else if !succeeds && !(when != "" && p.testsText(cl, g)) {
			why = c.whyNever(cl, g, before)
		} else if args, op := argumentsOfGoal(g); len(args) == 2 && alwaysApart(op, before.Of(args[0]), before.Of(args[1])) {
			p.said[g.Layout] = true
			c.report(cl, g.Layout, "never", "%s never fails%s: the left side is %s, the right side %s", cl.show(g.Term),
				when, before.Of(args[0]), before.Of(args[1]))
		}
		if why != "" {
			p.said[g.Layout] = true
			c.report(cl, g.Layout, "never", "%s never succeeds%s: %s", cl.show(g.Term), when, why)
		}
	})
	if !entirely {
		c.unchecked(cl, "the goals of "+cl.key.String()+" are too many, or nested too deep", "those that never succeed")
	}
}

// testsText reports whether a goal tests the kind of text of an input that mode/2 declares as text.
func (p *predicate) testsText(cl *clause, g goal) bool {
	args, name := argumentsOfGoal(g)
	_, isTest := testTypes[term.Atom(name)]
	at := -1
	if isTest && len(args) == 1 && isVar(args[0]) {
		at = slices.Index(cl.args, args[0])
	}
	return at >= 0 && p.eitherText[at]
}

// alwaysApart reports whether a comparison of terms succeeds for all values of two types. For an inequality, one value
// must be an atom and the other a string, as a test against a value that no fact currently has is intended.
func alwaysApart(op string, left, right flow.Type) bool {
	switch op {
	case "\\==", "\\=":
		return left.Only(flow.Atom) && right.Only(flow.String) || left.Only(flow.String) && right.Only(flow.Atom)
	case "@<", "@=<", "@>", "@>=":
		return flow.Order(left, right) != 0
	}
	return false
}

// expected records the goals within catch/3. Their errors are caught, so they are not reported.
func (p *typed) expected(cl *clause) {
	each(cl.goals, func(g goal) {
		if args, ok := term.Is(g.Term, "catch", 3); ok && !isVar(args[1]) {
			p.said[g.Arg(0).Layout] = true
		}
	})
}

// operandOfNoNumber returns a variable in arithmetic whose value is always a text or another non-expression. It also
// returns the type of the variable.
func (c *checker) operandOfNoNumber(g goal, before flow.Env) (*term.Var, flow.Type) {
	name, arity, _ := term.Indicator(g.Term)
	if arity != 2 || !evaluated[name] {
		return nil, flow.Type{}
	}
	args := g.Term.(*term.Compound).Args
	if name == "is" {
		args = args[1:]
	}
	for _, v := range term.Variables(args...) {
		t := before.Of(v)
		if c.noNumber(t) {
			return v, t
		}
	}
	return nil, flow.Type{}
}

// whyNever says why a goal never succeeds. It returns "" for a goal that fails on purpose, and for a call of a
// predicate that never succeeds, whose clauses are reported.
func (c *checker) whyNever(cl *clause, g goal, before flow.Env) string {
	name, arity, _ := term.Indicator(g.Term)
	k := c.flow.Called(cl.key.Module, g)
	if arity == 0 || c.flow.Never(k) {
		return ""
	}
	args := g.Term.(*term.Compound).Args
	types := c.flow.Types(k)
	if types == nil && len(term.Variables(g.Term)) == 0 {
		return "" // a goal such as 1 > 2 is intended
	}
	if types != nil {
		at, _ := c.flow.Fits(k, args, before)
		if at < 0 {
			return fmt.Sprintf("no clause of %s has these values together%s", k, cl.calculates(args...))
		}
		return fmt.Sprintf("%s has %s as argument %d, and this is %s%s", k, types[at], at+1, before.Of(args[at]),
			cmp.Or(meant(args[at], types[at]), cl.calculates(args[at])))
	}
	switch {
	case arity == 2 && (name == "=" || name == "==" || name[0] == '@'):
		return fmt.Sprintf("the left side is %s, the right side %s", before.Of(args[0]), before.Of(args[1]))
	case arity == 2 && evaluated[name]:
		return fmt.Sprintf("the values are %s and %s", c.flow.Value(args[0], before), c.flow.Value(args[1], before))
	case len(args) == 1:
		return fmt.Sprintf("this is %s", before.Of(args[0]))
	case arity == 2 && (name == "member" || name == "memberchk"):
		if element := before.Elements(args[1]); !element.Empty() && flow.Meet(before.Of(args[0]), element).Empty() {
			return fmt.Sprintf("each element of the list is %s, and %s is %s%s", element, cl.show(args[0]), before.Of(args[0]),
				meant(args[0], element))
		}
	}
	if at, t, ok := c.flow.Library(k, args, before); ok {
		return fmt.Sprintf("argument %d of %s is %s, and this is %s", at+1, k, t, before.Of(args[at]))
	}
	return ""
}

// meant suggests another value of a type in place of a text.
func meant(t term.Term, of flow.Type) string {
	text, ok := term.Text(t)
	if !ok {
		return ""
	}
	var names []string
	for _, other := range of.Texts() {
		name, _ := term.Text(other)
		names = append(names, name)
	}
	return spell.Hint(text, names)
}

// declaration describes the values that a type of mode/2 gives an input.
type declaration struct {
	flow.Type
	values        []term.Term // all of them, nil if they are too many
	number, whole bool
	moment        bool // a date, a time of day or both
}

// TypeOf returns the values that a type of mode/2 has. For an unknown type these are all terms.
func TypeOf(t term.Term) flow.Type { return declarationOf(t).Type }

// declarationOf returns the declaration of a type. For an unknown type it allows every term.
func declarationOf(t term.Term) (d declaration) {
	name, arity, _ := term.Indicator(t)
	if arity == 0 {
		known, ok := simpleTypes[name]
		if !ok {
			known.Type = flow.Any
		}
		return known
	}
	args := t.(*term.Compound).Args
	d.Type = flow.Any
	switch {
	case name == "oneof" && arity == 1 || name == "one_of" && arity == 2:
		var isList bool
		if d.values, isList = term.Slice(args[arity-1]); !isList {
			return d
		}
		d.Type = flow.Type{}
		for _, v := range d.values {
			d.Type = flow.Union(d.Type, flow.Env{}.Of(v))
		}
	case name == "between" && arity == 3:
		d = declarationOf(args[0])
		d.Type = d.Type.Bounded(args[1], args[2])
	case name == "decimal":
		return simpleTypes[name]
	case name == "matching" && arity == 1:
		d.Type = flow.Atom
	case name == "list" || name == "non_empty_list":
		d.Type = flow.List
	}
	return d
}

func whole(t flow.Type) declaration { return declaration{Type: t, number: true, whole: true} }

var simpleTypes = map[term.Atom]declaration{
	"atom": {Type: flow.Name}, "non_empty_atom": {Type: flow.Name}, "string": {Type: flow.String},
	"integer": whole(flow.Integer), "positive_integer": whole(flow.Between(1, math.Inf(1))),
	"non_negative_integer": whole(flow.Between(0, math.Inf(1))),
	"negative_integer":     whole(flow.Between(math.Inf(-1), -1)),
	"byte":                 whole(flow.Between(0, 255)),
	"number":               {Type: flow.Number, number: true}, "float": {Type: flow.Float, number: true},
	"rational": {Type: flow.Rational}, "decimal": {Type: flow.Number, number: true},
	"date": {Type: flow.Of("date", 3), moment: true}, "time": {Type: flow.Of("time", 3), moment: true},
	"datetime": {Type: flow.Of("datetime", 6), moment: true},
	"duration": {Type: flow.Of("duration", 2)}, "list": {Type: flow.List},
	"chars": {Type: flow.List}, "codes": {Type: flow.List},
	"boolean": {Type: flow.Union(flow.Constant(term.True), flow.Constant(term.Atom("false"))),
		values: []term.Term{term.True, term.Atom("false")}},
	"dict": {Type: flow.Compound}, "email": {Type: flow.Atom}, "uri": {Type: flow.Atom}, "uuid": {Type: flow.Atom},
}

// unreached reports the clauses after a clause that matches all their calls and cuts first.
func (c *checker) unreached(p *typed) {
	var cutting []*clause
	for _, cl := range p.clauses {
		for _, earlier := range cutting {
			if shapes.Subsumes(p.inputsOf(earlier), p.inputsOf(cl), maxVisited) {
				how := "begins with a cut"
				if !beginsWithCut(earlier) {
					how = "cuts behind tests that hold for all values of mode/2"
				}
				c.report(cl, nil, "unreached", "no call reaches this clause: the one in line %d fits the same calls and %s",
					earlier.line, how)
				break
			}
		}
		if p.cutsAlways(cl) {
			cutting = append(cutting, cl)
		}
	}
}

// testTypes has the types that tests of one term accept.
var testTypes = map[term.Atom]flow.Type{"atom": flow.Atom, "string": flow.String, "integer": flow.Integer,
	"float": flow.Float, "number": flow.Number, "atomic": flow.Atomic, "nonvar": flow.Any}

// cutsAlways reports whether a clause has a cut, and before it only tests of inputs that hold for all values of mode/2.
func (p *predicate) cutsAlways(cl *clause) bool {
	for _, g := range cl.conjuncts() {
		if g.Term == term.Term(term.Atom("!")) {
			return true
		}
		name, arity, _ := term.Indicator(g.Term)
		passed, isTest := testTypes[name]
		if arity != 1 || !isTest || len(p.modes) == 0 {
			return false
		}
		i := slices.Index(cl.args, g.Term.(*term.Compound).Args[0])
		if i < 0 || !p.isInput(i) || p.eitherText[i] || slices.ContainsFunc(p.modes, func(mode []term.Term) bool {
			return !TypeOf(mode[i].(*term.Compound).Args[0]).Only(passed)
		}) {
			return false
		}
	}
	return false
}

// inputsOf returns a list of the arguments of a head without the outputs of mode/2, which no call binds.
func (p *predicate) inputsOf(cl *clause) term.Term {
	var list []term.Term
	for i, arg := range cl.args {
		if !p.isOutput(i) {
			list = append(list, arg)
		}
	}
	return term.List(list...)
}
