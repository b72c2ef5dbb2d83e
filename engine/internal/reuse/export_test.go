package reuse

import "github.com/mcplogic/mcplogic/engine/internal/flow"

// SetLimit sets what the cache may take, see maxCached.
func (c *Cache) SetLimit(n int) { c.limit = n }

// Inferred returns what is known of the values of arguments in the last program.
func (c *Cache) Inferred() *flow.Memory { return &c.inferred }
