package bridge

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/bridgetest"
)

// TestBirdInterview holds the interview on every protocol version, for every bird on two.
func TestBirdInterview(t *testing.T) {
	snapshot := load(t, "../examples/birds")
	s := NewServer(snapshot, nil)
	for i, version := range mcp.SupportedProtocolVersions() {
		t.Run(version, func(t *testing.T) {
			for solution, err := range snapshot.Program.Query(context.Background(), "species(Bird, _, Latin)", nil) {
				require.NoError(t, err)
				w := &bridgetest.Watcher{Snapshot: snapshot, Bird: solution.Text("Bird")}
				cs := connect(t, s, version, &mcp.ClientOptions{ElicitationHandler: w.Answer})
				got := strings.Join(bridgetest.TextsOf(bridgetest.CallTool(t, cs, "identify_bird", "")), "|")
				want := fmt.Sprintf("Your bird is the %s (%s).\n\nWhy:\n", strings.ReplaceAll(w.Bird, "_", " "),
					solution.Text("Latin"))
				require.True(t, strings.HasPrefix(got, want), "%s", got)
				require.LessOrEqual(t, len(w.Asked), 8)
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
			cs := connect(t, s, version, &mcp.ClientOptions{ElicitationHandler: (&bridgetest.Watcher{}).Answer})
			list, err := cs.ListTools(ctx, nil)
			require.NoError(t, err)
			var names []string
			for _, tool := range list.Tools {
				names = append(names, tool.Name)
			}
			require.Equal(t, []string{"answer", "birds_with", "describe_bird", "identify_bird"}, names)
			require.Nil(t, list.Tools[2].OutputSchema)
			require.Nil(t, list.Tools[3].OutputSchema)
			require.True(t, list.Tools[1].Annotations.ReadOnlyHint)

			r := bridgetest.CallTool(t, cs, "birds_with", `{"feature": "hovers", "value": "yes"}`)
			require.Equal(t, []string{"bird: common_kestrel\n\nbird: common_kingfisher"}, bridgetest.TextsOf(r))
			r = bridgetest.CallTool(t, cs, "describe_bird", `{"name": "Grey Heron"}`)
			require.Contains(t, bridgetest.TextsOf(r)[0], "Ardea cinerea")
			r = bridgetest.CallTool(t, cs, "birds_with", `{"feature": "hoovers", "value": "yes"}`)
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
