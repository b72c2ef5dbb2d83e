package bridgetest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

// Bench is a session with a server that has a workbench, in a folder with one file.
type Bench struct {
	*testing.T
	Folder string
	CS     *mcp.ClientSession
}

// Call calls a tool and returns the text of its result, and whether it is an error.
func (b *Bench) Call(tool string, args map[string]any) (string, bool) {
	raw, err := json.Marshal(args)
	require.NoError(b, err)
	r := CallTool(b.T, b.CS, tool, string(raw))
	return strings.Join(TextsOf(r), "\n"), r.IsError
}

// Says calls a tool and wants words in the result, which is no error.
func (b *Bench) Says(tool string, args map[string]any, words ...string) {
	text, isError := b.Call(tool, args)
	require.False(b, isError, text)
	for _, word := range words {
		require.Contains(b, text, word)
	}
}

// Refuses calls a tool and wants words in the result, which is an error.
func (b *Bench) Refuses(tool string, args map[string]any, words ...string) {
	text, isError := b.Call(tool, args)
	require.True(b, isError, text)
	for _, word := range words {
		require.Contains(b, text, word)
	}
}

// Hash returns the hash of a file as kb_read gives it.
func (b *Bench) Hash(file string) string {
	text, isError := b.Call("kb_read", map[string]any{"file": file})
	require.False(b, isError, text)
	_, after, _ := strings.Cut(text, ", hash ")
	return after[:16]
}

const benchRules = `:- mode(grandparent(?atom, ?atom), zero_or_more).
:- info(grandparent/2, [comment is 'Who is a grandparent of whom.', argnames is [elder, younger],
    examples is ['Ann' - grandparent(ann, X) - {X = cid}]]).
parent(ann, bob).
parent(bob, cid).
parent(cid, dora).
female(ann).
female(dora).
male(bob).
male(cid).
mother(M, C) :- parent(M, C), female(M).
father(F, C) :- parent(F, C), male(F).
grandparent(G, C) :- parent(G, P), parent(P, C).
ancestor(A, D) :- parent(A, D).
ancestor(A, D) :- parent(A, P), ancestor(P, D).
tools([tool(grandparents, grandparent, 2)]).
`

// NoRules is the text of the file before the session.
const NoRules = "% Nothing yet.\n"

// BuildRules builds a knowledge base from nothing, breaks it, is told, mends it, tests it and serves it.
func (b *Bench) BuildRules() {
	b.Helper()
	b.Says("kb_vocabulary", nil, "There are no predicates yet.")
	b.Says("kb_check", map[string]any{"file": "rules.pl", "text": "p(X) :- lenght(X, 1)\n"}, "[syntax]", "rules.pl:")
	b.Says("kb_check", map[string]any{"file": "rules.pl", "text": "p(X) :- lenght(X, 1).\n"},
		"did you mean length?", "fix: put \"length\"")
	b.Says("kb_check", map[string]any{"file": "rules.pl", "text": benchRules}, "Nothing is wrong.")
	b.Says("kb_try", map[string]any{"file": "rules.pl", "text": benchRules, "goal": "ancestor(ann, X)"},
		"X = bob", "X = cid", "X = dora")
	b.Says("kb_try", map[string]any{"goal": "ancestor(ann, X)"}, "Error:")
	b.Refuses("kb_save", map[string]any{"file": "rules.pl", "text": benchRules}, "Nothing was saved", "Read it by kb_read")
	b.Says("kb_save", map[string]any{"file": "rules.pl", "text": benchRules, "hash": b.Hash("rules.pl")},
		"Saved and served", "1 passed")
	b.Says("grandparents", map[string]any{"elder": "ann"}, "younger: cid")
	b.Says("kb_vocabulary", nil, "parent/2", "parent(ann,bob)", "Who is a grandparent")

	tests := ":- begin_tests(family).\ntest(mother) :- mother(ann, bob).\n:- end_tests(family).\n"
	b.Says("kb_save", map[string]any{"file": "rules.plt", "text": tests}, "2 passed")
	broken := strings.Replace(benchRules, "parent(M, C), female(M)", "parent(M, C), male(M)", 1)
	b.Says("kb_diff", map[string]any{"file": "rules.pl", "text": broken}, "family: mother passed and would fail")
	more := strings.Replace(benchRules, "parent(bob, cid).", "parent(bob, cid).\nparent(bob, eve).", 1)
	b.Says("kb_diff", map[string]any{"file": "rules.pl", "text": more},
		"grandparent/2: Ann would also answer grandparent(ann,eve)")
	b.Says("kb_diff", map[string]any{"file": "rules.pl", "text": benchRules}, "no example would have other answers",
		"add a test that tells the two apart")
	b.Refuses("kb_save", map[string]any{"file": "rules.pl", "text": broken, "hash": b.Hash("rules.pl")},
		"Nothing was saved", "family: mother")
	b.Refuses("kb_save", map[string]any{"file": "rules.pl", "text": "p(."}, "does not load", "[syntax]")
	saved, err := os.ReadFile(filepath.Join(b.Folder, "rules.pl"))
	require.NoError(b, err)
	mark, rules, _ := strings.Cut(string(saved), "\n")
	require.Equal(b, benchRules, rules)
	require.Contains(b, mark, "% mcplogic: restricted")
	last, err := os.ReadFile(filepath.Join(b.Folder, ".rules.pl.last"))
	require.NoError(b, err)
	require.Equal(b, NoRules, string(last))
	b.Says("kb_test", nil, "2 passed, 0 failed")
	b.Says("kb_test", map[string]any{"file": "rules.pl", "text": broken}, "1 failed")
	b.Says("kb_try", map[string]any{"goal": "mother(bob, X)", "why": true}, "No.", "female")
	b.Says("kb_try", map[string]any{"goal": "mother(ann, X)", "why": true}, "X = bob", "parent(ann")
	b.Says("grandparents", map[string]any{"elder": "ann"}, "younger: cid")
}
