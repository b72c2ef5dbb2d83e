package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/mcplogic/mcplogic/tools/procgroup"
)

// This file defines how a system is asked: some processes share the questions, and another one goes on after a
// question that ended one or came to no end.

// together is how many processes of a system answer at the same time. Mostly they wait for goals that have no end.
const together = 2

// askAll asks all systems at the same time; answers[i][j] is that of system i to question j.
func askAll(ctx context.Context, systems []system, questions []question) ([][]answer, error) {
	dir, err := os.MkdirTemp("", "mcplogic-differ-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	answers := make([][]answer, len(systems))
	errs := make(chan error, len(systems)*together)
	for i, s := range systems {
		answers[i] = make([]answer, len(questions))
		for share := range together {
			first, end := share*len(questions)/together, (share+1)*len(questions)/together
			go func() {
				file := filepath.Join(dir, s.name+strconv.Itoa(share))
				some, err := s.ask(ctx, file, questions[first:end])
				copy(answers[i][first:end], some)
				errs <- err
			}()
		}
	}
	for range cap(errs) {
		if e := <-errs; e != nil && err == nil {
			err = e
		}
	}
	return answers, err
}

// pipe reads what the process of a system prints.
type pipe struct {
	lines     *bufio.Reader
	questions []question
	answers   []answer
	next      int // the question that is being answered
	// alive is told of each answer, so that the time limit starts anew.
	alive func()
	// child is the process that answers the question, 0 where there is none or the system does not say.
	child atomic.Int64
}

// ask asks the questions that fit. They stand in a file; beside it the system gets a folder of its own to run in, which
// is empty at first: some questions leave files behind.
func (s system) ask(ctx context.Context, file string, questions []question) ([]answer, error) {
	if err := os.Mkdir(folderOf(file), 0o777); err != nil {
		return nil, err
	}
	p := &pipe{questions: questions, answers: make([]answer, len(questions))}
	for i, q := range questions {
		if reason := s.unfit(q); reason != "" {
			p.answers[i] = answer{Status: unfit, Error: reason}
			continue
		}
		if q.Texts == nil {
			continue
		}
		folder := filepath.Join(folderOf(file), folderOfQuestion(i))
		if err := q.writeTexts(folder); err != nil {
			return nil, err
		}
		if s.alone != nil {
			a, err := s.alone(ctx, folder, q)
			if err != nil {
				return nil, err
			}
			p.answers[i] = a
		}
	}
	for p.skip(); p.next < len(questions); p.skip() {
		before := p.next
		if err := s.runFrom(ctx, p, file); err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		p.blame(before)
	}
	return p.answers, nil
}

// folderOf returns the folder that a system runs in.
func folderOf(file string) string { return file + ".folder" }

// folderOfQuestion returns the folder with the files of a question, below the one that the system runs in.
func folderOfQuestion(n int) string { return "q" + strconv.Itoa(n) }

func (q question) writeTexts(folder string) error {
	err := os.Mkdir(folder, 0o777)
	for name, text := range q.Texts {
		err = errors.Join(err, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666))
	}
	return err
}

// blame marks the question at which a process has ended as its cause, when the same happens to
// another process, which was started with that question: the first may have had bad luck.
func (p *pipe) blame(first int) {
	if p.next == first && p.answers[first].Status == "" {
		p.answers[first] = answer{Status: "died"}
	}
}

// skip goes to the next question without an answer.
func (p *pipe) skip() {
	for p.next < len(p.answers) && p.answers[p.next].Status != "" {
		p.next++
	}
}

// patience is how long a process may print nothing: more than any goal may take by its own limit.
const patience = 15 * time.Second

// longest is how long a process that a system has started for one goal may take. What takes longer mostly has no end.
const longest = 2 * time.Second

// killChild ends the process of one goal. The system goes on with the next one.
func (p *pipe) killChild() {
	if pid := p.child.Swap(0); pid > 0 {
		if child, err := os.FindProcess(int(pid)); err == nil {
			_ = child.Kill() // it may have ended by itself
		}
	}
}

// runFrom starts a process that answers from the next question on, and reads until it ends.
func (s system) runFrom(ctx context.Context, p *pipe, file string) error {
	cmd := s.command(file, p.next)
	if err := s.write(file, p); err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	cmd.Env = append(os.Environ(), "LANG=C.UTF-8", "LC_ALL=C.UTF-8", "GLOBALSZ=65536")
	cmd.Dir = folderOf(file)
	procgroup.Own(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = procgroup.Kill(cmd) })
	defer stop()
	impatience := time.AfterFunc(patience, func() { _ = procgroup.Kill(cmd) })
	defer impatience.Stop()
	hurry := time.AfterFunc(longest, p.killChild)
	defer hurry.Stop()
	p.lines, p.alive = bufio.NewReader(out), func() {
		p.child.Store(0)
		impatience.Reset(patience)
		hurry.Reset(longest)
	}
	readErr := s.read(p)
	_ = procgroup.Kill(cmd)
	_ = cmd.Wait() // how it ended is told by what is missing
	return readErr
}

// write writes the open questions to the file that the command reads.
func (s system) write(file string, p *pipe) error {
	var text strings.Builder
	for i, q := range p.questions {
		if i >= p.next && p.answers[i].Status == "" {
			text.WriteString(s.encode(i, q) + "\n")
		}
	}
	return os.WriteFile(file, []byte(text.String()), 0o644)
}

// encodeJSON writes a question as query --batch wants it.
func encodeJSON(n int, q question) string {
	data, _ := json.Marshal(map[string]any{"id": n, "setup": q.Setup, "goal": q.Goal, "max": q.max()})
	return string(data)
}

// encodeTerm writes a question as a Prolog term.
func encodeTerm(n int, q question) string {
	if q.Texts != nil {
		q.Setup = fmt.Sprintf(":- working_directory(_, %s), load_files(user:main, [silent(true)]).", folderOfQuestion(n))
	}
	return fmt.Sprintf("case(%d,%d,%s,%s).", n, q.max(), quote(q.Setup), quote(q.Goal))
}

func quote(text string) string {
	var b strings.Builder
	b.WriteByte('\'')
	for _, r := range text {
		switch {
		case r == '\'' || r == '\\':
			b.WriteString(`\` + string(r))
		case r < ' ':
			fmt.Fprintf(&b, `\%o\`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('\'')
	return b.String()
}

// readJSON reads the lines of query --batch.
func (p *pipe) readJSON() error {
	for {
		line, err := p.lines.ReadBytes('\n')
		if err != nil {
			return nil
		}
		var a struct {
			ID *int `json:"id"`
			answer
		}
		if err := json.Unmarshal(line, &a); err != nil || a.ID == nil {
			return fmt.Errorf("unexpected line %q", line)
		}
		p.take(*a.ID, a.formal(p.questions[*a.ID].Setup).apart().neutral())
	}
}

func (p *pipe) take(n int, a answer) {
	p.answers[n] = a
	p.next = n + 1
	p.alive()
}

// mark begins a line that the prelude of a system prints.
const mark = "\x01\x02\x01"

// maxOutput bounds what is kept of the output of one goal.
const maxOutput = 1 << 20

// readMarked reads what a prelude prints, with the output of the goal in between.
func (p *pipe) readMarked() error {
	var a answer
	for {
		line, err := p.lines.ReadString('\n')
		if err != nil {
			return nil
		}
		output, said, marked := strings.Cut(line, mark)
		if len(a.Output) < maxOutput {
			a.Output += output
		}
		if !marked {
			continue
		}
		word, rest, _ := strings.Cut(strings.TrimSuffix(said, "\n"), " ")
		switch word {
		case "case":
			a = answer{}
			if p.next, err = strconv.Atoi(rest); err != nil {
				return err
			}
		case "child":
			pid, err := strconv.ParseInt(rest, 10, 64)
			if err != nil {
				return err
			}
			p.child.Store(pid)
		case "answer":
			solution, err := p.solution()
			if err != nil {
				return nil
			}
			a.Solutions = append(a.Solutions, solution)
		case "true", "false":
			a.Status = word
		case "error":
			a.Status, a.Error = "error", rest
		case "done":
			if a.Status == "" {
				a.Status = "died"
			}
			p.take(p.next, a.canonical(p.questions[p.next].Setup))
		}
	}
}

// solution reads the lines of one solution.
func (p *pipe) solution() (map[string]string, error) {
	values := map[string]string{}
	for {
		line, err := p.lines.ReadString('\n')
		if err != nil || line == mark+"go\n" {
			return values, err
		}
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " = ")
		values[name] = value
	}
}
