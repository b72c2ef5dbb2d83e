package load

import (
	"github.com/mcplogic/mcplogic/engine/internal/body"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/lib"
)

// This file defines how the search for undefined predicates asks about predicates, and how it caches its result for a
// body.

// Search caches the result of the search for undefined predicates in one body.
type Search interface {
	// Known returns the predicates that the body asserts. ok is false if the body must be searched. holds reports
	// whether a lookup still has the same answer.
	Known(holds func(Lookup) bool) (asserts []string, ok bool)
	// Body returns the body of a clause that is not parsed.
	Body() body.Part
	// Keep caches the result for a body whose calls are all defined: the lookups of the search and the predicates
	// that the body asserts. The caller owns the slices.
	Keep(lookups []Lookup, asserts []string)
}

// Lookup is a question about a predicate that a goal calls, with its answer. The answer is that the predicate is
// defined and that Spec says how its arguments are called. Functor 0 stands for the answer that the module does not
// exist.
type Lookup struct {
	Module  string
	Functor code.Cell
	Spec    string
	// Hides is the file without a module that defines the predicate in place of the system or a library, or "".
	Hides string
}

// lookUp answers a lookup. It returns the lookup with its answer, and whether the predicate is defined.
func (p *Program) lookUp(m *database.Module, l Lookup) (answered Lookup, found bool) {
	pred := m.Resolve(l.Functor)
	if pred == nil {
		pred, _ = p.Autoload(l.Functor, true)
	}
	if pred == nil {
		return l, false
	}
	l.Spec = pred.Meta()
	if pred.Module == p.db.User() && pred.Defined() && !pred.Has(database.Multifile) && p.exporter(l.Functor) != "" {
		l.Hides = pred.File
	}
	return l, true
}

// ofOldPrograms are libraries with names that programs took from other systems long ago. A program that has such a name
// means its own.
var ofOldPrograms = map[string]bool{"backcomp": true, "edinburgh": true, "quintus": true, "shell": true, "oset": true}

// plainWords are names of the system that a program means its own data by.
var plainWords = nameSet(`apropos blob export flag help import license module name profile prompt require reset resource
rule see seeing shift skip table tell telling undo version white`)

// exporter says whose predicate a program would call that has none of its own, "" if there is none: that of the system,
// of a library that is found by itself, or of one that the program has loaded.
func (p *Program) exporter(functor code.Cell) string {
	if sys := p.db.System().Find(functor); sys != nil && sys.Defined() && !sys.Has(database.Multifile|database.Dynamic) &&
		!isHelper(sys) && !plainWords[sys.Name()] {
		return "the system"
	}
	i := lib.Indicator{Name: code.AtomText(functor.FunctorAtom()), Arity: functor.FunctorArity()}
	if name := lib.Autoload()[i]; name != "" && !ofOldPrograms[name] {
		return "library(" + name + ")"
	}
	for _, m := range p.db.Modules() {
		if m.Library && m != p.db.System() && m.IsExported(functor) && !ofOldPrograms[m.Name] {
			return "library(" + m.Name + ")"
		}
	}
	return ""
}

// holds reports whether a lookup still has the same answer.
func (p *Program) holds(l Lookup) bool {
	m := p.db.FindModule(l.Module)
	if m == nil || l.Functor == 0 {
		return m == nil && l.Functor == 0
	}
	now, found := p.lookUp(m, l)
	return found && now == l
}

// isKnown reports whether the cached result for a body still holds. If so, it adds the result to the search.
func (s *undefinedSearch) isKnown(n bodyNote) bool {
	asserts, ok := n.search.Known(s.p.holds)
	for _, indicator := range asserts {
		s.asserted[indicator] = true
	}
	return ok
}

// begin begins the search in a body.
func (s *undefinedSearch) begin(n bodyNote) body.Part {
	s.noting, s.lookups, s.asserts = n.search != nil, s.lookups[:0], s.asserts[:0]
	if n.body.Term == nil {
		return n.search.Body()
	}
	return n.body
}

// end caches the result of the search in a body.
func (s *undefinedSearch) end(n bodyNote) {
	if s.noting {
		n.search.Keep(s.lookups, s.asserts)
	}
}

// note records a lookup and its answer.
func (s *undefinedSearch) note(l Lookup) {
	if s.noting {
		s.lookups = append(s.lookups, l)
	}
}
