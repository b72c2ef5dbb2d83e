package builtin

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/explain"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines what proof/3 and misses/3 return.

// explainOptions reads the options depth(N), nodes(N) and bytes(N) of a list. The functions that it adds look into the
// program of the run: an explanation is written with the operators of the module, as the program describes it. A limit
// that is no positive integer is passed over.
func explainOptions(m *machine.Machine, list cell) explain.Options {
	o := explain.Options{
		Name:   func(file string) string { return FileName(m, file) },
		Module: "user", Lambdas: m.Program().Loader.Lambdas,
		Ops: func(module string) *syntax.Ops {
			if mod := m.Program().FindModule(module); mod != nil {
				return mod.Ops
			}
			return m.Program().User().Ops
		},
		Advice: func(module, name string, arity int) explain.Advice {
			mod := m.Program().FindModule(module)
			if mod == nil {
				return explain.Advice{}
			}
			if p := mod.Resolve(code.Functor(name, arity)); p != nil {
				return m.Program().Loader.Advice(p)
			}
			return explain.Advice{}
		},
	}
	items, _ := term.Slice(m.Export(list))
	for name, limit := range map[term.Atom]*int{"depth": &o.Depth, "nodes": &o.Nodes, "bytes": &o.Bytes} {
		for _, item := range items {
			args, ok := term.Is(item, name, 1)
			if n, isInt := numberOf(args); ok && isInt && n > 0 {
				*limit = n
			}
		}
	}
	return o
}

// numberOf returns the integer that is the only argument of an option. ok is false for anything else.
func numberOf(args []term.Term) (int, bool) {
	if len(args) != 1 {
		return 0, false
	}
	n, ok := args[0].(term.Int)
	return int(n), ok
}

// explainProof is $explain_proof/3. The library's raw proof is copied out of the heap, shaped and bounded in Go, and
// copied back. An option that names a node which the proof does not have is an existence error.
func explainProof(m *machine.Machine, a []cell) (bool, error) {
	p := explain.NewProof(m.Export(a[0]), explainOptions(m, a[1]))
	if p == nil {
		return false, m.ErrorMessage(m.NewStruct("existence_error", m.NewAtom("node"), m.NewAtom("proof")),
			"the proof has no such node")
	}
	return m.Unify(a[2], m.Import(p.Term())), nil
}

// explainMisses is $explain_misses/3.
func explainMisses(m *machine.Machine, a []cell) (bool, error) {
	misses, _, _ := explain.NewMisses(m.Export(a[0]), explainOptions(m, a[1]))
	return m.Unify(a[2], m.Import(explain.MissTerms(misses))), nil
}
