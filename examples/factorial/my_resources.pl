% Resources: data a client can read by its address.
:- module(my_resources, []).

capabilities([resources]).

tools([]).

resources([
    resource('logtalk://my-app/config', config, 'Application configuration', 'application/json'),
    resource('logtalk://my-app/readme', readme, 'Application readme', 'text/plain'),
    resource('logtalk://my-app/logs', logs, 'Application log', 'text/plain')
]).

resource_read('logtalk://my-app/config', _Arguments, Result) :-
    Result = contents([
        text_content('logtalk://my-app/config', 'application/json', '{"name": "my-app", "version": "1.0"}')
    ]).
resource_read('logtalk://my-app/readme', _Arguments, Result) :-
    Result = contents([
        text_content('logtalk://my-app/readme', 'text/plain', 'Welcome to my application.')
    ]).
resource_read('logtalk://my-app/logs', _Arguments, Result) :-
    Result = contents([
        text_content('logtalk://my-app/logs', 'text/plain', 'Log entry 1'),
        text_content('logtalk://my-app/logs', 'text/plain', 'Log entry 2')
    ]).
