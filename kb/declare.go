package kb

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/schema"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/internal/template"
	"github.com/mcplogic/mcplogic/internal/typename"
)

// This file defines what the directives mode/2 and info/2 say about predicates. It also defines the checks of
// declarations.

// manyProofs maps the numbers of proofs of mode/2 to whether all solutions are wanted.
var manyProofs = map[string]bool{
	"zero": false, "one": false, "zero_or_one": false, "one_or_error": false, "zero_or_error": false,
	"zero_or_more": true, "one_or_more": true, "zero_or_one_or_error": false, "error": false,
	"zero_or_more_or_error": true, "one_or_more_or_error": true,
}

// proofNames are the numbers of proofs that the documentation mentions.
var proofNames = []string{"one", "zero_or_one", "one_or_error", "zero_or_more", "one_or_more"}

// determinism maps the numbers of proofs of other systems to those of mode/2.
var determinism = map[term.Atom]string{"det": "one", "semidet": "zero_or_one", "multi": "one_or_more",
	"nondet": "zero_or_more", "failure": "zero", "erroneous": "error"}

// infoKeys are the keys of info/2 that have a meaning here. otherKeys maps wrong keys to the ones that are meant.
// foreignKeys are further keys of Logtalk; they are ignored.
var (
	infoKeys = []string{"title", "comment", "argnames", "arguments", "defaults", "examples", "remarks", "exceptions",
		"says", "says_not", "source"}
	otherKeys = map[string]string{"doc": "comment", "description": "comment", "desc": "comment", "args": "argnames",
		"names": "argnames", "params": "arguments", "parameters": "arguments", "example": "examples", "default": "defaults"}
	foreignKeys = []string{"allocation", "author", "copyright", "date", "fails_if", "license", "parameters",
		"parnames", "redefinition", "see_also", "since", "version"}
)

// declarations reads the directives type/2, mode/2, info/2 and explain/2 that the program has collected.
func (l *loading) declarations() {
	l.modes, l.infos = map[string][]*modeDirective{}, map[string]*infoDirective{}
	l.types = map[string]typename.Names{}
	list := l.program.Declarations()
	for _, d := range list {
		if args, ok := term.Is(d.Term, "type", 2); ok {
			part{l, partAt(d.Position, d.Layout), d.Layout}.namedType(d.Module, args)
		}
	}
	for _, d := range list {
		c, ok := d.Term.(*term.Compound)
		if !ok || len(c.Args) != 2 {
			continue
		}
		p := part{l, partAt(d.Position, d.Layout), d.Layout}
		switch d.Name {
		case "type":
			p.arg(1).checkType(d.Module, c.Args[1])
		case "mode":
			p.mode(d.Module, c.Args)
		case "info":
			p.info(d.Module, c.Args)
		case "explain":
			if how := []string{"hidden", "opaque", "key"}; !slices.Contains(how, termText(c.Args[1])) {
				p.arg(1).fail("explanations know %s, not %s", strings.Join(how, ", "), p.show(c.Args[1]))
			}
		}
	}
}

// part is a term of a directive, with its position for errors.
type part struct {
	*loading
	place  source.Position
	layout *source.Layout
}

func (p part) arg(i int) part {
	if p.layout == nil || i >= len(p.layout.Args) {
		return part{p.loading, p.place, nil}
	}
	layout := p.layout.Args[i]
	return part{p.loading, partAt(p.place, layout), layout}
}

func (p part) item(i int) part {
	layout := p.layout.Item(i)
	return part{p.loading, partAt(p.place, layout), layout}
}

func (p part) fail(format string, args ...any) {
	p.loading.fail(p.place, "declaration", format, args...)
}
func (p part) warn(format string, args ...any) {
	p.loading.warn(p.place, "declaration", format, args...)
}

// mode reads mode(Template, Proofs).
func (p part) mode(module string, args []engine.Term) {
	name, arity, ok := term.Indicator(args[0])
	if !ok {
		p.arg(0).fail("%s is no mode template; want a predicate with an indicator and a type for each argument",
			p.show(args[0]))
		return
	}
	m := &modeDirective{module: module, name: string(name), place: p.place}
	if c, ok := args[0].(*term.Compound); ok {
		for i, arg := range c.Args {
			p.arg(0).arg(i).modeArgument(m, arg)
		}
	}
	proofs, _ := args[1].(term.Atom)
	m.proofs = string(proofs)
	if here := determinism[proofs]; here != "" {
		p.arg(1).warn("the number of proofs %s is called %s here", proofs, here)
		p.fix(string(proofs), here)
	} else if _, ok := manyProofs[m.proofs]; !ok {
		p.arg(1).unknown("number of proofs", p.show(args[1]), proofNames)
	}
	key := module + ":" + indicator(string(name), arity)
	p.modes[key] = append(p.modes[key], m)
}

// unknown reports a word that is not among known. The report is an error if the word is similar to a known one, and
// otherwise a warning.
func (p part) unknown(kind, word string, known []string) {
	p.loading.unknown(p.place, "declaration", kind, word, known)
}

// modeArgument reads one argument of a mode template, such as +integer.
func (p part) modeArgument(m *modeDirective, t engine.Term) {
	mode, typ := "?", t
	c, ok := t.(*term.Compound)
	switch {
	case ok && len(c.Args) == 1 && slices.Contains(indicators, string(c.Functor)):
		mode, typ = string(c.Functor), c.Args[0]
		p.arg(0).checkType(m.module, typ)
	case slices.Contains(indicators, termText(t)):
		mode, typ = termText(t), term.Term(term.Atom("any"))
	default:
		p.fail("%s is no argument of a mode; want one of + ++ @ - -- ? and a type, such as +integer; names of arguments "+
			"stand in argnames of info/2", p.show(t))
	}
	if resolved, err := p.typesOf(m.module).Resolve(typ); err == nil { // an unknown mode is reported
		typ = resolved
	}
	m.modes, m.types = append(m.modes, mode), append(m.types, typ)
}

var indicators = []string{"+", "++", "@", "-", "--", "?"}

// checkType reports a type that does not exist or is misused.
func (p part) checkType(module string, t engine.Term) {
	if _, err := p.codec(module).ParseType(t); err != nil {
		p.fail("%s", err)
	}
}

// namedType reads type(Name, Type).
func (p part) namedType(module string, args []engine.Term) {
	name, isAtom := args[0].(term.Atom)
	old := p.types[module][name]
	switch {
	case !isAtom:
		p.arg(0).fail("got %s, want the name of a type", p.show(args[0]))
	case schema.IsTypeName(string(name)):
		p.arg(0).fail("the type %s is one of mode/2; want another name", name)
	case old != nil && !term.Equal(old, args[1]):
		p.arg(0).fail("the type %s is named already, as %s", name, p.show(old))
	default:
		if p.types[module] == nil {
			p.types[module] = typename.Names{}
		}
		p.types[module].Add(args)
	}
}

// typesOf returns the types that have names in a module. Files without a module name types for all modules.
func (l *loading) typesOf(module string) typename.Names {
	if module == "user" || l.types["user"] == nil {
		return l.types[module]
	}
	all := maps.Clone(l.types["user"])
	maps.Copy(all, l.types[module])
	return all
}

// info reads info(Name/Arity, Items).
func (p part) info(module string, args []engine.Term) {
	pi, ok := term.Is(args[0], "/", 2)
	arity := 0
	if !ok {
		if pi, ok = term.Is(args[0], "//", 2); ok {
			arity = 2
		}
	}
	items, isList := term.Slice(args[1])
	if !ok || !isList {
		p.fail("want info(Name/Arity, [Key is Value, ...])")
		return
	}
	name, isAtom := pi[0].(term.Atom)
	n, isInt := pi[1].(term.Int)
	if !isAtom || !isInt || n < 0 {
		p.arg(0).fail("%s is no predicate indicator; want Name/Arity", p.show(args[0]))
		return
	}
	d := &infoDirective{module: module, name: string(name), arity: arity + int(n), place: p.place}
	seen := map[string]bool{}
	for i, item := range items {
		p.arg(1).item(i).infoItem(d, item, seen)
	}
	p.checkWords(d)
	key := module + ":" + indicator(d.name, d.arity)
	if old := p.infos[key]; old != nil {
		p.warn("%s has an info/2 already at %s, which counts", indicator(d.name, d.arity), old.place)
		return
	}
	p.infos[key] = d
}

// checkWords warns of names in braces that are not names of arguments: the engine leaves them as they are.
func (p part) checkWords(d *infoDirective) {
	for _, name := range template.Names(strings.Join(d.says, " ")) {
		if template.Argument(d.names, d.arity, name) < 0 {
			p.warn("%s has no argument %s; the names are those of argnames", indicator(d.name, d.arity), name)
		}
	}
}

// itemHint returns a hint for an item of info/2 that is written as Key(Value), Key = Value, Key: Value or Key-Value.
func (p part) itemHint(item engine.Term) string {
	c, ok := item.(*term.Compound)
	if !ok {
		return wantItem
	}
	key := string(c.Functor)
	switch {
	case len(c.Args) == 1:
	case len(c.Args) == 2 && slices.Contains([]string{"=", ":", "-"}, key):
		key = termText(c.Args[0])
	default:
		return wantItem
	}
	if near := spell.Nearest(cmp.Or(otherKeys[key], key), infoKeys); near != "" {
		value := c.Args[len(c.Args)-1]
		if _, isList := term.Slice(value); !isList && slices.Contains(listKeys, near) {
			value = term.List(value)
		}
		return "write " + near + " is " + p.show(value)
	}
	return wantItem
}

// listKeys are the keys of info/2 whose values are lists.
var listKeys = []string{"argnames", "arguments", "defaults", "examples", "remarks", "exceptions"}

const wantItem = "want Key is Value"

// infoItem reads one Key is Value.
func (p part) infoItem(d *infoDirective, item engine.Term, seen map[string]bool) {
	pair, ok := term.Is(item, "is", 2)
	key := ""
	if ok {
		key = termText(pair[0])
	}
	if key == "" {
		p.fail("%s is no item of info/2; %s", p.show(item), p.itemHint(item))
		return
	}
	if seen[key] {
		p.warn("%s is there twice", key)
	}
	seen[key] = true
	value := p.arg(1)
	switch key {
	case "title":
		d.title = value.text(pair[1])
	case "comment":
		d.comment = value.text(pair[1])
	case "argnames":
		value.argnames(d, pair[1])
	case "arguments":
		value.arguments(d, pair[1])
	case "defaults":
		value.defaults(d, pair[1])
	case "examples":
		d.examples = value.list(pair[1])
		for i := range d.examples {
			d.examplePlaces = append(d.examplePlaces, value.item(i).place)
		}
	case "remarks":
		d.remarks = value.list(pair[1])
	case "says", "says_not":
		d.says = append(d.says, value.text(pair[1]))
	case "source":
		_ = value.text(pair[1]) // the engine reads this item
	case "exceptions":
		d.throws = value.list(pair[1])
	default:
		if slices.Contains(foreignKeys, key) {
			return
		}
		advice := "known are " + strings.Join(infoKeys, ", ")
		if near := spell.Nearest(key, infoKeys); near != "" {
			advice = "did you mean " + near + "?"
		}
		p.warn("info/2 has no key %s; %s", key, advice)
	}
}

func (p part) text(t engine.Term) string {
	s, ok := term.Text(t)
	if !ok {
		p.fail("got %s, want a text", p.show(t))
	}
	return s
}

func (p part) list(t engine.Term) []engine.Term {
	items, ok := term.Slice(t)
	if !ok {
		p.fail("got %s, want a list", p.show(t))
	}
	return items
}

func (p part) argnames(d *infoDirective, t engine.Term) {
	items := p.list(t)
	names := make([]string, len(items))
	for i, item := range items {
		names[i] = p.item(i).text(item)
	}
	p.named(d, names)
}

// arguments reads Name-Description pairs.
func (p part) arguments(d *infoDirective, t engine.Term) {
	items := p.list(t)
	names := make([]string, len(items))
	d.descriptions = make([]string, len(items))
	for i, item := range items {
		pair, ok := term.Is(item, "-", 2)
		if !ok {
			p.item(i).fail("got %s, want Name-Description", p.show(item))
			continue
		}
		names[i], d.descriptions[i] = p.item(i).arg(0).text(pair[0]), p.item(i).arg(1).text(pair[1])
	}
	p.named(d, names)
}

// defaults reads Name-Value pairs.
func (p part) defaults(d *infoDirective, t engine.Term) {
	d.defaults = map[string]engine.Term{}
	for i, item := range p.list(t) {
		pair, ok := term.Is(item, "-", 2)
		if !ok || termText(pair[0]) == "" {
			p.item(i).fail("got %s, want Name-Value", p.show(item))
			continue
		}
		d.defaults[termText(pair[0])] = pair[1]
	}
}

// named checks the names of arguments.
func (p part) named(d *infoDirective, names []string) {
	if len(names) != d.arity {
		p.fail("%s has %s, got %s", indicator(d.name, d.arity), spell.Count(d.arity, "argument"),
			spell.Count(len(names), "name"))
	}
	for i, name := range names {
		if name == "" {
			p.item(i).fail("the name of an argument is empty")
		} else if slices.Contains(names[:i], name) {
			p.item(i).fail("two arguments have the name %s", name)
		} else if !isName(name, 64) { // some models refuse tools with others
			p.item(i).warn("the argument name %s is not made of 1 to 64 of A-Z a-z 0-9 _ . -; some models refuse tools with "+
				"such names", strconv.Quote(name))
		}
	}
	d.names = names
}

// isName reports whether a name is allowed for a tool or a property. A name consists of at most `most` letters, digits,
// dots, dashes and underscores.
func isName(name string, most int) bool {
	return name != "" && len(name) <= most && strings.Trim(name, nameCharacters) == ""
}

const nameCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-"

// termText returns the text of an atom or string, or "".
func termText(t engine.Term) string {
	s, _ := term.Text(t)
	return s
}

// codec reads and writes terms with the standard operators, which is enough to check declarations.
var codec = &schema.Codec{Parse: engine.ParseTerm, Format: engine.FormatTerm}

func (l *loading) codec(module string) *schema.Codec {
	return &schema.Codec{Parse: codec.Parse, Format: codec.Format, Types: l.typesOf(module)}
}

// checkValue returns an error for a value that is not of a type of mode/2. It ignores unknown types, which are reported
// at the mode/2.
func (l *loading) checkValue(module string, value, typ engine.Term) error {
	t, err := l.codec(module).ParseType(typ)
	if err != nil {
		return nil
	}
	_, err = codec.ToJSON(value, t)
	return err
}

// checkSchema returns an error for a wrong JSON Schema in curly notation. An input schema must describe an object.
func checkSchema(given engine.Term, input bool) error {
	s, err := codec.Compile(given)
	if err == nil && input && !s.IsObject() {
		err = errors.New("the input of a tool has to have type-object")
	}
	if err != nil {
		return err
	}
	switch name, at := s.Undescribed(); {
	case at == "#":
		return fmt.Errorf("required names %q, which properties lacks; clients drop all tools for that", name)
	case at != "":
		return fmt.Errorf("required at %s names %q, which properties lacks", at, name)
	}
	return nil
}
