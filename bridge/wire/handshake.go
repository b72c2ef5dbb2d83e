package wire

import (
	"context"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// This file defines the mending of initialize requests.

const (
	// VersionStateless is the first protocol version without initialize.
	VersionStateless = "2026-07-28"
	// versionLatestStateful is what initialize negotiates when asked for anything unknown.
	versionLatestStateful = "2025-11-25"
)

// RepairInitialize is a receiving middleware for an [mcp.Server]. A client that asks to
// initialize a version that has no initialize, or that nobody knows, is offered the latest
// one; the SDK however remembers what was asked for and behaves as if both had agreed on it, so
// that questions to the user fail and list changes are lost. The middleware asks for the
// version that will be agreed on.
func RepairInitialize(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if params, ok := req.GetParams().(*mcp.InitializeParams); ok && params != nil && !canInitialize(params.ProtocolVersion) {
			params.ProtocolVersion = versionLatestStateful
		}
		return next(ctx, method, req)
	}
}

func canInitialize(version string) bool {
	return version < VersionStateless && slices.Contains(mcp.SupportedProtocolVersions(), version)
}
