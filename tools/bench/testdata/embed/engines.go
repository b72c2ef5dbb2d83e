package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/kb"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// This file defines how this engine is asked: by goals and by calls of tools.

// rules are the facts of the question, and its rule as a predicate and as a tool.
var rules = sync.OnceValue(func() string {
	var b strings.Builder
	for i := range users {
		fmt.Fprintf(&b, "user_role(%s, %s).\n", userName(i), role(i))
	}
	for i := range users {
		fmt.Fprintf(&b, "resource(%s, %s, %s).\n", resourceName(i), kind(i), userName(i+1))
	}
	for _, p := range permits {
		fmt.Fprintf(&b, "permit(%s, read, %s).\n", p[0], p[1])
	}
	b.WriteString("allow(U, A, R) :- user_role(U, Role), resource(R, Kind, _), permit(Role, A, Kind), !.\n")
	return b.String()
})

const tool = `:- mode(may(+atom, +atom, -atom), one).
:- info(may/3, [comment is 'Whether a user may read a resource.', argnames is ['U', 'R', 'Answer']]).
tools([tool(may, may, 3)]).
may(U, R, Answer) :- ( allow(U, read, R) -> Answer = yes ; Answer = no ).
`

func program() (*engine.Program, error) {
	return engine.LoadText(context.Background(), "rules.pl", rules(), nil)
}

// shared is the program that all goroutines ask.
var shared = sync.OnceValues(program)

func engines() []system {
	return []system{
		{name: "mcplogic, the goal true", unchecked: true, new: asking(shared, askTrue)},
		{name: "mcplogic, true, a program each", unchecked: true, new: asking(program, askTrue)},
		{name: "mcplogic, text", new: asking(shared, askText)},
		{name: "mcplogic, prepared", new: asking(shared, askPrepared)},
		{name: "mcplogic, prepared, a program each", new: asking(program, askPrepared)},
	}
}

type question = func(ctx context.Context, i int) (bool, error)

// asking returns the function for new of a system.
func asking(from func() (*engine.Program, error), ask func(*engine.Program) question) func() (question, error) {
	return func() (question, error) {
		p, err := from()
		if err != nil {
			return nil, err
		}
		return ask(p), nil
	}
}

func askTrue(p *engine.Program) question {
	return func(ctx context.Context, _ int) (bool, error) { return holds(p.Once(ctx, "true", nil)) }
}

func askText(p *engine.Program) question {
	return func(ctx context.Context, i int) (bool, error) {
		return holds(p.Once(ctx, "allow(U, read, R)", &engine.RunOptions{Bind: values(i)}))
	}
}

func askPrepared(p *engine.Program) question {
	query, err := p.Prepare("allow(U, read, R)", nil)
	return func(ctx context.Context, i int) (bool, error) {
		if err != nil {
			return false, err
		}
		return query.Holds(ctx, values(i))
	}
}

func values(i int) map[string]any {
	user, resource := asked(i)
	return map[string]any{"U": term.Atom(user), "R": term.Atom(resource)}
}

func holds(_ engine.Solution, err error) (bool, error) {
	if err == engine.ErrNoSolution {
		return false, nil
	}
	return err == nil, err
}

// This part defines calls of tools, over a transport in memory: each goroutine is a client.

func servers() []system {
	return []system{
		{name: "mcplogic, call of a tool, in memory", slow: true, new: clientOf(server)},
		{name: "the SDK alone, a tool in Go, in memory", slow: true, new: clientOf(bare)},
	}
}

// bare is a server of the SDK with a tool that looks the answer up.
var bare = sync.OnceValues(func() (*mcp.Server, error) {
	roles, kinds := map[string]string{}, map[string]string{}
	for i := range users {
		roles[userName(i)], kinds[resourceName(i)] = role(i), kind(i)
	}
	type args struct{ U, R string }
	type result struct{ Answer string }
	s := mcp.NewServer(&mcp.Implementation{Name: "bare", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "may", Description: "Whether a user may read a resource."},
		func(_ context.Context, _ *mcp.CallToolRequest, a args) (*mcp.CallToolResult, result, error) {
			if slices.Contains(permits, [2]string{roles[a.U], kinds[a.R]}) {
				return nil, result{"yes"}, nil
			}
			return nil, result{"no"}, nil
		})
	return s, nil
})

var server = sync.OnceValues(func() (*mcp.Server, error) {
	dir, err := os.MkdirTemp("", "mcplogic-embed-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "rules.pl")
	if err := os.WriteFile(file, []byte(tool+rules()), 0o644); err != nil {
		return nil, err
	}
	snapshot, err := kb.Load(context.Background(), []string{file}, &kb.Options{Predicates: bridge.Predicates()})
	report := snapshot.Report(err)
	if snapshot == nil {
		return nil, report
	}
	return bridge.NewServer(snapshot, nil).MCP(), nil
})

// clientOf returns the function for new of clients of a server.
func clientOf(server func() (*mcp.Server, error)) func() (question, error) {
	return func() (question, error) {
		s, err := server()
		if err != nil {
			return nil, err
		}
		return newClient(s)
	}
}

func newClient(s *mcp.Server) (question, error) {
	ours, theirs := mcp.NewInMemoryTransports()
	if _, err := s.Connect(context.Background(), ours, nil); err != nil {
		return nil, err
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil)
	session, err := client.Connect(context.Background(), theirs, nil)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, i int) (bool, error) {
		user, resource := asked(i)
		call := &mcp.CallToolParams{Name: "may", Arguments: map[string]any{"U": user, "R": resource}}
		result, err := session.CallTool(ctx, call)
		if err != nil {
			return false, err
		}
		text := result.Content[0].(*mcp.TextContent).Text
		if result.IsError {
			return false, fmt.Errorf("the tool may: %s", text)
		}
		return strings.Contains(text, "yes"), nil
	}, nil
}
