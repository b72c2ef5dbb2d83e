package debug

import (
	"maps"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/explain"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the commands that trace/0, spy/1, leash/1 and the like send to the debugger.

// Command carries out the command of a predicate and returns its answer.
func (t *tracer) Command(m *machine.Machine, command cell) cell {
	c := m.Export(command)
	name, _, _ := term.Indicator(c)
	var args []term.Term
	if compound, ok := c.(*term.Compound); ok {
		args = compound.Args
	}
	return m.Import(t.d.command(string(name), args))
}

var answerOK = term.Atom("ok")

// command is a command as terms.
func (d *Debugger) command(name string, args []term.Term) term.Term {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch name {
	case "trace":
		d.on, d.mode = true, modeCreep
	case "notrace":
		d.mode = modeLeap
	case "debug":
		d.on = true
	case "nodebug":
		d.on, d.mode = false, modeLeap
	case "tracing":
		return term.Atom(map[bool]string{true: "true", false: "false"}[d.mode != modeLeap])
	case "nospyall":
		d.spies = nil
	case "spy":
		return d.spy(args)
	case "nospy":
		return d.nospy(args)
	case "leash":
		return setPorts(&d.unleash, args[0])
	case "visible":
		return setPorts(&d.hidden, args[0])
	case "trap":
		d.traps, d.on = append(d.traps, args[0]), true
	case "notrap":
		d.traps = slices.DeleteFunc(d.traps, func(t term.Term) bool {
			return explain.Match(args[0], t, map[*term.Var]term.Term{})
		})
	case "debugging":
		return d.state()
	}
	return answerOK
}

// keyOf is the key of Module, Name, Arity.
func keyOf(args []term.Term) spyKey {
	module, _ := args[0].(term.Atom)
	name, _ := args[1].(term.Atom)
	arity, _ := args[2].(term.Int)
	return spyKey{string(module), string(name), int(arity)}
}

// spy sets a spy point.
func (d *Debugger) spy(args []term.Term) term.Term {
	key, point := keyOf(args), spyPoint{}
	if when, ok := term.Is(args[3], "when", 2); ok {
		point.head, point.goal = when[0], when[1]
	}
	if d.spies == nil {
		d.spies = map[spyKey]spyPoint{}
	}
	d.spies[key], d.on = point, true
	return term.Atom("new")
}

// nospy removes a spy point.
func (d *Debugger) nospy(args []term.Term) term.Term {
	key := keyOf(args)
	if _, ok := d.spies[key]; !ok {
		return answerOK
	}
	delete(d.spies, key)
	return term.Atom("spied")
}

// setPorts changes a set of ignored ports. The argument is +Port, -Port, Port for only that port, all, or get.
func setPorts(out *map[Port]bool, spec term.Term) term.Term {
	if spec == term.Term(term.Atom("get")) {
		var list []term.Term
		for _, p := range allPorts[:len(allPorts)-1] {
			if !(*out)[p] {
				list = append(list, term.Atom(p))
			}
		}
		return term.List(list...)
	}
	sign := ""
	for _, s := range []term.Atom{"+", "-"} {
		if args, ok := term.Is(spec, s, 1); ok {
			sign, spec = string(s), args[0]
		}
	}
	name, ok := spec.(term.Atom)
	ports := []Port{Port(name)}
	if name == "all" || name == "full" {
		ports = allPorts
	}
	if !ok || !slices.Contains(allPorts, ports[0]) {
		return term.Atom("unknown")
	}
	set := maps.Clone(*out)
	if set == nil {
		set = map[Port]bool{}
	}
	if sign == "" {
		for _, p := range allPorts {
			set[p] = true
		}
	}
	for _, p := range ports {
		set[p] = sign == "-"
	}
	*out = set
	return answerOK
}

// state is state(Mode, Spied).
func (d *Debugger) state() term.Term {
	mode := "off"
	switch {
	case d.mode != modeLeap:
		mode = "trace"
	case d.on:
		mode = "on"
	}
	sorted := slices.SortedFunc(maps.Keys(d.spies), func(a, b spyKey) int {
		return strings.Compare(a.module+":"+a.name, b.module+":"+b.name)*1000 + (a.arity - b.arity)
	})
	var spied []term.Term
	for _, k := range sorted {
		spied = append(spied, term.New(":", term.Atom(k.module), term.New("/", term.Atom(k.name), term.Int(k.arity))))
	}
	return term.New("state", term.Atom(mode), term.List(spied...))
}
