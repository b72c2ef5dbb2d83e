package syntax

import "github.com/mcplogic/mcplogic/engine/term"

// This file defines memory for terms that live only until they are somewhere else, on the heap or written.

// Nodes are compounds and variables whose memory is used again.
type Nodes struct {
	compounds []term.Compound
	args      []term.Term
	vars      []term.Var
	// used says how many of each are part of a term.
	used struct{ compounds, args, vars int }
}

// mostNodes is how many compounds and variables are kept. What a term has besides is allocated as ever.
const mostNodes = 128

// Compound returns a compound whose arguments are to be set.
func (n *Nodes) Compound(functor term.Atom, arity int) *term.Compound {
	if n == nil || n.used.compounds == mostNodes || n.used.args+arity > 2*mostNodes {
		return NewCompound(functor, arity)
	}
	if n.compounds == nil {
		n.compounds, n.args = make([]term.Compound, mostNodes), make([]term.Term, 2*mostNodes)
	}
	c := &n.compounds[n.used.compounds]
	from := n.used.args
	n.used.compounds, n.used.args = n.used.compounds+1, from+arity
	c.Functor, c.Args = functor, n.args[from:n.used.args:n.used.args]
	return c
}

// Var returns a variable without a name.
func (n *Nodes) Var(id int64) *term.Var {
	if n == nil || n.used.vars == mostNodes {
		return &term.Var{ID: id}
	}
	if n.vars == nil {
		n.vars = make([]term.Var, mostNodes)
	}
	v := &n.vars[n.used.vars]
	n.used.vars++
	*v = term.Var{ID: id}
	return v
}

// Reset takes the memory back: nobody may use a term with these nodes any more.
func (n *Nodes) Reset() {
	clear(n.compounds[:n.used.compounds])
	clear(n.args[:n.used.args])
	n.used.compounds, n.used.args, n.used.vars = 0, 0, 0
}
