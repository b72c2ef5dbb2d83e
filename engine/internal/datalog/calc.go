package datalog

import (
	"cmp"
	"math/bits"

	"github.com/mcplogic/mcplogic/engine/internal/arrays"
)

// This file defines integers among the constants: arithmetic on them, comparisons, and modes that keep the least or the
// largest one.

// Numbers says which constants are integers. It numbers the integers that arithmetic makes.
type Numbers struct {
	values []int64 // by constant
	low    []uint32
	high   map[int64]uint32 // the remaining integers
}

// The range of integers, and the table entry for a constant that is no integer.
const (
	MinInt    = -1 << 60
	MaxInt    = 1<<60 - 1
	notNumber = -1 << 63
)

// lowInts bounds the integers that are found without hashing.
const lowInts = 1 << 16

// Add notes the next constant, which is an integer if isInt is true.
func (n *Numbers) Add(value int64, isInt bool) {
	if !isInt {
		n.values = append(n.values, notNumber)
		return
	}
	n.id(value)
}

// Len returns the number of constants.
func (n *Numbers) Len() int { return len(n.values) }

// Truncate drops the constants from a number on.
func (n *Numbers) Truncate(to int) {
	for _, v := range n.values[to:] {
		if uint64(v) < lowInts {
			n.low[v] = 0
		} else {
			delete(n.high, v)
		}
	}
	n.values = n.values[:to]
}

// bytes returns the size of the numbers.
func (n *Numbers) bytes() int { return 8*cap(n.values) + 4*len(n.low) + 48*len(n.high) }

// At returns the integer value of a constant.
func (n *Numbers) At(id uint32) int64 { return n.values[id] }

// id returns the constant for an integer. A new integer gets the next number.
func (n *Numbers) id(v int64) uint32 {
	if uint64(v) < lowInts {
		if int(v) >= len(n.low) {
			grown := make([]uint32, min(lowInts, max(256, 2*int(v)+1)))
			copy(grown, n.low)
			n.low = grown
		}
		if n.low[v] == 0 {
			n.values = arrays.Push(n.values, v)
			n.low[v] = uint32(len(n.values))
		}
		return n.low[v] - 1
	}
	if id, ok := n.high[v]; ok {
		return id
	}
	if n.high == nil {
		n.high = map[int64]uint32{}
	}
	id := uint32(len(n.values))
	n.high[v] = id
	n.values = arrays.Push(n.values, v)
	return id
}

// Op is an operation on integers.
type Op uint8

// The operations. Those from Less on are conditions. Is holds if Out equals the integer Left; it binds Out if Out has
// no value.
const (
	Plus Op = iota
	Minus
	Times
	Quotient // truncated towards zero; the divisor is a constant other than 0
	Modulo   // with the sign of the divisor, which is a constant other than 0
	Least
	Largest
	Is
	Less
	NotMore
	Same
	Other
)

// Calc is a step of arithmetic. A term from Vars on is the result of an earlier step of the rule.
type Calc struct {
	Op               Op
	Left, Right, Out Term
}

// isTest reports whether the operation only tests a condition.
func (c *Calc) isTest() bool { return c.Op >= Less }

// ready reports whether the operands have values.
func (c *Calc) ready(bound []bool) bool { return isKnown(c.Left, bound) && isKnown(c.Right, bound) }

// calc is a Calc in a join. known says that Out already has a value, which is compared.
type calc struct {
	Calc
	known bool
}

func compares(op Op, a, b int64) bool {
	switch op {
	case Less:
		return a < b
	case NotMore:
		return a <= b
	case Same:
		return a == b
	}
	return a != b
}

func apply(op Op, a, b int64) (v int64, ok bool) {
	switch op {
	case Is:
		return a, true
	case Plus:
		return a + b, true // the operands have 61 bits
	case Minus:
		return a - b, true
	case Times:
		high, low := bits.Mul64(magnitude(a), magnitude(b))
		return a * b, high == 0 && low <= MaxInt
	case Quotient:
		return a / b, true
	case Modulo:
		if v = a % b; v != 0 && (v < 0) != (b < 0) {
			v += b
		}
		return v, true
	case Least:
		return min(a, b), true
	}
	return max(a, b), true
}

func magnitude(a int64) uint64 {
	if a < 0 {
		return uint64(-a)
	}
	return uint64(a)
}

// Mode says how the values of rows with equal keys are joined.
type Mode uint8

// The modes.
const (
	Min Mode = iota + 1
	Max
	Sum
)

// join joins two integers. changed reports whether the result differs from old.
func (m Mode) join(old, value int64) (joined int64, changed bool) {
	switch m {
	case Min:
		return min(old, value), value < old
	case Max:
		return max(old, value), value > old
	}
	return old + value, value != 0
}

// way says how an integer can change while its rows are derived: not at all (0), downwards (-1) or upwards (1).
type way int8

// mixed says that a result may change in both directions.
const mixed way = 2

func (m Mode) way() way {
	switch m {
	case Min:
		return -1
	case Max:
		return 1
	}
	return mixed
}

// and combines the ways of two operands that a result grows with.
func (w way) and(other way) way {
	if w != 0 && other != 0 && w != other {
		return mixed
	}
	return cmp.Or(w, other)
}

func (w way) turned() way {
	if w == mixed {
		return w
	}
	return -w
}

// way returns how the result of a step changes with its operands.
func (c *Calc) way(left, right way, numbers *Numbers) way {
	switch c.Op {
	case Plus, Least, Largest, Is:
		return left.and(right)
	case Minus:
		return left.and(right.turned())
	case Times, Quotient:
		if left == 0 && c.Op == Times {
			left, right, c = right, left, &Calc{Op: Times, Left: c.Right, Right: c.Left}
		}
		switch {
		case left == 0 && right == 0:
			return 0
		case right == 0 && !c.Right.isVar() && numbers.values[c.Right.id()] > 0:
			return left
		case right == 0 && !c.Right.isVar():
			return left.turned()
		}
	case Modulo:
		if left == 0 && right == 0 {
			return 0
		}
	}
	return mixed
}

// stays reports whether a true condition remains true when its operands change.
func (c *Calc) stays(left, right way) bool {
	switch c.Op {
	case Less, NotMore:
		return left <= 0 && (right == 0 || right == 1)
	}
	return left == 0 && right == 0
}
