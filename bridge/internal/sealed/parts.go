// Package sealed has the data that clients keep for a server: the states of waiting calls, and the cursors of further
// pages and parts of results. A [Key] seals the data, so that it cannot be forged. Servers with the same key accept
// each other's data. Goroutines may share all types of the package.
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
	"hash"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/content"
	"github.com/mcplogic/mcplogic/bridge/internal/dialogue"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/internal/schema"
)

// This file defines the parts of a result that is longer than a model reads at a time. It also defines the seal and
// what a client keeps of a call of several rounds. The goal runs only once: the server keeps the rest of the result,
// and a cursor leads to it.

// maxParts bounds the bytes of the results whose parts are kept. partsLife is how long a result is kept.
const (
	maxParts  = 16 << 20
	partsLife = 15 * time.Minute
	idLength  = 12 // of 60 bits; the seal guards it
)

// Parts keeps the results that were too long, the newest last.
type Parts struct {
	seal Key

	mu   sync.Mutex
	list []*partsOf
	size int
}

// partsOf is one such result. binding identifies the call and its user.
type partsOf struct {
	id, binding string
	parts       [][]mcp.Content
	// structured is what goes with each part, or nil.
	structured []any
	size       int
	until      time.Time
}

// NewParts returns an empty store of parts. It seals their cursors with a key.
func NewParts(key Key) *Parts { return &Parts{seal: key} }

// put keeps a result and drops older ones that have expired or exceed the bound.
func (k *Parts) put(p *partsOf) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.list = append(k.list, p)
	k.size += p.size
	now := time.Now()
	for len(k.list) > 1 && (k.size > maxParts || now.After(k.list[0].until)) {
		k.size -= k.list[0].size
		k.list = slices.Delete(k.list, 0, 1)
	}
}

// find returns the result that has a part, or nil.
func (k *Parts) find(id, binding string, part int) (p *partsOf) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, p := range k.list {
		if p.id == id && p.binding == binding && part < len(p.parts) && time.Now().Before(p.until) {
			return p
		}
	}
	return nil
}

// Cut cuts a result that is longer than the page has, keeps what does not fit for later calls, and returns the result
// with the first part. Structured content is cut so that each part fits the schema of the tool, which is nil if the
// tool has none. If it cannot be cut, it stays whole and, if there is a schema, is in each part.
func (k *Parts) Cut(r *mcp.CallToolResult, on *Page, user string, of json.RawMessage) {
	const slack = 1000 // for a note behind a page of solutions
	raw, _ := r.StructuredContent.(json.RawMessage)
	if !on.Parts || max(textSize(r.Content), len(raw)) <= on.Size+slack {
		return
	}
	p := &partsOf{id: rand.Text()[:idLength], binding: PartsBinding(on.Binding, user),
		size: content.Size(r.Content), until: time.Now().Add(partsLife)}
	var objects []schema.Object
	var after schema.Object
	most := on.Size
	if len(raw) > on.Size+slack {
		objects, after = splitStructure(raw, on)
		if n := len(objects); n > 1 { // text and structure have the same contents, and end together
			most = min(most, textSize(r.Content)/n+slack)
			p.size += len(raw)
		}
	}
	p.parts = splitContent(r.Content, max(most, 1))
	for len(objects) > 1 && len(objects) < len(p.parts) {
		objects = append(objects, after)
	}
	for len(p.parts) < len(objects) {
		p.parts = append(p.parts, nil)
	}
	if len(p.parts) < 2 {
		return
	}
	if p.structured = k.structures(p, objects, of); p.structured == nil && of != nil {
		p.structured = slices.Repeat([]any{r.StructuredContent}, len(p.parts))
	}
	k.put(p)
	r.Content = k.part(p, 0)
	if p.structured != nil {
		r.StructuredContent = p.structured[0]
	}
}

// structures returns the objects with their notes, or nil if they do not fit the schema.
func (k *Parts) structures(p *partsOf, objects []schema.Object, of json.RawMessage) []any {
	if len(objects) < 2 {
		return nil
	}
	var list []json.RawMessage
	for n, o := range objects {
		if n < len(objects)-1 {
			o = addNote(o, fmt.Sprintf("This is part %d of %d: long lists and texts go on in the next. For it, call again "+
				"with the same arguments and this cursor.", n+1, len(objects)), k.cursor(p, n+1))
		}
		list = append(list, o.JSON())
	}
	if !fits(list, of) {
		return nil
	}
	all := make([]any, len(list))
	for i, raw := range list {
		all[i] = raw
	}
	return all
}

// cursor leads to a part.
func (k *Parts) cursor(p *partsOf, n int) string {
	body := fmt.Sprintf("%s-%d", p.id, n)
	return body + "." + k.seal.cursorSum(body, p.binding)
}

// PartsBinding identifies a call and its user.
func PartsBinding(binding, user string) string { return binding + " part " + user }

// part is the content of a part, with a note on how to get the next.
func (k *Parts) part(p *partsOf, n int) []mcp.Content {
	if n == len(p.parts)-1 {
		return p.parts[n]
	}
	note := fmt.Sprintf("This is part %d of %d of the result. For the next, call again with the same arguments and "+
		"cursor %s", n+1, len(p.parts), k.cursor(p, n+1))
	return append(slices.Clone(p.parts[n]), content.OfText(note)...)
}

// Later is the result for a cursor of a part.
func (k *Parts) Later(id, binding string, n int) *mcp.CallToolResult {
	p := k.find(id, binding, n)
	if p == nil {
		return refusal.Result("bad_cursor", "The rest of this result is no longer kept; call without cursor for the result "+
			"anew.")
	}
	r := &mcp.CallToolResult{Content: k.part(p, n)}
	if p.structured != nil {
		r.StructuredContent = p.structured[n]
	}
	return r
}

// OpenPart reads the cursor of a part. ok is false for other cursors.
func (s Key) OpenPart(text, binding string) (id string, part int, ok bool) {
	body, ok := s.unsealCursor(text, binding)
	if !ok {
		return "", 0, false
	}
	id, number, _ := strings.Cut(body, "-")
	if n, _ := fmt.Sscanf(number, "%d", &part); n != 1 || len(id) != idLength || part < 0 {
		return "", 0, false
	}
	return id, part, true
}

// textSize is the length of the texts among content items.
func textSize(content []mcp.Content) (n int) {
	for _, item := range content {
		if text, ok := item.(*mcp.TextContent); ok {
			n += len(text.Text)
		}
	}
	return n
}

// splitContent splits content into parts whose texts have at most so many bytes. Other items stay where they are
// among the texts.
func splitContent(content []mcp.Content, most int) (parts [][]mcp.Content) {
	var part []mcp.Content
	left := most
	next := func() {
		parts, part, left = append(parts, part), nil, most
	}
	for _, item := range content {
		whole, ok := item.(*mcp.TextContent)
		if !ok {
			part = append(part, item)
			continue
		}
		for text := whole.Text; ; next() {
			if len(text) <= left {
				one := *whole
				one.Text = text
				part, left = append(part, &one), left-len(text)
				break
			}
			at := cutAt(text, left)
			if at == 0 && len(part) > 0 {
				continue // it begins the next part
			}
			one := *whole
			one.Text = text[:max(at, 1)]
			part, text = append(part, &one), text[max(at, 1):]
		}
	}
	return append(parts, part)
}

// cutAt is where to cut a text of more than `most` bytes: after a line near the end, or else between two characters.
func cutAt(text string, most int) int {
	if at := strings.LastIndexByte(text[:most], '\n'); at >= most/2 {
		return at + 1
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return most
}

// This part defines the pages of results: a call returns as many solutions as a model can read at a time, and a cursor
// with which the same call continues after them.

// Page says which solutions a call returns: after the first skip ones, up to limit solutions whose text has at most
// size bytes. The skipped solutions have to have the digest, unless it is "". pages says that a cursor for more
// solutions may follow for this binding. parts says that a cursor for more of the text may follow.
type Page struct {
	Pages, Parts      bool
	Skip, Limit, Size int
	Digest            string
	Binding           string
}

// DefaultText is how many bytes the text of the solutions in one result has at most. Clients cut longer texts, or put
// them where a model does not look.
const DefaultText = 50_000

// The error of a cursor that is damaged, forged or of another call, and the error of a cursor whose skipped solutions
// have changed.
var (
	errBadCursor = errors.New("this is no cursor of a result of this tool with these arguments; copy it exactly, and " +
		"give the same arguments, or call without cursor for the first solutions")
	ErrOldCursor = errors.New("the solutions before this cursor are no longer the same, so that there is no going on " +
		"behind them; call without cursor for the first solutions")
)

// OpenCursor returns how many solutions a cursor skips, and their digest. binding is the binding of the call.
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

// unsealCursor checks the seal of a cursor for a call and returns the cursor's contents.
func (s Key) unsealCursor(text, binding string) (body string, ok bool) {
	body, sum, _ := strings.Cut(text, ".")
	return body, hmac.Equal([]byte(sum), []byte(s.cursorSum(body, binding)))
}

// Cursor returns the cursor with which a call continues after some solutions. It has their number, their digest, and a
// seal over both and the call. It is short, since models have to copy it. It is valid on every server with the sealing
// key, as long as the skipped solutions are the same.
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
	const length = 8 // 48 bits: the digest only detects changes, the seal prevents forgeries
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

// This part defines how structured content is cut into parts. Each part is an object of the same form. Short members
// are in each part; long arrays and texts continue from part to part.

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
	Asked   []Asked          `json:"q"`
	Seen    string           `json:"s,omitempty"`
	Now     time.Time        `json:"n"`
	Seed    string           `json:"c"`
	Expires time.Time        `json:"e"`
}

// Asked notes a question that was asked, by its Key and Digest, and how many answers so far did not fit.
type Asked struct {
	dialogue.Reply
	Misfits int `json:"m,omitempty"`
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
	if d.Decode(&value) == nil {
		args, _ = json.Marshal(value) // was JSON a moment ago
	}
	if members, ok := value.(map[string]any); value == nil || ok && len(members) == 0 {
		args = nil // a call with a cursor alone is as one without arguments
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s", kind, name, args))
	return base64URL.EncodeToString(sum[:])
}
