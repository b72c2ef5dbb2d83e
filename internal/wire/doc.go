// Package wire carries JSON-RPC messages between a client and the SDK, and outlives malformed ones.
//
// The stream: framing.go cuts it into messages, one a line or each behind a Content-Length header. A [Framing] says
// which; the reader recognises the framing by itself, and recovers after other input.
//
// The message: [CheckText] says why a text is no JSON, [Open] takes a message apart, and [Envelope.Message] makes
// what the SDK understands. What is wrong is a [Fault], which has a JSON-RPC error to reply with.
//
// The transport: a [StdioTransport] answers faults and goes on, answers what is pending when the input ends, and
// keeps back replies to cancelled requests. It serves one connection.
//
// The handshake: [RepairInitialize] is a middleware that mends what the SDK makes of unknown versions.
//
// The client: [WithClient] tells handlers whose request they handle.
//
// Functions may be called by any number of goroutines.
package wire
