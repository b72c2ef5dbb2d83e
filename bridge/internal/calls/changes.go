package calls

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

// MaxChanges bounds the changes of one call.
const MaxChanges = 10_000

// callOf returns the call that a goal runs for, or an exception when it runs for nobody.
func callOf(c *engine.Call) (*Call, error) {
	if cr, ok := requestOf(c); ok && cr.call != nil {
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
	ch := Change{Module: c.Job.Provider.Module, Item: g.Arg(0)}
	if qualified, ok := term.Is(ch.Item, ":", 2); ok {
		ch.Module, ch.Item = content.Text(qualified[0]), qualified[1]
	}
	functor, args := content.Split(ch.Item)
	if len(args) == 0 {
		return false, engine.TypeError("mcp_item", ch.Item)
	}
	ch.Kind, ch.Name = kb.ItemKind(functor), content.Text(args[0])
	view := c.view()
	if c.added(ch.Kind, ch.Name) {
		view.Remove(ch.Kind, ch.Name)
	}
	if err := view.Add(ch.Module, ch.Item); err != nil {
		return false, badItem(ch.Item, err)
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
	ch := Change{Kind: kb.ItemKind(content.Text(g.Arg(0))), Name: content.Text(g.Arg(1))}
	if ch.Kind == kb.ToolItem && c.runner.busy(ch.Name) {
		return false, dialogue.Error("busy", "the tool %s is running; try again when it is done", ch.Name)
	}
	if !c.view().Remove(ch.Kind, ch.Name) {
		return false, engine.ExistenceError("mcp_"+string(ch.Kind), g.Arg(1))
	}
	return true, c.change(ch)
}

// view returns what is on offer with the changes of this run.
func (c *Call) view() *kb.Snapshot {
	if c.Changes.view == nil {
		c.Changes.view = c.runner.host.Snapshot().Clone()
	}
	return c.Changes.view
}

// change notes a change.
func (c *Call) change(ch Change) error {
	if len(c.Changes.Items) >= MaxChanges {
		return dialogue.Error("too_many", "a call can add and remove %d items", MaxChanges)
	}
	c.Changes.Items = append(c.Changes.Items, ch)
	return nil
}

// added reports whether an item was added by this run or an earlier call, so that it may be
// replaced. Items of files may not.
func (c *Call) added(kind kb.ItemKind, name string) bool {
	is := func(ch Change) bool { return ch.Kind == kind && ch.Name == name && ch.Item != nil }
	return slices.ContainsFunc(c.Changes.Items, is) || c.runner.host.HasAdded(kind, name)
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
	if !slices.Contains(c.Changes.Updated, uri) {
		if len(c.Changes.Updated) >= MaxChanges {
			return false, dialogue.Error("too_many", "a call can announce %d resources", MaxChanges)
		}
		c.Changes.Updated = append(c.Changes.Updated, uri)
	}
	return true, nil
}

// busy reports whether a call of a tool runs or waits for its client.
func (r *Runner) busy(name string) bool {
	r.Running.mu.Lock()
	defer r.Running.mu.Unlock()
	return r.Running.calls[name] > 0 || r.Waiting.Has(func(c *Call) bool {
		return c.Job.Kind == CallTool && c.Job.Name == name
	})
}
