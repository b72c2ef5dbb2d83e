package bridge

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/yosida95/uritemplate/v3"

	"github.com/mcplogic/mcplogic/bridge/internal/calls"
	"github.com/mcplogic/mcplogic/bridge/internal/content"
	"github.com/mcplogic/mcplogic/bridge/internal/refusal"
	"github.com/mcplogic/mcplogic/bridge/internal/sealed"
	"github.com/mcplogic/mcplogic/bridge/internal/why"
	"github.com/mcplogic/mcplogic/bridge/schema"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines resources and resource templates.

// resource is a resource or a template, prepared for requests.
type resource struct {
	*kb.Resource
	program  *engine.Program
	codec    *schema.Codec
	template *uritemplate.Template // nil: one resource
	meta     mcp.Meta
}

func (s *Server) newResource(snapshot *kb.Snapshot, declared *kb.Resource) *resource {
	codec := s.newCodec(snapshot.Program, declared.Provider)
	return &resource{declared, snapshot.Program, codec, nil, s.uiMeta(codec, "resource "+declared.URI, declared.UI)}
}

// parseTemplate returns a template. If the text is none, the template matches nothing; the SDK refuses to list it.
func parseTemplate(text string) *uritemplate.Template {
	t, err := uritemplate.New(text)
	if err != nil {
		return &uritemplate.Template{}
	}
	return t
}

// listedResource and listedTemplate are what clients see.
func (r *resource) listedResource() *mcp.Resource {
	return &mcp.Resource{URI: r.URI, Name: r.Name, Title: r.Title, Description: r.Description, MIMEType: r.MIMEType,
		Icons: iconsOf(r.Icons), Size: r.Size, Annotations: r.annotations(), Meta: r.meta}
}

func (r *resource) listedTemplate() *mcp.ResourceTemplate {
	return &mcp.ResourceTemplate{URITemplate: r.URI, Name: r.Name, Title: r.Title, Description: r.Description,
		MIMEType: r.MIMEType,
		Icons:    iconsOf(r.Icons), Annotations: r.annotations(), Meta: r.meta}
}

// annotations are for whom a resource is and how important, or nil.
func (r *resource) annotations() *mcp.Annotations {
	if len(r.Audience) == 0 && r.Priority == 0 && r.LastModified == "" {
		return nil
	}
	a := &mcp.Annotations{Priority: r.Priority, LastModified: r.LastModified}
	for _, role := range r.Audience {
		a.Audience = append(a.Audience, mcp.Role(role))
	}
	return a
}

func (o *offer) resourceLists() (plain, templates itemList) {
	plain, templates = itemList{}, itemList{}
	for uri, r := range o.resources {
		if r.template != nil {
			templates.put(uri, r.listedTemplate())
		} else {
			plain.put(uri, r.listedResource())
		}
	}
	for _, k := range o.skills {
		plain.put(k.URI, k.Listed())
	}
	if o.offersWhyPage() {
		plain.put(why.PageURI, why.DescribePage())
	}
	return plain, templates
}

func (s *Server) addResource(uri string) {
	r := s.current.Load().resources[uri]
	for _, k := range s.current.Load().skills {
		if k.URI == uri {
			s.mcp.AddResource(k.Listed(), s.readSkill)
			return
		}
	}
	if r == nil {
		s.mcp.AddResource(why.DescribePage(), why.ReadPage)
		return
	}
	handle := func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return s.handleResource(ctx, req, uri)
	}
	if r.template != nil {
		s.mcp.AddResourceTemplate(r.listedTemplate(), handle)
	} else {
		s.mcp.AddResource(r.listedResource(), handle)
	}
}

// handleResource handles a request for the contents of a resource; declared is its URI or its
// template.
func (s *Server) handleResource(ctx context.Context, req *mcp.ReadResourceRequest,
	declared string) (*mcp.ReadResourceResult, error) {
	uri := req.Params.URI
	cr := calls.NewRequest(req, req.Params.RequestState, req.Params.InputResponses)
	r := s.current.Load().resources[declared]
	if r == nil { // gone since the SDK looked it up
		return nil, refusal.NotFound(cr.Version, uri)
	}
	result, pause, err := s.runner.Serve(ctx, cr, s.resourceJob(r, uri))
	switch {
	case pause != nil:
		return &mcp.ReadResourceResult{InputRequests: pause.Inputs, RequestState: pause.State}, nil
	case err == calls.ErrFailed:
		return nil, refusal.NotFound(cr.Version, uri)
	case err != nil:
		return nil, err
	}
	read := result.(*mcp.ReadResourceResult)
	s.hintRead(ctx, cr, r, uri, read)
	return read, nil
}

// encodeURIs is a middleware that encodes the characters of a URI that may not stand in one, such as ö and blanks, as
// people and models write them. A resource that is declared with such a URI keeps it.
func (s *Server) encodeURIs(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch r := req.(type) {
		case *mcp.ReadResourceRequest:
			r.Params.URI = s.encodedURI(r.Params.URI)
		case *mcp.SubscribeRequest:
			r.Params.URI = s.encodedURI(r.Params.URI)
		case *mcp.UnsubscribeRequest:
			r.Params.URI = s.encodedURI(r.Params.URI)
		}
		return next(ctx, method, req)
	}
}

// encodedURI returns a URI in ASCII, or that of a resource as it is declared.
func (s *Server) encodedURI(uri string) string {
	if s.current.Load().resources[uri] != nil {
		return uri
	}
	var b strings.Builder
	for i := range len(uri) {
		if c := uri[i]; c <= ' ' || c >= utf8.RuneSelf {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// resourceJob returns what a request for a resource runs.
func (s *Server) resourceJob(r *resource, uri string) *calls.Job {
	return &calls.Job{
		Kind: calls.ReadResource, Name: uri, Binding: sealed.BindingOf(calls.ReadResource, uri, nil),
		Program: r.program, Provider: r.Provider, Codec: r.codec, Time: s.opts.Time,
		Goal:   term.New("resource_read", term.Atom(uri), r.variables(uri), varResult),
		Vars:   []*term.Var{varResult},
		Enough: firstSuffices,
		Finish: func(_ context.Context, c *calls.Call) (mcp.Result, error) { return contents(c, r.meta) },
	}
}

// variables returns the values of a template's variables in a URI as Name-Value pairs.
func (r *resource) variables(uri string) engine.Term {
	if r.template == nil {
		return term.Nil
	}
	values := r.template.Match(uri)
	var pairs []engine.Term
	for _, name := range r.template.Varnames() {
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
