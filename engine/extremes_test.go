package engine_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/internal/builtin"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/tools/deep"
)

// extremes are integers at the bounds of what a cell, an int32 and an int64 hold.
var extremes = []int64{math.MinInt64, math.MinInt64 + 1, math.MaxInt64 - 1, math.MaxInt64, code.MinInt - 1, code.MinInt,
	code.MaxInt, code.MaxInt + 1, math.MinInt32, math.MaxInt32, math.MaxUint32, -1, 0, 1}

// others are the values of the arguments beside the extreme one. An empty text is an unbound variable.
var others = []string{"", "abc", "2", `"text"`, "[a,b]", "f(x,y)"}

// TestExtremeIntegers calls each predicate written in Go with very large and very small integers in each argument, and
// in all arguments at once. No call may panic.
func TestExtremeIntegers(t *testing.T) {
	t.Parallel()
	prog, err := engine.LoadText(t.Context(), "p.pl", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range append(builtin.Table(), machine.Controls()...) {
		if b.Name == "sleep" && b.Arity == 1 {
			continue // for as long as the limit allows
		}
		callWithExtremes(t, prog, b)
	}
}

// callWithExtremes calls a predicate until it panics.
func callWithExtremes(t *testing.T, prog *engine.Program, b machine.Builtin) {
	for place := range b.Arity {
		for i, n := range extremes {
			for j, other := range others[:min(len(others), 1+(b.Arity-1)*len(others))] {
				if (i+j)%deep.Count(3, 1) != 0 && b.Arity > 1 {
					continue // each integer is combined with a third of the others
				}
				args := make([]engine.Term, b.Arity)
				for i := range args {
					args[i] = argument(t, other)
				}
				args[place] = term.Int(n)
				if !callRobust(t, prog, b, args) {
					return
				}
				if args[0] = term.Int(n); place > 0 && !callRobust(t, prog, b, args) {
					return
				}
			}
		}
	}
}

func argument(t *testing.T, text string) engine.Term {
	if text == "" {
		return term.NewVar("")
	}
	v, err := engine.ParseTerm(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// callRobust calls a predicate. If the call panics, it fails the test and returns false.
func callRobust(t *testing.T, prog *engine.Program, b machine.Builtin, args []engine.Term) bool {
	goal := term.New(term.Atom(b.Name), args...)
	r, err := engine.Inner(prog).StartTerm(goal, nil, &engine.RunOptions{Transaction: true,
		Limits: engine.Limits{Time: 50 * time.Millisecond, Memory: 1 << 20}, Input: strings.NewReader("")})
	if err == nil {
		_, err = r.Next(t.Context())
		if err == nil && !r.Done() {
			_, err = r.Next(t.Context())
		}
		r.Close()
	}
	var p *engine.Panic
	if errors.As(err, &p) {
		t.Errorf("%s: %v\n%s", fmt.Sprint(engine.Inner(prog).FormatNumbered(goal)), p, firstLines(p.Stack))
	}
	return p == nil
}

// firstLines returns the lines of a stack that name the panicking function.
func firstLines(stack []byte) string {
	lines := strings.Split(string(stack), "\n")
	return strings.Join(lines[min(9, len(lines)):min(15, len(lines))], "\n")
}
