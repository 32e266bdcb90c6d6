package web

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"runtime/debug"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

	"foyer/app/fault"
	"foyer/app/web/op"
)

// around is the outermost handler: it gives the request an id and a context, turns errors and panics into answers, sets
// the headers that every answer has, and writes one log line. Without it a panic would end the process.
func (s *Server) around(c *fiber.Ctx) error { return s.within(c, c.Next) }

// within is around for a given handler.
func (s *Server) within(c *fiber.Ctx, handle func() error) error {
	began := s.opt.Clock.Now()
	x := &op.Call{Context: s.patienceFor(c.Method()).begin(s.base), ID: s.requestID(c)}
	if in := op.InsiderOf(c); in != nil { // it ends with the request that it is a part of, too
		ctx, cancel := context.WithCancel(x.Context)
		defer cancel()
		defer context.AfterFunc(in.Context, cancel)()
		x.Context = ctx
	}
	c.SetUserContext(x)
	defer func() {
		if p := recover(); p != nil {
			s.opt.Log.LogAttrs(x, slog.LevelError, "panic", slog.String("request_id", x.ID), slog.String("route", x.Route),
				slog.String("panic", fmt.Sprint(p)), slog.String("stack", string(debug.Stack())))
			c.Response().Reset()
			s.write(c, op.ErrInternal)
		}
		s.commonHeaders(c, x.ID)
		s.logRequest(c, x, s.opt.Clock.Now().Sub(began))
	}()
	if err := handle(); err != nil {
		return s.fail(c, err)
	}
	return nil
}

const requestIDHeader = "X-Request-Id"

// requestID is the proxy's id when a trusted one sent a sensible one, else our own.
func (s *Server) requestID(c *fiber.Ctx) string {
	if given := c.Request().Header.Peek(requestIDHeader); sensibleID.Match(given) && s.opt.Proxies.trusts(c) {
		return string(given)
	}
	return uuid.Must(uuid.NewV7()).String()
}

var sensibleID = regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`)

// commonHeaders sets the headers of every answer. An answer without Cache-Control is not cached: most of them belong
// to one caller. A page may send a stricter Referrer-Policy than the default.
func (s *Server) commonHeaders(c *fiber.Ctx, id string) {
	h := &c.Response().Header
	if s.leaving.Load() {
		h.SetConnectionClose()
	}
	h.Set(requestIDHeader, id)
	h.Set("X-Content-Type-Options", "nosniff")
	if len(h.Peek("Referrer-Policy")) == 0 {
		h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	}
	if s.opt.https() {
		h.Set("Strict-Transport-Security", "max-age=31536000; includeSubDomains")
	}
	if len(h.Peek(fiber.HeaderCacheControl)) == 0 {
		h.Set(fiber.HeaderCacheControl, "no-store")
	}
}

// logRequest writes the access line. The route is the template: paths hold tokens of carts and receipts.
func (s *Server) logRequest(c *fiber.Ctx, x *op.Call, took time.Duration) {
	route := x.Route
	if route == "" {
		route = c.Route().Path
	}
	s.opt.Log.LogAttrs(x, slog.LevelInfo, "request", slog.String("method", c.Method()), slog.String("route", route),
		slog.Int("status", c.Response().StatusCode()), slog.Float64("ms", float64(took.Microseconds())/1000),
		slog.String("request_id", x.ID))
}

// fail answers an error that a handler, the router or fasthttp returned.
func (s *Server) fail(c *fiber.Ctx, err error) error {
	if op.CallOf(c) == nil { // fasthttp refused the request before any handler ran
		s.unread(c, err)
		return nil
	}
	f := op.FaultOf(err)
	if f == nil || f.Kind == fault.Internal {
		s.opt.Log.LogAttrs(c.UserContext(), slog.LevelError, "internal error",
			slog.String("request_id", op.RequestID(c.UserContext())), slog.Any("error", err))
	}
	if f == nil {
		f = op.ErrInternal
	}
	s.write(c, f)
	return nil
}

// write writes a fault: a page for people, the envelope for programs.
func (s *Server) write(c *fiber.Ctx, f *fault.Error) {
	c.Response().Header.Del(fiber.HeaderAllow)
	if s.opt.ErrorPage != nil && op.CallOf(c) != nil && !op.AnswersJSON(string(c.Request().URI().PathOriginal())) {
		if s.writePage(c, f) {
			return
		}
	}
	op.Refuse(f).Send(c)
}

// writePage renders the error page. A page that fails to render becomes the envelope.
func (s *Server) writePage(c *fiber.Ctx, f *fault.Error) (done bool) {
	defer func() {
		if p := recover(); p != nil {
			s.opt.Log.Error("panic in the error page", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			done = false
		}
	}()
	r := op.Refuse(f)
	if r.Status == http.StatusInternalServerError && r.Retry > 0 {
		r.Status = http.StatusServiceUnavailable // not among the API's statuses
	}
	c.Status(r.Status)
	for name, values := range r.GetHeaders() {
		c.Set(name, values[0])
	}
	return s.opt.ErrorPage(c, r.Status, f) == nil
}

// refuseMethod answers a method that HTTP does not know.
func (s *Server) refuseMethod(rc *fasthttp.RequestCtx) {
	c := s.app.AcquireCtx(rc)
	defer s.app.ReleaseCtx(c)
	s.refuse(c, fault.Missing())
}

func cutByte(b []byte, sep byte) (before, after []byte, found bool) {
	if i := bytes.IndexByte(b, sep); i >= 0 {
		return b[:i], b[i+1:], true
	}
	return b, nil, false
}
