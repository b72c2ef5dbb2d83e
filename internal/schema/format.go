package schema

import (
	"encoding/json"
	"net/mail"
	"net/url"
	"time"
)

// This file defines the formats of strings that forms may ask for.

// formats has what a format wants and whether a text is of it.
var formats = map[string]struct {
	want string
	fits func(text string) bool
}{
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

func isTime(layout string) func(text string) bool {
	return func(text string) bool {
		_, err := time.Parse(layout, text)
		return err == nil
	}
}

// ValidateForm is Validate, and looks at the formats of the properties at the top, too. JSON Schema has formats for
// notes, but who fills in a form is to keep to them.
func (s *Schema) ValidateForm(raw json.RawMessage) error {
	value, err := parseJSON(raw)
	if err != nil {
		return err
	}
	if err := s.validate(value); err != nil {
		return err
	}
	var found survey
	for _, m := range value.(Object) { // the schema is of type object
		property := s.root.Properties[m.name]
		text, isText := m.value.(string)
		if property == nil || !isText {
			continue
		}
		if f, known := formats[property.Format]; known && !f.fits(text) {
			found.at.enterName(m.name)
			found.mismatch(f.want, text)
			found.at.leave()
		}
	}
	return found.err()
}
