package load

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

// This file defines the texts that are loaded: how one that is not in memory is opened, and how diagnostics find its
// lines.

// open returns a reader of the text.
func (s *Source) open() (io.ReadCloser, error) {
	if s.Open != nil {
		return s.Open()
	}
	return heldText{strings.NewReader(s.Text)}, nil
}

// heldText is a text in memory as an open file that can seek.
type heldText struct{ *strings.Reader }

// Close does nothing.
func (heldText) Close() error { return nil }

// sourceLines finds lines of a text. Diagnostics mostly ask for lines in ascending order, so it remembers the offset of
// the last one. The text is opened again for each line that is asked for.
type sourceLines struct {
	source Source
	line   int   // from 1; 0: nowhere
	offset int64 // of that line, in bytes
}

// maxLine is how many bytes of a line are returned.
const maxLine = 1 << 20

// at returns line n, from 1, without its line end, and of a very long one the beginning. It returns "" if there is no
// such line.
func (s *sourceLines) at(n int) string {
	if n < 1 {
		return ""
	}
	if s.line == 0 || n < s.line {
		s.line, s.offset = 1, 0
	}
	r, err := s.source.open()
	if err != nil {
		return ""
	}
	defer r.Close()
	if seeker, ok := r.(io.Seeker); ok {
		_, err = seeker.Seek(s.offset, io.SeekStart)
	} else {
		_, err = io.CopyN(io.Discard, r, s.offset)
	}
	if err != nil {
		return ""
	}
	return s.find(bufio.NewReader(r), n)
}

// find reads on from the current line to line n. A line longer than the buffer is read in parts.
func (s *sourceLines) find(r *bufio.Reader, n int) string {
	for s.line < n {
		part, err := r.ReadSlice('\n')
		s.offset += int64(len(part))
		if err == nil {
			s.line++
		} else if !errors.Is(err, bufio.ErrBufferFull) {
			s.line = 0
			return ""
		}
	}
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) || len(line) >= maxLine {
			return string(bytes.TrimRight(line, "\r\n"))
		}
	}
}

// RestrictedMark begins a line of a text whose rules and goals are restricted. It stands within the first bytes of the
// text, markedBytes of them.
const (
	RestrictedMark = "% mcplogic: restricted"
	markedBytes    = 1 << 16
)

// IsRestricted reports whether a text has the mark of those with restricted rules.
func IsRestricted(text string) bool {
	text = text[:min(len(text), markedBytes)]
	return strings.HasPrefix(strings.TrimPrefix(text, "\uFEFF"), RestrictedMark) ||
		strings.Contains(text, "\n"+RestrictedMark) || strings.Contains(text, "\r"+RestrictedMark)
}

// Source is the text of one file.
type Source struct {
	// Name is shown in diagnostics and is what relative file names in it start from.
	Name string
	Text string
	// Restricted makes the text a restricted one without the mark.
	Restricted bool
	// Open, if it is not nil, gives the text instead, which is then not held as a whole. It is
	// called once, and again for lines that diagnostics show.
	Open func() (io.ReadCloser, error)
}
