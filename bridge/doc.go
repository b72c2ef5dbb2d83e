// Package bridge serves knowledge bases as MCP servers, on the official SDK.
//
// [Serve] serves one to a client over two byte streams. A [Server] offers a snapshot to any number of clients, over
// HTTP with package web: [Server.MCP] is the server of the SDK, [Server.Sync] replaces the snapshot, and
// [Server.Follow] does so whenever the files change. Goroutines share it.
//
// A call of a tool runs a goal on a machine of its own, in a transaction, within the limits of [Options]. Goals can
// ask the user, and the client for its model and its roots, if the Predicates of kb.Options include [Predicates]. They
// wait for the answer, which comes as the version of the protocol has it; an [Interview] answers goals that are not
// served.
package bridge
