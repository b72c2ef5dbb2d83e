package load

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/body"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/law"
	"github.com/mcplogic/mcplogic/engine/internal/passes"
	"github.com/mcplogic/mcplogic/engine/internal/stream"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how text becomes clauses: reading, expansion, and adding to the database.

// Load adds the clauses of texts to a program that has not been queried yet and makes it ready for queries. It reads
// all texts and returns the errors together, as Diagnostics. The load ends early, with an error, if the context is
// done or a goal exceeds its limits; see [Program.Complete]. The error is nil if there are only warnings. One load
// runs at a time, and a second one waits for it.
func (p *Program) Load(ctx context.Context, sources ...source.File) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.under(ctx)()
	// At most maxHints errors of goals get a suggestion, as each suggestion scans all predicates.
	p.hints.Store(1 + maxHints)
	defer p.hints.Store(0)
	// No other goroutine runs the program before Seal shares it, so code may change in place.
	p.db.Share(false)
	if p.opts.Incremental != nil {
		p.opts.Incremental.Begin()
	}
	for _, s := range sources {
		p.loadOnce(s)
	}
	p.takeGoalFlags()
	p.runInitGoals()
	p.checkPersistent()
	p.laws.Relate(legislator{p})
	p.reportLint()
	// Undefined predicates are only known now, as a later text may define what an earlier one calls.
	p.Seal()
	if p.opts.Incremental != nil && p.Complete() {
		p.opts.Incremental.End()
	}
	p.loadedAt = p.db.Generation()
	p.db.Settle()
	return p.diagnostics.Err()
}

// loadOnce loads a text unless an earlier file has loaded it. A text without a name is loaded each time.
func (p *Program) loadOnce(s source.File) {
	key := p.canonical(s.Name)
	if _, ok := p.loaded[key]; ok && s.Name != "" || p.cutShort {
		return
	}
	// The file counts as loaded from here on, so that files may load each other.
	p.open[key] = true
	defer delete(p.open, key)
	p.loaded[key] = p.db.User()
	// A text that is read as a stream is not kept, and Make does not load it again.
	if s.Open == nil {
		p.noteText(key, s.Text)
	}
	l, before := p.newLoader(s.Name, p.db.User()), len(p.Sources())
	l.runSource(s)
	p.loaded[key] = l.module
	p.addSource(database.SourceFile{Name: s.Name, Module: l.module.Name}, before)
}

// canonical returns the name under which a file is recorded as loaded.
func (p *Program) canonical(name string) string {
	if p.opts.Canonical == nil || name == "" {
		return name
	}
	return p.opts.Canonical(name)
}

// Loader loads one file. One goroutine uses it.
type Loader struct {
	p      *Program
	name   string
	parser *syntax.Parser
	input  *syntax.Input
	reader Reader
	lines  *sourceLines
	module *database.Module
	owner  *database.Module // module of the file that loads this one
	// conditions are the open :- if directives, outermost first.
	conditions []condition
	last       *database.Pred // predicate of the previous clause, to find discontiguous predicates
	seen       map[*database.Pred]bool
	// library is set for the texts of the system and of libraries. Hooks do not expand them, and they give no warnings.
	library bool
	// rule is the labelled rule that the current clause comes from, or nil.
	rule *law.Rule
	// stopped ends the text at the current clause: after halt/0, an error of the input, or a limit.
	stopped    bool
	read       *syntax.Read // the current clause
	unit       *unit        // the tests being loaded, or nil
	includedBy string       // the file that includes this one, or ""
	// expandedLines are the lines of the goals of the current clause, if it was expanded.
	expandedLines []int32
	quiet         map[string]bool // styles that are not checked in this file
	// searched is the body of the current clause as written, if the search for undefined predicates needs it.
	searched term.Term
	// depth is the number of enclosing files that load or include this one.
	depth int
	begun bool // a directive was run after which no module header may come
	// initGoals are the goals to call at the end of the file. The goals of the given files are called after all files.
	initGoals []initGoal
	nested    bool // another file, or a goal, loads this one
	again     bool // loaded files are loaded again
	// forGoal is set for the loader of a goal, which throws an exception if something is not found.
	forGoal  bool
	notFound *NotFound
	noHeader *NoHeader
	// restricted says that the rules and goals of the text are restricted. touched says that restricted rules have
	// taken part in the expansion of the current term, so its clauses and goals are restricted.
	restricted, touched bool
	// isolated is set for the loader of a goal whose changes other runs do not see.
	isolated bool
	refused  *Refused
	// needsHeader says that the file must begin with a module header.
	needsHeader bool
	// moduleName replaces the name in the module header of the file, unless it is "".
	moduleName string
	spec       term.Term   // the file being loaded for the goal
	result     result      // of the current clause
	unread     syntax.Read // the current clause, if it is not parsed
	ofTable    bool        // the clauses are those of the rows of a decision table
}

// condition is an open :- if. taken says whether the text is loaded, done whether a branch has been taken.
type condition struct{ taken, done bool }

// newLoader returns the loader of a file into a module; a module header in the file opens another.
func (p *Program) newLoader(name string, module *database.Module) *Loader {
	return &Loader{p: p, name: name, module: module, owner: module, seen: map[*database.Pred]bool{}}
}

// included returns the loader of a file that the file of l includes. last and seen are shared, as the check of
// discontiguous clauses treats both files as one text.
func (l *Loader) included(name string) *Loader {
	part := l.p.newLoader(name, l.module)
	part.owner, part.library = l.owner, l.library
	part.last, part.seen, part.restricted = l.last, l.seen, l.restricted
	part.quiet, part.unit, part.read = l.quiet, l.unit, l.read
	part.begun, part.depth, part.includedBy, part.nested = l.begun, l.depth+1, cmp.Or(l.includedBy, l.name), l.nested
	return part
}

// run loads a text to its end.
func (l *Loader) run(text string) { l.runSource(source.File{Name: l.name, Text: text}) }

// runSource loads a source to its end, clause by clause. It closes what Open has returned.
func (l *Loader) runSource(s source.File) {
	// Directives of the file change the flags; endFlags restores those that end with it.
	saved := l.module.Flags
	l.lines, l.restricted = &sourceLines{source: s}, l.restricted || s.Restricted
	if s.Open != nil {
		r, err := s.Open()
		if err != nil {
			l.report(source.SeverityError, "read", "%s", err)
			return
		}
		defer r.Close()
		text := bufio.NewReaderSize(r, source.MarkedBytes)
		begin, _ := text.Peek(source.MarkedBytes)
		l.restricts(string(begin))
		decoded := stream.Decode(text, l.encodingOf(string(begin)))
		l.input, l.reader = syntax.NewInput(l.name, decoded), plainReader{l}
	} else {
		l.restricts(s.Text)
		text := s.Text
		if e := l.encodingOf(text[:min(len(text), source.MarkedBytes)]); !stream.IsUTF8(e) {
			decoded, _ := io.ReadAll(stream.Decode(strings.NewReader(text), e)) // a string can be read
			text = string(decoded)
		}
		l.input, l.reader = syntax.NewTextInput(l.name, text), l.newReader(text)
	}
	l.parse()
	for !l.stopped && !l.p.ended() {
		l.touched = false
		read, err := l.reader.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			l.syntaxError(err)
			continue
		}
		l.read = read
		// The clause end_of_file ends the text.
		if read.Term == term.Term(term.EndOfFile) {
			break
		}
		l.clauseRead(read)
	}
	l.endOfText()
	l.reader.End()
	l.cutIfCancelled()
	l.closeUnit()
	if len(l.conditions) > 0 && !l.p.cutShort {
		l.report(source.SeverityError, "condition", "if without endif at the end of the file")
	}
	l.endFlags(saved)
}

// parse makes the parser of the rest of the text, with the operators of the module.
func (l *Loader) parse() {
	l.parser = syntax.NewParser(l.input, l.module.Ops, &l.module.Flags)
	l.parser.Positions, l.parser.Recover = true, true
}

// restricts marks the following rules and goals as restricted if the text has the mark.
func (l *Loader) restricts(text string) {
	l.restricted = l.restricted || !l.library && !l.p.opts.Trust && source.IsRestricted(text)
	if l.restricted {
		l.p.restricted.Store(l.name, nil)
	} else {
		l.p.restricted.Delete(l.name)
	}
}

// IsRestricted reports whether the rules and goals of a file are restricted.
func (p *Program) IsRestricted(file string) bool {
	_, is := p.restricted.Load(file)
	return is
}

// Restricted reports whether the current clause or goal is restricted.
func (l *Loader) Restricted() bool { return l.restricted || l.touched }

// endFlags ends the flags of the parser that the directives of a file have set, which were saved before it. The flags
// for quoted texts and rational_syntax belong to the module, as in SWI-Prolog: a file of user passes them on to the
// file that loads it. Files given together may come in any order, so each of them begins with the flags from before the
// load. Text that is read after the load is read with the flags of all of them.
func (l *Loader) endFlags(saved syntax.Flags) {
	if l.includedBy != "" {
		return
	}
	at := l.owner.Flags
	own := at
	// The flag iso ends with the file.
	own.Lenient = saved.Lenient
	if given := !l.nested && !l.library && l.module == l.owner; given || l.library || l.module != l.owner {
		own.DoubleQuotes, own.BackQuotes = saved.DoubleQuotes, saved.BackQuotes
		own.NaturalRationals = saved.NaturalRationals
		if given {
			l.p.goalFlags = append(l.p.goalFlags, at)
		}
	}
	if own != at { // change them only if needed: other goroutines may read them while a library is loaded
		l.owner.Flags = own
	}
}

// takeGoalFlags gives the module user the parser flags that the given files have set. If several files set a flag, the
// last one counts.
func (p *Program) takeGoalFlags() {
	user := p.db.User()
	for _, f := range p.goalFlags {
		if f.DoubleQuotes != syntax.QuotesDefault {
			user.Flags.DoubleQuotes = f.DoubleQuotes
		}
		if f.BackQuotes != syntax.QuotesDefault {
			user.Flags.BackQuotes = f.BackQuotes
		}
		user.Flags.NaturalRationals = user.Flags.NaturalRationals || f.NaturalRationals
	}
	p.goalFlags = nil
}

// syntaxError reports a syntax error of the reader. Errors in text that conditions leave out are not reported. An error
// of the input itself ends the load.
func (l *Loader) syntaxError(err error) {
	var syn *syntax.Error
	if !errors.As(err, &syn) {
		l.report(source.SeverityError, "read", "%s", err)
		l.stopped = true
		return
	}
	if l.Skipping() {
		return
	}
	d := source.SyntaxDiagnostic(l.name, syn)
	d.Source = l.line(d.Line)
	l.p.Diagnose(d)
}

// line returns the text of a line, counted from 1. It returns "" if the text is not kept.
func (l *Loader) line(n int) string {
	if l.lines == nil {
		return ""
	}
	return l.lines.at(n)
}

// at is the line and column of the current clause. It leaves out the offset, as any edit before the clause changes the
// offset and an incremental load does not recompute it.
func (l *Loader) at() syntax.Place {
	if l.read == nil {
		return syntax.Place{}
	}
	return syntax.Place{Line: l.read.Pos.Line, Column: l.read.Pos.Column}
}

// position is the position of the current clause.
func (l *Loader) position() syntax.Position { return syntax.Position{File: l.name, Place: l.at()} }

// report adds a diagnostic at the clause being loaded.
func (l *Loader) report(sev source.Severity, code, format string, args ...any) {
	l.reportAt(l.at(), sev, code, format, args...)
}

// reportAt adds a diagnostic at a place of the text.
func (l *Loader) reportAt(at syntax.Place, sev source.Severity, code, format string, args ...any) {
	l.reportFix(nil, at, sev, code, format, args...)
}

// reportFix adds a diagnostic with a fix, which may be nil. A warning about a library is dropped, because its user
// cannot correct it. The clause becomes dependent, so an incremental load reads it again and repeats the report.
func (l *Loader) reportFix(fix *source.Fix, at syntax.Place, sev source.Severity, code, format string, args ...any) {
	if l.library && sev == source.SeverityWarning {
		return
	}
	l.result.dependent = true
	l.p.Diagnose(source.Diagnostic{Position: syntax.At(l.name, at.Line, at.Column), Severity: sev,
		Code: code, Message: fmt.Sprintf(format, args...), Source: l.line(at.Line), Fix: fix})
}

// Here returns a diagnostic without a message at the clause whose goal runs.
func (p *Program) Here() source.Diagnostic {
	if l := p.loading; l != nil {
		return source.Diagnostic{Position: l.position(), Source: l.line(l.at().Line)}
	}
	return source.Diagnostic{}
}

// isHeader reports whether a directive is a module header.
func isHeader(t term.Term) bool {
	_, ok := term.Is(t, "module", 2)
	return ok
}

// clauseRead handles a term read from the file. Conditions are also followed in skipped text, because they nest.
func (l *Loader) clauseRead(read *syntax.Read) {
	args, isDirective := term.Is(read.Term, ":-", 1)
	if l.needsHeader {
		l.needsHeader = false
		if !isDirective || !isHeader(args[0]) {
			l.noHeader, l.stopped = &NoHeader{read.Term}, true
			return
		}
	}
	if l.moduleName != "" && (!isDirective || !isHeader(args[0])) {
		l.moduleName = "" // the names in the loaded text are its own
	}
	if isDirective && l.conditional(args[0]) || l.Skipping() {
		return
	}
	if l.p.passed != nil && !isDirective {
		l.p.notePassed(read.Term)
	}
	read, labelled, ok := l.unlabelled(read)
	if !ok {
		return
	}
	if labelled != nil {
		l.read = read
	}
	l.noteLint(read, labelled)
	known := len(l.p.diagnostics)
	for _, at := range read.Nested {
		l.reportAt(at, source.SeverityWarning, "comment", "/* within a comment: here the comment ends at the first */, "+
			"in SWI-Prolog behind one for each /*")
	}
	if !isDirective || !l.isDeclaration(args[0]) {
		l.variableWarnings(read)
	}
	if isDirective && l.TakesTerms() {
		l.directive(args[0])
		return
	}
	if args, ok := term.Is(read.Term, "?-", 1); ok {
		l.directive(args[0])
		return
	}
	l.result = result{warnings: slices.Clip(l.p.diagnostics[known:]), dependent: isDirective || !l.TakesTerms()}
	list := l.expand(read.Term)
	if _, grammar := term.Is(read.Term, "-->", 2); !grammar && (len(list) != 1 || list[0] != read.Term) {
		by := "term_expansion/2"
		if l.ruleHook() != nil {
			by = "library(chr)"
		}
		l.lintChanged(by)
	}
	if labelled != nil {
		l.addRule(labelled, list)
	} else {
		l.addTerms(list)
	}
	l.added(read)
}

// addTerms adds the clauses and runs the directives of an expanded term.
func (l *Loader) addTerms(list []term.Term) {
	for _, t := range list {
		if args, ok := term.Is(t, ":-", 1); ok {
			l.result.dependent = true
			l.directive(args[0])
			continue
		}
		l.addTerm(t)
	}
}

// endOfText lets the expansion of terms add to the end of a file. It calls the hooks for end_of_file and adds the other
// terms that they give.
func (l *Loader) endOfText() {
	if l.stopped || l.p.ended() || l.includedBy != "" || l.Skipping() || l.TakesTerms() {
		return
	}
	end := term.Term(term.EndOfFile)
	l.result.dependent = true
	l.addTerms(slices.DeleteFunc(l.expand(end), func(t term.Term) bool { return t == end }))
	l.result = result{}
}

// addTerm adds a clause given as a term. A term that cannot be a clause is reported and left out.
func (l *Loader) addTerm(t term.Term) {
	c := l.clauseOf(t)
	if l.read != nil && l.read.DictCalls {
		if args, ok := term.Is(c.head, ":=", 2); ok { // Module:Dict.f() := Value
			var function term.Term
			c.home, function = l.unqualified(c.home, args[0])
			c.head = term.New(":=", function, args[1])
		}
		c.head, c.body = passes.DictClause(c.scope, c.head, c.body)
	}
	name, arity, ok := term.Indicator(c.head)
	if !ok {
		l.report(source.SeverityError, "clause", "%s cannot be the head of a clause", kindOf(c.head))
		return
	}
	if arity > MaxArity {
		l.report(source.SeverityError, "clause", "predicates have at most %d arguments, not %d", MaxArity, arity)
		return
	}
	pred := l.Definition(c.home, code.Functor(string(name), arity))
	if pred == nil {
		return
	}
	if pred.Has(database.Tabled) {
		l.result.dependent = true
		pred, c.head = tabledHead(pred, c.head)
	}
	if own := pred.Context(); own != nil {
		l.result.dependent = true
		pred, c.head = l.headInContext(pred, own, c.head)
		c.scope = c.home // the body runs in the module of the caller, whatever file the clause is in
	}
	if bad := body.Bad(c.body); bad != nil {
		l.report(source.SeverityError, "clause", "%s cannot be a goal of a body", syntax.ShowTerm(bad))
		return
	}
	var named []term.Term
	if !l.library {
		c.body = l.expandGoals(c.body)
		c.body, named = l.p.lambdas.Name(l.module, c.head, c.body)
		l.result.dependent = l.result.dependent || len(named) > 0
		if !c.ssu && l.ChecksOccurs() {
			l.result.dependent = true
			c.head, c.body = passes.Linear(c.head, c.body)
		}
	}
	l.addClause(pred, c)
	// The predicates of lambdas must not come between two clauses of the predicate.
	last := l.last
	for _, clause := range named {
		l.addTerm(inModule(c.scope, clause))
	}
	l.last = last
}

// clauseOf splits a clause into its parts. A module before the clause applies to head and body. A module before the
// head applies to the head alone, and the body runs in the module that the text is loaded into.
func (l *Loader) clauseOf(t term.Term) clauseParts {
	scope, t := l.unqualified(l.module, t)
	c := clauseParts{scope: scope, head: t, body: term.True}
	if args, ok := term.Is(t, ":-", 2); ok {
		c.head, c.body = args[0], args[1]
	} else if args, ok := term.Is(t, "=>", 2); ok {
		c.head, c.body, c.ssu = args[0], args[1], true
		if g, ok := term.Is(c.head, ",", 2); ok {
			c.head, c.body = g[0], term.New(",", term.New("$guard", g[1]), c.body)
		}
	}
	c.home, c.head = l.unqualified(scope, c.head)
	return c
}

// unqualified removes the module qualifications of a term. It returns the innermost module, or the given module if
// there are none.
func (l *Loader) unqualified(module *database.Module, t term.Term) (*database.Module, term.Term) {
	for {
		args, ok := term.Is(t, ":", 2)
		if !ok {
			return module, t
		}
		name, isAtom := args[0].(term.Atom)
		if !isAtom {
			return module, t
		}
		module, t = l.p.db.Module(string(name)), args[1]
	}
}

// Definition returns the predicate that a clause of this file is added to, or nil after an error.
func (l *Loader) Definition(module *database.Module, functor code.Cell) *database.Pred {
	if pred := l.definable(module, functor); pred != nil && l.belongs(pred) {
		return pred
	}
	return nil
}

// Fixed reports whether a predicate of the system has a functor and a program cannot define its own in a module.
func (p *Program) Fixed(module *database.Module, functor code.Cell) bool {
	system := p.db.System()
	sys := system.Find(functor)
	if sys != nil && module != system && sys.Has(database.Locked) && sys.Defined() &&
		!redefinable[database.FunctorText(functor)] && !isHelper(sys) {
		return true
	}
	pred := module.Find(functor)
	return pred != nil && (pred.Builtin >= 0 || pred.Defined() && (module == system || module.Library) &&
		!pred.Has(database.Multifile|database.Dynamic))
}

// definable returns a predicate that the program may define, or nil after an error.
func (l *Loader) definable(module *database.Module, functor code.Cell) *database.Pred {
	if !l.library && l.p.Fixed(module, functor) {
		l.refuse(module, functor, "redefined")
		return nil
	}
	pred := module.Lookup(functor)
	if pred.Builtin >= 0 && !l.library {
		l.refuse(module, functor, "redefined")
		return nil
	}
	return overrule(l, pred)
}

// overrule takes back the import that a definition or declaration of a predicate replaces, with a warning. It returns
// nil after an error, if the predicate is imported by its name.
func overrule(l *Loader, pred *database.Pred) *database.Pred {
	if t := pred.ByName(); t != nil {
		l.report(source.SeverityError, "permission", "%s is imported from %s by name and cannot be defined here",
			database.FunctorText(pred.Functor), t.Module.Name)
		return nil
	}
	if t := pred.Imported(); t != nil && !pred.Defined() {
		if pred.Has(database.Weak) && !l.library && l.p.flags.Flag("warn_override_implicit_import") != term.Term(term.False) {
			l.report(source.SeverityWarning, "import", "local definition of %s:%s overrides weak import from %s",
				pred.Module.Name, database.FunctorText(pred.Functor), t.Module.Name)
		}
		l.p.definer.Unimport(pred)
	}
	return pred
}

// refuse reports an attempt to redefine or declare a predicate that the program may not change.
func (l *Loader) refuse(module *database.Module, functor code.Cell, what string) {
	kind := "built in"
	if l.p.foreign(module.Resolve(functor)) {
		kind = "written in Go"
	}
	l.report(source.SeverityError, "permission", "%s is %s and cannot be %s", database.FunctorText(functor), kind, what)
}

// foreign reports whether a predicate, which may be nil, belongs to the Go program around the engine.
func (p *Program) foreign(pred *database.Pred) bool {
	return pred != nil && pred.Builtin >= 0 && p.builtins[pred.Builtin].Foreign
}

// isHelper reports whether the name of a predicate of module system marks it as internal to the system and its
// libraries. A program may define its own predicate with such a name. The system does not call it, unless it calls by
// name.
func isHelper(sys *database.Pred) bool { return isHelperName(sys.Name()) && !sys.Has(database.Passed) }

// belongs checks that the clauses of a predicate stand together in one file. It reports whether a clause may be added.
func (l *Loader) belongs(pred *database.Pred) bool {
	if pred.Has(database.Persistent) && !l.library {
		l.persistentClause(pred)
		return false
	}
	if pred == l.last && pred.File == l.name {
		return true
	}
	scattered := l.p.IsScattered(pred)
	free := pred.Has(database.Multifile|database.Discontiguous|database.Dynamic) || scattered || l.library
	// The first clause of a predicate decides to which file it belongs.
	if pred.File == "" {
		pred.File = l.name
		if l.read != nil {
			pred.Line = l.read.Pos.Line
		}
	}
	joined := pred.Has(database.Multifile) || pred.Has(database.Dynamic) && !(l.module.Flags.SWI && l.p.opts.Lenient)
	if !l.sameText(pred.File) && !joined && !scattered && !l.library && !l.redefines(pred) {
		return false
	}
	if l.last != pred && l.seen[pred] && !free && !l.quiet["discontiguous"] {
		var fix *source.Fix
		if l.includedBy == "" && pred.Line > 0 {
			fix = source.InsertLine(pred.Line, ":- discontiguous "+database.FunctorText(pred.Functor)+".")
		}
		l.reportFix(fix, l.at(), source.SeverityWarning, "discontiguous",
			"clauses of %s are not together; declare it discontiguous if that is meant", database.FunctorText(pred.Functor))
	}
	l.last = pred
	l.seen[pred] = true
	return true
}

// sameText reports whether a file is the one being loaded or a part of the same text, by inclusion in either direction.
func (l *Loader) sameText(file string) bool {
	whole := cmp.Or(l.includedBy, l.name)
	return file == l.name || file == whole || slices.Contains(l.p.parts[whole], file)
}

// redefines empties a predicate of an earlier file and assigns it to this file, if the program is lenient. Otherwise it
// reports an error and returns false. The clauses of a tabled or transparent predicate are those behind its wrapper.
func (l *Loader) redefines(pred *database.Pred) bool {
	if !l.p.opts.Lenient {
		l.report(source.SeverityError, "redefined", "%s is already defined at %s:%d; declare it multifile if both are meant",
			database.FunctorText(pred.Functor), pred.File, pred.Line)
		return false
	}
	l.report(source.SeverityWarning, "redefined", "%s replaces the one at %s:%d", database.FunctorText(pred.Functor),
		pred.File, pred.Line)
	own := pred.Behind()
	if behind := pred.Context(); own == pred && behind != nil {
		own = behind
	}
	l.p.Relink(own) // first, so that no call enters the clauses any more
	for _, c := range slices.Clone(own.Clauses()) {
		l.p.db.EraseNow(c)
	}
	pred.File, pred.Line = l.name, l.at().Line
	return true
}

// addClause compiles and adds a clause.
func (l *Loader) addClause(pred *database.Pred, parts clauseParts) {
	var lines []int32
	written := parts.body
	// A clause for another module depends on more than the module of its own text.
	if parts.scope != nil && (parts.scope != parts.home || parts.scope != l.module) {
		l.result.dependent = true
	}
	if l.read != nil && !l.library {
		if lines = l.expandedLines; lines == nil {
			lines = goalLines(l.read)
		}
		parts.body, lines = l.covered(pred, &parts, lines)
	}
	c := l.newClause(pred, parts.head, parts.scopedBody(), parts.ssu)
	if l.read != nil && !l.library {
		l.p.KeepLayout(c, l.read.Layout)
		// The search for undefined predicates reads the written body, unless hooks have changed it.
		l.noteBody(cmp.Or(parts.scope, l.module), cmp.Or(l.searched, written))
		l.searched, l.expandedLines = nil, nil
	}
	l.result.add(c, lines)
	l.p.definer.Set(pred, database.Defined)
	// The code of a fact is made when its predicate is linked, if at all.
	if !pred.Has(database.Dynamic) && !c.IsFact() {
		if err := l.compile(c, parts, lines); err != nil {
			l.report(source.SeverityError, "clause", "%s", err)
			return
		}
	}
	pred.OwnClauses()
	l.p.db.AddStatic(c)
	l.p.Relink(pred)
}

// compile compiles a clause from its body, or from a body that leaves goals to databases.
func (l *Loader) compile(c *database.Clause, parts clauseParts, lines []int32) error {
	if c.Restricted {
		return l.reader.Compile(c, lines)
	}
	if pushed := l.pushDown(cmp.Or(parts.scope, l.module), parts.head, parts.body); pushed != nil && !parts.ssu {
		lines = linesAs(parts.body, pushed, lines)
		parts.body = pushed
		like := newClause(c.Pred, parts.head, parts.scopedBody(), database.Source{Position: l.position()})
		return l.p.compiler.CompileAs(c, like, lines)
	}
	return l.reader.Compile(c, lines)
}

// Relink makes the program link the entry of a predicate again, after clauses were added to it. In a sealed program the
// entry is linked at the end of the load, see linkFrom.
func (p *Program) Relink(pred *database.Pred) {
	if pred.Has(database.Dynamic) {
		pred.SetLinked(false)
		return
	}
	if p.sealed && pred.Has(database.Linked) {
		p.unlinked = append(p.unlinked, pred)
	}
	p.compiler.Unlink(pred)
}

// newClause makes the current clause.
func (l *Loader) newClause(pred *database.Pred, head, body term.Term, ssu bool) *database.Clause {
	at := database.Source{SSU: ssu, Restricted: l.Restricted()}
	if at.Restricted && pred.IsHook() {
		body = term.New(",", body, term.True)
	}
	if l.read != nil && !l.library {
		at.Position = l.position()
	}
	if c, ok := flatFact(pred, head, body, at); ok && !ssu {
		return c
	}
	return newClause(pred, head, body, at)
}
