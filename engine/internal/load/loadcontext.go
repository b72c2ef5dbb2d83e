package load

import (
	"path"

	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines what a goal can ask about the file that is being loaded.

// solve runs a goal of the text being loaded; see [Options]. Meanwhile prolog_load_context/2 tells of this loader.
// After the end of the load it runs nothing and returns errCutShort.
func (l *Loader) solve(goal term.Term, vars []*term.Var, module *database.Module) ([]term.Term, error) {
	if l.p.ended() {
		return nil, errCutShort
	}
	l.p.refresh()
	outer := l.p.loading
	l.p.loading = l
	defer func() { l.p.loading = outer }()
	values, restricted, err := l.p.opts.Solve(l.p.goalContext(), goal, vars, module, l.Restricted())
	l.touched = l.touched || restricted
	return values, err
}

// Context returns the value of a key of prolog_load_context/2. It returns nil if the key has no value or nothing is
// being loaded.
func (p *Program) Context(key string) term.Term {
	if p.loading == nil {
		return nil
	}
	return p.loading.context(key)
}

// context returns the value of a key of prolog_load_context/2, or nil.
func (l *Loader) context(key string) term.Term {
	switch key {
	case "module":
		return term.Atom(l.module.Name)
	case "file":
		return term.Atom(l.name)
	case "source":
		if l.includedBy != "" {
			return term.Atom(l.includedBy)
		}
		return term.Atom(l.name)
	case "directory":
		return term.Atom(path.Dir(l.name))
	case "dialect":
		return term.Atom("swi")
	case "script":
		return term.False
	}
	if l.read == nil {
		return nil
	}
	switch key {
	case "line":
		return term.Int(l.read.Pos.Line)
	case "term":
		return l.read.Term
	case "term_position":
		// The parser counts columns from 1, and positions of streams count them from 0.
		return term.New("$stream_position", term.Int(l.read.Pos.Offset), term.Int(l.read.Pos.Line),
			term.Int(l.read.Pos.Column-1), term.Int(l.read.Pos.Offset))
	case "variable_names":
		var names []term.Term
		for _, v := range l.read.Vars {
			names = append(names, term.New("=", term.Atom(v.Name), v.Var))
		}
		return term.List(names...)
	}
	return nil
}
