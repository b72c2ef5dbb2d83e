package arith

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"

	"github.com/mcplogic/mcplogic/engine/internal/bignum"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines is/2, the comparisons of values (ISO 13211-1, 8.6 and 8.7), and predicates that relate integers.

// Table holds the predicates that calculate and compare.
var Table = []machine.Builtin{
	{Name: "is", Arity: 2, Func: is, Modes: "-result, +expression", Doc: "Result is the value of Expression."},
	{Name: "=:=", Arity: 2, Func: comparison(func(d int) bool { return d == 0 }), Modes: "+expression, +expression",
		Doc: "The values are equal."},
	{Name: "=\\=", Arity: 2, Func: comparison(func(d int) bool { return d != 0 }), Modes: "+expression, +expression",
		Doc: "The values are not equal."},
	{Name: "<", Arity: 2, Func: comparison(func(d int) bool { return d == -1 }), Modes: "+expression, +expression",
		Doc: "The first value is less than the second."},
	{Name: "=<", Arity: 2, Func: comparison(func(d int) bool { return d <= 0 }), Modes: "+expression, +expression",
		Doc: "The first value is less than or equal to the second."},
	{Name: ">", Arity: 2, Func: comparison(func(d int) bool { return d == 1 }), Modes: "+expression, +expression",
		Doc: "The first value is greater than the second."},
	{Name: ">=", Arity: 2, Func: comparison(func(d int) bool { return d == 0 || d == 1 }),
		Modes: "+expression, +expression", Doc: "The first value is greater than or equal to the second."},
	{Name: "succ", Arity: 2, Func: succ, Modes: "?integer, ?integer",
		Doc: "The second natural number is one more than the first."},
	{Name: "plus", Arity: 3, Func: plus, Modes: "?number, ?number, ?number",
		Doc: "The third number is the sum of the others; one of them may be unbound."},
	{Name: "between", Arity: 3, Func: between, Nondet: true, Modes: "+integer, +integer, ?integer",
		Doc: "The third integer lies between the others; the second may be inf."},
	{Name: "divmod", Arity: 4, Func: divmod, Modes: "+integer, +integer, -integer, -integer",
		Doc: "Dividend div Divisor and Dividend mod Divisor."},
	{Name: "nth_integer_root_and_remainder", Arity: 4, Func: nthIntegerRootAndRemainder,
		Modes: "+integer, +integer, -integer, -integer",
		Doc:   "Root ** N + Remainder is the given integer, with Root truncated toward zero."},
	{Name: "rational", Arity: 3, Func: rationalParts, Modes: "@term, -integer, -integer",
		Doc: "The numerator and denominator of a rational number."},
	{Name: "set_random", Arity: 1, Func: setRandom, Modes: "+option",
		Doc: "Seeds the random numbers of this run by seed(random) or seed(Number), or goes back to state(State)."},
	{Name: "$random_state", Arity: 1, Func: randomState, Modes: "-state",
		Doc: "State is an integer from which set_random(state(State)) repeats the random numbers that follow."},
	{Name: "current_arithmetic_function", Arity: 1, Func: currentArithmeticFunction, Nondet: true, Modes: "?callable",
		Doc: "The term is the head of an evaluable function."},
}

// is is is/2 (ISO 13211-1, 8.6.1).
func is(m *machine.Machine, a []cell) (bool, error) {
	v, err := Eval(m, a[1])
	if err != nil {
		return false, err
	}
	return m.Unify(a[0], v), nil
}

// comparison returns a predicate that holds for some results of compareNums.
func comparison(holds func(d int) bool) machine.Func {
	return func(m *machine.Machine, a []cell) (bool, error) {
		d, err := compareCells(m, a[0], a[1])
		return err == nil && holds(d), err
	}
}

// naturalArg returns an argument that must be unbound or a natural number.
func naturalArg(m *machine.Machine, c cell) (x Num, bound bool, err error) {
	c = m.Deref(c)
	if stacks.IsVar(c) {
		return Num{}, false, nil
	}
	if !m.IsInteger(c) {
		return Num{}, false, m.TypeError("integer", c)
	}
	x, _ = loadNumber(m, c)
	return x, true, needNatural(m, x)
}

// Natural returns an argument that must be a natural number. A number that is larger than any arity or text counts as
// the largest int.
func Natural(m *machine.Machine, c cell) (int, error) {
	x, err := Integer(m, c)
	if err == nil {
		err = needNatural(m, x)
	}
	switch {
	case err != nil:
		return 0, err
	case x.kind == bigNum || x.i > math.MaxInt:
		return math.MaxInt, nil
	}
	return int(x.i), nil
}

func succ(m *machine.Machine, a []cell) (bool, error) {
	x, hasX, err := naturalArg(m, a[0])
	if err != nil {
		return false, err
	}
	y, hasY, err := naturalArg(m, a[1])
	switch {
	case err != nil:
		return false, err
	case hasX:
		y, err = Sum(m, x, Int(1))
		return err == nil && Unify(m, a[1], y), err
	case !hasY:
		return false, m.InstantiationError()
	case y.sign() == 0:
		return false, nil
	}
	x, err = subtract(m, y, Int(1))
	return err == nil && Unify(m, a[0], x), err
}

func plus(m *machine.Machine, a []cell) (bool, error) {
	for _, c := range a[:3] {
		if c = m.Deref(c); !stacks.IsVar(c) && !m.IsInteger(c) {
			return false, m.TypeError("integer", c)
		}
	}
	switch {
	case stacks.IsVar(m.Deref(a[2])):
		return plusOf(m, a, Sum, 0, 1, 2)
	case stacks.IsVar(m.Deref(a[0])):
		return plusOf(m, a, subtract, 2, 1, 0)
	case stacks.IsVar(m.Deref(a[1])):
		return plusOf(m, a, subtract, 2, 0, 1)
	}
	return plusOf(m, a, Sum, 0, 1, 2)
}

// plusOf unifies argument r with f of the arguments i and j.
func plusOf(m *machine.Machine, a []cell, f binary, i, j, r int) (bool, error) {
	x, err := Integer(m, a[i])
	if err != nil {
		return false, err
	}
	y, err := Integer(m, a[j])
	if err != nil {
		return false, err
	}
	z, err := f(m, x, y)
	return err == nil && Unify(m, a[r], z), err
}

// Integer returns an argument that must be an integer of any size.
func Integer(m *machine.Machine, c cell) (Num, error) {
	c = m.Deref(c)
	if !m.IsInteger(c) {
		return Num{}, m.TypeError("integer", c)
	}
	x, _ := loadNumber(m, c)
	return x, nil
}

func between(m *machine.Machine, a []cell) (bool, error) {
	low, err := Integer(m, a[0])
	if err != nil {
		return false, err
	}
	high, infinite, err := upperBound(m, a[1])
	if err != nil {
		return false, err
	}
	x := m.Deref(a[2])
	if !stacks.IsVar(x) {
		v, err := Integer(m, x)
		if err != nil {
			return false, err
		}
		return compareNums(m, low, v) <= 0 && (infinite || compareNums(m, v, high) <= 0), nil
	}
	if !infinite && compareNums(m, low, high) >= 0 {
		return compareNums(m, low, high) == 0 && Unify(m, x, low), nil
	}
	if first, last := m.Deref(a[0]), m.Deref(a[1]); first.Tag() == code.Int && last.Tag() == code.Int {
		return m.Alternatives(func(m *machine.Machine, a []cell) (ok, more bool, err error) {
			v := first
			first = code.MakeInt(first.Int() + 1)
			return m.Unify(a[2], v), v != last, nil
		})
	}
	return m.Alternatives(func(m *machine.Machine, a []cell) (ok, more bool, err error) {
		v := low
		if low, err = Sum(m, low, Int(1)); err != nil {
			return false, false, err
		}
		return Unify(m, a[2], v), infinite || compareNums(m, v, high) < 0, nil
	})
}

// upperBound returns the second argument of between/3.
func upperBound(m *machine.Machine, c cell) (high Num, infinite bool, err error) {
	c = m.Deref(c)
	if c == code.AInf || c == atomInfinite {
		return Num{}, true, nil
	}
	high, err = Integer(m, c)
	return high, false, err
}

var atomInfinite = code.AtomCell("infinite")

func divmod(m *machine.Machine, a []cell) (bool, error) {
	x, err := Integer(m, a[0])
	if err != nil {
		return false, err
	}
	y, err := Integer(m, a[1])
	if err != nil {
		return false, err
	}
	q, err := floorQuotient(m, x, y)
	if err != nil {
		return false, err
	}
	r, err := modulo(m, x, y)
	return err == nil && Unify(m, a[2], q) && Unify(m, a[3], r), err
}

func nthIntegerRootAndRemainder(m *machine.Machine, a []cell) (bool, error) {
	n, err := Integer(m, a[0])
	if err != nil {
		return false, err
	}
	x, err := Integer(m, a[1])
	if err != nil {
		return false, err
	}
	if err := needPositive(m, n); err != nil {
		return false, err
	}
	if x.sign() < 0 && n.big().Bit(0) == 0 {
		return false, m.EvaluationError("undefined")
	}
	root := integerRoot(m, n, newBig().Abs(x.big()))
	if x.sign() < 0 {
		root.Neg(root)
	}
	rest := newBig().Sub(x.big(), bignum.Pow(root, n.big().Uint64(), m.Meter()))
	return Unify(m, a[2], bigOf(root)) && Unify(m, a[3], bigOf(rest)), nil
}

// integerRoot returns the largest r with r**n <= x.
func integerRoot(m *machine.Machine, n Num, x *big.Int) *big.Int {
	switch {
	case x.Sign() == 0 || n == Int(1):
		return newBig().Set(x)
	case n.kind == bigNum || n.i >= int64(x.BitLen()):
		return big.NewInt(1)
	}
	return bignum.Root(x, uint64(n.i), m.Meter())
}

// rationalParts is rational/3.
func rationalParts(m *machine.Machine, a []cell) (bool, error) {
	x, ok := loadNumber(m, m.Deref(a[0]))
	if !ok || x.kind == floatNum {
		return false, nil
	}
	return Unify(m, a[1], bigOf(x.numerator())) && Unify(m, a[2], bigOf(x.denominator())), nil
}

func setRandom(m *machine.Machine, a []cell) (bool, error) {
	option := m.Deref(a[0])
	if !stacks.IsCompound(option) {
		return false, m.TypeError("random_option", option)
	}
	if m.Functor(option) == functorState {
		return setRandomState(m, m.Arg(option, 0))
	}
	if m.Functor(option) != functorSeed {
		return false, m.DomainError("random_option", option)
	}
	seed := m.Deref(m.Arg(option, 0))
	if stacks.IsVar(seed) {
		return false, m.InstantiationError()
	}
	if seed == atomRandom {
		if m.Given == nil || m.Given.Seed == "" {
			m.Random = nil
		} else { // random values follow from the seed of the run
			m.Random = seeded(strconv.FormatUint(randomOf(m).Uint64(), 36))
		}
		return true, nil
	}
	text, ok := m.AtomicText(seed)
	if !ok || text == "" {
		return false, m.TypeError("seed", seed)
	}
	m.Random = seeded(text)
	return true, nil
}

var (
	functorSeed  = code.Functor("seed", 1)
	functorState = code.Functor("state", 1)
	atomRandom   = code.AtomCell("random")
)

// randomState is $random_state/1. A run without a seed gets one, by chance.
func randomState(m *machine.Machine, a []cell) (bool, error) {
	if randomOf(m); m.Random == nil {
		m.Random = seeded(strconv.FormatUint(rand.Uint64(), 36))
	}
	state, _ := m.Random.Source.MarshalBinary() // never fails
	return Unify(m, a[0], bigOf(newBig().SetBytes(state))), nil
}

// setRandomState is set_random(state(State)).
func setRandomState(m *machine.Machine, c cell) (bool, error) {
	state, err := Integer(m, c)
	if err != nil {
		return false, err
	}
	random := seeded("0")
	if state.sign() < 0 || random.Source.UnmarshalBinary(state.big().Bytes()) != nil {
		return false, m.DomainError("random_state", c)
	}
	m.Random = random
	return true, nil
}

func currentArithmeticFunction(m *machine.Machine, a []cell) (bool, error) {
	head := m.Deref(a[0])
	switch {
	case head.Tag() == code.Atom:
		return lookupFunction(head.Atom(), 0) >= 0, nil
	case stacks.IsCompound(head):
		f := m.Functor(head)
		return lookupFunction(f.FunctorAtom(), f.FunctorArity()) >= 0, nil
	case !stacks.IsVar(head):
		return false, m.TypeError("callable", head)
	}
	i := 0
	return m.Alternatives(func(m *machine.Machine, a []cell) (ok, more bool, err error) {
		if i == len(functions) {
			return false, false, nil
		}
		f := &functions[i]
		i++
		args := make([]cell, f.arity)
		for k := range args {
			args[k] = m.NewVar()
		}
		return m.Unify(a[0], m.NewStruct(f.name, args...)), true, nil
	})
}
