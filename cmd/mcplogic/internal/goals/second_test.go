package goals

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestSecondLimits wants query --reference --timeout 0 to have no limit of time, where package reference has its
// default for 0.
func TestSecondLimits(t *testing.T) {
	q := &query{}
	require.Greater(t, q.secondLimits().Time, 365*24*time.Hour)
	q.limits.Time = time.Second
	require.Equal(t, time.Second, q.secondLimits().Time)
}
