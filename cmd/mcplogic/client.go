package main

//lint:file-ignore SA1019 2026-07-28 deprecates roots, but goals may ask for them all the same.

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/questions"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/settings"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines a client of a server in the same process, so that the commands that show
// what clients see go the way that clients go.

// clientVersion is the protocol version the client speaks: the newest in which a server asks
// in the middle of a call, as often as it likes.
const clientVersion = "2025-11-25"

// connect loads a knowledge base and opens a session with a server of it. The server is the one that serve
// starts, over a transport in memory. Call the function that connect returns when the session is not needed
// any more. The handler for questions in o is replaced, see keepOrder. One goroutine may use the session, because
// keepOrder and keepDigits remember one question and one result. After an error there is nothing to call.
func connect(
	cmd *cobra.Command, f *settings.ServerFlags, paths []string, o *mcp.ClientOptions,
) (*mcp.ClientSession, func(), error) {
	options, err := f.Options(cmd, paths)
	if err != nil {
		return nil, nil, err
	}
	// The person at the terminal owns the rules and may see where a goal has thrown.
	options.Backtraces, options.Decisions = true, f.Recorder
	loading := f.Load(cmd)
	if err := f.AddBench(options, loading, paths); err != nil {
		return nil, nil, err
	}
	closeStore, err := f.OpenStore(cmd, loading, options)
	if err != nil {
		return nil, nil, err
	}
	snapshot, report := cli.LoadFiles(cmd.Context(), cmd.ErrOrStderr(), paths, loading)
	cli.PrintDiagnostics(cmd.ErrOrStderr(), report)
	if snapshot == nil {
		closeStore()
		return nil, nil, cli.NotLoaded(report)
	}
	giving, err := f.Given.Read(snapshot.Program, "", cmd.ErrOrStderr())
	if err != nil {
		closeStore()
		return nil, nil, err
	}
	given := &giving
	if !f.Given.Some() {
		given = nil
	}
	session, done, err := join(cmd, bridge.NewServer(snapshot, options), given, o)
	if err != nil {
		closeStore()
		return nil, nil, err
	}
	return session, func() {
		done()
		closeStore()
	}, nil
}

// join opens a session with a server. Its calls get the facts, clock and seed of giving, unless giving is nil. The
// returned function ends the session and the server.
func join(cmd *cobra.Command, server *bridge.Server, giving *engine.Given, o *mcp.ClientOptions) (*mcp.ClientSession,
	func(), error) {
	if giving != nil {
		server.MCP().AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
				return next(bridge.WithGiven(ctx, *giving), method, req)
			}
		})
	}
	keepOrder(server.MCP(), o)
	ours, theirs := mcp.NewInMemoryTransports()
	serving, err := server.MCP().Connect(cmd.Context(), ours, nil)
	if err != nil {
		server.Close()
		return nil, nil, err
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "mcplogic", Version: cli.Version()}, o)
	_ = mcp.AddSendingCustomMethod[*eventsParams, *eventsResult](client, methodEvents) // it is no standard one
	addRoot(client, o)
	keepDigits(server.MCP(), client)
	session, err := client.Connect(cmd.Context(), theirs, &mcp.ClientSessionOptions{ProtocolVersion: clientVersion})
	if err != nil {
		_ = serving.Close()
		server.Close()
		return nil, nil, err
	}
	return session, func() {
		_ = session.Close()
		_ = serving.Wait() // ends with the client
		server.Close()
	}, nil
}

// connectUser opens a session, as connect does, with a client whose user is the person at the terminal: questions and
// log messages go to standard error, answers come from standard input.
func connectUser(cmd *cobra.Command, f *settings.ServerFlags, paths []string) (*mcp.ClientSession, func(), error) {
	stderr := cmd.ErrOrStderr()
	asks := questions.NewAsker(cmd.InOrStdin(), stderr)
	session, done, err := connect(cmd, f, paths, &mcp.ClientOptions{
		Capabilities:         questions.CanBeAsked(),
		ElicitationHandler:   asks.Ask,
		CreateMessageHandler: asks.Play,
		LoggingMessageHandler: func(_ context.Context, r *mcp.LoggingMessageRequest) {
			fmt.Fprintf(stderr, "%s: %v\n", r.Params.Level, r.Params.Data)
		},
	})
	if err != nil {
		return nil, nil, err
	}
	// A server sends no log messages before its client has set a level.
	_ = session.SetLoggingLevel(cmd.Context(), &mcp.SetLoggingLevelParams{Level: "info"})
	return session, done, nil
}

// asking opens a session as connectUser does, and calls ask with the lists of the server.
func asking(cmd *cobra.Command, f *settings.ServerFlags, paths []string,
	ask func(ctx context.Context, session *mcp.ClientSession, o *offer) error) error {
	session, done, err := connectUser(cmd, f, paths)
	if err != nil {
		return err
	}
	defer done()
	o, err := collect(cmd.Context(), session)
	if err != nil {
		return err
	}
	return ask(cmd.Context(), session, o)
}

// refused prints the error with which a server answers a request and returns the exit code for it. Other errors, such
// as those of the connection, are returned as they are.
func refused(cmd *cobra.Command, err error) error {
	var answer *jsonrpc.Error
	if !errors.As(err, &answer) {
		return err
	}
	fmt.Fprintln(cmd.ErrOrStderr(), answer.Message)
	return cli.Exit(cli.ExitNo)
}

// unknownItem returns the error for a tool, prompt or resource that the server does not offer. It names the nearest
// one, or all.
func unknownItem(kind, name string, names []string) error {
	if near := spell.Nearest(name, names); near != "" {
		return fmt.Errorf("there is no %s %s; did you mean %s?", kind, name, near)
	}
	if len(names) == 0 {
		return fmt.Errorf("there is no %s %s; this knowledge base declares none", kind, name)
	}
	return fmt.Errorf("there is no %s %s; there are %s", kind, name, strings.Join(names, ", "))
}

// keepOrder lets the client's user be asked in the order of a form's schema. What was decoded from JSON has lost
// it; here the server is in the same process, and the schema that it sends can be kept.
func keepOrder(server *mcp.Server, o *mcp.ClientOptions) {
	ask := o.ElicitationHandler
	if ask == nil {
		return
	}
	var sent atomic.Pointer[mcp.ElicitParams] // a goal waits for one answer at a time
	server.AddSendingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if p, ok := req.GetParams().(*mcp.ElicitParams); ok {
				sent.Store(p)
			}
			return next(ctx, method, req)
		}
	})
	o.ElicitationHandler = func(ctx context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		if p := sent.Load(); p != nil {
			req.Params.RequestedSchema = p.RequestedSchema
		}
		return ask(ctx, req)
	}
}

// keepDigits gives a client the structured content of results as the server in the same process has sent it. What is
// decoded from JSON has lost digits of large integers and the order of members.
func keepDigits(server *mcp.Server, client *mcp.Client) {
	var sent atomic.Pointer[mcp.CallToolResult] // the client makes one call at a time
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			result, err := next(ctx, method, req)
			if r, ok := result.(*mcp.CallToolResult); ok {
				sent.Store(r)
			}
			return result, err
		}
	})
	client.AddSendingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			result, err := next(ctx, method, req)
			if r, ok := result.(*mcp.CallToolResult); ok && sent.Load() != nil {
				r.StructuredContent = sent.Load().StructuredContent
			}
			return result, err
		}
	})
}

// addRoot makes the current folder the root of a client that has roots, so that goals which ask for them get an answer.
func addRoot(client *mcp.Client, o *mcp.ClientOptions) {
	if o.Capabilities != nil && o.Capabilities.RootsV2 != nil {
		client.AddRoots(questions.OwnRoots()...)
	}
}

// toolSchema is what the commands need to know of an input schema. Everything else in it is the server's to check.
type toolSchema struct {
	Properties map[string]questions.Property `json:"properties"`
	Required   []string                      `json:"required"`
}
