package main

import (
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
)

// This file defines the measurement of rules without compound terms: programs over random facts, beside loops written
// by hand for each (loops.go).

// A fact is the arguments of a fact, all of them integers.
type fact []uint32

// datalogProgram is rules with the random facts that they are about.
type datalogProgram struct {
	name, about string
	rules       string
	goal        string // whose solutions are counted
	facts       func(r *rand.Rand) map[string][]fact
	loop        func(facts map[string][]fact) int
}

var datalogPrograms = []datalogProgram{
	{"tc", "Transitive closure of 1,500 nodes with 3,600 edges",
		":- table tc/2.\ntc(X, Y) :- e(X, Y).\ntc(X, Z) :- tc(X, Y), e(Y, Z).\n", "tc(_, _)",
		func(r *rand.Rand) map[string][]fact { return map[string][]fact{"e": random(r, 3600, 1500, 1500)} },
		closureLoop},
	{"sg", "Same generation among 1,600 nodes with 3,200 parents",
		":- table sg/2.\nsg(X, Y) :- p(Z, X), p(Z, Y).\nsg(X, Y) :- p(A, X), sg(A, B), p(B, Y).\n", "sg(_, _)",
		func(r *rand.Rand) map[string][]fact { return map[string][]fact{"p": random(r, 3200, 1600, 1600)} },
		generationLoop},
	{"pt", "Points-to analysis of 1,000 variables with fields (Andersen)",
		":- table vp/2, hp/3.\nvp(V, O) :- new(V, O).\nvp(V, O) :- assign(V, W), vp(W, O).\n" +
			"vp(V, H) :- ld(V, B, F), vp(B, O), hp(O, F, H).\nhp(O, F, H) :- st(B, F, V), vp(B, O), vp(V, H).\n",
		"vp(_, _) ; hp(_, _, _)",
		func(r *rand.Rand) map[string][]fact {
			return map[string][]fact{"new": random(r, 1200, 1000, 600), "assign": random(r, 1000, 1000, 1000),
				"ld": random(r, 1240, 1000, 1000, 20), "st": random(r, 40, 1000, 20, 1000)}
		}, pointsToLoop},
	{"sp", "Shortest paths between 700 nodes, by the mode min",
		":- table sp(_, _, min).\nsp(X, Y, D) :- w(X, Y, D).\nsp(X, Z, D) :- sp(X, Y, D0), w(Y, Z, W), D is D0 + W.\n",
		"sp(_, _, _)",
		func(r *rand.Rand) map[string][]fact { return map[string][]fact{"w": random(r, 2800, 700, 700, 100)} },
		pathsLoop},
	{"galen", "Completion of an ontology (EL) of 320 concepts",
		":- table p/2, q/3.\np(X, Z) :- isa(X, Z).\n" +
			"p(X, Z) :- p(X, Y), p(Y, Z).\n" +
			"p(X, Z) :- p(Y, W), u(W, R, Z), q(X, R, Y).\np(X, Z) :- c(Y, W, Z), p(X, W), p(X, Y).\n" +
			"q(X, R, Z) :- some(X, R, Z).\nq(X, R, Z) :- p(X, Y), q(Y, R, Z).\n" +
			"q(X, S, Z) :- q(X, R, Z), s(R, S).\nq(X, E, O) :- q(X, Y, Z), r(Y, U, E), q(Z, U, O).\n",
		"p(_, _) ; q(_, _, _)",
		func(r *rand.Rand) map[string][]fact {
			const n = 320
			return map[string][]fact{"isa": random(r, 5*n/4, n, n), "some": random(r, n, n, 8, n),
				"u": random(r, n/8, n, 8, n), "c": random(r, n/8, n, n, n), "s": random(r, 2, 8, 8),
				"r": random(r, 1, 8, 8, 8)}
		}, completionLoop},
}

// random returns n different facts whose arguments are below bounds.
func random(r *rand.Rand, n int, bounds ...int) []fact {
	seen := map[string]bool{}
	var list []fact
	for len(list) < n {
		f := make(fact, len(bounds))
		for i, bound := range bounds {
			f[i] = uint32(r.IntN(bound))
		}
		if key := fmt.Sprint(f); !seen[key] {
			seen[key] = true
			list = append(list, f)
		}
	}
	return list
}

// generated returns the facts of the program.
func (p datalogProgram) generated() map[string][]fact { return p.facts(rand.New(rand.NewPCG(7, 7))) }

// text is the rules with facts.
func (p datalogProgram) text(facts map[string][]fact) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%sbench :- aggregate_all(count, (%s), N), write(checksum(N)), nl.\n", p.rules, p.goal)
	for _, name := range slices.Sorted(maps.Keys(facts)) {
		for _, f := range facts[name] {
			args := strings.Join(strings.Fields(strings.Trim(fmt.Sprint(f), "[]")), ",")
			fmt.Fprintf(&text, "%s(%s).\n", name, args)
		}
	}
	return text.String()
}

// datalogSet returns the programs that only names, as the systems read them.
func datalogSet(only string) ([]program, error) {
	var all []program
	for _, p := range datalogPrograms {
		all = append(all, program{name: p.name, about: p.about, scale: 1, text: p.text(p.generated())})
	}
	return named(all, only)
}

// loop is this command, which runs the loop of a program.
func loop() (system, error) {
	self, err := os.Executable()
	return system{name: "loop", command: func(_ string, p program, goal string) []string {
		if goal == "true" {
			return []string{self, "-loop", goal}
		}
		return []string{self, "-loop", p.name}
	}}, err
}

// runLoop runs the loop of a program and prints how many rows it has derived. Nothing is run for the name true.
func runLoop(name string, w io.Writer) error {
	for _, p := range datalogPrograms {
		if p.name == name {
			fmt.Fprintf(w, "checksum(%d)\n", p.loop(p.generated()))
		}
	}
	return nil
}
