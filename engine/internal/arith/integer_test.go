package arith

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
)

func newTestMachine() *machine.Machine {
	p := database.New()
	machine.Prepare(p)
	return machine.New(p, Table, nil, Arithmetic, machine.NewSharedTables())
}

// The product by pieces is the product.
func TestMultiplyBig(t *testing.T) {
	m := newTestMachine()
	power := func(base, n int64) *big.Int { return new(big.Int).Exp(big.NewInt(base), big.NewInt(n), nil) }
	a, b := power(3, 3_000_000), power(-7, 1_000_001)
	for _, pair := range [][2]*big.Int{{a, a}, {a, b}, {b, a}, {b, b}, {a, big.NewInt(-5)}, {new(big.Int), a}} {
		got, err := multiply(m, bigOf(pair[0]), bigOf(pair[1]))
		require.NoError(t, err)
		require.Zero(t, new(big.Int).Mul(pair[0], pair[1]).Cmp(got.big()))
	}
}

func TestIntegerRoot(t *testing.T) {
	m := newTestMachine()
	for _, x := range []int64{0, 1, 2, 7, 8, 9, 26, 27, 28, 1 << 40, 1<<60 - 1} {
		for n := int64(1); n < 6; n++ {
			r := integerRoot(m, Int(n), big.NewInt(x))
			low := new(big.Int).Exp(r, big.NewInt(n), nil)
			high := new(big.Int).Exp(new(big.Int).Add(r, big.NewInt(1)), big.NewInt(n), nil)
			require.LessOrEqual(t, low.Cmp(big.NewInt(x)), 0, "root %d of %d", n, x)
			require.Positive(t, high.Cmp(big.NewInt(x)), "root %d of %d", n, x)
		}
	}
}

// Results too large for memory are refused before they are computed.
func TestHugeResults(t *testing.T) {
	m := newTestMachine()
	huge := Int(1_000_000_000_000)
	for name, f := range map[string]func() (Num, error){
		"2**huge":   func() (Num, error) { return raise(m, Int(2), huge) },
		"7^huge":    func() (Num, error) { return integerPower(m, Int(7), huge) },
		"1<<huge":   func() (Num, error) { return shiftLeft(m, Int(1), huge) },
		"1>>(-huge": func() (Num, error) { return shiftRight(m, Int(1), Int(-huge.i)) },
	} {
		_, err := f()
		require.Error(t, err, name)
	}
}

// No function panics, whatever numbers it is applied to.
func TestFunctionsOfOddNumbers(t *testing.T) {
	m := newTestMachine()
	odd := []Num{Int(0), Int(-1), Int(3), Int(math.MinInt64), bigOf(new(big.Int).Lsh(big.NewInt(-1), 70)),
		ratioOf(big.NewRat(-1, 3)), floatOf(0), floatOf(math.Copysign(0, -1)), floatOf(0.5), floatOf(-2.5),
		floatOf(math.NaN()), floatOf(math.Inf(1)), floatOf(math.Inf(-1)), floatOf(math.MaxFloat64),
		floatOf(math.SmallestNonzeroFloat64)}
	apply := func(f function, args ...Num) {
		e := evaluator{m: m, vals: args}
		require.NotPanics(t, func() { _ = e.apply(&f) }, "%s of %v", f.name, args)
	}
	for _, f := range functions {
		switch f.arity {
		case 0:
			apply(f)
		case 1:
			for _, x := range odd {
				apply(f, x)
			}
		default:
			for _, x := range odd {
				for _, y := range odd {
					apply(f, append([]Num{x, y}, Int(7))[:f.arity]...)
				}
			}
		}
	}
}

// The number of a function leads back to it.
func TestFunctionNumbers(t *testing.T) {
	for i, f := range functions {
		n, ok := Arithmetic.Function(f.name, f.arity)
		require.True(t, ok, f.name)
		require.Equal(t, i, n, f.name)
	}
	_, ok := Arithmetic.Function("no_such_function", 2)
	require.False(t, ok)
}
