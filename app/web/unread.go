package web

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"foyer/app/fault"
)

// unread answers a request that fasthttp did not read to its end: the connection is closed after the answer. Who sends more
// than fits is told what the head alone is refused with, if it is, in the order of A57.
func (s *Server) unread(c *fiber.Ctx, err error) {
	lingers(c.Context())
	if !errors.Is(err, fiber.ErrRequestEntityTooLarge) {
		f := faultOf(err)
		if f == nil { // the sender hung up, or the network did
			f = errInvalid.And("body", "did not arrive")
		}
		s.refuse(c, f)
		return
	}
	_ = s.within(c, func() error {
		path := string(c.Request().URI().PathOriginal())
		rt, p, ok := s.tree.find(c.Method(), path)
		x := callOf(c)
		switch x.route = "unread"; {
		case ok:
			x.route, x.visitor = rt.template, s.Visitor(c)
			rt.unread(&exchange{c: c, call: x, path: path, params: p})
			return nil
		case isAPI(path), slices.Contains(ownPaths, path):
			s.nowhere(c, path)
			return nil
		}
		return err
	})
}

// unread answers a request to an operation whose body is too large to be read.
func (r *Registry) unread(x *exchange, d *declared) {
	err := r.authorize(x, d)
	if err == nil {
		err = faultOf(fiber.ErrRequestEntityTooLarge)
	}
	writeRefusal(x.c, r.settle(x.call, d, err))
}

// refuse answers a request that no handler sees.
func (s *Server) refuse(c *fiber.Ctx, f *fault.Error) {
	s.write(c, f)
	s.commonHeaders(c, s.requestID(c))
}

// heads are copies of the heads of requests that arrive in chunks: fasthttp forgets a head when the chunks after it are too
// many.
type heads struct {
	some atomic.Int32
	by   sync.Map // *fasthttp.RequestHeader, which belongs to a connection: *fasthttp.RequestHeader
}

// keep keeps a copy until it is taken.
func (k *heads) keep(h *fasthttp.RequestHeader) {
	kept := new(fasthttp.RequestHeader)
	h.CopyTo(kept)
	if _, again := k.by.Swap(h, kept); !again {
		k.some.Add(1)
	}
}

// take returns the copy of what h was; nil when there is none.
func (k *heads) take(h *fasthttp.RequestHeader) *fasthttp.RequestHeader {
	if k.some.Load() == 0 {
		return nil
	}
	kept, ok := k.by.LoadAndDelete(h)
	if !ok {
		return nil
	}
	k.some.Add(-1)
	return kept.(*fasthttp.RequestHeader)
}

// remembering makes an error handler see the head of a request in chunks.
func (s *Server) remembering(handle func(*fasthttp.RequestCtx, error)) func(*fasthttp.RequestCtx, error) {
	return func(rc *fasthttp.RequestCtx, err error) {
		if kept := s.heads.take(&rc.Request.Header); kept != nil && errors.Is(err, fasthttp.ErrBodyTooLarge) {
			kept.CopyTo(&rc.Request.Header)
		}
		handle(rc, err)
	}
}
