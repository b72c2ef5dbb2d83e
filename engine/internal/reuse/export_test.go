package reuse

import "github.com/mcplogic/mcplogic/engine/internal/flow"

// Inferred returns what is known of the values of arguments in the last program.
func (c *Cache) Inferred() *flow.Memory { return &c.inferred }
