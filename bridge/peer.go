package bridge

//lint:file-ignore SA1019 2026-07-28 deprecates sampling and roots, but clients of all versions have them.

import (
	"encoding/json"
	"math"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/content"
	"github.com/mcplogic/mcplogic/bridge/internal/dialogue"
	"github.com/mcplogic/mcplogic/bridge/schema"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines what goals can learn about the client that they run for and its request, and
// how they let go of its connection.

// peer is who a request is from, and what came with it.
type peer struct {
	info *mcp.Implementation
	meta mcp.Meta
	// closeStream ends the stream of the reply and tells the client when to come back for it;
	// nil where nothing like that exists.
	closeStream func(mcp.CloseSSEStreamArgs)
}

func newPeer[P mcp.Params](req *mcp.ServerRequest[P]) peer {
	p := peer{info: req.ClientInfo(), meta: req.Params.GetMeta()}
	if req.Extra != nil {
		p.closeStream = req.Extra.CloseSSEStream
	}
	return p
}

// clientGoal unifies its argument with {name-N, title-T, version-V, protocolVersion-P,
// capabilities-C}, and user-U when it is known who asks. It fails when there is no client.
func clientGoal(c *engine.Call) (bool, error) {
	cr, ok := c.Host().(*clientRequest)
	if !ok {
		return false, nil
	}
	info := cr.peer.info
	if info == nil {
		info = &mcp.Implementation{}
	}
	o := schema.Object{}.With("name", info.Name).With("title", info.Title).With("version", info.Version).
		With("protocolVersion", cr.version).With("capabilities", capabilityObject(cr.caps))
	if cr.user != "" {
		o = o.With("user", cr.user)
	}
	x, err := (&schema.Codec{}).FromJSON(o.JSON(), nil)
	if err != nil {
		return false, err
	}
	return c.Unify(0, x), nil
}

// capabilityObject is capabilities as the client has sent them; the SDK writes roots always.
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

// clientKinds are what mcp_client_can/1 asks about.
var clientKinds = map[string]*dialogue.Kind{"elicitation": dialogue.FormKind, "elicitation_url": dialogue.URLKind,
	"sampling": dialogue.SamplingKind, "sampling_tools": dialogue.ToolsKind, "roots": dialogue.RootsKind}

// clientCanGoal succeeds when the client can answer a kind of question itself.
func clientCanGoal(c *engine.Call) (bool, error) {
	name, _ := term.Text(c.Arg(0))
	kind := clientKinds[name]
	if kind == nil {
		return false, engine.DomainError("client_capability", c.Arg(0))
	}
	cr, ok := c.Host().(*clientRequest)
	return ok && kind.Able(cr.caps), nil
}

// requestMetaGoal unifies its argument with the _meta member of the request as a curly term.
func requestMetaGoal(c *engine.Call) (bool, error) {
	meta := mcp.Meta{}
	if cr, ok := c.Host().(*clientRequest); ok && cr.peer.meta != nil {
		meta = cr.peer.meta
	}
	raw, err := json.Marshal(roundedAsFloats(map[string]any(meta)))
	if err != nil {
		return false, err
	}
	x, err := (&schema.Codec{}).FromJSON(raw, nil)
	if err != nil {
		return false, err
	}
	return c.Unify(0, x), nil
}

// roundedAsFloats returns a value in which numbers that the SDK may have rounded are written as floats, so that a goal
// does not take them for the integers that the client has sent. It recurses as deep as the value, which the SDK bounds.
func roundedAsFloats(value any) any {
	switch value := value.(type) {
	case float64:
		if math.Abs(value) > dialogue.MaxExact {
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

// hearer returns the request whose client hears what a goal says, nil when there is none: the goal is not served, or
// runs again to be explained, or has become a task.
func hearer(c *engine.Call) *clientRequest {
	cr, ok := c.Host().(*clientRequest)
	if !ok || cr.quiet || cr.isTask() {
		return nil
	}
	return cr
}

// isTask reports whether the call of a request has become a task.
func (cr *clientRequest) isTask() bool { return cr.task != nil && cr.task.Load() != nil }

// closeStreamGoal lets go of the connection of a client that can fetch the reply later, in as many
// seconds as its argument says.
func closeStreamGoal(c *engine.Call) (bool, error) {
	seconds, err := content.Number(c.Arg(0))
	if err != nil {
		return false, err
	}
	if seconds < 0 || seconds > maxRetry.Seconds() {
		return false, engine.DomainError("retry_time", c.Arg(0))
	}
	if cr := hearer(c); cr != nil && cr.peer.closeStream != nil {
		cr.peer.closeStream(mcp.CloseSSEStreamArgs{RetryAfter: time.Duration(seconds * float64(time.Second))})
	}
	return true, nil
}

// maxRetry bounds how long a client is told to stay away.
const maxRetry = time.Hour
