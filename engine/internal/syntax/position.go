package syntax

import (
	"strconv"

	"github.com/mcplogic/mcplogic/engine/internal/arrays"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines places in source text and the syntax error, which names one. It also defines tokens as they stand
// in a text, for formatters and editors, and where terms begin and end in their text, as the option subterm_positions
// of read_term/2 tells it.

// Place is a place in one text.
type Place struct {
	Line   int `json:"line"`   // from 1; 0: unknown
	Column int `json:"column"` // from 1, in characters; 0: unknown
	// Offset is the number of characters before the place. The reader sets it; places that are reported leave it 0.
	Offset int `json:"-"`
}

func (p Place) at(file string) Position { return Position{file, p} }

// Position is a place in a named file. It is the only type of such positions; types with a position embed it. Packed
// storage, such as the clauses of the database, keeps a line as an int32 and makes a Position on request.
type Position struct {
	File string `json:"file"`
	Place
}

// At returns a position. The column is 0 if only the line is known.
func At(file string, line, column int) Position {
	return Position{file, Place{Line: line, Column: column}}
}

// String is file:line:column, without what is unknown.
func (p Position) String() string {
	s := p.File
	if p.Line == 0 {
		return s
	}
	if s != "" {
		s += ":"
	}
	s += strconv.Itoa(p.Line)
	if p.Column == 0 {
		return s
	}
	return s + ":" + strconv.Itoa(p.Column)
}

// Before puts the position, if known, before a text.
func (p Position) Before(text string) string {
	if p.File == "" {
		return text
	}
	return p.String() + ": " + text
}

// Error is a syntax error at the place of the offending token.
type Error struct {
	Pos Position
	Msg string
	// Formal is what stands in syntax_error(Formal): for each kind of mistake the term of SWI-Prolog. A resource_error
	// replaces the whole term.
	Formal term.Term
	// Incomplete reports that the text ended too early, so more input would help.
	Incomplete bool
	// Names are the names that may have been meant as operators.
	Names []string
	// SourceLine is the line of Pos, without its newline; empty when it is no longer known.
	SourceLine string
}

// Term returns the formal term of the exception.
func (e *Error) Term() term.Term {
	if _, ok := term.Is(e.Formal, "resource_error", 1); ok {
		return e.Formal
	}
	return term.New("syntax_error", e.Formal)
}

// Error is the position and the message.
func (e *Error) Error() string { return e.Pos.String() + ": " + e.Msg }

// Kind is the kind of a Token.
type Kind uint8

// The kinds of tokens. They have the order of the lexer's own kinds.
const (
	KindEOF       = Kind(tokEOF)
	KindEnd       = Kind(tokEnd)
	KindName      = Kind(tokName)
	KindQuoted    = Kind(tokQuoted)
	KindVar       = Kind(tokVar)
	KindNumber    = Kind(tokNumber)
	KindString    = Kind(tokString)
	KindBackquote = Kind(tokBackquote)
	KindOpen      = Kind(tokOpen)
	KindClose     = Kind(tokClose)
	KindOpenList  = Kind(tokOpenList)
	KindCloseList = Kind(tokCloseList)
	KindOpenCurly = Kind(tokOpenCurly)
	KindEndCurly  = Kind(tokCloseCurly)
	KindComma     = Kind(tokComma)
	KindBar       = Kind(tokBar)
	KindError     = Kind(tokError)
)

// Role is the syntactic role of a token.
type Role uint8

// The roles of tokens. Brackets, strings, unparsed tokens, and commas and bars that are no operators have RoleNone.
const (
	RoleNone Role = iota
	RoleAtom
	RoleFunctor // a parenthesis with arguments follows
	RolePrefix  // operators with their operands
	RoleInfix
	RolePostfix
	RoleSign // the sign of the number that follows
)

// Token is a token of the text.
type Token struct {
	Kind Kind
	Role Role
	// Start and End are the byte offsets of the beginning and the end of the token in the text.
	Start, End int
	At         Place
	// Priority is the priority of an operator.
	Priority int
	// Name is the text of a name or a variable without its quotes.
	Name string
}

// Taken returns the tokens of the last Read, if Tokens is set. After an error they are the tokens up to the end token,
// or up to the text that is read next. The caller owns the slice.
func (p *Parser) Taken() []Token { return p.tokens }

// Bytes returns the number of bytes of the input that were consumed.
func (p *Parser) Bytes() int { return p.in.Bytes() }

// lexNoted cuts the next token. It notes where the token ends if spans are wanted, and keeps it if tokens are.
func (p *Parser) lexNoted(t *token) {
	p.lex(t)
	if !p.Tokens && !p.Spans {
		return
	}
	t.end = p.in.Offset()
	if !p.Tokens {
		return
	}
	start := p.start
	for n := len(p.tokens); n > 0 && p.tokens[n-1].End > start; n-- { // the parser went back after an error
		p.tokens = p.tokens[:n-1]
	}
	p.tokens = arrays.Push(p.tokens,
		Token{Kind: Kind(t.kind), Start: start, End: max(p.in.Bytes(), start), At: t.at, Name: t.text})
}

// note records the role of the token that was consumed last, and the priority of an operator.
func (p *Parser) note(r Role, priority int) {
	if p.Tokens && p.taken > 0 && p.taken <= len(p.tokens) {
		t := &p.tokens[p.taken-1]
		t.Role, t.Priority = r, priority
	}
}

// SpanKind says how a term is written.
type SpanKind uint8

// The kinds of spans.
const (
	SpanPlain  SpanKind = iota // a variable, a number or an atom
	SpanText                   // a text in double or back quotes
	SpanBrace                  // {Args[0]}
	SpanList                   // [Args|Tail]; Tail is nil where the text has none
	SpanTerm                   // a compound; Name is its functor or operator
	SpanDict                   // a dict; Name is its tag, Args are pairs
	SpanPair                   // a pair of a dict, of Key; Name is the colon, Args are the key and the value
	SpanParens                 // (Args[0])
)

// Span is where a term begins and ends in its text, and its parts in the order of the text. Places are numbers of
// characters. Spans are only made for read_term/2 with subterm_positions. A [Layout] is made for each clause that is
// loaded: it is smaller, has lines and columns, and its parts are the arguments of the term.
type Span struct {
	Kind     SpanKind
	From, To int
	// NameFrom and NameTo are the place of a functor, an operator, a tag or a colon.
	NameFrom, NameTo int
	Args             []*Span
	Tail             *Span
	Key              term.Term
}

// spanOf returns the span of a token.
func spanOf(t *token) *Span {
	s := &Span{From: t.at.Offset, To: t.end}
	if t.kind == tokString || t.kind == tokBackquote {
		s.Kind = SpanText
	}
	return s
}

// spanArgs returns the span of a compound with these arguments, as far as it is known from them.
func spanArgs(args []operand) *Span {
	s := &Span{Kind: SpanTerm, From: args[0].span.From, Args: make([]*Span, len(args))}
	for i := range args {
		s.Args[i] = args[i].span
		s.From, s.To = min(s.From, args[i].span.From), max(s.To, args[i].span.To)
	}
	return s
}

// spanName completes the span of the last operand by its functor or operator, which extends from one place to another.
func (p *Parser) spanName(from, to int) {
	if p.Spans {
		s := p.operands[len(p.operands)-1].span
		s.NameFrom, s.NameTo = from, to
		s.From, s.To = min(s.From, from), max(s.To, to)
	}
}

// spanTo sets where the last operand ends.
func (p *Parser) spanTo(end int) {
	if p.Spans {
		p.operands[len(p.operands)-1].span.To = end
	}
}

// spanBracket completes the span of the last operand, which was in a bracket that the token closes.
func (p *Parser) spanBracket(frame *pending, closing *token) {
	if !p.Spans {
		return
	}
	o := &p.operands[len(p.operands)-1]
	switch frame.kind {
	case pendParen:
		o.span = &Span{Kind: SpanParens, Args: []*Span{o.span}}
	case pendArgs:
		o.span.NameFrom, o.span.NameTo = frame.at.Offset, frame.end
	case pendCurly:
		o.span.Kind = SpanBrace
	}
	o.span.From, o.span.To = frame.at.Offset, closing.end
}

// spanItems returns the span of a list of these operands, the last of which is the tail if there is one.
func spanItems(items []operand, tailed bool) *Span {
	s := spanArgs(items)
	s.Kind = SpanList
	if n := len(items) - 1; tailed {
		s.Args, s.Tail = s.Args[:n], s.Args[n]
	}
	return s
}

// spanPairs returns the span of a dict of these operands, the tag, then alternating keys and values, which the token
// closes.
func spanPairs(parts []operand, closing *token) *Span {
	tag := parts[0].span
	s := &Span{Kind: SpanDict, From: tag.From, To: closing.end, NameFrom: tag.From, NameTo: tag.To}
	for i := 1; i < len(parts); i += 2 {
		key, value := parts[i].span, parts[i+1].span
		s.Args = append(s.Args, &Span{Kind: SpanPair, From: key.From, To: value.To,
			NameFrom: key.NameFrom, NameTo: key.NameTo, Args: []*Span{key, value}, Key: parts[i].term})
	}
	return s
}

// move makes the places of a span those in a text that begins at from.
func (s *Span) move(from int) {
	if s == nil || from == 0 {
		return
	}
	for todo := []*Span{s}; len(todo) > 0; {
		s := todo[len(todo)-1]
		todo = append(todo[:len(todo)-1], s.Args...)
		if s.Tail != nil {
			todo = append(todo, s.Tail)
		}
		s.From, s.To, s.NameFrom, s.NameTo = s.From+from, s.To+from, s.NameFrom+from, s.NameTo+from
	}
}
