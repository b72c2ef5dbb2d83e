package goals

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/questions"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/reasons"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/shapes"
	"github.com/mcplogic/mcplogic/internal/whypage"
)

// This file defines mcplogic why.

// why holds the flags of mcplogic why and its streams. query has the flags for loading and for limits.
type why struct {
	query
	// The subject: an answer, counted from 1, and the node of its proof to begin with, "" for the whole.
	answer int
	node   string
	rather []string
	// The bounds of the explanation. bytes is that of its text, 0 for the default.
	depth  int
	nodes  int
	bytes  int
	budget time.Duration
	// The form: neither is text. html is the file of a page, - for standard output.
	asJSON bool
	html   string
}

func NewWhy() *cobra.Command {
	w := &why{}
	cmd := w.command("why", "Say why a goal has an answer, or what was missing", time.Minute, w.run)
	flags := cmd.Flags()
	flags.IntVar(&w.answer, "answer", 1, "explain this answer, from 1")
	flags.StringVar(&w.node, "node", "", "go on from this node of the proof, which was cut")
	flags.StringArrayVar(&w.rather, "rather-than", nil,
		"also say what the answer with VARIABLE=VALUE lacks; may be repeated")
	flags.IntVar(&w.depth, "depth", 5, "most levels of clauses to show")
	flags.IntVar(&w.nodes, "nodes", 40, "most nodes to show")
	flags.DurationVar(&w.budget, "budget", 2*time.Second, "longest time to look for the explanation")
	flags.BoolVar(&w.asJSON, "json", false, "print the explanation as JSON")
	flags.StringVar(&w.html, "html", "", "write the explanation as a page to this file; - is standard output")
	cmd.MarkFlagsMutuallyExclusive("json", "html")
	return cmd
}

// run loads the paths and explains the goal, which is the last argument.
func (w *why) run(cmd *cobra.Command, args []string) error {
	goal, paths, err := w.goalOf(cmd, args)
	if err != nil {
		return err
	}
	if w.html != "" {
		w.enlarge(cmd)
	}
	program, err := w.load(cmd, paths)
	if err == nil {
		w.giving, err = w.given.Read(program, goal, cmd.ErrOrStderr())
	}
	if err != nil {
		return err
	}
	return w.explain(cmd.Context(), program, goal)
}

// The bounds of an explanation as a page. Whoever reads a page opens nodes one by one, so it may have many. The bound
// of the text is set so high that it cuts nothing: a page does not show the text, but its bound would end the nodes.
const (
	pageNodes = 5000
	pageDepth = 50
	pageBytes = 16 << 20
)

// enlarge sets the bounds of a page, unless flags set them.
func (w *why) enlarge(cmd *cobra.Command) {
	if !cmd.Flags().Changed("nodes") {
		w.nodes = pageNodes
	}
	if !cmd.Flags().Changed("depth") {
		w.depth = pageDepth
	}
	w.bytes = pageBytes
}

// explain prints why the goal has the answer, or what it lacks for it. The goal prints nothing itself. A goal with
// fewer answers than --answer names, but with some, is an error; one without answers has misses. For one that throws
// the misses say how far it came. An answer number that the goal does not reach is wrong usage, and so is a node that
// the proof does not have.
func (w *why) explain(ctx context.Context, program *engine.Program, goal string) error {
	o := &engine.WhyOptions{Answer: w.answer, Node: w.node, Depth: w.depth, Nodes: w.nodes, Bytes: w.bytes,
		Limits: engine.Limits{Time: w.budget},
		Run:    *w.options(), Ask: w.interview(program).Explaining(ctx, false)}
	o.Run.Output = io.Discard
	parsed, err := program.ParseTerm("", goal)
	if err != nil {
		cli.PrintError(w.stderr, err)
		return cli.Exit(cli.ExitUsage)
	}
	o.Run.Module = moduleOf(program, parsed)
	noteTexts(program, parsed, w.stderr)
	if o.RatherThan, err = w.ratherThan(program); err != nil {
		return err
	}
	proof, err := program.Why(ctx, goal, o)
	var noNode *reasons.NoNodeError
	var few *reasons.FewAnswersError
	var exception *engine.Exception
	switch {
	case err == nil:
		proof.Rules = inner.Of(program).Digest()
		return w.printProof(proof)
	case errors.As(err, &few) && few.Answers == 0:
		return w.printMisses(ctx, program, goal, o)
	case few != nil, errors.As(err, &noNode):
		return err
	}
	code := w.goalError(err)
	if errors.As(err, &exception) && !w.asJSON {
		if misses, err := program.WhyNot(ctx, goal, o); err == nil && misses.Line != "" {
			fmt.Fprint(w.stdout, missesText(misses))
		}
	}
	return code
}

// ratherThan reads the values of --rather-than, nil for none.
func (w *why) ratherThan(program *engine.Program) (values map[string]any, err error) {
	for _, pair := range w.rather {
		name, text, ok := strings.Cut(pair, "=")
		if !ok {
			return nil, fmt.Errorf("--rather-than %s: want VARIABLE=VALUE", pair)
		}
		if values == nil {
			values = map[string]any{}
		}
		if values[strings.TrimSpace(name)], err = program.ParseTerm("", text); err != nil {
			return nil, fmt.Errorf("--rather-than %s: %w", pair, err)
		}
	}
	return values, nil
}

// moduleOf returns the module that a goal is meant for, so that tools can be named as clients name them, without a
// module. It looks at the predicates of the goal that are neither built in nor of user; if one module has all of them,
// that is it. Else, and where a predicate is unknown, it is "".
func moduleOf(program *engine.Program, goal engine.Term) (module string) {
	for stack := []engine.Term{goal}; len(stack) > 0; {
		g := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if parts, ok := shapes.Control(g); ok {
			stack = append(stack, parts...)
			continue
		}
		name, arity, ok := term.Indicator(g)
		if !ok {
			continue
		}
		info, known := inner.Of(program).Predicate("user", string(name), arity)
		if known && (info.BuiltIn || info.Module == "user") {
			continue
		}
		in := info.Module // user has imported it
		if !known {
			in, known = inner.Of(program).ModuleOf(string(name), arity, false)
		}
		if !known || module != "" && module != in {
			return ""
		}
		module = in
	}
	return module
}

// interview returns the dialogue in which the goal asks on the terminal. It keeps the answers: the explanation runs the
// goal again, and does not ask a question twice.
func (w *why) interview(program *engine.Program) *bridge.Interview {
	a := &questions.Asker{Out: w.stderr, Read: func(context.Context) (string, bool) { return cli.NextLine(w.stdin) }}
	i := bridge.NewInterview(program, nil)
	i.Ask = a.Question
	return i
}

// print prints an explanation, text where neither JSON nor a page is wanted. The page has no text.
func (w *why) print(explanation interface{ Clauses() map[string]string }, text string) error {
	if w.asJSON {
		return cli.PrintJSON(w.stdout, explanation)
	}
	if w.html == "" {
		_, err := io.WriteString(w.stdout, text)
		return err
	}
	page, err := whypage.Page("", explanation, explanation.Clauses())
	switch {
	case err != nil:
		return err
	case w.html == "-":
		_, err = io.WriteString(w.stdout, page)
		return err
	}
	return os.WriteFile(w.html, []byte(page), 0o644)
}

// printProof prints a proof. That the proof was cut is part of the output, because the text would otherwise pass for a
// whole proof.
func (w *why) printProof(proof *engine.Proof) error {
	text := proof.Text
	if proof.Truncated != nil {
		text += truncationText(proof) + "\n"
	}
	if w.html != "" {
		proof.Text = "" // the page has the nodes
	}
	return w.print(proof, text)
}

// missesText is the text of misses, after the line that says the most. Misses without such a line have found nothing.
func missesText(misses *reasons.Misses) string {
	return cmp.Or(misses.Whole(), "nothing was missing, as far as could be seen\n")
}

// truncationText says that a proof was cut, and by which flag it can be continued.
func truncationText(proof *engine.Proof) string {
	text := "... the proof was cut"
	if proof.Truncated.Time {
		text += " because its time ran out"
	}
	if proof.More != "" {
		text += "; --node " + proof.More + " goes on"
	}
	return text
}

// printMisses prints what the goal lacks for an answer. The exit code is 1 then, in every form.
func (w *why) printMisses(ctx context.Context, program *engine.Program, goal string, o *engine.WhyOptions) error {
	misses, err := program.WhyNot(ctx, goal, o)
	if err != nil {
		return w.goalError(err)
	}
	misses.Rules = inner.Of(program).Digest()
	if err := w.print(misses, missesText(misses)); err != nil {
		return err
	}
	return cli.Exit(cli.ExitNo)
}
