package load

import (
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/body"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/internal/tables"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/shapes"
)

// This file defines labelled rules, Label :: Head :- Body of library(law). A rule becomes two clauses when it is read:
//
//	p(X, Y) :- 'rule in force'(r, _, _), Body, \+ 'rule defeated'(r, p(X, Y), _, _), \+ 'rule contradicted'(r, p(X, Y)).
//	'rule applies'(r, p(X, Y)) :- 'rule in force'(r, _, _), Body.
//
// A rule against p, Label :: \+ p(X, Y) :- Body, becomes only the second one, for \+ p(X, Y). The clauses of the other
// four predicates follow from all rules and directives of the program, at the end of a load: see relate.go.

// The predicates of labelled rules, in the module of their text.
const (
	ruleApplies      = "rule applies"
	ruleInForce      = "rule in force"
	ruleDefeated     = "rule defeated"
	ruleContradicted = "rule contradicted"
	ruleWeaker       = "rule weaker"
)

// labelledRule is a rule with its label.
type labelledRule struct {
	l     *Loader
	at    syntax.Place
	label term.Atom
	pred  *database.Pred
	// against says that the rule is one for \+ of the goal.
	against bool
	// general says that the arguments of the head are different variables.
	general bool
	body    term.Term
	points  []int // that count how often it is reached
}

// place is the file and line of a rule.
func (r *labelledRule) place() syntax.Position { return syntax.At(r.l.name, r.at.Line, 0) }

// ruleNotes are the labelled rules of a program and the directives about them.
type ruleNotes struct {
	rules      []*labelledRule
	directives []ruleDirective
	changed    bool
}

// ruleDirective is a directive about labelled rules.
type ruleDirective struct {
	l      *Loader
	at     syntax.Place
	name   string
	args   []term.Term
	layout *syntax.Layout
}

// ruleDirectives are their indicators.
var ruleDirectives = map[string]bool{"overrides/2": true, "exception/2": true, "valid/2": true, "valid/3": true,
	"source/2": true, "conflicts/2": true}

// usesLaw reports whether the text being loaded uses library(law).
func (l *Loader) usesLaw() bool {
	pred := l.module.Resolve(code.Functor("overrides", 2))
	return pred != nil && pred.Module.Library && pred.Module.Name == "law"
}

// noteRuleDirective notes a directive about labelled rules until all of them are known. It reports whether t is one.
func (l *Loader) noteRuleDirective(key string, t term.Term) bool {
	if l.library || l.read == nil || !ruleDirectives[key] || !l.usesLaw() {
		return false
	}
	name, _, _ := strings.Cut(key, "/")
	d := ruleDirective{l: l, at: l.at(), name: name, args: t.(*term.Compound).Args}
	if whole, ok := term.Is(l.read.Term, ":-", 1); ok && whole[0] == t { // its arguments have places
		d.layout = l.read.Layout.Arg(0)
	}
	l.p.rules.directives, l.p.rules.changed = append(l.p.rules.directives, d), true
	return true
}

// forgetRules drops what files say about labelled rules, before they are loaded again.
func (p *Program) forgetRules(files []string) {
	of := func(l *Loader) bool { return slices.Contains(files, l.name) }
	p.rules.rules = slices.DeleteFunc(p.rules.rules, func(r *labelledRule) bool {
		if of(r.l) {
			p.ruleSources.Delete(r.place())
		}
		return of(r.l)
	})
	p.rules.directives = slices.DeleteFunc(p.rules.directives, func(d ruleDirective) bool { return of(d.l) })
	p.rules.changed = true
}

// unlabelled takes the label off a clause. It returns nil for one that has none. After an error ok is false.
func (l *Loader) unlabelled(read *syntax.Read) (plain *syntax.Read, r *labelledRule, ok bool) {
	head, layout := read.Term, read.Layout
	var parts []term.Term
	for _, arrow := range []term.Atom{":-", "-->", "=>"} {
		if args, is := term.Is(head, arrow, 2); is {
			head, layout, parts = args[0], layout.Arg(0), args
			break
		}
	}
	args, is := term.Is(head, "::", 2)
	if !is || l.library || !l.usesLaw() {
		return read, nil, true
	}
	label, isAtom := args[0].(term.Atom)
	r = &labelledRule{l: l, at: l.at(), label: label, body: term.True}
	head, layout = args[1], layout.Arg(1)
	if negated, is := term.Is(head, `\+`, 1); is {
		r.against, head, layout = true, negated[0], layout.Arg(0)
	}
	name, arity, callable := term.Indicator(head)
	_, control := shapes.Control(head)
	switch _, isRule := term.Is(read.Term, ":-", 2); {
	case !isAtom:
		l.report(source.SeverityError, "law", "the label of a rule is an atom, not %s", syntax.ShowTerm(args[0]))
	case parts != nil && !isRule:
		l.report(source.SeverityError, "law", "a label stands before a clause Head :- Body, or a fact")
	case !callable || control || name == ":":
		l.report(source.SeverityError, "law", "%s cannot be the head of a labelled rule", syntax.ShowTerm(head))
	default:
		r.pred = l.Definition(l.module, code.Functor(string(name), arity))
	}
	if r.pred == nil {
		return read, r, false
	}
	l.p.definer.Set(r.pred, database.Defined|database.Discontiguous) // articles stand in the order of their law
	own := *read
	own.Term, own.Layout = head, layout
	if parts != nil {
		own.Term = term.New(":-", head, parts[1])
		own.Layout = &syntax.Layout{Pos: read.Layout.Pos, Args: []*syntax.Layout{layout, read.Layout.Arg(1)}}
	}
	return &own, r, true
}

// addRule adds the clauses of a labelled rule. list is what the expansion of its clause gave.
func (l *Loader) addRule(r *labelledRule, list []term.Term) {
	l.result.dependent = true
	if len(list) != 1 {
		l.report(source.SeverityError, "law", "rule %s becomes %d clauses by expansion; a label is that of one",
			syntax.ShowTerm(r.label), len(list))
		return
	}
	head := list[0]
	if args, ok := term.Is(head, ":-", 2); ok {
		head, r.body = args[0], args[1]
	}
	for _, goal := range goalsOf(r.body) {
		if goal == term.Term(term.Atom("!")) {
			l.report(source.SeverityError, "law", "a cut in rule %s would keep weaker rules from being tried; "+
				"write once/1, or say which rule overrides which", syntax.ShowTerm(r.label))
			return
		}
	}
	for _, other := range l.p.rules.rules {
		if other.label == r.label && other.l.module == l.module {
			l.report(source.SeverityError, "law", "there is a rule %s already, at %s:%d", syntax.ShowTerm(r.label),
				other.l.name, other.at.Line)
			return
		}
	}
	l.p.rules.rules, l.p.rules.changed = append(l.p.rules.rules, r), true
	l.p.ruleSources.Store(r.place(), "rule "+string(r.label))
	l.lawPreds(l.module)
	written := l.read
	l.rule = r
	defer func() { l.read, l.rule = written, nil }()
	r.general = general(head)
	goals := []term.Term{term.New(ruleInForce, r.label, term.NewVar(""), term.NewVar(""))}
	if r.body != term.Term(term.True) {
		goals = append(goals, r.body)
	}
	about := head
	if r.against {
		about = term.New(`\+`, head)
	}
	applies := term.New(":-", term.New(ruleApplies, r.label, about), term.Conjunction(goals...))
	if r.against {
		l.read = withGuards(written, applies, len(goals))
		l.addTerm(applies)
		return
	}
	goals = append(goals, term.New(`\+`, term.New(ruleDefeated, r.label, head, term.NewVar(""), term.NewVar(""))),
		term.New(`\+`, term.New(ruleContradicted, r.label, head)))
	clause := term.New(":-", head, term.Conjunction(goals...))
	l.read = withGuards(written, clause, len(goals))
	l.addTerm(clause)
	last := l.last
	applies = l.coverApplies(r, applies)
	l.read = &syntax.Read{Pos: written.Pos}
	l.addTerm(applies)
	l.last = last
}

// general reports whether the arguments of a goal are different variables.
func general(goal term.Term) bool {
	c, ok := goal.(*term.Compound)
	return !ok || len(term.Variables(c)) == len(c.Args) && !slices.ContainsFunc(c.Args, func(t term.Term) bool {
		_, isVar := t.(*term.Var)
		return !isVar
	})
}

// withGuards returns a clause as if it was written with the n goals of its body, of which the second one is the body of
// the clause that was read and the others stand where that clause does.
func withGuards(read *syntax.Read, clause term.Term, n int) *syntax.Read {
	own := *read
	own.Term = clause
	at := &syntax.Layout{Pos: syntax.Place{Line: read.Pos.Line, Column: read.Pos.Column}}
	goals := slices.Repeat([]*syntax.Layout{at}, n)
	head := read.Layout
	if _, ok := term.Is(read.Term, ":-", 2); ok {
		head, goals[1] = read.Layout.Arg(0), read.Layout.Arg(1)
	}
	whole := goals[n-1]
	for i := n - 2; i >= 0; i-- {
		whole = &syntax.Layout{Pos: at.Pos, Args: []*syntax.Layout{goals[i], whole}}
	}
	own.Layout = &syntax.Layout{Pos: at.Pos, Args: []*syntax.Layout{head, whole}}
	return &own
}

type lawName struct {
	name  string
	arity int
}

// lawNames are the predicates that labelled rules have in each module.
var lawNames = []lawName{{ruleApplies, 2}, {ruleInForce, 3}, {ruleDefeated, 4}, {ruleContradicted, 2}, {ruleWeaker, 4}}

// Labels returns the labels of the rules of each predicate, by its indicator.
func (p *Program) Labels() map[string][]string {
	list := map[string][]string{}
	for _, r := range p.rules.rules {
		about := functorText(r.pred.Functor)
		list[about] = append(list[about], string(r.label))
	}
	return list
}

// IsHelper reports whether a predicate is one that labelled rules or decision tables need besides, by its name.
func IsHelper(name string) bool {
	return strings.HasSuffix(name, tables.RowsSuffix) || strings.HasSuffix(name, tables.NodesSuffix) ||
		slices.ContainsFunc(lawNames, func(p lawName) bool { return p.name == name })
}

// lawPreds returns the predicates of the labelled rules of a module by their names, and defines them.
func (l *Loader) lawPreds(m *database.Module) map[string]*database.Pred {
	preds := map[string]*database.Pred{}
	for _, p := range lawNames {
		pred := m.Lookup(code.Functor(p.name, p.arity))
		l.p.definer.Set(pred, database.Defined|database.Discontiguous|database.Multifile)
		preds[p.name] = pred
	}
	return preds
}

// reaches reports whether some goals lead to a predicate: directly, or by clauses and by rules that may defeat others.
// All predicates that the body of a clause without a label names count as called.
func (p *Program) reaches(from []*labelledRule, to *database.Pred, attackers map[*labelledRule][]*labelledRule) bool {
	seenRules, seen := map[*labelledRule]bool{}, map[*database.Pred]bool{}
	var preds []*database.Pred
	call := func(m *database.Module, functor code.Cell) {
		if pred := m.Resolve(functor); pred != nil && !pred.Module.Library && !seen[pred] {
			seen[pred], preds = true, append(preds, pred)
		}
	}
	rules := slices.Clone(from)
	for len(rules)+len(preds) > 0 {
		if n := len(rules) - 1; n >= 0 {
			r := rules[n]
			rules = rules[:n]
			if seenRules[r] {
				continue
			}
			seenRules[r], rules = true, append(rules, attackers[r]...)
			body.Walk(body.Part{Term: r.body}, func(g body.Part) []body.Part {
				name, arity, ok := term.Indicator(g.Term)
				if !ok {
					return nil
				}
				call(r.l.module, code.Functor(string(name), arity+g.Extra))
				return g.Arguments(r.l.metaSpec(code.Functor(string(name), arity+g.Extra)))
			})
			continue
		}
		pred := preds[len(preds)-1]
		if preds = preds[:len(preds)-1]; pred == to {
			return true
		}
		labelled := false
		for _, r := range p.rules.rules {
			if r.pred == pred {
				labelled, rules = true, append(rules, r)
			}
		}
		own := pred
		if pred.Has(database.Tabled) {
			own = tabledClauses(pred)
		}
		for _, c := range own.Clauses() {
			if labelled || c.IsFact() {
				continue
			}
			for _, cell := range c.Own() {
				if cell.IsFunctor() {
					call(pred.Module, cell)
				} else if cell.Tag() == code.Atom {
					call(pred.Module, code.MakeFunctor(cell.Atom(), 0))
				}
			}
		}
	}
	return false
}
