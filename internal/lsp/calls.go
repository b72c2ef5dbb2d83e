package lsp

import (
	"cmp"
	"path/filepath"
	"slices"

	"github.com/mcplogic/mcplogic/engine/source"
)

// This file defines the hierarchy of calls: who calls a predicate, and what it calls.

// hierarchyItem is a predicate with its clauses in one file, or a file with its directives.
type hierarchyItem struct {
	Name           string        `json:"name"`
	Kind           int           `json:"kind"`
	Detail         string        `json:"detail,omitempty"`
	URI            string        `json:"uri"`
	Range          span          `json:"range"`
	SelectionRange span          `json:"selectionRange"`
	Data           hierarchyData `json:"data"`
}

// hierarchyData says which predicate an item is. A file has no name.
type hierarchyData struct {
	Name  string `json:"name"`
	Arity int    `json:"arity"`
}

type hierarchyParams struct {
	Item hierarchyItem `json:"item"`
}

// hierarchyCall is a caller or what is called, with the places of the calls, which are in the text of the caller.
type hierarchyCall struct {
	From       *hierarchyItem `json:"from,omitempty"`
	To         *hierarchyItem `json:"to,omitempty"`
	FromRanges []span         `json:"fromRanges"`
}

// hierarchyItem returns the item of a predicate of a file, or that of the file if k is nil.
func (s *server) hierarchyItem(x *fileIndex, k *key) *hierarchyItem {
	if k == nil {
		return &hierarchyItem{Name: filepath.Base(x.path), Kind: symbolFile, Detail: "directives", URI: s.uri(x.path)}
	}
	one := x.preds[*k]
	return &hierarchyItem{Name: one.String(), Kind: one.symbol(), Detail: one.head(), URI: s.uri(x.path),
		Range: one.clause, SelectionRange: one.at, Data: hierarchyData{k.name, k.arity}}
}

// owners returns the files that have clauses of a predicate of a module, or declare it if none has.
func (p *program) owners(k key, module string) []*fileIndex {
	found := p.definitions(k)[module]
	having := slices.DeleteFunc(slices.Clone(found), func(x *fileIndex) bool { return x.preds[k].clauses == 0 })
	if len(having) > 0 {
		return having
	}
	return found
}

func (s *server) prepareCallHierarchy(d *document, p placed) (any, error) {
	t := s.target(d, p.Position)
	if t == nil || t.use == nil || t.use.isLabel() {
		return nil, nil
	}
	prog := s.program(d.path)
	var list []*hierarchyItem
	for _, x := range prog.owners(t.use.key, prog.resolve(t.x, t.use)) {
		list = append(list, s.hierarchyItem(x, &t.use.key))
	}
	return list, nil
}

// asked returns the files of an item, with its own one and the predicate in it, nil if the item is a file.
func (s *server) asked(p *hierarchyParams) (prog *program, x *fileIndex, k *key, err error) {
	path := pathOf(p.Item.URI)
	prog = s.indexedProgram(path)
	x = s.space.file(path)
	if p.Item.Data.Name != "" {
		k = &key{p.Item.Data.Name, p.Item.Data.Arity}
	}
	if x == nil || k != nil && x.preds[*k] == nil {
		return nil, nil, nil, &responseError{codeRequestFailed, p.Item.Name + " is not there any more"}
	}
	return prog, x, k, nil
}

// isCall reports whether a use is a goal.
func (u *use) isCall() bool { return u.kind == source.Calls && !u.changed && !u.isLabel() }

// incomingCalls lists the clauses and directives that call a predicate. A file has no incoming calls.
func (s *server) incomingCalls(p *hierarchyParams) (any, error) {
	prog, x, k, err := s.asked(p)
	list := []hierarchyCall{}
	if err != nil || k == nil {
		return list, err
	}
	for f, uses := range prog.uses(x, &use{key: *k, module: x.module}) {
		places := map[*key][]span{}
		for _, u := range uses {
			if u.isCall() {
				places[u.in] = append(places[u.in], u.span)
			}
		}
		for caller, at := range places {
			list = append(list, hierarchyCall{From: s.hierarchyItem(f, caller), FromRanges: at})
		}
	}
	return sortedCalls(list), nil
}

// outgoingCalls lists what a predicate calls in its clauses in one file, or a file in its directives.
func (s *server) outgoingCalls(p *hierarchyParams) (any, error) {
	prog, x, k, err := s.asked(p)
	if err != nil {
		return nil, err
	}
	type called struct {
		key
		module string
	}
	places := map[called][]span{}
	for i := range x.uses {
		if u := &x.uses[i]; u.isCall() && (k == nil && u.in == nil || k != nil && u.in != nil && *u.in == *k) {
			to := called{u.key, prog.resolve(x, u)}
			places[to] = append(places[to], u.span)
		}
	}
	list := []hierarchyCall{}
	for to, at := range places {
		for _, f := range prog.owners(to.key, to.module) {
			list = append(list, hierarchyCall{To: s.hierarchyItem(f, &to.key), FromRanges: at})
		}
	}
	return sortedCalls(list), nil
}

// sortedCalls sorts calls by the place of the item, and the places of each.
func sortedCalls(list []hierarchyCall) []hierarchyCall {
	for _, c := range list {
		slices.SortFunc(c.FromRanges, func(a, b span) int { return comparePlaces(a.Start, b.Start) })
	}
	slices.SortFunc(list, func(a, b hierarchyCall) int {
		x, y := cmp.Or(a.From, a.To), cmp.Or(b.From, b.To)
		return cmp.Or(cmp.Compare(x.URI, y.URI), comparePlaces(x.SelectionRange.Start, y.SelectionRange.Start),
			cmp.Compare(x.Name, y.Name))
	})
	return list
}

func comparePlaces(a, b position) int {
	return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Character, b.Character))
}
