package database

import (
	"cmp"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// This file defines the way back from code to clauses, for backtraces.

// Places says where the values of a clause's variables are when one of its instructions is executed. The maps are by
// the numbers of the variables in the clause.
type Places struct {
	Slots map[int]int // of the environment
	// Parts are argument registers and parts of what they hold: the register, and then numbers of arguments, from 0.
	Parts          map[int][]int
	HasEnvironment bool // by then
	// Comparison is the functor of the arithmetic comparison in the text that the instruction is a part of, or 0.
	Comparison code.Cell
}

// span says at which address the code of a clause begins.
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
