package engine

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/mcplogic/mcplogic/engine/internal/compile"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
)

// This file defines what is kept of texts that were read, so that a load of the same texts need
// not read them again. What was kept takes the place of the parser and of the compiler, and of
// nothing else: directives are obeyed, clauses are expanded and checked as if they had just been
// read, so that all that they depend on is as it is now.

// Readings remember what texts were read as. Programs that replace one another are given the
// same ones, in [Options]; a text that is as it was is then not parsed again, as far as the operators
// and flags that it is read under are as they were. The zero value is empty. Several goroutines
// may use it.
type Readings struct {
	mu     sync.Mutex
	texts  map[string]*reading // of the last load, by the name of the source
	parsed []string
}

// reading is what one text was read as.
type reading struct {
	text  string
	items []readItem
}

// readItem is what came of one step of the parser.
type readItem struct {
	read   *syntax.Read
	err    error
	under  conditions
	behind syntax.Input // the input after it
	// objects are the clauses that were compiled because of it.
	objects []*compile.Object
}

// conditions are what else than the text the parser depends on.
type conditions struct {
	ops   *opsHash
	flags syntax.Flags
}

// opsHash tells operator tables apart.
type opsHash [sha256.Size]byte

// opsState is an operator table at one moment.
type opsState struct {
	ops     *syntax.Ops
	changes int
}

// same reports whether a text is read alike under both.
func (c conditions) same(d conditions) bool { return c.flags == d.flags && *c.ops == *d.ops }

// maxReadings is how much text is kept read, in bytes. Terms with the places of their parts take
// many times as much.
const maxReadings = 4 << 20

// Parsed returns the names of the texts that the last load parsed, if only in part, in the order
// of their loading.
func (r *Readings) Parsed() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.parsed)
}

// find returns what a text was read as, or nil.
func (r *Readings) find(name, text string) *reading {
	r.mu.Lock()
	defer r.mu.Unlock()
	if known := r.texts[name]; known != nil && known.text == text {
		return known
	}
	return nil
}

// keep replaces what is kept by the readings of a load that has ended; r may be nil.
func (r *Readings) keep(l *loadReadings) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.texts, r.parsed = maps.Clone(l.texts), slices.Clone(l.parsed)
}

// loadReadings are the readings of one program.
type loadReadings struct {
	texts  map[string]*reading
	parsed []string
	bytes  int // of the texts
	hashes map[opsState]*opsHash
}

// rereading is the reading of one text with the help of what is known of it.
type rereading struct {
	known  []readItem // what is still to come, as long as nothing has differed
	now    *reading
	parses bool // the parser was needed
	// objects are those of the term at work that have not been placed.
	objects []*compile.Object
}

// reread prepares the reading of a text by l; it returns nil when that is not to be kept.
// Libraries are kept elsewhere, compiled as a whole.
func (p *Program) reread(l *loader, text string) *rereading {
	r := &p.readings
	if p.opts.Readings == nil || p.sealed || l.library || r.bytes+len(text) > maxReadings {
		return nil
	}
	if r.texts == nil {
		r.texts, r.hashes = map[string]*reading{}, map[opsState]*opsHash{}
	}
	again := &rereading{now: &reading{text: text}}
	if known := p.opts.Readings.find(l.name, text); known != nil {
		again.known = known.items
		again.now.items = make([]readItem, 0, len(known.items))
		again.now.text = known.text // which the inputs of the items hold on to
	}
	r.texts[l.name] = again.now
	r.bytes += len(text)
	return again
}

// next returns what comes next in the text, as [syntax.Parser.Read] does.
func (l *loader) next() (*syntax.Read, error) {
	r := l.again
	if r == nil {
		return l.parser.Read()
	}
	under := l.p.readings.conditions(l.parser)
	if len(r.known) > 0 && r.known[0].under.same(under) {
		item := r.known[0]
		r.known, r.objects = r.known[1:], item.objects
		item.objects = nil
		r.now.items = append(r.now.items, item)
		*l.input = item.behind
		return item.read, item.err
	}
	r.known, r.objects = nil, nil
	if !r.parses {
		r.parses = true
		l.p.readings.parsed = append(l.p.readings.parsed, l.name)
	}
	read, err := l.parser.Read()
	r.now.items = append(r.now.items, readItem{read: read, err: err, under: under, behind: *l.input})
	return read, err
}

// compile gives a clause that is no fact its code, that of the load before if it is the same.
func (l *loader) compile(c *database.Clause, goalLines []int32) error {
	r := l.again
	if r == nil {
		return l.p.compiler.CompileLines(c, goalLines)
	}
	object, err := r.place(l.p.compiler, c, goalLines), error(nil)
	if object == nil {
		object, err = l.p.compiler.CompileObject(c, goalLines)
	}
	if object != nil {
		item := &r.now.items[len(r.now.items)-1]
		item.objects = append(item.objects, object)
	}
	return err
}

// place takes the next object for a clause if it fits; else it returns nil.
func (r *rereading) place(compiler *compile.Compiler, c *database.Clause, goalLines []int32) *compile.Object {
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

// conditions returns what a parser depends on at the moment.
func (r *loadReadings) conditions(parser *syntax.Parser) conditions {
	ops, flags := parser.Conditions()
	state := opsState{ops, ops.Changes()}
	hash := r.hashes[state]
	if hash == nil {
		hash = hashOps(ops)
		r.hashes[state] = hash
	}
	return conditions{hash, flags}
}

// hashOps tells the operators that can be seen in a table.
func hashOps(ops *syntax.Ops) *opsHash {
	sum := sha256.New()
	for _, op := range ops.All() {
		fmt.Fprintf(sum, "%d %s %q\n", op.Priority, op.Type, op.Name)
	}
	h := &opsHash{}
	sum.Sum(h[:0])
	return h
}
