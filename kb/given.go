package kb

import (
	"strings"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/inner"
)

// This file defines settings whose values come from outside, as the directive setting/3 of library settings declares
// them.

// Variable is the environment variable that may have the value of the setting.
func (s Setting) Variable() string {
	return "MCPLOGIC_SETTING_" + strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, strings.ToUpper(s.Name))
}

// settingPredicate gives library settings the texts of settings that come from outside. It fails for a setting without
// a text.
func (o *Options) settingPredicate() engine.Predicate {
	return engine.Predicate{Name: "$setting_given", Arity: 2, Modes: "+atom, -string",
		Doc: "Is the text that was given for a setting.",
		Call: func(c *engine.Call) (bool, error) {
			name, ok := term.Text(c.Arg(0))
			if !ok || o.Setting == nil {
				return false, nil
			}
			text, ok := o.Setting(name)
			if ok && c.Restricted() {
				return false, engine.Throw(term.New("error", term.New("permission_error", term.Atom("access"),
					term.Atom("setting"), term.Atom(name)), &term.Var{Name: "_"}))
			}
			return ok && c.Unify(1, term.String(text)), nil
		}}
}

func (l *loading) readSettings() {
	list := &term.Var{Name: "Settings"}
	if _, ok := inner.Of(l.program).Predicate("settings", "given_settings", 1); !ok {
		return
	}
	answers, err := l.solutions("settings", term.New("given_settings", list), []*term.Var{list})
	if err != nil || len(answers) == 0 {
		return // a default that is computed throws
	}
	items, _ := term.Slice(answers[0][0])
	for _, item := range items {
		if a, ok := term.Is(item, "setting", 7); ok {
			s := Setting{Name: termText(a[0]), Type: a[1], Title: termText(a[3]), Description: termText(a[4]),
				Secret: a[5] == term.Term(term.True), Given: a[6] == term.Term(term.True)}
			if some, ok := term.Is(a[2], "some", 1); ok {
				s.Default = some[0]
			}
			l.snapshot.Settings = append(l.snapshot.Settings, s)
			if s.Secret && s.Given && l.o.Setting != nil {
				if text, ok := l.o.Setting(s.Name); ok {
					inner.Of(l.program).KeepSecret(text)
				}
			}
		}
	}
}
