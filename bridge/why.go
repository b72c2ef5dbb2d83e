package bridge

import (
	"context"
	"encoding/json"
	"fmt"
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

// chooseWhyTool returns the name of the tool why, "" when nobody wants it. If the knowledge base has a tool of that
// name, ours gets a number.
func (s *Server) chooseWhyTool(o *offer) string {
	wants := func(p *kb.Provider) bool { return p.Declares("explain") }
	if !s.opts.Explain && !slices.ContainsFunc(o.snapshot.Providers, wants) || len(o.tools) == 0 {
		return ""
	}
	return o.freeToolName("why")
}

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
	t := o.tools[args.Tool]
	if t == nil && (args.Tool == o.whyTool || args.Tool == o.answerTool) {
		return refusal.Result("not_explained",
			fmt.Sprintf("%s is the server's own; why explains tools of the knowledge base.", args.Tool)), nil
	}
	if t == nil {
		return refusal.Result("no_such_tool", s.noSuchTool(args.Tool)), nil
	}
	if t.Explain == kb.ExplainNever {
		return refusal.Result("not_explained", fmt.Sprintf("The tool %s gives no reasons.", t.Name)), nil
	}
	values, err := t.readArguments(args.Arguments)
	if err != nil {
		return refusal.Result("bad_arguments", fmt.Sprintf("The arguments do not fit the tool %s:\n%s", t.Name, err)), nil
	}
	cr := calls.NewRequest(req, "", nil)
	if err := cr.Enter(ctx, s.runner); err != nil {
		return nil, err
	}
	defer cr.Exit(s.runner)
	j := s.toolJob(t, values, args.Arguments).OfUser(cr.User)
	return s.why.Explain(ctx, cr, j, &args, t.showAnswer)
}

// noSuchTool says that there is no tool of a name, and which one may have been meant.
func (s *Server) noSuchTool(name string) string {
	var names []string
	for known := range s.current.Load().tools {
		names = append(names, known)
	}
	slices.Sort(names)
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

// showAnswer replaces the answer of a proof by the outputs of the tool.
func (t *tool) showAnswer(proof *engine.Proof) {
	proof.Answer = nil
	if len(t.out) == 0 || t.custom || t.asks {
		return
	}
	if raw, err := t.codec.Results(t.row(proof.Solution), t.out); err == nil {
		proof.Answer = raw
	}
}

// offersWhyPage reports whether the page is offered: with the tool, unless the knowledge base has such a resource.
func (o *offer) offersWhyPage() bool { return o.whyTool != "" && o.resources[why.PageURI] == nil }
