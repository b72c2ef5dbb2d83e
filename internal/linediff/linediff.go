// Package linediff compares texts line by line.
package linediff

import (
	"fmt"
	"strings"
)

// context is how many lines around a change are shown.
const context = 3

// maxCost bounds the work of a comparison. Texts that differ more are shown as one change.
const maxCost = 2000

// Unified returns the changes from a to b in the unified format, "" if there are none.
func Unified(from, to, a, b string) string {
	if a == b {
		return ""
	}
	x, y := lines(a), lines(b)
	edits := compare(x, y)
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", from, to)
	for i := 0; i < len(edits); {
		end := i
		for end+1 < len(edits) && edits[end+1].a0-edits[end].a1 <= 2*context {
			end++
		}
		hunk(&out, x, y, edits[i:end+1])
		i = end + 1
	}
	return out.String()
}

// lines splits a text behind each newline.
func lines(text string) []string {
	list := strings.SplitAfter(text, "\n")
	if n := len(list); list[n-1] == "" {
		list = list[:n-1]
	}
	return list
}

// edit says that lines a0 up to a1 of one text are lines b0 up to b1 of the other.
type edit struct{ a0, a1, b0, b1 int }

// compare returns the differences in order.
func compare(x, y []string) []edit {
	pre := 0
	for pre < len(x) && pre < len(y) && x[pre] == y[pre] {
		pre++
	}
	post := 0
	for post < len(x)-pre && post < len(y)-pre && x[len(x)-1-post] == y[len(y)-1-post] {
		post++
	}
	mid := shortest(x[pre:len(x)-post], y[pre:len(y)-post])
	for i := range mid {
		mid[i].a0, mid[i].a1, mid[i].b0, mid[i].b1 = mid[i].a0+pre, mid[i].a1+pre, mid[i].b0+pre, mid[i].b1+pre
	}
	return mid
}

// shortest finds a shortest list of differences by Myers' greedy algorithm.
func shortest(x, y []string) []edit {
	n, m := len(x), len(y)
	var trace [][]int
	limit := min(n+m, maxCost)
	ends := make([]int, 2*limit+2) // furthest line of x on each diagonal
	for d := 0; d <= limit; d++ {
		trace = append(trace, append([]int(nil), ends[limit-d:limit+d+1]...))
		for k := -d; k <= d; k += 2 {
			i := 0
			if k == -d || k != d && ends[limit+k-1] < ends[limit+k+1] {
				i = ends[limit+k+1]
			} else {
				i = ends[limit+k-1] + 1
			}
			for i < n && i-k < m && x[i] == y[i-k] {
				i++
			}
			ends[limit+k] = i
			if i >= n && i-k >= m {
				return walk(trace, n, m)
			}
		}
	}
	return []edit{{0, n, 0, m}}
}

// walk goes back from the end of both texts and collects the differences.
func walk(trace [][]int, i, j int) []edit {
	var list []edit
	add := func(e edit) {
		if n := len(list); n > 0 && list[n-1].a0 == e.a1 && list[n-1].b0 == e.b1 {
			list[n-1].a0, list[n-1].b0 = e.a0, e.b0
			return
		}
		list = append(list, e)
	}
	for d := len(trace) - 1; d > 0; d-- {
		k := i - j
		at := func(k int) int { // the furthest line before step d
			if k < -d+1 || k > d-1 {
				return -1
			}
			return trace[d][k+d]
		}
		down := k == -d || k != d && at(k-1) < at(k+1)
		if down {
			i = at(k + 1)
			j = i - k - 1
			add(edit{i, i, j, j + 1})
		} else {
			i = at(k - 1)
			j = i - k + 1
			add(edit{i, i + 1, j, j})
		}
	}
	for a, b := 0, len(list)-1; a < b; a, b = a+1, b-1 {
		list[a], list[b] = list[b], list[a]
	}
	return list
}

// hunk writes changes that are close together.
func hunk(out *strings.Builder, x, y []string, edits []edit) {
	first, last := edits[0], edits[len(edits)-1]
	a0, a1 := max(first.a0-context, 0), min(last.a1+context, len(x))
	b0, b1 := first.b0-(first.a0-a0), last.b1+(a1-last.a1)
	fmt.Fprintf(out, "@@ -%s +%s @@\n", span(a0, a1), span(b0, b1))
	at := a0
	for _, e := range edits {
		write(out, ' ', x[at:e.a0])
		write(out, '-', x[e.a0:e.a1])
		write(out, '+', y[e.b0:e.b1])
		at = e.a1
	}
	write(out, ' ', x[at:a1])
}

func span(from, to int) string {
	if from == to {
		return fmt.Sprintf("%d,0", from)
	}
	return fmt.Sprintf("%d,%d", from+1, to-from)
}

func write(out *strings.Builder, mark byte, list []string) {
	for _, line := range list {
		out.WriteByte(mark)
		out.WriteString(line)
		if !strings.HasSuffix(line, "\n") {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}
