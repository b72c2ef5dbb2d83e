package dap

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/google/go-dap"

	"github.com/mcplogic/mcplogic/engine/debug"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/lazyregexp"
	"github.com/mcplogic/mcplogic/internal/template"
)

// This file defines breakpoints that count how often they are hit, or write a message in place of stopping.

// point is a breakpoint. fits reports whether to stop at a number of hits; nil means always. message is the text that a
// log point writes, or "" for a point that stops.
type point struct {
	fits    func(hits int) bool
	message string
	hits    int
}

// hitCount is how many hits are wanted: N for the N-th and those behind it, or a comparison.
var hitCount = lazyregexp.New(`^(>=|>|==|=|<=|<|%|)\s*([1-9][0-9]{0,8})$`)

// newPoint makes the point of what an editor says.
func newPoint(hits, message string) (*point, error) {
	p := &point{message: message}
	if hits = strings.TrimSpace(hits); hits == "" {
		return p, nil
	}
	parts := hitCount().FindStringSubmatch(hits)
	if parts == nil {
		return p, errors.New("a hit count is N, or one of > >= = < <= % and N")
	}
	want, _ := strconv.Atoi(parts[2]) // the pattern has numbers that fit
	how := cmp.Or(parts[1], ">=")
	p.fits = func(n int) bool {
		return how == "%" && n%want == 0 || strings.Contains(how, string("<=>"[cmp.Compare(n, want)+1]))
	}
	return p, nil
}

// spyPoint is the name under which the point of a predicate is kept.
func spyPoint(predicate string) string { return "spy " + strings.TrimPrefix(predicate, "user:") }

// linePoint is the name under which the point of a line is kept.
func linePoint(file string, line int) string {
	return fmt.Sprintf("%s:%d", filepath.ToSlash(file), line)
}

// keepPoints replaces the points whose names have a prefix.
func (s *session) keepPoints(prefix string, points map[string]*point) {
	s.pointing.Lock()
	defer s.pointing.Unlock()
	for name := range s.points {
		if strings.HasPrefix(name, prefix) {
			delete(s.points, name)
		}
	}
	for name, p := range points {
		s.points[name] = p
	}
}

// passes counts a hit of the point that a goal has stopped at. It returns how the goal continues, or nil if it stops.
func (s *session) passes(stop *debug.Stop) *debug.Action {
	at := stop.Frames(1)[0]
	name := map[string]string{"spy": spyPoint(at.Predicate), "breakpoint": linePoint(at.Path, at.Line)}[stop.Reason]
	s.pointing.Lock()
	defer s.pointing.Unlock()
	p := s.points[name]
	if p == nil || stop.Condition != "" {
		return nil
	}
	if p.hits++; p.fits != nil && !p.fits(p.hits) {
		return &debug.Action{Kind: debug.ActPass}
	}
	if p.message == "" {
		return nil
	}
	values := map[string]string{}
	for _, v := range stop.Variables(0) {
		values[v.Name] = v.Text
	}
	text := template.Fill(p.message, func(name string) (string, bool) { return values[name], values[name] != "" })
	fmt.Fprintln(&outputEvents{s, "console"}, text)
	return &debug.Action{Kind: debug.ActPass}
}

// exceptionInfo answers with the exception that a goal has stopped at.
func (s *session) exceptionInfo(stop *debug.Stop, r *dap.ExceptionInfoRequest) *debug.Action {
	thrown := stop.Thrown()
	if thrown == nil {
		s.fail(r, "the goal has not stopped at an exception")
		return nil
	}
	id := thrown
	if args, ok := term.Is(thrown, "error", 2); ok {
		id = args[0]
	}
	if name, _, ok := term.Indicator(id); ok {
		id = name
	}
	s.send(&dap.ExceptionInfoResponse{Response: response(r), Body: dap.ExceptionInfoResponseBody{
		ExceptionId: inspect.ShowTerm(id), Description: stop.Ball(), BreakMode: "always"}})
	return nil
}

// setVariable gives a variable of a frame a value. One that has a value keeps it.
func (s *session) setVariable(stop *debug.Stop, r *dap.SetVariableRequest) *debug.Action {
	frame := r.Arguments.VariablesReference - 1
	if err := stop.Bind(frame, r.Arguments.Name, r.Arguments.Value); err != nil {
		s.fail(r, err.Error())
		return nil
	}
	for _, v := range stop.Variables(frame) {
		if v.Name == r.Arguments.Name {
			shown := s.variable(v.Name, v.Text, v.Value)
			s.send(&dap.SetVariableResponse{Response: response(r), Body: dap.SetVariableResponseBody{Value: shown.Value,
				VariablesReference: shown.VariablesReference}})
		}
	}
	return nil
}
