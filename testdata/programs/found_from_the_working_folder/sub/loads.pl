loaded(sub).
:- include(part).
