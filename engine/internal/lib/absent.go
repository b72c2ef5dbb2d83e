package lib

import "strings"

// This file defines what is said about libraries of SWI-Prolog that are left out on purpose.

// absence is a decision against some libraries.
type absence struct {
	// names are those of libraries, separated by blanks; one that ends in / stands for a folder.
	names string
	// reason says why they are not there and what to use instead.
	reason string
}

// absences are looked through in order.
var absences = []absence{
	{"http/html_head http/html_quasiquotations http/js_write http/js_grammar http/term_html",
		"a server of rules sends no web pages; library(http/html_write) makes HTML, and tools return text"},
	{"http/http_open http/http_client http/http_proxy http/http_cookie http/http_header http/http_ssl_plugin http/graphql",
		"goals open no connections; what is to be fetched comes as an argument of the tool, " +
			"or from another server of the client"},
	{"http/", "goals serve no HTTP; mcplogic serve is the server, whose tools are declared in the file"},
	{"socket ssl tipc/ udp_broadcast streampool redis redis_streams stomp paxos mqi prolog_server pengines pengines_io " +
		"cgi saml xmldsig xmlenc yadis smtp ftp iri_scheme/",
		"goals open no connections; another server of the client may do that"},
	{"process unix uid rlimit syslog crypt git prolog_pack build/ archive zip zlib",
		"goals run no programs and use none of the system's own services; a host in Go can define predicates that do"},
	{"memfile", "with_output_to/2, open_string/2 and read_string/3 go between streams and text in memory"},
	{"www_browser", "no goal opens a browser; a tool may return a link"},
	{"sgml sgml_write xpath pwp c14n2 xsdp_types sgml/ lynx/ doc_http doc_latex latex2html latex2html/ dtd",
		"there is no reader of XML; convert to JSON or CSV, which library(json), library(csv) and facts/2 read"},
	{"rdf rdf_parser rdf_triple rdf_write rdf_diagram rdf_ntriples semweb/",
		"there is no store of RDF; keep triples as facts, which facts/2 reads from CSV and JSON"},
	{"shlib qpforeign prolog_stream hash_stream iostream console_input",
		"there is no foreign interface; a host in Go defines predicates by engine.Func"},
	{"pce pce_util emacs_interface win_menu swi_ide tty editline readline prolog_history theme/",
		"there are no windows and no terminals; mcplogic repl has its own line editor"},
	{"snowball porter_stem double_metaphone isub unicode unicode/ table table_util protobufs",
		"it is foreign code of SWI-Prolog; a host in Go can define such predicates by engine.Func"},
	{"prolog_breakpoints prolog_trace prolog_debugger prolog_clause vm sweep_link pdt_console",
		"the tracer is that of the prompt, with trace/0 and spy/1, and mcplogic dap serves editors"},
	{"quasi_quotations", "text that is read calls no predicates; phrase/2 parses text, and term_expansion/2 may do so " +
		"when a file is loaded"},
	{"prolog_wrap", "a goal does not change the predicates of a program; goal_expansion/2 wraps the calls in its files, " +
		"and spy/1, trace/0 and profile/1 look at calls"},
	{"thread_pool threadutil", "a run has one thread; concurrent_maplist/3 and kin call goals one after the other, and " +
		"a server runs many calls at once"},
	{"coinduction", "there is no coinductive resolution; tabling ends the loops of goals that come again"},
	{"predicate_options prolog_format prolog_metainference prolog_jiti prolog_versions test_wizard streaminfo pldoc " +
		"doc_files pldoc/ prolog_config pengines_sandbox",
		"it looks into SWI-Prolog itself; mcplogic check and mcplogic lsp know the predicates here"},
	{"test_cover", "mcplogic test --coverage tells what tests have run"},
	{"readln checklast checkselect rewrite_term iso_639 atom",
		"each has a predicate or two that only its own examples call; library(readutil) reads lines, " +
			"library(dcg/basics) and split_string/4 part them into words, mapsubterms/3 rewrites terms"},
	{"clp/", "constraints are those of library(clpfd), library(clpb), library(clpq), library(clpr) and library(simplex)"},
	{"chr/", "the compiler of rules is library(chr), with what it needs at run time"},
	{"dialect dialect/", "the names of other systems are not imitated, but for library(backcomp), library(edinburgh), " +
		"library(quintus) and library(dialect/hprolog)"},
	{"edit prolog_colour emacs", "no goal opens an editor or colours its text; mcplogic lsp serves editors"},
	{"qsave prolog_install hotfix check_installation prolog_deps prolog_autoload",
		"there are no saved states; mcplogic build makes one program of a folder and its server"},
}

// Absent returns why there is no library of that name, "" if nothing was decided about it.
func Absent(name string) string {
	for _, a := range absences {
		for _, known := range strings.Fields(a.names) {
			if known == name || strings.HasSuffix(known, "/") && strings.HasPrefix(name, known) {
				return a.reason
			}
		}
	}
	return ""
}
