package embedded_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"foyer/app/apptest/scratch"
	"foyer/app/pg/embedded"
)

// childRole makes the test binary a program that starts a server with the given options, prints its address and
// waits. The tests kill it.
const childRole = "FOYER_EMBEDDED_TEST_CHILD"

// atOnce is how many tests run side by side: most of their time they wait for servers that come up, linger and end.
const atOnce = 6

func TestMain(m *testing.M) {
	if options := os.Getenv(childRole); options != "" {
		os.Exit(childMain(options))
	}
	if err := flag.Set("test.parallel", strconv.Itoa(max(atOnce, runtime.GOMAXPROCS(0)))); err != nil { // a flag of go test overrides it
		panic(err)
	}
	code := m.Run()
	if made.dir != "" {
		os.RemoveAll(made.dir)
	}
	os.Exit(code)
}

func childMain(options string) int {
	var o embedded.Options
	if err := json.Unmarshal([]byte(options), &o); err != nil {
		fmt.Println("failed:", err)
		return 2
	}
	s, err := embedded.Start(context.Background(), o)
	if err != nil {
		fmt.Println("failed:", err)
		return 1
	}
	fmt.Println("ready:", s.URL("postgres", "postgres"))
	io.Copy(io.Discard, os.Stdin)
	if err := s.Stop(context.Background()); err != nil {
		fmt.Println("failed:", err)
		return 1
	}
	return 0
}

// program is the test binary as a running child.
type program struct {
	*exec.Cmd
	url string
	end func() // closes its standard input, which lets it stop its server and end
}

// startProgram runs the test binary as a child and returns when its server is up. change may set the account.
func startProgram(t *testing.T, o embedded.Options, change func(*exec.Cmd)) program {
	t.Helper()
	o.Log, o.Progress, o.Getenv = nil, nil, nil
	options, err := json.Marshal(struct {
		DataDir, CacheDir string
		Fast, Detach      bool
		Linger            time.Duration
	}{o.DataDir, o.CacheDir, o.Fast, o.Detach, o.Linger})
	must(t, err)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childRole+"="+string(options))
	if change != nil {
		change(cmd)
	}
	stdin, err := cmd.StdinPipe()
	must(t, err)
	stdout, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() {
		stdin.Close()
		cmd.Wait()
	})
	line, _ := bufio.NewReader(stdout).ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "ready: ")
	if !ok {
		t.Fatalf("the child says %q", line)
	}
	t.Cleanup(func() { removeSockets(o, url) })
	return program{cmd, url, func() { stdin.Close(); cmd.Wait() }}
}

func (p program) kill(t *testing.T) {
	t.Helper()
	must(t, p.Process.Kill())
	p.Wait()
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// workDir is a fresh directory that every account can pass through, which t.TempDir is not.
func workDir(t *testing.T) string { t.Helper(); return workDirIn(t, "") }

// workDirIn is workDir below a folder.
func workDirIn(t *testing.T, parent string) string {
	t.Helper()
	dir, err := os.MkdirTemp(parent, "embedded-")
	must(t, err)
	t.Cleanup(func() {
		within(t, patience, "the servers below the directory ended", func() bool {
			running, _ := filepath.Glob(filepath.Join(dir, "*", "postmaster.pid"))
			return len(running) == 0
		})
		os.RemoveAll(dir)
	})
	must(t, os.Chmod(dir, 0o755))
	return dir
}

// made is a data directory that initdb made once for all tests. It and its copies are in memory where there is room:
// 40 MB in 1,000 files each.
var made struct {
	sync.Once
	dir string
	err error
}

// dataDir returns a data directory of its own for a test.
func dataDir(t *testing.T) string {
	t.Helper()
	made.Do(func() {
		if made.dir, made.err = os.MkdirTemp(scratch.Dir(), "embedded-made-"); made.err != nil {
			return
		}
		if made.err = os.Chmod(made.dir, 0o755); made.err != nil {
			return
		}
		var s *embedded.Server
		s, made.err = embedded.Start(context.Background(), embedded.Options{DataDir: filepath.Join(made.dir, "pg"), Fast: true})
		if made.err == nil {
			made.err = s.Stop(context.Background())
		}
	})
	must(t, made.err)
	dir := filepath.Join(workDirIn(t, scratch.Dir()), "pg")
	if out, err := exec.Command("cp", "-a", filepath.Join(made.dir, "pg"), dir).CombinedOutput(); err != nil {
		t.Fatalf("cp: %v %s", err, out)
	}
	return dir
}

// start starts a server and stops it after the test.
func start(t *testing.T, o embedded.Options) *embedded.Server {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	s, err := embedded.Start(ctx, o)
	must(t, err)
	t.Cleanup(func() {
		s.Stop(context.Background())
		removeSockets(o, root(s))
	})
	return s
}

// removeSockets deletes the sockets of killed servers.
func removeSockets(o embedded.Options, url string) {
	if serverPID(o.DataDir) == 0 {
		os.RemoveAll(socketDir(url))
	}
}

func socketDir(connection string) string {
	u, err := url.Parse(connection)
	if err != nil {
		return ""
	}
	return u.Query().Get("host")
}

// fails starts a server that must not start, and returns the error's text.
func fails(t *testing.T, o embedded.Options) string {
	t.Helper()
	s, err := embedded.Start(t.Context(), o)
	if err == nil {
		s.Stop(context.Background())
		t.Fatal("the server started")
	}
	return err.Error()
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in: %s", part, text)
		}
	}
}

// version is the version that the server reports.
func version(t *testing.T, s *embedded.Server) string {
	t.Helper()
	return ask(t, root(s), "select current_setting('server_version')")
}

// ask runs one statement as the superuser and returns its one value as text.
func ask(t *testing.T, url, sql string) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	defer conn.Close(context.Background())
	var out *string
	err = conn.QueryRow(t.Context(), sql).Scan(&out)
	if err == pgx.ErrNoRows || err == nil && out == nil {
		return ""
	}
	must(t, err)
	return *out
}

func root(s *embedded.Server) string { return s.URL("postgres", "postgres") }

// serverPID is the process of the server that runs in dir; 0 when it was shut down in good order, which deletes the
// file.
func serverPID(dir string) int {
	text, err := os.ReadFile(filepath.Join(dir, "postmaster.pid"))
	if err != nil {
		return 0
	}
	pid, _ := strconv.Atoi(string(bytes.SplitN(text, []byte("\n"), 2)[0]))
	return pid
}

func within(t *testing.T, limit time.Duration, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(limit); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within %v: %s", limit, what)
		}
	}
}

func killServer(t *testing.T, dir string) {
	t.Helper()
	must(t, syscall.Kill(serverPID(dir), syscall.SIGKILL))
}

// logged is a log that can be read while it is written.
type logged struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// settings is an environment for Options.Getenv: the process's own with changes.
func settings(changes map[string]string) func(string) string {
	return func(name string) string {
		if v, ok := changes[name]; ok {
			return v
		}
		return os.Getenv(name)
	}
}
