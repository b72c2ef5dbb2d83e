package sealed

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// long is structured content in which everything that can be long is so by chance.
type long struct {
	ID    int      `json:"id"`
	Texts []string `json:"texts"`
	Body  string   `json:"body"`
	Deep  struct {
		Name string `json:"name"`
		List []int  `json:"list"`
	} `json:"deep"`
	Rows []struct {
		Key  int    `json:"key"`
		Body string `json:"body"`
	} `json:"rows"`
}

// The parts together have each element and each character once and in order, and what is short is in all of them.
func TestSplitStructure(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	text := func(n int) string {
		var b strings.Builder
		for range r.IntN(n) {
			b.WriteString([]string{"a", "ä", "\n", "\x01", "𝄞", "<", `"`}[r.IntN(7)])
		}
		return b.String()
	}
	cut := 0
	for range 120 {
		var whole long
		whole.ID, whole.Deep.Name = r.IntN(99), text(20)
		whole.Body = text(1 + r.IntN(20000))
		for range r.IntN(300) {
			whole.Texts = append(whole.Texts, text(1+r.IntN(100)))
		}
		for i := range r.IntN(5000) {
			whole.Deep.List = append(whole.Deep.List, i)
		}
		whole.Rows = make([]struct {
			Key  int    `json:"key"`
			Body string `json:"body"`
		}, r.IntN(4))
		for i := range whole.Rows {
			whole.Rows[i].Key, whole.Rows[i].Body = i, text(1+r.IntN(9000))
		}
		raw, err := json.Marshal(whole)
		require.NoError(t, err)
		size := 100 + r.IntN(9000)
		parts, after := splitStructure(raw, &Page{Size: size})
		if len(parts) == 0 {
			continue
		}
		cut++
		var all long
		rows := map[int]string{}
		for _, part := range append(parts, after) {
			text := part.JSON()
			var one long
			require.NoError(t, json.Unmarshal(text, &one))
			require.LessOrEqual(t, len(text), size+shortValue)
			require.Equal(t, []any{whole.ID, whole.Deep.Name}, []any{one.ID, one.Deep.Name})
			all.Body += one.Body
			if len(raw) > shortValue && !isShort(t, whole.Texts) {
				all.Texts = append(all.Texts, one.Texts...)
			}
			if !isShort(t, whole.Deep) {
				all.Deep.List = append(all.Deep.List, one.Deep.List...)
			}
			for _, row := range one.Rows {
				rows[row.Key] += row.Body
			}
		}
		if !isShort(t, whole.Texts) {
			require.Equal(t, whole.Texts, all.Texts)
		}
		if !isShort(t, whole.Body) {
			require.Equal(t, whole.Body, all.Body)
		}
		if !isShort(t, whole.Deep) && !isShort(t, whole.Deep.List) {
			require.Equal(t, whole.Deep.List, all.Deep.List)
		}
		if !isShort(t, whole.Rows) {
			for i, row := range whole.Rows {
				if !isShort(t, row.Body) && !isShort(t, row) {
					require.Equal(t, row.Body, rows[i])
				}
			}
		}
	}
	require.Greater(t, cut, 60)
}

// isShort reports whether a value is repeated in each part.
func isShort(t *testing.T, value any) bool {
	raw, err := json.Marshal(value)
	require.NoError(t, err)
	return len(raw) <= shortValue
}
