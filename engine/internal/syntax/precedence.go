package syntax

import "github.com/mcplogic/mcplogic/engine/term"

// This file defines how operators find their operands (ISO 13211-1, 6.3.4).

// nameToken handles a name where a term begins: a functor, the sign of a number, a prefix operator or an atom.
func (p *Parser) nameToken(t *token) (bool, *Error) {
	if t.functional {
		return p.openArgs(t)
	}
	if p.beginsDict(t) {
		p.note(RoleAtom, 0)
		p.pushOperand(t, t.term, 0)
		return p.openDict(t)
	}
	next := p.peek(0)
	if t.text == "-" && next.kind == tokNumber {
		p.note(RoleSign, 0)
		number := p.next()
		t.end = number.end
		p.pushOperand(t, negate(number.term), 0)
		return false, nil
	}
	if next.mayBegin() {
		if op, ok := p.ops.readPrefix(term.Atom(t.text)); ok && p.appliesTo(next) {
			return true, p.prefixOp(t, op)
		}
	}
	p.note(RoleAtom, 0)
	p.pushOperand(t, t.term, barePrio) // the operator check is delayed until it becomes an operand
	return false, nil
}

// openArgs opens the arguments of a functor, which may be empty as in SWI-Prolog; it reports whether an operand is
// wanted after it.
func (p *Parser) openArgs(t *token) (bool, *Error) {
	p.note(RoleFunctor, 0)
	p.next() // the parenthesis
	if closing := p.peek(0); closing.kind != tokClose {
		p.open(pendArgs, argPriority, t)
		return true, nil
	} else if !p.flags.Lenient {
		return false, p.errorAt(closing, noTerm,
			"term expected, got \")\": a compound has arguments, write "+t.text+" for the atom")
	}
	p.pushNone(t)
	return false, nil
}

// pushNone pushes the compound of a functor without arguments, whose closing parenthesis is next.
func (p *Parser) pushNone(t *token) {
	closer := p.next()
	p.pushOperand(t, &term.Compound{Functor: term.Atom(t.text)}, 0)
	if p.Spans {
		p.operands[len(p.operands)-1].span.Kind = SpanTerm
		p.spanName(t.at.Offset, t.end)
		p.spanTo(closer.end)
	}
}

// appliesTo decides whether a prefix operator is applied to the next term. Before an infix operator with an operand
// after it, the prefix operator is an atom.
func (p *Parser) appliesTo(next *token) bool {
	if !next.isName() || next.functional {
		return true
	}
	name := term.Atom(next.text)
	if _, ok := p.ops.readPrefix(name); ok {
		return true
	}
	if _, ok := p.ops.Infix(name); ok {
		after := p.peek(1)
		return !after.mayBegin() || p.isInfix(after)
	}
	_, ok := p.ops.Postfix(name)
	return !ok
}

// isInfix reports whether t can only be an infix operator.
func (p *Parser) isInfix(t *token) bool {
	if !t.isName() || t.functional {
		return false
	}
	name := term.Atom(t.text)
	_, infix := p.ops.Infix(name)
	_, prefix := p.ops.readPrefix(name)
	return infix && !prefix
}

// mustBracket reports whether an atom must be in parentheses as an operand, being an operator
// (ISO 13211-1, 6.3.1.3). SWI-Prolog's operators for declarations, such as table, need none, as they are atoms in ISO.
// A comma is an atom only in quotes and is then unambiguous.
func (p *Parser) mustBracket(name term.Atom) bool {
	if p.flags.Lenient || !p.ops.Is(name) || name == "," {
		return false
	}
	op, ok := p.ops.readPrefix(name)
	return !ok || op.Priority != 1150 || op.Type != FX
}

func (p *Parser) prefixOp(t *token, op Op) *Error {
	if max := p.top().rightMax; op.Priority > int(max) {
		return p.clash(t, op, int(max))
	}
	p.note(RolePrefix, op.Priority)
	p.pushOp(pendPrefix, t, op)
	return nil
}

// pushOp leaves an operator that waits for its last operand.
func (p *Parser) pushOp(kind pendingKind, t *token, op Op) {
	p.pending = append(p.pending, pending{kind: kind, prio: int16(op.Priority), rightMax: int16(op.rightMax()),
		base: p.bracketIndex(), name: op.Name, at: t.at, end: t.end, line: t.line})
}

func (p *Parser) infixName(t *token) (bool, *Error) {
	name := term.Atom(t.text)
	if op, ok := p.infixBeforeOperand(name); ok {
		return true, p.infixOp(t, op)
	}
	if op, ok := p.ops.Postfix(name); ok {
		return false, p.postfixOp(t, op)
	}
	return false, p.operatorExpected(t)
}

// infixBeforeOperand returns the infix operator of a name. If the name is also a postfix operator, it counts as infix
// only before an operand.
func (p *Parser) infixBeforeOperand(name term.Atom) (Op, bool) {
	op, infix := p.ops.Infix(name)
	if _, postfix := p.ops.Postfix(name); infix && postfix {
		next := p.peek(0)
		infix = next.mayBegin() && !p.isInfix(next)
	}
	return op, infix
}

// makeRoom reduces until op can take the last operand as its left one. If priorities leave several readings it takes
// the one in which op belongs to the operand of the preceding operator: fy 1 yfx 2 is fy(1 yfx 2).
func (p *Parser) makeRoom(t *token, op Op) *Error {
	for {
		last := &p.operands[len(p.operands)-1]
		if err := p.checkBare(last); err != nil {
			return err
		}
		top := p.top()
		if op.Priority <= int(top.rightMax) && last.prio <= op.leftMax() {
			return nil
		}
		if !top.isOp() || last.prio > int(top.rightMax) {
			return p.clash(t, op, int(top.rightMax))
		}
		if err := p.reduce(); err != nil {
			return err
		}
	}
}

func (p *Parser) infixOp(t *token, op Op) *Error {
	if err := p.makeRoom(t, op); err != nil {
		return err
	}
	p.note(RoleInfix, op.Priority)
	p.pushOp(pendInfix, t, op)
	return nil
}

func (p *Parser) postfixOp(t *token, op Op) *Error {
	if err := p.makeRoom(t, op); err != nil {
		return err
	}
	p.note(RolePostfix, op.Priority)
	p.build(op.Name, 1, op.Priority)
	p.spanName(t.at.Offset, t.end)
	return nil
}

// reduce applies the operator on top of the stack.
func (p *Parser) reduce() *Error {
	op := *p.top()
	last := &p.operands[len(p.operands)-1]
	if err := p.checkBare(last); err != nil {
		return err
	}
	if last.prio > int(op.rightMax) {
		return p.tooHigh(last, int(op.rightMax))
	}
	p.pending = p.pending[:len(p.pending)-1]
	arity := 2
	if op.kind == pendPrefix {
		arity = 1
	}
	if op.block {
		p.build(op.name, arity+1, int(op.prio))
		return nil
	}
	if op.kind == pendPrefix {
		last.at = op.at
	}
	p.build(op.name, arity, int(op.prio))
	p.spanName(op.at.Offset, op.end)
	return nil
}

// reduceAll applies the operators down to the innermost bracket.
func (p *Parser) reduceAll() *Error {
	for p.top().isOp() {
		if err := p.reduce(); err != nil {
			return err
		}
	}
	last := &p.operands[len(p.operands)-1]
	if limit := int(p.top().rightMax); last.prio > limit && last.prio != barePrio {
		return p.tooHigh(last, limit)
	}
	return nil
}

// build replaces the last operands by their compound.
func (p *Parser) build(functor term.Atom, arity, prio int) {
	first := len(p.operands) - arity
	args := p.operands[first:]
	o := operand{term: p.compound(functor, args), prio: prio, at: args[0].at, line: args[0].line}
	if p.Positions {
		o.layout = layoutOf(o.at, args)
	}
	if p.Spans {
		o.span = spanArgs(args)
	}
	p.operands = append(p.operands[:first], o)
}

// The usual compounds are allocated together with their arguments.
type (
	compound1 struct {
		term.Compound
		args [1]term.Term
	}
	compound2 struct {
		term.Compound
		args [2]term.Term
	}
	compound3 struct {
		term.Compound
		args [3]term.Term
	}
)

// NewCompound returns a compound whose arguments must be set.
func NewCompound(functor term.Atom, arity int) *term.Compound {
	var c *term.Compound
	switch arity {
	case 1:
		n := &compound1{}
		c, n.Args = &n.Compound, n.args[:]
	case 2:
		n := &compound2{}
		c, n.Args = &n.Compound, n.args[:]
	case 3:
		n := &compound3{}
		c, n.Args = &n.Compound, n.args[:]
	default:
		c = &term.Compound{Args: make([]term.Term, arity)}
	}
	c.Functor = functor
	return c
}

// newCompound returns a compound of the term being read, whose arguments must be set.
func (p *Parser) newCompound(functor term.Atom, arity int) *term.Compound {
	if p.Brief {
		return p.nodes.Compound(functor, arity)
	}
	return NewCompound(functor, arity)
}

func (p *Parser) compound(functor term.Atom, args []operand) term.Term {
	c := p.newCompound(functor, len(args))
	for i := range args {
		c.Args[i] = args[i].term
	}
	return c
}

func layoutOf(at Place, args []operand) *Layout {
	l := &Layout{Pos: at, Args: make([]*Layout, len(args))}
	for i := range args {
		l.Args[i] = args[i].layout
	}
	return l
}
