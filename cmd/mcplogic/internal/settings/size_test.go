package settings

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSize(t *testing.T) {
	for _, test := range []struct {
		text, shown string
		want        int64
	}{
		{"256MiB", "256MiB", 256 << 20},
		{"4GiB", "4GiB", 4 << 30},
		{"4g", "4GiB", 4 << 30},
		{"1.5 KiB", "1536", 1536},
		{"10MB", "10000000", 10_000_000},
		{"1048576", "1MiB", 1 << 20},
		{"77b", "77", 77},
	} {
		var s Size
		require.NoError(t, s.Set(test.text), test.text)
		require.Equal(t, test.want, int64(s), test.text)
		require.Equal(t, test.shown, s.String(), test.text)
	}
	for _, text := range []string{"", "0", "-1", "much", "NaN", "MiB", "1e300GiB", "1XiB"} {
		require.Error(t, new(Size).Set(text), text)
	}
}
