package syntax

import (
	"maps"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines operators and the operator table.

// OpType is the type of an operator: its class (prefix, infix, postfix) and associativity.
type OpType uint8

// The seven types; x is an argument of lower priority than the operator, y of at most its own.
const (
	XFX OpType = iota
	XFY
	YFX
	FY
	FX
	XF
	YF
)

var opTypeNames = [...]string{"xfx", "xfy", "yfx", "fy", "fx", "xf", "yf"}

// String is the name of the type as op/3 knows it.
func (t OpType) String() string { return opTypeNames[t] }

// ParseOpType returns the type of that name.
func ParseOpType(name string) (OpType, bool) {
	i := slices.Index(opTypeNames[:], name)
	return OpType(max(i, 0)), i >= 0
}

// opClass distinguishes the three operators that one name may have at the same time.
type opClass uint8

const (
	infixClass opClass = iota
	prefixClass
	postfixClass
)

func (t OpType) class() opClass {
	switch t {
	case FY, FX:
		return prefixClass
	case XF, YF:
		return postfixClass
	}
	return infixClass
}

// Op is an operator.
type Op struct {
	Priority int // 1..1200
	Type     OpType
	Name     term.Atom
}

// leftMax is the highest priority of the argument before the operator.
func (op Op) leftMax() int {
	if op.Type == YFX || op.Type == YF {
		return op.Priority
	}
	return op.Priority - 1
}

// rightMax is the highest priority of the argument after the operator.
func (op Op) rightMax() int {
	if op.Type == XFY || op.Type == FY {
		return op.Priority
	}
	return op.Priority - 1
}

// Ops is an operator table. Other operators are looked up in its parent, so a change of the parent is visible. A table
// may be shared for reading; Add must not run at the same time as anything else.
type Ops struct {
	parent *Ops
	table  map[term.Atom]*[3]Op // by class; priority -1: not defined here, 0: removed here
	// changes counts the calls of Add.
	changes int
	// indicators: see ReadIndicators.
	indicators bool
}

// NewOps returns an empty table over parent, which may be nil.
func NewOps(parent *Ops) *Ops { return &Ops{parent: parent} }

// Add defines an operator. Priority 0 removes it, and hides the parent's.
func (o *Ops) Add(priority int, typ OpType, name term.Atom) {
	o.changes++
	if o.table == nil {
		o.table = map[term.Atom]*[3]Op{}
	}
	e := o.table[name]
	if e == nil {
		e = &[3]Op{{Priority: -1}, {Priority: -1}, {Priority: -1}}
		o.table[name] = e
	}
	e[typ.class()] = Op{Priority: priority, Type: typ, Name: name}
}

// Changes counts the changes of the table and its parents so far: while the number stays the same, they are unchanged.
func (o *Ops) Changes() int {
	n := 0
	for ; o != nil; o = o.parent {
		n += o.changes
	}
	return n
}

// Clone returns a copy that changes independently. The parent is shared.
func (o *Ops) Clone() *Ops {
	c := &Ops{parent: o.parent, table: make(map[term.Atom]*[3]Op, len(o.table)), indicators: o.indicators}
	for name, e := range o.table {
		copied := *e
		c.table[name] = &copied
	}
	return c
}

// SetParent sets the table in which failed lookups continue.
func (o *Ops) SetParent(parent *Ops) { o.parent = parent }

// Prefix returns the prefix operator of that name.
func (o *Ops) Prefix(name term.Atom) (Op, bool) { return o.find(name, prefixClass) }

// ReadIndicators makes the argument indicators of modes prefix operators for reading, if no table defines the name.
// They are never written as operators: for programs without modes, ?(x) is an ordinary term.
func (o *Ops) ReadIndicators() { o.indicators = true }

// indicators are the indicators of arguments that are not already operators of Prolog.
var indicators = []term.Atom{"?", "@", "++", "--"}

// readPrefix returns the prefix operator of that name, for reading.
func (o *Ops) readPrefix(name term.Atom) (Op, bool) {
	if op, ok := o.Prefix(name); ok {
		return op, true
	}
	for ; o != nil && !o.indicators; o = o.parent {
	}
	return Op{Priority: 200, Type: FY, Name: name}, o != nil && slices.Contains(indicators, name)
}

// Infix returns the infix operator of that name.
func (o *Ops) Infix(name term.Atom) (Op, bool) { return o.find(name, infixClass) }

// Postfix returns the postfix operator of that name.
func (o *Ops) Postfix(name term.Atom) (Op, bool) { return o.find(name, postfixClass) }

// Find returns the table's operator of the same class and name as another.
func (o *Ops) Find(like Op) (Op, bool) { return o.find(like.Name, like.Type.class()) }

// atLeast reports whether name is an operator of a priority or a higher one.
func (o *Ops) atLeast(name term.Atom, priority int) bool {
	for class := infixClass; class <= postfixClass; class++ {
		if op, ok := o.find(name, class); ok && op.Priority >= priority {
			return true
		}
	}
	return false
}

// Is reports whether name is an operator of any class.
func (o *Ops) Is(name term.Atom) bool {
	hidden := [3]bool{}
	for ; o != nil; o = o.parent {
		e := o.table[name]
		for class := infixClass; e != nil && class <= postfixClass; class++ {
			if e[class].Priority > 0 && !hidden[class] {
				return true
			}
			hidden[class] = hidden[class] || e[class].Priority == 0
		}
	}
	return false
}

func (o *Ops) find(name term.Atom, class opClass) (Op, bool) {
	for ; o != nil; o = o.parent {
		if e := o.table[name]; e != nil && e[class].Priority >= 0 {
			return e[class], e[class].Priority > 0
		}
	}
	return Op{}, false
}

// All lists the operators, the parents' included, by name and then class.
func (o *Ops) All() []Op {
	names := map[term.Atom]bool{}
	for t := o; t != nil; t = t.parent {
		for name := range t.table {
			names[name] = true
		}
	}
	var all []Op
	for _, name := range slices.Sorted(maps.Keys(names)) {
		for class := infixClass; class <= postfixClass; class++ {
			if op, ok := o.find(name, class); ok {
				all = append(all, op)
			}
		}
	}
	return all
}

// Own lists the operators that the table itself defines, by name and then class. Those that it removes have priority 0.
func (o *Ops) Own() []Op {
	var own []Op
	for _, name := range slices.Sorted(maps.Keys(o.table)) {
		for _, op := range o.table[name] {
			if op.Priority >= 0 {
				own = append(own, op)
			}
		}
	}
	return own
}

// standardOps is the table of ISO 13211-1 and the operators SWI-Prolog adds to it.
var standardOps = []struct {
	priority int
	typ      OpType
	names    string
}{
	{1200, XFX, ":- --> => ==>"},
	{1200, FX, ":- ?-"},
	{1150, FX, "discontiguous dynamic initialization meta_predicate module_transparent multifile " +
		"public table thread_initialization thread_local volatile"},
	{1105, XFY, "|"},
	{1100, XFY, ";"},
	{1050, XFY, "-> *->"},
	{1000, XFY, ","},
	{800, XFX, ":="},
	{900, FY, "\\+"},
	{700, XFX, "< = =.. =@= \\=@= =:= =< == =\\= > >= @< @=< @> @>= \\= \\== as is >:< :<"},
	{600, XFY, ":"},
	{500, YFX, "+ - /\\ \\/"},
	{400, YFX, "* / // mod rdiv << >> div rem xor"},
	{200, XFX, "**"},
	{200, XFY, "^"},
	{200, FY, "- + \\"},
	{1, FX, "$"},
}

// StandardOps returns a new table with ISO's operators and SWI-Prolog's.
func StandardOps() *Ops {
	o := NewOps(nil)
	for _, row := range standardOps {
		for _, name := range strings.Fields(row.names) {
			o.Add(row.priority, row.typ, term.Atom(name))
		}
	}
	return o
}

// standard is the table for nil. It never changes.
var standard = StandardOps()

// This part defines block operators, as SWI-Prolog has them. If [] is a postfix operator, a[i] is []([i], a). If it is
// a prefix operator, [i] a is the same term. If it is an infix operator, a[i] b is []([i], a, b). {} works in the same
// way. Empty brackets are ordinary operators.

// IsBlockOp reports whether an operator of that name is a block operator.
func IsBlockOp(name term.Atom) bool { return name == term.Nil || name == term.Curly }

// OpNames returns the names in the third argument of op/3, which is a name or a list of names. [] is a name.
func OpNames(names term.Term) []term.Term {
	if list, ok := term.Slice(names); ok && len(list) > 0 {
		return list
	}
	return []term.Term{names}
}

// openBlock handles [ and { after an operand; it reports whether an operand is wanted after it.
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

// afterBracket handles the end of a bracket, which is the last operand: a block after its operand, or possibly one
// before it. It reports whether an operand is wanted after it.
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

// block handles a block that is the last operand: a postfix operator is applied to the previous operand, an infix
// operator waits for another. It reports whether an operand is wanted after it.
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

// beforeBlocks returns the term at the beginning of t before its blocks: a of a[1][2].
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
