package observe

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/bridge"
)

// TestMetrics counts requests by what the server knows of them. Buckets add up, and a bound belongs to its bucket.
func TestMetrics(t *testing.T) {
	m := NewMetrics()
	for _, took := range []time.Duration{time.Millisecond, 3 * time.Millisecond, 2 * time.Minute} {
		m.Note(bridge.Observation{Method: "tools/call", Name: "a \"b\"\n\\", Outcome: "ok", Took: took})
	}
	m.Note(bridge.Observation{Method: "ping", Outcome: "error", Code: -32600})
	m.Reloaded(true)
	text := m.text()
	for _, line := range []string{
		`mcplogic_request_duration_seconds_bucket{method="tools/call",name="a \"b\"\n\\",outcome="ok",le="0.001"} 1`,
		`mcplogic_request_duration_seconds_bucket{method="tools/call",name="a \"b\"\n\\",outcome="ok",le="0.005"} 2`,
		`mcplogic_request_duration_seconds_bucket{method="tools/call",name="a \"b\"\n\\",outcome="ok",le="60"} 2`,
		`mcplogic_request_duration_seconds_bucket{method="tools/call",name="a \"b\"\n\\",outcome="ok",le="+Inf"} 3`,
		`mcplogic_request_duration_seconds_sum{method="tools/call",name="a \"b\"\n\\",outcome="ok"} 120.004`,
		`mcplogic_request_duration_seconds_count{method="ping",name="",outcome="error"} 1`,
		`mcplogic_reloads_total{outcome="failed"} 1`, `mcplogic_reloads_total{outcome="ok"} 0`,
	} {
		require.Contains(t, text, line+"\n")
	}
	require.Less(t, strings.Index(text, "ping"), strings.Index(text, "tools/call"), "the series are in order")
}

// TestParent takes the trace and the span out of a traceparent, and begins a trace where there is no valid one.
func TestParent(t *testing.T) {
	const trace, span = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
	for text, valid := range map[string]bool{
		"00-" + trace + "-" + span + "-01": true,
		"":                                 false,
		"00-" + trace + "-" + span:         false,
		"00-" + strings.ToUpper(trace) + "-" + span + "-01":  false,
		"00-" + strings.Repeat("0", 32) + "-" + span + "-01": false,
		"00-" + trace + "-" + span[:14] + "-01":              false,
	} {
		gotTrace, gotSpan := parentOf(text)
		if valid {
			require.Equal(t, trace, gotTrace)
			require.Equal(t, span, gotSpan)
			continue
		}
		require.True(t, isHex(gotTrace, 16), text)
		require.NotEqual(t, trace, gotTrace)
		require.Empty(t, gotSpan)
	}
}

// TestSpans sends what was noted before the end, and says once that a collector does not take it.
func TestSpans(t *testing.T) {
	var sent []byte
	status := http.StatusOK
	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent, _ = io.ReadAll(r.Body)
		w.WriteHeader(status)
	}))
	defer collector.Close()
	var stderr bytes.Buffer
	for _, refuses := range []bool{false, true} {
		if refuses {
			status = http.StatusServiceUnavailable
		}
		s, err := NewSpans(collector.URL, &stderr)
		require.NoError(t, err)
		s.Note(bridge.Observation{Method: "prompts/get", Name: "help", Outcome: "error", Code: -32602, Began: time.Unix(1, 0),
			Took: time.Second})
		s.Close()
		require.Contains(t, string(sent), `"name":"prompts/get help"`)
		require.Contains(t, string(sent), `{"key":"gen_ai.prompt.name","value":{"stringValue":"help"}}`)
		require.Contains(t, string(sent), `{"key":"error.type","value":{"stringValue":"-32602"}}`)
		require.Contains(t, string(sent), `"startTimeUnixNano":"1000000000"`)
		require.True(t, json.Valid(sent))
		require.Equal(t, refuses, stderr.Len() > 0)
	}
	require.Equal(t, "mcplogic: traces are not sent: the collector says 503 Service Unavailable\n", stderr.String())
	_, err := NewSpans("localhost:4318", &stderr)
	require.ErrorContains(t, err, "is none like http://localhost:4318")
}
