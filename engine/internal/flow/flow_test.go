package flow

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/internal/body"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// samples are terms of all kinds.
var samples = []term.Term{term.Atom("a"), term.Atom("b"), term.Atom("pi"), term.Nil,
	term.String("a"), term.String("long"),
	term.Int(-3), term.Int(0), term.Int(7), term.Float(0.5), term.New("f", term.Atom("a")), term.New("f", term.Int(1)),
	term.New("g", term.Int(1), term.String("x")), term.List(term.Atom("a"))}

// has reports whether a term is in a type.
func has(t Type, sample term.Term) bool { return Env{}.Narrow(sample, t) }

// TestSets checks unions and intersections of random types on sample terms.
func TestSets(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	made := []Type{{}, Any, Atom, String, Integer, Float, Number, Text, Words, Evaluable, Compound, List, Between(0, 5)}
	for _, sample := range samples {
		made = append(made, Env{}.Of(sample))
	}
	for range 3000 {
		a, b := made[r.Intn(len(made))], made[r.Intn(len(made))]
		sum, common := Union(a, b), Meet(a, b)
		for _, sample := range samples {
			if has(a, sample) || has(b, sample) {
				require.True(t, has(sum, sample), "%s in %s or %s, which is %s", syntax.FormatTerm(sample), a, b, sum)
			}
			if has(a, sample) && has(b, sample) {
				require.True(t, has(common, sample), "%s in %s and %s, which is %s", syntax.FormatTerm(sample), a, b, common)
			}
			require.False(t, has(common, sample) && !has(a, sample), "%s is not in %s", syntax.FormatTerm(sample), a)
		}
		require.True(t, sum.Equal(Union(sum, a)), "%s is in %s", a, sum)
		if len(made) < 200 {
			made = append(made, sum, common)
		}
	}
}

// world has no libraries but the predicates that the rules know.
type world map[string]bool

func (w world) Resolve(module, name string, arity int) Key { return Key{module, name, arity} }
func (w world) Library(k Key) bool                         { return !w[k.String()] }
func (w world) Meta(Key) string                            { return "" }

// TestInfer checks the types of the arguments of p/1 or p/2 for each program.
func TestInfer(t *testing.T) {
	for text, want := range map[string]string{
		"p(a). p(b).":                                       "a or b",
		"p(X) :- q(X). q(1). q(5).":                         "an integer",
		"p(X) :- X = a ; X = \"b\".":                        "a or \"b\"",
		"p(X) :- atom(X), X = f(_).":                        "never",
		"p(X) :- p(X).":                                     "never",
		"p(0). p(N) :- p(M), N is M + 1.":                   "an integer",
		"p(X) :- between(1, 9, X), X > 3, X < 3 + 4.":       "an integer from 4 to 6",
		"p(X) :- member(X, [a, 1]).":                        "a or 1",
		"p(X) :- q(c, X). q(a, 1). q(c, f(x)).":             "f/1",
		"p(X) :- \\+ q(X). q(a).":                           "any term",
		"p(X) :- ( q(Y), Y == a -> X = 1 ; X = no ). q(a).": "no or 1",
		"p(X) :- findall(Y, q(Y), X). q(a).":                "[] or a list",
	} {
		var program []*Predicate
		own := world{}
		for _, one := range strings.SplitAfter(text, ". ") {
			read, err := syntax.ParseTerm(strings.TrimSuffix(strings.TrimSpace(one), "."), nil, nil)
			require.NoError(t, err, text)
			head, goals := read.Term, term.Term(term.True)
			if args, ok := term.Is(head, ":-", 2); ok {
				head, goals = args[0], args[1]
			}
			name, arity, _ := term.Indicator(head)
			k := Key{"user", string(name), arity}
			if !own[k.String()] {
				own[k.String()] = true
				program = append(program, &Predicate{Key: k})
			}
			for _, p := range program {
				if p.Key == k {
					c := Clause{Head: head.(*term.Compound).Args, Body: body.Part{Term: goals, Module: "user"}}
					p.Clauses = append(p.Clauses, c)
				}
			}
		}
		r, ok := Infer(program, own, nil)
		require.True(t, ok)
		got := "never"
		if k := (Key{"user", "p", 1}); !r.Never(k) {
			got = fmt.Sprint(r.Types(k)[0])
		}
		require.Equal(t, want, got, text)
	}
}

// TestBounded has rules that build ever wider terms from the results of other rules. No stored type may have too many
// parts.
func TestBounded(t *testing.T) {
	const predicates, width = 40, 20
	var program []*Predicate
	own := world{}
	for i := range predicates {
		k := Key{"user", fmt.Sprint("p", i), 1}
		own[k.String()] = true
		var goals, parts []string
		for j := range width {
			goals = append(goals, fmt.Sprintf("p%d(Z%d)", (i*(j+2)+j)%predicates, j))
			parts = append(parts, fmt.Sprint("Z", j))
		}
		text := fmt.Sprintf("%s, ( X = f(%s) ; X = g%d(Z1, [Z2, Z3|Z4], Z5, Z6) )", strings.Join(goals, ", "),
			strings.Join(parts, ", "), i%maxShapes)
		read, err := syntax.ParseTerm("p(X) :- "+text, nil, nil)
		require.NoError(t, err)
		args, _ := term.Is(read.Term, ":-", 2)
		program = append(program, &Predicate{Key: k, Clauses: []Clause{
			{Head: []term.Term{term.Int(i)}, Body: body.Part{Term: term.True}},
			{Head: args[0].(*term.Compound).Args, Body: body.Part{Term: args[1], Module: "user"}}}})
	}
	r, _ := Infer(program, own, nil)
	for _, s := range r.preds {
		for _, one := range s.rows {
			require.LessOrEqual(t, one.types[0].parts(), maxParts)
		}
	}
}

// TestBudget has clauses that are too wide: many variables in many disjunctions, in unified terms, and in calls. The
// analysis must stop soon after its last allowed step.
func TestBudget(t *testing.T) {
	const width = 3000
	list := func(name string, n int) string {
		var vars []string
		for i := range n {
			vars = append(vars, fmt.Sprint(name, i))
		}
		return strings.Join(vars, ", ")
	}
	var branches []string
	for i := range width {
		branches = append(branches, fmt.Sprintf("( X%d = a ; X%d = b )", i, i))
	}
	same := fmt.Sprintf("g(%s) = g(%s)", list("X", width), list("Y", width))
	call := fmt.Sprintf("X0 = a, w(%s)", list("X", 250))
	for _, text := range []string{strings.Join(branches, ", "), strings.Repeat(same+", ", 800) + "true",
		strings.Repeat(call+", ", 200) + "true"} {
		read, err := syntax.ParseTerm("p(X0) :- "+text, nil, nil)
		require.NoError(t, err)
		args, _ := term.Is(read.Term, ":-", 2)
		wide := &Predicate{Key: Key{"user", "w", 250}}
		for i := range maxRows {
			var row []term.Term
			for j := range 250 {
				row = append(row, term.Atom(fmt.Sprint("v", i, "_", j)))
			}
			row[0] = term.Atom("a")
			wide.Clauses = append(wide.Clauses, Clause{Head: row, Body: body.Part{Term: term.True}})
		}
		p := &Predicate{Key: Key{"user", "p", 1}, Clauses: []Clause{
			{Head: args[0].(*term.Compound).Args, Body: body.Part{Term: args[1], Module: "user"}}}}
		r, ok := Infer([]*Predicate{wide, p}, world{"w/250": true, "p/1": true}, nil)
		require.False(t, ok, text[:40])
		require.Greater(t, r.left, -maxGoals/10, text[:40])
	}
}
