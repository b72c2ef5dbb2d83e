// Package questions asks the person at a terminal what a goal asks its client.
package questions

//lint:file-ignore SA1019 2026-07-28 deprecates sampling, but goals may ask a model all the same.

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/internal/schema"
)

// This file defines how the questions of a goal are asked on a terminal.

// Property is the part of a schema that matters for asking for one value. Titles of choices are in EnumNames for older
// versions of the protocol, in OneOf for newer ones, and in AnyOf for a choice of several.
type Property struct {
	// Type is a string, or a list where a schema allows several types. A list counts as no type: the answer is taken as
	// JSON if it is JSON.
	Type        any               `json:"type"`
	Title       string            `json:"title"`
	Description string            `json:"description"`
	Enum        []json.RawMessage `json:"enum"`
	EnumNames   []string          `json:"enumNames"`
	OneOf       []choice          `json:"oneOf"`
	AnyOf       []choice          `json:"anyOf"`
	Items       *Property         `json:"items"`
	// Default is nil if there is none. An empty line then leaves out an optional value, and a required one is asked for
	// again.
	Default json.RawMessage `json:"default"`
}

// choice is a value with a title.
type choice struct {
	Const json.RawMessage `json:"const"`
	Title string          `json:"title"`
}

// choices returns the values to choose from, with what people see of them. It returns none if other values
// are possible too.
func (p Property) choices() []choice {
	list := append(slices.Clone(p.OneOf), p.AnyOf...)
	for i, value := range p.Enum {
		c := choice{Const: value, Title: cli.Unquoted(value)}
		if i < len(p.EnumNames) {
			c.Title = p.EnumNames[i]
		}
		list = append(list, c)
	}
	if p.Type == "boolean" {
		list = []choice{{json.RawMessage("true"), "yes"}, {json.RawMessage("false"), "no"}}
	}
	return slices.DeleteFunc(list, func(c choice) bool { return c.Const == nil })
}

// Raw returns a text as JSON. A text that is JSON already stays as it is, unless the type wants a string:
// 20 is a number for one property and a text for another. Any other text becomes a string.
func (p Property) Raw(text string) json.RawMessage {
	if p.Type != "string" && json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	raw, _ := json.Marshal(text) // a string always has JSON
	return raw
}

// field is one value that a form asks for.
type field struct {
	Property
	name     string
	required bool
	// alone is the schema of an object of this field, nil when it cannot stand alone.
	alone *schema.Schema
}

// fieldsOf returns the fields of a form in the order of its schema. It decodes the members one by one, because a Go map
// has no order.
func fieldsOf(form any) ([]field, error) {
	var object struct {
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required"`
	}
	if err := cli.DecodeInto(form, &object); err != nil || object.Properties == nil {
		return nil, err
	}
	var list []field
	dec := json.NewDecoder(bytes.NewReader(object.Properties))
	_, err := dec.Token() // {
	for err == nil && dec.More() {
		var name json.Token
		var raw json.RawMessage
		if name, err = dec.Token(); err == nil {
			err = dec.Decode(&raw)
		}
		f := field{name: fmt.Sprint(name), required: slices.Contains(object.Required, fmt.Sprint(name))}
		if err == nil {
			err = json.Unmarshal(raw, &f.Property)
		}
		one := schema.Object{}.With("type", "object").With("properties", schema.Object{}.With(f.name, raw))
		f.alone, _ = schema.Compile(one.JSON()) // else the server is the one to find out
		list = append(list, f)
	}
	return list, err
}

// wrong returns why a value does not fit, "" when it does. It makes the check of the server, so that the user hears at
// once what would be refused.
func (f *field) wrong(value json.RawMessage) string {
	if f.alone == nil {
		return ""
	}
	if err := f.alone.ValidateForm(schema.Object{}.With(f.name, value).JSON()); err != nil {
		return err.Error()
	}
	return ""
}

// Asker asks a person at the terminal the questions of goals. It puts one question at a time. out is standard error in
// all commands, because standard output has their results.
type Asker struct {
	// Read returns the next line of what the user types; ok is false at the end of it.
	Read func(ctx context.Context) (text string, ok bool)
	Out  io.Writer
}

// NewAsker returns an asker. A goroutine reads its lines from the start, because a read cannot be interrupted; it lives
// until the input ends, or as long as the process. A question can end before its answer comes; the answer is then that
// of the next question.
func NewAsker(in io.Reader, out io.Writer) *Asker {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(in); s.Scan(); {
			lines <- s.Text()
		}
	}()
	read := func(ctx context.Context) (string, bool) {
		select {
		case <-ctx.Done():
			return "", false
		case text, ok := <-lines:
			return text, ok
		}
	}
	return &Asker{Read: read, Out: out}
}

// The words that refuse a question.
const (
	declineWord = "/decline"
	cancelWord  = "/cancel"
)

// Ask is elicit as the SDK calls it. The SDK checks the answer against the schema, and wants Go values for it in place
// of JSON.
func (a *Asker) Ask(ctx context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	answer, err := a.elicit(ctx, r.Params)
	if err != nil {
		return nil, err
	}
	for name, raw := range answer.Content { // the SDK wants values to check
		var value any
		if err := cli.DecodeInto(raw, &value); err != nil {
			return nil, err
		}
		answer.Content[name] = value
	}
	return answer, nil
}

// elicit asks one question, which may have several parts. Refusing one part refuses the whole. A part that is left
// out has no member in the content. The values of the answer are [json.RawMessage]. The action of the result is
// accept, decline or cancel, as the protocol names them.
func (a *Asker) elicit(ctx context.Context, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	fmt.Fprintln(a.Out, p.Message)
	if p.URL != "" {
		return a.askVisit(ctx, p.URL)
	}
	fields, err := fieldsOf(p.RequestedSchema)
	if err != nil {
		return nil, err
	}
	content := map[string]any{}
	for _, f := range fields {
		value, action := a.part(ctx, f)
		if action != "" {
			return &mcp.ElicitResult{Action: action}, nil
		}
		if value != nil {
			content[f.name] = value
		}
	}
	return &mcp.ElicitResult{Action: "accept", Content: content}, nil
}

// CanBeAsked are the capabilities of a client whose user answers everything.
func CanBeAsked() *mcp.ClientCapabilities {
	return &mcp.ClientCapabilities{RootsV2: &mcp.RootCapabilities{}, Elicitation: &mcp.ElicitationCapabilities{
		Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{}}}
}

// Question answers any request that a goal makes of a client, without a client in between: a form or an address, a
// message to the model, or the folders.
func (a *Asker) Question(ctx context.Context, q mcp.InputRequest) (mcp.InputResponse, error) {
	switch p := q.(type) {
	case *mcp.ElicitParams:
		return a.elicit(ctx, p)
	case *mcp.CreateMessageWithToolsParams:
		var said []utterance
		for _, m := range p.Messages {
			said = append(said, utterance{m.Role, m.Content})
		}
		text, err := a.reply(ctx, p.SystemPrompt, said)
		return &mcp.CreateMessageWithToolsResult{Role: "assistant", Model: "you", Content: []mcp.Content{text},
			StopReason: "endTurn"}, err
	case *mcp.ListRootsParams:
		return &mcp.ListRootsResult{Roots: OwnRoots()}, nil
	}
	return nil, fmt.Errorf("there is nobody to answer %T", q)
}

// Play asks the user to answer in place of a model. The SDK calls it for protocol versions in which a message has one
// part.
func (a *Asker) Play(ctx context.Context, r *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
	var said []utterance
	for _, m := range r.Params.Messages {
		said = append(said, utterance{m.Role, []mcp.Content{m.Content}})
	}
	text, err := a.reply(ctx, r.Params.SystemPrompt, said)
	if err != nil {
		return nil, err
	}
	return &mcp.CreateMessageResult{Role: "assistant", Model: "you", Content: text, StopReason: "endTurn"}, nil
}

// utterance is a message to a model.
type utterance struct {
	role    mcp.Role
	content []mcp.Content
}

// reply asks the user for what a model would say. It shows all that the model would see.
func (a *Asker) reply(ctx context.Context, system string, said []utterance) (*mcp.TextContent, error) {
	fmt.Fprintln(a.Out, "The tool asks the model:")
	if system != "" {
		fmt.Fprintf(a.Out, "system: %s\n", system)
	}
	for _, u := range said {
		fmt.Fprintf(a.Out, "%s: ", u.role)
		bridge.PrintContent(a.Out, u.content)
	}
	fmt.Fprint(a.Out, "> ")
	text, action := a.line(ctx)
	if action != "" {
		return nil, errors.New("you have refused to answer")
	}
	return &mcp.TextContent{Text: text}, nil
}

// askVisit asks the user to go to an address. It opens no browser: the address comes from a program, so a
// person looks at it first.
func (a *Asker) askVisit(ctx context.Context, url string) (*mcp.ElicitResult, error) {
	fmt.Fprintf(a.Out, "Please visit %s and press return when done, or type %s.\n> ", url, declineWord)
	_, action := a.line(ctx)
	return &mcp.ElicitResult{Action: cmp.Or(action, "accept")}, nil
}

// line reads an answer. When there is none, action says what to tell the server instead. The end of the
// input cancels, since nobody is there who could decline.
func (a *Asker) line(ctx context.Context) (text, action string) {
	text, ok := a.Read(ctx)
	text = strings.TrimSpace(text)
	switch {
	case ctx.Err() != nil:
		return "", "cancel"
	case !ok:
		fmt.Fprintln(a.Out)
		return "", "cancel"
	case text == declineWord:
		return "", "decline"
	case text == cancelWord:
		return "", "cancel"
	}
	return text, ""
}

// part asks for one value until the answer fits. An empty line takes the default. The value is nil when
// there is none, it is optional and the user leaves it out. It gives up only when the user refuses, the input ends or
// the context does.
func (a *Asker) part(ctx context.Context, f field) (value json.RawMessage, action string) {
	a.show(f.name, f.Property)
	for {
		fmt.Fprint(a.Out, "> ")
		text, action := a.line(ctx)
		if action != "" {
			return nil, action
		}
		raw := f.Default
		switch {
		case text != "":
			raw = f.answer(text)
		case raw == nil && !f.required:
			return nil, ""
		}
		if raw != nil {
			wrong := f.wrong(raw)
			if wrong == "" && json.Valid(raw) {
				return raw, ""
			}
			fmt.Fprintln(a.Out, wrong)
		}
		fmt.Fprintf(a.Out, "Please answer with %s, or %s, or %s.\n", f.wanted(), declineWord, cancelWord)
	}
}

// show prints what is asked for: the title or name, the description, the default in brackets, and the
// choices with their numbers.
func (a *Asker) show(name string, p Property) {
	label := cmp.Or(p.Title, name)
	if p.Description != "" {
		label += ": " + p.Description
	}
	if p.Default != nil {
		label += " [" + cli.Unquoted(p.Default) + "]"
	}
	fmt.Fprintln(a.Out, label)
	for i, c := range p.choices() {
		fmt.Fprintf(a.Out, "  %d) %s\n", i+1, c.Title)
	}
}

// answer returns the JSON of an answer, or nil when it does not fit the schema. A choice is named by its
// title, its value or its number, in that order.
func (p Property) answer(text string) json.RawMessage {
	if p.Type == "array" && p.Items != nil {
		return p.Items.several(text)
	}
	choices := p.choices()
	if len(choices) == 0 {
		raw := p.Raw(text)
		if p.Type != "string" && raw[0] == '"' { // a number was wanted
			return nil
		}
		return raw
	}
	for i, c := range choices {
		if strings.EqualFold(text, c.Title) || text == cli.Unquoted(c.Const) || text == strconv.Itoa(i+1) {
			return c.Const
		}
	}
	return nil
}

// several returns the JSON list of answers with commas between them, and nil when one of them does not fit.
func (p Property) several(text string) json.RawMessage {
	list := []json.RawMessage{}
	for item := range strings.SplitSeq(text, ",") {
		raw := p.answer(strings.TrimSpace(item))
		if raw == nil {
			return nil
		}
		list = append(list, raw)
	}
	raw, _ := json.Marshal(list)
	return raw
}

// wanted says what fits.
func (p Property) wanted() string {
	if choices := p.choices(); len(choices) > 0 {
		return fmt.Sprintf("one of the choices or its number, 1 to %d", len(choices))
	}
	return fmt.Sprintf("a value of type %v", p.Type)
}

// OwnRoots is the current folder. It is nothing when the folder has been deleted: the client then has no roots.
func OwnRoots() []*mcp.Root {
	dir, err := os.Getwd()
	if err != nil {
		return nil
	}
	url := url.URL{Scheme: "file", Path: filepath.ToSlash(dir)}
	return []*mcp.Root{{URI: url.String(), Name: filepath.Base(dir)}}
}
