package effects

import (
	"strings"
	"sync"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
)

// This file finds which rules runs may add to a program. It reads the clauses of the program.

// comingRules says which predicates may get new rules at run time.
type comingRules struct {
	generation uint64 // of the program whose clauses were read
	// heads holds the functors of predicates that may get rules.
	heads map[cell]bool
	// any says that rules may come for each predicate that is dynamic, is not defined, or belongs to a library. files says
	// that rules may come for each predicate of the program.
	any, files bool
}

// RuleCache caches the comingRules of a program.
type RuleCache struct {
	mu    sync.Mutex
	rules *comingRules
}

// of returns the comingRules of the program. It reads the clauses unless the cache has the result.
func (s *RuleCache) of(run *Run) *comingRules {
	s.mu.Lock()
	rules := s.rules
	s.mu.Unlock()
	if generation := run.Program.Generation(); rules == nil || rules.generation != generation {
		rules = &comingRules{generation: generation, heads: map[cell]bool{}}
		r := newEffectReader(run, rules)
		for _, p := range run.Program.Preds() {
			if p.Has(database.Ruled) && !r.ours(p) {
				r.clauses(p, "")
			}
		}
		s.mu.Lock()
		s.rules = rules
		s.mu.Unlock()
	}
	return rules
}

// may reports whether a predicate with a functor may get rules if it can change.
func (c *comingRules) may(f cell) bool { return c.any || c.files || c.heads[f] }

// ours notes the rules that a goal adds which calls a predicate of the system or of a library.
func (c *comingRules) ours(r *effectReader, p *database.Pred, in *database.Clause, name string, args []cell) {
	switch {
	case loaders[name]:
		c.files = true
	case name == "format_predicate":
		c.heads[fFormats] = true
	case !strings.Contains(name, "assert") || name == "assertion":
	case len(args) == 0:
		c.any = true
	default:
		c.added(r, p, in, args[0])
	}
}

// added notes that a term is added as a clause. It also notes the rules that the goals of this clause add.
func (c *comingRules) added(r *effectReader, p *database.Pred, in *database.Clause, term cell) {
	f := functorIn(in, term)
	switch at := term.Addr(); {
	case f == 0:
		c.any = true
	case f == code.FColon:
		c.added(r, p, in, in.Cells[at+2])
	case f == code.FNeck || f == fSSU:
		head := in.Cells[at+1]
		if functorIn(in, head) == code.FComma { // the head of => and its guard
			head = in.Cells[head.Addr()+1]
		}
		for functorIn(in, head) == code.FColon {
			head = in.Cells[head.Addr()+2]
		}
		f = functorIn(in, head)
		c.heads[f] = true
		c.any = c.any || f == 0
		r.goal(p, in, in.Cells[at+2], 0, p.Module)
	}
}

// functorIn returns the functor of a callable term in a clause, 0 if it is none.
func functorIn(c *database.Clause, term cell) cell {
	switch {
	case term.Tag() == code.Atom:
		return code.MakeFunctor(term.Atom(), 0)
	case term.Tag() == code.Str && c.Cells[term.Addr()].IsFunctor():
		return c.Cells[term.Addr()]
	}
	return 0
}

var fSSU = code.Functor("=>", 2)

// loaders are the predicates that load files, or change which predicates a goal calls.
var loaders = wordSet(`consult reconsult load_files ensure_loaded use_module make include reexport unload_file
	import import_module add_import_module delete_import_module set_base_module set_module @`)
