package bridge

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/schema"
	"github.com/mcplogic/mcplogic/bridge/wire"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how failures of goals are put in words.

// errorResult is a result that tells a model what went wrong.
func errorResult(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: textContent(text), IsError: true}
}

// failure is the result of a call of a tool that went wrong.
func (c *call) failure(err error) *mcp.CallToolResult {
	r := errorResult(c.explain(err))
	r.Content = append(r.Content, c.printedContent()...)
	return r
}

// explain says what went wrong with a call.
func (c *call) explain(err error) string {
	var exception *engine.Exception
	var halt *engine.Halt
	var aborted *engine.Aborted
	switch {
	case err == errFailed:
		return fmt.Sprintf("%s failed: there is no solution.", c.job.name)
	case err == errGivenUp:
		return fmt.Sprintf("The call was given up: %s.", err)
	case err == errTime:
		return c.explainLimit("time")
	case errors.As(err, &exception):
		return c.explainException(exception)
	case errors.As(err, &halt):
		return fmt.Sprintf("%s called halt(%d). That ends the call; the server goes on.", c.job.name, halt.Code)
	case errors.As(err, &aborted):
		return fmt.Sprintf("The call was stopped: %s.", aborted.Reason)
	case errors.Is(err, schema.ErrTooLarge):
		return fmt.Sprintf("The limit on the size of a result, %d bytes, was exceeded: %s.", c.server.opts.MaxResult, err)
	}
	return fmt.Sprintf("%s: %s", c.job.name, err)
}

// panicError is the error for a client whose call has panicked, of which only the log says more; nil for other
// errors.
func (c *call) panicError(err error) error {
	var panicked *engine.Panic
	if !errors.As(err, &panicked) {
		return nil
	}
	c.server.opts.Log.Error("a call panicked", "item", c.job.name, "panic", panicked, "stack", string(panicked.Stack))
	return errPanicked
}

// wireError is the JSON-RPC error that an error stands for, or nil. There are three: the error of a panic, the one
// that a goal chooses by mcp_error/3, and the one of a client that lacks a capability, on versions of the protocol
// that have it.
func (c *call) wireError(cr *clientRequest, err error) error {
	if wrong := c.panicError(err); wrong != nil {
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
	if !ok || cr.version < wire.VersionStateless {
		return nil
	}
	if capability, ok := term.Is(args[1], "client_capability", 1); ok {
		return missingCapability(textOf(capability[0]), c.explainFormal(exception))
	}
	return nil
}

// chosenError is the error of mcp_error(Code, Message, Data).
func (c *call) chosenError(args []engine.Term) error {
	code, ok := args[0].(term.Int)
	if !ok {
		return wire.InternalError("%s: the code of mcp_error/3 has to be an integer, it is %s", c.job.name, showTerm(args[0]))
	}
	chosen := &jsonrpc.Error{Code: int64(code), Message: textOf(args[1])}
	if _, none := args[2].(*term.Var); none {
		return chosen
	}
	data, err := c.job.codec.ToJSON(args[2], nil)
	if err != nil {
		return wire.InternalError("%s: the data of mcp_error/3: %s", c.job.name, err)
	}
	chosen.Data = data
	return chosen
}

// missingCapability is the error of 2026-07-28 for a client that lacks a capability, which is
// named by its path, such as elicitation.url.
func missingCapability(path, text string) error {
	required := schema.Object{}
	for _, name := range slices.Backward(strings.Split(path, ".")) {
		required = schema.Object{}.With(name, required)
	}
	return &jsonrpc.Error{Code: mcp.CodeMissingRequiredClientCapabilities, Message: text,
		Data: schema.Object{}.With("requiredCapabilities", required).JSON()}
}

// explainLimit names a limit that ran out.
func (c *call) explainLimit(what string) string {
	o := &c.server.opts
	switch what {
	case "time":
		return fmt.Sprintf("The call was stopped: it exceeded the time limit of %s.", secondsText(c.job.time))
	case "memory":
		return fmt.Sprintf("The call was stopped: it exceeded the memory limit of %s.", bytesText(o.Memory))
	case "inferences":
		return fmt.Sprintf("The call was stopped: it exceeded the limit of %d inferences.", o.Inferences)
	}
	return ""
}

func secondsText(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'g', -1, 64) + " s"
}

func bytesText(n int) string {
	if n >= 1<<20 && n%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}

// maxFrames bounds how many clauses of a backtrace are shown.
const maxFrames = 10

// explainException puts an exception in words, followed by its term and the places of the goal.
func (c *call) explainException(e *engine.Exception) string {
	var b strings.Builder
	b.WriteString(c.explainFormal(e))
	fmt.Fprintf(&b, "\nError term: %s", showWith(c.job.program.FormatNumbered, e.Term))
	for i, f := range e.Trace {
		if i == maxFrames {
			fmt.Fprintf(&b, "\n  and %d more", len(e.Trace)-maxFrames)
			break
		}
		f.File = c.job.program.FileName(f.File)
		fmt.Fprintf(&b, "\n  at %s", f)
	}
	return b.String()
}

// explainFormal says what kind of exception it is.
func (c *call) explainFormal(e *engine.Exception) string {
	if args, ok := term.Is(e.Formal(), "mcp_error", 2); ok {
		return capitalize(textOf(args[1])) + "."
	}
	return cmp.Or(c.explainLimit(e.Limit()), e.Message)
}

func capitalize(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return text
	}
	return string(unicode.ToUpper(first)) + text[size:]
}
