package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
