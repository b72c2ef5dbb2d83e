package tasks

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/internal/wire"
)

// This file defines the extension by which clients learn of tasks: who knows it, and its methods.

const Extension = "io.modelcontextprotocol/tasks"

// The kinds of results in which a task is shown.
const (
	KindTask       = "task"
	resultComplete = "complete"
)

// CodeBusy is the JSON-RPC error code for clients that should come back later.
const CodeBusy = -32000

// The parameters and results of the methods of the extension.
type (
	taskParams struct {
		mcp.ParamsBase
		ID        string                     `json:"taskId"`
		Responses map[string]json.RawMessage `json:"inputResponses"`
	}
	Result struct {
		mcp.ResultBase
		ResultType string `json:"resultType"`
		taskState
		task *task
	}
	// taskState is what clients see of a task.
	taskState struct {
		ID      string              `json:"taskId"`
		Status  string              `json:"status"`
		Message string              `json:"statusMessage,omitempty"`
		Created string              `json:"createdAt"`
		Updated string              `json:"lastUpdatedAt"`
		TTL     int64               `json:"ttlMs"`
		Poll    int64               `json:"pollIntervalMs"`
		Inputs  mcp.InputRequestMap `json:"inputRequests,omitempty"`
		Result  *mcp.CallToolResult `json:"result,omitempty"`
		Error   *jsonrpc.Error      `json:"error,omitempty"`
	}
	taskNoted struct {
		mcp.ResultBase
		ResultType string `json:"resultType"`
	}
)

// WhenOver has f called once the task is over, with its status and its result, if it has one. f must not block.
func (r *Result) WhenOver(f func(status string, r *mcp.CallToolResult)) {
	t := r.task
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.call != nil {
		t.whenOver = append(t.whenOver, f)
		return
	}
	f(t.status, t.result)
}

// Knows reports whether a request is from a client that takes a task for an answer. Those of older versions have
// tasks of another kind.
func Knows(version string, caps *mcp.ClientCapabilities) bool {
	if version < wire.VersionStateless || caps == nil {
		return false
	}
	_, ok := caps.Extensions[Extension]
	return ok
}

// Slot is where the handler of a call leaves the task that it has become, since the SDK takes no result of another
// type from it.
type Slot struct{ task *Result }

type taskSlotKey struct{}

// SlotOf returns the slot of a call that may become a task, or nil.
func SlotOf(ctx context.Context) *Slot {
	slot, _ := ctx.Value(taskSlotKey{}).(*Slot)
	return slot
}

// taskRequestKey is the key of a context with the request of a method of the extension, which the SDK does not give to
// handlers of such methods.
type taskRequestKey struct{}

// Take is a middleware for calls that become tasks and for the methods of the extension.
func Take(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch req := req.(type) {
		case *mcp.CallToolRequest:
			if !Knows(req.ProtocolVersion(), req.ClientCapabilities()) {
				break
			}
			slot := &Slot{}
			result, err := next(context.WithValue(ctx, taskSlotKey{}, slot), method, req)
			if err == nil && slot.task != nil {
				return slot.task, nil
			}
			return result, err
		case *mcp.ServerRequest[*taskParams]:
			if !Knows(req.ProtocolVersion(), req.ClientCapabilities()) {
				return nil, ErrUnknown()
			}
			ctx = context.WithValue(ctx, taskRequestKey{}, req)
		}
		return next(ctx, method, req)
	}
}

// ErrUnknown is the error for a client that has to know tasks and does not.
func ErrUnknown() error {
	return refusal.MissingCapability("this needs a client with the extension "+Extension, "extensions", Extension)
}

// AddMethods adds the methods of the extension.
func (tasks *Table) AddMethods(server *mcp.Server) {
	noted := func(do func(t *task, p *taskParams)) func(t *task, p *taskParams) *taskNoted {
		return func(t *task, p *taskParams) *taskNoted {
			do(t, p)
			return &taskNoted{ResultType: resultComplete}
		}
	}
	err := errors.Join(
		addTaskMethod(tasks, server, "tasks/get", func(t *task, _ *taskParams) *Result { return t.shown(resultComplete) }),
		addTaskMethod(tasks, server, "tasks/update", noted(func(t *task, p *taskParams) { t.answer(p.Responses) })),
		addTaskMethod(tasks, server, "tasks/cancel", noted(func(t *task, _ *taskParams) {
			t.mu.Lock()
			defer t.mu.Unlock()
			t.drop(errTaskCancelled)
		})))
	if err != nil {
		panic("bridge: " + err.Error()) // the methods are no standard ones
	}
}

// errTaskCancelled is why the run of a task ends that its client has cancelled.
var errTaskCancelled = errors.New("the client has cancelled the task")

// addTaskMethod adds a method about a task of the user who asks.
func addTaskMethod[R mcp.Result](
	tasks *Table, server *mcp.Server, method string, handle func(t *task, p *taskParams) R,
) error {
	return mcp.AddReceivingCustomMethod(server, method,
		func(ctx context.Context, _ *mcp.ServerSession, p *taskParams) (r R, err error) {
			req, ok := ctx.Value(taskRequestKey{}).(*mcp.ServerRequest[*taskParams])
			if !ok || p == nil {
				return r, refusal.InvalidParams("expected a string as taskId")
			}
			t := tasks.find(p.ID, calls.UserOf(req.Extra))
			if t == nil {
				return r, refusal.InvalidParams("there is no task %q; it has expired, or was never made for this client", p.ID)
			}
			return handle(t, p), nil
		})
}
