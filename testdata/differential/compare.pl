% ISO 13211-1, 8.4 term comparison.

?- compare(O,X,a).
?- compare(O,X,b).
?- compare(O,X,[]).
?- compare(O,X,f(a)).
?- compare(O,X,f(b)).
?- compare(O,X,g(a)).
?- compare(O,X,f(a,b)).
?- compare(O,X,a(z,z)).
?- compare(O,X,[a]).
?- compare(O,X,[b]).
?- compare(O,X,abc).
?- compare(O,1,X).
?- compare(O,1,1.0).
?- compare(O,1,2).
?- compare(O,1,a).
?- compare(O,1,b).
?- compare(O,1,[]).
?- compare(O,1,f(a)).
?- compare(O,1,f(b)).
?- compare(O,1,g(a)).
?- compare(O,1,f(a,b)).
?- compare(O,1,a(z,z)).
?- compare(O,1,[a]).
?- compare(O,1,[b]).
?- compare(O,1,1.5).
?- compare(O,1,abc).
?- compare(O,1.0,X).
?- compare(O,1.0,2).
?- compare(O,1.0,a).
?- compare(O,1.0,b).
?- compare(O,1.0,[]).
?- compare(O,1.0,f(a)).
?- compare(O,1.0,f(b)).
?- compare(O,1.0,g(a)).
?- compare(O,1.0,f(a,b)).
?- compare(O,1.0,a(z,z)).
?- compare(O,1.0,[a]).
?- compare(O,1.0,[b]).
?- compare(O,1.0,1.5).
?- compare(O,1.0,abc).
?- compare(O,2,X).
?- compare(O,2,a).
?- compare(O,2,b).
?- compare(O,2,[]).
?- compare(O,2,f(a)).
?- compare(O,2,f(b)).
?- compare(O,2,g(a)).
?- compare(O,2,f(a,b)).
?- compare(O,2,a(z,z)).
?- compare(O,2,[a]).
?- compare(O,2,[b]).
?- compare(O,2,abc).
?- compare(O,a,b).
?- compare(O,a,f(a)).
?- compare(O,a,f(b)).
?- compare(O,a,g(a)).
?- compare(O,a,f(a,b)).
?- compare(O,a,a(z,z)).
?- compare(O,a,abc).
?- compare(O,b,f(a)).
?- compare(O,b,f(b)).
?- compare(O,b,g(a)).
?- compare(O,b,f(a,b)).
?- compare(O,'',X).
?- compare(O,'',1).
?- compare(O,'',1.0).
?- compare(O,'',2).
?- compare(O,'',a).
?- compare(O,'',b).
?- compare(O,'',[]).
?- compare(O,'',f(a)).
?- compare(O,'',f(b)).
?- compare(O,'',g(a)).
?- compare(O,'',f(a,b)).
?- compare(O,'',a(z,z)).
?- compare(O,'',[a]).
?- compare(O,'',[b]).
?- compare(O,'',-1).
?- compare(O,'',1.5).
?- compare(O,'',abc).
?- compare(O,[],a).
?- compare(O,[],b).
?- compare(O,[],f(a)).
?- compare(O,[],f(b)).
?- compare(O,[],g(a)).
?- compare(O,[],f(a,b)).
?- compare(O,[],a(z,z)).
?- compare(O,[],[a]).
?- compare(O,[],[b]).
?- compare(O,[],abc).
?- compare(O,f(a),f(b)).
?- compare(O,f(a),g(a)).
?- compare(O,f(a),f(a,b)).
?- compare(O,f(b),g(a)).
?- compare(O,f(a,b),f(b)).
?- compare(O,f(a,b),g(a)).
?- compare(O,a(z,z),b).
?- compare(O,a(z,z),f(a)).
?- compare(O,a(z,z),f(b)).
?- compare(O,a(z,z),g(a)).
?- compare(O,a(z,z),f(a,b)).
?- compare(O,a(z,z),abc).
?- compare(O,[a],a).
?- compare(O,[a],b).
?- compare(O,[a],f(a)).
?- compare(O,[a],f(b)).
?- compare(O,[a],g(a)).
?- compare(O,[a],f(a,b)).
?- compare(O,[a],a(z,z)).
?- compare(O,[a],[b]).
?- compare(O,[a],abc).
?- compare(O,[b],a).
?- compare(O,[b],b).
?- compare(O,[b],f(a)).
?- compare(O,[b],f(b)).
?- compare(O,[b],g(a)).
?- compare(O,[b],f(a,b)).
?- compare(O,[b],a(z,z)).
?- compare(O,[b],abc).
?- compare(O,-1,X).
?- compare(O,-1,1).
?- compare(O,-1,1.0).
?- compare(O,-1,2).
?- compare(O,-1,a).
?- compare(O,-1,b).
?- compare(O,-1,[]).
?- compare(O,-1,f(a)).
?- compare(O,-1,f(b)).
?- compare(O,-1,g(a)).
?- compare(O,-1,f(a,b)).
?- compare(O,-1,a(z,z)).
?- compare(O,-1,[a]).
?- compare(O,-1,[b]).
?- compare(O,-1,1.5).
?- compare(O,-1,abc).
?- compare(O,1.5,X).
?- compare(O,1.5,2).
?- compare(O,1.5,a).
?- compare(O,1.5,b).
?- compare(O,1.5,[]).
?- compare(O,1.5,f(a)).
?- compare(O,1.5,f(b)).
?- compare(O,1.5,g(a)).
?- compare(O,1.5,f(a,b)).
?- compare(O,1.5,a(z,z)).
?- compare(O,1.5,[a]).
?- compare(O,1.5,[b]).
?- compare(O,1.5,abc).
?- compare(O,abc,b).
?- compare(O,abc,f(a)).
?- compare(O,abc,f(b)).
?- compare(O,abc,g(a)).
?- compare(O,abc,f(a,b)).
?- a == a.
?- f(X) == f(X).
?- f(X) == f(Y).
?- 1 == 1.0.
?- a == b.
?- aardvark == zebra.
?- short == short.
?- short == shorter.
?- foo(a,b) == north(a).
?- foo(b) == foo(a).
?- foo(a,X) == foo(b,Y).
?- X == X.
?- a \== a.
?- f(X) \== f(X).
?- f(X) \== f(Y).
?- 1 \== 1.0.
?- a \== b.
?- aardvark \== zebra.
?- short \== short.
?- short \== shorter.
?- foo(a,b) \== north(a).
?- foo(b) \== foo(a).
?- foo(a,X) \== foo(b,Y).
?- X \== X.
?- a @< a.
?- f(X) @< f(X).
?- f(X) @< f(Y).
?- 1 @< 1.0.
?- a @< b.
?- aardvark @< zebra.
?- short @< short.
?- short @< shorter.
?- foo(a,b) @< north(a).
?- foo(b) @< foo(a).
?- foo(a,X) @< foo(b,Y).
?- X @< X.
?- a @=< a.
?- f(X) @=< f(X).
?- f(X) @=< f(Y).
?- 1 @=< 1.0.
?- a @=< b.
?- aardvark @=< zebra.
?- short @=< short.
?- short @=< shorter.
?- foo(a,b) @=< north(a).
?- foo(b) @=< foo(a).
?- foo(a,X) @=< foo(b,Y).
?- X @=< X.
?- a @> a.
?- f(X) @> f(X).
?- f(X) @> f(Y).
?- 1 @> 1.0.
?- a @> b.
?- aardvark @> zebra.
?- short @> short.
?- short @> shorter.
?- foo(a,b) @> north(a).
?- foo(b) @> foo(a).
?- foo(a,X) @> foo(b,Y).
?- X @> X.
?- a @>= a.
?- f(X) @>= f(X).
?- f(X) @>= f(Y).
?- 1 @>= 1.0.
?- a @>= b.
?- aardvark @>= zebra.
?- short @>= short.
?- short @>= shorter.
?- foo(a,b) @>= north(a).
?- foo(b) @>= foo(a).
?- foo(a,X) @>= foo(b,Y).
?- X @>= X.
?- compare(<,a,b).
?- compare(a,a,b).
?- compare(1,a,b).
?- compare(f(x),a,b).
?- compare('<>',a,b).
?- sort([c,a,b],S).
?- msort([c,a,b],S).
?- keysort([c,a,b],S).
?- sort([b,a,b,a],S).
?- msort([b,a,b,a],S).
?- keysort([b,a,b,a],S).
?- sort([],S).
?- msort([],S).
?- keysort([],S).
?- sort([f(b),f(a),z,3,X],S).
?- msort([f(b),f(a),z,3,X],S).
?- keysort([f(b),f(a),z,3,X],S).
?- sort([1,1,2],S).
?- msort([1,1,2],S).
?- keysort([1,1,2],S).
?- sort(X,S).
?- msort(X,S).
?- keysort(X,S).
?- sort([a|X],S).
?- msort([a|X],S).
?- keysort([a|X],S).
?- sort([a|b],S).
?- msort([a|b],S).
?- keysort([a|b],S).
?- sort(a,S).
?- msort(a,S).
?- keysort(a,S).
?- sort(1,S).
?- msort(1,S).
?- keysort(1,S).
?- sort(f(x),S).
?- msort(f(x),S).
?- keysort(f(x),S).
?- sort([2,1|2],S).
?- msort([2,1|2],S).
?- keysort([2,1|2],S).
?- keysort([b-1,a-2],S).
?- keysort([a-2,b-1,a-1],S).
?- keysort([1-a,1-b],S).
?- keysort([X-1],S).
?- keysort([a-1,b],S).
?- keysort([a-1|X],S).
?- keysort([a-1|b],S).
?- keysort([X],S).
?- keysort([a-1,f(x)],S).
?- sort([a],a).
?- keysort([a-1],a).
?- sort([a],[a|b]).
?- keysort([a-1],[a|b]).
?- sort([a],1).
?- keysort([a-1],1).
?- sort([a],[b]).
?- keysort([a-1],[b]).
?- sort([a],[a|X]).
?- keysort([a-1],[a|X]).
?- sort([a],f(x)).
?- keysort([a-1],f(x)).
