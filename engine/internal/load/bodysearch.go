package load

import (
	"cmp"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/lib"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines what is kept of the search for undefined predicates in a body, so that it
// need not be searched again as long as the predicates that it asked about are what they were.

// bodySearch is what the search in the body of a kept clause has come to. Once the load that
// searched has ended it does not change.
type bodySearch struct {
	// done says that what follows is known: all that the body calls is defined.
	done    bool
	looks   []int32 // of the text
	asserts []string
	// places are the layout of the body as it was read, nil if that is not the body of the clause.
	places []packedPlace
}

// keptBody says which clause a body belongs to; text is nil when that is not kept.
type keptBody struct {
	text         *reading
	item, clause int
}

func (k *keptBody) stretch() *stretch   { return k.text.items[k.item].stretch }
func (k *keptBody) search() *bodySearch { return k.stretch().clauses[k.clause].search }

// look is a question about a predicate that a goal calls, with the answer that it is defined and
// how its arguments are called. functor 0 stands for the answer that there is no such module.
type look struct {
	module  string
	functor code.Cell
	extra   int8 // arguments that the goal is called with besides its own
	spec    string
}

// look answers the question: the specification of the predicate, and whether it is defined.
func (p *Program) look(m *database.Module, l look) (spec string, found bool) {
	pred := m.Resolve(l.functor)
	if pred == nil {
		pred, _ = p.Autoload(l.functor, true)
	}
	if pred == nil {
		return "", false
	}
	name, arity := code.AtomText(l.functor.FunctorAtom()), l.functor.FunctorArity()
	return cmp.Or(pred.Meta, lib.Meta(name, arity), goalArguments[lib.Indicator{Name: name, Arity: arity - int(l.extra)}]), true
}

// holds reports whether the answer is what it was.
func (p *Program) holds(l look) bool {
	m := p.db.FindModule(l.module)
	if m == nil || l.functor == 0 {
		return m == nil && l.functor == 0
	}
	spec, found := p.look(m, l)
	return found && spec == l.spec
}

// knownLooks is what a search knows of the questions of one text.
type knownLooks struct {
	numbers map[look]int32 // made when a new one comes
	hold    []int8         // 1: it holds, -1: it does not, 0: nobody has asked yet
}

func (s *search) looksOf(text *reading) *knownLooks {
	k := s.known[text]
	if k == nil {
		if s.known == nil {
			s.known = map[*reading]*knownLooks{}
		}
		k = &knownLooks{hold: make([]int8, len(text.looks))}
		s.known[text] = k
	}
	return k
}

// number returns the number of a question that has just been answered so.
func (k *knownLooks) number(text *reading, l look) int32 {
	if k.numbers == nil {
		k.numbers = map[look]int32{}
		for i, known := range text.looks {
			k.numbers[known] = int32(i)
		}
	}
	n, ok := k.numbers[l]
	if !ok {
		n = int32(len(text.looks))
		k.numbers[l] = n
		text.looks, k.hold = append(text.looks, l), append(k.hold, 0)
	}
	k.hold[n] = 1
	return n
}

// isKnown reports whether a search in the body of a kept clause would come to what it came to
// before, which it then takes over.
func (s *search) isKnown(n bodyNote) bool {
	b := n.kept.search()
	if !b.done {
		return false
	}
	k := s.looksOf(n.kept.text)
	for _, i := range b.looks {
		if k.hold[i] == 0 {
			k.hold[i] = -1
			if s.p.holds(n.kept.text.looks[i]) {
				k.hold[i] = 1
			}
		}
		if k.hold[i] < 0 {
			return false
		}
	}
	for _, indicator := range b.asserts {
		s.asserted[indicator] = true
	}
	return true
}

// begin begins the search in a body.
func (s *search) begin(n bodyNote) (term.Term, *syntax.Layout) {
	s.noted = nil
	if n.kept.text == nil {
		return n.body, n.layout
	}
	b := n.kept.search()
	s.noted, s.noting = &bodySearch{places: b.places}, n.kept.text
	if n.body != nil {
		return n.body, n.layout
	}
	return skeleton(n.kept.stretch().clauses[n.kept.clause].mold.Body()), unpackLayout(b.places)
}

// end keeps what the search has come to.
func (s *search) end(n bodyNote) {
	if s.noted == nil {
		return
	}
	s.noted.done = true
	s.noted.looks = slices.Clip(s.noted.looks)
	n.kept.text.items[n.kept.item].ownStretch().clauses[n.kept.clause].search = s.noted
}

// note notes a question and its answer.
func (s *search) note(l look) {
	if s.noted == nil {
		return
	}
	if n := s.looksOf(s.noting).number(s.noting, l); !slices.Contains(s.noted.looks, n) {
		s.noted.looks = append(s.noted.looks, n)
	}
}

// noteKept says of the body noted last where its clause is kept.
func (l *loader) noteKept(text *reading, clause int) {
	l.p.bodies[len(l.p.bodies)-1].kept = keptBody{text, len(text.items) - 1, clause}
}

// noteStretch notes the body of clause i of the last stretch.
func (l *loader) noteStretch(i int, k *keptClause) {
	text := l.again.now
	l.p.bodies = append(l.p.bodies, bodyNote{loader: l, module: l.module, at: k.at, kept: keptBody{text, len(text.items) - 1, i}})
}

// skeleton is a term as far as a search looks at it: numbers and texts in it stand for
// themselves no more.
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

// packedPlace is the place of a part of a term; those of its args arguments follow.
type packedPlace struct{ line, column, args int32 }

// packLayout lists the places of a layout, each before those of its arguments.
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
		list = append(list, packedPlace{l.Pos.Line, l.Pos.Column, int32(len(l.Args))})
		for i := len(l.Args) - 1; i >= 0; i-- {
			stack = append(stack, l.Args[i])
		}
	}
	return slices.Clip(list)
}

// unpackLayout makes the layout again.
func unpackLayout(list []packedPlace) *syntax.Layout {
	var out *syntax.Layout
	stack := []**syntax.Layout{&out}
	for _, p := range list {
		to := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if p.args < 0 {
			continue
		}
		l := &syntax.Layout{Pos: syntax.Place{Line: p.line, Column: p.column}, Args: make([]*syntax.Layout, p.args)}
		*to = l
		for i := len(l.Args) - 1; i >= 0; i-- {
			stack = append(stack, &l.Args[i])
		}
	}
	return out
}
