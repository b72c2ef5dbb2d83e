package lsp

import (
	"context"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/deep"
)

// otherTexts returns the codes and messages of the diagnostics of a folder's texts but one, as far as a change of that
// one is followed at once: without hints and line numbers, and of undefined predicates without the place. own leaves
// out the undefined ones of that text.
func otherTexts(found map[string][]diagnostic, but string, own bool) (list []string) {
	place := regexp.MustCompile(`:\d+; .*`)
	for path, of := range found {
		for _, one := range of {
			switch {
			case one.Code == "undefined" && (path != but || !own):
				list = append(list, "undefined "+undefinedIn(one.Message))
			case one.Code == "redefined" && path != but:
				list = append(list, filepath.Base(path)+" "+shownAs(diagnostic{Range: one.Range, Code: one.Code,
					Message: place.ReplaceAllString(one.Message, "")}))
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// shownOf returns what the editor shows.
func shownOf(s *server, b *loadedBase) map[string][]diagnostic {
	found := map[string][]diagnostic{}
	for path, list := range b.shown {
		found[path] = list
	}
	for path, d := range s.docs {
		found[path] = d.diagnostics
	}
	return found
}

// TestAcross defines a predicate elsewhere, and takes it away. The text that calls it has its diagnostics before the
// folder is loaded.
func TestAcross(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	files := map[string]string{"a.pl": "a(X) :- b(X), c(X).\nc(1).\n", "b.pl": "b(1).\n", "c.pl": "d(X) :- b(X).\n"}
	s, b := settledIn(t, dir, files)
	edit := func(text string) { changeTo(t, s, b, filepath.Join(dir, "b.pl"), text) }
	shown := func() []string { return otherTexts(shownOf(s, b), filepath.Join(dir, "b.pl"), false) }
	edit("b(1).\n")
	require.Empty(t, shown())
	edit("b(1, 2).\n")
	require.Equal(t, []string{"undefined b/1"}, shown())
	require.Contains(t, shownAs(b.shown[filepath.Join(dir, "a.pl")][0]),
		"1:9 2 undefined b/1 is not defined; there is b/2")
	edit("b(1, 2).\nb(1) :- \n")
	require.Equal(t, []string{"undefined b/1"}, shown())
	edit("b(1, 2).\nb(1) :- true.\n")
	require.Empty(t, shown())
	edit("b(1).\nc(2).\n")
	require.Empty(t, shown())
	edit("b(1).\nd(2).\n")
	require.Equal(t, []string{"c.pl 1:1 0 redefined d/1 is already defined at " +
		filepath.ToSlash(filepath.Join(dir, "b.pl"))}, shown())
	edit("b(1).\n")
	require.Empty(t, shown())
	edit("b(")
	require.Empty(t, shown(), "the clause is being written")
}

// settledIn returns a server that has loaded a folder.
func settledIn(t *testing.T, dir string, files map[string]string) (*server, *loadedBase) {
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	s := &server{ctx: context.Background(), out: io.Discard, docs: map[string]*document{}, space: newWorkspace()}
	s.loads = newLoader(s)
	s.addRoot(dir)
	s.space.list(dir, func() bool { return false })
	b := s.loads.base(dir)
	s.loads.publish(dir, b, s.loads.load(t.Context(), b, nil), map[string]string{})
	return s, b
}

// changeTo changes a text as the editor does, without a load of the folder.
func changeTo(t *testing.T, s *server, b *loadedBase, path, text string) {
	d := s.docs[path]
	if d == nil {
		d = &document{path: path, diagnostics: b.shown[path]}
		s.docs[path] = d
	}
	d.set(text)
	before := s.space.file(path)
	s.space.open(path, text)
	s.across(before, s.space.file(path))
	if report, ok := s.loads.alone(t.Context(), b, path, text); ok {
		s.foundAlone(b, path, text, report)
	}
}

// TestRandomAcross changes a text of a random folder. What is shown at once of the others is what a load says.
func TestRandomAcross(t *testing.T) {
	t.Parallel()
	folders, known := deep.Count(150, 600), 0
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for seed := range folders {
		random := rand.New(rand.NewPCG(uint64(seed), 21))
		files, lines, all := map[string]string{}, map[string][]string{}, ""
		write := func(lines []string, most int) []string {
			for range random.IntN(most) {
				lines = editLines(random, lines)
			}
			return lines
		}
		for _, name := range []string{"a.pl", "b.pl", "c.pl", "d.pl"} {
			lines[name] = write(nil, 8)
			files[name] = textOf(lines[name])
			all += "--- " + name + "\n" + files[name]
		}
		s, b := settledIn(t, dir, files)
		name := string(rune('a'+random.IntN(4))) + ".pl"
		path := filepath.Join(dir, name)
		text, before := textOf(write(lines[name], 5)), s.space.file(path)
		changeTo(t, s, b, path, text)
		again, c := settledIn(t, dir, map[string]string{name: text})
		all += "--- now " + name + "\n" + text
		if strings.Contains(all, "_expansion") || strings.Contains(all, ":- if") ||
			s.space.file(path).header != before.header {
			continue // the other texts are read in another way now
		}
		known++
		want := otherTexts(shownOf(again, c), path, false)
		for _, line := range otherTexts(shownOf(s, b), path, true) {
			if !slices.Contains(want, line) {
				t.Errorf("seed %d: more: %s\n%s", seed, line, all)
			}
		}
		got := otherTexts(shownOf(s, b), path, false)
		for _, line := range otherTexts(shownOf(again, c), path, true) {
			loads := strings.Contains(line, " redefined ") && // then the order is not known
				(strings.Contains(all, "use_module(") || strings.Contains(all, "ensure_loaded("))
			if !slices.Contains(got, line) && !loads {
				t.Errorf("seed %d: less: %s\n%s", seed, line, all)
			}
		}
	}
	require.Greater(t, known, folders/5)
}
