package tables

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/feel"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file makes predicates from the decision tables of a DMN model.

// dmnPolicies maps the names of hit policies in a model to policies.
var dmnPolicies = map[string]Policy{"": "unique", "UNIQUE": "unique", "ANY": "any", "FIRST": "first",
	"PRIORITY": "priority", "OUTPUT ORDER": "output_order", "RULE ORDER": "rule_order", "COLLECT": "list",
	"COLLECT SUM": "sum", "COLLECT MIN": "min", "COLLECT MAX": "max", "COLLECT COUNT": "count"}

// table makes the predicate of the rows of a decision table, and the goals that find the result.
func (b *body) table(d *dmnTable) (term.Term, error) {
	policy := dmnPolicies[strings.TrimSpace(d.Hit+" "+d.Aggregation)]
	if policy == "" {
		return nil, mistake(d.at, "%s %s is no hit policy", d.Hit, d.Aggregation)
	}
	t := &Table{Name: b.name, Hit: "collect", Said: policy}
	var args []term.Term
	for _, name := range b.order {
		t.Columns = append(t.Columns, Column{Name: name, Kind: Anyhow, v: term.NewVar("")})
		args = append(args, b.scope.Names[name])
	}
	scope := *b.scope
	scope.Names = map[string]term.Term{}
	for _, c := range t.Columns {
		scope.Names[c.Name] = c.v
	}
	given := len(t.Columns)
	for i := range d.Inputs {
		in := &d.Inputs[i].Expression
		value, err := b.literal(in)
		if err != nil {
			return nil, err
		}
		c := Column{Name: strings.TrimSpace(in.Text), Kind: Anyhow, Loose: true, Type: b.m.typeOf(in.Type, 0),
			v: term.NewVar("")}
		k, _ := kindOf(c.Type)
		if isString := c.Type == term.Term(term.Atom("string")); isString || k == Number || k == Boolean {
			c.Kind = k
		}
		v := term.NewVar("")
		b.goals = append(b.goals, term.New("feel", value, v))
		t.Columns, args = append(t.Columns, c), append(args, v)
	}
	var outs, entries []term.Term
	for _, o := range d.Outputs {
		v := term.NewVar("")
		t.Columns = append(t.Columns, Column{Name: o.Name, Output: true, Kind: Anyhow, v: term.NewVar("")})
		outs = append(outs, v)
		entries = append(entries, term.New("-", term.Atom(o.Name), v))
	}
	for i := range d.Rules {
		if err := t.rule(&d.Rules[i], given, len(d.Inputs), &scope); err != nil {
			return nil, err
		}
	}
	rows := b.name + RowsSuffix
	for n := 2; b.m.names[rows]; n++ {
		rows = fmt.Sprintf("%s %d%s", b.name, n, RowsSuffix)
	}
	b.m.names[rows] = true
	b.m.tables = append(b.m.tables, t)
	if policy == "unique" || policy == "any" {
		t.Searched = b.m.searched(d, t, policy, given)
	}
	p := b.m.made[len(b.m.made)-1]
	p.Clauses = append(p.Clauses, t.Clauses(rows)...)
	if len(d.Outputs) == 0 {
		return nil, mistake(d.at, "the table has no output")
	}
	template := outs[0]
	if len(outs) > 1 {
		template = term.Curlies(entries...)
	}
	return b.hits(d, policy, template, term.New(term.Atom(rows), append(args, outs...)...))
}

// searched returns a table with only the inputs and outputs and their types. It returns nil if a type is not known.
func (m *model) searched(d *dmnTable, t *Table, policy Policy, given int) *Table {
	own := &Table{Hit: policy, Partial: slices.ContainsFunc(d.Outputs, func(o dmnOutput) bool { return o.Default != nil })}
	for i, c := range t.Columns[given:] {
		if c.At = d.at; !c.Output && !m.known(&c, d.Inputs[i].Expression.Type, t, given+i) {
			return nil
		}
		own.Columns = append(own.Columns, c)
	}
	for _, r := range t.Rows {
		own.Rows = append(own.Rows, Row{At: r.At, Cells: r.Cells[given:]})
	}
	return own
}

// known sets the type of an input and reports whether it is known. The model gives the type of the column or of the
// input data. Without it the cells decide.
func (m *model) known(c *Column, ref string, t *Table, column int) bool {
	if n := m.number(c.Name); ref == "" && n >= 0 {
		ref = m.Inputs[n].Variable.Type
	}
	tests, err := feel.UnaryTests(m.types[ref].Allowed, &feel.Scope{}, nil)
	if err == nil && !tests.Any && allValues(tests.Items) {
		c.setType(term.New("oneof", term.List(tests.Items...)))
		return true
	}
	typ := m.typeOf(ref, 0)
	for _, r := range t.Rows {
		for _, v := range constants(r.Cells[column].Tests.Items) {
			if typ != term.Term(term.Atom("ground")) {
				break
			} else if _, isNumber := feel.Rat(v); isNumber {
				typ = term.Atom("rational")
			} else if _, isText := v.(term.String); isText {
				typ = term.Atom("string")
			}
		}
	}
	c.setType(typ)
	return typ != term.Term(term.Atom("ground")) && c.Kind != Anyhow
}

// hits adds the goals that find the result of a table from its rows.
func (b *body) hits(d *dmnTable, policy Policy, template, rows term.Term) (term.Term, error) {
	hits, result := term.NewVar(""), term.NewVar("")
	how := term.Term(term.Atom(policy))
	if policy == "priority" || policy == "output_order" {
		var orders []term.Term
		for _, o := range d.Outputs {
			text := o.Values
			if item, ok := b.m.types[o.Type]; ok && text == "" {
				text = item.Allowed
			}
			if len(d.Outputs) == 1 {
				o.Name = ""
			}
			tests, err := feel.UnaryTests(text, b.scope, nil)
			if err != nil {
				return nil, mistake(d.at, "%s, in %s", err, text)
			}
			if len(tests.Items) > 0 {
				orders = append(orders, term.New("-", term.Atom(o.Name), term.List(tests.Items...)))
			}
		}
		how = term.New(how.(term.Atom), term.List(orders...))
	}
	b.goals = append(b.goals, term.New("findall", template, rows, hits))
	decide := term.New("decision_hits", how, hits, result)
	if d.Outputs[0].Default == nil {
		b.goals = append(b.goals, decide)
		return result, nil
	}
	var entries []term.Term
	otherwise := null
	for _, o := range d.Outputs {
		if o.Default == nil {
			continue
		}
		value, err := b.literal(o.Default)
		if err != nil {
			return nil, err
		}
		otherwise = value
		entries = append(entries, term.New("entry", term.Atom(o.Name), term.NewVar(""), value))
	}
	if len(d.Outputs) > 1 {
		otherwise = term.New("context", term.List(entries...))
	}
	b.goals = append(b.goals, term.New(";", term.New("->", term.New("==", hits, term.Nil), term.New("feel", otherwise,
		result)), decide))
	return result, nil
}

// rule adds a row to a table. The inputs of the row come after the given ones.
func (t *Table) rule(r *dmnRule, given, inputs int, scope *feel.Scope) error {
	row := Row{At: r.at, Cells: make([]Cell, given)}
	for i := range row.Cells {
		row.Cells[i].Tests.Any = true
	}
	if len(r.Inputs) != inputs || len(r.Outputs) != len(t.Columns)-given-inputs {
		return mistake(r.at, "the rule has another number of cells than the table has columns")
	}
	for i := range r.Inputs {
		cell := Cell{Text: r.Inputs[i].Text, At: r.Inputs[i].at}
		tests, err := feel.UnaryTests(cell.Text, scope, t.Columns[given+i].v)
		if err != nil {
			return mistake(cell.At, "%s, in the cell %s", err, strings.TrimSpace(cell.Text))
		}
		cell.Tests = tests
		row.Cells = append(row.Cells, cell)
	}
	for i := range r.Outputs {
		cell := Cell{Text: r.Outputs[i].Text, At: r.Outputs[i].at, Value: null}
		if strings.TrimSpace(cell.Text) != "" && strings.TrimSpace(cell.Text) != "-" {
			value, err := feel.Expression(cell.Text, scope)
			if err != nil {
				return mistake(cell.At, "%s, in the cell %s", err, strings.TrimSpace(cell.Text))
			}
			cell.Value = value
		}
		row.Cells = append(row.Cells, cell)
	}
	for _, note := range r.Notes {
		row.Note = strings.TrimSpace(note.Text)
	}
	t.Rows = append(t.Rows, row)
	return nil
}
