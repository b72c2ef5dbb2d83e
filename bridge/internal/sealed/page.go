package sealed

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"strings"
)

// This file defines the pages of results: a call returns the solutions that a model can read at a time, and a cursor
// with which the same call goes on behind them.

// Page says which solutions a call returns: those behind the first skip ones, up to limit of them, as long as their
// text has at most size bytes. Those that are skipped have to have this digest, unless it is "". pages says that a
// cursor for more solutions may follow for this binding, parts that one for more of the text may.
type Page struct {
	Pages, Parts      bool
	Skip, Limit, Size int
	Digest            string
	Binding           string
}

// DefaultText is how many bytes the text of the solutions in one result has at most. Clients cut longer texts, or put
// them where a model does not look.
const DefaultText = 50_000

// The errors of a cursor that is damaged, made up or of another call, and of one before which solutions have changed.
var (
	errBadCursor = errors.New("this is no cursor of a result of this tool with these arguments; copy it exactly, and " +
		"give the same arguments, or call without cursor for the first solutions")
	ErrOldCursor = errors.New("the solutions before this cursor are no longer the same, so that there is no going on " +
		"behind them; call without cursor for the first solutions")
)

// OpenCursor returns how many solutions a cursor skips and the digest of those. binding is that of the call.
func (s Key) OpenCursor(text, binding string) (skip int, digest string, err error) {
	body, ok := s.unsealCursor(text, binding)
	if !ok {
		return 0, "", errBadCursor
	}
	if n, _ := fmt.Sscanf(body, "%x-%s", &skip, &digest); n != 2 {
		return 0, "", errBadCursor
	}
	return skip, digest, nil
}

// unsealCursor returns what is under the seal of a cursor for a call.
func (s Key) unsealCursor(text, binding string) (body string, ok bool) {
	body, sum, _ := strings.Cut(text, ".")
	return body, hmac.Equal([]byte(sum), []byte(s.cursorSum(body, binding)))
}

// Cursor returns the cursor with which a call goes on behind some solutions: how many they are, a digest of them, and a
// seal of that and of the call. It is short, since models have to copy it. It is good on every server that has the
// sealing key, as long as the solutions that it skips are the same.
func (s Key) Cursor(skip int, digest, binding string) string {
	body := fmt.Sprintf("%x-%s", skip, digest)
	return body + "." + s.cursorSum(body, binding)
}

// cursorSum is the seal of a cursor for a call.
func (s Key) cursorSum(body, binding string) string {
	const length = 16 // 96 bits
	return s.sum("cursor " + body + " " + binding)[:length]
}

// Digest is a digest of solutions, each of which is added as its JSON.
type Digest struct{ hash.Hash }

func NewDigest() Digest { return Digest{sha256.New()} }

func (d Digest) Add(row json.RawMessage) {
	_, _ = d.Write(row) // never fails
	_, _ = d.Write([]byte{0})
}

func (d Digest) Text() string {
	const length = 8 // 48 bits: it is to notice changes, the seal guards against forgeries
	return base64URL.EncodeToString(d.Sum(nil))[:length]
}

// PageNote tells a model how to get further solutions.
func PageNote(from, to int, cursor string) string {
	if cursor == "" {
		return fmt.Sprintf("There are more solutions; these are the first %d, the limit on solutions of one call.", to)
	}
	return fmt.Sprintf("There are more solutions; these are %d to %d. For the next, call again with the same arguments "+
		"and cursor %s", from+1, to, cursor)
}

// Argument is the argument of a tool that takes a cursor.
const Argument = "cursor"
