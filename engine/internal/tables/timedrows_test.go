package tables

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// TestTimeOverlaps finds rows that are in force on the same day. A row is written as key value from until, with days of
// January and - for no end.
func TestTimeOverlaps(t *testing.T) {
	day := func(text string) term.Term {
		if n, err := strconv.Atoi(text); err == nil {
			return term.New("date", term.Int(2024), term.Int(1), term.Int(n))
		}
		return null
	}
	for _, test := range []struct {
		rows   string
		inputs []int
		want   []string
	}{
		{"a 1 1 5, a 2 5 9, b 3 1 9", []int{0}, nil}, // the last day is not in force any more
		{"a 1 1 5, a 2 4 9", []int{0}, []string{"the rows 1 and 2 are both in force on 2024-01-04 for k = a"}},
		{"a 1 4 9, a 2 1 5", []int{0}, []string{"the rows 1 and 2 are both in force on 2024-01-04 for k = a"}},
		{"a 1 4 9, b 2 1 5", nil, []string{"the rows 1 and 2 are both in force on 2024-01-04"}},
		{"a 1 - -, a 2 - 3", []int{0}, []string{"the rows 1 and 2 are both in force for k = a"}},
		{"a 1 - 3, a 2 3 -", []int{0}, nil},
		{"a 1 1 9, a 2 2 3, a 3 4 5", []int{0}, []string{ // the first is in force longest
			"the rows 1 and 2 are both in force on 2024-01-02 for k = a",
			"the rows 1 and 3 are both in force on 2024-01-04 for k = a"}},
		{"a x 1 5, a x 2 6, a y 3 7", []int{0, 1}, []string{
			"the rows 1 and 2 are both in force on 2024-01-02 for k = a, x"}},
		{"a 1 1 9, a 2 1 9, a 3 1 9, a 4 1 9", []int{0}, []string{ // two are asked for
			"the rows 1 and 2 are both in force on 2024-01-01 for k = a",
			"the rows 1 and 3 are both in force on 2024-01-01 for k = a"}},
	} {
		var rows []TimedRow
		for i, row := range strings.Split(test.rows, ", ") {
			f := strings.Fields(row)
			rows = append(rows, TimedRow{Args: []term.Term{term.Atom(f[0]), term.Atom(f[1])},
				Valid: [2]term.Term{day(f[2]), day(f[3])}, Place: syntax.Place{Line: i + 1}})
		}
		var got []string
		for _, o := range TimeOverlaps(rows, test.inputs, 2) {
			got = append(got, o.Text(test.inputs, []string{"k"}))
		}
		require.Equal(t, test.want, got, test.rows)
	}
}
