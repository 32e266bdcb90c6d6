package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"strings"
	"time"
)

// server is the product as a process of its own.
type server struct {
	cmd     *exec.Cmd
	address string
	began   time.Time // just before it was started
	ended   chan error
}

// startServer starts the server and waits until it says where it serves.
func (b *bench) startServer(ctx context.Context) (*server, error) {
	s := &server{cmd: b.Serve(ctx, b.Database), ended: make(chan error, 1)}
	log, err := s.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	s.began = time.Now() // real time: it is what is measured
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(log)
	var said []string
	for s.address == "" && lines.Scan() {
		said = append(said, lines.Text())
		var line struct{ Msg, Address string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "serving" {
			s.address = line.Address
		}
	}
	go func() {
		for lines.Scan() { // a full pipe would stop the server
		}
		s.ended <- s.cmd.Wait()
	}()
	if s.address == "" {
		return nil, errors.Join(fmt.Errorf("bench: the server did not start: %s", strings.Join(said, "\n")), <-s.ended)
	}
	return s, nil
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

// start measures a fresh server: the time from its start to its first answer, which is a schedule with its read of the
// database, and its memory after a while of doing nothing. Connecting and checking the migrations depends on the database
// and is measured alone.
func (b *bench) start(ctx context.Context) ([]Row, error) {
	var first, check, over, memory series
	for range b.Rounds {
		began := time.Now() // real time: it is what is measured
		if err := b.Check(ctx); err != nil {
			return nil, err
		}
		check = append(check, time.Since(began).Seconds()*1e3)
		took, resident, err := b.startOnce(ctx, len(memory) == 0)
		if err != nil {
			return nil, err
		}
		first = append(first, took.Seconds()*1e3)
		if resident > 0 {
			memory = append(memory, resident)
		}
	}
	for i := range first {
		over = append(over, first[i]-check.median())
	}
	rows := []Row{{Workload: "first answer of a fresh server over connecting, ms", Foyer: first.median(), Floor: check.median(),
		Figure: over, Unit: "ms", Aim: Aim{Most: 100}}}
	if len(memory) > 0 {
		rows = append(rows, Row{Workload: "memory of an idle server, MB", Foyer: memory.median(), Floor: math.NaN(),
			Figure: memory, Unit: "MB", Aim: Aim{Most: 40}})
	}
	return rows, nil
}

// startOnce starts a server, waits for its first answer and, when asked, reads its idle memory.
func (b *bench) startOnce(ctx context.Context, idle bool) (took time.Duration, resident float64, err error) {
	s, err := b.startServer(ctx)
	if err != nil {
		return 0, 0, err
	}
	defer func() {
		if stopErr := s.stop(); err == nil {
			err = stopErr
		}
	}()
	c, err := dial(s.address)
	if err != nil {
		return 0, 0, err
	}
	defer c.conn.Close()
	if _, err := c.do(b.scheduleRequest()); err != nil {
		return 0, 0, err
	}
	took = time.Since(s.began)
	if idle {
		time.Sleep(idleTime)
		resident = residentMB(s.cmd.Process.Pid)
	}
	return took, resident, nil
}
