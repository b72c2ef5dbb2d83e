package bridge

import (
	"context"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/tools/bridgetest"
	"github.com/mcplogic/mcplogic/tools/wiretest"
)

// orders are the examples of BotServer's page as predicates.
const orders = `
tools([process_order/3, submit_application/3, search_inventory/3]).
:- info(process_order/3, [
       comment is 'Process a new customer order',
       arguments is [customer_name - 'Customer\'s full name', order_amount - 'Total order amount',
                    shipping_address - 'Delivery address'],
       examples is ['An order' - process_order('John Doe', 99.99, '123 Main St') - {true}]
   ]).
:- mode(process_order(+string, +number, +string), one).
process_order(Name, _, _) :- format("Processing order for ~w", [Name]).
:- info(submit_application/3, [
       comment is 'Submit a job application form',
       arguments is [applicant_name - 'Full name of applicant', position - 'Position applying for',
                    experience_years - 'Years of relevant experience']
   ]).
:- mode(submit_application(+string, +string, +number), one).
submit_application(_, _, _).
:- info(search_inventory/3, [
       comment is 'Search product inventory',
       arguments is [product_name - 'Product to search for', min_quantity - 'Minimum quantity available',
                    found - 'What there is'],
       defaults is [min_quantity - 0]
   ]).
:- mode(search_inventory(+string, +number, -integer), zero_or_more).
search_inventory("pear", Least, N) :- member(N, [3, 5]), N >= Least.
`

// TestSeedBotServer makes the tools that BotServer's page shows, without the limitations it lists.
func TestSeedBotServer(t *testing.T) {
	cs := connect(t, NewServer(loadText(t, orders), nil), "2025-11-25", nil)
	list, err := cs.ListTools(context.Background(), nil)
	require.NoError(t, err)
	wants := map[string]string{
		"process_order": `{"type": "object", "properties": {
			"customer_name": {"type": "string", "description": "Customer's full name", "examples": ["John Doe"]},
			"order_amount": {"type": "number", "description": "Total order amount", "examples": [99.99]},
			"shipping_address": {"type": "string", "description": "Delivery address", "examples": ["123 Main St"]}},
			"required": ["customer_name", "order_amount", "shipping_address"]}`,
		"submit_application": `{"type": "object", "properties": {
			"applicant_name": {"type": "string", "description": "Full name of applicant"},
			"position": {"type": "string", "description": "Position applying for"},
			"experience_years": {"type": "number", "description": "Years of relevant experience"}},
			"required": ["applicant_name", "position", "experience_years"]}`,
		"search_inventory": `{"type": "object", "properties": {
			"product_name": {"type": "string", "description": "Product to search for", "enum": ["pear"]},
			"min_quantity": {"type": "number", "description": "Minimum quantity available", "default": 0,
				"maximum": 5},
			"cursor": {"type": "string"}},
			"required": ["product_name"]}`,
	}
	require.Len(t, list.Tools, len(wants))
	for _, tool := range list.Tools {
		requireJSON(t, wants[tool.Name], tool.InputSchema)
	}
	r := bridgetest.CallTool(t, cs, "process_order",
		`{"customer_name": "Ada", "order_amount": 10, "shipping_address": "1 Main St"}`)
	require.Equal(t, []string{"true", "Processing order for Ada"}, bridgetest.TextsOf(r))
	require.True(t, bridgetest.CallTool(t, cs, "process_order",
		`{"customer_name": "Ada", "order_amount": "ten", "shipping_address": "x"}`).IsError)
	require.JSONEq(t, `{"solutions": [{"found": 3}, {"found": 5}], "more": false}`,
		structureOf(t, bridgetest.CallTool(t, cs, "search_inventory", `{"product_name": "pear"}`)))
	require.JSONEq(t, `{"solutions": [{"found": 5}], "more": false}`,
		structureOf(t, bridgetest.CallTool(t, cs, "search_inventory", `{"product_name": "pear", "min_quantity": 4}`)))
}

// TestSeedZephyr runs the tool of Zephyr's page: it takes long, can be cancelled, marks errors, and
// cannot be removed while it runs.
func TestSeedZephyr(t *testing.T) {
	const text = `
		tools([tool(hello_world, hello_world, 2), tool(retire, retire, 1)]).
		:- info(hello_world/2, [title is 'Hello World Tool', comment is 'A simple hello world greeting tool',
			argnames is [message, response]]).
		:- mode(hello_world(+string, -string), one).
		output_schema(hello_world, {type-object, properties-{response-{type-string}}}).
		hello_world("fail", _) :- throw(no_greeting_today).
		hello_world("wait", "too late") :- begun, sleep(1000).
		hello_world(Message, "Hello World from tool!") :- Message \== "wait".
		tool_call(hello_world, [message-"invalid"], error('Invalid parameters')).
		:- info(retire/1, [comment is 'Removes a tool.', argnames is [tool]]).
		:- mode(retire(+atom), one).
		retire(Tool) :- mcp_remove_tool(Tool).`
	base, begun := openTold(t, text)
	cs := connect(t, NewServer(base.Snapshot(), &Options{Limits: engine.Limits{Time: time.Hour}}), "2025-11-25", nil)
	list, err := cs.ListTools(context.Background(), nil)
	require.NoError(t, err)
	require.Equal(t, "Hello World Tool", list.Tools[0].Title)
	requireJSON(t, `{"type": "object", "properties": {"response": {"type": "string"}}}`, list.Tools[0].OutputSchema)
	require.Equal(t, []string{"response: Hello World from tool!"},
		bridgetest.TextsOf(bridgetest.CallTool(t, cs, "hello_world", `{"message": "hi"}`)))
	invalid := bridgetest.CallTool(t, cs, "hello_world", `{"message": "invalid"}`)
	require.True(t, invalid.IsError)
	require.Equal(t, []string{"Invalid parameters"}, bridgetest.TextsOf(invalid))

	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		_, err := cs.CallTool(ctx, &mcp.CallToolParams{Name: "hello_world", Arguments: map[string]string{"message": "wait"}})
		ended <- err
	}()
	r := bridgetest.CallTool(t, cs, "retire", `{"tool": "retire"}`) // runs itself
	require.Contains(t, bridgetest.TextsOf(r)[0], "is running")
	<-begun
	r = bridgetest.CallTool(t, cs, "retire", `{"tool": "hello_world"}`)
	require.Contains(t, bridgetest.TextsOf(r)[0], "The tool hello_world is running; try again when it is done")
	cancel()
	require.Error(t, <-ended)
	require.Eventually(t, func() bool {
		return !bridgetest.CallTool(t, cs, "retire",
			`{"tool": "hello_world"}`).IsError
	}, wiretest.Patience, 10*time.Millisecond)
	_, err = cs.CallTool(context.Background(), &mcp.CallToolParams{Name: "hello_world"})
	requireInvalid(t, err)
}
