package values

import (
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/term"
)

func typeNamed(t *testing.T, name string, args ...term.Term) Type {
	typ, ok := Of(term.New(term.Atom(name), args...))
	if len(args) == 0 {
		typ, ok = Of(term.Atom(name))
	}
	require.True(t, ok)
	return typ
}

// Texts become the terms that the comment of the package has, and are written again in one form.
func TestTexts(t *testing.T) {
	t.Parallel()
	r := func(a, b int64) term.Term { return term.NewRational(big.NewRat(a, b)) }
	for _, c := range []struct {
		typ, in string
		want    term.Term
		out     string // "": as in
	}{
		{"decimal", "0.10", r(1, 10), "0.1"},
		{"decimal", "23.79", r(2379, 100), ""},
		{"decimal", "-5.00", r(-5, 1), "-5"},
		{"decimal", "1e-3", r(1, 1000), "0.001"},
		{"date", "2024-02-29", term.New("date", r(2024, 1), r(2, 1), r(29, 1)), ""},
		{"date", "0001-01-01", term.New("date", r(1, 1), r(1, 1), r(1, 1)), ""},
		{"time", "14:30", term.New("time", r(14, 1), r(30, 1), r(0, 1)), "14:30:00"},
		{"time", "14:30:00.5Z", term.New("time", r(14, 1), r(30, 1), r(1, 2)), "14:30:00.5"},
		{"datetime", "2024-03-01T01:30:00+02:00",
			term.New("datetime", r(2024, 1), r(2, 1), r(29, 1), r(23, 1), r(30, 1), r(0, 1)), "2024-02-29T23:30:00Z"},
		{"datetime", "2024-03-01 01:30:00.000000001",
			term.New("datetime", r(2024, 1), r(3, 1), r(1, 1), r(1, 1), r(30, 1), r(1, 1e9)),
			"2024-03-01T01:30:00.000000001Z"},
		{"duration", "P1Y6M", term.New("duration", r(18*MonthSeconds, 1), r(18, 1)), ""},
		{"duration", "P2W", term.New("duration", r(14*86400, 1), r(0, 1)), "P14D"},
		{"duration", "PT36H", term.New("duration", r(129600, 1), r(0, 1)), "P1DT12H"},
		{"duration", "-P3DT0.5S", term.New("duration", r(-6*86400-1, 2), r(0, 1)), ""},
		{"duration", "P0D", term.New("duration", r(0, 1), r(0, 1)), "PT0S"},
		{"duration", "P1M-1DT-2H", term.New("duration", r(MonthSeconds-86400-7200, 1), r(1, 1)), ""},
		{"duration", "P1Y-13M", term.New("duration", r(-MonthSeconds, 1), r(-1, 1)), "-P1M"},
	} {
		typ := typeNamed(t, c.typ)
		got, err := typ.Parse(c.in)
		require.NoError(t, err, c.in)
		require.True(t, term.Equal(c.want, got), "%s: %v", c.in, got)
		if c.out == "" {
			c.out = c.in
		}
		text, ok := typ.Text(got)
		require.True(t, ok, c.in)
		require.Equal(t, c.out, text)
	}
}

func TestImpossible(t *testing.T) {
	t.Parallel()
	for typ, texts := range map[string]map[string]string{
		"decimal": {"": "", "1.": "", "1r2": "", "0x1": "", "NaN": "", "1e9999": ""},
		"date": {"2024-00-99": "there is no month 00", "2023-02-29": "February 2023 has no day 29",
			"0000-01-01": "the year is not within 1 and 9999", "2024-1-1": "", "2024-13-01": "there is no month 13",
			"1900-02-29": "February 1900 has no day 29",
			"2024-04-31": "April 2024 has no day 31", "2024-01-00": "January 2024 has no day 00"},
		"time": {"25:00": "there is no hour 25", "24:00:00": "there is no hour 24", "23:60": "there is no minute 60",
			"23:59:60": "there is no second 60", "1:00": "", "10:00+02:00": ""},
		"datetime": {"2024-01-01": "", "2024-01-01T25:00:00Z": "there is no hour 25",
			"0001-01-01T00:00:00+01:00": "the year is not within 1 and 9999",
			"9999-12-31T23:30:00-01":    "the year is not within 1 and 9999",
			"2024-01-01T00:00:00+16:00": "the offset +16:00 is impossible"},
		"duration": {"P": "", "PT": "", "P1DT": "", "P1": "", "1D": "", "P1.5D": "",
			"P999999999Y": "the duration is longer than 30,000 years"},
	} {
		for text, want := range texts {
			_, err := typeNamed(t, typ).Parse(text)
			require.EqualError(t, err, want, "%s %q", typ, text)
		}
	}
	for _, x := range []term.Term{term.Int(1), term.New("date", term.Int(2023), term.Int(2), term.Int(29)),
		term.New("time", term.Int(1), term.Int(2), term.Float(3)), term.New("time", term.Int(1), term.Int(2), term.Int(60)),
		term.New("datetime", term.Int(1), term.Int(2)), term.New("duration", term.Float(1), term.Int(0))} {
		for _, typ := range Names[1:] {
			_, ok := typeNamed(t, typ).Text(x)
			require.False(t, ok, "%s %v", typ, x)
		}
	}
}

func TestRounding(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, up, even string }{
		{"0.125", "0.13", "0.12"}, {"0.135", "0.14", "0.14"}, {"-0.125", "-0.13", "-0.12"}, {"2", "2.00", "2.00"},
		{"0.1249", "0.12", "0.12"}, {"-0.004", "0.00", "0.00"}, {"99.995", "100.00", "100.00"},
	} {
		x, err := typeNamed(t, "decimal").Parse(c.in)
		require.NoError(t, err)
		up, _ := typeNamed(t, "decimal", term.Int(2)).Text(x)
		even, _ := typeNamed(t, "decimal", term.Int(2), term.Atom("half_even")).Text(x)
		require.Equal(t, []string{c.up, c.even}, []string{up, even}, c.in)
	}
	_, ok := typeNamed(t, "decimal").Text(term.NewRational(big.NewRat(1, 3)))
	require.False(t, ok)
}

// Go's package time reads and orders the same times.
func TestOrder(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	typ := typeNamed(t, "datetime")
	some := func() time.Time {
		const years = 9999 * 31556952
		at := time.Date(1, 1, 1, 0, 0, 0, random.IntN(2)*random.IntN(1e9), time.UTC)
		return at.Add(time.Duration(random.IntN(3))*time.Second).AddDate(0, 0, random.IntN(years/86400)).
			In(time.FixedZone("", 60*(random.IntN(1800)-900)))
	}
	for range 2000 {
		a, b := some(), some()
		x, err := typ.Parse(a.Format(time.RFC3339Nano))
		y, bad := typ.Parse(b.Format(time.RFC3339Nano))
		if err != nil || bad != nil {
			continue // the first or the last day, in another zone
		}
		require.Equal(t, a.Compare(b), term.Compare(x, y), "%v %v", a, b)
		text, _ := typ.Text(x)
		require.Equal(t, a.UTC().Format(time.RFC3339Nano), text)
	}
}
