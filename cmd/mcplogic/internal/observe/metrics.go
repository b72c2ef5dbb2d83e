// Package observe tells operators about the requests of a server: [Metrics] for Prometheus, and [Spans] for a collector
// of OpenTelemetry. Neither has arguments, results or tokens.
package observe

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mcplogic/mcplogic/bridge"
)

// This file defines metrics.

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

// Metrics counts requests and reloads. Goroutines share it. mu guards the maps; reloads counts by whether the load
// failed.
type Metrics struct {
	started  time.Time
	mu       sync.Mutex
	requests map[metricKey]*durations
	reloads  map[bool]uint64
}

// NewMetrics returns empty metrics. The time of the call stands for the start of the process.
func NewMetrics() *Metrics {
	return &Metrics{started: time.Now(), requests: map[metricKey]*durations{}, reloads: map[bool]uint64{}}
}

// Note counts a request.
func (b *Metrics) Note(r bridge.Observation) {
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

// Reloaded counts a reload.
func (b *Metrics) Reloaded(failed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reloads[failed]++
}

// ServeHTTP writes the metrics in the text format of Prometheus, version 0.0.4.
func (b *Metrics) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = io.WriteString(w, b.text())
}

// text is the metrics as text. Buckets are cumulative there: each counts what is not longer than its bound, and +Inf
// counts all. Units stand in the names. The go_ and process_ metrics have the names of the Prometheus client library,
// which existing dashboards show.
func (b *Metrics) text() string {
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
