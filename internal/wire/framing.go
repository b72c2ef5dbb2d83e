package wire

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/mcplogic/mcplogic/internal/lazyregexp"
)

// This file defines how JSON-RPC messages lie in a stream of bytes: one a line, or each
// behind a Content-Length header. The reader finds its way again after anything that is neither.

// Framing is the way messages are separated in a stream.
type Framing int

// The framings. Auto, the default, recognises each message by its first bytes.
const (
	Auto Framing = iota
	Lines
	ContentLength
)

var framingNames = [...]string{Auto: "auto", Lines: "lines", ContentLength: "content-length"}

// String is the name of f as a command line has it.
func (f Framing) String() string { return framingNames[f] }

// ParseFraming returns the framing of this name: auto, lines or content-length.
func ParseFraming(name string) (Framing, error) {
	for f, n := range framingNames {
		if n == name {
			return Framing(f), nil
		}
	}
	return Auto, fmt.Errorf("unknown framing %q, want one of %s", name, strings.Join(framingNames[:], ", "))
}

const (
	// readBuffer is the piece in which input is read; most messages fit.
	readBuffer = 64 << 10
	// maxHeaders bounds the header lines of one message.
	maxHeaders = 64
)

var (
	byteOrderMark = []byte("\ufeff")
	contentHeader = lazyregexp.New(`^(?i:content-[a-z]+)[ \t]*:`)
	headerLine    = lazyregexp.New(`^[A-Za-z][A-Za-z0-9-]*[ \t]*:`)
	gluedHeader   = lazyregexp.New(`(?i)content-length[ \t]*:[ \t]*[0-9]+[ \t]*$`)
)

// frame is one message as it came.
type frame struct {
	// body is the text of the message, nil when fault is set.
	body []byte
	// framing is how it lay in the stream, Auto when nothing can be told from it.
	framing Framing
	// fault says why there is no body; id is the id of the lost message, when it was seen.
	fault *Fault
	id    []byte
}

// frameReader cuts a stream into frames. It is used by one goroutine.
type frameReader struct {
	in   *bufio.Reader
	want Framing
	max  int
	// last is the framing of the message before, which decides how debris is searched.
	last Framing
	// unread is a line to be read once more, or nil.
	unread []byte
}

func newFrameReader(in io.Reader, want Framing, max int) *frameReader {
	return &frameReader{in: bufio.NewReaderSize(in, readBuffer), want: want, max: max}
}

// next returns the next message that is not blank. Its error is that of the input; faulty
// messages are frames with a fault.
func (r *frameReader) next() (frame, error) {
	for {
		line, lost, err := r.line(r.max)
		if err != nil {
			return frame{}, err
		}
		if lost != nil {
			return r.tooLong(Lines, lost.id()), nil
		}
		line = Trim(line)
		switch {
		case len(line) == 0:
		case r.startsHeader(line):
			return r.headed(line)
		case r.want == ContentLength:
			r.keepHeader(line)
			return r.faulty(ContentLength, "expected a Content-Length header, got "+Excerpt(line), FindID(line)), nil
		default:
			return r.lineFrame(line), nil
		}
	}
}

func (r *frameReader) lineFrame(line []byte) frame {
	if r.want != Lines && r.last != Lines {
		line = r.keepHeader(line)
	}
	if r.unread == nil && startsValue(line) {
		r.last = Lines
	}
	return frame{body: line, framing: Lines}
}

// keepHeader takes a header off the end of a line and leaves it to be read next. If a Content-Length was too small,
// the rest of its message and the next header stand on one line.
func (r *frameReader) keepHeader(line []byte) []byte {
	at := gluedHeader().FindIndex(line)
	if at == nil || at[0] == 0 {
		return line
	}
	r.unread = bytes.Clone(line[at[0]:])
	return line[:at[0]]
}

// Trim takes white space and a byte order mark off a message.
func Trim(line []byte) []byte {
	line = bytes.TrimSpace(line)
	return bytes.TrimSpace(bytes.TrimPrefix(line, byteOrderMark))
}

// line reads to the end of a line or of the input. A line longer than limit is not kept: lost is a scan of it for the
// id.
func (r *frameReader) line(limit int) (line []byte, lost *idScanner, err error) {
	if line = r.unread; line != nil {
		r.unread = nil
		return line, nil, nil
	}
	for {
		piece, err := r.in.ReadSlice('\n')
		switch {
		case lost != nil:
			lost.scan(piece)
		case len(line)+len(piece) > limit+len("\r\n"):
			lost = &idScanner{}
			lost.scan(line)
			lost.scan(piece)
			line = nil
		default:
			line = append(line, piece...)
		}
		switch {
		case err == nil:
			return line, lost, nil
		case errors.Is(err, io.EOF) && (len(line) > 0 || lost != nil):
			return line, lost, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, nil, err
		}
	}
}

// startsHeader reports whether line begins a message with headers. A client that sends lines
// may well send noise such as "note: x", which must not make the reader wait for more.
func (r *frameReader) startsHeader(line []byte) bool {
	switch {
	case r.want == Lines:
		return false
	case r.last == Lines:
		return contentHeader().Match(line)
	}
	return headerLine().Match(line)
}

// headed reads the message that begins with this header line.
func (r *frameReader) headed(first []byte) (frame, error) {
	h, err := r.headers(first)
	if err != nil {
		return frame{}, err
	}
	switch {
	case h.broken:
		return r.faulty(Auto, "expected headers, an empty line and a message, got "+h.got, h.id), nil
	case h.length == noLength:
		return r.faulty(Auto, "expected a header Content-Length: N among the headers", nil), nil
	case h.length == badLength:
		return r.faulty(ContentLength, "expected Content-Length: N, got "+h.got, r.skipValue()), nil
	case h.length > r.max:
		return r.tooLong(ContentLength, r.skipValue()), nil
	}
	body := make([]byte, h.length)
	if n, err := io.ReadFull(r.in, body); err != nil {
		text := fmt.Sprintf("expected %d bytes after the headers, got %d", h.length, n)
		return r.faulty(ContentLength, text, FindID(body[:n])), nil
	}
	r.last = ContentLength
	return frame{body: Trim(body), framing: ContentLength}, nil
}

// headerBlock is what the headers before a message say.
type headerBlock struct {
	length int
	// broken is set when something else interrupts the headers.
	broken bool
	// got quotes what is wrong, and id is the id of a message lost with it.
	got string
	id  []byte
}

// The lengths of a header block without a usable one.
const (
	noLength  = -1
	badLength = -2
)

// headers reads header lines up to the empty one.
func (r *frameReader) headers(line []byte) (headerBlock, error) {
	h := headerBlock{length: noLength}
	for count := 0; len(line) > 0; count++ {
		if !headerLine().Match(line) || count == maxHeaders {
			r.unread = bytes.Clone(line)
			return headerBlock{broken: true, got: Excerpt(line)}, nil
		}
		name, value, _ := strings.Cut(string(line), ":")
		if strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			h.length, h.got = parseLength(strings.TrimSpace(value)), Excerpt(line)
		}
		next, lost, err := r.line(r.max)
		switch {
		case errors.Is(err, io.EOF):
			return headerBlock{broken: true, got: "the end of the input"}, nil
		case err != nil:
			return h, err
		case lost != nil:
			return headerBlock{broken: true, got: "a line that is too long", id: lost.id()}, nil
		}
		line = Trim(next)
	}
	return h, nil
}

// parseLength returns the number, or badLength. Digits that overflow are a length beyond any limit.
func parseLength(digits string) int {
	if n, err := strconv.ParseUint(digits, 10, 63); err == nil {
		return int(n)
	} else if errors.Is(err, strconv.ErrRange) {
		return int(^uint(0) >> 1)
	}
	return badLength
}

// skipValue reads past one JSON object or array without keeping it, for a message whose
// length cannot be used, and returns its id.
func (r *frameReader) skipValue() []byte {
	var scan idScanner
	for !scan.done {
		if _, err := r.in.Peek(1); err != nil {
			break // the next read meets the same error
		}
		piece, _ := r.in.Peek(r.in.Buffered())
		if scan.depth == 0 && !startsValue(piece) {
			break
		}
		_, _ = r.in.Discard(scan.scan(piece)) // what was peeked can be discarded
	}
	return scan.id()
}

// startsValue reports whether piece is white space with at most an object or array after it.
func startsValue(piece []byte) bool {
	piece = bytes.TrimLeft(piece, " \t\r\n")
	return len(piece) == 0 || piece[0] == '{' || piece[0] == '['
}

func (r *frameReader) faulty(framing Framing, text string, id []byte) frame {
	return frame{framing: framing, fault: parseFault("%s", text), id: id}
}

func (r *frameReader) tooLong(framing Framing, id []byte) frame {
	return frame{framing: framing, fault: InvalidFault("the message is longer than %d bytes", r.max), id: id}
}

// Excerpt quotes the beginning of what a client sent.
func Excerpt(text []byte) string {
	const most = 40
	if len(text) > most {
		return strconv.Quote(string(text[:most])) + "..."
	}
	return strconv.Quote(string(text))
}

// Messages cuts a stream into JSON messages. It is for one goroutine.
type Messages struct{ frames *frameReader }

// NewMessages returns the messages of a stream. Those longer than max bytes are faults.
func NewMessages(in io.Reader, want Framing, most int) *Messages {
	return &Messages{newFrameReader(in, want, most)}
}

// Next returns the text of the next message. A message that is no JSON, or whose frame is damaged, is a fault. The
// error is that of the stream, io.EOF at its end.
func (m *Messages) Next() (body []byte, fault *Fault, err error) {
	f, err := m.frames.next()
	if err != nil {
		return nil, nil, err
	}
	if f.fault != nil {
		return nil, f.fault, nil
	}
	if fault := CheckText(f.body); fault != nil {
		return nil, fault, nil
	}
	return f.body, nil, nil
}

// WriteHeaded writes a message behind a Content-Length header.
func WriteHeaded(w io.Writer, body []byte) error {
	_, err := w.Write(append(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(body)), body...))
	return err
}
