% ISO 13211-1, 8.5 term creation and decomposition.

?- functor(X,N,A).
?- functor(1,N,A).
?- functor(1.5,N,A).
?- functor([],N,A).
?- functor([a],N,A).
?- functor(a,N,A).
?- functor(foo(a,b),foo,A).
?- functor(foo(a,b),bar,A).
?- functor(foo(a,b),1,A).
?- functor(foo(a,b),f(x),A).
?- functor(foo(a,b),N,2).
?- functor(foo(a,b),N,3).
?- functor(foo(a,b),N,a).
?- functor(foo(a,b),N,-1).
?- functor(foo(a,b),N,1.5).
?- functor(a,f(x),A).
?- functor(a,N,1.5).
?- functor(foo(a,b),f(x),1.5).
?- functor(F,X,2).
?- functor(F,foo(a),2).
?- functor(F,1,2).
?- functor(F,1.5,2).
?- functor(F,[],2).
?- functor(F,foo,X).
?- functor(F,foo,a).
?- functor(F,foo,-1).
?- functor(F,foo,1.5).
?- functor(F,foo,f(x)).
?- functor(F,foo,0).
?- functor(F,foo,3000000000000).
?- functor(F,[],3000000000000).
?- functor(F,1,0).
?- functor(F,1.5,1).
?- functor(F,1,1).
?- functor(F,foo(a),0).
?- functor(F,foo(a),1).
?- functor([a|b],N,A).
?- functor(F,N,A).
?- functor(F,'.',2).
?- functor({a},N,A).
?- functor(-1,N,A).
?- functor(- a,N,A).
?- arg(0,foo(a,b),A).
?- arg(3,foo(a,b),A).
?- arg(-1,foo(a,b),A).
?- arg(a,foo(a,b),A).
?- arg(1.5,foo(a,b),A).
?- arg(foo(x),foo(a,b),A).
?- arg(1,X,A).
?- arg(1,a,A).
?- arg(1,1,A).
?- arg(1,[],A).
?- arg(1,foo(a,b),c).
?- arg(1,foo(a,b),f(x)).
?- arg(foo(x),[],A).
?- arg(foo(x),foo(a,b),f(x)).
?- arg(1,[],f(x)).
?- arg(2,foo(a,f(X,b),c),f(a,Y)).
?- arg(0,foo(a),X).
?- arg(1,foo(X),u(X)).
?- arg(1,[],X).
?- arg(1,[a,b],X).
?- arg(2,[a,b],X).
?- foo(a,b) =.. X.
?- X =.. [foo,a,b].
?- X =.. [foo].
?- a =.. X.
?- 1 =.. X.
?- 1.5 =.. X.
?- [a] =.. X.
?- X =.. [1].
?- X =.. [1.5].
?- X =.. Y.
?- X =.. [foo|Y].
?- X =.. [foo|bar].
?- X =.. [Y,bar].
?- X =.. [f(x)].
?- X =.. [f(x),a].
?- X =.. [1,2].
?- X =.. [1.1,a].
?- X =.. [].
?- X =.. a.
?- X =.. 1.
?- f(X) =.. [f,u(X)].
?- f(X) =.. [g|Y].
?- foo(a) =.. [foo|b].
?- foo(a) =.. b.
?- X =.. [[],a].
?- {} =.. X.
?- f(A) =.. [f,a].
?- copy_term(X,C).
?- term_variables(X,V).
?- copy_term(a,C).
?- term_variables(a,V).
?- copy_term(f(X,Y,X),C).
?- term_variables(f(X,Y,X),V).
?- copy_term(f(X,g(Y),a),C).
?- term_variables(f(X,g(Y),a),V).
?- copy_term([X,Y|Z],C).
?- term_variables([X,Y|Z],V).
?- copy_term(1,C).
?- term_variables(1,V).
?- copy_term(f(a),C).
?- term_variables(f(a),V).
?- copy_term(a+X,X+b).
?- copy_term(_,a).
?- copy_term(a+X,X+b),copy_term(a+X,X+b).
?- copy_term(demoen(X,X),demoen(Y,f(Y))).
?- term_variables(f(X,Y),[A|B]).
?- term_variables(f(X),a).
?- term_variables(f(X),[a|b]).
?- term_variables(f(X),[A|b]).
