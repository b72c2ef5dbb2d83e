package why

import (
	"container/list"
	"sync"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/dialogue"
	"github.com/mcplogic/mcplogic/engine"
)

// This file defines what the server keeps of its last calls, so that they can be explained: what users have answered,
// and the state of the facts that the call saw.

// toldCalls are the last calls of tools.
type toldCalls struct {
	mu    sync.Mutex
	order list.List // of *toldCall, the newest in front
	known map[string]*list.Element
	most  int // calls whose state is kept
}

// toldCall is a call of a tool that was answered. Who has it from find must release it.
type toldCall struct {
	binding string
	past    []dialogue.Reply
	program *engine.Program
	// moment is the state that the call saw, nil when it is not kept any more; then gone is set.
	moment *engine.Moment
	gone   bool
	users  int // those who explain it, and one while it is kept; guarded by toldCalls.mu
	of     *toldCalls
}

// remembered is how many calls are known for each one whose state is kept.
const remembered = 8

// put keeps a call. The moment belongs to it then.
func (t *toldCalls) put(j *calls.Job, past []dialogue.Reply, moment *engine.Moment) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known == nil {
		t.known = map[string]*list.Element{}
	}
	if old := t.known[j.Binding]; old != nil {
		t.remove(old)
	}
	c := &toldCall{binding: j.Binding, past: past, program: j.Program, moment: moment, users: 1, of: t}
	t.known[j.Binding] = t.order.PushFront(c)
	n := 0
	for e := t.order.Front(); e != nil && n < t.most; e = e.Next() {
		n++
		if n == t.most && e.Next() != nil {
			t.forget(e.Next().Value.(*toldCall)) // those behind it were forgotten before
		}
	}
	if t.most == 0 {
		t.forget(c)
	}
	if t.order.Len() > t.most*remembered {
		t.remove(t.order.Back())
	}
}

// remove takes a call off the list.
func (t *toldCalls) remove(e *list.Element) {
	c := e.Value.(*toldCall)
	t.forget(c)
	delete(t.known, c.binding)
	t.order.Remove(e)
}

// forget gives up what is kept of a call, once nobody explains it any more. The call itself stays known.
func (t *toldCalls) forget(c *toldCall) {
	if c.gone {
		return
	}
	c.gone = true
	t.drop(c)
}

// drop is one user less.
func (t *toldCalls) drop(c *toldCall) {
	if c.users--; c.users == 0 {
		c.moment.Release()
		c.moment, c.program, c.past = nil, nil, nil
	}
}

// forgetAll gives up what is kept of all calls on other programs, which would stay in memory with them.
func (t *toldCalls) forgetAll(but *engine.Program) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for e := t.order.Front(); e != nil; e = e.Next() {
		if c := e.Value.(*toldCall); c.program != but {
			t.forget(c)
		}
	}
}

// find returns the last call with a binding, or one of which nothing is known.
func (t *toldCalls) find(binding string) *toldCall {
	t.mu.Lock()
	defer t.mu.Unlock()
	e := t.known[binding]
	if e == nil {
		return &toldCall{}
	}
	c := e.Value.(*toldCall)
	if c.gone {
		return &toldCall{gone: true}
	}
	c.users++
	return c
}

// release says that a call from find is not used any more.
func (c *toldCall) release() {
	if c.of == nil {
		return
	}
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	c.of.drop(c)
}

// at is the state that the call saw, nil for that of now.
func (c *toldCall) at(p *engine.Program) *engine.Moment {
	if c.program != p {
		return nil
	}
	return c.moment
}

// facts says of which facts an explanation of the call is, "" if there are no others.
func (c *toldCall) facts(p *engine.Program) string {
	switch at := c.at(p); {
	case at != nil && at.Changed():
		return "These are the facts as they were when the call was answered. Facts have changed since."
	case at == nil && (c.of != nil || c.gone):
		return "These are the facts as they are now. Those that the call saw are not kept any more."
	}
	return ""
}

// noteOf is a line of a text.
func noteOf(of string) string {
	if of == "" {
		return ""
	}
	return of + "\n"
}
