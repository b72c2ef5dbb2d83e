// Package shapes tells what terms of programs are: indicators, control constructs, instances of others.
package shapes

import "github.com/mcplogic/mcplogic/engine/term"

// NameArity reads a predicate indicator: Name/Arity, or Name//Arity for a grammar, whose predicate has two arguments
// more. grammar says that it is one of a grammar. ok is false for any other term.
func NameArity(t term.Term) (name term.Atom, arity int, grammar, ok bool) {
	args, ok := term.Is(t, "/", 2)
	if !ok {
		args, grammar = term.Is(t, "//", 2)
	}
	if !ok && !grammar {
		return "", 0, false, false
	}
	name, isAtom := args[0].(term.Atom)
	n, isInt := args[1].(term.Int)
	if arity = int(n); grammar {
		arity += 2
	}
	return name, arity, grammar, isAtom && isInt && n >= 0
}

// Junction returns the two goals of a conjunction, of a disjunction, also when it is written with a bar, or of (If ->
// Then) and (If *-> Then); ok is false for any other term.
func Junction(t term.Term) (goals []term.Term, ok bool) {
	c, isCompound := t.(*term.Compound)
	if !isCompound || len(c.Args) != 2 {
		return nil, false
	}
	switch c.Functor {
	case ",", ";", "|", "->", "*->":
		return c.Args, true
	}
	return nil, false
}

// Control returns the goals of a junction or a negation, that is, of a control construct whose arguments all are goals.
// ok is false for other terms.
func Control(t term.Term) (goals []term.Term, ok bool) {
	if goals, ok = term.Is(t, "\\+", 1); ok {
		return goals, true
	}
	return Junction(t)
}

// Subsumes reports whether a term becomes another one when its variables get values. It looks at most parts at the most
// and says false beyond; with 0 it looks at all, and the special term must not be cyclic then.
func Subsumes(general, special term.Term, most int) bool {
	values := map[*term.Var]term.Term{}
	type pair struct{ general, special term.Term }
	todo := []pair{{general, special}}
	for n := 0; len(todo) > 0; n++ {
		one := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if most > 0 && n > most {
			return false
		}
		switch g := one.general.(type) {
		case *term.Var:
			if value, ok := values[g]; ok && !term.Equal(value, one.special) {
				return false
			}
			values[g] = one.special
		case *term.Compound:
			args, ok := term.Is(one.special, g.Functor, len(g.Args))
			if !ok {
				return false
			}
			for i := range g.Args {
				todo = append(todo, pair{g.Args[i], args[i]})
			}
		default:
			if !term.Equal(g, one.special) {
				return false
			}
		}
	}
	return true
}
