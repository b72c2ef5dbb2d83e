package observe

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/mcplogic/mcplogic/bridge"
)

// This file defines traces: a span for each request, sent to an OpenTelemetry collector as JSON over HTTP (OTLP). Names
// follow the semantic conventions for MCP.

// Spans sends spans in batches, from a goroutine of its own that lives from NewSpans to Close. No request waits for the
// collector: spans that it does not take in time are dropped.
type Spans struct {
	// The address, and headers of OTEL_EXPORTER_OTLP_HEADERS, in which collectors want their keys.
	url     string
	headers map[string]string
	// spans are queued here in the form in which they are sent.
	spans  chan map[string]any
	quit   chan struct{} // closed when the server has ended
	done   chan struct{} // closed when all is sent
	stderr io.Writer
	told   bool // that traces are not sent; belongs to the goroutine
}

// Bounds of the queue: most spans that wait, spans for which a batch is sent before its time, the longest time until a
// span is sent, and the longest time that the collector may take. A collector that hangs holds up the end of the server
// by twice the last at most.
const (
	mostSpans   = 1000
	spanBatch   = 100
	spanWait    = time.Second
	spanTimeout = 5 * time.Second
)

// NewSpans starts the goroutine that sends to a collector. It adds the path /v1/traces where the address lacks it, as
// OTEL_EXPORTER_OTLP_ENDPOINT does. Values of headers are percent-encoded (W3C Baggage).
func NewSpans(address string, stderr io.Writer) (*Spans, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("the OpenTelemetry collector %q is none like http://localhost:4318", address)
	}
	if !strings.HasSuffix(u.Path, "/v1/traces") {
		u = u.JoinPath("v1/traces")
	}
	s := &Spans{url: u.String(), headers: map[string]string{}, spans: make(chan map[string]any, mostSpans),
		quit: make(chan struct{}), done: make(chan struct{}), stderr: stderr}
	for pair := range strings.SplitSeq(os.Getenv("OTEL_EXPORTER_OTLP_HEADERS"), ",") {
		if name, value, ok := strings.Cut(pair, "="); ok {
			value, _ = url.QueryUnescape(value)
			s.headers[strings.TrimSpace(name)] = value
		}
	}
	go s.send()
	return s, nil
}

// Note queues the span of a request that has ended. The span is an object of the JSON encoding of OTLP: ids are
// hexadecimal digits and not base64 as Protobuf's own encoding has bytes, 64-bit integers are strings, and values of
// enumerations are numbers. It goes by the semantic conventions for MCP: its name is the method with the tool or
// prompt, and error.type is tool_error for a result with isError, the JSON-RPC code for an error. Note never blocks,
// and many goroutines may call it.
func (s *Spans) Note(r bridge.Observation) {
	trace, parent := parentOf(r.TraceParent)
	name := r.Method
	attributes := []any{stringAttribute("mcp.method.name", r.Method), stringAttribute("mcplogic.outcome", r.Outcome)}
	if r.Name != "" {
		name += " " + r.Name
		key := "gen_ai.tool.name" // of calls, and of the tasks that they have become
		if r.Method == "prompts/get" {
			key = "gen_ai.prompt.name"
		}
		attributes = append(attributes, stringAttribute(key, r.Name))
	}
	span := map[string]any{"traceId": trace, "spanId": randomHex(8), "name": name, "kind": 2, // SERVER
		"startTimeUnixNano": strconv.FormatInt(r.Began.UnixNano(), 10),
		"endTimeUnixNano":   strconv.FormatInt(r.Began.Add(r.Took).UnixNano(), 10)}
	if parent != "" {
		span["parentSpanId"] = parent
	}
	switch r.Outcome {
	// The code 2 of a status is STATUS_CODE_ERROR. A status that is not set stands for success.
	case "failed":
		attributes = append(attributes, stringAttribute("error.type", "tool_error"))
		span["status"] = map[string]any{"code": 2}
	case "error":
		code := strconv.FormatInt(r.Code, 10)
		attributes = append(attributes, stringAttribute("error.type", code),
			stringAttribute("rpc.response.status_code", code))
		span["status"] = map[string]any{"code": 2}
	}
	span["attributes"] = attributes
	select {
	case s.spans <- span:
	default: // the collector is too slow
	}
}

// stringAttribute is a KeyValue of OTLP, whose value is a union with one member for each type.
func stringAttribute(key, value string) map[string]any {
	return map[string]any{"key": key, "value": map[string]any{"stringValue": value}}
}

// parentOf reads a traceparent (W3C Trace Context, 3.2): version, trace of 16 bytes, span of 8 bytes, flags. If it is
// missing or not valid, the request begins a trace, as the standard demands.
func parentOf(text string) (trace, span string) {
	parts := strings.Split(text, "-")
	if len(parts) == 4 && isHex(parts[1], 16) && isHex(parts[2], 8) {
		return parts[1], parts[2]
	}
	return randomHex(16), ""
}

// isHex reports whether a text is a number of bytes in lower-case hexadecimal digits. Zeros alone stand for no id and
// do not count.
func isHex(text string, bytes int) bool {
	data, err := hex.DecodeString(text)
	return err == nil && len(data) == bytes && strings.Trim(text, "0") != "" && text == strings.ToLower(text)
}

// randomHex returns n random bytes as 2n digits. rand.Read has no error to handle: it ends the process if the system
// has no random numbers.
func randomHex(n int) string {
	data := make([]byte, n)
	_, _ = rand.Read(data)
	return hex.EncodeToString(data)
}

// send is the goroutine. It sends a batch when the batch is full or spanWait is over, and at the end what is left.
func (s *Spans) send() {
	defer close(s.done)
	for ended := false; !ended; {
		var batch []any
		timer := time.NewTimer(spanWait)
		for open := true; open && len(batch) < spanBatch; {
			select {
			case span := <-s.spans:
				batch = append(batch, span)
			case <-timer.C:
				open = false
			case <-s.quit:
				open, ended = false, true
			}
		}
		timer.Stop()
		// The server has ended, so nothing is queued any more: one last batch takes all.
		for ended && len(s.spans) > 0 && len(batch) < mostSpans {
			batch = append(batch, <-s.spans)
		}
		if len(batch) > 0 {
			s.post(batch)
		}
	}
}

// post sends a batch as one request. A batch that was not taken is dropped. The first failure is printed, and no other:
// a collector that is down would fill the log.
func (s *Spans) post(batch []any) {
	ctx, cancel := context.WithTimeout(context.Background(), spanTimeout)
	defer cancel()
	service := stringAttribute("service.name", cmp.Or(os.Getenv("OTEL_SERVICE_NAME"), "mcplogic"))
	data, err := json.Marshal(map[string]any{"resourceSpans": []any{map[string]any{
		"resource": map[string]any{"attributes": []any{service}},
		"scopeSpans": []any{map[string]any{"scope": map[string]any{"name": "github.com/mcplogic/mcplogic"},
			"spans": batch}}}}})
	if err == nil {
		err = s.postData(ctx, data)
	}
	if err != nil && !s.told {
		s.told = true
		fmt.Fprintln(s.stderr, "mcplogic: traces are not sent:", err)
	}
}

// postData sends a body. What the collector answers is read, up to a bound, so that the connection can be used again.
func (s *Spans) postData(ctx context.Context, data []byte) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, bytes.NewReader(data))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	for name, value := range s.headers {
		req.Header.Set(name, value)
	}
	r, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(r.Body, 1<<16))
	if r.StatusCode >= 300 {
		return fmt.Errorf("the collector says %s", r.Status)
	}
	return nil
}

// Close waits until what is queued is sent. Spans that are noted later are lost, so the server must have ended.
func (s *Spans) Close() {
	close(s.quit)
	<-s.done
}
