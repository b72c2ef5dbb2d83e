package lib

import (
	_ "embed"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// This file defines what is said about libraries and predicates of SWI-Prolog's manual that are left out on purpose.
// leftout.txt has the decisions in two parts: why, and in lines behind it what is left out.

//go:embed leftout.txt
var decisions string

// Decision is a reason for leaving out some libraries or predicates. It says what to use instead.
type Decision struct {
	// Names has libraries or predicates. A folder of libraries ends with /, a predicate is name/arity.
	Names  []string
	Reason string
}

// Decisions returns those about libraries and those about predicates, for the manual.
func Decisions() (libraries, predicates []Decision) { return decided() }

var decided = sync.OnceValues(func() (libraries, predicates []Decision) {
	first, second, _ := strings.Cut(decisions, "\n\nPredicates")
	return decisionsOf(first), decisionsOf(second)
})

// decisionsOf reads the decisions of a part.
func decisionsOf(part string) (list []Decision) {
	for _, one := range strings.Split(part, "\n\n")[1:] {
		reason, what, _ := strings.Cut(strings.TrimSpace(one), "\n")
		list = append(list, Decision{strings.Fields(what), reason})
	}
	return list
}

// Absent returns why there is no library of that name, "" if nothing was decided about it. The first decision counts.
func Absent(name string) string {
	libraries, _ := Decisions()
	for _, d := range libraries {
		for _, known := range d.Names {
			if known == name || strings.HasSuffix(known, "/") && strings.HasPrefix(name, known) {
				return d.Reason
			}
		}
	}
	return ""
}

// leftOut maps names of predicates to reasons.
var leftOut = sync.OnceValue(func() map[string]string {
	reasons := map[string]string{}
	_, predicates := Decisions()
	for _, d := range predicates {
		for _, name := range d.Names {
			reasons[name] = d.Reason
		}
	}
	return reasons
})

// LeftOut returns why there is no predicate of that name, "" if nothing was decided about it. A hook of a module is
// named with it, as in prolog:help_hook.
func LeftOut(name string, arity int) string { return leftOut()[name+"/"+strconv.Itoa(arity)] }

// AllLeftOut returns the predicates that were decided against, sorted.
func AllLeftOut() []string { return slices.Sorted(maps.Keys(leftOut())) }
