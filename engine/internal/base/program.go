package base

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/mcplogic/mcplogic/engine/internal/builtin"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/lib"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the predicates that need the program as a whole: declarations at run time, the properties of
// predicates, and loading.

type cell = code.Cell

// programTable returns the predicates that inspect or change the program as a whole.
func programTable() []machine.Builtin {
	list := []machine.Builtin{
		{Name: "$current_predicates", Arity: 3, Func: currentPredicates, Modes: "+module, ?name, -list",
			Doc: "Lists the user's predicates with clauses as Name/Arity."},
		{Name: "$visible_predicate", Arity: 3, Func: visiblePredicate, Modes: "+module, +name, +arity",
			Doc: "A predicate of the program is defined in a module or visible there."},
		{Name: "$known_predicates", Arity: 3, Func: knownPredicates, Modes: "+module, ?name, -list",
			Doc: "Lists the predicates that a module defines or imports, also those without clauses."},
		{Name: "$declared_predicates", Arity: 3, Func: declaredPredicates, Modes: "+module, ?name, -list",
			Doc: "Lists the predicates that a module defines, also those without clauses."},
		{Name: "$pred_info", Arity: 3, Func: predInfoFor, Meta: ":?-", Modes: ":head, ?property, -properties",
			Doc: "As $pred_info/2, without what the property cannot be."},
		{Name: "$pred_info", Arity: 2, Func: predInfo, Meta: ":-", Modes: ":head, -properties",
			Doc: "Lists the properties of a predicate."},
		{Name: "$strip_module", Arity: 3, Func: stripModule, Modes: "+term, -module, -plain",
			Doc: "Removes the module qualification from a term."},
		{Name: "strip_module", Arity: 3, Func: stripModule, Meta: ":--", Modes: "+term, -module, -plain",
			Doc: "Removes the module qualification from a term."},
		{Name: "$must_be_callable", Arity: 1, Func: mustBeCallable, Modes: "+term", Doc: "Throws unless term can be called."},
		{Name: "$help", Arity: 3, Func: help, Modes: "+name, ?arity, -list",
			Doc: "Lists what is known of predicates as doc(Head, Text, Chapter)."},
		{Name: "$apropos", Arity: 2, Func: apropos, Modes: "+text, -list",
			Doc: "Lists what is known of predicates whose heads or descriptions have a text, as $help/3 does."},
		{Name: "$help_near", Arity: 2, Func: helpNear, Modes: "+name, -near",
			Doc: "Near is the name of a documented predicate that name may have meant."},
		{Name: "$caller", Arity: 2, Func: caller, Modes: "-file, -line",
			Doc: "The place in the program from which the library was called."},
		{Name: "$callers", Arity: 1, Func: callers, Modes: "-list",
			Doc: "Lists the clauses that have begun and not ended as caller(Indicator, File, Line), the innermost first."},
		{Name: "$load_context", Arity: 2, Func: loadContext, Modes: "+key, -value",
			Doc: "Value is what is known of the file being loaded."},
		{Name: "$clean_path", Arity: 3, Func: cleanPath, Modes: "+folder, +name, -path",
			Doc: "Path is the name of a file seen from a folder."},
		{Name: "$unique_number", Arity: 1, Func: uniqueNumber, Modes: "-integer",
			Doc: "A number that was never given before."},
		{Name: "$load", Arity: 3, Func: loadGoal, Modes: "+spec, +module, +imports",
			Doc: "Loads a file or library and imports from it into a module."},
		{Name: "$load_files", Arity: 3, Func: loadFiles, Modes: "+spec, +module, +options",
			Doc: "Loads files or libraries into a module, with options that are known and valid."},
		{Name: "unload_file", Arity: 1, Func: unloadFile, Modes: "+file",
			Doc: "Removes the definitions of a loaded file."},
		{Name: "$make", Arity: 0, Func: makeGoal, Doc: "Loads the files again that have changed."},
		{Name: "$exists_source", Arity: 1, Func: sourceExists, Modes: "+spec",
			Doc: "Spec names something that can be loaded."},
		{Name: "$load", Arity: 2, Func: loadGoal, Modes: "+spec, +module", Doc: "Loads a file or library into a module."},
	}
	list = append(list, moduleTable...)
	for _, d := range []struct {
		name  string
		flags database.Flag
	}{
		{"discontiguous", database.Discontiguous}, {"dynamic", database.Dynamic}, {"multifile", database.Multifile},
		{"thread_local", database.Dynamic | database.ThreadLocal},
	} {
		list = append(list, machine.Builtin{Name: d.name, Arity: 1, Func: declareGoal(d.flags), Meta: ":",
			Modes: ":indicators", Doc: "Declares predicates " + d.name + "."})
	}
	return list
}

// caller runs '$caller'(File, Line). It fails if no clause of the program is active.
func caller(m *machine.Machine, a []cell) (bool, error) {
	for _, f := range m.Callers() {
		if f.File != "" {
			return m.Unify(a[0], m.NewAtom(builtin.FileName(m, f.File))) && m.Unify(a[1], m.NewInt(int64(f.Line))), nil
		}
	}
	return false, nil
}

// callers runs '$callers'(List). Clauses of the system are left out.
func callers(m *machine.Machine, a []cell) (bool, error) {
	var list []cell
	system := m.Program().System()
	for _, f := range m.Callers() {
		pred := f.Clause.Pred
		if pred.Module == system {
			continue
		}
		indicator := m.NewCompound(code.FColon, []cell{m.NewAtom(pred.Module.Name), m.Indicator(pred.Functor)})
		list = append(list, m.NewStruct("caller", indicator, m.NewAtom(builtin.FileName(m, f.File)),
			m.NewInt(int64(f.Line))))
		if err := m.Charge(1); err != nil {
			return false, err
		}
	}
	return m.Unify(a[0], m.List(list, code.ANil)), nil
}

func mustBeCallable(m *machine.Machine, a []cell) (bool, error) {
	goal, _ := m.StripModule(a[0])
	_, err := m.CallableArg(goal)
	return true, err
}

// currentPredicates lists the predicates with clauses that a module defines or imports.
func currentPredicates(m *machine.Machine, a []cell) (bool, error) {
	return listPredicates(m, a, true, true)
}

// knownPredicates lists the predicates that a module defines or imports.
func knownPredicates(m *machine.Machine, a []cell) (bool, error) {
	return listPredicates(m, a, true, false)
}

// declaredPredicates lists the predicates that a module defines.
func declaredPredicates(m *machine.Machine, a []cell) (bool, error) {
	return listPredicates(m, a, false, false)
}

// listPredicates lists the predicates of a module that are written in Prolog. imports adds those that it imports, and
// clauses leaves out those without clauses. It leaves out the predicates behind tabled ones: their clauses count as
// those of the tabled predicate.
func listPredicates(m *machine.Machine, a []cell, imports, clauses bool) (bool, error) {
	name, err := m.AtomArg(a[0])
	if err != nil {
		return false, err
	}
	mod := m.Program().FindModule(name)
	if mod == nil {
		return m.Unify(a[2], code.ANil), nil
	}
	named := m.Deref(a[1])
	var list []cell
	for _, p := range mod.Preds() {
		if named.Tag() == code.Atom && p.Functor.FunctorAtom() != named.Atom() || p.Shown() != p.Functor {
			continue
		}
		functor := p.Functor
		if imported := p.Imported(); imports && imported != nil && !p.Defined() {
			p = imported
		}
		if isOfProgram(m, p) && (!clauses || hasClauses(m, p)) {
			list = append(list, m.Indicator(functor))
		}
	}
	return m.Unify(a[2], m.List(list, code.ANil)), nil
}

// hasClauses reports whether the machine sees a clause of p.
func hasClauses(m *machine.Machine, p *database.Pred) bool {
	view := m.Tx().Now()
	for _, c := range p.Clauses() {
		if m.Tx().Sees(c, view) {
			return true
		}
	}
	return false
}

// isOfProgram reports whether the machine sees the definition of a predicate that is written in Prolog, of the program
// or of a library.
func isOfProgram(m *machine.Machine, p *database.Pred) bool {
	return p.Builtin < 0 && p.Module != m.Program().System() && m.Tx().Knows(p)
}

// visiblePredicate runs '$visible_predicate'(Module, Name, Arity).
func visiblePredicate(m *machine.Machine, a []cell) (bool, error) {
	name, err := m.AtomArg(a[0])
	if err != nil {
		return false, err
	}
	mod := m.Program().FindModule(name)
	arity, err := m.IntArg(a[2])
	predName := m.Deref(a[1])
	if mod == nil || err != nil || predName.Tag() != code.Atom || arity > load.MaxArity {
		return false, nil
	}
	p := mod.Resolve(code.MakeFunctor(predName.Atom(), arity))
	// A text for several systems asks in :- if(...) whether the system that loads it has a predicate.
	all := m.Loading || m.Program().User().Flags.SWI
	if p == nil {
		return all && lib.BuiltIn(lib.Indicator{Name: stacks.AtomText(predName), Arity: arity}), nil
	}
	return isOfProgram(m, p) || all && p.Module == m.Program().System() && p.Defined(), nil
}

// predInfo is $pred_info/2.
func predInfo(m *machine.Machine, a []cell) (bool, error) {
	return propertiesOf(m, a[0], a[1], properties{m: m})
}

// predInfoFor is $pred_info/3. A meta-interpreter asks for one property at each step.
func predInfoFor(m *machine.Machine, a []cell) (bool, error) {
	only := m.Deref(a[1])
	if stacks.IsCompound(only) {
		only = m.Functor(only)
	} else if stacks.IsVar(only) {
		only = 0
	}
	return propertiesOf(m, a[0], a[2], properties{m: m, only: only})
}

// propertiesOf unifies list with the properties of the predicate that a head calls.
func propertiesOf(m *machine.Machine, head, list cell, l properties) (bool, error) {
	head, mod := m.StripModule(head)
	head, err := m.CallableArg(head)
	if err != nil {
		return false, err
	}
	functor := code.MakeFunctor(head.Atom(), 0)
	if stacks.IsCompound(head) {
		functor = m.Functor(head)
	}
	p := mod.Resolve(functor)
	if p == nil {
		if p, err = m.Program().Loader.Autoload(functor, m.Loading); p == nil {
			return false, err
		}
	}
	if err := l.of(p, mod); err != nil {
		return false, err
	}
	return m.Unify(list, m.List(l.list, code.ANil)), nil
}

// properties is a list of properties of a predicate as predicate_property/2 gives them.
type properties struct {
	m    *machine.Machine
	only cell // the atom or functor of the wanted properties, 0 for all
	list []cell
}

// wants reports whether properties with a name and a number of arguments are wanted.
func (l *properties) wants(name string, arity int) bool {
	switch {
	case l.only == 0:
		return true
	case l.only.Tag() == code.Atom:
		return arity == 0 && stacks.AtomText(l.only) == name
	}
	return l.only.IsFunctor() && l.only.FunctorArity() == arity && stacks.AtomText(l.only.FunctorName()) == name
}

// atom adds a property without arguments if on is set and the property is wanted.
func (l *properties) atom(on bool, name string) {
	if on && l.wants(name, 0) {
		l.list = append(l.list, l.m.NewAtom(name))
	}
}

// one adds a property with an argument if on is set and the property is wanted. It calls arg only then.
func (l *properties) one(on bool, name string, arg func() cell) {
	if on && l.wants(name, 1) {
		l.list = append(l.list, l.m.NewStruct(name, arg()))
	}
}

// of adds the properties of p, seen from mod.
func (l *properties) of(p *database.Pred, mod *database.Module) error {
	m := l.m
	system := p.Module == m.Program().System()
	l.atom(true, "defined")
	l.atom(true, "visible")
	l.atom(system, "built_in")
	l.atom(system, "system")
	l.atom(p.Builtin >= 0, "foreign")
	l.atom(p.Builtin < 0, "interpreted")
	l.atom(p.Has(database.Locked), "iso")
	l.atom(p.Has(database.Dynamic), "dynamic")
	l.atom(!p.Has(database.Dynamic), "static")
	l.atom(p.Has(database.Multifile), "multifile")
	l.atom(p.Has(database.Discontiguous), "discontiguous")
	l.atom(p.Has(database.ThreadLocal), "thread_local")
	l.tabling(p)
	l.atom(p.Has(database.Transparent) || strings.ContainsAny(p.Meta(), ":^/0123456789"), "transparent")
	l.atom(p.Has(database.SSU), "ssu")
	l.atom(p.Has(database.Det), "det")
	l.atom(p.Has(database.Public), "public")
	l.atom(system || p.Module.Library, "nodebug")
	l.atom(mod.IsExported(p.Functor), "exported") // by the module asked
	l.one(p.Module != mod && !system, "imported_from", func() cell { return m.NewAtom(p.Module.Name) })
	l.one(p.Meta() != "" || code.Junction(p.Functor), "meta_predicate", func() cell { return builtin.MetaSpec(m, p) })
	if p.Builtin < 0 && !p.Has(database.Locked) && (l.wants("number_of_clauses", 1) || l.wants("number_of_rules", 1)) {
		clauses, rules, err := clauseCounts(m, p)
		if err != nil {
			return err
		}
		known := clauses > 0 || p.Has(database.Dynamic)
		l.one(known, "number_of_clauses", func() cell { return m.NewInt(int64(clauses)) })
		l.one(known, "number_of_rules", func() cell { return m.NewInt(int64(rules)) })
	}
	l.one(p.File != "", "file", func() cell { return m.NewAtom(builtin.FileName(m, p.File)) })
	l.one(p.File != "", "line_count", func() cell { return m.NewInt(int64(p.Line)) })
	return nil
}

// clauseCounts returns how many clauses of p the goal sees, and how many of them are rules.
func clauseCounts(m *machine.Machine, p *database.Pred) (clauses, rules int, err error) {
	if own := p.Context(); own != nil {
		p = own
	}
	view := m.Tx().Now()
	for i, c := range p.Clauses() {
		if i%countedAtOnce == countedAtOnce-1 {
			if err := m.Charge(countedAtOnce / 16); err != nil {
				return 0, 0, err
			}
		}
		if m.Tx().Sees(c, view) {
			clauses++
			if c.Body != code.ATrue {
				rules++
			}
		}
	}
	if clauses == 0 {
		m.Tx().NoteAllAbsent(p)
	}
	return clauses, rules, nil
}

// countedAtOnce is the number of clauses that are counted between two checks of the limits.
const countedAtOnce = 1 << 10

// tabling adds the properties of a predicate that this run calls with tables.
func (l *properties) tabling(p *database.Pred) {
	if !l.m.CallsTables(p) {
		return
	}
	incremental := p.Has(database.Incremental)
	l.atom(true, "tabled")
	l.one(true, "tabled", func() cell { return l.m.NewAtom("variant") })
	l.one(incremental, "tabled", func() cell { return l.m.NewAtom("incremental") })
	l.atom(incremental, "incremental")
}

func stripModule(m *machine.Machine, a []cell) (bool, error) {
	plain, mod := m.StripModule(a[0])
	if stacks.IsCompound(plain) && m.Functor(plain) == code.FColon {
		if err := needFinite(m, a[0]); err != nil {
			return false, err
		}
	}
	return m.Unify(a[1], m.NewAtom(mod.Name)) && m.Unify(a[2], plain), nil
}

// declareGoal returns a predicate that declares predicates at run time.
func declareGoal(flags database.Flag) machine.Func {
	return eachDeclaration(func(m *machine.Machine, d declaration) error { return d.declare(m, flags) })
}

// eachDeclaration returns a predicate that does something for each part of its argument.
func eachDeclaration(do func(*machine.Machine, declaration) error) machine.Func {
	return func(m *machine.Machine, a []cell) (bool, error) {
		if err := needFinite(m, a[0]); err != nil {
			return false, err
		}
		todo := []declaration{{a[0], m.Module()}}
		for len(todo) > 0 {
			m.Poll(1)
			d := todo[len(todo)-1]
			parts, err := d.split(m)
			if err != nil {
				return false, err
			}
			todo = append(todo[:len(todo)-1], parts...)
			if parts != nil {
				continue
			}
			if err := do(m, d); err != nil {
				return false, err
			}
		}
		return true, nil
	}
}

// declaration is an argument of dynamic/1 or a similar predicate, or a part of it.
type declaration struct {
	c   cell
	mod *database.Module
}

// split returns the parts of a conjunction, a list or a qualified term, in reverse order. It returns nil for any other
// term, which must be an indicator.
func (d declaration) split(m *machine.Machine) ([]declaration, error) {
	c := m.Deref(d.c)
	switch {
	case stacks.IsVar(c):
		return nil, m.InstantiationError()
	case c == code.ANil:
		return []declaration{}, nil
	case !stacks.IsCompound(c):
		return nil, nil
	}
	switch m.Functor(c) {
	case code.FComma, code.FDot:
		return []declaration{{m.Arg(c, 1), d.mod}, {m.Arg(c, 0), d.mod}}, nil
	case code.FColon:
		name := m.Deref(m.Arg(c, 0))
		if name.Tag() != code.Atom {
			return nil, m.TypeError("module", name)
		}
		return []declaration{{m.Arg(c, 1), m.Program().Module(stacks.AtomText(name))}}, nil
	}
	return nil, nil
}

// predicate returns the predicate that an indicator names.
func (d declaration) predicate(m *machine.Machine) (*database.Pred, error) {
	c := m.Deref(d.c)
	extra := 0 // the two arguments that a nonterminal has besides its own
	if stacks.IsCompound(c) && m.Functor(c) == fDoubleSlash {
		extra = 2
	} else if !stacks.IsCompound(c) || m.Functor(c) != code.FSlash {
		return nil, m.TypeError("predicate_indicator", c)
	}
	name, err := m.AtomArg(m.Arg(c, 0))
	if err != nil {
		return nil, err
	}
	arity, err := m.IntArg(m.Arg(c, 1))
	switch {
	case err != nil:
		return nil, err
	case arity < 0:
		return nil, m.DomainError("not_less_than_zero", m.Arg(c, 1))
	case arity+extra > load.MaxArity:
		return nil, m.RepresentationError("max_procedure_arity")
	}
	return d.mod.Lookup(code.Functor(name, arity+extra)), nil
}

// declare declares the predicate that an indicator names.
func (d declaration) declare(m *machine.Machine, flags database.Flag) error {
	pred, err := d.predicate(m)
	if err != nil {
		return err
	}
	isStatic := pred.IsStatic() && len(pred.Clauses()) > 0
	if flags&database.Dynamic != 0 && isStatic {
		return m.PermissionError("modify", "static_procedure", m.Deref(d.c))
	}
	makes := flags == database.Dynamic && pred.ByName() == nil && !m.Program().Loader.Fixed(d.mod, pred.Functor)
	if makes && !m.Tx().Direct() {
		return builtin.MakeDynamic(m, pred)
	}
	if err := needOwn(m, pred); err != nil {
		return err
	}
	if makes {
		if err := builtin.MakeDynamic(m, pred); err != nil {
			return err
		}
	}
	m.Program().Loader.Declare(m.Tx().Definer(), pred, flags)
	return nil
}

var fDoubleSlash = code.Functor("//", 2)

// needFinite fails for a term that contains itself.
func needFinite(m *machine.Machine, c cell) error {
	if !m.IsAcyclic(c) {
		return m.TypeError("acyclic_term", c)
	}
	return nil
}

// needSources returns an error if c is unbound, has an unbound element, or is a partial list that ends in another
// term than [].
func needSources(m *machine.Machine, c cell) error {
	if err := needFinite(m, c); err != nil {
		return err
	}
	items, tail := m.AppendList(nil, c)
	if stacks.IsVar(tail) || slices.ContainsFunc(items, func(c cell) bool { return stacks.IsVar(m.Deref(c)) }) {
		return m.InstantiationError()
	}
	if len(items) > 0 && tail != code.ANil {
		return m.TypeError("list", tail)
	}
	return nil
}

// loadGoal runs consult/1, use_module/1 and similar predicates at run time.
func loadGoal(m *machine.Machine, a []cell) (bool, error) {
	name, err := m.AtomArg(a[1])
	if err != nil {
		return false, err
	}
	if err := needSources(m, a[0]); err != nil {
		return false, err
	}
	args := []term.Term{m.Export(a[0])}
	for _, imports := range a[2:] {
		if err := needFinite(m, imports); err != nil {
			return false, err
		}
		args = append(args, m.Export(imports))
	}
	module := m.Program().Module(name)
	return true, loadTexts(m, args[0], func(ctx context.Context) ([]string, error) {
		return m.Program().Loader.Use(ctx, module, args, asker(m))
	})
}

// loadFiles runs consult/1, load_files/2 and similar predicates at run time. The options are again, imports(Imports),
// reexport, must_be_module, if_exists and text(Text).
func loadFiles(m *machine.Machine, a []cell) (bool, error) {
	name, err := m.AtomArg(a[1])
	if err != nil {
		return false, err
	}
	if err := needSources(m, a[0]); err != nil {
		return false, err
	}
	if err := needFinite(m, a[2]); err != nil {
		return false, err
	}
	spec, module := m.Export(a[0]), m.Program().Module(name)
	var o database.LoadOptions
	options, _ := term.Slice(m.Export(a[2]))
	for _, option := range options {
		var value term.Term // of Name(Value)
		name, arity, _ := term.Indicator(option)
		if c, ok := option.(*term.Compound); ok && arity == 1 {
			value = c.Args[0]
		}
		switch name {
		case "again":
			o.Again = true
		case "imports":
			o.Imports = value
		case "reexport":
			o.Reexport = true
		case "must_be_module":
			o.MustBeModule = true
		case "module":
			name, _ := value.(term.Atom)
			o.Module = string(name)
		case "if_exists":
			o.IfExists = true
		case "text":
			text, _ := term.Text(value)
			o.Text = &text
		}
	}
	if o.Text != nil {
		if err := needDirect(m, "load", a[0]); err != nil {
			return false, err
		}
	}
	return true, loadTexts(m, spec, func(ctx context.Context) ([]string, error) {
		return m.Program().Loader.LoadFiles(ctx, module, spec, o, asker(m))
	})
}

// needDirect returns an error if the run is isolated: the goal would change what other runs see.
func needDirect(m *machine.Machine, action string, source cell) error {
	if asker(m).Kind != database.IsolatedGoal {
		return nil
	}
	return m.PermissionError(action, "source", source)
}

// asker tells the loader what kind of goal the machine runs.
func asker(m *machine.Machine) database.Asker {
	by := database.Asker{Kind: database.DirectGoal, Restricted: m.Restricted()}
	switch {
	case m.Loading:
		by.Kind = database.LoaderGoal
	case machine.IsIsolated(m):
		by.Kind = database.IsolatedGoal
	}
	return by
}

// unloadFile is unload_file/1.
func unloadFile(m *machine.Machine, a []cell) (bool, error) {
	file := m.Deref(a[0])
	if stacks.IsVar(file) {
		return false, m.InstantiationError()
	}
	name, ok := m.TextOf(file)
	if !ok || m.IsNumber(file) {
		return false, m.TypeError("text", file)
	}
	if err := needDirect(m, "unload", file); err != nil {
		return false, err
	}
	return true, loadTexts(m, term.Atom(name), func(ctx context.Context) ([]string, error) {
		return m.Program().Loader.Unload(ctx, name, m.Loading)
	})
}

// makeGoal is make/0. It does nothing while files are loaded.
func makeGoal(m *machine.Machine, _ []cell) (bool, error) {
	if m.Loading {
		return true, nil
	}
	return true, loadTexts(m, term.Atom("make"), m.Program().Loader.Make)
}

// loadTexts loads what a goal names and prints what is wrong with it.
func loadTexts(m *machine.Machine, spec term.Term, do func(context.Context) ([]string, error)) error {
	before := m.Program().Loader.Globals()
	builtin.FlushOutput(m)
	var told []string
	var loaded error
	err := m.Await(func(ctx context.Context) error {
		told, loaded = do(ctx)
		return loaded
	})
	var errs source.Diagnostics
	// If a limit ended the load, err is the limit, and the diagnostics say where the load was. Diagnostics are a
	// slice, so that == would panic.
	if _, same := err.(source.Diagnostics); !same && errors.As(loaded, &errs) {
		told = append(told, errs.Error())
	}
	m.SeeNewCode()
	if machine.IsIsolated(m) {
		for _, op := range m.Program().Loader.WaitingOps() {
			m.AddOp(m.Program().User(), op.Priority, op.Type, string(op.Name))
		}
	}
	if err := printAll(m, told); err != nil {
		return err
	}
	for name, value := range m.Program().Loader.Globals() { // directives of the text have set them
		if was, ok := before[name]; !ok || was != value {
			m.SetGlobal(name, m.Import(value), false)
		}
	}
	var missing *load.NotFound
	var header *load.NoHeader
	var refused *load.Refused
	switch {
	case errors.As(err, &missing):
		formal := m.NewStruct("existence_error", m.NewAtom("source_sink"), m.Import(missing.Spec))
		return m.ErrorMessage(formal, missing.Message)
	case errors.As(err, &header):
		return m.DomainError("module_header", m.Import(header.First))
	case errors.As(err, &refused):
		return permissionRefused(m, refused)
	case errors.As(err, &errs):
		return m.ErrorMessage(m.NewStruct("load_error", m.Import(spec)), errs.Error())
	}
	return err
}

// permissionRefused returns the permission error for a change that the loader has refused.
func permissionRefused(m *machine.Machine, r *load.Refused) error {
	action := m.NewAtom(r.Action)
	if r.Into != "" {
		action = m.NewStruct(r.Action, m.NewAtom(r.Into))
	}
	formal := m.NewStruct("permission_error", action, m.NewAtom(r.Type), m.Import(r.Culprit))
	return m.ErrorMessage(formal, r.Message)
}

// printAll prints what is wrong with texts that were loaded.
func printAll(m *machine.Machine, told []string) error {
	for _, text := range told {
		if err := builtin.PrintError(m, text+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// sourceExists runs '$exists_source'(Spec).
func sourceExists(m *machine.Machine, a []cell) (bool, error) {
	if err := needFinite(m, a[0]); err != nil {
		return false, err
	}
	return m.Program().Loader.SourceExists(m.Export(a[0])), nil
}

// loadContext runs '$load_context'(Key, Value) for prolog_load_context/2. It fails if this run does not belong to
// a load.
func loadContext(m *machine.Machine, a []cell) (bool, error) {
	key, err := m.AtomArg(a[0])
	if err != nil || !m.Loading {
		return false, err
	}
	t := m.Program().Loader.Context(key)
	return t != nil && m.Unify(a[1], m.Import(t)), nil
}

// cleanPath runs '$clean_path'(Folder, Name, Path). Path is Name without . and .. in it. A relative Name starts from
// Folder.
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

// uniqueNumbers is the last unique number of the process.
var uniqueNumbers atomic.Int64

// uniqueNumber runs '$unique_number'(N).
func uniqueNumber(m *machine.Machine, a []cell) (bool, error) {
	return m.Unify(a[0], code.MakeInt(uniqueNumbers.Add(1))), nil
}
