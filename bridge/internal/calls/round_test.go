package calls

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestGoneIsBounded repeats itself: the server does not remember each call for ever.
func TestGoneIsBounded(t *testing.T) {
	r := newWaitingRoom(time.Minute, 10)
	for i := range 3 * maxGone {
		_, how := r.Take(fmt.Sprint(i))
		require.Equal(t, claimUnknown, how)
	}
	require.Len(t, r.gone, maxGone)
	_, how := r.Take(fmt.Sprint(3*maxGone - 1))
	require.Equal(t, claimGone, how)
}
