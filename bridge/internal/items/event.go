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

// This file defines events: what clients see of one, and the jobs that note and read what has occurred.

// Event is an event prepared for subscriptions.
type Event struct {
	*Tool
	Every time.Duration
	// most is how many answers may hold at a time.
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

// Schemas are those of the arguments of a subscription, and of the data of an occurrence.
func (e *Event) Schemas() (input, payload json.RawMessage) {
	return e.in.Schema(), e.out.ResultSchema(nil)
}

// Looked is a goal of the module of events about an event, with what it needs of the event.
type Looked struct {
	// Goal, Row and Most are what it asks, the variables of an answer and how many answers there may be.
	Goal, Row, Most engine.Term
	texts           eventtexts.Texts
}

// Look returns what an event asks for a subscription with some arguments.
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

// proof is the proof of an answer of an event, as far as there is time for it, "" unless the event is explained. It is
// that of the facts as they are: what has changed since the goal has begun makes the call run again.
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

// EventResult is what a goal of the module of events has answered.
type EventResult struct {
	mcp.ResultBase
	Values map[string]engine.Term
}

// EventJob returns the job of a goal of that module, which the snapshot has. e is nil for a goal that is about no
// event.
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
