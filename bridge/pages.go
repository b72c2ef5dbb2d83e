package bridge

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"strings"

	"github.com/mcplogic/mcplogic/bridge/schema"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the pages of results: a call returns the solutions that a model can read at a time, and a cursor
// with which the same call goes on behind them.

// page says which solutions a call returns: those behind the first skip ones, up to limit of them, as long as their
// text has at most size bytes. Those that are skipped have to have this digest, unless it is "". pages says that a
// cursor for more solutions may follow for this binding, parts that one for more of the text may.
type page struct {
	pages, parts      bool
	skip, limit, size int
	digest            string
	binding           string
}

// defaultText is how many bytes the text of the solutions in one result has at most. Clients cut longer texts, or put
// them where a model does not look.
const defaultText = 50_000

// argCursor is the argument of a tool that takes a cursor.
const argCursor = "cursor"

// textType is the type of that argument, and of what is said besides outputs.
var textType = func() *schema.Type {
	typ, err := (&schema.Codec{}).ParseType(term.Atom("string"))
	if err != nil {
		panic("bridge: " + err.Error())
	}
	return typ
}()

// pages reports whether calls of a tool can go on behind the solutions of one before. Tools that ask their user, or
// have a schema of their own, have all in one result.
func (t *tool) pages() bool {
	return t.All && len(t.out) > 0 && !t.asks && t.input == nil && t.output == nil && t.takesCursor()
}

// pageParams are the inputs of a tool as clients see them.
func (t *tool) pageParams() schema.Params {
	if !t.pages() && !(t.mayBeLong() && t.takesCursor()) {
		return t.in
	}
	what := "the next part of a long result"
	if t.pages() {
		what = "further solutions"
	}
	return append(t.in[:len(t.in):len(t.in)], schema.Param{Name: argCursor, Type: textType, Optional: true,
		Description: "For " + what + ": the cursor of the result before, with the same arguments. Else leave it out."})
}

// cutCursor takes the cursor out of the arguments of a call. It returns "" if there is none.
func (t *tool) cutCursor(raw json.RawMessage) (cursor string, rest json.RawMessage, err error) {
	if !t.takesCursor() || !bytes.Contains(raw, []byte(`"`+argCursor+`"`)) {
		return "", raw, nil
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil || members[argCursor] == nil {
		return "", raw, nil // whatever it is, others say so
	}
	var text *string
	if json.Unmarshal(members[argCursor], &text) != nil {
		return "", nil, errors.New("cursor: expected a string")
	}
	delete(members, argCursor)
	rest, err = json.Marshal(members)
	if text == nil {
		return "", rest, err
	}
	return *text, rest, err
}

// The errors of a cursor that is damaged, made up or of another call, and of one before which solutions have changed.
var (
	errBadCursor = errors.New("this is no cursor of a result of this tool with these arguments; copy it exactly, and " +
		"give the same arguments, or call without cursor for the first solutions")
	errOldCursor = errors.New("the solutions before this cursor are no longer the same, so that there is no going on " +
		"behind them; call without cursor for the first solutions")
)

// openCursor returns how many solutions a cursor skips and the digest of those. binding is that of the call.
func (s *Server) openCursor(text, binding string) (skip int, digest string, err error) {
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
func (s *Server) unsealCursor(text, binding string) (body string, ok bool) {
	body, sum, _ := strings.Cut(text, ".")
	return body, hmac.Equal([]byte(sum), []byte(s.cursorSum(body, binding)))
}

// cursor returns the cursor with which a call goes on behind some solutions: how many they are, a digest of them, and a
// seal of that and of the call. It is short, since models have to copy it. It is good on every server that has the
// sealing key, as long as the solutions that it skips are the same.
func (c *call) cursor(skip int, digest string) string {
	body := fmt.Sprintf("%x-%s", skip, digest)
	return body + "." + c.server.cursorSum(body, c.job.page.binding)
}

// cursorSum is the seal of a cursor for a call.
func (s *Server) cursorSum(body, binding string) string {
	const length = 16 // 96 bits
	return s.seal.sum("cursor " + body + " " + binding)[:length]
}

// rowsDigest is a digest of solutions, each of which is added as its JSON.
type rowsDigest struct{ hash.Hash }

func newRowsDigest() rowsDigest { return rowsDigest{sha256.New()} }

func (d rowsDigest) add(row json.RawMessage) {
	_, _ = d.Write(row) // never fails
	_, _ = d.Write([]byte{0})
}

func (d rowsDigest) text() string {
	const length = 8 // 48 bits: it is to notice changes, the seal guards against forgeries
	return base64URL.EncodeToString(d.Sum(nil))[:length]
}

// pageNote tells a model how to get further solutions.
func pageNote(from, to int, cursor string) string {
	if cursor == "" {
		return fmt.Sprintf("There are more solutions; these are the first %d, the limit on solutions of one call.", to)
	}
	return fmt.Sprintf("There are more solutions; these are %d to %d. For the next, call again with the same arguments "+
		"and cursor %s", from+1, to, cursor)
}
