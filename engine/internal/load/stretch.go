package load

import (
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/compile"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines what is kept of clauses that only their text and what it is read under make
// what they are: neither expansion of terms or goals nor tabling has had a part in them. Such
// clauses are added again without their terms, as long as nothing of the kind is in force.

// stretch is clauses of one predicate that follow one another in a text. Either all of them
// are in facts or all in clauses.
type stretch struct {
	stretchKind
	rules       bool // one of them has a body
	constraints bool // one of them mentions constraints
	facts       *database.FactMolds
	clauses     []keptClause
	first, last syntax.Place
}

// stretchKind is what the clauses of a stretch have in common.
type stretchKind struct {
	module, home string // that was being loaded, and that of the predicate
	functor      code.Cell
	quiet        [2]bool // the styles that were not checked, see quietStyles
	grammar      bool    // they are grammar rules
}

// keptClause is a clause of a stretch.
type keptClause struct {
	mold     database.Mold
	at       syntax.Place
	lines    []int32 // of its goals
	warnings []Diagnostic
	layout   *syntax.Layout // of a scattered predicate
	object   *compile.Object
	search   *bodySearch // of a rule
}

// outcome is what has come of a term that was read.
type outcome struct {
	clause   *database.Clause
	lines    []int32
	warnings []Diagnostic // about its variables
	spoilt   bool         // it depends on other things
}

// quietStyles are the styles that decide which warnings a clause alone gets.
var quietStyles = [2]string{"singleton", "var_branches"}

func (l *loader) quietNow() (q [2]bool) {
	for i, style := range quietStyles {
		q[i] = l.quiet[style]
	}
	return q
}

// takesTermsAsTheyAre reports whether a term that is read stands for itself.
func (l *loader) takesTermsAsTheyAre() bool {
	return l.unit == nil && (l.library || len(l.hooks("term_expansion")) == 0)
}

// takesGoalsAsTheyAre reports whether the goals of a body, if they are no constraints, stand for
// themselves.
func (l *loader) takesGoalsAsTheyAre() bool { return len(l.hooks("goal_expansion")) == 0 }

// translatesGrammar reports whether grammar rules are translated as the language has it.
func (l *loader) translatesGrammar() bool {
	pred := l.module.Resolve(fTranslateRule)
	return pred != nil && pred.Module == l.p.db.System()
}

var fTranslateRule = code.Functor("dcg_translate_rule", 2)

// expansions are predicates whose clauses change what the next ones come to.
var expansions = map[code.Cell]bool{
	code.Functor("term_expansion", 2): true, code.Functor("goal_expansion", 2): true, fTranslateRule: true,
}

// add notes a clause.
func (o *outcome) add(c *database.Clause, lines []int32) {
	o.spoilt = o.spoilt || o.clause != nil
	o.clause, o.lines = c, lines
}

// keepOutcome puts what came of the term just read in the place of the term, if one clause is
// all that came of it and depends on nothing else.
func (l *loader) keepOutcome(read *syntax.Read) {
	o := l.outcome
	l.outcome = outcome{}
	if l.again == nil || o.spoilt || o.clause == nil || expansions[o.clause.Pred.Functor] {
		return
	}
	_, grammar := term.Is(read.Term, "-->", 2)
	if grammar && !l.translatesGrammar() {
		return
	}
	r, c := l.again, o.clause
	kind := stretchKind{l.module.Name, c.Pred.Module.Name, c.Pred.Functor, l.quietNow(), grammar}
	at := syntax.Place{Line: read.Pos.Line, Column: read.Pos.Column}
	s, item := r.stretchFor(kind), &r.now.items[len(r.now.items)-1]
	plain := len(o.warnings) == 0 && !l.p.IsScattered(c.Pred)
	switch {
	case s != nil && s.facts != nil && plain && s.facts.Add(c):
	case s != nil && s.facts == nil && !(plain && c.InArray()):
		s.clauses = append(s.clauses, l.keptClause(o, item.objects, at))
	default:
		s = &stretch{stretchKind: kind, first: at, facts: &database.FactMolds{}}
		if !plain || !s.facts.Add(c) {
			s.facts, s.clauses = nil, []keptClause{l.keptClause(o, item.objects, at)}
		}
		item.stretch, item.own = s, true
	}
	if s.facts != nil {
		c.Pred.SetFacts(s.facts)
	}
	s.rules, s.last = s.rules || !c.IsFact(), at
	s.constraints = s.constraints || !c.IsFact() && mentionsConstraints(read.Term)
	r.load.terms -= item.size()
	if item.stretch == nil {
		r.now.items[len(r.now.items)-2].end = item.end
		*item = readItem{}
		r.now.items = r.now.items[:len(r.now.items)-1]
	}
	item.read, item.objects = nil, nil
	if !c.IsFact() {
		l.noteKept(r.now, len(s.clauses)-1)
	}
}

// stretchFor returns the stretch in front of the term at work if a clause of its kind can be a
// part of it, or nil.
func (r *rereading) stretchFor(kind stretchKind) *stretch {
	n := len(r.now.items)
	if n < 2 {
		return nil
	}
	a, b := &r.now.items[n-2], &r.now.items[n-1]
	if a.stretch == nil || !a.own || a.end != b.begin || !a.under.same(b.under) || a.stretch.stretchKind != kind {
		return nil
	}
	return a.stretch
}

// keptClause returns what is kept of the clause just added.
func (l *loader) keptClause(o outcome, objects []*compile.Object, at syntax.Place) keptClause {
	k := keptClause{mold: o.clause.Mold(), at: at, lines: o.lines, warnings: slices.Clone(o.warnings), layout: l.p.layouts[o.clause]}
	if len(objects) > 0 {
		k.object = objects[0]
	}
	if !o.clause.IsFact() {
		k.search = &bodySearch{places: packLayout(l.p.bodies[len(l.p.bodies)-1].layout)}
	}
	return k
}

// ownStretch returns the stretch of the last item, for a change.
func (r *rereading) ownStretch() *stretch { return r.now.items[len(r.now.items)-1].ownStretch() }

func (i *readItem) ownStretch() *stretch {
	if !i.own {
		s := *i.stretch
		s.clauses = slices.Clone(s.clauses)
		i.stretch, i.own = &s, true
	}
	return i.stretch
}

// takes reports whether the clauses of a stretch would come out as they were.
func (l *loader) takes(s *stretch) bool {
	if l.skipping() {
		return true
	}
	r := l.again
	r.terms = r.terms || l.takesTermsAsTheyAre() && !l.checksOccurs()
	r.goals = r.goals || s.rules && l.takesGoalsAsTheyAre()
	if l.module.Name != s.module || l.quietNow() != s.quiet || !r.terms || s.rules && !r.goals ||
		s.constraints && l.usesConstraints() || s.grammar && !l.translatesGrammar() {
		return false
	}
	scattered := l.p.scattered[s.functor]
	if scattered && (s.facts != nil || s.clauses[0].layout == nil) {
		return false
	}
	if sys := l.p.db.System().Find(s.functor); sys != nil && sys.Has(database.Locked) {
		return false
	}
	module := l.p.db.FindModule(s.home)
	if module == nil {
		return true
	}
	pred := module.Find(s.functor)
	return pred == nil || pred.Builtin < 0 && !pred.Has(database.Tabled) &&
		(pred.File == "" || pred.File == l.name || pred.Has(database.Multifile|database.Dynamic) || scattered)
}

// takeStretch adds the clauses of a stretch.
func (l *loader) takeStretch(s *stretch) {
	if l.skipping() {
		l.readAt(s.last)
		return
	}
	module := l.module
	if s.home != s.module {
		module = l.p.db.Module(s.home)
	}
	if s.facts != nil {
		l.readAt(s.first)
		pred := l.definition(module, s.functor)
		pred.Set(database.Defined)
		pred.OwnClauses()
		l.p.db.AddStaticFacts(pred, s.facts)
		l.p.changed(pred)
		l.readAt(s.last)
		return
	}
	if s.grammar {
		l.module.Lookup(fTranslateRule) // as the call of it would
	}
	var pred *database.Pred
	block := make(database.Block, len(s.clauses))
	for i := range s.clauses {
		k := &s.clauses[i]
		l.readAt(k.at)
		l.p.diagnostics = append(l.p.diagnostics, k.warnings...)
		if i == 0 {
			pred = l.definition(module, s.functor)
		}
		l.takeClause(i, k, block.Cast(&k.mold, pred))
	}
	l.p.changed(pred)
}

// takeClause adds clause i of the last stretch.
func (l *loader) takeClause(i int, k *keptClause, c *database.Clause) {
	pred := c.Pred
	if c.SSU {
		pred.Set(database.SSU)
	}
	l.p.keepLayout(c, k.layout)
	if k.search != nil {
		l.noteStretch(i, k)
	}
	pred.Set(database.Defined)
	if !pred.Has(database.Dynamic) && !c.IsFact() && (k.object == nil || !l.p.compiler.Place(k.object, c, k.lines)) {
		object, err := l.p.compiler.CompileObject(c, k.lines)
		if err != nil {
			l.report(SeverityError, "clause", "%s", err)
			return
		}
		l.again.ownStretch().clauses[i].object = object
	}
	pred.OwnClauses()
	l.p.db.AddStatic(c)
}

// readAt makes a clause that need not be read the one at work.
func (l *loader) readAt(at syntax.Place) {
	l.again.placed = syntax.Read{Pos: syntax.Position{File: l.name, Line: at.Line, Column: at.Column}}
	l.read = &l.again.placed
}
