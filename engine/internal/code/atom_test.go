package code

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAtomTable adds and releases sets of atoms and checks which of them the table holds.
func TestAtomTable(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	before := AtomCount()
	sets, known := make([]AtomSet, 8), make([]map[string]uint32, 8)
	for i := range known {
		known[i] = map[string]uint32{}
	}
	for range 50_000 {
		i := rnd.IntN(len(sets))
		if rnd.IntN(2000) == 0 {
			sets[i].Release(func(n uint32) bool {
				if rnd.IntN(10) == 0 {
					return true
				}
				delete(known[i], AtomText(n))
				return false
			})
		}
		text := fmt.Sprintf("atom table %d", rnd.IntN(20_000))
		n, added := AcquireAtom(text, &sets[i])
		require.Equal(t, text, AtomText(n))
		_, was := known[i][text]
		require.Equal(t, !was, added)
		known[i][text] = n
	}
	all := map[string]uint32{}
	for i, of := range known {
		require.Len(t, sets[i].Numbers(), len(of))
		for text, n := range of {
			require.Equal(t, text, AtomText(n))
			if was, ok := all[text]; ok {
				require.Equal(t, was, n, "%s has two numbers", text)
			}
			all[text] = n
		}
	}
	require.Equal(t, before+len(all), AtomCount())
	require.Len(t, AtomsWith("atom table "), len(all))
	for i := range sets {
		sets[i].Release(func(uint32) bool { return false })
		require.True(t, sets[i].Empty())
	}
	require.Equal(t, before, AtomCount())
}

// TestAtomsAtOnce acquires new, known and permanent atoms together, some of them twice.
func TestAtomsAtOnce(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	Intern("at once 7")
	before := AtomCount()
	var own, other AtomSet
	known := map[string]uint32{}
	for range 500 {
		texts, numbers := make([]string, rnd.IntN(AtomBatch+1)), make([]uint32, AtomBatch)
		fresh, size := map[string]bool{}, 0
		for i := range texts {
			texts[i] = fmt.Sprintf("at once %d", rnd.IntN(5000))
			if _, had := known[texts[i]]; !had && !fresh[texts[i]] && texts[i] != "at once 7" {
				fresh[texts[i]] = true
				size += len(texts[i])
			}
		}
		AcquireAtom(fmt.Sprintf("at once %d", rnd.IntN(5000)), &other)
		added, bytes := AcquireAtoms(texts, &own, numbers)
		require.Equal(t, [2]int{len(fresh), size}, [2]int{added, bytes})
		for i, text := range texts {
			require.Equal(t, text, AtomText(numbers[i]))
			if text != "at once 7" {
				known[text] = numbers[i]
			}
		}
		require.Len(t, own.Numbers(), len(known))
		if rnd.IntN(20) == 0 {
			own.Release(func(uint32) bool { return false })
			clear(known)
		}
	}
	own.Release(func(uint32) bool { return false })
	other.Release(func(uint32) bool { return false })
	require.Equal(t, before, AtomCount())
}

// TestAtomTableShared runs goroutines that make and drop the same atoms. Some of these are permanent.
func TestAtomTableShared(t *testing.T) {
	permanent := make([]uint32, 100)
	for i := range permanent {
		permanent[i] = Intern(fmt.Sprintf("shared permanent atom %d", i))
	}
	before := AtomCount()
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			var own AtomSet
			for i := range 20_000 {
				text := fmt.Sprintf("shared atom %d", i%1000)
				if n, _ := AcquireAtom(text, &own); AtomText(n) != text {
					t.Errorf("got %q, want %q", AtomText(n), text)
				}
				at := i % len(permanent)
				n, added := AcquireAtom(fmt.Sprintf("shared permanent atom %d", at), &own)
				if n != permanent[at] || added {
					t.Errorf("a permanent atom has the numbers %d and %d, added %t", n, permanent[at], added)
				}
				if i%100 == 0 {
					texts := []string{text, fmt.Sprintf("shared atom %d", i%777), "shared atom 5"}
					numbers := make([]uint32, len(texts))
					AcquireAtoms(texts, &own, numbers)
					for j, n := range numbers {
						if AtomText(n) != texts[j] {
							t.Errorf("got %q, want %q", AtomText(n), texts[j])
						}
					}
				}
				if i%3000 == 0 {
					own.Release(func(uint32) bool { return false })
				}
			}
			own.Release(func(uint32) bool { return false })
		})
	}
	group.Wait()
	require.Equal(t, before, AtomCount())
}

// TestPinnedAtom checks that a pinned atom outlives the runs that made it.
func TestPinnedAtom(t *testing.T) {
	var a, b AtomSet
	text := fmt.Sprint("pinned in a test ", rand.Int64()) // another atom each time: one that is pinned stays
	n, _ := AcquireAtom(text, &a)
	m, added := AcquireAtom(text, &b)
	require.Equal(t, n, m)
	require.True(t, added)
	PinAtom(n)
	for _, s := range []*AtomSet{&a, &b} {
		s.Release(func(uint32) bool { return false })
	}
	require.Equal(t, n, Intern(text))
	require.Equal(t, []uint32{n, Intern("")}, InternAll([]string{text, ""}))
}
