package kb

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how tool_ui/2, resource_ui_meta/2 and cache_policy/4 are read and checked. They tell clients how
// to show tools and resources, and how long to cache lists.

// The members of user interface options map their names in lists to those in JSON.
var (
	toolUINames     = map[string]string{"resource_uri": "resourceUri", "visibility": "visibility"}
	resourceUINames = map[string]string{"csp": "csp", "permissions": "permissions", "domain": "domain",
		"prefers_border": "prefersBorder"}
)

// cacheOperations are the operations that cache_policy/4 is called for.
var cacheOperations = []string{"discover", "tools_list", "prompts_list", "resources_list", "resource_templates_list",
	"resources_read"}

// metadata reads what a provider says about user interfaces and caching.
func (l *loading) metadata(p *Provider) {
	l.toolUIs(p)
	l.resourceUIs(p)
	l.cachePolicies(p)
	if p.Declares("completions") && !p.Defines("completion", 4) && !l.broken {
		l.warn(clausePlace(p.own["capabilities/1"], 0), "capability",
			"the capability completions is declared but completion/4 is not defined")
	}
}

// about calls use with the values that a predicate name/2 gives for each subject. If the predicate consists of facts,
// the subjects are those of the facts, and otherwise the known ones.
func (l *loading) about(p *Provider, name string, known []string,
	use func(subject string, value engine.Term, at source.Position)) {
	info, ok := p.own[indicator(name, 2)]
	if !ok {
		return
	}
	if allFacts(info) {
		for _, a := range l.ask(p, name, nil, nil) {
			use(termText(a.values[0]), a.values[1], a.place)
		}
		return
	}
	for _, subject := range known {
		for _, a := range l.ask(p, name, term.Atom(subject), nil) {
			use(subject, a.values[0], a.place)
			break
		}
	}
}

// toolUIs reads tool_ui/2.
func (l *loading) toolUIs(p *Provider) {
	names := l.toolNames(p)
	l.about(p, "tool_ui", names, func(name string, options engine.Term, at source.Position) {
		if !slices.Contains(names, name) {
			l.unknown(at, "ui", "tool", name, names)
			return
		}
		ui, ok := l.object(at, "tool "+name, options, toolUINames)
		if !ok {
			return
		}
		l.checkToolUI(at, name, ui)
		l.snapshot.Tool(name).UI = ui
	})
}

func (l *loading) toolNames(p *Provider) (names []string) {
	for _, t := range l.snapshot.Tools {
		if t.Provider == p {
			names = append(names, t.Name)
		}
	}
	return names
}

// checkToolUI checks the address and the visibility of a tool's user interface.
func (l *loading) checkToolUI(at source.Position, name string, ui engine.Term) {
	for _, m := range members(ui) {
		switch m.name {
		case "resourceUri":
			uri := termText(m.value)
			if !strings.HasPrefix(uri, "ui://") {
				l.fail(at, "ui", "tool %s: got the address %s of a user interface, want ui://...", name, l.show(m.value))
			} else if !l.serves(uri) {
				l.warn(at, "ui", "tool %s: the user interface %s is not among the resources", name, uri)
			}
		case "visibility":
			l.checkVisibility(at, name, m.value)
		}
	}
}

// checkVisibility checks who may see a tool.
func (l *loading) checkVisibility(at source.Position, name string, list engine.Term) {
	who := []string{"model", "app"}
	items, ok := term.Slice(list)
	for _, item := range items {
		ok = ok && slices.Contains(who, termText(item))
	}
	if !ok || len(items) == 0 {
		l.fail(at, "ui", "tool %s: got the visibility %s, want a list of model, app", name, l.show(list))
	}
}

// serves reports whether a provider that has been read declares a resource.
func (l *loading) serves(uri string) bool {
	return slices.ContainsFunc(l.snapshot.Resources, func(r *Resource) bool { return r.URI == uri })
}

// resourceUIs reads resource_ui_meta/2.
func (l *loading) resourceUIs(p *Provider) {
	own := map[string]*Resource{}
	var uris []string
	for _, r := range slices.Concat(l.snapshot.Resources, l.snapshot.Templates) {
		if r.Provider == p {
			own[r.URI], uris = r, append(uris, r.URI)
		}
	}
	l.about(p, "resource_ui_meta", uris, func(uri string, meta engine.Term, at source.Position) {
		if own[uri] == nil {
			l.unknown(at, "ui", "resource", uri, uris)
			return
		}
		if ui, ok := l.object(at, "resource "+uri, meta, resourceUINames); ok {
			own[uri].UI = ui
		}
	})
}

// namedTerm is a member of an object with its name.
type namedTerm struct {
	name  string
	value engine.Term
}

// object reads options as a curly term. They may be a curly term or a list of Name(Value) or Name-Value. Names in lists
// usually are Prolog names such as resource_uri, and names in a curly term JSON names. Both kinds of names are accepted
// in both.
func (l *loading) object(at source.Position, subject string, options engine.Term,
	names map[string]string) (engine.Term, bool) {
	list, ok := optionTerms(options)
	if !ok {
		l.fail(at, "ui", "%s: got %s, want a list of Name(Value) or {Name-Value, ...}", subject, l.show(options))
		return nil, false
	}
	var pairs []engine.Term
	for _, item := range list {
		m, ok := memberOf(item)
		if !ok {
			l.fail(at, "ui", "%s: got %s, want Name(Value) or Name-Value", subject, l.show(item))
			return nil, false
		}
		if name, ok := names[m.name]; ok {
			m.name = name
		} else if !slices.Contains(slices.Collect(maps.Values(names)), m.name) {
			l.unknown(at, "ui", "name", m.name, slices.Sorted(maps.Keys(names)))
		}
		pairs = append(pairs, term.New("-", term.Atom(m.name), m.value))
	}
	x := term.Curlies(pairs...)
	if _, err := codec.ToJSON(x, nil); err != nil {
		l.fail(at, "ui", "%s: %s", subject, err)
		return nil, false
	}
	return x, true
}

// optionTerms returns the items of a list, or of a curly term.
func optionTerms(x engine.Term) ([]engine.Term, bool) {
	if items, ok := term.Slice(x); ok {
		return items, true
	}
	return term.CurlyItems(x)
}

// memberOf reads Name-Value, Name:Value, Name=Value or Name(Value).
func memberOf(x engine.Term) (namedTerm, bool) {
	c, ok := x.(*term.Compound)
	switch {
	case !ok:
		return namedTerm{}, false
	case len(c.Args) == 1:
		return namedTerm{string(c.Functor), c.Args[0]}, true
	case len(c.Args) == 2 && (c.Functor == "-" || c.Functor == ":" || c.Functor == "="):
		name, ok := term.Text(c.Args[0])
		return namedTerm{name, c.Args[1]}, ok
	}
	return namedTerm{}, false
}

// members returns the members of a curly term that object has made.
func members(x engine.Term) (list []namedTerm) {
	items, _ := optionTerms(x)
	for _, item := range items {
		if m, ok := memberOf(item); ok {
			list = append(list, m)
		}
	}
	return list
}

// cachePolicies checks cache_policy/4 when it is made of facts. Rules are checked when they are called.
func (l *loading) cachePolicies(p *Provider) {
	info, ok := p.own["cache_policy/4"]
	if !ok || !allFacts(info) {
		return
	}
	for _, a := range l.ask(p, "cache_policy", nil, nil, nil, nil) {
		l.cachePolicy(a)
	}
}

// cachePolicy checks one fact. A variable stands for every value.
func (l *loading) cachePolicy(a answer) {
	operation, ok := term.Text(a.values[0])
	if _, isVar := a.values[0].(*term.Var); !isVar && !ok {
		l.fail(a.place, "cache", "got %s, want the name of an operation", l.show(a.values[0]))
	} else if ok && !slices.Contains(cacheOperations, operation) {
		l.unknown(a.place, "cache", "operation", operation, cacheOperations)
	}
	if ttl, ok := a.values[2].(term.Int); !ok || ttl < 0 {
		l.fail(a.place, "cache", "got the time to live %s, want a number of milliseconds from 0", l.show(a.values[2]))
	}
	if scope := termText(a.values[3]); scope != "public" && scope != "private" {
		l.fail(a.place, "cache", "got the scope %s, want public or private", l.show(a.values[3]))
	}
}

// This part defines the options at the end of prompt/5, resource/6 and resource_template/6, and icons, which all items
// may have.

// optionSetters set options by name.
type optionSetters map[string]func(value engine.Term) error

// itemOptions reads a list of Name(Value).
func (l *loading) itemOptions(of string, at source.Position, list engine.Term, known optionSetters) {
	l.eachOption(at, "option", of, list, func(name string, value engine.Term) error {
		if set := known[name]; set != nil {
			return set(value)
		}
		l.unknown(at, "option", "option", name, slices.Sorted(maps.Keys(known)))
		return nil
	})
}

// eachOption sets the options of a list of Name(Value). Diagnostics have the given code and name the item that the
// options belong to.
func (l *loading) eachOption(at source.Position, code, of string, list engine.Term,
	set func(name string, value engine.Term) error) {
	items, ok := term.Slice(list)
	if !ok {
		l.fail(at, code, "%s: got the options %s, want a list", of, l.show(list))
	}
	for _, item := range items {
		c, ok := item.(*term.Compound)
		if !ok || len(c.Args) != 1 {
			l.fail(at, code, "%s: got the option %s, want Name(Value)", of, l.show(item))
		} else if err := set(string(c.Functor), c.Args[0]); err != nil {
			l.fail(at, code, "%s: option %s: %s", of, c.Functor, err)
		}
	}
}

// setters returns the options of a prompt.
func (p *Prompt) setters() optionSetters {
	return optionSetters{
		"title": func(x engine.Term) error { return engine.Convert(x, &p.Title) },
		"icons": func(x engine.Term) (err error) { p.Icons, err = readIcons(x); return err },
	}
}

// setters returns the options of a resource or a template.
func (r *Resource) setters() optionSetters {
	return optionSetters{
		"title": func(x engine.Term) error { return engine.Convert(x, &r.Title) },
		"icons": func(x engine.Term) (err error) { r.Icons, err = readIcons(x); return err },
		"size": func(x engine.Term) error {
			n, ok := x.(term.Int)
			if !ok || n < 0 {
				return fmt.Errorf("got %s, want a number of bytes", inspect.ShowTerm(x))
			}
			r.Size = int64(n)
			return nil
		},
		"audience":      func(x engine.Term) (err error) { r.Audience, err = wordsOf(x, "user", "assistant"); return err },
		"priority":      func(x engine.Term) (err error) { r.Priority, err = fraction(x); return err },
		"last_modified": func(x engine.Term) error { return engine.Convert(x, &r.LastModified) },
	}
}

// fraction reads a number from 0 to 1.
func fraction(x engine.Term) (float64, error) {
	n := numberOf(x)
	if !(n >= 0 && n <= 1) {
		return 0, fmt.Errorf("got %s, want a number from 0 to 1", inspect.ShowTerm(x))
	}
	return n, nil
}

// numberOf returns a number as a float, and NaN for any other term.
func numberOf(x engine.Term) float64 {
	switch x := x.(type) {
	case term.Int:
		return float64(x)
	case term.Float:
		return float64(x)
	}
	return math.NaN()
}

// listOf reads a list whose elements read reads. In errors, of describes x and want describes the expected value.
func listOf[T any](x engine.Term, of, want string, read func(item engine.Term) (T, error)) (list []T, err error) {
	items, ok := term.Slice(x)
	if !ok {
		return nil, fmt.Errorf("got %s%s, want a list %s", of, inspect.ShowTerm(x), want)
	}
	for _, item := range items {
		one, err := read(item)
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, nil
}

func wordsOf(x engine.Term, known ...string) ([]string, error) {
	all := strings.Join(known, ", ")
	return listOf(x, "", "of "+all, func(item engine.Term) (string, error) {
		if !slices.Contains(known, termText(item)) {
			return "", fmt.Errorf("got %s, want one of %s", inspect.ShowTerm(item), all)
		}
		return termText(item), nil
	})
}

// readIcons reads a list of icon(Source), icon(Source, MimeType), icon(Source, MimeType, Sizes)
// and icon(Source, MimeType, Sizes, Theme).
func readIcons(x engine.Term) ([]Icon, error) {
	return listOf(x, "", "of icons", readIcon)
}

func readIcon(x engine.Term) (icon Icon, err error) {
	c, ok := x.(*term.Compound)
	if !ok || c.Functor != "icon" || len(c.Args) == 0 || len(c.Args) > 4 {
		return icon, fmt.Errorf("got %s, want icon(URL), icon(URL, MimeType), icon(URL, MimeType, Sizes) or icon(URL, "+
			"MimeType, Sizes, Theme)", inspect.ShowTerm(x))
	}
	if err = icon.Set(termText(c.Args[0])); err != nil {
		return icon, err
	}
	if len(c.Args) > 1 {
		err = engine.Convert(c.Args[1], &icon.MIMEType)
	}
	if len(c.Args) > 2 && err == nil {
		icon.Sizes, err = iconSizes(c.Args[2])
	}
	if len(c.Args) > 3 && err == nil {
		icon.Theme = termText(c.Args[3])
		if icon.Theme != "light" && icon.Theme != "dark" {
			err = fmt.Errorf("got the theme %s, want light or dark", inspect.ShowTerm(c.Args[3]))
		}
	}
	return icon, err
}

// Set makes it the icon at a URL.
func (i *Icon) Set(url string) error {
	if !hasScheme(url, "https://", "http://", "data:") {
		return fmt.Errorf("got the icon %q, want a URL with https, http or data", url)
	}
	*i = Icon{Source: url}
	return nil
}

func hasScheme(url string, schemes ...string) bool {
	return slices.ContainsFunc(schemes, func(scheme string) bool {
		return len(url) > len(scheme) && strings.EqualFold(url[:len(scheme)], scheme)
	})
}

// iconSizes reads a list of sizes such as '48x48' or any.
func iconSizes(x engine.Term) ([]string, error) {
	return listOf(x, "the sizes ", "such as ['48x48']", func(item engine.Term) (string, error) {
		size := termText(item)
		var width, height int
		if n, err := fmt.Sscanf(size, "%dx%d", &width, &height); size != "any" &&
			(n != 2 || err != nil || width < 1 || height < 1) {
			return "", fmt.Errorf("got the size %s, want one such as '48x48', or any", inspect.ShowTerm(item))
		}
		return size, nil
	})
}
