// Package refusal has what clients and models are told when something is refused or goes wrong: results that are
// errors, JSON-RPC errors, and how the arguments of the tools that a server has by itself are checked.
package refusal

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/content"
	"github.com/mcplogic/mcplogic/internal/schema"
	"github.com/mcplogic/mcplogic/internal/wire"
)

// This file defines the results and errors themselves, and the arguments of the tools of the server.

// MetaCode is the member of _meta that has the code of a result that is an error.
const MetaCode = "mcplogic/code"

// Result is a result that tells a model what went wrong. Its code is one of package codes. A model can do nothing
// with that, so it is not in the text.
func Result(code, text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Meta: mcp.Meta{MetaCode: code}, Content: content.OfText(text), IsError: true}
}

// Capitalize begins a sentence with a large letter.
func Capitalize(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return text
	}
	return string(unicode.ToUpper(first)) + text[size:]
}

// Schema returns a function that compiles the schema of a tool of the server when it is first called.
func Schema(name, text string) func() *schema.Schema {
	return sync.OnceValue(func() *schema.Schema {
		s, err := schema.Compile(json.RawMessage(text))
		if err != nil {
			panic("bridge: the schema of " + name + ": " + err.Error())
		}
		return s
	})
}

// ReadArguments reads the arguments of a tool of the server. If they do not fit, it returns the result that says so.
func ReadArguments(req *mcp.CallToolRequest, s *schema.Schema, args any) (wrong *mcp.CallToolResult) {
	raw := req.Params.Arguments
	if len(raw) == 0 || string(raw) == "null" {
		raw = json.RawMessage("{}")
	}
	if err := s.Validate(raw); err != nil {
		return Result("bad_arguments", "The arguments do not fit the tool "+req.Params.Name+":\n"+err.Error())
	}
	if err := json.Unmarshal(raw, args); err != nil {
		return Result("bad_arguments", err.Error())
	}
	return nil
}

// InvalidParams is the error of a request that asks for what there is not, or in a wrong way.
func InvalidParams(format string, args ...any) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}

// ErrPanicked is the error of a request in which Go code panicked.
var ErrPanicked = wire.InternalError("internal error")

// MissingCapability is the error of 2026-07-28 for a client that lacks a capability. path names the
// capability, such as elicitation and url.
func MissingCapability(text string, path ...string) error {
	required := schema.Object{}
	for _, name := range slices.Backward(path) {
		required = schema.Object{}.With(name, required)
	}
	return &jsonrpc.Error{Code: mcp.CodeMissingRequiredClientCapabilities, Message: text,
		Data: schema.Object{}.With("requiredCapabilities", required).JSON()}
}

// CodeNotFound is the code of a resource that does not exist up to 2025-11-25.
const CodeNotFound = -32002

// NotFound is the error of a resource that does not exist.
func NotFound(version, uri string) error {
	code := int64(CodeNotFound)
	if version >= wire.VersionStateless {
		code = jsonrpc.CodeInvalidParams
	}
	return &jsonrpc.Error{Code: code, Message: "Resource not found", Data: schema.Object{}.With("uri", uri).JSON()}
}
