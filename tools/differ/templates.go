package main

// This file defines what random goals are made of.

// goalArea is a kind of random goals.
type goalArea struct {
	name      string
	templates []string
	// setup makes the program that the goals are about. nil: there is none.
	setup func(generator) string
	// texts makes the files that the goals are about. nil: there are none.
	texts func(generator) map[string]string
}

var (
	variableNames = []string{"X", "Y", "Z", "W"}
	atoms         = []string{"a", "b", "abc", "{}", "'hello world'", "''", "+", "'Abc'", "foo", "'1'", "'12'", "(;)",
		"!", "aa"}
	characters = []string{"a", "b", "' '", "'1'", "'A'", "x", "-", "'.'"}
	integers   = []string{"0", "1", "2", "3", "-1", "-7", "10", "97", "255", "-128", "1000000", "0'a", "0x1F"}
	floats     = []string{"0.0", "1.0", "-1.5", "2.5", "1.0e10", "0.1", "-0.0", "0.125", "100.25"}
	functors   = []string{"f", "g", "h", "-", "+", "point", "'F'", "f"}
	infixes    = []string{"+", "-", "*", "=", ":-", ",", ";", "->", "^", "**", "mod", "is", "=..", "-->", "@<", "rem",
		"<<", "\\=", "//", "|"}
	functions = []string{"-", "+", "abs", "sign", "float", "truncate", "round", "ceiling", "floor", "\\", "sqrt",
		"float_integer_part", "float_fractional_part", "exp", "atan", "sin", "cos"}
	arithmetic = []string{"+", "-", "*", "//", "/", "mod", "rem", "/\\", "\\/", "+", "-", "*", "div", "xor"}
	texts      = []string{"", "abc", "hello world", " a b ", "12", "1.5", "a,b,c", "foo(X,Y)", "Abc", "ab\ncd", "aaa"}
	indicators = []string{"p/1", "q/2", "r/1", "foo/0", "atom_length/2", "p/a", "foo/(-1)", "foo", "p/_", "_/1"}
	typeNames  = []string{"integer", "atom", "callable", "var", "boolean", "list", "positive_integer", "nonneg",
		"text", "list(integer)", "oneof([a,b])", "between(1,3)", "list_or_partial", "number", "ground", "order", "foo"}
)

// randomAreas are asked in turn. Those whose name begins with swi are of the dialect of SWI-Prolog.
var randomAreas = []goalArea{
	{name: "arith", templates: []string{
		"X is {expr}", "X is {expr}", "X is {expr}", "{expr} =:= {expr}", "{expr} < {expr}", "{expr} =< {expr}",
		"{expr} > {expr}", "{expr} =\\= {expr}",
	}},
	{name: "compare", templates: []string{
		"compare(O,{term},{term})", "{term} @< {term}", "{term} == {term}", "{term} @>= {term}", "msort({list},L)",
		"sort({list},L)", "keysort({pairs},L)", "compare(O,{num},{num})", "compare({atom|var},{term},{term})",
		"sort({pairs},{var})", "keysort({list},{var})",
	}},
	{name: "unify", templates: []string{
		"{lin} = {term}", "{lin} = {term}", "unify_with_occurs_check({term},{term})", "{lin} \\= {term}",
		"subsumes_term({term},{term})", "term_variables({term},L)", "copy_term({term},C)", "copy_term({lin},{ground})",
	}},
	{name: "construct", templates: []string{
		"functor({term},N,A)", "functor(F,{atomic},{small|int})", "arg({small},{term},V)", "{term} =.. L", "T =.. {list}",
		"functor({term},{atomic|var},{small|var})", "arg({small|var},{term},{term})", "L = [{atom}|{list}], T =.. L",
		"functor(F,{term},{term})",
	}},
	{name: "atoms", templates: []string{
		"atom_length({atom},L)", "atom_concat({atom},{atom},A)", "atom_concat(A,B,{atom})", "atom_concat({atom},B,{atom})",
		"sub_atom({atom},B,{small|var},A,S)", "sub_atom({atom},{small|var},{small|var},{small|var},S)",
		"sub_atom({atom},B,L,A,{atom})", "atom_chars({atom},L)", "atom_chars(A,{chars})", "atom_codes(A,{codes})",
		"atom_codes({atom},L)", "char_code({char},C)", "char_code(C,{int})", "number_codes(N,{codes})",
		"number_chars(N,{chars})", "number_codes({num},L)", "atom_length({term},{term})", "atom_chars({term},{term})",
		"number_chars({term},{term})", "char_code({term},{term})", "sub_atom({term},{term},{term},{term},{term})",
	}},
	{name: "types", templates: []string{
		"atom({term})", "atomic({term})", "integer({num})", "float({num})", "number({term})", "var({term})",
		"callable({term})", "compound({term})", "ground({term})", "nonvar({term})",
	}},
	{name: "program", setup: generator.program, templates: []string{
		"r(X)", "s(X,Y)", "findall(X,r(X),L)", "{body}", "findall(X-Y,s(X,Y),L)", "bagof(X,q(X,Y),L)", "setof(Y,q(X,Y),L)",
		"setof(X,Y^q(X,Y),L)", "bagof(X,({body}),L)", "\\+ s(X,{atomic})", "catch(({body}),error(E,_),true)",
	}},
	{name: "database", setup: generator.program, templates: []string{
		"assertz({clause}), p(X)", "asserta({clause}), findall(X,p(X),L)", "retract(p({term|var})), findall(X,p(X),L)",
		"retract((p(X) :- B))", "clause(p(X),B)", "clause({term},{term})", "assertz({clause}), clause(p({var}),B)",
		"abolish({pred})", "retract({clause})", "assertz({term})", "p(X), assertz(p(n)), fail ; findall(X,p(X),L)",
		"retract(q(X,Y)), fail ; findall(X,q(X,_),L)", "current_predicate({pred})",
	}},
	{name: "solutions", setup: generator.program, templates: []string{
		"findall({term},p(X),L)", "findall(X,{term},L)", "findall(X,p(X),{list})", "bagof({term},q(X,Y),L)",
		"setof({term},q(X,Y),L)", "bagof(X,{term},L)", "setof(X,Z^q(Z,X),{list|var})", "findall({term},q(X,Y),[A|B])",
		"bagof(X-Z,(q(X,Y),p(Z)),L)", "forall(p(X),{body})",
	}},
	{name: "control", templates: []string{
		"call({term})", "call({atom},{term})", "call({term},{term},{term})", "once({term})", "\\+ {term}",
		"catch({term},error(E,_),true)", "catch(throw({term}),{term},true)", "throw({term})", "({term} -> true ; {term})",
		"call((fail,{term}))", "call((true;{term}))",
	}},
	{name: "swi-write", templates: []string{
		"writeq({ops})", "print({ops})", "write({ops})", "write_canonical({ops})", "writeq({term})",
		"write_term({ops},[ignore_ops(true)])", "write_term({ops},[quoted(true),spacing(next_argument)])",
		"write_term({ground},[max_depth({small})])", "writeq([{ops},{ops}])", "writeq({num})", "write_term({term},{list})",
	}},
	{name: "swi-text", templates: []string{
		"string_concat({str},{str},S)", "string_length({str|atomic},L)", "sub_string({str},{small|var},{small|var},A,S)",
		"split_string({str},{str},{str},L)", "string_chars(S,{chars})", "string_codes({str},L)", "string_to_atom({str},A)",
		"atomic_list_concat({atoms},{atom},A)", "atomic_list_concat(L,{char},{atom})", "atomic_list_concat({list},A)",
		"upcase_atom({atomic},A)", "string_upper({term},S)", "string_lower({term},S)", "term_to_atom({ground},A)",
		"term_to_atom(T,{atom})", "number_string(N,{str})", "atom_number({atom},N)", "atom_string({atomic|var},{str|var})",
		"string_code({small},{str},C)", "char_type({char},{var})", "text_to_string({term},S)",
		"normalize_space(atom(A),{str})", "read_term_from_atom({atom},T,[])", "term_string(S,{str})",
		"atom_to_term({atom},T,B)", "string({term})", "char_type(X,digit({small}))", "nb_setval({term},{term})",
		"tab({expr})", "format({str},{list})", "format(atom(A),{str},{list})",
	}},
	{name: "swi-lists", templates: []string{
		"append({list},{list},L)", "append(A,B,{ints})", "append({list},L)", "nth0({small|var},{list},E)",
		"nth1({small|var},{list},E)", "length({list|var},{small|var})", "last({list},X)", "reverse({list},L)",
		"msort({list},L)", "predsort(compare,{list},L)", "sumlist({ints},S)", "sum_list({ints},S)", "max_list({ints},M)",
		"min_member(M,{list})", "max_member(M,{list})", "delete({list},{term},L)", "subtract({list},{list},L)",
		"intersection({list},{list},L)", "union({list},{list},L)", "list_to_set({list},S)",
		"exclude([X]>>(X=={term}),{list},L)", "sort({small},@>=,{list},L)", "sort(0,@=<,{ints},L)", "permutation({ints},P)",
		"flatten({list},F)", "numlist({small},{int},L)", "memberchk({term},{list})", "member({term},{list})",
		"select({term},{list},L)", "selectchk({term},{list},L)", "exclude(atom,{list},L)", "maplist(atom_length,{atoms},L)",
		"foldl([X,Y,Z]>>(Z=f(X,Y)),{list},0,R)", "pairs_keys_values(P,{atoms},{ints})", "pairs_keys({pairs},K)",
		"pairs_values({pairs},V)", "sumlist({list},S)", "list_to_ord_set({list},S)", "ord_union({atoms},{atoms},S)",
		"ord_subtract({ints},{ints},S)", "ord_memberchk({term},{list})", "sort({term},{term},{list},L)", "is_set({list})",
		"subset({list},{list})", "sumlist({term},S)", "last({term},X)", "max_list({list},M)",
		"aggregate_all(count,member(_,{list}),C)", "aggregate_all(max(X),member(X,{ints}),M)",
		"aggregate_all(bag(X),member(X,{list}),B)", "nb_setval(k,{term}), nb_getval(k,V)", "pairs_keys({list},K)",
		"partition([X]>>(X @< b),{list},I,O)", "sumlist({ints},{var})", "max_member(M,{term})", "exclude({term},{list},L)",
		"foldl({atom},{list},0,R)", "aggregate_all({term},member(X,{list}),R)", "transpose_pairs({pairs},L)",
		"sort(0,{atom},{list},L)", "clumped({pairs},C)", "pairs_keys_values({pairs},K,V)", "same_length({list},{list|var})",
		"sumlist(X,Y)", "list_to_assoc({pairs},A)", "list_to_assoc({pairs},A), get_assoc({atomic},A,V)",
	}},
	{name: "swi-terms", templates: []string{
		"setarg({small},{term},{term})", "T = f(a,b,c), setarg({small|int},T,{term})", "T = f(a,b), nb_setarg({term},T,x)",
		"must_be({type},{term})", "is_of_type({type},{term})", "must_be({type},{num})", "is_of_type({type},{atomic})",
		"succ({small|var},{int|var})", "plus({int|var},{int|var},{int|var})", "between({small},{int|atom},X)",
		"numbervars({term},{small},E)", "numbervars({term},{term},E)", "{term} =@= {term}", "subsumes_term({term},{term})",
		"term_subsumer({term},{term},T)", "copy_term({term},X,G)", "nb_setval({atomic},{term})", "b_setval({term},1)",
		"nb_getval({term},V)", "tab({small})", "compound_name_arguments({term},N,A)",
		"compound_name_arguments(T,{atom},{list})", "compound_name_arity(T,{atom},{small})",
		"compound_name_arity({term},N,A)", "term_variables({term},L,T)", "ground({term})", "unifiable({lin},{term},L)",
		"?=({term},{term})", "cyclic_term({term})", "acyclic_term({term})", "is_list({term})", "is_assoc({term})",
		"variant_sha1({term},_)", "variant_hash({term},_)", "term_hash({ground},_)", "char_code({term},{term})",
		"divmod({int},{int},Q,R)", "nth_integer_root_and_remainder({small},{int},R,M)", "freeze({term},true)",
		"dif({lin},{ground})", "when({term},true)", "succ_throw", "tnot({term})", "arg({small|var},{term},A)",
		"ignore({term})", "apply({term},{list})", "atomic({str})", "string_code({term},{term},{term})",
		"sumlist({term},{term})", "current_op({int|var},{atom|var},{atom})", "op({int},{atom},{atom})",
		"current_prolog_flag({term},{term})", "set_prolog_flag({atom},{term})", "nb_current({term},V)",
		"random_between({int},{int},_)", "last([{term}|{list}],X)", "setof(X,member(X,{list}),L)",
		"foldsubterms({term},{term},{term},{term},{term})", "mapargs({atom},{term},T)", "sub_term(X,{ground})",
		"occurrences_of_term({term},{term},N)", "subsumes_chk({term},{term})", "term_size({ground},_)",
	}},
}
