//go:build sqlite

package sqltables

import _ "modernc.org/sqlite" // the driver for addresses
