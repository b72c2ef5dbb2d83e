package database

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// This file defines how the code of a predicate is shown.

// Listing shows the code of a predicate: its entry, the chain that tries its clauses, and the clauses, each
// instruction behind its address in the code area. Of a single clause only that is shown, because the entry
// just jumps to it. Calls show the predicate in place of its entry.
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
var calledEntry = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(` @([0-9]+)/`)
})

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
