package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// This file defines server.json, by which a bundle is published in the registry of MCP servers.

// registrySchema is what the entry says it follows.
const registrySchema = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"

// registryEntry is the content of server.json, as far as a bundle needs it.
type registryEntry struct {
	Schema      string            `json:"$schema"`
	Name        string            `json:"name"`
	Title       string            `json:"title,omitempty"`
	Description string            `json:"description"`
	Version     string            `json:"version"`
	Packages    []registryPackage `json:"packages"`
}

// registryPackage is how the server can be had: here always one bundle, at an address and with a hash that clients
// compare.
type registryPackage struct {
	Type       string            `json:"registryType"`
	Identifier string            `json:"identifier"`
	Version    string            `json:"version,omitempty"`
	SHA256     string            `json:"fileSha256"`
	Transport  map[string]string `json:"transport"`
}

// The bounds of the schema of the registry. A name is a reversed domain, a slash and the publisher's own name. Longest
// lengths are in characters.
const (
	registryName    = `^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$`
	registryNameMax = 200
	registryTextMax = 100
	registryVersMax = 255
)

// registryVersion is what the registry takes for a version, in our words: one release, neither a range nor latest. It
// is compiled when it is first used, because most runs of the command are about other things.
var registryVersion = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z.+_-]*$`)
})

// checkVersion reports a version that the registry refuses. A part x or X stands for any number there.
func (r *registryFlags) checkVersion(release string) error {
	if r.file == "" {
		return nil
	}
	isWild := func(part string) bool { return strings.EqualFold(part, "x") }
	wild := slices.ContainsFunc(strings.Split(release, "."), isWild)
	if wild || release == "latest" || len(release) > registryVersMax || !registryVersion().MatchString(release) {
		return fmt.Errorf("the registry takes one exact version, such as 1.2.3; got %q", release)
	}
	return nil
}

// registryFlags say how a bundle is published. Without file no entry is written, and the other two must be "".
type registryFlags struct {
	name, url, file string
}

// check reports what is wrong with the flags before anything is written.
func (r *registryFlags) check() error {
	if r.file == "" {
		if r.name != "" || r.url != "" {
			return errors.New("--registry-name and --url go with --server-json")
		}
		return nil
	}
	if !regexp.MustCompile(registryName).MatchString(r.name) || len(r.name) > registryNameMax {
		return fmt.Errorf("--server-json needs --registry-name, such as io.github.ada/birds; got %q", r.name)
	}
	u, err := url.Parse(r.url)
	switch {
	case err != nil || u.Scheme != "https" || u.Host == "":
		return fmt.Errorf("--server-json needs --url, the https address where the bundle will be; got %q", r.url)
	case !strings.Contains(strings.ToLower(r.url), "mcp"):
		return fmt.Errorf("the registry takes bundles only from addresses that contain mcp, as in .mcpb; got %q", r.url)
	}
	return nil
}

// write writes the entry for a bundle that has been written. sum is the SHA-256 of the bundle.
func (r *registryFlags) write(m *manifest, sum []byte) error {
	e := registryEntry{Schema: registrySchema, Name: r.name, Title: cutText(m.DisplayName, registryTextMax),
		Description: cutText(m.Description, registryTextMax), Version: m.Version,
		Packages: []registryPackage{{Type: "mcpb", Identifier: r.url, Version: m.Version,
			SHA256: hex.EncodeToString(sum), Transport: map[string]string{"type": "stdio"}}}}
	return writeWhole(r.file, 0o644, func(w io.Writer) error { return printJSON(w, e) })
}

// cutText is a text of at most so many characters.
func cutText(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-3]) + "..."
}
