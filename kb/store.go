package kb

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/facts"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines the store: how the facts of persistent predicates get from a program into a log, and back.

// Store keeps the facts of persistent predicates in a folder, in a database that several servers share, or in a
// [FactStore]. It is safe for use by several goroutines.
type Store struct {
	source  facts.Source
	replica *facts.Replica // nil for a FactStore and for a store from ReadStore
	own     FactStore      // nil for other stores
	owning  sync.Mutex     // held while own and the program change together
	warn    func(message string)

	// foreign are the facts of predicates that are not persistent in the program. They stay in the store. The lock of
	// the replica guards foreign.
	foreign *facts.State
	// others counts the changes that came from the log. observer is called for each of them. The lock of the replica
	// guards both.
	others   int
	observer func(apply func() *Others)
	program  atomic.Pointer[engine.Program] // nil: no base has taken the facts yet
}

// Others is a change of facts that another server stored and this process made in its program.
type Others struct {
	// Load is the serial number of the program. State is the state of its database after the change.
	Load, State uint64
	Changes     []string
	// Anew says that all facts were read anew, because the single changes are unknown.
	Anew bool
}

// Observe calls begin and, from that moment on, calls each for every change of another server. each has to call apply,
// which makes the change in the program, or returns nil if it does not concern the program. begin and each may be nil.
func (s *Store) Observe(begin func(), each func(apply func() *Others)) {
	s.hold(func() {
		if begin != nil {
			begin()
		}
		s.observer = each
	})
}

// observed makes a change of another server in a program.
func (s *Store) observed(p *engine.Program, change Others, apply func() (uint64, error)) (err error) {
	tell := s.observer
	if tell == nil {
		tell = func(apply func() *Others) { apply() }
	}
	tell(func() *Others {
		change.Load = inner.Of(p).Serial()
		if change.State, err = apply(); err != nil {
			return nil
		}
		return &change
	})
	return err
}

// OpenStore opens the store that a text names. "file:DIR" is a folder, which is created if necessary and which only one
// process at a time can open. "postgres://..." is a PostgreSQL database for any number of processes. A [Base] takes the
// facts later. warn is called with problems that the operator should know of, from any goroutine. It may be nil.
func OpenStore(name string, warn func(message string)) (*Store, error) {
	if name == "" {
		return nil, errors.New("the name of the store is empty: want file:DIR or postgres://USER@HOST/DATABASE")
	}
	s := &Store{source: facts.Source(name), warn: warn}
	if warn == nil {
		s.warn = func(string) {}
	}
	var err error
	if s.replica, err = facts.Open(s.source, storeProgram{s}, s.warn); err != nil {
		return nil, fmt.Errorf("%s: %w", s.source, err)
	}
	return s, nil
}

// FactStore is a custom place for persistent facts, such as a table in the application's own database. One process at a
// time uses it.
type FactStore interface {
	// Load returns all facts, in their order.
	Load(ctx context.Context) iter.Seq2[host.Fact, error]
	// Append stores a change before it returns nil, as a whole. If it returns an error, the change is not made and the
	// commit fails with this error. Calls do not overlap. Facts are removed before others are added. Among equal facts,
	// Nth says which one is removed. [FactText] converts a fact to a text, and [ParseFact] converts the text back.
	Append(change host.FactChange) error
}

// NewStore returns the store of the facts in a FactStore, which it loads. A [Base] takes the facts later. warn is as
// for [OpenStore]. Closing the store does not close the FactStore.
func NewStore(ctx context.Context, from FactStore, warn func(message string)) (*Store, error) {
	switch {
	case ctx == nil:
		return nil, errNoContext
	case from == nil:
		return nil, errors.New("the FactStore is nil")
	}
	s := &Store{own: from, warn: warn, foreign: &facts.State{}}
	if warn == nil {
		s.warn = func(string) {}
	}
	stored := from.Load(ctx)
	if stored == nil {
		return nil, errors.New("the Load of the FactStore has returned nil")
	}
	for f, err := range stored {
		if err != nil {
			return nil, err
		}
		text, err := facts.FactText(f)
		if err != nil {
			return nil, err
		}
		s.foreign.Add(text)
	}
	return s, nil
}

// FactText returns the text of a fact with its module and a final dot. [ParseFact] reads an equal fact from it. It is
// an error if the fact cannot be read back from its text, or if the text is longer than 8 MiB.
func FactText(f host.Fact) (string, error) { return facts.FactText(f) }

// ParseFact reads the text of a fact.
func ParseFact(text string) (host.Fact, error) { return facts.ParseFact(text) }

// ReadStore reads the facts of a store, which another process may have open, for the programs that are loaded with
// them. What the programs change is not stored, and the Store need not be closed. The facts are those after the change
// that sequence names; sequence may also be the number of a change. If sequence is "", the facts are those at the given
// time, or the current ones if the time is zero. It is an error if the store does not reach back that far. warn is as
// for [OpenStore].
func ReadStore(ctx context.Context, name, sequence string, t time.Time, warn func(message string)) (*Store, error) {
	at, err := asOf(sequence, t)
	if err != nil {
		return nil, err
	}
	return readStore(ctx, name, at, warn)
}

func asOf(sequence string, t time.Time) (at facts.AsOf, err error) {
	if sequence == "" {
		return facts.AsOf{Time: t}, nil
	}
	at.Mark = &facts.Mark{}
	if at.Mark.Number, err = strconv.ParseUint(sequence, 10, 64); err != nil {
		*at.Mark, err = facts.ParseMark(sequence)
	}
	return at, err
}

// AsOf reads the facts of the store at an earlier change or time, as [ReadStore] does. The result is not nil if there
// is no error.
func (s *Store) AsOf(ctx context.Context, sequence string, t time.Time) ([]host.Fact, error) {
	if s.own != nil {
		return nil, errors.New("this store keeps no earlier facts")
	}
	at, err := asOf(sequence, t)
	if err != nil {
		return nil, err
	}
	state, err := s.source.Load(ctx, at)
	if err != nil {
		return nil, err
	}
	list := []host.Fact{}
	for text := range state.All() {
		f, err := facts.ParseFact(text)
		if err != nil {
			return nil, err
		}
		list = append(list, f)
	}
	return list, nil
}

func readStore(ctx context.Context, name string, at facts.AsOf, warn func(message string)) (*Store, error) {
	s := &Store{source: facts.Source(name), warn: warn}
	if warn == nil {
		s.warn = func(string) {}
	}
	var err error
	if s.foreign, err = s.source.Load(ctx, at); err != nil {
		return nil, fmt.Errorf("%s: %w", s.source, err)
	}
	return s, nil
}

// journal returns the journal that stores the changes of programs, or nil for a store from ReadStore.
func (s *Store) journal() host.Journal {
	if s == nil || s.replica == nil && s.own == nil {
		return nil
	}
	return s
}

// Close waits for changes that are being stored and closes the store.
func (s *Store) Close() error {
	if s.replica == nil {
		return nil
	}
	return s.replica.Close()
}

// Sequence names the last change that the program has. It is "" if there is no change, or for a store from ReadStore.
// In a store that was restored from an older copy, later changes get other names than those of the lost history.
func (s *Store) Sequence() string {
	if s.replica == nil {
		return ""
	}
	return s.replica.Sequence().String()
}

// WaitFor waits until the program has all changes up to the one that sequence names. [Store.Sequence] of a server on
// the same store returned the name. It is an error if the store lacks the change.
func (s *Store) WaitFor(ctx context.Context, sequence string) error {
	mark, err := facts.ParseMark(sequence)
	if err != nil || sequence == "" {
		return err
	}
	if s.replica == nil {
		return errors.New("this store does not number its changes")
	}
	return s.replica.WaitFor(ctx, mark)
}

// Lasting waits until no crash takes the changes that calls see now. It does not wait for a database that cannot be
// reached. A change that this process makes lasts when its commit has returned; others may be seen some milliseconds
// before they last.
func (s *Store) Lasting(ctx context.Context) {
	if s.replica != nil {
		s.replica.Lasting(ctx)
	}
}

// Turn waits for this server's turn: servers that share the store take turns with conflicting changes. end ends the
// turn.
func (s *Store) Turn(ctx context.Context) (end func(), err error) {
	if s.replica == nil {
		return func() {}, nil
	}
	return s.replica.Turn(ctx)
}

// Append stores a change; see [host.Journal].
func (s *Store) Append(change host.FactChange) (done func() error, err error) {
	edits, err := facts.Edits(change)
	if err != nil {
		return nil, err
	}
	if s.own != nil {
		return s.appendOwn(change, edits)
	}
	if s.replica == nil {
		return nil, errors.New(zeroStore)
	}
	verdict, committed, lasts := make(chan error, 1), make(chan struct{}), make(chan error, 1)
	var number uint64
	err = s.replica.Append(&facts.Pending{By: change.By, Edits: edits,
		Settle: func() bool {
			settles := change.Settle()
			for i, f := range change.Removed {
				edits[i].Nth = f.Nth
			}
			return settles
		},
		Commit: func(n uint64) {
			number = n
			verdict <- nil
			<-committed
			s.keepForeign(change, edits)
		},
		Lasts:  func(err error) { lasts <- err },
		Refuse: func(err error) { verdict <- cmp.Or(err, engine.ErrConflict) },
	})
	if err == nil {
		err = <-verdict
	}
	if err != nil {
		return nil, err
	}
	return func() error {
		s.replica.Reached(number)
		close(committed)
		return <-lasts
	}, nil
}

// appendOwn is Append for a FactStore, which gets one change after the other.
func (s *Store) appendOwn(change host.FactChange, edits []facts.Edit) (done func() error, err error) {
	s.owning.Lock()
	if !change.Settle() {
		err = engine.ErrConflict
	} else {
		err = s.own.Append(change)
	}
	if err != nil {
		s.owning.Unlock()
		return nil, err
	}
	s.keepForeign(change, edits)
	return func() error {
		s.owning.Unlock()
		return nil
	}, nil
}

// keepForeign notes the facts of a change that belong to no persistent predicate of the present program. The change
// comes from a call on an earlier program.
func (s *Store) keepForeign(change host.FactChange, edits []facts.Edit) {
	program := s.program.Load()
	for i, f := range slices.Concat(change.Removed, change.Added) {
		if !isOwn(program, f) {
			_ = s.foreign.Apply(edits[i])
		}
	}
}

// isOwn reports whether a fact is one of a persistent predicate of a program, which may be nil.
func isOwn(p *engine.Program, f host.Fact) bool {
	name, arity, _ := term.Indicator(f.Head)
	return p != nil && inner.Of(p).IsPersistent(f.Module, string(name), arity)
}

// storeProgram is the part of a Store that the log calls.
type storeProgram struct{ *Store }

// Apply makes a change of another server.
func (s storeProgram) Apply(edits []facts.Edit) error {
	s.others++
	program := s.program.Load()
	var change host.FactChange
	var own Others
	for _, e := range edits {
		f, err := facts.ParseFact(e.Fact)
		if err != nil {
			return err
		}
		f.Nth, f.Front = e.Nth, e.Sign == '^'
		switch {
		case !isOwn(program, f):
			if err := s.foreign.Apply(e); err != nil {
				return err
			}
			continue
		case e.Sign == '-':
			change.Removed = append(change.Removed, f)
		default:
			change.Added = append(change.Added, f)
		}
		own.Changes = append(own.Changes, e.String())
	}
	if len(own.Changes) == 0 {
		return nil
	}
	return s.observed(program, own, func() (uint64, error) { return inner.Of(program).Overrule(change) })
}

// Replace replaces the facts of the program by those of a state that belong to its persistent predicates.
func (s storeProgram) Replace(state *facts.State) (err error) {
	s.foreign = state
	s.others++
	if program := s.program.Load(); program != nil {
		err = s.observed(program, Others{Anew: true}, func() (state uint64, err error) {
			s.give(program, func(own iter.Seq[host.Fact]) { state, err = inner.Of(program).Replace(own) })
			return state, err
		})
	}
	return err
}

// Facts passes the texts of all facts on as lines, many at a time.
func (s storeProgram) Facts() func(put func(part string) error) error {
	own, end := s.program.Load().PersistentFacts()
	foreign := slices.Collect(s.foreign.All())
	return func(put func(part string) error) error {
		defer end()
		return facts.Parts(foreign, own, put)
	}
}

// give passes the foreign facts of a program's persistent predicates to take, and keeps the others as foreign.
func (s *Store) give(p *engine.Program, take func(iter.Seq[host.Fact])) {
	kept := &facts.State{}
	take(func(yield func(host.Fact) bool) {
		for text := range s.foreign.All() {
			f, err := facts.ParseFact(text)
			if err != nil || !isOwn(p, f) {
				kept.Add(text)
				continue
			}
			if !yield(f) {
				return
			}
		}
	})
	s.foreign = kept
}

// hasWaiting reports whether the foreign facts include facts of a module.
func (s *Store) hasWaiting(module string) (found bool) {
	s.hold(func() {
		for text := range s.foreign.All() {
			if found = strings.HasPrefix(text, module+":"); found {
				break
			}
		}
	})
	return found
}

// adopt gives the program next the stored facts of its persistent predicates. old is the program that it replaces, or
// nil. swap makes next the current program. Facts of predicates that are no longer persistent become foreign.
func (s *Store) adopt(old, next *engine.Program, swap func()) {
	if s.replica == nil && s.own == nil {
		if len(inner.Of(next).Persistent()) > 0 {
			s.exchange(nil, next) // the program has inherited the facts that an older one was given
		}
		swap()
		return
	}
	if old == nil && s.replica != nil {
		defer s.replica.Follow()
	}
	s.hold(func() {
		var unlogged []host.Fact
		if old == nil || !slices.Equal(inner.Of(old).Persistent(), inner.Of(next).Persistent()) {
			unlogged = s.exchange(old, next)
		}
		s.program.Store(next)
		swap()
		if len(unlogged) > 0 {
			s.logFacts(unlogged)
		}
	})
}

// hold calls f while the facts and the store do not change.
func (s *Store) hold(f func()) {
	if s.replica != nil {
		s.replica.Hold(f)
		return
	}
	s.owning.Lock()
	defer s.owning.Unlock()
	f()
}

// exchange makes the facts of predicates that are no longer persistent foreign, and gives the program next its foreign
// facts. It returns the facts of predicates that have become persistent, which are not in the store yet.
func (s *Store) exchange(old, next *engine.Program) (unlogged []host.Fact) {
	if old != nil {
		unlogged = factsNotIn(next, old)
		edits, err := facts.Edits(host.FactChange{Added: factsNotIn(old, next)})
		if err != nil {
			s.warn(err.Error())
		}
		for _, e := range edits {
			s.foreign.Add(e.Fact)
		}
	}
	s.give(next, func(own iter.Seq[host.Fact]) { next.Restore(own) })
	facts.EachUnused(s.foreign.All(), s.warn)
	return unlogged
}

// factsNotIn returns the facts of predicates that are persistent in p and not in other.
func factsNotIn(p, other *engine.Program) (list []host.Fact) {
	all, end := p.PersistentFacts()
	defer end()
	for f := range all {
		if !isOwn(other, f) {
			list = append(list, f)
		}
	}
	return list
}

// logFacts stores the facts of predicates that have become persistent, before any change to them. The program already
// has the facts, and loses them if they cannot be stored. logFacts is called within hold.
func (s *Store) logFacts(list []host.Fact) {
	apply := func(c host.FactChange) error { return s.program.Load().Apply(c) }
	lose := func(err error) {
		s.warn(fmt.Sprintf("%s of predicates that have become persistent: lost, since they cannot be stored: %s",
			spell.Count(len(list), "fact"), err))
		_ = apply(host.FactChange{Removed: list}) // facts that are already gone are ignored
	}
	others := s.others
	edits, err := facts.Edits(host.FactChange{Added: list})
	if err == nil && s.own != nil {
		err = s.own.Append(host.FactChange{Added: list})
	} else if err == nil {
		warn := func(err error) {
			if err != nil {
				s.warn(err.Error())
			}
		}
		err = s.replica.Append(&facts.Pending{Edits: edits, Settle: func() bool { return true }, Refuse: lose, Lasts: warn,
			Commit: func(number uint64) {
				// The facts come after those that other servers have stored meanwhile. The latter may have replaced the
				// facts.
				if s.others > others && apply(host.FactChange{Removed: list, Added: list}) != nil {
					_ = apply(host.FactChange{Added: list})
				}
				s.replica.Reached(number)
			}})
	}
	if err != nil {
		lose(err)
	}
}

// zeroStore is the error of a store that was not opened.
const zeroStore = "the store is a zero Store, and not one of OpenStore, NewStore or ReadStore"
