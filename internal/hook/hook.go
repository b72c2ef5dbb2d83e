// Package hook passes what is no part of the API between packages that are: the inside of package engine to package
// inner, which imports engine for its types, and the tracer of package debug to engine.
package hook

// Inner returns the implementation of inner.Program for an engine.Program. Package engine sets it.
var Inner func(program any) any

// Tracer returns what traces a run of a program for a debugger. Package debug sets it.
var Tracer func(debugger, program any) any
