// Command bench times programs on this engine and on the Prolog systems that are installed beside it, and prints the
// results as ratios: times, geometric means and memory, as a table or as JSON. With -mcp it times the server against
// a bare one built on the same SDK instead, with -load the loading of files of a million facts, and looking them up,
// with -chr programs of constraint handling rules, with -sql questions to tables of a database, with -embed queries
// of a Go program beside those of cel-go, OPA and ichiban/prolog, with -decisions calls that are recorded and
// replayed, with -tables decision tables, with -ordinary programs of text, terms and state, with -datalog rules
// without compound terms beside loops written by hand. With -authors it counts faults of rule files instead, and
// which of them check finds.
//
//	go run ./tools/bench                        all programs, all systems found
//	go run ./tools/bench -only nrev,tak -runs 7
//	go run ./tools/bench -mcp
//	go run ./tools/bench -load
//	go run ./tools/bench -chr -clock cpu
//	go run ./tools/bench -ordinary -clock cpu
//	go run ./tools/bench -sql postgres://localhost/test
//	go run ./tools/bench -embed
//	go run ./tools/bench -decisions
//	go run ./tools/bench -tables
//	go run ./tools/bench -datalog -clock cpu -runs 3
//	go run ./tools/bench -authors
//
// The systems take turns on each program, so that a busy moment of the machine
// hits all of them; the time of the goal `true` on the same file is taken off.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// options are the flags of the command.
type options struct {
	runs    int
	only    string
	systems string
	clock   string
	timeout time.Duration
	json    bool
	mcp     bool
	load    bool
	chr     bool
	datalog bool
	// ordinary asks for the programs of text, terms and state.
	ordinary bool
	loop     string // the name of a loop to be run here
	embed    bool
	facts    int
	sql      string
	// replicas is the address of a database.
	replicas string
	commits  int
	// decisions asks for the measurement of recorded calls.
	decisions bool
	// tables asks for the measurement of decision tables.
	tables bool
	// authors asks for what check tells of files that were written at the first try.
	authors bool
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
		return 2
	}
	if err := measureAll(ctx, opts, stdout, stderr); err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 1
	}
	return 0
}

func parse(args []string, stderr io.Writer) (options, error) {
	var opts options
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&opts.runs, "runs", 5, "how often each system runs each program")
	flags.StringVar(&opts.only, "only", "", "comma-separated names of programs, or 'kernels'; empty for all")
	flags.StringVar(&opts.systems, "systems", "", "comma-separated names of systems; empty for all found")
	flags.StringVar(&opts.clock, "clock", "wall", "which time to compare: wall or cpu (user and system)")
	flags.DurationVar(&opts.timeout, "timeout", 0, "the most one run may take; 0 is 2m, and 20s with -datalog, where "+
		"some systems never end")
	flags.BoolVar(&opts.json, "json", false, "print JSON instead of a table")
	flags.BoolVar(&opts.mcp, "mcp", false, "time the server against a bare SDK server instead")
	flags.BoolVar(&opts.load, "load", false, "time the loading of facts instead")
	flags.BoolVar(&opts.chr, "chr", false, "time programs of constraint handling rules instead")
	flags.BoolVar(&opts.ordinary, "ordinary", false, "time programs of text, terms and state instead")
	flags.BoolVar(&opts.datalog, "datalog", false, "time rules without compound terms instead, beside loops in Go")
	flags.StringVar(&opts.loop, "loop", "", "run the loop of this program of -datalog and print how many rows it derives")
	flags.BoolVar(&opts.embed, "embed", false, "time queries of a Go program instead, beside other libraries")
	flags.IntVar(&opts.facts, "facts", 1_000_000, "how many facts -load loads")
	flags.StringVar(&opts.sql, "sql", "", "address of a PostgreSQL with which to time tables instead, postgres://...")
	flags.StringVar(&opts.replicas, "replicas", "",
		"address of a PostgreSQL that servers share, to time their changes instead, postgres://...")
	flags.IntVar(&opts.commits, "commits", 0,
		"time this many changes of a store in a folder instead, by one caller and by several")
	flags.BoolVar(&opts.decisions, "decisions", false, "time recorded calls and their replay instead")
	flags.BoolVar(&opts.tables, "tables", false, "time decision tables instead")
	flags.BoolVar(&opts.authors, "authors", false, "count which faults of first-try rule files check finds instead")
	if err := flags.Parse(args); err != nil {
		return opts, err
	}
	if opts.timeout == 0 {
		opts.timeout = 2 * time.Minute
		if opts.datalog {
			opts.timeout = 20 * time.Second
		}
	}
	if opts.load && opts.systems == "" {
		opts.systems = loadSystems
	}
	if (opts.chr || opts.datalog || opts.ordinary) && opts.systems == "" {
		opts.systems = chrSystems
	}
	if opts.runs < 1 || opts.facts < 1 || opts.mcp && opts.load || opts.chr && (opts.mcp || opts.load) ||
		opts.datalog && (opts.mcp || opts.load || opts.chr) ||
		opts.ordinary && (opts.mcp || opts.load || opts.chr || opts.datalog) ||
		(opts.clock != "wall" && opts.clock != "cpu") || flags.NArg() > 0 {
		flags.Usage()
		return opts, errors.New("bad usage")
	}
	return opts, nil
}

// measureAll works in a folder of its own, which goes away afterwards.
func measureAll(ctx context.Context, opts options, stdout, stderr io.Writer) error {
	if opts.loop != "" {
		return runLoop(opts.loop, stdout)
	}
	if opts.embed {
		return measureEmbedded(ctx, opts, stdout, stderr)
	}
	dir, err := os.MkdirTemp("", "mcplogic-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	report, err := opts.measure(ctx, dir, stderr)
	if err != nil {
		return err
	}
	return print(stdout, report, opts.json)
}

// measure takes the measurement that the options ask for.
func (o options) measure(ctx context.Context, dir string, stderr io.Writer) (table, error) {
	switch {
	case o.mcp:
		return measureMCP(ctx, dir, o)
	case o.sql != "":
		return measureSQL(ctx, o)
	case o.replicas != "":
		return measureReplicas(ctx, o.replicas)
	case o.commits > 0:
		return measureCommits(ctx, dir, o.commits)
	case o.decisions:
		return measureDecisions(ctx, dir)
	case o.tables:
		return measureTables(ctx, o.runs)
	case o.authors:
		root, err := moduleFolder(ctx, "github.com/mcplogic/mcplogic")
		if err != nil {
			return nil, err
		}
		return measureAuthors(ctx, filepath.Join(root, "testdata", "authors"))
	}
	return measurePrograms(ctx, dir, o, stderr)
}

// moduleFolder returns the folder of a module.
func moduleFolder(ctx context.Context, module string) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	return strings.TrimSpace(string(out)), err
}

// measureEmbedded runs the command embed, which is a module of its own.
func measureEmbedded(ctx context.Context, opts options, stdout, stderr io.Writer) error {
	root, err := moduleFolder(ctx, "github.com/mcplogic/mcplogic/tools")
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", "run", ".", "-rounds", strconv.Itoa(opts.runs), "-only", opts.only)
	cmd.Dir = filepath.Join(root, "bench", "testdata", "embed")
	cmd.Env = append(os.Environ(), "GOWORK=off")
	cmd.Stdout, cmd.Stderr = stdout, stderr
	return cmd.Run()
}

// table is what a report looks like to a reader.
type table interface{ Table(io.Writer) error }

func print(w io.Writer, report table, asJSON bool) error {
	if !asJSON {
		return report.Table(w)
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(report)
}

// chosen says whether a comma-separated list names name; an empty list names all.
func chosen(list, name string) bool {
	if list == "" {
		return true
	}
	for part := range strings.SplitSeq(list, ",") {
		if part == name {
			return true
		}
	}
	return false
}

// unknown is an error when the list has a name that is not known: a misspelt one would
// otherwise be left out without a word.
func unknown(list, what string, known func(name string) bool) error {
	if list == "" {
		return nil
	}
	for name := range strings.SplitSeq(list, ",") {
		if !known(name) {
			return fmt.Errorf("no %s is named %q here", what, name)
		}
	}
	return nil
}
