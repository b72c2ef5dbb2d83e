% Prompts: templates for conversations that a client offers to its user.
:- module(my_prompts, []).

capabilities([prompts]).

tools([]).

prompts([
    prompt(code_review, 'Reviews code for potential issues', [
        argument(code, 'The code to review', true),
        argument(language, 'The programming language', false)
    ]),
    prompt(summarize, 'Summarizes a given text', [
        argument(text, 'The text to summarize', true)
    ]),
    prompt(debate, 'Debates a topic', [
        argument(topic, 'The topic to debate', true)
    ])
]).

prompt_get(code_review, Arguments, Result) :-
    (   member(code-Code, Arguments) ->
        atom_concat('Please review the following code for potential issues:\n\n', Code, Text)
    ;   Text = 'Please provide code to review.'
    ),
    Result = messages([message(user, text(Text))]).
prompt_get(summarize, Arguments, Result) :-
    (   member(text-Text, Arguments) ->
        atom_concat('Please summarize the following text:\n\n', Text, PromptText)
    ;   PromptText = 'Please provide text to summarize.'
    ),
    Result = messages([message(user, text(PromptText))]).
prompt_get(debate, Arguments, Result) :-
    member(topic-Topic, Arguments),
    atom_concat('Let us debate: ', Topic, UserText),
    Result = messages([
        message(user, text(UserText)),
        message(assistant, text('I would be happy to debate that topic. What is your position?'))
    ]).
