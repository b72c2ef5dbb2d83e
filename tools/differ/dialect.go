package main

import (
	"fmt"
	"strconv"
	"strings"
)

// This file defines random goals about the dialect of SWI-Prolog, area by area: formats, texts at their limits, text
// that is read, exceptions and cleanup, coroutines, tables, modules, dicts and arithmetic at its edges.

// dialectAreas are asked in turn with those of randomAreas.
var dialectAreas = []goalArea{
	{name: "swi-format", templates: []string{
		"format({format})", "format({format})", "format(atom(A),{format})", "format(string(S),{format})",
		"with_output_to(string(S),format({format}))", "format({str},{term})",
		"format(codes(C,T),{format})",
	}},
	{name: "swi-read", templates: []string{
		"term_to_atom(T,{source})", "term_string(T,{source})", "read_term_from_atom({source},T,[])",
		"atom_to_term({source},T,B)", "term_to_atom(T,{source}), write_canonical(T)",
		"term_to_atom(T,{source}), print(T)",
		"catch(atom_to_term({source},T,B),error(syntax_error(_),_),S = no)", "atom_number({source},N)",
		"open_string({source},S), read_term(S,T,[variable_names(V),singletons(N)])", "number_codes(N,{source})",
		"open_string({source},S), read(S,A), read(S,B)",
		"writeq({ops}), nl, write_canonical({ops})",
		"T = ({ops}), term_to_atom(T,_A), term_to_atom(U,_A), (T =@= U -> true)",
	}},
	{name: "swi-limits", templates: []string{
		"sub_atom({wide},{edge},{edge|var},A,S)", "sub_string({wide},B,{edge|var},{edge|var},S)",
		"sub_atom({wide},B,L,{edge|var},{wide|var})", "atom_concat({wide|var},{wide|var},{wide})",
		"atomic_list_concat({wides},{wide},A)", "atomic_list_concat(L,{wide},{wide})",
		"split_string({wide},{wide},{wide},L)",
		"string_code({edge},{wide},C)", "get_string_code({edge},{wide},C)", "char_code(C,{edge})",
		"atom_codes(A,[{edge},97])",
		"atom_chars({wide},L)", "string_lower({wide},L), string_upper({wide},U)", "upcase_atom({wide},U)",
		"normalize_space(atom(A),{wide})", "atom_length({wide},L)", "string_length({wide},L)",
		"read_term_from_atom({wide},T,[])", "char_type(X,to_lower({wide}))", "atom_number({wide},N)",
		"_L = {list}, nth0({edge},_L,E)", "_L = {list}, nth1({edge},_L,E)", "length(_L,{edge}), length(_L,N)",
		"functor(_T,{wide},{edge}), functor(_T,F,N)", "functor(T,{wide},{small})", "arg({edge},f(a,b),A)",
		"numlist({edge},{small},L)", "between({edge},{edge},X)", "string_codes(S,{codes}), string_length(S,L)",
		"sumlist([{edge},{edge}],S)", "sub_atom_icasechk({wide},B,{wide})",
		"term_to_atom({wide},A)", "writeq({wide})", "print({wides})",
		"sort(0,@>=,{wides},L)", "msort({wides},L)", "compare(O,{wide},{wide})",
	}},
	{name: "swi-exceptions", templates: []string{
		"{effects}", "{effects}", "{effects}", "findall(X,({effects}),L)",
		"catch(({effects}),error(E,_),(write(caught(E)),nl))",
		"catch_with_backtrace(({effects}),_,true)", "forall(({effects}),({effects}))",
	}},
	{name: "swi-coroutines", templates: []string{
		"{wakes}", "{wakes}", "{wakes}", "findall(X-Y,({wakes}),L)", "{wakes}, copy_term(X,C,G)",
		"{wakes}, frozen(X,G)",
		"{wakes}, term_attvars(f(X,Y,Z),V), length(V,N)", "\\+ \\+ ({wakes}), write(after)",
		"catch(({wakes}),error(E,_),true)",
	}},
	{name: "swi-tables", setup: generator.tables, templates: []string{
		"findall(X-Y,t(X,Y),_L0), sort(_L0,L)", "findall(X,t({node},X),_L0), sort(_L0,L)",
		"findall(X,u(X),_L0), sort(_L0,L)",
		"forall(t({node},{node}),write(yes))", "findall(X-Y,m(X,Y),_L0), sort(_L0,L)",
		"assertz(e({node},{node})), abolish_all_tables, findall(X-Y,t(X,Y),_L0), sort(_L0,L)",
		"setof(X,t({node},X),L), retract(e(_,{node})), abolish_all_tables, findall(X,t({node},X),_M), sort(_M,M)",
		"findall(X-Y,(t(X,Y),u(Y)),_L0), sort(_L0,L)", "aggregate_all(count,t(_,_),N)", "i({node})",
		"findall(X,i(X),_L0), sort(_L0,L), assertz(f({node})), findall(X,i(X),_M0), sort(_M0,M)",
	}},
	{name: "swi-modules", setup: generator.modules, templates: []string{
		"{qualified}", "{qualified}", "findall(X,({qualified}),L)", "catch(({qualified}),error(E,_),true)",
		"{qualified}, {qualified}", "@({qualified},m{third})",
	}},
	{name: "swi-dicts", templates: []string{
		"D = {dict}, dict_pairs(D,T,P)", "dict_pairs(D,t,{pairs}), dict_pairs(D,_,P)", "get_dict({key},{dict},V)",
		"put_dict({key},{dict},{term},_D), dict_pairs(_D,T,P)", "put_dict({dict},{dict},_D), dict_pairs(_D,T,P)",
		".({dict},{key},X)", ".({dict},get({key}),X)", ".({dict},get({key},{atomic}),X)",
		"get_dict_ex({key},{dict},V)",
		".({dict},put({key},{atomic}),_D), dict_pairs(_D,T,P)", ".({dict},put({dict}),_D), dict_pairs(_D,T,P)",
		"del_dict({key},{dict},V,_D), dict_pairs(_D,T,P)", "{dict} :< {dict}", "{dict} >:< {dict}",
		"is_dict({dict|term},T)",
		"select_dict({dict},{dict},_R), dict_pairs(_R,T,P)", "dict_create(_D,{key},{pairs}), dict_pairs(_D,T,P)",
		"{dict} = {dict}", "{dict} == {dict}", "_D = {dict}, b_set_dict({key},_D,{atomic}), dict_pairs(_D,T,P)",
		"findall(K-V,get_dict(K,{dict},V),_L0), msort(_L0,L)",
		"get_dict({key},{dict},V,{atomic},_D), dict_pairs(_D,T,P)",
		"_D = {dict}, nb_set_dict({key},_D,{atomic}), dict_pairs(_D,T,P)", "dict_pairs({term},T,P)",
		"get_dict(K,{dict},V)",
		"dict_pairs(_D,{atom},[{key}-1,{key}-2]), dict_pairs(_D,T,P)", "compare(O,{dict},{dict})",
		"functor({dict},_,A)",
		"del_dict(K,{dict},V,_D)", "term_to_atom(_D,'_{a:1,b:X,c:\"s\"}'), dict_pairs(_D,T,P)", "print({dict})",
	}},
	{name: "swi-arithmetic", templates: []string{
		"X is {edged}", "X is {edged}", "X is {edged}", "{edged} =:= {edged}", "{edged} < {edged}",
		"compare(O,{edge},{edge})",
		"X is {edged}, format('~w ~4f ~e ~g',[X,X,X,X])", "succ({edge|var},{edge|var})",
		"plus({edge},{edge|var},{edge})", "X is {edge} rdiv {edge}", "rational({edge},N,D)",
		"X is rationalize({edge})",
		"divmod({edge},{edge},Q,R)", "nth_integer_root_and_remainder({small},{edge},R,M)",
		"X is {edge}, Y is X + 1, Z is Y - X", "set_prolog_flag(float_zero_div,infinity), X is {edged}",
		"set_prolog_flag(float_overflow,infinity), X is {edged}",
		"set_prolog_flag(prefer_rationals,true), X is {edged}",
		"set_prolog_flag(iso,true), X is {edged}", "set_prolog_flag(float_undefined,nan), X is {edged}",
		"format(\"~d ~D ~2d\",[{edge},{edge},{edge}])", "msort([{edge},{edge},{edge}],L)",
		"float_class({edge},C)", "float_parts({edge},M,B,E)",
	}},
}

var (
	edges = []string{"0", "1", "-1", "2", "3", "-2", "9223372036854775807", "-9223372036854775808",
		"9223372036854775808",
		"18446744073709551616", "4294967296", "2147483647", "-2147483648", "1152921504606846975",
		"1152921504606846976",
		"-1152921504606846976", "0x10FFFF", "0x110000", "0xD800", "65536", "100000000000000000000000", "1r3", "-7r2",
		"0.0",
		"-0.0", "1.0Inf", "-1.0Inf", "1.5NaN", "5.0e-324", "1.7976931348623157e308", "9007199254740992.0",
		"9007199254740993", "9223372036854775807.0", "1.0e100", "0.5", "-2.5", "1.0e-10", "63", "64", "a"}
	edgeFunctions = []string{"-", "+", "abs", "sign", "float", "truncate", "round", "ceiling", "floor", "integer",
		"\\", "msb",
		"sqrt", "log", "exp", "sin", "acos", "rational", "rationalize", "numerator", "denominator",
		"float_integer_part",
		"float_fractional_part", "succ", "sinh", "atanh", "popcount", "lgamma",
		"erf"}
	edgeInfixes = []string{"+", "-", "*", "//", "/", "mod", "rem", "div", "rdiv", "/\\", "\\/", "xor", "**", "^",
		"rem"}
	edgePairs = []string{"min", "max", "gcd", "lcm", "atan2", "copysign", "nexttoward", "log"}
	wides     = []string{"''", "\"\"", "abc", "'a b'", "\"a b\"", "'é'", "'日本'", "\"ÄÖ\"", "'a\\nb'", "' x '",
		"12", "1.0",
		"'12'", "\"0x1A\"", "'\U0001F600a'", "'ß'", "'ǆ'", "[]", "'[]'", "{}", "[a,b]", "\"[]\"", "f(x)", "`abc`",
		"[0'a,0'b]",
		"'a,b,,c'", "\",\"", "','", "'A'", "'\\u00e9'", "' '", "'a\\x0\\b'", "\"1e10\"", "'1r3'", "'/* x */'",
		"'0b101'"}
	sourceParts = []string{"a", "X", "_", "Y1", "f(", "(", ")", "[", "]", "{", "}", ",", "|", "+", "-", " - ", "1",
		"- 1", "-1",
		"0'a", "0'", "0'''", "0''", "0x1F", "0b2", "0o17", "1.5e3", "1.5", "1.", "1e5", "1.0Inf", "1r3", "1_000",
		"1 000",
		"\"s\"", "\"a\\\nb\"", "`c`", "'q r'", "'it''s'", "'\\x41\\'", "'\\q'", "'\\", "\"", ":-", "\\+", ":",
		"a:b:c", ";", "->",
		"!", ".", ". ", " ", "%c\n", "/* c */", "/*", "*", "=", "==", "=..", "is", "mod", "dynamic", "a.b", "X.y",
		"_{a:1}",
		"t{}", "f()", "()", "a(b)(c)", "-(1)", "- (1)", "-(-(1))", "1 - -1", "\\", "^", "**", "$", "?", "@", "#",
		"&", "é", "Éa",
		"日本", "|| ", "[a|b]", "[a|b|c]", "[a,]", "{a}", "{}(x)", "[](x)", "'[]'", "f(,)", "(a,b)", "(:-)", "f(:-)",
		"f(:- a)",
		"- - a", "\\ a", "a= \\+b", "p:-q", "a-->b", "0.0e", "1.0e+5", "16'FF", "37'A", "\"\\u00e9\"", "'\\e'", "\t",
		"\n"}
	keys     = []string{"a", "b", "c", "1", "2", "x"}
	nodeList = []string{"a", "b", "c", "d"}
)

// dialectHole fills a hole of the areas of this file.
func (g generator) dialectHole(kind string) string {
	switch kind {
	case "edge":
		return g.pick(edges)
	case "edged":
		return g.edged(2)
	case "wide":
		return g.pick(wides)
	case "wides":
		return g.listOf(func() string { return g.pick(wides) })
	case "source":
		return g.source()
	case "format":
		return g.format()
	case "effects":
		return g.effects(3)
	case "wakes":
		return g.wakes()
	case "v", "w":
		return g.pick(variableNames[:3])
	case "third":
		return strconv.Itoa(g.IntN(3))
	case "node":
		return g.pick(nodeList)
	case "qualified":
		return g.qualified(2)
	case "file":
		return g.pick(fileNames)
	case "at":
		return g.pick([]string{"", "", "a:", "b:", "c:"})
	case "dict":
		return g.dict()
	case "key":
		return g.pick(keys)
	}
	return g.term(3)
}

// edged returns arithmetic on numbers at the edges of their types.
func (g generator) edged(depth int) string {
	switch n := g.IntN(10); {
	case depth == 0 || n < 2:
		return g.pick(edges)
	case n < 4:
		return g.pick(edgeFunctions) + "(" + g.edged(depth-1) + ")"
	case n < 5:
		return g.pick(edgePairs) + "(" + g.edged(depth-1) + "," + g.edged(depth-1) + ")"
	case n < 6:
		return "(" + g.edged(depth-1) + g.pick([]string{" << ", " >> ", " ** ", " ^ "}) +
			g.pick([]string{"0", "1", "62", "63", "64", "-1", "0.5", "1r2", "2"}) + ")"
	case n < 7:
		return "(" + g.pick(edges[:6]) + " ** " + g.pick(edges[:6]) + ")"
	}
	return "(" + g.edged(depth-1) + " " + g.pick(edgeInfixes[:len(edgeInfixes)-3]) + " " + g.edged(depth-1) + ")"
}

// source returns text that may be a term, as a quoted atom: one with operators whose brackets are gone, or parts of
// terms one after the other.
func (g generator) source() string {
	var text string
	if g.IntN(3) == 0 {
		text = strings.NewReplacer("(", " ", ")", " ").Replace(g.operators(2))
	} else {
		for range 1 + g.IntN(5) {
			text += g.pick(sourceParts)
		}
	}
	return quote(text)
}

// directives are those of format/2, each with the kind of its argument, "" for none.
var directives = []struct{ text, argument string }{
	{"~w", "ground"}, {"~q", "ground"}, {"~p", "ground"}, {"~a", "atomic"}, {"~a", "wide"}, {"~d", "int"}, {"~d",
		"edge"}, {"~2d", "int"},
	{"~D", "edge"}, {"~1D", "int"}, {"~s", "codes"}, {"~s", "str"}, {"~e", "num"}, {"~f", "num"}, {"~3f", "edge"},
	{"~0f", "num"},
	{"~g", "num"}, {"~2e", "edge"}, {"~c", "code"}, {"~3c", "code"}, {"~8r", "int"}, {"~16R", "edge"}, {"~r", "int"},
	{"~i", "ground"},
	{"~*c", "small"}, {"~n", ""}, {"~2n", ""}, {"~~", ""}, {"~t", ""}, {"~`-t", ""}, {"~10|", ""}, {"~20|", ""},
	{"~8+", ""},
	{"~|", ""}, {"~+", ""}, {"~I", "int"}, {"~2I", "edge"}, {"~z", ""}, {"~", ""}, {"~k", "ops"}, {"ab", ""}, {" ",
		""}, {"é", ""},
	{"~@", "effect"}, {"~0e", "num"}, {"~20d", "int"}, {"~ic", "ground"},
}

// format returns a text for format/2 and its list of arguments, which mostly fit.
func (g generator) format() string {
	var text string
	var args []string
	for range 1 + g.IntN(5) {
		d := directives[g.IntN(len(directives))]
		text += d.text
		if d.argument == "effect" {
			args = append(args, "write(x)")
		} else if d.argument == "code" {
			args = append(args, strconv.Itoa(97+g.IntN(26)))
		} else if d.argument != "" {
			args = append(args, g.fill("{"+d.argument+"}"))
		}
		if d.text == "~*c" {
			args = append(args, "0'x")
		}
	}
	if g.IntN(oneInWrong) == 0 && len(args) > 0 {
		args = args[1:]
	}
	return strconv.Quote(text) + ",[" + strings.Join(args, ",") + "]"
}

// effects returns a goal that writes, throws, fails, leaves choices, and cleans up.
func (g generator) effects(depth int) string {
	sub := func() string { return "(" + g.effects(depth-1) + ")" }
	if depth == 0 {
		return g.pick([]string{"write(a)", "write(b)", "X = 1", "X = 2", "fail", "true", "throw(t)", "throw(X)", "!",
			"var(X)",
			"member(X,[1,2])", "member(Y,[a,b]), write(Y)", "atom_length(X,_)", "undefined_here", "write(X)",
			"nb_setval(k,1)",
			"Y = X", "throw(f(X))", "between(1,2,X)", "b_setval(k,2)", "once(repeat)", "nb_getval(k,_)"})
	}
	switch g.IntN(14) {
	case 0, 1, 2:
		return g.effects(depth-1) + ", " + g.effects(depth-1)
	case 3:
		return "(" + g.effects(depth-1) + " ; " + g.effects(depth-1) + ")"
	case 4:
		return "(" + g.effects(depth-1) + " -> " + g.effects(depth-1) + " ; " + g.effects(depth-1) + ")"
	case 5:
		return "(" + g.effects(depth-1) + " *-> " + g.effects(depth-1) + " ; " + g.effects(depth-1) + ")"
	case 6, 7:
		return "catch(" + sub() + "," + g.pick([]string{"_", "t", "f(_)", "error(E,_)"}) + "," + sub() + ")"
	case 8:
		return "setup_call_cleanup(" + g.pick([]string{"true", "write(s)", "X = 1"}) + "," + sub() + "," +
			g.pick([]string{"write(c)", "throw(c)", "fail", "(write(c),throw(c))", "X = 3", "write(X)"}) + ")"
	case 9:
		return "call_cleanup(" + sub() + ",write(d))"
	case 10:
		return fmt.Sprintf(g.pick([]string{"once(%s)", "ignore(%s)", "\\+ %s", "call(%s)",
			"forall(member(Y,[1,2]),%s)",
			"findall(X,%s,_)"}), sub())
	case 11:
		return "setup_call_catcher_cleanup(true," + sub() + ",C,(functor(C,N,_),write(N)))"
	}
	return g.effects(0)
}

// wakes returns goals that delay goals on X, Y and Z and then bind these.
func (g generator) wakes() string {
	goals := make([]string, 2+g.IntN(5))
	for i := range goals {
		goals[i] = g.fill(g.pick([]string{"freeze({v},write({v}))", "freeze({v},fail)", "freeze({v},({v}={w}))",
			"dif({v},{w})",
			"dif({v},{small})", "dif(f({v},{w}),f({w},{small}))", "when(ground({v}+{w}),write(g))",
			"when(nonvar({v}),write(n))",
			"when(?=({v},{w}),write(d))", "when((nonvar({v});ground({w})),write(o))", "{v} = {w}", "{v} = {small}",
			"{v} = f({w})",
			"{v} = {small}", "\\+ {v} = {w}", "( {v} = {small} ; {v} = {small} )", "write(w)", "freeze({v},throw(t))",
			"freeze({v},freeze({w},write(i)))", "{v} == {w}", "{v} \\= {w}", "put_attr({v},none,{small})",
			"{v} =@= {w}",
			"freeze({v},member({w},[1,2]))", "frozen({v},true)", "copy_term({v},{w})", "findall({v},{v}={w},_)"}))
	}
	return strings.Join(goals, ", ")
}

// tables returns tabled predicates over random edges: a closure, one of its negation, one with a mode and an
// incremental one.
func (g generator) tables() string {
	edge := func(name string, n int) string {
		var b strings.Builder
		for range n {
			args := make([]string, len(name))
			for i := range args {
				args[i] = g.pick(nodeList)
			}
			fmt.Fprintf(&b, "%s(%s). ", name[:1], strings.Join(args, ","))
		}
		return b.String()
	}
	rules := []string{"t(X,Y) :- e(X,Y).", "t(X,Y) :- t(X,Z), e(Z,Y).", "t(X,Y) :- e(X,Z), t(Z,Y).",
		"t(X,Y) :- t(X,Z), t(Z,Y).",
		"t(X,X) :- e(X,_).", "t(X,Y) :- t(Y,X)."}
	text := ":- dynamic e/2.\n:- dynamic f/1 as incremental.\n:- table t/2, u/1.\n:- table m(_,min).\n" +
		":- table i/1 as incremental.\n" + edge("ee", 1+g.IntN(5)) + edge("f", 1+g.IntN(2)) + "\n"
	for range 1 + g.IntN(3) {
		text += g.pick(rules) + " "
	}
	text += "\nu(X) :- e(X,_), " + g.pick([]string{"tnot(t(X,X))", "tnot(t(X,a))", "\\+ t(X,b)", "t(X,_)"}) + ".\n"
	text += "m(X,1) :- e(X,_). m(Y,N) :- m(X,M), e(X,Y), N is M" + g.pick([]string{"+1", "*2", "-0"}) + ", N < 9.\n"
	return text + "i(X) :- f(X). i(Y) :- i(X), e(X,Y).\n"
}

// modules returns clauses of some modules.
func (g generator) modules() string {
	var b strings.Builder
	b.WriteString(":- dynamic(m0:p/1). :- dynamic(m1:p/1). :- dynamic(m2:p/1). :- dynamic(p/1).\n" +
		":- meta_predicate m0:run(0), m1:all(?,0,-), m2:name(:,-).\n" +
		"m0:run(G) :- call(G). m1:all(X,G,L) :- findall(X,G,L). m2:name(M:X,M-X).\n")
	for range 2 + g.IntN(5) {
		fmt.Fprintf(&b, "%sp(%s). ", g.pick([]string{"m0:", "m1:", "m2:", ""}), g.pick(nodeList))
	}
	// Where the module of q/1 had none, that of user would call itself there.
	other := g.IntN(3)
	fmt.Fprintf(&b, "\nm%d:q(X) :- p(X). m%d:r(X) :- m%d:p(X).\nq(X) :- m%[1]d:q(X).", other, g.IntN(3), g.IntN(3))
	return b.String()
}

func (g generator) qualified(depth int) string {
	if depth > 0 {
		switch g.IntN(8) {
		case 0, 1:
			return "m" + strconv.Itoa(g.IntN(3)) + ":(" + g.qualified(depth-1) + ")"
		case 2:
			return "m0:run((" + g.qualified(depth-1) + "))"
		case 3:
			return "m1:all(X,(" + g.qualified(depth-1) + "),L)"
		case 4:
			return "(" + g.qualified(depth-1) + " , " + g.qualified(depth-1) + ")"
		case 5:
			return "@(" + g.qualified(depth-1) + ",m" + strconv.Itoa(g.IntN(3)) + ")"
		case 6:
			return "\\+ (" + g.qualified(depth-1) + ")"
		}
	}
	return g.fill(g.pick([]string{"p(X)", "q(X)", "r(X)", "m{third}:p(X)", "m{third}:q(X)", "m2:name({atom},X)",
		"m2:name(m{third}:x,Y)",
		"context_module(M)", "assertz(p({atom}))", "m{third}:assertz(p(n))", "assertz(m{third}:p(n))",
		"retract(p(X))",
		"strip_module(m{third}:a,M,T)", "predicate_property(p(_),number_of_clauses(N))", "clause(p(X),true)",
		"m{third}:import(m{third}:q/1)", "m{third}:clause(q(X),B)", "predicate_property(m{third}:q(_),defined)",
		"m{third}:export(q/1), import(m{third}:q/1)", "add_import_module(m{third},m{third},start)",
		"m1:all(Y,p(Y),L)",
		"findall(Y,m{third}:p(Y),L)", "current_op(200,xfy,^)",
		"m{third}:dynamic(z/0), m{third}:predicate_property(z,dynamic)",
		"bagof(X,m{third}:p(X),L)", "setof(X-Y,Y^m{third}:p(X),L)", "call(m{third}:p,X)", "maplist(m{third}:p,[X])",
		"current_predicate(m{third}:p/A)", "m{third}:nosuch(X)", "abolish(m{third}:p/1)", "phrase(m{third}:p,X,Y)"}))
}

func (g generator) dict() string {
	tag := g.pick([]string{"_", "t", "T", "u"})
	from := g.Perm(len(keys))[:g.IntN(4)]
	pairs := make([]string, len(from))
	for i, k := range from {
		pairs[i] = keys[k] + ":" + g.fill(g.pick([]string{"{atomic}", "{atomic}", "{var}", "{term}"}))
	}
	return tag + "{" + strings.Join(pairs, ",") + "}"
}
