package web

import (
	"context"
	"net"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

	"foyer/app/pg"
	"foyer/app/tenancy"
)

// call is the context of one request. It holds copies only, so a goroutine that outlives the request may keep it.
type call struct {
	context.Context // cancelled when the server is told to stop at once, or with an in-process caller

	id      string        // request id
	visitor string        // rate limit key, once asked for
	route   string        // path template of the operation that answers
	scope   tenancy.Scope // who acts where, once admitted
	caller  *Caller       // set by Dispatch
	file    *File         // of an upload
	ask     pg.Ask        // of an operation that is Quoted
}

type callKey struct{}

// Value finds the call itself, and else what the surrounding context holds.
func (x *call) Value(key any) any {
	if key == (callKey{}) {
		return x
	}
	return x.Context.Value(key)
}

func callFrom(ctx context.Context) *call {
	x, _ := ctx.Value(callKey{}).(*call)
	return x
}

// callOf is the call of a request in flight. Every handler runs inside around, which makes it.
func callOf(c *fiber.Ctx) *call { return callFrom(c.UserContext()) }

// RequestID is the id of the request that ctx belongs to, or "". It is what X-Request-Id shows and the log names.
func RequestID(ctx context.Context) string {
	if x := callFrom(ctx); x != nil {
		return x.id
	}
	return ""
}

// Caller is who an in-process call acts for: a credential that the calling surface has verified itself.
type Caller struct {
	Principal tenancy.Principal
	Pin       uuid.UUID // the one location the call may touch, or Nil; it only narrows
	Visitor   string    // rate limit key of the person behind the surface
	Surface   tenancy.Surface
}

// Request is an in-process call of an operation.
type Request struct {
	Method string
	Path   string // with its parameters filled in and escaped
	Query  string // encoded, without the question mark
	Key    string // Idempotency-Key, or ""
	Body   []byte // JSON, or nil
}

// Response is the answer of an in-process call.
type Response struct {
	Status int
	Type   string
	Body   []byte
}

type dispatchKey struct{}

// dispatched travels with the request as a value that nothing from outside can set.
type dispatched struct {
	ctx context.Context
	who Caller
}

// Dispatch calls an operation as if it had come over HTTP, without a socket: the same checks, the same answers. This is
// how MCP tools run, so that an assistant can do exactly what the person can do.
func (s *Server) Dispatch(ctx context.Context, who Caller, in Request) Response {
	var rc fasthttp.RequestCtx
	rc.Init2(noConn{}, nil, false)
	rc.Request.Header.SetMethod(in.Method)
	uri := in.Path
	if in.Query != "" {
		uri += "?" + in.Query
	}
	rc.Request.SetRequestURI(uri)
	rc.Request.Header.SetHost("in-process")
	if in.Key != "" {
		rc.Request.Header.Set(keyHeader, in.Key)
	}
	if in.Body != nil {
		rc.Request.Header.SetContentType(jsonType)
		rc.Request.SetBody(in.Body)
	}
	rc.SetUserValue(dispatchKey{}, &dispatched{ctx: ctx, who: who})
	s.Handler()(&rc)
	return Response{
		Status: rc.Response.StatusCode(),
		Type:   string(rc.Response.Header.ContentType()),
		Body:   append([]byte(nil), rc.Response.Body()...),
	}
}

// noConn stands for the connection that an in-process call does not have; fasthttp asks a nil one for its address.
type noConn struct{ net.Conn }

func (noConn) RemoteAddr() net.Addr             { return &net.TCPAddr{} }
func (noConn) LocalAddr() net.Addr              { return &net.TCPAddr{} }
func (noConn) SetReadDeadline(time.Time) error  { return nil }
func (noConn) SetWriteDeadline(time.Time) error { return nil }
