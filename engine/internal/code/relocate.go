package code

import (
	"cmp"
	"fmt"
	"slices"
)

// This file rewrites code when addresses, the numbers of predicates or the numbers of atoms change. It also rewrites
// cells when the numbers of atoms change.

// reference says which addresses and predicates an instruction of a form refers to.
type reference uint8

const (
	unknownReference reference = iota
	refersToNothing
	refersToAddress // imm is one
	refersToPred    // imm is the number of a predicate, unless the operation has built-ins
	refersToTwo     // imm is an address, and both halves of the next word are
	refersToCases   // imm is an address, both halves of the next word are, and the low half of the word behind it
	refersToTargets // the next word is an address, and a table with keys follows
)

var formReferences = [...]reference{
	formNone: refersToNothing, formA: refersToNothing, formAB: refersToNothing, formABC: refersToNothing,
	formAImm: refersToNothing, formAAtom: refersToNothing, formACell: refersToNothing, formAData: refersToNothing,
	formAY: refersToNothing, formY: refersToNothing, formImm: refersToNothing, formAtom: refersToNothing,
	formCell: refersToNothing, formTarget: refersToAddress, formTest: refersToAddress, formIdent: refersToAddress,
	formConst: refersToAddress, formCall: refersToAddress, formGo: refersToAddress, formBuiltin: refersToNothing,
	formNumber: refersToPred, formTry: refersToAddress, formSwitch: refersToCases, formTable: refersToTargets,
	formAC: refersToNothing, formACImm: refersToNothing, formArith: refersToNothing, formArith1: refersToNothing,
	formYY: refersToNothing, formMove2: refersToNothing, formBefore: refersToAddress, formABCImm: refersToNothing,
	formTryHead: refersToTwo, formYYY: refersToNothing, formLevel: refersToNothing, formRows: refersToPred,
	formLive: refersToNothing,
}

func (op Op) reference() reference {
	switch {
	case op == OpBuiltinEnd:
		return refersToNothing
	case op >= OpCount || int(opForms[op]) >= len(formReferences):
		return unknownReference
	}
	return formReferences[opForms[op]]
}

// Relocate replaces the addresses and the numbers of predicates in code. TargetFail and TargetElse stay as they are.
// The words are instructions, one behind the other.
func Relocate(words []Instr, addresses, preds Renaming) error {
	r := relocation{addresses, true}
	for at := 0; at < len(words); {
		i := words[at]
		size := i.Words()
		if size < 1 || size > len(words)-at {
			return fmt.Errorf("code: %s at %d is not complete", i.Op(), at)
		}
		data := words[at+1 : at+size]
		switch i.Op().reference() {
		case refersToAddress:
			r.half(&words[at], 32)
		case refersToPred:
			n, ok := preds(uint32(i.Imm()))
			words[at], r.ok = i.WithImm(n), r.ok && ok
		case refersToTwo:
			r.half(&words[at], 32)
			r.halves(&data[0])
		case refersToCases:
			r.half(&words[at], 32)
			r.halves(&data[0])
			r.half(&data[1], 0)
		case refersToTargets:
			r.targets(data)
		case unknownReference:
			return fmt.Errorf("code: formReferences does not say what %s refers to", i.Op())
		}
		if !r.ok {
			return fmt.Errorf("code: no such address or predicate as in %s at %d", i.Op(), at)
		}
		at += size
	}
	return nil
}

// relocation replaces addresses. ok becomes false at an unknown one.
type relocation struct {
	addresses Renaming
	ok        bool
}

// half changes the address in one half of a word. shift is the first bit of the half.
func (r *relocation) half(word *Instr, shift int) {
	n := uint32(*word >> shift)
	if n == TargetFail || n == TargetElse {
		return
	}
	n, ok := r.addresses(n)
	*word, r.ok = *word&^(0xffffffff<<shift)|Instr(n)<<shift, r.ok && ok
}

// halves changes the addresses in both halves of a word.
func (r *relocation) halves(word *Instr) {
	r.half(word, 0)
	r.half(word, 32)
}

// targets changes the addresses in a table of an [OpSwitchTable].
func (r *relocation) targets(data []Instr) {
	r.half(&data[0], 0)
	for n := 2; n < len(data); n += 2 {
		if data[n-1] != 0 {
			r.half(&data[n], 0)
		}
	}
}

// Renaming returns the new number of an atom, a predicate or an address. ok is false for an unknown one.
type Renaming func(atom uint32) (n uint32, ok bool)

// holding says where instructions of a form have atoms.
type holding uint8

const (
	unknownHolding holding = iota
	holdsNone
	holdsAtom  // imm is one
	holdsCells // the words that follow are cells
	holdsTable // the words that follow are a table with keys
)

var formHoldings = [...]holding{
	formNone: holdsNone, formA: holdsNone, formAB: holdsNone, formABC: holdsNone, formAImm: holdsNone,
	formAAtom: holdsAtom, formACell: holdsCells, formAData: holdsCells, formAY: holdsNone, formY: holdsNone,
	formImm: holdsNone, formAtom: holdsAtom, formCell: holdsCells, formTarget: holdsNone, formTest: holdsNone,
	formIdent: holdsNone, formConst: holdsNone, formCall: holdsNone, formGo: holdsNone, formBuiltin: holdsNone,
	formNumber: holdsNone, formTry: holdsNone, formSwitch: holdsNone, formTable: holdsTable, formAC: holdsNone,
	formACImm: holdsNone, formArith: holdsNone, formArith1: holdsNone, formYY: holdsNone, formMove2: holdsNone,
	formBefore: holdsNone, formABCImm: holdsNone, formTryHead: holdsNone, formYYY: holdsNone, formLevel: holdsNone,
	formRows: holdsCells, formLive: holdsNone,
}

func (op Op) holding() holding {
	if op >= OpCount || int(opForms[op]) >= len(formHoldings) {
		return unknownHolding
	}
	return formHoldings[opForms[op]]
}

// Rename gives the atoms in code other numbers. The words are instructions, one behind the other.
func Rename(words []Instr, atoms Renaming) error {
	for at := 0; at < len(words); {
		i := words[at]
		size := i.Words()
		if size < 1 || size > len(words)-at {
			return fmt.Errorf("code: %s at %d is not complete", i.Op(), at)
		}
		data := words[at+1 : at+size]
		ok := true
		switch i.Op().holding() {
		case holdsAtom:
			var n uint32
			n, ok = atoms(uint32(i.Imm()))
			words[at] = i.WithImm(n)
		case holdsCells:
			ok = RenameCells(data, atoms)
		case holdsTable:
			ok = renameTable(data, atoms)
		case unknownHolding:
			return fmt.Errorf("code: formHoldings does not say where %s has atoms", i.Op())
		}
		if !ok {
			return fmt.Errorf("code: no such atom as in %s at %d", i.Op(), at)
		}
		at += size
	}
	return nil
}

// RenameCells gives the atoms in cells other numbers; the words of blobs stay. It returns false when one is not known.
func RenameCells[word ~uint64](cells []word, atoms Renaming) bool {
	for i := 0; i < len(cells); i++ {
		c, ok := RenameCell(Cell(cells[i]), atoms)
		if !ok {
			return false
		}
		cells[i] = word(c)
		if c.Tag() == Hdr && !c.IsFunctor() {
			i += c.BlobWords()
		}
	}
	return true
}

// RenameCell returns one cell with the new number of its atom. ok is false if that is unknown.
func RenameCell(c Cell, atoms Renaming) (Cell, bool) {
	switch {
	case c.Tag() == Atom:
		n, ok := atoms(c.Atom())
		return MakeAtom(n), ok
	case c.IsFunctor():
		n, ok := atoms(c.FunctorAtom())
		return Cell(uint32(c)) | Cell(n)<<32, ok
	}
	return c, true
}

// tableEntry is a key of a switch table and its target.
type tableEntry struct{ key, target Instr }

// renameTable fills the table of an [OpSwitchTable] again, since the places of keys depend on their numbers. At least
// one slot is free.
func renameTable(data []Instr, atoms Renaming) bool {
	slots := data[1:]
	size := len(slots) / 2
	entries := make([]tableEntry, 0, size)
	for n := 0; n < len(slots); n += 2 {
		if slots[n] == 0 {
			continue
		}
		key, ok := RenameCell(Cell(slots[n]), atoms)
		if !ok || key == 0 {
			return false
		}
		entries = append(entries, tableEntry{Instr(key), slots[n+1]})
	}
	if len(entries) == size || size&(size-1) != 0 {
		return false
	}
	slices.SortFunc(entries, func(a, b tableEntry) int { return cmp.Compare(a.key, b.key) })
	clear(slots)
	mask := size - 1
	for _, e := range entries {
		s := SwitchHash(Cell(e.key), mask)
		for slots[2*s] != 0 {
			s = (s + 1) & mask
		}
		slots[2*s], slots[2*s+1] = e.key, e.target
	}
	return true
}
