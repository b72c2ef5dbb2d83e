// Package kb keeps knowledge bases loaded: folders of Prolog files whose declarations say what is offered to MCP
// clients.
//
// [Open] loads files and makes a [Base], whose [Base.Snapshot] is the knowledge base at this moment; [Base.Watch] loads
// the files again when they are saved. [Load] makes a single [Snapshot]: a program with what it declares. Goroutines
// may share a snapshot. Nothing in it changes except the dynamic predicates of its program.
package kb

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"time"

	"github.com/mcplogic/mcplogic/engine"
	"github.com/mcplogic/mcplogic/engine/host"
	"github.com/mcplogic/mcplogic/engine/inspect"
	"github.com/mcplogic/mcplogic/engine/relation"
	"github.com/mcplogic/mcplogic/engine/source"
	"github.com/mcplogic/mcplogic/internal/folder"
	"github.com/mcplogic/mcplogic/internal/typename"
)

// Options say how knowledge bases are loaded. nil stands for the zero value.
type Options struct {
	// Predicates written in Go are defined in every program. If goals talk to clients, the predicates of package bridge
	// have to be among them.
	Predicates []engine.Predicate
	// FS is the file system that holds the knowledge base, such as an embed.FS. Paths are names in FS, and goals may
	// read all of its files. If FS is nil, paths lead to files of the machine.
	FS fs.FS
	// AllowRead and AllowWrite are folders of the machine that goals may read and write. Goals may always read the
	// folders of the knowledge base itself.
	AllowRead, AllowWrite []string
	// AllowEnv lets goals see the environment variables.
	AllowEnv bool
	// Trust gives files that a model has saved the same rights as other files. Such files are recognized by their first
	// line. Without Trust their rules may only read the folders of the knowledge base, without hidden files. AllowRead,
	// AllowWrite, AllowEnv, Databases and Setting do not apply to them.
	Trust bool
	// saving is a file that is loaded as one that a model has saved.
	saving string
	// Output gets the output of directives. nil: it is dropped. Error gets their error output. nil: it goes to Output.
	Output, Error io.Writer
	// Input is the input of directives. nil: it is empty.
	Input io.Reader
	// Lint makes a load look for mistakes in programs that load and run, see engine.Options.
	Lint bool
	// Empty lets a folder have no rules yet.
	Empty bool
	// Coverage counts which clauses and branches of the program are reached. nil: nothing is counted.
	Coverage *inspect.Coverage
	// Lenient makes a load succeed in spite of errors, if all files exist and are Prolog texts and the load finishes. A
	// definition in a later file then replaces one in an earlier file.
	Lenient bool
	// SWI makes the program behave as SWI-Prolog does where the engine otherwise differs, see engine.Options.
	SWI bool
	// Directives limits each goal that loading runs: directives, the expansion of terms and goals, and the predicates
	// that declare items. A Time of 0: 10 s. A negative Time: no limit.
	Directives engine.Limits
	// LeaveOpen keeps streams and engines that directives have left for the first session, see engine.Options.
	LeaveOpen bool
	// Native says whether goals use native code.
	Native host.NativeMode
	// TableMemory bounds the tables that calls share, see engine.Options.
	TableMemory int
	// Quiet is how long no file may change before a reload begins. MaxWait is how long further changes can put off a
	// reload, and how long a reload waits for a file that has become much shorter and may be about to be written. Zero
	// values stand for 100 ms and 1 s.
	Quiet, MaxWait time.Duration
	// Databases have the tables that facts/2 makes predicates of; see [OpenDatabases]. nil: no databases.
	Databases relation.Databases
	// Setting returns the text given for a setting of setting/3. nil: no texts are given.
	Setting func(name string) (text string, ok bool)
	// Reading is called for each file that a load reads besides the found ones, such as a data file. It may be nil.
	Reading func(file string)
	// Store keeps the facts of persistent predicates. nil: they end with the process. The caller closes it.
	Store *Store
}

// tree is the file system of the paths.
func (o *Options) tree() folder.Tree {
	if o.FS != nil {
		return folder.In(o.FS)
	}
	return folder.Disk
}

// complete returns the options with defaults for zero values.
func (o *Options) complete() Options {
	given := Options{}
	if o != nil {
		given = *o
	}
	given.Quiet = cmp.Or(max(given.Quiet, 0), 100*time.Millisecond)
	given.MaxWait = cmp.Or(max(given.MaxWait, 0), time.Second)
	given.Directives.Time = cmp.Or(given.Directives.Time, 10*time.Second)
	return given
}

// Snapshot is a knowledge base at one moment.
type Snapshot struct {
	// Program is the loaded program.
	Program *engine.Program
	// Version counts the reloads that led here, from 1.
	Version int
	// Files are the given files and the files found in the given folders, in the order of loading.
	Files []string
	// Rules describes the files and settings that the program was loaded from.
	Rules *Rules
	// Providers are module user and the modules that the files define.
	Providers []*Provider
	// Settings are the settings that setting/3 declares.
	Settings []Setting
	// The offers of the providers, in the order of declaration.
	Tools     []*Tool
	Prompts   []*Prompt
	Resources []*Resource
	Templates []*Resource // resources whose URI is a template
	Events    []*Event
	// Diagnostics are the warnings.
	Diagnostics source.Diagnostics

	// described is what the files say about predicates. It is kept for items that are added later.
	described described
}

// FS is the file system that the files are from, or nil for the file system of the machine.
func (s *Snapshot) FS() fs.FS {
	if s.described.o == nil {
		return nil
	}
	return s.described.o.FS
}

// TypeNames are types by the names that texts give them.
type TypeNames = typename.Names

// Provider is a module that offers something.
type Provider struct {
	// Module is the name of the module. File is the file that defines it, or "" for user.
	Module, File string
	// Capabilities are the capabilities that the provider declares, sorted.
	Capabilities []string
	// Types are the types that the module's texts name by type/2.
	Types TypeNames
	// Assumable are the predicates whose facts may come with a what-if question.
	Assumable []*Assumable

	own map[string]inspect.Predicate
}

// Defines reports whether the provider itself defines a predicate that declares items or answers for them, such as
// tool_call/3. Ask before calling one, since modules see the predicates of module user.
func (p *Provider) Defines(name string, arity int) bool {
	_, ok := p.own[indicator(name, arity)]
	return ok
}

// Declares reports whether the provider lists a capability.
func (p *Provider) Declares(capability string) bool {
	return slices.Contains(p.Capabilities, capability)
}

// Asks reports whether the provider's tool_call/4 is to be called, which may ask the user.
func (p *Provider) Asks() bool { return p.Declares("elicitation") && p.Defines("tool_call", 4) }

// Tool is a predicate offered as a tool.
type Tool struct {
	Name     string
	Provider *Provider
	// Functor is the name of the predicate. The predicate has as many arguments as Arguments.
	Functor   string
	Arguments []Argument
	// All says that all solutions are wanted, and not only the first. Proofs is the number of proofs that mode/2 gives,
	// such as zero_or_one, or "".
	All    bool
	Proofs string
	// Title and Description are for people and models.
	Title, Description string
	// InputSchema and OutputSchema are JSON Schemas in curly notation that the provider gives instead of the schemas
	// derived from the arguments, or nil.
	InputSchema, OutputSchema engine.Term
	// Hints are nil if the tool does not give them.
	ReadOnly, Destructive, Idempotent, OpenWorld *bool
	// Timeout and Limit are 0 if the tool does not give them.
	Timeout time.Duration
	Limit   int
	Explain Explaining
	// Meta has members of _meta as a curly term, or is nil.
	Meta engine.Term
	// AlwaysLoad is nil if the tool does not give it.
	AlwaysLoad *bool
	// MaxResult is how many characters a result may have. It is 0 if the tool does not give it.
	MaxResult int
	// Task says when calls continue as tasks, for clients that support tasks. nil: never.
	Task *Task
	// Assume are the predicates whose facts may come with a call. If it is nil, neither facts nor a time may come with
	// a call.
	Assume []*Assumable
	// Secret are the names of arguments that records of calls leave out.
	Secret []string
	// UI says how MCP Apps show the tool, as a curly term with JSON's names. nil: they do not show it.
	UI    engine.Term
	Icons []Icon
	Place source.Position
}

// Task says when a call of a tool continues as a task.
type Task struct {
	// After is how long the client waits for the result before the call becomes a task.
	After time.Duration
	// Required says that each call is a task at once, and that calls of clients without support for tasks are refused.
	Required bool
}

// Assumable is a predicate whose facts may come with a call.
type Assumable struct {
	Name      string
	Arguments []Argument
}

// Arity is the number of arguments of the predicate.
func (t *Tool) Arity() int { return len(t.Arguments) }

// Inputs returns the arguments that a caller may give.
func (t *Tool) Inputs() []Argument { return t.choose(Argument.Input) }

// Outputs returns the arguments whose values are collected from solutions.
func (t *Tool) Outputs() []Argument { return t.choose(Argument.Output) }

func (t *Tool) choose(wanted func(Argument) bool) []Argument {
	var list []Argument
	for _, a := range t.Arguments {
		if wanted(a) {
			list = append(list, a)
		}
	}
	return list
}

// Argument is an argument of a tool.
type Argument struct {
	Name, Description string
	// Position is the argument's position in the predicate, from 0.
	Position int
	// Mode is the mode indicator: + ++ @ - -- or ?.
	Mode string
	// Type is the type as written in mode/2.
	Type engine.Term
	// Default is the value of an input that the caller leaves out, or nil.
	Default engine.Term
	// Examples are the values of the argument in the examples of info/2.
	Examples []engine.Term
}

// Input reports whether a caller gives the argument, or may give it.
func (a Argument) Input() bool { return a.Mode != "-" && a.Mode != "--" }

// Output reports whether the argument is an answer, or may be one.
func (a Argument) Output() bool { return a.Mode == "-" || a.Mode == "--" || a.Optional() }

// Optional reports whether the argument is an input that becomes an output when it is absent.
func (a Argument) Optional() bool { return a.Mode == "?" && a.Default == nil }

// Prompt is a prompt template.
type Prompt struct {
	Name, Title, Description string
	Arguments                []PromptArgument
	Icons                    []Icon
	Provider                 *Provider
	Place                    source.Position
}

// PromptArgument is an argument of a prompt.
type PromptArgument struct {
	Name, Description string
	Required          bool
}

// Resource is data with an address, or a template for many.
type Resource struct {
	URI, Name, Title, Description, MIMEType string
	// UI says how MCP Apps show the resource, as a curly term with JSON's names, or nil.
	UI    engine.Term
	Icons []Icon
	// Size is the number of bytes, or 0 if it is not given.
	Size int64
	// Audience says whether the resource is for the user or the assistant. Priority is its importance, from 0 to 1.
	// LastModified is a time in ISO 8601. Zero values mean that they are not given.
	Audience     []string
	Priority     float64
	LastModified string
	Provider     *Provider
	Place        source.Position
}

// Icon is a picture of an item, to be shown by clients.
type Icon struct {
	// Source is the URL of the icon, with the scheme https, http or data.
	Source, MIMEType string
	// Sizes are such as 48x48, or any.
	Sizes []string
	// Theme is the background that the icon is made for, light or dark. "" means either.
	Theme string
}

// Tool returns the tool of a name, or nil.
func (s *Snapshot) Tool(name string) *Tool {
	for _, t := range s.Tools {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// Capable reports whether a provider has a capability. It has one if it declares the capability or defines the
// capability's predicates.
func (s *Snapshot) Capable(capability string) bool {
	return slices.ContainsFunc(s.Providers, func(p *Provider) bool {
		return p.Declares(capability) || p.implies(capability)
	})
}

// implied are the predicates whose definition implies a capability.
var implied = map[string][]string{
	"tools":       {"tools/1"},
	"prompts":     {"prompts/1"},
	"resources":   {"resources/1", "resource_templates/1"},
	"completions": {"completion/4"},
	"events":      {"events/1"},
	"ui":          {"tool_ui/2", "resource_ui_meta/2"},
}

func (p *Provider) implies(capability string) bool {
	return slices.ContainsFunc(implied[capability], func(key string) bool { _, ok := p.own[key]; return ok })
}

// errNoContext is the error of a context that is nil.
var errNoContext = errors.New("the context is nil")

// described holds the directives mode/2 and info/2 of the files.
type described struct {
	o     *Options
	modes map[string][]*modeDirective
	infos map[string]*infoDirective
	types map[string]typename.Names
}

// modeDirective is a directive mode/2.
type modeDirective struct {
	module, name string
	modes        []string
	types        []engine.Term
	proofs       string
	place        source.Position
}

// infoDirective is a directive info/2.
type infoDirective struct {
	module, name              string
	arity                     int
	title, comment            string
	says                      []string // says and says_not
	names, descriptions       []string
	defaults                  map[string]engine.Term // by the name of the argument
	remarks, examples, throws []engine.Term
	examplePlaces             []source.Position
	checked                   bool // the examples have been checked
	place                     source.Position
}

// Rules describes the files and settings that a program was loaded from. Two loads of equal rules have equal digests,
// wherever their folders are.
type Rules struct {
	// Digest is the SHA-256 of all other fields in hexadecimal digits.
	Digest string `json:"digest"`
	// Engine names the library and the compiler of the engine, Module the version of the Go module.
	Engine string `json:"engine"`
	Module string `json:"module"`
	// Paths are the paths that were loaded, as an archive names them.
	Paths []string `json:"paths"`
	// Settings are the values that were given for settings. Secret settings are left out.
	Settings map[string]string `json:"settings,omitempty"`
	// Files are the texts in the order of loading, and the other files that loading has read.
	Files []RuleFile `json:"files"`

	tree folder.Tree
}

// RuleFile is one file of [Rules]. Its name in an archive begins with the number of the folder that holds it. A file
// outside of the folders of the knowledge base is not in archives; its name is its path on the machine.
type RuleFile struct {
	Name string `json:"name"`
	Sum  string `json:"sha256"`
	Size int64  `json:"size"`

	path string // "": it is not in archives
}

// Event is a predicate whose new answers are sent to subscribers.
type Event struct {
	// Tool has the event's name, description, predicate and arguments. The inputs are the arguments of a subscription.
	*Tool
	// Every is how often the predicate is asked although no facts have changed; 0: never.
	Every time.Duration
}

// Setting is a value that rules declare by setting/3 and that can be given from outside.
type Setting struct {
	Name, Title, Description string
	// Type is the type as library settings names it. Default is nil if a value has to be given.
	Type, Default engine.Term
	// Secret says that the value is shown to nobody.
	Secret bool
	// Given says that there is a value from outside.
	Given bool
}

func indicator(name string, arity int) string { return fmt.Sprintf("%s/%d", name, arity) }

// Explaining says when the results of a tool are explained.
type Explaining int

const (
	// ExplainAsked is the default: calls that fail say what was missing, and other results are explained on request.
	ExplainAsked Explaining = iota
	// ExplainAlways: results also carry the proofs of their solutions.
	ExplainAlways
	// ExplainNever: no result says what an answer depends on.
	ExplainNever
)
