package reuse

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/compile"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/lint"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/passes"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/source"
)

// This file defines the incremental reader of a text.

// item is a part of a text: a clause run, or the result of one call of the parser.
type item struct {
	under      parsing
	begin, end syntax.Bookmark
	run        *clauseRun
	own        bool // no other load shares the run, so it may be changed
	// The result of the parser, if run is nil. If both are nil too, the part must be parsed again.
	read *syntax.Read
	err  error
	// objects are the clauses that were compiled for the item.
	objects []*compile.Object
}

// size returns the size of an item, in bytes of text.
func (i *item) size() int { return i.end.Bytes() - i.begin.Bytes() }

// reader reads one text incrementally.
type reader struct {
	*load.Loader
	texts  *texts
	known  []item // cached items after the current place; none after the first difference
	within bool   // a part of the first of them has been parsed
	now    *text  // the result of this load
	parses bool   // the parser has been called
	cached int    // the part of texts.cached that the items take
	// full says that the cache has no room for the text. From here on the text is only parsed and not cached.
	full bool
	// objects are the cached objects of the current term that have not been placed.
	objects []*compile.Object
	// terms and goals say that no hook expands terms or goals. Only clause runs leave them set, because a directive may
	// define a hook.
	terms, goals bool
	searches     searches
}

// Next returns the same term as the parser. It loads cached clause runs on the way.
func (r *reader) Next() (*syntax.Read, error) {
	r.End()
	under := r.texts.parsing(r.Loader)
	r.texts.yielder.Step()
	for len(r.known) > 0 && r.known[0].under.same(under) && !r.full {
		next := r.known[0]
		switch {
		case next.run != nil && (r.within || !r.takes(next.run)):
			return r.nextWithin(next, under)
		case next.run != nil:
			next.own = false
			r.now.items = append(r.now.items, next)
			r.count(next.run.cost(next.size()))
			r.Input().GoTo(next.end)
			r.take(next.run)
			r.texts.yielder.Step()
			r.known = r.known[1:]
		case next.read == nil && next.err == nil:
			r.known, r.terms, r.goals = r.known[1:], false, false
			return r.parse(under)
		default:
			r.known, r.objects, r.terms, r.goals = r.known[1:], next.objects, false, false
			next.objects = nil
			r.now.items = append(r.now.items, next)
			r.texts.terms += next.size()
			r.Input().GoTo(next.end)
			return next.read, next.err
		}
	}
	r.known, r.objects, r.within, r.terms, r.goals = nil, nil, false, false, false
	if !r.parses {
		r.parses = true
		r.texts.parsed = append(r.texts.parsed, r.Name())
	}
	return r.parse(under)
}

// nextWithin parses the next clause of a cached run that cannot be loaded as a whole.
func (r *reader) nextWithin(run item, under parsing) (*syntax.Read, error) {
	r.within, r.terms, r.goals = true, false, false
	read, err := r.parse(under)
	if r.Input().Bytes() >= run.end.Bytes() {
		r.known, r.within = r.known[1:], false
	}
	return read, err
}

// parse calls the parser and caches its result.
func (r *reader) parse(under parsing) (*syntax.Read, error) {
	r.objects = nil
	if r.full {
		return r.Parser().Read()
	}
	begin := r.Input().Bookmark()
	read, err := r.Parser().Read()
	i := item{read: read, err: err, under: under, begin: begin, end: r.Input().Bookmark()}
	r.now.items = append(r.now.items, i)
	r.texts.terms += i.size()
	return read, err
}

// End drops the current term from the cache if the limit of terms is exceeded.
func (r *reader) End() {
	if len(r.now.items) == 0 || r.full {
		return
	}
	last := r.last()
	if last.read != nil && r.texts.terms > maxTerms {
		r.texts.terms -= last.size()
		last.read, last.objects = nil, nil
	}
}

// count adds to the size of the cached parts. If that exceeds the limit, the text is dropped from the cache. Its
// clauses so far stay until the load ends, because searches refer to them.
func (r *reader) count(cost int) {
	r.cached += cost
	r.texts.cached += cost
	if r.texts.cached <= r.texts.limit {
		return
	}
	r.full = true
	r.texts.cached -= r.cached
	delete(r.texts.byName, r.Name())
}

// last returns the current item.
func (r *reader) last() *item { return &r.now.items[len(r.now.items)-1] }

// Compile compiles a clause, or reuses the cached object of the same clause.
func (r *reader) Compile(c *database.Clause, goalLines []int32) error {
	compiler := r.Program().Compiler()
	if r.full {
		return compiler.CompileLines(c, goalLines)
	}
	object, err := r.place(compiler, c, goalLines), error(nil)
	if object == nil {
		object, err = compiler.CompileObject(c, goalLines)
	}
	if object != nil {
		r.last().objects = append(r.last().objects, object)
	}
	return err
}

// place makes the next cached object the code of a clause. It returns nil if the object belongs to another clause.
func (r *reader) place(compiler *compile.Compiler, c *database.Clause, goalLines []int32) *compile.Object {
	if len(r.objects) == 0 {
		return nil
	}
	object := r.objects[0]
	r.objects = r.objects[1:]
	if !compiler.Place(object, c, goalLines) {
		return nil
	}
	return object
}

// This part defines clause runs. A clause run holds clauses that depend only on their text and on the operators and
// flags of the parser: no expansion and no tabling has changed them. A later load adds a run without its terms, unless
// an expansion or tabling applies there.

// clauseRun is a sequence of clauses of one predicate in a text. The clauses are all in facts or all in clauses.
type clauseRun struct {
	runKind
	rules       bool // a clause has a body
	constraints bool // a clause mentions constraints
	facts       *database.FactTemplates
	clauses     []runClause
	first, last syntax.Place
	terms       []*syntax.Read // as they were read, if the load searches for mistakes
}

// cost returns what a run adds to texts.cached, given the size of its text.
func (r *clauseRun) cost(size int) int {
	if r.facts != nil {
		return r.facts.Len() * factCost
	}
	return size
}

// runKind holds what the clauses of a run have in common.
type runKind struct {
	module, home string // the module being loaded, and the module of the predicate
	functor      code.Cell
	quiet        load.QuietStyles
	grammar      bool // the clauses are grammar rules
}

// runClause is a clause of a run.
type runClause struct {
	template database.Template
	at       syntax.Place
	lines    []int32 // of its goals
	warnings []source.Diagnostic
	layout   *syntax.Layout // of a scattered predicate
	object   *compile.Object
	search   *bodySearch // of a rule
}

// Added replaces the current term in the cache with its clause.
func (r *reader) Added(from load.Result) {
	if r.full {
		return
	}
	c, last := from.Clause, r.last()
	kind := runKind{r.Module().Name, c.Pred.Module.Name, c.Pred.Functor, r.QuietStyles(), from.Grammar}
	at := syntax.Place{Line: from.Read.Pos.Line, Column: from.Read.Pos.Column}
	run := r.runBefore(kind)
	plain := len(from.Warnings) == 0 && !r.Program().IsScattered(c.Pred)
	switch {
	case run != nil && run.facts != nil && plain && run.facts.Add(c):
	case run != nil && run.facts == nil && !(plain && c.InArray()):
		run.clauses = append(run.clauses, r.runClause(from, last.objects, at))
	default:
		run = &clauseRun{runKind: kind, first: at, facts: &database.FactTemplates{}}
		if !plain || !run.facts.Add(c) {
			run.facts, run.clauses = nil, []runClause{r.runClause(from, last.objects, at)}
		}
		last.run, last.own = run, true
	}
	if run.facts != nil {
		c.Pred.SetFacts(run.facts)
		r.count(factCost)
	} else {
		r.count(last.size())
	}
	run.rules, run.last = run.rules || !c.IsFact(), at
	run.constraints = run.constraints || !c.IsFact() && passes.MentionsConstraints(from.Read.Term)
	if r.Lints() {
		run.terms = append(run.terms, lintTerm(from, len(run.terms)))
		r.count(lintCost * last.size())
	}
	r.replaceTerm()
	if !c.IsFact() {
		r.KeepSearch(r.searchOf(len(run.clauses) - 1))
	}
}

// lintTerm returns term i of a run for the search for mistakes. Facts that are checked one by one keep their layout,
// since a mistake may be in an argument.
func lintTerm(from load.Result, i int) *syntax.Read {
	if from.Clause.IsFact() && !from.Grammar && i >= lint.MaxFacts {
		return &syntax.Read{Term: from.Read.Term, Pos: from.Read.Pos}
	}
	return from.Read
}

// replaceTerm drops the current term. Its item becomes a part of the run before it, unless it begins a new run.
func (r *reader) replaceTerm() {
	last := r.last()
	r.texts.terms -= last.size()
	if last.run == nil {
		end := last.end
		*last = item{}
		r.now.items = r.now.items[:len(r.now.items)-1]
		r.last().end = end
	}
	r.last().read, r.last().objects = nil, nil
}

// runBefore returns the run before the current term if it can take a clause of this kind, or nil.
func (r *reader) runBefore(kind runKind) *clauseRun {
	n := len(r.now.items)
	if n < 2 {
		return nil
	}
	a, b := &r.now.items[n-2], &r.now.items[n-1]
	if a.run == nil || !a.own || a.end != b.begin || !a.under.same(b.under) || a.run.runKind != kind {
		return nil
	}
	return a.run
}

// runClause returns the cached form of the clause that was added last.
func (r *reader) runClause(from load.Result, objects []*compile.Object, at syntax.Place) runClause {
	k := runClause{template: from.Clause.Template(), at: at, lines: from.Lines, warnings: slices.Clone(from.Warnings),
		layout: r.Program().Layout(from.Clause)}
	if len(objects) > 0 {
		k.object = objects[0]
	}
	if !from.Clause.IsFact() {
		k.search = &bodySearch{places: packLayout(from.Body)}
	}
	return k
}

// ownRun returns the run of an item for a change. It copies a run that another load shares.
func (i *item) ownRun() *clauseRun {
	if !i.own {
		run := *i.run
		run.clauses, run.terms = slices.Clone(run.clauses), slices.Clip(run.terms)
		i.run, i.own = &run, true
	}
	return i.run
}

// takes reports whether the clauses of a run would be the same if they were parsed and expanded now.
func (r *reader) takes(run *clauseRun) bool {
	if r.Skipping() {
		return true
	}
	r.terms = r.terms || r.TakesTerms() && !r.ChecksOccurs()
	r.goals = r.goals || run.rules && r.TakesGoals()
	if r.Module().Name != run.module || r.QuietStyles() != run.quiet || !r.terms || run.rules && !r.goals ||
		r.Lints() && run.terms == nil {
		return false
	}
	if run.rules && r.HasTables() || run.constraints && r.UsesConstraints() || run.grammar && !r.TranslatesGrammar() {
		return false
	}
	scattered := r.Program().ScattersFunctor(run.functor)
	if scattered && (run.facts != nil || run.clauses[0].layout == nil) {
		return false
	}
	db := r.Program().DB()
	if sys := db.System().Find(run.functor); sys != nil && sys.Has(database.Locked) {
		return false
	}
	module := db.FindModule(run.home)
	if module == nil {
		return true
	}
	pred := module.Find(run.functor)
	return pred == nil || pred.Builtin < 0 && !pred.Has(database.Tabled|database.Persistent) &&
		(pred.File == "" || pred.File == r.Name() || pred.Has(database.Multifile|database.Dynamic) || scattered)
}

// take adds the clauses of a run.
func (r *reader) take(run *clauseRun) {
	if r.Skipping() {
		r.ReadAt(run.last)
		return
	}
	for _, read := range run.terms {
		r.NoteLint(read)
	}
	module := r.Module()
	if run.home != run.module {
		module = r.Program().DB().Module(run.home)
	}
	if run.facts != nil {
		r.takeFacts(run, module)
		return
	}
	if run.grammar {
		r.Module().Lookup(load.TranslateRule) // calling the translation would create the predicate too
	}
	var pred *database.Pred
	block := make(database.Block, len(run.clauses))
	for i := range run.clauses {
		k := &run.clauses[i]
		r.ReadAt(k.at)
		r.Program().Diagnose(k.warnings...)
		if i == 0 {
			pred = r.Definition(module, run.functor)
		}
		r.takeClause(i, k, block.Make(&k.template, pred))
	}
	r.Program().Relink(pred)
}

// takeFacts adds the clauses of a run of facts.
func (r *reader) takeFacts(run *clauseRun, module *database.Module) {
	r.ReadAt(run.first)
	pred := r.Definition(module, run.functor)
	r.Program().NoteDefined(pred)
	pred.OwnClauses()
	pred.SetFacts(run.facts)
	r.Program().DB().AddStaticFacts(pred, run.facts)
	r.Program().Relink(pred)
	r.ReadAt(run.last)
}

// takeClause adds clause i of the last run.
func (r *reader) takeClause(i int, k *runClause, c *database.Clause) {
	pred, compiler := c.Pred, r.Program().Compiler()
	r.Program().KeepLayout(c, k.layout)
	if k.search != nil {
		r.NoteSearch(r.searchOf(i))
	}
	r.Program().NoteDefined(pred)
	if !pred.Has(database.Dynamic) && !c.IsFact() && (k.object == nil || !compiler.Place(k.object, c, k.lines)) {
		object, err := compiler.CompileObject(c, k.lines)
		if err != nil {
			r.ClauseError(err)
			return
		}
		r.last().ownRun().clauses[i].object = object
	}
	pred.OwnClauses()
	r.Program().DB().AddStatic(c)
}
