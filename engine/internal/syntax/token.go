package syntax

import "github.com/mcplogic/mcplogic/engine/internal/arrays"

// This file defines tokens as they stand in a text, for formatters and editors.

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

// Role says what the parser took a token for.
type Role uint8

// The roles of tokens. Brackets, strings and what was not parsed have RoleNone, and so do commas and bars that are no
// operators.
const (
	RoleNone Role = iota
	RoleAtom
	RoleFunctor // a parenthesis with arguments follows
	RolePrefix  // operators with their operands
	RoleInfix
	RolePostfix
	RoleSign // the sign of the number that follows
)

// Token is a token as it stands in the text.
type Token struct {
	Kind Kind
	Role Role
	// Start and End are the bytes of the text where the token begins and behind it.
	Start, End int
	At         Place
	// Priority is that of an operator.
	Priority int
	// Name is the text of a name or a variable without its quotes.
	Name string
}

// Taken returns the tokens of the last Read, if Tokens is set. After an error they are those up to the end token or
// the text that is read next. The caller owns the slice.
func (p *Parser) Taken() []Token { return p.tokens }

// Bytes returns the number of bytes of the input that were consumed.
func (p *Parser) Bytes() int { return p.in.Bytes() }

// lexNoted cuts the next token and keeps it if tokens are wanted.
func (p *Parser) lexNoted() token {
	if !p.Tokens {
		return p.lex()
	}
	t := p.lex()
	start := p.start
	for n := len(p.tokens); n > 0 && p.tokens[n-1].End > start; n-- { // the parser went back after an error
		p.tokens = p.tokens[:n-1]
	}
	p.tokens = arrays.Append(p.tokens,
		Token{Kind: Kind(t.kind), Start: start, End: max(p.in.Bytes(), start), At: t.at, Name: t.text})
	return t
}

// note records the role of the token that was consumed last, and the priority of an operator.
func (p *Parser) note(r Role, priority int) {
	if p.Tokens && p.taken > 0 && p.taken <= len(p.tokens) {
		t := &p.tokens[p.taken-1]
		t.Role, t.Priority = r, priority
	}
}
