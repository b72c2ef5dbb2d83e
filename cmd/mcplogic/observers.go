package main

import (
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
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

// observe returns the function that the server calls at the end of each request, nil when nobody wants to know. It is
// called by many goroutines: a logger, the metrics and the queue of spans each allow that.
func (o *observers) observe() func(bridge.Observation) {
	if o.logger == nil && o.book == nil && o.spans == nil {
		return nil
	}
	return func(r bridge.Observation) {
		if o.logger != nil {
			o.logger.Info("request", "method", r.Method, "name", r.Name, "outcome", r.Outcome, "code", r.Code,
				"milliseconds", float64(r.Took.Microseconds())/1000, "user", r.User)
		}
		if o.book != nil {
			o.book.note(r)
		}
		if o.spans != nil {
			o.spans.note(r)
		}
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
