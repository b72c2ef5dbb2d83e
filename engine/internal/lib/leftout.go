package lib

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// This file defines what is said about predicates of SWI-Prolog's manual that are left out on purpose.

// omission is a decision against some predicates.
type omission struct {
	// names are name/arity of predicates, separated by blanks.
	names string
	// reason says why they are not there and what to use instead.
	reason string
}

// omissions are in the order of the chapters of the manual.
var omissions = []omission{
	{
		"roundtoward/2",
		"floats are rounded to the nearest; rational numbers are exact",
	},
	{
		"show_html_hook/1 explain/1 explain/2 prolog:help_hook/1",
		"the manual is docs/builtins.md; help/1 prints what it says of a predicate, and apropos/1 looks for a word",
	},
	{
		"autoload_path/1 make_library_index/1 make_library_index/2 reload_library_index/0 autoload_all/0",
		"the library is part of the program and has no index of files",
	},
	{
		"attach_packs/0 attach_packs/1 attach_packs/2 atom_version/2 pack_attach/2 pack_info/1 " +
			"pack_install/1 pack_install/2 pack_list/1 pack_list_installed/0 pack_property/2 pack_rebuild/0 " +
			"pack_rebuild/1 pack_remove/1 pack_search/1 pack_upgrade/1 pack_url_file/2 ssl_verify/5",
		"goals fetch and install nothing; copy the files of a pack into the folder of the program",
	},
	{
		"gdebug/0 gspy/1 gtrace/0 guitracer/0 noguitracer/0 gxref/0 prolog_ide/1 in_pce_thread/1 " +
			"in_pce_thread_sync/1 pce_dispatch/1 xref_used_class/2 xref_defined_class/3",
		"there are no windows; mcplogic dap serves the debuggers of editors, mcplogic graph shows what calls " +
			"what",
	},
	{
		"qcompile/1 qcompile/2 qsave_program/1 qsave_program/2 qsave:compat_arch/2 open_resource/2 " +
			"open_resource/3 resource/2 resource/3 initialize/0",
		"there are no saved states; mcplogic build makes one program of a folder and its server",
	},
	{
		"edit/0 edit/1 prolog_edit:edit_command/2 prolog_edit:edit_source/1 prolog_edit:load/0 " +
			"prolog_edit:locate/2 prolog_edit:locate/3",
		"no goal opens an editor; mcplogic lsp serves editors",
	},
	{
		"var_property/2 prolog_load_file/2 prolog:comment_hook/3 prolog:open_source_hook/3 " +
			"library_directory/1",
		"hooks of loading are term_expansion/2,4, goal_expansion/2,4 and file_search_path/2",
	},
	{
		"prolog:message_line_element/2 prolog:message_prefix_hook/2 thread_message_hook/3 " +
			"prolog:console_color/2 ansi_get_color/2 hyperlink/2 ansi_hyperlink/2 ansi_hyperlink/3",
		"messages are text without colours and links; message_hook/3 takes them",
	},
	{
		"license/0 known_licenses/0",
		"programs do not declare their licenses; that of mcplogic is in its file LICENSE",
	},
	{
		"current_signal/3 on_signal/3",
		"signals of the system belong to the process, not to a goal; alarm/4 calls goals",
	},
	{
		"current_trie/1 trie_insert/4 trie_term/2",
		"a term in a trie is found by the term itself, not by the address of a node that it would keep alive; " +
			"trie_gen/2 gives what is in one",
	},
	{
		"current_blob/2 dwim_predicate/2",
		"goals do not list what other goals know; messages name what is spelt nearly so",
	},
	{
		"set_prolog_IO/3 set_system_IO/3 set_end_of_stream/1 register_iri_scheme/3 tty_get_capability/3 " +
			"tty_goto/2 tty_put/2 read_term_with_history/2 close_any/1 open_any/5 open_hook/6",
		"the streams of a run are those that its host gives it; open/4 opens files",
	},
	{
		"current_locale/1 locale_create/3 locale_destroy/1 locale_property/2 set_locale/1",
		"results go to programs and models, whose numbers have one form",
	},
	{
		"win_add_dll_directory/1 win_add_dll_directory/2 win_exec/2 win_folder/2 " +
			"win_get_user_preferred_ui_languages/2 win_process_modules/1 win_registry_get_value/3 " +
			"win_remove_dll_directory/1 win_shell/2 win_shell/3 apple_current_locale_identifier/1 win_has_menu/0 " +
			"win_insert_menu/2 win_insert_menu_item/4 win_window_color/2 win_window_pos/1 window_title/2 " +
			"close_dde_conversation/1 dde_execute/2 dde_poke/4 dde_request/3 open_dde_conversation/3 " +
			"dde_current_connection/2 dde_current_service/2 dde_register_service/2 dde_unregister_service/1 " +
			"registry_delete_key/1 registry_get_key/2 registry_get_key/3 registry_set_key/2 registry_set_key/3 " +
			"shell_register_dde/6 shell_register_file_type/4 shell_register_prolog/1",
		"there is nothing of one system alone; SWI-Prolog has it on Windows or macOS only",
	},
	{
		"break/0 prolog/0 expand_answer/2 expand_query/4 noprotocol/0 protocol/1 protocola/1 protocolling/1",
		"mcplogic repl is the prompt, and no goal opens another",
	},
	{
		"trace/1 trace/2 prolog_skip_frame/1 prolog_skip_level/2 prolog_trace_interception/4 " +
			"prolog_interrupt/0 prolog:break_hook/7 prolog_exception_hook/4 prolog:debug_control_hook/1 " +
			"prolog_choice_attribute/3 deterministic/1 prolog_list_goal/1 debugging_hook/0 exception_hook/4 " +
			"prolog_debug/1 prolog_nodebug/1 prolog_stack_frame_property/2 print_last_choicepoint/0 " +
			"print_last_choicepoint/2",
		"spy/1, trap/1, leash/1 and visible/1 say what the tracer shows; a goal does not look into the " +
			"machine that runs it",
	},
	{
		"profiler/2 reset_profiler/0 show_profile/1 profile_data/1 profile_procedure_data/2 tprofile/1",
		"profile/1 prints the profile of a goal, and mcplogic query --profile writes it",
	},
	{
		"prolog_stack_property/2 malloc_property/1 set_malloc/1 mutex_statistics/0 jiti_list/0 " +
			"jiti_list/1",
		"statistics/1 and statistics/2 tell what there is to tell of memory and time; Go has no such settings, and the " +
			"limit of memory is that of the run",
	},
	{
		"string/4",
		"string_concat/3 and interpolate_string/4 make strings",
	},
	{
		"prolog:tripwire/2",
		"tables are not cut short at a size, which would make answers undefined that are true; limits of inferences and " +
			"memory end what grows",
	},
	{
		"thread_create/2 thread_create/3 thread_create/4 thread_join/1 thread_join/2 thread_exit/1 thread_detach/1 " +
			"thread_signal/2 is_thread/1 thread_property/2 thread_statistics/2 thread_statistics/3 thread_idle/2 " +
			"thread_wait/2 thread_update/2 thread_alias/1 thread_setconcurrency/2 thread_affinity/3 thread_at_exit/1 " +
			"current_thread/2 call_in_thread/2 threads/0 join_threads/0 thread_pool_create/3 thread_pool_destroy/1 " +
			"thread_create_in_pool/4 current_thread_pool/1 thread_pool_property/2 create_pool/1 worker_exitted/3",
		"a run has one thread, main, and a server runs many calls at once; concurrent_maplist/3 and kin call goals one " +
			"after the other, an engine is a goal that goes on when it is asked, alarm/4 and call_with_time_limit/2 end one",
	},
	{
		"sig_block/1 sig_unblock/1",
		"sig_atomic/1 keeps the goals of alarms waiting",
	},

	{
		"interactor/0 attach_console/0 tdebug/0 tdebug/1 tnodebug/0 tnodebug/1 tspy/1 tspy/2 interactor/1 " +
			"thread_run_interactor/0 thread_has_console/0 attach_console/1 tbacktrace/1 tbacktrace/2",
		"there is one thread; trace/0 is for it",
	},
	{
		"current_foreign_library/2 load_foreign_library/1 load_foreign_library/2 reload_foreign_libraries/0 " +
			"unload_foreign_library/1 unload_foreign_library/2 use_foreign_library/1 use_foreign_library/2 " +
			"call_shared_object_function/2 close_shared_object/1 open_shared_object/2 open_shared_object/3",
		"there is no foreign interface; a host in Go defines predicates by engine.Func",
	},
	{
		":=/2 fetch/3 is_object/1 is_object/2 js_script/2 await/2 is_async/0",
		"there is no browser around a goal",
	},
	{
		"list_autoload/0 list_cross_module_calls/0 list_format_errors/0 list_format_errors/1 " +
			"list_rationals/0 list_rationals/1 checker/2 string_predicate/1 valid_string_goal/1 " +
			"check:string_predicate/1 check:valid_string_goal/1 trivial_fail_goal/1 list_cross_module_calls/1",
		"mcplogic check and its lint find such faults when a file is loaded",
	},
	{
		"current_encoding/1",
		"files are UTF-8",
	},
	{
		"incr_directly_depends/2 incr_trans_depends/2 get_returns_and_dls/3 get_returns_and_tvs/3",
		"tables keep no graph of what depends on what; a change of an incremental predicate forgets all",
	},
	{
		"expand_url_path/2 known_browser/2 www_open_url/1",
		"no goal opens a browser; a tool may return a link",
	},
	{
		"assert_predicate_options/4 check_predicate_option/3 check_predicate_options/0 current_option_arg/2 " +
			"current_predicate_option/3 current_predicate_options/3 derive_predicate_options/0 " +
			"derived_predicate_options/1 derived_predicate_options/3 predicate_options/3 " +
			"retractall_predicate_options/0",
		"options are checked by the predicates that take them; must_be/2 and option/3 read those of a program",
	},
	{
		"xref_comment/3 xref_comment/4 xref_mode/3 xref_meta_src/3 prolog:meta_goal/2 prolog:hook/1 " +
			"xref_hook/1",
		"comments are read by mcplogic lsp alone; prolog:called_by/2 tells what a goal calls",
	},
	{
		"phrase_from_quasi_quotation/2 quasi_quotation_syntax/1 quasi_quotation_syntax_error/1 " +
			"with_quasi_quotation_input/3",
		"text that is read calls no predicates; phrase/2 parses text",
	},

	{
		"prolog_listen/2 prolog_listen/3 prolog_unlisten/2",
		"a goal does not hook itself into the calls of others",
	},
	{
		"source_exports/2",
		"the dialect is SWI-Prolog's; names of others are in library(backcomp), library(edinburgh) and " +
			"library(quintus)",
	},
	{
		"db_assert/1 db_retract/1 db_retractall/1",
		"persistent/1 makes predicates such as assert_item/2 and retract_item/2 of each",
	},
	{
		"parse_type/3",
		"argv_options/3 knows the types that it has; a program reads its own from an atom",
	},
	{
		"$arch/2 $version/1 $home/1 $argv/1 $set_prompt/1 $strip_module/3 $declare_module/3 $module/2 " +
			"$apropos_match/2 $sig_atomic/1 $portray_text_enabled/1 read_clause/2 read_history/6 current_mutex/3 " +
			"lock_predicate/2 unlock_predicate/1 unlock_predicate/2 system_mode/1 " +
			"system_module/0 $set_typein_module/1 " +
			"$btree_find_node/5 $current_source_module/1 $current_typein_module/1 $set_source_module/1",
		"it serves SWI-Prolog's own system, or versions of it that are long gone",
	},
	{
		"crypto_open_hash_stream/3 crypto_stream_hash/2 ecdsa_sign/4 ecdsa_verify/4 crypto_data_decrypt/6 " +
			"crypto_data_encrypt/6 rsa_private_decrypt/4 rsa_private_encrypt/4 rsa_public_decrypt/4 " +
			"rsa_public_encrypt/4 rsa_sign/4 rsa_verify/4 crypto_name_curve/2 crypto_curve_order/2 " +
			"crypto_curve_generator/2 crypto_curve_scalar_mult/4",
		"ciphers and signatures need keys, which rules should not hold; crypto_data_hash/3 makes digests",
	},
	{
		"gen_state_clpr/1 gen_state_clpr/2",
		"gen_state/1 makes a state, whose numbers are exact",
	},
	{
		"link_file/3 chmod/2",
		"links and permissions of files are the host's",
	},
	{
		"term_to_json/3",
		"dict_pairs/3 and compound_name_arguments/3 go between terms and objects, and term_to_json/2 shows " +
			"any term",
	},
	{
		"lazy_list_iterator/4",
		"lazy_list/2 and lazy_list/3 make lazy lists of what goals give",
	},
	{
		"make_reload_file/1",
		"make/0 loads what has changed",
	},
	{
		"current_temporary_module/1",
		"in_temporary_module/3 removes the module that it makes",
	},
	{
		"load_test_files/1 running_tests/0 current_test_unit/2 test_report/1",
		"mcplogic test finds the files of tests, runs them and reports",
	},
	{
		"read_source_term_at_location/3 load_quasi_quotation_syntax/2",
		"prolog_read_source_term/4 and read_term/3 read the terms of a text with their positions",
	},
	{
		"time/3",
		"call_time/3 measures goals",
	},
	{
		"sandbox:safe_meta/2",
		"safe_goal/1 has a list of its own; the run is in a sandbox anyway",
	},
}

// leftOut maps names to reasons.
var leftOut = sync.OnceValue(func() map[string]string {
	reasons := map[string]string{}
	for _, o := range omissions {
		for _, name := range strings.Fields(o.names) {
			reasons[name] = o.reason
		}
	}
	return reasons
})

// LeftOut returns why there is no predicate of that name, "" if nothing was decided about it. A hook of a module is
// named with it, as in prolog:help_hook.
func LeftOut(name string, arity int) string { return leftOut()[name+"/"+strconv.Itoa(arity)] }

// AllLeftOut returns the predicates that were decided against, sorted.
func AllLeftOut() []string {
	return slices.Sorted(maps.Keys(leftOut()))
}

// Decision is a reason for leaving out some libraries or predicates.
type Decision struct {
	Names  []string
	Reason string
}

// Decisions returns those about libraries and those about predicates, for the manual.
func Decisions() (libraries, predicates []Decision) {
	for _, a := range absences {
		libraries = append(libraries, Decision{strings.Fields(a.names), a.reason})
	}
	for _, o := range omissions {
		predicates = append(predicates, Decision{strings.Fields(o.names), o.reason})
	}
	return libraries, predicates
}
