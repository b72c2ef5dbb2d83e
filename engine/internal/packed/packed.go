// Package packed writes numbers and texts as bytes, and reads them again.
//
// Input may be anything: a [Reader] that meets bytes which cannot have been written notes
// it and gives zeros from then on, so that its caller asks once, at the end.
package packed

import (
	"encoding/binary"
	"errors"
	"unsafe"
)

// Writer appends to Bytes. The zero value is ready.
type Writer struct {
	Bytes []byte
}

// Uint writes a number, in fewer bytes the smaller it is.
func (w *Writer) Uint(n uint64) { w.Bytes = binary.AppendUvarint(w.Bytes, n) }

// Int writes a number that is not negative.
func (w *Writer) Int(n int) { w.Uint(uint64(n)) }

// Word writes a number in eight bytes.
func (w *Writer) Word(n uint64) { w.Bytes = binary.LittleEndian.AppendUint64(w.Bytes, n) }

// Bool writes a truth value.
func (w *Writer) Bool(b bool) {
	n := byte(0)
	if b {
		n = 1
	}
	w.Bytes = append(w.Bytes, n)
}

// Text writes a text.
func (w *Writer) Text(s string) {
	w.Int(len(s))
	w.Bytes = append(w.Bytes, s...)
}

// Reader reads what a Writer has written.
type Reader struct {
	data string
	at   int
	bad  bool
}

// NewReader returns a reader. The texts that it reads are parts of data.
func NewReader(data string) *Reader { return &Reader{data: data} }

// Err returns an error if something could not be read, or if something is left.
func (r *Reader) Err() error {
	if r.bad || r.at != len(r.data) {
		return errors.New("packed: damaged data")
	}
	return nil
}

// Fail notes that what was read makes no sense.
func (r *Reader) Fail() { r.bad, r.at = true, len(r.data) }

// Bad reports whether something could not be read so far.
func (r *Reader) Bad() bool { return r.bad }

// Uint reads a number.
func (r *Reader) Uint() uint64 {
	n := uint64(0)
	for shift := uint(0); r.at < len(r.data) && shift < 64; shift += 7 {
		b := r.data[r.at]
		r.at++
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return n
		}
	}
	r.Fail()
	return 0
}

// Below reads a number that must be less than limit; otherwise it gives 0.
func (r *Reader) Below(limit int) int {
	n := r.Uint()
	if n >= uint64(limit) {
		r.Fail()
		return 0
	}
	return int(n)
}

// Count reads how many things follow, each of which takes at least one byte.
func (r *Reader) Count() int { return r.Below(len(r.data) - r.at + 1) }

// Word reads a number of eight bytes.
func (r *Reader) Word() uint64 {
	if len(r.data)-r.at < 8 {
		r.Fail()
		return 0
	}
	b := r.data[r.at : r.at+8]
	r.at += 8
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// Bool reads a truth value.
func (r *Reader) Bool() bool { return r.Below(2) == 1 }

// Text reads a text.
func (r *Reader) Text() string { return r.Bytes(r.Count()) }

// Bytes reads n bytes that stand there as they are.
func (r *Reader) Bytes(n int) string {
	if n < 0 || n > len(r.data)-r.at {
		r.Fail()
		return ""
	}
	s := r.data[r.at : r.at+n]
	r.at += n
	return s
}

// Sum returns a checksum of what is left to be read.
func (r *Reader) Sum() uint64 {
	h := NewHash()
	h.add(r.data[r.at:])
	return uint64(h)
}

// Hash is a checksum of the texts that are written to it: FNV-1a of Fowler, Noll and Vo, over words of eight bytes.
// It takes an eighth of the time of the checksum over bytes.
type Hash uint64

// NewHash returns the checksum of nothing.
func NewHash() Hash { return 14695981039346656037 }

// Write adds a text. It never fails.
func (h *Hash) Write(text []byte) (int, error) {
	h.add(unsafe.String(unsafe.SliceData(text), len(text)))
	return len(text), nil
}

func (h *Hash) add(text string) {
	const prime = 1099511628211
	sum, words := uint64(*h), Reader{data: text}
	for len(text)-words.at >= 8 {
		sum = (sum ^ words.Word()) * prime
	}
	for _, b := range []byte(text[words.at:]) {
		sum = (sum ^ uint64(b)) * prime
	}
	*h = Hash(sum)
}
