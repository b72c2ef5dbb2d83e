package machine

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines the control predicates that the machine runs itself: call/N, catch/3 and
// the interpretation of control constructs inside call/1 (ISO 13211-1, 7.8). A goal without
// module means module user; compiled code qualifies the goals it passes on elsewhere.

// control runs a predicate whose arguments are in the registers and whose continuation is m.cp, by setting m.p.
type control func(m *Machine, arity int) error

// Controls returns the table of control predicates; they have no Func.
func Controls() []Builtin {
	list := []Builtin{
		{Name: "$body", Arity: 2, control: (*Machine).controlBody},
		{Name: "catch", Arity: 3, control: (*Machine).controlCatch, Meta: "0?0",
			Modes: ":goal, ?catcher, :recovery",
			Doc:   "Calls goal; an exception that unifies with catcher is handled by recovery."},
		{Name: "$setup_call_cleanup", Arity: 2, control: (*Machine).controlCleanup, Meta: "00"},
		{Name: "prolog_cut_to", Arity: 1, control: (*Machine).controlCutTo, Modes: "+choice",
			Doc: "Removes the choice points made since prolog_current_choice/1 returned choice."},
	}
	metas := "0123456789::::::" // call/N with more than nine further arguments has no digit
	for n := 1; n <= len(metas); n++ {
		spec := bytes.Repeat([]byte("?"), n)
		spec[0] = metas[n-1]
		list = append(list, Builtin{Name: "call", Arity: n, control: (*Machine).controlCall, Meta: string(spec),
			Modes: ":goal, ?argument, ...", Doc: "Calls goal with the further arguments added to it."})
	}
	return slices.Concat(list, globalTable, findallTable, limitTable, alarmTable, tableListTable, tablingTable,
		engineTable, queueTable, trieTable, transactionTable, undoTable, rightsTable)
}

// IsControl reports whether the entry is run by the machine itself.
func (b *Builtin) IsControl() bool { return b.control != nil }

// callControl runs a predicate that the machine itself runs, such as call/1. Goals that a unification has woken run
// first; the instruction is then executed again.
func (m *Machine) callControl(p *database.Pred) error {
	if m.goalsWait() {
		m.P--
		m.Live = p.Arity()
		m.startWake()
		return nil
	}
	return m.builtins[p.Builtin].control(m, p.Arity())
}

// controlCall is call/1 to call/16.
func (m *Machine) controlCall(arity int) error {
	if arity == 1 {
		return m.callGoal(m.X[0], m.B)
	}
	goal, mod := m.StripModule(m.X[0])
	switch {
	case stacks.IsVar(goal):
		return m.InstantiationError()
	case !stacks.IsCallable(goal), IsDict(m, goal):
		return m.TypeError("callable", goal)
	}
	name, n := goal, 0
	if goal.Tag() != code.Atom {
		f := m.Functor(goal)
		name, n = f.FunctorName(), f.FunctorArity()
	}
	extra := arity - 1
	functor := code.MakeFunctor(name.Atom(), n+extra)
	if noCall(functor) || n+extra > MaxArgs {
		args := make([]cell, 0, n+extra)
		for i := range n {
			args = append(args, m.Arg(goal, i))
		}
		args = append(args, m.X[1:arity]...)
		return m.callIn(m.NewCompound(functor, args), mod, m.B)
	}
	copy(m.X[n:n+extra], m.X[1:arity])
	m.loadArgs(goal, n)
	if mod != m.program.User() {
		functor, mod = m.qualifyArgs(functor, mod)
	}
	return m.invoke(functor, mod)
}

// MaxArgs is the largest arity of a predicate: the number of argument registers.
const MaxArgs = 255

// StripModule removes the module qualifications of a goal and returns the dereferenced goal.
func (m *View) StripModule(c cell) (goal cell, mod *database.Module) {
	mod = m.program.User()
	c = m.Deref(c)
	const deep = 1000 // more qualifications than that are a cyclic term
	for n := 0; n < deep && c.Tag() == code.Str && m.Heap[c.Addr()] == code.FColon; n++ {
		name := m.Deref(m.Arg(c, 0))
		if name.Tag() != code.Atom {
			return c, mod
		}
		mod = m.program.Mentioned(stacks.AtomText(name))
		c = m.Deref(m.Arg(c, 1))
	}
	return c, mod
}

// loadArgs puts the first n arguments of a dereferenced goal into the registers.
func (m *Machine) loadArgs(goal cell, n int) {
	if n > 0 {
		at := m.ArgAddr(goal, 0)
		copy(m.X[:n], m.Heap[at:at+n])
	}
}

// invoke goes to the predicate functor of mod, nil for one that the machine itself calls; its arguments are in
// the registers.
func (m *Machine) invoke(functor cell, mod *database.Module) error {
	p := m.predicate(functor, mod)
	if p == nil {
		return m.unknown(functor, mod)
	}
	m.P = int(p.Entry)
	if m.P >= len(m.Code) {
		m.loadCode()
	}
	m.B0 = m.B
	m.Fuel--
	if m.Fuel < 0 || m.H > m.HSoft {
		m.Live = functor.FunctorArity()
		return m.check()
	}
	return nil
}

// qualifyArgs gives the goals among the arguments of a call in mod their module. It returns the predicate to be called:
// for a transparent predicate, the predicate that has the clauses.
func (m *Machine) qualifyArgs(functor cell, mod *database.Module) (cell, *database.Module) {
	p := m.predicate(functor, mod)
	if p == nil {
		return functor, mod
	}
	if !p.Defined() {
		if p, _ = m.resolve(p); p == nil { // the call reports an error
			return functor, mod
		}
		m.Code = m.program.Code() // a library may have been loaded
	}
	meta := p.Meta()
	for i := range len(meta) {
		if database.DependsOnModule(meta[i]) {
			if arg := m.Deref(m.X[i]); arg.Tag() != code.Str || m.Heap[arg.Addr()] != code.FColon {
				m.X[i] = m.qualify(m.X[i], mod)
			}
		}
	}
	own := p.Context()
	if own == nil || own.Arity() > MaxArgs {
		return functor, mod
	}
	copy(m.X[1:own.Arity()], m.X[:own.Arity()-1])
	m.X[0] = m.NewAtom(mod.Name)
	return own.Functor, own.Module
}

// qualifyOwn gives each module-sensitive argument of a call of p, in the registers, exactly one module. Callers in user
// pass such arguments without a module.
func (m *Machine) qualifyOwn(p *database.Pred) {
	meta := p.Meta()
	for i := range len(meta) {
		if !database.DependsOnModule(meta[i]) {
			continue
		}
		arg := m.Deref(m.X[i])
		plain, mod := m.StripModule(arg)
		if arg.Tag() == code.Str && m.Heap[arg.Addr()] == code.FColon && m.Deref(m.Arg(arg, 1)) == plain && plain != arg {
			continue
		}
		m.X[i] = m.NewCompound(code.FColon, []cell{m.NewAtom(mod.Name), plain})
	}
}

// predCache is the cache of predicate lookups by goals.
type predCache struct {
	lines  [64]predKey
	sweeps uint64 // of the program, when the lines were good
}

// renew empties the cache if predicates have been removed since it was used last.
func (c *predCache) renew(sweeps uint64) {
	if c.sweeps != sweeps {
		*c = predCache{sweeps: sweeps}
	}
}

// predKey is a cache line of predicate lookups by goals.
type predKey struct {
	functor cell
	mod     *database.Module // nil for control constructs
	pred    *database.Pred
}

// loadable reports whether a library defines a functor, and loads that library.
func (m *Machine) loadable(functor cell) bool {
	if m.program.Loader == nil {
		return false
	}
	p, err := m.program.Loader.Autoload(functor, m.Loading)
	return p != nil || err != nil
}

// predicate finds the predicate that a call of functor in mod enters, see invoke. It returns nil for an unknown
// predicate, as names in goals are not kept. A goal cannot call an internal predicate, whatever module it names.
func (m *Machine) predicate(functor cell, mod *database.Module) *database.Pred {
	line := &m.preds.lines[code.SwitchHash(functor, len(m.preds.lines)-1)]
	if line.functor == functor && line.mod == mod {
		return line.pred
	}
	in := mod
	if in == nil {
		in = m.program.System()
	}
	p := in.Resolve(functor)
	if p == nil && in.Find(functor) == nil && !m.loadable(functor) {
		return nil
	}
	if p == nil || !p.Has(database.Locked) {
		p = in.Lookup(functor)
	}
	if p.Has(database.Internal) && mod != nil {
		return nil
	}
	*line = predKey{functor, mod, p}
	return p
}

// noCall reports whether a goal with this functor calls no predicate: control constructs, and Module:Goal.
func noCall(f cell) bool { return f == code.FColon || code.Control(f) }

// callGoal calls a goal; a cut in it is local to level.
func (m *Machine) callGoal(c cell, level int) error {
	goal, mod := m.StripModule(c)
	return m.callIn(goal, mod, level)
}

// callIn calls the dereferenced goal in mod.
func (m *Machine) callIn(goal cell, mod *database.Module, level int) error {
	switch goal.Tag() {
	case code.Ref, code.Att:
		return m.InstantiationError()
	case code.Atom:
		if goal == code.ACut || goal == aWatch { // $/0 watches the rest of a clause only
			m.P = m.CP
			return m.cutNow(level)
		}
		f := code.MakeFunctor(goal.Atom(), 0)
		if mod != m.program.User() {
			f, mod = m.qualifyArgs(f, mod)
		}
		return m.invoke(f, mod)
	case code.Str:
		f := m.Heap[goal.Addr()]
		if f == code.FNot { // its goal is a body by itself (ISO 8.15.1)
			return m.controlConstruct(goal, f, mod, level)
		}
		if f == code.FCut { // !() is no cut
			m.P = m.CP
			return nil
		}
		if noCall(f) {
			body, err := m.Body(goal)
			if err != nil {
				return err
			}
			return m.controlConstruct(body, f, mod, level)
		}
		if f.FunctorArity() > MaxArgs {
			return m.RepresentationError("max_procedure_arity")
		}
		return m.invokeGoal(goal, f, mod)
	case code.Lst: // [File|Files], which loads files
		return m.invokeGoal(goal, code.FDot, mod)
	}
	return m.TypeError("callable", goal)
}

// invokeGoal calls the predicate of a functor with the arguments of goal, qualified if the predicate is
// module-sensitive.
func (m *Machine) invokeGoal(goal, f cell, mod *database.Module) error {
	m.loadArgs(goal, f.FunctorArity())
	if mod != m.program.User() {
		f, mod = m.qualifyArgs(f, mod)
	}
	return m.invoke(f, mod)
}

// controlBody is '$body'(Goal, Level): calls Goal, whose cuts go to choice point Level.
func (m *Machine) controlBody(int) error { return m.callBody(m.X[0], int(m.Deref(m.X[1]).Int())) }

// callBody calls a body that is known to consist of callable goals.
func (m *Machine) callBody(body cell, level int) error {
	goal, mod := m.StripModule(body)
	if goal.Tag() == code.Str && noCall(m.Heap[goal.Addr()]) {
		return m.controlConstruct(goal, m.Heap[goal.Addr()], mod, level)
	}
	return m.callIn(goal, mod, level)
}

// controlConstruct hands a control construct to the library predicate that runs it.
func (m *Machine) controlConstruct(goal, f cell, mod *database.Module, level int) error {
	cut := code.MakeInt(int64(level))
	left := m.qualify(m.Arg(goal, 0), mod)
	if f == code.FNot {
		m.X[0] = left
		return m.invoke(fnNot, nil)
	}
	right := m.qualify(m.Arg(goal, 1), mod)
	m.X[0], m.X[1], m.X[2] = left, right, cut
	switch f {
	case code.FComma:
		return m.invoke(fnAnd, nil)
	case code.FArrow:
		return m.invoke(fnThen, nil)
	case code.FSoft:
		return m.invoke(fnSoft, nil)
	case code.FColon:
		return m.moduleGoal(goal)
	}
	return m.disjunction(m.Arg(goal, 0), right, mod, cut)
}

// disjunction runs (Left ; Right), an if-then-else included.
func (m *Machine) disjunction(left, right cell, mod *database.Module, cut cell) error {
	c := m.Deref(left)
	if c.Tag() == code.Str {
		f := m.Heap[c.Addr()]
		if f == code.FArrow || f == code.FSoft {
			m.X[0] = m.qualify(m.Arg(c, 0), mod)
			m.X[1] = m.qualify(m.Arg(c, 1), mod)
			m.X[2], m.X[3] = right, cut
			if f == code.FArrow {
				return m.invoke(fnIte, nil)
			}
			return m.invoke(fnSoftIte, nil)
		}
	}
	return m.invoke(fnOr, nil)
}

// moduleGoal reports a goal whose module is not an atom.
func (m *Machine) moduleGoal(goal cell) error {
	name := m.Deref(m.Arg(goal, 0))
	if stacks.IsVar(name) {
		return m.InstantiationError()
	}
	return m.TypeError("atom", name)
}

// qualify returns the goal with its module, unless that is user.
func (m *Machine) qualify(goal cell, mod *database.Module) cell {
	if mod == m.program.User() {
		return goal
	}
	return m.NewCompound(code.FColon, []cell{m.NewAtom(mod.Name), goal})
}

// The predicates of module system that run control constructs; see ControlSource.
var (
	fnAnd     = code.Functor("$and", 3)
	fnOr      = code.Functor("$or", 3)
	fnThen    = code.Functor("$then", 3)
	fnSoft    = code.Functor("$soft", 3)
	fnIte     = code.Functor("$ite", 4)
	fnSoftIte = code.Functor("$soft_ite", 4)
	fnNot     = code.Functor("\\+", 1)
	fnUnknown = code.Functor("$unknown_procedure", 1)
	fnDefine  = code.Functor("$undefined_call", 2)
)

// fException is the hook user:exception/3, which may define unknown procedures and global variables.
var fException = code.Functor("exception", 3)

// ControlSource defines control constructs as predicates, for goals that are built at run
// time. The last argument is the choice point that a cut goes to.
const ControlSource = `
:- meta_predicate \+ 0, not(0), once(0), ignore(0), forall(0, 0), findall(?, 0, -), findall(?, 0, -, ?),
    setup_call_cleanup(0, 0, 0), call_cleanup(0, 0), catch_with_backtrace(0, ?, 0).
true.
!.
fail :- fail.
false :- fail.
repeat.
repeat :- repeat.
'$and'(A, B, C) :- '$body'(A, C), '$body'(B, C).
'$or'(A, _, C) :- '$body'(A, C).
'$or'(_, B, C) :- '$body'(B, C).
'$then'(A, B, C) :- ( call(A) -> '$body'(B, C) ).
'$soft'(A, B, C) :- ( call(A) *-> '$body'(B, C) ; fail ).
'$ite'(A, B, D, C) :- ( call(A) -> '$body'(B, C) ; '$body'(D, C) ).
'$soft_ite'(A, B, D, C) :- ( call(A) *-> '$body'(B, C) ; '$body'(D, C) ).
A \= B :- ( '$unify'(A, B, system:(\=)/2) -> fail ; true ).
\+ A :- ( call(A) -> fail ; true ).
not(A) :- ( call(A) -> fail ; true ).
(A , B) :- call((A, B)).
(A ; B) :- call((A ; B)).
(A '|' B) :- call((A ; B)).
(A -> B) :- call((A -> B)).
(A *-> B) :- call((A *-> B)).
M : G :- call(M:G).
once(A) :- ( call(A) -> true ).
ignore(A) :- ( call(A) -> true ; true ).
forall(A, B) :- \+ ( call(A), \+ call(B) ).
apply(A, Args) :- '$must_be_callable'(A), A2 =.. [call, A|Args], call(A2).
findall(T, G, L) :- '$findall_start'(M), ( call(G), '$findall_add'(M, T), fail ; '$findall_collect'(M, L) ).
findall(T, G, L, E) :- '$findall_start'(M), ( call(G), '$findall_add'(M, T), fail ; '$findall_collect'(M, L, E) ).
catch_with_backtrace(G, C, R) :- catch(G, C, R).
setup_call_cleanup(S, G, C) :- ( call(S) -> true ; fail ), '$must_be_callable'(C), '$setup_call_cleanup'(G, C).
call_cleanup(G, C) :- '$must_be_callable'(C), '$setup_call_cleanup'(G, C).
`

// controlCatch is catch/3. An environment marks the extent of the goal. A choice point with the arguments marks where
// to continue after an exception.
func (m *Machine) controlCatch(int) error {
	m.pushFrame(1)
	m.CP = addrPopCatch // tells the collector how many slots the choice point's environment has
	m.pushChoice(3, addrCatch)
	m.Envs[m.E+stacks.EnvY] = code.MakeInt(int64(m.B))
	return m.callGoal(m.X[0], m.B)
}

// pushFrame pushes an environment of n slots, each initialised with a value.
func (m *Machine) pushFrame(n int) {
	for m.Etop+stacks.EnvY+n > len(m.Envs) {
		m.GrowEnvs()
	}
	e := m.Etop
	m.Envs[e+stacks.EnvE], m.Envs[e+stacks.EnvCP] = cell(m.E), cell(m.CP)
	for i := range n {
		m.Envs[e+stacks.EnvY+i] = code.MakeInt(0)
	}
	m.E, m.Etop = e, e+stacks.EnvY+n
}

// popFrame drops the current environment.
func (m *Machine) popFrame() {
	e := m.E
	m.CP, m.E = int(m.Envs[e+stacks.EnvCP]), int(m.Envs[e+stacks.EnvE])
	m.Etop = max(e, m.Betop)
}

// callUndefined resolves a predicate without code of its own. It may be an import, or come from a parent module or a
// library, or be a dynamic predicate made at run time, or be undefined.
func (m *Machine) callUndefined(p *database.Pred) error {
	target, err := m.resolve(p)
	if err != nil {
		return err
	}
	if target == nil {
		return m.unknown(p.Functor, p.Module)
	}
	if target.Has(database.Dynamic) {
		return m.callDynamic(target)
	}
	m.P = int(target.Entry)
	const patience = 1000 // a load on another goroutine may unlink the predicate each time
	for range patience {
		m.loadCode()
		if m.Code[m.P].Op() != code.OpUndefined {
			return nil
		}
		if !target.Defined() {
			break
		}
		if err := m.compile.Link(target); err != nil { // waits for a goroutine that is linking it
			return err
		}
	}
	return m.unknown(p.Functor, p.Module)
}

// resolve finds the definition of a predicate, loading a library if need be; nil means none.
func (m *Machine) resolve(p *database.Pred) (*database.Pred, error) {
	if p.Defined() {
		return p, nil
	}
	if t := p.Module.Resolve(p.Functor); t != nil {
		return t, nil
	}
	if t := p.Exporter(); t != nil {
		return t, nil
	}
	if m.program.Loader == nil {
		return nil, nil
	}
	t, err := m.program.Loader.Autoload(p.Functor, m.Loading)
	if t != nil && !m.Loading {
		p.NoteExporter(t)
	}
	return t, err
}

// unknown handles a call of an undefined procedure: it calls the hook of the program, if there is one, otherwise throws
// an existence error. It fails, perhaps after a warning, when the flag unknown says so.
func (m *Machine) unknown(functor cell, mod *database.Module) error {
	if m.Unknown.In(mod) == "fail" {
		m.P = addrFail
		return nil
	}
	if mod != nil {
		if p := mod.Find(functor); p != nil {
			if t := p.Imported(); t != nil {
				p = t
			}
			functor, mod = p.Shown(), p.Module
		}
	}
	user := m.program.User()
	if user.FindHook(fException) != nil {
		m.X[0], m.X[1] = m.calledGoal(functor), m.NewAtom(cmp.Or(mod, user).Name)
		return m.invoke(fnDefine, nil)
	}
	return m.unknownError(functor, mod)
}

// In is the value in a module; nil is user.
func (u *Unknown) In(mod *database.Module) string {
	if mod == nil {
		return u.Value
	}
	if value, ok := u.of[mod.Name]; ok {
		return value
	}
	return cmp.Or(mod.Unknown, u.Value)
}

// maxUnknown is the number of modules for which goals of a run may set the flag unknown.
const maxUnknown = 1000

// SetIn sets the value in a module other than user for the rest of the run. It reports whether there is room for it.
func (u *Unknown) SetIn(mod *database.Module, value string) bool {
	if _, ok := u.of[mod.Name]; !ok && len(u.of) == maxUnknown {
		return false
	}
	u.of = maps.Clone(u.of)
	if u.of == nil {
		u.of = map[string]string{}
	}
	u.of[mod.Name] = value
	return true
}

// unknownError throws the existence error of an undefined procedure, or fails after a warning.
func (m *Machine) unknownError(functor cell, mod *database.Module) error {
	if functor.FunctorName() == DictName {
		return m.TypeError("callable", m.calledGoal(functor))
	}
	pi := m.procedure(functor, mod)
	if m.Unknown.In(mod) == "warning" {
		m.X[0] = pi
		return m.invoke(fnUnknown, nil)
	}
	formal := m.NewStruct("existence_error", m.NewAtom("procedure"), pi)
	return m.Throw(m.NewCompound(code.FError, []cell{formal, pi}))
}

// procedure returns the indicator of a predicate, with its module unless that is user.
func (m *Machine) procedure(functor cell, mod *database.Module) cell {
	return m.qualify(m.Indicator(functor), mod)
}
