package builtin

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/internal/stream"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines format/2,3: the walk over the format and its directives, after SWI-Prolog.
//
// format/1,2,3 themselves are in lib/system/output.pl. ~@ and ~p may run goals, which a predicate in Go cannot do. So
// $format first returns these goals, the library runs them with their output in memory, and $format_texts writes the
// complete text with the output of the goals.

var formatTable = []machine.Builtin{
	{Name: "$format", Arity: 3, Func: partOf("format", 2, stream.ToCurrent(formatOrGoals)),
		Modes: "+format, :arguments, -goals", Doc: "Writes the arguments in the format, or writes nothing and returns the " +
			"goals to run before."},
	{Name: "$format", Arity: 4, Func: partOf("format", 3, formatToOrGoals), Modes: "+sink, +format, :arguments, -goals",
		Doc: "Writes the arguments in the format to a stream or text, or writes nothing and returns the goals to run " +
			"before."},
	{Name: "$format_texts", Arity: 3, Func: partOf("format", 2, stream.ToCurrent(formatTexts)),
		Modes: "+format, :arguments, +texts",
		Doc:   "Writes the arguments in the format, with the texts where there are goals."},
	{Name: "$format_texts", Arity: 4, Func: partOf("format", 3, formatToTexts),
		Modes: "+sink, +format, :arguments, +texts", Doc: "Writes the arguments in the format to a stream or text, with " +
			"the texts where there are goals."},
}

// newFormatter checks the arguments of format/2. An argument term that is no list stands for a list of one argument.
// The caller must release the result. The errors come in this order: an unbound format, a format that is no text, a
// binary stream.
func newFormatter(m *machine.Machine, s *stream.Stream, a []cell) (*formatter, error) {
	if stacks.IsVar(m.Deref(a[0])) {
		return nil, m.InstantiationError()
	}
	format, ok := m.TextView(a[0])
	if c := m.Deref(a[0]); !ok || c == code.ANil {
		format, ok = m.ListText(c)
	}
	if !ok || m.IsNumber(m.Deref(a[0])) {
		return nil, m.TypeError("text", a[0])
	}
	args, _ := m.StripModule(a[1])
	f := formatters.Get().(*formatter)
	items, tail := m.AppendList(f.room, args)
	// SWI-Prolog takes any other term for the only argument: format("~w", hello).
	if tail != code.ANil {
		items = append(items[:0], args)
	}
	f.m, f.s, f.format, f.args, f.room = m, s, format, items, items
	f.portray = strings.Contains(format, "p") && definesPortray(m)
	f.own = m.Program().System().FindHook(fFormatPredicate)
	f.line.start = s.Out.Column
	return f, s.NeedText(m, "output")
}

// formatOrGoals writes, unless goals have to be run first. Its arguments are the format, the format's arguments and the
// list of goals. The list is [] when it has written.
func formatOrGoals(m *machine.Machine, s *stream.Stream, a []cell) (bool, error) {
	f, err := newFormatter(m, s, a)
	if err != nil {
		return false, err
	}
	defer f.release()
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

// formatToOrGoals is formatOrGoals for a stream or a sink such as atom(A) as first argument.
func formatToOrGoals(m *machine.Machine, a []cell) (bool, error) {
	return stream.ToSink(m, a, formatOrGoals, func() bool { return m.Deref(a[3]) == code.ANil })
}

// formatToTexts is formatTexts for a stream or a sink as first argument.
func formatToTexts(m *machine.Machine, a []cell) (bool, error) {
	return stream.ToSink(m, a, formatTexts, func() bool { return true })
}

// findGoals runs over the format without writing and collects the goals. A format without ~@, and without ~p while
// portray/1 is undefined, has no goals and is processed only once.
func (f *formatter) findGoals() error {
	if !strings.Contains(f.format, "@") && !f.portray && f.own == nil {
		return nil
	}
	// The copy has its own line, which is dropped.
	scan := *f
	scan.collect = true
	if err := scan.run(); err != nil {
		return err
	}
	f.goals = scan.goals
	return nil
}

// formatTexts writes the format with the output of its goals, in the order of the goals.
func formatTexts(m *machine.Machine, s *stream.Stream, a []cell) (bool, error) {
	f, err := newFormatter(m, s, a)
	if err != nil {
		return false, err
	}
	defer f.release()
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

// write runs the format and writes the rest of its text. The text before an error is written too, as in SWI-Prolog.
func (f *formatter) write() error {
	err := f.run()
	defer func() { _ = f.hold(0) }()
	if text := f.line.spill(); len(text) > 0 {
		if e := f.s.WriteBytes(f.m, text); err == nil {
			err = e
		}
	}
	return err
}

// run carries out the text and the directives of the format in order. Left-over arguments are an error, after all text
// has been written.
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

// spill writes the text that no column stop can still move, once there is enough of it. It accounts for the memory of
// the rest.
func (f *formatter) spill() error {
	if f.collect {
		return nil
	}
	// Text with fill points must be held until its column stop, which may be anywhere in the rest of the format. Other
	// text can be written, because padding would come after it.
	if len(f.line.fills) == 0 && len(f.line.pending) >= stream.OutputBuffer {
		return f.s.WriteBytes(f.m, f.line.spill())
	}
	if len(f.line.done) >= stream.OutputBuffer {
		return f.s.WriteBytes(f.m, f.line.spillDone())
	}
	return f.hold(len(f.line.pending))
}

// number reads the numeric argument of a directive: digits, * for the next argument, or ` and a character for its code.
// It returns noNumber when there is none. A number beyond maxFormatNumber is an error.
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

// maxFormatNumber bounds widths, repetitions and precisions, so that one directive makes 16 MiB at most.
const maxFormatNumber = 1 << 24

// directive carries out the directive that begins after a ~: a number, a colon for the locale, and a letter. A
// directive defined by the program overrides the built-in one of the same letter.
func (f *formatter) directive() error {
	n, err := f.number()
	if err != nil {
		return err
	}
	if f.colon = strings.HasPrefix(f.format[f.at:], ":"); f.colon {
		f.at++
	}
	r, size := utf8.DecodeRuneInString(f.format[f.at:])
	if size == 0 {
		return f.failed("truncated format specification")
	}
	f.at += size
	if goal, ok := f.ownGoal(r); ok {
		return f.ownDirective(goal, n)
	}
	if int(r) < len(formatDirectives) && formatDirectives[r] != nil {
		return formatDirectives[r](f, r, n)
	}
	return f.m.ExistenceError("format_character", f.m.NewAtom(string(r)))
}

// formatDirectives carry out the directives by their letter; n is the numeric argument. Each also consumes its
// arguments while goals are collected, so that both passes over the format consume the same ones.
var formatDirectives = [utf8.RuneSelf]func(f *formatter, letter rune, n int) error{
	'w': formatTerm, 'q': formatTerm, 'k': formatTerm, 'p': formatPrint, '@': formatGoal,
	'a': formatAtom, 's': formatString, 'c': formatCode, 'd': formatInteger, 'D': formatInteger,
	'e': formatFloat, 'E': formatFloat, 'f': formatFloat, 'g': formatFloat, 'G': formatFloat,
	'h': formatFloat, 'H': formatFloat,
	'r': formatRadix, 'R': formatRadix, 'i': formatIgnore, 'n': formatNewline, '~': formatTilde,
	't': formatFill, '|': formatStop, '+': formatStop, 'N': formatFreshLine, 'W': formatOptions,
	'I': formatInteger,
}

// formatTerm is ~w, ~q and ~k, which write as write/1, writeq/1 and write_canonical/1 do.
func formatTerm(f *formatter, letter rune, _ int) error {
	c, err := f.next()
	if err != nil || f.collect {
		return err
	}
	if letter == 'k' {
		t := f.m.Export(c)
		return f.exported(t, canonicalOptions(f.m, t))
	}
	return f.term(c, &syntax.WriteOptions{NumberVars: true, Quoted: letter == 'q', Cycles: true})
}

// formatOptions is ~W: it writes a term with the options of write_term/2 that follow it as an argument. It checks the
// options like write_term/2.
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

// term adds the text of a term. Atoms, strings and small integers need no writer.
func (f *formatter) term(c cell, o *syntax.WriteOptions) error {
	switch {
	case c.Tag() == code.Int:
		var digits [20]byte
		f.line.bytes(strconv.AppendInt(digits[:0], c.Int(), 10))
		return nil
	case c.Tag() == code.Atom && o.Quoted && stacks.AtomText(c) != string(term.Dict):
		f.line.text(syntax.QuoteAtom(term.Atom(stacks.AtomText(c))))
		return nil
	case !o.Quoted:
		if text, ok := plainText(f.m, c); ok {
			f.line.text(text)
			return nil
		}
	}
	return stacks.UseExported(&f.m.Terms, c, nil, func(t term.Term) error { return f.exported(t, o) })
}

// exported adds an exported term.
func (f *formatter) exported(t term.Term, o *syntax.WriteOptions) error {
	if o.Ops == nil {
		o.Ops = f.m.Ops()
	}
	o.Flags = f.m.Flags()
	o.Meter = f.m.Meter()
	return syntax.Write((*lineWriter)(f), t, o)
}

// lineWriter is an io.Writer that adds to the line of a format. It charges for the work and passes long texts on.
type lineWriter formatter

// Write adds text and charges a call for each 8 bytes.
func (w *lineWriter) Write(p []byte) (int, error) {
	if err := w.m.Charge(1 + len(p)/8); err != nil {
		return 0, err
	}
	w.line.bytes(p)
	if err := (*formatter)(w).spill(); err != nil {
		return 0, err
	}
	return len(p), nil
}

// formatPrint is ~p. If the program defines portray/1 it is a goal, else it writes like print/1.
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

// formatGoal is ~@: the output of a goal.
func formatGoal(f *formatter, _ rune, _ int) error { return f.goal(func(c cell) cell { return c }) }

// goal collects the goal that the function of makes from the next argument, or adds the output of this goal.
func (f *formatter) goal(of func(cell) cell) error {
	c, err := f.next()
	if err != nil {
		return err
	}
	return f.goalText(of(c))
}

// goalText collects a goal, or adds its output.
func (f *formatter) goalText(goal cell) error {
	if f.collect {
		f.goals = append(f.goals, goal)
		return nil
	}
	// The goals ran in the order of the format, so their outputs are consumed in that order.
	if len(f.texts) > 0 {
		f.line.text(f.texts[0])
		f.texts = f.texts[1:]
	}
	return nil
}

// fFormatPredicate is the functor of the predicate that stores the definitions of format_predicate/2.
var fFormatPredicate = code.Functor("$format_predicate", 2)

// ownGoal returns Module:Head for a directive that the program has defined.
func (f *formatter) ownGoal(letter rune) (goal cell, ok bool) {
	if f.own == nil {
		return 0, false
	}
	m := f.m
	head := m.NewCompound(fFormatPredicate, []cell{m.NewAtom(string(letter)), m.NewVar()})
	s := m.ClausesFor(f.own, head)
	for more := true; more; {
		var c *database.Clause
		if c, more = m.NextClause(&s, head); c != nil && m.UnifyClause(c, head, code.ATrue) {
			return m.Deref(m.Arg(head, 1)), true
		}
	}
	return 0, false
}

// ownDirective carries out a directive of the program. The predicate gets the numeric argument and, if it has two
// arguments, the next argument of the format.
func (f *formatter) ownDirective(goal cell, n int) error {
	m := f.m
	head, mod := m.StripModule(goal)
	number := m.NewAtom("default")
	if n != noNumber {
		number = m.NewInt(int64(n))
	}
	args := []cell{number}
	if functorOf(m, head).FunctorArity() == 2 {
		c, err := f.next()
		if err != nil {
			return err
		}
		args = append(args, c)
	}
	call := m.NewCompound(m.Functor(head), args)
	return f.goalText(m.NewCompound(code.FColon, []cell{m.NewAtom(mod.Name), call}))
}

// formatAtom is ~a: an atomic term without quotes. A compound or a variable is an error.
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

// formatString is ~s: a text as a string or a list. A number is no text.
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

// formatCode is ~c: the character of a code, n times.
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

// formatIgnore is ~i: it skips an argument.
func formatIgnore(f *formatter, _ rune, _ int) error {
	_, err := f.next()
	return err
}

// formatNewline is ~n: n ends of lines.
func formatNewline(f *formatter, _ rune, n int) error { return f.repeat('\n', n) }

// formatFreshLine is ~N. It ends the line unless the line is empty.
func formatFreshLine(f *formatter, _ rune, _ int) error {
	if f.line.column() > 0 {
		f.line.text("\n")
	}
	return nil
}

// formatTilde is ~~.
func formatTilde(f *formatter, _ rune, n int) error { return f.repeat('~', n) }

// repeat adds a character n times, once when there is no number. The number is bounded by maxFormatNumber, and charged.
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

// formatFill is ~t, with the fill character as number.
func formatFill(f *formatter, _ rune, n int) error {
	if n == noNumber {
		n = ' '
	}
	f.line.fill(rune(n))
	return nil
}

// defaultColumn is the width of a column of ~+ without a number.
const defaultColumn = 8

// formatStop is ~N| and ~N+, a column stop at a column or at a distance from the last one.
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
