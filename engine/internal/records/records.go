// Package records reads rows of values from texts of data: CSV (RFC 4180), JSON arrays, and JSON lines.
//
// [NewReader] returns a [Reader] over a text. Each call of [Reader.Next] returns one [Row] with its place, or an
// error. After a [*Mistake] about one row the next can be read; any other error ends the reading. If the type of a
// CSV column is not given, it is guessed while rows are read. If a row contradicts the guess, Next returns
// [ErrGuess], and the text must be read again with [Options.Known]. A Reader holds one row at a time, so texts may be
// larger than memory. It belongs to one goroutine.
package records

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/lazyregexp"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/internal/values"
)

// This file defines the options, rows and errors of all formats, and the limit of a row. It also defines the types of
// values and how texts become values.

// Format is the format of a text.
type Format string

// The formats, by the names that the option format(F) of facts/3 gives them. They are also the extensions of files.
const (
	CSV   Format = "csv"
	TSV   Format = "tsv" // CSV with tabs
	JSON  Format = "json"
	Lines Format = "jsonl"
)

// FormatOf returns the format of files with an extension.
func FormatOf(extension string) (f Format, ok bool) {
	switch extension {
	case ".csv":
		return CSV, true
	case ".tsv", ".tab":
		return TSV, true
	case ".json":
		return JSON, true
	case ".jsonl", ".ndjson":
		return Lines, true
	}
	return "", false
}

// IsJSON reports whether a format is one of JSON. Its values have types, so that none are guessed.
func (f Format) IsJSON() bool { return f == JSON || f == Lines }

// Options says how rows are read.
type Options struct {
	Format Format
	// Arity is the number of values of a row.
	Arity int
	// Columns names the column of each value. The names are those of the header in CSV, and those of the members of
	// objects in JSON. nil: the columns in the order of the text.
	Columns []string
	// Types has the type of each value. A missing one is Guess.
	Types []Type
	// Choices holds the texts that each value may be. A missing or empty list allows any text.
	Choices [][]string
	// Known holds the types that a reader of the same text had guessed when it returned ErrGuess; see Guessed.
	Known []Type
	// Null holds the texts that stand for a missing value, besides the empty one. CSV only.
	Null []string
	// Header says that the first record of a CSV text names the columns.
	Header bool
	// Separator stands between the fields of a CSV text. 0: a comma, or a tab in TSV, see FindSeparator.
	Separator rune
	// Inner says that a CSV text is a part of another one, without header and byte order mark; see Mark.
	Inner bool
	// DecimalComma says that a comma stands before the fraction of a number in CSV.
	DecimalComma bool
}

// TypeOf returns the type of value i.
func (o *Options) TypeOf(i int) Type {
	if i < len(o.Types) {
		return o.Types[i]
	}
	return Guess
}

// refusal returns a message if a text is not among the choices of value i, or else "".
func (o *Options) refusal(i int, text []byte) string {
	if i >= len(o.Choices) || len(o.Choices[i]) == 0 || slices.Contains(o.Choices[i], string(text)) {
		return ""
	}
	return fmt.Sprintf("expected one of %s, got %q%s", strings.Join(o.Choices[i], ", "), short(string(text)),
		spell.Hint(string(text), o.Choices[i]))
}

// Row is one row of a text.
type Row struct {
	// Rows holds only this row, with Options.Arity values, and is not sealed. The next row overwrites it.
	Rows  *relation.Rows
	Place syntax.Place
}

// Null stands for a missing value of a row.
const Null = term.Atom("null")

// Mistake is the error of one row. Reading can go on after it.
type Mistake struct {
	Place   syntax.Place // the column counts bytes
	Message string
}

// Error is the message.
func (e *Mistake) Error() string { return e.Message }

// End is a mistake after which nothing more can be read.
type End struct{ Mistake }

// Reader reads the rows of a text.
type Reader interface {
	// Next returns the next row. The error is io.EOF at the end, an *Mistake for a row that is wrong, an *End for a
	// mistake that hides the rest, ErrGuess, or an error of the text's own reader.
	Next() (Row, error)
	// Place returns the place of a value of the current row, or that of the row if the value is missing.
	Place(value int) syntax.Place
	// Columns returns the names of the values, nil if they have none. They are known after the first row.
	Columns() []string
	// Guessed returns the types that have been guessed. It may be called at the end, or after ErrGuess.
	Guessed() Guessed
	// Mark returns the state of the reader behind the current row, or at the end. ok is false for formats whose texts
	// cannot be read in parts.
	Mark() (m Mark, ok bool)
}

// Mark is the state of a reader behind a row. If two texts differ only between two marks, only that part of the
// second has to be read.
type Mark struct {
	At   Offset
	Head Offset // the end of the header
	// Types holds the narrowest type of the texts of each column since the mark before. It is Guess if there are
	// none, if the type is given, or if the column is settled.
	Types []Type
	// Settled says that no text behind the mark can change what is guessed about columns of atoms.
	Settled bool
}

// Offset is a place between two lines of a text.
type Offset struct{ Bytes, Lines int }

// ErrGuess says that a value does not have the type that was guessed for its column. All rows must be read again by a
// reader that knows the types of this one.
var ErrGuess = errors.New("a value does not have the type that was guessed")

// Guessed holds the guesses about the columns of a CSV text.
type Guessed struct {
	// Types holds the narrowest type that fits all texts of each column. It is Guess if the column has no texts, or
	// if its type is given.
	Types []Type
	// Header is the first column, from 1, that has numbers in all rows except the first. It is 0 if there is none.
	Header int
	Odd    []OddColumn
	// Noted holds warnings: about repeated names in the header, and about another separator that may be meant.
	Noted []*Mistake
}

// OddColumn is a column of atoms that looks like numbers: at least half of its rows are numbers, or all other values
// are written like numbers.
type OddColumn struct {
	Column          int // from 1
	Numbers, Others int
	AlmostNumbers   bool   // each of the others is a number with blanks around it or separators within
	Text            string // the first value that is no number
	Place           syntax.Place
}

// enoughOthers is the number of values without the form of a number from which a column counts as one of atoms.
const enoughOthers = 20

// NewReader returns a reader of the rows of a text.
func NewReader(r io.Reader, o *Options) Reader {
	if o.Format.IsJSON() {
		return newJSONReader(r, o)
	}
	return newCSVReader(r, o)
}

// maxRow bounds the bytes of one row. Without it a quote that is never closed would take a whole text into memory.
const maxRow = 16 << 20

// errLong is the error of a row that exceeds maxRow.
var errLong = errors.New("the row is longer than 16 MiB; is a quote or bracket left open?")

// errWide is the error of a text in UTF-16 or UTF-32.
var errWide = errors.New("the text is UTF-32, or UTF-16 without a mark; " +
	"save the file as UTF-8, or name its encoding in facts/3")

// notUTF8 is the message about a row in another encoding.
const notUTF8 = "the text is not valid UTF-8; save the file as UTF-8, or name its encoding in facts/3"

// bounded passes on a text until a row is too long.
type bounded struct {
	r    io.Reader
	left int // bytes until the row is too long
}

// begin begins a row. Bytes that were read ahead do not count.
func (b *bounded) begin() { b.left = maxRow }

// Read reads from the text.
func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errLong
	}
	n, err := b.r.Read(p)
	b.left -= n
	return n, err
}

// short cuts a text for a message.
func short(s string) string {
	const most = 60
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "..."
	}
	return s
}

// mistake returns an error about a row.
func mistake(at syntax.Place, format string, args ...any) *Mistake {
	return &Mistake{Place: at, Message: fmt.Sprintf(format, args...)}
}

// Type is the type of a column.
type Type uint8

// The types. In CSV a Guess column gets the narrowest type that fits all values. In JSON its type is Any.
const (
	Guess   Type = iota
	Any          // JSON: numbers, and atoms for strings. CSV: a number if the text is one, or else an atom
	Atom         // a text as an atom
	String       // a text as a string
	Integer      // of any size
	Float        // JSON and CSV integers become floats
	Number       // an integer or a float, as written
	Boolean      // the atoms true and false
	Decimal      // this type and the following ones are those of package values
	Date
	Time
	Datetime
	Duration
)

// typeNames holds the names of the types in mode/2.
var typeNames = map[Type]string{
	Guess: "guess", Any: "any", Atom: "atom", String: "string", Integer: "integer", Float: "float", Number: "number",
	Boolean: "boolean", Decimal: "decimal", Date: "date", Time: "time", Datetime: "datetime", Duration: "duration",
}

// exact returns the corresponding type of package values.
func (t Type) exact() values.Type { return values.Type{Name: typeNames[t], Places: -1} }

// String returns the name of a type.
func (t Type) String() string { return typeNames[t] }

// TypeNamed returns the type that a term names. ok is false if there is none. It ignores the places of
// decimal(Places): all digits of a value are kept.
func TypeNamed(typ term.Term) (t Type, ok bool) {
	name, ok := typ.(term.Atom)
	if exact, isExact := values.Of(typ); isExact {
		name, ok = term.Atom(exact.Name), true
	}
	if !ok {
		return Guess, false
	}
	for t, n := range typeNames {
		if n == string(name) {
			return t, true
		}
	}
	return Guess, false
}

// want describes the values of a type, for messages.
var want = map[Type]string{
	Integer: "an integer", Float: "a float", Number: "a number", Boolean: "true or false", Atom: "a text",
	String: "a text",
}

// expected returns the message for a text that is not a value of a type.
func expected(t Type, text string) string {
	what, why := want[t], ""
	if t >= Decimal {
		what = t.exact().Want()
		if _, err := t.exact().Parse(text); err != nil && err.Error() != "" {
			why = ": " + err.Error()
		}
	}
	return fmt.Sprintf("expected %s, got %q%s", what, short(text), why)
}

// parser converts texts to values.
type parser struct {
	decimalComma bool
	atoms        map[string]term.Term // repeated atoms share their memory
}

// maxAtoms bounds the atoms that a parser remembers.
const maxAtoms = 1 << 14

// value returns the value of a text of a CSV row. ok is false if the text is not of the type.
func (p *parser) value(rows *relation.Rows, text []byte, t Type) (v relation.Value, ok bool) {
	switch t {
	case Integer, Number, Any:
		if n, ok := smallInteger(text); ok {
			return relation.OfInt(n), true
		}
		if n, ok := integer(string(text)); ok {
			return rows.OfTerm(n), true
		}
	case Boolean:
		for _, word := range []string{"true", "false"} {
			if strings.EqualFold(string(text), word) {
				return rows.OfText(relation.Atom, []byte(word)), true
			}
		}
	case String:
		return rows.OfText(relation.String, text), true
	case Guess, Atom:
		return rows.OfText(relation.Atom, text), true
	case Decimal, Date, Time, Datetime, Duration:
		if x, err := t.exact().Parse(p.pointed(string(text), t)); err == nil {
			return rows.OfTerm(x), true
		}
		return v, false
	}
	switch t {
	case Float, Number, Any:
		if f, ok := p.float(string(text)); ok {
			return relation.OfFloat(f), true
		}
		if t == Any {
			return rows.OfText(relation.Atom, text), true
		}
	}
	return v, false
}

// atom returns the atom of a text. The text is not kept.
func (p *parser) atom(text []byte) term.Term {
	if a, ok := p.atoms[string(text)]; ok {
		return a
	}
	a := term.Term(term.Atom(text))
	if len(p.atoms) < maxAtoms {
		p.atoms[string(text)] = a
	}
	return a
}

// maxDigits bounds the digits of an integer. Reading one takes time that grows with the square of its length.
const maxDigits = 10_000

// integer returns the integer of a text.
func integer(text string) (term.Term, bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return term.Int(n), true
	}
	digits := strings.TrimLeft(text, "+-")
	if len(text)-len(digits) > 1 || len(digits) > maxDigits || !onlyDigits(digits) {
		return nil, false
	}
	n, ok := new(big.Int).SetString(text, 10)
	if !ok {
		return nil, false
	}
	return term.NewInt(n), true
}

func onlyDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// pointed returns a number with a point before its fraction. It returns "" if a decimal comma is required and the
// text has a point.
func (p *parser) pointed(text string, t Type) string {
	switch {
	case !p.decimalComma || t > Decimal:
		return text
	case strings.Contains(text, "."):
		return ""
	}
	return strings.Replace(text, ",", ".", 1)
}

// float returns the number of a text in decimal notation. Go also accepts infinite values, hexadecimal digits and
// underscores; here they are not numbers.
func (p *parser) float(text string) (float64, bool) {
	text = p.pointed(text, Float)
	for i := range len(text) {
		switch c := text[i]; {
		case c >= '0' && c <= '9', c == '.', c == '-', c == '+', c == 'e', c == 'E':
		default:
			return 0, false
		}
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil && !math.IsInf(f, 0)
}

// guess is the state of a column while its type is guessed.
type guess struct {
	all  Type // the narrowest type of all values so far and of Options.Known; Guess: there are none yet
	rest Type // the same without the first row
	// marked is the narrowest type of the values since the last mark.
	marked Type
	// numeric says that the value of the first row looks like a number.
	numeric bool
	// numbers and others count the values that look like numbers and the others. Counting stops when the column is
	// settled, and a header is not counted. codes says that a value is a code with the form of a number, such as 007.
	numbers, others int
	almost          int // of the others, see almostNumber
	codes           bool
	other           string // the first of the others
	place           syntax.Place
}

// isSettled reports whether no further value can change the guess.
func (g *guess) isSettled() bool {
	return g.all == Atom && g.rest == Atom && (g.codes || g.others >= enoughOthers && g.others > g.numbers)
}

// note adds a value to the guess, by its type. isNumber says that it looks like a number.
func (g *guess) note(t Type, isNumber, first bool) {
	g.all, g.marked = Wider(g.all, t), Wider(g.marked, t)
	g.codes = g.codes || isNumber && t == Atom
	if first {
		g.numeric = isNumber
	} else {
		g.rest = Wider(g.rest, t)
	}
	switch {
	case first && !isNumber:
	case isNumber:
		g.numbers++
	default:
		g.others++
	}
}

// narrowest returns the narrowest type of a text: Integer, Float or Atom. isNumber says that it looks like a number.
func (p *parser) narrowest(text []byte) (t Type, isNumber bool) {
	if isPlainInteger(string(text)) {
		return Integer, true
	}
	if _, ok := p.float(string(text)); !ok {
		return Atom, false
	}
	if leadingZero(string(text)) {
		return Atom, true
	}
	return Float, true
}

// almostNumber matches numbers that have blanks around them, separators between thousands, or the other decimal sign.
var almostNumber = lazyregexp.New(`^\s*[-+]?(\d+|\d{1,3}([.,' \x{a0}]\d{3})+)([.,]\d+)?\s*$`)

// smallInteger returns the integer of a text if it has at most 18 digits and the usual form.
func smallInteger(text []byte) (n int64, ok bool) {
	const most = 18 // any number with so many digits fits in an int64
	digits := text
	if len(text) > 0 && text[0] == '-' {
		digits = text[1:]
	}
	if len(digits) == 0 || len(digits) > most || digits[0] == '0' && len(digits) > 1 {
		return 0, false
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	if len(digits) < len(text) {
		n = -n
	}
	return n, true
}

// Wider returns the type of a column that has values of two types: Integer, Float or Atom, the first that fits both.
// Guess is the type of a column without values.
func Wider(a, b Type) Type {
	switch {
	case a == Guess || a == b:
		return b
	case a == Atom || b == Atom:
		return Atom
	}
	return Float
}

// isPlainInteger reports whether a text is an integer in its usual form. A number such as 007 is rather a code, and
// one with a leading plus a telephone number.
func isPlainInteger(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	return onlyDigits(digits) && len(digits) <= maxDigits && !leadingZero(text)
}

// leadingZero reports whether a number begins with a zero that a number does not need, or with a plus.
func leadingZero(text string) bool {
	text = strings.TrimPrefix(text, "-")
	return strings.HasPrefix(text, "+") || len(text) > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9'
}
