package lsp

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/typename"
)

// This file defines completion and signature help. It also defines what stands around the cursor, in a clause that may
// be half written.

// maxItems is how many completions are sent. The editor asks again when more has been typed.
const maxItems = 400

// completer collects completions.
type completer struct {
	s    *server
	d    *document
	c    cursor
	span span
	list completionList
	seen map[string]bool
}

func (s *server) completion(d *document, p placed) (any, error) {
	k := &completer{s: s, d: d, c: s.cursorAt(d, p.Position), seen: map[string]bool{},
		list: completionList{Items: []completionItem{}}}
	if k.c.commented || k.c.quoted {
		return k.list, nil
	}
	k.span = d.lines.span(d.text, k.c.wordAt, d.lines.offset(d.text, p.Position))
	first, _ := utf8.DecodeRuneInString(k.c.word)
	switch call, _ := k.c.call(); {
	case call.name == "library" && len(k.c.open) > 0:
		for _, name := range inspect.Libraries() {
			k.add(completionItem{Label: name, Kind: itemModule, SortText: "1"})
		}
	case first == '_' || unicode.IsUpper(first):
		k.variables()
	case k.c.directive && len(k.c.open) > 1 && k.c.open[0].name == "mode":
		typename.Each(func(form string, row typename.Row) {
			k.add(completionItem{Label: form, Kind: itemKeyword, Detail: row.Gets, SortText: "1"})
		})
	default:
		if k.c.word == "" && k.c.module == "" {
			k.variables()
		}
		k.predicates()
	}
	slices.SortStableFunc(k.list.Items, func(a, b completionItem) int {
		return cmp.Or(cmp.Compare(a.SortText, b.SortText), cmp.Compare(a.Label, b.Label))
	})
	if len(k.list.Items) > maxItems {
		k.list.Items, k.list.IsIncomplete = k.list.Items[:maxItems], true
	}
	return k.list, nil
}

// add adds an item that begins with the word, or has it as a part of a name.
func (k *completer) add(item completionItem) {
	if k.seen[item.Label] || !k.fits(strings.Trim(item.Label, "'")) {
		return
	}
	if !strings.HasPrefix(strings.ToLower(strings.Trim(item.Label, "'")), strings.ToLower(k.c.word)) {
		item.SortText += "z"
	}
	k.seen[item.Label] = true
	if item.TextEdit == nil {
		item.TextEdit = &textEdit{NewText: item.Label}
	}
	item.TextEdit.Range = k.span
	k.list.Items = append(k.list.Items, item)
}

// fits reports whether a name begins with the word at the cursor, or has it behind an underscore.
func (k *completer) fits(name string) bool {
	word := k.c.word
	if len(name) >= len(word) && strings.EqualFold(name[:len(word)], word) {
		return true
	}
	return word != "" && strings.Contains(name, "_"+word)
}

func (k *completer) variables() {
	text := k.d.text[k.c.clause:]
	text = text[:min(len(text), 20_000)]
	at := k.c.wordAt - k.c.clause
	source.Read(k.d.path, text, &source.Options{Recover: true, Each: func(c *source.Clause) bool {
		for _, t := range c.Tokens {
			if t.Kind == source.KindVar && t.Start != at && t.Name != "_" {
				k.add(completionItem{Label: t.Name, Kind: itemVariable, SortText: "0"})
			}
		}
		return c.End < at
	}})
}

// predicates adds the predicates of the file, of its knowledge base and of the system.
func (k *completer) predicates() {
	prog := k.s.program(k.d.path)
	for _, x := range prog.files {
		order := "2"
		if x.path == k.d.path {
			order = "1"
		}
		if k.c.module != "" && x.module != k.c.module {
			continue
		}
		for _, p := range x.order {
			if p.clauses == 0 && !p.declared || p.isLabel() || !k.fits(p.name) {
				continue
			}
			if len(k.list.Items) > 10*maxItems {
				k.list.IsIncomplete = true
				break
			}
			k.add(completionItem{Label: p.String(), Kind: itemFunction, SortText: order, Detail: p.head(),
				FilterText: p.name, Documentation: markdown(p.markdown(k.s.basePath(x.path), nil)),
				TextFormat: k.format(), TextEdit: &textEdit{NewText: k.insertion(p.name, p.argNames())}})
		}
	}
	if k.c.module != "" {
		return
	}
	if k.c.directive && len(k.c.open) == 0 {
		for _, word := range []string{"dynamic", "discontiguous", "multifile", "table", "initialization"} {
			k.add(completionItem{Label: word, Kind: itemKeyword, SortText: "0"})
		}
	}
	_, all := manual()
	for _, e := range all {
		if k.c.word == "" && len(k.list.Items) > maxItems {
			k.list.IsIncomplete = true
			break
		}
		if !k.fits(e.Name) {
			continue
		}
		args := splitArguments(e.Head())
		for i := range args {
			args[i] = strings.TrimLeft(args[i], "+-?:@!")
		}
		k.add(completionItem{Label: e.Indicator(), Kind: itemFunction, SortText: "3", Detail: e.Head(), FilterText: e.Name,
			Documentation: markdown(e.markdown()), TextFormat: k.format(),
			TextEdit: &textEdit{NewText: k.insertion(e.Name, args)}})
	}
}

// format says whether what is inserted is a snippet.
func (k *completer) format() int {
	if k.s.snippets {
		return 2
	}
	return 1
}

// insertion returns what a predicate is completed to: its name, and in a snippet its arguments.
func (k *completer) insertion(name string, args []string) string {
	text := engine.FormatTerm(term.Atom(name))
	if !k.s.snippets {
		return text
	}
	text = snippetEscapes.Replace(text)
	end := k.d.lines.offset(k.d.text, k.span.End)
	if len(args) == 0 || end < len(k.d.text) && k.d.text[end] == '(' {
		return text
	}
	places := make([]string, len(args))
	for i, a := range args {
		places[i] = fmt.Sprintf("${%d:%s}", i+1, snippetEscapes.Replace(a))
	}
	return text + "(" + strings.Join(places, ", ") + ")"
}

var snippetEscapes = strings.NewReplacer(`\`, `\\`, "$", `\$`, "}", `\}`)

func (s *server) signatureHelp(d *document, p placed) (any, error) {
	c := s.cursorAt(d, p.Position)
	call, ok := c.call()
	if !ok || c.commented {
		return nil, nil
	}
	result := signatures{Signatures: []signature{}, ActiveParameter: call.arg}
	add := func(head, text string) {
		args := splitArguments(head)
		if len(args) > call.arg {
			result.Signatures = append(result.Signatures, signatureOf(head, args, text))
		}
	}
	for _, x := range s.program(d.path).files {
		for _, pred := range x.order {
			if pred.name == call.name && pred.clauses > 0 && !pred.isLabel() {
				add(pred.head(), strings.TrimSpace(pred.info+"\n\n"+pred.comment))
			}
		}
	}
	_, all := manual()
	for _, e := range all {
		if e.Name == call.name {
			add(e.Head(), e.Text)
		}
	}
	if len(result.Signatures) == 0 {
		return nil, nil
	}
	return result, nil
}

// signatureOf returns a signature with the places of its arguments.
func signatureOf(head string, args []string, text string) signature {
	one := signature{Label: head}
	if text != "" {
		one.Documentation = markdown(text)
	}
	at := strings.IndexByte(head, '(') + 1
	for _, a := range args {
		n := strings.Index(head[at:], a)
		if n < 0 {
			break
		}
		begin := unitsOf(head[:at+n])
		at += n + len(a)
		one.Parameters = append(one.Parameters, parameter{[2]int{begin, unitsOf(head[:at])}})
	}
	return one
}

// opened is a bracket that is open at the cursor.
type opened struct {
	bracket byte
	name    string // the functor before it, or ""
	arg     int    // the argument that the cursor is in, from 0
}

// cursor is what stands around a place.
type cursor struct {
	// quoted is set within a quoted item, commented within a comment.
	quoted, commented bool
	open              []opened
	word              string // before the place
	wordAt            int    // byte of the text at which it begins
	module            string // before word and a colon
	directive         bool   // the clause begins with :-
	clause            int    // byte at which the clause begins
}

// cursorAt looks at the text before a place.
func (s *server) cursorAt(d *document, p position) cursor {
	end := d.lines.offset(d.text, p)
	start := 0
	if x := s.space.file(d.path); x != nil {
		if i := sort.SearchInts(x.starts, end+1) - 1; i >= 0 {
			start = x.starts[i]
		}
	}
	c := cursor{clause: min(start, end)}
	c.scan(d.text, c.clause, end)
	if !c.quoted && !c.commented {
		c.words(d.text, end)
	}
	return c
}

// scan walks the clause up to the cursor.
func (c *cursor) scan(text string, from, to int) {
	name, begun := "", false
	for i := from; i < to; {
		b := text[i]
		word := ""
		switch {
		case b == '%':
			n := strings.IndexByte(text[i:to], '\n')
			if n < 0 {
				c.commented = true
				return
			}
			i += n
		case b == '/' && i+1 < to && text[i+1] == '*':
			n := strings.Index(text[i+2:to], "*/")
			if n < 0 {
				c.commented = true
				return
			}
			i += n + 4
		case b == '0' && i+2 < to && text[i+1] == '\'':
			i += 3
		case b == '\'' || b == '"' || b == '`':
			end := closing(text, i, to)
			if end < 0 {
				c.quoted = true
				return
			}
			if b == '\'' {
				word = text[i+1 : end]
			}
			i = end + 1
		case b == '(' || b == '[' || b == '{':
			one := opened{bracket: b}
			if b == '(' {
				one.name = name
			}
			c.open = append(c.open, one)
			i++
		case b == ')' || b == ']' || b == '}':
			if n := len(c.open); n > 0 {
				c.open = c.open[:n-1]
			}
			i++
		case b == ',':
			if n := len(c.open); n > 0 {
				c.open[n-1].arg++
			}
			i++
		case b == '.' && (i+1 == to || isSpace(text[i+1]) || text[i+1] == '%') && (i == from || !isSymbolByte(text[i-1])):
			if i+1 < to {
				c.open, c.directive, begun, c.clause = nil, false, false, i+1
			}
			i++
		case isSpace(b):
			i++
		case isSymbolByte(b):
			end := i
			for end < to && isSymbolByte(text[end]) {
				end++
			}
			if word = text[i:end]; !begun && word == ":-" {
				c.directive = true
			}
			i = end
		default:
			end := wordEnd(text, i, to)
			word = text[i:end]
			i = end
		}
		begun = begun || !isSpace(b) && b != '%' && word != ""
		name = word
	}
}

// closing returns the end of a quoted item, -1 if it is not closed.
func closing(text string, from, to int) int {
	quote := text[from]
	for i := from + 1; i < to; i++ {
		switch text[i] {
		case '\\':
			i++
		case quote:
			if i+1 < to && text[i+1] == quote {
				i++
				continue
			}
			return i
		}
	}
	return -1
}

// wordEnd returns the end of the word that begins at a byte, at least the next character.
func wordEnd(text string, from, to int) int {
	i := from
	for i < to {
		r, size := utf8.DecodeRuneInString(text[i:to])
		if !isWordRune(r) {
			break
		}
		i += size
	}
	if i == from {
		_, size := utf8.DecodeRuneInString(text[i:to])
		i += max(size, 1)
	}
	return i
}

// words finds the word before the cursor, and the module before it.
func (c *cursor) words(text string, end int) {
	from := wordBegin(text, end)
	c.word, c.wordAt = text[from:end], from
	if from > 0 && text[from-1] == ':' && (from < 2 || !isSymbolByte(text[from-2])) {
		c.module = text[wordBegin(text, from-1) : from-1]
	}
}

// wordBegin returns the beginning of the word that ends at a byte.
func wordBegin(text string, end int) int {
	for end > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:end])
		if !isWordRune(r) {
			break
		}
		end -= size
	}
	return end
}

func isWordRune(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }

func isSymbolByte(b byte) bool { return strings.IndexByte("#$&*+-./:<=>?@^~\\", b) >= 0 }

// call returns the innermost compound whose arguments the cursor is in. ok is false if there is none.
func (c *cursor) call() (one opened, ok bool) {
	for i := len(c.open) - 1; i >= 0; i-- {
		if o := c.open[i]; o.bracket == '(' && o.name != "" {
			return o, true
		}
	}
	return opened{}, false
}
