package compile_test

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/compile"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/stretchr/testify/require"
)

// program is a program under test: its listings name the entries of predicates and number
// addresses from the start of the clause.
type program struct {
	t       testing.TB
	db      *database.Program
	definer *database.Definer
	c       *compile.Compiler
}

// The system predicates of the tests: those that are compiled inline, and one of each kind
// that is called.
var (
	inlined = strings.Fields(`var/1 nonvar/1 atom/1 integer/1 float/1 number/1 atomic/1 compound/1 callable/1
		string/1 is_list/1 =/2 ==/2 \==/2 is/2 </2 =</2 >/2 >=/2 =:=/2 =\=/2 once/1 ignore/1 forall/2
		findall/3 findall/4 not/1 true/0 fail/0 false/0 !/0 otherwise/0`)
	builtins = strings.Fields(`write/1 nl/0 functor/3 $findall_start/1 $findall_add/2 $findall_collect/2
		$findall_collect/3 between/3`)
	controls = strings.Fields(`call/1 call/2 call/3`)
	meta     = map[string]string{"call/1": "0", "call/2": "1?", "findall/3": "?0?"}
)

func newProgram(t testing.TB) *program {
	p := &program{t: t, db: database.New()}
	p.definer = p.db.Definer()
	between := -1
	for i, pi := range append(append(append([]string{}, builtins...), inlined...), controls...) {
		pred := p.db.System().Lookup(functor(pi))
		p.definer.Set(pred, database.Locked|database.Defined)
		p.definer.SetMeta(pred, meta[pi])
		if i < len(builtins) {
			pred.Builtin = i
		}
		if pi == "between/3" {
			between = i
		}
	}
	for _, pi := range controls {
		p.definer.Set(p.db.System().Lookup(functor(pi)), database.Control)
	}
	p.c = compile.New(p.db, compile.Options{
		Nondet: func(n int) bool { return n == between },
		Arith: func(name string, arity int) (int, bool) {
			fns := map[string]int{"pi/0": 0, "-/1": 1, "abs/1": 2, "max/2": 3, "/ /2": 4}
			fn, ok := fns[fmt.Sprintf("%s/%d", name, arity)]
			return fn, ok
		},
	})
	return p
}

func functor(pi string) code.Cell {
	at := strings.LastIndexByte(pi, '/')
	return code.Functor(pi[:at], int(pi[at+1]-'0'))
}

// add reads clauses and adds them to their predicates, which are returned in order of their
// first clause. Directives `:- module(m)` and `:- dynamic(p/1)` and `:- meta(p/1, "0")` act.
func (p *program) add(text string) []*database.Pred {
	parser := syntax.NewParser(syntax.NewTextInput("test.pl", text), p.db.User().Ops, &syntax.Flags{})
	module := p.db.User()
	var preds []*database.Pred
	tx := p.db.Begin(true)
	for {
		read, err := parser.Read()
		if err == io.EOF {
			return preds
		}
		require.NoError(p.t, err, text)
		t := read.Term
		if args, ok := term.Is(t, ":-", 1); ok {
			module = p.directive(module, args[0])
			continue
		}
		cl := p.clause(module, t)
		tx.Add(cl, false)
		p.definer.Set(cl.Pred, database.Defined)
		if len(cl.Pred.Clauses()) == 1 {
			preds = append(preds, cl.Pred)
		}
	}
}

func (p *program) directive(m *database.Module, t term.Term) *database.Module {
	if args, ok := term.Is(t, "module", 1); ok {
		return p.db.Module(string(args[0].(term.Atom)))
	}
	args, _ := term.Is(t, "meta", 2)
	name, arity, ok := term.Indicator(args[0])
	require.True(p.t, ok)
	p.definer.SetMeta(m.Lookup(code.Functor(string(name), arity)), string(args[1].(term.Atom)))
	return m
}

// clause makes a clause of a term; Head => Body is single sided.
func (p *program) clause(m *database.Module, t term.Term) *database.Clause {
	head, body, ssu := t, term.Term(term.Atom("true")), false
	if args, ok := term.Is(t, ":-", 2); ok {
		head, body = args[0], args[1]
	}
	if args, ok := term.Is(t, "=>", 2); ok {
		head, body, ssu = args[0], args[1], true
		if args, ok := term.Is(head, ",", 2); ok {
			head = args[0]
			body = term.New(",", term.New("$guard", args[1]), body)
		}
	}
	name, arity := term.Atom(""), 0
	switch h := head.(type) {
	case term.Atom:
		name = h
	case *term.Compound:
		name, arity = h.Functor, len(h.Args)
	}
	w := writer{places: map[*term.Var]int{}}
	root := w.write(term.New(":-", head, body))
	cl := database.NewClauseAt(m.Lookup(code.Functor(string(name), arity)), w.cells, root, database.Source{})
	cl.SSU = ssu
	return cl
}

// writer lays a term out in cells, the neck in front.
type writer struct {
	cells  []code.Cell
	places map[*term.Var]int
}

func (w *writer) write(t term.Term) code.Cell {
	switch t := t.(type) {
	case term.Atom:
		return code.AtomCell(string(t))
	case term.Int:
		return code.MakeInt(int64(t))
	case term.Float:
		return w.blob(code.MakeBlobHeader(code.FloatBlob, 1, 0), code.Cell(math.Float64bits(float64(t))))
	case term.String:
		return w.blob(code.MakeBlobHeader(code.StringBlob, 1, 0), code.Cell(len(t)))
	}
	c := t.(*term.Compound)
	at, n := len(w.cells), len(c.Args)
	ptr := code.MakeLst(at)
	if c.Functor != term.Dot || n != 2 {
		w.cells = append(w.cells, code.Functor(string(c.Functor), n))
		ptr, at = code.MakeStr(at), at+1
	}
	w.cells = append(w.cells, make([]code.Cell, n)...)
	for i, arg := range c.Args {
		if v, ok := arg.(*term.Var); ok {
			if _, ok := w.places[v]; !ok {
				w.places[v] = at + i
			}
			w.cells[at+i] = code.MakeRef(w.places[v])
			continue
		}
		cell := w.write(arg)
		w.cells[at+i] = cell
	}
	return ptr
}

func (w *writer) blob(words ...code.Cell) code.Cell {
	at := len(w.cells)
	w.cells = append(w.cells, words...)
	return code.MakeBlob(at)
}

// compile compiles and links predicates.
func (p *program) compile(preds []*database.Pred) {
	for _, pred := range preds {
		require.NoError(p.t, p.c.Link(pred))
	}
}

// listing shows the code of a predicate.
func (p *program) listing(pred *database.Pred) string { return p.db.Listing(pred) }

// TestShow prints the listing of the clauses in the file named by the environment.
func TestShow(t *testing.T) {
	file := os.Getenv("SHOW")
	if file == "" {
		t.Skip()
	}
	text, err := os.ReadFile(filepath.Clean(file))
	require.NoError(t, err)
	p := newProgram(t)
	preds := p.add(string(text))
	p.compile(preds)
	for _, pred := range preds {
		fmt.Println("%", pred.Name())
		fmt.Println(p.listing(pred))
	}
}
