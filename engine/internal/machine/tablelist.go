package machine

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// This file defines what a goal can learn of the tables of its run.

var tableListTable = []Builtin{
	{Name: "$tbl_list", Arity: 1, Func: tableList, Modes: "-list", Doc: "Lists the tables of the run as goal-number."},
	{Name: "$explain_taint", Arity: 1, Func: explainTaint, Modes: "?taint",
		Doc: "Taint is how far the answer rests on something undefined; a number sets it."},
	{Name: "$explain_tainted", Arity: 0, Func: explainTainted, Modes: "",
		Doc: "Some goal of the run has rested on something undefined."},
	{Name: "$explain_misses", Arity: 1, Func: explainMisses, Modes: "+on",
		Doc: "While on is true cuts do not look at what is undefined: what is missing is looked for."},
	{Name: "$explain_begin", Arity: 0, Func: explainBegin, Modes: "",
		Doc: "Stamps the answers of tables from now on; forgets the complete tables."},
	{Name: "$explain_table", Arity: 2, Func: explainTable, Modes: "+key, -table",
		Doc: "Table is the complete table of a goal."},
	{Name: "$explain_answer", Arity: 5, Func: onTable(explainAnswer), Nondet: true,
		Modes: "+table, +key, +tuple, -stamp, -undefined",
		Doc:   "Key is an instance that is an answer of a table; stamp tells which answers are older."},
}

// tableList is $tbl_list/1.
func tableList(m *Machine, a []cell) (bool, error) {
	var list []cell
	for _, t := range m.tables.list {
		if t != nil {
			list = append(list, m.NewStruct("-", m.thaw(t.goal), code.MakeInt(int64(t.number))))
		}
	}
	return m.Unify(a[0], m.List(list, code.ANil)), nil
}
