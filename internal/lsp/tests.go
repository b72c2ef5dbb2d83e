package lsp

import (
	"maps"
	"path/filepath"
	"slices"
)

// This file defines the list of tests, for the test explorer of an editor. The request mcplogic/tests is our own.

// listedFolder is a knowledge base with tests.
type listedFolder struct {
	Folder string       `json:"folder"`
	Units  []listedUnit `json:"units"`
}

// listedUnit is a unit of tests. mcplogic test --run takes its name and the names of its tests, and results have them.
type listedUnit struct {
	Name  string       `json:"name"`
	URI   string       `json:"uri"`
	Range span         `json:"range"`
	Tests []listedTest `json:"tests"`
}

// listedTest is a test.
type listedTest struct {
	Name  string `json:"name"`
	Range span   `json:"range"`
}

// tests lists the tests of the folders that the editor has open, as their texts are now.
func (s *server) tests(*struct{}) (any, error) {
	for _, root := range s.roots {
		for _, path := range programsBelow(root) {
			if filepath.Ext(path) == ".plt" && s.space.file(path) == nil {
				s.space.refresh(path)
			}
		}
	}
	units, seen := map[string][]listedUnit{}, map[string]bool{}
	for _, root := range s.roots {
		for _, x := range s.space.in(root) {
			if seen[x.path] {
				continue // a root is within another
			}
			seen[x.path] = true
			folder := baseOf(x.path, s.roots)
			for _, unit := range x.tests {
				one := listedUnit{Name: unit.name, URI: uriOf(x.path), Range: unit.span, Tests: []listedTest{}}
				for _, test := range unit.tests {
					one.Tests = append(one.Tests, listedTest{test.name, test.span})
				}
				units[folder] = append(units[folder], one)
			}
		}
	}
	list := []listedFolder{}
	for _, folder := range slices.Sorted(maps.Keys(units)) {
		list = append(list, listedFolder{folder, units[folder]})
	}
	return list, nil
}
