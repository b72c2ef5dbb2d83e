package bridge

import (
	"cmp"
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/tasks"
	"github.com/mcplogic/mcplogic/bridge/internal/why"
)

// This file defines what a server says of itself: its capabilities, which depend on what the knowledge base offers, and
// its instructions.

// fitCapabilities is a middleware that announces what the knowledge base has at this moment.
func (s *Server) fitCapabilities(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		if err != nil {
			return result, err
		}
		switch r := result.(type) {
		case *mcp.InitializeResult:
			s.fit(r.Capabilities)
			r.Instructions = cmp.Or(r.Instructions, s.instructions())
		case *mcp.DiscoverResult:
			s.fit(r.Capabilities)
			r.Instructions = cmp.Or(r.Instructions, s.instructions())
		}
		return result, nil
	}
}

// fit completes the capabilities of one answer. They are all that there may be while the knowledge base is loading.
func (s *Server) fit(caps *mcp.ServerCapabilities) {
	o, loading := s.current.Load(), s.isLoading()
	if loading || len(s.allSkills()) > 0 {
		caps.AddExtension(extensionSkills, map[string]any{})
	}
	if loading || o.HasTasks() {
		caps.AddExtension(tasks.Extension, map[string]any{})
	}
	if !loading && !o.Completes() {
		caps.Completions = nil
	}
	if loading || o.Snapshot.Capable("ui") || o.WhyTool != "" {
		caps.AddExtension(why.ExtensionUI, map[string]any{"mimeTypes": []string{why.MIMEApp}})
	}
}

// title is what people call the server.
func (s *Server) title() string {
	if s.opts.Title != "" {
		return s.opts.Title
	}
	return s.opts.Name
}

// instructions are those that the server gives by itself, "" unless the options ask for them.
func (s *Server) instructions() string {
	if !s.opts.Instruct {
		return ""
	}
	if s.isLoading() {
		return s.title() + " answers from rules and facts. It is still loading them; what is asked of it waits until then."
	}
	return s.current.Load().Instructions(s.title())
}

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
