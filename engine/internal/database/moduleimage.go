package database

import (
	"cmp"
	"errors"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/packed"
)

// This file defines how single modules are written as bytes, and how a program that has predicates and code of its own
// takes them. The code of a module is one piece: first the entries of its predicates, then all else. An address in the
// image counts from firstAddress within that piece. The numbers behind it stand for the predicates of other modules.

// firstAddress is the address of the first word in the image of a module. The addresses before it are special targets.
const firstAddress = 2

// modulePacker writes the image of a module.
type modulePacker struct {
	packer
	module  *Module
	own     []*Pred // the predicates of the module, in an order that does not depend on the numbers of atoms
	blocks  []codeBlock
	size    int
	entries map[uint32]*Pred // of the predicates of other modules
	outside names[*Pred]     // the entries that the module refers to
}

// codeBlock is a piece of code: where it is in the program and in the image.
type codeBlock struct{ at, size, to uint32 }

// PackModule writes the image of a module of a sealed program, which must have no dynamic clauses. It returns the
// modules that the module refers to.
func (p *Program) PackModule(w *packed.Writer, m *Module) ([]*Module, error) {
	k := &modulePacker{packer: packer{program: p}, module: m, own: m.Preds(), entries: map[uint32]*Pred{}}
	k.moved = k.address
	slices.SortFunc(k.own, func(a, b *Pred) int { return compareFunctors(a.Functor, b.Functor) })
	for _, pred := range p.Preds() {
		if pred.Module != m {
			k.entries[pred.Entry] = pred
		}
	}
	k.layOut()
	k.preds()
	k.clauses(k.own)
	k.code()
	rest := k.w
	k.w = packed.Writer{}
	k.head()
	k.w.Bytes = append(k.w.Bytes, rest.Bytes...)
	var refers []*Module
	for _, pred := range k.outside.list {
		if !slices.Contains(refers, pred.Module) {
			refers = append(refers, pred.Module)
		}
	}
	return refers, k.finish(w)
}

// layOut decides where the code goes.
func (k *modulePacker) layOut() {
	add := func(at, size uint32) {
		if size > 0 {
			k.blocks = append(k.blocks, codeBlock{at, size, firstAddress + uint32(k.size)})
			k.size += int(size)
		}
	}
	for _, pred := range k.own {
		add(pred.Entry, EntryWords)
	}
	for _, pred := range k.own {
		for _, c := range pred.all.list() {
			add(c.addr.Load(), c.size.Load())
		}
		for _, c := range pred.chains {
			add(c.at, uint32(c.size))
		}
	}
}

// head writes the module, and the predicates of other modules that it refers to.
func (k *modulePacker) head() {
	k.packer.module(k.module)
	k.w.Int(len(k.module.Parents()))
	for _, parent := range k.module.Parents() {
		k.text(parent.Name)
	}
	k.names(k.module)
	k.w.Int(k.size)
	k.w.Int(len(k.outside.list))
	for _, pred := range k.outside.list {
		k.text(pred.Module.Name)
		k.cell(pred.Functor)
	}
}

func (k *modulePacker) preds() {
	for _, p := range k.own {
		if p.Has(Dynamic) && len(p.all.list()) > 0 || p.Builtin >= 0 {
			k.fail(errors.New("database: the image of a module cannot hold dynamic clauses and built-in predicates"))
		}
		k.cell(p.Functor)
		k.packer.text(p.Meta())
		k.packer.text(p.File)
		k.w.Int(p.Line)
		k.w.Uint(uint64(p.flags.Load()))
		target := 0
		if t := p.resolved.Load(); t != nil {
			target = 1 + k.number(t)
		}
		k.w.Int(target)
		k.w.Int(len(p.chains))
		for _, c := range p.chains {
			to, _ := k.address(c.at)
			k.w.Uint(uint64(to))
			k.w.Int(c.size)
		}
	}
}

// number returns what stands for a predicate in the image.
func (k *modulePacker) number(p *Pred) int {
	if p.Module == k.module {
		return slices.Index(k.own, p)
	}
	return len(k.own) + k.outside.place(p)
}

// pred returns what stands for the number of a predicate.
func (k *modulePacker) pred(id uint32) (uint32, bool) {
	return uint32(k.number(k.program.Preds()[id])), true
}

// address returns what stands for an address of the program.
func (k *modulePacker) address(at uint32) (uint32, bool) {
	for _, b := range k.blocks {
		if at-b.at < b.size {
			return b.to + at - b.at, true
		}
	}
	if pred := k.entries[at]; pred != nil {
		return firstAddress + uint32(k.size+k.outside.place(pred)), true
	}
	return 0, false
}

func (k *modulePacker) code() {
	for _, b := range k.blocks {
		words := slices.Clone(k.program.Code()[b.at : b.at+b.size])
		err := cmp.Or(code.Relocate(words, k.address, k.pred), code.Rename(words, k.atom))
		if err != nil {
			k.fail(err)
			return
		}
		for _, w := range words {
			k.w.Uint(uint64(uint32(w)))
			k.w.Uint(uint64(w >> 32))
		}
	}
}

// moduleUnpacker makes a module of an image.
type moduleUnpacker struct {
	unpacker
	module  *Module
	targets []int // of the predicates
	size    int   // of the code
	// outside are the predicates of other modules that the module refers to.
	outside []outsidePred
}

// outsidePred is a predicate of another module that a module refers to.
type outsidePred struct {
	module  string
	functor cell
	pred    *Pred
}

// AddModules makes modules of their images. They must not refer to modules that neither the program nor the images
// have. AddModules returns false and adds none of them if the program has a module of one of their names, or if an
// image is damaged.
func (p *Program) AddModules(images []*packed.Reader) bool {
	list := make([]*moduleUnpacker, len(images))
	added := make(map[string]*Module, len(images))
	for i, r := range images {
		u := &moduleUnpacker{unpacker: unpacker{r: r, program: p}}
		list[i] = u
		u.begin()
		u.head(added)
		u.makePreds()
		if r.Bad() || p.FindModule(u.module.Name) != nil {
			return false
		}
		added[u.module.Name] = u.module
	}
	for _, u := range list {
		if !u.resolve(added) {
			return false
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for name := range added {
		if p.modules[name] != nil {
			return false
		}
	}
	if !p.placeModules(list) {
		return false
	}
	for _, u := range list {
		p.publish(u)
	}
	return true
}

// placeModules gives the predicates of modules their numbers, addresses, clauses and code. The lock must be held.
func (p *Program) placeModules(list []*moduleUnpacker) bool {
	size, good := 0, true
	for _, u := range list {
		size += u.size
	}
	p.area.place(size, func(at uint32) []code.Instr {
		words := make([]code.Instr, size)
		next, id := at, uint32(len(*p.preds.Load()))
		for _, u := range list {
			u.base = next - firstAddress
			for i, pred := range u.preds {
				pred.ID, pred.Entry = id, next+uint32(EntryWords*i)
				id++
				for j := range pred.chains {
					pred.chains[j].at += u.base
				}
			}
			next += uint32(u.size)
		}
		rest := words
		for _, u := range list {
			u.clauses()
			u.code(rest[:u.size])
			rest = rest[u.size:]
			good = good && u.r.Err() == nil
		}
		if !good {
			clear(words)
		}
		return words
	})
	return good
}

// publish adds a module and its predicates to a program. The lock must be held.
func (p *Program) publish(u *moduleUnpacker) {
	for _, pred := range u.preds {
		p.keepName(pred.Functor)
	}
	preds := append(*p.preds.Load(), u.preds...)
	p.preds.Store(&preds)
	p.spanMu.Lock()
	p.spans = append(p.spans, u.spans...)
	p.sorted = false
	p.spanMu.Unlock()
	p.list(u.module)
}

// head reads the module and what it refers to. Its parents are modules of the program, or modules that were added.
func (u *moduleUnpacker) head(added map[string]*Module) {
	u.module = u.newModule()
	for range u.r.Count() {
		name := u.text()
		parent := cmp.Or(added[name], u.program.FindModule(name))
		if parent == nil {
			u.r.Fail()
			return
		}
		u.module.setParents(append(slices.Clip(u.module.Parents()), parent)...)
	}
	n := u.moduleNames(u.module)
	u.size = u.r.Count() // a word takes two bytes
	u.outside = make([]outsidePred, u.r.Count())
	for i := range u.outside {
		u.outside[i].module, u.outside[i].functor = u.text(), u.functor()
	}
	if u.r.Bad() || u.size < EntryWords*n {
		u.r.Fail()
		return
	}
	u.preds = make([]*Pred, n)
	u.module.preds.grow(n)
}

// makePreds makes the predicates, without their clauses.
func (u *moduleUnpacker) makePreds() {
	block := make([]Pred, len(u.preds))
	u.targets = make([]int, len(u.preds))
	for i := range block {
		p := &block[i]
		u.preds[i] = p
		p.Module, p.Functor, p.Builtin = u.module, u.functor(), -1
		p.setMeta(u.text())
		p.File, p.Line = u.text(), int(u.r.Uint())
		p.flags.Store(uint32(u.r.Uint()))
		u.targets[i] = u.r.Below(len(u.preds)+len(u.outside)+1) - 1
		p.chains = make([]chain, u.r.Count())
		for j := range p.chains {
			p.chains[j] = chain{uint32(u.r.Uint()), u.r.Below(u.size)}
		}
		if u.r.Bad() || u.module.preds.get(p.Functor) != nil {
			u.r.Fail()
			return
		}
		u.module.preds.put(p)
	}
}

// resolve finds the predicates of other modules that the module refers to.
func (u *moduleUnpacker) resolve(added map[string]*Module) bool {
	for i := range u.outside {
		o := &u.outside[i]
		if m := added[o.module]; m != nil {
			o.pred = m.preds.get(o.functor)
		} else if m := u.program.FindModule(o.module); m != nil {
			if o.pred = m.Lookup(o.functor); !o.pred.Defined() {
				o.pred.NoteMention()
			}
		}
		if o.pred == nil {
			return false
		}
	}
	for i, n := range u.targets {
		if n >= 0 {
			u.preds[i].resolved.Store(u.numbered(n))
		}
	}
	return true
}

// numbered returns the predicate that a number in the image stands for.
func (u *moduleUnpacker) numbered(n int) *Pred {
	if n < len(u.preds) {
		return u.preds[n]
	}
	return u.outside[n-len(u.preds)].pred
}

// pred returns the number of the predicate that a number in the image stands for.
func (u *moduleUnpacker) pred(n uint32) (uint32, bool) {
	if int(n) >= len(u.preds)+len(u.outside) {
		return 0, false
	}
	return u.numbered(int(n)).ID, true
}

// address returns the address that one in the image stands for.
func (u *moduleUnpacker) address(n uint32) (uint32, bool) {
	if n -= firstAddress; int(n) < u.size {
		return u.base + firstAddress + n, true
	}
	if n -= uint32(u.size); int(n) < len(u.outside) {
		return u.outside[n].pred.Entry, true
	}
	return 0, false
}

// code reads the code into words.
func (u *moduleUnpacker) code(words []code.Instr) {
	for i := range words {
		low := u.r.Uint()
		words[i] = code.Instr(uint32(low)) | code.Instr(u.r.Uint())<<32
	}
	if u.r.Bad() || code.Relocate(words, u.address, u.pred) != nil || code.Rename(words, u.atom) != nil {
		u.r.Fail()
	}
}
