// Command differ asks this engine and the other Prologs that are installed (SWI-Prolog, GNU
// Prolog, and ichiban/prolog, which is built in) the same goals and prints where they disagree:
// in the solutions and their order, in the formal part of errors, in what is printed.
//
//	go run ./tools/differ                            every goal of testdata, all systems found
//	go run ./tools/differ -seed 7 -count 2000        and 2000 random goals
//	go run ./tools/differ -areas 'lang/text|atoms'   some areas
//	go run ./tools/differ -goal 'X is 7 // -2'       one goal; prints what each system answers
//
// Disagreements that have a reason are listed in testdata/differential/known.jsonl. The exit code is 1 when there is
// one that is not listed, or a listed one that has gone, 2 for wrong usage or when nothing could be asked.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"time"
)

// options are the flags of the command.
type options struct {
	testdata string
	systems  string
	areas    *regexp.Regexp
	goal     string
	setup    string
	seed     uint64
	count    int
	timeout  time.Duration
	quiet    bool
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the whole command; it returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	opts, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		fmt.Fprintln(stderr, "differ:", err)
		return 2
	}
	clean, err := compareAll(ctx, opts, stdout)
	switch {
	case err != nil:
		fmt.Fprintln(stderr, "differ:", err)
		return 2
	case !clean:
		return 1
	}
	return 0
}

func parse(args []string, stderr io.Writer) (options, error) {
	var opts options
	var areas string
	flags := flag.NewFlagSet("differ", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&opts.testdata, "testdata", "testdata", "the folder with the goals")
	flags.StringVar(&opts.systems, "systems", "", "comma-separated names of systems; empty for all found")
	flags.StringVar(&areas, "areas", "", "a regular expression; only areas that match")
	flags.StringVar(&opts.goal, "goal", "", "ask this goal only and print each system's answer")
	flags.StringVar(&opts.setup, "setup", "", "program text for -goal")
	flags.Uint64Var(&opts.seed, "seed", 1, "seed of the random goals")
	flags.IntVar(&opts.count, "count", 0, "how many random goals to ask besides")
	flags.DurationVar(&opts.timeout, "timeout", 10*time.Second, "the most one goal may take")
	flags.BoolVar(&opts.quiet, "quiet", false, "print the table only, without the disagreements")
	if err := flags.Parse(args); err != nil {
		return opts, err
	}
	if flags.NArg() > 0 || opts.count < 0 || opts.timeout <= 0 {
		return opts, errors.New("bad usage; see -help")
	}
	var err error
	opts.areas, err = regexp.Compile(areas)
	return opts, err
}

// compareAll works in a folder of its own, which goes away afterwards. It reports whether there is nothing new.
func compareAll(ctx context.Context, opts options, stdout io.Writer) (bool, error) {
	dir, err := os.MkdirTemp("", "mcplogic-differ-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	systems, err := findSystems(ctx, dir, opts)
	if err != nil {
		return false, err
	}
	if opts.goal != "" {
		return true, showAnswers(ctx, systems, question{Setup: opts.setup, Goal: opts.goal}, stdout)
	}
	questions, err := readQuestions(opts)
	if err != nil {
		return false, err
	}
	known, err := readKnown(opts.testdata)
	if err != nil {
		return false, err
	}
	answers, err := askAll(ctx, systems, questions)
	if err != nil {
		return false, err
	}
	r := judge(systems, questions, answers, known)
	if !opts.selective() {
		r.findStale(known)
	}
	return r.clean(), r.print(stdout, opts.quiet)
}

// selective reports whether only some goals are asked, so that nothing can be said about what
// is listed and did not occur.
func (o options) selective() bool { return o.areas.String() != "" || o.systems != "" }

// showAnswers prints what each system answers to one question.
func showAnswers(ctx context.Context, systems []system, q question, stdout io.Writer) error {
	answers, err := askAll(ctx, systems, []question{q})
	if err != nil {
		return err
	}
	for i, s := range systems {
		fmt.Fprintf(stdout, "%-9s %s\n", s.name, answers[i][0])
	}
	return nil
}
