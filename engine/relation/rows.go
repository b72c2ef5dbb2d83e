package relation

import (
	"math"

	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines rows as databases and data files give them. Most values are numbers and texts. They stand in a row
// without a Go term for each, so that a million rows are few allocations, and the engine makes its own terms of them.

// Rows are rows of one width. The zero value has none; Reset says how wide they are.
type Rows struct {
	width  int
	count  int
	values []Value
	texts  []byte      // while rows are added
	sealed string      // the texts, once they all are there
	terms  []term.Term // values of other kinds
}

// Value is a value of a row. The zero value is one that is known, or that nobody wants.
type Value struct {
	Kind Kind
	size uint32
	bits uint64
}

// Kind says what a value is.
type Kind uint8

// The kinds of values.
const (
	None   Kind = iota
	Int         // see Value.Int
	Float       // see Value.Float
	Atom        // see Rows.Text
	String      // see Rows.Text
	Other       // see Rows.Term
)

// OfInt returns an integer.
func OfInt(n int64) Value { return Value{Kind: Int, bits: uint64(n)} }

// OfFloat returns a float.
func OfFloat(f float64) Value { return Value{Kind: Float, bits: math.Float64bits(f)} }

// Int is the number of an integer.
func (v Value) Int() int64 { return int64(v.bits) }

// Float is the number of a float.
func (v Value) Float() float64 { return math.Float64frombits(v.bits) }

// Reset takes all rows away and sets how wide the next ones are. The memory is used again.
func (r *Rows) Reset(width int) {
	clear(r.terms)
	*r = Rows{width: width, values: r.values[:0], texts: r.texts[:0], terms: r.terms[:0]}
}

// Reserve makes room for rows and for bytes of text that are expected, so that adding them copies nothing.
func (r *Rows) Reserve(rows, bytes int) {
	if n := rows * r.width; n > cap(r.values) {
		r.values = make([]Value, 0, n)
	}
	if bytes > cap(r.texts) {
		r.texts = make([]byte, 0, bytes)
	}
}

// Add adds a row, whose values are to be filled in before the next one is added.
func (r *Rows) Add() []Value {
	n := len(r.values)
	r.count++
	if n+r.width <= cap(r.values) {
		r.values = r.values[:n+r.width]
		clear(r.values[n:])
		return r.values[n:]
	}
	r.values = append(r.values, make([]Value, r.width)...)
	return r.values[n:]
}

// OfText returns a text as a value of kind Atom or String.
func (r *Rows) OfText(kind Kind, text []byte) Value {
	at := len(r.texts)
	r.texts = append(r.texts, text...)
	return Value{Kind: kind, size: uint32(len(text)), bits: uint64(at)}
}

// OfTerm returns a ground term as a value.
func (r *Rows) OfTerm(t term.Term) Value {
	switch t := t.(type) {
	case term.Int:
		return OfInt(int64(t))
	case term.Float:
		return OfFloat(float64(t))
	case term.Atom:
		return r.OfText(Atom, []byte(t))
	case term.String:
		return r.OfText(String, []byte(t))
	}
	r.terms = append(r.terms, t)
	return Value{Kind: Other, bits: uint64(len(r.terms) - 1)}
}

// Copy adds row i of other rows, which can be read.
func (r *Rows) Copy(from *Rows, i int) {
	row := r.Add()
	for j, v := range from.Row(i) {
		switch v.Kind {
		case Atom, String:
			v = r.OfText(v.Kind, []byte(from.Text(v)))
		case Other:
			v = r.OfTerm(from.Term(v))
		}
		row[j] = v
	}
}

// Seal ends the adding of rows: from then on they can be read.
func (r *Rows) Seal() { r.sealed = string(r.texts) }

// Len is the number of rows.
func (r *Rows) Len() int { return r.count }

// Row returns the values of row i.
func (r *Rows) Row(i int) []Value { return r.values[i*r.width : (i+1)*r.width] }

// Text is the text of an atom or a string.
func (r *Rows) Text(v Value) string { return r.sealed[v.bits : v.bits+uint64(v.size)] }

// Unsealed is the text of an atom or a string while rows are being added. Reset overwrites it.
func (r *Rows) Unsealed(v Value) []byte { return r.texts[v.bits : v.bits+uint64(v.size)] }

// Term is a value of kind Other.
func (r *Rows) Term(v Value) term.Term { return r.terms[v.bits] }

// TermOf returns a value as a term, nil for one of kind None.
func (r *Rows) TermOf(v Value) term.Term {
	switch v.Kind {
	case Int:
		return term.Int(v.Int())
	case Float:
		return term.Float(v.Float())
	case Atom:
		return term.Atom(r.Text(v))
	case String:
		return term.String(r.Text(v))
	case Other:
		return r.Term(v)
	}
	return nil
}

// Bytes is about how much memory the rows take.
func (r *Rows) Bytes() int {
	const value, other = 16, 1 << 10 // a value of JSON or an array
	return value*len(r.values) + 2*len(r.texts) + other*len(r.terms)
}
