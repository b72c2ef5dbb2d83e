% ISO 13211-1, 8.14 operators and 8.17 flags.

?- op(30,xfy,++), X = (a ++ b ++ c), write_canonical(X).
?- op(0,xfy,+).
?- op(max,xfy,++).
?- op(-30,xfy,++).
?- op(1201,xfy,++).
?- op(30,X,++).
?- op(X,xfy,++).
?- op(30,yfy,++).
?- op(30,xfy,X).
?- op(30,1,++).
?- op(30,xfy,1).
?- op(30,xfy,f(x)).
?- op(30,xfy,[++,1]).
?- op(30,xfy,[++,X]).
?- op(30,xfy,[++|X]).
?- op(30,xfy,[++|a]).
?- op(30,xfy,',').
?- op(30,xfy,[a,',']).
?- op(30,xfy,[]).
?- op(30,xfy,'|').
?- op(1100,xfy,'|').
?- op(1001,xfy,'|').
?- op(0,xfy,'|').
?- op(700,fy,'|').
?- op(30,xfy,{}).
?- op(30,xfy,'[]').
?- op(1.5,xfy,++).
?- op(30,foo,++).
?- op(200,xfx,xx), op(200,xf,xx).
?- op(200,xf,yy), op(200,xfx,yy).
?- op(200,fy,zz), op(200,xfx,zz).
?- op(200,xfx,zz), X = (a zz b).
?- op(0,xfx,=).
?- current_op(P,xfy,T,_).
?- current_op(P,xfx,is).
?- current_op(P,T,mod).
?- current_op(1201,T,O).
?- current_op(P,yfy,O).
?- current_op(P,T,1).
?- current_op(a,T,O).
?- current_op(P,1,O).
?- current_op(P,T,f(x)).
?- current_op(P,T,nosuchop).
?- current_op(1200,fx,(:-)).
?- current_op(P,T,-).
?- current_op(P,fy,\+).
?- current_op(1000,T,O).
?- current_op(1.5,T,O).
?- set_prolog_flag(unknown,fail), nosuch.
?- set_prolog_flag(X,off).
?- set_prolog_flag(unknown,X).
?- set_prolog_flag(5,decimals).
?- set_prolog_flag(date,'July 1999').
?- set_prolog_flag(debug,trace).
?- set_prolog_flag(bounded,true).
?- set_prolog_flag(f(x),true).
?- set_prolog_flag(double_quotes,foo).
?- set_prolog_flag(max_arity,3).
?- current_prolog_flag(bounded,V).
?- current_prolog_flag(max_arity,V), atom(V).
?- current_prolog_flag(unknown,V).
?- current_prolog_flag(1,V).
?- current_prolog_flag(f(x),V).
?- current_prolog_flag(nosuchflag,V).
?- current_prolog_flag(debug,V).
?- current_prolog_flag(integer_rounding_function,V).
?- current_prolog_flag(double_quotes,V).
