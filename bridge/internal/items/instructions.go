package items

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
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
	names := o.toolNames()
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
	for i, line := range o.vocabulary() {
		if i == 0 {
			line = "\n\nThe rules know, among others:" + line
		}
		if utf8.RuneCountInString(b.String()+line+tail) > kb.MaxDescription {
			break
		}
		b.WriteString(line)
	}
	b.WriteString(tail)
	return b.String()
}

// mostKnown bounds the tools whose inputs the vocabulary looks at.
const mostKnown = 30

// toolNames are the names of the tools, in order.
func (o *Offer) toolNames() []string { return slices.Sorted(maps.Keys(o.Tools)) }

// knownLines are lines with the values that the rules know for the inputs of tools.
func (o *Offer) knownLines() []string {
	tools := o.toolNames()
	var all []kb.Known
	for _, name := range tools[:min(len(tools), mostKnown)] {
		all = append(all, o.Snapshot.Known(context.Background(), o.Tools[name].Tool)...)
	}
	var lines []string
	for _, k := range kb.MergeKnown(all) {
		values := make([]string, len(k.Values), len(k.Values)+1)
		for i, value := range k.Values {
			quoted, _ := json.Marshal(value) // a string always has JSON
			values[i] = string(quoted)
		}
		if k.More {
			values = append(values, "...")
		}
		lines = append(lines, "\n- "+k.Argument+": "+strings.Join(values, ", "))
	}
	return lines
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
