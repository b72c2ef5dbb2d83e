package builtin

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
)

// This file defines open/3,4 and the predicates of Edinburgh Prolog that open a file when they
// are given its name.

var openTable = []machine.Builtin{
	{Name: "see", Arity: 1, Func: see, Modes: "+file_or_stream", Doc: "Makes a file or stream the current input."},
	{Name: "seeing", Arity: 1, Func: seeing, Modes: "-stream", Doc: "Stream is the current input."},
	{Name: "seen", Arity: 0, Func: seen, Doc: "Closes the current input and returns to user_input."},
	{Name: "tell", Arity: 1, Func: tell, Modes: "+file_or_stream", Doc: "Makes a file or stream the current output."},
	{Name: "append", Arity: 1, Func: appendTo, Modes: "+file", Doc: "Makes the end of a file the current output."},
	{Name: "telling", Arity: 1, Func: telling, Modes: "-stream", Doc: "Stream is the current output."},
	{Name: "told", Arity: 0, Func: told, Doc: "Closes the current output and returns to user_output."},
}

func openStream(m *machine.Machine, a []cell) (bool, error) {
	s := &stream{eof: eofCode}
	var o openOptions
	if err := checkOpen(m, a, s, &o); err != nil {
		return false, err
	}
	x := ioOf(m)
	if err := x.needRoom(m); err != nil {
		return false, err
	}
	if err := openFile(m, s, a[0], &o); err != nil {
		return false, err
	}
	x.add(s)
	for _, name := range o.aliases {
		x.setAlias(name, s)
	}
	return m.Unify(a[2], streamTerm(m, s)), nil
}

// openOptions are the options of open/4 that are not kept in the stream itself.
type openOptions struct {
	aliases    []string
	buffer     int
	reposition cell // the option, when it is true
	culprit    cell // the last alias option
}

// checkOpen looks at the arguments of open/3,4 in the order of the standard.
func checkOpen(m *machine.Machine, a []cell, s *stream, o *openOptions) (err error) {
	source, mode := m.Deref(a[0]), m.Deref(a[1])
	if machine.IsVar(source) || machine.IsVar(mode) {
		return m.InstantiationError()
	}
	if s.mode, err = m.AtomArg(mode); err != nil {
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
	if s.file, ok = fileName(m, source); !ok {
		return m.DomainError("source_sink", source)
	}
	if s.mode != modeRead && s.mode != modeWrite && s.mode != modeAppend {
		return m.DomainError("io_mode", mode)
	}
	for _, name := range o.aliases {
		if ioOf(m).alias[name] != nil {
			return m.PermissionError("open", "source_sink", o.culprit)
		}
	}
	return nil
}

// fileName returns the file that a source_sink names: an atom, a string or a list of text.
func fileName(m *machine.Machine, c cell) (string, bool) {
	if c.Tag() == code.Atom && c != code.ANil {
		return machine.AtomText(c), true
	}
	if m.IsNumber(c) || c == code.ANil {
		return "", false
	}
	return m.TextOf(c)
}

// streamOptions reads the options of open/4.
func streamOptions(m *machine.Machine, list cell, s *stream, o *openOptions) error {
	return eachOption(m, list, "stream_option", func(opt option) (known bool, err error) {
		switch opt.name {
		case "type":
			var typ string
			typ, err = opt.oneOf(m, "text", "binary")
			s.binary = typ == "binary"
		case "reposition":
			s.reposition, err = opt.boolean(m)
			o.reposition = opt.term
		case "alias":
			var name string
			name, err = opt.atom(m)
			o.aliases, o.culprit = append(o.aliases, name), opt.term
		case "eof_action":
			s.eof, err = opt.oneOf(m, eofError, eofCode, eofReset)
		case "encoding":
			s.encoding, err = opt.oneOf(m, encodingNames...)
		case "newline":
			s.newline, err = opt.oneOf(m, "posix", "dos", "detect")
		case "buffer":
			o.buffer, err = opt.buffer(m)
		case "bom", "close_on_abort", "wait":
			_, err = opt.boolean(m)
		case "create", "lock", "locale", "compress", "file_errors":
		default:
			return false, nil
		}
		return true, err
	})
}

// buffer returns the value of a buffer option.
func (o option) buffer(m *machine.Machine) (int, error) {
	name, err := o.oneOf(m, "full", "line", "false")
	switch name {
	case "line":
		return bufferLine, err
	case "false":
		return bufferNone, err
	}
	return bufferFull, err
}

// openFile opens the file of a stream.
func openFile(m *machine.Machine, s *stream, source cell, o *openOptions) error {
	var err error
	if s.mode == modeRead {
		err = ioOf(m).openRead(s)
	} else {
		err = ioOf(m).openWrite(s, o.buffer)
	}
	switch {
	case err == nil:
		return nil
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
	errNoFiles     = errors.New("files are not accessible")
	errNotSeekable = errors.New("cannot be repositioned")
)

func (x *IO) openRead(s *stream) error {
	if x.opts.FS == nil {
		return errNoFiles
	}
	f, err := x.opts.FS.OpenRead(s.file)
	if err != nil {
		return err
	}
	if seeker, ok := f.(io.Seeker); ok && s.encoding != encodingLatin1 {
		s.seeker = seeker
	} else if s.reposition {
		f.Close()
		return errNotSeekable
	}
	s.closer, s.source = f, decoding(f, s.encoding)
	s.in = syntax.NewInput(s.file, s.source)
	return nil
}

func (x *IO) openWrite(s *stream, buffer int) error {
	if x.opts.OpenWrite == nil {
		return errNoFiles
	}
	if s.reposition {
		return errNotSeekable
	}
	f, err := x.opts.OpenWrite(s.file, s.mode == modeAppend)
	if err != nil {
		return err
	}
	s.closer = f
	s.out = newOutput(encoding(f, s.encoding), buffer)
	return nil
}

// The encodings that streams may have. All but Latin-1, in which a byte is a character, are
// read and written as UTF-8.
const encodingLatin1 = "iso_latin_1"

var encodingNames = []string{"utf8", "text", "ascii", encodingLatin1, "octet"}

// decoding returns a reader of UTF-8 for a reader of text in an encoding.
func decoding(r io.Reader, encoding string) io.Reader {
	if encoding != encodingLatin1 {
		return r
	}
	return &latin1Reader{r: bufio.NewReader(r)}
}

// encoding returns a writer that takes UTF-8 and writes text in an encoding.
func encoding(w io.Writer, encoding string) io.Writer {
	if encoding != encodingLatin1 {
		return w
	}
	return latin1Writer{w}
}

type latin1Reader struct{ r *bufio.Reader }

func (l *latin1Reader) Read(p []byte) (int, error) {
	n := 0
	for n+2 <= len(p) {
		b, err := l.r.ReadByte()
		if err != nil {
			if n > 0 {
				err = nil
			}
			return n, err
		}
		n += copy(p[n:], string(rune(b)))
	}
	return n, nil
}

type latin1Writer struct{ w io.Writer }

func (l latin1Writer) Write(p []byte) (int, error) {
	out := make([]byte, 0, len(p))
	for _, r := range string(p) {
		if r > 255 {
			r = '?'
		}
		out = append(out, byte(r))
	}
	if _, err := l.w.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// openNamed returns the stream that a predicate such as see/1 is given: an open stream, a file
// that is open in that direction already, or else a file to open now.
func openNamed(m *machine.Machine, c cell, mode string) (*stream, error) {
	c = m.Deref(c)
	x := ioOf(m)
	if c == code.AUser {
		if mode == modeRead {
			return x.userIn, nil
		}
		return x.userOut, nil
	}
	if isStreamTerm(m, c) || machine.IsVar(c) || c.Tag() == code.Atom && x.alias[machine.AtomText(c)] != nil {
		if mode == modeRead {
			return inputStream(m, c)
		}
		return outputStream(m, c)
	}
	name, ok := fileName(m, c)
	if !ok {
		return nil, m.DomainError("source_sink", c)
	}
	for _, s := range x.order {
		if s.file != "" && filepath.Clean(s.file) == filepath.Clean(name) && (s.in != nil) == (mode == modeRead) {
			return s, nil
		}
	}
	if err := x.needRoom(m); err != nil {
		return nil, err
	}
	s := &stream{eof: eofCode, mode: mode, file: name}
	if err := openFile(m, s, c, &openOptions{}); err != nil {
		return nil, err
	}
	return x.add(s), nil
}

func see(m *machine.Machine, a []cell) (bool, error) {
	s, err := openNamed(m, a[0], modeRead)
	if err == nil {
		ioOf(m).in = s
	}
	return err == nil, err
}

func seeing(m *machine.Machine, a []cell) (bool, error) {
	return m.Unify(a[0], streamTerm(m, ioOf(m).in)), nil
}

func seen(m *machine.Machine, _ []cell) (bool, error) {
	x := ioOf(m)
	s := x.in
	x.in = x.userIn
	return closeStream(m, []cell{streamTerm(m, s)})
}

func tell(m *machine.Machine, a []cell) (bool, error)     { return tellIn(m, a[0], modeWrite) }
func appendTo(m *machine.Machine, a []cell) (bool, error) { return tellIn(m, a[0], modeAppend) }

func tellIn(m *machine.Machine, c cell, mode string) (bool, error) {
	s, err := openNamed(m, c, mode)
	if err == nil {
		ioOf(m).out = s
	}
	return err == nil, err
}

func telling(m *machine.Machine, a []cell) (bool, error) {
	return m.Unify(a[0], streamTerm(m, ioOf(m).out)), nil
}

func told(m *machine.Machine, _ []cell) (bool, error) {
	x := ioOf(m)
	s := x.out
	x.out = x.userOut
	return closeStream(m, []cell{streamTerm(m, s)})
}
