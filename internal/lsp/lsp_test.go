package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/deep"
)

// client is a scripted editor at the other end of real pipes.
type client struct {
	t     *testing.T
	in    *bufio.Reader
	pipe  *os.File
	out   io.Writer
	id    int
	dir   string
	texts map[string]string
	done  chan error
	// published are the last diagnostics of each file.
	published map[string]publishParams
}

// reply is a message of the server.
type reply struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *responseError  `json:"error"`
}

// start starts a server for a folder with files.
func start(t *testing.T, files map[string]string) *client {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for name, text := range files {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	return startIn(t, dir)
}

func startIn(t *testing.T, dir string) *client {
	c := connect(t)
	c.dir = dir
	var result struct{ Capabilities map[string]any }
	c.call("initialize", map[string]any{"processId": nil, "rootUri": uriOf(dir), "capabilities": map[string]any{
		"textDocument": map[string]any{"completion": map[string]any{"completionItem": map[string]any{
			"snippetSupport": true}}}}}, &result)
	require.Contains(t, result.Capabilities, "completionProvider")
	c.notify("initialized", map[string]any{})
	return c
}

// connect starts a server.
func connect(t *testing.T) *client {
	fromEditor, toServer, err := os.Pipe()
	require.NoError(t, err)
	fromServer, toEditor, err := os.Pipe()
	require.NoError(t, err)
	c := &client{t: t, in: bufio.NewReader(fromServer), pipe: fromServer, out: toServer, texts: map[string]string{},
		published: map[string]publishParams{}, done: make(chan error, 1)}
	go func() {
		c.done <- Run(context.Background(), fromEditor, toEditor, &Options{Log: os.Stderr})
		toEditor.Close()
	}()
	t.Cleanup(func() {
		toServer.Close()
		go func() { _, _ = io.Copy(io.Discard, c.in) }()
		<-c.done
		fromServer.Close()
		fromEditor.Close()
	})
	return c
}

func (c *client) send(m any) {
	data, err := json.Marshal(m)
	require.NoError(c.t, err)
	c.raw(string(data))
}

func (c *client) raw(text string) {
	_, err := fmt.Fprintf(c.out, "Content-Length: %d\r\n\r\n%s", len(text), text)
	require.NoError(c.t, err)
}

// read returns the next message. Diagnostics are kept.
func (c *client) read() reply {
	c.t.Helper()
	require.NoError(c.t, c.pipe.SetReadDeadline(time.Now().Add(5*time.Minute)))
	header, err := textproto.NewReader(c.in).ReadMIMEHeader()
	require.NoError(c.t, err, "%v", c.published)
	n, err := strconv.Atoi(header.Get("Content-Length"))
	require.NoError(c.t, err)
	body := make([]byte, n)
	_, err = io.ReadFull(c.in, body)
	require.NoError(c.t, err)
	var m reply
	require.NoError(c.t, json.Unmarshal(body, &m))
	if m.Method == "textDocument/publishDiagnostics" {
		var p publishParams
		require.NoError(c.t, json.Unmarshal(m.Params, &p))
		c.published[filepath.Base(p.URI)] = p
	}
	return m
}

func (c *client) notify(method string, params any) {
	c.send(outgoing{Version: "2.0", Method: method, Params: params})
}

// ask returns the answer to a request.
func (c *client) ask(method string, params any) reply {
	c.id++
	c.send(outgoing{Version: "2.0", ID: c.id, Method: method, Params: params})
	for {
		if m := c.read(); string(m.ID) == strconv.Itoa(c.id) {
			return m
		}
	}
}

// call reads the result of a request.
func (c *client) call(method string, params, result any) {
	c.t.Helper()
	m := c.ask(method, params)
	require.Nil(c.t, m.Error, "%s: %v", method, m.Error)
	require.NoError(c.t, json.Unmarshal(m.Result, result))
}

func (c *client) uri(name string) string { return uriOf(filepath.Join(c.dir, name)) }

// open opens a file with a text.
func (c *client) open(name, text string) {
	c.texts[name] = text
	c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": c.uri(name),
		"languageId": "prolog", "version": 1, "text": text}})
}

// edit puts a text for another that stands in the document once.
func (c *client) edit(name, old, text string) {
	c.t.Helper()
	require.Equal(c.t, 1, strings.Count(c.texts[name], old))
	from := c.place(name, old, 0)
	to := c.place(name, old, len(old))
	c.texts[name] = strings.Replace(c.texts[name], old, text, 1)
	c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": c.uri(name), "version": 2},
		"contentChanges": []any{map[string]any{"range": span{from, to}, "text": text}}})
}

// place returns the place some bytes behind the beginning of a text that stands in the document.
func (c *client) place(name, text string, plus int) position {
	c.t.Helper()
	at := strings.Index(c.texts[name], text)
	require.GreaterOrEqual(c.t, at, 0, text)
	before := c.texts[name][:at+plus]
	line := strings.Count(before, "\n")
	return position{line, len(utf16.Encode([]rune(before[strings.LastIndexByte(before, '\n')+1:])))}
}

func (c *client) at(name, text string, plus int) map[string]any {
	return map[string]any{"textDocument": documentID{URI: c.uri(name)}, "position": c.place(name, text, plus)}
}

// diagnostics waits until the diagnostics of a file are these codes.
func (c *client) diagnostics(name string, codes ...string) []diagnostic {
	c.t.Helper()
	want := strings.Join(codes, " ")
	for began := time.Now(); time.Since(began) < 5*time.Minute; {
		p, ok := c.published[name]
		got := make([]string, len(p.Diagnostics))
		for i, d := range p.Diagnostics {
			got[i] = d.Code
		}
		if ok && strings.Join(got, " ") == want {
			return p.Diagnostics
		}
		c.read()
	}
	require.Fail(c.t, "no such diagnostics", "%s: %s; got %v", name, want, c.published[name])
	return nil
}

const family = `% The family.
parent(ann, bob).
parent(bob, 'Zoë 𝒳').

% ancestor(?A, ?D): A is an ancestor of D.
ancestor(A, D) :- parent(A, D).
ancestor(A, D) :-
    parent(A, P), /* 𝒳𝒳 */ ancestor(P, D).
`

const uses = `:- mode(kin(+atom, -atom), zero_or_more).
:- info(kin/2, [comment is 'Finds kin.', argnames is [who, whom]]).
kin(X, Y) :- ancestor(Z, X), ancestor(Z, Y), X \== Y.
all(L) :- findall(X-Y, kin(X, Y), L0), sort(L0, L), maplist(writeln, L).
`

func TestDiagnosticsOfUnsavedTexts(t *testing.T) {
	c := start(t, map[string]string{"a.pl": family, "b.pl": uses})
	c.open("a.pl", family)
	c.diagnostics("a.pl")
	c.edit("a.pl", "% ancestor(?A", "new(X) :- missing(Y).\n% ancestor(?A")
	list := c.diagnostics("a.pl", "singleton", "undefined")
	require.Equal(t, span{position{4, 4}, position{4, 5}}, list[0].Range)
	require.Equal(t, 2, list[0].Severity)
	require.Equal(t, span{position{4, 10}, position{4, 17}}, list[1].Range)
	c.edit("a.pl", "new(X) :- missing(Y).\n", "p :- parent(ann, bob), foo bar.\n")
	list = c.diagnostics("a.pl", "syntax")
	require.Equal(t, 1, list[0].Severity)
	require.Equal(t, position{4, 27}, list[0].Range.Start)
	c.edit("a.pl", "p :- parent(ann, bob), foo bar.\n", "")
	c.diagnostics("a.pl")
}

func TestFixes(t *testing.T) {
	text := "p(X, Y) :- 𝒳 = 1, Y = X + 1, Y > 2.\nq :- p(1, _), lenght([], _).\n"
	c := start(t, map[string]string{"a.pl": text})
	c.open("a.pl", text)
	var actions []codeAction
	for range 100 {
		c.read()
		c.call("textDocument/codeAction", map[string]any{"textDocument": documentID{URI: c.uri("a.pl")},
			"range": span{position{1, 0}, position{1, 30}}, "context": map[string]any{"diagnostics": []any{}}}, &actions)
		if len(actions) > 0 {
			break
		}
	}
	require.Len(t, actions, 2)
	require.Equal(t, "Change to length", actions[0].Title)
	want := []textEdit{{span{position{1, 14}, position{1, 20}}, "length"}}
	require.Equal(t, want, actions[0].Edit.Changes[c.uri("a.pl")])
	require.Equal(t, "Ignore undefined here", actions[1].Title)
}

func TestNavigation(t *testing.T) {
	c := start(t, map[string]string{"a.pl": family, "b.pl": uses})
	c.open("a.pl", family)
	c.open("b.pl", uses)
	c.indexed("kin", 2)
	var list []location
	c.call("textDocument/definition", c.at("b.pl", "ancestor(Z, X)", 3), &list)
	require.Equal(t, []location{{c.uri("a.pl"), span{position{5, 0}, position{5, 8}}}}, list)
	params := c.at("a.pl", "ancestor(P, D)", 1)
	params["context"] = map[string]any{"includeDeclaration": true}
	c.call("textDocument/references", params, &list)
	require.Len(t, list, 5)
	require.Equal(t, span{c.place("a.pl", "ancestor(P", 0), c.place("a.pl", "ancestor(P", 8)}, list[2].Range)
	var edit workspaceEdit
	params = c.at("a.pl", "ancestor(A, D) :- parent", 1)
	params["newName"] = "Forebear of"
	c.call("textDocument/rename", params, &edit)
	require.Len(t, edit.Changes[c.uri("a.pl")], 3)
	require.Len(t, edit.Changes[c.uri("b.pl")], 2)
	require.Equal(t, "'Forebear of'", edit.Changes[c.uri("b.pl")][0].NewText)
	params["newName"] = "parent"
	require.Contains(t, c.ask("textDocument/rename", params).Error.Message, "parent/2 is defined already, at a.pl:2")
	params = c.at("b.pl", "findall", 1)
	params["newName"] = "x"
	require.Contains(t, c.ask("textDocument/rename", params).Error.Message, "not defined in these files")
	params = c.at("b.pl", "Z, X", 0)
	params["newName"] = "Elder"
	c.call("textDocument/rename", params, &edit)
	require.Len(t, edit.Changes[c.uri("b.pl")], 2)
	params["newName"] = "elder"
	require.Contains(t, c.ask("textDocument/rename", params).Error.Message, "no name of a variable")
	var marks []highlightResult
	c.call("textDocument/documentHighlight", c.at("b.pl", "X, Y) :-", 0), &marks)
	require.Len(t, marks, 3)
}

// TestRenameAtOnce renames in all files of a folder, also before they have been indexed beside the requests.
func TestRenameAtOnce(t *testing.T) {
	files := map[string]string{"a.pl": family, "b.pl": uses}
	for i := range 200 {
		files[fmt.Sprintf("many/f%d.pl", i)] = fmt.Sprintf("f%d(X) :- ancestor(X, _).\n", i)
	}
	for _, method := range []string{"textDocument/rename", "textDocument/references"} {
		c := start(t, files)
		c.open("a.pl", family)
		params := c.at("a.pl", "ancestor(A, D) :- parent", 1)
		params["newName"] = "forebear"
		var answer json.RawMessage
		c.call(method, params, &answer)
		require.Equal(t, 200, strings.Count(string(answer), "many/f"), method)
	}
}

// TestVersionedEdits has the version of an open text in its edits, and null for others, if the editor knows versions.
func TestVersionedEdits(t *testing.T) {
	c := connect(t)
	c.dir = t.TempDir()
	for name, text := range map[string]string{"a.pl": family, "b.pl": uses} {
		require.NoError(t, os.WriteFile(filepath.Join(c.dir, name), []byte(text), 0o666))
	}
	workspace := map[string]any{"workspaceEdit": map[string]any{"documentChanges": true}}
	c.call("initialize", map[string]any{"rootUri": uriOf(c.dir), "capabilities": map[string]any{
		"workspace": workspace}}, new(any))
	c.notify("initialized", map[string]any{})
	c.open("a.pl", family)
	c.indexed("kin", 2)
	params := c.at("a.pl", "ancestor(A, D) :- parent", 1)
	params["newName"] = "forebear"
	var edit map[string][]map[string]json.RawMessage
	c.call("textDocument/rename", params, &edit)
	require.Len(t, edit, 1)
	list := edit["documentChanges"]
	require.JSONEq(t, `{"uri": "`+c.uri("a.pl")+`", "version": 1}`, string(list[0]["textDocument"]))
	require.JSONEq(t, `{"uri": "`+c.uri("b.pl")+`", "version": null}`, string(list[1]["textDocument"]))
	params = c.at("a.pl", "A, D) :- parent", 0)
	params["newName"] = "Elder"
	c.call("textDocument/rename", params, &edit)
	require.Len(t, edit["documentChanges"], 1)
	c.open("c.pl", ":- use_module(a).\n")
	c.call("workspace/willRenameFiles", map[string]any{"files": []any{
		map[string]any{"oldUri": c.uri("a.pl"), "newUri": c.uri("d.pl")}}}, &edit)
	require.JSONEq(t, `{"uri": "`+c.uri("c.pl")+`", "version": 1}`, string(edit["documentChanges"][0]["textDocument"]))
}

// TestRenameExamples renames a predicate in the examples of info/2 too.
func TestRenameExamples(t *testing.T) {
	text := ":- info(likes/2, [comment is 'Who likes what.', examples is ['Ann' - likes(ann, X) - {X = tea}," +
		"'Bob' - (likes(bob, X), \\+ likes(X, ann)) - {fail}]]).\n:- explain([likes/2], key).\n" +
		"tools([tool(likes, likes, 2)]).\nlikes(ann, tea).\n"
	c := start(t, map[string]string{"a.pl": text})
	c.open("a.pl", text)
	c.indexed("likes", 1)
	params := c.at("a.pl", "likes(ann, tea)", 1)
	params["newName"] = "enjoys"
	var edit workspaceEdit
	c.call("textDocument/rename", params, &edit)
	require.Len(t, edit.Changes[c.uri("a.pl")], 7)
}

// TestRenameBroken renames nothing while a clause with the name has an error, in any file, as it would stay there.
func TestRenameBroken(t *testing.T) {
	for name, test := range map[string]struct{ a, b, refused string }{
		"same file":    {"likes(ann, tea).\np(X) :- likes(X, .\n", "far.\n", "a.pl:2: a clause with a syntax error has"},
		"other file":   {"likes(ann, tea).\n", "far.\np(X) :- likes(X, Y) Z.\n", "b.pl:2: a clause"},
		"other name":   {"likes(ann, tea).\np(X) :- knows(X, .\n", "far.\n", ""},
		"another text": {"likes(ann, tea).\np(X) :- q('likes it', .\n", "far.\n", ""},
	} {
		c := start(t, map[string]string{"a.pl": test.a, "b.pl": test.b})
		c.open("a.pl", test.a)
		c.indexed("far", 1)
		params := c.at("a.pl", "likes(ann, tea)", 1)
		params["newName"] = "enjoys"
		if test.refused != "" {
			r := c.ask("textDocument/rename", params)
			require.NotNil(t, r.Error, name)
			require.Contains(t, r.Error.Message, test.refused)
			continue
		}
		var edit workspaceEdit
		c.call("textDocument/rename", params, &edit)
		require.Len(t, edit.Changes, 1, name)
	}
}

// TestHalfWritten has the error of a clause that is being written at the bracket that is open, or at its last token.
func TestHalfWritten(t *testing.T) {
	for _, test := range []struct{ half, mark string }{
		{"broken(X) :- foo(", "foo"}, {"broken(X) :- foo(X", "foo"}, {"broken(X) :-", "-"}, {"broken(X) :- a, [b", "["},
		{"broken(X) :- foo(X)", ")"}, {"broken", "broken"},
	} {
		c := start(t, map[string]string{"a.pl": family})
		c.open("a.pl", family)
		c.diagnostics("a.pl")
		c.edit("a.pl", "% ancestor(?A", test.half+"\n\n% ancestor(?A")
		begin := c.place("a.pl", test.half, strings.LastIndex(test.half, test.mark))
		for range 2 {
			list := c.diagnostics("a.pl", "syntax")
			require.Equal(t, span{begin, position{begin.Line, begin.Character + len(test.mark)}}, list[0].Range, test.half)
			c.edit("a.pl", "% ancestor(?A", "% more\n% ancestor(?A") // one more time, with the load behind it
		}
	}
}

// indexed waits until the files of the folder are known.
func (c *client) indexed(name string, n int) {
	c.t.Helper()
	for began := time.Now(); time.Since(began) < 5*time.Minute; {
		var list []symbolInformation
		c.call("workspace/symbol", symbolParams{""}, &list)
		if len(list) >= n && strings.Contains(fmt.Sprint(list), name) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	require.Fail(c.t, "not indexed")
}

func TestHoverAndSignatures(t *testing.T) {
	c := start(t, map[string]string{"a.pl": family, "b.pl": uses})
	c.open("a.pl", family)
	c.open("b.pl", uses)
	c.indexed("kin", 2)
	var h hoverResult
	c.call("textDocument/hover", c.at("b.pl", "ancestor(Z, X)", 3), &h)
	require.Contains(t, h.Contents.Value, "A is an ancestor of D.")
	require.Contains(t, h.Contents.Value, "2 clauses, a.pl:6")
	c.call("textDocument/hover", c.at("b.pl", "kin(X, Y), L0", 1), &h)
	require.Contains(t, h.Contents.Value, "kin(who, whom)")
	require.Contains(t, h.Contents.Value, "Finds kin.")
	require.Contains(t, h.Contents.Value, "kin(+atom,-atom) is zero_or_more")
	c.call("textDocument/hover", c.at("b.pl", "findall", 1), &h)
	require.Contains(t, h.Contents.Value, "findall(?Template, :Goal, -List)")
	c.call("textDocument/hover", c.at("b.pl", "writeln", 1), &h)
	require.Contains(t, h.Contents.Value, "writeln")
	var hints []inlayHint
	whole := map[string]any{"start": position{0, 0}, "end": position{4, 0}}
	c.call("textDocument/inlayHint", map[string]any{"textDocument": map[string]any{"uri": c.uri("b.pl")}, "range": whole},
		&hints)
	at := c.place("b.pl", "kin(X, Y), L0", 4)
	require.Equal(t, []inlayHint{{at, "who:", 2, true}, {position{at.Line, at.Character + 3}, "whom:", 2, true}}, hints)
	c.edit("b.pl", "all(L) :-", "all(L) :- kin(ann, ")
	var sig signatures
	c.call("textDocument/signatureHelp", c.at("b.pl", "kin(ann, ", 9), &sig)
	require.Equal(t, "kin(who, whom)", sig.Signatures[0].Label)
	require.Equal(t, 1, sig.ActiveParameter)
	require.Equal(t, parameter{[2]int{9, 13}}, sig.Signatures[0].Parameters[1])
}

func labels(list completionList) (names []string) {
	for _, item := range list.Items {
		names = append(names, item.Label)
	}
	return names
}

// TestExactValues shows decimals and dates of a text by their digits, and completes types in mode/2.
func TestExactValues(t *testing.T) {
	const text = ":- mode(due(-dec, -da), one).\ndue(119r100, date(2024, 2, 29)).\n" +
		"long(duration(5400, 0), f(x, date(2023, 2, 29))).\n"
	c := start(t, map[string]string{"a.pl": text})
	c.open("a.pl", text)
	c.indexed("due", 1)
	for of, want := range map[string]string{"119r100": "1.19", "date(2024": "2024-02-29", "duration": "PT1H30M"} {
		var h hoverResult
		c.call("textDocument/hover", c.at("a.pl", of, 1), &h)
		require.Equal(t, want, h.Contents.Value)
	}
	var none *hoverResult
	c.call("textDocument/hover", c.at("a.pl", "date(2023", 1), &none)
	require.Nil(t, none, "there is no such day")
	for of, want := range map[string]string{"dec,": "decimal(N)", "da)": "datetime"} {
		var list completionList
		c.call("textDocument/completion", c.at("a.pl", of, 2), &list)
		require.Contains(t, labels(list), want)
		require.NotContains(t, labels(list), "date/1")
	}
}

func TestCompletion(t *testing.T) {
	c := start(t, map[string]string{"a.pl": family, "b.pl": uses, "m.pl": ":- module(tools, [hammer/1]).\nhammer(x).\n"})
	c.open("a.pl", family)
	c.open("b.pl", uses)
	c.indexed("hammer", 4)
	var list completionList
	c.edit("b.pl", "kin(X, Y) :- ", "kin(X, Y) :- anc")
	c.call("textDocument/completion", c.at("b.pl", ":- anc", 6), &list)
	require.Equal(t, "ancestor/2", list.Items[0].Label)
	require.Equal(t, "ancestor(${1:A}, ${2:D})", list.Items[0].TextEdit.NewText)
	// A clause that is half written takes nothing away.
	c.edit("a.pl", "% ancestor(?A", "half(X) :- par\n\n% ancestor(?A")
	c.call("textDocument/completion", c.at("b.pl", ":- anc", 6), &list)
	require.Contains(t, labels(list), "ancestor/2")
	c.call("textDocument/completion", c.at("a.pl", ":- par\n", 6), &list)
	require.Equal(t, "parent/2", list.Items[0].Label)
	c.edit("b.pl", "maplist(writeln, L)", "mapl, tools:h, X = [Zz, Z")
	c.call("textDocument/completion", c.at("b.pl", "mapl,", 4), &list)
	require.Contains(t, labels(list), "maplist/3")
	require.Contains(t, list.Items[0].Documentation.Value, "library(apply)")
	c.call("textDocument/completion", c.at("b.pl", "tools:h", 7), &list)
	require.Equal(t, []string{"hammer/1"}, labels(list))
	c.call("textDocument/completion", c.at("b.pl", "[Zz, Z", 6), &list)
	require.Equal(t, []string{"Zz"}, labels(list))
	c.edit("b.pl", ":- mode", ":- use_module(library(cle\n% par\n:- mode")
	c.call("textDocument/completion", c.at("b.pl", "library(cle", 11), &list)
	require.Equal(t, []string{"cleanup"}, labels(list))
	c.call("textDocument/completion", c.at("b.pl", "% par", 5), &list)
	require.Empty(t, list.Items)
}

func TestSymbolsFoldsTokensFormatting(t *testing.T) {
	c := start(t, map[string]string{"a.pl": family})
	c.open("a.pl", family)
	in := map[string]any{"textDocument": documentID{URI: c.uri("a.pl")}}
	var symbols []documentSymbol
	c.call("textDocument/documentSymbol", in, &symbols)
	require.Len(t, symbols, 2)
	require.Equal(t, "ancestor/2", symbols[1].Name)
	var folds []foldingRange
	c.call("textDocument/foldingRange", in, &folds)
	require.Equal(t, []foldingRange{{StartLine: 6, EndLine: 7}}, folds)
	var tokens tokensResult
	c.call("textDocument/semanticTokens/full", in, &tokens)
	require.Equal(t, []int{1, 0, 6, typeFunction, modifierDefinition, 0, 7, 3, typeAtom, 0}, tokens.Data[:10])
	require.Zero(t, len(tokens.Data)%5)
	var edits []textEdit
	c.call("textDocument/formatting", in, &edits)
	require.Empty(t, edits)
	c.edit("a.pl", "parent(bob, 'Zoë 𝒳').", "parent(bob,'Zoë 𝒳') .")
	c.call("textDocument/formatting", in, &edits)
	require.Equal(t, []textEdit{{span{position{2, 0}, position{3, 0}}, "parent(bob, 'Zoë 𝒳').\n"}}, edits)
	c.edit("a.pl", "parent(ann", "parent ann")
	require.Contains(t, c.ask("textDocument/formatting", in).Error.Message, "not formatted")
}

// TestBadMessages sends what no editor should send.
func TestBadMessages(t *testing.T) {
	c := connect(t)
	require.Equal(t, codeNotInitialized, c.ask("textDocument/hover", nil).Error.Code)
	c.dir = t.TempDir()
	c.call("initialize", map[string]any{"rootUri": nil, "capabilities": map[string]any{}}, new(any))
	c.open("a.pl", "p(X) :- q(X).\n")
	for _, method := range []string{"textDocument/hover", "textDocument/completion", "textDocument/definition",
		"textDocument/references", "textDocument/rename", "textDocument/documentSymbol", "textDocument/foldingRange",
		"textDocument/semanticTokens/full", "textDocument/codeAction", "textDocument/formatting",
		"textDocument/signatureHelp", "textDocument/prepareRename", "textDocument/documentHighlight"} {
		for _, params := range []any{nil, 1, []int{}, "x", map[string]any{"textDocument": 7},
			map[string]any{"textDocument": documentID{URI: "file:///nowhere.pl"}}} {
			require.NotNil(t, c.ask(method, params).Error, "%s %v", method, params)
		}
		for _, p := range []position{{-1, -1}, {1 << 40, 1 << 40}, {0, 1 << 40}, {5, 0}} {
			c.ask(method, map[string]any{"textDocument": documentID{URI: c.uri("a.pl")}, "position": p, "newName": "\x00",
				"range": span{p, p}})
		}
	}
	require.Equal(t, codeMethodNotFound, c.ask("no/such", nil).Error.Code)
	c.notify("textDocument/didChange", map[string]any{"textDocument": documentID{URI: c.uri("a.pl")},
		"contentChanges": []any{map[string]any{"range": span{position{9, 9}, position{-1, 3}}, "text": "x"}}})
	c.notify("textDocument/didChange", 12)
	c.notify("$/whatever", nil)
	c.raw(`{"jsonrpc": "2.0", "id": 99`)
	for {
		if m := c.read(); m.Error != nil {
			require.Equal(t, -32700, m.Error.Code)
			break
		}
	}
	c.raw(`[1, 2]`)
	c.raw(`{"jsonrpc": "2.0", "id": 77}`)
	c.call("shutdown", nil, new(any))
	require.NotNil(t, c.ask("textDocument/hover", nil).Error)
	c.notify("exit", nil)
	require.NoError(t, <-c.done)
	c.done <- nil
}

// TestLargeAndBinaryTexts has files of 50 MB and of bytes that are no text in the folder, and opens both. What is asked
// about another text is answered at once.
func TestLargeAndBinaryTexts(t *testing.T) {
	bytes := make([]byte, 1<<20)
	for i := range bytes {
		bytes[i] = byte(i * i >> 3)
	}
	large := "first(1).\n" + strings.Repeat("fact(some, number, of, atoms, in, a, line).\n", deep.Count(5, 50)<<20/44)
	c := start(t, map[string]string{"a.pl": "p(X) :- q(X).\n", "bytes.pl": string(bytes), "large.pl": large})
	c.open("a.pl", "p(X) :- nowhere(X).\n")
	c.open("large.pl", large)
	c.edit("large.pl", "first(1)", "first(2)")
	c.open("bytes.pl", strings.ToValidUTF8(string(bytes), "\uFFFD"))
	var list []documentSymbol
	c.call("textDocument/documentSymbol", map[string]any{"textDocument": documentID{URI: c.uri("a.pl")}}, &list)
	require.Len(t, list, 1)
	c.diagnostics("a.pl", "undefined")
	for len(c.published["bytes.pl"].Diagnostics) == 0 {
		c.call("textDocument/documentSymbol", map[string]any{"textDocument": documentID{URI: c.uri("a.pl")}}, &list)
		time.Sleep(10 * time.Millisecond)
	}
	require.Less(t, len(c.published["bytes.pl"].Diagnostics), 10_000)
}

// TestEditorGoes ends the input without a request shutdown, while a directive runs.
func TestEditorGoes(t *testing.T) {
	text := ":- initialization((repeat, fail)).\n"
	c := start(t, map[string]string{"a.pl": text})
	c.open("a.pl", text)
	began := time.Now()
	c.out.(io.Closer).Close()
	require.ErrorIs(t, <-c.done, ErrNoShutdown)
	c.done <- nil
	require.Less(t, time.Since(began), 2*time.Minute)
}

func TestPlaces(t *testing.T) {
	text := "aé𝒳b\r\n\nשלום\n"
	lines := indexLines(text)
	for offset := range text {
		p := lines.position(text, offset)
		if text[offset] != '\n' && text[offset] != '\r' {
			require.Equal(t, offset, lines.offset(text, p), "%d %v", offset, p)
		}
	}
	require.Equal(t, position{0, 4}, lines.place(text, 1, 4))
	require.Equal(t, position{2, 4}, lines.position(text, len("aé𝒳b\r\n\nשלום")))
	require.Equal(t, len("aé"), lines.offset(text, position{0, 3})) // in the middle of a pair
}

// FuzzMessage looks for messages that crash a handler.
func FuzzMessage(f *testing.F) {
	for _, text := range []string{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`,
		`{"method":"textDocument/didOpen","params":{"textDocument":{"uri":"untitled:a","text":"p(X):-q(X."}}}`,
		`{"id":1,"method":"textDocument/completion","params":{"textDocument":{"uri":"untitled:a"},
			"position":{"line":0,"character":3}}}`,
		`{"id":1,"method":"textDocument/hover","params":{"textDocument":{"uri":"untitled:a"},
			"position":{"line":0,"character":7}}}`,
		`{"method":"textDocument/didChange","params":{"textDocument":{"uri":"untitled:a"},
			"contentChanges":[{"text":"'"}]}}`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		s := &server{ctx: ctx, out: io.Discard, docs: map[string]*document{}, space: newWorkspace(), began: true}
		s.loads = newLoader(s)
		var crashes strings.Builder
		s.o.Log = &crashes
		d := &document{uri: "untitled:a", path: "untitled:a"}
		d.set("p(X) :- q(X, 'a\nb(Y) :- c(")
		s.docs[d.path] = d
		s.space.open(d.path, d.text)
		s.message([]byte(text))
		cancel()
		s.loads.wait()
		require.NotContains(t, crashes.String(), "goroutine")
	})
}
