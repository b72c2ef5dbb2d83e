package lsp

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcplogic/mcplogic/tools/deep"
)

// TestLargeFolder says how long diagnostics take in a folder of 500 files with 100,000 clauses: those of the text that
// is written, and of the folder. It is skipped in short mode; run it with -v for the numbers.
func TestLargeFolder(t *testing.T) {
	t.Parallel()
	n := deep.Count(100, 500)
	text := func(f int) string {
		var b strings.Builder
		for i := range 100 {
			fmt.Fprintf(&b, "rule_%d_%d(X, Y) :- fact_%d_%d(X, Z), Z > %d, ( rule_%d_%d(Z, Y) ; Y = Z ).\n",
				f, i, f, i, i, (f+1)%n, i)
			fmt.Fprintf(&b, "fact_%d_%d(%d, %d).\n", f, i, i, f)
		}
		return b.String()
	}
	files := map[string]string{"f000.pl": "lost(X) :- nowhere_else(X).\n" + text(0)}
	for f := 1; f < n; f++ {
		files[fmt.Sprintf("f%03d.pl", f)] = text(f)
	}
	c := start(t, files)
	began := time.Now()
	odd := "odd(X, Y) :- nowhere0(X).\n"
	c.open("f007.pl", text(7)+odd)
	var asked []time.Duration
	first := time.Duration(0)
	for len(c.published["f000.pl"].Diagnostics) == 0 {
		asking := time.Now()
		var list completionList
		c.call("textDocument/completion", c.at("f007.pl", "nowhere", 2), &list)
		asked = append(asked, time.Since(asking))
		if first == 0 && len(c.published["f007.pl"].Diagnostics) > 0 {
			first = time.Since(began)
		}
		time.Sleep(200 * time.Millisecond) // as somebody who types
	}
	t.Logf("first diagnostics after %s", first)
	slices.Sort(asked)
	t.Logf("%d completions during the load: median %s, longest %s", len(asked), asked[len(asked)/2], asked[len(asked)-1])
	c.diagnostics("f007.pl", "singleton", "undefined")
	t.Logf("undefined predicates after %s", time.Since(began))
	c.diagnostics("f000.pl", "undefined")
	t.Logf("diagnostics of the folder after %s", time.Since(began))
	var keys []time.Duration
	for i := range 20 {
		began = time.Now()
		before, after := fmt.Sprintf("nowhere%d(X)", i), fmt.Sprintf("nowhere%d(X)", i+1)
		c.edit("f007.pl", before, after)
		c.diagnostics("f007.pl") // those of the line that has changed are gone
		c.diagnostics("f007.pl", "singleton", "undefined")
		keys = append(keys, time.Since(began))
	}
	slices.Sort(keys)
	t.Logf("diagnostics after a key: median %s, longest %s", keys[len(keys)/2], keys[len(keys)-1])
	keys = nil
	for i := range 10 { // what another file calls goes and comes back
		head := fmt.Sprintf("rule_7_%d(X, Y) :-", i)
		for _, one := range []struct {
			before, after string
			codes         []string
		}{{head, "gone" + head, []string{"undefined"}}, {"gone" + head, head, nil}} {
			began = time.Now()
			c.edit("f007.pl", one.before, one.after)
			c.diagnostics("f006.pl", one.codes...)
			keys = append(keys, time.Since(began))
		}
	}
	slices.Sort(keys)
	t.Logf("diagnostics of another file after a key: median %s, longest %s", keys[len(keys)/2], keys[len(keys)-1])
	began = time.Now()
	var list completionList
	c.call("textDocument/completion", c.at("f007.pl", "nowhere", 2), &list)
	t.Logf("a completion after %s", time.Since(began))
}

// BenchmarkKey is what is done at each key in a text of 200 clauses: the index of the text, and its load alone.
func BenchmarkKey(b *testing.B) {
	dir := b.TempDir()
	var text strings.Builder
	for i := range 100 {
		fmt.Fprintf(&text, "rule_%d(X, Y) :- fact_%d(X, Z), Z > %d, rule_%d(Z, Y).\nfact_%d(a, %d).\n", i, i, i, i+1, i, i)
	}
	s := &server{ctx: b.Context(), out: io.Discard, docs: map[string]*document{}, space: newWorkspace()}
	s.loads = newLoader(s)
	path := filepath.Join(dir, "a.pl")
	base := s.loads.base(dir)
	for i := 0; b.Loop(); i++ {
		d := &document{path: path}
		d.set(text.String() + fmt.Sprintf("odd(X) :- nowhere%d(X).\n", i))
		s.docs[path] = d
		s.space.open(path, d.text)
		report, _ := s.loads.alone(b.Context(), base, path, d.text)
		s.foundAlone(base, path, d.text, report)
	}
}
