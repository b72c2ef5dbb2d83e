package base

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/builtin"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines the predicates on modules and source files.

var moduleTable = []machine.Builtin{
	{Name: "meta_predicate", Arity: 1, Func: eachDeclaration(declareMeta), Meta: ":", Modes: ":heads",
		Doc: "Declares which arguments of predicates are goals or depend on the module in another way."},
	{Name: "module_transparent", Arity: 1, Func: eachDeclaration(declareTransparent), Meta: ":", Modes: ":indicators",
		Doc: "Makes predicates see the module of their caller."},
	{Name: "export", Arity: 1, Func: eachDeclaration(declareExport), Meta: ":", Modes: ":indicators",
		Doc: "Adds predicates to the exports of a module."},
	{Name: "$import", Arity: 2, Func: importGoal, Modes: ":indicators, +module",
		Doc: "Makes predicates of other modules visible in a module."},
	{Name: "$modules", Arity: 1, Func: modules, Modes: "-list", Doc: "Lists the modules."},
	{Name: "$set_source_module", Arity: 2, Func: setSourceModule, Modes: "-old, +new",
		Doc: "Changes the module of clauses and operators."},
	{Name: "context_module", Arity: 1, Func: contextModule, Meta: ":", Modes: "-module",
		Doc: "Module is the module in which the calling clause runs."},
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

// This part defines declarations at run time. An isolated call does not change predicates that others call.

// declareMeta is meta_predicate/1 for one head.
func declareMeta(m *machine.Machine, d declaration) error {
	head, err := m.CallableArg(d.c)
	if err != nil || !stacks.IsCompound(head) { // an atom has no arguments to declare
		return err
	}
	functor := m.Functor(head)
	spec := make([]byte, functor.FunctorArity())
	for i := range spec {
		if spec[i], err = metaMark(m, m.Arg(head, i)); err != nil {
			return err
		}
	}
	pred := d.mod.Lookup(functor)
	if err := needOwn(m, pred); err != nil {
		return err
	}
	err = m.Program().Loader.DeclareMeta(m.Tx().Definer(), pred, string(spec), m.Loading)
	m.SeeNewCode()
	return err
}

// metaMark returns the character of an argument of a meta_predicate specification.
func metaMark(m *machine.Machine, c cell) (byte, error) {
	c = m.Deref(c)
	switch c.Tag() {
	case code.Ref, code.Att:
		return 0, m.InstantiationError()
	case code.Int:
		if n := c.Int(); n >= 0 && n <= 9 {
			return byte('0' + n), nil
		}
		return 0, m.DomainError("meta_argument_specifier", c)
	case code.Atom:
		text := stacks.AtomText(c)
		if text == "//" {
			return '/', nil
		}
		if len(text) == 1 && strings.Contains(":^?+-*", text) {
			return text[0], nil
		}
		return 0, m.DomainError("meta_argument_specifier", c)
	}
	return 0, m.TypeError("meta_argument_specifier", c)
}

// needOwn returns an error for a predicate that a declaration at run time may not change.
func needOwn(m *machine.Machine, pred *database.Pred) error {
	indicator := m.Indicator(pred.Functor)
	if pred.Module.Library {
		indicator = m.NewStruct(":", m.NewAtom(pred.Module.Name), indicator)
	}
	if t := pred.ByName(); t != nil {
		return m.PermissionError("redefine", "imported_procedure",
			m.NewStruct(":", m.NewAtom(t.Module.Name), m.Indicator(t.Functor)))
	}
	switch {
	case m.Program().Loader.Fixed(pred.Module, pred.Functor):
		return m.PermissionError("modify", "static_procedure", indicator)
	case m.Tx().Definer() == nil:
		return m.PermissionError("declare", "procedure", indicator)
	}
	return nil
}

// declareTransparent is module_transparent/1 for one indicator.
func declareTransparent(m *machine.Machine, d declaration) error {
	pred, err := d.predicate(m)
	if err != nil {
		return err
	}
	if err := needOwn(m, pred); err != nil {
		return err
	}
	err = m.Program().Loader.DeclareTransparent(m.Tx().Definer(), pred, m.Loading)
	m.SeeNewCode()
	return err
}

// declareExport is export/1 for one indicator.
func declareExport(m *machine.Machine, d declaration) error {
	pred, err := d.predicate(m)
	switch {
	case err != nil:
		return err
	case pred.Module.IsExported(pred.Functor):
		return nil
	}
	definer := m.Tx().Definer()
	if definer == nil {
		return m.PermissionError("modify", "module", m.NewAtom(pred.Module.Name))
	}
	definer.Export(pred.Module, pred.Functor)
	return nil
}

// declareImport is import/1 for one indicator.
func declareImport(context *database.Module) func(*machine.Machine, declaration) error {
	return func(m *machine.Machine, d declaration) error {
		pred, err := d.predicate(m)
		if err != nil || pred.Module == context {
			return err
		}
		told, err := m.Program().Loader.Import(context, pred, asker(m))
		m.SeeNewCode()
		var refused *load.Refused
		if errors.As(err, &refused) {
			err = permissionRefused(m, refused)
		}
		return cmp.Or(printAll(m, told), err)
	}
}

// importGoal runs '$import'(Specs, Module) for import/1.
func importGoal(m *machine.Machine, a []cell) (bool, error) {
	name, err := m.AtomArg(a[1])
	if err != nil {
		return false, err
	}
	return eachDeclaration(declareImport(m.Program().Module(name)))(m, a[:1])
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
	goal, mod, err = inContext(m, goal, mod, name)
	return err == nil && m.Unify(a[2], m.NewCompound(code.FColon, []cell{m.NewAtom(mod.Name), goal})), err
}

// inContext returns a goal of mod as the module context calls it: with context: before the arguments that depend on a
// module.
func inContext(m *machine.Machine, goal cell, mod *database.Module, context string) (cell, *database.Module, error) {
	functor := code.MakeFunctor(goal.Atom(), 0)
	if stacks.IsCompound(goal) {
		functor = m.Functor(goal)
	}
	p := mod.Resolve(functor)
	if p == nil {
		var err error
		if p, err = m.Program().Loader.Autoload(functor, m.Loading); p == nil {
			return goal, mod, err
		}
	}
	meta := p.Meta()
	args := make([]cell, functor.FunctorArity())
	for i := range args {
		args[i] = m.Deref(m.Arg(goal, i))
		isQualified := stacks.IsCompound(args[i]) && m.Functor(args[i]) == code.FColon
		if i < len(meta) && database.DependsOnModule(meta[i]) && !isQualified {
			args[i] = m.NewCompound(code.FColon, []cell{m.NewAtom(context), args[i]})
		}
	}
	if own := p.Context(); own != nil {
		return m.NewCompound(own.Functor, append([]cell{m.NewAtom(context)}, args...)), own.Module, nil
	}
	if len(args) == 0 {
		return goal, mod, nil
	}
	return m.NewCompound(functor, args), mod, nil
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
	definer := m.Tx().Definer()
	if mod == m.Program().System() || definer == nil {
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
	definer.SetParents(mod, parents...)
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
	list = append(list, m.NewStruct("exports", m.List(exports, code.ANil)))
	var ops []cell
	for _, op := range mod.ExportedOps() {
		ops = append(ops, m.NewStruct("op", m.NewInt(int64(op.Priority)), m.NewAtom(op.Type.String()),
			m.NewAtom(string(op.Name))))
	}
	list = append(list, m.NewStruct("exported_operators", m.List(ops, code.ANil)))
	return m.Unify(a[1], m.List(list, code.ANil)), nil
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
