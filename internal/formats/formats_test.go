package formats

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFits(t *testing.T) {
	for name, texts := range map[string]map[string]bool{
		"email": {"ann@example.org": true, "Ann <ann@example.org>": false, "ann": false, "": false},
		"uri":   {"https://example.org/a?b#c": true, "urn:isbn:0": true, "/a": false, "": false, "http://[": false},
		"date":  {"2024-02-29": true, "2023-02-29": false, "2024-2-9": false, "2024-02-29T00:00:00Z": false},
		"date-time": {"2026-01-31T12:00:00Z": true, "2026-01-31T12:00:00.5+02:00": true,
			"2026-01-31 12:00:00Z": false, "2026-01-31": false},
	} {
		for text, want := range texts {
			require.Equal(t, want, Known[name].Fits(text), "%s %q", name, text)
		}
	}
	require.Len(t, Known, 4)
	require.Equal(t, "date, date-time, email, uri", Names())
}
