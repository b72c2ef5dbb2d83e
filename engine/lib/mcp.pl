% Talking to the MCP client that a goal is run for.
%
% Served goals ask the user, send log messages and report progress. Goals that are not served
% can log and report too, but nobody hears it, and there is nobody to ask.
:- module(mcp, [
    mcp_elicit/3,
    mcp_elicit_all/2,
    mcp_log/2,
    mcp_progress/3
]).

% mcp_elicit(+Message, +Schema, -Answer): asks the user for an object that fits the JSON Schema,
% given as a curly term. Answer is accept(Content), decline or cancel.
mcp_elicit(Message, Schema, Answer) :-
    '$mcp_elicit'(Message, Schema, Answer).

% mcp_elicit_all(+Questions, -Answers): asks a list of ask(Key, Message, Schema) at once; Answers
% are Key-Answer in the same order.
mcp_elicit_all(Questions, Answers) :-
    '$mcp_ask'(Questions, Answers).

% mcp_log(+Level, +Term): Level is one of debug, info, notice, warning, error, critical, alert and
% emergency. A curly term is sent as an object, anything else as text.
mcp_log(Level, Term) :-
    '$mcp_log'(Level, Term).

% mcp_progress(+Done, +Total, +Message)
mcp_progress(Done, Total, Message) :-
    '$mcp_progress'(Done, Total, Message).
