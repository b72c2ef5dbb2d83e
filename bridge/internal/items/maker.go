package items

import (
	"log/slog"
	"sync"
	"time"

	"github.com/mcplogic/mcplogic/bridge/internal/sealed"
	"github.com/mcplogic/mcplogic/bridge/internal/skill"
	"github.com/mcplogic/mcplogic/bridge/internal/why"
	"github.com/mcplogic/mcplogic/bridge/schema"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines who makes offers.

// Settings are those of offers and their jobs. Each field is that of bridge.Options.
type Settings struct {
	Time      time.Duration
	Memory    int
	MaxResult int
	MaxText   int
	Solutions int
	Explain   bool
	Log       *slog.Logger
}

// Maker makes offers of snapshots, and the jobs that requests run. Goroutines share it.
type Maker struct {
	set   Settings
	seal  sealed.Key
	parts *sealed.Parts
	why   *why.Explainer
}

// NewMaker returns a maker. Cursors are sealed with a key and parts of results are kept; calls are explained.
func NewMaker(seal sealed.Key, parts *sealed.Parts, explainer *why.Explainer, set *Settings) *Maker {
	return &Maker{set: *set, seal: seal, parts: parts, why: explainer}
}

// Prepare compiles what a snapshot offers, together with skills. What cannot be is left out and logged. Tools that was
// has prepared already for the same program stay.
func (m *Maker) Prepare(snapshot *kb.Snapshot, was *Offer, skills []*skill.Skill) *Offer {
	o := &Offer{Snapshot: snapshot, Tools: map[string]*Tool{}, Prompts: map[string]*Prompt{},
		Resources: map[string]*Resource{}}
	o.vocabulary = sync.OnceValue(o.knownLines)
	o.Skills = skills
	for _, declared := range snapshot.Tools {
		if old := was.prepared(declared, snapshot); old != nil {
			o.Tools[declared.Name] = old
			continue
		}
		t, err := m.newTool(snapshot, declared)
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
	o.AnswerTool, o.WhyTool = o.chooseAnswerTool(), m.chooseWhyTool(o)
	return o
}

// prepared returns a tool that is prepared already for the same program, or nil.
func (o *Offer) prepared(declared *kb.Tool, snapshot *kb.Snapshot) *Tool {
	if o == nil {
		return nil
	}
	if t := o.Tools[declared.Name]; t != nil && t.Tool == declared && t.program == snapshot.Program {
		return t
	}
	return nil
}

// newCodec returns the conversions for the texts of a provider.
func (m *Maker) newCodec(program *engine.Program, p *kb.Provider) *schema.Codec {
	return &schema.Codec{
		Parse:     func(text string) (engine.Term, error) { return program.ParseTerm(p.Module, text) },
		Format:    func(t engine.Term) string { return program.FormatTerm(p.Module, t) },
		MaxResult: m.set.MaxResult,
	}
}
