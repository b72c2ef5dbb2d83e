package machine

import (
	"errors"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/datalog"
)

// This file defines how tables of rules without compound terms are computed bottom up (package datalog), in place of
// calling the clauses: tabled predicates whose clauses call such predicates and facts only, and compare what those
// bind.

// rowProgram is what a tabled predicate computes, with the facts that it rests on.
type rowProgram struct {
	rules   datalog.Program
	preds   []*database.Pred // by relation: that of the clauses, or of the facts
	number  map[*database.Pred]int
	ids     map[cell]uint32
	cells   []cell // by id
	view    database.View
	marks   []database.Mark // of the predicates, at that moment
	held    int             // bytes accounted for
	shared  bool
	all     map[int]*datalog.Relation // what has been computed for calls without values, by relation
	spent   int                       // calls that the work for calls with values has been worth
	try     int                       // spent from which all calls are tried to be answered at once
	foreign bool                      // a comparison was of something that is not a small integer
}

// errNotRows says that a table cannot be computed from rows, or had better not be.
var errNotRows = errors.New("not for rows")

// The bounds of programs on rows.
const (
	maxRowArity = 8
	maxRowPreds = 64
	freeFacts   = 200_000 // that a run may look at without having done anything
)

// solveRows computes a new table from rows. It reports whether it has.
func (m *Machine) solveRows(t *table, pred *database.Pred, f frozen) (bool, error) {
	s := &m.tables
	if s.clock != nil || len(s.untabled) > 0 || !isFlatCall(f) {
		return false, nil
	}
	known, values := callPlaces(f)
	p, release, err := m.rowsFor(pred, !slices.Contains(known, true))
	defer release()
	if err != nil || p == nil {
		return false, err
	}
	err = m.answerRows(t, p, p.number[pred], known, values)
	if p.foreign || err == errNotRows {
		p.foreign = false
		t.answers.reset()
		return false, nil
	}
	for _, pred := range p.preds {
		m.tx.NoteAllAbsent(pred)
	}
	return err == nil, err
}

// isFlatCall reports whether the arguments of a frozen goal are variables, atoms and small integers.
func isFlatCall(f frozen) bool {
	if f.root.Tag() != code.Str || f.root.Addr() != 0 || !f.cells[0].IsFunctor() {
		return false
	}
	n := f.cells[0].FunctorArity()
	if n > maxRowArity || len(f.cells) != n+1 {
		return false
	}
	return !slices.ContainsFunc(f.cells[1:], func(c cell) bool {
		return c.Tag() != code.Atom && c.Tag() != code.Int && c.Tag() != code.Ref
	})
}

// callPlaces returns which arguments of a flat goal are known, and the arguments.
func callPlaces(f frozen) (known []bool, values []cell) {
	for _, c := range f.cells[1:] {
		known, values = append(known, c.Tag() != code.Ref), append(values, c)
	}
	return known, values
}

// rowsFor returns the program of a tabled predicate with its facts, or nil: that which the runs of the program share,
// which is the caller's until release, or one of the run. open says that the call has no values, so that all facts
// matter.
func (m *Machine) rowsFor(pred *database.Pred, open bool) (p *rowProgram, release func(), err error) {
	release = func() {}
	if p, ok := m.tables.rows[pred]; ok {
		if p == nil || m.isCurrent(p) {
			return p, release, nil
		}
		m.dropRows(p)
		delete(m.tables.rows, pred)
	}
	if !m.shares() || pred.Has(database.Private) {
		p, err = m.readRows(pred, open)
		return p, release, err
	}
	return m.sharedRowsFor(pred, open)
}

// readRows makes the program of a tabled predicate, or nil.
func (m *Machine) readRows(pred *database.Pred, open bool) (*rowProgram, error) {
	s := &m.tables
	p := &rowProgram{number: map[*database.Pred]int{}, ids: map[cell]uint32{}, all: map[int]*datalog.Relation{}}
	p.view = m.tx.Now()
	if s.rows == nil {
		s.rows = map[*database.Pred]*rowProgram{}
	}
	if !m.readRules(p, pred) {
		s.rows[pred] = nil
		return nil, nil
	}
	n := 0
	for _, own := range p.preds {
		n += len(own.Clauses())
	}
	if !open && s.looked+n > freeFacts+int(m.Inferences()) {
		return nil, nil
	}
	s.looked += n
	ok, err := m.readFacts(p)
	if err != nil {
		return nil, err
	}
	if !ok {
		p = nil
	}
	s.rows[pred] = p
	return p, nil
}

// isCurrent reports whether the predicates of a program are as they were.
func (m *Machine) isCurrent(p *rowProgram) bool {
	if !p.shared && p.view == m.tx.Now() {
		return true
	}
	for i, pred := range p.preds {
		if !m.tx.Unchanged(pred, p.marks[i]) {
			return false
		}
	}
	return true
}

// relation returns the number of a predicate, which it gives one.
func (p *rowProgram) relation(pred *database.Pred) (number int, isNew bool) {
	if n, ok := p.number[pred]; ok {
		return n, false
	}
	n := len(p.preds)
	p.number[pred] = n
	p.preds = append(p.preds, pred)
	p.rules.Arities = append(p.rules.Arities, pred.Arity())
	p.rules.Given = append(p.rules.Given, nil)
	return n, true
}

// id returns the number of a constant.
func (p *rowProgram) id(c cell) uint32 {
	id, ok := p.ids[c]
	if !ok {
		id = uint32(len(p.cells))
		p.ids[c] = id
		p.cells = append(p.cells, c)
	}
	return id
}

// readRules reads the clauses of a tabled predicate and of those that they call. It returns false when they are not all
// of the form that rows allow.
func (m *Machine) readRules(p *rowProgram, pred *database.Pred) bool {
	p.relation(pred)
	tabled := map[*database.Pred]bool{pred: true}
	for i := 0; i < len(p.preds); i++ {
		own := p.preds[i]
		p.marks = append(p.marks, m.tx.MarkOf(own, p.view))
		if !tabled[own] {
			continue
		}
		if own.Has(database.Dynamic|database.SSU|database.ThreadLocal) || len(own.Clauses()) == 0 || i > maxRowPreds ||
			own.Arity() > maxRowArity {
			return false
		}
		for _, c := range own.Clauses() {
			if !m.tx.Sees(c, p.view) {
				continue
			}
			r := ruleReader{m: m, p: p, c: c, tabled: tabled}
			if m.Charge(1) != nil || !r.read(i) {
				return false
			}
		}
	}
	return true
}

// ruleReader reads a clause as a rule.
type ruleReader struct {
	m      *Machine
	p      *rowProgram
	c      *database.Clause
	tabled map[*database.Pred]bool
	rule   datalog.Rule
	bound  []bool // variables that goals so far give values
}

// read adds the clause as a rule of relation rel. It returns false for a clause that is no rule over rows: with
// compound terms, with a goal that rows cannot answer, or with a variable of the head that no goal gives a value.
func (r *ruleReader) read(rel int) bool {
	r.rule.Vars = r.c.NVars
	r.bound = make([]bool, r.c.NVars)
	args, ok := r.terms(r.c.Pred.Arity(), r.c.HeadArg)
	if !ok || r.c.SSU || !r.goals(r.c.Body, r.c.Pred.Module) {
		return false
	}
	for _, t := range args {
		if t >= 0 && !r.bound[t] {
			return false
		}
	}
	r.rule.Head = datalog.Atom{Rel: rel, Args: args}
	r.p.rules.Rules = append(r.p.rules.Rules, r.rule)
	return true
}

// terms reads n arguments.
func (r *ruleReader) terms(n int, arg func(i int) cell) (list []datalog.Term, ok bool) {
	for i := range n {
		switch c := arg(i); c.Tag() {
		case code.Atom, code.Int:
			list = append(list, datalog.Const(r.p.id(c)))
		case code.Att:
			list = append(list, datalog.Term(c.Addr()))
		default:
			return nil, false
		}
	}
	return list, true
}

// goals reads a body.
func (r *ruleReader) goals(body cell, mod *database.Module) bool {
	for {
		if body == code.ATrue {
			return true
		}
		if body.Tag() != code.Str {
			return r.goal(body, mod)
		}
		at := body.Addr()
		switch f := r.c.Cells[at]; f {
		case code.FComma:
			if !r.goals(r.c.Cells[at+1], mod) {
				return false
			}
			body = r.c.Cells[at+2]
		case code.FColon:
			name := r.c.Cells[at+1]
			if name.Tag() != code.Atom {
				return false
			}
			mod, body = r.m.program.Mentioned(AtomText(name)), r.c.Cells[at+2]
		default:
			return r.goal(body, mod)
		}
	}
}

// goal adds one goal of a body: a comparison, facts, or another tabled predicate. It returns false for all else, as the
// answers would then depend on more than rows.
func (r *ruleReader) goal(goal cell, mod *database.Module) bool {
	if goal.Tag() != code.Str || !r.c.Cells[goal.Addr()].IsFunctor() {
		return false
	}
	at := goal.Addr()
	functor := r.c.Cells[at]
	args, ok := r.terms(functor.FunctorArity(), func(i int) cell { return r.c.Cells[at+1+i] })
	pred := mod.Resolve(functor)
	if !ok || pred == nil || len(args) > maxRowArity {
		return false
	}
	if pred.Builtin >= 0 || pred.Has(database.Control) {
		return r.test(functor, args)
	}
	if pred.Has(database.ModeDirected|database.Det|database.SSU|database.ThreadLocal) || !r.m.tx.Knows(pred) ||
		pred.Meta() != "" {
		return false
	}
	if pred.Has(database.Tabled) {
		pred = tabledClauses(pred)
		r.tabled[pred] = true
	}
	rel, _ := r.p.relation(pred)
	for _, t := range args {
		if t >= 0 {
			r.bound[t] = true
		}
	}
	r.rule.Body = append(r.rule.Body, datalog.Atom{Rel: rel, Args: args})
	return true
}

// test reads a comparison of two arguments that have values by then.
func (r *ruleReader) test(functor cell, args []datalog.Term) bool {
	holds, ok := rowTests[functor]
	if !ok || args[0] < 0 && args[1] < 0 {
		return false
	}
	for _, t := range args {
		if t >= 0 && !r.bound[t] {
			return false
		}
	}
	p := r.p
	r.rule.Tests = append(r.rule.Tests, datalog.Test{Left: args[0], Right: args[1], Holds: func(a, b uint32) bool {
		return holds(p, p.cell(a), p.cell(b))
	}})
	return true
}

// cell returns the constant with a number, 0 for one that only a call has.
func (p *rowProgram) cell(id uint32) cell {
	if int(id) < len(p.cells) {
		return p.cells[id]
	}
	p.foreign = true
	return 0
}

// rowTests are the comparisons that rules on rows may have.
var rowTests = map[cell]func(p *rowProgram, a, b cell) bool{
	code.Functor("==", 2):   func(_ *rowProgram, a, b cell) bool { return a == b },
	code.Functor("\\==", 2): func(_ *rowProgram, a, b cell) bool { return a != b },
	code.Functor("\\=", 2):  func(_ *rowProgram, a, b cell) bool { return a != b },
	code.Functor("<", 2):    onNumbers(func(a, b int64) bool { return a < b }),
	code.Functor(">", 2):    onNumbers(func(a, b int64) bool { return a > b }),
	code.Functor("=<", 2):   onNumbers(func(a, b int64) bool { return a <= b }),
	code.Functor(">=", 2):   onNumbers(func(a, b int64) bool { return a >= b }),
	code.Functor("=:=", 2):  onNumbers(func(a, b int64) bool { return a == b }),
	code.Functor("=\\=", 2): onNumbers(func(a, b int64) bool { return a != b }),
}

// onNumbers makes a comparison of small integers. Of anything else the clauses say what happens.
func onNumbers(holds func(a, b int64) bool) func(p *rowProgram, a, b cell) bool {
	return func(p *rowProgram, a, b cell) bool {
		if a.Tag() != code.Int || b.Tag() != code.Int {
			p.foreign = true
			return false
		}
		return holds(a.Int(), b.Int())
	}
}

// readFacts reads the facts of a program. ok is false when there are clauses of another kind.
func (m *Machine) readFacts(p *rowProgram) (ok bool, err error) {
	rows := make([][]uint32, len(p.preds))
	defined := make([]bool, len(p.preds))
	for _, r := range p.rules.Rules {
		defined[r.Head.Rel] = true
	}
	for i, pred := range p.preds {
		if defined[i] {
			continue
		}
		for n, c := range pred.Clauses() {
			if n%1024 == 0 {
				if err := m.Charge(64); err != nil {
					return false, err
				}
			}
			if !m.tx.Sees(c, p.view) {
				continue
			}
			if !c.IsFact() || c.NVars > 0 || c.SSU {
				return false, nil
			}
			for j := range pred.Arity() {
				v := c.HeadArg(j)
				if v.Tag() != code.Atom && v.Tag() != code.Int {
					return false, nil
				}
				rows[i] = append(rows[i], p.id(v))
			}
		}
	}
	for i, pred := range p.preds {
		if defined[i] {
			continue
		}
		given := datalog.NewRelation(pred.Arity(), p.domain())
		for n := 0; n < len(rows[i]); n += pred.Arity() {
			given.Add(rows[i][n : n+pred.Arity()])
		}
		given.Seal()
		p.rules.Given[i] = given
		if err := m.holdRows(p, given.Bytes()); err != nil {
			return false, err
		}
	}
	return true, m.holdRows(p, idBytes*len(p.cells))
}

// idBytes is about what a constant takes beside its rows.
const idBytes = 64

// holdRows accounts for n more bytes of a program on rows.
func (m *Machine) holdRows(p *rowProgram, n int) error {
	err := m.Hold(n)
	if err == nil {
		p.held += n
	}
	return err
}

// dropRows forgets the rows of a program.
func (m *Machine) dropRows(p *rowProgram) {
	if p != nil {
		_ = m.Hold(-p.held) // giving back cannot fail
		p.held = 0
	}
}

// domain is the number of constants, with room for those that only a call has.
func (p *rowProgram) domain() int { return len(p.cells) + maxRowArity }

// answerRows puts the rows of a relation that agree with a call into its table.
func (m *Machine) answerRows(t *table, p *rowProgram, rel int, known []bool, values []cell) error {
	ids := make([]uint32, len(values))
	strange := uint32(0)
	for i, v := range values {
		if !known[i] {
			continue
		}
		id, ok := p.ids[v]
		if !ok {
			id = p.strange(values[:i], ids, v, &strange)
		}
		ids[i] = id
	}
	if err := m.tryAll(p, rel, known); err != nil {
		return err
	}
	if all := p.all[rel]; all != nil {
		return all.Selected(known, ids, func(row []uint32) error { return m.addRow(t, p, values, known, row, true) })
	}
	found, err := m.solveGoal(p, rel, known, ids, 0)
	if err != nil || p.foreign {
		return err
	}
	if !slices.Contains(known, true) {
		found.Seal()
		p.all[rel] = found
	}
	for i := range found.Len() {
		if err := m.addRow(t, p, values, known, found.Row(i), false); err != nil {
			return err
		}
	}
	return nil
}

// tryAll computes all that a relation holds when calls with values have cost a good deal, unless that takes more than
// they have.
func (m *Machine) tryAll(p *rowProgram, rel int, known []bool) error {
	const worthTrying = 2000
	if p.all[rel] != nil || !slices.Contains(known, true) || p.spent < max(p.try, worthTrying) {
		return nil
	}
	most := p.spent
	all, err := m.solveGoal(p, rel, make([]bool, len(known)), make([]uint32, len(known)), most)
	p.try = 4 * p.spent
	if err == errNotRows && !p.foreign {
		return nil
	}
	if err == nil {
		all.Seal()
		p.all[rel] = all
	}
	return err
}

// strange returns the number of a constant of a call that the program does not have.
func (p *rowProgram) strange(before []cell, ids []uint32, v cell, n *uint32) uint32 {
	if i := slices.Index(before, v); i >= 0 {
		return ids[i]
	}
	*n++
	return uint32(len(p.cells)) + *n - 1
}

// solveGoal computes what agrees with a call. It gives up with errNotRows when that takes more than most, unless that
// is 0.
func (m *Machine) solveGoal(p *rowProgram, rel int, known []bool, ids []uint32, most int) (*datalog.Relation, error) {
	held, done := 0, 0
	found, err := datalog.Solve(&p.rules, p.domain(), rel, known, ids, datalog.Account{
		Work: func(n int) error {
			p.spent, done = p.spent+n, done+n
			if p.foreign || most > 0 && done > most {
				return errNotRows
			}
			return m.Charge(n)
		},
		Hold: func(n int) error {
			held += n
			return m.Hold(n)
		},
	})
	if found != nil && !slices.Contains(known, true) && err == nil {
		held -= found.Held() // it is kept
		p.held += found.Held()
	}
	_ = m.Hold(-held) // giving back cannot fail
	return found, err
}

// addRow adds an answer to a table. Of a whole row the places that the call knows are left out.
func (m *Machine) addRow(t *table, p *rowProgram, values []cell, known []bool, row []uint32, whole bool) error {
	tuple := m.tupleBuf[:0]
	at := 0
	for i, v := range values {
		if known[i] {
			if whole {
				at++
			}
			continue
		}
		c := p.cells[row[at]]
		at++
		if first := slices.Index(values[:i], v); first >= 0 { // the variable stands twice
			if tuple[place(values[:first], known)] != c {
				return nil
			}
			continue
		}
		tuple = append(tuple, c)
	}
	m.tupleBuf = tuple
	before := t.answers.bytes()
	t.answers.push(tuple, false)
	if n := t.answers.bytes() - before; n > 0 {
		return m.hold(t, n)
	}
	return m.chargeAnswer(t.answers.len())
}

// place returns how many different variables there are in front of a place of a call.
func place(values []cell, known []bool) int {
	n := 0
	for i, v := range values {
		if !known[i] && !slices.Contains(values[:i], v) {
			n++
		}
	}
	return n
}
