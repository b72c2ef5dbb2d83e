// Package packs holds the texts of libraries that rules seldom need: those that other Prologs have for whole programs,
// such as library(main) or library(prolog_xref). They are read when a program names them or calls one of their
// predicates. The libraries in engine/internal/lib stand without them.
package packs

import "embed"

// Files has the text of library(NAME) as NAME.pl, and clauses of other modules that belong to it as NAME/hooks.pl.
//
//go:embed *.pl */*.pl */*/hooks.pl
var Files embed.FS
