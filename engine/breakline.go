package engine

import (
	"github.com/mcplogic/mcplogic/engine/internal/clausetext"
	"github.com/mcplogic/mcplogic/engine/internal/database"
)

// This file defines which lines a breakpoint can stand on.

// BreakLine returns the first line from a given one on at which a clause of a file begins or one of its goals stands.
// ok is false if there is none.
func (p *Program) BreakLine(file string, line int) (found int, ok bool) {
	var around, next *database.Clause
	for _, m := range p.db.Modules() {
		if m.Library || m == p.db.System() {
			continue
		}
		for _, pred := range m.Preds() {
			for _, c := range pred.Clauses() {
				if c.Line == 0 || c.File != file && p.FileName(c.File) != file {
					continue
				}
				if at := int(c.Line); at <= line && (around == nil || at > int(around.Line)) {
					around = c
				} else if at > line && (next == nil || at < int(next.Line)) {
					next = c
				}
			}
		}
	}
	if around != nil {
		if found = p.lineWithin(around, line); found > 0 {
			return found, true
		}
	}
	if next != nil {
		return int(next.Line), true
	}
	return 0, false
}

// lineWithin is the first line from a given one on at which a clause begins or a goal of it stands, 0 if there is none.
func (p *Program) lineWithin(c *database.Clause, line int) int {
	if int(c.Line) == line {
		return line
	}
	t := &tracer{p: p, texts: p.clauseFiles(), read: map[clauseKey]*clausetext.Clause{}}
	text := t.clause(clauseKey{c.File, int(c.Line)}, c.Pred.Module.Name)
	if text == nil {
		return 0
	}
	found := 0
	for _, g := range text.WrittenGoals() {
		if at := int(c.Line) - 1 + g.At.Line; at >= line && (found == 0 || at < found) {
			found = at
		}
	}
	return found
}
