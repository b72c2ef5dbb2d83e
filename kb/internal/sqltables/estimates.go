package sqltables

import (
	"context"
	"math/bits"
	"regexp"
	"strconv"

	"github.com/mcplogic/mcplogic/engine/relation"
)

// This file defines what is said of questions before they are put.

var _ relation.Estimator = (*Set)(nil)

// sizeText is where the answer to a statement for a size has the number: an integer at its beginning, or the rows of a
// plan.
var sizeText = regexp.MustCompile(`^\d+|"Plan Rows": (\d+)`)

// Rows implements relation.Estimator.
func (s *Set) Rows(ctx context.Context, database, table string) (int, error) {
	db, err := s.source(database)
	if err != nil {
		return -1, err
	}
	for _, text := range db.driver.sizes(table) {
		told, err := db.driver.first(ctx, text)
		if ctx.Err() != nil {
			return -1, err
		}
		if m := sizeText.FindStringSubmatch(told); m != nil && err == nil {
			if m[1] != "" {
				m = m[1:]
			}
			return strconv.Atoi(m[0])
		}
	}
	return -1, nil
}

// Statements implements relation.Estimator. A fetch is tried with four times as many rows each time, the last time when
// the statements have cost up to four times as much as the rows.
func (s *Set) Statements(q *relation.Query, rows int) int {
	w := s.ways
	most := w.most
	if q.Total != nil {
		return most/fetchGrowth + fetchGrowth
	}
	if rows >= 0 {
		most = min(most, max(firstBlock, fetchGrowth*rows/w.statement))
	}
	return most + 1 + bits.Len(uint(most/firstBlock))/2
}
