package main

import (
	"fmt"
	"slices"
	"strings"
)

// This file defines random programs of some files that load each other, and goals about what is visible where.

var fileNames = []string{"a", "b", "c"}

var fileAreas = []goalArea{{
	name: "swi-files", texts: generator.files,
	templates: []string{
		"findall(X,{at}p(X),L)", "findall(X,{at}q(X),L)", "{at}r(X)", "findall(X,log(X),L)", "{at}twice(X)",
		"predicate_property({at}p(_),imported_from(M))", "predicate_property({at}q(_),imported_from(M))",
		"predicate_property({file}:q(_),exported)", "module_property({file},exports(_L)), msort(_L,L)",
		"predicate_property({at}p(_),number_of_clauses(N))", "current_op(P,T,===>)", "{at}p(X), {at}q(Y)",
		"catch({at}q(X),error(E,_),true)", "current_predicate({at}q/N)",
		"findall(M,current_module(M),_L), member(X,[a,b,c]), memberchk(X,_L)",
		"[{file}], findall(X,{at}p(X),_L), msort(_L,L)", "use_module({file}), findall(X,q(X),L)", "{file}:(p(X), q(X))",
		"use_module({file},[q/1 as qq]), qq(X)", "ensure_loaded({file}), findall(X,log(X),L)",
		"make, findall(X,log(X),L)", "load_files({file},[if(not_loaded)]), findall(X,log(X),L)",
		"predicate_property({at}p(_),dynamic)", "{at}assertz(p(new)), findall(X,p(X),L)",
		"predicate_property({at}q(_),multifile)", "consult({file}), findall(X,log(X),L)",
	},
}}

// files returns main.pl and the modules that it loads. Each may load those after it, in some programs all others, and
// imports what they export. Where modules load each other user defines nothing before them: SWI-Prolog takes an export
// that is not there yet for the predicate of user.
func (g generator) files() map[string]string {
	names := fileNames[:1+g.IntN(len(fileNames))]
	circular := g.IntN(3) == 0
	exports := map[string][]string{}
	for _, name := range names {
		exports[name] = g.some("p/1", "q/1", "r/1")
	}
	written := map[string]string{}
	for i, name := range names {
		header := append(exports[name], g.some("op(700,xfx,===>)")...)
		others := names[i+1:]
		if circular {
			others = slices.Concat(names[:i:i], others)
		}
		written[name+".pl"] = fmt.Sprintf(":- module(%s,[%s]).\n", name, strings.Join(header, ",")) +
			g.fileText(name, others, exports)
	}
	written["main.pl"] = ":- dynamic log/1, p/1.\n:- multifile p/1.\n" + g.loading(names[0], exports) +
		g.fileText("main", names, exports)
	if circular {
		for name, text := range written {
			text = strings.ReplaceAll(text, "user:p", "user:u")
			written[name] = strings.Replace(text, "log/1, p/1.\n:- multifile p/1", "log/1", 1)
		}
	}
	return written
}

// some returns some of the words, in their order.
func (g generator) some(words ...string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(string) bool { return g.IntN(2) == 0 })
}

// fileText returns directives that load others of the files, and clauses.
func (g generator) fileText(name string, others []string, exports map[string][]string) string {
	var b strings.Builder
	for range g.IntN(3) {
		if len(others) > 0 {
			b.WriteString(g.loading(g.pick(others), exports))
		}
	}
	if name != "main" {
		fmt.Fprintf(&b, "p(%s0). q(%[1]s0). r(%[1]s0).\n", name)
	}
	for range 2 + g.IntN(4) {
		b.WriteString(strings.NewReplacer("HERE", name, "OTHER", g.pick(fileNames)).Replace(g.pick(fileClauses)) + "\n")
	}
	return b.String()
}

// loading returns a directive that loads a file.
func (g generator) loading(file string, exports map[string][]string) string {
	some := strings.Join(g.some(exports[file]...), ",")
	renamed := make([]string, len(exports[file]))
	for i, e := range exports[file] {
		renamed[i] = e + " as " + e[:1] + file
	}
	return strings.NewReplacer("FILE", file, "SOME", some, "RENAMED", strings.Join(renamed, ",")).Replace(g.pick([]string{
		":- use_module(FILE).\n", ":- use_module(FILE).\n", ":- ensure_loaded(FILE).\n", ":- reexport(FILE).\n",
		":- load_files(FILE,[if(not_loaded)]).\n", ":- use_module(FILE,[]).\n",
		":- use_module(FILE,[SOME]).\n", ":- use_module(FILE,except([SOME])).\n", ":- reexport(FILE,[SOME]).\n",
		":- load_files(FILE,[if(not_loaded),imports([SOME])]).\n", ":- use_module(FILE,[RENAMED]).\n",
	}))
}

// fileClauses are clauses and directives of a file, whose name stands for HERE.
var fileClauses = []string{
	"p(HERE).", "p(HERE1).", "q(HERE).", "q(X) :- p(X).", "r(X) :- OTHER:p(X).", "r(X) :- q(X).",
	"twice(X-Y) :- p(X), q(Y).",
	"user:p(HERE_user).", ":- multifile user:p/1.", ":- multifile OTHER:q/1.\nOTHER:q(HERE_more).", ":- dynamic q/1.",
	":- discontiguous p/1.", ":- assertz(user:log(HERE)).", ":- initialization(assertz(user:log(HERE_end))).",
	":- op(700,xfx,===>).", "q(X) :- (X ===> X) = (HERE ===> X).", "term_expansion(x(X),p(X)).\nx(HERE_x).",
	":- if(current_predicate(p/1)).\nq(HERE_if).\n:- else.\nq(HERE_else).\n:- endif.",
	"goal_expansion(g(X),p(X)).\nr(X) :- g(X).", ":- dynamic p/1.",
	":- prolog_load_context(module,M), assertz(user:log(HERE-M)).",
	":- findall(X,catch(q(X),_,fail),L), assertz(user:log(HERE=L)).",
}
