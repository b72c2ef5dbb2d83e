package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/settings"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/tests"
	"github.com/mcplogic/mcplogic/internal/cases"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/kb/decisions"
)

// This file defines mcplogic case.

func newCase() *cobra.Command {
	return cli.CommandGroup("case", "Keep calls with the answers that are expected, and run them",
		newCaseAdd(), newCaseKeep(), newCaseList(), newCaseRun(), newCaseUpdate())
}

// keptCase is a case that a command writes. by is the user that the flag names.
type keptCase struct {
	flags     settings.ServerFlags
	title, by string
	replace   bool
}

func (k *keptCase) add(cmd *cobra.Command) {
	k.flags.Add(cmd.Flags())
	cmd.Flags().StringVar(&k.title, "title", "", "what the case is about")
	cmd.Flags().StringVar(&k.by, "by", "", "who keeps the case")
	cmd.Flags().BoolVar(&k.replace, "replace", false, "replace a case that has the name")
}

// newCaseAdd makes the command that keeps a call as a case.
func newCaseAdd() *cobra.Command {
	k := &keptCase{}
	cmd := &cobra.Command{
		Use:   "add [flags] PATH NAME TOOL [JSON | NAME=VALUE...]",
		Short: "Call a tool and keep the call with its answer as the case NAME",
		Args:  cli.NeedWords(3, 1<<10, "a PATH, a NAME for the case and the name of a TOOL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			file, err := k.file(args[0], args[1])
			if err != nil {
				return err
			}
			was, err := recordCall(cmd, &k.flags, args[0], args[2], args[3:])
			if err != nil {
				return err
			}
			return k.keep(cmd, file, args[1], was)
		},
	}
	k.add(cmd)
	k.flags.Given.Add(cmd.Flags())
	cmd.ValidArgsFunction = func(
		cmd *cobra.Command, args []string, begun string,
	) ([]string, cobra.ShellCompDirective) {
		if len(args) == 1 {
			return nil, cobra.ShellCompDirectiveNoFileComp // a new name
		}
		named := min(2, len(args))
		return completing(&k.flags, callWords)(cmd, slices.Concat(args[:named/2], args[named:]), begun)
	}
	return cmd
}

// recordCall calls a tool as mcplogic call does, and returns the record of the call.
func recordCall(
	cmd *cobra.Command, f *settings.ServerFlags, path, tool string, args []string,
) (was *decisions.Record, err error) {
	dir, err := os.MkdirTemp("", "mcplogic-case-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if f.Recorder, err = decisions.Open(dir, &decisions.Options{Required: true}); err != nil {
		return nil, err
	}
	err = asking(cmd, f, []string{path}, func(ctx context.Context, session *mcp.ClientSession, o *offer) error {
		arguments, err := o.arguments(tool, args)
		if err != nil {
			return err
		}
		_, err = session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
		return err
	})
	if err = errors.Join(err, f.Recorder.Close()); err != nil {
		return nil, err
	}
	return settings.FindRecord(dir, &decisions.Filter{})
}

// newCaseKeep makes the command that keeps a recorded call as a case.
func newCaseKeep() *cobra.Command {
	k := &keptCase{}
	cmd := &cobra.Command{
		Use:   "keep [flags] PATH NAME ID DIR",
		Short: "Keep the decision ID of the record DIR as the case NAME",
		Args:  cli.NeedWords(4, 4, "a PATH, a NAME for the case, the ID of a call and the DIR of a record"),
		RunE: func(cmd *cobra.Command, args []string) error {
			file, err := k.file(args[0], args[1])
			if err != nil {
				return err
			}
			was, err := settings.FindRecord(args[3], &decisions.Filter{ID: args[2]})
			if err != nil {
				return err
			}
			return k.keep(cmd, file, args[1], was)
		},
	}
	k.add(cmd)
	return cmd
}

// file is the file of a new case.
func (k *keptCase) file(path, name string) (string, error) {
	if err := cases.CheckName(name); err != nil {
		return "", err
	}
	if _, err := os.Stat(path); err != nil {
		return "", cmp.Or(cli.PathError(path), err)
	}
	file := filepath.Join(cases.Home(path), filepath.FromSlash(cases.FileOf(name)))
	if cli.FileExists(file) && !k.replace {
		return "", fmt.Errorf("there is a case %s already, in %s; --replace replaces it", name, file)
	}
	return file, nil
}

// keep writes the case of a record and says what it expects.
func (k *keptCase) keep(cmd *cobra.Command, file, name string, was *decisions.Record) error {
	c, err := cases.Of(was)
	if err != nil {
		return err
	}
	c.Name, c.Title, c.KeptBy = name, k.title, k.by
	if k.flags.Recorder == nil {
		c.Decision = was.ID
	}
	if err := writeCase(file, c); err != nil {
		return err
	}
	answer := cmp.Or(string(c.Expected), "the error "+c.Error)
	fmt.Fprintf(cmd.OutOrStdout(), "%s expects %s\n", filepath.ToSlash(file), answer)
	return nil
}

func writeCase(file string, c *cases.Case) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	const mode = 0o644
	return cli.WriteWhole(file, mode, func(w io.Writer) error {
		_, err := io.WriteString(w, c.Text())
		return err
	})
}

// newCaseList makes the command that lists cases.
func newCaseList() *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "list [--json] PATH...",
		Short: "List the cases of files and folders",
		Args:  cli.NeedPaths,
		RunE: func(cmd *cobra.Command, args []string) error {
			list, report := cases.Read(args)
			cli.PrintDiagnostics(cmd.ErrOrStderr(), report)
			for _, c := range list {
				if asJSON {
					if err := cli.PrintJSON(cmd.OutOrStdout(), struct {
						Name string `json:"name"`
						File string `json:"file"`
						*cases.Case
					}{c.Name, c.File, c}); err != nil {
						return err
					}
					continue
				}
				line := fmt.Sprintf("%s: %s %s  %s", c.Name, c.Tool, tests.Compact(c.Arguments), c.Title)
				fmt.Fprintln(cmd.OutOrStdout(), strings.TrimSpace(line))
			}
			if len(report) > 0 {
				return cli.Exit(cli.ExitNo)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the cases as JSON, one a line")
	return cmd
}

// caseRun holds the flags of the commands that run cases, and what they have come to.
type caseRun struct {
	flags   settings.ServerFlags
	against string
	asJSON  bool
	junit   string
	counts  tests.Counts
	differs int
	results []tests.Result
}

// newCaseRun makes the command that runs cases.
func newCaseRun() *cobra.Command {
	r := &caseRun{}
	cmd := &cobra.Command{
		Use:   "run [flags] PATH [NAME...]",
		Short: "Run cases, and compare their answers with those of another version",
		Args:  cli.NeedWords(1, 1<<10, "the PATH of rules, and takes the NAMES of cases"),
		RunE:  func(cmd *cobra.Command, args []string) error { return r.run(cmd, args[0], args[1:]) },
	}
	r.flags.Add(cmd.Flags())
	cmd.Flags().StringVar(&r.against, "against", "",
		"the rules of another version, such as a checkout of the last release; answers that differ are shown side by side")
	cmd.Flags().BoolVar(&r.asJSON, "json", false, "print outcomes as JSON, one a line")
	cmd.Flags().StringVar(&r.junit, "junit", "", "write the outcomes to this file as JUnit does")
	cmd.ValidArgsFunction = completeCases
	return cmd
}

// completeCases completes names of cases in a shell.
func completeCases(_ *cobra.Command, args []string, _ string) (names []string, _ cobra.ShellCompDirective) {
	if len(args) == 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	list, _ := cases.Read(args[:1])
	for _, c := range list {
		names = append(names, c.Name)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// chosenCases are the cases of a path that names choose, all without names. broken says that there are files that
// cannot be used; without a case that is an error.
func chosenCases(cmd *cobra.Command, path string, names []string) (list []*cases.Case, broken bool, err error) {
	list, report := cases.Read([]string{path})
	cli.PrintDiagnostics(cmd.ErrOrStderr(), report)
	if len(names) > 0 {
		var known []string
		for _, c := range list {
			known = append(known, c.Name)
		}
		for _, name := range names {
			if !slices.Contains(known, name) {
				return nil, false, unknownItem("case", name, known)
			}
		}
		return slices.DeleteFunc(list, func(c *cases.Case) bool { return !slices.Contains(names, c.Name) }), false, nil
	}
	switch broken = len(report) > 0; {
	case len(list) > 0:
		return list, broken, nil
	case broken:
		return nil, true, cli.Exit(cli.ExitNo)
	}
	return nil, false, fmt.Errorf("there are no cases in %s; mcplogic case add makes one", path)
}

// server loads rules and makes a server of them, which is nil if they have errors. It says which cases call tools that
// the rules do not have.
func (r *caseRun) server(cmd *cobra.Command, path string, list []*cases.Case) (*bridge.Server, error) {
	snapshot, report := cli.LoadFiles(cmd.Context(), cmd.ErrOrStderr(), []string{path}, r.flags.Load(cmd))
	if snapshot == nil {
		cli.PrintDiagnostics(cmd.ErrOrStderr(), report)
		return nil, cli.NotLoaded(report)
	}
	cli.PrintDiagnostics(cmd.ErrOrStderr(), append(report, cases.Check(list, snapshot)...))
	options, err := r.flags.Options(cmd, []string{path})
	if err != nil {
		return nil, err
	}
	return bridge.NewServer(snapshot, options), nil
}

func (r *caseRun) run(cmd *cobra.Command, path string, names []string) error {
	list, broken, err := chosenCases(cmd, path, names)
	if err != nil {
		return err
	}
	now, err := r.server(cmd, path, list)
	if err != nil {
		return err
	}
	defer now.Close()
	var before *bridge.Server
	if r.against != "" {
		if before, err = r.server(cmd, r.against, nil); err != nil {
			return err
		}
		defer before.Close()
	}
	for _, c := range list {
		if err := cmd.Context().Err(); err != nil {
			return err
		}
		o := cases.Run(cmd.Context(), now, c)
		res := tests.CaseResult(o)
		r.counts.Add(res.Status)
		r.results = append(r.results, res)
		var other *cases.Compared
		if before != nil {
			if other = cases.Compare(cmd.Context(), before, now, o); other != nil {
				r.differs++
			}
		}
		if err := r.print(cmd, o, &res, other); err != nil {
			return err
		}
	}
	if err := r.finish(cmd); err != nil || !broken {
		return err
	}
	return cli.Exit(cli.ExitNo)
}

// print prints an outcome, and how it differs from that of another version, unless other is nil.
func (r *caseRun) print(cmd *cobra.Command, o *cases.Outcome, res *tests.Result, other *cases.Compared) error {
	out := cmd.OutOrStdout()
	if r.asJSON {
		return cli.PrintJSON(out, struct {
			*cases.Outcome
			Against *cases.Compared `json:"against,omitempty"`
		}{o, other})
	}
	res.Print(out)
	if other == nil {
		return nil
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "case %s answers otherwise: %s\n", o.Name, strings.Join(other.Differences, "; "))
	for _, part := range [][2]string{
		{"was", other.Was}, {"why", other.WhyWas}, {"now", other.Now}, {"why", other.WhyNow},
	} {
		if text := strings.TrimSpace(part[1]); text != "" {
			fmt.Fprintf(&b, "  %s: %s\n", part[0], strings.ReplaceAll(text, "\n", "\n    "))
		}
	}
	_, err := out.Write(b.Bytes())
	return err
}

func (r *caseRun) finish(cmd *cobra.Command) error {
	out := cmd.OutOrStdout()
	if !r.asJSON {
		text := r.counts.Text(nil)
		if r.against != "" {
			text += fmt.Sprintf(", %s otherwise than by %s", spell.Count(r.differs, "answer"), r.against)
		}
		fmt.Fprintln(out, text)
	}
	if err := tests.WriteJUnit(r.junit, r.results); err != nil {
		return err
	}
	if r.counts.Failed+r.differs > 0 {
		return cli.Exit(cli.ExitNo)
	}
	return nil
}

// newCaseUpdate makes the command that writes the answers of now into cases.
func newCaseUpdate() *cobra.Command {
	r := &caseRun{}
	cmd := &cobra.Command{
		Use:   "update [flags] PATH [NAME...]",
		Short: "Accept the present answers of cases as the expected ones",
		Args:  cli.NeedWords(1, 1<<10, "the PATH of rules, and takes the NAMES of cases"),
		RunE:  func(cmd *cobra.Command, args []string) error { return r.update(cmd, args[0], args[1:]) },
	}
	r.flags.Add(cmd.Flags())
	cmd.ValidArgsFunction = completeCases
	return cmd
}

func (r *caseRun) update(cmd *cobra.Command, path string, names []string) error {
	list, broken, err := chosenCases(cmd, path, names)
	if err == nil && broken {
		err = cli.Exit(cli.ExitNo)
	}
	if err != nil {
		return err
	}
	server, err := r.server(cmd, path, list)
	if err != nil {
		return err
	}
	defer server.Close()
	changed := 0
	for _, c := range list {
		o := cases.Run(cmd.Context(), server, c)
		if err := cmd.Context().Err(); err != nil {
			return err
		}
		if o.Passed {
			continue
		}
		if reason := o.Record.Replayable(false); reason != "" {
			return fmt.Errorf("the case %s stays as it is: %s", c.Name, reason)
		}
		c.Expect(o.Record)
		if err := writeCase(filepath.FromSlash(c.File), c); err != nil {
			return err
		}
		changed++
		fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", c.File, o.Message())
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s changed, %d as before\n", spell.Count(changed, "case"), len(list)-changed)
	return nil
}
