package load

import (
	"fmt"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines persistent/1 and persistent/2: directives for dynamic predicates whose facts outlive the process.

// persistence is what is known of a persistent predicate.
type persistence struct {
	at  syntax.Position // of the first declaration
	key []int           // the arguments, from 0, that are unique together, or nil
}

// persistent runs persistent(Predicates) and persistent(Predicate, [key(Arguments)]).
func (l *Loader) persistent(args []term.Term) {
	l.eachPredicate(args[0], func(pred *database.Pred) {
		switch {
		case pred.Has(database.Tabled):
			l.report(SeverityError, "persistent", "%s is tabled and cannot be persistent", functorText(pred.Functor))
			return
		// The first clause of a predicate sets its file, so there are clauses already.
		case pred.File != "":
			l.persistentClause(pred)
			return
		}
		l.p.Declare(l.p.definer, pred, database.Dynamic|database.Persistent)
		if l.p.persistent == nil {
			l.p.persistent = map[*database.Pred]*persistence{}
		}
		if l.p.persistent[pred] == nil {
			l.p.persistent[pred] = &persistence{at: l.position()}
		}
		if len(args) == 2 {
			l.keyOption(pred, args[1])
		}
	})
}

// persistentClause reports a clause of a persistent predicate in a text.
func (l *Loader) persistentClause(pred *database.Pred) {
	l.report(SeverityError, "persistent",
		"%s is persistent, so its facts come from the store and not from files; facts import adds some",
		functorText(pred.Functor))
}

// keyOption reads the options of a persistent predicate.
func (l *Loader) keyOption(pred *database.Pred, t term.Term) {
	options, ok := term.Slice(t)
	for _, o := range options {
		args, isKey := term.Is(o, "key", 1)
		var key []int
		if isKey {
			key, isKey = keyArguments(args[0], pred.Arity())
		}
		if !isKey {
			l.report(SeverityError, "persistent", "bad option %s; want key([Argument, ...]), with numbers from 1 to %d",
				syntax.ShowTerm(o), pred.Arity())
			return
		}
		l.p.persistent[pred].key = key
	}
	if !ok {
		l.report(SeverityError, "persistent", "the options must be a list, got %s", syntax.ShowTerm(t))
	}
}

// keyArguments reads the numbers of the arguments of a key. The result counts from 0.
func keyArguments(t term.Term, arity int) (key []int, ok bool) {
	items, ok := term.Slice(t)
	for _, item := range items {
		n, isInt := item.(term.Int)
		if !isInt || n < 1 || int(n) > arity || slices.Contains(key, int(n)-1) {
			return nil, false
		}
		key = append(key, int(n)-1)
	}
	return key, ok && len(key) > 0
}

// Key returns the arguments, from 0, that are unique together in the facts of a persistent predicate, or nil.
func (p *Program) Key(pred *database.Pred) []int {
	if known := p.persistent[pred]; known != nil {
		return known.key
	}
	return nil
}

// Persistent returns the persistent predicates. They are in the order in which the program got to know them.
func (p *Program) Persistent() []*database.Pred {
	if len(p.persistent) == 0 {
		return nil
	}
	var list []*database.Pred
	for _, pred := range p.db.Preds() {
		if p.persistent[pred] != nil {
			list = append(list, pred)
		}
	}
	return list
}

// checkPersistent reports persistent predicates that goals of the texts have added facts to: each load would add them
// to the facts of the store again.
func (p *Program) checkPersistent() {
	for _, pred := range p.Persistent() {
		if len(pred.Clauses()) > 0 {
			p.Diagnose(Diagnostic{Position: p.persistent[pred].at, Severity: SeverityError, Code: "persistent",
				Message: fmt.Sprintf("%s is persistent, and loading adds facts to it; facts import adds some once",
					functorText(pred.Functor))})
		}
	}
}
