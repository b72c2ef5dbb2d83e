package load

import (
	"fmt"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how units of tests are loaded (library(plunit)). The text between begin_tests(Unit) and
// end_tests(Unit) is loaded into the module plunit_Unit, whose parent is the module around it. A clause
// test(Name, Options) :- Body becomes
//
//	'unit test'(Name, File, Line, Options, 'unit body'(Id, Vars)).
//	'unit body'(Id, Vars) :- Body.
//
// where Vars holds the variables that options and body share.

// unit is the unit of tests that is being loaded.
type unit struct {
	name term.Atom
	file string
	// outer and parser are restored after the unit.
	outer  *database.Module
	parser *syntax.Parser
	// chosen is set if the options of the unit choose a mode of unification. occurs is set if the options of the
	// current test do too.
	occurs, chosen bool
}

// choosesUnification reports whether the options of a unit or test choose a mode of unification.
func choosesUnification(options term.Term) bool {
	items, _ := term.Slice(options)
	for _, o := range items {
		if name, arity, _ := term.Indicator(o); arity == 1 && (name == "sto" || name == "occurs_check") {
			return true
		}
	}
	return false
}

// beginTests is begin_tests(Unit) and begin_tests(Unit, Options).
func (l *Loader) beginTests(args []term.Term) {
	name, ok := args[0].(term.Atom)
	if !ok {
		l.report(source.SeverityError, "unit", "the name of a unit of tests must be an atom, not %s",
			syntax.ShowTerm(args[0]))
		return
	}
	if l.unit != nil {
		l.report(source.SeverityError, "unit", "tests of unit %s have not ended; want end_tests(%s)",
			syntax.ShowTerm(l.unit.name), syntax.ShowTerm(l.unit.name))
		return
	}
	options := term.Term(term.Nil)
	if len(args) == 2 {
		options = args[1]
	}
	options = l.restrictedOptions(options)
	module := l.unitModule(name)
	l.unit = &unit{name: name, file: l.name, outer: l.module, parser: l.parser,
		occurs: choosesUnification(options), chosen: choosesUnification(options)}
	l.goal(term.New(":", term.Atom("plunit"), term.New("begin_unit", name, term.Atom(module.Name),
		term.Atom(l.module.Name), options, term.Atom(l.name), term.Int(l.at().Line))))
	l.enter(module)
}

// unitModule returns the module of a unit, whose parent is the module of the loader. The flags for quoted texts have
// their default values, as in every new module.
func (l *Loader) unitModule(name term.Atom) *database.Module {
	module := l.p.db.Module("plunit_" + string(name))
	l.p.definer.SetParents(module, l.module)
	module.Unit = true
	module.Ops = syntax.NewOps(l.module.Ops)
	module.Flags = l.module.Flags
	module.Flags.DoubleQuotes, module.Flags.BackQuotes, module.Flags.VarPrefix = 0, 0, false
	for _, f := range []code.Cell{code.Functor("unit test", 5), code.Functor("unit body", 2)} {
		l.p.Declare(l.p.definer, module.Lookup(f), database.Defined|database.Discontiguous|database.Multifile)
	}
	l.p.LoadLibrary("plunit")
	return module
}

// enter makes a module the one that the following text is loaded into.
func (l *Loader) enter(module *database.Module) {
	l.module, l.last = module, nil
	l.parse()
}

// endTests is end_tests(Unit).
func (l *Loader) endTests(args []term.Term) {
	switch {
	case l.unit == nil:
		l.report(source.SeverityError, "unit", "end_tests(%s) without begin_tests", syntax.ShowTerm(args[0]))
	case args[0] != term.Term(l.unit.name):
		l.report(source.SeverityError, "unit", "end_tests(%s) ends no unit; want end_tests(%s)",
			syntax.ShowTerm(args[0]), syntax.ShowTerm(l.unit.name))
	default:
		l.leaveUnit()
	}
}

// leaveUnit restores the module and the reader from before the unit.
func (l *Loader) leaveUnit() {
	l.module, l.last, l.parser = l.unit.outer, nil, l.unit.parser
	l.unit = nil
}

// closeUnit ends a unit that this file does not end. It only warns, because the tests are loaded in any case.
func (l *Loader) closeUnit() {
	if l.unit != nil && l.unit.file == l.name {
		l.report(source.SeverityWarning, "unit", "end_tests(%s) is missing at the end of the file",
			syntax.ShowTerm(l.unit.name))
		l.leaveUnit()
	}
}

// testClause translates a clause of test/1 or test/2 within a unit. It returns nil for other terms. An empty list that
// is not nil drops the clause after its mistake was reported.
func (l *Loader) testClause(t term.Term) []term.Term {
	head, body := t, term.Term(nil)
	if args, ok := term.Is(t, ":-", 2); ok {
		head, body = args[0], args[1]
	}
	name, arity, _ := term.Indicator(head)
	if name != "test" || arity != 1 && arity != 2 {
		return nil
	}
	args := head.(*term.Compound).Args
	if body == nil {
		l.report(source.SeverityError, "unit", "the test %s has no body", syntax.ShowTerm(args[0]))
		return []term.Term{}
	}
	options := term.Term(term.Nil)
	if arity == 2 {
		options = args[1]
	}
	if _, ok := term.Slice(options); !ok {
		options = term.List(options)
	}
	options = l.restrictedOptions(options)
	l.goal(term.New(":", term.Atom("plunit"), term.New("check_test", args[0], options)))
	line := l.at().Line
	id := term.Atom(fmt.Sprintf("%s@line %d", syntax.FormatTerm(args[0]), line))
	l.unit.occurs = l.unit.chosen || choosesUnification(options)
	call := term.New("unit body", id, sharedVariables(options, body))
	return []term.Term{
		term.New("unit test", args[0], term.Atom(l.name), term.Int(line), options, call),
		term.New(":-", call, body),
	}
}

// restrictedOptions restricts the goals in the options of a unit or test of a restricted file.
func (l *Loader) restrictedOptions(options term.Term) term.Term {
	items, ok := term.Slice(options)
	if !ok || !l.Restricted() {
		return options
	}
	for i, o := range items {
		if c, ok := o.(*term.Compound); ok && len(c.Args) == 1 &&
			slices.Contains([]term.Atom{"setup", "cleanup", "condition", "forall", "true"}, c.Functor) {
			items[i] = term.New(c.Functor, term.New("$restrictedly", c.Args[0]))
		}
	}
	return term.List(items...)
}

// sharedVariables returns the term vars(...) of the variables that occur in both terms.
func sharedVariables(a, b term.Term) term.Term {
	in := map[*term.Var]bool{}
	for _, v := range term.Variables(a) {
		in[v] = true
	}
	var shared []term.Term
	for _, v := range term.Variables(b) {
		if in[v] {
			shared = append(shared, v)
		}
	}
	return compound("vars", shared)
}
