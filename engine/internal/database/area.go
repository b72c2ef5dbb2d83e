package database

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/native"
	"github.com/mcplogic/mcplogic/internal/lazyregexp"
)

// area holds the code of a program: one growing slice of words. Addresses never change. A
// machine runs on the slice it has loaded, in which everything visible to it is present; words
// behind it are written only before their address becomes visible. Words of a shared area that a
// machine may read are not overwritten: a copy of the slice takes its place.
type area struct {
	mu      sync.Mutex
	current atomic.Pointer[codeVersion]
	free    map[int][]uint32 // freed blocks by size
	shared  bool             // other goroutines may be running the code
	putOff  bool             // patches wait for flush
	pending []wordPatch
	refused map[int]bool // addresses of code that cannot be translated, until any code changes
}

// codeVersion is the code in the form that a machine loads.
type codeVersion struct {
	words   []code.Instr
	table   *native.Table // the native code of some of it, or nil
	changes int           // how often words have been changed or released so far
}

// wordPatch is a delayed change of words.
type wordPatch struct {
	at    uint32
	block []code.Instr
}

// load returns the words written so far.
func (a *area) load() []code.Instr { return a.current.Load().words }

// set installs words as the code of the area. They begin with the old words. The lock must be held.
func (a *area) set(words []code.Instr) {
	next := codeVersion{words: words}
	if now := a.current.Load(); now != nil {
		next.table, next.changes = now.table, now.changes
	}
	a.current.Store(&next)
}

// copied returns a copy of the words of a sealed program, with room for more. It uses append, which does not zero the
// memory first as make would.
func (a *area) copied() []code.Instr {
	a.mu.Lock()
	defer a.mu.Unlock()
	words := a.load()
	n := len(words)
	if cap(words) < n+roomForCode {
		words = slices.Grow(words, roomForCode)
		a.set(words)
	}
	return append([]code.Instr(nil), words[:n+roomForCode]...)[:n]
}

// change notes that words have changed or will be reused, which invalidates a running translation. It removes their
// native code. The lock must be held.
func (a *area) change(at uint32, size int) {
	now := *a.current.Load()
	now.changes++
	clear(a.refused)
	if now.table != nil {
		now.table.Drop(int(at), int(at)+size)
	}
	a.current.Store(&now)
}

// replace installs words as the code of the area. Only the patched words differ from the old ones. The lock must be
// held. Machines use the old words and native code until they load the new ones.
func (a *area) replace(words []code.Instr, patches ...wordPatch) {
	now := a.current.Load()
	next := codeVersion{words: words, changes: now.changes + 1}
	clear(a.refused)
	if now.table != nil {
		next.table = now.table.Clone(cap(words))
		for _, patch := range patches {
			next.table.Drop(int(patch.at), int(patch.at)+len(patch.block))
		}
	}
	a.current.Store(&next)
}

// add stores a block of code and returns its address.
func (a *area) add(block []code.Instr) uint32 {
	a.mu.Lock()
	defer a.mu.Unlock()
	if list := a.free[len(block)]; len(list) > 0 {
		at := list[len(list)-1]
		a.free[len(block)] = list[:len(list)-1]
		copy(a.load()[at:], block)
		return at
	}
	words := a.load()
	at := len(words)
	words = append(words, block...)
	a.set(words)
	return uint32(at)
}

// addNew is add, but always at the end.
func (a *area) addNew(block []code.Instr) uint32 {
	a.mu.Lock()
	defer a.mu.Unlock()
	words := a.load()
	at := len(words)
	words = append(words, block...)
	a.set(words)
	return uint32(at)
}

// reserve makes room for code up to a size.
func (a *area) reserve(size int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if words := a.load(); cap(words) < size {
		words = append(make([]code.Instr, 0, size), words...)
		a.set(words)
	}
}

// release frees a block. No machine may be running in it or ever return to it.
func (a *area) release(at uint32, size int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.free == nil {
		a.free = map[int][]uint32{}
	}
	a.free[size] = append(a.free[size], at)
	a.change(at, size)
}

// place reserves size words and stores the words that build returns for their address.
func (a *area) place(size int, build func(at uint32) []code.Instr) uint32 {
	a.mu.Lock()
	defer a.mu.Unlock()
	if list := a.free[size]; len(list) > 0 {
		at := list[len(list)-1]
		a.free[size] = list[:len(list)-1]
		copy(a.load()[at:], build(at))
		return at
	}
	words := a.load()
	at := uint32(len(words))
	words = append(words, build(at)...)
	a.set(words)
	return at
}

// patch overwrites words.
func (a *area) patch(at uint32, block []code.Instr) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.putOff {
		a.pending = append(a.pending, wordPatch{at, slices.Clone(block)})
		return
	}
	words := a.load()
	if !a.shared {
		copy(words[at:], block)
		a.change(at, len(block))
		return
	}
	words = append(make([]code.Instr, 0, len(words)+len(words)/8), words...)
	copy(words[at:], block)
	a.replace(words, wordPatch{at, block})
}

// hold delays patches until flush. Many of them then cost only one copy of the code.
func (a *area) hold() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.putOff = a.shared
}

// flush makes the delayed patches.
func (a *area) flush() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.putOff = false
	if len(a.pending) == 0 {
		return
	}
	words := append(make([]code.Instr, 0, cap(a.load())), a.load()...)
	for _, patch := range a.pending {
		copy(words[patch.at:], patch.block)
	}
	a.replace(words, a.pending...)
	a.pending = nil
}

// at returns n words with all patches applied, delayed ones included.
func (a *area) at(at uint32, n int) []code.Instr {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, patch := range slices.Backward(a.pending) {
		if patch.at == at && len(patch.block) >= n {
			return patch.block[:n]
		}
	}
	return a.load()[at:][:n]
}

// share says whether other goroutines may run the code from now on.
func (a *area) share(shared bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.shared = shared
}

// isShared reports whether other goroutines may be running the code.
func (a *area) isShared() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.shared
}

// This part defines how compiled code gets into a program and is removed again.

// PlaceCode stores a block of size words; build is given its address and returns the words,
// which may contain that address.
func (p *Program) PlaceCode(size int, build func(at uint32) []code.Instr) uint32 {
	return p.area.place(size, build)
}

// ReserveCode makes room for the expected code of the program, in words.
func (p *Program) ReserveCode(size int) { p.area.reserve(size) }

// SetChain installs the block of code through which calls of the predicate reach its clauses, and frees the block
// before. size 0 means no block. Unless the program is shared no machine may be in the old block or come back to it.
func (p *Pred) SetChain(at uint32, size int) {
	p.mu.Lock()
	old := p.chains
	p.chains = nil
	if size > 0 {
		p.chains = []chain{{at, size}}
	}
	p.mu.Unlock()
	program := p.Module.program
	for _, c := range old {
		if program.area.isShared() {
			program.retireBlock(c.at, c.size)
		} else {
			program.area.release(c.at, c.size)
		}
	}
}

// AddChain adds a block of code that leads to the block of SetChain and is freed with it.
func (p *Pred) AddChain(at uint32, size int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.chains = append(p.chains, chain{at, size})
}

// Chain returns the place of the block of SetChain; size 0 means that there is none.
func (p *Pred) Chain() (at uint32, size int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.chains) == 0 {
		return 0, 0
	}
	return p.chains[0].at, p.chains[0].size
}

// This part defines the way back from code to clauses, for backtraces.

// Places says where the values of a clause's variables are when one of its instructions is executed. The maps are by
// the numbers of the variables in the clause.
type Places struct {
	Slots map[int]int // of the environment
	// Parts are paths to values in argument registers: the register, and then argument numbers from 0.
	Parts          map[int][]int
	HasEnvironment bool // when the instruction is executed
	// Comparison is the functor of the arithmetic comparison in the text that contains the instruction, or 0.
	Comparison code.Cell
}

// span gives the address at which the code of a clause begins.
type span struct {
	at     uint32
	clause *Clause
}

func (p *Program) addSpan(c *Clause, at uint32) {
	p.spanMu.Lock()
	defer p.spanMu.Unlock()
	p.spans = append(p.spans, span{at, c})
	p.sorted = false
}

// dropSpans forgets the blocks that begin at some addresses.
func (p *Program) dropSpans(at map[uint32]bool) {
	p.spanMu.Lock()
	defer p.spanMu.Unlock()
	p.spans = slices.DeleteFunc(p.spans, func(s span) bool { return at[s.at] })
}

// ClauseAt returns the clause whose code holds an address, or nil.
func (p *Program) ClauseAt(at uint32) *Clause {
	p.spanMu.Lock()
	defer p.spanMu.Unlock()
	if !p.sorted {
		slices.SortStableFunc(p.spans, func(a, b span) int { return cmp.Compare(a.at, b.at) })
		p.sorted = true
	}
	i, ok := slices.BinarySearchFunc(p.spans, at, func(s span, at uint32) int { return cmp.Compare(s.at, at) })
	if !ok {
		i--
	}
	if i < 0 || at >= p.spans[i].at+uint32(p.spans[i].clause.CodeSize()) {
		return nil
	}
	return p.spans[i].clause
}

// This part defines how code gets native code.

// CodeAndTable returns the code words with the table of their native code, nil when there is none.
func (p *Program) CodeAndTable() ([]code.Instr, *native.Table) {
	now := p.area.current.Load()
	return now.words, now.table
}

// Translate makes native code for the clause or predicate with the code at an address. It reports whether there is
// native code now.
func (p *Program) Translate(at uint32, o native.Options) bool {
	entry := at
	if c := p.ClauseAt(at); c != nil && c.Pred.Has(Dynamic) {
		entry = c.addr.Load()
	} else if c != nil {
		entry = c.Pred.Entry
	}
	unit := p.area.translate(int(entry), o)
	if unit != nil && native.Mapped() {
		unit.Name(p.OwnerName(entry))
	}
	return unit != nil || p.hasNative(entry)
}

// hasNative reports whether there is native code for an address.
func (p *Program) hasNative(at uint32) bool {
	_, units := p.CodeAndTable()
	return units != nil && units.Has(int(at))
}

// OwnerName returns the indicator of the predicate whose entry or clause an address is in, for messages.
func (p *Program) OwnerName(at uint32) string {
	pred := p.PredAt(at)
	if c := p.ClauseAt(at); c != nil {
		pred = c.Pred
	}
	if pred == nil {
		return "code at " + strconv.Itoa(int(at))
	}
	return pred.Indicator()
}

// translate makes native code for the unit that begins at an address, unless it already exists or the code changes
// meanwhile.
func (a *area) translate(entry int, o native.Options) *native.Unit {
	now := a.current.Load()
	if entry == 0 || entry >= len(now.words) || now.table != nil && now.table.Has(entry) && !o.WithFloats ||
		a.hasRefused(entry) {
		return nil
	}
	unit := native.Translate(now.words, entry, o)
	a.mu.Lock()
	defer a.mu.Unlock()
	if unit == nil {
		if a.refused == nil {
			a.refused = map[int]bool{}
		}
		a.refused[entry] = true
		return nil
	}
	next := *a.current.Load()
	if next.changes != now.changes {
		return nil
	}
	switch {
	case next.table == nil:
		next.table = firstTable(next.words, o)
	case next.table.Len() < len(next.words):
		next.table = next.table.Clone(cap(next.words))
	}
	if next.table == nil {
		return nil
	}
	next.table.Add(unit)
	a.current.Store(&next)
	return unit
}

// hasRefused reports whether the code at an address is known not to be translatable.
func (a *area) hasRefused(entry int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.refused[entry]
}

// firstTable returns a table with the code that every program has, nil if there can be none.
func firstTable(words []code.Instr, o native.Options) *native.Table {
	first := native.NewTable(cap(words))
	if first == nil {
		return nil
	}
	for _, at := range []int{native.AddrCatch, native.AddrPopCatch} {
		if unit := native.Translate(words, at, o); unit != nil {
			first.Add(unit)
		}
	}
	return first
}

// This part defines how the code of a predicate is shown.

// Listing shows the code of a predicate: its entry, the chain that tries its clauses, and the clauses, each instruction
// after its address in the code area. For a single clause it shows only the clause, as the entry just jumps to it.
// Calls show the predicate in place of its entry.
func (p *Program) Listing(pred *Pred) string {
	var b strings.Builder
	clauses := pred.Clauses()
	if len(clauses) != 1 || clauses[0].Addr() == 0 {
		fmt.Fprintf(&b, "entry:\n%s", p.listWords(int(pred.Entry), 1))
	}
	if at, size := pred.Chain(); size > 0 && len(clauses) > 1 {
		fmt.Fprintf(&b, "chain @%d:\n%s", at, p.listWords(int(at), size))
	}
	for _, c := range clauses {
		if c.Addr() != 0 {
			fmt.Fprintf(&b, "clause @%d:\n%s", c.Addr(), p.listWords(int(c.Addr()), c.CodeSize()))
		}
	}
	return b.String()
}

// calledEntry is how an instruction shows the entry of the predicate that it calls, before the arity.
var calledEntry = lazyregexp.New(` @([0-9]+)/`)

// listWords shows the instructions in a part of the code area.
func (p *Program) listWords(from, size int) string {
	var b strings.Builder
	words := p.Code()
	for at := from; at < from+size; at += words[at].Words() {
		fmt.Fprintf(&b, "%4d  %s\n", at, code.Disassemble(words, at))
	}
	return calledEntry().ReplaceAllStringFunc(b.String(), func(call string) string {
		entry, _ := strconv.ParseUint(call[2:len(call)-1], 10, 32)
		if name, ok := p.nameAt(uint32(entry)); ok {
			return " " + name + "/"
		}
		return call
	})
}

// nameAt returns the name of the predicate with an entry.
func (p *Program) nameAt(entry uint32) (string, bool) {
	if pred := p.PredAt(entry); pred != nil {
		return pred.Name(), true
	}
	return "", false
}

// PredAt returns the predicate with an entry, or nil.
func (p *Program) PredAt(entry uint32) *Pred {
	for _, pred := range p.Preds() {
		if pred.Entry == entry {
			return pred
		}
	}
	return nil
}

// This part defines how the code of removed clauses is freed. As a machine may still be in it, each machine reports
// from time to time which code it uses. A block is free once every machine has reported since its retirement without
// using it.

// retired is the code of a clause that no call enters any more. Sequence numbers tell whether it was retired before or
// after a machine's report.
type retired struct {
	at   uint32
	size int
	seq  uint64
}

// CodeSet is a set of code addresses.
type CodeSet []uint64

// NewCodeSet returns an empty set for the addresses of the program's code.
func (p *Program) NewCodeSet() CodeSet { return make(CodeSet, len(p.area.load())/64+1) }

// Add adds an address, unless it is 0.
func (s CodeSet) Add(at uint64) {
	if i := at / 64; i < uint64(len(s)) {
		s[i] |= 1 << (at % 64)
	}
}

// touches reports whether an address of a block, or the address after it, is in the set.
func (s CodeSet) touches(r retired) bool {
	for at := int(r.at); at <= int(r.at)+r.size && at/64 < len(s); at++ {
		if s[at/64]>>(at%64)&1 != 0 {
			return true
		}
	}
	return false
}

// retire removes the code of a clause that is gone.
func (p *Program) retire(c *Clause) {
	at := c.addr.Swap(0)
	if at == 0 {
		return
	}
	c.calls.Store(0)
	p.retireBlock(at, c.CodeSize())
}

// DropCode removes the code of a clause that is to be compiled again.
func (p *Program) DropCode(c *Clause) { p.retire(c) }

// retireBlock notes that no call enters a block of code any more.
func (p *Program) retireBlock(at uint32, size int) {
	p.codeMu.Lock()
	defer p.codeMu.Unlock()
	seq := p.retiredSeq.Add(1)
	p.retired = append(p.retired, retired{at, size, seq})
	p.retiredNow.Store(int32(len(p.retired)))
}

// retireBatch is the number of retired blocks from which it pays to look for free ones.
const retireBatch = 64

// ShouldVouch reports whether a machine should report its code again: enough code has been retired since its last
// report, for stacks of this many words.
func (t *Tx) ShouldVouch(words int) bool {
	const wordsPerBlock = 1024 // a word is examined as fast as a block is made
	n := int(t.program.retiredSeq.Load() - t.vouched)
	return n >= retireBatch && n*wordsPerBlock >= words
}

// Retired returns a number that grows with each retired block.
func (p *Program) Retired() uint64 { return p.retiredSeq.Load() }

// Vouch reports the code that the machine is in or may return to. seq is the result of Retired before the machine last
// loaded the code: no call in the loaded code enters a block that was retired earlier.
func (t *Tx) Vouch(inUse CodeSet, seq uint64) {
	p := t.program
	p.txMu.Lock()
	defer p.txMu.Unlock()
	t.inUse, t.vouched = inUse, seq
	p.reclaim()
}

// Rest is Vouch for a machine that does not run until Wake, after which it loads the code again.
func (t *Tx) Rest(inUse CodeSet, seq uint64) {
	t.Vouch(inUse, seq)
	p := t.program
	p.mu.RLock()
	defer p.mu.RUnlock()
	p.txMu.Lock()
	defer p.txMu.Unlock()
	if !t.resting {
		p.noteOlder(t, -1)
	}
	t.resting, t.knownPreds, t.knownModules = true, len(*p.preds.Load()), len(p.order)
}

// Wake ends Rest. Without a Rest it does nothing.
func (t *Tx) Wake() {
	if !t.resting {
		return
	}
	t.program.txMu.Lock()
	t.program.noteOlder(t, 1)
	t.resting, t.vouched = false, t.program.retiredSeq.Load()
	t.program.txMu.Unlock()
}

// holds reports whether the machine of the transaction may be in a retired block.
func (t *Tx) holds(r retired) bool {
	if !t.resting && t.vouched < r.seq {
		return true
	}
	return t.inUse.touches(r)
}

// reclaim frees the blocks that no machine uses; the lock of the transactions must be held.
func (p *Program) reclaim() {
	p.codeMu.Lock()
	defer p.codeMu.Unlock()
	if len(p.retired) < retireBatch {
		return
	}
	free := map[uint32]bool{}
	held := map[uint32]bool{}
	for t := range p.active { // which lets none of them end meanwhile
		for _, r := range p.retired {
			held[r.at] = held[r.at] || t.holds(r)
		}
	}
	p.retired = slices.DeleteFunc(p.retired, func(r retired) bool {
		if held[r.at] {
			return false
		}
		free[r.at] = true
		p.area.release(r.at, r.size)
		return true
	})
	p.retiredNow.Store(int32(len(p.retired)))
	if len(free) > 0 {
		p.dropSpans(free)
	}
}
