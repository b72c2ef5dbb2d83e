// Package dap is a debugger that editors drive by the Debug Adapter Protocol.
package dap

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/go-dap"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/debug"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/kb"
)

// Options say how a session loads programs and runs its goal.
type Options struct {
	// Load are the options for loading. Output and Error are not used: what loading prints goes to the editor.
	Load   *kb.Options
	Limits engine.Limits
}

// The exit codes of a goal. mcplogic query has the same.
const (
	codeDone  = 0
	codeNo    = 1
	codeThrew = 3
)

// Serve answers the requests of one editor until it disconnects or its end of the stream closes. The goal ends with it,
// and its changes are not committed then. The error is of a stream that cannot be read.
func Serve(ctx context.Context, in io.Reader, out io.Writer, o *Options) error {
	s := &session{Options: *o, in: bufio.NewReader(in), out: out, stopTasks: make(chan stopTask),
		points: map[string]*point{}}
	s.debugger = &debug.Debugger{Stop: s.stopped,
		Ports: []debug.Port{debug.PortCall, debug.PortRedo, debug.PortFail, debug.PortException}}
	return s.serve(ctx)
}

// session is one session with an editor. Two goroutines work for it: serve reads requests, and run runs the goal.
// While the goal is stopped its terms may be looked at by its own goroutine alone, so serve hands over what needs them
// as stopTasks.
type session struct {
	Options
	in *bufio.Reader

	// writing guards the output and seq, the number of the last message: both goroutines send.
	writing sync.Mutex
	out     io.Writer
	seq     int

	// Made by serve before the goal runs. program is nil before a launch. Any goroutine may call the methods of
	// debugger.
	debugger *debug.Debugger
	program  *engine.Program
	launched launchArguments
	cancel   context.CancelFunc
	ended    chan struct{} // closed when the goal has ended, nil before it runs

	// points are the breakpoints, by the names of their places, guarded by pointing.
	pointing sync.Mutex
	points   map[string]*point

	// stopTasks has no buffer: a send succeeds only while the goal is stopped.
	stopTasks chan stopTask
	// The rest belongs to the goal's goroutine. evaluating is the request for which the goal evaluates something, nil if
	// there is none. values are the terms of this stop whose parts the editor may ask for, by their reference.
	evaluating *dap.EvaluateRequest
	values     []engine.Term
}

// launchArguments are the arguments of the launch request, which the protocol leaves to each adapter. Program is a path
// or a list of paths.
type launchArguments struct {
	Program     any    `json:"program"`
	Goal        string `json:"goal"`
	StopOnEntry bool   `json:"stopOnEntry"`
}

// stopTask is a task for a stopped goal. It returns the action with which the goal continues, or nil if the goal stays
// stopped. It runs in the goroutine of the goal.
type stopTask func(s *debug.Stop) *debug.Action

// serve answers requests. A message that cannot be decoded is refused, one that is no request is ignored.
func (s *session) serve(ctx context.Context) error {
	ctx, s.cancel = context.WithCancel(ctx)
	defer func() {
		s.cancel()
		if s.ended != nil {
			<-s.ended
		}
	}()
	for {
		m, err := dap.ReadProtocolMessage(s.in)
		var unknown *dap.DecodeProtocolMessageFieldError
		switch {
		case errors.As(err, &unknown):
			s.refuse(unknown.Seq, unknown.FieldValue, "the debugger does not know this")
			continue
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
			return nil
		case err != nil:
			return err
		}
		request, ok := m.(dap.RequestMessage)
		if !ok {
			continue
		}
		if over := s.answer(ctx, request); over {
			return nil
		}
	}
}

// send numbers a message and sends it. Numbers increase in the order of sending.
func (s *session) send(m dap.Message) {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.seq++
	switch m := m.(type) {
	case dap.ResponseMessage:
		m.GetResponse().Seq = s.seq
	case dap.EventMessage:
		m.GetEvent().Seq = s.seq
	}
	_ = dap.WriteProtocolMessage(s.out, m) // an editor that has gone is noticed where it is read from
}

func response(r dap.RequestMessage) dap.Response {
	q := r.GetRequest()
	return dap.Response{ProtocolMessage: dap.ProtocolMessage{Type: "response"}, RequestSeq: q.Seq, Success: true,
		Command: q.Command}
}

func event(name string) dap.Event {
	return dap.Event{ProtocolMessage: dap.ProtocolMessage{Type: "event"}, Event: name}
}

// refuse answers that a request failed. The editor shows the reason to its user.
func (s *session) refuse(seq int, command, reason string) {
	s.send(&dap.ErrorResponse{Response: dap.Response{ProtocolMessage: dap.ProtocolMessage{Type: "response"},
		RequestSeq: seq, Command: command, Message: reason},
		Body: dap.ErrorResponseBody{Error: &dap.ErrorMessage{Id: 1, Format: reason, ShowUser: true}}})
}

// fail is refuse for a request that could be decoded.
func (s *session) fail(r dap.RequestMessage, reason string) {
	s.refuse(r.GetRequest().Seq, r.GetRequest().Command, reason)
}

// answer answers a request. The order of a session is that of the protocol: initialize, launch, the event initialized
// when the program is loaded, breakpoints, configurationDone, which starts the goal. over says that it was the last
// request.
func (s *session) answer(ctx context.Context, m dap.RequestMessage) (over bool) {
	switch r := m.(type) {
	case *dap.InitializeRequest:
		s.send(&dap.InitializeResponse{Response: response(r), Body: dap.Capabilities{
			SupportsConfigurationDoneRequest: true, SupportsFunctionBreakpoints: true,
			SupportsConditionalBreakpoints: true, SupportsEvaluateForHovers: true, SupportsRestartFrame: true,
			SupportsTerminateRequest: true, SupportsHitConditionalBreakpoints: true, SupportsLogPoints: true,
			SupportsExceptionInfoRequest: true, SupportsSetVariable: true,
			ExceptionBreakpointFilters: []dap.ExceptionBreakpointsFilter{
				{Filter: "all", Label: "Exceptions", Description: "Stops where a goal throws"},
				{Filter: "uncaught", Label: "Uncaught exceptions", Description: "Stops where nothing catches what a goal throws"}},
		}})
	case *dap.LaunchRequest:
		s.launch(ctx, r)
	case *dap.SetBreakpointsRequest:
		s.setLines(r)
	case *dap.SetFunctionBreakpointsRequest:
		s.setPredicates(r)
	case *dap.SetExceptionBreakpointsRequest:
		filters := r.Arguments.Filters
		s.debugger.TrapExceptions(slices.Contains(filters, "all"), slices.Contains(filters, "uncaught"))
		s.send(&dap.SetExceptionBreakpointsResponse{Response: response(r)})
	case *dap.ConfigurationDoneRequest:
		if s.program == nil || s.ended != nil {
			s.fail(r, "there is no goal to start")
			return false
		}
		s.send(&dap.ConfigurationDoneResponse{Response: response(r)})
		s.ended = make(chan struct{})
		go s.run(ctx)
	case *dap.ThreadsRequest:
		s.send(&dap.ThreadsResponse{Response: response(r),
			Body: dap.ThreadsResponseBody{Threads: []dap.Thread{{Id: 1, Name: "goal"}}}})
	case *dap.PauseRequest:
		s.debugger.Pause()
		s.send(&dap.PauseResponse{Response: response(r)})
	// disconnect ends the session; terminate ends the goal, and the editor then disconnects by itself.
	case *dap.DisconnectRequest:
		s.end()
		s.send(&dap.DisconnectResponse{Response: response(r)})
		return true
	case *dap.TerminateRequest:
		s.send(&dap.TerminateResponse{Response: response(r)})
		s.end()
	default:
		s.answerStopped(m)
	}
	return false
}

// end cancels the goal and waits until it has ended.
func (s *session) end() {
	s.cancel()
	if s.ended != nil {
		<-s.ended
	}
}

// answerStopped hands a request to the stopped goal, which answers it. References of scopes and frames are numbers of
// frames from 1, because 0 stands for nothing in the protocol; frames of the debugger count from 0.
func (s *session) answerStopped(m dap.RequestMessage) {
	var do stopTask
	// The response is sent before the goal continues, so that it comes before the event of the next stop.
	proceed := func(kind debug.ActionKind, answer dap.Message) stopTask {
		return func(*debug.Stop) *debug.Action {
			s.send(answer)
			return &debug.Action{Kind: kind}
		}
	}
	switch r := m.(type) {
	case *dap.ContinueRequest:
		do = proceed(debug.ActLeap, &dap.ContinueResponse{Response: response(r),
			Body: dap.ContinueResponseBody{AllThreadsContinued: true}})
	case *dap.NextRequest:
		do = proceed(debug.ActOver, &dap.NextResponse{Response: response(r)})
	case *dap.StepInRequest:
		do = proceed(debug.ActCreep, &dap.StepInResponse{Response: response(r)})
	case *dap.StepOutRequest:
		do = proceed(debug.ActOut, &dap.StepOutResponse{Response: response(r)})
	case *dap.RestartFrameRequest:
		do = func(*debug.Stop) *debug.Action {
			s.send(&dap.RestartFrameResponse{Response: response(r)})
			return &debug.Action{Kind: debug.ActRetry, Frame: r.Arguments.FrameId - 1}
		}
	case *dap.StackTraceRequest:
		do = func(stop *debug.Stop) *debug.Action { return s.stack(stop, r) }
	case *dap.ScopesRequest:
		do = func(*debug.Stop) *debug.Action {
			s.send(&dap.ScopesResponse{Response: response(r), Body: dap.ScopesResponseBody{Scopes: []dap.Scope{
				{Name: "Variables", PresentationHint: "locals", VariablesReference: r.Arguments.FrameId}}}})
			return nil
		}
	case *dap.VariablesRequest:
		do = func(stop *debug.Stop) *debug.Action { return s.variables(stop, r) }
	case *dap.EvaluateRequest:
		do = func(stop *debug.Stop) *debug.Action { return s.evaluate(stop, r) }
	case *dap.ExceptionInfoRequest:
		do = func(stop *debug.Stop) *debug.Action { return s.exceptionInfo(stop, r) }
	case *dap.SetVariableRequest:
		do = func(stop *debug.Stop) *debug.Action { return s.setVariable(stop, r) }
	default:
		s.fail(m, "the debugger does not do this")
		return
	}
	// A goal that runs may be about to stop. The wait is too short for a person to notice.
	select {
	case s.stopTasks <- do:
	case <-time.After(200 * time.Millisecond):
		s.fail(m, "the goal is not stopped")
	}
}

// launch loads the program. The event initialized then asks the editor for its breakpoints, which need clauses to stand
// on. What loading prints goes to the editor. A launch that fails may be repeated.
func (s *session) launch(ctx context.Context, r *dap.LaunchRequest) {
	if s.program != nil {
		s.fail(r, "a session has one launch")
		return
	}
	if err := json.Unmarshal(r.Arguments, &s.launched); err != nil || s.launched.Goal == "" {
		s.fail(r, "a launch needs a goal")
		return
	}
	paths, err := absolutePaths(s.launched.Program)
	if err != nil {
		s.fail(r, err.Error())
		return
	}
	o, output := *s.Load, &outputEvents{s, "stderr"}
	o.Output, o.Error = output, output
	snapshot, err := kb.Load(ctx, paths, &o)
	report := snapshot.Report(err)
	for _, d := range report {
		fmt.Fprintln(output, d)
	}
	if snapshot == nil {
		s.fail(r, "the program was not loaded: "+report.Error())
		return
	}
	s.program = snapshot.Program
	s.debugger.Trace(s.launched.StopOnEntry)
	s.send(&dap.LaunchResponse{Response: response(r)})
	s.send(&dap.InitializedEvent{Event: event("initialized")})
}

// absolutePaths returns the paths of a launch, made absolute as the paths of breakpoints are.
func absolutePaths(program any) (paths []string, err error) {
	list, ok := program.([]any)
	if !ok && program != nil {
		list = []any{program}
	}
	for _, p := range list {
		text, ok := p.(string)
		if !ok {
			return nil, fmt.Errorf("program is a path or a list of paths, got %v", p)
		}
		path, err := filepath.Abs(text)
		if err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// outputEvents is a writer whose data become output events, since standard output belongs to the protocol.
type outputEvents struct {
	s        *session
	category string
}

// Write sends data as one event. Bytes that are no UTF-8 are replaced, because JSON cannot hold them.
func (o *outputEvents) Write(data []byte) (int, error) {
	o.s.send(&dap.OutputEvent{Event: event("output"),
		Body: dap.OutputEventBody{Category: o.category, Output: strings.ToValidUTF8(string(data), "\uFFFD")}})
	return len(data), nil
}

// setLines replaces the breakpoints of a file. A breakpoint on a line where nothing begins moves to the next line where
// a clause or a goal does, and the editor shows it there. One behind the last clause is not verified. Before the
// launch there are no clauses, so that none is verified.
func (s *session) setLines(r *dap.SetBreakpointsRequest) {
	lines, list, points := map[int]string{}, []dap.Breakpoint{}, map[string]*point{}
	for i, wanted := range r.Arguments.Breakpoints {
		b := dap.Breakpoint{Id: i + 1, Line: wanted.Line, Source: &r.Arguments.Source, Message: "no clause stands here"}
		p, err := newPoint(wanted.HitCondition, wanted.LogMessage)
		if err != nil {
			b.Message = err.Error()
		} else if s.program != nil {
			if line, ok := inner.Of(s.program).BreakLine(r.Arguments.Source.Path, wanted.Line); ok {
				lines[line], points[linePoint(r.Arguments.Source.Path, line)] = wanted.Condition, p
				b.Line, b.Verified, b.Message = line, true, ""
			}
		}
		list = append(list, b)
	}
	s.keepPoints(filepath.ToSlash(r.Arguments.Source.Path)+":", points)
	s.debugger.SetLines(r.Arguments.Source.Path, lines)
	s.send(&dap.SetBreakpointsResponse{Response: response(r), Body: dap.SetBreakpointsResponseBody{Breakpoints: list}})
}

// setPredicates replaces the breakpoints on predicates, which the protocol calls functions. Their ids are from 1000 on,
// apart from the ids of breakpoints on lines.
func (s *session) setPredicates(r *dap.SetFunctionBreakpointsRequest) {
	conditions, list, points := map[string]string{}, []dap.Breakpoint{}, map[string]*point{}
	for i, b := range r.Arguments.Breakpoints {
		at := dap.Breakpoint{Id: 1000 + i, Verified: true}
		p, err := newPoint(b.HitCondition, "")
		if err == nil {
			conditions[b.Name], points[spyPoint(b.Name)] = b.Condition, p
		}
		if err != nil {
			at.Verified, at.Message = false, err.Error()
		} else if module, name, arity, ok := debug.ParseIndicator(b.Name); !ok {
			at.Verified, at.Message = false, "a predicate is NAME/ARITY or MODULE:NAME/ARITY"
		} else if s.program != nil {
			if _, at.Verified = inner.Of(s.program).Predicate(module, name, arity); !at.Verified {
				at.Message = "there is no such predicate" + inner.Of(s.program).Suggestion(module, name, arity)
			}
		}
		list = append(list, at)
	}
	s.debugger.SetSpies(conditions)
	s.keepPoints(spyPoint(""), points)
	s.send(&dap.SetFunctionBreakpointsResponse{Response: response(r),
		Body: dap.SetFunctionBreakpointsResponseBody{Breakpoints: list}})
}

// run is the goroutine of the goal. It runs the goal to its first answer and commits what it has changed. The events at
// its end tell the editor to disconnect. The exit code in them is 0, 1, or 3 for any error, limits included. That of
// the command is another: it is 0 when the session ends in order.
func (s *session) run(ctx context.Context) {
	defer close(s.ended)
	output, errs := &outputEvents{s, "stdout"}, &outputEvents{s, "stderr"}
	code := codeDone
	o := &engine.RunOptions{Limits: s.Limits,
		Output: output, Error: errs, Debugger: s.debugger, Transaction: true, Residual: true}
	run, err := s.program.Start(s.launched.Goal, o)
	if err == nil {
		defer run.Close()
		var state engine.State
		switch state, err = run.Next(ctx); {
		case err != nil:
		case state == engine.Waiting:
			err = errors.New("the goal asks the user of a client; try mcplogic call")
		case state == engine.Answer:
			var text string
			if text, err = run.FormatAnswer(ctx, false); err == nil {
				fmt.Fprintln(output, text+".")
				err = run.Cut(ctx)
			}
			if err == nil {
				err = run.Commit()
			}
		default:
			fmt.Fprintln(output, map[bool]string{true: "undefined.", false: "false."}[run.Undefined()])
			code = codeNo
		}
	}
	if err != nil {
		fmt.Fprintln(errs, "error:", err)
		if thrown, ok := errors.AsType[*engine.Exception](err); ok {
			fmt.Fprint(errs, thrown.Backtrace())
		}
		code = codeThrew
	}
	if r := s.evaluating; r != nil {
		s.evaluating = nil
		s.fail(r, "the goal has ended")
	}
	s.send(&dap.ExitedEvent{Event: event("exited"), Body: dap.ExitedEventBody{ExitCode: code}})
	s.send(&dap.TerminatedEvent{Event: event("terminated")})
}

// stopped is the Stop of the debugger. It serves the editor until a task lets the goal go on. It is called again at the
// same stop with the result of an evaluation: values stay then, because the editor still shows them. It runs in the
// goroutine of the goal, with all that it calls. Time spent here does not count against the limits.
func (s *session) stopped(ctx context.Context, stop *debug.Stop) debug.Action {
	if stop.Result != nil && s.evaluating != nil {
		s.evaluated(stop.Result)
	} else if a := s.passes(stop); a != nil {
		return *a
	} else {
		s.values = nil
		s.tellStop(stop)
	}
	for {
		select {
		case do := <-s.stopTasks:
			if a := do(stop); a != nil {
				return *a
			}
		case <-ctx.Done():
			return debug.Action{Kind: debug.ActAbort}
		}
	}
}

// tellStop sends the event of a stop. It has the reason of the debugger, except that the protocol calls a spy point a
// function breakpoint.
func (s *session) tellStop(stop *debug.Stop) {
	reason := cmp.Or(map[string]string{"spy": "function breakpoint"}[stop.Reason], stop.Reason)
	body := dap.StoppedEventBody{Reason: reason, Description: string(stop.Port), ThreadId: 1, AllThreadsStopped: true,
		Text: stop.Ball()}
	if stop.Condition != "" {
		body.Text = "the condition: " + stop.Condition
	}
	s.send(&dap.StoppedEvent{Event: event("stopped"), Body: body})
}

// stack answers with frames from the innermost out, at most 1000 in one answer: the editor asks for more. The name of
// the innermost one begins with the port.
func (s *session) stack(stop *debug.Stop, r *dap.StackTraceRequest) *debug.Action {
	const most = 1000
	first := max(0, min(r.Arguments.StartFrame, stop.Depth()))
	levels := min(most, stop.Depth()-first)
	if r.Arguments.Levels > 0 {
		levels = min(levels, r.Arguments.Levels)
	}
	list := []dap.StackFrame{}
	for i, f := range stop.Frames(first + levels)[first:] {
		shown := dap.StackFrame{Id: first + i + 1, Name: f.Goal, Line: f.Line, Column: f.Column}
		if first+i == 0 {
			shown.Name = string(stop.Port) + ": " + f.Goal
		}
		if f.File != "" {
			shown.Source = &dap.Source{Name: filepath.Base(f.File), Path: f.Path}
		}
		list = append(list, shown)
	}
	s.send(&dap.StackTraceResponse{Response: response(r),
		Body: dap.StackTraceResponseBody{StackFrames: list, TotalFrames: stop.Depth()}})
	return nil
}

// valueReferences is the reference of the first value. References below it are numbers of frames.
const valueReferences = 100_000

// variables answers with the variables of a frame, or the first 1000 parts of a value. References of values are valid
// until the goal continues, as the protocol says.
func (s *session) variables(stop *debug.Stop, r *dap.VariablesRequest) *debug.Action {
	list := []dap.Variable{}
	reference := r.Arguments.VariablesReference
	if reference < valueReferences {
		for _, v := range stop.Variables(reference - 1) {
			list = append(list, s.variable(v.Name, v.Text, v.Value))
		}
	} else if at := reference - valueReferences; at < len(s.values) {
		const most = 1000
		for i, part := range termParts(s.values[at]) {
			if i == most {
				break
			}
			list = append(list, s.variable(fmt.Sprint(i+1), inspect.ShowTerm(part), part))
		}
	}
	s.send(&dap.VariablesResponse{Response: response(r), Body: dap.VariablesResponseBody{Variables: list}})
	return nil
}

// variable converts a variable. A value with parts gets a reference, by which the editor asks for them when the user
// opens it.
func (s *session) variable(name, text string, value engine.Term) dap.Variable {
	v := dap.Variable{Name: name, Value: text}
	if len(termParts(value)) > 0 {
		s.values = append(s.values, value)
		v.VariablesReference = valueReferences + len(s.values) - 1
	}
	return v
}

// termParts returns the elements of a list, the arguments of another compound, or nil.
func termParts(t engine.Term) []engine.Term {
	if items, ok := term.Slice(t); ok {
		return items
	}
	if c, ok := t.(*term.Compound); ok {
		return c.Args
	}
	return nil
}

// replTime is how long a goal of the prompt may run, in seconds.
const replTime = 10

// evaluate answers a request for a value, or lets the goal evaluate it. The prompt calls goals, under a limit, and
// takes back what they have changed. What an editor asks for by itself, to show it beside the mouse or in a list, is a
// variable or arithmetic, and calls nothing.
func (s *session) evaluate(stop *debug.Stop, r *dap.EvaluateRequest) *debug.Action {
	frame, text := max(0, r.Arguments.FrameId-1), strings.TrimSuffix(strings.TrimSpace(r.Arguments.Expression), ".")
	for _, v := range stop.Variables(frame) {
		if v.Name == text {
			shown := s.variable(v.Name, v.Text, v.Value)
			s.send(&dap.EvaluateResponse{Response: response(r), Body: dap.EvaluateResponseBody{Result: shown.Value,
				VariablesReference: shown.VariablesReference}})
			return nil
		}
	}
	// It must be a term by itself: the goal is made of its text.
	t, err := s.program.ParseTerm("user", text)
	goal := fmt.Sprintf("snapshot(call_with_time_limit(%d, (%s\n)))", replTime, text)
	if r.Arguments.Context != "repl" {
		goal = fmt.Sprintf("%s is (%s\n)", valueVariable, text)
		if _, isCompound := t.(*term.Compound); err == nil && !isCompound {
			err = errors.New("this is no variable of the clause; goals are called at the prompt")
		}
	}
	if err != nil {
		s.fail(r, err.Error())
		return nil
	}
	s.evaluating = r
	return &debug.Action{Kind: debug.ActEvaluate, Goal: goal, Frame: frame}
}

// valueVariable is the variable of the value of an expression.
const valueVariable = "Value__"

// evaluated answers the pending request for an evaluation: true, false, or the values of the variables in it.
func (s *session) evaluated(e *debug.Evaluation) {
	r := s.evaluating
	s.evaluating = nil
	if e.Error != "" {
		s.fail(r, e.Error)
		return
	}
	text := fmt.Sprint(e.True)
	if e.True && len(e.Values) > 0 {
		var parts []string
		for _, v := range e.Values {
			if parts = append(parts, v.Name+" = "+v.Text); v.Name == valueVariable {
				parts = []string{v.Text}
				break
			}
		}
		text = strings.Join(parts, ", ")
	}
	s.send(&dap.EvaluateResponse{Response: response(r), Body: dap.EvaluateResponseBody{Result: text}})
}
