// Package events serves the events of rules, by the MCP extension events (SEP-3415). Clients are told of new answers.
//
// A watch is an event with arguments that a client has subscribed to. The facts of module mcp_events hold the last
// answers of its goal, and number the new answers, which are the occurrences. These facts change in the transactions of
// calls. Servers that share a store therefore note each occurrence once, and a new server continues where others have
// been. A [Table] checks the watches of a server when facts have changed, sends occurrences to streams, and posts them
// to hooks. Goroutines share it.
package events

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/items"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/schema"
)

// This file defines watches: how they begin, how they are checked, and how occurrences are read.

// Settings are the settings of a table.
type Settings struct {
	// Offer returns the present offer.
	Offer func() *items.Offer
	// Runner and Maker make calls and jobs.
	Runner *calls.Runner
	Maker  *items.Maker
	// Callbacks say where occurrences may be posted; nil: nowhere.
	Callbacks *Callbacks
	Log       *slog.Logger
}

const (
	// maxWatches bounds all watches, maxEach the watches of one client, and maxHooks the hooks of one user.
	maxWatches, maxEach, maxHooks = 1000, 100, 100
	// kept is how many occurrences of a watch are kept.
	kept = 1000
	// maxPolled is how many occurrences one poll returns.
	maxPolled = 100
	// lease is how long a watch lives without a poll or stream.
	lease = time.Hour
	// pollTime is how long clients are told to wait between two polls.
	pollTime = 5 * time.Second
	// lookTime is how often a server checks whether facts have changed.
	lookTime = 200 * time.Millisecond
	// goneTime is how long a server waits before it ends a hook that it has never admitted. Servers of one store that
	// are replaced one after the other may have different rules and tokens meanwhile.
	goneTime = 10 * time.Minute
	// sweepTime is how often a server looks for expired watches and hooks, and for hooks whose user has lost access.
	sweepTime = time.Minute
)

// Table has a server's state of its watches and hooks. The persistent state is in the facts.
type Table struct {
	set    Settings
	server string // identifies the server among those of a store

	mu      sync.Mutex
	state   uint64           // the state of the facts at the last round, with their program
	program *engine.Program  //
	looks   map[string]*look // by the key of the watch
	round   chan struct{}    // closed at the end of the next round
	streams map[string]int   // the open streams, by client
	// listeners are the subscriptions to changes of the list of events.
	listeners map[*listened]bool

	posting map[string]*post // by the id of the hook
	anew    bool             // the hooks have not been checked since the last reload
	places  chan struct{}    // held by running posts
	posts   sync.WaitGroup   // running posts
}

// look is the result of the last check of a watch.
type look struct {
	at      time.Time
	failure string // the error of the check, or ""
}

// NewTable returns a table without watches.
func NewTable(set *Settings) *Table {
	return &Table{set: *set, server: rand.Text(), looks: map[string]*look{}, round: make(chan struct{}),
		streams: map[string]int{}, posting: map[string]*post{}, places: make(chan struct{}, maxPosting),
		listeners: map[*listened]bool{}}
}

// watch is an event with arguments.
type watch struct {
	key, arguments string
	event          *items.Event
	looked         *items.Looked
	offer          *items.Offer
}

// newWatch returns the watch of an event with arguments. The error says what is wrong with the arguments.
func (t *Table) newWatch(o *items.Offer, e *items.Event, raw json.RawMessage) (*watch, error) {
	canonical, err := canonicalJSON(raw)
	if err != nil {
		return nil, err
	}
	if len(raw) == 0 {
		raw = canonical
	}
	args, err := e.ReadArguments(raw) // which refuses what canonical hides, such as a duplicate name
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(e.Name + "\x00" + string(canonical)))
	return &watch{key: hex.EncodeToString(sum[:12]), arguments: string(canonical), event: e,
		looked: t.set.Maker.Look(e, args), offer: o}, nil
}

// canonicalJSON returns an object with its members in order.
func canonicalJSON(raw json.RawMessage) (json.RawMessage, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return json.RawMessage("{}"), nil
	}
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.UseNumber()
	var members map[string]any
	if err := d.Decode(&members); err != nil {
		return nil, errors.New("expected an object as arguments")
	}
	return json.Marshal(members)
}

// run runs a goal of the module of events and returns the values of variables. w is nil for a goal that is not about an
// event.
func (t *Table) run(ctx context.Context, w *watch, functor string, args []any, vars ...string) (map[string]engine.Term,
	error) {
	list := make([]engine.Term, 0, len(args)+len(vars))
	for _, arg := range args {
		list = append(list, termOf(arg))
	}
	wanted := make([]*term.Var, len(vars))
	for i, name := range vars {
		wanted[i] = &term.Var{Name: name, ID: int64(-1000 - i)}
		list = append(list, wanted[i])
	}
	offer, event := t.set.Offer(), (*items.Event)(nil)
	if w != nil {
		ctx, offer, event = w.looked.Context(ctx), w.offer, w.event
	}
	if !offer.Snapshot.KeepsEvents() {
		return nil, errGone
	}
	c := t.set.Runner.NewCall(t.set.Maker.EventJob(offer, event, term.New(term.Atom(functor), list...), wanted...))
	result, err := c.Advance(ctx, calls.Asking(nil, ""))
	if err != nil {
		if wrong := c.PanicError(err); wrong != nil {
			return nil, wrong
		}
		return nil, explained(err, c)
	}
	return result.(*items.EventResult).Values, nil
}

// failure is the error of a goal, in words.
type failure struct {
	text string
	err  error
}

func (f *failure) Error() string { return f.text }
func (f *failure) Unwrap() error { return f.err }

func explained(err error, c *calls.Call) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, calls.ErrFailed) {
		return err
	}
	return &failure{c.Explain(err), err}
}

// exhausted is the limit that an error reports, or "".
func exhausted(err error) (limit string, most int) {
	var thrown *engine.Exception
	if !errors.As(err, &thrown) {
		return "", 0
	}
	if e, ok := term.Is(thrown.Term, "error", 2); ok {
		if r, ok := term.Is(e[0], "resource_error", 1); ok {
			if c, ok := r[0].(*term.Compound); ok && len(c.Args) == 1 {
				n, _ := c.Args[0].(term.Int)
				return string(c.Functor), int(n)
			}
		}
	}
	return "", 0
}

func termOf(arg any) engine.Term {
	switch arg := arg.(type) {
	case string:
		return term.Atom(arg)
	case int:
		return term.Int(arg)
	case int64:
		return term.Int(arg)
	case []any:
		c := make([]engine.Term, len(arg)-1)
		for i := range c {
			c[i] = termOf(arg[i+1])
		}
		return term.New(term.Atom(arg[0].(string)), c...)
	}
	return arg.(engine.Term)
}

// millis is a time in milliseconds, as in facts.
func millis(t time.Time) int64 { return t.UnixMilli() }

// position is a place among the occurrences of the watch with a stamp: after the occurrence with a number.
type position struct {
	stamp  string
	number int
}

func (p position) String() string { return p.stamp + "." + strconv.Itoa(p.number) }

// readPosition reads a cursor. For an invalid cursor the stamp is "", which belongs to no watch.
func readPosition(cursor string) position {
	stamp, number, _ := strings.Cut(cursor, ".")
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 {
		return position{}
	}
	return position{stamp, n}
}

// begin begins a watch, or checks an existing one, and returns the position after the last occurrence.
func (t *Table) begin(ctx context.Context, w *watch, owner string, until time.Time) (position, error) {
	now := time.Now()
	found, err := t.run(ctx, w, "watch", []any{
		[]any{"watched", w.key, w.event.Name, w.arguments, owner, rand.Text(), millis(now), millis(until)},
		[]any{"bounds", maxWatches, maxEach, kept}, w.looked.Goal, w.looked.Row, w.looked.Most}, "Stamp", "Last")
	t.note(w.key, w.event.Name, err)
	if err != nil {
		return position{}, err
	}
	return positionOf(found["Stamp"], found["Last"]), nil
}

func positionOf(stamp, number engine.Term) position {
	n, _ := number.(term.Int)
	text, _ := term.Text(stamp)
	return position{text, int(n)}
}

// note notes the result of a check of a watch. An error is logged once, until it changes.
func (t *Table) note(key, event string, err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	l := &look{at: time.Now()}
	if err != nil {
		l.failure = err.Error()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if was := t.looks[key]; l.failure != "" && (was == nil || was.failure != l.failure) {
		t.set.Log.Warn("an event could not be looked at", "event", event, "reason", l.failure)
	}
	t.looks[key] = l
}

// failureOf is the error of the last check of a watch, or "".
func (t *Table) failureOf(key string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if l := t.looks[key]; l != nil {
		return l.failure
	}
	return ""
}

// occurrence is an occurrence as clients get it.
type occurrence struct {
	ID     string          `json:"eventId"`
	Name   string          `json:"name"`
	Time   string          `json:"timestamp"`
	Data   json.RawMessage `json:"data"`
	Cursor string          `json:"cursor,omitempty"`
	Meta   mcp.Meta        `json:"_meta,omitempty"`
	number int
}

// metaWhy is the member of _meta with the proof of an occurrence.
const metaWhy = "mcplogic/why"

// batch has the occurrences after a position.
type batch struct {
	events []occurrence
	// next is the position after these occurrences, last the position after all.
	next, last position
	// truncated says that further occurrences are lost or too old.
	truncated bool
}

// since reads a limited number of occurrences after a position. They are not older than a time, which may be zero.
func (t *Table) since(ctx context.Context, w *watch, from position, most int, oldest time.Time) (*batch, error) {
	found, err := t.run(ctx, w, "since", []any{w.key, from.number, most, max(0, millis(oldest))},
		"Stamp", "Last", "Found")
	if err != nil {
		return nil, err
	}
	b := &batch{last: positionOf(found["Stamp"], found["Last"])}
	if from.stamp != b.last.stamp || from.number > b.last.number {
		b.next, b.truncated = b.last, true
		return b, nil
	}
	list, _ := term.Slice(found["Found"])
	b.next = from
	for _, o := range list {
		args, _ := term.Is(o, "o", 4)
		p := positionOf(term.Atom(from.stamp), args[0])
		b.truncated = b.truncated || p.number > b.next.number+1
		ms, _ := args[1].(term.Int)
		data, _ := term.Text(args[2])
		b.events = append(b.events, occurrence{ID: w.key + "-" + p.String(), Name: w.event.Name,
			Time: timestamp(time.UnixMilli(int64(ms))), Data: json.RawMessage(data), Cursor: p.String(), number: p.number})
		if proof, _ := term.Text(args[3]); proof != "" {
			b.events[len(b.events)-1].Meta = mcp.Meta{metaWhy: proof}
		}
		b.next = p
	}
	if len(list) < most && b.next.number < b.last.number {
		b.next, b.truncated = b.last, true
	}
	return b, nil
}

func timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// Run checks the watches when facts or rules have changed or their time has come, and posts occurrences. It returns
// when ctx ends.
func (t *Table) Run(ctx context.Context) {
	ticker := time.NewTicker(lookTime)
	defer ticker.Stop()
	for swept := time.Now(); ; {
		select {
		case <-ctx.Done():
			t.release()
			return
		case <-ticker.C:
		}
		o := t.set.Offer()
		if o.Snapshot.Program == nil {
			continue // it is loading
		}
		sweep := time.Since(swept) > sweepTime
		if sweep {
			swept = time.Now()
			t.forgetPosts()
		}
		t.lookAround(ctx, o, sweep)
		t.postAll(ctx, o, sweep)
	}
}

// lookAround checks the watches that may have changed.
func (t *Table) lookAround(ctx context.Context, o *items.Offer, sweep bool) {
	state := stateOf(o.Snapshot.Program)
	t.mu.Lock()
	changed := state != t.state || o.Snapshot.Program != t.program
	t.anew = t.anew || o.Snapshot.Program != t.program
	t.state, t.program = state, o.Snapshot.Program
	idle := !changed && !sweep && !slices.ContainsFunc(slices.Collect(maps.Values(o.Events)),
		func(e *items.Event) bool { return e.Every > 0 })
	t.mu.Unlock()
	if idle {
		return
	}
	if sweep {
		_, _ = t.run(ctx, nil, "expire", []any{millis(time.Now())})
	}
	found, err := t.run(ctx, nil, "watches", nil, "List")
	if err != nil { // a later round reports the error, unless the rules have no more events
		t.endRound(nil)
		return
	}
	list, _ := term.Slice(found["List"])
	alive := map[string]bool{}
	for _, x := range list {
		args, _ := term.Is(x, "w", 4)
		texts := make([]string, 3)
		for i := range texts {
			texts[i], _ = term.Text(args[i])
		}
		alive[texts[0]] = true
		if until, _ := args[3].(term.Int); int64(until) < millis(time.Now()) {
			continue
		}
		t.lookAt(ctx, o, texts[0], texts[1], texts[2], changed)
	}
	t.endRound(alive)
}

// endRound wakes the streams. It keeps only the results of checks of living watches.
func (t *Table) endRound(alive map[string]bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	maps.DeleteFunc(t.looks, func(key string, _ *look) bool { return !alive[key] })
	close(t.round)
	t.round = make(chan struct{})
}

// lookAt checks one watch, if facts have changed or its time has come.
func (t *Table) lookAt(ctx context.Context, o *items.Offer, key, name, arguments string, changed bool) {
	e := o.Events[name]
	if e == nil {
		t.note(key, name, errGone)
		return
	}
	t.mu.Lock()
	was := t.looks[key]
	t.mu.Unlock()
	if !changed && was != nil && (e.Every == 0 || time.Since(was.at) < e.Every) {
		return
	}
	w, err := t.newWatch(o, e, json.RawMessage(arguments))
	if err == nil {
		_, err = t.run(ctx, w, "look", []any{key, millis(time.Now()), kept, w.looked.Goal, w.looked.Row, w.looked.Most})
	}
	t.note(key, name, err)
}

// errGone is the error of a watch whose event the rules no longer have.
var errGone = errors.New("the rules do not declare this event any more")

// rewatch returns the watch of an event with arguments under the present rules. If the watch is no longer possible, end
// is the error that ends the subscription.
func (t *Table) rewatch(o *items.Offer, name, arguments string) (w *watch, end schema.Object) {
	e := o.Events[name]
	if e == nil {
		return nil, ending(codeNotFound, "NotFound", "kind", "event", "reason", errGone.Error())
	}
	w, err := t.newWatch(o, e, json.RawMessage(arguments))
	if err != nil {
		return nil, ending(codeUnsupported, "Unsupported", "feature", "inputSchema", "reason", "schema_changed")
	}
	return w, nil
}

func ending(code int64, message string, data ...any) schema.Object {
	return object("code", code, "message", message, "data", object(data...))
}

// stateOf is the state of the facts of a program.
func stateOf(p *engine.Program) uint64 {
	run, err := inner.Of(p).StartTerm(term.True, nil, nil)
	if err != nil {
		return 0
	}
	defer run.Close()
	return inner.Of(p).Generation(run)
}

// nextRound returns a channel that is closed at the end of the next round.
func (t *Table) nextRound() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.round
}

// enterStream counts a stream of a client. The function that it returns ends that.
func (t *Table) enterStream(client string) (leave func(), err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.streams[client] >= maxEach {
		return nil, errExhausted("streams", maxEach)
	}
	t.streams[client]++
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.streams[client]--; t.streams[client] == 0 {
			delete(t.streams, client)
		}
	}, nil
}

// object is a JSON object with members in order.
func object(pairs ...any) schema.Object {
	o := schema.Object{}
	for i := 0; i < len(pairs); i += 2 {
		o = o.With(fmt.Sprint(pairs[i]), pairs[i+1])
	}
	return o
}

// Streams returns the number of open streams.
func (t *Table) Streams() (n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, open := range t.streams {
		n += open
	}
	return n
}
