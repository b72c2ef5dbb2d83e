package syntax

import (
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/bignum"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the options of writing and its entry points (ISO 13211-1, 7.10.5). It also defines how floats are
// written.

// ErrTooLong is what Write returns past WriteOptions.MaxBytes.
var ErrTooLong = errors.New("the text of the term is too long")

// WriteOptions are the options of write_term/2. The zero value is what write_term/2
// does without options; a nil pointer means the same.
type WriteOptions struct {
	// Indent is how many blanks PortrayClause writes before each line.
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
	MaxBytes   int                  // Write stops with ErrTooLong past it; 0: no limit
	// FloatFormat is a format of package fmt such as %.3f; "" is the shortest that reads back.
	FloatFormat string
	// Portray may write a subterm its own way; nil: none.
	Portray func(t term.Term) (text string, handled bool)
	// Metas returns the meta_predicate specification of a predicate, by which PortrayClause lays goals out; nil: none.
	Metas func(name string, arity int) string
	// Meter is told of the work that large integers are, and every few thousand steps of 0, as the text is counted by
	// who takes it. It may end writing by a panic; nil: nobody.
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
	_ = Write(&b, t, o) // a Builder does not fail, and a cut text is what was asked for
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

// CutText returns a text of at most so many bytes as it is, of a longer one the beginning and dots.
func CutText(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most] + "..."
}

// Exponents outside this range are written with e, as SWI-Prolog and C do with 15 digits. A number that has digits
// behind its point is written without, however large it is.
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
