package syntax

import "github.com/mcplogic/mcplogic/engine/term"

// This file defines block operators, as SWI-Prolog has them. Where [] is a postfix operator a[i] is []([i], a), where
// it is a prefix one [i] a is that, and where it is an infix one a[i] b is []([i], a, b); {} is the same with curly
// brackets. Empty brackets are operators as all others.

// IsBlockOp reports whether an operator of that name is a block operator.
func IsBlockOp(name term.Atom) bool { return name == term.Nil || name == term.Curly }

// OpNames returns what stands for the names in the third argument of op/3, which is a name or a list of them. [] is a
// name.
func OpNames(names term.Term) []term.Term {
	if list, ok := term.Slice(names); ok && len(list) > 0 {
		return list
	}
	return []term.Term{names}
}

// openBlock deals with [ and { behind an operand; it reports whether an operand is wanted after it.
func (p *Parser) openBlock(t *token) (bool, *Error) {
	name, kind, limit := term.Nil, pendList, int16(argPriority)
	if t.kind == tokOpenCurly {
		name, kind, limit = term.Curly, pendCurly, maxPriority
	}
	_, postfix := p.ops.Postfix(name)
	if _, infix := p.ops.Infix(name); !postfix && !infix {
		return false, p.operatorExpected(t)
	}
	if closing := p.peek(0).kind; closing == closers[kind] {
		closer := p.next()
		t.functional, t.end = closer.functional, closer.end
		t.kind, t.text, t.term = tokName, string(name), term.Term(name)
		return p.infixName(t)
	}
	p.open(kind, limit, t)
	p.top().block = true
	return true, nil
}

// afterBracket deals with the end of a bracket, which is the last operand: it is a block behind its operand, or may be
// one before it. It reports whether an operand is wanted after it.
func (p *Parser) afterBracket(frame *pending) (bool, *Error) {
	name := term.Curly
	switch frame.kind {
	case pendList, pendTail:
		name = term.Nil
	case pendCurly:
	default:
		return false, nil
	}
	if frame.block {
		return p.block(frame, name)
	}
	next := p.peek(0)
	if !next.mayBegin() {
		return false, nil
	}
	op, ok := p.ops.readPrefix(name)
	if !ok || !p.appliesTo(next) {
		return false, nil
	}
	t := token{kind: tokName, text: string(name), at: frame.at, line: frame.line}
	if err := p.prefixOp(&t, op); err != nil {
		return false, err
	}
	p.top().block = true
	return true, nil
}

// block deals with a block that is the last operand: a postfix operator is applied to the operand before, an infix one
// waits for another. It reports whether an operand is wanted after it.
func (p *Parser) block(frame *pending, name term.Atom) (bool, *Error) {
	n := len(p.operands) - 1
	block := p.operands[n]
	p.operands = p.operands[:n]
	op, infix := p.infixBeforeOperand(name)
	if !infix {
		op, _ = p.ops.Postfix(name)
	}
	t := token{kind: tokName, text: string(name), at: frame.at, line: frame.line}
	if err := p.makeRoom(&t, op); err != nil {
		return false, err
	}
	last := len(p.operands) - 1
	left := p.operands[last]
	block.at, block.line = left.at, left.line // the term begins where its operand does
	p.operands[last] = block
	p.operands = append(p.operands, left)
	if infix {
		p.pushOp(pendInfix, &t, op)
		p.top().block = true
		return true, nil
	}
	p.build(name, 2, op.Priority)
	return false, nil
}

// blockOp returns the block operator of a compound whose first argument can be written as its block.
func (w *writer) blockOp(c *term.Compound) (op Op, ok bool) {
	if len(c.Args) != 2 && len(c.Args) != 3 {
		return Op{}, false
	}
	block, isCompound := c.Args[0].(*term.Compound)
	switch {
	case !isCompound:
	case c.Functor == term.Nil:
		ok = block.Functor == term.Dot && len(block.Args) == 2 && !w.o.DotLists && !w.o.NoLists
	case c.Functor == term.Curly:
		ok = block.Functor == term.Curly && len(block.Args) == 1
	}
	if !ok {
		return Op{}, false
	}
	if len(c.Args) == 3 {
		return w.ops.Infix(c.Functor)
	}
	if op, ok = w.ops.Prefix(c.Functor); ok {
		return op, true
	}
	return w.ops.Postfix(c.Functor)
}

// beforeBlocks returns the term that the text of t begins with and blocks follow: a of a[1][2].
func (w *writer) beforeBlocks(t term.Term) term.Term {
	for {
		c, ok := t.(*term.Compound)
		if !ok {
			return t
		}
		op, ok := w.blockOp(c)
		if !ok || op.Type.class() == prefixClass || w.priorityOf(c.Args[1]) > op.leftMax() {
			return t
		}
		t = c.Args[1]
	}
}

// block writes a block and the operands of its operator.
func (w *writer) block(op Op, c *term.Compound, k task) {
	w.embrace(op, k)
	class := op.Type.class()
	if class != postfixClass {
		w.push(task{t: c.Args[len(c.Args)-1], operand: true, prio: int16(op.rightMax()), depth: k.depth})
	}
	if class == prefixClass {
		w.push(task{kind: doBehindBlock})
	}
	w.push(task{t: c.Args[0], depth: k.depth})
	if class != prefixClass {
		w.push(w.leftOperand(op, c.Args[1], k.depth))
	}
}
