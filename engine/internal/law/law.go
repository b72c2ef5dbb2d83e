// Package law translates the labelled rules of library(law), Label :: Head :- Body, and the directives that say which
// rule is stronger. A rule becomes two clauses when it is read:
//
//	p(X, Y) :- 'rule in force'(r, _, _), Body, \+ 'rule defeated'(r, p(X, Y), _, _), \+ 'rule contradicted'(r, p(X, Y)).
//	'rule applies'(r, p(X, Y)) :- 'rule in force'(r, _, _), Body.
//
// A rule against p, Label :: \+ p(X, Y) :- Body, becomes only the second clause, for \+ p(X, Y). The clauses of the
// other four predicates are made at the end of a load, from all rules and directives of the program; see relate.go.
package law

import (
	"slices"
	"sync"

	"github.com/mcplogic/mcplogic/engine/internal/body"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/shapes"
)

// The predicates that are made for labelled rules, in the module of their text.
const (
	ruleApplies      = "rule applies"
	ruleInForce      = "rule in force"
	ruleDefeated     = "rule defeated"
	ruleContradicted = "rule contradicted"
	ruleWeaker       = "rule weaker"
)

// Program is a program that is being loaded.
type Program interface {
	// Declarations returns the directives that declare something.
	Declarations() []source.Declaration
	Module(name string) *database.Module
	Define(pred *database.Pred, flags database.Flag)
	// Add adds a clause to a module. at becomes its place.
	Add(m *database.Module, at syntax.Position, clause term.Term)
	// Clear removes the clauses of a predicate.
	Clear(pred *database.Pred)
	// Table makes a predicate tabled.
	Table(pred *database.Pred)
	// Rewrite replaces the bodies of the clauses of a predicate. If table is set, it makes the predicate tabled
	// first. It reports success.
	Rewrite(pred *database.Pred, table bool, change func(body term.Term) term.Term) bool
}

// Text is the text in which a rule or a directive stands. The loader provides it.
type Text struct {
	Name   string
	Module *database.Module
	// Report adds a diagnostic.
	Report func(at syntax.Place, severity source.Severity, code, format string, args ...any)
	// Meta returns the meta_predicate specification of the predicate that a call reaches.
	Meta func(functor code.Cell) string
	// Define returns the predicate that clauses of the text define, nil after an error.
	Define func(functor code.Cell) *database.Pred
}

// Rule is a rule with its label.
type Rule struct {
	Text  Text
	At    syntax.Place
	Label term.Atom
	// Against says that the head of the rule is \+ of the goal.
	Against bool
	// Points holds the numbers of the coverage points of the rule.
	Points []int
	// Pred is the predicate of the goal.
	Pred *database.Pred
	// general says that the arguments of the head are different variables.
	general bool
	body    term.Term
}

// place returns the file and line of a rule.
func (r *Rule) place() syntax.Position { return syntax.At(r.Text.Name, r.At.Line, 0) }

func (r *Rule) error(format string, args ...any) {
	r.Text.Report(r.At, source.SeverityError, "law", format, args...)
}

// Rules holds the labelled rules of a program and the directives about them.
type Rules struct {
	rules      []*Rule
	directives []Directive
	changed    bool
	// sources holds the labels and sources of the rules, by place. Goals may read it while a text is loaded.
	sources sync.Map
}

// Directive is a directive about labelled rules. Layout is its layout, or nil.
type Directive struct {
	Text   Text
	At     syntax.Place
	Name   string
	Args   []term.Term
	Layout *syntax.Layout
}

// Directives holds the indicators of the directives.
var Directives = map[string]bool{"overrides/2": true, "exception/2": true, "valid/2": true, "valid/3": true,
	"source/2": true, "conflicts/2": true}

// Note keeps a directive for the end of the load, when all rules are known.
func (rules *Rules) Note(d Directive) {
	rules.directives, rules.changed = append(rules.directives, d), true
}

// Forget removes the rules and directives of files, before the files are loaded again.
func (rules *Rules) Forget(files []string) {
	rules.rules = slices.DeleteFunc(rules.rules, func(r *Rule) bool {
		gone := slices.Contains(files, r.Text.Name)
		if gone {
			rules.sources.Delete(r.place())
		}
		return gone
	})
	rules.directives = slices.DeleteFunc(rules.directives, func(d Directive) bool {
		return slices.Contains(files, d.Text.Name)
	})
	rules.changed = true
}

// Source returns the label and the source of the rule at a place, "" if no rule stands there.
func (rules *Rules) Source(at syntax.Position) string {
	text, _ := rules.sources.Load(at)
	known, _ := text.(string)
	return known
}

// labelled returns the label and the head of a labelled clause as args, with the layout of both. parts holds the
// arguments of :-, --> or => unless the clause is a fact. args is nil for a clause without a label.
func labelled(read *syntax.Read) (args, parts []term.Term, layout *syntax.Layout) {
	head, layout := read.Term, read.Layout
	for _, arrow := range []term.Atom{":-", "-->", "=>"} {
		if args, is := term.Is(head, arrow, 2); is {
			head, layout, parts = args[0], layout.Arg(0), args
			break
		}
	}
	args, _ = term.Is(head, "::", 2)
	return args, parts, layout
}

// IsLabelled reports whether a clause has a label.
func IsLabelled(read *syntax.Read) bool {
	args, _, _ := labelled(read)
	return args != nil
}

// Unlabelled returns a labelled clause without its label, and its rule. It returns nil after an error.
func Unlabelled(read *syntax.Read, text Text, at syntax.Place) (plain *syntax.Read, r *Rule) {
	args, parts, layout := labelled(read)
	label, isAtom := args[0].(term.Atom)
	r = &Rule{Text: text, At: at, Label: label, body: term.True}
	head, layout := args[1], layout.Arg(1)
	if negated, is := term.Is(head, `\+`, 1); is {
		r.Against, head, layout = true, negated[0], layout.Arg(0)
	}
	name, arity, callable := term.Indicator(head)
	_, control := shapes.Control(head)
	switch _, isRule := term.Is(read.Term, ":-", 2); {
	case !isAtom:
		r.error("the label of a rule is an atom, not %s", syntax.ShowTerm(args[0]))
	case parts != nil && !isRule:
		r.error("a label stands before a clause Head :- Body, or a fact")
	case !callable || control || name == ":":
		r.error("%s cannot be the head of a labelled rule", syntax.ShowTerm(head))
	default:
		r.Pred = text.Define(code.Functor(string(name), arity))
	}
	if r.Pred == nil {
		return nil, nil
	}
	own := *read
	own.Term, own.Layout = head, layout
	if parts != nil {
		own.Term = term.New(":-", head, parts[1])
		own.Layout = &syntax.Layout{Pos: read.Layout.Pos, Args: []*syntax.Layout{layout, read.Layout.Arg(1)}}
	}
	return &own, r
}

// Add adds a rule. list is the expansion of its clause. own is the clause that replaces it, nil after an error.
// applies is the clause that says whether the rule applies. For a rule against a goal this clause is own, and applies
// is nil.
func (rules *Rules) Add(p Program, r *Rule, list []term.Term, read *syntax.Read) (own *syntax.Read, applies term.Term) {
	if len(list) != 1 {
		r.error("rule %s becomes %d clauses by expansion; a label is that of one", syntax.ShowTerm(r.Label), len(list))
		return nil, nil
	}
	head := list[0]
	if args, ok := term.Is(head, ":-", 2); ok {
		head, r.body = args[0], args[1]
	}
	for goal := range body.Goals(body.Part{Term: r.body}) {
		if goal.Term == term.Term(term.Atom("!")) {
			r.error("a cut in rule %s would keep weaker rules from being tried; "+
				"write once/1, or say which rule overrides which", syntax.ShowTerm(r.Label))
			return nil, nil
		}
	}
	for _, other := range rules.rules {
		if other.Label == r.Label && other.Text.Module == r.Text.Module {
			r.error("there is a rule %s already, at %s:%d", syntax.ShowTerm(r.Label), other.Text.Name, other.At.Line)
			return nil, nil
		}
	}
	rules.rules, rules.changed = append(rules.rules, r), true
	rules.sources.Store(r.place(), "rule "+string(r.Label))
	predicates(p, r.Text.Module)
	r.general = general(head)
	goals := []term.Term{term.New(ruleInForce, r.Label, term.NewVar(""), term.NewVar(""))}
	if r.body != term.Term(term.True) {
		goals = append(goals, r.body)
	}
	applies = term.New(":-", term.New(ruleApplies, r.Label, r.about(head)), term.Conjunction(goals...))
	if r.Against {
		return withGuards(read, applies, len(goals)), nil
	}
	goals = append(goals, term.New(`\+`, term.New(ruleDefeated, r.Label, head, term.NewVar(""), term.NewVar(""))),
		term.New(`\+`, term.New(ruleContradicted, r.Label, head)))
	return withGuards(read, term.New(":-", head, term.Conjunction(goals...)), len(goals)), applies
}

// general reports whether the arguments of a goal are different variables.
func general(goal term.Term) bool {
	c, ok := goal.(*term.Compound)
	return !ok || len(term.Variables(c)) == len(c.Args) && !slices.ContainsFunc(c.Args, func(t term.Term) bool {
		_, isVar := t.(*term.Var)
		return !isVar
	})
}

// withGuards returns a clause with a layout for the n goals of its body. The second goal has the layout of the body
// of the clause that was read. The others have the place of that clause.
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

type predicate struct {
	name  string
	arity int
}

// all holds the predicates that labelled rules need in each module.
var all = []predicate{{ruleApplies, 2}, {ruleInForce, 3}, {ruleDefeated, 4}, {ruleContradicted, 2}, {ruleWeaker, 4}}

// Labels returns the labels of the rules of each predicate, by its indicator.
func (rules *Rules) Labels() map[string][]string {
	list := map[string][]string{}
	for _, r := range rules.rules {
		about := database.FunctorText(r.Pred.Functor)
		list[about] = append(list[about], string(r.Label))
	}
	return list
}

// IsHelper reports whether a predicate with this name is made for labelled rules.
func IsHelper(name string) bool {
	return slices.ContainsFunc(all, func(p predicate) bool { return p.name == name })
}

// predicates returns the predicates of the labelled rules of a module by their names, and defines them.
func predicates(p Program, m *database.Module) map[string]*database.Pred {
	preds := map[string]*database.Pred{}
	for _, one := range all {
		preds[one.name] = m.Lookup(code.Functor(one.name, one.arity))
		p.Define(preds[one.name], database.Defined|database.Discontiguous|database.Multifile)
	}
	return preds
}

// reaches reports whether the bodies of rules lead to a predicate: directly, through clauses, or through rules that
// may defeat others. Every predicate that the body of a clause without a label names counts as called.
func (rules *Rules) reaches(from []*Rule, to *database.Pred, attackers map[*Rule][]*Rule) bool {
	seenRules, seen := map[*Rule]bool{}, map[*database.Pred]bool{}
	var preds []*database.Pred
	follow := func(m *database.Module, functor code.Cell) {
		if pred := m.Resolve(functor); pred != nil && !pred.Module.Library && !seen[pred] {
			seen[pred], preds = true, append(preds, pred)
		}
	}
	todo := slices.Clone(from)
	for len(todo)+len(preds) > 0 {
		if n := len(todo) - 1; n >= 0 {
			r := todo[n]
			todo = todo[:n]
			if seenRules[r] {
				continue
			}
			seenRules[r], todo = true, append(todo, attackers[r]...)
			body.Walk(body.Part{Term: r.body}, func(g body.Part) []body.Part {
				name, arity, ok := term.Indicator(g.Term)
				if !ok {
					return nil
				}
				follow(r.Text.Module, code.Functor(string(name), arity+g.Extra))
				return g.Arguments(r.Text.Meta(code.Functor(string(name), arity+g.Extra)))
			})
			continue
		}
		pred := preds[len(preds)-1]
		if preds = preds[:len(preds)-1]; pred == to {
			return true
		}
		own := false
		for _, r := range rules.rules {
			if r.Pred == pred {
				own, todo = true, append(todo, r)
			}
		}
		for _, c := range pred.Behind().Clauses() {
			if own || c.IsFact() {
				continue
			}
			for _, cell := range c.Own() {
				if cell.IsFunctor() {
					follow(pred.Module, cell)
				} else if cell.Tag() == code.Atom {
					follow(pred.Module, code.MakeFunctor(cell.Atom(), 0))
				}
			}
		}
	}
	return false
}
