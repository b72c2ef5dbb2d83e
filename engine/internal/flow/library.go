package flow

import (
	"strings"
	"sync"

	"github.com/mcplogic/mcplogic/engine/term"
)

// signature describes a predicate of the system or of a library.
type signature struct {
	types []Type // of the arguments after a successful call
	needs []int  // the arguments without which a call throws or does not terminate
}

// signatures has a line or a part of one for each predicate: its name and the types of its arguments. A text is an
// atom, a string, a number or a list. Arguments with a + must be bound.
const signatures = `
atom_length +text natural; string_length +text natural; atom_concat text text text; string_concat text text text;
atom_string text text; atom_number text number; number_string number text; atom_chars text text;
atom_codes text text; string_chars text text; string_codes text text; number_codes number text;
string_lower +text string; string_upper +text string; upcase_atom +text atom; downcase_atom +text atom;
sub_string +text natural natural natural text; split_string +text +text +text strings; member any +list;
memberchk any list; length list natural; msort +list list; sort +list list; predsort +any +list list;
append list any any; append list list; reverse list list; nth0 natural +list any; nth1 positive +list any;
last +list any; sum_list +list number; sumlist +list number; max_list +list any; min_list +list any;
max_member any +list; min_member any +list; numlist +integer +integer integers; exclude +any +list list;
include +any +list list; maplist +any list; maplist +any list list; foldl +any +list any any;
functor any any integer; arg integer +compound any; =.. any list; succ natural positive; plus number number number;
pairs_keys_values list list list; pairs_keys list list; pairs_values list list; list_to_set +list list;
sort integer order +list list; atomic_list_concat +list atom; atomic_list_concat list +text text;
term_to_atom any text; term_string any text; get_time float; sub_atom +text natural natural natural text;
char_code char integer; select any list any; selectchk any list any; subtract +list +any list;
intersection +list +any list; union +list +any any; delete +list any list; permutation list list;
flatten any list; partition +any +list list list; list_to_ord_set +list list; text_concat text text text;
atom_to_term text any list; string_code integer text integer; get_assoc any +assoc any;
put_assoc any +assoc any assoc; list_to_assoc +list assoc;
empty_assoc assoc; assoc_to_list +assoc list; assoc_to_keys +assoc list; assoc_to_values +assoc list;
foldl +any +list list any any; maplist +any list list list; findall any +callable any; forall +callable callable;
aggregate_all aggregate +callable any; between +integer any integer;
days_between moment moment integer; add_days moment integer moment; add_months +moment +integer moment;
age moment moment integer; weekday +moment weekday; today date`

// typeNames are the words of signatures.
var typeNames = map[string]Type{"any": Any, "text": TextLike, "char": Text, "atom": Atom, "string": String,
	"integer": Integer, "natural": Between(0, inf), "positive": Between(1, inf),
	"assoc": {texts: []term.Term{term.Atom("t")}, shapes: []shape{{name: "t", arity: 5}}},
	"float": Float, "number": Number, "list": List,
	"strings": ListOf(String), "integers": ListOf(Integer), "compound": Compound, "callable": Callable,
	"date": Of("date", 3), "moment": Union(Of("date", 3), Union(Of("datetime", 6), Of("datetime", 7))),
	"order": {texts: []term.Term{term.Atom("@<"), term.Atom("@=<"), term.Atom("@>"), term.Atom("@>=")}},
	"weekday": {texts: []term.Term{term.Atom("friday"), term.Atom("monday"), term.Atom("saturday"),
		term.Atom("sunday"), term.Atom("thursday"), term.Atom("tuesday"), term.Atom("wednesday")}}, // in order
	"aggregate": {texts: []term.Term{term.Atom("count")}, kinds: compounds}}

// library has the signatures by predicate.
var library = sync.OnceValue(func() map[Key]signature {
	all := map[Key]signature{}
	for one := range strings.FieldsFuncSeq(signatures, func(r rune) bool { return r == ';' || r == '\n' }) {
		parts := strings.Fields(one)
		var s signature
		for i, word := range parts[1:] {
			name, needed := strings.CutPrefix(word, "+")
			if s.types = append(s.types, typeNames[name]); needed {
				s.needs = append(s.needs, i)
			}
		}
		all[Key{"", parts[0], len(s.types)}] = s
	}
	return all
})

// Needs returns the arguments without which a predicate of the system or of a library throws or does not terminate.
func Needs(name string, arity int) []int { return library()[Key{"", name, arity}].needs }
