package main

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// This file defines random goals: templates of templates.go filled with random terms, some of
// the wrong type, and small random programs.

// generator makes goals; the same seed makes the same ones.
type generator struct{ *rand.Rand }

// generate returns count random goals, those of each area in turn.
func generate(seed uint64, count int) []question {
	g := generator{rand.New(rand.NewPCG(seed, seed))}
	all := make([]question, 0, count)
	areas := slices.Concat(randomAreas, dialectAreas, fileAreas)
	for i := range count {
		a := areas[i%len(areas)]
		q := question{Area: "random/" + a.name}
		if a.setup != nil {
			q.Setup = a.setup(g)
		}
		if a.texts != nil {
			q.Texts = a.texts(g)
		}
		q.Goal = g.fill(a.templates[g.IntN(len(a.templates))])
		all = append(all, q)
	}
	return all
}

// hole is what a template leaves open: {kind}, {kind|kind} for one or the other.
var hole = regexp.MustCompile(`\{([a-z|]+)\}`)

// alwaysRight are holes that no other term can fill.
var alwaysRight = []string{"var", "lin", "body", "third", "v", "w", "source", "format", "effects", "wakes", "qualified",
	"edged", "at", "file"}

// oneInWrong holes are filled with a term of any kind instead.
const oneInWrong = 8

func (g generator) fill(template string) string {
	return hole.ReplaceAllStringFunc(template, func(h string) string {
		kinds := strings.Split(h[1:len(h)-1], "|")
		kind := kinds[g.IntN(len(kinds))]
		if !slices.Contains(alwaysRight, kind) && g.IntN(oneInWrong) == 0 {
			return g.term(2)
		}
		return g.hole(kind)
	})
}

// hole fills a hole of a kind.
func (g generator) hole(kind string) string {
	switch kind {
	case "var":
		return g.pick(variableNames)
	case "atom":
		return g.pick(atoms)
	case "char":
		return g.pick(characters)
	case "int":
		return g.pick(integers)
	case "small":
		return strconv.Itoa(g.IntN(5))
	case "num":
		return g.number()
	case "atomic":
		return g.atomic()
	case "list":
		return g.list(2)
	case "chars":
		return g.listOf(func() string { return g.hole("char") })
	case "codes":
		return g.listOf(func() string { return strconv.Itoa(48 + g.IntN(75)) })
	case "ints":
		return g.listOf(func() string { return g.pick(integers) })
	case "atoms":
		return g.listOf(func() string { return g.pick(atoms) })
	case "pairs":
		return g.listOf(func() string { return g.atomic() + "-" + g.atomic() })
	case "expr":
		return g.expression(3)
	case "lin":
		return g.linear()
	case "ground":
		return g.ground(2)
	case "ops":
		return g.operators(3)
	case "str":
		return strconv.Quote(g.pick(texts))
	case "body":
		return g.body(2)
	case "pred":
		return g.pick(indicators)
	case "type":
		return g.pick(typeNames)
	case "clause":
		return g.clause()
	}
	return g.dialectHole(kind)
}

func (g generator) pick(from []string) string { return from[g.IntN(len(from))] }

func (g generator) number() string {
	if g.IntN(3) == 0 {
		return g.pick(floats)
	}
	return g.pick(integers)
}

func (g generator) atomic() string {
	if g.IntN(2) == 0 {
		return g.pick(atoms)
	}
	return g.number()
}

// term returns any term of a depth, with variables.
func (g generator) term(depth int) string {
	switch g.IntN(6) {
	case 0:
		return g.pick(variableNames)
	case 1, 2:
		return g.atomic()
	case 3:
		if depth > 0 {
			return g.list(depth - 1)
		}
	case 4, 5:
		if depth > 0 {
			return g.compound(depth - 1)
		}
	}
	return g.pick(atoms)
}

func (g generator) compound(depth int) string {
	name := g.pick(functors)
	n := 1 + g.IntN(3)
	args := make([]string, n)
	for i := range args {
		args[i] = g.term(depth)
	}
	return name + "(" + strings.Join(args, ",") + ")"
}

// list returns a list, in rare cases a partial one or one that ends in another term.
func (g generator) list(depth int) string {
	text := g.listOf(func() string { return g.term(depth) })
	if g.IntN(6) == 0 && text != "[]" {
		return strings.TrimSuffix(text, "]") + "|" + g.term(0) + "]"
	}
	return text
}

func (g generator) listOf(item func() string) string {
	items := make([]string, g.IntN(4))
	for i := range items {
		items[i] = item()
	}
	return "[" + strings.Join(items, ",") + "]"
}

// linear returns a term in which no variable occurs twice, so that unification with another makes no cyclic term.
func (g generator) linear() string {
	n := 0
	return anyVariable.ReplaceAllStringFunc(g.term(3), func(string) string {
		n++
		return "L" + strconv.Itoa(n)
	})
}

// anyVariable is a variable in what we generate; quoted atoms hold none of these words.
var anyVariable = regexp.MustCompile(`\b[XYZW]\b`)

func (g generator) ground(depth int) string {
	return anyVariable.ReplaceAllString(g.term(depth), "v")
}

// operators returns a term written with operators, in all places where brackets may be needed.
func (g generator) operators(depth int) string {
	if depth == 0 || g.IntN(5) == 0 {
		return g.pick([]string{"a", "1", "-1", "[]", "{}", "+", "(:-)", "'B c'", "f(x)", "1.5", "-a", "(a:-b)"})
	}
	switch g.IntN(6) {
	case 0:
		return g.pick([]string{"-", "+", "\\", "\\+", "?-", ":-", "dynamic"}) + "(" + g.operators(depth-1) + ")"
	case 1:
		return "f(" + g.bracketed(depth) + "," + g.bracketed(depth) + ")"
	case 2:
		return "[" + g.bracketed(depth) + "|" + g.bracketed(depth) + "]"
	case 3:
		return "{" + g.operators(depth-1) + "}"
	}
	return g.bracketed(depth) + " " + g.pick(infixes) + " " + g.bracketed(depth)
}

func (g generator) bracketed(depth int) string { return "(" + g.operators(depth-1) + ")" }

// expression returns arithmetic whose results stay small.
func (g generator) expression(depth int) string {
	switch {
	case depth == 0 || g.IntN(4) == 0:
		if g.IntN(30) == 0 {
			return g.term(1)
		}
		return g.number()
	case g.IntN(3) == 0:
		return g.pick(functions) + "(" + g.expression(depth-1) + ")"
	case g.IntN(6) == 0:
		return "(" + g.expression(depth-1) + g.pick([]string{" ** ", " ^ ", " << ", " >> "}) + "(" + g.pick([]string{"0",
			"1", "2", "3", "-1", "-2", "0.5", "2.0"}) + "))"
	case g.IntN(5) == 0:
		return g.pick([]string{"min", "max", "atan2", "copysign", "truncate", "gcd"}) + "(" + g.expression(depth-1) + "," +
			g.expression(depth-1) + ")"
	}
	return "(" + g.expression(depth-1) + " " + g.pick(arithmetic) + " " + g.expression(depth-1) + ")"
}

// program returns facts p/1, q/2 and rules r/1, s/2 about them, which call what is defined before them only.
func (g generator) program() string {
	var b strings.Builder
	b.WriteString(":- dynamic(p/1). :- dynamic(q/2).\n")
	for range 1 + g.IntN(4) {
		fmt.Fprintf(&b, "p(%s). ", g.ground(1))
	}
	for range 1 + g.IntN(4) {
		fmt.Fprintf(&b, "q(%s,%s). ", g.atomic(), g.ground(1))
	}
	for range 1 + g.IntN(3) {
		fmt.Fprintf(&b, "\nr(X) :- %s .", g.body(2))
	}
	for range 1 + g.IntN(2) {
		fmt.Fprintf(&b, "\ns(X,Y) :- %s .", strings.ReplaceAll(g.body(2), "p(", "r("))
	}
	return b.String()
}

// body returns a goal about p/1 and q/2.
func (g generator) body(depth int) string {
	if depth > 0 {
		switch g.IntN(9) {
		case 0, 1, 2:
			return g.body(depth-1) + ", " + g.body(depth-1)
		case 3:
			return "( " + g.body(depth-1) + " ; " + g.body(depth-1) + " )"
		case 4:
			return "( " + g.body(depth-1) + " -> " + g.body(depth-1) + " ; " + g.body(depth-1) + " )"
		case 5:
			return "\\+ ( " + g.body(depth-1) + " )"
		case 6:
			return g.pick([]string{"once", "call", "findall(X,p(X),_),call", "catch(p(Y),_,true),once"}) + "(( " +
				g.body(depth-1) + " ))"
		}
	}
	return g.fill(g.pick([]string{"p(X)", "p(Y)", "q(X,Y)", "q(Y,X)", "q(Z,_)", "!", "X = {atomic}", "Y == {atomic}",
		"Y @< b", "var(Z)", "atom(X)", "X \\== Y", "write(w(X))", "p({atomic})", "true", "fail", "integer(Y)"}))
}

// clause returns a clause to be asserted, which may not be one.
func (g generator) clause() string {
	switch g.IntN(5) {
	case 0:
		return "(" + g.term(1) + " :- " + g.term(1) + ")"
	case 1:
		return g.term(2)
	case 2:
		return "q(" + g.atomic() + "," + g.term(1) + ")"
	}
	return "(p(X) :- " + g.body(1) + ")"
}
