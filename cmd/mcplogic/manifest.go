package main

// This file defines the manifest of an MCP bundle.

// manifest is the manifest.json of a bundle, in version 0.3 of the MCPB format (formerly DXT). Clients show the names
// and texts before they install the bundle, and Tools as well: the server is not asked before it runs. PromptsGenerated
// says that the server has prompts, whose texts the manifest need not hold then.
type manifest struct {
	ManifestVersion  string            `json:"manifest_version"`
	Name             string            `json:"name"`
	DisplayName      string            `json:"display_name,omitempty"`
	Version          string            `json:"version"`
	Description      string            `json:"description"`
	Author           map[string]string `json:"author"`
	Server           manifestServer    `json:"server"`
	Tools            []manifestTool    `json:"tools,omitempty"`
	UserConfig       map[string]option `json:"user_config,omitempty"`
	PromptsGenerated bool              `json:"prompts_generated,omitempty"`
	Compatibility    struct {
		Platforms []string `json:"platforms"`
	} `json:"compatibility"`
}

// manifestServer says how a client starts the server. EntryPoint is the path of the command within the bundle.
type manifestServer struct {
	Type       string         `json:"type"`
	EntryPoint string         `json:"entry_point"`
	Config     manifestConfig `json:"mcp_config"`
}

// manifestConfig is a command line. Clients replace ${__dirname} by the folder in which the bundle is unpacked, and
// ${user_config.NAME} by what the user has given. Overrides replace it on the platforms that are their keys.
type manifestConfig struct {
	Command   string                    `json:"command"`
	Args      []string                  `json:"args"`
	Env       map[string]string         `json:"env"`
	Overrides map[string]manifestConfig `json:"platform_overrides,omitempty"`
}

// manifestTool is a tool as it is shown before the installation: without a schema, with the first line of its
// description.
type manifestTool struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
}
