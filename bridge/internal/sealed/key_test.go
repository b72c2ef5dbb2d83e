package sealed

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestStateExpires opens states of a clock that has jumped since: ahead beyond their life they are refused, so that the
// call is made anew, and back they are good.
func TestStateExpires(t *testing.T) {
	key := NewKey(nil)
	for jump, want := range map[time.Duration]string{
		0: "", -365 * StateLife: "", StateLife / 2: "",
		StateLife + time.Minute: "the request state has expired; make the call anew",
	} {
		_, err := key.Open(key.Seal(&State{ID: "c", Binding: "b", Expires: time.Now().Add(StateLife - jump)}), "b")
		if want == "" {
			require.NoError(t, err, jump)
			continue
		}
		require.EqualError(t, err, want, jump)
	}
}
