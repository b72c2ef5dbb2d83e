//go:build unix

package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/wiretest"
)

// TestObservers looks at the log, the metrics and the traces of calls: they have names of the server's own, and nothing
// that a client has sent.
func TestObservers(t *testing.T) {
	spans := make(chan []byte, 10)
	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		if r.URL.Path == "/v1/traces" {
			spans <- data
		}
	}))
	defer collector.Close()
	dir, _ := folder(t, orderRules)
	logFile := filepath.Join(t.TempDir(), "log")
	page, stop := served(t, "--http", "127.0.0.1:0", "--log", logFile, "--metrics", "--otlp", collector.URL, dir)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	cs, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: page + "mcp"}, nil)
	require.NoError(t, err)
	const parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	_, err = cs.CallTool(t.Context(), &mcp.CallToolParams{Meta: mcp.Meta{"traceparent": parent}, Name: "price",
		Arguments: map[string]any{"Arg1": "secret-apple"}})
	require.NoError(t, err)
	_, err = cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "secret-tool"})
	require.Error(t, err)

	r, err := http.Get(page + "metrics")
	require.NoError(t, err)
	metrics, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	r.Body.Close()
	require.Equal(t, "text/plain; version=0.0.4; charset=utf-8", r.Header.Get("Content-Type"))
	require.Regexp(t, `mcplogic_request_duration_seconds_count\{method="tools/call",name="price",outcome="\w+"\} 1\n`,
		string(metrics))
	require.Contains(t, string(metrics),
		`mcplogic_request_duration_seconds_bucket{method="tools/call",name="",outcome="error",le="+Inf"} 1`)
	require.NoError(t, cs.Close())
	stop()

	log, err := os.ReadFile(logFile)
	require.NoError(t, err)
	calls := 0
	for line := range strings.Lines(string(log)) {
		var entry map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &entry))
		if entry["method"] == "tools/call" {
			calls++
		}
	}
	require.Equal(t, 2, calls)
	var sent []byte
	for !strings.Contains(string(sent), "tools/call price") {
		select {
		case data := <-spans:
			sent = append(sent, data...)
		case <-time.After(wiretest.Patience):
			require.Fail(t, "no span was sent", string(sent))
		}
	}
	require.Contains(t, string(sent), `"traceId":"0af7651916cd43dd8448eb211c80319c"`)
	require.Contains(t, string(sent), `"parentSpanId":"b7ad6b7169203331"`)
	require.Contains(t, string(sent), `{"key":"gen_ai.tool.name","value":{"stringValue":"price"}}`)
	for _, text := range []string{string(log), string(metrics), string(sent)} {
		require.NotContains(t, text, "secret")
	}
}
