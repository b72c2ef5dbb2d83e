// Package debug stops the goals of a program where the user wants to inspect them. The engine traces runs with a
// [Debugger] in their options.
package debug

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/lazyregexp"
	"github.com/mcplogic/mcplogic/internal/shapes"
)

// This file defines the debugger: at which ports of goals a traced run stops, and what happens then.

// Debugger stops traced runs at the ports of their goals. A run with a debugger in its options is interpreted by
// library(prolog_debug) and is much slower; other runs are not affected. trace/0, spy/1 and the like set where it
// stops, and so do its methods, which any goroutine may call. A debugger serves one run at a time.
type Debugger struct {
	// Stop is called at each port that is to be shown. Its result says how to continue. Its time does not count against
	// the limits of the run. ctx ends with the run. nil: the run never stops.
	Stop func(ctx context.Context, s *Stop) Action
	// Ports are the ports that single steps stop at. nil: the ports that visible/1 and leash/1 select.
	Ports []Port

	mu       sync.Mutex
	on       bool // spy points count
	mode     traceMode
	until    int64 // the frame whose exit, failure or exception ends modeSkip
	depth    int   // the depth below which modeOver does not stop
	pause    bool  // the next port stops
	frames   int64
	unleash  map[Port]bool
	hidden   map[Port]bool
	spies    map[spyKey]spyPoint
	lines    map[string]map[int]string // conditions of breakpoints, by file and line
	traps    []term.Term
	trapping bool // all exceptions
	uncaught bool // exceptions that no goal seems to catch
}

// Port is an event in the execution of a goal.
type Port string

// The ports. A goal is called, exits with an answer, is asked for another answer, fails, or throws. At port unify the
// head of a clause has matched.
const (
	PortCall      Port = "call"
	PortExit      Port = "exit"
	PortRedo      Port = "redo"
	PortFail      Port = "fail"
	PortException Port = "exception"
	PortUnify     Port = "unify"
)

var allPorts = []Port{PortCall, PortExit, PortRedo, PortFail, PortException, PortUnify}

// traceMode says where the run may stop next.
type traceMode uint8

const (
	modeLeap traceMode = iota // spy points and breakpoints stop
	modeCreep
	modeSkip // only the end of a certain frame stops
	modeOver // frames below a depth stop only at breakpoints
)

// Action says how a run continues after a stop.
type Action struct {
	Kind ActionKind
	// Goal is the text of the goal that ActEvaluate calls. Variables of the clause around frame Frame, counted from the
	// innermost frame, have their values in it.
	Goal  string
	Frame int
}

// AbortedByUser is the reason of the [Aborted] that ends a run at a stop.
const AbortedByUser = "by the user"

// ActionKind is the kind of an [Action].
type ActionKind uint8

// The kinds of actions.
const (
	ActCreep    ActionKind = iota // to the next port
	ActLeap                       // to the next spy point or breakpoint
	ActSkip                       // to the end of the goal
	ActUp                         // to the end of the goal around it
	ActOver                       // to the next port that is not deeper
	ActOut                        // to the next port that is higher
	ActRetry                      // calls the goal of the frame Frame again
	ActFail                       // makes the goal fail
	ActIgnore                     // makes the goal succeed, or continues after an exception
	ActAbort                      // ends the run
	ActNoDebug                    // runs without further stops
	ActEvaluate                   // calls a goal; Stop is called again with the result
	ActPass                       // continues as if the run had not stopped
)

type spyKey struct {
	module, name string
	arity        int
}

// spyPoint is a spy point or breakpoint with its condition. The condition is a head and a goal with common variables,
// or a text, or missing.
type spyPoint struct {
	head, goal term.Term
	text       string
}

// Active reports whether goals should be traced, because there is something to stop at.
func (d *Debugger) Active() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.on || d.mode != modeLeap
}

// Tracing reports whether trace/0 is in force.
func (d *Debugger) Tracing() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.mode != modeLeap
}

// Trace turns on debug mode. If creep is true, the run also stops at the next port.
func (d *Debugger) Trace(creep bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.on, d.mode = true, modeLeap
	if creep {
		d.mode = modeCreep
	}
}

// NoDebug ends debug mode.
func (d *Debugger) NoDebug() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.on, d.mode = false, modeLeap
}

// Pause makes the run stop at its next port.
func (d *Debugger) Pause() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.pause = true
}

// SetLines replaces the breakpoints of a file: the conditions by line, "" for none.
func (d *Debugger) SetLines(file string, conditions map[int]string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.lines == nil {
		d.lines = map[string]map[int]string{}
	}
	d.lines[file], d.on = conditions, true
}

// SetSpies replaces the spy points: the conditions, "" for none, by predicate, such as "p/1" or "m:p/1". A condition
// may use the variables of the clause around the goal. Texts that do not name a predicate are ignored.
func (d *Debugger) SetSpies(conditions map[string]string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.spies, d.on = map[spyKey]spyPoint{}, true
	for text, condition := range conditions {
		if key, ok := spyKeyOf(text); ok {
			d.spies[key] = spyPoint{text: condition}
		}
	}
}

// plainModule matches the name of a module that needs no quotes.
var plainModule = lazyregexp.New(`^[\pL_][\pL\pN_]*$`)

// ParseIndicator reads NAME/ARITY or MODULE:NAME/ARITY; ok is false for other texts. The default module is user. Names
// may be written without quotes, so that :-/2 means (:-)/2, or in quotes.
func ParseIndicator(text string) (module, name string, arity int, ok bool) {
	if strings.Contains(text, "'") {
		return quotedIndicator(text)
	}
	module, name = "user", text
	before, after, _ := strings.Cut(text, ":")
	if plainModule().MatchString(before) && after != "" && after[0] != '/' {
		module, name = before, after
	}
	slash := strings.LastIndexByte(name, '/')
	if slash < 1 {
		return "", "", 0, false
	}
	arity, err := strconv.Atoi(name[slash+1:])
	return module, name[:slash], arity, err == nil && arity >= 0
}

// quotedIndicator reads an indicator that is a term.
func quotedIndicator(text string) (module, name string, arity int, ok bool) {
	read, err := syntax.ParseTerm(text, syntax.StandardOps(), nil)
	if err != nil {
		return "", "", 0, false
	}
	in, t := term.Atom("user"), read.Term
	if parts, ok := term.Is(t, ":", 2); ok {
		in, _ = parts[0].(term.Atom)
		t = parts[1]
	}
	atom, arity, grammar, ok := shapes.NameArity(t)
	return string(in), string(atom), arity, ok && !grammar && in != ""
}

// spyKeyOf returns the key of the predicate of an indicator.
func spyKeyOf(text string) (key spyKey, ok bool) {
	key.module, key.name, key.arity, ok = ParseIndicator(text)
	return key, ok
}

// Spy sets or removes a spy point on a predicate, which is named as in [StackFrame].
func (d *Debugger) Spy(predicate string, on bool) {
	key, ok := spyKeyOf(predicate)
	if !ok {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if !on {
		delete(d.spies, key)
		return
	}
	if d.spies == nil {
		d.spies = map[spyKey]spyPoint{}
	}
	d.spies[key], d.on = spyPoint{}, true
}

// TrapExceptions makes exceptions stop the run where they are thrown: all exceptions, or those that no catch/3 around
// the goal catches.
func (d *Debugger) TrapExceptions(all, uncaught bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.trapping, d.uncaught, d.on = all, uncaught, true
}

// resume sets where the run may stop next.
func (d *Debugger) resume(a Action, s *Stop) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch a.Kind {
	case ActCreep, ActIgnore, ActFail, ActRetry:
		d.mode = modeCreep
	case ActLeap:
		d.mode = modeLeap
	case ActSkip:
		d.mode, d.until = modeSkip, s.frame(0).ID
		if s.Port == PortExit || s.Port == PortFail || s.Port == PortException {
			d.mode = modeCreep // it has ended
		}
	case ActUp:
		d.mode = modeCreep
		if len(s.chain) > 1 {
			d.mode, d.until = modeSkip, s.frame(1).ID
		}
	case ActOver:
		d.mode, d.depth = modeOver, s.frame(0).Depth
	case ActOut:
		d.mode, d.depth = modeOver, s.frame(0).Depth-1
	case ActNoDebug:
		d.on, d.mode = false, modeLeap
	}
}

// begin prepares for a run: it forgets the frames of the previous one.
func (d *Debugger) begin() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.mode != modeLeap {
		d.mode = modeCreep
	}
}

// Stop describes a stopped run. It is valid until the function that got it returns.
type Stop struct {
	Port Port
	// Leashed says that the user is asked how to continue; otherwise the port is only shown.
	Leashed bool
	// Reason is step, spy, breakpoint, exception or pause.
	Reason string
	// Condition is the error of evaluating the breakpoint's condition, or "".
	Condition string
	// Result is the result of the last action ActEvaluate at this stop, or nil.
	Result *Evaluation

	t      *tracer
	frames []StackFrame
	chain  []frameTerm
}

// Evaluation is the result of a goal that was called at a stop.
type Evaluation struct {
	// True says that the goal has an answer; Values has the values of its variables.
	True   bool
	Values []Variable
	// Error is the exception as text, or the reason why the goal cannot be read.
	Error string
}

// StackFrame is a goal that was called and has not ended.
type StackFrame struct {
	ID    int64
	Depth int
	// Goal is the goal as text, with its larger parts cut.
	Goal string
	// Predicate is Module:Name/Arity. Module user is left out.
	Predicate string
	// Path is the file of the goal as it was opened.
	Path string
	// Position is the position of the goal, as far as known.
	syntax.Position
}

// Variable is a variable of a clause and its value.
type Variable struct {
	Name  string
	Value term.Term
	// Text is the value as text, with its larger parts cut.
	Text string
	// Bound is false for a variable without a value.
	Bound bool
}

// frame returns a frame by its number, counted from the innermost.
func (s *Stop) frame(i int) *StackFrame { return &s.Frames(i + 1)[i] }

// Frames returns at most a number of innermost frames; 0 stands for all.
func (s *Stop) Frames(most int) []StackFrame {
	if most <= 0 || most > len(s.chain) {
		most = len(s.chain)
	}
	for len(s.frames) < most {
		s.frames = append(s.frames, s.t.stackFrame(s, len(s.frames)))
	}
	return s.frames[:most]
}

// Depth returns how many frames there are.
func (s *Stop) Depth() int { return len(s.chain) }

// Variables returns the variables of the clause that the goal of a frame stands in, in their order.
func (s *Stop) Variables(frame int) []Variable {
	if frame < 0 || frame >= len(s.chain) {
		return nil
	}
	return s.t.variables(s, frame)
}

// Bind gives a value to an unbound variable of the clause that the goal of a frame stands in. The value is a term as
// text, in which other variables of the clause have their values. A variable that already has a value keeps it.
func (s *Stop) Bind(frame int, name, value string) error {
	for _, v := range s.Variables(frame) {
		switch {
		case v.Name != name:
		case v.Bound:
			return fmt.Errorf("%s has a value, which stays", name)
		default:
			return s.t.bind(name, value, frame)
		}
	}
	return fmt.Errorf("there is no variable %s here", name)
}

// Thrown returns the exception at port exception, and nil at other ports.
func (s *Stop) Thrown() term.Term { return s.t.thrown }

// Ball returns the exception at port exception as text.
func (s *Stop) Ball() string { return s.t.ball() }
