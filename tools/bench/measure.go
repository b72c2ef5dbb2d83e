// This file defines how a run is measured: one child process, its wall and
// processor time, its peak and anonymous memory, and the checksum it printed.
package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"time"

	"github.com/mcplogic/mcplogic/tools/procgroup"
)

// A sample is what one child process took.
type sample struct {
	wall, cpu time.Duration
	peakKiB   int64 // resident memory at its largest, pages of files included
	anonKiB   int64 // anonymous memory at its largest, as far as samples show
	checksum  string
	// told is the time that the program itself has taken, if it says so; there is no start-up in it.
	told time.Duration
}

// shell runs the command as a grandchild: Linux counts the memory of the process
// that forks towards the peak of a child that execs at once, and ours is not small.
const shell = `"$@"`

var (
	checksumLine = regexp.MustCompile(`checksum\(([^)\n]*)\)`)
	secondsLine  = regexp.MustCompile(`seconds\(([^)\n]*)\)`)
)

// take runs one command line to its end.
func take(ctx context.Context, timeout time.Duration, env, line []string) (sample, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", shell + "; exit $?", "sh"}, line...)...)
	cmd.Env = append(os.Environ(), env...)
	procgroup.Own(cmd)
	cmd.Cancel = func() error { return procgroup.Kill(cmd) }
	cmd.WaitDelay = time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return sample{}, err
	}
	watching, stopWatching := context.WithCancel(ctx)
	anonymous := watchAnonymous(watching, cmd.Process.Pid)
	err := cmd.Wait()
	wall := time.Since(start)
	stopWatching()
	if ctx.Err() != nil {
		return sample{}, fmt.Errorf("stopped after %v", timeout)
	}
	if err != nil {
		return sample{}, runError(err, stdout.String(), stderr.String())
	}
	s := sampleOf(cmd.ProcessState, wall, stdout.String())
	s.anonKiB = <-anonymous
	return s, nil
}

func runError(err error, stdout, stderr string) error {
	if line := firstLine(stderr); line != "" {
		return errors.New(line)
	}
	if line := firstLine(stdout); line != "" {
		return errors.New(line)
	}
	return err
}

func sampleOf(state *os.ProcessState, wall time.Duration, stdout string) sample {
	s := sample{wall: wall, cpu: state.UserTime() + state.SystemTime(), peakKiB: peakKiB(state)}
	if m := checksumLine.FindStringSubmatch(stdout); m != nil {
		s.checksum = m[1]
	}
	if m := secondsLine.FindStringSubmatch(stdout); m != nil {
		if told, err := strconv.ParseFloat(m[1], 64); err == nil {
			s.told = max(time.Duration(told*float64(time.Second)), floor)
		}
	}
	return s
}

// A series is all runs of one system on one program.
type series struct {
	system      system
	start, work []sample
	err         error
}

// measurePrograms runs everything, the systems in alternation.
func measurePrograms(ctx context.Context, dir string, opts options, progress io.Writer) (*programReport, error) {
	var chosenPrograms []program
	var err error
	switch {
	case opts.load:
		chosenPrograms, err = loadPrograms(opts.only, opts.facts)
	case opts.chr:
		chosenPrograms, err = programs(rulePrograms, opts.only)
	case opts.datalog:
		chosenPrograms, err = datalogSet(opts.only)
	case opts.ordinary:
		chosenPrograms, err = programs(ordinaryPrograms, opts.only)
	default:
		chosenPrograms, err = programs(kernelPrograms, opts.only)
	}
	if err != nil {
		return nil, err
	}
	systems, err := findSystems(ctx, dir, opts.systems)
	if err != nil {
		return nil, err
	}
	if opts.datalog {
		inGo, err := loop()
		if err != nil {
			return nil, err
		}
		systems = append(systems, inGo)
	}
	report := newProgramReport(ctx, opts, systems)
	for _, p := range chosenPrograms {
		fmt.Fprintf(progress, "%s ...\n", p.name)
		all, err := measureProgram(ctx, dir, p, systems, opts, progress)
		if err != nil {
			return nil, err
		}
		report.add(p, all)
	}
	report.summarize()
	return report, nil
}

func measureProgram(
	ctx context.Context, dir string, p program, systems []system, opts options, progress io.Writer,
) ([]*series, error) {
	if err := p.write(dir); err != nil {
		return nil, err
	}
	all := make([]*series, len(systems))
	for i, s := range systems {
		all[i] = &series{system: s}
		if s.prepare != nil {
			all[i].err = s.prepare(ctx, dir, p)
		}
	}
	for range opts.runs {
		for _, s := range all {
			s.once(ctx, dir, p, opts.timeout, progress)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return all, nil
}

// once adds a run, and says how it ended; a series that failed once is left alone.
func (s *series) once(ctx context.Context, dir string, p program, timeout time.Duration, progress io.Writer) {
	if s.err != nil {
		return
	}
	before := p
	if p.start != nil {
		before = *p.start
	}
	start, err := take(ctx, timeout, s.system.env, s.system.command(dir, before, "true"))
	if err != nil {
		s.err = fmt.Errorf("true: %w", err)
		return
	}
	goal := cmp.Or(p.goal, "bench")
	if s.system.small {
		goal = "small"
	}
	work, err := take(ctx, timeout, s.system.env, s.system.command(dir, p, goal))
	if err == nil && work.checksum == "" {
		err = errors.New("no checksum was printed")
	}
	if err != nil {
		s.err = err
		fmt.Fprintf(progress, "  %s: %v\n", s.system.name, err)
		return
	}
	fmt.Fprintf(progress, "  %s: %.2f s\n", s.system.name, work.wall.Seconds())
	s.start, s.work = append(s.start, start), append(s.work, work)
}
