package records

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/internal/lazyregexp"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines the reader of CSV.

// csvReader reads the rows of a CSV text.
type csvReader struct {
	parser
	o    *Options
	text csvText
	null map[string]bool // nil: only the empty text
	rows relation.Rows   // the current row
	// fields holds the index of the field of each value. nil: the header has not been read.
	fields []int
	width  int // the number of fields of a record
	names  []string
	// repeated holds a mistake for each name that the header repeats.
	repeated []*Mistake
	guesses  []guess
	head     Offset // where the header ends
	// inner is the character that seems to separate values within the only field of all records, "" for none. first
	// is the text of the first record.
	inner, first string
	firstPlace   syntax.Place
	records      int // with the header
	count        int // the rows that have been read, wrong ones included
	ended        error
}

func newCSVReader(r io.Reader, o *Options) *csvReader {
	c := &csvReader{parser: parser{decimalComma: o.DecimalComma}, o: o, guesses: make([]guess, o.Arity)}
	for i, known := range o.Known {
		c.guesses[i].all = known
	}
	if len(o.Null) > 0 {
		c.null = map[string]bool{"": true}
		for _, text := range o.Null {
			c.null[text] = true
		}
	}
	c.text = newCSVText(r, o.separator(), o.Inner)
	return c
}

// separator returns the character between fields.
func (o *Options) separator() rune {
	switch {
	case o.Separator != 0:
		return o.Separator
	case o.Format == TSV:
		return '\t'
	}
	return ','
}

// otherSeparators holds the usual separators of fields.
var otherSeparators = []rune{';', '\t', '|', ','}

// quotedText finds the fields of a line that are quoted.
var quotedText = lazyregexp.New(`"[^"]*"?`)

// FindSeparator returns the usual separator that divides the first line of a CSV text into at least as many fields as
// rows have values. It returns 0 if the line contains the separator of the options, or if no usual separator fits. It
// also returns 0 if the second record has too few fields with it: then the first line may be a title.
func FindSeparator(r io.Reader, o *Options) (found rune) {
	if o.Arity < 2 { // one field needs no separator
		return 0
	}
	t := newCSVText(r, o.separator(), false)
	first, ok := t.outsideQuotes()
	if !ok || bytes.Contains(first, t.separator) {
		return 0
	}
	second, more := t.outsideQuotes()
	most := o.Arity - 2
	for _, other := range otherSeparators {
		sign := []byte(string(other))
		n := bytes.Count(first, sign)
		if n > most && (!more || bytes.Count(second, sign) >= o.Arity-1) {
			most, found = n, other
		}
	}
	return found
}

// outsideQuotes returns the next record without its quoted fields. ok is false if there is no record, or it cannot be
// read.
func (c *csvText) outsideQuotes() (text []byte, ok bool) {
	c.bounded.begin()
	for len(text) == 0 || bytes.Count(text, []byte{'"'})%2 == 1 {
		line, err := c.readLine()
		if err != nil && len(text) == 0 {
			return nil, false
		}
		if err != nil {
			break // the reader of the rows reports the mistake
		}
		text = append(text, line...)
	}
	return quotedText().ReplaceAll(text, nil), true
}

// Next returns the next row.
func (c *csvReader) Next() (Row, error) {
	fits, err := c.row()
	if err != nil {
		return Row{}, err
	}
	if !fits {
		c.readAhead()
		c.ended = ErrGuess
		return Row{}, ErrGuess
	}
	return Row{Rows: &c.rows, Place: c.text.places[0]}, nil
}

// row reads a row. fits is false if a value does not have the type that was guessed of those before it.
func (c *csvReader) row() (fits bool, err error) {
	record, err := c.record()
	c.count++
	if err != nil {
		return false, err
	}
	c.rows.Reset(c.o.Arity)
	values := c.rows.Add()
	fits = true
	for i, at := range c.fields {
		field := record[at]
		switch t := c.o.TypeOf(i); {
		case c.isNull(field):
			values[i] = c.rows.OfText(relation.Atom, []byte(Null))
		case t == Guess:
			before := c.guesses[i].all
			values[i] = c.guessed(i, field)
			fits = fits && (before == Guess || before == c.guesses[i].all)
		default:
			v, ok := c.value(&c.rows, field, t)
			if !ok && err == nil {
				err = mistake(c.text.places[at], "%s%s", expected(t, string(field)), c.headerHint())
			}
			values[i] = v
			if wrong := c.o.refusal(i, field); wrong != "" && err == nil {
				err = mistake(c.text.places[at], "%s%s", wrong, c.headerHint())
			}
		}
	}
	return fits, err
}

// isNull reports whether a text stands for a missing value.
func (c *csvReader) isNull(text []byte) bool { return len(text) == 0 || c.null[string(text)] }

// guessed returns a value of a column whose type is guessed. The value has the type guessed from the values up to it.
func (c *csvReader) guessed(i int, text []byte) relation.Value {
	g := &c.guesses[i]
	if g.isSettled() {
		return c.rows.OfText(relation.Atom, text)
	}
	n, isSmall := smallInteger(text)
	if isSmall {
		g.note(Integer, true, c.isFirst())
	} else {
		t, isNumber := c.narrowest(text)
		others := g.others
		g.note(t, isNumber, c.isFirst())
		if g.others > others {
			if others == 0 {
				g.other, g.place = string(text), c.text.places[c.fields[i]]
			}
			if almostNumber().Match(text) {
				g.almost++
			}
		}
	}
	switch {
	case isSmall && g.all == Integer:
		return relation.OfInt(n)
	case isSmall && g.all == Float && n != 0: // 0 may be written as -0
		return relation.OfFloat(float64(n))
	}
	v, _ := c.value(&c.rows, text, g.all)
	return v
}

// isFirst reports whether the current row may be a header although the options do not say so.
func (c *csvReader) isFirst() bool { return c.count == 1 && !c.o.Header }

// readAhead reads more rows for the guesses, after one that does not fit. It reads twice as many as have been read.
// So the text is not read again too often.
func (c *csvReader) readAhead() {
	const least = 1 << 12
	for most := 3*c.count + least; c.count < most; {
		_, err := c.row()
		var bad *Mistake
		if err != nil && !errors.As(err, &bad) {
			return
		}
	}
}

// headerHint returns a hint for a mistake in the first line, which may be a header.
func (c *csvReader) headerHint() string {
	if c.text.start == 1 && !c.o.Header {
		return "; if the first line names the columns, say header(true)"
	}
	return ""
}

// record returns the fields of the next record. It returns an error unless their number is right and they are valid
// UTF-8.
func (c *csvReader) record() ([][]byte, error) {
	if c.ended != nil {
		return nil, c.ended
	}
	if c.fields == nil {
		if c.ended = c.header(); c.ended != nil {
			return nil, c.ended
		}
		c.head = c.text.offset()
	}
	if err := c.read(); err != nil {
		return nil, err
	}
	record, place := c.text.fields, c.text.places[0]
	c.divided(record)
	if c.width == 0 {
		c.width = len(record)
		if c.width != c.o.Arity && c.o.Columns == nil {
			c.ended = &End{*mistake(place, "the predicate has %s and the row has %s; %s%s",
				spell.Count(c.o.Arity, "argument"), spell.Count(c.width, "field"),
				cmp.Or(c.advice(), "name the columns by columns([...])"), returnHint(record))}
			return nil, c.ended
		}
	}
	if len(record) != c.width {
		return nil, mistake(place, "the row has %s, expected %d%s", spell.Count(len(record), "field"), c.width,
			returnHint(record))
	}
	if c.text.invalid {
		i := slices.IndexFunc(record, func(field []byte) bool { return !utf8.Valid(field) })
		return nil, mistake(c.text.places[i], notUTF8)
	}
	return record, nil
}

// returnHint returns a hint for a row with another number of fields.
func returnHint(record [][]byte) string {
	if slices.ContainsFunc(record, func(field []byte) bool { return slices.Contains(field, '\r') }) {
		return "; it contains a CR, which ends no line without LF"
	}
	return ""
}

// read reads the next record of the text.
func (c *csvReader) read() error {
	err := c.text.next()
	var end *End
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errWide), errors.Is(err, errLong):
		c.ended = &End{*mistake(syntax.Place{Line: c.text.start, Column: 1}, "%s", err)}
	case errors.As(err, &end), !errors.As(err, new(*Mistake)):
		c.ended = err
	default:
		return err
	}
	return c.ended
}

// Place implements Reader.
func (c *csvReader) Place(value int) syntax.Place { return c.text.places[c.fields[value]] }

// Columns implements Reader.
func (c *csvReader) Columns() []string { return c.names }

// Mark implements Reader.
func (c *csvReader) Mark() (m Mark, ok bool) {
	m = Mark{At: c.text.offset(), Head: c.head, Types: make([]Type, c.o.Arity), Settled: c.inner == ""}
	for i := range c.guesses {
		g := &c.guesses[i]
		m.Types[i], g.marked = g.marked, Guess
		m.Settled = m.Settled && (g.all != Atom || g.isSettled())
	}
	return m, true
}

// divided sets inner if each record so far has one field. All must contain the character equally often.
func (c *csvReader) divided(record [][]byte) {
	if c.records++; len(record) > 1 || c.o.Separator != 0 || c.records > 1 && c.inner == "" {
		c.inner = ""
		return
	}
	text := string(record[0])
	if c.records > 1 {
		if strings.Count(text, c.inner) != strings.Count(c.first, c.inner) {
			c.inner = ""
		}
		return
	}
	c.firstPlace, c.first = c.text.places[0], text
	most := 0
	for _, other := range otherSeparators {
		if n := strings.Count(text, string(other)); n > most {
			most, c.inner = n, string(other)
		}
	}
}

// advice returns the option for the separator that seems to divide the only field of the records, or "".
func (c *csvReader) advice() string {
	if c.inner == "" {
		return ""
	}
	return "say separator('" + strings.ReplaceAll(c.inner, "\t", `\t`) + "')"
}

// header reads the names of the columns and finds the field of each value.
func (c *csvReader) header() error {
	var names []string
	if c.o.Header {
		err := c.read()
		if errors.Is(err, io.EOF) { // perhaps another program is writing it now
			err = &End{*mistake(syntax.Place{Line: 1, Column: 1},
				"the file is empty; a line with the names of the columns was expected")}
		}
		if err != nil {
			return err
		}
		c.divided(c.text.fields)
		for _, field := range c.text.fields {
			names = append(names, string(field))
		}
		c.width = len(names)
	}
	c.fields = []int{}
	if c.o.Columns == nil {
		for i := range c.o.Arity {
			c.fields = append(c.fields, i)
		}
		c.names = names
		if c.o.Header && c.width != c.o.Arity {
			return &End{*mistake(c.text.places[0], "the predicate has %s and the text has the columns %s; %s",
				spell.Count(c.o.Arity, "argument"), strings.Join(names, ", "),
				cmp.Or(c.advice(), "choose by columns([...])")+returnHint(c.text.fields))}
		}
		for i, name := range names {
			if name != "" && slices.Contains(names[:i], name) {
				c.repeated = append(c.repeated, mistake(c.text.places[i], "several columns are called %s", name))
			}
		}
		return nil
	}
	c.names = c.o.Columns
	for _, column := range c.o.Columns {
		at := slices.Index(names, column)
		if at < 0 {
			hint := spell.Hint(column, names)
			if other := c.advice(); other != "" {
				hint = "; " + other
			}
			return &End{*mistake(syntax.Place{Line: 1, Column: 1}, "there is no column %s; the columns are %s%s", column,
				strings.Join(names, ", "), hint)}
		}
		if slices.Contains(names[at+1:], column) {
			return &End{*mistake(c.text.places[at], "several columns are called %s; give them names of their own", column)}
		}
		c.fields = append(c.fields, at)
	}
	return nil
}

// Guessed implements Reader.
func (c *csvReader) Guessed() Guessed {
	g := Guessed{Types: make([]Type, c.o.Arity), Noted: c.repeated}
	if advice := c.advice(); advice != "" && c.records > 1 {
		g.Noted = append(g.Noted, mistake(c.firstPlace, "all rows have one field; %s if that divides it", advice))
	}
	for i := range g.Types {
		k := &c.guesses[i]
		g.Types[i] = k.all
		if almost := k.almost == k.others; k.others > 0 && !k.codes && (almost || k.numbers >= k.others) {
			g.Odd = append(g.Odd, OddColumn{i + 1, k.numbers, k.others, almost, k.other, k.place})
		}
		if k.rest != Guess && k.rest != Atom && k.all == Atom && g.Header == 0 {
			g.Header = i + 1
		}
	}
	if c.o.Header || slices.ContainsFunc(c.guesses, func(g guess) bool { return g.numeric }) {
		g.Header = 0
	}
	return g
}

// markSkipper skips the byte order mark at the beginning of a text.
type markSkipper struct {
	r    io.Reader
	rest []byte // the bytes that were read to find the mark
	done bool
	wide bool // the text is UTF-16 or UTF-32
	// skipped is the length of the mark.
	skipped int
}

// isWide reports whether a text begins with the mark of UTF-16 or UTF-32, or with an ASCII character in one of them.
func isWide(start []byte) bool {
	if len(start) < 2 {
		return false
	}
	mark := string(start[:2])
	return mark == "\xff\xfe" || mark == "\xfe\xff" || start[0] == 0 || start[1] == 0
}

// Read reads from the text.
func (s *markSkipper) Read(p []byte) (int, error) {
	if !s.done {
		s.done = true
		mark := make([]byte, 3)
		n, err := io.ReadFull(s.r, mark)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return 0, err
		}
		if s.rest = mark[:n]; string(s.rest) == "\uFEFF" {
			s.rest, s.skipped = nil, n
		}
		s.wide = isWide(s.rest)
	}
	if s.wide {
		return 0, errWide
	}
	if len(s.rest) > 0 {
		n := copy(p, s.rest)
		s.rest = s.rest[n:]
		return n, nil
	}
	return s.r.Read(p)
}

// This part defines how a CSV text is split into records and fields (RFC 4180). Package encoding/csv makes a string
// of each record and takes twice as long. A fuzz test compares its fields with those of this package.

// csvText reads the records of a CSV text. Blank lines are passed over. A line ends with LF or CRLF, also within
// quotes.
type csvText struct {
	bounded   *bounded
	mark      *markSkipper
	r         *bufio.Reader
	separator []byte
	inner     bool
	line      int // the number of the last line that was read
	bytes     int // of the lines that were read
	long      []byte
	// The current record. The next one overwrites the fields. places are the beginnings of the fields, with their quotes.
	start   int // the line where it begins
	fields  [][]byte
	places  []syntax.Place
	invalid bool // it has bytes that are not UTF-8
	// owned is the number of the first fields that do not point into the buffer of a line. Their bytes are in kept.
	// Those of quoted fields are in unquoted.
	owned          int
	kept, unquoted []byte
}

// readBytes is the size of the buffer for reading.
const readBytes = 1 << 16

// newCSVText returns a reader of the records of a text. inner says that the text is a part of another one. A part has
// no byte order mark and no line sep=.
func newCSVText(r io.Reader, separator rune, inner bool) csvText {
	b := &bounded{r: r}
	mark := &markSkipper{r: b, done: inner}
	return csvText{bounded: b, mark: mark, r: bufio.NewReaderSize(mark, readBytes),
		separator: utf8.AppendRune(nil, separator), inner: inner}
}

// offset returns the end of the last line.
func (c *csvText) offset() Offset { return Offset{c.bytes + c.mark.skipped, c.line} }

// readLine returns the next line without its end. The next call overwrites it.
func (c *csvText) readLine() ([]byte, error) {
	line, err := c.r.ReadSlice('\n')
	if err != nil {
		if line, err = c.endOfLine(line, err); err != nil {
			return nil, err
		}
	}
	c.line++
	c.bytes += len(line)
	if n := len(line); n > 0 && line[n-1] == '\n' {
		line = line[:n-1]
	}
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	sign, isMark := bytes.CutPrefix(line, []byte("sep="))
	if isMark && c.line == 1 && !c.inner && utf8.RuneCount(sign) == 1 {
		c.separator = bytes.Clone(sign) // a spreadsheet names its separator
		return c.readLine()
	}
	c.invalid = c.invalid || !utf8.Valid(line)
	return line, nil
}

// endOfLine reads the rest of a line that is longer than the buffer, or the last one.
func (c *csvText) endOfLine(line []byte, err error) ([]byte, error) {
	c.long = c.long[:0]
	for errors.Is(err, bufio.ErrBufferFull) {
		c.long = append(c.long, line...)
		line, err = c.r.ReadSlice('\n')
	}
	c.long = append(c.long, line...)
	if errors.Is(err, io.EOF) && len(c.long) > 0 {
		err = nil
	}
	return c.long, err
}

// next reads the next record. The error is io.EOF, a *Mistake, an *End, or one of the reader.
func (c *csvText) next() error {
	c.bounded.begin()
	c.fields, c.places, c.invalid, c.owned = c.fields[:0], c.places[:0], false, 0
	c.kept, c.unquoted = c.kept[:0], c.unquoted[:0]
	var line []byte
	for len(line) == 0 {
		c.start = c.line + 1
		var err error
		if line, err = c.readLine(); err != nil {
			return err
		}
	}
	for at := 0; ; at += len(c.separator) {
		c.places = append(c.places, syntax.Place{Line: c.line, Column: at + 1})
		if at < len(line) && line[at] == '"' {
			var err error
			if line, at, err = c.quoted(line, at+1); err != nil {
				return err
			}
		} else {
			end := c.fieldEnd(line, at)
			if end < len(line) && line[end] == '"' {
				return mistake(syntax.Place{Line: c.line, Column: end + 1}, "a field that contains a quote must be quoted")
			}
			c.fields = append(c.fields, line[at:end])
			at = end
		}
		if at == len(line) {
			return nil
		}
	}
}

// fieldEnd returns the end of the field that begins at an index, or the index of its first quote.
func (c *csvText) fieldEnd(line []byte, at int) int {
	first := c.separator[0]
	for ; at < len(line); at++ {
		if b := line[at]; b == '"' || b == first && bytes.HasPrefix(line[at:], c.separator) {
			break
		}
	}
	return at
}

// openQuote is the message about a misplaced quote. After it the beginning of the next record is unknown.
const openQuote = `a quoted field must end with its quote; a quote within it is written ""`

// quoted reads a field behind its quote. It returns the line in which the field ends, and its end there.
func (c *csvText) quoted(line []byte, at int) (rest []byte, end int, err error) {
	from := len(c.unquoted)
	for begin := at; ; {
		quote := bytes.IndexByte(line[at:], '"')
		if quote < 0 {
			c.unquoted = append(append(c.unquoted, line[begin:]...), '\n')
			c.own()
			if line, err = c.readLine(); err != nil {
				if errors.Is(err, io.EOF) {
					err = &End{*mistake(c.places[len(c.fields)], openQuote)}
				}
				return nil, 0, err
			}
			at, begin = 0, 0
			continue
		}
		at += quote + 1
		switch {
		case at < len(line) && line[at] == '"':
			c.unquoted = append(c.unquoted, line[begin:at]...)
			at++
			begin = at
			continue
		case at < len(line) && !bytes.HasPrefix(line[at:], c.separator):
			return nil, 0, &End{*mistake(syntax.Place{Line: c.line, Column: at}, openQuote)}
		}
		field := line[begin : at-1]
		if len(c.unquoted) > from || begin == 0 {
			c.unquoted = append(c.unquoted, field...)
			field = c.unquoted[from:]
		}
		c.fields = append(c.fields, field)
		return line, at, nil
	}
}

// own copies the fields that point into the buffer of the line. It must be called before the next line is read.
func (c *csvText) own() {
	for i := c.owned; i < len(c.fields); i++ {
		from := len(c.kept)
		c.kept = append(c.kept, c.fields[i]...)
		c.fields[i] = c.kept[from:]
	}
	c.owned = len(c.fields)
}

// Texts reads the records of a CSV text as texts.
type Texts struct{ text csvText }

// NewTexts returns a reader of records. A separator of 0 means the usual one of the format.
func NewTexts(r io.Reader, format Format, separator rune) *Texts {
	if separator == 0 {
		separator = map[Format]rune{CSV: ',', TSV: '\t'}[format]
	}
	return &Texts{newCSVText(r, separator, false)}
}

// Next returns the next record and the places of its fields. The columns of places count bytes. The error is io.EOF, a
// *Mistake, an *End, or one of the reader.
func (t *Texts) Next() (fields []string, places []syntax.Place, err error) {
	if err := t.text.next(); err != nil {
		return nil, nil, err
	}
	if t.text.invalid {
		return nil, nil, mistake(t.text.places[0], notUTF8)
	}
	for _, field := range t.text.fields {
		fields = append(fields, string(field))
	}
	return fields, slices.Clone(t.text.places), nil
}
