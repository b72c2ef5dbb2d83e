package term

import "slices"

// This file defines dicts, the maps from keys to values of SWI-Prolog 7. A dict Tag{Key: Value, ...} is a compound with
// the arguments Tag, Value, Key, Value, Key ... in the standard order of the keys, which are atoms and small integers.
// So two dicts unify if they have the same keys and their tags and values unify.

const (
	// Dict is the functor of dicts.
	Dict = Atom("C'dict'")
	// DictCall is the functor of Dict.Function in a text, with two arguments.
	DictCall = Atom("$dot")
)

// Pair is a key of a dict with its value.
type Pair struct{ Key, Value Term }

// IsDictKey reports whether a term may be a key of a dict.
func IsDictKey(t Term) bool {
	switch t.(type) {
	case Atom, Int:
		return true
	}
	return false
}

// NewDict returns the dict with a tag and pairs, which it sorts. If two of them have the same key, duplicate is that
// key and there is no dict.
func NewDict(tag Term, pairs []Pair) (dict, duplicate Term) {
	slices.SortFunc(pairs, func(a, b Pair) int { return Compare(a.Key, b.Key) })
	args := make([]Term, 1, 1+2*len(pairs))
	args[0] = tag
	for i, p := range pairs {
		if i > 0 && p.Key == pairs[i-1].Key {
			return nil, p.Key
		}
		args = append(args, p.Value, p.Key)
	}
	return &Compound{Functor: Dict, Args: args}, nil
}

// DictOf returns the tag and the pairs of a dict, in the order of the keys; ok is false for another term.
func DictOf(t Term) (tag Term, pairs []Pair, ok bool) {
	c, isCompound := t.(*Compound)
	if !isCompound || !c.IsDict() {
		return nil, nil, false
	}
	for i := 1; i < len(c.Args); i += 2 {
		pairs = append(pairs, Pair{Key: c.Args[i+1], Value: c.Args[i]})
	}
	return c.Args[0], pairs, true
}

// IsDict reports whether a compound is a dict.
func (c *Compound) IsDict() bool {
	if c.Functor != Dict || len(c.Args)%2 == 0 {
		return false
	}
	for i := 2; i < len(c.Args); i += 2 {
		if !IsDictKey(c.Args[i]) || i > 2 && Compare(c.Args[i-2], c.Args[i]) >= 0 {
			return false
		}
	}
	return true
}
