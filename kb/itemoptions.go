package kb

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the options at the end of prompt/5, resource/6 and resource_template/6, and
// icons, which all items may have.

// optionSetters set options by name.
type optionSetters map[string]func(value engine.Term) error

// itemOptions reads a list of Name(Value).
func (l *loading) itemOptions(of string, at engine.Position, list engine.Term, known optionSetters) {
	items, ok := term.Slice(list)
	if !ok {
		l.fail(at, "option", "%s: got the options %s, want a list", of, l.show(list))
	}
	for _, item := range items {
		c, ok := item.(*term.Compound)
		if !ok || len(c.Args) != 1 {
			l.fail(at, "option", "%s: got the option %s, want Name(Value)", of, l.show(item))
			continue
		}
		set := known[string(c.Functor)]
		if set == nil {
			l.unknown(at, "option", "option", string(c.Functor), sortedNames(known))
			continue
		}
		if err := set(c.Args[0]); err != nil {
			l.fail(at, "option", "%s: option %s: %s", of, c.Functor, err)
		}
	}
}

func sortedNames(known optionSetters) []string {
	names := slices.Sorted(maps.Keys(known))
	return names
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
				return fmt.Errorf("got %s, want a number of bytes", engine.ShowTerm(x))
			}
			r.Size = int64(n)
			return nil
		},
		"audience": func(x engine.Term) (err error) {
			r.Audience, err = wordsOf(x, "user", "assistant")
			return err
		},
		"priority": func(x engine.Term) (err error) {
			r.Priority, err = fraction(x)
			return err
		},
		"last_modified": func(x engine.Term) error { return engine.Convert(x, &r.LastModified) },
	}
}

// fraction reads a number from 0 to 1.
func fraction(x engine.Term) (float64, error) {
	n := -1.0
	switch x := x.(type) {
	case term.Int:
		n = float64(x)
	case term.Float:
		n = float64(x)
	}
	if !(n >= 0 && n <= 1) {
		return 0, fmt.Errorf("got %s, want a number from 0 to 1", engine.ShowTerm(x))
	}
	return n, nil
}

// wordsOf reads a list of words.
func wordsOf(x engine.Term, known ...string) ([]string, error) {
	items, ok := term.Slice(x)
	if !ok {
		return nil, fmt.Errorf("got %s, want a list of %s", engine.ShowTerm(x), strings.Join(known, ", "))
	}
	var list []string
	for _, item := range items {
		if !slices.Contains(known, termText(item)) {
			return nil, fmt.Errorf("got %s, want one of %s", engine.ShowTerm(item), strings.Join(known, ", "))
		}
		list = append(list, termText(item))
	}
	return list, nil
}

// readIcons reads a list of icon(Source), icon(Source, MimeType), icon(Source, MimeType, Sizes)
// and icon(Source, MimeType, Sizes, Theme).
func readIcons(x engine.Term) ([]Icon, error) {
	items, ok := term.Slice(x)
	if !ok {
		return nil, fmt.Errorf("got %s, want a list of icons", engine.ShowTerm(x))
	}
	icons := make([]Icon, 0, len(items))
	for _, item := range items {
		icon, err := readIcon(item)
		if err != nil {
			return nil, err
		}
		icons = append(icons, icon)
	}
	return icons, nil
}

func readIcon(x engine.Term) (icon Icon, err error) {
	c, ok := x.(*term.Compound)
	if !ok || c.Functor != "icon" || len(c.Args) == 0 || len(c.Args) > 4 {
		return icon, fmt.Errorf("got %s, want icon(URL), icon(URL, MimeType), icon(URL, MimeType, Sizes) or icon(URL, "+
			"MimeType, Sizes, Theme)", engine.ShowTerm(x))
	}
	if icon, err = ParseIcon(termText(c.Args[0])); err != nil {
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
			err = fmt.Errorf("got the theme %s, want light or dark", engine.ShowTerm(c.Args[3]))
		}
	}
	return icon, err
}

// ParseIcon returns the icon at a URL.
func ParseIcon(url string) (Icon, error) {
	if !hasScheme(url, "https://", "http://", "data:") {
		return Icon{}, fmt.Errorf("got the icon %q, want a URL with https, http or data", url)
	}
	return Icon{Source: url}, nil
}

// hasScheme reports whether a URL begins with one of schemes.
func hasScheme(url string, schemes ...string) bool {
	return slices.ContainsFunc(schemes, func(scheme string) bool {
		return len(url) > len(scheme) && strings.EqualFold(url[:len(scheme)], scheme)
	})
}

// iconSizes reads a list of sizes such as '48x48' or any.
func iconSizes(x engine.Term) ([]string, error) {
	items, ok := term.Slice(x)
	if !ok {
		return nil, fmt.Errorf("got the sizes %s, want a list such as ['48x48']", engine.ShowTerm(x))
	}
	var list []string
	for _, item := range items {
		size := termText(item)
		var width, height int
		if n, err := fmt.Sscanf(size, "%dx%d", &width, &height); size != "any" &&
			(n != 2 || err != nil || width < 1 || height < 1) {
			return nil, fmt.Errorf("got the size %s, want one such as '48x48', or any", engine.ShowTerm(item))
		}
		list = append(list, size)
	}
	return list, nil
}
