package builtin

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stream"
)

// This file defines the formats of format_time/3: those of C's strftime, and %f, %:z and %+ of SWI-Prolog. Names of
// days and months are English, whatever the locale.

var formatTimeTable = []machine.Builtin{
	{Name: "format_time", Arity: 3, Func: formatTime, Modes: "+sink, +format, +stamp_or_date",
		Doc: "Writes a time in the format of C's strftime."},
	{Name: "format_time", Arity: 4, Func: formatTime, Modes: "+sink, +format, +stamp_or_date, +locale",
		Doc: "Writes a time in the format of C's strftime; the locale must be posix."},
}

// formatTime is format_time/3,4. The whole text is made before it is written, so an unknown directive writes nothing.
// The errors come in this order: the locale, the format, the time, an unknown directive, the sink.
func formatTime(m *machine.Machine, a []cell) (bool, error) {
	if len(a) == 4 {
		locale, err := m.AtomArg(a[3])
		if err == nil && locale != "posix" {
			err = m.DomainError("locale", a[3])
		}
		if err != nil {
			return false, err
		}
	}
	format, ok := m.TextOf(a[1])
	if !ok {
		return false, m.TypeError("text", a[1])
	}
	t, err := momentArg(m, a[2])
	if err != nil {
		return false, err
	}
	text, bad := t.format(format)
	if bad != "" {
		return false, m.ExistenceError("format", m.NewAtom(bad))
	}
	return stream.ToSink(m, a, func(m *machine.Machine, s *stream.Stream, _ []cell) (bool, error) {
		return s.PutText(m, text)
	}, func() bool { return true })
}

// timeFormats maps directives to the formats that they stand for.
var timeFormats = map[rune]string{
	'c': "%a %b %e %H:%M:%S %Y", 'D': "%m/%d/%y", 'F': "%Y-%m-%d", 'r': "%I:%M:%S %p", 'R': "%H:%M",
	'T': "%H:%M:%S", 'x': "%m/%d/%y", 'X': "%H:%M:%S", '+': "%a %b %e %H:%M:%S %Y",
}

// format returns the time in a format. bad is the first directive that does not exist, or "".
func (t moment) format(format string) (text, bad string) {
	var b strings.Builder
	for format != "" {
		before, rest, found := strings.Cut(format, "%")
		b.WriteString(before)
		if !found {
			break
		}
		rest, digits, colon := timeModifiers(rest)
		r, size := utf8.DecodeRuneInString(rest)
		format = rest[size:]
		switch {
		case timeFormats[r] != "":
			text, _ = t.format(timeFormats[r])
		case r == 'f':
			text = t.fractionText(digits)
		case r == 'z':
			text = t.offsetText(colon)
		case timeFields[r] != nil:
			text = timeFields[r](t)
		default:
			return "", "%" + rest[:size]
		}
		b.WriteString(text)
	}
	return b.String(), ""
}

// timeModifiers reads the digits and the colon between % and the letter. digits is -1 without any. A large
// number counts as the most that a float can tell.
func timeModifiers(rest string) (left string, digits int, colon bool) {
	digits = -1
	for rest != "" && rest[0] >= '0' && rest[0] <= '9' {
		digits = min(max(digits, 0)*10+int(rest[0]-'0'), maxFractionDigits)
		rest = rest[1:]
	}
	if strings.HasPrefix(rest, ":") {
		return rest[1:], digits, true
	}
	return rest, digits, false
}

const (
	// The digits of a fraction without a number, and the most that a float tells.
	defaultFractionDigits = 6
	maxFractionDigits     = 15
)

// fractionText returns the fraction of the second in so many digits, the default if they are negative. It rounds, but
// never up to a full second, since the seconds are already written.
func (t moment) fractionText(digits int) string {
	if digits < 0 {
		digits = defaultFractionDigits
	}
	if digits == 0 {
		return ""
	}
	scale := math.Pow10(digits)
	return fmt.Sprintf("%0*.0f", digits, math.Min(math.Round(t.fraction*scale), scale-1))
}

// offsetText returns the zone as +hhmm or +hh:mm, east of Greenwich positive, as strftime has it. Stamps and dates
// count west, as POSIX has it.
func (t moment) offsetText(colon bool) string {
	east, sign, separator := -t.west(), "+", ""
	if east < 0 {
		east, sign = -east, "-"
	}
	if colon {
		separator = ":"
	}
	return fmt.Sprintf("%s%02d%s%02d", sign, east/3600, separator, east/60%60)
}

// zoneName returns the name of the zone: that of the date, or that of the location.
func (t moment) zoneName() string {
	if t.zone != "" {
		return t.zone
	}
	return t.Time.Format("MST")
}

// timeFields are the directives that write one field.
var timeFields = map[rune]func(t moment) string{
	'a': func(t moment) string { return t.Weekday().String()[:3] },
	'A': func(t moment) string { return t.Weekday().String() },
	'b': func(t moment) string { return t.Month().String()[:3] },
	'h': func(t moment) string { return t.Month().String()[:3] },
	'B': func(t moment) string { return t.Month().String() },
	'C': func(t moment) string { return two(floorDiv(t.Year(), 100)) },
	'd': func(t moment) string { return two(t.Day()) },
	'e': func(t moment) string { return fmt.Sprintf("%2d", t.Day()) },
	'g': func(t moment) string { return two(isoYear(t) - 100*floorDiv(isoYear(t), 100)) },
	'G': func(t moment) string { return strconv.Itoa(isoYear(t)) },
	'V': func(t moment) string { _, week := t.ISOWeek(); return two(week) },
	'H': func(t moment) string { return two(t.Hour()) },
	'I': func(t moment) string { return two(hour12(t)) },
	'j': func(t moment) string { return fmt.Sprintf("%03d", t.YearDay()) },
	'k': func(t moment) string { return fmt.Sprintf("%2d", t.Hour()) },
	'l': func(t moment) string { return fmt.Sprintf("%2d", hour12(t)) },
	'm': func(t moment) string { return two(int(t.Month())) },
	'M': func(t moment) string { return two(t.Minute()) },
	'n': func(moment) string { return "\n" },
	'p': func(t moment) string { return t.Time.Format("PM") },
	'P': func(t moment) string { return strings.ToLower(t.Time.Format("PM")) },
	's': func(t moment) string { return strconv.FormatFloat(t.stamp(), 'f', 0, 64) },
	'S': func(t moment) string { return two(t.Second()) },
	't': func(moment) string { return "\t" },
	'u': func(t moment) string { return strconv.Itoa((int(t.Weekday())+6)%7 + 1) },
	'U': func(t moment) string { return two(weekOfYear(t, time.Sunday)) },
	'w': func(t moment) string { return strconv.Itoa(int(t.Weekday())) },
	'W': func(t moment) string { return two(weekOfYear(t, time.Monday)) },
	'y': func(t moment) string { return two(t.Year() - 100*floorDiv(t.Year(), 100)) },
	'Y': func(t moment) string { return strconv.Itoa(t.Year()) },
	'Z': moment.zoneName,
	'%': func(moment) string { return "%" },
}

// two writes a number with two digits.
func two(n int) string { return fmt.Sprintf("%02d", n) }

// floorDiv divides rounding down, so that years before 0 have the right century.
func floorDiv(a, b int) int { return int(math.Floor(float64(a) / float64(b))) }

// isoYear returns the year that the ISO 8601 week of a day belongs to.
func isoYear(t moment) int {
	year, _ := t.ISOWeek()
	return year
}

// hour12 returns the hour on a clock with 12 hours: 12, 1 to 11.
func hour12(t moment) int { return (t.Hour()+11)%12 + 1 }

// weekOfYear counts weeks that begin on a given day. The days before the first of them are week 0.
func weekOfYear(t moment, first time.Weekday) int {
	sinceFirst := (int(t.Weekday()) - int(first) + 7) % 7
	return (t.YearDay() + 6 - sinceFirst) / 7
}
