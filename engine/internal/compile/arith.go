package compile

import (
	"math"

	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// This file defines the compilation of arithmetic. An operand may be any term in a register:
// the instructions evaluate terms that are no numbers.

// operations maps the functions with their own instruction.
var operations = map[cell]code.Op{
	code.Functor("+", 2):   code.OpAdd,
	code.Functor("-", 2):   code.OpSub,
	code.Functor("*", 2):   code.OpMul,
	code.Functor("//", 2):  code.OpIntDiv,
	code.Functor("mod", 2): code.OpMod,
	code.Functor("rem", 2): code.OpRem,
	code.Functor("/\\", 2): code.OpBitAnd,
	code.Functor("\\/", 2): code.OpBitOr,
	code.Functor(">>", 2):  code.OpShiftR,
	code.Functor("<<", 2):  code.OpShiftL,
}

// maxExpr bounds the nesting of expressions; deeper ones are left to the built-in. Each level may hold a register while
// the next one is evaluated.
const maxExpr = 24

// evaluable reports whether instructions can evaluate an expression. All its functions must be known: an
// unknown one is an error of the call (ISO 13211-1, 7.9.2), which the built-in throws. Variables are allowed, since the
// instructions evaluate their values at run time.
func (e *emitter) evaluable(x cell, depth int) bool {
	if depth > maxExpr || e.frugal && depth > 2 {
		return false
	}
	switch x.Tag() {
	case code.Att, code.Int:
		return true
	case code.Blob:
		return e.blob(x)[0].BlobKind() != code.StringBlob
	case code.Atom:
		_, ok := e.function(e.functor(x))
		return ok
	case code.Str:
		f := e.functor(x)
		if _, ok := operations[f]; !ok {
			if _, ok := e.function(f); !ok {
				return false
			}
		}
		for _, a := range e.args(x) {
			if !e.evaluable(a, depth+1) {
				return false
			}
		}
		return len(e.args(x)) <= 2
	}
	return false
}

// function returns the number of an evaluable functor. The compiler knows functions only by number, so it does not
// depend on package arith.
func (e *emitter) function(f cell) (int, bool) {
	return e.compiler.options.Arith(code.AtomText(f.FunctorAtom()), f.FunctorArity())
}

// is emits Var is Expr. A variable that is new, used later and not in Expr gets the register of the result. Otherwise
// the result has a separate register, which is unified with the left side. An unused result is also evaluated, as it
// may throw.
func (e *emitter) is(g *goal) {
	t, x := g.args[0], g.args[1]
	if !isVar(t) || e.isSet(t.Addr()) || e.isVoid(t.Addr()) || e.occurs(t.Addr(), x) {
		r := e.alloc()
		e.evalTo(x, func() int { return r })
		if !isVar(t) || !e.isVoid(t.Addr()) {
			e.matchTerm(t, r, true)
		}
		e.release(r)
		return
	}
	r := e.evalTo(x, func() int {
		e.dying(x)
		return e.allocFor(t.Addr())
	})
	e.hold(t.Addr(), r)
}

// dying frees the registers of variables in x that are no longer used, so that the result may replace an operand. A
// guard keeps them: the next clause needs its arguments.
func (e *emitter) dying(x cell) {
	if e.inGuard {
		return
	}
	e.eachVar(x, func(v int) {
		if r := e.st.x[v]; r >= 0 && e.isSet(v) && e.vars[v].next(e.pos) == maxPos {
			e.drop(v)
		}
	})
}

// operand returns a register with the value of x, or with a term that evaluates to it.
func (e *emitter) operand(x cell) int {
	if x.Tag() == code.Str {
		return e.evalTo(x, e.alloc)
	}
	return e.value(x)
}

// evalTo emits the evaluation of x into the register that dest returns. It calls dest when the operands are in
// registers.
func (e *emitter) evalTo(x cell, dest func() int) int {
	switch x.Tag() {
	case code.Int, code.Blob:
		r := dest()
		e.load(x, r)
		return r
	case code.Str:
		args := e.args(x)
		if len(args) == 1 {
			return e.unary(x, args[0], dest)
		}
		return e.binary(x, args[0], args[1], dest)
	}
	a := e.value(x)
	e.release(a)
	r := dest()
	e.op(code.OpEval, a, 0, r, 0)
	return r
}

// unary emits a function of one operand. The operand's register is released before dest chooses one, so the result may
// take it.
func (e *emitter) unary(x, t cell, dest func() int) int {
	fn, _ := e.function(e.functor(x))
	a := e.operand(t)
	e.release(a)
	r := dest()
	e.op(code.OpArith1, a, 0, r, fn)
	return r
}

// binary emits a function of two operands. Adding a small constant has its own instruction, as counters are the most
// common arithmetic.
func (e *emitter) binary(x, s, t cell, dest func() int) int {
	f := e.functor(x)
	op, own := operations[f]
	if n, rest, ok := addend(op, s, t); ok {
		a := e.operand(rest)
		e.release(a)
		r := dest()
		e.op(code.OpAddI, a, 0, r, n)
		return r
	}
	a, b := e.both(s, t, e.operand)
	e.release(a)
	e.release(b)
	r := dest()
	if own {
		e.op(op, a, b, r, 0)
		return r
	}
	fn, _ := e.function(f)
	e.op(code.OpArith, a, b, r, fn)
	return r
}

// addend reports whether op(s, t) adds a 32-bit constant to the rest.
func addend(op code.Op, s, t cell) (n int, rest cell, ok bool) {
	switch {
	case op == code.OpAdd && isSmall(s, math.MaxInt32):
		return int(s.Int()), t, true
	case op == code.OpAdd && isSmall(t, math.MaxInt32):
		return int(t.Int()), s, true
	case op == code.OpSub && isSmall(t, math.MaxInt32):
		return -int(t.Int()), s, true
	}
	return 0, 0, false
}

// isSmall reports whether t is an integer whose absolute value is at most limit.
func isSmall(t cell, limit int64) bool {
	return t.Tag() == code.Int && t.Int() >= -limit && t.Int() <= limit
}

// withConstant maps each comparison to the instruction for a constant on the right side, and to the one for a constant
// on the left, with exchanged sides.
var withConstant = map[code.Op][2]code.Op{
	code.OpLess:   {code.OpLessI, code.OpGreaterI},
	code.OpLessEq: {code.OpLessEqI, code.OpGreaterEqI},
	code.OpNumEq:  {code.OpNumEqI, code.OpNumEqI},
	code.OpNumNe:  {code.OpNumNeI, code.OpNumNeI},
}

// compare emits an arithmetic comparison.
func (e *emitter) compare(g *goal, t target) {
	if e.watch != nil {
		e.watch.comparison = g.functor
		defer func() { e.watch.comparison = 0 }()
	}
	s, u := g.args[0], g.args[1]
	ops := withConstant[g.op]
	switch {
	case isSmall(u, math.MaxInt16):
		e.compareWith(ops[0], s, u, t)
		return
	case isSmall(s, math.MaxInt16):
		e.compareWith(ops[1], u, s, t)
		return
	}
	var a, b int
	if g.exchanged() && isCompound(s) { // the left side of the text is evaluated first
		b, a = e.both(u, s, e.operand)
	} else {
		a, b = e.both(s, u, e.operand)
	}
	e.branch(code.Make(g.op, a, b, 0, 0), t)
	e.release(a)
	e.release(b)
}

// compareWith emits a comparison with a small integer, which stands in the instruction.
func (e *emitter) compareWith(op code.Op, x, n cell, t target) {
	a := e.operand(x)
	e.branch(code.MakeBC(op, a, int(n.Int()), 0), t)
	e.release(a)
}
