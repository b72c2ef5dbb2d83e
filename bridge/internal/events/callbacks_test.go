package events

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/stretchr/testify/require"
)

// TestSignatures signs the example of Standard Webhooks, whose signature openssl makes too.
func TestSignatures(t *testing.T) {
	const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	got := signatures([]string{secret}, "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", []byte(`{"test": 2432232314}`))
	require.Equal(t, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", got)
	for _, bad := range []string{"", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_c2hvcnQ=", "whsec_!",
		"whsec_" + strings.Repeat("AAAA", 22)} {
		_, err := secretKey(bad)
		require.Error(t, err, bad)
	}
}

// TestOpenAddresses says which addresses anybody may have events posted to, by the registries of special addresses.
func TestOpenAddresses(t *testing.T) {
	c, err := NewCallbacks([]string{"*"})
	require.NoError(t, err)
	for _, text := range []string{"127.0.0.1", "127.9.9.9", "0.0.0.0", "0.1.2.3", "10.1.2.3", "172.16.0.1",
		"172.31.255.255",
		"192.168.1.1", "169.254.169.254", "100.64.0.1", "192.0.0.8", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1",
		"224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "fec0::1",
		"ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1", "100::1",
		"2001:db8::1", "2001::1", "2002:7f00:1::1", "3fff::1"} {
		require.False(t, c.open(netip.MustParseAddr(text)), text)
	}
	for _, text := range []string{"1.1.1.1", "93.184.216.34", "172.32.0.1", "100.128.0.1", "::ffff:1.1.1.1",
		"2606:4700:4700::1111", "2a00::1"} {
		require.True(t, c.open(netip.MustParseAddr(text)), text)
	}
	c, err = NewCallbacks([]string{"10.0.0.0/8", "fd00::/8"})
	require.NoError(t, err)
	require.True(t, c.open(netip.MustParseAddr("10.1.2.3")))
	require.True(t, c.open(netip.MustParseAddr("::ffff:10.1.2.3")))
	require.True(t, c.open(netip.MustParseAddr("fd00::1")))
	require.False(t, c.open(netip.MustParseAddr("192.168.1.1")))
}

// TestCallbackEntries reads what may be allowed.
func TestCallbackEntries(t *testing.T) {
	for _, good := range []string{"*", "https://h.example/", "https://h.example:8443/a", "http://127.0.0.1:80/",
		"http://localhost:80/", "http://[::1]:80/", "10.0.0.0/8"} {
		_, err := NewCallbacks([]string{good})
		require.NoError(t, err, good)
	}
	for _, bad := range []string{"", "h.example", "http://h.example/", "https://u@h.example/", "https://h.example/?a",
		"https://h.example/#a", "ftp://h.example/", "https:///", "**"} {
		_, err := NewCallbacks([]string{bad})
		require.Error(t, err, bad)
	}
}

// admitted is the code of the error with which an address is refused, 0 if it is not.
func admitted(t *testing.T, c *Callbacks, address string) int64 {
	err := c.admit(t.Context(), "ann", &delivery{Mode: "webhook", URL: address, Secret: testSecret}, "sub_1")
	var wrong *jsonrpc.Error
	if errors.As(err, &wrong) {
		return wrong.Code
	}
	require.NoError(t, err)
	return 0
}

const testSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// TestAdmit refuses callbacks that are malformed, not allowed, or lead into the network of the server by whatever name.
func TestAdmit(t *testing.T) {
	names := map[string]string{"good.example": "93.184.216.34", "inner.example": "10.0.0.1",
		"meta.example": "169.254.169.254", "six.example": "::1"}
	c, err := NewCallbacks([]string{"https://good.example/hooks", "https://inner.example/"})
	require.NoError(t, err)
	c.resolve = func(_ context.Context, host string) ([]netip.Addr, error) {
		if names[host] == "" {
			return nil, errors.New("no such host")
		}
		return []netip.Addr{netip.MustParseAddr(names[host])}, nil
	}
	for address, code := range map[string]int64{
		"https://good.example/hooks":                  0,
		"https://good.example/hooks/a?b=c":            0,
		"https://GOOD.example/hooks/":                 0,
		"https://good.example/hooksome":               codeForbidden,
		"https://good.example/other":                  codeForbidden,
		"https://good.example/hooks/../other":         jsonrpc.CodeInvalidParams,
		"https://good.example/hooks/%2e%2e/other":     jsonrpc.CodeInvalidParams,
		"https://good.example//hooks":                 jsonrpc.CodeInvalidParams,
		"https://good.example:444/hooks":              codeForbidden,
		"http://good.example/hooks":                   jsonrpc.CodeInvalidParams,
		"https://u:p@good.example/hooks":              jsonrpc.CodeInvalidParams,
		"https://good.example/hooks#x":                jsonrpc.CodeInvalidParams,
		"https://inner.example/":                      codeForbidden, // a name that leads inside needs its network
		"https://bad.example/":                        codeForbidden,
		"":                                            jsonrpc.CodeInvalidParams,
		"good.example/hooks":                          jsonrpc.CodeInvalidParams,
		"https:good.example":                          jsonrpc.CodeInvalidParams,
		"https://good.example/hooks" + longText(2000): jsonrpc.CodeInvalidParams,
	} {
		require.Equal(t, code, admitted(t, c, address), address)
	}
	c.any = true
	for _, address := range []string{"https://127.0.0.1/", "https://[::1]/", "https://[::ffff:127.0.0.1]/",
		"https://10.0.0.1/", "https://169.254.169.254/latest", "https://meta.example/", "https://six.example/",
		"https://inner.example/x"} {
		require.EqualValues(t, codeForbidden, admitted(t, c, address), address)
	}
	require.EqualValues(t, codeCallback, admitted(t, c, "https://nowhere.example/"))
	c.networks = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	require.EqualValues(t, 0, admitted(t, c, "https://inner.example/"))
}

func longText(n int) string { return "/" + strings.Repeat("x", n) }

// TestRebinding has a name lead elsewhere once it was checked: nothing is sent there.
func TestRebinding(t *testing.T) {
	var hits atomic.Int32
	inside := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits.Add(1) }))
	defer inside.Close()
	port := inside.URL[strings.LastIndex(inside.URL, ":"):]
	c, err := NewCallbacks([]string{"https://flip.example" + port + "/"})
	require.NoError(t, err)
	asked := 0
	c.resolve = func(context.Context, string) ([]netip.Addr, error) {
		if asked++; asked == 1 {
			return []netip.Addr{netip.MustParseAddr("93.184.216.34")}, nil
		}
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	}
	address := "https://flip.example" + port + "/"
	require.EqualValues(t, 0, admitted(t, c, address))
	err = c.post(t.Context(), address, "sub_1", "e", []byte("{}"), []string{testSecret})
	require.Equal(t, &deliveryError{category: "connection_refused"}, err)
	require.Equal(t, 2, asked)
	require.Zero(t, hits.Load())
}

// TestPosts posts to receivers that take a body, refuse it, lead elsewhere, say too much or say nothing.
func TestPosts(t *testing.T) {
	var elsewhere atomic.Int32
	hold := make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("/ok", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		require.Equal(t, signatures([]string{testSecret}, "e", r.Header.Get("Webhook-Timestamp"), body),
			r.Header.Get("Webhook-Signature"))
		require.Equal(t, []string{"e", "sub_1", "application/json"}, []string{r.Header.Get("Webhook-Id"),
			r.Header.Get("X-Mcp-Subscription-Id"), r.Header.Get("Content-Type")})
	})
	mux.HandleFunc("/elsewhere", func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) })
	mux.Handle("/redirect", http.RedirectHandler("/elsewhere", http.StatusTemporaryRedirect))
	for path, status := range map[string]int{"/404": 404, "/410": 410, "/413": 413, "/500": 500} {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
	}
	mux.HandleFunc("/endless", func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			if _, err := w.Write(make([]byte, 1<<16)); err != nil {
				return
			}
		}
	})
	mux.HandleFunc("/slow", func(http.ResponseWriter, *http.Request) { <-hold })
	receiver := httptest.NewServer(mux)
	defer receiver.Close()
	defer close(hold)
	c, err := NewCallbacks([]string{receiver.URL})
	require.NoError(t, err)
	post := func(path string) error {
		return c.post(t.Context(), receiver.URL+path, "sub_1", "e", []byte(`{"a":1}`), []string{testSecret})
	}
	require.NoError(t, post("/ok"))
	require.NoError(t, post("/endless"), "what the receiver says beyond some kilobytes is not read")
	for path, want := range map[string]deliveryError{"/redirect": {category: "http_4xx"}, "/404": {category: "http_4xx"},
		"/410": {category: "http_4xx", final: true}, "/413": {category: "http_4xx", final: true},
		"/500": {category: "http_5xx"}} {
		require.Equal(t, &want, post(path), path)
	}
	require.Zero(t, elsewhere.Load())
	c.Timeout = 50 * time.Millisecond
	require.Equal(t, &deliveryError{category: "timeout"}, post("/slow"))
	receiver.CloseClientConnections()
	c.prefixes = nil
	require.Equal(t, &deliveryError{category: "connection_refused"}, post("/ok"), "what was allowed once")
}

// TestChallenge asks a receiver that is not allowed by name whether it wants events.
func TestChallenge(t *testing.T) {
	var asked atomic.Int32
	answer := atomic.Pointer[string]{}
	receiver := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		var body struct{ Type, Challenge string }
		require.NoError(t, json.NewDecoder(r.Body).Decode(&body))
		require.Equal(t, "verification", body.Type)
		_, _ = io.WriteString(w, strings.ReplaceAll(*answer.Load(), "NONCE", body.Challenge))
	}))
	defer receiver.Close()
	c, err := NewCallbacks([]string{"*", "127.0.0.0/8"})
	require.NoError(t, err)
	require.EqualValues(t, codeCallback, admitted(t, c, receiver.URL+"/a"), "its certificate is not known")
	c.client.Transport.(*http.Transport).TLSClientConfig = receiver.Client().Transport.(*http.Transport).TLSClientConfig
	for _, text := range []string{"", "NONCE", `{"challenge":"x"}`, `{"challenge":""}`, `{"challenge":7}`} {
		answer.Store(&text)
		require.EqualValues(t, codeCallback, admitted(t, c, receiver.URL+"/a"), text)
	}
	right := `{"challenge":"NONCE"}`
	answer.Store(&right)
	was := asked.Load()
	for range 3 {
		require.EqualValues(t, 0, admitted(t, c, receiver.URL+"/a"))
	}
	require.Equal(t, was+1, asked.Load(), "once for a user and an address")
}

// TestPositions reads cursors; what is none has no stamp.
func TestPositions(t *testing.T) {
	require.Equal(t, position{"ABC", 7}, readPosition("ABC.7"))
	for _, bad := range []string{"", "ABC", "ABC.", "ABC.x", "ABC.-1", ".1.2"} {
		require.Empty(t, readPosition(bad).stamp, bad)
	}
}

// TestCanonicalArguments tells arguments apart by what they say and not by how.
func TestCanonicalArguments(t *testing.T) {
	for given, want := range map[string]string{"": "{}", "null": "{}", `{"b":1,"a":[2.50]}`: `{"a":[2.50],"b":1}`,
		`{ "a" : 12345678901234567890 }`: `{"a":12345678901234567890}`} {
		got, err := canonicalJSON(json.RawMessage(given))
		require.NoError(t, err)
		require.Equal(t, want, string(got))
	}
	_, err := canonicalJSON(json.RawMessage("[1]"))
	require.Error(t, err)
}
