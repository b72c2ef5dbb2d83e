package builtin

import (
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/internal/stream"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
)

// This file defines the input of whole lines and texts: the parts in Go of library(readutil), and read_string/3,5.

var readTextTable = []machine.Builtin{
	{Name: "read_string", Arity: 3, Func: stream.From(readString), Modes: "+stream, ?length, -string",
		Doc: "String is the next Length characters of a stream, all the rest when Length is unbound."},
	{Name: "read_string", Arity: 5, Func: stream.From(readStringUntil),
		Modes: "+stream, +separators, +pad, -separator, -string",
		Doc:   "String is the text up to a separator character, without the padding around it."},
	{Name: "$read_line", Arity: 2, Func: stream.From(readLine), Modes: "+stream, -string",
		Doc: "String is the next line of a stream without its end, or end_of_file."},
	{Name: "$read_record", Arity: 4, Func: stream.From(readRecord), Modes: "+stream, +separator, +quotes, -string",
		Doc: "String is the next record of comma-separated values, without the end of its last line, or end_of_file."},
	{Name: "peek_string", Arity: 3, Func: stream.From(peekString), Modes: "+stream, +length, -string",
		Doc: "String has the next characters of a stream, without reading them."},
	{Name: "open_string", Arity: 2, Func: openString, Modes: "+text, -stream", Doc: "Opens a text as an input stream."},
	{Name: "open_null_stream", Arity: 1, Func: openNull, Modes: "-stream",
		Doc: "Opens an output stream that only counts what is written."},
	{Name: "copy_stream_data", Arity: 2, Func: stream.From(copyStream), Modes: "+from, +to",
		Doc: "Copies the rest of an input stream to an output stream."},
	{Name: "copy_stream_data", Arity: 3, Func: stream.From(copyStream), Modes: "+from, +to, +length",
		Doc: "Copies Length characters of an input stream to an output stream."},
}

// readUntil reads characters up to and including one for which stop is true, at most limit of them when limit is not
// negative. The text does not include the stop character, which is returned in last. last is EndOfInput at the end of
// the input, and 0 when the limit ended the text. As the input may be endless, it charges for every eight characters,
// and the buffer counts as memory while it grows.
func readUntil(m *machine.Machine, s *stream.Stream, limit int, stop func(rune) bool) (text string, last rune,
	err error) {
	var b []byte
	held := 0
	defer func() { _ = m.Hold(-held) }()
	for n := 0; n != limit; n++ {
		if b, err = machine.Grow(m, b, utf8.UTFMax, &held); err != nil {
			return "", 0, err
		}
		if n&7 == 0 {
			if err := m.Charge(1); err != nil {
				return "", 0, err
			}
		}
		r, err := s.ReadChar(m)
		if err != nil {
			return "", 0, err
		}
		if r == stream.EndOfInput || stop(r) {
			return unsafe.String(unsafe.SliceData(b), len(b)), r, nil
		}
		b = utf8.AppendRune(b, r)
	}
	return unsafe.String(unsafe.SliceData(b), len(b)), 0, nil
}

// never is a stop function for readUntil that is always false.
func never(rune) bool { return false }

// readString is read_string/3. An unbound length stands for the rest of the input and is then unified with its length.
// The length is in characters, not bytes. The errors come in this order: the type of the length, a negative one, a
// binary stream.
func readString(m *machine.Machine, s *stream.Stream, a []cell) (bool, error) {
	limit := -1
	if c := m.Deref(a[0]); !stacks.IsVar(c) {
		var err error
		if limit, err = m.IntArg(c); err != nil {
			return false, err
		}
		if limit < 0 {
			return false, m.TypeError("not_less_than_zero", c)
		}
	}
	if err := s.NeedText(m, "input"); err != nil {
		return false, err
	}
	text, _, err := readUntil(m, s, limit, never)
	if err != nil {
		return false, err
	}
	n := code.MakeInt(int64(len([]rune(text))))
	return m.Unify(a[1], m.NewString(text)) && (limit >= 0 || m.Unify(a[0], n)), nil
}

// readStringUntil is read_string/5. It unifies the separator that ended the text as a code, -1 at the end of the input.
// It removes the padding after reading, so the padding may contain separators. The errors come in this order: the
// separators, the padding, a binary stream.
func readStringUntil(m *machine.Machine, s *stream.Stream, a []cell) (bool, error) {
	separators, ok := m.TextOf(a[0])
	if !ok {
		return false, m.TypeError("text", a[0])
	}
	pad, ok := m.TextOf(a[1])
	if !ok {
		return false, m.TypeError("text", a[1])
	}
	if err := s.NeedText(m, "input"); err != nil {
		return false, err
	}
	text, last, err := readUntil(m, s, -1, func(r rune) bool { return strings.ContainsRune(separators, r) })
	if err != nil {
		return false, err
	}
	text = strings.Trim(text, pad)
	return m.Unify(a[2], code.MakeInt(int64(last))) && m.Unify(a[3], m.NewString(text)), nil
}

// readLine is $read_line/2, the part in Go of read_line_to_string/2 and read_line_to_codes/2. A line ends with a
// newline, or a carriage return and a newline, neither of which it contains. The last line may lack its end; the result
// is end_of_file only if no character is left.
func readLine(m *machine.Machine, s *stream.Stream, a []cell) (bool, error) {
	if err := s.NeedText(m, "input"); err != nil {
		return false, err
	}
	text, last, err := readUntil(m, s, -1, func(r rune) bool { return r == '\n' })
	if err != nil {
		return false, err
	}
	if last == stream.EndOfInput && text == "" {
		return m.Unify(a[0], code.AEOF), nil
	}
	return m.Unify(a[0], m.NewString(strings.TrimSuffix(text, "\r"))), nil
}

// readRecord is $read_record/4, the part in Go of csv_read_row/3. A line ends with a newline, a carriage return or
// both. A line end between quotes belongs to the record. Quotes count only in a field that begins with a quote.
func readRecord(m *machine.Machine, s *stream.Stream, a []cell) (bool, error) {
	separator, err := m.IntArg(a[0])
	if err != nil {
		return false, err
	}
	quotes := m.Deref(a[1]) == code.ATrue
	if err := s.NeedText(m, "input"); err != nil {
		return false, err
	}
	begins, quoted := true, false // a field begins; the position is between quotes
	closed := false               // after a closing quote or the first of two quotes
	text, last, err := readUntil(m, s, -1, func(r rune) bool {
		switch {
		case !quoted && (r == '\n' || r == '\r'):
			return true
		case quoted:
			quoted, closed = r != '"', r == '"'
		case r == '"' && quotes && (begins || closed):
			quoted, begins = true, false
		default:
			begins, closed = int(r) == separator, false
		}
		return false
	})
	if err != nil {
		return false, err
	}
	if last == stream.EndOfInput && text == "" {
		return m.Unify(a[2], code.AEOF), nil
	}
	if last == '\r' {
		next, err := s.PeekChar(m)
		if err == nil && next == '\n' {
			_, err = s.ReadChar(m)
		}
		if err != nil {
			return false, err
		}
	}
	return m.Unify(a[2], m.NewString(text)), nil
}

// peekString is peek_string/3. It does not wait for more input than the buffer holds, so the text may be shorter than
// requested.
func peekString(m *machine.Machine, s *stream.Stream, a []cell) (bool, error) {
	n, err := m.IntArg(a[0])
	if err != nil {
		return false, err
	}
	if err := s.NeedText(m, "input"); err != nil {
		return false, err
	}
	if err := s.BeforeRead(m); err != nil {
		return false, err
	}
	text := s.In.PeekText(n)
	if err := machine.Fits(m, len(text)); err != nil {
		return false, err
	}
	return m.Unify(a[1], m.NewString(text)), nil
}

// openString is open_string/2. The text counts as memory of the run until the stream is closed. It checks the number of
// streams and the memory first, so that an error leaves nothing behind.
func openString(m *machine.Machine, a []cell) (bool, error) {
	text, ok := m.TextOf(a[0])
	if !ok {
		return false, m.TypeError("text", a[0])
	}
	x := ioOf(m)
	if err := x.NeedRoom(m); err != nil {
		return false, err
	}
	if err := m.Hold(len(text)); err != nil {
		return false, err
	}
	s := &stream.Stream{Mode: stream.ModeRead, EOFAction: stream.EOFCode, Held: len(text)}
	if strings.IndexFunc(text, func(r rune) bool { return r > 0xff }) < 0 {
		s.Encoding, s.Octets = stream.Latin1, true
	}
	source := strings.NewReader(text)
	s.In, s.Source, s.Seeker, s.Reposition = syntax.NewTextInput("", text), source, source, true
	return m.Unify(a[1], stream.Term(m, x.Add(s))), nil
}

// openNull is open_null_stream/1. Positions are counted, and the text is dropped.
func openNull(m *machine.Machine, a []cell) (bool, error) {
	x := ioOf(m)
	if err := x.NeedRoom(m); err != nil {
		return false, err
	}
	s := &stream.Stream{Mode: stream.ModeWrite, Out: stream.NewOutput(nil, stream.BufferFull)}
	return m.Unify(a[0], stream.Term(m, x.Add(s))), nil
}

// copyStream is copy_stream_data/2,3. It copies in chunks, so that an endless input does not fill the memory. The
// streams are checked before the length. A negative length means the rest of the input.
func copyStream(m *machine.Machine, s *stream.Stream, a []cell) (bool, error) {
	out, err := stream.FindOutput(m, a[0])
	if err != nil {
		return false, err
	}
	limit := -1
	if len(a) == 2 {
		if limit, err = m.IntArg(a[1]); err != nil {
			return false, err
		}
	}
	for limit != 0 {
		n := copyChunk
		if limit >= 0 {
			n = min(n, limit)
			limit -= n
		}
		text, last, err := readUntil(m, s, n, never)
		if err == nil {
			err = out.Write(m, text)
		}
		if err != nil || last == stream.EndOfInput {
			return err == nil, err
		}
	}
	return true, nil
}

// copyChunk is how many characters copy_stream_data/2,3 reads before it writes them.
const copyChunk = 1 << 12
