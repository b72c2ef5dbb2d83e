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

// RepairInitialize is a receiving middleware for an [mcp.Server]. It concerns clients that ask to initialize a version
// that has no initialize, or that nobody knows. The SDK offers them the latest version, but remembers the one asked
// for and behaves as if both had agreed on it: questions to the user fail and list changes are lost. The middleware
// replaces the version asked for by the one that will be agreed on.
func RepairInitialize(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if params, ok := req.GetParams().(*mcp.InitializeParams); ok && params != nil &&
			!canInitialize(params.ProtocolVersion) {
			params.ProtocolVersion = versionLatestStateful
		}
		return next(ctx, method, req)
	}
}

func canInitialize(version string) bool {
	return version < VersionStateless && slices.Contains(mcp.SupportedProtocolVersions(), version)
}
