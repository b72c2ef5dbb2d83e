package arith

import (
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines the evaluator of arithmetic expressions, and the slow path of the machine's arithmetic
// instructions, for operands that are not small integers.
//
// The evaluator keeps a stack of its own, because expressions nest as deep as terms do.

// Arithmetic is the arithmetic of the machine.
var Arithmetic = machine.Arithmetic{
	Eval:     Eval,
	Apply1:   apply1,
	Apply2:   apply2,
	Compare:  compareCells,
	Function: functionNumber,
}

// Eval returns the value of any term as a number on the heap.
func Eval(m *machine.Machine, c cell) (cell, error) {
	c = m.Deref(c)
	if c.Tag() == code.Int || m.IsNumber(c) {
		return c, nil
	}
	x, err := eval(m, c)
	if err != nil {
		return 0, err
	}
	return Store(m, x), nil
}

// apply1 applies function number fn to an expression.
func apply1(m *machine.Machine, fn int, a cell) (cell, error) {
	x, err := eval(m, a)
	if err != nil {
		return 0, err
	}
	f := &functions[fn]
	r, err := f.named(f.one(m, x))
	if err != nil {
		return 0, err
	}
	return Store(m, r), nil
}

// apply2 applies function number fn to two expressions.
func apply2(m *machine.Machine, fn int, a, b cell) (cell, error) {
	f := &functions[fn]
	if f.inPlace != nil {
		if r, ok, err := applyInPlace(m, f, m.Deref(a), m.Deref(b)); ok || err != nil {
			return r, err
		}
	}
	x, y, err := eval2(m, a, b)
	if err != nil {
		return 0, err
	}
	r, err := f.named(f.two(m, x, y))
	if err != nil {
		return 0, err
	}
	return Store(m, r), nil
}

// mostInPlace bounds the work of an operation that cannot be interrupted, in operations on words.
const mostInPlace = 1 << 16

// applyInPlace applies a function to two integers on the heap. At least one is big, and the work is at most
// mostInPlace. ok is false for other operands. Operands and result stay on the heap, and Go allocates nothing.
func applyInPlace(m *machine.Machine, f *function, a, b cell) (r cell, ok bool, err error) {
	if !m.IsInteger(a) || !m.IsInteger(b) || b == code.MakeInt(0) {
		return 0, false, nil
	}
	x, y := m.BigWords(a), m.BigWords(b)
	if a.Tag() == code.Int && b.Tag() == code.Int || f.work(x, y) > mostInPlace {
		return 0, false, nil
	}
	words := f.words(x, y)
	if err := machine.Fits(m, 8*words); err != nil {
		return 0, false, err
	}
	return m.BigApply(f.inPlace, a, b, words), true, nil
}

// compareCells compares two numbers: -1, 0, 1, or 2 when one is NaN.
func compareCells(m *machine.Machine, a, b cell) (int, error) {
	if a, b := m.Deref(a), m.Deref(b); m.IsInteger(a) && m.IsInteger(b) {
		return m.BigCompare(a, b), nil
	}
	x, y, err := eval2(m, a, b)
	if err != nil {
		return 0, err
	}
	return compareNums(m, x, y), nil
}

// functionNumber returns the number of a function for apply1 and apply2.
func functionNumber(name string, arity int) (fn int, ok bool) {
	fn = lookupFunction(code.Intern(name), arity)
	return fn, fn >= 0
}

// eval2 evaluates two expressions from left to right.
func eval2(m *machine.Machine, a, b cell) (x, y Num, err error) {
	if x, err = eval(m, a); err != nil {
		return x, y, err
	}
	y, err = eval(m, b)
	return x, y, err
}

// shallow is the depth to which nested functions are evaluated by recursion. It bounds the work between two charges,
// also if parts of an expression are shared.
const shallow = 6

// eval returns the value of any term.
func eval(m *machine.Machine, c cell) (Num, error) { return evalWithin(m, c, shallow) }

// evalWithin is eval with a limit on recursion. Recursion allocates nothing for small numbers. Terms below the limit
// go to the evaluator.
func evalWithin(m *machine.Machine, c cell, depth int) (Num, error) {
	c = m.Deref(c)
	if x, ok := loadNumber(m, c); ok {
		return x, nil
	}
	switch {
	case c.Tag() == code.Atom:
		return evalAtom(m, c)
	case c.Tag() == code.Str && depth > 0:
		f := m.Functor(c)
		fn, arity := -1, f.FunctorArity()
		if arity == 1 || arity == 2 {
			fn = lookupFunction(f.FunctorAtom(), arity)
		}
		if fn >= 0 {
			return evalCall(m, c, &functions[fn], depth-1)
		}
	}
	return evalDeep(m, c)
}

// evalCall returns the value of a function of one or two arguments.
func evalCall(m *machine.Machine, c cell, f *function, depth int) (Num, error) {
	x, err := evalWithin(m, m.Arg(c, 0), depth)
	switch {
	case err != nil:
		return Num{}, err
	case f.arity == 1:
		return f.named(f.one(m, x))
	}
	y, err := evalWithin(m, m.Arg(c, 1), depth)
	if err != nil {
		return Num{}, err
	}
	return f.named(f.two(m, x, y))
}

// evalDeep returns the value of a compound.
func evalDeep(m *machine.Machine, c cell) (Num, error) {
	var e evaluator
	e.m, e.root = m, c
	e.todo, e.vals = e.todoRoom[:0], e.valsRoom[:0]
	return e.run(c)
}

// evalAtom returns the value of an atom: the result of a function without arguments.
func evalAtom(m *machine.Machine, c cell) (Num, error) {
	fn := lookupFunction(c.Atom(), 0)
	if fn < 0 {
		return Num{}, m.TypeError("evaluable", m.Indicator(code.MakeFunctor(c.Atom(), 0)))
	}
	f := &functions[fn]
	return f.named(f.zero(m))
}

// step is pending work of the evaluator: to evaluate c, or, when fn is not negative, to apply function fn to the
// topmost values.
type step struct {
	c  cell
	fn int
}

// evaluator evaluates one term with explicit stacks.
type evaluator struct {
	m        *machine.Machine
	root     cell
	todo     []step
	vals     []Num
	acyclic  bool // root is known to be finite
	todoRoom [12]step
	valsRoom [8]Num
}

// deepExpression is the number of pending steps at which an expression is tested for cycles. Smaller ones are not
// worth the test.
const deepExpression = 10_000

func (e *evaluator) run(c cell) (Num, error) {
	e.todo = append(e.todo, step{c, -1})
	for n := 1; len(e.todo) > 0; n++ {
		if n%1024 == 0 {
			if err := e.check(); err != nil {
				return Num{}, err
			}
		}
		s := e.todo[len(e.todo)-1]
		e.todo = e.todo[:len(e.todo)-1]
		var err error
		if s.fn >= 0 {
			err = e.apply(&functions[s.fn])
		} else {
			err = e.term(s.c)
		}
		if err != nil {
			return Num{}, err
		}
	}
	return e.vals[0], nil
}

// check charges for the work done. It returns an error for a cyclic expression.
func (e *evaluator) check() error {
	if len(e.todo) > deepExpression && !e.acyclic {
		if !e.m.IsAcyclic(e.root) {
			return e.m.TypeError("expression", e.root)
		}
		e.acyclic = true
	}
	return e.m.Charge(1024)
}

// term evaluates an atomic term, and plans the evaluation of a compound.
func (e *evaluator) term(c cell) error {
	m := e.m
	c = m.Deref(c)
	switch c.Tag() {
	case code.Int:
		e.vals = append(e.vals, Num{i: c.Int()})
		return nil
	case code.Blob:
		return e.blob(c)
	case code.Atom:
		return e.compound(c, code.MakeFunctor(c.Atom(), 0))
	case code.Str:
		return e.compound(c, m.Functor(c))
	case code.Lst:
		return e.list(c)
	}
	return m.InstantiationError()
}

func (e *evaluator) blob(c cell) error {
	x, ok := loadNumber(e.m, c)
	if !ok {
		text := e.m.StringValue(c)
		r, size := utf8.DecodeRuneInString(text)
		if e.m.Served {
			return e.m.ErrorMessage(e.m.NewStruct("type_error", e.m.NewAtom("number"), c), "a text; convert it")
		}
		if size == 0 || size != len(text) {
			return e.m.TypeError("[]", c)
		}
		x = Int(int64(r))
	}
	e.vals = append(e.vals, x)
	return nil
}

// compound plans a function call; c is an atom or a compound with functor f.
func (e *evaluator) compound(c, f cell) error {
	n := f.FunctorArity()
	fn := lookupFunction(f.FunctorAtom(), n)
	if fn < 0 {
		if f == code.FColon && e.m.Deref(e.m.Arg(c, 0)).Tag() == code.Atom {
			e.todo = append(e.todo, step{e.m.Arg(c, 1), -1})
			return nil
		}
		if n == 0 && c.Tag() == code.Str || machine.IsDict(e.m, c) {
			return e.m.TypeError("evaluable", c)
		}
		return e.m.TypeError("evaluable", e.m.Indicator(f))
	}
	e.todo = append(e.todo, step{c, fn})
	for i := n - 1; i >= 0; i-- {
		e.todo = append(e.todo, step{e.m.Arg(c, i), -1})
	}
	return nil
}

// list evaluates [X], where X is an integer or a character. Once "a" was read as such a list.
func (e *evaluator) list(c cell) error {
	m := e.m
	x := m.Deref(m.Arg(c, 0))
	if m.Deref(m.Arg(c, 1)) != code.ANil {
		return m.TypeError("[]", c)
	}
	if x.Tag() == code.Int && x.Int() >= 0 && x.Int() <= utf8.MaxRune {
		return e.term(x)
	}
	if r, ok := stacks.OneChar(x); ok {
		e.vals = append(e.vals, Int(int64(r)))
		return nil
	}
	return m.TypeError("character", x)
}

// apply replaces the topmost values by a function's value.
func (e *evaluator) apply(f *function) (err error) {
	var r Num
	base := len(e.vals) - f.arity
	v := e.vals[base:]
	switch f.arity {
	case 0:
		r, err = f.zero(e.m)
	case 1:
		r, err = f.one(e.m, v[0])
	case 2:
		r, err = f.two(e.m, v[0], v[1])
	default:
		r, err = f.three(e.m, v[0], v[1], v[2])
	}
	r, err = f.named(r, err)
	e.vals = append(e.vals[:base], r)
	return err
}
