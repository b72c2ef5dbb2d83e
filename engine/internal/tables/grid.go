package tables

import (
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/mcplogic/mcplogic/engine/internal/records"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
)

// This file defines the grids of CSV and TSV files.

// errEnd is the end of a grid.
var errEnd = io.EOF

// CSV returns the rows of a CSV or TSV text as a function for Options.Next.
func CSV(r io.Reader, format records.Format, separator rune) func() (GridRow, error) {
	texts := records.NewTexts(r, format, separator)
	return func() (GridRow, error) {
		fields, places, err := texts.Next()
		var wrong *records.Mistake
		var end *records.End
		switch {
		case errors.As(err, &end):
			return GridRow{}, &Mistake{At: Place{Place: end.Place}, Message: end.Message}
		case errors.As(err, &wrong):
			return GridRow{}, &Mistake{At: Place{Place: wrong.Place}, Message: wrong.Message}
		case err != nil:
			return GridRow{}, err
		}
		row := GridRow{Texts: fields}
		for i, place := range places {
			row.Places = append(row.Places, Place{cellName(place.Line-1, i), place})
		}
		return row, nil
	}
}

// Characters converts a place in a line. The column of at counts bytes, and that of the result characters.
func Characters(at Place, line string) syntax.Place {
	if n := at.Column - 1; n > 0 && n <= len(line) {
		at.Column = utf8.RuneCountInString(strings.ToValidUTF8(line[:n], "?")) + 1
	}
	return at.Place
}
