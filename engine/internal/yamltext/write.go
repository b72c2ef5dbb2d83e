package yamltext

import (
	"math"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/mcplogic/mcplogic/engine/internal/syntax"
	"github.com/mcplogic/mcplogic/engine/term"
)

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
