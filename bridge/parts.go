package bridge

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge/internal/content"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/bridge/schema"
)

// This file defines the parts of a result whose text is longer than a model reads at a time. The goal has run once: the
// server keeps what is left, and a cursor leads to it.

// maxParts bounds the bytes of the results whose parts are kept, partsLife how long each is.
const (
	maxParts  = 16 << 20
	partsLife = 15 * time.Minute
	idLength  = 12 // of 60 bits; the seal guards it
)

// keptParts are the results that were too long, the newest last.
type keptParts struct {
	mu   sync.Mutex
	list []*partsOf
	size int
}

// partsOf is one such result. binding tells what the call was about, and for whom.
type partsOf struct {
	id, binding string
	parts       [][]mcp.Content
	// structured is what goes with each part, because the tool has a schema for it, or nil.
	structured any
	size       int
	until      time.Time
}

// put keeps a result and drops those that are too old or too much.
func (k *keptParts) put(p *partsOf) {
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
func (k *keptParts) find(id, binding string, part int) (p *partsOf) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, p := range k.list {
		if p.id == id && p.binding == binding && part < len(p.parts) && time.Now().Before(p.until) {
			return p
		}
	}
	return nil
}

// takesCursor reports whether calls of a tool may have a cursor, unless an argument of its own has that name.
func (t *tool) takesCursor() bool {
	if t.input != nil {
		return !slices.Contains(t.input.Properties(), argCursor)
	}
	for _, p := range t.in {
		if p.Name == argCursor {
			return false
		}
	}
	return true
}

// mayBeLong reports whether results of a tool are likely to be long at times: then its schema has the cursor. A cursor
// is taken even so where a text turns out to be long.
func (t *tool) mayBeLong() bool {
	return t.custom || slices.ContainsFunc(t.out, func(p schema.Param) bool {
		return bytes.Contains(p.Type.Schema(), []byte(`"array"`))
	})
}

// firstPart cuts the text of a result that is too long. What does not fit is kept for later calls. The structured
// content stays whole: it is for programs, and has to be what the tool's schema says.
func (t *tool) firstPart(c *call, r *mcp.CallToolResult) {
	const slack = 1000 // for a note behind a page of solutions
	size := c.job.page.size
	if !c.job.page.parts || textSize(r.Content) <= size+slack {
		return
	}
	p := &partsOf{id: rand.Text()[:idLength], binding: partsBinding(c.job.page.binding, c.job.user),
		parts: splitContent(r.Content, size), size: content.Size(r.Content), until: time.Now().Add(partsLife)}
	if len(p.parts) < 2 {
		return
	}
	if t.listed.OutputSchema != nil {
		p.structured = r.StructuredContent
	}
	c.server.parts.put(p)
	r.Content = c.server.part(p, 0)
}

// partsBinding tells what a call was about, and for whom.
func partsBinding(binding, user string) string { return binding + " part " + user }

// part is the content of a part, with a note how to get the next.
func (s *Server) part(p *partsOf, n int) []mcp.Content {
	if n == len(p.parts)-1 {
		return p.parts[n]
	}
	body := fmt.Sprintf("%s-%d", p.id, n+1)
	note := fmt.Sprintf("This is part %d of %d of the result. For the next, call again with the same arguments and "+
		"cursor %s.%s", n+1, len(p.parts), body, s.cursorSum(body, p.binding))
	return append(slices.Clone(p.parts[n]), content.OfText(note)...)
}

// laterPart is the result for a cursor of a part.
func (s *Server) laterPart(id, binding string, n int) *mcp.CallToolResult {
	p := s.parts.find(id, binding, n)
	if p == nil {
		return refusal.Result("bad_cursor", "The rest of this result is no longer kept; call without cursor for the result "+
			"anew.")
	}
	return &mcp.CallToolResult{Content: s.part(p, n), StructuredContent: p.structured}
}

// openPart reads a cursor of a part. ok says that it is one.
func (s *Server) openPart(text, binding string) (id string, part int, ok bool) {
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

// cutAt is where to cut a text that has more than most bytes: behind a line near the end, or else between two
// characters.
func cutAt(text string, most int) int {
	if at := strings.LastIndexByte(text[:most], '\n'); at >= most/2 {
		return at + 1
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return most
}
