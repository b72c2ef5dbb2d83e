package machine

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/native"
)

// This file defines the run loop: one function without calls, so that Go keeps p and h in registers. What takes more
// than a few steps leaves the loop with an exit code; run.go does the work and comes back. On the way out p is behind
// the instruction; one that has found no room is run again.

// exit says why the loop was left.
type exit uint8

const (
	exitCheck   exit = iota // at a call: fuel, heap or wake-up; p is the callee, live its arity
	exitHeap                // no room on the heap
	exitEnvs                // no room for an environment
	exitChoices             // no room for the next choice point
	exitUnify               // unify ua and ub, then go on at p
	exitOrder               // comparison of terms by instruction p-1
	exitTest                // test of instruction p-1 that needs a look at the heap
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
	exitShallow   // a shallow choice must become a choice point, or such a one is the alternative
	exitCut       // cut to choice point cutTarget with a hook
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
	p, h := m.p, m.h
	heap, words := m.heap, m.code
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
			p = m.elseP
			continue
		case code.OpAllocateLevel:
			if e, top := m.etop, m.etop+envY+w.Imm(); top <= len(m.envs) {
				m.envs[e+envE], m.envs[e+envCP] = cell(m.e), cell(m.cp)
				m.envs[e+envY+w.BC()] = code.MakeInt(int64(m.b0))
				m.e, m.etop = e, top
				continue
			}
			m.p, m.h = p, h
			return exitEnvs
		case code.OpNeckAllocate:
			if m.shallow {
				p--
				goto late
			}
			fallthrough
		case code.OpAllocate:
			if e, top := m.etop, m.etop+envY+w.Imm(); top <= len(m.envs) {
				m.envs[e+envE], m.envs[e+envCP] = cell(m.e), cell(m.cp)
				m.e, m.etop = e, top
				continue
			}
			m.p, m.h = p, h
			return exitEnvs
		case code.OpCall:
			m.cp = p
			goto enter
		case code.OpNeckExecute:
			if m.shallow {
				p--
				goto late
			}
			fallthrough
		case code.OpExecute:
			goto enter
		case code.OpNeckProceed:
			if m.shallow {
				p--
				goto late
			}
			fallthrough
		case code.OpProceed:
			p = m.cp
			continue
		case code.OpDeallocateExecute:
			e := m.e
			m.cp = int(m.envs[e+envCP])
			m.etop = max(e, m.betop)
			m.e = int(m.envs[e+envE])
			goto enter
		case code.OpDeallocateProceed:
			e := m.e
			p = int(m.envs[e+envCP])
			m.cp = p
			m.etop = max(e, m.betop)
			m.e = int(m.envs[e+envE])
			continue
		case code.OpJump:
			p = w.Imm()
			continue
		case code.OpNeckShallow:
			if m.shallow {
				if m.wake {
					m.p, m.h = p, h
					return exitShallow
				}
				m.shallow = false
				m.hb = int(m.choices[m.b+choiceH])
				if m.tr > m.shallowTR && m.trail[m.tr-1].Tag() == code.Ref && m.trail[m.tr-1].Addr() >= m.hb {
					m.tr--
				}
				continue
			}
			goto neckCut
		case code.OpNeckCut:
			goto neckCut
		case code.OpShallow:
			m.elseP = p
			p = w.Imm()
			m.shallow, m.shallowTR, m.shallowH, m.hb = true, m.tr, h, h
			m.tryArgs = 0
			continue
		case code.OpTryHead:
			m.elseP, m.tryAlt, m.tryArgs = int(uint32(words[p])), int(words[p]>>32), int(w.A())
			p = w.Imm()
			{
				top := m.b + choiceArgs + int(m.choices[m.b+choiceArity]&0xffff)
				for i, s := 0, m.choices[top+choiceArgs:top+choiceArgs+m.tryArgs]; i < len(s); i++ {
					s[i] = m.x[uint8(i)]
				}
			}
			m.shallow, m.shallowTR, m.shallowH, m.hb = true, m.tr, h, h
			continue
		case code.OpNeckTry:
			if m.shallow {
				goto late
			}
			continue
		case code.OpShallowFail:
			m.p, m.h = p, h
			return exitShallow
		case code.OpGetLevel:
			m.envs[m.e+envY+w.Imm()] = code.MakeInt(int64(m.b0))
			continue
		case code.OpWake:
			if m.wake {
				m.p, m.h = p, h
				return exitWakeFirst
			}
			continue
		case code.OpMark:
			if m.wake && w.BC() != 0 {
				m.p, m.h = p, h
				return exitWakeFirst
			}
			m.envs[m.e+envY+w.Imm()] = code.MakeInt(int64(m.b))
			continue
		case code.OpCutTo:
			m.cutTarget = int(m.envs[m.e+envY+w.Imm()].Int())
			if m.b == m.cutTarget {
				continue
			}
			if m.wake {
				m.p, m.h = p, h
				return exitWakeFirst
			}
			goto cut
		case code.OpSoftCut:
			m.p, m.h = p, h
			return exitSoftCut
		case code.OpTryElse:
			a, b = cell(w.Imm()), cell(w.BC()+1)<<16
			goto push
		case code.OpRetryElse:
			m.choices[m.b+choiceAlt] = cell(w.Imm())
			continue
		case code.OpTrustElse:
			prev := int(m.choices[m.b+choicePrev])
			m.b, m.hb, m.betop = prev, int(m.choices[prev+choiceH]), int(m.choices[prev+choiceEtop])
			continue
		case code.OpInitY:
			m.envs[m.e+envY+w.Imm()] = code.MakeInt(0)
			continue
		case code.OpBuiltin, code.OpBuiltinEnd:
			m.p, m.h = p, h
			return exitBuiltin
		case code.OpUndefined:
			m.p, m.h = p, h
			return exitUndefined
		case code.OpDynamic:
			m.p, m.h = p, h
			return exitDynamic
		case code.OpQualify:
			m.p, m.h = p, h
			return exitQualify
		case code.OpDet, code.OpDetExit, code.OpDetFail:
			m.p, m.h = p, h
			return exitDet
		case code.OpRetryDyn:
			m.p, m.h = p, h
			return exitRetryDyn
		case code.OpRows:
			if m.tr+code.MaxRow > len(m.trail) {
				m.p, m.h = p, h
				return exitHeap
			}
			n = int(w.A())
			for i := 0; i < n; i++ {
				a = m.x[uint8(i)]
				for a.Tag() == code.Ref {
					if b = heap[a.Addr()]; b == a {
						break
					}
					a = b
				}
				if a.Tag() == code.Att {
					m.p, m.h = p, h
					return exitDynamic
				}
				m.x[uint8(i)] = a
			}
			m.s, m.live, left = -1, 0, w.BC()
			goto rows
		case code.OpRowsFound:
			if m.tr+code.MaxRow > len(m.trail) {
				m.p, m.h = p, h
				return exitHeap
			}
			n = int(m.choices[m.b+choiceArity]&0xffff) - 2
			goto row
		case code.OpRowsRetry:
			if m.tr+code.MaxRow > len(m.trail) {
				m.p, m.h = p, h
				return exitHeap
			}
			f := m.choices[m.b:]
			n = int(f[choiceArity]&0xffff) - 2
			for i, c := range f[choiceArgs : choiceArgs+n] {
				m.x[uint8(i)] = c
			}
			m.s = int(f[choiceArgs+n].Int())
			p, left = m.s+n, int(f[choiceArgs+n+1].Int())-1
			m.live = rowsRetry
			goto rows
		case code.OpRedo:
			m.p, m.h = p, h
			return exitRedo
		case code.OpMeta:
			m.p, m.h = p, h
			return exitMeta
		case code.OpCallN: // the goal is an atom or compound, its predicate in the cache
			a = m.x[0]
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
				m.p, m.h = p, h
				return exitMeta
			}
			line := &m.preds.lines[code.SwitchHash(b, len(m.preds.lines)-1)]
			if line.functor != b || line.mod != m.program.User() || n+extra > MaxArgs || m.fuel <= 0 || h > m.hSoft ||
				m.waiting() || int(line.pred.Entry) >= len(words) {
				m.p, m.h = p, h
				return exitMeta
			}
			if n == 0 {
				for i := 0; i < extra; i++ {
					m.x[uint8(i)] = m.x[uint8(i+1)]
				}
			} else {
				for i := extra; n > 1 && i > 0; i-- {
					m.x[uint8(n+i-1)] = m.x[uint8(i)]
				}
				for i := 0; i < n; i++ {
					m.x[uint8(i)] = heap[a.Addr()+1+i]
				}
			}
			m.b0 = m.b
			m.fuel--
			p = int(line.pred.Entry)
			continue
		case code.OpPopCatch:
			if m.wake {
				m.p, m.h = p, h
				return exitWakeFirst
			}
			if c := int(m.envs[m.e+envY].Int()); c == m.b {
				prev := int(m.choices[c+choicePrev])
				m.b, m.hb, m.betop = prev, int(m.choices[prev+choiceH]), int(m.choices[prev+choiceEtop])
			}
			continue
		case code.OpCatchFail:
			prev := int(m.choices[m.b+choicePrev])
			m.b, m.hb, m.betop = prev, int(m.choices[prev+choiceH]), int(m.choices[prev+choiceEtop])
			goto fail
		case code.OpCleanupFail, code.OpCleanupExit:
			m.p, m.h = p, h
			return exitCleanup
		case code.OpResume:
			m.p, m.h = p, h
			return exitResume
		case code.OpExit:
			m.p, m.h = p, h
			return exitAnswer
		case code.OpNoMore:
			m.p, m.h = p, h
			return exitNoMore

		// Selection among clauses.
		case code.OpSwitch:
			goto onSwitch
		case code.OpSwitchTable:
			a = m.x[w.A()]
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
			f := m.choices[m.b:]
			n := int(f[choiceArity] & 0xffff)
			for i, c := range f[choiceArgs : choiceArgs+n] {
				m.x[uint8(i)] = c
			}
			f[choiceAlt] = cell(p)
			m.b0 = int(f[choicePrev])
			p = w.Imm()
			continue
		case code.OpTrust:
			f := m.choices[m.b:]
			n := int(f[choiceArity] & 0xffff)
			for i, c := range f[choiceArgs : choiceArgs+n] {
				m.x[uint8(i)] = c
			}
			prev := int(f[choicePrev])
			m.b0 = prev
			m.b, m.hb, m.betop = prev, int(m.choices[prev+choiceH]), int(m.choices[prev+choiceEtop])
			p = w.Imm()
			continue
		case code.OpGuard:
			m.elseP = p
			p = w.Imm()
			continue

		// Head.
		case code.OpMove:
			m.x[w.B()] = m.x[w.A()]
			continue
		case code.OpMove2:
			m.x[w.B()] = m.x[w.A()]
			m.x[uint8(w>>32)] = m.x[w.C()]
			continue
		case code.OpGetY:
			m.envs[m.e+envY+w.Imm()] = m.x[w.A()]
			continue
		case code.OpGetYY:
			y := m.envs[m.e+envY:]
			y[uint16(w>>32)] = m.x[w.A()]
			y[uint16(w>>48)] = m.x[w.B()]
			continue
		case code.OpGetYYY:
			{
				y := m.envs[m.e+envY:]
				y[w>>32&1023] = m.x[w.A()]
				y[w>>42&1023] = m.x[w.B()]
				y[w>>52&1023] = m.x[w.C()]
			}
			continue
		case code.OpGetValX:
			a, b = m.x[w.A()], m.x[w.B()]
			goto unify
		case code.OpGetValY:
			a, b = m.x[w.A()], m.envs[m.e+envY+w.Imm()]
			goto unify
		case code.OpGetAtom:
			a, b = m.x[w.A()], code.MakeAtom(uint32(w>>32))
			goto constant
		case code.OpGetInt:
			a, b = m.x[w.A()], code.MakeInt(w.SImm())
			goto constant
		case code.OpGetCell:
			a, b = m.x[w.A()], cell(words[p])
			p++
			goto constant
		case code.OpGetBlob:
			m.p, m.h = p, h
			return exitTerm
		case code.OpGetList:
			a = m.x[w.A()]
			goto list
		case code.OpGetStruct:
			a = m.x[w.A()]
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
				m.s = a.Addr() + 1
				p++
				continue
			}
			goto fail
		case code.OpGetListXX:
			a = m.x[w.A()]
			if a.Tag() == code.Lst {
				m.x[w.B()], m.x[w.C()] = heap[a.Addr()], heap[a.Addr()+1]
				continue
			}
			goto listCell
		case code.OpGetListVX:
			a = m.x[w.A()]
			if a.Tag() == code.Ref && heap[a.Addr()] == a && h+buildRoom <= len(heap) && m.tr < len(m.trail) {
				goto newListVX
			}
			goto listCell

		// Parts of a compound.
		case code.OpUniVarX:
			if s := m.s; s >= 0 {
				m.x[w.A()] = heap[s]
				m.s = s + 1
				continue
			}
			a = code.MakeRef(h)
			heap[h] = a
			m.x[w.A()] = a
			h++
			continue
		case code.OpUniVarXX:
			if s := m.s; s >= 0 {
				m.x[w.A()], m.x[w.B()] = heap[s], heap[s+1]
				m.s = s + 2
				continue
			}
			heap[h], heap[h+1] = code.MakeRef(h), code.MakeRef(h+1)
			m.x[w.A()], m.x[w.B()] = code.MakeRef(h), code.MakeRef(h+1)
			h += 2
			continue
		case code.OpUniVarXXX:
			if s := m.s; s >= 0 {
				m.x[w.A()], m.x[w.B()], m.x[w.C()] = heap[s], heap[s+1], heap[s+2]
				m.s = s + 3
				continue
			}
			heap[h], heap[h+1], heap[h+2] = code.MakeRef(h), code.MakeRef(h+1), code.MakeRef(h+2)
			m.x[w.A()], m.x[w.B()], m.x[w.C()] = code.MakeRef(h), code.MakeRef(h+1), code.MakeRef(h+2)
			h += 3
			continue
		case code.OpUniValX:
			b = m.x[w.A()]
			goto uniVal
		case code.OpUniVarY:
			if s := m.s; s >= 0 {
				m.envs[m.e+envY+w.Imm()] = heap[s]
				m.s = s + 1
				continue
			}
			a = code.MakeRef(h)
			heap[h] = a
			m.envs[m.e+envY+w.Imm()] = a
			h++
			continue
		case code.OpUniValY:
			b = m.envs[m.e+envY+w.Imm()]
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
			if m.s >= 0 {
				m.s += w.Imm()
				continue
			}
			for i := w.Imm(); i > 0; i-- {
				heap[h] = code.MakeRef(h)
				h++
			}
			continue
		case code.OpUniVarUniList:
			if s := m.s; s >= 0 {
				m.x[w.A()] = heap[s]
				m.s = s + 1
				a = heap[s+1]
				goto list
			}
			heap[h] = code.MakeRef(h)
			m.x[w.A()] = code.MakeRef(h)
			heap[h+1] = code.MakeLst(h + 2)
			h += 2
			continue
		case code.OpUniList:
			if m.s >= 0 {
				a = heap[m.s]
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
			m.x[w.A()] = a
			m.x[w.B()] = a
			continue
		case code.OpPutVarY:
			a = code.MakeRef(h)
			heap[h] = a
			h++
			m.x[w.A()] = a
			m.envs[m.e+envY+w.Imm()] = a
			continue
		case code.OpNewY:
			a = code.MakeRef(h)
			heap[h] = a
			h++
			m.envs[m.e+envY+w.Imm()] = a
			continue
		case code.OpPutY:
			m.x[w.A()] = m.envs[m.e+envY+w.Imm()]
			continue
		case code.OpPutYY:
			y := m.envs[m.e+envY:]
			m.x[w.A()] = y[uint16(w>>32)]
			m.x[w.B()] = y[uint16(w>>48)]
			continue
		case code.OpPutYYY:
			{
				y := m.envs[m.e+envY:]
				m.x[w.A()] = y[w>>32&1023]
				m.x[w.B()] = y[w>>42&1023]
				m.x[w.C()] = y[w>>52&1023]
			}
			continue
		case code.OpPutAtom:
			m.x[w.A()] = code.MakeAtom(uint32(w >> 32))
			continue
		case code.OpPutInt:
			m.x[w.A()] = code.MakeInt(w.SImm())
			continue
		case code.OpPutCell:
			m.x[w.A()] = cell(words[p])
			p++
			continue
		case code.OpPutBlob, code.OpPutTerm:
			m.p, m.h = p, h
			return exitTerm
		case code.OpPutList:
			if h+buildRoom > len(heap) {
				m.p, m.h = p, h
				return exitHeap
			}
			m.x[w.A()] = code.MakeLst(h)
			continue
		case code.OpPutStruct:
			a = cell(words[p])
			if h+buildRoom+a.FunctorArity() > len(heap) {
				m.p, m.h = p, h
				return exitHeap
			}
			m.x[w.A()] = code.MakeStr(h)
			heap[h] = a
			h++
			p++
			continue
		case code.OpSetVarX:
			a = code.MakeRef(h)
			heap[h] = a
			m.x[w.A()] = a
			h++
			continue
		case code.OpSetValX:
			heap[h] = m.x[w.A()]
			h++
			continue
		case code.OpSetVarY:
			a = code.MakeRef(h)
			heap[h] = a
			m.envs[m.e+envY+w.Imm()] = a
			h++
			continue
		case code.OpSetValY:
			heap[h] = m.envs[m.e+envY+w.Imm()]
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
				m.p, m.h = p, h
				return exitHeap
			}
			a, b = m.x[w.B()], m.x[w.C()]
			m.x[w.A()] = code.MakeLst(h)
			heap[h] = a
			heap[h+1] = b
			h += 2
			continue
		case code.OpPutListXV:
			if h+buildRoom > len(heap) {
				m.p, m.h = p, h
				return exitHeap
			}
			heap[h] = m.x[w.B()]
			heap[h+1] = code.MakeRef(h + 1)
			m.x[w.A()] = code.MakeLst(h)
			m.x[w.C()] = code.MakeRef(h + 1)
			h += 2
			continue

		// Inline goals.
		case code.OpTest:
			if m.wake {
				m.p, m.h = p, h
				return exitTestFirst
			}
			a = m.x[w.A()]
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
			m.p, m.h, m.ua = p, h, a
			return exitTest
		case code.OpIdent:
			if m.wake {
				m.p, m.h = p, h
				return exitTestFirst
			}
			a, b = m.x[w.A()], m.x[w.B()]
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
				m.p, m.h = p, h
				return exitTest
			}
			if (a == b) == (w.C() != 0) {
				goto target
			}
			continue
		case code.OpBefore:
			if a, b = m.x[w.A()], m.x[w.B()]; a.Tag() == code.Int && b.Tag() == code.Int {
				goto order
			}
			goto orderSlow
		case code.OpOrder:
			if a, b = m.x[w.A()], m.x[w.B()]; a.Tag() == code.Int && b.Tag() == code.Int && w.Imm() == 0 {
				goto order
			}
			goto orderSlow
		case code.OpUnify:
			if w.Imm() == code.TargetFail {
				a, b = m.x[w.A()], m.x[w.B()]
				goto unify
			}
			m.p, m.h = p, h
			return exitTest
		case code.OpLess:
			a, b = m.x[w.A()], m.x[w.B()]
			if a.Tag() == code.Int && b.Tag() == code.Int {
				if int64(a) >= int64(b) {
					goto target
				}
				continue
			}
			goto arith
		case code.OpLessEq:
			a, b = m.x[w.A()], m.x[w.B()]
			if a.Tag() == code.Int && b.Tag() == code.Int {
				if int64(a) > int64(b) {
					goto target
				}
				continue
			}
			goto arith
		case code.OpNumEq:
			a, b = m.x[w.A()], m.x[w.B()]
			if a.Tag() == code.Int && b.Tag() == code.Int {
				if a != b {
					goto target
				}
				continue
			}
			goto arith
		case code.OpNumNe:
			a, b = m.x[w.A()], m.x[w.B()]
			if a.Tag() == code.Int && b.Tag() == code.Int {
				if a == b {
					goto target
				}
				continue
			}
			goto arith
		case code.OpLessI:
			if a = m.x[w.A()]; a.Tag() == code.Int {
				if a.Int() >= w.SBC() {
					goto target
				}
				continue
			}
			goto arith
		case code.OpLessEqI:
			if a = m.x[w.A()]; a.Tag() == code.Int {
				if a.Int() > w.SBC() {
					goto target
				}
				continue
			}
			goto arith
		case code.OpGreaterI:
			if a = m.x[w.A()]; a.Tag() == code.Int {
				if a.Int() <= w.SBC() {
					goto target
				}
				continue
			}
			goto arith
		case code.OpGreaterEqI:
			if a = m.x[w.A()]; a.Tag() == code.Int {
				if a.Int() < w.SBC() {
					goto target
				}
				continue
			}
			goto arith
		case code.OpNumEqI:
			if a = m.x[w.A()]; a.Tag() == code.Int {
				if a.Int() != w.SBC() {
					goto target
				}
				continue
			}
			goto arith
		case code.OpNumNeI:
			if a = m.x[w.A()]; a.Tag() == code.Int {
				if a.Int() == w.SBC() {
					goto target
				}
				continue
			}
			goto arith
		case code.OpAdd:
			a, b = m.x[w.A()], m.x[w.B()]
			if a.Tag() == code.Int && b.Tag() == code.Int {
				if n := a.Int() + b.Int(); code.FitsInt(n) {
					m.x[w.C()] = code.MakeInt(n)
					continue
				}
			}
			goto arith
		case code.OpSub:
			a, b = m.x[w.A()], m.x[w.B()]
			if a.Tag() == code.Int && b.Tag() == code.Int {
				if n := a.Int() - b.Int(); code.FitsInt(n) {
					m.x[w.C()] = code.MakeInt(n)
					continue
				}
			}
			goto arith
		case code.OpAddI:
			if a = m.x[w.A()]; a.Tag() == code.Int {
				if n := a.Int() + w.SImm(); code.FitsInt(n) {
					m.x[w.C()] = code.MakeInt(n)
					continue
				}
			}
			goto arith
		case code.OpMul:
			a, b = m.x[w.A()], m.x[w.B()]
			if a.Tag() == code.Int && b.Tag() == code.Int {
				i, j := a.Int(), b.Int()
				if int64(int32(i)) == i && int64(int32(j)) == j {
					if n := i * j; code.FitsInt(n) {
						m.x[w.C()] = code.MakeInt(n)
						continue
					}
				}
			}
			goto arith
		case code.OpIntDiv:
			a, b = m.x[w.A()], m.x[w.B()]
			if a.Tag() == code.Int && b.Tag() == code.Int && b.Int() > 0 {
				m.x[w.C()] = code.MakeInt(a.Int() / b.Int())
				continue
			}
			goto arith
		case code.OpMod:
			a, b = m.x[w.A()], m.x[w.B()]
			if a.Tag() == code.Int && b.Tag() == code.Int && b.Int() > 0 {
				n := a.Int() % b.Int()
				if n < 0 {
					n += b.Int()
				}
				m.x[w.C()] = code.MakeInt(n)
				continue
			}
			goto arith
		case code.OpRem:
			a, b = m.x[w.A()], m.x[w.B()]
			if a.Tag() == code.Int && b.Tag() == code.Int && b.Int() > 0 {
				m.x[w.C()] = code.MakeInt(a.Int() % b.Int())
				continue
			}
			goto arith
		case code.OpBitAnd:
			a, b = m.x[w.A()], m.x[w.B()]
			if a.Tag() == code.Int && b.Tag() == code.Int {
				m.x[w.C()] = a & b
				continue
			}
			goto arith
		case code.OpBitOr:
			a, b = m.x[w.A()], m.x[w.B()]
			if a.Tag() == code.Int && b.Tag() == code.Int {
				m.x[w.C()] = a | b
				continue
			}
			goto arith
		case code.OpShiftR:
			a, b = m.x[w.A()], m.x[w.B()]
			if a.Tag() == code.Int && b.Tag() == code.Int && uint64(b.Int()) < 64 {
				m.x[w.C()] = code.MakeInt(a.Int() >> uint(b.Int()))
				continue
			}
			goto arith
		case code.OpShiftL:
			a, b = m.x[w.A()], m.x[w.B()]
			if a.Tag() == code.Int && b.Tag() == code.Int && uint64(b.Int()) < 32 {
				if i := a.Int(); int64(int32(i)) == i {
					if n := i << uint(b.Int()); code.FitsInt(n) {
						m.x[w.C()] = code.MakeInt(n)
						continue
					}
				}
			}
			goto arith
		case code.OpEval:
			if a = m.x[w.A()]; a.Tag() == code.Int {
				m.x[w.C()] = a
				continue
			}
			goto arith
		case code.OpArith, code.OpArith1, code.OpLive,
			137, 138, 139, 140, 141, 142, 143, 144, 145, 146, 147, 148, 149, 150, 151, 152, 153,
			154, 155, 156, 157, 158, 159, 160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175,
			176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191, 192, 193, 194, 195, 196, 197,
			198, 199, 200, 201, 202, 203, 204, 205, 206, 207, 208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219,
			220, 221, 222, 223, 224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239, 240, 241,
			242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255: // not operations
			a = m.x[w.A()]
			goto arith
		}

	enter: // the predicate that w calls
		m.b0 = m.b
		p = w.Imm()
		if m.fuel--; m.fuel < 0 || h > m.hSoft {
			m.p, m.h, m.live = p, h, int(w.A())
			return exitCheck
		}
		if w = words[p]; w.Op() != code.OpSwitch {
			continue
		}
		p++

	onSwitch: // on X[a]
		r, a = w.A(), m.x[w.A()]
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
			m.x[w.B()], m.x[w.C()] = heap[a.Addr()], heap[a.Addr()+1]
		}
		continue

	switchOther: // the same, of a that is no list cell; a table is looked up at once
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

	rows: // n arguments are compared with the rows from p on, of which there are left, until there is
		// one at s, which may have been found before, and another one
		m.h = h
		for ; left > 0; left-- {
			i := 0
			for ; i < n; i++ {
				if a = m.x[uint8(i)]; a != cell(words[p+i]) && a.Tag() != code.Ref {
					break
				}
			}
			if i == n {
				if m.s >= 0 {
					break
				}
				m.s = p
			}
			p += n
		}
		if m.s < 0 {
			goto fail
		}
		h = m.h
		if m.live == rowsRetry {
			f := m.choices[m.b:]
			if left > 0 {
				f[choiceArgs+n], f[choiceArgs+n+1] = code.MakeInt(int64(p)), code.MakeInt(int64(left))
			} else {
				prev := int(f[choicePrev])
				m.b, m.hb, m.betop = prev, int(m.choices[prev+choiceH]), int(m.choices[prev+choiceEtop])
			}
		} else if left > 0 {
			m.x[uint8(n)], m.x[uint8(n+1)] = code.MakeInt(int64(p)), code.MakeInt(int64(left))
			a, b = addrRowsRetry, cell(n+2)
			p = addrRowsFound
			goto push
		}

	row: // n arguments are unified with the row at s, which each of them matches
		p = m.cp
		for i := 0; i < n; i++ {
			b = cell(words[m.s+i])
			if a = m.x[uint8(i)]; a == b {
				continue
			}
			if heap[a.Addr()] != a { // bound to another argument
				if heap[a.Addr()] == b {
					continue
				}
				goto fail
			}
			heap[a.Addr()] = b
			if a.Addr() < m.hb {
				m.trail[m.tr] = a
				m.tr++
			}
		}
		continue

	orderSlow: // the order of a and b, of which one is no small integer yet
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
			m.p, m.h = p, h
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
			m.x[w.C()] = orderAtoms[r]
			continue
		}
		if w.C()&r == 0 {
			goto target
		}
		continue

	newStruct: // a is made a compound, if it is a variable, whose parts follow
		if a.Tag() != code.Ref {
			goto noCompound
		}
		if h+buildRoom+cell(words[p]).FunctorArity() > len(heap) || m.tr == len(m.trail) {
			m.p, m.h = p, h
			return exitHeap
		}
		heap[a.Addr()] = code.MakeStr(h)
		heap[h] = cell(words[p])
		h++
		p++
		m.s = -1
		goto trail

	listCell: // a is matched with a list cell of two registers
		for a.Tag() == code.Ref {
			if b = heap[a.Addr()]; b == a {
				break
			}
			a = b
		}
		if a.Tag() == code.Lst {
			m.x[w.C()] = heap[a.Addr()+1]
			if w.Op() == code.OpGetListXX {
				m.x[w.B()] = heap[a.Addr()]
				continue
			}
			a, b = m.x[w.B()], heap[a.Addr()]
			goto unify
		}
		if a.Tag() != code.Ref {
			goto noCompound
		}
		if h+buildRoom > len(heap) || m.tr == len(m.trail) {
			m.p, m.h = p, h
			return exitHeap
		}
		if w.Op() == code.OpGetListXX {
			m.x[w.B()] = code.MakeRef(h)
		}

	newListVX: // a is a variable that becomes a list cell; the parts are registers
		heap[a.Addr()] = code.MakeLst(h)
		heap[h], heap[h+1] = m.x[w.B()], code.MakeRef(h+1)
		m.x[w.C()] = code.MakeRef(h + 1)
		h += 2

	trail: // a has been bound
		if a.Addr() < m.hb {
			m.trail[m.tr] = a
			m.tr++
		}
		continue

	list: // a is matched with a list cell whose parts follow
		if a.Tag() == code.Lst {
			m.s = a.Addr()
			continue
		}
		for a.Tag() == code.Ref {
			if b = heap[a.Addr()]; b == a {
				break
			}
			a = b
		}
		if a.Tag() == code.Lst {
			m.s = a.Addr()
			continue
		}
		if a.Tag() == code.Ref {
			if h+buildRoom > len(heap) || m.tr == len(m.trail) {
				if w.Op() == code.OpUniVarUniList {
					m.s--
				}
				m.p, m.h = p, h
				return exitHeap
			}
			heap[a.Addr()] = code.MakeLst(h)
			m.s = -1
			goto trail
		}

	noCompound: // a is no compound
		if a.Tag() == code.Att {
			m.p, m.h = p, h
			return exitExpand
		}
		goto fail

	arith: // follow a reference to an integer and try again, or leave; a is the first operand
		r = w.A()
		if op := w.Op(); a.Tag() != code.Ref && (op < code.OpLessI || op > code.OpNumNeI && op < code.OpAddI) {
			r = w.B()
			a = m.x[r]
		}
		for a.Tag() == code.Ref {
			if b = heap[a.Addr()]; b == a {
				break
			}
			a = b
		}
		if a.Tag() == code.Int && a != m.x[r] {
			m.x[r] = a
			p--
			continue
		}
		m.p, m.h = p, h
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
		if a.Tag() == code.Ref && m.tr < len(m.trail) {
			heap[a.Addr()] = b
			goto trail
		}
		if a.Tag() > code.Att {
			goto fail
		}
		m.p, m.h, m.ua, m.ub = p, h, a, b
		return exitUnify

	uniConst: // the next part is the constant b
		if m.s >= 0 {
			a = heap[m.s]
			m.s++
			goto constant
		}
		heap[h] = b
		h++
		continue

	uniVal: // the next part is the value b
		if m.s < 0 {
			heap[h] = b
			h++
			continue
		}
		a = heap[m.s]
		m.s++

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
		if m.tr < len(m.trail) {
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
		m.p, m.h, m.ua, m.ub = p, h, a, b
		if a.Tag() <= code.Att || b.Tag() <= code.Att || a.Tag() == code.Blob {
			return exitUnify
		}
		if a.Tag() != b.Tag() || a.Tag() > code.Lst {
			goto fail
		}

		// Both are compound with parts from x and y on, n of them yet to be unified; what remains of the compounds
		// around them is in rest. Terms that are large, perhaps cyclic, or have parts that are not simple are left to
		// Unify, which finds these parts equal already. p and h are not held in registers meanwhile: there are too few.
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
					x, y, n = m.rest[depth&7].x, m.rest[depth&7].y, m.rest[depth&7].n
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
				if m.tr == len(m.trail) {
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
						m.rest[depth&7].x, m.rest[depth&7].y, m.rest[depth&7].n = x, y, n
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
				if a.Addr() < m.hb {
					m.trail[m.tr] = a
					m.tr++
				}
			}
		}
		p, h = m.p, m.h
		continue

	push: // a choice point that goes on at a; b tells its size
		{
			top := m.b + choiceArgs + int(m.choices[m.b+choiceArity]&0xffff)
			n := int(b & 0xffff)
			for i, s := 0, m.choices[top+choiceArgs:top+choiceArgs+n]; i < len(s); i++ { // copy would be a call
				s[i] = m.x[uint8(i)]
			}
			m.shallowTR, m.shallowH = m.tr, h
		}

		goto frame

	late: // the choice point of OpTryHead
		m.shallow = false
		a, b = cell(m.tryAlt), cell(m.tryArgs)

	frame: // a choice point whose arguments are in place
		{
			top := m.b + choiceArgs + int(m.choices[m.b+choiceArity]&0xffff)
			s := m.choices[top:]
			f := (*[choiceArgs]cell)(s)
			f[choicePrev] = cell(m.b)
			f[choiceAlt] = a
			f[choiceE] = cell(m.e)
			f[choiceCP] = cell(m.cp)
			f[choiceTR] = cell(m.shallowTR)
			f[choiceH] = cell(m.shallowH)
			f[choiceEtop] = cell(m.etop)
			f[choiceObjs] = cell(len(m.objs))
			f[choiceArity] = b
			m.b, m.hb, m.betop = top, m.shallowH, m.etop
			if len(s) < 2*choiceRoom {
				m.p, m.h = p, h
				return exitChoices
			}
		}
		continue

	neckCut: // cut to the choice point at entry
		if m.b == m.b0 {
			continue
		}
		if m.wake {
			m.p, m.h = p, h
			return exitWakeFirst
		}
		m.cutTarget = m.b0

	cut: // cut to cutTarget, which is older than b
		if m.cutHook != 0 {
			m.p, m.h = p, h
			return exitCut
		}
		m.b = m.cutTarget
		m.hb, m.betop = int(m.choices[m.b+choiceH]), int(m.choices[m.b+choiceEtop])
		m.objs = m.objs[:m.choices[m.b+choiceObjs]]
		continue

	target: // a test of w came out negative
		if m.wake {
			m.p, m.h = p, h
			return exitTestFirst
		}
		if p = w.Imm(); p != code.TargetElse {
			continue
		}
		p = m.elseP

	jump: // a jump is done at once
		if w = words[p]; w.Op() == code.OpJump {
			p = w.Imm()
		}
		continue

	fail:
		if m.wake { // the bindings that goals wait for are undone
			m.wake = false
			m.wakeGoals, m.liveCleanups = 0, 0
		}
		f := (*[choiceArgs]cell)(m.choices[m.b:])
		b = f[choiceTR]
		if m.shallow {
			b = cell(m.shallowTR)
		}
		for m.tr > int(b) {
			m.tr--
			a = m.trail[m.tr]
			if a.Tag() == code.Ref {
				heap[a.Addr()] = a
			} else {
				m.tr--
				heap[a.Addr()] = m.trail[m.tr]
			}
		}
		if m.shallow {
			m.shallow = false
			h, m.hb, p = m.shallowH, int(f[choiceH]), m.elseP
			if m.tryArgs > 0 {
				top := m.b + choiceArgs + int(f[choiceArity]&0xffff)
				for i, c := range m.choices[top+choiceArgs : top+choiceArgs+m.tryArgs] {
					m.x[uint8(i)] = c
				}
			}
			goto jump
		}
		h = int(f[choiceH])
		m.e, m.cp, m.etop = int(f[choiceE]), int(f[choiceCP]), int(f[choiceEtop])
		m.objs = m.objs[:f[choiceObjs]]
		p = int(f[choiceAlt])
	}
}

// unifyInLoop is the number of parts that the loop unifies before it leaves the rest to Unify.
const unifyInLoop = native.UnifySteps

// rowsRetry stands in a register while OpRowsRetry looks for another row.
const rowsRetry = 1

// choiceRoom is the room for one more choice point, which there always is.
const choiceRoom = native.ChoiceRoom

// buildRoom is the room that an instruction which starts a term in a body asks for. The
// compiler makes terms that need more with OpPutTerm.
const buildRoom = native.BuildRoom
