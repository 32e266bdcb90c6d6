package op

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"
)

// adapter lets huma register operations in our route tree. huma's own fiber adapter passes on fiber's reused strings,
// leaves a read deadline on keep-alive connections (a GET after an idle POST is dropped), and answers HEAD with 405.
type adapter struct{ tree *routes }

// Handle registers an operation. It is part of huma.Adapter.
func (a *adapter) Handle(op *huma.Operation, handler func(huma.Context)) {
	d := declaredOf(op)
	a.tree.add(op.Method, op.Path, &route{
		file:   fileMost(op),
		serve:  func(x *exchange) { x.op = op; handler(x) },
		unread: func(x *exchange) { x.op = op; d.registry.unread(x, d) },
	})
}

func fileMost(op *huma.Operation) int {
	if f := declaredOf(op).File; f != nil {
		return f.Most
	}
	return 0
}

// ServeHTTP is part of huma.Adapter. It is not used: requests arrive through fiber.
func (a *adapter) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	http.Error(w, "served by fiber", http.StatusNotImplemented)
}

// exchange is huma's view of one request. It lives as long as the request; the values it returns are copies.
type exchange struct {
	op     *huma.Operation
	c      *fiber.Ctx
	call   *Call
	path   string // raw, as sent
	params params
	status int
	body   []byte // read by huma, after the checks
}

var _ huma.Context = (*exchange)(nil)

// SetReadDeadline does nothing: huma's deadline would stay on the keep-alive connection and interrupt the next
// request. fasthttp has its own deadline for the whole request, and the body is already in memory.
func (x *exchange) SetReadDeadline(time.Time) error { return nil }

func (x *exchange) Operation() *huma.Operation { return x.op }
func (x *exchange) Context() context.Context   { return x.call }
func (x *exchange) TLS() *tls.ConnectionState  { return x.c.Context().TLSConnectionState() }
func (x *exchange) Version() huma.ProtoVersion {
	return huma.ProtoVersion{Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}
}
func (x *exchange) Method() string           { return string(x.c.Request().Header.Method()) }
func (x *exchange) Host() string             { return string(x.c.Request().Host()) }
func (x *exchange) RemoteAddr() string       { return x.c.Context().RemoteAddr().String() }
func (x *exchange) Param(name string) string { return x.params.get(name) }
func (x *exchange) Query(name string) string { return string(x.c.Context().QueryArgs().Peek(name)) }
func (x *exchange) BodyReader() io.Reader    { return bytes.NewReader(x.body) }
func (x *exchange) Status() int              { return x.status }
func (x *exchange) BodyWriter() io.Writer    { return x }

func (x *exchange) URL() url.URL {
	u, err := url.ParseRequestURI(string(x.c.Request().RequestURI()))
	if err != nil {
		return url.URL{Path: string(x.c.Request().URI().PathOriginal())}
	}
	return *u
}

// Header returns a request header. A form has the content type of the JSON made from it.
func (x *exchange) Header(name string) string {
	if name == fiber.HeaderContentType && x.body != nil {
		return JSONType
	}
	return string(x.c.Request().Header.Peek(name))
}

func (x *exchange) EachHeader(each func(name, value string)) {
	for k, v := range x.c.Request().Header.All() {
		each(string(k), string(v))
	}
}

// GetMultipartForm is part of huma.Context. It is not used: huma reads JSON (see readForm).
func (x *exchange) GetMultipartForm() (*multipart.Form, error) {
	return nil, errors.New("op: multipart form where JSON is expected")
}

func (x *exchange) SetStatus(code int) {
	x.status = code
	x.c.Status(code)
	if code == http.StatusNoContent {
		x.c.Response().Header.Del(fiber.HeaderContentType)
	}
}

func (x *exchange) SetHeader(name, value string)    { x.c.Response().Header.Set(name, value) }
func (x *exchange) AppendHeader(name, value string) { x.c.Response().Header.Add(name, value) }

// Write appends to the body of the response, so that exchange is an io.Writer.
func (x *exchange) Write(p []byte) (int, error) {
	x.c.Response().AppendBody(p)
	return len(p), nil
}
