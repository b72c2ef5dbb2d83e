package whypage

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/browsertest"
)

// proof is one of a few nodes, two of which follow from the same.
const proof = `{"answer": {"X": "gold"}, "text": "", "more": "n1.3", "truncated": {"nodes": true}, "nodes": [
	{"id": "n1", "goal": "eligible(ann, gold)", "says": "ann may have gold", "by": "rule", "at": "loans.pl:5",
		"with": {"P": "ann"}, "from": ["n1.1", "n1.2", "n1.3"]},
	{"id": "n1.1", "goal": "adult(ann)", "by": "rule", "at": "loans.pl:12", "from": ["n1.1.1"]},
	{"id": "n1.2", "goal": "old(ann)", "by": "rule", "at": "loans.pl:13", "from": ["n1.1"]},
	{"id": "n1.3", "goal": "</script><b>free(ann)</b>", "by": "rule", "at": "loans.pl:14", "cut": true},
	{"id": "n1.1.1", "goal": "34>=18", "by": "builtin"}]}`

const misses = `{"line": "no answer for adult(bob): 17>=18 is false", "text": "", "nodes": [
	{"id": "m.1", "by": "clause", "goal": "adult(bob)", "words": "not adult(bob)", "at": "loans.pl:12",
		"note": "1 of 2 goals hold", "from": ["m.1.1", "m.1.2"]},
	{"id": "m.2", "by": "facts", "detail": "near", "goal": "adult(bob)", "words": "there is adult(rob) at loans.pl:20"},
	{"id": "m.1.1", "by": "held", "goal": "age(bob, 17)"},
	{"id": "m.1.2", "by": "failed", "goal": "17>=18", "from": ["m.1.2.1"]},
	{"id": "m.1.2.1", "by": "false", "goal": "17>=18", "words": "17>=18 is false (A>=18)"}]}`

// page writes a page to a file and returns its address.
func page(t *testing.T, explanation any, clauses map[string]string) string {
	text, err := Page("", explanation, clauses)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "why.html")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return (&url.URL{Scheme: "file", Path: file}).String()
}

// drawn are the texts of the rows that are shown, empty for one that the browser has not drawn yet. rows waits until it
// has.
const (
	drawn = `[...document.querySelectorAll("[role=treeitem]")]
		.map(e => e.innerText.replace(/\s+/g, " ").trim()).join("\n")`
	rows = `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(` + drawn + `))))`
)

// selected is the row with the focus.
const selected = `document.activeElement.querySelector(".goal").textContent`

// TestNothingOutside looks for anything that the page would fetch.
func TestNothingOutside(t *testing.T) {
	text, err := Page("", json.RawMessage(proof), map[string]string{"a": "</script>"})
	require.NoError(t, err)
	require.Empty(t, regexp.MustCompile(`(?i)https?://|<link|<img|@import|url\(|\bsrc=|fetch\(`).FindAllString(text, -1))
	require.Equal(t, 2, strings.Count(text, "</script>"), "no text of a program ends an element")
}

// TestPage opens, closes, finds and describes by the keyboard alone.
func TestPage(t *testing.T) {
	b := browsertest.Start(t)
	b.Open(page(t, json.RawMessage(proof), map[string]string{"loans.pl:12": "adult(P) :- age(P, A), A >= 18."}))
	require.Equal(t, "▾ ann may have gold eligible(ann, gold)\n▾ adult(ann)\n34>=18 builtin\nold(ann)\n"+
		"adult(ann) see above\n</script><b>free(ann)</b> … cut (n1.3)",
		strings.ReplaceAll(b.Eval(rows).(string), "▾ old", "old"))
	require.Equal(t, "ann may have gold", b.Eval(`document.title`))
	line := strings.Fields(b.Eval(`$("line").innerText`).(string))
	require.Equal(t, "X = gold The explanation was cut.", strings.Join(line, " "))
	require.Contains(t, b.Eval(`roots[0].el.title`), "P = ann")

	b.Eval(`tree.firstChild.focus()`)
	b.Press("ArrowDown")
	require.Equal(t, "adult(ann)", b.Eval(selected))
	require.Contains(t, b.Eval(`$("side").innerText`), "adult(P) :- age(P, A), A >= 18.")
	b.Press("ArrowLeft")
	require.Equal(t, "false", b.Eval(`document.activeElement.getAttribute("aria-expanded")`))
	require.NotContains(t, b.Eval(rows), "34>=18")
	b.Press("ArrowRight", "ArrowRight")
	require.Equal(t, "34>=18", b.Eval(selected))
	b.Press("Home", "c")
	require.Equal(t, 1.0, b.Eval(`tree.children.length`))
	b.Press("e", "End")
	require.Equal(t, "</script><b>free(ann)</b>", b.Eval(selected))
	b.Press("ArrowUp", "Enter") // see above
	require.Equal(t, "adult(ann)", b.Eval(selected))
	require.Equal(t, "2", b.Eval(`document.activeElement.getAttribute("aria-level")`))
	b.Press("c", "/", "3", "4", "Enter")
	require.Contains(t, b.Eval(rows), "34>=18")
	require.Equal(t, "1 found", b.Eval(`$("count").textContent`))
}

// TestPageOfMisses shows what was missing.
func TestPageOfMisses(t *testing.T) {
	b := browsertest.Start(t)
	b.Open(page(t, json.RawMessage(misses), nil))
	require.Equal(t, "no answer for adult(bob): 17>=18 is false", b.Eval(`$("title").textContent`))
	require.Equal(t, "▾ not adult(bob) 1 of 2 goals hold\nage(bob, 17) held\n"+
		"▾ 17>=18 failed\n17>=18 is false (A>=18) false\n"+
		"there is adult(rob) at loans.pl:20 no such fact", b.Eval(rows))
}

// TestThemes follows what the browser's user likes, and the host of an app.
func TestThemes(t *testing.T) {
	b := browsertest.Start(t)
	b.Open(page(t, json.RawMessage(proof), nil))
	back := `getComputedStyle(document.body).backgroundColor`
	like := func(scheme string) {
		b.Do("Emulation.setEmulatedMedia", map[string]any{
			"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
	}
	like("light")
	light := b.Eval(back)
	like("dark")
	dark := b.Eval(back)
	require.NotEqual(t, light, dark)
	b.Eval(`theme({theme: "light"})`)
	require.Equal(t, light, b.Eval(back))
	like("light")
	b.Eval(`theme({theme: "dark"})`)
	require.Equal(t, dark, b.Eval(back))
	contrast := b.Eval(`(() => {
		const lum = c => c.match(/\d+/g).slice(0, 3)
			.map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
			.reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
		const probe = document.createElement("span");
		document.body.append(probe);
		let worst = 99;
		for (const scheme of ["light", "dark"]) {
			theme({theme: scheme});
			for (const name of ["text", "quiet", "good", "bad"]) {
				probe.style.color = "var(--" + name + ")";
				const [a, b] = [lum(getComputedStyle(probe).color), lum(getComputedStyle(document.body).backgroundColor)];
				worst = Math.min(worst, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
			}
		}
		return worst;
	})()`)
	require.Greater(t, contrast, 4.5, "text can be read")
}

// largeProof has many nodes, one chain of them very deep.
func largeProof(nodes, deep int) any {
	type node struct {
		ID   string   `json:"id"`
		Goal string   `json:"goal"`
		By   string   `json:"by"`
		At   string   `json:"at"`
		From []string `json:"from,omitempty"`
	}
	list := make([]node, nodes)
	for i := range list {
		list[i] = node{ID: fmt.Sprint("n", i), Goal: fmt.Sprintf("path(node_%d, node_%d)", i, i+1), By: "rule",
			At: fmt.Sprint("g.pl:", i)}
		above := (i - 1) / 7
		if i > 0 && i <= deep {
			above = i - 1
		}
		if i > 0 {
			list[above].From = append(list[above].From, list[i].ID)
		}
	}
	return map[string]any{"nodes": list}
}

// TestLargePage keeps a tree of 5,000 nodes quick. The bounds are ten times what it takes on two slow processors.
func TestLargePage(t *testing.T) {
	b := browsertest.Start(t)
	began := time.Now()
	b.Open(page(t, largeProof(5000, 1500), nil))
	t.Logf("open: %v", time.Since(began))
	b.Eval(`tree.firstChild.focus()`)
	took := func(act string) float64 {
		return b.Eval(`new Promise(done => { const began = performance.now(); ` + act +
			`; requestAnimationFrame(() => setTimeout(() => done(performance.now() - began))); })`).(float64)
	}
	all := took(`setAll(true)`)
	require.Equal(t, 5000.0, b.Eval(`tree.children.length`))
	step := took(`select(tree.children[2500].item)`)
	closed := took(`toggle(roots[0])`)
	opened := took(`toggle(roots[0])`)
	find := took(`$("find").value = "node_4999"; $("find").dispatchEvent(new Event("input"))`)
	t.Logf("open all %.0f ms, step %.0f ms, close %.0f ms, open %.0f ms, find %.0f ms", all, step, closed, opened, find)
	for _, ms := range []float64{all, step, closed, opened, find} {
		require.Less(t, ms, 5000.0)
	}
}

// host is a page that shows the app as hosts do: in a frame without origin, speaking by messages.
const host = `<!DOCTYPE html><html><body>
<iframe id="app" sandbox="allow-scripts" width="900" height="600"></iframe><script>
const said = [];
const frame = document.getElementById("app");
const send = m => frame.contentWindow.postMessage({jsonrpc: "2.0", ...m}, "*");
const result = (proof, clauses) => ({content: [{type: "text", text: "text"}], structuredContent: proof,
	_meta: {"mcplogic/clauses": clauses}});
addEventListener("message", e => {
	const m = e.data;
	if (m.id !== undefined || m.method !== "ui/notifications/size-changed") said.push(m);
	if (m.method === "ui/initialize") send({id: m.id, result: {
		protocolVersion: m.params.protocolVersion, hostInfo: {name: "h", version: "1"},
		hostCapabilities: {serverTools: {}}, hostContext: {theme: "dark", toolInfo: {tool: {name: "why_2"}}}}});
	if (m.method === "ui/notifications/initialized") {
		send({method: "ui/notifications/tool-input", params: {arguments: {tool: "eligible", arguments: {Person: "ann"}}}});
		send({method: "ui/notifications/tool-result", params: result(PROOF, {"loans.pl:5": "eligible(P, X) :- ..."})});
	}
	if (m.method === "tools/call") send({id: m.id, result: result({nodes: [
		{id: "n1.3", goal: "free(ann)", by: "rule", from: ["n1.3.1"]},
		{id: "n1.3.1", goal: "deeper(ann)", by: "fact"}]}, {})});
	if (m.method === "test") window.rows = m.params;
});
frame.srcdoc = APP;
</script></body></html>`

// TestApp shows results in a host of MCP Apps and asks it for what was cut.
func TestApp(t *testing.T) {
	b := browsertest.Start(t)
	// Nobody outside sees what a frame without origin shows: it tells by messages.
	spy := strings.Replace(App, `</body>`, `<script>
		setInterval(() => {
			post({method: "test", params: [`+drawn+`, document.documentElement.dataset.theme, $("side").innerText]});
			const cut = everyItem().find(i => i.cut && !i.open);
			if (cut && canGoOn) { select(cut); toggle(cut); }
		}, 20);
	</script></body>`, 1)
	app, err := json.Marshal(spy)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "host.html")
	text := strings.NewReplacer("PROOF", strings.ReplaceAll(proof, "</script>", ""), "APP", string(app)).Replace(host)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	b.Open((&url.URL{Scheme: "file", Path: file}).String())
	require.Eventually(t, func() bool {
		return strings.Contains(fmt.Sprint(b.Eval(`window.rows && window.rows[0]`)), "deeper(ann)")
	}, time.Minute, 20*time.Millisecond)
	require.Equal(t, "dark", b.Eval(`window.rows[1]`))
	require.JSONEq(t, `{"name": "why_2",
		"arguments": {"tool": "eligible", "arguments": {"Person": "ann"}, "node": "n1.3"}}`,
		b.Eval(`JSON.stringify(said.find(m => m.method === "tools/call").params)`).(string))
	require.JSONEq(t, `{"protocolVersion": "2026-01-26", "appCapabilities": {},
		"appInfo": {"name": "mcplogic why", "version": "1"}}`,
		b.Eval(`JSON.stringify(said[0].params)`).(string))
}

// contrasted is a proof with a negation of two clauses, and what another answer lacks.
const contrasted = `{"text": "", "nodes": [
	{"id": "n1", "goal": "safe(ibu, pat)", "by": "rule", "at": "d.pl:1", "from": ["n1.1", "n1.2", "n1.3"]},
	{"id": "n1.1", "goal": "drug(ibu)", "by": "fact", "at": "d.pl:9"},
	{"id": "n1.2", "goal": "\\+ contra(ibu, pat)", "words": "not contra(ibu, pat)", "by": "absent",
		"from": ["n1.2.1", "n1.2.2"]},
	{"id": "n1.3", "goal": "34>=18", "says": "age 34 is at least 18", "by": "builtin", "turns": "A from 18 on"},
	{"id": "n1.2.1", "goal": "allergy(pat, ibu)", "by": "missed", "note": "there is no fact"},
	{"id": "n1.2.2", "goal": "40<30", "by": "missed", "note": "40 is not below 30"}],
	"contrast": {"line": "no answer for safe(asp, pat)", "text": "", "nodes": [
		{"id": "m.1", "by": "clause", "goal": "safe(asp, pat)", "words": "not safe(asp, pat)", "at": "d.pl:1",
			"note": "1 of 3 goals hold", "from": ["m.1.1", "m.1.2", "m.1.3"]},
		{"id": "m.1.1", "by": "held", "goal": "drug(asp)"},
		{"id": "m.1.2", "by": "failed", "goal": "\\+ contra(asp, pat)", "words": "not contra(asp, pat)", "from": ["m.1.2.1"]},
		{"id": "m.1.3", "by": "would hold", "goal": "34>=18"},
		{"id": "m.1.2.1", "by": "rule", "goal": "contra(asp, pat)", "says": "asp is contraindicated", "at": "d.pl:2",
			"from": ["m.1.2.1.1"], "cut": true},
		{"id": "m.1.2.1.1", "by": "fact", "goal": "allergy(pat, asp)", "at": "d.pl:7"}]}}`

// TestPageTables shows each rule as a table of its conditions, folds the clauses of a negation, and has another answer
// in a column of its own.
func TestPageTables(t *testing.T) {
	b := browsertest.Start(t)
	b.Open(page(t, json.RawMessage(contrasted), nil))
	require.Equal(t, "▾ safe(ibu, pat)\ndrug(ibu) fact\n▸ not contra(ibu, pat) absent\n"+
		"age 34 is at least 18 34>=18 A from 18 on builtin\n"+
		"▾ not safe(asp, pat) 1 of 3 goals hold\ndrug(asp) held\n▾ not contra(asp, pat) failed\n"+
		"▾ asp is contraindicated contra(asp, pat) … cut\nallergy(pat, asp) fact\n"+
		"34>=18 would hold", b.Eval(rows))
	conditions := `[...$("side").querySelectorAll("tr")].map(r => [...r.children].map(c => c.textContent).join("|"))` +
		`.join("\n")`
	require.Equal(t, "Condition|Value|Verdict\ndrug(ibu)||holds\nnot contra(ibu, pat)||has no answer\n"+
		"age 34 is at least 18|34>=18|holds", b.Eval(conditions))
	b.Eval(`tree.firstChild.focus()`)
	b.Press("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight")
	require.Equal(t, "allergy(pat, ibu)", b.Eval(selected))
	b.Eval(`$("other").firstChild.click()`)
	require.Equal(t, "Condition|Value|Verdict\ndrug(asp)||held\n"+
		"not contra(asp, pat)|asp is contraindicated|failed\n34>=18||would hold",
		b.Eval(conditions))
	require.Equal(t, "Rather than that: no answer for safe(asp, pat)", b.Eval(`$("instead").textContent`))
	beside := `tree.getBoundingClientRect().right <= $("rather").getBoundingClientRect().left`
	b.Do("Emulation.setDeviceMetricsOverride",
		map[string]any{"width": 1200, "height": 800, "deviceScaleFactor": 1, "mobile": false}, nil)
	require.Equal(t, true, b.Eval(beside))
}
