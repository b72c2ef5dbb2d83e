// Package effects reads the clauses of a program. It finds what a predicate does besides giving answers, which rules
// runs may add, and on which predicates the answers of a predicate depend.
package effects

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/internal/lazyregexp"
)

// This file finds what a predicate does besides giving answers. It reads the clauses that the predicate reaches.

// cell is a term or a part of one; see package code.
type cell = code.Cell

// Effect says what a predicate does. A greater one is worse.
type Effect int

const (
	NoEffect      Effect = iota // it computes, reads facts and writes to the current output
	Outside                     // it also asks the user, or reads a table of a database
	UnknownEffect               // it calls a goal that is known only at run time, or a predicate that may do anything
	Changes                     // it changes facts
)

// Run is a program as a run sees it.
type Run struct {
	Program *database.Program         // whose clauses are read
	Tx      *database.Tx              // its view
	Loading bool                      // the loader runs the goal and holds the program
	Foreign func(*database.Pred) bool // it is written in Go by the program that embeds this one
	Charge  func(n int) error         // counts work; an error ends it
}

// Of returns the worst effect of a predicate. by is the predicate that it calls for that effect. reads is the predicate
// that it calls to read user_input. It is nil if the predicate does not read it.
func Of(run *Run, rules *RuleCache, pred *database.Pred) (worst Effect, by, reads *database.Pred) {
	r := newEffectReader(run, nil)
	r.coming = rules.of(run)
	r.predicate(pred)
	if r.redirects && !r.byName {
		r.reads = nil
	}
	return r.worst, r.by, r.reads
}

// effectReader collects effects.
type effectReader struct {
	run   *Run
	seen  map[*database.Pred]bool
	work  int
	worst Effect
	by    *database.Pred
	// reads is a predicate that reads user_input. byName says that a goal names user_input as its stream. redirects
	// says that a predicate may change the current input, so that reading it may not read user_input.
	reads             *database.Pred
	byName, redirects bool
	// coming holds the rules that runs may add. If adds is not nil, the reader notes there the rules that the clauses
	// add.
	coming, adds *comingRules
}

func newEffectReader(run *Run, adds *comingRules) *effectReader {
	return &effectReader{run: run, seen: map[*database.Pred]bool{}, adds: adds}
}

func (r *effectReader) note(e Effect, by *database.Pred) {
	if e > r.worst {
		r.worst, r.by = e, by
	}
}

// open notes that a clause of a predicate may call any goal.
func (r *effectReader) open(p *database.Pred) {
	r.note(UnknownEffect, p)
	if r.adds != nil {
		r.adds.any = true
	}
}

// gets notes an unknown effect if a called predicate may get rules.
func (r *effectReader) gets(p *database.Pred) {
	if r.coming.files || p.Has(database.Dynamic) && r.coming.may(p.Functor) {
		r.note(UnknownEffect, p)
	}
}

// predicate notes what a predicate does.
func (r *effectReader) predicate(p *database.Pred) {
	if r.adds != nil { // the caller reads all predicates
		return
	}
	if r.seen[p] || r.worst == Changes && r.reads != nil {
		return
	}
	r.seen[p] = true
	name, arity := code.AtomText(p.Functor.FunctorAtom()), p.Functor.FunctorArity()
	if r.ours(p) {
		r.redirects = r.redirects || arity == 1 && (name == "see" || name == "set_input")
		if readers[name] == arity && arity > 0 && r.reads == nil {
			r.reads = p
		}
		r.hooks(p, name)
	}
	switch {
	case r.run.Foreign(p):
		r.note(UnknownEffect, p)
		return
	case changers[name] && r.ours(p):
		r.note(Changes, p)
		return
	case p.Has(database.Control) || p.Module == r.run.Program.System():
		if !computes[name] && !harmless[name] {
			r.note(UnknownEffect, p)
		}
		return
	case p.Module.Library:
		switch full := fmt.Sprintf("%s:%s/%d", p.Module.Name, name, arity); {
		case asking[full]:
			r.note(Outside, p)
		case !harmlessLibraries[p.Module.Name] && !harmlessAlone[full]:
			r.note(UnknownEffect, p)
		}
		return
	case r.run.Program.Loader.TableOf(p) != "":
		r.note(Outside, p)
		return
	case !p.Defined():
		r.note(UnknownEffect, p)
		return
	}
	r.gets(p)
	if p.Has(database.Ruled) {
		r.clauses(p, "")
	}
}

// ours reports whether a predicate is one of the system or of a library.
func (r *effectReader) ours(p *database.Pred) bool {
	return p.Builtin >= 0 || p.Module.Library || p.Module == r.run.Program.System()
}

// hooks notes the effects of the hooks of the program that the named predicate calls. Any predicate of a library may
// call error:has_type/2.
func (r *effectReader) hooks(p *database.Pred, name string) {
	called, ok := hooks[name]
	if !ok && p.Module.Library {
		called = hooks["must_be"]
	}
	for _, h := range called {
		module := r.run.Program.Mentioned(h.module)
		if r.coming.may(h.functor) {
			r.note(UnknownEffect, p)
		}
		if defined := module.FindHook(h.functor); defined != nil {
			r.clauses(defined, module.File)
		}
	}
	if own := r.run.Program.System().FindHook(fFormats); name == "format" && (own != nil || r.coming.heads[fFormats]) {
		r.note(UnknownEffect, p)
	}
}

// clauses notes the effects of the clauses of a predicate. It leaves out clauses from the file apart, if that is not
// "".
func (r *effectReader) clauses(p *database.Pred, apart string) {
	view, list := r.run.Tx.Clauses(p)
	for _, c := range list {
		if apart != "" && (c.File == apart || c.File == "") { // clauses of an image have the file ""
			continue
		}
		if r.work++; r.work > maxBasisWork {
			r.open(p)
			return
		}
		if !c.IsFact() && r.run.Tx.Sees(c, view) {
			if writesGoals(c) {
				r.open(p)
			}
			r.goal(p, c, c.Body, 0, p.Module)
		}
	}
}

// isMetaArgument reports whether a variable of a clause is an argument of its head that is a goal of the caller. The
// third argument of tool_call/4 counts, too.
func isMetaArgument(p *database.Pred, c *database.Clause, v cell) bool {
	meta := p.Meta()
	if p.Functor == fAskingTool {
		meta = "--3-"
	}
	for i, mark := range meta {
		if (mark == '^' || mark >= '0' && mark <= '9') && c.HeadArg(i) == v && v.Tag() == code.Att {
			return true
		}
	}
	return false
}

// callingFormat matches a text for format/2 that calls a goal.
var callingFormat = lazyregexp.New("~(\\d+|\\*|`.)?@")

// writesGoals reports whether a clause has such a text.
func writesGoals(c *database.Clause) bool {
	for i := 0; i < len(c.Cells); i++ {
		switch word := c.Cells[i]; {
		case word.Tag() == code.Atom && callingFormat().MatchString(stacks.AtomText(word)):
			return true
		case word.Tag() == code.Hdr && !word.IsFunctor():
			if word.BlobKind() == code.StringBlob && callingFormat().MatchString(stacks.BlobText(c.Cells, i)) {
				return true
			}
			i += word.BlobWords()
		}
	}
	return false
}

// byText reports whether a call of a predicate of the system may call goals because of its arguments.
func byText(c *database.Clause, name string, args []cell) bool {
	switch name {
	case "format":
		at := max(len(args)-2, 0)
		text := args[at]
		return text.Tag() != code.Atom && (text.Tag() != code.Blob || c.Cells[text.Addr()].BlobKind() != code.StringBlob)
	case "interpolate_string": // it has the option goals(true)
		return args[3] != code.ANil
	case "must_be", "is_of_type":
		return slices.Contains(c.Cells, fRecord)
	}
	return false
}

// goal notes the effects of a goal of a clause of p. more is the number of arguments that are added to the goal.
func (r *effectReader) goal(p *database.Pred, c *database.Clause, goal cell, more int, mod *database.Module) {
	if goal.Tag() == code.Atom {
		if more > 0 || goal != code.ATrue && goal != code.ACut {
			r.call(p, c, code.MakeFunctor(goal.Atom(), more), 0, more, mod)
		}
		return
	}
	if goal.Tag() != code.Str || !c.Cells[goal.Addr()].IsFunctor() {
		if r.note(UnknownEffect, p); !isMetaArgument(p, c, goal) { // the callers of p note the effects of the others
			r.open(p)
		}
		return
	}
	at := goal.Addr()
	f := c.Cells[at]
	switch name := c.Cells[at+1]; {
	case f == code.FColon && name.Tag() == code.Atom:
		r.goal(p, c, c.Cells[at+2], more, r.run.Program.Mentioned(stacks.AtomText(name)))
		return
	case f == code.FColon:
		r.open(p)
		return
	case f == fLambda:
		if n := listLength(c, name); n >= 0 && n <= more {
			r.goal(p, c, c.Cells[at+2], more-n, mod)
			return
		}
	case f == code.FCaret:
		r.goal(p, c, c.Cells[at+2], more, mod)
		return
	}
	r.call(p, c, code.MakeFunctor(f.FunctorAtom(), f.FunctorArity()+more), int(at), more, mod)
}

var userInput = code.MakeAtom(code.Intern("user_input"))

// readers holds the predicates that read the current input, with their arities. inputVerbs holds the first words of
// the names of predicates that read the stream in their first argument.
var (
	readers = map[string]int{"read": 1, "read_term": 2, "get_char": 1, "peek_char": 1, "get_code": 1, "peek_code": 1,
		"get_byte": 1, "peek_byte": 1, "get0": 1, "get": 1, "skip": 1, "get_single_char": 1}
	inputVerbs = wordSet("read get get0 peek skip")
)

// lattices are the modes of $tbl_moded/4 that call goals, with the number of arguments that are added to the goal.
var (
	lattices = map[cell]int{code.Functor("lattice", 1): 3, code.Functor("po", 1): 2}
	fModed   = code.Functor("$tbl_moded", 4)
)

// hook is a predicate of the program that the system calls.
type hook struct {
	module  string
	functor cell
}

// hooks holds the hooks that predicates of the system and its libraries call, by the names of these.
var hooks = func() map[string][]hook {
	user := func(name string, arity int) hook { return hook{"user", code.Functor(name, arity)} }
	portray := []hook{user("portray", 1)}
	message := append([]hook{user("message_hook", 3), user("message_property", 2)}, portray...)
	for _, name := range strings.Fields("message error_message message_location message_context") {
		message = append(message, hook{"prolog", code.Functor(name, 3)})
	}
	for _, name := range strings.Fields("message_line_element message_prefix_hook") {
		message = append(message, hook{"prolog", code.Functor(name, 2)})
	}
	exception, hasType := []hook{user("exception", 3)}, []hook{{"error", code.Functor("has_type", 2)}}
	return map[string][]hook{"print": portray, "format": portray, "sformat": portray, "write_term": portray,
		"write_length": slices.Concat(hasType, portray), "term_string": portray, "portray_clause": portray,
		"print_message": message, "must_be": hasType, "is_of_type": hasType, "nb_getval": exception, "b_getval": exception}
}()

var fAskingTool = code.Functor("tool_call", 4)

var fLambda, fRecord, fFormats = code.Functor(">>", 2), code.Functor("record", 1), code.Functor("$format_predicate", 2)

// listLength returns the length of a list in a clause, -1 if the term is no list.
func listLength(c *database.Clause, list cell) (n int) {
	for ; list.Tag() == code.Lst; n++ {
		list = c.Cells[list.Addr()+1]
	}
	if list != code.ANil {
		return -1
	}
	return n
}

// call notes the effects of the predicate of a functor, and those of the goals among its arguments. The arguments
// stand behind the cell at, except for the last ones, whose number is more: the caller adds those.
func (r *effectReader) call(p *database.Pred, c *database.Clause, f cell, at, more int, mod *database.Module) {
	given := f.FunctorArity() - more
	argument := func(i, further int) {
		if i < given {
			r.goal(p, c, c.Cells[at+1+i], further, mod)
		} else {
			r.open(p)
		}
	}
	for i, mode := range c.Cells {
		if closure, ok := lattices[mode]; ok && f == fModed {
			r.goal(p, c, c.Cells[i+1], closure, mod)
		}
	}
	if transparent[f] {
		for i, mark := range goalMarks(mod, f) {
			if mark == '0' {
				argument(i, 0)
			}
		}
		return
	}
	called := mod.Resolve(f)
	if called == nil { // perhaps a library that has not been loaded yet defines it
		called, _ = r.run.Program.Loader.Autoload(f, r.run.Loading)
	}
	if called == nil {
		r.note(UnknownEffect, p)
		return
	}
	r.predicate(called)
	name, meta := code.AtomText(f.FunctorAtom()), called.Meta()
	ours := r.ours(called)
	if ours && r.adds != nil {
		r.adds.ours(r, p, c, name, c.Cells[at+1:at+1+given])
	}
	if verb, _, _ := strings.Cut(name, "_"); given > 0 && c.Cells[at+1] == userInput && inputVerbs[verb] && ours {
		r.reads, r.byName = called, true
	}
	switch {
	case ours && byText(c, name, append(slices.Clone(c.Cells[at+1:at+1+given]), make([]cell, more)...)):
		r.open(p)
	case name == "call":
		argument(0, f.FunctorArity()-1)
		return
	}
	for i, kind := range meta {
		switch {
		case kind >= '0' && kind <= '9':
			argument(i, int(kind-'0'))
		case kind == '^':
			argument(i, 0)
		case kind == '/':
			argument(i, 2)
		}
	}
}

// wordSet returns the set of the words of a text.
func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(text) {
		set[word] = true
	}
	return set
}

var (
	// changers holds the predicates of the system and its libraries that change facts or the tools on offer.
	changers = wordSet(`
		assert asserta assertz retract retractall abolish erase recorda recordz assertion_add update
		mcp_add_tool mcp_remove_tool mcp_add_prompt mcp_remove_prompt mcp_add_resource mcp_remove_resource
		mcp_add_resource_template mcp_remove_resource_template`)
	// harmless holds predicates of the system whose effects end with the call. It also holds predicates that call
	// goals, whose own effects are noted apart.
	harmless = wordSet(`
		, ; -> *-> not once ignore call forall findall aggregate_all bagof setof catch throw tnot
		write print writeln write_canonical writeq write_term nl tab put_char format print_message
		nb_getval b_getval nb_setval b_setval setarg nb_setarg get_time current_op predicate_property clause
		char_type code_type numbervars term_to_atom term_string sformat read_term_from_atom sort predsort
		must_be is_of_type tab dif freeze when ground term_variables tabling number_vars is_assoc nth0 nth1
		atomics_to_string text_concat text_to_string split_string normalize_space sumlist sum_list stamp_date_time
		format_time date_time_stamp parse_time copy_term setof/3 unify_with_occurs_check false halt_never string_code
		phrase sub_text nonground term_subsumer subsumes_term ?= plus char_conversion`)
	// harmlessLibraries holds the libraries whose predicates only compute and call goals. The effects of these goals
	// are noted apart.
	harmlessLibraries = wordSet(`lists apply aggregate pairs assoc rbtrees ugraphs ordsets oset option error strings
		solution_sequences clpfd clpb clpq clpr simplex date heaps nb_set occurs terms varnumbers dicts sort yaml json
		uri base64 base32 md5 sha utf8 ctypes readutil_text backcomp_text decimal dates random`)
	// harmlessAlone holds single harmless predicates of other libraries. They compare dates, read settings or send
	// messages to the client.
	harmlessAlone = wordSet("law:in_force/2 law:in_force/3 mcp:mcp_log/2 mcp:mcp_progress/3 " +
		"mcp:mcp_client/1 mcp:mcp_client_can/1 settings:setting/2")
	// asking holds the predicates that ask the user.
	asking = wordSet("mcp:mcp_ask/3 mcp:mcp_elicit/3 mcp:mcp_elicit_all/2 mcp:mcp_undecided/0 mcp:mcp_roots/1")
)
