// Command ichiban puts questions to ichiban/prolog, an ISO interpreter that shares nothing with this engine. The
// commands differ and bench ask it beside other systems.
//
//	ichiban -batch FILE    answers each line of the file, in the format of mcplogic query --json --batch
//	ichiban PATH GOAL      runs a goal of a program for its first solution, and prints its output
//
// Its terms are written by our writer, so that the answers of both systems can be compared as text. The interpreter
// knows nothing of modules, strings, big integers or tabling; compare only what both dialects share.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the whole command. It returns the exit code: 1 for a goal without a solution, 2 if something is wrong.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("ichiban", flag.ContinueOnError)
	flags.SetOutput(stderr)
	file := flags.String("batch", "", "answer the questions of this file")
	limit := flags.Duration("timeout", 10*time.Second, "the most one goal may take")
	if flags.Parse(args) != nil || (*file == "") != (flags.NArg() == 2) {
		return 2
	}
	l := Limits{Time: *limit}
	if *file != "" {
		if err := l.batch(ctx, *file, stdout); err != nil {
			fmt.Fprintln(stderr, "ichiban:", err)
			return 2
		}
		return 0
	}
	program, err := os.ReadFile(flags.Arg(0))
	if err != nil {
		fmt.Fprintln(stderr, "ichiban:", err)
		return 2
	}
	answer := l.Run(ctx, string(program), flags.Arg(1), 1)
	fmt.Fprint(stdout, answer.Output)
	switch answer.Status {
	case "true":
		return 0
	case "false":
		return 1
	}
	fmt.Fprintln(stderr, "ichiban:", answer.Error)
	return 2
}

// batch answers the questions of a file. Whoever waits gets each answer when it is there.
func (l Limits) batch(ctx context.Context, file string, out io.Writer) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	for questions := json.NewDecoder(f); ctx.Err() == nil; {
		var q struct {
			ID          json.RawMessage `json:"id"`
			Setup, Goal string
			Max         int
		}
		if err := questions.Decode(&q); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		answer := struct {
			ID json.RawMessage `json:"id"`
			Result
		}{q.ID, l.Run(ctx, q.Setup, q.Goal, q.Max)}
		if err := json.NewEncoder(out).Encode(answer); err != nil {
			return err
		}
	}
	return ctx.Err()
}
