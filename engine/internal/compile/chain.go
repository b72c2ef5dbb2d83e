package compile

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
)

// This file defines chains: the code that tries clauses one after the other.

// chain returns the place of code that tries clauses in order. The arguments in done are known to be bound and to have
// the keys of the clauses. A single clause needs no code, unless it has a guard that fails to the else register.
func (k *linker) chain(list []*database.Clause, done uint) place {
	list, sure := upToCommitted(list, done)
	// A predicate with => throws when no clause has matched, so its chain continues after the last clause.
	open := k.unmatched != nil && !sure
	switch {
	case len(list) == 0 && !open:
		return place{address: code.TargetFail}
	case len(list) == 1 && !open && (!list[0].Guarded() || isShallow(list[0])):
		return place{address: k.address(list[0], done)}
	}
	key := k.chainKey(list, done, open)
	if l, ok := k.places[key]; ok {
		return place{label: l, isLabel: true}
	}
	here := k.e.newLabel()
	k.e.bind(here)
	k.places[key] = here
	k.chainCode(list, done, open)
	return place{label: here, isLabel: true}
}

// chainKey identifies a chain by the addresses of its clauses, so that keys which select the same clauses
// share the code.
func (k *linker) chainKey(list []*database.Clause, done uint, open bool) string {
	key := make([]byte, 0, 4*len(list)+1)
	for _, cl := range list {
		a := k.address(cl, done)
		key = append(key, byte(a), byte(a>>8), byte(a>>16), byte(a>>24))
	}
	if open {
		key = append(key, 1)
	}
	return string(key)
}

// address returns the entry of a clause when the arguments in done are known: after the instructions that match
// constants in them.
func (k *linker) address(cl *database.Clause, done uint) uint32 {
	at := cl.Addr()
	for i := range min(k.pred.Arity(), lastArg+1) {
		if (done&^k.unsure)>>i&1 == 0 || !isConstant(cl.ArgKey(i)) {
			continue
		}
		// A switch has already compared the constant, so its instruction is skipped.
		w := k.words[at]
		if op := w.Op(); op != code.OpGetAtom && op != code.OpGetInt || int(w.A()) != i {
			break
		}
		at++
	}
	return at
}

// upToCommitted drops the clauses after one that matches every such call and cuts at once, as no call reaches them.
func upToCommitted(list []*database.Clause, done uint) (some []*database.Clause, sure bool) {
	for i, cl := range list {
		if cutsAtOnce(cl) && matchesAlways(cl, done) {
			return list[:i+1], true
		}
	}
	return list, false
}

// chainCode emits a chain. A clause with a guard is tried without a choice point until the end of its guard. After
// clauses that were tried with a choice point, this is popped first. In an open chain the call that reports unmatched
// goals comes last.
func (k *linker) chainCode(list []*database.Clause, done uint, open bool) {
	tried := false
	for i, cl := range list {
		last := i == len(list)-1 && !open
		switch {
		case isLate(cl) && !last && !tried:
			if k.late(cl, list[i+1:], done, open) {
				return
			}
		case cl.Guarded() && !(last && isShallow(cl)):
			if tried {
				k.popChoice()
			}
			tried = false
			k.guarded(cl, done, last)
		case last && tried:
			k.to(code.OpTrust, cl, done)
		case last:
			k.to(code.OpJump, cl, done)
		case tried:
			k.to(code.OpRetry, cl, done)
		default:
			k.to(code.OpTry, cl, done)
			tried = true
		}
	}
	if open {
		k.fail(tried)
	}
}

// to emits an instruction that jumps to a clause.
func (k *linker) to(op code.Op, cl *database.Clause, done uint) {
	arity := 0
	if op == code.OpTry {
		arity = k.pred.Arity()
	}
	k.e.put(code.Make(op, arity, 0, 0, k.address(cl, done)))
	k.e.fence()
}

// popChoice emits the instruction that restores the arguments and pops the choice point.
func (k *linker) popChoice() {
	next := k.e.newLabel()
	k.e.jump(code.Make(code.OpTrust, 0, 0, 0, 0), next)
	k.e.bind(next)
}

// guarded emits the entry of a clause with a guard. If the guard fails, the code after it is next.
func (k *linker) guarded(cl *database.Clause, done uint, last bool) {
	if isShallow(cl) {
		k.to(code.OpShallow, cl, done)
		return
	}
	k.to(code.OpGuard, cl, done)
	if last {
		k.e.put(code.Make(code.OpFail, 0, 0, 0, 0))
	}
}

// late emits the entry of a clause whose choice point is pushed after its head has matched. rest are the clauses that
// follow. It returns true if this is a single clause that needs no choice point, as the chain is then complete.
func (k *linker) late(cl *database.Clause, rest []*database.Clause, done uint, open bool) bool {
	e := &k.e
	// The word after the instruction has two addresses: the next clause if the head fails, and the alternative of the
	// choice point.
	at := len(e.code) + 1
	e.put(code.Make(code.OpTryHead, k.pred.Arity(), 0, 0, k.address(cl, done)), 0)
	e.fence()
	again := e.newLabel()
	e.bind(again)
	k.halves = append(k.halves, database.Half{At: at, Shift: 32, Label: int(again)})
	if len(rest) == 1 && !open && (!rest[0].Guarded() || isShallow(rest[0])) {
		e.code[at] |= code.Instr(k.address(rest[0], done))
		k.to(code.OpTrust, rest[0], done)
		return true
	}
	next := e.newLabel()
	k.halves = append(k.halves, database.Half{At: at, Label: int(next)})
	e.jump(code.Make(code.OpTrust, 0, 0, 0, 0), next)
	e.bind(next)
	return false
}

// isLate reports whether the choice point of a clause that is not the last is best pushed after its head has matched.
func isLate(cl *database.Clause) bool { return !cl.Guarded() && hasLateNeck(cl) }

// isShallow reports whether the head of a guarded clause belongs to the guard.
func isShallow(cl *database.Clause) bool { return cl.Guarded() && !matchesAlways(cl, 0) }

// fNoRule is the predicate that is called with a goal for which a predicate with => has no clause. It throws an
// existence error, as in SWI-Prolog.
var fNoRule = code.Functor("$no_matching_rule", 1)

// fail emits the code for the case that no clause is left: throwing, for a predicate with =>.
func (k *linker) fail(tried bool) {
	op := code.OpJump
	if tried {
		op = code.OpTrust
	}
	if k.failing.isLabel {
		k.e.jump(code.Make(op, 0, 0, 0, 0), k.failing.label)
		k.e.fence()
		return
	}
	k.failing = place{label: k.e.newLabel(), isLabel: true}
	if tried {
		k.e.jump(code.Make(op, 0, 0, 0, 0), k.failing.label)
	}
	k.e.bind(k.failing.label)
	k.callUnmatched()
}

// callUnmatched emits the call that throws; its argument is the goal, with its module unless that is user.
func (k *linker) callUnmatched() {
	e := &k.e
	number := max(1, k.pred.Arity())
	if k.pred.Arity() == 0 {
		e.constant(code.OpPutAtom, number, k.pred.Functor.FunctorName())
	} else {
		e.put(code.Make(code.OpPutStruct, number, 0, 0, 0), k.pred.Functor)
		for i := range k.pred.Arity() {
			e.put(code.Make(code.OpSetValX, i, 0, 0, 0))
		}
	}
	if k.pred.Module.Name == "user" {
		e.put(code.Make(code.OpMove, number, 0, 0, 0))
	} else {
		e.put(code.Make(code.OpPutStruct, 0, 0, 0, 0), code.FColon)
		e.constant(code.OpSetAtom, 0, code.AtomCell(k.pred.Module.Name))
		e.put(code.Make(code.OpSetValX, number, 0, 0, 0))
	}
	e.put(code.Make(code.OpExecute, 1, 0, 0, k.unmatched.Entry))
	e.fence()
}
