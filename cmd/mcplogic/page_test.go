//go:build unix

package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/browsertest"
)

const orderRules = `
tools([tool(total, total, 2, [description('What an order costs.')]),
       tool(price, price, 2, [description('The prices of goods.')])]).
:- mode(total(+object([customer-string, express-maybe(boolean), size-oneof([small, large]),
                       goods-list(object([name-atom, count-integer]))]), -number), one).
total({customer-_, Rest}, T) :-
    goods(Rest, Gs),
    aggregate_all(sum(S), (member({name-N, count-C}, Gs), price(N, P), S is C * P), T).
goods((A, B), Gs) :- ( goods(A, Gs) -> true ; goods(B, Gs) ).
goods(goods-Gs, Gs).
:- mode(price(?atom, -number), zero_or_more).
price(apple, 3).
price(pear, 4).
tools([tool(first_numbers, numbers, 2), tool(other_numbers, numbers, 2)]).
:- mode(numbers(+integer, -integer), zero_or_more).
:- info(numbers/2, [comment is 'Numbers.', argnames is [top, n]]).
numbers(Top, N) :- between(1, Top, N).
`

// served starts mcplogic serve and returns the address of its page.
func served(t *testing.T, args ...string) (page string, stop func()) {
	t.Helper()
	return servedBy(t, exec.CommandContext(t.Context(), "mcplogic", append([]string{"serve"}, args...)...))
}

// servedBy starts a command that serves.
func servedBy(t *testing.T, cmd *exec.Cmd) (page string, stop func()) {
	t.Helper()
	stderr, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if _, url, ok := strings.Cut(lines.Text(), "in a browser: "); ok {
			page = url
			break
		}
	}
	require.NotEmpty(t, page, "there is no page")
	go func() { _, _ = io.Copy(io.Discard, stderr) }()
	stopped := false
	stop = func() {
		if !stopped {
			stopped = true
			_ = cmd.Process.Signal(syscall.SIGTERM)
			_ = cmd.Wait()
		}
	}
	t.Cleanup(stop)
	return page, stop
}

// TestPage uses the page from one end to the other: a form with parts, an interview, a proof, a mistake that is saved
// and mended, and a server that is started anew.
func TestPage(t *testing.T) {
	b := browsertest.Start(t)
	dir, save := folder(t, orderRules)
	loans, err := filepath.Abs("../../examples/loans")
	require.NoError(t, err)
	page, stop := served(t, "--http", "127.0.0.1:0", "--explain", "--title", "Loans and prices", dir, loans)
	b.Open(page)
	b.Await(`document.querySelectorAll("nav button").length >= 4`)

	b.Eval(`document.querySelector("[data-item='Tools total']").click()`)
	set := func(name, value string) {
		b.Eval(`(() => { const all = document.querySelectorAll("#form [name='` + name + `']"), e = all[all.length - 1];
			e.value = e.tagName === "SELECT" ? [...e.options].find(o => o.text === "` + value + `").value
				: "` + value + `"; })()`)
	}
	set("customer", "ann")
	set("size", "large")
	for _, g := range [][2]string{{"apple", "2"}, {"pear", "5"}} {
		b.Eval(`document.querySelector("#form .add").click()`)
		set("name", g[0])
		set("count", g[1])
	}
	b.Eval(`document.getElementById("run").click()`)
	b.Await(`document.getElementById("result").innerText.includes("26")`)
	b.Await(`document.getElementById("calls").innerText.includes("total")`)

	b.Eval(`document.querySelector("[data-item='Tools price']").click(); document.getElementById("run").click()`)
	b.Await(`[...document.querySelectorAll("#result td")].map(e => e.innerText).includes("pear")`)
	shoot(b, "page-result.png")

	// Tools that share a predicate, and so a title, are told apart by their names. What follows a result is a button away.
	b.Eval(`document.querySelector("[data-item='Tools first_numbers']").click()`)
	require.Equal(t, "first_numbers", b.Eval(`document.querySelector("[data-item='Tools first_numbers']").innerText`))
	require.Nil(t, b.Eval(`document.querySelector("#form [name='cursor']")`))
	set("top", "150")
	b.Eval(`document.getElementById("run").click()`)
	cells := `[...document.querySelectorAll("#result td")].map(e => e.innerText)`
	b.Await(cells + `.length === 100`)
	b.Eval(`document.getElementById("next").click()`)
	b.Await(cells + `.join() === [...Array(50).keys()].map(i => i + 101).join()`)
	b.Await(`document.getElementById("next") === null`)

	b.Eval(`document.querySelector("[data-item='Tools may_have']").click()`)
	set("Person", "dan")
	set("Product", "starter")
	b.Eval(`document.getElementById("run").click()`)
	b.Await(`document.getElementById("asked")?.innerText.includes("earn in a year: dan") === true`)
	b.Eval(`document.querySelector("#question input").value = "20000"`)
	shoot(b, "page-question.png")
	b.Eval(`document.querySelector("#question button").click()`)
	b.Await(`document.getElementById("result").innerText.includes("Result")`)
	shown := `["", undefined].includes(document.querySelector("#result iframe")?.style.height) === false`
	b.Await(shown)
	b.Eval(`document.querySelector("#result iframe").scrollIntoView()`)
	b.Eval(`document.documentElement.scrollTo({top: 0, behavior: "instant"})`)
	shoot(b, "page-proof.png")
	b.Eval(`document.querySelector("[data-item='Tools price']").click(); document.getElementById("run").click()`)
	b.Await(`document.getElementById("why") !== null`)
	b.Eval(`document.getElementById("why").click()`)
	b.Await(shown)

	b.Eval(`document.querySelector("[data-item='Rules Who calls whom']").click()`)
	b.Await(`document.querySelectorAll("#result tr").length > 4`)
	row := `[...document.querySelectorAll("#result tr")].find(r => r.innerText.startsWith("goods\t")).innerText`
	require.Contains(t, b.Eval(row), "total")
	shoot(b, "page-graph.png")
	b.Eval(`document.querySelector("#result input").value = "total"`)
	b.Eval(`document.querySelector("#result input").dispatchEvent(new Event("input"))`)
	b.Await(`[...document.querySelectorAll("#result tr")].filter(r => !r.hidden).length === 2`)

	save(orderRules + "broken(\n")
	b.Await(`document.getElementById("diagnostics").innerText.includes("last good version")`)
	save(strings.Replace(orderRules, "tool(price, price, 2", "tool(cost, price, 2", 1))
	b.Await(`document.querySelector("[data-item='Tools cost']") !== null`)
	b.Await(`document.getElementById("diagnostics").innerText === "none"`)

	stop() // the page stays open over a restart
	b.Await(`document.getElementById("state").innerText.includes("not connected")`)
	address := strings.TrimSuffix(strings.TrimPrefix(page, "http://"), "/")
	again, _ := served(t, "--http", address, dir)
	require.Equal(t, page, again)
	b.Await(`document.getElementById("state").innerText === "connected"`)
	b.Eval(`document.querySelector("[data-item='Tools cost']").click(); document.getElementById("run").click()`)
	b.Await(`document.getElementById("result").innerText.includes("apple")`)
}

// TestPageTables shows a decision table at its address, the row that decided an answer, and what other facts would
// change.
func TestPageTables(t *testing.T) {
	b := browsertest.Start(t)
	dir, _ := folder(t, `
tools([tool(premium, premium, 2, [title('Premium'), description('What a customer pays for each thousand.')])]).
:- decision(rate/3, 'rates.csv').
:- mode(premium(+atom, -decimal(2)), zero_or_one).
:- info(premium/2, [argnames is [customer, premium]]).
premium(C, P) :- customer(C, Age, Risk), rate(Age, Risk, P).
:- dynamic(customer/3).
:- mode(customer(?atom, ?integer, ?oneof([low, medium, high])), zero_or_more).
:- info(customer/3, [argnames is [customer, age, risk]]).
customer(ann, 40, low).
`)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "rates.csv"), []byte("age (integer),risk (low|medium|high),"+
		"out: rate (decimal(2)),note: why\n>= 18,\"low, medium\",0.50,as usual\n>= 18,high,1.25,<b>\n< 18,-,0.75,\n"), 0o666))
	page, _ := served(t, "--http", "127.0.0.1:0", "--explain", "--what-if", "--title", "Premiums", dir)
	b.Open(page + "#" + url.PathEscape("Decision tables rate/3"))
	texts := func(selector string) string {
		return `[...document.querySelectorAll("` + selector + `")].map(e => e.innerText).join("|")`
	}
	b.Await(texts("table.decision tbody tr:nth-child(2) td") + ` === "3|>= 18|high|1.25|<b>"`)
	require.Equal(t, "rate", b.Eval(`document.querySelector("#view h2").innerText`))
	view := b.Eval(`document.getElementById("view").innerText`)
	require.Contains(t, view, "rates.csv, 3 rows. Each case fits one row only.")
	shoot(b, "page-table.png")
	require.Equal(t, "0.50 1", b.Eval(`Object.values(copied({a: readJSON("0.50"), b: readJSON("1")})).join(" ")`))

	b.Eval(`document.querySelector("[data-item='Tools premium']").click()`)
	require.Equal(t, "#Tools%20premium", b.Eval(`location.hash`))
	b.Eval(`document.querySelector("#form [name='customer']").value = "ann"; document.getElementById("run").click()`)
	b.Await(`document.getElementById("why") !== null`)
	b.Eval(`document.getElementById("why").click()`)
	b.Await(texts("tr.decided td") + ` === "2|>= 18|low, medium|0.50|as usual"`)
	require.Equal(t, 1.0, b.Eval(`document.querySelectorAll("[aria-current=true].decided").length`))
	call := b.Eval(`decodeURIComponent(location.hash)`)
	require.Equal(t, `#Tools premium?{"customer":"ann"}`, call)

	b.Eval(`document.getElementById("whatif").click()`)
	b.Await(`document.querySelectorAll("#suppose .add").length === 2`)
	b.Eval(`document.querySelectorAll("#suppose .add").forEach(e => e.click())`)
	for i, risk := range []string{"high", "low"} {
		b.Eval(fmt.Sprintf(`(() => { const at = name => document.querySelectorAll("#suppose [name='" + name + "']")[%d];
			at("customer").value = "ann"; at("age").value = "40";
			at("risk").value = [...at("risk").options].find(o => o.text === "%s").value; })()`, i, risk))
	}
	b.Eval(`document.querySelector("#suppose button.main").click()`)
	b.Await(`document.getElementById("compared").innerText.includes("The answer differs.")`)
	sides := b.Eval(texts("#compared .sides > div")).(string)
	require.Regexp(t, `(?s)^Before\s+premium\s+0\.50\s.*rates\.csv:2.*\|After.*1\.25.*assumed.*rates\.csv:3`, sides)
	b.Eval(`document.querySelectorAll("#result iframe").forEach(e => e.parentElement.remove())`)
	b.Eval(`document.body.style.zoom = "0.6"`) // the picture is small
	shoot(b, "page-what-if.png")
	b.Eval(`document.querySelector("[data-item='Decision tables rate/3']").click()`)
	b.Await(`document.querySelector("#view h2").innerText === "rate"`)
	b.Eval(`history.back()`)
	b.Await(`document.querySelector("#form [name='customer']")?.value === "ann"`)
	b.Open(page + "#" + url.PathEscape(`Tools premium?{"customer":"eve"}`))
	b.Await(`document.querySelector("#form [name='customer']")?.value === "eve"`)
}

// TestWhyHTML shows the pages of why.
func TestWhyHTML(t *testing.T) {
	b := browsertest.Start(t)
	for _, test := range []struct{ goal, title, picture, rather string }{
		{"eligible(ada, gold)", "ada may have a gold loan", "why-proof.png", ""},
		{"eligible(P, gold)", "ada may have a gold loan", "why-rather.png", "P=bob"},
		{"eligible(bob, gold)", "bob may not have a gold loan: Age 17 is below MinAge 30 " +
			"(Age>=MinAge) at loans.pl:3",
			"why-miss.png", ""},
	} {
		file := filepath.Join(t.TempDir(), "why.html")
		args := []string{"why", "--html", file, ".", test.goal}
		if test.rather != "" {
			args = append(args, "--rather-than", test.rather)
		}
		cmd := exec.CommandContext(t.Context(), "mcplogic", args...)
		cmd.Dir = filepath.Join("..", "..", "examples", "loans")
		_ = cmd.Run() // the exit code of a miss is 1
		b.Open((&url.URL{Scheme: "file", Path: file}).String())
		b.Await(`document.querySelectorAll("[role=treeitem]").length > 1`)
		require.Equal(t, test.title, b.Eval(`document.getElementById("title").textContent`))
		b.Eval(`tree.firstChild.focus()`)
		shoot(b, test.picture)
	}
}

// shoot writes a picture for the documentation when the environment says where.
func shoot(b *browsertest.Browser, name string) {
	if dir := os.Getenv("MCPLOGIC_SCREENSHOTS"); dir != "" {
		b.Screenshot(filepath.Join(dir, name))
	}
}

// TestPageIsClosed has pages of other origins and requests without a token refused.
func TestPageIsClosed(t *testing.T) {
	dir, _ := folder(t, orderRules)
	tokens := filepath.Join(t.TempDir(), "tokens")
	require.NoError(t, os.WriteFile(tokens, []byte("secret-of-ann-0123456789abcdef\n"), 0o600))
	page, _ := served(t, "--http", "127.0.0.1:0", "--token-file", tokens, dir)
	get := func(path string, header ...string) *http.Response {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, page+path, nil)
		require.NoError(t, err)
		for i := 0; i < len(header); i += 2 {
			req.Header.Set(header[i], header[i+1])
		}
		if req.Header.Get("Host") != "" {
			req.Host = req.Header.Get("Host")
		}
		r, err := (&http.Client{Timeout: time.Minute}).Do(req)
		require.NoError(t, err)
		r.Body.Close()
		return r
	}
	r := get("")
	require.Equal(t, http.StatusOK, r.StatusCode)
	policy := r.Header.Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'",
		"script-src 'sha256-"} {
		require.Contains(t, policy, want)
	}
	token := "Bearer secret-of-ann-0123456789abcdef"
	for _, path := range []string{"page/state", "page/graph", "page/tables", "page/facts?tool=total"} {
		require.Equal(t, http.StatusUnauthorized, get(path).StatusCode)
		require.Equal(t, http.StatusOK, get(path, "Authorization", token).StatusCode)
		require.Equal(t, http.StatusForbidden,
			get(path, "Authorization", token, "Origin", "https://evil.example").StatusCode)
	}
	require.Equal(t, http.StatusForbidden, get("", "Host", "evil.example").StatusCode)
	require.Equal(t, http.StatusNotFound, get("page/other").StatusCode)
}

// A question stays until it is answered, whatever else is looked at, and a result belongs to the call that it is of.
// The progress that a call reports is shown, and what it logs.
func TestPageCalls(t *testing.T) {
	b := browsertest.Start(t)
	dir, _ := folder(t, `
:- use_module(library(mcp)).
tools([tool(asks, asks, 1), tool(quick, quick, 1)]).
:- mode(asks(-atom), one).
asks(A) :- mcp_log(warning, 'take <care>'), mcp_log(debug, no), mcp_progress(1, 3, 'first part'),
    mcp_elicit('How many?', {type-object, properties-{n-{type-integer}}}, R),
    ( R = accept({n-N}) -> atom_concat(got, N, A) ; A = none ).
:- mode(quick(-atom), one).
quick(done).
`)
	page, _ := served(t, "--http", "127.0.0.1:0", dir)
	b.Open(page)
	item := func(name string) string { return `document.querySelector("[data-item='Tools ` + name + `']").click()` }
	b.Await(`document.querySelectorAll("nav button").length >= 2`)
	for _, n := range []string{"7", "8"} {
		b.Eval(item("asks") + `; document.getElementById("run").click()`)
		b.Await(`document.getElementById("asked") !== null`)
		b.Await(`document.getElementById("result").innerText === "running: 1 of 3, first part"`)
		require.Equal(t, "warning: take <care>", b.Eval(`document.getElementById("logs").innerText.trim()`))
		b.Eval(item("quick"))
		require.Equal(t, "How many?", b.Eval(`document.getElementById("asked").innerText`))
		b.Eval(`document.getElementById("run").click()`)
		b.Await(`document.getElementById("result").innerText.includes("done")`)
		require.Equal(t, "How many?", b.Eval(`document.getElementById("asked").innerText`))
		b.Eval(`document.querySelector("#question [name='n']").value = ` + n +
			`; document.querySelector("#question button.main").click()`)
		b.Await(`document.getElementById("calls").innerText.includes("got` + n + `") || ` +
			`document.getElementById("calls").textContent.includes("got` + n + `")`)
		require.Contains(t, b.Eval(`document.getElementById("view").innerText`), "done")
		require.NotContains(t, b.Eval(`document.getElementById("view").innerText`), "got")
		b.Eval(item("asks"))
		b.Await(`document.getElementById("result").innerText.includes("got` + n + `")`)
		require.Equal(t, "warning: take <care>", b.Eval(`document.getElementById("logs").innerText.trim()`))
	}
}
