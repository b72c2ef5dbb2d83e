// Package hook passes the inside of package engine to package inner, which imports engine for its types.
package hook

// Inner returns the implementation of inner.Program for an engine.Program. Package engine sets it.
var Inner func(program any) any
