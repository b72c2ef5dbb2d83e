package lsp

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/source"
)

// This file defines what a change of one text makes of the diagnostics of the others. It comes from the indexes, at
// once; the next load of the folder says it again.

// across changes the diagnostics of the other texts of a folder: of calls of predicates that a text no longer defines
// or defines now, and of predicates that two texts define. Nothing is said where more than the indexes decides. The
// lock of the server is held.
func (s *server) across(before, after *fileIndex) {
	if after == nil || before == nil && len(after.preds) == 0 {
		return
	}
	folder := baseOf(after.path, s.roots)
	s.loads.mu.Lock()
	b := s.loads.base(folder)
	s.loads.mu.Unlock()
	if !b.settled || !s.space.isListed(folder) {
		return
	}
	if before == nil {
		before = &fileIndex{module: after.module}
	}
	c := &crossing{s: s, b: b, before: before, after: after, changed: map[string]bool{}}
	if keys := c.keys(); len(keys) > 0 && before.header == after.header {
		c.p = s.program(after.path)
		if !slices.ContainsFunc(c.p.files, func(x *fileIndex) bool { return x.expands }) {
			c.undefined(keys)
			c.redefined(keys)
			c.publish()
		}
	}
}

// crossing is a change of a text, and what it changes elsewhere.
type crossing struct {
	s             *server
	b             *loadedBase
	p             *program
	before, after *fileIndex
	changed       map[string]bool // files with other diagnostics now
}

// keys returns the predicates that the text defined or defines, but not both, and the undefined ones that it was shown
// to call and calls no longer.
func (c *crossing) keys() map[key]bool {
	keys := map[key]bool{}
	for _, both := range [][2]*fileIndex{{c.before, c.after}, {c.after, c.before}} {
		for k := range both[0].preds {
			if both[0].has(k) && !both[1].has(k) || both[0].module != both[1].module ||
				both[0].exports[k] != both[1].exports[k] {
				keys[k] = true
			}
		}
	}
	calls := map[key]bool{}
	for i := range c.after.uses {
		calls[c.after.uses[i].key] = true
	}
	for i := range c.before.uses {
		if u := &c.before.uses[i]; !calls[u.key] && c.b.undefined[u.key.String()] == c.after.path {
			delete(c.b.undefined, u.key.String())
			keys[u.key] = true
		}
	}
	return keys
}

// has reports whether the text has clauses of a predicate or declares it.
func (x *fileIndex) has(k key) bool {
	one := x.preds[k]
	return one != nil && !k.isLabel() && (one.clauses > 0 || one.declared)
}

// defines reports whether a text defines a predicate that a goal in a module calls.
func (p *program) defines(k key, module string) bool {
	return slices.ContainsFunc(p.files, func(x *fileIndex) bool {
		return x.has(k) && (x.module == module || x.module == "user" || x.exports[k])
	})
}

// undefined reports the first call of a predicate that is no longer defined, and removes reports about defined ones.
func (c *crossing) undefined(keys map[key]bool) {
	for k := range keys {
		path, shown := c.b.undefined[k.String()]
		if shown && slices.ContainsFunc(c.p.files, func(x *fileIndex) bool {
			return x.path == path && c.p.defines(k, x.module)
		}) {
			delete(c.b.undefined, k.String())
			c.drop(path, "undefined", k.String()+" is not defined")
		}
	}
	if len(c.after.errs) > 0 || c.before.module != "user" || c.after.module != "user" {
		return // its clauses may be there, or its module's imports decide
	}
	for k := range keys {
		if x, u := c.firstCall(k); x != nil {
			c.b.undefined[k.String()] = x.path
			if x.path != c.after.path { // a load of the text itself shows its own
				c.add(x.path, u.span, 2, "undefined", k.String()+" is not defined"+c.p.otherArities(k))
			}
		}
	}
}

// firstCall returns the first call of an undefined predicate, and its text. It returns no call if clauses of the
// predicate are asserted, as the predicate may be defined later.
func (c *crossing) firstCall(k key) (in *fileIndex, first *use) {
	if known, _ := manual(); known[k].Documented != nil {
		return nil, nil
	}
	for _, x := range c.p.files {
		for i := range x.uses {
			u := &x.uses[i]
			switch {
			case u.key != k:
			case u.changed:
				return nil, nil
			case u.goal && u.module == "" && !c.p.defines(k, x.module) &&
				(first == nil || in == x && precedes(u.span.Start, first.span.Start)):
				in, first = x, u
			}
		}
	}
	if in != nil && c.b.undefined[k.String()] != "" {
		return nil, nil
	}
	return in, first
}

// otherArities says which predicates of the name there are.
func (p *program) otherArities(k key) string {
	var list []int
	for _, x := range p.files {
		for other := range x.preds {
			if other.name == k.name && x.has(other) && x.module == "user" {
				list = append(list, other.arity)
			}
		}
	}
	slices.Sort(list)
	var names []string
	for _, n := range slices.Compact(list) {
		names = append(names, indicator(k.name, n))
	}
	if len(names) == 0 {
		return ""
	}
	return "; there is " + strings.Join(names, ", ")
}

// redefined shows the clauses of a predicate that an earlier text defines, and no others.
func (c *crossing) redefined(keys map[key]bool) {
	// Files that load each other come in another order.
	ordered := !slices.ContainsFunc(c.p.files, func(x *fileIndex) bool { return x.loads })
	for k := range keys {
		var owners []*fileIndex
		declared := false
		for _, x := range c.p.files {
			if one := x.preds[k]; one != nil && x.module == "user" {
				declared = declared || one.declared
				if one.clauses > 0 && filepath.Ext(x.path) == ".pl" {
					owners = append(owners, x)
				}
			}
		}
		about := k.String() + " is already defined at "
		if !ordered && len(owners) > 1 {
			continue
		}
		for path, list := range c.shown() {
			if slices.ContainsFunc(list, func(d diagnostic) bool { return d.is("redefined", about) }) {
				c.drop(path, "redefined", about)
			}
		}
		if len(owners) < 2 || declared || len(c.after.errs) > 0 {
			continue
		}
		first := owners[0].preds[k]
		message := fmt.Sprintf("%s%s:%d; declare it multifile if both are meant", about,
			filepath.ToSlash(owners[0].path), first.clause.Start.Line+1)
		for _, x := range owners[1:] {
			for i := range x.uses {
				if u := &x.uses[i]; u.key == k && u.kind == source.Defines {
					c.add(x.path, u.span, 1, "redefined", message)
				}
			}
		}
	}
}

// shown returns the diagnostics of the files of the folder.
func (c *crossing) shown() map[string][]diagnostic {
	lists := map[string][]diagnostic{}
	for _, x := range c.p.files {
		if list := *c.list(x.path); len(list) > 0 {
			lists[x.path] = list
		}
	}
	return lists
}

// list returns a place for the diagnostics of a file.
func (c *crossing) list(path string) *[]diagnostic {
	if d := c.s.docs[path]; d != nil {
		return &d.diagnostics
	}
	list := c.b.shown[path]
	return &list
}

func (d *diagnostic) is(code, prefix string) bool {
	return d.Code == code && strings.HasPrefix(d.Message, prefix)
}

func (c *crossing) set(path string, list []diagnostic) {
	c.changed[path] = true
	if d := c.s.docs[path]; d != nil {
		d.diagnostics = list
	} else {
		c.b.shown[path] = list
	}
}

func (c *crossing) drop(path, code, prefix string) {
	c.set(path, slices.DeleteFunc(slices.Clone(*c.list(path)), func(d diagnostic) bool { return d.is(code, prefix) }))
}

func (c *crossing) add(path string, at span, severity int, code, message string) {
	list := append(slices.Clone(*c.list(path)), diagnostic{Range: at, Severity: severity, Code: code, Source: "mcplogic",
		Message: message, CodeDescription: &codeDescription{diagnosticsPage + code}})
	sortDiagnostics(list)
	c.set(path, list)
}

// publish tells the editor of the files whose diagnostics have changed. Those of the text itself follow in any case.
func (c *crossing) publish() {
	for path := range c.changed {
		switch d := c.s.docs[path]; {
		case path == c.after.path:
		case d != nil:
			c.s.publish(d)
		default:
			list := c.b.shown[path]
			if len(list) == 0 {
				delete(c.b.shown, path)
				list = []diagnostic{}
			}
			c.s.sendDiagnostics(publishParams{URI: uriOf(path), Diagnostics: list})
		}
	}
}
