package builtin

import (
	"crypto/sha1"
	"encoding/hex"
	"hash"
	"hash/fnv"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
)

// This file defines hash values of terms. They are the same in every process, so that programs may store them.

var termHashTable = []machine.Builtin{
	{Name: "term_hash", Arity: 2, Func: termHash, Modes: "+term, -integer",
		Doc: "A hash value of a ground term; stays unbound for others."},
	{Name: "term_hash", Arity: 4, Func: termHashDepth, Modes: "+term, +depth, +range, -integer",
		Doc: "A hash value below Range of the part of a term down to Depth; stays unbound if that is not ground."},
	{Name: "$grown_buckets", Arity: 2, Func: grownBuckets, Modes: "+buckets, -buckets",
		Doc: "The entries of the buckets in four times as many."},
}

// hashRange is the number of values of term_hash/2, as in SWI-Prolog. The values themselves differ from those of
// SWI-Prolog.
const hashRange = 1 << 24

// termHash is term_hash/2. The hash of a term with variables is unbound, since binding one would change it.
func termHash(m *machine.Machine, a []cell) (bool, error) {
	h, ok, err := hashTerm(m, a[0], math.MaxInt)
	if !ok || err != nil {
		return err == nil, err
	}
	return m.Unify(a[1], code.MakeInt(int64(h%hashRange))), nil
}

// termHashDepth is term_hash/4. Depth -1 means all of the term; at depth 0 a term counts as nothing, whatever it is.
// The types of depth and range are checked before their values.
func termHashDepth(m *machine.Machine, a []cell) (bool, error) {
	depth, err := m.IntArg(a[1])
	if err != nil {
		return false, err
	}
	limit, err := m.IntArg(a[2])
	switch {
	case err != nil:
		return false, err
	case depth < -1:
		return false, m.DomainError("not_less_than_zero", a[1])
	case limit < 1:
		return false, m.DomainError("not_less_than_one", a[2])
	case depth == -1:
		depth = math.MaxInt
	}
	h, ok, err := hashTerm(m, a[0], depth)
	if !ok || err != nil {
		return err == nil, err
	}
	return m.Unify(a[3], code.MakeInt(int64(h%uint64(limit)))), nil
}

// hashStep is a subterm to be hashed, and how many levels of it count, itself included.
type hashStep struct {
	c     cell
	depth int
}

// hashTerm hashes the symbols of a term depth first, with FNV-1a. ok is false when it meets a variable. A cyclic term
// is a type error; the search for a cycle costs a walk, so it waits until the term has proved large.
func hashTerm(m *machine.Machine, c cell, depth int) (hash uint64, ok bool, err error) {
	h := fnv.New64a()
	var symbol []byte
	// Most terms are small, and their stack is on that of Go.
	var few [32]hashStep
	todo := append(few[:0], hashStep{c, depth})
	for n := 1; len(todo) > 0; n++ {
		if n == manySteps && !m.IsAcyclic(c) {
			return 0, false, m.TypeError("acyclic_term", c)
		}
		if n%1024 == 0 {
			if err := m.Charge(1024); err != nil {
				return 0, false, err
			}
		}
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		x := m.Deref(s.c)
		if s.depth == 0 {
			continue
		}
		if machine.IsVar(x) {
			return 0, false, nil
		}
		symbol = appendSymbol(symbol[:0], m, x)
		_, _ = h.Write(symbol)
		if machine.IsCompound(x) {
			for i := m.Functor(x).FunctorArity() - 1; i >= 0; i-- {
				todo = append(todo, hashStep{m.Arg(x, i), s.depth - 1})
			}
		}
	}
	return h.Sum64() >> 8, true, nil
}

// appendSymbol appends the bytes that stand for an atomic term or a functor: a letter for the kind, the text, and a
// zero byte. Terms of different kinds so have different bytes: c is a compound, with its arity behind the name, n a
// number, a an atom, s a string.
func appendSymbol(to []byte, m *machine.Machine, c cell) []byte {
	switch {
	case machine.IsCompound(c):
		f := m.Functor(c)
		to = append(append(to, 'c'), machine.AtomText(f.FunctorName())...)
		to = utf8.AppendRune(to, rune(f.FunctorArity()))
	case c.Tag() == code.Int:
		to = strconv.AppendInt(append(to, 'n'), c.Int(), 10)
	default:
		kind := byte('n')
		switch {
		case c.Tag() == code.Atom:
			kind = 'a'
		case m.IsString(c):
			kind = 's'
		}
		text, _ := m.AtomicText(c)
		to = append(append(to, kind), text...)
	}
	return append(to, 0)
}

// grownBuckets is $grown_buckets/2: the step by which the hash tables of libraries grow, in Go because it visits all
// entries. Buckets are the arguments of a compound, and their number is a power of two. A bucket is nil or an entry: a
// compound whose last two arguments are the hash value, an integer, and the rest of the bucket. An entry goes into the
// bucket that the low bits of its hash value tell; it is copied, since a term is not changed here.
func grownBuckets(m *machine.Machine, a []cell) (bool, error) {
	// entryCells is the number of cells of a usual entry, for the check of memory.
	const times, entryCells = 4, 6
	from := m.Deref(a[0])
	if !machine.IsCompound(from) {
		return false, m.TypeError("compound", from)
	}
	f := m.Functor(from)
	size := f.FunctorArity()
	if err := machine.Fits(m, 8*(times*size+entryCells*size)); err != nil {
		return false, err
	}
	empty := code.AtomCell("nil")
	buckets := make([]cell, times*size)
	for i := range buckets {
		buckets[i] = empty
	}
	for i := size - 1; i >= 0; i-- {
		for entry := m.Deref(m.Arg(from, i)); machine.IsCompound(entry); {
			parts := argsOf(m, entry)
			last := len(parts) - 1
			if last < 1 || m.Deref(parts[last-1]).Tag() != code.Int {
				return false, m.TypeError("bucket", entry)
			}
			at := m.Deref(parts[last-1]).Int() & int64(len(buckets)-1)
			rest := m.Deref(parts[last])
			parts[last] = buckets[at]
			buckets[at] = m.NewCompound(m.Functor(entry), parts)
			entry = rest
		}
	}
	return m.Unify(a[1], m.NewCompound(code.MakeFunctor(f.FunctorAtom(), len(buckets)), buckets)), nil
}

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
