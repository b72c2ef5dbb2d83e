// Package decisions keeps a record of calls of tools, so that they can be shown and replayed later.
//
// A [Recorder] writes a line of JSON for each call to a folder, and keeps the rules beside it. [Read] finds the calls
// again, in an order in which they can be replayed. Each [Step] is a call to be replayed on the facts of its time, or a
// change of these facts that [Redo] makes. [Same] compares answers. Goroutines share a Recorder; one goroutine uses a
// Log.
package decisions

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/internal/facts"
	"github.com/mcplogic/mcplogic/internal/lazyregexp"
)

// This file defines records: what they have, how they are written as lines, and when two have the same answer.

// Version is the version of the format of the lines.
const Version = 1

// Record is the record of one call.
type Record struct {
	Version int       `json:"v"`
	ID      string    `json:"id"`
	Time    time.Time `json:"time"`
	// User is who asked over HTTP.
	User   string  `json:"user,omitempty"`
	Client *Client `json:"client,omitempty"`
	Tool   string  `json:"tool,omitempty"`
	// Arguments are the arguments of the call. Assume and Without are facts that came with it. Skip counts the
	// solutions that a cursor passed over.
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Assume    json.RawMessage `json:"assume,omitempty"`
	Without   json.RawMessage `json:"without,omitempty"`
	Skip      int             `json:"skip,omitempty"`
	// Given are facts that a program in Go or a command has given the call. It is nil if there were none. A call with
	// such facts commits nothing.
	Given *Given `json:"given,omitempty"`
	// Answers are what the client, its user and its model have answered.
	Answers []Answer `json:"answers,omitempty"`
	// Now, Zone and Seed are the time, its zone and the start of random numbers that the goals have seen.
	Now  time.Time `json:"now,omitzero"`
	Zone string    `json:"zone,omitempty"`
	Seed string    `json:"seed,omitempty"`
	// Limits has the limits of the server. It is nil if the limits are the default.
	Limits *Limits `json:"limits,omitempty"`
	// Rules is the digest of the rules. Load is the number of the program within its process. State is the number of
	// changes of facts that the call saw in this program. Sequence names the last change of the store that the call
	// saw; in the line of the commit it names the call's own change.
	Rules    string `json:"rules,omitempty"`
	Load     uint64 `json:"load,omitempty"`
	State    uint64 `json:"state,omitempty"`
	Sequence string `json:"sequence,omitempty"`
	// Changes are the facts that the call has added, with + or ^, and removed, with -. Pending says that they are not
	// committed yet. A second line then has the state after the commit, or says that the changes were taken back.
	Changes []string `json:"changes,omitempty"`
	Pending bool     `json:"pending,omitempty"`
	Commit  uint64   `json:"commit,omitempty"`
	// Gap says that facts have changed in an unknown way after the state State.
	Gap bool `json:"gap,omitempty"`
	// Outcome is "ok", the code of a result that is an error, or "error".
	Outcome string          `json:"outcome,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
	Took    float64         `json:"took_ms,omitempty"`
	// Statements counts what the call has put to databases.
	Statements int64 `json:"statements,omitempty"`
	// Omitted names what was left out.
	Omitted []string `json:"omitted,omitempty"`

	// Secret are the names of arguments that are left out of the line.
	Secret []string `json:"-"`
}

// Zone is the name of the time zone of this process, "" if it has none: TZ names it, or the link /etc/localtime.
var Zone = sync.OnceValue(func() string {
	name, given := os.LookupEnv("TZ")
	if name = strings.TrimPrefix(name, ":"); !given {
		name, _ = os.Readlink("/etc/localtime")
	}
	if _, below, ok := strings.Cut(name, "zoneinfo/"); ok {
		name = below
	}
	if time.Local == time.UTC || given && name == "" {
		return "UTC"
	}
	in, err := time.LoadLocation(name)
	now := time.Now()
	if name == "" || err != nil || now.In(in).Format(time.RFC3339) != now.Local().Format(time.RFC3339) {
		return ""
	}
	return name
})

// Place is the time zone of a call, or nil for the zone of this process. If the record names no zone that this machine
// knows, Place is the zone's offset at the time of the call. exact is then false, unless this process has the same
// offset.
func (r *Record) Place() (zone *time.Location, exact bool) {
	if in, err := time.LoadLocation(r.Zone); r.Zone != "" && err == nil {
		return in, true
	}
	_, offset := r.Time.Zone()
	if _, here := r.Time.Local().Zone(); r.Time.IsZero() || offset == here {
		return nil, true
	}
	return time.FixedZone("", offset), false
}

// Given are facts that came with a call beside its arguments, each as the text of a term.
type Given struct {
	Assume  []string `json:"assume,omitempty"`
	Without []string `json:"without,omitempty"`
}

// GivenOf returns the texts of facts that a call was given. A fact without a text, such as one that holds a Go value,
// is an error.
func GivenOf(g *engine.Given) (*Given, error) {
	own := &Given{}
	for _, part := range []struct {
		from []any
		to   *[]string
	}{{g.Assume, &own.Assume}, {g.Without, &own.Without}} {
		for _, fact := range part.from {
			t, err := engine.TermOf(fact)
			if err != nil {
				return nil, err
			}
			text, err := facts.TermText(t)
			if err != nil {
				return nil, err
			}
			*part.to = append(*part.to, text)
		}
	}
	return own, nil
}

// Facts returns the facts whose texts GivenOf made.
func (g *Given) Facts() (own engine.Given, err error) {
	for _, part := range []struct {
		from []string
		to   *[]any
	}{{g.Assume, &own.Assume}, {g.Without, &own.Without}} {
		for _, text := range part.from {
			t, err := engine.ParseTerm(text)
			if err != nil {
				return own, err
			}
			*part.to = append(*part.to, t)
		}
	}
	return own, nil
}

// Limits are the limits of a server that results depend on. Zero values are the default.
type Limits struct {
	Inferences int64 `json:"inferences,omitempty"`
	Memory     int   `json:"memory,omitempty"` // in bytes
	Solutions  int   `json:"solutions,omitempty"`
	Result     int   `json:"result,omitempty"` // in bytes
	Text       int   `json:"text,omitempty"`   // of one result, in bytes
}

// Client is the client that made a call.
type Client struct {
	Name         string          `json:"name,omitempty"`
	Version      string          `json:"version,omitempty"`
	Protocol     string          `json:"protocol,omitempty"`
	Capabilities json.RawMessage `json:"capabilities,omitempty"`
	Meta         json.RawMessage `json:"meta,omitempty"`
}

// Answer is the answer to a question of a goal.
type Answer struct {
	Key string `json:"key"`
	// Digest is the digest of the question. Kind is its kind, "" for a question to the user.
	Digest string `json:"digest,omitempty"`
	Kind   string `json:"kind,omitempty"`
	// Action is "accept", "decline" or "cancel". Why is the reason of a missing answer.
	Action  string          `json:"action,omitempty"`
	Content json.RawMessage `json:"content,omitempty"`
	Why     string          `json:"why,omitempty"`
	Inexact string          `json:"inexact,omitempty"`
	Final   bool            `json:"final,omitempty"`
}

// Error is an answer that is a JSON-RPC error.
type Error struct {
	Code    int64           `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// errEdited says that a line was changed after it was written.
var errEdited = errors.New("it is not as it was written: its sum does not fit")

// errLater says that a line has another format.
var errLater = errors.New("it is of a later version of mcplogic")

// parse reads a line into a value.
func parse(line []byte, into any) error {
	var v struct {
		Version *int `json:"v"`
	}
	if err := json.Unmarshal(line, &v); err != nil || v.Version == nil {
		return errors.New("it is no record")
	}
	if *v.Version > Version {
		return errLater
	}
	at := bytes.LastIndex(line, []byte(sumStart))
	if at < 0 || !bytes.Equal(bytes.TrimSuffix(line[at:], []byte("\n")),
		fmt.Appendf(nil, "%s%08x\"}", sumStart, crc32.Checksum(line[:at], castagnoli))) {
		return errEdited
	}
	return json.Unmarshal(line, into)
}

// The members that Options.Omit can name, and the prefix of the name of a single argument.
var omittable = []string{"user", "client", "arguments", "assume", "answers", "changes", "result"}

const argumentStart = "arguments."

// checkOmit returns an error for wrong names of members to leave out.
func checkOmit(names []string) error {
	for _, name := range names {
		if !slices.Contains(omittable, name) && !strings.HasPrefix(name, argumentStart) {
			return fmt.Errorf("got %q to be left out, want %s or arguments.NAME", name, strings.Join(omittable, ", "))
		}
	}
	return nil
}

// without returns a copy of a record that lacks the members to leave out.
func (r *Record) without(names []string) *Record {
	if len(names)+len(r.Secret) == 0 {
		return r
	}
	own := *r
	for _, name := range r.Secret {
		names = append(slices.Clip(names), argumentStart+name)
	}
	for _, name := range names {
		if own.omit(name) && !slices.Contains(own.Omitted, name) {
			own.Omitted = append(slices.Clip(own.Omitted), name)
		}
	}
	const refused = "bad_arguments" // its text may repeat a wrong value
	if len(r.Secret) > 0 && own.Outcome == refused && own.omit("result") {
		own.Omitted = append(own.Omitted, "result")
	}
	return &own
}

// omit removes one member. It returns false if the member is missing.
func (r *Record) omit(name string) (there bool) {
	switch name {
	case "user":
		there, r.User = r.User != "", ""
	case "client":
		there, r.Client = r.Client != nil, nil
	case "arguments":
		there, r.Arguments = len(r.Arguments) > 0, nil
	case "assume":
		there = len(r.Assume)+len(r.Without) > 0 || r.Given != nil && len(r.Given.Assume)+len(r.Given.Without) > 0
		if r.Assume, r.Without = nil, nil; r.Given != nil {
			r.Given = &Given{}
		}
	case "answers":
		there, r.Answers = len(r.Answers) > 0, nil
	case "changes":
		there, r.Changes = len(r.Changes) > 0, nil
	case "result":
		there, r.Result, r.Error = r.Result != nil || r.Error != nil, nil, nil
	default:
		var members map[string]json.RawMessage
		name = strings.TrimPrefix(name, argumentStart)
		if json.Unmarshal(r.Arguments, &members) != nil || members[name] == nil {
			return false
		}
		delete(members, name)
		r.Arguments, _ = json.Marshal(members) // of JSON
		return true
	}
	return there
}

// Replayable returns "" for a call that can be replayed, and otherwise the reason why not. stored says that the store
// can be asked for its facts at an earlier moment.
func (r *Record) Replayable(stored bool) string {
	for _, name := range r.Omitted {
		if name != "user" && name != "client" {
			return "values were left out"
		}
	}
	if !stored && r.Sequence != "" && r.asOf() {
		return "they ask for facts of the store at an earlier moment, and --store does not name it"
	}
	if slices.Contains(circumstances, r.Outcome) {
		return "limits, others or the client ended it"
	}
	return ""
}

// asOf reports whether the call asked for the facts of another moment.
func (r *Record) asOf() bool {
	var members struct {
		AsOf any `json:"as_of"`
	}
	return bytes.Contains(r.Arguments, []byte("as_of")) && json.Unmarshal(r.Arguments, &members) == nil &&
		members.AsOf != nil
}

// circumstances are the outcomes that do not depend on rules and facts alone.
var circumstances = []string{"time_limit", "memory_limit", "inference_limit", "aborted", "given_up", "busy", "conflict",
	"not_stored", "not_recorded", "behind", "internal", "bad_answer", "bad_cursor"}

// Each expression matches a part of a JSON result that differs between servers, or between versions of rules with the
// same answers. cursors stand in results and tokens in questions. frames are the places of clauses in errors. advice
// and notes stand in results without solutions.
var (
	cursors = lazyregexp.New(`\b([0-9a-f]+-[\w-]{8}|[A-Z2-7]{12}-\d+)\.[\w-]{16}`)
	tokens  = lazyregexp.New(`\b[A-Z2-7]{26}-\d+`)
	frames  = lazyregexp.New(`\\n  at [^\\"]*`)
	advice  = lazyregexp.New(`(there is no solution\.|There are no solutions\.)(?:[^"\\]|\\.)*`)
	notes   = lazyregexp.New(`,"note":"(?:[^"\\]|\\.)*"`)
)

// plain is the result without the parts that differ between servers.
func (r *Record) plain() []byte {
	raw := []byte(r.Result)
	if bytes.Contains(raw, []byte("cursor")) {
		raw = cursors().ReplaceAll(raw, nil)
	}
	if r.Outcome != "ok" {
		raw = tokens().ReplaceAll(frames().ReplaceAll(raw, nil), nil)
	}
	if bytes.Contains(raw, []byte("no solution")) {
		raw = notes().ReplaceAll(advice().ReplaceAll(raw, []byte("$1")), nil)
	}
	return raw
}

// Same reports whether two records have the same answer.
func Same(a, b *Record) bool {
	if a.Outcome != b.Outcome || (a.Error == nil) != (b.Error == nil) {
		return false
	}
	if a.Error != nil && (a.Error.Code != b.Error.Code || a.Error.Message != b.Error.Message ||
		!bytes.Equal(a.Error.Data, b.Error.Data)) {
		return false
	}
	return bytes.Equal(a.plain(), b.plain()) && slices.Equal(a.Changes, b.Changes)
}

// solutions returns the solutions in a result. A result without a list is a single solution.
func (r *Record) solutions() []json.RawMessage {
	if r == nil {
		return nil
	}
	var result struct {
		StructuredContent json.RawMessage
	}
	var rows struct{ Solutions []json.RawMessage }
	if r.Outcome != "ok" || json.Unmarshal(r.Result, &result) != nil || len(result.StructuredContent) == 0 {
		return nil
	}
	if json.Unmarshal(result.StructuredContent, &rows) == nil && rows.Solutions != nil {
		return rows.Solutions
	}
	return []json.RawMessage{result.StructuredContent}
}

// Missing returns the first solution of a record that another lacks, and its number from 1. It returns nil and 1 if no
// solution is missing.
func (r *Record) Missing(in *Record) (row json.RawMessage, number int) {
	others := in.solutions()
	for i, row := range r.solutions() {
		if !slices.ContainsFunc(others, func(other json.RawMessage) bool { return bytes.Equal(row, other) }) {
			return row, i + 1
		}
	}
	return nil, 1
}

// Text is the answer for people: the texts of the result, or the error.
func (r *Record) Text() string {
	if r.Error != nil {
		return fmt.Sprintf("error %d: %s", r.Error.Code, r.Error.Message)
	}
	var result struct {
		Content []struct{ Type, Text string }
	}
	_ = json.Unmarshal(r.Result, &result) // a result that was left out has no text
	var lines []string
	for _, item := range result.Content {
		if item.Type == "text" {
			lines = append(lines, item.Text)
		} else {
			lines = append(lines, "("+item.Type+")")
		}
	}
	if text := strings.TrimSpace(strings.Join(lines, "\n")); r.Outcome != "ok" {
		return "[" + r.Outcome + "] " + text
	} else if text != "" {
		return text
	}
	return "(nothing)"
}
