package bridgetest

import (
	_ "embed" // for the conversations
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/internal/rulefiles"
)

// Bench is a session with a server that has a workbench, in a folder with one file.
type Bench struct {
	*testing.T
	Folder string
	CS     *mcp.ClientSession
	// Again connects another client.
	Again func() *mcp.ClientSession
}

// Call calls a tool and returns the text of its result, and whether it is an error.
func (b *Bench) Call(tool string, args map[string]any) (string, bool) {
	raw, err := json.Marshal(args)
	require.NoError(b, err)
	r := CallTool(b.T, b.CS, tool, string(raw))
	return strings.Join(TextsOf(r), "\n"), r.IsError
}

// Says calls a tool and wants words in the result, which is no error.
func (b *Bench) Says(tool string, args map[string]any, words ...string) {
	text, isError := b.Call(tool, args)
	require.False(b, isError, text)
	for _, word := range words {
		require.Contains(b, text, word)
	}
}

// Refuses calls a tool and wants words in the result, which is an error.
func (b *Bench) Refuses(tool string, args map[string]any, words ...string) {
	text, isError := b.Call(tool, args)
	require.True(b, isError, text)
	for _, word := range words {
		require.Contains(b, text, word)
	}
}

// Play plays a conversation, a line of JSON for each call. An argument hash that begins with $ is that of a file, and $
// alone is the last one that a result has said. It returns the last text of each file that was saved as a whole, and
// how many bytes the client has sent and been told.
func (b *Bench) Play(script string) (saved map[string]any, sent, told int) {
	b.Helper()
	saved = map[string]any{}
	hash := ""
	for line := range strings.Lines(script) {
		var step struct {
			Tool    string
			Args    map[string]any
			Refused bool
			Words   []string
		}
		require.NoError(b, json.Unmarshal([]byte(line), &step))
		if wanted, _ := step.Args["hash"].(string); wanted == "$" {
			step.Args["hash"] = hash
		} else if wanted != "" {
			step.Args["hash"] = b.Hash(wanted[1:])
		}
		raw, err := json.Marshal(step.Args)
		require.NoError(b, err)
		text, isError := b.Call(step.Tool, step.Args)
		require.Equal(b, step.Refused, isError, "%s %s\n%s", step.Tool, raw, text)
		for _, word := range step.Words {
			require.Contains(b, text, word)
		}
		if _, after, ok := strings.Cut(text, ", hash "); ok {
			hash = after[:16]
		}
		if file, _ := step.Args["file"].(string); step.Tool == "kb_save" && !isError {
			saved[file] = step.Args["text"]
		}
		sent, told = sent+len(raw), told+len(text)
	}
	return saved, sent, told
}

// Hash returns the hash of a file as kb_read gives it.
func (b *Bench) Hash(file string) string {
	text, isError := b.Call("kb_read", map[string]any{"file": file})
	require.False(b, isError, text)
	_, after, _ := strings.Cut(text, ", hash ")
	return after[:16]
}

// conversation is a text of calls, a line of JSON each. An argument that begins with $ is the hash of a file.
//
//go:embed workbench.jsonl
var conversation string

// NoRules is the text of the file before the session.
const NoRules = "% Nothing yet.\n"

// BuildRules builds a knowledge base from nothing, breaks it, is told, mends it, tests it and serves it.
func (b *Bench) BuildRules() {
	b.Helper()
	rules, _, _ := b.Play(conversation)
	saved, err := os.ReadFile(filepath.Join(b.Folder, "rules.pl"))
	require.NoError(b, err)
	mark, text, _ := strings.Cut(string(saved), "\n")
	require.Equal(b, rules["rules.pl"], text)
	require.Contains(b, mark, "% mcplogic: restricted")
	saves := rulefiles.History(b.Folder, "rules.pl", 1)
	require.Len(b, saves, 1)
	last, err := rulefiles.Version(b.Folder, saves[0].Was)
	require.NoError(b, err)
	require.Equal(b, NoRules, last)
}

// mending is how a model mends [LongRules], of which it reads and sends little.
//
//go:embed mending.jsonl
var mending string

// LongRules is a text of 2,000 lines with three mistakes, and tests of which two say so.
func LongRules() (rules, tests string) {
	const zones = 165
	var zone, rate, extra, customer strings.Builder
	for i := 1; i <= zones; i++ {
		name := fmt.Sprintf("z%03d", i)
		fmt.Fprintf(&zone, "zone(%s, %q).\n", name, fmt.Sprintf("Zone %d", i))
		limit := "W =< 20"
		if i == 117 {
			limit = "W < 20"
		}
		fmt.Fprintf(&rate, "\n%% Zone %[1]d\nrate(%[2]s, W, %[3]d) :-\n    W =< 2.\n"+
			"rate(%[2]s, W, P) :-\n    W > 2, %[4]s,\n    P is %[5]d + W * %[6]d.\nrate(%[2]s, W, %[7]d) :-\n    W > 20.\n", i,
			name, 500+i, limit, 400+i, 10+i%7, 900+i)
		kind := "mainland"
		if i%10 == 2 {
			kind = "island"
		}
		if i == 42 {
			kind = "ilsand"
		}
		fmt.Fprintf(&extra, "kind(%s, %s).\n", name, kind)
		fmt.Fprintf(&customer, "customer(c%d, %s).\n", i, []string{"gold", "plain", "plain"}[i%3])
	}
	rules = "% What parcels cost, in cents.\n" +
		":- mode(total(+atom, +atom, +integer, -integer), zero_or_one).\n" +
		":- info(total/4, [comment is 'What a parcel costs a customer.', argnames is [customer, zone, weight, total]]).\n" +
		"tools([total/4]).\n\n" + zone.String() + rate.String() + extra.String() + "\n" + customer.String() +
		"\nsurcharge(Z, 300) :- kind(Z, island), !.\nsurcharge(_, 0).\n\n" +
		"% Customers with gold pay no surcharge.\ntotal(C, Z, W, T) :-\n    rate(Z, W, P),\n    surcharge(Z, S),\n" +
		"    customer(C, Kind),\n    (   Kind == gold\n    ->  T is P + S\n    ;   T is P\n    ),\n    !.\n"
	tests = ":- begin_tests(parcels).\n" +
		"test(light, T == 501) :- total(c1, z001, 1, T).\n" +
		"test(heavy, T == 901) :- total(c1, z001, 21, T).\n" +
		"test(island, T == 802) :- total(c1, z002, 1, T).\n" +
		"test(gold_island, T == 502) :- total(c3, z002, 1, T).\n" +
		"test(twenty, T == 817) :- total(c1, z117, 20, T).\n" +
		":- end_tests(parcels).\n"
	return rules, tests
}

// MendRules mends [LongRules] by edits, of which some are refused. In the end three lines are others.
func (b *Bench) MendRules() {
	b.Helper()
	rules, _ := LongRules()
	_, sent, told := b.Play(mending)
	saved, err := os.ReadFile(filepath.Join(b.Folder, "rules.pl"))
	require.NoError(b, err)
	_, text, _ := strings.Cut(string(saved), "\n")
	was, is := strings.Split(rules, "\n"), strings.Split(text, "\n")
	require.Len(b, is, len(was))
	differs := 0
	for i := range was {
		if was[i] != is[i] {
			differs++
		}
	}
	require.Equal(b, 4, differs)
	require.Less(b, sent, 4_000, "bytes sent")
	require.Less(b, told, len(rules)/2, "bytes told, of a text of %d", len(rules))
}
