//go:build unix

package main

import (
	"net"
	"net/url"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/wiretest"
)

// TestReloadWithoutFiles saves a file while clients have all connections that a server with few files takes.
func TestReloadWithoutFiles(t *testing.T) {
	dir, save := folder(t, versionFile(1))
	server := exec.Command("sh", "-c", "ulimit -n 64; exec mcplogic serve --http 0 "+dir)
	stderr := &lockedBuffer{}
	server.Stderr = stderr
	require.NoError(t, server.Start())
	defer func() {
		require.NoError(t, server.Process.Kill())
		require.Error(t, server.Wait())
	}()
	says := func(text string) {
		t.Helper()
		require.Eventually(t, func() bool { return strings.Contains(stderr.String(), text) }, wiretest.Patience,
			10*time.Millisecond, "%s", stderr)
	}
	says("Serving")
	at, err := url.Parse(servedAt.FindStringSubmatch(stderr.String())[1])
	require.NoError(t, err)
	for range 100 {
		c, err := net.Dial("tcp", at.Host)
		require.NoError(t, err)
		defer c.Close()
	}
	save(versionFile(2))
	says("mcplogic: reloaded")
}
