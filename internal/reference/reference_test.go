package reference_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/internal/reference"
)

func TestRun(t *testing.T) {
	type bindings = []map[string]string
	for _, test := range []struct {
		name, program, goal string
		max                 int
		want                reference.Result
	}{
		{"all solutions", "p(1). p(f(X,Y,X)).", "p(X)", 0,
			reference.Result{Status: "true", Solutions: bindings{{"X": "1"}, {"X": "f(_1,_2,_1)"}}}},
		{"some solutions", "n(0). n(s(X)) :- n(X).", "n(X)", 2,
			reference.Result{Status: "true", Solutions: bindings{{"X": "0"}, {"X": "s(0)"}}}},
		{"no solution", "", "fail", 0, reference.Result{Status: "false", Solutions: bindings{}}},
		{"quotes and operators", "", "X = 'A b', Y = [a,b- -1,1.5|T], _Z = 1.", 0,
			reference.Result{Status: "true", Solutions: bindings{{"X": "'A b'", "Y": "[a,b- -1,1.5|_1]", "T": "_1"}}}},
		{"shared variables", "", "L = [X, Y, X]", 0,
			reference.Result{Status: "true", Solutions: bindings{{"L": "[_1,_2,_1]", "X": "_1", "Y": "_2"}}}},
		{"output", "", "write(hi), nl", 0,
			reference.Result{Status: "true", Solutions: bindings{{}}, Output: "hi\n"}},
		{"error after a solution", "p(1). p(X) :- X is a + 1.", "p(X)", 0,
			reference.Result{Status: "error", Error: "error(type_error(evaluable,a/0),(is)/2)",
				Solutions: bindings{{"X": "1"}}}},
		{"ball", "", "throw(my(Ball))", 0,
			reference.Result{Status: "error", Error: "my(_1)", Solutions: bindings{}}},
		{"halt", "", "halt", 0, reference.Result{Status: "error", Error: "halt(0)", Solutions: bindings{}}},
		{"files are closed", "", "open('/etc/passwd', read, _)", 0,
			reference.Result{Status: "error", Error: "error(permission_error(open,source_sink,'/etc/passwd'),open/4)",
				Solutions: bindings{}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.want, reference.Run(t.Context(), test.program, test.goal, test.max))
		})
	}
}

func TestLimits(t *testing.T) {
	l := reference.Limits{Time: 200 * time.Millisecond, Memory: 64 << 20}
	got := l.Run(t.Context(), "loop :- loop.", "loop", 0)
	require.Equal(t, "limit", got.Status)
	require.Contains(t, []string{"error(resource_error(time),_1)", "error(resource_error(memory),_1)"}, got.Error)

	l.Time = 20 * time.Second
	got = l.Run(t.Context(), "grow(X) :- grow(f(X, X)).", "grow(a)", 0)
	require.Equal(t, "limit", got.Status)
	require.Equal(t, "error(resource_error(memory),_1)", got.Error)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.Equal(t, "error", reference.Run(ctx, "", "true", 0).Status)
}
