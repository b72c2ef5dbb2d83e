package explain

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/term"
)

// lacking returns raw misses of p, each of whose clauses lacks one fact.
func lacking(clauses int) term.Term {
	user := func(goal term.Term) term.Term { return term.New(":", term.Atom("user"), goal) }
	var list []term.Term
	for i := range clauses {
		fact := term.New("q", term.Int(i))
		lacks := term.New("lacks", term.Atom("fact"), term.Nil)
		list = append(list, term.New("miss", term.Atom("clause"), user(term.Atom("p")), term.Nil, term.Nil, term.Int(1),
			user(fact), term.List(lacks)))
	}
	return term.New("misses", user(term.Atom("p")), term.List(list...), term.Atom("none"))
}

// TestEnoughWithinTheTime tries sets of facts while there is time. Sets that were not tried must not be called
// insufficient.
func TestEnoughWithinTheTime(t *testing.T) {
	for _, test := range []struct {
		clauses, time, holds int // the number of sets, the number that time allows, and the sufficient one
		enough               [][]string
		none                 bool
	}{
		{clauses: 3, time: 3, holds: -1, none: true},
		{clauses: 3, time: 2, holds: -1},
		{clauses: 3, time: 0, holds: -1},
		{clauses: 3, time: 3, holds: 1, enough: [][]string{{"q(1)"}}},
		{clauses: 3, time: 1, holds: 1},
		{clauses: 100, time: 100, holds: 99, none: true}, // with so many sets not all are tried
	} {
		t.Run(fmt.Sprint(test), func(t *testing.T) {
			tried := 0
			m := NewMisses(lacking(test.clauses), Options{Lacking: func(facts []Goal) (bool, term.Term, bool) {
				require.LessOrEqual(t, len(facts), maxLacking)
				if tried == test.time {
					return false, nil, false
				}
				tried++
				return term.Compare(facts[0].Term, term.New("q", term.Int(test.holds))) == 0, nil, true
			}})
			require.LessOrEqual(t, tried, maxSets)
			require.Equal(t, test.enough, m.Enough)
			require.Equal(t, test.none, m.NoneEnough)
		})
	}
	require.Nil(t, NewMisses(lacking(1), Options{}).Enough, "nothing is tried where nobody can")
}
