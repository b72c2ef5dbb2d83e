// Package whypage makes the page that shows why a goal has an answer, or why it has none.
//
// The page is one file without references to others. [Page] puts an explanation into it; [App] is the page by itself,
// which is given its explanation by the host of an MCP App.
package whypage

import (
	_ "embed"
	"encoding/json"
	"strings"
)

// App is the page without an explanation.
//
//go:embed page.html
var App string

// noData is what stands in the page where the explanation goes.
const noData = `<script id="data" type="application/json">null</script>`

// Page is the page with an explanation: the proof or the misses that Why and WhyNot of an engine.Program return. title
// may be "". clauses are the texts of clauses by their places.
func Page(title string, explanation any, clauses map[string]string) (string, error) {
	data, err := json.Marshal(map[string]any{"title": title, "explanation": explanation, "clauses": clauses})
	if err != nil {
		return "", err
	}
	// json.Marshal escapes <, so that no text of a program ends the element.
	return strings.Replace(App, noData, strings.Replace(noData, "null", string(data), 1), 1), nil
}
