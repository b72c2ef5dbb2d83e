package engine

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/convert"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/values"
)

// This file defines answers, their conversion to Go values, and their text, as the prompt of SWI-Prolog shows it or
// with numbered variables.

// Solution is one answer: values for the variables of the query.
type Solution struct {
	names    []string
	values   []Term
	residual []Term // suspended goals, if [RunOptions.Residual] asks for them
	// undefined says that the answer is undefined, see Undefined.
	undefined bool
	// found is false in the zero value, which is not an answer.
	found bool
}

// Undefined reports whether the answer is neither true nor false: it depends on a negation of tables that the
// well-founded semantics leaves undefined. See [Run.Undefined] for a goal without answers.
func (s Solution) Undefined() bool { return s.undefined }

// Names returns the names of the variables in the order of the query's text.
func (s Solution) Names() []string { return append([]string(nil), s.names...) }

// Values returns the values of the variables in the order of Names. The slice must not be changed.
func (s Solution) Values() []Term { return s.values }

// Get returns the value of a variable, or nil if the query has no variable of this name. A value may be an unbound
// variable.
func (s Solution) Get(name string) Term {
	for i, n := range s.names {
		if n == name {
			return s.values[i]
		}
	}
	return nil
}

// Text returns the value of a variable as write/1 shows it, or "" if there is no such variable.
func (s Solution) Text(name string) string {
	t := s.Get(name)
	if t == nil {
		return ""
	}
	return inspect.FormatText(t)
}

// String shows the answer as X = 1, Y = a. An answer without variables is shown as true. An undefined answer also shows
// the word undefined.
func (s Solution) String() string {
	var b strings.Builder
	for i, name := range s.names {
		if v, ok := s.values[i].(*term.Var); ok && v.Name == "" && strings.HasPrefix(name, "_") {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString(name + " = " + FormatTerm(s.values[i]))
	}
	switch {
	case s.undefined && b.Len() > 0:
		b.WriteString(", undefined")
	case s.undefined:
		return "undefined"
	case b.Len() == 0 && s.found:
		return "true"
	case b.Len() == 0:
		return "no answer"
	}
	return b.String()
}

// Scan stores the values of the variables in dest, which is a pointer to a struct, a map with string keys, or a pointer
// to such a map. A field of the struct takes the variable of its name, or of the name in its tag prolog:"X". A map
// takes all variables. A field without a variable in the query is an error, unless it has the option omitempty or the
// tag prolog:"-". See [Convert] for the types of fields and map values, and for the error.
func (s Solution) Scan(dest any) error { return convert.Variables(s.names, s.values, dest) }

// FormatAnswer returns a solution of p as the prompt of SWI-Prolog shows it, without the final dot. It has a line for
// each bound variable. Unbound variables have names. An answer without bindings is true.
func (p inner) FormatAnswer(s Solution) string { return p.formatAnswer(s, 0, nil, nil) }

// FormatAnswer returns the solution that Next has found as FormatAnswer does. brief cuts terms at the depth given by
// the flag answer_write_options. If mode/2 or facts/3 declares a value as a decimal, a date or the like, a comment
// shows its text: X = 3r10 /* 0.30 */. FormatAnswer counts as a part of the run: the context, Cancel and the time limit
// end it, and its errors are those of Next.
func (r *Run) FormatAnswer(ctx context.Context, brief bool) (text string, err error) {
	defer r.recovered(&err)
	if r.m == nil {
		return "", errClosed
	}
	depth := 0
	if options, ok := term.Slice(r.io.Flag("answer_write_options")); ok && brief {
		for _, option := range options {
			if args, ok := term.Is(option, "max_depth", 1); ok {
				n, _ := args[0].(term.Int)
				depth = int(min(max(n, 0), math.MaxInt32))
			}
		}
	}
	if err := r.m.Within(ctx, func() { text = r.p.formatAnswer(r.found, depth, r.types(), r.m.Meter()) }); err != nil {
		return "", r.wrap(ctx, err)
	}
	return text, nil
}

// FormatValues returns the values of the variables of the solution that Next has found as FormatTogether does in module
// user. Variables whose names begin with _ are left out. FormatValues counts as a part of the run, as FormatAnswer
// does.
func (r *Run) FormatValues(ctx context.Context) (list map[string]string, err error) {
	defer r.recovered(&err)
	if r.m == nil {
		return nil, errClosed
	}
	var names []string
	var terms []Term
	for i, name := range r.found.names {
		if !strings.HasPrefix(name, "_") {
			names, terms = append(names, name), append(terms, r.found.values[i])
		}
	}
	var texts []string
	if err := r.m.Within(ctx, func() { texts = r.p.formatTogether("", terms, r.m.Meter()) }); err != nil {
		return nil, r.wrap(ctx, err)
	}
	list = map[string]string{}
	for i, text := range texts {
		list[names[i]] = text
	}
	return list, nil
}

// types maps the names of the goal's variables to the types of package values that the goal's predicates declare for
// them.
func (r *Run) types() map[string]Term {
	types := map[string]Term{}
	for goals := []Term{r.goal}; len(goals) > 0; {
		c, ok := goals[len(goals)-1].(*term.Compound)
		if goals = goals[:len(goals)-1]; !ok {
			continue
		}
		if c.Functor == "," && len(c.Args) == 2 {
			goals = append(goals, c.Args...)
			continue
		}
		module, head, err := r.p.qualified(r.module, c)
		if c, ok = head.(*term.Compound); err != nil || !ok {
			continue
		}
		pred := module.Resolve(code.Functor(string(c.Functor), len(c.Args)))
		if pred == nil || pred.Module.Library {
			continue
		}
		for i, typ := range r.p.loaded.Advice(pred).Types {
			if v, isVar := c.Args[i].(*term.Var); isVar && typ != nil {
				types[v.Name] = typ
			}
		}
	}
	return types
}

// digits is the text of a value of a type of package values, or of a list of such values. It is "" if there is no such
// text or it is too long.
func digits(value, typ Term) string {
	const most = 200
	of, ok := term.Is(typ, "list", 1)
	if !ok {
		exact, _ := values.Of(typ)
		text, _ := exact.Exact(value)
		return text
	}
	items, _ := term.Slice(value)
	var texts []string
	for _, item := range items[:min(len(items), most)] {
		texts = append(texts, digits(item, of[0]))
	}
	text := "[" + strings.Join(texts, ", ") + "]"
	if len(items) == 0 || len(text) > most || slices.Contains(texts, "") {
		return ""
	}
	return text
}

// showFact is the text of a fact, in which decimals, dates and the like are written as their texts.
func (p *Program) showFact(pred *database.Pred, fact Term) string {
	c, ok := fact.(*term.Compound)
	types := p.loaded.Advice(pred).Types
	if !ok || types == nil {
		return inspect.ShowTerm(fact)
	}
	texts := make([]string, len(c.Args))
	for i, arg := range c.Args {
		if types[i] != nil {
			texts[i] = digits(arg, types[i])
		}
		if texts[i] == "" {
			texts[i] = inspect.ShowTerm(arg)
		}
	}
	return inspect.ShowTerm(c.Functor) + "(" + strings.Join(texts, ", ") + ")"
}

// formatAnswer is FormatAnswer cut at a depth, where 0 means no cut. meter is a meter of package syntax, or nil. types
// are the types of variables whose texts are shown in comments.
func (p *Program) formatAnswer(s Solution, depth int, types map[string]Term, meter func(n int)) string {
	groups, names := groupNames(s)
	shown := make([]Term, 0, len(groups))
	for _, g := range groups {
		g.value = untie(g.value, g.names[len(g.names)-1], names)
		shown = append(shown, g.value)
	}
	head, waiting := p.undefinedText(s.residual, meter)
	residual, stored := plainGoals(waiting)
	shown = append(shown, residual...)
	o := &syntax.WriteOptions{Quoted: true, NumberVars: true, SpaceArgs: true, Cycles: true, Ops: p.db.User().Ops,
		Priority: 699, MaxBytes: syntax.MaxText, MaxDepth: depth, Meter: meter}
	if len(shown) > 0 {
		o.VarNames = syntax.NameVariables(term.List(shown...), names, "_", meter)
	}
	var lines []string
	for _, g := range groups {
		text := g.text(o)
		for _, name := range g.names {
			if own := digits(g.value, types[name]); own != "" && !strings.HasSuffix(text, " = "+own) {
				text += " /* " + own + " */"
				break
			}
		}
		if text != "" {
			lines = append(lines, text)
		}
	}
	o.Priority = 999
	for i, goal := range residual { // a goal suspended on two variables occurs twice
		if text := syntax.Format(p.plainGoal(goal), o); i < stored || !slices.Contains(lines, text) {
			lines = append(lines, text)
		}
	}
	switch {
	case s.undefined:
		lines = append(lines, "undefined")
	case len(lines) == 0:
		return "true"
	}
	return head + strings.Join(lines, ",\n")
}

// undefinedText returns the text of the clauses that leave an answer undefined, and the suspended goals. In residual
// the clauses come before the goals.
func (p *Program) undefinedText(residual []Term, meter func(n int)) (text string, waiting []Term) {
	if len(residual) == 0 {
		return "", residual
	}
	args, ok := term.Is(residual[0], "$undefined", 1)
	if !ok {
		return "", residual
	}
	clauses, _ := term.Slice(args[0])
	for i, clause := range p.formatTogether("user", clauses, meter) {
		if parts, ok := term.Is(clauses[i], ":-", 2); ok {
			goals, _ := term.Conjuncts(parts[1])
			both := p.formatTogether("user", append([]Term{parts[0]}, goals...), meter)
			clause = both[0] + " :-\n        " + strings.Join(both[1:], ",\n        ")
		}
		text += "    " + clause + ".\n"
	}
	if text != "" {
		text = "% WFS residual program\n" + text
	}
	return text, residual[1:]
}

// plainGoals returns residual goals and how many of them, the first ones, are stored constraints: '$stored'(Goal).
func plainGoals(residual []Term) (goals []Term, stored int) {
	goals = slices.Clone(residual)
	for stored < len(goals) {
		args, ok := term.Is(goals[stored], "$stored", 1)
		if !ok {
			break
		}
		goals[stored] = args[0]
		stored++
	}
	return goals, stored
}

// plainGoal returns a goal without its module if it means the same in user.
func (p *Program) plainGoal(goal Term) Term {
	args, ok := term.Is(goal, ":", 2)
	if !ok {
		return goal
	}
	module, _ := args[0].(term.Atom)
	name, arity, ok := term.Indicator(args[1])
	if !ok {
		return goal
	}
	pred := p.db.User().Resolve(code.Functor(string(name), arity))
	if module == "user" || pred != nil && pred.Module.Name == string(module) {
		return args[1]
	}
	return goal
}

// nameGroup is a group of a query's variables with the same value.
type nameGroup struct {
	names []string
	value Term
}

// groupNames groups variables with the same value. It names an unbound variable after the first variable of the query
// that has it as its value.
func groupNames(s Solution) ([]*nameGroup, map[*term.Var]string) {
	var groups []*nameGroup
	names := map[*term.Var]string{}
	byVar := map[*term.Var]*nameGroup{}
	for i, name := range s.names {
		v, unbound := s.values[i].(*term.Var)
		if unbound && byVar[v] != nil {
			byVar[v].names = append(byVar[v].names, name)
			continue
		}
		g := &nameGroup{names: []string{name}, value: s.values[i]}
		if same := sameValue(groups, s.values[i]); same != nil {
			same.names = append(same.names, name)
			continue
		}
		if unbound {
			byVar[v], names[v] = g, name
		}
		groups = append(groups, g)
	}
	return groups, names
}

// maxCompare bounds the size of terms that are compared to find equal values.
const maxCompare = 10_000

// sameValue returns the group whose compound value equals v, or nil.
func sameValue(groups []*nameGroup, v Term) *nameGroup {
	if _, ok := v.(*term.Compound); !ok || len(groups) > 100 || !smaller(v, maxCompare) {
		return nil
	}
	for _, g := range groups {
		if _, ok := g.value.(*term.Compound); ok && smaller(g.value, maxCompare) && term.Compare(g.value, v) == 0 {
			return g
		}
	}
	return nil
}

// text is X = Y, Y = value, or "" for a variable that is its own value.
func (g *nameGroup) text(o *syntax.WriteOptions) string {
	names := g.names
	if _, unbound := g.value.(*term.Var); !unbound {
		names = append(names[:len(names):len(names)], syntax.Format(g.value, o))
	}
	parts := make([]string, 0, len(names))
	for i := 1; i < len(names); i++ {
		parts = append(parts, names[i-1]+" = "+names[i])
	}
	return strings.Join(parts, ", ")
}

// untie replaces the arguments of a compound that are the compound itself by a variable, so that X = f(X) is shown as
// it was written.
func untie(t Term, name string, names map[*term.Var]string) Term {
	c, ok := t.(*term.Compound)
	if !ok || !slices.Contains(c.Args, t) {
		return t
	}
	v := term.NewVar(name)
	names[v] = name
	args := slices.Clone(c.Args)
	for i := range args {
		if args[i] == t {
			args[i] = v
		}
	}
	return &term.Compound{Functor: c.Functor, Args: args}
}

// FormatNumbered writes a term as [Program.FormatTerm] does in module user. Its variables are _1, _2 and so on, in the
// order of their occurrence.
func (p inner) FormatNumbered(t Term) string { return p.FormatTogether("", t)[0] }

// FormatTogether writes terms as [Program.FormatTerm] does in a module. Their variables are _1, _2 and so on, in the
// order of their occurrence. A variable that two terms share has one name.
func (p inner) FormatTogether(module string, terms ...Term) []string {
	return p.formatTogether(module, terms, nil)
}

// formatTogether is FormatTogether with a meter of package syntax, which may be nil.
func (p *Program) formatTogether(module string, terms []Term, meter func(n int)) []string {
	m := p.module(module)
	o := &syntax.WriteOptions{Quoted: true, NumberVars: true, Ops: m.Ops, Cycles: true, MaxBytes: syntax.MaxText,
		Meter: meter, VarNames: syntax.NumberedVariables(term.List(terms...), meter)}
	texts := make([]string, len(terms))
	for i, t := range terms {
		texts[i] = syntax.Format(t, o)
	}
	return texts
}
