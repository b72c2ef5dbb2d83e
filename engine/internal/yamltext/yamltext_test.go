package yamltext

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/term"
)

// FuzzRead reads any text, and reads what it writes of the term again.
func FuzzRead(f *testing.F) {
	for _, text := range []string{"a: 1\nb: [x, 2.5, ~]\n", "- &a {k: v}\n- *a\n", "!foo 'x'", "? a\n: |\n  text\n",
		"- !!binary aGk=\n- .inf\n- 0x1f\n- -.5e3\n", "%YAML 1.2\n---\na\n...\n", "\"\\u00e9\\n\"", "{a: [{b: c}]}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		first, err := Read(text, nil)
		if err != nil {
			require.IsType(t, &Error{}, err)
			return
		}
		nodes := 0
		written, err := Write(first, func(int) error {
			if nodes++; nodes > 100 {
				return &Error{term.Atom("large")}
			}
			return nil
		})
		if err != nil {
			return
		}
		second, err := Read(written, nil)
		require.NoError(t, err, "%q gives %q", text, written)
		if !strings.Contains(strings.ToLower(written), "nan") {
			require.True(t, term.Equal(first, second), "%q gives %q, which is %v and not %v", text, written, second, first)
		}
	})
}
