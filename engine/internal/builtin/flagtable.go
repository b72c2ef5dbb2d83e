package builtin

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the Prolog flags, their values at the beginning and the values they may have
// (ISO 13211-1, 7.11; those that SWI-Prolog adds have the values that fit this system).

// flag is a Prolog flag.
type flag struct {
	value term.Term
	fixed bool // may not be changed
	// typ is what values must be: boolean, atom, integer, natural, float or term. values is the set of them; nil: typ
	// decides.
	typ    string
	values []string
	held   int // bytes that the value takes of the memory of the run that has set it
}

// FlagSet holds flags that differ from the defaults. It is not changed once it has been handed out, so that many runs
// may share it.
type FlagSet struct{ flags map[string]flag }

// The version of SWI-Prolog whose dialect this is. Programs for several systems ask which one they run on before they
// choose libraries and clauses, and what they have for SWI-Prolog is what runs here.
const (
	versionMajor = 9
	versionMinor = 0
	versionPatch = 4
)

// fixedFlag is a read-only flag.
func fixedFlag(value term.Term) flag { return flag{value: value, fixed: true} }

// fixedAtom is a read-only flag whose value is an atom.
func fixedAtom(name string) flag { return fixedFlag(term.Atom(name)) }

// boolean is a flag that is true or false.
func boolean(value bool) flag { return flag{value: truth(value), typ: "boolean"} }

// onOff is a flag for which ISO says on and off and SWI-Prolog true and false.
func onOff(value string) flag { return choice(value, "on", "off", "true", "false") }

// choice is a flag with one of a few atoms as value. The default is the first of them.
func choice(value string, values ...string) flag {
	return flag{value: term.Atom(value), values: append([]string{value}, values...)}
}

// ofType is a flag whose values must have a type.
func ofType(typ string, value term.Term) flag { return flag{value: value, typ: typ} }

// defaultFlags are the flags that exist in every run. The values here of double_quotes, back_quotes, var_prefix, iso
// and argv do not count; findFlag and IO.flag replace them.
var defaultFlags = map[string]flag{
	"bounded":                   fixedAtom("false"),
	"max_integer":               fixedFlag(term.Int(math.MaxInt64)),
	"min_integer":               fixedFlag(term.Int(math.MinInt64)),
	"max_tagged_integer":        fixedFlag(term.Int(code.MaxInt)),
	"min_tagged_integer":        fixedFlag(term.Int(code.MinInt)),
	"integer_rounding_function": fixedAtom("toward_zero"),
	"char_conversion":           choice("on", "off"),
	"debug":                     onOff("off"),
	"max_arity":                 fixedAtom("unbounded"),
	"unknown":                   choice("error", "fail", "warning"),
	"double_quotes":             choice("string", "codes", "chars", "atom"),
	"back_quotes":               choice("codes", "chars", "string", "symbol_char"),
	"var_prefix":                boolean(false),
	"occurs_check":              choice("false", "true", "error"),
	"dialect":                   fixedAtom("swi"),
	"emulated_dialect":          fixedAtom("swi"),
	"mcplogic":                  fixedFlag(term.New("mcplogic", term.Int(1), term.Int(0), term.Int(0), term.Nil)),
	"version":                   fixedFlag(term.Int(10000*versionMajor + 100*versionMinor + versionPatch)),
	"version_data": fixedFlag(term.New("swi", term.Int(versionMajor), term.Int(versionMinor),
		term.Int(versionPatch), term.Nil)),
	"iso":                            boolean(false),
	"prefer_rationals":               boolean(false),
	"rational_syntax":                choice("compatibility", "natural"),
	"max_rational_size_action":       choice("error", "float"),
	"float_max":                      fixedFlag(term.Float(math.MaxFloat64)),
	"float_min":                      fixedFlag(term.Float(0x1p-1022)),
	"float_overflow":                 choice("error", "infinity"),
	"float_zero_div":                 choice("error", "infinity"),
	"float_undefined":                choice("error", "nan"),
	"float_rounding":                 choice("to_nearest"),
	"float_underflow":                choice("ignore", "error"),
	"float_format":                   ofType("atom", term.Atom("~15g|")),
	"encoding":                       choice("utf8", "text", "octet", "iso_latin_1", "ascii"),
	"character_escapes":              boolean(true),
	"character_escapes_unicode":      boolean(true),
	"gc":                             boolean(true),
	"agc_margin":                     ofType("integer", term.Int(10000)),
	"last_call_optimisation":         boolean(true),
	"optimise":                       boolean(true),
	"optimise_unify":                 boolean(true),
	"optimise_debug":                 choice("default", "true", "false"),
	"generate_debug_info":            boolean(true),
	"stack_limit":                    ofType("integer", term.Int(1<<30)),
	"table_space":                    ofType("integer", term.Int(1<<30)),
	"shared_table_space":             ofType("integer", term.Int(1<<30)),
	"autoload":                       choice("true", "false", "explicit", "user", "user_or_explicit"),
	"verbose":                        choice("normal", "silent"),
	"verbose_load":                   choice("silent", "normal", "full", "false", "true"),
	"verbose_autoload":               boolean(false),
	"verbose_file_search":            boolean(false),
	"warn_override_implicit_import":  boolean(true),
	"warn_autoload":                  boolean(false),
	"traditional":                    fixedAtom("false"),
	"report_error":                   boolean(true),
	"on_error":                       choice("print", "halt", "status"),
	"on_warning":                     choice("print", "halt", "status"),
	"debug_on_error":                 boolean(false),
	"debug_on_interrupt":             boolean(false),
	"determinism_error":              choice("error", "warning", "silent"),
	"user_flags":                     choice("error", "warning", "silent"),
	"xref":                           boolean(false),
	"chr_toplevel_show_store":        boolean(true),
	"signals":                        fixedAtom("false"),
	"threads":                        fixedAtom("false"),
	"unix":                           fixedAtom("true"),
	"gui":                            fixedAtom("false"),
	"readline":                       fixedAtom("false"),
	"tty_control":                    boolean(false),
	"color_term":                     boolean(false),
	"stream_type_check":              choice("loose", "false", "true"),
	"file_name_variables":            boolean(false),
	"write_attributes":               choice("ignore", "dots", "write", "portray"),
	"address_bits":                   fixedFlag(term.Int(64)),
	"cpu_count":                      ofType("integer", term.Int(1)),
	"timezone":                       fixedFlag(term.Int(0)),
	"history":                        ofType("integer", term.Int(0)),
	"heartbeat":                      ofType("integer", term.Int(0)),
	"allow_variable_name_as_functor": choice("false"),
	"allow_dot_in_atom":              choice("false"),
	"toplevel_var_size":              ofType("integer", term.Int(1000)),
	"toplevel_print_anon":            boolean(true),
	"toplevel_mode":                  choice("backtracking", "recursive"),
	"toplevel_prompt":                ofType("atom", term.Atom("?- ")),
	"print_write_options":            ofType("term", writeOptionTerms("portray", "numbervars", "quoted")),
	"answer_write_options": ofType("term", term.List(term.New("quoted", term.True), term.New("portray", term.True),
		term.New("max_depth", term.Int(10)))),
	"debugger_write_options": ofType("term", writeOptionTerms("quoted", "portray", "attributes")),
	"message_context":        ofType("term", term.List(term.Atom("thread"))),
	"tmp_dir":                ofType("atom", term.Atom("/tmp")),
}

// writeOptionTerms returns options of write_term/2 that are switched on.
func writeOptionTerms(names ...string) term.Term {
	var list []term.Term
	for _, name := range names {
		list = append(list, term.New(term.Atom(name), term.True))
	}
	return term.List(list...)
}

// accepts reports whether a flag may have a value.
func (f flag) accepts(value term.Term) bool {
	if f.values != nil {
		name, ok := value.(term.Atom)
		return ok && slices.Contains(f.values, string(name))
	}
	return hasType(f.typ, value)
}

// hasType reports whether a value is of a type of create_prolog_flag/3. Every value is of a type that has no case here,
// such as term.
func hasType(typ string, value term.Term) bool {
	ok := true
	switch typ {
	case "boolean":
		ok = value == term.Term(term.True) || value == term.Term(term.False)
	case "atom":
		_, ok = value.(term.Atom)
	case "integer":
		switch value.(type) {
		case term.Int, *term.Big:
		default:
			ok = false
		}
	case "natural":
		n, small := value.(term.Int)
		ok = small && n >= 0
	case "float":
		_, ok = value.(term.Float)
	}
	return ok
}

// Over returns the flags of s, and those of under that s does not have. Either may be nil. Neither is changed.
func (s *FlagSet) Over(under *FlagSet) *FlagSet {
	if s == nil || under == nil {
		return cmp.Or(s, under)
	}
	both := &FlagSet{flags: maps.Clone(under.flags)}
	maps.Copy(both.flags, s.flags)
	return both
}

// Flag returns the value of a flag in the set, nil when there is none.
func (s *FlagSet) Flag(name string) term.Term {
	if s == nil {
		return nil
	}
	return s.flags[name].value
}

// KnowsFlag reports whether there is a flag of the name: one of the set, a default, or one whose value depends on the
// run.
func KnowsFlag(set *FlagSet, name string) bool {
	if set != nil {
		if _, ok := set.flags[name]; ok {
			return true
		}
	}
	_, ok := defaultFlags[name]
	return ok || name == "argv" || name == "os_argv"
}

// DefaultFlags returns the names of the flags that every run has.
func DefaultFlags() []string { return slices.Collect(maps.Keys(defaultFlags)) }

// quotesOf are the values of the flags double_quotes and back_quotes.
var quotesOf = map[string]syntax.Quotes{
	"codes": syntax.Codes, "chars": syntax.Chars, "atom": syntax.Atom, "string": syntax.String,
}
