package texts

import (
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/feel"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/values"
)

// This file defines what library(feel) does in Go.

var feelTable = []machine.Builtin{
	{Name: "$feel", Arity: 4, Func: feelRead, Modes: "+text, +list, ?list, -term",
		Doc: "The expression of a text, whose names stand for terms. A text that begins with ?: is a cell."},
	{Name: "$feel_value", Arity: 3, Func: feelValue, Modes: "+atom, +text, -value",
		Doc: "The date, time or duration that a text is."},
	{Name: "$feel_offset", Arity: 2, Func: feelOffset, Modes: "+value, -integer",
		Doc: "By how many seconds the clock of a time or datetime with a zone is ahead of UTC."},
	{Name: "$feel_text", Arity: 2, Func: feelText, Modes: "+value, -string", Doc: "The text of such a value."},
}

// feelRead is $feel/4.
func feelRead(m *machine.Machine, a []cell) (bool, error) {
	text, err := Any(m, a[0], "text")
	if err != nil {
		return false, err
	}
	const bytesEach = 200 // of the term of a character, at most
	if err := machine.Fits(m, bytesEach*len(text)); err != nil {
		return false, err
	}
	names, _ := term.Slice(m.Export(a[1]))
	scope, vars := &feel.Scope{Names: map[string]term.Term{}}, []term.Term{}
	for _, name := range names {
		known, _ := term.Text(name)
		v := term.NewVar(known)
		scope.Names[known], vars = v, append(vars, v)
	}
	var t term.Term
	if tested, ok := strings.CutPrefix(text, "?:"); ok {
		var tests feel.Tests
		input := term.NewVar("")
		vars = append(vars, input)
		if tests, err = feel.UnaryTests(tested, scope, input); err == nil {
			t = term.New("if", term.New("in", input, term.List(tests.Items...)), term.True, term.Atom("false"))
			if tests.Not {
				t = term.New("call", term.Atom("not"), term.List(t))
			}
			if tests.Any {
				t = term.True
			}
		}
	} else {
		t, err = feel.Expression(text, scope)
	}
	if err != nil {
		return false, m.SyntaxError(err.Error())
	}
	return m.Unify(m.NewStruct("-", a[2], a[3]), m.Import(term.New("-", term.List(vars...), t))), nil
}

// feelValue is $feel_value/3.
func feelValue(m *machine.Machine, a []cell) (bool, error) {
	name, err := Any(m, a[0], "atom")
	if err != nil {
		return false, err
	}
	text, err := Any(m, a[1], "text")
	if err != nil {
		return false, err
	}
	var value term.Term
	ok := false
	if name == "decimal" {
		value, err = values.Type{Name: name, Places: -1}.Parse(text)
		ok = err == nil
	} else if value, ok = feel.Temporal(text); ok {
		kind, _, _ := term.Indicator(value)
		ok = string(kind) == name
	}
	return ok && m.Unify(a[2], m.Import(value)), nil
}

// feelOffset is $feel_offset/2.
func feelOffset(m *machine.Machine, a []cell) (bool, error) {
	seconds, ok := values.Offset(m.Export(a[0]))
	return ok && m.Unify(a[1], m.Import(term.Int(seconds))), nil
}

// feelText is $feel_text/2.
func feelText(m *machine.Machine, a []cell) (bool, error) {
	text, ok := feel.Text(m.Export(a[0]))
	return ok && m.Unify(a[1], m.NewString(text)), nil
}
