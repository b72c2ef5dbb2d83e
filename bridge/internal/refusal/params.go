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

// levels are the levels of log messages.
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

// FitErrors returns a middleware that corrects errors of the SDK: the code for an unknown resource depends on the
// version of the protocol, a cursor that is none is named, and so is the item nearest to one that there is not. nearest
// returns the name of that, or "".
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
