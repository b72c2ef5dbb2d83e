// This file defines the measurement of the server: how long after its start it answers tools/list, and how long a call
// of a trivial tool takes, beside a bare server on the same SDK that does the same.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// trivialTool is the knowledge base that does what bareserver does.
const trivialTool = `:- mode(double(+integer, -integer), one).
:- info(double/2, [comment is 'Doubles a number.', argnames is [n, result]]).
tools([tool(double, double, 2)]).
double(N, Result) :- Result is 2 * N.
`

const (
	startsPerRun = 10
	blocksPerRun = 20
	callsInBlock = 100
	warmUpCalls  = 500
)

// A serverResult is one server; times are in microseconds.
type serverResult struct {
	Name          string  `json:"name"`
	StartMin      float64 `json:"start_to_tools_list_min_us"`
	StartMedian   float64 `json:"start_to_tools_list_median_us"`
	CallMin       float64 `json:"call_min_us"`
	CallMedian    float64 `json:"call_median_us"`
	starts, calls []time.Duration
}

// An mcpReport compares ours, first, with the bare server.
type mcpReport struct {
	Runs    int             `json:"runs"`
	Servers []*serverResult `json:"servers"`
	Extra   float64         `json:"extra_start_median_us"`
	Ratio   float64         `json:"call_median_ratio"`
}

// measureMCP builds both servers into dir and lets them take turns.
func measureMCP(ctx context.Context, dir string, opts options) (*mcpReport, error) {
	lines, err := buildServers(ctx, dir)
	if err != nil {
		return nil, err
	}
	report := &mcpReport{Runs: opts.runs, Servers: []*serverResult{{Name: "mcplogic"}, {Name: "bare SDK"}}}
	for range opts.runs {
		if err := measureStarts(ctx, lines, report.Servers); err != nil {
			return nil, err
		}
		if err := measureCalls(ctx, lines, report.Servers); err != nil {
			return nil, err
		}
	}
	for _, s := range report.Servers {
		s.summarize()
	}
	ours, bare := report.Servers[0], report.Servers[1]
	report.Extra = ours.StartMedian - bare.StartMedian
	report.Ratio = ours.CallMedian / bare.CallMedian
	return report, nil
}

// buildServers returns the command lines of ours and of the bare server.
func buildServers(ctx context.Context, dir string) ([][]string, error) {
	ours, bare := filepath.Join(dir, "mcplogic"), filepath.Join(dir, "bareserver")
	if err := goBuild(ctx, ours, "cmd/mcplogic"); err != nil {
		return nil, err
	}
	if err := goBuild(ctx, bare, "tools/bench/bareserver"); err != nil {
		return nil, err
	}
	kb := filepath.Join(dir, "double.pl")
	if err := os.WriteFile(kb, []byte(trivialTool), 0o644); err != nil {
		return nil, err
	}
	return [][]string{{ours, "serve", kb}, {bare}}, nil
}

func measureStarts(ctx context.Context, lines [][]string, servers []*serverResult) error {
	for range startsPerRun {
		for i, line := range lines {
			began := time.Now()
			c, err := dial(ctx, line)
			if err != nil {
				return fmt.Errorf("%s: %w", servers[i].Name, err)
			}
			servers[i].starts = append(servers[i].starts, time.Since(began))
			if err := c.close(); err != nil {
				return fmt.Errorf("%s: %w", servers[i].Name, err)
			}
		}
	}
	return nil
}

// measureCalls keeps both servers running and alternates blocks of calls.
func measureCalls(ctx context.Context, lines [][]string, servers []*serverResult) error {
	clients := make([]*client, len(lines))
	for i, line := range lines {
		c, err := dial(ctx, line)
		if err != nil {
			return fmt.Errorf("%s: %w", servers[i].Name, err)
		}
		defer c.close()
		if _, err := c.calls(warmUpCalls); err != nil {
			return fmt.Errorf("%s: %w", servers[i].Name, err)
		}
		clients[i] = c
	}
	for range blocksPerRun {
		for i, c := range clients {
			took, err := c.calls(callsInBlock)
			if err != nil {
				return fmt.Errorf("%s: %w", servers[i].Name, err)
			}
			servers[i].calls = append(servers[i].calls, took...)
		}
	}
	return nil
}

func (s *serverResult) summarize() {
	s.StartMin, s.StartMedian = micros(slices.Min(s.starts)), micros(median(s.starts))
	s.CallMin, s.CallMedian = micros(slices.Min(s.calls)), micros(median(s.calls))
}

func micros(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 }

// Table prints the report for people.
func (r *mcpReport) Table(w io.Writer) error {
	fmt.Fprintf(w, "%-10s %26s %26s\n", "", "start to tools/list, ms", "call of a tool, us")
	fmt.Fprintf(w, "%-10s %13s %12s %13s %12s\n", "", "median", "least", "median", "least")
	for _, s := range r.Servers {
		fmt.Fprintf(w, "%-10s %13.1f %12.1f %13.0f %12.0f\n",
			s.Name, s.StartMedian/1000, s.StartMin/1000, s.CallMedian, s.CallMin)
	}
	_, err := fmt.Fprintf(w, "start: %+.1f ms; call: %.2f times the bare server's\n", r.Extra/1000, r.Ratio)
	return err
}

// A client is a server process and the two ends of its stdio.
type client struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	id  int
}

// dial starts a server and returns once it has answered tools/list.
func dial(ctx context.Context, line []string) (*client, error) {
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c := &client{cmd: cmd, in: in, out: bufio.NewReader(out)}
	if err := c.handshake(); err != nil {
		return nil, errors.Join(err, c.close())
	}
	return c, nil
}

func (c *client) handshake() error {
	hello := map[string]any{
		"protocolVersion": "2025-06-18",
		"capabilities":    map[string]any{},
		"clientInfo":      map[string]any{"name": "bench", "version": "1.0.0"},
	}
	if _, err := c.request("initialize", hello); err != nil {
		return err
	}
	if err := c.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"}); err != nil {
		return err
	}
	_, err := c.request("tools/list", map[string]any{})
	return err
}

// calls makes n calls, one after the other, and checks each answer.
func (c *client) calls(n int) ([]time.Duration, error) {
	took := make([]time.Duration, n)
	for i := range took {
		params := map[string]any{"name": "double", "arguments": map[string]any{"n": i}}
		began := time.Now()
		answer, err := c.request("tools/call", params)
		took[i] = time.Since(began)
		if err != nil {
			return nil, err
		}
		if err := checkDouble(answer, i); err != nil {
			return nil, err
		}
	}
	return took, nil
}

func checkDouble(answer json.RawMessage, n int) error {
	var answered struct {
		StructuredContent struct {
			Result int `json:"result"`
		} `json:"structuredContent"`
	}
	if err := json.Unmarshal(answer, &answered); err != nil {
		return err
	}
	if answered.StructuredContent.Result != 2*n {
		return fmt.Errorf("double of %d answered %s", n, answer)
	}
	return nil
}

func (c *client) send(message map[string]any) error {
	text, err := json.Marshal(message)
	if err != nil {
		return err
	}
	_, err = c.in.Write(append(text, '\n'))
	return err
}

// request sends a request and reads up to its answer; notifications are passed over.
func (c *client) request(method string, params map[string]any) (json.RawMessage, error) {
	c.id++
	err := c.send(map[string]any{"jsonrpc": "2.0", "id": c.id, "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	for {
		line, err := c.out.ReadBytes('\n')
		if err != nil {
			return nil, fmt.Errorf("%s: %w", method, err)
		}
		var answer struct {
			ID     int             `json:"id"`
			Result json.RawMessage `json:"result"`
			Error  json.RawMessage `json:"error"`
		}
		if err := json.Unmarshal(line, &answer); err != nil {
			return nil, err
		}
		if answer.ID != c.id {
			continue
		}
		if answer.Error != nil {
			return nil, fmt.Errorf("%s: %s", method, answer.Error)
		}
		return answer.Result, nil
	}
}

// close ends the input, which ends the server.
func (c *client) close() error {
	return errors.Join(c.in.Close(), c.cmd.Wait())
}
