package main

//lint:file-ignore SA1019 2026-07-28 deprecates roots, but goals may ask for them all the same.

import (
	"context"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines a client of a server in the same process, so that the commands that show
// what clients see go the way that clients go.

// clientVersion is the protocol version the client speaks: the newest in which a server asks
// in the middle of a call, as often as it likes.
const clientVersion = "2025-11-25"

// connect loads a knowledge base and opens a session with a server of it. Call the function it
// returns in the end.
func connect(cmd *cobra.Command, f *serverFlags, paths []string, o *mcp.ClientOptions) (*mcp.ClientSession, func(),
	error) {
	options, err := f.options(cmd, paths)
	if err != nil {
		return nil, nil, err
	}
	snapshot, report := kb.Load(cmd.Context(), paths, f.load(cmd))
	printDiagnostics(cmd.ErrOrStderr(), report)
	if snapshot == nil {
		return nil, nil, notLoaded(report)
	}
	server := bridge.NewServer(snapshot, options)
	keepOrder(server.MCP(), o)
	ours, theirs := mcp.NewInMemoryTransports()
	serving, err := server.MCP().Connect(cmd.Context(), ours, nil)
	if err != nil {
		return nil, nil, err
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "mcplogic", Version: version()}, o)
	addRoot(client, o)
	session, err := client.Connect(cmd.Context(), theirs, &mcp.ClientSessionOptions{ProtocolVersion: clientVersion})
	if err != nil {
		return nil, nil, err
	}
	return session, func() {
		_ = session.Close()
		_ = serving.Wait() // ends with the client
		server.Close()
	}, nil
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

// addRoot makes the current folder the root of a client that has roots.
func addRoot(client *mcp.Client, o *mcp.ClientOptions) {
	if o.Capabilities != nil && o.Capabilities.RootsV2 != nil {
		client.AddRoots(ownRoots()...)
	}
}

// ownRoots is the current folder.
func ownRoots() []*mcp.Root {
	dir, err := os.Getwd()
	if err != nil {
		return nil
	}
	url := url.URL{Scheme: "file", Path: filepath.ToSlash(dir)}
	return []*mcp.Root{{URI: url.String(), Name: filepath.Base(dir)}}
}

// findTool returns the tool of a name, or an error that names those there are.
func findTool(ctx context.Context, session *mcp.ClientSession, name string) (*mcp.Tool, error) {
	var names []string
	for t, err := range session.Tools(ctx, nil) {
		if err != nil {
			return nil, err
		}
		if t.Name == name {
			return t, nil
		}
		names = append(names, t.Name)
	}
	return nil, unknownTool(name, names)
}

// toolSchema is what the commands need to know of an input schema.
type toolSchema struct {
	Properties map[string]property `json:"properties"`
	Required   []string            `json:"required"`
}

// decodeInto turns a value that was decoded from JSON into another shape.
func decodeInto(from, to any) error {
	raw, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, to)
}
