// Package syntax turns text into terms and terms into text.
//
// An [Input] is text with positions, a [Parser] reads terms from it under an operator table
// [Ops] and [Flags], and [Write], [Format] and [PortrayClause] go the other way. The language is
// ISO 13211-1 with its corrigenda, plus the dialect of SWI-Prolog 7 and later without dicts.
//
// Parsers, inputs and writers belong to one goroutine; tables and flags may be shared while nobody changes them.
// Reading and writing use explicit stacks, so depth is limited by memory only.
package syntax

import "github.com/mcplogic/mcplogic/engine/term"

// Quotes says what a quoted text denotes.
type Quotes uint8

// The values of the flags double_quotes and back_quotes. QuotesDefault is String for "..." and Codes for `...`.
const (
	QuotesDefault Quotes = iota
	Codes
	Chars
	Atom
	String
)

// Flags are the Prolog flags that change how text is read and written. The zero value is the default.
type Flags struct {
	DoubleQuotes Quotes // what "..." denotes
	BackQuotes   Quotes // what `...` denotes
	VarPrefix    bool   // only names that begin with _ are variables
	// Lenient accepts what SWI-Prolog does and ISO forbids: operators as operands without parentheses (X = +),
	// arguments of a priority above 999 (f(a:-b)), tabs, newlines and the escapes \e \s \c in quoted atoms (in strings
	// they are always accepted), 1E10, 16'FF. The flag iso clears it.
	Lenient bool
	// SWI selects the syntax of SWI-Prolog where the default differs deliberately: block comments nest, and an atom may
	// be both an infix and a postfix operator.
	SWI bool
	// NaturalRationals reads 1/3 as the rational number 1r3. The flag rational_syntax sets it.
	NaturalRationals bool
	// MaxRational is the largest size of a rational number in bytes, 0 for any. The flag max_rational_size sets it.
	MaxRational int
}

// Read is a term that was read, with information about its text.
type Read struct {
	Term   term.Term
	Vars   []VarInfo // named variables (not _) in the order of their first occurrence
	Pos    Position  // of the first token
	End    Position  // after the end token
	Layout *Layout   // nil unless Parser.Positions
	Span   *Span     // nil unless Parser.Spans
	// DictCalls says that the term has functions on dicts.
	DictCalls bool
	Bytes     int // about the size of the read term

	Nested   []Place   // of each /* within a block comment before or within the term
	Comments []Comment // before and within the term; nil unless Parser.Comments
}

// Comment is a comment with its place.
type Comment struct {
	Pos  Place
	Text string
}

// VarInfo is a named variable of a term.
type VarInfo struct {
	Name  string
	Var   *term.Var
	Count int   // occurrences
	Pos   Place // of the first one
}

// Layout is the place where a term begins in the text. Args are the layouts of its arguments. A term without its own
// text, such as the tail of a list, has the place of the next text.
type Layout struct {
	Pos  Place
	Args []*Layout
}

// Arg returns the layout of argument i, or nil.
func (l *Layout) Arg(i int) *Layout {
	if l == nil || i >= len(l.Args) {
		return nil
	}
	return l.Args[i]
}

// Item returns the layout of item i, from 0, of a list that is written as such, or nil.
func (l *Layout) Item(i int) *Layout {
	for ; i > 0; i-- {
		l = l.Arg(1)
	}
	return l.Arg(0)
}

// This part defines the places that a loader stores for a text that it may read again.

// Bookmark is a place in a whole text, between two terms.
type Bookmark struct {
	pos, extra, line, lineStart, lineByte int32
	bom                                   bool
}

// Bookmark returns the place of the next character. The input must be a whole text.
func (in *Input) Bookmark() Bookmark {
	return Bookmark{int32(in.pos), int32(in.extra), int32(in.line), int32(in.lineStart), int32(in.lineByte), in.bom}
}

// GoTo moves the input to a place of the same text.
func (in *Input) GoTo(b Bookmark) {
	in.pos, in.extra, in.line = int(b.pos), int(b.extra), int(b.line)
	in.lineStart, in.lineByte, in.bom = int(b.lineStart), int(b.lineByte), b.bom
}

// Bytes is the number of bytes in front of the place.
func (b Bookmark) Bytes() int { return int(b.pos) }

// Parent returns the table in which failed lookups continue, or nil.
func (o *Ops) Parent() *Ops { return o.parent }

// This part defines memory for terms that live only until they are copied to the heap or written.

// Nodes are compounds and variables whose memory is reused.
type Nodes struct {
	compounds []term.Compound
	args      []term.Term
	vars      []term.Var
	// used counts the compounds and variables that are part of a term.
	used struct{ compounds, args, vars int }
}

// mostNodes is the number of kept compounds and variables. If a term has more, the rest is allocated normally.
const mostNodes = 128

// Compound returns a compound whose arguments are to be set.
func (n *Nodes) Compound(functor term.Atom, arity int) *term.Compound {
	if n == nil || n.used.compounds == mostNodes || n.used.args+arity > 2*mostNodes {
		return NewCompound(functor, arity)
	}
	if n.compounds == nil {
		n.compounds, n.args = make([]term.Compound, mostNodes), make([]term.Term, 2*mostNodes)
	}
	c := &n.compounds[n.used.compounds]
	from := n.used.args
	n.used.compounds, n.used.args = n.used.compounds+1, from+arity
	c.Functor, c.Args = functor, n.args[from:n.used.args:n.used.args]
	return c
}

// Var returns a variable without a name.
func (n *Nodes) Var(id int64) *term.Var {
	if n == nil || n.used.vars == mostNodes {
		return &term.Var{ID: id}
	}
	if n.vars == nil {
		n.vars = make([]term.Var, mostNodes)
	}
	v := &n.vars[n.used.vars]
	n.used.vars++
	*v = term.Var{ID: id}
	return v
}

// Reset takes the memory back: nobody may use a term with these nodes any more.
func (n *Nodes) Reset() {
	clear(n.compounds[:n.used.compounds])
	clear(n.args[:n.used.args])
	n.used.compounds, n.used.args, n.used.vars = 0, 0, 0
}
