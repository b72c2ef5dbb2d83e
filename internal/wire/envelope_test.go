package wire

import (
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/stretchr/testify/require"
)

// TestEmptyObjects reads empty objects that are written as arrays, as PHP does, and requests without parameters.
func TestEmptyObjects(t *testing.T) {
	for _, test := range []struct{ rest, want string }{
		{`"method":"ping","params":[]`, `{}`},
		{`"method":"tools/call","params":{"name":"a","arguments":[ ]}`, `{"arguments":{},"name":"a"}`},
		{`"method":"tools/call","params":{"_meta":[],"arguments":{"l":[]}}`, `{"_meta":{},"arguments":{"l":[]}}`},
		{`"method":"tools/call","params":{"inputResponses":{"q":{"action":"accept","content":[]}}}`,
			`{"inputResponses":{"q":{"action":"accept","content":{}}}}`},
		{`"method":"tools/call","params":{"name":"a","arguments":[1]}`, `{"name":"a","arguments":[1]}`},
		{`"result":{"action":"accept","content":[]}`, `{"action":"accept","content":{}}`},
		{`"result":{"role":"user","content":[]}`, `{"role":"user","content":[]}`},
		{`"method":"skills/list"`, `{}`},
		{`"method":"skills/list","params":null`, `{}`},
		{`"method":"skills/get"`, ""},
		{`"method":"tasks/cancel","params":null`, ""},
	} {
		e, flaw := Open(json.RawMessage(`{"jsonrpc":"2.0","id":1,` + test.rest + `}`))
		require.Nil(t, flaw)
		m, flaw := e.Message()
		if test.want == "" {
			require.Equal(t, &Fault{jsonrpc.CodeInvalidRequest, `invalid request: missing required "params"`}, flaw, test.rest)
			continue
		}
		require.Nil(t, flaw, test.rest)
		switch m := m.(type) {
		case *jsonrpc.Request:
			require.Equal(t, test.want, string(m.Params))
		case *jsonrpc.Response:
			require.Equal(t, test.want, string(m.Result))
		}
	}
}
