package syntax

import (
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how dicts are read and written: Tag{Key: Value, ...}, and Dict.Function, where the dict is a
// variable, a dict or another function.

// The formal terms of their syntax errors.
const (
	keyExpected   = term.Atom("key_expected")
	colonExpected = term.Atom("colon_expected")
)

// beginsDict reports whether a token that may be a tag is one: { follows at once. An unquoted operator is no tag, as it
// may precede {}.
func (p *Parser) beginsDict(t *token) bool {
	if !t.curly || !p.flags.Lenient {
		return false
	}
	if t.kind != tokName {
		return t.kind == tokVar || t.kind == tokQuoted
	}
	name := term.Atom(t.text)
	if first, _ := utf8.DecodeRuneInString(t.text); classOf(first)&symbol != 0 {
		return !p.ops.Is(name)
	}
	_, isOp := p.ops.readPrefix(name)
	return !isOp
}

// openDict opens the dict of a tag, which is the last operand; it reports whether an operand is wanted after it.
func (p *Parser) openDict(t *token) (bool, *Error) {
	p.next() // the bracket
	p.open(pendDict, argPriority, t)
	p.top().rightMax = argPriority
	if p.peek(0).kind == tokCloseCurly {
		t := p.next()
		return p.closeBracket(&t)
	}
	return true, p.dictKey()
}

// dictKey reads the next key of a dict and the colon after it.
func (p *Parser) dictKey() *Error {
	key := p.next()
	value := key.term
	if key.kind == tokQuoted {
		value = term.Atom(key.text)
	}
	if key.kind != tokNumber && !key.isName() || key.functional || !(term.Pair{Key: value}).Fits() {
		if key.kind == tokError {
			return key.err
		}
		return p.errorAt(&key, keyExpected, "key of a dict expected, got "+key.describe())
	}
	p.pushOperand(&key, value, 0)
	colon := p.next()
	if colon.kind != tokName || colon.text != ":" {
		if colon.kind == tokError {
			return colon.err
		}
		return p.errorAt(&colon, colonExpected, `":" expected behind the key of a dict, got `+colon.describe())
	}
	if p.Spans {
		span := p.operands[len(p.operands)-1].span
		span.NameFrom, span.NameTo = colon.at.Offset, colon.end
	}
	return nil
}

// buildDict replaces the operands from the tag on by the dict. They are the tag, then alternating keys and values.
func (p *Parser) buildDict(tag int, t *token) *Error {
	parts := p.operands[tag:]
	pairs := make([]term.Pair, 0, len(parts)/2)
	for i := 1; i < len(parts); i += 2 {
		pairs = append(pairs, term.Pair{Key: parts[i].term, Value: parts[i+1].term})
	}
	dict, duplicate := term.NewDict(parts[0].term, pairs)
	if duplicate != nil {
		return p.errorAt(t, term.New("duplicate_key", duplicate), "the dict has the key "+ShowTerm(duplicate)+" twice")
	}
	o := operand{term: dict, at: parts[0].at, line: parts[0].line}
	if p.Positions {
		o.layout = dictLayout(parts, pairs)
	}
	if p.Spans {
		o.span = spanPairs(parts, t)
	}
	p.operands = append(p.operands[:tag], o)
	return nil
}

// dictLayout returns the layout of a dict whose parts, the tag, then alternating keys and values, are sorted as pairs.
func dictLayout(parts []operand, pairs []term.Pair) *Layout {
	at := make(map[term.Term]int, len(pairs)) // where the keys stand in parts
	for i := 1; i < len(parts); i += 2 {
		at[parts[i].term] = i
	}
	l := &Layout{Pos: parts[0].at, Args: []*Layout{parts[0].layout}}
	for _, pair := range pairs {
		i := at[pair.Key]
		l.Args = append(l.Args, parts[i+1].layout, parts[i].layout)
	}
	return l
}

// beginsCall reports whether a full stop begins a function on the last operand, as there is no layout around it.
func (p *Parser) beginsCall(t *token) bool {
	if !t.dot || t.apart || !p.flags.Lenient {
		return false
	}
	if _, isOp := p.ops.Infix("."); isOp {
		return false
	}
	switch o := p.operands[len(p.operands)-1].term.(type) {
	case *term.Var:
		return true
	case *term.Compound:
		return o.Functor == term.Dict || isDictCall(o)
	}
	return false
}

// dictCall reads the function after a full stop; it reports whether an operand is wanted after it.
func (p *Parser) dictCall() (bool, *Error) {
	p.calls = true
	t := p.next()
	switch {
	case t.kind == tokError:
		return false, t.err
	case t.kind == tokVar:
		p.pushOperand(&t, p.variable(&t), 0)
	case t.kind == tokNumber && (term.Pair{Key: t.term}).Fits():
		p.pushOperand(&t, t.term, 0)
	case t.kind != tokName:
		return false, p.errorAt(&t, keyExpected, "function on a dict expected, got "+t.describe())
	case t.functional:
		p.next() // the parenthesis
		if p.peek(0).kind != tokClose {
			p.open(pendDictCall, argPriority, &t)
			return true, nil
		}
		p.pushNone(&t)
	default:
		p.pushOperand(&t, t.term, 0)
	}
	p.build(term.DictCall, 2, 0)
	p.spanName(t.at.Offset-1, t.at.Offset)
	return false, nil
}

// isDictCall reports whether a term has the form Dict.Function of a text.
func isDictCall(c *term.Compound) bool { return c.Functor == term.DictCall && len(c.Args) == 2 }

// dict writes the beginning of a dict.
func (w *writer) dict(c *term.Compound, k task) {
	w.push(task{kind: doDict, t: c, index: 1, depth: k.depth})
	w.push(task{kind: doOpenCurly})
	w.push(task{t: c.Args[0], depth: k.depth})
}

// dictPairs writes a pair of a dict and leaves the following ones.
func (w *writer) dictPairs(k task) {
	c := k.t.(*term.Compound)
	if int(k.index) == len(c.Args) {
		w.char('}')
		return
	}
	if k.index > 1 {
		w.comma()
	}
	value, key := c.Args[k.index], c.Args[k.index+1]
	k.index += 2
	w.push(k)
	w.push(task{t: value, prio: argPriority, depth: k.depth})
	w.push(task{kind: doColon})
	w.push(task{t: key, depth: k.depth})
}

// dictCall writes Dict.Function.
func (w *writer) dictCall(c *term.Compound, k task) {
	w.push(task{t: c.Args[1], depth: k.depth})
	w.push(task{kind: doDot})
	w.push(task{t: c.Args[0], depth: k.depth})
}
