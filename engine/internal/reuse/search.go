package reuse

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/body"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the cached result of the search for undefined predicates in a body. The result holds as long as
// all lookups of the search have the same answers.

// bodySearch is the result of the search in the body of a clause of a run. It does not change after the load that made
// it.
type bodySearch struct {
	// done says that the body was searched and all that it calls is defined. lookups and asserts are set only then.
	done    bool
	lookups []int32 // numbers of lookups of the text
	asserts []string
	// places are the layout of the body. They are nil if the body of the clause is not as it was read.
	places []packedPlace
}

// clauseSearch is the [load.Search] of the body of a clause of a run.
type clauseSearch struct {
	r            *reader
	item, clause int
}

var _ load.Search = clauseSearch{}

// searchOf returns the search in clause i of the last run.
func (r *reader) searchOf(clause int) clauseSearch {
	return clauseSearch{r, len(r.now.items) - 1, clause}
}

func (s clauseSearch) entry() *runClause { return &s.r.now.items[s.item].run.clauses[s.clause] }

// Known returns the predicates that the body asserts. ok is false if the body must be searched.
func (s clauseSearch) Known(holds func(load.Lookup) bool) (asserts []string, ok bool) {
	b := s.entry().search
	if !b.done {
		return nil, false
	}
	for _, n := range b.lookups {
		if !s.r.searches.holds(s.r.now, n, holds) {
			return nil, false
		}
	}
	return b.asserts, true
}

// Body returns the body of the clause.
func (s clauseSearch) Body() body.Part {
	k := s.entry()
	return body.Part{Term: skeleton(k.template.Body()), Layout: unpackLayout(k.search.places)}
}

// Keep caches the result of a search in the body.
func (s clauseSearch) Keep(lookups []load.Lookup, asserts []string) {
	b := &bodySearch{done: true, asserts: slices.Clone(asserts), places: s.entry().search.places}
	for _, l := range lookups {
		if n := s.r.searches.number(s.r.now, l); !slices.Contains(b.lookups, n) {
			b.lookups = append(b.lookups, n)
		}
	}
	b.lookups = slices.Clip(b.lookups)
	s.r.now.items[s.item].ownRun().clauses[s.clause].search = b
}

// searches holds the lookups of the searches in one text.
type searches struct {
	numbers map[load.Lookup]int32 // made for the first new lookup
	states  []lookupState         // by number; grown on demand
}

// lookupState says whether a lookup still has the same answer.
type lookupState int8

const (
	lookupFails lookupState = iota - 1
	lookupUnknown
	lookupHolds
)

// state returns a pointer to the state of a lookup of the text.
func (s *searches) state(t *text, n int32) *lookupState {
	if missing := len(t.lookups) - len(s.states); missing > 0 {
		s.states = append(s.states, make([]lookupState, missing)...)
	}
	return &s.states[n]
}

// holds reports whether lookup n of a text still has the same answer.
func (s *searches) holds(t *text, n int32, ask func(load.Lookup) bool) bool {
	state := s.state(t, n)
	if *state == lookupUnknown {
		*state = lookupFails
		if ask(t.lookups[n]) {
			*state = lookupHolds
		}
	}
	return *state == lookupHolds
}

// number returns the number of a lookup that has just been made, and marks its answer as valid.
func (s *searches) number(t *text, l load.Lookup) int32 {
	if s.numbers == nil {
		s.numbers = map[load.Lookup]int32{}
		for i, known := range t.lookups {
			s.numbers[known] = int32(i)
		}
	}
	n, ok := s.numbers[l]
	if !ok {
		n = int32(len(t.lookups))
		s.numbers[l] = n
		t.lookups = append(t.lookups, l)
	}
	*s.state(t, n) = lookupHolds
	return n
}

// skeleton returns a term with 0 for each number and string. A search does not need their values.
func skeleton(cells []code.Cell, root code.Cell) term.Term {
	var out term.Term
	type task struct {
		from code.Cell
		to   *term.Term
	}
	stack := []task{{root, &out}}
	for len(stack) > 0 {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		functor, first := term.Atom(term.Dot), t.from.Addr()
		arity := 2
		switch t.from.Tag() {
		case code.Atom:
			*t.to = term.Atom(code.AtomText(t.from.Atom()))
			continue
		case code.Str:
			f := cells[first]
			functor, arity, first = term.Atom(code.AtomText(f.FunctorAtom())), f.FunctorArity(), first+1
		case code.Lst:
		case code.Att:
			*t.to = term.NewVar("")
			continue
		default:
			*t.to = term.Int(0)
			continue
		}
		c := &term.Compound{Functor: functor, Args: make([]term.Term, arity)}
		*t.to = c
		for i := arity - 1; i >= 0; i-- {
			stack = append(stack, task{cells[first+i], &c.Args[i]})
		}
	}
	return out
}

// packedPlace is the place of a part of a term. The places of its args arguments follow it. It is packed because the
// cache has one for each part of a body.
type packedPlace struct{ line, column, args int32 }

// packLayout lists the places of a layout. Each place stands before the places of its arguments.
func packLayout(l *syntax.Layout) []packedPlace {
	if l == nil {
		return nil
	}
	var list []packedPlace
	stack := []*syntax.Layout{l}
	for len(stack) > 0 {
		l := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if l == nil {
			list = append(list, packedPlace{args: -1})
			continue
		}
		list = append(list, packedPlace{int32(l.Pos.Line), int32(l.Pos.Column), int32(len(l.Args))})
		for i := len(l.Args) - 1; i >= 0; i-- {
			stack = append(stack, l.Args[i])
		}
	}
	return slices.Clip(list)
}

// unpackLayout returns the layout of a list that packLayout made.
func unpackLayout(list []packedPlace) *syntax.Layout {
	var out *syntax.Layout
	stack := []**syntax.Layout{&out}
	for _, p := range list {
		to := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if p.args < 0 {
			continue
		}
		at := syntax.Place{Line: int(p.line), Column: int(p.column)}
		l := &syntax.Layout{Pos: at, Args: make([]*syntax.Layout, p.args)}
		*to = l
		for i := len(l.Args) - 1; i >= 0; i-- {
			stack = append(stack, &l.Args[i])
		}
	}
	return out
}
