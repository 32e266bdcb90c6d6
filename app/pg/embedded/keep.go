package embedded

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"
)

// The limits for restarts: a server that keeps dying needs an operator.
const (
	keepTries  = 5
	keepWindow = time.Minute
	keepPause  = time.Second // after a failed start, and between two checks of a server that another process owns
)

// Keep restarts the server whenever it ends, and returns nil when ctx does. It returns an error when the server has
// ended, or could not be started, five times within a minute. End ctx, and wait for Keep, before Stop.
//
// A server of another process becomes ours when that process ends. The address stays the same: pools reconnect by
// themselves.
func (s *Server) Keep(ctx context.Context) error {
	var ends []time.Time
	for err := s.ended(ctx); ctx.Err() == nil; {
		now := time.Now() // real time: a test's clock does not make a server die more often
		ends = append(slices.DeleteFunc(ends, func(t time.Time) bool { return now.Sub(t) > keepWindow }), now)
		if len(ends) == keepTries {
			return fmt.Errorf("embedded postgres: it ended %d times within %s: %w", keepTries, keepWindow, err)
		}
		s.config.Progress("PostgreSQL has ended and is started again: " + err.Error())
		if err = s.again(ctx); err == nil {
			err = s.ended(ctx)
			continue
		}
		select {
		case <-ctx.Done():
		case <-time.After(keepPause):
		}
	}
	return nil
}

// ended returns when the server has ended, or ctx.
func (s *Server) ended(ctx context.Context) error {
	if s.owned != nil {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.owned.ended:
			return errors.Join(errEnded, s.owned.err, errors.New(s.owned.tail.String()))
		}
	}
	file := filepath.Join(s.config.DataDir, "postmaster.pid")
	for {
		if pid, _, err := readPID(file); err == nil && !serves(pid, s.config.DataDir) {
			return errEnded
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(keepPause):
		}
	}
}

var errEnded = errors.New("postgres ended")

// again starts the server in the place of the one that has ended.
func (s *Server) again(ctx context.Context) error {
	lock, err := lockStart(ctx, s.config)
	if err != nil {
		return err
	}
	defer lock.Close()
	next, err := open(ctx, s.config, lock)
	if err != nil {
		return err
	}
	s.owned, s.adopted = next.owned, next.adopted
	if next.address != s.address {
		return fmt.Errorf("the server listens in %s now, and not in %s", next.sockets, s.sockets)
	}
	return nil
}
