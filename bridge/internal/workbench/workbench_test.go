package workbench_test

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/bridge/internal/workbench"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/internal/rulefiles"
	"github.com/mcplogic/mcplogic/kb"
)

// folder is a server that has nothing but the rules of a folder, without recorded calls and cases.
type folder struct {
	base    *kb.Base
	reloads int
}

func (f *folder) Snapshot() *kb.Snapshot { return f.base.Snapshot() }

func (f *folder) Reload(ctx context.Context) error {
	f.reloads++
	return f.base.Reload(ctx).Err
}

func (f *folder) Differences(context.Context, *kb.Snapshot, *kb.Snapshot) ([]string, int) {
	return nil, 0
}

func (f *folder) Cases(context.Context, *kb.Snapshot, fs.FS) []kb.TestOutcome { return nil }

const rules = `% The price of a thing.
price(tea, 3).
price(milk, 1).
dear(X) :- price(X, P), P > 2.
`

// call is a call of a tool, with a part of the text of its result.
type call struct {
	tool, arguments, want string
	fails                 bool
}

// TestTools calls the tools one after the other, as a model does that mends a rule.
func TestTools(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "rules.pl")
	require.NoError(t, os.WriteFile(file, []byte(rules), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "rules.plt"), []byte(
		":- begin_tests(price).\ntest(dear) :- dear(tea).\n:- end_tests(price).\n"), 0o600))
	base, err := kb.Open(t.Context(), []string{dir}, nil)
	require.NoError(t, err)
	served := &folder{base: base}
	bench := workbench.New(served, &workbench.Settings{Folder: dir, Options: &kb.Options{}, Write: true, Concurrent: 1,
		Limits: engine.Limits{Time: time.Minute, Memory: 1 << 26}})
	run := func(c call) map[string]any {
		result, err := bench.Call(t.Context(), c.tool, json.RawMessage(c.arguments), rulefiles.Author{})
		require.NoError(t, err, c.arguments)
		text := result.Content[0].(*mcp.TextContent).Text
		assert.Contains(t, text, c.want, "%s %s", c.tool, c.arguments)
		assert.Equal(t, c.fails, result.IsError, text)
		structure, err := json.Marshal(result.StructuredContent)
		require.NoError(t, err)
		var got map[string]any
		require.NoError(t, json.Unmarshal(structure, &got))
		return got
	}
	for _, c := range []call{
		{"kb_files", `{}`, "rules.pl (86 bytes)\nrules.plt (69 bytes)", false},
		{"kb_vocabulary", `{}`, "dear/1", false},
		{"kb_check", `{"file": "new.pl", "text": "p :- q."}`, "q/0", false},
		{"kb_try", `{"goal": "dear(X)"}`, "X = tea", false},
		{"kb_try", `{"goal": "dear(milk)"}`, "1 is", false}, // the nearest miss
		{"kb_try", `{"goal": "dear("}`, "syntax error in the goal, line 1, column 6", false},
		{"kb_test", `{}`, "1 passed", false},
		{"kb_read", `{"file": "none.pl"}`, "There is no file none.pl; kb_files lists them.", true},
		{"kb_read", `{"file": "../rules.pl"}`, "There is no file ../rules.pl", true},
		{"kb_edit", `{"file": "rules.pl", "hash": "0", "old": "price(", "new": "cost("}`, "stands 3 times", true},
		{"kb_edit", `{"file": "rules.pl", "hash": "0", "old": "P > 2", "new": "P > 1"}`, "has changed since", true},
		{"kb_undo", `{"file": "rules.pl", "hash": "0"}`, "nothing to go back to", true},
	} {
		run(c)
	}
	require.Zero(t, served.reloads)
	read := func() (hash string) {
		return run(call{"kb_read", `{"file": "rules.pl", "from": 2, "lines": 2}`, "price(tea", false})["hash"].(string)
	}
	was := read()
	edit := func(old, changed string) string {
		text, err := json.Marshal(map[string]string{"file": "rules.pl", "hash": read(), "old": old, "new": changed})
		require.NoError(t, err)
		return string(text)
	}
	run(call{"kb_edit", edit("P > 2", "P > 3"), "Nothing was saved. ", true})      // the test fails then
	run(call{"kb_edit", edit("price(milk, 1).\n", ""), "Saved and served", false}) // price/2 is still there
	run(call{"kb_edit", edit("price(tea, 3).\n", "price(tea, 4).\n"), "Saved and served", false})
	require.Equal(t, 2, served.reloads)
	saved, err := os.ReadFile(file)
	require.NoError(t, err)
	const mark = "% mcplogic: restricted: a model has saved this file; take this line away to trust what it says\n"
	require.Equal(t, mark+"% The price of a thing.\nprice(tea, 4).\ndear(X) :- price(X, P), P > 2.\n", string(saved))
	back := `{"file": "rules.pl", "hash": "` + read() + `", "version": "` + was + `"}`
	run(call{"kb_undo", back, "Saved and served", false})
	saved, err = os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, mark+rules, string(saved), "it goes back to the first text, and a model has saved it")
}
