// Command testall runs go test, of all packages unless told otherwise, and says at the end what was not tested.
//
//	go run ./tools/testall [arguments of go test, flags as -name=value]
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

// event is what go test -json says about a test, a package or a build.
type event struct {
	Action, Package, ImportPath, Test, Output string
}

// report prints what go test would print, and collects why tests were skipped.
type report struct {
	out     io.Writer
	printed map[string]string // output by package and test, until these end
	skipped map[string]int    // tests by what they say
}

var (
	noise  = regexp.MustCompile(`(?m)^(=== .*|\s*--- (PASS|SKIP): .*|PASS|testing: warning: no tests to run)\n`)
	reason = regexp.MustCompile(`(?m)^\s*\S+\.go:\d+: (.+)$`)
)

func main() {
	args := os.Args[1:]
	if !slices.ContainsFunc(args, func(arg string) bool { return !strings.HasPrefix(arg, "-") }) {
		args = append(args, "./...", "./tools/...")
	}
	// On a busy machine the largest package takes longer than the ten minutes that go test allows.
	cmd := exec.Command("go", append([]string{"test", "-json", "-timeout=40m"}, args...)...)
	cmd.Stderr = os.Stderr
	r := &report{out: os.Stdout, printed: map[string]string{}, skipped: map[string]int{}}
	if err := r.run(cmd); err != nil {
		fmt.Println("FAIL:", err)
		os.Exit(1)
	}
}

// run runs go test and fails if that does.
func (r *report) run(cmd *exec.Cmd) error {
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	r.read(out)
	r.summarize()
	return cmd.Wait()
}

// read takes events and prints each package when it ends. What is no event is printed as it is.
func (r *report) read(in io.Reader) {
	for lines := bufio.NewReader(in); ; {
		line, err := lines.ReadString('\n')
		var e event
		switch {
		case json.Unmarshal([]byte(line), &e) != nil:
			fmt.Fprint(r.out, line)
		case e.Action == "build-output":
			fmt.Fprint(r.out, e.Output)
		default:
			r.take(e)
		}
		if err != nil {
			return
		}
	}
}

func (r *report) take(e event) {
	key := e.Package + " " + e.Test
	switch e.Action {
	case "output":
		r.printed[key] += e.Output
	case "pass", "fail", "skip":
		if e.Test == "" {
			r.unfinished(e.Package)
		}
		text := noise.ReplaceAllString(r.printed[key], "")
		delete(r.printed, key)
		switch {
		case e.Test == "" || e.Action == "fail":
			fmt.Fprint(r.out, text)
		case e.Action == "skip":
			r.skipped[why(text)]++
		}
	}
}

// unfinished prints what the tests have said that were running when their process ended.
func (r *report) unfinished(pkg string) {
	for _, key := range slices.Sorted(maps.Keys(r.printed)) {
		if strings.HasPrefix(key, pkg+" ") && key != pkg+" " {
			fmt.Fprint(r.out, r.printed[key])
			delete(r.printed, key)
		}
	}
}

// why is the text that a test gave when it was skipped.
func why(output string) string {
	if m := reason.FindStringSubmatch(output); m != nil {
		return m[1]
	}
	return "no reason given"
}

// summarize prints why tests were skipped, what was not tested for want of something first.
func (r *report) summarize() {
	var lines []string
	for text, count := range r.skipped {
		if !strings.HasPrefix(text, "NOT TESTED: ") {
			text = fmt.Sprintf("skipped %d: %s", count, text)
		}
		lines = append(lines, text)
	}
	slices.Sort(lines)
	for _, line := range lines {
		fmt.Fprintln(r.out, line)
	}
}
