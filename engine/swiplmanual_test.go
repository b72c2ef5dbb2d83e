package engine_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/internal/lib"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/stretchr/testify/require"
)

// This file counts which predicates of SWI-Prolog's manual and libraries exist. With -v it prints the counts.

// directives are not predicates: they have a meaning only in the text of a file.
var directives = strings.Fields("if/1 elif/1 else/0 endif/0 include/1 encoding/1 module/2 module/3 reexport/1 " +
	"reexport/2 autoload/1 autoload/2 det/1 chr_option/2 chr_constraint/1 chr_type/1 f-./2 $/0 $/1")

// hooks are predicates that programs define and the engine calls.
var hooks = strings.Fields("goal_expansion/2 goal_expansion/4 term_expansion/4 term_expansion/2 attr_portray_hook/2 " +
	"attr_unify_hook/2 attribute_goals//1 project_attributes/2 prolog:assertion_failed/2 prolog:debug_print_hook/3 " +
	"has_type/2 is_text_code/1 prolog:called_by/2 prolog:called_by/4 env/2 env/3 " +
	"exception/3 file_search_path/2 message_hook/3 message_property/2 portray/1")

// manualLines calls f with the fields of each line of a file of testdata/manual.
func manualLines(t *testing.T, name string, f func(fields []string)) {
	file, err := os.Open(filepath.Join("..", "testdata", "manual", name))
	require.NoError(t, err)
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		f(strings.Split(lines.Text(), "\t"))
	}
	require.NoError(t, lines.Err())
}

// manualName is a name of the manual: its module, its name, // or / and its arity.
var manualName = regexp.MustCompile(`^(?:(\w+):)?(.+?)(/{1,2})(\d+)$`)

// standing is the state of a name of the manual: present, directive, hook, left out, or "".
func standing(t *testing.T, known map[lib.Indicator]bool, name string) string {
	parts := manualName.FindStringSubmatch(strings.ReplaceAll(name, "%20", " "))
	require.NotEmpty(t, parts, name)
	arity, err := strconv.Atoi(parts[4])
	require.NoError(t, err)
	functor := lib.Indicator{Name: parts[2], Arity: arity}
	switch {
	case slices.Contains(directives, name):
		return "directive"
	case slices.Contains(hooks, name):
		return "hook"
	case known[functor], known[lib.Indicator{Name: parts[2] + "/", Arity: arity}],
		parts[3] == "//" && known[lib.Indicator{Name: parts[2], Arity: arity + 2}]:
		return "present"
	case slices.Contains(lib.AllLeftOut(), name), lib.LeftOut(parts[2], arity) != "" && parts[1] == "":
		return "left out"
	}
	if f, ok := strings.CutPrefix(parts[2], "f-"); ok {
		switch {
		case isFunction(t, f+strings.TrimPrefix(parts[3], "/"), arity):
			return "present"
		case lib.LeftOut(f, arity) != "":
			return "left out"
		}
	}
	return ""
}

// isFunction reports whether arithmetic has a function.
func isFunction(t *testing.T, name string, arity int) bool {
	goal := fmt.Sprintf("functor(F, %s, %d), current_arithmetic_function(F)", engine.FormatTerm(term.Atom(name)), arity)
	_, err := engine.New(nil).Once(t.Context(), goal, nil)
	if err != nil {
		require.ErrorIs(t, err, engine.ErrNoSolution)
	}
	return err == nil
}

// knownPredicates are the predicates of the system and its libraries, and control constructs.
func knownPredicates() map[lib.Indicator]bool {
	known := map[lib.Indicator]bool{{Name: "!", Arity: 0}: true, {Name: ",", Arity: 2}: true, {Name: "|", Arity: 2}: true}
	for _, chapter := range inspect.Documentation() {
		for _, d := range chapter.Predicates {
			known[lib.Indicator{Name: d.Name, Arity: d.Arity}] = true
		}
	}
	for _, name := range lib.Names() {
		for _, e := range lib.Exports(name) {
			known[e] = true
		}
	}
	return known
}

func TestEveryPredicateOfTheManualIsDecided(t *testing.T) {
	t.Parallel()
	known := knownPredicates()
	type count struct{ present, directives, hooks, out int }
	counts := map[string]*count{}
	var order []string
	manualLines(t, "predicates.tsv", func(fields []string) {
		chapter, _, _ := strings.Cut(fields[0], ".")
		if counts[chapter] == nil {
			counts[chapter] = &count{}
			order = append(order, chapter)
		}
		c := counts[chapter]
		for _, name := range strings.Fields(fields[2]) {
			switch standing(t, known, name) {
			case "present":
				c.present++
			case "directive":
				c.directives++
			case "hook":
				c.hooks++
			case "left out":
				c.out++
			default:
				t.Errorf("%s, of section %s (%s), is neither there nor decided against in engine/internal/lib/leftout.txt",
					name, fields[0], fields[1])
			}
		}
	})
	var total count
	for _, chapter := range order {
		c := counts[chapter]
		t.Logf("chapter %s: %d predicates, %d directives, %d hooks; %d left out", chapter, c.present, c.directives, c.hooks,
			c.out)
		total = count{total.present + c.present, total.directives + c.directives, total.hooks + c.hooks, total.out + c.out}
	}
	t.Logf("all: %d predicates, %d directives, %d hooks; %d left out", total.present, total.directives, total.hooks,
		total.out)
	for _, name := range lib.AllLeftOut() {
		parts := manualName.FindStringSubmatch(name)
		arity, err := strconv.Atoi(parts[4])
		require.NoError(t, err)
		if parts[1] == "" && known[lib.Indicator{Name: parts[2], Arity: arity}] {
			t.Errorf("%s is said to be left out, and is there", name)
		}
	}
}

func TestEveryLibraryIsDecided(t *testing.T) {
	t.Parallel()
	known := knownPredicates()
	whole, part, absent := 0, 0, 0
	var lines []string
	manualLines(t, "libraries.tsv", func(fields []string) {
		name := fields[0]
		if _, ok := lib.Source(name); !ok {
			absent++
			if lib.Absent(name) == "" {
				t.Errorf("library(%s) is neither there nor decided against in engine/internal/lib/leftout.txt", name)
			}
			return
		}
		exports, missing := []string(nil), []string(nil)
		if len(fields) > 1 {
			exports = strings.Fields(fields[1])
		}
		for _, e := range exports {
			switch standing(t, known, e) {
			case "left out":
				missing = append(missing, e)
			case "":
				t.Errorf("%s of library(%s) is neither there nor decided against in engine/internal/lib/leftout.txt", e, name)
			}
		}
		if len(missing) == 0 {
			whole++
			return
		}
		part++
		lines = append(lines, fmt.Sprintf("%s: %d of %d, without %s", name, len(exports)-len(missing), len(exports),
			strings.Join(missing, " ")))
	})
	t.Logf("libraries: %d whole, %d in part, %d absent by decision", whole, part, absent)
	t.Log(strings.Join(lines, "\n"))
}
