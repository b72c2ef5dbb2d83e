package calls

import (
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/internal/wire"
)

// TestIdentity wants requests of one client to share its identity, and those of others to have their own, also of more
// clients than are cached.
func TestIdentity(t *testing.T) {
	request := func(name, extension string) *Request {
		params := &mcp.CallToolParamsRaw{Meta: mcp.Meta{
			mcp.MetaKeyProtocolVersion:    wire.VersionStateless,
			mcp.MetaKeyClientInfo:         map[string]any{"name": name, "version": "1"},
			mcp.MetaKeyClientCapabilities: map[string]any{"extensions": map[string]any{extension: map[string]any{}}},
		}}
		return NewRequest(&mcp.CallToolRequest{Session: &mcp.ServerSession{}, Params: params}, "", nil)
	}
	for range 2 {
		for i := range 200 {
			name, extension := fmt.Sprint("client", i%100), fmt.Sprint("extension", i/100)
			cr := request(name, extension)
			info, _ := cr.Client()
			require.Equal(t, name, info.Name)
			require.Contains(t, cr.Caps.Extensions, extension)
			require.JSONEq(t, fmt.Sprintf(`{"extensions": {%q: {}}}`, extension), string(cr.Able()))
			require.Same(t, cr.Caps, request(name, extension).Caps)
		}
	}
}
