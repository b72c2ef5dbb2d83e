package machine

import "github.com/mcplogic/mcplogic/engine/internal/code"

// internals are the predicates of module system that take numbers of choice points, of bags or of limits: whoever
// could call them could break the machine or lift its limits. To clauses of programs and to goals they do not
// exist. The other predicates in $ check their arguments.
var internals = func() map[cell]bool {
	functors := map[cell]bool{fnAnd: true, fnOr: true, fnThen: true, fnSoft: true, fnIte: true, fnSoftIte: true,
		code.FCallTo: true, code.Functor("$setup_call_cleanup", 2): true,
		code.Functor("$tbl_mark", 1): true, code.Functor("$tbl_cut", 1): true, fnMore: true}
	for _, list := range [][]Builtin{findallTable, limitTable, alarmTable, rightsTable[:3]} {
		for _, b := range list {
			if b.Name[0] == '$' {
				functors[code.Functor(b.Name, b.Arity)] = true
			}
		}
	}
	return functors
}()

// IsInternal reports whether the predicate of module system with this functor is for the system and libraries only.
func IsInternal(functor code.Cell) bool { return internals[functor] }
