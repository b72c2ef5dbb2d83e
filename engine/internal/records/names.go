package records

import (
	"encoding/json"
	"io"
)

// This file finds the names of columns before the rows are read.

// ColumnNames returns the names of the columns of a text with a header, or of the members of the first object in
// JSON, nil if they are not known. The reader of the rows reports mistakes in them.
func ColumnNames(r io.Reader, o *Options) (names []string) {
	if !o.Format.IsJSON() {
		names, _, _ = NewTexts(r, o.Format, o.Separator).Next()
		return names
	}
	text, inObject := json.NewDecoder(r), false
	for {
		t, err := text.Token()
		name, isName := t.(string)
		inObject = inObject || t == json.Delim('{')
		switch {
		case err != nil, t == json.Delim('}'):
			return names
		case isName && inObject:
			if names = append(names, name); text.Decode(new(json.RawMessage)) != nil {
				return nil
			}
		case t != json.Delim('[') && t != json.Delim('{'):
			return nil
		}
	}
}
