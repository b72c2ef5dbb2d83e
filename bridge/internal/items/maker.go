package items

import (
	"log/slog"
	"time"

	"github.com/mcplogic/mcplogic/bridge/internal/sealed"
	"github.com/mcplogic/mcplogic/bridge/internal/why"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/internal/schema"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines who makes offers.

// Settings are the settings of offers and their jobs. Each field is a field of bridge.Options.
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

// newCodec returns the conversions for the texts of a provider.
func (m *Maker) newCodec(program *engine.Program, p *kb.Provider) *schema.Codec {
	return &schema.Codec{
		Parse:     func(text string) (engine.Term, error) { return program.ParseTerm(p.Module, text) },
		Format:    func(t engine.Term) string { return program.FormatTerm(p.Module, t) },
		MaxResult: m.set.MaxResult,
	}
}
