package engine_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
)

// TestDatesAgree compares library(dates) with Go's package time on dates of all years.
func TestDatesAgree(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	var text strings.Builder
	date := func(at time.Time) string { return fmt.Sprintf("date(%d, %d, %d)", at.Year(), at.Month(), at.Day()) }
	moment := func(at time.Time) string {
		return fmt.Sprintf("datetime(%d, %d, %d, %d, %d, %d)", at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(),
			at.Second())
	}
	first, last := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
	const all, count = 3652059, 2000
	within := func(at time.Time) bool { return !at.Before(first) && !at.After(last) }
	for i := range count {
		from := first.AddDate(0, 0, random.IntN(all))
		if i%4 == 0 { // the ends of months
			from = time.Date(1+random.IntN(9998), time.Month(1+random.IntN(12)), 1-random.IntN(2), 0, 0, 0, 0, time.UTC)
		}
		days, months, seconds := random.IntN(800000)-400000, random.IntN(4000)-2000, random.IntN(1<<32)-1<<31
		clamped := time.Date(from.Year(), from.Month()+time.Month(months)+1, 0, 0, 0, 0, 0, time.UTC)
		if from.Day() < clamped.Day() {
			clamped = clamped.AddDate(0, 0, from.Day()-clamped.Day())
		}
		to, later := from.AddDate(0, 0, days), from.Add(time.Duration(seconds)*time.Second)
		if !within(from) || !within(to) || !within(clamped) || !within(later) {
			continue
		}
		years := to.Year() - from.Year()
		if to.YearDay() < time.Date(to.Year(), from.Month(), from.Day(), 0, 0, 0, 0, time.UTC).YearDay() {
			years--
		}
		fmt.Fprintf(&text, "case(%s, %d, %s, %d, %s, %d, %s, %s, %d).\n", date(from), days, date(to), months, date(clamped),
			seconds, moment(later), strings.ToLower(from.Weekday().String()), years)
	}
	text.WriteString(`
wrong(C) :-
    C = case(From, Days, To, Months, Clamped, Seconds, Later, Weekday, Years),
    call(C),
    \+ ( add_days(From, Days, To), add_days(From, Days, T0), T0 == To, add_days(From, N, To), N == Days,
         add_days(F, Days, To), F == From, days_between(From, To, B), B == Days,
         add_months(From, Months, M), M == Clamped, weekday(From, W), W == Weekday,
         From = date(Y, Mo, D), add_duration(datetime(Y, Mo, D, 0, 0, 0), duration(Seconds, 0), L), L == Later,
         compare(O, From, To), compare(O, 0, Days),
         ( Days >= 0 -> age(From, To, A), A == Years ; true ),
         parse_date(T, From), parse_date(T, F2), F2 == From ).
`)
	p, err := engine.LoadText(t.Context(), "dates.pl", text.String(), nil)
	require.NoError(t, err)
	for s, err := range p.Query(t.Context(), "wrong(C)", nil) {
		require.NoError(t, err)
		require.Fail(t, engine.FormatTerm(s.Get("C")))
	}
	for s, err := range p.Query(t.Context(), "aggregate_all(count, case(_, _, _, _, _, _, _, _, _), N)", nil) {
		require.NoError(t, err)
		require.NotEqual(t, "0", engine.FormatTerm(s.Get("N")))
	}
}
