package term

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCurlyItems(t *testing.T) {
	cycle := New(",", Atom("a"), nil).(*Compound)
	cycle.Args[1] = New(",", Atom("b"), cycle)
	tests := []struct {
		in    Term
		items []Term
		ok    bool
	}{
		{Curlies(), nil, true},
		{Curlies(Atom("a")), []Term{Atom("a")}, true},
		{Curlies(Int(1), Int(2), Int(3)), []Term{Int(1), Int(2), Int(3)}, true},
		{New(Curly, New(",", Conjunction(Int(1), Int(2)), Int(3))), []Term{Conjunction(Int(1), Int(2)), Int(3)}, true},
		{List(Int(1)), nil, false},
		{New(Curly, cycle), []Term{Atom("a"), Atom("b")}, false},
	}
	for _, test := range tests {
		items, ok := CurlyItems(test.in)
		require.Equal(t, test.ok, ok)
		if !ok {
			items = items[:len(test.items)]
		}
		require.Equal(t, test.items, items)
	}
}
