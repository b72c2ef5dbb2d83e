package relation_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
)

// TestQueryText reads the text of a query with every member.
func TestQueryText(t *testing.T) {
	q := &relation.Query{Database: "crm", Tables: []string{"sales.orders", "customers"},
		Columns: []relation.Column{{Name: "id", Type: "integer"}, {Table: 1, Name: "näme \"x\"", Unused: true}},
		Equal:   [][2]int{{0, 1}}, Tests: []relation.Test{{Op: "<=", Other: 2, Early: true, Integers: true}},
		Members: []relation.Member{{Column: 1, Values: []relation.Constant{{Kind: "atom", Text: "\x00<"}}, Tests: 1}},
		Absent: []relation.Absence{{Tables: []string{"bad"}, Columns: []relation.Column{{Table: 2, Name: "id"}},
			Same: []int{-1}, Values: []*relation.Constant{{Kind: "integer", Text: "1"}}, Equal: [][2]int{{0, 0}},
			Tests: []relation.AbsentTest{{Op: "<", Number: math.MinInt64}}, Present: true}},
		Total: &relation.Total{Op: "sum", Column: 1}, Distinct: true,
		Order: []relation.Order{{Column: 1, Descending: true}}, Limited: true}
	read, err := relation.Parse(q.Text())
	require.NoError(t, err)
	require.Equal(t, q, read)
	_, err = relation.Parse("{")
	require.Error(t, err)
}

// TestConstants converts terms to constants and back.
func TestConstants(t *testing.T) {
	huge, _ := new(big.Int).SetString("123456789012345678901234567890", 10)
	for _, x := range []term.Term{term.Atom(""), term.Atom("1"), term.String("é"), term.Int(math.MinInt64),
		term.NewInt(huge), term.Float(0.1), term.Float(math.SmallestNonzeroFloat64), term.Float(-math.MaxFloat64)} {
		c, ok := relation.NewConstant(x)
		require.True(t, ok, "%v", x)
		require.Equal(t, x, c.Term())
	}
	for _, x := range []term.Term{term.Float(math.NaN()), term.Float(math.Inf(1)), term.Atom("\xff"), term.String("\xff"),
		term.New("f", term.Int(1)), nil} {
		_, ok := relation.NewConstant(x)
		require.False(t, ok, "%v", x)
	}
}

// TestRows adds random rows, as values and as copies of rows, and reads them back.
func TestRows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	random := func() term.Term {
		switch r.IntN(6) {
		case 0:
			return term.Int(r.Int64() - math.MaxInt64/2)
		case 1:
			return term.Float(r.NormFloat64())
		case 2:
			return term.Atom([]string{"", "a", "größer", "long enough to move the texts"}[r.IntN(4)])
		case 3:
			return term.String([]string{"", "a", "größer", "long enough to move the texts"}[r.IntN(4)])
		case 4:
			return term.New("f", term.Int(r.Int64N(9)), term.Atom("x"))
		}
		return nil
	}
	var rows, copied relation.Rows
	for range 50 {
		width, want := r.IntN(4), [][]term.Term{}
		rows.Reset(width)
		copied.Reset(width)
		if r.IntN(2) == 0 {
			rows.Reserve(r.IntN(20), r.IntN(100))
		}
		for range r.IntN(30) {
			added, row := rows.Add(), make([]term.Term, width)
			for i := range row {
				if row[i] = random(); row[i] != nil {
					added[i] = rows.OfTerm(row[i])
				}
			}
			want = append(want, row)
		}
		rows.Seal()
		for i := range want {
			copied.Copy(&rows, i)
		}
		copied.Seal()
		for _, got := range []*relation.Rows{&rows, &copied} {
			require.Equal(t, len(want), got.Len())
			for i, row := range want {
				for j, v := range got.Row(i) {
					require.Equal(t, row[j], got.TermOf(v))
				}
			}
		}
	}
}
