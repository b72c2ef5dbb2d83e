package builtin

import (
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
)

// This file defines how option lists are read, such as those of open/4 and write_term/2.

// option is an element name(value) of an option list.
type option struct {
	name   string
	value  cell // dereferenced
	term   cell // the whole option
	domain string
}

// eachOption calls use for the options of a proper list. An option for which use returns
// false is a domain error, as is one that has not the form name(value); name=value is taken
// for name(value), as in SWI-Prolog.
func eachOption(m *machine.Machine, list cell, domain string, use func(o option) (known bool, err error)) error {
	items, err := m.ListArg(list)
	if err != nil {
		return err
	}
	for _, item := range items {
		if machine.IsVar(m.Deref(item)) {
			return m.InstantiationError()
		}
	}
	for _, item := range items {
		o, ok := asOption(m, m.Deref(item), domain)
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

func asOption(m *machine.Machine, c cell, domain string) (option, bool) {
	if c.Tag() != code.Str {
		return option{}, false
	}
	f := m.Functor(c)
	if f == code.FEqual {
		name := m.Deref(m.Arg(c, 0))
		if name.Tag() != code.Atom {
			return option{}, false
		}
		return option{machine.AtomText(name), m.Deref(m.Arg(c, 1)), c, domain}, true
	}
	if f.FunctorArity() != 1 {
		return option{}, false
	}
	return option{machine.AtomText(f.FunctorName()), m.Deref(m.Arg(c, 0)), c, domain}, true
}

// invalid is the error of an option whose value is not acceptable.
func (o option) invalid(m *machine.Machine) error {
	if machine.IsVar(o.value) {
		return m.InstantiationError()
	}
	return m.DomainError(o.domain, o.term)
}

// boolean returns a value that must be true or false.
func (o option) boolean(m *machine.Machine) (bool, error) {
	switch o.value {
	case code.ATrue:
		return true, nil
	case code.AFalse:
		return false, nil
	}
	return false, o.invalid(m)
}

// atom returns a value that must be an atom.
func (o option) atom(m *machine.Machine) (string, error) {
	if o.value.Tag() == code.Atom {
		return machine.AtomText(o.value), nil
	}
	return "", o.invalid(m)
}

// oneOf returns a value that must be one of some atoms.
func (o option) oneOf(m *machine.Machine, names ...string) (string, error) {
	if o.value.Tag() == code.Atom {
		text := machine.AtomText(o.value)
		for _, name := range names {
			if name == text {
				return text, nil
			}
		}
	}
	return "", o.invalid(m)
}

// integer returns a value that must be an integer of at least low and at most high.
func (o option) integer(m *machine.Machine, low, high int) (int, error) {
	if o.value.Tag() == code.Int && int(o.value.Int()) >= low && int(o.value.Int()) <= high {
		return int(o.value.Int()), nil
	}
	return 0, o.invalid(m)
}
