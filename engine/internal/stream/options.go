package stream

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines how option lists are read, such as those of open/4 and write_term/2.

// Option is an element name(value) of an option list.
type Option struct {
	Name   string
	Value  cell // dereferenced
	Term   cell // the whole option
	domain string
}

// EachOption calls use for the options of a proper list. It is a domain error if use returns false for an option, or
// if an option does not have the form name(value). As in SWI-Prolog, name=value is accepted for name(value).
func EachOption(m *machine.Machine, list cell, domain string, use func(o Option) (known bool, err error)) error {
	items, err := OptionItems(m, list)
	if err != nil {
		return err
	}
	for _, item := range items {
		if stacks.IsVar(m.Deref(item)) {
			return m.InstantiationError()
		}
	}
	for _, item := range items {
		o, ok := AsOption(m, m.Deref(item), domain)
		if !ok {
			return m.DomainError(domain, item)
		}
		known, err := use(o)
		if err != nil {
			return err
		}
		if !known {
			return m.DomainError(domain, item)
		}
	}
	return nil
}

// OptionItems returns the options of a proper list, or the pairs of a dict as options.
func OptionItems(m *machine.Machine, options cell) ([]cell, error) {
	dict := m.Deref(options)
	if !machine.IsDict(m, dict) {
		return m.ListArg(options)
	}
	var items []cell
	for i := 1; i < m.Functor(dict).FunctorArity(); i += 2 {
		items = append(items, m.NewCompound(code.FEqual, []cell{m.Arg(dict, i+1), m.Arg(dict, i)}))
	}
	return items, nil
}

func AsOption(m *machine.Machine, c cell, domain string) (Option, bool) {
	if c.Tag() != code.Str {
		return Option{}, false
	}
	f := m.Functor(c)
	if f == code.FEqual {
		name := m.Deref(m.Arg(c, 0))
		if name.Tag() != code.Atom {
			return Option{}, false
		}
		return Option{stacks.AtomText(name), m.Deref(m.Arg(c, 1)), c, domain}, true
	}
	if f.FunctorArity() != 1 {
		return Option{}, false
	}
	return Option{stacks.AtomText(f.FunctorName()), m.Deref(m.Arg(c, 0)), c, domain}, true
}

// Invalid returns the error of an option with a wrong value.
func (o Option) Invalid(m *machine.Machine) error {
	if stacks.IsVar(o.Value) {
		return m.InstantiationError()
	}
	return m.DomainError(o.domain, o.Term)
}

// Boolean returns a value that must be true or false.
func (o Option) Boolean(m *machine.Machine) (bool, error) {
	switch o.Value {
	case code.ATrue:
		return true, nil
	case code.AFalse:
		return false, nil
	}
	return false, o.Invalid(m)
}

// Atom returns a value that must be an atom.
func (o Option) Atom(m *machine.Machine) (string, error) {
	if o.Value.Tag() == code.Atom {
		return stacks.AtomText(o.Value), nil
	}
	return "", o.Invalid(m)
}

// OneOf returns a value that must be one of some atoms.
func (o Option) OneOf(m *machine.Machine, names ...string) (string, error) {
	if o.Value.Tag() == code.Atom {
		text := stacks.AtomText(o.Value)
		for _, name := range names {
			if name == text {
				return text, nil
			}
		}
	}
	return "", o.Invalid(m)
}

// Integer returns a value that must be an integer of at least low and at most high.
func (o Option) Integer(m *machine.Machine, low, high int) (int, error) {
	if o.Value.Tag() == code.Int && int(o.Value.Int()) >= low && int(o.Value.Int()) <= high {
		return int(o.Value.Int()), nil
	}
	return 0, o.Invalid(m)
}
