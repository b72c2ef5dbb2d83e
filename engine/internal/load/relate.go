package load

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

// This file defines how labelled rules stand to each other: what the directives of library(law) come to at the end of
// a load, when all rules are known.
//
//	'rule in force'(r, From, Until)          for each span of valid/2 and valid/3, or always
//	'rule defeated'(r, p(X, Y), s, How) :-   for each rule s that overrides r, or is an exception to it
//	    'rule applies'(s, p(X, _)), \+ 'rule defeated'(s, p(X, _), _, _).
//	'rule weaker'(s, p(X, _), 'rule applies'(r, p(X, Y)), 'rule defeated'(r, p(X, Y), s, How))   the same, for proofs
//	'rule contradicted'(r, p(X, Y)) :-       for each rule s that is neither stronger nor weaker, and may disagree
//	    'rule applies'(s, p(X, Z)), Y \= Z, \+ 'rule defeated'(s, p(X, Z), _, _), law:disagree(...).
//
// Where such a clause leads back to the predicate of r, the predicate is tabled and \+ becomes tnot. Rules that may
// disagree defeat each other there, since no error can be thrown before a table is complete.

// relations are the rules of one module and what holds between them.
type relations struct {
	p       *Program
	module  *database.Module
	rules   map[term.Atom]*labelledRule
	edges   []strength
	valid   map[*labelledRule][]span
	both    map[*database.Pred]bool // disagreeing rules all have their answers
	looping map[*database.Pred]bool
}

// strength says that a rule is stronger than another one.
type strength struct {
	over, under *labelledRule
	by          *ruleDirective
	// exception says that what is stronger than over is not for that stronger than under.
	exception bool
}

// span is a time in which a rule is in force, as terms: a date, or null for an open end.
type span struct {
	from, until term.Term
	by          *ruleDirective
}

// relateRules makes clauses of what is known of the labelled rules, unless it is the same as before.
func (p *Program) relateRules() {
	if !p.rules.changed {
		return
	}
	p.rules.changed = false
	var modules []*database.Module
	for _, r := range p.rules.rules {
		if !slices.Contains(modules, r.l.module) {
			modules = append(modules, r.l.module)
		}
	}
	for i := range p.rules.directives {
		if m := p.rules.directives[i].l.module; !slices.Contains(modules, m) {
			modules = append(modules, m)
		}
	}
	for _, m := range modules {
		p.relateModule(m)
	}
}

// relateModule does so for one module.
func (p *Program) relateModule(m *database.Module) {
	s := &relations{p: p, module: m, rules: map[term.Atom]*labelledRule{}, valid: map[*labelledRule][]span{},
		both: map[*database.Pred]bool{}, looping: map[*database.Pred]bool{}}
	var rules []*labelledRule
	for _, r := range p.rules.rules {
		if r.l.module == m {
			rules, s.rules[r.label] = append(rules, r), r
		}
	}
	for i := range p.rules.directives {
		if d := &p.rules.directives[i]; d.l.module == m {
			s.directive(d)
		}
	}
	stronger, rivals := s.attackers(rules)
	asked := map[*labelledRule][]*labelledRule{}
	for _, r := range rules {
		for _, e := range append(slices.Clone(stronger[r]), rivals[r]...) {
			asked[r] = append(asked[r], e.over)
		}
	}
	for _, r := range rules {
		if !s.looping[r.pred] && p.reaches(asked[r], r.pred, asked) {
			s.looping[r.pred] = true
		}
	}
	s.widen(rules, asked)
	s.begin()
	for _, r := range rules {
		s.inForce(r)
		for _, e := range stronger[r] {
			s.defeat(r, e)
		}
		for _, e := range rivals[r] {
			s.rival(r, e)
		}
	}
	s.unused(rules, stronger)
	s.table(rules)
}

// widen adds the other predicates of each circle: those that lead to a looping predicate by any rule and back. Their
// rules may apply on a condition that is not known yet, so a disagreement cannot be an error.
func (s *relations) widen(rules []*labelledRule, asked map[*labelledRule][]*labelledRule) {
	about := map[*database.Pred][]*labelledRule{}
	for _, r := range rules {
		about[r.pred] = append(about[r.pred], r)
	}
	for looping := range maps.Clone(s.looping) {
		for pred, own := range about {
			if !s.looping[pred] && s.p.reaches(own, looping, asked) && s.p.reaches(about[looping], pred, asked) {
				s.looping[pred] = true
			}
		}
	}
}

// begin takes away the clauses that an earlier load has made.
func (s *relations) begin() {
	l := s.loader("")
	preds := l.lawPreds(s.module)
	for _, p := range lawNames {
		name, pred := p.name, preds[p.name]
		if name == ruleDefeated && len(s.looping) > 0 && !pred.Has(database.Tabled) {
			l.tablePred(s.module, name, make([]term.Term, pred.Arity()), database.Tabled)
		}
		if name == ruleApplies {
			continue
		}
		own := pred
		if pred.Has(database.Tabled) {
			own = tabledClauses(pred)
		}
		s.p.Relink(own)
		for _, c := range slices.Clone(own.Clauses()) {
			s.p.db.EraseNow(c)
		}
	}
}

// directive reads a directive. What is wrong with it is reported.
func (s *relations) directive(d *ruleDirective) {
	switch d.name {
	case "overrides", "exception":
		s.stronger(d)
	case "valid":
		s.validity(d)
	case "source":
		if r := s.rule(d, 0); r != nil {
			text, ok := term.Text(d.args[1])
			if !ok {
				d.report(1, "a source is a text, not %s", syntax.ShowTerm(d.args[1]))
				return
			}
			s.p.ruleSources.Store(r.place(), "rule "+string(r.label)+": "+text)
		}
	case "conflicts":
		s.conflicts(d)
	}
}

// report reports an error of an argument.
func (d *ruleDirective) report(arg int, format string, args ...any) {
	d.tell(source.SeverityError, arg, format, args...)
}

func (d *ruleDirective) tell(severity source.Severity, arg int, format string, args ...any) {
	at := d.at
	if l := d.layout.Arg(arg); l != nil {
		at = syntax.Place{Line: l.Pos.Line, Column: l.Pos.Column}
	}
	d.l.reportAt(at, severity, "law", format, args...)
}

// place is the file and line of a directive.
func (d *ruleDirective) place() string { return fmt.Sprintf("%s:%d", d.l.name, d.at.Line) }

// rule returns the rule that an argument names, nil after an error.
func (s *relations) rule(d *ruleDirective, arg int) *labelledRule {
	label, ok := d.args[arg].(term.Atom)
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
	d.report(arg, "no rule has the label %s%s", syntax.ShowTerm(d.args[arg]), hint)
	return nil
}

// stronger reads overrides/2 or exception/2.
func (s *relations) stronger(d *ruleDirective) {
	over, under := s.rule(d, 0), s.rule(d, 1)
	if over == nil || under == nil {
		return
	}
	if a, b := s.p.ruleMode(over.pred).inputs, s.p.ruleMode(under.pred).inputs; len(a) != len(b) {
		d.report(0, "%s is about %s, which has %s, and %s about %s, which has %s: one cannot be asked for the other",
			syntax.ShowTerm(over.label), functorText(over.pred.Functor), spell.Count(len(a), "input"),
			syntax.ShowTerm(under.label), functorText(under.pred.Functor), spell.Count(len(b), "input"))
		return
	}
	if chain := s.chain(under, over); chain != "" || over == under {
		d.report(0, "%s cannot be stronger than itself%s", syntax.ShowTerm(over.label), chain)
		return
	}
	s.edges = append(s.edges, strength{over, under, d, d.name == "exception"})
}

// chain says how a rule is stronger than another one, "" if it is not.
func (s *relations) chain(over, under *labelledRule) string {
	seen := map[*labelledRule]string{over: ": " + syntax.ShowTerm(over.label)}
	for todo := []*labelledRule{over}; len(todo) > 0; todo = todo[1:] {
		for _, e := range s.edges {
			if e.over != todo[0] || seen[e.under] != "" {
				continue
			}
			seen[e.under] = fmt.Sprintf("%s is stronger than %s (%s)", seen[e.over], syntax.ShowTerm(e.under.label),
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
func (s *relations) validity(d *ruleDirective) {
	r := s.rule(d, 0)
	if r == nil {
		return
	}
	open := term.Term(term.Atom("null"))
	v := span{open, open, d}
	for i, bound := range d.args[1:] {
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
		d.tell(source.SeverityWarning, 1, "rule %s is never in force: it ends before it begins", syntax.ShowTerm(r.label))
	}
	for _, other := range s.valid[r] {
		if (other.until == open || v.from == open || term.Compare(v.from, other.until) < 0) &&
			(v.until == open || other.from == open || term.Compare(other.from, v.until) < 0) {
			d.report(1, "rule %s is in force in some of this time already, by %s", syntax.ShowTerm(r.label), other.by.place())
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
func (s *relations) conflicts(d *ruleDirective) {
	name, arity, ok := Indicator(d.args[0])
	if !ok {
		d.report(0, "%s is no Name/Arity", syntax.ShowTerm(d.args[0]))
		return
	}
	pred := s.module.Find(code.Functor(name, arity))
	if pred == nil || !slices.ContainsFunc(s.p.rules.rules, func(r *labelledRule) bool { return r.pred == pred }) {
		d.report(0, "no labelled rule is about %s", syntax.ShowTerm(d.args[0]))
		return
	}
	switch d.args[1] {
	case term.Term(term.Atom("both")):
		s.both[pred] = true
	case term.Term(term.Atom("error")):
	default:
		d.report(1, "disagreeing rules are an error or both answer: write error or both, not %s",
			syntax.ShowTerm(d.args[1]))
	}
}

// ruleMode is what mode/2 says of a predicate: the places of its inputs, and whether one call has many answers.
type ruleMode struct {
	inputs, outputs []int
	many            bool
}

// ruleMode returns the first directive mode/2 of a predicate. Without one all arguments are inputs.
func (p *Program) ruleMode(pred *database.Pred) (mode ruleMode) {
	args := make([]term.Term, pred.Arity())
	for _, d := range p.declarations {
		m, ok := term.Is(d.Term, "mode", 2)
		if !ok || d.Module != pred.Module.Name {
			continue
		}
		if c, ok := m[0].(*term.Compound); ok && code.Functor(string(c.Functor), len(c.Args)) == pred.Functor {
			args = c.Args
			mode.many = m[1] == term.Term(term.Atom("zero_or_more")) || m[1] == term.Term(term.Atom("one_or_more"))
			break
		}
	}
	for i, arg := range args {
		if _, out := term.Is(arg, "-", 1); out {
			mode.outputs = append(mode.outputs, i)
		} else {
			mode.inputs = append(mode.inputs, i)
		}
	}
	return mode
}

// attackers lists for each rule the stronger ones, and those that it may disagree with.
func (s *relations) attackers(rules []*labelledRule) (stronger, rivals map[*labelledRule][]strength) {
	stronger, rivals = map[*labelledRule][]strength{}, map[*labelledRule][]strength{}
	above := func(r, over *labelledRule) bool {
		return slices.ContainsFunc(stronger[r], func(e strength) bool { return e.over == over })
	}
	type step struct {
		r  *labelledRule
		by *ruleDirective // the first of those that lead from the rule at the top
	}
	for _, top := range rules {
		seen := map[*labelledRule]bool{}
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
			mode := s.p.ruleMode(r.pred)
			if r.pred != other.pred || r == other || r.against || s.both[r.pred] || above(r, other) || above(other, r) ||
				!other.against && (mode.many || len(mode.outputs) == 0) {
				continue
			}
			rivals[r] = append(rivals[r], strength{over: other, under: r})
		}
	}
	return stronger, rivals
}

// loader returns a loader for clauses of a file that is loaded.
func (s *relations) loader(name string) *Loader {
	l := s.p.newLoader(name, s.module)
	l.reader = plainReader{l}
	return l
}

// add adds a clause that stands where a directive or a rule does.
func (s *relations) add(l *Loader, at syntax.Place, head, body term.Term) {
	own := s.loader(l.name)
	own.read = &syntax.Read{Pos: syntax.At(l.name, at.Line, at.Column)}
	own.addTerm(term.New(":-", head, body))
}

// inForce adds when a rule is in force.
func (s *relations) inForce(r *labelledRule) {
	for _, v := range s.valid[r] {
		day, law := term.NewVar(""), s.p.db.Module("law")
		s.add(v.by.l, v.by.at, term.New(ruleInForce, r.label, v.from, v.until), term.New(",",
			inModule(law, term.New("today", day)), inModule(law, term.New("in_force", v.from, v.until, day))))
	}
	if len(s.valid[r]) == 0 {
		null := term.Atom("null")
		s.add(r.l, r.at, term.New(ruleInForce, r.label, null, null), term.True)
	}
}

// defeat adds how a stronger rule defeats a rule.
func (s *relations) defeat(r *labelledRule, e strength) {
	asked, about := s.asked(r, e.over)
	how := term.Atom("overrides")
	if e.exception {
		how = "exception"
	}
	by, defeated := e.by, term.New(ruleDefeated, r.label, about, e.over.label, r.denying(how))
	s.add(by.l, by.at, defeated,
		term.New(",", term.New(ruleApplies, e.over.label, e.over.about(asked)), s.undefeated(e.over, asked)))
	weaker := term.New(ruleApplies, r.label, r.about(about))
	s.add(by.l, by.at, term.New(ruleWeaker, e.over.label, asked, weaker, defeated), term.True)
}

// undefeated is the goal that nothing defeats a rule for a goal.
func (s *relations) undefeated(r *labelledRule, goal term.Term) term.Term {
	not := term.Atom(`\+`)
	if len(s.looping) > 0 {
		not = "tnot"
	}
	return term.New(not, term.New(ruleDefeated, r.label, goal, term.NewVar(""), term.NewVar("")))
}

// about is what a rule says of a goal: that or its negation.
func (r *labelledRule) about(goal term.Term) term.Term {
	if r.against {
		return term.New(`\+`, goal)
	}
	return goal
}

// denying is how a rule is defeated, within against(How) for a rule against its goal.
func (r *labelledRule) denying(how term.Atom) term.Term {
	if r.against {
		return term.New("against", how)
	}
	return how
}

// asked returns a goal of rule r with variables, and the goal that asks another rule the same: with the same inputs.
func (s *relations) asked(r, other *labelledRule) (asked, about term.Term) {
	from, to := make([]term.Term, r.pred.Arity()), make([]term.Term, other.pred.Arity())
	for i := range from {
		from[i] = term.NewVar("")
	}
	for i := range to {
		to[i] = term.NewVar("")
	}
	inputs := s.p.ruleMode(r.pred).inputs
	for i, at := range s.p.ruleMode(other.pred).inputs {
		to[at] = from[inputs[i]]
	}
	return compound(other.pred.Name(), to), compound(r.pred.Name(), from)
}

// rival adds that a rule which is neither stronger nor weaker may disagree with a rule.
func (s *relations) rival(r *labelledRule, e strength) {
	other := e.over
	asked, about := s.asked(r, other)
	outputs := func(t term.Term) term.Term {
		var list []term.Term
		for _, i := range s.p.ruleMode(r.pred).outputs {
			list = append(list, t.(*term.Compound).Args[i])
		}
		return term.List(list...)
	}
	goals := []term.Term{term.New(ruleApplies, other.label, other.about(asked))}
	if other.against {
		asked = about
		goals[0] = term.New(ruleApplies, other.label, other.about(asked))
	} else {
		goals = append(goals, term.New(`\=`, outputs(asked), outputs(about)))
	}
	goals = append(goals, s.undefeated(other, asked))
	if s.looping[r.pred] {
		s.add(other.l, other.at, term.New(ruleDefeated, r.label, about, other.label, term.Atom("disagrees")),
			term.Conjunction(goals...))
		return
	}
	disagree := term.New("disagree", r.shown(about), other.shown(other.about(asked)))
	goals = append(goals, inModule(s.p.db.Module("law"), disagree))
	s.add(other.l, other.at, term.New(ruleContradicted, r.label, about), term.Conjunction(goals...))
}

// shown is a rule with the goal that it answers, and its place, for the message that two disagree.
func (r *labelledRule) shown(goal term.Term) term.Term {
	return term.New("rule", r.label, goal, term.Atom(r.l.name), term.Int(int64(r.at.Line)))
}

// unused warns of rules that never have a say: one that is always defeated, by a fact.
func (s *relations) unused(rules []*labelledRule, stronger map[*labelledRule][]strength) {
	for _, r := range rules {
		for _, e := range stronger[r] {
			if e.over.body == term.Term(term.True) && len(stronger[e.over]) == 0 && len(s.valid[e.over]) == 0 &&
				e.over.general {
				r.l.reportAt(r.at, source.SeverityWarning, "law", "rule %s never applies: %s always does, and is stronger (%s)",
					syntax.ShowTerm(r.label), syntax.ShowTerm(e.over.label), e.by.place())
				break
			}
		}
	}
}

// table tables the predicates whose rules lead back to them by what may defeat them. All guards of the module are tnot
// then.
func (s *relations) table(rules []*labelledRule) {
	if len(s.looping) == 0 {
		return
	}
	preds := []*database.Pred{s.module.Lookup(code.Functor(ruleApplies, 2))}
	for _, r := range rules {
		if !r.against && !slices.Contains(preds, r.pred) {
			preds = append(preds, r.pred)
		}
	}
	for _, pred := range preds {
		l, own := s.loader(pred.File), pred
		if pred.Has(database.Tabled) {
			own = tabledClauses(pred)
		}
		earlier, ok := l.takeClauses(own, "tabled")
		if !ok {
			return
		}
		for i := range earlier {
			earlier[i].body = s.wellFounded(earlier[i].body)
		}
		behind := func(head term.Term) (*database.Pred, term.Term) { return own, head }
		if s.looping[pred] && own == pred {
			l.tablePred(s.module, pred.Name(), make([]term.Term, pred.Arity()), database.Tabled)
			behind = func(head term.Term) (*database.Pred, term.Term) { return tabledHead(pred, head) }
		}
		l.putBehind(earlier, behind)
	}
}

// wellFounded puts tnot in the place of the negations of predicates that are tabled.
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
