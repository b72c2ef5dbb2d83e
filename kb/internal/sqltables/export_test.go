package sqltables

import "math"

// Ways are the bounds of ways.
type Ways = ways

// Ways of queries.
var (
	UsualWays   = usualWays
	FetchSoon   = ways{statement: 1, most: 1, rows: 1 << 22, bytes: 256 << 20, scanned: 1 << 14}
	BlocksAlone = ways{most: math.MaxInt, block: 4}
	OneByOne    = ways{most: math.MaxInt}
)

// Untrusted are the usual ways, but each call checks the columns.
func Untrusted() Ways {
	w := usualWays
	w.trusted = 1
	return w
}

// SetWays sets how queries of later snapshots are put.
func (s *Set) SetWays(w Ways) { s.ways = w }

// Recursive are the usual ways, but the database computes recursions even for small tables.
var Recursive = func() Ways {
	w := usualWays
	w.recursive, w.trusted = 1, 1
	return w
}()

// Unlimited are the ways of Recursive for tables that cannot be fetched.
var Unlimited = func() Ways {
	w := Recursive
	w.rows = 299
	return w
}()
