package stream

import (
	"bufio"
	"encoding/binary"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
)

// This file defines the encodings of text. A stream holds UTF-8. Readers and writers convert.

// Latin1 is the encoding in which a byte is a character.
const Latin1 = "iso_latin_1"

// units describes the units of an encoding: their size in bytes, 0 for UTF-8, the byte order, and the largest
// character, 0 for any.
type units struct {
	size    int
	order   binary.ByteOrder
	largest rune
}

// encodings holds the units of the encodings of streams. wchar_t is that of C on Linux.
var encodings = map[string]units{"utf8": {}, "text": {}, "ascii": {1, binary.LittleEndian, 0x7f},
	"octet": {1, binary.LittleEndian, 0xff}, Latin1: {1, binary.LittleEndian, 0xff},
	"utf16le": {2, binary.LittleEndian, 0}, "utf16be": {2, binary.BigEndian, 0}, "unicode_le": {2, binary.LittleEndian, 0},
	"unicode_be": {2, binary.BigEndian, 0}, "wchar_t": {4, binary.LittleEndian, 0}}

// Encodings holds the names of the encodings of streams, sorted.
var Encodings = slices.Sorted(maps.Keys(encodings))

// IsUTF8 reports whether text in an encoding is read and written as UTF-8.
func IsUTF8(encoding string) bool { return encodings[encoding].size == 0 }

// Decode returns a reader of UTF-8 for a reader of text in an encoding.
func Decode(r io.Reader, encoding string) io.Reader {
	if IsUTF8(encoding) {
		return r
	}
	return &decoder{r: bufio.NewReader(r), units: encodings[encoding]}
}

// NewEncoded returns an output that writes text in an encoding to w.
func NewEncoded(w io.Writer, encoding string, buffer int) *Output {
	return &Output{w: Encode(w, encoding), Buffer: buffer, Largest: encodings[encoding].largest}
}

// SetEncoding changes the encoding of a stream and reports success. A stream that is not a file stays UTF-8. A stream
// that has been read from keeps its encoding.
func (s *Stream) SetEncoding(name string) bool {
	name = strings.Replace(name, "unicode_", "utf16", 1)
	file, _ := s.Closer.(io.Reader)
	to, _ := s.Closer.(io.Writer)
	switch {
	case s.Encoding == name || IsUTF8(s.Encoding) && IsUTF8(name):
	case s.Out != nil && to != nil:
		if s.Out.Flush() != nil {
			return false
		}
		s.Out.w, s.Out.Largest = Encode(to, name), encodings[name].largest
	case s.In != nil && file != nil && s.In.Bytes()+s.In.Buffered() == 0:
		s.Source = Decode(file, name)
		s.In, s.Seeker, s.Reposition = syntax.NewInput(s.File, s.Source), nil, false
	default:
		return false
	}
	s.Encoding = name
	return true
}

// Encode returns a writer that takes UTF-8 and writes text in an encoding.
func Encode(w io.Writer, encoding string) io.Writer {
	if IsUTF8(encoding) {
		return w
	}
	return &encoder{w: w, units: encodings[encoding]}
}

type decoder struct {
	r *bufio.Reader
	units
	rest []byte // the bytes of a character that did not fit
	unit [4]byte
	utf8 [utf8.UTFMax]byte
}

// Read implements io.Reader.
func (d *decoder) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if len(d.rest) == 0 {
			r, err := d.next()
			if err != nil && n > 0 {
				return n, nil
			} else if err != nil {
				return 0, err
			}
			d.rest = utf8.AppendRune(d.utf8[:0], r)
		}
		some := copy(p[n:], d.rest)
		n, d.rest = n+some, d.rest[some:]
	}
	return n, nil
}

// next reads a character. An incomplete one gives U+FFFD.
func (d *decoder) next() (rune, error) {
	unit := d.unit[:d.size]
	if _, err := io.ReadFull(d.r, unit); err == io.ErrUnexpectedEOF {
		return utf8.RuneError, nil
	} else if err != nil {
		return 0, err
	}
	switch d.size {
	case 1:
		return rune(unit[0]), nil
	case 4:
		return rune(d.order.Uint32(unit)), nil
	}
	r := rune(d.order.Uint16(unit))
	if utf16.IsSurrogate(r) {
		if second, err := d.r.Peek(2); err == nil {
			if r = utf16.DecodeRune(r, rune(d.order.Uint16(second))); r != utf8.RuneError {
				d.r.Discard(2)
			}
		}
	}
	return r, nil
}

type encoder struct {
	w io.Writer
	units
	rest []byte // the bytes of an incomplete character
}

func (e *encoder) Write(p []byte) (int, error) {
	text, out := append(e.rest, p...), []byte(nil)
	for utf8.FullRune(text) {
		r, n := utf8.DecodeRune(text)
		text = text[n:]
		switch e.size {
		case 1:
			out = append(out, byte(r))
		case 2:
			for _, unit := range utf16.AppendRune(nil, r) {
				out = append(out, 0, 0)
				e.order.PutUint16(out[len(out)-2:], unit)
			}
		case 4:
			out = append(out, 0, 0, 0, 0)
			e.order.PutUint32(out[len(out)-4:], uint32(r))
		}
	}
	e.rest = slices.Clone(text)
	if _, err := e.w.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}
