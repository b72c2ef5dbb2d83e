package kb

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/guide"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/knownclients"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file reads and checks tools/1, capabilities/1 and the schemas.

// capabilityNames are the names that capabilities/1 may list.
var capabilityNames = []string{"tools", "prompts", "resources", "elicitation", "completions", "logging",
	"ui", "explain", "what_if"}

// checkDirectives reports directives about predicates that do not exist.
func (l *loading) checkDirectives() {
	for _, list := range l.modes {
		for _, m := range list {
			l.described("mode/2", m.module, m.name, len(m.types), m.place)
		}
	}
	for _, d := range l.infos {
		l.described("info/2", d.module, d.name, d.arity, d.place)
	}
}

func (l *loading) described(directive, module, name string, arity int, at source.Position) {
	if _, ok := inner.Of(l.program).Predicate(module, name, arity); ok || l.broken || l.handled(module) {
		return
	}
	l.warn(at, "predicate", "%s describes %s, which is not defined%s", directive, indicator(name, arity),
		l.suggest(module, name, arity))
}

// handled reports whether tool_call/3 or /4 may answer for a predicate that has no clauses.
func (l *loading) handled(module string) bool {
	for _, p := range l.snapshot.Providers {
		if p.Module == module {
			return p.Defines("tool_call", 3) || p.Asks()
		}
	}
	return false
}

// suggest returns "; did you mean ...?" for a predicate that is not defined, or "".
func (l *loading) suggest(module, name string, arity int) string {
	var names, others, same []string
	arities := map[string]int{}
	for _, m := range slices.Compact([]string{module, "user"}) {
		for _, info := range l.program.Predicates(m) {
			switch {
			case info.Name == name:
				same = append(same, indicator(name, info.Arity))
			case info.Arity == arity:
				names = append(names, info.Name)
			default:
				others, arities[info.Name] = append(others, info.Name), info.Arity
			}
		}
	}
	if len(same) > 0 {
		return "; there is " + strings.Join(same, ", ")
	}
	if hint := spell.Hint(name, names); hint != "" {
		return hint
	}
	if near := spell.Nearest(name, others); near != "" {
		return "; did you mean " + indicator(near, arities[near]) + "?"
	}
	return ""
}

// capabilities reads capabilities/1.
func (l *loading) capabilities(p *Provider) {
	l.eachItem(p, "capabilities", func(item engine.Term, at source.Position) {
		name, isText := term.Text(item)
		switch {
		case !isText:
			l.fail(at, "capability", "got %s, want the name of a capability", l.show(item))
		case !slices.Contains(capabilityNames, name):
			l.unknown(at, "capability", "capability", name, capabilityNames)
		default:
			p.Capabilities = append(p.Capabilities, name)
		}
	})
	slices.Sort(p.Capabilities)
	p.Capabilities = slices.Compact(p.Capabilities)
	if info, ok := p.own["tool_call/4"]; ok && !p.Declares("elicitation") {
		l.warn(clausePlace(info, 0), "capability", "tool_call/4 is never called; declare capabilities([elicitation])")
	}
}

// eachItem reads the items of the lists that a predicate of the provider has as its argument.
func (l *loading) eachItem(p *Provider, name string, read func(item engine.Term, at source.Position)) {
	for _, a := range l.ask(p, name, nil) {
		items, ok := term.Slice(a.values[0])
		if !ok {
			l.fail(a.place, "declaration", "%s/1: got %s, want a list", name, l.show(a.values[0]))
		}
		for i, at := range a.places(len(items)) {
			read(items[i], at)
		}
	}
}

// tools reads tools/1.
func (l *loading) tools(p *Provider) {
	l.eachItem(p, "tools", func(item engine.Term, at source.Position) { l.tool(p, item, at) })
}

// tool reads one item of tools/1. Name/Arity is short for a tool named like its predicate.
func (l *loading) tool(p *Provider, item engine.Term, at source.Position) {
	if pi, ok := term.Is(item, "/", 2); ok {
		item = term.New("tool", pi[0], pi[0], pi[1])
	}
	c, ok := item.(*term.Compound)
	if !ok || c.Functor != "tool" || len(c.Args) != 3 && len(c.Args) != 4 {
		l.fail(at, "tool", "got %s, want tool(Name, Functor, Arity) or tool(Name, Functor, Arity, Options)%s", l.show(item),
			cmp.Or(l.apart(item), l.bare(p, item)))
		return
	}
	name, functor := termText(c.Args[0]), termText(c.Args[1])
	arity, isInt := c.Args[2].(term.Int)
	if functor == "" || !isInt || arity < 0 || arity > maxArity {
		l.fail(at, "tool", "got %s, want tool(Name, Functor, Arity) with the name of a predicate and its number of "+
			"arguments%s", l.show(item), l.apart(item))
		return
	}
	t := &Tool{Name: name, Provider: p, Functor: functor, Place: at, Arguments: make([]Argument, arity)}
	l.toolName(t)
	if _, ok := inner.Of(l.program).Predicate(p.Module, functor, int(arity)); !ok && !l.broken && !l.called(p, name) {
		l.fail(at, "predicate", "tool %s: %s is not defined%s", name, indicator(functor, int(arity)),
			l.suggest(p.Module, functor, int(arity)))
	}
	options := toolOptions{mode: 1}
	if len(c.Args) == 4 {
		l.options(t, &options, c.Args[3])
	}
	l.describe(t, options)
	l.snapshot.Tools = append(l.snapshot.Tools, t)
	if l.names != nil {
		l.names[t.Name] = t
	}
}

// apart returns a hint for an item that is written as tool(Name, Functor/Arity), perhaps with options. It is "" for
// other items.
func (l *loading) apart(item engine.Term) string {
	c, ok := item.(*term.Compound)
	if !ok || c.Functor != "tool" || len(c.Args) < 2 || len(c.Args) > 3 {
		return ""
	}
	pi, ok := term.Is(c.Args[1], "/", 2)
	if !ok {
		return ""
	}
	args := slices.Concat(c.Args[:1], pi, c.Args[2:])
	if len(args) == 4 && args[3] == engine.Term(term.Nil) {
		args = args[:3]
	}
	return "; write " + l.show(term.New("tool", args...))
}

// bare returns a hint for an item that is only the name of a predicate, or "".
func (l *loading) bare(p *Provider, item engine.Term) string {
	name, ok := item.(term.Atom)
	if !ok {
		return ""
	}
	for arity := 0; arity <= 8; arity++ {
		if _, ok := inner.Of(l.program).Predicate(p.Module, string(name), arity); ok {
			return "; write " + l.show(term.New("tool", name, name, term.Int(arity)))
		}
	}
	return ""
}

const maxArity = 255

// called reports whether a clause of tool_call/3 or /4 names a tool. Its predicate need not exist then.
func (l *loading) called(p *Provider, tool string) bool {
	for arity := 3; arity <= 4; arity++ {
		if !p.Defines("tool_call", arity) || arity == 4 && !p.Asks() {
			continue
		}
		head, vars := general("tool_call", arity)
		answers, err := l.solutions(p.Module, term.New("clause", head, term.NewVar("")), vars[:1])
		named := func(values []engine.Term) bool { return termText(values[0]) == tool && tool != "" }
		if err == nil && slices.ContainsFunc(answers, named) {
			return true
		}
	}
	return false
}

// toolName checks the name of a tool: MCP's rules for names, and that no other tool has it.
func (l *loading) toolName(t *Tool) {
	if !isName(t.Name, 128) {
		l.fail(t.Place, "name", "tool name %s: want 1 to 128 of A-Z a-z 0-9 _ . -", strconv.Quote(t.Name))
	}
	if len(t.Name) > knownclients.Name || strings.Contains(t.Name, ".") {
		l.warn(t.Place, "name", "tool name %s: some clients refuse all tools of a server for it; "+
			"they want 1 to %d of A-Z a-z 0-9 _ -", strconv.Quote(t.Name), knownclients.Name)
	}
	if old := l.named(t.Name); old != nil {
		l.fail(t.Place, "duplicate", "tool %s is already declared at %s", t.Name, old.Place)
	}
}

// named returns the tool of a name among those read so far, or nil. An item that is added to a finished snapshot is
// compared with all tools: a map of the tools would cost more.
func (l *loading) named(name string) *Tool {
	if l.names != nil {
		return l.names[name]
	}
	if at := slices.IndexFunc(l.snapshot.Tools, func(t *Tool) bool { return t.Name == name }); at >= 0 {
		return l.snapshot.Tools[at]
	}
	return nil
}

// toolOptions are options of a tool that other checks depend on.
type toolOptions struct {
	mode               int
	title, description string
	kind               string // the kind of the described item, "" for a tool
}

// options reads the fourth argument of tool/4.
func (l *loading) options(t *Tool, o *toolOptions, list engine.Term) {
	l.eachOption(t.Place, "tool", "tool "+t.Name, list, func(name string, value engine.Term) error {
		return l.option(t, o, name, value)
	})
}

// option sets one option.
func (l *loading) option(t *Tool, o *toolOptions, name string, value engine.Term) (err error) {
	switch name {
	case "mode":
		o.mode, err = positive(value)
	case "limit":
		t.Limit, err = positive(value)
	case "title":
		err = engine.Convert(value, &o.title)
	case "description":
		err = engine.Convert(value, &o.description)
	case "read_only":
		t.ReadOnly, err = boolHint(value)
	case "destructive":
		t.Destructive, err = boolHint(value)
	case "idempotent":
		t.Idempotent, err = boolHint(value)
	case "open_world":
		t.OpenWorld, err = boolHint(value)
	case "timeout":
		t.Timeout, err = seconds(value)
	case "icons":
		t.Icons, err = readIcons(value)
	case "explain":
		t.Explain, err = explaining(value)
	case "meta":
		t.Meta, err = value, checkMeta(value)
	case "always_load":
		t.AlwaysLoad, err = boolHint(value)
	case "task":
		t.Task, err = readTask(value)
	case "assume":
		t.Assume, err = l.assumables(t, value)
	case "secret":
		err = engine.Convert(value, &t.Secret)
	case "max_result":
		t.MaxResult, err = positive(value)
	case "input_schema":
		t.InputSchema, err = value, checkSchema(value, true)
	case "output_schema":
		t.OutputSchema, err = value, checkSchema(value, false)
	default:
		l.unknown(t.Place, "tool", "option", name, guide.Options)
	}
	return err
}

// readTask reads the option task(after(Seconds)) or task(required).
func readTask(x engine.Term) (*Task, error) {
	if x == term.Term(term.Atom("required")) {
		return &Task{Required: true}, nil
	}
	args, ok := term.Is(x, "after", 1)
	if ok && args[0] == term.Term(term.Int(0)) {
		return &Task{}, nil
	}
	if ok {
		if after, err := seconds(args[0]); err == nil {
			return &Task{After: after}, nil
		}
	}
	return nil, fmt.Errorf("got %s, want after(Seconds) or required", inspect.ShowTerm(x))
}

// checkMeta checks the option meta, whose value is a JSON object as a curly term.
func checkMeta(t engine.Term) error {
	raw, err := codec.ToJSON(t, nil)
	if err != nil {
		return err
	}
	if raw[0] != '{' {
		return fmt.Errorf("got %s, want {Name-Value, ...}", inspect.ShowTerm(t))
	}
	return nil
}

func positive(t engine.Term) (int, error) {
	n, ok := t.(term.Int)
	if !ok || n < 1 || n > 1<<31-1 {
		return 0, fmt.Errorf("got %s, want a positive integer", inspect.ShowTerm(t))
	}
	return int(n), nil
}

func boolHint(t engine.Term) (*bool, error) {
	if t != term.Term(term.True) && t != term.Term(term.False) {
		return nil, fmt.Errorf("got %s, want true or false", inspect.ShowTerm(t))
	}
	on := t == term.Term(term.True)
	return &on, nil
}

// explaining reads the option explain(Bool).
func explaining(t engine.Term) (Explaining, error) {
	on, err := boolHint(t)
	switch {
	case err != nil:
		return ExplainAsked, err
	case *on:
		return ExplainAlways, nil
	}
	return ExplainNever, nil
}

func seconds(t engine.Term) (time.Duration, error) {
	const most = 24 * 60 * 60
	n := numberOf(t)
	if !(n > 0 && n <= most) {
		return 0, fmt.Errorf("got %s, want a number of seconds, at most %d", inspect.ShowTerm(t), most)
	}
	return time.Duration(n * float64(time.Second)), nil
}

// describe fills in what mode/2 and info/2 say about a tool.
func (l *loading) describe(t *Tool, o toolOptions) {
	info := l.infos[l.key(t)]
	if info == nil {
		info = &infoDirective{}
	}
	modes, kind := l.modes[l.key(t)], cmp.Or(o.kind, "tool")
	if len(info.names) == 0 {
		named := *info
		named.names, info = l.columnNames(t), &named
	}
	t.setArguments(info)
	t.setExamples(info.examples)
	switch {
	case o.mode <= len(modes):
		t.setMode(modes[o.mode-1])
	case o.mode > 1:
		l.fail(t.Place, "tool", "%s %s: option mode(%d): %s has %s", kind, t.Name, o.mode, indicator(t.Functor, t.Arity()),
			spell.Count(len(modes), "mode/2 directive"))
	case t.Arity() > 0:
		l.warn(t.Place, "mode", "%s %s has no mode/2 directive, so that all its arguments are optional texts", kind, t.Name)
	}
	l.checkArguments(t)
	l.checkDefaults(t, info)
	l.checkExamples(t, info)
	t.Title = cmp.Or(o.title, info.title, t.Functor)
	if t.Description = o.description; t.Description == "" {
		t.Description = l.description(t, info)
	}
	if strings.TrimSpace(t.Description) == "" {
		l.warn(t.Place, "description", "%s %s has no description: a model cannot know what it is for; add :- info(%s, "+
			"[comment is '...'])", kind, t.Name, indicator(t.Functor, t.Arity()))
	}
	l.checkLength(t.Place, kind+" "+t.Name, t.Description)
}

// checkLength warns of a description that is so long that some clients cut it.
func (l *loading) checkLength(at source.Position, of, text string) {
	if n := utf8.RuneCountInString(text); n > knownclients.Description {
		l.warn(at, "description", "the description of %s has %d characters; clients cut what is beyond %d", of, n,
			knownclients.Description)
	}
}

// setArguments gives the arguments the names, descriptions and defaults of info/2.
func (t *Tool) setArguments(info *infoDirective) {
	for i := range t.Arguments {
		t.Arguments[i] = Argument{Name: fmt.Sprintf("Arg%d", i+1), Position: i, Mode: "?", Type: term.Atom("any")}
		if i < len(info.names) {
			t.Arguments[i].Name = info.names[i]
		}
		if i < len(info.descriptions) {
			t.Arguments[i].Description = info.descriptions[i]
		}
		t.Arguments[i].Default = info.defaults[t.Arguments[i].Name]
	}
}

// columnNames names the arguments of a tool after the columns of the decision table that the tool calls. It returns
// nil if there is not exactly one such table, if two columns have the same name, or if some models do not accept a
// name.
func (l *loading) columnNames(t *Tool) (names []string) {
	tables := slices.DeleteFunc(inner.Of(l.program).Tables(0), func(d inspect.DecisionTable) bool {
		return d.Predicate != indicator(t.Functor, t.Arity()) || len(d.Columns) < t.Arity()
	})
	if len(tables) != 1 {
		return nil
	}
	for _, c := range tables[0].Columns[:t.Arity()] { // the last columns are the dates from and until which rows hold
		name := strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return r
			}
			return '_'
		}, c.Name)
		if !isName(name, 64) || slices.Contains(names, name) {
			return nil
		}
		names = append(names, name)
	}
	return names
}

func (l *loading) key(t *Tool) string {
	return t.Provider.Module + ":" + indicator(t.Functor, t.Arity())
}

func (t *Tool) setMode(m *modeDirective) {
	t.Proofs, t.All = m.proofs, manyProofs[m.proofs]
	for i := range t.Arguments {
		t.Arguments[i].Mode, t.Arguments[i].Type = m.modes[i], m.types[i]
	}
}

// checkDefaults reports defaults of arguments that do not exist, defaults of outputs, and defaults that are not of
// the argument's type.
func (l *loading) checkDefaults(t *Tool, info *infoDirective) {
	for _, name := range slices.Sorted(maps.Keys(info.defaults)) {
		at := slices.IndexFunc(t.Arguments, func(a Argument) bool { return a.Name == name })
		switch {
		case at < 0:
			l.fail(info.place, "declaration", "info/2 of %s has a default for %s, which is no argument%s",
				indicator(t.Functor, t.Arity()), name, spell.Hint(name, info.names))
		case !t.Arguments[at].Input():
			l.fail(info.place, "declaration", "info/2 of %s has a default for %s, which is an output",
				indicator(t.Functor, t.Arity()), name)
		default:
			if err := l.checkValue(t.Provider.Module, t.Arguments[at].Default, t.Arguments[at].Type); err != nil {
				l.fail(info.place, "declaration", "info/2 of %s: the default of %s: %s", indicator(t.Functor, t.Arity()), name, err)
			}
		}
	}
}

// setExamples takes the values of arguments from examples Title-Goal-{Bindings}.
func (t *Tool) setExamples(examples []engine.Term) {
	for _, example := range examples {
		_, goal, bindings := splitExample(example)
		c, ok := goal.(*term.Compound)
		if !ok || string(c.Functor) != t.Functor || len(c.Args) != t.Arity() {
			continue
		}
		for i, value := range c.Args {
			if v, isVar := value.(*term.Var); isVar {
				value = bindings[v.ID]
			}
			if value != nil {
				t.Arguments[i].Examples = append(t.Arguments[i].Examples, value)
			}
		}
	}
}

// splitExample takes Title-Goal-{Bindings} apart. Parts that are missing are nil. The bindings are keyed by the
// number of the variable.
func splitExample(example engine.Term) (title, goal engine.Term, bindings map[int64]engine.Term) {
	outer, ok := term.Is(example, "-", 2)
	if !ok {
		return nil, nil, nil
	}
	inner, ok := term.Is(outer[0], "-", 2)
	if !ok {
		return nil, nil, nil
	}
	list, _ := optionTerms(outer[1])
	bindings = map[int64]engine.Term{}
	for _, item := range list {
		if pair, ok := term.Is(item, "=", 2); ok {
			if v, isVar := pair[0].(*term.Var); isVar {
				bindings[v.ID] = pair[1]
			}
		}
	}
	return inner[0], inner[1], bindings
}

// description joins comment, remarks, examples and exceptions.
func (l *loading) description(t *Tool, info *infoDirective) string {
	var parts []string
	if info.comment != "" {
		parts = append(parts, info.comment)
	}
	if len(info.remarks) > 0 {
		parts = append(parts, "Remarks:"+lined(info.remarks, l.titled))
	}
	if len(info.examples) > 0 {
		parts = append(parts, "Examples:"+lined(info.examples, func(x engine.Term) string { return l.exampleText(t, x) }))
	}
	if len(info.throws) > 0 {
		parts = append(parts, "Errors:"+lined(info.throws, l.titled))
	}
	return strings.Join(parts, "\n\n")
}

// lined writes a line for each item.
func lined(items []engine.Term, text func(item engine.Term) string) (list string) {
	for _, item := range items {
		list += "\n- " + text(item)
	}
	return list
}

// titled is Title-Text or Title-Goal-{Bindings} as text.

func (l *loading) titled(item engine.Term) string {
	pair, ok := term.Is(item, "-", 2)
	if !ok {
		return l.plain(item)
	}
	outer, ok := term.Is(pair[0], "-", 2)
	if !ok {
		return l.plain(pair[0]) + ": " + l.plain(pair[1])
	}
	bindings := pair[1]
	if inner, ok := term.Is(bindings, "{}", 1); ok {
		bindings = inner[0]
	}
	return fmt.Sprintf("%s: %s gives %s", l.plain(outer[0]), l.plain(outer[1]), l.plain(bindings))
}

// plain returns a text as it is and any other term as Prolog text.
func (l *loading) plain(t engine.Term) string {
	if s, ok := term.Text(t); ok {
		return s
	}
	return l.program.FormatTerm("", t)
}

// schemas reads input_schema/2 and output_schema/2.
func (l *loading) schemas(p *Provider) {
	l.schemasOf(p, "input_schema", func(t *Tool, given engine.Term) { t.InputSchema = given })
	l.schemasOf(p, "output_schema", func(t *Tool, given engine.Term) { t.OutputSchema = given })
	for _, t := range l.snapshot.Tools {
		if t.Provider == p && t.InputSchema == nil {
			l.checkMembers(t)
		}
	}
}

// checkMembers warns of inputs that are objects whose members have no declared names.
func (l *loading) checkMembers(t *Tool) {
	for _, a := range t.Arguments {
		typ, err := l.codec(t.Provider.Module).ParseType(a.Type)
		if err == nil && typ.Nameless() && a.Input() && a.Description == "" && len(a.Examples) == 0 {
			l.warn(t.Place, "members", "tool %s does not say which members its input %s has; name them by arguments is "+
				"[%s-'...', ...] of info/2, or give it the type object([Name-Type, ...])", t.Name, a.Name,
				l.show(term.Atom(a.Name)))
		}
	}
}

// schemasOf checks the schemas of a predicate and gives them to their tools.
func (l *loading) schemasOf(p *Provider, name string, set func(*Tool, engine.Term)) {
	names := l.toolNames(p)
	l.about(p, name, names, func(of string, given engine.Term, at source.Position) {
		if !slices.Contains(names, of) {
			l.unknown(at, "schema", "tool", of, names)
			return
		}
		if err := checkSchema(given, name == "input_schema"); err != nil {
			l.fail(at, "schema", "%s of tool %s: %s", name, of, err)
		}
		set(l.snapshot.Tool(of), given)
	})
}
