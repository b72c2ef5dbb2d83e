package machine

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// This file defines what a goal can learn of the tables of its run.

var tableListTable = []Builtin{
	{Name: "$tbl_list", Arity: 1, Func: tableList, Modes: "-list", Doc: "Lists the tables of the run as goal-number."},
	{Name: "$explain_misses", Arity: 0, Func: explainMisses, Modes: "",
		Doc: "Explains what is missing from then on: cuts do not look at what is undefined."},
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
