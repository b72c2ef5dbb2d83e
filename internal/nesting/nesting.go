// Package nesting measures how deep JSON is nested before anything recurses into it.
package nesting

// Max is how deep objects and arrays may lie in each other. The MCP SDK has the same bound.
const Max = 1000

// Depth returns how deep the brackets of a JSON text lie in each other, outside of strings. It reads
// any text; of one that is not JSON the answer is some number.
func Depth(text []byte) int {
	depth, deepest, inString := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			inString = !inString
		case inString && c == '\\':
			i++
		case inString:
		case c == '{' || c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	return deepest
}
