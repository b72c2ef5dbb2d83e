package builtin

import (
	"io"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/internal/stream"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the input of terms (ISO 13211-1, 8.14.1).
//
// Package syntax reads Go terms, with the positions that the options request, and the result is imported to the heap. A
// stream keeps its parser between reads with default options.

var readTermTable = []machine.Builtin{
	{Name: "read", Arity: 1, Func: stream.FromCurrent(readPlain), Modes: "?term",
		Doc: "Reads a term from the current input."},
	{Name: "read", Arity: 2, Func: stream.From(readPlain), Modes: "+stream, ?term",
		Doc: "Reads a term from a stream, end_of_file at its end."},
	{Name: "read_term", Arity: 2, Func: stream.FromCurrent(readTerm), Modes: "?term, +options",
		Doc: "Reads a term from the current input, with options."},
	{Name: "read_term", Arity: 3, Func: stream.From(readTerm), Modes: "+stream, ?term, +options",
		Doc: "Reads a term from a stream, with options."},
	{Name: "$syntax_message", Arity: 3, Func: syntaxMessage, Modes: "+formal, +context, -message",
		Doc: "What the reader said of the syntax error when it was thrown last."},
	{Name: "read_clause", Arity: 3, Func: stream.From(readTerm), Modes: "+stream, ?clause, +options",
		Doc: "Reads a clause from a stream, with the options of read_term/2."},
}

// readOptions are the options of read_term/2. Cells are the arguments of options, 0 for options that are absent. Some
// options are of SWI-Prolog.
type readOptions struct {
	variables, names, singletons cell
	positions                    []cell // of term_position and stream_position
	layout                       cell
	flags                        *syntax.Flags // changed for this term only
	module                       string
	onError                      string
	comments                     cell
}

// readPlain is read/1,2 (ISO 13211-1, 8.14.1).
func readPlain(m *machine.Machine, s *stream.Stream, a []cell) (bool, error) {
	return readWith(m, s, a[0], &readOptions{})
}

// readTerm is read_term/2,3 and read_clause/3 (ISO 13211-1, 8.14.1). The options are checked before anything is read,
// so that an error loses no input.
func readTerm(m *machine.Machine, s *stream.Stream, a []cell) (bool, error) {
	var o readOptions
	if err := readTermOptions(m, a[1], &o); err != nil {
		return false, err
	}
	return readWith(m, s, a[0], &o)
}

// readTermOptions reads the options of read_term/2 (ISO 13211-1, 7.10.3) and those that SWI-Prolog adds. The options in
// the last case are accepted without an effect. Answers are unified after the term has been read.
func readTermOptions(m *machine.Machine, list cell, o *readOptions) error {
	return stream.EachOption(m, list, "read_option", func(opt stream.Option) (known bool, err error) {
		switch opt.Name {
		case "variables":
			o.variables = opt.Value
		case "variable_names":
			o.names = opt.Value
		case "singletons":
			if opt.Value.Tag() != code.Atom { // singletons(warning) is for the loader
				o.singletons = opt.Value
			}
		case "term_position", "stream_position":
			o.positions = append(o.positions, opt.Value)
		case "subterm_positions":
			o.layout = opt.Value
		case "comments":
			o.comments = opt.Value
		case "syntax_errors":
			o.onError, err = opt.OneOf(m, "error", "fail", "quiet", "dec10")
		case "module":
			o.module, err = opt.Atom(m)
		case "double_quotes":
			err = o.setQuotes(m, opt, func(f *syntax.Flags, q syntax.Quotes) { f.DoubleQuotes = q })
		case "back_quotes":
			err = o.setQuotes(m, opt, func(f *syntax.Flags, q syntax.Quotes) { f.BackQuotes = q })
		case "var_prefix":
			err = o.setVarPrefix(m, opt)
		case "dotlists", "cycles", "backquoted_string", "character_escapes", "process_comment",
			"term_to_atom", "quasi_quotations", "portray", "max_arity":
		default:
			return false, nil
		}
		return true, err
	})
}

// ownFlags returns the flags for this term, for an option to change. They are a copy of the module's flags.
func (o *readOptions) ownFlags(m *machine.Machine) *syntax.Flags {
	if o.flags == nil {
		f := *m.Flags()
		o.flags = &f
	}
	return o.flags
}

// setQuotes reads an option for the interpretation of quoted text.
func (o *readOptions) setQuotes(m *machine.Machine, opt stream.Option, set func(*syntax.Flags, syntax.Quotes)) error {
	name, err := opt.OneOf(m, "codes", "chars", "atom", "string", "symbol_char")
	if err == nil {
		set(o.ownFlags(m), quotesOf[name])
	}
	return err
}

// setVarPrefix reads the option var_prefix: only names that begin with _ are variables.
func (o *readOptions) setVarPrefix(m *machine.Machine, opt stream.Option) error {
	on, err := opt.Boolean(m)
	if err == nil {
		o.ownFlags(m).VarPrefix = on
	}
	return err
}

// parser returns the parser for one term. If options change the syntax it is a new parser, which begins at the position
// of the stream.
func (o *readOptions) parser(m *machine.Machine, s *stream.Stream) *syntax.Parser {
	if o.flags == nil && o.module == "" && o.layout == 0 && o.comments == 0 {
		return s.Reader(m)
	}
	ops, flags := o.conditions(m)
	p := syntax.NewParser(s.In, ops, flags)
	p.Spans, p.Comments, p.Meter, p.Room = o.layout != 0, o.comments != 0, m.Meter(), m
	return p
}

// conditions returns the operators and flags that the options select. A module that does not exist changes nothing.
func (o *readOptions) conditions(m *machine.Machine) (ops *syntax.Ops, flags *syntax.Flags) {
	ops, flags = m.Ops(), m.Flags()
	if o.module != "" {
		if mod := m.Program().FindModule(o.module); mod != nil {
			old := m.Module()
			m.SetModule(mod)
			ops, flags = m.Ops(), m.Flags()
			m.SetModule(old)
		}
	}
	if o.flags != nil {
		flags = o.flags
	}
	return ops, flags
}

// readWith reads a term and unifies the results that the options request. It charges for the bytes that were read. With
// syntax_errors(dec10) it continues with the next term after an error.
func readWith(m *machine.Machine, s *stream.Stream, t cell, o *readOptions) (bool, error) {
	if err := s.NeedText(m, "input"); err != nil {
		return false, err
	}
	if err := s.BeforeRead(m); err != nil {
		return false, err
	}
	before := s.In.Bytes()
	for {
		p := o.parser(m, s)
		p.Conversion, p.Brief = ioOf(m).charConversion(), true
		r, err := p.Read()
		if charge := m.Charge((s.In.Bytes() - before) / 8); charge != nil {
			return false, charge
		}
		before = s.In.Bytes()
		switch e := err.(type) {
		case nil:
			return o.answer(m, t, r)
		case *syntax.Error:
			if o.onError == "dec10" {
				warnSyntax(m, e)
				continue
			}
			if o.onError == "fail" || o.onError == "quiet" {
				if o.onError == "fail" {
					warnSyntax(m, e)
				}
				return false, nil
			}
			return false, syntaxError(m, s, e)
		}
		if err != io.EOF {
			return false, stream.IOError(m, "read", s, err)
		}
		s.Past = true
		return o.answer(m, t, &syntax.Read{Term: term.Atom("end_of_file"), Pos: s.In.Position(), End: s.In.Position()})
	}
}

// syntaxError is the exception of a syntax error in a stream. Its context names the stream or file, and the place:
// line, column from 0, and character.
func syntaxError(m *machine.Machine, s *stream.Stream, e *syntax.Error) error {
	formal := noteMistake(m, e)
	where := []cell{m.NewInt(int64(e.Pos.Line)), m.NewInt(int64(e.Pos.Column) - 1), m.NewInt(int64(e.Pos.Offset))}
	if s.File != "" {
		return m.Throw(m.NewStruct("error", formal, m.NewStruct("file", append([]cell{m.NewAtom(s.File)}, where...)...)))
	}
	return m.Throw(m.NewStruct("error", formal, m.NewStruct("stream", append([]cell{s.Culprit(m)}, where...)...)))
}

// noteMistake stores a syntax error for syntaxMessage, and returns the formal term. The exception itself has only the
// formal term, as in SWI-Prolog, while the reader's message can name the correction.
func noteMistake(m *machine.Machine, e *syntax.Error) cell {
	ioOf(m).mistake = e
	return m.Import(e.Term())
}

// syntaxMessage is '$syntax_message'(Formal, Context, Message). It returns the reader's message for the last syntax
// error of the run, if Formal and Context are those of that error. Message says more than Formal.
func syntaxMessage(m *machine.Machine, a []cell) (bool, error) {
	e := ioOf(m).mistake
	formal, context := m.Deref(a[0]), m.Deref(a[1])
	if e == nil || !stacks.IsCompound(formal) || !stacks.IsCompound(context) {
		return false, nil
	}
	place := m.Deref(m.Arg(context, m.Functor(context).FunctorArity()-1))
	if place != code.MakeInt(int64(e.Pos.Offset)) || !term.Equal(m.Export(formal), e.Term()) {
		return false, nil
	}
	return m.Unify(a[2], m.NewAtom(e.Msg)), nil
}

// Mistake returns the last syntax error of the run, or nil. Recall passes it to another run, which prints the message.
func (x *IO) Mistake() *syntax.Error { return x.mistake }

// Recall sets what Mistake returns.
func (x *IO) Recall(e *syntax.Error) { x.mistake = e }

// FlushOutput writes the buffered output of the goal.
func FlushOutput(m *machine.Machine) { ioOf(m).Flush() }

// PrintError writes text to user_error.
func PrintError(m *machine.Machine, text string) error { return ioOf(m).UserErr.Write(m, text) }

// warnSyntax reports a syntax error on user_error when the goal gets no exception.
func warnSyntax(m *machine.Machine, e *syntax.Error) {
	_ = ioOf(m).UserErr.Write(m, "Warning: "+e.Error()+"\n")
}

// answer unifies the term that was read, and the results that the options request. It lists the variables before the
// first unification, which may bind them. If a unification fails, the term is consumed all the same.
func (o *readOptions) answer(m *machine.Machine, t cell, r *syntax.Read) (bool, error) {
	if r.Bytes >= machine.LargeBytes { // until the import is complete the term exists twice
		if err := m.Hold(r.Bytes); err != nil {
			return false, err
		}
		defer func() { _ = m.Hold(-r.Bytes) }()
	}
	var cells map[*term.Var]cell
	if o.names != 0 || o.singletons != 0 {
		cells = map[*term.Var]cell{}
	}
	read := m.ImportWith(r.Term, cells)
	var variables cell
	if o.variables != 0 {
		variables = m.List(m.Variables(read), code.ANil)
	}
	if !m.Unify(t, read) || o.variables != 0 && !m.Unify(o.variables, variables) {
		return false, nil
	}
	return o.answerNames(m, r, cells) && o.answerPlaces(m, r), nil
}

// answerNames unifies the options variable_names and singletons.
func (o *readOptions) answerNames(m *machine.Machine, r *syntax.Read, cells map[*term.Var]cell) bool {
	all := func(syntax.VarInfo) bool { return true }
	once := func(v syntax.VarInfo) bool { return v.Count == 1 }
	if o.names != 0 && !m.Unify(o.names, bindings(m, r.Vars, cells, all)) {
		return false
	}
	return o.singletons == 0 || m.Unify(o.singletons, bindings(m, r.Vars, cells, once))
}

// bindings returns the list of Name=Variable.
func bindings(m *machine.Machine, vars []syntax.VarInfo, cells map[*term.Var]cell,
	want func(syntax.VarInfo) bool) cell {
	var list []cell
	for _, v := range vars {
		if want(v) {
			list = append(list, m.NewCompound(code.FEqual, []cell{m.NewAtom(v.Name), cells[v.Var]}))
		}
	}
	return m.List(list, code.ANil)
}

// answerPlaces unifies the options about positions and comments.
func (o *readOptions) answerPlaces(m *machine.Machine, r *syntax.Read) bool {
	for _, to := range o.positions {
		if !m.Unify(to, m.Import(positionTerm(placeOf(r.Pos.Place)))) {
			return false
		}
	}
	if o.layout != 0 && r.Span != nil && !m.Unify(o.layout, m.Import(spanTerm(r.Span))) {
		return false
	}
	return o.comments == 0 || m.Unify(o.comments, m.Import(commentList(r.Comments)))
}

// placeOf returns a position in a stream. The reader does not count bytes, so the number of characters stands for them.
func placeOf(p syntax.Place) stream.Place {
	return stream.Place{Chars: p.Offset, Line: p.Line, Column: p.Column - 1, Bytes: p.Offset}
}

// commentList returns the list of Position-String of comments.
func commentList(comments []syntax.Comment) term.Term {
	var list []term.Term
	for _, c := range comments {
		at := placeOf(c.Pos)
		list = append(list, term.New("-", positionTerm(at), term.String(c.Text)))
	}
	return term.List(list...)
}

// spanTerm returns the positions of a term and its parts, as SWI-Prolog writes them. It keeps a stack of its own,
// because terms nest deeper than Go's stack should.
func spanTerm(root *syntax.Span) term.Term {
	type task struct {
		from *syntax.Span
		to   *term.Term
	}
	var out term.Term
	for todo := []task{{root, &out}}; len(todo) > 0; {
		t := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		c, holes := spanCompound(t.from)
		*t.to = c
		for i, arg := range t.from.Args {
			todo = append(todo, task{arg, holes[i]})
		}
		if t.from.Tail != nil {
			todo = append(todo, task{t.from.Tail, &c.Args[3]})
		}
	}
	return out
}

// spanCompound returns the term of a span. Its holes receive the terms of its parts.
func spanCompound(s *syntax.Span) (c *term.Compound, holes []*term.Term) {
	from, to, nameFrom, nameTo := term.Int(s.From), term.Int(s.To), term.Int(s.NameFrom), term.Int(s.NameTo)
	switch s.Kind {
	case syntax.SpanPlain:
		return compound("-", from, to), nil
	case syntax.SpanText:
		return compound("string_position", from, to), nil
	case syntax.SpanBrace, syntax.SpanParens:
		name := term.Atom("brace_term_position")
		if s.Kind == syntax.SpanParens {
			name = "parentheses_term_position"
		}
		c = compound(name, from, to, nil)
		return c, []*term.Term{&c.Args[2]}
	case syntax.SpanPair:
		c = compound("key_value_position", from, to, nameFrom, nameTo, s.Key, nil, nil)
		return c, []*term.Term{&c.Args[5], &c.Args[6]}
	}
	parts, holes := term.List(make([]term.Term, len(s.Args))...), make([]*term.Term, len(s.Args))
	for i, rest := 0, parts; i < len(holes); i++ {
		item := rest.(*term.Compound)
		holes[i], rest = &item.Args[0], item.Args[1]
	}
	switch s.Kind {
	case syntax.SpanList:
		return compound("list_position", from, to, parts, term.Atom("none")), holes
	case syntax.SpanDict:
		return compound("dict_position", from, to, nameFrom, nameTo, parts), holes
	}
	return compound("term_position", from, to, nameFrom, nameTo, parts), holes
}

// compound returns a compound. Arguments that are nil are holes, which spanTerm fills.
func compound(functor term.Atom, args ...term.Term) *term.Compound {
	return &term.Compound{Functor: functor, Args: args}
}
