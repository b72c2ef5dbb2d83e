package lsp

import (
	_ "embed" // for the capabilities
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/internal/format"
)

// This file defines how a session begins and ends, how documents change, and how diagnostics reach the editor.

// diagnosticsPage explains the codes of diagnostics.
const diagnosticsPage = "https://github.com/mcplogic/mcplogic/blob/main/docs/diagnostics.md#"

//go:embed capabilities.json
var capabilities []byte

func (s *server) initialize(p *initializeParams) (any, error) {
	s.began = true
	s.registers = p.Capabilities.Workspace.DidChangeWatchedFiles.DynamicRegistration
	s.versioned = p.Capabilities.Workspace.WorkspaceEdit.DocumentChanges
	s.snippets = p.Capabilities.TextDocument.Completion.CompletionItem.SnippetSupport
	var options editorOptions
	if json.Unmarshal(p.Options, &options) == nil { // others are meant for somebody else
		s.commands = options.Commands
	}
	for _, f := range p.WorkspaceFolders {
		s.addRoot(pathOf(f.URI))
	}
	if len(s.roots) == 0 && p.RootURI != "" {
		s.addRoot(pathOf(p.RootURI))
	} else if len(s.roots) == 0 && p.RootPath != "" {
		s.addRoot(p.RootPath)
	}
	type m = map[string]any
	info := m{"name": "mcplogic", "version": s.o.Version}
	return m{"capabilities": json.RawMessage(capabilities), "serverInfo": info}, nil
}

func (s *server) addRoot(path string) {
	if isFile(path) && !slices.Contains(s.roots, path) {
		s.roots = append(s.roots, path)
	}
}

func (s *server) initialized(*struct{}) (any, error) {
	if s.registers {
		type m = map[string]any
		watchers := []m{{"globPattern": "**/*.{pl,plt,csv,tsv,tab,xlsx,dmn,json,jsonl}"}}
		s.send(outgoing{Version: "2.0", ID: "watch", Method: "client/registerCapability", Params: m{
			"registrations": []m{{"id": "watch", "method": "workspace/didChangeWatchedFiles",
				"registerOptions": m{"watchers": watchers}}}}})
	}
	return nil, nil
}

func (s *server) shutdown(*struct{}) (any, error) {
	s.stopped = true
	return nil, nil
}

func (s *server) didOpen(p *didOpenParams) (any, error) {
	d := &document{uri: p.TextDocument.URI, path: pathOf(p.TextDocument.URI), version: p.TextDocument.Version}
	d.set(p.TextDocument.Text)
	s.docs[d.path] = d
	s.edited(d)
	return nil, nil
}

func (s *server) didChange(d *document, p didChangeParams) (any, error) {
	for i := range p.ContentChanges {
		d.change(&p.ContentChanges[i])
	}
	if p.TextDocument.Version != nil {
		d.version = *p.TextDocument.Version
	}
	s.edited(d)
	return nil, nil
}

func (s *server) didSave(p *inDocument) (any, error) {
	if d, err := s.document(p.TextDocument.URI); err == nil && isFile(d.path) {
		s.loads.want(baseOf(d.path, s.roots))
	}
	return nil, nil
}

func (s *server) didClose(d *document, _ inDocument) (any, error) {
	delete(s.docs, d.path)
	s.space.close(d.path)
	if isFile(d.path) {
		s.loads.want(baseOf(d.path, s.roots))
	} else {
		s.sendDiagnostics(publishParams{URI: d.uri, Diagnostics: []diagnostic{}})
	}
	return nil, nil
}

func (s *server) didChangeFiles(p *changedFilesParams) (any, error) {
	for _, c := range p.Changes {
		path := pathOf(c.URI)
		if !isFile(path) {
			continue
		}
		if isProgram(path) {
			s.space.refresh(path)
		}
		folder := baseOf(path, s.roots)
		for _, d := range s.docs { // the others are not used
			if baseOf(d.path, s.roots) == folder {
				s.loads.want(folder)
				break
			}
		}
	}
	return nil, nil
}

func (s *server) didChangeFolders(p *foldersParams) (any, error) {
	for _, f := range p.Event.Removed {
		s.roots = slices.DeleteFunc(s.roots, func(root string) bool { return root == pathOf(f.URI) })
	}
	for _, f := range p.Event.Added {
		s.addRoot(pathOf(f.URI))
	}
	return nil, nil
}

func (s *server) document(uri string) (*document, error) {
	if d := s.docs[pathOf(uri)]; d != nil {
		return d, nil
	}
	return nil, &responseError{codeInvalidParams, "the document is not open: " + uri}
}

// edited makes a text known that has changed.
func (s *server) edited(d *document) {
	if len(d.text) <= maxAlone {
		before := s.space.file(d.path)
		s.space.open(d.path, d.text)
		if isFile(d.path) {
			s.across(before, s.space.file(d.path))
		}
	} else {
		s.indexLater(d)
	}
	s.publish(d)
	if isFile(d.path) {
		s.loads.loadAlone(d)
		s.loads.want(baseOf(d.path, s.roots))
	}
}

// indexLater indexes a large text beside the requests, one text at a time. Until then its index is that of an earlier
// text.
func (s *server) indexLater(d *document) {
	s.space.overlay(d.path, d.text)
	if len(d.text) > format.MaxBytes {
		return
	}
	s.loads.group.Add(1)
	go func() {
		defer s.loads.group.Done()
		s.indexing.Lock()
		defer s.indexing.Unlock()
		s.mu.Lock()
		path, text := d.path, d.text
		known := s.docs[path] != d || d.indexed == text
		s.mu.Unlock()
		if known || s.ctx.Err() != nil {
			return
		}
		s.space.index(path, text)
		s.mu.Lock()
		defer s.mu.Unlock()
		if d.indexed = text; d.text == text && s.docs[path] == d {
			s.publish(d)
		}
	}()
}

// texts returns the open documents of the knowledge base in a folder.
func (s *server) texts(folder string) map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	texts := map[string]string{}
	for path, d := range s.docs {
		if isFile(path) && baseOf(path, s.roots) == folder {
			texts[path] = d.text
		}
	}
	return texts
}

// publish sends the editor the diagnostics of a document, from the last load. If the text has changed since, its syntax
// errors are the ones that it has now.
func (s *server) publish(d *document) {
	list := []diagnostic{}
	current := d.checked == d.text && d.hasChecked
	for i := range d.diagnostics {
		if current || d.diagnostics[i].Code != "syntax" {
			list = append(list, d.diagnostics[i])
		}
	}
	if x := s.space.file(d.path); x != nil && !current && !d.foreign {
		for _, e := range x.errs {
			one := source.SyntaxDiagnostic(d.path, e)
			list = append(list, diagnosticOf(&one, d.text, d.lines))
		}
	}
	s.sendDiagnostics(publishParams{URI: d.uri, Version: &d.version, Diagnostics: list})
}

// found takes the diagnostics of a load. They are sent for documents whose text is still the same, and for files that
// are not open; a document that has changed meanwhile gets the diagnostics of the next load.
func (s *server) found(b *loadedBase, found map[string][]diagnostic, texts map[string]string) {
	for path, list := range found {
		d := s.docs[path]
		if list == nil {
			list = []diagnostic{}
		}
		if b.shown[path] = list; len(list) == 0 {
			delete(b.shown, path)
		}
		if d == nil {
			s.sendDiagnostics(publishParams{URI: uriOf(path), Diagnostics: list})
			continue
		}
		if text, ok := texts[path]; !ok || d.text != text {
			continue
		}
		d.diagnostics, d.loaded, d.hasLoaded = list, d.text, true
		d.checked, d.hasChecked = d.text, true
		if x := s.space.file(path); x != nil {
			// Operators of other files may make a text right that alone is wrong.
			d.foreign = len(x.errs) > 0 && !slices.ContainsFunc(list, func(d diagnostic) bool { return d.Code == "syntax" })
		}
		s.publish(d)
	}
}

// diagnosticOf returns a diagnostic as the protocol has it. One at the end of a line marks what stands before it.
func diagnosticOf(d *source.Diagnostic, text string, lines lineIndex) diagnostic {
	begin := lines.place(text, d.Line, d.Column)
	one := diagnostic{Range: span{begin, begin}, Severity: 2, Code: d.Code, Source: "mcplogic", Message: d.Message}
	switch d.Severity {
	case source.SeverityError:
		one.Severity = 1
	case source.SeverityNote:
		one.Severity = 3
	}
	if d.Code != "" {
		one.CodeDescription = &codeDescription{diagnosticsPage + d.Code}
	}
	from := lines.offset(text, begin)
	one.Range.End = lines.position(text, from+wordLength(text[from:]))
	if one.Range.End == begin && begin.Character > 0 {
		word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
		before := len(strings.TrimRightFunc(text[:from], word))
		if before == from {
			_, size := utf8.DecodeLastRuneInString(text[:from])
			before -= size
		}
		one.Range.Start = lines.position(text, before)
	}
	if f := d.Fix; f != nil {
		one.fix = &textEdit{span{lines.place(text, f.Line, f.Column), lines.place(text, f.EndLine, f.EndColumn)}, f.Text}
	}
	return one
}

// wordLength returns the length of the token at the beginning of a text, roughly: a diagnostic is to be seen.
func wordLength(text string) int {
	n := 0
	for n < len(text) {
		r, size := utf8.DecodeRuneInString(text[n:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' {
			break
		}
		n += size
	}
	if n == 0 && text != "" && text[0] != '\n' && text[0] != '\r' {
		_, n = utf8.DecodeRuneInString(text)
	}
	return n
}

// basePath returns a path relative to the nearest root, for people.
func (s *server) basePath(path string) string {
	for _, root := range s.roots {
		if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
	}
	return filepath.Base(path)
}
