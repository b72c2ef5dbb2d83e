package main

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"os"

	"github.com/spf13/pflag"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/observe"
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

	logger *slog.Logger     // nil: no log
	book   *observe.Metrics // nil: no metrics
	spans  *observe.Spans   // nil: no traces
}

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
		o.book = observe.NewMetrics()
	}
	closeLog := end
	if address := cmp.Or(o.otlp, os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT")); address != "" {
		if o.spans, err = observe.NewSpans(address, stderr); err != nil {
			closeLog()
			return nil, err
		}
		end = func() { o.spans.Close(); closeLog() }
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
			o.book.Note(r)
		}
		if o.spans != nil {
			o.spans.Note(r)
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
		o.book.Reloaded(c.Err != nil)
	}
}
