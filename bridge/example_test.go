package bridge_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/kb"
)

// Serve is a server over two streams, in a program os.Stdin and os.Stdout. Here the client is a text.
func ExampleServe() {
	ctx := context.Background()
	o := &kb.Options{Predicates: bridge.Predicates()} // what goals need to talk to clients
	base, err := kb.Open(ctx, []string{"../examples/factorial/my_tools.pl"}, o)
	if err != nil {
		log.Fatal(err)
	}
	in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
		`"capabilities":{},"clientInfo":{"name":"example","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"factorial","arguments":{"N":20}}}
`)
	var out bytes.Buffer
	if err := bridge.Serve(ctx, base, in, &out, nil, nil); err != nil {
		log.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		var reply struct {
			ID     int
			Result struct{ StructuredContent json.RawMessage }
		}
		if err := json.Unmarshal([]byte(line), &reply); err == nil && reply.ID == 2 {
			fmt.Printf("%s\n", reply.Result.StructuredContent)
		}
	}
	// Output: {"F":"2432902008176640000"}
}

// NewServer makes a server of the SDK, which any of its transports connects to a client.
func ExampleNewServer() {
	ctx := context.Background()
	o := &kb.Options{Predicates: bridge.Predicates()}
	snapshot, err := kb.Load(ctx, []string{"../examples/factorial/my_tools.pl"}, o)
	if err != nil {
		log.Fatal(err)
	}
	server := bridge.NewServer(snapshot, &bridge.Options{Name: "numbers"})
	defer server.Close()

	ours, theirs := mcp.NewInMemoryTransports()
	if _, err := server.MCP().Connect(ctx, ours, nil); err != nil {
		log.Fatal(err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "example", Version: "1"}, nil)
	session, err := client.Connect(ctx, theirs, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()
	call := &mcp.CallToolParams{Name: "factorial", Arguments: map[string]any{"N": 5}}
	result, err := session.CallTool(ctx, call)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Content[0].(*mcp.TextContent).Text)
	// Output: F: 120
}
