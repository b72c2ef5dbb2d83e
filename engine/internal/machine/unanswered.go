package machine

import (
	"fmt"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines which results depend on unanswered questions.
//
// For such a question a goal gets an answer that says so, and may handle it. If the goal fails instead, however far
// after the question, its failure decides nothing. A derivation therefore carries the number of each meeting with such
// a question until backtracking. Whatever takes a solution of the derivation settles the numbers. Values that leave it,
// through findall/3, a table or a ball, take a new number along. A number that is neither settled nor carried by the
// derivation at its end has been backtracked over: its goal has failed.

// unanswered holds the occurrences of unanswered questions in a run.
type unanswered struct {
	count   int
	first   string // says what nobody has answered
	decided map[int]bool
	last    map[string]int // the newest number of a question at a place
	before  map[int]int    // the number of the same question at the same place before
}

// LeaveUnanswered notes that the derivation depends on an unanswered question: that of the waiting predicate, or "".
// says describes it in words.
func LeaveUnanswered(m *Machine, question, says string) {
	u := &m.tables.unanswered
	if u.count == 0 {
		u.first = says
		u.decided, u.last, u.before = map[int]bool{}, map[string]int{}, map[int]int{}
		m.CutHook++ // forall/2 is to tell of its solutions
	}
	if question != "" { // a goal that asks once more treats what it comes to at last
		at, _ := m.returnAddresses(nil)
		key := fmt.Sprint(question, at)
		if n, again := u.last[key]; again {
			u.before[u.count] = n
		}
		u.last[key] = u.count
	}
	rests := m.Envs[restsAt]
	m.SetArg(rests, 2, m.NewList(code.MakeInt(int64(u.count)), m.Arg(rests, 2)), true)
	u.count++
}

// Undecided returns, after an answer or the end of the answers, the first unanswered question after which a goal has
// failed, or "". An answer settles the questions that it depends on.
func Undecided(m *Machine, status Status) string {
	u := &m.tables.unanswered
	if status == True {
		m.decide(m.unansweredSince(0, 0))
	}
	if status == Suspended || len(u.decided) == u.count {
		return ""
	}
	return u.first
}

// unansweredSince returns the numbers from first on that the derivation carries, and that are not older than an address
// of the heap.
func (m *Machine) unansweredSince(first, addr int) (numbers []int) {
	if m.tables.unanswered.count <= first {
		return nil
	}
	for list := m.Deref(m.Arg(m.Envs[restsAt], 2)); list.Tag() == code.Lst && list.Addr() >= addr; {
		n := int(m.Deref(m.Arg(list, 0)).Int())
		if n < first {
			break
		}
		numbers = append(numbers, n)
		list = m.Deref(m.Arg(list, 1))
	}
	return numbers
}

// decide settles the questions of a derivation that has had a solution.
func (m *Machine) decide(numbers []int) {
	u := &m.tables.unanswered
	for _, n := range numbers {
		for again := true; again && !u.decided[n]; {
			u.decided[n] = true
			n, again = u.before[n]
		}
	}
}

// restOnUnanswered makes the derivation depend on the unanswered questions of another derivation whose solution it
// uses.
func (m *Machine) restOnUnanswered(numbers []int) {
	if len(numbers) > 0 {
		m.decide(numbers)
		LeaveUnanswered(m, "", "")
	}
}

// settleEach settles the questions that a solution of forall/2 depends on. m.p is at the failure that leads to the next
// solution. Its instruction names the slot with the choice point before the goal.
func (m *Machine) settleEach(w code.Instr) {
	if m.tables.unanswered.count > 0 && w.Op() == code.OpFail && w.A() != 0 {
		b := m.above(int(m.Envs[m.E+stacks.EnvY+w.Imm()].Int()))
		m.decide(m.unansweredSince(0, int(m.Choices[b+stacks.ChoiceH])))
	}
}

// names reports whether a catcher names the ball that it takes.
func (m *Machine) names(catcher cell) bool {
	catcher = m.Deref(catcher)
	if catcher.Tag() == code.Str && m.Functor(catcher) == code.FError {
		catcher = m.Deref(m.Arg(catcher, 0))
	}
	return !stacks.IsVar(catcher)
}

// noteUnanswered notes the unanswered questions that an answer of a table depends on.
func (m *Machine) noteUnanswered(t *table) {
	if f := m.tables.frame(); f != nil {
		t.unanswered = append(t.unanswered, m.unansweredSince(f.first, 0)...)
	}
}
