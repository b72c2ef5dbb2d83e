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

// opClass tells the three operators apart that one name may have at the same time.
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

// Ops is an operator table. What it does not define is looked up in its parent, which it follows: a change of the
// parent shows through. A table may be shared for reading; Add must not run at the same time as anything else.
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

// Changes counts the changes of the table and its parents so far: as long as it stays the same, so do they.
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

// SetParent makes lookups that find nothing here go on in another table.
func (o *Ops) SetParent(parent *Ops) { o.parent = parent }

// Prefix returns the prefix operator of that name.
func (o *Ops) Prefix(name term.Atom) (Op, bool) { return o.find(name, prefixClass) }

// ReadIndicators makes the indicators of arguments in a mode prefix operators where no table defines one of the name.
// They are read so and never written: for programs that know nothing of modes, ?(x) is a term like any other.
func (o *Ops) ReadIndicators() { o.indicators = true }

// indicators are the indicators of arguments that are no operators of Prolog itself.
var indicators = []term.Atom{"?", "@", "++", "--"}

// readPrefix returns the prefix operator of that name that is read.
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

// Find returns the operator that the table has of the class and the name of another.
func (o *Ops) Find(like Op) (Op, bool) { return o.find(like.Name, like.Type.class()) }

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

// standard is what nil means as a table. Nothing changes it.
var standard = StandardOps()
