package kb

import (
	"os"
	"strings"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/kb/internal/sqltables"
)

// This file defines the databases whose tables are predicates.

// OpenDatabases returns databases by their names. An address is postgres://USER@HOST/DATABASE or sqlite:FILE. Nothing
// is connected to before it is asked, and what is wrong with an address is an error then.
func OpenDatabases(addresses map[string]string) engine.Databases { return sqltables.Open(addresses) }

// DatabaseAddresses returns the addresses that environment variables such as MCPLOGIC_SQL_CRM give, by the names in
// lower case.
func DatabaseAddresses() map[string]string {
	found := map[string]string{}
	for _, entry := range os.Environ() {
		name, address, _ := strings.Cut(entry, "=")
		if name, ok := strings.CutPrefix(name, sqltables.Variable("")); ok && name != "" {
			found[strings.ToLower(name)] = address
		}
	}
	return found
}
