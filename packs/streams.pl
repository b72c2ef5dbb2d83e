% Output of goals as text, whichever stream it goes to.
:- module(streams, [
    with_output_to/3
]).

:- meta_predicate
    with_output_to(?, 0, +).

% with_output_to(?Sink, :Goal, +Options): with_output_to/2; capture(Streams) names those of user_output and user_error whose output counts too. color(Boolean) has no effect.
with_output_to(Sink, Goal, Options) :-
    must_be(list, Options),
    option(capture(Captured), Options, []),
    must_be(list(oneof([user_output, user_error, current_output])), Captured),
    exclude(==(current_output), Captured, Aliases),
    with_output_to(Sink, captured(Aliases, Goal)).

captured(Aliases, Goal) :-
    current_output(Stream),
    maplist([Alias, Alias-Old]>>stream_property(Old, alias(Alias)), Aliases, Before),
    setup_call_cleanup(
        forall(member(Alias, Aliases), set_stream(Stream, alias(Alias))),
        once(Goal),
        forall(member(Alias-Old, Before), set_stream(Old, alias(Alias)))).
