package items

import (
	"context"
	"fmt"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/yosida95/uritemplate/v3"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/content"
	"github.com/mcplogic/mcplogic/bridge/internal/sealed"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/schema"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines resources and resource templates: what a client sees of one, and the goal that a request for it
// runs.

// Resource is a resource or a template, prepared for requests.
type Resource struct {
	*kb.Resource
	Program  *engine.Program
	codec    *schema.Codec
	Template *uritemplate.Template // nil: one resource
	meta     mcp.Meta
}

func (m *Maker) newResource(snapshot *kb.Snapshot, declared *kb.Resource) *Resource {
	codec := m.newCodec(snapshot.Program, declared.Provider)
	return &Resource{declared, snapshot.Program, codec, nil, m.uiMeta(codec, "resource "+declared.URI, declared.UI)}
}

// parseTemplate returns a template. If the text is none, the template matches nothing; the SDK refuses to list it.
func parseTemplate(text string) *uritemplate.Template {
	t, err := uritemplate.New(text)
	if err != nil {
		return &uritemplate.Template{}
	}
	return t
}

// ListedResource is what clients see of a resource that is no template.
func (r *Resource) ListedResource() *mcp.Resource {
	return &mcp.Resource{URI: r.URI, Name: r.Name, Title: r.Title, Description: r.Description, MIMEType: r.MIMEType,
		Icons: IconsOf(r.Icons), Size: r.Size, Annotations: r.annotations(), Meta: r.meta}
}

func (r *Resource) ListedTemplate() *mcp.ResourceTemplate {
	return &mcp.ResourceTemplate{URITemplate: r.URI, Name: r.Name, Title: r.Title, Description: r.Description,
		MIMEType: r.MIMEType,
		Icons:    IconsOf(r.Icons), Annotations: r.annotations(), Meta: r.meta}
}

// annotations are for whom a resource is and how important, or nil.
func (r *Resource) annotations() *mcp.Annotations {
	if len(r.Audience) == 0 && r.Priority == 0 && r.LastModified == "" {
		return nil
	}
	a := &mcp.Annotations{Priority: r.Priority, LastModified: r.LastModified}
	for _, role := range r.Audience {
		a.Audience = append(a.Audience, mcp.Role(role))
	}
	return a
}

// ResourceJob returns what a request for a resource runs.
func (m *Maker) ResourceJob(r *Resource, uri string) *calls.Job {
	return &calls.Job{
		Kind: calls.ReadResource, Name: uri, Binding: sealed.BindingOf(calls.ReadResource, uri, nil),
		Program: r.Program, Provider: r.Provider, Codec: r.codec, Time: m.set.Time, Place: r.Place,
		Goal:   term.New("resource_read", term.Atom(uri), r.variables(uri), varResult),
		Vars:   []*term.Var{varResult},
		Enough: firstSuffices,
		Finish: func(_ context.Context, c *calls.Call) (mcp.Result, error) { return contents(c, r.meta) },
	}
}

// variables returns the values of a template's variables in a URI as Name-Value pairs.
func (r *Resource) variables(uri string) engine.Term {
	if r.Template == nil {
		return term.Nil
	}
	values := r.Template.Match(uri)
	var pairs []engine.Term
	for _, name := range r.Template.Varnames() {
		value := values.Get(name)
		switch {
		case !value.Valid():
		case value.T == uritemplate.ValueTypeString:
			pairs = append(pairs, term.New("-", term.Atom(name), term.Atom(value.String())))
		default:
			var list []engine.Term
			for part := range slices.Values(value.V) {
				list = append(list, term.Atom(part))
			}
			pairs = append(pairs, term.New("-", term.Atom(name), term.List(list...)))
		}
	}
	return term.List(pairs...)
}

// contents makes the result of contents(List). Each of the contents has the metadata of the user interface, because
// hosts look for it there first.
func contents(c *calls.Call, meta mcp.Meta) (mcp.Result, error) {
	if len(c.Solutions) == 0 {
		return nil, calls.ErrFailed
	}
	x := c.First(varResult.Name)
	args, ok := term.Is(x, "contents", 1)
	if !ok {
		return nil, fmt.Errorf("the result has to be contents(List), it is %s", content.Show(x))
	}
	items, ok := term.Slice(args[0])
	if !ok {
		return nil, fmt.Errorf("contents has to hold a list, it has %s", content.Show(args[0]))
	}
	r := &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{}}
	size := 0
	for _, item := range items {
		one, err := readContents(item)
		if err != nil {
			return nil, err
		}
		if size += content.ItemOverhead + content.ResourceSize(one); size > c.Job.Codec.Limit() {
			return nil, schema.ErrTooLarge
		}
		one.Meta = meta
		r.Contents = append(r.Contents, one)
	}
	return r, nil
}

// readContents converts text_content/3 and blob_content/3.
func readContents(x engine.Term) (*mcp.ResourceContents, error) {
	name, args := content.Split(x)
	if len(args) != 3 || name != "text_content" && name != "blob_content" {
		return nil, fmt.Errorf("expected text_content(URI, MimeType, Text) or blob_content(URI, MimeType, Base64), got %s",
			content.Show(x))
	}
	r := &mcp.ResourceContents{URI: content.Text(args[0]), MIMEType: content.Text(args[1])}
	if name == "text_content" {
		r.Text = content.Text(args[2])
		return r, nil
	}
	data, err := content.Base64(args[2])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.URI, err)
	}
	r.Blob = data
	return r, nil
}
