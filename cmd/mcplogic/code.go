package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// This file defines mcplogic query --code.

// printCode prints the code of a predicate, as it is linked. No goal is run, though loading may run
// directives. The exit code is 1 if there is no such predicate.
func (q *query) printCode(cmd *cobra.Command, paths []string) error {
	module, name, arity, err := parseIndicator(q.code)
	if err != nil {
		return err
	}
	program, err := q.load(cmd, paths)
	if err != nil {
		return err
	}
	listing, ok := program.Code(module, name, arity)
	if !ok {
		fmt.Fprintf(q.stderr, "mcplogic: there is no predicate %s\n", q.code)
		return exit(exitNo)
	}
	fmt.Fprint(q.stdout, listing)
	return nil
}

// parseIndicator reads NAME/ARITY or MODULE:NAME/ARITY. The module is user when there is none. Names stand
// as they are, without quotes: the name of (:-)/2 is written :-/2. So a colon at the beginning, or before
// the slash, is part of the name.
func parseIndicator(text string) (module, name string, arity int, err error) {
	module, name = "user", text
	if before, after, ok := strings.Cut(text, ":"); ok && before != "" && !strings.HasPrefix(after, "/") {
		module, name = before, after
	}
	slash := strings.LastIndexByte(name, '/')
	if slash < 1 {
		return "", "", 0, fmt.Errorf("got --code %s, want NAME/ARITY", text)
	}
	arity, err = strconv.Atoi(name[slash+1:])
	if err != nil || arity < 0 {
		return "", "", 0, fmt.Errorf("got --code %s, want NAME/ARITY", text)
	}
	return module, name[:slash], arity, nil
}
