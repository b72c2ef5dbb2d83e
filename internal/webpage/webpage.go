// Package webpage holds the page that shows a server in a browser: an MCP client in one file, without references to
// others.
package webpage

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"strings"
)

//go:embed page.html
var pageText string

//go:embed desk.js
var deskText string

// Page is the page. It finds the endpoint at mcp, the state of the server at page/state, and the page for explanations
// at page/why, all beside itself.
var Page = strings.Replace(pageText, "/* desk.js */\n", deskText, 1)

// Policy is the Content-Security-Policy for a page that consists of its own scripts and styles: nothing else runs, and
// nothing is loaded but from where connect and frame say. ancestors says who may show the page within another.
func Policy(page, connect, frame, ancestors string) string {
	policy := []string{"default-src 'none'", "img-src data:", "style-src 'unsafe-inline'", "base-uri 'none'",
		"form-action 'none'", "connect-src " + connect, "frame-src " + frame, "frame-ancestors " + ancestors,
		"script-src" + hashes(page)}
	return strings.Join(policy, "; ")
}

func hashes(page string) string {
	var b strings.Builder
	for rest := page; ; {
		_, after, ok := strings.Cut(rest, "<script>")
		if !ok {
			break
		}
		script, next, _ := strings.Cut(after, "</script>")
		sum := sha256.Sum256([]byte(script))
		b.WriteString(" 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'")
		rest = next
	}
	return b.String()
}
