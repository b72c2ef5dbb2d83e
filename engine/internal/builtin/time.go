package builtin

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/arith"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/internal/stream"
)

// This file defines time stamps and dates. A time stamp is a float, the seconds since 1970. A date is one of two
// terms: date(Year, Month, Day, Hour, Minute, Second, Offset, Zone, DST), with the offset in seconds west of
// Greenwich, or date(Year, Month, Day).

var timeTable = []machine.Builtin{
	{Name: "get_time", Arity: 1, Func: getTime, Modes: "-stamp", Doc: "Stamp is the present time."},
	{Name: "sleep", Arity: 1, Func: sleep, Modes: "+number",
		Doc: "Waits for a number of seconds; does not wait if the number is negative."},
	{Name: "stamp_date_time", Arity: 3, Func: stampDateTime, Modes: "+stamp, -date, ?zone",
		Doc: "Date is the time of Stamp in a zone: local, 'UTC' or seconds west of Greenwich."},
	{Name: "date_time_stamp", Arity: 2, Func: dateTimeStamp, Modes: "+date, -stamp",
		Doc: "Stamp is the time of Date; a number beyond its range carries over, such as month 13."},
}

// clock returns the current time of the run in its zone. If the run's options give neither, they come from the clock of
// [IOOptions], which tests set.
func clock(m *machine.Machine) time.Time {
	now := ioOf(m).opts.now()
	if m.Given == nil {
		return now
	}
	zone := cmp.Or(m.Given.Zone, now.Location())
	if !m.Given.Time.IsZero() {
		now = m.Given.Time
	}
	return now.In(zone)
}

// stampOf returns a time as a stamp, a float of seconds since 1970. It must lie within the years 1678 to 2262, the
// range of 64 bits of nanoseconds.
func stampOf(t time.Time) float64 { return float64(t.UnixNano()) / 1e9 }

// getTime is get_time/1. It reads the clock of the run, which the embedding program may set.
func getTime(m *machine.Machine, a []cell) (bool, error) {
	return m.Unify(a[0], m.NewFloat(stampOf(clock(m)))), nil
}

// sleep is sleep/1. Cancellation and the time limit end the sleep, as for every wait of the machine.
func sleep(m *machine.Machine, a []cell) (bool, error) {
	if stacks.IsVar(m.Deref(a[0])) {
		return false, m.InstantiationError()
	}
	seconds, err := stampArg(m, a[0])
	if err != nil {
		return false, err
	}
	const most = float64(math.MaxInt64 / int64(time.Second))
	return true, m.Pause(time.Duration(min(seconds, most)*float64(time.Second)), true)
}

// moment is a time with two parts that time.Time cannot hold: the exact fraction of its second, and the zone as given
// in a date.
type moment struct {
	time.Time         // whole seconds
	fraction  float64 // of a second, below 1
	zone      string  // "" when it is not known
	dst       cell    // true, false or -
}

// aMinus stands in a date for an unknown zone or daylight saving time.
var aMinus = code.AMinus

// maxStamp bounds stamps: the years that a C int can represent, as in SWI-Prolog.
const maxStamp = 6.7e16

// momentOf returns a stamp in a zone. The fraction of a second is a separate float, because package time rounds to
// nanoseconds and a stamp must convert back to itself.
func momentOf(stamp float64, zone *time.Location) moment {
	whole := math.Floor(stamp)
	return moment{Time: time.Unix(int64(whole), 0).In(zone), fraction: stamp - whole, dst: aMinus}
}

// stamp is the time as a float.
func (t moment) stamp() float64 { return float64(t.Unix()) + t.fraction }

// west returns the offset of the zone in seconds west of Greenwich, the sign that dates have.
func (t moment) west() int {
	_, east := t.Zone()
	return -east
}

// stampArg returns an argument that must be a stamp, an integer or a float. A stamp beyond maxStamp, infinity and NaN
// are representation errors.
func stampArg(m *machine.Machine, c cell) (float64, error) {
	c = m.Deref(c)
	if !m.IsNumber(c) {
		return 0, m.TypeError("float", c)
	}
	stamp := 0.0
	if !m.IsBig(c) {
		var err error
		if stamp, err = arith.Float(m, c); err != nil {
			return 0, err
		}
	} else {
		stamp = math.Inf(1)
	}
	if !(math.Abs(stamp) < maxStamp) {
		return 0, m.RepresentationError("time_stamp")
	}
	return stamp, nil
}

// stampDateTime is stamp_date_time/3. Local is the zone of the run's clock. An unbound zone is bound to local. Any
// other invalid zone, and an offset of a week or more, is the domain error timezone.
func stampDateTime(m *machine.Machine, a []cell) (bool, error) {
	stamp, err := stampArg(m, a[0])
	if err != nil {
		return false, err
	}
	t := moment{}
	switch zone := m.Deref(a[2]); {
	case stacks.IsVar(zone):
		if !m.Unify(zone, m.NewAtom("local")) {
			return false, nil
		}
		t = localMoment(m, stamp)
	case zone.Tag() == code.Int && zone.Int() > -maxOffset && zone.Int() < maxOffset:
		t = momentOf(stamp, time.FixedZone("", -int(zone.Int())))
	case zone.Tag() == code.Atom && stacks.AtomText(zone) == "local":
		t = localMoment(m, stamp)
	case zone.Tag() == code.Atom && stacks.AtomText(zone) == "UTC":
		t = momentOf(stamp, time.UTC)
		t.zone = "UTC"
	default:
		return false, m.DomainError("timezone", zone)
	}
	return m.Unify(a[1], t.date(m)), nil
}

// maxOffset bounds offsets of zones, in seconds.
const maxOffset = 7 * 24 * 3600

// localMoment returns a stamp in the zone of the run's clock.
func localMoment(m *machine.Machine, stamp float64) moment {
	t := momentOf(stamp, clock(m).Location())
	t.zone, _ = t.Zone()
	t.dst = truthAtom(t.IsDST())
	return t
}

// date returns the term date/9.
func (t moment) date(m *machine.Machine) cell {
	zone := aMinus
	if t.zone != "" {
		zone = m.NewAtom(t.zone)
	}
	ints := []int{t.Year(), int(t.Month()), t.Day(), t.Hour(), t.Minute()}
	args := make([]cell, 0, 9)
	for _, n := range ints {
		args = append(args, code.MakeInt(int64(n)))
	}
	args = append(args, m.NewFloat(float64(t.Second())+t.fraction), code.MakeInt(int64(t.west())), zone, t.dst)
	return m.NewStruct("date", args...)
}

var (
	// date(Year, Month, Day, Hour, Minute, Second, Offset, Zone, DST) and date(Year, Month, Day), as in SWI-Prolog.
	fDate9 = code.Functor("date", 9)
	fDate3 = code.Functor("date", 3)
)

// dateTimeStamp is date_time_stamp/2. It binds the unbound zone fields of the date, as in SWI-Prolog.
func dateTimeStamp(m *machine.Machine, a []cell) (bool, error) {
	t, err := dateArg(m, m.Deref(a[0]))
	if err != nil {
		return false, err
	}
	return t.fillZone(m, m.Deref(a[0])) && m.Unify(a[1], m.NewFloat(t.stamp())), nil
}

// fillZone binds the offset, name and daylight saving time of a date/9 where they are unbound.
func (t moment) fillZone(m *machine.Machine, c cell) bool {
	if m.Functor(c) != fDate9 || !stacks.IsVar(m.Deref(m.Arg(c, 6))) {
		return true
	}
	zone, _ := t.Zone()
	values := []cell{code.MakeInt(int64(t.west())), m.NewAtom(zone), truthAtom(t.IsDST())}
	for i, v := range values {
		if arg := m.Deref(m.Arg(c, 6+i)); stacks.IsVar(arg) && !m.Unify(arg, v) {
			return false
		}
	}
	return true
}

// truthAtom returns a boolean as an atom on the heap.
func truthAtom(b bool) cell {
	if b {
		return code.ATrue
	}
	return code.AFalse
}

// dateArg returns the time of a dereferenced date/9 or date/3. Numbers out of their range overflow into the next field,
// as in C's mktime: month 13 is January of the next year. date/3 stands for midnight in local time.
func dateArg(m *machine.Machine, c cell) (moment, error) {
	if stacks.IsVar(c) {
		return moment{}, m.InstantiationError()
	}
	if c.Tag() != code.Str || m.Functor(c) != fDate9 && m.Functor(c) != fDate3 {
		return moment{}, m.TypeError("time", c)
	}
	var n [5]int
	for i := range min(m.Functor(c).FunctorArity(), len(n)) {
		var err error
		if n[i], err = datePart(m, m.Arg(c, i)); err != nil {
			return moment{}, err
		}
	}
	seconds := 0.0
	zone := clock(m).Location()
	t := moment{dst: aMinus}
	if m.Functor(c) == fDate9 {
		var err error
		if seconds, err = stampArg(m, m.Arg(c, 5)); err != nil {
			return moment{}, err
		}
		if zone, err = t.readZone(m, c, zone); err != nil {
			return moment{}, err
		}
	}
	whole := math.Floor(seconds)
	t.fraction = seconds - whole
	t.Time = time.Unix(time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], 0, 0, zone).Unix()+int64(whole), 0).In(zone)
	return t, nil
}

// datePart returns a part of a date such as the year. It must be an integer of 32 bits.
func datePart(m *machine.Machine, c cell) (int, error) {
	n, err := m.IntArg(c)
	if err == nil && (n > 1<<31 || n < -1<<31) {
		err = m.RepresentationError("date")
	}
	return n, err
}

// readZone returns the zone of a date/9 by its offset, and stores its name. Unbound and - stand for local time.
func (t *moment) readZone(m *machine.Machine, c cell, local *time.Location) (*time.Location, error) {
	if name := m.Deref(m.Arg(c, 7)); name.Tag() == code.Atom && name != aMinus {
		t.zone = stacks.AtomText(name)
	}
	offset := m.Deref(m.Arg(c, 6))
	switch {
	case stacks.IsVar(offset) || offset == aMinus:
		return local, nil
	case offset.Tag() != code.Int:
		return nil, m.TypeError("integer", offset)
	case offset.Int() <= -maxOffset || offset.Int() >= maxOffset:
		return nil, m.DomainError("timezone", offset)
	}
	return time.FixedZone(t.zone, -int(offset.Int())), nil
}

// momentArg returns an argument that is a stamp or a date. A stamp is converted to local time.
func momentArg(m *machine.Machine, c cell) (moment, error) {
	c = m.Deref(c)
	if !m.IsNumber(c) {
		return dateArg(m, c)
	}
	stamp, err := stampArg(m, c)
	if err != nil {
		return moment{}, err
	}
	return localMoment(m, stamp), nil
}

// This part defines the formats of format_time/3: those of C's strftime, and %f, %:z and %+ of SWI-Prolog. Names of
// days and months are English, whatever the locale.

var formatTimeTable = []machine.Builtin{
	{Name: "format_time", Arity: 3, Func: formatTime, Modes: "+sink, +format, +stamp_or_date",
		Doc: "Writes a time in the format of C's strftime."},
	{Name: "format_time", Arity: 4, Func: formatTime, Modes: "+sink, +format, +stamp_or_date, +locale",
		Doc: "Writes a time in the format of C's strftime; the locale must be posix."},
}

// formatTime is format_time/3,4. It makes the whole text before it writes, so after an unknown directive nothing is
// written. The errors come in this order: the locale, the format, the time, an unknown directive, the sink.
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

// timeModifiers reads the digits and the colon between % and the letter. digits is -1 if there are none. A large number
// counts as the largest precision of a float.
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
	// The number of fraction digits without a given number, and the largest precision of a float.
	defaultFractionDigits = 6
	maxFractionDigits     = 15
)

// fractionText returns the fraction of the second with the given number of digits, or the default for a negative
// number. It rounds, but never up to a full second, since the seconds are already written.
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

// offsetText returns the zone as +hhmm or +hh:mm, east of Greenwich positive, as in strftime. Stamps and dates count
// west, as in POSIX.
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

// zoneName returns the name of the zone: the name given in the date, or that of the location.
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

// two formats a number with two digits.
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
