package debug

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/builtin"
	"github.com/mcplogic/mcplogic/engine/internal/clausetext"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/explain"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/hook"
)

// This file passes the ports of a traced run to its debugger, and reads frames.

type cell = code.Cell

// program is the running program as the debugger uses it. The engine implements it.
type program interface {
	// FileName is the name of a file in messages.
	FileName(file string) string
	// Texts finds clauses in the files of the program.
	Texts() *clausetext.Files
	// ReadGoal reads a goal. Its error is for the user.
	ReadGoal(text string) (*syntax.Read, error)
	// Message is the message of an exception.
	Message(ball term.Term) string
	// ValueText is a value as text, with its larger parts cut.
	ValueText(value term.Term, names map[*term.Var]string) string
	// Translated returns a clause, and translates a grammar rule to a clause with the same variables.
	Translated(clause term.Term) term.Term
}

// tracer is the [builtin.Debugger] of one run.
type tracer struct {
	d     *Debugger
	p     program
	texts *clausetext.Files
	m     *machine.Machine // set during Port
	vars  map[int]*term.Var
	// places caches the lines of goals by clause and number.
	places map[goalKey]syntax.Position
	read   map[clauseKey]*clausetext.Clause
	// called has the texts of goals as they were called, by frame: at port redo their variables still have the values
	// of the last answer.
	called map[int64]string
	// reached has the goals of the last stops at breakpoints, by the frame whose clause was running.
	reached map[int64]lineGoal

	passing bool // an exception has been shown, and now passes the outer frames
	stop    *Stop
	thrown  term.Term
	tests   []breakTest
	tested  *Evaluation
	named   []*term.Var // the variables of the goal under evaluation
	wants   bool        // the evaluation is for the user, not for a condition
}

type goalKey struct {
	clauseKey
	index int
}

// lineGoal is a goal of a clause by its number, 0 for the head, and its line.
type lineGoal struct{ line, index int }

type clauseKey struct {
	file string
	line int
}

// breakTest is a reason to stop, with a condition.
type breakTest struct {
	reason string
	point  spyPoint
}

// frameTerm is a frame of library(prolog_debug).
type frameTerm struct {
	id     int64
	depth  int
	goal   cell // Module:Goal
	index  int  // the number of the goal in its clause, 0 for none
	at     cell // the place of the clause, 0 for none
	head   cell // Module:Head
	parent cell
}

func init() {
	hook.Tracer = func(debugger, of any) any { return newTracer(debugger.(*Debugger), of.(program)) }
}

// newTracer makes the tracer of one run for a debugger, which is not nil.
func newTracer(d *Debugger, p program) builtin.Debugger {
	d.begin()
	return &tracer{d: d, p: p, texts: p.Texts(), places: map[goalKey]syntax.Position{},
		read: map[clauseKey]*clausetext.Clause{}}
}

// TracesFrom reports whether a goal is to be traced, because the debugger is active or the goal calls trace/0, spy/1 or
// the like.
func (d *Debugger) TracesFrom(goal term.Term) bool {
	return d.Active() || slices.ContainsFunc(clausetext.BodyGoals(goal), func(name string) bool {
		return name == "trace" || name == "spy" || name == "debug"
	})
}

// functorOf is the functor of a goal.
func functorOf(m *machine.Machine, goal cell) cell {
	if goal.Tag() == code.Atom {
		return code.MakeFunctor(goal.Atom(), 0)
	}
	return m.Functor(goal)
}

// Frame numbers the frames.
func (t *tracer) Frame() int64 {
	t.d.mu.Lock()
	defer t.d.mu.Unlock()
	t.d.frames++
	return t.d.frames
}

// Port decides whether to stop.
func (t *tracer) Port(m *machine.Machine, port, frame cell, again bool) (cell, error) {
	t.m, t.vars = m, map[int]*term.Var{}
	defer func() { t.m, t.vars = nil, nil }()
	if !again {
		t.stop, t.tests, t.tested, t.wants = nil, nil, nil, false
		reason, leashed := t.decide(port, frame)
		if reason == "" && len(t.tests) == 0 {
			return code.AtomCell("continue"), nil
		}
		t.stop = &Stop{Port: t.portName(port), Reason: reason, Leashed: leashed, t: t}
		t.note(port)
	}
	t.stop.chain, t.stop.frames = t.chain(frame), nil
	if t.stop.Port == PortUnify {
		t.enterClause(port)
	}
	if goal, ok := t.nextTest(); ok {
		return goal, nil
	}
	if t.stop.Reason == "" {
		return code.AtomCell("continue"), nil
	}
	return t.ask()
}

// ask calls Stop until it returns an action that ends the stop or a valid goal to evaluate.
func (t *tracer) ask() (action cell, err error) {
	m, s := t.m, t.stop
	if t.d.Stop == nil {
		return code.AtomCell("continue"), nil
	}
	if t.wants {
		s.Result, t.tested, t.wants = t.tested, nil, false
	}
	for {
		var a Action
		if err := machine.Untimed(m, func(ctx context.Context) { a = t.d.Stop(ctx, s) }); err != nil {
			return 0, err
		}
		s.Result = nil
		if a.Kind != ActEvaluate {
			return t.act(a)
		}
		goal, err := t.evaluation(a.Goal, a.Frame)
		if err == nil {
			t.wants = true
			return goal, nil
		}
		s.Result = &Evaluation{Error: err.Error()}
	}
}

// act translates an action to the term that the library understands.
func (t *tracer) act(a Action) (cell, error) {
	t.d.resume(a, t.stop)
	switch a.Kind {
	case ActAbort:
		return 0, &machine.Aborted{Reason: AbortedByUser}
	case ActFail:
		return code.AtomCell("fail"), nil
	case ActIgnore:
		return code.AtomCell("ignore"), nil
	case ActRetry:
		if a.Frame >= 0 && a.Frame < len(t.stop.chain) {
			return t.m.NewStruct("retry", t.m.NewInt(t.stop.chain[a.Frame].id)), nil
		}
	}
	return code.AtomCell("continue"), nil
}

// nextTest returns the evaluation of the next condition. When one holds, or cannot be evaluated, the run stops.
func (t *tracer) nextTest() (cell, bool) {
	if t.wants || t.stop.Reason != "" {
		return 0, false
	}
	for len(t.tests) > 0 {
		test := t.tests[0]
		if done := t.tested; done != nil {
			t.tested, t.tests = nil, t.tests[1:]
			if done.True || done.Error != "" {
				t.stop.Reason, t.stop.Condition = test.reason, done.Error
				return 0, false
			}
			continue
		}
		goal, err := t.condition(test.point)
		if err == nil {
			return goal, true
		}
		t.stop.Reason, t.stop.Condition = test.reason, err.Error()
		return 0, false
	}
	return 0, false
}

// condition is the call that evaluates the condition of a breakpoint.
func (t *tracer) condition(point spyPoint) (cell, error) {
	if point.goal == nil {
		return t.evaluation(point.text, 0)
	}
	vars := map[*term.Var]cell{}
	head, goal := t.m.ImportWith(point.head, vars), t.m.ImportWith(point.goal, vars)
	_, called := t.unqualified(t.stop.chain[0].goal)
	test := t.m.NewStruct(",", t.m.NewStruct("=", called, head), goal)
	t.named = nil
	return t.m.NewStruct("eval", test, code.ANil), nil
}

// evaluation is the call of a goal given as text. Variables of the clause have their values in it.
func (t *tracer) evaluation(text string, frame int) (cell, error) {
	read, err := t.p.ReadGoal(text)
	if err != nil {
		return 0, err
	}
	known := map[string]Variable{}
	for _, v := range t.stop.Variables(frame) {
		known[v.Name] = v
	}
	cells := map[*term.Var]cell{}
	for address, v := range t.vars {
		cells[v] = code.MakeRef(address)
	}
	t.named = nil
	var template []cell
	for _, v := range read.Vars {
		if value, ok := known[v.Name]; ok {
			cells[v.Var] = t.m.ImportWith(value.Value, cells)
		}
		t.named = append(t.named, v.Var)
	}
	goal := t.m.ImportWith(read.Term, cells)
	for _, v := range t.named {
		template = append(template, t.m.ImportWith(v, cells))
	}
	return t.m.NewStruct("eval", goal, t.m.List(template, code.ANil)), nil
}

// bind gives an unbound variable the value of a text.
func (t *tracer) bind(name, value string, frame int) error {
	if _, err := t.p.ReadGoal(value); err != nil { // the value has to be a complete term
		return err
	}
	eval, err := t.evaluation(name+" = (\n"+value+"\n)", frame)
	if err != nil {
		return err
	}
	goal := t.m.Deref(t.m.Arg(eval, 0))
	if goal.Tag() != code.Str || !t.m.Unify(t.m.Arg(goal, 0), t.m.Arg(goal, 1)) {
		return fmt.Errorf("%s is no value of %s", value, name)
	}
	t.stop.frames = nil
	return nil
}

// Told takes the result of an evaluation.
func (t *tracer) Told(m *machine.Machine, result cell) {
	t.tested = &Evaluation{}
	value := m.Export(result)
	if args, ok := term.Is(value, "exception", 1); ok {
		t.tested.Error = t.p.Message(args[0])
		return
	}
	args, ok := term.Is(value, "true", 1)
	if !ok {
		return
	}
	t.tested.True = true
	values, _ := term.Slice(args[0])
	for i, v := range t.named {
		if i < len(values) {
			_, unbound := values[i].(*term.Var)
			t.tested.Values = append(t.tested.Values, Variable{Name: v.Name, Value: values[i],
				Text: t.p.ValueText(values[i], nil), Bound: !unbound})
		}
	}
}

// decide returns the reason to stop at a port, or "". Reasons with conditions become tests.
func (t *tracer) decide(port, frame cell) (reason string, leashed bool) {
	d, m := t.d, t.m
	d.mu.Lock()
	defer d.mu.Unlock()
	name := t.portName(port)
	first := name == PortException && !t.passing
	t.passing = name == PortException
	f := t.frameOf(frame)
	shown := !d.hidden[name] && name != PortUnify
	leashed = !d.unleash[name]
	if d.Ports != nil {
		shown, leashed = slices.Contains(d.Ports, name), true
	}
	if d.pause && name != PortUnify {
		d.pause = false
		return "pause", true
	}
	switch d.mode {
	case modeCreep:
		if shown {
			return "step", leashed
		}
	case modeSkip:
		if f.id == d.until && (name == PortExit || name == PortFail || name == PortException) {
			return "step", leashed
		}
		if d.Ports == nil {
			return "", false
		}
	case modeOver:
		if shown && f.depth <= d.depth {
			return "step", leashed
		}
	}
	if !d.on {
		return "", false
	}
	if first && (d.trapping || d.uncaught && !t.caught(port, frame) || len(d.traps) > 0 && t.trapped(port)) {
		return "exception", true
	}
	if len(d.lines) > 0 && (name == PortCall || name == PortUnify) {
		if condition, ok := t.lineStop(name, port, f); ok {
			if condition == "" {
				return "breakpoint", true
			}
			t.tests = append(t.tests, breakTest{"breakpoint", spyPoint{text: condition}})
		}
	}
	if len(d.spies) > 0 && (name != PortUnify) {
		module, goal := t.unqualified(f.goal)
		functor := functorOf(m, goal)
		key := spyKey{module, code.AtomText(functor.FunctorAtom()), functor.FunctorArity()}
		if point, ok := d.spies[key]; ok && (name == PortCall || d.Ports == nil) {
			if point.goal == nil && point.text == "" {
				return "spy", true
			}
			if name == PortCall {
				t.tests = append(t.tests, breakTest{"spy", point})
			}
		}
	}
	return "", true
}

// lineStop reports whether there is a breakpoint at the line of a goal or the beginning of a clause, and returns its
// condition. A breakpoint without a condition stops at the first goal on its line only.
func (t *tracer) lineStop(name Port, port cell, f frameTerm) (condition string, ok bool) {
	at, id, index := f.at, f.id, 0
	if name == PortUnify {
		at = t.m.Deref(t.m.Arg(port, 0))
	} else if f.index == 0 {
		return "", false
	}
	file, line, _ := t.clauseAt(at)
	lines := t.d.lines[file]
	if lines == nil {
		lines = t.d.lines[t.p.FileName(file)]
	}
	if len(lines) > 0 && name != PortUnify {
		line, index = t.place(f).Line, f.index
		if f.parent.Tag() == code.Str {
			id = t.frameOf(f.parent).id
		}
	}
	condition, ok = lines[line]
	return condition, ok && (condition != "" || t.reaches(id, lineGoal{line, index}))
}

// maxReached bounds the entries of tracer.reached.
const maxReached = 10_000

// reaches notes a stop at a goal and reports whether it is the first stop on its line for the clause that a frame runs.
func (t *tracer) reaches(frame int64, at lineGoal) bool {
	if last, ok := t.reached[frame]; ok && last.line == at.line && last.index < at.index {
		return false
	}
	if t.reached == nil || len(t.reached) >= maxReached {
		t.reached = map[int64]lineGoal{}
	}
	t.reached[frame] = at
	return true
}

// trapped reports whether an exception was named by trap/1.
func (t *tracer) trapped(port cell) bool {
	ball, ok := term.Is(t.m.Export(t.m.Arg(port, 0)), "error", 2)
	return ok && slices.ContainsFunc(t.d.traps, func(formal term.Term) bool {
		return explain.Match(formal, ball[0], map[*term.Var]term.Term{})
	})
}

// caught reports whether an outer goal catches the exception of a port.
func (t *tracer) caught(port, frame cell) bool {
	ball := t.m.Export(t.m.Arg(port, 0))
	return slices.ContainsFunc(t.chain(frame), func(f frameTerm) bool {
		_, goal := t.unqualified(f.goal)
		c, ok := t.m.Export(goal).(*term.Compound)
		return ok && len(c.Args) == 3 && (c.Functor == "catch" || c.Functor == "catch_with_backtrace") &&
			explain.Match(c.Args[1], ball, map[*term.Var]term.Term{})
	})
}

// portName is the name of a port, which may have an argument.
func (t *tracer) portName(port cell) Port {
	if port.Tag() == code.Str {
		return Port(code.AtomText(t.m.Functor(port).FunctorAtom()))
	}
	return Port(stacks.AtomText(port))
}

// note keeps the exception of a port.
func (t *tracer) note(port cell) {
	t.thrown = nil
	if t.stop.Port == PortException {
		t.thrown = t.m.Export(t.m.Arg(port, 0))
	}
}

// ball is the exception of the port as text.
func (t *tracer) ball() string {
	if t.thrown == nil {
		return ""
	}
	return strings.TrimPrefix(t.p.Message(t.thrown), "Unhandled exception: ") // something may still catch it
}

// frameOf reads a frame.
func (t *tracer) frameOf(c cell) frameTerm {
	m := t.m
	f := frameTerm{id: m.Deref(m.Arg(c, 0)).Int(), depth: int(m.Deref(m.Arg(c, 1)).Int()), parent: m.Deref(m.Arg(c, 2)),
		goal: m.Deref(m.Arg(c, 3))}
	if in := m.Deref(m.Arg(c, 4)); in.Tag() == code.Str {
		f.index = int(m.Deref(m.Arg(in, 0)).Int())
		f.at, f.head = m.Deref(m.Arg(in, 1)), m.Deref(m.Arg(in, 2))
	}
	return f
}

// chain reads a frame and its outer frames, up to 10,000.
func (t *tracer) chain(c cell) (list []frameTerm) {
	const most = 10_000
	for c.Tag() == code.Str && len(list) < most {
		f := t.frameOf(c)
		list = append(list, f)
		c = f.parent
	}
	return list
}

// enterClause makes the innermost frame the frame of a clause whose head has matched.
func (t *tracer) enterClause(port cell) {
	f := &t.stop.chain[0]
	f.index, f.at, f.head = 0, t.m.Deref(t.m.Arg(port, 0)), f.goal
}

// unqualified takes Module:Goal apart.
func (t *tracer) unqualified(c cell) (module string, goal cell) {
	m := t.m
	return stacks.AtomText(m.Deref(m.Arg(c, 0))), m.Deref(m.Arg(c, 1))
}

// export makes a Go term. A cell variable has the same Go variable for the whole stop.
func (t *tracer) export(c cell) term.Term { return t.m.ExportWith(c, t.vars) }

// stackFrame is a frame for the user.
func (t *tracer) stackFrame(s *Stop, i int) StackFrame {
	f := s.chain[i]
	module, goal := t.unqualified(f.goal)
	functor := functorOf(t.m, goal)
	predicate := code.AtomText(functor.FunctorAtom()) + "/" + strconv.Itoa(functor.FunctorArity())
	text := t.text(goal)
	if i == 0 && s.Port == PortCall {
		if len(t.called) > 1000 {
			t.called = nil
		}
		if t.called == nil {
			t.called = map[int64]string{}
		}
		t.called[f.id] = text
	} else if before, ok := t.called[f.id]; ok && i == 0 && s.Port == PortRedo {
		text = before
	}
	if module != "user" && module != "system" {
		predicate, text = module+":"+predicate, module+":"+text
	}
	path, _, _ := t.clauseAt(f.at)
	return StackFrame{ID: f.id, Depth: f.depth, Goal: text, Predicate: predicate, Path: path, Position: t.place(f)}
}

// text is a goal as text. Variables have the names of their cells.
func (t *tracer) text(c cell) string {
	exported := t.export(c)
	return t.p.ValueText(exported, t.varNames())
}

func (t *tracer) varNames() map[*term.Var]string {
	names := make(map[*term.Var]string, len(t.vars))
	for address, v := range t.vars {
		names[v] = "_" + strconv.Itoa(address)
	}
	return names
}

// clauseAt reads at(File, Line, Body).
func (t *tracer) clauseAt(at cell) (file string, line int, body cell) {
	m := t.m
	if at == 0 || at.Tag() != code.Str {
		return "", 0, 0
	}
	if m.Functor(at).FunctorArity() != 3 {
		return "", 0, m.Deref(m.Arg(at, 0))
	}
	return stacks.AtomText(m.Deref(m.Arg(at, 0))), int(m.Deref(m.Arg(at, 1)).Int()), m.Deref(m.Arg(at, 2))
}

// place is the position of a frame's goal: its line, or else the line of its clause.
func (t *tracer) place(f frameTerm) syntax.Position {
	file, line, body := t.clauseAt(f.at)
	if file == "" {
		return syntax.Position{}
	}
	name := t.p.FileName(file)
	at := syntax.Position{File: name, Place: syntax.Place{Line: line}}
	if f.index == 0 {
		return at
	}
	key := goalKey{clauseKey{file, line}, f.index}
	if known, ok := t.places[key]; ok {
		return known
	}
	module, _ := t.unqualified(f.head)
	if c := t.clause(key.clauseKey, module); c != nil {
		if place, ok := c.GoalPlace(t.m.Export(body), f.index); ok {
			at.Line, at.Column = line-1+place.Line, place.Column
		}
	}
	t.places[key] = at
	return at
}

// variables returns the variables of the clause that a goal stands in.
func (t *tracer) variables(s *Stop, i int) []Variable {
	f := s.chain[i]
	file, line, body := t.clauseAt(f.at)
	if file == "" {
		return nil
	}
	module, head := t.unqualified(f.head)
	c := t.clause(clauseKey{file, line}, module)
	if c == nil {
		return nil
	}
	values := c.Values(t.export(head), t.export(body))
	names := t.varNames()
	var list []Variable
	for _, v := range c.Read.Vars {
		value, ok := values[v.Var]
		if !ok {
			continue
		}
		_, unbound := value.(*term.Var)
		list = append(list, Variable{Name: v.Name, Value: value, Text: t.p.ValueText(value, names), Bound: !unbound})
	}
	return list
}

// clause reads a clause again. It is nil if the clause is gone.
func (t *tracer) clause(key clauseKey, module string) *clausetext.Clause {
	if c, ok := t.read[key]; ok {
		return c
	}
	var c *clausetext.Clause
	if read, _ := t.texts.Clause(explain.Place{File: key.file, Path: key.file, Line: key.line}, module); read != nil {
		c = &clausetext.Clause{Read: read, Term: t.p.Translated(read.Term)}
	}
	t.read[key] = c
	return c
}
