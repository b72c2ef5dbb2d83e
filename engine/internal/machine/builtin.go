package machine

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/effects"
)

// This file defines how predicates written in Go are described and called.

// Func runs a predicate written in Go. The arguments are not dereferenced. It returns false to
// fail and an error to throw: one of the Throw family ([Machine.TypeError] ...), or [ErrSuspend].
// Bindings it made before failing are undone. It may build terms on the heap freely but must
// not keep cells after it returns. For more than one answer it returns [Machine.Alternatives].
type Func func(m *Machine, a []cell) (bool, error)

// Next produces the next answer of a nondeterministic predicate: it unifies the answer with the arguments a, which have
// the values of the call. more false means that no other answer can follow. If ok is false and more is true, Next is
// called again at once. State between answers lives in Go values captured by the function; cells other than a must not
// be kept, they move.
type Next func(m *Machine, a []cell) (ok, more bool, err error)

// Builtin describes a predicate written in Go, one entry of a table.
type Builtin struct {
	Name  string
	Arity int
	Func  Func
	// Modes shows the arguments as in a mode declaration, such as "+atom, -list".
	Modes string
	// Doc is one sentence.
	Doc string
	// Nondet is set when Func may call Alternatives.
	Nondet bool
	// Meta is the meta_predicate specification such as "0?-", one character an argument; "" when no argument is a goal.
	Meta string
	// Module is where the predicate is defined; "" stands for system.
	Module string
	// Foreign is set for the predicates of Go programs that embed this one.
	Foreign bool

	control  control // for predicates that the machine runs itself
	collects bool    // it gives a solution to a bag
}

// CountModes returns how many arguments Modes shows.
func (b *Builtin) CountModes() int {
	n, depth := 0, 0
	for i, r := range b.Modes {
		switch {
		case r == '(' || r == '[':
			depth++
		case r == ')' || r == ']':
			depth--
		case i == 0 || r == ',' && depth == 0:
			n++
		}
	}
	return n
}

// Alternatives makes the running built-in nondeterministic: its answers are those of next.
// Use it as `return m.Alternatives(next)`.
func (m *Machine) Alternatives(next Next) (bool, error) {
	m.pendingNext = next
	return true, nil
}

// Sequence is Alternatives for answers that hold something outside of the machine. stop is called once,
// when no more of them are wanted: after the last answer, a cut, an exception or the end of the run. held returns the
// atoms that next keeps for later answers. A nil held stands for none.
func (m *Machine) Sequence(next Next, stop func(), held func() []cell) (bool, error) {
	m.pendingSequence = &sequence{next: next, stop: stop, held: held}
	return m.Alternatives(next)
}

// Guard makes the running built-in leave a choice point that has no other answer. stop is called once: when the goals
// that follow have been cut, have failed or thrown, or when the run ends. If cleanup goals of those goals are still
// queued then, the goal late is called after them in place of stop.
func (m *Machine) Guard(stop func(), late cell) (bool, error) {
	m.pendingSequence = &sequence{next: nextOfGuard, stop: stop, late: late}
	return m.Alternatives(nextOfGuard)
}

// nextOfGuard has one answer: when backtracking reaches its choice point there is no other.
func nextOfGuard(m *Machine, _ []cell) (ok, more bool, err error) {
	guard := m.Objs[len(m.Objs)-1].(*sequence)
	guard.entered = !guard.entered
	return guard.entered, guard.entered, nil
}

// sequence is what a Sequence or a Guard keeps on the object stack; CutHook counts those that are alive.
type sequence struct {
	next    Next
	stop    func()
	held    func() []cell
	late    cell // of a Guard
	entered bool
}

// heldCells returns the atoms that are kept for answers to come.
func (s *sequence) heldCells() [][]cell {
	if s.held == nil {
		return nil
	}
	return [][]cell{s.held()}
}

// close stops a sequence unless that has been done.
func (s *sequence) close(m *Machine) {
	if s.stop != nil {
		stop := s.stop
		s.stop = nil
		m.CutHook--
		stop()
	}
}

// internals are the predicates of module system that take numbers of choice points, of bags or of limits. A program
// that called them could break the machine or lift its limits, so they do not exist for clauses of programs and for
// goals. The other predicates in $ check their arguments.
var internals = func() map[cell]bool {
	functors := map[cell]bool{fnAnd: true, fnOr: true, fnThen: true, fnSoft: true, fnIte: true, fnSoftIte: true,
		code.FCallTo: true, code.Functor("$setup_call_cleanup", 2): true,
		code.Functor("$tbl_mark", 1): true, code.Functor("$tbl_cut", 1): true, fnMore: true}
	for _, list := range [][]Builtin{findallTable, limitTable, alarmTable, rightsTable[:3]} {
		for _, b := range list {
			if b.Name[0] == '$' {
				functors[code.Functor(b.Name, b.Arity)] = true
			}
		}
	}
	return functors
}()

// IsInternal reports whether the predicate of module system with this functor is for the system and libraries only.
func IsInternal(functor code.Cell) bool { return internals[functor] }

// taking returns a predicate that calls find for its first argument and passes on the result.
func taking[T any](
	find func(*Machine, cell) (T, error), f func(m *Machine, it T, a []cell) (bool, error),
) Func {
	return func(m *Machine, a []cell) (bool, error) {
		it, err := find(m, a[0])
		if err != nil {
			return false, err
		}
		return f(m, it, a)
	}
}

// isForeign reports whether a predicate is written in Go by the program that embeds this one.
func (m *Machine) isForeign(p *database.Pred) bool {
	return p.Builtin >= 0 && m.builtins[p.Builtin].Foreign
}

// reading is the program as the run sees it, for functions that read its clauses.
func (m *Machine) reading() *effects.Run {
	return &effects.Run{Program: m.program, Tx: m.tx, Loading: m.Loading, Foreign: m.isForeign, Charge: m.Charge}
}

// EffectOf returns what a predicate does, and the predicate that it calls for this effect. The third result is the
// predicate by which it reads user_input, nil for none.
func EffectOf(m *Machine, pred *database.Pred) (worst effects.Effect, by, reads *database.Pred) {
	return effects.Of(m.reading(), &m.shared().rules, pred)
}
