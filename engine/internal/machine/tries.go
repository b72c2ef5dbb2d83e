package machine

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines tries: tables from terms to terms, in which variants are one key. They belong to the run, whose
// engines share them, and are not undone by backtracking.

var trieTable = []Builtin{
	{Name: "trie_new", Arity: 1, Func: trieNew, Modes: "-trie", Doc: "Trie is a new trie."},
	{Name: "trie_destroy", Arity: 1, Func: taking((*Machine).trieArg, trieDestroy), Modes: "+trie",
		Doc: "Destroys a trie."},
	{Name: "is_trie", Arity: 1, Func: isTrie, Modes: "@term", Doc: "Term is a trie."},
	{Name: "trie_insert", Arity: 2, Func: taking((*Machine).ownTrie, onKey(trieInsert)), Modes: "+trie, +key",
		Doc: "Adds a key; fails if the trie has a variant of it."},
	{Name: "trie_insert", Arity: 3, Func: taking((*Machine).ownTrie, onKey(trieInsert)), Modes: "+trie, +key, +value",
		Doc: "Adds a key with a value; fails if a variant of the key has the same value, throws if it has another."},
	{Name: "trie_update", Arity: 3, Func: taking((*Machine).ownTrie, onKey(trieUpdate)), Modes: "+trie, +key, +value",
		Doc: "Gives a key a value, which replaces its old value."},
	{Name: "trie_lookup", Arity: 3, Func: taking((*Machine).trieArg, onKey(trieLookup)), Modes: "+trie, +key, -value",
		Doc: "Value is the value of a variant of key."},
	{Name: "trie_delete", Arity: 3, Func: taking((*Machine).ownTrie, onKey(trieDelete)), Modes: "+trie, +key, ?value",
		Doc: "Removes the variant of key if its value unifies with value."},
	{Name: "trie_gen", Arity: 2, Func: taking((*Machine).trieArg, trieGen), Modes: "+trie, ?key", Nondet: true,
		Doc: "Key unifies with a key of a trie."},
	{Name: "trie_gen", Arity: 3, Func: taking((*Machine).trieArg, trieGen), Modes: "+trie, ?key, -value", Nondet: true,
		Doc: "Key unifies with a key of a trie, which has the value."},
	{Name: "trie_gen_compiled", Arity: 2, Func: taking((*Machine).trieArg, trieGen), Modes: "+trie, ?key", Nondet: true,
		Doc: "The same as trie_gen/2."},
	{Name: "trie_gen_compiled", Arity: 3, Func: taking((*Machine).trieArg, trieGen), Modes: "+trie, ?key, -value",
		Nondet: true, Doc: "The same as trie_gen/3."},
	{Name: "$trie_size", Arity: 2, Func: taking((*Machine).trieArg, trieSize), Modes: "+trie, -count",
		Doc: "A trie has count keys."},
}

// trie is a table. Keys are found by the bytes of their frozen form.
type trie struct {
	entries map[string]*trieEntry
	order   []*trieEntry // as they were added; some may be gone
	kind    trieKind
	bytes   int  // of the entries
	shared  bool // by several runs: it is copied to be changed
}

// trieEntry is a key and its value.
type trieEntry struct {
	key, value Saved
	bytes      int
	gone       bool
}

// trieKind says whether the keys of a trie have values. The first one decides.
type trieKind uint8

const (
	trieEmpty trieKind = iota
	trieSet
	trieMap
)

var fnTrie = code.Functor("$trie", 1)

// chargeRoot notes bytes that the run keeps, whichever of its machines has asked for them.
func (m *Machine) chargeRoot(n int) error {
	if err := m.Hold(n); err != nil {
		return err
	}
	if root := m.team.root; root != m {
		m.ExtraBytes -= n
		root.ExtraBytes += n
	}
	return nil
}

// trieArg returns the trie that an argument stands for.
func (m *Machine) trieArg(c cell) (*trie, error) {
	c = m.Deref(c)
	if stacks.IsVar(c) {
		return nil, m.InstantiationError()
	}
	if c.Tag() != code.Str || m.Functor(c) != fnTrie {
		return nil, m.TypeError("trie", c)
	}
	if t := m.findTrie(c); t != nil {
		return t, nil
	}
	return nil, m.ExistenceError("trie", c)
}

// ownTrie returns the trie that an argument stands for, to be changed.
func (m *Machine) ownTrie(c cell) (*trie, error) {
	t, err := m.trieArg(c)
	if err != nil || !t.shared {
		return t, err
	}
	own := &trie{entries: make(map[string]*trieEntry, len(t.entries)), kind: t.kind, bytes: t.bytes}
	for _, old := range t.order {
		if !old.gone {
			e := *old
			own.order = append(own.order, &e)
			own.entries[string(appendKey(nil, e.key.term))] = &e
		}
	}
	m.team.tries[m.Deref(m.Arg(m.Deref(c), 0)).Int()] = own
	return own, nil
}

// findTrie returns the trie that '$trie'(N) stands for, or nil.
func (m *Machine) findTrie(c cell) *trie {
	if n := m.Deref(m.Arg(c, 0)); n.Tag() == code.Int && m.team != nil {
		return m.team.tries[n.Int()]
	}
	return nil
}

func trieNew(m *Machine, a []cell) (bool, error) {
	const trieBytes = 256
	m.ensureTeam()
	if err := m.chargeRoot(trieBytes); err != nil {
		return false, err
	}
	if m.team.tries == nil {
		m.team.tries = map[int64]*trie{}
	}
	m.team.last++
	number := int64(m.team.last)
	m.team.tries[number] = &trie{entries: map[string]*trieEntry{}}
	return m.Unify(a[0], m.NewCompound(fnTrie, []cell{code.MakeInt(number)})), nil
}

func trieDestroy(m *Machine, t *trie, a []cell) (bool, error) {
	m.team.root.ExtraBytes -= t.bytes
	delete(m.team.tries, m.Deref(m.Arg(m.Deref(a[0]), 0)).Int())
	return true, nil
}

func isTrie(m *Machine, a []cell) (bool, error) {
	c := m.Deref(a[0])
	return c.Tag() == code.Str && m.Functor(c) == fnTrie && m.findTrie(c) != nil, nil
}

// onKey returns a function that calls another with the bytes of the key in the second argument.
func onKey(
	f func(m *Machine, t *trie, key string, a []cell) (bool, error),
) func(*Machine, *trie, []cell) (bool, error) {
	return func(m *Machine, t *trie, a []cell) (bool, error) {
		if !m.IsAcyclic(a[1]) {
			return false, m.TypeError("acyclic_term", a[1])
		}
		key := m.FreezeWith(a[1], true)
		if hasAttributed(key.Cells) {
			return false, m.TypeError("free_of_attvar", a[1])
		}
		return f(m, t, string(appendKey(nil, key)), a)
	}
}

// trieInsert is trie_insert/2 and trie_insert/3.
func trieInsert(m *Machine, t *trie, key string, a []cell) (bool, error) {
	if old := t.entries[key]; old != nil {
		if len(a) == 3 && string(appendKey(nil, old.value.term)) != string(appendKey(nil, m.FreezeWith(a[2], true))) {
			return false, m.PermissionError("modify", "trie_key", a[1])
		}
		return false, nil
	}
	return true, m.putEntry(t, key, a)
}

func trieUpdate(m *Machine, t *trie, key string, a []cell) (bool, error) {
	m.dropEntry(t, key)
	return true, m.putEntry(t, key, a)
}

// putEntry adds an entry with the arguments of trie_insert/2,3.
func (m *Machine) putEntry(t *trie, key string, a []cell) error {
	const entryBytes = 160
	kind, value := trieSet, code.ATrue
	if len(a) == 3 {
		kind, value = trieMap, a[2]
	}
	if t.kind != trieEmpty && t.kind != kind {
		return m.PermissionError("insert", "trie", a[0])
	}
	e := &trieEntry{key: m.share(a[1]), value: m.share(value)}
	e.bytes = entryBytes + len(key) + e.key.Bytes() + e.value.Bytes()
	if err := m.chargeRoot(e.bytes); err != nil {
		return err
	}
	t.kind = kind
	t.bytes += e.bytes
	t.entries[key] = e
	t.order = append(t.order, e)
	Outlasts(m, 0)
	return nil
}

// dropEntry removes an entry, if there is one.
func (m *Machine) dropEntry(t *trie, key string) {
	e := t.entries[key]
	if e == nil {
		return
	}
	Outlasts(m, 0)
	e.gone = true
	delete(t.entries, key)
	t.bytes -= e.bytes
	m.team.root.ExtraBytes -= e.bytes
	if len(t.order) > 2*len(t.entries)+8 {
		t.order = slices.DeleteFunc(slices.Clone(t.order), func(e *trieEntry) bool { return e.gone })
	}
}

func trieLookup(m *Machine, t *trie, key string, a []cell) (bool, error) {
	e := t.entries[key]
	return e != nil && m.Unify(a[2], m.Restore(e.value)), nil
}

func trieDelete(m *Machine, t *trie, key string, a []cell) (bool, error) {
	ok, err := trieLookup(m, t, key, a)
	if ok {
		m.dropEntry(t, key)
	}
	return ok, err
}

// trieGen is trie_gen/2 and trie_gen/3. It goes through the entries that were there when it was called and still are.
func trieGen(m *Machine, t *trie, a []cell) (bool, error) {
	rest := slices.Clip(t.order)
	return m.Alternatives(func(m *Machine, a []cell) (ok, more bool, err error) {
		for len(rest) > 0 && rest[0].gone {
			rest = rest[1:]
		}
		if len(rest) == 0 {
			return false, false, nil
		}
		e := rest[0]
		rest = rest[1:]
		if err := m.Charge(1); err != nil {
			return false, false, err
		}
		ok = m.Unify(a[1], m.Restore(e.key)) && (len(a) < 3 || m.Unify(a[2], m.Restore(e.value)))
		return ok, len(rest) > 0, nil
	})
}

// trieSize runs '$trie_size'(Trie, Count).
func trieSize(m *Machine, t *trie, a []cell) (bool, error) {
	return m.Unify(a[1], code.MakeInt(int64(len(t.entries)))), nil
}
