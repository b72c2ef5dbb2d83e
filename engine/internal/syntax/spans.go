package syntax

import "github.com/mcplogic/mcplogic/engine/term"

// This file defines where terms begin and end in their text, as the option subterm_positions of read_term/2 tells it.

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
// characters. Spans are made for read_term/2 with subterm_positions alone. A [Layout] is made for each clause that is
// loaded: it is smaller, has lines and columns, and its parts are the arguments of the term.
type Span struct {
	Kind     SpanKind
	From, To int
	// NameFrom and NameTo are where a functor, an operator, a tag or a colon stands.
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

// spanArgs returns the span of a compound with these arguments, as far as these tell it.
func spanArgs(args []operand) *Span {
	s := &Span{Kind: SpanTerm, From: args[0].span.From, Args: make([]*Span, len(args))}
	for i := range args {
		s.Args[i] = args[i].span
		s.From, s.To = min(s.From, args[i].span.From), max(s.To, args[i].span.To)
	}
	return s
}

// spanName completes the span of the last operand by its functor or operator, which stands from one place to another.
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

// spanBracket completes the span of the last operand, which a bracket held that the token closes.
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

// spanPairs returns the span of a dict of these operands, the tag and keys and values in turn, which the token closes.
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
