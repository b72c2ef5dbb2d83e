// Command playground builds the page on which people try mcplogic without installing anything: one HTML file that holds
// the engine as WebAssembly, the examples and an editor. It needs no server, so it also works from a disk.
//
//	go run ./tools/playground -o dist/playground.html
//
// It is run in a clone of the repository, with Go.
package main

import (
	"bytes"
	"compress/gzip"
	_ "embed" // for the page
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed page.html
var page string

//go:embed worker.js
var worker string

// example is an example as the page offers it.
type example struct {
	Files map[string]string `json:"files"`
	Goal  string            `json:"goal"`
}

// goals has the first goal of each example that the page offers. Orders needs a database.
var goals = map[string]string{
	"birds":     "birds_with(hovers, yes, Bird)",
	"claims":    "needs_person(p400, water, date(2026,9,1), 150, Reason)",
	"factorial": "my_tools:factorial(20, F)",
	"family":    "ancestor(A, ida)",
	"flights":   "compensation(lh1, Euro)",
	"loans":     "eligible(ada, gold)",
}

// shown are the endings of files that the page can edit.
var shown = []string{".pl", ".plt", ".csv", ".json"}

// maxFile bounds a file of an example.
const maxFile = 64 << 10

// readExample reads the files of a folder.
func readExample(dir, goal string) (e example, err error) {
	e = example{map[string]string{}, goal}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return e, err
	}
	for _, entry := range entries {
		for _, ending := range shown {
			if !strings.HasSuffix(entry.Name(), ending) {
				continue
			}
			data, err := os.ReadFile(filepath.Join(dir, entry.Name()))
			if err != nil {
				return e, err
			}
			if len(data) <= maxFile {
				e.Files[entry.Name()] = string(data)
			}
		}
	}
	return e, nil
}

// build compiles the command. Without inlining it is an eighth smaller.
func build(root, file string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-gcflags=all=-l", "-ldflags=-s -w", "-o", file,
		"./tools/playground/command")
	cmd.Dir, cmd.Stderr = root, os.Stderr
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=")
	return cmd.Run()
}

// compressed is a file, compressed and in Base64.
func compressed(file string) (string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err = w.Write(data); err == nil {
		err = w.Close()
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), err
}

// inScript is a text that may stand in a script element.
func inScript(text string) string { return strings.ReplaceAll(text, "</", `<\/`) }

// assemble puts the page together.
func assemble(root, engine string) (string, error) {
	code, err := compressed(engine)
	if err != nil {
		return "", err
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOROOT: %w", err)
	}
	support, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return "", err
	}
	examples := map[string]example{}
	for name, goal := range goals {
		if examples[name], err = readExample(filepath.Join(root, "examples", name), goal); err != nil {
			return "", err
		}
	}
	list, err := json.Marshal(examples)
	if err != nil {
		return "", err
	}
	return strings.NewReplacer("{{support}}", inScript(string(support)), "{{worker}}", inScript(worker),
		"{{examples}}", inScript(string(list)), "{{engine}}", code).Replace(page), nil
}

func run(root, engine, out string) error {
	if engine == "" {
		dir, err := os.MkdirTemp("", "playground")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		engine = filepath.Join(dir, "mcplogic.wasm")
		if err := build(root, engine); err != nil {
			return err
		}
	}
	text, err := assemble(root, engine)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o777); err != nil {
		return err
	}
	fmt.Printf("%s: %d bytes\n", out, len(text))
	return os.WriteFile(out, []byte(text), 0o666)
}

func main() {
	out := flag.String("o", "dist/playground.html", "where the page goes")
	engine := flag.String("engine", "", "the command as WebAssembly, if it is compiled already")
	root := flag.String("root", ".", "the folder of the repository")
	flag.Parse()
	if err := run(*root, *engine, *out); err != nil {
		log.Fatal(err)
	}
}
