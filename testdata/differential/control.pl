% ISO 13211-1, 7.8 and 8.15 control.

?- true.
?- fail.
?- call(true).
?- call(!).
?- call(fail).
?- call((fail,X)).
?- call((fail,call(1))).
?- call((write(3),X)).
?- call((write(3),call(1))).
?- call(X).
?- call(1).
?- call((fail,1)).
?- call((write(3),1)).
?- call((1;true)).
?- call((true;1)).
?- call(1.5).
?- call((fail->1)).
?- call((true,\+ X)).
?- call([]).
?- call(foo:bar).
?- call((X=1;X=2)).
?- call((member(X,[1,2,3]),!)).
?- (member(X,[1,2,3]),!).
?- call((member(X,[1,2,3]),call(!))).
?- X=1;X=2.
?- (X=1,!);X=2.
?- (!;X=2).
?- call((!;X=2)).
?- X=1,fail;X=2.
?- (true;fail).
?- true->X=1;X=2.
?- fail->X=1;X=2.
?- fail->true.
?- (X=1;X=2)->true;true.
?- true->(X=1;X=2);true.
?- (true->true).
?- ((X=1;X=2),X>1->true;X=0).
?- (X=1;X=2)*->true;X=3.
?- fail*->X=1;X=3.
?- \+ true.
?- \+ fail.
?- \+ \+ X=1.
?- \+ !.
?- \+ (X=1;X=2).
?- \+ X.
?- \+ 3.
?- \+ (fail,1).
?- \+ ((X=1,!;X=2)).
?- once(true).
?- once(!).
?- once(member(X,[1,2])).
?- once(repeat).
?- once(fail).
?- once(X).
?- once(3).
?- once((fail,1)).
?- ignore(fail).
?- ignore(X=1).
?- ignore(X).
?- ignore(1).
?- catch(true,_,3).
?- catch(number_codes(X,[0'1,0'a]),error(syntax_error(_),_),fail).
?- catch(throw(a),a,true).
?- catch(throw(a),b,true).
?- catch(throw(f(X)),f(Y),true).
?- catch(throw(X),E,true).
?- catch((member(X,[1,2,3]),X>1,throw(found(X))),found(Y),true).
?- catch(X,error(E,_),true).
?- catch(1,error(E,_),true).
?- catch((fail,1),error(E,_),true).
?- catch(throw(a),_,throw(b)).
?- catch(catch(throw(a),b,true),a,X=caught).
?- catch(throw(first),X,(X==first->throw(second);true)).
?- throw(_).
?- throw(my).
?- throw(error(type_error(a,b),c)).
?- catch(member(X,[1,2]),_,true).
?- catch((X=1;throw(a)),a,X=2).
?- catch(nosuchpred(1),error(E,_),true).
?- catch(call(nosuchpred),error(E,_),true).
?- nosuchpred(1,2).
?- catch(throw(f(_,a)),f(b,Z),true).
?- catch(!,_,true).
?- catch((X=1,throw(x)),x,true).
?- call(=,X,1).
?- call(=(X),1).
?- call(format,X,[]).
?- call(X,1).
?- call(1,2).
?- call((a,b),c).
?- call((fail,true),c).
?- call(f(x),1,2).
?- call((:-),1,2).
?- call(;,true,fail).
?- call(',',true,X=1).
?- call(!,1).
?- call(1,a).
?- call([],a).
?- call('is',X,1+1).
?- call(atom_length(abc),N).
?- call(call,call,true).
?- call(plus1,2).
?- halt(a).
?- halt(X).
?- halt(1.5).
?- G=(X=1;X=2),G.
?- G=1,G.
?- G=(fail,1),call(G).
?- X = !, (member(Y,[1,2]), X ; Y=3).
?- call((G=true,G)).
?- not(true).
?- between(1,3,X).
?- between(3,1,X).
?- between(1,a,X).
?- between(X,1,1).
?- between(1,1,a).
?- between(2,2,X).
?- between(1,2,1.5).
?- succ_or(1).
