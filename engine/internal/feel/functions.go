package feel

// This file defines the table of the functions of FEEL: their parameters, in each form that they have.

// builtins has for each function the names of its parameters. A function that is not in library(feel) is null.
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
}

// spacedFunctions are the functions whose names have blanks.
var spacedFunctions = []string{"date and time",
	"years and months duration", "string length", "upper case", "lower case",
	"substring before", "substring after", "starts with", "ends with", "string join", "list contains", "insert before",
	"index of", "distinct values", "round up", "round down", "round half up", "round half down", "get value",
	"get entries"}
