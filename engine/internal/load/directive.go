package load

import (
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/builtin"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/law"
	"github.com/mcplogic/mcplogic/engine/internal/lib"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/passes"
	"github.com/mcplogic/mcplogic/engine/internal/stream"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/shapes"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines directives: those that the loader runs itself, and goals.

// directives are the directives that the loader runs itself, by name and arity. It also contains directives without an
// effect here, because they would otherwise be called as goals.
var directives map[string]func(*Loader, []term.Term)

// The table is filled here because some directives load texts, whose directives use the table.
func init() {
	directives = map[string]func(*Loader, []term.Term){
		"module/2":              (*Loader).moduleHeader,
		"use_module/1":          (*Loader).useModule,
		"use_module/2":          (*Loader).useModule,
		"autoload/1":            (*Loader).useModule,
		"autoload/2":            (*Loader).useModule,
		"reexport/1":            (*Loader).reexport,
		"reexport/2":            (*Loader).reexport,
		"ensure_loaded/1":       (*Loader).useModule,
		"include/1":             (*Loader).include,
		"facts/2":               (*Loader).facts,
		"facts/3":               (*Loader).facts,
		"decision/1":            (*Loader).decisions,
		"decision/2":            (*Loader).decision,
		"decision/3":            (*Loader).decision,
		"dynamic/1":             declares(database.Dynamic),
		"discontiguous/1":       declares(database.Discontiguous),
		"multifile/1":           declares(database.Multifile),
		"dynamic/2":             (*Loader).dynamicList,
		"det/1":                 declares(database.Det),
		"persistent/1":          (*Loader).persistent,
		"persistent/2":          (*Loader).persistent,
		"table/1":               (*Loader).table,
		"thread_local/1":        declares(database.Dynamic | database.ThreadLocal),
		"public/1":              declares(database.Public),
		"module_transparent/1":  (*Loader).moduleTransparent,
		"meta_predicate/1":      (*Loader).metaPredicate,
		"initialization/1":      (*Loader).initialization,
		"initialization/2":      (*Loader).initialization,
		"set_prolog_flag/2":     (*Loader).setFlag,
		"begin_tests/1":         (*Loader).beginTests,
		"begin_tests/2":         (*Loader).beginTests,
		"end_tests/1":           (*Loader).endTests,
		"style_check/1":         (*Loader).styleCheck,
		"license/1":             func(*Loader, []term.Term) {},
		"license/2":             func(*Loader, []term.Term) {},
		"predicate_options/2":   func(*Loader, []term.Term) {},
		"predicate_options/3":   func(*Loader, []term.Term) {},
		"set_prolog_stack/2":    func(*Loader, []term.Term) {},
		"require/1":             func(l *Loader, args []term.Term) { l.eachPredicate(args[0], func(*database.Pred) {}) },
		"export/1":              (*Loader).exports,
		"$clausable/1":          declares(0),
		"encoding/1":            (*Loader).encoding,
		"expects_dialect/1":     func(*Loader, []term.Term) {},
		"mode/1":                func(*Loader, []term.Term) {}, // a note for readers of older programs
		"compile_predicates/1":  func(l *Loader, args []term.Term) { l.eachPredicate(args[0], func(*database.Pred) {}) },
		"volatile/1":            declares(0),
		"noprofile/1":           declares(0),
		"non_terminal/1":        declares(0),
		"use_foreign_library/1": (*Loader).foreignLibrary,
		"use_foreign_library/2": (*Loader).foreignLibrary,
	}
}

// encodingDirective is a directive that names the encoding of its file.
var encodingDirective = regexp.MustCompile(`(?m)^\s*:-\s*encoding\(\s*(\w+)\s*\)`)

// encodingOf returns the encoding that a text declares by its byte order mark or its directive, if the program reads
// files as SWI-Prolog does. Otherwise it returns "utf8".
func (l *Loader) encodingOf(begin string) string {
	if !l.module.Flags.SWI {
		return "utf8"
	}
	switch named := encodingDirective.FindStringSubmatch(begin); {
	case strings.HasPrefix(begin, "\xFF\xFE"):
		return "utf16le"
	case strings.HasPrefix(begin, "\xFE\xFF"):
		return "utf16be"
	case named != nil && slices.Contains(stream.Encodings, named[1]):
		return named[1]
	}
	return "utf8"
}

// encoding runs encoding(Name). Files are UTF-8 unless encodingOf says otherwise.
func (l *Loader) encoding(args []term.Term) {
	name, _ := args[0].(term.Atom)
	switch {
	case name == "utf8", name == "ascii", name == "text":
	case l.module.Flags.SWI && slices.Contains(stream.Encodings, string(name)):
	default:
		l.report(source.SeverityWarning, "encoding", "files are read as UTF-8, not as %s", syntax.ShowTerm(args[0]))
	}
}

// foreignLibrary reports that foreign libraries are not available. The predicates that a program takes from one are
// undefined.
func (l *Loader) foreignLibrary([]term.Term) {
	l.report(source.SeverityWarning, "library", "%s", lib.Absent("shlib"))
}

// steers reports whether a goal of a conjunction is a directive that the loader runs itself.
func (l *Loader) steers(t term.Term) bool {
	goals, _ := term.Conjuncts(t)
	for _, first := range goals {
		name, arity, _ := term.Indicator(first)
		key := fmt.Sprintf("%s/%d", name, arity)
		if directives[key] != nil || l.p.declared[key] || law.Directives[key] && l.usesLaw() {
			return true
		}
	}
	return false
}

// directive runs one directive. A conjunction that contains a directive of the loader is a sequence of directives. Any
// other conjunction is one goal.
func (l *Loader) directive(t term.Term) {
	if _, ok := term.Is(t, ",", 2); ok && !l.steers(t) {
		l.goal(t)
		return
	}
	for {
		args, ok := term.Is(t, ",", 2)
		if !ok {
			break
		}
		l.directive(args[0])
		t = args[1]
	}
	name, arity, ok := term.Indicator(t)
	if !ok {
		l.report(source.SeverityError, "directive", "%s cannot be a directive", kindOf(t))
		return
	}
	var args []term.Term
	if c, ok := t.(*term.Compound); ok {
		args = c.Args
	}
	key := fmt.Sprintf("%s/%d", name, arity)
	switch f := directives[key]; {
	case l.p.declared[key]:
		l.declare(string(name), t)
	case l.noteRuleDirective(key, t):
	case declaresSeveral(string(name), args):
		var list []string
		for _, arg := range args {
			list = append(list, syntax.ShowTerm(arg))
		}
		l.report(source.SeverityError, "declaration", "%s/1 takes all predicates in one argument; write :- %s %s.", name,
			name,
			strings.Join(list, ", "))
	case f != nil:
		f(l, args)
	default:
		l.goal(t)
	}
	l.begun = l.begun || !beforeHeader[key]
}

// beforeHeader are the directives that may stand before a module header.
var beforeHeader = map[string]bool{"encoding/1": true, "expects_dialect/1": true, "include/1": true}

// declaresSeveral reports whether the arguments of a directive are several predicates, as in dynamic(p/1, q/1). The
// directives that declare predicates take one argument: a conjunction or a list of predicates.
func declaresSeveral(name string, args []term.Term) bool {
	if len(args) < 2 || !declaring[name] {
		return false
	}
	for _, arg := range args {
		if _, _, ok := Indicator(arg); !ok {
			return false
		}
	}
	return true
}

// declaring are the directives that take predicate indicators.
var declaring = map[string]bool{"dynamic": true, "persistent": true,
	"discontiguous": true, "multifile": true, "table": true,
	"thread_local": true, "public": true, "module_transparent": true, "volatile": true, "noprofile": true,
	"non_terminal": true}

// isDeclaration reports whether a directive describes a predicate. Its variables stand for arguments.
func (l *Loader) isDeclaration(t term.Term) bool {
	name, arity, ok := term.Indicator(t)
	return ok && l.p.declared[fmt.Sprintf("%s/%d", name, arity)]
}

// declare records a directive that describes a predicate. The directive is not called.
func (l *Loader) declare(name string, t term.Term) {
	d := source.Declaration{Position: l.position(), Name: name, Term: t, Module: l.module.Name}
	if l.read != nil {
		d.Layout = l.read.Layout.Arg(0)
	}
	if args, ok := term.Is(t, "mode", 2); ok && d.Layout != nil {
		l.lateMode(d.Module, args[0])
	}
	l.p.declarations = append(l.p.declarations, d)
}

// goal calls a directive that is a goal.
func (l *Loader) goal(t term.Term) {
	if l.read != nil {
		t = passes.DictGoal(l.read, l.module, t)
	}
	if !l.library && !l.TakesGoals() {
		t = l.expandGoals(t)
		l.searched, l.expandedLines = nil, nil
	}
	l.call("directive", t)
}

// call calls a goal of the text. kind names it in reports. A goal that fails or throws is an error of the load.
func (l *Loader) call(kind string, t term.Term) {
	s, err := l.solve(t, nil, l.module)
	switch {
	case err != nil:
		l.exception(kind, err)
	case s == nil:
		l.report(source.SeverityError, "directive", "%s failed: %s", kind, syntax.ShowTerm(t))
	}
}

// exception reports the exception of a goal. halt/1 is no exception: it ends the text, with a warning if there is more
// text.
func (l *Loader) exception(kind string, err error) {
	var halt *machine.Halt
	if errors.As(err, &halt) {
		l.stopped = true
		more, err := plainReader{l}.Next()
		if err != nil && !errors.Is(err, io.EOF) || err == nil && more.Term != term.Term(term.EndOfFile) {
			l.report(source.SeverityWarning, "halt", "nothing below this %s is read: it halts", kind)
		}
		return
	}
	if l.cutBy(kind, err) {
		return
	}
	id := strings.Fields(kind)[0]
	var thrown *Thrown
	if errors.As(err, &thrown) {
		l.report(source.SeverityError, id, "%s threw: %s", kind, thrown.Message)
		return
	}
	l.report(source.SeverityError, id, "%s: %s", kind, err)
}

// conditional runs :- if, elif, else and endif. It reports whether t is one of them.
func (l *Loader) conditional(t term.Term) bool {
	name, arity, _ := term.Indicator(t)
	switch {
	case name == "if" && arity == 1:
		outer := !l.Skipping()
		// A condition within skipped text is not called.
		taken := outer && l.holds(t.(*term.Compound).Args[0])
		l.conditions = append(l.conditions, condition{taken: taken, done: taken || !outer})
		return true
	case name == "elif" && arity == 1 || name == "else" && arity == 0 || name == "endif" && arity == 0:
		if len(l.conditions) == 0 {
			l.report(source.SeverityError, "condition", "%s without if", name)
			return true
		}
	default:
		return false
	}
	c := &l.conditions[len(l.conditions)-1]
	switch name {
	case "endif":
		l.conditions = l.conditions[:len(l.conditions)-1]
	case "else":
		c.taken, c.done = !c.done, true
	case "elif":
		c.taken = !c.done && l.holds(t.(*term.Compound).Args[0])
		c.done = c.done || c.taken
	}
	return true
}

// Skipping reports whether the text is in a conditional branch that is not taken.
func (l *Loader) Skipping() bool {
	for _, c := range l.conditions {
		if !c.taken {
			return true
		}
	}
	return false
}

// holds reports whether the goal of if/1 or elif/1 is true. An exception is reported and counts as false. Failure is
// no error here.
func (l *Loader) holds(t term.Term) bool {
	s, err := l.solve(t, nil, l.module)
	if err != nil {
		l.exception("condition", err)
	}
	return s != nil
}

// moduleHeader is module(Name, Exports). After an error the text continues in its current module.
func (l *Loader) moduleHeader(args []term.Term) {
	name, ok := args[0].(term.Atom)
	if _, isVar := args[0].(*term.Var); isVar { // a module that is known by its file
		name, ok = term.Atom(strings.TrimSuffix(path.Base(l.name), path.Ext(l.name))), true
	}
	if !ok {
		l.report(source.SeverityError, "module", "the name of a module must be an atom, not %s", syntax.ShowTerm(args[0]))
		return
	}
	exports, ok := term.Slice(args[1])
	if !ok {
		l.report(source.SeverityError, "module", "the exports of a module must be a list, not %s", syntax.ShowTerm(args[1]))
		return
	}
	if l.begun || l.last != nil {
		l.report(source.SeverityError, "module", "module/2 must be the first term of its file")
		return
	}
	if l.moduleName != "" {
		name, l.moduleName = term.Atom(l.moduleName), ""
		if string(name) == l.module.Name {
			return
		}
	}
	module := l.p.db.Module(string(name))
	if module.File != "" && module.File != l.name && module != l.p.db.System() {
		l.report(source.SeverityError, "module", "module %s is already defined by %s", name, module.File)
		return
	}
	module.File, module.Library = l.name, l.library
	// A name that a library does not define is resolved in the system, not in user.
	if l.library && module != l.p.db.System() {
		l.p.definer.SetParents(module, l.p.db.System())
	}
	module.Flags, module.Unknown = l.module.Flags, ""
	l.module = module
	layout := l.read.Layout.Arg(0).Arg(1)
	if !l.library {
		l.p.loaded[l.p.canonical(l.name)] = module // a file that this one loads may import from it
	}
	for _, e := range exports {
		l.export(module, e, layout.Arg(0))
		layout = layout.Arg(1)
	}
	l.parse()
}

// export adds an item of a module header to the exports: Name/Arity, Name//Arity or op(P, T, N).
func (l *Loader) export(module *database.Module, e term.Term, layout *syntax.Layout) {
	if args, ok := term.Is(e, "op", 3); ok {
		l.exportOps(module, args)
		return
	}
	if args, ok := term.Is(e, ":", 2); ok {
		e = args[1]
	}
	if name, arity, ok := Indicator(e); ok {
		l.p.definer.Export(module, code.Functor(name, arity))
		if !l.library {
			l.p.exports = append(l.p.exports, exportNote{module, code.Functor(name, arity), l.exportPlace(layout)})
		}
		return
	}
	l.report(source.SeverityError, "module", "%s cannot be exported; want name/arity", syntax.ShowTerm(e))
}

// exportPlace is a diagnostic at an item of a module header.
func (l *Loader) exportPlace(item *syntax.Layout) source.Diagnostic {
	at := l.at()
	if item != nil && item.Pos.Line > 0 {
		at.Line, at.Column = item.Pos.Line, item.Pos.Column
	}
	return source.Diagnostic{Position: syntax.At(l.name, at.Line, at.Column), Severity: source.SeverityWarning,
		Code:   "export",
		Source: l.line(at.Line)}
}

// exports runs export(Indicators), which adds to the exports of the module.
func (l *Loader) exports(args []term.Term) {
	l.each(args[0], func(m *database.Module, t term.Term) { l.export(m, t, nil) })
}

// exportOps defines an operator in the module, for its importers. The loading module gets the operator too if the file
// is given to the load or is a library.
func (l *Loader) exportOps(module *database.Module, args []term.Term) {
	priority, ok1 := args[0].(term.Int)
	name, ok2 := args[1].(term.Atom)
	typ, ok3 := syntax.ParseOpType(string(name))
	for _, n := range syntax.OpNames(args[2]) {
		for parts, ok := term.Is(n, ":", 2); ok; parts, ok = term.Is(n, ":", 2) {
			n = parts[1] // the operator is also one of the loading module
		}
		op, ok4 := n.(term.Atom)
		if !ok1 || !ok2 || !ok3 || !ok4 || priority < 0 || priority > 1200 {
			l.report(source.SeverityError, "module", "bad operator %s", syntax.ShowTerm(term.New("op", args...)))
			return
		}
		module.Ops.Add(int(priority), typ, op)
		switch {
		case l.library && l.owner == l.p.db.User():
			l.p.AddLibraryOps([]syntax.Op{{Priority: int(priority), Type: typ, Name: op}})
		case (l.library || !l.nested) && l.owner.Ops != nil:
			l.owner.Ops.Add(int(priority), typ, op)
		}
		if !l.library {
			l.p.definer.ExportOp(module, syntax.Op{Priority: int(priority), Type: typ, Name: op})
		}
		if l.p.ownOps != nil { // libraries that this one loads may use the operator
			l.p.db.User().Ops.Add(int(priority), typ, op)
		}
	}
}

// Indicator returns the parts of Name/Arity or Name//Arity, as shapes.NameArity does, if predicates may have the arity.
func Indicator(t term.Term) (name string, arity int, ok bool) {
	n, arity, _, ok := shapes.NameArity(t)
	if !ok || arity < 0 || arity > MaxArity {
		return "", 0, false
	}
	return string(n), arity, true
}

// each calls f for each part of a conjunction or list of specifications, with the module that qualifies the part.
func (l *Loader) each(t term.Term, f func(*database.Module, term.Term)) {
	type item struct {
		t term.Term
		m *database.Module
	}
	stack := []item{{t, l.module}}
	for len(stack) > 0 {
		it := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if items, ok := term.Slice(it.t); ok {
			for i := len(items) - 1; i >= 0; i-- {
				stack = append(stack, item{items[i], it.m})
			}
			continue
		}
		if args, ok := term.Is(it.t, ",", 2); ok {
			stack = append(stack, item{args[1], it.m}, item{args[0], it.m})
			continue
		}
		if args, ok := term.Is(it.t, ":", 2); ok {
			switch name := args[0].(type) {
			case term.Atom:
				stack = append(stack, item{args[1], l.p.db.Module(string(name))})
				continue
			case *term.Var: // any module: use the one that is loaded
				stack = append(stack, item{args[1], it.m})
				continue
			}
		}
		f(it.m, it.t)
	}
}

// eachPredicate gives each predicate that a declaration names to f. It reports parts that are no predicate indicators.
func (l *Loader) eachPredicate(list term.Term, f func(pred *database.Pred)) {
	l.each(list, func(m *database.Module, t term.Term) {
		if name, arity, ok := Indicator(t); ok {
			if pred := l.declarable(m, code.Functor(name, arity)); pred != nil {
				f(pred)
			}
			return
		}
		l.report(source.SeverityError, "declaration", "%s is not a predicate indicator; want name/arity", syntax.ShowTerm(t))
	})
}

// declarable returns a predicate that may be declared, or nil after an error.
func (l *Loader) declarable(module *database.Module, functor code.Cell) *database.Pred {
	if !l.library && l.p.Fixed(module, functor) {
		l.refuse(module, functor, "declared")
		return nil
	}
	return overrule(l, module.Lookup(functor))
}

// declares returns the directive that sets flags of predicates.
func declares(flags database.Flag) func(*Loader, []term.Term) {
	return func(l *Loader, args []term.Term) {
		all, _ := term.Conjuncts(args[0])
		for _, t := range all {
			flags := flags
			if as, ok := term.Is(t, "as", 2); ok {
				t, flags = as[0], flags|predicateOptions.read(l, "declarations", as[1])
			}
			l.declareAll(t, flags)
		}
	}
}

// declareAll sets flags of the predicates that a declaration names.
func (l *Loader) declareAll(list term.Term, flags database.Flag) {
	l.eachPredicate(list, func(pred *database.Pred) {
		if flags&database.Dynamic != 0 {
			pred = pred.Behind()
		}
		l.p.Declare(l.p.definer, pred, flags)
	})
}

// dynamicList runs dynamic(Predicates, Options).
func (l *Loader) dynamicList(args []term.Term) {
	if _, ok := term.Slice(args[0]); !ok {
		l.report(source.SeverityError, "declaration", "dynamic/2 wants a list of predicates and one of options, not %s",
			syntax.ShowTerm(args[0]))
		return
	}
	l.declareAll(args[0], database.Dynamic|l.dynamicOptions(args[1]))
}

// Declare sets flags of a predicate. Flags are only added.
func (p *Program) Declare(by *database.Definer, pred *database.Pred, flags database.Flag) {
	pred.OwnClauses()
	if flags&(database.Multifile|database.Discontiguous) != 0 && pred.Imported() == nil {
		flags |= database.Defined // a call of a predicate that has no clauses yet fails
	}
	if flags&database.Dynamic != 0 {
		by.Set(pred, database.Defined)
		w := code.Make(code.OpDynamic, pred.Arity(), 0, 0, pred.ID)
		if !p.sealed || by == p.definer && pred.Has(database.Linked) { // a file that is loaded now may redefine it
			p.db.Patch(pred.Entry, []code.Instr{w, w, w})
		}
	}
	by.Set(pred, flags)
	if flags&database.Det != 0 && pred.Has(database.Linked) {
		p.Relink(pred)
	}
}

// metaPredicate is meta_predicate(Heads).
func (l *Loader) metaPredicate(args []term.Term) {
	l.each(args[0], func(m *database.Module, t term.Term) {
		c, ok := t.(*term.Compound)
		if !ok {
			if _, isAtom := t.(term.Atom); !isAtom {
				l.report(source.SeverityError, "declaration", "%s is not a head; want name(Specifier, ...)", syntax.ShowTerm(t))
			}
			return
		}
		spec := make([]byte, len(c.Args))
		for i, a := range c.Args {
			if spec[i] = metaChar(a); spec[i] == 0 {
				l.report(source.SeverityError, "declaration", "%s is not a specifier of meta_predicate/1; "+
					"want 0 to 9, :, ^, //, +, -, ? or *", syntax.ShowTerm(a))
				return
			}
		}
		if pred := l.declarable(m, code.Functor(string(c.Functor), len(c.Args))); pred != nil {
			l.p.setMeta(l.p.definer, pred, string(spec))
		}
	})
}

// setMeta gives a predicate its meta_predicate specification.
func (p *Program) setMeta(by *database.Definer, pred *database.Pred, spec string) {
	if pred.Meta() == spec {
		return
	}
	by.SetMeta(pred, spec)
	p.metaChanged = true
	if !pred.Module.Library && pred.Module != p.db.System() && pred.Defined() {
		p.Relink(pred)
	}
}

// metaChar returns the character of one argument of a meta_predicate specification: ? for an argument that is no goal,
// 0 for an invalid specifier.
func metaChar(t term.Term) byte {
	switch t := t.(type) {
	case term.Int:
		if t >= 0 && t <= 9 {
			return byte('0' + t)
		}
	case term.Atom:
		if t == "//" {
			return '/'
		}
		switch t {
		case ":", "^":
			return t[0]
		case "+", "-", "?", "*", "++", "--", "!", "@", "=":
			return '?'
		}
	case *term.Var:
		return '?'
	}
	return 0
}

// initGoal is a goal to be called after loading. read is the directive, at which its errors are reported.
type initGoal struct {
	goal   term.Term
	loader *Loader
	read   *syntax.Read

	restricted bool
}

// initialization runs initialization(Goal) and initialization(Goal, When). The values main and program of When are for
// scripts. A knowledge base has no such moment, so they mean after loading.
func (l *Loader) initialization(args []term.Term) {
	if len(args) == 2 && args[1] == term.Term(term.Atom("now")) {
		l.goal(args[0])
		return
	}
	if len(args) == 2 && !slices.Contains(initializationTimes, args[1]) {
		l.report(source.SeverityError, "initialization", "%s is not a time of initialization/2; want now, after_load, main, "+
			"program, prepare_state, restore or restore_state", syntax.ShowTerm(args[1]))
		return
	}
	goal := initGoal{args[0], l, l.read, l.Restricted()}
	// The goals of a file that another file loads are called at the end of the loaded file.
	if len(args) == 1 && l.nested {
		l.initGoals = append(l.initGoals, goal)
		return
	}
	l.p.initGoals = append(l.p.initGoals, goal)
}

// initializationTimes lists the times of initialization/2 other than now.
var initializationTimes = []term.Term{term.Atom("after_load"), term.Atom("main"), term.Atom("program"),
	term.Atom("prepare_state"), term.Atom("restore"), term.Atom("restore_state")}

// runOwnInitGoals calls the goals of the initialization directives of a file that another file or a goal has loaded.
func (l *Loader) runOwnInitGoals() {
	goals, now := l.initGoals, l.read
	l.initGoals = nil
	for _, g := range goals {
		g.run()
	}
	l.read = now
}

// runInitGoals calls the goals of initialization directives of the files given, and those for scripts of all files, in
// the order of loading.
func (p *Program) runInitGoals() {
	goals := p.initGoals
	p.initGoals = nil
	for _, g := range goals {
		g.run()
	}
}

// run calls the goal.
func (g initGoal) run() {
	g.loader.read, g.loader.touched = g.read, g.restricted
	g.loader.call("initialization goal", g.goal)
}

// setFlag runs set_prolog_flag/2. An unknown name creates a flag of the program. A name close to that of a known flag
// gives a warning. Flags of the parser belong to the module; see endFlags. The flag unknown belongs to the module too;
// modules without a value use that of user.
func (l *Loader) setFlag(args []term.Term) {
	module := l.module
	if q, ok := term.Is(args[0], ":", 2); ok {
		if at, ok := q[0].(term.Atom); ok {
			module, args = l.p.db.Module(string(at)), []term.Term{q[1], args[1]}
		}
	}
	name, _ := args[0].(term.Atom)
	value, _ := args[1].(term.Atom)
	quotes := map[term.Atom]syntax.Quotes{
		"codes": syntax.Codes, "chars": syntax.Chars, "atom": syntax.Atom, "string": syntax.String,
	}
	switch q, ok := quotes[value]; {
	case name == "double_quotes" && ok:
		module.Flags.DoubleQuotes = q
	case name == "back_quotes" && ok:
		module.Flags.BackQuotes = q
	case name == "iso" && (value == term.True || value == term.False):
		module.Flags.Lenient = value == term.False
	case name == "rational_syntax" && (value == "natural" || value == "compatibility"):
		module.Flags.NaturalRationals = value == "natural"
	case name == "unknown" && module != l.p.db.User() && (value == "error" || value == "fail" || value == "warning"):
		module.Unknown = string(value)
	default:
		if name != "" && !builtin.KnowsFlag(l.p.flags, string(name)) {
			if near := spell.Nearest(string(name), builtin.DefaultFlags()); near != "" {
				l.report(source.SeverityWarning, "flag", "there is no flag %s; did you mean %s?", syntax.ShowTerm(name), near)
			}
		}
		l.goal(term.New("set_prolog_flag", args...))
	}
}

// useModule runs use_module(Spec), use_module(Spec, Imports) and ensure_loaded(Spec).
func (l *Loader) useModule(args []term.Term) {
	specs, isList := term.Slice(args[0])
	if !isList {
		specs = args[:1]
	}
	for _, spec := range specs {
		l.spec = spec
		module := l.loadSpec(spec)
		if l.notFound != nil || l.refused != nil {
			return
		}
		if library, ok := term.Is(spec, "library", 1); ok && module == nil && len(args) == 1 {
			l.defineOps(lib.LeftOutOps(pathText(library[0])))
		}
		if module == nil || module == l.module {
			continue
		}
		var imports term.Term
		if len(args) == 2 {
			imports = args[1]
		}
		l.importFrom(module, imports)
	}
}

// reexport runs reexport/1 and reexport/2: it imports and exports the imports again.
func (l *Loader) reexport(args []term.Term) {
	module := l.loadSpec(args[0])
	if module == nil {
		return
	}
	var imports term.Term
	if len(args) == 2 {
		imports = args[1]
	}
	for _, f := range l.importFrom(module, imports) {
		l.p.definer.Export(l.module, f)
	}
	for _, op := range importedOps(module, imports) {
		l.p.definer.ExportOp(l.module, op)
	}
}

// importOps defines the operators that an import from a module asks for.
func (l *Loader) importOps(module *database.Module, imports term.Term) {
	l.defineOps(importedOps(module, imports))
}

// defineOps defines operators that an import brings.
func (l *Loader) defineOps(list []syntax.Op) {
	for _, op := range list {
		switch now, ok := l.module.Ops.Find(op); {
		case now == op || !ok && op.Priority == 0:
		case l.isolated:
			l.p.AddLibraryOps([]syntax.Op{op})
		default:
			l.module.Ops.Add(op.Priority, op.Type, op.Name)
		}
	}
}

// importedOps returns the operators that an import from a module selects: all, those matching an op(P, T, N) of the
// list, or all but the excepted ones. imports is nil for all, as for importFrom.
func importedOps(module *database.Module, imports term.Term) []syntax.Op {
	list, isList := term.Slice(imports)
	except, isExcept := term.Is(imports, "except", 1)
	if isExcept {
		list, _ = term.Slice(except[0])
	}
	return slices.DeleteFunc(module.ExportedOps(), func(op syntax.Op) bool {
		return (isList || isExcept) && isExcept == slices.ContainsFunc(list, func(t term.Term) bool { return meansOp(t, op) })
	})
}

// meansOp reports whether op(P, T, N) matches an operator.
func meansOp(t term.Term, op syntax.Op) bool {
	args, ok := term.Is(t, "op", 3)
	if !ok {
		return false
	}
	for i, part := range []term.Term{term.Int(op.Priority), term.Atom(op.Type.String()), op.Name} {
		if _, isVar := args[i].(*term.Var); !isVar && args[i] != part {
			return false
		}
	}
	return true
}

// importFrom imports from a module: all exports, those listed, or all except some. It returns the functors under which
// they can be called, for a reexport. If imports is nil, all exports are imported.
func (l *Loader) importFrom(module *database.Module, imports term.Term) []code.Cell {
	l.importOps(module, imports)
	var done []code.Cell
	take := func(f code.Cell) {
		l.importPred(module, f, f, false)
		done = append(done, f)
	}
	if imports == nil || imports == term.Term(term.Atom("all")) {
		if module == l.p.db.System() {
			return nil // every module sees them, and the import would replace that of another library
		}
		exports := module.Exports()
		l.module.LookupAll(exports)
		for _, f := range exports {
			take(f)
		}
		return done
	}
	list, ok := term.Slice(imports)
	except, isExcept := term.Is(imports, "except", 1)
	if isExcept {
		list, ok = term.Slice(except[0])
	}
	if !ok {
		l.badImport(imports)
		return nil
	}
	excepted := map[code.Cell]bool{}
	for _, t := range list {
		renamed, isRenamed := term.Is(t, "as", 2)
		if isRenamed {
			t = renamed[0]
		}
		name, arity, ok := Indicator(t)
		if !ok {
			l.badImport(t)
			continue
		}
		f := code.Functor(name, arity)
		from := module
		excepted[f] = isExcept
		switch system := l.p.db.System(); {
		case module.IsExported(f):
		case module.Library && l.builtIn(f):
			from = system // SWI-Prolog has these in a library, we have them in the system
		case isExcept:
			l.report(source.SeverityWarning, "import", "module %s does not export %s", module.Name, database.FunctorText(f))
			continue
		case !l.importsHidden(module, f):
			continue
		}
		as := f
		if isRenamed {
			other, ok := renamed[1].(term.Atom)
			if !ok {
				l.report(source.SeverityError, "import", "%s is not a name", syntax.ShowTerm(renamed[1]))
				continue
			}
			as = code.Functor(string(other), arity)
		} else if isExcept {
			continue
		}
		if from == module || as != f {
			l.importPred(from, f, as, true)
			done = append(done, as)
		}
	}
	if isExcept {
		for _, f := range module.Exports() {
			if !excepted[f] {
				take(f)
			}
		}
	}
	return done
}

// badImport reports an invalid item of an import list.
func (l *Loader) badImport(t term.Term) {
	if _, isOp := term.Is(t, "op", 3); !isOp {
		l.report(source.SeverityError, "import", "%s cannot be imported; want all, except(List) or a list of name/arity, "+
			"name/arity as other and op(P, T, N)", syntax.ShowTerm(t))
	}
}

// builtIn reports whether a predicate belongs to the system, which every module sees.
func (l *Loader) builtIn(f code.Cell) bool {
	pred := l.p.db.System().Resolve(f)
	if pred == nil {
		pred, _ = l.p.Autoload(f, true)
	}
	return pred != nil && pred.Module == l.p.db.System()
}

// notExported is the message for an import of a predicate that a module defines but does not export.
const notExported = "module %s does not export %s; it is imported all the same"

// importsHidden reports that a module does not export a predicate. It imports the predicate if the module defines it.
func (l *Loader) importsHidden(module *database.Module, f code.Cell) bool {
	pred := module.Find(f)
	if file := l.p.canonical(module.File); (pred == nil || !pred.Defined()) && !l.p.open[file] {
		indicator := lib.Indicator{Name: code.AtomText(f.FunctorAtom()), Arity: f.FunctorArity()}
		if other, ok := lib.Autoload()[indicator]; ok && module.Library {
			l.report(source.SeverityWarning, "import", "module %s does not export %s; library(%s) does",
				module.Name, database.FunctorText(f), other)
			return false // calls find the predicate anyway
		}
		l.report(source.SeverityError, "import", "module %s does not export %s", module.Name, database.FunctorText(f))
		return false
	}
	l.report(source.SeverityWarning, "import", notExported, module.Name, database.FunctorText(f))
	return true
}

// importPred imports one export of a module under a name. It is an error if the name is imported from another module
// already. A definition in the importing module hides the import, and is an error if the import was listed.
func (l *Loader) importPred(module *database.Module, f, as code.Cell, listed bool) {
	pred := module.Lookup(f)
	if t := pred.Imported(); t != nil && !pred.Defined() {
		pred = t
	}
	own := l.module.Find(as)
	if sys := l.p.db.System().Find(as); !l.library && l.p.foreign(sys) && sys != pred {
		if listed || !module.Library { // the import of a library does not replace predicates of the Go program
			l.refuse(l.module, as, "imported from "+module.Name)
		}
		return
	}
	why := l.clash(pred, as, listed)
	if why == "" && l.isolated && l.changesCalls(pred, as) {
		if why = "the call is isolated, and others call another"; listed {
			l.refuseImport(pred, why)
			return
		}
	}
	if why != "" {
		l.report(source.SeverityError, "permission", "no permission to import %s:%s into %s (%s)",
			module.Name, database.FunctorText(as), l.module.Name, why)
		return
	}
	if own == nil || !own.Defined() {
		l.p.definer.ImportAs(l.module, as, pred)
		if own = l.module.Lookup(as); !listed {
			l.p.definer.Set(own, database.Weak)
		} else if !own.Has(database.Weak) && !l.isolated {
			l.p.definer.Set(own, database.Listed)
		}
		l.p.metaChanged = l.p.metaChanged || pred.Meta() != ""
	}
}

// clash says why a predicate cannot be imported under a name: the module has another predicate of that name. It returns
// "" if the import is possible.
func (l *Loader) clash(pred *database.Pred, as code.Cell, listed bool) string {
	own := l.module.Find(as)
	if own == nil || own == pred || l.library {
		return ""
	}
	if t := own.Imported(); t != nil && t != pred && !own.Defined() {
		return "already imported from " + t.Module.Name
	}
	if own.Defined() && listed {
		return "name clash"
	}
	return ""
}

// refuseImport makes the refused import an exception of the goal that requested it.
func (l *Loader) refuseImport(pred *database.Pred, why string) {
	f := pred.Functor
	culprit := term.New("/", term.Atom(code.AtomText(f.FunctorAtom())), term.Int(f.FunctorArity()))
	if pred.Module != l.p.db.User() {
		culprit = term.New(":", term.Atom(pred.Module.Name), culprit)
	}
	l.refused = &Refused{"import_into", l.module.Name, "procedure", culprit, why}
}

// changesCalls reports whether the import of a predicate under a name changes what calls of that name in the module
// reach, other than making an unknown predicate known. Predicates that are defined only at run time may differ between
// runs, so imports of them count.
func (l *Loader) changesCalls(pred *database.Pred, as code.Cell) bool {
	switch now := l.module.Resolve(as); {
	case now == pred:
		return false
	case now != nil, !pred.Defined(), pred.Has(database.Dynamic), pred.Module.File == "" && !pred.Module.Library:
		return true
	}
	autoloaded, err := l.p.Autoload(as, true)
	return err != nil || autoloaded != nil && autoloaded != pred
}

// LibraryKey is the prefix of the keys of libraries in [Program.Loaded].
const LibraryKey = "library:"

// LoadLibrary loads a library unless it is loaded. It returns the module, or nil if there is no such library.
func (p *Program) LoadLibrary(name string) *database.Module {
	name = lib.Canonical(name)
	key := LibraryKey + name
	if m, ok := p.loaded[key]; ok {
		return m
	}
	if p.takeLibrary != nil {
		if m := p.takeLibrary(key); m != nil {
			return m
		}
	}
	text, ok := lib.Source(name)
	if !ok {
		return nil
	}
	// The library counts as loaded from here on, so that libraries may load each other.
	p.loaded[key] = p.db.System()
	l := p.newLoader("library("+name+")", p.db.User())
	l.owner, l.library = p.libraryOwner(key), true
	l.run(text)
	p.loaded[key] = l.module
	if p.ownOps == nil {
		p.LoadHooks(key)
	}
	return l.module
}

// LoadHooks adds the hooks of a library that has just been loaded. Hooks are clauses for predicates of other modules. A
// program that keeps the operators of libraries apart gets no hooks, as other programs take their libraries from it.
func (p *Program) LoadHooks(key string) {
	name := strings.TrimPrefix(key, LibraryKey)
	text, ok := lib.Hooks(name)
	if !ok {
		return
	}
	l := p.newLoader("library("+name+"/hooks)", p.loaded[key])
	l.library = true
	l.run(text)
}

// libraryOwner returns the module that receives the operators of a library: user, or one that only records them.
func (p *Program) libraryOwner(key string) *database.Module {
	if p.ownOps == nil {
		return p.db.User()
	}
	owner := &database.Module{Ops: syntax.NewOps(nil), Flags: p.db.User().Flags}
	p.ownOps[key] = owner.Ops
	return owner
}
