package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/inner"
)

// This file defines the flags by which a goal or a call is given facts and the time.

// GivenFlags holds the flags. Nothing that runs under one of them is committed.
type GivenFlags struct {
	assume, without []string // texts with facts, or names of files
	now, seed       string
}

func (g *GivenFlags) Add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&g.assume, "assume", nil, "facts that hold this once, as text or in a file; may be repeated")
	flags.StringArrayVar(&g.without, "without", nil, "facts that do not hold this once; a variable stands for any value")
	flags.StringVar(&g.now, "now", "", "the time for goals, in ISO 8601; default: the clock")
	flags.StringVar(&g.seed, "seed", "", "where random numbers start; default: by chance")
}

// Some reports whether one of the flags is given.
func (g *GivenFlags) Some() bool {
	return len(g.assume)+len(g.without) > 0 || g.now != "" || g.seed != ""
}

// Read returns what the flags give a goal, in the syntax of a program. The goal of a call is "". It warns of facts that
// neither the goal nor the program mentions, which are mostly misspelt: goals that are made at run time may ask for
// them.
func (g *GivenFlags) Read(p *engine.Program, goal string, warnings io.Writer) (o engine.Given, err error) {
	o.Seed = g.seed
	if g.now != "" {
		text, _ := json.Marshal(g.now)
		if o.Now, err = bridge.ParseTime(text); err != nil {
			return o, fmt.Errorf("--now: %w", err)
		}
	}
	if o.Assume, err = parseFacts(p, "--assume", g.assume); err == nil {
		o.Without, err = parseFacts(p, "--without", g.without)
	}
	if err != nil {
		return o, err
	}
	for _, fact := range slices.Concat(o.Assume, o.Without) {
		name, arity, ok := term.Indicator(fact.(engine.Term))
		if ok && name != ":" && name != ":-" && !strings.Contains(goal, string(name)) && !mentions(p, string(name), arity) {
			fmt.Fprintf(warnings, "warning: the program defines no %s/%d%s; the fact is taken as given all the same\n",
				name, arity, inner.Of(p).Suggestion("user", string(name), arity))
		}
	}
	return o, nil
}

// mentions reports whether a module of a program has a predicate or calls it. A fact without a module is one of the
// module of the tool that is called.
func mentions(p *engine.Program, name string, arity int) bool {
	return slices.ContainsFunc(inner.Of(p).Modules(), func(m inspect.Module) bool {
		return inner.Of(p).Mentions(m.Name, name, arity)
	})
}

// parseFacts reads the facts of texts and files. The last fact of a text needs no full stop.
func parseFacts(p *engine.Program, flag string, texts []string) (facts []any, err error) {
	for _, text := range texts {
		name := flag
		if data, err := os.ReadFile(text); err == nil {
			name, text = text, string(data)
		}
		text = strings.TrimSpace(text)
		if !strings.HasSuffix(text, ".") {
			text += " ."
		}
		for {
			g, rest, err := inner.Of(p).ReadGoal(name, text)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", flag, err)
			}
			facts, text = append(facts, g.Term), rest
		}
	}
	return facts, nil
}
