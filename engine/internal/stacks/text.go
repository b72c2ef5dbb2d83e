package stacks

import (
	"strconv"
	"unicode/utf8"
	"unsafe"

	"github.com/mcplogic/mcplogic/engine/internal/arrays"
	"github.com/mcplogic/mcplogic/engine/internal/bignum"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
)

// This file defines how lists and texts are read and made.

// ListPrefix returns the items of a list up to its first tail that is not a list cell, and
// that tail dereferenced. A cyclic list ends at the first repeated cell.
func (m *Terms) ListPrefix(c cell) (items []cell, tail cell) {
	c = m.Deref(c)
	if c.Tag() != code.Lst {
		return nil, c
	}
	return m.AppendList(make([]cell, 0, 8), c)
}

// AppendList is ListPrefix with the items appended to a slice, which may be on the caller's stack.
func (m *Terms) AppendList(to []cell, c cell) (items []cell, tail cell) {
	const many = 64
	items, c = to, m.Deref(c)
	mark, next := c, 16
	for c.Tag() == code.Lst {
		if len(items) == cap(items) && len(items) >= many {
			n, _ := m.SkipList(c)
			items = arrays.Append(make([]cell, 0, len(items)+n), items...)
		}
		items = append(items, m.Heap[c.Addr()])
		m.PollAt(len(items), 0)
		c = m.Deref(m.Heap[c.Addr()+1])
		if c == mark { // Brent: compare with a cell remembered at each power of two
			break
		}
		if len(items) == next {
			mark, next = c, next*2
		}
	}
	m.NoteWork(len(items))
	return items, c
}

// SkipList returns the number of items of a list up to its first tail that is not a list cell, and that tail
// dereferenced. A cyclic list ends at the first repeated cell.
func (m *Terms) SkipList(c cell) (n int, tail cell) {
	c = m.Deref(c)
	mark, next := c, 16
	for c.Tag() == code.Lst {
		n++
		m.PollAt(n, 0)
		c = m.Deref(m.Heap[c.Addr()+1])
		if c == mark { // as in ListPrefix
			break
		}
		if n == next {
			mark, next = c, next*2
		}
	}
	m.NoteWork(n)
	return n, c
}

// AtomicText returns the text of an atom, number or string as write/1 shows it; ok is false for other terms.
func (m *Terms) AtomicText(c cell) (text string, ok bool) {
	c = m.Deref(c)
	switch c.Tag() {
	case code.Atom:
		return AtomText(c), true
	case code.Int:
		return strconv.FormatInt(c.Int(), 10), true
	case code.Blob:
		if m.IsString(c) {
			return m.StringValue(c), true
		}
		if m.IsBig(c) {
			return bignum.Text(m.BigValue(c), 10, m.Meter()), true
		}
		if m.IsRatio(c) {
			return bignum.RatioText(m.RatioValue(c), m.Meter()), true
		}
		return syntax.Format(m.Export(c), &syntax.WriteOptions{}), true
	}
	return "", false
}

// TextView is AtomicText without a copy: the text of a string is read in place on the heap. It stays there until the
// built-in returns; answers of Alternatives must not rely on it.
func (m *Terms) TextView(c cell) (text string, ok bool) {
	c = m.Deref(c)
	if !m.IsString(c) {
		return m.AtomicText(c)
	}
	a := c.Addr()
	h := m.Heap[a]
	return viewText(code.Bytes(m.Heap[a+1 : a+1+h.BlobWords()])[:h.BlobBytes()]), true
}

// viewText returns bytes as a text, without copying them.
func viewText(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Scratch returns an empty buffer for a text to be put together.
func (m *Terms) Scratch() []byte { return m.textBuf[:0] }

// Scratched returns the text in a buffer from Scratch. It is valid until the buffer is reused, by Scratch or ListText.
func (m *Terms) Scratched(buf []byte) string {
	if cap(buf) <= keepText {
		m.textBuf = buf
	}
	return viewText(buf)
}

// TextOf returns the text of an atom, number, string, code list or character list; ok is false for other terms.
func (m *Terms) TextOf(c cell) (text string, ok bool) {
	c = m.Deref(c)
	if c != code.ANil {
		if text, ok = m.AtomicText(c); ok {
			return text, true
		}
	}
	return m.ListText(c)
}

// ListText returns the text of a proper list of codes or of characters.
func (m *Terms) ListText(c cell) (text string, ok bool) {
	c = m.Deref(c)
	buf := m.textBuf[:0]
	mark, next := c, 16
	for n := 1; c.Tag() == code.Lst; n++ {
		m.PollAt(n, 0)
		if buf, ok = m.appendChar(buf, m.Heap[c.Addr()]); !ok {
			return "", false
		}
		c = m.Deref(m.Heap[c.Addr()+1])
		if c == mark { // as in ListPrefix
			return "", false
		}
		if n == next {
			mark, next = c, next*2
		}
	}
	m.NoteWork(len(buf))
	return arrays.Clone(m.Scratched(buf)), c == code.ANil
}

// keepText is the largest size in bytes of a text buffer that is reused.
const keepText = 1 << 14

// appendChar adds the character of an element of a text list.
func (m *Terms) appendChar(buf []byte, item cell) (with []byte, ok bool) {
	switch item = m.Deref(item); item.Tag() {
	case code.Int:
		n := item.Int()
		if n < 0 || n > utf8.MaxRune {
			return buf, false
		}
		return utf8.AppendRune(buf, rune(n)), true
	case code.Atom:
		s := AtomText(item)
		return append(buf, s...), utf8.RuneCountInString(s) == 1
	}
	return buf, false
}

// NewCodes returns the list of the character codes of text, ended by tail.
func (m *Terms) NewCodes(text string, tail cell) cell { return m.textList(text, tail, false) }

// NewChars returns the list of the characters of text, ended by tail.
func (m *Terms) NewChars(text string, tail cell) cell { return m.textList(text, tail, true) }

// charAtom returns the one-character atom of r.
func (m *Terms) charAtom(r rune) cell {
	if r >= 0 && int(r) < len(asciiAtoms) {
		return asciiAtoms[r]
	}
	return m.NewAtom(string(r))
}

var asciiAtoms = func() (cached [128]cell) {
	for i := range cached {
		cached[i] = code.AtomCell(string(rune(i)))
	}
	return cached
}()

// textList builds a list of the codes of a text, or of its characters.
func (m *Terms) textList(text string, tail cell, chars bool) cell {
	if text == "" {
		return tail
	}
	m.Room(2 * len(text))
	heap, h, first := m.Heap, m.H, m.H
	for i, r := range text {
		switch {
		case !chars:
			heap[h] = code.MakeInt(int64(r))
		case r < utf8.RuneSelf:
			heap[h] = asciiAtoms[r]
		default:
			heap[h] = m.charAtom(r)
		}
		heap[h+1] = code.MakeLst(h + 2)
		h += 2
		m.PollAt(i, 0)
	}
	m.H = h
	heap[h-1] = Keep(tail)
	return code.MakeLst(first)
}
