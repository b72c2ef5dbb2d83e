package kb

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/yosida95/uritemplate/v3"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/lazyregexp"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file warns of clauses that will never be called, because the items that they belong to are not declared.

// undeclared warns of clauses for items that the provider does not declare, and of facts that are meant to be
// declarations.
func (l *loading) undeclared(p *Provider) {
	tools := l.toolNames(p)
	l.checkClauses(p, "tool_call", 3, "tool", "mcp_add_tool", namedIn(tools))
	l.checkClauses(p, "tool_call", 4, "tool", "mcp_add_tool", namedIn(tools))
	var prompts []string
	for _, prompt := range l.snapshot.Prompts {
		if prompt.Provider == p {
			prompts = append(prompts, prompt.Name)
		}
	}
	l.checkClauses(p, "prompt_get", 3, "prompt", "mcp_add_prompt", namedIn(prompts))
	uris := l.uriNames(p)
	l.checkClauses(p, "resource_read", 3, "resource", "mcp_add_resource", func(x engine.Term) (string, string, bool) {
		uri, near, ok := namedIn(uris)(x)
		return uri, near, ok || servedBy(uris, uri)
	})
	l.checkClauses(p, "completion", 4, "prompt or resource", "mcp_add_", completedIn(prompts, uris))
	l.checkFacts(p)
}

// uriNames are the addresses and templates that a provider declares.
func (l *loading) uriNames(p *Provider) (uris []string) {
	for _, r := range slices.Concat(l.snapshot.Resources, l.snapshot.Templates) {
		if r.Provider == p {
			uris = append(uris, r.URI)
		}
	}
	return uris
}

// finder looks up the item that a clause belongs to, given the first argument. ok says that the item is declared or
// that the clause is for several items. name is the name in the clause. near is a similar declared name, or "".
type finder func(x engine.Term) (name, near string, ok bool)

// namedIn returns the finder of items with some names.
func namedIn(known []string) finder {
	return func(x engine.Term) (name, near string, ok bool) {
		name, isText := term.Text(x)
		return name, spell.Nearest(name, known), !isText || slices.Contains(known, name)
	}
}

// completedIn returns the finder of prompt(Name) and resource(URI).
func completedIn(prompts, uris []string) finder {
	return func(x engine.Term) (name, near string, ok bool) {
		if args, ok := term.Is(x, "prompt", 1); ok {
			return namedIn(prompts)(args[0])
		}
		if args, ok := term.Is(x, "resource", 1); ok {
			return namedIn(uris)(args[0])
		}
		return "", "", true
	}
}

func servedBy(templates []string, uri string) bool {
	return slices.ContainsFunc(templates, func(text string) bool {
		t, err := uritemplate.New(text)
		return err == nil && t.Match(uri) != nil
	})
}

// checkClauses warns of clauses of a predicate whose first argument is not a declared item. Goals may add items by a
// predicate whose name begins with adder; a knowledge base that mentions adder is not checked.
func (l *loading) checkClauses(p *Provider, name string, arity int, kind, adder string, look finder) {
	info, ok := p.own[indicator(name, arity)]
	if !ok || l.broken {
		return
	}
	head, vars := general(name, arity)
	goal := term.New("clause", head, term.NewVar(""))
	answers, err := l.solutions(p.Module, goal, vars[:1])
	if err != nil || len(answers) != len(info.Clauses) {
		return
	}
	for i, values := range answers {
		of, near, ok := look(values[0])
		if ok || l.mentions(adder) {
			continue
		}
		hint := ""
		if near != "" {
			hint = "; did you mean " + near + "?"
		}
		l.warn(clausePlace(info, i), "undeclared", "%s has a clause for %s, but no %s of that name is declared%s",
			indicator(name, arity), of, kind, hint)
		if near != "" {
			l.fixArgument(info, i, of, near)
		}
	}
}

// mentions reports whether a text of the knowledge base holds a word. Texts that are not held in memory are ignored.
func (l *loading) mentions(word string) bool {
	return slices.ContainsFunc(l.sources, func(s source.File) bool { return strings.Contains(s.Text, word) })
}

// listings are the predicates that declare items, by the name of an item in their lists.
var listings = map[string]string{"tool": "tools", "prompt": "prompts", "resource": "resources",
	"resource_template": "resource_templates"}

// itemArity are the least and the greatest number of elements of an item.
var itemArity = map[string][2]int{"tool": {3, 4}, "prompt": {3, 5}, "resource": {4, 6}, "resource_template": {4, 6}}

// listAdvice maps predicates that declare items to hints for texts that call them: the hint says how items are
// declared.
var listAdvice = sync.OnceValue(func() map[string]string {
	fact := func(name string) string { return name + "/1 is a fact and no directive: write it without :-" }
	advice := map[string]string{"capabilities/1": fact("capabilities")}
	for item, list := range listings {
		advice[list+"/1"] = fact(list)
		for arity := 1; arity <= itemArity[item][1]; arity++ {
			advice[indicator(item, arity)] = "a " + strings.ReplaceAll(item, "_", " ") + " is declared in a list, " +
				list + "([" + item + "(...), ...]), that is a fact"
		}
	}
	advice["tool/1"] = "a tool is declared in a list, tools([tool(Name, Functor, Arity), ...]), that is a fact"
	return advice
})

// checkFacts warns of items that are written as facts instead of in a list, if the list is missing.
func (l *loading) checkFacts(p *Provider) {
	for item, list := range listings {
		if _, ok := p.own[list+"/1"]; ok {
			continue
		}
		for arity := itemArity[item][0]; arity <= itemArity[item][1]; arity++ {
			if at, example, ok := l.itemFact(p, item, arity); ok {
				l.warn(at, "item_fact", "%s is a fact that declares nothing; write %s([%s, ...])", indicator(item, arity),
					list, l.show(example))
				l.fixFact(item, list)
			}
		}
	}
}

// fixArgument gives the last diagnostic a fix that replaces the first argument of the head of clause i.
func (l *loading) fixArgument(info inspect.Predicate, i int, word, other string) {
	layout := info.Clauses[i].Layout
	if layout != nil && len(layout.Args) == 2 && !info.Clauses[i].Fact {
		layout = layout.Args[0]
	}
	if layout = layout.Arg(0); layout == nil || layout.Pos.Line == 0 {
		return
	}
	d := &l.report[len(l.report)-1]
	lines := l.lines(d.File)
	if layout.Pos.Line <= len(lines) {
		d.Fix = source.ReplaceWord(layout.Pos, lines[layout.Pos.Line-1], word, other)
	}
}

// fixFact gives the last diagnostic a fix that puts the fact at its place into a list, if the fact fills its line.
func (l *loading) fixFact(item, list string) {
	d := &l.report[len(l.report)-1]
	if fact, ok := strings.CutSuffix(strings.TrimRight(d.Source, " \t"), ")."); ok && strings.HasPrefix(fact, item+"(") {
		d.Fix = &source.Fix{Line: d.Line, Column: 1, EndLine: d.Line, EndColumn: len([]rune(fact)) + 3,
			Text: list + "([" + fact + ")])."}
	}
}

// itemFact returns the first clause of a predicate if it looks like an item. The first argument of a tool is a name,
// and the second and third denote an existing predicate. Prompts end with a list, and resources begin with an address.
func (l *loading) itemFact(p *Provider, item string, arity int) (at source.Position, fact engine.Term, ok bool) {
	info, ok := inner.Of(l.program).Defines(p.Module, item, arity)
	if !ok || info.BuiltIn || info.Dynamic {
		return at, nil, false
	}
	head, vars := general(item, arity)
	goal := term.New("once", term.New("clause", head, term.True))
	answers, err := l.solutions(p.Module, goal, vars)
	if err != nil || len(answers) == 0 || !l.isItem(p, item, answers[0]) {
		return at, nil, false
	}
	return clausePlace(info, 0), term.New(term.Atom(item), answers[0]...), true
}

// isItem reports whether a fact with these arguments is an item.
func (l *loading) isItem(p *Provider, item string, args []engine.Term) bool {
	switch item {
	case "tool":
		n, isInt := args[2].(term.Int)
		if _, isList := term.Slice(args[len(args)-1]); !isInt || n < 0 || n > maxArity || len(args) > 3 && !isList {
			return false
		}
		_, ok := inner.Of(l.program).Predicate(p.Module, termText(args[1]), int(n))
		return ok && termText(args[0]) != ""
	case "prompt":
		at := min(len(args)-1, 3)
		list, isList := term.Slice(args[at])
		other := func(x engine.Term) bool { _, ok := term.Is(x, "argument", 3); return !ok }
		wordless := func(x engine.Term) bool { return termText(x) == "" }
		return isList && !slices.ContainsFunc(list, other) && !slices.ContainsFunc(args[:at], wordless)
	}
	return strings.Contains(termText(args[0]), "://")
}

// elicitCall finds a call of the predicates that ask the user.
var elicitCall = lazyregexp.New(`^[^%]*?\b(mcp_ask|mcp_elicit|mcp_elicit_url|mcp_elicit_all)\(`)

// askers warns of goals that ask the user if no provider of the knowledge base declares the capability.
func (l *loading) askers() {
	asks := func(p *Provider) bool { return p.Declares("elicitation") }
	if slices.ContainsFunc(l.snapshot.Providers, asks) || !l.mentions("mcp_elicit") && !l.mentions("mcp_ask") {
		return
	}
	for _, s := range l.sources {
		for i, line := range l.lines(s.Name) {
			if found := elicitCall().FindStringSubmatchIndex(line); found != nil && s.Open == nil {
				at := source.Position{File: s.Name, Place: source.Place{Line: i + 1, Column: len([]rune(line[:found[2]])) + 1}}
				l.warn(at, "capability", "%s reaches only users whose client can ask them; "+
					"declare capabilities([elicitation]) and the model asks the others", line[found[2]:found[3]])
				return
			}
		}
	}
}

// missingValues warns of columns of data files that lack a value, if the type in mode/2 does not allow that. A tool
// that returns the rows leaves out the solution with such a row.
func (l *loading) missingValues() {
	for _, file := range inner.Of(l.program).DataFiles() {
		modes := l.modes[file.Module+":"+file.Predicate]
		if file.Missing == nil || len(modes) == 0 {
			continue
		}
		leaves := ""
		for _, t := range l.snapshot.Tools {
			if indicator(t.Functor, t.Arity()) == file.Predicate && t.Provider.Module == file.Module {
				leaves = ", and the tool " + t.Name + " leaves out such rows"
			}
		}
		for i, typ := range modes[0].types {
			place := file.Missing[i]
			if err := l.checkValue(file.Module, term.Atom("null"), typ); place.Line > 0 && err != nil {
				name := fmt.Sprintf("argument %d of %s", i+1, file.Predicate)
				if info := l.infos[file.Module+":"+file.Predicate]; info != nil && i < len(info.names) {
					name = info.names[i]
				}
				l.warn(source.Position{File: file.Name, Place: place}, "facts", "%s is missing here%s; say maybe(%s) in mode/2",
					name, leaves, l.show(typ))
			}
		}
	}
}

// onlyReads and closed are the derived hints read_only(true) and open_world(false). They are compared by address with
// hints that a tool gives itself.
var onlyReads, closed = true, false

// effects sets the hints of tools whose predicates change nothing. It warns of tools that claim to change nothing but
// do, and of tools that read user_input, which clients do not have.
func (l *loading) effects() {
	for _, t := range l.snapshot.Tools {
		if t.ReadOnly == &onlyReads { // the program may have inherited rules after the hint was set
			t.ReadOnly = nil
		}
		if t.OpenWorld == &closed {
			t.OpenWorld = nil
		}
		p := t.Provider
		head, _ := general(t.Functor, t.Arity())
		effect, by, reads := term.NewVar(""), term.NewVar(""), term.NewVar("")
		goal := term.New("$explain_effect", head, effect, by, reads)
		answers, err := l.solutions(p.Module, goal, []*term.Var{effect, by, reads})
		if err != nil || len(answers) == 0 {
			continue
		}
		if reader := answers[0][2]; reader != term.Nil {
			l.warn(t.Place, "user_input", "tool %s reads user_input by %s, and clients have none; "+
				"ask by mcp_elicit/3 or mcp_ask/3", t.Name, l.show(reader))
		}
		if p.Defines("tool_call", 3) || p.Asks() || t.Destructive != nil && *t.Destructive {
			continue // the author of the tool knows more than its predicate shows
		}
		switch found := termText(answers[0][0]); {
		case found == "changes" && t.ReadOnly != nil && *t.ReadOnly:
			l.warn(t.Place, "tool", "tool %s says read_only(true), and its predicate calls %s", t.Name, l.show(answers[0][1]))
		case found == "none" && t.ReadOnly != nil && !*t.ReadOnly:
			l.warn(t.Place, "tool", "tool %s says read_only(false), and its predicate changes nothing; clients then ask for "+
				"each call", t.Name)
		case found == "none" || found == "outside":
			if t.ReadOnly == nil {
				t.ReadOnly = &onlyReads
			}
			if t.OpenWorld == nil && found == "none" {
				t.OpenWorld = &closed
			}
		}
	}
}

// general returns a goal whose arguments are new variables, and the variables.
func general(name string, arity int) (engine.Term, []*term.Var) {
	args, vars := make([]engine.Term, arity), make([]*term.Var, arity)
	for i := range args {
		vars[i] = term.NewVar("")
		args[i] = vars[i]
	}
	return term.New(term.Atom(name), args...), vars
}
