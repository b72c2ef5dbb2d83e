//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/browsertest"
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
	v.shows("#result", "0.5")
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

	// What was called is a decision, with its reasons, and would still be decided so.
	v.goTo("Decisions")
	v.shows("#result", "premium")
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
			for _, path := range []string{"file", "history", "keep", "decisions", "decision", "replay"} {
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
		})
	}
}
