package code

// This file defines which slots of the environment instructions use.

// EachSlot calls f for the slots that the instruction at the start of words uses: those that it reads, those that it
// gives a value.
func EachSlot(words []Instr, f func(slot int, written bool)) {
	w := words[0]
	const third = 1<<10 - 1
	switch w.Op() {
	case OpGetLevel, OpMark, OpInitY, OpGetY, OpUniVarY, OpPutVarY, OpNewY, OpSetVarY:
		f(w.Imm(), true)
	case OpCutTo, OpSoftCut, OpGetValY, OpUniValY, OpPutY, OpSetValY:
		f(w.Imm(), false)
	case OpAllocateLevel:
		f(w.BC(), true)
	case OpGetYY, OpPutYY:
		f(w.Imm()&0xffff, w.Op() == OpGetYY)
		f(w.Imm()>>16, w.Op() == OpGetYY)
	case OpGetYYY, OpPutYYY:
		for i := range 3 {
			f(w.Imm()>>(10*i)&third, w.Op() == OpGetYYY)
		}
	case OpPutTerm:
		templateSlots(words[1:1+w.Imm()], f)
	}
}

// templateSlots calls f for the slots in the words of an OpPutTerm.
func templateSlots(words []Instr, f func(slot int, written bool)) {
	for i := 1; i < len(words); i++ {
		switch c := Cell(words[i]); {
		case c.Tag() == Att && c.Addr() >= Template:
			f(c.Addr()-Template, false)
		case c.Tag() == Hdr && !c.IsFunctor():
			i += c.BlobWords()
		}
	}
}
