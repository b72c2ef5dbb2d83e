package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcplogic/mcplogic/engine"
)

// This file defines the flags for limits.

// limits are the flags --timeout, --max-memory and --max-inferences. A time or a number of 0 is no limit. memory
// bounds the terms and stacks of one goal, in bytes.
type limits struct {
	time       time.Duration
	memory     size
	inferences int64
}

func (l *limits) engine() engine.Limits {
	return engine.Limits{Time: l.time, Inferences: l.inferences, Memory: int(l.memory)}
}

// add defines the flags with their defaults. Goals of the user at a terminal may run for ever, goals of
// clients may not, so the defaults differ by command.
func (l *limits) add(flags *pflag.FlagSet, time time.Duration, memory size) {
	l.memory = memory
	flags.DurationVar(&l.time, "timeout", time, "longest running time, such as 5s or 1m30s; 0: no limit")
	flags.Var(&l.memory, "max-memory", "most memory for terms, such as 256MiB, 4GiB or bytes")
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

// boundNumbers bounds the numbers and times among the flags of a command and those below it.
func boundNumbers(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		switch f.Value.Type() {
		case "int", "int64", "float64", "duration":
			f.Value = bounded{f.Value, strings.Trim(f.DefValue, "0s") == "" || strings.Contains(f.Usage, "0: ")}
		}
	})
	for _, sub := range cmd.Commands() {
		boundNumbers(sub)
	}
}

// size is a number of bytes. As a flag it cannot be zero: a goal always has a limit of memory.
type size int64

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
func (s *size) Set(text string) error {
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
	*s = size(n * float64(factor))
	return nil
}

// String returns the size in the largest binary unit that divides it, so that Set reads the same size.
func (s *size) String() string {
	for i := 3; i >= 0; i-- {
		if u := units[i]; int64(*s) >= u.bytes && int64(*s)%u.bytes == 0 {
			return fmt.Sprintf("%d%s", int64(*s)/u.bytes, u.suffix)
		}
	}
	return strconv.FormatInt(int64(*s), 10)
}

// Type is shown in help texts.
func (s *size) Type() string { return "size" }
