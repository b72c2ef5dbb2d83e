package reference

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"

	ichiban "github.com/ichiban/prolog/engine"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how terms of ichiban/prolog become ours.

// value is a place for the value of a variable.
type value struct{ term engine.Term }

// Scan is called by the interpreter with the value.
func (v *value) Scan(_ *ichiban.VM, t ichiban.Term, env *ichiban.Env) (err error) {
	v.term, err = convert(t, env)
	return err
}

// maxParts bounds the terms that are converted; a cyclic one has no end.
const maxParts = 1_000_000

var errTooLarge = errors.New("the term is too large, or cyclic")

// task is a term to be converted and where to.
type task struct {
	from ichiban.Term
	to   *engine.Term
}

// convert copies a term with its bindings. The name of a variable tells which one of the interpreter it is.
func convert(t ichiban.Term, env *ichiban.Env) (engine.Term, error) {
	vars := map[ichiban.Variable]*term.Var{}
	var root engine.Term
	stack := []task{{t, &root}}
	for parts := 0; len(stack) > 0; parts++ {
		if parts > maxParts {
			return nil, errTooLarge
		}
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch t := env.Resolve(top.from).(type) {
		case ichiban.Variable:
			if vars[t] == nil {
				vars[t] = term.NewVar(strconv.FormatInt(int64(t), 10))
			}
			*top.to = vars[t]
		case ichiban.Compound:
			c := &term.Compound{Functor: term.Atom(t.Functor().String()), Args: make([]engine.Term, t.Arity())}
			*top.to = c
			for i := t.Arity() - 1; i >= 0; i-- {
				stack = append(stack, task{t.Arg(i), &c.Args[i]})
			}
		case ichiban.Atom:
			*top.to = term.Atom(t.String())
		case ichiban.Integer:
			*top.to = term.Int(t)
		case ichiban.Float:
			*top.to = term.Float(t)
		default:
			*top.to = term.Atom("<stream>")
		}
	}
	return root, nil
}

// ballText is what was thrown.
func ballText(ball ichiban.Term) string {
	t, err := convert(ball, nil)
	if err != nil {
		return err.Error()
	}
	return text(t)
}

// writer is an empty program, whose operators are the standard ones.
var writer = sync.OnceValue(func() *engine.Program { return engine.New(nil) })

// text writes a term with its variables numbered.
func text(t engine.Term) string { return writer().FormatNumbered(t) }

// texts writes the values of one solution with one numbering of their variables.
func texts(values map[string]value) map[string]string {
	var names []string
	for name := range values {
		if !strings.HasPrefix(name, "_") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	terms := make([]engine.Term, len(names))
	same, first := map[*term.Var]engine.Term{}, map[string]*term.Var{}
	for i, name := range names {
		terms[i] = values[name].term
		for _, v := range term.Variables(terms[i]) {
			if first[v.Name] == nil {
				first[v.Name] = v
			}
			same[v] = first[v.Name]
		}
		terms[i] = term.Rename(terms[i], same)
	}
	solution := map[string]string{}
	for i, written := range writer().FormatTogether("", terms...) {
		solution[names[i]] = written
	}
	return solution
}
