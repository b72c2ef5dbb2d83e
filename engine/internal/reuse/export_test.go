package reuse

import "github.com/mcplogic/mcplogic/engine/internal/flow"

// SetLimit sets the limit of the cache, see maxCached.
func (c *Cache) SetLimit(n int) { c.limit = n }

// Inferred returns the inferred values of arguments of the last program.
func (c *Cache) Inferred() *flow.Memory { return &c.inferred }
