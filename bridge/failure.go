package bridge

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how failures of goals are put in words.

// errorResult is a result that tells a model what went wrong.
func errorResult(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: texts(text), IsError: true}
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
	case err == errTime:
		return c.explainLimit("time")
	case errors.As(err, &exception):
		return c.explainException(exception)
	case errors.As(err, &halt):
		return fmt.Sprintf("%s called halt(%d). That ends the call; the server goes on.", c.job.name, halt.Code)
	case errors.As(err, &aborted):
		return fmt.Sprintf("The call was stopped: %s.", aborted.Reason)
	case errors.Is(err, ErrResultTooLarge):
		return fmt.Sprintf("The limit on the size of a result, %d bytes, was exceeded: %s.", c.server.opts.MaxResult, err)
	}
	return fmt.Sprintf("%s: %s", c.job.name, err)
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
	if args, ok := term.Is(e.Formal(), "mcp_error", 2); ok {
		b.WriteString(capitalized(textOf(args[1])) + ".")
	} else if limit := c.explainLimit(e.Limit()); limit != "" {
		b.WriteString(limit)
	} else {
		b.WriteString(e.Message)
	}
	fmt.Fprintf(&b, "\nError term: %s", showWith(c.job.program.FormatNumbered, e.Term))
	for i, f := range e.Trace {
		if i == maxFrames {
			fmt.Fprintf(&b, "\n  and %d more", len(e.Trace)-maxFrames)
			break
		}
		fmt.Fprintf(&b, "\n  at %s:%d: %s", f.File, f.Line, f.Predicate)
	}
	return b.String()
}

func capitalized(text string) string {
	if text == "" {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
