package arith_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
)

// This file defines the test of arithmetic that is done on the heap against package math/big.

// bigSamples are integers around the sizes at which another way of computing is taken.
func bigSamples() []*big.Int {
	var list []*big.Int
	for _, bits := range []uint{0, 1, 59, 60, 61, 62, 63, 64, 65, 127, 128, 200, 3000} {
		for _, add := range []int64{-1, 0, 1} {
			n := new(big.Int).Lsh(big.NewInt(1), bits)
			n.Add(n, big.NewInt(add))
			list = append(list, n, new(big.Int).Neg(n))
		}
	}
	return list
}

// floorMod is mod as ISO 13211-1 defines it: the sign is that of the divisor.
func floorMod(z, x, y *big.Int) *big.Int {
	z.Mod(x, y)
	if y.Sign() < 0 && z.Sign() != 0 {
		z.Add(z, y)
	}
	return z
}

func TestBigArithmetic(t *testing.T) {
	p := engine.New(nil)
	require.NoError(t, p.Load(t.Context()))
	ops := map[string]func(z, x, y *big.Int) *big.Int{
		"+": (*big.Int).Add, "-": (*big.Int).Sub, "*": (*big.Int).Mul, "//": (*big.Int).Quo,
		"rem": (*big.Int).Rem, "mod": floorMod, `/\`: (*big.Int).And, `\/`: (*big.Int).Or, "xor": (*big.Int).Xor,
	}
	samples := bigSamples()
	for name, op := range ops {
		for i, x := range samples {
			var goal []byte
			for j := i % 5; j < len(samples); j += 5 {
				y := samples[j]
				if y.Sign() != 0 || name != "//" && name != "rem" && name != "mod" {
					goal = fmt.Appendf(goal, "check(%v, %v, %v), ", x, y, op(new(big.Int), x, y))
				}
			}
			query := fmt.Sprintf("Fs = [%strue], forall(member(check(X, Y, Z), Fs), Z =:= X %s Y)", goal, name)
			_, err := p.Once(t.Context(), query, nil)
			require.NoError(t, err, "%v %s ...", x, name)
		}
	}
}
