package syntax

import (
	"flag"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var withSwipl = flag.Bool("swipl", false, "check the tables read.txt and write.txt against swipl")

// TestTablesAgainstSwipl asks swipl for the expected values of the tables that have them from it.
func TestTablesAgainstSwipl(t *testing.T) {
	if !*withSwipl {
		t.Skip("run with -swipl")
	}
	for file, column := range map[string]int{"write.txt": 1, "read.txt": 2} {
		var texts, want []string
		for _, row := range rows(t, file) {
			texts = append(texts, row[0])
			want = append(want, row[1])
		}
		answers := askSwipl(t, texts)
		for i, text := range texts {
			require.Equal(t, varName.ReplaceAllString(want[i], "_"), varName.ReplaceAllString(answers[i][column], "_"), text)
		}
	}
}

// askSwipl returns for each text the columns that testdata/swipl.pl prints.
func askSwipl(t *testing.T, texts []string) [][]string {
	cmd := exec.Command("swipl", "testdata/swipl.pl")
	cmd.Stdin = strings.NewReader(strings.Join(texts, "\n") + "\n")
	out, err := cmd.Output()
	require.NoError(t, err)
	var answers [][]string
	for _, line := range strings.Split(strings.TrimSuffix(string(out), "\n"), "\n") {
		answers = append(answers, strings.Split(line, "\t"))
	}
	require.Len(t, answers, len(texts))
	return answers
}
