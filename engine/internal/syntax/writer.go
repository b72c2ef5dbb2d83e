package syntax

import (
	"cmp"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"sync"
	"unicode"
	"unicode/utf8"
	"unsafe"

	"github.com/mcplogic/mcplogic/engine/internal/arrays"
	"github.com/mcplogic/mcplogic/engine/internal/bignum"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the writer: a stack of parts still to be written, so the depth of a term is limited only by memory.
// Spaces are only written where two tokens would run together, as in SWI-Prolog.

const (
	flushSize   = 1 << 15
	cycleBudget = 5000 // steps after which a term is large enough to be examined for cycles
)

// taskKind says what a task writes.
type taskKind uint8

const (
	doTerm      taskKind = iota // t
	doArgs                      // the arguments of t from index on, and the parenthesis
	doTail                      // the rest after a list element: t is the tail
	doInfix                     // the infix operator of t and the right operand
	doPostfix                   // the postfix operator of t
	doClose                     // )
	doCloseList                 // ]
	doCloseCurly
	doOpenCurly
	doDict        // the pairs of a dict from index on, and the bracket
	doColon       // behind the key of one
	doDot         // before the function on one
	doBehindBlock // before the operand of a prefix block
	doLeave       // the end of t, which begins a cycle
)

// task is a part still to be written.
type task struct {
	kind    taskKind
	operand bool  // an operator as an atom gets parentheses
	prio    int16 // the highest priority without parentheses
	index   int32
	depth   int32
	t       term.Term
}

type writer struct {
	// fixed at creation
	o   WriteOptions
	ops *Ops
	out io.Writer

	// what was written
	buf     []byte
	flushed int
	err     error
	last    rune // the last character, 0 at the beginning
	prefix  bool // the last token was a prefix operator, so that ( must not follow at once

	scratch [24]byte // for a number
	quotes  []byte   // for a text in quotes

	// what is to be written
	tasks []task
	// heads are the compounds at which cycles begin, with their names; nil until the term has been examined.
	heads map[*term.Compound]*cycleHead
}

// writers holds unused writers.
var writers = sync.Pool{New: func() any {
	return &writer{buf: make([]byte, 0, 128), tasks: make([]task, 0, 32)}
}}

// release makes w available for reuse, unless a large term has made it large.
func (w *writer) release() {
	const keep = 1 << 10
	if cap(w.buf) > 16*keep || cap(w.tasks) > keep || cap(w.quotes) > keep {
		return
	}
	clear(w.tasks) // those that an error has left; run clears what it takes
	*w = writer{buf: w.buf[:0], tasks: w.tasks[:0], quotes: w.quotes[:0]}
	writers.Put(w)
}

func newWriter(out io.Writer, o *WriteOptions) *writer {
	w := writers.Get().(*writer)
	if w.out = out; o != nil {
		w.o = *o
	}
	w.ops = w.o.Ops
	if w.ops == nil {
		w.ops = standard
	}
	if w.o.Priority == 0 {
		w.o.Priority = maxPriority
	}
	w.start()
	return w
}

// start resets the text.
func (w *writer) start() {
	w.buf, w.tasks, w.last = w.buf[:0], w.tasks[:0], w.o.After
	w.prefix = classOf(w.last)&(alnum|symbol) != 0
}

// write writes t. A term that turns out to be cyclic is written again from the beginning, which is still in the buffer.
func (w *writer) write(t term.Term) error {
	top := task{t: t, prio: int16(w.o.Priority)}
	if name, ok := t.(term.Atom); ok && w.o.After != 0 && w.o.Priority < maxPriority {
		top.operand = w.ops.atLeast(name, w.o.Priority)
	}
	w.tasks = append(w.tasks, top)
	w.run(cycleBudget)
	if len(w.tasks) > 0 && w.err == nil {
		if w.heads = cycleHeads(t, w.o.Meter); len(w.heads) > 0 {
			clear(w.tasks)
			w.start()
			w.startCyclic(top)
		}
		w.run(0)
	}
	w.flush()
	return w.err
}

// run does the tasks until none is left, or for a number of steps.
func (w *writer) run(steps int) {
	for n := 0; len(w.tasks) > 0 && w.err == nil; n++ {
		if steps > 0 && n == steps {
			return
		}
		pollAt(n, w.o.Meter)
		last := len(w.tasks) - 1
		k := w.tasks[last]
		w.tasks[last].t = nil
		w.tasks = w.tasks[:last]
		w.do(k)
		if len(w.buf) >= flushSize && steps == 0 {
			w.flush()
		} else if w.o.MaxBytes > 0 && w.flushed+len(w.buf) > w.o.MaxBytes {
			w.cut()
		}
	}
}

// cut truncates a text that is too long.
func (w *writer) cut() {
	keep := max(w.o.MaxBytes-w.flushed, 0)
	for keep > 0 && keep < len(w.buf) && !utf8.RuneStart(w.buf[keep]) {
		keep--
	}
	w.buf = w.buf[:keep]
	w.flush()
	w.err = ErrTooLong
}

func (w *writer) flush() {
	if w.err != nil || len(w.buf) == 0 {
		return
	}
	if w.o.MaxBytes > 0 && w.flushed+len(w.buf) > w.o.MaxBytes {
		w.cut()
		return
	}
	n, err := w.out.Write(w.buf)
	w.flushed += n
	w.buf, w.err = w.buf[:0], err
}

func (w *writer) push(k task) { w.tasks = arrays.Push(w.tasks, k) }

func (w *writer) do(k task) {
	switch k.kind {
	case doTerm:
		w.term(k)
	case doArgs:
		w.args(k)
	case doTail:
		w.tail(k)
	case doInfix:
		w.infixRest(k)
	case doPostfix:
		w.token(w.atomText(k.t.(*term.Compound).Functor))
	case doClose:
		w.char(')')
	case doCloseList:
		w.char(']')
	case doCloseCurly:
		w.char('}')
	case doOpenCurly:
		w.char('{')
	case doDict:
		w.dictPairs(k)
	case doColon:
		w.token(":")
		w.prefix = true
	case doDot:
		w.char('.')
	case doBehindBlock:
		w.prefix = true
	case doLeave:
		w.heads[k.t.(*term.Compound)].open = false
	}
}

// char writes a punctuation character.
func (w *writer) char(c byte) {
	w.buf = append(w.buf, c)
	w.last, w.prefix = rune(c), false
}

// token writes a token, with a space before it where it would run into the last one.
func (w *writer) token(s string) {
	if s == "" {
		return
	}
	first, _ := utf8.DecodeRuneInString(s)
	if w.last != 0 && w.glues(first) {
		w.buf = append(w.buf, ' ')
	}
	w.buf = append(w.buf, s...)
	w.last, _ = utf8.DecodeLastRuneInString(s)
	w.prefix = false
}

// glues reports whether a token that begins with first would run into the last one.
func (w *writer) glues(first rune) bool {
	if first == '(' {
		return w.prefix
	}
	a, b := classOf(w.last), classOf(first)
	switch {
	case a&b&(alnum|symbol) != 0:
		return true
	case first == '\'':
		return a&digit != 0 || w.last == '\''
	case first == '{':
		return a&alnum != 0
	}
	return first == '"' && w.last == '"' || w.last == ',' && first == '|'
}

// openParen writes a parenthesis around an operand.
func (w *writer) openParen() {
	w.token("(")
	w.last = '('
}

// comma separates arguments.
func (w *writer) comma() {
	w.char(',')
	if w.o.SpaceArgs {
		w.char(' ')
	}
}

func (w *writer) atomText(a term.Atom) string {
	switch {
	case !w.o.Quoted || w.o.NoEscapes && !NeedsQuote(a) || a == term.Dict:
		return string(a)
	case w.o.NoEscapes:
		return doubleQuotes(string(a), "'")
	}
	if !NeedsQuote(a) && !(w.o.QuoteWide && beyond(string(a), unicode.MaxLatin1)) &&
		!(w.o.Largest > 0 && beyond(string(a), w.o.Largest)) {
		return string(a)
	}
	return w.quoted(string(a), '\'')
}

// quoted returns a text in quotes, until it is called again.
func (w *writer) quoted(s string, quote byte) string {
	w.quotes = appendQuoted(w.quotes[:0], s, quote, cmp.Or(w.o.Largest, unicode.MaxRune))
	return unsafe.String(unsafe.SliceData(w.quotes), len(w.quotes))
}

// term writes the beginning of a term and adds the rest as tasks.
func (w *writer) term(k task) {
	if w.o.Portray != nil {
		if text, handled := w.o.Portray(k.t); handled {
			w.token(text)
			return
		}
	}
	if k.depth++; w.o.MaxDepth > 0 && int(k.depth) > w.o.MaxDepth {
		w.token("...")
		return
	}
	switch t := k.t.(type) {
	case term.Atom:
		w.atom(t, k.operand)
	case *term.Opaque:
		w.atom(t.Name(), k.operand)
	case term.Int:
		w.token(string(strconv.AppendInt(w.scratch[:0], int64(t), 10)))
	case *term.Big:
		w.big(t.Int())
	case *term.Rational:
		w.rational(t.Rat())
	case term.Float:
		w.token(w.float(float64(t)))
	case term.String:
		w.string(t)
	case *term.Var:
		w.variable(t)
	case *term.Compound:
		w.compound(t, k)
	}
}

// bitsPerByte is slightly more than the number of bits of a digit.
const bitsPerByte = 4

// big writes a large integer. If the digits would be cut, it writes a text of the same size instead, as digits are
// expensive to compute.
func (w *writer) big(n *big.Int) {
	if bits := n.BitLen(); w.o.MaxBytes > 0 && bits/bitsPerByte > w.o.MaxBytes {
		w.token(fmt.Sprintf("<an integer of %d bits>", bits))
		return
	}
	w.token(bignum.Text(n, 10, w.o.Meter))
}

// rational writes a rational number that is no integer, in the manner of big.
func (w *writer) rational(r *big.Rat) {
	if w.o.MaxBytes > 0 {
		if bits := r.Num().BitLen() + r.Denom().BitLen(); bits/bitsPerByte > w.o.MaxBytes {
			w.token(fmt.Sprintf("<a rational number of %d bits>", bits))
			return
		}
	}
	w.token(bignum.RatioText(r, w.o.Meter))
}

func (w *writer) atom(a term.Atom, asOperand bool) {
	if asOperand && w.ops.Is(a) {
		w.openParen()
		w.token(w.atomText(a))
		w.char(')')
		return
	}
	w.token(w.atomText(a))
}

func (w *writer) string(s term.String) {
	switch {
	case !w.o.Quoted:
		w.token(string(s))
	case w.o.NoEscapes:
		w.token(doubleQuotes(string(s), `"`))
	default:
		w.token(w.quoted(string(s), '"'))
	}
}

func (w *writer) float(f float64) string {
	if w.o.FloatFormat != "" {
		return fmt.Sprintf(w.o.FloatFormat, f)
	}
	return FormatFloat(f)
}

func (w *writer) variable(v *term.Var) {
	if name, ok := w.o.VarNames[v]; ok {
		w.token(name)
		return
	}
	w.token(string(strconv.AppendInt(append(w.scratch[:0], '_'), v.ID, 10)))
}

// compound writes a compound in the notation that suits it.
func (w *writer) compound(c *term.Compound, k task) {
	if w.heads != nil && w.cycle(c) {
		return
	}
	switch {
	case c.IsDict():
		w.dict(c, k)
		return
	case isDictCall(c):
		w.dictCall(c, k)
		return
	}
	switch len(c.Args) {
	case 1:
		if w.unary(c, k) {
			return
		}
	case 2:
		if w.binary(c, k) {
			return
		}
	case 3:
		if op, ok := w.blockOp(c); ok && !w.o.IgnoreOps {
			w.block(op, c, k)
			return
		}
	}
	w.token(w.atomText(c.Functor))
	w.char('(')
	w.push(task{kind: doArgs, t: c, depth: k.depth})
}

// args writes an argument and adds the following ones as tasks.
func (w *writer) args(k task) {
	c := k.t.(*term.Compound)
	if int(k.index) == len(c.Args) {
		w.char(')')
		return
	}
	if k.index > 0 {
		w.comma()
	}
	arg := c.Args[k.index]
	k.index++
	w.push(k)
	w.push(task{t: arg, prio: argPriority, depth: k.depth})
}

// unary writes '$VAR'(1), '$VAR'('_'), {x} and prefix and postfix operators.
func (w *writer) unary(c *term.Compound, k task) bool {
	arg := c.Args[0]
	if w.o.NumberVars && c.Functor == "$VAR" {
		if n, ok := arg.(term.Int); ok && n >= 0 {
			w.token(numberedVar(int64(n)))
			return true
		}
		if arg == term.Term(term.Atom("_")) { // a singleton of numbervars/4
			w.token("_")
			return true
		}
	}
	if c.Functor == term.Curly && (!w.o.IgnoreOps || w.o.BraceTerms) {
		w.token("{")
		w.push(task{kind: doCloseCurly})
		w.push(task{t: arg, prio: maxPriority, depth: k.depth})
		return true
	}
	if w.o.IgnoreOps {
		return false
	}
	if op, ok := w.ops.Prefix(c.Functor); ok {
		w.prefixOp(op, c, k)
		return true
	}
	if op, ok := w.ops.Postfix(c.Functor); ok {
		w.embrace(op, k)
		w.push(task{kind: doPostfix, t: c})
		w.push(w.leftOperand(op, arg, k.depth))
		return true
	}
	return false
}

// numberedVar is the name of '$VAR'(n): A to Z, then A1 ...
func numberedVar(n int64) string {
	s := string(rune('A' + n%26))
	if n >= 26 {
		s += strconv.FormatInt(n/26, 10)
	}
	return s
}

// embrace puts parentheses around an operator term of too high a priority.
func (w *writer) embrace(op Op, k task) {
	if op.Priority > int(k.prio) {
		w.openParen()
		w.push(task{kind: doClose})
	}
}

func (w *writer) prefixOp(op Op, c *term.Compound, k task) {
	w.embrace(op, k)
	w.token(w.atomText(c.Functor))
	w.prefix = true
	arg := task{t: c.Args[0], operand: true, prio: int16(op.rightMax()), depth: k.depth}
	if c.Functor == "-" && w.readsAsNumber(c.Args[0]) {
		w.openParen()
		w.push(task{kind: doClose})
		arg.prio = maxPriority
	}
	w.push(arg)
}

// readsAsNumber reports whether t must be in parentheses after a minus, which would become the sign
// of a number: - (1) and - (1^2), and for consistency - (a^2).
func (w *writer) readsAsNumber(t term.Term) bool {
	switch t := w.beforeBlocks(t).(type) {
	case term.Int:
		return t >= 0
	case *term.Big:
		return t.Int().Sign() > 0
	case *term.Rational:
		return t.Rat().Sign() > 0
	case term.Float:
		return FormatFloat(float64(t))[0] != '-'
	case *term.Compound:
		return w.beginsWithOperand(t)
	}
	return false
}

// beginsWithOperand reports whether the text of a compound begins with that of its first argument without parentheses.
func (w *writer) beginsWithOperand(t *term.Compound) bool {
	op, ok := Op{}, false
	switch {
	case len(t.Args) == 2 && (t.Functor != term.Dot || w.o.DotLists || w.o.NoLists):
		op, ok = w.ops.Infix(t.Functor)
	case len(t.Args) == 1 && (!w.o.NumberVars || t.Functor != "$VAR") && t.Functor != term.Curly:
		op, ok = w.ops.Postfix(t.Functor)
	}
	return ok && w.priorityOf(t.Args[0]) <= op.leftMax()
}

// priorityOf returns the priority of the text of a term.
func (w *writer) priorityOf(t term.Term) int {
	c, ok := t.(*term.Compound)
	if !ok {
		return 0
	}
	op := Op{}
	switch len(c.Args) {
	case 1:
		if op, ok = w.ops.Prefix(c.Functor); !ok {
			op, _ = w.ops.Postfix(c.Functor)
		}
	case 2:
		if op, ok = w.blockOp(c); !ok {
			op, _ = w.ops.Infix(c.Functor)
		}
	case 3:
		op, _ = w.blockOp(c)
	}
	return op.Priority
}

// leftOperand is the task of an operand before an operator. An operator term that is open to the
// right and could take the operator into its own operand is put in parentheses.
func (w *writer) leftOperand(op Op, t term.Term, depth int32) task {
	k := task{t: t, operand: true, prio: int16(op.leftMax()), depth: depth}
	c, ok := t.(*term.Compound)
	if !ok {
		return k
	}
	inner, ok := Op{}, false
	switch len(c.Args) {
	case 1:
		inner, ok = w.ops.Prefix(c.Functor)
	case 2:
		if inner, ok = w.blockOp(c); !ok {
			inner, ok = w.ops.Infix(c.Functor)
		}
	case 3:
		inner, ok = w.blockOp(c)
	}
	if ok && inner.rightMax() >= op.Priority {
		k.prio = min(k.prio, int16(inner.Priority-1))
	}
	return k
}

// binary writes lists, block operators and infix operators.
func (w *writer) binary(c *term.Compound, k task) bool {
	if c.Functor == term.Dot && !w.o.DotLists && !w.o.NoLists {
		w.token("[")
		w.push(task{kind: doTail, t: c.Args[1], depth: k.depth})
		w.push(task{t: c.Args[0], prio: argPriority, depth: k.depth})
		return true
	}
	if w.o.IgnoreOps {
		return false
	}
	if op, ok := w.blockOp(c); ok {
		w.block(op, c, k)
		return true
	}
	op, ok := w.ops.Infix(c.Functor)
	if !ok {
		return false
	}
	w.embrace(op, k)
	w.push(task{kind: doInfix, t: c, prio: int16(op.rightMax()), depth: k.depth})
	w.push(w.leftOperand(op, c.Args[0], k.depth))
	return true
}

// infixRest writes an infix operator and adds the right operand as a task.
func (w *writer) infixRest(k task) {
	c := k.t.(*term.Compound)
	switch c.Functor {
	case ",":
		w.comma()
	case "|":
		w.char('|')
	default:
		before := len(w.buf)
		text := w.atomText(c.Functor)
		w.token(text)
		if len(w.buf)-before > len(text) { // a space before it looks better with one behind it
			w.char(' ')
		}
	}
	w.push(task{t: c.Args[1], operand: true, prio: k.prio, depth: k.depth})
}

// tail writes the rest of a list after an element.
func (w *writer) tail(k task) {
	if k.depth++; w.o.MaxDepth > 0 && int(k.depth) >= w.o.MaxDepth && k.t != term.Term(term.Nil) {
		w.char('|')
		w.token("...")
		w.char(']')
		return
	}
	c, ok := k.t.(*term.Compound)
	switch {
	case k.t == term.Term(term.Nil):
		w.char(']')
	case ok && c.Functor == term.Dot && len(c.Args) == 2 && (w.heads == nil || w.heads[c] == nil):
		w.comma()
		w.push(task{kind: doTail, t: c.Args[1], depth: k.depth})
		w.push(task{t: c.Args[0], prio: argPriority, depth: k.depth})
	default:
		w.char('|')
		w.push(task{kind: doCloseList})
		w.push(task{t: k.t, prio: argPriority, depth: k.depth})
	}
}
