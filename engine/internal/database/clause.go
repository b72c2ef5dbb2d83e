package database

import (
	"slices"
	"sync/atomic"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
)

// This file defines clauses: their terms, their lifetimes and their code.

// Clause is one clause as a relocatable term. It is immutable except for its stamps and the address of its code. A
// ground fact takes little more memory than its arguments: it shares an array of cells with other facts, so a million
// facts are few objects.
type Clause struct {
	*Text
	// Line is the source line of the clause, 0 for an asserted one. It is an int32, as clauses are stored packed.
	Line int32

	at              uint32 // place of the first argument of the head in Cells
	created, erased atomic.Uint64
}

// Text is the term of a clause and its source. Ground facts share one.
type Text struct {
	Pred *Pred
	// Cells hold the term. Pointers in them are relative to their start, and variable number n
	// is the cell with tag Att and value n.
	Cells []code.Cell
	// Body is the root of the body, the atom true for a fact.
	Body code.Cell
	// NVars is the number of distinct variables.
	NVars int
	// SSU is set for Head => Body; a guard is part of Body, as ','('$guard'(G), B).
	SSU bool
	// File is the source file of the clause, "" for an asserted one.
	File string
	// Restricted is set for the rules of a restricted file, and those that a restricted rule has added.
	Restricted bool

	shared  bool // shared by several clauses; then there is no code
	guarded atomic.Bool
	addr    atomic.Uint32 // where to enter the code, 0 for none
	start   atomic.Uint32 // its place, even after nobody may enter it any more
	size    atomic.Uint32
	calls   atomic.Uint32
	lines   atomic.Pointer[[]LineEntry]
}

// LineEntry says that the code from an offset on comes from a source line. Its numbers are packed: each clause has a
// table of entries.
type LineEntry struct {
	Offset, Line int32
}

// never is the stamp of an event that has not happened.
const never = ^uint64(0)

// IsFact reports whether the clause has no body.
func (c *Clause) IsFact() bool { return c.Body == code.ATrue }

// Addr returns the address of the clause's code, or 0 when it has not been compiled.
func (c *Clause) Addr() uint32 { return c.addr.Load() }

// own gives the clause its own text. Facts are compiled while they are loaded, before anyone may call them.
func (c *Clause) own() {
	if t := c.Text; t.shared {
		c.Text = &Text{Pred: t.Pred, Cells: t.Cells, Body: t.Body, File: t.File}
	}
}

// SetGuarded says whether the clause is guarded; it is called before SetCode.
func (c *Clause) SetGuarded(on bool) {
	c.own()
	c.guarded.Store(on)
}

// Guarded reports whether the clause's code begins with tests that fail to the else register,
// before it has changed anything.
func (c *Clause) Guarded() bool { return c.guarded.Load() }

// SetCode gives the clause its code, once.
func (c *Clause) SetCode(at uint32, size int, lines []LineEntry) {
	c.own()
	c.Pred.Module.program.addSpan(c, at)
	c.size.Store(uint32(size))
	c.lines.Store(&lines)
	c.start.Store(at)
	c.addr.Store(at)
}

// NoteCall counts a call of a clause without code and returns how many there were before.
func (c *Clause) NoteCall() int { return int(c.calls.Add(1)) - 1 }

// Start returns the address of the clause's code, even after nobody may enter it any more.
func (c *Clause) Start() uint32 { return c.start.Load() }

// CodeSize returns the number of words of the clause's code.
func (c *Clause) CodeSize() int { return int(c.size.Load()) }

// Position returns the source position of the clause. It has no column.
func (c *Clause) Position() syntax.Position { return syntax.At(c.File, int(c.Line), 0) }

// PositionAt returns the file and the source line of a code address within the clause.
func (c *Clause) PositionAt(at uint32) syntax.Position { return syntax.At(c.File, c.LineAt(at), 0) }

// LineAt returns the source line of a code address within the clause.
func (c *Clause) LineAt(at uint32) int {
	line := c.Line
	if lines := c.lines.Load(); lines != nil {
		for _, e := range *lines {
			if uint32(e.Offset) > at-c.start.Load() {
				break
			}
			line = e.Line
		}
	}
	return int(line)
}

// Erased reports whether the clause is dead for everyone.
func (c *Clause) Erased() bool { return c.erased.Load() != never }

// Dead reports whether the clause is dead for those who begin now. An uncommitted transaction may have erased a clause
// for which this is false.
func (c *Clause) Dead() bool { return c.erased.Load() < uncommitted }

// HeadArg returns argument i, from 0, of the head.
func (c *Clause) HeadArg(i int) code.Cell { return c.Cells[int(c.at)+i] }

// Own returns the cells of the clause alone, as facts share an array to which others may be adding. The parts of a fact
// follow its arguments.
func (c *Clause) Own() []code.Cell {
	if !c.shared {
		return c.Cells
	}
	from, end := c.extent()
	return c.Cells[from:end]
}

// extent returns the range of the clause's cells among the cells of its text.
func (c *Clause) extent() (from, end int) {
	if !c.IsFact() || c.SSU {
		return 0, len(c.Cells)
	}
	end = int(c.at) + c.Pred.Arity()
	for i := int(c.at); i < end; i++ {
		switch v := c.Cells[i]; v.Tag() {
		case code.Str:
			end = max(end, v.Addr()+1+c.Cells[v.Addr()].FunctorArity())
		case code.Lst:
			end = max(end, v.Addr()+2)
		case code.Blob:
			end = max(end, v.Addr()+1+c.Cells[v.Addr()].BlobWords())
		case code.Hdr:
			if !v.IsFunctor() {
				i += v.BlobWords()
			}
		}
	}
	return int(c.at), end
}

// Bytes returns the approximate size of the clause in memory.
func (c *Clause) Bytes() int {
	const clauseBytes, textBytes, cellBytes = 48, 144, 8
	if c.shared {
		from, end := c.extent()
		return clauseBytes + cellBytes*(end-from)
	}
	return clauseBytes + textBytes + cellBytes*len(c.Cells)
}

// Source is the source position of a clause, if it has one. SSU says that the clause was written with =>, Restricted
// that the rule is restricted.
type Source struct {
	syntax.Position
	SSU, Restricted bool
}

// fHooks lists the predicates whose answers become clauses and goals of the program.
var fHooks = map[code.Cell]bool{code.Functor("term_expansion", 2): true, code.Functor("term_expansion", 4): true,
	code.Functor("goal_expansion", 2): true, code.Functor("goal_expansion", 4): true}

// IsHook reports whether the answers of a predicate become a part of the program. Restricted facts of such a predicate
// count as rules.
func (p *Pred) IsHook() bool { return fHooks[p.Functor] }

// NewClauseAt makes a clause that comes from a source, of the frozen term Head :- Body, and takes over its cells.
// Variables in them are references to their place; they are numbered here. The neck comes first, then the head.
func NewClauseAt(p *Pred, cells []code.Cell, root code.Cell, from Source) *Clause {
	at := root.Addr()
	head, body := cells[at+1], cells[at+2]
	nvars := number(cells)
	first := 0
	switch head.Tag() {
	case code.Str:
		first = head.Addr() + 1
	case code.Lst:
		first = head.Addr()
	}
	if body != code.ATrue || from.SSU {
		return newRule(&Text{Pred: p, Cells: cells, Body: body, NVars: nvars, SSU: from.SSU, File: from.File,
			Restricted: from.Restricted}, first, from.Line)
	}
	if p.Arity() == 0 {
		first = len(cells)
	}
	if nvars == 0 {
		return p.newFact(cells[first:], first, from)
	}
	own := make([]code.Cell, len(cells)-first)
	relocate(own, cells[first:], -first)
	return newRule(&Text{Pred: p, Cells: own, Body: body, NVars: nvars, File: from.File}, 0, from.Line)
}

// clauseWithText is a clause in one object with its text.
type clauseWithText struct {
	clause Clause
	text   Text
}

// newRule makes a clause with a text of its own.
func newRule(t *Text, at, line int) *Clause {
	both := &clauseWithText{}
	both.text.Pred, both.text.Cells, both.text.Body = t.Pred, t.Cells, t.Body
	both.text.NVars, both.text.SSU, both.text.File, both.text.Restricted = t.NVars, t.SSU, t.File, t.Restricted
	c := &both.clause
	c.Text, c.at, c.Line = &both.text, uint32(at), int32(line)
	c.erased.Store(never)
	return c
}

// number turns references into variable numbers, in the order of their places, and returns how many there are.
func number(cells []code.Cell) int {
	var few [16]int // places by number, if there are few
	places, numbers := few[:0], map[int]int(nil)
	for i := 0; i < len(cells); i++ {
		v := cells[i]
		if v.Tag() == code.Hdr && !v.IsFunctor() {
			i += v.BlobWords()
		}
		if v.Tag() != code.Ref {
			continue
		}
		n, ok := 0, false
		if numbers != nil {
			n, ok = numbers[v.Addr()]
		} else {
			n, ok = indexOf(places, v.Addr())
		}
		if !ok {
			n = len(places)
			places = append(places, v.Addr())
			numbers = noteNumber(numbers, places)
		}
		cells[i] = code.MakeAtt(n)
	}
	return len(places)
}

func indexOf(places []int, at int) (int, bool) {
	for n, place := range places {
		if place == at {
			return n, true
		}
	}
	return 0, false
}

// noteNumber adds a map of places when the list has become long.
func noteNumber(numbers map[int]int, places []int) map[int]int {
	const long = 16
	if len(places) < long {
		return nil
	}
	if numbers == nil {
		numbers = map[int]int{}
		for n, at := range places {
			numbers[at] = n
		}
	}
	numbers[places[len(places)-1]] = len(places) - 1
	return numbers
}

// relocate copies cells to another place; pointers in them move by n cells.
func relocate(to, from []code.Cell, n int) {
	for i := 0; i < len(from); i++ {
		v := from[i]
		switch v.Tag() {
		case code.Str, code.Lst, code.Blob:
			v += code.Cell(n) << 3
		case code.Hdr:
			if !v.IsFunctor() {
				words := v.BlobWords()
				copy(to[i+1:], from[i+1:i+1+words])
				to[i] = v
				i += words
				continue
			}
		}
		to[i] = v
	}
}

// facts is the place for the next ground facts of a predicate.
type facts struct {
	text    *Text
	used    int
	clauses []Clause // still unused
}

// The largest numbers of facts that share an array. They are large for facts of a file, which stay, and small for
// asserted facts, as one live fact keeps the whole array. They are smaller for large facts, as unused room is charged
// to no run.
const (
	manyRead     = 1024
	manyAsserted = 16
	manyCells    = 1 << 13
)

// newFact makes a clause of a ground fact. Its arguments and their parts are cells, which were at address from.
func (p *Pred) newFact(cells []code.Cell, from int, source Source) *Clause {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.facts
	if f == nil || len(f.clauses) == 0 || f.used+len(cells) > len(f.text.Cells) || f.text.File != source.File {
		f = p.openFacts(len(cells), source.File)
	}
	c := &f.clauses[0]
	f.clauses = f.clauses[1:]
	c.Text, c.at, c.Line = f.text, uint32(f.used), int32(source.Line)
	c.erased.Store(never)
	relocate(f.text.Cells[f.used:], cells, f.used-from)
	f.used += len(cells)
	return c
}

// openFacts begins a new array, for the expected number of facts of this size.
func (p *Pred) openFacts(size int, file string) *facts {
	n := min(len(p.all.list())+4, manyAsserted)
	if file != "" {
		n = min(len(p.all.list())/4+4, manyRead)
	}
	n = max(1, min(n, manyCells/max(1, size)))
	p.facts = &facts{clauses: make([]Clause, n), text: &Text{Pred: p, Cells: make([]code.Cell, n*size), Body: code.ATrue,
		File: file, shared: true}}
	return p.facts
}

// NewFact makes a clause of a fact of a file whose arguments are atoms and small integers.
func (p *Pred) NewFact(args []code.Cell, from Source) *Clause { return p.newFact(args, 0, from) }

// This part defines the stored form of the clauses of a text, so that later programs need not lay them out again. The
// cells are shared: they never change.

// Template is a clause without its program.
type Template struct {
	cells    []cell
	body     cell
	nvars    int32
	at, line int32
	ssu      bool
	shared   bool
	// restricted is that of the clause.
	restricted bool
	file       string
}

// Template returns the template of a clause.
func (c *Clause) Template() Template {
	return Template{cells: c.Cells, body: c.Body, nvars: int32(c.NVars), at: int32(c.at), line: c.Line, ssu: c.SSU,
		shared: c.shared, restricted: c.Restricted, file: c.File}
}

// Body returns the cells that contain the body of the clause, and its root.
func (m *Template) Body() (cells []code.Cell, root code.Cell) { return m.cells, m.body }

// Block has room for clauses made from templates, in one piece of memory.
type Block []clauseWithText

// Make makes the next clause of a block. It does not add it to its predicate.
func (b *Block) Make(m *Template, p *Pred) *Clause {
	if len(*b) == 0 {
		*b = make(Block, 1)
	}
	both := &(*b)[0]
	*b = (*b)[1:]
	c, t := &both.clause, &both.text
	t.Pred, t.Cells, t.Body, t.NVars, t.SSU, t.File, t.shared = p, m.cells, m.body, int(m.nvars), m.ssu, m.file, m.shared
	t.Restricted = m.restricted
	c.Text, c.at, c.Line = t, uint32(m.at), m.line
	c.erased.Store(never)
	return c
}

// FactTemplates holds the templates of consecutive ground facts of one predicate in a file.
type FactTemplates struct {
	file   string
	arrays []factArray
	count  int
	object atomic.Pointer[Object]
}

// factArray is the cells of some facts, and their places.
type factArray struct {
	cells []cell
	facts []factPlace
}

type factPlace struct{ at, line int32 }

// NewFactTemplates returns an empty list for the facts of a file.
func NewFactTemplates(file string) *FactTemplates { return &FactTemplates{file: file} }

// AddCells adds a fact whose arguments and their parts are cells, with addresses relative to the first cell.
func (f *FactTemplates) AddCells(cells []code.Cell, line int) {
	n := len(f.arrays) - 1
	if n < 0 || cap(f.arrays[n].cells)-len(f.arrays[n].cells) < len(cells) {
		room := 16 * len(cells)
		if n >= 0 {
			room = max(min(2*cap(f.arrays[n].cells), manyCells), len(cells))
		}
		f.arrays = append(f.arrays, factArray{make([]cell, 0, room), make([]factPlace, 0, room/len(cells))})
		n++
	}
	a := &f.arrays[n]
	at := len(a.cells)
	a.cells = a.cells[:at+len(cells)]
	relocate(a.cells[at:], cells, at)
	a.facts = append(a.facts, factPlace{int32(at), int32(line)})
	f.count++
}

// EndPart makes the next fact begin a new array. It returns the number of arrays.
func (f *FactTemplates) EndPart() int {
	n := len(f.arrays)
	if n > 0 && len(f.arrays[n-1].cells) < cap(f.arrays[n-1].cells) {
		a := &f.arrays[n-1]
		a.cells, a.facts = slices.Clip(slices.Clone(a.cells)), slices.Clip(slices.Clone(a.facts))
	}
	return n
}

// AddPart adds the facts in the arrays numbered from to to-1 of another list. It adds down to their line numbers.
func (f *FactTemplates) AddPart(of *FactTemplates, from, to, down int) {
	for _, a := range of.arrays[from:to] {
		if down != 0 {
			a.facts = slices.Clone(a.facts)
			for i := range a.facts {
				a.facts[i].line += int32(down)
			}
		}
		f.arrays = append(f.arrays, a)
		f.count += len(a.facts)
	}
}

// Len returns the number of facts.
func (f *FactTemplates) Len() int { return f.count }

// InArray reports whether a clause is a ground fact, which shares an array of cells with others.
func (c *Clause) InArray() bool { return c.shared && len(c.Cells) > 0 }

// Add adds a clause. It returns false if the clause is not in an array.
func (f *FactTemplates) Add(c *Clause) bool {
	if !c.InArray() {
		return false
	}
	n := len(f.arrays) - 1
	if n < 0 || &f.arrays[n].cells[0] != &c.Cells[0] {
		f.arrays = append(f.arrays, factArray{cells: c.Cells})
		n++
	}
	f.arrays[n].facts = append(f.arrays[n].facts, factPlace{int32(c.at), c.Line})
	f.file = c.File
	f.count++
	return true
}

// Are reports whether some clauses are exactly these facts, in this order.
func (f *FactTemplates) Are(list []*Clause) bool {
	if f == nil || len(list) != f.count {
		return false
	}
	for i := range f.arrays {
		a := &f.arrays[i]
		for j, c := range list[:len(a.facts)] {
			if !c.InArray() || &c.Cells[0] != &a.cells[0] || int32(c.at) != a.facts[j].at {
				return false
			}
		}
		list = list[len(a.facts):]
	}
	return true
}

// Object is the code that selects among the clauses of a predicate, before it has a place. It does not change.
type Object struct {
	Entry  [EntryWords]code.Instr
	Code   []code.Instr
	PredAt []int // the instructions with the number of the predicate
	Labels []int // where in Code they are
	Halves []Half
}

// Half is a half word that holds a label. At is an index of the code, or -1-i for word i of the entry.
type Half struct{ At, Shift, Label int }

// Object returns the object set by SetObject, or nil.
func (f *FactTemplates) Object() *Object { return f.object.Load() }

// SetObject stores the code that selects among the facts, which is the same in all programs.
func (f *FactTemplates) SetObject(o *Object) { f.object.Store(o) }

// SetFacts sets the templates from which the predicate may have been made. The loader calls SetFacts, the linker Facts.
func (p *Pred) SetFacts(f *FactTemplates) { p.templates = f }

// Facts returns the templates set by SetFacts, or nil.
func (p *Pred) Facts() *FactTemplates { return p.templates }

// AddStaticFacts adds facts to a predicate, alive at all generations.
func (p *Program) AddStaticFacts(pred *Pred, f *FactTemplates) {
	list := make([]*Clause, 0, f.count)
	for i := range f.arrays {
		a := &f.arrays[i]
		text := &Text{Pred: pred, Cells: a.cells, Body: code.ATrue, File: f.file, shared: true}
		block := make([]Clause, len(a.facts))
		for j := range block {
			c, from := &block[j], a.facts[j]
			c.Text, c.at, c.Line = text, uint32(from.at), from.line
			c.erased.Store(never)
			list = append(list, c)
		}
	}
	pred.mu.Lock()
	defer pred.mu.Unlock()
	pred.all.addAll(list)
	pred.loads.Add(1)
}

// addAll adds clauses at the end.
func (s *set) addAll(list []*Clause) {
	if s.plan.Load() == nil {
		if old := s.list(); len(old) > 0 {
			list = append(append(make([]*Clause, 0, len(old)+len(list)), old...), list...)
		}
		s.setList(list)
		return
	}
	for _, c := range list {
		s.add(c, false)
	}
}
