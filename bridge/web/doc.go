// Package web serves an MCP server over HTTP.
//
// The number of connections is bounded (clients.go).
//
// A request passes the gate (auth.go: its Host and Origin), the guard (its token, from a file
// or of an authorization server in oauth.go), the limits of its client (clients.go) and of sessions (exchange.go), and
// a check of its body (endpoint.go) before the SDK sees it. The version in its header decides between two handlers
// of the SDK over the same server, with sessions and without.
//
// Plain HTTP (api.go) makes messages of requests that are none, with an OpenAPI description of the tools.
//
// An exchange (exchange.go) ties what runs in a session to the connection that asked for it, so that a call ends when
// its client has gone, its session is deleted or the server stops. What streams have carried is kept for a while, for
// clients whose connections break (events.go). Everything that is written goes through one writer (reply.go), which
// bounds its time, keeps silent streams alive and turns plain errors into JSON-RPC.
//
// Goroutines share a [Server]. [Server.Serve] ends with its context; running calls have [Options.Grace] to finish.
package web
