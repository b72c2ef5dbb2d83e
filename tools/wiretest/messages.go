// Package wiretest holds messages that several packages send in their tests: good ones, and those that break a
// careless server.
package wiretest

import (
	"encoding/json"
	"errors"
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

// Decode decodes a message or a batch. The id of each stays as it is written.
func Decode(data []byte) ([]map[string]any, error) {
	var raws []json.RawMessage
	if json.Unmarshal(data, &raws) != nil {
		raws = []json.RawMessage{data}
	}
	list := make([]map[string]any, len(raws))
	for i, raw := range raws {
		var members map[string]json.RawMessage
		err := json.Unmarshal(raw, &members)
		list[i] = map[string]any{}
		for name, value := range members {
			var decoded any
			if name == "id" && string(value) != "null" {
				decoded = value
			} else {
				err = errors.Join(err, json.Unmarshal(value, &decoded))
			}
			list[i][name] = decoded
		}
		if err != nil {
			return nil, err
		}
	}
	return list, nil
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
