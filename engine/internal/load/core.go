package load

import (
	"strconv"
	"strings"
)

// This file lists the predicates of ISO 13211-1 and the control constructs around them.
// Programs cannot redefine them; other built-ins they can, as in SWI-Prolog.

// CoreNames are their indicators.
const CoreNames = `
true/0 fail/0 false/0 call/1 call/2 call/3 call/4 call/5 call/6 call/7 call/8 !/0 ,/2 ;/2 ->/2 *->/2 |/2 :/2
catch/3 throw/1 \+/1 once/1 ignore/1 not/1 forall/2 findall/3 findall/4 bagof/3 setof/3 =/2 \=/2
unify_with_occurs_check/2 subsumes_term/2 var/1 nonvar/1 atom/1 number/1 integer/1 float/1 atomic/1
compound/1 callable/1 is_list/1 ground/1 string/1 ==/2 \==/2 @</2 @>/2 @=</2 @>=/2 compare/3 functor/3
arg/3 =../2 copy_term/2 term_variables/2 is/2 =:=/2 =\=/2 </2 =</2 >/2 >=/2 clause/2 current_predicate/1
asserta/1 assertz/1 assert/1 retract/1 abolish/1 retractall/1 atom_length/2 atom_concat/3 sub_atom/5
atom_chars/2 atom_codes/2 char_code/2 number_chars/2 number_codes/2 halt/0 halt/1 op/3 current_op/3
char_conversion/2 current_char_conversion/2 set_prolog_flag/2 current_prolog_flag/2 current_input/1
current_output/1 set_input/1 set_output/1 open/3 open/4 close/1 close/2 flush_output/0 flush_output/1
stream_property/2 at_end_of_stream/0 at_end_of_stream/1 set_stream_position/2 get_char/1 get_char/2
peek_char/1 peek_char/2 put_char/1 put_char/2 get_code/1 get_code/2 peek_code/1 peek_code/2 put_code/1
put_code/2 get_byte/1 get_byte/2 peek_byte/1 peek_byte/2 put_byte/1 put_byte/2 nl/0 nl/1 read_term/2
read_term/3 read/1 read/2 write_term/2 write_term/3 write/1 write/2 writeq/1 writeq/2 print/1 print/2
write_canonical/1 write_canonical/2 repeat/0 msort/2 sort/2 sort/4 keysort/2 length/2 atom_number/2
setup_call_cleanup/3 nb_setval/2 b_setval/2 nb_getval/2 b_getval/2 format/1 format/2 format/3
acyclic_term/1 cyclic_term/1 term_to_atom/2 phrase/2 phrase/3`

// RedefinableNames are the core predicates that a program may nevertheless define itself, as in SWI-Prolog. ISO does
// not have them, and they are no control constructs.
const RedefinableNames = `
ignore/1 not/1 forall/2 findall/4 is_list/1 string/1 assert/1 print/1 print/2 msort/2 sort/4 atom_number/2 nb_setval/2
b_setval/2 nb_getval/2 b_getval/2 format/1 format/2 format/3 cyclic_term/1 term_to_atom/2
setup_call_cleanup/3`

// redefinable and core are these names as sets. They do not change, so all goroutines share them.
var redefinable = nameSet(RedefinableNames)

var core = nameSet(CoreNames)

// nameSet returns the set of the words of a text.
func nameSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, name := range strings.Fields(text) {
		set[name] = true
	}
	return set
}

// isCore reports whether a predicate is one of CoreNames, those included that programs may define.
func isCore(name string, arity int) bool { return core[name+"/"+strconv.Itoa(arity)] }
