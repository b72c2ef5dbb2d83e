package builtin

import (
	"cmp"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/internal/stream"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/internal/texts"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/lazyregexp"
)

// This file defines the output of terms (ISO 13211-1, 8.14.2). It also defines the conversion between terms and text,
// with the operators and flags of the module. print/1, and write_term/2 with portray(true), are in
// lib/system/output.pl, because they may call portray/1.
//
// Terms are exported to Go and written by package syntax, in pieces, so a long text is never held as a whole and a
// limit can stop the writing.

var writeTermTable = []machine.Builtin{
	{Name: "write", Arity: 1, Func: stream.ToCurrent(writePlain), Modes: "?term",
		Doc: "Writes a term, without quotes, to the current output."},
	{Name: "write", Arity: 2, Func: stream.To(writePlain), Modes: "+stream, ?term",
		Doc: "Writes a term, without quotes, to a stream."},
	{Name: "writeln", Arity: 1, Func: stream.ToCurrent(writeln), Modes: "?term", Doc: "Writes a term and ends the line."},
	{Name: "writeln", Arity: 2, Func: stream.To(writeln), Modes: "+stream, ?term",
		Doc: "Writes a term to a stream and ends the line."},
	{Name: "writeq", Arity: 1, Func: stream.ToCurrent(writeq), Modes: "?term",
		Doc: "Writes a term with the quotes that reading it needs."},
	{Name: "writeq", Arity: 2, Func: stream.To(writeq), Modes: "+stream, ?term",
		Doc: "Writes a term to a stream with the quotes that reading it needs."},
	{Name: "$print", Arity: 1, Func: partOf("print", 1, stream.ToCurrent(printTerm)), Modes: "?term",
		Doc: "Writes a term as print/1 does when portray/1 has had its turn."},
	{Name: "$print", Arity: 2, Func: partOf("print", 2, stream.To(printTerm)), Modes: "+stream, ?term",
		Doc: "Writes a term to a stream as print/2 does when portray/1 has had its turn."},
	{Name: "write_canonical", Arity: 1, Func: stream.ToCurrent(writeCanonical), Modes: "?term",
		Doc: "Writes a term so that any Prolog reads it back."},
	{Name: "write_canonical", Arity: 2, Func: stream.To(writeCanonical), Modes: "+stream, ?term",
		Doc: "Writes a term to a stream so that any Prolog reads it back."},
	{Name: "$write_term", Arity: 2, Func: partOf("write_term", 2, stream.ToCurrent(writeTerm)), Modes: "?term, +options",
		Doc: "Writes a term with options; portray(true) changes nothing."},
	{Name: "$write_term", Arity: 3, Func: partOf("write_term", 3, stream.To(writeTerm)), Modes: "+stream, ?term, +options",
		Doc: "Writes a term with options to a stream; portray(true) changes nothing."},
	{Name: "portray_clause", Arity: 1, Func: stream.ToCurrent(portrayClause), Modes: "?clause",
		Doc: "Writes a clause laid out as in a program."},
	{Name: "portray_clause", Arity: 2, Func: stream.To(portrayClause), Modes: "+stream, ?clause",
		Doc: "Writes a clause to a stream, laid out as in a program."},
	{Name: "portray_clause", Arity: 3, Func: stream.To(portrayClause), Modes: "+stream, ?clause, +options",
		Doc: "Writes a clause to a stream with options of write_term/2."},
	{Name: "$has_portray", Arity: 0, Func: hasPortray, Doc: "True when portray/1 may have clauses."},
}

// writePlain is write/1,2 (ISO 13211-1, 8.14.2).
func writePlain(m *machine.Machine, s *stream.Stream, a []cell) (bool, error) {
	if text, ok := plainText(m, m.Deref(a[0])); ok {
		return s.PutText(m, text)
	}
	return true, writeTo(m, s, a[0], &syntax.WriteOptions{NumberVars: true, Cycles: true})
}

// plainText returns the text that write/1 writes for an atom, a string or a small integer. These terms are the most
// common ones and need no writer.
func plainText(m *machine.Machine, c cell) (string, bool) {
	switch {
	case c.Tag() == code.Atom:
		return stacks.AtomText(c), true
	case m.IsString(c):
		return m.StringValue(c), true
	case c.Tag() == code.Int:
		return strconv.FormatInt(c.Int(), 10), true
	}
	return "", false
}

// writeln is writeln/1,2.
func writeln(m *machine.Machine, s *stream.Stream, a []cell) (bool, error) {
	if ok, err := writePlain(m, s, a); !ok || err != nil {
		return ok, err
	}
	return s.PutText(m, "\n")
}

// writeq is writeq/1,2 (ISO 13211-1, 8.14.2).
func writeq(m *machine.Machine, s *stream.Stream, a []cell) (bool, error) {
	return true, writeTo(m, s, a[0], &syntax.WriteOptions{Quoted: true, NumberVars: true, Cycles: true})
}

// printTerm is $print/1,2, the part of print/1,2 that writes.
func printTerm(m *machine.Machine, s *stream.Stream, a []cell) (bool, error) {
	return true, writeTo(m, s, a[0], printOptions())
}

// printOptions are those of print/1.
func printOptions() *syntax.WriteOptions {
	return &syntax.WriteOptions{Quoted: true, NumberVars: true, Cycles: true, Portray: portrayed}
}

// portrayed returns the text that portray/1 has written for a subterm. lib/system/output.pl puts it into the term as
// '$portrayed'(Text).
func portrayed(t term.Term) (text string, handled bool) {
	if args, ok := term.Is(t, "$portrayed", 1); ok {
		return term.Text(args[0])
	}
	return "", false
}

// writeCanonical is write_canonical/1,2 (ISO 13211-1, 8.14.2). The whole term is exported first, since its variables
// are named before the first piece is written.
func writeCanonical(m *machine.Machine, s *stream.Stream, a []cell) (bool, error) {
	return true, stacks.UseExported(&m.Terms, a[0], nil, func(t term.Term) error {
		return writeExported(m, s, t, canonicalOptions(m, t))
	})
}

// canonicalOptions returns the options of write_canonical/1 for a term. Variables are named in the order of their
// occurrence, so the text reads back with the same sharing of variables.
func canonicalOptions(m *machine.Machine, t term.Term) *syntax.WriteOptions {
	names := syntax.NameVariables(t, nil, "", m.Meter())
	return &syntax.WriteOptions{Quoted: true, IgnoreOps: true, Cycles: true, QuoteWide: true, VarNames: names}
}

// writeTo writes a term to a text stream.
func writeTo(m *machine.Machine, s *stream.Stream, c cell, o *syntax.WriteOptions) error {
	return stacks.UseExported(&m.Terms, c, nil, func(t term.Term) error { return writeExported(m, s, t, o) })
}

// writeExported writes a term to a text stream under the operators and flags of the module. The meter ends the
// writing at a limit.
func writeExported(m *machine.Machine, s *stream.Stream, t term.Term, o *syntax.WriteOptions) error {
	if err := s.NeedText(m, "output"); err != nil {
		return err
	}
	if o.Ops == nil {
		o.Ops = m.Ops()
	}
	if o.Flags == nil {
		o.Flags = m.Flags()
	}
	o.Meter = m.Meter()
	o.Largest = s.Out.Largest
	return syntax.Write(&termWriter{m, s}, t, o)
}

// termWriter is an io.Writer that writes to a stream. An error of the stream, or of a limit, ends the writer of terms.
type termWriter struct {
	m *machine.Machine
	s *stream.Stream
}

// Write writes a piece of the text.
func (w *termWriter) Write(p []byte) (int, error) {
	if err := w.s.WriteBytes(w.m, p); err != nil {
		return 0, err
	}
	return len(p), nil
}

// writeRequest holds the options of write_term/2: those of the writer, and those that add text after the term.
type writeRequest struct {
	syntax.WriteOptions
	fullStop, newLine bool
	partial           bool              // the term follows other output
	portray           bool              // portray(true) implies numbervars(true)
	vars              map[int]*term.Var // named variables by heap address
}

// writeTerm is $write_term/2,3, write_term/2,3 without portray(true).
func writeTerm(m *machine.Machine, s *stream.Stream, a []cell) (bool, error) {
	var r writeRequest
	r.Portray = portrayed
	if err := r.read(m, a[1]); err != nil {
		return false, err
	}
	if r.partial {
		r.After = cmp.Or(s.Out.Last, ' ')
	}
	write := func(t term.Term) error { return writeExported(m, s, t, &r.WriteOptions) }
	if err := stacks.UseExported(&m.Terms, a[0], r.vars, write); err != nil {
		return false, err
	}
	return true, r.end(m, s)
}

// end writes the full stop and the new line that the options request. A space separates the full stop from a symbol
// character.
func (r *writeRequest) end(m *machine.Machine, s *stream.Stream) error {
	text := ""
	if r.fullStop {
		text = "."
		if strings.ContainsRune(symbolChars, s.Out.Last) {
			text = " ."
		}
		if !r.newLine {
			text += " "
		}
	}
	if r.newLine {
		text += "\n"
	}
	if text == "" {
		return nil
	}
	return s.Write(m, text)
}

// read reads the options of write_term/2 (ISO 13211-1, 7.10.4). If an option is repeated the last value counts. Cyclic
// terms are written in a finite form, unless the options have cycles(false).
func (r *writeRequest) read(m *machine.Machine, list cell) error {
	r.Cycles = true
	numbered := false
	err := stream.EachOption(m, list, "write_option", func(o stream.Option) (known bool, err error) {
		numbered = numbered || o.Name == "numbervars"
		if to := r.toggle(o.Name); to != nil {
			*to, err = o.Boolean(m)
			return true, err
		}
		return r.option(m, o)
	})
	r.NumberVars = r.NumberVars || r.portray && !numbered
	return err
}

// toggle returns a pointer to the value of a boolean option, nil for other options.
func (r *writeRequest) toggle(name string) *bool {
	switch name {
	case "quoted":
		return &r.Quoted
	case "ignore_ops":
		return &r.IgnoreOps
	case "numbervars":
		return &r.NumberVars
	case "dotlists":
		return &r.DotLists
	case "brace_terms":
		return &r.BraceTerms
	case "no_lists":
		return &r.NoLists
	case "cycles":
		return &r.Cycles
	case "fullstop":
		return &r.fullStop
	case "partial":
		return &r.partial
	case "quote_non_ascii":
		return &r.QuoteWide
	case "nl":
		return &r.newLine
	case "portray", "portrayed":
		return &r.portray
	}
	return nil
}

// option reads an option that is not boolean. Some options of SWI-Prolog are checked but have no effect, others are not
// even checked.
func (r *writeRequest) option(m *machine.Machine, o stream.Option) (known bool, err error) {
	switch o.Name {
	case "max_depth":
		r.MaxDepth, err = o.Integer(m, 0, math.MaxInt32)
	case "priority":
		if r.Priority, err = o.Integer(m, 0, 1200); r.Priority == 0 {
			r.Priority = -1 // 0 stands for a missing option
		}
	case "spacing":
		var spacing string
		spacing, err = o.OneOf(m, "standard", "next_argument")
		r.SpaceArgs = spacing == "next_argument"
	case "variable_names":
		err = r.names(m, o)
	case "module":
		err = r.module(m, o)
	case "float_format":
		if format, _ := m.TextOf(o.Value); printfFloat().MatchString(format) {
			r.FloatFormat = format
		}
	case "character_escapes":
		var on bool
		on, err = o.Boolean(m)
		r.NoEscapes = !on
	case "character_escapes_unicode":
		_, err = o.Boolean(m)
	case "indent":
		r.Indent, err = o.Integer(m, 0, maxIndent)
	case "attributes", "back_quotes", "blobs", "portray_goal":
	default:
		return false, nil
	}
	return true, err
}

// maxIndent bounds the option indent of portray_clause/3.
const maxIndent = 1000

// printfFloat matches float formats of C. Any other format, such as ~15g|, stands for the shortest text.
var printfFloat = lazyregexp.New(`^%[-+ #0]?[0-9]{0,3}(\.[0-9]{1,3})?[eEfgG]$`)

// module selects the operators and flags of another module. A module that does not exist changes nothing and is not
// created.
func (r *writeRequest) module(m *machine.Machine, o stream.Option) error {
	name, err := o.Atom(m)
	if err != nil {
		return err
	}
	if mod := m.Program().FindModule(name); mod != nil {
		old := m.Module()
		m.SetModule(mod)
		r.Ops, r.Flags = m.Ops(), m.Flags()
		m.SetModule(old)
	}
	return nil
}

// names reads the option variable_names. If a variable has two names the first counts (Cor.2, 7.10.5).
func (r *writeRequest) names(m *machine.Machine, o stream.Option) error {
	items, tail := m.ListPrefix(o.Value)
	if stacks.IsVar(tail) {
		return m.InstantiationError()
	}
	if tail != code.ANil {
		return o.Invalid(m)
	}
	r.VarNames, r.vars = map[*term.Var]string{}, map[int]*term.Var{} // without the names of an earlier option
	for _, item := range items {
		if err := r.name(m, m.Deref(item), o); err != nil {
			return err
		}
	}
	return nil
}

// name reads one Name=Variable. Unbound parts are instantiation errors, other invalid parts are domain errors. It skips
// a pair whose variable is bound.
func (r *writeRequest) name(m *machine.Machine, c cell, o stream.Option) error {
	if stacks.IsVar(c) {
		return m.InstantiationError()
	}
	if c.Tag() != code.Str || m.Functor(c) != code.FEqual {
		return o.Invalid(m)
	}
	name, v := m.Deref(m.Arg(c, 0)), m.Deref(m.Arg(c, 1))
	if stacks.IsVar(name) {
		return m.InstantiationError()
	}
	if name.Tag() != code.Atom || !isVarName(stacks.AtomText(name)) {
		return o.Invalid(m)
	}
	if !stacks.IsVar(v) {
		return nil
	}
	x := r.vars[v.Addr()]
	if x == nil {
		x = &term.Var{ID: int64(v.Addr())}
		r.vars[v.Addr()] = x
		r.VarNames[x] = stacks.AtomText(name)
	}
	return nil
}

// isVarName reports whether text is the name of a variable. Letters of all scripts count.
func isVarName(text string) bool {
	for i, r := range text {
		if i == 0 && r != '_' && !unicode.IsUpper(r) || r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return text != ""
}

// symbolChars are the characters that would join with a full stop.
const symbolChars = "#$&*+-./:<=>?@^~\\"

// portrayClause is portray_clause/1,2,3. The layout is that of SWI-Prolog's listing. Options cannot turn off quotes or
// the names of $VAR terms.
func portrayClause(m *machine.Machine, s *stream.Stream, a []cell) (bool, error) {
	var r writeRequest
	if len(a) == 2 {
		if err := r.read(m, a[1]); err != nil {
			return false, err
		}
	}
	if err := s.NeedText(m, "output"); err != nil {
		return false, err
	}
	r.Ops, r.Flags, r.Quoted, r.NumberVars, r.Meter = m.Ops(), m.Flags(), true, true, m.Meter()
	r.Metas = m.Program().User().MetaOf
	err := syntax.PortrayClause(&termWriter{m, s}, m.ExportWith(a[0], r.vars), &r.WriteOptions)
	return err == nil, err
}

// hasPortray is $has_portray/0.
func hasPortray(m *machine.Machine, _ []cell) (bool, error) { return definesPortray(m), nil }

// definesPortray reports whether portray/1, which exists in every program, may have clauses. Without clauses print/1
// needs no goal.
func definesPortray(m *machine.Machine) bool { return m.Program().User().FindHook(fPortray) != nil }

// fPortray is the functor of the hook portray/1.
var fPortray = code.Functor("portray", 1)

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

// termToAtom is term_to_atom/2. A known text is parsed, even if the term is known too, and the results are unified.
func termToAtom(m *machine.Machine, a []cell) (bool, error) {
	if !stacks.IsVar(m.Deref(a[1])) {
		return parseTo(m, a[1], a[0], &readOptions{})
	}
	if stacks.IsVar(m.Deref(a[0])) {
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
	if stacks.IsVar(m.Deref(a[1])) {
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

// parseTo reads the term that the text of a cell denotes and unifies it with t. The full stop may be missing. It
// charges for the length of the text, and checks the limits while reading.
func parseTo(m *machine.Machine, c, t cell, o *readOptions) (bool, error) {
	text, ok := m.TextView(c)
	if !ok {
		var err error
		if text, err = texts.Any(m, c, "text"); err != nil {
			return false, err
		}
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
	err := stacks.UseExported(&m.Terms, c, nil, func(t term.Term) error { return syntax.Write(&w, t, &o) })
	return string(w.text), err
}

// textWriter collects a text. It charges for the length of the text, which counts as memory of the run.
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
