// Package settings is what flags, the environment and mcplogic.json say to the commands: how rules are loaded, what
// goals may reach, the limits of goals, the facts that a goal is given, the options of a server and the record of its
// calls. A command adds a set of flags and asks the set for the options that they stand for. The package serves
// nothing and prints nothing but warnings.
package settings

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/mcplogic/mcplogic/bridge"
	"github.com/mcplogic/mcplogic/cmd/mcplogic/internal/cli"
	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/kb"
	"github.com/mcplogic/mcplogic/kb/decisions"
)

// This file defines the flags that serve and call share, and how all commands load knowledge
// bases.

// LoadFlags are the flags that limit what loading runs. All commands have them, because any text may hold a directive
// that never ends.
type LoadFlags struct {
	// Time and memory are limits of each goal that loading runs, not of the load as a whole. A time of 0 is no limit.
	Time   time.Duration
	Memory Size
	// strict refuses files with errors. Only lenient commands have the flag; the others refuse such files always.
	strict bool
	// sql are the addresses of databases by name, without the ones in the environment.
	sql Addresses
	// set are values of settings by name.
	set map[string]string
	// native is on as the zero value.
	native nativeMode
	// tables bounds the tables that calls share, in bytes.
	tables Size
	// perfMap is the file for the addresses of native code, "" for none.
	perfMap string
	// lenient is set for the commands that go on after errors in files unless strict is.
	lenient bool
	// Dialect is that of the program. Only lenient commands have the flag.
	Dialect dialect
}

// defaultTableMemory is the default of engine.Options, in bytes.
const defaultTableMemory = 64 << 20

// addStrict defines the flag of commands that go on after errors in files.
func (l *LoadFlags) addStrict(flags *pflag.FlagSet) {
	l.lenient = true
	flags.BoolVar(&l.strict, "strict", false, "refuse files with errors, as serve and check do")
	flags.Var(&l.Dialect, "as", "swi: nested comments, strings before atoms, operators and encodings of files as in "+
		"SWI-Prolog, for programs that were written for it")
}

func (l *LoadFlags) Add(flags *pflag.FlagSet) {
	l.Memory = 1 << 30
	flags.DurationVar(&l.Time, "load-timeout", 10*time.Second,
		"longest running time of a directive or another goal that loading runs; 0: no limit")
	flags.Var(&l.Memory, "load-memory", "most memory for the terms of a directive or another goal that loading runs")
	flags.Var(&l.native, "native",
		"on, off or check: whether predicates that are called often become native code; check compares it with the "+
			"interpreter, which is slow")
	l.tables = defaultTableMemory
	flags.Var(&l.tables, "table-memory", "most memory for the tables of tabled predicates that calls share")
	flags.StringVar(&l.perfMap, "perf-map", "",
		"file for the addresses of native code, for profilers, such as /tmp/perf-PID.map, where Linux perf looks")
	flags.StringToStringVar(&l.set, "set", nil,
		"NAME=VALUE of a setting of setting/3; may be repeated; give secrets in the environment, as "+
			"MCPLOGIC_SETTING_NAME")
	flags.Var(&l.sql, "sql",
		"NAME=ADDRESS of a database with tables for facts/2: postgres://... or sqlite:FILE; may be repeated")
}

// Load returns the options for loading. They belong to the caller, who may change them before the load. What loading
// prints goes to standard error, also what directives write to user_output, because standard output may belong to a
// protocol. A database is connected to when it is first asked.
func (l *LoadFlags) Load(cmd *cobra.Command) *kb.Options {
	l.mapNative(cmd.ErrOrStderr())
	o := &kb.Options{Predicates: bridge.Predicates(), Output: cmd.ErrOrStderr(),
		Directives: engine.Limits{Time: l.Time, Memory: int(l.Memory)}, Native: host.NativeMode(l.native),
		Lenient:     l.lenient && !l.strict,
		SWI:         bool(l.Dialect),
		TableMemory: int(l.tables), Setting: l.setting}
	if named := l.sql.all(); len(named) > 0 {
		o.Databases = kb.OpenDatabases(named)
	}
	if o.Directives.Time == 0 { // no limit for the user, the default for package kb
		o.Directives.Time = -1
	}
	return o
}

// setting returns the value that was given for a setting. Clients leave the placeholder of a bundle as it is where
// their user has given nothing. The command line wins over the environment, and an empty text counts as none.
func (l *LoadFlags) setting(name string) (string, bool) {
	text, ok := l.set[name]
	if !ok {
		text, ok = os.LookupEnv(kb.Setting{Name: name}.Variable())
	}
	return text, ok && text != "" && text != UserValue(name)
}

// UserValue is the placeholder that clients replace by what the user has given for a setting. It stays where the user
// has given nothing, and then counts as not given.
func UserValue(name string) string { return "${user_config." + name + "}" }

// mapNative opens the file for the addresses of native code, if one is wanted. PID in its name stands for the number of
// the process, by which perf finds it. A file that cannot be made costs the map and not the command: the error is
// printed.
func (l *LoadFlags) mapNative(stderr io.Writer) {
	if l.perfMap == "" {
		return
	}
	f, err := os.Create(strings.ReplaceAll(l.perfMap, "PID", strconv.Itoa(os.Getpid())))
	if err != nil {
		fmt.Fprintln(stderr, "mcplogic: --perf-map:", err)
		return
	}
	host.NativeMap(f) // it is open as long as the process
}

// dialect is a flag that is set for programs of SWI-Prolog.
type dialect bool

// Set reads a value.
func (d *dialect) Set(text string) error {
	if *d = text == "swi"; !*d {
		return errors.New("want swi")
	}
	return nil
}

func (d *dialect) String() string {
	if *d {
		return "swi"
	}
	return ""
}

// Type names the values in the help.
func (d *dialect) Type() string { return "dialect" }

// nativeMode is a flag that says whether goals use native code.
type nativeMode host.NativeMode

// nativeModes are the values of the flag.
var nativeModes = []struct {
	name string
	mode host.NativeMode
}{{"on", host.NativeOn}, {"off", host.NativeOff}, {"check", host.NativeCheck}}

// Set reads a value.
func (n *nativeMode) Set(text string) error {
	for _, m := range nativeModes {
		if m.name == text {
			*n = nativeMode(m.mode)
			return nil
		}
	}
	return errors.New("want on, off or check")
}

func (n *nativeMode) String() string { return nativeModes[*n].name }

// Type is what the help shows for a value.
func (n *nativeMode) Type() string { return "mode" }

// Addresses is a flag of addresses by the names of databases. They may hold passwords, so nothing shows them.
type Addresses map[string]kb.Database

// Set reads NAME=ADDRESS. FlagError does not show what is wrong, since it may hold a password.
func (a *Addresses) Set(text string) error {
	name, address, _ := strings.Cut(text, "=")
	if name == "" || address == "" {
		return errors.New("want NAME=ADDRESS")
	}
	if *a == nil {
		*a = Addresses{}
	}
	(*a)[name] = kb.Database{Address: address}
	return nil
}

// String is empty: the value may hold passwords.
func (a *Addresses) String() string { return "" }

// Type is shown in the help.
func (a *Addresses) Type() string { return "NAME=ADDRESS" }

// all returns the addresses of the flag and of the environment. The flag wins where both have the name.
func (a *Addresses) all() map[string]kb.Database {
	named := kb.DatabaseAddresses()
	maps.Copy(named, *a)
	return named
}

// HasPassword reports whether an address has a password, in front of its host or as a parameter. Of a text that is no
// URL only its look is known: a colon in what stands before the last @ counts as one.
func HasPassword(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		_, rest, _ := strings.Cut(address, "://")
		at := strings.LastIndexByte(rest, '@')
		return at >= 0 && strings.Contains(rest[:at], ":") || strings.Contains(address, "password=")
	}
	_, has := u.User.Password()
	return has || u.Query().Has("password") || u.Query().Has("sslpassword")
}

// Sandbox holds the flags that open the sandbox of goals, and the flags of loading. read and write are folders.
// Without folders goals read only the folders of the knowledge base, and write nothing.
type Sandbox struct {
	Loading     LoadFlags
	Read, write []string
	env         bool
	Store       string // the store of persistent facts, "" for none
	Stored      bool   // the command has the flag for a store, and may open it
	asOf        string // the moment of the facts of the store, "" for now
}

// Add defines the flags. They are all off by default.
func (s *Sandbox) Add(flags *pflag.FlagSet) {
	s.Loading.Add(flags)
	flags.StringArrayVar(&s.Read, "allow-read", nil, "let goals read files below this folder; may be repeated")
	flags.StringArrayVar(&s.write, "allow-write", nil, "let goals write files below this folder; may be repeated")
	flags.BoolVar(&s.env, "allow-env", false, "let goals see the environment variables")
}

// AddReading defines the flags of a command whose goals see the facts of a store and do not change it.
func (s *Sandbox) AddReading(flags *pflag.FlagSet) {
	s.Add(flags)
	s.Loading.addStrict(flags)
	s.AddStore(flags, "what goals change is not stored")
	s.addAsOf(flags)
}

// addAsOf defines the flag for the moment of the facts of a store.
func (s *Sandbox) addAsOf(flags *pflag.FlagSet) {
	flags.StringVar(&s.asOf, "as-of", "", "the facts of the store as they were at a time in ISO 8601, at the end of a "+
		"day, or after a change: its number, or its name in mcplogic/sequence; nothing is stored")
}

// past reads a store as it was at the moment of the flag.
func (s *Sandbox) past(cmd *cobra.Command, store string) (past *kb.Store, err error) {
	if store == "" {
		return nil, errors.New("--as-of needs --store, or " + StoreVariable)
	}
	quoted, _ := json.Marshal(s.asOf) // a string always has JSON
	sequence, at, err := bridge.ParseMoment(quoted)
	if err != nil {
		return nil, fmt.Errorf("--as-of: %w", err)
	}
	if past, err = kb.ReadStore(cmd.Context(), store, sequence, at, cli.Tell(cmd)); err != nil {
		err = fmt.Errorf("--as-of %s: %w", s.asOf, err)
	}
	return past, err
}

// AddStore defines the flag for a store. effect says what the command does with it.
func (s *Sandbox) AddStore(flags *pflag.FlagSet, effect string) {
	s.Stored = true
	flags.StringVar(&s.Store, "store", "",
		"where the facts of persistent predicates are kept: file:DIR or postgres://...; "+effect+"; default: $"+StoreVariable)
}

// Reading returns the options for loading, with the facts of the store that a flag or the environment names.
func (s *Sandbox) Reading(cmd *cobra.Command) (o *kb.Options, err error) {
	o = s.Load(cmd)
	if name := cmp.Or(s.Store, os.Getenv(StoreVariable)); s.asOf != "" {
		o.Store, err = s.past(cmd, name)
	} else if name != "" {
		o.Store, err = kb.ReadStore(cmd.Context(), name, "", time.Time{}, cli.Tell(cmd))
	}
	return o, err
}

// IsOpen reports whether a flag lets goals reach beyond the knowledge base.
func (s *Sandbox) IsOpen() bool { return len(s.Read)+len(s.write) > 0 || s.env }

// Load returns the options for loading.
func (s *Sandbox) Load(cmd *cobra.Command) *kb.Options {
	o := s.Loading.Load(cmd)
	o.AllowRead, o.AllowWrite, o.AllowEnv = s.Read, s.write, s.env
	return o
}

// ServerFlags holds the flags of the commands that make a server: serve, list, and those that act as a
// client, such as call.
type ServerFlags struct {
	Sandbox
	// explain offers the tool why, which explains the last keep calls as they were, by the facts that they saw. With a
	// keep of 0 or less the facts of no call are kept.
	explain bool
	keep    int
	WhatIf  bool // offers the tool what_if
	// The limits of a call. The commands that act as a client have these too: they show what a client of such a server
	// sees. result is in bytes. Here and below a number of 0 stands for the default of bridge.Options, so that no flag
	// takes a bound away but --timeout and --max-inferences.
	limits    Limits
	solutions int
	result    Size
	askTime   time.Duration

	// Given is what each call is given: call has these flags.
	Given GivenFlags
	// The identity of a server, see AddIdentity: serve and config have these flags. Elsewhere the values are zero, the
	// default.
	calls, callsEach            int
	page, waiting, tasks        int
	grace                       time.Duration
	Name, Title, Server, framed string
	instructions                string // a file
	told                        string // instructions that do not stand in a file
	bench                       string // the workbench: "", read, write or trusted
	icons                       []string
	AsJSON                      bool                // of commands that ask a server
	Recorder                    *decisions.Recorder // of the calls of a client in the same process, or nil
}

func (f *ServerFlags) Add(flags *pflag.FlagSet) {
	f.Sandbox.Add(flags)
	flags.BoolVar(&f.explain, "explain", false, "offer the tool why, by which models ask for the reasons of results")
	flags.BoolVar(&f.WhatIf, "what-if", false, "offer the tool what_if, by which models ask what other facts would change")
	flags.IntVar(&f.keep, "explain-keep", 64, "explain this many of the last calls with the facts that they saw; 0: none")
	f.limits.Add(flags, time.Minute, 256<<20)
	flags.IntVar(&f.solutions, "max-solutions", 100, "most solutions that a call returns")
	f.result = 1 << 20
	flags.Var(&f.result, "max-result", "largest result of a call")
	flags.DurationVar(&f.askTime, "ask-timeout", 10*time.Minute, "how long a question waits for its answer")
}

// AddClient defines the flags of the commands that ask a server in the same process as a client does.
func (f *ServerFlags) AddClient(flags *pflag.FlagSet) {
	f.Add(flags)
	f.AddStore(flags, "mcplogic.json may name it too")
	f.addAsOf(flags)
	flags.BoolVar(&f.AsJSON, "json", false, "print the result as JSON")
}

// AddIdentity defines the flags that make sense only for a server that outlives one call.
func (f *ServerFlags) AddIdentity(flags *pflag.FlagSet) {
	flags.IntVar(&f.calls, "max-calls", 0, "most calls at a time, others queue; 0: twice the processors")
	flags.IntVar(&f.callsEach, "max-calls-each", 0,
		"most calls at a time of one client of several over HTTP; 0: all but one of --max-calls")
	flags.DurationVar(&f.grace, "grace", 5*time.Second,
		"how long running calls may go on when the client has ended its input or the server stops")
	flags.StringVar(&f.Name, "name", "", "name of the server; default: that of the first PATH")
	flags.StringVar(&f.Title, "title", "", "title of the server, for people")
	flags.StringVar(&f.Server, "server-version", cli.Version(), "version of the server")
	flags.StringVar(&f.instructions, "instructions", "",
		"file with instructions for models; default: made of what is served")
	flags.StringArrayVar(&f.icons, "icon", nil, "URL of an icon of the server; may be repeated")
	flags.IntVar(&f.page, "page-size", 1000, "most items of a list in one answer")
	flags.IntVar(&f.tasks, "max-tasks", 100, "most calls that go on as tasks, with those whose results are kept")
	flags.IntVar(&f.waiting, "max-waiting", 100, "most calls that wait for their client to come back")
	f.AddStore(flags, "mcplogic.json may name it too")
	flags.StringVar(&f.bench, "workbench", "",
		"offer tools by which models read, check, try and test rules; write: and save them, without the rights of others; "+
			"trusted: with them")
	flags.Lookup("workbench").NoOptDefVal = "read"
	flags.StringVar(&f.framed, "framing", "auto", "framing of messages: auto, lines or content-length")
}

// ServerName returns the name of a server of files and folders: that of the first. An absolute path has a
// name even where the path given is a dot. There is one path at least.
func ServerName(paths []string) string {
	absolute, err := filepath.Abs(paths[0])
	if err != nil {
		return "mcplogic"
	}
	return strings.TrimSuffix(filepath.Base(absolute), ".pl")
}

// StoreVariable is the environment variable for what --store says. An address may have a password in it, and all users
// of a machine can read the arguments of a process.
const StoreVariable = "MCPLOGIC_STORE"

// FirstGiven is the first flag that is given of those that add defines, "" for none.
func FirstGiven(flags *pflag.FlagSet, add func(*pflag.FlagSet)) (name string) {
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	add(own)
	own.VisitAll(func(f *pflag.Flag) {
		if name == "" && flags.Changed(f.Name) {
			name = f.Name
		}
	})
	return name
}
