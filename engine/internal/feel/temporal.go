package feel

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/lazyregexp"
	"github.com/mcplogic/mcplogic/internal/values"
)

// This file defines the dates, times and durations of FEEL. They are the terms of library(dates), with years of up to
// nine digits. A time or datetime with a zone has one more argument: the seconds by which its clock is ahead of UTC,
// or the name of the zone.

var temporalForm = lazyregexp.New(`^(?:(-?(?:[1-9]\d{4,8}|\d{4}))-(\d\d)-(\d\d))?` +
	`(T)?(?:(\d\d):(\d\d):(\d\d)(\.\d{1,18})?(Z|[+-]\d\d:\d\d(?::\d\d)?|@[A-Za-z][A-Za-z0-9_+/-]*)?)?$`)

// Temporal returns the date, time or duration of a text. The form of the text decides the type.
func Temporal(text string) (t term.Term, ok bool) {
	if strings.HasPrefix(strings.TrimPrefix(text, "-"), "P") {
		t, err := values.Type{Name: "duration"}.Parse(strings.Replace(text, ".S", "S", 1))
		return t, err == nil
	}
	parts := temporalForm().FindStringSubmatch(text)
	if parts == nil || text == "" || (parts[1] != "" && parts[5] != "") != (parts[4] != "") {
		return nil, false
	}
	var day, clock []term.Term
	if parts[1] != "" {
		year, _ := strconv.Atoi(parts[1])
		month, _ := strconv.Atoi(parts[2])
		date, _ := strconv.Atoi(parts[3])
		if month < 1 || month > 12 || date < 1 || date > values.DaysOf(year, month) || parts[1] == "-0000" {
			return nil, false
		}
		day = []term.Term{term.Int(year), term.Int(month), term.Int(date)}
	}
	if parts[5] != "" {
		hour, _ := strconv.Atoi(parts[5])
		minute, _ := strconv.Atoi(parts[6])
		second, _ := new(big.Rat).SetString(parts[7] + parts[8])
		if hour == 24 && minute == 0 && second.Sign() == 0 { // the end of the day
			hour = 0
			if day != nil {
				day = nextDay(day)
			}
		}
		if hour > 23 || minute > 59 || second.Cmp(big.NewRat(60, 1)) >= 0 {
			return nil, false
		}
		clock = []term.Term{term.Int(hour), term.Int(minute), Number(second)}
		if parts[9] != "" {
			zone, ok := zoneOf(parts[9])
			if !ok {
				return nil, false
			}
			clock = append(clock, zone)
		}
	}
	switch {
	case clock == nil:
		return term.New("date", day...), true
	case day == nil:
		return term.New("time", clock...), true
	}
	return term.New("datetime", append(day, clock...)...), true
}

// nextDay returns the day after one.
func nextDay(day []term.Term) []term.Term {
	year, month, date := int(day[0].(term.Int)), int(day[1].(term.Int)), int(day[2].(term.Int))
	at := time.Date(year, time.Month(month), date+1, 0, 0, 0, 0, time.UTC)
	return []term.Term{term.Int(at.Year()), term.Int(at.Month()), term.Int(at.Day())}
}

// maxOffset bounds the hours between a clock and UTC.
const maxOffset = 18

// zoneOf reads the zone behind a time: Z, an offset such as +01:00, or @ and the name of a zone.
func zoneOf(text string) (zone term.Term, ok bool) {
	if text == "Z" {
		return term.Int(0), true
	}
	if name, isName := strings.CutPrefix(text, "@"); isName {
		_, err := time.LoadLocation(name)
		return term.Atom(name), err == nil && name != "Local"
	}
	seconds, unit := 0, 3600
	for part := range strings.SplitSeq(text[1:], ":") {
		n, _ := strconv.Atoi(part)
		if unit == 3600 && n > maxOffset || unit < 3600 && n > 59 {
			return nil, false
		}
		seconds += n * unit
		unit /= 60
	}
	if text[0] == '-' {
		seconds = -seconds
	}
	return term.Int(seconds), true
}

// temporal reads a date, time or duration of an expression. If the scope is Plain, as for spreadsheets, it has the
// form of JSON, with datetimes in UTC.
func (p *parser) temporal(text string) (t term.Term, ok bool) {
	if !p.scope.Plain {
		return Temporal(text)
	}
	name := "date"
	switch {
	case strings.HasPrefix(strings.TrimPrefix(text, "-"), "P"):
		name = "duration"
	case strings.ContainsAny(text, "T "):
		name = "datetime"
	case strings.Contains(text, ":"):
		name = "time"
	}
	t, err := values.Type{Name: name, Places: -1}.Parse(text)
	return t, err == nil
}

// Text returns the text of a number, date, time or duration. ok is false for other values.
func Text(t term.Term) (text string, ok bool) {
	c, _ := t.(*term.Compound)
	if c == nil || c.Functor == "duration" {
		name := "decimal"
		if c != nil {
			name = "duration"
		}
		return values.Type{Name: name, Places: -1}.Text(t)
	}
	args := c.Args
	isTime := c.Functor == "time" && (len(args) == 3 || len(args) == 4)
	if isDate := c.Functor == "date" && len(args) == 3; !isTime && !isDate && (c.Functor != "datetime" ||
		len(args) != 6 && len(args) != 7) {
		return "", false
	}
	if !isTime {
		year, _ := args[0].(term.Int)
		sign := ""
		if year < 0 {
			sign, year = "-", -year
		}
		text = fmt.Sprintf("%s%04d-%02d-%02d", sign, year, args[1], args[2])
		if args = args[3:]; len(args) == 0 {
			return text, true
		}
		text += "T"
	}
	second, ok := Rat(args[2])
	if !ok {
		return "", false
	}
	places, _ := second.FloatPrec()
	whole := second.FloatString(places)
	if second.Cmp(big.NewRat(10, 1)) < 0 {
		whole = "0" + whole
	}
	text += fmt.Sprintf("%02d:%02d:%s", args[0], args[1], whole)
	if len(args) == 4 {
		if name, isName := args[3].(term.Atom); isName {
			return text + "@" + string(name), true
		}
		seconds, _ := values.Offset(t)
		text += values.OffsetText(seconds)
	}
	return text, true
}
