% Tests of the factorial examples.

accepts_name(_Message, {type-object, properties-{name-{type-string}}, required-[name]}, accept({name-'Ada'})).

declines(_Message, _Schema, decline).

:- begin_tests(factorial).

test(values, forall(member(N-F, [0-1, 1-1, 5-120, 20-2432902008176640000]))) :-
    my_tools:factorial(N, Computed),
    assertion(Computed == F).

test(big, true(Length == 158)) :-
    my_tools:factorial(100, F),
    number_codes(F, Codes),
    length(Codes, Length).

test(negative, fail) :-
    my_tools:factorial(-1, _).

test(sentence, true(Result == text('The factorial is: 120'))) :-
    my_text_tools:tool_call(factorial_text, ['N'-5], Result),
    !.

test(greeting, true(Result == text('Hello, Ada!'))) :-
    interactive_tools:tool_call(ask_name, [], user:accepts_name, Result).

test(no_name, true(Result == text('No name provided.'))) :-
    interactive_tools:tool_call(ask_name, [], user:declines, Result).

test(review, true(Text == 'Please review the following code for potential issues:\n\nx = 1')) :-
    my_prompts:prompt_get(code_review, [code-'x = 1'], messages([message(user, text(Text))])),
    !.

test(debate, true(Roles == [user, assistant])) :-
    my_prompts:prompt_get(debate, [topic-tabs], messages(Messages)),
    !,
    findall(Role, member(message(Role, _), Messages), Roles).

test(every_resource_is_read, forall(( my_resources:resources(All), member(Resource, All) ))) :-
    arg(1, Resource, URI),
    once(my_resources:resource_read(URI, [], contents([text_content(URI, _, _)|_]))).

:- end_tests(factorial).
