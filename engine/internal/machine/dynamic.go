package machine

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines calls of predicates whose clauses are selected at run time: dynamic ones
// and large tables of facts. Facts are matched straight from the cells of the clause.

// ClauseSeq goes through the clauses of a predicate that may match a call, as they were when
// it was made. A choice point holds what is left of it.
type ClauseSeq struct {
	list []*database.Clause
	pos  int              // next candidate
	one  *database.Clause // the only clause, in place of a list; nil once it has been looked at
	view database.View
	// probed is set until the first clause is requested: the probe is then still that of the head.
	probed bool
}

// ClausesFor returns the clauses that may match a dereferenced head. The caller must request the first one at once.
func (m *View) ClausesFor(p *database.Pred, head cell) ClauseSeq {
	m.probeHead(head)
	view, list, one := m.tx.Candidates(p, &m.probe)
	s := ClauseSeq{view: view, probed: true}
	if one != nil {
		if s.one = one; !m.tx.Sees(one, s.view) {
			m.noteAbsent(p)
		}
		return s
	}
	s.list, s.pos = list, m.firstLive(p, list, view)
	if p.Has(database.Persistent) && m.nextClause(&s) == nil {
		m.noteAbsent(p)
	}
	return s
}

// noteAbsent is [database.Tx.NoteAbsent] of a call with the arguments of the probe.
func (m *View) noteAbsent(p *database.Pred) { m.pinAtoms(m.tx.NoteAbsent(p, &m.probe)) }

// probeHead makes a dereferenced head the probe that selects clauses.
func (m *View) probeHead(head cell) {
	if head.Tag() == code.Atom {
		m.probe.Set(m.Heap, nil)
		return
	}
	at := m.ArgAddr(head, 0)
	m.probe.Set(m.Heap, m.Heap[at:at+m.Functor(head).FunctorArity()])
}

// NextClause returns the next clause for a dereferenced head, or nil, and whether another follows.
func (m *View) NextClause(s *ClauseSeq, head cell) (c *database.Clause, more bool) {
	if s.one != nil {
		if c, s.one = s.one, nil; m.tx.Sees(c, s.view) {
			return c, false
		}
		return nil, false
	}
	if !s.probed {
		m.probeHead(head)
	}
	s.probed = false
	if c = m.nextClause(s); c == nil {
		return nil, false
	}
	s.pos++
	return c, m.nextClause(s) != nil
}

// callDynamic calls a predicate with its arguments in the registers.
func (m *Machine) callDynamic(p *database.Pred) error {
	if m.goalsWait() {
		m.Live = p.Arity()
		m.P = int(p.Entry)
		m.startWake()
		return nil
	}
	if !m.tx.Knows(p) { // abolished: a call may reach what the module inherits or imports
		if !p.Defined() {
			return m.callUndefined(p)
		}
		return m.unknown(p.Functor, p.Module)
	}
	if p.Meta() != "" && p.Qualifies() {
		m.qualifyOwn(p)
	}
	arity := p.Arity()
	if p.Has(database.SSU) && m.seesRule(p) {
		return m.callRules(p)
	}
	m.probe.Set(m.Heap, m.X[:arity])
	if len(m.tables.frames) > 0 {
		m.noteAbsent(p) // the table holds the answers of all clauses and is asked for missing ones
	}
	view, list, one := m.tx.Candidates(p, &m.probe)
	if one != nil {
		if !m.tx.Sees(one, view) {
			m.noteAbsent(p)
			m.P = addrFail
			return nil
		}
		return m.enterClause(one)
	}
	it := ClauseSeq{view: view, list: list, pos: m.firstLive(p, list, view)}
	first := m.nextClause(&it)
	if first == nil {
		m.noteAbsent(p)
		m.P = addrFail
		return nil
	}
	it.pos++
	if m.nextClause(&it) != nil {
		hold := it
		m.Objs = append(m.Objs, &hold)
		m.pushChoice(arity, addrRetryDyn)
	}
	return m.enterClause(first)
}

// seesRule reports whether the run sees a clause Head => Body of a predicate. Another transaction may have added the
// clauses it does not see.
func (m *View) seesRule(p *database.Pred) bool {
	view, list := m.tx.Clauses(p)
	return slices.ContainsFunc(list, func(c *database.Clause) bool { return c.SSU && m.tx.Sees(c, view) })
}

// callRules calls a dynamic predicate with clauses Head => Body. As it is an error when none of them applies, they are
// interpreted.
func (m *Machine) callRules(p *database.Pred) error {
	m.X[0] = m.NewCompound(code.FColon, []cell{m.NewAtom(p.Module.Name), m.calledGoal(p.Functor)})
	return m.invoke(fCallRules, m.program.System())
}

// calledGoal returns the goal whose arguments are in the registers.
func (m *Machine) calledGoal(functor cell) cell {
	if n := functor.FunctorArity(); n > 0 {
		return m.NewCompound(functor, m.X[:n])
	}
	return code.MakeAtom(functor.FunctorAtom())
}

var fCallRules = code.Functor("$call_rules", 1)

// nextClause moves to the next clause from it.pos on that is visible and may match the probe.
func (m *View) nextClause(it *ClauseSeq) *database.Clause {
	for ; it.pos < len(it.list); it.pos++ {
		c := it.list[it.pos]
		if m.probe.Matches(c) && m.tx.Sees(c, it.view) {
			return c
		}
	}
	return nil
}

// firstLive skips the clauses at the front of a long list that this run has found dead. Without it,
// retracting them one by one from the front would be quadratic.
func (m *View) firstLive(p *database.Pred, list []*database.Clause, view database.View) int {
	if len(list) < 64 || !list[0].Erased() {
		return 0
	}
	s := m.skips[p]
	if s.base != &list[0] {
		s = skip{base: &list[0]}
	}
	for s.n < len(list) && list[s.n].Erased() && !m.tx.Sees(list[s.n], view) {
		s.n++
	}
	if m.skips == nil {
		m.skips = map[*database.Pred]skip{}
	}
	m.skips[p] = s
	return s.n
}

// retryDynamic goes on with the next clause after backtracking.
func (m *Machine) retryDynamic() error {
	it := m.Objs[len(m.Objs)-1].(*ClauseSeq)
	arity := m.restoreArgs()
	c := it.list[it.pos]
	m.probe.Set(m.Heap, m.X[:arity])
	it.pos++
	m.B0 = int(m.Choices[m.B+stacks.ChoicePrev])
	if m.nextClause(it) == nil {
		m.popChoice()
	}
	return m.enterClause(c)
}

// enterClause runs a clause; the arguments are in the registers.
func (m *Machine) enterClause(c *database.Clause) error {
	if c.IsFact() && !c.SSU {
		m.P = m.CP
		if !m.matchHead(c) {
			m.P = addrFail
		}
		return m.roomAfter()
	}
	at := c.Addr()
	if at == 0 && !c.SSU && (c.File == "" && !c.Restricted && c.NoteCall() < compileAfter || c.Erased()) {
		m.rights.forGood = m.rights.forGood || c.Restricted
		return m.interpretClause(c)
	}
	for ; at == 0; at = c.Addr() { // it may have been erased meanwhile
		if err := m.compile.Compile(c); err != nil {
			return m.compileError(err)
		}
	}
	m.P = int(at)
	m.loadCode() // the words may have been given back and reused
	return nil
}

// codeInUse returns the code that this machine and its engines are in or may return to, and the arguments of
// [database.Tx.Vouch] with it. Every word on the stacks that looks like an address counts. The machines load the code
// for it.
func (m *Machine) codeInUse() (set database.CodeSet, retired uint64) {
	retired = m.program.Retired()
	words, units := m.program.CodeAndTable()
	set = m.program.NewCodeSet()
	m.eachMachine(func(m *Machine) {
		m.Code, m.table = words, units
		m.addCodeInUse(set)
	})
	return set, retired
}

// addCodeInUse adds the addresses of code to which the machine may come back. It treats every word of the stacks as a
// possible address. A number that happens to equal one only keeps a clause a little longer.
func (m *Machine) addCodeInUse(set database.CodeSet) {
	set.Add(uint64(m.P))
	set.Add(uint64(m.CP))
	m.tables.addReturns(set)
	for _, stack := range [][]cell{m.Envs[:max(m.Etop, m.Betop)], m.Choices[:m.ChoicesTop()]} {
		for _, word := range stack {
			set.Add(uint64(word))
			if word.Tag() == code.Int {
				set.Add(uint64(word.Int()))
			}
		}
	}
}

// vouch tells the program which code the run uses, once much code has been retired.
func (m *Machine) vouch() {
	if m.tx != nil && m.tx.ShouldVouch(m.Etop+m.ChoicesTop()) {
		m.tx.Vouch(m.codeInUse())
		if outer := m.tx.Outer(); outer != nil {
			outer.Vouch(m.codeInUse())
		}
	}
}

// compileAfter is the number of calls from which on a clause added at run time is worth
// compiling. Many are called once or twice and retracted. A clause of a file is compiled at once, so that backtraces
// show it.
const compileAfter = 8

// interpretClause runs a clause without compiling it.
func (m *Machine) interpretClause(c *database.Clause) error {
	vars := m.clauseVars(c.NVars)
	for i := range c.Pred.Arity() {
		if !m.matchFrozen(c.Cells, c.HeadArg(i), m.X[i], vars) {
			m.P = addrFail
			return nil
		}
	}
	body := m.watchedBody(m.build(c.Cells, c.Body, vars), c.Pred)
	return m.callBody(m.qualify(body, c.Pred.Module), m.B0)
}

// watchedBody returns the body of a clause to be interpreted. The first $/0 among its conjuncts becomes a cut, and the
// rest becomes the argument of $det_goal/2.
func (m *Machine) watchedBody(body cell, p *database.Pred) cell {
	goal, mod := body, p.Module
	if goal.Tag() == code.Str && m.Heap[goal.Addr()] == code.FColon {
		goal, mod = m.StripModule(goal)
	}
	var before []cell
	for rest := code.ATrue; ; goal = rest {
		first, last := goal, true
		if goal.Tag() == code.Str && m.Heap[goal.Addr()] == code.FComma {
			first, rest, last = m.Deref(m.Arg(goal, 0)), m.Deref(m.Arg(goal, 1)), false
		}
		if first != aWatch && last {
			return body
		}
		if first != aWatch {
			before = append(before, first)
			continue
		}
		if last {
			rest = code.ATrue
		}
		by := m.NewStruct("guard", m.procedure(p.Functor, p.Module))
		goal = m.NewCompound(fDetGoal, []cell{m.NewCompound(code.FColon, []cell{m.NewAtom(mod.Name), rest}), by})
		goal = m.NewCompound(code.FColon, []cell{m.NewAtom("system"), goal})
		for _, first := range slices.Backward(append(before, code.AtomCell("!"))) {
			goal = m.NewCompound(code.FComma, []cell{first, goal})
		}
		return m.qualify(goal, mod)
	}
}

var aWatch = code.AtomCell("$")

// compileError is the exception of a clause that is too large to be compiled.
func (m *Machine) compileError(err error) error {
	return m.ErrorMessage(m.NewStruct("representation_error", m.NewAtom("clause")), err.Error())
}

// clauseVars returns a zeroed array for the variables of a clause.
func (m *View) clauseVars(n int) []cell {
	if cap(m.Vars) < n {
		m.Vars = make([]cell, n+16)
	}
	vars := m.Vars[:n]
	clear(vars)
	return vars
}

// matchHead unifies the head of a clause with the argument registers.
func (m *Machine) matchHead(c *database.Clause) bool {
	vars := m.clauseVars(c.NVars)
	for i := range c.Pred.Arity() {
		if !m.matchFrozen(c.Cells, c.HeadArg(i), m.X[i], vars) {
			return false
		}
	}
	return true
}

// UnifyClause unifies the head and body of a clause, with fresh variables, with two terms. The body of a restricted
// rule restricts the rest of the run: it may be called goal by goal.
func (m *View) UnifyClause(c *database.Clause, head, body cell) bool {
	vars := m.clauseVars(c.NVars)
	head = m.Deref(head)
	for i := range c.Pred.Arity() {
		if !m.matchFrozen(c.Cells, c.HeadArg(i), m.Arg(head, i), vars) {
			return false
		}
	}
	m.rights.forGood = m.rights.forGood || c.Restricted
	return m.matchFrozen(c.Cells, c.Body, body, vars)
}

// matchFrozen unifies the part f of the cells of a clause with the term t.
func (m *View) matchFrozen(cells []cell, f, t cell, vars []cell) bool {
	t = m.Deref(t)
	if tag := f.Tag(); tag == code.Atom || tag == code.Int {
		if f == t {
			return true
		}
		if !stacks.IsVar(t) {
			return false
		}
		m.Bind(t, f)
		return true
	}
	if f.Tag() == code.Att && vars[f.Addr()] == 0 { // the first occurrence of a variable
		vars[f.Addr()] = stacks.Keep(t)
		return true
	}
	base := len(m.Work)
	ok := m.matchOne(cells, f, t, vars)
	for steps := 0; ok && len(m.Work) > base; steps++ {
		m.PollAt(steps, 0)
		f, t = m.Work[len(m.Work)-2], m.Work[len(m.Work)-1]
		m.Work = m.Work[:len(m.Work)-2]
		ok = m.matchOne(cells, f, m.Deref(t), vars)
	}
	m.Work = m.Work[:base]
	return ok
}

// matchOne matches one node, putting the pairs of arguments on the work stack.
func (m *View) matchOne(cells []cell, f, t cell, vars []cell) bool {
	if f.Tag() == code.Att {
		if n := f.Addr(); vars[n] == 0 {
			vars[n] = stacks.Keep(t)
			return true
		} else {
			return m.Unify(vars[n], t)
		}
	}
	if stacks.IsVar(t) {
		m.Bind(t, m.build(cells, f, vars))
		return true
	}
	if f.Tag() != t.Tag() {
		return false
	}
	n, x, y := 2, f.Addr(), t.Addr()
	switch f.Tag() {
	case code.Atom, code.Int:
		return f == t
	case code.Blob:
		return equalBlobs(cells, x, m.Heap, y)
	case code.Str:
		if cells[x] != m.Heap[y] {
			return false
		}
		n, x, y = cells[x].FunctorArity(), x+1, y+1
	}
	for i := n - 1; i >= 0; i-- {
		m.Work = append(m.Work, cells[x+i], m.Heap[y+i])
	}
	return true
}

// equalBlobs compares blobs in two runs of cells.
func equalBlobs(c []cell, x int, d []cell, y int) bool {
	for i := range 1 + c[x].BlobWords() {
		if c[x+i] != d[y+i] {
			return false
		}
	}
	return true
}

// build copies the part f of the cells of a clause to the heap; vars maps its variables.
func (m *View) build(cells []cell, f cell, vars []cell) cell {
	if !f.IsPointer() {
		return f
	}
	if f.Tag() == code.Att {
		if vars[f.Addr()] == 0 {
			vars[f.Addr()] = m.NewVar()
		}
		return vars[f.Addr()]
	}
	root := m.buildBlock(cells, f)
	start := root.Addr()
	for i := start; i < m.H; i++ { // each part is appended when it is found
		m.PollAt(i, 0)
		c := m.Heap[i]
		switch c.Tag() {
		case code.Hdr:
			if !c.IsFunctor() {
				i += c.BlobWords()
			}
		case code.Att:
			if vars[c.Addr()] == 0 {
				vars[c.Addr()] = code.MakeRef(i)
			}
			m.Heap[i] = vars[c.Addr()]
		case code.Str, code.Lst, code.Blob:
			v := m.buildBlock(cells, c)
			m.Heap[i] = v
		}
	}
	return root
}

// buildBlock copies one compound or blob as it is; its parts still point into cells.
func (m *View) buildBlock(cells []cell, f cell) cell {
	at, n := f.Addr(), 2
	switch f.Tag() {
	case code.Str:
		n = 1 + cells[at].FunctorArity()
	case code.Blob:
		n = 1 + cells[at].BlobWords()
	}
	m.Room(n)
	to := m.H
	copy(m.Heap[to:to+n], cells[at:at+n])
	m.H += n
	return cell(to)<<3 | f.Tag()
}

// NewClause makes a clause for a predicate from a head and a body on the heap, Head => Body if ssu is set. Its atoms
// become permanent. A cyclic clause cannot be represented.
func (m *View) NewClause(p *database.Pred, head, body cell, ssu bool) (*database.Clause, error) {
	if m.Restricted() && p.IsHook() {
		body = m.NewCompound(code.FComma, []cell{body, code.ATrue})
	}
	if !ssu && body == code.ATrue && head.Tag() == code.Str {
		if c, ok := m.flatFact(p, head); ok {
			return c, nil
		}
	}
	clause := m.NewCompound(code.FNeck, []cell{head, body})
	f := m.Freeze(clause)
	if f.Shared && !m.IsAcyclic(clause) {
		return nil, m.RepresentationError("cyclic_term")
	}
	m.pinAtoms(f.Cells)
	return database.NewClauseAt(p, f.Cells, f.Root, database.Source{SSU: ssu, Restricted: m.Restricted()}), nil
}

// flatFact makes a clause for a fact whose arguments are atoms and small integers. ok is false for any other head.
func (m *View) flatFact(p *database.Pred, head cell) (c *database.Clause, ok bool) {
	var few [8]cell
	args, at := few[:0], head.Addr()
	for _, arg := range m.Heap[at+1 : at+1+p.Arity()] {
		arg = m.Deref(arg)
		if tag := arg.Tag(); tag != code.Atom && tag != code.Int {
			return nil, false
		}
		args = append(args, arg)
	}
	m.pinAtoms(args)
	return p.NewFact(args, database.Source{}), true
}

// pinAtoms makes the run's own atoms in the cells of a new clause permanent. In a transaction they are held until the
// clause is committed or dropped.
func (m *View) pinAtoms(cells []cell) {
	switch {
	case m.OwnAtoms.Empty():
	case m.tx.Direct():
		stacks.EachAtom(cells, code.PinAtom)
	default:
		m.HoldAtoms(stacks.Frozen{Cells: cells})
	}
}

// PinChanges makes the atoms in the clauses that the transaction is about to commit permanent.
func (m *View) PinChanges() {
	if m.OwnAtoms.Empty() {
		return
	}
	added, _ := m.tx.Changes()
	now := m.tx.Now()
	for _, c := range added {
		if m.tx.Sees(c, now) {
			stacks.EachAtom(c.Own(), code.PinAtom)
		}
	}
}

// HeadUnifies reports whether the head of a clause unifies with a term, without binding anything.
func (m *View) HeadUnifies(c *database.Clause, head cell) bool {
	different, _ := m.HeadMismatch(c, head, 1)
	return different == 0
}

// HeadMismatch counts the arguments of the head of a clause that do not unify with the corresponding arguments of a
// term. It stops counting at most. It also returns the position of the last mismatch. It binds nothing.
func (m *View) HeadMismatch(c *database.Clause, head cell, most int) (different, at int) {
	h, mark, hb, wake, goals := m.H, m.TR, m.HB, m.Wake, m.WakeGoals
	m.HB = m.H
	vars := m.clauseVars(c.NVars)
	for i := 0; different < most && i < c.Pred.Arity(); i++ {
		if !m.matchFrozen(c.Cells, c.HeadArg(i), m.Arg(head, i), vars) {
			different, at = different+1, i
		}
	}
	m.UndoTrail(mark)
	m.H, m.HB, m.Wake, m.WakeGoals = h, hb, wake, goals
	return different, at
}
