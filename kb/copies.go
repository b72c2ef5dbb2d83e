package kb

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/internal/inner"
)

// This file defines how a base finds out that a database table differs from the copy that the rules hold.

// copies returns the facts of a program that are copies of tables.
func copies(p *engine.Program) []inspect.DataFile {
	return slices.DeleteFunc(inner.Of(p).DataFiles(), func(f inspect.DataFile) bool { return f.Copy == nil })
}

// every is how often the tables are compared, 0 if there are no copies.
func (b *Base) every() (least time.Duration) {
	for _, f := range copies(b.Snapshot().Program) {
		if least == 0 || f.Copy.Every < least {
			least = f.Copy.Every
		}
	}
	return least
}

// due reports whether it is time to compare the tables. It returns false during a load or another comparison.
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

// outdated reports whether a table has other rows than the copy. It asks the databases, unless it asked them less than
// rest ago. wrong has an error for each copy whose table could not be compared.
func (b *Base) outdated(ctx context.Context, rest time.Duration) (stale bool, wrong source.Diagnostics) {
	copier, ok := b.o.Databases.(relation.Copier)
	list := copies(b.Snapshot().Program)
	if !ok || len(list) == 0 || time.Since(b.looked) < rest {
		return false, nil
	}
	b.looked = time.Now()
	for _, f := range list {
		short, cancel := context.WithTimeout(ctx, compareTime)
		now, err := copier.Version(short, f.Copy)
		cancel()
		if err != nil {
			wrong = append(wrong, source.Diagnostic{Position: f.Position, Severity: source.SeverityError, Code: "facts",
				Message: fmt.Sprintf("%s is not compared with its table: %s", f.Predicate, err)})
		}
		stale = stale || err == nil && now != f.Copy.Version
	}
	return stale, wrong
}
