package records

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
)

// This file defines how a CSV text is split into records and fields (RFC 4180). Package encoding/csv makes a string of
// each record and takes twice as long; its tests and the tests of this package agree on what a field is.

// csvText reads the records of a CSV text. Blank lines are passed over. A line ends with LF or CRLF, also within
// quotes.
type csvText struct {
	bounded   *bounded
	r         *bufio.Reader
	separator []byte
	line      int // the number of the last line that was read
	long      []byte
	// The current record. The next one overwrites the fields. places are the beginnings of the fields, with their quotes.
	start   int // the line where it begins
	fields  [][]byte
	places  []syntax.Place
	invalid bool // it has bytes that are not UTF-8
	// owned are the fields, from the first, that do not stand in the buffers for lines. Their bytes are in kept, or like
	// those of other quoted fields in unquoted.
	owned          int
	kept, unquoted []byte
}

// readBytes is how much of a text is read at once.
const readBytes = 1 << 16

func newCSVText(r io.Reader, separator rune) csvText {
	b := &bounded{r: r}
	return csvText{bounded: b, r: bufio.NewReaderSize(skipMark(b), readBytes), separator: utf8.AppendRune(nil, separator)}
}

// readLine returns the next line without its end. The next call overwrites it.
func (c *csvText) readLine() ([]byte, error) {
	line, err := c.r.ReadSlice('\n')
	if err != nil {
		if line, err = c.endOfLine(line, err); err != nil {
			return nil, err
		}
	}
	c.line++
	if n := len(line); n > 0 && line[n-1] == '\n' {
		line = line[:n-1]
	}
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	if mark := []byte("sep="); c.line == 1 && bytes.HasPrefix(line, mark) && utf8.RuneCount(line[len(mark):]) == 1 {
		c.separator = bytes.Clone(line[len(mark):]) // a spreadsheet says what it has written
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

// fieldEnd returns where the field that begins at a place ends, or has a quote.
func (c *csvText) fieldEnd(line []byte, at int) int {
	first := c.separator[0]
	for ; at < len(line); at++ {
		if b := line[at]; b == '"' || b == first && bytes.HasPrefix(line[at:], c.separator) {
			break
		}
	}
	return at
}

// openQuote is the message about a quote that is out of place. It leaves open where the next record begins.
const openQuote = `a quoted field must end with its quote; a quote within it is written ""`

// quoted reads a field behind its quote. It returns the line where the field ends, and where.
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

// own copies the fields that stand in a buffer for lines before the next line is read.
func (c *csvText) own() {
	for i := c.owned; i < len(c.fields); i++ {
		from := len(c.kept)
		c.kept = append(c.kept, c.fields[i]...)
		c.fields[i] = c.kept[from:]
	}
	c.owned = len(c.fields)
}
