package flow

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the types of the calls that the clauses of a predicate let succeed.

// row has the types of the calls for which one clause, or several clauses, succeed.
type row struct {
	types []Type // of the arguments
	// same are pairs of arguments that are equal.
	same [][2]int
}

func (a row) equal(b row) bool {
	return slices.EqualFunc(a.types, b.types, Type.same) && slices.Equal(a.same, b.same)
}

// fits notes that a call matches a row. It reports whether that is possible.
func (a row) fits(w *walk, args []term.Term, env Env) bool {
	for i := range args {
		if !env.Narrow(args[i], a.types[i]) {
			return false
		}
	}
	return !slices.ContainsFunc(a.same, func(pair [2]int) bool { return !w.unify(env, args[pair[0]], args[pair[1]], 0) })
}

// success has the types of the successful calls of a predicate: a row for each clause, or one row for all clauses if
// there are many.
type success struct {
	pred    *Predicate
	rows    []row
	all     []Type // the classes of the arguments for all rows
	parts   int    // of the types in the rows
	changes int
	callers []*success // in the order in which they were found, each once
	called  map[*success]bool
	queued  bool
	calls   map[Key]callee // of all goals, as written, if the result is remembered
}

// rows returns the rows of the clauses of a predicate that can succeed.
func (p *Predicate) rows(types func(c Clause) []Type) (rows []row) {
	for _, c := range p.Clauses {
		one := row{types: types(c)}
		if one.types == nil {
			continue
		}
		if !c.Opaque && !p.Open {
			one.same = c.same()
		}
		rows = append(rows, one)
	}
	if p.Facts != nil {
		rows = append(rows, row{types: p.Facts})
	}
	return rows
}

// same returns the pairs of arguments that are the same variable after the clause has succeeded: in its head, or
// because a goal of its body unifies them.
func (c Clause) same() (pairs [][2]int) {
	var vars []*term.Var
	for _, arg := range c.Head {
		if v, ok := arg.(*term.Var); ok {
			vars = append(vars, v)
		}
	}
	if len(vars) < 2 {
		return nil
	}
	is := map[*term.Var]*term.Var{}
	for _, g := range c.Body.Conjuncts() {
		if sides, ok := term.Is(g.Term, "=", 2); ok {
			v, isVar := sides[0].(*term.Var)
			w, both := sides[1].(*term.Var)
			if v, w = sameAs(is, v), sameAs(is, w); isVar && both && v != w {
				is[v] = w
			}
		}
	}
	first := map[*term.Var]int{}
	for i, arg := range c.Head {
		v, ok := arg.(*term.Var)
		if !ok {
			continue
		}
		v = sameAs(is, v)
		if at, seen := first[v]; seen {
			pairs = append(pairs, [2]int{at, i})
		} else {
			first[v] = i
		}
	}
	return pairs
}

// sameAs returns the representative of a variable in a chain of unified variables.
func sameAs(is map[*term.Var]*term.Var, v *term.Var) *term.Var {
	for is[v] != nil {
		v = is[v]
	}
	return v
}

func anyRow(arity int) []Type { return slices.Repeat([]Type{Any}, arity) }

// merged returns one row for all.
func merged(rows []row) []row {
	if len(rows) < 2 {
		return rows
	}
	sum := row{types: slices.Clone(rows[0].types)}
	for _, one := range rows[1:] {
		for i := range sum.types {
			sum.types[i] = Union(sum.types[i], one.types[i])
		}
	}
	return []row{sum}
}

// call returns the types after a call of a predicate of the program with some rows: their union, reduced to classes of
// values. So a goal is not said to fail forever only because no current fact matches.
func (s *success) call(w *walk, rows []row, args []term.Term, env Env) Env {
	r := w.r
	if len(rows) == 0 {
		return nil
	}
	r.left -= s.parts / rowSteps
	vars := term.Variables(args...)
	if len(s.rows) > 0 && s.free(args, vars, env) {
		for i, arg := range args {
			env[arg.(*term.Var)] = s.all[i]
		}
		return env
	}
	r.left -= rowSteps*len(rows) + len(rows)*len(rows)*max(0, len(args)-manyArgs)/perStep
	var after Env
	for _, known := range rows {
		one := Env{}
		for _, v := range vars {
			if t, ok := env[v]; ok {
				one[v] = t
			}
		}
		if known.fits(w, args, one) {
			after = joined(after, one)
		}
	}
	if after == nil {
		return nil
	}
	for _, v := range vars {
		t, ok := after[v]
		if !ok {
			continue
		}
		if known, ok := env[v]; ok {
			env[v] = Meet(known, r.coarse(t))
		} else {
			env[v] = r.coarse(t)
		}
	}
	return env
}

// free reports whether the arguments of a call are different variables, and nothing is known about them.
func (s *success) free(args []term.Term, vars []*term.Var, env Env) bool {
	if len(vars) != len(args) {
		return false
	}
	for i, arg := range args {
		if _, known := env[vars[i]]; known || arg != term.Term(vars[i]) {
			return false
		}
	}
	return true
}

// Same returns the pairs of arguments that some clause of a predicate of the program makes equal in a call.
func (r *Result) Same(k Key, args []term.Term) (pairs [][2]int) {
	s := r.preds[k]
	if s == nil {
		return nil
	}
	for _, one := range s.rows {
		if env := (Env{}); len(one.same) > 0 && one.fits(&walk{r: r}, args, env) {
			pairs = append(pairs, one.same...)
		}
	}
	return pairs
}
