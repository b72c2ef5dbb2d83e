package load

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/lib"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines the search for calls of predicates that nobody defines.

// bodyNote is a loaded body and its place.
type bodyNote struct {
	loader *Loader
	module *database.Module
	at     syntax.Place // of the clause
	body   term.Term    // nil for a clause that was not parsed
	layout *syntax.Layout
	search Search // caches the result of the search in the body; nil: it is not cached
}

// noteBody records the body of a clause of the program until all texts are loaded.
func (l *Loader) noteBody(body term.Term) {
	if l.library || l.read == nil || body == term.Term(term.True) {
		return
	}
	n := bodyNote{loader: l, module: l.module, body: body, at: l.at()}
	if args, ok := term.Is(l.read.Term, ":-", 2); ok && args[1] == body {
		n.layout = l.read.Layout.Arg(1)
	}
	l.p.bodies = append(l.p.bodies, n)
}

// reportUndefined warns of calls of undefined predicates, once for each predicate. It does not warn of predicates that
// some clause asserts, because they may be defined at run time.
func (p *Program) reportUndefined() {
	s := undefinedSearch{p: p, asserted: map[string]bool{}, seen: map[string]bool{}}
	for _, n := range p.bodies {
		if n.search == nil || !s.isKnown(n) {
			s.body(n)
		}
	}
	p.bodies = nil
	p.reportExports()
	for _, u := range s.missing {
		if !s.asserted[u.indicator] {
			hint := p.Suggestion(u.module, u.name)
			u.at.Message = u.indicator + " is not defined" + hint
			p.Diagnose(u.at)
			if p.undefined == nil {
				p.undefined = map[string]UnknownCall{}
			}
			p.undefined[u.indicator] = UnknownCall{hint, u.indicator, syntax.At(u.at.File, u.at.Line, 0)}
		}
	}
}

// reportExports warns of predicates that modules of the program export and nobody defines.
func (p *Program) reportExports() {
	for _, m := range p.db.Modules() {
		if m.File == "" || m.Library {
			continue
		}
		for _, f := range m.Exports() {
			if pred := m.Resolve(f); pred == nil {
				p.Diagnose(Diagnostic{Position: syntax.At(m.File, 0, 0), Severity: SeverityWarning, Code: "export",
					Message: fmt.Sprintf("module %s exports %s, which is not defined", m.Name, functorText(f))})
			}
		}
	}
}

// UnknownCall describes an undefined predicate that the texts call.
type UnknownCall struct {
	// Hint suggests another name, as in "; did you mean b?", or is "".
	Hint string
	// Indicator is the name and arity. The position is that of the first call, without the column, as in backtraces.
	Indicator string
	syntax.Position
}

// Unknown describes an undefined predicate, given by its indicator. ok is false if no clause of the texts calls it.
func (p *Program) Unknown(culprit term.Term) (u UnknownCall, ok bool) {
	name, arity, ok := Indicator(culprit)
	if !ok {
		return UnknownCall{}, false
	}
	u, ok = p.undefined[fmt.Sprintf("%s/%d", syntax.FormatTerm(term.Atom(name)), arity)]
	return u, ok
}

// undefinedSearch collects undefined predicates.
type undefinedSearch struct {
	p        *Program
	asserted map[string]bool
	seen     map[string]bool
	missing  []undefined
	todo     []goalNote
	// The result for a body whose search is cached, as long as all that it calls is defined.
	noting  bool
	lookups []Lookup
	asserts []string
}

// undefined is a call of a predicate that is not defined.
type undefined struct {
	indicator, name string
	module          *database.Module
	at              Diagnostic
}

// goalNote is a goal to be searched. It is called with extra arguments.
type goalNote struct {
	goal   term.Term
	layout *syntax.Layout
	module *database.Module
	extra  int
}

// body searches the goals of a body and of their arguments.
func (s *undefinedSearch) body(n bodyNote) {
	body, layout := s.begin(n)
	defer s.end(n)
	s.todo = append(s.todo[:0], goalNote{body, layout, n.module, 0})
	for len(s.todo) > 0 {
		g := s.todo[len(s.todo)-1]
		s.todo = s.todo[:len(s.todo)-1]
		if args, ok := term.Is(g.goal, ":", 2); ok {
			s.qualified(g, args)
			continue
		}
		if name, arity, ok := term.Indicator(g.goal); ok {
			s.goal(n, g, string(name), arity)
		}
	}
}

// qualified searches Module:Goal.
func (s *undefinedSearch) qualified(g goalNote, args []term.Term) {
	if name, ok := args[0].(term.Atom); ok {
		if m := s.p.db.FindModule(string(name)); m != nil {
			s.todo = append(s.todo, goalNote{args[1], g.layout.Arg(1), m, g.extra})
		} else {
			s.note(Lookup{Module: string(name)})
		}
	}
}

// goal searches one goal.
func (s *undefinedSearch) goal(n bodyNote, g goalNote, name string, arity int) {
	c, _ := g.goal.(*term.Compound)
	if goals, ok := term.Control(g.goal); ok && g.extra == 0 {
		for i, part := range slices.Backward(goals) {
			s.todo = append(s.todo, goalNote{part, g.layout.Arg(i), g.module, 0})
		}
		return
	}
	if name == "!" || name[:min(1, len(name))] == "$" {
		return
	}
	lookup := Lookup{Module: g.module.Name, Functor: code.Functor(name, arity+g.extra), Extra: int8(g.extra)}
	found := false
	if lookup.Spec, found = s.p.lookUp(g.module, lookup); !found {
		s.noting = false
		s.miss(n, g, name, arity+g.extra)
		return
	}
	s.note(lookup)
	if c == nil {
		return
	}
	s.assertion(name, c)
	spec := lookup.Spec
	if name == ">>" && len(c.Args) == 2 && len(spec) > 1 {
		spec = spec[:1] + strconv.Itoa(lambdaExtra(c.Args[0], g.extra)) + spec[2:]
	}
	for i := len(c.Args) - 1; i >= 0; i-- {
		if i < len(spec) {
			s.argument(g, spec[i], c.Args[i], g.layout.Arg(i))
		}
	}
}

// lambdaExtra returns how many arguments are added to the body of a lambda expression when the expression is called
// with extra arguments: those beyond its parameters.
func lambdaExtra(parameters term.Term, extra int) int {
	if args, ok := term.Is(parameters, "/", 2); ok {
		parameters = args[1]
	}
	taken, _ := term.Slice(parameters)
	return min(max(0, extra-len(taken)), 9)
}

// goalArguments are meta_predicate specifications of predicates that are defined without one.
var goalArguments = map[lib.Indicator]string{
	{Name: "findall", Arity: 3}: "?0-", {Name: "findall", Arity: 4}: "?0-?", {Name: "forall", Arity: 2}: "00",
	{Name: "once", Arity: 1}: "0", {Name: "ignore", Arity: 1}: "0", {Name: "not", Arity: 1}: "0",
	{Name: "\\+", Arity: 1}:                "0",
	{Name: "setup_call_cleanup", Arity: 3}: "000", {Name: "call_cleanup", Arity: 2}: "00",
}

// assertion records the predicate that an assertion adds to.
func (s *undefinedSearch) assertion(name string, c *term.Compound) {
	if name != "assert" && name != "asserta" && name != "assertz" {
		return
	}
	head := c.Args[0]
	if args, ok := term.Is(head, ":-", 2); ok {
		head = args[0]
	}
	if args, ok := term.Is(head, ":", 2); ok {
		head = args[1]
	}
	if name, arity, ok := term.Indicator(head); ok {
		indicator := fmt.Sprintf("%s/%d", name, arity)
		s.asserted[indicator] = true
		s.asserts = append(s.asserts, indicator)
	}
}

// argument searches an argument as its character in the meta_predicate specification says.
func (s *undefinedSearch) argument(g goalNote, spec byte, arg term.Term, layout *syntax.Layout) {
	extra := 0
	switch {
	case spec >= '0' && spec <= '9':
		extra = int(spec - '0')
	case spec == '/':
		if extra = 2; !isNonterminal(arg) {
			return
		}
	case spec == '^':
		for args, ok := term.Is(arg, "^", 2); ok; args, ok = term.Is(arg, "^", 2) {
			arg, layout = args[1], layout.Arg(1)
		}
	default:
		return
	}
	s.todo = append(s.todo, goalNote{arg, layout, g.module, extra})
}

// isNonterminal reports whether a grammar body is a call of one nonterminal.
func isNonterminal(t term.Term) bool {
	c, ok := t.(*term.Compound)
	if !ok {
		_, isAtom := t.(term.Atom)
		return isAtom && t != term.Term(term.Nil) && t != term.Term(term.Atom("!"))
	}
	_, control := term.Control(c)
	return !control && c.Functor != term.Dot && c.Functor != term.Curly && c.Functor != "call"
}

// miss records an undefined predicate at the place of its first call.
func (s *undefinedSearch) miss(n bodyNote, g goalNote, name string, arity int) {
	indicator := fmt.Sprintf("%s/%d", syntax.FormatTerm(term.Atom(name)), arity)
	key := g.module.Name + ":" + indicator
	if s.seen[key] {
		return
	}
	s.seen[key] = true
	d := Diagnostic{Position: syntax.At(n.loader.name, n.at.Line, n.at.Column),
		Severity: SeverityWarning, Code: "undefined"}
	if g.layout != nil && g.layout.Pos.Line > 0 {
		d.Line, d.Column = g.layout.Pos.Line, g.layout.Pos.Column
	}
	d.Source = n.loader.line(d.Line)
	s.missing = append(s.missing, undefined{indicator, name, g.module, d})
}

// Suggestion returns "; did you mean ...?" for a predicate that is not defined, or "".
func (p *Program) Suggestion(module *database.Module, name string) string {
	var names []string
	same := ""
	for _, m := range []*database.Module{module, p.db.User(), p.db.System()} {
		for _, pred := range m.Preds() {
			if !pred.Defined() || pred.Name()[:min(1, len(pred.Name()))] == "$" || isEmptyTable(pred) {
				continue
			}
			names = append(names, pred.Name())
			if pred.Name() == name {
				same = fmt.Sprintf("; there is %s/%d", syntax.FormatTerm(term.Atom(name)), pred.Arity())
			}
		}
	}
	for known := range lib.Autoload() {
		names = append(names, known.Name)
		if known.Name == name && same == "" {
			same = fmt.Sprintf("; there is %s/%d", syntax.FormatTerm(term.Atom(name)), known.Arity)
		}
	}
	same = cmp.Or(same, p.exported(name))
	slices.Sort(names)
	if near := spell.Nearest(name, names); same == "" && near != "" {
		return "; did you mean " + near + "?"
	}
	return same
}

// exported returns "; there is m:p/1" for a name that a module of the program exports, or "".
func (p *Program) exported(name string) string {
	for _, m := range p.db.Modules() {
		if m.File == "" || m.Library {
			continue
		}
		for _, f := range m.Exports() {
			if pred := m.Resolve(f); pred != nil && pred.Name() == name {
				return fmt.Sprintf("; there is %s:%s/%d", syntax.FormatTerm(term.Atom(m.Name)),
					syntax.FormatTerm(term.Atom(name)), pred.Arity())
			}
		}
	}
	return ""
}
