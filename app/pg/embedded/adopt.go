package embedded

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// unreachablePatience is how long a server may live without a socket: one that just starts has none yet, one whose
// socket directory was deleted never gets it back.
const unreachablePatience = 10 * time.Second

// adopt looks for a running server of the data directory and returns it when it answers; nil when there is none. A
// server that is starting or shutting down is waited for. The caller holds the start lock.
func adopt(ctx context.Context, c config) (*Server, error) {
	file := filepath.Join(c.DataDir, "postmaster.pid")
	for waited, unreachable := time.Duration(0), time.Duration(0); ; waited += probePause {
		pid, at, err := readPID(file)
		if err != nil || pid == 0 {
			return nil, err
		}
		if !serves(pid, c.DataDir) {
			return nil, removeStale(file, pid)
		}
		version, answer, err := probe(ctx, at)
		switch answer {
		case answers:
			return &Server{address: at, version: version, adopted: true}, nil
		case notYet:
			unreachable = 0
		case silent:
			unreachable += probePause
		}
		if answer == refuses || unreachable > unreachablePatience {
			return nil, fmt.Errorf("a server runs in %s (process %d) but does not let us in: %w", c.DataDir, pid, err)
		}
		if waited == slowStart {
			c.progress(fmt.Sprintf("Waiting for the PostgreSQL server that runs in %s (process %d)", c.DataDir, pid))
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("waiting for the server in %s (process %d): %w", c.DataDir, pid, context.Cause(ctx))
		case <-time.After(probePause):
		}
	}
}

// readPID reads what a server writes down about itself: a line each for process, data directory, start, port, socket
// directory and more; the later lines are written later. pid 0 means that there is no such file, or that it is not one,
// which Postgres itself complains about.
func readPID(file string) (pid int, at address, err error) {
	text, err := os.ReadFile(file)
	switch {
	case errors.Is(err, os.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return 0, address{}, nil
	case errors.Is(err, os.ErrPermission):
		return 0, address{}, fmt.Errorf("the data directory belongs to another account: %w", err)
	case err != nil:
		return 0, address{}, err
	}
	lines := append(strings.Split(string(text), "\n"), make([]string, 6)...)
	pid, _ = strconv.Atoi(strings.TrimSpace(lines[0]))
	at.port, _ = strconv.Atoi(lines[3])
	at.sockets = lines[4]
	return pid, at, nil
}

// removeStale deletes the file of a dead server when its process number is taken: by another program, or by the zombie
// of the server itself. Postgres would refuse to start. When the number is free it knows better than we what to do.
func removeStale(file string, pid int) error {
	if err := syscall.Kill(pid, 0); errors.Is(err, syscall.ESRCH) {
		return nil
	}
	return os.Remove(file)
}
