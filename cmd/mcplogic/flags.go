package main

import (
	"cmp"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/bridge/wire"
	"github.com/mcplogic/mcplogic/kb"
)

// This file defines the flags that serve and call share, and how all commands load knowledge
// bases.

// loadFlags are the flags that limit what loading runs.
type loadFlags struct {
	time   time.Duration
	memory size
}

// add defines the flags with their defaults.
func (l *loadFlags) add(flags *pflag.FlagSet) {
	l.memory = 1 << 30
	flags.DurationVar(&l.time, "load-timeout", 10*time.Second,
		"longest running time of a directive or another goal that loading runs; 0: no limit")
	flags.Var(&l.memory, "load-memory", "most memory for the terms of such a goal")
}

// load returns the options for loading.
func (l *loadFlags) load(cmd *cobra.Command) *kb.Options {
	o := &kb.Options{Predicates: bridge.Predicates(), Output: cmd.ErrOrStderr(), LoadTime: l.time,
		LoadMemory: int(l.memory)}
	if o.LoadTime == 0 {
		o.LoadTime = -1
	}
	return o
}

// sandbox holds the flags that open the sandbox of goals, and the flags of loading.
type sandbox struct {
	loading     loadFlags
	read, write []string
	env         bool
}

// add defines the flags. They are all off by default.
func (s *sandbox) add(flags *pflag.FlagSet) {
	s.loading.add(flags)
	flags.StringArrayVar(&s.read, "allow-read", nil, "let goals read files below this folder; may be repeated")
	flags.StringArrayVar(&s.write, "allow-write", nil, "let goals write files below this folder; may be repeated")
	flags.BoolVar(&s.env, "allow-env", false, "let goals see the environment variables")
}

// isOpen reports whether goals may reach beyond the knowledge base.
func (s *sandbox) isOpen() bool { return len(s.read)+len(s.write) > 0 || s.env }

// load returns the options for loading.
func (s *sandbox) load(cmd *cobra.Command) *kb.Options {
	o := s.loading.load(cmd)
	o.AllowRead, o.AllowWrite, o.AllowEnv = s.read, s.write, s.env
	return o
}

// serverFlags holds the flags of the commands that make a server: serve, call and list.
type serverFlags struct {
	sandbox
	limits                      limits
	solutions, calls            int
	result                      size
	askTime, grace              time.Duration
	name, title, server, framed string
	instructions                string
	icons                       []string
	page, waiting               int
}

// add defines the flags with their defaults.
func (f *serverFlags) add(flags *pflag.FlagSet) {
	f.sandbox.add(flags)
	f.limits.add(flags, time.Minute, 256<<20)
	flags.IntVar(&f.solutions, "max-solutions", 100, "most solutions that a call returns")
	f.result = 1 << 20
	flags.Var(&f.result, "max-result", "largest result of a call")
	flags.DurationVar(&f.askTime, "ask-timeout", 10*time.Minute, "how long a question waits for its answer")
}

// addIdentity defines the flags that make sense only for a server that outlives one call.
func (f *serverFlags) addIdentity(flags *pflag.FlagSet) {
	flags.IntVar(&f.calls, "max-calls", 0, "most calls at a time, others queue; 0: twice the processors")
	flags.DurationVar(&f.grace, "grace", 5*time.Second,
		"how long running calls may go on when the client has ended its input or the server stops")
	flags.StringVar(&f.name, "name", "", "name of the server; default: that of the first PATH")
	flags.StringVar(&f.title, "title", "", "title of the server, for people")
	flags.StringVar(&f.server, "server-version", version(), "version of the server")
	flags.StringVar(&f.instructions, "instructions", "", "file with instructions for models")
	flags.StringArrayVar(&f.icons, "icon", nil, "URL of an icon of the server; may be repeated")
	flags.IntVar(&f.page, "page-size", 1000, "most items of a list in one answer")
	flags.IntVar(&f.waiting, "max-waiting", 100, "most calls that wait for their client to come back")
	flags.StringVar(&f.framed, "framing", "auto", "framing of messages: auto, lines or content-length")
}

// unlimited stands for no time limit. The options of the bridge take 0 for their default, so a very long time is
// passed.
const unlimited = 100 * 365 * 24 * time.Hour

// options returns what the flags say.
func (f *serverFlags) options(cmd *cobra.Command, paths []string) (*bridge.Options, error) {
	o := &bridge.Options{Name: cmp.Or(f.name, serverName(paths)), Title: f.title, Version: f.server,
		Time: f.limits.time, Memory: int(f.limits.memory), Inferences: f.limits.inferences,
		Solutions: f.solutions, MaxResult: int(f.result), Concurrent: f.calls, AskTime: f.askTime, Grace: f.grace,
		MaxWaiting: f.waiting, PageSize: max(f.page, 0), Stderr: cmd.ErrOrStderr()}
	for _, url := range f.icons {
		icon, err := kb.ParseIcon(url)
		if err != nil {
			return nil, err
		}
		o.Icons = append(o.Icons, icon)
	}
	if o.Time == 0 {
		o.Time = unlimited
	}
	if f.instructions != "" {
		text, err := os.ReadFile(f.instructions)
		if err != nil {
			return nil, err
		}
		o.Instructions = string(text)
	}
	if f.framed != "" {
		framing, err := wire.ParseFraming(f.framed)
		if err != nil {
			return nil, err
		}
		o.Framing = framing
	}
	return o, nil
}
