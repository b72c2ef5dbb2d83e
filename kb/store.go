package kb

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/kb/internal/journal"
	"github.com/mcplogic/mcplogic/kb/internal/sharedlog"
)

// This file defines the store: the facts of persistent predicates in a journal of the file system.

// maxFact is the longest text of a fact in a store. The writer of terms cuts what is much longer.
const maxFact = 8 << 20

// Store keeps the facts of persistent predicates in a folder, or in a database that several servers share. It is safe
// for use by several goroutines.
type Store struct {
	name    string           // what it is called in messages
	dir     string           // "" for a database
	journal *journal.Journal // nil for a database
	shared  *replica         // nil for a folder
	warn    func(message string)

	// changing is held for reading while a change is on its way to the journal and then to the database, and for
	// writing where both must say the same.
	changing sync.RWMutex
	// foreign are the facts of predicates that are not persistent any more, as texts. They stay in the store.
	foreign []string
	// program is what snapshots are taken of.
	program    atomic.Pointer[engine.Program]
	compacting atomic.Bool
}

// OpenStore opens the store that a text names: "file:DIR", a folder, which is made if it is not there and which only
// one process at a time can have open, or "postgres://...", a database of PostgreSQL, for any number of processes. The
// facts wait for a [Base] to take them. warn is called with what a person should know, from any goroutine; nil: nobody
// is told.
func OpenStore(name string, warn func(message string)) (*Store, error) {
	s := &Store{name: "the store " + name, warn: warn}
	if warn == nil {
		s.warn = func(string) {}
	}
	var err error
	if isDatabase(name) {
		s.name = "the store in PostgreSQL"
		s.shared, s.foreign, err = openReplica(s, name)
	} else {
		err = s.openFolder(name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.name, err)
	}
	return s, nil
}

// isDatabase reports whether the name of a store is the address of a database.
func isDatabase(name string) bool {
	return strings.HasPrefix(name, "postgres://") || strings.HasPrefix(name, "postgresql://")
}

// openFolder opens the store in a folder.
func (s *Store) openFolder(name string) error {
	dir, err := storeFolder(name)
	if err != nil {
		return err
	}
	state := newFactState()
	j, found, err := journal.Open(dir, nil, state.part, state.change)
	if err != nil {
		return err
	}
	s.dir, s.journal, s.foreign = dir, j, state.alive()
	if found.Torn > 0 {
		s.warn(fmt.Sprintf("the last %s of %s are cut off: they were being written when it stopped, and hold no change "+
			"that was confirmed",
			spell.Count(int(found.Torn), "byte"), found.TornIn))
	}
	return nil
}

// storeFolder returns the folder of a store.
func storeFolder(name string) (string, error) {
	dir, ok := strings.CutPrefix(name, "file:")
	if !ok || dir == "" {
		return "", fmt.Errorf("got the store %q, want file:DIR or postgres://USER@HOST/DATABASE", name)
	}
	return dir, nil
}

// Close waits for changes that are being stored and closes the store.
func (s *Store) Close() error {
	if s.shared != nil {
		return s.shared.close()
	}
	s.changing.Lock()
	defer s.changing.Unlock()
	return s.journal.Close()
}

// Append stores a change; see [engine.Journal].
func (s *Store) Append(change engine.FactChange) (done func(), err error) {
	if s.shared != nil {
		return s.shared.append(change)
	}
	data, err := changeText(change, time.Now())
	if err != nil {
		return nil, err
	}
	s.changing.RLock()
	if err := s.journal.Append(data); err != nil {
		s.changing.RUnlock()
		return nil, err
	}
	return func() {
		s.changing.RUnlock()
		if s.journal.Worth() && s.compacting.CompareAndSwap(false, true) {
			go s.compact()
		}
	}, nil
}

// compact writes a snapshot in the background. Without one the journal only grows, so an error is no more than told.
func (s *Store) compact() {
	defer s.compacting.Store(false)
	s.changing.Lock()
	write, number, err := s.rotate()
	s.changing.Unlock()
	if err == nil {
		err = write(number)
	}
	if err != nil && !errors.Is(err, journal.ErrClosed) {
		s.warn(fmt.Sprintf("no snapshot of %s: %s", s.name, err))
	}
}

// rotate begins a new file of the journal and returns a function that writes the snapshot of all before it. The lock
// must be held for writing.
func (s *Store) rotate() (write func(number uint64) error, number uint64, err error) {
	number, err = s.journal.Rotate()
	if err != nil {
		return nil, 0, err
	}
	facts, end := s.program.Load().PersistentFacts()
	foreign := slices.Clone(s.foreign)
	return func(number uint64) error {
		defer end()
		return s.journal.Snapshot(number, func(write func([]byte) error) error {
			return eachText(foreign, facts, func(text string) error { return write([]byte(text)) })
		})
	}, number, nil
}

// eachText passes on the texts of facts.
func eachText(foreign []string, facts iter.Seq[engine.Fact], write func(text string) error) error {
	for _, text := range foreign {
		if err := write(text); err != nil {
			return err
		}
	}
	for f := range facts {
		text, err := factText(f)
		if err == nil {
			err = write(text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// eachPart passes on the texts of facts in lines, many at a time.
func eachPart(foreign []string, facts iter.Seq[engine.Fact], write func(part string) error) error {
	const most = 1 << 18
	var b strings.Builder
	err := eachText(foreign, facts, func(text string) error {
		b.WriteString(text + "\n")
		if b.Len() < most {
			return nil
		}
		defer b.Reset()
		return write(b.String())
	})
	if err == nil && b.Len() > 0 {
		err = write(b.String())
	}
	return err
}

// adopt gives a program the facts of its persistent predicates that wait. old is the program that it replaces, or nil;
// swap makes it the current one. Facts of predicates that are not persistent any more are put aside.
func (s *Store) adopt(old, next *engine.Program, swap func()) {
	if s.shared != nil {
		s.shared.adopt(old, next, swap)
		return
	}
	if old != nil && slices.Equal(old.Persistent(), next.Persistent()) {
		swap()
		s.program.Store(next)
		return
	}
	s.changing.Lock()
	defer s.changing.Unlock()
	s.exchange(old, next)
	swap()
	s.program.Store(next)
	if old == nil {
		return
	}
	write, number, err := s.rotate() // the database may have facts that were not persistent and so not in the journal
	if err == nil {
		err = write(number)
	}
	if err != nil {
		s.warn(fmt.Sprintf("no snapshot of %s: %s", s.name, err))
	}
}

// exchange puts facts aside whose predicates are not persistent any more, and gives a program those that wait for it.
// The lock must be held.
func (s *Store) exchange(old, next *engine.Program) {
	defer s.warnUnused()
	if old != nil {
		facts, end := old.PersistentFacts()
		for f := range facts {
			name, arity, _ := term.Indicator(f.Head)
			if text, err := factText(f); err == nil && !next.IsPersistent(f.Module, string(name), arity) {
				s.foreign = append(s.foreign, text)
			}
		}
		end()
	}
	var kept []string
	next.Restore(s.waiting(next, &kept))
	s.foreign = kept
}

// changeForeign makes a change of the facts that no program has.
func (s *Store) changeForeign(sign byte, nth int, text string) {
	switch sign {
	case '+':
		s.foreign = append(s.foreign, text)
	case '^':
		s.foreign = slices.Insert(s.foreign, 0, text)
	default:
		for i, own := range s.foreign {
			if own != text {
				continue
			}
			if nth == 0 {
				s.foreign = slices.Delete(s.foreign, i, i+1)
				return
			}
			nth--
		}
	}
}

// waiting iterates over the facts that wait for a program. Those that it does not take are added to kept.
func (s *Store) waiting(p *engine.Program, kept *[]string) iter.Seq[engine.Fact] {
	return func(yield func(engine.Fact) bool) {
		for _, text := range s.foreign {
			f, err := parseFact(text)
			name, arity, _ := term.Indicator(f.Head)
			if err != nil || !p.IsPersistent(f.Module, string(name), arity) {
				*kept = append(*kept, text)
				continue
			}
			if !yield(f) {
				return
			}
		}
	}
}

// warnUnused tells of facts whose predicate is not persistent. The lock must be held.
func (s *Store) warnUnused() {
	count := map[string]int{}
	for _, text := range s.foreign {
		if f, err := parseFact(text); err == nil {
			count[f.Indicator()]++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(count)) {
		s.warn(fmt.Sprintf("%s of %s, which is not persistent, stay in the store unused", spell.Count(count[name], "fact"),
			name))
	}
}

// changeText returns the record of a change: a line with the time and for whom, and a line for each fact.
func changeText(c engine.FactChange, now time.Time) ([]byte, error) {
	var b strings.Builder
	b.WriteString(changeHead(c.By, now))
	write := func(sign string, list []engine.Fact) error {
		for _, f := range list {
			text, err := factText(f)
			if err != nil {
				return err
			}
			if f.Front {
				b.WriteString("^" + text + "\n")
				continue
			}
			b.WriteString(sign + text + "\n")
		}
		return nil
	}
	if err := errors.Join(write("-", c.Removed), write("+", c.Added)); err != nil {
		return nil, err
	}
	return []byte(b.String()), nil
}

// changeHead is the first line of a change.
func changeHead(by string, now time.Time) string {
	head := term.New("commit", term.Atom(now.UTC().Format(time.RFC3339Nano)), term.Atom(by))
	return engine.FormatTerm(head) + ".\n"
}

// splitChange takes another line of a change apart. The sign is '-' for each fact that is removed; before it are nth
// with the same text.
func splitChange(line string) (sign byte, nth int, text string, err error) {
	if line == "" {
		return 0, 0, "", errors.New("an empty line is not a change")
	}
	switch sign, text = line[0], line[1:]; sign {
	case '+', '^', '-':
		return sign, 0, text, nil
	case '~':
		number, text, ok := strings.Cut(text, " ")
		if n, err := strconv.Atoi(number); ok && err == nil && n > 0 {
			return '-', n, text, nil
		}
	}
	return 0, 0, "", fmt.Errorf("%q is not a change", line)
}

// factText returns a fact as text that Prolog reads back with the standard operators. Facts are the same if their texts
// are: variables are named in their order.
func factText(f engine.Fact) (string, error) {
	tooLong := func() error { return fmt.Errorf("a fact of %s is longer than %d bytes", f.Indicator(), maxFact) }
	size := 0
	for sub := range term.Parts(f.Head) {
		if _, ok := term.Is(sub, "$VAR", 1); ok { // it would be read back as a variable
			return "", fmt.Errorf("a fact of %s holds '$VAR'(N), which cannot be stored", f.Indicator())
		}
		if size += leastText(sub); size > maxFact {
			return "", tooLong()
		}
	}
	vars := map[*term.Var]term.Term{}
	for i, v := range term.Variables(f.Head) {
		vars[v] = term.New("$VAR", term.Int(i))
	}
	text := engine.FormatTerm(term.New(":", term.Atom(f.Module), term.Rename(f.Head, vars))) + "."
	if len(text) > maxFact {
		return "", tooLong()
	}
	return text, nil
}

// leastText is how many bytes a part has at least in the text of a term, beside its arguments. So the text of a term
// that shares its parts, which may be longer than any memory, is not made to find that out.
func leastText(sub term.Term) int {
	const bitsOfDigit = 4 // less than that, in truth
	switch t := sub.(type) {
	case term.Atom:
		if t != term.Nil {
			return max(len(t), 1)
		}
	case term.String:
		return len(t) + len(`""`)
	case term.Int:
		var digits [20]byte
		return len(strconv.AppendInt(digits[:0], int64(t), 10))
	case *term.Big:
		return t.Int().BitLen() / bitsOfDigit
	case *term.Compound:
		return max(len(t.Functor), 1)
	}
	return 1
}

// parseFact reads the text of a fact.
func parseFact(text string) (engine.Fact, error) {
	t, err := engine.ParseTerm(text)
	if err != nil {
		return engine.Fact{}, err
	}
	args, ok := term.Is(t, ":", 2)
	if !ok {
		return engine.Fact{}, fmt.Errorf("not a fact: %s", text)
	}
	module, ok := args[0].(term.Atom)
	if _, _, callable := term.Indicator(args[1]); !ok || !callable {
		return engine.Fact{}, fmt.Errorf("not a fact: %s", text)
	}
	return engine.Fact{Module: string(module), Head: args[1]}, nil
}

// factState is the state that a journal leads to.
type factState struct {
	texts map[string][]int64 // the places of the facts with a text
	order map[int64]string
	first int64
	last  int64
}

func newFactState() *factState {
	return &factState{texts: map[string][]int64{}, order: map[int64]string{}}
}

// part takes a fact of a snapshot.
func (s *factState) part(data []byte) error {
	s.last++
	s.add(s.last, string(data))
	return nil
}

func (s *factState) add(place int64, text string) {
	s.order[place] = text
	s.texts[text] = append(s.texts[text], place)
}

// change takes a change.
func (s *factState) change(data []byte) error {
	for i, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		if i == 0 {
			continue
		}
		sign, nth, text, err := splitChange(line)
		if err != nil {
			return err
		}
		switch sign {
		case '+':
			s.last++
			s.add(s.last, text)
		case '^':
			s.first--
			s.add(s.first, text)
		default:
			places := s.texts[text]
			if nth >= len(places) {
				return fmt.Errorf("it removes %s, which is not there", text)
			}
			slices.Sort(places)
			delete(s.order, places[nth])
			s.texts[text] = slices.Delete(places, nth, nth+1)
		}
	}
	return nil
}

// alive returns the facts in their order.
func (s *factState) alive() []string {
	texts := make([]string, 0, len(s.order))
	for _, place := range slices.Sorted(maps.Keys(s.order)) {
		texts = append(texts, s.order[place])
	}
	return texts
}

// ExportFacts writes the facts of a store as Prolog text, those that wanted accepts as text; nil accepts all. Another
// process may have the store open.
func ExportFacts(w io.Writer, name string, wanted func(fact string) bool) error {
	texts, err := storedFacts(name)
	if err != nil {
		return err
	}
	for _, text := range texts {
		if wanted != nil && !wanted(text) {
			continue
		}
		if _, err := fmt.Fprintln(w, strings.TrimPrefix(text, "user:")); err != nil {
			return err
		}
	}
	return nil
}

// storedFacts returns the facts of a store.
func storedFacts(name string) ([]string, error) {
	if isDatabase(name) {
		s, err := OpenStore(name, nil)
		if err != nil {
			return nil, err
		}
		return s.foreign, s.Close()
	}
	dir, err := storeFolder(name)
	if err != nil {
		return nil, err
	}
	state := newFactState()
	err = journal.Read(dir, func(_ uint64, data []byte) error { return state.part(data) },
		func(_ uint64, data []byte) error { return state.change(data) })
	return state.alive(), err
}

// LogFacts writes the changes of a store since its snapshot: when, for whom, and what, of facts that wanted accepts as
// text; nil accepts all. Another process may have the store open.
func LogFacts(w io.Writer, name string, wanted func(fact string) bool) error {
	s := &Store{}
	switch {
	case isDatabase(name):
		opened, err := OpenStore(name, nil)
		if err != nil {
			return err
		}
		defer opened.Close()
		s = opened
	default:
		dir, err := storeFolder(name)
		if err != nil {
			return err
		}
		s.dir = dir
	}
	return s.eachChange(func(number uint64, text string) error {
		head, changes, _ := strings.Cut(text, "\n")
		if wanted != nil {
			if changes = wantedChanges(changes, wanted); changes == "" {
				return nil
			}
		}
		when, by := "", ""
		if t, err := engine.ParseTerm(head); err == nil {
			if args, ok := term.Is(t, "commit", 2); ok {
				when, by = engine.FormatText(args[0]), engine.FormatText(args[1])
			}
		}
		_, err := fmt.Fprintf(w, "%d %s %s\n%s", number, when, cmp.Or(by, "-"), indented(changes))
		return err
	})
}

// wantedChanges returns the lines of a change that are about such facts.
func wantedChanges(changes string, wanted func(fact string) bool) string {
	var b strings.Builder
	for line := range strings.Lines(changes) {
		if _, _, fact, err := splitChange(strings.TrimSuffix(line, "\n")); err == nil && wanted(fact) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// eachChange calls f for the changes that are in the log.
func (s *Store) eachChange(f func(number uint64, text string) error) error {
	if s.shared != nil {
		return s.shared.log.Each(s.shared.ctx, func(r sharedlog.Record) error { return f(r.Number, r.Text) })
	}
	skip := func(uint64, []byte) error { return nil }
	return journal.Read(s.dir, skip, func(number uint64, data []byte) error { return f(number, string(data)) })
}

// indented returns lines with two blanks before each.
func indented(lines string) string {
	var b strings.Builder
	for line := range strings.Lines(lines) {
		b.WriteString("  " + line)
	}
	return b.String()
}

// Sequence returns the number of the last change that the program has, 0 for a store that one process has for itself.
func (s *Store) Sequence() uint64 {
	if s.shared == nil {
		return 0
	}
	s.shared.waiting.Lock()
	defer s.shared.waiting.Unlock()
	return s.shared.sequence
}

// WaitFor waits until the program has the changes up to a number that a [Store.Sequence] on the same database has
// returned.
func (s *Store) WaitFor(ctx context.Context, number uint64) error {
	if s.shared == nil {
		return nil
	}
	return s.shared.waitFor(ctx, number)
}
