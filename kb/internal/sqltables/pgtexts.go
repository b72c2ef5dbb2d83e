package sqltables

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"time"

	"github.com/mcplogic/mcplogic/engine/relation"
)

// This file defines PostgreSQL behind a handle. Drivers return values in different ways, so all values other than
// numbers, booleans and texts are selected as the texts that the server sends.

// pgTexts is a database of PostgreSQL behind a handle.
type pgTexts struct{ *postgres }

func (p pgTexts) isSingle() bool { return true }

func (p pgTexts) isLost(err error) bool { return isLost(err) }

// opening sets what a connection to an address has from the beginning.
func (p pgTexts) opening(left time.Duration) string {
	return opening(left) + "; set local timezone = 'UTC'; set local datestyle = 'ISO'; set local extra_float_digits = 3"
}

// selected uses the function format, as a cast writes some types differently from what the server sends.
func (p pgTexts) selected(c *column, text string) string {
	if c.isBinary() || c.kind == kindText {
		return text
	}
	return "case when " + text + " is not null then format('%s', " + text + ") end"
}

func (p pgTexts) catalogue(ctx context.Context, conn *sql.Conn, table string) (list []tableColumn, err error) {
	rows, err := conn.QueryContext(ctx, catalogue, quotedName(table))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var c tableColumn
		var element uint32
		var deterministic string
		if err := rows.Scan(&c.name, &c.oid, &element, &c.notNull, &deterministic, &c.modifier,
			&c.collated, &c.indexed); err != nil {
			return nil, err
		}
		c.loose = deterministic != "true"
		list = append(list, c.of(element))
	}
	return list, rows.Err()
}

func (p pgTexts) add(st *statement, rows *relation.Rows, values []any) *errValue {
	texts := make([][]byte, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case nil:
		case string:
			texts[i] = []byte(v)
		case []byte:
			texts[i] = v
		case bool:
			texts[i] = strconv.AppendBool(nil, v)[:1]
		case float64:
			texts[i] = strconv.AppendFloat(nil, v, 'g', -1, 64)
		default:
			texts[i] = fmt.Append(nil, v)
		}
	}
	return st.addRow(rows, texts, false)
}
