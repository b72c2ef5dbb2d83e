package pages

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDrop lets go of the pages of the test itself, which go on working.
func TestDrop(t *testing.T) {
	require.NotEmpty(t, segments())
	for range 3 {
		Drop()
	}
	part, ok := parseSegment("00400000-00b61000")
	require.True(t, ok)
	require.Equal(t, segment{0x400000, 0x761000}, part)
	for _, text := range []string{"", "-", "1", "2-1", "x-y", "1-"} {
		_, ok := parseSegment(text)
		require.False(t, ok, text)
	}
}
