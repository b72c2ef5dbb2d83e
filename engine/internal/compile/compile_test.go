package compile_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/compile"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the listings of testdata anew")

const listings = "testdata/listings.txt"

// TestListings compares the code of clauses with the listings in testdata.
func TestListings(t *testing.T) {
	data, err := os.ReadFile(listings)
	require.NoError(t, err)
	var out strings.Builder
	for _, section := range strings.Split(string(data), "=== ")[1:] {
		name, rest, _ := strings.Cut(section, "\n")
		text, want, _ := strings.Cut(rest, "---\n")
		t.Run(name, func(t *testing.T) {
			p := newProgram(t)
			preds := p.add(text)
			p.compile(preds)
			got := ""
			for _, pred := range preds {
				got += fmt.Sprintf("%s/%d\n%s", pred.Name(), pred.Arity(), p.listing(pred))
			}
			fmt.Fprintf(&out, "=== %s\n%s---\n%s", name, text, got)
			if !*update {
				require.Equal(t, want, got)
			}
		})
	}
	if *update {
		require.NoError(t, os.WriteFile(listings, []byte(out.String()), 0o644))
	}
}

// TestErrors names the clauses that cannot be compiled.
func TestErrors(t *testing.T) {
	wide := strings.Repeat("a,", 299) + "a"
	nested := strings.Repeat("\\+ (a, ", 3000) + "b" + strings.Repeat(")", 3000)
	for _, c := range []struct{ name, clause, want string }{
		{"head", "p(" + wide + ") :- q.", "more than 255 arguments"},
		{"goal", "p :- q(" + wide + ").", "goal with more than 255 arguments"},
		{"nesting", "p :- " + nested + ".", "goals are nested too deeply"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProgram(t)
			pred := p.add(c.clause)[0]
			err := p.c.CompileLines(pred.Clauses()[0], nil)
			var e *compile.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, c.want, e.Msg)
		})
	}
}

// TestLarge compiles clauses that need more than the registers, and checks that their code uses no slot beyond the
// environment.
func TestLarge(t *testing.T) {
	many := func(n int, format string) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = strings.ReplaceAll(format, "#", fmt.Sprint(i))
		}
		return strings.Join(parts, ",")
	}
	deep := strings.Repeat("f(X,", 100) + "a" + strings.Repeat(")", 100)
	for name, clause := range map[string]string{
		"variables in a head": "p(" + many(250, "X#") + ") :- q(" + many(250, "f(X#)") + ").",
		"variables in a term": "p(f(" + many(5000, "X#") + ")) :- q(f(" + many(5000, "X#") + ")).",
		"variables in goals":  "p :- " + many(2500, "q(X#, Y#)") + ", r([" + many(2500, "X#") + "]).",
		"long list":           "p([" + many(10_000, "#") + "]) :- q([" + many(10_000, "f(#, _)") + "]).",
		"deep term in a head": "p(" + deep + ") :- q.",
		"deep term in a body": "p :- q(" + deep + ", Y), Y = " + deep + ".",
		"many unifications":   "p(X) :- " + many(1000, "X# = f(X)") + ", q([" + many(1000, "X#") + "]).",
		"many branches":       "p(X) :- ( " + strings.ReplaceAll(many(1000, "q(X, Y#), r(Y#)"), "),q", ") ; q") + "), s(X).",
		"many tests":          "p(X) :- ( " + strings.ReplaceAll(many(1000, "X =:= # -> Y = #"), ",", " ; ") + "), s(Y).",
		"long sum":            "p(X) :- X is " + strings.ReplaceAll(many(500, "#"), ",", "+") + ".",
		"all arguments deep": "p(" + many(255, "f(g(h(A#, B#)), i(A#, [B#]))") + ") :- q(" +
			many(255, "f(g(h(B#, A#)), i(A#, [B#]))") + ").",
		"variables of one use": "p :- " + many(3000, "q(_, f(_, _))") + ".",
	} {
		t.Run(name, func(t *testing.T) {
			p := newProgram(t)
			pred := p.add(clause)[0]
			cl := pred.Clauses()[0]
			require.NoError(t, p.c.CompileLines(cl, nil))
			require.NoError(t, p.c.Link(pred))
			p.checkSlots(cl)
		})
	}
}

// checkSlots checks the code of a clause: slots are within the environment, and each instruction ends where the next
// one begins.
func (p *program) checkSlots(cl *database.Clause) {
	words := p.db.Code()
	from, to := int(cl.Addr()), int(cl.Addr())+cl.CodeSize()
	slots := 0
	at := from
	for ; at < to; at += words[at].Words() {
		switch i := words[at]; i.Op() {
		case code.OpAllocate, code.OpNeckAllocate, code.OpAllocateLevel:
			slots = i.Imm()
		case code.OpPutY, code.OpGetY, code.OpNewY, code.OpPutVarY, code.OpSetValY, code.OpSetVarY,
			code.OpUniVarY, code.OpUniValY, code.OpMark, code.OpCutTo, code.OpGetLevel:
			require.Less(p.t, i.Imm(), slots)
		case code.OpCall, code.OpTryElse:
			require.LessOrEqual(p.t, i.BC(), slots)
		}
	}
	require.Equal(p.t, to, at)
}

// TestLines checks that goals are mapped back to their lines.
func TestLines(t *testing.T) {
	p := newProgram(t)
	pred := p.add("p(X) :- q(X), ( r(X) -> s(X) ; t(X) ), \\+ u(X), write(X), v(X).")[0]
	cl := pred.Clauses()[0]
	cl.Line = 1
	require.NoError(t, p.c.CompileLines(cl, []int32{10, 20, 30, 40, 50, 60, 70}))
	words := p.db.Code()
	lines := map[string]int{}
	for at := int(cl.Addr()); at < int(cl.Addr())+cl.CodeSize(); at += words[at].Words() {
		switch i := words[at]; i.Op() {
		case code.OpCall, code.OpDeallocateExecute:
			for _, q := range p.db.Preds() {
				if int(q.Entry) == i.Imm() {
					lines[q.Name()] = cl.LineAt(uint32(at))
				}
			}
		}
	}
	require.Equal(t, map[string]int{"q": 10, "r": 20, "s": 30, "t": 40, "u": 50, "v": 70}, lines)
}

// TestCompileTwice checks that a clause keeps its code, and that a dynamic clause does not rely on the else register.
func TestCompileTwice(t *testing.T) {
	p := newProgram(t)
	pred := p.add("p(X) :- X > 0, !, q.")[0]
	cl := pred.Clauses()[0]
	require.NoError(t, p.c.Compile(cl))
	at := cl.Addr()
	require.False(t, cl.Guarded())
	require.NoError(t, p.c.CompileLines(cl, nil))
	require.Equal(t, at, cl.Addr())
}

// TestEntries checks the entries of predicates without a chain.
func TestEntries(t *testing.T) {
	p := newProgram(t)
	system := p.db.System()
	undefined := p.db.User().Lookup(functor("nowhere/3"))
	dynamic := p.db.User().Lookup(functor("d/2"))
	p.definer.Set(dynamic, database.Dynamic)
	empty := p.db.User().Lookup(functor("e/1"))
	p.definer.Set(empty, database.Defined)
	table := p.add("t(f(1)). t(2). t(3). t(4). t(5). t(6). t(7). t(8). t(9).")[0]
	for pred, want := range map[*database.Pred]string{
		undefined:                       fmt.Sprintf("undefined #%d/3", undefined.ID),
		dynamic:                         fmt.Sprintf("dynamic #%d/2", dynamic.ID),
		empty:                           "fail",
		table:                           fmt.Sprintf("dynamic #%d/1", table.ID),
		system.Find(functor("write/1")): "builtin_end #0/1",
		system.Find(functor("call/1")):  fmt.Sprintf("meta #%d/1", system.Find(functor("call/1")).ID),
		system.Find(functor("call/2")):  fmt.Sprintf("call_n #%d/2", system.Find(functor("call/2")).ID),
	} {
		require.NoError(t, p.c.Link(pred))
		require.True(t, pred.Has(database.Linked))
		require.Equal(t, want, code.Disassemble(p.db.Code(), int(pred.Entry)))
	}
	require.Zero(t, table.Clauses()[0].Addr(), "facts of a table are not compiled")
}

// TestRelink checks that linking again after more clauses returns the old chain.
func TestRelink(t *testing.T) {
	p := newProgram(t)
	pred := p.add("p(a) :- q. p(b) :- q.")[0]
	require.NoError(t, p.c.Link(pred))
	at, size := pred.Chain()
	p.add("p(c) :- q.")
	p.c.Unlink(pred)
	require.NoError(t, p.c.Link(pred))
	require.Equal(t, at, p.db.AddCode(make([]code.Instr, size)), "the place of the old chain is free")
}
