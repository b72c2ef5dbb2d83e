package wire_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/internal/wire"
)

// A StdioTransport connects a server of the SDK to two streams. It answers malformed messages and goes on.
func ExampleStdioTransport() {
	in := strings.NewReader("{\n" + `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n")
	var out bytes.Buffer
	server := mcp.NewServer(&mcp.Implementation{Name: "example", Version: "1"}, nil)
	if err := server.Run(context.Background(), &wire.StdioTransport{In: in, Out: &out}); err != nil {
		log.Fatal(err)
	}
	fmt.Print(out.String())
	// Output:
	// {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error: unexpected end of JSON input"}}
	// {"jsonrpc":"2.0","id":1,"result":{}}
}
