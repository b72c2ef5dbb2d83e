package load

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"time"

	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines what ends a load before the end of its texts: its context, and a goal that exceeds a limit. It also
// defines what a goal can ask about the file that is being loaded. Later goals would exceed the limit too, and each
// would take as long.

// errCutShort is the error of a goal that does not run because the load has ended.
var errCutShort = errors.New("the load has ended")

// Complete reports whether all loads so far reached the end of their texts. An incomplete program lacks clauses and
// is not ready for queries.
func (p *Program) Complete() bool { return !p.cutShort }

// under makes loading stop when a context is done. The function that it returns restores the outer context.
func (p *Program) under(ctx context.Context) (done func()) {
	outer := p.loadContext
	p.loadContext = ctx
	return func() { p.loadContext = outer }
}

// goalContext is the context of goals that loading runs.
func (p *Program) goalContext() context.Context {
	if p.loadContext == nil { // a library is loaded at run time
		return context.Background()
	}
	return p.loadContext
}

// ended reports whether loading has stopped or must stop.
func (p *Program) ended() bool {
	return p.cutShort || p.loadContext != nil && p.loadContext.Err() != nil
}

// cut ends the load with an error at the current clause. Only the first reason is reported.
func (l *Loader) cut(code, format string, args ...any) {
	if !l.p.cutShort {
		l.report(SeverityError, code, format, args...)
	}
	l.p.cutShort, l.stopped = true, true
}

// cutIfCancelled ends the load if its context is done.
func (l *Loader) cutIfCancelled() {
	if ctx := l.p.goalContext(); ctx.Err() != nil {
		l.cut("stopped", "loading was stopped here: %s", context.Cause(ctx))
	}
}

// cutLinking ends a load whose context was done while predicates were linked.
func (p *Program) cutLinking(pred *database.Pred) {
	if !p.cutShort {
		p.Diagnose(Diagnostic{Position: pred.Position(), Severity: SeverityError, Code: "stopped",
			Message: fmt.Sprintf("loading was stopped: %s", context.Cause(p.goalContext()))})
	}
	p.cutShort = true
}

// cutBy ends the load if the error of a goal says that a limit was exceeded. what names the goal in the report. It
// returns true if the load has ended, so that the caller reports nothing more.
func (l *Loader) cutBy(what string, err error) bool {
	if l.cutIfCancelled(); l.p.cutShort {
		return true
	}
	var thrown *Thrown
	if !errors.As(err, &thrown) {
		return false
	}
	limit, ok := l.p.goalLimits()[thrown.Limit]
	if ok {
		l.cut("limit", "%s took more than %s, the limit of goals that loading runs", what, limit)
	}
	return ok
}

// goalLimits are the limits of goals that loading runs, in words, by resource. A resource without a limit is not in
// the map.
func (p *Program) goalLimits() map[string]string {
	limits := map[string]string{"memory": bytesText(cmp.Or(p.opts.Limits.Memory, machine.DefaultMemory)) + " of memory"}
	if p.opts.Limits.Time > 0 {
		limits["time"] = p.opts.Limits.Time.Round(time.Millisecond).String()
	}
	return limits
}

// bytesText is a number of bytes in the largest unit that divides it.
func bytesText(n int) string {
	for _, u := range []struct {
		name string
		size int
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if n >= u.size && n%u.size == 0 {
			return fmt.Sprintf("%d %s", n/u.size, u.name)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}

// solve runs a goal of the text being loaded; see [Options]. Meanwhile prolog_load_context/2 tells of this loader.
// After the end of the load it runs nothing and returns errCutShort.
func (l *Loader) solve(goal term.Term, vars []*term.Var, module *database.Module) ([]term.Term, error) {
	if l.p.ended() {
		return nil, errCutShort
	}
	l.p.refresh()
	outer := l.p.loading
	l.p.loading = l
	defer func() { l.p.loading = outer }()
	values, restricted, err := l.p.opts.Solve(l.p.goalContext(), goal, vars, module, l.Restricted())
	l.touched = l.touched || restricted
	return values, err
}

// Context returns the value of a key of prolog_load_context/2. It returns nil if the key has no value or nothing is
// being loaded.
func (p *Program) Context(key string) term.Term {
	if p.loading == nil {
		return nil
	}
	return p.loading.context(key)
}

// context returns the value of a key of prolog_load_context/2, or nil.
func (l *Loader) context(key string) term.Term {
	switch key {
	case "module":
		return term.Atom(l.module.Name)
	case "file":
		return term.Atom(l.name)
	case "source":
		if l.includedBy != "" {
			return term.Atom(l.includedBy)
		}
		return term.Atom(l.name)
	case "directory":
		return term.Atom(path.Dir(l.name))
	case "dialect":
		return term.Atom("swi")
	case "script":
		return term.False
	}
	if l.read == nil {
		return nil
	}
	switch key {
	case "line":
		return term.Int(l.read.Pos.Line)
	case "term":
		return l.read.Term
	case "term_position":
		// The parser counts columns from 1, and positions of streams count them from 0.
		return term.New("$stream_position", term.Int(l.read.Pos.Offset), term.Int(l.read.Pos.Line),
			term.Int(l.read.Pos.Column-1), term.Int(l.read.Pos.Offset))
	case "variable_names":
		var names []term.Term
		for _, v := range l.read.Vars {
			names = append(names, term.New("=", term.Atom(v.Name), v.Var))
		}
		return term.List(names...)
	}
	return nil
}
