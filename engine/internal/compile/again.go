package compile

import "github.com/mcplogic/mcplogic/engine/internal/database"

// This file defines which clauses are compiled again: arguments of goals are given their module by the clause, so that
// a meta_predicate declaration, or an import, that comes behind a clause changes its code.

// dependent is a clause of a module with what its goals called when it was compiled.
type dependent struct {
	clause    *database.Clause
	like      *database.Clause // the one whose code it has; mostly itself
	goalLines []int32
	meta      string // of its predicate
	views     []view // those that a declaration may change
}

// noteDependent keeps a clause until [Compiler.Settle] if a declaration may change what its code has to be. The lock
// must be held.
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

// givesModule reports whether arguments of goals in a module are given it. Terms without a module belong to user.
func givesModule(name string) bool { return name != "user" && name != "system" }

// Refresh compiles the clauses again whose goals call what has become, or is no longer, a meta-predicate. It returns
// their predicates, whose entries lead to the code of before.
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

// Settle forgets the clauses that Refresh looks at.
func (c *Compiler) Settle() { c.takeDependents() }

// takeDependents returns the clauses that Refresh looks at and forgets them.
func (c *Compiler) takeDependents() []dependent {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := c.dependents
	c.dependents = nil
	return list
}

// keepDependent adds a clause for Refresh to look at.
func (c *Compiler) keepDependent(d dependent) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dependents = append(c.dependents, d)
}

// unchanged reports whether the goals of a clause mean what they meant when it was compiled.
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
