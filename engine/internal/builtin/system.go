package builtin

import (
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/arith"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
)

// This file defines the predicates on the run itself: its end, its measures, its environment.

var systemTable = []machine.Builtin{
	{Name: "halt", Arity: 0, Func: halt, Doc: "Ends the program."},
	{Name: "halt", Arity: 1, Func: halt, Modes: "+status", Doc: "Ends the program with an exit status."},
	{Name: "statistics", Arity: 2, Func: statistics, Modes: "+key, -value", Doc: "Value is a measure of the run."},
	{Name: "getenv", Arity: 2, Func: getenv, Modes: "+name, -value", Doc: "Value is the value of an environment variable."},
	{Name: "garbage_collect", Arity: 0, Func: nothing, Doc: "Does nothing: garbage is collected when it is time."},
	{Name: "garbage_collect_atoms", Arity: 0, Func: nothing, Doc: "Does nothing: atoms go when nobody holds them."},
	{Name: "garbage_collect_clauses", Arity: 0, Func: nothing, Doc: "Does nothing: clauses go when nobody sees them."},
	{Name: "trim_stacks", Arity: 0, Func: nothing, Doc: "Does nothing: stacks shrink between runs."},
	{Name: "thread_self", Arity: 1, Func: threadSelf, Modes: "-thread", Doc: "Thread is main, the only one."},
}

func nothing(*machine.Machine, []cell) (bool, error) { return true, nil }

// halt is halt/0,1 (ISO 13211-1, 8.17.3, 8.17.4).
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

func threadSelf(m *machine.Machine, a []cell) (bool, error) {
	return m.Unify(a[0], m.NewAtom("main")), nil
}

func getenv(m *machine.Machine, a []cell) (bool, error) {
	if machine.IsVar(m.Deref(a[0])) {
		return false, m.InstantiationError()
	}
	name, ok := m.TextOf(a[0])
	if !ok {
		return false, m.TypeError("text", a[0])
	}
	env := ioOf(m).opts.Env
	if env == nil {
		return false, nil
	}
	value, ok := env(name)
	return ok && m.Unify(a[1], m.NewAtom(value)), nil
}

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

// measures are the keys of statistics/2.
var measures = map[string]func(m *machine.Machine, x *IO) cell{
	"runtime":            runtimeMeasure,
	"system_time":        func(m *machine.Machine, _ *IO) cell { return numberPair(m, 0, 0) },
	"walltime":           walltimeMeasure,
	"real_time":          realTimeMeasure,
	"cputime":            cpuMeasure,
	"process_cputime":    cpuMeasure,
	"inferences":         func(m *machine.Machine, _ *IO) cell { return m.NewInt(m.Inferences()) },
	"epoch":              epochMeasure,
	"process_epoch":      epochMeasure,
	"stack":              heapMeasure,
	"globalused":         heapMeasure,
	"memory":             func(m *machine.Machine, _ *IO) cell { return numberPair(m, int64(m.Stats().HeapBytes), 0) },
	"core":               func(m *machine.Machine, _ *IO) cell { return numberPair(m, int64(m.Stats().HeapBytes), 0) },
	"global_stack":       func(m *machine.Machine, _ *IO) cell { return numberPair(m, int64(m.Stats().HeapBytes), 0) },
	"atoms":              func(m *machine.Machine, _ *IO) cell { return m.NewInt(int64(code.AtomCount())) },
	"predicates":         func(m *machine.Machine, _ *IO) cell { return m.NewInt(int64(len(m.Program().Preds()))) },
	"modules":            func(m *machine.Machine, _ *IO) cell { return m.NewInt(int64(len(m.Program().Modules()))) },
	"codes":              func(m *machine.Machine, _ *IO) cell { return m.NewInt(int64(len(m.Program().Code()))) },
	"threads":            func(*machine.Machine, *IO) cell { return code.MakeInt(1) },
	"engines":            func(*machine.Machine, *IO) cell { return code.MakeInt(0) },
	"garbage_collection": collectionMeasure,
}

func numberPair(m *machine.Machine, x, y int64) cell {
	return m.List([]cell{m.NewInt(x), m.NewInt(y)}, code.ANil)
}

// runtimeMeasure is the processor time in milliseconds, in all and since it was last asked for.
func runtimeMeasure(m *machine.Machine, x *IO) cell {
	used := arith.CPUTime()
	since := used - x.lastCPU
	x.lastCPU = used
	return numberPair(m, used.Milliseconds(), since.Milliseconds())
}

// walltimeMeasure is the time since the run began in milliseconds, and since it was last asked
// for.
func walltimeMeasure(m *machine.Machine, x *IO) cell {
	t := x.opts.Now()
	since := t.Sub(x.lastWall)
	x.lastWall = t
	return numberPair(m, t.Sub(x.started).Milliseconds(), since.Milliseconds())
}

// realTimeMeasure is the time in seconds since 1970, and since it was last asked for.
func realTimeMeasure(m *machine.Machine, x *IO) cell {
	t := x.opts.Now()
	since := t.Unix() - x.lastReal
	if x.lastReal == 0 {
		since = 0
	}
	x.lastReal = t.Unix()
	return numberPair(m, t.Unix(), since)
}

func cpuMeasure(m *machine.Machine, _ *IO) cell { return m.NewFloat(arith.CPUTime().Seconds()) }

func epochMeasure(m *machine.Machine, x *IO) cell { return m.NewFloat(stampOf(x.started)) }

func heapMeasure(m *machine.Machine, _ *IO) cell { return m.NewInt(int64(m.Stats().HeapBytes)) }

// collectionMeasure is what SWI-Prolog's key tells: collections, bytes gained, milliseconds, bytes
// left.
func collectionMeasure(m *machine.Machine, _ *IO) cell {
	s := m.Stats()
	return m.List([]cell{
		m.NewInt(int64(s.Collections)), m.NewInt(int64(s.HeapPeak - s.HeapBytes)),
		m.NewInt(int64(s.GCTime / time.Millisecond)), m.NewInt(int64(s.HeapBytes)),
	}, code.ANil)
}
