package convert

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the error of a conversion.

// Error says what could not be converted, and where in the Go value it stands.
type Error struct {
	// Path leads to the part of the Go value, such as .Address.Lines[2]. "" is the whole value.
	Path string
	// Type is the Go type of the part; nil for a value that is nil.
	Type reflect.Type
	// Term is the term that does not fit into the Go type. It is nil when the Go value was to become a term.
	Term term.Term
	// Want is the Prolog type that would fit, as type errors name it, such as "integer" or "list". It is "" when the
	// type is right and the value is not, and where there is no term.
	Want string
	// Problem is a text for other errors than that Term is not of type Want.
	Problem string
	// Err is the error of a method of the value, or nil.
	Err error
}

// Error is the path, the term and what was wanted.
func (e *Error) Error() string {
	text := e.Problem
	switch {
	case e.Err != nil:
		text = e.Err.Error()
	case text == "":
		text = "got " + show(e.Term) + ", want " + e.Want
	case e.Term != nil:
		text = show(e.Term) + " " + text
	}
	if e.Type != nil {
		text += " (Go type " + e.Type.String() + ")"
	}
	if e.Path == "" {
		return text
	}
	return e.Path + ": " + text
}

// Unwrap returns the error of a method of the value, or nil.
func (e *Error) Unwrap() error { return e.Err }

// maxPath is the largest length of a path in bytes. The inner end of a longer one is left out.
const maxPath = 200

// inside puts a step before the path of an error.
func inside(err error, step string) error {
	if e, ok := err.(*Error); ok {
		if e.Path = step + e.Path; len(e.Path) > maxPath {
			e.Path = strings.ToValidUTF8(e.Path[:maxPath], "") + "..."
		}
	}
	return err
}

// itemStep is the step of a path to an item.
func itemStep(i int) string { return fmt.Sprintf("[%d]", i) }

// maxShown is the length in runes to which a term is shown.
const maxShown = 60

var operators = syntax.StandardOps()

// show writes a term for a message.
func show(t term.Term) string {
	if _, unbound := t.(*term.Var); unbound {
		return "an unbound variable"
	}
	text := []rune(syntax.Format(t, &syntax.WriteOptions{Quoted: true, NumberVars: true, Ops: operators, Cycles: true,
		MaxDepth: 10, MaxBytes: 4 * (maxShown + 1)}))
	if len(text) > maxShown {
		return string(text[:maxShown]) + "..."
	}
	return string(text)
}
