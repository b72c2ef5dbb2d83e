// Package cases holds calls of tools with their expected answers. Each case is a JSON file in the folder cases beside
// the rules, so that the cases are versioned with the rules.
//
// [Read] finds the cases of files and folders and reports mistakes in them. [Run] runs a case on a server. [Of] makes
// a case from a recorded call, and [Case.Text] returns the text of its file.
package cases

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/internal/folder"
	"github.com/mcplogic/mcplogic/internal/rulefiles"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/kb/decisions"
)

// This file defines cases and their files.

// Folder is the folder of cases beside the rules. ending is the ending of their files.
const (
	Folder = "cases"
	ending = ".json"
)

// Case is a call with its expected answer.
type Case struct {
	// Name is the name of the file in the folder, without its ending. File is the path of the file.
	Name string `json:"-"`
	File string `json:"-"`
	// Title says what the case is about, for people.
	Title string `json:"title,omitempty"`
	Tool  string `json:"tool"`
	// Arguments holds the arguments of the call. Assume and Without hold the facts that come with it.
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Assume    json.RawMessage `json:"assume,omitempty"`
	Without   json.RawMessage `json:"without,omitempty"`
	// Given holds facts that the command has added to the call, as texts.
	Given *decisions.Given `json:"given,omitempty"`
	// User is the user of the call.
	User string `json:"user,omitempty"`
	// Now is the time that the goals see. The zero time stands for the clock. Seed is the seed of random numbers.
	Now  time.Time `json:"now,omitzero"`
	Seed string    `json:"seed,omitempty"`
	// Answers holds the answers to the questions of the goals.
	Answers []decisions.Answer `json:"answers,omitempty"`
	// Expected is the structured content of the result, or its text as a string if it has none. Error is the code of
	// an error result. Then Expected is not compared.
	Expected json.RawMessage `json:"expected,omitempty"`
	Error    string          `json:"error,omitempty"`
	// Decision names the recorded call behind the case. KeptBy is the user who has kept it.
	Decision string `json:"decision,omitempty"`
	KeptBy   string `json:"kept_by,omitempty"`
	// Zone is the time zone of local times, "" for the zone of the machine.
	Zone string `json:"zone,omitempty"`

	places map[string]source.Place // of the values of members
}

// members maps the members of a file to the fields of a case.
func (c *Case) members() map[string]any {
	return map[string]any{"title": &c.Title, "tool": &c.Tool, "arguments": &c.Arguments, "assume": &c.Assume,
		"without": &c.Without, "given": &c.Given, "user": &c.User, "now": &c.Now, "zone": &c.Zone, "seed": &c.Seed,
		"answers": &c.Answers, "expected": &c.Expected, "error": &c.Error, "decision": &c.Decision, "kept_by": &c.KeptBy}
}

// Text returns the text of the file of a case.
func (c *Case) Text() string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(c); err != nil {
		panic("cases: " + err.Error()) // its raw members are JSON
	}
	return b.String()
}

// Place returns the place of the value of a member of the file. For a missing member it returns the beginning of the
// file.
func (c *Case) Place(member string) source.Position {
	at, ok := c.places[member]
	if !ok {
		at = source.Place{Line: 1, Column: 1}
	}
	return source.Position{File: c.File, Place: at}
}

// CheckName returns an error for an invalid name of a case.
func CheckName(name string) error {
	if err := rulefiles.CheckName(Folder + "/" + name + ending); err != nil || strings.HasPrefix(name, "/") {
		return fmt.Errorf("%q is no name for a case: letters, digits, hyphens and slashes are fine", name)
	}
	return nil
}

// FileOf returns the path of the file of a case in the folder of the rules, with slashes.
func FileOf(name string) string { return Folder + "/" + name + ending }

// Home returns the folder with the cases of a file or folder of rules.
func Home(file string) string {
	if info, err := os.Stat(file); err == nil && !info.IsDir() {
		return filepath.Dir(file)
	}
	return file
}

// Read reads the cases beside files and folders of rules, in the order of their names. The diagnostics are warnings
// about files that cannot be used and about two cases with one name.
func Read(paths []string) (list []*Case, report source.Diagnostics) {
	var seen []string
	for _, one := range paths {
		home := Home(one)
		if slices.Contains(seen, home) {
			continue
		}
		seen = append(seen, home)
		root, err := os.OpenRoot(home)
		if err != nil {
			continue // the load reports it
		}
		own, wrong := ReadFolder(root.FS(), filepath.ToSlash(home))
		_ = root.Close() // all is read
		report = append(report, wrong...)
		for _, c := range own {
			if other := Find(list, c.Name); other != nil {
				report = append(report, c.Warn("", "there is another case %s, in %s", c.Name, other.File))
				continue
			}
			list = append(list, c)
		}
	}
	return list, report
}

// Stamp returns a text that changes when cases beside files and folders of rules are added, removed or changed.
func Stamp(paths []string) string {
	var b strings.Builder
	for _, one := range paths {
		_ = filepath.WalkDir(filepath.Join(Home(one), Folder), func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				if info, err := d.Info(); err == nil {
					fmt.Fprintln(&b, name, info.Size(), info.ModTime().UnixNano())
				}
			}
			return nil
		})
	}
	return b.String()
}

// Find returns the case of a name, or nil.
func Find(list []*Case, name string) *Case {
	if at := slices.IndexFunc(list, func(c *Case) bool { return c.Name == name }); at >= 0 {
		return list[at]
	}
	return nil
}

// mostBytes bounds the file of one case.
const mostBytes = 4 << 20

// ReadFolder reads the cases in a folder of rules. The names of files in the result begin with home, which may be "".
func ReadFolder(rules fs.FS, home string) (list []*Case, report source.Diagnostics) {
	_ = fs.WalkDir(rules, Folder, func(name string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil // there are none
		case err != nil:
			c := &Case{File: path.Join(home, name)}
			report = append(report, c.Warn("", "the cases cannot be read: %s", err))
			return nil
		case name != Folder && folder.Hidden(d.Name()):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir() || path.Ext(name) != ending:
			return nil
		}
		c := &Case{Name: strings.TrimSuffix(strings.TrimPrefix(name, Folder+"/"), ending), File: path.Join(home, name)}
		if wrong := c.read(rules, name); wrong != nil {
			report = append(report, wrong...)
			return nil
		}
		list = append(list, c)
		return nil
	})
	return list, report
}

// Warn makes a diagnostic at a member of a case.
func (c *Case) Warn(member, format string, args ...any) source.Diagnostic {
	return source.Diagnostic{Position: c.Place(member), Severity: source.SeverityWarning, Code: "case",
		Message: fmt.Sprintf(format, args...)}
}

func (c *Case) read(rules fs.FS, name string) source.Diagnostics {
	info, err := fs.Stat(rules, name)
	if err == nil && !info.Mode().IsRegular() { // a pipe would never end
		return source.Diagnostics{c.Warn("", "the case is no regular file")}
	}
	file, err := rules.Open(name)
	if err != nil {
		return source.Diagnostics{c.Warn("", "the case cannot be read: %s", errors.Unwrap(err))}
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, mostBytes+1))
	switch {
	case err != nil:
		return source.Diagnostics{c.Warn("", "the case cannot be read: %s", err)}
	case len(text) > mostBytes:
		return source.Diagnostics{c.Warn("", "a case has at most %d bytes", mostBytes)}
	}
	return c.Parse(text)
}

// Parse reads the text of a file into a case whose name and file are set.
func (c *Case) Parse(text []byte) (report source.Diagnostics) {
	r := &reader{Case: c, text: text, d: json.NewDecoder(bytes.NewReader(text))}
	c.places = map[string]source.Place{}
	if wrong := r.object(); wrong != nil {
		return source.Diagnostics{*wrong}
	}
	switch {
	case c.Tool == "":
		report = append(report, c.Warn("", "a case needs the name of a tool, as in \"tool\": \"eligible\""))
	case c.Error != "" && c.Expected != nil:
		report = append(report, c.Warn("expected", "a case expects either an answer or an error"))
	}
	return append(report, r.report...)
}

// reader reads one file.
type reader struct {
	*Case
	text   []byte
	d      *json.Decoder
	report source.Diagnostics
}

// warnAt makes a diagnostic at an offset.
func (r *reader) warnAt(offset int64, format string, args ...any) *source.Diagnostic {
	d := r.Warn("", format, args...)
	d.Place = r.place(offset)
	start := bytes.LastIndexByte(r.text[:offset], '\n') + 1
	line, _, _ := bytes.Cut(r.text[start:], []byte("\n"))
	d.Source = strings.ToValidUTF8(string(line), "\uFFFD")
	return &d
}

// place returns the line and column of an offset.
func (r *reader) place(offset int64) source.Place {
	before := r.text[:offset]
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	return source.Place{Line: 1 + bytes.Count(before, []byte("\n")), Column: 1 + utf8.RuneCount(line)}
}

// notJSON makes the diagnostic of a syntax error.
func (r *reader) notJSON(err error) *source.Diagnostic {
	at := r.d.InputOffset()
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		at = max(syntax.Offset-1, 0)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		at, err = int64(len(bytes.TrimRight(r.text, " \t\r\n"))), errors.New("the text ends too early")
	}
	return r.warnAt(min(at, int64(len(r.text))), "the case is not JSON: %s", err)
}

// next returns the offset of the next value or name.
func (r *reader) next() int64 {
	at := r.d.InputOffset()
	for int(at) < len(r.text) && bytes.IndexByte([]byte(" \t\r\n:,"), r.text[at]) >= 0 {
		at++
	}
	return at
}

// object reads the members. It returns the mistake because of which the case cannot be used, or nil.
func (r *reader) object() *source.Diagnostic {
	at := r.next()
	open, err := r.d.Token()
	if err != nil {
		return r.notJSON(err)
	}
	if open != json.Delim('{') {
		return r.warnAt(at, "a case is an object, as in {\"tool\": \"eligible\", \"expected\": ...}")
	}
	fields := r.members()
	for r.d.More() {
		at := r.next()
		name, err := r.d.Token()
		if err != nil {
			return r.notJSON(err)
		}
		if wrong := r.member(name.(string), at, fields); wrong != nil { // names are strings
			return wrong
		}
	}
	if _, err := r.d.Token(); err != nil {
		return r.notJSON(err)
	}
	if at := r.next(); int(at) < len(r.text) {
		return r.warnAt(at, "something follows the case")
	}
	return nil
}

// member reads a member whose name stands at an offset.
func (r *reader) member(name string, at int64, fields map[string]any) *source.Diagnostic {
	start := r.next()
	var raw json.RawMessage
	if err := r.d.Decode(&raw); err != nil {
		return r.notJSON(err)
	}
	_, twice := r.places[name]
	field, known := fields[name]
	switch {
	case twice:
		return r.warnAt(at, "the member %s stands here a second time", name)
	case !known:
		names := make([]string, 0, len(fields))
		for one := range fields {
			names = append(names, one)
		}
		slices.Sort(names)
		hint := spell.Hint(name, names)
		if hint == "" {
			hint = "; it has " + strings.Join(names, ", ")
		}
		return r.warnAt(at, "a case has no member %s%s", name, hint)
	}
	r.places[name] = r.place(start)
	if list, isRaw := field.(*json.RawMessage); isRaw {
		*list = raw
		if name != "expected" && raw[0] != '{' {
			return r.warnAt(start, "%s is an object", name)
		}
		return nil
	}
	if err := json.Unmarshal(raw, field); err != nil {
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			want := map[reflect.Kind]string{reflect.String: "a string", reflect.Slice: "a list", reflect.Struct: "an object",
				reflect.Map: "an object"}[wrong.Type.Kind()]
			return r.warnAt(start, "%s should be %s here", name, cmp.Or(want, "a number"))
		}
		why := ""
		if wrong, ok := errors.AsType[*time.ParseError](err); ok {
			why = wrong.Message
		}
		return r.warnAt(start, "%s is a time such as 2026-03-01T12:00:00Z, not %s%s", name, raw, why)
	}
	return nil
}

// Check returns warnings about cases that call tools which a knowledge base does not have.
func Check(list []*Case, s *kb.Snapshot) (report source.Diagnostics) {
	var names []string
	for _, t := range s.Tools {
		names = append(names, t.Name)
	}
	for _, c := range list {
		if s.Tool(c.Tool) == nil && c.Error != "no_such_tool" {
			report = append(report, c.Warn("tool", "there is no tool %s%s", c.Tool, spell.Hint(c.Tool, names)))
		}
	}
	return report
}

// Of makes a case from a recorded call and its answer. The error says why that is not possible.
func Of(r *decisions.Record) (*Case, error) {
	if reason := r.Replayable(false); reason != "" {
		return nil, fmt.Errorf("the call cannot be run again: %s", reason)
	}
	c := &Case{Tool: r.Tool, Arguments: r.Arguments, Assume: r.Assume, Without: r.Without, Given: r.Given, User: r.User,
		Now: r.Now.UTC().Truncate(time.Second), Zone: r.Zone, Seed: r.Seed, Answers: r.Answers}
	c.Expect(r)
	return c, nil
}

// Expect makes the answer of a call the expected one.
func (c *Case) Expect(r *decisions.Record) { c.Expected, c.Error = answerOf(r) }

// answerOf returns the part of an answer that a case keeps: a value, or the code of an error.
func answerOf(r *decisions.Record) (value json.RawMessage, code string) {
	if r.Outcome != "ok" {
		return nil, r.Outcome
	}
	var result struct {
		StructuredContent json.RawMessage
	}
	_ = json.Unmarshal(r.Result, &result) // of a server
	if len(result.StructuredContent) == 0 {
		value, _ = json.Marshal(r.Text()) // a string
		return value, ""
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(result.StructuredContent, &members) != nil || members["solutions"] == nil {
		return result.StructuredContent, ""
	}
	for _, name := range []string{"note", "cursor"} { // words, and a key of one server
		delete(members, name)
	}
	value, _ = json.Marshal(members) // of JSON
	return value, ""
}

// record returns the call of a case with the expected answer.
func (c *Case) record() *decisions.Record {
	return &decisions.Record{ID: c.Name, Tool: c.Tool, Arguments: c.arguments(), Assume: c.Assume, Without: c.Without,
		Given: c.Given, User: c.User, Now: c.Now, Zone: c.Zone, Seed: cmp.Or(c.Seed, c.Name), Answers: c.Answers,
		Client: &decisions.Client{
			Name: "case", Protocol: "2025-11-25",
			Capabilities: json.RawMessage(`{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}},"roots":{}}`)}}
}

func (c *Case) arguments() json.RawMessage {
	if c.Arguments == nil {
		return json.RawMessage("{}")
	}
	return c.Arguments
}

// Replayer runs recorded calls: a server of the bridge.
type Replayer interface {
	// Replay runs a call again and returns its record with the new answer. Unless than is nil, the text says why the
	// answer differs from that of than. Nothing is committed.
	Replay(ctx context.Context, d, than *decisions.Record) (now *decisions.Record, text string)
}

// Outcome is the result of a case.
type Outcome struct {
	Name   string `json:"name"`
	Title  string `json:"title,omitempty"`
	Tool   string `json:"tool"`
	Passed bool   `json:"passed"`
	// Arguments are those of the call.
	Arguments json.RawMessage `json:"arguments,omitempty"`
	// Expected and Got are the answers; an error is shown by its code. Text is the text of the new answer for people.
	Expected json.RawMessage `json:"expected,omitempty"`
	Got      json.RawMessage `json:"got,omitempty"`
	Text     string          `json:"text,omitempty"`
	// Differences lists the parts in which the answers differ. Why says why the answer is not the expected one.
	Differences []string `json:"differences,omitempty"`
	Why         string   `json:"why,omitempty"`

	Case   *Case             `json:"-"`
	Record *decisions.Record `json:"-"`
}

// Run runs a case. It asks for reasons only if the case fails.
func Run(ctx context.Context, on Replayer, c *Case) *Outcome {
	was := c.record()
	now, _ := on.Replay(ctx, was, nil)
	o := &Outcome{Name: c.Name, Title: c.Title, Tool: c.Tool, Arguments: c.Arguments, Text: now.Text(),
		Case: c, Record: now}
	o.Expected, o.Got = shown(c.Expected, c.Error), shown(answerOf(now))
	if o.Differences = Differences(o.Expected, o.Got); o.Expected == nil {
		o.Differences = []string{"nothing is expected yet; mcplogic case update writes the answer of now"}
	}
	if o.Passed = len(o.Differences) == 0; !o.Passed && ctx.Err() == nil {
		_, o.Why = on.Replay(ctx, was, c.expectedRecord())
	}
	return o
}

// shown returns an answer, or the code of an error in its place.
func shown(value json.RawMessage, code string) json.RawMessage {
	if code == "" {
		return value
	}
	text, _ := json.Marshal("error: " + code) // a string
	return text
}

// expectedRecord returns a record with the expected answer. A server uses it to say why its own answer differs.
func (c *Case) expectedRecord() *decisions.Record {
	r := c.record()
	if r.Outcome = c.Error; c.Error == "" {
		r.Outcome = "ok"
		raw, err := json.Marshal(map[string]json.RawMessage{"structuredContent": c.Expected})
		if err == nil && bytes.HasPrefix(c.Expected, []byte("{")) {
			r.Result = raw
		}
	}
	return r
}

// Message returns a sentence about the difference of the answers.
func (o *Outcome) Message() string { return strings.Join(o.Differences, "; ") }

// Compared holds the differences between the answers of two versions of the rules.
type Compared struct {
	Differences []string `json:"differences"`
	Was         string   `json:"was"`
	WhyWas      string   `json:"why_was,omitempty"`
	Now         string   `json:"now"`
	WhyNow      string   `json:"why_now,omitempty"`
}

// Compare runs a case on an earlier version of the rules. It returns the differences from the outcome on the present
// rules, with the reasons of both answers. It returns nil if there is no difference.
func Compare(ctx context.Context, before, now Replayer, o *Outcome) *Compared {
	was, _ := before.Replay(ctx, o.Case.record(), nil)
	list := Differences(shown(answerOf(was)), o.Got)
	if len(list) == 0 {
		return nil
	}
	c := &Compared{Differences: list, Was: was.Text(), Now: o.Text}
	_, c.WhyWas = before.Replay(ctx, o.Case.record(), o.Record)
	_, c.WhyNow = now.Replay(ctx, o.Case.record(), was)
	return c
}
