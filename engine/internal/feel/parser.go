// Package feel parses FEEL, the language of the cells of decision tables (OMG DMN 1.5, chapter 10). It returns terms
// that library(feel) evaluates.
//
// [Expression] reads an expression, [UnaryTests] the cell of an input. A name becomes the term that the [Scope] has
// for it, mostly a variable. engine/internal/lib/feel.pl lists the terms of expressions. Numbers are integers and
// rationals, never floats. Dates, times and durations are the terms of library(dates).
package feel

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines the grammar, by recursive descent.

// Scope holds the names that an expression may use.
type Scope struct {
	Names map[string]term.Term
	// Functions holds the functions that a program defines, by name.
	Functions map[string]Function
	// Members holds names of members of contexts. Names with blanks are recognized only if they stand here.
	Members map[string]bool
	// Texts returns the term of a text. If it is nil, the term is a string.
	Texts func(text string) term.Term
	// Types returns the types that a model defines, for `instance of`.
	Types func(name string) (t term.Term, ok bool)
	// Plain says that dates stand without quotes and times are in UTC, as in a spreadsheet.
	Plain bool
	// Wanted names the values of the cell, such as number, for messages.
	Wanted string
}

// Function is a function of the program: a predicate whose last argument is the value.
type Function struct {
	Predicate  term.Atom
	Parameters []string
}

// value returns the function as a value: its predicate and the names of its parameters.
func (f *Function) value() term.Term {
	var names []term.Term
	for _, name := range f.Parameters {
		names = append(names, term.Atom(name))
	}
	return term.New("function", f.Predicate, term.List(names...))
}

// Text returns the term of a text.
func (s *Scope) Text(text string) term.Term {
	if s.Texts != nil {
		return s.Texts(text)
	}
	return term.String(text)
}

// Error is a mistake in a text.
type Error struct {
	Offset  int // in bytes
	Message string
}

// Error is the message.
func (e *Error) Error() string { return e.Message }

// parser reads one text.
type parser struct {
	text      string
	pos       int
	tok, last token
	scope     *Scope
	names     map[string]term.Term // of the scope, and local ones
	input     term.Term            // what `?` stands for, nil for nothing
	item      term.Term            // the item of the innermost filter, nil outside
	asked     bool                 // `?` has been met
	depth     int
}

// maxDepth bounds how deep expressions nest.
const maxDepth = 200

// Expression reads an expression.
func Expression(text string, s *Scope) (t term.Term, err error) {
	p := &parser{text: text, scope: s, names: s.Names}
	defer p.recover(&err)
	p.next()
	t = p.expression()
	p.end()
	return t, nil
}

// Filter reads the condition of a filter of a list.
func Filter(list term.Term, text string, s *Scope) (t term.Term, err error) {
	p := &parser{text: text, scope: s, names: s.Names}
	defer p.recover(&err)
	p.next()
	t = p.filter(list)
	p.end()
	return t, nil
}

// recover stores the error that ended the parsing.
func (p *parser) recover(err *error) {
	switch e := recover().(type) {
	case nil:
	case *Error:
		*err = e
	default:
		panic(e)
	}
}

// end fails unless the text is at its end.
func (p *parser) end() {
	if p.tok.kind != kindEnd {
		p.unexpected("the end")
	}
}

// unexpected fails at the current token.
func (p *parser) unexpected(want string) {
	got := "the end"
	if p.tok.kind != kindEnd {
		got = p.text[p.tok.at:p.pos]
	}
	if got == "," {
		got = "a comma"
	}
	p.fail(p.tok.at, fmt.Sprintf("got %s, want %s", got, want))
}

// is reports whether the current token is a keyword or an operator.
func (p *parser) is(text string) bool { return p.tok.kind == kindWord && p.tok.text == text }

// take passes over a keyword or an operator, if that is the current token.
func (p *parser) take(text string) bool {
	if !p.is(text) {
		return false
	}
	p.next()
	return true
}

// need passes over a keyword or an operator. It fails if another token comes.
func (p *parser) need(text string) {
	if !p.take(text) {
		p.unexpected(text)
	}
}

// deeper begins a level of nesting. The function that it returns ends the level.
func (p *parser) deeper() func() {
	if p.depth++; p.depth > maxDepth {
		p.fail(p.tok.at, "the expression nests too deep")
	}
	return func() { p.depth-- }
}

// bind makes a name known from here on. The caller restores the names.
func (p *parser) bind(name string, value term.Term) {
	names := map[string]term.Term{name: value}
	for known, v := range p.names {
		if known != name {
			names[known] = v
		}
	}
	p.names = names
}

func (p *parser) expression() term.Term {
	defer p.deeper()()
	switch {
	case p.take("if"):
		condition := p.expression()
		p.need("then")
		yes := p.expression()
		p.need("else")
		return term.New("if", condition, yes, p.expression())
	case p.is("for"):
		return p.loop("for", "return")
	case p.is("some"), p.is("every"):
		return p.loop(term.Atom(p.tok.text), "satisfies")
	case p.is("function"):
		return p.function()
	}
	return p.or()
}

// loop reads for, some and every: their variables, and the expression behind a keyword.
func (p *parser) loop(functor term.Atom, before string) term.Term {
	p.next()
	var pairs []term.Term
	outer := p.names
	defer func() { p.names = outer }()
	for {
		if p.tok.kind != kindName {
			p.unexpected("a name")
		}
		name, v := p.tok.text, term.NewVar("")
		p.next()
		p.need("in")
		list := p.expression()
		if p.take("..") {
			list = term.New("to", list, p.expression())
		}
		pairs = append(pairs, term.New("-", v, list))
		p.bind(name, v)
		if !p.take(",") {
			break
		}
	}
	p.need(before)
	if functor != "for" {
		return term.New(functor, term.List(pairs...), p.expression())
	}
	partial := term.NewVar("") // the results so far
	p.bind("partial", partial)
	body := p.expression()
	if slices.Contains(term.Variables(body), partial) {
		return term.New("for", term.List(pairs...), body, partial)
	}
	return term.New("for", term.List(pairs...), body)
}

// Parameter is a parameter of function(Parameters, Expression).
func Parameter(name string, v *term.Var, typ term.Term) term.Term {
	return term.New("parameter", term.Atom(name), v, typ)
}

// function reads the definition of a function.
func (p *parser) function() term.Term {
	p.next()
	p.need("(")
	outer, vars := p.names, []term.Term{}
	defer func() { p.names = outer }()
	for !p.is(")") {
		if p.tok.kind != kindName {
			p.unexpected("a parameter")
		}
		v, name, typ := term.NewVar(""), p.tok.text, term.Term(term.Atom("Any"))
		p.bind(name, v)
		if p.next(); p.take(":") {
			typ = p.typeTerm()
		}
		vars = append(vars, Parameter(name, v, typ))
		if !p.take(",") {
			break
		}
	}
	p.need(")")
	return term.New("function", term.List(vars...), p.expression())
}

func (p *parser) or() term.Term {
	t := p.and()
	for p.take("or") {
		t = term.New("or", t, p.and())
	}
	return t
}

func (p *parser) and() term.Term {
	t := p.comparison()
	for p.take("and") {
		t = term.New("and", t, p.comparison())
	}
	return t
}

// comparisons are the operators that compare, as functors.
var comparisons = map[string]term.Atom{"=": "=", "!=": "\\=", "<": "<", "<=": "=<", ">": ">", ">=": ">="}

func (p *parser) comparison() term.Term {
	t := p.sum()
	for {
		switch functor := comparisons[p.tok.text]; {
		case p.tok.kind == kindWord && functor != "":
			p.next()
			t = term.New(functor, t, p.sum())
		case p.take("between"):
			low := p.sum()
			p.need("and")
			t = term.New("and", term.New(">=", t, low), term.New("=<", t, p.sum()))
		case p.take("in"):
			t = term.New("in", t, term.List(p.testsOf(t)...))
		case p.take("instance"):
			p.need("of")
			t = term.New("instance_of", t, p.typeTerm())
		default:
			return t
		}
	}
}

// testsOf reads the tests behind `in`: one, or several in parentheses.
func (p *parser) testsOf(input term.Term) []term.Term {
	outer, asked := p.input, p.asked
	p.input = input
	defer func() { p.input, p.asked = outer, asked }()
	if !p.is("(") {
		return []term.Term{p.test()}
	}
	p.next()
	list := p.tests()
	if low := list[0]; len(list) == 1 && p.take("..") { // the open range (low..high)
		if of, isTest := term.Is(low, "is", 1); isTest {
			low = of[0]
		}
		list[0] = p.rangeTo(low, "(")
		return list
	}
	p.need(")")
	return list
}

func (p *parser) sum() term.Term { return p.leftToRight(p.product, "+", "-") }

func (p *parser) product() term.Term { return p.leftToRight(p.power, "*", "/") }

func (p *parser) power() term.Term { return p.leftToRight(p.negation, "**") }

// leftToRight reads operands with operators of one priority between them, which group from the left.
func (p *parser) leftToRight(operand func() term.Term, words ...string) term.Term {
	t := operand()
	for slices.ContainsFunc(words, p.is) {
		functor := term.Atom(p.tok.text)
		p.next()
		t = term.New(functor, t, operand())
	}
	return t
}

func (p *parser) negation() term.Term {
	defer p.deeper()()
	if !p.take("-") {
		return p.postfix()
	}
	t := p.negation()
	if r, ok := Rat(t); ok {
		return Number(r.Neg(r))
	}
	return term.New("-", t)
}

// postfix reads a value and the members, filters and arguments behind it.
func (p *parser) postfix() term.Term {
	t := p.primary()
	for {
		switch {
		case p.take("."):
			if p.tok.kind != kindName && p.tok.kind != kindWord || p.tok.text == "" {
				p.unexpected("a name")
			}
			name := p.tok.text
			if _, isNumber := Rat(t); isNumber && p.scope.Plain { // in a model it is null
				p.fail(p.tok.at, "a number has no member "+name)
			}
			p.next()
			t = term.New("get", t, term.Atom(name))
		case p.is("[") && !p.closes():
			p.next()
			t = p.filter(t)
			p.need("]")
		case p.is("("):
			p.next()
			args, names := p.arguments()
			t = applied(t, args, names)
		default:
			return t
		}
	}
}

// applied returns the call of a function that is a value.
func applied(f term.Term, args []term.Term, names []string) term.Term {
	if names == nil {
		return term.New("apply", f, term.List(args...))
	}
	for i, name := range names {
		args[i] = term.New("-", term.Atom(name), args[i])
	}
	return term.New("apply", f, term.New("named", term.List(args...)))
}

// closes reports whether the bracket that is the current token ends a range, as in ]1..5[, so that no filter follows.
func (p *parser) closes() bool {
	rest := strings.TrimLeft(p.text[p.pos:], " \t\r\n")
	return rest == "" || strings.ContainsRune(",)]}.", rune(rest[0]))
}

// filter reads a filter behind a list. Names that are not known are members of the items.
func (p *parser) filter(list term.Term) term.Term {
	item, outer, names := term.NewVar(""), p.item, p.names
	p.item = item
	p.bind("item", item)
	condition := p.expression()
	p.item, p.names = outer, names
	return term.New("filter", list, item, condition)
}

func (p *parser) primary() term.Term {
	tok := p.tok
	switch {
	case tok.kind == kindValue:
		p.next()
		return tok.value
	case tok.kind == kindName:
		return p.named()
	case p.is("?"):
		p.next()
		if p.input == nil {
			p.fail(tok.at, "? stands for the input in the cell of a table alone")
		}
		p.asked = true
		return p.input
	case p.take("{"):
		return p.context()
	case p.is("("), p.is("["), p.is("]"):
		return p.bracket()
	case p.is("<"), p.is("<="), p.is(">"), p.is(">="), p.is("="):
		return p.half()
	}
	p.unexpected("a value")
	return nil
}

// half reads a range with one end, such as < 5.
func (p *parser) half() term.Term {
	op := p.tok.text
	p.next()
	at := p.tok.at
	end, closed := p.sum(), bound(len(op) == 2)
	if IsRange(end) {
		p.fail(at, "want a value behind "+op)
	}
	if op == "=" {
		return term.New("range", end, bound(true), end, bound(true))
	} else if op[0] == '<' {
		return term.New("range", unbounded, bound(false), end, closed)
	}
	return term.New("range", end, closed, unbounded, bound(false))
}

// unbounded is the end of a range that has none.
const unbounded = term.Atom("inf")

// bound says whether an end of a range belongs to it.
func bound(closed bool) term.Atom {
	if closed {
		return "closed"
	}
	return "open"
}

// bracket reads an expression in parentheses, a list or a range.
func (p *parser) bracket() term.Term {
	open := p.tok.text
	p.next()
	var items []term.Term
	if open == "[" && p.take("]") {
		return term.Nil
	}
	for {
		items = append(items, p.expression())
		if len(items) == 1 && p.take("..") {
			return p.rangeTo(items[0], open)
		}
		if open != "[" || !p.take(",") {
			break
		}
	}
	switch open {
	case "(":
		p.need(")")
		return items[0]
	case "]":
		p.unexpected("..")
	}
	p.need("]")
	return term.List(items...)
}

// rangeTo reads the high end of a range behind its two points.
func (p *parser) rangeTo(low term.Term, open string) term.Term {
	high := p.expression()
	closed := p.is("]")
	if !closed && !p.is(")") && !p.is("[") {
		p.unexpected("], ) or [")
	}
	p.next()
	return term.New("range", low, bound(open == "["), high, bound(closed))
}

// context reads the entries of a context. Each knows the ones before it.
func (p *parser) context() term.Term {
	var entries []term.Term
	outer := p.names
	defer func() { p.names = outer }()
	for !p.is("}") {
		var key string
		switch text, isText := term.Text(p.tok.value); {
		case p.tok.kind == kindValue && isText:
			key = text
			p.next()
		case p.tok.kind == kindName:
			key = p.key()
		default:
			p.unexpected("the name of an entry")
		}
		p.need(":")
		v := term.NewVar("")
		entries = append(entries, term.New("entry", term.Atom(key), v, p.expression()))
		p.bind(key, v)
		if !p.take(",") {
			break
		}
	}
	p.need("}")
	return term.New("context", term.List(entries...))
}

// key reads the name of an entry: all up to the colon.
func (p *parser) key() string {
	end := strings.IndexByte(p.text[p.tok.at:], ':')
	if end < 0 {
		p.unexpected("a name and :")
	}
	name := strings.Join(strings.Fields(p.text[p.tok.at:p.tok.at+end]), " ")
	p.pos = p.tok.at + end
	p.next()
	return name
}

// constants are the names of values.
var constants = map[string]term.Term{"true": term.True, "false": term.Atom("false"), "null": term.Atom("null")}

// named reads an expression that begins with a name: a constant, a call, or a variable.
func (p *parser) named() term.Term {
	name, at := p.tok.text, p.tok.at
	p.next()
	value, known := p.names[name]
	if constant, ok := constants[name]; ok && !known {
		return constant
	}
	if p.is("(") && !known && (p.item == nil || builtins[name] != nil || p.scope.Functions[name].Predicate != "") {
		p.next()
		return p.call(name, at)
	}
	switch f, isFunction := p.scope.Functions[name]; {
	case p.item != nil && known:
		return term.New("member", p.item, term.Atom(name), value)
	case known:
		return value
	case isFunction:
		return f.value()
	case builtins[name] != nil && p.item != nil:
		return term.New("member", p.item, term.Atom(name), term.New("function", term.Atom(name)))
	case builtins[name] != nil:
		return term.New("function", term.Atom(name))
	case p.item != nil:
		return term.New("get", p.item, term.Atom(name))
	}
	if value, ok := Temporal(name); ok && p.scope.Plain {
		return value
	}
	text := "there is no " + name
	if p.scope.Plain {
		text = fmt.Sprintf("%s is no %s, and no input has this name", name, cmp.Or(p.scope.Wanted, "value"))
	}
	p.fail(at, text+spell.Hint(name, slices.Collect(maps.Keys(p.names))))
	return nil
}

// arguments reads the arguments of a call behind the parenthesis, and their names if they have names.
func (p *parser) arguments() (args []term.Term, names []string) {
	for !p.is(")") {
		if p.tok.kind == kindName {
			at, tok, last := p.pos, p.tok, p.last
			if colon := strings.IndexAny(p.text[p.tok.at:], ":(){}[],\"@"); colon > 0 && p.text[p.tok.at+colon] == ':' {
				names = append(names, p.key())
				p.need(":")
			} else {
				p.pos, p.tok, p.last = at, tok, last
			}
		}
		args = append(args, p.expression())
		if len(names) > 0 && len(names) < len(args) {
			p.fail(p.last.at, "all arguments have names, or none")
		}
		if !p.take(",") {
			break
		}
	}
	p.need(")")
	return args, names
}

// call reads the arguments of a function of the program or of FEEL.
func (p *parser) call(name string, at int) term.Term {
	args, names := p.arguments()
	f, own := p.scope.Functions[name]
	forms := builtins[name]
	if own {
		forms = [][]string{f.Parameters}
	} else if forms == nil {
		p.fail(at, "there is no function "+name+spell.Hint(name, slices.Collect(maps.Keys(builtins))))
	}
	if names != nil {
		args = byNames(forms, names, args)
	}
	if args == nil && names != nil || own && len(args) != len(f.Parameters) {
		return term.Atom("null")
	}
	if own {
		return term.New("invoke", f.Predicate, term.List(args...))
	}
	if value, ok := p.literal(name, args); ok {
		return value
	}
	return term.New("call", term.Atom(name), term.List(args...))
}

// byNames puts arguments in the order of the parameters, with null for one that is missing before others. It returns
// nil if no form of the function has these names.
func byNames(forms [][]string, names []string, args []term.Term) []term.Term {
	for _, form := range forms {
		ordered, found := make([]term.Term, 0, len(form)), 0
		for _, parameter := range form {
			i := slices.Index(names, parameter)
			if i < 0 {
				ordered = append(ordered, term.Atom("null"))
				continue
			}
			if ordered, found = append(ordered, args[i]), found+1; found == len(args) {
				return ordered
			}
		}
	}
	return nil
}

// typeNames are the names of types that have blanks.
var typeNames = []string{"date and time", "days and time duration", "years and months duration"}

// typeTerm reads a type: a name, list(Type), range(Type), context([Name-Type]) or function(Types, Type).
func (p *parser) typeTerm() term.Term {
	defer p.deeper()()
	if p.tok.kind != kindName && !p.is("function") {
		p.unexpected("a type")
	}
	name, from := p.tok.text, p.tok.at
	for _, known := range typeNames {
		if n := matches(known, p.text[from:]); n > 0 {
			name, p.pos = known, from+n
		}
	}
	p.next()
	for p.tok.kind == kindName && name != "function" && p.scope.Types != nil { // a name of the model with blanks
		name += " " + p.tok.text
		p.next()
	}
	if p.take("<") {
		return p.typeArguments(name, from)
	}
	if p.scope.Types != nil {
		if t, ok := p.scope.Types(name); ok {
			return t
		}
	}
	return term.Atom(name)
}

// typeArguments reads the part in angle brackets behind the name of a type.
func (p *parser) typeArguments(name string, from int) term.Term {
	var list []term.Term
	for !p.is(">") {
		if name == "context" {
			key := term.Atom(p.key())
			p.need(":")
			list = append(list, term.New("-", key, p.typeTerm()))
		} else {
			list = append(list, p.typeTerm())
		}
		if !p.take(",") {
			break
		}
	}
	p.need(">")
	switch {
	case name == "context":
		return term.New("context", term.List(list...))
	case name == "function":
		result := term.Term(term.Atom("Any"))
		if p.take("->") {
			result = p.typeTerm()
		}
		return term.New("function", term.List(list...), result)
	case (name == "list" || name == "range") && len(list) == 1:
		return term.New(term.Atom(name), list[0])
	}
	p.fail(from, "there is no type "+name+"<...>")
	return nil
}
