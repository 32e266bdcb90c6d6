package web

import (
	"bytes"
	"net"
	"net/http"

	"github.com/valyala/fasthttp"

	"foyer/app/web/op"
)

// Inside carries out a call of a tool in the process, as a request of an insider: with the gate, the features, the
// limits, the replay, the audit and the envelope of a request from outside.
func (s *Server) Inside(in *op.Insider, sent op.Sent) (status int, body []byte) {
	var rc fasthttp.RequestCtx
	rc.Init2(nowhere{}, nil, false)
	rc.Request.Header.SetMethod(sent.Method)
	rc.Request.SetRequestURI(sent.Target)
	rc.Request.Header.SetHost(s.Host())
	if sent.Key != "" {
		rc.Request.Header.Set("Idempotency-Key", sent.Key)
	}
	if sent.Body != nil {
		rc.Request.Header.SetContentType(op.JSONType)
		rc.Request.SetBody(sent.Body)
	}
	op.SetInsider(&rc, in, sent)
	s.Handler()(&rc)
	if rc.Response.StatusCode() == http.StatusNoContent {
		return http.StatusNoContent, nil
	}
	return rc.Response.StatusCode(), bytes.Clone(rc.Response.Body())
}

// nowhere is the connection of a request that came over none.
type nowhere struct{ net.Conn }

func (nowhere) LocalAddr() net.Addr  { return &net.TCPAddr{IP: net.IPv6loopback} }
func (nowhere) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv6loopback} }
