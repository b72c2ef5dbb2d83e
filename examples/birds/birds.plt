% Tests of the birds knowledge base: every interview a truthful user can have.

:- dynamic(asked/2).

% truthful(+Bird, +Message, +Schema, -Answer): a user looking at Bird.
truthful(Bird, Message, Schema, accept({answer-Value})) :-
    question(Feature, Message),
    feature_of(Bird, Feature, Value),
    offers(Schema, Value),
    assertz(asked(Bird, Feature)).

unsure(_Message, Schema, accept({answer-unsure})) :-
    offers(Schema, unsure).

offers({type-object, properties-{answer-{type-string, title-_, enum-Options}}, required-[answer]}, Value) :-
    memberchk(Value, Options).

:- begin_tests(birds).

test(every_bird_is_found, [forall(species(Bird, _, _)), setup(retractall(asked(_, _)))]) :-
    tool_call(identify_bird, [], truthful(Bird), text(Text)),
    bird_title(Bird, Title),
    format(atom(Start), 'Your bird is the ~w (', [Title]),
    once(sub_atom(Text, 0, _, _, Start)),
    aggregate_all(count, asked(Bird, _), Count),
    assertion(Count =< 8).

test(no_question_twice, [forall(species(Bird, _, _)), setup(retractall(asked(_, _)))]) :-
    tool_call(identify_bird, [], truthful(Bird), _),
    findall(Feature, asked(Bird, Feature), Features),
    sort(Features, Sorted),
    same_length(Features, Sorted).

test(every_feature_has_a_question, true(Missing == [])) :-
    findall(Feature, (feature(Feature, _), \+ question(Feature, _)), Missing).

test(every_bird_has_every_feature, true(Missing == [])) :-
    findall(Bird-Feature,
            ( species(Bird, _, _), feature(Feature, _), \+ feature_of(Bird, Feature, _) ),
            Missing).

test(every_value_is_declared, true(Odd == [])) :-
    findall(Feature-Value,
            ( mark(_, Feature, Value),
              \+ ( feature(Feature, Kind), kind_values(Kind, Values), memberchk(Value, Values) ) ),
            Odd).

test(every_mark_has_a_taxon, true(Odd == [])) :-
    findall(Taxon,
            ( mark(Taxon, _, _), \+ species(Taxon, _, _), \+ family(Taxon, _, _), \+ order(Taxon, _) ),
            Odd).

test(unsure_ends_undecided) :-
    tool_call(identify_bird, [], unsure, text(Text)),
    once(sub_atom(Text, _, _, _, 'birds are still possible')).

test(declined) :-
    tool_call(identify_bird, [], [_, _, decline]>>true, text(Text)),
    once(sub_atom(Text, 0, _, _, 'You declined')).

test(cancelled) :-
    tool_call(identify_bird, [], [_, _, cancel]>>true, text('The interview was cancelled.')).

test(no_such_answer) :-
    tool_call(identify_bird, [], [_, _, accept({answer-purple})]>>true, error(_)).

test(described, forall(member(Name, [grey_heron, 'Grey heron', 'GREY-HERON']))) :-
    tool_call(describe_bird, [name-Name], text(Text)),
    once(sub_atom(Text, 0, _, _, 'grey heron (Ardea cinerea)')).

test(unknown_bird) :-
    tool_call(describe_bird, [name-phoenix], error(_)).

test(hovering, all(Bird == [common_kestrel, common_kingfisher])) :-
    birds_with(hovers, yes, Bird).

test(family_marks_are_inherited, all(Bird == [common_kestrel, peregrine_falcon])) :-
    species(Bird, falconidae, _),
    birds_with(bill, hooked, Bird).

test(default_is_no) :-
    birds_with(webbed_feet, no, robin),
    \+ birds_with(webbed_feet, no, mallard).

test(prompt) :-
    once(prompt_get(identify_from_notes, [notes-'a blue bird', place-river],
                    messages(_, [message(user, text(Text))]))),
    forall(member(Part, ['a blue bird', river]), once(sub_atom(Text, _, _, _, Part))).

test(resources, forall(( resources(All), member(Resource, All) ))) :-
    arg(1, Resource, URI),
    once(resource_read(URI, [], contents([text_content(URI, 'text/markdown', Text)]))),
    atom_length(Text, Length),
    assertion(Length > 200).

:- end_tests(birds).
