package builtin

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
)

// This file defines sinks: the terms atom(A), string(S), codes(Cs), codes(Cs, Tail) and chars(Cs)
// that take output in memory, for with_output_to/2 and format/3.

var sinkTable = []machine.Builtin{
	{Name: "$must_be_sink", Arity: 1, Func: partOf("with_output_to", 2, mustBeSink), Modes: "+sink", Doc: "Throws unless the term is a sink."},
	{Name: "$sink_text", Arity: 2, Func: sinkText, Modes: "+sink, +text", Doc: "The sink takes the text."},
}

// isSink reports whether a dereferenced cell is a sink.
func isSink(m *machine.Machine, c cell) bool {
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

func mustBeSink(m *machine.Machine, a []cell) (bool, error) {
	c := m.Deref(a[0])
	if machine.IsVar(c) {
		return false, m.InstantiationError()
	}
	if !isSink(m, c) {
		return false, m.TypeError("output", c)
	}
	return true, nil
}

func sinkText(m *machine.Machine, a []cell) (bool, error) {
	text, _ := m.AtomicText(a[1])
	return fillSink(m, m.Deref(a[0]), text), nil
}

// fillSink unifies the sink's argument with the text in the sink's form.
func fillSink(m *machine.Machine, sink cell, text string) bool {
	m.Room(2*len(text) + 2)
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

// toSink makes f write to the stream or sink given as first argument; a sink is filled when
// done says that f has written.
func toSink(m *machine.Machine, a []cell, f streamFunc, done func() bool) (bool, error) {
	sink := m.Deref(a[0])
	if !isSink(m, sink) {
		if machine.IsCompound(sink) && !isStreamTerm(m, sink) {
			return false, m.TypeError("output", sink)
		}
		return to(f)(m, a)
	}
	s := &stream{mode: modeWrite, out: newOutput(nil, bufferFull)}
	s.out.memory = true
	defer func() { _ = m.HoldBytes(-s.out.held) }()
	ok, err := f(m, s, a[1:])
	if !ok || err != nil || !done() {
		return ok, err
	}
	return fillSink(m, sink, string(s.out.buf)), nil
}
