package main

import (
	"fmt"
	"strings"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines what clients ask the user who installs a bundle: the settings of setting/3.

// option is a member of user_config in a manifest of the MCPB format. Type is string, number, boolean, file or
// directory. Min and Max count for numbers only, Sensitive for strings only: the client masks such a value and keeps it
// in the key chain of the system. Default has the JSON type that Type says.
type option struct {
	Type        string   `json:"type"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
	Required    bool     `json:"required,omitempty"`
	Default     any      `json:"default,omitempty"`
	Sensitive   bool     `json:"sensitive,omitempty"`
	Min         *float64 `json:"min,omitempty"`
	Max         *float64 `json:"max,omitempty"`
}

// userValue is the placeholder that clients replace by what the user has given for a setting. It stays where the user
// has given nothing, and then counts as not given.
func userValue(name string) string { return "${user_config." + name + "}" }

// optionOf converts a setting to a field of the client's form. Types of must_be/2 that the format lacks become strings,
// which the server checks when it loads. A choice is a string whose description names the values.
func optionOf(s kb.Setting) option {
	o := option{Type: "string", Title: s.Title, Description: s.Description, Required: s.Default == nil}
	number := func(least, most *float64) { o.Type, o.Min, o.Max = "number", least, most }
	at := func(n float64) *float64 { return &n }
	switch name, args := splitTerm(s.Type); name {
	case "integer", "float", "number", "rational":
		number(nil, nil)
	case "nonneg":
		number(at(0), nil)
	case "positive_integer":
		number(at(1), nil)
	case "boolean", "bool":
		o.Type = "boolean"
	case "file", "directory":
		o.Type = name
	case "between":
		if len(args) == 2 {
			number(numberOf(args[0]), numberOf(args[1]))
		}
	case "oneof":
		if len(args) == 1 {
			o.Description = strings.TrimSpace(o.Description + " One of " + strings.Join(choiceTexts(args[0]), ", ") + ".")
		}
	}
	// A secret has no default in the manifest, which everybody can read.
	o.Sensitive = s.Secret && o.Type == "string"
	if o.Description == "" {
		o.Description = s.Title
	}
	if s.Default != nil && !s.Secret {
		o.Default = jsonDefault(s.Default, o.Type)
	}
	return o
}

// splitTerm returns the name and the arguments of a type, such as between(1, 10) or integer.
func splitTerm(t engine.Term) (string, []engine.Term) {
	if c, ok := t.(*term.Compound); ok {
		return string(c.Functor), c.Args
	}
	name, _ := t.(term.Atom)
	return string(name), nil
}

// choiceTexts are the values of a list as texts.
func choiceTexts(list engine.Term) []string {
	items, _ := term.Slice(list)
	var texts []string
	for _, item := range items {
		texts = append(texts, fmt.Sprint(jsonDefault(item, "string")))
	}
	return texts
}

// numberOf returns a number, nil for any other term, such as inf as a bound. Integers that do not fit a term.Int have
// none either.
func numberOf(t engine.Term) *float64 {
	n := 0.0
	switch t := t.(type) {
	case term.Int:
		n = float64(t)
	case term.Float:
		n = float64(t)
	default:
		return nil
	}
	return &n
}

// jsonDefault converts a default to a value of the type of a field. Terms other than texts are written as in Prolog,
// and the server reads them back.
func jsonDefault(t engine.Term, kind string) any {
	if kind == "boolean" {
		return t == term.Term(term.True)
	}
	if n := numberOf(t); n != nil && kind == "number" {
		return *n
	}
	if text, ok := term.Text(t); ok {
		return text
	}
	return engine.FormatTerm(t)
}

// missingSettings are the settings that have to be given and were not, each with how to do that.
func missingSettings(s *kb.Snapshot) []string {
	var list []string
	for _, one := range s.Settings {
		if one.Default == nil && !one.Given {
			list = append(list, fmt.Sprintf("the setting %s has no value: set %s in the environment, or --set %[1]s=VALUE",
				one.Name, kb.SettingVariable(one.Name)))
		}
	}
	return list
}
