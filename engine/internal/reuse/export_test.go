package reuse

// SetLimit sets what the cache may take, see maxCached.
func (c *Cache) SetLimit(n int) { c.limit = n }
