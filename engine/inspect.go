package engine

import (
	"context"
	"io"
	"slices"

	"github.com/mcplogic/mcplogic/engine/debug"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/internal/builtin"
	"github.com/mcplogic/mcplogic/engine/internal/clausetext"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/hook"
)

// This file inspects a program: its modules, and its predicates with their positions and documentation. It also
// connects runs with the debugger.

// Modules returns user and the modules that files of the program define, in the order of their
// loading, without modules of the library.
func (p inner) Modules() []inspect.Module {
	list := []inspect.Module{{Name: "user"}}
	for _, m := range p.db.Modules() {
		if m.File != "" && !m.Library {
			list = append(list, inspect.Module{Name: m.Name, File: m.File})
		}
	}
	return list
}

// MayBeUndefined reports whether a clause of the program calls a predicate that can make an answer undefined: tnot/1,
// not_exists/1 or undefined/0. See [Solution.Undefined].
func (p inner) MayBeUndefined() bool {
	calls := func(m *database.Module, name string, arity int) bool { return m.Find(code.Functor(name, arity)) != nil }
	return slices.ContainsFunc(p.db.Modules(), func(m *database.Module) bool {
		return !m.Library && (calls(m, "tnot", 1) || calls(m, "not_exists", 1) || calls(m, "undefined", 0))
	})
}

// Types describes the types of a predicate's arguments after a call has succeeded. It returns nil if nothing is known,
// or if the load did not use [Options.Lint].
func (p inner) Types(module, name string, arity int) []string {
	return p.loaded.Types(module, name, arity)
}

// Accepted returns what is known about arguments of calls of a predicate that can succeed. given has their types as in
// mode/2, or nil for any type. The result is nil if nothing is known.
func (p inner) Accepted(module, name string, given []term.Term) (list []inspect.Accepted) {
	for _, t := range p.loaded.Accepted(module, name, given) {
		var a inspect.Accepted
		a.Values, a.More, a.Changing, a.Closed = t.Sighted()
		a.Low, a.High = t.Range()
		list = append(list, a)
	}
	return list
}

// DataFiles returns the data files that were loaded, in the order of loading.
func (p inner) DataFiles() []inspect.DataFile { return p.loaded.DataFiles() }

// Table returns a function that writes the decision table of a predicate (name/arity) in a format: csv, tsv, xlsx or
// dmn. The returned directive reads the file back; %s in it stands for the name of the file.
func (p inner) Table(predicate, format string) (write func(io.Writer) error, directive string, err error) {
	return p.loaded.Table(predicate, format)
}

// Tables returns the decision tables of the program, each with a limited number of its rows.
func (p inner) Tables(most int) []inspect.DecisionTable { return p.loaded.Tables(most) }

// Labels returns the labels of the rules of each predicate (name/arity).
func (p inner) Labels() map[string][]string { return p.loaded.Labels() }

// Predicate returns the predicate that a call in a module reaches. ok is false if there is no such predicate. Like a
// call, Predicate loads the library that exports the predicate.
func (p inner) Predicate(module, name string, arity int) (info inspect.Predicate, ok bool) {
	pred := p.reached(module, name, arity)
	if pred == nil {
		return inspect.Predicate{}, false
	}
	return p.describe(pred), true
}

// Code returns the disassembled code of the predicate that a call in a module reaches. ok is false if there is no such
// predicate. The result is for developers of the engine; its form changes with the instructions.
func (p inner) Code(module, name string, arity int) (listing string, ok bool) {
	pred := p.reached(module, name, arity)
	if pred == nil {
		return "", false
	}
	return p.db.Listing(pred), true
}

// Suggestion returns a hint for a predicate that a module does not know, such as "; did you mean p?", or "".
func (p inner) Suggestion(module, name string, arity int) string {
	if m := p.db.FindModule(module); m != nil {
		return p.loaded.Suggestion(m, name, arity)
	}
	return ""
}

// Mentions reports whether a call in a module reaches a predicate, or a clause calls the undefined predicate.
func (p inner) Mentions(module, name string, arity int) bool {
	m := p.db.FindModule(module)
	return m != nil && m.Find(code.Functor(name, arity)) != nil || p.reached(module, name, arity) != nil
}

// reached returns the predicate that a call in a module reaches, or nil.
func (p *Program) reached(module, name string, arity int) *database.Pred {
	m := p.db.FindModule(module)
	if m == nil {
		return nil
	}
	functor := code.Functor(name, arity)
	pred := m.Resolve(functor)
	if pred == nil {
		pred, _ = p.loaded.Autoload(functor, false)
	}
	return pred
}

// ModuleOf returns the only module of the program that exports a predicate. If no module exports it, ModuleOf returns
// the only module that defines it, unless exported is true. ok is false if there is no such module, or more than one.
func (p inner) ModuleOf(name string, arity int, exported bool) (module string, ok bool) {
	functor := code.Functor(name, arity)
	var exporting, defining []string
	for _, m := range p.Modules() {
		if _, defines := p.Defines(m.Name, name, arity); !defines {
			continue
		}
		defining = append(defining, m.Name)
		if p.db.FindModule(m.Name).IsExported(functor) {
			exporting = append(exporting, m.Name)
		}
	}
	if exported || len(exporting) > 0 {
		defining = exporting
	}
	if len(defining) != 1 {
		return "", false
	}
	return defining[0], true
}

// Defines returns a predicate that a module itself defines. ok is false if the module does not define it.
func (p inner) Defines(module, name string, arity int) (info inspect.Predicate, ok bool) {
	m := p.db.FindModule(module)
	if m == nil {
		return inspect.Predicate{}, false
	}
	pred := m.Find(code.Functor(name, arity))
	if pred == nil || !pred.Defined() {
		return inspect.Predicate{}, false
	}
	return p.describe(pred), true
}

// Predicates returns the predicates that a module itself defines, in no order. It leaves out the internal predicates of
// tabled predicates, labelled rules and decision tables.
func (p *Program) Predicates(module string) []inspect.Predicate {
	if p.zero() {
		return nil
	}
	m := p.db.FindModule(module)
	if m == nil {
		return nil
	}
	var list []inspect.Predicate
	for _, pred := range m.Preds() {
		if pred.Defined() && pred.Shown() == pred.Functor && !load.IsHelper(pred.Name()) {
			list = append(list, p.describe(pred))
		}
	}
	return list
}

func (p *Program) describe(pred *database.Pred) inspect.Predicate {
	info := inspect.Predicate{Module: pred.Module.Name, Name: pred.Name(), Arity: pred.Arity(),
		Dynamic: pred.Has(database.Dynamic), Position: pred.Position(),
		BuiltIn:   pred.Builtin >= 0 || pred.Module.Library || pred.Module == p.db.System() || p.loaded.IsUntouched(pred),
		Explained: p.loaded.Advice(pred).How}
	if !p.loaded.IsScattered(pred) {
		return info
	}
	for _, c := range pred.Clauses() {
		if !c.Erased() {
			info.Clauses = append(info.Clauses, inspect.Clause{Position: c.Position(), Fact: c.IsFact(),
				Layout: p.loaded.Layout(c)})
		}
	}
	return info
}

// ParseTerm reads one term with the operators and flags of a module. "" stands for user.
func (p *Program) ParseTerm(module, text string) (Term, error) {
	if p.zero() {
		return nil, errZeroProgram
	}
	read, err := readIn(p.module(module), text)
	if err != nil {
		return nil, err
	}
	return read.Term, nil
}

// FormatTerm writes a term as writeq/1 does in a module. "" stands for user. Variables have the names of the text that
// they were read from. A text of more than 16 MiB is cut.
func (p *Program) FormatTerm(module string, t term.Term) string {
	if p.zero() {
		return FormatTerm(t)
	}
	names := map[*term.Var]string{}
	for _, v := range term.Variables(t) {
		if v.Name != "" && v.Name != "_" {
			names[v] = v.Name
		}
	}
	m := p.module(module)
	return syntax.Format(t, &syntax.WriteOptions{Quoted: true, NumberVars: true, Ops: m.Ops, Cycles: true,
		VarNames: names, MaxBytes: syntax.MaxText})
}

// debugged is a program as its debugger sees it.
type debugged struct{ inner }

// newTracer makes the tracer of a run. It is nil without a debugger.
func (p *Program) newTracer(d *debug.Debugger) builtin.Debugger {
	if d == nil {
		return nil
	}
	return hook.Tracer(d, debugged{inner{p}}).(builtin.Debugger)
}

// tracedGoal returns the goal to run under a debugger. If the debugger traces the goal, library(prolog_debug)
// interprets it.
func (p *Program) tracedGoal(goal term.Term, o *RunOptions) (term.Term, error) {
	if o.Debugger == nil || !o.Debugger.TracesFrom(goal) {
		return goal, nil
	}
	for _, name := range []string{"explain", "prolog_debug"} {
		if err := p.needLibrary(context.Background(), name); err != nil {
			return nil, err
		}
	}
	if o.Module != "" {
		goal = term.New(":", term.Atom(o.Module), goal)
	}
	return term.New(":", term.Atom("prolog_debug"), term.New("traced", goal)), nil
}

// BreakLine returns the first line, at or after a given one, at which a clause of a file begins or one of its goals
// stands. ok is false if there is no such line.
func (p inner) BreakLine(file string, line int) (found int, ok bool) {
	return p.clauseFiles().BreakLine(func(name string) bool { return name == file || p.FileName(name) == file }, line)
}

// Texts implements the program of a debugger.
func (p debugged) Texts() *clausetext.Files { return p.clauseFiles() }

// Message implements the program of a debugger.
func (p debugged) Message(ball term.Term) string {
	return p.messageText(context.Background(), ball, nil)
}

// ValueText implements the program of a debugger.
func (p debugged) ValueText(value term.Term, names map[*term.Var]string) string {
	return p.valueText(value, names)
}

// ReadGoal implements the program of a debugger.
func (p debugged) ReadGoal(text string) (*syntax.Read, error) { return readIn(p.db.User(), text) }

// Translated implements the program of a debugger.
func (p debugged) Translated(clause term.Term) term.Term {
	if _, ok := term.Is(clause, "-->", 2); !ok {
		return clause
	}
	vars, result := term.Variables(clause), term.NewVar("")
	all := make([]term.Term, len(vars))
	for i, v := range vars {
		all[i] = v
	}
	r, err := p.start(term.New("dcg_translate_rule", clause, result), append(vars, result), nil, messageLimits)
	if err != nil {
		return clause
	}
	defer r.Close()
	if status, err := r.m.Run(context.Background()); err != nil || status != machine.True {
		return clause
	}
	values := r.solution().values
	named := map[*term.Var]term.Term{}
	for i := range all {
		if v, unbound := values[i].(*term.Var); unbound {
			named[v] = all[i]
		}
	}
	return term.Rename(values[len(values)-1], named)
}
