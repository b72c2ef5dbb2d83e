package bridge

import (
	"encoding/json"
	"strconv"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/schema"
)

// This file defines what the server's own tools, answer and why, have in common.

// freeToolName returns a name for a tool of the server: the name wanted, or with a number if the knowledge base has a
// tool of that name.
func (o *offer) freeToolName(wanted string) string {
	name := wanted
	for i := 2; o.tools[name] != nil; i++ {
		name = wanted + "_" + strconv.Itoa(i)
	}
	return name
}

// compiledOnce returns a function that compiles the schema of a tool of the server when it is first called.
func compiledOnce(name, text string) func() *schema.Schema {
	return sync.OnceValue(func() *schema.Schema {
		s, err := schema.Compile(json.RawMessage(text))
		if err != nil {
			panic("bridge: the schema of " + name + ": " + err.Error())
		}
		return s
	})
}

// readOwnArguments reads the arguments of a tool of the server. If they do not fit, it returns the result that says so.
func readOwnArguments(req *mcp.CallToolRequest, s *schema.Schema, args any) (wrong *mcp.CallToolResult) {
	raw := req.Params.Arguments
	if len(raw) == 0 || string(raw) == "null" {
		raw = json.RawMessage("{}")
	}
	if err := s.Validate(raw); err != nil {
		return errorResult("bad_arguments", "The arguments do not fit the tool "+req.Params.Name+":\n"+err.Error())
	}
	if err := json.Unmarshal(raw, args); err != nil {
		return errorResult("bad_arguments", err.Error())
	}
	return nil
}
