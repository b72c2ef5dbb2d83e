package clausetext

import (
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/explain"
)

// This file defines which lines a breakpoint can stand on.

// BreakLine returns the first line from a given one on at which a clause of a file begins or one of its goals stands.
// ok is false if there is none.
func (f *Files) BreakLine(isFile func(name string) bool, line int) (found int, ok bool) {
	var around, next *database.Clause
	for _, m := range f.DB.Modules() {
		if m.Library || m == f.DB.System() {
			continue
		}
		for _, pred := range m.Preds() {
			for _, c := range pred.Clauses() {
				if c.Line == 0 || !isFile(c.File) {
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
		if found = f.lineWithin(around, line); found > 0 {
			return found, true
		}
	}
	if next != nil {
		return int(next.Line), true
	}
	return 0, false
}

// lineWithin is the first line from a given one on at which a clause begins or a goal of it stands, 0 if there is none.
func (f *Files) lineWithin(c *database.Clause, line int) int {
	if int(c.Line) == line {
		return line
	}
	read, _ := f.Clause(explain.Place{File: c.File, Path: c.File, Line: int(c.Line)}, c.Pred.Module.Name)
	if read == nil {
		return 0
	}
	found := 0
	for _, g := range (&Clause{Read: read}).WrittenGoals() {
		if at := int(c.Line) - 1 + g.At.Line; at >= line && (found == 0 || at < found) {
			found = at
		}
	}
	return found
}
