package stacks

import (
	"github.com/mcplogic/mcplogic/engine/internal/arrays"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the conversion between cells and terms as Go values.

// Export returns a term as a Go value. Cycles are kept, and so is sharing in terms that would otherwise be very large.
// Variables get their heap address as ID, so two exports in the same state give a variable the same ID.
func (m *Terms) Export(c cell) term.Term { return m.ExportWith(c, nil) }

// ExportWith is Export with the given variables of earlier exports, which it extends.
func (m *Terms) ExportWith(c cell, vars map[int]*term.Var) term.Term {
	x := exporter{m: m, cells: m.Heap[:m.H], vars: vars, todo: m.exports.todo}
	t := x.export(Keep(m.Deref(c)))
	m.exports.keepTasks(x.todo)
	return t
}

// ExportAll returns terms as Go values, with one Go variable for equal variables.
func ExportAll(m *Terms, list []cell) []term.Term {
	if len(list) == 0 {
		return nil
	}
	terms := make([]term.Term, len(list))
	x := exporter{m: m, cells: m.Heap[:m.H], todo: m.exports.todo}
	for i, c := range list {
		terms[i] = x.export(Keep(m.Deref(c)))
		x.made, x.held, x.seen = 0, 0, nil
	}
	m.exports.keepTasks(x.todo)
	return terms
}

// PairVariables adds to vars the cells of the variables of a term to which a cell was exported. Variables in the cell
// may have been bound since.
func PairVariables(m *Terms, c cell, t term.Term, vars map[*term.Var]cell) {
	type pair struct {
		c cell
		t term.Term
	}
	seen := map[*term.Compound]bool{}
	for todo := []pair{{c, t}}; len(todo) > 0; {
		one := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch t := one.t.(type) {
		case *term.Var:
			if _, known := vars[t]; !known {
				vars[t] = one.c
			}
		case *term.Compound:
			if seen[t] {
				continue
			}
			seen[t] = true
			for i, arg := range t.Args {
				todo = append(todo, pair{m.Arg(m.Deref(one.c), i), arg})
			}
		}
	}
}

// UseExported calls f with a term as ExportWith returns it. f must not keep the term, as its memory is reused
// afterwards.
func UseExported(m *Terms, c cell, vars map[int]*term.Var, f func(t term.Term) error) error {
	if m.exports.inUse {
		return f(m.ExportWith(c, vars))
	}
	m.exports.inUse = true
	defer func() {
		m.exports.inUse = false
		m.exports.nodes.Reset()
	}()
	x := exporter{m: m, cells: m.Heap[:m.H], vars: vars, todo: m.exports.todo, nodes: &m.exports.nodes}
	t := x.export(Keep(m.Deref(c)))
	m.exports.keepTasks(x.todo)
	return f(t)
}

// exportRoom is memory that exports and imports reuse.
type exportRoom struct {
	todo    []exportTask
	imports []importTask
	nodes   syntax.Nodes
	inUse   bool                     // nodes are part of a term
	atoms   [exportedAtoms]term.Term // the last exported atoms, by their numbers
}

// keepTasks keeps the array of a task stack for the next export, unless a large term has made it long.
func (r *exportRoom) keepTasks(list []exportTask) {
	if cap(list) <= mostTasks {
		r.todo = list[:0]
	}
}

// exportedAtoms is the number of atoms kept as Go values, mostTasks the number of kept tasks.
const (
	exportedAtoms = 64
	mostTasks     = 64
)

// atom returns an atom as a Go value. Without this cache each conversion of its text to an interface would allocate.
func (r *exportRoom) atom(c cell) term.Term {
	text := AtomText(c)
	known := &r.atoms[c.Atom()%exportedAtoms]
	if a, ok := (*known).(term.Atom); ok && string(a) == text { // the number may have belonged to another atom
		return *known // converting a would allocate
	}
	t := exportAtom(text)
	if _, plain := t.(term.Atom); plain {
		*known = t
	}
	return t
}

// exportAtom returns the value of an atom with a text: the atom itself, or a Go value.
func exportAtom(text string) term.Term {
	if t, ok := code.OpaqueOf(text).(term.Term); ok {
		return t
	}
	return term.Atom(text)
}

// ExportSized is Export for a result that is kept. It also returns an estimate of its size in bytes.
func (m *Terms) ExportSized(c cell) (t term.Term, bytes int) {
	x := exporter{m: m, cells: m.Heap[:m.H]}
	t = x.export(Keep(m.Deref(c)))
	return t, x.held
}

// Export returns a frozen term as a Go value.
func (f Frozen) Export() term.Term {
	x := exporter{cells: f.Cells}
	return x.export(f.Root)
}

// ExportHead returns the head of a clause as a Go value. Its variables are new.
func ExportHead(c *database.Clause) term.Term {
	x := exporter{cells: c.Cells}
	return x.head(c)
}

// ExportClause returns a clause as a Go value: its head if it is a fact, else (Head :- Body).
func ExportClause(c *database.Clause) term.Term {
	x := exporter{cells: c.Cells}
	head := x.head(c)
	if c.IsFact() {
		return head
	}
	return term.New(":-", head, x.export(c.Body))
}

// ExportClauseWith returns the head and the body of a clause with some values of its variables, by their numbers.
func ExportClauseWith(c *database.Clause, values map[int]term.Term) (head, body term.Term) {
	x := exporter{cells: c.Cells, vars: map[int]*term.Var{}}
	head, body = x.head(c), x.export(c.Body)
	to := map[*term.Var]term.Term{}
	for n, v := range x.vars {
		if value := values[n]; value != nil {
			to[v] = value
		}
	}
	return term.Rename(head, to), term.Rename(body, to)
}

// head returns the head of the clause whose cells these are.
func (x *exporter) head(c *database.Clause) term.Term {
	name := term.Atom(code.AtomText(c.Pred.Functor.FunctorAtom()))
	if c.Pred.Arity() == 0 {
		return name
	}
	args := make([]term.Term, c.Pred.Arity())
	for i := range args {
		args[i] = x.export(c.HeadArg(i))
	}
	return term.New(name, args...)
}

// exporter turns cells into Go values.
type exporter struct {
	m     *Terms // nil for frozen terms
	cells []cell
	vars  map[int]*term.Var       // nil: they are in few, until they are many
	few   [fewVariables]*term.Var // number of known variables
	known int
	nodes *syntax.Nodes          // memory for compounds and variables; nil: none
	seen  map[int]*term.Compound // the values of compounds; nil: not recorded
	todo  []exportTask
	made  int // compounds
	held  int // estimate of the size in bytes of what was made
}

// exportTask is a compound whose arguments are still to be made.
type exportTask struct {
	at int
	to *term.Compound
}

// export returns the Go value of a cell. Most terms are trees, so the first attempt notes no compounds. A term that
// shares its parts, or contains itself, makes that attempt fail; the second one then finds each compound by its address
// and makes it once.
func (x *exporter) export(root cell) term.Term {
	t, ok := x.run(root)
	if !ok {
		x.todo, x.made, x.held, x.seen = nil, 0, 0, map[int]*term.Compound{}
		t, _ = x.run(root)
	}
	return t
}

// run makes the value. ok is false if the value has more compounds than the cells can hold and x does not record
// compounds: the term shares parts or is cyclic.
func (x *exporter) run(root cell) (t term.Term, ok bool) {
	t = x.one(root)
	for len(x.todo) > 0 {
		task := x.todo[len(x.todo)-1]
		x.todo = x.todo[:len(x.todo)-1]
		if x.m != nil && x.made&(pollSteps-1) == pollSteps-1 {
			x.m.PollHolding(x.held)
		}
		if x.seen == nil && 2*x.made > len(x.cells)+pollSteps {
			return nil, false
		}
		for i := range task.to.Args {
			task.to.Args[i] = x.one(x.cells[task.at+i])
		}
	}
	return t, true
}

// one returns the value of a cell; the arguments of a compound follow later.
func (x *exporter) one(c cell) term.Term {
	for c.Tag() == code.Ref {
		n := x.cells[c.Addr()]
		if n == c {
			return x.variable(c.Addr())
		}
		c = n
	}
	switch c.Tag() {
	case code.Att:
		return x.variable(c.Addr())
	case code.Atom:
		if x.m != nil {
			return x.m.exports.atom(c)
		}
		return exportAtom(AtomText(c))
	case code.Int:
		return term.Int(c.Int())
	case code.Blob:
		return x.blob(c.Addr())
	case code.Lst:
		return x.compound(c.Addr(), code.FDot, c.Addr())
	}
	return x.compound(c.Addr(), x.cells[c.Addr()], c.Addr()+1)
}

// variable returns the Go variable for the unbound variable at an address. The same address has the same variable
// throughout one export. The first few are found by a search, further ones in a map.
func (x *exporter) variable(at int) term.Term {
	v := x.vars[at]
	for i := 0; v == nil && i < x.known; i++ {
		if x.few[i].ID == int64(at) {
			v = x.few[i]
		}
	}
	if v == nil {
		v = x.nodes.Var(int64(at))
		x.note(at, v)
	}
	return v
}

// fewVariables is the number of variables that are searched linearly.
const fewVariables = 8

// note records a variable.
func (x *exporter) note(at int, v *term.Var) {
	if x.vars == nil && x.known < fewVariables {
		x.few[x.known] = v
		x.known++
		return
	}
	if x.vars == nil {
		x.vars = map[int]*term.Var{}
	}
	x.vars[at] = v
}

// blob returns the number or the string in the blob at an address, and counts its bytes.
func (x *exporter) blob(at int) term.Term {
	x.held += CellBytes * (1 + x.cells[at].BlobWords())
	switch x.cells[at].BlobKind() {
	case code.FloatBlob:
		return term.Float(floatBits(x.cells[at+1]))
	case code.StringBlob:
		return term.String(BlobText(x.cells, at))
	case code.RatioPos, code.RatioNeg:
		return term.NewRational(blobRatio(x.cells, at))
	}
	return term.NewInt(blobBig(x.cells, at))
}

// Estimates of the size of Go values, in bytes.
const (
	compoundBytes = 64
	argumentBytes = 24 // many arguments are numbers or atoms, which take further memory
)

// compound returns the compound with a functor and the arguments from args on. It leaves the arguments as tasks, so
// deep terms take no Go stack. key is the address by which shared parts are found.
func (x *exporter) compound(key int, functor cell, args int) term.Term {
	if c := x.seen[key]; c != nil {
		return c
	}
	n := functor.FunctorArity()
	c := x.nodes.Compound(term.Atom(code.AtomText(functor.FunctorAtom())), n)
	if x.seen != nil {
		x.seen[key] = c
	}
	x.made++
	x.held += compoundBytes + argumentBytes*n
	if x.todo == nil {
		x.todo = make([]exportTask, 0, 8)
	}
	x.todo = arrays.Push(x.todo, exportTask{args, c})
	return c
}

// Import builds a Go term on the heap. Equal variables of one call become one variable.
func (m *Terms) Import(t term.Term) cell { return m.ImportWith(t, nil) }

// ImportWith is Import with the cells of variables known before, which it extends; nil stands for none.
func (m *Terms) ImportWith(t term.Term, vars map[*term.Var]cell) cell {
	im := Importer{M: m, vars: vars}
	return im.Term(t)
}

// Term builds a term with the variables of the earlier ones.
func (im *Importer) Term(t term.Term) cell {
	if _, parts := t.(*term.Compound); !parts {
		return im.one(t)
	}
	im.todo, im.seen = im.M.exports.imports, nil
	root, ok := im.run(t)
	if !ok {
		im.todo, im.seen = nil, map[*term.Compound]cell{}
		root, _ = im.run(t)
	}
	if cap(im.todo) <= mostTasks {
		clear(im.todo[:cap(im.todo)])
		im.M.exports.imports = im.todo[:0]
	}
	return root
}

// importTrees is the number of compounds up to which a term is built as a tree. A larger term is built again, in case
// it shares parts or is cyclic.
const importTrees = 1 << 16

// run builds a term. ok is false when the term has more compounds than importTrees and im does not record compounds:
// the caller begins again with an importer that does.
func (im *Importer) run(t term.Term) (root cell, ok bool) {
	root = im.one(t)
	for made := 0; len(im.todo) > 0; made++ {
		im.M.PollAt(made, 0)
		if im.seen == nil && made > importTrees {
			return 0, false
		}
		task := im.todo[len(im.todo)-1]
		im.todo = im.todo[:len(im.todo)-1]
		for i, arg := range task.from.Args {
			if v, ok := arg.(*term.Var); ok {
				im.variableAt(v, task.at+i)
				continue
			}
			c := im.one(arg)
			im.M.Heap[task.at+i] = c
		}
	}
	return root, true
}

// Importer builds Go terms on a heap. Equal variables become one variable on the heap.
type Importer struct {
	M     *Terms                    // the heap
	vars  map[*term.Var]cell        // nil: they are in few, until they are many
	few   [fewVariables]importedVar // number of known variables
	known int
	seen  map[*term.Compound]cell // nil: not recorded
	todo  []importTask
}

// importedVar is a variable with its cell.
type importedVar struct {
	v *term.Var
	c cell
}

// find returns the cell of a variable.
func (im *Importer) find(v *term.Var) (cell, bool) {
	for i := range im.known {
		if im.few[i].v == v {
			return im.few[i].c, true
		}
	}
	c, ok := im.vars[v]
	return c, ok
}

// Note records the cell of a variable.
func (im *Importer) Note(v *term.Var, c cell) {
	if im.vars == nil && im.known < fewVariables {
		im.few[im.known] = importedVar{v, c}
		im.known++
		return
	}
	if im.vars == nil {
		im.vars = map[*term.Var]cell{}
	}
	im.vars[v] = c
}

// importTask is a compound on the heap whose arguments are still to be filled in.
type importTask struct {
	from *term.Compound
	at   int
}

// one returns the cell of a term. It leaves the arguments of a compound as tasks.
func (im *Importer) one(t term.Term) cell {
	m := im.M
	switch t := t.(type) {
	case term.Atom:
		return m.NewAtom(string(t))
	case *term.Opaque:
		c := m.NewAtom(string(t.Name()))
		code.HoldOpaque(string(t.Name()), t)
		return c
	case term.Int:
		return m.NewInt(int64(t))
	case *term.Big:
		return m.NewBig(t.Int())
	case *term.Rational:
		return m.NewRational(t.Rat())
	case term.Float:
		return m.NewFloat(float64(t))
	case term.String:
		return m.NewString(string(t))
	case *term.Var:
		v, ok := im.find(t)
		if !ok {
			v = m.NewVar()
			im.Note(t, v)
		}
		return v
	case *term.Compound:
		if t != nil {
			return im.compound(t)
		}
	}
	panic("a term, or a part of one, is nil")
}

// variableAt stores a variable in an argument place, which is its home if it is new.
func (im *Importer) variableAt(v *term.Var, at int) {
	c, ok := im.find(v)
	if !ok {
		c = code.MakeRef(at)
		im.Note(v, c)
	}
	im.M.Heap[at] = c
}

// compound makes the cells of a compound and leaves its arguments as tasks. Until then the arguments are small
// integers, so that a collection finds only terms.
func (im *Importer) compound(t *term.Compound) cell {
	if c, ok := im.seen[t]; ok {
		return c
	}
	m, n := im.M, len(t.Args)
	m.Room(n + 1)
	c, args := code.MakeLst(m.H), m.H
	if t.Functor != term.Dot || n != 2 {
		f := code.MakeFunctor(m.NewAtom(string(t.Functor)).Atom(), n)
		c, args = code.MakeStr(m.H), m.H+1
		m.Push(f)
	}
	for range n {
		m.Push(code.MakeInt(0))
	}
	if im.seen != nil {
		im.seen[t] = c
	}
	if im.todo == nil {
		im.todo = make([]importTask, 0, 8)
	}
	im.todo = append(im.todo, importTask{t, args})
	return c
}

// NewNumber returns a number given as a Go term.
func (m *Terms) NewNumber(t term.Term) cell { return (&Importer{M: m}).one(t) }

// Number returns a dereferenced number as a Go term: Int, *Big, *Rational or Float.
func (m *Terms) Number(c cell) term.Term { return m.number(c) }
