//go:build unix

package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/bridge/web"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/rulefiles"
	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/tools/browsertest"
	"github.com/mcplogic/mcplogic/tools/npmtest"
)

// This file defines the tests of the page as people use it who answer for the rules.

// visitor is somebody at the page.
type visitor struct {
	*browsertest.Browser
	page string
}

func (v *visitor) goTo(address string) { v.Open(v.page + "#" + url.PathEscape(address)) }

// fill writes into the nth field of a name, from 0, as typing does.
func (v *visitor) fill(form, name string, nth int, text string) {
	v.Eval(fmt.Sprintf(`(() => { const e = document.querySelectorAll("%s [name='%s']")[%d]; e.value = %q;
		e.dispatchEvent(new Event("input", {bubbles: true})); })()`, form, name, nth, text))
}

// cell writes into a cell of the grid.
func (v *visitor) cell(row, column int, text string) {
	v.Eval(fmt.Sprintf(`(() => { const e = document.querySelector(".grid [data-row='%d'][data-column='%d']"); e.value = %q;
		e.dispatchEvent(new Event("input", {bubbles: true})); })()`, row, column, text))
}

func (v *visitor) click(selector string) {
	v.Await(`document.querySelector("` + selector + `") !== null`)
	v.Eval(`document.querySelector("` + selector + `").click()`)
}

// login gives a token when the page asks for one.
func (v *visitor) login(token string) {
	v.Await(`!document.getElementById("login").hidden`)
	v.Eval(fmt.Sprintf(`document.getElementById("token").value = %q`, token))
	v.Eval(`document.getElementById("login").requestSubmit()`)
}

func (v *visitor) shows(selector, text string) {
	v.Await(fmt.Sprintf(`(document.querySelector("%s")?.innerText || "").includes(%q)`, selector, text))
}

// TestDeskWalk goes from an empty folder to a decision table that is served, tested and explained, in the browser
// alone.
func TestDeskWalk(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "shop rules")
	require.NoError(t, os.Mkdir(dir, 0o700))
	v := &visitor{Browser: browsertest.Start(t)}
	v.page, _ = served(t, "--http", "127.0.0.1:0", "--explain", "--what-if", "--decisions",
		filepath.Join(t.TempDir(), "record"), "--title", "Premiums", dir)
	v.Open(v.page)
	v.shows("#view", "There are no rules yet")
	shoot(v.Browser, "page-empty.png")

	v.Eval(`[...document.querySelectorAll("#view a")].find(a => a.innerText === "New decision table").click()`)
	v.Await(`document.getElementById("newtable") !== null`)
	v.fill("#newtable", "name", 0, "premium")
	v.fill("#newtable", "title", 0, "Premium")
	v.fill("#newtable", "about", 0, "What a customer pays for each thousand, by age and risk.")
	v.Eval(`document.querySelector("#newtable .add").click()`)
	for i, c := range [][2]string{{"age", "integer"}, {"risk", "low|medium|high"}, {"rate", "decimal(2)"}} {
		v.fill("#newtable", "name", i+1, c[0])
		v.fill("#newtable", "type", i, c[1])
	}
	v.fill("#newtable", "by", 0, "Kim")
	shoot(v.Browser, "page-new-table.png")
	v.click("#newtable button.main")

	v.shows("#view h2", "premium.csv")
	for i, row := range [][]string{{">= 18", "low, medium", "0.50"}, {">= 18", "high", "1.25"}, {"< 18", "-", "0.75"}} {
		v.click("#addrow")
		for j, text := range row {
			v.cell(i, j, text)
		}
	}
	v.shows("#report", "Nothing is wrong")
	v.cell(2, 0, "< 20") // overlaps
	v.shows("#report", "the rows 2 and 4 hold for age = 18, risk = low")
	v.cell(2, 2, "much")
	require.Equal(t, "a number is wanted", v.Eval(`document.querySelector(".grid [data-row='2'][data-column='2']").title`))
	shoot(v.Browser, "page-grid.png")
	v.Eval(`document.getElementById("undo").click(); document.getElementById("undo").click()`)
	require.Equal(t, "0.75", v.Eval(`document.querySelector(".grid [data-row='2'][data-column='2']").value`))
	v.cell(2, 0, "< 18")
	v.click("#save")
	v.shows("#review", "What you have changed")
	v.shows(".diff", "+ < 18,-,0.75")
	v.click("#confirm")
	v.shows("#saved", "Saved and served")
	text, err := os.ReadFile(filepath.Join(dir, "premium.csv"))
	require.NoError(t, err)
	require.Equal(t, "age (integer),risk (low|medium|high),out: rate (decimal(2))\n"+
		">= 18,\"low, medium\",0.50\n>= 18,high,1.25\n< 18,-,0.75\n", string(text))

	// The table is a tool now. Its result has the row that decided, and is kept as a case.
	v.goTo(`Tools premium?{"age":40,"risk":"low"}`)
	v.Await(`document.querySelector("#form [name='age']")?.value === "40"`)
	v.click("#run")
	v.shows("#result td", "0.50") // with all digits
	v.click("#why")
	v.Await(`document.querySelectorAll("tr.decided").length === 1`)
	v.click("#keepcase")
	require.Equal(t, "premium-40-low", v.Eval(`document.querySelector("#keep [name='name']").value`))
	v.fill("#keep", "title", 0, "Adults of low risk")
	v.click("#keep button.main")
	v.shows("#keep", "Kept.")
	v.Eval(`document.getElementById("form").scrollIntoView()`)
	shoot(v.Browser, "page-keep.png")
	kept, err := os.ReadFile(filepath.Join(dir, "cases", "premium-40-low.json"))
	require.NoError(t, err)
	require.Contains(t, string(kept), `"kept_by": "Kim"`)
	require.Contains(t, string(kept), `"decision": "`)
	v.goTo("Cases")
	v.shows("[data-case='premium-40-low'] summary", "passed")

	// Somebody saves another table without the page. The case fails beside the answer of before, and takes the new one.
	changed := strings.Replace(string(text), "0.50", "0.55", 1)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "premium.csv"), []byte(changed), 0o600))
	v.Await(`Number(document.getElementById("state").dataset.loaded) >= 4`)
	v.goTo("Overview")
	v.goTo("Cases")
	v.shows("[data-case='premium-40-low'] summary", "failed")
	v.shows("[data-case='premium-40-low']", "rate: expected 0.50, is 0.55")
	v.shows("[data-case='premium-40-low']", "Before, on")
	shoot(v.Browser, "page-cases.png")
	v.click("[data-case='premium-40-low'] button")
	v.shows("[data-case='premium-40-low']", "Kept.")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "premium.csv"), text, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "cases", "premium-40-low.json"), kept, 0o600))
	v.Await(`Number(document.getElementById("state").dataset.loaded) >= 5`)

	// A change that breaks the case is not saved; the page says why.
	v.goTo("File premium.csv")
	v.Await(`document.querySelector(".grid [data-row='0']") !== null`)
	v.cell(0, 2, "0.60")
	v.click("#save")
	v.shows("#review", "premium-40-low passed and would fail")
	v.click("#confirm")
	v.shows("#saved", "Nothing was saved")
	v.shows("#review", "expected 0.50, is 0.60")
	shoot(v.Browser, "page-refused.png")

	// The table with another row for the same is fine, and can be taken back.
	v.Eval(`document.getElementById("undo").click()`)
	v.cell(1, 2, "1.50")
	v.click("#save")
	v.click("#confirm")
	v.shows("#saved", "Saved and served")
	v.click("#takeback")
	v.shows("#saved", "Saved and served")
	v.Await(`document.querySelector(".grid [data-row='1'][data-column='2']").value === "1.25"`)
	v.goTo("Files")
	v.shows("#result", "Kim")
	v.goTo("Versions premium.csv")
	v.Await(`document.querySelectorAll("#result tbody tr").length === 4`)
	v.Eval(`document.querySelectorAll("#result td a")[2].click()`) // the save with 1.50
	v.shows(".diff", "+ >= 18,high,1.50")
	shoot(v.Browser, "page-version.png")
	before := rulefiles.History(dir, "premium.csv", 9)[1].Was
	require.NoError(t, os.Remove(filepath.Join(dir, ".versions", before)))
	v.Do("Page.reload", nil, nil)
	v.shows("#forgotten", "The text before this save is not kept any more.")
	v.click("#again")
	v.Await(`document.querySelector(".grid [data-row='1'][data-column='2']")?.value === "1.50"`)
	require.Equal(t, false, v.Eval(`document.getElementById("save").disabled`))
	v.Eval(`sessionStorage.clear()`)
	v.Do("Page.reload", nil, nil)

	// The call is a decision with its reasons. Run again, it has the same answer.
	v.goTo("Decisions")
	v.shows("#result", "Premium: age 40, risk low")
	v.click("#replay")
	v.shows("#replayed", "1 call run again on the rules of now, 0 with another answer")
	v.Eval(`document.querySelector("#result td a").click()`)
	v.shows("#result", "premium.csv:2")
	shoot(v.Browser, "page-decision.png")
	v.goTo("Overview")
	v.shows("#view", "1 tool, 1 decision table")
	v.shows("#casesum", "1 case passed")
	shoot(v.Browser, "page-overview.png")
}

// TestDeskStored shows facts that calls have stored, with who has and when, and the calls of many others.
func TestDeskStored(t *testing.T) {
	b, dir := browsertest.Start(t), t.TempDir()
	read, edit := filepath.Join(t.TempDir(), "read"), filepath.Join(t.TempDir(), "edit")
	require.NoError(t, os.WriteFile(read, []byte("token-of-a-reader-01 Ann of claims\n"), 0o600))
	require.NoError(t, os.WriteFile(edit, []byte("token-of-an-owner-01 Kim\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "orders.pl"), []byte(":- persistent(order/2).\n"+
		":- info(order/2, [comment is 'Orders.', argnames is ['Item', 'Amount']]).\n"+
		":- info(place/2, [argnames is [item, amount]]).\n:- mode(place(+atom, +integer), one).\n"+
		"place(Item, N) :- assertz(order(Item, N)).\ntools([place/2]).\n"), 0o600))
	v := &visitor{Browser: b}
	v.page, _ = served(t, "--http", "127.0.0.1:0", "--store", "file:"+filepath.Join(t.TempDir(), "store"), "--decisions",
		filepath.Join(t.TempDir(), "record"), "--token-file", read, "--edit-token-file", edit, dir)
	for i := range 300 {
		body := fmt.Sprintf(`{"item":"<b>tea</b> %d","amount":%d}`, i, i)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, v.page+"api/tools/place",
			strings.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", "Bearer token-of-a-reader-01")
		r, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		r.Body.Close()
		require.Equal(t, http.StatusOK, r.StatusCode)
	}
	v.Open(v.page)
	v.login("token-of-an-owner-01")
	v.Await(`document.getElementById("state").innerText === "connected"`)
	for token, want := range map[string]bool{"token-of-a-reader-01": false, "token-of-an-owner-01": true} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, v.page+"page/state", nil)
		require.NoError(t, err)
		req.Header.Set("Authorization", "Bearer "+token)
		r, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		state, err := io.ReadAll(r.Body)
		r.Body.Close()
		require.NoError(t, err)
		require.Equal(t, want, strings.Contains(string(state), "Ann of claims"), "only who may edit sees whose tokens are")
	}
	v.goTo("Overview")
	v.shows("#view", "Which facts have been stored")
	v.Eval(`[...document.querySelectorAll("#view a")].find(a => a.innerText === "order").click()`)
	v.shows("#view", "Orders.")
	v.shows("#result", "The last 200 of 300 facts")
	v.shows("#result thead", "Item")
	v.shows("#result tbody tr", "<b>tea</b> 299")
	v.shows("#result tbody tr", "Ann of claims")
	shoot(v.Browser, "page-stored.png")
	v.Eval(`(() => { const e = document.querySelector("#view input"); e.value = "TEA</b> 17";
		e.dispatchEvent(new Event("input")); })()`)
	v.shows("#result", "11 facts")
	v.goTo("Decisions")
	v.shows("#result", "The last 200 of 300 calls")
	v.shows("#result tbody tr", "Ann of claims")
	v.Eval(`(() => { const e = document.querySelector("#view input"); e.value = "nothing of that kind";
		e.dispatchEvent(new Event("input")); })()`)
	v.shows("#result", "No record contains this")
}

// TestDeskWorkbook has a decision table in a workbook: the page says where it is changed, and makes a CSV file of it.
func TestDeskWorkbook(t *testing.T) {
	b, dir := browsertest.Start(t), t.TempDir()
	rules := func(file string) string {
		return ":- decision(fine/2, '" + file + "').\ntools([fine/2]).\n" +
			":- info(fine/2, [comment is 'A fine.', argnames is [over, fine]]).\n"
	}
	const table = "over (integer),out: fine (integer)\n< 10,30\n>= 10,60\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "fines.csv"), []byte(table), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "law.pl"), []byte(rules("fines.csv")), 0o600))
	snapshot, err := kb.Load(t.Context(), []string{dir}, &kb.Options{Predicates: bridge.Predicates()})
	require.NoError(t, err)
	write, _, err := inner.Of(snapshot.Program).Table("fine/2", "xlsx")
	require.NoError(t, err)
	var book bytes.Buffer
	require.NoError(t, write(&book))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "fines.xlsx"), book.Bytes(), 0o600))
	require.NoError(t, os.Remove(filepath.Join(dir, "fines.csv")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "law.pl"), []byte("% Not refines.xlsx.\n"+rules("fines.xlsx")),
		0o600))
	// A file that comes first names another workbook.
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.pl"), []byte("book('refines.xlsx').\n"), 0o600))
	v := &visitor{Browser: b}
	v.page, _ = served(t, "--http", "127.0.0.1:0", dir)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "fees.pl"), []byte(":- decision('fees.dmn').\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "fees.dmn"), []byte(`<definitions>
<inputData id="n" name="N"/>
<decision id="f" name="Fee"><informationRequirement><requiredInput href="#n"/></informationRequirement>
<decisionTable hitPolicy="FIRST">
<input><inputExpression typeRef="number"><text>N</text></inputExpression></input><output name="Fee"/>
<rule><inputEntry><text>-</text></inputEntry><outputEntry><text>1</text></outputEntry></rule>
</decisionTable></decision></definitions>
`), 0o600))
	v.goTo("Files")
	v.shows("#result", "fines.xlsx is not edited here, but with the program that made it")
	v.shows("#result", "fees.dmn is not edited here")
	v.goTo("Decision tables fee/2")
	v.shows("#view", "fees.dmn, 1 row. The first row that fits a case decides.")
	v.shows("#view", "To change it, open fees.dmn with the program that made it")
	require.NotContains(t, v.Eval(`document.getElementById("view").innerText`), "CSV")
	v.goTo("Decision tables fine/2")
	v.shows("#view", "To change it, open fines.xlsx")
	shoot(b, "page-workbook.png")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "fines.csv"), []byte("a,b\n"), 0o600)) // of somebody else
	v.click("#view button.link")
	v.shows("#view", "There is a file fines.csv already.")
	require.NoError(t, os.Remove(filepath.Join(dir, "fines.csv")))
	v.Eval(`(() => { const real = fetch; fetch = (to, o) => String(o.body).includes("kb_edit") ? (fetch = real,
		Promise.resolve(new Response('{"isError": true, "content": [{"type": "text", "text": "A test fails."}]}')))
		: real(to, o); })()`)
	v.click("#view button.link")
	v.shows("#view", "law.pl cannot read fines.csv, so that nothing has changed.\nA test fails.")
	require.NoFileExists(t, filepath.Join(dir, "fines.csv"))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "fines.csv"), []byte(table), 0o600)) // of a try before
	v.click("#view button.link")
	v.Await(`document.querySelector(".grid [data-row='1'][data-column='1']")?.value === "60"`)
	text, err := os.ReadFile(filepath.Join(dir, "fines.csv"))
	require.NoError(t, err)
	require.Equal(t, table, string(text))
	text, err = os.ReadFile(filepath.Join(dir, "law.pl"))
	require.NoError(t, err)
	require.Equal(t, "% Not refines.xlsx.\n"+rules("fines.csv"), string(text)[strings.Index(string(text), "% Not"):])
}

// Who may edit: on this machine alone everybody, and where there are tokens those with one for it. Pages of other
// origins never may. Rules that nobody proves to own are restricted.
func TestDeskRights(t *testing.T) {
	read, edit := filepath.Join(t.TempDir(), "read"), filepath.Join(t.TempDir(), "edit")
	require.NoError(t, os.WriteFile(read, []byte("token-of-a-reader-01\n"), 0o600))
	require.NoError(t, os.WriteFile(edit, []byte("token-of-an-owner-01\n"), 0o600))
	post := func(page, path, body string, header ...string) (int, string) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, page+"page/"+path, strings.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/json")
		for i := 0; i < len(header); i += 2 {
			req.Header.Set(header[i], header[i+1])
		}
		r, err := (&http.Client{Timeout: time.Minute}).Do(req)
		require.NoError(t, err)
		defer r.Body.Close()
		text, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		return r.StatusCode, string(text)
	}
	save := func(file, text string) string {
		body, err := json.Marshal(map[string]any{"tool": "kb_save", "by": "Kim", "arguments": map[string]any{"file": file,
			"text": text}})
		require.NoError(t, err)
		return string(body)
	}
	const reader, owner = "Bearer token-of-a-reader-01", "Bearer token-of-an-owner-01"
	for _, test := range []struct {
		name, authorization, origin string
		flags                       []string
		status                      int
		restricted                  bool
	}{
		{"loopback", "", "", nil, http.StatusOK, true},
		{"another page", "", "https://evil.example", []string{"--allow-origin", "*"}, http.StatusForbidden, false},
		{"any host", "", "", []string{"--allow-host", "*"}, http.StatusForbidden, false},
		{"a reader where nobody may edit", reader, "", []string{"--token-file", read}, http.StatusForbidden, false},
		{"a reader", reader, "", []string{"--token-file", read, "--edit-token-file", edit}, http.StatusForbidden, false},
		{"an owner", owner, "", []string{"--token-file", read, "--edit-token-file", edit}, http.StatusOK, false},
		{"nobody", "", "", []string{"--token-file", read, "--edit-token-file", edit}, http.StatusUnauthorized, false},
		{"nobody among readers", "", "", []string{"--edit-token-file", edit}, http.StatusForbidden, false},
		{"an owner among readers", owner, "", []string{"--edit-token-file", edit}, http.StatusOK, false},
		{"an owner by another page", owner, "https://evil.example",
			[]string{"--edit-token-file", edit, "--allow-origin", "*"}, http.StatusForbidden, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir, _ := folder(t, orderRules)
			page, stop := served(t, append([]string{"--http", "127.0.0.1:0", dir}, test.flags...)...)
			defer stop()
			var header []string
			if test.authorization != "" {
				header = append(header, "Authorization", test.authorization)
			}
			if test.origin != "" {
				header = append(header, "Origin", test.origin)
			}
			for _, path := range []string{"file", "history", "keep", "decisions", "decision", "replay", "version", "stored",
				"discard"} {
				status, text := post(page, path, `{"file":"rules.pl","id":"x","name":"x","tool":"price","arguments":{}}`, header...)
				done := status < 300 || status == http.StatusUnprocessableEntity
				require.Equal(t, test.status == http.StatusOK, done, "%s: %d %s", path, status, text)
			}
			status, text := post(page, "desk", save("more.pl", "more(1).\n"), header...)
			require.Equal(t, test.status, status, text)
			saved, err := os.ReadFile(filepath.Join(dir, "more.pl"))
			if test.status != http.StatusOK {
				require.ErrorIs(t, err, os.ErrNotExist)
				return
			}
			require.NoError(t, err, text)
			require.Equal(t, test.restricted, strings.Contains(string(saved), "mcplogic: restricted"))
			history, err := os.ReadFile(filepath.Join(dir, ".saves.jsonl"))
			require.NoError(t, err)
			require.Contains(t, string(history), `"by":"Kim`)
			for _, name := range []string{"../out.pl", "/tmp/out.pl", ".hidden.pl", "mcplogic.json", "a.txt"} {
				_, text := post(page, "desk", save(name, "p.\n"), header...)
				require.Contains(t, text, `"isError":true`, name)
				status, _ := post(page, "file", `{"file":"`+name+`"}`, header...)
				require.Equal(t, http.StatusUnprocessableEntity, status, name)
			}
			status, _ = post(page, "desk", save("x.pl", "p.\n"), append(header, "Content-Type", "text/plain")...)
			require.Equal(t, http.StatusUnsupportedMediaType, status)
			_, text = post(page, "desk", save("more.pl", "more(2).\n"), header...)
			require.Contains(t, text, "There is a file more.pl", "a save without the hash of what is there")
			notes := filepath.Join(dir, ".saves.jsonl")
			require.NoError(t, os.Remove(notes))
			require.NoError(t, os.Mkdir(notes, 0o777))
			_, text = post(page, "desk", save("unnoted.csv", "a\n"), header...)
			require.Contains(t, text, "Nothing was saved.")
			require.NoFileExists(t, filepath.Join(dir, "unnoted.csv"))
		})
	}
}

// TestAuthorOf cuts a long name that somebody types, and keeps the name of the token.
func TestAuthorOf(t *testing.T) {
	author := authorOf(web.Editor{User: "token 1", Owner: true}, " "+strings.Repeat("ü", 200))
	require.Equal(t, rulefiles.Author{Name: strings.Repeat("ü", 100) + ", token 1", Owner: true}, author)
	require.Equal(t, rulefiles.Author{}, authorOf(web.Editor{}, " "))
}

// TestDeskVersion tells two saves of one text apart by their times, and says when the text before is not kept.
func TestDeskVersion(t *testing.T) {
	dir := t.TempDir()
	hash := ""
	for _, text := range []string{"a\n", "b\n", "a\n", "c\n", "a\n"} {
		var err error
		hash, err = rulefiles.Save(dir, "x.csv", text, hash, rulefiles.Author{})
		require.NoError(t, err)
	}
	list := rulefiles.History(dir, "x.csv", 9)
	require.Len(t, list, 5)
	d := &pageDesk{paths: []string{dir}}
	was := func(one rulefiles.Saved) any {
		body, err := json.Marshal(fileVersion{"x.csv", one.Hash, one.Time})
		require.NoError(t, err)
		answer, err := d.version(t.Context(), web.Editor{}, body)
		require.NoError(t, err)
		require.Equal(t, one, answer.(map[string]any)["save"])
		return answer.(map[string]any)["was"]
	}
	require.Equal(t, []any{"c\n", "b\n", ""}, []any{was(list[0]), was(list[2]), was(list[4])})
	require.NoError(t, os.Remove(filepath.Join(dir, ".versions", list[0].Was)))
	require.Nil(t, was(list[0]))
}

// While rules are loading, the desk waits.
func TestDeskLoading(t *testing.T) {
	d := &pageDesk{server: bridge.NewServer(nil, nil)}
	defer d.server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, view := range d.views() {
		r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/page/"+name, nil)
		require.Equal(t, map[string]string{"error": "context canceled"}, view(r), name)
	}
	for name, act := range d.actions() {
		_, err := act(ctx, web.Editor{}, json.RawMessage("{}"))
		require.ErrorIs(t, err, context.Canceled, name)
	}
}

// TestDeskLooks has axe look for what keeps people out, in each view, light and dark, on a screen and on a phone, and
// wants nothing wider than the window.
func TestDeskLooks(t *testing.T) {
	b := browsertest.Start(t)
	tools := npmtest.Install(t, "whether people can use the page", "axe", "../../testdata/clients/axe")
	axe, err := os.ReadFile(filepath.Join(tools, "node_modules", "axe-core", "axe.min.js"))
	require.NoError(t, err)
	dir := filepath.Join(t.TempDir(), "claims")
	require.NoError(t, os.CopyFS(dir, os.DirFS("../../examples/claims")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "notes.pl"), []byte(":- persistent(noted/2).\n"+
		":- info(noted/2, [comment is 'What people have noted.', argnames is [claim, text]]).\n"+
		":- mode(note(+atom, +string), one).\n:- info(note/2, [comment is 'Notes a text.', "+
		"argnames is [claim, text]]).\nnote(C, T) :- assertz(noted(C, T)).\ntools([note/2]).\n"+
		":- decision(premium/2, 'premium.csv').\n:- info(premium/2, [comment is 'A premium.', argnames is [age, rate]]).\n"+
		"tools([premium/2]).\n"), 0o600))
	table := "age (integer),out: rate (decimal(2))\n< 18,0.75\n>= 18,1.25\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "premium.csv"), []byte(table), 0o600))
	edit := filepath.Join(t.TempDir(), "edit")
	require.NoError(t, os.WriteFile(edit, []byte("token-of-an-owner-01 Kim Miller\n"), 0o600))
	v := &visitor{Browser: b}
	v.page, _ = served(t, "--http", "127.0.0.1:0", "--explain", "--what-if", "--store", "file:"+
		filepath.Join(t.TempDir(), "store"), "--decisions", filepath.Join(t.TempDir(), "record"), "--title", "Claims",
		"--token-file", edit, "--edit-token-file", edit, dir)
	post := func(path, body string) (text string) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, v.page+path, strings.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", "Bearer token-of-an-owner-01")
		r, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer r.Body.Close()
		answer, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, r.StatusCode, "%s: %s", path, answer)
		return string(answer)
	}
	for i := range 3 {
		post("api/tools/note", fmt.Sprintf(`{"claim":"claim%d","text":%q}`, i, strings.Repeat("A <b>long</b> text, ", 9*i)+
			strings.Repeat("x", 100*i)))
	}
	post("api/tools/premium", `{"age":40}`)
	for _, rate := range []string{"1.35", "1.25"} {
		var read struct{ Hash string }
		require.NoError(t, json.Unmarshal([]byte(post("page/file", `{"file":"premium.csv"}`)), &read))
		body, err := json.Marshal(map[string]any{"tool": "kb_save", "arguments": map[string]any{"file": "premium.csv",
			"hash": read.Hash, "text": strings.Replace(table, "1.25", rate, 1)}})
		require.NoError(t, err)
		post("page/desk", string(body))
	}
	post("page/keep", `{"name":"adult","title":"Adults","tool":"premium","arguments":{"age":40},"by":"Kim Miller"}`)
	post("page/keep", `{"name":"child","tool":"premium","arguments":{"age":4}}`)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "premium.csv"), []byte(strings.Replace(table, "0.75", "0.85", 1)),
		0o600)) // the case child fails
	var decided struct{ Calls []struct{ ID, Tool string } }
	require.NoError(t, json.Unmarshal([]byte(post("page/decisions", `{"text":"premium"}`)), &decided))
	var saved []rulefiles.Saved
	require.NoError(t, json.Unmarshal([]byte(post("page/history", `{"file":"premium.csv"}`)), &saved))
	b.Do("Page.setBypassCSP", map[string]any{"enabled": true}, nil) // for axe itself
	v.Open(v.page)
	v.login("token-of-an-owner-01")
	v.Await(`document.querySelectorAll("nav button").length > 6`)
	v.click("[data-item='Desk Files']") // who goes on by the keyboard is at the view then
	require.Equal(t, "H2 Files", v.Eval(`document.activeElement.tagName + " " + document.activeElement.innerText`))
	views := []string{"Overview", "Cases", "Decisions", "Files", "New table", "File products.csv", "File claims.pl",
		"Rules Who calls whom", "Stored noted/2", "Recorded " + decided.Calls[0].ID, "Versions premium.csv",
		"Version " + saved[0].Hash + " premium.csv", "Decision tables premium/2", `Tools premium?{"age":40}`,
		"File premium.csv"}
	// steps are made in a view before it is looked at.
	steps := map[string]func(){
		"Decisions": func() {
			v.Eval(`(() => { const e = document.querySelector("#view input"); e.value = "premium";
				e.dispatchEvent(new Event("input")); })()`)
			v.Await(`(text => text.includes("premium: ") && !text.includes("note: "))(
				document.getElementById("result")?.innerText || "")`)
			v.click("#replay")
			v.shows("#replayed", "run again")
		},
		`Tools premium?{"age":40}`: func() {
			v.click("#run")
			v.shows("#result", "1.25")
			v.click("#why")
			v.Await(`document.querySelectorAll("tr.decided").length === 1`)
			v.click("#whatif")
			v.Await(`document.getElementById("suppose") !== null`)
			v.click("#keepcase")
		},
		"File premium.csv": func() {
			v.Await(`document.querySelector(".grid [data-row='1']") !== null`)
			v.cell(1, 1, "1.25") // the draft of the round before is there
			v.cell(1, 0, ">= 16")
			v.shows("#report", "the rows 2 and 3 hold for age = 16")
			v.cell(1, 1, "much")
			v.click("#save")
			v.shows("#review", "What you have changed")
			v.Await(`document.getElementById("confirm") !== null`)
		},
	}
	for _, item := range v.Eval(`[...document.querySelectorAll("nav button")].map(e => e.dataset.item)`).([]any) {
		if name := item.(string); !strings.HasPrefix(name, "Desk ") && !slices.Contains(views, name) {
			views = append(views, name)
		}
	}
	for _, scheme := range []string{"light", "dark"} {
		b.Do("Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]any{
			"name": "prefers-color-scheme", "value": scheme}}}, nil)
		for _, width := range []int{1200, 390} {
			b.Do("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 844, "deviceScaleFactor": 1,
				"mobile": width < 600}, nil)
			for _, view := range views {
				v.goTo(view)
				v.Await(`document.querySelector("#view h2") !== null &&
					!/^(reading|running)$/m.test(document.getElementById("view").innerText)`)
				if more := steps[view]; more != nil {
					more()
				}
				v.Eval(string(axe) + "; 0")
				found := v.Eval(`axe.run(document, {resultTypes: ["violations"], iframes: false}).then(r => r.violations.map(
					x => x.id + " (" + x.impact + "): " + x.nodes.slice(0, 3).map(n => n.html.slice(0, 150)).join(" | "))
					.join("\n"))`)
				require.Empty(t, found, "%s, %s, %d wide", view, scheme, width)
				require.Greater(t, v.Eval(`axe.run(document, {iframes: false}).then(r => r.passes.length)`), 10.0)
				require.LessOrEqual(t, v.Eval(`document.documentElement.scrollWidth`), float64(width), "%s, %d wide", view, width)
				name := strings.NewReplacer("/", "", " ", "-", ":", "", "?", "", "{", "", "}", "", `"`, "").Replace(view)
				shoot(b, fmt.Sprintf("look-%s-%d-%s.png", scheme, width, name))
				switch fmt.Sprint(scheme, width, view) {
				case "light390Cases":
					shoot(b, "page-phone.png")
				case "dark1200Stored noted/2":
					shoot(b, "page-dark.png")
				}
			}
		}
	}
}

// TestDeskSizes measures what a visitor loads, and how long 2,000 tools and 100,000 rows take.
func TestDeskSizes(t *testing.T) {
	b := browsertest.Start(t)
	dir := t.TempDir()
	var rules, rows strings.Builder
	rules.WriteString(":- facts(row/3, 'rows.csv', [header(true)]).\n")
	for i := range 2000 {
		fmt.Fprintf(&rules, "tools([t%d/2]).\n:- mode(t%[1]d(+integer, -integer), one).\n"+
			":- info(t%[1]d/2, [comment is 'Adds %[1]d.', argnames is [n, m]]).\nt%[1]d(N, M) :- M is N + %[1]d.\n", i)
	}
	rows.WriteString("name,amount,kind\n")
	for i := range 100_000 {
		fmt.Fprintf(&rows, "n%d,%d,%s\n", i, i*7, []string{"a", "b", "c"}[i%3])
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "rules.pl"), []byte(rules.String()), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "rows.csv"), []byte(rows.String()), 0o600))
	v := &visitor{Browser: b}
	v.page, _ = served(t, "--http", "127.0.0.1:0", dir)

	// The page, and with it the page of reasons, are all that is transferred besides answers.
	size := 0
	for _, path := range []string{"", "page/why"} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, v.page+path, nil)
		require.NoError(t, err)
		r, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		text, err := io.ReadAll(r.Body)
		r.Body.Close()
		require.NoError(t, err)
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		_, _ = z.Write(text)
		require.NoError(t, z.Close())
		size += packed.Len()
	}
	t.Logf("the page has %d bytes, compressed", size)
	require.Less(t, size, 150_000)

	v.Open(v.page)
	v.Await(`document.querySelectorAll("nav button").length >= 2000`)
	t.Logf("2000 tools are there after %v ms", v.Eval(`Math.round(performance.now())`))
	v.Await(`(document.getElementById("view").innerText || "").includes("2000 tools")`)
	shoot(b, "page-many.png")
	began := time.Now()
	v.goTo("File rows.csv")
	v.Await(`document.querySelector(".grid [data-row='0']") !== null`)
	t.Logf("100,000 rows are there after %s", time.Since(began))
	v.Eval(`document.querySelector(".grid").scrollTop = 50000 * 34`)
	v.Await(`document.querySelector(".grid [data-row='50000'][data-column='0']")?.value === "n50000"`)
	require.Less(t, v.Eval(`document.querySelectorAll(".grid input").length`), 200.0)
	v.Eval(`document.querySelector(".grid").scrollTop = 1e9`)
	v.Await(`document.querySelector(".grid [data-row='99999'][data-column='0']")?.value === "n99999"`)
	v.cell(99999, 1, "x")
	require.Equal(t, "true", v.Eval(`document.querySelector(".grid [data-row='99999'][data-column='1']").ariaInvalid`))
	v.cell(99999, 1, "12")
	v.shows("#report", "Nothing is wrong")
	began = time.Now()
	v.click("#save")
	v.shows(".diff", "+ n99999,12,a")
	v.click("#confirm")
	v.shows("#saved", "Saved and served")
	t.Logf("a save of them takes %s", time.Since(began))
	saved, err := os.ReadFile(filepath.Join(dir, "rows.csv"))
	require.NoError(t, err)
	require.Equal(t, strings.Replace(rows.String(), "n99999,699993,a", "n99999,12,a", 1), string(saved))
}

// TestDeskTwo has two people edit one table. Neither loses what the other has saved, nor a text that is typed when the
// connection is lost or another view is opened.
func TestDeskTwo(t *testing.T) {
	b, dir := browsertest.Start(t), t.TempDir()
	table := "age (integer),out: rate\n< 18,1\n>= 18,2\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "rates.csv"), []byte(table), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "rates.pl"), []byte(":- decision(rate/2, 'rates.csv').\n"+
		":- info(rate/2, [comment is 'A rate <b>.', argnames is [age, rate]]).\ntools([rate/2]).\n"), 0o600))
	v := &visitor{Browser: b}
	page, stop := served(t, "--http", "127.0.0.1:0", dir)
	v.page = page
	v.goTo("File rates.csv")
	v.Await(`document.querySelector(".grid [data-row='0']") !== null`)
	v.cell(0, 1, "5")
	v.goTo("Cases")
	v.shows("#view", "There are none yet")
	v.goTo("File rates.csv")
	v.Await(`document.querySelector(".grid [data-row='0'][data-column='1']").value === "5"`)
	v.Await(`sessionStorage.getItem("mcplogic-draft rates.csv") !== null`)
	b.Do("Page.reload", nil, nil)
	v.Await(`document.querySelector(".grid [data-row='0'][data-column='1']")?.value === "5"`)
	stop()
	v.Await(`document.getElementById("state").innerText.includes("not connected")`)
	v.cell(0, 1, "6")
	v.click("#save")
	v.click("#confirm")
	v.shows("#saved", "The connection was lost")
	served(t, "--http", strings.TrimSuffix(strings.TrimPrefix(page, "http://"), "/"), dir)
	v.Await(`document.getElementById("state").innerText === "connected"`)
	other := strings.Replace(table, ">= 18,2", ">= 18,3", 1) // by somebody else
	require.NoError(t, os.WriteFile(filepath.Join(dir, "rates.csv"), []byte(other), 0o600))
	v.click("#save")
	v.click("#confirm")
	v.shows("#saved", "Nothing was saved")
	v.click("#merge")
	v.shows("#review", "Both changes are there now")
	v.click("#save")
	v.shows(".diff", "+ < 18,6")
	v.click("#confirm")
	v.shows("#saved", "Saved and served")
	saved, err := os.ReadFile(filepath.Join(dir, "rates.csv"))
	require.NoError(t, err)
	require.Equal(t, "age (integer),out: rate\n< 18,6\n>= 18,3\n", string(saved))
}

// TestDeskUsers has two users edit one table at the same time, in browsers of their own, whose texts try to be markup.
func TestDeskUsers(t *testing.T) {
	const hostile = `<img src=x onerror="document.title='caught'">`
	dir, edit := t.TempDir(), filepath.Join(t.TempDir(), "edit")
	table := "age (integer),out: rate,note: why\n< 18,1,\n>= 18,2,\"" + strings.ReplaceAll(hostile, `"`, `""`) + "\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "rates.csv"), []byte(table), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "rates.pl"), fmt.Appendf(nil, ":- decision(rate/2, 'rates.csv').\n"+
		":- info(rate/2, [comment is \"About %[1]s\", argnames is [age, rate]]).\n"+
		"tools([tool(rate, rate, 2, [title(%[2]q)])]).\n",
		strings.ReplaceAll(hostile, `"`, `\"`), hostile), 0o600))
	require.NoError(t, os.WriteFile(edit, []byte("token-of-an-owner-01 Kim\ntoken-of-an-owner-02  Lee "+hostile), 0o600))
	page, _ := served(t, "--http", "127.0.0.1:0", "--edit-token-file", edit, "--token-file", edit, "--title", hostile, dir)
	kim, lee := &visitor{browsertest.Start(t), page}, &visitor{browsertest.Start(t), page}
	for i, v := range []*visitor{kim, lee} {
		v.Open(page)
		v.login(fmt.Sprintf("token-of-an-owner-0%d", i+1))
		v.Await(`document.getElementById("state").innerText === "connected"`)
		v.goTo("File rates.csv")
		v.Await(`document.querySelector(".grid [data-row='1']") !== null`)
		v.cell(i, 1, fmt.Sprint(5+i))
	}
	for _, v := range []*visitor{kim, lee} {
		v.click("#save")
		v.click("#confirm")
		v.shows("#saved", map[*visitor]string{kim: "Saved and served", lee: "Nothing was saved"}[v])
	}
	lee.click("#merge")
	lee.shows("#review", "Both changes are there now")
	lee.click("#save")
	lee.click("#confirm")
	lee.shows("#saved", "Saved and served")
	saved, err := os.ReadFile(filepath.Join(dir, "rates.csv"))
	require.NoError(t, err)
	require.Equal(t, strings.NewReplacer("< 18,1", "< 18,5", ">= 18,2", ">= 18,6").Replace(table), string(saved))
	kim.goTo("Versions rates.csv")
	kim.shows("#result", "Lee "+hostile)
	kim.shows("#result tbody tr:nth-child(2)", "Kim")
	for _, view := range []string{"Overview", "Decision tables rate/2", "File rates.csv", `Tools rate?{"age":"` +
		strings.ReplaceAll(hostile, `"`, `\"`) + `"}`, "Files", "Cases", "Rules Who calls whom"} {
		kim.goTo(view)
		kim.Await(`document.querySelector("#view h2") !== null`)
		require.Nil(t, kim.Eval(`document.querySelector("img")`), view)
		require.Equal(t, hostile, kim.Eval(`document.title`), view)
	}
	kim.shows("#name", hostile)
}

// TestDeskReadOnly serves a folder in which nothing can be saved. It can be read, and a save says what is wrong.
func TestDeskReadOnly(t *testing.T) {
	dir, _ := folder(t, orderRules)
	program, err := exec.LookPath("mcplogic")
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), program, "serve", "--http", "127.0.0.1:0", dir)
	if os.Getuid() == 0 { // who may write everywhere
		text, err := os.ReadFile(program)
		require.NoError(t, err)
		cmd.Path = filepath.Join(t.TempDir(), "mcplogic")
		require.NoError(t, os.WriteFile(cmd.Path, text, 0o755))
		const nobody = 65534
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		require.NoError(t, os.Chown(dir, nobody, nobody))
		require.NoError(t, os.Chmod(filepath.Dir(dir), 0o755))
	}
	require.NoError(t, os.Chmod(dir, 0o500))
	defer func() { _ = os.Chmod(dir, 0o700) }()
	page, _ := servedBy(t, cmd)
	post := func(path, body string) string {
		r, err := http.Post(page+"page/"+path, "application/json", strings.NewReader(body))
		require.NoError(t, err)
		defer r.Body.Close()
		text, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, r.StatusCode, "%s", text)
		return string(text)
	}
	require.Contains(t, post("file", `{"file":"a.pl"}`), "tools(")
	require.Regexp(t, `Nothing was saved\. .*ermission denied`,
		post("desk", `{"tool":"kb_save","arguments":{"file":"more.pl","text":"more(1).\n"}}`))
	require.NoFileExists(t, filepath.Join(dir, "more.pl"))
}
