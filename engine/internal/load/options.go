package load

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/typename"
	"github.com/mcplogic/mcplogic/internal/values"
)

// This file defines the options of declarations; an unknown option is an error. It also defines persistent/1 and
// persistent/2, directives for dynamic predicates whose facts outlive the process. Its third subject is the advice of
// declarations on explaining a predicate.

// optionFlags are the options with their effects. Options with the effect 0 change no answers in this system, as all
// runs share tables and a run has one thread.
type optionFlags map[string]database.Flag

// tableOptions are the options after `as` of table/1. A monotonic table is dropped after a change, like an incremental
// one. The bounds of the last options are ignored.
var tableOptions = optionFlags{"incremental": database.Incremental, "monotonic": database.Incremental,
	"private": database.Private, "dynamic": database.Dynamic, "shared": 0, "variant": 0, "subsumptive": 0, "opaque": 0,
	"lazy": 0, "max_answers(_)": bounded, "subgoal_abstract(_)": bounded, "answer_abstract(_)": bounded}

// bounded marks an option whose bound is ignored, with a warning.
const bounded = ^database.Flag(0)

// predicateOptions are the options of dynamic/2, and the options after `as` of other declarations.
var predicateOptions = optionFlags{"incremental": 0, "monotonic": 0, "lazy": 0, "opaque": 0, "abstract(0)": 0,
	"volatile": 0, "shared": 0, "private": 0, "local": database.ThreadLocal, "multifile": database.Multifile,
	"discontiguous": database.Discontiguous}

// read returns the effects of the options of a declaration, joined by commas.
func (known optionFlags) read(l *Loader, kind string, options term.Term) (flags database.Flag) {
	all, _ := term.Conjuncts(options)
	for _, option := range all {
		name := ""
		switch o := option.(type) {
		case term.Atom:
			name = string(o)
		case *term.Compound:
			if name = syntax.ShowTerm(o); name != "abstract(0)" {
				name = fmt.Sprintf("%s(%s)", o.Functor, strings.Repeat("_", len(o.Args)))
			}
		}
		flag, ok := known[name]
		switch {
		case !ok:
			l.report(source.SeverityError, "declaration", "%s is not an option of %s; want one of %s", syntax.ShowTerm(option),
				kind,
				strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		case flag == bounded:
			l.report(source.SeverityWarning, "declaration", "%s has no effect: tables are not bounded", syntax.ShowTerm(option))
		default:
			flags |= flag
		}
	}
	return flags
}

// dynamicOptions reads the options of dynamic/2: Name(Boolean) for each option of `as`, abstract(0), and thread(Scope).
func (l *Loader) dynamicOptions(list term.Term) (flags database.Flag) {
	options, ok := term.Slice(list)
	if !ok {
		l.report(source.SeverityError, "declaration", "the options of dynamic/2 are a list, not %s", syntax.ShowTerm(list))
	}
	for _, o := range options {
		c, ok := o.(*term.Compound)
		if ok && len(c.Args) == 1 {
			switch value := c.Args[0]; {
			case value == term.Term(term.False):
				continue
			case c.Functor == "thread" && (value == term.Term(term.Atom("shared")) || value == term.Term(term.Atom("local"))):
				flags |= predicateOptions[string(value.(term.Atom))]
				continue
			case value == term.Term(term.True):
				o = c.Functor
			}
		}
		flags |= predicateOptions.read(l, "dynamic/2", o)
	}
	return flags
}

// persistence describes a persistent predicate.
type persistence struct {
	at  syntax.Position // of the first declaration
	key []int           // the arguments, from 0, that form its key, or nil
}

// persistent runs persistent(Predicates) and persistent(Predicate, [key(Arguments)]).
func (l *Loader) persistent(args []term.Term) {
	l.eachPredicate(args[0], func(pred *database.Pred) {
		switch {
		case pred.Has(database.Tabled):
			l.report(source.SeverityError, "persistent", "%s is tabled and cannot be persistent",
				database.FunctorText(pred.Functor))
			return
		// The first clause of a predicate sets its file, so a file means that there are clauses.
		case pred.File != "":
			l.persistentClause(pred)
			return
		}
		l.p.Declare(l.p.definer, pred, database.Dynamic|database.Persistent)
		if l.p.persistent == nil {
			l.p.persistent = map[*database.Pred]*persistence{}
		}
		if l.p.persistent[pred] == nil {
			l.p.persistent[pred] = &persistence{at: l.position()}
		}
		if len(args) == 2 {
			l.keyOption(pred, args[1])
		}
	})
}

// persistentClause reports a clause for a persistent predicate in a text.
func (l *Loader) persistentClause(pred *database.Pred) {
	l.report(source.SeverityError, "persistent",
		"%s is persistent, so its facts come from the store and not from files; facts import adds some",
		database.FunctorText(pred.Functor))
}

// keyOption reads the options of a persistent predicate.
func (l *Loader) keyOption(pred *database.Pred, t term.Term) {
	options, ok := term.Slice(t)
	for _, o := range options {
		args, isKey := term.Is(o, "key", 1)
		var key []int
		if isKey {
			key, isKey = keyArguments(args[0], pred.Arity())
		}
		if !isKey {
			l.report(source.SeverityError, "persistent", "bad option %s; want key([Argument, ...]), with numbers from 1 to %d",
				syntax.ShowTerm(o), pred.Arity())
			return
		}
		l.p.persistent[pred].key = key
	}
	if !ok {
		l.report(source.SeverityError, "persistent", "the options must be a list, got %s", syntax.ShowTerm(t))
	}
}

// keyArguments reads the argument numbers of a key. The result counts from 0.
func keyArguments(t term.Term, arity int) (key []int, ok bool) {
	items, ok := term.Slice(t)
	for _, item := range items {
		n, isInt := item.(term.Int)
		if !isInt || n < 1 || int(n) > arity || slices.Contains(key, int(n)-1) {
			return nil, false
		}
		key = append(key, int(n)-1)
	}
	return key, ok && len(key) > 0
}

// Key returns the arguments, from 0, that form the key of a persistent predicate, or nil.
func (p *Program) Key(pred *database.Pred) []int {
	if known := p.persistent[pred]; known != nil {
		return known.key
	}
	return nil
}

// Persistent returns the persistent predicates. They are in the order of their declarations.
func (p *Program) Persistent() []*database.Pred {
	if len(p.persistent) == 0 {
		return nil
	}
	var list []*database.Pred
	for _, pred := range p.db.Preds() {
		if p.persistent[pred] != nil {
			list = append(list, pred)
		}
	}
	return list
}

// checkPersistent reports persistent predicates to which goals of the texts have added facts, as each load would add
// these to the facts of the store again.
func (p *Program) checkPersistent() {
	for _, pred := range p.Persistent() {
		if len(pred.Clauses()) > 0 {
			p.Diagnose(source.Diagnostic{Position: p.persistent[pred].at, Severity: source.SeverityError, Code: "persistent",
				Message: fmt.Sprintf("%s is persistent, and loading adds facts to it; facts import adds some once",
					database.FunctorText(pred.Functor))})
		}
	}
}

// adviceTable holds the advice by module and predicate. It is made when it is first needed.
type adviceTable struct {
	mu sync.Mutex
	// The table is recomputed when a load has changed the number of declarations.
	of    int // declarations that the table was made from
	known map[adviceKey]*database.Advice
	// several holds the predicates with a mode that does not promise a single answer.
	several map[adviceKey]bool
}

// single lists the determinism words of mode/2 that promise at most one answer.
var single = map[term.Atom]bool{"one": true, "zero_or_one": true, "one_or_error": true, "zero_or_error": true,
	"zero_or_one_or_error": true, "det": true, "semidet": true}

// adviceKey identifies a predicate.
type adviceKey struct {
	module, name string
	arity        int
}

// Advice returns what the program says about explaining a predicate.
func (p *Program) Advice(pred *database.Pred) database.Advice {
	t := &p.advice
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known == nil || t.of != len(p.declarations) {
		t.of, t.known, t.several = len(p.declarations), map[adviceKey]*database.Advice{}, map[adviceKey]bool{}
		named := map[string]typename.Names{}
		for _, d := range p.declarations {
			if args, ok := term.Is(d.Term, "type", 2); ok {
				if named[d.Module] == nil {
					named[d.Module] = typename.Names{}
				}
				named[d.Module].Add(args)
			}
		}
		for _, d := range p.declarations {
			t.add(d, named)
		}
	}
	var advice database.Advice
	if a := t.known[adviceKey{pred.Module.Name, pred.Name(), pred.Arity()}]; a != nil {
		advice = *a
	}
	if found, ok := p.columns.Load(pred); ok {
		columns := found.(columnsOf)
		advice.Columns, advice.Heads = columns.names, columns.heads
		if advice.Types == nil {
			advice.Types = columns.types
		} else if columns.types != nil {
			advice.Types = slices.Clone(advice.Types)
			for i, t := range columns.types {
				if advice.Types[i] == term.Term(bareDecimal) && t != nil {
					advice.Types[i] = t
				}
			}
		}
		if columns.alone {
			advice.How = cmp.Or(advice.How, "alone")
		}
	}
	return advice
}

// columnsOf describes the columns of a data file or a table.
type columnsOf struct {
	names []string
	types []term.Term // see database.Advice
	// alone says that an answer of one clause is an answer of the predicate, as in a decision table whose rows do not
	// overlap.
	alone bool
	heads []string // see database.Advice
}

// exactTypes returns the argument types that are types of package values, nil if there are none.
func exactTypes(args []term.Term, named typename.Names) []term.Term {
	types, some := make([]term.Term, len(args)), false
	for i, arg := range args {
		types[i] = exactType(arg, named, maxTypeDepth)
		some = some || types[i] != nil
	}
	if !some {
		return nil
	}
	return types
}

// maxTypeDepth bounds how deeply nested types are followed.
const maxTypeDepth = 10

// exactType returns the type of package values, or the list(T) of one, that a named type stands for. It returns nil if
// there is none.
func exactType(t term.Term, named typename.Names, depth int) term.Term {
	t, err := named.Resolve(t)
	if _, ok := values.Of(t); ok {
		return t
	}
	inner, list, ok := values.Wrapped(t)
	if !ok || err != nil || depth == 0 {
		return nil
	}
	of := exactType(inner, named, depth-1)
	if list && of != nil {
		return term.New("list", of)
	}
	return of
}

// add records a declaration if it is about explaining.
func (t *adviceTable) add(d source.Declaration, named map[string]typename.Names) {
	c, ok := d.Term.(*term.Compound)
	if !ok || len(c.Args) != 2 || d.Name != "explain" && d.Name != "info" && d.Name != "mode" {
		return
	}
	about, module := c.Args[0], d.Module
	if in, ok := term.Is(about, ":", 2); ok {
		if name, ok := in[0].(term.Atom); ok {
			about, module = in[1], string(name)
		}
	}
	template, isMode := about.(*term.Compound)
	if isMode = isMode && d.Name == "mode"; isMode {
		about = term.New("/", template.Functor, term.Int(len(template.Args)))
	}
	name, arity, ok := Indicator(about)
	if !ok {
		return
	}
	key := adviceKey{module, name, arity}
	if t.known[key] == nil {
		t.known[key] = &database.Advice{}
	}
	if isMode {
		proofs, _ := c.Args[1].(term.Atom)
		t.several[key] = t.several[key] || !single[proofs]
		t.known[key].Single = !t.several[key]
	}
	if isMode && t.known[key].Types == nil {
		var args []term.Term
		for _, arg := range template.Args {
			if moded, ok := arg.(*term.Compound); ok && len(moded.Args) == 1 {
				arg = moded.Args[0]
			}
			args = append(args, arg)
		}
		t.known[key].Types = exactTypes(args, named[module])
	}
	if d.Name == "explain" {
		t.known[key].How, _ = term.Text(c.Args[1])
		return
	}
	inform(t.known[key], c.Args[1], arity)
}

// inform reads the keys of info/2 that concern explanations.
func inform(a *database.Advice, list term.Term, arity int) {
	items, _ := term.Slice(list)
	for _, item := range items {
		pair, ok := term.Is(item, "is", 2)
		if !ok {
			continue
		}
		switch pair[0] {
		case term.Term(term.Atom("says")):
			a.Says, _ = term.Text(pair[1])
		case term.Term(term.Atom("says_not")):
			a.SaysNot, _ = term.Text(pair[1])
		case term.Term(term.Atom("source")):
			a.Source, _ = term.Text(pair[1])
		case term.Term(term.Atom("argnames")), term.Term(term.Atom("arguments")):
			if names := argumentNames(pair[1]); len(names) == arity {
				a.Names = names
			}
		}
	}
}

// argumentNames are the names in the value of argnames or arguments.
func argumentNames(list term.Term) []string {
	items, _ := term.Slice(list)
	names := make([]string, 0, len(items))
	for _, item := range items {
		if pair, ok := term.Is(item, "-", 2); ok {
			item = pair[0]
		}
		name, _ := term.Text(item)
		names = append(names, name)
	}
	return names
}

// This part defines module_transparent/1. The clauses of a transparent predicate p(X) of a module m belong to a
// predicate 'p in'(Context, X) of m, in which arguments that depend on a module get Context. The compiler turns calls
// of p from a module c into calls of 'p in'(c, X). Goals that are built at run time are called in the same way. p(X)
// itself has one clause, which calls 'p in'(user, X), as goals without a module belong to user.

// moduleTransparent runs module_transparent(Indicators).
func (l *Loader) moduleTransparent(args []term.Term) {
	l.eachPredicate(args[0], func(pred *database.Pred) { l.transparent(l.p.definer, pred) })
}

// transparent makes a predicate transparent and moves its present clauses.
func (l *Loader) transparent(by *database.Definer, pred *database.Pred) {
	if pred.Has(database.Transparent) {
		return
	}
	l.p.Declare(by, pred, database.Transparent)
	if pred.Has(database.Dynamic|database.Tabled) || pred.Builtin >= 0 || pred.Arity() == MaxArity {
		return
	}
	earlier, ok := l.takeClauses(pred, "transparent")
	if !ok {
		by.Clear(pred, database.Transparent)
		return
	}
	own := by.MakeContext(pred)
	l.p.metaChanged = true
	l.putBehind(earlier, func(head term.Term) (*database.Pred, term.Term) { return l.headInContext(pred, own, head) })
}

// headInContext returns the predicate that a clause of a transparent one is added to, and the head of the clause there.
// With the first clause it also adds the transparent predicate's own clause.
func (l *Loader) headInContext(pred, own *database.Pred, head term.Term) (*database.Pred, term.Term) {
	var args []term.Term
	if c, ok := head.(*term.Compound); ok {
		args = c.Args
	}
	if !hasClauses(pred) {
		own.File, own.Line = pred.File, pred.Line
		l.addContextCall(pred, own)
	}
	return own, compound(own.Name(), append([]term.Term{term.NewVar("Context")}, args...))
}

// addContextCall adds the clause of a transparent predicate for callers without a module.
func (l *Loader) addContextCall(pred, own *database.Pred) {
	args := make([]term.Term, pred.Arity())
	for i := range args {
		args[i] = term.NewVar(fmt.Sprintf("A%d", i+1))
	}
	read := l.read
	defer func() { l.read = read }()
	if read != nil {
		only := *read
		only.Layout = nil
		l.read = &only
	}
	head, body := compound(pred.Name(), args), compound(own.Name(), append([]term.Term{term.Atom("user")}, args...))
	l.addClause(pred, clauseParts{home: pred.Module, scope: pred.Module, head: head, body: body})
}
