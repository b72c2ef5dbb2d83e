package engine

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/lib"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how the part of the system written in Prolog is loaded, and how calls are
// bound to their predicates before a program is queried.

// loadSystem loads the predicates of module system that are written in Prolog.
func (p *Program) loadSystem() {
	p.loadSystemText("control", machine.ControlSource+machine.CleanupSource)
	for _, name := range lib.System() {
		text, _ := lib.Source(name)
		p.loadSystemText(name, text)
	}
	for _, pred := range p.db.System().Preds() {
		if pred.Defined() && (pred.Name()[0] == '$' || isCore(pred.Name(), pred.Arity())) {
			pred.Set(database.Locked)
		}
	}
	if err := p.diagnostics.Err(); err != nil {
		panic("engine: the library does not load: " + err.Error())
	}
}

func (p *Program) loadSystemText(name, text string) {
	system := p.db.System()
	l := &loader{p: p, name: name, module: system, owner: system, seen: map[*database.Pred]bool{}, library: true}
	l.run(text)
}

// autoload loads the library that exports a predicate and returns the predicate, or nil.
func (p *Program) autoload(functor code.Cell, loading bool) (*database.Pred, error) {
	name, ok := lib.Autoload()[lib.Indicator{Name: code.AtomText(functor.FunctorAtom()), Arity: functor.FunctorArity()}]
	if !ok {
		return nil, nil
	}
	if !loading {
		p.mu.Lock()
		defer p.mu.Unlock()
	}
	known := len(p.db.Preds())
	module := p.loadLibrary(name)
	if !loading {
		if err := p.linkFrom(known); err != nil {
			return nil, err
		}
	}
	pred := module.Lookup(functor)
	if !pred.Defined() && pred.Imported() != nil {
		pred = pred.Imported()
	}
	if !pred.Defined() {
		return nil, fmt.Errorf("library(%s) does not define what it exports", name)
	}
	return pred, p.link(pred)
}

// link brings the entry of a static predicate up to date.
func (p *Program) link(pred *database.Pred) error {
	if pred.Has(database.Linked|database.Dynamic) || pred.Builtin >= 0 {
		return nil
	}
	return p.compiler.Link(pred)
}

// linkFrom links the predicates made since there were n of them. A library that is loaded at
// run time must be linked before other runs can call it: what they may be executing does not
// change any more.
func (p *Program) linkFrom(n int) error {
	for _, pred := range p.db.Preds()[n:] {
		if !pred.Defined() {
			continue
		}
		if err := p.link(pred); err != nil {
			return err
		}
	}
	return nil
}

// seal binds all calls to their predicates, so that the code need not change any more. Calls
// of undefined predicates that a library exports load it; what nobody defines is reported.
func (p *Program) seal() {
	for i := 0; i < len(p.db.Preds()); i++ { // libraries add predicates on the way
		pred := p.db.Preds()[i]
		if !p.db.Shows(pred.Module) {
			continue
		}
		if p.pace.step(); p.ended() {
			p.cutLinking(pred)
			return
		}
		if pred.Defined() {
			if err := p.link(pred); err != nil {
				p.diagnose(Diagnostic{File: pred.File, Line: pred.Line, Severity: SeverityError, Code: "clause", Message: err.Error()})
			}
			continue
		}
		target := pred.Imported()
		if target == nil {
			target = pred.Module.Resolve(pred.Functor)
		}
		if target == nil && i >= p.born {
			target, _ = p.autoload(pred.Functor, true)
		}
		if target != nil && target != pred {
			w := code.Make(code.OpJump, 0, 0, 0, target.Entry)
			p.db.Patch(pred.Entry, []code.Instr{w, w, w})
		}
	}
	p.reportUndefined()
	p.sealed = true
}

// messageText returns a thrown term in words. The syntax error that the run met last says more than
// its term.
func (p *Program) messageText(ctx context.Context, t term.Term, mistake *syntax.Error) string {
	const most = 64 << 10 // bytes of a message
	x := term.NewVar("Text")
	r, err := p.StartTerm(term.New("$message_text", t, x), []*term.Var{x}, messageLimits)
	if err != nil {
		return ShowTerm(t)
	}
	defer r.Close()
	r.io.Recall(mistake)
	if status, err := r.m.Run(ctx); err != nil || status != machine.True {
		return ShowTerm(t)
	}
	if err := r.m.Within(ctx, func() { r.found = r.solution() }); err != nil {
		return ShowTerm(t)
	}
	text, ok := term.Text(r.found.values[0])
	if !ok {
		return ShowTerm(t)
	}
	return cutText(text, most)
}

// messageLimits bound the search for the words of a message. A term that shares parts could take any time
// and memory.
var messageLimits = &RunOptions{Inferences: 1_000_000, Time: 2 * time.Second, Memory: 4 << 20}

// indicatorText shows a predicate as name/arity, with its module unless that is user.
func indicatorText(pred *database.Pred) string {
	name := strings.TrimSuffix(pred.Name(), " tabled") // the clauses behind a tabled predicate
	text := fmt.Sprintf("%s/%d", FormatTerm(term.Atom(name)), pred.Arity())
	if pred.Module.Name != "user" && pred.Module.Name != "system" {
		text = pred.Module.Name + ":" + text
	}
	return text
}
