package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/browsertest"
	"github.com/mcplogic/mcplogic/tools/deep"
)

// TestAssemble puts a page together whose command is none. Nothing in it is left to be filled in, and no example ends
// the script that it stands in.
func TestAssemble(t *testing.T) {
	engine := filepath.Join(t.TempDir(), "engine")
	require.NoError(t, os.WriteFile(engine, []byte("no command"), 0o600))
	text, err := assemble("../..", engine)
	require.NoError(t, err)
	require.NotContains(t, text, "{{")
	require.Contains(t, text, "ancestor")
	require.Equal(t, strings.Count(text, "<script"), strings.Count(text, "</script>"))
	for name, goal := range goals {
		require.Contains(t, text, fmt.Sprintf("%q:{%q", name, "files"))
		require.NotContains(t, goal, "<")
	}
}

// maxPage is how large the page may be, compressed.
const maxPage = 6 << 20

// TestPlayground opens the page from a disk in a browser. The answers are those of the command.
func TestPlayground(t *testing.T) {
	deep.Skip(t, "the page that runs in a browser")
	file := filepath.Join(t.TempDir(), "playground.html")
	require.NoError(t, run("../..", os.Getenv("PLAYGROUND_ENGINE"), file))
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err = w.Write(data)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	t.Logf("%d bytes, %d compressed", len(data), packed.Len())
	require.Less(t, packed.Len(), maxPage)

	b := browsertest.Start(t)
	b.Open("file://" + file)
	output := func() string { return b.Eval(`document.getElementById("output").innerText`).(string) }
	click := func(id string) string {
		b.Eval(fmt.Sprintf(`document.getElementById(%q).click()`, id))
		b.Await(`!busy && /^Exit code/.test(document.getElementById("state").innerText)`)
		return output()
	}
	set := func(id, value string) {
		b.Eval(fmt.Sprintf(`document.getElementById(%q).value = %q`, id, value))
	}
	example := func(name string) {
		set("examples", name)
		b.Eval(`document.getElementById("examples").onchange()`)
	}
	require.Contains(t, click("query"), "A = ")
	require.Contains(t, click("why"), "ancestor(")
	t.Log(b.Eval(`document.getElementById("state").innerText`))
	for name := range goals {
		example(name)
		click("check")
		require.Contains(t, b.Eval(`document.getElementById("state").innerText`), "Exit code 0", "%s: %s", name, output())
		click("query") // what flights answers depends on the day
		require.Regexp(t, "^Exit code [01]", b.Eval(`document.getElementById("state").innerText`), "%s: %s", name, output())
	}
	// What is typed counts, mistakes are shown, and limits hold.
	set("text", "p(X) :- q(X.\n")
	require.Contains(t, click("check"), "error")
	set("text", "loop :- loop.\ngrow(L) :- grow([x|L]).\n")
	set("goal", "grow([])")
	require.Contains(t, click("query"), "memory")
	set("goal", "loop")
	b.Eval(`document.getElementById("query").click()`)
	b.Await(`!document.getElementById("stop").hidden`)
	b.Eval(`document.getElementById("stop").click()`)
	b.Await(`!busy`)
	require.Contains(t, output(), "Stopped")

	// A link holds the program.
	set("text", "answer(42).\n")
	set("goal", "answer(X)")
	b.Eval(`packed().then(p => { location.hash = "p=" + p })`)
	link := b.Eval(`location.href`).(string)
	b.Open("about:blank")
	b.Open(link)
	b.Await(`document.getElementById("goal").value === "answer(X)"`)
	require.Contains(t, click("query"), "X = 42")
}
