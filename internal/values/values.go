// Package values has the values of business that JSON and databases write as texts: decimals, dates, times and
// durations. A [Type] reads the texts of a type of mode/2 as terms, and writes its terms as texts.
//
// The terms are these. The standard order of each is the order of its values.
//
//	decimal    an integer or a rational number
//	date       date(Year, Month, Day)
//	time       time(Hour, Minute, Second)
//	datetime   datetime(Year, Month, Day, Hour, Minute, Second), in UTC
//	duration   duration(Seconds, Months), with [MonthSeconds] in Seconds for each month
//
// Times and datetimes that FEEL computes may have a zone besides; see [Offset].
//
// A second is an integer or a rational number with at most nine digits behind the point.
package values

import (
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"slices"

	"strconv"
	"strings"
	"time"

	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/lazyregexp"
)

// Type is a type of values. Two types of the same values are equal.
type Type struct {
	// Name is decimal, date, time, datetime or duration.
	Name string
	// Places says how many digits behind the point the texts of decimals have, -1: as many as there are.
	Places int
	// HalfEven says that a half is rounded to the even neighbour, and not away from zero.
	HalfEven bool
}

// MaxPlaces bounds the digits behind the point that a type may ask for.
const MaxPlaces = 100

// Names are the names of the types.
var Names = []string{"decimal", "date", "time", "datetime", "duration"}

// Of returns the type that a term such as date or decimal(2) names.
func Of(t term.Term) (typ Type, ok bool) {
	name, arity, _ := term.Indicator(t)
	for _, known := range Names {
		if string(name) == known && arity == 0 {
			return Type{Name: known, Places: -1}, true
		}
	}
	if name != "decimal" || arity == 0 || arity > 2 {
		return Type{}, false
	}
	args := t.(*term.Compound).Args
	places, ok := args[0].(term.Int)
	typ = Type{Name: "decimal", Places: int(places), HalfEven: args[arity-1] == term.Term(term.Atom("half_even"))}
	return typ, ok && 0 <= places && places <= MaxPlaces && (arity == 1 || typ.HalfEven ||
		args[1] == term.Term(term.Atom("half_up")))
}

// wrapping are the types whose values are values of another type, the first argument. The value true stands for lists
// of that type.
var wrapping = map[term.Atom]bool{"maybe": false, "between": false, "one_of": false, "list": true,
	"non_empty_list": true}

// Wrapped returns the type T of a type such as maybe(T), or such as list(T). list says that there are lists of T.
func Wrapped(t term.Term) (inner term.Term, list, ok bool) {
	c, _ := t.(*term.Compound)
	if c == nil || len(c.Args) == 0 {
		return nil, false, false
	}
	list, ok = wrapping[c.Functor]
	return c.Args[0], list, ok
}

// wants says for each type what its texts are, for messages.
var wants = map[string]string{
	"decimal": "a decimal number", "date": "a date such as 2026-01-31", "time": "a time such as 14:30:00",
	"datetime": "a date and time such as 2026-01-31T14:30:00Z", "duration": "a duration such as P1Y2M, P3D or PT4H30M",
}

// Want names what fits.
func (t Type) Want() string { return wants[t.Name] }

// Parse returns the value of a text. The error says what is wrong with it, "" if it is of another form.
func (t Type) Parse(text string) (term.Term, error) {
	switch t.Name {
	case "decimal":
		return parseDecimal(text)
	case "duration":
		return parseDuration(text)
	}
	return t.parseTime(text)
}

// Text returns the text of a value. ok is false if the term is not of the type, and for a decimal with endless digits.
func (t Type) Text(x term.Term) (text string, ok bool) {
	switch t.Name {
	case "decimal":
		return t.decimalText(x)
	case "duration":
		return durationText(x)
	}
	return t.timeText(x)
}

// Exact is the text of a value for those who are shown it: a decimal has the digits of its type and all others that it
// has.
func (t Type) Exact(x term.Term) (text string, ok bool) {
	if t.Name != "decimal" {
		return t.Text(x)
	}
	r, places, ok := Type{Name: t.Name, Places: -1}.rounded(x)
	if !ok {
		return "", false
	}
	return r.FloatString(max(places, t.Places)), true
}

// TextOf is the text of a term that looks like a date, a time, both or a duration, or that is a fraction whose digits
// end. It is for those who have no type.
func TextOf(x term.Term) (text string, ok bool) {
	name, _, _ := term.Indicator(x)
	if _, isFraction := x.(*term.Rational); isFraction {
		name = "decimal"
	}
	if !slices.Contains(Names, string(name)) {
		return "", false
	}
	return Type{Name: string(name), Places: -1}.Text(x)
}

// Read is the value of a text, or the decimal whose digits a float has. Variables and null are returned unchanged. ok
// is false for other terms that are not of the type.
func (t Type) Read(x term.Term) (value term.Term, ok bool) {
	if text, isText := term.Text(x); isText {
		if value, err := t.Parse(text); err == nil {
			return value, true
		}
		return x, text == "null"
	}
	if _, isVar := x.(*term.Var); isVar {
		return x, true
	}
	if t.Name != "decimal" {
		_, ok = t.Text(x)
		return x, ok
	}
	if _, isFloat := x.(term.Float); isFloat {
		return Type{Name: t.Name, Places: -1}.Round(x)
	}
	return x, Number(x) != nil
}

// errForm is the error of a text that does not have the form of the type.
var errForm = errors.New("")

// maxText bounds the texts of decimals that are read, and with the exponents their digits.
const maxText = 10_000

var decimalForm = lazyregexp.New(`^[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?0*[0-9]{1,3})?$`)

func parseDecimal(text string) (term.Term, error) {
	if len(text) > maxText || !decimalForm().MatchString(text) {
		return nil, errForm
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil, errForm
	}
	return term.NewRational(r), nil
}

// Number returns an integer, a rational number, or a float by its shown digits, and nil for other terms.
func Number(x term.Term) *big.Rat {
	switch x := x.(type) {
	case term.Int:
		return new(big.Rat).SetInt64(int64(x))
	case *term.Big:
		return new(big.Rat).SetInt(x.Int())
	case *term.Rational:
		return x.Rat()
	case term.Float:
		if r, ok := new(big.Rat).SetString(strconv.FormatFloat(float64(x), 'g', -1, 64)); ok {
			return r
		}
	}
	return nil
}

func (t Type) decimalText(x term.Term) (string, bool) {
	r, places, ok := t.rounded(x)
	if !ok {
		return "", false
	}
	return r.FloatString(places), true
}

// Round returns a number with the places of a decimal. ok is false for other terms.
func (t Type) Round(x term.Term) (rounded term.Term, ok bool) {
	r, _, ok := t.rounded(x)
	if !ok {
		return nil, false
	}
	return term.NewRational(r), true
}

func (t Type) rounded(x term.Term) (r *big.Rat, places int, ok bool) {
	r = Number(x)
	const most = 4 * maxText // bits
	if r == nil || r.Num().BitLen() > most || r.Denom().BitLen() > most {
		return nil, 0, false
	}
	if t.Places < 0 {
		places, ok = r.FloatPrec()
		return r, places, ok
	}
	return nearest(r, t.Places, t.HalfEven), t.Places, true
}

// nearest rounds a number to places behind the point. A half goes away from zero, or to the even neighbour.
func nearest(r *big.Rat, places int, halfEven bool) *big.Rat {
	scale := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil))
	scaled := new(big.Rat).Mul(r, scale)
	whole, rest := new(big.Int).QuoRem(scaled.Num(), scaled.Denom(), new(big.Int))
	half := rest.Abs(rest).Lsh(rest, 1).Cmp(scaled.Denom())
	if half > 0 || half == 0 && (!halfEven || whole.Bit(0) == 1) {
		whole.Add(whole, big.NewInt(int64(r.Sign())))
	}
	return new(big.Rat).Quo(new(big.Rat).SetInt(whole), scale)
}

// The layout of texts of time, by type. The forms are wider than the layouts.
var timeForms = map[string]func() *regexp.Regexp{
	"date": lazyregexp.New(`^(\d{4})-(\d\d)-(\d\d)()()()()()$`),
	"time": lazyregexp.New(`^()()()(\d\d):(\d\d)(?::(\d\d)(\.\d{1,9})?)?(Z?)$`),
	"datetime": lazyregexp.New(`^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(\.\d{1,9})?)?` +
		`([Zz]|[+-]\d\d(?::?\d\d)?)?$`),
}

// parseTime reads a date, a time of day or both.
func (t Type) parseTime(text string) (term.Term, error) {
	parts := timeForms[t.Name]().FindStringSubmatch(text)
	if parts == nil {
		return nil, errForm
	}
	n := [6]int{}
	for i := range n {
		n[i], _ = strconv.Atoi(parts[i+1])
	}
	if t.Name == "time" {
		n[0], n[1], n[2] = 1, 1, 1
	}
	if err := possible(n[0], n[1], n[2], n[3], n[4], n[5]); err != nil {
		return nil, err
	}
	zone := time.UTC
	if offset := strings.ReplaceAll(parts[8], ":", ""); len(offset) > 1 {
		hours, _ := strconv.Atoi(offset[1:3])
		minutes, _ := strconv.Atoi(offset[3:])
		if hours > maxOffsetHours || minutes >= 60 {
			return nil, fmt.Errorf("the offset %s is impossible", parts[8])
		}
		seconds := hours*3600 + minutes*60
		if offset[0] == '-' {
			seconds = -seconds
		}
		zone = time.FixedZone("", seconds)
	}
	fraction := (parts[7] + "000000000.")[min(1, len(parts[7])):]
	nanos, _ := strconv.Atoi(fraction[:9])
	at := time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], n[5], nanos, zone).UTC()
	if at.Year() < 1 || at.Year() > maxYear {
		return nil, errYear
	}
	return t.OfTime(at), nil
}

// The largest year, and the largest offset of a zone from UTC.
const (
	maxYear        = 9999
	maxOffsetHours = 15
)

var errYear = fmt.Errorf("the year is not within 1 and %d", maxYear)

// possible says what is impossible about a date and time.
func possible(year, month, day, hour, minute, second int) error {
	switch {
	case year < 1 || year > maxYear:
		return errYear
	case month < 1 || month > 12:
		return fmt.Errorf("there is no month %02d", month)
	case day < 1 || day > DaysOf(year, month):
		return fmt.Errorf("%s %d has no day %02d", time.Month(month), year, day)
	case hour < 0 || hour > 23:
		return fmt.Errorf("there is no hour %02d", hour)
	case minute < 0 || minute > 59:
		return fmt.Errorf("there is no minute %02d", minute)
	case second < 0 || second > 59:
		return fmt.Errorf("there is no second %02d", second)
	}
	return nil
}

// DaysOf returns how many days a month has.
func DaysOf(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// OfTime returns the date, the time of day or both that a time has in its zone. A datetime is that in UTC.
func (t Type) OfTime(at time.Time) term.Term {
	if t.Name == "datetime" {
		at = at.UTC()
	}
	second := term.NewRational(big.NewRat(int64(at.Second())*1e9+int64(at.Nanosecond()), 1e9))
	args := []term.Term{term.Int(at.Year()), term.Int(at.Month()), term.Int(at.Day()),
		term.Int(at.Hour()), term.Int(at.Minute()), second}
	switch t.Name {
	case "date":
		args = args[:3]
	case "time":
		args = args[3:]
	}
	return term.New(term.Atom(t.Name), args...)
}

// Time returns the time of a date, a time of day on the first of January of year 1, or a datetime. ok is false for a
// term that is not of the type.
func (t Type) Time(x term.Term) (at time.Time, ok bool) {
	c, ok := x.(*term.Compound)
	form := timeForms[t.Name]
	if !ok || form == nil || string(c.Functor) != t.Name {
		return at, false
	}
	n, from, width := [6]int{1, 1, 1}, 0, 6
	nanos := int64(0)
	switch t.Name {
	case "date":
		width = 3
	case "time":
		from, width = 3, 3
	}
	if len(c.Args) != width {
		return at, false
	}
	for i, arg := range c.Args {
		if from+i == 5 {
			total, exact := Nanos(arg)
			if !exact || !total.IsInt64() || total.Int64() < 0 || total.Int64() >= 60e9 {
				return at, false
			}
			n[5], nanos = int(total.Int64()/1e9), total.Int64()%1e9
			continue
		}
		part, isInt := arg.(term.Int)
		if !isInt || part > maxYear {
			return at, false
		}
		n[from+i] = int(part)
	}
	if possible(n[0], n[1], n[2], n[3], n[4], n[5]) != nil {
		return at, false
	}
	return time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], n[5], int(nanos), time.UTC), true
}

// Nanos returns a number of seconds as nanoseconds. exact is false if it is no whole number of them.
func Nanos(seconds term.Term) (nanos *big.Int, exact bool) {
	r := Number(seconds)
	if _, isFloat := seconds.(term.Float); r == nil || isFloat {
		return nil, false
	}
	r.Mul(r, big.NewRat(1e9, 1))
	return r.Num(), r.IsInt()
}

func (t Type) timeText(x term.Term) (string, bool) {
	if seconds, ok := Offset(x); ok {
		c := x.(*term.Compound)
		at, ok := t.Time(term.New(c.Functor, c.Args[:len(c.Args)-1]...))
		layout := map[string]string{"time": "15:04:05.999999999", "datetime": "2006-01-02T15:04:05.999999999"}[t.Name]
		return at.Format(layout) + OffsetText(seconds), ok
	}
	at, ok := t.Time(x)
	if !ok {
		return "", false
	}
	layout := map[string]string{"date": "2006-01-02", "time": "15:04:05.999999999",
		"datetime": "2006-01-02T15:04:05.999999999Z"}[t.Name]
	return at.Format(layout), true
}

// MonthSeconds is how long a month counts in the length of a duration: the 4,800th part of 400 years. It is longer
// than 30 days and shorter than 31, and twelve of it are longer than 365 days and shorter than 366.
const MonthSeconds = 2629746

// maxSeconds bounds the length of a duration: more than the years that dates have, so that nanoseconds of it are
// counted in pieces.
const maxSeconds = 1e12

var durationForm = lazyregexp.New(`^([+-]?)P(?:([+-]?\d{1,9})Y)?(?:([+-]?\d{1,9})M)?(?:([+-]?\d{1,9})W)?` +
	`(?:([+-]?\d{1,9})D)?(T(?:([+-]?\d{1,9})H)?(?:([+-]?\d{1,9})M)?(?:([+-]?\d{1,12}(?:\.\d{1,9})?)S)?)?$`)

func parseDuration(text string) (term.Term, error) {
	parts := durationForm().FindStringSubmatch(text)
	if parts == nil || strings.HasSuffix(text, "P") || strings.HasSuffix(text, "T") {
		return nil, errForm
	}
	number := func(i int) *big.Rat {
		r, ok := new(big.Rat).SetString(parts[i])
		if !ok {
			return new(big.Rat)
		}
		return r
	}
	sum := func(places, factors []int) *big.Rat {
		total := new(big.Rat)
		for i, at := range places {
			total.Add(total, new(big.Rat).Mul(number(at), big.NewRat(int64(factors[i]), 1)))
		}
		if parts[1] == "-" {
			total.Neg(total)
		}
		return total
	}
	months := sum([]int{2, 3}, []int{12, 1})
	seconds := sum([]int{2, 3, 4, 5, 7, 8, 9}, []int{12 * MonthSeconds, MonthSeconds, 7 * 86400, 86400, 3600, 60, 1})
	if new(big.Rat).Abs(seconds).Cmp(big.NewRat(maxSeconds, 1)) > 0 {
		return nil, errors.New("the duration is longer than 30,000 years")
	}
	return term.New("duration", term.NewRational(seconds), term.NewRational(months)), nil
}

// Duration returns the parts of a duration: its months, and the rest in seconds.
func Duration(x term.Term) (months int64, rest *big.Rat, ok bool) {
	args, ok := term.Is(x, "duration", 2)
	if !ok {
		return 0, nil, false
	}
	n, isInt := args[1].(term.Int)
	length := Number(args[0])
	_, exact := Nanos(args[0])
	if !isInt || length == nil || !exact || new(big.Rat).Abs(length).Cmp(big.NewRat(maxSeconds, 1)) > 0 ||
		n < -maxSeconds || n > maxSeconds {
		return 0, nil, false
	}
	return int64(n), length.Sub(length, new(big.Rat).Mul(big.NewRat(int64(n), 1), big.NewRat(MonthSeconds, 1))), true
}

func durationText(x term.Term) (string, bool) {
	months, rest, ok := Duration(x)
	if !ok {
		return "", false
	}
	text := "P"
	if months < 0 && rest.Sign() <= 0 || months == 0 && rest.Sign() < 0 {
		months, text = -months, "-P"
		rest.Neg(rest)
	}
	part := func(n int64, unit string) {
		if n != 0 {
			text += strconv.FormatInt(n, 10) + unit
		}
	}
	part(months/12, "Y")
	part(months%12, "M")
	whole := new(big.Int).Quo(rest.Num(), rest.Denom()).Int64()
	part(whole/86400, "D")
	fraction := new(big.Rat).Sub(rest, big.NewRat(whole/60*60, 1))
	clock := whole % 86400
	if clock != 0 || fraction.Sign() != 0 {
		text += "T"
		part(clock/3600, "H")
		part(clock/60%60, "M")
	}
	if fraction.Sign() != 0 {
		text += strings.TrimSuffix(strings.TrimRight(fraction.FloatString(9), "0"), ".") + "S"
	}
	if strings.HasSuffix(text, "P") {
		text = "PT0S"
	}
	return text, true
}
