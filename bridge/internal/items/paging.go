package items

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"github.com/mcplogic/mcplogic/bridge/internal/sealed"
	"github.com/mcplogic/mcplogic/bridge/schema"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines which tools have results of several pages or parts, and the argument that takes a cursor.

// cursorType is the type of that argument.
var cursorType = func() *schema.Type {
	typ, err := (&schema.Codec{}).ParseType(term.Atom("string"))
	if err != nil {
		panic("bridge: " + err.Error())
	}
	return typ
}()

// pages reports whether calls of a tool can go on behind the solutions of one before. Tools that ask their user, or
// have a schema of their own, have all in one result.
func (t *Tool) pages() bool {
	return t.All && len(t.out) > 0 && !t.asks && t.input == nil && t.output == nil && t.takesCursor()
}

// pageParams are the inputs of a tool as clients see them.
func (t *Tool) pageParams() schema.Params {
	if !t.pages() && !(t.mayBeLong() && t.takesCursor()) {
		return t.in
	}
	what := "the next part of a long result"
	if t.pages() {
		what = "further solutions"
	}
	return append(t.in[:len(t.in):len(t.in)], schema.Param{Name: sealed.Argument, Type: cursorType, Optional: true,
		Description: "For " + what + ": the cursor of the result before, with the same arguments. Else leave it out."})
}

// CutCursor takes the cursor out of the arguments of a call. It returns "" if there is none.
func (t *Tool) CutCursor(raw json.RawMessage) (cursor string, rest json.RawMessage, err error) {
	if !t.takesCursor() || !bytes.Contains(raw, []byte(`"`+sealed.Argument+`"`)) {
		return "", raw, nil
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil || members[sealed.Argument] == nil {
		return "", raw, nil // whatever it is, others say so
	}
	var text *string
	if json.Unmarshal(members[sealed.Argument], &text) != nil {
		return "", nil, errors.New("cursor: expected a string")
	}
	delete(members, sealed.Argument)
	rest, err = json.Marshal(members)
	if text == nil {
		return "", rest, err
	}
	return *text, rest, err
}

// takesCursor reports whether calls of a tool may have a cursor, unless an argument of its own has that name.
func (t *Tool) takesCursor() bool {
	if t.input != nil {
		return !slices.Contains(t.input.Properties(), sealed.Argument)
	}
	for _, p := range t.in {
		if p.Name == sealed.Argument {
			return false
		}
	}
	return true
}

// mayBeLong reports whether results of a tool are likely to be long at times: then its schema has the cursor. A cursor
// is taken even so where a text turns out to be long.
func (t *Tool) mayBeLong() bool {
	return t.custom || slices.ContainsFunc(t.out, func(p schema.Param) bool {
		return bytes.Contains(p.Type.Schema(), []byte(`"array"`))
	})
}
