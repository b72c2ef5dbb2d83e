package builtin

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/internal/stream"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the properties of streams: stream_property/2 and set_stream/2.

var streamPropertyTable = []machine.Builtin{
	{Name: "stream_property", Arity: 2, Func: streamProperty, Modes: "?stream, ?property",
		Doc: "Stream has the property.", Nondet: true},
	{Name: "stream_position_data", Arity: 3, Func: positionData, Modes: "?field, +position, ?value",
		Doc: "Value is the char_count, line_count, line_position or byte_count of a stream position.", Nondet: true},
	{Name: "set_stream", Arity: 2, Func: stream.On(setStream), Modes: "+stream, +property",
		Doc: "Changes a property of a stream."},
}

// property is a kind of stream property. of returns its values for a stream. For a property without an argument it
// returns one unused value if the property holds.
type property struct {
	name  string
	arity int
	of    func(s *stream.Stream) []term.Term
}

// streamProperties are the properties of 7.10.2.13 and those that SWI-Prolog adds, in the order of the answers.
var streamProperties = []property{
	{"mode", 1, func(s *stream.Stream) []term.Term { return atoms(s.Mode) }},
	{"input", 0, func(s *stream.Stream) []term.Term { return present(s.In != nil) }},
	{"output", 0, func(s *stream.Stream) []term.Term { return present(s.Out != nil) }},
	{"alias", 1, func(s *stream.Stream) []term.Term { return atoms(s.Aliases...) }},
	{"file_name", 1, func(s *stream.Stream) []term.Term { return unlessEmpty(s.File) }},
	{"eof_action", 1, func(s *stream.Stream) []term.Term { return unlessEmpty(s.EOFAction) }},
	{"end_of_stream", 1, func(s *stream.Stream) []term.Term { return unlessEmpty(endOf(s)) }},
	{"position", 1, func(s *stream.Stream) []term.Term { return []term.Term{positionTerm(s.Place())} }},
	{"reposition", 1, func(s *stream.Stream) []term.Term { return []term.Term{truth(s.Reposition)} }},
	{"type", 1, func(s *stream.Stream) []term.Term { return atoms(typeOf(s)) }},
	{"encoding", 1, func(s *stream.Stream) []term.Term { return atoms(encodingOf(s)) }},
	{"newline", 1, func(s *stream.Stream) []term.Term { return atoms(orElse(s.Newline, "posix")) }},
	{"buffer", 1, func(s *stream.Stream) []term.Term { return unlessEmpty(bufferOf(s)) }},
	{"tty", 1, func(s *stream.Stream) []term.Term { return []term.Term{truth(s.TTY)} }},
	{"representation_errors", 1, func(s *stream.Stream) []term.Term { return atoms("error") }},
	{"close_on_abort", 1, func(s *stream.Stream) []term.Term { return []term.Term{truth(s.Closer != nil)} }},
}

// unlessEmpty returns the text as an atom unless it is empty.
func unlessEmpty(text string) []term.Term {
	if text == "" {
		return nil
	}
	return atoms(text)
}

// present returns one value when a property without argument holds.
func present(holds bool) []term.Term {
	if holds {
		return []term.Term{term.True}
	}
	return nil
}

// orElse returns a text, or otherwise if it is empty.
func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// endOf returns the value of end_of_stream, "" for an output. It never waits for input, so the end of a terminal or
// pipe is known only when it has been read.
func endOf(s *stream.Stream) string {
	switch {
	case s.In == nil:
		return ""
	case s.Past:
		return "past"
	// Only files have a Closer. A peek at any other input could wait for a person.
	case s.In.Buffered() > 0 || s.Closer == nil:
		return "not"
	}
	if _, err := s.In.PeekByte(); err != nil {
		return "at"
	}
	return "not"
}

// typeOf returns the value of the property type.
func typeOf(s *stream.Stream) string {
	if s.Binary {
		return "binary"
	}
	return "text"
}

// encodingOf returns the value of the property encoding.
func encodingOf(s *stream.Stream) string {
	if s.Binary {
		return "octet"
	}
	return orElse(s.Encoding, "utf8")
}

// bufferOf returns the value of the property buffer. Inputs are read in blocks, the buffer mode full of SWI-Prolog.
func bufferOf(s *stream.Stream) string {
	if s.Out == nil {
		return "full"
	}
	return [...]string{"full", "line", "false"}[s.Out.Buffer]
}

// streamFact is one solution of stream_property/2. It holds Go values only, so it survives collections between answers.
type streamFact struct {
	s     *stream.Stream
	prop  *property
	value term.Term
}

// streamProperty is stream_property/2 (ISO 13211-1, 8.11.8). It computes the solutions when it is called, so it
// enumerates the streams that existed then. Closing them meanwhile does no harm.
func streamProperty(m *machine.Machine, a []cell) (bool, error) {
	// The standard checks the stream first, then the property, before either is enumerated (8.11.8.3).
	streams, err := propertyStreams(m, m.Deref(a[0]))
	if err != nil {
		return false, err
	}
	want := m.Deref(a[1])
	kinds := streamProperties
	if !stacks.IsVar(want) {
		n := slices.IndexFunc(kinds, func(p property) bool { return p.matches(m, want) })
		if n < 0 {
			return false, m.DomainError("stream_property", want)
		}
		kinds = kinds[n : n+1]
	}
	var facts []streamFact
	for _, s := range streams {
		for i := range kinds {
			facts = addFacts(m, facts, s, &kinds[i], want)
		}
	}
	return answerFacts(m, facts)
}

// propertyStreams returns the streams that the first argument stands for. An alias is accepted, as in SWI-Prolog. Any
// other term that is no stream is a domain error (8.11.8.3).
func propertyStreams(m *machine.Machine, c cell) ([]*stream.Stream, error) {
	if stacks.IsVar(c) {
		return append([]*stream.Stream(nil), ioOf(m).Order...), nil
	}
	if !stream.IsTerm(m, c) && c.Tag() != code.Atom {
		return nil, m.DomainError("stream", c)
	}
	s, err := stream.Find(m, c)
	if c.Tag() == code.Atom && err != nil {
		return nil, m.DomainError("stream", c)
	}
	return []*stream.Stream{s}, err
}

// matches reports whether a dereferenced cell has the form of the property.
func (p *property) matches(m *machine.Machine, c cell) bool {
	if p.arity == 0 {
		return c.Tag() == code.Atom && stacks.AtomText(c) == p.name
	}
	if c.Tag() != code.Str {
		return false
	}
	f := m.Functor(c)
	return f.FunctorArity() == 1 && stacks.AtomText(f.FunctorName()) == p.name
}

// addFacts adds the values of a property of a stream that may unify with want, which has the form of the property or is
// a variable. Values that cannot match are left out, so that a query for one value leaves no choice point.
func addFacts(m *machine.Machine, facts []streamFact, s *stream.Stream, p *property, want cell) []streamFact {
	var arg cell
	if !stacks.IsVar(want) && p.arity == 1 {
		arg = m.Deref(m.Arg(want, 0))
	}
	for _, value := range p.of(s) {
		// Only atoms are compared here. For other values an additional choice point does no harm.
		if name, ok := value.(term.Atom); ok && arg.Tag() == code.Atom && stacks.AtomText(arg) != string(name) {
			continue
		}
		facts = append(facts, streamFact{s, p, value})
	}
	return facts
}

// answerFacts answers with the facts one after the other. It makes the term of a value only for its answer, since a
// collection may come between two answers. The last answer leaves no choice point.
func answerFacts(m *machine.Machine, facts []streamFact) (bool, error) {
	return m.Alternatives(func(m *machine.Machine, a []cell) (ok, more bool, err error) {
		if len(facts) == 0 {
			return false, false, nil
		}
		f := facts[0]
		facts = facts[1:]
		prop := m.NewAtom(f.prop.name)
		if f.prop.arity == 1 {
			prop = m.NewStruct(f.prop.name, m.Import(f.value))
		}
		s := a[0]
		if d := m.Deref(s); d.Tag() != code.Atom { // an alias has been resolved
			ok = m.Unify(s, stream.Term(m, f.s))
		} else {
			ok = true
		}
		return ok && m.Unify(a[1], prop), len(facts) > 0, nil
	})
}

// positionFields are the arguments of a stream position in order.
var positionFields = []string{"char_count", "line_count", "line_position", "byte_count"}

// positionData is stream_position_data/3 of SWI-Prolog. A known field is looked up; an unbound one is enumerated. It
// fails for an unknown field. It checks the position before the field.
func positionData(m *machine.Machine, a []cell) (bool, error) {
	c := m.Deref(a[1])
	if stacks.IsVar(c) {
		return false, m.InstantiationError()
	}
	if c.Tag() != code.Str || m.Functor(c) != fPosition {
		return false, m.DomainError("stream_position", c)
	}
	if field := m.Deref(a[0]); !stacks.IsVar(field) {
		name, err := m.AtomArg(field)
		i := slices.Index(positionFields, name)
		return i >= 0 && m.Unify(a[2], m.Arg(c, i)), err
	}
	i := -1
	return m.Alternatives(func(m *machine.Machine, a []cell) (ok, more bool, err error) {
		i++
		value := m.Arg(m.Deref(a[1]), i)
		ok = m.Unify(a[0], m.NewAtom(positionFields[i])) && m.Unify(a[2], value)
		return ok, i+1 < len(positionFields), nil
	})
}

// fPosition is the functor of stream positions, as in SWI-Prolog.
var fPosition = code.Functor("$stream_position", 4)

// setStream is set_stream/2 of SWI-Prolog. Properties of SWI-Prolog without a meaning here are accepted, so that its
// programs run.
func setStream(m *machine.Machine, s *stream.Stream, a []cell) (bool, error) {
	c := m.Deref(a[0])
	if stacks.IsVar(c) {
		return false, m.InstantiationError()
	}
	o, ok := stream.AsOption(m, c, "stream_attribute")
	if !ok {
		return false, m.DomainError("stream_attribute", c)
	}
	known, err := setStreamProperty(m, s, o)
	if err == nil && !known {
		err = m.DomainError("stream_attribute", c)
	}
	return err == nil, err
}

// setStreamProperty applies a property of set_stream/2. The properties in the last case are accepted without an effect.
func setStreamProperty(m *machine.Machine, s *stream.Stream, o stream.Option) (known bool, err error) {
	switch o.Name {
	case "alias":
		err = setStreamAlias(m, s, o)
	case "eof_action":
		s.EOFAction, err = o.OneOf(m, stream.EOFError, stream.EOFCode, stream.EOFReset)
	case "encoding":
		var encoding string
		encoding, err = o.OneOf(m, stream.Encodings...)
		if err == nil && (s.Binary && encoding != "octet" || !s.Binary && !s.SetEncoding(encoding)) {
			err = m.PermissionError("modify", "stream", s.Culprit(m))
		}
	case "newline":
		s.Newline, err = o.OneOf(m, "posix", "dos", "detect")
	case "type":
		var typ string
		typ, err = o.OneOf(m, "text", "binary")
		if s.Binary = typ == "binary"; s.Binary && !s.SetEncoding("utf8") { // which leaves bytes unchanged
			err = m.PermissionError("modify", "stream", s.Culprit(m))
		}
	case "tty":
		s.TTY, err = o.Boolean(m)
	case "buffer":
		var buffer int
		if buffer, err = bufferOption(m, o); err == nil && s.Out != nil {
			s.Out.Buffer = buffer
		}
	case "line_position":
		var column int
		if column, err = o.Integer(m, 0, 1<<30); err == nil && s.Out != nil {
			s.Out.Column = column
		}
	case "file_name":
		s.File, err = o.Atom(m)
	case "record_position", "close_on_abort", "close_on_exec", "representation_errors", "timeout", "buffer_size":
	default:
		return false, nil
	}
	return true, err
}

// setStreamAlias gives a stream another name. The names user_input, user_output and user_error redirect the standard
// streams, which needs a stream of that direction. Each further name counts against the limit of streams, because names
// take memory of the run too.
func setStreamAlias(m *machine.Machine, s *stream.Stream, o stream.Option) error {
	name, err := o.Atom(m)
	if err != nil {
		return err
	}
	if name == "user_input" && s.In == nil {
		return m.PermissionError("input", "stream", s.Culprit(m))
	}
	if (name == "user_output" || name == "user_error") && s.Out == nil {
		return m.PermissionError("output", "stream", s.Culprit(m))
	}
	x := ioOf(m)
	if x.Alias[name] == nil {
		if err := x.NeedRoom(m); err != nil {
			return err
		}
	}
	x.SetAlias(name, s)
	return nil
}
