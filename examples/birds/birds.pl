% What an MCP client is offered: three tools, a prompt and two resources.

capabilities([tools, prompts, resources, elicitation]).

:- mode(identify_bird, one).
:- info(identify_bird/0, [
       title is 'Identify a bird',
       comment is 'Asks the user a few questions about a bird they saw and names the species, with the reasons.',
       remarks is ['Questions' - 'At most eight, each with a list of answers to choose from.']
   ]).

:- mode(describe_bird(+atom), one).
:- info(describe_bird/1, [
       title is 'Describe a bird',
       comment is 'Describes a bird: its family and order, and all its features.',
       arguments is [name - 'Name of the species, for example grey_heron or "Grey heron".'],
       examples is ['The grey heron' - describe_bird(grey_heron) - {true}]
   ]).

:- mode(birds_with(+one_of(atom, [webbed_feet, long_legs, crest, forked_tail, long_tail,
                                  dark_head, white_head, colourful_head, red_breast, hovers,
                                  night_active, size, home, bill, plumage]),
                   +atom, -atom),
        zero_or_more).
:- info(birds_with/3, [
       title is 'Birds with a feature',
       comment is 'Finds all birds that have a given value of a feature.',
       arguments is [
           feature - 'The feature to look at.',
           value   - 'Its value: yes or no, or one of those the resource birds://features lists.',
           bird    - 'A species that has it.'
       ],
       examples is ['Who hovers?' - birds_with(hovers, yes, Bird) - {Bird = common_kestrel}]
   ]).

tools([
    tool(identify_bird, identify_bird, 0, [read_only(true)]),
    tool(describe_bird, describe_bird, 1, [read_only(true), idempotent(true)]),
    tool(birds_with, birds_with, 3, [read_only(true), idempotent(true)])
]).

% identify_bird/0 has no one to ask without a client; tool_call/4 does the work.
identify_bird :-
    writeln('Serve this folder, or run: mcplogic call examples/birds identify_bird').

tool_call(identify_bird, _Arguments, Elicit, Result) :-
    interview(Elicit, Result).

tool_call(describe_bird, Arguments, Result) :-
    member(name-Name, Arguments),
    (   known_bird(Name, Bird)
    ->  description(Bird, Text),
        Result = text(Text)
    ;   unknown_bird(Name, Text),
        Result = error(Text)
    ).

% describe_bird(+Name): prints the description.
describe_bird(Name) :-
    known_bird(Name, Bird),
    description(Bird, Text),
    writeln(Text).

% birds_with(?Feature, ?Value, ?Bird)
birds_with(Feature, Value, Bird) :-
    feature_of(Bird, Feature, Value).

% known_bird(+Name, -Bird): Name may be in any case, with spaces, _ or - between words.
known_bird(Name, Bird) :-
    downcase_atom(Name, Lower),
    atomic_list_concat(Spaced, ' ', Lower),
    atomic_list_concat(Spaced, '_', Underscored),
    atomic_list_concat(Dashed, '-', Underscored),
    atomic_list_concat(Dashed, '_', Bird),
    species(Bird, _, _).

unknown_bird(Name, Text) :-
    findall(Title, (species(Bird, _, _), bird_title(Bird, Title)), Titles),
    atomic_list_concat(Titles, ', ', Known),
    format(atom(Text), 'I know no bird named ~w. I know: ~w.', [Name, Known]).

description(Bird, Text) :-
    bird_title(Bird, Title),
    species(Bird, Family, Scientific),
    family(Family, Order, FamilyCommon),
    order(Order, OrderCommon),
    findall(Line,
            ( feature_of(Bird, Feature, Value),
              answer_text(Feature-Value, Answer),
              atom_concat('- ', Answer, Line) ),
            Lines),
    atomic_list_concat(Lines, '\n', Features),
    format(atom(Text), '~w (~w)\nFamily: ~w (~w)\nOrder: ~w (~w)\nFeatures:\n~w',
           [Title, Scientific, Family, FamilyCommon, Order, OrderCommon, Features]).

prompts([
    prompt(identify_from_notes, 'Identify from notes',
           'Works out a species from written field notes, using the tools of this server.', [
        argument(notes, 'What was seen, in your own words', true),
        argument(place, 'Where it was seen', false)
    ])
]).

prompt_get(identify_from_notes, Arguments, messages('Identify a bird from field notes', [
        message(user, text(Text))
    ])) :-
    member(notes-Notes, Arguments),
    (   member(place-Place, Arguments)
    ->  format(atom(Where), ' The place: ~w.', [Place])
    ;   Where = ''
    ),
    format(atom(Text),
           'These are my field notes: ~w.~w Use the tool birds_with for each feature the notes mention, keep the birds that occur in every answer, check what is left with describe_bird, and tell me which species it is and why.',
           [Notes, Where]).

resources([
    resource('birds://taxonomy', taxonomy, 'Taxonomy',
             'The orders, families and species this server knows.', 'text/markdown'),
    resource('birds://features', features, 'Features',
             'The features birds are told apart by, and their values.', 'text/markdown')
]).

resource_read('birds://taxonomy', _Arguments, contents([
        text_content('birds://taxonomy', 'text/markdown', Text)
    ])) :-
    findall(Line, taxonomy_line(Line), Lines),
    atomic_list_concat(Lines, '\n', Text).
resource_read('birds://features', _Arguments, contents([
        text_content('birds://features', 'text/markdown', Text)
    ])) :-
    findall(Line, feature_line(Line), Lines),
    atomic_list_concat(Lines, '\n', Text).

taxonomy_line(Line) :-
    order(Order, OrderCommon),
    (   format(atom(Line), '- ~w: ~w', [Order, OrderCommon])
    ;   family(Family, Order, FamilyCommon),
        (   format(atom(Line), '  - ~w: ~w', [Family, FamilyCommon])
        ;   species(Bird, Family, Scientific),
            bird_title(Bird, Title),
            format(atom(Line), '    - ~w (~w)', [Title, Scientific])
        )
    ).

feature_line(Line) :-
    feature(Feature, Kind),
    kind_values(Kind, Values),
    atomic_list_concat(Values, ', ', List),
    format(atom(Line), '- ~w: ~w', [Feature, List]).
