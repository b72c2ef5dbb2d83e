package builtin

import (
	"math/big"
	"strings"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/internal/texts"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/values"
)

// This file defines the parts of library(dates) and library(decimal) that are in Go: texts of values, and dates as
// numbers.

var valueTable = []machine.Builtin{
	{Name: "$value_text", Arity: 3, Func: valueText, Modes: "?type, ?value, ?text",
		Doc: "Text is the value as JSON has it. A type that is unbound is that which the form of the text tells."},
	{Name: "$is_value", Arity: 2, Func: isValue, Modes: "+type, @term", Doc: "The term is a value of the type."},
	{Name: "$moment", Arity: 3, Func: moments, Modes: "?type, ?value, ?seconds",
		Doc: "A date or datetime as seconds since 1970. Fails for a value that is none of the type."},
	{Name: "$present", Arity: 2, Func: presentMoment, Modes: "+type, -value",
		Doc: "The present date in local time, or the present datetime."},
	{Name: "$rounded", Arity: 4, Func: roundedValue, Modes: "+number, +places, +mode, -rounded",
		Doc: "A number with as many places. The mode is half_up or half_even."},
}

// valueType returns an argument that is a type of package values. ok is false for another term.
func valueType(m *machine.Machine, c cell) (typ values.Type, ok bool) { return values.Of(m.Export(c)) }

// isValue is $is_value/2.
func isValue(m *machine.Machine, a []cell) (bool, error) {
	typ, ok := valueType(m, a[0])
	if ok {
		_, ok = typ.Text(m.Export(a[1]))
	}
	return ok, nil
}

// valueText is $value_text/3. An error names the fault of the text.
func valueText(m *machine.Machine, a []cell) (bool, error) {
	if given := m.Deref(a[1]); !stacks.IsVar(given) {
		typ, _ := valueType(m, a[0])
		text, ok := typ.Text(m.Export(given))
		if !ok {
			return false, m.TypeError(typ.Name, given)
		}
		return m.Unify(a[2], m.NewAtom(text)), nil
	}
	text, err := texts.Any(m, a[2], "text")
	if err != nil {
		return false, err
	}
	if stacks.IsVar(m.Deref(a[0])) {
		m.Unify(a[0], m.NewAtom(formOf(text)))
	}
	typ, ok := valueType(m, a[0])
	if !ok {
		return false, m.DomainError("type", a[0])
	}
	x, err := typ.Parse(text)
	if err != nil {
		return false, m.SyntaxError(strings.TrimSuffix("expected "+typ.Want()+": "+err.Error(), ": "))
	}
	return m.Unify(a[1], m.Import(x)), nil
}

// formOf returns the type of a text that is a date, a time, both or a duration.
func formOf(text string) string {
	switch {
	case strings.HasPrefix(strings.TrimLeft(text, "+-"), "P"):
		return "duration"
	case strings.ContainsAny(text, "Tt "):
		return "datetime"
	case strings.Contains(text, ":"):
		return "time"
	}
	return "date"
}

// moments is $moment/3.
func moments(m *machine.Machine, a []cell) (bool, error) {
	if x := m.Deref(a[1]); !stacks.IsVar(x) {
		value := m.Export(x)
		name, _, _ := term.Indicator(value)
		at, ok := values.Type{Name: string(name)}.Time(value)
		if !ok || name == "time" {
			return false, nil
		}
		seconds := new(big.Rat).SetFrac64(int64(at.Nanosecond()), 1e9)
		seconds.Add(seconds, new(big.Rat).SetInt64(at.Unix()))
		return m.Unify(a[0], m.NewAtom(string(name))) && m.Unify(a[2], m.Import(term.NewRational(seconds))), nil
	}
	typ, ok := valueType(m, a[0])
	if !ok {
		return false, m.DomainError("type", a[0])
	}
	nanos, ok := values.Nanos(m.Export(a[2]))
	if !ok {
		return false, m.RepresentationError("date")
	}
	whole, rest := new(big.Int).DivMod(nanos, big.NewInt(1e9), new(big.Int))
	first, last := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).Unix(), time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	if !whole.IsInt64() || whole.Int64() < first || whole.Int64() >= last {
		return false, m.RepresentationError("year")
	}
	at := time.Unix(whole.Int64(), rest.Int64()).UTC()
	return m.Unify(a[1], m.Import(typ.OfTime(at))), nil
}

// presentMoment is $present/2.
func presentMoment(m *machine.Machine, a []cell) (bool, error) {
	typ, ok := valueType(m, a[0])
	if !ok {
		return false, m.DomainError("type", a[0])
	}
	return m.Unify(a[1], m.Import(typ.OfTime(clock(m)))), nil
}

// roundedValue is $rounded/4.
func roundedValue(m *machine.Machine, a []cell) (bool, error) {
	places, err := m.IntArg(a[1])
	if err != nil {
		return false, err
	}
	if places < 0 || places > values.MaxPlaces {
		return false, m.DomainError("places", a[1])
	}
	typ := values.Type{Name: "decimal", Places: places, HalfEven: m.Deref(a[2]) == m.NewAtom("half_even")}
	x, ok := typ.Round(m.Export(a[0]))
	if !ok {
		return false, m.TypeError("decimal", a[0])
	}
	return m.Unify(a[3], m.Import(x)), nil
}
