// Package bridge serves knowledge bases as MCP servers, on the official SDK.
//
// [Serve] serves a knowledge base to a client over two byte streams. A [Server] offers a snapshot to any number of
// clients, over HTTP with package web: [Server.MCP] is the server of the SDK, [Server.Sync] replaces the snapshot, and
// [Server.Follow] does so whenever the files change. Goroutines share it.
//
// Each call of a tool runs a goal on its own machine, in a transaction, within the limits of [Options]. Goals can ask
// the user, and the client for its model and its roots, if the Predicates of kb.Options include [Predicates]. They wait
// for the answer, which reaches them by the means of the client's protocol version. An [Interview] answers goals that
// do not run for a client.
package bridge
