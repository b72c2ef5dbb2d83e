package load

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/mcplogic/mcplogic/engine/internal/body"
	"github.com/mcplogic/mcplogic/engine/internal/code"
	"github.com/mcplogic/mcplogic/engine/internal/database"
	"github.com/mcplogic/mcplogic/engine/internal/lib"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/spell"
)

// This file defines the search for calls of undefined predicates.

// bodyNote is a loaded body and its place.
type bodyNote struct {
	loader *Loader
	module *database.Module
	at     syntax.Place // of the clause
	body   body.Part    // without a term for a clause that was not parsed
	search Search       // caches the result of the search in the body, nil for no cache
}

// noteBody records the body of a clause of the program until all texts are loaded. Facts have no body, and libraries
// are not searched.
func (l *Loader) noteBody(module *database.Module, goals term.Term) {
	if l.library || l.read == nil || goals == term.Term(term.True) {
		return
	}
	n := bodyNote{loader: l, module: module, body: body.Part{Term: goals}, at: l.at()}
	if args, ok := term.Is(l.read.Term, ":-", 2); ok && args[1] == goals {
		n.body.Layout = l.read.Layout.Arg(1)
	}
	l.p.bodies = append(l.p.bodies, n)
}

// maxHints is the number of undefined predicates of a load with a suggestion. Each suggestion scans all predicates, and
// a generated text may call ten thousand undefined ones.
const maxHints = 100

// reportUndefined warns of calls of undefined predicates, once for each predicate. It skips predicates that some clause
// asserts, because they may be defined at run time.
func (p *Program) reportUndefined() {
	s := undefinedSearch{p: p, asserted: map[string]bool{}, seen: map[string]bool{}}
	for _, n := range p.bodies {
		if n.search == nil || !s.isKnown(n) {
			s.body(n)
		}
	}
	p.bodies = nil
	p.reportExports()
	hints := 0
	for _, u := range s.missing {
		if !s.asserted[u.indicator] && !p.knownElsewhere(u) {
			hint := ""
			if hints++; hints <= maxHints {
				hint = p.Suggestion(u.module, u.name, u.arity)
			}
			u.at.Message = u.qualifier + u.indicator + " is not defined" + hint
			if word, ok := strings.CutPrefix(hint, "; did you mean "); ok && u.qualifier == "" {
				u.at.Fix = source.ReplaceWord(u.at.Place, u.at.Source, u.name, strings.TrimSuffix(word, "?"))
			}
			p.Diagnose(u.at)
			if p.undefined == nil {
				p.undefined = map[string]UnknownCall{}
			}
			p.undefined[u.indicator] = UnknownCall{hint, u.indicator, syntax.At(u.at.File, u.at.Line, 0)}
		}
	}
}

// knownElsewhere reports whether a text that is not loaded defines the predicate of a call.
func (p *Program) knownElsewhere(u undefined) bool {
	return p.opts.KnownElsewhere != nil && p.opts.KnownElsewhere(u.name, u.arity)
}

// exportNote is an export in a module header. The diagnostic has the place of the export.
type exportNote struct {
	module  *database.Module
	functor code.Cell
	at      source.Diagnostic
}

// reportExports warns of undefined predicates that modules of the program export.
func (p *Program) reportExports() {
	hints := 0
	for _, e := range p.exports {
		if pred := e.module.Resolve(e.functor); pred != nil && pred.Defined() {
			continue
		}
		hint := ""
		if hints++; hints <= maxHints {
			hint = p.Suggestion(e.module, code.AtomText(e.functor.FunctorAtom()), e.functor.FunctorArity())
		}
		e.at.Message = fmt.Sprintf("module %s exports %s, which is not defined%s",
			e.module.Name, database.FunctorText(e.functor), hint)
		p.Diagnose(e.at)
	}
	p.exports = nil
}

// UnknownCall describes an undefined predicate that the texts call.
type UnknownCall struct {
	// Hint suggests another name, as in "; did you mean b?", or is "".
	Hint string
	// Indicator is the name and arity. The position is that of the first call, without the column, as in backtraces.
	Indicator string
	syntax.Position
}

// String is the position, if known, and the indicator with its hint.
func (u UnknownCall) String() string {
	if u.File == "" {
		return u.Indicator + u.Hint
	}
	return u.Position.String() + ": " + u.Indicator + u.Hint
}

// Unknown describes an undefined predicate, given by its indicator. ok is false if no clause of the texts calls it.
func (p *Program) Unknown(culprit term.Term) (u UnknownCall, ok bool) {
	name, arity, ok := Indicator(culprit)
	if !ok {
		return UnknownCall{}, false
	}
	u, ok = p.undefined[fmt.Sprintf("%s/%d", syntax.FormatTerm(term.Atom(name)), arity)]
	return u, ok
}

// undefinedSearch collects undefined predicates.
type undefinedSearch struct {
	p        *Program
	asserted map[string]bool
	// asserted holds the asserted predicates by name and arity. seen holds the undefined predicates, by name, arity and
	// module.
	seen    map[string]bool
	missing []undefined
	// The result for a body whose search is cached, while all predicates that it calls are defined.
	noting  bool
	lookups []Lookup
	asserts []string
}

// undefined is a call of a predicate that is not defined.
type undefined struct {
	indicator, name string
	arity           int
	qualifier       string // the module and a colon, if the goal names a module other than that of its clause
	module          *database.Module
	at              source.Diagnostic
}

// body searches the goals of a body, and goals in their arguments.
func (s *undefinedSearch) body(n bodyNote) {
	whole := s.begin(n)
	defer s.end(n)
	body.Walk(whole, func(g body.Part) []body.Part {
		name, arity, ok := term.Indicator(g.Term)
		if !ok || name == "!" || strings.HasPrefix(string(name), "$") {
			return nil
		}
		module := n.module
		if g.Module != "" {
			if module = s.p.db.FindModule(g.Module); module == nil {
				s.note(Lookup{Module: g.Module})
				return nil
			}
		}
		lookup := Lookup{Module: module.Name, Functor: code.Functor(string(name), arity+g.Extra)}
		lookup, found := s.p.lookUp(module, lookup)
		if !found {
			// The next load searches the body again, to repeat the warning.
			s.noting = false
			s.miss(n, g, module, string(name), arity+g.Extra)
			return nil
		}
		if lookup.Hides != "" && !n.loader.sameText(lookup.Hides) {
			s.hidden(n, g, lookup)
		}
		s.note(lookup)
		if c, ok := g.Term.(*term.Compound); ok {
			s.assertion(string(name), c)
		}
		return g.Arguments(lookup.Spec)
	})
}

// assertion records the predicate that an assertion adds to. It ignores the module, so an assertion in any module
// counts.
func (s *undefinedSearch) assertion(name string, c *term.Compound) {
	if name != "assert" && name != "asserta" && name != "assertz" || len(c.Args) == 0 {
		return
	}
	head := c.Args[0]
	if args, ok := term.Is(head, ":-", 2); ok {
		head = args[0]
	}
	if args, ok := term.Is(head, ":", 2); ok {
		head = args[1]
	}
	if name, arity, ok := term.Indicator(head); ok {
		indicator := fmt.Sprintf("%s/%d", name, arity)
		s.asserted[indicator] = true
		s.asserts = append(s.asserts, indicator)
	}
}

// warning returns a warning at the place of a goal.
func (n bodyNote) warning(g body.Part, id string) source.Diagnostic {
	d := source.Diagnostic{Position: syntax.At(n.loader.name, n.at.Line, n.at.Column), Severity: source.SeverityWarning,
		Code: id}
	if g.Layout != nil && g.Layout.Pos.Line > 0 {
		d.Line, d.Column = g.Layout.Pos.Line, g.Layout.Pos.Column
	}
	d.Source = n.loader.line(d.Line)
	return d
}

// hidden warns, once for each predicate, of a call that reaches the definition of another file and not that of the
// system or a library. The next load searches the body again.
func (s *undefinedSearch) hidden(n bodyNote, g body.Part, l Lookup) {
	s.noting = false
	indicator := database.FunctorText(l.Functor)
	if s.seen["hides "+indicator] {
		return
	}
	s.seen["hides "+indicator] = true
	d := n.warning(g, "hides_library")
	pred := s.p.db.User().Find(l.Functor)
	d.Message = fmt.Sprintf("%s is that of %s:%d here, and not that of %s; if this is not meant, begin %s with "+
		":- module(%s, [...]) or name it otherwise", indicator, l.Hides, pred.Line, s.p.exporter(l.Functor),
		path.Base(l.Hides),
		syntax.FormatTerm(term.Atom(strings.TrimSuffix(path.Base(l.Hides), path.Ext(l.Hides)))))
	s.p.Diagnose(d)
}

// miss records an undefined predicate at the place of its first call.
func (s *undefinedSearch) miss(n bodyNote, g body.Part, module *database.Module, name string, arity int) {
	indicator := fmt.Sprintf("%s/%d", syntax.FormatTerm(term.Atom(name)), arity)
	key := module.Name + ":" + indicator
	if s.seen[key] {
		return
	}
	s.seen[key] = true
	d := n.warning(g, "undefined")
	qualifier := ""
	if module != n.module {
		qualifier = syntax.FormatTerm(term.Atom(module.Name)) + ":"
	}
	s.missing = append(s.missing, undefined{indicator, name, arity, qualifier, module, d})
}

// Suggestion returns a suggestion for a call of an undefined predicate, as in "; did you mean p?", or "". A similar
// name counts only with the same arity. It scans all predicates, so callers bound the number of calls.
func (p *Program) Suggestion(module *database.Module, name string, arity int) string {
	if hint := p.elsewhere(module, name, arity); hint != "" {
		return hint
	}
	indicator := fmt.Sprintf("%s/%d", name, arity)
	if advice := p.opts.Advice[indicator]; advice != "" {
		return "; " + advice
	}
	if here := lib.Instead(name, arity); here != "" {
		return "; write " + here
	}
	if reason := lib.LeftOut(name, arity); reason != "" {
		return ", which is left out: " + reason
	}
	near := spell.Near(name)
	var arities []int
	see := func(known string, has int) {
		if known == name {
			arities = append(arities, has)
		}
		if has == arity {
			near.See(known)
		}
	}
	for _, m := range []*database.Module{module, p.db.User(), p.db.System()} {
		for pred := range m.EachPred() {
			known := pred.Name()
			if (known == name || pred.Arity() == arity) && pred.Defined() && known[:min(1, len(known))] != "$" &&
				!isEmptyTable(pred) && !isIdle(pred) {
				see(known, pred.Arity())
			}
		}
	}
	for known := range lib.Autoload() {
		see(known.Name, known.Arity)
	}
	if len(arities) > 0 {
		return otherArities(name, arities)
	}
	return near.Hint()
}

// isIdle reports whether a predicate of the system, such as license/2, succeeds for all arguments. It is never
// suggested.
func isIdle(pred *database.Pred) bool {
	all := pred.Clauses()
	return pred.Module.Library && len(all) == 1 && all[0].IsFact() && all[0].NVars == pred.Arity() && pred.Arity() > 0
}

// ErrorHint is the suggestion for the error of a goal. Only the first errors of a load get one. Outside of a load all
// errors do.
func (p *Program) ErrorHint(module *database.Module, name string, arity int) string {
	if left := p.hints.Load(); left == 1 {
		return ""
	} else if left > 1 {
		p.hints.Add(-1)
	}
	return p.Suggestion(module, name, arity)
}

// otherArities lists the predicates with a name and other arities.
func otherArities(name string, arities []int) string {
	slices.Sort(arities)
	var list []string
	for _, n := range slices.Compact(arities) {
		list = append(list, fmt.Sprintf("%s/%d", syntax.FormatTerm(term.Atom(name)), n))
	}
	const most = 3
	if len(list) > most {
		list = append(list[:most], "...")
	}
	return "; there is " + strings.Join(list, ", ")
}

// elsewhere says that the module of a call does not exist, or which module of the program has a predicate of that name.
// Exported predicates come first. A predicate that is not exported must have the same arity.
func (p *Program) elsewhere(module *database.Module, name string, arity int) string {
	if module != p.db.User() && module.File == "" && !slices.ContainsFunc(module.Preds(), (*database.Pred).Defined) {
		return p.noModule(module.Name)
	}
	hidden := ""
	for _, m := range p.db.Modules() {
		if m.File == "" || m.Library || m == module {
			continue
		}
		var exported *database.Pred // the first one of the module
		for pred := range m.EachPred() {
			switch {
			case pred.Name() != name || m.Resolve(pred.Functor) == nil:
			case m.IsExported(pred.Functor):
				if exported == nil || pred.ID < exported.ID {
					exported = pred
				}
			case pred.Arity() == arity && pred.Defined():
				hidden = fmt.Sprintf("; module %s defines it and does not export it", m.Name)
			}
		}
		if exported != nil {
			return fmt.Sprintf("; there is %s:%s/%d", syntax.FormatTerm(term.Atom(m.Name)),
				syntax.FormatTerm(term.Atom(name)), exported.Arity())
		}
	}
	return hidden
}

// noModule says that there is no module of a name, and suggests a similar one.
func (p *Program) noModule(name string) string {
	var known []string
	for _, m := range p.db.Modules() {
		if m.File != "" && !m.Library {
			known = append(known, m.Name)
		}
	}
	slices.Sort(known)
	if near := spell.Nearest(name, known); near != "" && near != name {
		return fmt.Sprintf("; there is no module %s, did you mean %s?", name, near)
	}
	return "; there is no module " + name
}

// This part defines the lookups of the search for undefined predicates, and how the result for a body is cached.

// Search caches the result of the search for undefined predicates in one body.
type Search interface {
	// Known returns the predicates that the body asserts. ok is false if the body must be searched. holds reports
	// whether a lookup still gives the same answer.
	Known(holds func(Lookup) bool) (asserts []string, ok bool)
	// Body returns the body of a clause that is not parsed.
	Body() body.Part
	// Keep caches the result for a body whose calls are all defined: the lookups of the search and the predicates
	// that the body asserts. The caller owns the slices.
	Keep(lookups []Lookup, asserts []string)
}

// Lookup is a lookup of a predicate that a goal calls, with the answer. It says that the predicate is defined and has
// the meta_predicate specification Spec. Functor 0 says that the module does not exist.
type Lookup struct {
	Module  string
	Functor code.Cell
	Spec    string
	// Hides is the file without a module whose predicate hides one of the system or a library, or "".
	Hides string
}

// lookUp answers a lookup. It returns the lookup with its answer, and whether the predicate is defined.
func (p *Program) lookUp(m *database.Module, l Lookup) (answered Lookup, found bool) {
	pred := m.Resolve(l.Functor)
	if pred == nil {
		pred, _ = p.Autoload(l.Functor, true)
	}
	if pred == nil {
		return l, false
	}
	l.Spec = pred.Meta()
	if pred.Module == p.db.User() && pred.Defined() && !pred.Has(database.Multifile) && p.exporter(l.Functor) != "" {
		l.Hides = pred.File
	}
	return l, true
}

// ofOldPrograms lists libraries whose names programs took from other systems long ago. A program that uses such a name
// means its own predicate.
var ofOldPrograms = map[string]bool{"backcomp": true, "edinburgh": true, "quintus": true, "shell": true, "oset": true}

// plainWords lists names of system predicates that programs use for their own data.
var plainWords = nameSet(`apropos blob export flag help import license module name profile prompt require reset resource
rule see seeing shift skip table tell telling undo version white`)

// exporter returns the owner of the predicate that a call would reach without a definition in the program: the system,
// an autoloaded library, or a library that the program has loaded. It returns "" if there is none.
func (p *Program) exporter(functor code.Cell) string {
	if sys := p.db.System().Find(functor); sys != nil && sys.Defined() && !sys.Has(database.Multifile|database.Dynamic) &&
		!isHelper(sys) && !plainWords[sys.Name()] {
		return "the system"
	}
	i := lib.Indicator{Name: code.AtomText(functor.FunctorAtom()), Arity: functor.FunctorArity()}
	if name := lib.Autoload()[i]; name != "" && !ofOldPrograms[name] {
		return "library(" + name + ")"
	}
	for _, m := range p.db.Modules() {
		if m.Library && m != p.db.System() && m.IsExported(functor) && !ofOldPrograms[m.Name] {
			return "library(" + m.Name + ")"
		}
	}
	return ""
}

// holds reports whether a lookup still gives the same answer.
func (p *Program) holds(l Lookup) bool {
	m := p.db.FindModule(l.Module)
	if m == nil || l.Functor == 0 {
		return m == nil && l.Functor == 0
	}
	now, found := p.lookUp(m, l)
	return found && now == l
}

// isKnown reports whether the cached result for a body still holds. If it holds, isKnown adds it to the search.
func (s *undefinedSearch) isKnown(n bodyNote) bool {
	asserts, ok := n.search.Known(s.p.holds)
	for _, indicator := range asserts {
		s.asserted[indicator] = true
	}
	return ok
}

// begin starts the search in a body.
func (s *undefinedSearch) begin(n bodyNote) body.Part {
	s.noting, s.lookups, s.asserts = n.search != nil, s.lookups[:0], s.asserts[:0]
	if n.body.Term == nil {
		return n.search.Body()
	}
	return n.body
}

// end caches the result of the search in a body.
func (s *undefinedSearch) end(n bodyNote) {
	if s.noting {
		n.search.Keep(s.lookups, s.asserts)
	}
}

// note records a lookup and its answer.
func (s *undefinedSearch) note(l Lookup) {
	if s.noting {
		s.lookups = append(s.lookups, l)
	}
}
