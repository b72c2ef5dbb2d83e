// Package profile collects samples of where runs spend their time, and tells them by predicate and by line.
//
// A [Profile] is what samples are added to, by any number of goroutines. [Profile.WriteText] shows it to people,
// [Profile.WritePprof] writes it for go tool pprof and what else reads that format.
package profile

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"
)

// Profile has samples. The zero value has none.
type Profile struct {
	mu     sync.Mutex
	frames map[Frame]uint32
	list   []Frame
	stacks map[string]*stack
	total  time.Duration
	begun  time.Time
	key    []byte
}

// Frame is a predicate at work, and the line where it is.
type Frame struct {
	Predicate string // Module:Name/Arity, without user and system
	File      string // "" if it is written in Go
	Line      int
}

// stack is the frames that were at work, innermost first, and for how long.
type stack struct {
	frames []uint32
	time   time.Duration
	count  int64
}

// maxStacks bounds the different stacks that are kept. What comes after them counts for its innermost frame alone.
const maxStacks = 1 << 16

// Add adds the time that was spent with these frames at work, innermost first.
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

// Entry says how long a predicate or a line was at work: by itself, and with what it called.
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

// Predicates returns the time by predicate, most time of their own first.
func (p *Profile) Predicates() []Entry { return p.entries(func(f Frame) string { return f.Predicate }) }

// Lines returns the time by line. What has no line counts for the line that called it.
func (p *Profile) Lines() []Entry {
	return p.entries(func(f Frame) string {
		if f.File == "" || f.Line == 0 {
			return ""
		}
		return fmt.Sprintf("%s:%d", f.File, f.Line)
	})
}

// entries returns the time by what name makes of frames. Frames of no name count for those around them.
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
