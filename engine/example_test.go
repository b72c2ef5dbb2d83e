package engine_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing/fstest"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
)

func ExampleLoadText() {
	prog, err := engine.LoadText(context.Background(), "family.pl", `
		parent(tom, bob).
		parent(tom, liz).
		parent(bob, ann).
	`, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for s, err := range prog.Query(context.Background(), "parent(tom, Child)", nil) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(s.Text("Child"))
	}
	// Output:
	// bob
	// liz
}

func ExampleLoadFS() {
	files := fstest.MapFS{ // or an embed.FS, or os.DirFS("folder")
		"rules/rich.pl":  {Data: []byte(":- use_module(facts).\nrich(X) :- gold(X, N), N > 10.\n")},
		"rules/facts.pl": {Data: []byte(":- module(facts, [gold/2]).\ngold(smaug, 1000).\ngold(bilbo, 3).\n")},
		"rules/rich.plt": {Data: []byte("a test that is not loaded")},
	}
	prog, err := engine.LoadFS(context.Background(), files, nil, "rules")
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := prog.Once(context.Background(), "rich(Who)", nil)
	fmt.Println(s, err)
	// Output: Who = smaug <nil>
}

func ExampleProgram_AssertAll() {
	type Reading struct {
		Sensor string `prolog:",atom"`
		Value  float64
	}
	rows := []Reading{{"hall", 19.5}, {"attic", 28}, {"cellar", 12}} // for example of a database
	prog, _ := engine.LoadText(context.Background(), "warm.pl",
		":- dynamic(reading/2).\nwarm(S) :- reading(S, V), V > 18.\n", nil)
	n, err := prog.AssertAll(func(yield func(engine.Term, error) bool) {
		for _, row := range rows {
			if !yield(engine.TermOf(row)) {
				return
			}
		}
	})
	fmt.Println(n, err)
	for s := range prog.Query(context.Background(), "warm(S)", nil) {
		fmt.Println(s)
	}
	// Output:
	// 3 <nil>
	// S = hall
	// S = attic
}

func ExampleSolution_Scan() {
	prog, _ := engine.LoadText(context.Background(), "sums.pl", "sum(L, S, N) :- sum_list(L, S), length(L, N).", nil)
	s, err := prog.Once(context.Background(), "L = [1, 2, 3.5], sum(L, Sum, N)", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var row struct {
		List  []float64 `prolog:"L"`
		Sum   float64
		Count int `prolog:"N"`
	}
	err = s.Scan(&row)
	fmt.Println(row, err)
	// Output: {[1 2 3.5] 6.5 3} <nil>
}

func ExamplePredicate() {
	prog := engine.New(&engine.Options{Predicates: []engine.Predicate{{
		Name: "shout", Arity: 2, Modes: "+text, -upper", Doc: "Upper is text in capitals.",
		Call: func(c *engine.Call) (bool, error) {
			var text string
			if err := engine.Convert(c.Arg(0), &text); err != nil {
				return false, engine.TermError("type_error", "text", c.Arg(0))
			}
			return c.Unify(1, term.String(strings.ToUpper(text))), nil
		},
	}}})
	s, err := prog.Once(context.Background(), "shout(hello, X)", nil)
	fmt.Println(s, err)
	// Output: X = "HELLO" <nil>
}

func ExampleException() {
	prog, _ := engine.LoadText(context.Background(), "ages.pl", "older(X, Y) :-\n    Y is X + 1.\n", nil)
	_, err := prog.Once(context.Background(), "older(old, Y)", nil)
	var ex *engine.Exception
	fmt.Println(errors.As(err, &ex), engine.FormatTerm(ex.Formal()))
	fmt.Print(ex.Backtrace())
	// Output:
	// true type_error(evaluable,old/0)
	//   at ages.pl:2: older/2
}

func ExampleRunOptions() {
	prog, _ := engine.LoadText(context.Background(), "loop.pl", "loop(N) :- N1 is N + 1, loop(N1).", nil)
	_, err := prog.Once(context.Background(), "loop(0)", &engine.RunOptions{Limits: engine.Limits{Inferences: 100_000}})
	var ex *engine.Exception
	fmt.Println(errors.As(err, &ex), ex.Limit())
	// Output: true inferences
}

func ExampleRun_Resume() {
	prog := engine.New(&engine.Options{Predicates: []engine.Predicate{{Name: "ask", Arity: 2, Waits: true}}})
	run, _ := prog.Start("ask('How old?', Age), Next is Age + 1", nil)
	defer run.Close()
	state, _ := run.Next(context.Background())
	name, args := run.Waiting()
	fmt.Println(state == engine.Waiting, name, args[0])
	run.Resume(term.Int(41))
	_, err := run.Next(context.Background())
	fmt.Println(run.Solution(), err)
	// Output:
	// true ask How old?
	// Age = 41, Next = 42 <nil>
}

// A value is data: whatever a user types is never read as a part of the goal.
func ExampleRunOptions_bind() {
	prog, _ := engine.LoadText(context.Background(), "staff.pl", `
		applicant('A-1', "Ann", 31).
		applicant('A-2', "Bob", 44).
	`, nil)
	id := "A-2" // for example from a form
	s, err := prog.Once(context.Background(), "applicant(Id, Name, Age)", &engine.RunOptions{
		Bind: map[string]any{"Id": term.Atom(id)},
	})
	fmt.Println(s.Text("Name"), s.Text("Age"), err)
	// Output: Bob 44 <nil>
}

func ExampleTermOf() {
	type Line struct {
		Item  string `prolog:",atom"`
		Count int
	}
	type Order struct {
		Customer string
		Lines    []Line
		Notes    map[string]any
	}
	t, err := engine.TermOf(Order{"Ann", []Line{{"tea", 2}, {"milk", 1}}, map[string]any{"gift": true, "floor": 3}})
	fmt.Println(engine.FormatTerm(t), err)

	var back Order
	fmt.Println(engine.Convert(t, &back), back)
	// Output:
	// order("Ann",[line(tea,2),line(milk,1)],{floor-3,gift-true}) <nil>
	// <nil> {Ann [{tea 2} {milk 1}] map[floor:3 gift:true]}
}

func ExampleException_Unwrap() {
	errLocked := errors.New("the store is locked")
	prog := engine.New(&engine.Options{Predicates: []engine.Predicate{{
		Name: "stock", Arity: 1, Call: func(*engine.Call) (bool, error) { return false, errLocked },
	}}})
	_, err := prog.Once(context.Background(), "stock(N), N > 0", nil)
	fmt.Println(errors.Is(err, errLocked), err)
	// Output: true stock/1: Unknown error term: system_error (the store is locked)
}

func ExampleFunc() {
	prices := map[string]float64{"tea": 2.5, "milk": 1.25}
	total := func(_ context.Context, item string, count int) (float64, error) {
		price, ok := prices[item]
		if !ok {
			return 0, engine.ErrNoSolution // the predicate fails
		}
		return price * float64(count), nil
	}
	prog := engine.New(&engine.Options{Predicates: []engine.Predicate{engine.Func("total", total)}})
	for _, goal := range []string{"total(tea, 2, T)", "total(gold, 1, T)", "total(tea, many, T)"} {
		s, err := prog.Once(context.Background(), goal, nil)
		fmt.Println(s, err)
	}
	// Output:
	// T = 5.0 <nil>
	// no answer no solution
	// no answer total/3: Type error: `integer' expected, found `many' (an atom)
}

func ExampleFunc_sequence() {
	multiples := func(_ context.Context, n int) iter.Seq2[int, error] {
		return func(yield func(int, error) bool) {
			for i := n; yield(i, nil); i += n {
			}
		}
	}
	prog := engine.New(&engine.Options{Predicates: []engine.Predicate{engine.Func("multiple", multiples)}})
	s, err := prog.Once(context.Background(), "multiple(7, X), X mod 5 =:= 0", nil)
	fmt.Println(s, err)
	// Output: X = 35 <nil>
}

// A program that replaces another takes over what goals have added to it.
func ExampleProgram_Inherit() {
	ctx := context.Background()
	source := ":- dynamic(seen/1).\nsaw(X) :- assertz(seen(X)).\n"
	old, err := engine.LoadText(context.Background(), "birds.pl", source, nil)
	if err != nil {
		panic(err)
	}
	if _, err := old.Once(ctx, "saw(heron)", nil); err != nil {
		panic(err)
	}
	next, err := engine.LoadText(context.Background(), "birds.pl",
		source+"count(N) :- aggregate_all(count, seen(_), N).\n", nil)
	if err != nil {
		panic(err)
	}
	next.Inherit(old)
	answer, err := next.Once(ctx, "seen(Bird), count(N)", nil)
	fmt.Println(answer, err)
	// Output: Bird = heron, N = 1 <nil>
}
