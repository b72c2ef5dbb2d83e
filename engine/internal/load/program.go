// Package load turns text into clauses: it reads terms, runs directives, expands and compiles clauses, links calls
// to their predicates, and reports warnings.
//
// [New] makes a [Program] around a database, [Program.Define] adds predicates written in Go, and
// [Program.Load] adds texts. The function in [Options] runs the goals of the texts. One goroutine loads at a time.
// Other goroutines may run a sealed program while a library is loaded into it.
package load

import (
	"context"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mcplogic/mcplogic/engine/internal/arith"
	"github.com/mcplogic/mcplogic/engine/internal/builtin"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/compile"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/flow"
	"github.com/mcplogic/mcplogic/engine/internal/law"
	"github.com/mcplogic/mcplogic/engine/internal/lib"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/passes"
	"github.com/mcplogic/mcplogic/engine/internal/pushdown"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/internal/tables"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
)

// Solve runs a goal of a text in a module. It returns the values of vars in the first answer, or nil if there is no
// answer. If the goal throws, the error is a [*Thrown].
// The last result says whether the goal is restricted or has entered a restricted rule.
type Solve func(ctx context.Context, goal term.Term, vars []*term.Var, module *database.Module, restrict bool) (
	values []term.Term, restricted bool, err error)

// Thrown is the error of a goal that threw.
type Thrown struct {
	// Message is the thrown term as a message.
	Message string
	// Limit is the resource that ran out, such as "time", or "".
	Limit string
}

// Error is the message of the term, without its place.
func (t *Thrown) Error() string { return t.Message }

// Options say how texts are loaded. Solve must be set before a text with goals is loaded.
type Options struct {
	// Solve runs the goals of texts. Limits are the limits that Solve gives each goal.
	Solve  Solve
	Limits stacks.Limits
	// Files opens the files named by texts. RestrictedFiles opens the files named by restricted texts. If nil, no file
	// may be read.
	Files, RestrictedFiles builtin.FS
	// Trust makes the mark of restricted texts an ordinary comment.
	Trust bool
	// Databases gives access to the tables that are predicates, nil if there are none.
	Databases relation.Databases
	// Canonical returns the single name of a file with several paths. If nil, the path is the name.
	Canonical func(path string) string
	// Lenient makes clauses in a later file replace a predicate of an earlier one, with a warning. Otherwise they are
	// errors.
	Lenient bool
	// Declarations are further directives that are recorded and not called, such as "cache/2".
	Declarations []string
	// Advice is the hint for calls of unknown predicates, by indicator.
	Advice map[string]string
	// KnownElsewhere reports whether a text that is not loaded defines a predicate. If nil, there are no such texts.
	KnownElsewhere func(name string, arity int) bool
	// Lint makes a load look for mistakes in programs that load and run, see package lint.
	Lint bool
	// Scattered holds the functors of predicates that may have clauses in several places.
	Scattered []code.Cell
	// Cover makes the counted points of clauses. If nil, nothing is counted.
	Cover Cover
	// Incremental makes the readers of texts. If nil, texts are only parsed.
	Incremental Incremental
}

var _ database.Loader = (*Program)(nil)

// Program is a database and the loader's records of the texts in it.
type Program struct {
	db      *database.Program
	definer *database.Definer
	// builtins are the predicates written in Go; the field Builtin of a predicate is an index of this slice.
	builtins []machine.Builtin
	advice   adviceTable
	compiler *compile.Compiler
	answers  *machine.SharedTables
	opts     Options
	// takeLibrary is nil for a program that reads the texts of its libraries; see UseLibraries.
	takeLibrary func(key string) *database.Module
	quiet       bool                                 // see AddLibraryOps, as for waitingOps
	waitingOps  []syntax.Op                          // of user
	flags       *builtin.FlagSet                     // set by directives
	globals     atomic.Pointer[map[string]term.Term] // set by directives

	// Goals read the lists and maps behind these pointers during a load, so they are replaced and never changed.
	sources atomic.Pointer[[]database.SourceFile]

	mu     sync.Mutex // held while loading
	loaded map[string]*database.Module
	// restricted holds the files whose rules and goals are restricted.
	restricted sync.Map
	// ownOps are the operators that libraries define in user, by key. It is nil unless KeepOpsApart was called.
	ownOps       map[string]*syntax.Ops
	declared     map[string]bool
	scattered    map[code.Cell]bool                  // functors
	layouts      map[*database.Clause]*syntax.Layout // of the clauses of scattered predicates
	declarations []source.Declaration
	dataFiles    []DataFile
	persistent   map[*database.Pred]*persistence
	// Goals read the maps of type sync.Map while a text is loaded.
	tables      sync.Map                           // the queries of tables, by the predicates that have their rows
	decided     map[string]*tables.Table           // the tables that came from grids, by their predicates
	tableRows   sync.Map                           // lists of decision tables, by their files
	columns     sync.Map                           // the names of their columns, and of columns of data files
	queries     map[*database.Pred]*relation.Query // of the same predicates, while loading
	questions   sync.Map                           // of clauses to databases, as keys of type askedQuery
	pushdowns   []pushedClause
	calls       pushdown.Calls // while clauses are moved behind wrappers of tables
	diagnostics source.Diagnostics
	initGoals   []initGoal
	laws        law.Rules      // the rules with labels
	goalFlags   []syntax.Flags // of the given files, for goals after the load
	// passed holds the names of helper predicates that the clauses of the system pass to other predicates, while the
	// system is loaded.
	passed      map[string]bool
	loading     *Loader                  // the loader whose goal runs now
	loadContext context.Context          // of the current load, or nil
	cutShort    bool                     // a load stopped before its end
	hints       atomic.Int64             // the remaining error hints plus one; 0 if no load is running
	undefined   map[string]UnknownCall   // by indicator; fixed once loaded
	bodies      []bodyNote               // of the clauses of the program, while loading
	lint        lintNotes                // of the terms of the program, while loading
	types       map[flow.Key][]flow.Type // of the arguments of predicates, see Types
	acceptance  acceptance
	exports     []exportNote // of the module headers of the program, while loading
	yielder     Yielder
	lambdas     passes.Lambdas
	metaChanged bool // clauses may call a predicate that became a meta-predicate after they were compiled
	sealed      bool
	unlinked    []*database.Pred // of a sealed program: they have clauses that their entries do not reach yet
	baseCount   int              // the number of predicates of the base, whose undefined ones no library exports
	loadedAt    uint64           // the generation at the end of loading

	// Records for loading files again, by canonical name: the text that was loaded, whether the file is being loaded,
	// and the files that it includes.
	texts map[string]uint64
	open  map[string]bool
	parts map[string][]string
}

// New returns a program around a database with the given predicates in Go. loaded maps library keys to the modules in
// the database. The program keeps the map.
func New(db *database.Program, builtins []machine.Builtin, loaded map[string]*database.Module) *Program {
	p := &Program{db: db, definer: db.Definer(), builtins: builtins, loaded: loaded, scattered: map[code.Cell]bool{},
		open: map[string]bool{}, layouts: map[*database.Clause]*syntax.Layout{}, answers: machine.NewSharedTables()}
	p.compiler = compile.New(db, compile.Options{
		Nondet: func(n int) bool { return p.builtins[n].Nondet },
		Arith:  arith.Arithmetic.Function,
	})
	db.Loader, db.LibraryMeta = p, lib.Meta
	p.declared = map[string]bool{"mode/2": true, "info/2": true, "explain/2": true, "type/2": true}
	return p
}

// Clone returns a program that starts with the contents of p. Options, diagnostics and declarations are not copied:
// only a base is cloned, before it has any.
func (p *Program) Clone() *Program {
	loaded := make(map[string]*database.Module, len(p.loaded))
	q := New(p.db.Clone(), p.builtins[:len(p.builtins):len(p.builtins)], loaded)
	for name, m := range p.loaded {
		loaded[name] = q.db.Module(m.Name)
	}
	q.baseCount = p.baseCount
	return q
}

// Configure sets the options. It must be called before anything is loaded.
func (p *Program) Configure(o Options) {
	p.opts = o
	for _, d := range o.Declarations {
		p.declared[d] = true
	}
	for _, functor := range o.Scattered {
		p.scattered[functor] = true
	}
}

// NoteDefined records that a predicate has clauses, before the first one is added.
func (p *Program) NoteDefined(pred *database.Pred) { p.definer.Set(pred, database.Defined) }

// UseLibraries sets the function that adds a compiled library to the program, by its key, and returns the module of the
// library. The result is nil if the library must be read.
func (p *Program) UseLibraries(take func(key string) *database.Module) { p.takeLibrary = take }

// Define defines a predicate written in Go. It locks predicates of ISO 13211-1, predicates whose name begins with $ and
// predicates of the Go program around the engine: programs cannot redefine them, and calls jump directly to them.
func (p *Program) Define(b machine.Builtin) {
	module := p.db.System()
	if b.Module != "" {
		module = p.db.Module(b.Module)
	}
	pred := module.Lookup(code.Functor(b.Name, b.Arity))
	pred.Builtin = len(p.builtins)
	p.definer.SetMeta(pred, b.Meta)
	p.definer.Set(pred, database.Defined|database.Linked)
	entry := code.Make(code.OpBuiltinEnd, b.Arity, 0, 0, uint32(pred.Builtin))
	if b.IsControl() {
		p.definer.Set(pred, database.Control)
		entry = code.MakeMeta(pred.Functor, pred.ID)
	}
	if b.Name[0] == '$' || b.IsControl() || isCore(b.Name, b.Arity) {
		p.definer.Set(pred, database.Locked)
	}
	if b.Foreign { // it belongs to the Go program, whatever its name is
		p.definer.Set(pred, database.Locked|database.Passed)
	}
	p.db.Patch(pred.Entry, []code.Instr{entry, entry, entry})
	p.builtins = append(p.builtins, b)
}

// SealBase completes the base, from which all other programs are cloned.
func (p *Program) SealBase() {
	p.Seal()
	p.MarkBase()
}

// MarkBase makes all present predicates a part of the base.
func (p *Program) MarkBase() { p.baseCount = len(p.db.Preds()) }

// IsUntouched reports whether a predicate of the base, such as message_hook/3, has no clauses of files.
func (p *Program) IsUntouched(pred *database.Pred) bool {
	return int(pred.ID) < p.baseCount && pred.File == ""
}

// DB returns the database.
func (p *Program) DB() *database.Program { return p.db }

// Builtins returns the predicates written in Go, by their numbers.
func (p *Program) Builtins() []machine.Builtin { return p.builtins }

// NewMachine returns a machine that runs the program.
func (p *Program) NewMachine() *machine.Machine {
	return machine.New(p.db, p.builtins, p.compiler, arith.Arithmetic, p.answers)
}

// Flags returns the flags that directives have set.
func (p *Program) Flags() *builtin.FlagSet { return p.flags }

// SetFlags replaces the flags that directives have set.
func (p *Program) SetFlags(flags *builtin.FlagSet) { p.flags = flags }

// Globals returns the global variables that directives have set, by name. The map does not change.
func (p *Program) Globals() map[string]term.Term {
	if now := p.globals.Load(); now != nil {
		return *now
	}
	return nil
}

// SetGlobals gives global variables of the program values. It does not change the map that Globals has returned before.
func (p *Program) SetGlobals(values map[string]term.Term) {
	if len(values) > 0 {
		now := maps.Clone(p.Globals())
		if now == nil {
			now = map[string]term.Term{}
		}
		maps.Copy(now, values)
		p.globals.Store(&now)
	}
}

// Sources returns the files of the program in the order in which their loading began. The slice must not be changed.
func (p *Program) Sources() []database.SourceFile {
	if list := p.sources.Load(); list != nil {
		return *list
	}
	return nil
}

// addSource records a loaded file. It comes before the files that it has loaded: before is the number of sources when
// its loading began.
func (p *Program) addSource(s database.SourceFile, before int) {
	if s.Name == "" {
		return
	}
	list := slices.DeleteFunc(slices.Clone(p.Sources()), func(old database.SourceFile) bool { return old.Name == s.Name })
	list = slices.Insert(list, min(before, len(list)), s)
	p.sources.Store(&list)
}

// LoadedAt returns the generation of the database at the end of loading.
func (p *Program) LoadedAt() uint64 { return p.loadedAt }

// Declarations returns the directives that describe predicates, in the order of loading. The caller owns the slice.
func (p *Program) Declarations() []source.Declaration {
	return append([]source.Declaration(nil), p.declarations...)
}

// Diagnostics returns the diagnostics of all loads so far, sorted by place.
func (p *Program) Diagnostics() source.Diagnostics { return p.diagnostics.Sorted() }

// Loaded returns the modules of the loaded files by name, and of the loaded libraries by key. Callers must not change
// the map while the program loads.
func (p *Program) Loaded() map[string]*database.Module { return p.loaded }

// KeepOpsApart makes the program record which library defines which operators in user.
func (p *Program) KeepOpsApart() { p.ownOps = map[string]*syntax.Ops{} }

// OwnOps returns the operators that libraries define in user, by key, and stops recording them.
func (p *Program) OwnOps() map[string]*syntax.Ops {
	ops := p.ownOps
	p.ownOps = nil
	return ops
}

// HasOnlyClauses reports whether loading has added clauses and nothing else.
func (p *Program) HasOnlyClauses() bool {
	return len(p.diagnostics)+len(p.declarations)+len(p.initGoals)+len(p.layouts) == 0
}

// This file lists the predicates of ISO 13211-1 and the control constructs around them. Programs cannot redefine them.
// They can redefine other built-ins, as in SWI-Prolog.

// CoreNames are their indicators.
const CoreNames = `
true/0 fail/0 false/0 call/1 call/2 call/3 call/4 call/5 call/6 call/7 call/8 !/0 ,/2 ;/2 ->/2 *->/2 |/2 :/2
catch/3 throw/1 \+/1 once/1 ignore/1 not/1 forall/2 findall/3 findall/4 bagof/3 setof/3 =/2 \=/2
unify_with_occurs_check/2 subsumes_term/2 var/1 nonvar/1 atom/1 number/1 integer/1 float/1 atomic/1
compound/1 callable/1 is_list/1 ground/1 string/1 ==/2 \==/2 @</2 @>/2 @=</2 @>=/2 compare/3 functor/3
arg/3 =../2 copy_term/2 term_variables/2 is/2 =:=/2 =\=/2 </2 =</2 >/2 >=/2 clause/2 current_predicate/1
asserta/1 assertz/1 assert/1 retract/1 abolish/1 retractall/1 atom_length/2 atom_concat/3 sub_atom/5
atom_chars/2 atom_codes/2 char_code/2 number_chars/2 number_codes/2 halt/0 halt/1 op/3 current_op/3
char_conversion/2 current_char_conversion/2 set_prolog_flag/2 current_prolog_flag/2 current_input/1
current_output/1 set_input/1 set_output/1 open/3 open/4 close/1 close/2 flush_output/0 flush_output/1
stream_property/2 at_end_of_stream/0 at_end_of_stream/1 set_stream_position/2 get_char/1 get_char/2
peek_char/1 peek_char/2 put_char/1 put_char/2 get_code/1 get_code/2 peek_code/1 peek_code/2 put_code/1
put_code/2 get_byte/1 get_byte/2 peek_byte/1 peek_byte/2 put_byte/1 put_byte/2 nl/0 nl/1 read_term/2
read_term/3 read/1 read/2 write_term/2 write_term/3 write/1 write/2 writeq/1 writeq/2 print/1 print/2
write_canonical/1 write_canonical/2 repeat/0 msort/2 sort/2 sort/4 keysort/2 length/2 atom_number/2
setup_call_cleanup/3 nb_setval/2 b_setval/2 nb_getval/2 b_getval/2 format/1 format/2 format/3
acyclic_term/1 cyclic_term/1 term_to_atom/2 phrase/2 phrase/3`

// RedefinableNames are the core predicates that a program may nevertheless define itself, as in SWI-Prolog. They are
// neither in ISO nor control constructs.
const RedefinableNames = `
ignore/1 not/1 forall/2 findall/4 is_list/1 string/1 assert/1 print/1 print/2 msort/2 sort/4 atom_number/2 nb_setval/2
b_setval/2 nb_getval/2 b_getval/2 format/1 format/2 format/3 cyclic_term/1 term_to_atom/2
setup_call_cleanup/3`

// redefinable and core hold these names as sets. They do not change, so all goroutines share them.
var redefinable = nameSet(RedefinableNames)

var core = nameSet(CoreNames)

// nameSet returns the set of the words of a text.
func nameSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, name := range strings.Fields(text) {
		set[name] = true
	}
	return set
}

// isCore reports whether a predicate is one of CoreNames, RedefinableNames included.
func isCore(name string, arity int) bool { return core[name+"/"+strconv.Itoa(arity)] }

// Yielder lets other goroutines run from time to time. Without it a call would wait for up to ten milliseconds, until
// the scheduler preempts the load. The zero value is ready. One goroutine uses it.
type Yielder int

// Step counts a step of a long operation and yields every 256 steps.
func (n *Yielder) Step() {
	const steps = 256
	if *n++; *n%steps == 0 {
		runtime.Gosched()
	}
}

// Lambdas returns a term in which calls of predicates made from lambdas are replaced by the lambdas.
func (p *Program) Lambdas(t term.Term) (shown term.Term, own []*term.Var) { return p.lambdas.Shown(t) }
