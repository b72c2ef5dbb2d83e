package bridge

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/bridge/internal/items"
	"github.com/mcplogic/mcplogic/bridge/internal/why"
	"github.com/mcplogic/mcplogic/internal/wire"
	"github.com/mcplogic/mcplogic/tools/bridgetest"
)

// jsonOf is a value as JSON.
func jsonOf(t *testing.T, value any) string {
	t.Helper()
	data, err := json.Marshal(value)
	require.NoError(t, err)
	return string(data)
}

// TestToolOptions lists what the options of tools say and keeps to their limits.
func TestToolOptions(t *testing.T) {
	s := NewServer(load(t, "testdata/kb/apps.pl"), nil)
	for _, version := range mcp.SupportedProtocolVersions() {
		cs := connect(t, s, version, nil)
		tools := map[string]*mcp.Tool{}
		for tool, err := range cs.Tools(context.Background(), nil) {
			require.NoError(t, err)
			tools[tool.Name] = tool
		}
		forecast := tools["forecast"]
		require.Equal(t, "Forecast", forecast.Title)
		require.Equal(t, "Says what comes.", forecast.Description)
		require.True(t, forecast.Annotations.ReadOnlyHint)
		require.Nil(t, forecast.Annotations.DestructiveHint, "it means nothing beside that")
		require.False(t, *forecast.Annotations.OpenWorldHint)
		require.True(t, tools["days"].Annotations.ReadOnlyHint, "as its clauses tell")
		require.JSONEq(t, `{"readOnlyHint": false, "destructiveHint": true, "idempotentHint": false}`,
			jsonOf(t, tools["refresh"].Annotations))

		require.Regexp(t, `^{"cursor":"[^"]+","more":true,"solutions":\[{"day":"monday"},{"day":"tuesday"}\]}$`,
			structureOf(t, bridgetest.CallTool(t, cs, "days", "")))
		r := bridgetest.CallTool(t, cs, "refresh", "")
		require.True(t, r.IsError)
		require.Contains(t, bridgetest.TextsOf(r)[0], "time limit of 0.2 s")
	}
}

// TestApps shows the metadata of user interfaces in lists and in contents.
func TestApps(t *testing.T) {
	ctx := context.Background()
	s := NewServer(load(t, "testdata/kb/apps.pl"), nil)
	view := `{"ui": {"csp": {"connectDomains": ["https://api.example.com"]}, "prefersBorder": true}}`
	for _, version := range mcp.SupportedProtocolVersions() {
		cs := connect(t, s, version, nil)
		want := map[string]string{
			"forecast": `{"ui": {"resourceUri": "ui://weather/view", "visibility": ["model", "app"]}}`,
			"refresh":  `{"ui": {"resourceUri": "ui://weather/view", "visibility": ["app"]}}`,
			"days":     `null`,
		}
		for tool, err := range cs.Tools(ctx, nil) {
			require.NoError(t, err)
			require.JSONEq(t, want[tool.Name], jsonOf(t, tool.Meta), tool.Name)
		}
		resources, err := cs.ListResources(ctx, nil)
		require.NoError(t, err)
		for _, r := range resources.Resources {
			if r.Name == "view" {
				require.JSONEq(t, view, jsonOf(t, r.Meta))
			} else {
				require.Nil(t, r.Meta)
			}
		}
		read, err := cs.ReadResource(ctx, &mcp.ReadResourceParams{URI: "ui://weather/view"})
		require.NoError(t, err)
		require.JSONEq(t, view, jsonOf(t, read.Contents[0].Meta))
		require.Equal(t, "text/html;profile=mcp-app", read.Contents[0].MIMEType)
	}
}

// TestCapabilities announces what the knowledge base has, also after a reload.
func TestCapabilities(t *testing.T) {
	file := filepath.Join(t.TempDir(), "plain.pl")
	require.NoError(t, os.WriteFile(file, []byte(oneTool), 0o644))
	plain, apps := load(t, file), load(t, "testdata/kb/apps.pl")
	for _, version := range mcp.SupportedProtocolVersions() {
		s := NewServer(plain, nil)
		caps := connect(t, s, version, nil).InitializeResult().Capabilities
		require.Nil(t, caps.Completions)
		require.Empty(t, caps.Extensions)
		require.NotNil(t, caps.Logging)
		require.NotNil(t, caps.Tools)

		s.Sync(apps)
		caps = connect(t, s, version, nil).InitializeResult().Capabilities
		require.NotNil(t, caps.Completions)
		require.JSONEq(t, `{"mimeTypes": ["text/html;profile=mcp-app"]}`, jsonOf(t, caps.Extensions[why.ExtensionUI]))
	}
}

// TestCompletion proposes values for arguments of prompts and variables of templates.
func TestCompletion(t *testing.T) {
	s := NewServer(load(t, "testdata/kb/apps.pl"), nil)
	plan := &mcp.CompleteReference{Type: "ref/prompt", Name: "plan"}
	city := &mcp.CompleteReference{Type: "ref/resource", URI: "x://city/{name}"}
	file := &mcp.CompleteReference{Type: "ref/resource", URI: "x://file/{+path}"}
	for _, version := range mcp.SupportedProtocolVersions() {
		user := &mcp.ClientOptions{ElicitationHandler: (&user{}).answer}
		cs := connect(t, s, version, user)
		complete := func(ref *mcp.CompleteReference, name, value string, given map[string]string) (*mcp.CompleteResult,
			error) {
			params := &mcp.CompleteParams{Ref: ref, Argument: mcp.CompleteParamsArgument{Name: name, Value: value}}
			if given != nil {
				params.Context = &mcp.CompleteContext{Arguments: given}
			}
			return cs.Complete(context.Background(), params)
		}
		for _, test := range []struct {
			ref         *mcp.CompleteReference
			name, value string
			given       map[string]string
			want        string
		}{
			{plan, "country", "i", nil, `{"values": ["ireland", "italy"]}`},
			{plan, "country", "", nil, `{"values": ["ireland", "italy"]}`},
			{plan, "country", "x", nil, `{"values": []}`},
			{plan, "city", "r", map[string]string{"country": "italy"},
				`{"values": ["rome", "ravenna"], "total": 7, "hasMore": true}`},
			{plan, "city", "r", nil, `{"values": []}`},
			{city, "name", "d", nil, `{"values": ["dublin"]}`},
			{&mcp.CompleteReference{Type: "ref/prompt", Name: "other"}, "a", "", nil, `{"values": []}`},
		} {
			r, err := complete(test.ref, test.name, test.value, test.given)
			require.NoError(t, err)
			require.JSONEq(t, test.want, jsonOf(t, r.Completion), "%+v", test)
		}
		r, err := complete(file, "path", "many", nil)
		require.NoError(t, err)
		require.Len(t, r.Completion.Values, items.MaxCompletions)
		require.Equal(t, 150, r.Completion.Total)
		require.True(t, r.Completion.HasMore)

		for _, test := range []struct {
			ref         *mcp.CompleteReference
			name, value string
			code        int64
			text        string
		}{
			{plan, "cuntry", "", jsonrpc.CodeInvalidParams, "did you mean country?"},
			{&mcp.CompleteReference{Type: "ref/prompt", Name: "none"}, "a", "", jsonrpc.CodeInvalidParams, "unknown prompt"},
			{&mcp.CompleteReference{Type: "ref/resource", URI: "x://none"}, "a", "", jsonrpc.CodeInvalidParams,
				"unknown resource"},
			{&mcp.CompleteReference{Type: "ref/resource", URI: "x://plain"}, "a", "", jsonrpc.CodeInvalidParams,
				"has no argument"},
			{file, "path", "soup", jsonrpc.CodeInternalError, "it is soup"},
			{file, "path", "partial", jsonrpc.CodeInternalError, "has to hold a list"},
			{file, "path", "total", jsonrpc.CodeInternalError, "it is many"},
			{file, "path", "more", jsonrpc.CodeInternalError, "it is perhaps"},
			{file, "path", "throws", jsonrpc.CodeInternalError, "oops"},
			{file, "path", "asks", jsonrpc.CodeInternalError, "cannot ask"},
		} {
			_, err := complete(test.ref, test.name, test.value, nil)
			requireCode(t, err, test.code, test.text)
		}
	}
}

// TestNoCompletion refuses completions where no provider defines them.
func TestNoCompletion(t *testing.T) {
	cs := connect(t, NewServer(load(t, "testdata/kb/library.pl"), nil), "2025-11-25", nil)
	_, err := cs.Complete(context.Background(), &mcp.CompleteParams{
		Ref: &mcp.CompleteReference{Type: "ref/prompt", Name: "rich"}, Argument: mcp.CompleteParamsArgument{Name: "topic"}})
	requireCode(t, err, jsonrpc.CodeMethodNotFound, "completion")
}

// TestCachePolicy gives the hints to clients that know them.
func TestCachePolicy(t *testing.T) {
	ctx := context.Background()
	s := NewServer(load(t, "testdata/kb/apps.pl"), nil)
	for _, version := range mcp.SupportedProtocolVersions() {
		cs := connect(t, s, version, nil)
		knows := version >= wire.VersionStateless
		check := func(c mcp.Cacheable, err error, ttl int, scope string) {
			t.Helper()
			require.NoError(t, err)
			if !knows {
				ttl = 0
			}
			require.Equal(t, ttl, c.TTLMs, version)
			if knows {
				require.Equal(t, scope, c.CacheScope)
			}
		}
		tools, err := cs.ListTools(ctx, nil)
		check(tools.Cacheable, err, 1000, items.ScopePrivate)
		prompts, err := cs.ListPrompts(ctx, nil)
		check(prompts.Cacheable, err, 2000, items.ScopePublic)
		resources, err := cs.ListResources(ctx, nil)
		check(resources.Cacheable, err, 0, items.ScopePrivate) // the policy is wrong
		templates, err := cs.ListResourceTemplates(ctx, nil)
		check(templates.Cacheable, err, 0, items.ScopePublic)
		read, err := cs.ReadResource(ctx, &mcp.ReadResourceParams{URI: "x://city/rome"})
		check(read.Cacheable, err, 3000, items.ScopePrivate)
		read, err = cs.ReadResource(ctx, &mcp.ReadResourceParams{URI: "x://plain"})
		check(read.Cacheable, err, 0, items.ScopePublic)
	}
}

// TestTemplates passes the variables of each kind of template as arguments.
func TestTemplates(t *testing.T) {
	s := NewServer(load(t, "testdata/kb/apps.pl"), nil)
	for _, version := range mcp.SupportedProtocolVersions() {
		cs := connect(t, s, version, nil)
		for uri, want := range map[string]string{
			"x://plain":                `[]`,
			"x://city/rome":            `[name-rome]`,
			"x://city/San%20Marino":    `[name-'San Marino']`,
			"x://city/San Marino":      `[name-'San Marino']`,
			"x://city/Köln":            `[name-'Köln']`,
			"x://city/K%C3%B6ln":       `[name-'Köln']`,
			"x://file/a/b.txt":         `[path-'a/b.txt']`,
			"x://search?q=owl&lang=en": `[q-owl,lang-en]`,
			"x://tags/red/green":       `[tag-[red,green]]`,
		} {
			r, err := cs.ReadResource(context.Background(), &mcp.ReadResourceParams{URI: uri})
			require.NoError(t, err, uri)
			require.Equal(t, want, r.Contents[0].Text, uri)
		}
	}
}

// TestCachePolicies joins what several providers say about a list.
func TestCachePolicies(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.pl": ":- module(a, []).\n" +
			"cache_policy(tools_list, _, 500, public).\ncache_policy(prompts_list, _, 300, private).\n",
		"b.pl": ":- module(b, []).\ncache_policy(_, R, 400, public) :- var(R).\n",
		"c.pl": ":- module(c, []).\ncapabilities([elicitation]).\ncache_policy(discover, _, 1, public).\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	ctx := context.Background()
	for _, test := range []struct{ files, tools string }{
		{"a.pl b.pl", items.ScopePublic},
		{"a.pl b.pl c.pl", items.ScopePrivate}, // depends on whether the client can ask
	} {
		var paths []string
		for name := range strings.FieldsSeq(test.files) {
			paths = append(paths, filepath.Join(dir, name))
		}
		cs := connect(t, NewServer(load(t, paths...), nil), wire.VersionStateless, nil)
		tools, err := cs.ListTools(ctx, nil)
		require.NoError(t, err)
		require.Equal(t, mcp.Cacheable{TTLMs: 400, CacheScope: test.tools}, tools.Cacheable)
		prompts, err := cs.ListPrompts(ctx, nil)
		require.NoError(t, err)
		require.Equal(t, mcp.Cacheable{TTLMs: 300, CacheScope: items.ScopePrivate}, prompts.Cacheable)
	}
}
