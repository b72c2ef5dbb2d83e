//go:build nosqlite

package sqltables

import "errors"

// openSQLite says that this build knows nothing of SQLite.
func openSQLite(string, string) (driver, error) {
	return nil, errors.New("this build of mcplogic is without SQLite")
}
