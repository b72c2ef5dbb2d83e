package builtin

import (
	"io"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stream"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines IO: what a run may see and do outside, and the state of a run besides its terms.
//
// A zero IOOptions allows nothing. So an embedding program decides what a goal can reach, and no test depends on the
// machine that it runs on.

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
	// Changer changes files and folders; nil: a permission error.
	Changer Changer
	// Databases are those whose tables are predicates; nil: there are none.
	Databases relation.Databases
	// WorkFolder is where relative names start that a run before has chosen; "": where they start for FS.
	WorkFolder string
	Args       []string
	Env        func(name string) (string, bool) // nil: no variables
	Now        func() time.Time                 // nil: time.Now
	Flags      *FlagSet                         // flags that an earlier run has set
	// Terminal says that a person sits at Input and Output: lines are shown as they end, and a
	// prompt when the goal reads.
	Terminal bool
	// Debugger decides where a traced run stops; nil: there is none.
	Debugger Debugger
}

// IO is the [machine.IO] of a run. It belongs to the goroutine of its machine.
type IO struct {
	*stream.Table
	// Host is handed to the predicates that a Go program has registered.
	Host       any
	opts       IOOptions
	flags      map[string]flag // changed or created in this run
	conversion map[rune]rune   // of char_conversion/2
	mistake    *syntax.Error   // the last syntax error
	causes     []cause         // of the exceptions that came from Go errors, oldest first
	counters   map[string]machine.Saved
	// environment are the variables that the run has set, nil for those that it has unset.
	environment map[string]*string
	started     time.Time
	lastWall    time.Time
	lastCPU     time.Duration
	lastReal    int64
	temporary   []string          // files to delete at the end
	tempCount   int               // temporary files that were named
	tables      relation.Snapshot // what the run sees of databases, nil before it has asked
	rationals   bool              // the value of the flag prefer_rationals
}

// NewIO returns the IO of a new run.
func NewIO(opts IOOptions) *IO {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	start := opts.Now()
	x := &IO{Table: stream.New(opts.Input, opts.Output, opts.Error, opts.Terminal), opts: opts, started: start,
		lastWall: start}
	x.rationals = opts.Flags.Flag("prefer_rationals") == term.Term(term.True)
	return x
}

// PrefersRationals is the value of the flag prefer_rationals.
func (x *IO) PrefersRationals() bool { return x.rationals }

// Of returns the machine's IO, nil if it was given none.
func Of(m *machine.Machine) *IO {
	x, _ := m.IO.(*IO)
	return x
}

// ioOf returns the machine's IO. A machine that was given none gets one that allows nothing.
func ioOf(m *machine.Machine) *IO {
	if x := Of(m); x != nil {
		return x
	}
	x := NewIO(IOOptions{})
	m.IO = x
	return x
}
