package builtin

import (
	"io"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/internal/texts"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the conversion between terms and text, with the operators and flags of the module.

var termTextTable = []machine.Builtin{
	{Name: "term_to_atom", Arity: 2, Func: termToAtom, Modes: "?term, ?atom",
		Doc: "The term that an atom's text denotes, or the atom that writeq/1 shows of a term."},
	{Name: "term_string", Arity: 2, Func: termString, Modes: "?term, ?string",
		Doc: "The term that a string denotes, or the string that writeq/1 shows of a term."},
	{Name: "term_string", Arity: 3, Func: termString, Modes: "?term, ?string, +options",
		Doc: "As term_string/2, with options of read_term/2."},
	{Name: "atom_to_term", Arity: 3, Func: atomToTerm, Modes: "+atom, -term, -bindings",
		Doc: "The term that an atom's text denotes, with its variable names as Name=Variable."},
	{Name: "read_term_from_atom", Arity: 3, Func: readTermFromAtom, Modes: "+atom, -term, +options",
		Doc: "The term that an atom's text denotes, read with options of read_term/2."},
}

// termToAtom is term_to_atom/2. A known text is parsed, even when the term is known too: the two are then unified.
func termToAtom(m *machine.Machine, a []cell) (bool, error) {
	if !machine.IsVar(m.Deref(a[1])) {
		return parseTo(m, a[1], a[0], &readOptions{})
	}
	if machine.IsVar(m.Deref(a[0])) {
		return false, m.InstantiationError()
	}
	text, err := quotedText(m, a[0])
	if err != nil {
		return false, err
	}
	return texts.Unify(m, a[1], text, (*machine.Machine).NewAtom)
}

// termString is term_string/2,3. An unbound string is made from the term; any other text is parsed.
func termString(m *machine.Machine, a []cell) (bool, error) {
	if machine.IsVar(m.Deref(a[1])) {
		text, err := quotedText(m, a[0])
		if err != nil {
			return false, err
		}
		return texts.Unify(m, a[1], text, (*machine.Machine).NewString)
	}
	var o readOptions
	if len(a) == 3 {
		if err := readTermOptions(m, a[2], &o); err != nil {
			return false, err
		}
	}
	return parseTo(m, a[1], a[0], &o)
}

// atomToTerm is atom_to_term/3.
func atomToTerm(m *machine.Machine, a []cell) (bool, error) {
	return parseTo(m, a[0], a[1], &readOptions{names: a[2]})
}

// readTermFromAtom is read_term_from_atom/3. The options are checked before the text.
func readTermFromAtom(m *machine.Machine, a []cell) (bool, error) {
	var o readOptions
	if err := readTermOptions(m, a[2], &o); err != nil {
		return false, err
	}
	return parseTo(m, a[0], a[1], &o)
}

// parseTo reads the term that the text of a cell denotes and unifies it with t. The full stop may be missing. Reading
// is charged by the length of the text, and polled on the way.
func parseTo(m *machine.Machine, c, t cell, o *readOptions) (bool, error) {
	text, err := texts.Any(m, c, "text")
	if err != nil {
		return false, err
	}
	// As a list [] is a text without a term, which nobody means to read; term_to_atom/2 makes this atom of the term [].
	if m.Deref(c) == code.ANil {
		text = "[]"
	}
	if err := m.Charge(1 + len(text)/8); err != nil {
		return false, err
	}
	ops, flags := o.conditions(m)
	p := syntax.BorrowParser(text, ops, flags)
	defer p.GiveBack()
	p.Spans, p.Comments, p.Meter, p.Room, p.Brief = o.layout != 0, o.comments != 0, m.Meter(), m, true
	r, err := p.ReadOnly()
	// A text without a term reads as end_of_file, as from a stream. The text may be nothing but comments.
	if err == io.EOF {
		r, err = &syntax.Read{Term: term.Atom("end_of_file")}, nil
	}
	if e, ok := err.(*syntax.Error); ok {
		return false, textSyntaxError(m, text, e)
	}
	if err != nil {
		return false, m.SyntaxError(err.Error())
	}
	return o.answer(m, t, r)
}

// textSyntaxError is the exception of a syntax error in a text. Its context has the text and the number of the
// character.
func textSyntaxError(m *machine.Machine, text string, e *syntax.Error) error {
	return m.Throw(m.NewStruct("error",
		noteMistake(m, e),
		m.NewStruct("string", m.NewString(text), code.MakeInt(int64(e.Pos.Offset)))))
}

// quotedText returns the text of writeq/1 without numbervars(true). '$VAR'(1) must not read back as a variable.
func quotedText(m *machine.Machine, c cell) (string, error) {
	w := textWriter{m: m}
	defer func() { _ = m.Hold(-w.held) }()
	o := syntax.WriteOptions{Quoted: true, Cycles: true, Ops: m.Ops(), Flags: m.Flags(), Meter: m.Meter()}
	err := machine.UseExported(m, c, nil, func(t term.Term) error { return syntax.Write(&w, t, &o) })
	return string(w.text), err
}

// textWriter collects a text. The text counts as memory of the run, and its length as work.
type textWriter struct {
	m    *machine.Machine
	text []byte
	held int
}

// Write adds to the text.
func (w *textWriter) Write(p []byte) (n int, err error) {
	if w.text, err = machine.Grow(w.m, w.text, len(p), &w.held); err != nil {
		return 0, err
	}
	w.text = append(w.text, p...)
	return len(p), w.m.Charge(1 + len(p)/16)
}
