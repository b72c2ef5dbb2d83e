// Package bridge serves knowledge bases as MCP servers, on the official SDK.
//
//	o := &kb.Options{Predicates: bridge.Predicates()} // what goals need to talk to clients
//	base, report, err := kb.Open(ctx, []string{"birds"}, o)
//	err = bridge.Serve(ctx, base, os.Stdin, os.Stdout, nil, nil)
//
// The server: a [Server] offers a snapshot to any number of clients; [Server.Sync] replaces the
// snapshot and announces what differs. [Serve] is a server for one client over two byte streams
// that follows the files. A call of a tool runs a goal on a machine of its own, in a
// transaction, within the limits of [Options].
//
// Asking: a goal that asks the user, the client's model or for its roots waits. A client of a
// version with sessions is sent the question; a later one gets it as the answer to its request
// and comes back; a client that cannot ask its user leaves it to the model and the tool answer.
// The goal goes on at the same place, or when it waits no more, it is run again with the answers
// so far.
//
// Changing: goals add and remove items and announce changes of resources; once the call has
// succeeded all clients see it. A reload keeps the items that goals have added.
//
// Following: [Server.Follow] has a Server follow the files. Package web serves one over HTTP.
//
// The conversions between JSON and terms are those of package schema, the transport that of package wire.
// Goroutines share a Server.
package bridge
