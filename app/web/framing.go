package web

import (
	"bytes"
	"strings"

	"github.com/valyala/fasthttp"

	"foyer/app/web/op"
)

// received handles a request that came over a connection. If two servers could disagree on its end or its host, it is
// refused, and the connection is closed: the following bytes may be a second request that a proxy in front has not
// seen. fasthttp v1.69 accepts all of these. RFC 9112, 3.2 and 6.1; security.md 55.
func (s *Server) received(rc *fasthttp.RequestCtx) {
	s.heads.take(&rc.Request.Header)
	field, message := ambiguous(&rc.Request.Header)
	if field == "" {
		s.Handler()(rc)
		return
	}
	c := s.app.AcquireCtx(rc)
	defer s.app.ReleaseCtx(c)
	s.refuse(c, op.ErrInvalid.And(field, message))
	rc.SetConnectionClose()
	lingers(rc)
}

// ambiguous names the part of a request's head that can be read in two ways; "" for a head that cannot.
func ambiguous(h *fasthttp.RequestHeader) (field, message string) {
	hosts, lengths, codings := 0, 0, 0
	for line := range bytes.Lines(h.RawHeaders()) {
		name, _, _ := bytes.Cut(line, []byte(":"))
		switch { // fasthttp reads these as a part of the line before, and as a header of its own
		case len(bytes.TrimRight(line, "\r\n")) == 0:
			continue
		case bytes.ContainsAny(name, " \t"):
			return "header", "a header's name has a space in it or in front of it"
		case bytes.EqualFold(name, []byte("Host")):
			hosts++
		case bytes.EqualFold(name, []byte("Content-Length")):
			lengths++
		case bytes.EqualFold(name, []byte("Transfer-Encoding")):
			codings++
		}
	}
	switch {
	case codings > 0 && lengths > 0:
		return "header.Transfer-Encoding", "does not go together with Content-Length"
	case codings > 1 || codings > 0 && !h.IsHTTP11():
		return "header.Transfer-Encoding", "is sent once, and with HTTP/1.1"
	case hosts > 1:
		return "header.Host", "is sent more than once"
	case h.IsHTTP11() && strings.TrimSpace(string(h.Host())) == "":
		return "header.Host", "is missing"
	}
	return "", ""
}
