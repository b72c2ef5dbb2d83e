// Command bareserver is the smallest server the Go SDK makes: one tool over
// stdio. It is what `go run ./tools/bench -mcp` measures mcplogic against.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type input struct {
	N int `json:"n" jsonschema:"the number to double"`
}

type output struct {
	Result int `json:"result" jsonschema:"twice the number"`
}

func main() {
	server := mcp.NewServer(&mcp.Implementation{Name: "bare", Version: "1.0.0"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "double", Description: "Doubles a number."}, double)
	if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func double(_ context.Context, _ *mcp.CallToolRequest, in input) (*mcp.CallToolResult, output, error) {
	return nil, output{Result: 2 * in.N}, nil
}
