package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// server is the product as a process of its own.
type server struct {
	cmd     *exec.Cmd
	address string
	began   time.Time     // just before it was started
	ready   chan struct{} // closed when its connections are warm
	ended   chan error
}

// startServer starts a server on the database of the bench.
func (b *bench) startServer(ctx context.Context) (*server, error) {
	return startServer(b.Serve(ctx, b.url("foyer_app")))
}

// startServer starts a server and waits until it logs its address.
func startServer(cmd *exec.Cmd) (*server, error) {
	s := &server{cmd: cmd, ended: make(chan error, 1), ready: make(chan struct{})}
	log, err := s.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	s.began = time.Now() // real time: it is measured
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(log)
	var before []string
	for s.address == "" && lines.Scan() {
		before = append(before, lines.Text())
		if line := said(lines.Bytes()); line.Msg == "serving" {
			s.address = line.Address
		}
	}
	go func() {
		for lines.Scan() { // a full pipe would stop the server
			if said(lines.Bytes()).Msg == "ready" {
				close(s.ready)
			}
		}
		s.ended <- s.cmd.Wait()
	}()
	if s.address == "" {
		return nil, errors.Join(fmt.Errorf("bench: the server did not start: %s", strings.Join(before, "\n")), <-s.ended)
	}
	return s, nil
}

// logLine is the used part of a line of the server's log.
type logLine struct{ Msg, Address string }

func said(text []byte) (line logLine) {
	_ = json.Unmarshal(text, &line) // an unreadable line is empty
	return line
}

// readyTime is the time for a server to report that it is ready. A build without that report is used as it is then.
const readyTime = 10 * time.Second

// awaitReady waits until the connections of the server are warm.
func (s *server) awaitReady() {
	select {
	case <-s.ready:
	case <-time.After(readyTime):
	}
}

// stop ends the server in good order.
func (s *server) stop() error {
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		return err
	}
	select {
	case err := <-s.ended:
		return err
	case <-time.After(30 * time.Second):
		return errors.Join(errors.New("bench: the server does not stop"), s.cmd.Process.Kill())
	}
}

// idleTime is how long a server does nothing before its memory is read.
const idleTime = 5 * time.Second

// start measures fresh servers: the time from the start to the first answer, which is a schedule with its read of the
// database, and the memory after a while of doing nothing. Connecting and checking the migrations depends on the
// database and is measured alone.
func (b *bench) start(ctx context.Context) ([]Row, error) {
	ours, err := b.starting()
	if err != nil {
		return nil, err
	}
	sides := []*starts{ours}
	if b.other != nil {
		theirs, err := b.other.starting()
		if err != nil {
			return nil, err
		}
		sides = append(sides, theirs)
	}
	var check, over, overOther series
	for round := range b.Rounds {
		began := time.Now() // real time: it is measured
		if err := b.Check(ctx); err != nil {
			return nil, err
		}
		check = append(check, time.Since(began).Seconds()*1e3)
		for i := range sides {
			if err := sides[(round+i)%len(sides)].once(ctx); err != nil {
				return nil, err
			}
		}
	}
	first := Row{Workload: "first answer of a fresh server over connecting, ms", Foyer: ours.first.median(), Floor: check.median(), Unit: "ms",
		Aim: Aim{Most: 100}}
	memory := Row{Workload: "memory of an idle server (PSS), MB", Foyer: ours.memory.median(), Floor: math.NaN(), Figure: ours.memory, Unit: "MB",
		Aim: Aim{Most: 40}}
	for _, ms := range ours.first {
		over = append(over, ms-check.median())
	}
	first.Figure = over
	if b.other != nil {
		theirs := sides[1]
		for _, ms := range theirs.first {
			overOther = append(overOther, ms-check.median())
		}
		first = first.beside(over, overOther)
		memory = memory.beside(ours.memory, theirs.memory)
	}
	if len(ours.memory) == 0 {
		return []Row{first}, nil
	}
	return []Row{first, memory}, nil
}

// starts are the fresh servers of one binary.
type starts struct {
	*bench
	program       string
	first, memory series
}

// starting copies the binary: pages without another mapping count in full. It is written page by page, as linkers and
// package managers do: of a file that is written at once Linux keeps, and maps, ranges of 2 MB.
func (b *bench) starting() (s *starts, err error) {
	from, err := os.Open(b.server.cmd.Path)
	if err != nil {
		return nil, err
	}
	defer from.Close()
	s = &starts{bench: b, program: filepath.Join(b.Dir, b.Database+"-alone")}
	to, err := os.OpenFile(s.program, os.O_CREATE|os.O_WRONLY, 0o700) //nolint:gosec // it is a program
	if err != nil {
		return nil, err
	}
	page := make([]byte, os.Getpagesize())
	_, err = io.CopyBuffer(struct{ io.Writer }{to}, struct{ io.Reader }{from}, page)
	return s, errors.Join(err, to.Close())
}

// once starts a server, waits for its first answer and, the first time, reads its idle memory.
func (s *starts) once(ctx context.Context) (err error) {
	cmd := s.Serve(ctx, s.url("foyer_app"))
	cmd.Path = s.program
	fresh, err := startServer(cmd)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, fresh.stop()) }()
	c, err := dial(fresh.address)
	if err != nil {
		return err
	}
	defer c.conn.Close()
	if _, err := c.do(s.scheduleRequest()); err != nil {
		return err
	}
	s.first = append(s.first, time.Since(fresh.began).Seconds()*1e3)
	if len(s.memory) > 0 {
		return nil
	}
	time.Sleep(idleTime)
	if mb := proportionalMB(fresh.cmd.Process.Pid); mb > 0 {
		s.memory = series{mb}
	}
	return nil
}
