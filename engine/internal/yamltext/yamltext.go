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
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/mcplogic/mcplogic/engine/internal/bignum"
	"github.com/mcplogic/mcplogic/engine/term"
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
	lineMessage   = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`)
	anchorMessage = regexp.MustCompile(`^yaml: unknown anchor '(.*)' referenced$`)
)

// textError makes the exception of an error of the parser, which is a text only.
func textError(err error) error {
	if part := anchorMessage.FindStringSubmatch(err.Error()); part != nil {
		return failed("existence_error", term.Atom("anchor"), term.Atom(part[1]))
	}
	part := lineMessage.FindStringSubmatch(err.Error())
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
		if !term.IsDictKey(key) {
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
	decimal    = regexp.MustCompile(`^[-+]?[0-9]+$`)
	radix      = regexp.MustCompile(`^0(?:o([0-7]+)|x([0-9a-fA-F]+))$`)
	floating   = regexp.MustCompile(`^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$`)
	infinite   = regexp.MustCompile(`^([-+]?)\.(?:inf|Inf|INF)$`)
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
	if sign := infinite.FindStringSubmatch(text); sign != nil {
		if sign[1] == "-" {
			return term.Float(math.Inf(-1))
		}
		return term.Float(math.Inf(1))
	}
	if digits := radix.FindStringSubmatch(text); digits != nil && len(text) <= mostDigits {
		if digits[1] != "" {
			return integer(digits[1], 8)
		}
		return integer(digits[2], 16)
	}
	switch {
	case decimal.MatchString(text) && len(text) <= mostDigits:
		return integer(strings.TrimPrefix(text, "+"), 10)
	case floating.MatchString(text):
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
