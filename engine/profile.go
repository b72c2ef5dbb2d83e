package engine

import "github.com/mcplogic/mcplogic/engine/internal/profile"

// This file names the profile of a run.

// Profile says where runs spend their time, by predicate and by line. A run adds samples to the one in [RunOptions],
// about a thousand a second. Several runs may share one.
type Profile = profile.Profile

// ProfileEntry says how long a predicate or a line was at work.
type ProfileEntry = profile.Entry
