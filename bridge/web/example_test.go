package web_test

import (
	"context"
	"fmt"
	"log"
	"net/http/httptest"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/bridge/web"
	"github.com/mcplogic/mcplogic/kb"
)

// NewServer makes the endpoint of a server. The endpoint is an http.Handler, and its Serve answers the requests of a
// listener.
func ExampleNewServer() {
	ctx := context.Background()
	o := &kb.Options{Predicates: bridge.Predicates()}
	snapshot, err := kb.Load(ctx, []string{"../../examples/factorial/my_tools.pl"}, o)
	if err != nil {
		log.Fatal(err)
	}
	server := bridge.NewServer(snapshot, nil)
	defer server.Close()
	endpoint, err := web.NewServer(server.MCP(), nil)
	if err != nil {
		log.Fatal(err)
	}
	listener := httptest.NewServer(endpoint)
	defer listener.Close()

	client := mcp.NewClient(&mcp.Implementation{Name: "example", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: listener.URL + web.Path}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()
	for tool, err := range session.Tools(ctx, nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(tool.Name)
	}
	// Output: factorial
}
