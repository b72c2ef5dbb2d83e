package compile

import (
	"fmt"
	"math/bits"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
)

// This file defines the code of predicates whose clauses are all facts about atoms and small integers: rows of
// constants, which one instruction scans, and switches on the arguments that select the rows for a value.

const (
	// maxRows is the number of facts up to which they are compiled.
	maxRows = 512
	// scanRows is the number of rows that are compared one by one rather than selected.
	scanRows = 4
	// maxCopies bounds the copies of rows made by switches on several arguments.
	maxCopies = 6
)

// areRows reports whether all clauses are facts that can become rows.
func areRows(list []*database.Clause) bool {
	if len(list) < 2 || len(list) > maxRows {
		return false
	}
	arity := list[0].Pred.Arity()
	if arity == 0 || arity > code.MaxRow {
		return false
	}
	for _, cl := range list {
		if !cl.IsFact() || cl.SSU {
			return false
		}
		for i := range arity {
			if !isConstant(cl.HeadArg(i)) {
				return false
			}
		}
	}
	return true
}

// factEntry returns the words of the entry of a predicate of rows.
func (k *linker) factEntry(list []*database.Clause) [database.EntryWords]code.Instr {
	var words [database.EntryWords]code.Instr
	k.copies = maxCopies * len(list)
	arg := k.selecting(list, 0)
	if arg < 0 {
		words[0] = code.Make(code.OpJump, 0, 0, 0, 0)
		k.setHalf(words[:], 0, 32, k.rows(list))
		return words
	}
	words[0] = code.Make(code.OpSwitch, arg, 0, 0, 0)
	k.setHalf(words[:], 0, 32, k.factsFrom(list, arg+1))
	k.setHalf(words[:], 1, 0, k.factTable(list, arg))
	return words
}

// selecting returns the first argument, from a given one on, that distinguishes facts. It returns -1 if there is none,
// if there are few facts, or if a table would copy too many rows.
func (k *linker) selecting(list []*database.Clause, from int) int {
	if len(list) <= scanRows || k.copies < len(list) {
		return -1
	}
	for arg := from; arg < k.pred.Arity(); arg++ {
		first := list[0].HeadArg(arg)
		for _, cl := range list {
			if cl.HeadArg(arg) != first {
				return arg
			}
		}
	}
	return -1
}

// factsFrom returns the place of code that finds rows by the arguments from a given one on.
func (k *linker) factsFrom(list []*database.Clause, from int) place {
	arg := k.selecting(list, from)
	if arg < 0 {
		return k.rows(list)
	}
	return k.switchTo(arg, [4]place{k.factsFrom(list, arg+1), k.factTable(list, arg)})
}

// factTable returns the place of code that selects by the value of an argument. A fact is in the rows of its value and
// in the rows for a variable, so switches copy it.
func (k *linker) factTable(list []*database.Clause, arg int) place {
	groups := map[cell][]*database.Clause{}
	values := keysOf(list, arg, isConstant)
	for _, cl := range list {
		groups[cl.HeadArg(arg)] = append(groups[cl.HeadArg(arg)], cl)
	}
	places := make([]place, len(values))
	for i, v := range values {
		places[i] = k.factsFrom(groups[v], arg+1)
	}
	return k.tableOf(arg, values, places, place{address: code.TargetFail})
}

// rows emits facts as rows. A single fact is emitted once only, however many switches lead to it.
func (k *linker) rows(list []*database.Clause) place {
	alone := ""
	if len(list) == 1 {
		alone = fmt.Sprintf("row %p", list[0])
		if l, ok := k.places[alone]; ok {
			return place{label: l, isLabel: true}
		}
	}
	k.copies -= len(list)
	arity := k.pred.Arity()
	data := make([]cell, 0, len(list)*arity)
	for _, cl := range list {
		for i := range arity {
			data = append(data, cl.HeadArg(i))
		}
	}
	here := k.e.newLabel()
	k.e.bind(here)
	if alone != "" {
		k.places[alone] = here
	}
	k.rowsAt = append(k.rowsAt, len(k.e.code))
	k.e.put(code.MakeBC(code.OpRows, arity, len(list), k.pred.ID), data...)
	k.e.fence()
	return place{label: here, isLabel: true}
}

// tableOf emits the hash table that leads from the keys of an argument to places; rest is the place for
// other keys. At least a third of it stays free, so that searches are short.
func (k *linker) tableOf(arg int, keys []cell, places []place, rest place) place {
	n := 1 << bits.Len(uint(len(keys)+len(keys)/2))
	words := make([]cell, 1+2*n)
	here := k.e.newLabel()
	k.e.bind(here)
	start := len(k.e.code) + 1
	k.place(words, 0, start, rest)
	for i, key := range keys {
		s := code.SwitchHash(key, n-1)
		for words[1+2*s] != 0 {
			s = (s + 1) & (n - 1)
		}
		words[1+2*s] = key
		k.place(words, 2+2*s, start, places[i])
	}
	k.e.put(code.Make(code.OpSwitchTable, arg, 0, 0, uint32(n-1)), words...)
	k.e.fence()
	return place{label: here, isLabel: true}
}

// switchTo emits a switch on an argument to the places for a variable, a constant, a list cell and another compound.
func (k *linker) switchTo(arg int, to [4]place) place {
	here := k.e.newLabel()
	k.e.bind(here)
	at := len(k.e.code)
	k.e.put(code.Make(code.OpSwitch, arg, 0, 0, 0), 0, 0)
	k.e.fence()
	for n, half32 := range [4]struct{ i, shift int }{{0, 32}, {1, 0}, {1, 32}, {2, 0}} {
		if p := to[n]; p.isLabel {
			k.halves = append(k.halves, database.Half{At: at + half32.i, Shift: half32.shift, Label: int(p.label)})
		} else {
			k.e.code[at+half32.i] |= code.Instr(p.address) << half32.shift
		}
	}
	return place{label: here, isLabel: true}
}

// This part defines which clauses cannot match a call because the tests at the beginning of their bodies fail for what
// the call has in an argument. Like clauses with another key, they are omitted from the chain for such calls: `p(X) :-
// var(X), !, ...` does not keep a call with an atom from being deterministic.

// class is the class of an argument besides its key, which may be [noKey]. It is the branch that a call has taken at a
// switch.
type class uint8

const (
	constants class = iota // an atom or small integer
	lists
	structures
)

// refuted reports whether a clause fails at once if an argument, for which it has a variable, has a class and a key.
// Only initial tests without errors and effects count, as the call would miss these.
func refuted(cl *database.Clause, arg int, key cell, of class) bool {
	v := cl.HeadArg(arg)
	if !isVar(v) {
		return false
	}
	for t := cl.Body; ; {
		first, more := t, false
		if termsOf(cl).functor(t) == code.FComma {
			first, more = cl.Cells[t.Addr()+1], true
		}
		if cl.SSU {
			if termsOf(cl).functor(first) != fGuard {
				return false
			}
			first, more = cl.Cells[first.Addr()+1], false
		}
		failing, pure := testFails(cl, first, v, key, of)
		if failing || !pure || !more {
			return failing
		}
		t = cl.Cells[t.Addr()+2]
	}
}

// testFails reports whether goal t fails if v has the key. pure says that it is a test that throws nothing.
func testFails(cl *database.Clause, t, v, key cell, of class) (failing, pure bool) {
	f := termsOf(cl).functor(t)
	test, isType := typeTests[f]
	_, compares := comparisons[f]
	if !isType && !compares {
		return false, false
	}
	if p := cl.Pred.Module.Resolve(f); p == nil || !p.Has(database.Locked) {
		return false, false
	}
	a := cl.Cells[t.Addr()+1]
	if isType {
		return a == v && typeFails(test, key, of), true
	}
	b := cl.Cells[t.Addr()+2]
	switch {
	case key.Tag() != code.Int:
	case a == v && b.Tag() == code.Int:
		return !holds(f, key.Int(), b.Int()), true
	case b == v && a.Tag() == code.Int:
		return !holds(f, a.Int(), key.Int()), true
	}
	return false, false
}

// typeFails reports whether a type test fails for all terms of a class with a key. Floats, strings and big integers are
// in no class: like for variables, a switch tries all clauses for them.
func typeFails(test code.Test, key cell, of class) bool {
	known := key != noKey
	switch test {
	case code.TestVar, code.TestFloat, code.TestString:
		return true
	case code.TestAtom:
		return of != constants || known && key.Tag() != code.Atom
	case code.TestInteger, code.TestNumber:
		return of != constants || known && key.Tag() != code.Int
	case code.TestAtomic:
		return of != constants
	case code.TestCompound:
		return of == constants
	case code.TestCallable:
		return of == constants && known && key.Tag() != code.Atom
	case code.TestIsList:
		return of == structures || of == constants && known && key != code.ANil
	}
	return false
}

// holds reports whether a comparison of integers is true.
func holds(f cell, a, b int64) bool {
	switch code.AtomText(f.FunctorAtom()) {
	case "<":
		return a < b
	case "=<":
		return a <= b
	case ">":
		return a > b
	case ">=":
		return a >= b
	case "=:=":
		return a == b
	}
	return a != b
}
