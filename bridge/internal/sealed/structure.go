package sealed

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/mcplogic/mcplogic/internal/schema"
)

// This file defines how structured content is cut into parts. Each part is an object of the same form: what is short
// stands in each, while long arrays and texts go on from part to part.

const (
	// A value of up to so many bytes of JSON is repeated in each part.
	shortValue = 1000
	// Values that are nested deeper are not cut.
	cutDepth = 5
)

// The members of the object at the top by which a part says that there are more.
const (
	memberNote   = "note"
	memberCursor = Argument
)

// node is a value of structured content. At most one of object, array and text is set, and only if the value is long.
type node struct {
	raw    json.RawMessage
	object []namedNode
	array  []*node
	text   string
	// given is how many elements of the array, or bytes of the text, the parts before had.
	given int
}

type namedNode struct {
	name string
	*node
}

// readNode reads a value down to a depth.
func readNode(raw json.RawMessage, depth int) *node {
	n := &node{raw: raw}
	if len(raw) <= shortValue || depth == 0 {
		return n
	}
	switch raw[0] {
	case '"':
		_ = json.Unmarshal(raw, &n.text) // it is valid
	case '[':
		var list []json.RawMessage
		_ = json.Unmarshal(raw, &list)
		for _, item := range list {
			n.array = append(n.array, readNode(item, depth-1))
		}
	case '{':
		d := json.NewDecoder(bytes.NewReader(raw))
		_, _ = d.Token()
		for d.More() {
			name, _ := d.Token()
			var value json.RawMessage
			_ = d.Decode(&value)
			n.object = append(n.object, namedNode{name.(string), readNode(value, depth-1)})
		}
	}
	return n
}

// fixed is how many bytes of the value each part has.
func (n *node) fixed() (size int) {
	switch {
	case n.array != nil || n.text != "":
		return len(`[]`)
	case n.object == nil:
		return len(n.raw)
	}
	for _, m := range n.object {
		size += len(m.name) + len(`"":,`) + m.fixed()
	}
	return size
}

// over reports whether the parts so far have all of the value.
func (n *node) over() bool {
	switch {
	case n.array != nil:
		return n.given == len(n.array)
	case n.text != "":
		return n.given == len(n.text)
	}
	for _, m := range n.object {
		if !m.over() {
			return false
		}
	}
	return true
}

// next returns what the next part has of the value. It takes what it adds to the fixed bytes from left, of which there
// are most where nothing has been taken.
func (n *node) next(left *int, most int) any {
	switch {
	case n.array != nil:
		return n.nextElements(left, most)
	case n.text != "":
		return n.nextText(left)
	case n.object == nil:
		return n.raw
	}
	o := schema.Object{}
	for _, m := range n.object {
		o = o.With(m.name, m.next(left, most))
	}
	return o
}

// nextElements returns the elements that there is room for. One that has no room in a whole part is cut itself.
func (n *node) nextElements(left *int, most int) []any {
	list := []any{}
	for n.given < len(n.array) {
		item := n.array[n.given]
		size := len(item.raw) + 1
		switch fixed := item.fixed(); {
		case size <= *left || *left == most && fixed > most/2: // the second has more than a part, and cannot be cut
			*left -= size
			list = append(list, item.raw)
			n.given++
		case *left < most:
			return list
		default:
			*left -= fixed
			list = append(list, item.next(left, *left))
			if !item.over() {
				*left = 0
				return list
			}
			n.given++
		}
	}
	return list
}

func (n *node) nextText(left *int) string {
	rest := n.text[n.given:]
	at := min(len(rest), max(*left, 0))
	for at > 0 {
		if at < len(rest) {
			at = cutAt(rest, at)
		}
		size := len(schema.Object{}.With("", rest[:at]).JSON()) - len(`{"":""}`)
		if size <= *left {
			*left -= size
			break
		}
		at = min(at-1, at**left/size) // escapes take more than a byte
	}
	n.given += at
	return rest[:at]
}

// splitStructure cuts an object into parts of about the size of a page. It returns nil if that cannot be done, and what
// is behind the last part.
func splitStructure(raw json.RawMessage, on *Page) (parts []schema.Object, after schema.Object) {
	root := readNode(raw, cutDepth)
	left := on.Size - root.fixed()
	if root.object == nil || root.over() || left < on.Size/2 {
		return nil, nil
	}
	for _, m := range root.object {
		if !on.Pages && (m.name == memberNote || m.name == memberCursor) { // a value of the rules
			return nil, nil
		}
	}
	for !root.over() {
		room := left
		parts = append(parts, root.next(&room, left).(schema.Object))
		if len(parts) > 16+4*len(raw)/on.Size { // texts of escapes in parts that are too small for them
			return nil, nil
		}
	}
	room := 0
	return parts, root.next(&room, left).(schema.Object)
}

// fits reports whether parts are of the schema of the whole.
func fits(parts []json.RawMessage, of json.RawMessage) bool {
	if of == nil {
		return true
	}
	s, err := schema.Compile(of)
	if err != nil {
		return false
	}
	for _, part := range parts {
		if s.Validate(part) != nil {
			return false
		}
	}
	return true
}

// addNote says in structured content that it is a part, and how to get the next. A note that it has comes first.
func addNote(o schema.Object, note, cursor string) schema.Object {
	if had, ok := o.Get(memberNote); ok {
		if raw, ok := had.(json.RawMessage); ok {
			var text string
			if json.Unmarshal(raw, &text) == nil {
				note = strings.TrimSpace(text) + "\n" + note
			}
		}
	}
	return o.With(memberNote, note).With(memberCursor, cursor)
}
