// Package profile collects samples of the time that runs spend, and sums them by predicate and by line.
//
// Goroutines may add samples to a [Profile] at the same time. [Profile.WriteText] writes it for people, and
// [Profile.WritePprof] for go tool pprof and other programs that read its format.
package profile

import (
	"cmp"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"
)

// Profile holds samples. The zero value is empty.
type Profile struct {
	mu     sync.Mutex
	frames map[Frame]uint32
	list   []Frame
	stacks map[string]*stack
	total  time.Duration
	begun  time.Time
	key    []byte
}

// Frame is an active predicate, and its current line.
type Frame struct {
	Predicate string // Module:Name/Arity, without user and system
	File      string // "" if it is written in Go
	Line      int
}

// stack is a sequence of active frames, innermost first, and their time.
type stack struct {
	frames []uint32
	time   time.Duration
	count  int64
}

// maxStacks bounds the different stacks that are kept. Later samples count for their innermost frame only.
const maxStacks = 1 << 16

// Add adds the time that was spent while these frames were active. The innermost frame comes first.
func (p *Profile) Add(frames []Frame, spent time.Duration) {
	if len(frames) == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stacks == nil {
		p.frames, p.stacks, p.begun = map[Frame]uint32{}, map[string]*stack{}, time.Now()
	}
	if len(p.stacks) >= maxStacks {
		frames = frames[:1]
	}
	p.key = p.key[:0]
	for _, f := range frames {
		n, ok := p.frames[f]
		if !ok {
			n = uint32(len(p.list))
			p.frames[f], p.list = n, append(p.list, f)
		}
		p.key = binary.LittleEndian.AppendUint32(p.key, n)
	}
	s := p.stacks[string(p.key)]
	if s == nil {
		s = &stack{}
		for i := 0; i < len(p.key); i += 4 {
			s.frames = append(s.frames, binary.LittleEndian.Uint32(p.key[i:]))
		}
		p.stacks[string(p.key)] = s
	}
	s.time += spent
	s.count++
	p.total += spent
}

// Entry is the time of a predicate or a line: Self without the calls in it, and Total with them.
type Entry struct {
	Name        string
	Self, Total time.Duration
}

// Total returns the time of all samples.
func (p *Profile) Total() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.total
}

// Predicates returns the time by predicate. The one with the largest Self comes first.
func (p *Profile) Predicates() []Entry { return p.entries(func(f Frame) string { return f.Predicate }) }

// Lines returns the time by line. The time of a frame without a line counts for the line that called it.
func (p *Profile) Lines() []Entry {
	return p.entries(func(f Frame) string {
		if f.File == "" || f.Line == 0 {
			return ""
		}
		return fmt.Sprintf("%s:%d", f.File, f.Line)
	})
}

// entries returns the time of frames by name. The time of a frame without a name counts for the frame around it.
func (p *Profile) entries(name func(f Frame) string) []Entry {
	p.mu.Lock()
	defer p.mu.Unlock()
	names := make([]string, len(p.list))
	for i, f := range p.list {
		names[i] = name(f)
	}
	found, seen := map[string]*Entry{}, map[string]bool{}
	for _, s := range p.stacks {
		clear(seen)
		for _, n := range s.frames {
			if names[n] == "" || seen[names[n]] {
				continue
			}
			e := found[names[n]]
			if e == nil {
				e = &Entry{Name: names[n]}
				found[e.Name] = e
			}
			if len(seen) == 0 {
				e.Self += s.time
			}
			seen[e.Name] = true
			e.Total += s.time
		}
	}
	var list []Entry
	for _, e := range found {
		list = append(list, *e)
	}
	slices.SortFunc(list, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(b.Self, a.Self), cmp.Compare(b.Total, a.Total), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// WriteText writes the predicates and the lines that took most time, up to a number of each.
func (p *Profile) WriteText(w io.Writer, most int) error {
	total := p.Total()
	if total == 0 {
		_, err := fmt.Fprintln(w, "no samples: the goal took too little time")
		return err
	}
	_, err := fmt.Fprintf(w, "%s in all; self is the time of a predicate or line, total that with what it called\n",
		total.Round(time.Millisecond))
	for _, part := range []struct {
		title string
		list  []Entry
	}{{"predicate", p.Predicates()}, {"line", p.Lines()}} {
		if err == nil && len(part.list) > 0 {
			_, err = fmt.Fprintf(w, "\n%10s %6s %10s %6s  %s\n", "self", "", "total", "", part.title)
		}
		for _, e := range part.list[:min(most, len(part.list))] {
			if err == nil {
				_, err = fmt.Fprintf(w, "%8.1fms %5.1f%% %8.1fms %5.1f%%  %s\n", ms(e.Self), share(e.Self, total),
					ms(e.Total), share(e.Total, total), e.Name)
			}
		}
	}
	return err
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func share(part, total time.Duration) float64 { return 100 * float64(part) / float64(total) }

// sorted returns the stacks in an order that does not depend on chance.
func (p *Profile) sorted() []*stack {
	keys := slices.Sorted(maps.Keys(p.stacks))
	list := make([]*stack, len(keys))
	for i, key := range keys {
		list[i] = p.stacks[key]
	}
	return list
}

// This part defines the format of pprof: a message of protocol buffers, profile.proto of github.com/google/pprof,
// compressed with gzip.

// The numbers of the fields that are written.
const (
	fieldSampleType = 1
	fieldSample     = 2
	fieldLocation   = 4
	fieldFunction   = 5
	fieldString     = 6
	fieldTime       = 9
	fieldDuration   = 10
	fieldPeriodType = 11
	fieldPeriod     = 12
)

// message is a message of protocol buffers while it is written.
type message []byte

// number adds a field that is a number. It leaves out 0, the value of a missing field.
func (m *message) number(field int, n uint64) {
	if n != 0 {
		*m = binary.AppendUvarint(binary.AppendUvarint(*m, uint64(field)<<3), n)
	}
}

// bytes adds a field that is a text or a message.
func (m *message) bytes(field int, data []byte) {
	*m = binary.AppendUvarint(binary.AppendUvarint(*m, uint64(field)<<3|2), uint64(len(data)))
	*m = append(*m, data...)
}

// numbers adds a field of many numbers.
func (m *message) numbers(field int, list ...uint64) {
	var packed []byte
	for _, n := range list {
		packed = binary.AppendUvarint(packed, n)
	}
	m.bytes(field, packed)
}

// texts is the table of strings. The first string is empty.
type texts struct {
	list  []string
	index map[string]uint64
}

func (t *texts) of(text string) uint64 {
	n, ok := t.index[text]
	if !ok {
		n = uint64(len(t.list))
		t.list, t.index[text] = append(t.list, text), n
	}
	return n
}

// WritePprof writes the profile in the format of go tool pprof. It has the number of samples and their time.
func (p *Profile) WritePprof(w io.Writer) error {
	p.mu.Lock()
	data := p.pprof()
	p.mu.Unlock()
	z := gzip.NewWriter(w)
	if _, err := z.Write(data); err != nil {
		return err
	}
	return z.Close()
}

// pprof returns the message. Each frame is a location of one line.
func (p *Profile) pprof() []byte {
	t := &texts{list: []string{""}, index: map[string]uint64{"": 0}}
	var m message
	valueType := func(kind, unit string) []byte {
		var v message
		v.number(1, t.of(kind))
		v.number(2, t.of(unit))
		return v
	}
	m.bytes(fieldSampleType, valueType("samples", "count"))
	m.bytes(fieldSampleType, valueType("time", "nanoseconds"))
	samples := int64(0)
	for _, s := range p.sorted() {
		ids := make([]uint64, len(s.frames))
		for i, n := range s.frames {
			ids[i] = uint64(n) + 1
		}
		var sample message
		sample.numbers(1, ids...)
		sample.numbers(2, uint64(s.count), uint64(s.time))
		m.bytes(fieldSample, sample)
		samples += s.count
	}
	p.places(&m, t)
	for _, text := range t.list {
		m.bytes(fieldString, []byte(text))
	}
	if !p.begun.IsZero() {
		m.number(fieldTime, uint64(p.begun.UnixNano()))
	}
	m.number(fieldDuration, uint64(p.total))
	m.bytes(fieldPeriodType, valueType("time", "nanoseconds"))
	m.number(fieldPeriod, uint64(p.total/time.Duration(max(samples, 1))))
	return m
}

// places adds the locations and functions. A function is a predicate of one file.
func (p *Profile) places(m *message, t *texts) {
	functions := map[Frame]uint64{}
	for i, f := range p.list {
		of := Frame{Predicate: f.Predicate, File: f.File}
		id, ok := functions[of]
		if !ok {
			id = uint64(len(functions)) + 1
			functions[of] = id
			var function message
			function.number(1, id)
			function.number(2, t.of(f.Predicate))
			function.number(3, t.of(f.Predicate))
			function.number(4, t.of(f.File))
			m.bytes(fieldFunction, function)
		}
		var line, location message
		line.number(1, id)
		line.number(2, uint64(f.Line))
		location.number(1, uint64(i)+1)
		location.bytes(4, line)
		m.bytes(fieldLocation, location)
	}
}
