// Package bridge serves knowledge bases as MCP servers, on the official SDK.
//
// Serving: [Serve] serves a knowledge base to one client over two byte streams. A [Server] offers a snapshot to any
// number of clients: [Server.MCP] is the server of the SDK, [Server.Sync] replaces the snapshot and announces what
// differs, and [Server.Follow] does so whenever the files change. Package web serves one over HTTP. Goroutines share
// a Server.
//
// Calling: a call of a tool runs a goal on a machine of its own, in a transaction, within the limits of [Options]. The
// goal needs the predicates of [Predicates] to talk to its client, so give them to kb.Options.
//
// Asking: a goal that asks the user, the client's model or for its roots waits. A client of a version with sessions is
// sent the question. A client of a later version gets it as the answer to its request and comes back. For a client
// that cannot ask its user, the model asks and calls the tool answer. The goal goes on where it waits; if it does not
// wait any more, it is run again with the answers so far. An [Interview] answers goals that are not served.
//
// Changing: goals add and remove items and announce changes of resources. All clients see that once the call has
// succeeded. A reload keeps the items that goals have added.
//
// The files: server.go has the items that the SDK lists; tools.go and requests.go have who handles
// requests for them; host.go has what goals change. What is below stands in internal: items makes the items of a
// snapshot and the goals that requests run, calls runs those, dialogue has the questions, content the content of
// results, tasks and why what becomes of calls, sealed what clients keep of them, refusal what they are told that is
// refused. Package schema converts between JSON and terms, package wire is the transport.
package bridge
