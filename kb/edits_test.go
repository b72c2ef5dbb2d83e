package kb_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/kb"
)

// folderPieces are what the files of a folder are made of; # is a number.
var folderPieces = strings.Split(`p#(X) :- q#(X).
p#(a). p#(b). p#(#).
p#(X, Y) :- q#(X), p#(Y), X \== Y.
q#(X) :- p1(X) ; p#(X).
q#(1).
tools([p#/1]).
tools([p#/1, q#/1]).
tools([tool(t#, p#, 1, [title('Tool #'), read_only(true)])]).
:- mode(p#(+atom), one).
:- mode(q#(-integer), zero_or_more).
:- info(p#/1, [comment is 'Says #.', argnames is ['X']]).
:- info(q#/1, [title is 'Q #']).
prompts([prompt(pr#, 'A prompt', [])]).
prompt_get(pr#, _, [user("# says")]).
resources([resource('data://#', 'Data #', 'text/plain', [])]).
resource_read('data://#', _, text('#')).
capabilities([tools, prompts, resources]).
capabilities([tool]).
:- module(part#, [p#/1]).
:- use_module(library(lists)).
:- op(700, xfx, like).
like# :- a like b.
:- dynamic p#/1.
:- table q#/1.
term_expansion(q#(X), p#(X)).
goal_expansion(p#(X), q#(X)).
wrong(#.
% a line`, "\n")

func folderPiece(random *rand.Rand) string {
	piece := folderPieces[random.IntN(len(folderPieces))]
	return strings.ReplaceAll(piece, "#", fmt.Sprint(random.IntN(3)))
}

// offered describes all items and predicates of a snapshot.
func offered(s *kb.Snapshot) string {
	var b strings.Builder
	for _, t := range s.Tools {
		fmt.Fprintln(&b, t.Name, t.Functor, t.Title, t.Description, t.All, t.Proofs, t.ReadOnly != nil, t.Place,
			t.Provider.Module)
		for _, a := range t.Arguments {
			fmt.Fprintln(&b, "  ", a.Name, a.Description, a.Mode, engine.FormatTerm(a.Type), len(a.Examples))
		}
	}
	for _, p := range s.Prompts {
		fmt.Fprintln(&b, p.Name, p.Title, p.Description, p.Place, p.Provider.Module)
	}
	for _, r := range append(slices.Clone(s.Resources), s.Templates...) {
		fmt.Fprintln(&b, r.URI, r.Name, r.Description, r.MIMEType, r.Place)
	}
	for _, p := range s.Providers {
		fmt.Fprintln(&b, p.Module, p.File, p.Capabilities, p.Defines("tool_call", 3), p.Asks())
		for _, info := range s.Program.Predicates(p.Module) {
			fmt.Fprintln(&b, "  ", info.Name, info.Arity, info.Dynamic, info.File, info.Line, len(info.Clauses))
		}
	}
	return b.String()
}

// TestEditedFolder edits a folder at random, and compares each reload with a load from the beginning.
func TestEditedFolder(t *testing.T) {
	sequences := 12
	if testing.Short() {
		sequences = 2
	}
	for seed := range sequences {
		random := rand.New(rand.NewPCG(uint64(seed), 3))
		dir := t.TempDir()
		files := map[string][]string{"a.pl": {"p1(1)."}}
		path := func(name string) string { return filepath.Join(dir, name) }
		save(t, path("a.pl"), "p1(1).\n")
		base, err := kb.Open(t.Context(), []string{dir}, nil)
		require.NoError(t, err)
		good, sound := 0, maps.Clone(files)
		for step := range 60 {
			name := string(rune('a'+random.IntN(5))) + ".pl"
			lines := slices.Clone(files[name])
			switch at := random.IntN(len(lines) + 1); {
			case random.IntN(8) == 0 && len(files) > 1:
				delete(files, name)
				_ = os.Remove(path(name))
			case at < len(lines) && random.IntN(3) == 0: // a line is deleted
				files[name] = slices.Delete(lines, at, at+1)
			default:
				files[name] = slices.Insert(lines, at, folderPiece(random))
			}
			if lines, ok := files[name]; ok {
				save(t, path(name), strings.Join(lines, "\n")+"\n")
			}
			change := base.Reload(t.Context())
			fresh, err := kb.Load(t.Context(), []string{dir}, nil)
			report := fresh.Report(err)
			at := fmt.Sprintf("seed %d step %d", seed, step)
			require.Equal(t, report, change.Diagnostics, at)
			require.Equal(t, fresh == nil, change.Err != nil, at)
			if fresh != nil {
				good, sound = good+1, maps.Clone(files)
				require.Equal(t, offered(fresh), offered(change.Snapshot), at)
				continue
			}
			if random.IntN(2) == 0 { // the last good files are restored
				for name := range files {
					_ = os.Remove(path(name))
				}
				files = maps.Clone(sound)
				for name, lines := range files {
					save(t, path(name), strings.Join(lines, "\n")+"\n")
				}
			}
		}
		require.Greater(t, good, 10)
	}
}
