// Package content turns terms into the content items of messages and back: results, prompts, and messages to a
// client's model.
package content

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/schema"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines content items: their terms, sizes and texts for people. It also defines the texts of terms for
// clients, and helpers that take terms apart.

// Form is a term that stands for a content item.
type Form struct {
	Name  string
	Arity int
	// Where says which holders may hold the item.
	Where Holder
	// read makes the item from the arguments.
	read func(codec *schema.Codec, args []engine.Term) (mcp.Content, error)
}

// Holder is what holds content items; holders may be combined.
type Holder int

// The holders of items.
const (
	InResults  Holder = 1 << iota // results of tools, and prompts
	InMessages                    // messages to a client's model
)

// Forms lists the terms of content items. It is filled by init because results of tools hold items again.
var Forms []Form

func init() {
	Forms = []Form{
		{"text", 1, InResults | InMessages, textItem},
		{"error", 1, InResults, textItem},
		{"image", 2, InResults | InMessages, imageItem},
		{"audio", 2, InResults | InMessages, audioItem},
		{"resource_link", 2, InResults, linkItem},
		{"resource_link", 4, InResults, linkItem},
		{"resource", 3, InResults, resourceItem},
		{"blob", 3, InResults, blobItem},
		{"tool_use", 3, InMessages, toolUseItem},
		{"tool_result", 2, InMessages, toolResultItem},
	}
}

// kind has the functions for one Go type of content items.
type kind struct {
	// is reports whether an item is of the type. The functions below are called with such items only.
	is func(mcp.Content) bool
	// size is the number of bytes of its texts and data.
	size func(mcp.Content) int
	// show is the item as text for people.
	show func(mcp.Content) string
	// write makes a term from an item that a model has sent. nil: models do not send such items.
	write func(*schema.Codec, mcp.Content) (engine.Term, error)
}

// kinds lists the types whose size or text is not that of their JSON, and those that models send.
var kinds = []kind{
	kindOf(
		func(c *mcp.TextContent) int { return len(c.Text) },
		func(c *mcp.TextContent) string { return c.Text },
		func(_ *schema.Codec, c *mcp.TextContent) (engine.Term, error) {
			return term.New("text", term.Atom(c.Text)), nil
		}),
	kindOf(
		func(c *mcp.ImageContent) int { return len(c.Data) + len(c.MIMEType) },
		func(c *mcp.ImageContent) string { return showData("image "+c.MIMEType, c.Data) },
		func(_ *schema.Codec, c *mcp.ImageContent) (engine.Term, error) {
			return dataTerm("image", c.Data, c.MIMEType), nil
		}),
	kindOf(
		func(c *mcp.AudioContent) int { return len(c.Data) + len(c.MIMEType) },
		func(c *mcp.AudioContent) string { return showData("audio "+c.MIMEType, c.Data) },
		func(_ *schema.Codec, c *mcp.AudioContent) (engine.Term, error) {
			return dataTerm("audio", c.Data, c.MIMEType), nil
		}),
	kindOf(
		func(c *mcp.ResourceLink) int { return jsonSize(c) },
		func(c *mcp.ResourceLink) string { return fmt.Sprintf("[%s: %s]", c.Name, c.URI) },
		nil),
	kindOf(
		func(c *mcp.EmbeddedResource) int { return ResourceSize(c.Resource) },
		func(c *mcp.EmbeddedResource) string { return showResource(c.Resource) },
		nil),
	kindOf(
		func(c *mcp.ToolUseContent) int { return jsonSize(c) },
		func(c *mcp.ToolUseContent) string { return showJSON(c) },
		toolUseTerm),
}

// kindOf makes the row of a type from functions over it. write may be nil.
func kindOf[C mcp.Content](size func(C) int, show func(C) string,
	write func(*schema.Codec, C) (engine.Term, error)) kind {
	k := kind{
		is:   func(item mcp.Content) bool { _, ok := item.(C); return ok },
		size: func(item mcp.Content) int { return size(item.(C)) },
		show: func(item mcp.Content) string { return show(item.(C)) },
	}
	if write != nil {
		k.write = func(codec *schema.Codec, item mcp.Content) (engine.Term, error) { return write(codec, item.(C)) }
	}
	return k
}

// unknownKind is the kind of all other items.
var unknownKind = kind{size: jsonSize, show: showJSON}

func kindOfItem(item mcp.Content) kind {
	for _, k := range kinds {
		if k.is(item) {
			return k
		}
	}
	return unknownKind
}

// ItemOverhead is about what the JSON of an item takes besides its texts and data.
const ItemOverhead = len(`{"type":"text","text":""}`)

// Size estimates the bytes that content items take in a message.
func Size(items []mcp.Content) int {
	n := 0
	for _, item := range items {
		n += ItemOverhead + kindOfItem(item).size(item)
	}
	return n
}

// ResourceSize is the number of bytes of the texts and data of a resource.
func ResourceSize(r *mcp.ResourceContents) int {
	return len(r.URI) + len(r.MIMEType) + len(r.Text) + len(r.Blob)
}

// jsonSize is the number of bytes of an item's JSON. Items are texts and data, which can be encoded.
func jsonSize(item mcp.Content) int { return len(showJSON(item)) }

// showJSON is the JSON of an item, or "" if it has none.
func showJSON(item mcp.Content) string {
	data, err := json.Marshal(item)
	if err != nil {
		return ""
	}
	return string(data)
}

// Print returns the text of content items for people, each on separate lines. Data is named, not printed.
func Print(w io.Writer, items []mcp.Content) {
	for _, item := range items {
		fmt.Fprintln(w, kindOfItem(item).show(item))
	}
}

func showData(what string, data []byte) string {
	return fmt.Sprintf("[%s, %s]", what, spell.Count(len(data), "byte"))
}

func showResource(r *mcp.ResourceContents) string {
	if r.Blob != nil {
		return showData(r.URI+" "+r.MIMEType, r.Blob)
	}
	return r.Text
}

// Read converts the term of a content item that the holder may hold.
func Read(codec *schema.Codec, item engine.Term, where Holder) (mcp.Content, error) {
	name, args := Split(item)
	for _, f := range Forms {
		if f.Name != name || f.Arity != len(args) || f.Where&where == 0 {
			continue
		}
		made, err := f.read(codec, args)
		if err != nil {
			return nil, fmt.Errorf("content item %s/%d: %w", name, len(args), err)
		}
		return made, nil
	}
	if where == InMessages {
		return nil, fmt.Errorf("a message to a model holds %s, got %s", formNames(where), Show(item))
	}
	var names []string
	for _, f := range Forms {
		if f.Where&where != 0 {
			names = append(names, f.Name)
		}
	}
	return nil, fmt.Errorf("unknown result or content item: %s%s", Show(item), spell.Hint(name, names))
}

// formNames lists the terms that a holder may hold.
func formNames(where Holder) string {
	var names []string
	for _, f := range Forms {
		if f.Where&where != 0 {
			names = append(names, fmt.Sprintf("%s/%d", f.Name, f.Arity))
		}
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// ReadItems makes a result from a list of content items.
func ReadItems(codec *schema.Codec, list engine.Term) (*mcp.CallToolResult, error) {
	items, ok := term.Slice(list)
	if !ok {
		return nil, fmt.Errorf("the result has to have a list of content items, it has %s", Show(list))
	}
	r := &mcp.CallToolResult{Content: make([]mcp.Content, 0, len(items))}
	for _, item := range items {
		made, err := Read(codec, item, InResults)
		if err != nil {
			return nil, err
		}
		name, _ := Split(item)
		r.IsError = r.IsError || name == "error"
		r.Content = append(r.Content, made)
	}
	return r, nil
}

// Write returns the term of a content item that a model has sent.
func Write(codec *schema.Codec, item mcp.Content) (engine.Term, error) {
	if write := kindOfItem(item).write; write != nil {
		return write(codec, item)
	}
	return nil, fmt.Errorf("content of type %T is not understood", item)
}

func textItem(_ *schema.Codec, args []engine.Term) (mcp.Content, error) {
	return &mcp.TextContent{Text: Text(args[0])}, nil
}

func imageItem(_ *schema.Codec, args []engine.Term) (mcp.Content, error) {
	data, err := Base64(args[0])
	return &mcp.ImageContent{Data: data, MIMEType: Text(args[1])}, err
}

func audioItem(_ *schema.Codec, args []engine.Term) (mcp.Content, error) {
	data, err := Base64(args[0])
	return &mcp.AudioContent{Data: data, MIMEType: Text(args[1])}, err
}

func linkItem(_ *schema.Codec, args []engine.Term) (mcp.Content, error) {
	link := &mcp.ResourceLink{URI: Text(args[0]), Name: Text(args[1])}
	if len(args) == 4 {
		link.Description, link.MIMEType = Text(args[2]), Text(args[3])
	}
	return link, nil
}

func resourceItem(_ *schema.Codec, args []engine.Term) (mcp.Content, error) {
	return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{
		URI: Text(args[0]), MIMEType: Text(args[1]), Text: Text(args[2])}}, nil
}

func blobItem(_ *schema.Codec, args []engine.Term) (mcp.Content, error) {
	data, err := Base64(args[2])
	return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{
		URI: Text(args[0]), MIMEType: Text(args[1]), Blob: data}}, err
}

// toolUseItem reads tool_use(ID, Name, Input).
func toolUseItem(codec *schema.Codec, args []engine.Term) (mcp.Content, error) {
	raw, err := codec.ToJSON(args[2], nil)
	if err != nil {
		return nil, err
	}
	use := &mcp.ToolUseContent{ID: Text(args[0]), Name: Text(args[1])}
	if err := json.Unmarshal(raw, &use.Input); err != nil {
		return nil, fmt.Errorf("the input of tool_use has to be an object, it is %s", Show(args[2]))
	}
	return use, nil
}

// toolUseTerm is tool_use(ID, Name, Input).
func toolUseTerm(codec *schema.Codec, use *mcp.ToolUseContent) (engine.Term, error) {
	raw, err := json.Marshal(use.Input)
	if err != nil {
		return nil, err
	}
	input, err := codec.FromJSON(raw, nil)
	if err != nil {
		return nil, err
	}
	return term.New("tool_use", term.Atom(use.ID), term.Atom(use.Name), input), nil
}

// toolResultItem reads tool_result(ID, Items).
func toolResultItem(codec *schema.Codec, args []engine.Term) (mcp.Content, error) {
	r, err := ReadItems(codec, args[1])
	if err != nil {
		return nil, err
	}
	return &mcp.ToolResultContent{ToolUseID: Text(args[0]), Content: r.Content, IsError: r.IsError}, nil
}

// Base64 decodes base64, with or without padding and line breaks.
func Base64(x engine.Term) ([]byte, error) {
	text := strings.TrimRight(strings.Join(strings.Fields(Text(x)), ""), "=")
	data, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return nil, errors.New("the data is not base64")
	}
	return data, nil
}

func dataTerm(name term.Atom, data []byte, mime string) engine.Term {
	return term.New(name, term.Atom(base64.StdEncoding.EncodeToString(data)), term.Atom(mime))
}

// OfText returns a text content item.
func OfText(text string) []mcp.Content {
	return []mcp.Content{&mcp.TextContent{Text: strings.ToValidUTF8(text, "\uFFFD")}}
}

// MaxShown bounds the parts of a term that is shown in full. A larger term is not readable, and if it shares parts its
// text may exceed any memory.
const MaxShown = 100_000

// Text is the text of an atom or string, and other terms as write/1 shows them.
func Text(x engine.Term) string {
	if text, ok := term.Text(x); ok {
		return strings.ToValidUTF8(text, "\uFFFD")
	}
	if !schema.Within(x, MaxShown) {
		return schema.Summary(x)
	}
	return inspect.FormatText(x)
}

// Show is a term as text for a message, cut if it is long.
func Show(x engine.Term) string { return ShowWith(engine.FormatTerm, x) }

// ShowWith is Show with another writer.
func ShowWith(format func(engine.Term) string, x engine.Term) string {
	if !schema.Within(x, 10_000) {
		return schema.Summary(x)
	}
	const most = 2000
	text := []rune(format(x))
	if len(text) > most {
		return string(text[:most]) + "..."
	}
	return string(text)
}

// Split returns the functor and arguments of a compound, and "" for other terms.
func Split(x engine.Term) (name string, args []engine.Term) {
	if c, ok := x.(*term.Compound); ok {
		return string(c.Functor), c.Args
	}
	return "", nil
}

// Message takes message(Role, Content) apart.
func Message(x engine.Term) (mcp.Role, engine.Term, error) {
	args, ok := term.Is(x, "message", 2)
	if !ok {
		return "", nil, fmt.Errorf("expected message(Role, Content), got %s", Show(x))
	}
	role := Text(args[0])
	if role != "user" && role != "assistant" {
		return "", nil, fmt.Errorf("the role of a message has to be user or assistant, it is %s", Show(args[0]))
	}
	return mcp.Role(role), args[1], nil
}

// Number returns a number as a float.
func Number(x engine.Term) (float64, error) {
	switch n := x.(type) {
	case term.Int:
		return float64(n), nil
	case term.Float:
		return float64(n), nil
	}
	return 0, engine.TermError("type_error", "number", x)
}
