package bridge

import (
	"context"
	"errors"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/items"
	"github.com/mcplogic/mcplogic/bridge/internal/tasks"
	"github.com/mcplogic/mcplogic/internal/wire"
)

// This file defines what logs, metrics and traces are told of requests. It has no arguments and no results: they may be
// secret.

// observedTask is the method of the observation of a task that is over.
const observedTask = "task"

// observedMethods are the methods that have names of their own in observations.
var observedMethods = map[string]bool{"initialize": true, "ping": true, "tools/list": true, "tools/call": true,
	"prompts/list": true, "prompts/get": true, "resources/list": true, "resources/read": true,
	"resources/templates/list": true, "resources/subscribe": true, "resources/unsubscribe": true,
	"completion/complete": true, "logging/setLevel": true, "server/discover": true, "subscriptions/listen": true,
	"tasks/get": true, "tasks/update": true, "tasks/cancel": true,
	"notifications/initialized": true, "notifications/cancelled": true, "notifications/progress": true,
	"notifications/roots/list_changed": true}

// TaskResult is the answer to a call that has become a task.
type TaskResult interface {
	mcp.Result
	// WhenOver has f called once the task is over, with its status and its result, if it has one. F must not block.
	WhenOver(f func(status string, r *mcp.CallToolResult))
}

// observer tells of requests and tasks.
type observer struct {
	offer func() *items.Offer
	tell  func(Observation)
}

// task tells of the end of a task.
func (o *observer) task(e *tasks.Ended) {
	o.tell(Observation{Method: observedTask, Name: e.Name, User: e.User, Version: wire.VersionStateless,
		Began: e.Began, Took: time.Since(e.Began), Outcome: e.Outcome, Code: e.Code})
}

// requests is a middleware that tells of requests.
func (o *observer) requests(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		began := time.Now()
		result, err := next(ctx, method, req)
		seen := Observation{Method: method, Began: began, Took: time.Since(began), Outcome: "ok"}
		if !observedMethods[method] {
			seen.Method = "other"
		}
		switch p := req.GetParams().(type) {
		case *mcp.CallToolParamsRaw:
			if o.offer().Tools[p.Name] != nil {
				seen.Name = p.Name
			}
		case *mcp.GetPromptParams:
			if o.offer().Prompts[p.Name] != nil {
				seen.Name = p.Name
			}
		}
		if p, ok := req.GetParams().(interface{ GetMeta() map[string]any }); ok && p != nil {
			seen.TraceParent, _ = p.GetMeta()["traceparent"].(string)
		}
		seen.User = calls.UserOf(req.GetExtra())
		switch r := result.(type) {
		case *mcp.CallToolResult:
			if r != nil && r.IsError {
				seen.Outcome = "failed"
			}
		case *tasks.Result:
			if r.ResultType == tasks.KindTask {
				seen.Outcome = "task"
			}
		}
		if err != nil {
			seen.Outcome = "error"
			var coded *jsonrpc.Error
			if errors.As(err, &coded) {
				seen.Code = coded.Code
			}
		}
		o.tell(seen)
		return result, err
	}
}
