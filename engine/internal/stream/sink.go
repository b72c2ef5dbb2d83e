package stream

import (
	"sync"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines sinks for with_output_to/2 and format/3. A sink is one of the terms atom(A), string(S),
// codes(Cs), codes(Cs, Tail) and chars(Cs), whose argument takes the text.

// IsSink reports whether a dereferenced cell is a sink.
func IsSink(m *machine.Machine, c cell) bool {
	if c.Tag() != code.Str {
		return false
	}
	switch m.Functor(c) {
	case fSinkAtom, fSinkString, fSinkCodes, fSinkCodesTail, fSinkChars:
		return true
	}
	return false
}

var (
	fSinkAtom      = code.Functor("atom", 1)
	fSinkString    = code.Functor("string", 1)
	fSinkCodes     = code.Functor("codes", 1)
	fSinkCodesTail = code.Functor("codes", 2)
	fSinkChars     = code.Functor("chars", 1)
)

// FillSink unifies the sink's argument with the text in the sink's form.
func FillSink(m *machine.Machine, sink cell, text string) bool {
	arg := m.Arg(sink, 0)
	switch m.Functor(sink) {
	case fSinkAtom:
		return m.Unify(arg, m.NewAtom(text))
	case fSinkString:
		return m.Unify(arg, m.NewString(text))
	case fSinkCodes:
		return m.Unify(arg, m.NewCodes(text, code.ANil))
	case fSinkCodesTail:
		return m.Unify(arg, m.NewCodes(text, m.Arg(sink, 1)))
	}
	return m.Unify(arg, m.NewChars(text, code.ANil))
}

// ToSink makes f write to the stream or sink that is the first argument. It fills a sink if done reports that f has
// written.
func ToSink(m *machine.Machine, a []cell, f Func, done func() bool) (bool, error) {
	sink := m.Deref(a[0])
	if !IsSink(m, sink) {
		if stacks.IsCompound(sink) && !IsTerm(m, sink) {
			return false, m.TypeError("output", sink)
		}
		return To(f)(m, a)
	}
	s := memories.Get().(*Stream)
	defer s.Forget(m)
	ok, err := f(m, s, a[1:])
	if !ok || err != nil || !done() {
		return ok, err
	}
	return FillSink(m, sink, s.Out.View()), nil
}

// memories holds unused outputs in memory, for the next sink.
var memories = sync.Pool{New: func() any { return NewMemory() }}

// Forget releases the memory of s, an output in memory that is in no table. Another sink may reuse s.
func (s *Stream) Forget(m *machine.Machine) {
	_ = m.Hold(-s.Out.Held)
	if buf := s.Out.buf[:0]; cap(buf) <= OutputBuffer {
		*s.Out = Output{buf: buf, Buffer: BufferFull, memory: true}
		*s = Stream{Mode: ModeWrite, Out: s.Out}
		memories.Put(s)
	}
}
