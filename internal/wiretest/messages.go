// Package wiretest holds messages that several packages send in their tests: good ones, and those that break a
// careless server.
package wiretest

import (
	"encoding/json"
	"fmt"
	"time"
)

// Patience is how long a test waits for what must come, on a machine however busy.
const Patience = 2 * time.Minute

// InitializeLine is a line that asks to initialize a version of the protocol.
func InitializeLine(version string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":%q,`+
		`"capabilities":{"elicitation":{}},"clientInfo":{"name":"raw","version":"1"}}}`+"\n", version)
}

// CallLine is a call of a tool without arguments.
func CallLine(id, tool string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%q,"arguments":{}}}`, id, tool)
}

// PingLine is a ping.
func PingLine(id string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"ping"}`, id)
}

// Headed is a message behind its Content-Length header.
func Headed(body string) string {
	return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
}

// Summary is a reply in short: its id and its error code, or ok, or the method of a request.
func Summary(reply map[string]any) string {
	id, err := json.Marshal(reply["id"])
	if err != nil {
		return err.Error()
	}
	text := string(id) + " ok"
	if wire, ok := reply["error"].(map[string]any); ok {
		text = fmt.Sprintf("%s %v", id, wire["code"])
	} else if method, ok := reply["method"]; ok {
		text = fmt.Sprintf("%s %v", id, method)
	}
	if n, ok := reply["in batch of"]; ok {
		text += fmt.Sprintf(" in batch of %d", n)
	}
	return text
}

// Stateless is the _meta of a request that follows the protocol without initialize.
const Stateless = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientInfo":{"name":"raw","version":"1"},` +
	`"io.modelcontextprotocol/clientCapabilities":{}}`
