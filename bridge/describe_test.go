package bridge

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/tools/bridgetest"
)

const described = `
:- info(order/4, [
       comment is 'Orders something.',
       arguments is [item-'What to order', count-'How many', wrap-'Whether to wrap it', id-'The number of the order'],
       defaults is [count-1, wrap-false],
       examples is [
           'A pear' - order(pear, 1, false, Id) - {Id = 7},
           'Figs' - order(fig, 12, true, Id2) - {Id2 = 8},
           'More figs' - order(fig, 12, true, _) - {true},
           'Nonsense' - order(fig, twelve, _, _) - {true}
       ]
   ]).
:- mode(order(+atom, +positive_integer, ?boolean, -integer), one).
order(Item, Count, Wrap, Id) :- format("~w ~w ~w", [Item, Count, Wrap]), Id = 7.
tools([
    tool(order, order, 4, [icons([
        icon('https://example.com/o.png'),
        icon('https://example.com/o.svg', 'image/svg+xml', [any], dark),
        icon('data:image/png;base64,aGk=', 'image/png', ['16x16', '32x32'])
    ])]),
    tool(plain, plain, 0, [input_schema({type-object, properties-{x-{type-integer}}}), output_schema({type-object})])
]).
:- info(plain/0, [comment is 'Echoes.']).
tool_call(plain, Arguments, structured({got-N})) :- length(Arguments, N).
tool_call(order_by_hand, Arguments, text(Text)) :- term_to_atom(Arguments, Text).
prompts([prompt(p, 'P', 'A prompt', [], [icons([icon('https://example.com/p.png')])])]).
prompt_get(p, _, messages([])).
resources([resource('x://r', r, 'R', 'A resource', 'text/plain', [icons([icon('https://example.com/r.png')]),
    size(12), audience([user]), priority(0.5), last_modified('2026-01-02T03:04:05Z')])]).
resource_templates([resource_template('x://t/{a}', t, 'T', 'A template', 'text/plain',
	[icons([icon('https://example.com/t.png')]), priority(1)])]).
resource_read(URI, _, contents([text_content(URI, 'text/plain', 'Hello, world')])).
`

// TestDescribed lists icons, annotations, defaults and examples of items.
func TestDescribed(t *testing.T) {
	ctx := context.Background()
	s := NewServer(loadText(t, described), &Options{Icons: []kb.Icon{{Source: "https://example.com/s.png",
		Sizes: []string{"48x48"}}}})
	eachVersion(t, func(t *testing.T, version string) {
		cs := connect(t, s, version, nil)
		tools, err := cs.ListTools(ctx, nil)
		require.NoError(t, err)
		requireJSON(t, `[
			{"src": "https://example.com/o.png"},
			{"src": "https://example.com/o.svg", "mimeType": "image/svg+xml", "sizes": ["any"], "theme": "dark"},
			{"src": "data:image/png;base64,aGk=", "mimeType": "image/png", "sizes": ["16x16", "32x32"]}]`, tools.Tools[0].Icons)
		requireJSON(t, `{"type": "object", "properties": {
			"item": {"type": "string", "description": "What to order", "examples": ["pear", "fig"]},
			"count": {"type": "integer", "minimum": 1, "description": "How many", "default": 1, "examples": [1, 12]},
			"wrap": {"type": "boolean", "description": "Whether to wrap it", "default": false, "examples": [false, true]}},
			"required": ["item"]}`, tools.Tools[0].InputSchema)
		requireJSON(t, `{"type": "object", "properties": {"id": {"type": ["integer", "string"],
			"description": "The number of the order"}}, "required": ["id"]}`, tools.Tools[0].OutputSchema)
		requireJSON(t, `{"type": "object", "properties": {"x": {"type": "integer"}}}`, tools.Tools[1].InputSchema)
		require.Contains(t, tools.Tools[0].Description,
			"\n- A pear: {\"item\":\"pear\",\"count\":1,\"wrap\":false} -> {\"id\":7}\n- Figs: {")
		require.Contains(t, tools.Tools[0].Description, "\n- Nonsense: order(fig,twelve,", "what does not fit stays as it is")

		prompts, err := cs.ListPrompts(ctx, nil)
		require.NoError(t, err)
		requireJSON(t, `[{"name": "p", "title": "P", "description": "A prompt", 
			"icons": [{"src": "https://example.com/p.png"}]}]`, prompts.Prompts)
		resources, err := cs.ListResources(ctx, nil)
		require.NoError(t, err)
		requireJSON(t, `[{"uri": "x://r", "name": "r", "title": "R", "description": "A resource", "mimeType": "text/plain",
			"size": 12,
			"annotations": {"audience": ["user"], "priority": 0.5, "lastModified": "2026-01-02T03:04:05Z"},
			"icons": [{"src": "https://example.com/r.png"}]}]`, resources.Resources)
		templates, err := cs.ListResourceTemplates(ctx, nil)
		require.NoError(t, err)
		requireJSON(t, `[{"uriTemplate": "x://t/{a}", "name": "t", "title": "T", "description": "A template", 
			"mimeType": "text/plain",
			"annotations": {"priority": 1}, "icons": [{"src": "https://example.com/t.png"}]}]`, templates.ResourceTemplates)
		requireJSON(t, `[{"src": "https://example.com/s.png", "sizes": ["48x48"]}]`, cs.InitializeResult().ServerInfo.Icons)
	})
}

func requireJSON(t *testing.T, want string, got any) {
	t.Helper()
	data, err := json.Marshal(got)
	require.NoError(t, err)
	require.JSONEq(t, want, string(data))
}

// TestDefaults calls with and without the inputs that have defaults.
func TestDefaults(t *testing.T) {
	cs := connect(t, NewServer(loadText(t, described), nil), "2025-11-25", nil)
	for args, want := range map[string]string{
		`{"item": "fig"}`:                           "fig 1 false",
		`{"item": "fig", "count": 3}`:               "fig 3 false",
		`{"item": "fig", "count": 3, "wrap": true}`: "fig 3 true",
		`{"item": "fig", "count": 0}`:               "count: expected a positive integer, got the number 0",
		`{"count": 1}`:                              `item: missing, expected a string, such as "pear"`,
		`{"item": "fig", "cuont": 3}`:               `cuont: unexpected property, did you mean "count"?`,
		`{"item": "fig", "wrap": 7, "count": {}}`:   "wrap: expected true or false, got the number 7",
		`{"item": "fig", "wrap": null, "count": 2}`: "fig 2 false",
		`{"item": "fig", "count": null}`:            "fig 1 false",
		`{"item": null}`:                            "item: expected a string, got null",
	} {
		texts := bridgetest.TextsOf(bridgetest.CallTool(t, cs, "order", args))
		require.Contains(t, texts[len(texts)-1], want, args)
	}
	require.JSONEq(t, `{"got": 1}`, structureOf(t, bridgetest.CallTool(t, cs, "plain", `{"x": 1}`)))
	require.True(t, bridgetest.CallTool(t, cs, "plain", `{"x": "one"}`).IsError)
}

// TestToolCallDefaults gives tool_call/3 the defaults, too.
func TestToolCallDefaults(t *testing.T) {
	const text = `
		tools([tool(greet, greet, 1)]).
		:- info(greet/1, [comment is 'Greets.', argnames is [name], defaults is [name-world]]).
		:- mode(greet(+atom), one).
		tool_call(greet, [name-Name], text(Name)).`
	cs := connect(t, NewServer(loadText(t, text), nil), "2025-11-25", nil)
	require.Equal(t, []string{"world"}, bridgetest.TextsOf(bridgetest.CallTool(t, cs, "greet", "")))
	require.Equal(t, []string{"you"}, bridgetest.TextsOf(bridgetest.CallTool(t, cs, "greet", `{"name": "you"}`)))
}

// TestReadContent looks at content items as clients get them.
func TestReadContent(t *testing.T) {
	const text = `
		tools([links/0]).
		:- info(links/0, [comment is 'Links.']).
		tool_call(links, _, results([
			resource_link('x://a', a), resource_link('x://b', "b", 'A link', 'text/plain'),
			resource('x://c', 'text/plain', "C"), blob('x://d', 'image/png', 'aGk='), audio("aG8=", "audio/wav")])).`
	cs := connect(t, NewServer(loadText(t, text), nil), "2025-11-25", nil)
	requireJSON(t, `[
		{"type": "resource_link", "uri": "x://a", "name": "a"},
		{"type": "resource_link", "uri": "x://b", "name": "b", "description": "A link", "mimeType": "text/plain"},
		{"type": "resource", "resource": {"uri": "x://c", "mimeType": "text/plain", "text": "C"}},
		{"type": "resource", "resource": {"uri": "x://d", "mimeType": "image/png", "blob": "aGk="}},
		{"type": "audio", "data": "aG8=", "mimeType": "audio/wav"}]`, bridgetest.CallTool(t, cs, "links", "").Content)
}

// TestFallback tries tool_call/4, then tool_call/3, then the predicate.
func TestFallback(t *testing.T) {
	const text = `
		capabilities([elicitation]).
		tools([way/2]).
		:- info(way/2, [comment is 'Says which way it went.', argnames is [try, way]]).
		:- mode(way(+atom, -atom), one).
		way(_, predicate).
		tool_call(way, [try-four], _, text('tool_call/4')).
		tool_call(way, [try-Try], text('tool_call/3')) :- memberchk(Try, [four, three]).`
	cs := connect(t, NewServer(loadText(t, text), nil), "2025-11-25", nil)
	for try, want := range map[string]string{"four": "tool_call/4", "three": "tool_call/3", "two": "way: predicate"} {
		require.Equal(t, []string{want}, bridgetest.TextsOf(bridgetest.CallTool(t, cs, "way", `{"try": "`+try+`"}`)))
	}
}
