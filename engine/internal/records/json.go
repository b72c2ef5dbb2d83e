package records

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/jsontext"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines the reader of JSON arrays and JSON lines.

// jsonReader reads the rows of a JSON text: the items of an array, or values one after the other. A row is an object,
// an array, or for one argument any other value.
type jsonReader struct {
	parser
	o       *Options
	text    *bounded
	lines   *lineCounter
	json    *json.Decoder
	terms   rowTerms
	base    int64 // the offset at which the decoder began
	opened  bool  // the bracket of the array has been read
	columns []string
	number  map[string]int  // the index of the argument for each member
	raw     json.RawMessage // the current row
	values  []term.Term
	rows    relation.Rows // the current row
	given   []bool        // which values the current object has
	start   syntax.Place  // of the current row
	at      []int         // the offset of each value in the row
	ended   error
}

// Place implements Reader.
func (j *jsonReader) Place(value int) syntax.Place {
	place, before := j.start, j.raw[:j.at[value]]
	if line := bytes.LastIndexByte(before, '\n'); line >= 0 {
		place.Line, place.Column = place.Line+bytes.Count(before, []byte("\n")), 1
		before = before[line+1:]
	}
	place.Column += len(before)
	return place
}

// Columns implements Reader.
func (r *jsonReader) Columns() []string { return r.columns }

// Guessed implements Reader. No types are guessed.
func (r *jsonReader) Guessed() Guessed { return Guessed{} }

// Mark implements Reader.
func (r *jsonReader) Mark() (Mark, bool) { return Mark{}, false }

func newJSONReader(r io.Reader, o *Options) *jsonReader {
	j := &jsonReader{parser: parser{atoms: map[string]term.Term{}}, o: o, text: &bounded{r: r},
		values: make([]term.Term, o.Arity), given: make([]bool, o.Arity), at: make([]int, o.Arity)}
	j.terms = rowTerms{jsontext.Terms{Atom: j.atom}, new(string)}
	j.text.begin()
	j.lines = &lineCounter{r: &markSkipper{r: j.text}, line: 1}
	j.decode(j.lines)
	if o.Columns != nil {
		j.name(o.Columns)
	}
	return j
}

// decode begins to decode a text.
func (j *jsonReader) decode(r io.Reader) {
	j.json = json.NewDecoder(r)
	j.json.UseNumber()
}

// name sets the members of objects that become values.
func (j *jsonReader) name(columns []string) {
	j.columns, j.number = columns, map[string]int{}
	for i, name := range columns {
		j.number[name] = i
	}
}

// Next returns the next row.
func (j *jsonReader) Next() (Row, error) {
	if j.ended != nil {
		return Row{}, j.ended
	}
	j.text.begin()
	if err := j.begin(); err != nil {
		var bad *Mistake
		if !errors.As(err, &bad) {
			j.ended = err
		}
		return Row{}, err
	}
	j.raw = j.raw[:0]
	if err := j.json.Decode(&j.raw); err != nil {
		return Row{}, j.failed(err)
	}
	place := j.place(-int64(len(j.raw)))
	if !utf8.Valid(j.raw) { // the decoder would replace invalid characters
		return Row{}, &Mistake{Place: place, Message: notUTF8}
	}
	j.start = place
	clear(j.at)
	if err := j.row(); err != nil {
		return Row{}, &Mistake{Place: place, Message: err.Error()}
	}
	j.rows.Reset(len(j.values))
	for i, row := 0, j.rows.Add(); i < len(row); i++ {
		row[i] = j.rows.OfTerm(j.values[i])
	}
	return Row{Rows: &j.rows, Place: place}, nil
}

// begin finds the next row. The error is io.EOF behind the last one.
func (j *jsonReader) begin() error {
	if j.o.Format == Lines {
		if !j.json.More() {
			return j.end()
		}
		return nil
	}
	if !j.opened {
		bracket, err := j.json.Token()
		switch {
		case errors.Is(err, io.EOF):
			return &End{*mistake(j.place(0), "the file is empty; a JSON array was expected")}
		case err != nil:
			return j.failed(err)
		case bracket != json.Delim('['):
			return &End{*mistake(j.place(-1), "a JSON array was expected; for one value a line use format(jsonl)")}
		}
		j.opened = true
	}
	if j.json.More() {
		return nil
	}
	if _, err := j.json.Token(); err != nil {
		return j.failed(err)
	}
	return j.end()
}

// end returns io.EOF if nothing follows.
func (j *jsonReader) end() error {
	switch _, err := j.json.Token(); {
	case errors.Is(err, io.EOF):
		return io.EOF
	case err != nil:
		return j.failed(err)
	}
	return &End{*mistake(j.place(-1), "there is more text behind the end of the array")}
}

// place returns the place of an offset from the end of the last token.
func (j *jsonReader) place(from int64) syntax.Place {
	return j.lines.place(j.base + max(j.json.InputOffset()+from, 0))
}

// failed returns the error of the reader for an error of the decoder. In JSON lines reading goes on with the next
// line.
func (j *jsonReader) failed(err error) error {
	var bad *json.SyntaxError
	switch {
	case errors.Is(err, errLong), errors.Is(err, errWide):
		j.ended = &End{*mistake(j.place(0), "%s", err)}
		return j.ended
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		j.ended = &End{*mistake(j.place(0), "the text ends within a value")}
		return j.ended
	case !errors.As(err, &bad):
		j.ended = err
		return err
	}
	wrong := mistake(j.place(j.wrongAt()), "%s", err)
	if j.o.Format != Lines {
		j.ended = &End{*wrong}
		return j.ended
	}
	j.skipLine()
	return wrong
}

// wrongAt returns the offset of the syntax error of the current value from the last token. The decoder counts only
// the bytes of whole values, so the value is decoded again by a new decoder.
func (j *jsonReader) wrongAt() int64 {
	rest, _ := io.ReadAll(j.json.Buffered())
	value := bytes.TrimLeft(rest, " \t\r\n,")
	var raw json.RawMessage
	var bad *json.SyntaxError
	if err := json.NewDecoder(bytes.NewReader(value)).Decode(&raw); errors.As(err, &bad) {
		return int64(len(rest)-len(value)) + bad.Offset - 1
	}
	return 0
}

// skipLine goes on behind the end of the current line.
func (j *jsonReader) skipLine() {
	at := j.base + j.json.InputOffset()
	rest := io.MultiReader(j.json.Buffered(), j.lines)
	b := make([]byte, 1)
	for b[0] != '\n' {
		n, err := rest.Read(b)
		at += int64(n)
		if err != nil {
			j.ended = err
			return
		}
	}
	j.base = at
	j.decode(rest)
}

// row sets the values from the current row.
func (j *jsonReader) row() error {
	v := &jsontext.Cursor{Text: j.raw}
	switch v.Next() {
	case '{':
		return j.object(v)
	case '[':
		return j.array(v)
	}
	if j.o.Arity == 1 {
		return j.set(0, j.value(v), j.raw)
	}
	return errors.New("a row must be an object or an array")
}

// object takes the values from the members of an object. The first object names the columns if nothing else does.
func (j *jsonReader) object(v *jsontext.Cursor) (wrong error) {
	for i := range j.values {
		j.values[i], j.given[i] = Null, false
	}
	var names []string
	for v.Enter(); v.More('}'); {
		name := v.Name()
		i, ok := j.number[string(name)]
		if j.number == nil {
			if i, ok = slices.Index(names, string(name)), true; i < 0 {
				i, ok = len(names), len(names) < j.o.Arity
				names = append(names, string(name))
			}
		}
		v.Next()
		at := v.Pos
		value := j.value(v)
		switch {
		case !ok || i >= j.o.Arity || wrong != nil:
		case j.given[i]:
			wrong = fmt.Errorf("the object has several members %s", name)
		default:
			j.given[i], j.at[i], wrong = true, at, j.set(i, value, j.raw[at:v.Pos])
		}
	}
	if j.number != nil {
		return wrong
	}
	if len(names) != j.o.Arity {
		return fmt.Errorf("the predicate has %s and the object has the members %s; choose by columns([...])",
			spell.Count(j.o.Arity, "argument"), strings.Join(names, ", "))
	}
	j.name(names)
	return wrong
}

// array takes the values from the items of an array.
func (j *jsonReader) array(v *jsontext.Cursor) (wrong error) {
	n := 0
	for v.Enter(); v.More(']'); n++ {
		v.Next()
		at := v.Pos
		if value := j.value(v); n < j.o.Arity && wrong == nil {
			j.at[n], wrong = at, j.set(n, value, j.raw[at:v.Pos])
		}
	}
	if n != j.o.Arity {
		return fmt.Errorf("the row has %s, expected %d", spell.Count(n, "item"), j.o.Arity)
	}
	return wrong
}

// rowTerms makes the terms of a row. It stores in beyond the text of a number that is too large for Prolog.
type rowTerms struct {
	jsontext.Terms
	beyond *string
}

// Number implements jsontext.Builder.
func (b rowTerms) Number(text string) term.Term {
	t := b.Terms.Number(text)
	if _, large := t.(term.Atom); large {
		*b.beyond = text
	}
	return t
}

// value reads a value.
func (j *jsonReader) value(v *jsontext.Cursor) term.Term {
	*j.terms.beyond = ""
	return jsontext.Value(v, jsontext.Builder[term.Term](j.terms))
}

// set stores a value, converted to its type. raw is its JSON.
func (j *jsonReader) set(i int, v term.Term, raw []byte) error {
	column, t := "", j.o.TypeOf(i)
	if i < len(j.columns) {
		column = j.columns[i] + ": "
	}
	if text, isText := v.(term.Atom); t >= Decimal && v != term.Term(Null) {
		if !isText && t == Decimal {
			text = term.Atom(raw)
		}
		x, err := t.exact().Parse(string(text))
		if err != nil {
			return errors.New(column + expected(t, cmp.Or(string(text), string(raw))))
		}
		j.values[i] = x
		return nil
	}
	if large := *j.terms.beyond; large != "" {
		return fmt.Errorf("%sthe number %s is too large", column, short(large))
	}
	converted, ok := typed(v, t)
	if !ok {
		return fmt.Errorf("%sexpected %s, got %s", column, want[t], short(syntax.ShowTerm(v)))
	}
	if text, isText := converted.(term.Atom); isText && text != Null {
		if wrong := j.o.refusal(i, []byte(text)); wrong != "" {
			return errors.New(column + wrong)
		}
	}
	j.values[i] = converted
	return nil
}

// typed converts a value of JSON to a type. The value is null, a number, or an atom, list or curly term.
func typed(v term.Term, t Type) (term.Term, bool) {
	if v == term.Term(Null) || t == Guess || t == Any {
		return v, true
	}
	switch v := v.(type) {
	case term.Atom:
		switch t {
		case Atom:
			return v, true
		case String:
			return term.String(v), true
		case Boolean:
			return v, v == term.True || v == term.False
		}
	case term.Int, *term.Big:
		switch t {
		case Integer, Number:
			return v, true
		case Float:
			f, ok := asFloat(v)
			return f, ok
		}
	case term.Float:
		switch t {
		case Float, Number:
			return v, true
		case Integer:
			if f := float64(v); f == float64(int64(f)) && f > -1<<53 && f < 1<<53 {
				return term.Int(int64(f)), true
			}
		}
	}
	return nil, false
}

// asFloat returns the float nearest to an integer.
func asFloat(v term.Term) (term.Term, bool) {
	p := parser{}
	f, ok := p.float(fmt.Sprint(v))
	return term.Float(f), ok
}

// lineCounter passes on a text and finds the lines of offsets. The offsets must not decrease.
type lineCounter struct {
	r      io.Reader
	read   int64
	starts []int64 // the beginnings of lines after the last place
	line   int     // the line of the last place, which begins at start
	start  int64
}

// Read reads from the text.
func (l *lineCounter) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	for i, b := range p[:n] {
		if b == '\n' {
			l.starts = append(l.starts, l.read+int64(i)+1)
		}
	}
	l.read += int64(n)
	return n, err
}

// place returns the place of an offset, which must not be before that of the last call.
func (l *lineCounter) place(offset int64) syntax.Place {
	n := 0
	for ; n < len(l.starts) && l.starts[n] <= offset; n++ {
		l.line++
		l.start = l.starts[n]
	}
	l.starts = l.starts[n:]
	return syntax.Place{Line: l.line, Column: int(max(offset-l.start, 0)) + 1}
}
