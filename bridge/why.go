package bridge

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/bridge/internal/why"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines who handles calls of the tool why, by which a model asks for the reasons of results.

// handleWhy handles a call of the tool why.
func (s *Server) handleWhy(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var args why.Arguments
	if wrong := refusal.ReadArguments(req, why.Schema(), &args); wrong != nil {
		return wrong, nil
	}
	if len(args.Arguments) == 0 {
		args.Arguments = json.RawMessage("{}")
	}
	o := s.current.Load()
	t := o.Tools[args.Tool]
	if t == nil && (args.Tool == o.WhyTool || args.Tool == o.AnswerTool) {
		return refusal.Result("not_explained",
			fmt.Sprintf("%s is the server's own; why explains tools of the knowledge base.", args.Tool)), nil
	}
	if t == nil {
		return refusal.Result("no_such_tool", s.noSuchTool(args.Tool)), nil
	}
	if t.Explain == kb.ExplainNever {
		return refusal.Result("not_explained", fmt.Sprintf("The tool %s gives no reasons.", t.Name)), nil
	}
	values, err := t.ReadArguments(args.Arguments)
	if err != nil {
		return refusal.Result("bad_arguments", fmt.Sprintf("The arguments do not fit the tool %s:\n%s", t.Name, err)), nil
	}
	rather, err := t.ReadOutputs(args.RatherThan)
	if err != nil {
		return refusal.Result("bad_arguments", fmt.Sprintf("rather_than: %s", err)), nil
	}
	cr := calls.NewRequest(req, "", nil)
	if err := cr.Enter(ctx, s.runner); err != nil {
		return nil, err
	}
	defer cr.Exit(s.runner)
	j := s.maker.ToolJob(t, values, args.Arguments).OfUser(cr.User)
	return s.why.Explain(ctx, cr, j, &args, rather, t.ShowAnswer)
}

// noSuchTool says that there is no tool of a name, and which one may have been meant.
func (s *Server) noSuchTool(name string) string {
	names := slices.Sorted(maps.Keys(s.current.Load().Tools))
	text := fmt.Sprintf("There is no tool %q", name)
	if near := spell.Nearest(name, names); near != "" {
		return text + "; did you mean " + near + "?"
	}
	return text + ". The tools are " + strings.Join(names, ", ") + "."
}

// origins says who asserted facts, and when, if they are in the store.
func (s *Server) origins(facts []engine.Fact) []string {
	texts := make([]string, len(facts))
	base := s.base.Load()
	if base == nil {
		return texts
	}
	for i, origin := range base.Origins(facts, originTime) {
		if origin != nil {
			texts[i] = origin.String()
		}
	}
	return texts
}

// originTime bounds the search for where asserted facts come from.
const originTime = 200 * time.Millisecond
