package syntax

import (
	"errors"
	"io"
	"maps"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/arrays"
	"github.com/mcplogic/mcplogic/engine/internal/bignum"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the options of writing and its entry points (ISO 13211-1, 7.10.5). It also defines how cyclic terms
// and floats are written.

// ErrTooLong is the error of Write for a text beyond WriteOptions.MaxBytes.
var ErrTooLong = errors.New("the text of the term is too long")

// WriteOptions are the options of write_term/2. The zero value, and a nil pointer, stand for write_term/2 without
// options.
type WriteOptions struct {
	// Indent is the number of blanks that PortrayClause writes before each line.
	Indent     int
	Quoted     bool // atoms and strings in quotes where they need them
	NoEscapes  bool // no escape sequences within quotes: a quote is doubled
	IgnoreOps  bool // operators as f(x), {x} as {}(x); lists stay lists
	NumberVars bool // '$VAR'(1) as B
	DotLists   bool // lists as '.'(x,y)
	NoLists    bool // the same
	BraceTerms bool // {x} even with IgnoreOps
	Cycles     bool // cyclic terms as @(T, [X=f(X)]); otherwise ... where they repeat
	SpaceArgs  bool // spacing(next_argument): a space after each comma
	Ops        *Ops // nil: the standard operators
	Flags      *Flags
	VarNames   map[*term.Var]string // names of variables; others are _ and a number
	MaxDepth   int                  // deeper terms and later list elements are ...; 0: no limit
	Priority   int                  // operators above it get parentheses; 0: 1200
	After      rune                 // the character before the text, which is a part of a longer one; 0: none
	QuoteWide  bool                 // with Quoted, quotes for atoms with characters beyond Latin-1
	Largest    rune                 // larger characters are escaped within quotes; 0: none
	MaxBytes   int                  // Write stops with ErrTooLong past it; 0: no limit
	// FloatFormat is a format of package fmt such as %.3f; "" is the shortest text that reads back.
	FloatFormat string
	// Portray may write a subterm its own way; nil: none.
	Portray func(t term.Term) (text string, handled bool)
	// Metas returns the meta_predicate specification of a predicate, by which PortrayClause formats goals. It may be
	// nil.
	Metas func(name string, arity int) string
	// Meter receives the work of large integers, and 0 every few thousand steps, as the receiver of the text charges
	// for it. It may stop writing by a panic. It may be nil.
	Meter bignum.Meter
}

// pollAt calls a meter at some of the steps of a walk over a term.
func pollAt(n int, meter bignum.Meter) {
	const pollSteps = 1 << 12
	if n&(pollSteps-1) == pollSteps-1 && meter != nil {
		meter(0)
	}
}

// Write writes t. The error is that of w, or ErrTooLong.
func Write(w io.Writer, t term.Term, o *WriteOptions) error {
	wr := newWriter(w, o)
	defer wr.release()
	return wr.write(t)
}

// Format returns what Write writes; past MaxBytes it is cut.
func Format(t term.Term, o *WriteOptions) string {
	// An atom is the common case, and needs no writer.
	if a, ok := t.(term.Atom); ok && o != nil && o.Portray == nil && (o.MaxBytes == 0 || len(a) < o.MaxBytes/8) {
		if o.Quoted {
			return QuoteAtom(a)
		}
		return string(a)
	}
	var b strings.Builder
	_ = Write(&b, t, o) // a Builder does not fail, and cutting is requested
	return b.String()
}

// MaxText bounds the text of a term in bytes. A term of a few cells may share parts so that its text would
// fill any memory.
const MaxText = 16 << 20

// FormatTerm writes a term as writeq/1 does, with the standard operators: it reads back as the same term. A text of
// more than MaxText bytes is cut.
func FormatTerm(t term.Term) string {
	return Format(t, &WriteOptions{Quoted: true, NumberVars: true, Ops: standard, Cycles: true, MaxBytes: MaxText})
}

// FormatText writes a term as write/1 does, for people. A text of more than MaxText bytes is cut.
func FormatText(t term.Term) string {
	return Format(t, &WriteOptions{NumberVars: true, Ops: standard, Cycles: true, MaxBytes: MaxText})
}

// ShowTerm is FormatTerm for messages: a text of more than 2,000 bytes is cut and ends in dots.
func ShowTerm(t term.Term) string {
	const most = 2000
	text := Format(t, &WriteOptions{Quoted: true, NumberVars: true, Ops: standard, Cycles: true, MaxBytes: most + 1})
	return CutText(text, most)
}

// CutText returns a text unchanged if it has at most most bytes, else its beginning and dots.
func CutText(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most] + "..."
}

// Exponents outside this range are written with e, as SWI-Prolog and C do with 15 digits. A number with digits after
// its point is written without an exponent, however large it is.
const (
	minPlainExponent = -4
	maxPlainExponent = 14
)

// FormatFloat returns the shortest text that reads back as f. It always has a decimal point: 1.0,
// 1.0e+22, 1.0Inf, 1.5NaN.
func FormatFloat(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return "1.0Inf"
	case math.IsInf(f, -1):
		return "-1.0Inf"
	case math.IsNaN(f):
		return "1.5NaN"
	}
	mantissa, exp, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
	exponent, _ := strconv.Atoi(exp)
	digits := len(strings.TrimPrefix(mantissa, "-")) - len(".")
	if minPlainExponent <= exponent && (exponent <= maxPlainExponent || digits > exponent+1) {
		return withPoint(strconv.FormatFloat(f, 'f', -1, 64))
	}
	sign := ""
	if exponent > 0 {
		sign = "+"
	}
	return withPoint(mantissa) + "e" + sign + strconv.Itoa(exponent)
}

func withPoint(s string) string {
	if strings.Contains(s, ".") {
		return s
	}
	return s + ".0"
}

// cycleHead is a compound that is part of itself.
type cycleHead struct {
	t    *term.Compound
	name string // S_1 ...
	open bool   // it is being written
}

// mostTree is the number of steps up to which a term is walked without recording the visited compounds: a list of 4
// million elements. A record takes about ten times as long as a step.
const mostTree = 1 << 23

// isTree reports whether a walk over a term ends, after at most mostTree steps: then it has no cycles. An infinite walk
// follows one path forever, on which Brent's algorithm finds the cycle: at each power of two a compound on the path is
// stored, and the compounds entered below it are compared with it.
func isTree(t term.Term, meter bignum.Meter) bool {
	type visit struct {
		c           *term.Compound
		next, depth int // argument; compounds above
	}
	var path []visit
	var mark *term.Compound
	markDepth := 0
	for n := 0; n < mostTree; n++ {
		pollAt(n, meter)
		c, ok := t.(*term.Compound)
		if ok && c == mark {
			return false
		}
		depth := 0
		if k := len(path); k > 0 {
			depth = path[k-1].depth + 1
			if path[k-1].next == len(path[k-1].c.Args) { // nothing is left there: it need not be kept
				path = path[:k-1]
			}
		}
		if ok && len(c.Args) > 0 {
			if mark == nil || depth >= 2*markDepth {
				mark, markDepth = c, depth
			}
			path = arrays.Push(path, visit{c: c, depth: depth})
		}
		if len(path) == 0 {
			return true
		}
		v := &path[len(path)-1]
		if v.depth < markDepth { // the walk has left it
			mark, markDepth = v.c, v.depth
		}
		t = v.c.Args[v.next]
		v.next++
	}
	return false
}

// cycleHeads returns the compounds at which the cycles of t close, named in the order in which
// they are found from left to right.
func cycleHeads(t term.Term, meter bignum.Meter) map[*term.Compound]*cycleHead {
	if isTree(t, meter) {
		return nil
	}
	type visit struct {
		c    *term.Compound
		next int // argument
	}
	const onPath, done = 1, 2
	state := map[*term.Compound]int{}
	heads := map[*term.Compound]*cycleHead{}
	var path []visit
	enter := func(t term.Term) {
		c, ok := t.(*term.Compound)
		switch {
		case !ok || state[c] == done:
		case state[c] == onPath:
			if heads[c] == nil {
				heads[c] = &cycleHead{t: c, name: "S_" + strconv.Itoa(len(heads)+1)}
			}
		default:
			state[c] = onPath
			path = arrays.Push(path, visit{c: c})
		}
	}
	enter(t)
	for n := 0; len(path) > 0; n++ {
		pollAt(n, meter)
		v := &path[len(path)-1]
		if v.next == len(v.c.Args) {
			state[v.c] = done
			path = path[:len(path)-1]
			continue
		}
		v.next++
		enter(v.c.Args[v.next-1])
	}
	return heads
}

// startCyclic adds the task of writing a cyclic term: with Cycles the term @(T, [S_1=f(S_1)]), in which each name
// stands for the compound it is equal to.
func (w *writer) startCyclic(top task) {
	if !w.o.Cycles {
		w.push(top)
		return
	}
	names := make([]*cycleHead, len(w.heads))
	for _, h := range w.heads {
		i, _ := strconv.Atoi(h.name[2:])
		names[i-1] = h
	}
	vars := maps.Clone(w.o.VarNames)
	if vars == nil {
		vars = map[*term.Var]string{}
	}
	var equations []term.Term
	for _, h := range names {
		v := term.NewVar(h.name)
		vars[v] = h.name
		body := &term.Compound{Functor: h.t.Functor, Args: h.t.Args} // not the head itself: this one is written out
		equations = append(equations, term.New("=", v, body))
	}
	w.o.VarNames = vars
	top.t = term.New("@", top.t, term.List(equations...))
	w.push(top)
}

// cycle handles a compound of a cyclic term; it reports whether the compound is finished.
func (w *writer) cycle(c *term.Compound) bool {
	h := w.heads[c]
	switch {
	case h == nil:
		return false
	case w.o.Cycles:
		w.token(h.name)
		return true
	case h.open:
		w.token("...")
		return true
	}
	h.open = true
	w.push(task{kind: doLeave, t: c})
	return false
}
