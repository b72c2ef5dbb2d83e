package wiretest

import (
	_ "embed" // for the inputs
	"regexp"
	"strconv"
	"strings"
)

// This file reads inputs that break a careless server. Each stands in a text behind its name, with the replies to it:
// quoted parts, of which N*"..." is one that is repeated.

// Malformed is an input and the replies to it, in any order.
type Malformed struct {
	Name  string
	Input string
	Want  []string
}

// Replies to messages whose id nobody knows.
const (
	ParseNull   = "null -32700"
	InvalidNull = "null -32600"
)

//go:embed lines.txt
var lines string

//go:embed headers.txt
var headers string

// MalformedLines returns what is sent by a client whose messages are lines.
func MalformedLines() []Malformed { return read(lines) }

// MalformedHeaders returns what is sent by a client whose messages have Content-Length headers.
func MalformedHeaders() []Malformed { return read(headers) }

func read(text string) (list []Malformed) {
	for line := range strings.Lines(text) {
		parts, indented := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "\t")
		last := len(list) - 1
		switch want, isWant := strings.CutPrefix(parts, "-> "); {
		case !indented:
			list = append(list, Malformed{Name: parts})
		case isWant:
			list[last].Want = append(list[last].Want, join(want))
		default:
			list[last].Input = join(parts)
		}
	}
	return list
}

var quotedPart = regexp.MustCompile(`(?:(\d+)\*)?("(?:[^"\\]|\\.)*")`)

// join puts the parts of a text together.
func join(parts string) (text string) {
	for _, part := range quotedPart.FindAllStringSubmatch(parts, -1) {
		n, err := strconv.Atoi(part[1])
		if err != nil {
			n = 1
		}
		one, err := strconv.Unquote(part[2])
		if err != nil {
			panic("wiretest: " + part[0] + ": " + err.Error())
		}
		text += strings.Repeat(one, n)
	}
	return text
}

// CancelLine is a line that gives up a request.
func CancelLine(id string) string {
	return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + "}}\n"
}
