package sqltables

import (
	"strconv"

	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines how a snapshot remembers answers.

// The most rows of an answer that is remembered, and the most bytes of all of them, roughly.
const (
	maxRemembered      = 256
	maxRememberedBytes = 4 << 20
)

// memory has the answers of a snapshot.
type memory struct {
	answers map[string]*relation.Rows
	bytes   int
}

// find returns an answer that has been kept.
func (m *memory) find(key []byte) (rows *relation.Rows, ok bool) {
	rows, ok = m.answers[string(key)]
	return rows, ok
}

// keep keeps an answer if there is room.
func (m *memory) keep(key []byte, rows *relation.Rows) {
	const entry = 128 // beside key and rows
	size := entry + len(key) + rows.Bytes()
	if rows.Len() > maxRemembered || m.bytes+size > maxRememberedBytes {
		return
	}
	if m.answers == nil {
		m.answers = map[string]*relation.Rows{}
	}
	m.bytes += size
	m.answers[string(key)] = rows
}

// appendKey adds a query and its values to a key.
func appendKey(key []byte, text string, given []term.Term) []byte {
	key = append(key, text...)
	for _, v := range given {
		switch v := v.(type) {
		case nil:
			key = append(key, '_')
		case term.Int:
			key = strconv.AppendInt(append(key, 'i'), int64(v), 10)
		case term.Float:
			key = strconv.AppendFloat(append(key, 'f'), float64(v), 'g', -1, 64)
		case term.Atom:
			key = append(strconv.AppendInt(append(key, 'a'), int64(len(v)), 10), v...)
		case term.String:
			key = append(strconv.AppendInt(append(key, 's'), int64(len(v)), 10), v...)
		case *term.Big:
			key = append(append(key, 'b'), v.Int().String()...)
		}
		key = append(key, ' ')
	}
	return key
}
