package items

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/kb"
)

// This file defines the instructions that a server gives models by itself.

// Instructions say what the knowledge base is that people call so, which tools it has, and how to get more out of it.
func (o *Offer) Instructions(title string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s answers from rules and facts: its answers are derived, not guessed.", title)
	names := make([]string, 0, len(o.Tools))
	for name := range o.Tools {
		names = append(names, name)
	}
	slices.Sort(names)
	if len(names) > 0 {
		b.WriteString("\n\nTools:")
	}
	tail := o.instructionsTail()
	for i, name := range names {
		line := "\n- " + name + ": " + firstSentence(o.Tools[name].Description)
		rest := fmt.Sprintf("\n- and %d more", len(names)-i)
		if utf8.RuneCountInString(b.String()+line+rest+tail) > kb.MaxDescription {
			b.WriteString(rest)
			break
		}
		b.WriteString(strings.TrimSuffix(line, ": "))
	}
	b.WriteString(tail)
	return b.String()
}

// instructionsTail is what there is beside the tools.
func (o *Offer) instructionsTail() string {
	var b strings.Builder
	b.WriteString("\n\nCopy values from earlier results as they are. A result without solutions means that nothing is " +
		"known, and says what was missing or which values there are.")
	for _, t := range o.Tools {
		if t.pages() {
			b.WriteString(" Where there is more, a result has a cursor for the next call.")
			break
		}
	}
	if o.WhyTool != "" {
		fmt.Fprintf(&b, " To learn why an answer holds, or why there is none, call %s with the tool and its arguments.",
			o.WhyTool)
	}
	if o.AnswerTool != "" {
		fmt.Fprintf(&b, " If a result has a question for the user, ask them and call %s.", o.AnswerTool)
	}
	return b.String()
}

// firstSentence returns the first sentence of a description, or the beginning of a long one.
func firstSentence(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	if first, _, ok := strings.Cut(text, ". "); ok {
		text = first + "."
	}
	const most = 160
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "..."
	}
	return text
}
