package refusal

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines middlewares that put right what the SDK says of parameters, or takes.

// levels are those of log messages.
var levels = []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// CheckParams is a middleware that refuses parameters which the SDK takes for others.
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

// FitNotFound is a middleware that corrects the error for an unknown resource: its code depends on the version of the
// protocol, which the SDK does not heed.
func FitNotFound(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		read, ok := req.(*mcp.ReadResourceRequest)
		var wire *jsonrpc.Error
		if ok && errors.As(err, &wire) && wire.Code == jsonrpc.CodeInvalidParams && wire.Message == "Resource not found" {
			return nil, NotFound(read.ProtocolVersion(), read.Params.URI)
		}
		return result, err
	}
}

// FitBadCursor is a middleware that says what is wrong when a list is asked for from a cursor that is none.
func FitBadCursor(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		var coded *jsonrpc.Error
		if strings.HasSuffix(method, "/list") && errors.As(err, &coded) && coded.Code == jsonrpc.CodeInvalidParams {
			return nil, InvalidParams("the cursor is none that this server has given out; ask for the first page without one")
		}
		return result, err
	}
}

// SuggestNames returns a middleware that adds the nearest name to the error for an unknown item. nearest returns the
// name of an item that is close to the one that a request asks for, or "".
func SuggestNames(nearest func(req mcp.Request) string) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			result, err := next(ctx, method, req)
			var coded *jsonrpc.Error
			if err == nil || !errors.As(err, &coded) {
				return result, err
			}
			near := nearest(req)
			if near == "" {
				return result, err
			}
			better := *coded
			better.Message += fmt.Sprintf("; did you mean %q?", near)
			return nil, &better
		}
	}
}
