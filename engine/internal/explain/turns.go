package explain

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/lazyregexp"
	"github.com/mcplogic/mcplogic/internal/values"
)

// This file defines how comparisons are explained: the values for which they hold, and their words.

// comparedSides are the two sides of a comparison as written in its clause. variableSide is a side with its own values.
var (
	comparedSides = lazyregexp.New(`^((?:[^<>]|<<|>>)+?)` +
		`(?:@=<|@>=|@<|@>|\\==|\\=|==|#?>=|#?=<|#?<|#?>|=:=|=\\=|#=|#\\=|=)([^<>].*)$`)
	variableSide = lazyregexp.New(`\b[A-Z]\w*`)
	differing    = lazyregexp.New(`^dif\((\w+), (\w+)\)$`)
)

// sidesOf returns three texts of a comparison as written in its clause: the whole, the left side and the right side. It
// returns nil for other goals.
func sidesOf(written string) []string {
	if sides := differing().FindStringSubmatch(written); sides != nil {
		return sides
	}
	return comparedSides().FindStringSubmatch(written)
}

// compared has the words for a comparison that holds and for one that does not. It also has the words for the values of
// a variable on the left or on the right for which the comparison holds.
var compared = map[term.Atom][4]string{
	">=": {"is at least", "is below", "from % on", "up to %"}, ">": {"is above", "is not above", "above %", "below %"},
	"=<": {"is at most", "is above", "up to %", "from % on"}, "<": {"is below", "is not below", "below %", "above %"},
	"=:=":  {"is", "is not", "equal to %", "equal to %"},
	"=\\=": {"is not", "is", "other than %", "other than %"},
}

// comparison returns a goal with the values of the two compared expressions, nil for other goals.
func comparison(goal term.Term) *term.Compound {
	c, ok := goal.(*term.Compound)
	if !ok || len(c.Args) != 2 {
		return nil
	}
	name := c.Functor
	switch constraint, is := strings.CutPrefix(string(name), "#"); {
	case is && constraint == "=":
		name = "=:="
	case is && constraint == "\\=":
		name = "=\\="
	case is:
		name = term.Atom(constraint)
	}
	if compared[name][0] == "" {
		return nil
	}
	parts := maxExpression
	x, y := valueOf(c.Args[0], &parts), valueOf(c.Args[1], &parts)
	if x == nil || y == nil {
		return nil
	}
	return &term.Compound{Functor: name, Args: []term.Term{x, y}}
}

// valueOf is the value of a number, and of a plain expression of numbers that is not very large; nil for other terms.
// parts bounds the number of operations.
func valueOf(t term.Term, parts *int) term.Term {
	switch t.(type) {
	case term.Int, term.Float, *term.Big, *term.Rational:
		return t
	}
	name, arity, _ := term.Indicator(t)
	does, ok := operations[string(name)+strconv.Itoa(arity)]
	if *parts--; !ok || *parts < 0 {
		return nil
	}
	args := argsOf(t)
	x, y := valueOf(args[0], parts), valueOf(args[arity-1], parts)
	if x == nil || y == nil {
		return nil
	}
	r, s := values.Number(x), values.Number(y)
	_, inexact := x.(term.Float)
	_, isFloat := y.(term.Float)
	if r == nil || s == nil || divides[name] && s.Sign() == 0 ||
		does.whole && (inexact || isFloat || !r.IsInt() || !s.IsInt()) || r.Num().BitLen()+s.Num().BitLen() > maxBits {
		return nil
	}
	switch order := r.Cmp(s); {
	case name == "max" || name == "min":
		if order == 0 && inexact != isFloat {
			return nil
		} else if (order > 0) == (name == "max") {
			return x
		}
		return y
	case does.exact != nil && (!inexact && !isFloat || does.float == nil):
		if z := does.exact(new(big.Rat), r, s); z != nil {
			return term.NewRational(z)
		}
	case does.float != nil:
		return term.Float(does.float(floatOf(x), floatOf(y)))
	}
	return nil
}

// divides lists the functions without a value for a second argument of zero.
var divides = map[term.Atom]bool{"/": true, "//": true, "rdiv": true, "mod": true, "rem": true, "div": true}

// floatOf converts a number to a float.
func floatOf(x term.Term) float64 {
	if f, ok := x.(term.Float); ok {
		return float64(f)
	}
	f, _ := values.Number(x).Float64()
	return f
}

// The bounds of an expression whose value is shown: its number of operations, and the digits of a product.
const (
	maxExpression = 100
	maxBits       = 1 << 10
)

// operations compute the functions of plain expressions, float those for floats. whole marks functions of integers. The
// key is the name and the number of arguments.
var operations = map[string]struct {
	exact func(z, x, y *big.Rat) *big.Rat
	float func(x, y float64) float64
	whole bool
}{
	"abs1": {exact: absolute, float: func(x, _ float64) float64 { return math.Abs(x) }},
	"-1":   {exact: func(z, x, _ *big.Rat) *big.Rat { return z.Neg(x) }, float: func(x, _ float64) float64 { return -x }},
	"+2":   {exact: (*big.Rat).Add, float: func(x, y float64) float64 { return x + y }},
	"-2":   {exact: (*big.Rat).Sub, float: func(x, y float64) float64 { return x - y }},
	"*2":   {exact: (*big.Rat).Mul, float: func(x, y float64) float64 { return x * y }},
	"/2":   {exact: (*big.Rat).Quo, float: func(x, y float64) float64 { return x / y }},
	"max2": {}, "min2": {},
	"//2":       {exact: func(z, x, y *big.Rat) *big.Rat { return wholePart(z.Quo(x, y), (*big.Int).Quo) }, whole: true},
	"div2":      {exact: func(z, x, y *big.Rat) *big.Rat { return wholePart(z.Quo(x, y), (*big.Int).Div) }, whole: true},
	"rem2":      {exact: func(z, x, y *big.Rat) *big.Rat { return remainder(z, x, y, (*big.Int).Quo) }, whole: true},
	"mod2":      {exact: func(z, x, y *big.Rat) *big.Rat { return remainder(z, x, y, (*big.Int).Div) }, whole: true},
	"**2":       {exact: raised, whole: true},
	"^2":        {exact: raised, whole: true},
	"sqrt1":     {float: func(x, _ float64) float64 { return math.Sqrt(x) }},
	"rdiv2":     {exact: (*big.Rat).Quo},
	"sign1":     {exact: func(z, x, _ *big.Rat) *big.Rat { return z.SetInt64(int64(x.Sign())) }, float: signOf},
	"floor1":    {exact: func(z, x, _ *big.Rat) *big.Rat { return wholePart(z.Set(x), (*big.Int).Div) }},
	"truncate1": {exact: func(z, x, _ *big.Rat) *big.Rat { return wholePart(z.Set(x), (*big.Int).Quo) }},
	"ceiling1":  {exact: func(z, x, _ *big.Rat) *big.Rat { return z.Neg(wholePart(z.Neg(x), (*big.Int).Div)) }},
	"round1":    {exact: roundedOff},
	"integer1":  {exact: roundedOff},
	"gcd2":      {exact: commonDivisor, whole: true},
	">>2":       {exact: func(z, x, y *big.Rat) *big.Rat { return shifted(z, x, y, (*big.Int).Rsh) }, whole: true},
	"<<2":       {exact: func(z, x, y *big.Rat) *big.Rat { return shifted(z, x, y, (*big.Int).Lsh) }, whole: true},
}

// commonDivisor is the greatest common divisor of two integers.
func commonDivisor(z, x, y *big.Rat) *big.Rat {
	return z.SetInt(new(big.Int).GCD(nil, nil, new(big.Int).Abs(x.Num()), new(big.Int).Abs(y.Num())))
}

// shifted is an integer shifted by some bits, nil for too many.
func shifted(z, x, y *big.Rat, shift func(z, x *big.Int, n uint) *big.Int) *big.Rat {
	if y.Sign() < 0 || y.Cmp(big.NewRat(maxBits, 1)) > 0 {
		return nil
	}
	return z.SetInt(shift(new(big.Int), x.Num(), uint(y.Num().Uint64())))
}

// wholePart is a fraction without its digits, as a division of integers makes it.
func wholePart(x *big.Rat, divide func(z, x, y *big.Int) *big.Int) *big.Rat {
	return x.SetInt(divide(new(big.Int), x.Num(), x.Denom()))
}

// remainder is what such a division leaves.
func remainder(z, x, y *big.Rat, divide func(z, x, y *big.Int) *big.Int) *big.Rat {
	return z.Sub(x, z.Mul(y, wholePart(new(big.Rat).Quo(x, y), divide)))
}

// roundedOff is the integer that is the nearest to a number, and of two the one that is farther from zero.
func roundedOff(z, x, _ *big.Rat) *big.Rat {
	half := big.NewRat(int64(x.Sign()), 2)
	return wholePart(z.Add(x, half), (*big.Int).Quo)
}

// raised is a power of an integer, nil for a large one.
func raised(z, x, y *big.Rat) *big.Rat {
	if y.Sign() < 0 || !y.Num().IsInt64() || int64(x.Num().BitLen()) > maxBits/max(y.Num().Int64(), 1) {
		return nil
	}
	return z.SetInt(new(big.Int).Exp(x.Num(), y.Num(), nil))
}

func absolute(z, x, _ *big.Rat) *big.Rat { return z.Abs(x) }

func signOf(x, _ float64) float64 {
	if x == 0 {
		return x
	}
	return math.Copysign(1, x)
}

// comparedText is the description of a comparison. It is empty for other goals.
type comparedText struct {
	// words describe it by the names of the compared arguments or variables, as in "age 17 is below min_age 18". terms
	// says that it compares terms, not numbers. whole says that the words can replace the goal, as it compares no
	// expressions.
	words        string
	terms, whole bool
	// turns says for which values of one side it holds. written is the goal as written in its clause.
	turns, written string
	// given is the goal that has produced the value of a side without a name.
	given string
}

// compare words a comparison, true or false. asked is the instance in the clause: the goal itself, or another goal that
// supplies the names. A negated comparison is replaced by its opposite.
func (o *Options) compare(g, asked Goal, holds bool) (c comparedText) {
	if inner := negated(g.Term); inner != nil && inverted(inner) != nil {
		g = Goal{g.Module, inverted(goalOf(inner).Term)}
	}
	if inner := negated(asked.Term); inner != nil && inverted(inner) != nil {
		asked = goalIn(inner, asked.Module)
	}
	numbers, args := comparison(g.Term), argsOf(g.Term)
	same := sameness[g.name()]
	if same != "" && len(args) == 2 && o.plainValue(args[0]) && o.plainValue(args[1]) {
		g, holds = Goal{g.Module, term.New(same, args...)}, !holds
	}
	word := ordered(g.name(), holds)
	c.terms = numbers == nil && word != "" && len(args) == 2 && !o.asCode && o.plainValue(args[0]) &&
		o.plainValue(args[1])
	var of [][]Argument
	var linked bool
	if o.Texts != nil && o.head.Term != nil && (numbers != nil || c.terms || !holds) {
		c.written, of, linked = o.Texts.Goal(o.at, o.head, asked)
	}
	sides := sidesOf(c.written)
	switch {
	case numbers == nil && !c.terms:
		return c
	case numbers != nil:
		full := compared[numbers.Functor]
		if word, args = full[1], numbers.Args; holds {
			word = full[0]
		}
		if !linked && !(holds && word == "is") {
			c.turns = o.turns(full, sides, args)
		}
	case sides == nil:
		return c
	}
	equal := c.terms && strings.HasPrefix(word, "is")
	names := o.sideNames(sides, of, g.Module, !equal)
	result := ""
	if equal && !holds && g.name() == "=" {
		result = resultText(names, of, [2]string{o.text(Goal{"user", args[0]}), o.text(Goal{"user", args[1]})})
	}
	if equal {
		names[1] = ""
	}
	if !holds && len(of) == 2 && (equal || !c.terms) {
		for _, i := range []int{1, 0} { // the first side is mostly compared with the second
			if names[i] == "" && (i == 1 || names[0] == "") {
				c.given = cmp.Or(c.given, o.givenBy(of[i], args[i], !c.terms))
			}
		}
	}
	named := names != [2]string{} || result != "" || numbers != nil &&
		term.Compare(term.New("", args...), term.New("", argsOf(g.Term)...)) != 0
	c.whole = c.terms || !slices.ContainsFunc(argsOf(g.Term), computes)
	if !named && (c.terms && c.given == "" || word == "is") {
		return c
	}
	x, y := o.number(args[0]), o.number(args[1])
	if equal && !holds {
		x, y = toldApart(args[0], x, args[1], y)
	}
	if c.words = names[0] + " " + x + " " + word + " " + names[1] + " " + y; result != "" {
		c.words = result
	} else if computed := o.computed(g); computed != "" {
		c.words, c.whole = computed+" is "+x, true
		if word != "is" {
			c.words += ", " + strings.TrimPrefix(word, "is ") + " " + names[1] + " " + y
		}
	} else if same != "" && equal && holds && variableSide().MatchString(sides[2]) {
		c.words = "both are " + x
	} else if equal && holds && x == y {
		c.words = names[0] + " is " + x
	} else if equal && !holds && names[0] != "" {
		c.words = names[0] + " is " + x + ", not " + y
	} else if !c.terms && word == "is" && x == y && names != [2]string{} {
		c.words = names[0] + " and " + names[1] + " are both " + x
		if slices.Contains(names[:], "") {
			c.words = names[0] + names[1] + " is " + x
		}
	} else if !c.terms && word == "is not" && names[0] == "" && names[1] != "" {
		c.words = names[1] + " is " + y + ", not " + x
	}
	c.words = strings.Join(strings.Fields(c.words), " ")
	return c
}

// sameness maps each predicate that requires two terms to differ to the one that requires them to be equal.
var sameness = map[term.Atom]term.Atom{`\==`: "==", `\=`: "=", "dif": "="}

// computes reports whether a side of a comparison is an expression other than a fraction.
func computes(t term.Term) bool {
	c, ok := t.(*term.Compound)
	return ok && (c.Functor != "rdiv" || len(c.Args) != 2 || !isAtomic(c.Args...))
}

// number is the text of a value. For a fraction with infinitely many digits it adds the first ones.
func (o *Options) number(t term.Term) string {
	text := o.text(Goal{"user", t})
	if r, ok := t.(*term.Rational); ok && strings.Contains(text, "/") {
		text = strconv.FormatFloat(floatOf(r), 'g', 4, 64) + " (" + text + ")"
	}
	return text
}

// resultText says which value a clause gives an argument, and which other value was asked for. One side must be a named
// argument that occurs in no goal, and the other side no argument. The text is "" for other equations.
func resultText(names [2]string, of [][]Argument, values [2]string) string {
	inHead := func(arg Argument) bool { return arg.Head }
	for i := range of {
		if names[i] != "" && len(of[i]) > 0 && !slices.ContainsFunc(of[i], func(arg Argument) bool { return !arg.Head }) &&
			!slices.ContainsFunc(of[1-i], inHead) {
			return names[i] + " would be " + values[1-i] + ", not " + values[i]
		}
	}
	return ""
}

// turns says for which values of a side of a comparison it holds.
func (o *Options) turns(words [4]string, sides []string, args []term.Term) string {
	for i := range args {
		if sides != nil && variableSide().MatchString(sides[i+1]) {
			return sides[i+1] + " " + strings.Replace(words[2+i], "%", o.text(Goal{"user", args[1-i]}), 1)
		}
	}
	return ""
}

// sideNames returns the names of the two sides of a comparison: the name of an argument of a goal with that value, else
// the variable or the expression in the clause. If attributes is set, it falls back to the name of a predicate for an
// attribute. It returns "" for none.
func (o *Options) sideNames(sides []string, of [][]Argument, module string, attributes bool) (names [2]string) {
	for i := range names {
		if len(of) == 2 {
			names[i] = o.argumentName(of[i], module)
		}
		if sides != nil && len(sides[i+1]) > 1 && variableSide().MatchString(sides[i+1]) {
			names[i] = cmp.Or(names[i], dictKey().ReplaceAllString(sides[i+1], "$1$2"))
		}
		if attributes && names[i] == "" && len(of) == 2 {
			names[i] = o.attribute(of[i], of[1-i], module)
		}
	}
	return names
}

// dictKey is the value of a key in a dict, as written in a clause.
var dictKey = lazyregexp.New(`^[A-Z]\w*\.(?:get\(([a-z]\w*)\)|([a-z]\w*))$`)

// ordered has the words between two compared terms, "" for other predicates.
func ordered(name term.Atom, holds bool) string {
	if name != "==" && name != "=" && !strings.HasPrefix(string(name), "@") {
		return ""
	}
	words := systemText(string(name)+"/2", holds)
	return strings.TrimSuffix(strings.TrimPrefix(words, "$1 "), " $2")
}

// plainValue reports whether a term is a constant or a date.
func (o *Options) plainValue(t term.Term) bool {
	c, _ := t.(*term.Compound)
	return isAtomic(t) || o.isDay(c)
}

// givenBy returns the first earlier goal that has produced a value, "" for none. The goal calls a predicate of the
// program or, for a number, a system predicate that computes a value from others.
func (o *Options) givenBy(of []Argument, value term.Term, number bool) string {
	for _, arg := range of {
		if arg.Held == nil || term.Compare(arg.Held.Args[arg.At], value) != 0 || o.Home == nil {
			continue
		}
		g := Goal{o.head.Module, arg.Held}
		text := o.text(g)
		if o.Home(g.Module, arg.Name, arg.Arity) != "" {
			if !number || arg.Arity > 1 {
				return "`" + text + "` holds"
			}
		} else if number && arg.Name != "between" && (arg.At > 0 && o.wordsFor(g) != "" || arg.Name == "is") &&
			!strings.Contains(text, Dots) { // else it does not say what the value is computed from
			return text
		}
	}
	return ""
}

// attribute returns the name of a goal of the program that has an argument as the second of two, or as the last if
// mode/2 promises one answer, as such predicates usually describe an attribute. A goal with the other side of the
// comparison as its first argument does not count, as it relates the two.
func (o *Options) attribute(of, other []Argument, module string) string {
	for _, arg := range of {
		relates := slices.ContainsFunc(other, func(a Argument) bool {
			return a.Name == arg.Name && a.Arity == 2 && a.At == 0 && !a.Head
		})
		of := arg.Arity == 2 || arg.Arity > 2 && o.Advice(module, arg.Name, arg.Arity).Single
		if !relates && !arg.Head && of && arg.At == arg.Arity-1 && o.Home != nil &&
			o.Home(module, arg.Name, arg.Arity) != "" {
			return strings.TrimSuffix(strings.TrimPrefix(arg.Name, "has_"), "_of")
		}
	}
	return ""
}

// argumentName returns the name of the first argument with a name of more than a letter.
func (o *Options) argumentName(of []Argument, module string) string {
	for _, arg := range of {
		advice := o.Advice(module, arg.Name, arg.Arity)
		for _, names := range [][]string{advice.Names, advice.Columns, advice.Heads} {
			if arg.At < len(names) && len(names[arg.At]) > 1 {
				return strings.ToLower(names[arg.At])
			}
		}
	}
	return ""
}
