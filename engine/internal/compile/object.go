package compile

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
)

// This file defines the stored form of a compiled clause, so that the same clause of a later program need not be
// compiled again. All programs begin with the same built-in predicates; all other dependencies of the code are
// compared.

// Object is the code of a clause before it has a place. It does not change.
type Object struct {
	// The clause.
	module  string
	library bool
	functor cell
	meta    string // of its predicate
	cells   []cell
	body    cell
	// ssu and restricted are the marks of the clause.
	ssu, restricted bool
	line            int32
	head            []cell
	goalLines       []int32

	// The meaning of its goals to the compiler, in order, and the modules that it names.
	views   []view
	modules []string

	// The code.
	code    []code.Instr
	jumps   []jump
	sites   []site
	lines   []database.LineEntry
	guarded bool
}

// view is the compiler's view of a predicate that a goal calls.
type view struct {
	module  string
	functor cell
	seen    sighting
	called  bool // and not only looked up
}

// sighting holds the properties of a predicate that affect the code of a goal. Equal sightings give equal code.
type sighting struct {
	meta        string
	locked      bool
	transparent bool // calls go to the predicate with its clauses
	// of locked predicates, as in the code
	builtin         int
	control, nondet bool
}

// jump is an instruction that leads to another one of the clause.
type jump struct{ at, to int }

// site is an instruction that calls the predicate of a view.
type site struct{ at, view int }

// inspect returns the sighting of p, which a functor resolves to in a module. p may be nil.
func (c *Compiler) inspect(m *database.Module, p *database.Pred, f cell) sighting {
	if p == nil {
		meta := m.MetaOf(code.AtomText(f.FunctorAtom()), f.FunctorArity())
		return sighting{meta: meta, transparent: c.context(m, p, f) != nil}
	}
	s := sighting{meta: p.Meta(), locked: p.Has(database.Locked), transparent: p.Context() != nil}
	if s.locked {
		s.builtin, s.control = p.Builtin, p.Has(database.Control)
		s.nondet = p.Builtin >= 0 && c.options.Nondet(p.Builtin)
	}
	return s
}

// context returns the predicate with the clauses of a transparent predicate, nil for any other. The predicate is p,
// which f resolves to in m. If p is nil because there are no clauses yet, it is the one declared in m.
func (c *Compiler) context(m *database.Module, p *database.Pred, f cell) *database.Pred {
	if p == nil {
		p = m.Announced(f)
	}
	if p == nil {
		return nil
	}
	return p.Context()
}

// resolve returns the predicate that a goal calls and records its view for the object. n is the number of the view. A
// goal that is looked up again, to be called after all, has one view.
func (r *reader) resolve(f cell) (p *database.Pred, n int) {
	e := r.e
	p = r.module.Resolve(f)
	n = len(e.views) - 1
	if n < 0 || e.views[n].functor != f || e.views[n].module != r.module.Name {
		n++
		e.views = append(e.views, view{module: r.module.Name, functor: f, seen: e.compiler.inspect(r.module, p, f)})
	}
	return p, n
}

// object stores the result of the compilation.
func (e *emitter) object() *Object {
	cl := e.source
	o := &Object{module: cl.Pred.Module.Name, library: cl.Pred.Module.Library, functor: cl.Pred.Functor,
		meta: cl.Pred.Meta(),
		line: cl.Line, head: heads(cl), goalLines: e.goalLines, views: e.views, modules: e.modules,
		code: slices.Clone(e.code), sites: e.sites, lines: e.lines, guarded: e.guarded,
		cells: cl.Cells, body: cl.Body, ssu: cl.SSU, restricted: cl.Restricted}
	for _, f := range e.fixups {
		o.jumps = append(o.jumps, jump{f.at, e.labels[f.label]})
	}
	return o
}

// heads returns the arguments of the head of a clause.
func heads(cl *database.Clause) []cell {
	args := make([]cell, cl.Pred.Arity())
	for i := range args {
		args[i] = cl.HeadArg(i)
	}
	return args
}

// is reports whether a clause with these goal lines equals the compiled one.
func (o *Object) is(cl *database.Clause, goalLines []int32) bool {
	p := cl.Pred
	if o.module != p.Module.Name || o.library != p.Module.Library || o.functor != p.Functor || o.meta != p.Meta() {
		return false
	}
	if o.line != cl.Line || o.body != cl.Body || o.ssu != cl.SSU || o.restricted != cl.Restricted ||
		!same(o.cells, cl.Cells) {
		return false
	}
	for i, arg := range o.head {
		if cl.HeadArg(i) != arg {
			return false
		}
	}
	return same(o.goalLines, goalLines)
}

// same reports whether two slices are equal. Mostly they are the same slice, which the first comparison detects.
func same[T comparable](a, b []T) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0] || slices.Equal(a, b))
}

// Place gives a clause the code of an object, if compiling the clause would give the same code. Otherwise, or if the
// clause has code, it returns false and does not change the clause.
func (c *Compiler) Place(o *Object, cl *database.Clause, goalLines []int32) bool {
	if cl.Addr() != 0 || !o.is(cl, goalLines) {
		return false
	}
	for _, name := range o.modules {
		c.program.Module(name)
	}
	preds := make([]*database.Pred, len(o.views))
	for i, v := range o.views {
		m := c.mentioned(cl, v.module)
		preds[i] = m.Resolve(v.functor)
		if c.inspect(m, preds[i], v.functor) != v.seen {
			return false
		}
	}
	for i, v := range o.views {
		if v.called && !v.seen.locked && (preds[i] == nil || preds[i].Module.Name != v.module) {
			preds[i] = c.mentioned(cl, v.module).Lookup(v.functor)
			preds[i].NoteMention()
		}
	}
	c.place(o, cl, preds)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.noteDependent(cl, cl, goalLines, o.views)
	return true
}

// mentioned returns the module of this name, mostly that of the clause.
func (c *Compiler) mentioned(cl *database.Clause, name string) *database.Module {
	if m := cl.Pred.Module; m.Name == name {
		return m
	}
	return c.program.Mentioned(name)
}

// place stores the code of an object, whose goals call preds.
func (c *Compiler) place(o *Object, cl *database.Clause, preds []*database.Pred) {
	c.mu.Lock()
	defer c.mu.Unlock()
	words := append(c.words[:0], o.code...)
	for _, s := range o.sites {
		words[s.at] = words[s.at].WithImm(preds[s.view].Entry)
	}
	at := c.program.PlaceCode(len(words), func(at uint32) []code.Instr {
		for _, j := range o.jumps {
			words[j.at] = words[j.at].WithImm(at + uint32(j.to))
		}
		return words
	})
	c.words = words
	cl.SetGuarded(o.guarded)
	cl.SetCode(at, len(words), o.lines)
}

// This part defines which clauses are compiled again. A clause qualifies the arguments of its goals, so a later
// meta_predicate declaration or import changes its code.

// dependent is a clause of a module with the views of its goals at compile time.
type dependent struct {
	clause    *database.Clause
	like      *database.Clause // the clause whose code it has; mostly itself
	goalLines []int32
	meta      string // of its predicate
	views     []view // those that a declaration may change
}

// noteDependent records a clause until [Compiler.Settle] if a declaration may change its code. The lock must be held.
func (c *Compiler) noteDependent(cl, like *database.Clause, goalLines []int32, views []view) {
	if cl.Pred.Module.Library {
		return
	}
	var open []view
	for _, v := range views {
		if !v.seen.locked && givesModule(v.module) {
			open = append(open, v)
		}
	}
	if open != nil {
		c.dependents = append(c.dependents, dependent{cl, like, goalLines, cl.Pred.Meta(), open})
	}
}

// givesModule reports whether arguments of goals in a module are qualified by it. Unqualified terms belong to user.
func givesModule(name string) bool { return name != "user" && name != "system" }

// Refresh recompiles the clauses that call predicates which have become, or are no longer, meta-predicates. It returns
// the predicates of these clauses, whose entries lead to the old code.
func (c *Compiler) Refresh() ([]*database.Pred, error) {
	var changed []*database.Pred
	list := c.takeDependents()
	for i, d := range list {
		if d.clause.Erased() || d.clause.Addr() == 0 || c.unchanged(d) {
			c.keepDependent(d)
			continue
		}
		changed = append(changed, d.clause.Pred)
		c.program.DropCode(d.clause)
		if err := c.compileAgain(d); err != nil {
			for _, rest := range list[i+1:] {
				c.keepDependent(rest)
			}
			return changed, err
		}
	}
	return changed, nil
}

func (c *Compiler) compileAgain(d dependent) error {
	if d.like != d.clause {
		return c.CompileAs(d.clause, d.like, d.goalLines)
	}
	return c.CompileLines(d.clause, d.goalLines)
}

// Settle drops the clauses recorded for Refresh.
func (c *Compiler) Settle() { c.takeDependents() }

// takeDependents returns the clauses recorded for Refresh and drops them.
func (c *Compiler) takeDependents() []dependent {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := c.dependents
	c.dependents = nil
	return list
}

// keepDependent records a clause for Refresh.
func (c *Compiler) keepDependent(d dependent) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dependents = append(c.dependents, d)
}

// unchanged reports whether the goals of a clause have the same meaning as when it was compiled.
func (c *Compiler) unchanged(d dependent) bool {
	if d.meta != d.clause.Pred.Meta() {
		return false
	}
	for _, v := range d.views {
		m := c.mentioned(d.clause, v.module)
		now := c.inspect(m, m.Resolve(v.functor), v.functor)
		if now.meta != v.seen.meta || now.transparent != v.seen.transparent {
			return false
		}
	}
	return true
}
