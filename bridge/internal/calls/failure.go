package calls

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/content"
	"github.com/mcplogic/mcplogic/bridge/internal/dialogue"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/bridge/internal/sealed"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/codes"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/lazyregexp"
	"github.com/mcplogic/mcplogic/internal/schema"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/internal/wire"
	"github.com/mcplogic/mcplogic/kb/decisions"
)

// This file makes the error results of failed goals.

// codeUndecided is the code of a call whose answer depends on an unanswered question.
const codeUndecided = "undecided"

// undecidedError is the error of such a call.
type undecidedError struct{ left []dialogue.Left }

func (e *undecidedError) Error() string {
	var b strings.Builder
	b.WriteString("Not decided: the answer depends on what nobody has answered.\n")
	for _, l := range e.left {
		fmt.Fprintf(&b, "\nQuestion: %s\n", l.Message)
		if l.Schema != nil {
			fmt.Fprintf(&b, "Schema of the answer: %s\n", l.Schema.JSON())
		}
		fmt.Fprintf(&b, "Asked of the user: %s\n", l.Why)
	}
	return b.String()
}

// Failure is the result of a call of a tool that went wrong.
func (c *Call) Failure(err error) *mcp.CallToolResult {
	r := refusal.Result(c.classify(err))
	var open *undecidedError
	if errors.As(err, &open) {
		c.leaveToModel(r, open.left)
	}
	r.Content = append(r.Content, c.Printed()...)
	return r
}

// Explain returns the text of an error of a call.
func (c *Call) Explain(err error) string {
	_, text := c.classify(err)
	return text
}

// classify returns the text and the code of an error of a call.
func (c *Call) classify(err error) (code, text string) {
	var exception *engine.Exception
	var halt *engine.Halt
	var aborted *engine.Aborted
	var failed *failedError
	var late *timeError
	switch {
	case errors.As(err, &failed):
		return "failed", fmt.Sprintf("%s failed: there is no solution.%s", c.Job.Name, failed.advice)
	case errors.As(err, new(*undecidedError)), errors.Is(err, engine.ErrUndecided):
		return codeUndecided, err.Error()
	case err == ErrUndefined:
		return codeUndefined, fmt.Sprintf("%s: %s", c.Job.Name, err)
	case err == errGivenUp:
		return "given_up", fmt.Sprintf("The call was given up: %s.", err)
	case err == errTooManyStuck:
		return "busy", fmt.Sprintf("The call was refused: %s.", err)
	case err == errConflicts:
		return "conflict", fmt.Sprintf("%s: %s", c.Job.Name, err)
	case errors.Is(err, engine.ErrGiven):
		return "bad_arguments", fmt.Sprintf("%s: %s", c.Job.Name, err)
	case errors.As(err, &late):
		return "time_limit", c.explainLimit("time") + " " + late.effort
	case errors.As(err, &exception):
		return exceptionCode(exception), c.explainException(exception)
	case errors.As(err, &halt):
		return "halt", fmt.Sprintf("%s called halt(%d). That ends the call; the server goes on.", c.Job.Name, halt.Code)
	case errors.As(err, &aborted):
		return "aborted", fmt.Sprintf("The call was stopped: %s.", aborted.Reason)
	case errors.Is(err, context.Canceled):
		return "aborted", "The call was stopped: the client or the server has ended it."
	case err == sealed.ErrOldCursor:
		return "bad_cursor", refusal.Capitalize(err.Error()) + "."
	case errors.Is(err, schema.ErrTooLarge):
		return "result_size", fmt.Sprintf("The limit on the size of a result, %d bytes, was exceeded: %s. "+
			"Ask for less at a time. Whoever runs the server can raise the limit.", c.runner.limits.MaxResult, err)
	case errors.Is(err, host.ErrNotStored):
		return "not_stored", fmt.Sprintf("%s: %s", c.Job.Name, err)
	case errors.Is(err, decisions.ErrNotRecorded):
		return "not_recorded", fmt.Sprintf("%s was refused, and nothing was changed: %s", c.Job.Name, err)
	case errors.Is(err, errBehind):
		return "behind", fmt.Sprintf("%s: %s", c.Job.Name, err)
	case errors.As(err, new(*outputError)):
		return "bad_output", fmt.Sprintf("%s: %s", c.Job.Name, err)
	}
	return "internal", fmt.Sprintf("%s: %s", c.Job.Name, err)
}

// exceptionCode is the code of an exception.
func exceptionCode(e *engine.Exception) string {
	if limit := e.Limit(); limit != "" {
		return limitCodes[limit]
	}
	name, ok := term.Atom(""), false
	if formal := e.Formal(); formal != nil {
		name, _, ok = term.Indicator(formal)
	}
	if args, ok := term.Is(e.Formal(), "permission_error", 3); ok && args[1] == term.Term(term.Atom(codeUndefined)) {
		return codeUndefined
	}
	if args, ok := term.Is(e.Formal(), "mcp_error", 2); ok {
		for _, code := range []string{"bad_answer", codeUndecided} {
			if args[0] == term.Term(term.Atom(code)) {
				return code
			}
		}
	}
	if name == "mcp_error" {
		return "refused"
	}
	if code, known := codes.Find(string(name)); ok && known && strings.HasSuffix(code.Name, "_error") {
		return code.Name
	}
	return "thrown"
}

// codeUndefined is the code of an answer that depends on a negation which the rules leave undefined.
const codeUndefined = "undefined"

// ErrUndefined is the error of such an answer if the result cannot mark it.
var ErrUndefined = errors.New("the answer is undefined: the rules make it neither true nor false")

// limitCodes are the codes of the limits of the machine.
var limitCodes = map[string]string{"time": "time_limit", "memory": "memory_limit", "inferences": "inference_limit"}

// PanicError is the error that a client gets if its call has panicked. The details are only in the log. It is nil for
// other errors.
func (c *Call) PanicError(err error) error {
	var panicked *engine.Panic
	if !errors.As(err, &panicked) {
		return nil
	}
	c.runner.limits.Log.Error("a call panicked", "item", c.Job.Name, "panic", panicked, "stack", string(panicked.Stack))
	return refusal.ErrPanicked
}

// WireError returns the JSON-RPC error that an error stands for, or nil. There are three such errors: the error of a
// panic, an error that a goal chooses by mcp_error/3, and, on protocol versions that have it, the error that the client
// lacks a capability.
func (c *Call) WireError(cr *Request, err error) error {
	if wrong := c.PanicError(err); wrong != nil {
		return wrong
	}
	var exception *engine.Exception
	if !errors.As(err, &exception) {
		return nil
	}
	if args, ok := term.Is(exception.Formal(), "mcp_error", 3); ok {
		return c.chosenError(args)
	}
	args, ok := term.Is(exception.Term, "error", 2)
	if !ok || cr.Version < wire.VersionStateless {
		return nil
	}
	if capability, ok := term.Is(args[1], "client_capability", 1); ok {
		return refusal.MissingCapability(c.explainFormal(exception), strings.Split(content.Text(capability[0]), ".")...)
	}
	return nil
}

// chosenError is the error of mcp_error(Code, Message, Data).
func (c *Call) chosenError(args []engine.Term) error {
	code, ok := args[0].(term.Int)
	if !ok {
		return wire.InternalError("%s: the code of mcp_error/3 has to be an integer, it is %s", c.Job.Name,
			content.Show(args[0]))
	}
	chosen := &jsonrpc.Error{Code: int64(code), Message: content.Text(args[1])}
	if _, none := args[2].(*term.Var); none {
		return chosen
	}
	data, err := c.Job.Codec.ToJSON(args[2], nil)
	if err != nil {
		return wire.InternalError("%s: the data of mcp_error/3: %s", c.Job.Name, err)
	}
	chosen.Data = data
	return chosen
}

// explainLimit names a limit that ran out.
func (c *Call) explainLimit(what string) string {
	o := &c.runner.limits
	switch what {
	case "time":
		return fmt.Sprintf("The call was stopped: it exceeded the time limit of %s.", secondsText(c.Job.Time))
	case "memory":
		return fmt.Sprintf("The call was stopped: it exceeded the memory limit of %s.", spell.Bytes(o.Memory))
	case "inferences":
		return fmt.Sprintf("The call was stopped: it exceeded the limit of %d inferences.", o.Inferences)
	}
	return ""
}

func secondsText(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'g', -1, 64) + " s" }

// maxFrames bounds how many clauses of a backtrace are shown.
const maxFrames = 10

// explainException returns the message of an exception, followed by its term and the place of the goal. For mcp_error/2
// it is the message alone.
func (c *Call) explainException(e *engine.Exception) string {
	words := doublyQuoted().ReplaceAllString(c.explainFormal(e), "$1") // one of two pairs of quotes
	frames := c.frames(e)
	show := func(x engine.Term) string { return content.ShowWith(inner.Of(c.Job.Program).FormatNumbered, x) }
	if c.runner.limits.Backtraces {
		return words + "\nError term: " + show(e.Term) + strings.Join(frames, "")
	}
	if len(frames) > 0 {
		c.runner.limits.Log.Warn("a call threw", "item", c.Job.Name, "error", words,
			"term", show(e.Term), "trace", strings.Join(frames, ""))
		frames = frames[:1]
	}
	if _, ok := term.Is(e.Formal(), "mcp_error", 2); ok {
		return words + strings.Join(frames, "")
	}
	return words + "\nError term: " + show(bareTerm(e)) + strings.Join(frames, "")
}

// frames are the clauses of a backtrace, a line each.
func (c *Call) frames(e *engine.Exception) []string {
	var lines []string
	for i, f := range e.Trace {
		if i == maxFrames {
			return append(lines, fmt.Sprintf("\n  and %d more", len(e.Trace)-maxFrames))
		}
		f.File = inner.Of(c.Job.Program).FileName(f.File)
		lines = append(lines, fmt.Sprintf("\n  at %s", f))
	}
	return lines
}

// bareTerm is the term of an exception without the context of the error, which the system adds.
func bareTerm(e *engine.Exception) engine.Term {
	if formal := e.Formal(); formal != nil {
		if _, ok := term.Is(e.Term, "error", 2); ok {
			return term.New("error", formal, term.NewVar(""))
		}
	}
	return e.Term
}

// doublyQuoted is a quoted atom within the quotes of a message.
var doublyQuoted = lazyregexp.New("`('(?:[^'\\\\]|\\\\.|'')*')'")

// explainFormal describes the kind of an exception.
func (c *Call) explainFormal(e *engine.Exception) string {
	if args, ok := term.Is(e.Formal(), "mcp_error", 2); ok {
		return refusal.Capitalize(content.Text(args[1])) + "."
	}
	if limit := c.explainLimit(e.Limit()); limit != "" {
		return strings.TrimRight(limit+" "+e.Effort, " ")
	}
	return e.Message
}

// failedError is the error of a goal without solutions, with advice or without.
type failedError struct{ advice string }

// Failed is the error of a call without solutions.
func (c *Call) Failed(ctx context.Context) error { return &failedError{c.AdviceText(ctx)} }

// AdviceText is the advice of the job after a newline, or "".
func (c *Call) AdviceText(ctx context.Context) string {
	if c.Job.Advice == nil {
		return ""
	}
	return c.Job.Advice(ctx, c)
}

// PrintedText is the output of the goal.
func (c *Call) PrintedText() string {
	if c.printed == nil || c.printed.Len() == 0 {
		return ""
	}
	text := c.printed.String()
	if c.printed.Dropped > 0 {
		text += fmt.Sprintf("\n(%d more bytes of output were dropped)", c.printed.Dropped)
	}
	return text
}

// Printed is the output of the goal as a content item.
func (c *Call) Printed() []mcp.Content {
	if text := c.PrintedText(); text != "" {
		return content.OfText(text)
	}
	return nil
}

// outputError is the error of a result that does not fit its declaration.
type outputError struct {
	what  string
	cause error
}

func (e *failedError) Error() string { return "the goal has no solution" + e.advice }

// BadOutput returns the error of a result that does not fit its declaration. If the cause is the size of the result, it
// is returned unchanged.
func BadOutput(what string, cause error) error {
	if errors.Is(cause, schema.ErrTooLarge) {
		return cause
	}
	return &outputError{what, cause}
}

func (e *outputError) Error() string { return e.what + ":\n" + e.cause.Error() }

func (e *outputError) Unwrap() error { return e.cause }

// ErrFailed is the error of a goal without solutions for which there is no advice.
var ErrFailed error = &failedError{}

// errTime is the cause of ending the context of a goal that caught the error of its time limit and did not end.
var errTime = errors.New("time limit")

// timeError is the error of such a goal, with a description of its calls.
type timeError struct{ effort string }

func (e *timeError) Error() string { return "time limit" }

// errConflicts is the error of a call whose transaction met conflicts maxConflicts times.
var errConflicts = errors.New("other calls changed the same facts at the same time, again and again; " +
	"nothing was changed, try again")
