package embedded

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
)

// child is a server program that runs as a child of this process and ends with it.
type child struct {
	cmd     *exec.Cmd
	ended   chan struct{} // closed after err is set
	err     error
	tail    *tail
	cleanup func() // after the end, when set
}

// run starts a server program as the account. The program gets none of our environment: PG… variables would change
// its behaviour. Its process group is its own, so that Ctrl-C in a terminal reaches us first and we can end in good
// order.
func run(acc account, to io.Writer, program string, args ...string) (*child, error) {
	p := &child{ended: make(chan struct{}), tail: &tail{to: to}}
	p.cmd = exec.Command(program, args...)
	p.cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"}
	p.cmd.Dir = "/"
	p.cmd.Stdout, p.cmd.Stderr = p.tail, p.tail
	p.cmd.WaitDelay = time.Second // a process left by a killed server may keep our pipe open
	p.cmd.SysProcAttr = endWithParent(acc.credential())
	started := make(chan error)
	go func() {
		// The kernel signals the child at the end of the thread that made it, not of the process: this thread serves
		// the child only, and ends after it.
		runtime.LockOSThread()
		err := p.cmd.Start()
		started <- err
		if err == nil {
			p.err = p.cmd.Wait()
			close(p.ended)
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

// wait returns when the program has ended. When ctx ends first it ends the program, too.
func (p *child) wait(ctx context.Context) error {
	select {
	case <-p.ended:
		return p.err
	case <-ctx.Done():
		p.cmd.Process.Signal(os.Interrupt)
		<-p.ended
		return context.Cause(ctx)
	}
}

// stop is Postgres's fast shutdown, and its immediate one when ctx ends before.
func (p *child) stop(ctx context.Context) error {
	p.cmd.Process.Signal(syscall.SIGINT)
	var err error
	select {
	case <-p.ended:
	case <-ctx.Done():
		err = fmt.Errorf("embedded postgres: stopping: %w", context.Cause(ctx))
		p.cmd.Process.Signal(syscall.SIGQUIT)
		<-p.ended // Postgres itself kills its processes after five seconds
	}
	if p.cleanup != nil {
		p.cleanup()
	}
	return err
}

// tail keeps the end of the log for error messages and passes all of it on.
type tail struct {
	mu  sync.Mutex
	end []byte
	to  io.Writer
}

const tailSize = 4 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.end = append(t.end, p...)
	if over := len(t.end) - tailSize; over > 0 {
		t.end = append([]byte(nil), t.end[over:]...)
	}
	t.to.Write(p) // a log that cannot be written must not stop the server
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.end))
}
