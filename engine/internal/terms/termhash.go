package terms

import (
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"hash/fnv"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/arith"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/internal/stream"
)

// This file defines hash values of terms, which are the same in every process, so that programs may store them. It also
// defines how the parts that a term has several times are given names.

var termHashTable = []machine.Builtin{
	{Name: "term_hash", Arity: 2, Func: termHash, Modes: "+term, -integer",
		Doc: "A hash value of a ground term; stays unbound for others."},
	{Name: "term_hash", Arity: 4, Func: termHashDepth, Modes: "+term, +depth, +range, -integer",
		Doc: "A hash value below Range of the part of a term down to Depth; stays unbound if this part is not ground."},
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
		if stacks.IsVar(x) {
			return 0, false, nil
		}
		symbol = appendSymbol(symbol[:0], m, x)
		_, _ = h.Write(symbol)
		if stacks.IsCompound(x) {
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
	case stacks.IsCompound(c):
		f := m.Functor(c)
		to = append(append(to, 'c'), stacks.AtomText(f.FunctorName())...)
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
	if !stacks.IsCompound(from) {
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
		for entry := m.Deref(m.Arg(from, i)); stacks.IsCompound(entry); {
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
		if stacks.IsVar(x) {
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
		if stacks.IsCompound(x) {
			for i := m.Functor(x).FunctorArity() - 1; i >= 0; i-- {
				todo = append(todo, m.Arg(x, i))
			}
		}
	}
	return nil
}

var factorizeTable = []machine.Builtin{
	{Name: "$factorize", Arity: 4, Func: factorize, Modes: "+term, +what, -skeleton, -list",
		Doc: "Skeleton is term with a variable for each compound that it has twice or more; what is equal or shared."},
	{Name: "$factorize_term", Arity: 3, Func: factorizeShared, Modes: "+term, -skeleton, -list",
		Doc: "As term_factorized/3, for compounds that are the same in memory: those that share parts, and cycles."},
}

// factors finds the classes of the compounds of a term: equal ones are one class, or the same ones only. A compound
// on a cycle is a class by itself.
type factors struct {
	m      *machine.Machine
	equal  bool
	class  map[cell]int   // by compound
	known  map[string]int // by functor and classes of the arguments
	list   []factor       // by class
	closed []int          // classes in the order in which they are complete
	key    []byte
}

// factor is a class of compounds. uses counts the arguments of the class, and the root once more. done is false for a
// class that is not used, because its compound has joined another.
type factor struct {
	compound cell
	done     bool
	uses     int
	name     cell // a variable for it, if it has several uses
	term     cell
}

// visit is a compound on the way from the root, and its next argument.
type visit struct {
	c     cell
	class int
	next  int
}

// factorizeShared is $factorize_term/3, for compounds that are the same in memory.
func factorizeShared(m *machine.Machine, a []cell) (bool, error) {
	return factorizeTerm(m, a[0], a[1], a[2], false)
}

// factorize is $factorize/4. With equal compounds count as one too if they are equal and stand apart.
func factorize(m *machine.Machine, a []cell) (bool, error) {
	return factorizeTerm(m, a[0], a[2], a[3], m.Deref(a[1]) == code.AtomCell("equal"))
}

// factorizeTerm unifies skeleton with the term in which a variable stands for each compound that is met several times,
// and list with what the variables stand for: pairs Variable = Compound in the order of the places. A term that is not
// a compound is its own skeleton. A compound is charged when it is met, a class when it is built.
func factorizeTerm(m *machine.Machine, t, skeleton, list cell, asEquations bool) (bool, error) {
	root := m.Deref(t)
	if !stacks.IsCompound(root) {
		return m.Unify(skeleton, root) && m.Unify(list, code.ANil), nil
	}
	f := &factors{m: m, equal: asEquations, class: map[cell]int{}, known: map[string]int{}}
	if err := f.walk(root); err != nil {
		return false, err
	}
	pairs, err := f.build()
	if err != nil {
		return false, err
	}
	return m.Unify(skeleton, f.value(root)) && m.Unify(list, m.List(pairs, code.ANil)), nil
}

// factorBytes is about what the tables take for a compound.
const factorBytes = 200

// walk finds the classes. Arguments have theirs before the compound that they are of. Each compound is met once, so
// the time is linear, and cyclic terms come to an end. The root counts as used once, by whoever asks.
func (f *factors) walk(root cell) error {
	held := 0
	defer func() { _ = f.m.Hold(-held) }() // giving back cannot fail
	stack := []visit{f.open(root)}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == f.m.Functor(top.c).FunctorArity() {
			f.close(*top)
			stack = stack[:len(stack)-1]
			continue
		}
		arg := f.m.Deref(f.m.Arg(top.c, top.next))
		top.next++
		if _, ok := f.class[arg]; ok || !stacks.IsCompound(arg) {
			continue
		}
		stack = append(stack, f.open(arg))
		if err := f.m.Charge(1); err != nil {
			return err
		}
		held += factorBytes
		if err := f.m.Hold(factorBytes); err != nil {
			held -= factorBytes
			return err
		}
	}
	f.list[f.class[root]].uses++
	return nil
}

// open gives a compound a class of its own before its arguments are looked at, so that a cycle finds it there.
func (f *factors) open(c cell) visit {
	n := len(f.list)
	f.list = append(f.list, factor{compound: c})
	f.class[c] = n
	return visit{c: c, class: n}
}

// close finds whether a compound with the same arguments has been met. If so it joins that one's class, and
// its own class is not used. If not the uses of the arguments are counted. A compound that a cycle leads
// back to keeps its class.
func (f *factors) close(v visit) {
	own := &f.list[v.class]
	if f.equal && own.uses == 0 { // no way leads back to it
		key := f.keyOf(v.c)
		if other, ok := f.known[string(key)]; ok {
			f.class[v.c] = other
			return
		}
		f.known[string(key)] = v.class
	}
	own.done = true
	f.closed = append(f.closed, v.class)
	for i := range f.m.Functor(v.c).FunctorArity() {
		if n, ok := f.class[f.m.Deref(f.m.Arg(v.c, i))]; ok {
			f.list[n].uses++
		}
	}
}

// keyOf returns bytes that are the same for compounds of one class. They name the classes of arguments and
// not their terms, so they stay short. The bytes are valid until the next call.
func (f *factors) keyOf(c cell) []byte {
	key := binary.LittleEndian.AppendUint64(f.key[:0], uint64(f.m.Functor(c)))
	for i := range f.m.Functor(c).FunctorArity() {
		arg := f.m.Deref(f.m.Arg(c, i))
		switch n, ok := f.class[arg]; {
		case ok:
			key = binary.LittleEndian.AppendUint64(append(key, 'c'), uint64(n))
		case arg.Tag() == code.Blob:
			key = append(appendSymbol(append(key, 'b'), f.m, arg), 0)
		default:
			key = binary.LittleEndian.AppendUint64(append(key, 'a'), uint64(arg))
		}
	}
	f.key = key
	return key
}

// build makes the terms of all classes and returns Variable = Term for those with several uses. A compound is built
// after its arguments, the order in which they were closed. For equal compounds a pair comes behind the pairs of its
// parts. For shared ones the pairs come in the order in which the compounds are met.
func (f *factors) build() ([]cell, error) {
	for i := range f.list {
		if f.list[i].uses > 1 && f.list[i].done {
			f.list[i].name = f.m.NewVar()
		}
	}
	var pairs []cell
	for _, n := range f.closed {
		c := f.list[n].compound
		args := make([]cell, f.m.Functor(c).FunctorArity())
		for i := range args {
			args[i] = f.value(f.m.Deref(f.m.Arg(c, i)))
		}
		f.list[n].term = f.m.NewCompound(f.m.Functor(c), args)
		if err := f.m.Charge(1); err != nil {
			return nil, err
		}
		if f.equal && f.list[n].name != 0 {
			pairs = append(pairs, f.m.NewStruct("=", f.list[n].name, f.list[n].term))
		}
	}
	for _, x := range f.list {
		if !f.equal && x.name != 0 {
			pairs = append(pairs, f.m.NewStruct("=", x.name, x.term))
		}
	}
	return pairs, nil
}

// value returns what stands for a part of the term in the skeleton: the variable of its class if it has
// one, else its term. What is no compound stands for itself.
func (f *factors) value(c cell) cell {
	n, ok := f.class[c]
	switch {
	case !ok:
		return c
	case f.list[n].name != 0:
		return f.list[n].name
	}
	return f.list[n].term
}

// This part defines numbervars/1,3,4, which bind variables to terms '$VAR'(N). Writing with numbervars(true) shows
// these as letters and numbers.

var numberVarsTable = []machine.Builtin{
	{Name: "numbervars", Arity: 1, Func: numbervars1, Modes: "?term",
		Doc: "Binds the variables to '$VAR'(0), '$VAR'(1) ..."},
	{Name: "numbervars", Arity: 3, Func: numbervars, Modes: "?term, +integer, -integer",
		Doc: "Binds the variables to '$VAR'(Start) ..., up to End without End."},
	{Name: "numbervars", Arity: 4, Func: numbervarsOptions, Modes: "?term, +integer, -integer, +list",
		Doc: "As numbervars/3, with options functor_name(F), attvar(skip, bind or error), singletons(B)."},
}

// numbering holds the options of numbervars/4.
type numbering struct {
	functor    cell
	attributed string // what to do with attributed variables: bind, skip or error
	singletons bool   // variables that occur once become '$VAR'('_')
}

// plainNumbering holds the options of numbervars/1 and /3. Attributed variables are an error, because a binding would
// wake their goals.
var plainNumbering = numbering{functor: code.FVar, attributed: "error"}

// numbervars1 is numbervars/1. The numbers begin with 0.
func numbervars1(m *machine.Machine, a []cell) (bool, error) {
	_, err := plainNumbering.run(m, a[0], arith.Int(0))
	return err == nil, err
}

// numbervars is numbervars/3. The end is unified after the variables are bound. If that fails backtracking unbinds
// them.
func numbervars(m *machine.Machine, a []cell) (bool, error) { return plainNumbering.unify(m, a) }

// numbervarsOptions is numbervars/4.
func numbervarsOptions(m *machine.Machine, a []cell) (bool, error) {
	options, err := stream.OptionItems(m, a[3])
	if err != nil {
		return false, err
	}
	nv := plainNumbering
	for _, option := range options {
		if err := nv.option(m, m.Deref(option)); err != nil {
			return false, err
		}
	}
	return nv.unify(m, a)
}

// option sets one option of numbervars/4, whose value must be an atom. Unknown ones are ignored, whatever their value.
func (nv *numbering) option(m *machine.Machine, option cell) error {
	if option == code.AtomCell("singletons") {
		nv.singletons = true
		return nil
	}
	o, ok := stream.AsOption(m, option, "numbervar_option")
	if !ok {
		return m.TypeError("option", option)
	}
	name, err := m.AtomArg(o.Value)
	switch o.Name {
	case "functor_name":
		nv.functor = code.MakeFunctor(m.NewAtom(name).Atom(), 1)
	case "attvar":
		if err == nil && name != "bind" && name != "skip" && name != "error" {
			return m.DomainError("numbervar_option", option)
		}
		nv.attributed = name
	case "singletons":
		if nv.singletons = name == "true"; !nv.singletons && name != "false" && !stacks.IsVar(o.Value) {
			return m.TypeError("bool", o.Value)
		}
	default:
		return nil
	}
	return err
}

// unify numbers the variables of a[0] from a[1] and unifies a[2] with the next number.
func (nv numbering) unify(m *machine.Machine, a []cell) (bool, error) {
	start, err := arith.Integer(m, a[1])
	if err != nil {
		return false, err
	}
	end, err := nv.run(m, a[0], start)
	return err == nil && arith.Unify(m, a[2], end), err
}

// run binds the variables of a term and returns the number after the last one used. Attributed variables that are
// skipped take no number.
func (nv numbering) run(m *machine.Machine, t cell, next arith.Num) (arith.Num, error) {
	var single map[cell]bool
	if nv.singletons {
		single = singletons(m, t)
	}
	for _, v := range m.Variables(t) {
		v = m.Deref(v)
		if nv.attributed != "bind" && attrChain(m, v) != code.ANil {
			if nv.attributed == "error" {
				return next, m.TypeError("free_of_attvar", t)
			}
			continue
		}
		name := code.AtomCell("_")
		if !single[v] {
			name = arith.Store(m, next)
			next, _ = arith.Sum(m, next, arith.Int(1))
		}
		m.Unify(v, m.NewCompound(nv.functor, []cell{name}))
	}
	return next, nil
}

// singletons returns the variables of a term, true for those that occur once. It visits a compound twice at most.
// That is enough to count to two, and lets it end for cyclic terms.
func singletons(m *machine.Machine, t cell) map[cell]bool {
	single := map[cell]bool{}
	seen := map[cell]int{}
	todo := []cell{t}
	for len(todo) > 0 {
		c := m.Deref(todo[len(todo)-1])
		todo = todo[:len(todo)-1]
		if stacks.IsVar(c) {
			_, again := single[c]
			single[c] = !again
		}
		if !stacks.IsCompound(c) || seen[c] == 2 {
			continue
		}
		seen[c]++
		todo = append(todo, argsOf(m, c)...)
	}
	return single
}
