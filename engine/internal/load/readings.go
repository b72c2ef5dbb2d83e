package load

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"sync"
	"unsafe"

	"github.com/mcplogic/mcplogic/engine/internal/compile"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
)

// This file defines what is kept of texts that were read, so that a load of the same texts need
// not read them again. What was kept takes the place of the parser, of the laying out of clauses and of the
// compiler, and of nothing else: directives are obeyed, clauses are expanded and checked as if
// they had just been read, so that all that they depend on is as it is now. stretch.go has the
// clauses for which that comes to nothing.

// Readings remember what texts were read as. Programs that replace one another are given the
// same ones, in [Options]; a text that is as it was is then not parsed again, as far as the operators
// and flags that it is read under are as they were. The zero value is empty. Several goroutines
// may use it.
type Readings struct {
	mu     sync.Mutex
	texts  map[string]*reading // of the last load, by the name of the source
	parsed []string
	code   int // words
}

// reading is what one text was read as. Once its load has ended it does not change.
type reading struct {
	size  int
	sum   textSum
	items []readItem
	looks []look // what the bodies of its clauses ask about predicates
}

// textSum tells texts apart.
type textSum [sha256.Size]byte

// readItem is a part of a text: clauses one after the other, or what came of one step of the
// parser.
type readItem struct {
	under      conditions
	begin, end syntax.Bookmark
	stretch    *stretch
	own        bool // the stretch may be changed, as no other load has it
	// If stretch is nil. When read and err are too, the parser is to be asked again.
	read *syntax.Read
	err  error
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
func (c conditions) same(d conditions) bool {
	return c.flags == d.flags && (c.ops == d.ops || *c.ops == *d.ops)
}

// The most that is kept of a load, in bytes of text: of all texts, and of those parts that are
// kept as terms, which with the places of their parts take many times as much.
const (
	maxReadings = 64 << 20
	maxTerms    = 4 << 20
)

// Parsed returns the names of the texts that the last load had to parse because something was
// new, if only in part, in the order of their loading.
func (r *Readings) Parsed() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.parsed)
}

// find returns what a text was read as, or nil.
func (r *Readings) find(name string, size int, sum textSum) *reading {
	r.mu.Lock()
	defer r.mu.Unlock()
	if known := r.texts[name]; known != nil && known.size == size && known.sum == sum {
		return known
	}
	return nil
}

// beginLoad makes room for what the program will have if it is like the one before.
func (p *Program) beginLoad() {
	if r := p.opts.Readings; r != nil {
		r.mu.Lock()
		size := r.code
		r.mu.Unlock()
		p.db.ReserveCode(size)
	}
}

// endLoad keeps the readings of a load that has ended in the place of those before.
func (p *Program) endLoad() {
	if r := p.opts.Readings; r != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.texts, r.parsed, r.code = maps.Clone(p.readings.texts), slices.Clone(p.readings.parsed), len(p.db.Code())
	}
}

// loadReadings are the readings of one program.
type loadReadings struct {
	texts  map[string]*reading
	parsed []string
	bytes  int // of the texts
	terms  int // of the texts of terms
	hashes map[opsState]*opsHash
}

// rereading is the reading of one text with the help of what is known of it.
type rereading struct {
	load   *loadReadings
	known  []readItem // what is still to come, as long as nothing has differed
	within bool       // a part of the first of them has been taken
	now    *reading
	parses bool // the parser was needed
	// objects are those of the term at work that have not been placed.
	objects []*compile.Object
	placed  syntax.Read // where the last clause of a stretch stands
	// terms and goals say that they are known to stand for themselves, as nothing but stretches
	// has been loaded since that was found out.
	terms, goals bool
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
	again := &rereading{load: r, now: &reading{size: len(text), sum: sha256.Sum256(bytesOf(text))}}
	if known := p.opts.Readings.find(l.name, len(text), again.now.sum); known != nil {
		again.known = known.items
		again.now.items = make([]readItem, 0, len(known.items))
		again.now.looks = slices.Clip(known.looks)
	}
	r.texts[l.name] = again.now
	r.bytes += len(text)
	return again
}

// bytesOf returns the bytes of a text, to be read only.
func bytesOf(text string) []byte { return unsafe.Slice(unsafe.StringData(text), len(text)) }

// next returns what comes next in the text, as [syntax.Parser.Read] does. Clauses that are known it
// loads at once.
func (l *loader) next() (*syntax.Read, error) {
	r := l.again
	if r == nil {
		return l.parser.Read()
	}
	r.ended()
	under := l.p.readings.conditions(l.parser)
	l.p.yielder.Step()
	for len(r.known) > 0 && r.known[0].under.same(under) {
		item := r.known[0]
		switch {
		case item.stretch != nil && (r.within || !l.takes(item.stretch)):
			return l.nextWithin(item, under)
		case item.stretch != nil:
			item.own = false
			r.now.items = append(r.now.items, item)
			l.input.GoTo(item.end)
			l.takeStretch(item.stretch)
			l.p.yielder.Step()
			r.known = r.known[1:]
		case item.read == nil && item.err == nil:
			r.known, r.terms, r.goals = r.known[1:], false, false
			return l.parse(under)
		default:
			r.known, r.objects, r.terms, r.goals = r.known[1:], item.objects, false, false
			item.objects = nil
			r.now.items = append(r.now.items, item)
			r.load.terms += item.size()
			l.input.GoTo(item.end)
			return item.read, item.err
		}
	}
	r.known, r.objects, r.within, r.terms, r.goals = nil, nil, false, false, false
	if !r.parses {
		r.parses = true
		r.load.parsed = append(r.load.parsed, l.name)
	}
	return l.parse(under)
}

// nextWithin parses the next clause of a stretch that cannot be taken as a whole.
func (l *loader) nextWithin(item readItem, under conditions) (*syntax.Read, error) {
	r := l.again
	r.within, r.terms, r.goals = true, false, false
	read, err := l.parse(under)
	if l.input.Bytes() >= item.end.Bytes() {
		r.known, r.within = r.known[1:], false
	}
	return read, err
}

// parse asks the parser and keeps what it says.
func (l *loader) parse(under conditions) (*syntax.Read, error) {
	r := l.again
	r.objects = nil
	begin := l.input.Bookmark()
	read, err := l.parser.Read()
	item := readItem{read: read, err: err, under: under, begin: begin, end: l.input.Bookmark()}
	r.now.items = append(r.now.items, item)
	r.load.terms += item.size()
	return read, err
}

// size is how many bytes of text an item stands for.
func (i *readItem) size() int { return i.end.Bytes() - i.begin.Bytes() }

// ended sees to what is kept of the term at work, when the next one comes.
func (r *rereading) ended() {
	if r == nil || len(r.now.items) == 0 {
		return
	}
	last := &r.now.items[len(r.now.items)-1]
	if last.read != nil && r.load.terms > maxTerms {
		r.load.terms -= last.size()
		last.read, last.objects = nil, nil
	}
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
	return conditions{r.hash(ops), flags}
}

// hash tells the operators that can be seen in a table. Most tables have none of their own.
func (r *loadReadings) hash(ops *syntax.Ops) *opsHash {
	state := opsState{ops, ops.Changes()}
	hash := r.hashes[state]
	if hash != nil {
		return hash
	}
	own, parent := ops.Own(), &opsHash{}
	if ops.Parent() != nil {
		parent = r.hash(ops.Parent())
	}
	if hash = parent; len(own) > 0 {
		hash = hashOps(own, parent)
	}
	r.hashes[state] = hash
	return hash
}

// hashOps tells the operators of a table and those of its parents.
func hashOps(own []syntax.Op, parent *opsHash) *opsHash {
	sum := sha256.New()
	sum.Write(parent[:])
	for _, op := range own {
		fmt.Fprintf(sum, "%d %s %q\n", op.Priority, op.Type, op.Name)
	}
	h := &opsHash{}
	sum.Sum(h[:0])
	return h
}
