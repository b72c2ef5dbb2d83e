package items

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/eventtexts"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/schema"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines events as clients see them, and the jobs that note and read occurrences.

// Event is an event prepared for subscriptions.
type Event struct {
	*Tool
	Every time.Duration
	// most bounds the answers that may hold at the same time.
	most int
	time time.Duration
}

// defaultAnswers is how many answers of an event may hold at a time, unless the event says otherwise.
const defaultAnswers = 1000

// newEvent prepares an event.
func (m *Maker) newEvent(snapshot *kb.Snapshot, declared *kb.Event) (*Event, error) {
	t, err := m.newTool(snapshot, declared.Tool)
	if err != nil {
		return nil, err
	}
	t.asks, t.custom = false, false
	return &Event{Tool: t, Every: declared.Every, most: cmp.Or(t.Limit, defaultAnswers),
		time: cmp.Or(t.Timeout, m.set.Time)}, nil
}

// Schemas returns the schemas of a subscription's arguments and of an occurrence's data.
func (e *Event) Schemas() (input, payload json.RawMessage) {
	return e.in.Schema(), e.out.ResultSchema(nil)
}

// Looked has the data of an event that a goal of the module of events needs.
type Looked struct {
	// Goal is the event's goal, Row has the variables of an answer, and Most bounds the answers.
	Goal, Row, Most engine.Term
	texts           eventtexts.Texts
}

// Look returns the goal of an event for a subscription with some arguments.
func (m *Maker) Look(e *Event, args *Arguments) *Looked {
	goal, vars := e.dispatch(args)
	row := make([]engine.Term, len(vars))
	places := make([]int, len(vars))
	for i, v := range vars {
		row[i] = v
		for at := range e.out {
			if e.variables[at] == v.Name {
				places[i] = at
			}
		}
	}
	l := &Looked{Goal: term.New(":", term.Atom(e.Provider.Module), goal), Row: term.List(row...), Most: term.Int(e.most)}
	l.texts.Data = func(_ context.Context, row []engine.Term) (string, error) {
		values := make([]engine.Term, len(e.out))
		for i, value := range row {
			values[places[i]] = value
		}
		nameVariables(values)
		raw, err := e.codec.Results(values, e.out)
		return string(raw), err
	}
	l.texts.Proof = func(ctx context.Context, row []engine.Term) (string, error) {
		return m.proof(ctx, e, goal, vars, row)
	}
	return l
}

// The limits of the proof of an occurrence.
const (
	eventProofTime  = time.Second
	eventProofBytes = 2 << 10
)

// proof is the proof of an event's answer, as far as the time allows, or "" if the event is not explained. The proof
// uses the present facts: if they have changed since the goal began, the call runs again anyway.
func (m *Maker) proof(
	ctx context.Context, e *Event, goal engine.Term, vars []*term.Var, row []engine.Term,
) (string, error) {
	if e.Explain != kb.ExplainAlways {
		return "", nil
	}
	limits := engine.Limits{Time: eventProofTime, Memory: m.set.Memory}
	proof, err := inner.Of(e.program).WhyTerm(ctx, &source.Goal{Term: goal, Vars: vars}, &engine.WhyOptions{Values: row,
		Bytes: eventProofBytes, Limits: limits, Run: engine.RunOptions{Module: e.Provider.Module, Limits: limits}})
	if err != nil {
		return "", ctx.Err() // the occurrence counts without it
	}
	return proof.Text, nil
}

// EventResult is the answer of a goal of the module of events.
type EventResult struct {
	mcp.ResultBase
	Values map[string]engine.Term
}

// EventJob returns the job of a goal of the module of events, which the snapshot has. e is nil for a goal that is not
// about an event.
func (m *Maker) EventJob(o *Offer, e *Event, goal engine.Term, vars ...*term.Var) *calls.Job {
	at := slices.IndexFunc(o.Snapshot.Providers, func(p *kb.Provider) bool { return p.Module == eventtexts.Module })
	j := &calls.Job{Kind: "events", Name: "events", Program: o.Snapshot.Program, Provider: o.Snapshot.Providers[at],
		Codec: &schema.Codec{}, Goal: goal, Vars: vars, Time: m.set.Time,
		Enough: func(*calls.Call) bool { return true },
		Finish: func(_ context.Context, c *calls.Call) (mcp.Result, error) {
			if len(c.Solutions) == 0 {
				return nil, calls.ErrFailed
			}
			r := &EventResult{Values: map[string]engine.Term{}}
			for _, v := range vars {
				r.Values[v.Name] = c.First(v.Name)
			}
			return r, nil
		}}
	if e != nil {
		j.Name, j.Time, j.Place = fmt.Sprintf("event %s", e.Name), e.time, e.Place
	}
	return j
}

// Context returns a context in which the answers of the event become texts.
func (l *Looked) Context(ctx context.Context) context.Context {
	return eventtexts.With(ctx, &l.texts)
}
