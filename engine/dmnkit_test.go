package engine_test

import (
	"encoding/xml"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/internal/feel"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/internal/tables"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/stretchr/testify/require"
)

// This file runs the technology compatibility kit of DMN, which is not a part of the repository. It is read from the
// folder that MCPLOGIC_DMN_TCK names, or from ../shared/dmn-tck beside the repository.

// kitValue is a value in a test of the kit.
type kitValue struct {
	Name  string `xml:"name,attr"`
	Value *struct {
		Type string `xml:"type,attr"`
		Nil  string `xml:"nil,attr"`
		Text string `xml:",chardata"`
	} `xml:"value"`
	Components []kitValue `xml:"component"`
	List       *struct {
		Items []kitValue `xml:"item"`
	} `xml:"list"`
}

type kitTests struct {
	Cases []struct {
		ID      string     `xml:"id,attr"`
		Invoked string     `xml:"invocableName,attr"`
		Inputs  []kitValue `xml:"inputNode"`
		Results []struct {
			Name     string   `xml:"name,attr"`
			Error    bool     `xml:"errorResult,attr"`
			Expected kitValue `xml:"expected"`
		} `xml:"resultNode"`
	} `xml:"testCase"`
}

// term returns the value as a term.
func (v *kitValue) term() term.Term {
	switch {
	case v.List != nil:
		var items []term.Term
		for _, item := range v.List.Items {
			items = append(items, item.term())
		}
		return term.List(items...)
	case len(v.Components) > 0:
		var pairs []term.Term
		for _, c := range v.Components {
			pairs = append(pairs, term.New("-", term.Atom(c.Name), c.term()))
		}
		return term.Curlies(pairs...)
	case v.Value == nil || v.Value.Nil == "true":
		return term.Atom("null")
	}
	text := strings.TrimSpace(v.Value.Text)
	_, typ, _ := strings.Cut(v.Value.Type, ":")
	switch typ {
	case "decimal", "double", "integer", "int", "float", "long":
		if r, ok := new(big.Rat).SetString(text); ok {
			return feel.Number(r)
		}
	case "boolean":
		return term.Atom(text)
	case "date", "time", "dateTime", "duration":
		if t, ok := feel.Temporal(text); ok {
			return t
		}
		return term.Atom("no " + typ + ": " + text)
	}
	return term.String(v.Value.Text)
}

// sameValue compares a value with the expected one. Numbers have to agree in the digits that the expected number has.
func sameValue(got, want term.Term) bool {
	if x, ok := feel.Rat(got); ok {
		y, ok := feel.Rat(want)
		if !ok {
			return false
		}
		difference := new(big.Rat).Sub(x, y)
		most := new(big.Rat).Mul(new(big.Rat).Abs(y), big.NewRat(1, 1e8))
		return difference.Abs(difference).Cmp(most) <= 0
	}
	if xs, ok := term.CurlyItems(got); ok {
		ys, ok := term.CurlyItems(want)
		if !ok || len(xs) != len(ys) {
			return false
		}
		for _, x := range xs {
			pair := x.(*term.Compound)
			if !slices.ContainsFunc(ys, func(y term.Term) bool {
				other := y.(*term.Compound)
				return term.Equal(pair.Args[0], other.Args[0]) && sameValue(pair.Args[1], other.Args[1])
			}) {
				return false
			}
		}
		return true
	}
	if xs, ok := term.Slice(got); ok {
		ys, isList := term.Slice(want)
		return isList && slices.EqualFunc(xs, ys, sameValue)
	}
	return term.Equal(got, want)
}

// kitDecision is the predicate of a decision as the model declares it.
type kitDecision struct {
	name   term.Term
	inputs []string
}

func kitDecisions(prog *engine.Program) map[string]kitDecision {
	found := map[string]kitDecision{}
	for _, d := range prog.Declarations() {
		args, ok := term.Is(d.Term, "info", 2)
		if !ok {
			continue
		}
		of := kitDecision{name: args[0].(*term.Compound).Args[0]}
		title := ""
		list, _ := term.Slice(args[1])
		for _, item := range list {
			pair := item.(*term.Compound).Args
			switch pair[0] {
			case term.Term(term.Atom("title")):
				title, _ = term.Text(pair[1])
			case term.Term(term.Atom("argnames")):
				names, _ := term.Slice(pair[1])
				for _, name := range names[:len(names)-1] {
					text, _ := term.Text(name)
					of.inputs = append(of.inputs, text)
				}
			}
		}
		found[title] = of
	}
	return found
}

// runKit runs the tests of a folder of the kit. It returns how many tests pass, and why the others fail.
func runKit(t *testing.T, folder string) (passed int, failed []string) {
	files, err := filepath.Glob(filepath.Join(folder, "*-test-*.xml"))
	require.NoError(t, err)
	for _, file := range files {
		base := filepath.Base(file)
		base = base[:strings.LastIndex(base, "-test-")]
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		var tests kitTests
		require.NoError(t, xml.Unmarshal(data, &tests), file)
		model, err := os.ReadFile(filepath.Join(folder, base+".dmn"))
		if err != nil {
			failed = append(failed, base+": "+err.Error())
			continue
		}
		prog, err := engine.LoadFS(t.Context(), fstest.MapFS{"m.dmn": {Data: model},
			"m.pl": {Data: []byte(":- decision('m.dmn').\n")}}, nil, "m.pl")
		decisions := map[string]kitDecision{}
		if err == nil {
			decisions = kitDecisions(prog)
		}
		for _, c := range tests.Cases {
			for _, r := range c.Results {
				id := fmt.Sprintf("%s %s %s: ", base, c.ID, r.Name)
				d, known := decisions[r.Name]
				if c.Invoked != "" {
					d, known = decisions[c.Invoked]
				}
				if err != nil {
					failed = append(failed, id+strings.Split(err.Error(), "\n")[0])
					continue
				} else if !known {
					failed = append(failed, id+"no such decision")
					continue
				}
				args := []term.Term{}
				for _, name := range d.inputs {
					arg := term.Term(term.Atom("null"))
					for _, in := range c.Inputs {
						if tables.PlainNames([]string{in.Name}, map[string]bool{})[0] == name {
							arg = in.term()
						}
					}
					args = append(args, arg)
				}
				s, err := prog.Once(t.Context(), "append(Args, [V], All), G =.. [Name|All], call(G)",
					&engine.RunOptions{Bind: map[string]any{"Args": term.List(args...), "Name": d.name},
						Limits: engine.Limits{Time: 10 * time.Second}})
				if err != nil {
					if r.Error { // an error is expected
						passed++
						t.Log("refused, as the test has it: " + id + err.Error())
					} else {
						failed = append(failed, id+err.Error())
					}
					continue
				}
				got, want := s.Get("V"), r.Expected.term()
				if pairs, ok := term.CurlyItems(got); ok && c.Invoked != "" { // a service with several results
					for _, pair := range pairs {
						if args, _ := term.Is(pair, "-", 2); args[0] == term.Term(term.Atom(r.Name)) {
							got = args[1]
						}
					}
				}
				if sameValue(got, want) {
					passed++
				} else {
					failed = append(failed, fmt.Sprintf("%sgot %s, want %s", id, syntax.FormatTerm(got), syntax.FormatTerm(want)))
				}
			}
		}
	}
	return passed, failed
}

// kitRow is a row of the table in docs/dmn.md. It describes a folder of level 3 in which some tests fail: how many
// pass, and why others do not.
var kitRow = regexp.MustCompile(`(?m)^\| (\d{4}-\S+) \| (\d+ of \d+) \| .* \|$`)

// TestDMNKit runs the kit. All of level 2 passes, and of level 3 all except the tests that docs/dmn.md lists.
func TestDMNKit(t *testing.T) {
	root := os.Getenv("MCPLOGIC_DMN_TCK")
	if root == "" {
		root = filepath.Join("..", "..", "shared", "dmn-tck")
	}
	if _, err := os.Stat(root); err != nil {
		t.Skipf("NOT TESTED: the DMN kit is not there (%s); MCPLOGIC_DMN_TCK names its folder", err)
	}
	doc, err := os.ReadFile(filepath.Join("..", "docs", "dmn.md"))
	require.NoError(t, err)
	listed := map[string]string{}
	for _, row := range kitRow.FindAllStringSubmatch(string(doc), -1) {
		listed[row[1]] = row[2]
	}
	for _, level := range []string{"compliance-level-2", "compliance-level-3"} {
		folders, err := fs.ReadDir(os.DirFS(root), level)
		require.NoError(t, err)
		total, all, whole := 0, 0, 0
		for _, f := range folders {
			passed, failed := runKit(t, filepath.Join(root, level, f.Name()))
			total, all = total+passed, all+passed+len(failed)
			if len(failed) == 0 {
				whole++
			}
			want := fmt.Sprintf("%d of %d", passed+len(failed), passed+len(failed))
			if level == "compliance-level-3" && listed[f.Name()] != "" {
				want = listed[f.Name()]
			}
			if got := fmt.Sprintf("%d of %d", passed, passed+len(failed)); got != want {
				t.Errorf("%s: %s tests pass; docs/dmn.md has %s", f.Name(), got, want)
			}
			if len(failed) > 0 {
				t.Log(f.Name() + "\n" + strings.Join(failed, "\n"))
			}
		}
		summary := fmt.Sprintf("%d of %d tests, %d of %d folders whole", total, all, whole, len(folders))
		t.Log(level, summary)
		if !strings.Contains(string(doc), summary) {
			t.Errorf("docs/dmn.md lacks: %s, %s", level, summary)
		}
	}
}
