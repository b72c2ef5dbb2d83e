// Package arith computes: its numbers stand outside the heap, so that intermediate results cost no cells.
//
// [Eval] gives the value of an expression, [Arithmetic] is what the machine's instructions call when their operands are
// not small integers, [Table] holds the predicates on numbers, and functions.go the table of evaluable functors. [Num]
// and the functions on it serve built-ins that count. A number is never changed once it is made; everything else
// belongs to the goroutine of the machine that is passed in.
package arith

import "github.com/mcplogic/mcplogic/engine/internal/code"

type cell = code.Cell
