package settings

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/kb/decisions"
)

// This file defines the flags by which calls are recorded, and how one is found again.

// DecisionFlags holds the flags. Without a folder nothing is recorded.
type DecisionFlags struct {
	Dir      string
	required bool
	omit     []string
	keep     time.Duration
	file     Size
}

func (d *DecisionFlags) Add(flags *pflag.FlagSet) {
	flags.StringVar(&d.Dir, "decisions", "", "record each call of a tool in this folder, or at postgres://ADDRESS")
	flags.BoolVar(&d.required, "decisions-required", true,
		"refuse a call that cannot be recorded; false: answer it, and say so in the log")
	flags.StringSliceVar(&d.omit, "decisions-omit", nil,
		"leave out of the record: user, client, arguments, arguments.NAME, assume, answers, changes, result")
	flags.DurationVar(&d.keep, "decisions-keep", 0, "drop records older than this; 0: keep all")
	d.file = 64 << 20
	flags.Var(&d.file, "decisions-file", "begin another file of records beyond this size")
}

// Open returns what records, nil if nothing is to be recorded. done closes it.
func (d *DecisionFlags) Open(cmd *cobra.Command) (r *decisions.Recorder, done func(), err error) {
	if d.Dir == "" {
		return nil, func() {}, nil
	}
	r, err = decisions.Open(d.Dir, &decisions.Options{Required: d.required, Omit: d.omit, Keep: d.keep,
		Rotate: int64(d.file), Warn: cli.Tell(cmd)})
	return r, func() { _ = r.Close() }, err
}

// FindRecord returns the last call that a filter chooses.
func FindRecord(dir string, filter *decisions.Filter) (was *decisions.Record, err error) {
	log, err := decisions.Read(dir, filter)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	err = log.Steps(func(s *decisions.Step) error {
		if s.Call != nil {
			was = s.Call
		}
		return nil
	})
	if err == nil && was == nil {
		err = fmt.Errorf("there is no decision %s in %s", filter.ID, dir)
	}
	return was, err
}
