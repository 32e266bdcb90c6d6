package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// program is one life of a foyer that serves or works.
type program struct {
	cmd     *exec.Cmd
	address string        // where it listens
	ended   chan struct{} // closed when it is gone

	mu   sync.Mutex
	last []string // of what it said
}

// command is how a program is started, again and again.
type command struct {
	binary string
	args   []string
	env    []string
	log    string // file that gets what it says
}

// startMost is how long it may take to listen, and warmMost until its connections are warm: a build of before there was such a word
// is taken as it is then.
const (
	startMost = time.Minute
	warmMost  = 10 * time.Second
)

// start starts it and returns when it is ready: its connections are warm.
func (c command) start(ctx context.Context) (*program, error) {
	p := &program{cmd: exec.Command(c.binary, c.args...), ended: make(chan struct{})} //nolint:gosec // ourselves
	p.cmd.Env = c.env
	said, err := p.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	keep, err := os.OpenFile(c.log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, errors.Join(err, keep.Close())
	}
	serving, ready := make(chan string, 1), make(chan struct{})
	go p.listen(said, keep, serving, ready)
	late := time.NewTimer(startMost)
	defer late.Stop()
	select {
	case p.address = <-serving:
		select {
		case <-ready:
		case <-time.After(warmMost):
		}
		return p, nil
	case <-p.ended:
		return nil, fmt.Errorf("%s ended at once: %s", filepath.Base(c.binary), p.words())
	case <-late.C:
	case <-ctx.Done():
	}
	p.kill()
	return nil, fmt.Errorf("%s does not start: %s", filepath.Base(c.binary), p.words())
}

// wordsMost is how many of its last lines are kept at hand.
const wordsMost = 5

// listen reads what it says to its end.
func (p *program) listen(said io.Reader, keep *os.File, serving chan<- string, ready chan<- struct{}) {
	defer keep.Close()
	lines := bufio.NewReader(said)
	for {
		text, err := lines.ReadString('\n')
		if err != nil {
			break
		}
		_, _ = keep.WriteString(text) // the log is for whoever looks for a cause
		var line struct{ Msg, Address string }
		_ = json.Unmarshal([]byte(text), &line) // what is not JSON says neither
		switch line.Msg {
		case "serving":
			serving <- line.Address
		case "ready":
			close(ready)
		}
		p.mu.Lock()
		if p.last = append(p.last, strings.TrimSpace(text)); len(p.last) > wordsMost {
			p.last = p.last[1:]
		}
		p.mu.Unlock()
	}
	_ = p.cmd.Wait() // the exit code is read from its state
	close(p.ended)
}

// words is what it said last.
func (p *program) words() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.last, " / ")
}

// kill is kill -9, and returns when it is gone.
func (p *program) kill() {
	_ = p.cmd.Process.Kill() // it may be gone already
	<-p.ended
}

// endMost is when a supervisor loses patience.
const endMost = 30 * time.Second

// end is SIGTERM. It tells how long it took; a program that does not end is killed.
func (p *program) end() (took time.Duration, err error) {
	began := time.Now()                       // real time: it is what is measured
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // it may be gone already
	late := time.NewTimer(2 * endMost)
	defer late.Stop()
	select {
	case <-p.ended:
		took = time.Since(began)
		if code := p.cmd.ProcessState.ExitCode(); code != 0 {
			err = fmt.Errorf("it ended with %d: %s", code, p.words())
		}
		return took, err
	case <-late.C:
		p.kill()
		return time.Since(began), errors.New("it does not end")
	}
}

// alive tells whether it still runs.
func (p *program) alive() bool {
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

// memory is what it holds, in bytes. 0 where the machine does not tell.
func (p *program) memory() int64 {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(p.cmd.Process.Pid), "status"))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kb, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kb << 10
		}
	}
	return 0
}
