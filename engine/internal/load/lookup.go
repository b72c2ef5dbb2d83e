package load

import (
	"cmp"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/lib"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how the search for undefined predicates asks about predicates, and how what it comes to in a body
// is remembered.

// Search remembers what the search for undefined predicates in one body has come to.
type Search interface {
	// Known returns the predicates that the body asserts; ok is false if the body is to be searched. holds
	// reports whether the answer to a lookup is what it was.
	Known(holds func(Lookup) bool) (asserts []string, ok bool)
	// Body returns the body of a clause that has not been read, and its layout or nil.
	Body() (term.Term, *syntax.Layout)
	// Keep is told of a body all of whose calls are defined: what was looked up in a search in it, and which
	// predicates it asserts. The slices are the caller's.
	Keep(lookups []Lookup, asserts []string)
}

// Lookup is a question about a predicate that a goal calls, and the answer: the predicate is defined, and
// Spec says how its arguments are called. Functor 0 stands for the answer that there is no such module.
type Lookup struct {
	Module  string
	Functor code.Cell
	Extra   int8 // arguments that the goal is called with besides its own
	Spec    string
}

// lookUp answers a lookup: the specification of the predicate, and whether it is defined.
func (p *Program) lookUp(m *database.Module, l Lookup) (spec string, found bool) {
	pred := m.Resolve(l.Functor)
	if pred == nil {
		pred, _ = p.Autoload(l.Functor, true)
	}
	if pred == nil {
		return "", false
	}
	name, arity := code.AtomText(l.Functor.FunctorAtom()), l.Functor.FunctorArity()
	plain := lib.Indicator{Name: name, Arity: arity - int(l.Extra)}
	return cmp.Or(pred.Meta, lib.Meta(name, arity), goalArguments[plain]), true
}

// holds reports whether the answer to a lookup is what it was.
func (p *Program) holds(l Lookup) bool {
	m := p.db.FindModule(l.Module)
	if m == nil || l.Functor == 0 {
		return m == nil && l.Functor == 0
	}
	spec, found := p.lookUp(m, l)
	return found && spec == l.Spec
}

// isKnown reports whether a search in a body would come to what it came to before, which it then takes
// over.
func (s *undefinedSearch) isKnown(n bodyNote) bool {
	asserts, ok := n.search.Known(s.p.holds)
	for _, indicator := range asserts {
		s.asserted[indicator] = true
	}
	return ok
}

// begin begins the search in a body.
func (s *undefinedSearch) begin(n bodyNote) (term.Term, *syntax.Layout) {
	s.noting, s.lookups, s.asserts = n.search != nil, s.lookups[:0], s.asserts[:0]
	if n.body == nil {
		return n.search.Body()
	}
	return n.body, n.layout
}

// end has the search remembered.
func (s *undefinedSearch) end(n bodyNote) {
	if s.noting {
		n.search.Keep(s.lookups, s.asserts)
	}
}

// note notes a lookup and its answer.
func (s *undefinedSearch) note(l Lookup) {
	if s.noting {
		s.lookups = append(s.lookups, l)
	}
}
