// Package inner is what the other packages of this module may do with a program of package engine, besides what all Go
// programs may: what servers, editors and commands need. The methods are explained where package engine has them.
package inner

import (
	"context"
	"io"
	"iter"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/reasons"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/hook"
)

// Program is the inside of an engine.Program.
type Program interface {
	Accepted(module, name string, given []term.Term) []inspect.Accepted
	BreakLine(file string, line int) (found int, ok bool)
	Change(r *engine.Run) (host.FactChange, error)
	CheckCommit(r *engine.Run) error
	Code(module, name string, arity int) (listing string, ok bool)
	Complete() bool
	Completions(prefix string) []string
	DataFiles() []inspect.DataFile
	Digest() string
	EngineVersion() string
	Defines(module, name string, arity int) (info inspect.Predicate, ok bool)
	FileName(source string) string
	FormatAnswer(s engine.Solution) string
	FormatNumbered(t engine.Term) string
	FormatTogether(module string, terms ...engine.Term) []string
	Generation(r *engine.Run) uint64
	IsPersistent(module, name string, arity int) bool
	IsRestricted(file string) bool
	KeepSecret(values ...string)
	Labels() map[string][]string
	MayBeUndefined() bool
	ModuleOf(name string, arity int, exported bool) (module string, ok bool)
	Mentions(module, name string, arity int) bool
	Modules() []inspect.Module
	Order(r *engine.Run)
	Overrule(others host.FactChange) (generation uint64, err error)
	Persistent() []string
	Predicate(module, name string, arity int) (info inspect.Predicate, ok bool)
	Pushdowns() []inspect.Pushdown
	Questions() []inspect.Pushdown
	Recursions() []inspect.Recursion
	ReadGoal(name, text string) (g *source.Goal, rest string, err error)
	Redo(c host.FactChange) error
	Replace(all iter.Seq[host.Fact]) (generation uint64, err error)
	Serial() uint64
	Suggestion(module, name string, arity int) string
	SetDigest(digest string)
	StartTerm(goal engine.Term, vars []*term.Var, o *engine.RunOptions) (*engine.Run, error)
	Tables(most int) []inspect.DecisionTable
	Table(predicate, format string) (write func(io.Writer) error, directive string, err error)
	Types(module, name string, arity int) []string
	TextsFor(home string, goal engine.Term) (notes []string)
	WhyNotTerm(ctx context.Context, g *source.Goal, o *engine.WhyOptions) (*reasons.Misses, error)
	WhyTerm(ctx context.Context, g *source.Goal, o *engine.WhyOptions) (*engine.Proof, error)
}

// Of returns the inside of a program.
func Of(p *engine.Program) Program { return hook.Inner(p).(Program) }

// Plain returns a text as it is and any other term as writeq/1 shows it.
func Plain(t engine.Term) string {
	if text, ok := term.Text(t); ok {
		return text
	}
	return engine.FormatTerm(t)
}

// ShortDigest is the beginning of a digest.
func ShortDigest(digest string) string { return digest[:min(len(digest), 16)] }
