package engine

import "github.com/mcplogic/mcplogic/internal/hook"

// This file defines the methods of a program that other packages of this module may use. They get them through package
// inner.

// inner is a program with methods that are not public.
type inner struct{ *Program }

// A zero Program counts as an empty program here.
func init() {
	hook.Inner = func(program any) any {
		p := program.(*Program)
		if p.zero() {
			p = New(nil)
		}
		return inner{p}
	}
}
