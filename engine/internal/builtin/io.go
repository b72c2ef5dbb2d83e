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

// This file defines IO: the access of a run to the outside, and the state of a run besides its terms.
//
// A zero IOOptions allows nothing. So an embedding program decides what a goal can reach, and no test depends on the
// machine that it runs on.
//
// A run remembers the Go errors that it has thrown as terms. So errors.Is and errors.As work on the exception of a
// query although Prolog passes it on as a term.

// FS opens files for reading.
type FS interface {
	OpenRead(path string) (io.ReadCloser, error)
}

// Lister is an FS that can also list and describe files and folders. Paths are as for OpenRead. Its methods return
// fs.ErrPermission for files that may not be seen.
type Lister interface {
	// Stat describes a file or folder. Links are followed.
	Stat(path string) (fs.FileInfo, error)
	// ReadDir lists a folder in the order of names.
	ReadDir(path string) ([]fs.DirEntry, error)
	// ReadLink returns the text of a symbolic link, unchanged.
	ReadLink(path string) (string, error)
	// Folder returns the absolute name of the folder from which relative paths start, with slashes; "" if it may not be
	// seen.
	Folder() string
}

// Changer changes files and folders. Paths are as for OpenWrite. Its methods return fs.ErrPermission for files that may
// not be changed.
type Changer interface {
	// Create makes a file that must not exist, and opens it for writing.
	Create(path string) (io.WriteCloser, error)
	// Mkdir makes a folder.
	Mkdir(path string) error
	// Remove deletes an empty folder, or else a file or a link.
	Remove(path string, folder bool) error
	// Rename renames a file or folder and replaces a file with the new name.
	Rename(from, to string) error
	// Chtimes sets the times of the last access and the last change of a file. A zero time changes nothing.
	Chtimes(path string, read, changed time.Time) error
	// Writable reports whether a file may be written, or does not exist and may be created.
	Writable(path string) bool
	// TempFolder returns the folder for temporary files.
	TempFolder() string
}

// Debugger decides where a traced run stops. Its methods are called on the goroutine of the machine.
type Debugger interface {
	// Frame returns a number for a goal that is about to be called.
	Frame() int64
	// Port is called at a port of a frame and returns an action as a term of library(prolog_debug). again says that
	// this is a repeated call for the same port, after an evaluation.
	Port(m *machine.Machine, port, frame cell, again bool) (action cell, err error)
	// Told receives the result of the evaluation that Port has requested.
	Told(m *machine.Machine, result cell)
	// Command carries out the command of a predicate such as spy/1 and returns its answer.
	Command(m *machine.Machine, command cell) cell
}

// IOOptions describe the access of a run to the outside. The zero value allows nothing.
type IOOptions struct {
	Input         io.Reader // user_input; nil: empty
	Output, Error io.Writer // user_output and user_error; nil: discarded
	// FS opens files for reading. If nil, reading is a permission error.
	FS FS
	// FileName returns the name of a file of the program as goals see it. If nil, this is the name of its source.
	FileName func(source string) string
	// ClauseText makes a function for one run. The function returns the text of the clause of a module that begins at a
	// line of a file of the program, if the file still has it. If nil, there are no texts.
	ClauseText func() func(source string, line int, module string) string
	// RestrictedFS opens files for restricted rules; if nil, they may read no files. Restricted rules may write no
	// files, see only the environment variables that the run has set, and query no databases.
	RestrictedFS FS
	// OpenWrite opens a file for writing, at its end if append is set. If nil, writing is a permission error.
	OpenWrite func(path string, append bool) (io.WriteCloser, error)
	// Changer changes files and folders. If nil, changing is a permission error.
	Changer Changer
	// Databases are the databases whose tables are predicates, nil for none.
	Databases relation.Databases
	Args      []string
	Env       func(name string) (string, bool) // nil: no variables
	Now       func() time.Time                 // nil: time.Now
	Flags     *FlagSet                         // flags that an earlier run has set
	// Terminal says that a person uses Input and Output: lines are shown as they end, and there is a prompt when the
	// goal reads.
	Terminal bool
	// Debugger decides where a traced run stops, nil for no debugger.
	Debugger Debugger
}

// IO is the [machine.IO] of a run. It belongs to the goroutine of its machine.
type IO struct {
	*stream.Table            // nil before the run has used a predicate that needs its IO
	opts          *IOOptions // not changed: runs share them
	// workFolder is the folder chosen by a goal from which relative names start, "" for that of FS.
	workFolder string
	// clauseText is the function made by the option ClauseText, nil before its first use.
	clauseText func(source string, line int, module string) string

	flags      map[string]flag // changed or created in this run
	conversion map[rune]rune   // of char_conversion/2
	mistake    *syntax.Error   // the last syntax error
	causes     []cause         // of the exceptions that came from Go errors, oldest first
	counters   map[string]machine.Saved
	// environment has the variables that the run has set, with nil for unset ones.
	environment map[string]*string
	started     time.Time
	lastWall    time.Time
	lastCPU     time.Duration
	lastReal    int64
	temporary   []string          // files to delete at the end
	tempCount   int               // temporary files that were named
	tables      relation.Snapshot // the run's snapshot of the databases, nil before the first query
	rationals   bool              // the value of the flag prefer_rationals
	mostBytes   int               // that of max_rational_size
	restricted  bool              // a restricted rule is active, as of the last call of ioOf
}

// NewIO returns the IO of a new run. Runs may share the options, which must not change afterwards.
func NewIO(opts *IOOptions) *IO {
	x := &IO{}
	x.Begin(opts)
	return x
}

// Begin makes x equal to the result of NewIO, whatever it was before.
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

// Streams returns the streams of the run, which are made at the first call.
func (x *IO) Streams() *stream.Table {
	if x.Table == nil {
		x.Table = stream.New(x.opts.Input, x.opts.Output, x.opts.Error, x.opts.Terminal)
	}
	return x.Table
}

// Renew makes x the IO of a run that continues with the state of the previous run: streams, flags, counters.
func (x *IO) Renew(opts *IOOptions) {
	start := opts.now()
	x.opts, x.started, x.lastWall = opts, start, start
	x.noteRationals()
	if x.Table != nil { // else the options supply them
		x.Table.Renew(opts.Input, opts.Output, opts.Error, opts.Terminal)
	}
}

// TakeCopy makes x, a new IO, begin with a copy of the whole state of another run's IO except the streams.
func (x *IO) TakeCopy(from *IO) {
	x.workFolder = from.workFolder
	if from.Table != nil && from.Prompt != stream.DefaultPrompt {
		x.Streams().Prompt = from.Prompt
	}
	x.counters, x.conversion = maps.Clone(from.counters), maps.Clone(from.conversion)
	x.environment = maps.Clone(from.environment)
}

// ForgetFlags says that the options of later runs hold the flags that goals have set.
func (x *IO) ForgetFlags() {
	x.flags = nil
	x.noteRationals()
}

// TakeSettings takes the flags and the working folder that the goals of another run have set.
func (x *IO) TakeSettings(from *IO) {
	x.flags, x.workFolder = from.flags, cmp.Or(from.workFolder, x.workFolder)
	x.noteRationals()
}

// Rest ends a run whose streams the next run continues to use.
func (x *IO) Rest() {
	x.Table.Rest()
	x.EndTables()
}

// PrefersRationals is the value of the flag prefer_rationals.
func (x *IO) PrefersRationals() bool { return x.rationals }

// MostRationalBytes is the value of the flag max_rational_size, the largest integer where it has none.
func (x *IO) MostRationalBytes() int { return x.mostBytes }

// noteRationals caches the flags of rational numbers, which arithmetic reads at each operation.
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

// files returns the function that opens files for the current goal, nil if it may open none.
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

// maxCauses is the number of errors that a run remembers. A goal that catches an error and continues does not need it
// any more, and a goal that rethrows it does so before many other errors.
const maxCauses = 16

// NoteCause remembers that an error was thrown as a ball, given as text. Beyond maxCauses it forgets the oldest.
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
