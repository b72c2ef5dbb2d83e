package cli

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/mcplogic/mcplogic/engine/host"
)

// This file defines the version of the command.

// The release script sets these by -ldflags; see .ci/release. They are empty in all other builds.
var ReleaseVersion, ReleaseCommit string

// Version returns the version of this command: that of the release, else that of the module, else dev, for a
// build from a working copy.
func Version() string {
	if ReleaseVersion != "" {
		return ReleaseVersion
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "dev"
	}
	return info.Main.Version
}

// commit returns the commit that this command was built from, "" if the build does not know it. Twelve
// digits are enough to find it. What the build itself has noted counts for less than what the release
// script says. A build from files that differ from the commit says so.
func commit() string {
	revision, modified := ReleaseCommit, ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				revision = cmp.Or(revision, s.Value)
			case s.Key == "vcs.modified" && s.Value == "true":
				modified = ", modified"
			}
		}
	}
	if revision == "" {
		return ""
	}
	return revision[:min(len(revision), 12)] + modified
}

// VersionLine is what mcplogic version and --version print.
func VersionLine() string {
	name := Version()
	if c := commit(); c != "" {
		name += " (commit " + c + ")"
	}
	return fmt.Sprintf("mcplogic %s %s %s/%s", name, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func NativeLine() string {
	if host.NativeAvailable() {
		return "native code: " + runtime.GOARCH
	}
	return "native code: none, as the processor or the system does not allow it"
}
