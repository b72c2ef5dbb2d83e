package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/settings"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/facts"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines mcplogic facts: what a person does with the store of a knowledge base by hand.

func newFacts() *cobra.Command {
	return cli.CommandGroup("facts export|import|log|check", "Print, add or check the facts that a store keeps",
		newFactsReader("export", "Print the facts as Prolog text", facts.WriteFacts),
		newFactsImport(),
		newFactsReader("log", "Print the changes since the last snapshot: number, time, user, facts", facts.WriteLog),
		newFactsReader("check", "Read all of a store, mend what is certain and say what is wrong", facts.WriteCheck))
}

// newFactsReader makes a command that reads a store. read is the function of package kb; its predicate says which facts
// are wanted, nil for all. The exit code is 1 if the rules do not load or the store is not right, 2 if it cannot be
// read.
func newFactsReader(name, short string, read func(io.Writer, string, func(string) bool) error) *cobra.Command {
	f := &settings.Sandbox{}
	cmd := &cobra.Command{
		Use:   name + " [PATH...] --store STORE",
		Short: short,
		Long: short + `.

With PATH only facts of predicates that the rules there declare persistent are shown,
and a check says which facts are of no use for them. The exit code is 1 if the rules there
do not load or something wrong is left in the store, 2 if the store cannot be read.`,
		Example: "  mcplogic facts " + name + " --store file:orders.store",
		RunE: func(cmd *cobra.Command, paths []string) error {
			store, err := storeFor(cmd, f.Store, paths)
			if err != nil {
				return err
			}
			defer cli.Busy(cmd.ErrOrStderr(), "reading the store")()
			if len(paths) == 0 {
				return storeExit(read(cmd.OutOrStdout(), store, nil))
			}
			base, report, err := cli.OpenBase(cmd.Context(), paths, f.Load(cmd))
			cli.PrintDiagnostics(cmd.ErrOrStderr(), report)
			if err != nil {
				return cli.Exit(cli.ExitNo)
			}
			program := base.Snapshot().Program
			// The store has facts as texts. One that cannot be parsed with the operators of these rules is no fact of them.
			return storeExit(read(cmd.OutOrStdout(), store, func(fact string) bool {
				t, err := program.ParseTerm("", fact)
				return err == nil && checkPersistent(program, t) == nil
			}))
		},
	}
	f.Add(cmd.Flags())
	f.AddStore(cmd.Flags(), "mcplogic.json of PATH may name it too")
	return cmd
}

// storeExit returns the exit code for a store that is not right, and other errors as they are.
func storeExit(err error) error {
	if errors.Is(err, facts.ErrWrong) {
		return cli.Exit(cli.ExitNo)
	}
	return err
}

// storeFor returns the store of a command that needs one: that of the flag, of the environment, or of the settings of
// the first path.
func storeFor(cmd *cobra.Command, store string, paths []string) (string, error) {
	store = cmp.Or(store, os.Getenv(settings.StoreVariable))
	if store == "" && len(paths) > 0 {
		s, err := settings.ReadSettings(paths[0])
		if err != nil {
			return "", err
		}
		store = s.Texts["store"]
	}
	if store == "" {
		return "", fmt.Errorf("facts %s needs --store: file:DIR or postgres://ADDRESS", cmd.Name())
	}
	return store, nil
}

func newFactsImport() *cobra.Command {
	var file string
	f := &settings.Sandbox{}
	cmd := &cobra.Command{
		Use:   "import --store STORE [--file FILE] PATH...",
		Short: "Add the facts of a Prolog text, from a file or standard input, all or none",
		Args:  cli.NeedPaths,
		RunE: func(cmd *cobra.Command, paths []string) error {
			store, err := storeFor(cmd, f.Store, paths)
			if err != nil {
				return err
			}
			text, err := importText(cmd, file)
			if err != nil {
				return err
			}
			s, err := kb.OpenStore(store, cli.Tell(cmd))
			if err != nil {
				return err
			}
			n, err := importFacts(cmd, paths, f, s, importedText{cmp.Or(file, "standard input"), text})
			if err = errors.Join(err, s.Close()); err == nil {
				fmt.Fprintln(cmd.OutOrStdout(), spell.Count(n, "fact"), "added")
			}
			return err
		},
	}
	f.Add(cmd.Flags())
	f.AddStore(cmd.Flags(), "mcplogic.json of PATH may name it too")
	cmd.Flags().StringVar(&file, "file", "", "the file with the facts; default: standard input")
	return cmd
}

// importedText is a text of facts and its name.
type importedText struct{ name, text string }

// importText reads the text of facts, from standard input if file is "".
func importText(cmd *cobra.Command, file string) (string, error) {
	if file == "" {
		data, err := io.ReadAll(cli.Keyboard(cmd))
		return string(data), err
	}
	data, err := os.ReadFile(file)
	return string(data), err
}

// importFacts adds the facts of a text to the store of a knowledge base and returns their number. The rules are loaded
// because they say which predicates are persistent, with how many arguments and which keys. All facts are checked
// before the first is added, and all are added as one change. The caller closes s, and counts an error of closing as
// one of the import.
func importFacts(cmd *cobra.Command, paths []string, f *settings.Sandbox, s *kb.Store, text importedText) (int, error) {
	o := f.Load(cmd)
	o.Store = s
	loaded := cli.Busy(cmd.ErrOrStderr(), "loading "+strings.Join(paths, ", "))
	base, report, err := cli.OpenBase(cmd.Context(), paths, o)
	loaded()
	cli.PrintDiagnostics(cmd.ErrOrStderr(), report)
	if err != nil {
		return 0, cli.Exit(cli.ExitNo)
	}
	program := base.Snapshot().Program
	facts, err := readFacts(cmd.Context(), program, text)
	if err != nil {
		return 0, err
	}
	return program.AssertAll(func(yield func(engine.Term, error) bool) {
		for _, t := range facts {
			if !yield(t, nil) {
				return
			}
		}
	})
}

// readFacts reads the facts of a text by read_term/3, with the operators of the program, so that what facts export has
// printed can be read. A syntax error is the exception of the goal. The goal has no limit of time, and 1 GiB for its
// terms, the default of a run. The text has to fit into that.
func readFacts(ctx context.Context, program *engine.Program, text importedText) ([]engine.Term, error) {
	const goal = "open_string(Text, S), set_stream(S, file_name(Name)), findall(Line-T, (repeat, " +
		"read_term(S, T, [term_position(P)]), (T == end_of_file -> !, fail ; stream_position_data(line_count, P, Line))), L)"
	bind := map[string]any{"Text": text.text, "Name": term.Atom(text.name)}
	s, err := program.Once(ctx, goal, &engine.RunOptions{Bind: bind})
	if err != nil {
		return nil, err
	}
	read, _ := term.Slice(s.Get("L"))
	var facts []engine.Term
	for _, t := range read {
		pair, _ := term.Is(t, "-", 2)
		if err := checkPersistent(program, pair[1]); err != nil {
			return nil, fmt.Errorf("%s:%v: %w", text.name, pair[0], err)
		}
		facts = append(facts, pair[1])
	}
	return facts, nil
}

// checkPersistent returns an error for a term that is not a fact of a persistent predicate. A fact without a module
// belongs to user.
func checkPersistent(program *engine.Program, t engine.Term) error {
	f := host.Fact{Module: "user", Head: t}
	if args, ok := term.Is(t, ":", 2); ok {
		if module, ok := args[0].(term.Atom); ok {
			f = host.Fact{Module: string(module), Head: args[1]}
		}
	}
	name, arity, ok := term.Indicator(f.Head)
	if !ok || name == ":-" {
		return fmt.Errorf("%s is not a fact", inspect.ShowTerm(t))
	}
	if !inner.Of(program).IsPersistent(f.Module, string(name), arity) {
		return fmt.Errorf("%s is not persistent", f.Indicator())
	}
	return nil
}
