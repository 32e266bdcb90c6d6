package embedded

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// A detached server is owned by a holder: this same program, started once more under another name, in a session of
// its own. The holder is an ordinary owner. It starts the server as its child, so the server ends with it even if it
// is killed, and it stops the server when no process has held <data>.users for Options.Linger. Every user holds a
// share of that file from before it searches for the server until it stops or dies; the kernel keeps the count, so no
// crash can spoil it.
//
// The process that starts the holder passes on its start lock. If it is killed in the middle, the lock is still held
// until the server is up, and no other process starts a second one.

// holderName is the program name (argv[0]) that makes this program a holder. Its one argument is the config as JSON.
const holderName = "foyer-postgres-holder"

// The files that the holder inherits.
const (
	holderLock   = 3 + iota // the held start lock
	holderReport            // a pipe to the starter: one line per step, each with one of the marks below
)

// The first byte of a report.
const (
	reportProgress = '.'
	reportReady    = '+'
	reportFailed   = '!'
)

// The holder must be this very program: a test binary has no other command to start. It takes over before main, and
// before the initialization of importing packages.
func init() {
	if len(os.Args) == 2 && os.Args[0] == holderName {
		os.Exit(holderMain(os.Args[1]))
	}
}

// detach starts a holder and returns its server once it answers. The caller holds the start lock.
func detach(ctx context.Context, c config, lock *os.File) (*Server, error) {
	report, err := startHolder(c, lock)
	if err != nil {
		return nil, fmt.Errorf("starting the holder process: %w", err)
	}
	defer report.Close()
	defer context.AfterFunc(ctx, func() { report.Close() })()
	if err := followReport(report, c.Progress); err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return nil, err
	}
	s, err := adopt(ctx, c)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return nil, fmt.Errorf("the server ended as soon as it was up; its log is %s", c.logFile())
	}
	s.adopted = false
	return s, nil
}

func startHolder(c config, lock *os.File) (report *os.File, err error) {
	arg, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	program, err := self()
	if err != nil {
		return nil, err
	}
	// Its output goes to a file: a pipe of ours would block readers of our own output.
	log, err := os.OpenFile(c.logFile(), os.O_WRONLY|os.O_CREATE|os.O_TRUNC|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	report, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer w.Close()
	cmd := exec.Command(program)
	cmd.Args = []string{holderName, string(arg)}
	cmd.Dir = "/"
	cmd.Stdout, cmd.Stderr = log, log
	cmd.ExtraFiles = []*os.File{lock, w}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		report.Close()
		return nil, err
	}
	go cmd.Wait() // if it ends before us, it must not stay a zombie
	return report, nil
}

// followReport passes on the holder's progress and returns when its server is up, or the reason that it is not.
func followReport(report *os.File, progress func(string)) error {
	lines := bufio.NewScanner(report)
	for lines.Scan() {
		line := lines.Text()
		if line == "" {
			continue
		}
		switch line[0] {
		case reportProgress:
			progress(line[1:])
		case reportReady:
			return nil
		case reportFailed:
			return errors.New(strings.ReplaceAll(line[1:], "\r", "\n"))
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	return errors.New("the holder process died")
}

// holderMain is the life of a holder: start the server, wait until it is no longer wanted, stop it. It returns the exit
// code.
func holderMain(arg string) int {
	lock, report := os.NewFile(holderLock, "start lock"), os.NewFile(holderReport, "report")
	var c config
	if err := json.Unmarshal([]byte(arg), &c); err != nil || lock == nil || report == nil {
		fmt.Fprintln(os.Stderr, "this program name is for the holder of a detached server only")
		return 2
	}
	// Children must not inherit the lock, or the server itself would hold it.
	syscall.CloseOnExec(holderLock)
	syscall.CloseOnExec(holderReport)
	c.Log = os.Stderr
	c.Progress = func(line string) { tell(report, reportProgress, line) }

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	s, err := own(ctx, c)
	if err != nil {
		tell(report, reportFailed, err.Error())
		return 1
	}
	tell(report, reportReady, "")
	report.Close()
	lock.Close()
	return hold(ctx, c, s)
}

// tell writes a report in one line. The reader may be gone.
func tell(report *os.File, mark byte, text string) {
	fmt.Fprintf(report, "%c%s\n", mark, strings.ReplaceAll(text, "\n", "\r"))
}

// hold waits until the server ends by itself, the holder is told to end, or the last user has been gone for c.Linger;
// then it stops the server.
func hold(ctx context.Context, c config, s *Server) int {
	pause := min(max(c.Linger/60, 10*time.Millisecond), time.Second)
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for unused := time.Duration(0); ; {
		select {
		case <-s.owned.ended:
			fmt.Fprintln(os.Stderr, "the server ended by itself:", s.owned.err)
			endServer(s) // tidies up
			return 1
		case <-ctx.Done():
			return endServer(s)
		case <-tick.C:
		}
		if unused += pause; inUse(c) {
			unused = 0
		}
		if unused < c.Linger {
			continue
		}
		if code, ended := endUnused(c, s); ended {
			return code
		}
		unused = 0
	}
}

// endUnused stops the server while it holds both locks: users take their share under the start lock, so there is no
// user and no new one can come. A process that arrives meanwhile waits, and then starts a new server.
func endUnused(c config, s *Server) (code int, ended bool) {
	lock, err := tryLock(c.lockFile(), exclusive)
	if errors.Is(err, errLocked) {
		return 0, false
	}
	defer lock.Close() // without a lock file, because its directory was deleted, no user can come either
	if inUse(c) {
		return 0, false
	}
	s.owned.cleanup = func() { os.Remove(s.sockets) }
	return endServer(s), true
}

func inUse(c config) bool {
	f, err := tryLock(c.usersFile(), exclusive)
	if err == nil {
		f.Close()
	}
	return errors.Is(err, errLocked)
}

// holderPatience is the time for open connections to end. They are unused: every user is gone.
const holderPatience = 20 * time.Second

func endServer(s *Server) int {
	ctx, cancel := context.WithTimeout(context.Background(), holderPatience)
	defer cancel()
	if err := s.owned.stop(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}
