package main

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/inner"
)

// This file defines answers and how they are made comparable.

// answer is what a system says to a question.
type answer struct {
	// Solutions are the values of the variables as text.
	Solutions []map[string]string `json:"solutions,omitempty"`
	// Status is true, false, error, limit (it took too much), died (its process ended), or unfit.
	Status string `json:"status"`
	// Error is the formal part of an error term, or another ball; why, for unfit.
	Error  string `json:"error,omitempty"`
	Output string `json:"output,omitempty"`
}

// unfit is the status of questions that were not asked.
const unfit = "unfit"

func (a answer) String() string {
	data := new(strings.Builder)
	enc := json.NewEncoder(data)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(a) // strings and maps of strings always encode
	return strings.TrimSuffix(data.String(), "\n")
}

// canonical rewrites the terms of an answer each by itself, as our own query command writes a single term.
func (a answer) canonical(setup string) answer {
	w := writer(setup)
	for _, solution := range a.Solutions {
		for name, value := range solution {
			solution[name] = rewrite(w, value)
		}
	}
	if a.Status == "error" || a.Status == "limit" {
		a.Error = rewrite(w, a.Error)
	}
	return a.neutral()
}

// formal replaces the error term that query --batch gives as a whole by its formal part: the context is each
// system's own.
func (a answer) formal(setup string) answer {
	w := writer(setup)
	t, err := w.ParseTerm("", streams.ReplaceAllString(a.Error, "'<stream>'"))
	if err != nil {
		return a
	}
	if args, ok := term.Is(t, "error", 2); ok {
		a.Error = inner.Of(w).FormatNumbered(args[0])
	}
	if template, ok := term.Is(t, "@", 2); ok {
		if args, ok := term.Is(template[0], "error", 2); ok {
			a.Error = inner.Of(w).FormatNumbered(term.New("@", args[0], template[1]))
		}
	}
	return a
}

// apart gives the variables of each value of query --batch numbers of its own: the other systems print one
// value after the other and do not say which variables two of them share.
func (a answer) apart() answer {
	for _, solution := range a.Solutions {
		for name, value := range solution {
			numbers := map[string]string{}
			solution[name] = numbered.ReplaceAllStringFunc(value, func(v string) string {
				if numbers[v] == "" {
					numbers[v] = "_" + strconv.Itoa(len(numbers)+1)
				}
				return numbers[v]
			})
		}
	}
	return a
}

// neutral takes out of texts what is each system's own: names of variables and streams.
func (a answer) neutral() answer {
	for _, solution := range a.Solutions {
		for name, value := range solution {
			if solution[name] = neutral(value); strings.HasPrefix(value, "'") || strings.HasPrefix(value, `"`) {
				solution[name] = variables.ReplaceAllString(solution[name], "_") // a text of a term with variables
			}
		}
	}
	if a.Error = neutral(a.Error); a.Status == "undefined" {
		a.Status = "true" // a goal of the others succeeds
	}
	a.Output = variables.ReplaceAllString(neutral(a.Output), "_")
	return a
}

func neutral(text string) string {
	return cycles.ReplaceAllString(streams.ReplaceAllString(text, "<stream>"), "_$1")
}

var (
	// streams are written with numbers or addresses.
	streams = regexp.MustCompile(`'<stream>'|'?[$<]stream'?(>?\([^)]*\)|_\d+>)`)
	// cycles are the names of variables that stand for cyclic terms.
	cycles = regexp.MustCompile(`\bS_(\d+)`)
	// numbered are the variables of query --batch.
	numbered = regexp.MustCompile(`\b_\d+\b`)
	// variables are printed with numbers or letters of each system's own.
	variables = regexp.MustCompile(`_G?\d+`)
)

// plain is an empty program, whose operators are the usual ones.
var plain = sync.OnceValue(func() *engine.Program { return engine.New(nil) })

// operators is found in program texts that change the operators.
var operators = regexp.MustCompile(`\bop\(|clpfd`)

// writer returns a program whose operators are those of a program text.
func writer(setup string) *engine.Program {
	if operators.MatchString(setup) {
		if p, err := engine.LoadText(context.Background(), "setup.pl", setup, nil); err == nil {
			return p
		}
	}
	return plain()
}

// rewrite reads a term and writes it; text that is none stays as it is.
func rewrite(w *engine.Program, text string) string {
	t, err := engine.ParseTerm(streams.ReplaceAllString(text, "'<stream>'"))
	if err != nil {
		return text
	}
	return inner.Of(w).FormatNumbered(t)
}

// same reports whether two answers say the same.
func (a answer) same(b answer) bool {
	return a.Status == b.Status && a.Error == b.Error && a.Output == b.Output &&
		slices.EqualFunc(a.Solutions, b.Solutions, equalBindings)
}

// sameButLayout reports whether two answers differ in blanks of the output only.
func (a answer) sameButLayout(b answer) bool {
	a.Output, b.Output = blanks.Replace(a.Output), blanks.Replace(b.Output)
	return a.same(b)
}

var blanks = strings.NewReplacer(" ", "", "\n", "", "\t", "")

func equalBindings(a, b map[string]string) bool {
	if len(a) != len(b) {
		return false
	}
	for name, value := range a {
		if other, ok := b[name]; !ok || other != value {
			return false
		}
	}
	return true
}
