% Tools that return every kind of content, report progress and log.

tools([
    tool(test_simple_text, test_simple_text, 0, [read_only(true)]),
    tool(test_image_content, test_image_content, 0, [read_only(true)]),
    tool(test_audio_content, test_audio_content, 0, [read_only(true)]),
    tool(test_embedded_resource, test_embedded_resource, 0, [read_only(true)]),
    tool(test_multiple_content_types, test_multiple_content_types, 0, [read_only(true)]),
    tool(test_error_handling, test_error_handling, 0),
    tool(test_tool_with_progress, test_tool_with_progress, 0),
    tool(test_tool_with_logging, test_tool_with_logging, 0),
    tool(test_logging_tool, test_logging_tool, 0),
    tool(test_reconnection, test_reconnection, 0),
    tool(json_schema_2020_12_tool, json_schema_2020_12_tool, 0),
    tool(test_x_mcp_header, test_x_mcp_header, 0)
]).

:- info(test_simple_text/0, [comment is 'Returns a text.']).
tool_call(test_simple_text, _, text('This is a simple text response for testing.')).

:- info(test_image_content/0, [comment is 'Returns an image.']).
tool_call(test_image_content, _, results([image(Data, 'image/png')])) :-
    red_pixel(Data).

:- info(test_audio_content/0, [comment is 'Returns a sound.']).
tool_call(test_audio_content, _, results([audio(Data, 'audio/wav')])) :-
    silence(Data).

:- info(test_embedded_resource/0, [comment is 'Returns a resource.']).
tool_call(test_embedded_resource, _, results([
        resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')
    ])).

:- info(test_multiple_content_types/0, [comment is 'Returns a text, an image and a resource.']).
tool_call(test_multiple_content_types, _, results([
        text('Multiple content types test:'),
        image(Data, 'image/png'),
        resource('test://mixed-content-resource', 'application/json', '{"test": "data", "value": 123}')
    ])) :-
    red_pixel(Data).

:- info(test_error_handling/0, [comment is 'Returns an error.']).
tool_call(test_error_handling, _, error('This tool intentionally returns an error for testing')).

:- info(test_tool_with_progress/0, [comment is 'Reports its progress.']).
tool_call(test_tool_with_progress, _, text(done)) :-
    forall(member(Done, [0, 50, 100]),
           ( format(atom(Message), 'Completed step ~d of 100', [Done]),
             mcp_progress(Done, 100, Message),
             sleep(0.05) )).

:- info(test_tool_with_logging/0, [comment is 'Sends log messages while it runs.']).
tool_call(test_tool_with_logging, _, text('The messages are sent.')) :-
    forall(member(Message, ['Tool execution started', 'Tool processing data', 'Tool execution completed']),
           ( mcp_log(info, Message),
             sleep(0.05) )).

:- info(test_logging_tool/0, [comment is 'Sends a log message to those who want to hear it.']).
tool_call(test_logging_tool, _, text('A message is sent to those who want it.')) :-
    mcp_log(info, 'test_logging_tool was called').

:- info(test_reconnection/0, [comment is 'Lets go of the connection; the result comes to a client that connects again.']).
tool_call(test_reconnection, _, text('The client has come back for this result.')) :-
    mcp_close_stream(0.01),
    sleep(0.1).

:- info(json_schema_2020_12_tool/0, [comment is 'Has a schema with what JSON Schema 2020-12 can say.']).
input_schema(json_schema_2020_12_tool, {
    '$schema'-'https://json-schema.org/draft/2020-12/schema',
    type-object,
    '$defs'-{
        address-{
            '$anchor'-addressDef,
            type-object,
            properties-{street-{type-string}, city-{type-string}}
        }
    },
    properties-{
        name-{type-string},
        address-{'$ref'-'#/$defs/address'},
        contactMethod-{type-string, enum-[phone, email]},
        phone-{type-string},
        email-{type-string}
    },
    allOf-[{anyOf-[{required-[phone]}, {required-[email]}]}],
    if-{properties-{contactMethod-{const-phone}}, required-[contactMethod]},
    then-{required-[phone]},
    else-{required-[email]},
    additionalProperties-false
}).
tool_call(json_schema_2020_12_tool, Arguments, text(Text)) :-
    format(atom(Text), 'Called with ~q.', [Arguments]).

:- info(test_x_mcp_header/0, [comment is 'Has a property that clients also send as a header.']).
input_schema(test_x_mcp_header, {
    type-object,
    properties-{
        region-{type-string, description-'Sent as the header Mcp-Param-Region, too.', 'x-mcp-header'-'Region'},
        level-{type-integer, description-'Not sent as a header.'}
    }
}).
tool_call(test_x_mcp_header, Arguments, text(Text)) :-
    ( memberchk(region-Region, Arguments) -> true ; Region = none ),
    format(atom(Text), 'The region is ~w.', [Region]).

% A red image of one pixel, and a sound of one sample.
red_pixel('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC').
silence('UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA==').
