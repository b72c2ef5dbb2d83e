package main

import (
	"flag"
	"path/filepath"
	"testing"
	_ "time/tzdata" // for scripts that set TZ

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"mcplogic": main})
}

// update makes the scripts compare with what they get: go test ./cmd/mcplogic -run TestScripts -update.
var update = flag.Bool("update", false, "write what scripts get into what they compare with")

// TestScripts runs the command in each script of testdata/script. $EXAMPLES is the folder of
// the examples.
func TestScripts(t *testing.T) {
	examples, err := filepath.Abs("../../examples")
	require.NoError(t, err)
	testscript.Run(t, testscript.Params{
		Dir:                 "../../testdata/script",
		RequireExplicitExec: true,
		UpdateScripts:       *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("EXAMPLES", examples)
			return nil
		},
	})
}
