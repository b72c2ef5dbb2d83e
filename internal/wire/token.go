package wire

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// This file defines how the ids and progress tokens of a client come back to it as it has written them. The SDK reads
// numbers as floats and writes texts anew. What it would change passes it as a text with a mark.

// tokenMark begins such a text. No client can guess it.
var tokenMark = "mcplogic:" + rand.Text() + ":"

// usableID returns raw when it is a text or an integer, else nil.
func usableID(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return nil
	}
	if raw[0] == '"' {
		if json.Valid(raw) {
			return raw
		}
		return nil
	}
	var n float64
	if wholeNumber().Match(raw) || raw[0] != 'n' && json.Unmarshal(raw, &n) == nil && n == math.Trunc(n) &&
		math.Abs(n) < 1<<53 {
		return raw
	}
	return nil
}

// wholeNumber matches integers of any size. Those with a point are told from fractions up to 2^53 only.
var wholeNumber = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^-?(?:0|[1-9][0-9]*)(?:[eE]\+?[0-9]+)?$`)
})

// plainToken reports whether the SDK writes an id or token as it was.
func plainToken(raw json.RawMessage) bool {
	if raw[0] == '"' {
		var text string
		return json.Unmarshal(raw, &text) == nil && !strings.ContainsRune(text, '\ufffd') // as which it has lone surrogates
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	return err == nil && strconv.FormatInt(n, 10) == string(raw) && n < 1<<53 && n > -1<<53
}

// marked returns an id or token as the text by which it passes the SDK.
func marked(raw json.RawMessage) string { return tokenMark + hex.EncodeToString(raw) }

// requestID converts the id of a request that usableID let pass.
func requestID(raw json.RawMessage) jsonrpc.ID {
	if !plainToken(raw) {
		raw, _ = json.Marshal(marked(raw))
	}
	return makeID(raw)
}

// makeID converts an id that usableID let pass. In a response numbers count, not how they are written: the requests are
// ours.
func makeID(raw json.RawMessage) jsonrpc.ID {
	var value any
	_ = json.Unmarshal(raw, &value) // a valid string or number
	id, _ := jsonrpc.MakeID(value)
	return id
}

// markTokens marks what a request names that the SDK would change: its progress token, and the id that it gives up.
func markTokens(req *jsonrpc.Request) {
	name := "progressToken"
	if req.Method == MethodCancelled {
		name = "requestId"
	}
	if !bytes.Contains(req.Params, []byte(`"`+name+`"`)) {
		return
	}
	var params, meta map[string]json.RawMessage
	if json.Unmarshal(req.Params, &params) != nil {
		return // the SDK refuses it
	}
	members := params
	if name == "progressToken" {
		_ = json.Unmarshal(params["_meta"], &meta) // what is no object is refused
		members = meta
	}
	raw := usableID(members[name])
	if raw == nil || plainToken(raw) {
		return
	}
	members[name], _ = json.Marshal(marked(raw))
	if meta != nil {
		params["_meta"], _ = json.Marshal(meta)
	}
	req.Params, _ = json.Marshal(params)
}

// restoreTokens returns a message with ids and tokens as the client has written them.
func restoreTokens(data []byte) []byte {
	mark := []byte(`"` + tokenMark)
	for {
		before, rest, found := bytes.Cut(data, mark)
		if !found {
			return data
		}
		digits, after, _ := bytes.Cut(rest, []byte(`"`))
		raw, _ := hex.DecodeString(string(digits)) // marked has written them
		data = bytes.Join([][]byte{before, raw, after}, nil)
	}
}
