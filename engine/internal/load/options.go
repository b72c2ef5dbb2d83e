package load

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the options of declarations. A word that a declaration does not know is an error.

// optionFlags are the options with their effects. Options with the effect 0 change no answers here: every table is
// shared by those who may see it, and there is one thread.
type optionFlags map[string]database.Flag

// tableOptions are those behind `as` of table/1. A monotonic table is forgotten after a change, as an incremental one.
// The bounds of the last ones hold nowhere here.
var tableOptions = optionFlags{"incremental": database.Incremental, "monotonic": database.Incremental,
	"private": database.Private, "dynamic": database.Dynamic, "shared": 0, "variant": 0, "subsumptive": 0, "opaque": 0,
	"lazy": 0, "max_answers(_)": bounded, "subgoal_abstract(_)": bounded, "answer_abstract(_)": bounded}

// bounded is the effect of an option that is told to have none.
const bounded = ^database.Flag(0)

// predicateOptions are the options of dynamic/2, and the options behind `as` of other declarations.
var predicateOptions = optionFlags{"incremental": 0, "monotonic": 0, "lazy": 0, "opaque": 0, "abstract(0)": 0,
	"volatile": 0, "shared": 0, "private": 0, "local": database.ThreadLocal, "multifile": database.Multifile,
	"discontiguous": database.Discontiguous}

// read returns the effects of the options of a declaration, joined by commas.
func (known optionFlags) read(l *Loader, kind string, options term.Term) (flags database.Flag) {
	all, _ := term.Conjuncts(options)
	for _, option := range all {
		name := ""
		switch o := option.(type) {
		case term.Atom:
			name = string(o)
		case *term.Compound:
			if name = syntax.ShowTerm(o); name != "abstract(0)" {
				name = fmt.Sprintf("%s(%s)", o.Functor, strings.Repeat("_", len(o.Args)))
			}
		}
		flag, ok := known[name]
		switch {
		case !ok:
			l.report(SeverityError, "declaration", "%s is not an option of %s; want one of %s", syntax.ShowTerm(option), kind,
				strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		case flag == bounded:
			l.report(SeverityWarning, "declaration", "%s has no effect: tables are not bounded", syntax.ShowTerm(option))
		default:
			flags |= flag
		}
	}
	return flags
}

// dynamicOptions reads the options of dynamic/2: those that `as` takes, as Name(Boolean), abstract(0), and
// thread(Scope).
func (l *Loader) dynamicOptions(list term.Term) (flags database.Flag) {
	options, ok := term.Slice(list)
	if !ok {
		l.report(SeverityError, "declaration", "the options of dynamic/2 are a list, not %s", syntax.ShowTerm(list))
	}
	for _, o := range options {
		c, ok := o.(*term.Compound)
		if ok && len(c.Args) == 1 {
			switch value := c.Args[0]; {
			case value == term.Term(term.False):
				continue
			case c.Functor == "thread" && (value == term.Term(term.Atom("shared")) || value == term.Term(term.Atom("local"))):
				flags |= predicateOptions[string(value.(term.Atom))]
				continue
			case value == term.Term(term.True):
				o = c.Functor
			}
		}
		flags |= predicateOptions.read(l, "dynamic/2", o)
	}
	return flags
}
