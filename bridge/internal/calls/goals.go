package calls

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/content"
	"github.com/mcplogic/mcplogic/bridge/internal/dialogue"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/schema"
	"github.com/mcplogic/mcplogic/kb"
)

//lint:file-ignore SA1019 2026-07-28 deprecates logging, but clients of all versions use it.

// This file defines the predicates by which goals send messages to the client and learn about it. The library mcp is
// built on them.

// Predicates returns the predicates that let goals talk to the client; give them to kb.Options. A program needs them to
// be served. A goal without a client may call them too; its messages are dropped.
func Predicates() []engine.Predicate {
	return []engine.Predicate{
		{Name: dialogue.ElicitPredicate, Arity: 3, Waits: true, Modes: "+text, +schema, -answer",
			Doc: "Asks the user."},
		{Name: dialogue.AskPredicate, Arity: 2, Waits: true, Modes: "+question, -answer",
			Doc: "Puts a question of any kind to the client."},
		{Name: dialogue.AskAllPredicate, Arity: 2, Waits: true, Modes: "+questions, -answers",
			Doc: "Puts several questions to the client at once."},
		{Name: "$mcp_log", Arity: 2, Call: logGoal, Modes: "+atom, +term",
			Doc: "Sends a log message to the client."},
		{Name: "$mcp_progress", Arity: 3, Call: progressGoal, Modes: "+number, +number, +text",
			Doc: "Tells the client how far the call is."},
		{Name: "$mcp_client", Arity: 1, Call: clientGoal, Modes: "-object",
			Doc: "Says who the client is and what it can do."},
		{Name: "$mcp_client_can", Arity: 1, Call: clientCanGoal, Modes: "+atom",
			Doc: "Is true of a capability of the client."},
		{Name: "$mcp_request_meta", Arity: 1, Call: requestMetaGoal, Modes: "-object",
			Doc: "Is the _meta member of the request."},
		{Name: "$mcp_close_stream", Arity: 1, Call: closeStreamGoal, Modes: "+number",
			Doc: "Lets the client fetch the reply later."},
		{Name: "$mcp_notify_resource", Arity: 1, Call: notifyGoal, Modes: "+atom",
			Doc: "Announces that a resource has changed."},
		{Name: "$mcp_add", Arity: 1, Call: addGoal, Modes: "+item",
			Doc: "Offers one more tool, prompt or resource."},
		{Name: "$mcp_remove", Arity: 2, Call: removeGoal, Modes: "+kind, +name",
			Doc: "Ends the offer of a tool, prompt or resource."},
	}
}

// logLevels are the levels of the protocol.
var logLevels = map[string]bool{"debug": true, "info": true, "notice": true, "warning": true,
	"error": true, "critical": true, "alert": true, "emergency": true}

func logGoal(c *engine.Call) (bool, error) {
	level, ok := term.Text(c.Arg(0))
	if !ok || !logLevels[level] {
		return false, engine.TermError("domain_error", "log_level", c.Arg(0))
	}
	cr := hearer(c)
	if cr == nil {
		return true, nil
	}
	// A message to a client that has gone is dropped, and the goal continues.
	_ = cr.Session.Log(c.Context(), &mcp.LoggingMessageParams{Level: mcp.LoggingLevel(level), Data: logData(c.Arg(1))})
	return true, nil
}

// logData is a term as the data of a log message: an object if the term is one, and otherwise text.
func logData(x engine.Term) any {
	if schema.IsObject(x) {
		codec := schema.Codec{Format: engine.FormatTerm}
		if raw, err := codec.ToJSON(x, nil); err == nil {
			return raw
		}
	}
	return content.Text(x)
}

func progressGoal(c *engine.Call) (bool, error) {
	done, err := content.Number(c.Arg(0))
	if err != nil {
		return false, err
	}
	total, err := content.Number(c.Arg(1))
	if err != nil {
		return false, err
	}
	if cr, ok := requestOf(c); ok && !cr.quiet && cr.isTask() {
		(*cr.task.Load()).Report(done, total, content.Text(c.Arg(2)))
		return true, nil
	}
	cr := hearer(c)
	if cr == nil || cr.progress == nil {
		return true, nil
	}
	// A message to a client that has gone is dropped, and the goal continues.
	_ = cr.Session.NotifyProgress(c.Context(), &mcp.ProgressNotificationParams{
		ProgressToken: cr.progress, Progress: done, Total: total, Message: content.Text(c.Arg(2))})
	return true, nil
}

// clientGoal unifies its argument with {name-N, title-T, version-V, protocolVersion-P, capabilities-C}, and user-U if
// the user is known. It fails if there is no client.
func clientGoal(c *engine.Call) (bool, error) {
	cr, ok := requestOf(c)
	if !ok {
		return false, nil
	}
	info := cr.peer.info
	if info == nil {
		info = &mcp.Implementation{}
	}
	o := schema.Object{}.With("name", info.Name).With("title", info.Title).With("version", info.Version).
		With("protocolVersion", cr.Version).With("capabilities", capabilityObject(cr.Caps))
	if cr.User != "" {
		o = o.With("user", cr.User)
	}
	return unifyJSON(c, o.JSON())
}

// unifyJSON unifies the argument of a goal with the term of a JSON value.
func unifyJSON(c *engine.Call, raw json.RawMessage) (bool, error) {
	x, err := (&schema.Codec{}).FromJSON(raw, nil)
	return err == nil && c.Unify(0, x), err
}

// capabilityObject is the capabilities as the client has sent them; the SDK would always write roots.
func capabilityObject(caps *mcp.ClientCapabilities) any {
	all := map[string]any{}
	data, err := json.Marshal(caps)
	if caps == nil || err != nil || json.Unmarshal(data, &all) != nil {
		return schema.Object{}
	}
	delete(all, "roots")
	if dialogue.HasRoots(caps) {
		all["roots"] = map[string]bool{"listChanged": caps.Roots.ListChanged || caps.RootsV2 != nil &&
			caps.RootsV2.ListChanged}
	}
	return all
}

// clientKinds are the kinds of questions that mcp_client_can/1 knows.
var clientKinds = map[string]*dialogue.Kind{"elicitation": dialogue.FormKind, "elicitation_url": dialogue.URLKind,
	"sampling": dialogue.SamplingKind, "sampling_tools": dialogue.ToolsKind, "roots": dialogue.RootsKind}

// clientCanGoal succeeds when the client can answer a kind of question itself.
func clientCanGoal(c *engine.Call) (bool, error) {
	name, _ := term.Text(c.Arg(0))
	kind := clientKinds[name]
	if kind == nil {
		return false, engine.TermError("domain_error", "client_capability", c.Arg(0))
	}
	cr, ok := requestOf(c)
	return ok && kind.Able(cr.Caps), nil
}

// requestMetaGoal unifies its argument with the _meta member of the request as a curly term.
func requestMetaGoal(c *engine.Call) (bool, error) {
	meta := mcp.Meta{}
	if cr, ok := requestOf(c); ok && cr.peer.meta != nil {
		meta = cr.peer.meta
	}
	raw, err := json.Marshal(roundedAsFloats(map[string]any(meta)))
	if err != nil {
		return false, err
	}
	return unifyJSON(c, raw)
}

// roundedAsFloats returns a value in which numbers that the SDK may have rounded are written as floats, so that a goal
// does not take them for the integers that the client has sent. It recurses as deep as the value, which the SDK bounds.
func roundedAsFloats(value any) any {
	switch value := value.(type) {
	case float64:
		if math.Abs(value) > schema.MaxExact {
			return json.RawMessage(strconv.FormatFloat(value, 'e', -1, 64))
		}
	case map[string]any:
		next := make(map[string]any, len(value))
		for name, member := range value {
			next[name] = roundedAsFloats(member)
		}
		return next
	case []any:
		next := make([]any, len(value))
		for i, item := range value {
			next[i] = roundedAsFloats(item)
		}
		return next
	}
	return value
}

// closeStreamGoal closes the connection of a client that can fetch the reply later. The argument is the number of
// seconds until then.
func closeStreamGoal(c *engine.Call) (bool, error) {
	seconds, err := content.Number(c.Arg(0))
	if err != nil {
		return false, err
	}
	if seconds < 0 || seconds > maxRetry.Seconds() {
		return false, engine.TermError("domain_error", "retry_time", c.Arg(0))
	}
	if cr := hearer(c); cr != nil && cr.peer.closeStream != nil {
		cr.peer.closeStream(mcp.CloseSSEStreamArgs{RetryAfter: time.Duration(seconds * float64(time.Second))})
	}
	return true, nil
}

// maxRetry bounds how long a client is told to stay away.
const maxRetry = time.Hour

// This part defines the changes that goals make for all clients: the items on offer, and announcements. As with facts,
// they are invisible before the call has succeeded.

// MaxChanges bounds the changes of one call.
const MaxChanges = 10_000

// callOf returns the call that a goal runs for, or an exception if it runs for no call.
func callOf(c *engine.Call) (*Call, error) {
	if cr, ok := requestOf(c); ok && cr.call != nil {
		return cr.call, nil
	}
	return nil, dialogue.Error("not_served", "this works only in goals that run for a client")
}

func addGoal(g *engine.Call) (bool, error) {
	c, err := callOf(g)
	if err != nil {
		return false, err
	}
	ch := Change{Module: c.Job.Provider.Module, Item: g.Arg(0)}
	if qualified, ok := term.Is(ch.Item, ":", 2); ok {
		ch.Module, ch.Item = content.Text(qualified[0]), qualified[1]
	}
	functor, args := content.Split(ch.Item)
	if len(args) == 0 {
		return false, engine.TermError("type_error", "mcp_item", ch.Item)
	}
	ch.Kind, ch.Name = kb.ItemKind(functor), content.Text(args[0])
	view := c.view()
	if c.added(ch.Kind, ch.Name) {
		view.Remove(ch.Kind, ch.Name)
	}
	if err := view.Add(ch.Module, ch.Item); err != nil {
		return false, badItem(ch.Item, err)
	}
	return true, c.change(ch)
}

// badItem is the exception of an item that cannot be added.
func badItem(item engine.Term, err error) error {
	if _, ok := err.(*engine.Exception); ok {
		return err
	}
	return dialogue.Error("bad_item", "%s cannot be added: %s", content.Show(item), err)
}

// removeGoal removes an item of the kind in its first argument by the name in its second.
func removeGoal(g *engine.Call) (bool, error) {
	c, err := callOf(g)
	if err != nil {
		return false, err
	}
	ch := Change{Kind: kb.ItemKind(content.Text(g.Arg(0))), Name: content.Text(g.Arg(1))}
	if ch.Kind == kb.ToolItem && c.runner.busy(ch.Name) {
		return false, dialogue.Error("busy", "the tool %s is running; try again when it is done", ch.Name)
	}
	if !c.view().Remove(ch.Kind, ch.Name) {
		return false, engine.TermError("existence_error", "mcp_"+string(ch.Kind), g.Arg(1))
	}
	return true, c.change(ch)
}

// view returns the present offer with the changes of this run.
func (c *Call) view() *kb.Snapshot {
	if c.Changes.view == nil {
		c.Changes.view = c.runner.host.Snapshot().Clone()
	}
	return c.Changes.view
}

func (c *Call) change(ch Change) error {
	if len(c.Changes.Items) >= MaxChanges {
		return dialogue.Error("too_many", "a call can add and remove %d items", MaxChanges)
	}
	c.Changes.Items = append(c.Changes.Items, ch)
	return nil
}

// added reports whether an item was added by this run or an earlier call. Such items may be replaced; items of files
// may not.
func (c *Call) added(kind kb.ItemKind, name string) bool {
	is := func(ch Change) bool { return ch.Kind == kind && ch.Name == name && ch.Item != nil }
	return slices.ContainsFunc(c.Changes.Items, is) || c.runner.host.HasAdded(kind, name)
}

func notifyGoal(g *engine.Call) (bool, error) {
	uri, ok := term.Text(g.Arg(0))
	if !ok {
		return false, engine.TermError("type_error", "atom", g.Arg(0))
	}
	c, err := callOf(g)
	if err != nil {
		return true, nil // there is no client
	}
	if !slices.Contains(c.Changes.Updated, uri) {
		if len(c.Changes.Updated) >= MaxChanges {
			return false, dialogue.Error("too_many", "a call can announce %d resources", MaxChanges)
		}
		c.Changes.Updated = append(c.Changes.Updated, uri)
	}
	return true, nil
}

// busy reports whether a call of a tool runs or waits for its client.
func (r *Runner) busy(name string) bool {
	r.Running.mu.Lock()
	defer r.Running.mu.Unlock()
	return r.Running.calls[name] > 0 || r.Waiting.Has(func(c *Call) bool {
		return c.Job.Kind == CallTool && c.Job.Name == name
	})
}
