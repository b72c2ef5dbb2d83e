// Package bridge serves knowledge bases as MCP servers, on the official SDK.
//
// The transport: a [StdioTransport] carries JSON-RPC over two byte streams, in either [Framing],
// and outlives malformed input; [RepairInitialize] mends the SDK's handshake.
//
// The types: [Codec.ParseType] compiles a type of a mode declaration to a [Type], and [Params] are
// the inputs or outputs of a predicate. Both have a JSON Schema and convert: [Codec.Arguments] from
// a call's JSON to terms, [Codec.Results] from terms to JSON. Schemas that a knowledge base
// writes itself go through [Codec.SchemaJSON] and [CompileSchema].
//
// Values that do not fit are errors of type [Problems], which names every wrong part for a
// model to mend. Types, Params, Schemas and Codecs do not change after they are made and are
// shared by goroutines; a StdioTransport serves one connection.
package bridge
