package records

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines the reader of CSV.

// csvReader reads the rows of a CSV text.
type csvReader struct {
	parser
	o    *Options
	text csvText
	null map[string]bool // nil: the empty text alone
	rows relation.Rows   // the current row
	// fields has the number of the field of each value. nil: the header has not been read.
	fields []int
	width  int // the number of fields of a record
	names  []string
	// repeated says which names in the header stand there before.
	repeated []*Mistake
	guesses  []guess
	count    int // the rows that have been read, with those that are wrong
	ended    error
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
	separator := ','
	switch {
	case o.Separator != 0:
		separator = o.Separator
	case o.Format == TSV:
		separator = '\t'
	}
	c.text = newCSVText(r, separator)
	return c
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
				err = mistake(c.text.places[at], "expected %s, got %q%s", want[t], short(string(field)), c.headerHint())
			}
			values[i] = v
		}
	}
	return fits, err
}

// isNull reports whether a text stands for a missing value.
func (c *csvReader) isNull(text []byte) bool { return len(text) == 0 || c.null[string(text)] }

// guessed returns the value of a column whose type is guessed, as one of the type that the values up to it have.
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
		if g.note(t, isNumber, c.isFirst()); g.others == 1 && g.other == "" {
			g.other, g.place = string(text), c.text.places[c.fields[i]]
		}
	}
	switch {
	case isSmall && g.all == Integer:
		return relation.OfInt(n)
	case isSmall && g.all == Float && n != 0: // 0 may be that of -0
		return relation.OfFloat(float64(n))
	}
	v, _ := c.value(&c.rows, text, g.all)
	return v
}

// isFirst reports whether the current row may be a header that nobody has told of.
func (c *csvReader) isFirst() bool { return c.count == 1 && !c.o.Header }

// readAhead takes account of rows behind one that does not fit. They are twice as many as those before it, so that all
// that is read again and again is not much more than the text.
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

// headerHint says what a mistake in the first line may come from.
func (c *csvReader) headerHint() string {
	if c.text.start == 1 && !c.o.Header {
		return "; if the first line names the columns, say header(true)"
	}
	return ""
}

// record returns the fields of the next record, which are all there and valid UTF-8.
func (c *csvReader) record() ([][]byte, error) {
	if c.ended != nil {
		return nil, c.ended
	}
	if c.fields == nil {
		if c.ended = c.header(); c.ended != nil {
			return nil, c.ended
		}
	}
	if err := c.read(); err != nil {
		return nil, err
	}
	record, place := c.text.fields, c.text.places[0]
	if c.width == 0 {
		c.width = len(record)
		if c.width != c.o.Arity && c.o.Columns == nil {
			c.ended = &End{*mistake(place, "the predicate has %s and the row has %s; name the columns by columns([...])%s",
				spell.Count(c.o.Arity, "argument"), spell.Count(c.width, "field"), returnHint(record))}
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

// returnHint says what a row of another width may come from.
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

// otherSeparator advises to name the separator that the only column of a header holds, or is "".
func otherSeparator(names []string) (advice string) {
	most := 0
	for _, other := range []string{";", "\t", "|", ","} {
		if n := strings.Count(names[0], other); len(names) == 1 && n > most {
			most, advice = n, "say separator('"+strings.ReplaceAll(other, "\t", `\t`)+"')"
		}
	}
	return advice
}

// header reads the names of the columns and finds the field of each value.
func (c *csvReader) header() error {
	var names []string
	if c.o.Header {
		err := c.read()
		if errors.Is(err, io.EOF) { // perhaps it is just being written
			err = &End{*mistake(syntax.Place{Line: 1, Column: 1},
				"the file is empty; a line with the names of the columns was expected")}
		}
		if err != nil {
			return err
		}
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
				cmp.Or(otherSeparator(names), "choose by columns([...])"))}
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
			if other := otherSeparator(names); other != "" {
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
	g := Guessed{Types: make([]Type, c.o.Arity), Repeated: c.repeated}
	for i := range g.Types {
		k := &c.guesses[i]
		g.Types[i] = k.all
		if k.others > 0 && !k.codes && k.numbers >= leastNumbers*k.others {
			g.Odd = append(g.Odd, OddColumn{i + 1, k.numbers, k.others, k.other, k.place})
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

// skipMark passes over the byte order mark that some programs begin a text with.
func skipMark(r io.Reader) io.Reader { return &markSkipper{r: r} }

// markSkipper drops a byte order mark at the beginning of a text.
type markSkipper struct {
	r    io.Reader
	rest []byte // of the beginning
	done bool
	wide bool // the text is of no use
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
			s.rest = nil
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
