package web

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/gofiber/fiber/v2"

	"foyer/app/fault"
	"foyer/app/web/op"
)

// Check is one thing without which a process cannot serve. What is wrong goes to the log; the answer names the check only.
type Check struct {
	Name string
	OK   func(ctx context.Context) error
	// Aside is for what is worth telling and no reason to send requests elsewhere.
	Aside bool
}

// checkTime is how long a check may take before it counts as failed.
const checkTime = 2 * time.Second

// alive answers as long as the process handles requests at all. A supervisor that gets no answer starts it again.
func (s *Server) alive(c *fiber.Ctx) error { return c.SendString("ok\n") }

// health is what op.ReadyPath answers: as it stands with 200, and as the details of a refusal with 503.
type health struct {
	Ready  bool              `json:"ready"`
	Checks map[string]string `json:"checks"` // "ok", "failed" or "leaving"
}

// errNotReady is told in the envelope of every refusal (A66). Its status is 503 all the same: load balancers know it, and no
// operation of the API ever answers it.
var errNotReady = fault.New(fault.Internal, "not_ready", "Send requests elsewhere for now.")

// notReadyRetry is in seconds.
const notReadyRetry = 5

// ready answers 200 when requests should be sent here, else 503: while a check fails, and from the moment the process was told to end.
func (s *Server) ready(c *fiber.Ctx) error {
	h := health{Ready: true, Checks: map[string]string{}}
	if s.leaving.Load() {
		h = health{Checks: map[string]string{"process": "leaving"}}
	}
	for _, check := range s.opt.Checks {
		ctx, cancel := context.WithTimeout(c.UserContext(), checkTime)
		err := check.OK(ctx)
		cancel()
		h.Checks[check.Name] = "ok"
		if err != nil {
			h.Ready, h.Checks[check.Name] = h.Ready && check.Aside, "failed"
			s.opt.Log.LogAttrs(c.UserContext(), slog.LevelWarn, "not ready", slog.String("check", check.Name), slog.Any("error", err))
		}
	}
	if !h.Ready {
		r := op.Refuse(errNotReady.With("checks", h.Checks))
		r.Status, r.Retry = http.StatusServiceUnavailable, notReadyRetry
		r.Send(c)
		return nil
	}
	return c.JSON(h)
}

// drainPause is between two looks at who is still connected.
const drainPause = 20 * time.Millisecond

// Drain is the first half of ending: op.ReadyPath says no, and every answer ends its connection, so that whoever keeps one opens
// the next to somebody else. Connections are still taken: the sender may not have heard yet. It returns when nobody is
// connected any more, or with ctx. To close a connection on which nothing is going on would lose the request that is on its way.
func (s *Server) Drain(ctx context.Context) {
	s.leaving.Store(true)
	for s.app.Server().GetOpenConnectionsCount() > 0 {
		select {
		case <-ctx.Done():
			return
		case <-time.After(drainPause):
		}
	}
}
