package base

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/builtin"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
)

// This file defines the predicates on modules and source files.

var moduleTable = []machine.Builtin{
	{Name: "$modules", Arity: 1, Func: modules, Modes: "-list", Doc: "Lists the modules."},
	{Name: "$set_source_module", Arity: 2, Func: setSourceModule, Modes: "-old, +new",
		Doc: "Changes the module of clauses and operators."},
	{Name: "context_module", Arity: 1, Func: contextModule, Meta: ":", Modes: "-module",
		Doc: "Module is the module in which the clause that calls this runs."},
	{Name: "$context_goal", Arity: 3, Func: contextGoal, Meta: ":+-", Modes: ":goal, +module, -out",
		Doc: "Out is the goal with arguments that depend on a module in that of the context."},
	{Name: "$import_modules", Arity: 2, Func: importModules, Modes: "+module, -list",
		Doc: "Lists the modules whose predicates are visible in a module."},
	{Name: "$set_import_modules", Arity: 2, Func: setImportModules, Modes: "+module, +list",
		Doc: "Replaces the modules whose predicates are visible in a module."},
	{Name: "$module_info", Arity: 2, Func: moduleInfo, Modes: "+module, -properties",
		Doc: "Lists the properties of a module."},
	{Name: "$sources", Arity: 1, Func: sources, Modes: "-list",
		Doc: "Lists the loaded files as source(File, Module, From, Line)."},
	{Name: "$functors", Arity: 1, Func: functors, Modes: "-list", Doc: "Lists the functors of predicates as Name/Arity."},
}

func modules(m *machine.Machine, a []cell) (bool, error) {
	var list []cell
	for _, mod := range m.Program().Modules() {
		list = append(list, m.NewAtom(mod.Name))
	}
	return m.Unify(a[0], m.List(list, code.ANil)), nil
}

// setSourceModule runs '$set_source_module'(Old, New).
func setSourceModule(m *machine.Machine, a []cell) (bool, error) {
	if !m.Unify(a[0], m.NewAtom(m.Module().Name)) {
		return false, nil
	}
	name, err := m.AtomArg(a[1])
	if err != nil {
		return false, err
	}
	m.SetModule(m.Program().Module(name))
	return true, nil
}

// contextModule is context_module/1. Its argument comes qualified from clauses of other modules than user.
func contextModule(m *machine.Machine, a []cell) (bool, error) {
	plain, mod := m.StripModule(a[0])
	return m.Unify(plain, m.NewAtom(mod.Name)), nil
}

// contextGoal runs '$context_goal'(Module:Goal, Context, Out) for @/2.
func contextGoal(m *machine.Machine, a []cell) (bool, error) {
	goal, mod := m.StripModule(a[0])
	name, err := m.AtomArg(a[1])
	if err != nil {
		return false, err
	}
	if goal, err = m.CallableArg(goal); err != nil {
		return false, err
	}
	if machine.IsCompound(goal) {
		functor := m.Functor(goal)
		p := mod.Resolve(functor)
		if p == nil {
			if p, err = m.Program().Loader.Autoload(functor, m.Loading); err != nil {
				return false, err
			}
		}
		args := make([]cell, functor.FunctorArity())
		for i := range args {
			args[i] = m.Deref(m.Arg(goal, i))
			isQualified := machine.IsCompound(args[i]) && m.Functor(args[i]) == code.FColon
			if p != nil && i < len(p.Meta) && database.DependsOnModule(p.Meta[i]) && !isQualified {
				args[i] = m.NewCompound(code.FColon, []cell{m.NewAtom(name), args[i]})
			}
		}
		goal = m.NewCompound(functor, args)
	}
	return m.Unify(a[2], m.NewCompound(code.FColon, []cell{m.NewAtom(mod.Name), goal})), nil
}

// importModules runs '$import_modules'(Module, List).
func importModules(m *machine.Machine, a []cell) (bool, error) {
	name, err := m.AtomArg(a[0])
	if err != nil {
		return false, err
	}
	var list []cell
	for _, parent := range m.Program().Mentioned(name).Parents() {
		list = append(list, m.NewAtom(parent.Name))
	}
	return m.Unify(a[1], m.List(list, code.ANil)), nil
}

// setImportModules runs '$set_import_modules'(Module, List). A module that would come to import itself is an error, as
// the search for predicates would not end.
func setImportModules(m *machine.Machine, a []cell) (bool, error) {
	name, err := m.AtomArg(a[0])
	if err != nil {
		return false, err
	}
	items, err := m.ListArg(a[1])
	if err != nil {
		return false, err
	}
	mod := m.Program().Module(name)
	if mod == m.Program().System() {
		return false, m.PermissionError("modify", "module", a[0])
	}
	var parents []*database.Module
	for _, item := range items {
		text, err := m.AtomArg(item)
		if err != nil {
			return false, err
		}
		parent := m.Program().Module(text)
		if parent.HasAncestor(mod) {
			return false, m.PermissionError("add_import", "module", a[0])
		}
		parents = append(parents, parent)
	}
	mod.SetParents(parents...)
	return true, nil
}

// moduleInfo runs '$module_info'(Module, Properties).
func moduleInfo(m *machine.Machine, a []cell) (bool, error) {
	name, err := m.AtomArg(a[0])
	if err != nil {
		return false, err
	}
	mod := m.Program().FindModule(name)
	if mod == nil {
		return false, nil
	}
	class := "user"
	switch {
	case mod == m.Program().System():
		class = "system"
	case mod.Library:
		class = "library"
	case mod.Unit:
		class = "test"
	}
	list := []cell{m.NewStruct("class", m.NewAtom(class))}
	if mod.File != "" {
		list = append(list, m.NewStruct("file", m.NewAtom(builtin.FileName(m, mod.File))))
	}
	var exports []cell
	for _, f := range mod.Exports() {
		exports = append(exports, m.Indicator(f))
	}
	return m.Unify(a[1], m.List(append(list, m.NewStruct("exports", m.List(exports, code.ANil))), code.ANil)), nil
}

// sources runs '$sources'(List).
func sources(m *machine.Machine, a []cell) (bool, error) {
	var list []cell
	for _, s := range m.Program().Loader.Sources() {
		from := code.ANil
		if s.From != "" {
			from = m.NewAtom(builtin.FileName(m, s.From))
		}
		list = append(list, m.NewStruct("source", m.NewAtom(builtin.FileName(m, s.Name)), m.NewAtom(s.Module), from,
			m.NewInt(int64(s.Line))))
	}
	return m.Unify(a[0], m.List(list, code.ANil)), nil
}

// functors runs '$functors'(List).
func functors(m *machine.Machine, a []cell) (bool, error) {
	var all []cell
	for _, p := range m.Program().Preds() {
		if p.Defined() && p.Name()[:min(1, len(p.Name()))] != "$" {
			all = append(all, p.Functor)
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	for i, f := range all {
		all[i] = m.Indicator(f)
	}
	return m.Unify(a[0], m.List(all, code.ANil)), nil
}
