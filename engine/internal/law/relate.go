package law

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/shapes"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file makes the clauses that relate labelled rules to each other. They follow from the directives of
// library(law) at the end of a load, when all rules are known.
//
//	'rule in force'(r, From, Until)          for each span of valid/2 and valid/3, or always
//	'rule defeated'(r, p(X, Y), s, How) :-   for each rule s that overrides r, or is an exception to it
//	    'rule applies'(s, p(X, _)), \+ 'rule defeated'(s, p(X, _), _, _).
//	'rule weaker'(s, p(X, _), 'rule applies'(r, p(X, Y)), 'rule defeated'(r, p(X, Y), s, How))   the same, for proofs
//	'rule contradicted'(r, p(X, Y)) :-       for each rule s that is neither stronger nor weaker, and may disagree
//	    'rule applies'(s, p(X, Z)), Y \= Z, \+ 'rule defeated'(s, p(X, Z), _, _), law:disagree(...).
//
// If such a clause leads back to the predicate of r, the predicate is tabled and \+ becomes tnot. Then rules that may
// disagree defeat each other, since no error can be thrown before a table is complete.

// relations holds the rules of one module and the relations between them.
type relations struct {
	p       Program
	all     *Rules
	module  *database.Module
	rules   map[term.Atom]*Rule
	edges   []strength
	valid   map[*Rule][]span
	both    map[*database.Pred]bool // conflicts/2 says that all answers of disagreeing rules count
	looping map[*database.Pred]bool
}

// strength says that a rule is stronger than another one.
type strength struct {
	over, under *Rule
	by          *Directive
	// exception says that the relation is not transitive: a rule that is stronger than over need not be stronger than
	// under.
	exception bool
}

// span is a time in which a rule is in force, as terms: a date, or null for an open end.
type span struct {
	from, until term.Term
	by          *Directive
}

// Relate makes the clauses that relate the labelled rules. It does nothing if no rule or directive has changed.
func (rules *Rules) Relate(p Program) {
	if !rules.changed {
		return
	}
	rules.changed = false
	var modules []*database.Module
	note := func(m *database.Module) {
		if !slices.Contains(modules, m) {
			modules = append(modules, m)
		}
	}
	for _, r := range rules.rules {
		note(r.Text.Module)
	}
	for i := range rules.directives {
		note(rules.directives[i].Text.Module)
	}
	for _, m := range modules {
		rules.relate(p, m)
	}
}

// relate makes the clauses of one module.
func (rules *Rules) relate(p Program, m *database.Module) {
	s := &relations{p: p, all: rules, module: m, rules: map[term.Atom]*Rule{}, valid: map[*Rule][]span{},
		both: map[*database.Pred]bool{}, looping: map[*database.Pred]bool{}}
	var own []*Rule
	for _, r := range rules.rules {
		if r.Text.Module == m {
			own, s.rules[r.Label] = append(own, r), r
		}
	}
	for i := range rules.directives {
		if d := &rules.directives[i]; d.Text.Module == m {
			s.directive(d)
		}
	}
	stronger, rivals := s.attackers(own)
	asked := map[*Rule][]*Rule{}
	for _, r := range own {
		for _, e := range append(slices.Clone(stronger[r]), rivals[r]...) {
			asked[r] = append(asked[r], e.over)
		}
	}
	for _, r := range own {
		if !s.looping[r.Pred] && rules.reaches(asked[r], r.Pred, asked) {
			s.looping[r.Pred] = true
		}
	}
	s.widen(own, asked)
	s.begin()
	for _, r := range own {
		s.inForce(r)
		for _, e := range stronger[r] {
			s.defeat(r, e)
		}
		for _, e := range rivals[r] {
			s.rival(r, e)
		}
	}
	s.unused(own, stronger)
	s.table(own)
}

// widen adds the other predicates of each cycle: those that lead to a looping predicate and are reached from it.
// Whether their rules apply may not be known yet when they are called, so a disagreement cannot be an error.
func (s *relations) widen(rules []*Rule, asked map[*Rule][]*Rule) {
	about := map[*database.Pred][]*Rule{}
	for _, r := range rules {
		about[r.Pred] = append(about[r.Pred], r)
	}
	for looping := range maps.Clone(s.looping) {
		for pred, own := range about {
			if !s.looping[pred] && s.all.reaches(own, looping, asked) && s.all.reaches(about[looping], pred, asked) {
				s.looping[pred] = true
			}
		}
	}
}

// begin removes the clauses that an earlier load has made.
func (s *relations) begin() {
	preds := predicates(s.p, s.module)
	if defeated := preds[ruleDefeated]; len(s.looping) > 0 && !defeated.Has(database.Tabled) {
		s.p.Table(defeated)
	}
	for _, one := range all {
		if one.name != ruleApplies {
			s.p.Clear(preds[one.name].Behind())
		}
	}
}

// directive reads a directive and reports its mistakes.
func (s *relations) directive(d *Directive) {
	switch d.Name {
	case "overrides", "exception":
		s.stronger(d)
	case "valid":
		s.validity(d)
	case "source":
		if r := s.rule(d, 0); r != nil {
			text, ok := term.Text(d.Args[1])
			if !ok {
				d.report(1, "a source is a text, not %s", syntax.ShowTerm(d.Args[1]))
				return
			}
			s.all.sources.Store(r.place(), "rule "+string(r.Label)+": "+text)
		}
	case "conflicts":
		s.conflicts(d)
	}
}

// report reports an error of an argument.
func (d *Directive) report(arg int, format string, args ...any) {
	d.tell(source.SeverityError, arg, format, args...)
}

func (d *Directive) tell(severity source.Severity, arg int, format string, args ...any) {
	at := d.At
	if l := d.Layout.Arg(arg); l != nil {
		at = syntax.Place{Line: l.Pos.Line, Column: l.Pos.Column}
	}
	d.Text.Report(at, severity, "law", format, args...)
}

// place returns the file and line of a directive.
func (d *Directive) place() string { return fmt.Sprintf("%s:%d", d.Text.Name, d.At.Line) }

// rule returns the rule whose label is an argument of a directive, nil after an error.
func (s *relations) rule(d *Directive, arg int) *Rule {
	label, ok := d.Args[arg].(term.Atom)
	if r := s.rules[label]; ok && r != nil {
		return r
	}
	var known []string
	for label := range s.rules {
		known = append(known, string(label))
	}
	slices.Sort(known)
	hint := ""
	if near := spell.Nearest(string(label), known); ok && near != "" {
		hint = "; did you mean " + syntax.ShowTerm(term.Atom(near)) + "?"
	}
	d.report(arg, "no rule has the label %s%s", syntax.ShowTerm(d.Args[arg]), hint)
	return nil
}

// stronger reads overrides/2 or exception/2.
func (s *relations) stronger(d *Directive) {
	over, under := s.rule(d, 0), s.rule(d, 1)
	if over == nil || under == nil {
		return
	}
	if a, b := s.mode(over.Pred).Inputs, s.mode(under.Pred).Inputs; len(a) != len(b) {
		d.report(0, "%s is about %s, which has %s, and %s about %s, which has %s: one cannot be asked for the other",
			syntax.ShowTerm(over.Label), database.FunctorText(over.Pred.Functor), spell.Count(len(a), "input"),
			syntax.ShowTerm(under.Label), database.FunctorText(under.Pred.Functor), spell.Count(len(b), "input"))
		return
	}
	if chain := s.chain(under, over); chain != "" || over == under {
		d.report(0, "%s cannot be stronger than itself%s", syntax.ShowTerm(over.Label), chain)
		return
	}
	s.edges = append(s.edges, strength{over, under, d, d.Name == "exception"})
}

// chain returns a text of the directives that make over stronger than under, "" if it is not.
func (s *relations) chain(over, under *Rule) string {
	seen := map[*Rule]string{over: ": " + syntax.ShowTerm(over.Label)}
	for todo := []*Rule{over}; len(todo) > 0; todo = todo[1:] {
		for _, e := range s.edges {
			if e.over != todo[0] || seen[e.under] != "" {
				continue
			}
			seen[e.under] = fmt.Sprintf("%s is stronger than %s (%s)", seen[e.over], syntax.ShowTerm(e.under.Label),
				e.by.place())
			todo = append(todo, e.under)
		}
	}
	if over == under {
		return ""
	}
	return seen[under]
}

// validity reads valid/2 or valid/3.
func (s *relations) validity(d *Directive) {
	r := s.rule(d, 0)
	if r == nil {
		return
	}
	open := term.Term(term.Atom("null"))
	v := span{open, open, d}
	for i, bound := range d.Args[1:] {
		from, isFrom := term.Is(bound, "from", 1)
		until, isUntil := term.Is(bound, "until", 1)
		switch {
		case isFrom && isDate(from[0]) && v.from == open:
			v.from = from[0]
		case isUntil && isDate(until[0]) && v.until == open:
			v.until = until[0]
		default:
			d.report(i+1, "%s is neither from(date(Y, M, D)) nor until(date(Y, M, D))", syntax.ShowTerm(bound))
			return
		}
	}
	if v.from != open && v.until != open && term.Compare(v.from, v.until) >= 0 {
		d.tell(source.SeverityWarning, 1, "rule %s is never in force: it ends before it begins", syntax.ShowTerm(r.Label))
	}
	for _, other := range s.valid[r] {
		if (other.until == open || v.from == open || term.Compare(v.from, other.until) < 0) &&
			(v.until == open || other.from == open || term.Compare(other.from, v.until) < 0) {
			d.report(1, "rule %s is in force in some of this time already, by %s", syntax.ShowTerm(r.Label), other.by.place())
			return
		}
	}
	s.valid[r] = append(s.valid[r], v)
}

// isDate reports whether a term is a day of the calendar.
func isDate(t term.Term) bool {
	args, ok := term.Is(t, "date", 3)
	if !ok {
		return false
	}
	var n [3]int64
	for i, arg := range args {
		number, ok := arg.(term.Int)
		if n[i] = int64(number); !ok {
			return false
		}
	}
	leap := n[0]%4 == 0 && (n[0]%100 != 0 || n[0]%400 == 0)
	days := []int64{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}
	if leap {
		days[1] = 29
	}
	return n[0] >= 1 && n[0] <= 9999 && n[1] >= 1 && n[1] <= 12 && n[2] >= 1 && n[2] <= days[n[1]-1]
}

// conflicts reads conflicts/2.
func (s *relations) conflicts(d *Directive) {
	name, arity, _, ok := shapes.NameArity(d.Args[0])
	if !ok {
		d.report(0, "%s is no Name/Arity", syntax.ShowTerm(d.Args[0]))
		return
	}
	pred := s.module.Find(code.Functor(string(name), arity))
	if pred == nil || !slices.ContainsFunc(s.all.rules, func(r *Rule) bool { return r.Pred == pred }) {
		d.report(0, "no labelled rule is about %s", syntax.ShowTerm(d.Args[0]))
		return
	}
	switch d.Args[1] {
	case term.Term(term.Atom("both")):
		s.both[pred] = true
	case term.Term(term.Atom("error")):
	default:
		d.report(1, "disagreeing rules are an error or both answer: write error or both, not %s",
			syntax.ShowTerm(d.Args[1]))
	}
}

// Mode holds the indexes of the inputs and outputs of a predicate, and says whether a call may have many answers.
type Mode struct {
	Inputs, Outputs []int
	Many            bool
}

// ModeOf returns the mode of the first directive mode/2 of a predicate. Without one all arguments are inputs.
func ModeOf(pred *database.Pred, declarations []source.Declaration) (mode Mode) {
	args := make([]term.Term, pred.Arity())
	for _, d := range declarations {
		m, ok := term.Is(d.Term, "mode", 2)
		if !ok || d.Module != pred.Module.Name {
			continue
		}
		if c, ok := m[0].(*term.Compound); ok && code.Functor(string(c.Functor), len(c.Args)) == pred.Functor {
			args = c.Args
			mode.Many = m[1] == term.Term(term.Atom("zero_or_more")) || m[1] == term.Term(term.Atom("one_or_more"))
			break
		}
	}
	for i, arg := range args {
		if _, out := term.Is(arg, "-", 1); out {
			mode.Outputs = append(mode.Outputs, i)
		} else {
			mode.Inputs = append(mode.Inputs, i)
		}
	}
	return mode
}

func (s *relations) mode(pred *database.Pred) Mode { return ModeOf(pred, s.p.Declarations()) }

// attackers returns the stronger rules of each rule, and the rivals: rules that may disagree with it.
func (s *relations) attackers(rules []*Rule) (stronger, rivals map[*Rule][]strength) {
	stronger, rivals = map[*Rule][]strength{}, map[*Rule][]strength{}
	above := func(r, over *Rule) bool {
		return slices.ContainsFunc(stronger[r], func(e strength) bool { return e.over == over })
	}
	type step struct {
		r  *Rule
		by *Directive // the first directive on the way down from top
	}
	for _, top := range rules {
		seen := map[*Rule]bool{}
		for todo := []step{{r: top}}; len(todo) > 0; todo = todo[1:] {
			for _, e := range s.edges {
				if e.over != todo[0].r || e.exception && e.over != top {
					continue
				}
				by := cmp.Or(todo[0].by, e.by)
				if !above(e.under, top) {
					stronger[e.under] = append(stronger[e.under], strength{top, e.under, by, e.exception})
				}
				if !e.exception && !seen[e.under] {
					seen[e.under], todo = true, append(todo, step{e.under, by})
				}
			}
		}
	}
	for _, r := range rules {
		for _, other := range rules {
			mode := s.mode(r.Pred)
			if r.Pred != other.Pred || r == other || r.Against || s.both[r.Pred] || above(r, other) || above(other, r) ||
				!other.Against && (mode.Many || len(mode.Outputs) == 0) {
				continue
			}
			rivals[r] = append(rivals[r], strength{over: other, under: r})
		}
	}
	return stronger, rivals
}

// add adds a clause that stands at a place of a text.
func (s *relations) add(text Text, at syntax.Place, head, body term.Term) {
	s.p.Add(s.module, syntax.At(text.Name, at.Line, at.Column), term.New(":-", head, body))
}

// of returns a goal of library(law) with its module.
func (s *relations) of(goal term.Term) term.Term {
	return term.New(":", term.Atom(s.p.Module("law").Name), goal)
}

// inForce adds the clauses that say when a rule is in force.
func (s *relations) inForce(r *Rule) {
	for _, v := range s.valid[r] {
		day := term.NewVar("")
		s.add(v.by.Text, v.by.At, term.New(ruleInForce, r.Label, v.from, v.until), term.New(",",
			s.of(term.New("today", day)), s.of(term.New("in_force", v.from, v.until, day))))
	}
	if len(s.valid[r]) == 0 {
		null := term.Atom("null")
		s.add(r.Text, r.At, term.New(ruleInForce, r.Label, null, null), term.True)
	}
}

// defeat adds the clauses for a stronger rule that defeats r.
func (s *relations) defeat(r *Rule, e strength) {
	asked, about := s.asked(r, e.over)
	how := term.Atom("overrides")
	if e.exception {
		how = "exception"
	}
	by, defeated := e.by, term.New(ruleDefeated, r.Label, about, e.over.Label, r.denying(how))
	s.add(by.Text, by.At, defeated,
		term.New(",", term.New(ruleApplies, e.over.Label, e.over.about(asked)), s.undefeated(e.over, asked)))
	weaker := term.New(ruleApplies, r.Label, r.about(about))
	s.add(by.Text, by.At, term.New(ruleWeaker, e.over.Label, asked, weaker, defeated), term.True)
}

// undefeated returns the goal that no rule defeats r for goal.
func (s *relations) undefeated(r *Rule, goal term.Term) term.Term {
	not := term.Atom(`\+`)
	if len(s.looping) > 0 {
		not = "tnot"
	}
	return term.New(not, term.New(ruleDefeated, r.Label, goal, term.NewVar(""), term.NewVar("")))
}

// about returns the conclusion of a rule about a goal: the goal or its negation.
func (r *Rule) about(goal term.Term) term.Term {
	if r.Against {
		return term.New(`\+`, goal)
	}
	return goal
}

// denying returns how, or against(how) if r is a rule against its goal.
func (r *Rule) denying(how term.Atom) term.Term {
	if r.Against {
		return term.New("against", how)
	}
	return how
}

// asked returns a goal of the other rule, and a goal of r with the same inputs. All other arguments are different
// variables.
func (s *relations) asked(r, other *Rule) (asked, about term.Term) {
	from, to := make([]term.Term, r.Pred.Arity()), make([]term.Term, other.Pred.Arity())
	for i := range from {
		from[i] = term.NewVar("")
	}
	for i := range to {
		to[i] = term.NewVar("")
	}
	inputs := s.mode(r.Pred).Inputs
	for i, at := range s.mode(other.Pred).Inputs {
		to[at] = from[inputs[i]]
	}
	return call(other.Pred, to), call(r.Pred, from)
}

// call returns a call of a predicate.
func call(pred *database.Pred, args []term.Term) term.Term {
	if len(args) == 0 {
		return term.Atom(pred.Name())
	}
	return term.New(term.Atom(pred.Name()), args...)
}

// rival adds the clause for a rule that is neither stronger nor weaker than r and may disagree with it.
func (s *relations) rival(r *Rule, e strength) {
	other := e.over
	asked, about := s.asked(r, other)
	outputs := func(t term.Term) term.Term {
		var list []term.Term
		for _, i := range s.mode(r.Pred).Outputs {
			list = append(list, t.(*term.Compound).Args[i])
		}
		return term.List(list...)
	}
	goals := []term.Term{term.New(ruleApplies, other.Label, other.about(asked))}
	if other.Against {
		asked = about
		goals[0] = term.New(ruleApplies, other.Label, other.about(asked))
	} else {
		goals = append(goals, term.New(`\=`, outputs(asked), outputs(about)))
	}
	goals = append(goals, s.undefeated(other, asked))
	if s.looping[r.Pred] {
		s.add(other.Text, other.At, term.New(ruleDefeated, r.Label, about, other.Label, term.Atom("disagrees")),
			term.Conjunction(goals...))
		return
	}
	disagree := term.New("disagree", r.shown(about), other.shown(other.about(asked)))
	goals = append(goals, s.of(disagree))
	s.add(other.Text, other.At, term.New(ruleContradicted, r.Label, about), term.Conjunction(goals...))
}

// shown returns a rule with the goal that it answers and its place, for the message that two rules disagree.
func (r *Rule) shown(goal term.Term) term.Term {
	return term.New("rule", r.Label, goal, term.Atom(r.Text.Name), term.Int(int64(r.At.Line)))
}

// unused warns of rules that never apply because a stronger rule is a fact, which always applies.
func (s *relations) unused(rules []*Rule, stronger map[*Rule][]strength) {
	for _, r := range rules {
		for _, e := range stronger[r] {
			if e.over.body == term.Term(term.True) && len(stronger[e.over]) == 0 && len(s.valid[e.over]) == 0 &&
				e.over.general {
				r.Text.Report(r.At, source.SeverityWarning, "law", "rule %s never applies: %s always does, and is stronger (%s)",
					syntax.ShowTerm(r.Label), syntax.ShowTerm(e.over.Label), e.by.place())
				break
			}
		}
	}
}

// table makes the looping predicates tabled. If there are any, all guards of the module use tnot.
func (s *relations) table(rules []*Rule) {
	if len(s.looping) == 0 {
		return
	}
	preds := []*database.Pred{s.module.Lookup(code.Functor(ruleApplies, 2))}
	for _, r := range rules {
		if !r.Against && !slices.Contains(preds, r.Pred) {
			preds = append(preds, r.Pred)
		}
	}
	for _, pred := range preds {
		if !s.p.Rewrite(pred, s.looping[pred], s.wellFounded) {
			return
		}
	}
}

// wellFounded replaces \+ by tnot before goals of looping predicates.
func (s *relations) wellFounded(t term.Term) term.Term {
	c, ok := t.(*term.Compound)
	if !ok {
		return t
	}
	if not, is := term.Is(t, `\+`, 1); is {
		name, arity, ok := term.Indicator(not[0])
		pred := s.module.Find(code.Functor(string(name), arity))
		if ok && pred != nil && (s.looping[pred] || name == ruleDefeated) {
			return term.New("tnot", not[0])
		}
	}
	if _, ok := shapes.Control(t); !ok {
		return t
	}
	own := &term.Compound{Functor: c.Functor, Args: slices.Clone(c.Args)}
	for i := range own.Args {
		own.Args[i] = s.wellFounded(own.Args[i])
	}
	return own
}
