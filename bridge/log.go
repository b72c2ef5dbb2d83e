package bridge

//lint:file-ignore SA1019 2026-07-28 deprecates logging, but clients of all versions use it.

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
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

// tellSessions sends a log message to every client that wants to hear errors.
func (s *Server) tellSessions(ctx context.Context, data json.RawMessage) {
	for session := range s.mcp.Sessions() {
		_ = session.Log(ctx, &mcp.LoggingMessageParams{Level: "error", Logger: "reload", Data: data}) // it may have gone
	}
}
