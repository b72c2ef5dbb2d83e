package builtin

import (
	"crypto/sha1"
	"encoding/hex"
	"hash"
	"hash/fnv"
	"strconv"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
)

// This file defines hash values that are equal for variants: terms that differ only in the names of their variables.

var variantHashTable = []machine.Builtin{
	{Name: "variant_sha1", Arity: 2, Func: variantSHA1, Modes: "+term, -atom",
		Doc: "A hash value in hexadecimal digits, the same for variants of a term."},
	{Name: "variant_hash", Arity: 2, Func: variantHash, Modes: "+term, -integer",
		Doc: "A hash value, the same for variants of a term."},
}

// variantSHA1 is variant_sha1/2. Attributed variables are a type error, as in SWI-Prolog: whether two of them are
// variants depends on their attributes, which are not hashed.
func variantSHA1(m *machine.Machine, a []cell) (bool, error) {
	for _, v := range m.Variables(a[0]) {
		if attrChain(m, m.Deref(v)) != code.ANil {
			return false, m.TypeError("free_of_attvar", a[0])
		}
	}
	h := sha1.New()
	if err := hashVariant(m, a[0], h); err != nil {
		return false, err
	}
	return m.Unify(a[1], m.NewAtom(hex.EncodeToString(h.Sum(nil)))), nil
}

// variantHash is variant_hash/2. Its values are in the range of those of term_hash/2, and differ from them.
func variantHash(m *machine.Machine, a []cell) (bool, error) {
	h := fnv.New64a()
	if err := hashVariant(m, a[0], h); err != nil {
		return false, err
	}
	return m.Unify(a[1], code.MakeInt(int64(h.Sum64()%hashRange))), nil
}

// hashVariant hashes the symbols of a term depth first, and variables by the order of their first occurrence. The arity
// in the symbol of a functor makes the sequence unambiguous. A cyclic term is a type error, for which only large terms
// are searched.
func hashVariant(m *machine.Machine, c cell, h hash.Hash) error {
	var symbol []byte
	vars := map[cell]int{}
	todo := []cell{c}
	for n := 1; len(todo) > 0; n++ {
		if n == manySteps && !m.IsAcyclic(c) {
			return m.TypeError("acyclic_term", c)
		}
		if n%1024 == 0 {
			if err := m.Charge(1024); err != nil {
				return err
			}
		}
		x := m.Deref(todo[len(todo)-1])
		todo = todo[:len(todo)-1]
		if machine.IsVar(x) {
			number, ok := vars[x]
			if !ok {
				number = len(vars)
				vars[x] = number
			}
			// The letter v is none of appendSymbol, so a variable differs from all symbols.
			_, _ = h.Write([]byte("v" + strconv.Itoa(number) + "\x00"))
			continue
		}
		symbol = appendSymbol(symbol[:0], m, x)
		_, _ = h.Write(symbol)
		if machine.IsCompound(x) {
			for i := m.Functor(x).FunctorArity() - 1; i >= 0; i-- {
				todo = append(todo, m.Arg(x, i))
			}
		}
	}
	return nil
}
