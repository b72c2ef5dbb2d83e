package bridge

//lint:file-ignore SA1019 2026-07-28 deprecates logging, but clients of all versions use it.

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/content"
	"github.com/mcplogic/mcplogic/bridge/schema"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the log messages that clients get: those of goals, and those about reloads.

// serverCapabilities are what a server says it can do. Lists are announced to change even when
// they are empty, as a reload may fill them.
func serverCapabilities() *mcp.ServerCapabilities {
	return &mcp.ServerCapabilities{
		Logging:   &mcp.LoggingCapabilities{},
		Tools:     &mcp.ToolCapabilities{ListChanged: true},
		Prompts:   &mcp.PromptCapabilities{ListChanged: true},
		Resources: &mcp.ResourceCapabilities{ListChanged: true, Subscribe: true},
	}
}

// logLevels are the levels of the protocol.
var logLevels = map[string]bool{"debug": true, "info": true, "notice": true, "warning": true,
	"error": true, "critical": true, "alert": true, "emergency": true}

func logGoal(c *engine.Call) (bool, error) {
	level, ok := term.Text(c.Arg(0))
	if !ok || !logLevels[level] {
		return false, engine.DomainError("log_level", c.Arg(0))
	}
	cr := hearer(c)
	if cr == nil {
		return true, nil
	}
	// A client that has gone hears nothing, and the goal does not mind.
	_ = cr.session.Log(c.Context(), &mcp.LoggingMessageParams{Level: mcp.LoggingLevel(level), Data: logData(c.Arg(1))})
	return true, nil
}

// logData is a term as the data of a log message: an object when it is one, else text.
func logData(x engine.Term) any {
	if schema.IsObject(x) {
		codec := schema.Codec{Format: engine.FormatTerm}
		if raw, err := codec.ToJSON(x, nil); err == nil {
			return raw
		}
	}
	return content.Text(x)
}

// tellSessions sends a log message to every client that wants to hear errors.
func (s *Server) tellSessions(ctx context.Context, data json.RawMessage) {
	for session := range s.mcp.Sessions() {
		_ = session.Log(ctx, &mcp.LoggingMessageParams{Level: "error", Logger: "reload", Data: data}) // it may have gone
	}
}
