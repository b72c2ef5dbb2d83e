// Package yamltext makes terms of YAML and YAML of terms.
//
// A mapping is a dict with the tag yaml, a sequence a list, a scalar what the core schema of YAML 1.2 says: an integer,
// a float, true, false, null, or else a string. What has a tag of its own is tag(Tag, Value). Nodes that are referred
// to several times are one term, so that aliases of aliases take no room.
package yamltext

import (
	"encoding/base64"
	"fmt"
	"io"
	"math"
	"math/big"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/mcplogic/mcplogic/engine/internal/bignum"
	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
	"github.com/mcplogic/mcplogic/internal/lazyregexp"
)

// DictTag is the tag of the dicts that mappings become.
const DictTag = term.Atom("yaml")

// Error is a fault of a text or a term; Formal is the formal term of the exception.
type Error struct{ Formal term.Term }

// Error is the text of the formal term's functor.
func (e *Error) Error() string { return fmt.Sprint("YAML: ", e.Formal) }

func failed(functor term.Atom, args ...term.Term) error { return &Error{term.New(functor, args...)} }

// reader makes terms of the nodes of a document.
type reader struct {
	meter bignum.Meter
	seen  map[*yaml.Node]term.Term // what nodes with an anchor have become
	open  map[*yaml.Node]bool      // nodes with an anchor that are being read
}

// Read returns the term of the one document that a text holds, null for none. The meter is told of the work, a unit for
// each node; nil: nobody.
func Read(text string, meter bignum.Meter) (term.Term, error) {
	decoder := yaml.NewDecoder(strings.NewReader(text))
	var document, more yaml.Node
	switch err := decoder.Decode(&document); {
	case err == io.EOF:
		return term.Atom("null"), nil
	case err != nil:
		return nil, textError(err)
	}
	r := reader{meter: meter, seen: map[*yaml.Node]term.Term{}, open: map[*yaml.Node]bool{}}
	t, err := r.term(&document)
	if err != nil {
		return nil, err
	}
	switch err := decoder.Decode(&more); {
	case err == nil:
		return nil, failed("yaml_error", term.Int(more.Line), term.String("there is more than one document"))
	case err != io.EOF:
		return nil, textError(err)
	}
	return t, nil
}

var (
	lineMessage   = lazyregexp.New(`^yaml: (?:line (\d+): )?(.*)$`)
	anchorMessage = lazyregexp.New(`^yaml: unknown anchor '(.*)' referenced$`)
)

// textError makes the exception of an error of the parser, which is a text only.
func textError(err error) error {
	if part := anchorMessage().FindStringSubmatch(err.Error()); part != nil {
		return failed("existence_error", term.Atom("anchor"), term.Atom(part[1]))
	}
	part := lineMessage().FindStringSubmatch(err.Error())
	if part == nil {
		part = []string{"", "", err.Error()}
	}
	line, _ := strconv.Atoi(part[1])
	return failed("yaml_error", term.Int(line), term.String(part[2]))
}

// term returns the term of a node. The parser bounds how deep nodes lie in each other.
func (r *reader) term(n *yaml.Node) (t term.Term, err error) {
	if r.meter != nil {
		r.meter(1)
	}
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Anchor != "" {
		if t := r.seen[n]; t != nil {
			return t, nil
		}
		if r.open[n] {
			return nil, failed("yaml_error", term.Int(n.Line), term.String("the node contains itself"))
		}
		r.open[n] = true
		defer func() { r.seen[n] = t }()
	}
	switch n.Kind {
	case yaml.DocumentNode:
		return r.term(n.Content[0])
	case yaml.SequenceNode:
		t, err = r.sequence(n)
	case yaml.MappingNode:
		t, err = r.mapping(n)
	default:
		return scalar(n), nil
	}
	if tag := n.LongTag(); err == nil && n.Style&yaml.TaggedStyle != 0 && !strings.HasPrefix(tag, standardTag) {
		t = term.New("tag", term.Atom(tag), t)
	}
	return t, err
}

func (r *reader) sequence(n *yaml.Node) (term.Term, error) {
	items := make([]term.Term, len(n.Content))
	for i, c := range n.Content {
		t, err := r.term(c)
		if err != nil {
			return nil, err
		}
		items[i] = t
	}
	return term.List(items...), nil
}

func (r *reader) mapping(n *yaml.Node) (term.Term, error) {
	pairs := make([]term.Pair, 0, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, err := r.term(n.Content[i])
		if err != nil {
			return nil, err
		}
		if text, ok := key.(term.String); ok {
			key = term.Atom(text)
		}
		if !(term.Pair{Key: key}).Fits() {
			return nil, failed("type_error", term.Atom("dict-key"), key)
		}
		value, err := r.term(n.Content[i+1])
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, term.Pair{Key: key, Value: value})
	}
	dict, duplicate := term.NewDict(DictTag, pairs)
	if duplicate != nil {
		return nil, failed("duplicate_key", duplicate)
	}
	return dict, nil
}

// standardTag begins the tags of YAML itself.
const standardTag = "tag:yaml.org,2002:"

// scalar returns the value of a scalar: a text that is quoted is a string, and one that has a tag is what that says.
func scalar(n *yaml.Node) term.Term {
	const quoted = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	switch {
	case n.Style&yaml.TaggedStyle != 0:
		return tagged(n.LongTag(), n.Value)
	case n.Style&quoted != 0:
		return term.String(n.Value)
	}
	if t := plain(n.Value); t != nil {
		return t
	}
	return term.String(n.Value)
}

// tagged returns the value of a scalar with a tag.
func tagged(tag, text string) term.Term {
	t := plain(text)
	isNumber, isTruth := false, t == term.Term(term.True) || t == term.Term(term.False)
	switch t.(type) {
	case term.Int, *term.Big:
		isNumber = true
	}
	switch kind := strings.TrimPrefix(tag, standardTag); {
	case kind == "str":
		return term.String(text)
	case kind == "int" && isNumber, kind == "bool" && isTruth, kind == "null" && t == term.Term(term.Atom("null")):
		return t
	case kind == "float":
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			return term.Float(f)
		} else if f, ok := t.(term.Float); ok {
			return f
		}
	case kind == "binary":
		if bytes, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), "")); err == nil {
			return term.String(latin1(bytes))
		}
	}
	return term.New("tag", term.Atom(tag), term.String(text))
}

// latin1 returns the text whose characters are bytes.
func latin1(bytes []byte) string {
	runes := make([]rune, len(bytes))
	for i, b := range bytes {
		runes[i] = rune(b)
	}
	return string(runes)
}

var (
	decimal    = lazyregexp.New(`^[-+]?[0-9]+$`)
	radix      = lazyregexp.New(`^0(?:o([0-7]+)|x([0-9a-fA-F]+))$`)
	floating   = lazyregexp.New(`^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$`)
	infinite   = lazyregexp.New(`^([-+]?)\.(?:inf|Inf|INF)$`)
	mostDigits = 10_000 // of an integer; more of them are a text
)

// plain returns what the core schema makes of a text without quotes, and nil if that is a string.
func plain(text string) term.Term {
	switch text {
	case "null", "Null", "NULL", "~":
		return term.Atom("null")
	case "true", "True", "TRUE":
		return term.True
	case "false", "False", "FALSE":
		return term.False
	case ".nan", ".NaN", ".NAN":
		return term.Float(math.NaN())
	}
	if sign := infinite().FindStringSubmatch(text); sign != nil {
		if sign[1] == "-" {
			return term.Float(math.Inf(-1))
		}
		return term.Float(math.Inf(1))
	}
	if digits := radix().FindStringSubmatch(text); digits != nil && len(text) <= mostDigits {
		if digits[1] != "" {
			return integer(digits[1], 8)
		}
		return integer(digits[2], 16)
	}
	switch {
	case decimal().MatchString(text) && len(text) <= mostDigits:
		return integer(strings.TrimPrefix(text, "+"), 10)
	case floating().MatchString(text):
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			return term.Float(f)
		}
	}
	return nil
}

func integer(digits string, base int) term.Term {
	n, _ := new(big.Int).SetString(digits, base)
	return term.NewInt(n)
}

// maxDepth is how deep a term may nest that is written: as deep as the parser reads.
const maxDepth = 10_000

// writer makes nodes of terms.
type writer struct {
	room  func(bytes int) error
	nodes int
}

// Write returns a term as the text of one document. Room is asked for the memory that the work takes in all, again and
// again; it may end the work with an error.
func Write(t term.Term, room func(bytes int) error) (string, error) {
	w := writer{room: room}
	n, err := w.node(t, 0)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	encoder := yaml.NewEncoder(&text)
	encoder.SetIndent(2)
	encoder.CompactSeqIndent()
	if err := encoder.Encode(n); err != nil {
		return "", textError(err)
	}
	return text.String(), encoder.Close()
}

// node returns the node of a term.
func (w *writer) node(t term.Term, depth int) (*yaml.Node, error) {
	const often, nodeBytes = 1 << 10, 400
	if w.nodes++; w.nodes%often == 0 {
		if err := w.room(w.nodes * nodeBytes); err != nil {
			return nil, err
		}
	}
	if depth > maxDepth {
		return nil, failed("representation_error", term.Atom("max_depth"))
	}
	if t == term.Term(term.Nil) {
		return &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Style: yaml.FlowStyle}, nil
	}
	if c, ok := t.(*term.Compound); ok {
		return w.compound(c, depth)
	}
	return w.scalar(t)
}

// compound returns the node of a dict, a list, json(Pairs) or tag(Tag, Value).
func (w *writer) compound(c *term.Compound, depth int) (*yaml.Node, error) {
	if _, pairs, ok := term.DictOf(c); ok {
		return w.mapping(pairs, depth)
	}
	if args, ok := term.Is(c, "json", 1); ok {
		if pairs, ok := pairsOf(args[0]); ok {
			return w.mapping(pairs, depth)
		}
	}
	if args, ok := term.Is(c, "tag", 2); ok {
		if tag, ok := args[0].(term.Atom); ok {
			n, err := w.node(args[1], depth+1)
			if err == nil {
				n.Tag, n.Style = string(tag), n.Style|yaml.TaggedStyle
			}
			return n, err
		}
	}
	items, ok := term.Slice(c)
	if !ok {
		return nil, failed("type_error", term.Atom("yaml_scalar"), c)
	}
	list := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	for _, item := range items {
		n, err := w.node(item, depth+1)
		if err != nil {
			return nil, err
		}
		list.Content = append(list.Content, n)
	}
	return list, nil
}

// pairsOf returns the pairs of json(Pairs): Key=Value, Key-Value or Key(Value).
func pairsOf(t term.Term) (pairs []term.Pair, ok bool) {
	items, ok := term.Slice(t)
	if !ok {
		return nil, false
	}
	for _, item := range items {
		c, isCompound := item.(*term.Compound)
		switch {
		case isCompound && (c.Functor == "=" || c.Functor == "-") && len(c.Args) == 2:
			pairs = append(pairs, term.Pair{Key: c.Args[0], Value: c.Args[1]})
		case isCompound && len(c.Args) == 1:
			pairs = append(pairs, term.Pair{Key: c.Functor, Value: c.Args[0]})
		default:
			return nil, false
		}
	}
	return pairs, true
}

func (w *writer) mapping(pairs []term.Pair, depth int) (*yaml.Node, error) {
	n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for _, pair := range pairs {
		key, err := w.node(pair.Key, depth+1)
		if err != nil {
			return nil, err
		}
		value, err := w.node(pair.Value, depth+1)
		if err != nil {
			return nil, err
		}
		n.Content = append(n.Content, key, value)
	}
	if len(pairs) == 0 {
		n.Style = yaml.FlowStyle
	}
	return n, nil
}

// scalar returns the node of an atomic term. Strings, and atoms but true, false and null, are in quotes where they
// would be read as something else.
func (w *writer) scalar(t term.Term) (*yaml.Node, error) {
	switch t := t.(type) {
	case term.Atom:
		switch t {
		case "true", "false":
			return plainNode("!!bool", string(t)), nil
		case "null":
			return plainNode("!!null", string(t)), nil
		}
		return textNode(string(t)), nil
	case term.String:
		return textNode(string(t)), nil
	case term.Int:
		return plainNode("!!int", strconv.FormatInt(int64(t), 10)), nil
	case *term.Big:
		return plainNode("!!int", t.String()), nil
	case term.Float:
		return plainNode("!!float", floatText(float64(t))), nil
	case *term.Var:
		return nil, &Error{term.Atom("instantiation_error")}
	}
	return nil, failed("type_error", term.Atom("yaml_scalar"), t)
}

func plainNode(tag, text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: text}
}

// textNode returns the node of a string. The encoder quotes what its own schema would read as something else; what only
// the core schema takes for a number is quoted here.
func textNode(text string) *yaml.Node {
	n := plainNode("!!str", text)
	if plain(text) != nil {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

// floatText returns a float as the core schema reads it.
func floatText(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return ".inf"
	case math.IsInf(f, -1):
		return "-.inf"
	case math.IsNaN(f):
		return ".nan"
	}
	return syntax.FormatFloat(f)
}
