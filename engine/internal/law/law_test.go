package law

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
)

// listing is a program that lists the clauses that are made of rules.
type listing struct {
	db           *database.Program
	definer      *database.Definer
	declarations []source.Declaration
	clauses      []string
	reports      []string
}

func (p *listing) Declarations() []source.Declaration              { return p.declarations }
func (p *listing) Module(name string) *database.Module             { return p.db.Module(name) }
func (p *listing) Define(pred *database.Pred, flags database.Flag) { p.definer.Set(pred, flags) }
func (p *listing) Clear(*database.Pred)                            {}

func (p *listing) Add(_ *database.Module, at syntax.Position, clause term.Term) {
	p.clauses = append(p.clauses, fmt.Sprintf("%d: %s", at.Line, p.written(clause)))
}

func (p *listing) Table(pred *database.Pred) {
	p.Define(pred, database.Tabled)
	p.clauses = append(p.clauses, "table "+pred.Indicator())
}

func (p *listing) Rewrite(pred *database.Pred, table bool, _ func(term.Term) term.Term) bool {
	p.clauses = append(p.clauses, fmt.Sprintf("rewrite %s %t", pred.Indicator(), table))
	return true
}

// written writes a term. Its variables are A, B and so on.
func (p *listing) written(t term.Term) string {
	names := map[*term.Var]string{}
	for i, v := range term.Variables(t) {
		names[v] = string(rune('A' + i))
	}
	return syntax.Format(t, &syntax.WriteOptions{Quoted: true, VarNames: names, Ops: p.db.User().Ops})
}

// load reads labelled rules, directives about them and directives mode/2. own holds the clauses that are made when
// each rule is read.
func (p *listing) load(t *testing.T, lines []string) (rules *Rules, own []string) {
	p.db = database.New()
	p.definer = p.db.Definer()
	user := p.db.User()
	user.Ops.Add(1150, syntax.XFX, "::")
	rules = &Rules{}
	for i, line := range lines {
		parser := syntax.NewParser(syntax.NewTextInput("laws", line+"."), user.Ops, &syntax.Flags{})
		parser.Positions = true
		read, err := parser.Read()
		require.NoError(t, err, line)
		at := syntax.Place{Line: i + 1, Column: 1}
		text := Text{Name: "laws", Module: user, Meta: func(code.Cell) string { return "" },
			Report: func(at syntax.Place, severity source.Severity, _, format string, args ...any) {
				p.reports = append(p.reports, fmt.Sprintf("%d %s: %s", at.Line, severity, fmt.Sprintf(format, args...)))
			},
			Define: func(functor code.Cell) *database.Pred {
				pred := user.Lookup(functor)
				p.Define(pred, database.Defined)
				return pred
			}}
		if directive, ok := term.Is(read.Term, ":-", 1); ok {
			c := directive[0].(*term.Compound)
			if d := (Directive{Text: text, At: at, Name: string(c.Functor), Args: c.Args}); c.Functor != "mode" {
				rules.Note(d)
				continue
			}
			p.declarations = append(p.declarations, source.Declaration{Module: "user", Name: "mode", Term: c})
			continue
		}
		require.True(t, IsLabelled(read), line)
		plain, r := Unlabelled(read, text, at)
		if r == nil {
			continue
		}
		clause, applies := rules.Add(p, r, []term.Term{plain.Term}, plain)
		if clause != nil {
			own = append(own, p.written(clause.Term))
		}
		if applies != nil {
			own = append(own, p.written(applies))
		}
	}
	return rules, own
}

// TestRules compares the clauses with those in the comments of the package.
func TestRules(t *testing.T) {
	const mode = ":- mode(p(+x, -y), zero_or_one)"
	for _, test := range []struct {
		name                  string
		lines                 []string
		own, clauses, reports []string
	}{
		{name: "a rule and a fact", lines: []string{mode, "r :: p(X, Y) :- q(X, Y)", "s :: f(1)"}, own: []string{
			"p(A,B):-'rule in force'(r,C,D),q(A,B),\\+'rule defeated'(r,p(A,B),E,F),\\+'rule contradicted'(r,p(A,B))",
			"'rule applies'(r,p(A,B)):-'rule in force'(r,C,D),q(A,B)",
			"f(1):-'rule in force'(s,A,B),\\+'rule defeated'(s,f(1),C,D),\\+'rule contradicted'(s,f(1))",
			"'rule applies'(s,f(1)):-'rule in force'(s,A,B)",
		}, clauses: []string{"2: 'rule in force'(r,null,null):-true", "3: 'rule in force'(s,null,null):-true"}},
		{name: "a rule against a goal", lines: []string{`r :: \+ f(X) :- q(X)`},
			own:     []string{"'rule applies'(r,\\+f(A)):-'rule in force'(r,B,C),q(A)"},
			clauses: []string{"1: 'rule in force'(r,null,null):-true"}},
		{name: "one is stronger", lines: []string{"r :: f(1)", "s :: f(2)", ":- overrides(s, r)"}, clauses: []string{
			"3: 'rule defeated'(r,f(A),s,overrides):-'rule applies'(s,f(A)),\\+'rule defeated'(s,f(A),B,C)",
			"3: 'rule weaker'(s,f(A),'rule applies'(r,f(A)),'rule defeated'(r,f(A),s,overrides)):-true",
		}},
		{name: "two may disagree", lines: []string{mode, "r :: p(1, a)", "s :: p(1, b)"}, clauses: []string{
			"3: 'rule contradicted'(r,p(A,B)):-'rule applies'(s,p(A,C)),[C]\\=[B],\\+'rule defeated'(s,p(A,C),D,E)," +
				"law:disagree(rule(r,p(A,B),laws,2),rule(s,p(A,C),laws,3))",
		}},
		{name: "a rule that rests on what defeats it", lines: []string{"r :: f(X) :- g(X)", "s :: g(X) :- f(X)",
			":- overrides(s, r)"}, clauses: []string{"table 'rule defeated'/4", "rewrite 'rule applies'/2 false",
			"rewrite f/1 true", "rewrite g/1 true"}},
		{name: "mistakes", lines: []string{"r :: f(1)", "r :: f(2)", "1 :: f(3)", "s :: f(X) :- q(X), !",
			":- overrides(r, r)",
			":- overrides(rr, r)", ":- valid(r, from(date(2023, 2, 29)))"},
			reports: []string{"2 error: there is a rule r already, at laws:1",
				"3 error: the label of a rule is an atom, not 1",
				"4 error: a cut in rule s would keep weaker rules from being tried; " +
					"write once/1, or say which rule overrides which",
				"5 error: r cannot be stronger than itself", "6 error: no rule has the label rr; did you mean r?",
				"7 error: from(date(2023,2,29)) is neither from(date(Y, M, D)) nor until(date(Y, M, D))"}},
		{name: "never in force", lines: []string{"r :: f(1)",
			":- valid(r, from(date(2024, 2, 29)), until(date(2024, 1, 1)))"},
			reports: []string{"2 warning: rule r is never in force: it ends before it begins"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := &listing{}
			rules, own := p.load(t, test.lines)
			rules.Relate(p)
			require.Subset(t, own, test.own)
			require.Subset(t, p.clauses, test.clauses)
			require.Equal(t, test.reports, p.reports)
			p.clauses = nil
			rules.Relate(p)
			require.Empty(t, p.clauses, "nothing has changed")
			rules.Forget([]string{"laws"})
			rules.Relate(p)
			require.Empty(t, p.clauses)
			require.Empty(t, rules.Labels())
		})
	}
}
