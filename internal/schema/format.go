package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/internal/formats"
)

// This file defines the schemas of forms, and whether what is filled in fits.

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
		if f, known := formats.Known[property.Format]; known && !f.Fits(text) {
			found.at.enterName(m.name)
			found.mismatch(f.Want, text)
			found.at.leave()
		}
	}
	return found.err()
}

// Form is the schema of a form for a value of the type: that of the type itself where whole is set, else that of an
// object whose member of the name has the value.
func (t *Type) Form(name string) (raw json.RawMessage, whole bool) {
	if t.rule.json == "object" {
		return t.Schema(), true
	}
	form := Params{{Name: name, Type: t}}
	if p := &form[0]; laxPatterns[lax(t.exact.Name)] != "" { // forms do not have this format
		p.Description, p.Type = strings.ToUpper(t.want()[:1])+t.want()[1:]+".", &Type{rule: typeRules["string/0"]}
	}
	return form.Schema(), false
}

// Lacks names a required top-level property of an object that has neither a value nor a default, or returns "". The
// property may be required by the schema or by the caller.
func (s *Schema) Lacks(raw json.RawMessage, besides []string) string {
	value, _ := parseJSON(s.WithDefaults(raw))
	o, _ := value.(Object)
	for _, name := range slices.Concat(s.root.Required, besides) {
		if given, _ := o.Get(name); given == nil {
			return name
		}
	}
	return ""
}

// AsTexts is the schema of a form that asks for texts where s wants something else, but for true or false.
// [Schema.Unquote] undoes that.
func (s *Schema) AsTexts() json.RawMessage {
	value, _ := parseJSON(s.raw) // it was parsed before
	form := value.(Object)
	given, _ := form.Get("properties")
	properties, _ := given.(Object)
	for i, m := range properties {
		if property, ok := m.value.(Object); ok {
			properties[i].value = asText(property)
		}
	}
	return form.JSON()
}

// asText is a property of a form as a text.
func asText(property Object) Object {
	typ, _ := property.Get("type")
	want := "Write the value as JSON."
	switch typ {
	case "string", "boolean":
		return property
	case "integer", "number":
		want = "Write " + withArticle(typ.(string)) + "."
	}
	as := Object{{"type", "string"}}
	for _, m := range property {
		switch m.name {
		case "title":
			as = append(as, m)
		case "description":
			want = fmt.Sprint(m.value, " ", want)
		case "default":
			raw, _ := marshalJSON(m.value) // it came from JSON
			as = append(as, member{"default", string(raw)})
		}
	}
	return append(as, member{"description", want})
}

// IsFlat reports whether the properties at the top are texts, numbers and truth values, which all clients with forms
// show.
func (s *Schema) IsFlat() bool {
	for _, property := range s.root.Properties {
		if !slices.Contains([]string{"string", "boolean", "integer", "number"}, property.Type) {
			return false
		}
	}
	return true
}
