package dap_test

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-dap"
	"github.com/stretchr/testify/require"

	debugger "github.com/mcplogic/mcplogic/internal/dap"
	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/tools/wiretest"
)

const debugged = `% rules
:- dynamic seen/1.
top(X) :-
    step(1, Y),
    step(Y, Z),
    check(Z),
    X = Z.
step(X, Y) :-
    assertz(seen(X)),
    Y is X + 1.
check(Z) :- Z > 2.
`

// editor is the client of a session. ended has what Serve returned.
type editor struct {
	*testing.T
	ended  chan error
	in     io.WriteCloser
	out    *bufio.Reader
	seq    int
	output string
}

func start(t *testing.T) *editor {
	t.Helper()
	requests, in, err := os.Pipe() // has a buffer, so that neither side waits for the other to read
	require.NoError(t, err)
	out, answers, err := os.Pipe()
	require.NoError(t, err)
	c := &editor{T: t, ended: make(chan error, 1), in: in, out: bufio.NewReader(out)}
	go func() {
		c.ended <- debugger.Serve(t.Context(), requests, answers, &debugger.Options{Load: &kb.Options{}})
		answers.Close()
	}()
	return c
}

// ask sends a request and returns its response.
func (c *editor) ask(command string, arguments any) dap.Message {
	c.Helper()
	c.seq++
	data, err := json.Marshal(map[string]any{"seq": c.seq, "type": "request", "command": command, "arguments": arguments})
	require.NoError(c, err)
	require.NoError(c, dap.WriteBaseMessage(c.in, data))
	for {
		m := c.next()
		if r, ok := m.(dap.ResponseMessage); ok && r.GetResponse().RequestSeq == c.seq {
			return m
		}
	}
}

func (c *editor) next() dap.Message {
	c.Helper()
	m, err := dap.ReadProtocolMessage(c.out)
	require.NoError(c, err)
	if o, ok := m.(*dap.OutputEvent); ok {
		c.output += o.Body.Output
	}
	return m
}

// stopped waits for a stop and returns its reason and the innermost frame.
func (c *editor) stopped() (reason string, at dap.StackFrame) {
	c.Helper()
	for {
		if e, ok := c.next().(*dap.StoppedEvent); ok {
			stack := c.ask("stackTrace", map[string]any{"threadId": 1}).(*dap.StackTraceResponse)
			return e.Body.Reason, stack.Body.StackFrames[0]
		}
	}
}

// wait waits for an event.
func (c *editor) wait(event string) {
	c.Helper()
	for {
		if e, ok := c.next().(dap.EventMessage); ok && e.GetEvent().Event == event {
			return
		}
	}
}

// begin launches a goal with breakpoints on lines.
func (c *editor) begin(file, goal string, conditions map[int]string) []dap.Breakpoint {
	c.Helper()
	require.True(c, c.ask("initialize", map[string]any{"adapterID": "mcplogic"}).(*dap.InitializeResponse).Success)
	launched := c.ask("launch", map[string]any{"program": file, "goal": goal})
	require.IsType(c, &dap.LaunchResponse{}, launched)
	var list []any
	for line, condition := range conditions {
		list = append(list, map[string]any{"line": line, "condition": condition})
	}
	set := c.ask("setBreakpoints", map[string]any{"source": map[string]any{"path": file}, "breakpoints": list})
	return set.(*dap.SetBreakpointsResponse).Body.Breakpoints
}

// TestSession steps through a goal as an editor does.
func TestSession(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.pl")
	require.NoError(t, os.WriteFile(file, []byte(debugged), 0o600))
	c := start(t)
	set := c.begin(file, "top(X)", map[int]string{5: "Y =:= 2"})
	require.True(t, set[0].Verified)
	c.ask("configurationDone", nil)
	reason, at := c.stopped()
	require.Equal(t, []any{"breakpoint", 5, 5, file}, []any{reason, at.Line, at.Column, at.Source.Path})
	variables := c.ask("variables", map[string]any{"variablesReference": at.Id}).(*dap.VariablesResponse).Body.Variables
	require.Equal(t, "Y", variables[1].Name)
	require.Equal(t, "2", variables[1].Value)
	evaluate := func(context, expression string) string {
		r := c.ask("evaluate", map[string]any{"expression": expression, "frameId": at.Id, "context": context})
		if fault, is := r.(*dap.ErrorResponse); is {
			return "refused: " + fault.Body.Error.Format
		}
		return r.(*dap.EvaluateResponse).Body.Result
	}
	require.Equal(t, "S = 1, W = 20, Y = 2", evaluate("repl", "seen(S), W is Y * 10"))
	require.Contains(t, evaluate("repl", "foo("), "refused")
	require.Equal(t, "true", evaluate("repl", "assertz(seen(77)), seen(77)"))
	require.Equal(t, "false", evaluate("repl", "seen(77)"))
	for _, context := range []string{"hover", "watch", ""} {
		require.Equal(t, "2", evaluate(context, "Y"))
		require.Equal(t, "20", evaluate(context, "Y * 10"))
		for _, goal := range []string{"seen", "assertz(seen(78))", "1\n), assertz(seen(78)), (true", "repeat", "halt",
			"1 % )", "Y, assertz(seen(78))"} {
			require.Contains(t, evaluate(context, goal), "refused", goal)
		}
	}
	require.Equal(t, "false", evaluate("repl", "seen(78)"))

	c.ask("next", map[string]any{"threadId": 1})
	_, at = c.stopped()
	require.Equal(t, "call: check(3)", at.Name)
	c.ask("stepIn", map[string]any{"threadId": 1})
	_, at = c.stopped()
	require.Equal(t, []any{"call: 3>2", 11}, []any{at.Name, at.Line})
	c.ask("stepOut", map[string]any{"threadId": 1})
	_, at = c.stopped()
	require.Equal(t, 7, at.Line)
	c.ask("continue", map[string]any{"threadId": 1})
	c.wait("terminated")
	require.Contains(t, c.output, "X = 3.")
	c.ask("disconnect", nil)
	require.NoError(t, <-c.ended)
}

// TestExceptions stops where a goal throws, and at predicates.
func TestExceptions(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.pl")
	require.NoError(t, os.WriteFile(file, []byte(debugged), 0o600))
	c := start(t)
	c.begin(file, "step(a, _)", nil)
	spied := c.ask("setFunctionBreakpoints", map[string]any{"breakpoints": []any{map[string]any{"name": "nosuch/9"},
		map[string]any{"name": "step"}, map[string]any{"name": "step/2"}, map[string]any{"name": "user:step/2"}}})
	for i, b := range spied.(*dap.SetFunctionBreakpointsResponse).Body.Breakpoints {
		require.Equal(t, i > 1, b.Verified, "%d: %s", i, b.Message)
	}
	c.ask("setFunctionBreakpoints", map[string]any{"breakpoints": []any{map[string]any{"name": "step/2"}}})
	c.ask("setExceptionBreakpoints", map[string]any{"filters": []string{"all"}})
	c.ask("configurationDone", nil)
	reason, _ := c.stopped()
	require.Equal(t, "function breakpoint", reason)
	require.IsType(t, &dap.ErrorResponse{}, c.ask("exceptionInfo", map[string]any{"threadId": 1}))
	c.ask("continue", map[string]any{"threadId": 1})
	reason, at := c.stopped()
	require.Equal(t, []any{"exception", 10}, []any{reason, at.Line})
	info := c.ask("exceptionInfo", map[string]any{"threadId": 1}).(*dap.ExceptionInfoResponse).Body
	require.Equal(t, "type_error", info.ExceptionId)
	require.Contains(t, info.Description, "is not a function")
	c.ask("continue", map[string]any{"threadId": 1})
	c.wait("exited")
	require.Contains(t, c.output, "is not a function")
}

// TestUncaught stops at exceptions that nothing catches.
func TestUncaught(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.pl")
	require.NoError(t, os.WriteFile(file, []byte(`bad(X) :-
    X is foo + 1.
other :-
    throw(other).
calm :- catch(bad(_), _, true), catch(bad(_), error(type_error(_, _), _), true), catch(findall(X, bad(X), _), E, true),
    nonvar(E), catch_with_backtrace(other, other, true), catch(catch(other, mine, true), other, true).
again :- catch(bad(_), E, (print_message(silent, E), other)).
wrong :- catch(other, mine, true).
late :- catch(true, _, true), other.
inner :- catch(forall(member(X, [1]), bad(X)), never(_), true).
`), 0o600))
	for goal, line := range map[string]int{"calm": 0, "bad(_)": 2, "wrong": 4, "late": 4, "again": 4, "inner": 2,
		"catch(wrong, _, true)": 0} {
		c := start(t)
		c.begin(file, goal, nil)
		c.ask("setExceptionBreakpoints", map[string]any{"filters": []string{"uncaught"}})
		c.ask("configurationDone", nil)
		if line > 0 {
			reason, at := c.stopped()
			require.Equal(t, []any{"exception", line}, []any{reason, at.Line}, goal)
			info := c.ask("exceptionInfo", map[string]any{"threadId": 1}).(*dap.ExceptionInfoResponse).Body
			require.NotContains(t, info.Description, "Unhandled", goal) // a clause may still catch it
			c.ask("continue", map[string]any{"threadId": 1})
		}
		c.wait("terminated") // without another stop
		require.NoError(t, c.in.Close())
	}
}

// TestGoesAway ends the goal when the editor has gone while it is stopped, and answers nonsense.
func TestGoesAway(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.pl")
	require.NoError(t, os.WriteFile(file, []byte(debugged), 0o600))
	c := start(t)
	require.IsType(t, &dap.ErrorResponse{}, c.ask("nonsense", nil))
	refused := c.ask("launch", map[string]any{"program": "p.pl"}).(*dap.ErrorResponse)
	require.Equal(t, "a launch needs a goal", refused.Body.Error.Format)
	require.IsType(t, &dap.ErrorResponse{}, c.ask("continue", map[string]any{"threadId": 1}))
	c.begin(file, "top(X)", map[int]string{5: ""})
	c.ask("configurationDone", nil)
	c.stopped()
	require.NoError(t, c.in.Close())
	go func() { _, _ = io.Copy(io.Discard, c.out) }()
	select {
	case err := <-c.ended:
		require.NoError(t, err)
	case <-time.After(wiretest.Patience):
		require.Fail(t, "the debugger goes on without its editor")
	}
}

// TestPoints counts hits, writes messages in place of stopping, also while the goal is stepped through, and gives
// variables values.
func TestPoints(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.pl")
	require.NoError(t, os.WriteFile(file, []byte(`run(L) :-
    member(X, L),
    note(X, Y),
    Y > 100.
note(X, Y) :-
    Y is X * 10.
free(X, Y, Z) :-
    note(X, Z),
    Z = Y.
`), 0o600))
	begin := func(goal string, points ...map[string]any) (*editor, []dap.Breakpoint) {
		c := start(t)
		c.begin(file, goal, nil)
		set := c.ask("setBreakpoints", map[string]any{"source": map[string]any{"path": file}, "breakpoints": points})
		return c, set.(*dap.SetBreakpointsResponse).Body.Breakpoints
	}
	for hits, want := range map[string][]string{"": {"10", "20", "30", "40"}, "3": {"30", "40"}, ">= 3": {"30", "40"},
		">3": {"40"}, "==2": {"20"}, "= 2": {"20"}, "<2": {"10"}, "<= 2": {"10", "20"}, "%2": {"20", "40"}, "9": nil} {
		c, _ := begin("run([1,2,3,4])", map[string]any{"line": 4, "hitCondition": hits},
			map[string]any{"line": 3, "logMessage": "X is {X}, {L} {nothing} {"})
		c.ask("configurationDone", nil)
		for _, value := range want {
			reason, at := c.stopped()
			require.Equal(t, "breakpoint", reason)
			require.Equal(t, "call: "+value+">100", at.Name, hits)
			c.ask("continue", map[string]any{"threadId": 1})
		}
		c.wait("terminated")
		require.Contains(t, c.output, "X is 2, [1, 2, 3, 4] {nothing} {\n")
		require.NoError(t, c.in.Close())
	}
	c, set := begin("run([1,2])", map[string]any{"line": 4, "hitCondition": "many"},
		map[string]any{"line": 6, "condition": "X > 1", "logMessage": "X is {X}"})
	require.False(t, set[0].Verified)
	require.Contains(t, set[0].Message, "a hit count is N")
	spied := c.ask("setFunctionBreakpoints", map[string]any{"breakpoints": []any{
		map[string]any{"name": "user:note/2", "hitCondition": "2"}, map[string]any{"name": "run/1", "hitCondition": "x"}}})
	require.False(t, spied.(*dap.SetFunctionBreakpointsResponse).Body.Breakpoints[1].Verified)
	c.ask("configurationDone", nil)
	_, at := c.stopped()
	require.Equal(t, "call: note(2,", at.Name[:len("call: note(2,")])
	c.ask("next", map[string]any{"threadId": 1})
	reason, at := c.stopped()
	require.Equal(t, []any{"step", "call: 20>100"}, []any{reason, at.Name}, "a log point ends no step")
	require.Contains(t, c.output, "X is 2\n")
	require.NotContains(t, c.output, "X is 1")
	require.NoError(t, c.in.Close())

	c, _ = begin("free(2, Y, Z)", map[string]any{"line": 9})
	c.ask("configurationDone", nil)
	_, at = c.stopped()
	bind := func(name, value string) string {
		r := c.ask("setVariable", map[string]any{"variablesReference": at.Id, "name": name, "value": value})
		if fault, is := r.(*dap.ErrorResponse); is {
			return "refused: " + fault.Body.Error.Format
		}
		return r.(*dap.SetVariableResponse).Body.Value
	}
	require.Equal(t, "refused: Z has a value, which stays", bind("Z", "7"))
	require.Equal(t, "refused: there is no variable W here", bind("W", "7"))
	require.Contains(t, bind("Y", "7), halt, (true"), "refused")
	require.Contains(t, bind("Y", "7 % )\n), (true"), "refused")
	require.Contains(t, bind("Y", "foo("), "refused")
	require.Equal(t, "20", bind("Y", "Z"))
	c.ask("continue", map[string]any{"threadId": 1})
	c.wait("terminated")
	require.Contains(t, c.output, "Y = 20", "the goal goes on with the value")
	require.NoError(t, c.in.Close())
}
