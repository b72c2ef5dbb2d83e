package machine

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
)

// This file defines what a goal can learn of the tables of its run.

var tableListTable = []Builtin{
	{Name: "$tbl_list", Arity: 1, Func: tableList, Modes: "-list", Doc: "Lists the tables of the run as goal-number."},
}

func tableList(m *Machine, a []cell) (bool, error) {
	var list []cell
	for _, t := range m.tables.list {
		if t != nil {
			list = append(list, m.NewStruct("-", m.thaw(t.goal), code.MakeInt(int64(t.number))))
		}
	}
	return m.Unify(a[0], m.List(list, code.ANil)), nil
}
