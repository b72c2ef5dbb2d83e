package facts

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// This file defines the names of the states of a log.
//
// The number of the last change alone names no state: a log that was restored from an older copy gets other changes
// with the same numbers. So each change says who wrote it. A writer is a replica from a load of the log on: with each
// load, and so after each restore, it takes a name that nobody had before. A log has a change of a writer if the last
// one that it has of the same writer is not before it.

// Mark names the state after a change, by the number of the change and its writer. The zero value is the empty log.
type Mark struct {
	Number uint64
	Writer string
}

// String returns the mark as text, "" for the empty log.
func (m Mark) String() string {
	if m.Number == 0 {
		return ""
	}
	return fmt.Sprintf("%d-%s", m.Number, m.Writer)
}

// ParseMark reads what [Mark.String] has written.
func ParseMark(text string) (m Mark, err error) {
	number, writer, ok := strings.Cut(text, "-")
	if m.Number, err = strconv.ParseUint(number, 10, 64); text == "" || err == nil && ok {
		return Mark{m.Number, writer}, nil
	}
	return Mark{}, errors.New("got " + strconv.Quote(text) + ", want a number, - and letters, such as a result has")
}

// newWriter makes a name that nobody has: an atom without quotes.
func newWriter() string { return "w" + strings.ToLower(rand.Text()[:16]) }

// writerOf returns the writer of a record, which its first line ends with.
func writerOf(text string) string {
	head, _, _ := strings.Cut(text, "\n")
	writer := strings.TrimSuffix(head[strings.LastIndexByte(head, ',')+1:], ").")
	if strings.Trim(writer, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
		return "" // it is of an older version
	}
	return writer
}

// writers has the last change of each writer.
type writers map[string]uint64

// maxWriters is how many writers a snapshot names: those that wrote last.
const maxWriters = 1000

// writersSign begins the line of a snapshot that has the writers. No fact begins with it.
const writersSign = "%"

// line returns the line of a snapshot for the writers.
func (w writers) line() string {
	names := slices.SortedFunc(maps.Keys(w), func(a, b string) int { return cmp.Compare(w[b], w[a]) })
	line := writersSign
	for _, name := range names[:min(len(names), maxWriters)] {
		line += fmt.Sprintf(" %d-%s", w[name], name)
	}
	return line + "\n"
}

// add reads the line.
func (w writers) add(line string) error {
	for _, word := range strings.Fields(line) {
		m, err := ParseMark(word)
		if err != nil {
			return err
		}
		w[m.Writer] = m.Number
	}
	return nil
}
