// Package records reads rows of values from texts of data: CSV (RFC 4180), JSON arrays, and JSON lines.
//
// [NewReader] returns a [Reader] over a text. Each call of [Reader.Next] returns one [Row] with its place, an
// [*Mistake] about one row, after which the next can be read, or another error, after which there is nothing more to
// read. The types of CSV columns that are not given are guessed while rows are read: where a row contradicts what those
// before it had, Next returns [ErrGuess], and the text is read again with [Options.Known]. A Reader holds one row at a
// time, so texts may be larger than memory. It belongs to one goroutine.
package records

import (
	"errors"
	"fmt"
	"io"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines what all formats have in common: options, rows, errors and the bound of a row.

// Format is the format of a text.
type Format string

// The formats, by the names that the option format(F) of facts/3 gives them. They are also the extensions of files.
const (
	CSV   Format = "csv"
	TSV   Format = "tsv" // CSV with tabs
	JSON  Format = "json"
	Lines Format = "jsonl"
)

// FormatOf returns the format that the extension of a file stands for.
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

// IsJSON reports whether values have types of their own, so that none are guessed.
func (f Format) IsJSON() bool { return f == JSON || f == Lines }

// Options say how rows are read.
type Options struct {
	Format Format
	// Arity is the number of values of a row.
	Arity int
	// Columns names the column of each value: of the header in CSV, of the members of objects in JSON. nil: the columns
	// in the order of the text.
	Columns []string
	// Types has the type of each value. A missing one is Guess.
	Types []Type
	// Known has the types that a reader of the same text has guessed up to ErrGuess, see Guessed.
	Known []Type
	// Null are the texts that stand for a missing value, besides the empty one. CSV only.
	Null []string
	// Header says that the first record of a CSV text names the columns.
	Header bool
	// Separator stands between the fields of a CSV text. 0: a comma, or a tab in TSV.
	Separator rune
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

// Row is one row of a text.
type Row struct {
	// Rows has this row alone, with as many values as Options.Arity says, not sealed. The next row overwrites it.
	Rows  *relation.Rows
	Place syntax.Place
}

// Null is the value that is missing in a row.
const Null = term.Atom("null")

// Mistake is what is wrong with one row. Reading goes on behind the row.
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
	// Place returns the place of a value of the current row, or that of the row if it does not stand there.
	Place(value int) syntax.Place
	// Columns are the names of the values, nil if they have none. They are known when the first row is.
	Columns() []string
	// Guessed is what has been found out about types so far: at the end, or at ErrGuess.
	Guessed() Guessed
}

// ErrGuess says that a value does not have the type that was guessed for its column. All rows are to be read again, by
// a reader that knows what this one has found out.
var ErrGuess = errors.New("a value does not have the type that was guessed")

// Guessed is what is found out about the columns of a CSV text.
type Guessed struct {
	// Types has for each column the narrowest type that all texts have. Guess: it has no texts, or its type is given.
	Types []Type
	// Header is the first column, from 1, that has numbers in all rows but the first, which has none, or 0.
	Header int
	Odd    []OddColumn
	// Repeated says which names in the header stand there before.
	Repeated []*Mistake
}

// OddColumn is a column of atoms that has numbers in nearly all rows.
type OddColumn struct {
	Column          int // from 1
	Numbers, Others int
	Text            string // the first value that is no number
	Place           syntax.Place
}

// leastNumbers is how many numbers a column has for each other value, and at all, for the others to be odd.
const leastNumbers = 20

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

// errWide is the error of a text whose characters take two bytes or four.
var errWide = errors.New("the text is UTF-16 or UTF-32; save the file as UTF-8")

// notUTF8 is the mistake of a row in another encoding.
const notUTF8 = "the text is not valid UTF-8; save the file as UTF-8"

// bounded passes on a text as long as no row of it is too long.
type bounded struct {
	r    io.Reader
	left int // bytes until the row is too long
}

// begin begins a row. What has been read ahead is of no account.
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
