package feel

import (
	"maps"
	"slices"
	"strings"
)

// This file defines the table of the functions of FEEL, with the parameters of each form.

// builtins holds the names of the parameters of each function, a list for each form. A function that library(feel)
// does not define has the value null.
var builtins = map[string][][]string{
	"not": {{"negand"}}, "number": {{"from", "grouping separator", "decimal separator"}}, "string": {{"from"}},
	"date": {{"from"}, {"year", "month", "day"}}, "time": {{"from"}, {"hour", "minute", "second", "offset"}},
	"date and time": {{"from"}, {"date", "time"}}, "duration": {{"from"}},
	"years and months duration": {{"from", "to"}},
	"substring":                 {{"string", "start position", "length"}}, "string length": {{"string"}},
	"upper case": {{"string"}}, "lower case": {{"string"}}, "substring before": {{"string", "match"}},
	"substring after": {{"string", "match"}}, "contains": {{"string", "match"}}, "starts with": {{"string", "match"}},
	"ends with": {{"string", "match"}}, "string join": {{"list", "delimiter"}},
	"list contains": {{"list", "element"}}, "count": {{"list"}}, "min": {{"list"}}, "max": {{"list"}}, "sum": {{"list"}},
	"product": {{"list"}}, "mean": {{"list"}}, "median": {{"list"}}, "all": {{"list"}}, "any": {{"list"}},
	"sublist": {{"list", "start position", "length"}}, "append": {{"list", "item"}}, "concatenate": {{"list"}},
	"insert before": {{"list", "position", "newItem"}}, "remove": {{"list", "position"}}, "reverse": {{"list"}},
	"index of": {{"list", "match"}}, "union": {{"list"}}, "distinct values": {{"list"}}, "flatten": {{"list"}},
	"decimal": {{"n", "scale"}}, "floor": {{"n", "scale"}}, "ceiling": {{"n", "scale"}}, "abs": {{"n"}},
	"round up": {{"n", "scale"}}, "round down": {{"n", "scale"}}, "round half up": {{"n", "scale"}},
	"round half down": {{"n", "scale"}}, "modulo": {{"dividend", "divisor"}}, "sqrt": {{"number"}},
	"log": {{"number"}}, "exp": {{"number"}}, "odd": {{"number"}}, "even": {{"number"}},
	"get value": {{"m", "key"}}, "get entries": {{"m"}},
	"matches": {{"input", "pattern", "flags"}}, "replace": {{"input", "pattern", "replacement", "flags"}},
	"split": {{"string", "delimiter"}}, "mode": {{"list"}}, "stddev": {{"list"}}, "sort": {{"list", "precedes"}},
	"list replace": {{"list", "position", "newItem"}, {"list", "match", "newItem"}}, "is": {{"value1", "value2"}},
	"now": {{}}, "today": {{}}, "day of year": {{"date"}}, "day of week": {{"date"}}, "month of year": {{"date"}},
	"week of year": {{"date"}}, "range": {{"from"}}, "context": {{"entries"}}, "context merge": {{"contexts"}},
	"context put": {{"context", "key", "value"}, {"context", "keys", "value"}},
	"before":      {{"point1", "point2"}, {"range1", "range2"}, {"point", "range"}, {"range", "point"}},
	"after":       {{"point1", "point2"}, {"range1", "range2"}, {"point", "range"}, {"range", "point"}},
	"meets":       {{"range1", "range2"}}, "met by": {{"range1", "range2"}}, "overlaps": {{"range1", "range2"}},
	"overlaps before": {{"range1", "range2"}}, "overlaps after": {{"range1", "range2"}},
	"finishes": {{"point", "range"}, {"range1", "range2"}}, "finished by": {{"range", "point"}, {"range1", "range2"}},
	"includes": {{"range", "point"}, {"range1", "range2"}}, "during": {{"point", "range"}, {"range1", "range2"}},
	"starts": {{"point", "range"}, {"range1", "range2"}}, "started by": {{"range", "point"}, {"range1", "range2"}},
	"coincides": {{"point1", "point2"}, {"range1", "range2"}},
}

// spacedFunctions are the functions whose names have blanks.
var spacedFunctions = slices.DeleteFunc(slices.Sorted(maps.Keys(builtins)), func(name string) bool {
	return !strings.Contains(name, " ")
})
