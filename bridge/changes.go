package bridge

import (
	"slices"

	"github.com/mcplogic/mcplogic/bridge/internal/content"
	"github.com/mcplogic/mcplogic/bridge/internal/dialogue"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines what goals change for all clients: the items on offer, and what is announced.
// Nobody sees any of it before the call has succeeded, as with facts.

// change is one item added or removed by a goal.
type change struct {
	module string
	kind   kb.ItemKind
	name   string
	item   engine.Term // nil: it is removed
}

// changes are what a goal has changed so far in one run.
type changes struct {
	items   []change
	updated []string // URIs of resources to announce
	// view is the snapshot with the changes of this run, nil while there are none.
	view *kb.Snapshot
}

// maxChanges bounds the changes of one call.
const maxChanges = 10_000

// callOf returns the call that a goal runs for, or an exception when it runs for nobody.
func callOf(c *engine.Call) (*call, error) {
	if cr, ok := c.Host().(*clientRequest); ok && cr.call != nil {
		return cr.call, nil
	}
	return nil, dialogue.Error("not_served", "this works only in goals that run for a client")
}

// addGoal adds an item.
func addGoal(g *engine.Call) (bool, error) {
	c, err := callOf(g)
	if err != nil {
		return false, err
	}
	ch := change{module: c.job.provider.Module, item: g.Arg(0)}
	if qualified, ok := term.Is(ch.item, ":", 2); ok {
		ch.module, ch.item = content.Text(qualified[0]), qualified[1]
	}
	functor, args := content.Split(ch.item)
	if len(args) == 0 {
		return false, engine.TypeError("mcp_item", ch.item)
	}
	ch.kind, ch.name = kb.ItemKind(functor), content.Text(args[0])
	view := c.view()
	if c.added(ch.kind, ch.name) {
		view.Remove(ch.kind, ch.name)
	}
	if err := view.Add(ch.module, ch.item); err != nil {
		return false, badItem(ch.item, err)
	}
	return true, c.change(ch)
}

// badItem is the exception of an item that cannot be added.
func badItem(item engine.Term, err error) error {
	if _, ok := err.(*engine.Exception); ok {
		return err
	}
	return dialogue.Error("bad_item", "%s cannot be added: %s", content.Show(item), err)
}

// removeGoal removes an item of the kind in its first argument by the name in its second.
func removeGoal(g *engine.Call) (bool, error) {
	c, err := callOf(g)
	if err != nil {
		return false, err
	}
	ch := change{kind: kb.ItemKind(content.Text(g.Arg(0))), name: content.Text(g.Arg(1))}
	if ch.kind == kb.ToolItem && c.runner.busy(ch.name) {
		return false, dialogue.Error("busy", "the tool %s is running; try again when it is done", ch.name)
	}
	if !c.view().Remove(ch.kind, ch.name) {
		return false, engine.ExistenceError("mcp_"+string(ch.kind), g.Arg(1))
	}
	return true, c.change(ch)
}

// view returns what is on offer with the changes of this run.
func (c *call) view() *kb.Snapshot {
	if c.changes.view == nil {
		c.changes.view = c.runner.host.Snapshot().Clone()
	}
	return c.changes.view
}

// change notes a change.
func (c *call) change(ch change) error {
	if len(c.changes.items) >= maxChanges {
		return dialogue.Error("too_many", "a call can add and remove %d items", maxChanges)
	}
	c.changes.items = append(c.changes.items, ch)
	return nil
}

// added reports whether an item was added by this run or an earlier call, so that it may be
// replaced; those of files may not.
func (c *call) added(kind kb.ItemKind, name string) bool {
	is := func(ch change) bool { return ch.kind == kind && ch.name == name && ch.item != nil }
	return slices.ContainsFunc(c.changes.items, is) || c.runner.host.HasAdded(kind, name)
}

// notifyGoal announces that a resource has changed.
func notifyGoal(g *engine.Call) (bool, error) {
	uri, ok := term.Text(g.Arg(0))
	if !ok {
		return false, engine.TypeError("atom", g.Arg(0))
	}
	c, err := callOf(g)
	if err != nil {
		return true, nil // nobody listens
	}
	if !slices.Contains(c.changes.updated, uri) {
		if len(c.changes.updated) >= maxChanges {
			return false, dialogue.Error("too_many", "a call can announce %d resources", maxChanges)
		}
		c.changes.updated = append(c.changes.updated, uri)
	}
	return true, nil
}

// busy reports whether a call of a tool runs or waits for its client.
func (r *Runner) busy(name string) bool {
	r.running.mu.Lock()
	defer r.running.mu.Unlock()
	return r.running.calls[name] > 0 || r.Waiting.holds(name)
}
