package engine

import (
	"context"
	"fmt"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/explain"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file explains errors of goals that want a value and find null.

// maxMissing bounds how many rows without a value are named.
const maxMissing = 3

// explainMissing adds to an error about null the rows without a value that the goal may have read.
func (p *Program) explainMissing(ctx context.Context, in *database.Module, goal Term, e *Exception) {
	null := term.Atom("null")
	args, ok := term.Is(e.Formal(), "type_error", 2)
	if !ok || args[1] != Term(null) && !term.Equal(args[1], term.New("/", null, term.Int(0))) {
		return
	}
	var functors []code.Cell
	for part := range term.Parts(goal) {
		if name, arity, ok := term.Indicator(part); ok {
			functors = append(functors, code.Functor(string(name), arity))
		}
	}
	var rows []string
	for _, pred := range in.Reaches(functors) {
		for i := 0; i < pred.Arity() && len(rows) < maxMissing; i++ {
			if row := p.rowWithout(ctx, pred, i); row != "" {
				rows = append(rows, row+" has no "+p.columnName(pred, i))
			}
		}
	}
	if len(rows) > 0 {
		e.Message += "; null stands for a missing value: " + strings.Join(rows, "; ")
	}
}

// columnName is the name of an argument of a predicate, from 0.
func (p *Program) columnName(pred *database.Pred, i int) string {
	advice := p.loaded.Advice(pred)
	for _, names := range [][]string{advice.Columns, advice.Names} {
		if i < len(names) {
			return names[i]
		}
	}
	return fmt.Sprintf("argument %d", i+1)
}

// rowWithout returns the text and place of a predicate's first row that lacks an argument, or "".
func (p *Program) rowWithout(ctx context.Context, pred *database.Pred, argument int) string {
	if table := p.loaded.TableOf(pred); table != "" {
		if row := p.rowOfTable(ctx, pred, argument); row != nil {
			return p.shownValue(row) + " of table " + table
		}
		return ""
	}
	fact := pred.FirstWith(argument, code.AtomCell("null"))
	if fact == nil {
		return ""
	}
	return syntax.At(inner{p}.FileName(fact.File), int(fact.Line), 0).Before(p.shownValue(stacks.ExportHead(fact)))
}

// rowOfTable asks a table for a row without a value in a column. It returns nil if there is no such row.
func (p *Program) rowOfTable(ctx context.Context, pred *database.Pred, column int) Term {
	args := make([]Term, pred.Arity())
	for i := range args {
		args[i] = term.NewVar("")
	}
	args[column] = term.Atom("null")
	row, found := term.New(term.Atom(pred.Name()), args...), term.NewVar("Row")
	o := *messageLimits
	o.Module, o.Transaction = pred.Module.Name, true
	r, err := p.start(term.New(",", row, term.New("=", found, row)), []*term.Var{found}, nil, &o)
	if err != nil {
		return nil
	}
	defer r.Close()
	if state, err := r.Next(ctx); err != nil || state != Answer {
		return nil
	}
	return r.Solution().values[0]
}

// shownValue is the text of a term for people: without names of variables, and without secrets.
func (p *Program) shownValue(t Term) string {
	names := map[*term.Var]string{}
	t, hidden := explain.Veiled(t, p.secrets)
	for _, v := range term.Variables(t) {
		names[v] = "_"
	}
	names[hidden] = explain.ShownSecret
	return p.valueText(t, names)
}
