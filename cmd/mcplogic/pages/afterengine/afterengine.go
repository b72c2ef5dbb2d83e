// Package afterengine lets go of what initialising the engine has touched; package pages says how.
package afterengine

import (
	"github.com/mcplogic/mcplogic/cmd/mcplogic/pages"
	_ "github.com/mcplogic/mcplogic/kb" // initialised behind it
)

func init() { pages.Drop() }
