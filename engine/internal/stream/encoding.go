package stream

import (
	"bufio"
	"encoding/binary"
	"io"
	"maps"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// This file defines the encodings of text. A stream holds UTF-8; readers and writers translate.

// Latin1 is the encoding in which a byte is a character.
const Latin1 = "iso_latin_1"

// units are the units of an encoding: their size in bytes, 0 for UTF-8, and the order of these.
type units struct {
	size  int
	order binary.ByteOrder
}

// encodings are the units of the encodings that streams may have. wchar_t is that of C on Linux.
var encodings = map[string]units{"utf8": {}, "text": {}, "ascii": {}, "octet": {}, Latin1: {1, binary.LittleEndian},
	"utf16le": {2, binary.LittleEndian}, "utf16be": {2, binary.BigEndian}, "unicode_le": {2, binary.LittleEndian},
	"unicode_be": {2, binary.BigEndian}, "wchar_t": {4, binary.LittleEndian}}

// Encodings are those that streams may have, sorted.
var Encodings = slices.Sorted(maps.Keys(encodings))

// IsUTF8 reports whether text in an encoding is read and written as UTF-8.
func IsUTF8(encoding string) bool { return encodings[encoding].size == 0 }

// Decode returns a reader of UTF-8 for a reader of text in an encoding.
func Decode(r io.Reader, encoding string) io.Reader {
	if IsUTF8(encoding) {
		return r
	}
	return &decoder{bufio.NewReader(r), encodings[encoding]}
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
}

func (d *decoder) Read(p []byte) (n int, err error) {
	for n+utf8.UTFMax <= len(p) {
		r, err := d.next()
		if err != nil {
			if n > 0 {
				err = nil
			}
			return n, err
		}
		n += utf8.EncodeRune(p[n:], r)
	}
	return n, nil
}

// next reads a character. Half of one is U+FFFD.
func (d *decoder) next() (rune, error) {
	unit := make([]byte, d.size, 4)
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
	rest []byte // of a character that is not whole yet
}

func (e *encoder) Write(p []byte) (int, error) {
	text, out := append(e.rest, p...), []byte(nil)
	for utf8.FullRune(text) {
		r, n := utf8.DecodeRune(text)
		text = text[n:]
		switch e.size {
		case 1:
			if r > 255 {
				r = '?'
			}
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
