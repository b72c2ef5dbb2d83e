package engine_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// programMaker makes a program that depends only on its seed. The names of its predicates end in suffix, so that
// several programs can be loaded together.
type programMaker struct {
	*rand.Rand
	seed   int
	suffix string
	floats bool // numbers are mostly floats
	big    bool // numbers are mostly beyond what a cell holds
	tabled bool // there is a tabled predicate
}

func newProgramMaker(seed int) *programMaker {
	g := &programMaker{Rand: rand.New(rand.NewPCG(uint64(seed), 0)), seed: seed}
	g.suffix = "_" + strconv.Itoa(seed%loadedTogether)
	g.floats, g.big, g.tabled = g.IntN(5) == 0, g.IntN(8) == 0, g.IntN(6) == 0
	return g
}

func (g *programMaker) pick(list ...string) string { return list[g.IntN(len(list))] }

func (g *programMaker) variable() string { return g.pick("A", "B", "C", "D", "E") }

// named returns a call of a predicate of the program.
func (g *programMaker) named(name string, args ...string) string {
	return name + g.suffix + "(" + strings.Join(args, ", ") + ")"
}

// number returns a number, mostly small, now and then at a limit of what a cell holds.
func (g *programMaker) number() string {
	switch n := g.IntN(24); {
	case n < 1 || g.big && n < 8:
		return g.pick("1152921504606846975", "-1152921504606846976", "1152921504606846976", "4611686018427387904",
			"2147483648", "-2147483648", "9007199254740993", "170141183460469231731687303715884105728", "-9223372036854775808")
	case n < 2 || g.floats && n < 20:
		return g.pick("1.5", "-0.0", "1.0e300", "2.0", "0.1", "-3.25", "1.0e-300", "9007199254740992.0", "0.5")
	}
	return strconv.Itoa(g.IntN(7) - 2)
}

// constant returns an atomic term.
func (g *programMaker) constant() string {
	if g.IntN(3) == 0 {
		return g.number()
	}
	return g.pick("a", "b", "c", "[]", "f", `"s"`, `"b"`)
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
		return g.pick("abs", "-", "sign", "float", "\\", "truncate", "sqrt", "msb", "integer") + "(" + a + ")"
	}
	op := g.pick("+", "-", "*", "//", "mod", "rem", "/\\", "\\/", "xor", ">>", "<<", "max", "min", "/", "**", "div")
	if op == "max" || op == "min" {
		return op + "(" + a + ", " + b + ")"
	}
	if op == "<<" || op == "**" || op == ">>" {
		b = strconv.Itoa(g.IntN(5))
	}
	return "(" + a + ") " + op + " (" + b + ")"
}

// comparison returns a comparison of numbers.
func (g *programMaker) comparison() string {
	return g.expression(1) + g.pick(" < ", " =< ", " > ", " >= ", " =:= ", " =\\= ") + g.expression(1)
}

// guarded returns a goal with compiled arithmetic, after tests that its variables are numbers. Now and then the tests
// are missing.
func (g *programMaker) guarded(goal, otherwise string) string {
	var tests []string
	for _, v := range []string{"A", "B", "C", "D", "E"} {
		if strings.Contains(goal, v) && g.IntN(16) > 0 {
			tests = append(tests, g.pick("number", "number", "integer")+"("+v+")")
		}
	}
	return "( " + strings.Join(append(tests, goal), ", ") + " -> true ; " + otherwise + " )"
}

// call returns a call of a predicate of the program.
func (g *programMaker) call() string {
	name := "p" + strconv.Itoa(g.IntN(4)) + g.suffix
	switch g.IntN(12) {
	case 0:
		return "call(" + name + ", " + g.term(1) + ", " + g.term(1) + ")"
	case 1:
		return "call(" + name + "(" + g.term(1) + "), " + g.term(1) + ")"
	case 2:
		return "G = " + name + "(" + g.term(1) + ", " + g.term(1) + "), G"
	case 3:
		return "maplist(" + name + ", [" + g.term(1) + ", " + g.term(1) + "], " + g.variable() + ")"
	case 4:
		return "ignore(" + name + "(" + g.term(1) + ", " + g.term(1) + "))"
	}
	return name + "(" + g.term(2) + ", " + g.term(2) + ")"
}

// control returns a goal that is made of goals.
func (g *programMaker) control(kind, depth int) string {
	switch kind {
	case 0:
		return "( " + g.body(depth) + " -> " + g.body(depth) + " ; " + g.body(depth) + " )"
	case 1:
		return "( " + g.body(depth) + " ; " + g.body(depth) + " )"
	case 2:
		return "\\+ ( " + g.body(depth) + " )"
	case 3:
		return "try(( " + g.body(depth) + " ), " + g.goal(0) + ")"
	case 4:
		return "findall(" + g.variable() + ", ( " + g.body(depth) + " ), " + g.variable() + ")"
	case 5:
		return "forall(( " + g.body(depth) + " ), ( " + g.body(depth) + " ))"
	case 6:
		return "( " + g.body(depth) + " *-> " + g.body(depth) + " ; " + g.body(depth) + " )"
	case 7:
		return "catch(( " + g.body(depth) + " ), ball(" + g.term(0) + "), ( " + g.body(depth) + " ))"
	case 8:
		return "( " + g.goal(0) + ", !, " + g.goal(0) + " -> " + g.body(depth) + " ; " + g.body(depth) + " )"
	}
	return "( between(1, " + strconv.Itoa(1+g.IntN(20)) + ", " + g.variable() + "), " + g.body(depth) + ", fail ; true )"
}

// controls is how many kinds of control there are.
const controls = 10

func (g *programMaker) goal(depth int) string {
	if depth > 0 {
		if kind := g.IntN(2 * controls); kind < controls {
			return g.control(kind, depth-1)
		}
	}
	v := g.variable()
	switch g.IntN(32) {
	case 0, 1:
		return v + " = " + g.term(2)
	case 2:
		return g.term(1) + g.pick(" == ", " \\== ", " @< ", " \\= ", " @>= ") + g.term(1)
	case 3:
		return "try(" + v + " is " + g.expression(2) + ", " + v + " = e)"
	case 4:
		return "try(" + g.comparison() + ", true)"
	case 5, 6:
		return g.guarded(v+"0 is "+g.expression(2)+", "+v+"0 = "+v, v+" = "+g.number())
	case 7, 8:
		return g.guarded(g.comparison(), g.goal(0))
	case 9:
		return g.pick("var", "nonvar", "atom", "integer", "atomic", "compound", "number", "is_list", "callable", "float",
			"string", "ground") + "(" + v + ")"
	case 10:
		return "!"
	case 11:
		return g.pick("true", "fail")
	case 12:
		return "try(arg(" + g.pick("1", "2", "3", v) + ", " + g.term(1) + ", " + g.variable() + "), true)"
	case 13:
		return "try(functor(" + g.term(1) + ", " + g.variable() + ", " + g.variable() + "), true)"
	case 14:
		return "try(" + g.pick("setarg", "nb_setarg") + "(" + g.pick("1", "2") + ", " + g.variable() + ", " + g.term(1) +
			"), true)"
	case 15:
		return "compare(" + g.variable() + ", " + g.term(1) + ", " + g.term(1) + ")"
	case 16:
		return g.stored()
	case 17, 18:
		return g.attributed()
	case 19:
		return g.named("r", g.term(0), g.term(0))
	case 20:
		second := g.pick(g.constant(), g.term(1))
		return g.named("q", g.pick(g.constant(), "_"), second, g.variable(), g.pick(g.constant(), "_"))
	case 21:
		return g.named("k", g.term(0), g.term(1), g.pick(g.constant(), g.term(1)))
	case 22, 23:
		return g.named("l", strconv.Itoa(g.IntN(30)), g.pick(g.constant(), v), g.variable())
	case 24:
		return g.text()
	case 25:
		return g.inspected()
	case 26:
		if g.tabled {
			return g.named("e", g.term(0), g.variable())
		}
		return "throw(ball(" + g.term(1) + "))"
	}
	return g.call()
}

// stored returns a goal that changes or reads clauses or global variables.
func (g *programMaker) stored() string {
	d := g.named("d", g.term(1))
	switch g.IntN(8) {
	case 0, 1:
		return g.pick("assertz", "asserta") + "(" + d + ")"
	case 2:
		return "assertz((" + d + " :- " + g.goal(0) + "))"
	case 3:
		return "retract(" + d + ")"
	case 4:
		return g.pick("b_setval", "nb_setval") + "(v, " + g.term(1) + ")"
	case 5:
		return "try(" + g.pick("b_getval", "nb_getval") + "(v, " + g.variable() + "), true)"
	}
	return d
}

// attributed returns a goal on attributed variables.
func (g *programMaker) attributed() string {
	v := g.variable()
	switch g.IntN(7) {
	case 0:
		return "dif(" + v + ", " + g.term(1) + ")"
	case 1:
		return "freeze(" + v + ", " + g.pick("atom(", "integer(", "p3"+g.suffix+"(z, ", "\\+ number(", "A = f(") + v + "))"
	case 2:
		return "( var(" + v + ") -> put_attr(" + v + ", " + g.pick("m", "n") + ", " + g.term(1) + ") ; true )"
	case 3:
		return "( attvar(" + v + ") -> " + g.pick("del_attr("+v+", m)", v+" = "+g.term(1)) + " ; true )"
	case 4:
		return "frozen(" + v + ", " + g.variable() + ")"
	case 5:
		later := g.pick(v+" \\== a", g.variable()+" = "+g.term(0))
		return "when(" + g.pick("nonvar", "ground") + "(" + v + "), " + later + ")"
	}
	return "get_attr(" + v + ", " + g.pick("m", "n") + ", " + g.variable() + ")"
}

// text returns a goal on texts.
func (g *programMaker) text() string {
	a, b := g.variable(), g.variable()
	switch g.IntN(6) {
	case 0:
		return "try(atom_length(" + g.term(0) + ", " + a + "), true)"
	case 1:
		return "try(" + g.pick("atom_concat", "string_concat") + "(" + a + ", " + g.constant() + ", " + b + "), true)"
	case 2:
		return "try(" + g.pick("atom_codes", "atom_chars", "number_codes", "string_codes") + "(" + a + ", " + b + "), true)"
	case 3:
		return "sub_atom(abca, " + a + ", " + g.pick("1", "2", b) + ", _, " + g.variable() + ")"
	case 4:
		return "try(atom_number(" + g.pick("'12'", "'1.5'", "x", a) + ", " + b + "), true)"
	}
	return "try(atom_string(" + a + ", " + g.pick(`"a"`, `"12"`, b) + "), true)"
}

// inspected returns a goal that takes terms apart, or copies or sorts them.
func (g *programMaker) inspected() string {
	v := g.variable()
	switch g.IntN(8) {
	case 0:
		return "copy_term(" + g.term(1) + ", " + v + ")"
	case 1:
		return "try(" + g.term(1) + " =.. " + v + ", true)"
	case 2:
		return "try(" + v + " =.. [f, " + g.term(1) + "], true)"
	case 3:
		return "try(" + g.pick("msort", "sort", "length", "sum_list", "last") + "(" + g.term(2) + ", " + v + "), true)"
	case 4:
		return "term_variables(" + g.term(2) + ", " + v + ")"
	case 5:
		return "unify_with_occurs_check(" + v + ", " + g.term(2) + ")"
	case 6:
		return "append(" + v + ", " + g.variable() + ", [a, " + g.term(1) + "])"
	}
	return "member(" + v + ", [" + g.term(1) + ", " + g.term(1) + ", c])"
}

func (g *programMaker) body(depth int) string {
	goals := make([]string, 1+g.IntN(3))
	for i := range goals {
		goals[i] = g.goal(depth)
	}
	return strings.Join(goals, ", ")
}

// step returns a goal that computes the variable to from the variable from, in a loop that counts N down.
func (g *programMaker) step(from, to string) string {
	is := func(op string) string { return "( number(" + from + ") -> " + to + " is " + op + " ; " + to + " = N )" }
	switch g.IntN(18) {
	case 0:
		return is(from + " + N")
	case 1:
		return is(from + " * N")
	case 2:
		return is(from + " * 1.5")
	case 3:
		return is("(" + from + " - N) * 3 " + g.pick("+ 1", "- 0.5", "+ 1152921504606846976"))
	case 4:
		op := g.pick(" mod 7", " >> 1", " << 3", " /\\ 5", " // 2", " xor N")
		return "( integer(" + from + ") -> " + to + " is " + from + op + " ; " + to + " = 1 )"
	case 5:
		return to + " = [N|" + from + "]"
	case 6:
		return to + " = g(N, " + from + ")"
	case 7:
		whole := g.pick("[_|"+to+"]", "g(_, "+to+")", "f("+to+")")
		return "( " + from + " = " + whole + " -> true ; " + to + " = " + from + " )"
	case 8:
		added := g.named("d", g.pick("N", from, "g(N, a)"))
		return "( retract(" + g.named("d", "_") + ") -> true ; true ), assertz(" + added + "), " + to + " = " +
			g.pick("N", from)
	case 9:
		return "( p" + strconv.Itoa(g.IntN(4)) + g.suffix + "(" + from + ", " + to + ") -> true ; " + to + " = " + from + " )"
	case 10:
		return "catch(" + g.pick("throw(ball(N))", "atom_length(N, "+to+")", "(N > 3, throw(ball(N)) ; "+to+" = N)") +
			", ball(X), " + to + " = X)"
	case 11:
		return "findall(X-Y, " + g.named("r", "X", "Y") + ", " + to + ")"
	case 12:
		return "nb_setval(v, " + from + "), b_getval(v, " + to + ")"
	case 13:
		return "copy_term(" + from + ", " + to + ")"
	case 14:
		return "freeze(X, " + to + " = " + g.pick("X", from) + "), X = N"
	case 15:
		return "dif(X, " + from + "), ( X = N -> " + to + " = X ; " + to + " = 0 )"
	case 16:
		return "T = t(" + from + "), " + g.pick("setarg", "nb_setarg") + "(1, T, N), arg(1, T, " + to + ")"
	}
	return "put_attr(X, n, " + from + "), " + g.pick("X = N", "get_attr(X, n, N0), N0 = "+from) + ", " + to + " = " + from
}

// loop returns a predicate that counts down.
func (g *programMaker) loop() string {
	step := g.step("A", "B")
	to := "B"
	if g.IntN(2) == 0 {
		step += ", " + strings.ReplaceAll(strings.ReplaceAll(g.step("B", "C"), "X", "V"), "T", "W")
		to = "C"
	}
	l := "l" + g.suffix
	again := l + "(M, " + to + ", Z)"
	switch g.IntN(4) {
	case 0:
		again = l + "(M, " + to + ", Y0), Z = " + g.pick("s(Y0)", "[N|Y0]")
	case 1:
		again = l + "(M, " + to + ", Y0), ( number(Y0) -> Z is Y0 + 1 ; Z = Y0 )"
	}
	if g.IntN(2) == 0 {
		return l + "(0, A, A) :- !.\n" + l + "(N, A, Z) :- " + step + ", M is N - 1, " + again + ".\n"
	}
	return l + "(N, A, Z) :- ( N =< 0 -> Z = A ; " + step + ", M is N - 1, " + again + " ).\n"
}

// commonClauses are used by all generated programs. try/2 does not catch limits, as the mode decides when they are
// reached.
const commonClauses = `
try(G, R) :-
    catch(G, error(E, _), true),
    (   var(E) -> true
    ;   E = resource_error(_) -> throw(limit)
    ;   call(R)
    ).
:- nb_setval(v, 0).
m:attr_unify_hook(_, _).
n:attr_unify_hook(A, V) :- ( attvar(V) -> put_attr(V, n, A) ; V \== b ).
`

// program returns a program of a few predicates, facts in rows, and a dynamic predicate.
func (g *programMaker) program() string {
	var b strings.Builder
	d := "d" + g.suffix
	fmt.Fprintf(&b, ":- dynamic(%s/1).\n%s(1).\n%s(f(X, X)).\n", d, d, d)
	for i := range 3 + g.IntN(10) {
		fmt.Fprintf(&b, "r%s(%s, %d).\n", g.suffix, g.pick("a", "b", "c", "1", "2", "[]"), i%4)
	}
	for range 2 + g.IntN(9) {
		second := g.pick(g.constant(), "f("+g.constant()+")")
		fmt.Fprintf(&b, "%s.\n", g.named("q", g.constant(), second, g.constant(), g.constant()))
	}
	for range 2 + g.IntN(5) {
		head := g.named("k", g.pick("A", g.constant()), g.term(1), g.pick(g.constant(), g.term(1)))
		fmt.Fprintf(&b, "%s :- %s.\n", head, g.pick("true", "!", g.goal(0)))
	}
	b.WriteString(g.loop())
	if g.tabled {
		e := g.named("e", "A", "B")
		fmt.Fprintf(&b, ":- table(e%s/2).\n%s :- %s.\n", g.suffix, e, g.named("r", "A", "B"))
		fmt.Fprintf(&b, "%s :- %s, %s.\n", e, g.named("e", "A", "C"), g.named("q", "C", "_", "_", "B"))
	}
	for i := range 4 {
		for range 1 + g.IntN(4) {
			fmt.Fprintf(&b, "p%d%s(%s, %s)", i, g.suffix, g.term(2), g.term(2))
			if g.IntN(4) > 0 {
				fmt.Fprintf(&b, " :- %s", g.body(2))
			}
			b.WriteString(".\n")
		}
	}
	fmt.Fprintf(&b, "t%s(A, B) :- %s.\n", g.suffix, g.body(2))
	return b.String()
}

// goals are the goals that are run on the program.
func (g *programMaker) goals() []string {
	return []string{
		g.named("t", "X", "Y"), g.named("p0", "X", "Y"), g.named("p1", "[1, a, f(b)]", "Y"), g.named("p2", "X", "[a|Y]"),
		"findall(X-Y, " + g.named("p0", "X", "Y") + ", L)", g.named("l", "40", "1", "Y"),
	}
}
