package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/wiretest"
)

// TestUnreadableParams sends params of the wrong shape. The error says what is wrong, with neither types of Go nor the
// params.
func TestUnreadableParams(t *testing.T) {
	for _, test := range []struct{ method, params, want string }{
		{"tools/call", `{"name":5,"requestState":"secret"}`, "invalid params: expected a string as name"},
		{"tools/call", `["secret"]`, "invalid params: expected an object as params"},
		{"tools/call", `{"name":"x \" into a *mcp.X: secret","_meta":3}`, "invalid params: expected an object as _meta"},
		{"tools/list", `{"cursor":["secret"]}`, "invalid params: expected a string as cursor"},
		{"completion/complete", `{"ref":7,"secret":1}`, "invalid params: expected an object as ref"},
		{"completion/complete", `{"ref":{"type":"zebra"},"argument":{"name":"secret","value":""}}`,
			`invalid params: unrecognized content type "zebra"`},
		{"logging/setLevel", `{"level":{"secret":1}}`, "invalid params: expected a string as level"},
		{"resources/read", `{"uri":false,"secret":1}`, "invalid params: expected a string as uri"},
		{"initialize", `{"protocolVersion":5,"secret":1}`, "invalid params: expected a string as protocolVersion"},
		{"initialize", `{"protocolVersion":"2025-11-25","capabilities":7,"secret":1}`,
			"invalid params: expected an object as capabilities"},
	} {
		t.Run(test.method+test.params, func(t *testing.T) {
			lines := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, test.method, test.params) + "\n"
			if test.method != "initialize" {
				lines = wiretest.InitializeLine("2025-11-25") + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" +
					lines
			}
			var out bytes.Buffer
			server := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{
				Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}})
			require.NoError(t, server.Run(t.Context(), &StdioTransport{In: strings.NewReader(lines), Out: &out}))
			replies := strings.Split(strings.TrimSpace(out.String()), "\n")
			var reply struct {
				Error struct {
					Code    int
					Message string
				}
			}
			require.NoError(t, json.Unmarshal([]byte(replies[len(replies)-1]), &reply))
			require.Equal(t, -32602, reply.Error.Code)
			require.Equal(t, test.want, reply.Error.Message)
		})
	}
}
