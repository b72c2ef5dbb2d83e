package engine

import "github.com/mcplogic/mcplogic/internal/hook"

// This file defines what the other packages of this module may do with a program. They get it from package inner.

// inner is a program with the methods that Go programs do not have.
type inner struct{ *Program }

// A program that nobody has made is an empty one here.
func init() {
	hook.Inner = func(program any) any {
		p := program.(*Program)
		if p.zero() {
			p = New(nil)
		}
		return inner{p}
	}
}
