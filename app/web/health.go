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

// Check is a condition for serving requests. An error is logged; the answer has only the name of the check.
type Check struct {
	Name string
	OK   func(ctx context.Context) error
	// Aside marks a check that is reported without making the process unready.
	Aside bool
}

// checkTime is how long a check may take before it counts as failed.
const checkTime = 2 * time.Second

// alive answers as long as the process handles requests at all. A supervisor that gets no answer starts it again.
func (s *Server) alive(c *fiber.Ctx) error { return c.SendString("ok\n") }

// health is the answer at op.ReadyPath: the body with 200, and the details of a refusal with 503.
type health struct {
	Ready  bool              `json:"ready"`
	Checks map[string]string `json:"checks"` // "ok", "failed" or "leaving"
}

// errNotReady is sent in the envelope of every refusal (A66). Its status is 503 all the same, for load balancers; no
// operation of the API ever returns it.
var errNotReady = fault.New(fault.Internal, "not_ready", "Send requests elsewhere for now.")

// notReadyRetry is in seconds.
const notReadyRetry = 5

// ready returns 200 if the process should get requests, else 503: while a check fails, and from the moment the
// process is told to end.
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

// drainPause is the interval between two checks for open connections.
const drainPause = 20 * time.Millisecond

// Drain begins the shutdown: op.ReadyPath returns 503, and every answer closes its connection, so that clients open
// the next one to another process. Connections are still accepted: a load balancer may not have noticed yet. It
// returns when no connection is open, or when ctx ends. Idle connections are not closed, as that would lose a request
// on its way.
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
