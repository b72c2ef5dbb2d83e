package engine_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/stretchr/testify/require"
)

// This file defines the fuzz targets of the engine as a whole, seeded from the tables of cases.

// seedEvery says that one case in seedEvery becomes a seed: all cases would take a minute.
const seedEvery = 40

// seedCases adds programs and goals of the language tests and of the conformance tables.
func seedCases(f *testing.F) {
	for _, pattern := range []string{"../testdata/lang/*.jsonl", "../testdata/iso/*.jsonl"} {
		files, err := filepath.Glob(pattern)
		require.NoError(f, err)
		for _, file := range files {
			for n, line := range caseLines(f, file) {
				var c isoCase
				if n%seedEvery == 1 && json.Unmarshal(line, &c) == nil {
					f.Add(c.Setup, c.Goal+c.Text)
				}
			}
		}
	}
	f.Add("a :- b, !, c ; d -> e.\nb --> \"x\", {y}, !.\nf(X), X > 1 => true.", "a")
	f.Add(":- table p/2.\np(X,Y) :- p(X,Z), q(Z,Y).\nq(1,2).", "p(X, Y)")
	f.Add("term_expansion(a, T) :- T = f(T).\na.\ngoal_expansion(b, G) :- G = (G, G).\nc :- b.", "c")
}

// budget is the processor time that no input of the fuzzer may exceed, even on a slow machine.
const budget = 20 * time.Second

// FuzzProgram loads any text as a program and runs any goal on it: nothing panics, everything ends within its limits,
// and faults are errors.
func FuzzProgram(f *testing.F) {
	seedCases(f)
	f.Fuzz(func(t *testing.T, program, goal string) {
		if len(program)+len(goal) > 1<<11 {
			return
		}
		require.Less(t, threadTime(func() { fuzzProgram(t, program, goal) }), budget)
	})
}

// expandsBeyond reports whether a written term has more than `most` subterms. A small term with shared parts can have a
// text of 16 MB, which takes ten seconds on a busy machine. The fuzzer ends an input after that time.
func expandsBeyond(t engine.Term, most *int) bool {
	if *most--; *most < 0 {
		return true
	}
	c, ok := t.(*term.Compound)
	return ok && slices.ContainsFunc(c.Args, func(arg engine.Term) bool { return expandsBeyond(arg, most) })
}

func fuzzProgram(t *testing.T, program, goal string) {
	prog, err := engine.LoadText(t.Context(), "fuzz.pl", program,
		&engine.Options{Directives: engine.Limits{Time: 100 * time.Millisecond, Memory: 16 << 20}})
	if err != nil {
		return
	}
	o := engine.Stressed(&engine.RunOptions{Limits: engine.Limits{Time: 200 * time.Millisecond, Inferences: 100_000,
		Memory: 16 << 20}}, engine.Stress{Eager: true})
	answers := 0
	for s, err := range prog.Query(context.Background(), goal, o) {
		if err != nil {
			require.NotEmpty(t, err.Error())
			break
		}
		for _, name := range s.Names() {
			if most := 100_000; !expandsBeyond(s.Get(name), &most) {
				_ = engine.Inner(prog).FormatNumbered(s.Get(name))
			}
		}
		if answers++; answers == 20 {
			break
		}
	}
}
