package code

import "fmt"

// This file defines how code is made to mean the same when addresses and the numbers of predicates change.

// reference says what an instruction of a form refers to besides atoms.
type reference uint8

const (
	unknownReference reference = iota
	refersToNothing
	refersToAddress // imm is one
	refersToPred    // imm is the number of a predicate, unless the operation has built-ins
	refersToTwo     // imm is an address, and both halves of the next word are
	refersToCases   // imm is an address, both halves of the next word are, and the low half of the word behind it
	refersToTargets // the next word is an address, and what follows is a table with keys
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

// Relocate gives the addresses and the numbers of predicates in code other values. TargetFail and TargetElse stay. The
// words are instructions, one behind the other.
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

// relocation gives addresses other values. ok is false once there was one that is not known.
type relocation struct {
	addresses Renaming
	ok        bool
}

// half changes the address in the half of a word that begins at a bit.
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
