package feel

import (
	"strings"

	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/values"
)

// Temporal returns the date, time or duration that a text is. Its form tells the type.
func Temporal(text string) (t term.Term, ok bool) {
	name := "date"
	switch {
	case strings.HasPrefix(strings.TrimPrefix(text, "-"), "P"):
		name = "duration"
	case strings.ContainsAny(text, "T "):
		name = "datetime"
	case strings.Contains(text, ":"):
		name = "time"
	}
	t, err := values.Type{Name: name, Places: -1}.Parse(text)
	return t, err == nil
}
