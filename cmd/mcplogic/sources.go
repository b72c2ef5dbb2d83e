package main

import (
	"context"
	"errors"
	"io"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/kb"
)

var errNoReference = errors.New("--reference is not there")

func readSources(paths []string) ([]engine.Source, engine.Diagnostics) { return kb.Sources(paths) }

func (q *query) askReference(ctx context.Context, paths []string, goal string) error {
	return errNoReference
}

func (q *query) reply(ctx context.Context, sources []engine.Source, goal string, limit int, output io.Writer, each func(map[string]string) bool) result {
	return result{}
}
