// Package sealed has what clients bring back to a server: the states of calls that wait for them, and the cursors of
// further pages and parts of results. A [Key] seals it, so that nobody can make it up; servers with one key can go on
// with what the others have given out. Goroutines share all of it.
package sealed

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mcplogic/mcplogic/bridge/internal/dialogue"
)

// This file defines the seal and what a client keeps of a call of several rounds.

// Key signs request states, so that clients cannot make them up.
type Key struct{ key []byte }

// NewKey returns a key, a random one if there are no bytes.
func NewKey(key []byte) Key {
	if len(key) == 0 {
		key = make([]byte, 32)
		_, _ = rand.Read(key) // never fails
	}
	return Key{key}
}

var base64URL = base64.RawURLEncoding

func (s Key) sum(body string) string {
	h := hmac.New(sha256.New, s.key)
	h.Write([]byte(body))
	return base64URL.EncodeToString(h.Sum(nil))
}

// State is what a client keeps between two rounds of a call: enough to find the call or to run it again.
type State struct {
	ID      string           `json:"i"`
	Round   int              `json:"r"`
	Legs    int              `json:"l,omitempty"`
	Binding string           `json:"b"`
	Past    []dialogue.Reply `json:"p,omitempty"`
	Asked   []dialogue.Reply `json:"q"` // Key and Digest of the questions asked
	Seen    string           `json:"s,omitempty"`
	Expires time.Time        `json:"e"`
}

// StateLife is how long a client may keep a request state.
const StateLife = 24 * time.Hour

// Seal returns a state as its client gets it.
func (s Key) Seal(state *State) string {
	data, err := json.Marshal(state)
	if err != nil { // it holds texts and JSON
		panic("bridge: request state: " + err.Error())
	}
	body := base64URL.EncodeToString(data)
	return body + "." + s.sum(body)
}

var ErrBadState = errors.New("the request state is not one that this server has given out for this request")

// Open returns a state that was sealed with the same key for the same request.
func (s Key) Open(text, binding string) (*State, error) {
	body, sum, _ := strings.Cut(text, ".")
	if !hmac.Equal([]byte(sum), []byte(s.sum(body))) {
		return nil, ErrBadState
	}
	data, err := base64URL.DecodeString(body)
	if err != nil {
		return nil, ErrBadState
	}
	var state State
	if err := json.Unmarshal(data, &state); err != nil || state.Binding != binding {
		return nil, ErrBadState
	}
	if time.Now().After(state.Expires) {
		return nil, errors.New("the request state has expired; make the call anew")
	}
	return &state, nil
}

// BindingOf is a digest of what a call is about. It does not depend on the order of the arguments, which clients may
// change when they come back.
func BindingOf(kind, name string, args json.RawMessage) string {
	d := json.NewDecoder(bytes.NewReader(args))
	d.UseNumber()
	var value any
	if d.Decode(&value) == nil && value != nil {
		args, _ = json.Marshal(value) // was JSON a moment ago
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s", kind, name, args))
	return base64URL.EncodeToString(sum[:])
}
