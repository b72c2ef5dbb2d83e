package engine_test

import (
	"os"
	"runtime/debug"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/stretchr/testify/require"
)

// TestMain runs all tests of the package in UTC, as the cases of testdata/lang assume. The tests make thousands of
// programs, and garbage collection would take a third of the time, so Go collects less often than usual. The tests run
// concurrently, so the limit still keeps their total memory low.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(256 << 20)
	os.Exit(m.Run())
}

// TestLocalTime asks for local times in a zone with summer time. The values are those of SWI-Prolog with
// TZ=America/New_York.
func TestLocalTime(t *testing.T) {
	zone, err := time.LoadLocation("America/New_York")
	require.NoError(t, err)
	time.Local = zone // no other test runs: this one is not parallel
	defer func() { time.Local = time.UTC }()
	for _, c := range []struct{ goal, want string }{
		{"stamp_date_time(0, X, local)", "date(1969,12,31,19,0,0.0,18000,'EST',false)"},
		{"stamp_date_time(1.5e9, X, local)", "date(2017,7,13,22,40,0.0,14400,'EDT',true)"},
		{"format_time(atom(X), '%FT%T %z %Z', 0)", "'1969-12-31T19:00:00 -0500 EST'"},
		{"format_time(atom(X), '%FT%T %z %Z %:z %c', 1.5e9)",
			"'2017-07-13T22:40:00 -0400 EDT -04:00 Thu Jul 13 22:40:00 2017'"},
		{"format_time(atom(X), '%r %R %s %S %T %u %U %w %W %y %Y %z %Z %+ %%', 1.5e9)",
			"'10:40:00 PM 22:40 1500000000 00 22:40:00 4 28 4 28 17 2017 -0400 EDT Thu Jul 13 22:40:00 2017 %'"},
		{"date_time_stamp(date(2017,7,13,22,40,0,_,_,_), X)", "1500000000.0"},
		{"date_time_stamp(date(2017,1,13,22,40,0,_,_,_), X)", "1484365200.0"},
		{"date_time_stamp(date(2017,7,13), X)", "1499918400.0"},
		{"parse_time('2017-07-13T22:40:00', X)", "1499985600.0"},
	} {
		p := engine.New(nil)
		s, err := p.Once(t.Context(), c.goal, nil)
		require.NoError(t, err, c.goal)
		require.Equal(t, c.want, engine.Inner(p).FormatNumbered(s.Get("X")), c.goal)
	}
}
