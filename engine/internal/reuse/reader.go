package reuse

import (
	"github.com/mcplogic/mcplogic/engine/internal/compile"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/load"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
)

// This file defines the incremental reader of a text.

// item is a part of a text: a clause run, or what one step of the parser has given.
type item struct {
	under      parsing
	begin, end syntax.Bookmark
	run        *clauseRun
	own        bool // no other load has the run: it may be changed
	// If run is nil. When read and err are nil too, the parser is to be asked again.
	read *syntax.Read
	err  error
	// objects are the clauses that were compiled because of it.
	objects []*compile.Object
}

// size is how many bytes of text an item stands for.
func (i *item) size() int { return i.end.Bytes() - i.begin.Bytes() }

// reader reads one text with the help of what is known of it.
type reader struct {
	*load.Loader
	texts  *texts
	known  []item // what is still to come, as long as nothing has differed
	within bool   // a part of the first of them has been taken
	now    *text
	parses bool // the parser was needed
	// objects are those of the term at work that have not been placed.
	objects []*compile.Object
	// terms and goals say that terms and goals are known to be taken as they are written. They hold as long as
	// nothing but clause runs is loaded.
	terms, goals bool
	searches     searches
}

// Next returns what the parser would. Clause runs that are known it loads at once.
func (r *reader) Next() (*syntax.Read, error) {
	r.End()
	under := r.texts.parsing(r.Parser())
	r.texts.yielder.Step()
	for len(r.known) > 0 && r.known[0].under.same(under) {
		item := r.known[0]
		switch {
		case item.run != nil && (r.within || !r.takes(item.run)):
			return r.nextWithin(item, under)
		case item.run != nil:
			item.own = false
			r.now.items = append(r.now.items, item)
			r.Input().GoTo(item.end)
			r.take(item.run)
			r.texts.yielder.Step()
			r.known = r.known[1:]
		case item.read == nil && item.err == nil:
			r.known, r.terms, r.goals = r.known[1:], false, false
			return r.parse(under)
		default:
			r.known, r.objects, r.terms, r.goals = r.known[1:], item.objects, false, false
			item.objects = nil
			r.now.items = append(r.now.items, item)
			r.texts.terms += item.size()
			r.Input().GoTo(item.end)
			return item.read, item.err
		}
	}
	r.known, r.objects, r.within, r.terms, r.goals = nil, nil, false, false, false
	if !r.parses {
		r.parses = true
		r.texts.parsed = append(r.texts.parsed, r.Name())
	}
	return r.parse(under)
}

// nextWithin parses the next clause of a run that cannot be taken as a whole.
func (r *reader) nextWithin(item item, under parsing) (*syntax.Read, error) {
	r.within, r.terms, r.goals = true, false, false
	read, err := r.parse(under)
	if r.Input().Bytes() >= item.end.Bytes() {
		r.known, r.within = r.known[1:], false
	}
	return read, err
}

// parse asks the parser and keeps what it gives.
func (r *reader) parse(under parsing) (*syntax.Read, error) {
	r.objects = nil
	begin := r.Input().Bookmark()
	read, err := r.Parser().Read()
	i := item{read: read, err: err, under: under, begin: begin, end: r.Input().Bookmark()}
	r.now.items = append(r.now.items, i)
	r.texts.terms += i.size()
	return read, err
}

// End drops the term at work if too many are kept.
func (r *reader) End() {
	if len(r.now.items) == 0 {
		return
	}
	last := r.last()
	if last.read != nil && r.texts.terms > maxTerms {
		r.texts.terms -= last.size()
		last.read, last.objects = nil, nil
	}
}

// last returns the item at work.
func (r *reader) last() *item { return &r.now.items[len(r.now.items)-1] }

// Compile gives a clause its code, that of the load before if it is the same.
func (r *reader) Compile(c *database.Clause, goalLines []int32) error {
	compiler := r.Program().Compiler()
	object, err := r.place(compiler, c, goalLines), error(nil)
	if object == nil {
		object, err = compiler.CompileObject(c, goalLines)
	}
	if object != nil {
		r.last().objects = append(r.last().objects, object)
	}
	return err
}

// place takes the next object for a clause if it fits; else it returns nil.
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
