package lib_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/mcplogic/mcplogic/engine/internal/lib"
	"github.com/stretchr/testify/require"
)

func TestSource(t *testing.T) {
	for _, test := range []struct {
		name  string
		found bool
		has   string
	}{
		{"lists", true, "append/3"},
		{"dcg/basics", true, "module(dcg_basics"},
		{"http/json", true, "module(json"},
		{"json", true, "module(json"},
		{"system/bags", true, "bagof/3"},
		{"tabling", true, "module('tabling', ["},
		{"no_such_library", false, ""},
		{"", false, ""},
		{"../lists", false, ""},
		{"/etc/passwd", false, ""},
	} {
		text, found := lib.Source(test.name)
		require.Equal(t, test.found, found, test.name)
		require.Contains(t, text, test.has, test.name)
	}
}

func TestCanonical(t *testing.T) {
	require.Equal(t, "json", lib.Canonical("http/json"))
	require.Equal(t, "lists", lib.Canonical("lists"))
}

func TestNamesAndSystemHaveSources(t *testing.T) {
	require.Subset(t, lib.Names(), []string{"aggregate", "apply", "assoc", "dcg/basics", "dcg/high_order", "error",
		"lists", "option", "pairs"})
	for _, name := range append(lib.Names(), lib.System()...) {
		_, found := lib.Source(name)
		require.True(t, found, name)
		require.NotEmpty(t, lib.Exports(name), "engine/internal/lib/%s.pl:1: index.go has no exports; run go generate "+
			"./engine", name)
	}
}

func TestExports(t *testing.T) {
	for _, test := range []struct {
		library string
		export  lib.Indicator
	}{
		{"lists", lib.Indicator{Name: "append", Arity: 3}},
		{"lists", lib.Indicator{Name: "union", Arity: 3}},
		{"yall", lib.Indicator{Name: ">>", Arity: 2}},
		{"yall", lib.Indicator{Name: "/", Arity: 9}},
		{"yall", lib.Indicator{Name: "\\", Arity: 1}},
		{"yall", lib.Indicator{Name: "^", Arity: 3}},
		{"dcg/basics", lib.Indicator{Name: "white", Arity: 2}},
		{"dcg/high_order", lib.Indicator{Name: "sequence", Arity: 7}},
		{"random", lib.Indicator{Name: "maybe", Arity: 0}},
	} {
		require.Contains(t, lib.Exports(test.library), test.export)
	}
	require.Empty(t, lib.Exports("no_such_library"))
}

func TestAutoload(t *testing.T) {
	for _, test := range []struct {
		name    string
		arity   int
		library string
	}{
		{"append", 3, "lists"},
		{"append", 2, "lists"},
		{"maplist", 5, "apply"},
		{"must_be", 2, "error"},
		{">>", 4, "yall"},
		{"aggregate_all", 3, "aggregate"},
		{"digits", 3, ""},
		{"bagof", 3, ""},
		{"no_such_predicate", 1, ""},
	} {
		require.Equal(t, test.library, lib.Autoload()[lib.Indicator{Name: test.name, Arity: test.arity}], test.name)
	}
}

// If two libraries exported one predicate, the order of their names would decide which is autoloaded.
func TestEveryPredicateHasOneLibrary(t *testing.T) {
	seen := map[lib.Indicator]string{}
	for _, name := range lib.Names() {
		if strings.HasPrefix(name, "dcg/") || name == "clpq" || name == "clpr" {
			continue // not loaded unless a program says so
		}
		for _, export := range lib.Exports(name) {
			require.Empty(t, seen[export], "%v in %s", export, name)
			seen[export] = name
		}
	}
}

func TestMeta(t *testing.T) {
	for _, test := range []struct {
		name  string
		arity int
		spec  string
	}{
		{"maplist", 3, "2??"},
		{"aggregate_all", 3, "?0-"},
		{"aggregate", 3, "?^-"},
		{">>", 3, "?1?"},
		{"/", 2, "?0"},
		{"foldl", 4, "3++-"},
		{"append", 3, ""},
		{"no_such_predicate", 1, ""},
	} {
		require.Equal(t, test.spec, lib.Meta(test.name, test.arity), "%s/%d", test.name, test.arity)
	}
}

// A predicate with clauses in two system files would have them twice.
func TestSystemFilesShareNoPredicate(t *testing.T) {
	head := regexp.MustCompile(`(?m)^('[^']+'|[a-z]\w*)\(`)
	seen := map[string]string{}
	for _, name := range lib.System() {
		text, _ := lib.Source(name)
		for _, match := range head.FindAllStringSubmatch(text, -1) {
			predicate := match[1]
			if seen[predicate] != "" {
				require.Equal(t, seen[predicate], name, "clauses of %s", predicate)
			}
			seen[predicate] = name
		}
	}
}
