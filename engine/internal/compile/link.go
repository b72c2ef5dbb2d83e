package compile

import (
	"math/bits"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
)

// This file defines the entries of predicates: the code that finds the clauses which may match
// a call and tries them one after the other.

// tableFacts is the number of clauses above which a predicate of facts is not compiled: its
// clauses are selected and matched at run time.
const tableFacts = 8

// Link brings the entries of predicates that are not linked up to date with their clauses. It compiles clauses of
// static predicates that have no code yet.
func (c *Compiler) Link(preds ...*database.Pred) error {
	c.linking.Lock()
	defer c.linking.Unlock()
	return c.program.PatchTogether(func() error {
		for _, p := range preds {
			if p.Has(database.Linked) {
				continue
			}
			if err := c.link(p); err != nil {
				return err
			}
		}
		return nil
	})
}

// Unlink makes the next call of a static predicate link it.
func (c *Compiler) Unlink(p *database.Pred) {
	c.linking.Lock()
	defer c.linking.Unlock()
	p.SetLinked(false)
	undefined := code.Make(code.OpUndefined, p.Arity(), 0, 0, p.ID)
	if c.program.Code()[p.Entry] != undefined {
		c.program.Patch(p.Entry, []code.Instr{undefined, undefined, undefined})
	}
}

// link makes the entry of a predicate: to a function in Go, to the clauses in the database, or to compiled code. The
// caller holds c.linking.
func (c *Compiler) link(p *database.Pred) error {
	arity := p.Arity()
	switch {
	case arity > maxArity:
		return &Error{Msg: "more than 255 arguments"}
	case p.Has(database.Control):
		c.enter(p, code.MakeMeta(p.Functor, p.ID))
	case p.Builtin >= 0:
		c.enter(p, code.Make(code.OpBuiltinEnd, arity, 0, 0, uint32(p.Builtin)))
	case p.Has(database.Dynamic):
		c.enter(p, code.Make(code.OpDynamic, arity, 0, 0, p.ID))
	default:
		if err := c.linkStatic(p); err != nil {
			return err
		}
		if p.Qualifies() || p.Has(database.Det) {
			c.prefix(p)
		}
	}
	return nil
}

// prefix puts instructions before the entry of p: one that qualifies arguments and one that watches a predicate
// declared det. OpDynamic qualifies arguments itself.
func (c *Compiler) prefix(p *database.Pred) {
	words := c.program.EntryCode(p)
	switch words[0].Op() {
	case code.OpUndefined, code.OpDynamic, code.OpFail:
		return
	}
	var block []code.Instr
	if p.Qualifies() {
		block = append(block, code.Make(code.OpQualify, p.Arity(), 0, 0, p.ID))
	}
	if p.Has(database.Det) {
		block = append(block, code.Make(code.OpDet, p.Arity(), 0, 0, p.ID))
	}
	block = append(block, words...)
	at := c.program.PlaceCode(len(block), func(uint32) []code.Instr { return block })
	first := code.Make(code.OpJump, 0, 0, 0, at)
	c.program.Patch(p.Entry, []code.Instr{first, first, first})
	if _, words := p.Chain(); words == 0 {
		p.SetChain(at, len(block))
	} else {
		p.AddChain(at, len(block))
	}
}

// enter makes the entry of p one instruction.
func (c *Compiler) enter(p *database.Pred, i code.Instr) {
	c.program.Patch(p.Entry, []code.Instr{i, i, i})
	p.SetChain(0, 0)
	p.SetLinked(true)
}

// linkStatic makes the entry of a static predicate, in the cheapest form that its clauses allow: an
// instruction that fails or raises, rows of constants, for many facts a search through cells as for dynamic predicates,
// and else code for each clause with switches before it.
func (c *Compiler) linkStatic(p *database.Pred) error {
	list := living(p)
	switch {
	case len(list) == 0 && !p.Has(database.Defined):
		c.enter(p, code.Make(code.OpUndefined, p.Arity(), 0, 0, p.ID))
		return nil
	case len(list) == 0:
		c.enter(p, code.Make(code.OpFail, 0, 0, 0, 0))
		return nil
	case areRows(list):
		c.linkRows(p, list)
		return nil
	case len(list) > tableFacts && allFacts(list):
		c.enter(p, code.Make(code.OpDynamic, p.Arity(), 0, 0, p.ID))
		return nil
	}
	for _, cl := range list {
		if err := c.compile(cl, nil, true, nil); err != nil {
			return err
		}
	}
	k := c.linker(p)
	if p.Has(database.SSU) {
		k.unmatched = c.program.System().Lookup(fNoRule)
	}
	k.link(k.entry(list))
	return nil
}

// living returns the clauses that are not dead for everyone. The slice must not be changed: there
// may be a million of them.
func living(p *database.Pred) []*database.Clause {
	all := p.Clauses()
	if !slices.ContainsFunc(all, (*database.Clause).Erased) {
		return slices.Clip(all)
	}
	var list []*database.Clause
	for _, cl := range all {
		if !cl.Erased() {
			list = append(list, cl)
		}
	}
	return list
}

// allFacts reports whether no clause has a body.
func allFacts(list []*database.Clause) bool {
	for _, cl := range list {
		if !cl.IsFact() || cl.SSU {
			return false
		}
	}
	return true
}

// linker collects the code between the entry of a predicate and its clauses. An address in it is the fixed address of a
// clause, or a label.
type linker struct {
	program   *database.Program
	pred      *database.Pred
	words     []code.Instr // of the program, with the clauses
	e         emitter
	places    map[string]label // code by the list of clauses it selects among
	halves    []database.Half
	copies    int            // of rows that may still be made
	rowsAt    []int          // the instructions that hold the number of the predicate
	unsure    uint           // arguments with one key only, which has not been compared yet
	unmatched *database.Pred // what is called when no clause matches, nil to fail
	failing   place          // where that is, once it has been emitted
}

// place is where code for some clauses is: an address or a label.
type place struct {
	address uint32
	label   label
	isLabel bool
}

// linker returns an empty linker. The fence keeps the first instruction from being joined with a preceding one.
func (c *Compiler) linker(p *database.Pred) *linker {
	k := &linker{program: c.program, pred: p, words: c.program.Code(), places: map[string]label{}}
	k.e.fence()
	return k
}

// link stores the collected code and makes words the entry of the predicate.
func (k *linker) link(words [database.EntryWords]code.Instr) {
	at := k.program.PlaceCode(len(k.e.code), func(at uint32) []code.Instr {
		k.relocate(at)
		return k.e.code
	})
	k.patchEntry(words[:], at)
	k.unfold(words[:])
	k.program.Patch(k.pred.Entry, words[:])
	k.pred.SetChain(at, len(k.e.code))
	k.pred.SetLinked(true)
}

// relocate replaces labels by addresses once the place of the code is known. Some instructions hold two addresses, a
// half of a word each.
func (k *linker) relocate(at uint32) {
	k.e.relocate(at)
	for _, h := range k.halves {
		if h.At >= 0 {
			k.e.code[h.At] |= code.Instr(at+uint32(k.e.labels[h.Label])) << h.Shift
		}
	}
}

// entry returns the words of the predicate's entry, which is a jump or a switch on the first
// argument. Labels in it are noted as halves with negative addresses.
func (k *linker) entry(list []*database.Clause) [database.EntryWords]code.Instr {
	var words [database.EntryWords]code.Instr
	arg := k.bestArg(list, 0)
	if arg < 0 {
		words[0] = code.Make(code.OpJump, 0, 0, 0, 0)
		k.setHalf(words[:], 0, 32, k.chain(list, 0))
		return words
	}
	k.fillSwitch(words[:], list, arg, 1<<arg)
	return words
}

// fillSwitch makes a switch on an argument in three words; done are the arguments that have been examined.
func (k *linker) fillSwitch(words []code.Instr, list []*database.Clause, arg int, done uint) {
	words[0] = code.Make(code.OpSwitch, arg, 0, 0, 0)
	k.setHalf(words, 0, 32, k.chain(list, done&^(1<<arg)))
	k.setHalf(words, 1, 0, k.constants(list, arg, done))
	k.setHalf(words, 1, 32, k.sub(withKey(list, arg, code.FDot, lists), done))
	k.setHalf(words, 2, 0, k.structures(list, arg, done))
}

// setHalf stores a place in half of word i of the entry.
func (k *linker) setHalf(words []code.Instr, i, shift int, p place) {
	if !p.isLabel {
		words[i] |= code.Instr(p.address) << shift
		return
	}
	k.halves = append(k.halves, database.Half{At: -1 - i, Shift: shift, Label: int(p.label)})
}

// patchEntry stores the addresses of labels in the words of the entry.
func (k *linker) patchEntry(words []code.Instr, at uint32) {
	for _, h := range k.halves {
		if h.At < 0 {
			words[-1-h.At] |= code.Instr(at+uint32(k.e.labels[h.Label])) << h.Shift
		}
	}
}

// unfold puts a short chain of guarded clauses into the entry, in place of a jump to it. That saves a dispatch at each
// call. Machines leave such a chain before they call anything, so the entry may be patched again.
func (k *linker) unfold(words []code.Instr) {
	i := slices.IndexFunc(k.halves, func(h database.Half) bool { return h.At == -1 })
	if words[0].Op() != code.OpJump || i < 0 {
		return
	}
	start := k.e.labels[k.halves[i].Label]
	for i, w := range k.e.code[start:min(start+len(words), len(k.e.code))] {
		switch w.Op() {
		case code.OpGuard, code.OpShallow:
		case code.OpJump, code.OpFail, code.OpTryHead:
			if end := i + w.Words(); end <= len(words) {
				copy(words, k.e.code[start:start+end])
			}
			return
		default:
			return
		}
	}
}

// withKey returns the clauses that may match if an argument has a class and a key. These are the clauses with the key,
// and those with a variable there whose first tests do not refute it.
func withKey(list []*database.Clause, arg int, key cell, of class) []*database.Clause {
	var some []*database.Clause
	for _, cl := range list {
		if k := cl.ArgKey(arg); k == key || k == 0 && !refuted(cl, arg, key, of) {
			some = append(some, cl)
		}
	}
	return some
}

// withKeys is withKey for each of some keys.
func withKeys(list []*database.Clause, arg int, keys []cell, of class) [][]*database.Clause {
	groups := make([][]*database.Clause, len(keys))
	index := make(map[cell]int, len(keys))
	for i, key := range keys {
		index[key] = i
	}
	for _, cl := range list {
		own := cl.ArgKey(arg)
		if i, ok := index[own]; ok {
			groups[i] = append(groups[i], cl)
		}
		// A clause with a variable goes into all groups.
		for i := 0; own == 0 && i < len(keys); i++ {
			if !refuted(cl, arg, keys[i], of) {
				groups[i] = append(groups[i], cl)
			}
		}
	}
	return groups
}

// keysOf returns the keys of an argument, without variables and blobs, that pass the test, in
// the order of their first clauses.
func keysOf(list []*database.Clause, arg int, ok func(cell) bool) []cell {
	seen := map[cell]bool{}
	var found []cell
	for _, cl := range list {
		if k := cl.ArgKey(arg); ok(k) && !seen[k] {
			seen[k] = true
			found = append(found, k)
		}
	}
	return found
}

// isConstant and isStructure distinguish the keys of the two hash tables of a switch. Lists belong to neither table:
// the switch has an address for them.
func isConstant(k cell) bool  { return k != 0 && (k.Tag() == code.Atom || k.Tag() == code.Int) }
func isStructure(k cell) bool { return k.Tag() == code.Hdr && k != code.FDot }

// constants returns the place for an argument that is an atom or integer.
func (k *linker) constants(list []*database.Clause, arg int, done uint) place {
	return k.table(list, arg, done, keysOf(list, arg, isConstant), constants)
}

// structures returns the place for an argument that is a compound other than a list cell.
func (k *linker) structures(list []*database.Clause, arg int, done uint) place {
	return k.table(list, arg, done, keysOf(list, arg, isStructure), structures)
}

// table returns the place of code that selects by the keys of an argument.
func (k *linker) table(list []*database.Clause, arg int, done uint, keys []cell, of class) place {
	rest := k.sub(withKey(list, arg, noKey, of), done)
	if len(keys) == 0 {
		return rest
	}
	// One key needs no table: the clauses compare it themselves. They must then be entered at the beginning, with the
	// comparison.
	if len(keys) == 1 && (rest.isFail() || len(list) == 1) {
		before := k.unsure
		k.unsure |= 1 << arg
		here := k.sub(withKey(list, arg, keys[0], of), done)
		k.unsure = before
		return here
	}
	places := make([]place, len(keys))
	for i, some := range withKeys(list, arg, keys, of) {
		places[i] = k.sub(some, done)
	}
	return k.tableOf(arg, keys, places, rest)
}

// place stores a place in word i of a table that begins at start.
func (k *linker) place(words []cell, i, start int, p place) {
	if p.isLabel {
		k.halves = append(k.halves, database.Half{At: start + i, Label: int(p.label)})
		return
	}
	words[i] = cell(p.address)
}

// noKey is a key that no clause has.
const noKey = code.Hdr | 1<<63

// isFail reports whether no clause can match, so that no code is needed.
func (p place) isFail() bool { return !p.isLabel && p.address == code.TargetFail }

// sub returns the place of code that selects among clauses which agree in the arguments in done. It tests another
// argument if one distinguishes the clauses.
func (k *linker) sub(list []*database.Clause, done uint) place {
	if len(list) > 1 && bits.OnesCount(done) < maxLevels {
		if arg := k.bestArg(list, done); arg >= 0 {
			return k.subSwitch(list, arg, done|1<<arg)
		}
	}
	return k.chain(list, done)
}

// maxLevels is the largest number of arguments that are tested one after the other.
const maxLevels = 3

// bestArg returns the argument that distinguishes the clauses best, -1 if none does. It prefers the first argument, as
// most programs are written for selection by it.
func (k *linker) bestArg(list []*database.Clause, done uint) int {
	best, bestScore := -1, 0
	for arg := range min(k.pred.Arity(), lastArg+1) {
		if done>>arg&1 != 0 {
			continue
		}
		if arg == 0 && selects(list, 0) {
			return 0
		}
		if score := scoreOf(list, arg); score > bestScore {
			best, bestScore = arg, score
		}
	}
	return best
}

// argKeys counts the different keys of an argument and the clauses without one.
func argKeys(list []*database.Clause, arg int) (keys, vars int) {
	seen := map[cell]bool{}
	for _, cl := range list {
		key := cl.ArgKey(arg)
		if key == 0 || key.Tag() == code.Blob {
			vars++
		} else {
			seen[key] = true
		}
	}
	return len(seen), vars
}

// selects reports whether the first argument distinguishes some clauses. A clause with a variable there is in the chain
// of each key, so many keys together with many such clauses would take too much code.
func selects(list []*database.Clause, arg int) bool {
	keys, vars := argKeys(list, arg)
	if keys*vars > 4*len(list)+64 {
		return false // each key would have a long chain
	}
	return keys > 1 || keys == 1 && vars > 0 && vars <= len(list)/2
}

// scoreOf rates how well an argument other than the first selects. The test costs every call an instruction, and the
// argument is often an output, so all clauses must have a key.
func scoreOf(list []*database.Clause, arg int) int {
	keys, vars := argKeys(list, arg)
	if vars > 0 || keys < 2 {
		return 0
	}
	return 1 + keys*16/len(list)
}

// subSwitch returns the place of a switch on an argument within the collected code.
func (k *linker) subSwitch(list []*database.Clause, arg int, done uint) place {
	onVariable := k.chain(list, done&^(1<<arg))
	constant := k.constants(list, arg, done)
	cellsOfLists := k.sub(withKey(list, arg, code.FDot, lists), done)
	structure := k.structures(list, arg, done)
	return k.switchTo(arg, [4]place{onVariable, constant, cellsOfLists, structure})
}

// This part defines the linking of predicates of rows. The same facts of a program that replaces this one need not be
// linked again: their code is kept before it has a place.

// linkRows links a predicate of rows.
func (c *Compiler) linkRows(p *database.Pred, list []*database.Clause) {
	k := c.linker(p)
	facts := p.Facts()
	if !facts.Are(list) {
		k.link(k.factEntry(list))
		return
	}
	o := facts.Object()
	if o == nil {
		o = &database.Object{Entry: k.factEntry(list)}
		o.Code, o.PredAt, o.Labels, o.Halves = slices.Clone(k.e.code), k.rowsAt, k.e.labels, k.halves
		facts.SetObject(o)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	k.e.code, k.e.labels, k.halves = append(c.words[:0], o.Code...), o.Labels, o.Halves
	for _, at := range o.PredAt {
		k.e.code[at] = k.e.code[at].WithImm(p.ID)
	}
	c.words = k.e.code
	k.link(o.Entry)
}
