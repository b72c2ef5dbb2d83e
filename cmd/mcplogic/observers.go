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

// observers holds the flags.
type observers struct {
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

// open prepares what the flags ask for. The returned function ends it.
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
			return nil, err
		}
		end = func() { o.spans.close(); closeLog() }
	}
	return end, nil
}

// observe returns what the server tells of requests, nil when nobody wants to know.
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

// reloaded notes a load.
func (o *observers) reloaded(c kb.Change) {
	if o.logger != nil {
		o.logger.Info("reload", "failed", c.Err != nil, "diagnostics", len(c.Diagnostics))
	}
	if o.book != nil {
		o.book.reloaded(c.Err != nil)
	}
}

// metricKey are the labels of requests. None is made of what a client sends: methods and names are the server's own.
type metricKey struct{ method, name, outcome string }

// metricBuckets are the bounds of durations, in seconds.
var metricBuckets = []float64{0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60}

// durations is a histogram.
type durations struct {
	counts [11]uint64 // one for each bucket, and one for what is longer
	sum    float64
}

// metricBook counts requests.
type metricBook struct {
	started  time.Time
	mu       sync.Mutex
	requests map[metricKey]*durations
	reloads  map[bool]uint64
}

func newMetricBook() *metricBook {
	return &metricBook{started: time.Now(), requests: map[metricKey]*durations{}, reloads: map[bool]uint64{}}
}

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

func (b *metricBook) reloaded(failed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reloads[failed]++
}

// ServeHTTP writes the metrics in the text format of Prometheus.
func (b *metricBook) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = io.WriteString(w, b.text())
}

// text is the metrics.
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

func compareKeys(a, b metricKey) int {
	return cmp.Or(cmp.Compare(a.method, b.method), cmp.Compare(a.name, b.name), cmp.Compare(a.outcome, b.outcome))
}

// labelled is a value of a label in quotes.
func labelled(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`).Replace(text) + `"`
}
