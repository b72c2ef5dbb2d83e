package profile

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// sampled returns a profile of a recursive predicate that calls another one and a built-in.
func sampled() *Profile {
	p := &Profile{}
	top, leaf := Frame{"top/1", "a.pl", 1}, Frame{"m:leaf/2", "b.pl", 7}
	p.Add([]Frame{leaf, top, top}, 30*time.Millisecond)
	p.Add([]Frame{{"sort/2", "", 0}, leaf, top}, 50*time.Millisecond)
	p.Add([]Frame{top}, 20*time.Millisecond)
	p.Add(nil, time.Second)
	return p
}

func TestEntries(t *testing.T) {
	const unit = time.Millisecond
	p := sampled()
	require.Equal(t, []Entry{{"sort/2", 50 * unit, 50 * unit}, {"m:leaf/2", 30 * unit, 80 * unit},
		{"top/1", 20 * unit, 100 * unit}}, p.Predicates())
	require.Equal(t, []Entry{{"b.pl:7", 80 * unit, 80 * unit}, {"a.pl:1", 20 * unit, 100 * unit}}, p.Lines())
}

func TestWriteText(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, sampled().WriteText(&b, 2))
	require.Equal(t, `100ms in all; self is the time of a predicate or line, total that with what it called

      self             total         predicate
    50.0ms  50.0%     50.0ms  50.0%  sort/2
    30.0ms  30.0%     80.0ms  80.0%  m:leaf/2

      self             total         line
    80.0ms  80.0%     80.0ms  80.0%  b.pl:7
    20.0ms  20.0%    100.0ms 100.0%  a.pl:1
`, b.String())
	b.Reset()
	require.NoError(t, new(Profile).WriteText(&b, 2))
	require.Equal(t, "no samples: the goal took too little time\n", b.String())
}

// TestPprof checks that go tool pprof reads a profile.
func TestPprof(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, sampled().WritePprof(&b))
	file := filepath.Join(t.TempDir(), "profile.pb.gz")
	require.NoError(t, os.WriteFile(file, b.Bytes(), 0o666))
	out, err := exec.Command("go", "tool", "pprof", "-top", "-lines", file).CombinedOutput()
	require.NoError(t, err, string(out))
	require.Contains(t, string(out), "Duration: 100ms, Total samples = 100ms")
	require.Regexp(t, `50ms\s+50\.00% .*sort/2`, string(out))
	require.Regexp(t, `20ms\s+20\.00% .*100ms\s+100%\s+top/1 a.pl:1`, string(out))
}

// TestManyStacks checks the limit of stacks.
func TestManyStacks(t *testing.T) {
	p := &Profile{}
	for i := range 2 * maxStacks {
		p.Add([]Frame{{"p/0", "a.pl", 1}, {"q/0", "a.pl", i}}, 1)
	}
	require.LessOrEqual(t, len(p.stacks), maxStacks+1)
	require.Equal(t, time.Duration(2*maxStacks), p.Total())
}
