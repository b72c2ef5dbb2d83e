package lib

import (
	"strings"
	"sync"
)

// OperatorLibrary returns the name of the library that exports an operator, "" if none does.
func OperatorLibrary(operator string) string { return operators()[operator] }

var operators = sync.OnceValue(func() map[string]string {
	index := make(map[string]string)
	for _, name := range names() {
		text, _ := Source(name)
		_, header, _ := strings.Cut(text, "\n:- module(")
		header, _, _ = strings.Cut(header, "\n]).")
		for line := range strings.Lines(header) {
			// op(Priority, Type, Name), on a line of its own
			args, found := strings.CutPrefix(strings.TrimSpace(line), "op(")
			parts := strings.SplitN(strings.TrimRight(args, "),\n"), ", ", 3)
			if found && len(parts) == 3 {
				index[strings.Clone(strings.Trim(parts[2], "()'"))] = name
			}
		}
	}
	return index
})
