package datalog

// This file defines how rows get small numbers if columns have few different constants: the constants of each column
// are numbered in the order of their occurrence.

// ranks numbers the constants of columns.
type ranks struct {
	columns [][]uint32 // by column and constant: its rank plus one, or 0
	used    []int      // by column: how many constants have a rank
	room    []int      // by column: the largest number of ranks
}

// newRanks numbers the constants of the rows of a relation. It returns nil if a bit for each possible row would take
// much more memory than the rows.
func newRanks(r *Relation) *ranks {
	k := &ranks{columns: make([][]uint32, r.Arity), used: make([]int, r.Arity), room: make([]int, r.Arity)}
	size := 1
	for c := range k.columns {
		k.columns[c] = make([]uint32, r.domain)
		for at := c; at < len(r.rows); at += r.Arity {
			k.rank(c, r.rows[at])
		}
		k.room[c] = k.used[c] + k.used[c]/8 + 1
		if size *= k.room[c]; size > 64*r.n || size > maxBits {
			return nil
		}
	}
	return k
}

// size returns the number of numbered rows.
func (k *ranks) size() int {
	size := 1
	for _, room := range k.room {
		size *= room
	}
	return size
}

// rank returns the rank of a constant in a column, and assigns one if needed.
func (k *ranks) rank(column int, v uint32) int {
	rank := &k.columns[column][v]
	if *rank == 0 {
		k.used[column]++
		*rank = uint32(k.used[column])
	}
	return int(*rank) - 1
}

// number returns the number of a row. It returns -1 if a constant has no rank, unless add is true and there is room.
func (k *ranks) number(row []uint32, add bool) int {
	at := 0
	for c, v := range row {
		rank := int(k.columns[c][v]) - 1
		if rank < 0 {
			if !add || k.used[c] == k.room[c] {
				return -1
			}
			rank = k.rank(c, v)
		}
		at = at*k.room[c] + rank
	}
	return at
}

// bytes returns the size of the ranks.
func (k *ranks) bytes() int {
	if k == nil || len(k.columns) == 0 {
		return 0
	}
	return 4 * len(k.columns) * len(k.columns[0])
}
