package machine

import (
	"encoding/binary"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/effects"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines the tables of tabled predicates: one for each variant of a call, kept
// outside the heap until the run ends.
//
// A call without a table evaluates all clauses before it returns the first answer. A call of a table that is being
// evaluated reads the answers found so far and those that come while it reads, and is then suspended (suspend.go).
// Tables that read each other form a component. Its oldest table, the leader, resumes readers until all have seen all
// answers, and then completes the tables. A table whose reader cannot be suspended is evaluated again if the reader has
// missed answers (SLDT with worklist: Zhou and Sato, "Efficient Fixpoint Computation in Linear Tabling", 2003).
// Components are found as Tarjan's algorithm finds them, by the oldest table that each reads. Negation within a
// component is settled by alternating fixpoints, see negation.go.
//
// An evaluation keeps a frame on the object stack. When an exception or a cut removes the frame, the tables that the
// evaluation had begun are dropped at the next check.

// tabling is the table space of a run.
type tabling struct {
	memory     int // bytes of the tables that runs share
	variants   map[string]*table
	list       []*table                             // by number; nil for those that are gone
	pending    []*table                             // incomplete tables, oldest first
	frames     []*tableFrame                        // evaluations at work, innermost last
	tainted    bool                                 // some derivation has rested on an undefined answer
	stuck      bool                                 // such a derivation has changed what backtracking spares
	changed    *database.Pred                       // what such a derivation has changed first
	unsure     bool                                 // a failure has rested on an undefined answer
	asked      bool                                 // all delays are collected
	missing    bool                                 // what is missing is looked for, so cuts leave no doubts behind
	doubts     map[int]doubt                        // by the choice points with alternative addrMaybe or addrDoubt
	failures   map[int]*doubt                       // that goals behind choice points with ChoiceUnsure have come to
	untabled   map[*database.Pred]bool              // clauses that untable/1 was called for
	returns    map[int]*resumption                  // how clauses go on at return addresses
	internal   map[int]bool                         // entries of internal predicates
	entries    map[int]*database.Pred               // predicates by their entries, once somebody has asked
	rows       map[*database.Pred]*rowProgram       // of tabled predicates without compound terms; nil for others
	derived    map[*database.Pred]*rowProgram       // of those over tables of databases; nil for others
	fetched    map[*database.Pred]*fetchedProgram   // of those whose rules are applied to rows of tables
	looked     int                                  // facts that were looked at for those
	onRows     *database.Pred                       // what is computed from rows, or was when a limit ended it
	bases      map[*database.Pred][]effects.RestsOn // what tabled predicates rest on; nil when that is not known
	slots      []cell                               // of a consumer that is being resumed
	key        []byte
	clock      *uint32 // counts answers while a goal is explained, else nil
	unanswered unanswered
}

// table holds the answers of one variant of a tabled goal. An answer is a tuple of the values
// of the variables of the goal.
type table struct {
	key      string
	number   int
	goal     stacks.Frozen
	answers  answerSet
	complete bool
	unsure   bool           // a derivation has failed that rests on something undefined
	bytes    int            // accounted for
	pred     *database.Pred // whose clauses the goal calls
	at       database.View  // moment of the first evaluation

	// While incomplete:
	index     int               // place in pending
	low       int               // oldest place that it depends on
	reads     map[*table]int    // how many answers it saw when it came to the end of others
	forced    bool              // to be evaluated again whatever it has read
	negated   bool              // read by tnot/1 while incomplete
	holds     bool              // has a true answer, by the last round
	maybe     bool              // has a true or undefined answer, by the last round
	round     int               // evaluations begun
	idle      []*consumer       // readers that have seen all answers
	suspended int               // bytes of its consumers
	making    bool              // for other runs too
	basis     []effects.RestsOn // what it rests on, then
	best      map[string]int32  // answers of mode-directed tables by their other arguments

	unanswered []int // what answers rest on that nobody has answered
}

// tableFrame is an evaluation of a table.
type tableFrame struct {
	table    *table
	obj      int  // place on the object stack
	env      int  // environment of the clause that calls the goal; 0: not there yet
	level    int  // choice point before it
	taint    int  // that of the caller
	first    int  // next number of what nobody answers
	cursor   int  // next table to look at for missed answers
	progress bool // another sweep is needed

	queue    consumerQueue // consumers that have answers to read
	consumer *consumer     // being resumed, until it reads
	work     *tableFrame   // evaluation that this one, of a leader, has begun
}

// heldCells returns nothing: atoms in tables are held until the run ends.
func (f *tableFrame) heldCells() [][]cell { return nil }

// tablingTable are predicates that only the wrappers of tabled predicates and the library call.
var tablingTable = []Builtin{
	{Name: "$tbl_open", Arity: 4, Func: tblOpen, Modes: "+goal, -table, -work, -tuple",
		Doc: "Finds the table of a goal, or makes one and begins its evaluation; work tells which."},
	{Name: "$tbl_mark", Arity: 1, Func: onTable(tblMark), Modes: "+table",
		Doc: "Notes that the goal of a table is called next."},
	{Name: "$tbl_add", Arity: 2, Func: onTable(tblAdd), Modes: "+table, +tuple",
		Doc: "Adds an answer unless it is there; succeeds when the goal needs no other proof."},
	{Name: "$tbl_cut", Arity: 1, control: (*Machine).tblCut, Modes: "+table",
		Doc: "Ends the search for answers of a table."},
	{Name: "$tbl_more", Arity: 2, Func: onTable(tblMore), Nondet: true, Modes: "+table, ?tuple",
		Doc: "Tuple is an answer that the consumer at work has not seen."},
	{Name: "$tbl_end", Arity: 1, Func: onTable(tblEnd), Modes: "+table", Doc: "Ends an evaluation of a table."},
	{Name: "$tbl_missed", Arity: 4, Func: onTable(tblMissed), Nondet: true, Modes: "+leader, -table, -goal, -tuple",
		Doc: "Resumes consumers and finds tables to evaluate again until the component is complete or has an older leader."},
	{Name: "$tbl_answers", Arity: 2, Func: onTable(tblAnswers), Nondet: true, Modes: "+table, ?tuple",
		Doc: "Tuple is an answer of a table."},
	{Name: "$tbl_put", Arity: 5, Func: onTable(tblPut), Modes: "+table, +tuple, +width, +modes, -best",
		Doc: "Joins an answer with the one that agrees in the first arguments. Succeeds when goals must: best is that one."},
	{Name: "$tbl_replace", Arity: 3, Func: onTable(tblReplace), Modes: "+table, +tuple, +width",
		Doc: "Puts an answer in the place of the one that agrees in the first arguments."},
	{Name: "$tbl_not", Arity: 1, Func: onTable(tblNot), Modes: "+table", Doc: "The table has no answer, or is undefined."},
	{Name: "$tbl_free", Arity: 2, Func: tblFree, Modes: "+tuple, +width",
		Doc: "Checks that the arguments after the first width ones are unbound."},
	{Name: "$tbl_clause_goal", Arity: 2, Func: tblClauseGoal, Modes: "+goal, -goal",
		Doc: "Returns the goal for the clauses of a tabled predicate."},
	{Name: "$tbl_untable", Arity: 2, Func: tblUntable, Modes: "+goal, +on",
		Doc: "Makes this run call a tabled predicate without tables, or again with them."},
	{Name: "$tbl_delays", Arity: 1, Func: tblDelays, Modes: "-list",
		Doc: "List are the undefined goals that the derivation has used, the latest first."},
	{Name: "$tbl_set_delays", Arity: 1, Func: tblSetDelays, Modes: "+list", Doc: "Sets that list until backtracking."},
	{Name: "$tbl_taint", Arity: 1, Func: tblTaint, Modes: "-count",
		Doc: "Count is how often the derivation has used something undefined."},
	{Name: "undefined", Arity: 0, Func: tblUndefined, Modes: "",
		Doc: "Is neither true nor false in the well-founded semantics."},
	{Name: "abolish_all_tables", Arity: 0, Func: tblAbolish, Modes: "", Doc: "Forgets the complete tables of this run."},
}

// The kinds of work that a call of a table can bring.
const (
	tableRead     = "read"
	tableEvaluate = "evaluate"
	tablePlain    = "plain" // not tabled any more: call the goal
)

// tblOpen finds the table of the variant of a goal, or makes it. It returns what is to be done: read the answers,
// evaluate the goal, or call it, if its predicate is no longer tabled. The table of an incremental predicate is made
// anew when the database has changed.
func tblOpen(m *Machine, a []cell) (bool, error) {
	m.dropDeadFrames()
	m.tables.onRows = nil
	if c, _ := m.StripModule(a[0]); !stacks.IsCallable(c) {
		return false, m.TypeError("callable", c)
	}
	if len(m.tables.untabled) > 0 && m.tables.untabled[m.clausesOf(a[0])] {
		return m.Unify(a[2], m.NewAtom(tablePlain)), nil
	}
	f := m.FreezeWith(a[0], true)
	if hasAttributed(f.Cells) {
		return false, m.TypeError("free_of_attvar", m.shownGoal(a[0]))
	}
	s := &m.tables
	s.key = appendKey(s.key[:0], f)
	t := s.variants[string(s.key)]
	if t != nil && t.void(m.tx) {
		m.forget(t)
		t = nil
	}
	work := tableRead
	if t == nil {
		pred := m.clausesOf(a[0])
		if err := m.hasClauses(pred); err != nil {
			return false, err
		}
		t, work = m.newTable(string(s.key), f), tableEvaluate
		t.pred, t.at = pred, m.tx.Now()
		solved, err := m.fromShared(t, pred)
		if err == nil && !solved {
			solved, err = m.solveRows(t, pred, f)
		}
		if err != nil {
			m.abandon(t.index)
			return false, err
		}
		if solved {
			m.completeFrom(t.index)
			work = tableRead
		} else {
			m.begin(t)
		}
		if err := m.hold(t, tableBytes+len(t.key)+8*len(f.Cells)); err != nil {
			return false, err
		}
	}
	if !m.Unify(a[3], m.tupleOf(a[0], f)) {
		return false, nil
	}
	return m.Unify(a[1], code.MakeInt(int64(t.number))) && m.Unify(a[2], m.NewAtom(work)), nil
}

// void reports whether the database has changed since an incremental table was made.
func (t *table) void(tx *database.Tx) bool {
	return t.complete && t.pred.Has(database.Incremental) && t.at != tx.Now()
}

// hasAttributed reports whether an attributed variable is among the cells of a frozen term.
func hasAttributed(cells []cell) bool {
	for i := 0; i < len(cells); i++ {
		switch c := cells[i]; {
		case c.Tag() == code.Att:
			return true
		case c.Tag() == code.Hdr && !c.IsFunctor():
			i += c.BlobWords()
		}
	}
	return false
}

// appendKey appends the bytes of a frozen term, which are the same for its variants only.
func appendKey(b []byte, f stacks.Frozen) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(f.Root))
	for _, c := range f.Cells {
		b = binary.LittleEndian.AppendUint64(b, uint64(c))
	}
	return b
}

// newTable makes the table of a frozen goal.
func (m *Machine) newTable(key string, goal stacks.Frozen) *table {
	m.HoldAtoms(goal)
	s := &m.tables
	if s.variants == nil {
		s.variants = map[string]*table{}
	}
	t := &table{key: key, goal: goal, number: len(s.list), index: len(s.pending), low: len(s.pending), maybe: true}
	t.answers.width, t.answers.clock = len(variablesOf(goal)), s.clock
	s.variants[key] = t
	s.list, s.pending = append(s.list, t), append(s.pending, t)
	return t
}

// variablesOf returns the places of the variables of a frozen term.
func variablesOf(f stacks.Frozen) []int {
	var at []int
	for i := 0; i < len(f.Cells); i++ {
		switch c := f.Cells[i]; {
		case c == code.MakeRef(i):
			at = append(at, i)
		case c.Tag() == code.Hdr && !c.IsFunctor():
			i += c.BlobWords()
		}
	}
	return at
}

// tupleOf returns the variables of a goal as a tuple. To reach them, the goal is unified with
// a copy whose layout is known.
func (m *Machine) tupleOf(goal cell, f stacks.Frozen) cell {
	places := variablesOf(f)
	if len(places) == 0 {
		return m.NewAtom("ret")
	}
	base := m.H
	copied := m.Thaw(f)
	vars := make([]cell, len(places))
	for i, at := range places {
		vars[i] = code.MakeRef(base + at)
	}
	m.Unify(goal, copied)
	return m.NewStruct("ret", vars...)
}

// The approximate sizes of a table, and of a note of what it has read.
const (
	tableBytes = 400
	readBytes  = 48
)

// hold accounts for n more bytes of a table.
func (m *Machine) hold(t *table, n int) error {
	err := m.Hold(n)
	if err == nil {
		t.bytes += n
	}
	return err
}

// onTable makes a predicate of a function that takes the table in the first argument.
func onTable(f func(m *Machine, t *table, a []cell) (bool, error)) Func {
	return taking((*Machine).tableArg, f)
}

// tableArg returns the table that an argument names.
func (m *Machine) tableArg(c cell) (*table, error) {
	m.dropDeadFrames()
	if t := m.tableAt(c); t != nil {
		return t, nil
	}
	return nil, m.TypeError("table", c)
}

// tableAt returns the table of a number, or nil.
func (m *Machine) tableAt(c cell) *table {
	c = m.Deref(c)
	if c.Tag() != code.Int || c.Int() < 0 || c.Int() >= int64(len(m.tables.list)) {
		return nil
	}
	return m.tables.list[c.Int()]
}

// tupleArg checks that a dereferenced tuple has n arguments.
func (m *Machine) tupleArg(c cell, n int) error {
	if n > 0 && (!stacks.IsCompound(c) || m.Functor(c).FunctorArity() != n) {
		return m.TypeError("tuple", c)
	}
	return nil
}

// dropDeadFrames forgets evaluations that an exception has ended, and their tables.
func (m *Machine) dropDeadFrames() {
	s := &m.tables
	for n := len(s.frames) - 1; n >= 0; n-- {
		f := s.frames[n]
		if f.obj < len(m.Objs) && m.Objs[f.obj] == any(f) {
			return
		}
		m.dropFrame()
	}
}

// dropFrame forgets the innermost evaluation, with the tables that have begun since.
func (m *Machine) dropFrame() {
	s := &m.tables
	t := s.frame().table
	s.frames = s.frames[:len(s.frames)-1]
	if !t.complete && t.index < len(s.pending) {
		m.abandon(t.index)
	}
}

// abandon forgets the incomplete tables from a place on.
func (m *Machine) abandon(from int) {
	s := &m.tables
	for _, t := range s.pending[from:] {
		m.forget(t)
	}
	clear(s.pending[from:])
	s.pending = s.pending[:from]
}

// forget removes a table from the table space.
func (m *Machine) forget(t *table) {
	m.stopMaking(t)
	delete(m.tables.variants, t.key)
	m.tables.list[t.number] = nil
	_ = m.Hold(-t.bytes) // giving back cannot fail
	t.bytes = 0
}

// frame returns the innermost evaluation, or nil.
func (s *tabling) frame() *tableFrame {
	if len(s.frames) == 0 {
		return nil
	}
	return s.frames[len(s.frames)-1]
}

// begin pushes the frame of an evaluation, or of a part of one.
func (m *Machine) begin(t *table) *tableFrame {
	s := &m.tables
	f := &tableFrame{table: t, obj: len(m.Objs), taint: m.taint(), first: m.tables.unanswered.count, cursor: -1,
		progress: true}
	m.Objs = append(m.Objs, f)
	s.frames = append(s.frames, f)
	m.setTaint(0)
	return f
}

// tblMark notes the end of the continuations of suspended readers of the innermost evaluation, and the target of a cut
// of the goal.
func tblMark(m *Machine, t *table, a []cell) (bool, error) {
	f := m.tables.frame()
	if f == nil || f.table != t {
		return false, m.TypeError("table", a[0])
	}
	f.env, f.level = m.E, m.B
	return true, nil
}

// tblCut ends the search for answers of the innermost evaluation.
func (m *Machine) tblCut(int) error {
	m.dropDeadFrames()
	m.P = m.CP
	if f := m.tables.frame(); f != nil && f.env != 0 {
		m.collectCleanups(f.level, nil)
		m.cutTo(f.level)
	}
	return nil
}

// tblEnd ends the innermost evaluation, which must be that of the table. Objects that its goals have left are dropped.
func tblEnd(m *Machine, t *table, a []cell) (bool, error) {
	s := &m.tables
	f := s.frame()
	if f == nil || f.table != t {
		return false, m.TypeError("table", a[0])
	}
	m.Objs = m.Objs[:f.obj]
	m.endFrame(f)
	m.setTaint(f.taint)
	return true, nil
}

// endFrame takes the frame of the innermost evaluation away. Its remaining work passes to the enclosing evaluation.
func (m *Machine) endFrame(f *tableFrame) {
	s := &m.tables
	s.frames = s.frames[:len(s.frames)-1]
	s.dependOn(f.table)
	if outer := s.frame(); outer != nil {
		outer.queue.take(&f.queue)
	}
}

// dependOn notes that the innermost evaluation depends on a table.
func (s *tabling) dependOn(t *table) {
	if f := s.frame(); f != nil && !t.complete {
		f.table.low = min(f.table.low, t.low)
	}
}

// tblMissed resumes consumers and finds the tables to evaluate again, one after the other, when all clauses of a new
// table have been tried.
func tblMissed(m *Machine, leader *table, a []cell) (bool, error) {
	f := m.tables.frame()
	if f == nil || f.table != leader || leader.complete {
		return false, m.TypeError("table", a[0])
	}
	return m.Alternatives(func(m *Machine, a []cell) (ok, more bool, err error) {
		m.endWork(f)
		for leader.low == leader.index {
			if c := m.nextConsumer(f); c != nil {
				return true, true, m.resume(c)
			}
			if t := m.tables.missed(leader.index); t != nil {
				f.work = m.begin(t)
				m.barrier()
				t.unsure = false
				m.renew(t)
				return m.again(t, a), true, nil
			}
			again, err := m.decideNegation(leader.index)
			if err != nil || !again {
				m.completeFrom(leader.index)
				return false, false, err
			}
		}
		return false, false, nil // an older table leads
	})
}

// barrier pushes a choice point without an alternative, at which cuts in an evaluation stop. A cut of older choice
// points would remove the object of the evaluation.
func (m *Machine) barrier() {
	m.pushChoice(0, addrDead)
	m.Choices[m.B+stacks.ChoiceArity] = 1 << 16 // as for pushDoubt
}

// endWork ends the evaluation that the leader with a frame has begun. Backtracking has taken it off the object stack.
func (m *Machine) endWork(leader *tableFrame) {
	s, w := &m.tables, leader.work
	if w == nil {
		return
	}
	for s.frame() != w {
		m.dropFrame()
	}
	leader.work = nil
	m.endFrame(w)
}

// nextConsumer returns a consumer to resume, or nil.
func (m *Machine) nextConsumer(leader *tableFrame) *consumer {
	for c := leader.queue.pop(); c != nil; c = leader.queue.pop() {
		if m.isAlive(c) {
			return c
		}
	}
	return nil
}

// renew forgets what evaluations of a table have read, before one from the beginning.
func (m *Machine) renew(t *table) {
	m.dropReads(t)
	t.forced = false
	t.round++
	_ = m.hold(t, -t.suspended) // giving back cannot fail
	t.suspended = 0
}

// again returns the goal of a table for another evaluation.
func (m *Machine) again(t *table, a []cell) bool {
	goal := m.Thaw(t.goal)
	return m.Unify(a[1], code.MakeInt(int64(t.number))) && m.Unify(a[2], goal) &&
		m.Unify(a[3], m.tupleOf(goal, t.goal))
}

// missed returns the next table of the component that has missed answers, from a place on, or nil. It sweeps from the
// youngest table to the oldest, as older tables need the answers of younger ones.
func (s *tabling) missed(from int) *table {
	f := s.frame()
	for {
		if f.cursor < from {
			if !f.progress {
				f.progress = true
				return nil
			}
			f.cursor, f.progress = len(s.pending)-1, false
		}
		t := s.pending[f.cursor]
		f.cursor--
		if t.stale() {
			f.progress = true
			return t
		}
	}
}

// stale reports whether a table must be evaluated again.
func (t *table) stale() bool {
	if t.forced {
		return true
	}
	for other, seen := range t.reads {
		if !other.complete && seen < other.answers.len() {
			return true
		}
	}
	return false
}

// completeFrom completes the tables of a component.
func (m *Machine) completeFrom(from int) {
	s := &m.tables
	m.shareDoubt(from)
	for i, t := range s.pending[from:] {
		m.renew(t)
		t.complete, t.best, t.idle = true, nil, nil
		m.decide(t.unanswered)
		before := t.answers.bytes()
		t.answers.finish()
		_ = m.hold(t, t.answers.bytes()-before) // it has become smaller
		m.shareTable(t)
		s.pending[from+i] = nil
	}
	s.pending = s.pending[:from]
	if from == 0 {
		s.returns = nil
	}
}

// tblAdd adds an answer, whose tuple has the arguments of the call that are variables. It succeeds if the table needs
// no further answers, such as the table of a ground goal that has become true. The evaluation then stops.
func tblAdd(m *Machine, t *table, a []cell) (bool, error) {
	cells, err := m.flatten(a[1], t.answers.width)
	if err != nil {
		return false, err
	}
	before, n := t.answers.bytes(), t.answers.len()
	t.answers.add(cells, m.tainted())
	m.noteUnanswered(t)
	if len(t.idle) > 0 && t.answers.len() > n {
		m.wakeConsumers(t)
	}
	if n := t.answers.bytes() - before; n > 0 {
		err = m.hold(t, n)
	}
	return t.settled(), err
}

// flatten freezes a tuple of n arguments: to the arguments alone when all of them are atoms
// and small integers, else with its functor. The result is overwritten by the next call.
func (m *Machine) flatten(tuple cell, n int) ([]cell, error) {
	c := m.Deref(tuple)
	if err := m.tupleArg(c, n); err != nil {
		return nil, err
	}
	flat := m.TupleBuf[:0]
	for i := range n {
		arg := m.Deref(m.Arg(c, i))
		if arg.Tag() != code.Atom && arg.Tag() != code.Int {
			f := m.FreezeWith(c, true)
			if hasAttributed(f.Cells) {
				return nil, m.TypeError("free_of_attvar", c)
			}
			m.HoldAtoms(f)
			return f.Cells, nil
		}
		flat = append(flat, arg)
	}
	m.TupleBuf = flat
	if !m.OwnAtoms.Empty() {
		m.HoldAtoms(stacks.Frozen{Cells: flat})
	}
	return flat, nil
}

// tblAnswers enumerates the answers of a table. An incomplete table may get more answers while they are read, so
// another answer may follow even after the last.
func tblAnswers(m *Machine, t *table, a []cell) (bool, error) {
	if t.complete {
		m.restOnUnanswered(t.unanswered)
	} else {
		m.tables.dependOn(t)
	}
	if t.complete && t.unsure && !t.settled() {
		m.pushDoubt(&doubt{})
	}
	if t.complete && t.answers.sure == t.answers.count && m.IsOpen(a[1], t.answers.width) && countAll(m, t.answers.count) {
		return false, m.Charge(t.answers.count / answersPerCall)
	}
	i := 0
	return m.Alternatives(func(m *Machine, a []cell) (ok, more bool, err error) {
		i = t.answers.nextAfter(i)
		if i >= t.answers.len() {
			return false, false, m.noteEnd(t, i, a[1])
		}
		ok = m.giveAnswer(t, i, a[1])
		i++
		return ok, !t.complete || i < t.answers.len(), m.chargeAnswer(i)
	})
}

// answersPerCall is how many answers cost a reader who passes over them as much as a call.
const answersPerCall = 16

// chargeAnswer accounts for answers that a reader passes over without a call.
func (m *Machine) chargeAnswer(i int) error {
	if i%answersPerCall != 0 {
		return nil
	}
	return m.Charge(1)
}

// noteEnd notes that the innermost evaluation has seen the first n answers of a table: by a consumer, or by their
// number when the reader cannot be suspended.
func (m *Machine) noteEnd(t *table, n int, tuple cell) error {
	if t.complete {
		return nil
	}
	m.dropDeadFrames()
	f := m.tables.frame()
	if f == nil || f.table.settled() {
		return nil
	}
	if ok, err := m.suspend(t, n, tuple); ok || err != nil {
		return err
	}
	reads := f.table.reads
	if reads == nil {
		reads = map[*table]int{}
		f.table.reads = reads
	}
	seen, ok := reads[t]
	if !ok || n < seen {
		reads[t] = n
	}
	if ok {
		return nil
	}
	return m.hold(f.table, readBytes)
}

// dropReads forgets what a table has read.
func (m *Machine) dropReads(t *table) {
	_ = m.hold(t, -readBytes*len(t.reads)) // giving back cannot fail
	t.reads = nil
}

// giveAnswer unifies a tuple with answer i of a table.
func (m *Machine) giveAnswer(t *table, i int, tuple cell) bool {
	if t.answers.undefined(i) {
		m.addTaint()
		m.noteDelay(t, tuple, false)
	}
	cells := m.answerCells(t, i)
	if len(cells) != t.answers.width {
		return m.Unify(tuple, m.Thaw(stacks.Frozen{Root: code.MakeStr(0), Cells: cells}))
	}
	c := m.Deref(tuple)
	if len(cells) > 0 && (!stacks.IsCompound(c) || m.Functor(c).FunctorArity() != len(cells)) {
		return false
	}
	for j, value := range cells {
		if !m.Unify(m.Arg(c, j), value) {
			return false
		}
	}
	return true
}

// tblAbolish is abolish_all_tables/0. Incomplete tables stay, as their evaluations read them.
func tblAbolish(m *Machine, _ []cell) (bool, error) {
	m.dropDeadFrames()
	for _, t := range m.tables.variants {
		if t.complete {
			m.forget(t)
		}
	}
	for _, p := range m.tables.rows {
		m.dropRows(p)
	}
	m.tables.rows = nil
	return true, nil
}

// clausesOf returns the predicate with the clauses of the goal of a table.
func (m *Machine) clausesOf(goal cell) *database.Pred {
	c, mod := m.StripModule(goal)
	if stacks.IsCompound(c) && m.Functor(c) == fnModed {
		c, mod = m.StripModule(m.Arg(c, 0))
	}
	if c.Tag() == code.Atom {
		return mod.Lookup(code.MakeFunctor(c.Atom(), 0))
	}
	return mod.Lookup(m.Functor(c))
}

// shownGoal returns the goal for the clauses of a tabled predicate as the program calls it.
func (m *Machine) shownGoal(goal cell) cell {
	pred := m.clausesOf(goal)
	goal, _ = m.StripModule(goal)
	if stacks.IsCompound(goal) && m.Functor(goal) == fnModed {
		goal, _ = m.StripModule(m.Arg(goal, 0))
	}
	args := make([]cell, pred.Arity())
	for i := range args {
		args[i] = m.Arg(goal, i)
	}
	return m.NewStruct(":", m.NewAtom(pred.Module.Name), m.NewCompound(pred.Shown(), args))
}

// hasClauses returns the error of calling a predicate that was tabled and never defined. A predicate with a further
// declaration needs no clauses.
func (m *Machine) hasClauses(p *database.Pred) error {
	if len(p.Clauses()) > 0 || p.Has(database.Dynamic) || m.Unknown.In(p.Module) == "fail" ||
		p.Module.Find(p.Shown()).Has(database.Multifile|database.Discontiguous) {
		return nil
	}
	return m.unknownError(p.Shown(), p.Module)
}

// fnModed wraps the goal of a mode-directed table: '$moded'(Goal, Tuple, Width, Modes).
var fnModed = code.Functor("$moded", 4)
