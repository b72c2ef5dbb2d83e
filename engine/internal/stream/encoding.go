package stream

import (
	"bufio"
	"io"
)

// This file defines the encodings of text. A stream holds UTF-8; readers and writers translate.

// Latin1 is the encoding in which a byte is a character.
const Latin1 = "iso_latin_1"

// Encodings are those that streams may have. All but Latin1 are read and written as UTF-8.
var Encodings = []string{"utf8", "text", "ascii", Latin1, "octet"}

// Decode returns a reader of UTF-8 for a reader of text in an encoding.
func Decode(r io.Reader, encoding string) io.Reader {
	if encoding != Latin1 {
		return r
	}
	return &latin1Reader{r: bufio.NewReader(r)}
}

// Encode returns a writer that takes UTF-8 and writes text in an encoding.
func Encode(w io.Writer, encoding string) io.Writer {
	if encoding != Latin1 {
		return w
	}
	return latin1Writer{w}
}

type latin1Reader struct{ r *bufio.Reader }

func (l *latin1Reader) Read(p []byte) (int, error) {
	n := 0
	for n+2 <= len(p) {
		b, err := l.r.ReadByte()
		if err != nil {
			if n > 0 {
				err = nil
			}
			return n, err
		}
		n += copy(p[n:], string(rune(b)))
	}
	return n, nil
}

type latin1Writer struct{ w io.Writer }

func (l latin1Writer) Write(p []byte) (int, error) {
	out := make([]byte, 0, len(p))
	for _, r := range string(p) {
		if r > 255 {
			r = '?'
		}
		out = append(out, byte(r))
	}
	if _, err := l.w.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}
