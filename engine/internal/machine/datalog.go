package machine

import (
	"maps"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/datalog"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/relation"
)

// This file defines how package datalog computes tables of rules without compound terms bottom up, in place of calling
// the clauses. It applies to tabled predicates whose clauses only call such predicates and facts and compare the values
// that these bind.

// rowProgram holds the rules of a tabled predicate and the facts that they use.
type rowProgram struct {
	rules   datalog.Program
	preds   []*database.Pred // by relation: the predicate with its clauses or facts
	number  map[*database.Pred]int
	ids     map[cell]uint32
	cells   []cell // by id
	view    database.View
	marks   []database.Mark // of the predicates, when the program was made
	held    int             // bytes accounted for
	shared  bool
	all     map[int]*datalog.Relation // by relation: the answers of calls without values
	spent   int                       // the work spent on calls with values, in calls
	try     int                       // the value of spent from which all answers are computed at once
	strange uint32                    // the first constant number that is used for values of a call only
	refused int                       // calls that rows could not answer
	orders  map[int][]int             // by relation with modes: the argument of each column
	denials [][2]int                  // by relation of a head: the relations that its rules negate
	mutual  []int                     // relations in a cycle with the first one
	needs   []datalog.Need
	// over has the query of each relation whose facts are rows of a database table. It is nil if there is none.
	over map[int]*relation.Query
	here bool // the rules are applied here, to rows that are fetched
}

// errNotRows says that a table cannot be computed from rows, or that the clauses are cheaper.
var errNotRows = datalog.ErrUnsuitable

// The bounds of programs on rows.
const (
	maxRowArity = 8
	maxRowPreds = 64
	maxRefused  = 8
	freeFacts   = 200_000 // that a run may read before it has made any inferences
)

// solveRows computes a new table from rows. It reports whether it has done so.
func (m *Machine) solveRows(t *table, pred *database.Pred, f stacks.Frozen) (bool, error) {
	s := &m.tables
	args := flatArguments(f)
	if s.clock != nil || len(s.untabled) > 0 || args == nil {
		return false, nil
	}
	var known []bool
	for _, c := range args {
		known = append(known, c.Tag() != code.Ref)
	}
	p, release, err := m.rowsFor(pred, !slices.Contains(known, true))
	defer release()
	if err == nil && p == nil {
		how, err := m.deriveRows(t, pred, known, args)
		if err != nil || how == relation.Computed {
			return err == nil, err
		}
		if p, err = m.fetchedFor(pred, how == relation.GivenUp || !slices.Contains(known, true)); err != nil {
			return false, err
		}
	}
	if err != nil || p == nil || p.refused > maxRefused || p.rules.AsksJoined(p.number[pred], known) {
		return false, err
	}
	width := t.answers.width
	s.onRows = pred
	err = m.answerRows(t, p, p.number[pred], known, args)
	if err == nil || err == errNotRows {
		s.onRows = nil
	}
	if err == errNotRows {
		p.refused++
		t.answers.reset()
		t.answers.width = width
		return false, nil
	}
	for _, pred := range p.preds {
		m.tx.NoteAllAbsent(pred)
	}
	return err == nil, err
}

// flatArguments returns the arguments of a frozen goal if they are variables, atoms and small integers, else nil. Those
// of a table with modes stand in the order of its tuples.
func flatArguments(f stacks.Frozen) []cell {
	if f.Root.Tag() != code.Str || f.Root.Addr() != 0 || !f.Cells[0].IsFunctor() {
		return nil
	}
	at, n := 0, f.Cells[0].FunctorArity()
	if f.Cells[0] == fnModed {
		if f.Cells[2].Tag() != code.Str {
			return nil
		}
		at = f.Cells[2].Addr()
		n = f.Cells[at].FunctorArity()
	} else if len(f.Cells) != n+1 {
		return nil
	}
	args := f.Cells[at+1 : at+1+n]
	if n == 0 || n > maxRowArity || slices.ContainsFunc(args, func(c cell) bool {
		return c.Tag() != code.Atom && c.Tag() != code.Int && c.Tag() != code.Ref
	}) {
		return nil
	}
	return args
}

// rowsFor returns the program of a tabled predicate with its facts, or nil. The program is either shared by the runs,
// and then the caller's until release, or belongs to this run. open says that the call has no values, so all facts
// matter.
func (m *Machine) rowsFor(pred *database.Pred, open bool) (p *rowProgram, release func(), err error) {
	release = func() {}
	if p, ok := m.tables.rows[pred]; ok {
		if p == nil || m.isCurrent(p) {
			return p, release, nil
		}
		m.dropRows(p)
		m.tables.forget(p)
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
	p := &rowProgram{number: map[*database.Pred]int{}, ids: map[cell]uint32{}, all: map[int]*datalog.Relation{},
		orders: map[int][]int{}}
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
	ok, err := m.readFacts(p, nil)
	if err != nil {
		return nil, err
	}
	if !ok {
		s.rows[pred] = nil
		return nil, nil
	}
	for _, rel := range p.mutual {
		if s.rows[p.preds[rel]] == nil {
			s.rows[p.preds[rel]] = p
		}
	}
	return p, nil
}

// forget drops a program.
func (s *tabling) forget(p *rowProgram) {
	maps.DeleteFunc(s.rows, func(_ *database.Pred, other *rowProgram) bool { return other == p })
}

// isCurrent reports whether the predicates of a program are unchanged.
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

// relation returns the number of a predicate and assigns one if it has none.
func (p *rowProgram) relation(pred *database.Pred) (number int) {
	if n, ok := p.number[pred]; ok {
		return n
	}
	n := len(p.preds)
	p.number[pred] = n
	p.preds = append(p.preds, pred)
	p.rules.Arities = append(p.rules.Arities, pred.Arity())
	p.rules.Given = append(p.rules.Given, nil)
	p.rules.Modes = append(p.rules.Modes, nil)
	return n
}

// id returns the number of a constant.
func (p *rowProgram) id(c cell) uint32 {
	id, ok := p.ids[c]
	if !ok {
		id = uint32(len(p.cells))
		p.ids[c] = id
		p.cells = append(p.cells, c)
		if n := p.rules.Numbers; n != nil {
			n.Add(intOf(c))
		}
	}
	return id
}

// intOf returns the integer value of a constant.
func intOf(c cell) (n int64, ok bool) {
	if c.Tag() != code.Int {
		return 0, false
	}
	return c.Int(), true
}

// calculates prepares a program with arithmetic for its integers.
func (p *rowProgram) calculates() {
	if p.rules.Numbers == nil {
		p.rules.Numbers = &datalog.Numbers{}
		for _, c := range p.cells {
			p.rules.Numbers.Add(intOf(c))
		}
	}
}

// takeNumbers adds the integers that arithmetic has made to the constants.
func (m *Machine) takeNumbers(p *rowProgram) error {
	if p.rules.Numbers == nil {
		return nil
	}
	before := len(p.cells)
	for i := before; i < p.rules.Numbers.Len(); i++ {
		c := code.MakeInt(p.rules.Numbers.At(uint32(i)))
		p.ids[c] = uint32(i)
		p.cells = append(p.cells, c)
	}
	return m.holdRows(p, idBytes*(len(p.cells)-before))
}

// readRules reads the clauses of a tabled predicate and of those that they call. It returns false when they are not all
// of the form that rows allow.
func (m *Machine) readRules(p *rowProgram, pred *database.Pred) bool {
	p.relation(pred)
	if !p.readModes(0, pred.Module.Lookup(pred.Shown())) {
		return false
	}
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
			r := ruleReader{m: m, p: p, c: c, rel: i, tabled: tabled}
			if m.Charge(1) != nil || !r.read(i) || p.over != nil && len(p.rules.Rules) > maxDerivedRules {
				return false
			}
		}
	}
	for rel := range p.preds {
		if rel == 0 || tabled[p.preds[rel]] && p.rules.Reaches(0, rel) && p.rules.Reaches(rel, 0) {
			p.mutual = append(p.mutual, rel)
		}
	}
	return !slices.ContainsFunc(p.denials, func(d [2]int) bool { return p.rules.Reaches(d[1], d[0]) })
}

// readModes reads the modes of a tabled predicate from the clause that passes its calls to the table space. It returns
// false for modes that rows do not have.
func (p *rowProgram) readModes(rel int, pred *database.Pred) bool {
	if pred == nil || !pred.Has(database.ModeDirected) || p.rules.Modes[rel] != nil {
		return true
	}
	c := pred.Clauses()[0]
	body := c.Cells[c.Body.Addr()+1 : c.Body.Addr()+5] // goal, tuple, width, modes
	goal := body[0].Addr()
	if c.Cells[goal] == code.FColon {
		goal = c.Cells[goal+2].Addr()
	}
	args := c.Cells[goal+1 : goal+1+pred.Arity()]
	for _, column := range c.Cells[body[1].Addr()+1 : body[1].Addr()+1+pred.Arity()] {
		p.orders[rel] = append(p.orders[rel], slices.Index(args, column))
	}
	for list := body[3]; list.Tag() == code.Lst; list = c.Cells[list.Addr()+1] {
		mode, ok := rowModes[c.Cells[list.Addr()]]
		if !ok {
			return false
		}
		p.rules.Modes[rel] = append(p.rules.Modes[rel], mode)
	}
	p.calculates()
	return true
}

// rowModes are the modes that rows have. Which answer is the first or the last depends on the order of evaluation.
var rowModes = map[cell]datalog.Mode{modeMin: datalog.Min, modeMax: datalog.Max, modeSum: datalog.Sum}

// ruleReader reads a clause as a rule.
type ruleReader struct {
	m      *Machine
	p      *rowProgram
	c      *database.Clause
	rel    int
	tabled map[*database.Pred]bool
	rule   datalog.Rule
	bound  []bool // variables that the goals so far bind
}

// read adds the clause as a rule of relation rel. It returns false if the clause is no rule over rows: it has compound
// terms, a goal that rows cannot answer, or a head variable that no goal binds.
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
	r.rule.Head = datalog.Atom{Rel: rel, Args: r.p.inOrder(rel, args)}
	r.finishCalcs()
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
			mod, body = r.m.program.Mentioned(stacks.AtomText(name)), r.c.Cells[at+2]
		default:
			return r.goal(body, mod)
		}
	}
}

// inOrder puts the arguments of an atom into the order of the columns.
func (p *rowProgram) inOrder(rel int, args []datalog.Term) []datalog.Term {
	order, ok := p.orders[rel]
	if !ok {
		return args
	}
	list := make([]datalog.Term, len(args))
	for column, i := range order {
		list[column] = args[i]
	}
	return list
}

// goal adds one goal of a body: a comparison, arithmetic, facts, another tabled predicate, or a negated one. It returns
// false for any other goal, as the answers would then depend on more than rows.
func (r *ruleReader) goal(goal cell, mod *database.Module) bool {
	if goal.Tag() != code.Str || !r.c.Cells[goal.Addr()].IsFunctor() {
		return false
	}
	at := goal.Addr()
	functor := r.c.Cells[at]
	pred := mod.Resolve(functor)
	switch {
	case pred == nil:
		return false
	case (functor == fnDeny || functor == fnTnot) && pred.Module.Name == "system":
		return r.denied(r.c.Cells[at+1], mod, functor == fnTnot)
	case pred.Builtin >= 0 || pred.Has(database.Control):
		return functor.FunctorArity() == 2 && r.condition(functor, r.c.Cells[at+1], r.c.Cells[at+2])
	}
	a, ok := r.atom(pred, at)
	if !ok {
		return false
	}
	modes := r.p.rules.Modes[a.Rel]
	for i, t := range a.Args {
		switch {
		case t < 0:
		case i >= len(a.Args)-len(modes) && (r.bound[t] || slices.Contains(a.Args[:i], t)):
			return false // this is an error
		}
	}
	if slices.ContainsFunc(a.Args[len(a.Args)-len(modes):], func(t datalog.Term) bool { return t < 0 }) {
		return false
	}
	for _, t := range a.Args {
		if t >= 0 {
			r.bound[t] = true
		}
	}
	r.rule.Body = append(r.rule.Body, a)
	return true
}

var (
	fnDeny = code.Functor("\\+", 1)
	fnTnot = code.Functor("tnot", 1)
)

// atom reads a call of facts or of a tabled predicate. Its arguments are in the order of the columns.
func (r *ruleReader) atom(pred *database.Pred, at int) (a datalog.Atom, ok bool) {
	args, ok := r.terms(pred.Arity(), func(i int) cell { return r.c.Cells[at+1+i] })
	if !ok || len(args) > maxRowArity ||
		pred.Has(database.Det|database.SSU|database.ThreadLocal) || !r.m.tx.Knows(pred) || pred.Meta() != "" {
		return a, false
	}
	wrapper := pred
	if pred.Has(database.Tabled) {
		pred = pred.Behind()
		r.tabled[pred] = true
	} else if r.p.over != nil && r.m.program.Loader.QueryOf(pred) == nil && (!r.p.here || pred.Has(database.Ruled)) {
		r.tabled[pred] = true // its clauses are rules too
	}
	rel := r.p.relation(pred)
	if !r.p.readModes(rel, wrapper) {
		return a, false
	}
	return datalog.Atom{Rel: rel, Args: r.p.inOrder(rel, args)}, true
}

// denied reads a negated goal. Its unbound variables are existential.
func (r *ruleReader) denied(goal cell, mod *database.Module, byTable bool) bool {
	for goal.Tag() == code.Str && r.c.Cells[goal.Addr()] == code.FColon {
		name := r.c.Cells[goal.Addr()+1]
		if name.Tag() != code.Atom {
			return false
		}
		mod, goal = r.m.program.Mentioned(stacks.AtomText(name)), r.c.Cells[goal.Addr()+2]
	}
	if goal.Tag() != code.Str || !r.c.Cells[goal.Addr()].IsFunctor() {
		return false
	}
	pred := mod.Resolve(r.c.Cells[goal.Addr()])
	if pred == nil || pred.Builtin >= 0 || pred.Has(database.Control) ||
		byTable && (!pred.Has(database.Tabled) || pred.Has(database.ModeDirected)) {
		return false
	}
	a, ok := r.atom(pred, goal.Addr())
	if !ok {
		return false
	}
	own := map[datalog.Term]datalog.Term{}
	for i, t := range a.Args {
		value := i >= len(a.Args)-len(r.p.rules.Modes[a.Rel])
		switch {
		case t < 0 || r.bound[t]:
			if value {
				return false
			}
			continue
		case own[t] == 0:
			own[t] = datalog.Term(r.rule.Vars)
			r.rule.Vars++
			r.bound = append(r.bound, false)
		}
		a.Args[i] = own[t]
	}
	if !byTable {
		r.p.denials = append(r.p.denials, [2]int{r.rel, a.Rel})
	}
	r.rule.Absent = append(r.rule.Absent, a)
	return true
}

// condition reads a comparison or an arithmetic goal whose operands are bound before it.
func (r *ruleReader) condition(functor, left, right cell) bool {
	if differ, ok := rowTests[functor]; ok {
		args, ok := r.terms(2, func(i int) cell { return []cell{left, right}[i] })
		if !ok || !r.isKnown(args[0]) || !r.isKnown(args[1]) || args[0] < 0 && args[1] < 0 {
			return false
		}
		r.rule.Tests = append(r.rule.Tests, datalog.Test{Left: args[0], Right: args[1], Differ: differ})
		return true
	}
	op, ok := rowConditions[functor]
	if !ok {
		return false
	}
	c := datalog.Calc{Op: op.op}
	if c.Right, ok = r.number(right); !ok {
		return false
	}
	if op.op == datalog.Is {
		args, ok := r.terms(1, func(int) cell { return left })
		if !ok {
			return false
		}
		c.Left, c.Out = c.Right, args[0]
		if c.Out >= 0 {
			r.bound[c.Out] = true
		}
	} else if c.Left, ok = r.number(left); !ok {
		return false
	}
	if op.turned {
		c.Left, c.Right = c.Right, c.Left
	}
	r.rule.Calcs = append(r.rule.Calcs, c)
	return true
}

func (r *ruleReader) isKnown(t datalog.Term) bool { return t < 0 || r.bound[t] }

// number reads an expression and adds its steps to the rule. Intermediate results count down from maxSteps until
// finishCalcs.
func (r *ruleReader) number(c cell) (t datalog.Term, ok bool) {
	r.p.calculates()
	switch c.Tag() {
	case code.Int:
		return datalog.Const(r.p.id(c)), true
	case code.Att:
		t = datalog.Term(c.Addr())
		r.need(t)
		return t, r.bound[t]
	case code.Str:
	default:
		return 0, false
	}
	at := c.Addr()
	op, ok := rowFunctions[r.c.Cells[at]]
	if !ok {
		return 0, false
	}
	step := datalog.Calc{Op: op}
	last := r.c.Cells[at+r.c.Cells[at].FunctorArity()]
	if (op == datalog.Quotient || op == datalog.Modulo) && (last.Tag() != code.Int || last.Int() == 0) {
		return 0, false
	}
	if step.Right, ok = r.number(last); !ok {
		return 0, false
	}
	step.Left = datalog.Const(r.p.id(code.MakeInt(0))) // of a sign
	if r.c.Cells[at].FunctorArity() == 2 {
		if step.Left, ok = r.number(r.c.Cells[at+1]); !ok {
			return 0, false
		}
	}
	step.Out = datalog.Term(firstStep + r.rule.Steps)
	r.rule.Steps++
	r.rule.Calcs = append(r.rule.Calcs, step)
	return step.Out, true
}

// firstStep is the number of the first intermediate result until the number of variables is known.
const firstStep = 1 << 20

// finishCalcs numbers intermediate results after the variables.
func (r *ruleReader) finishCalcs() {
	for i := range r.rule.Calcs {
		c := &r.rule.Calcs[i]
		for _, t := range []*datalog.Term{&c.Left, &c.Right, &c.Out} {
			if *t >= firstStep {
				*t += datalog.Term(r.rule.Vars) - firstStep
			}
		}
	}
}

// need notes that a variable must have integer values, which come from the first atom that binds it.
func (r *ruleReader) need(t datalog.Term) {
	for _, a := range r.rule.Body {
		if i := slices.Index(a.Args, t); i >= 0 {
			r.p.needs = append(r.p.needs, datalog.Need{Atom: a, Column: i})
			return
		}
	}
}

// rowTests lists the comparisons of constants that rules on rows may have. The value says whether the operands must
// differ.
var rowTests = map[cell]bool{
	code.Functor("==", 2): false, code.Functor("\\==", 2): true, code.Functor("\\=", 2): true,
}

// rowConditions lists the arithmetic comparisons of integers. turned says that the operands are exchanged.
var rowConditions = map[cell]struct {
	op     datalog.Op
	turned bool
}{
	code.Functor("is", 2):   {op: datalog.Is},
	code.Functor("<", 2):    {op: datalog.Less},
	code.Functor(">", 2):    {op: datalog.Less, turned: true},
	code.Functor("=<", 2):   {op: datalog.NotMore},
	code.Functor(">=", 2):   {op: datalog.NotMore, turned: true},
	code.Functor("=:=", 2):  {op: datalog.Same},
	code.Functor("=\\=", 2): {op: datalog.Other},
}

// rowFunctions lists the integer functions that rules on rows may have.
var rowFunctions = map[cell]datalog.Op{
	code.Functor("+", 2): datalog.Plus, code.Functor("-", 2): datalog.Minus, code.Functor("-", 1): datalog.Minus,
	code.Functor("*", 2): datalog.Times, code.Functor("//", 2): datalog.Quotient, code.Functor("mod", 2): datalog.Modulo,
	code.Functor("min", 2): datalog.Least, code.Functor("max", 2): datalog.Largest,
}

// readFacts reads the facts of a program. ok is false if a predicate has clauses that are no facts. fetched holds the
// rows of database tables by relation, the values of all rows in one list.
func (m *Machine) readFacts(p *rowProgram, fetched map[int][]uint32) (ok bool, err error) {
	rows := make([][]uint32, len(p.preds))
	for rel, list := range fetched {
		rows[rel] = list
	}
	defined := make([]bool, len(p.preds))
	for _, r := range p.rules.Rules {
		defined[r.Head.Rel] = true
	}
	for i, pred := range p.preds {
		if defined[i] || p.over[i] != nil {
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
	if !p.rules.AreNumbers(p.needs, rows, defined) {
		return false, nil
	}
	p.strange = uint32(len(p.cells))
	for range maxRowArity {
		p.cells = append(p.cells, 0)
		if n := p.rules.Numbers; n != nil {
			n.Add(0, false)
		}
	}
	adds := slices.ContainsFunc(p.rules.Modes, func(modes []datalog.Mode) bool {
		return slices.Contains(modes, datalog.Sum)
	})
	for i, pred := range p.preds {
		if defined[i] {
			continue
		}
		given := datalog.NewRelation(pred.Arity(), p.domain())
		for n := 0; n < len(rows[i]); n += pred.Arity() {
			if !given.Add(rows[i][n:n+pred.Arity()]) && adds {
				return false, nil // clauses would add the values of two equal facts, rows only once
			}
		}
		given.Seal()
		p.rules.Given[i] = given
		if err := m.holdRows(p, given.Bytes()); err != nil {
			return false, err
		}
	}
	return true, m.holdRows(p, idBytes*len(p.cells))
}

// idBytes is the approximate size of a constant beside its rows.
const idBytes = 64

// holdRows accounts for n more bytes of a program on rows.
func (m *Machine) holdRows(p *rowProgram, n int) error {
	err := m.Hold(n)
	if err == nil {
		p.held += n
	}
	return err
}

// dropRows drops the rows of a program.
func (m *Machine) dropRows(p *rowProgram) {
	if p != nil {
		_ = m.Hold(-p.held) // giving back cannot fail
		p.held = 0
	}
}

// domain is the number of constants, with room for the constants that only a call has.
func (p *rowProgram) domain() int { return len(p.cells) }

// answerRows adds the rows of a relation that match a call to the table of the call.
func (m *Machine) answerRows(t *table, p *rowProgram, rel int, known []bool, values []cell) error {
	ids := make([]uint32, len(values))
	strange := uint32(0)
	for i, v := range values {
		if !known[i] {
			continue
		}
		id, ok := p.ids[v]
		switch {
		case ok:
		case v.Tag() == code.Int && p.rules.Numbers != nil:
			id = p.id(v)
		default:
			id = p.strangeID(values[:i], ids, v, &strange)
		}
		ids[i] = id
	}
	put := m.addRow
	if p.rules.Modes[rel] != nil {
		put, t.answers.width = m.addWholeRow, len(values)
	}
	if err := m.tryAll(p, rel, known); err != nil {
		return err
	}
	cells := make([]cell, 0, maxRowArity)
	cellsOf := func(row []uint32) []cell {
		cells = cells[:0]
		for _, id := range row {
			cells = append(cells, p.cells[id])
		}
		return cells
	}
	found := p.all[rel]
	if found != nil && slices.Contains(known, true) {
		return found.Selected(known, ids, func(row []uint32) error {
			return put(t, values, known, cellsOf(row), true, found.Undefined(row))
		})
	}
	if found == nil {
		var err error
		if found, err = m.solveGoal(p, rel, known, ids, 0); err != nil {
			return err
		}
	}
	if n := t.answers.width; n == found.Arity && n == place(values, known) {
		t.answers.takeRows(found, p.cells)
		return m.hold(t, t.answers.bytes())
	}
	for i := range found.Len() {
		row := found.Row(i)
		if err := put(t, values, known, cellsOf(row), false, found.Undefined(row)); err != nil {
			return err
		}
	}
	return nil
}

// tryAll computes all rows of a relation once calls with values have become expensive. It gives up when that takes more
// work than those calls.
func (m *Machine) tryAll(p *rowProgram, rel int, known []bool) error {
	const worthTrying = 2000
	if p.all[rel] != nil || !slices.Contains(known, true) || p.spent < max(p.try, worthTrying) {
		return nil
	}
	most := p.spent
	_, err := m.solveGoal(p, rel, make([]bool, len(known)), make([]uint32, len(known)), most)
	p.try = 4 * p.spent
	if err == errNotRows {
		return nil
	}
	return err
}

// strangeID returns the number of a constant that occurs in a call but not in the program.
func (p *rowProgram) strangeID(before []cell, ids []uint32, v cell, n *uint32) uint32 {
	if i := slices.Index(before, v); i >= 0 {
		return ids[i]
	}
	*n++
	return p.strange + *n - 1
}

// solveGoal computes the rows that match a call. All rows found are kept. It gives up with errNotRows after more than
// most steps, unless most is 0.
func (m *Machine) solveGoal(p *rowProgram, rel int, known []bool, ids []uint32, most int) (*datalog.Relation, error) {
	held, done := 0, 0
	found, whole, err := datalog.Solve(&p.rules, p.domain(), rel, known, ids, datalog.Account{
		Work: func(n int) error {
			done += n
			if most > 0 && done > most {
				return errNotRows
			}
			return m.Charge(n)
		},
		Hold: func(n int) error {
			err := m.Hold(n)
			if err == nil {
				held += n
			}
			return err
		},
	})
	for _, other := range p.mutual {
		if all := whole[other]; all != nil && p.all[other] == nil && !slices.Contains(known, true) {
			held -= all.Held()
			p.held += all.Held()
			all.Seal()
			p.all[other] = all
		}
	}
	_ = m.Hold(-held) // giving back cannot fail
	if err == nil {
		err = m.takeNumbers(p)
	} else if p.rules.Numbers != nil {
		p.rules.Numbers.Truncate(len(p.cells))
	}
	if err == nil || err == errNotRows {
		p.spent += done // an interrupted computation says nothing
	}
	return found, err
}

// addWholeRow adds an answer to a table with modes, whose tuples have all arguments. If the row is not whole, it
// inserts the values that the call has.
func (m *Machine) addWholeRow(t *table, values []cell, known []bool, row []cell, whole, _ bool) error {
	tuple := m.TupleBuf[:0]
	at := 0
	for i, v := range values {
		if !known[i] || whole {
			v = row[at]
			at++
		}
		tuple = append(tuple, v)
	}
	return m.pushRow(t, tuple, false)
}

// addRow adds an answer to a table. If the row is whole, it leaves out the values that the call has.
func (m *Machine) addRow(t *table, values []cell, known []bool, row []cell, whole, undefined bool) error {
	tuple := m.TupleBuf[:0]
	at := 0
	for i, v := range values {
		if known[i] {
			if whole {
				at++
			}
			continue
		}
		c := row[at]
		at++
		if first := slices.Index(values[:i], v); first >= 0 { // the variable stands twice
			if old := tuple[place(values[:first], known)]; old != c && (isFlat(c) || m.Compare(old, c) != 0) {
				return nil
			}
			continue
		}
		tuple = append(tuple, c)
	}
	return m.pushRow(t, tuple, undefined)
}

func (m *Machine) pushRow(t *table, tuple []cell, undefined bool) (err error) {
	m.TupleBuf = tuple
	if !slices.ContainsFunc(tuple, isLarge) {
	} else if tuple, err = m.flatten(m.NewStruct("ret", tuple...), len(tuple)); err != nil {
		return err
	}
	before := t.answers.bytes()
	t.answers.push(tuple, undefined)
	if n := t.answers.bytes() - before; n > 0 {
		return m.hold(t, n)
	}
	return m.chargeAnswer(t.answers.len())
}

// isFlat reports whether a cell is a whole term: an atom or a small integer.
func isFlat(c cell) bool { return c.Tag() == code.Atom || c.Tag() == code.Int }

func isLarge(c cell) bool { return !isFlat(c) }

// place returns how many different variables occur before an argument of a call.
func place(values []cell, known []bool) int {
	n := 0
	for i, v := range values {
		if !known[i] && !slices.Contains(values[:i], v) {
			n++
		}
	}
	return n
}
