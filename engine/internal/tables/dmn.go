package tables

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/mcplogic/mcplogic/engine/internal/feel"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file reads models of DMN 1.1 to 1.5, whose elements differ only in their namespaces. It makes predicates from
// their decisions and business knowledge models.

// Predicate is the predicate of a decision or a business knowledge model. Its last argument is the result.
type Predicate struct {
	Name string // of the predicate
	// Title is the name in the model. Comment is the description.
	Title, Comment string
	Arguments      []string
	Types          []term.Term
	Clauses        []Clause
	// Decision says that it is a decision and not a business knowledge model.
	Decision bool
	// Inner says that it is a copy of a decision within a service.
	Inner bool
	At    Place
	// Refused is the reason why the predicate has no result. Its only clause throws an error.
	Refused *Mistake
}

// refuse replaces the clauses of a predicate by one that throws an error, since its expression is wrong.
func (p *Predicate) refuse(m *Mistake) {
	args := make([]term.Term, len(p.Arguments)+1)
	for i := range args {
		args[i] = term.NewVar("")
	}
	p.Refused = m
	p.Clauses = []Clause{{term.New(term.Atom(p.Name), args...), term.New("throw", term.New("error",
		term.New("existence_error", term.Atom("decision"), term.Atom(p.Title)), term.New("context",
			term.New("/", term.Atom(p.Name), term.Int(len(args))), term.String(m.Error())))), p.At}}
}

// Mode returns the template of mode/2 of a decision.
func (p *Predicate) Mode() term.Term {
	var args []term.Term
	for i, t := range p.Types {
		sign := term.Atom("+")
		if i == len(p.Types)-1 {
			sign = "-"
		}
		args = append(args, term.New(sign, t))
	}
	return term.New(term.Atom(p.Name), args...)
}

// maxModel bounds the bytes of a model.
const maxModel = 16 << 20

// model is a model that is being read.
type model struct {
	dmnModel
	types     map[string]dmnItem
	functions map[string]feel.Function
	members   map[string]bool
	done      map[string]*Predicate // by the key of a decision
	open      map[string]bool
	given     map[string]bool // decisions that are parameters of a service
	tables    []*Table
	made      []*Predicate
	names     map[string]bool
}

// ReadDMN reads a model. It returns its predicates, and its decision tables for descriptions of their rows.
func ReadDMN(r io.Reader) (list []*Predicate, read []*Table, err error) {
	limited := &io.LimitedReader{R: r, N: maxModel + 1}
	d := xml.NewDecoder(limited)
	m := &model{types: map[string]dmnItem{}, functions: map[string]feel.Function{}, members: map[string]bool{},
		done: map[string]*Predicate{}, open: map[string]bool{}, names: map[string]bool{}}
	if err := d.Decode(&m.dmnModel); err != nil {
		at := elementAt(d)
		if limited.N == 0 {
			err = errors.New("the model is larger than 16 MiB")
		}
		return nil, nil, mistake(at, "the file is no DMN model: %s", strings.TrimPrefix(err.Error(), "XML syntax error on "))
	}
	if len(m.Imports) > 0 {
		return nil, nil, mistake(Place{Place: syntax.Place{Line: 1, Column: 1}}, "the model imports another one; "+
			"models stand in one file")
	}
	for _, item := range m.Items {
		m.types[item.Name] = item
		m.member(item)
	}
	for i := range m.Knowledge {
		k := &m.Knowledge[i]
		f := feel.Function{Predicate: term.Atom(m.fresh(k.Name))}
		for _, p := range k.Logic.Parameters {
			f.Parameters = append(f.Parameters, p.Name)
		}
		m.functions[k.Name] = f
	}
	for i := range m.Services {
		s := &m.Services[i]
		f := feel.Function{Predicate: term.Atom(m.fresh(s.Name))}
		for _, ref := range s.GivenInputs {
			f.Parameters = append(f.Parameters, nameOf(m.Inputs, ref))
		}
		for _, ref := range s.GivenDecisions {
			f.Parameters = append(f.Parameters, nameOf(m.Decisions, ref))
		}
		m.functions[s.Name] = f
	}
	for i := range m.Knowledge {
		if err := m.knowledge(&m.Knowledge[i]); err != nil {
			return nil, nil, err
		}
	}
	for i := range m.Decisions {
		if _, err := m.decision(&m.Decisions[i]); err != nil {
			return nil, nil, err
		}
	}
	for i := range m.Services {
		if err := m.service(&m.Services[i]); err != nil {
			return nil, nil, err
		}
	}
	return m.made, m.tables, nil
}

// nameOf returns the name of a referenced node in expressions.
func nameOf(nodes []dmnNode, ref dmnRef) string {
	if n := find(nodes, ref); n != nil {
		return n.variable()
	}
	return ref.Href
}

// service makes the predicate of a decision service. It makes its decisions again, since its parameters replace some
// of the decisions that they require.
func (m *model) service(s *dmnNode) error {
	done, f, first := m.done, m.functions[s.Name], len(m.made)
	m.done, m.given = map[string]*Predicate{}, map[string]bool{}
	defer func() { m.done, m.given = done, nil }()
	for _, ref := range s.GivenDecisions {
		if n := find(m.Decisions, ref); n != nil {
			m.given[n.key()] = true
		}
	}
	p := &Predicate{Name: string(f.Predicate), Title: s.Name, Decision: true, Arguments: f.Parameters, At: s.at}
	b, vars := m.newBody(p.Name, s.at), map[string]term.Term{}
	var args, results, entries []term.Term
	for _, name := range f.Parameters {
		v, typ := term.NewVar(""), ""
		for _, n := range slices.Concat(m.Inputs, m.Decisions) {
			if n.variable() == name {
				typ = n.Variable.Type
			}
		}
		vars[name], args = b.checked(v, typ), append(args, v)
		p.Types = append(p.Types, term.New("maybe", m.typeOf(typ, 0)))
	}
	for _, ref := range s.Outputs {
		n := find(m.Decisions, ref)
		if n == nil {
			continue
		}
		q, err := m.decision(n)
		if err != nil {
			return err
		}
		v, of := term.NewVar(""), []term.Term{}
		for _, name := range q.Arguments {
			if vars[name] == nil {
				vars[name] = null
			}
			of = append(of, vars[name])
		}
		b.goals = append(b.goals, term.New(term.Atom(q.Name), append(of, v)...))
		results = append(results, v)
		entries = append(entries, term.New("-", term.Atom(n.variable()), v))
	}
	for _, inner := range m.made[first:] {
		inner.Inner = true
	}
	p.Types = append(p.Types, term.Atom("ground"))
	m.made = append(m.made, p)
	result, out := term.Curlies(entries...), term.NewVar("")
	if len(results) == 1 {
		result = results[0]
	}
	if typ := m.feelType(s.Variable.Type, 0); typ != term.Term(term.Atom("Any")) {
		result = term.New("typed", typ, result)
	}
	b.goals = append(b.goals, term.New("feel", b.withChecks(result), out))
	p.Clauses = []Clause{{term.New(f.Predicate, append(args, out)...), term.Conjunction(b.goals...), b.at}}
	return nil
}

// member notes the names of components.
func (m *model) member(item dmnItem) {
	for _, c := range item.Components {
		m.members[c.Name] = true
		m.member(c)
	}
}

// number returns the index of the input with a name.
func (m *model) number(name string) int {
	return slices.IndexFunc(m.Inputs, func(n dmnNode) bool { return n.variable() == name })
}

// PlainNames converts names of a model to small letters and underscores. It avoids the names in taken and adds the
// new ones to it.
func PlainNames(names []string, taken map[string]bool) (list []string) {
	for _, name := range names {
		plain := strings.Map(func(r rune) rune {
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				return '_'
			}
			return unicode.ToLower(r)
		}, strings.TrimSpace(name))
		made := plain
		for n := 2; taken[made] || made == ""; n++ {
			made = fmt.Sprintf("%s_%d", plain, n)
		}
		taken[made] = true
		list = append(list, made)
	}
	return list
}

// fresh returns a new name for a predicate.
func (m *model) fresh(name string) string { return PlainNames([]string{name}, m.names)[0] }

// typeOf returns the type in mode/2 for a type of the model.
func (m *model) typeOf(ref string, depth int) term.Term {
	if i := strings.LastIndexAny(ref, ":"); i >= 0 {
		ref = ref[i+1:]
	}
	switch ref {
	case "string", "boolean", "date", "time":
		return term.Atom(ref)
	case "number":
		return term.Atom("rational")
	case "dateTime", "date and time":
		return term.Atom("datetime")
	case "dayTimeDuration", "yearMonthDuration", "days and time duration", "years and months duration":
		return term.Atom("duration")
	}
	item, ok := m.types[ref]
	if !ok || depth > 20 {
		return term.Atom("ground")
	}
	return m.itemType(item, depth+1)
}

func (m *model) itemType(item dmnItem, depth int) term.Term {
	t := m.typeOf(item.Type, depth)
	if len(item.Components) > 0 {
		var members []term.Term
		for _, c := range item.Components {
			members = append(members, term.New("-", term.Atom(c.Name), term.New("maybe", m.itemType(c, depth))))
		}
		t = term.New("object", term.List(members...))
	}
	if item.Collection {
		t = term.New("list", t)
	}
	return t
}

// feelTypes maps other names of types to those of FEEL.
var feelTypes = map[string]term.Atom{"dateTime": "date and time", "dayTimeDuration": "days and time duration",
	"yearMonthDuration": "years and months duration", "": "Any"}

// feelType returns a type of the model as a type of FEEL. An unknown type becomes Any.
func (m *model) feelType(ref string, depth int) term.Term {
	if item, ok := m.types[ref]; ok && depth <= maxTypes {
		return m.feelItem(item, depth+1)
	}
	if i := strings.LastIndexAny(ref, ":"); i >= 0 {
		ref = ref[i+1:]
	}
	if name := feelTypes[ref]; name != "" {
		return name
	}
	if m.typeOf(ref, 0) == term.Term(term.Atom("ground")) {
		return term.Atom("Any")
	}
	return term.Atom(ref)
}

// maxTypes bounds how deep the types of a model nest.
const maxTypes = 20

// itemNamed returns a type that the model defines.
func (m *model) itemNamed(name string) (t term.Term, ok bool) {
	item, ok := m.types[name]
	if !ok {
		return nil, false
	}
	return m.feelItem(item, 0), true
}

func (m *model) feelItem(item dmnItem, depth int) term.Term {
	t := m.feelType(item.Type, depth)
	if len(item.Components) > 0 {
		var members []term.Term
		for _, c := range item.Components {
			members = append(members, term.New("-", term.Atom(c.Name), m.feelItem(c, depth)))
		}
		t = term.New("context", term.List(members...))
	} else if f := item.Function; f != nil {
		var of []term.Term
		for _, p := range f.Parameters {
			of = append(of, m.feelType(p.Type, depth))
		}
		t = term.New("function", term.List(of...), m.feelType(f.Result, depth))
	}
	for _, text := range []string{item.Allowed, item.Constraint} {
		tests, err := feel.UnaryTests(text, &feel.Scope{}, nil)
		if err == nil && !tests.Any && !tests.Not {
			t = term.New("allowed", t, term.List(tests.Items...))
		}
	}
	if item.Collection {
		t = term.New("list", t)
	}
	return t
}

// find returns the node that a reference names.
func find(nodes []dmnNode, ref dmnRef) *dmnNode {
	i := slices.IndexFunc(nodes, func(n dmnNode) bool { return strings.HasSuffix(ref.Href, "#"+n.ID) })
	if i < 0 {
		return nil
	}
	return &nodes[i]
}

// variable returns the name of a node in expressions.
func (n *dmnNode) variable() string {
	if n.Variable.Name != "" {
		return n.Variable.Name
	}
	return n.Name
}

// key returns a key that identifies a node, also one without an id.
func (n *dmnNode) key() string { return cmp.Or(n.ID, "name "+n.Name) }

// body is the body of a clause that is being made.
type body struct {
	m     *model
	name  string
	scope *feel.Scope
	order []string // the names in scope
	goals []term.Term
	// checks holds pairs of the argument for a parameter and its value after the check of its type.
	checks []term.Term
	at     Place
}

// bind adds a name to the scope.
func (b *body) bind(name string, v term.Term) {
	if b.scope.Names[name] == nil {
		b.order = append(b.order, name)
	}
	b.scope.Names[name] = v
}

func (m *model) newBody(name string, at Place) *body {
	return &body{m: m, name: name, at: at, scope: &feel.Scope{Names: map[string]term.Term{}, Functions: m.functions,
		Members: m.members, Types: m.itemNamed}}
}

// knowledge makes the predicate of a business knowledge model.
func (m *model) knowledge(k *dmnNode) error {
	p := &Predicate{Name: string(m.functions[k.Name].Predicate), Title: k.Name, At: k.at}
	b := m.newBody(p.Name, k.at)
	var args []term.Term
	for _, parameter := range k.Logic.Parameters {
		v := term.NewVar("")
		b.bind(parameter.Name, b.checked(v, parameter.Type))
		args, p.Arguments = append(args, v), append(p.Arguments, parameter.Name)
	}
	return b.finish(p, args, &k.Logic.dmnExpression, k.Logic.Type)
}

// checked returns the variable for the value of a parameter after the check of its type. The result of the predicate
// is null if the argument has another type.
func (b *body) checked(v *term.Var, ref string) *term.Var {
	typ := b.m.feelType(ref, 0)
	if typ == term.Term(term.Atom("Any")) {
		return v
	}
	own := term.NewVar("")
	b.goals = append(b.goals, term.New("feel", term.New("typed", typ, v), own))
	b.checks = append(b.checks, term.New("-", v, own))
	return own
}

// withChecks adds the checks of parameters to the result.
func (b *body) withChecks(result term.Term) term.Term {
	if b.checks == nil {
		return result
	}
	return term.New("checked", term.List(b.checks...), result)
}

// finish makes the clauses of a predicate. ref is the type of its result.
func (b *body) finish(p *Predicate, args []term.Term, e *dmnExpression, ref string) error {
	b.m.made = append(b.m.made, p)
	result, err := b.value(e)
	if e.Literal != nil {
		ref = cmp.Or(ref, e.Literal.Type)
	}
	if typ := b.m.feelType(ref, 0); err == nil && typ != term.Term(term.Atom("Any")) {
		v := term.NewVar("")
		b.goals = append(b.goals, term.New("feel", result, v))
		result = term.New("typed", typ, v)
	}
	if wrong, ok := err.(*Mistake); ok {
		p.refuse(wrong)
		return nil
	} else if err != nil {
		return err
	}
	out := term.NewVar("")
	b.goals = append(b.goals, term.New("feel", b.withChecks(result), out))
	p.Clauses = append(p.Clauses, Clause{term.New(term.Atom(p.Name), append(args, out)...),
		term.Conjunction(b.goals...), b.at})
	return nil
}

// decision makes the predicate of a decision, and of those that it requires.
func (m *model) decision(n *dmnNode) (*Predicate, error) {
	if p := m.done[n.key()]; p != nil {
		return p, nil
	}
	if m.open[n.key()] || len(m.open) > maxRequired {
		return nil, mistake(n.at, "the decision %s requires itself", n.Name)
	}
	m.open[n.key()] = true
	defer delete(m.open, n.key())
	p := &Predicate{Name: m.fresh(n.Name), Title: n.Name, Comment: strings.TrimSpace(n.Description), Decision: true,
		At: n.at}
	b := m.newBody(p.Name, n.at)
	vars := map[string]*term.Var{} // the variables of the inputs by name
	input := func(name string) term.Term {
		if vars[name] == nil {
			vars[name] = term.NewVar("")
			p.Arguments = append(p.Arguments, name)
		}
		return vars[name]
	}
	for _, ref := range n.Inputs {
		if in := find(m.Inputs, ref); in != nil {
			b.bind(in.variable(), input(in.variable()))
		}
	}
	for _, ref := range n.Decisions {
		required := find(m.Decisions, ref)
		if required == nil {
			continue
		} else if m.given[required.key()] || required.dmnExpression == (dmnExpression{}) {
			b.bind(required.variable(), input(required.variable()))
			continue
		}
		q, err := m.decision(required)
		if err != nil {
			return nil, err
		}
		var args []term.Term
		for _, name := range q.Arguments {
			args = append(args, input(name))
		}
		v := term.NewVar("")
		b.goals = append(b.goals, term.New(term.Atom(q.Name), append(args, v)...))
		b.bind(required.variable(), v)
	}
	slices.SortFunc(p.Arguments, func(x, y string) int { return m.number(x) - m.number(y) })
	var args []term.Term
	for _, name := range p.Arguments {
		args = append(args, vars[name])
		typ := term.Term(term.Atom("ground"))
		for _, in := range m.Inputs {
			if in.variable() == name {
				typ = m.typeOf(in.Variable.Type, 0)
			}
		}
		p.Types = append(p.Types, term.New("maybe", typ))
	}
	result := m.typeOf(n.Variable.Type, 0)
	if n.Variable.Type == "" && (n.Context != nil || n.Table != nil && len(n.Table.Outputs) > 1) {
		result = term.Atom("compound")
	}
	p.Types = append(p.Types, term.New("maybe", result))
	m.done[n.key()] = p
	return p, b.finish(p, args, &n.dmnExpression, n.Variable.Type)
}

// maxRequired bounds the length of a chain of requirements.
const maxRequired = 1000

// literal reads a text of FEEL.
func (b *body) literal(t *dmnText) (term.Term, error) {
	return b.read(t, func(text string) (term.Term, error) { return feel.Expression(text, b.scope) })
}

// read reads a text with a function, and gives its error a place.
func (b *body) read(t *dmnText, with func(text string) (term.Term, error)) (term.Term, error) {
	value, err := with(t.Text)
	if err != nil {
		return nil, mistake(t.at, "%s, in %s", err, strings.Join(strings.Fields(t.Text), " "))
	}
	return value, nil
}

// value returns the expression of FEEL for an expression of the model. It adds goals to the body if an expression is
// not enough.
func (b *body) value(e *dmnExpression) (term.Term, error) {
	switch {
	case e.Literal != nil:
		return b.literal(e.Literal)
	case e.Table != nil:
		return b.table(e.Table)
	case e.Context != nil:
		return b.context(e.Context)
	case e.Invocation != nil:
		return b.invocation(e.Invocation)
	case e.List != nil:
		return b.list(e.List, nil)
	case e.Relation != nil:
		var rows []term.Term
		for i := range e.Relation.Rows {
			row, err := b.list(&e.Relation.Rows[i], e.Relation.Columns)
			if err != nil {
				return nil, err
			}
			rows = append(rows, row)
		}
		return term.List(rows...), nil
	case e.Function != nil:
		var parameters []term.Term
		of, err := b.within(e.Function.Parameters, &e.Function.dmnExpression, func(v *term.Var, p dmnNamed) {
			parameters = append(parameters, feel.Parameter(p.Name, v, b.m.feelType(p.Type, 0)))
		})
		return term.New("function", term.List(parameters...), of), err
	case e.If != nil:
		var parts []term.Term
		for _, part := range []*dmnExpression{&e.If.If, &e.If.Then, &e.If.Else} {
			value, err := b.value(part)
			if err != nil {
				return nil, err
			}
			parts = append(parts, value)
		}
		return term.New("if", parts...), nil
	case e.Filter != nil && e.Filter.Match.Literal != nil:
		list, err := b.value(&e.Filter.In)
		if err != nil {
			return nil, err
		}
		return b.read(e.Filter.Match.Literal, func(text string) (term.Term, error) {
			return feel.Filter(list, text, b.scope)
		})
	case e.For != nil:
		return b.loop("for", e.For, &e.For.Return)
	case e.Some != nil:
		return b.loop("some", e.Some, &e.Some.Satisfies)
	case e.Every != nil:
		return b.loop("every", e.Every, &e.Every.Satisfies)
	}
	return null, nil // a decision without logic: a decision that requires it takes it from the caller
}

// within returns an expression with some more names in scope. It must need no goals.
func (b *body) within(names []dmnNamed, e *dmnExpression, each func(*term.Var, dmnNamed)) (term.Term, error) {
	outer, order, goals := b.scope.Names, b.order, len(b.goals)
	defer func() { b.scope.Names, b.order = outer, order }()
	b.scope.Names = maps.Clone(outer)
	for _, name := range names {
		v := term.NewVar("")
		b.bind(name.Name, v)
		each(v, name)
	}
	value, err := b.value(e)
	if err == nil && len(b.goals) > goals {
		return nil, mistake(b.at, "a function or a loop has an expression in it that is none of FEEL, such as a table")
	}
	return value, err
}

// loop returns a loop over a list.
func (b *body) loop(functor term.Atom, l *dmnLoop, e *dmnExpression) (term.Term, error) {
	list, err := b.value(&l.In)
	if err != nil {
		return nil, err
	}
	var pairs []term.Term
	of, err := b.within([]dmnNamed{{Name: l.Variable}}, e, func(v *term.Var, _ dmnNamed) {
		pairs = append(pairs, term.New("-", v, list))
	})
	return term.New(functor, term.List(pairs...), of), err
}

// list returns a list, or with columns a context.
func (b *body) list(l *dmnList, columns []dmnNamed) (term.Term, error) {
	var items, entries []term.Term
	for i := range l.Literals {
		item, err := b.literal(&l.Literals[i])
		if err != nil {
			return nil, err
		}
		items = append(items, item)
		if i < len(columns) {
			entries = append(entries, term.New("entry", term.Atom(columns[i].Name), term.NewVar(""), item))
		}
	}
	if columns != nil {
		return term.New("context", term.List(entries...)), nil
	}
	return term.List(items...), nil
}

// context returns a context whose entries are computed one after the other. An entry without a name is the result.
func (b *body) context(c *dmnContext) (term.Term, error) {
	names, order := b.scope.Names, b.order
	defer func() { b.scope.Names, b.order = names, order }()
	b.scope.Names, b.order = maps.Clone(names), slices.Clone(order)
	var entries []term.Term
	for i := range c.Entries {
		e := &c.Entries[i]
		value, err := b.value(&e.dmnExpression)
		if err != nil || e.Variable.Name == "" {
			return value, err
		}
		v := term.Term(term.NewVar(""))
		if _, isFunction := term.Is(value, "function", 2); isFunction {
			v = value
		} else {
			b.goals = append(b.goals, term.New("feel", value, v))
		}
		b.bind(e.Variable.Name, v)
		b.m.members[e.Variable.Name] = true
		entries = append(entries, term.New("entry", term.Atom(e.Variable.Name), term.NewVar(""), v))
	}
	return term.New("context", term.List(entries...)), nil
}

// invocation calls a function with the parameters by their names.
func (b *body) invocation(i *dmnInvocation) (term.Term, error) {
	name := strings.TrimSpace(i.Called.Text)
	f, ok := b.m.functions[name]
	if !ok {
		called, err := b.literal(&i.Called)
		var pairs []term.Term
		for n := range i.Bindings {
			value, wrong := b.value(&i.Bindings[n].dmnExpression)
			err = cmp.Or(err, wrong)
			pairs = append(pairs, term.New("-", term.Atom(i.Bindings[n].Parameter.Name), value))
		}
		return term.New("apply", called, term.New("named", term.List(pairs...))), err
	}
	args := make([]term.Term, len(f.Parameters))
	for n := range args {
		args[n] = null
	}
	for n := range i.Bindings {
		value, err := b.value(&i.Bindings[n].dmnExpression)
		if err != nil {
			return nil, err
		}
		at := slices.Index(f.Parameters, i.Bindings[n].Parameter.Name)
		if at < 0 {
			return null, nil
		}
		args[at] = value
	}
	return term.New("invoke", f.Predicate, term.List(args...)), nil
}
