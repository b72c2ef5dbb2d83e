% The interview: which question to ask next, and what the answers amount to.

max_questions(8).

% interview(:Elicit, -Result): asks the user until one bird is left, the
% questions run out, or the user has had enough. Result is a tool result term.
interview(Elicit, Result) :-
    findall(Bird, species(Bird, _, _), Birds),
    max_questions(Max),
    interview(Birds, Max, [], Elicit, Result).

% interview(+Birds, +Left, +Known, :Elicit, -Result): Birds are those that fit
% all answers so far, Known is what was answered, Feature-Value, last first.
interview([Bird], _, Known, _, text(Text)) :-
    !,
    conclusion(Bird, Known, Text).
interview(Birds, Left, Known, Elicit, Result) :-
    Left > 0,
    best_question(Birds, Known, Feature),
    !,
    answer_schema(Feature, Birds, Schema),
    question(Feature, Message),
    call(Elicit, Message, Schema, Answer),
    interview_answer(Answer, Feature, Birds, Left, Known, Elicit, Result).
interview(Birds, _, Known, _, text(Text)) :-
    undecided('I have no question left that would tell them apart.', Birds, Known, Text).

interview_answer(accept(Content), Feature, Birds, Left, Known, Elicit, Result) :-
    !,
    (   curly_value(Content, answer, Value)
    ->  Left1 is Left - 1,
        narrow(Value, Feature, Birds, Left1, Known, Elicit, Result)
    ;   Result = error('The reply has no property named answer.')
    ).
interview_answer(decline, _, Birds, _, Known, _, text(Text)) :-
    undecided('You declined to answer, so the interview ends here.', Birds, Known, Text).
interview_answer(cancel, _, _, _, _, _, text('The interview was cancelled.')).

narrow(unsure, Feature, Birds, Left, Known, Elicit, Result) :-
    !,
    interview(Birds, Left, [Feature-unsure|Known], Elicit, Result).
narrow(Value, Feature, Birds, Left, Known, Elicit, Result) :-
    include(bird_with(Feature, Value), Birds, Fitting),
    (   Fitting == []
    ->  format(atom(Text), 'No bird I know fits the answer ~w to that question.', [Value]),
        Result = error(Text)
    ;   interview(Fitting, Left, [Feature-Value|Known], Elicit, Result)
    ).

bird_with(Feature, Value, Bird) :-
    feature_of(Bird, Feature, Value).

% best_question(+Birds, +Known, -Feature): the feature not asked yet whose
% answer is expected to leave the fewest birds; fails when none separates them.
best_question(Birds, Known, Feature) :-
    findall(Cost-Candidate, question_cost(Birds, Known, Candidate, Cost), Costs),
    keysort(Costs, [_-Feature|_]).

% The number of birds left after an answer is, on average, the sum of the
% squared group sizes over the number of birds; the divisor is the same for all.
question_cost(Birds, Known, Feature, Cost) :-
    feature(Feature, _),
    \+ memberchk(Feature-_, Known),
    value_counts(Feature, Birds, Counts),
    Counts = [_, _|_],
    foldl(add_square, Counts, 0, Cost).

add_square(_-Count, Sum0, Sum) :-
    Sum is Sum0 + Count * Count.

% value_counts(+Feature, +Birds, -Counts): the values that occur among Birds,
% in the order of the feature's declaration, each with how often it occurs.
value_counts(Feature, Birds, Counts) :-
    findall(Value, (member(Bird, Birds), feature_of(Bird, Feature, Value)), Found),
    feature(Feature, Kind),
    kind_values(Kind, Values),
    findall(Value-Count,
            ( member(Value, Values),
              aggregate_all(count, member(Value, Found), Count),
              Count > 0 ),
            Counts).

kind_values(yes_no, [yes, no]).
kind_values(choice(Values), Values).

% answer_schema(+Feature, +Birds, -Schema): only the values some bird in Birds
% has are offered, so no answer can lead nowhere.
answer_schema(Feature, Birds, Schema) :-
    value_counts(Feature, Birds, Counts),
    pairs_keys(Counts, Values),
    append(Values, [unsure], Options),
    feature_title(Feature, Title),
    Schema = {
        type-object,
        properties-{answer-{type-string, title-Title, enum-Options}},
        required-[answer]
    }.

feature_title(Feature, Title) :-
    atomic_list_concat(Words, '_', Feature),
    atomic_list_concat(Words, ' ', Title).

% curly_value(+Content, +Key, -Value): the value of a key of a JSON object.
curly_value({Pairs}, Key, Value) :-
    pair_value(Pairs, Key, Value).

pair_value((Pair, Pairs), Key, Value) :-
    !,
    (   Pair = Key-Value
    ->  true
    ;   pair_value(Pairs, Key, Value)
    ).
pair_value(Key-Value, Key, Value).

% conclusion(+Bird, +Known, -Text): names the bird and says why.
conclusion(Bird, Known, Text) :-
    bird_title(Bird, Title),
    species(Bird, _, Scientific),
    reverse(Known, Answers),
    maplist(reason(Bird), Answers, Reasons),
    atomic_list_concat(Reasons, '\n', Why),
    aggregate_all(count, species(_, _, _), Total),
    length(Answers, Asked),
    format(atom(Text),
           'Your bird is the ~w (~w).\n\nWhy:\n~w\n\nOf the ~d birds I know it is the only one that fits these ~d answers.',
           [Title, Scientific, Why, Total, Asked]).

reason(_, Feature-unsure, Reason) :-
    !,
    feature_title(Feature, Title),
    format(atom(Reason), '- ~w: you were not sure, so it did not count', [Title]).
reason(Bird, Feature-Value, Reason) :-
    feature_title(Feature, Title),
    feature_source(Bird, Feature, Value, Source),
    source_clause(Source, Bird, Clause),
    format(atom(Reason), '- ~w: ~w~w', [Title, Value, Clause]).

source_clause(none, _, '') :-
    !.
source_clause(Bird, Bird, Clause) :-
    !,
    bird_title(Bird, Title),
    format(atom(Clause), ', a mark of the ~w', [Title]).
source_clause(Taxon, _, Clause) :-
    taxon_title(Taxon, Title),
    format(atom(Clause), ', as in ~w', [Title]).

% undecided(+Because, +Birds, +Known, -Text): what the answers leave open.
undecided(Because, Birds, Known, Text) :-
    maplist(bird_title, Birds, Titles),
    atomic_list_concat(Titles, ', ', List),
    length(Birds, Left),
    (   Known == []
    ->  Told = ''
    ;   reverse(Known, Answers),
        maplist(answer_text, Answers, Texts),
        atomic_list_concat(Texts, ', ', All),
        format(atom(Told), '\n\nWhat you told me: ~w.', [All])
    ),
    format(atom(Text), '~w\n\n~d birds are still possible: ~w.~w', [Because, Left, List, Told]).

answer_text(Feature-Value, Text) :-
    feature_title(Feature, Title),
    format(atom(Text), '~w: ~w', [Title, Value]).
