package engine_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
)

// TestNativePrograms runs generated programs with native code off, on, and compared with the loop at each step, and
// wants the same answers. The environment variable MCPLOGIC_PROGRAMS is how many there are, MCPLOGIC_SEED the seed of
// the first.
func TestNativePrograms(t *testing.T) {
	if !engine.NativeAvailable() {
		t.Skip("there is no native code here")
	}
	count, seed := 400, 1
	if n, err := strconv.Atoi(os.Getenv("MCPLOGIC_PROGRAMS")); err == nil {
		count = n
	}
	if n, err := strconv.Atoi(os.Getenv("MCPLOGIC_SEED")); err == nil {
		seed = n
	}
	answered := 0
	for i := range count {
		g := &programMaker{rand.New(rand.NewPCG(uint64(seed+i), 0)), 0}
		text := g.program()
		want := runNative(t, text, engine.NativeOff)
		if strings.Contains(strings.Join(want, ""), "true") {
			answered++
		}
		for _, mode := range []engine.NativeMode{engine.NativeOn, engine.NativeCheck} {
			for at, got := range runNative(t, text, mode) {
				if strings.Contains(want[at]+got, limit) { // it may be met at other places
					continue
				}
				require.Equal(t, want[at], got, "seed %d, mode %d, goal %d\n%s", seed+i, mode, at, text)
			}
		}
	}
	require.Greater(t, answered, count/4, "most programs do not answer anything")
}

// limit is what stands for the error of a goal that needs too much.
const limit = "limit"

// runNative runs the goals of a program and returns the answers of each as text.
func runNative(t *testing.T, text string, mode engine.NativeMode) (answers []string) {
	p, err := engine.LoadText("generated.pl", text, &engine.Options{Native: mode})
	require.NoError(t, err, text)
	goals := []string{"t(X, Y)", "p0(X, Y)", "p1([1, a, f(b)], Y)", "p2(X, [a|Y])", "findall(X-Y, p0(X, Y), L)"}
	for _, goal := range goals {
		n := 0
		var b strings.Builder
		o := &engine.RunOptions{Inferences: 3000, Memory: 64 << 20, EagerNative: true, Transaction: true}
		for s, err := range p.Query(context.Background(), goal, o) {
			if err != nil {
				if strings.Contains(err.Error(), "resource_error") || strings.Contains(err.Error(), limit) {
					fmt.Fprintln(&b, limit)
					break
				}
				fmt.Fprintln(&b, err)
				break
			}
			fmt.Fprintln(&b, "true", p.FormatAnswer(s))
			if n++; n == 12 {
				break
			}
		}
		answers = append(answers, b.String())
	}
	return answers
}

// programMaker makes programs.
type programMaker struct {
	*rand.Rand
	depth int
}

func (g *programMaker) pick(list ...string) string { return list[g.IntN(len(list))] }

func (g *programMaker) variable() string { return g.pick("A", "B", "C", "D", "E") }

// number returns a number, mostly small, now and then at a limit of what a cell holds.
func (g *programMaker) number() string {
	if g.IntN(12) == 0 {
		return g.pick("1152921504606846975", "-1152921504606846976", "1152921504606846976", "4611686018427387904",
			"2147483648", "-2147483648", "9007199254740993", "1.5", "-0.0", "1.0e300", "2.0")
	}
	return strconv.Itoa(g.IntN(7) - 2)
}

func (g *programMaker) term(depth int) string {
	n := 10
	if depth <= 0 {
		n = 6
	}
	switch g.IntN(n) {
	case 0, 1, 2:
		return g.variable()
	case 3:
		return g.number()
	case 4, 5:
		return g.pick("a", "b", "[]", "f", `"s"`)
	case 6:
		return "[" + g.term(depth-1) + "|" + g.term(depth-1) + "]"
	case 7:
		return "f(" + g.term(depth-1) + ")"
	case 8:
		return "g(" + g.term(depth-1) + ", " + g.term(depth-1) + ")"
	}
	return "[" + g.term(depth-1) + ", " + g.term(depth-1) + "]"
}

func (g *programMaker) expression(depth int) string {
	if depth <= 0 || g.IntN(3) == 0 {
		if g.IntN(2) == 0 {
			return g.variable()
		}
		return g.number()
	}
	a, b := g.expression(depth-1), g.expression(depth-1)
	if g.IntN(8) == 0 {
		return g.pick("abs", "-", "sign", "float") + "(" + a + ")"
	}
	op := g.pick("+", "-", "*", "//", "mod", "rem", "/\\", "\\/", ">>", "<<", "max", "min", "/", "**")
	if op == "max" || op == "min" {
		return op + "(" + a + ", " + b + ")"
	}
	if op == "<<" || op == "**" || op == ">>" {
		b = strconv.Itoa(g.IntN(5))
	}
	return "(" + a + ") " + op + " (" + b + ")"
}

// call returns a call of a predicate of the program.
func (g *programMaker) call() string {
	name := "p" + strconv.Itoa(g.IntN(4))
	switch g.IntN(12) {
	case 0:
		return "call(" + name + ", " + g.term(1) + ", " + g.term(1) + ")"
	case 1:
		return "call(" + name + "(" + g.term(1) + "), " + g.term(1) + ")"
	case 2:
		return "G = " + name + "(" + g.term(1) + ", " + g.term(1) + "), G"
	}
	return name + "(" + g.term(2) + ", " + g.term(2) + ")"
}

func (g *programMaker) goal(depth int) string {
	if depth > 0 {
		switch g.IntN(14) {
		case 0:
			return "( " + g.body(depth-1) + " -> " + g.body(depth-1) + " ; " + g.body(depth-1) + " )"
		case 1:
			return "( " + g.body(depth-1) + " ; " + g.body(depth-1) + " )"
		case 2:
			return "\\+ ( " + g.body(depth-1) + " )"
		case 3:
			return "try(( " + g.body(depth-1) + " ), " + g.goal(0) + ")"
		case 4:
			return "findall(" + g.variable() + ", ( " + g.body(depth-1) + " ), " + g.variable() + ")"
		case 5:
			return "forall(( " + g.body(depth-1) + " ), ( " + g.body(depth-1) + " ))"
		case 6:
			return "( " + g.body(depth-1) + " *-> " + g.body(depth-1) + " ; " + g.body(depth-1) + " )"
		}
	}
	v := g.variable()
	switch g.IntN(22) {
	case 0, 1:
		return v + " = " + g.term(2)
	case 2:
		return g.term(1) + g.pick(" == ", " \\== ", " @< ", " \\= ", " @>= ") + g.term(1)
	case 3, 4:
		return "try(" + v + " is " + g.expression(2) + ", " + v + " = e)"
	case 5:
		return "try(" + g.expression(1) + g.pick(" < ", " =< ", " > ", " >= ", " =:= ", " =\\= ") + g.expression(1) +
			", true)"
	case 6:
		return g.pick("var", "nonvar", "atom", "integer", "atomic", "compound", "number", "is_list", "callable", "float") +
			"(" + v + ")"
	case 7:
		return "!"
	case 8:
		return g.pick("true", "fail")
	case 9:
		return "try(arg(" + g.pick("1", "2", "3", v) + ", " + g.term(1) + ", " + g.variable() + "), true)"
	case 10:
		return "try(functor(" + g.term(1) + ", " + g.variable() + ", " + g.variable() + "), true)"
	case 11:
		return "try(" + g.pick("setarg", "nb_setarg") + "(" + g.pick("1", "2") + ", " + g.variable() + ", " + g.term(1) +
			"), true)"
	case 12:
		return "dif(" + v + ", " + g.term(1) + ")"
	case 13:
		return "freeze(" + v + ", " + g.pick("atom(", "integer(", "p3(z, ") + v + "))"
	case 14:
		return "( var(" + v + ") -> put_attr(" + v + ", m, " + g.term(1) + ") ; true )"
	case 15:
		return "get_attr(" + v + ", " + g.pick("m", "n") + ", " + g.variable() + ")"
	case 16:
		return "compare(" + g.variable() + ", " + g.term(1) + ", " + g.term(1) + ")"
	case 17:
		return g.pick("assertz", "asserta") + "(d(" + g.term(1) + "))"
	case 18:
		if g.IntN(2) == 0 {
			return "retract(d(" + g.term(1) + "))"
		}
		return "d(" + g.term(1) + ")"
	case 19:
		return "r(" + g.term(0) + ", " + g.term(0) + ")"
	}
	return g.call()
}

func (g *programMaker) body(depth int) string {
	goals := make([]string, 1+g.IntN(3))
	for i := range goals {
		goals[i] = g.goal(depth)
	}
	return strings.Join(goals, ", ")
}

// try calls a goal, and another one after an error. Limits are not caught: when they are met depends on the mode.
const try = `
try(G, R) :-
    catch(G, error(E, _), true),
    (   var(E) -> true
    ;   E = resource_error(_) -> throw(limit)
    ;   call(R)
    ).
`

// program returns a program of a few predicates, facts in rows, and a dynamic predicate.
func (g *programMaker) program() string {
	var b strings.Builder
	b.WriteString(try)
	b.WriteString(":- dynamic(d/1).\nm:attr_unify_hook(_, _).\nd(1).\nd(f(X, X)).\n")
	for i := range 3 + g.IntN(10) {
		fmt.Fprintf(&b, "r(%s, %d).\n", g.pick("a", "b", "c", "1", "2", "[]"), i%4)
	}
	for i := range 4 {
		for range 1 + g.IntN(4) {
			fmt.Fprintf(&b, "p%d(%s, %s)", i, g.term(2), g.term(2))
			if g.IntN(4) > 0 {
				fmt.Fprintf(&b, " :- %s", g.body(2))
			}
			b.WriteString(".\n")
		}
	}
	fmt.Fprintf(&b, "t(A, B) :- %s.\n", g.body(2))
	return b.String()
}
