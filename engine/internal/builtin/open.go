package builtin

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/internal/stream"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
)

// This file defines the opening, flushing and closing of streams (ISO 13211-1, 8.11), and the predicates of Edinburgh
// Prolog that open a file by its name.
//
// Files are opened through the functions of IOOptions alone. Without them no file is accessible: goals of a knowledge
// base see only the folders that its sandbox allows.

var openTable = []machine.Builtin{
	{Name: "open", Arity: 3, Func: openStream, Modes: "+source_sink, +io_mode, -stream", Doc: "Opens a file."},
	{Name: "open", Arity: 4, Func: openStream, Modes: "+source_sink, +io_mode, -stream, +options",
		Doc: "Opens a file with options."},
	{Name: "close", Arity: 1, Func: closeStream, Modes: "+stream", Doc: "Closes a stream."},
	{Name: "close", Arity: 2, Func: closeStream, Modes: "+stream, +options",
		Doc: "Closes a stream; force(true) disregards errors."},
	{Name: "flush_output", Arity: 0, Func: stream.ToCurrent(flushOutput),
		Doc: "Flushes the current output."},
	{Name: "flush_output", Arity: 1, Func: stream.To(flushOutput), Modes: "+stream",
		Doc: "Flushes a stream."},
	{Name: "ttyflush", Arity: 0, Func: ttyFlush, Doc: "Flushes user_output."},
	{Name: "see", Arity: 1, Func: see, Modes: "+file_or_stream", Doc: "Makes a file or stream the current input."},
	{Name: "seeing", Arity: 1, Func: seeing, Modes: "-stream", Doc: "Stream is the current input."},
	{Name: "seen", Arity: 0, Func: endSeeing, Doc: "Closes the current input and returns to user_input."},
	{Name: "tell", Arity: 1, Func: tell, Modes: "+file_or_stream", Doc: "Makes a file or stream the current output."},
	{Name: "append", Arity: 1, Func: appendTo, Modes: "+file", Doc: "Makes the end of a file the current output."},
	{Name: "telling", Arity: 1, Func: telling, Modes: "-stream", Doc: "Stream is the current output."},
	{Name: "told", Arity: 0, Func: endTelling, Doc: "Closes the current output and returns to user_output."},
}

// openStream is open/3,4 (ISO 13211-1, 8.11.5). All arguments are checked before the file is opened, so an error
// leaves no open file behind.
func openStream(m *machine.Machine, a []cell) (bool, error) {
	s := &stream.Stream{EOFAction: stream.EOFCode}
	var o openOptions
	if err := checkOpen(m, a, s, &o); err != nil {
		return false, err
	}
	x := ioOf(m)
	if err := x.NeedRoom(m); err != nil {
		return false, err
	}
	if err := openFile(m, s, a[0], &o); err != nil {
		return false, err
	}
	x.Add(s)
	for _, name := range o.aliases {
		x.SetAlias(name, s)
	}
	return m.Unify(a[2], stream.Term(m, s)), nil
}

// openOptions are the options of open/4 that the stream itself does not store. aliases are the names of the stream;
// buffer is a constant such as stream.BufferFull.
type openOptions struct {
	aliases    []string
	buffer     int
	mark       bool // the byte order mark is written
	reposition cell // the option, when it is true
	culprit    cell // the last alias option
}

// checkOpen checks the arguments of open/3,4 in the order of the standard: unbound arguments first, then types, then
// domains, and the alias last. The file is not touched.
func checkOpen(m *machine.Machine, a []cell, s *stream.Stream, o *openOptions) (err error) {
	source, mode := m.Deref(a[0]), m.Deref(a[1])
	if stacks.IsVar(source) || stacks.IsVar(mode) {
		return m.InstantiationError()
	}
	if s.Mode, err = m.AtomArg(mode); err != nil {
		return err
	}
	if len(a) == 4 {
		if err := streamOptions(m, a[3], s, o); err != nil {
			return err
		}
		if s.Binary && s.Encoding != "" && s.Encoding != "octet" { // bytes are no characters
			return m.DomainError("encoding", m.NewAtom(s.Encoding))
		}
	}
	if s.Binary {
		s.Encoding = ""
	}
	if out := m.Deref(a[2]); !stacks.IsVar(out) {
		return m.UninstantiationError(out)
	}
	var ok bool
	if s.File, ok = fileName(m, source); !ok {
		return m.DomainError("source_sink", source)
	}
	if s.Mode != stream.ModeRead && s.Mode != stream.ModeWrite && s.Mode != stream.ModeAppend {
		return m.DomainError("io_mode", mode)
	}
	for _, name := range o.aliases {
		if ioOf(m).Alias[name] != nil {
			return m.PermissionError("open", "source_sink", o.culprit)
		}
	}
	return nil
}

// fileName returns the file that a source_sink names: an atom, a string or a list of text. ok is false for numbers and
// for [], and for terms that are no text.
func fileName(m *machine.Machine, c cell) (string, bool) {
	if c.Tag() == code.Atom && c != code.ANil {
		return stacks.AtomText(c), true
	}
	if m.IsNumber(c) || c == code.ANil {
		return "", false
	}
	return m.TextOf(c)
}

// streamOptions reads the options of open/4. Some options of SWI-Prolog are checked but have no effect. If an option is
// repeated the last value counts, except that all aliases are kept.
func streamOptions(m *machine.Machine, list cell, s *stream.Stream, o *openOptions) error {
	return stream.EachOption(m, list, "stream_option", func(opt stream.Option) (known bool, err error) {
		switch opt.Name {
		case "type":
			var typ string
			typ, err = opt.OneOf(m, "text", "binary")
			s.Binary = typ == "binary"
		case "reposition":
			s.Reposition, err = opt.Boolean(m)
			o.reposition = opt.Term
		case "alias":
			var name string
			name, err = opt.Atom(m)
			o.aliases, o.culprit = append(o.aliases, name), opt.Term
		case "eof_action":
			s.EOFAction, err = opt.OneOf(m, stream.EOFError, stream.EOFCode, stream.EOFReset)
		case "encoding":
			s.Encoding, err = opt.OneOf(m, slices.Concat(stream.Encodings, slices.Collect(maps.Keys(ianaEncodings)))...)
			s.Encoding = cmp.Or(ianaEncodings[s.Encoding], strings.Replace(s.Encoding, "unicode_", "utf16", 1))
		case "newline":
			s.Newline, err = opt.OneOf(m, "posix", "dos", "detect")
		case "buffer":
			o.buffer, err = bufferOption(m, opt)
		case "bom":
			o.mark, err = opt.Boolean(m)
		case "close_on_abort", "wait":
			_, err = opt.Boolean(m)
		case "lock":
			_, err = opt.OneOf(m, "none", "read", "shared", "write", "exclusive")
		case "create", "locale", "compress", "file_errors":
		default:
			return false, nil
		}
		return true, err
	})
}

// bufferOption returns the value of a buffer option.
func bufferOption(m *machine.Machine, o stream.Option) (int, error) {
	name, err := o.OneOf(m, "full", "line", "false")
	switch name {
	case "line":
		return stream.BufferLine, err
	case "false":
		return stream.BufferNone, err
	}
	return stream.BufferFull, err
}

// openFile opens the file of a stream. Errors become those of 8.11.5.3: a missing file is an existence error, any other
// failure a permission error. The context has the message of the system, if there is one.
func openFile(m *machine.Machine, s *stream.Stream, source cell, o *openOptions) error {
	var err error
	if s.Mode == stream.ModeRead {
		err = ioOf(m).openRead(s)
	} else {
		err = ioOf(m).openWrite(s, o)
	}
	switch {
	case err == nil:
		return nil
	// The error names the option and not the file as culprit (8.11.5.3).
	case errors.Is(err, errNotSeekable):
		return m.PermissionError("open", "source_sink", o.reposition)
	case errors.Is(err, fs.ErrNotExist):
		return m.ExistenceError("source_sink", source)
	case errors.Is(err, errNoFiles):
		return m.PermissionError("open", "source_sink", source)
	}
	formal := m.NewStruct("permission_error", m.NewAtom("open"), m.NewAtom("source_sink"), source)
	return m.ErrorMessage(formal, err.Error())
}

// nullDevice is a file that every run has, whatever files it may access. It is always empty.
const nullDevice = "/dev/null"

var (
	// Errors that openFile turns into permission errors of 8.11.5.3.
	errNoFiles     = errors.New("files are not accessible")
	errNotSeekable = errors.New("cannot be repositioned")
)

// ianaEncodings maps the IANA names of encodings, which open/4 accepts too.
var ianaEncodings = map[string]string{"UTF-8": "utf8", "ISO-8859-1": stream.Latin1, "UTF-16LE": "utf16le",
	"UTF-16BE": "utf16be"}

// openRead opens the file of an input. Inputs with other encodings than UTF-8 cannot be repositioned, because positions
// are byte offsets in the decoded text.
func (x *IO) openRead(s *stream.Stream) error {
	if s.File == nullDevice {
		s.In = syntax.NewTextInput(s.File, "")
		return nil
	}
	files := x.files()
	if files == nil {
		return errNoFiles
	}
	f, err := files.OpenRead(x.At(s.File))
	if err != nil {
		return err
	}
	if seeker, ok := f.(io.Seeker); ok && stream.IsUTF8(s.Encoding) {
		s.Seeker = seeker
		if _, err := seeker.Seek(0, io.SeekCurrent); err == nil {
			s.Reposition = true // pipes have the method, but no positions
		}
	} else if s.Reposition {
		f.Close()
		return errNotSeekable
	}
	s.Closer, s.Source = f, stream.Decode(f, s.Encoding)
	s.In = syntax.NewInput(s.File, s.Source)
	return nil
}

// openWrite opens the file of an output. Outputs cannot be repositioned.
func (x *IO) openWrite(s *stream.Stream, o *openOptions) error {
	if s.Reposition {
		return errNotSeekable
	}
	if s.File == nullDevice {
		s.Out = stream.NewOutput(nil, o.buffer)
		return nil
	}
	if x.opts.OpenWrite == nil || x.restricted {
		return errNoFiles
	}
	f, err := x.opts.OpenWrite(x.At(s.File), s.Mode == stream.ModeAppend)
	if err != nil {
		return err
	}
	s.Closer = f
	s.Out = stream.NewEncoded(f, s.Encoding, o.buffer)
	marked := []string{"", "utf8", "utf16le", "utf16be", "wchar_t"}
	if o.mark && s.Mode == stream.ModeWrite && !s.Binary && slices.Contains(marked, s.Encoding) {
		if _, err := io.WriteString(stream.Encode(f, s.Encoding), "\ufeff"); err != nil {
			return err
		}
	}
	return nil
}

// closeStream is close/1,2 (ISO 13211-1, 8.11.6). Closing a standard stream leaves it open, as 8.11.6.1 asks. The goal
// of with_output_to/2 cannot close the text in memory that collects its output. Closing a stream pair first closes both
// parts. It checks the options before the stream.
func closeStream(m *machine.Machine, a []cell) (bool, error) {
	force := false
	if len(a) == 2 {
		var err error
		if force, err = closeOptions(m, a[1]); err != nil {
			return false, err
		}
	}
	s, err := stream.Find(m, a[0])
	if err != nil {
		return false, err
	}
	x := ioOf(m)
	switch s {
	case x.UserIn:
		return true, nil
	case x.UserOut, x.UserErr:
		return flushOutput(m, s, nil)
	}
	for _, part := range append(slices.Clone(s.Pair), s) {
		if x.IsCapture(part) {
			return false, m.PermissionError("close", "stream", m.Deref(a[0]))
		}
	}
	for _, part := range s.Pair {
		if err := closeOne(m, part); err != nil && !force {
			return false, err
		}
	}
	if err := closeOne(m, s); err != nil && !force {
		return false, err
	}
	return true, nil
}

// closeOne closes a stream that is not one of the standard streams, unless it is closed.
func closeOne(m *machine.Machine, s *stream.Stream) error {
	x := ioOf(m)
	if s == x.UserIn || s == x.UserOut || s == x.UserErr || !slices.Contains(x.Order, s) {
		return nil
	}
	// Once removed, a stream has no name for an error.
	culprit := s.Culprit(m)
	x.Remove(s)
	// Releasing memory cannot fail.
	_ = m.Hold(-s.Held)
	if err := s.Close(); err != nil {
		return m.ErrorMessage(m.NewStruct("io_error", m.NewAtom("close"), culprit), err.Error())
	}
	return nil
}

// closeOptions returns the value of the option force (ISO 13211-1, 7.10.2.12). It lets close/2 succeed when
// the last output cannot be written.
func closeOptions(m *machine.Machine, list cell) (force bool, err error) {
	err = stream.EachOption(m, list, "close_option", func(o stream.Option) (bool, error) {
		if o.Name != "force" {
			return false, nil
		}
		force, err = o.Boolean(m)
		return true, err
	})
	return force, err
}

// flushOutput is flush_output/0,1 (ISO 13211-1, 8.11.7). Errors of the medium appear here and not at the write.
func flushOutput(m *machine.Machine, s *stream.Stream, _ []cell) (bool, error) {
	if err := s.Out.Flush(); err != nil {
		return false, stream.IOError(m, "write", s, err)
	}
	return true, nil
}

// ttyFlush is ttyflush/0. It flushes user_output, whatever the current output is.
func ttyFlush(m *machine.Machine, _ []cell) (bool, error) {
	return flushOutput(m, ioOf(m).UserOut, nil)
}

// openNamed returns the stream for the argument of a predicate such as see/1: an open stream or alias, user, a file
// that is already open in that direction, or else a file that it opens. An unbound argument is an instantiation error.
// Streams that it opens are text in UTF-8, with no options.
func openNamed(m *machine.Machine, c cell, mode string) (*stream.Stream, error) {
	c = m.Deref(c)
	x := ioOf(m)
	if c == code.AUser {
		if mode == stream.ModeRead {
			return x.UserIn, nil
		}
		return x.UserOut, nil
	}
	if stream.IsTerm(m, c) || stacks.IsVar(c) || c.Tag() == code.Atom && x.Alias[stacks.AtomText(c)] != nil {
		if mode == stream.ModeRead {
			return stream.FindInput(m, c)
		}
		return stream.FindOutput(m, c)
	}
	name, ok := fileName(m, c)
	if !ok {
		return nil, m.DomainError("source_sink", c)
	}
	// see/1 and tell/1 with the name of an open file continue at its current position, as in Edinburgh Prolog. The
	// direction must be the same.
	for _, s := range x.Order {
		if s.File != "" && filepath.Clean(s.File) == filepath.Clean(name) && (s.In != nil) == (mode == stream.ModeRead) {
			return s, nil
		}
	}
	if err := x.NeedRoom(m); err != nil {
		return nil, err
	}
	s := &stream.Stream{EOFAction: stream.EOFCode, Mode: mode, File: name}
	if err := openFile(m, s, c, &openOptions{}); err != nil {
		return nil, err
	}
	return x.Add(s), nil
}

// see is see/1 of Edinburgh Prolog: it changes the current input and leaves the old input open.
func see(m *machine.Machine, a []cell) (bool, error) {
	s, err := openNamed(m, a[0], stream.ModeRead)
	if err == nil {
		ioOf(m).In = s
	}
	return err == nil, err
}

// seeing is seeing/1: the current input.
func seeing(m *machine.Machine, a []cell) (bool, error) {
	return m.Unify(a[0], stream.Term(m, ioOf(m).In)), nil
}

// endSeeing is seen/0: it closes the current input and makes user_input current.
func endSeeing(m *machine.Machine, _ []cell) (bool, error) {
	x := ioOf(m)
	s := x.In
	x.In = x.UserIn
	return closeStream(m, []cell{stream.Term(m, s)})
}

// tell is tell/1: it changes the current output. told/0 closes it.
func tell(m *machine.Machine, a []cell) (bool, error) { return tellIn(m, a[0], stream.ModeWrite) }

// appendTo is append/1. It comes from Edinburgh Prolog: tell/1 that appends to the file.
func appendTo(m *machine.Machine, a []cell) (bool, error) { return tellIn(m, a[0], stream.ModeAppend) }

// tellIn makes the stream of a file the current output.
func tellIn(m *machine.Machine, c cell, mode string) (bool, error) {
	s, err := openNamed(m, c, mode)
	if err == nil {
		ioOf(m).Out = s
	}
	return err == nil, err
}

// telling is telling/1: the current output.
func telling(m *machine.Machine, a []cell) (bool, error) {
	return m.Unify(a[0], stream.Term(m, ioOf(m).Out)), nil
}

// endTelling is told/0: it closes the current output and makes user_output current.
func endTelling(m *machine.Machine, _ []cell) (bool, error) {
	x := ioOf(m)
	s := x.Out
	x.Out = x.UserOut
	return closeStream(m, []cell{stream.Term(m, s)})
}
