package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/bridge/web"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/settings"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/internal/cases"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/rulefiles"
	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/kb/decisions"
)

// This file defines what the page at / reads and does besides calls: for people who answer for the rules.

// pageDesk is the page's side of a server. record is the folder of decisions, "" for none. Goroutines share it.
type pageDesk struct {
	base   *kb.Base
	server *bridge.Server
	paths  []string
	record string
	// execute runs a command.
	execute func(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int

	mu     sync.Mutex // guards what follows, and is held while cases run
	now    *caseRound // of the rules that are served, nil before the first request
	before *caseRound // of the rules before those, nil for none
}

// caseRound is what came of all cases on some rules.
type caseRound struct {
	Digest   string             `json:"digest"`
	Time     time.Time          `json:"time"`
	Outcomes []*cases.Outcome   `json:"outcomes"`
	Wrong    source.Diagnostics `json:"wrong"`

	stamp  string
	server *bridge.Server // of the rules, nil once they have been replaced
}

func (d *pageDesk) views() map[string]func(*http.Request) any {
	views := map[string]func(*http.Request) any{
		"graph":    func(*http.Request) any { return graphForPage(d.paths) },
		"tables":   func(*http.Request) any { return tablesForPage(d.base.Snapshot()) },
		"facts":    func(r *http.Request) any { return d.server.WhatIfFacts(r.FormValue("tool")) },
		"overview": func(r *http.Request) any { return d.overview(r.Context()) },
		"cases":    func(r *http.Request) any { return d.cases(r.Context()) },
	}
	for name, view := range views {
		views[name] = func(r *http.Request) any {
			if err := d.server.Loaded(r.Context()); err != nil {
				return map[string]string{"error": err.Error()}
			}
			return view(r)
		}
	}
	return views
}

// mostWords bounds the predicates that the page shows.
const mostWords = 300

// overview is what the knowledge base is and knows.
func (d *pageDesk) overview(ctx context.Context) any {
	s := d.base.Snapshot()
	words := slices.DeleteFunc(s.Vocabulary(ctx), func(w kb.Word) bool { return w.File == "" })
	count := len(words)
	// Those that their author has described come first.
	slices.SortStableFunc(words, func(a, b kb.Word) int {
		return cmp.Compare(min(len(b.About)+len(b.Table), 1), min(len(a.About)+len(a.Table), 1))
	})
	words = words[:min(count, mostWords)]
	p := inner.Of(s.Program)
	for i := range words {
		words[i].File = p.FileName(words[i].File)
	}
	type dataFile struct {
		File      string   `json:"file"`
		Predicate string   `json:"predicate"`
		Rows      int      `json:"rows"`
		Types     []string `json:"types"`
		Columns   []string `json:"columns"`
	}
	data := []dataFile{}
	for _, f := range p.DataFiles() {
		data = append(data, dataFile{p.FileName(f.Name), f.Predicate, f.Rows, f.Types, f.Columns})
	}
	list, _ := cases.Read(d.paths)
	files := make([]string, len(s.Files))
	for i, f := range s.Files {
		files[i] = p.FileName(f)
	}
	return map[string]any{"digest": s.Rules.Digest, "files": files, "predicates": words, "count": count, "data": data,
		"cases": len(list), "decisions": d.record != "", "home": strings.TrimSuffix(d.paths[0], "/") + "/",
		"desk": d.server.HasDesk(), "stored": s.Persistent()}
}

// loaded runs the cases on newly loaded rules, if cases have been shown before.
func (d *pageDesk) loaded(ctx context.Context) {
	d.mu.Lock()
	wanted := d.now != nil
	d.mu.Unlock()
	if wanted {
		go d.cases(ctx)
	}
}

// cases runs the cases if they or the rules have changed since the last time. It also shows their outcomes on the rules
// before, if these are known.
func (d *pageDesk) cases(ctx context.Context) any {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := d.base.Snapshot()
	stamp := s.Rules.Digest + cases.Stamp(d.paths)
	if d.now == nil || d.now.stamp != stamp {
		next := &caseRound{Digest: s.Rules.Digest, Time: time.Now().UTC(), stamp: stamp, server: d.server.Beside(s),
			Outcomes: []*cases.Outcome{}, Wrong: source.Diagnostics{}}
		list, wrong := cases.Read(d.paths)
		next.Wrong = append(next.Wrong, append(wrong, cases.Check(list, s)...)...)
		for _, c := range list {
			next.Outcomes = append(next.Outcomes, cases.Run(ctx, next.server, c))
		}
		if ctx.Err() != nil {
			next.server.Close()
			return map[string]any{"error": "the cases were stopped"}
		}
		if d.now != nil {
			if d.now.server.Close(); d.now.Digest != next.Digest {
				d.before = d.now
			}
			d.now.server = nil
		}
		d.now = next
	}
	return map[string]any{"now": d.now, "before": d.before}
}

// end ends the server of the cases.
func (d *pageDesk) end() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.now != nil {
		d.now.server.Close()
	}
}

// deskAction is an action of the page for users who may edit.
type deskAction = func(ctx context.Context, by web.Editor, body json.RawMessage) (any, error)

func (d *pageDesk) actions() map[string]deskAction {
	actions := map[string]deskAction{"desk": d.bench, "file": d.file, "keep": d.keep, "decisions": d.decisions,
		"decision": d.command("decision"), "replay": d.command("replay"), "history": d.history, "version": d.version,
		"stored": d.stored, "discard": d.discard}
	for name, act := range actions {
		actions[name] = func(ctx context.Context, by web.Editor, body json.RawMessage) (any, error) {
			if err := d.server.Loaded(ctx); err != nil {
				return nil, err
			}
			return act(ctx, by, body)
		}
	}
	return actions
}

// fileVersion is what the page asks for of files, and of one of their versions. Several saves may have one hash.
type fileVersion struct {
	File, Hash string
	Time       time.Time // zero: the last save with the hash
}

// history lists the last saves of a file, or of all files.
func (d *pageDesk) history(_ context.Context, _ web.Editor, body json.RawMessage) (any, error) {
	const most = 50
	var wanted fileVersion
	err := json.Unmarshal(body, &wanted)
	return append([]rulefiles.Saved{}, rulefiles.History(d.paths[0], wanted.File, most)...), err
}

// version returns a save of a file, with the texts before and after it. A text before that is not kept any more is nil.
func (d *pageDesk) version(_ context.Context, _ web.Editor, body json.RawMessage) (any, error) {
	var wanted fileVersion
	if err := json.Unmarshal(body, &wanted); err != nil {
		return nil, err
	}
	for _, one := range rulefiles.History(d.paths[0], wanted.File, math.MaxInt) {
		if one.Hash != wanted.Hash || !wanted.Time.IsZero() && !one.Time.Equal(wanted.Time) {
			continue
		}
		var was any
		before, err := rulefiles.Version(d.paths[0], one.Was)
		if err == nil || one.Was == "" { // a new file was nothing
			was = before
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		text, err := "", error(nil)
		if one.Hash != "" { // a file that was removed is nothing
			text, err = rulefiles.Version(d.paths[0], one.Hash)
		}
		if errors.Is(err, fs.ErrNotExist) {
			err = errors.New("this version is not kept any more")
		}
		return map[string]any{"save": one, "was": was, "text": text}, err
	}
	return nil, fmt.Errorf("%s was not saved with the hash %s", wanted.File, wanted.Hash)
}

// mostStored is how many stored facts the page shows.
const mostStored = 200

// stored lists the last facts of a persistent predicate.
func (d *pageDesk) stored(_ context.Context, _ web.Editor, body json.RawMessage) (any, error) {
	var wanted struct{ Predicate, Text string }
	err := json.Unmarshal(body, &wanted)
	list, count := d.base.Stored(wanted.Predicate, wanted.Text, mostStored)
	return map[string]any{"facts": list, "count": count}, err
}

// authorOf returns the author of an action: the typed name, and the token that proves the right.
func authorOf(by web.Editor, alias string) rulefiles.Author {
	given := []rune(strings.TrimSpace(alias)) // only that is cut: the token is proof
	names := slices.DeleteFunc([]string{string(given[:min(len(given), 100)]), by.User},
		func(name string) bool { return name == "" })
	return rulefiles.Author{Name: strings.Join(names, ", "), Owner: by.Owner}
}

// file reads a file that can be edited. One that is not there has no text and no hash.
func (d *pageDesk) file(_ context.Context, _ web.Editor, body json.RawMessage) (any, error) {
	var wanted struct{ File string }
	if err := json.Unmarshal(body, &wanted); err != nil {
		return nil, err
	}
	if err := rulefiles.CheckName(wanted.File); err != nil {
		return nil, err
	}
	text, hash, err := rulefiles.Read(d.paths[0], wanted.File)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return map[string]string{"text": text, "hash": hash}, err
}

// discard removes a file that the page has just made for another one, whose save has failed.
func (d *pageDesk) discard(ctx context.Context, by web.Editor, body json.RawMessage) (any, error) {
	var wanted struct{ File, Hash, By string }
	if err := json.Unmarshal(body, &wanted); err != nil {
		return nil, err
	}
	return nil, d.server.Discard(ctx, wanted.File, wanted.Hash, authorOf(by, wanted.By))
}

// bench calls a tool of the workbench.
func (d *pageDesk) bench(ctx context.Context, by web.Editor, body json.RawMessage) (any, error) {
	var wanted struct {
		Tool      string
		Arguments json.RawMessage
		By        string
	}
	if err := json.Unmarshal(body, &wanted); err != nil {
		return nil, err
	}
	return d.server.Desk(ctx, wanted.Tool, wanted.Arguments, authorOf(by, wanted.By))
}

// keep keeps a call, or a recorded decision, as a case.
func (d *pageDesk) keep(ctx context.Context, by web.Editor, body json.RawMessage) (any, error) {
	var wanted struct {
		Name, Title, Tool, Decision, By string
		Arguments                       json.RawMessage
		Update                          bool
	}
	if err := json.Unmarshal(body, &wanted); err != nil {
		return nil, err
	}
	if err := cases.CheckName(wanted.Name); err != nil {
		return nil, err
	}
	author := authorOf(by, wanted.By)
	if wanted.Update {
		return d.update(ctx, author, wanted.Name)
	}
	was, err := d.made(ctx, wanted.Tool, wanted.Arguments, wanted.Decision)
	if err != nil {
		return nil, err
	}
	c, err := cases.Of(was)
	if err != nil {
		return nil, err
	}
	c.Name, c.Title, c.Decision, c.KeptBy = wanted.Name, wanted.Title, wanted.Decision, author.Name
	return d.saveCase(ctx, author, c, "")
}

// update expects of a case the answer that it has now.
func (d *pageDesk) update(ctx context.Context, author rulefiles.Author, name string) (any, error) {
	list, _ := cases.Read(d.paths)
	c := cases.Find(list, name)
	_, hash, err := rulefiles.Read(d.paths[0], cases.FileOf(name))
	if c == nil || err != nil {
		return nil, fmt.Errorf("there is no case %s", name)
	}
	server := d.server.Beside(d.base.Snapshot())
	defer server.Close()
	o := cases.Run(ctx, server, c)
	if reason := o.Record.Replayable(false); reason != "" {
		return nil, errors.New("the case stays as it is: " + reason)
	}
	c.Expect(o.Record)
	c.KeptBy = cmp.Or(author.Name, c.KeptBy)
	return d.saveCase(ctx, author, c, hash)
}

// saveCase saves a case as the workbench saves files. hash is that of the file that it replaces, "" for none.
func (d *pageDesk) saveCase(ctx context.Context, author rulefiles.Author, c *cases.Case, hash string) (any, error) {
	arguments, err := json.Marshal(map[string]string{"file": cases.FileOf(c.Name), "text": c.Text(), "hash": hash})
	if err != nil {
		return nil, err
	}
	return d.server.Desk(ctx, "kb_save", arguments, author)
}

// made is a call with its answer: a recorded one, or one that is made now and commits nothing.
func (d *pageDesk) made(
	ctx context.Context, tool string, arguments json.RawMessage, id string,
) (*decisions.Record, error) {
	if id != "" && d.record != "" {
		return settings.FindRecord(d.record, &decisions.Filter{ID: id})
	}
	server := d.server.Beside(d.base.Snapshot())
	defer server.Close()
	asked := &decisions.Record{Tool: tool, Arguments: arguments, Now: time.Now(), Zone: decisions.Zone(),
		Seed: rand.Text()}
	was, _ := server.Replay(ctx, asked, nil)
	if was.Outcome == "asks" {
		return nil, errors.New("the call asks a question. Serve with --decisions DIR, so that the answers are recorded, " +
			"and keep the call then")
	}
	return was, nil
}

// mostDecisions is how many recorded calls the page shows.
const mostDecisions = 200

// decisions lists the last recorded calls whose records contain a text, the newest first.
func (d *pageDesk) decisions(_ context.Context, _ web.Editor, body json.RawMessage) (any, error) {
	var wanted struct{ Text string }
	if err := json.Unmarshal(body, &wanted); err != nil {
		return nil, err
	}
	calls, count, err := decisions.Latest(d.record, wanted.Text, mostDecisions)
	type line struct {
		ID        string          `json:"id"`
		Time      time.Time       `json:"time"`
		User      string          `json:"user,omitempty"`
		Tool      string          `json:"tool"`
		Arguments json.RawMessage `json:"arguments,omitempty"`
		Outcome   string          `json:"outcome"`
		Text      string          `json:"text"`
	}
	list := []line{}
	for _, c := range calls {
		list = append(list, line{c.ID, c.Time, c.User, c.Tool, c.Arguments, c.Outcome, c.Text()})
	}
	return map[string]any{"calls": list, "count": count}, err
}

// command runs a command on the record, and answers with the JSON lines that it prints.
func (d *pageDesk) command(name string) deskAction {
	return func(ctx context.Context, _ web.Editor, body json.RawMessage) (any, error) {
		var wanted struct{ ID string }
		if err := json.Unmarshal(body, &wanted); err != nil {
			return nil, err
		}
		args := []string{name, "--json"}
		switch {
		case d.record == "":
			return nil, errors.New("no calls are recorded; serve with --decisions DIR")
		case name == "decision":
			args = append(args, "--", wanted.ID, d.record)
		default:
			args = append(args, "--", d.record, d.paths[0])
		}
		var out, errOut bytes.Buffer
		if code := d.execute(ctx, args, strings.NewReader(""), &out, &errOut); code == cli.ExitUsage {
			return nil, errors.New(strings.TrimPrefix(strings.TrimSpace(errOut.String()), "mcplogic: "))
		}
		lines := []json.RawMessage{}
		for line := range bytes.Lines(out.Bytes()) {
			if !json.Valid(line) {
				return nil, fmt.Errorf("%s has printed what is no JSON", name)
			}
			lines = append(lines, json.RawMessage(bytes.Clone(line)))
		}
		return map[string]any{"lines": lines, "notes": errOut.String()}, nil
	}
}
