package terms

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines what is done often with dicts; system/dicts.pl has the rest. A dict is a compound as package term
// describes it.

var dictTable = []machine.Builtin{
	{Name: "is_dict", Arity: 1, Func: isDict, Modes: "@term", Doc: "The term is a dict."},
	{Name: "is_dict", Arity: 2, Func: isDictTag, Modes: "@term, -tag", Doc: "The term is a dict with the tag."},
	{Name: "get_dict", Arity: 3, Func: getDict, Nondet: true, Modes: "?key, +dict, -value",
		Doc: "The dict has the value for the key; without a key, each key and value in order."},
	{Name: "put_dict", Arity: 3, Func: putDicts, Modes: "+new, +dict, -result",
		Doc: "Result is the dict with the pairs of New, a dict or a list of pairs, which replace pairs with the same keys."},
	{Name: "put_dict", Arity: 4, Func: putDict, Modes: "+key, +dict, +value, -new",
		Doc: "New is the dict with the value for the key."},
	{Name: "del_dict", Arity: 4, Func: delDict, Modes: "+key, +dict, ?value, -new",
		Doc: "New is the dict without the key, which has the value."},
	{Name: "$dict_pairs", Arity: 2, Func: dictPairs, Modes: "+dict, -pairs",
		Doc: "The pairs Key-Value of the dict, in the order of the keys."},
	{Name: "$dict", Arity: 3, Func: MakeDict, Modes: "+tag, +pairs, -dict",
		Doc: "The dict with the tag and the pairs Key-Value."},
	{Name: "$dict_data", Arity: 2, Func: dictOfData, Modes: "+data, -dict",
		Doc: "The dict of a dict or a list of Key-Value, Key=Value, Key:Value and Key(Value)."},
	{Name: "$dict_at", Arity: 3, Func: dictAt, Modes: "+key, +dict, -integer",
		Doc: "The value of the key is that argument of the dict."},
}

// isDictKey reports whether a dereferenced cell may be a key: an atom or a small integer.
func isDictKey(c cell) bool { return c.Tag() == code.Atom || c.Tag() == code.Int }

// dictArg returns an argument that must be a dict.
func dictArg(m *machine.Machine, c cell) (cell, error) {
	c = m.Deref(c)
	switch {
	case stacks.IsVar(c):
		return 0, m.InstantiationError()
	case !machine.IsDict(m, c):
		return 0, m.TypeError("dict", c)
	}
	return c, nil
}

// keyArg returns an argument that must be a key. The type error has the name that SWI-Prolog gives to the type.
func keyArg(m *machine.Machine, c cell) (cell, error) {
	c = m.Deref(c)
	switch {
	case stacks.IsVar(c):
		return 0, m.InstantiationError()
	case !isDictKey(c):
		return 0, m.TypeError("dict-key", c)
	}
	return c, nil
}

// dictEntry is a place in a dict. at is the index, from 0, of the argument that has the value of the key, or before
// which value and key would be inserted.
type dictEntry struct {
	dict, key cell
	at        int
	found     bool
}

// entryOf returns the place of the key a[0] in the dict a[1], or in that of a list of pairs. The dict is checked before
// the key.
func entryOf(m *machine.Machine, a []cell) (e dictEntry, err error) {
	if e.dict, err = dictData(m, a[1]); err == nil {
		e.key, err = keyArg(m, a[0])
	}
	if err != nil {
		return dictEntry{}, err
	}
	e.at, e.found = machine.DictAt(m, e.dict, e.key)
	return e, nil
}

// dictData returns a dict as it is, and makes one of a list of pairs.
func dictData(m *machine.Machine, data cell) (cell, error) {
	data = m.Deref(data)
	switch {
	case stacks.IsVar(data):
		return 0, m.InstantiationError()
	case machine.IsDict(m, data):
		return data, nil
	}
	items, tail := m.AppendList(nil, data)
	switch {
	case tail == data && data != code.ANil:
		return 0, m.TypeError("dict-data", data)
	case tail != code.ANil:
		return 0, m.TypeError("list", data)
	}
	for i, item := range items {
		pair, err := dictPair(m, m.Deref(item))
		if err != nil {
			return 0, err
		}
		items[i] = pair
	}
	made := []cell{m.NewVar(), m.List(items, code.ANil), m.NewVar()}
	_, err := MakeDict(m, made)
	return m.Deref(made[2]), err
}

// dictPair returns Key-Value of an item of a list that stands for a dict.
func dictPair(m *machine.Machine, item cell) (cell, error) {
	if stacks.IsVar(item) {
		return 0, m.InstantiationError()
	}
	if stacks.IsCompound(item) {
		switch f := m.Functor(item); {
		case f == code.FMinus:
			return item, nil
		case f.FunctorArity() == 1:
			return m.NewStruct("-", code.MakeAtom(f.FunctorAtom()), m.Arg(item, 0)), nil
		case f == code.FColon, f.FunctorArity() == 2 && code.AtomText(f.FunctorAtom()) == "=":
			return m.NewStruct("-", m.Arg(item, 0), m.Arg(item, 1)), nil
		}
	}
	return 0, m.TypeError("key-value", item)
}

// dictOfData is $dict_data/2.
func dictOfData(m *machine.Machine, a []cell) (bool, error) {
	dict, err := dictData(m, a[0])
	return err == nil && m.Unify(a[1], dict), err
}

// isDict is is_dict/1. The functor decides: its name is that of dicts, and its arity is odd.
func isDict(m *machine.Machine, a []cell) (bool, error) { return machine.IsDict(m, m.Deref(a[0])), nil }

// isDictTag is is_dict/2. It unifies the tag, which may be a variable, and fails for terms that are no dicts.
func isDictTag(m *machine.Machine, a []cell) (bool, error) {
	c := m.Deref(a[0])
	return machine.IsDict(m, c) && m.Unify(a[1], m.Arg(c, 0)), nil
}

// getDict is get_dict/3. A key that the dict does not have makes it fail.
func getDict(m *machine.Machine, a []cell) (bool, error) {
	dict, err := dictArg(m, a[1])
	if err != nil {
		return false, err
	}
	if stacks.IsVar(m.Deref(a[0])) {
		return nextPair(m, dict)
	}
	key, err := keyArg(m, a[0])
	if err != nil {
		return false, err
	}
	at, found := machine.DictAt(m, dict, key)
	return found && m.Unify(a[2], m.Arg(dict, at)), nil
}

// nextPair enumerates the pairs of the dict as answers of get_dict/3, the last without a choice point.
func nextPair(m *machine.Machine, dict cell) (bool, error) {
	n := m.Functor(dict).FunctorArity()
	if n < 3 {
		return false, nil
	}
	at := 1
	return m.Alternatives(func(m *machine.Machine, a []cell) (ok, more bool, err error) {
		dict := m.Deref(a[1])
		ok = m.Unify(a[0], m.Arg(dict, at+1)) && m.Unify(a[2], m.Arg(dict, at))
		at += 2
		return ok, at < n, nil
	})
}

// dictAt is $dict_at/3. The argument is counted from 1, as arg/3 counts.
func dictAt(m *machine.Machine, a []cell) (bool, error) {
	if _, err := dictArg(m, a[1]); err != nil {
		return false, err
	}
	e, err := entryOf(m, a)
	return e.found && m.Unify(a[2], code.MakeInt(int64(e.at+1))), err
}

// partsOf copies the arguments of a dict, with room for a pair more, to the room that is given if that is enough. The
// caller may change the slice: the dict stays as it is.
func partsOf(m *machine.Machine, dict cell, room []cell) []cell {
	n := m.Functor(dict).FunctorArity()
	if n+2 > cap(room) {
		room = make([]cell, 0, n+2)
	}
	list := room[:n]
	for i := range list {
		list[i] = m.Arg(dict, i)
	}
	return list
}

// newDict makes a dict of its arguments. They are the tag, and then a value and its key for each pair, in the order of
// the keys. The caller has sorted the pairs and excluded equal keys. The room is checked before the dict is made.
func newDict(m *machine.Machine, args []cell) (cell, error) {
	if err := machine.Fits(m, 8*len(args)); err != nil {
		return 0, err
	}
	return m.NewCompound(code.MakeFunctor(machine.DictName.Atom(), len(args)), args), nil
}

// fewPairs is how many pairs of a dict are copied without an allocation.
const fewPairs = 8

// putDict is put_dict/4. The old dict stays as it is. The new dict has the same tag, and shares the other values.
func putDict(m *machine.Machine, a []cell) (bool, error) {
	e, err := entryOf(m, a)
	if err != nil {
		return false, err
	}
	var room [2*fewPairs + 3]cell
	args := partsOf(m, e.dict, room[:0])
	if e.found {
		args[e.at] = a[2]
	} else {
		args = slices.Insert(args, e.at, a[2], e.key)
	}
	next, err := newDict(m, args)
	return err == nil && m.Unify(a[3], next), err
}

// putDicts is put_dict/3. The pairs of both dicts are merged by the order of their keys.
func putDicts(m *machine.Machine, a []cell) (bool, error) {
	dict, err := dictData(m, a[1])
	if err != nil {
		return false, err
	}
	added, err := dictData(m, a[0])
	if err != nil {
		return false, err
	}
	var room [4*fewPairs + 1]cell
	args := append(room[:0], m.Arg(dict, 0))
	i, old := 1, m.Functor(dict).FunctorArity()
	for j, n := 1, m.Functor(added).FunctorArity(); j < n; j += 2 {
		key := m.Arg(added, j+1)
		for i < old && m.Arg(dict, i+1) != key && m.Compare(m.Arg(dict, i+1), key) < 0 {
			args = append(args, m.Arg(dict, i), m.Arg(dict, i+1))
			i += 2
		}
		if i < old && m.Arg(dict, i+1) == key {
			i += 2
		}
		args = append(args, m.Arg(added, j), key)
	}
	for ; i < old; i++ {
		args = append(args, m.Arg(dict, i))
	}
	next, err := newDict(m, args)
	return err == nil && m.Unify(a[2], next), err
}

// delDict is del_dict/4. It fails when the dict does not have the key, or not with the value.
func delDict(m *machine.Machine, a []cell) (bool, error) {
	e, err := entryOf(m, a)
	if err != nil || !e.found || !m.Unify(a[2], m.Arg(e.dict, e.at)) {
		return false, err
	}
	next, err := newDict(m, slices.Delete(partsOf(m, e.dict, nil), e.at, e.at+2))
	return err == nil && m.Unify(a[3], next), err
}

// dictPairs is $dict_pairs/2.
func dictPairs(m *machine.Machine, a []cell) (bool, error) {
	dict, err := dictArg(m, a[0])
	if err != nil {
		return false, err
	}
	args := partsOf(m, dict, nil)
	pairs := make([]cell, 0, len(args)/2)
	for i := 1; i < len(args); i += 2 {
		pairs = append(pairs, m.NewCompound(code.FMinus, []cell{args[i+1], args[i]}))
	}
	return m.Unify(a[1], m.List(pairs, code.ANil)), nil
}

// MakeDict is $dict/3. The pairs are a list of Key-Value in any order. A key that occurs twice is the error
// duplicate_key(Key), as in SWI-Prolog. The tag may be a variable.
func MakeDict(m *machine.Machine, a []cell) (bool, error) {
	s := newSorter(m)
	defer s.free()
	if err := s.read(a[1]); err != nil {
		return false, err
	}
	s.keys = s.ownKeys()
	for i, item := range s.items {
		key, err := pairKey(m, item)
		if err != nil {
			return false, err
		}
		if s.keys[i], err = keyArg(m, key); err != nil {
			return false, err
		}
	}
	items, err := s.run()
	if err != nil {
		return false, err
	}
	args := append(make([]cell, 0, 1+2*len(items)), a[0])
	for _, item := range items {
		item = m.Deref(item)
		key := m.Deref(m.Arg(item, 0))
		// The pairs are sorted, so equal keys are neighbours.
		if n := len(args); n > 1 && args[n-1] == key {
			formal := m.NewStruct("duplicate_key", key)
			return false, m.Throw(m.NewStruct("error", formal, m.NewVar()))
		}
		args = append(args, m.Arg(item, 1), key)
	}
	dict, err := newDict(m, args)
	return err == nil && m.Unify(a[2], dict), err
}
