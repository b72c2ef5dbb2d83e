package arith

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
)

// This file defines the table of arithmetic functions, the constants and the functions that
// accept any number. Those of integers are in integer.go, those of floats in float.go.

// function is an evaluable functor; arity says which field is set.
type function struct {
	name  string
	arity int
	zero  func(m *machine.Machine) (Num, error)
	one   func(m *machine.Machine, x Num) (Num, error)
	two   func(m *machine.Machine, x, y Num) (Num, error)
	three func(m *machine.Machine, x, y, z Num) (Num, error)

	// inPlace computes the same as two, for integers on the heap of which at least one is big. If it is nil, two is
	// called. words bounds the size of the result in words, and work the number of operations on words.
	inPlace     func(z, x, y *big.Int) *big.Int
	words, work func(x, y int) int
}

// named returns what a function returned. The context of an error names the function, as in SWI-Prolog.
func (f *function) named(r Num, err error) (Num, error) {
	if err != nil {
		err = machine.InContext(err, code.MakeFunctor(code.Intern(f.name), f.arity))
	}
	return r, err
}

type (
	unary  = func(m *machine.Machine, x Num) (Num, error)
	binary = func(m *machine.Machine, x, y Num) (Num, error)
)

func constant(name string, x Num) function {
	return function{name: name, zero: func(*machine.Machine) (Num, error) { return x, nil }}
}

func changing(name string, value func() Num) function {
	return function{name: name, zero: func(*machine.Machine) (Num, error) { return value(), nil }}
}

// arith2 makes a function of two numbers that package math/big computes in place for integers. Its work is the
// product of their lengths.
func arith2(name string, f binary, inPlace func(z, x, y *big.Int) *big.Int, words func(x, y int) int) function {
	return function{name: name, arity: 2, two: f, inPlace: inPlace, words: words, work: crosswise}
}

// linear2 makes such a function whose work is the sum of the lengths.
func linear2(name string, f binary, inPlace func(z, x, y *big.Int) *big.Int) function {
	return function{name: name, arity: 2, two: f, inPlace: inPlace, words: longerByOne, work: together}
}

func longerByOne(x, y int) int { return max(x, y) + 1 }
func together(x, y int) int    { return x + y }
func crosswise(x, y int) int   { return x * y }

func fn1(name string, f unary) function  { return function{name: name, arity: 1, one: f} }
func fn2(name string, f binary) function { return function{name: name, arity: 2, two: f} }

// real1 makes a function of one float.
func real1(name string, f func(float64) float64) function {
	return fn1(name, func(m *machine.Machine, x Num) (Num, error) {
		v, err := toFloat(m, x)
		if err != nil {
			return Num{}, err
		}
		return checkFloat(m, f(v))
	})
}

// functions holds all evaluable functors; a function's number is its index.
var functions = []function{
	linear2("+", Sum, (*big.Int).Add), linear2("-", subtract, (*big.Int).Sub),
	arith2("*", multiply, (*big.Int).Mul, together), fn2("/", divide),
	fn1("-", negate), fn1("+", identity), fn1("eval", identity), fn1("abs", absolute), fn1("sign", signum),
	fn2("max", maximum), fn2("min", minimum), fn1("succ", successor), fn2("plus", Sum),

	arith2("//", quotient, (*big.Int).Quo, longerByOne), arith2("rem", remainder, (*big.Int).Rem, longerByOne),
	arith2("mod", modulo, setModulo, longerByOne), fn2("div", floorQuotient),
	fn2("tdiv", quotient), fn2(">>", shiftRight), fn2("<<", shiftLeft),
	linear2("/\\", bitAnd, (*big.Int).And), linear2("\\/", bitOr, (*big.Int).Or),
	linear2("xor", bitXor, (*big.Int).Xor), fn1("\\", bitNot),
	fn2("gcd", gcd), fn2("lcm", lcm), fn1("msb", msb), fn1("lsb", lsb),
	fn1("popcount", popcount), fn2("getbit", getbit), {name: "powm", arity: 3, three: powm},
	fn2("**", raise), fn2("^", integerPower), fn2("rdiv", exactQuotient),
	fn1("numerator", numerator), fn1("denominator", denominator),
	fn1("rational", rational), fn1("rationalize", rationalize),

	fn1("float", toFloatFunction), fn1("integer", toInteger), fn1("truncate", truncate), fn1("trunc", truncate),
	fn1("round", round), fn1("ceiling", ceiling), fn1("ceil", ceiling), fn1("floor", floor),
	fn1("float_integer_part", integerPart), fn1("float_fractional_part", fractionalPart),
	fn1("sqrt", squareRoot), fn1("exp", exponential), fn1("log", logarithm), fn1("log2", logarithm2),
	fn1("log10", logarithm10), fn2("log", logarithmBase),
	real1("sin", sine), real1("cos", cosine), real1("tan", tangent),
	fn1("asin", arcSine), fn1("acos", arcCosine), real1("atan", arcTangentOf),
	fn2("atan", arcTangent2), fn2("atan2", arcTangent2), fn1("cot", cotangent), fn1("acot", arcCotangent),
	real1("sinh", hyperbolicSine), real1("cosh", hyperbolicCosine), real1("tanh", hyperbolicTangent),
	real1("asinh", areaSineOf), fn1("acosh", areaCosine), fn1("atanh", areaTangent),
	fn1("coth", hyperbolicCotangent), fn1("acoth", areaCotangent),
	real1("erf", math.Erf), real1("erfc", math.Erfc), real1("lgamma", logGamma),
	fn2("copysign", copySign), fn2("nexttoward", nextToward),

	constant("pi", floatOf(math.Pi)), constant("e", floatOf(math.E)),
	constant("inf", floatOf(math.Inf(1))), constant("infinite", floatOf(math.Inf(1))),
	constant("nan", floatOf(math.NaN())), constant("epsilon", floatOf(0x1p-52)),
	constant("max_tagged_integer", Int(code.MaxInt)), constant("min_tagged_integer", Int(code.MinInt)),
	constant("max_integer", Int(math.MaxInt64)), constant("min_integer", Int(math.MinInt64)),
	{name: "random", zero: randomFraction}, {name: "random_float", zero: randomFraction}, fn1("random", randomBelow),
	changing("cputime", func() Num { return floatOf(CPUTime().Seconds()) }),
	{name: "realtime", zero: func(m *machine.Machine) (Num, error) { return Int(present(m).Unix()), nil }},
}

// functionIndex holds, for each atom number and arity, one more than a function's number.
var functionIndex = func() (index [][4]uint16) {
	for i := range functions {
		n := int(code.Intern(functions[i].name))
		if n >= len(index) {
			index = append(index, make([][4]uint16, n+1-len(index))...)
		}
		index[n][functions[i].arity] = uint16(i + 1)
	}
	return index
}()

// AppendFunctions appends the names of the functions, in the order of their numbers.
func AppendFunctions(b []byte) []byte {
	for i := range functions {
		b = append(b, functions[i].name...)
		b = append(b, '/', byte('0'+functions[i].arity), ' ')
	}
	return b
}

// lookupFunction returns the number of a function, -1 if there is none.
func lookupFunction(name uint32, arity int) int {
	if int(name) >= len(functionIndex) || arity > 3 {
		return -1
	}
	return int(functionIndex[name][arity]) - 1
}

func identity(_ *machine.Machine, x Num) (Num, error) { return x, nil }

func negate(_ *machine.Machine, x Num) (Num, error) {
	switch {
	case x.kind == floatNum:
		return floatOf(-x.float()), nil
	case x.kind == smallNum && x.i != math.MinInt64:
		return Int(-x.i), nil
	case x.kind == ratioNum:
		if n, d, ok := x.smallParts(); ok {
			return shortRatio(-n, d), nil
		}
		return ratioOf(new(big.Rat).Neg(x.q)), nil
	}
	return bigOf(newBig().Neg(x.big())), nil
}

func absolute(m *machine.Machine, x Num) (Num, error) {
	if x.kind == floatNum {
		return floatOf(math.Abs(x.float())), nil
	}
	if x.sign() < 0 {
		return negate(m, x)
	}
	return x, nil
}

func signum(_ *machine.Machine, x Num) (Num, error) {
	if x.kind != floatNum {
		return Int(int64(x.sign())), nil
	}
	if math.IsNaN(x.float()) {
		return x, nil
	}
	return floatOf(float64(x.sign())), nil
}

// maximum and minimum prefer the float of two equal numbers, and any number to NaN.
func maximum(m *machine.Machine, x, y Num) (Num, error) { return choose(m, x, y, 1), nil }
func minimum(m *machine.Machine, x, y Num) (Num, error) { return choose(m, x, y, -1), nil }

func choose(m *machine.Machine, x, y Num, want int) Num {
	switch compareNums(m, x, y) {
	case want:
		return x
	case 0:
		if negative := isNegativeZero(x); negative != isNegativeZero(y) {
			if negative == (want < 0) {
				return x
			}
			return y
		}
		if x.kind == floatNum {
			return x
		}
	case machine.Unordered:
		if y.kind == floatNum && math.IsNaN(y.float()) {
			return x
		}
	}
	return y
}

func isNegativeZero(x Num) bool {
	return x.kind == floatNum && x.float() == 0 && math.Signbit(x.float())
}

func successor(m *machine.Machine, x Num) (Num, error) {
	if err := needInt(m, x); err != nil {
		return Num{}, err
	}
	if x.sign() < 0 {
		return Num{}, m.DomainError("not_less_than_zero", Store(m, x))
	}
	return Sum(m, x, Int(1))
}

// byChance gives the random numbers of runs without a seed.
var byChance = rand.New(chance{})

// chance is the global source of package rand. Goroutines may share it.
type chance struct{}

func (chance) Uint64() uint64 { return rand.Uint64() }

// randomOf returns the random numbers of a run.
func randomOf(m *machine.Machine) *rand.Rand {
	if m.Random == nil && m.Given != nil && m.Given.Seed != "" {
		m.Random = seeded(m.Given.Seed)
	}
	if m.Random != nil {
		return m.Random.Rand
	}
	return byChance
}

// present is the time as the run sees it.
func present(m *machine.Machine) time.Time {
	if m.Given != nil && !m.Given.Time.IsZero() {
		return m.Given.Time
	}
	return time.Now()
}

// randomFraction is a float between 0 and 1, both excluded.
func randomFraction(m *machine.Machine) (Num, error) {
	for {
		if f := randomOf(m).Float64(); f > 0 {
			return floatOf(f), nil
		}
	}
}

// randomBelow is an integer from 0 to x-1.
func randomBelow(m *machine.Machine, x Num) (Num, error) {
	if err := needPositive(m, x); err != nil {
		return Num{}, err
	}
	if x.kind == smallNum {
		return Int(randomOf(m).Int64N(x.i)), nil
	}
	return bigOf(randomBig(randomOf(m), x.b)), nil
}

// seeded returns random numbers that depend on the seed only.
func seeded(seed string) *machine.Random {
	var key [32]byte
	for i, b := range []byte(strings.Repeat(seed, 1+32/len(seed))) {
		key[i%32] = key[i%32]*31 + b
	}
	source := rand.NewChaCha8(key)
	return &machine.Random{Rand: rand.New(source), Source: source}
}
