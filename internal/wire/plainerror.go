package wire

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// This file defines how errors that the SDK makes are told to clients: with a code that means something, without types
// of Go, and without what the client has sent, which may be secret and long.

// PlainError returns an error as clients get it.
func PlainError(err error) *jsonrpc.Error {
	plain := jsonrpc.Error{Message: err.Error()}
	var coded *jsonrpc.Error
	if errors.As(err, &coded) {
		plain.Code, plain.Data = coded.Code, coded.Data
	}
	cause := unreadableParams().FindStringSubmatch(plain.Message)
	switch {
	case cause != nil:
		plain.Code, plain.Message = jsonrpc.CodeInvalidParams, "invalid params: "+paramsProblem(cause[1])
	case plain.Code == mcp.CodeHeaderMismatch && strings.HasPrefix(plain.Message, "failed to extract name "):
		// The header may well be right.
		plain.Code, plain.Message = jsonrpc.CodeInvalidParams, "invalid params: they are not those of the method"
	case plain.Code == 0: // errors of the SDK without a code complain about the request
		plain.Code = jsonrpc.CodeInvalidRequest
	}
	return &plain
}

// unreadableParams matches what the SDK says of params that it cannot read, and keeps the cause.
var unreadableParams = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)^(?:handling '[^']*': )?(?:invalid params: )?unmarshaling "(?:[^"\\]|\\.)*" into a ` +
		`\*(?:mcp|bridge|tasks)\.\w+: (.*)$`)
})

// unfitParam matches the cause when a value is not of its type.
var unfitParam = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)^json: cannot unmarshal .* into Go (?:struct field ` +
		`(?:(?:mcp|bridge|tasks)\.)?\w+\.(\S+)|value) of type (.+)$`)
})

// paramsProblem says in plain words why params cannot be read.
func paramsProblem(cause string) string {
	if unfit := unfitParam().FindStringSubmatch(cause); unfit != nil {
		name := unfit[1]
		if name == "" {
			name = "params"
		}
		return fmt.Sprintf("expected %s as %s", nameOfType(unfit[2]), name)
	}
	if strings.Contains(cause, "mcp.") || strings.Contains(cause, " Go ") {
		return "they are not those of the method"
	}
	return cause
}

// nameOfType is what JSON calls the values of a type of Go.
func nameOfType(goType string) string {
	switch goType = strings.TrimLeft(goType, "*"); {
	case goType == "string":
		return "a string"
	case goType == "bool":
		return "a boolean"
	case strings.HasPrefix(goType, "[]"):
		return "an array"
	case strings.HasPrefix(goType, "int"), strings.HasPrefix(goType, "uint"), strings.HasPrefix(goType, "float"):
		return "a number"
	}
	return "an object"
}
