package builtin

import (
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
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
	opts       IOOptions
	streams    map[int]*stream
	order      []*stream
	alias      map[string]*stream
	nextID     int
	in, out    *stream // current
	userIn     *stream
	userOut    *stream
	userErr    *stream
	captures   []capture
	flags      map[string]flag // changed or created in this run
	conversion map[rune]rune   // of char_conversion/2
	mistake    *syntax.Error   // the last syntax error
	counters   map[string]machine.Saved
	prompt     string
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
	x := &IO{opts: opts, streams: map[int]*stream{}, alias: map[string]*stream{}, prompt: "|: "}
	x.started = opts.Now()
	x.lastWall = x.started
	x.openStandard()
	return x
}

// openStandard opens the three streams that every run has.
func (x *IO) openStandard() {
	x.userIn = x.add(&stream{mode: modeRead, eof: eofReset, tty: x.opts.Terminal})
	x.userIn.in = syntax.NewInput("user_input", &userReader{x: x, r: x.opts.Input})
	x.userOut = x.add(&stream{mode: modeAppend, tty: x.opts.Terminal})
	x.userOut.out = newOutput(x.opts.Output, bufferFull)
	if x.opts.Terminal {
		x.userOut.out.buffer = bufferLine
	}
	x.userErr = x.add(&stream{mode: modeAppend, tty: x.opts.Terminal})
	x.userErr.out = newOutput(x.opts.Error, bufferNone)
	x.setAlias("user_input", x.userIn)
	x.setAlias("user_output", x.userOut)
	x.setAlias("user_error", x.userErr)
	x.in, x.out = x.userIn, x.userOut
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

// maxStreams bounds the streams that a run may have open, and their names. The texts that with_output_to/2 collects
// do not count.
const maxStreams = 1000

// needRoom fails when no more streams or names of streams may be added.
func (x *IO) needRoom(m *machine.Machine) error {
	if len(x.streams)-len(x.captures) >= maxStreams || len(x.alias) >= maxStreams {
		return m.ResourceError("streams")
	}
	return nil
}

// add enters a stream under a new number.
func (x *IO) add(s *stream) *stream {
	s.id = x.nextID
	x.nextID++
	x.streams[s.id] = s
	x.order = append(x.order, s)
	return s
}

func (x *IO) setAlias(name string, s *stream) {
	if old := x.alias[name]; old != nil {
		old.dropAlias(name)
	}
	x.alias[name] = s
	s.aliases = append(s.aliases, name)
}

// remove forgets a closed stream. The current streams become the user's again.
func (x *IO) remove(s *stream) {
	delete(x.streams, s.id)
	for i, t := range slices.Backward(x.order) { // the newest is often the first to go
		if t == s {
			x.order = slices.Delete(x.order, i, i+1)
			break
		}
	}
	for _, name := range s.aliases {
		delete(x.alias, name)
	}
	x.restoreStandard()
	if x.in == s {
		x.in = x.userIn
	}
	if x.out == s {
		x.out = x.userOut
	}
}

// restoreStandard gives the aliases of the standard streams back when their bearer is closed.
func (x *IO) restoreStandard() {
	for _, s := range []struct {
		name string
		to   *stream
	}{{"user_input", x.userIn}, {"user_output", x.userOut}, {"user_error", x.userErr}} {
		if x.alias[s.name] == nil {
			x.setAlias(s.name, s.to)
		}
	}
}

// Flush hands all output that is still buffered to its writers. The machine's owner calls it
// when the run rests or ends.
func (x *IO) Flush() error {
	var first error
	for _, s := range x.order {
		if s.out == nil {
			continue
		}
		if err := s.out.flush(); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// Close flushes and closes every stream that the run has opened.
func (x *IO) Close() error {
	first := x.Flush()
	for _, s := range slices.Backward(slices.Clone(x.order)) {
		if s == x.userIn || s == x.userOut || s == x.userErr {
			continue
		}
		if err := s.close(); err != nil && first == nil {
			first = err
		}
		x.remove(s)
	}
	return first
}

// Column returns the column, from 0, that user_output is at; a REPL begins a new line by it.
func (x *IO) Column() int { return x.userOut.out.column }

// userReader reads the run's input. Before it waits it shows what was written and the prompt.
type userReader struct {
	x *IO
	r io.Reader
}

func (u *userReader) Read(p []byte) (int, error) {
	if u.r == nil {
		return 0, io.EOF
	}
	if u.x.opts.Terminal {
		if u.x.userOut.out.column == 0 {
			_ = u.x.userOut.out.put(u.x.prompt)
		}
		_ = u.x.userOut.out.flush()
		u.x.userOut.out.column = 0 // the line ends with what is typed
	}
	return u.r.Read(p)
}

// capture is an output that with_output_to/2 collects in memory.
type capture struct {
	outer *stream // the current output before
	to    *stream
}

// pushCapture makes a buffer in memory the current output.
func (x *IO) pushCapture() *stream {
	s := x.add(&stream{mode: modeWrite})
	s.out = newOutput(nil, bufferFull)
	s.out.memory = true
	x.captures = append(x.captures, capture{outer: x.out, to: s})
	x.out = s
	return s
}

// popCapture ends the innermost capture and returns what was written to it.
func (x *IO) popCapture() string {
	n := len(x.captures) - 1
	if n < 0 {
		return ""
	}
	c := x.captures[n]
	x.captures = x.captures[:n]
	text := string(c.to.out.buf)
	x.remove(c.to)
	x.out = x.userOut
	if x.streams[c.outer.id] == c.outer {
		x.out = c.outer
	}
	return text
}

// streamTerm returns the term that stands for a stream.
func streamTerm(m *machine.Machine, s *stream) cell {
	return m.NewCompound(fStream, []cell{code.MakeInt(int64(s.id))})
}

var fStream = code.Functor("$stream", 1)

// culprit returns the term by which an error names a stream: an alias of a standard stream, or
// the stream term.
func (s *stream) culprit(m *machine.Machine) cell {
	if len(s.aliases) > 0 {
		return m.NewAtom(s.aliases[0])
	}
	return streamTerm(m, s)
}

// String names the stream in messages.
func (s *stream) String() string {
	if len(s.aliases) > 0 {
		return s.aliases[0]
	}
	return "$stream(" + strconv.Itoa(s.id) + ")"
}
