package builtin

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stream"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
)

// This file defines open/3,4 and the predicates of Edinburgh Prolog that open a file by its name.
//
// Files are opened through the functions of IOOptions alone. Without them no file is accessible: goals of a knowledge
// base see the folders that its sandbox allows, and nothing else of the machine.

var openTable = []machine.Builtin{
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

// openOptions are the options of open/4 that the stream itself does not store. aliases are names for the stream, of
// which there may be several; buffer is one of stream.BufferFull and its kin.
type openOptions struct {
	aliases    []string
	buffer     int
	reposition cell // the option, when it is true
	culprit    cell // the last alias option
}

// checkOpen checks the arguments of open/3,4 in the order of the standard: unbound arguments first, then types, then
// domains, and the alias last. The file is not touched.
func checkOpen(m *machine.Machine, a []cell, s *stream.Stream, o *openOptions) (err error) {
	source, mode := m.Deref(a[0]), m.Deref(a[1])
	if machine.IsVar(source) || machine.IsVar(mode) {
		return m.InstantiationError()
	}
	if s.Mode, err = m.AtomArg(mode); err != nil {
		return err
	}
	if len(a) == 4 {
		if err := streamOptions(m, a[3], s, o); err != nil {
			return err
		}
	}
	if out := m.Deref(a[2]); !machine.IsVar(out) {
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
		return machine.AtomText(c), true
	}
	if m.IsNumber(c) || c == code.ANil {
		return "", false
	}
	return m.TextOf(c)
}

// streamOptions reads the options of open/4. Some options of SWI-Prolog are checked and have no effect here.
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
			s.Encoding, err = opt.OneOf(m, stream.Encodings...)
		case "newline":
			s.Newline, err = opt.OneOf(m, "posix", "dos", "detect")
		case "buffer":
			o.buffer, err = bufferOption(m, opt)
		case "bom", "close_on_abort", "wait":
			_, err = opt.Boolean(m)
		case "create", "lock", "locale", "compress", "file_errors":
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

// openFile opens the file of a stream. Errors become those of 8.11.5.3: a file that is not there is an existence error,
// everything else a permission error, with the message of the system in its context if it has one.
func openFile(m *machine.Machine, s *stream.Stream, source cell, o *openOptions) error {
	var err error
	if s.Mode == stream.ModeRead {
		err = ioOf(m).openRead(s)
	} else {
		err = ioOf(m).openWrite(s, o.buffer)
	}
	switch {
	case err == nil:
		return nil
	// The culprit is the option and not the file (8.11.5.3).
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

var (
	// Errors that openFile turns into permission errors of 8.11.5.3.
	errNoFiles     = errors.New("files are not accessible")
	errNotSeekable = errors.New("cannot be repositioned")
)

// openRead opens the file of an input. Latin-1 cannot be repositioned, because places are bytes of the decoded text.
func (x *IO) openRead(s *stream.Stream) error {
	if x.opts.FS == nil {
		return errNoFiles
	}
	f, err := x.opts.FS.OpenRead(x.At(s.File))
	if err != nil {
		return err
	}
	if seeker, ok := f.(io.Seeker); ok && s.Encoding != stream.Latin1 {
		s.Seeker = seeker
		if _, err := seeker.Seek(0, io.SeekCurrent); err == nil {
			s.Reposition = true // pipes have the method, and no places
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
func (x *IO) openWrite(s *stream.Stream, buffer int) error {
	if x.opts.OpenWrite == nil {
		return errNoFiles
	}
	if s.Reposition {
		return errNotSeekable
	}
	f, err := x.opts.OpenWrite(x.At(s.File), s.Mode == stream.ModeAppend)
	if err != nil {
		return err
	}
	s.Closer = f
	s.Out = stream.NewOutput(stream.Encode(f, s.Encoding), buffer)
	return nil
}

// openNamed returns the stream for the argument of a predicate such as see/1: an open stream or alias, user, a file
// that is already open in that direction, or else a file that it opens.
func openNamed(m *machine.Machine, c cell, mode string) (*stream.Stream, error) {
	c = m.Deref(c)
	x := ioOf(m)
	if c == code.AUser {
		if mode == stream.ModeRead {
			return x.UserIn, nil
		}
		return x.UserOut, nil
	}
	if stream.IsTerm(m, c) || machine.IsVar(c) || c.Tag() == code.Atom && x.Alias[machine.AtomText(c)] != nil {
		if mode == stream.ModeRead {
			return stream.FindInput(m, c)
		}
		return stream.FindOutput(m, c)
	}
	name, ok := fileName(m, c)
	if !ok {
		return nil, m.DomainError("source_sink", c)
	}
	// see/1 and tell/1 with the name of a file that is open go on where it stands, as in Edinburgh Prolog. The direction
	// must be the same.
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

// see is see/1 of Edinburgh Prolog: it changes the current input, and leaves the old one open.
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

// endSeeing is seen/0: it closes the current input and goes back to user_input.
func endSeeing(m *machine.Machine, _ []cell) (bool, error) {
	x := ioOf(m)
	s := x.In
	x.In = x.UserIn
	return closeStream(m, []cell{stream.Term(m, s)})
}

// tell is tell/1: it changes the current output. told/0 closes it.
func tell(m *machine.Machine, a []cell) (bool, error) { return tellIn(m, a[0], stream.ModeWrite) }

// appendTo is append/1.
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

// endTelling is told/0: it closes the current output and goes back to user_output.
func endTelling(m *machine.Machine, _ []cell) (bool, error) {
	x := ioOf(m)
	s := x.Out
	x.Out = x.UserOut
	return closeStream(m, []cell{stream.Term(m, s)})
}
