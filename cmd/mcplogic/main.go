// Command mcplogic serves folders of Prolog rules to MCP clients, checks them, and asks them questions.
package main

import (
	"cmp"
	"context"
	_ "embed" // for the help
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/clients"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/goals"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/inside"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/replays"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/settings"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/tests"
)

// main runs the command with signals that end it in order: the first ends its context, and goals and servers with it.
func main() {
	cli.CollectFor(cli.WhileLoading)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	args := os.Args[1:]
	// A program that mcplogic build has made carries its folder. remove is called by hand on each way out, because
	// os.Exit runs no deferred calls.
	folder, remove, err := inside.Unpack()
	if err != nil {
		remove()
		fmt.Fprintf(os.Stderr, "mcplogic: the folder within this program: %s\n", err)
		os.Exit(cli.ExitUsage)
	}
	if folder != "" {
		args = inside.Args(args, folder)
	}
	code := execute(ctx, args, os.Stdin, os.Stdout, os.Stderr)
	remove()
	stop()
	os.Exit(code)
}

// execute is the command without the process around it. It returns the exit code. A command that has
// printed what is wrong ends with an exit. Any other error is printed here and counts as wrong usage. Subcommands use
// the streams given here, so that tests call execute with their own.
func execute(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot()
	out := &cli.CommandOutput{W: stdout}
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(out)
	root.SetErr(stderr)
	root.SetFlagErrorFunc(settings.FlagError)
	err := root.ExecuteContext(ctx)
	var code cli.Exit
	lost := out.Lost.Load()
	switch {
	case ctx.Err() != nil && err != nil && !errors.As(err, &code):
		fmt.Fprintln(stderr, "mcplogic: interrupted")
		return cli.ExitInterrupted
	case ctx.Err() != nil && err != nil:
		return cli.ExitInterrupted
	case lost != nil:
		fmt.Fprintf(stderr, "mcplogic: the output was not written: %s\n", *lost)
		return cli.ExitUsage
	case err == nil:
		return cli.ExitDone
	case errors.As(err, &code):
		return int(code)
	}
	fmt.Fprintf(stderr, "mcplogic: %s\n", err)
	return cli.ExitUsage
}

// newRoot makes the command with all its subcommands. Errors are printed by execute, in one place.
func newRoot() *cobra.Command {
	root := cli.CommandGroup("mcplogic", "Serve Prolog rules to MCP clients")
	for _, group := range []struct {
		title string
		list  []*cobra.Command
	}{
		{"Write rules and test them:", []*cobra.Command{newInit(), newGuide(), newCheck(), tests.New(), newCase(),
			goals.NewQuery(), goals.NewWhy(), goals.NewRepl(), newGraph(), newTable(), newFmt(), newLSP(), newDAP()}},
		{"Serve them:", []*cobra.Command{newServe(execute), clients.NewConfig(), clients.NewSetup(), newHealth(),
			newFacts(), newBuild(), newBundle()}},
		{"Do what a client does:", []*cobra.Command{newList(), newCall(), newRead(), newPrompt(), newComplete()}},
		{"Look at decisions:", []*cobra.Command{replays.NewDecision(), replays.NewReplay(), newWhatIf()}},
	} {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title})
		for _, cmd := range group.list {
			cmd.GroupID = group.title
		}
		root.AddCommand(group.list...)
	}
	root.AddCommand(newVersion())
	root.Version, root.SilenceUsage, root.SilenceErrors = cli.Version(), true, true
	root.SetVersionTemplate(cli.VersionLine() + "\n")
	describe(root)
	settings.BoundNumbers(root)
	return root
}

//go:embed help.txt
var helpText string

// describe gives the commands their long help and their examples.
func describe(root *cobra.Command) {
	for _, section := range strings.Split(strings.ReplaceAll(helpText, "{clients}", clients.Titles()), "=== ")[1:] {
		name, text, _ := strings.Cut(section, "\n")
		long, examples, _ := strings.Cut(text, "--- examples\n")
		cmd, _, _ := root.Find(strings.Fields(strings.TrimPrefix(name, root.Name())))
		cmd.Long = cmp.Or(cmd.Long, strings.TrimSuffix(long, "\n"))
		cmd.Example = cmp.Or(cmd.Example, strings.TrimSuffix(examples, "\n"))
	}
}
