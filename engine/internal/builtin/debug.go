package builtin

import (
	"bytes"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/profile"
)

// This file defines what library(prolog_debug) needs of the debugger of a run.

var debugTable = []machine.Builtin{
	{Name: "$debugger", Arity: 2, Func: debuggerCommand, Modes: "+command, -answer",
		Doc: "Tells the debugger of the run something; answer is none if there is none."},
	{Name: "$trace_frame", Arity: 1, Func: traceFrame, Modes: "-id", Doc: "Id is the number of a new frame."},
	{Name: "$trace_pred", Arity: 4, Func: tracePred, Meta: ":---", Modes: ":goal, -module, -kind, -meta",
		Doc: "Tells what a goal calls: the module and kind of its predicate, and its goals among the arguments."},
	{Name: "$trace_body", Arity: 2, Func: traceBody, Modes: "+goal, -body",
		Doc: "Body is a goal as a body, with call/1 around variables."},
	{Name: "$trace_port", Arity: 4, Func: tracePort, Modes: "+port, +frame, +again, -action",
		Doc: "Tells the debugger of a port; action is what it wants."},
	{Name: "$profile", Arity: 0, Func: profileBegin, Modes: "", Doc: "Begins a profile of the run."},
	{Name: "$profile", Arity: 2, Func: profileEnd, Modes: "+most, -text",
		Doc: "Ends the profile that was begun last; text shows at most so many predicates and lines of it."},
	{Name: "$trace_told", Arity: 1, Func: traceTold, Modes: "+result",
		Doc: "Tells the debugger of the result of what it wanted to have evaluated."},
}

var (
	// The atoms that the built-ins exchange with library(prolog_debug): the goal goes on, the same port comes again after
	// an evaluation, and there is no debugger.
	traceContinue = code.AtomCell("continue")
	traceAgain    = code.AtomCell("again")
	noDebugger    = code.AtomCell("none")
)

// debuggerCommand is $debugger/2. The commands and their answers are those of the Debugger, which gets the command
// dereferenced.
func debuggerCommand(m *machine.Machine, a []cell) (bool, error) {
	d := ioOf(m).opts.Debugger
	if d == nil {
		return m.Unify(a[1], noDebugger), nil
	}
	return m.Unify(a[1], d.Command(m, m.Deref(a[0]))), nil
}

// traceFrame is $trace_frame/1. The number is 0 when there is no debugger.
func traceFrame(m *machine.Machine, a []cell) (bool, error) {
	n := int64(0)
	if d := ioOf(m).opts.Debugger; d != nil {
		n = d.Frame()
	}
	return m.Unify(a[0], m.NewInt(n)), nil
}

// tracePred is $trace_pred/4. A predicate of the kind tabled is called and not interpreted. So is one whose determinism
// is watched.
func tracePred(m *machine.Machine, a []cell) (bool, error) {
	p, _, err := calledPred(m, a[0])
	if err != nil {
		return false, err
	}
	kind, home, meta := "undefined", "user", m.NewAtom("none")
	if p != nil && p.Defined() {
		kind, home, meta = predKind(m, p), p.Module.Name, MetaSpec(m, p)
		if p.Has(database.Det) {
			kind = "tabled"
		}
	}
	return m.Unify(a[1], m.NewAtom(home)) && m.Unify(a[2], m.NewAtom(kind)) && m.Unify(a[3], meta), nil
}

// traceBody is $trace_body/2. A goal that is no body is the type error of call/1.
func traceBody(m *machine.Machine, a []cell) (bool, error) {
	body, err := m.Body(m.Deref(a[0]))
	return err == nil && m.Unify(a[1], body), err
}

// tracePort is $trace_port/4. The run waits while the debugger decides, and goes on at once when there is none.
func tracePort(m *machine.Machine, a []cell) (bool, error) {
	action, d := traceContinue, ioOf(m).opts.Debugger
	if d != nil {
		var err error
		if action, err = d.Port(m, m.Deref(a[0]), m.Deref(a[1]), m.Deref(a[2]) == traceAgain); err != nil {
			return false, err
		}
	}
	return m.Unify(a[3], action), nil
}

// traceTold is $trace_told/1. It always succeeds.
func traceTold(m *machine.Machine, a []cell) (bool, error) {
	if d := ioOf(m).opts.Debugger; d != nil {
		d.Told(m, m.Deref(a[0]))
	}
	return true, nil
}

// profileBegin is $profile/0. Profiles nest: the one that was begun last ends first.
func profileBegin(m *machine.Machine, _ []cell) (bool, error) {
	machine.Profile(m, &profile.Profile{})
	return true, nil
}

// profileEnd is $profile/2. It fails when no profile was begun.
func profileEnd(m *machine.Machine, a []cell) (bool, error) {
	most, err := m.IntArg(a[0])
	if err != nil {
		return false, err
	}
	p := machine.EndProfile(m)
	if p == nil {
		return false, nil
	}
	var text bytes.Buffer
	if err := p.WriteText(&text, most); err != nil {
		return false, err
	}
	return m.Unify(a[1], m.NewString(text.String())), nil
}
