package reuse

import (
	"github.com/mcplogic/mcplogic/engine/internal/compile"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
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
	cached int    // what the items add to texts.cached
	// full says that the cache has no room for the text: from here on it is only parsed, and nothing of it is kept.
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

// count adds to what the cache takes. If that is too much the text is dropped from it. The clauses so far stay until
// the load ends, because searches refer to them.
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

// place places the next cached object as the code of a clause. It returns nil if the object is of another clause.
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
