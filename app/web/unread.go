package web

import (
	"errors"
	"sync"
	"sync/atomic"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"foyer/app/fault"
	"foyer/app/web/op"
)

// unread responds to a request that fasthttp did not read to its end, and closes the connection. A body that is too
// large gets the refusal of the head alone, if there is one, in the order of A57.
func (s *Server) unread(c *fiber.Ctx, err error) {
	lingers(c.Context())
	if !errors.Is(err, fiber.ErrRequestEntityTooLarge) {
		f := op.FaultOf(err)
		if f == nil { // the sender hung up, or the network did
			f = op.ErrInvalid.And("body", "did not arrive")
		}
		s.refuse(c, f)
		return
	}
	_ = s.within(c, func() error {
		path := string(c.Request().URI().PathOriginal())
		op.CallOf(c).Route = "unread"
		switch {
		case s.Operations.Unread(c, s.Visitor):
			return nil
		case op.AnswersJSON(path):
			s.Operations.Nowhere(c)
			return nil
		}
		return err
	})
}

// refuse answers a request that no handler sees.
func (s *Server) refuse(c *fiber.Ctx, f *fault.Error) {
	s.write(c, f)
	s.commonHeaders(c, s.requestID(c))
}

// heads are copies of the heads of chunked requests: fasthttp discards a head when the chunks after it are too many.
type heads struct {
	some atomic.Int32
	by   sync.Map // *fasthttp.RequestHeader, which belongs to a connection: *fasthttp.RequestHeader
}

// keep stores a copy until take returns it.
func (k *heads) keep(h *fasthttp.RequestHeader) {
	kept := new(fasthttp.RequestHeader)
	h.CopyTo(kept)
	if _, again := k.by.Swap(h, kept); !again {
		k.some.Add(1)
	}
}

// take removes and returns the copy of a head; nil without one.
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
