// Package web serves an MCP server over HTTP.
//
// The number of connections is limited (clients.go).
//
// Before the SDK sees a request, the gate checks its Host and Origin (auth.go). The guard checks its token, from a
// file (auth.go) or from an authorization server (oauth.go). Then come the limits of its client (clients.go) and of
// sessions (exchange.go), and a check of its body (endpoint.go). The version in its header selects one of two
// handlers of the SDK: with sessions or without.
//
// Plain HTTP (api.go) turns other requests into messages, and has an OpenAPI description of the tools.
//
// An exchange (exchange.go) ties the handlers of a request to its connection. So a call ends when its client has
// gone, its session is deleted or the server stops. Messages of streams are kept for a while, for clients whose
// connections break (events.go). All responses go through one writer (reply.go). It limits their time, keeps silent
// streams alive and turns plain errors into JSON-RPC.
//
// Goroutines share a [Server]. [Server.Serve] ends with its context; running calls have [Options.Grace] to finish.
package web
