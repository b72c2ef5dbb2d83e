% What lasts of events: who watches, what holds, and what has occurred. Bases that declare events have this module. Its
% facts are changed in the transactions of calls, so several servers on one store make each occurrence once.
:- module(mcp_events, []).

% watched(Key, Event, Arguments, Owner, Stamp, Last, Until): somebody wants to hear of an event with some arguments, up to the
% time Until. Stamp names the watch, Last is the number of the last occurrence. Times are in milliseconds.
:- persistent(watched/7, [key([1])]).
% holds(Key, Data): what the goal of a watch has answered when it was asked last.
:- persistent(holds/2, [key([1, 2])]).
% occurred(Key, Number, Time, Data, Proof): an answer was new. Proof is "" unless the event is explained.
:- persistent(occurred/5, [key([1, 2])]).
% hook(Id, Owner, Key, URL, Secrets, Until): occurrences are posted to an address. Secrets has the one to sign with, and
% perhaps the one before it.
:- persistent(hook/6, [key([1])]).
% posted(Id, Stamp, Number, Server, Until): the receiver has got all up to Number. Server has the right to post the next ones,
% up to the time Until.
:- persistent(posted/5, [key([1])]).

% answers(:Goal, ?Row, +Most, -Answers): what holds now, as JSON texts with their rows, sorted by the texts. What the goal
% changes is taken back.
answers(Goal, Row, Most, Answers) :-
    Beyond is Most + 1,
    snapshot(findall(Text-Row, ( limit(Beyond, Goal), '$event_data'(Row, Text) ), Found)),
    length(Found, Length),
    (   Length > Most
    ->  throw(error(resource_error(event_answers(Most)), _))
    ;   sort(1, @<, Found, Answers)
    ).

% watch(+Watch, +Bounds, :Goal, ?Row, +Most, -Stamp, -Last): begins a watch, unless there is one, which is prolonged and looked
% at. What holds at the beginning has not occurred.
watch(watched(Key, Event, Arguments, Owner, New, Now, Until), bounds(All, Each, Kept), Goal, Row, Most, Stamp, Last) :-
    (   watched(Key, _, _, _, _, _, _)
    ->  prolong(Key, Now, Until),
        look(Key, Now, Kept, Goal, Row, Most),
        watched(Key, _, _, _, Stamp, Last, _)
    ;   expire(Now),
        room(All, _),
        room(Each, Owner),
        answers(Goal, Row, Most, Answers),
        forall(member(Text-_, Answers), assertz(holds(Key, Text))),
        assertz(watched(Key, Event, Arguments, Owner, New, 0, Until)),
        Stamp = New,
        Last = 0
    ).

room(Most, Owner) :-
    aggregate_all(count, watched(_, _, _, Owner, _, _, _), Count),
    (   Count >= Most
    ->  throw(error(resource_error(event_watches(Most)), _))
    ;   true
    ).

% A watch is prolonged when half of its time is over, so that few polls change facts.
prolong(Key, Now, Until) :-
    watched(Key, Event, Arguments, Owner, Stamp, Last, Old),
    (   Old < Now + (Until - Now) // 2
    ->  retract(watched(Key, Event, Arguments, Owner, Stamp, Last, Old)),
        assertz(watched(Key, Event, Arguments, Owner, Stamp, Last, Until))
    ;   true
    ).

% look(+Key, +Now, +Kept, :Goal, ?Row, +Most): notes what holds now. Each change of a watch retracts the same fact, so two
% servers cannot note the same. Only the last occurrences are kept.
look(Key, Now, Kept, Goal, Row, Most) :-
    answers(Goal, Row, Most, Answers),
    pairs_keys(Answers, Texts),
    findall(Text, holds(Key, Text), Held0),
    sort(Held0, Held),
    ord_subtract(Texts, Held, New),
    ord_subtract(Held, Texts, Gone),
    findall(Text-Values, ( member(Text-Values, Answers), ord_memberchk(Text, New) ), News),
    (   News == [],
        Gone == []
    ->  true
    ;   retract(watched(Key, Event, Arguments, Owner, Stamp, Last0, Until)),
        forall(member(Text, Gone), retract(holds(Key, Text))),
        occur(News, Key, Now, Last0, Last),
        assertz(watched(Key, Event, Arguments, Owner, Stamp, Last, Until)),
        First is max(1, Last0 - Kept + 1),
        Old is Last - Kept,
        forall(between(First, Old, N), retractall(occurred(Key, N, _, _, _)))
    ).

occur([], _, _, Last, Last).
occur([Text-Row|News], Key, Now, Last0, Last) :-
    Last1 is Last0 + 1,
    ( '$event_proof'(Row, Proof) -> true ; Proof = "" ),
    assertz(holds(Key, Text)),
    assertz(occurred(Key, Last1, Now, Text, Proof)),
    occur(News, Key, Now, Last1, Last).

% since(+Key, +From, +Most, +Oldest, -Stamp, -Last, -Found): at most so many occurrences behind a number that are not older than
% a time, as o(Number, Time, Data, Proof).
since(Key, From, Most, Oldest, Stamp, Last, Found) :-
    watched(Key, _, _, _, Stamp, Last, _),
    First is From + 1,
    findall(o(N, Time, Data, Proof),
            limit(Most, ( between(First, Last, N), occurred(Key, N, Time, Data, Proof), Time >= Oldest )),
            Found).

watches(List) :-
    findall(w(Key, Event, Arguments, Until), watched(Key, Event, Arguments, _, _, _, Until), List).

% expire(+Now): forgets what nobody has prolonged.
expire(Now) :-
    forall(( hook(Id, _, _, _, _, Until), Until < Now ), unhook(Id)),
    forall(( watched(Key, _, _, _, _, _, Until), Until < Now ), forget(Key)).

forget(Key) :-
    retractall(watched(Key, _, _, _, _, _, _)),
    retractall(holds(Key, _)),
    retractall(occurred(Key, _, _, _, _)).

unhook(Id) :-
    retractall(hook(Id, _, _, _, _, _)),
    retractall(posted(Id, _, _, _, _)).

% hooked(+Hook, +Stamp, +From, +Each, -At, -Lives): adds or renews a hook. One that lives goes on where it is.
hooked(hook(Id, Owner, Key, URL, Secret, Until), Stamp, From, Each, At, Lives) :-
    (   retract(hook(Id, _, _, _, [Old|_], _))
    ->  ( Old == Secret -> Secrets = [Secret] ; Secrets = [Secret, Old] )
    ;   aggregate_all(count, hook(_, Owner, _, _, _, _), Count),
        ( Count >= Each -> throw(error(resource_error(event_hooks(Each)), _)) ; true ),
        Secrets = [Secret]
    ),
    assertz(hook(Id, Owner, Key, URL, Secrets, Until)),
    (   posted(Id, Stamp, At, _, _)
    ->  Lives = true
    ;   retractall(posted(Id, _, _, _, _)),
        assertz(posted(Id, Stamp, From, '', 0)),
        At = From,
        Lives = false
    ).

unhooked(Id) :-
    hook(Id, _, _, _, _, _),
    unhook(Id).

% due(+Events, +All, -Hooks): the hooks whose receivers have not got all, and those of other events; with All = true all.
due(Events, All, Hooks) :-
    findall(h(Id, Owner, Key, Event, Arguments, URL, Secrets, Until),
            ( hook(Id, Owner, Key, URL, Secrets, Until), posted(Id, Stamp, From, _, _),
              watched(Key, Event, Arguments, _, Now, Last, _),
              ( ( All == true ; Stamp \== Now ; \+ memberchk(Event, Events) ) -> true ; From < Last ) ),
            Hooks).

% claim(+Id, +Server, +Now, +Until, -Stamp, -From): the server may post what is behind From, if no other may.
claim(Id, Server, Now, Until, Stamp, From) :-
    posted(Id, Stamp, From, Other, Free),
    ( Other == Server -> true ; Free < Now ),
    retract(posted(Id, Stamp, From, Other, Free)),
    assertz(posted(Id, Stamp, From, Server, Until)).

% got(+Id, +Server, +Stamp, +Number, +Until): the receiver has got all up to a number. It fails if another server posts now.
got(Id, Server, Stamp, Number, Until) :-
    retract(posted(Id, _, _, Server, _)),
    assertz(posted(Id, Stamp, Number, Server, Until)).

% release(+Server): others may post in the place of a server.
release(Server) :-
    forall(retract(posted(Id, Stamp, Number, Server, _)), assertz(posted(Id, Stamp, Number, '', 0))).
