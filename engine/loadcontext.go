package engine

import (
	"path"
	"sync/atomic"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines what goals that run while a file is loaded can ask about it.

// solve runs a goal of the text being loaded; see Program.solve.
func (l *loader) solve(goal term.Term, vars []*term.Var, module *database.Module) ([]term.Term, error) {
	if l.p.ended() {
		return nil, errCutShort
	}
	outer := l.p.loading
	l.p.loading = l
	defer func() { l.p.loading = outer }()
	return l.p.solve(goal, vars, module)
}

// loadContext is '$load_context'(Key, Value): what prolog_load_context/2 tells. It fails when
// nothing is being loaded by this run.
func loadContext(m *machine.Machine, a []cell) (bool, error) {
	key, err := m.AtomArg(a[0])
	if err != nil {
		return false, err
	}
	l := ownerOf(m).loading
	if !m.Loading || l == nil {
		return false, nil
	}
	t := l.context(key)
	return t != nil && m.Unify(a[1], m.Import(t)), nil
}

// context is the value of a key of prolog_load_context/2, or nil.
func (l *loader) context(key string) term.Term {
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
		return term.Atom("mcplogic")
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

// cleanPath is '$clean_path'(Folder, Name, Path): Path is Name, from Folder if it is relative,
// without . and .. in it.
func cleanPath(m *machine.Machine, a []cell) (bool, error) {
	folder, ok1 := m.TextOf(a[0])
	name, ok2 := m.TextOf(a[1])
	if !ok1 || !ok2 {
		return false, m.TypeError("text", a[1])
	}
	if !path.IsAbs(name) {
		name = path.Join(folder, name)
	}
	return m.Unify(a[2], m.NewAtom(path.Clean(name))), nil
}

// uniqueNumbers counts references that no two runs share.
var uniqueNumbers atomic.Int64

// uniqueNumber is '$unique_number'(N).
func uniqueNumber(m *machine.Machine, a []cell) (bool, error) {
	return m.Unify(a[0], code.MakeInt(uniqueNumbers.Add(1))), nil
}
