//go:build sqlite

package kb

import (
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"
)

func init() {
	makeBank = func(t *testing.T, file string) {
		db, err := sql.Open("sqlite", file)
		require.NoError(t, err)
		_, err = db.Exec("create table account (id integer, owner text); insert into account values (1, 'secret')")
		require.NoError(t, err)
		require.NoError(t, db.Close())
	}
}
