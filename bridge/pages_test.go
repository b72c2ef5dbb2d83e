package bridge

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/bridge/internal/sealed"
	"github.com/mcplogic/mcplogic/internal/wire"
	"github.com/mcplogic/mcplogic/tools/bridgetest"
)

const manyText = `
:- mode(upto(+integer, -integer), zero_or_more).
:- info(upto/2, [comment is 'Numbers. In order.', argnames is [top, n]]).
upto(Top, N) :- between(1, Top, N).
:- mode(long(-string), zero_or_more).
:- info(long/1, [comment is 'Long texts.']).
long(T) :- between(1, 9, N), length(L, 20000), maplist(=(0'a), L), string_codes(S, L), string_concat(N, S, T).
tools([tool(upto, upto, 2, [always_load(true), meta({"a/b"-1})]), tool(short, upto, 2, [max_result(100)])]).
tools([tool(long, long, 1)]).
`

// page calls a tool and returns how many solutions come, the first number of them, and the cursor.
func pageOf(t *testing.T, cs *mcp.ClientSession, tool, args string) (n int, first any, cursor string) {
	r := bridgetest.CallTool(t, cs, tool, args)
	require.False(t, r.IsError, "%v", bridgetest.TextsOf(r))
	var page struct {
		Solutions []map[string]any
		More      bool
		Cursor    string
	}
	require.NoError(t, json.Unmarshal([]byte(structureOf(t, r)), &page))
	require.Equal(t, page.More, page.Cursor != "")
	text := strings.Join(bridgetest.TextsOf(r), "")
	require.Equal(t, page.More, page.Cursor != "" && strings.HasSuffix(text, page.Cursor))
	require.LessOrEqual(t, len(text), sealed.DefaultText+1000)
	if len(page.Solutions) > 0 {
		first = page.Solutions[0]["n"]
	}
	return len(page.Solutions), first, page.Cursor
}

// A call goes on where the one before has ended, until all solutions have come once.
func TestSolutionPages(t *testing.T) {
	for _, version := range []string{"2025-06-18", wire.VersionStateless} {
		cs := connect(t, NewServer(loadText(t, manyText), nil), version, nil)
		n, first, cursor := pageOf(t, cs, "upto", `{"top": 250}`)
		require.Equal(t, []any{100, 1.0}, []any{n, first})
		n, first, cursor = pageOf(t, cs, "upto", fmt.Sprintf(`{"cursor": %q, "top": 250}`, cursor))
		require.Equal(t, []any{100, 101.0}, []any{n, first})
		n, first, cursor = pageOf(t, cs, "upto", fmt.Sprintf(`{"cursor": %q, "top": 250}`, cursor))
		require.Equal(t, []any{50, 201.0, ""}, []any{n, first, cursor})
		n, _, cursor = pageOf(t, cs, "upto", `{"top": 3, "cursor": null}`)
		require.Equal(t, []any{3, ""}, []any{n, cursor})

		total := 0
		for args := `{}`; args != ""; {
			n, _, cursor := pageOf(t, cs, "long", args)
			require.Positive(t, n)
			total += n
			args = ""
			if cursor != "" {
				args = fmt.Sprintf(`{"cursor": %q}`, cursor)
			}
		}
		require.Equal(t, 9, total)
		n, _, _ = pageOf(t, cs, "short", `{"top": 50}`)
		require.Less(t, n, 20)
	}
}

// Cursors that are made up, damaged, of another call or too old are refused in words.
func TestBadCursors(t *testing.T) {
	s := NewServer(loadText(t, manyText), nil)
	cs := connect(t, s, "2025-06-18", nil)
	_, _, cursor := pageOf(t, cs, "upto", `{"top": 250}`)
	refused := func(tool, args, code, words string) {
		r := bridgetest.CallTool(t, cs, tool, args)
		require.True(t, r.IsError, args)
		require.Equal(t, code, r.Meta[refusal.MetaCode])
		require.Contains(t, strings.Join(bridgetest.TextsOf(r), ""), words)
	}
	for _, bad := range []string{"x", ".", "1-1-1.", "ffffffffffffffffffff-1-1.aaaaaaaaaaaaaaaa", "9" + cursor,
		cursor + "9", strings.Replace(cursor, "64-", "63-", 1)} {
		refused("upto", fmt.Sprintf(`{"top": 250, "cursor": %q}`, bad), "bad_cursor", "no cursor of a result")
	}
	refused("upto", fmt.Sprintf(`{"top": 251, "cursor": %q}`, cursor), "bad_cursor", "no cursor of a result")
	refused("short", fmt.Sprintf(`{"top": 250, "cursor": %q}`, cursor), "bad_cursor", "no cursor of a result")
	refused("upto", `{"top": 250, "cursor": 7}`, "bad_arguments", "cursor: expected a string")

	next := loadText(t, manyText)
	next.Version = 2
	s.Sync(next)
	n, first, _ := pageOf(t, cs, "upto", fmt.Sprintf(`{"cursor": %q, "top": 250}`, cursor))
	require.Equal(t, []any{100, 101.0}, []any{n, first}, "the solutions are the same")
	s.Sync(loadText(t, strings.Replace(manyText, "between(1, Top, N).", "between(2, Top, N).", 1)))
	refused("upto", fmt.Sprintf(`{"top": 250, "cursor": %q}`, cursor), "bad_cursor", "no longer the same")
}

// A cursor is good as long as the solutions before it are the same, also on another server with the same key.
func TestCursorsAndFacts(t *testing.T) {
	snapshot := loadText(t, `
		:- dynamic(seen/1).
		:- mode(seen(-integer), zero_or_more).
		:- info(seen/1, [comment is 'What was seen.', argnames is [n]]).
		:- mode(note(+integer), one).
		:- info(note/1, [comment is 'Notes a number.', argnames is [n]]).
		note(N) :- assertz(seen(N)).
		:- mode(forget(+integer), one).
		:- info(forget/1, [comment is 'Forgets a number.', argnames is [n]]).
		forget(N) :- retract(seen(N)).
		tools([tool(seen, seen, 1, [limit(2)]), tool(note, note, 1), tool(forget, forget, 1)]).
		seen(1). seen(2). seen(3).
	`)
	key := []byte("a key that two servers share, of some length")
	cs := connect(t, NewServer(snapshot, &Options{StateKey: key}), "2025-06-18", nil)
	other := connect(t, NewServer(snapshot, &Options{StateKey: key}), "2025-06-18", nil)
	_, _, cursor := pageOf(t, cs, "seen", `{}`)
	rest := fmt.Sprintf(`{"cursor": %q}`, cursor)
	bridgetest.CallTool(t, cs, "note", `{"n": 4}`)
	n, first, _ := pageOf(t, cs, "seen", rest)
	require.Equal(t, []any{2, 3.0}, []any{n, first})
	n, first, _ = pageOf(t, other, "seen", rest)
	require.Equal(t, []any{2, 3.0}, []any{n, first})
	bridgetest.CallTool(t, cs, "forget", `{"n": 1}`)
	r := bridgetest.CallTool(t, cs, "seen", rest)
	require.True(t, r.IsError)
	require.Contains(t, bridgetest.TextsOf(r)[0], "no longer the same")
}

const longText = `
:- mode(letters(+integer, -string), one).
:- info(letters/2, [comment is 'A long text.', argnames is [n, text]]).
letters(N, T) :- length(L, N), maplist(=(0'ä), L), string_codes(T, L).
:- mode(numbers(+integer, -list(integer)), one).
:- info(numbers/2, [comment is 'A long list.', argnames is [n, list]]).
numbers(N, L) :- numlist(1, N, L).
tools([tool(letters, letters, 2), tool(numbers, numbers, 2), tool(lines, lines, 1), tool(count, count, 0)]).
:- mode(lines(+integer), one).
:- info(lines/1, [comment is 'Lines.', argnames is [n]]).
tool_call(lines, Args, results([text(T), resource_link('x://y', y), text(T)])) :-
    memberchk(n-N, Args), numlist(1, N, L), atomic_list_concat(L, '\n', T).
lines(_).
:- dynamic(called/1).
:- info(count/0, [comment is 'Counts its calls.']).
tool_call(count, _, text(T)) :- assertz(called(1)), aggregate_all(count, called(_), N),
    format(string(T), "~d ~*c", [N, 120000, 0'x]).
count.
`

// A result that is too long comes in parts, each of which is there as often as it is asked for. Its goal has run once.
func TestResultParts(t *testing.T) {
	for _, version := range []string{"2025-06-18", wire.VersionStateless} {
		cs := connect(t, NewServer(loadText(t, longText), nil), version, nil)
		for tool, want := range map[string]string{
			"letters": "text: " + strings.Repeat("ä", 60000),
			"numbers": "list: " + jsonOf(t, numbersTo(20000)),
			"lines":   strings.Trim(strings.ReplaceAll(jsonOf(t, numbersTo(15000)), ",", "\n"), "[]"),
		} {
			n := map[string]int{"letters": 60000, "numbers": 20000, "lines": 15000}[tool]
			whole, links, parts := "", 0, 0
			var structured strings.Builder
			for args := fmt.Sprintf(`{"n": %d}`, n); args != ""; parts++ {
				r := bridgetest.CallTool(t, cs, tool, args)
				require.False(t, r.IsError, "%v", bridgetest.TextsOf(r))
				require.Equal(t, tool != "lines", r.StructuredContent != nil)
				next := addPart(t, &structured, r)
				texts := bridgetest.TextsOf(r)
				links += len(r.Content) - len(texts)
				note := texts[len(texts)-1]
				args = ""
				if at := strings.LastIndex(note, "cursor "); strings.HasPrefix(note, "This is part ") {
					args, texts = fmt.Sprintf(`{"n": %d, "cursor": %q}`, n, note[at+len("cursor "):]), texts[:len(texts)-1]
				}
				if tool != "lines" && args != "" {
					require.Contains(t, args, next)
				}
				part := strings.Join(texts, "")
				require.LessOrEqual(t, len(part), sealed.DefaultText)
				require.True(t, utf8.ValidString(part))
				whole += part
			}
			if tool == "lines" {
				want += want
				require.Equal(t, 1, links)
			}
			require.Equal(t, want, whole)
			require.Greater(t, parts, 2)
			if tool != "lines" {
				require.Equal(t, strings.Trim(want[len("text: "):], "[]"), structured.String())
			}
		}
		r := bridgetest.CallTool(t, cs, "count", "")
		texts := bridgetest.TextsOf(r)
		cursor := texts[1][strings.LastIndex(texts[1], " ")+1:]
		for range 2 {
			r = bridgetest.CallTool(t, cs, "count", fmt.Sprintf(`{"cursor": %q}`, cursor))
			require.True(t, strings.HasPrefix(bridgetest.TextsOf(r)[0], "xxx"))
		}
		require.Contains(t, bridgetest.TextsOf(bridgetest.CallTool(t, cs, "count", ""))[0], "2 x")
		for _, bad := range []string{cursor + "x", "x" + cursor, strings.Replace(cursor, "-1.", "-2.", 1), "-1."} {
			r = bridgetest.CallTool(t, cs, "count", fmt.Sprintf(`{"cursor": %q}`, bad))
			require.True(t, r.IsError)
			require.Contains(t, bridgetest.TextsOf(r)[0], "no cursor of a result")
		}
	}
}

// addPart adds what a part of a result has in its structured content, and returns the cursor for the next part.
func addPart(t *testing.T, whole *strings.Builder, r *mcp.CallToolResult) string {
	if r.StructuredContent == nil {
		return ""
	}
	text := structureOf(t, r)
	require.LessOrEqual(t, len(text), sealed.DefaultText+1000)
	var part struct {
		Text, Note, Cursor string
		List               []int
	}
	require.NoError(t, json.Unmarshal([]byte(text), &part))
	require.Equal(t, part.Cursor != "", strings.HasPrefix(part.Note, "This is part "))
	whole.WriteString(part.Text)
	if list := strings.Trim(jsonOf(t, part.List), "[]"); part.List != nil {
		if whole.Len() > 0 {
			whole.WriteByte(',')
		}
		whole.WriteString(list)
	}
	return part.Cursor
}

func numbersTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i + 1
	}
	return list
}

// The options of a tool that clients look for in _meta are there, and a server without instructions makes its own.
func TestToolMeta(t *testing.T) {
	s := NewServer(loadText(t, manyText), &Options{Name: "numbers", Instruct: true})
	cs := connect(t, s, "2025-06-18", nil)
	list, err := cs.ListTools(t.Context(), nil)
	require.NoError(t, err)
	meta := map[string]string{}
	for _, tool := range list.Tools {
		raw, err := json.Marshal(tool.Meta)
		require.NoError(t, err)
		meta[tool.Name] = string(raw)
	}
	require.Equal(t, map[string]string{"upto": `{"a/b":1,"anthropic/alwaysLoad":true}`,
		"short": `{"anthropic/maxResultSizeChars":100}`, "long": "null"}, meta)
	told := cs.InitializeResult().Instructions
	require.Contains(t, told, "numbers answers from rules")
	require.Contains(t, told, "\n- upto: Numbers.\n")
	require.LessOrEqual(t, len(told), 2048)

	var many strings.Builder
	for i := range 200 {
		fmt.Fprintf(&many, "p%[1]d.\n:- info(p%[1]d/0, [comment is 'Some text that goes on for a while.']).\n"+
			"tools([tool(p%[1]d, p%[1]d, 0)]).\n", i)
	}
	s = NewServer(loadText(t, many.String()), &Options{Instruct: true})
	told = connect(t, s, "2025-06-18", nil).InitializeResult().Instructions
	require.LessOrEqual(t, len(told), 2048)
	require.Regexp(t, `\n- and \d+ more`, told)

	s = NewServer(loadText(t, `
		tools([tool(age, age, 2), tool(likes, likes, 2)]).
		:- mode(age(+atom, -integer), zero_or_one).
		:- info(age/2, [argnames is [person, years]]).
		age(ann, 3). age('Bob "B"', 4).
		:- mode(likes(+atom, -atom), zero_or_more).
		:- info(likes/2, [argnames is [who, what]]).
		likes(Who, pears) :- age(Who, _).
	`), &Options{Instruct: true})
	told = connect(t, s, "2025-06-18", nil).InitializeResult().Instructions
	require.Contains(t, told, "\n\nThe rules know, among others:\n- person, who: \"ann\", \"Bob \\\"B\\\"\"\n\nCopy")
}

// TestRepeatedSolutionsListCursor has a tool with two different solutions give more than one part: its schema has the
// cursor that the first part asks for.
func TestRepeatedSolutionsListCursor(t *testing.T) {
	cs := connect(t, NewServer(loadText(t, "tools([p/2]).\n:- mode(p(+integer, -oneof([red,green])), zero_or_more).\n"+
		":- info(p/2, [comment is 'Colours.', argnames is [top, n]]).\n"+
		"p(Top, X) :- between(1, Top, I), ( I mod 2 =:= 0 -> X = red ; X = green ).\n"), nil), "2025-06-18", nil)
	_, _, cursor := pageOf(t, cs, "p", `{"top": 250}`)
	require.NotEmpty(t, cursor)
	all, err := cs.ListTools(t.Context(), nil)
	require.NoError(t, err)
	raw, err := json.Marshal(all.Tools[0].InputSchema)
	require.NoError(t, err)
	require.Contains(t, string(raw), `"cursor"`)
}
