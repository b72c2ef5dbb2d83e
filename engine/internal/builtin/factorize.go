package builtin

import (
	"encoding/binary"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
)

// This file defines how the parts that a term has several times are given names.

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
	if !machine.IsCompound(root) {
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
		if _, ok := f.class[arg]; ok || !machine.IsCompound(arg) {
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
