package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/engine"
)

// This file defines mcplogic query. It also defines mcplogic query --code.

// newQuery makes the command that asks a goal, or many.
func newQuery() *cobra.Command {
	q := &query{}
	cmd := &cobra.Command{
		Use:   "query [flags] [PATH...] GOAL",
		Short: "Print the solutions of a goal",
		RunE: func(cmd *cobra.Command, args []string) error {
			q.stdin, q.stdout, q.stderr = &inputLines{r: typed(cmd)}, cmd.OutOrStdout(), cmd.ErrOrStderr()
			return q.run(cmd, args)
		},
	}
	flags := cmd.Flags()
	q.limits.add(flags, 0, 1<<30)
	q.sandbox.addReading(flags)
	flags.StringArrayVar(&q.files, "file", nil, "load this file or folder too; may be repeated")
	flags.IntVar(&q.limit, "limit", 0, "most solutions to print; 0: all")
	flags.BoolVar(&q.asJSON, "json", false, "print answers as JSON, one a line")
	flags.StringVar(&q.batch, "batch", "", "run the goals of this file of JSON lines; - is standard input")
	flags.StringVar(&q.code, "code", "", "print the code of this predicate, NAME/ARITY, instead")
	flags.StringVar(&q.profile, "profile", "", "write where the goal spends its time to this file, for pprof or as .txt")
	flags.BoolVar(&q.reference, "reference", false, "ask ichiban/prolog instead")
	return cmd
}

// run chooses among the forms of the command: a batch, the code of a predicate, another interpreter, or a goal. The
// last argument is the goal, so that paths can be left out.
func (q *query) run(cmd *cobra.Command, args []string) error {
	ctx := cmd.Context()
	if (q.batch != "" || q.reference) && q.sandbox.isOpen() {
		return errors.New("goals of --batch and --reference reach no files and no environment; " +
			"leave out --allow-read, --allow-write and --allow-env")
	}
	if q.batch != "" {
		q.files = append(q.files, args...)
		return q.runBatch(ctx)
	}
	if q.code != "" {
		return q.printCode(cmd, append(q.files, args...))
	}
	goal, paths, err := q.goalOf(cmd, args)
	if err != nil {
		return err
	}
	if q.reference {
		return q.askReference(ctx, paths, goal)
	}
	program, err := q.load(cmd, paths)
	if err != nil {
		return err
	}
	defer func() {
		// Goals of at_halt/1 run after the answers, also when the goal threw.
		o := q.options()
		// With --json nothing but JSON goes to standard output.
		if o.Output = q.stdout; q.asJSON {
			o.Output = q.stderr
		}
		callAtHalt(ctx, program, o)
		q.session.Close()
	}()
	if q.profile != "" {
		q.profiled = &engine.Profile{}
	}
	answer := q.printAnswers
	if q.asJSON {
		answer = q.printLines
	}
	err = answer(ctx, program, goal)
	if failed := q.writeProfile(); failed != nil {
		return failed
	}
	return err
}

// goalOf returns the goal, which is the last argument, and the paths, of --file and of the other arguments.
func (q *query) goalOf(cmd *cobra.Command, args []string) (goal string, paths []string, err error) {
	if len(args) == 0 {
		return "", nil, fmt.Errorf("%s needs a GOAL; see mcplogic %[1]s --help", cmd.Name())
	}
	last := len(args) - 1
	return args[last], append(q.files, args[:last]...), goalError(cmd, args)
}

// profileLines is how many predicates and how many lines a profile as text shows.
const profileLines = 40

// writeProfile writes the profile that --profile asks for: as text to standard error for -, as text for *.txt, else in
// the format of pprof. It is written whatever became of the goal. An error here is wrong usage, and hides the exit
// code of the goal.
func (q *query) writeProfile() error {
	if q.profiled == nil {
		return nil
	}
	var data bytes.Buffer
	var err error
	if q.profile == "-" || strings.HasSuffix(q.profile, ".txt") {
		err = q.profiled.WriteText(&data, profileLines)
	} else {
		err = q.profiled.WritePprof(&data)
	}
	switch {
	case err != nil:
		return err
	case q.profile == "-":
		_, err = q.stderr.Write(data.Bytes())
		return err
	}
	return os.WriteFile(q.profile, data.Bytes(), 0o666)
}

// printCode prints the code of a predicate, as it is linked. No goal is run, though loading may run
// directives. The exit code is 1 if there is no such predicate.
func (q *query) printCode(cmd *cobra.Command, paths []string) error {
	module, name, arity, err := parseIndicator(q.code)
	if err != nil {
		return err
	}
	program, err := q.load(cmd, paths)
	if err != nil {
		return err
	}
	listing, ok := program.Code(module, name, arity)
	if !ok {
		fmt.Fprintf(q.stderr, "mcplogic: there is no predicate %s\n", q.code)
		return exit(exitNo)
	}
	fmt.Fprint(q.stdout, listing)
	return nil
}

// parseIndicator reads NAME/ARITY or MODULE:NAME/ARITY. The module is user when there is none. Names stand
// as they are, without quotes: the name of (:-)/2 is written :-/2. So a colon at the beginning, or before
// the slash, is part of the name.
func parseIndicator(text string) (module, name string, arity int, err error) {
	module, name = "user", text
	if before, after, ok := strings.Cut(text, ":"); ok && before != "" && !strings.HasPrefix(after, "/") {
		module, name = before, after
	}
	slash := strings.LastIndexByte(name, '/')
	if slash < 1 {
		return "", "", 0, fmt.Errorf("got --code %s, want NAME/ARITY", text)
	}
	arity, err = strconv.Atoi(name[slash+1:])
	if err != nil || arity < 0 {
		return "", "", 0, fmt.Errorf("got --code %s, want NAME/ARITY", text)
	}
	return module, name[:slash], arity, nil
}
