// Package kb keeps knowledge bases loaded: folders of Prolog files whose declarations say what is offered to MCP
// clients.
//
// [Open] loads files and makes a [Base], whose [Base.Snapshot] is the knowledge base at this moment; [Base.Watch] loads
// the files again when they are saved. [Load] makes a [Snapshot] alone: a program with what it declares. All goroutines
// share it, and it does not change, but for the dynamic predicates of its program.
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
	// FS is the file system that holds the knowledge base, such as an embed.FS. Paths are names in it, and goals may read
	// all of it. nil: paths lead to files of the machine.
	FS fs.FS
	// AllowRead and AllowWrite are folders of the machine that goals may read from, and write to, besides reading the
	// folders of the knowledge base itself.
	AllowRead, AllowWrite []string
	// AllowEnv lets goals see the environment variables.
	AllowEnv bool
	// Trust gives the rules of files that a model has saved the rights of others. Otherwise, as their first line says,
	// they see the folders of the knowledge base, without hidden files, and nothing of AllowRead, AllowWrite, AllowEnv,
	// Databases and Setting.
	Trust bool
	// saving is a file that is loaded as one that a model has saved.
	saving string
	// Output takes what directives print. nil: it is dropped. Error takes what they print as errors. nil: Output does.
	Output, Error io.Writer
	// Input is what directives read. nil: it is empty.
	Input io.Reader
	// Lint makes a load look for mistakes in programs that load and run, see engine.Options.
	Lint bool
	// Empty lets a folder have no rules yet.
	Empty bool
	// Coverage counts which clauses and branches of the program are reached. nil: nothing is counted.
	Coverage *inspect.Coverage
	// Lenient makes a load with errors one that succeeds, as long as all files are there and are Prolog texts and it
	// comes to its end. A definition in a later file then replaces one in an earlier file.
	Lenient bool
	// SWI decides as SWI-Prolog does where we decided otherwise, see engine.Options.
	SWI bool
	// Directives limits each goal that loading runs: directives, what expands terms and goals, and the predicates that
	// declare items. A Time of 0: 10 s. A negative Time: no limit.
	Directives engine.Limits
	// LeaveOpen keeps streams and engines that directives have left for the first session, see engine.Options.
	LeaveOpen bool
	// Native says whether goals use native code.
	Native host.NativeMode
	// TableMemory bounds the tables that calls share, see engine.Options.
	TableMemory int
	// Quiet is how long no file must change before a reload begins, and MaxWait how long a reload is put off by further
	// changes, and by a file that has become much shorter and may be about to be written. 0: 100 ms and 1 s.
	Quiet, MaxWait time.Duration
	// Databases have the tables that facts/2 makes predicates of; see [OpenDatabases]. nil: there are none.
	Databases relation.Databases
	// Setting returns the text that was given for a setting of setting/3. nil: there are none.
	Setting func(name string) (text string, ok bool)
	// Reading is told of each file that a load reads besides those found, such as data files. nil: nobody is.
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

// complete returns options with the defaults for what is not given.
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

// Snapshot is a knowledge base as it was at one moment.
type Snapshot struct {
	// Program is the loaded program.
	Program *engine.Program
	// Version counts the reloads that led here, from 1.
	Version int
	// Files are the files given and those found in the folders given, in the order of loading.
	Files []string
	// Rules are what the program was loaded from.
	Rules *Rules
	// Providers are module user and the modules that the files define.
	Providers []*Provider
	// Settings are those that setting/3 declares.
	Settings []Setting
	// The offers of the providers, in the order of declaration.
	Tools     []*Tool
	Prompts   []*Prompt
	Resources []*Resource
	Templates []*Resource // resources whose URI is a template
	Events    []*Event
	// Diagnostics are the warnings.
	Diagnostics source.Diagnostics

	// described is what the files say about predicates, for items that are added later.
	described described
}

// FS is the file system that the files are from, nil for that of the machine.
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
	// Module is its name, File the file that defines it, "" for user.
	Module, File string
	// Capabilities are those that it declares, sorted.
	Capabilities []string
	// Types are the types that its texts name by type/2.
	Types TypeNames
	// Assumable are the predicates whose facts may come with a question of what if.
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

// Asks reports whether tool_call/4 of the provider is to be called, the one that may ask the user.
func (p *Provider) Asks() bool { return p.Declares("elicitation") && p.Defines("tool_call", 4) }

// Tool is a predicate offered as a tool.
type Tool struct {
	Name     string
	Provider *Provider
	// Functor is the name of the predicate, which has as many arguments as Arguments.
	Functor   string
	Arguments []Argument
	// All says that all solutions are wanted, otherwise the first; Proofs is the number of
	// proofs that mode/2 gives, such as zero_or_one, or "".
	All    bool
	Proofs string
	// Title and Description are for people and models.
	Title, Description string
	// InputSchema and OutputSchema are JSON Schemas in curly notation that the provider gives
	// instead of those derived from the arguments; nil: none.
	InputSchema, OutputSchema engine.Term
	// Hints are nil where nothing is said.
	ReadOnly, Destructive, Idempotent, OpenWorld *bool
	// Timeout and Limit are 0 where nothing is said.
	Timeout time.Duration
	Limit   int
	Explain Explaining
	// Meta are members of _meta as a curly term, nil: none.
	Meta engine.Term
	// AlwaysLoad is nil where nothing is said.
	AlwaysLoad *bool
	// MaxResult is how many characters a result may have, 0 where nothing is said.
	MaxResult int
	// Task says when calls go on as tasks, for clients that know tasks; nil: never.
	Task *Task
	// Assume are the predicates whose facts may come with a call; nil: a call brings none and no time either.
	Assume []*Assumable
	// Secret are the names of arguments that records of calls leave out.
	Secret []string
	// UI says how MCP Apps show the tool, as a curly term with JSON's names; nil: not at all.
	UI    engine.Term
	Icons []Icon
	Place source.Position
}

// Task says when a call of a tool goes on as a task.
type Task struct {
	// After is how long the client waits for the result before.
	After time.Duration
	// Required says that each call is a task at once, and that clients which do not know tasks are refused.
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

// Outputs returns the arguments that are collected from solutions.
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
	// Position is that in the predicate, from 0.
	Position int
	// Mode is the indicator: + ++ @ - -- or ?.
	Mode string
	// Type is the type as written in mode/2.
	Type engine.Term
	// Default is the value of an input that the caller leaves out, nil: there is none.
	Default engine.Term
	// Examples are values that info/2 gives the argument in its examples.
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
	// Size is the number of bytes; 0: nothing is said.
	Size int64
	// Audience is for whom the resource is, user or assistant; Priority is how important it is,
	// from 0 to 1, and LastModified a time in ISO 8601. Zero values: nothing is said.
	Audience     []string
	Priority     float64
	LastModified string
	Provider     *Provider
	Place        source.Position
}

// Icon is a picture of an item, to be shown by clients.
type Icon struct {
	// Source is its URL, with the scheme https, http or data.
	Source, MIMEType string
	// Sizes are such as 48x48, or any.
	Sizes []string
	// Theme is the background it is made for, light or dark; "": either.
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

// Capable reports whether a provider offers what a capability stands for: it declares it or defines its predicates.
func (s *Snapshot) Capable(capability string) bool {
	return slices.ContainsFunc(s.Providers, func(p *Provider) bool {
		return p.Declares(capability) || p.implies(capability)
	})
}

// implied are the predicates whose definition declares a capability.
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

// described holds what the directives mode/2 and info/2 of the files say.
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
	checked                   bool // the examples are
	place                     source.Position
}

// Rules are what a program was loaded from. Two loads of equal rules have equal digests, wherever their folders are.
type Rules struct {
	// Digest is a SHA-256 in hexadecimal digits over all of the rest.
	Digest string `json:"digest"`
	// Engine names the library and the compiler of the engine, Module the version of the Go module.
	Engine string `json:"engine"`
	Module string `json:"module"`
	// Paths are the paths that were loaded, as an archive names them.
	Paths []string `json:"paths"`
	// Settings are the values that were given for settings. Secret ones are left out.
	Settings map[string]string `json:"settings,omitempty"`
	// Files are the texts in the order of loading, and the other files that loading has read.
	Files []RuleFile `json:"files"`

	tree folder.Tree
}

// RuleFile is one file of [Rules]. Its name in an archive begins with the number of the folder that holds it. A file
// that lies in no folder of the knowledge base is not in archives; its name is that on the machine.
type RuleFile struct {
	Name string `json:"name"`
	Sum  string `json:"sha256"`
	Size int64  `json:"size"`

	path string // "": it is not in archives
}

// Event is a predicate whose new answers are told to those who have subscribed.
type Event struct {
	// Tool has its name, description, predicate and arguments. The inputs are those of a subscription.
	*Tool
	// Every is how often the predicate is asked although no facts have changed; 0: never.
	Every time.Duration
}

// Setting is a value that rules declare by setting/3 and that can be given from outside.
type Setting struct {
	Name, Title, Description string
	// Type is that of library settings. Default is nil where a value has to be given.
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
	// ExplainAsked is the default: calls that fail say what was missing, and results are explained to those who ask.
	ExplainAsked Explaining = iota
	// ExplainAlways: results also carry the proofs of their solutions.
	ExplainAlways
	// ExplainNever: nobody learns what an answer depends on.
	ExplainNever
)
