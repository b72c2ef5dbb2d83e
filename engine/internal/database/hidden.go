package database

import "slices"

// This file defines modules that a program holds without showing them, and what makes the
// clauses that it shares with the program it was cloned from its own.

// Hide takes a module out of the program: nothing finds it by its name. Its predicates stay, for the code of other
// hidden modules that calls them. Only the goroutine that loads an unpublished program may hide modules.
func (p *Program) Hide(name string) *Module {
	m := p.modules[name]
	delete(p.modules, name)
	m.listed.Store(false)
	p.order = slices.DeleteFunc(p.order, func(o *Module) bool { return o == m })
	return m
}

// Reveal puts hidden modules back. It does nothing and returns false when the program has made
// another module of one of the names meanwhile.
func (p *Program) Reveal(modules []*Module) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range modules {
		if own := p.modules[m.Name]; own != nil && own != m {
			return false
		}
	}
	for _, m := range modules {
		if p.modules[m.Name] == nil {
			p.list(m)
		}
	}
	return true
}

// Shows reports whether the module is one that the program finds by its name.
func (p *Program) Shows(m *Module) bool { return p.FindModule(m.Name) == m }

// OwnClauses gives a predicate copies of the clauses that it shares with the program it was cloned from.
// That comes before they are changed, indexed with others or compiled in this program.
func (p *Pred) OwnClauses() {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := p.all.list()
	if len(list) == 0 || list[0].Pred == p { // either all of them are shared or none is
		return
	}
	own := slices.Clone(list)
	for i, c := range own {
		own[i] = newRule(&Text{Pred: p, Cells: c.Cells, Body: c.Body, NVars: c.NVars, SSU: c.SSU, File: c.File}, int(c.at),
			int(c.Line))
		own[i].created.Store(c.created.Load())
	}
	p.all.setList(own)
	p.all.plan.Store(nil)
}
