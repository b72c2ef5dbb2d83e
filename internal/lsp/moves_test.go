package lsp

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/internal/format"
	"github.com/mcplogic/mcplogic/tools/deep"
)

// hierarchy asks for the item at a place and what calls it or what it calls, as lines.
func (c *client) hierarchy(method string, at map[string]any) (lines []string) {
	var items []hierarchyItem
	c.call("textDocument/prepareCallHierarchy", at, &items)
	for _, item := range items {
		var calls []hierarchyCall
		c.call("callHierarchy/"+method, hierarchyParams{item}, &calls)
		for _, call := range calls {
			other := call.From
			if other == nil {
				other = call.To
			}
			line := fmt.Sprintf("%s %s %s:%d at", item.Name, other.Name, filepath.Base(other.URI), other.Range.Start.Line+1)
			for _, r := range call.FromRanges {
				line += fmt.Sprintf(" %d:%d", r.Start.Line+1, r.Start.Character+1)
			}
			lines = append(lines, line)
		}
	}
	return lines
}

func TestCallHierarchy(t *testing.T) {
	const rest = ":- initialization(ancestor(ann, _)).\nkin(X, Y) :- ancestor(Z, X), ancestor(Z, Y), X \\== Y.\n" +
		"kin(X, X) :- \\+ findall(P, parent(P, X), []).\nadd(X) :- assertz(kin(X, X)).\ntools([kin/2]).\n" +
		"parent(bob, eve).\nnames --> name, names.\nnames --> [].\nname --> [N], { kin(N, _) }.\n"
	c := start(t, map[string]string{"a.pl": family, "b.pl": rest})
	c.open("a.pl", family)
	c.open("b.pl", rest)
	c.indexed("kin", 2)
	require.Equal(t, []string{"ancestor/2 ancestor/2 a.pl:6 at 8:30", "ancestor/2 b.pl b.pl:1 at 1:19",
		"ancestor/2 kin/2 b.pl:2 at 2:14 2:30"}, c.hierarchy("incomingCalls", c.at("a.pl", "ancestor(A, D) :- parent", 1)))
	require.Equal(t, []string{"ancestor/2 parent/2 a.pl:2 at 6:19 8:5", "ancestor/2 ancestor/2 a.pl:6 at 8:30",
		"ancestor/2 parent/2 b.pl:6 at 6:19 8:5"}, c.hierarchy("outgoingCalls", c.at("b.pl", "ancestor(Z, X)", 1)))
	require.Equal(t, []string{"kin/2 name/2 b.pl:9 at 9:17"}, c.hierarchy("incomingCalls", c.at("b.pl", "kin(X, X)", 1)))
	require.Equal(t, []string{"names/2 names/2 b.pl:7 at 7:17", "names/2 name/2 b.pl:9 at 7:11"},
		c.hierarchy("outgoingCalls", c.at("b.pl", "names -->", 1)))
	require.Empty(t, c.hierarchy("incomingCalls", c.at("b.pl", "findall", 1)))

	// A file has its directives.
	var calls []hierarchyCall
	c.call("callHierarchy/outgoingCalls", hierarchyParams{hierarchyItem{Name: "b.pl", URI: c.uri("b.pl")}}, &calls)
	require.Len(t, calls, 1)
	require.Equal(t, "ancestor/2", calls[0].To.Name)
	gone := hierarchyItem{Name: "gone/0", URI: c.uri("b.pl"), Data: hierarchyData{Name: "gone"}}
	m := c.ask("callHierarchy/incomingCalls", hierarchyParams{gone})
	require.Equal(t, "gone/0 is not there any more", m.Error.Message)
}

// changed makes the edits of an answer in texts by path.
func (c *client) changed(edit *workspaceEdit, texts map[string]string) map[string]string {
	texts = maps.Clone(texts)
	for uri, edits := range edit.Changes {
		file := pathOf(uri)
		texts[file] = applied(c.t, texts[file], edits)
	}
	return texts
}

// applied makes edits in a text.
func applied(t *testing.T, text string, edits []textEdit) string {
	lines := indexLines(text)
	edits = slices.Clone(edits)
	slices.SortFunc(edits, func(a, b textEdit) int { return comparePlaces(b.Range.Start, a.Range.Start) })
	before, end := text, len(text)
	for _, e := range edits {
		from, to := lines.offset(before, e.Range.Start), lines.offset(before, e.Range.End)
		require.LessOrEqual(t, to, end, "edits overlap")
		text, end = text[:from]+e.NewText+text[to:], from
	}
	return text
}

// rename tells the server that a file or folder gets another name, makes its edits, and renames. It returns the texts
// after that.
func (c *client) rename(from, to string, texts map[string]string) map[string]string {
	var edit workspaceEdit
	from, to = filepath.Join(c.dir, from), filepath.Join(c.dir, to)
	params := map[string]any{"files": []any{map[string]any{"oldUri": uriOf(from), "newUri": uriOf(to)}}}
	c.call("workspace/willRenameFiles", params, &edit)
	changed, after := c.changed(&edit, texts), map[string]string{}
	require.NoError(c.t, os.MkdirAll(filepath.Dir(to), 0o777))
	require.NoError(c.t, os.Rename(from, to))
	var events []fileEvent
	for file, text := range changed {
		now := file
		if rest, ok := strings.CutPrefix(file, from); ok && (rest == "" || rest[0] == filepath.Separator) {
			now = to + rest
			events = append(events, fileEvent{uriOf(file), 3})
		}
		after[now] = text
		require.NoError(c.t, os.WriteFile(now, []byte(text), 0o666))
		events = append(events, fileEvent{uriOf(now), 2})
	}
	c.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": events})
	return after
}

// startWith starts a server for a folder, and returns the texts by path.
func startWith(t *testing.T, files map[string]string) (*client, map[string]string) {
	c, texts := start(t, files), map[string]string{}
	for name, text := range files {
		texts[filepath.Join(c.dir, filepath.FromSlash(name))] = text
	}
	return c, texts
}

func TestRenameFiles(t *testing.T) {
	c, texts := startWith(t, map[string]string{
		"main.pl": ":- use_module(rules/fees, [fees/1]), ensure_loaded('rules/tax.pl').\n:- use_module(library(lists)).\n" +
			":- include(\"rules/tax.pl\").\n:- [rules/fees, user:'rules/tax'].\n" +
			":- facts(tax/2, 'rules/tax.csv', [header(true)]).\n:- decision(fine/2, 'rules/tax.csv').\n" +
			":- use_module('rules/fees', [fees/1]).\nfees(rules/fees).\n",
		"rules/fees.pl": ":- module(fees, [fees/1]).\n:- use_module(tax).\n:- ensure_loaded('../main.pl').\nfees(1).\n",
		"rules/tax.pl":  ":- module(tax, []).\n", "rules/tax.csv": "a,b\n"})
	texts = c.rename("rules/tax.pl", "rules/tax of 2026.pl", texts)
	main, fees := filepath.Join(c.dir, "main.pl"), filepath.Join(c.dir, "rules", "fees.pl")
	require.Equal(t, ":- use_module(rules/fees, [fees/1]), ensure_loaded('rules/tax of 2026.pl').\n"+
		":- use_module(library(lists)).\n:- include(\"rules/tax of 2026.pl\").\n"+
		":- [rules/fees, user:'rules/tax of 2026'].\n:- facts(tax/2, 'rules/tax.csv', [header(true)]).\n"+
		":- decision(fine/2, 'rules/tax.csv').\n:- use_module('rules/fees', [fees/1]).\nfees(rules/fees).\n", texts[main])
	require.Contains(t, texts[fees], ":- use_module('tax of 2026').\n")
	texts = c.rename("rules", "law", texts)
	require.Equal(t, ":- use_module(law/fees, [fees/1]), ensure_loaded('law/tax of 2026.pl').\n"+
		":- use_module(library(lists)).\n:- include(\"law/tax of 2026.pl\").\n:- [law/fees, user:'law/tax of 2026'].\n"+
		":- facts(tax/2, 'law/tax.csv', [header(true)]).\n:- decision(fine/2, 'law/tax.csv').\n"+
		":- use_module('law/fees', [fees/1]).\nfees(rules/fees).\n", texts[main])
	texts = c.rename("law/fees.pl", "fees.pl", texts)
	require.Contains(t, texts[main], ":- use_module(fees, [fees/1])")
	require.Equal(t, ":- module(fees, [fees/1]).\n:- use_module('law/tax of 2026').\n"+
		":- ensure_loaded('main.pl').\nfees(1).\n", texts[filepath.Join(c.dir, "fees.pl")])
	require.Equal(t, "null", string(c.ask("workspace/willRenameFiles", map[string]any{"files": []any{}}).Result))
}

// TestRenameFilesAndBack moves random files and folders, and back: the texts are what they were. Between, each path
// leads to the file to which it led before.
func TestRenameFilesAndBack(t *testing.T) {
	t.Parallel()
	names := []string{"a.pl", "b.pl", "in/c.pl", "in/d d.pl", "in/deep/e.pl", "in/é.csv", "f.csv"}
	for seed := range deep.Count(20, 200) {
		random := rand.New(rand.NewPCG(uint64(seed), 39))
		files := map[string]string{}
		for _, name := range names {
			var b strings.Builder
			for range random.IntN(6) * strings.Count(name, ".pl") {
				target := names[random.IntN(len(names))]
				rel, err := filepath.Rel(filepath.Dir(name), target)
				require.NoError(t, err)
				if random.IntN(2) == 0 {
					rel = strings.TrimSuffix(rel, ".pl")
				}
				f := namedFile{form: pathForm(random.IntN(3))}
				if strings.ContainsAny(path.Base(rel), ". ") { // 'b.pl' does not say whether it was a/'b.pl' or 'a/b.pl'
					f.form = formQuoted
				}
				forms := []string{":- use_module(%s, [a/1, b]).", ":- ensure_loaded(%s).", ":- [b:%s].",
					":- info(p/1, []), include(%s).", ":- facts(a/1, %s, [a, 'b.pl']).", ":- decision(p/2, %s)."}
				fmt.Fprintf(&b, forms[random.IntN(len(forms))]+" %% a 'b.pl'\n", f.written(rel))
			}
			files[name] = b.String()
		}
		for _, move := range [][2]string{{"in", "out/at"}, {"a.pl", "in/deep/x.pl"}, {"in/é.csv", "z.csv"},
			{"in/deep", "deep"}, {"in/d d.pl", "in/g.pl"}, {"f.csv", "in/deep/f.csv"}} {
			c, texts := startWith(t, files)
			leads := func(of map[string]string, moved func(string) string) (list []string) {
				for file, text := range of {
					for _, f := range indexText(file, text, noMetas, func(string) (string, bool) { return "", false }).files {
						for _, suffix := range suffixes {
							if _, ok := of[besides(file, f.name+suffix)]; ok {
								list = append(list, moved(file)+" "+moved(besides(file, f.name+suffix)))
								break
							}
						}
					}
				}
				slices.Sort(list)
				return list
			}
			from, to := filepath.Join(c.dir, move[0]), filepath.Join(c.dir, move[1])
			before := leads(texts, func(file string) string {
				if rest, ok := strings.CutPrefix(file, from); ok && (rest == "" || rest[0] == filepath.Separator) {
					return to + rest
				}
				return file
			})
			there := c.rename(move[0], move[1], texts)
			require.Equal(t, before, leads(there, func(file string) string { return file }), "seed %d %v", seed, move)
			require.Equal(t, texts, c.rename(move[1], move[0], there), "seed %d %v", seed, move)
		}
	}
}

func noMetas(string, int) string { return "" }

// ranged formats a range of bytes of a text.
func (c *client) ranged(name, text string, from, to int) string {
	c.replace(name, text)
	var edits []textEdit
	c.call("textDocument/rangeFormatting", map[string]any{"textDocument": documentID{URI: c.uri(name)},
		"range": indexLines(text).span(text, from, to)}, &edits)
	return applied(c.t, text, edits)
}

func TestRangeFormatting(t *testing.T) {
	c := start(t, nil)
	c.open("a.pl", "")
	const text = "a( 1 ).\n% One.\nb( X ):-c( X ).\nhalf( X :-\nd( 2 ).\ne( 3 ).   f( 4 ).\n"
	for part, want := range map[string]string{
		"b( X ):-c( X ).":               "a( 1 ).\n% One.\nb(X) :- c(X).\nhalf( X :-\nd( 2 ).\ne( 3 ).   f( 4 ).\n",
		"c":                             "a( 1 ).\n% One.\nb(X) :- c(X).\nhalf( X :-\nd( 2 ).\ne( 3 ).   f( 4 ).\n",
		"% One.":                        text,
		"half( X :-\n":                  text,
		"X ).\nhalf( X :-\nd( 2 ).\ne":  "a( 1 ).\n% One.\nb(X) :- c(X).\nhalf( X :-\nd(2).\ne(3).   f( 4 ).\n",
		"e( 3 ).   f( 4 ).\n":           "a( 1 ).\n% One.\nb( X ):-c( X ).\nhalf( X :-\nd( 2 ).\ne(3).\nf(4).\n",
		"1 ).\n% One.\nb( X ):-c( X ).": "a(1).\n% One.\nb(X) :- c(X).\nhalf( X :-\nd( 2 ).\ne( 3 ).   f( 4 ).\n",
	} {
		at := strings.Index(text, part)
		require.Equal(t, want, c.ranged("a.pl", text, at, at+len(part)), part)
	}
}

// TestRangesOfRandomTexts formats ranges of random texts with half-written clauses. The range of a whole text without
// errors becomes the whole formatted text; others change the clauses that they touch, and no others.
func TestRangesOfRandomTexts(t *testing.T) {
	t.Parallel()
	c := start(t, nil)
	c.open("a.pl", "")
	whole, errs := 0, 0
	for seed := range deep.Count(300, 3000) {
		random := rand.New(rand.NewPCG(uint64(seed), 40))
		var lines []string
		for range 1 + random.IntN(12) {
			line := editPiece(random)
			for _, pair := range [][2]string{{"(", "( "}, {" :- ", ":-"}, {", ", " ,\n  "}, {", ", ",\t"}, {") :-", ")\n:-"},
				{".", ". %c"}} {
				if random.IntN(4) == 0 {
					line = strings.Replace(line, pair[0], pair[1], 1+random.IntN(2))
				}
			}
			lines = append(lines, line+strings.Repeat("\n", random.IntN(5)/4*random.IntN(5)))
		}
		text := textOf(lines)
		o := &source.Options{Recover: true, Open: func(string) (string, bool) { return "", false }}
		clauses := clausesOf("a.pl", text, o)
		formatted, failed := format.Source("a.pl", text, o)
		all := c.ranged("a.pl", text, 0, len(text))
		if len(failed) == 0 {
			whole++
			require.Equal(t, formatted, all, "seed %d:\n%s", seed, text)
		} else {
			errs++
		}
		from := random.IntN(len(text) + 1)
		to := from + random.IntN(len(text)+1-from)
		for from > 0 && !isRune(text, from) {
			from--
		}
		for to < len(text) && !isRune(text, to) {
			to++
		}
		got := c.ranged("a.pl", text, from, to)
		after := clausesOf("a.pl", got, o)
		require.Len(t, after, len(clauses), "seed %d %d-%d:\n%s\n---\n%s", seed, from, to, text, got)
		inAll := clausesOf("a.pl", all, o)
		for i, one := range clauses {
			was, is := text[one.from:one.to], got[after[i].from:after[i].to]
			if touched := one.from < to && from < one.to || from == to && one.from <= from && from <= one.to; touched &&
				!one.broken {
				was = all[inAll[i].from:inAll[i].to]
			}
			require.Equal(t, was, is, "seed %d %d-%d, clause %d:\n%s\n---\n%s", seed, from, to, i, text, got)
		}
		require.Equal(t, all, c.ranged("a.pl", all, 0, len(all)), "seed %d", seed)
	}
	require.Greater(t, whole, 20)
	require.Greater(t, errs, 20)
}

func isRune(text string, at int) bool { return at == len(text) || text[at]&0xC0 != 0x80 }
