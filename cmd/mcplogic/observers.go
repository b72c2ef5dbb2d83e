package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines what a server tells operators: a log of requests, metrics, and traces. All is off by default, and
// none of it has arguments, results or tokens.

// observers holds the flags, and what open makes of them.
type observers struct {
	// The flags: a file or -, whether there are metrics, the address of a collector.
	log     string
	metrics bool
	otlp    string

	logger *slog.Logger // nil: no log
	book   *metricBook  // nil: no metrics
	spans  *spanSender  // nil: no traces
}

// add defines the flags.
func (o *observers) add(flags *pflag.FlagSet) {
	flags.StringVar(&o.log, "log", "", "write each request to this file as a line of JSON; - is standard error")
	flags.BoolVar(&o.metrics, "metrics", false, "metrics for Prometheus at /metrics; needs --http")
	flags.StringVar(&o.otlp, "otlp", "",
		"send traces to this OpenTelemetry collector, such as http://localhost:4318; default $OTEL_EXPORTER_OTLP_ENDPOINT")
}

// open prepares what the flags ask for. end closes the log and sends what is left of the traces; it is called when the
// server has ended. The log is appended to, and only its owner can read it. After an error end is nil.
func (o *observers) open(stderr io.Writer) (end func(), err error) {
	end = func() {}
	if o.log != "" {
		out := stderr
		if o.log != "-" {
			f, err := os.OpenFile(o.log, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
			if err != nil {
				return nil, err
			}
			out, end = f, func() { _ = f.Close() }
		}
		o.logger = slog.New(slog.NewJSONHandler(out, nil))
	}
	if o.metrics {
		o.book = newMetricBook()
	}
	closeLog := end
	if address := cmp.Or(o.otlp, os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT")); address != "" {
		if o.spans, err = newSpanSender(address, stderr); err != nil {
			closeLog()
			return nil, err
		}
		end = func() { o.spans.close(); closeLog() }
	}
	return end, nil
}

// observe returns the function that the server calls at the begin of each request, nil when nobody wants to know. What
// that returns is called at the end, by many goroutines: a logger, the metrics and the queue of spans each allow that.
func (o *observers) observe() func(context.Context, bridge.Observation) (context.Context, func(bridge.Observation)) {
	if o.logger == nil && o.book == nil && o.spans == nil {
		return nil
	}
	end := func(r bridge.Observation) {
		if o.logger != nil {
			o.logger.Info("request", "method", r.Method, "name", r.Name, "outcome", r.Outcome, "code", r.Code,
				"milliseconds", float64(r.Took.Microseconds())/1000, "user", r.User, "rules", r.Rules)
		}
		if o.book != nil {
			o.book.note(r)
		}
		if o.spans != nil {
			o.spans.note(r)
		}
	}
	return func(ctx context.Context, _ bridge.Observation) (context.Context, func(bridge.Observation)) {
		return ctx, end
	}
}

// reloaded records a load after the first, which has failed if c.Err is not nil.
func (o *observers) reloaded(c kb.Change) {
	if o.logger != nil {
		o.logger.Info("reload", "failed", c.Err != nil, "diagnostics", len(c.Diagnostics))
	}
	if o.book != nil {
		o.book.reloaded(c.Err != nil)
	}
}

// metricKey are the labels of requests. Their number is bounded, because none comes from a client: methods and names
// that the server does not have are "other" and "".
type metricKey struct{ method, name, outcome string }

// metricBuckets are the upper bounds of durations, in seconds. A bound belongs to its bucket (le is less or equal).
var metricBuckets = []float64{0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60}

// durations is a histogram. sum is in seconds.
type durations struct {
	// counts[i] has the durations above bound i-1 and up to bound i. The text format wants them added up, which text
	// does.
	counts [11]uint64 // one for each bucket, and one for what is longer
	sum    float64
}

// metricBook holds the metrics. mu guards the maps; reloads counts by whether the load failed.
type metricBook struct {
	started  time.Time
	mu       sync.Mutex
	requests map[metricKey]*durations
	reloads  map[bool]uint64
}

// newMetricBook returns empty metrics. The time of the call stands for the start of the process.
func newMetricBook() *metricBook {
	return &metricBook{started: time.Now(), requests: map[metricKey]*durations{}, reloads: map[bool]uint64{}}
}

// note counts a request.
func (b *metricBook) note(r bridge.Observation) {
	b.mu.Lock()
	defer b.mu.Unlock()
	key := metricKey{r.Method, r.Name, r.Outcome}
	d := b.requests[key]
	if d == nil {
		d = &durations{}
		b.requests[key] = d
	}
	seconds := r.Took.Seconds()
	at, _ := slices.BinarySearch(metricBuckets, seconds)
	d.counts[at]++
	d.sum += seconds
}

// reloaded counts a reload.
func (b *metricBook) reloaded(failed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reloads[failed]++
}

// ServeHTTP writes the metrics in the text format of Prometheus, version 0.0.4.
func (b *metricBook) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = io.WriteString(w, b.text())
}

// text is the metrics as text. Buckets are cumulative there: each counts what is not longer than its bound, and +Inf
// counts all. Units stand in the names. The go_ and process_ metrics have the names of the Prometheus client library,
// which existing dashboards show.
func (b *metricBook) text() string {
	var t strings.Builder
	head := func(name, kind, help string) { fmt.Fprintf(&t, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind) }
	b.mu.Lock()
	defer b.mu.Unlock()
	const name = "mcplogic_request_duration_seconds"
	head(name, "histogram", "How long requests took, by method, name of the tool or prompt, and outcome.")
	for _, key := range slices.SortedFunc(maps.Keys(b.requests), compareKeys) {
		d, total := b.requests[key], uint64(0)
		labels := fmt.Sprintf("method=%s,name=%s,outcome=%s", labelled(key.method), labelled(key.name), labelled(key.outcome))
		for i, bound := range metricBuckets {
			total += d.counts[i]
			fmt.Fprintf(&t, "%s_bucket{%s,le=\"%s\"} %d\n", name, labels, strconv.FormatFloat(bound, 'g', -1, 64), total)
		}
		total += d.counts[len(metricBuckets)]
		fmt.Fprintf(&t, "%s_bucket{%s,le=\"+Inf\"} %d\n%[1]s_sum{%[2]s} %[4]g\n%[1]s_count{%[2]s} %[3]d\n",
			name, labels, total, d.sum)
	}
	head("mcplogic_reloads_total", "counter", "How often the knowledge base was loaded again.")
	for _, failed := range []bool{false, true} {
		fmt.Fprintf(&t, "mcplogic_reloads_total{outcome=\"%s\"} %d\n",
			map[bool]string{false: "ok", true: "failed"}[failed], b.reloads[failed])
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	head("go_memstats_sys_bytes", "gauge", "Bytes of memory obtained from the system.")
	fmt.Fprintf(&t, "go_memstats_sys_bytes %d\n", memory.Sys)
	head("go_goroutines", "gauge", "Number of goroutines.")
	fmt.Fprintf(&t, "go_goroutines %d\n", runtime.NumGoroutine())
	head("process_start_time_seconds", "gauge", "Start time of the process since the epoch.")
	fmt.Fprintf(&t, "process_start_time_seconds %d\n", b.started.Unix())
	return t.String()
}

// compareKeys orders by method, name and outcome, so that the series come in the same order each time.
func compareKeys(a, b metricKey) int {
	return cmp.Or(cmp.Compare(a.method, b.method), cmp.Compare(a.name, b.name), cmp.Compare(a.outcome, b.outcome))
}

// labelled is the value of a label in quotes. The format escapes backslash, line end and quote, and nothing else.
func labelled(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`).Replace(text) + `"`
}

// This part defines traces: a span for each request, sent to an OpenTelemetry collector as JSON over HTTP (OTLP). Names
// follow the semantic conventions for MCP.

// spanSender sends spans in batches, from a goroutine of its own that lives from newSpanSender to close. No request
// waits for the collector: spans that it does not take in time are dropped.
type spanSender struct {
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

// newSpanSender starts the goroutine that sends to a collector. An address without the path /v1/traces gets it, as
// OTEL_EXPORTER_OTLP_ENDPOINT is without. Values of headers are percent-encoded (W3C Baggage).
func newSpanSender(address string, stderr io.Writer) (*spanSender, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("the OpenTelemetry collector %q is none like http://localhost:4318", address)
	}
	if !strings.HasSuffix(u.Path, "/v1/traces") {
		u = u.JoinPath("v1/traces")
	}
	s := &spanSender{url: u.String(), headers: map[string]string{}, spans: make(chan map[string]any, mostSpans),
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

// note queues the span of a request that has ended. The span is an object of the JSON encoding of OTLP: ids are
// hexadecimal digits and not base64 as Protobuf's own encoding has bytes, 64-bit integers are strings, and values of
// enumerations are numbers. It goes by the semantic conventions for MCP: its name is the method with the tool or
// prompt, and error.type is tool_error for a result with isError, the JSON-RPC code for an error. note never blocks,
// and many goroutines may call it.
func (s *spanSender) note(r bridge.Observation) {
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

// parentOf reads a traceparent (W3C Trace Context, 3.2): version, trace of 16 bytes, span of 8 bytes, flags. Without a
// valid one the request begins a trace, as the standard demands of an invalid one.
func parentOf(text string) (trace, span string) {
	parts := strings.Split(text, "-")
	if len(parts) == 4 && isHex(parts[1], 16) && isHex(parts[2], 8) {
		return parts[1], parts[2]
	}
	return randomHex(16), ""
}

// isHex reports whether a text is so many bytes in lower-case digits, and not all zero, which stands for no id.
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
func (s *spanSender) send() {
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
func (s *spanSender) post(batch []any) {
	ctx, cancel := context.WithTimeout(context.Background(), spanTimeout)
	defer cancel()
	data, err := json.Marshal(map[string]any{"resourceSpans": []any{map[string]any{
		"resource": map[string]any{"attributes": []any{stringAttribute("service.name", serviceName())}},
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
func (s *spanSender) postData(ctx context.Context, data []byte) error {
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

// serviceName is the name of the service in traces, which OTEL_SERVICE_NAME sets.
func serviceName() string {
	if name := os.Getenv("OTEL_SERVICE_NAME"); name != "" {
		return name
	}
	return "mcplogic"
}

// close waits until what is queued is sent. Spans that are noted later are lost, so the server must have ended.
func (s *spanSender) close() {
	close(s.quit)
	<-s.done
}
