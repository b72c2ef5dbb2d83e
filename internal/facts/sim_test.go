package facts

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/deep"
)

// This file runs logs and replicas on a simulated disk, network and clock, with an error at each step or a crash, and
// compares them with a model: what was acknowledged is there, in its order, what was refused is not, and the log opens.

// schedules is how many random schedules a simulation runs of each kind; each step of some fixed ones fails besides.
var (
	schedules = flag.Int("schedules", 0, "random schedules of each simulation; 0: some")
	firstSeed = flag.Uint64("seed", 0, "seed of the first schedule")
)

// model is the program of a replica: the facts that it has.
type model struct{ state State }

func (m *model) Apply(edits []Edit) error {
	for _, e := range edits {
		if err := m.state.Apply(e); err != nil {
			return err
		}
	}
	return nil
}

func (m *model) Replace(s *State) error {
	m.state = *s
	return nil
}

func (m *model) Facts() func(func(string) error) error {
	list := slices.Collect(m.state.All())
	return func(put func(string) error) error {
		for _, fact := range list {
			if err := put(fact + "\n"); err != nil {
				return err
			}
		}
		return nil
	}
}

// simClock is a clock whose time passes when somebody sleeps.
type simClock struct{ now time.Time }

func (c *simClock) Now() time.Time { return c.now }

func (c *simClock) Sleep(_ context.Context, d time.Duration) { c.now = c.now.Add(d) }

// promise is what a client knows of a change. No two changes have the same last step.
type promise struct {
	edits  []Edit
	number uint64 // of the record, if the change was confirmed
	made   uint64 // of the record, once the program has it
	told   bool   // it was confirmed or refused
	maybe  bool   // it is not known whether it was stored
}

// history is what the clients know, and which records servers have seen. It is what a log has to agree with.
type history struct {
	promises map[string]*promise // by the last step
	seen     map[uint64]string
}

// note notes that a record has been seen, which must not become another one.
func (h *history) note(list ...Record) {
	for _, r := range list {
		if text, known := h.seen[r.Number]; known && text != r.Text {
			panic(fmt.Sprintf("record %d was %q and is %q", r.Number, text, r.Text))
		}
		h.seen[r.Number] = r.Text
	}
}

// forget forgets the records behind one, which have been lost. No client was told of them.
func (h *history) forget(last uint64) {
	for n := range h.seen {
		if n > last {
			delete(h.seen, n)
		}
	}
}

// check compares the history with a log, whose last record and facts are given: what was confirmed is there, in its
// place, what was refused is not, and the facts are those that the changes lead to.
func (h *history) check(last uint64, state *State) error {
	want, places := &State{}, map[*promise]uint64{}
	for n := uint64(1); n <= last; n++ {
		edits, err := parseEdits(h.seen[n])
		if err != nil || len(edits) == 0 {
			return fmt.Errorf("record %d: %q: %w", n, h.seen[n], err)
		}
		p := h.promises[edits[len(edits)-1].Fact]
		if p == nil || places[p] > 0 || p.told && p.number != n && !p.maybe {
			return fmt.Errorf("record %d, %v, was not asked for, or was refused, or is there twice: %+v", n, edits, p)
		}
		places[p] = n
		if err := want.record(Record{Text: h.seen[n]}); err != nil {
			return err
		}
	}
	for _, p := range h.promises {
		if p.number != 0 && places[p] != p.number {
			return fmt.Errorf("change %d is lost: %v", p.number, p.edits)
		}
	}
	if a, b := slices.Collect(want.All()), slices.Collect(state.All()); !slices.Equal(a, b) {
		return fmt.Errorf("the facts are %v, want %v", b, a)
	}
	return nil
}

// seenLog is a log that notes which records are seen.
type seenLog struct {
	Log
	history *history
}

func (l seenLog) Load(ctx context.Context, part func(string) error, record func(Record) error) (Record, error) {
	var list []Record
	last, err := l.Log.Load(ctx, part, func(r Record) error {
		list = append(list, r)
		return record(r)
	})
	if err == nil {
		l.history.note(list...)
	}
	return last, err
}

func (l seenLog) After(ctx context.Context, last Record) ([]Record, bool, error) {
	list, more, err := l.Log.After(ctx, last)
	l.history.note(list...)
	return list, more, err
}

func (l seenLog) Append(ctx context.Context, last Record, list []Record) (Head, bool, error) {
	head, ok, err := l.Log.Append(ctx, last, list)
	if ok && err == nil {
		l.noteOwn(head, list)
	}
	return head, ok, err
}

func (l seenLog) AppendNext(ctx context.Context, last Record, f func([]Record) ([]Record, error)) (Head, error) {
	var own []Record
	head, err := l.Log.AppendNext(ctx, last, func(later []Record) (_ []Record, err error) {
		l.history.note(later...)
		own, err = f(later)
		return own, err
	})
	if err == nil {
		l.noteOwn(head, own)
	}
	return head, err
}

// noteOwn notes the last records of a log.
func (l seenLog) noteOwn(head Head, list []Record) {
	for i, r := range list {
		r.Number = head.Number - uint64(len(list)-1-i)
		l.history.note(r)
	}
}

// server is a replica that appends changes, until it ends.
type server struct {
	*Replica
	model
	*history
	random *rand.Rand
	busy   bool
}

// open opens a log, whose first call may fail.
func (s *server) open(l Log, clock Clock) error {
	s.Replica = newReplica(seenLog{l, s.history}, &s.model, clock)
	s.flushes = true // this goroutine does it
	return s.load()
}

// change makes up a change: facts that come, of which the last is like no other, and sometimes some that go.
func (s *server) change() *Pending {
	own := &promise{}
	there := slices.Collect(s.state.All())
	for len(there) > 0 && s.random.IntN(2) == 0 {
		at := s.random.IntN(len(there))
		own.edits = append(own.edits, Edit{'-', count(there[:at], there[at]), there[at]})
		there = slices.Delete(there, at, at+1)
	}
	fact := fmt.Sprint("fact", len(s.promises))
	own.edits = append(own.edits, Edit{'+', 0, fmt.Sprint("same", s.random.IntN(2))},
		Edit{"+^"[s.random.IntN(2)], 0, fact})
	s.promises[fact] = own
	return &Pending{id: fact, By: "ann", Edits: own.edits,
		Settle: func() bool {
			there := &State{}
			for fact := range s.state.All() {
				there.Add(fact)
			}
			return !slices.ContainsFunc(own.edits, func(e Edit) bool { return there.Apply(e) != nil })
		},
		Commit: func(number uint64) {
			own.made = number
			if err := s.Apply(own.edits); err != nil {
				panic(err)
			}
		},
		Lasts: func(err error) {
			if own.told, own.maybe = true, err != nil; err == nil {
				own.number = own.made
			}
		},
		Refuse: func(err error) { own.told, own.maybe = true, errors.Is(err, errUnknown) },
	}
}

func count(list []string, fact string) (n int) {
	for _, f := range list {
		if f == fact {
			n++
		}
	}
	return n
}

// act does something by chance. A server that has ended while it did so stays busy.
func (s *server) act() {
	s.busy = true
	switch s.random.IntN(6) {
	case 0:
		var write func() error
		s.Hold(func() { write = s.snapshot() })
		_ = write()
	case 1:
		s.Hold(func() { _ = s.catchUp() })
	default:
		var batch []*Pending
		for range 1 + s.random.IntN(3) {
			batch = append(batch, s.change())
		}
		for n := 0; len(batch) > 0; batch = batch[n:] {
			n = together(batch)
			s.appendBatch(batch[:n])
			s.flushAll()
			s.flushes = true
		}
	}
	s.busy = false
}

// survives calls f and reports whether the process lives on.
func survives(f func()) (alive bool) {
	defer func() {
		if p := recover(); p != nil && p != any(crashed{}) {
			panic(p)
		}
	}()
	f()
	return true
}

// world is where a log is simulated. Its servers act once more each time, with the trouble that has been set.
type world interface {
	act(times int)
	// read returns what a server finds that begins now.
	read() (last uint64, state *State, err error)
}

// folderWorld has one process after another with a log in a folder.
type folderWorld struct {
	*simDisk
	*history
	clock  simClock
	server *server // nil: the next one has to begin
	log    *folder
}

func (w *folderWorld) act(times int) {
	alive := survives(func() {
		for range times {
			if w.server == nil && w.begin() != nil {
				return
			}
			w.server.act()
		}
	})
	if !alive {
		w.server = nil
		w.kill()
	}
	if w.random.IntN(3) == 0 {
		w.server = nil
		w.crash(w.random.Float64())
	}
}

func (w *folderWorld) begin() (err error) {
	if w.log, err = openFolder(w.simDisk, false, func(string) {}); err != nil {
		return err
	}
	s := &server{history: w.history, random: w.random}
	if err = s.open(w.log, &w.clock); err != nil {
		return errors.Join(err, w.log.Close())
	}
	w.server = s
	return nil
}

func (w *folderWorld) read() (uint64, *State, error) {
	w.kill()
	if err := w.begin(); err != nil {
		return 0, nil, err
	}
	return w.server.last.Number, &w.server.state, nil
}

// databaseWorld has some servers with a log in one database.
type databaseWorld struct {
	*simDatabase
	*history
	clock   simClock
	servers []*server
	late    bool // changes are seen before they last
}

func (w *databaseWorld) act(times int) {
	left := 4 * times
	w.between = func() {
		if left > 0 && w.random.IntN(6) == 0 {
			left--
			w.one()
		}
	}
	for range times {
		if survives(w.one) {
			continue
		}
		for i, s := range w.servers {
			if s != nil && s.busy { // they have ended
				for _, c := range w.conns {
					if c == s.log.(seenLog).Log.(*postgres).conn {
						_ = c.Close(context.Background())
					}
				}
				w.servers[i] = nil
			}
		}
	}
}

// one has a server act that does not.
func (w *databaseWorld) one() {
	i := w.random.IntN(len(w.servers))
	if w.servers[i] == nil {
		s := &server{history: w.history, random: w.random, busy: true}
		w.servers[i] = s
		err := s.open(&postgres{Database: Database{dial: w.dial}, late: w.late}, &w.clock)
		if s.busy = false; err != nil {
			w.servers[i] = nil
			return
		}
	}
	if !w.servers[i].busy {
		w.servers[i].act()
	}
}

func (w *databaseWorld) read() (uint64, *State, error) {
	w.between = nil
	for i := range w.servers { // all that live find the same
		if s := w.servers[i]; s != nil {
			if err := s.catchUp(); err != nil {
				return 0, nil, err
			}
		}
	}
	s := &server{history: w.history, random: w.random}
	err := s.open(&postgres{Database: Database{dial: w.dial}}, &w.clock)
	for _, other := range w.servers {
		if other != nil && err == nil {
			err = other.history.check(other.last.Number, &other.state)
		}
	}
	return s.last.Number, &s.state, err
}

// simulation is a kind of world.
type simulation func(*trouble, *history) world

var simulations = map[string]simulation{
	"folder": func(t *trouble, h *history) world {
		d := newSimDisk(t)
		return &folderWorld{simDisk: d, history: h}
	},
	"database": func(t *trouble, h *history) world {
		w := &databaseWorld{simDatabase: newSimDatabase(t), history: h, servers: make([]*server, 1+t.random.IntN(3)),
			late: t.random.IntN(3) > 0}
		w.lost = h.forget
		return w
	},
}

// schedule runs a world with a seed: some rounds with trouble that set makes, each compared with what is known.
func (make simulation) schedule(seed uint64, rounds int, set func(*trouble)) (steps int, err error) {
	t := &trouble{random: rand.New(rand.NewPCG(seed, 0))}
	h := &history{map[string]*promise{}, map[uint64]string{}}
	w := make(t, h)
	for range rounds {
		set(t)
		w.act(1 + t.random.IntN(8))
		*t = trouble{random: t.random, steps: t.steps}
		for _, p := range h.promises {
			p.maybe = p.maybe || !p.told
		}
		last, state, err := w.read()
		if err != nil {
			return 0, fmt.Errorf("it does not open: %w", err)
		}
		if err := h.check(last, state); err != nil {
			return 0, err
		}
	}
	return t.steps, nil
}

// TestEachStep has each step of some schedules fail, for a time, and the process end at each step.
func TestEachStep(t *testing.T) {
	for name, world := range simulations {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(deep.Count(2, 12)) {
				steps, err := world.schedule(seed, 2, func(*trouble) {})
				require.NoError(t, err)
				for step := 1; step <= steps; step++ {
					for _, s := range []trouble{{failAt: step}, {failAt: step, failFor: 9}, {crashAt: step}} {
						_, err := world.schedule(seed, 2, func(t *trouble) {
							t.failAt, t.failFor, t.crashAt = s.failAt, s.failFor, s.crashAt
						})
						require.NoError(t, err, "seed %d, %+v", seed, s)
					}
				}
			}
		})
	}
}

// TestSchedules runs schedules with trouble by chance.
func TestSchedules(t *testing.T) {
	for name, world := range simulations {
		t.Run(name, func(t *testing.T) {
			for n := range uint64(cmp.Or(*schedules, deep.Count(200, 5000))) {
				seed := *firstSeed + n
				_, err := world.schedule(seed, 4, func(t *trouble) {
					const within = 80
					switch t.random.IntN(4) {
					case 0:
						t.crashAt = t.steps + t.random.IntN(within)
						fallthrough
					case 1:
						t.failAt, t.failFor = t.steps+t.random.IntN(within), t.random.IntN(12)
					case 2:
						t.crashAt = t.steps + t.random.IntN(within)
					}
				})
				require.NoError(t, err, "seed %d", seed)
			}
		})
	}
}
