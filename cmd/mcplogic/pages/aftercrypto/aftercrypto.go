// Package aftercrypto lets go of what initialising the packages of encoding and most of crypto has
// touched; package pages says how.
package aftercrypto

import (
	_ "math/big" // initialised behind those

	"github.com/mcplogic/mcplogic/cmd/mcplogic/pages"
)

func init() { pages.Drop() }
