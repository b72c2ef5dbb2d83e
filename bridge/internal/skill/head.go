package skill

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"

	"go.yaml.in/yaml/v3"

	"github.com/mcplogic/mcplogic/internal/schema"
)

// headLines match a head: YAML between two lines of three hyphens.
var headLines = regexp.MustCompile(`(?s)\A\x{FEFF}?---[ \t]*\r?\n(.*?)(?m:^---[ \t]*\r?$)`)

// readHead reads the head of a Markdown file: its members in their order, with values that JSON has.
func readHead(text []byte) (schema.Object, error) {
	found := headLines.FindSubmatch(text)
	if found == nil {
		return nil, errors.New("it does not begin with a head between two lines of ---")
	}
	var document yaml.Node
	values := map[string]any{}
	err := yaml.Unmarshal(bytes.ReplaceAll(found[1], []byte("\r\n"), []byte("\n")), &document)
	if err == nil && len(document.Content) > 0 {
		datesAreTexts(&document)
		err = document.Decode(&values)
	}
	if err == nil {
		_, err = json.Marshal(values)
	}
	if err != nil {
		return nil, fmt.Errorf("its head: %w", err)
	}
	var head schema.Object
	for i := 0; len(values) > 0 && i < len(document.Content[0].Content); i += 2 {
		key := document.Content[0].Content[i].Value
		value, ok := values[key]
		if !ok {
			return nil, fmt.Errorf("its head: the key %s is no plain text", key)
		}
		head = head.With(key, value)
	}
	return head, nil
}

// datesAreTexts makes texts of what YAML takes for points in time.
func datesAreTexts(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!timestamp" {
		n.Tag = "!!str"
	}
	for _, part := range n.Content {
		datesAreTexts(part)
	}
}
