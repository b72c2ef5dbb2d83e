// Package formats has the formats that a text in a form may have in MCP.
package formats

import (
	"maps"
	"net/mail"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Format is what a format wants, for messages, and whether a text is of it.
type Format struct {
	Want string
	Fits func(text string) bool
}

// Known has the formats by name.
var Known = map[string]Format{
	"email": {"an email address", func(text string) bool {
		a, err := mail.ParseAddress(text)
		return err == nil && a.Address == text
	}},
	"uri": {"a URI", func(text string) bool {
		u, err := url.Parse(text)
		return err == nil && u.IsAbs()
	}},
	"date":      {"a date such as 2026-01-31", isTime(time.DateOnly)},
	"date-time": {"a date and time such as 2026-01-31T12:00:00Z", isTime(time.RFC3339)},
}

// Names lists the names, sorted.
func Names() string { return strings.Join(slices.Sorted(maps.Keys(Known)), ", ") }

func isTime(layout string) func(text string) bool {
	return func(text string) bool {
		_, err := time.Parse(layout, text)
		return err == nil
	}
}
