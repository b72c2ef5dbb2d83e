package lsp

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how variables, predicates and labels of rules get other names.

func (s *server) prepareRename(d *document, p placed) (any, error) {
	t := s.target(d, p.Position)
	if t == nil {
		return nil, nil
	}
	if t.use == nil {
		return renameRange{t.span, t.name}, nil
	}
	if err := s.renamable(t); err != nil {
		return nil, err
	}
	return renameRange{t.span, engine.FormatTerm(term.Atom(t.use.name))}, nil
}

// renamable returns an error if a predicate cannot be renamed.
func (s *server) renamable(t *target) error {
	prog := s.indexedProgram(t.d.path)
	if prog.resolve(t.x, t.use) == "" {
		return &responseError{codeRequestFailed, t.use.String() + " is not defined in these files and cannot be renamed"}
	}
	for _, x := range prog.files {
		if line, ok := x.broken[t.use.name]; ok { // whether it is this predicate cannot be seen
			return &responseError{codeRequestFailed, fmt.Sprintf("%s:%d: a clause with a syntax error has the name %s, "+
				"which would stay", filepath.Base(x.path), line, t.use.name)}
		}
	}
	for _, uses := range prog.uses(t.x, t.use) {
		if slices.ContainsFunc(uses, func(u *use) bool { return u.infix }) {
			return &responseError{codeRequestFailed, t.use.String() + " is written as an operator and cannot be renamed"}
		}
	}
	return nil
}

func (s *server) rename(d *document, p renameParams) (any, error) {
	t := s.target(d, p.Position)
	if t == nil {
		return nil, &responseError{codeRequestFailed, "there is nothing here to rename"}
	}
	if t.use == nil {
		if !isVariable(p.NewName) {
			return nil, &responseError{codeInvalidParams, p.NewName + " is no name of a variable"}
		}
		if p.NewName != t.name && slices.Contains(t.others, p.NewName) {
			return nil, &responseError{codeRequestFailed, p.NewName + " is a variable of this clause already"}
		}
		var edits []textEdit
		for _, v := range t.variable {
			edits = append(edits, textEdit{v, p.NewName})
		}
		return s.edit(map[string][]textEdit{t.d.uri: edits}), nil
	}
	if err := s.renamable(t); err != nil {
		return nil, err
	}
	name, err := newName(p.NewName)
	if err != nil {
		return nil, err
	}
	r := &renaming{s: s, prog: s.program(t.d.path), from: t.use.key, to: key{name, t.use.arity}}
	r.module, r.uses = r.prog.resolve(t.x, t.use), r.prog.uses(t.x, t.use)
	if reason := r.clash(); reason != "" && r.from != r.to {
		return nil, &responseError{codeRequestFailed, reason}
	}
	changes := map[string][]textEdit{}
	for x := range r.uses {
		if changes[s.uri(x.path)] = r.edits(x); !r.keeps(x) {
			return nil, &responseError{codeRequestFailed, fmt.Sprintf("%s cannot be written %s in %s", r.from,
				engine.FormatTerm(term.Atom(name)), filepath.Base(x.path))}
		}
	}
	return s.edit(changes), nil
}

// renaming is a predicate or a label that gets another name.
type renaming struct {
	s        *server
	prog     *program
	from, to key
	module   string // that defines it
	uses     map[*fileIndex][]*use
}

// clash says why the name is not free, "" if it is: no use of another predicate may lead to this one afterwards, and no
// use of this one to another.
func (r *renaming) clash() string {
	for _, x := range r.prog.files {
		if line, ok := x.broken[r.to.name]; ok { // whether it is this name cannot be seen
			return fmt.Sprintf("%s:%d: a clause with a syntax error has the name %s", filepath.Base(x.path), line, r.to.name)
		}
	}
	if list := r.prog.definitions(r.to)[r.module]; len(list) > 0 {
		return r.defined(list[0])
	}
	byKey, _ := manual()
	entry, known := byKey[r.to]
	library, isLibrary := strings.CutPrefix(entry.chapter, "library(")
	library = strings.TrimSuffix(library, ")")
	if known && !isLibrary {
		return r.to.String() + " is built in"
	}
	for _, x := range r.prog.files {
		calls := slices.ContainsFunc(r.uses[x], func(u *use) bool { return u.module == "" })
		imports := r.exported(r.from, r.module) && slices.ContainsFunc(r.prog.definitions(r.from)[r.module], x.loadsFile)
		others := r.prog.definitions(r.to)
		for _, module := range slices.Sorted(maps.Keys(others)) {
			exported := r.exported(r.to, module)
			if x.module == r.module && exported && slices.ContainsFunc(others[module], x.loadsFile) ||
				x.module != r.module && (calls || imports) && (exported || module == x.module || module == "user") {
				return r.defined(others[module][0])
			}
		}
		if isLibrary && (calls || imports) && slices.Contains(x.libraries, library) {
			return fmt.Sprintf("%s is imported from library(%s) in %s", r.to, library, r.s.basePath(x.path))
		}
		sees := x.module == r.module || others[x.module] == nil && (r.module == "user" || r.exported(r.from, r.module))
		for i := range x.uses {
			if u := &x.uses[i]; u.key == r.to && (u.module == r.module || u.module == "" && sees) {
				return fmt.Sprintf("%s is used already, at %s:%d", r.to, r.s.basePath(x.path), u.span.Start.Line+1)
			}
		}
	}
	return ""
}

// exported reports whether a module exports a predicate.
func (r *renaming) exported(k key, module string) bool {
	return slices.ContainsFunc(r.prog.definitions(k)[module], func(x *fileIndex) bool { return x.exports[k] })
}

// defined says where a text defines the predicate that has the name.
func (r *renaming) defined(x *fileIndex) string {
	return fmt.Sprintf("%s is defined already, at %s:%d", r.to, r.s.basePath(x.path), x.preds[r.to].at.Start.Line+1)
}

// loadsFile reports whether a directive of a text names another one.
func (x *fileIndex) loadsFile(other *fileIndex) bool {
	return slices.ContainsFunc(x.files, func(f namedFile) bool {
		return slices.ContainsFunc(suffixes, func(suffix string) bool { return besides(x.path, f.name+suffix) == other.path })
	})
}

// edits returns the changes of a text. A name of signs has quotes, as it may stand before a sign.
func (r *renaming) edits(x *fileIndex) (list []textEdit) {
	name := engine.FormatTerm(term.Atom(r.to.name))
	if strings.ContainsAny(name[:1], "#$&*+-./:<=>?@^~\\") {
		name = quoted(r.to.name)
	}
	for _, u := range r.uses[x] {
		list = append(list, textEdit{u.span, name})
	}
	return list
}

// keeps reports whether a text with the name has the uses that it had. A name that is an operator may join others.
func (r *renaming) keeps(x *fileIndex) bool {
	before, ok := r.s.space.textOf(x.path)
	text, lines, list := before, indexLines(before), r.edits(x)
	slices.SortFunc(list, func(a, b textEdit) int { return comparePlaces(b.Range.Start, a.Range.Start) })
	for _, e := range list {
		text = text[:lines.offset(before, e.Range.Start)] + e.NewText + text[lines.offset(before, e.Range.End):]
	}
	metas := func(name string, arity int) string {
		if (key{name, arity}) == r.to {
			name = r.from.name
		}
		return r.s.space.meta(name, arity)
	}
	now := indexText(x.path, text, metas, r.s.space.textOf)
	i := -1
	return ok && len(now.errs) == len(x.errs) && slices.EqualFunc(now.uses, x.uses, func(is, was use) bool {
		if i++; slices.Contains(r.uses[x], &x.uses[i]) {
			was.key = r.to
		}
		return is.key == was.key && is.kind == was.kind
	})
}

// newName reads a name as a text has it, with or without quotes.
func newName(text string) (string, error) {
	if strings.TrimSpace(text) == "" || strings.ContainsAny(text, "\x00\n") {
		return "", &responseError{codeInvalidParams, "a predicate needs a name"}
	}
	if t, err := engine.ParseTerm(text); err == nil {
		if a, ok := t.(term.Atom); ok {
			return string(a), nil
		}
	}
	return text, nil
}

func isVariable(text string) bool {
	t, err := engine.ParseTerm(text)
	_, isVar := t.(*term.Var)
	return err == nil && isVar && strings.TrimSpace(text) == text && text != "_"
}
