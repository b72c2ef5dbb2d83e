package builtin

import (
	"cmp"
	"maps"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/machine"
	"github.com/mcplogic/mcplogic/engine/internal/stacks"
	"github.com/mcplogic/mcplogic/engine/internal/stream"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

// This file defines the predicates on Prolog flags (ISO 13211-1, 8.17).
//
// Some flags belong to the module of the current text and are stored in its [syntax.Flags]: double_quotes, back_quotes,
// var_prefix and iso. A file may also set unknown for its module. All other flags belong to the run. The flags of a run
// override those of its session, and these override the defaults.

// flagPredicates is the table of this file. The flags themselves are defined below.
var flagPredicates = []machine.Builtin{
	{Name: "set_prolog_flag", Arity: 2, Func: setPrologFlag, Modes: "+flag, +value", Doc: "Gives a flag a value."},
	{Name: "create_prolog_flag", Arity: 3, Func: createPrologFlag, Modes: "+flag, +value, +options",
		Doc: "Makes a new flag; the options are type(T), access(A) and keep(B)."},
	{Name: "current_prolog_flag", Arity: 2, Func: currentPrologFlag, Modes: "?flag, ?value",
		Doc: "Value is the value of Flag.", Nondet: true},
}

// findFlag returns a flag with its value in this run. The flags of the syntax come from the module of the current text,
// whose directives may have set them.
func findFlag(m *machine.Machine, name string) (flag, bool) {
	x := ioOf(m)
	f, ok := x.flag(name)
	if !ok {
		return f, false
	}
	switch name {
	case "double_quotes":
		f.value = term.Atom(quotesName(m.Flags().DoubleQuotes, "string"))
	case "back_quotes":
		f.value = term.Atom(quotesName(m.Flags().BackQuotes, "codes"))
	case "var_prefix":
		f.value = truth(m.Flags().VarPrefix)
	case "iso":
		f.value = truth(!m.Flags().Lenient)
	case "rational_syntax":
		if m.Flags().NaturalRationals {
			f.value = term.Atom("natural")
		}
	case "unknown":
		f.value = term.Atom(m.Unknown.In(m.Module()))
	}
	return f, true
}

// flagOf strips the module from a flag, as in m:unknown, and makes it the current module until restore is called.
func flagOf(m *machine.Machine, c cell) (name cell, restore func()) {
	before := m.Module()
	name, mod := m.StripModule(c)
	if name != m.Deref(c) {
		m.SetModule(mod)
	}
	return name, func() { m.SetModule(before) }
}

// flag returns a flag that does not depend on the module: one set in this run, one set earlier in the session, or a
// default.
func (x *IO) flag(name string) (flag, bool) {
	if f, ok := x.flags[name]; ok {
		return f, true
	}
	if x.opts.Flags != nil {
		if f, ok := x.opts.Flags.flags[name]; ok {
			return f, true
		}
	}
	if name == "argv" || name == "os_argv" {
		return fixedFlag(term.List(atoms(x.opts.Args...)...)), true
	}
	f, ok := defaultFlags[name]
	return f, ok
}

// HasFlags reports whether flags have been set, in this run or earlier in the session.
func (x *IO) HasFlags() bool { return len(x.flags) > 0 || x.opts.Flags != nil }

// Flag returns the value of a flag that does not depend on the module, nil when there is none.
func (x *IO) Flag(name string) term.Term {
	f, _ := x.flag(name)
	return f.value
}

// FlagSet returns the flags that differ from the defaults, for [IOOptions] of later runs; nil when there are none.
func (x *IO) FlagSet() *FlagSet { return x.OwnFlags().Over(x.opts.Flags) }

// OwnFlags returns the flags that goals have set through x, or nil.
func (x *IO) OwnFlags() *FlagSet {
	if len(x.flags) == 0 {
		return nil
	}
	return &FlagSet{flags: maps.Clone(x.flags)}
}

// flagNames returns the names of all flags, sorted.
func (x *IO) flagNames() []string {
	names := map[string]bool{"argv": true, "os_argv": true}
	for name := range defaultFlags {
		names[name] = true
	}
	if set := x.FlagSet(); set != nil {
		for name := range set.flags {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// quotesName returns the name of a value of double_quotes or back_quotes, and `otherwise` for a value without a name.
func quotesName(q syntax.Quotes, otherwise string) string {
	for name, value := range quotesOf {
		if value == q {
			return name
		}
	}
	return otherwise
}

// unsetRationalSize is the flag max_rational_size. It does not exist until it is set.
var unsetRationalSize = ofType("natural", nil)

// setPrologFlag is set_prolog_flag/2 (ISO 13211-1, 8.17.1). The errors come in this order: an unbound argument, a name
// that is no atom, an unknown flag, a read-only one, a value with variables, a value that the flag does not accept. A
// directive of a file that is being loaded makes an unknown flag.
func setPrologFlag(m *machine.Machine, a []cell) (bool, error) {
	name, restore := flagOf(m, a[0])
	defer restore()
	value := m.Deref(a[1])
	if stacks.IsVar(name) || stacks.IsVar(value) {
		return false, m.InstantiationError()
	}
	text, err := m.AtomArg(name)
	if err != nil {
		return false, err
	}
	f, ok := findFlag(m, text)
	if !ok && text == "max_rational_size" {
		f, ok = unsetRationalSize, true
	}
	if !ok && m.Loading {
		return createPrologFlag(m, []cell{name, a[1], m.Import(term.Nil)}) // as SWI-Prolog does
	}
	if !ok {
		return false, m.DomainError("prolog_flag", name)
	}
	if f.fixed {
		return false, m.PermissionError("modify", "flag", name)
	}
	if !m.IsGround(value) {
		return false, m.InstantiationError()
	}
	t, held := m.ExportSized(value)
	// 8.17.1.3 wants Flag + Value as the culprit.
	if !f.accepts(t) {
		return false, m.DomainError("flag_value", m.NewStruct("+", name, value))
	}
	f.value, f.held = t, held
	if text == "unknown" && name != m.Deref(a[0]) && m.Module() != m.Program().User() {
		if !m.Unknown.SetIn(m.Module(), string(t.(term.Atom))) {
			return false, m.ResourceError("modules")
		}
		return true, nil
	}
	return true, setFlag(m, text, f)
}

// setFlag stores a flag with its new value and applies it. The value counts as memory of the run until it is replaced.
// The caller has checked the value. The flags of the syntax go to the module of the current text and take no memory of
// the run.
func setFlag(m *machine.Machine, name string, f flag) error {
	value := f.value
	switch name {
	case "double_quotes":
		m.OwnFlags().DoubleQuotes = quotesOf[string(value.(term.Atom))]
		return nil
	case "back_quotes":
		m.OwnFlags().BackQuotes = quotesOf[string(value.(term.Atom))]
		return nil
	case "var_prefix":
		m.OwnFlags().VarPrefix = value == term.Term(term.True)
		return nil
	case "iso":
		m.OwnFlags().Lenient = value != term.Term(term.True)
		return nil
	case "unknown":
		m.Unknown.Value = string(value.(term.Atom))
	case "float_underflow":
		m.UnderflowError = value == term.Term(term.Atom("error"))
	case "rational_syntax":
		m.OwnFlags().NaturalRationals = value == term.Term(term.Atom("natural"))
		return nil
	}
	x := ioOf(m)
	if x.flags == nil {
		x.flags = map[string]flag{}
	}
	const entryBytes = 160
	f.held += entryBytes + len(name)
	if err := m.Hold(f.held - x.flags[name].held); err != nil {
		return err
	}
	x.flags[name] = f
	x.noteRationals()
	if name == "max_rational_size" || name == "max_rational_size_action" {
		m.OwnFlags().MaxRational = x.mostRationalBytes()
	}
	return nil
}

// mostRationalBytes is the largest size in bytes that the reader accepts for a rational number, 0 for any. It is
// limited only while the flag max_rational_size_action is error. With the action float the reader makes the number, and
// the next operation on it converts it to a float.
func (x *IO) mostRationalBytes() int {
	size, _ := x.flag("max_rational_size")
	action, _ := x.flag("max_rational_size_action")
	if most, ok := size.value.(term.Int); ok && action.value == term.Term(term.Atom("error")) {
		return max(int(most), 1)
	}
	return 0
}

// createPrologFlag is create_prolog_flag/3 of SWI-Prolog. It may change an existing flag that is not read-only. The
// errors come in this order: the name, a value with variables, the options, a value of another type, a read-only flag.
// Without type(T) the type follows from the value.
func createPrologFlag(m *machine.Machine, a []cell) (bool, error) {
	name, value := m.Deref(a[0]), m.Deref(a[1])
	text, err := m.AtomArg(name)
	if err != nil {
		return false, err
	}
	if !m.IsGround(value) {
		return false, m.InstantiationError()
	}
	var f flag
	f.value, f.held = m.ExportSized(value)
	f.typ = flagType(f.value)
	keep := false
	err = stream.EachOption(m, a[2], "prolog_flag_option", func(o stream.Option) (known bool, err error) {
		switch o.Name {
		case "type":
			f.typ, err = o.OneOf(m, "boolean", "atom", "integer", "float", "term")
		case "access":
			var access string
			access, err = o.OneOf(m, "read_only", "read_write")
			f.fixed = access == "read_only"
		case "keep":
			keep, err = o.Boolean(m)
		default:
			return false, nil
		}
		return true, err
	})
	if err != nil {
		return false, err
	}
	if !hasType(f.typ, f.value) {
		return false, m.TypeError(f.typ, value)
	}
	old, exists := findFlag(m, text)
	switch {
	// keep(true) is for defaults: a value that the user has set before stays.
	case exists && keep:
		return true, nil
	case exists && old.fixed:
		return false, m.PermissionError("modify", "flag", name)
	}
	return true, setFlag(m, text, f)
}

// flagType returns the type of a new flag, which its later values must have, by its first value. The first matching
// type counts, so true is a boolean and no atom.
func flagType(value term.Term) string {
	for _, typ := range []string{"boolean", "atom", "integer", "float"} {
		if hasType(typ, value) {
			return typ
		}
	}
	return "term"
}

// absentFlags are flags of SWI-Prolog that do not exist here. Programs read them to find out which system they run on,
// so reading such a flag fails instead of throwing an error.
var absentFlags = func() map[string]bool {
	absent := map[string]bool{}
	for _, name := range strings.Fields(`
		access_level agc_close_streams agc_margin android android_api answer_format apple arch architecture asan break_level
		bundle c_cc c_cflags c_ldflags c_libplso c_libs cmake_build_type colon_sets_calling_context
		compile_meta_arguments compiled_at conda cygwin date_time_value dde debug_term_position default_module editor
		emacs_inferior_process emscripten error_ambiguous_stream_pair executable executable_format exit_status
		file_name_case_handling generate_debug_info home hwnd ios kernel_compile_mode large_files libswipl linux
		max_answers_for_subgoal max_answers_for_subgoal_action max_char_code max_procedure_arity
		max_table_answer_size max_table_answer_size_action max_table_subgoal_size max_table_subgoal_size_action
		message_language mitigate_spectre msys2 open_shared_object packs path_max path_sep pid pipe pldoc_to_tex posix_shell
		protect_static_code resource_database sandboxed_load shared_home_directory shared_object_extension
		shared_object_search_path shift_check table_incremental table_shared toplevel_extra_white_line
		toplevel_goal toplevel_list_wfs toplevel_name_variables toplevel_residue_vars unicode_syntax_version
		unload_foreign_libraries user_interface vmi_builtin wasm windows wine_version xpce xpce_version xref yap`) {
		absent[name] = true
	}
	return absent
}()

// currentPrologFlag is current_prolog_flag/2 (ISO 13211-1, 8.17.2). Any other unknown name is an error, as in the
// standard.
func currentPrologFlag(m *machine.Machine, a []cell) (bool, error) {
	name, restore := flagOf(m, a[0])
	defer restore()
	if stacks.IsVar(name) {
		return eachFlag(m)
	}
	if name.Tag() != code.Atom {
		return false, m.TypeError("atom", name)
	}
	f, ok := findFlag(m, stacks.AtomText(name))
	switch {
	case !ok && (m.Loading || absentFlags[stacks.AtomText(name)]):
		return false, nil // texts for several systems use it in conditions, to find out the system
	case !ok:
		return false, m.DomainError("prolog_flag", name)
	}
	return m.Unify(a[1], m.Import(f.value)), nil
}

// eachFlag answers with every flag. It takes the names when it is called, and each value when it gives the answer.
func eachFlag(m *machine.Machine) (bool, error) {
	names := ioOf(m).flagNames()
	return m.Alternatives(func(m *machine.Machine, a []cell) (ok, more bool, err error) {
		name, restore := flagOf(m, a[0])
		defer restore()
		f, _ := findFlag(m, names[0])
		ok = m.Unify(name, m.NewAtom(names[0])) && m.Unify(a[1], m.Import(f.value))
		names = names[1:]
		return ok, len(names) > 0, nil
	})
}

// This part defines the Prolog flags, their values at the beginning and the values they may have (ISO 13211-1, 7.11).
// The flags that SWI-Prolog adds have values that fit this system.

// flag is a Prolog flag.
type flag struct {
	value term.Term
	fixed bool // may not be changed
	// typ is the type of the values: boolean, atom, integer, natural, float or term. values is the set of allowed
	// values, nil for all of the type.
	typ    string
	values []string
	held   int // bytes of the value in the memory of the run that has set it
}

// FlagSet holds flags that differ from the defaults. It is not changed once it has been handed out, so that many runs
// may share it.
type FlagSet struct{ flags map[string]flag }

// The version of SWI-Prolog whose dialect this is. Programs for several systems test the dialect before they choose
// libraries and clauses. Their choice for SWI-Prolog runs here.
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

// onOff is a flag with the values on and off in ISO, and true and false in SWI-Prolog.
func onOff(value string) flag { return choice(value, "on", "off", "true", "false") }

// choice is a flag with one of a few atoms as value. The default is the first of them.
func choice(value string, values ...string) flag {
	return flag{value: term.Atom(value), values: append([]string{value}, values...)}
}

// ofType is a flag whose values must have a type.
func ofType(typ string, value term.Term) flag { return flag{value: value, typ: typ} }

// defaultFlags are the flags that exist in every run. The values of double_quotes, back_quotes, var_prefix, iso and
// argv are placeholders; findFlag and IO.flag replace them.
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
	"max_procedure_arity":       fixedFlag(term.Int(machine.MaxArgs)),
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
	"pid":                    ofType("integer", term.Int(os.Getpid())),
	"tmp_dir":                ofType("atom", term.Atom("/tmp")),
}

// writeOptionTerms returns terms for the options of write_term/2 that are switched on.
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

// hasType reports whether a value is of a type of create_prolog_flag/3. A type without a case here, such as term, has
// all values.
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

// Over returns the flags of s, and those flags of under that s does not have. Either may be nil. Neither is changed.
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

// KnowsFlag reports whether a flag exists: in the set, as a default, or with a value that depends on the run.
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
