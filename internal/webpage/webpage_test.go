package webpage

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPage has one file that refers to no other.
func TestPage(t *testing.T) {
	require.False(t, strings.Contains(Page, "/* desk.js */"))
	require.True(t, strings.Contains(Page, strings.TrimSpace(deskText)))
	for _, reference := range []string{"<script src", "@import", "url(http", `href="http`} {
		require.False(t, strings.Contains(Page, reference), reference)
	}
}

// TestPolicy allows each script of a page by its hash, and nothing else.
func TestPolicy(t *testing.T) {
	hash := func(script string) string {
		sum := sha256.Sum256([]byte(script))
		return " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	policy := Policy("<p><script>a()</script>b()<script></script>", "'self'", "'none'", "'self'")
	require.True(t, strings.HasSuffix(policy, "; script-src"+hash("a()")+hash("")), policy)
	for _, part := range []string{"default-src 'none'", "connect-src 'self'", "frame-src 'none'",
		"frame-ancestors 'self'"} {
		require.Contains(t, strings.Split(policy, "; "), part)
	}
	require.Equal(t, strings.Count(Page, "<script>"), strings.Count(Policy(Page, "", "", ""), "'sha256-"))
}
