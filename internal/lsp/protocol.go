package lsp

import "encoding/json"

// This file defines the messages of the protocol, as far as the server needs them. The names are the names of the
// specification.

// incoming is a message of the editor.
type incoming struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// outgoing is a notification, or with an ID a request.
type outgoing struct {
	Version string `json:"jsonrpc"`
	ID      any    `json:"id,omitempty"`
	Method  string `json:"method"`
	Params  any    `json:"params"`
}

type response struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *responseError  `json:"error,omitempty"`
}

type responseError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *responseError) Error() string { return e.Message }

// The codes of errors.
const (
	codeInvalidRequest = -32600
	codeMethodNotFound = -32601
	codeInvalidParams  = -32602
	codeInternalError  = -32603
	codeNotInitialized = -32002
	codeRequestFailed  = -32803
)

// position is a place in a document: a line and a number of UTF-16 code units in it, both from 0.
type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// span is a range of a document.
type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`
}

type textEdit struct {
	Range   span   `json:"range"`
	NewText string `json:"newText"`
}

// workspaceEdit has its edits by document, or a list of documents with their versions, for editors that know those.
type workspaceEdit struct {
	Changes         map[string][]textEdit `json:"changes,omitempty"`
	DocumentChanges []documentEdit        `json:"documentChanges,omitempty"`
}

// documentEdit is what is to be changed in a document, whose version is nil if the editor does not have it open.
type documentEdit struct {
	TextDocument struct {
		URI     string `json:"uri"`
		Version *int   `json:"version"`
	} `json:"textDocument"`
	Edits []textEdit `json:"edits"`
}

type documentID struct {
	URI     string `json:"uri"`
	Version *int   `json:"version,omitempty"`
}

// inDocument is what is about a document.
type inDocument struct {
	TextDocument documentID `json:"textDocument"`
}

func (p inDocument) uri() string { return p.TextDocument.URI }

// placed is what most requests have: a place in a document.
type placed struct {
	inDocument
	Position position `json:"position"`
}

type initializeParams struct {
	// Options are what the editor is configured with, of any form; see editorOptions.
	Options          json.RawMessage `json:"initializationOptions"`
	RootURI          string          `json:"rootUri"`
	RootPath         string          `json:"rootPath"`
	WorkspaceFolders []documentID    `json:"workspaceFolders"`
	Capabilities     struct {
		Workspace struct {
			DidChangeWatchedFiles struct {
				DynamicRegistration bool `json:"dynamicRegistration"`
			} `json:"didChangeWatchedFiles"`
			WorkspaceEdit struct {
				DocumentChanges bool `json:"documentChanges"`
			} `json:"workspaceEdit"`
		} `json:"workspace"`
		TextDocument struct {
			Completion struct {
				CompletionItem struct {
					SnippetSupport bool `json:"snippetSupport"`
				} `json:"completionItem"`
			} `json:"completion"`
		} `json:"textDocument"`
	} `json:"capabilities"`
}

// editorOptions are the initialization options that count.
type editorOptions struct {
	Commands bool `json:"commands"` // the editor has the commands of code lenses
}

type didOpenParams struct {
	TextDocument struct {
		URI     string `json:"uri"`
		Version int    `json:"version"`
		Text    string `json:"text"`
	} `json:"textDocument"`
}

type contentChange struct {
	Range *span  `json:"range"`
	Text  string `json:"text"`
}

type didChangeParams struct {
	inDocument
	ContentChanges []contentChange `json:"contentChanges"`
}

type fileEvent struct {
	URI  string `json:"uri"`
	Type int    `json:"type"` // 1: created, 2: changed, 3: deleted
}

type changedFilesParams struct {
	Changes []fileEvent `json:"changes"`
}

type foldersParams struct {
	Event struct {
		Added   []documentID `json:"added"`
		Removed []documentID `json:"removed"`
	} `json:"event"`
}

type markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

func markdown(text string) *markup { return &markup{"markdown", text} }

type diagnostic struct {
	Range           span             `json:"range"`
	Severity        int              `json:"severity"`
	Code            string           `json:"code,omitempty"`
	CodeDescription *codeDescription `json:"codeDescription,omitempty"`
	Source          string           `json:"source"`
	Message         string           `json:"message"`

	fix *textEdit
}

type codeDescription struct {
	HRef string `json:"href"`
}

type publishParams struct {
	URI         string       `json:"uri"`
	Version     *int         `json:"version,omitempty"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type completionItem struct {
	Label         string    `json:"label"`
	Kind          int       `json:"kind"`
	Detail        string    `json:"detail,omitempty"`
	Documentation *markup   `json:"documentation,omitempty"`
	SortText      string    `json:"sortText,omitempty"`
	FilterText    string    `json:"filterText,omitempty"`
	TextFormat    int       `json:"insertTextFormat,omitempty"`
	TextEdit      *textEdit `json:"textEdit,omitempty"`
}

type completionList struct {
	IsIncomplete bool             `json:"isIncomplete"`
	Items        []completionItem `json:"items"`
}

type hoverResult struct {
	Contents *markup `json:"contents"`
	Range    *span   `json:"range,omitempty"`
}

type hintParams struct {
	inDocument
	Range span `json:"range"`
}

type inlayHint struct {
	Position position `json:"position"`
	Label    string   `json:"label"`
	Kind     int      `json:"kind"` // 2: the name of a parameter
	Padded   bool     `json:"paddingRight"`
}

type signatures struct {
	Signatures      []signature `json:"signatures"`
	ActiveSignature int         `json:"activeSignature"`
	ActiveParameter int         `json:"activeParameter"`
}

type signature struct {
	Label         string      `json:"label"`
	Documentation *markup     `json:"documentation,omitempty"`
	Parameters    []parameter `json:"parameters"`
}

// parameter names the part of the label that is the argument, in UTF-16 code units.
type parameter struct {
	Label [2]int `json:"label"`
}

type referenceParams struct {
	placed
	Context struct {
		IncludeDeclaration bool `json:"includeDeclaration"`
	} `json:"context"`
}

type highlightResult struct {
	Range span `json:"range"`
	Kind  int  `json:"kind"` // 2: read, 3: write
}

type documentSymbol struct {
	Name           string           `json:"name"`
	Detail         string           `json:"detail,omitempty"`
	Kind           int              `json:"kind"`
	Range          span             `json:"range"`
	SelectionRange span             `json:"selectionRange"`
	Children       []documentSymbol `json:"children,omitempty"`
}

type symbolParams struct {
	Query string `json:"query"`
}

type symbolInformation struct {
	Name          string   `json:"name"`
	Kind          int      `json:"kind"`
	Location      location `json:"location"`
	ContainerName string   `json:"containerName,omitempty"`
}

type renameParams struct {
	placed
	NewName string `json:"newName"`
}

type renameRange struct {
	Range       span   `json:"range"`
	Placeholder string `json:"placeholder"`
}

type actionParams struct {
	inDocument
	Range   span `json:"range"`
	Context struct {
		Only []string `json:"only"`
	} `json:"context"`
}

type codeAction struct {
	Title       string         `json:"title"`
	Kind        string         `json:"kind"`
	Diagnostics []diagnostic   `json:"diagnostics,omitempty"`
	IsPreferred bool           `json:"isPreferred,omitempty"`
	Edit        *workspaceEdit `json:"edit"`
}

type foldingRange struct {
	StartLine int    `json:"startLine"`
	EndLine   int    `json:"endLine"`
	Kind      string `json:"kind,omitempty"`
}

type tokensResult struct {
	Data []int `json:"data"`
}

// codeLens is a command that is shown above a line.
type codeLens struct {
	Range   span          `json:"range"`
	Command editorCommand `json:"command"`
}

type editorCommand struct {
	Title     string `json:"title"`
	Command   string `json:"command"`
	Arguments []any  `json:"arguments,omitempty"`
}

// The kinds of completions and symbols.
const (
	itemFunction = 3
	itemVariable = 6
	itemModule   = 9
	itemKeyword  = 14

	symbolFile     = 1
	symbolModule   = 2
	symbolFunction = 12
	symbolKey      = 20
)
