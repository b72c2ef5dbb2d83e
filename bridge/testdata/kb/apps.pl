% Completions, hints about caching, user interfaces, options of tools and kinds of templates.

capabilities([tools, prompts, resources, completions, logging, ui]).

tools([
    tool(forecast, forecast, 2, [
        title('Forecast'), description('Says what comes.'),
        read_only(true), destructive(false), idempotent(true), open_world(false)
    ]),
    tool(days, day, 1, [mode(2), limit(2)]),
    tool(refresh, refresh, 0, [description("Refreshes."), timeout(0.2), destructive(true)])
]).

:- mode(forecast(+atom, -atom), one).
:- info(forecast/2, [title is 'Not this', comment is 'Nor this.', argnames is [city, weather]]).
forecast(_, sun).

:- mode(day(-atom), one).
:- mode(day(-atom), zero_or_more).
:- info(day/1, [comment is 'The days.', argnames is [day]]).
day(monday).
day(tuesday).
day(wednesday).

refresh :- refresh.

tool_ui(forecast, [resource_uri('ui://weather/view'), visibility([model, app])]).
tool_ui(refresh, {resourceUri-"ui://weather/view", visibility-[app]}).

resource_ui_meta('ui://weather/view', {
    csp-{connectDomains-['https://api.example.com']},
    prefersBorder-true
}).

prompts([
    prompt(plan, 'Plans a trip', [argument(country, 'Where', true), argument(city, 'Where in it', false)]),
    prompt(other, 'Has no proposals', [argument(a, 'A', false)])
]).
prompt_get(_, _, messages([])).

resources([
    resource('ui://weather/view', view, 'The view', 'text/html;profile=mcp-app'),
    resource('x://plain', plain, 'Plain', 'text/plain')
]).
resource_templates([
    resource_template('x://city/{name}', city, 'City', 'A city', 'text/plain'),
    resource_template('x://file/{+path}', file, 'A file', 'text/plain'),
    resource_template('x://search{?q,lang}', search, 'A search', 'text/plain'),
    resource_template('x://tags{/tag*}', tags, 'Tags', 'text/plain')
]).
resource_read(URI, Arguments, contents([text_content(URI, '', Text)])) :-
    term_to_atom(Arguments, Text).

completion(prompt(plan), country-Partial, _, completion(Values)) :-
    findall(C, (in(C, _), atom_concat(Partial, _, C)), Values0),
    sort(Values0, Values).
completion(prompt(plan), city-Partial, Context, completion(Values, 7, true)) :-
    member(country-Country, Context),
    findall(C, (in(Country, C), atom_concat(Partial, _, C)), Values).
completion(resource('x://city/{name}'), name-Partial, _, completion(Values)) :-
    findall(C, (in(_, C), atom_concat(Partial, _, C)), Values).
completion(resource('x://file/{+path}'), path-Kind, _, Result) :- odd(Kind, Result).

in(italy, rome).
in(italy, ravenna).
in(ireland, dublin).

odd(many, completion(Values)) :- numlist(1, 150, Values).
odd(soup, soup).
odd(partial, completion([a|_])).
odd(total, completion([], many, true)).
odd(more, completion([], 1, perhaps)).
odd(throws, _) :- throw(oops).
odd(asks, completion([])) :- mcp_elicit("Well?", {type-object, properties-{answer-{type-string}}}, _).

cache_policy(discover, _, 5000, public).
cache_policy(tools_list, _, 1000, private).
cache_policy(prompts_list, _, 2000, public).
cache_policy(resources_list, _, soon, public).
cache_policy(resources_read, URI, 3000, private) :- sub_atom(URI, 0, _, _, 'x://city/').
