package embedded

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

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
	c.log = os.Stderr
	c.progress = func(line string) { tell(report, reportProgress, line) }

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

// tell writes a report in one line. Who should read it may be gone.
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

// endUnused stops the server while it holds both locks: users take their share under the start lock, so nobody is here
// and nobody can come. Who comes meanwhile waits, and then starts a new server.
func endUnused(c config, s *Server) (code int, ended bool) {
	lock, err := tryLock(c.lockFile(), exclusive)
	if errors.Is(err, errLocked) {
		return 0, false
	}
	defer lock.Close() // without a lock file, because its directory was deleted, nobody can come either
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

// holderPatience is how long open connections may take to end. They are nobody's: every user is gone.
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
