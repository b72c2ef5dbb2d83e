// Package stream holds the streams of a run with their positions. It also finds the stream that an argument of a
// predicate names.
//
// A [Table] holds the open streams of a run. The machine's IO has one, which [Of] returns. A [Stream] reads through a
// syntax.Input or writes through an [Output]. [From], [To] and [On] make a predicate from a function on a stream.
// [EachOption] reads option lists, and sinks take output in memory. Only the goroutine of the machine may use them.
package stream

import (
	"context"
	"io"
	"slices"
	"strconv"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
)

type cell = code.Cell

// This file defines the table of the open streams of a run, with the current ones.

// Table holds the open streams of a run, by number and by alias. A nil table has none.
type Table struct {
	Order    []*Stream // in the order of opening, with rising numbers
	Alias    map[string]*Stream
	nextID   int
	In, Out  *Stream // current
	UserIn   *Stream
	UserOut  *Stream
	UserErr  *Stream
	captures []capture
	Prompt   string
	terminal bool // see Renew
	user     *userReader
}

// DefaultPrompt is shown when a goal reads from a terminal.
const DefaultPrompt = "|: "

// New returns the table of a new run, with the three standard streams. A nil reader is empty, a nil writer discards.
// At a terminal output is flushed after each line, and a prompt is shown when the goal reads.
func New(in io.Reader, out, errors io.Writer, terminal bool) *Table {
	x := &Table{Alias: map[string]*Stream{}, Prompt: DefaultPrompt}
	x.UserIn = x.Add(&Stream{Mode: ModeRead, EOFAction: EOFReset})
	x.UserOut = x.Add(&Stream{Mode: ModeAppend, Out: NewOutput(nil, BufferFull)})
	x.UserErr = x.Add(&Stream{Mode: ModeAppend, Out: NewOutput(nil, BufferNone)})
	x.Renew(in, out, errors, terminal)
	x.restoreStandard()
	x.In, x.Out = x.UserIn, x.UserOut
	return x
}

// Renew replaces the readers and writers of the standard streams, for a run that continues with the streams of the
// one before.
func (x *Table) Renew(in io.Reader, out, errors io.Writer, terminal bool) {
	x.user = &userReader{x: x, r: in}
	x.UserIn.In, x.UserIn.Past = syntax.NewInput("user_input", x.user), false
	x.UserIn.parser = nil
	x.UserOut.Out.w, x.UserErr.Out.w = out, errors
	if x.terminal != terminal {
		x.terminal, x.UserIn.TTY, x.UserOut.TTY, x.UserErr.TTY = terminal, terminal, terminal, terminal
		x.UserOut.Out.Buffer = map[bool]int{true: BufferLine, false: BufferFull}[terminal]
	}
}

// Open returns the streams that goals have opened and not closed, in their order.
func (x *Table) Open() []*Stream {
	if x == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(x.Order), func(s *Stream) bool {
		return s == x.UserIn || s == x.UserOut || s == x.UserErr
	})
}

// Rest ends a run whose streams the next run uses. It ends outputs in memory and flushes all others.
func (x *Table) Rest() {
	if x == nil {
		return
	}
	for x.Captured() != nil {
		x.EndCapture()
	}
	_ = x.Flush() // the next write to the stream gets the error
}

// Of returns the streams of the run of a machine. The IO of the machine holds them.
func Of(m *machine.Machine) *Table {
	return m.IO.(interface{ Streams() *Table }).Streams()
}

// Streams returns the table itself. By this method the machine's IO, which embeds a table, gives access to it.
func (x *Table) Streams() *Table { return x }

// WithTerm returns the open stream that a dereferenced stream term stands for, nil when there is none.
func (x *Table) WithTerm(m *machine.Machine, c cell) *Stream {
	id := int(m.Deref(m.Arg(c, 0)).Int())
	if i, found := slices.BinarySearchFunc(x.Order, id, func(s *Stream, id int) int { return s.id - id }); found {
		return x.Order[i]
	}
	return nil
}

// maxStreams bounds the open streams of a run, and their aliases. Texts that with_output_to/2 collects do not count.
const maxStreams = 1000

// NeedRoom fails when no more streams or names of streams may be added.
func (x *Table) NeedRoom(m *machine.Machine) error {
	if len(x.Order)-len(x.captures) >= maxStreams || len(x.Alias) >= maxStreams {
		return m.ResourceError("streams")
	}
	return nil
}

// Add enters a stream under a new number.
func (x *Table) Add(s *Stream) *Stream {
	s.id = x.nextID
	x.nextID++
	x.Order = append(x.Order, s)
	return s
}

// SetAlias gives a stream an alias, which another stream loses.
func (x *Table) SetAlias(name string, s *Stream) {
	if old := x.Alias[name]; old != nil {
		old.dropAlias(name)
	}
	x.Alias[name] = s
	s.Aliases = append(s.Aliases, name)
}

// Remove removes a closed stream. If it was a current stream, the standard stream becomes current.
func (x *Table) Remove(s *Stream) {
	for i, t := range slices.Backward(x.Order) { // the newest is often the first to go
		if t == s {
			x.Order = slices.Delete(x.Order, i, i+1)
			break
		}
	}
	for _, name := range s.Aliases {
		delete(x.Alias, name)
	}
	if len(s.Aliases) > 0 {
		x.restoreStandard()
	}
	if x.In == s {
		x.In = x.UserIn
	}
	if x.Out == s {
		x.Out = x.UserOut
	}
}

// restoreStandard gives the alias of a standard stream back to it when the stream that has the alias is closed.
func (x *Table) restoreStandard() {
	for _, s := range []struct {
		name string
		to   *Stream
	}{{"user_input", x.UserIn}, {"user_output", x.UserOut}, {"user_error", x.UserErr}} {
		if x.Alias[s.name] == nil {
			x.SetAlias(s.name, s.to)
		}
	}
}

// Flush writes all buffered output. The owner of the machine calls it when the run pauses or ends.
func (x *Table) Flush() error {
	if x == nil {
		return nil
	}
	var first error
	for _, s := range x.Order {
		if s.Out == nil {
			continue
		}
		if err := s.Out.Flush(); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// Close flushes and closes every stream that the run has opened.
func (x *Table) Close() error {
	first := x.Flush()
	for _, s := range slices.Backward(x.Open()) {
		if err := s.Close(); err != nil && first == nil {
			first = err
		}
		x.Remove(s)
	}
	return first
}

// Column returns the column of user_output, from 0. A REPL needs it to begin a new line.
func (x *Table) Column() int { return x.UserOut.Out.Column }

// userReader reads the input of the run. Before it waits it shows buffered output and the prompt.
type userReader struct {
	x    *Table
	r    io.Reader
	m    *machine.Machine // that reads
	got  chan []byte      // receives what a goroutine reads; nil: no goroutine reads
	rest []byte           // the bytes that were read and not returned
	err  error            // the error after rest
}

// ContextReader is a reader whose reads end with a context. A goroutine reads from other readers; it goes on when the
// goal ends.
type ContextReader interface {
	ReadContext(ctx context.Context, p []byte) (int, error)
}

// Read reads for the goal. It ends the built-in that reads if the run or a limit within it ends, or if the buffered
// input exceeds the memory limit.
func (u *userReader) Read(p []byte) (n int, err error) {
	if u.r == nil {
		return 0, io.EOF
	}
	u.m.PollHolding(u.x.UserIn.In.Size())
	if u.x.UserIn.TTY {
		if u.x.UserOut.Out.Column == 0 {
			_ = u.x.UserOut.Out.put(u.x.Prompt)
		}
		_ = u.x.UserOut.Out.Flush()
		u.x.UserOut.Out.Column = 0 // the user ends the line
	}
	if r, is := u.r.(ContextReader); is {
		machine.Wait(u.m, func(ctx context.Context) bool {
			n, err = r.ReadContext(ctx, p)
			return n > 0 || ctx.Err() == nil
		})
		return n, err
	}
	if len(u.rest) == 0 {
		machine.Wait(u.m, u.await)
	}
	n = copy(p, u.rest)
	if u.rest = u.rest[n:]; len(u.rest) > 0 {
		return n, nil
	}
	return n, u.err
}

// await waits for the goroutine, and reports whether it has read something.
func (u *userReader) await(ctx context.Context) bool {
	if u.got == nil {
		u.got = make(chan []byte, 1)
		go func(got chan<- []byte) {
			const most = 1 << 12
			data := make([]byte, most)
			n, err := u.r.Read(data)
			u.err = err
			got <- data[:n]
		}(u.got)
	}
	select {
	case u.rest = <-u.got:
		u.got = nil
		return true
	case <-ctx.Done():
		return false
	}
}

// capture is an output that with_output_to/2 collects in memory.
type capture struct {
	outer *Stream // the current output before
	to    *Stream
}

// Capture makes a new output in memory the current output.
func (x *Table) Capture(most int) {
	s := x.Add(memories.Get().(*Stream))
	s.Out.most = most
	x.captures = append(x.captures, capture{outer: x.Out, to: s})
	x.Out = s
}

// Captured returns the innermost output in memory, nil when there is none.
func (x *Table) Captured() *Stream {
	if n := len(x.captures); n > 0 {
		return x.captures[n-1].to
	}
	return nil
}

// IsCapture reports whether a stream is an output in memory that has not ended.
func (x *Table) IsCapture(s *Stream) bool {
	return slices.ContainsFunc(x.captures, func(c capture) bool { return c.to == s })
}

// EndCapture ends the innermost output in memory. It makes the output before it current again if that is still open.
func (x *Table) EndCapture() {
	n := len(x.captures) - 1
	c := x.captures[n]
	x.captures = x.captures[:n]
	x.Remove(c.to)
	x.Out = x.UserOut
	if slices.Contains(x.Order, c.outer) {
		x.Out = c.outer
	}
}

// Term returns the term that stands for a stream.
func Term(m *machine.Machine, s *Stream) cell {
	return m.NewCompound(fStream, []cell{code.MakeInt(int64(s.id))})
}

var fStream = code.Functor("$stream", 1)

// Culprit returns the term that names a stream in an error: the alias of a standard stream, or the stream term.
func (s *Stream) Culprit(m *machine.Machine) cell {
	if len(s.Aliases) > 0 {
		return m.NewAtom(s.Aliases[0])
	}
	return Term(m, s)
}

// String names the stream in messages.
func (s *Stream) String() string {
	if len(s.Aliases) > 0 {
		return s.Aliases[0]
	}
	return "$stream(" + strconv.Itoa(s.id) + ")"
}
