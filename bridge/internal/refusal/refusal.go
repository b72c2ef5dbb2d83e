// Package refusal has the results and JSON-RPC errors by which clients and models learn that something was refused or
// went wrong. It also checks the arguments of the server's own tools.
package refusal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/content"
	"github.com/mcplogic/mcplogic/internal/schema"
	"github.com/mcplogic/mcplogic/internal/spell"
	"github.com/mcplogic/mcplogic/internal/wire"
)

// This file defines the results and errors themselves, and the arguments of the tools of the server. It also defines
// middlewares that correct how the SDK checks parameters and reports errors.

// MetaCode is the member of _meta that has the code of a result that is an error.
const MetaCode = "mcplogic/code"

// Result is a result that tells a model what went wrong. Its code is one of package codes. The code is not in the text,
// as it is of no use to a model.
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

// ReadArguments reads the arguments of a tool of the server. If they do not fit, it returns a result that says so.
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

// InvalidParams is the error of a request with wrong parameters or for an unknown item.
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

// CodeNotFound is the error code for a missing resource in protocol versions up to 2025-11-25.
const CodeNotFound = -32002

// NotFound is the error of a resource that does not exist.
func NotFound(version, uri string) error {
	code := int64(CodeNotFound)
	if version >= wire.VersionStateless {
		code = jsonrpc.CodeInvalidParams
	}
	return &jsonrpc.Error{Code: code, Message: "Resource not found", Data: schema.Object{}.With("uri", uri).JSON()}
}

// levels are the levels of log messages.
var levels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// CheckParams is a middleware that refuses parameters which the SDK would misread.
func CheckParams(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch p := req.GetParams().(type) {
		case *mcp.CallToolParamsRaw:
			if p != nil && p.Name == "" {
				return nil, InvalidParams("name is missing: the name of the tool")
			}
			if p != nil {
				switch token := p.GetProgressToken().(type) {
				case nil, string, int, int64, float64:
				default:
					return nil, InvalidParams("the progress token is to be a string or an integer, it is %T", token)
				}
			}
		case *mcp.GetPromptParams:
			if p != nil && p.Name == "" {
				return nil, InvalidParams("name is missing: the name of the prompt")
			}
		case *mcp.ReadResourceParams:
			if p != nil && p.URI == "" {
				return nil, InvalidParams("uri is missing: the address of the resource")
			}
		case *mcp.SetLoggingLevelParams:
			if p != nil && !slices.Contains(levels, string(p.Level)) {
				return nil, InvalidParams("unknown level %q; the levels are %s", p.Level, spell.Listing(levels))
			}
		}
		return next(ctx, method, req)
	}
}

// FitErrors returns a middleware that corrects errors of the SDK: the code for an unknown resource depends on the
// version of the protocol, an invalid cursor is named, and so is the item nearest to an unknown one. nearest returns
// the name of that item, or "".
func FitErrors(nearest func(req mcp.Request) string) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			result, err := next(ctx, method, req)
			var coded *jsonrpc.Error
			if err == nil || !errors.As(err, &coded) {
				return result, err
			}
			read, isRead := req.(*mcp.ReadResourceRequest)
			switch invalid := coded.Code == jsonrpc.CodeInvalidParams; {
			case invalid && strings.HasSuffix(method, "/list"):
				return nil, InvalidParams("the cursor is none that this server has given out; ask for the first page without one")
			case invalid && isRead && coded.Message == "Resource not found":
				err = NotFound(read.ProtocolVersion(), read.Params.URI)
				errors.As(err, &coded)
			}
			if near := nearest(req); near != "" {
				better := *coded
				better.Message += fmt.Sprintf("; did you mean %q?", near)
				err = &better
			}
			return result, err
		}
	}
}
