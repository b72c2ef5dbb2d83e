package decisions

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"hash/crc32"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/internal/jsontext"
)

// This file defines how records become lines.

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sumStart begins the last member of a line, the CRC-32C of everything before it.
const sumStart = `,"sum":"`

// withoutHTML is the JSON of a value without the escapes for HTML.
func withoutHTML(x any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(x)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// sealed makes a line from the text of an object whose closing bracket is missing.
func sealed(body []byte) []byte {
	if !utf8.Valid(body) {
		body = bytes.ToValidUTF8(body, []byte("\uFFFD"))
	}
	var sum [4]byte
	binary.BigEndian.PutUint32(sum[:], crc32.Checksum(body, castagnoli))
	body = hex.AppendEncode(append(body, sumStart...), sum[:])
	return append(body, "\"}\n"...)
}

// line returns the line of a record. encoding/json would write the same text in five times the time.
func (r *Record) line() ([]byte, error) {
	w := &lineWriter{out: make([]byte, 0, 1024+len(r.Arguments)+len(r.Result))}
	w.number("v", uint64(r.Version))
	w.text("id", r.ID)
	began := len(w.out)
	w.time("time", r.Time)
	since := w.out[began:]
	w.text("user", r.User)
	if c := r.Client; c != nil {
		w.name("client")
		w.object(func() {
			w.text("name", c.Name)
			w.text("version", c.Version)
			w.text("protocol", c.Protocol)
			w.raw("capabilities", c.Capabilities)
			w.raw("meta", c.Meta)
		})
	}
	w.text("tool", r.Tool)
	w.raw("arguments", r.Arguments)
	w.raw("assume", r.Assume)
	w.raw("without", r.Without)
	w.number("skip", uint64(r.Skip))
	w.value("given", r.Given, r.Given != nil)
	w.value("answers", r.Answers, len(r.Answers) > 0)
	if same := r.Now.Equal(r.Time) && r.Now.Location() == r.Time.Location(); same && len(since) > 0 {
		w.name("now") // the call was given no other time
		w.out = append(w.out, since[len(`,"time":`):]...)
	} else {
		w.time("now", r.Now)
	}
	w.text("zone", r.Zone)
	w.text("seed", r.Seed)
	w.value("limits", r.Limits, r.Limits != nil)
	w.text("rules", r.Rules)
	w.number("load", r.Load)
	w.number("state", r.State)
	w.text("sequence", r.Sequence)
	w.value("changes", r.Changes, len(r.Changes) > 0)
	w.value("pending", true, r.Pending)
	w.number("commit", r.Commit)
	w.value("gap", true, r.Gap)
	w.text("outcome", r.Outcome)
	if len(r.Result) > 0 { // the result is compact JSON already
		w.name("result")
		w.out = append(w.out, r.Result...)
	}
	w.value("error", r.Error, r.Error != nil)
	w.float("took_ms", r.Took)
	w.number("statements", uint64(r.Statements))
	w.value("omitted", r.Omitted, len(r.Omitted) > 0)
	return w.line(), w.err
}

// confirmation makes the line that says that a pending call was committed. Its members replace those of the record.
func (r *Record) confirmation(commit uint64, sequence string) []byte {
	w := &lineWriter{}
	w.number("v", Version)
	w.text("id", r.ID)
	w.value("pending", false, true)
	w.number("load", r.Load)
	w.number("commit", commit)
	w.text("sequence", sequence)
	w.float("took_ms", milliseconds(r.Time))
	return w.line()
}

// takenBack makes the line that says that the changes of a pending call were not committed. Its members replace those
// of the record.
func (r *Record) takenBack() []byte {
	w := &lineWriter{}
	w.number("v", Version)
	w.text("id", r.ID)
	w.number("load", r.Load)
	w.value("changes", []string{}, true)
	w.value("pending", false, true)
	return w.line()
}

// lineWriter writes the members of an object, each after a comma. It leaves out empty members.
type lineWriter struct {
	out []byte
	err error
}

// line returns the line of the object.
func (w *lineWriter) line() []byte {
	w.out[0] = '{'
	return sealed(w.out)
}

func (w *lineWriter) name(name string) {
	w.out = append(append(append(w.out, ',', '"'), name...), '"', ':')
}

// object writes an object whose members f writes.
func (w *lineWriter) object(f func()) {
	at := len(w.out)
	if f(); len(w.out) == at {
		w.out = append(w.out, ',')
	}
	w.out[at] = '{'
	w.out = append(w.out, '}')
}

func (w *lineWriter) text(name, text string) {
	if text != "" {
		w.name(name)
		w.out = jsontext.AppendString(w.out, text, false)
	}
}

func (w *lineWriter) number(name string, n uint64) {
	if n != 0 {
		w.name(name)
		w.out = strconv.AppendUint(w.out, n, 10)
	}
}

func (w *lineWriter) float(name string, x float64) {
	if x != 0 {
		w.name(name)
		w.out = strconv.AppendFloat(w.out, x, 'f', -1, 64)
	}
}

func (w *lineWriter) time(name string, t time.Time) {
	if !t.IsZero() {
		w.name(name)
		w.out = append(t.AppendFormat(append(w.out, '"'), time.RFC3339Nano), '"')
	}
}

// raw writes a member whose value is JSON already.
func (w *lineWriter) raw(name string, text json.RawMessage) {
	if len(text) == 0 {
		return
	}
	w.name(name)
	if bytes.ContainsAny(text, " \t\r\n") { // white space may be between tokens
		var b bytes.Buffer
		w.err = cmp.Or(w.err, json.Compact(&b, text))
		text = b.Bytes()
	}
	w.out = append(w.out, text...)
}

// value writes a member that few records have, by encoding/json.
func (w *lineWriter) value(name string, x any, there bool) {
	if there {
		text, err := withoutHTML(x)
		w.raw(name, text)
		w.err = cmp.Or(w.err, err)
	}
}
