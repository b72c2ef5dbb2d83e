package engine

import (
	"fmt"
	"maps"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/convert"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how RunOptions.Bind gives values to variables of a goal.

// bindings returns the values that the options give to variables.
func bindings(vars []*term.Var, o *RunOptions) ([]machine.Binding, error) {
	if o == nil || len(o.Bind) == 0 {
		return nil, nil
	}
	bound := make([]machine.Binding, 0, len(o.Bind))
	for _, name := range slices.Sorted(maps.Keys(o.Bind)) {
		i := slices.IndexFunc(vars, func(v *term.Var) bool { return v.String() == name })
		if i < 0 {
			names := make([]string, len(vars))
			for i, v := range vars {
				names[i] = v.String()
			}
			return nil, fmt.Errorf("bind %s: the goal has no such variable%s", name, convert.DidYouMean(name, names))
		}
		value, err := convert.Term(o.Bind[name])
		if err != nil {
			return nil, fmt.Errorf("bind %s: %w", name, err)
		}
		bound = append(bound, machine.Binding{Var: vars[i], Value: value})
	}
	return bound, nil
}
