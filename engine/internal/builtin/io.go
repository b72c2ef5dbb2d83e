package builtin

import (
	"cmp"
	"io"
	"io/fs"
	"maps"
	"math"
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
//
// A run remembers the Go errors that it has thrown as terms. So errors.Is and errors.As work on the exception of a
// query although a term has carried it through Prolog.

// FS opens files for reading.
type FS interface {
	OpenRead(path string) (io.ReadCloser, error)
}

// Lister is an FS that also shows which files and folders there are. Paths are as those of OpenRead. What may not be
// seen is fs.ErrPermission.
type Lister interface {
	// Stat describes a file or folder. Links are followed.
	Stat(path string) (fs.FileInfo, error)
	// ReadDir lists a folder, in the order of the names.
	ReadDir(path string) ([]fs.DirEntry, error)
	// ReadLink returns what a symbolic link leads to, as it is written in it.
	ReadLink(path string) (string, error)
	// Folder returns the absolute name of the folder from which relative paths start, with slashes; "" if none may be
	// seen.
	Folder() string
}

// Changer changes files and folders. Paths are as those of OpenWrite. What may not be changed is fs.ErrPermission.
type Changer interface {
	// Create makes a file that must not be there yet, and opens it for writing.
	Create(path string) (io.WriteCloser, error)
	// Mkdir makes a folder.
	Mkdir(path string) error
	// Remove deletes an empty folder, or else a file or a link.
	Remove(path string, folder bool) error
	// Rename gives a file or folder another name, in place of the file that has it.
	Rename(from, to string) error
	// Chtimes sets when a file was read and changed last. A zero time leaves what it was.
	Chtimes(path string, read, changed time.Time) error
	// Writable tells of a file that it may be written, or that it is not there and may be made.
	Writable(path string) bool
	// TempFolder returns the folder for temporary files.
	TempFolder() string
}

// Debugger decides where a traced run stops. Its methods are called on the goroutine of the machine.
type Debugger interface {
	// Frame returns a number for a goal that is about to be called.
	Frame() int64
	// Port is told of a port of a frame and returns what is to be done, as a term of library(prolog_debug). again says
	// that it has been told before and has had something evaluated.
	Port(m *machine.Machine, port, frame cell, again bool) (action cell, err error)
	// Told is the result of what Port wanted to have evaluated.
	Told(m *machine.Machine, result cell)
	// Command does what a predicate such as spy/1 wants and returns its answer.
	Command(m *machine.Machine, command cell) cell
}

// IOOptions say what a run may see and do outside. The zero value allows nothing.
type IOOptions struct {
	Input         io.Reader // user_input; nil: empty
	Output, Error io.Writer // user_output and user_error; nil: discarded
	// FS opens files for reading; nil: a permission error.
	FS FS
	// FileName returns the name by which goals know a file of the program. nil: the name of its source.
	FileName func(source string) string
	// ClauseText makes a function for one run, which returns the text of the clause of a module that begins at a line of
	// a file of the program, as far as it is there still; nil: no text is.
	ClauseText func() func(source string, line int, module string) string
	// RestrictedFS opens files for restricted rules, which may write none, see no environment variables but those that the
	// run has set, and ask no databases. nil: they may read none.
	RestrictedFS FS
	// OpenWrite opens a file for writing, from its end when append is set; nil: a permission error.
	OpenWrite func(path string, append bool) (io.WriteCloser, error)
	// Changer changes files and folders; nil: a permission error.
	Changer Changer
	// Databases are those whose tables are predicates; nil: there are none.
	Databases relation.Databases
	Args      []string
	Env       func(name string) (string, bool) // nil: no variables
	Now       func() time.Time                 // nil: time.Now
	Flags     *FlagSet                         // flags that an earlier run has set
	// Terminal says that a person sits at Input and Output: lines are shown as they end, and a
	// prompt when the goal reads.
	Terminal bool
	// Debugger decides where a traced run stops; nil: there is none.
	Debugger Debugger
}

// IO is the [machine.IO] of a run. It belongs to the goroutine of its machine.
type IO struct {
	*stream.Table            // nil before the run has used a predicate that needs its IO
	opts          *IOOptions // not changed: runs share them
	// workFolder is where relative names start that a goal has chosen; "": where they start for FS.
	workFolder string
	// clauseText is what the option has made, nil before it is needed.
	clauseText func(source string, line int, module string) string

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
	mostBytes   int               // that of max_rational_size
	restricted  bool              // a restricted rule is active, as of the last call of ioOf
}

// NewIO returns the IO of a new run. Runs may share the options, which nobody changes from then on.
func NewIO(opts *IOOptions) *IO {
	x := &IO{}
	x.Begin(opts)
	return x
}

// Begin makes x what NewIO returns, whatever it was before.
func (x *IO) Begin(opts *IOOptions) {
	*x = IO{opts: opts}
	if opts.Now != nil {
		x.started = opts.Now()
	}
	x.lastWall = x.started
	x.noteRationals()
}

// now is the time of the clock.
func (o *IOOptions) now() time.Time {
	if o.Now == nil {
		return time.Now()
	}
	return o.Now()
}

// Streams returns the streams of the run, which are made when they are asked for first.
func (x *IO) Streams() *stream.Table {
	if x.Table == nil {
		x.Table = stream.New(x.opts.Input, x.opts.Output, x.opts.Error, x.opts.Terminal)
	}
	return x.Table
}

// Renew makes x that of a run which goes on with what the run before has left: streams, flags, counters.
func (x *IO) Renew(opts *IOOptions) {
	start := opts.now()
	x.opts, x.started, x.lastWall = opts, start, start
	x.noteRationals()
	if x.Table != nil { // else they come by the options
		x.Table.Renew(opts.Input, opts.Output, opts.Error, opts.Terminal)
	}
}

// TakeCopy makes x, which has just begun, begin with a copy of all that the IO of another run has but streams.
func (x *IO) TakeCopy(from *IO) {
	x.workFolder = from.workFolder
	if from.Table != nil && from.Prompt != stream.DefaultPrompt {
		x.Streams().Prompt = from.Prompt
	}
	x.counters, x.conversion = maps.Clone(from.counters), maps.Clone(from.conversion)
	x.environment = maps.Clone(from.environment)
}

// ForgetFlags makes the flags that goals have set belong to others: the options of later runs have them.
func (x *IO) ForgetFlags() {
	x.flags = nil
	x.noteRationals()
}

// TakeSettings takes the flags and the working folder that the goals of another run have set.
func (x *IO) TakeSettings(from *IO) {
	x.flags, x.workFolder = from.flags, cmp.Or(from.workFolder, x.workFolder)
	x.noteRationals()
}

// Rest ends a run whose streams the next one goes on with.
func (x *IO) Rest() {
	x.Table.Rest()
	x.EndTables()
}

// PrefersRationals is the value of the flag prefer_rationals.
func (x *IO) PrefersRationals() bool { return x.rationals }

// MostRationalBytes is the value of the flag max_rational_size, the largest integer where it has none.
func (x *IO) MostRationalBytes() int { return x.mostBytes }

// noteRationals notes the flags of rational numbers, which arithmetic asks for at each operation.
func (x *IO) noteRationals() {
	x.rationals, x.mostBytes = false, math.MaxInt
	if !x.HasFlags() {
		return
	}
	x.rationals = x.Flag("prefer_rationals") == term.Term(term.True)
	if most, ok := x.Flag("max_rational_size").(term.Int); ok {
		x.mostBytes = int(most)
	}
}

// Of returns the machine's IO, nil if it was given none.
func Of(m *machine.Machine) *IO {
	x, _ := m.IO.(*IO)
	return x
}

// ioOf returns the machine's IO. A machine that was given none gets one that allows nothing.
func ioOf(m *machine.Machine) *IO {
	x := Of(m)
	if x == nil {
		x = NewIO(&IOOptions{})
		m.IO = x
	}
	x.Streams()
	if x.started.IsZero() {
		x.started = machine.Began(m)
		x.lastWall = x.started
	}
	x.restricted = m.Restricted()
	return x
}

// files returns what opens files for the goal that runs, nil if nothing does.
func (x *IO) files() FS {
	if x.restricted {
		return x.opts.RestrictedFS
	}
	return x.opts.FS
}

// cause is a Go error and the ball that it was thrown as.
type cause struct {
	ball string
	err  error
}

// maxCauses is how many errors a run remembers. A goal that catches an error and goes on does not need it any more; a
// goal that throws it again does so before many others.
const maxCauses = 16

// NoteCause remembers that an error was thrown as a ball, given as text. With maxCauses of them it forgets the oldest
// first.
func (x *IO) NoteCause(ball string, err error) {
	if len(x.causes) == maxCauses {
		copy(x.causes, x.causes[1:])
		x.causes = x.causes[:maxCauses-1]
	}
	x.causes = append(x.causes, cause{ball, err})
}

// HasCauses reports whether the run has thrown a Go error.
func (x *IO) HasCauses() bool { return len(x.causes) > 0 }

// Cause returns the error that was last thrown as a ball, or nil.
func (x *IO) Cause(ball string) error {
	for i := len(x.causes) - 1; i >= 0; i-- {
		if x.causes[i].ball == ball {
			return x.causes[i].err
		}
	}
	return nil
}
