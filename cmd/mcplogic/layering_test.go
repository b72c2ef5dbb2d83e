package main

import (
	"encoding/json"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file defines the test of the import order that docs/implementation/packages.md explains.

const modulePath = "github.com/mcplogic/mcplogic/"

// order lists the packages bottom up; each may import only those before it.
var order = []string{
	"engine/term",
	"internal/shapes",
	"internal/typename",
	"internal/values",
	"engine/relation",
	"internal/jsontext",
	"engine/internal/syntax",
	"engine/internal/body",
	"engine/internal/yamltext",
	"engine/internal/convert",
	"engine/internal/feel",
	"engine/internal/code",
	"engine/internal/gc",
	"engine/internal/native",
	"engine/internal/datalog",
	"engine/internal/database",
	"engine/internal/compile",
	"engine/internal/stacks",
	"engine/internal/effects",
	"engine/internal/effort",
	"engine/internal/machine",
	"engine/internal/arith",
	"engine/internal/stream",
	"engine/internal/explain",
	"engine/internal/clausetext",
	"engine/internal/terms",
	"engine/internal/texts",
	"engine/internal/builtin",
	"engine/internal/records",
	"engine/internal/tables",
	"engine/internal/pushdown",
	"engine/internal/passes",
	"engine/internal/lib",
	"engine/source",
	"internal/format",
	"engine/internal/flow",
	"engine/internal/lint",
	"engine/internal/law",
	"engine/internal/load",
	"engine/internal/reuse",
	"engine/internal/commit",
	"engine/internal/base",
	"engine/host",
	"engine/inspect",
	"engine/reasons",
	"engine/debug",
	"engine",
	"internal/inner",
	"internal/eventtexts",
	"internal/rulefiles",
	"internal/guide",
	"internal/schema",
	"kb/internal/recursive",
	"kb/internal/sqltables",
	"internal/facts",
	"kb",
	"kb/decisions",
	"internal/cases",
	"internal/wire",
	"internal/lsp",
	"internal/dap",
	"bridge/internal/content",
	"bridge/internal/dialogue",
	"bridge/internal/skill",
	"bridge/internal/refusal",
	"bridge/internal/sealed",
	"bridge/internal/calls",
	"bridge/internal/tasks",
	"bridge/internal/why",
	"bridge/internal/workbench",
	"bridge/internal/items",
	"bridge/internal/events",
	"bridge",
	"bridge/web",
	"cmd/mcplogic/internal/observe",
	"cmd/mcplogic/internal/cli",
	"cmd/mcplogic/internal/settings",
	"cmd/mcplogic/internal/questions",
	"cmd/mcplogic/internal/inside",
	"cmd/mcplogic/internal/goals",
	"cmd/mcplogic/internal/tests",
	"cmd/mcplogic/internal/clients",
	"cmd/mcplogic/internal/replays",
	"cmd/mcplogic",
}

// allowed are the imports besides: those of and by the second opinion, which stands beside.
var allowed = map[string][]string{
	"internal/reference":          {"engine", "engine/host", "engine/term", "internal/inner"},
	"cmd/mcplogic/internal/goals": {"internal/reference"},
	"engine/internal/generate":    {"engine/internal/base"},
	"engine/internal/lib/index":   {"engine/internal/lib"},
	"tools/bench": {"engine", "engine/relation", "engine/source", "kb", "kb/decisions", "bridge",
		"tools/procgroup"},
	// a command
	"tools/bridgetest": {"engine", "engine/term", "internal/rulefiles", "kb"},
	// for tests
	"tools/browsertest": {"tools/deep"},
	// for tests
	"tools/differ": {"engine", "internal/inner", "internal/reference", "engine/term", "tools/procgroup"},
	// a command
	"tools/npmtest": {"tools/deep"},
	// for tests
	"tools/pgtest": {"tools/deep"},
	// for tests
	"tools/playground/command": {"engine", "engine/reasons", "engine/source"},
	// a command
}

// leaves import nothing of ours and may be imported by all.
var leaves = []string{
	"bridge/internal/places",
	"bridge/internal/waiting",
	"engine/internal/arrays",
	"engine/internal/bignum",
	"engine/internal/packed",
	"engine/internal/profile",
	"internal/hook",
	"internal/codes",
	"internal/configfile",
	"internal/folder",
	"internal/knownclients",
	"internal/lazyregexp",
	"internal/formats",
	"internal/nesting",
	"internal/spell",
	"internal/template",
	"internal/webpage",
	"internal/whypage",
	"packs",
}

// beside are packages of the module of tools that import nothing of ours. The product imports no tools but in tests.
var beside = []string{"tools/deep", "tools/heaptest", "tools/procgroup", "tools/wiretest", "tools/zerotest"}

// foreign are the modules that only some packages may import.
var foreign = map[string][]string{
	"github.com/modelcontextprotocol/go-sdk": {"bridge", "bridge/internal/content", "bridge/internal/dialogue",
		"bridge/internal/skill", "bridge/internal/refusal", "bridge/internal/sealed",
		"bridge/internal/calls", "bridge/internal/tasks", "bridge/internal/why",
		"bridge/internal/workbench", "bridge/internal/items", "bridge/internal/events",
		"internal/wire", "bridge/web", "tools/bridgetest", "tools/bench", "tools/bench/bareserver",
		"cmd/mcplogic", "cmd/mcplogic/internal/questions", "cmd/mcplogic/internal/clients"},
	"github.com/google/jsonschema-go": {"internal/schema"},
	"github.com/go-jose/go-jose/":     {"bridge/web"},
	"github.com/fsnotify/fsnotify":    {"kb"},
	"github.com/jackc/pgx/":           {"internal/facts", "kb/internal/sqltables", "tools/bench"},
	"modernc.org/sqlite":              {"kb/internal/sqltables"},
	"github.com/ichiban/prolog":       {"internal/reference"},
	"github.com/spf13/": {"cmd/mcplogic", "cmd/mcplogic/internal/cli", "cmd/mcplogic/internal/settings",
		"cmd/mcplogic/internal/goals", "cmd/mcplogic/internal/tests", "cmd/mcplogic/internal/clients",
		"cmd/mcplogic/internal/replays"},
	"github.com/peterh/liner":       {"cmd/mcplogic/internal/goals"},
	"github.com/google/go-dap":      {"internal/dap", "cmd/mcplogic"},
	"github.com/tailscale/hujson":   {"internal/configfile"},
	"github.com/pelletier/go-toml/": {"internal/configfile"},
}

// listed is what go list says about a package.
type listed struct {
	ImportPath, Name string
	GoFiles, Imports []string
}

func packages(t *testing.T) []listed {
	const fields = "-json=ImportPath,Name,GoFiles,Imports"
	out, err := exec.CommandContext(t.Context(), "go", "list", fields, modulePath+"...").Output()
	require.NoError(t, err)
	var list []listed
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := d.Decode(&p); err == io.EOF {
			return list
		} else {
			require.NoError(t, err)
		}
		list = append(list, p)
	}
}

func TestLayering(t *testing.T) {
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, modulePath)
		for _, imported := range p.Imports {
			if own, ok := strings.CutPrefix(imported, modulePath); ok {
				require.True(t, mayImport(name, own), "%s must not import %s", name, own)
			}
			for path, users := range foreign {
				if strings.HasPrefix(imported, path) {
					require.Contains(t, users, name, "%s must not import %s", name, imported)
				}
			}
		}
	}
}

// TestPlaces wants each package to have a place, and each place a package.
func TestPlaces(t *testing.T) {
	var names []string
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, modulePath)
		names = append(names, name)
		_, excepted := allowed[name]
		placed := excepted || slices.Contains(slices.Concat(order, leaves, beside), name)
		if !placed && p.Name != "main" && len(p.GoFiles) > 0 {
			t.Errorf("%s has no place: it goes into order, or into leaves if it imports nothing of ours", name)
		}
	}
	for _, name := range slices.Concat(order, leaves, beside, slices.Collect(maps.Keys(allowed))) {
		if !slices.Contains(names, name) {
			t.Errorf("order, allowed or leaves has %s, which is no package", name)
		}
	}
}

// TestPackageTable wants the packages of the order in the table of docs/implementation/packages.md, in that order, and
// no rows of others but leaves.
func TestPackageTable(t *testing.T) {
	page, err := os.ReadFile("../../docs/implementation/packages.md")
	require.NoError(t, err)
	for _, name := range order[:len(order)-1] { // the last is the command
		require.Contains(t, string(page), "\n| `"+name+"` |", "docs/implementation/packages.md has no row of %s", name)
	}
	_, rest, _ := strings.Cut(string(page), "\n| package |")
	table, _, _ := strings.Cut(rest, "\n\n")
	last := 0
	for _, row := range regexp.MustCompile("(?m)^\\| `(.*?)` \\|").FindAllStringSubmatch(table, -1) {
		place := slices.Index(order, row[1])
		if place < 0 && !slices.Contains(leaves, row[1]) {
			t.Errorf("docs/implementation/packages.md has a row of %s, which is not in order or leaves", row[1])
		}
		if place >= 0 && place < last {
			t.Errorf("docs/implementation/packages.md has %s below %s, which may import it", row[1], order[last])
		}
		last = max(last, place)
	}
}

// public are the packages that Go programs may import. docs/implementation/packages.md gives the reason for each.
var public = []string{"bridge", "bridge/web", "engine", "engine/debug", "engine/host", "engine/inspect",
	"engine/reasons", "engine/relation", "engine/source", "engine/term", "kb", "kb/decisions", "packs"}

// TestPublicPackages wants all other packages below an internal folder, but for commands and the module of tools.
func TestPublicPackages(t *testing.T) {
	page, err := os.ReadFile("../../docs/implementation/packages.md")
	require.NoError(t, err)
	var found []string
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, modulePath)
		if p.Name == "main" || len(p.GoFiles) == 0 || strings.Contains("/"+name+"/", "/internal/") ||
			strings.HasPrefix(name, "tools/") {
			continue
		}
		found = append(found, name)
		require.Contains(t, string(page), "`"+name+"`")
	}
	require.ElementsMatch(t, public, found)
}

// widestDoc is how many lines of documentation a public package has at the most: a screen.
const widestDoc = 58

// TestScreens wants the documentation of each public package to fit a screen.
func TestScreens(t *testing.T) {
	for _, name := range public {
		out, err := exec.CommandContext(t.Context(), "go", "doc", modulePath+name).Output()
		require.NoError(t, err)
		if n := strings.Count(string(out), "\n"); n > widestDoc {
			t.Errorf("go doc %s has %d lines; %d fit a screen", name, n, widestDoc)
		}
	}
}

// TestSignatures wants the types in what public packages export to be public ones, or to have a public name.
func TestSignatures(t *testing.T) {
	own, err := checkAll()
	require.NoError(t, err)
	named := map[string]bool{} // internal types that have a public name
	var packages []*types.Package
	for _, p := range own {
		if name := strings.TrimPrefix(p.ImportPath, modulePath); slices.Contains(public, name) {
			packages = append(packages, p.pkg)
			for _, n := range p.pkg.Scope().Names() {
				if o, ok := p.pkg.Scope().Lookup(n).(*types.TypeName); ok && o.Exported() && o.IsAlias() {
					named[types.TypeString(types.Unalias(o.Type()), nil)] = true
				}
			}
		}
	}
	require.Len(t, packages, len(public))
	for _, p := range packages {
		for _, n := range p.Scope().Names() {
			if o := p.Scope().Lookup(n); o.Exported() {
				for _, hidden := range hiddenIn(o, named) {
					t.Errorf("%s.%s has the internal type %s", p.Path(), n, hidden)
				}
			}
		}
	}
}

// hiddenIn lists the internal types without a public name in what an object shows.
func hiddenIn(o types.Object, named map[string]bool) (found []string) {
	seen := map[types.Type]bool{}
	var look func(t types.Type)
	tuple := func(list *types.Tuple) {
		for v := range list.Variables() {
			look(v.Type())
		}
	}
	look = func(t types.Type) {
		t = types.Unalias(t)
		if seen[t] {
			return
		}
		seen[t] = true
		switch t := t.(type) {
		case *types.Named:
			text, at := types.TypeString(t.Origin(), nil), t.Obj().Pkg()
			if at != nil && strings.Contains(at.Path(), "/internal/") && strings.HasPrefix(at.Path(), modulePath) &&
				!named[text] {
				found = append(found, text)
			}
		case *types.Pointer:
			look(t.Elem())
		case *types.Slice:
			look(t.Elem())
		case *types.Array:
			look(t.Elem())
		case *types.Chan:
			look(t.Elem())
		case *types.Map:
			look(t.Key())
			look(t.Elem())
		case *types.Signature:
			tuple(t.Params())
			tuple(t.Results())
		case *types.Struct:
			for f := range t.Fields() {
				if f.Exported() {
					look(f.Type())
				}
			}
		case *types.Interface:
			for m := range t.ExplicitMethods() {
				look(m.Type())
			}
		}
	}
	look(o.Type())
	if name, ok := o.(*types.TypeName); ok {
		look(types.Unalias(name.Type()).Underlying())
		for m := range types.NewMethodSet(types.NewPointer(name.Type())).Methods() {
			if m.Obj().Exported() {
				look(m.Type())
			}
		}
	}
	return found
}

// mayImport reports whether a package may import another of ours.
func mayImport(name, imported string) bool {
	if slices.Contains(leaves, imported) || slices.Contains(allowed[name], imported) {
		return true
	}
	at, of := slices.Index(order, name), slices.Index(order, imported)
	return of >= 0 && of < at
}
