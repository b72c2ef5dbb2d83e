// Package source has the texts of programs: files to be loaded, diagnostics of loads, and places in both. It reads the
// text of a file for programs that show or change it, such as formatters and editors.
//
// [Read] returns the clauses of a [Text] with their tokens and places. It runs no goals. It carries out only directives
// that change how the rest of the text is read, such as op/3 and module/2. A clause with a syntax error is one of the
// clauses and does not affect the rest of the text.
//
// A Text does not change. Several goroutines may use it.
package source

import (
	"errors"
	"io"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// The parts of a text.
type (
	// Token is a token of the text, with a Kind and a Role in its term.
	Token = syntax.Token
	// Kind is the kind of a token.
	Kind = syntax.Kind
	// Role is the role of a token in the term around it.
	Role = syntax.Role
	// Layout has the places of the parts of a term.
	Layout = syntax.Layout
	// Place is a place in one text: Line and Column, both counted from 1, columns in characters. 0 means unknown.
	Place = syntax.Place
	// Position is a place in a named file: it has File and, embedded, a [Place]. As text it is file:line:column, as far
	// as these are known. Diagnostics, declarations, clauses and frames of backtraces embed it.
	Position = syntax.Position
	// Error is a syntax error.
	Error = syntax.Error
	// VarInfo is a named variable of a clause.
	VarInfo = syntax.VarInfo
)

// The kinds of tokens.
const (
	KindEOF       = syntax.KindEOF
	KindEnd       = syntax.KindEnd
	KindName      = syntax.KindName
	KindQuoted    = syntax.KindQuoted
	KindVar       = syntax.KindVar
	KindNumber    = syntax.KindNumber
	KindString    = syntax.KindString
	KindBackquote = syntax.KindBackquote
	KindOpen      = syntax.KindOpen
	KindClose     = syntax.KindClose
	KindOpenList  = syntax.KindOpenList
	KindCloseList = syntax.KindCloseList
	KindOpenCurly = syntax.KindOpenCurly
	KindEndCurly  = syntax.KindEndCurly
	KindComma     = syntax.KindComma
	KindBar       = syntax.KindBar
	KindError     = syntax.KindError
)

// The roles of tokens.
const (
	RoleNone    = syntax.RoleNone
	RoleAtom    = syntax.RoleAtom
	RoleFunctor = syntax.RoleFunctor
	RolePrefix  = syntax.RolePrefix
	RoleInfix   = syntax.RoleInfix
	RolePostfix = syntax.RolePostfix
	RoleSign    = syntax.RoleSign
)

// ErrIncomplete is the error of a text that ends before the full stop of its goal.
var ErrIncomplete = errors.New("the text ends within a goal")

// Goal is a goal that was read from a text, with its named variables in the order of their occurrence.
type Goal struct {
	Term term.Term
	Vars []*term.Var
}

// IsSymbol reports whether r is a symbol character: a name of such characters, like =.., needs no quotes.
func IsSymbol(r rune) bool { return syntax.IsSymbol(r) }

// Text is a text that has been read.
type Text struct {
	Name, Text string
	// Module is the module of the text's header, or "user" without a header.
	Module string
	// Clauses are the clauses and directives of the text in order.
	Clauses []Clause
}

// Clause is a clause or a directive of a text.
type Clause struct {
	// Term is nil if the clause has an error.
	Term   term.Term
	Layout *Layout
	Vars   []VarInfo
	// Tokens ends with the end token. If the clause has an error, it may end earlier.
	Tokens []Token
	// Start and End are the byte offsets of the clause's beginning and end in the text.
	Start, End int
	At         Place
	// Err is the syntax error, or nil.
	Err *Error
}

// Options are further inputs of Read. The zero value and nil give none.
type Options struct {
	// Open returns the text of a file that a directive names, for its operators. nil: no files are opened.
	Open func(path string) (text string, ok bool)
	// Operators are the operators of other files of the same program, or nil. Read adds the operators that the text
	// defines for all files.
	Operators *Operators
	// Recover makes a clause with an error end before the next line that begins another clause, so that a half-written
	// clause does not swallow the next one. Otherwise the clause ends with the next full stop.
	Recover bool
	// Each is called for each clause, and clauses are then not kept in the Text. It returns false to stop. nil: clauses
	// are kept.
	Each func(c *Clause) bool
}

// Read reads a text to its end, or to the clause end_of_file.
func Read(name, text string, o *Options) *Text {
	if o == nil {
		o = &Options{}
	}
	t := &Text{Name: name, Text: text, Module: "user"}
	r := newReader(t, o)
	for {
		c, ok := r.next()
		if !ok {
			return t
		}
		if o.Each == nil {
			t.Clauses = append(t.Clauses, *c)
		} else if !o.Each(c) {
			return t
		}
		if c.Term == term.Term(term.EndOfFile) {
			return t
		}
		r.obey(c.Term)
	}
}

// reader reads one text.
type reader struct {
	o      *Options
	text   *Text
	in     *syntax.Input
	ops    *syntax.Ops
	flags  syntax.Flags
	parser *syntax.Parser
	depth  int // of nested files that name each other
	seen   map[string]bool
	begun  bool // a term has been read, so a module header is too late
}

func newReader(t *Text, o *Options) *reader {
	r := &reader{o: o, text: t, in: syntax.NewTextInput(t.Name, t.Text), flags: syntax.Flags{Lenient: true},
		seen: map[string]bool{}}
	shared := o.Operators
	if shared == nil {
		shared = NewOperators()
	}
	r.ops = shared.ops
	r.parse()
	return r
}

// parse makes the parser of the rest of the text.
func (r *reader) parse() {
	r.parser = syntax.NewParser(r.in, r.ops, &r.flags)
	r.parser.Positions, r.parser.Tokens, r.parser.Recover = true, true, r.o.Recover
}

// next returns the next clause. ok is false at the end of the text.
func (r *reader) next() (c *Clause, ok bool) {
	read, err := r.parser.Read()
	if errors.Is(err, io.EOF) {
		return nil, false
	}
	c = &Clause{Tokens: r.parser.Taken(), End: r.parser.Bytes()}
	if len(c.Tokens) > 0 {
		c.Start, c.At = c.Tokens[0].Start, c.Tokens[0].At
	}
	if err != nil {
		if !errors.As(err, &c.Err) {
			return nil, false // a text in memory causes no other errors
		}
		return c, true
	}
	c.Term, c.Layout, c.Vars = read.Term, read.Layout, read.Vars
	return c, true
}
