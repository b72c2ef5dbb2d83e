package wire

import "context"

// This file defines how a transport that serves several clients tells the handlers whose request they handle.

type clientKey struct{}

// WithClient returns a context for what runs on behalf of a client, who is a user or a network address.
func WithClient(ctx context.Context, client string) context.Context {
	return context.WithValue(ctx, clientKey{}, client)
}

// ClientOf returns the client of [WithClient], "" where there is only one.
func ClientOf(ctx context.Context) string {
	client, _ := ctx.Value(clientKey{}).(string)
	return client
}
