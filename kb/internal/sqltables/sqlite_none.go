//go:build !sqlite

package sqltables

import "errors"

// openSQLite says that this build knows nothing of SQLite.
func openSQLite(string, string) (driver, error) {
	return nil, errors.New("this mcplogic is without SQLite; releases have it, and so has a build with -tags sqlite")
}
