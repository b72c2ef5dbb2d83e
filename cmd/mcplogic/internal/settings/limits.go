package settings

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines the flags for limits.

// Limits are the flags --timeout, --max-memory and --max-inferences. A time or a number of 0 is no limit. memory
// bounds the terms and stacks of one goal, in bytes.
type Limits struct {
	Time       time.Duration
	Memory     Size
	inferences int64
}

func (l *Limits) Engine() engine.Limits {
	return engine.Limits{Time: l.Time, Inferences: l.inferences, Memory: int(l.Memory)}
}

// Add defines the flags with their defaults. Goals of the user at a terminal may run for ever, goals of
// clients may not, so the defaults differ by command.
func (l *Limits) Add(flags *pflag.FlagSet, time time.Duration, memory Size) {
	l.Memory = memory
	flags.DurationVar(&l.Time, "timeout", time, "longest running time, such as 5s or 1m30s; 0: no limit")
	flags.Var(&l.Memory, "max-memory", "most memory for terms, such as 256MiB, 4GiB or bytes")
	flags.Int64Var(&l.inferences, "max-inferences", 0, "largest number of calls of predicates; 0: no limit")
}

// bounded is the value of a flag with a number or a time. It is positive, or 0 if that is the default or the usage says
// what 0 means.
type bounded struct {
	pflag.Value
	zero bool
}

// outOfRange says which values a flag takes.
type outOfRange string

func (o outOfRange) Error() string { return string(o) }

// Set reads a value in the bounds.
func (b bounded) Set(text string) error {
	if err := b.Value.Set(text); err != nil {
		return err
	}
	switch got := b.String(); {
	case b.zero && (strings.HasPrefix(got, "-") || strings.ContainsAny(got, "NI")): // NaN, +Inf
		return outOfRange("0 or more")
	case !b.zero && (strings.HasPrefix(got, "-") || strings.ContainsAny(got, "NI") || strings.Trim(got, "0s") == ""):
		return outOfRange("more than 0")
	}
	return nil
}

// BoundNumbers bounds the numbers and times among the flags of a command and those below it.
func BoundNumbers(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		switch f.Value.Type() {
		case "int", "int64", "float64", "duration":
			f.Value = bounded{f.Value, strings.Trim(f.DefValue, "0s") == "" || strings.Contains(f.Usage, "0: ")}
		}
	})
	for _, sub := range cmd.Commands() {
		BoundNumbers(sub)
	}
}

// Size is a number of bytes. As a flag it cannot be zero: a goal always has a limit of memory.
type Size int64

// units are tried in this order. Many end in B, so that one stands last. String writes the first four.
var units = []struct {
	suffix string
	bytes  int64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12},
	{"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}, {"T", 1 << 40}, {"B", 1},
}

// Set reads a number with or without a unit. Units may be in any case of letters, with a space before them,
// and the number may have a fraction.
func (s *Size) Set(text string) error {
	number, factor := strings.TrimSpace(text), int64(1)
	for _, u := range units {
		if n := len(number) - len(u.suffix); n > 0 && strings.EqualFold(number[n:], u.suffix) {
			number, factor = strings.TrimSpace(number[:n]), u.bytes
			break
		}
	}
	n, err := strconv.ParseFloat(number, 64)
	// The comparison fails for NaN too.
	if err != nil || !(n > 0) || n*float64(factor) > math.MaxInt64/2 {
		return fmt.Errorf("got %s, want a size such as 256MiB, 4GiB or a number of bytes", text)
	}
	*s = Size(n * float64(factor))
	return nil
}

// String returns the size in the largest binary unit that divides it, so that Set reads the same size.
func (s *Size) String() string {
	for i := 3; i >= 0; i-- {
		if u := units[i]; int64(*s) >= u.bytes && int64(*s)%u.bytes == 0 {
			return fmt.Sprintf("%d%s", int64(*s)/u.bytes, u.suffix)
		}
	}
	return strconv.FormatInt(int64(*s), 10)
}

// Type is shown in help texts.
func (s *Size) Type() string { return "size" }

// valueForms says what flags of a type take.
var valueForms = map[string]string{"duration": "a time such as 5s or 2m", "int": "a whole number",
	"float64": "a number", "bool": "true or false", "stringToString": "NAME=VALUE"}

// FlagError says of a flag that is not there which one may be meant, and of a wrong value what the flag takes.
func FlagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	var bounds outOfRange
	switch {
	case errors.As(err, &invalid) && errors.As(err, &bounds):
		return fmt.Errorf("--%s takes %s, got %s", invalid.GetFlag().Name, bounds, invalid.GetValue())
	case errors.As(err, &unknown):
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := spell.Nearest(unknown.GetSpecifiedName(), names); near != "" {
			return fmt.Errorf("%w; did you mean --%s?", err, near)
		}
	case errors.As(err, &invalid) && invalid.GetFlag().Name == "sql":
		return errors.New("--sql takes NAME=ADDRESS, such as --sql crm=sqlite:crm.db")
	case errors.As(err, &invalid) && valueForms[invalid.GetFlag().Value.Type()] != "":
		f := invalid.GetFlag()
		return fmt.Errorf("--%s takes %s, got %s", f.Name, valueForms[f.Value.Type()], invalid.GetValue())
	}
	return err
}
