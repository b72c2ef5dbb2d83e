// Command embed times queries of a Go program that embeds this engine, beside the same queries of cel-go, OPA and
// ichiban/prolog: processor time, bytes and objects of a query, and how many more queries two goroutines get done than
// one. go run ./tools/bench -embed runs it. It is a module of its own, so that what the peers need is nobody else's.
//
// The systems take turns, in rounds: a busy moment of the machine hits all of them. The ratios of two goroutines are
// those of wall time, and mean something on an idle machine alone; the load is printed with them. Beside them stand
// those of two processes that ask the same: they share nothing, so that their ratio is what the machine can give.
package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// system is one way to ask. Each function of new is for a goroutine; it asks question number i.
type system struct {
	name string
	new  func() (ask func(ctx context.Context, i int) (bool, error), err error)
	// slow systems are asked a hundredth as often.
	slow bool
	// unchecked systems are asked something else than whether access is allowed.
	unchecked bool
}

// result is what rounds have measured.
type result struct {
	cpu            []time.Duration // of a query by one goroutine
	bytes, objects uint64
	ratios         []float64 // queries in a time, by two goroutines and by one
	apart          []float64 // the same of two processes and of one
}

func main() {
	only := flag.String("only", "", "systems whose names have this in them; empty for all")
	rounds := flag.Int("rounds", 5, "how often each system takes its turn")
	queries := flag.Int("queries", 20_000, "queries in a turn")
	child := flag.Bool("child", false, "ask when a line has come, and print how long that took")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if *child {
		if err := askAlone(ctx, *only, *queries); err != nil {
			log.Fatal(err)
		}
		return
	}
	if err := run(ctx, *only, *rounds, *queries); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, only string, rounds, queries int) error {
	before := load()
	systems := all()
	systems = slices.DeleteFunc(systems, func(s system) bool { return !strings.Contains(s.name, only) })
	results := make([]result, len(systems))
	for range rounds {
		for i, s := range systems {
			n := queries
			if s.slow {
				n = max(queries/100, 1)
			}
			err := results[i].turn(ctx, &s, n)
			if err == nil {
				err = results[i].turnApart(ctx, &s, n)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
		}
	}
	fmt.Printf("load %s before, %s after; %d rounds of %d queries\n\n", before, load(), rounds, queries)
	fmt.Printf("%-42s %10s %8s %8s %14s %14s\n", "", "cpu, us", "bytes", "objects", "2 goroutines", "2 processes")
	for i, s := range systems {
		r := &results[i]
		fmt.Printf("%-42s %10.2f %8d %8d %8.2f times %8.2f times\n", s.name, float64(median(r.cpu).Nanoseconds())/1000,
			r.bytes, r.objects, median(r.ratios), median(r.apart))
	}
	return ctx.Err()
}

// turn measures one goroutine, and then two.
func (r *result) turn(ctx context.Context, s *system, n int) error {
	var asks [2]func(context.Context, int) (bool, error)
	for i := range asks {
		ask, err := s.new()
		if err != nil {
			return err
		}
		asks[i] = ask
		if err := repeat(ctx, s, ask, n/10); err != nil { // what a first query compiles is not measured
			return err
		}
	}
	runtime.GC()
	var was, is runtime.MemStats
	runtime.ReadMemStats(&was)
	began, cpu := time.Now(), processorTime()
	if err := repeat(ctx, s, asks[0], n); err != nil {
		return err
	}
	alone := time.Since(began)
	r.cpu = append(r.cpu, (processorTime()-cpu)/time.Duration(n))
	runtime.ReadMemStats(&is)
	r.bytes, r.objects = (is.TotalAlloc-was.TotalAlloc)/uint64(n), (is.Mallocs-was.Mallocs)/uint64(n)

	var group sync.WaitGroup
	var failed [2]error
	began = time.Now()
	for i, ask := range asks {
		group.Go(func() { failed[i] = repeat(ctx, s, ask, n) })
	}
	group.Wait()
	r.ratios = append(r.ratios, 2*float64(alone)/float64(time.Since(began)))
	return errors.Join(failed[:]...)
}

// turnApart measures one process, and then two.
func (r *result) turnApart(ctx context.Context, s *system, n int) error {
	alone, err := askApart(ctx, s, n, 1)
	if err != nil {
		return err
	}
	both, err := askApart(ctx, s, n, 2)
	if err == nil {
		r.apart = append(r.apart, 2*float64(alone)/float64(both))
	}
	return err
}

// askApart has processes ask n questions each at the same time and returns how long the slowest took.
func askApart(ctx context.Context, s *system, n, processes int) (longest time.Duration, err error) {
	executable, err := os.Executable()
	if err != nil {
		return 0, err
	}
	var starts []io.Writer
	var outs []*bufio.Reader
	for range processes {
		cmd := exec.CommandContext(ctx, executable, "-child", "-only", s.name, "-queries", strconv.Itoa(n))
		cmd.Stderr = os.Stderr
		start, err := cmd.StdinPipe()
		if err != nil {
			return 0, err
		}
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			return 0, err
		}
		defer cmd.Wait()
		defer start.Close()
		starts, outs = append(starts, start), append(outs, bufio.NewReader(out))
	}
	for _, out := range outs { // each is ready
		if _, err := out.ReadString('\n'); err != nil {
			return 0, err
		}
	}
	for _, start := range starts {
		fmt.Fprintln(start, "go")
	}
	for _, out := range outs {
		line, err := out.ReadString('\n')
		if err != nil {
			return 0, err
		}
		took, err := time.ParseDuration(strings.TrimSpace(line))
		if err != nil {
			return 0, err
		}
		longest = max(longest, took)
	}
	return longest, nil
}

// askAlone is what such a process does.
func askAlone(ctx context.Context, name string, n int) error {
	systems := all()
	i := slices.IndexFunc(systems, func(s system) bool { return s.name == name })
	if i < 0 {
		return fmt.Errorf("there is no system %q", name)
	}
	s := &systems[i]
	ask, err := s.new()
	if err == nil {
		err = repeat(ctx, s, ask, n/10)
	}
	if err != nil {
		return err
	}
	fmt.Println("ready")
	var word string
	if _, err := fmt.Scanln(&word); err != nil {
		return err
	}
	began := time.Now()
	err = repeat(ctx, s, ask, n)
	fmt.Println(time.Since(began))
	return err
}

// repeat asks n questions and looks at the answers.
func repeat(ctx context.Context, s *system, ask func(context.Context, int) (bool, error), n int) error {
	for i := range n {
		yes, err := ask(ctx, i)
		if err != nil {
			return err
		}
		if yes != (s.unchecked || allowed(i)) {
			return fmt.Errorf("question %d is answered %t", i, yes)
		}
	}
	return nil
}

// all are the systems.
func all() []system { return slices.Concat(engines(), servers(), peers()) }

func median[T cmp.Ordered](list []T) T {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[len(sorted)/2]
}

func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// load is the average number of running processes in the last minute.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Fields(string(text))[0]
}

// This part defines the question: may a user do something with a resource? 5,000 users have a role each, 5,000
// resources a kind and an owner, and six permits say which role may do something with a kind. Three of four may.

const (
	users = 5000
	pairs = 1000
)

func userName(i int) string     { return fmt.Sprintf("u%d", i%users) }
func resourceName(i int) string { return fmt.Sprintf("res%d", i%users) }

func role(i int) string { return fmt.Sprintf("role%d", i%2) }
func kind(i int) string { return fmt.Sprintf("kind%d", i/2%4) }

// permits are the kinds that a role may read.
var permits = [][2]string{{"role0", "kind0"}, {"role0", "kind1"}, {"role0", "kind2"}, {"role1", "kind0"},
	{"role1", "kind1"}, {"role1", "kind3"}}

// asked returns the names in question i.
func asked(i int) (user, resource string) { return names[i%pairs][0], names[i%pairs][1] }

var names = func() (list [pairs][2]string) {
	for i := range list {
		list[i] = [2]string{userName(7 * i), resourceName(7 * i)}
	}
	return list
}()

// allowed is the answer to question i.
func allowed(i int) bool { return answers[i%pairs] }

var answers = func() (list [pairs]bool) {
	for i := range list {
		user := 7 * i % users
		list[i] = slices.Contains(permits, [2]string{role(user), kind(user)})
	}
	return list
}()
