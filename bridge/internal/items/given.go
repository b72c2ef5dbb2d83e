package items

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/facts"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/schema"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines the facts and the time that may come with a call of a tool with the option assume.

// Given has the facts and times that came with a call. The zero value has none.
type Given struct {
	engine.Given
	// AsOf is the moment of the store's facts that the call sees, or "" for now. The facts are read later.
	AsOf json.RawMessage
	// outside is what the program gives to all calls of a context. The other fields include it. It may be nil.
	outside *engine.Given
	some    bool
}

// GiveTo gives the facts and times to a job, which then commits nothing.
func (g Given) GiveTo(j *calls.Job) {
	if g.some {
		j.Given, j.Outside, j.Trial = g.Given, g.outside, true
	}
}

// givenKey is the context key of the Given for all calls.
type givenKey struct{}

// WithGiven returns a context whose calls of tools get given facts and times. They commit nothing.
func WithGiven(ctx context.Context, g engine.Given) context.Context {
	return context.WithValue(ctx, givenKey{}, Given{Given: g, outside: &g, some: true})
}

// WithoutGiven returns a context whose calls get no given facts and times.
func WithoutGiven(ctx context.Context) context.Context {
	return context.WithValue(ctx, givenKey{}, Given{})
}

// AddTo adds the facts and times to those of a job.
func (g Given) AddTo(j *calls.Job) {
	j.Given.Assume = append(slices.Clip(j.Given.Assume), g.Assume...)
	j.Given.Without = append(slices.Clip(j.Given.Without), g.Without...)
	if !g.Now.IsZero() {
		j.Given.Now = g.Now
	}
}

// assumedParams prepares the arguments of facts. All of them have to be given.
func assumedParams(t *Tool, list []*kb.Assumable) map[string]schema.Params {
	all := map[string]schema.Params{}
	for _, a := range list {
		ps := paramsOf(t.codec, a.Arguments)
		for i := range ps {
			ps[i].Optional, ps[i].Default, ps[i].DefaultJSON = false, nil, nil
		}
		all[a.Name] = ps
	}
	return all
}

// factsSchema is the schema of facts by their predicates.
func factsSchema(what string, list []*kb.Assumable, of map[string]schema.Params) schema.Object {
	facts := schema.Object{}
	for _, a := range list {
		facts = facts.With(a.Name, schema.Object{}.With("type", "array").With("items", of[a.Name].Schema()))
	}
	return schema.Object{}.With("type", "object").With("description", what).With("properties", facts).
		With("additionalProperties", false)
}

// withGiven adds the arguments for facts and times to the schema of the other arguments.
func (t *Tool) withGiven(raw json.RawMessage) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil || len(members["properties"]) < 2 {
		return raw
	}
	rows := func(what string) schema.Object { return factsSchema(what, t.Assume, t.assumed) }
	more := schema.Object{}
	if len(t.Assume) > 0 {
		more = more.With("assume", rows("Facts that hold for this call only.")).
			With("without", rows("Facts that do not hold for this call."))
	}
	more = more.With("now", schema.Object{}.With("type", "string").
		With("description", "The time of this call, in ISO 8601."))
	if len(inner.Of(t.program).Persistent()) > 0 {
		more = more.With("as_of", schema.Object{}.With("type", "string").With("description",
			"Stored facts are as of this time or day in ISO 8601, or change."))
	}
	old := members["properties"]
	joined := slices.Concat(old[:len(old)-1], []byte(","), more.JSON()[1:])
	if len(bytes.TrimSpace(old[1:len(old)-1])) == 0 {
		joined = more.JSON()
	}
	return bytes.Replace(raw, old, joined, 1)
}

// CutGiven removes the facts and times from the arguments of a call, and returns them.
func (t *Tool) CutGiven(ctx context.Context, raw json.RawMessage) (g Given, rest json.RawMessage, err error) {
	g, _ = ctx.Value(givenKey{}).(Given)
	var members map[string]json.RawMessage
	if t.Assume == nil || json.Unmarshal(raw, &members) != nil {
		return g, raw, nil // faults are reported elsewhere
	}
	cut := false
	for _, name := range schema.Reserved {
		value, ok := members[name]
		delete(members, name)
		cut = cut || ok
		if !ok || string(value) == "null" {
			continue
		}
		switch g.some = true; name {
		case "now":
			g.Now, err = ParseTime(value)
		case "as_of":
			g.AsOf = value
		default:
			var facts []any
			if facts, err = t.facts(value, t.assumed); name == "assume" {
				g.Assume = append(slices.Clip(g.Assume), facts...)
			} else {
				g.Without = append(slices.Clip(g.Without), facts...)
			}
		}
		if err != nil {
			return g, nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if !cut {
		return g, raw, nil
	}
	rest, err = json.Marshal(members)
	return g, rest, err
}

// ParseMoment reads a moment of a store: the name of a change, or a time. A date stands for its end in a time zone.
func ParseMoment(raw json.RawMessage, zone *time.Location) (sequence string, t time.Time, err error) {
	if json.Unmarshal(raw, &sequence) != nil {
		sequence = string(raw) // a number
	}
	if day, err := time.ParseInLocation(time.DateOnly, sequence, zone); err == nil {
		return "", day.AddDate(0, 0, 1).Add(-1), nil
	}
	if t, err = ParseTime(raw); err == nil {
		return "", t, nil
	}
	if _, failed := strconv.ParseUint(sequence, 10, 64); failed != nil && facts.CheckSequence(sequence) != nil {
		return "", t, fmt.Errorf("%w, or the number of a change", err)
	}
	return sequence, t, nil
}

// ParseTime reads a time in ISO 8601, or a date, which stands for its beginning.
func ParseTime(raw json.RawMessage) (t time.Time, err error) {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return t, fmt.Errorf("got %s, want a time in ISO 8601", raw)
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateOnly} {
		if t, err = time.ParseInLocation(layout, text, time.Local); err == nil {
			return t, nil
		}
	}
	return t, fmt.Errorf("got %q, want a time in ISO 8601, such as 2026-03-01T12:00:00Z", text)
}

// facts reads rows by their predicates.
func (t *Tool) facts(raw json.RawMessage, of map[string]schema.Params) (list []any, err error) {
	var rows map[string][]json.RawMessage
	if err := json.Unmarshal(raw, &rows); err != nil {
		return nil, fmt.Errorf("want an object with a list of rows for each predicate")
	}
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		ps, ok := of[name]
		if !ok {
			return nil, fmt.Errorf("facts of %s do not come with calls of %s%s", name, t.Name,
				spell.Hint(name, slices.Sorted(maps.Keys(of))))
		}
		for i, row := range rows[name] {
			values, _, err := t.codec.Arguments(row, ps)
			if err != nil {
				return nil, fmt.Errorf("%s, row %d: %w", name, i+1, err)
			}
			list = append(list, term.New(term.Atom(name), values...))
		}
	}
	return list, nil
}
