// Package pgtest starts PostgreSQL for tests, in a temporary folder.
package pgtest

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplogic/mcplogic/tools/deep"
)

// Server is a running server.
type Server struct {
	// Address is for clients.
	Address string

	bin, data string
	port      int
	owner     *user.User // who runs it, nil for the user of the test
}

// Start starts a server that ends with the test. The test is skipped in short mode and where PostgreSQL is not
// installed.
func Start(t *testing.T) *Server {
	t.Helper()
	if testing.Short() {
		t.Skip("PostgreSQL takes seconds to start")
	}
	const what = "stores and databases in PostgreSQL"
	bin := programs()
	if bin == "" {
		deep.Missing(t, what, "there is no PostgreSQL; on Debian: apt-get install postgresql")
	}
	s := &Server{bin: bin}
	if os.Geteuid() == 0 { // the server refuses to run as root
		owner, err := user.Lookup("postgres")
		_, missing := exec.LookPath("setpriv")
		if err != nil || missing != nil {
			deep.Missing(t, what, "there is no user postgres to run PostgreSQL, or no setpriv")
		}
		s.owner = owner
	}
	dir, err := os.MkdirTemp("", "mcplogic-pg-")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if s.owner != nil {
		uid, _ := strconv.Atoi(s.owner.Uid)
		require.NoError(t, os.Chown(dir, uid, -1))
	}
	s.data = filepath.Join(dir, "data")
	s.run(t, "initdb", "--no-sync", "-E", "UTF8", "-A", "trust", "-U", "postgres", "-D", s.data)
	for tries := 0; ; tries++ { // somebody else may have taken the port meanwhile
		s.port = freePort(t)
		s.Address = fmt.Sprintf("postgres://postgres@127.0.0.1:%d/postgres", s.port)
		out, err := s.start()
		if err == nil {
			break
		}
		require.Less(t, tries, 10, string(out))
	}
	t.Cleanup(func() { _ = s.command("pg_ctl", "-D", s.data, "-m", "immediate", "stop").Run() })
	return s
}

// Run starts a server that has been stopped.
func (s *Server) Run(t *testing.T) {
	t.Helper()
	out, err := s.start()
	require.NoError(t, err, string(out))
}

func (s *Server) start() (out []byte, err error) {
	options := fmt.Sprintf("-p %d -k %s -c listen_addresses=127.0.0.1 -c fsync=off", s.port, filepath.Dir(s.data))
	log := filepath.Join(filepath.Dir(s.data), "log")
	return s.command("pg_ctl", "-D", s.data, "-l", log, "-w", "-t", "600", "-o", options, "start").CombinedOutput()
}

// Kill ends the server as a crash does.
func (s *Server) Kill(t *testing.T) {
	t.Helper()
	s.run(t, "pg_ctl", "-D", s.data, "-m", "immediate", "stop")
}

// Pooler starts PgBouncer in transaction mode in front of the server, and returns its address.
func (s *Server) Pooler(t *testing.T) (address string) {
	t.Helper()
	bouncer, err := exec.LookPath("pgbouncer")
	if err != nil {
		deep.Missing(t, "databases behind a pooler", "there is no PgBouncer; on Debian: apt-get install pgbouncer")
	}
	const port = 6432 // of no network
	dir := filepath.Dir(s.data)
	file := filepath.Join(dir, "pooler.ini")
	require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, `[databases]
postgres = host=127.0.0.1 port=%d user=postgres
[pgbouncer]
listen_addr =
unix_socket_dir = %s
listen_port = %d
auth_type = any
pool_mode = transaction
default_pool_size = 2
logfile = %[2]s/pooler.log
`, s.port, dir, port), 0o644))
	cmd := s.command(bouncer, file)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	require.Eventually(t, func() bool {
		c, err := net.Dial("unix", filepath.Join(dir, fmt.Sprint(".s.PGSQL.", port))) // the file is there before it listens
		if err == nil {
			_ = c.Close()
		}
		return err == nil
	}, time.Minute, 10*time.Millisecond)
	return fmt.Sprintf("postgres:///postgres?user=postgres&port=%d&host=%s", port, url.QueryEscape(dir))
}

// SQL runs statements.
func (s *Server) SQL(t *testing.T, text string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), filepath.Join(s.bin, "psql"), "-X", "-q", "-v", "ON_ERROR_STOP=1", s.Address)
	cmd.Stdin = strings.NewReader(text)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
}

// programs returns the folder with the programs of the newest server, "" if there is none.
func programs() string {
	if path, err := exec.LookPath("initdb"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			return filepath.Dir(path)
		}
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) == 0 {
		return ""
	}
	return filepath.Dir(found[len(found)-1])
}

func (s *Server) run(t *testing.T, program string, args ...string) {
	t.Helper()
	out, err := s.command(program, args...).CombinedOutput()
	require.NoError(t, err, string(out))
}

// command returns a command that runs as the owner: a program of the server, or another one at a path.
func (s *Server) command(program string, args ...string) *exec.Cmd {
	if !filepath.IsAbs(program) {
		program = filepath.Join(s.bin, program)
	}
	args = append([]string{program}, args...)
	if s.owner != nil {
		args = append([]string{"setpriv", "--reuid", s.owner.Uid, "--regid", s.owner.Gid, "--clear-groups"}, args...)
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = filepath.Dir(s.data)
	return cmd
}

// freePort returns a port that nobody uses at the moment.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
