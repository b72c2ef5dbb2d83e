package bridge

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/kb"
)

// watcher is a user who looks at a bird and answers what is asked about it.
type watcher struct {
	snapshot *kb.Snapshot
	bird     string
	asked    []string
}

func (w *watcher) answer(ctx context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	w.asked = append(w.asked, req.Params.Message)
	goal := fmt.Sprintf("question(Feature, %s), feature_of(%s, Feature, Value)",
		engine.FormatTerm(engine.NewAtom(req.Params.Message)), w.bird)
	s, err := w.snapshot.Program.Once(ctx, goal, nil)
	if err != nil {
		return nil, err
	}
	return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": s.Text("Value")}}, nil
}

// TestBirdInterview holds the interview on every protocol version, for every bird on two.
func TestBirdInterview(t *testing.T) {
	snapshot := load(t, "../examples/birds")
	s := NewServer(snapshot, nil)
	for i, version := range mcp.SupportedProtocolVersions() {
		t.Run(version, func(t *testing.T) {
			for solution, err := range snapshot.Program.Query(context.Background(), "species(Bird, _, Latin)", nil) {
				require.NoError(t, err)
				w := &watcher{snapshot: snapshot, bird: solution.Text("Bird")}
				cs := connect(t, s, version, &mcp.ClientOptions{ElicitationHandler: w.answer})
				got := strings.Join(textsOf(callTool(t, cs, "identify_bird", "")), "|")
				want := fmt.Sprintf("Your bird is the %s (%s).\n\nWhy:\n", strings.ReplaceAll(w.bird, "_", " "), solution.Text("Latin"))
				require.True(t, strings.HasPrefix(got, want), "%s", got)
				require.LessOrEqual(t, len(w.asked), 8)
				if i > 1 {
					break
				}
			}
		})
	}
}

// TestBirdsOffer lists and uses what the birds offer besides the interview.
func TestBirdsOffer(t *testing.T) {
	s := NewServer(load(t, "../examples/birds"), nil)
	for _, version := range mcp.SupportedProtocolVersions() {
		t.Run(version, func(t *testing.T) {
			ctx := context.Background()
			cs := connect(t, s, version, &mcp.ClientOptions{ElicitationHandler: (&watcher{}).answer})
			list, err := cs.ListTools(ctx, nil)
			require.NoError(t, err)
			var names []string
			for _, tool := range list.Tools {
				names = append(names, tool.Name)
			}
			require.Equal(t, []string{"birds_with", "describe_bird", "identify_bird"}, names)
			require.Nil(t, list.Tools[1].OutputSchema)
			require.Nil(t, list.Tools[2].OutputSchema)
			require.True(t, list.Tools[0].Annotations.ReadOnlyHint)

			r := callTool(t, cs, "birds_with", `{"feature": "hovers", "value": "yes"}`)
			require.Equal(t, []string{"bird: common_kestrel\n\nbird: common_kingfisher"}, textsOf(r))
			r = callTool(t, cs, "describe_bird", `{"name": "Grey Heron"}`)
			require.Contains(t, textsOf(r)[0], "Ardea cinerea")
			r = callTool(t, cs, "birds_with", `{"feature": "hoovers", "value": "yes"}`)
			require.True(t, r.IsError)

			prompt, err := cs.GetPrompt(ctx, &mcp.GetPromptParams{Name: "identify_from_notes",
				Arguments: map[string]string{"notes": "blue back", "place": "a river"}})
			require.NoError(t, err)
			require.Len(t, prompt.Messages, 1)
			require.Contains(t, prompt.Messages[0].Content.(*mcp.TextContent).Text, "blue back. The place: a river.")

			contents, err := cs.ReadResource(ctx, &mcp.ReadResourceParams{URI: "birds://taxonomy"})
			require.NoError(t, err)
			require.Equal(t, "text/markdown", contents.Contents[0].MIMEType)
			require.Contains(t, contents.Contents[0].Text, "grey heron (Ardea cinerea)")
		})
	}
}
