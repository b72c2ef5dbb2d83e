package wire

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// This file defines how what the extension for tasks adds to messages passes the SDK, which knows neither the member
// taskIds of a subscription nor the notification of a task.

// MetaTaskIDs is the key in _meta of the tasks that a subscription wants to hear about.
const MetaTaskIDs = "mcplogic/taskIds"

// CarryTaskIDs moves the names of tasks in a subscription to where the SDK leaves them alone. It reports whether it has
// changed the request.
func CarryTaskIDs(req *jsonrpc.Request) bool {
	if req.Method != MethodListen {
		return false
	}
	var params, wanted, meta map[string]json.RawMessage
	if json.Unmarshal(req.Params, &params) != nil {
		return false
	}
	_ = json.Unmarshal(params["notifications"], &wanted) // what is no object is refused later
	ids, asks := wanted["taskIds"]
	if json.Unmarshal(params["_meta"], &meta) != nil || meta == nil {
		meta = map[string]json.RawMessage{}
	}
	if _, forged := meta[MetaTaskIDs]; !asks && !forged {
		return false
	}
	delete(meta, MetaTaskIDs)
	if asks {
		meta[MetaTaskIDs] = ids
	}
	params["_meta"], _ = json.Marshal(meta) // of JSON
	req.Params, _ = json.Marshal(params)
	return true
}

// The notification of a task goes through the SDK as that of progress, whose params begin with what it is to be.
const (
	// MethodProgress and MethodTask are the two notifications.
	MethodProgress = "notifications/progress"
	MethodTask     = "notifications/tasks"
	asProgress     = `"method":"` + MethodProgress + `","params":{"mcplogic/method":"` + MethodTask + `",`
	asTask         = `"method":"` + MethodTask + `","params":{`
)

// TaskMark is the member with which such params begin.
type TaskMark struct {
	Method string `json:"mcplogic/method"`
}

// MarkTask returns it.
func MarkTask() TaskMark { return TaskMark{MethodTask} }

// maxMarkAt bounds where in a message or event the method of a notification stands.
const maxMarkAt = 100

// A hint that means nothing beside the one that a tool only reads, as the SDK writes it, and without it.
const (
	idleHint     = `"annotations":{"idempotentHint":false,"openWorldHint":false,"readOnlyHint":true}`
	idleOpenHint = `"annotations":{"idempotentHint":false,"readOnlyHint":true}`
)

// Restore returns a message, or an event with one, as its receiver has to see it: the SDK writes the notification of a
// task as another one, a hint of tools that only read, and marks of tokens.
func Restore(data []byte) []byte {
	data = restoreTokens(data)
	for _, hint := range []string{idleHint, idleOpenHint} {
		if bytes.Contains(data, []byte(hint)) {
			data = bytes.ReplaceAll(data, []byte(hint), []byte(strings.Replace(hint, `"idempotentHint":false,`, "", 1)))
		}
	}
	head := data[:min(len(data), maxMarkAt+len(asProgress))]
	if !bytes.Contains(head, []byte(asProgress)) {
		return data
	}
	return bytes.Replace(data, []byte(asProgress), []byte(asTask), 1)
}
