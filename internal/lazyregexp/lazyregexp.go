// Package lazyregexp compiles regular expressions when they are used first, so that a program starts without compiling
// any.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that compiles a pattern at its first call. It panics then if the pattern is wrong. Any
// goroutine may call it.
func New(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
