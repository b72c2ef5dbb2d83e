package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Versions of an entry in the registry are exact ones.
func TestRegistryVersion(t *testing.T) {
	r := &registryFlags{file: "server.json"}
	for _, good := range []string{"1.2.3", "0.1.0", "1.0.0-beta.2+x5", "2026.07.28", "v1", "1.0.0-xylon"} {
		require.NoError(t, r.checkVersion(good), good)
	}
	for _, bad := range []string{"", "latest", "^1.2.3", "~1", ">=1.0", "1.x", "1.*", "1.0 - 2.0", "1 || 2", " 1.0"} {
		require.Error(t, r.checkVersion(bad), bad)
	}
	require.NoError(t, (&registryFlags{}).checkVersion("^1"), "there is no entry")
}
