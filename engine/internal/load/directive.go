package load

import (
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/lib"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines directives: those that the loader runs itself, and goals.

// directives are the directives that the loader runs itself, by name and arity.
var directives map[string]func(*Loader, []term.Term)

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
		"dynamic/1":             declares(database.Dynamic),
		"discontiguous/1":       declares(database.Discontiguous),
		"multifile/1":           declares(database.Multifile),
		"dynamic/2":             declares(database.Dynamic),
		"table/1":               (*Loader).table,
		"thread_local/1":        declares(database.Dynamic | database.ThreadLocal),
		"public/1":              declares(0),
		"module_transparent/1":  declares(database.Transparent),
		"meta_predicate/1":      (*Loader).metaPredicate,
		"initialization/1":      (*Loader).initialization,
		"initialization/2":      (*Loader).initialization,
		"set_prolog_flag/2":     (*Loader).setFlag,
		"begin_tests/1":         (*Loader).beginTests,
		"begin_tests/2":         (*Loader).beginTests,
		"end_tests/1":           (*Loader).endTests,
		"style_check/1":         (*Loader).styleCheck,
		"license/1":             func(*Loader, []term.Term) {},
		"encoding/1":            (*Loader).encoding,
		"expects_dialect/1":     func(*Loader, []term.Term) {},
		"compile_predicates/1":  func(*Loader, []term.Term) {},
		"volatile/1":            declares(0),
		"noprofile/1":           declares(0),
		"non_terminal/1":        declares(0),
		"set_module/1":          func(*Loader, []term.Term) {},
		"use_foreign_library/1": func(*Loader, []term.Term) {},
	}
}

// encoding runs encoding(Name). Files are always UTF-8.
func (l *Loader) encoding(args []term.Term) {
	switch args[0] {
	case term.Term(term.Atom("utf8")), term.Term(term.Atom("ascii")), term.Term(term.Atom("text")):
	default:
		l.report(SeverityWarning, "encoding", "files are read as UTF-8, not as %s", syntax.ShowTerm(args[0]))
	}
}

// steers reports whether a goal of a conjunction is a directive that the loader runs itself.
func (l *Loader) steers(t term.Term) bool {
	for rest := true; rest; {
		first := t
		args, ok := term.Is(t, ",", 2)
		if rest = ok; ok {
			first, t = args[0], args[1]
		}
		name, arity, _ := term.Indicator(first)
		key := fmt.Sprintf("%s/%d", name, arity)
		if directives[key] != nil || l.p.declared[key] {
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
		l.report(SeverityError, "directive", "%s cannot be a directive", kindOf(t))
		return
	}
	var args []term.Term
	if c, ok := t.(*term.Compound); ok {
		args = c.Args
	}
	key := fmt.Sprintf("%s/%d", name, arity)
	if l.p.declared[key] {
		l.declare(string(name), t)
		return
	}
	if f := directives[key]; f != nil {
		f(l, args)
		return
	}
	l.goal(t)
}

// isDeclaration reports whether a directive describes a predicate. The variables of such a directive stand for
// arguments.
func (l *Loader) isDeclaration(t term.Term) bool {
	name, arity, ok := term.Indicator(t)
	return ok && l.p.declared[fmt.Sprintf("%s/%d", name, arity)]
}

// declare records a directive that describes a predicate.
func (l *Loader) declare(name string, t term.Term) {
	d := Declaration{Position: l.position(), Name: name, Term: t, Module: l.module.Name}
	if l.read != nil {
		d.Layout = l.read.Layout.Arg(0)
	}
	l.p.declarations = append(l.p.declarations, d)
}

// goal calls a directive that is a goal.
func (l *Loader) goal(t term.Term) { l.call("directive", t) }

// call calls a goal of the text. kind names it in reports.
func (l *Loader) call(kind string, t term.Term) {
	s, err := l.solve(t, nil, l.module)
	switch {
	case err != nil:
		l.exception(kind, err)
	case s == nil:
		l.report(SeverityError, "directive", "%s failed: %s", kind, syntax.ShowTerm(t))
	}
}

// exception reports the exception of a goal.
func (l *Loader) exception(kind string, err error) {
	var halt *machine.Halt
	if errors.As(err, &halt) {
		l.stopped = true
		return
	}
	if l.cutBy(kind, err) {
		return
	}
	id := strings.Fields(kind)[0]
	var thrown *Thrown
	if errors.As(err, &thrown) {
		l.report(SeverityError, id, "%s threw: %s", kind, thrown.Message)
		return
	}
	l.report(SeverityError, id, "%s: %s", kind, err)
}

// conditional runs :- if, elif, else and endif. It reports whether t is one of them.
func (l *Loader) conditional(t term.Term) bool {
	name, arity, _ := term.Indicator(t)
	switch {
	case name == "if" && arity == 1:
		outer := !l.Skipping()
		taken := outer && l.holds(t.(*term.Compound).Args[0])
		l.conditions = append(l.conditions, condition{taken: taken, done: taken || !outer})
		return true
	case name == "elif" && arity == 1 || name == "else" && arity == 0 || name == "endif" && arity == 0:
		if len(l.conditions) == 0 {
			l.report(SeverityError, "condition", "%s without if", name)
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

func (l *Loader) holds(t term.Term) bool {
	s, err := l.solve(t, nil, l.module)
	if err != nil {
		l.exception("condition", err)
	}
	return s != nil
}

// moduleHeader is module(Name, Exports).
func (l *Loader) moduleHeader(args []term.Term) {
	name, ok := args[0].(term.Atom)
	if !ok {
		l.report(SeverityError, "module", "the name of a module must be an atom, not %s", syntax.ShowTerm(args[0]))
		return
	}
	exports, ok := term.Slice(args[1])
	if !ok {
		l.report(SeverityError, "module", "the exports of a module must be a list, not %s", syntax.ShowTerm(args[1]))
		return
	}
	module := l.p.db.Module(string(name))
	if module.File != "" && module.File != l.name && module != l.p.db.System() {
		l.report(SeverityError, "module", "module %s is already defined by %s", name, module.File)
		return
	}
	module.File, module.Library = l.name, l.library
	if l.library && module != l.p.db.System() {
		module.Parents = []*database.Module{l.p.db.System()}
	}
	module.Flags = l.module.Flags
	l.module = module
	for _, e := range exports {
		l.export(module, e)
	}
	l.parser = syntax.NewParser(l.input, module.Ops, &module.Flags)
	l.parser.Positions = true
}

// export adds Name/Arity, Name//Arity or op(P, T, N) to the exports of a module.
func (l *Loader) export(module *database.Module, e term.Term) {
	if args, ok := term.Is(e, "op", 3); ok {
		l.exportOps(module, args)
		return
	}
	if name, arity, ok := Indicator(e); ok {
		module.Export(code.Functor(name, arity))
		return
	}
	l.report(SeverityError, "module", "%s cannot be exported; want name/arity", syntax.ShowTerm(e))
}

// exportOps defines an operator in the module and in the one that loads it.
func (l *Loader) exportOps(module *database.Module, args []term.Term) {
	priority, ok1 := args[0].(term.Int)
	name, ok2 := args[1].(term.Atom)
	typ, ok3 := syntax.ParseOpType(string(name))
	names, isList := term.Slice(args[2])
	if !isList {
		names = args[2:3]
	}
	for _, n := range names {
		op, ok4 := n.(term.Atom)
		if !ok1 || !ok2 || !ok3 || !ok4 || priority < 0 || priority > 1200 {
			l.report(SeverityError, "module", "bad operator %s", syntax.ShowTerm(term.New("op", args...)))
			return
		}
		module.Ops.Add(int(priority), typ, op)
		if l.owner.Ops != nil {
			l.owner.Ops.Add(int(priority), typ, op)
		}
		if l.p.ownOps != nil { // libraries that this one loads may use the operator
			l.p.db.User().Ops.Add(int(priority), typ, op)
		}
	}
}

// Indicator returns the parts of Name/Arity or Name//Arity.
func Indicator(t term.Term) (name string, arity int, ok bool) {
	c, isCompound := t.(*term.Compound)
	if !isCompound || len(c.Args) != 2 {
		return "", 0, false
	}
	n, ok1 := c.Args[0].(term.Atom)
	a, ok2 := c.Args[1].(term.Int)
	if !ok1 || !ok2 || a < 0 || a > MaxArity {
		return "", 0, false
	}
	switch c.Functor {
	case "/":
		return string(n), int(a), true
	case "//":
		return string(n), int(a) + 2, true
	}
	return "", 0, false
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
		if args, ok := term.Is(it.t, "as", 2); ok {
			stack = append(stack, item{args[0], it.m})
			continue
		}
		if args, ok := term.Is(it.t, ":", 2); ok {
			if name, ok := args[0].(term.Atom); ok {
				stack = append(stack, item{args[1], l.p.db.Module(string(name))})
				continue
			}
		}
		f(it.m, it.t)
	}
}

// declares returns the directive that sets flags of predicates.
func declares(flags database.Flag) func(*Loader, []term.Term) {
	return func(l *Loader, args []term.Term) {
		l.each(args[0], func(m *database.Module, t term.Term) {
			name, arity, ok := Indicator(t)
			if !ok {
				l.report(SeverityError, "declaration", "%s is not a predicate indicator; want name/arity", syntax.ShowTerm(t))
				return
			}
			pred := m.Lookup(code.Functor(name, arity))
			if flags&database.Dynamic != 0 && pred.Has(database.Tabled) {
				l.report(SeverityError, "table", "%s/%d is tabled and cannot be dynamic", name, arity)
				return
			}
			l.p.Declare(pred, flags)
		})
	}
}

// Declare sets flags of a predicate.
func (p *Program) Declare(pred *database.Pred, flags database.Flag) {
	pred.OwnClauses()
	if flags&database.Dynamic != 0 {
		pred.Set(database.Defined)
		w := code.Make(code.OpDynamic, pred.Arity(), 0, 0, pred.ID)
		if !p.sealed {
			p.db.Patch(pred.Entry, []code.Instr{w, w, w})
		}
	}
	pred.Set(flags)
}

// metaPredicate is meta_predicate(Heads).
func (l *Loader) metaPredicate(args []term.Term) {
	l.each(args[0], func(m *database.Module, t term.Term) {
		c, ok := t.(*term.Compound)
		if !ok {
			return
		}
		spec := make([]byte, len(c.Args))
		for i, a := range c.Args {
			spec[i] = metaChar(a)
		}
		m.Lookup(code.Functor(string(c.Functor), len(c.Args))).Meta = string(spec)
	})
}

// metaChar returns the character of one argument of a meta_predicate specification.
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
		if t == ":" || t == "^" {
			return t[0]
		}
	}
	return '?'
}

// initGoal is a goal to be called after loading.
type initGoal struct {
	goal   term.Term
	loader *Loader
	read   *syntax.Read
}

// initialization runs initialization(Goal) and initialization(Goal, When). The values main and program of When are for
// scripts. A knowledge base has no such moment, so they mean after loading.
func (l *Loader) initialization(args []term.Term) {
	if len(args) == 2 && args[1] == term.Term(term.Atom("now")) {
		l.goal(args[0])
		return
	}
	l.p.initGoals = append(l.p.initGoals, initGoal{args[0], l, l.read})
}

// runInitGoals calls the goals of initialization directives in the order of loading.
func (p *Program) runInitGoals() {
	goals := p.initGoals
	p.initGoals = nil
	for _, g := range goals {
		g.loader.read = g.read
		g.loader.call("initialization goal", g.goal)
	}
}

// setFlag runs set_prolog_flag/2. Flags of the parser hold to the end of the file.
func (l *Loader) setFlag(args []term.Term) {
	name, _ := args[0].(term.Atom)
	value, _ := args[1].(term.Atom)
	quotes := map[term.Atom]syntax.Quotes{
		"codes": syntax.Codes, "chars": syntax.Chars, "atom": syntax.Atom, "string": syntax.String,
	}
	switch q, ok := quotes[value]; {
	case name == "double_quotes" && ok:
		l.module.Flags.DoubleQuotes = q
	case name == "back_quotes" && ok:
		l.module.Flags.BackQuotes = q
	case name == "iso" && (value == term.True || value == term.False):
		l.module.Flags.Lenient = value == term.False
	default:
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
		module := l.loadSpec(spec)
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
		l.module.Export(f)
	}
}

// importFrom imports from a module: all exports, those listed, or all except some.
func (l *Loader) importFrom(module *database.Module, imports term.Term) []code.Cell {
	var done []code.Cell
	take := func(f code.Cell) {
		l.importPred(module, f, f, false)
		done = append(done, f)
	}
	if imports == nil || imports == term.Term(term.Atom("all")) {
		exports := module.Exports()
		l.module.LookupAll(exports)
		for _, f := range exports {
			take(f)
		}
		return done
	}
	if args, ok := term.Is(imports, "except", 1); ok {
		except := map[code.Cell]bool{}
		l.each(args[0], func(_ *database.Module, t term.Term) {
			if name, arity, ok := Indicator(t); ok {
				except[code.Functor(name, arity)] = true
			}
		})
		for _, f := range module.Exports() {
			if !except[f] {
				take(f)
			}
		}
		return done
	}
	list, _ := term.Slice(imports)
	for _, t := range list {
		renamed, isRenamed := term.Is(t, "as", 2)
		if isRenamed {
			t = renamed[0]
		}
		name, arity, ok := Indicator(t)
		if !ok {
			continue
		}
		f := code.Functor(name, arity)
		if !module.IsExported(f) && !l.importsHidden(module, f) {
			continue
		}
		as := f
		if isRenamed {
			other, ok := renamed[1].(term.Atom)
			if !ok {
				l.report(SeverityError, "import", "%s is not a name", syntax.ShowTerm(renamed[1]))
				continue
			}
			as = code.Functor(string(other), arity)
		}
		l.importPred(module, f, as, true)
		done = append(done, as)
	}
	return done
}

// importsHidden reports that a module does not export a predicate. It imports the predicate if the module defines it.
func (l *Loader) importsHidden(module *database.Module, f code.Cell) bool {
	pred := module.Find(f)
	if pred == nil || !pred.Defined() {
		l.report(SeverityError, "import", "module %s does not export %s", module.Name, functorText(f))
		return false
	}
	l.report(SeverityWarning, "import", "module %s does not export %s; it is imported all the same",
		module.Name, functorText(f))
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
	defined := own != nil && own.Defined()
	if own != nil && own != pred && !l.library {
		why := ""
		if t := own.Imported(); t != nil && t != pred && !defined {
			why = "already imported from " + t.Module.Name
		} else if defined && listed {
			why = "name clash"
		}
		if why != "" {
			l.report(SeverityError, "permission", "no permission to import %s:%s into %s (%s)",
				module.Name, functorText(as), l.module.Name, why)
			return
		}
	}
	if !defined {
		l.module.ImportAs(as, pred)
	}
}

// loadSpec loads the file of a specification and returns its module. It returns nil after an error.
func (l *Loader) loadSpec(spec term.Term) *database.Module {
	if args, ok := term.Is(spec, "library", 1); ok {
		name := libraryName(args[0])
		module := l.p.LoadLibrary(name)
		if module == nil {
			l.report(SeverityError, "library", "there is no library(%s)", name)
		}
		return module
	}
	name, ok := fileName(spec)
	if !ok {
		l.report(SeverityError, "file", "%s is not a file name", syntax.ShowTerm(spec))
		return nil
	}
	return l.loadFile(name)
}

// libraryName returns the name of the path term in library(Path).
func libraryName(t term.Term) string {
	var parts []string
	for {
		args, ok := term.Is(t, "/", 2)
		if !ok {
			break
		}
		last, _ := term.Text(args[1])
		parts = append([]string{last}, parts...)
		t = args[0]
	}
	first, _ := term.Text(t)
	return strings.Join(append([]string{first}, parts...), "/")
}

// fileName returns the path of a file specification such as 'a.pl' or dir/a.
func fileName(t term.Term) (string, bool) {
	if _, ok := term.Is(t, "/", 2); ok {
		return libraryName(t), true
	}
	return term.Text(t)
}

// resolveFile resolves a path against the folder of the file being loaded.
func (l *Loader) resolveFile(name string) string {
	if path.IsAbs(name) {
		return name
	}
	return path.Join(path.Dir(l.name), name)
}

// readFile reads a file named in a directive, which may leave out .pl.
func (l *Loader) readFile(name string) (found, text string, ok bool) {
	if l.p.opts.Files == nil {
		l.report(SeverityError, "file", "%s: this program may not read files", name)
		return "", "", false
	}
	var err error
	for _, candidate := range []string{name, name + ".pl"} {
		var f io.ReadCloser
		if f, err = l.p.opts.Files.OpenRead(candidate); err != nil {
			continue
		}
		data, readErr := io.ReadAll(f)
		f.Close()
		if readErr != nil {
			err = readErr
			continue
		}
		return candidate, string(data), true
	}
	l.report(SeverityError, "file", "%s", err)
	return "", "", false
}

// maxIncludeDepth bounds the nesting of files that load or include each other.
const maxIncludeDepth = 64

// loadFile loads a file unless it is loaded. It returns the module that the file defines, or the loading module.
func (l *Loader) loadFile(name string) *database.Module {
	name = l.resolveFile(name)
	for _, known := range []string{name, name + ".pl"} {
		if m, ok := l.p.loaded[known]; ok {
			return m
		}
	}
	if l.depth >= maxIncludeDepth {
		l.report(SeverityError, "file", "files load each other more than %d deep", maxIncludeDepth)
		return nil
	}
	found, text, ok := l.readFile(name)
	if !ok {
		return nil
	}
	l.p.loaded[found] = l.module
	sub := l.p.newLoader(found, l.module)
	sub.depth = l.depth + 1
	sub.run(text)
	l.p.loaded[found] = sub.module
	return sub.module
}

// include runs include(File), which loads the text of the file as a part of this one.
func (l *Loader) include(args []term.Term) {
	l.each(args[0], func(_ *database.Module, t term.Term) {
		name, ok := fileName(t)
		if !ok {
			l.report(SeverityError, "file", "%s is not a file name", syntax.ShowTerm(t))
			return
		}
		if l.depth >= maxIncludeDepth {
			l.report(SeverityError, "file", "files include each other more than %d deep", maxIncludeDepth)
			return
		}
		found, text, ok := l.readFile(l.resolveFile(name))
		if !ok {
			return
		}
		part := l.included(found)
		part.run(text)
		l.last = part.last
	})
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
	if p.libraries != nil {
		if m := p.libraries.Take(key); m != nil {
			return m
		}
	}
	text, ok := lib.Source(name)
	if !ok {
		return nil
	}
	p.loaded[key] = p.db.System()
	l := p.newLoader("library("+name+")", p.db.User())
	l.owner, l.library = p.libraryOwner(key), true
	l.run(text)
	p.loaded[key] = l.module
	if p.libraries != nil {
		p.libraries.Read(key)
	}
	return l.module
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
