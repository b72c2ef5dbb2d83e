package kb

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/tools/deep"
)

// This file checks that a base that is kept loaded follows the tables that it has copies of.

func TestCopiesAreRefreshed(t *testing.T) {
	if !slices.Contains(sql.Drivers(), "sqlite") {
		deep.Missing(t, "copies of tables", "go run ./tools/testall -tags=sqlite tests them")
	}
	dir := t.TempDir()
	file, rules := filepath.Join(dir, "shop.db"), filepath.Join(dir, "shop.pl")
	db, err := sql.Open("sqlite", file)
	require.NoError(t, err)
	defer db.Close()
	do := func(text string) {
		_, err := db.Exec(text)
		require.NoError(t, err)
	}
	do("create table items(name text, price integer); insert into items values ('pear', 2)")
	write := func(text string) { require.NoError(t, os.WriteFile(rules, []byte(text), 0o644)) }
	const facts = ":- facts(item/2, sql(shop, items, [name, price]), [copy(true), refresh(1)]).\n"
	write(facts + "cheap(X) :- item(X, P), P < 4.\n")
	databases := OpenDatabases(map[string]Database{"shop": {Address: "sqlite:" + file}})
	b, err := Open(t.Context(), []string{rules}, &Options{Databases: databases})
	require.NoError(t, err)
	cheap := func() (list string) {
		for s, err := range b.Snapshot().Program.Query(t.Context(), "cheap(X)", nil) {
			require.NoError(t, err)
			list += engine.FormatTerm(s.Get("X")) + " "
		}
		return list
	}
	before := b.Snapshot().Rules.Digest
	_, changed := b.ReloadChanged(t.Context())
	require.False(t, changed)

	// A change of the rows changes the version of the rules.
	do("insert into items values ('plum', 3)")
	require.Equal(t, "pear ", cheap())
	change, changed := b.ReloadChanged(t.Context())
	require.True(t, changed)
	require.NoError(t, change.Err)
	require.Equal(t, "pear plum ", cheap())
	require.NotEqual(t, before, b.Snapshot().Rules.Digest)

	// The watch finds changed rows by itself.
	ctx, stop := context.WithCancel(t.Context())
	changes := make(chan Change, 9)
	done := make(chan struct{})
	go func() {
		defer close(done)
		b.Watch(ctx, func(c Change) { changes <- c })
	}()
	do("update items set price = 9 where name = 'pear'")
	require.NoError(t, (<-changes).Err)
	require.Equal(t, "plum ", cheap())

	// A missing table is reported once, and the copy stays.
	do("alter table items rename to goods")
	require.ErrorContains(t, (<-changes).Err, "there is no table items")
	require.Equal(t, "plum ", cheap())
	do("update goods set price = 1")
	do("alter table goods rename to items")
	require.NoError(t, (<-changes).Err)
	require.Equal(t, "pear plum ", cheap())
	stop()
	<-done
	require.Empty(t, changes)

	// A database that does not answer leaves the copy as it is when the rules change.
	databases.(interface{ Close() }).Close()
	db.Close()
	require.NoError(t, os.Rename(file, file+".away"))
	write(facts + "cheap(X) :- item(X, P), P < 5, X \\== pear.\n")
	change = b.Reload(t.Context())
	require.NoError(t, change.Err)
	require.Contains(t, change.Diagnostics.Error(), "there is no file")
	require.Equal(t, "plum ", cheap())
	_, changed = b.ReloadChanged(t.Context())
	require.True(t, changed)
}

// TestNoCopy asks the table in each call where the database did not answer the load.
func TestNoCopy(t *testing.T) {
	dir := writeRules(t, map[string]string{"t.pl": ":- facts(item/1, sql(shop, items, [name]), [copy(true)]).\n"})
	s, err := Load(t.Context(), []string{dir},
		&Options{Databases: OpenDatabases(map[string]Database{"shop": {Address: "postgres://127.0.0.1:1/x"}})})
	require.NoError(t, err)
	require.Len(t, s.Diagnostics, 2)
	require.Equal(t, "item/1 is not copied, so each call asks the table", s.Diagnostics[1].Message)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	_, err = s.Program.Once(ctx, "item(_)", nil)
	require.ErrorContains(t, err, "the server cannot be reached")
}
