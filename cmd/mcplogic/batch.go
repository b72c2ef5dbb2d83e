package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines mcplogic query --batch.

// batchCase is one line of the input.
type batchCase struct {
	// ID is any JSON. It comes back with the answer as it was.
	ID json.RawMessage `json:"id"`
	// Setup is the text of a program for this goal alone. The files of the command line are loaded before it.
	Setup string `json:"setup"`
	Goal  string `json:"goal"`
	// Max is the most solutions to give. 0: as many as --limit says.
	Max int `json:"max"`
}

// batchResult is one line of the output. Solutions has those that the goal had before it ended, also when
// it ended with an error.
type batchResult struct {
	ID        json.RawMessage     `json:"id"`
	Solutions []map[string]string `json:"solutions"`
	// Undefined has the numbers of the solutions that are neither true nor false.
	Undefined []int `json:"undefined,omitempty"`
	queryResult
}

// runBatch answers line after line. A line that is wrong gets an answer that says so, and the next one follows.
// Answers are in the order of the lines, and one goal runs at a time. How a goal ended stands in its answer alone: the
// exit code is 0 unless the files or the batch cannot be read, or the command is interrupted.
func (q *query) runBatch(ctx context.Context) error {
	in := io.Reader(q.stdin)
	if q.batch != "-" {
		f, err := os.Open(q.batch)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	common, report := kb.Sources(q.files)
	printDiagnostics(q.stderr, report)
	if report.Err() != nil {
		return notLoaded(report)
	}
	// A Scanner would bound the length of a line, and a line may hold a whole program.
	lines := bufio.NewReader(in)
	out := bufio.NewWriter(q.stdout)
	defer out.Flush()
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if err := printJSON(out, q.answer(ctx, common, number, line)); err != nil {
				return err
			}
			// Whoever writes the lines may wait for an answer before the next line.
			if err := out.Flush(); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) || ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return err
		}
	}
}

// answer answers one line. A panic in the engine spoils only this line. An id that is missing or cannot be
// read is null in the answer.
func (q *query) answer(ctx context.Context, common []engine.Source, number int, line []byte) (b batchResult) {
	b.Solutions = []map[string]string{}
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(q.stderr, "line %d: internal error: %v\n%s", number, p, debug.Stack())
			b.Status, b.Error = "error", fmt.Sprintf("internal error: %v", p)
		}
	}()
	var c batchCase
	err := json.Unmarshal(line, &c)
	if b.ID = c.ID; b.ID == nil {
		b.ID = json.RawMessage("null")
	}
	if err != nil {
		b.Status, b.Error = "error", fmt.Sprintf("line %d: %s", number, err)
		return b
	}
	if c.Max <= 0 {
		c.Max = q.limit
	}
	// Without spare capacity append makes a new array. The cases share common.
	sources := append(common[:len(common):len(common)], engine.Source{Name: "setup.pl", Text: c.Setup})
	if q.reference {
		q.reply(ctx, sources, c, &b)
		return b
	}
	output := &engine.Buffer{Max: maxOutput}
	b.queryResult = q.solveFresh(ctx, sources, c, output, func(bindings map[string]string, undefined bool) bool {
		if undefined {
			b.Undefined = append(b.Undefined, len(b.Solutions))
		}
		b.Solutions = append(b.Solutions, bindings)
		return true
	})
	b.Output = output.String()
	return b
}

// solveFresh loads texts into a new program and runs a goal there, so that nothing a case asserts reaches
// the next one. Directives have no more time and memory than the goal: no line is to take longer than its
// limits say. The goal has no input, as that may be the lines of the batch. The program has the predicates of the
// engine only, not those by which goals talk to clients.
func (q *query) solveFresh(ctx context.Context, sources []engine.Source, c batchCase, output io.Writer,
	each func(bindings map[string]string, undefined bool) bool) queryResult {
	o := q.options()
	o.Input, o.Output = nil, output
	o.Session = &engine.Session{}
	defer o.Session.Close()
	load := &engine.Options{LeaveOpen: true, Output: output, Error: q.stderr, DirectiveTime: q.sandbox.loading.time,
		DirectiveMemory: min(int(q.sandbox.loading.memory), o.Memory)}
	if o.Time > 0 && (load.DirectiveTime == 0 || o.Time < load.DirectiveTime) {
		load.DirectiveTime = o.Time
	}
	program := engine.New(load)
	if err := program.Load(ctx, sources...); err != nil {
		return queryResult{Status: "error", Error: "load: " + err.Error()}
	}
	return solve(ctx, program, c.Goal, o, c.Max, each)
}

// reply answers a line of a batch.
func (q *query) reply(ctx context.Context, sources []engine.Source, c batchCase, b *batchResult) {
	answer := q.second(ctx, sources, c.Goal, c.Max)
	b.Solutions = answer.Solutions
	b.Status, b.Error, b.Output = answer.Status, answer.Error, answer.Output
}
