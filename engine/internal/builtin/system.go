package builtin

import (
	"bytes"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/arith"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/profile"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
)

// This file defines the predicates on the run itself: its end, its statistics, its environment. It also defines the
// predicates by which library(prolog_debug) uses the debugger of a run. All their information about the outside comes
// from [IOOptions].

var systemTable = []machine.Builtin{
	{Name: "halt", Arity: 0, Func: halt, Doc: "Ends the program."},
	{Name: "halt", Arity: 1, Func: halt, Modes: "+status", Doc: "Ends the program with an exit status."},
	{Name: "$leave_undecided", Arity: 0, Func: leaveUndecided,
		Doc: "What a served goal comes to is not decided, unless another goal treats that by its name."},
	{Name: "statistics", Arity: 2, Func: statistics, Modes: "+key, -value", Doc: "Value is a measure of the run."},
	{Name: "getenv", Arity: 2, Func: getenv, Modes: "+name, -value",
		Doc: "Value is the value of an environment variable."},
	{Name: "setenv", Arity: 2, Func: setenv, Modes: "+name, +value",
		Doc: "Gives an environment variable a value that this run sees."},
	{Name: "unsetenv", Arity: 1, Func: unsetenv, Modes: "+name",
		Doc: "Removes an environment variable for this run."},
	{Name: "garbage_collect", Arity: 0, Func: nothing, Doc: "Does nothing: garbage is collected automatically."},
	{Name: "garbage_collect_atoms", Arity: 0, Func: nothing, Doc: "Does nothing: unused atoms are freed automatically."},
	{Name: "garbage_collect_clauses", Arity: 0, Func: nothing, Doc: "Does nothing: clauses are freed automatically."},
	{Name: "trim_stacks", Arity: 0, Func: nothing, Doc: "Does nothing: stacks shrink between runs."},
}

// nothing succeeds without an effect. It implements predicates such as garbage_collect/0, which programs for other
// systems call.
func nothing(*machine.Machine, []cell) (bool, error) { return true, nil }

// leaveUndecided is $leave_undecided/0. Outside of a server the goal gets only the error, which a test may expect.
func leaveUndecided(m *machine.Machine, _ []cell) (bool, error) {
	if m.Served {
		machine.LeaveUnanswered(m, "", "a goal has said so by mcp_undecided/0, and another one has taken that for an error")
	}
	return true, nil
}

// halt is halt/0,1 (ISO 13211-1, 8.17.3, 8.17.4). It flushes the outputs and ends the run by an error that no catch/3
// catches. The caller of the run decides whether the process ends. It ignores errors of the outputs, because no goal is
// left to handle them.
func halt(m *machine.Machine, a []cell) (bool, error) {
	status := 0
	if len(a) == 1 {
		var err error
		if status, err = m.IntArg(a[0]); err != nil {
			return false, err
		}
	}
	_ = ioOf(m).Flush()
	return false, &machine.Halt{Code: status}
}

// getenv is getenv/2. It fails for a variable that does not exist, and for all variables if Env is nil.
func getenv(m *machine.Machine, a []cell) (bool, error) {
	name, err := environmentText(m, a[0])
	if err != nil {
		return false, err
	}
	value, ok := ioOf(m).variable(name)
	return ok && m.Unify(a[1], m.NewAtom(value)), nil
}

// environmentText returns the name or the value of an environment variable.
func environmentText(m *machine.Machine, c cell) (string, error) {
	if stacks.IsVar(m.Deref(c)) {
		return "", m.InstantiationError()
	}
	text, ok := m.TextOf(c)
	if !ok {
		return "", m.TypeError("text", c)
	}
	return text, nil
}

// setenv is setenv/2. It sets the variable for this run only, because other runs and programs share the environment of
// the process.
func setenv(m *machine.Machine, a []cell) (bool, error) {
	name, err := environmentText(m, a[0])
	if err != nil {
		return false, err
	}
	value, err := environmentText(m, a[1])
	if err != nil {
		return false, err
	}
	return true, ioOf(m).setVariable(m, name, &value)
}

// unsetenv is unsetenv/1.
func unsetenv(m *machine.Machine, a []cell) (bool, error) {
	name, err := environmentText(m, a[0])
	if err != nil {
		return false, err
	}
	return true, ioOf(m).setVariable(m, name, nil)
}

// setVariable sets an environment variable for the run, nil for unset. The entry counts as memory of the run, and a
// replaced entry no longer counts.
func (x *IO) setVariable(m *machine.Machine, name string, value *string) error {
	size := variableBytes(name, value)
	if old, ok := x.environment[name]; ok {
		size -= variableBytes(name, old)
	}
	if err := m.Hold(size); err != nil {
		return err
	}
	if x.environment == nil {
		x.environment = map[string]*string{}
	}
	x.environment[name] = value
	return nil
}

// variableBytes returns the size of an environment variable.
func variableBytes(name string, value *string) int {
	size := 64 + len(name)
	if value != nil {
		size += len(*value)
	}
	return size
}

// variable returns the value of an environment variable that the run may see. The changes of the run override the
// environment of IOOptions.
func (x *IO) variable(name string) (string, bool) {
	if own, ok := x.environment[name]; ok {
		if own == nil {
			return "", false
		}
		return *own, true
	}
	if x.opts.Env == nil || x.restricted {
		return "", false
	}
	return x.opts.Env(name)
}

// statistics is statistics/2, with the keys of SWI-Prolog that apply here. An unknown key is the domain error
// statistics_key.
func statistics(m *machine.Machine, a []cell) (bool, error) {
	key, err := m.AtomArg(a[0])
	if err != nil {
		return false, err
	}
	measure := measures[key]
	if measure == nil {
		return false, m.DomainError("statistics_key", a[0])
	}
	return m.Unify(a[1], measure(m, ioOf(m))), nil
}

// measures are the keys of statistics/2. Bytes, milliseconds and counts are integers. Keys of SWI-Prolog for things
// that this system does not have or count are zeros.
var measures = map[string]func(m *machine.Machine, x *IO) cell{
	"runtime":         runtimeMeasure,
	"system_time":     func(m *machine.Machine, _ *IO) cell { return numberPair(m, 0, 0) },
	"walltime":        walltimeMeasure,
	"real_time":       realTimeMeasure,
	"cputime":         cpuMeasure,
	"process_cputime": cpuMeasure,
	"inferences":      func(m *machine.Machine, _ *IO) cell { return m.NewInt(m.Inferences()) },
	"epoch":           epochMeasure,
	"process_epoch":   epochMeasure,
	"stack":           heapMeasure,
	"globalused":      heapMeasure,
	"memory":          func(m *machine.Machine, _ *IO) cell { return numberPair(m, int64(m.Stats().HeapBytes), 0) },
	"core":            func(m *machine.Machine, _ *IO) cell { return numberPair(m, int64(m.Stats().HeapBytes), 0) },
	"global_stack":    func(m *machine.Machine, _ *IO) cell { return numberPair(m, int64(m.Stats().HeapBytes), 0) },
	"atoms":           func(m *machine.Machine, _ *IO) cell { return m.NewInt(int64(code.AtomCount())) },
	"predicates":      func(m *machine.Machine, _ *IO) cell { return m.NewInt(int64(len(m.Program().Preds()))) },
	"modules":         func(m *machine.Machine, _ *IO) cell { return m.NewInt(int64(len(m.Program().Modules()))) },
	"codes":           func(m *machine.Machine, _ *IO) cell { return m.NewInt(int64(len(m.Program().Code()))) },
	"clauses":         clausesMeasure,
	"stack_limit":     func(m *machine.Machine, _ *IO) cell { return m.NewInt(stacks.DefaultMemory) },
	"heapused":        heapMeasure,
	"functor_space":   zeroMeasure,
	"shift_time":      func(m *machine.Machine, _ *IO) cell { return m.NewFloat(0) },
	"thread_cputime":  func(m *machine.Machine, _ *IO) cell { return m.NewFloat(0) },
	"threads_created": func(*machine.Machine, *IO) cell { return code.MakeInt(1) },
	"threads_peak":    func(*machine.Machine, *IO) cell { return code.MakeInt(1) },
	"engines_created": zeroMeasure,
	"local":           zeroMeasure,
	"localused":       zeroMeasure,
	"global":          heapMeasure,
	"trail":           zeroMeasure,
	"trailused":       zeroMeasure,
	"agc":             zeroMeasure,
	"agc_gained":      zeroMeasure,
	"agc_time":        func(m *machine.Machine, _ *IO) cell { return m.NewFloat(0) },
	"atom_space":      zeroMeasure,
	"c_stack":         zeroMeasure,
	"functors":        zeroMeasure,
	"global_shifts":   zeroMeasure,
	"local_shifts":    zeroMeasure,
	"trail_shifts":    zeroMeasure,
	"stack_shifts": func(m *machine.Machine, _ *IO) cell {
		return m.List([]cell{code.MakeInt(0), code.MakeInt(0), code.MakeInt(0)}, code.ANil)
	},
	"errors":           zeroMeasure,
	"warnings":         zeroMeasure,
	"table_space_used": zeroMeasure,
	"program": func(m *machine.Machine, _ *IO) cell {
		return numberPair(m, int64(8*len(m.Program().Code())), 0)
	},
	"local_stack":        func(m *machine.Machine, _ *IO) cell { return numberPair(m, 0, 0) },
	"threads":            func(*machine.Machine, *IO) cell { return code.MakeInt(1) },
	"engines":            func(*machine.Machine, *IO) cell { return code.MakeInt(0) },
	"garbage_collection": collectionMeasure,
}

// zeroMeasure is 0, for a key of a thing that does not exist here or is not counted.
func zeroMeasure(*machine.Machine, *IO) cell { return code.MakeInt(0) }

// clausesMeasure counts the clauses of the program.
func clausesMeasure(m *machine.Machine, _ *IO) cell {
	n := 0
	for _, p := range m.Program().Preds() {
		n += len(p.Clauses())
	}
	return m.NewInt(int64(n))
}

// numberPair returns [X, Y], the form of keys with a total and the growth since the last call.
func numberPair(m *machine.Machine, x, y int64) cell {
	return m.List([]cell{m.NewInt(x), m.NewInt(y)}, code.ANil)
}

// runtimeMeasure returns the processor time of the process in milliseconds, in all and since the last call. The first
// call counts since the start of the process.
func runtimeMeasure(m *machine.Machine, x *IO) cell {
	used := arith.CPUTime()
	since := used - x.lastCPU
	x.lastCPU = used
	return numberPair(m, used.Milliseconds(), since.Milliseconds())
}

// walltimeMeasure returns the time since the run began in milliseconds, and since the last call.
func walltimeMeasure(m *machine.Machine, x *IO) cell {
	t := x.opts.now()
	since := t.Sub(x.lastWall)
	x.lastWall = t
	return numberPair(m, t.Sub(x.started).Milliseconds(), since.Milliseconds())
}

// realTimeMeasure returns the time in seconds since 1970, and since the last call. In the first call the difference is
// 0.
func realTimeMeasure(m *machine.Machine, x *IO) cell {
	t := clock(m)
	since := t.Unix() - x.lastReal
	if x.lastReal == 0 {
		since = 0
	}
	x.lastReal = t.Unix()
	return numberPair(m, t.Unix(), since)
}

// cpuMeasure returns the processor time of the process in seconds.
func cpuMeasure(m *machine.Machine, _ *IO) cell { return m.NewFloat(arith.CPUTime().Seconds()) }

// epochMeasure returns the start of the run, as a stamp.
func epochMeasure(m *machine.Machine, x *IO) cell {
	if m.Given != nil && !m.Given.Time.IsZero() {
		return m.NewFloat(stampOf(m.Given.Time))
	}
	return m.NewFloat(stampOf(x.started))
}

// heapMeasure returns the bytes of the heap in use.
func heapMeasure(m *machine.Machine, _ *IO) cell { return m.NewInt(int64(m.Stats().HeapBytes)) }

// collectionMeasure returns the list of SWI-Prolog's key: collections, bytes freed, milliseconds, remaining bytes.
func collectionMeasure(m *machine.Machine, _ *IO) cell {
	s := m.Stats()
	return m.List([]cell{
		m.NewInt(int64(s.Collections)), m.NewInt(int64(s.HeapPeak - s.HeapBytes)),
		m.NewInt(int64(s.GCTime / time.Millisecond)), m.NewInt(int64(s.HeapBytes)),
	}, code.ANil)
}

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
	// The atoms that the built-ins exchange with library(prolog_debug): to continue, to call the same port again after
	// an evaluation, and for no debugger.
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

// tracePred is $trace_pred/4. A predicate of the kind tabled is called and not interpreted. So is a predicate whose
// determinism is watched.
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

// traceBody is $trace_body/2. A goal that is no valid body is the type error of call/1.
func traceBody(m *machine.Machine, a []cell) (bool, error) {
	body, err := m.Body(m.Deref(a[0]))
	return err == nil && m.Unify(a[1], body), err
}

// tracePort is $trace_port/4. The run waits while the debugger decides, and continues at once if there is no debugger.
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

// profileBegin is $profile/0. Profiles nest: the last one to begin ends first.
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
