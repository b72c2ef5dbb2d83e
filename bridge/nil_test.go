package bridge_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/bridge/web"
	"github.com/mcplogic/mcplogic/kb"
)

// TestNil makes servers of nothing, and uses them in the wrong order.
func TestNil(t *testing.T) {
	t.Parallel()
	require.ErrorContains(t, bridge.Serve(t.Context(), nil, strings.NewReader(""), nil, nil, nil), "is nil")
	var none context.Context
	require.ErrorContains(t, bridge.Serve(none, nil, strings.NewReader(""), nil, nil, nil), "the context is nil")
	require.Panics(t, func() { bridge.NewServer(nil, &bridge.Options{Tools: []bridge.Tool{{}}}) })
	s := bridge.NewServer(nil, nil)
	s.Follow(t.Context(), nil, nil)()
	s.Sync(nil)
	s.Reloaded(t.Context(), kb.Change{})
	_, err := web.NewServer(nil, nil)
	require.ErrorContains(t, err, "the server is nil")
	h, err := web.NewServer(s.MCP(), nil)
	require.NoError(t, err)
	require.ErrorContains(t, h.Serve(t.Context(), nil), "the listener is nil")
	require.ErrorContains(t, h.Serve(none, nil), "the context is nil")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodDelete, web.Path, nil)) // before there is a session
	require.GreaterOrEqual(t, w.Code, http.StatusBadRequest)

	s.Close()
	s.Close()
	s.Sync(&kb.Snapshot{})
	s.Follow(t.Context(), nil, nil)()
}
