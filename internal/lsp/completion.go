package lsp

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines completion and signature help.

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

func (s *server) completion(p *placed) (any, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	k := &completer{s: s, d: d, c: s.cursorAt(d, p.Position), seen: map[string]bool{},
		list: completionList{Items: []completionItem{}}}
	if k.c.commented || k.c.quoted {
		return k.list, nil
	}
	k.span = d.lines.span(d.text, k.c.wordAt, d.lines.offset(d.text, p.Position))
	first, _ := utf8.DecodeRuneInString(k.c.word)
	switch call, _ := k.c.call(); {
	case call.name == "library" && len(k.c.open) > 0:
		for _, name := range engine.Libraries() {
			k.add(completionItem{Label: name, Kind: itemModule, SortText: "1"})
		}
	case first == '_' || unicode.IsUpper(first):
		k.variables()
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

// variables adds the variables of the clause.
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
			if p.clauses == 0 && !p.declared || !k.fits(p.name) {
				continue
			}
			if len(k.list.Items) > 10*maxItems {
				k.list.IsIncomplete = true
				break
			}
			k.add(completionItem{Label: p.String(), Kind: itemFunction, SortText: order, Detail: p.head(),
				FilterText: p.name, Documentation: markdown(p.markdown(k.s.basePath(x.path))),
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

func (s *server) signatureHelp(p *placed) (any, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
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
			if pred.name == call.name && pred.clauses > 0 {
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
