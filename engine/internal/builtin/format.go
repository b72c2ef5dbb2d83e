package builtin

import (
	"strings"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stream"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines format/2,3: the walk over the format and its directives, after SWI-Prolog.
// format/1,2,3 themselves stand in lib/system/output.pl: ~@ and ~p may run goals, which a
// predicate in Go cannot, so they are run first and $format writes what they have written.

var formatTable = []machine.Builtin{
	{Name: "$format", Arity: 3, Func: partOf("format", 2, stream.ToCurrent(formatOrGoals)), Modes: "+format, :arguments, -goals", Doc: "Writes the arguments in the format, or writes nothing and returns the goals to run before."},
	{Name: "$format", Arity: 4, Func: partOf("format", 3, formatToOrGoals), Modes: "+sink, +format, :arguments, -goals", Doc: "Writes the arguments in the format to a stream or text, or writes nothing and returns the goals to run before."},
	{Name: "$format_texts", Arity: 3, Func: partOf("format", 2, stream.ToCurrent(formatTexts)), Modes: "+format, :arguments, +texts", Doc: "Writes the arguments in the format, with the texts where there are goals."},
	{Name: "$format_texts", Arity: 4, Func: partOf("format", 3, formatToTexts), Modes: "+sink, +format, :arguments, +texts", Doc: "Writes the arguments in the format to a stream or text, with the texts where there are goals."},
}

// formatter is a format/2 at work.
type formatter struct {
	m      *machine.Machine
	s      *stream.Stream
	format string
	at     int    // next byte of format
	args   []cell // those still to be used
	line   formatLine
	// goals are those of ~@ and ~p, when collect is set; texts what they have written otherwise.
	collect bool
	goals   []cell
	texts   []string
	portray bool // ~p is a goal
	held    int  // bytes accounted for
}

// newFormatter checks the arguments of format/2.
func newFormatter(m *machine.Machine, s *stream.Stream, a []cell) (*formatter, error) {
	if machine.IsVar(m.Deref(a[0])) {
		return nil, m.InstantiationError()
	}
	format, ok := m.TextOf(a[0])
	if !ok || m.IsNumber(m.Deref(a[0])) {
		return nil, m.TypeError("text", a[0])
	}
	args, _ := m.StripModule(a[1])
	items, tail := m.ListPrefix(args)
	if tail != code.ANil {
		items = []cell{args}
	}
	f := &formatter{m: m, s: s, format: format, args: items}
	f.portray = strings.Contains(format, "p") && definesPortray(m)
	f.line.start = s.Out.Column
	return f, s.NeedText(m, "output")
}

// formatOrGoals writes unless goals have to be run first; a is the format, the arguments and
// the list of goals.
func formatOrGoals(m *machine.Machine, s *stream.Stream, a []cell) (bool, error) {
	f, err := newFormatter(m, s, a)
	if err != nil {
		return false, err
	}
	if strings.Contains(f.format, "~") {
		if err := f.findGoals(); err != nil {
			return false, err
		}
	}
	if len(f.goals) == 0 {
		if err := f.write(); err != nil {
			return false, err
		}
	}
	return m.Unify(a[2], m.List(f.goals, code.ANil)), nil
}

// formatToOrGoals is formatOrGoals to the stream or text that the first argument names.
func formatToOrGoals(m *machine.Machine, a []cell) (bool, error) {
	return stream.ToSink(m, a, formatOrGoals, func() bool { return m.Deref(a[3]) == code.ANil })
}

// formatToTexts is formatTexts to the stream or text that the first argument names.
func formatToTexts(m *machine.Machine, a []cell) (bool, error) {
	return stream.ToSink(m, a, formatTexts, func() bool { return true })
}

// findGoals walks over the format without writing and notes the goals.
func (f *formatter) findGoals() error {
	if !strings.Contains(f.format, "@") && !f.portray {
		return nil
	}
	scan := *f
	scan.collect = true
	if err := scan.run(); err != nil {
		return err
	}
	f.goals = scan.goals
	return nil
}

// formatTexts writes with the texts that the goals have written.
func formatTexts(m *machine.Machine, s *stream.Stream, a []cell) (bool, error) {
	f, err := newFormatter(m, s, a)
	if err != nil {
		return false, err
	}
	texts, err := m.ListArg(a[2])
	if err != nil {
		return false, err
	}
	for _, c := range texts {
		text, _ := m.AtomicText(c)
		f.texts = append(f.texts, text)
	}
	return true, f.write()
}

// write formats and writes what comes of it. What comes before an error is written, too.
func (f *formatter) write() error {
	err := f.run()
	defer func() { _ = f.hold(0) }()
	if text := f.line.end(); text != "" {
		if e := f.s.Write(f.m, text); err == nil {
			err = e
		}
	}
	return err
}

// run walks over the format.
func (f *formatter) run() error {
	for f.at < len(f.format) {
		i := strings.IndexByte(f.format[f.at:], '~')
		if i < 0 {
			i = len(f.format) - f.at
		}
		f.line.text(f.format[f.at : f.at+i])
		if f.at += i; f.at < len(f.format) {
			f.at++
			if err := f.directive(); err != nil {
				return err
			}
		}
		if err := f.spill(); err != nil {
			return err
		}
	}
	if len(f.args) > 0 {
		return f.failed("too many arguments")
	}
	return nil
}

// spill writes what no column stop can move any more, once there is enough of it, and accounts
// for what is kept.
func (f *formatter) spill() error {
	if f.collect {
		return nil
	}
	if len(f.line.fills) == 0 && f.line.pending.Len() >= stream.OutputBuffer {
		return f.s.Write(f.m, f.line.spill())
	}
	if f.line.done.Len() >= stream.OutputBuffer {
		return f.s.Write(f.m, f.line.spillDone())
	}
	return f.hold(f.line.pending.Len())
}

// hold accounts for the memory of the text kept since the last column stop.
func (f *formatter) hold(n int) error {
	if n < stream.OutputBuffer && f.held == 0 {
		return nil
	}
	grown := n - f.held
	f.held = n
	return f.m.Hold(grown)
}

// failed is the error of a format that does not fit its arguments.
func (f *formatter) failed(message string) error {
	m := f.m
	formal := m.NewStruct("format", m.NewAtom(message))
	return m.Throw(m.NewStruct("error", formal, m.NewVar()))
}

// next returns the next argument.
func (f *formatter) next() (cell, error) {
	if len(f.args) == 0 {
		return 0, f.failed("not enough arguments")
	}
	c := f.m.Deref(f.args[0])
	f.args = f.args[1:]
	return c, nil
}

// noNumber stands for a directive without a numeric argument.
const noNumber = -1

// number reads the numeric argument of a directive: digits, * for the next argument, or ` and a
// character for its code.
func (f *formatter) number() (int, error) {
	rest := f.format[f.at:]
	switch {
	case strings.HasPrefix(rest, "*"):
		f.at++
		c, err := f.next()
		if err != nil {
			return 0, err
		}
		if c.Tag() != code.Int || c.Int() < 0 || c.Int() > maxFormatNumber {
			return 0, f.failed("no or negative integer for `*' argument")
		}
		return int(c.Int()), nil
	case strings.HasPrefix(rest, "`"):
		r, size := utf8.DecodeRuneInString(rest[1:])
		f.at += 1 + size
		return int(r), nil
	}
	n, digits := noNumber, 0
	for ; digits < len(rest) && rest[digits] >= '0' && rest[digits] <= '9'; digits++ {
		n = max(n, 0)*10 + int(rest[digits]-'0')
		if n > maxFormatNumber {
			return 0, f.failed("argument overflow")
		}
	}
	f.at += digits
	return n, nil
}

// maxFormatNumber bounds widths, repetitions and precisions.
const maxFormatNumber = 1 << 24

// directive carries out the directive that begins after a ~.
func (f *formatter) directive() error {
	n, err := f.number()
	if err != nil {
		return err
	}
	colon := strings.HasPrefix(f.format[f.at:], ":")
	if colon {
		f.at++
	}
	r, size := utf8.DecodeRuneInString(f.format[f.at:])
	if size == 0 {
		return f.failed("truncated format specification")
	}
	f.at += size
	if d := formatDirectives[r]; d != nil {
		return d(f, r, n)
	}
	return f.m.ExistenceError("format_character", f.m.NewAtom(string(r)))
}

// formatDirectives carry out the directives by their letter; n is the numeric argument.
var formatDirectives = map[rune]func(f *formatter, letter rune, n int) error{
	'w': formatTerm, 'q': formatTerm, 'k': formatTerm, 'p': formatPrint, '@': formatGoal,
	'a': formatAtom, 's': formatString, 'c': formatCode, 'd': formatInteger, 'D': formatInteger,
	'e': formatFloat, 'f': formatFloat, 'g': formatFloat, 'h': formatFloat, 'H': formatFloat,
	'r': formatRadix, 'R': formatRadix, 'i': formatIgnore, 'n': formatNewline, '~': formatTilde,
	't': formatFill, '|': formatStop, '+': formatStop, 'N': formatFreshLine, 'W': formatOptions,
	'I': formatInteger,
}

func formatTerm(f *formatter, letter rune, _ int) error {
	c, err := f.next()
	if err != nil || f.collect {
		return err
	}
	if letter == 'k' {
		t := f.m.Export(c)
		return f.exported(t, canonicalOptions(t))
	}
	return f.term(c, &syntax.WriteOptions{NumberVars: true, Quoted: letter == 'q', Cycles: true})
}

// formatOptions writes a term with the options of write_term/2 that follow it.
func formatOptions(f *formatter, _ rune, _ int) error {
	c, err := f.next()
	if err != nil {
		return err
	}
	options, err := f.next()
	if err != nil || f.collect {
		return err
	}
	r := writeRequest{vars: map[int]*term.Var{}}
	r.Portray = portrayed
	if err := r.read(f.m, options); err != nil {
		return err
	}
	return f.exported(f.m.ExportWith(c, r.vars), &r.WriteOptions)
}

// term adds a term. Its text is limited like everything else that a goal keeps in memory.
func (f *formatter) term(c cell, o *syntax.WriteOptions) error {
	if text, ok := plainText(f.m, c); ok && !o.Quoted {
		f.line.text(text)
		return nil
	}
	return f.exported(f.m.Export(c), o)
}

// exported adds a term that has left the heap.
func (f *formatter) exported(t term.Term, o *syntax.WriteOptions) error {
	if o.Ops == nil {
		o.Ops = f.m.Ops()
	}
	o.Flags = f.m.Flags()
	o.Meter = f.m.Meter
	return syntax.Write(&lineWriter{f}, t, o)
}

// lineWriter lets the writer of terms add to the line of a format.
type lineWriter struct{ f *formatter }

func (w *lineWriter) Write(p []byte) (int, error) {
	if err := w.f.m.Charge(1 + len(p)/8); err != nil {
		return 0, err
	}
	w.f.line.text(string(p))
	if err := w.f.spill(); err != nil {
		return 0, err
	}
	return len(p), nil
}

func formatPrint(f *formatter, letter rune, n int) error {
	if f.portray {
		return f.goal(func(c cell) cell { return f.m.NewStruct("print", c) })
	}
	c, err := f.next()
	if err != nil || f.collect {
		return err
	}
	return f.term(c, printOptions())
}

func formatGoal(f *formatter, _ rune, _ int) error {
	return f.goal(func(c cell) cell { return c })
}

// goal notes the goal made of the next argument, or adds the text it has written.
func (f *formatter) goal(of func(cell) cell) error {
	c, err := f.next()
	if err != nil {
		return err
	}
	if f.collect {
		f.goals = append(f.goals, of(c))
		return nil
	}
	if len(f.texts) > 0 {
		f.line.text(f.texts[0])
		f.texts = f.texts[1:]
	}
	return nil
}

// mistyped is the error of an argument that a directive cannot use.
func (f *formatter) mistyped(letter rune, c cell) error {
	m := f.m
	formal := m.NewStruct("format_argument_type", m.NewAtom(string(letter)), c)
	return m.Throw(m.NewStruct("error", formal, m.NewVar()))
}

func formatAtom(f *formatter, letter rune, _ int) error {
	c, err := f.next()
	if err != nil || f.collect {
		return err
	}
	text, ok := f.m.AtomicText(c)
	if !ok {
		return f.mistyped(letter, c)
	}
	f.line.text(text)
	return nil
}

func formatString(f *formatter, letter rune, _ int) error {
	c, err := f.next()
	if err != nil || f.collect {
		return err
	}
	text, ok := f.m.TextOf(c)
	if !ok || f.m.IsNumber(c) {
		return f.mistyped(letter, c)
	}
	f.line.text(text)
	return nil
}

func formatCode(f *formatter, letter rune, n int) error {
	c, err := f.next()
	if err != nil || f.collect {
		return err
	}
	if c.Tag() != code.Int || c.Int() < 0 || c.Int() > utf8.MaxRune {
		return f.mistyped(letter, c)
	}
	return f.repeat(rune(c.Int()), n)
}

func formatIgnore(f *formatter, _ rune, _ int) error {
	_, err := f.next()
	return err
}

func formatNewline(f *formatter, _ rune, n int) error { return f.repeat('\n', n) }

// formatFreshLine ends the line unless nothing stands on it.
func formatFreshLine(f *formatter, _ rune, _ int) error {
	if f.line.column() > 0 {
		f.line.text("\n")
	}
	return nil
}

func formatTilde(f *formatter, _ rune, n int) error { return f.repeat('~', n) }

// repeat adds a character n times, once when there is no number.
func (f *formatter) repeat(r rune, n int) error {
	if n == noNumber {
		n = 1
	}
	if err := f.m.Charge(n / 8); err != nil {
		return err
	}
	f.line.text(strings.Repeat(string(r), n))
	return nil
}

func formatFill(f *formatter, _ rune, n int) error {
	if n == noNumber {
		n = ' '
	}
	f.line.fill(rune(n))
	return nil
}

// defaultColumn is the width of a column of ~+ without a number.
const defaultColumn = 8

func formatStop(f *formatter, letter rune, n int) error {
	switch {
	case letter == '|' && n == noNumber:
		n = f.line.column()
	case letter == '+' && n == noNumber:
		n = f.line.stop() + defaultColumn
	case letter == '+':
		n += f.line.stop()
	}
	f.line.columnStop(n)
	return nil
}
