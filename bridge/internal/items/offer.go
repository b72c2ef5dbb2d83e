// Package items prepares the tools, prompts, resources and completions of a snapshot: how clients see them, the goals
// that requests for them run, and the results made from the solutions. A [Maker] makes an [Offer] from a snapshot, and
// the jobs of requests. The package does not depend on the server.
package items

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/skill"
	"github.com/mcplogic/mcplogic/bridge/internal/why"
	"github.com/mcplogic/mcplogic/internal/knownclients"
	"github.com/mcplogic/mcplogic/internal/lazyregexp"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines offers, which are snapshots prepared for calls, and their lists. It also defines the default
// instructions for models.

// Offer is a snapshot prepared for calls.
type Offer struct {
	Snapshot  *kb.Snapshot
	Tools     map[string]*Tool
	Prompts   map[string]*Prompt
	Resources map[string]*Resource // also templates, by their URI template
	Events    map[string]*Event
	// AnswerTool is the name of the tool by which a model passes on answers, or "" if no provider asks.
	AnswerTool string
	// Skills are the skills of the folders.
	Skills []*skill.Skill
	// WhyTool is the name of the tool why, or "" if it is not offered.
	WhyTool string
	// WhatIfTool is the name of the tool what_if, or "" if it is not offered.
	WhatIfTool string
	// vocabulary has the lines of the instructions with known values. They are made on first use.
	vocabulary func() []string
}

// HasTasks reports whether calls of some tool may become tasks.
func (o *Offer) HasTasks() bool {
	for _, t := range o.Tools {
		if t.Task != nil {
			return true
		}
	}
	return false
}

// elicits reports whether a provider may ask the user.
func (o *Offer) elicits(p *kb.Provider) bool { return p.Declares("elicitation") }

// freeToolName returns a name for a tool of the server: the wanted name, followed by a number if the knowledge base has
// a tool of that name.
func (m *Maker) freeToolName(o *Offer, wanted string) string {
	name := wanted
	for i := 2; o.Tools[name] != nil || m.set.Reserved(name); i++ {
		name = wanted + "_" + strconv.Itoa(i)
	}
	return name
}

// chooseAnswerTool returns the name of the tool answer, or "" if no provider asks. If the knowledge base has a tool of
// that name, a number is appended.
func (m *Maker) chooseAnswerTool(o *Offer) string {
	if !slices.ContainsFunc(o.Snapshot.Providers, o.elicits) {
		return ""
	}
	return m.freeToolName(o, "answer")
}

// chooseTool returns the name of a tool of the server that an option or a capability asks for, or "" if none does. If
// the knowledge base has a tool of that name, a number is appended.
func (m *Maker) chooseTool(o *Offer, on bool, capability, name string) string {
	wants := func(p *kb.Provider) bool { return p.Declares(capability) }
	if !on && !slices.ContainsFunc(o.Snapshot.Providers, wants) || len(o.Tools) == 0 {
		return ""
	}
	return m.freeToolName(o, name)
}

// Completes reports whether any provider proposes values.
func (o *Offer) Completes() bool {
	return slices.ContainsFunc(o.Snapshot.Providers, func(p *kb.Provider) bool { return p.Defines("completion", 4) })
}

// Promises reports whether a client may rely on the output schema of a tool. If the client cannot ask its user, a tool
// that asks may return its question instead of a result. Clients of versions with sessions drop the whole list if a
// schema is not a schema of objects.
func (o *Offer) Promises(t *Tool, asks, stateless bool) bool {
	if !asks && o.elicits(t.Provider) {
		return false
	}
	return stateless || t.output == nil || t.output.IsObject()
}

// Reads reports whether a URI belongs to a resource or fits a template.
func (o *Offer) Reads(uri string) bool {
	if r := o.Resources[uri]; r != nil && r.Template == nil {
		return true
	}
	for _, r := range o.Resources {
		if r.Template != nil && r.Template.Match(uri) != nil {
			return true
		}
	}
	return false
}

// Declared returns a URI as the knowledge base writes it, if it has one that differs in the case of the scheme, the
// host and the drive only. Clients that take addresses apart write these in small letters (RFC 3986, 6.2.2.1).
func (o *Offer) Declared(uri string) string {
	if o.Reads(uri) {
		return uri
	}
	n := len(authority().FindString(uri))
	for declared, r := range o.Resources {
		prefix := authority().FindString(declared)
		m := len(prefix)
		open := strings.HasPrefix(declared[m:], "{") // the host continues with a variable
		if m == 0 || m > n || m < n && !open || !strings.EqualFold(prefix, uri[:m]) {
			continue
		}
		if fitted := prefix + uri[m:]; fitted == declared || r.Template != nil && r.Template.Match(fitted) != nil {
			return fitted
		}
	}
	return uri
}

// authority finds the scheme and the host of a URI, or of a template, and the letter of a drive.
var authority = lazyregexp.New(`^[A-Za-z][A-Za-z0-9+.-]*:(?:///[A-Za-z]:|//[^/?#{]*)?`)

// slashless matches the expressions of a template that do not match a slash.
var slashless = lazyregexp.New(`\{([A-Za-z0-9_])`)

// Nearest returns the name of an item that is similar to the one that a request asks for. A template counts as similar
// if it would match with {+name} in place of {name}. Nearest returns "" if no item is similar enough.
func (o *Offer) Nearest(req mcp.Request) string {
	name, known := "", []string(nil)
	switch p := req.GetParams().(type) {
	case *mcp.CallToolParamsRaw:
		name, known = p.Name, slices.Collect(maps.Keys(o.Tools))
	case *mcp.GetPromptParams:
		name, known = p.Name, slices.Collect(maps.Keys(o.Prompts))
	case *mcp.ReadResourceParams:
		name = p.URI
		for uri, r := range o.Resources {
			if r.Template == nil {
				known = append(known, uri)
			} else if r.Template.Match(name) != nil {
				return "" // the template matches, but its goal has no solution
			} else if wide := slashless().ReplaceAllString(uri, "{+$1"); wide != uri && parseTemplate(wide).Match(name) != nil {
				return wide
			}
		}
	case *mcp.CompleteParams:
		if p.Ref == nil {
			return ""
		}
		if name, known = p.Ref.URI, slices.Collect(maps.Keys(o.Resources)); p.Ref.Type == "ref/prompt" {
			name, known = p.Ref.Name, slices.Collect(maps.Keys(o.Prompts))
		}
	}
	slices.Sort(known)
	if near := spell.Nearest(name, known); near != name {
		return near
	}
	return ""
}

// List is the listed items of one kind: the JSON of each by its key.
type List map[string]string

// Difference returns the keys of items that next adds or changes, and the keys of items that it lacks.
func (s List) Difference(next List) (added, removed []string) {
	for key, item := range next {
		if was, ok := s[key]; !ok || was != item {
			added = append(added, key)
		}
	}
	for key := range s {
		if _, ok := next[key]; !ok {
			removed = append(removed, key)
		}
	}
	slices.Sort(added)
	return added, removed
}

// put adds an item.
func (s List) put(key string, item any) {
	data, err := json.Marshal(item)
	if err != nil { // items hold schemas that were compiled, and texts
		panic(fmt.Sprintf("bridge: %q cannot be encoded: %v", key, err))
	}
	s[key] = string(data)
}

// ToolList lists the tools.
func (o *Offer) ToolList() List {
	list := List{}
	for name, t := range o.Tools {
		list.put(name, t.Listed)
	}
	if o.AnswerTool != "" {
		list.put(o.AnswerTool, calls.DescribeAnswer(o.AnswerTool))
	}
	if o.WhyTool != "" {
		list.put(o.WhyTool, why.Describe(o.WhyTool))
	}
	if o.WhatIfTool != "" {
		list.put(o.WhatIfTool, DescribeWhatIf(o.WhatIfTool))
	}
	return list
}

func (o *Offer) PromptList() List {
	list := List{}
	for name, p := range o.Prompts {
		list.put(name, p.Listed)
	}
	return list
}

func (o *Offer) ResourceLists() (plain, templates List) {
	plain, templates = List{}, List{}
	for uri, r := range o.Resources {
		if r.Template != nil {
			templates.put(uri, r.ListedTemplate())
		} else {
			plain.put(uri, r.ListedResource())
		}
	}
	for _, k := range o.Skills {
		plain.put(k.URI, k.Listed())
	}
	if o.WhyTool != "" && o.Resources[why.PageURI] == nil { // the knowledge base has no icons
		plain.put(why.PageURI, why.DescribePage())
	}
	return plain, templates
}

// Instructions describe the knowledge base with the given name: which tools it has, and how to use it well.
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
		if utf8.RuneCountInString(b.String()+line+rest+tail) > knownclients.Description {
			b.WriteString(rest)
			break
		}
		b.WriteString(strings.TrimSuffix(line, ": "))
	}
	for i, line := range o.vocabulary() {
		if i == 0 {
			line = "\n\nThe rules know, among others:" + line
		}
		if utf8.RuneCountInString(b.String()+line+tail) > knownclients.Description {
			break
		}
		b.WriteString(line)
	}
	b.WriteString(tail)
	return b.String()
}

// mostKnown bounds the tools whose inputs the vocabulary covers.
const mostKnown = 30

// toolNames are the names of the tools, in order.
func (o *Offer) toolNames() []string { return slices.Sorted(maps.Keys(o.Tools)) }

// knownLines are lines with the values that the rules know for the inputs of tools.
func (o *Offer) knownLines() []string {
	tools := o.toolNames()
	var all []kb.Known
	for _, name := range tools[:min(len(tools), mostKnown)] {
		all = append(all, o.Snapshot.Known(o.Tools[name].Tool)...)
	}
	var lines []string
	for _, k := range mergeKnown(all) {
		if len(k.Values) == 0 {
			continue
		}
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

// instructionsTail describes what the server offers beside the tools.
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

// mergeKnown merges the entries of inputs with the same values. The argument of a merged entry is the list of their
// names.
func mergeKnown(list []kb.Known) (merged []kb.Known) {
	for _, k := range list {
		at := slices.IndexFunc(merged, func(m kb.Known) bool {
			return m.More == k.More && m.Changing == k.Changing && slices.Equal(m.Values, k.Values)
		})
		switch {
		case at < 0:
			merged = append(merged, k)
		case !slices.Contains(strings.Split(merged[at].Argument, ", "), k.Argument):
			merged[at].Argument += ", " + k.Argument
		}
	}
	return merged
}
