package items

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"

	"github.com/mcplogic/mcplogic/bridge/internal/sealed"
	"github.com/mcplogic/mcplogic/bridge/internal/skill"
	"github.com/mcplogic/mcplogic/bridge/internal/why"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/internal/inner"
	"github.com/mcplogic/mcplogic/internal/schema"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines makers of offers, and how they prepare the items of a snapshot.

// Settings are the settings of offers and their jobs. Each field is a field of bridge.Options.
type Settings struct {
	engine.Limits
	MaxResult int
	MaxText   int
	Solutions int
	Explain   bool
	WhatIf    bool
	// Reserved reports whether a tool outside of the knowledge base has a name. No other tool gets this name.
	Reserved func(name string) bool
	Log      *slog.Logger
}

// errReserved is the reason why a tool is left out.
var errReserved = errors.New("the server has a tool of this name that is not of the rules")

// Maker makes offers of snapshots, and the jobs that requests run. Goroutines share it.
type Maker struct {
	set   Settings
	seal  sealed.Key
	parts *sealed.Parts
	why   *why.Explainer
}

// NewMaker returns a maker. It seals cursors with a key, keeps the parts of long results, and can explain calls.
func NewMaker(seal sealed.Key, parts *sealed.Parts, explainer *why.Explainer, set *Settings) *Maker {
	return &Maker{set: *set, seal: seal, parts: parts, why: explainer}
}

// newCodec returns the conversions for the texts of a provider.
func (m *Maker) newCodec(program *engine.Program, p *kb.Provider) *schema.Codec {
	return &schema.Codec{
		Parse:     func(text string) (engine.Term, error) { return program.ParseTerm(p.Module, text) },
		Format:    func(t engine.Term) string { return program.FormatTerm(p.Module, t) },
		MaxResult: m.set.MaxResult,
		Types:     p.Types,
	}
}

// Prepare compiles the items of a snapshot, together with skills. Faulty items are left out and logged. Tools that the
// offer was has already prepared for the same program are reused.
func (m *Maker) Prepare(snapshot *kb.Snapshot, was *Offer, skills []*skill.Skill) *Offer {
	o := &Offer{Snapshot: snapshot, Tools: map[string]*Tool{}, Prompts: map[string]*Prompt{},
		Resources: map[string]*Resource{}, Events: map[string]*Event{}}
	o.vocabulary = sync.OnceValue(o.knownLines)
	o.Skills = skills
	for _, declared := range snapshot.Tools {
		if old := was.prepared(declared, snapshot); old != nil {
			o.Tools[declared.Name] = old
			continue
		}
		t, err := m.newTool(snapshot, declared)
		if m.set.Reserved(declared.Name) {
			err = errReserved
		}
		if err != nil {
			m.set.Log.Error("a tool was left out", "tool", declared.Name, "place", declared.Place.String(), "reason", err)
			continue
		}
		o.Tools[declared.Name] = t
	}
	for _, declared := range snapshot.Prompts {
		o.Prompts[declared.Name] = m.newPrompt(snapshot, declared)
	}
	for _, declared := range snapshot.Resources {
		o.Resources[declared.URI] = m.newResource(snapshot, declared)
	}
	for _, declared := range snapshot.Templates {
		t := m.newResource(snapshot, declared)
		t.Template = parseTemplate(declared.URI)
		o.Resources[declared.URI] = t
	}
	for _, declared := range snapshot.Events {
		e, err := m.newEvent(snapshot, declared)
		if err != nil {
			m.set.Log.Error("an event was left out", "event", declared.Name, "place", declared.Place.String(), "reason", err)
			continue
		}
		o.Events[declared.Name] = e
	}
	o.AnswerTool, o.WhyTool = m.chooseAnswerTool(o), m.chooseTool(o, m.set.Explain, "explain", "why")
	o.WhatIfTool = m.chooseTool(o, m.set.WhatIf, "what_if", "what_if")
	return o
}

// prepared returns a tool that is already prepared for the same program, or nil.
func (o *Offer) prepared(declared *kb.Tool, snapshot *kb.Snapshot) *Tool {
	if o == nil {
		return nil
	}
	if t := o.Tools[declared.Name]; t != nil && t.Tool == declared && t.program == snapshot.Program {
		return t
	}
	return nil
}

// addKnown adds to the schemas of inputs the values that facts of files have for them, and the bounds of numbers. If
// the values are not complete, examples of info/2 replace them.
func (t *Tool) addKnown(snapshot *kb.Snapshot) {
	for _, k := range snapshot.Known(t.Tool) {
		p := &t.in[slices.IndexFunc(t.in, func(p schema.Param) bool { return p.Name == k.Argument })]
		p.Low, p.High = k.Low, k.High
		if len(k.Values) > 0 && (len(p.Examples) == 0 || k.Closed) && !k.Changing {
			p.Closed, p.Examples = k.Closed, nil
			for _, value := range k.Values {
				raw, _ := json.Marshal(value) // a string always has JSON
				p.Examples = append(p.Examples, raw)
			}
		}
	}
}

// newTool prepares a tool. The error names a schema that cannot be used.
func (m *Maker) newTool(snapshot *kb.Snapshot, declared *kb.Tool) (*Tool, error) {
	t := &Tool{Tool: declared, program: snapshot.Program, codec: m.newCodec(snapshot.Program, declared.Provider)}
	t.inputs, t.outputs = declared.Inputs(), declared.Outputs()
	t.in, t.out = paramsOf(t.codec, t.inputs), paramsOf(t.codec, t.outputs)
	t.variables = variablesOf(t.outputs)
	if len(snapshot.Tools) <= mostKnown {
		t.addKnown(snapshot)
	}
	t.assumed = assumedParams(t, t.Assume)
	t.rows = t.out
	if inner.Of(snapshot.Program).MayBeUndefined() && len(t.out) > 0 {
		t.rows = withMember(t.out, memberUndefined, "boolean", "True if the rules make this solution neither true nor false.")
	}
	t.told = withMember(t.rows, memberPrinted, "string", "")
	var err error
	if t.input, err = t.codec.Compile(declared.InputSchema); err != nil {
		return nil, fmt.Errorf("input_schema/2: %w", err)
	}
	if t.input != nil && !t.input.IsObject() {
		return nil, fmt.Errorf("input_schema/2: a tool's input has to have type-object")
	}
	if t.output, err = t.codec.Compile(declared.OutputSchema); err != nil {
		return nil, fmt.Errorf("output_schema/2: %w", err)
	}
	t.asks = declared.Provider.Asks() && t.handled(4)
	t.custom = declared.Provider.Defines("tool_call", 3) && t.handled(3)
	t.Listed = t.describe()
	t.Listed.Meta = m.toolMeta(t)
	return t, nil
}
