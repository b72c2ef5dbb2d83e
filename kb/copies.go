package kb

import (
	"context"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/internal/inner"
)

// This file defines how a base finds out that tables of databases have other rows than the copies that rules have.

// copies returns the tables that a program has copies of.
func copies(p *engine.Program) (list []*relation.Copy) {
	for _, f := range inner.Of(p).DataFiles() {
		if f.Copy != nil {
			list = append(list, f.Copy)
		}
	}
	return list
}

// every is how often the tables are compared, 0 if there are no copies.
func (b *Base) every() (least time.Duration) {
	for _, c := range copies(b.Snapshot().Program) {
		if least == 0 || c.Every < least {
			least = c.Every
		}
	}
	return least
}

// due reports whether it is time to compare the tables. It returns false while that or a load is under way.
func (b *Base) due() bool {
	if !b.loading.TryLock() {
		return false
	}
	defer b.loading.Unlock()
	every := b.every()
	return every > 0 && time.Since(b.looked) >= every
}

// compareTime is how long a database may take to say whether a table has changed.
const compareTime = 30 * time.Second

// outdated reports whether a table has other rows than the copy. It asks the databases, unless it
// has asked them less than rest ago.
func (b *Base) outdated(ctx context.Context, rest time.Duration) (bool, error) {
	copier, ok := b.o.Databases.(relation.Copier)
	list := copies(b.Snapshot().Program)
	if !ok || len(list) == 0 || time.Since(b.looked) < rest {
		return false, nil
	}
	b.looked = time.Now()
	ctx, cancel := context.WithTimeout(ctx, compareTime)
	defer cancel()
	for _, c := range list {
		if now, err := copier.Version(ctx, c); err != nil || now != c.Version {
			return err == nil, err
		}
	}
	return false, nil
}
