package machine

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/native"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines the run loop: one function without calls, so that Go keeps p and h in registers. For work of more
// than a few steps the loop exits with a code; run.go does the work and re-enters. On exit p is behind the instruction,
// but an instruction that found no room is run again.

// exit says why the loop was left.
type exit uint8

const (
	exitCheck   exit = iota // at a call: fuel, heap or wake-up; p is the callee, live its arity
	exitHeap                // no room on the heap
	exitEnvs                // no room for an environment
	exitChoices             // no room for the next choice point
	exitUnify               // unify ua and ub, then go on at p
	exitOrder               // comparison of terms by instruction p-1
	exitTest                // test of instruction p-1 that must read the heap
	exitArith               // arithmetic of instruction p-1
	exitBuiltin             // call the built-in of instruction p-1
	exitUndefined
	exitDynamic
	exitQualify
	exitDet
	exitRetryDyn
	exitRedo
	exitMeta
	exitTestFirst // goals wait that must run before the test of instruction p-1
	exitWakeFirst // goals wait that must run before the cut, choice point or end of catch/3 at p-1
	exitShallow   // a shallow choice must become a choice point, or the alternative is such a choice point
	exitCut       // cut to choice point CutTarget with a hook
	exitSoftCut
	exitTerm
	exitExpand // an attributed variable where instruction p-1 wants a compound
	exitResume
	exitCleanup
	exitAnswer
	exitNoMore
)

// loop runs from m.p until something has to be done outside.
func (m *Machine) loop() exit {
	p, h := m.P, m.H
	heap, words := m.Heap, m.Code
	var w code.Instr
	var a, b cell
	var r uint8
	var n, left int
	for {
		w = words[p]
		if tracing {
			m.trace(p, h)
		}
		p++
		switch code.Op(uint8(w)) {

		// Control.
		case code.OpFail:
			goto fail
		case code.OpElse:
			p = m.ElseP
			continue
		case code.OpAllocateLevel:
			if e, top := m.Etop, m.Etop+stacks.EnvY+w.Imm(); top <= len(m.Envs) {
				m.Envs[e+stacks.EnvE], m.Envs[e+stacks.EnvCP] = cell(m.E), cell(m.CP)
				m.Envs[e+stacks.EnvY+w.BC()] = code.MakeInt(int64(m.B0))
				m.E, m.Etop = e, top
				continue
			}
			m.P, m.H = p, h
			return exitEnvs
		case code.OpNeckAllocate:
			if m.Shallow {
				p--
				goto late
			}
			fallthrough
		case code.OpAllocate:
			if e, top := m.Etop, m.Etop+stacks.EnvY+w.Imm(); top <= len(m.Envs) {
				m.Envs[e+stacks.EnvE], m.Envs[e+stacks.EnvCP] = cell(m.E), cell(m.CP)
				m.E, m.Etop = e, top
				continue
			}
			m.P, m.H = p, h
			return exitEnvs
		case code.OpCall:
			m.CP = p
			goto enter
		case code.OpNeckExecute:
			if m.Shallow {
				p--
				goto late
			}
			fallthrough
		case code.OpExecute:
			goto enter
		case code.OpNeckProceed:
			if m.Shallow {
				p--
				goto late
			}
			fallthrough
		case code.OpProceed:
			p = m.CP
			continue
		case code.OpDeallocateExecute:
			e := m.E
			m.CP = int(m.Envs[e+stacks.EnvCP])
			m.Etop = max(e, m.Betop)
			m.E = int(m.Envs[e+stacks.EnvE])
			goto enter
		case code.OpDeallocateProceed:
			e := m.E
			p = int(m.Envs[e+stacks.EnvCP])
			m.CP = p
			m.Etop = max(e, m.Betop)
			m.E = int(m.Envs[e+stacks.EnvE])
			continue
		case code.OpJump:
			p = w.Imm()
			continue
		case code.OpNeckShallow:
			if m.Shallow {
				if m.Wake {
					m.P, m.H = p, h
					return exitShallow
				}
				m.Shallow = false
				m.HB = int(m.Choices[m.B+stacks.ChoiceH])
				if m.TR > m.ShallowTR && m.Trail[m.TR-1].Tag() == code.Ref && m.Trail[m.TR-1].Addr() >= m.HB {
					m.TR--
				}
				continue
			}
			goto neckCut
		case code.OpNeckCut:
			goto neckCut
		case code.OpShallow:
			m.ElseP = p
			p = w.Imm()
			m.Shallow, m.ShallowTR, m.ShallowH, m.HB = true, m.TR, h, h
			m.TryArgs = 0
			continue
		case code.OpTryHead:
			m.ElseP, m.TryAlt, m.TryArgs = int(uint32(words[p])), int(words[p]>>32), int(w.A())
			p = w.Imm()
			{
				top := m.B + stacks.ChoiceArgs + int(m.Choices[m.B+stacks.ChoiceArity]&0xffff)
				for i, s := 0, m.Choices[top+stacks.ChoiceArgs:top+stacks.ChoiceArgs+m.TryArgs]; i < len(s); i++ {
					s[i] = m.X[uint8(i)]
				}
			}
			m.Shallow, m.ShallowTR, m.ShallowH, m.HB = true, m.TR, h, h
			continue
		case code.OpNeckTry:
			if m.Shallow {
				goto late
			}
			continue
		case code.OpShallowFail:
			m.P, m.H = p, h
			return exitShallow
		case code.OpGetLevel:
			m.Envs[m.E+stacks.EnvY+w.Imm()] = code.MakeInt(int64(m.B0))
			continue
		case code.OpWake:
			if m.Wake {
				m.P, m.H = p, h
				return exitWakeFirst
			}
			continue
		case code.OpMark:
			if m.Wake && w.BC() != 0 {
				m.P, m.H = p, h
				return exitWakeFirst
			}
			m.Envs[m.E+stacks.EnvY+w.Imm()] = code.MakeInt(int64(m.B))
			continue
		case code.OpCutTo:
			m.CutTarget = int(m.Envs[m.E+stacks.EnvY+w.Imm()].Int())
			if m.B == m.CutTarget {
				continue
			}
			if m.Wake {
				m.P, m.H = p, h
				return exitWakeFirst
			}
			goto cut
		case code.OpSoftCut:
			m.P, m.H = p, h
			return exitSoftCut
		case code.OpTryElse:
			a, b = cell(w.Imm()), cell(w.BC()+1)<<16
			goto push
		case code.OpRetryElse:
			m.Choices[m.B+stacks.ChoiceAlt] = cell(w.Imm())
			continue
		case code.OpTrustElse:
			prev := int(m.Choices[m.B+stacks.ChoicePrev])
			m.B, m.HB, m.Betop = prev, int(m.Choices[prev+stacks.ChoiceH]), int(m.Choices[prev+stacks.ChoiceEtop])
			continue
		case code.OpInitY:
			m.Envs[m.E+stacks.EnvY+w.Imm()] = code.MakeInt(0)
			continue
		case code.OpBuiltin, code.OpBuiltinEnd:
			m.P, m.H = p, h
			return exitBuiltin
		case code.OpUndefined:
			m.P, m.H = p, h
			return exitUndefined
		case code.OpDynamic:
			m.P, m.H = p, h
			return exitDynamic
		case code.OpQualify:
			m.P, m.H = p, h
			return exitQualify
		case code.OpDetRest:
			e, cp := m.E, m.CP
			if w.BC() != 0 {
				e, cp = int(m.Envs[e+stacks.EnvE]), int(m.Envs[e+stacks.EnvCP])
			}
			if cp == addrAfterDet && int(m.Envs[e+stacks.EnvY].Int()) == m.B {
				continue
			}
			m.P, m.H = p, h
			return exitDet
		case code.OpDet, code.OpDetExit, code.OpDetFail:
			m.P, m.H = p, h
			return exitDet
		case code.OpRetryDyn:
			m.P, m.H = p, h
			return exitRetryDyn
		case code.OpRows:
			if m.TR+code.MaxRow > len(m.Trail) {
				m.P, m.H = p, h
				return exitHeap
			}
			n = int(w.A())
			for i := 0; i < n; i++ {
				a = m.X[uint8(i)]
				for a.Tag() == code.Ref {
					if b = heap[a.Addr()]; b == a {
						break
					}
					a = b
				}
				if a.Tag() == code.Att {
					m.P, m.H = p, h
					return exitDynamic
				}
				m.X[uint8(i)] = a
			}
			m.S, m.Live, left = -1, 0, w.BC()
			goto rows
		case code.OpRowsFound:
			if m.TR+code.MaxRow > len(m.Trail) {
				m.P, m.H = p, h
				return exitHeap
			}
			n = int(m.Choices[m.B+stacks.ChoiceArity]&0xffff) - 2
			goto row
		case code.OpRowsRetry:
			if m.TR+code.MaxRow > len(m.Trail) {
				m.P, m.H = p, h
				return exitHeap
			}
			f := m.Choices[m.B:]
			n = int(f[stacks.ChoiceArity]&0xffff) - 2
			for i, c := range f[stacks.ChoiceArgs : stacks.ChoiceArgs+n] {
				m.X[uint8(i)] = c
			}
			m.S = int(f[stacks.ChoiceArgs+n].Int())
			p, left = m.S+n, int(f[stacks.ChoiceArgs+n+1].Int())-1
			m.Live = rowsRetry
			goto rows
		case code.OpRedo:
			m.P, m.H = p, h
			return exitRedo
		case code.OpMeta:
			m.P, m.H = p, h
			return exitMeta
		case code.OpCallN: // the goal is an atom or compound, its predicate in the cache
			a = m.X[0]
			for a.Tag() == code.Ref {
				if b = heap[a.Addr()]; b == a {
					break
				}
				a = b
			}
			n, extra := 0, int(w.A())-1
			if a.Tag() == code.Str && heap[a.Addr()] != code.FColon {
				b = heap[a.Addr()]
				n = b.FunctorArity()
				b += code.Cell(extra) << code.ArityShift
			} else if a.Tag() == code.Atom {
				b = code.MakeFunctor(a.Atom(), extra)
			} else {
				m.P, m.H = p, h
				return exitMeta
			}
			line := &m.preds.lines[code.SwitchHash(b, len(m.preds.lines)-1)]
			if line.functor != b || line.mod != m.program.User() || n+extra > MaxArgs || m.Fuel <= 0 || h > m.HSoft ||
				m.Waiting() || int(line.pred.Entry) >= len(words) {
				m.P, m.H = p, h
				return exitMeta
			}
			if n == 0 {
				for i := 0; i < extra; i++ {
					m.X[uint8(i)] = m.X[uint8(i+1)]
				}
			} else {
				for i := extra; n > 1 && i > 0; i-- {
					m.X[uint8(n+i-1)] = m.X[uint8(i)]
				}
				for i := 0; i < n; i++ {
					m.X[uint8(i)] = heap[a.Addr()+1+i]
				}
			}
			m.B0 = m.B
			m.Fuel--
			p = int(line.pred.Entry)
			continue
		case code.OpPopCatch:
			if m.Wake {
				m.P, m.H = p, h
				return exitWakeFirst
			}
			if c := int(m.Envs[m.E+stacks.EnvY].Int()); c == m.B {
				prev := int(m.Choices[c+stacks.ChoicePrev])
				m.B, m.HB, m.Betop = prev, int(m.Choices[prev+stacks.ChoiceH]), int(m.Choices[prev+stacks.ChoiceEtop])
			}
			continue
		case code.OpCatchFail:
			prev := int(m.Choices[m.B+stacks.ChoicePrev])
			m.B, m.HB, m.Betop = prev, int(m.Choices[prev+stacks.ChoiceH]), int(m.Choices[prev+stacks.ChoiceEtop])
			goto fail
		case code.OpCleanupFail, code.OpCleanupExit:
			m.P, m.H = p, h
			return exitCleanup
		case code.OpResume:
			m.P, m.H = p, h
			return exitResume
		case code.OpExit:
			m.P, m.H = p, h
			return exitAnswer
		case code.OpNoMore:
			m.P, m.H = p, h
			return exitNoMore

		// Selection among clauses.
		case code.OpSwitch:
			goto onSwitch
		case code.OpSwitchTable:
			a = m.X[w.A()]
			for a.Tag() == code.Ref {
				a = heap[a.Addr()]
			}
			if a.Tag() == code.Str {
				a = heap[a.Addr()]
			}
			goto lookup
		case code.OpTry:
			a, b = cell(p), cell(w.A())
			p = w.Imm()
			goto push
		case code.OpRetry:
			f := m.Choices[m.B:]
			n := int(f[stacks.ChoiceArity] & 0xffff)
			for i, c := range f[stacks.ChoiceArgs : stacks.ChoiceArgs+n] {
				m.X[uint8(i)] = c
			}
			f[stacks.ChoiceAlt] = cell(p)
			m.B0 = int(f[stacks.ChoicePrev])
			p = w.Imm()
			continue
		case code.OpTrust:
			f := m.Choices[m.B:]
			n := int(f[stacks.ChoiceArity] & 0xffff)
			for i, c := range f[stacks.ChoiceArgs : stacks.ChoiceArgs+n] {
				m.X[uint8(i)] = c
			}
			prev := int(f[stacks.ChoicePrev])
			m.B0 = prev
			m.B, m.HB, m.Betop = prev, int(m.Choices[prev+stacks.ChoiceH]), int(m.Choices[prev+stacks.ChoiceEtop])
			p = w.Imm()
			continue
		case code.OpGuard:
			m.ElseP = p
			p = w.Imm()
			continue

		// Head.
		case code.OpMove:
			m.X[w.B()] = m.X[w.A()]
			continue
		case code.OpMove2:
			m.X[w.B()] = m.X[w.A()]
			m.X[uint8(w>>32)] = m.X[w.C()]
			continue
		case code.OpGetY:
			m.Envs[m.E+stacks.EnvY+w.Imm()] = m.X[w.A()]
			continue
		case code.OpGetYY:
			y := m.Envs[m.E+stacks.EnvY:]
			y[uint16(w>>32)] = m.X[w.A()]
			y[uint16(w>>48)] = m.X[w.B()]
			continue
		case code.OpGetYYY:
			{
				y := m.Envs[m.E+stacks.EnvY:]
				y[w>>32&1023] = m.X[w.A()]
				y[w>>42&1023] = m.X[w.B()]
				y[w>>52&1023] = m.X[w.C()]
			}
			continue
		case code.OpGetValX:
			a, b = m.X[w.A()], m.X[w.B()]
			goto unify
		case code.OpGetValY:
			a, b = m.X[w.A()], m.Envs[m.E+stacks.EnvY+w.Imm()]
			goto unify
		case code.OpGetAtom:
			a, b = m.X[w.A()], code.MakeAtom(uint32(w>>32))
			goto constant
		case code.OpGetInt:
			a, b = m.X[w.A()], code.MakeInt(w.SImm())
			goto constant
		case code.OpGetCell:
			a, b = m.X[w.A()], cell(words[p])
			p++
			goto constant
		case code.OpGetBlob:
			m.P, m.H = p, h
			return exitTerm
		case code.OpGetList:
			a = m.X[w.A()]
			goto list
		case code.OpGetStruct:
			a = m.X[w.A()]
			if a.Tag() != code.Str {
				for a.Tag() == code.Ref {
					if b = heap[a.Addr()]; b == a {
						break
					}
					a = b
				}
				if a.Tag() != code.Str {
					goto newStruct
				}
			}
			if heap[a.Addr()] == cell(words[p]) {
				m.S = a.Addr() + 1
				p++
				continue
			}
			goto fail
		case code.OpGetListXX:
			a = m.X[w.A()]
			if a.Tag() == code.Lst {
				m.X[w.B()], m.X[w.C()] = heap[a.Addr()], heap[a.Addr()+1]
				continue
			}
			goto listCell
		case code.OpGetListVX:
			a = m.X[w.A()]
			if a.Tag() == code.Ref && heap[a.Addr()] == a && h+buildRoom <= len(heap) && m.TR < len(m.Trail) {
				goto newListVX
			}
			goto listCell

		// Parts of a compound.
		case code.OpUniVarX:
			if s := m.S; s >= 0 {
				m.X[w.A()] = heap[s]
				m.S = s + 1
				continue
			}
			a = code.MakeRef(h)
			heap[h] = a
			m.X[w.A()] = a
			h++
			continue
		case code.OpUniVarXX:
			if s := m.S; s >= 0 {
				m.X[w.A()], m.X[w.B()] = heap[s], heap[s+1]
				m.S = s + 2
				continue
			}
			heap[h], heap[h+1] = code.MakeRef(h), code.MakeRef(h+1)
			m.X[w.A()], m.X[w.B()] = code.MakeRef(h), code.MakeRef(h+1)
			h += 2
			continue
		case code.OpUniVarXXX:
			if s := m.S; s >= 0 {
				m.X[w.A()], m.X[w.B()], m.X[w.C()] = heap[s], heap[s+1], heap[s+2]
				m.S = s + 3
				continue
			}
			heap[h], heap[h+1], heap[h+2] = code.MakeRef(h), code.MakeRef(h+1), code.MakeRef(h+2)
			m.X[w.A()], m.X[w.B()], m.X[w.C()] = code.MakeRef(h), code.MakeRef(h+1), code.MakeRef(h+2)
			h += 3
			continue
		case code.OpUniValX:
			b = m.X[w.A()]
			goto uniVal
		case code.OpUniVarY:
			if s := m.S; s >= 0 {
				m.Envs[m.E+stacks.EnvY+w.Imm()] = heap[s]
				m.S = s + 1
				continue
			}
			a = code.MakeRef(h)
			heap[h] = a
			m.Envs[m.E+stacks.EnvY+w.Imm()] = a
			h++
			continue
		case code.OpUniValY:
			b = m.Envs[m.E+stacks.EnvY+w.Imm()]
			goto uniVal
		case code.OpUniAtom:
			b = code.MakeAtom(uint32(w >> 32))
			goto uniConst
		case code.OpUniInt:
			b = code.MakeInt(w.SImm())
			goto uniConst
		case code.OpUniCell:
			b = cell(words[p])
			p++
			goto uniConst
		case code.OpUniVoid:
			if m.S >= 0 {
				m.S += w.Imm()
				continue
			}
			for i := w.Imm(); i > 0; i-- {
				heap[h] = code.MakeRef(h)
				h++
			}
			continue
		case code.OpUniVarUniList:
			if s := m.S; s >= 0 {
				m.X[w.A()] = heap[s]
				m.S = s + 1
				a = heap[s+1]
				goto list
			}
			heap[h] = code.MakeRef(h)
			m.X[w.A()] = code.MakeRef(h)
			heap[h+1] = code.MakeLst(h + 2)
			h += 2
			continue
		case code.OpUniList:
			if m.S >= 0 {
				a = heap[m.S]
				goto list
			}
			heap[h] = code.MakeLst(h + 1)
			h++
			continue

		// Body.
		case code.OpPutVarX:
			a = code.MakeRef(h)
			heap[h] = a
			h++
			m.X[w.A()] = a
			m.X[w.B()] = a
			continue
		case code.OpPutVarY:
			a = code.MakeRef(h)
			heap[h] = a
			h++
			m.X[w.A()] = a
			m.Envs[m.E+stacks.EnvY+w.Imm()] = a
			continue
		case code.OpNewY:
			a = code.MakeRef(h)
			heap[h] = a
			h++
			m.Envs[m.E+stacks.EnvY+w.Imm()] = a
			continue
		case code.OpPutY:
			m.X[w.A()] = m.Envs[m.E+stacks.EnvY+w.Imm()]
			continue
		case code.OpPutYY:
			y := m.Envs[m.E+stacks.EnvY:]
			m.X[w.A()] = y[uint16(w>>32)]
			m.X[w.B()] = y[uint16(w>>48)]
			continue
		case code.OpPutYYY:
			{
				y := m.Envs[m.E+stacks.EnvY:]
				m.X[w.A()] = y[w>>32&1023]
				m.X[w.B()] = y[w>>42&1023]
				m.X[w.C()] = y[w>>52&1023]
			}
			continue
		case code.OpPutAtom:
			m.X[w.A()] = code.MakeAtom(uint32(w >> 32))
			continue
		case code.OpPutInt:
			m.X[w.A()] = code.MakeInt(w.SImm())
			continue
		case code.OpPutCell:
			m.X[w.A()] = cell(words[p])
			p++
			continue
		case code.OpPutBlob, code.OpPutTerm:
			m.P, m.H = p, h
			return exitTerm
		case code.OpPutList:
			if h+buildRoom > len(heap) {
				m.P, m.H = p, h
				return exitHeap
			}
			m.X[w.A()] = code.MakeLst(h)
			continue
		case code.OpPutStruct:
			a = cell(words[p])
			if h+buildRoom+a.FunctorArity() > len(heap) {
				m.P, m.H = p, h
				return exitHeap
			}
			m.X[w.A()] = code.MakeStr(h)
			heap[h] = a
			h++
			p++
			continue
		case code.OpSetVarX:
			a = code.MakeRef(h)
			heap[h] = a
			m.X[w.A()] = a
			h++
			continue
		case code.OpSetValX:
			heap[h] = m.X[w.A()]
			h++
			continue
		case code.OpSetVarY:
			a = code.MakeRef(h)
			heap[h] = a
			m.Envs[m.E+stacks.EnvY+w.Imm()] = a
			h++
			continue
		case code.OpSetValY:
			heap[h] = m.Envs[m.E+stacks.EnvY+w.Imm()]
			h++
			continue
		case code.OpSetAtom:
			heap[h] = code.MakeAtom(uint32(w >> 32))
			h++
			continue
		case code.OpSetInt:
			heap[h] = code.MakeInt(w.SImm())
			h++
			continue
		case code.OpSetCell:
			heap[h] = cell(words[p])
			h++
			p++
			continue
		case code.OpSetVoid:
			for i := w.Imm(); i > 0; i-- {
				heap[h] = code.MakeRef(h)
				h++
			}
			continue
		case code.OpSetList:
			heap[h] = code.MakeLst(h + 1)
			h++
			continue
		case code.OpPutListXX:
			if h+buildRoom > len(heap) {
				m.P, m.H = p, h
				return exitHeap
			}
			a, b = m.X[w.B()], m.X[w.C()]
			m.X[w.A()] = code.MakeLst(h)
			heap[h] = a
			heap[h+1] = b
			h += 2
			continue
		case code.OpPutListXV:
			if h+buildRoom > len(heap) {
				m.P, m.H = p, h
				return exitHeap
			}
			heap[h] = m.X[w.B()]
			heap[h+1] = code.MakeRef(h + 1)
			m.X[w.A()] = code.MakeLst(h)
			m.X[w.C()] = code.MakeRef(h + 1)
			h += 2
			continue

		// Inline goals.
		case code.OpTest:
			if m.Wake {
				m.P, m.H = p, h
				return exitTestFirst
			}
			a = m.X[w.A()]
			for a.Tag() == code.Ref {
				if b = heap[a.Addr()]; b == a {
					break
				}
				a = b
			}
			if k := testKinds[w.B()&15]; k.yes>>a.Tag()&1 != 0 {
				continue
			} else if k.inspect>>a.Tag()&1 == 0 {
				goto target
			}
			m.P, m.H, m.UA = p, h, a
			return exitTest
		case code.OpIdent:
			if m.Wake {
				m.P, m.H = p, h
				return exitTestFirst
			}
			a, b = m.X[w.A()], m.X[w.B()]
			for a.Tag() == code.Ref {
				c := heap[a.Addr()]
				if c == a {
					break
				}
				a = c
			}
			for b.Tag() == code.Ref {
				c := heap[b.Addr()]
				if c == b {
					break
				}
				b = c
			}
			if t := a.Tag(); a != b && t == b.Tag() && (t == code.Str || t == code.Lst || t == code.Blob) {
				m.P, m.H = p, h
				return exitTest
			}
			if (a == b) == (w.C() != 0) {
				goto target
			}
			continue
		case code.OpBefore:
			if a, b = m.X[w.A()], m.X[w.B()]; a.Tag() == code.Int && b.Tag() == code.Int {
				goto order
			}
			goto orderSlow
		case code.OpOrder:
			if a, b = m.X[w.A()], m.X[w.B()]; a.Tag() == code.Int && b.Tag() == code.Int && w.Imm() == 0 {
				goto order
			}
			goto orderSlow
		case code.OpUnify:
			if w.Imm() == code.TargetFail {
				a, b = m.X[w.A()], m.X[w.B()]
				goto unify
			}
			m.P, m.H = p, h
			return exitTest
		case code.OpLess:
			a, b = m.X[w.A()], m.X[w.B()]
			if a.Tag() == code.Int && b.Tag() == code.Int {
				if int64(a) >= int64(b) {
					goto target
				}
				continue
			}
			goto arith
		case code.OpLessEq:
			a, b = m.X[w.A()], m.X[w.B()]
			if a.Tag() == code.Int && b.Tag() == code.Int {
				if int64(a) > int64(b) {
					goto target
				}
				continue
			}
			goto arith
		case code.OpNumEq:
			a, b = m.X[w.A()], m.X[w.B()]
			if a.Tag() == code.Int && b.Tag() == code.Int {
				if a != b {
					goto target
				}
				continue
			}
			goto arith
		case code.OpNumNe:
			a, b = m.X[w.A()], m.X[w.B()]
			if a.Tag() == code.Int && b.Tag() == code.Int {
				if a == b {
					goto target
				}
				continue
			}
			goto arith
		case code.OpLessI:
			if a = m.X[w.A()]; a.Tag() == code.Int {
				if a.Int() >= w.SBC() {
					goto target
				}
				continue
			}
			goto arith
		case code.OpLessEqI:
			if a = m.X[w.A()]; a.Tag() == code.Int {
				if a.Int() > w.SBC() {
					goto target
				}
				continue
			}
			goto arith
		case code.OpGreaterI:
			if a = m.X[w.A()]; a.Tag() == code.Int {
				if a.Int() <= w.SBC() {
					goto target
				}
				continue
			}
			goto arith
		case code.OpGreaterEqI:
			if a = m.X[w.A()]; a.Tag() == code.Int {
				if a.Int() < w.SBC() {
					goto target
				}
				continue
			}
			goto arith
		case code.OpNumEqI:
			if a = m.X[w.A()]; a.Tag() == code.Int {
				if a.Int() != w.SBC() {
					goto target
				}
				continue
			}
			goto arith
		case code.OpNumNeI:
			if a = m.X[w.A()]; a.Tag() == code.Int {
				if a.Int() == w.SBC() {
					goto target
				}
				continue
			}
			goto arith
		case code.OpAdd:
			a, b = m.X[w.A()], m.X[w.B()]
			if a.Tag() == code.Int && b.Tag() == code.Int {
				if n := a.Int() + b.Int(); code.FitsInt(n) {
					m.X[w.C()] = code.MakeInt(n)
					continue
				}
			}
			goto arith
		case code.OpSub:
			a, b = m.X[w.A()], m.X[w.B()]
			if a.Tag() == code.Int && b.Tag() == code.Int {
				if n := a.Int() - b.Int(); code.FitsInt(n) {
					m.X[w.C()] = code.MakeInt(n)
					continue
				}
			}
			goto arith
		case code.OpAddI:
			if a = m.X[w.A()]; a.Tag() == code.Int {
				if n := a.Int() + w.SImm(); code.FitsInt(n) {
					m.X[w.C()] = code.MakeInt(n)
					continue
				}
			}
			goto arith
		case code.OpMul:
			a, b = m.X[w.A()], m.X[w.B()]
			if a.Tag() == code.Int && b.Tag() == code.Int {
				i, j := a.Int(), b.Int()
				if int64(int32(i)) == i && int64(int32(j)) == j {
					if n := i * j; code.FitsInt(n) {
						m.X[w.C()] = code.MakeInt(n)
						continue
					}
				}
			}
			goto arith
		case code.OpIntDiv:
			a, b = m.X[w.A()], m.X[w.B()]
			if a.Tag() == code.Int && b.Tag() == code.Int && b.Int() > 0 {
				m.X[w.C()] = code.MakeInt(a.Int() / b.Int())
				continue
			}
			goto arith
		case code.OpMod:
			a, b = m.X[w.A()], m.X[w.B()]
			if a.Tag() == code.Int && b.Tag() == code.Int && b.Int() > 0 {
				n := a.Int() % b.Int()
				if n < 0 {
					n += b.Int()
				}
				m.X[w.C()] = code.MakeInt(n)
				continue
			}
			goto arith
		case code.OpRem:
			a, b = m.X[w.A()], m.X[w.B()]
			if a.Tag() == code.Int && b.Tag() == code.Int && b.Int() > 0 {
				m.X[w.C()] = code.MakeInt(a.Int() % b.Int())
				continue
			}
			goto arith
		case code.OpBitAnd:
			a, b = m.X[w.A()], m.X[w.B()]
			if a.Tag() == code.Int && b.Tag() == code.Int {
				m.X[w.C()] = a & b
				continue
			}
			goto arith
		case code.OpBitOr:
			a, b = m.X[w.A()], m.X[w.B()]
			if a.Tag() == code.Int && b.Tag() == code.Int {
				m.X[w.C()] = a | b
				continue
			}
			goto arith
		case code.OpShiftR:
			a, b = m.X[w.A()], m.X[w.B()]
			if a.Tag() == code.Int && b.Tag() == code.Int && uint64(b.Int()) < 64 {
				m.X[w.C()] = code.MakeInt(a.Int() >> uint(b.Int()))
				continue
			}
			goto arith
		case code.OpShiftL:
			a, b = m.X[w.A()], m.X[w.B()]
			if a.Tag() == code.Int && b.Tag() == code.Int && uint64(b.Int()) < 32 {
				if i := a.Int(); int64(int32(i)) == i {
					if n := i << uint(b.Int()); code.FitsInt(n) {
						m.X[w.C()] = code.MakeInt(n)
						continue
					}
				}
			}
			goto arith
		case code.OpEval:
			if a = m.X[w.A()]; a.Tag() == code.Int {
				m.X[w.C()] = a
				continue
			}
			goto arith
		case code.OpArith, code.OpArith1, code.OpLive,
			138, 139, 140, 141, 142, 143, 144, 145, 146, 147, 148, 149, 150, 151, 152, 153,
			154, 155, 156, 157, 158, 159, 160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175,
			176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191, 192, 193, 194, 195, 196, 197,
			198, 199, 200, 201, 202, 203, 204, 205, 206, 207, 208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219,
			220, 221, 222, 223, 224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239, 240, 241,
			242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255: // not operations
			a = m.X[w.A()]
			goto arith
		}

	enter: // the predicate that w calls
		m.B0 = m.B
		p = w.Imm()
		if m.Fuel--; m.Fuel < 0 || h > m.HSoft {
			m.P, m.H, m.Live = p, h, int(w.A())
			return exitCheck
		}
		if w = words[p]; w.Op() != code.OpSwitch {
			continue
		}
		p++

	onSwitch: // on the type of X[a]
		r, a = w.A(), m.X[w.A()]
		if a.Tag() != code.Lst {
			for a.Tag() == code.Ref {
				if b = heap[a.Addr()]; b == a {
					break
				}
				a = b
			}
			if a.Tag() != code.Lst {
				goto switchOther
			}
		}
		p = int(words[p] >> 32)
		if w = words[p]; w.Op() == code.OpGetListXX && w.A() == r {
			p++
			m.X[w.B()], m.X[w.C()] = heap[a.Addr()], heap[a.Addr()+1]
		}
		continue

	switchOther: // on the constant a, which is no list cell; a table is looked up at once
		switch a.Tag() {
		case code.Str:
			p = int(words[p+1])
			a = heap[a.Addr()]
		case code.Atom, code.Int:
			p = int(uint32(words[p]))
		default:
			p = w.Imm()
			continue
		}
		if w = words[p]; w.Op() != code.OpSwitchTable {
			continue
		}
		p++

	lookup: // the key a is looked up in the table of w
		for i := code.SwitchHash(a, w.Imm()); ; i = (i + 1) & w.Imm() {
			b = cell(words[p+1+2*i])
			if b == a {
				p = int(words[p+2+2*i])
				break
			}
			if b == 0 {
				p = int(words[p])
				break
			}
		}
		continue

	rows: // compare n arguments with the next `left` rows, from p on, until two of them match
		// m.S is the first match, which may be known already.
		m.H = h
		for ; left > 0; left-- {
			i := 0
			for ; i < n; i++ {
				if a = m.X[uint8(i)]; a != cell(words[p+i]) && a.Tag() != code.Ref {
					break
				}
			}
			if i == n {
				if m.S >= 0 {
					break
				}
				m.S = p
			}
			p += n
		}
		if m.S < 0 {
			goto fail
		}
		h = m.H
		if m.Live == rowsRetry {
			f := m.Choices[m.B:]
			if left > 0 {
				f[stacks.ChoiceArgs+n], f[stacks.ChoiceArgs+n+1] = code.MakeInt(int64(p)), code.MakeInt(int64(left))
			} else {
				prev := int(f[stacks.ChoicePrev])
				m.B, m.HB, m.Betop = prev, int(m.Choices[prev+stacks.ChoiceH]), int(m.Choices[prev+stacks.ChoiceEtop])
			}
		} else if left > 0 {
			m.X[uint8(n)], m.X[uint8(n+1)] = code.MakeInt(int64(p)), code.MakeInt(int64(left))
			a, b = addrRowsRetry, cell(n+2)
			p = addrRowsFound
			goto push
		}

	row: // unify n arguments with the matching row at s
		p = m.CP
		for i := 0; i < n; i++ {
			b = cell(words[m.S+i])
			if a = m.X[uint8(i)]; a == b {
				continue
			}
			if heap[a.Addr()] != a { // bound by another argument
				if heap[a.Addr()] == b {
					continue
				}
				goto fail
			}
			heap[a.Addr()] = b
			if a.Addr() < m.HB {
				m.Trail[m.TR] = a
				m.TR++
			}
		}
		continue

	orderSlow: // the order of a and b, one of which is not yet a small integer
		for a.Tag() == code.Ref {
			c := heap[a.Addr()]
			if c == a {
				break
			}
			a = c
		}
		for b.Tag() == code.Ref {
			c := heap[b.Addr()]
			if c == b {
				break
			}
			b = c
		}
		if a.Tag() != code.Int || b.Tag() != code.Int || w.Op() == code.OpOrder && w.Imm() != 0 {
			m.P, m.H = p, h
			return exitOrder
		}

	order: // the order of the integers a and b
		r = code.OrderEqual
		if int64(a) < int64(b) {
			r = code.OrderLess
		} else if a != b {
			r = code.OrderGreater
		}
		if w.Op() == code.OpOrder {
			m.X[w.C()] = orderAtoms[r]
			continue
		}
		if w.C()&r == 0 {
			goto target
		}
		continue

	newStruct: // make a a compound whose parts follow, if it is a variable
		if a.Tag() != code.Ref {
			goto noCompound
		}
		if h+buildRoom+cell(words[p]).FunctorArity() > len(heap) || m.TR == len(m.Trail) {
			m.P, m.H = p, h
			return exitHeap
		}
		heap[a.Addr()] = code.MakeStr(h)
		heap[h] = cell(words[p])
		h++
		p++
		m.S = -1
		goto trail

	listCell: // match a with a list cell of two registers
		for a.Tag() == code.Ref {
			if b = heap[a.Addr()]; b == a {
				break
			}
			a = b
		}
		if a.Tag() == code.Lst {
			m.X[w.C()] = heap[a.Addr()+1]
			if w.Op() == code.OpGetListXX {
				m.X[w.B()] = heap[a.Addr()]
				continue
			}
			a, b = m.X[w.B()], heap[a.Addr()]
			goto unify
		}
		if a.Tag() != code.Ref {
			goto noCompound
		}
		if h+buildRoom > len(heap) || m.TR == len(m.Trail) {
			m.P, m.H = p, h
			return exitHeap
		}
		if w.Op() == code.OpGetListXX {
			m.X[w.B()] = code.MakeRef(h)
		}

	newListVX: // bind the variable a to a list cell of two registers
		heap[a.Addr()] = code.MakeLst(h)
		heap[h], heap[h+1] = m.X[w.B()], code.MakeRef(h+1)
		m.X[w.C()] = code.MakeRef(h + 1)
		h += 2

	trail: // a has been bound
		if a.Addr() < m.HB {
			m.Trail[m.TR] = a
			m.TR++
		}
		continue

	list: // match a with a list cell whose parts follow
		if a.Tag() == code.Lst {
			m.S = a.Addr()
			continue
		}
		for a.Tag() == code.Ref {
			if b = heap[a.Addr()]; b == a {
				break
			}
			a = b
		}
		if a.Tag() == code.Lst {
			m.S = a.Addr()
			continue
		}
		if a.Tag() == code.Ref {
			if h+buildRoom > len(heap) || m.TR == len(m.Trail) {
				if w.Op() == code.OpUniVarUniList {
					m.S--
				}
				m.P, m.H = p, h
				return exitHeap
			}
			heap[a.Addr()] = code.MakeLst(h)
			m.S = -1
			goto trail
		}

	noCompound: // a is no compound
		if a.Tag() == code.Att {
			m.P, m.H = p, h
			return exitExpand
		}
		goto fail

	arith: // dereference an integer operand and try again, or leave; a is the first operand
		r = w.A()
		if op := w.Op(); a.Tag() != code.Ref && (op < code.OpLessI || op > code.OpNumNeI && op < code.OpAddI) {
			r = w.B()
			a = m.X[r]
		}
		for a.Tag() == code.Ref {
			if b = heap[a.Addr()]; b == a {
				break
			}
			a = b
		}
		if a.Tag() == code.Int && a != m.X[r] {
			m.X[r] = a
			p--
			continue
		}
		m.P, m.H = p, h
		return exitArith

	constant: // unify a with the constant b
		if a == b {
			continue
		}
		for a.Tag() == code.Ref {
			c := heap[a.Addr()]
			if c == a {
				break
			}
			a = c
		}
		if a == b {
			continue
		}
		if a.Tag() == code.Ref && m.TR < len(m.Trail) {
			heap[a.Addr()] = b
			goto trail
		}
		if a.Tag() > code.Att {
			goto fail
		}
		m.P, m.H, m.UA, m.UB = p, h, a, b
		return exitUnify

	uniConst: // the next part is the constant b
		if m.S >= 0 {
			a = heap[m.S]
			m.S++
			goto constant
		}
		heap[h] = b
		h++
		continue

	uniVal: // the next part is the value b
		if m.S < 0 {
			heap[h] = b
			h++
			continue
		}
		a = heap[m.S]
		m.S++

	unify: // unify a and b
		for a.Tag() == code.Ref {
			c := heap[a.Addr()]
			if c == a {
				break
			}
			a = c
		}
		for b.Tag() == code.Ref {
			c := heap[b.Addr()]
			if c == b {
				break
			}
			b = c
		}
		if a == b {
			continue
		}
		if m.TR < len(m.Trail) {
			if a.Tag() == code.Ref && (b.Tag() > code.Att || b.Tag() == code.Ref && b < a) {
				heap[a.Addr()] = b
				goto trail
			}
			if b.Tag() == code.Ref && a.Tag() != code.Att {
				heap[b.Addr()] = a
				a = b
				goto trail
			}
		}
		m.P, m.H, m.UA, m.UB = p, h, a, b
		if a.Tag() <= code.Att || b.Tag() <= code.Att || a.Tag() == code.Blob {
			return exitUnify
		}
		if a.Tag() != b.Tag() || a.Tag() > code.Lst {
			goto fail
		}

		// Both are compound with parts from x and y on, n of them yet to be unified; rest holds the remaining parts of
		// the enclosing compounds. Terms that are large, perhaps cyclic, or have parts that are not simple are left to
		// Unify, which then finds these parts equal. p and h are not in registers meanwhile, as there are too few.
		{
			x, y, n, depth, steps := a.Addr(), b.Addr(), 2, 0, unifyInLoop
			if a.Tag() == code.Str {
				if heap[x] != heap[y] {
					goto fail
				}
				n = heap[x].FunctorArity()
				x, y = x+1, y+1
			}
			for {
				if n == 0 {
					if depth == 0 {
						break
					}
					depth--
					x, y, n = m.Rest[depth&7].X, m.Rest[depth&7].Y, m.Rest[depth&7].N
				}
				n--
				a, b = heap[x], heap[y]
				x, y = x+1, y+1
				if a == b {
					continue
				}
				for a.Tag() == code.Ref {
					c := heap[a.Addr()]
					if c == a {
						break
					}
					a = c
				}
				for b.Tag() == code.Ref {
					c := heap[b.Addr()]
					if c == b {
						break
					}
					b = c
				}
				if a == b {
					continue
				}
				if m.TR == len(m.Trail) {
					return exitUnify
				}
				if a.Tag() == code.Ref && (b.Tag() > code.Att || b.Tag() == code.Ref && b < a) {
					heap[a.Addr()] = b
				} else if b.Tag() == code.Ref && a.Tag() != code.Att {
					heap[b.Addr()] = a
					a = b
				} else {
					if a.Tag() <= code.Att || b.Tag() <= code.Att || a.Tag() == code.Blob {
						return exitUnify
					}
					if a.Tag() != b.Tag() || a.Tag() > code.Lst {
						goto fail
					}
					if n > 0 {
						m.Rest[depth&7].X, m.Rest[depth&7].Y, m.Rest[depth&7].N = x, y, n
						depth++
					}
					x, y, n = a.Addr(), b.Addr(), 2
					if a.Tag() == code.Str {
						if heap[x] != heap[y] {
							goto fail
						}
						n = heap[x].FunctorArity()
						x, y = x+1, y+1
					}
					if steps -= n; steps < 0 || depth > 7 {
						return exitUnify
					}
					continue
				}
				if a.Addr() < m.HB {
					m.Trail[m.TR] = a
					m.TR++
				}
			}
		}
		p, h = m.P, m.H
		continue

	push: // push a choice point with alternative a; b tells its size
		{
			top := m.B + stacks.ChoiceArgs + int(m.Choices[m.B+stacks.ChoiceArity]&0xffff)
			n := int(b & 0xffff)
			for i, s := 0, m.Choices[top+stacks.ChoiceArgs:top+stacks.ChoiceArgs+n]; i < len(s); i++ { // copy would be a call
				s[i] = m.X[uint8(i)]
			}
			m.ShallowTR, m.ShallowH = m.TR, h
		}

		goto frame

	late: // push the choice point of OpTryHead
		m.Shallow = false
		a, b = cell(m.TryAlt), cell(m.TryArgs)

	frame: // push a choice point whose arguments are in place
		{
			top := m.B + stacks.ChoiceArgs + int(m.Choices[m.B+stacks.ChoiceArity]&0xffff)
			s := m.Choices[top:]
			f := (*[stacks.ChoiceArgs]cell)(s)
			f[stacks.ChoicePrev] = cell(m.B)
			f[stacks.ChoiceAlt] = a
			f[stacks.ChoiceE] = cell(m.E)
			f[stacks.ChoiceCP] = cell(m.CP)
			f[stacks.ChoiceTR] = cell(m.ShallowTR)
			f[stacks.ChoiceH] = cell(m.ShallowH)
			f[stacks.ChoiceEtop] = cell(m.Etop)
			f[stacks.ChoiceObjs] = cell(len(m.Objs))
			f[stacks.ChoiceArity] = b
			m.B, m.HB, m.Betop = top, m.ShallowH, m.Etop
			if len(s) < 2*stacks.ChoiceRoom {
				m.P, m.H = p, h
				return exitChoices
			}
		}
		continue

	neckCut: // cut to the choice point at entry
		if m.B == m.B0 {
			continue
		}
		if m.Wake {
			m.P, m.H = p, h
			return exitWakeFirst
		}
		m.CutTarget = m.B0

	cut: // cut to CutTarget, which is older than b
		if m.CutHook != 0 {
			m.P, m.H = p, h
			return exitCut
		}
		m.B = m.CutTarget
		m.HB, m.Betop = int(m.Choices[m.B+stacks.ChoiceH]), int(m.Choices[m.B+stacks.ChoiceEtop])
		m.Objs = m.Objs[:m.Choices[m.B+stacks.ChoiceObjs]]
		continue

	target: // the test of w failed
		if m.Wake {
			m.P, m.H = p, h
			return exitTestFirst
		}
		if p = w.Imm(); p != code.TargetElse {
			continue
		}
		p = m.ElseP

	jump: // jumps are followed at once
		if w = words[p]; w.Op() == code.OpJump {
			p = w.Imm()
		}
		continue

	fail:
		if m.Wake { // the bindings that woke the waiting goals are undone
			m.Wake = false
			m.WakeGoals, m.LiveCleanups = 0, 0
		}
		f := (*[stacks.ChoiceArgs]cell)(m.Choices[m.B:])
		b = f[stacks.ChoiceTR]
		if m.Shallow {
			b = cell(m.ShallowTR)
		}
		for m.TR > int(b) {
			m.TR--
			a = m.Trail[m.TR]
			if a.Tag() == code.Ref {
				heap[a.Addr()] = a
			} else {
				m.TR--
				heap[a.Addr()] = m.Trail[m.TR]
			}
		}
		if m.Shallow {
			m.Shallow = false
			h, m.HB, p = m.ShallowH, int(f[stacks.ChoiceH]), m.ElseP
			if m.TryArgs > 0 {
				top := m.B + stacks.ChoiceArgs + int(f[stacks.ChoiceArity]&0xffff)
				for i, c := range m.Choices[top+stacks.ChoiceArgs : top+stacks.ChoiceArgs+m.TryArgs] {
					m.X[uint8(i)] = c
				}
			}
			goto jump
		}
		h = int(f[stacks.ChoiceH])
		m.E, m.CP, m.Etop = int(f[stacks.ChoiceE]), int(f[stacks.ChoiceCP]), int(f[stacks.ChoiceEtop])
		m.Objs = m.Objs[:f[stacks.ChoiceObjs]]
		p = int(f[stacks.ChoiceAlt])
	}
}

// unifyInLoop is the number of parts that the loop unifies before it leaves the rest to Unify.
const unifyInLoop = native.UnifySteps

// rowsRetry stands in a register while OpRowsRetry searches the next row.
const rowsRetry = 1

// buildRoom is the heap room that an instruction which starts a term in a body requests. For larger terms the compiler
// uses OpPutTerm.
const buildRoom = native.BuildRoom
