package sqltables

import (
	"cmp"
	"context"
	"math/bits"
	"regexp"
	"strconv"
	"time"

	"github.com/mcplogic/mcplogic/engine/relation"
)

// This file estimates the cost of questions before they are put.

var _ relation.Estimator = (*Set)(nil)

// sizeText finds the number of rows in the answer to a statement for a size: an integer at its beginning, or the rows
// of a query plan.
var sizeText = regexp.MustCompile(`^\d+|"Plan Rows": (\d+)`)

// Rows implements relation.Estimator.
func (s *Set) Rows(ctx context.Context, database, table string) (int, error) {
	db, err := s.source(database)
	if err != nil {
		return -1, err
	}
	return db.size(ctx, nil, table)
}

// sized is the size of a table at some time.
type sized struct {
	rows int
	at   time.Time
}

// size is an estimate of the rows of a table, or -1 if the database has no estimate. An estimate is asked for again
// after a minute.
func (s *source) size(ctx context.Context, open session, table string) (int, error) {
	const fresh = time.Minute
	s.mu.Lock()
	known, ok := s.sizes[table]
	s.mu.Unlock()
	if ok && time.Since(known.at) < fresh {
		return known.rows, nil
	}
	known = sized{-1, time.Now()}
	for _, text := range s.driver.sizes(table) {
		relation.Count(ctx)
		told, err := s.driver.first(ctx, open, text)
		if ctx.Err() != nil {
			return -1, err
		}
		if m := sizeText.FindStringSubmatch(told); m != nil && err == nil {
			known.rows, _ = strconv.Atoi(cmp.Or(m[1], m[0]))
			break
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	keep(s.sizes, table, known)
	return known.rows, nil
}

// Statements implements relation.Estimator. Each attempt to fetch a table allows four times as many rows as the one
// before.
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
