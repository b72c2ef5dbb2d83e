package builtin

import (
	"io"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stream"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
)

// This file defines IO, a run's view of the outside: its streams, files, clock and environment,
// and what else a run keeps besides its terms.

// FS opens files for reading.
type FS interface {
	OpenRead(path string) (io.ReadCloser, error)
}

// IOOptions say what a run may see and do outside. The zero value allows nothing.
type IOOptions struct {
	Input         io.Reader // user_input; nil: empty
	Output, Error io.Writer // user_output and user_error; nil: discarded
	// FS opens files for reading; nil: a permission error.
	FS FS
	// FileName is the name by which goals know a file of the program; nil: that of its source.
	FileName func(source string) string
	// OpenWrite opens a file for writing, from its end when append is set; nil: a permission error.
	OpenWrite func(path string, append bool) (io.WriteCloser, error)
	Args      []string
	Env       func(name string) (string, bool) // nil: no variables
	Now       func() time.Time                 // nil: time.Now
	Flags     *FlagSet                         // flags that an earlier run has set
	// Terminal says that a person sits at Input and Output: lines are shown as they end, and a
	// prompt when the goal reads.
	Terminal bool
}

// IO is what the outside is to one run. It belongs to the goroutine of its machine.
type IO struct {
	*stream.Table
	opts       IOOptions
	flags      map[string]flag // changed or created in this run
	conversion map[rune]rune   // of char_conversion/2
	mistake    *syntax.Error   // the last syntax error
	causes     []cause         // of the exceptions that came from Go errors, oldest first
	counters   map[string]machine.Saved
	started    time.Time
	lastWall   time.Time
	lastCPU    time.Duration
	lastReal   int64
}

// NewIO returns the IO of a new run.
func NewIO(opts IOOptions) *IO {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	start := opts.Now()
	return &IO{Table: stream.New(opts.Input, opts.Output, opts.Error, opts.Terminal), opts: opts, started: start, lastWall: start}
}

// ioOf returns the machine's IO, a closed one if it was given none.
func ioOf(m *machine.Machine) *IO {
	if x, ok := m.IO.(*IO); ok {
		return x
	}
	x := NewIO(IOOptions{})
	m.IO = x
	return x
}
