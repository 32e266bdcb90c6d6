package web

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"foyer/app/clock"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// Server is the HTTP server: the operations of the Registry, and the plain handlers that other surfaces add to App.
type Server struct {
	// Operations is the registry for the operations of the REST API.
	Operations *op.Registry
	// Limiter counts calls; surfaces with forms of their own use the same one.
	Limiter *op.Limiter
	// Cursors signs list cursors.
	Cursors op.Cursors
	// Cookies, Forms and Frames are for pages.
	Cookies Cookies
	Forms   *Forms
	Frames  *Frames

	opt    Options
	doc    func() (*Cached, error)
	app    *fiber.App
	files  []func(method, path string) int // maximum sizes at addresses besides the API's
	given  []string                        // roots of files
	seal   sync.Once
	serve  fasthttp.RequestHandler
	base   context.Context
	cancel context.CancelFunc

	reads, writes patience
	leaving       atomic.Bool // the process is ending
	slow          lingerers
	heads         heads
}

// requestTime is the time for a whole request to arrive, and for its first byte on a new connection.
const requestTime = time.Minute

// New makes a server that has no operations yet. It panics on options that cannot work.
func New(o Options) *Server {
	o.check()
	s := &Server{opt: o, reads: patience{time: cmp.Or(o.ReadPatience, readPatience)}}
	s.writes.time = cmp.Or(o.WritePatience, writePatience)
	s.base, s.cancel = context.WithCancel(context.Background())
	s.Limiter = op.NewLimiter(o.Limits, o.Clock, o.Hit)
	s.Cursors = op.NewCursors(o.Secret)
	s.Cookies = NewCookies(o.BaseURL)
	s.Forms = NewForms(o.Secret, o.BaseURL, s.Cookies)
	s.Frames = NewFrames(o.Secret, o.Clock)
	s.Operations = op.New(op.Options{
		BaseURL: o.BaseURL, Build: o.Build, Log: o.Log, Gate: o.Gate, Known: o.Known, Limiter: s.Limiter,
		Uploads: op.NewUploads(o.Secret, o.Clock),
		Tags:    o.Tags, Words: o.Words, Refusals: o.Refusals, Examples: o.Examples, OnUndeclared: o.OnUndeclared,
	})
	s.doc = sync.OnceValues(func() (*Cached, error) {
		body, err := s.Operations.OpenAPI()
		if err != nil {
			return nil, err
		}
		return NewCached(op.JSONType, body)
	})
	s.app = fiber.New(fiber.Config{
		Immutable:                    true, // retained strings would change
		CaseSensitive:                true,
		DisableStartupMessage:        true,
		DisablePreParseMultipartForm: true, // would write files to the disk
		ErrorHandler:                 s.fail,
		BodyLimit:                    op.MaxBody,
		ReadBufferSize:               16 << 10, // the longest request head
		ReadTimeout:                  requestTime,
		WriteTimeout:                 time.Minute, // a whole answer
		IdleTimeout:                  75 * time.Second,
		ReduceMemoryUsage:            true, // an idle connection costs 10 KB, instead of 34
	})
	s.app.Server().Handler = s.received
	s.app.Server().HeaderReceived = s.expect
	s.app.Server().ErrorHandler = s.remembering(s.app.Server().ErrorHandler)
	s.app.Use(s.around)
	s.app.Use(s.operations)
	s.app.Get(op.DocumentPath, s.document)
	s.app.Get(op.LivePath, s.alive)
	s.app.Get(op.ReadyPath, s.ready)
	return s
}

// App is where surfaces add plain handlers for pages, files and protocols of their own. Paths under the API's roots
// never reach them.
func (s *Server) App() *fiber.App { return s.app }

// operations serves the operations of the registry, and refuses other paths of the API.
func (s *Server) operations(c *fiber.Ctx) error {
	if s.Operations.Serve(c, s.Visitor) {
		return CompressJSON(c)
	}
	path := string(c.Request().URI().PathOriginal())
	read := c.Method() == fiber.MethodGet || c.Method() == fiber.MethodHead
	if !op.AnswersJSON(path) || read && !op.IsAPI(path) {
		if tooManyFields(c.Request()) && !strings.HasPrefix(path, op.UploadPath) { // there it is a file
			return op.ErrInvalid.And("body", "has more than "+strconv.Itoa(fieldsMost)+" fields")
		}
		return c.Next()
	}
	s.Operations.Nowhere(c)
	return nil
}

// fieldsMost bounds the fields of a posted form, far above any of ours. A page searches all sent fields for each of
// its names, and a verb compares the chosen values with each other: 300,000 fields, which fit into a body, are too
// many.
const fieldsMost = 2000

func tooManyFields(r *fasthttp.Request) bool {
	return bytes.HasPrefix(r.Header.ContentType(), []byte(fiber.MIMEApplicationForm)) &&
		bytes.Count(r.Body(), []byte("&")) >= fieldsMost
}

// document serves the OpenAPI document. A9.
func (s *Server) document(c *fiber.Ctx) error {
	doc, err := s.doc()
	if err != nil {
		return err
	}
	return doc.Send(c, "public, max-age=300")
}

// Handler is the whole server as one function. From the first call on, nothing more can be declared.
func (s *Server) Handler() fasthttp.RequestHandler {
	s.seal.Do(func() {
		s.Operations.Seal()
		inner := s.app.Handler()
		known := map[string]bool{}
		for _, m := range s.app.Config().RequestMethods {
			known[m] = true
		}
		s.serve = func(rc *fasthttp.RequestCtx) {
			if known[string(rc.Method())] {
				inner(rc)
				return
			}
			s.refuseMethod(rc) // fiber answers these in plain text
		}
	})
	return s.serve
}

// Serve serves on a listener until Shutdown.
func (s *Server) Serve(ln net.Listener) error {
	s.Handler()
	return s.app.Listener(lingerListener{takeAll(ln), &s.slow})
}

// lastAnswers is how long requests may take to answer after their contexts were cancelled, because the time for the
// shutdown is over.
const lastAnswers = time.Second

// Shutdown stops accepting connections, lets requests in flight end, and closes idle connections. When ctx ends
// first, the contexts of the remaining requests are cancelled, and they have one more second to answer, so that
// streams are not cut. So has a client that was refused while sending, to read the answer.
func (s *Server) Shutdown(ctx context.Context) error {
	defer s.cancel()
	most, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	defer context.AfterFunc(ctx, func() {
		s.cancel()
		time.AfterFunc(lastAnswers, end)
	})()
	err := s.app.ShutdownWithContext(most)
	if most.Err() != nil {
		err = ctx.Err()
	}
	s.slow.close(ctx)
	return err
}

// Host is the name of the machine in the base address, as links and calendar events carry it.
func (s *Server) Host() string {
	u, err := url.Parse(s.opt.BaseURL)
	if err != nil {
		return s.opt.BaseURL // checked at start
	}
	return u.Hostname()
}

// Origin is the scheme and host of the base address, as browsers send it.
func (s *Server) Origin() string { return originOf(s.opt.BaseURL) }

// Base is the address that the product is reached at, without a slash at its end.
func (s *Server) Base() string { return s.opt.BaseURL }

// Options configure a Server. build.go sets them.
type Options struct {
	BaseURL string // "https://book.example.org", no trailing slash; decides Secure cookies and HSTS
	Build   string // v of every answer: digits, or "dev" (A14)
	Secret  []byte // at least 32 bytes; cursors and form tokens are signed with keys derived from it
	Clock   clock.Clock
	Log     *slog.Logger

	Gate  op.Gate
	Known func(tenancy.Feature) bool // reports whether a feature exists
	// Hit counts a call in a window that all processes share: pg.DB.Hit.
	Hit    func(ctx context.Context, bucket string, max int, window time.Duration) (pg.Hits, error)
	Limits op.Limits
	// ReadPatience and WritePatience are the timeouts of requests; when zero, ten and twenty seconds.
	ReadPatience, WritePatience time.Duration
	Proxies                     Proxies // DefaultProxies when nil

	Tags []op.Tag // of the document; an operation names one
	// Words describe, in the document, members and query parameters without a doc of their own: by name ("startsAt"),
	// or of one schema or operation only ("Hold.id", "listAudit.recordId"); and enums ("BookingState").
	Words map[string]string
	// Refusals list, by operation, the refusals of its domains that have a reason, for the document. Refusals that
	// follow from the declaration are added automatically.
	Refusals map[string][]*fault.Error
	// Examples are the calls that the document shows, as JSON; see example.
	Examples []byte
	Checks   []Check // run by op.ReadyPath

	// ErrorPage renders a refusal for a person, on paths that are not the API's. Without it everything is JSON.
	ErrorPage func(c *fiber.Ctx, status int, f *fault.Error) error
	// OnUndeclared is called when an operation returns a status that it does not list. Tests fail on it.
	OnUndeclared func(operation string, status int, err error)
}

var buildNumber = regexp.MustCompile(`^(\d+|dev)$`)

// check fills in defaults and panics on options that cannot work: they come from the program, not from a person.
func (o *Options) check() {
	must := func(ok bool, format string, args ...any) {
		if !ok {
			panic("web: options: " + fmt.Sprintf(format, args...))
		}
	}
	base, err := url.Parse(o.BaseURL)
	must(err == nil && base.Host != "" && (base.Scheme == "https" || base.Scheme == "http"), "BaseURL %q", o.BaseURL)
	must(!strings.HasSuffix(o.BaseURL, "/"), "BaseURL %q ends in a slash", o.BaseURL)
	must(buildNumber.MatchString(o.Build), "Build %q is neither digits nor dev", o.Build)
	must(len(o.Secret) >= 32, "Secret is shorter than 32 bytes")
	must(o.Clock != nil && o.Log != nil && o.Known != nil && o.Hit != nil, "Clock, Log, Known and Hit are needed")
	must(o.Gate.Enter != nil, "Gate is incomplete")
	if o.Proxies == nil {
		o.Proxies = DefaultProxies()
	}
}

// originOf is the scheme and host of an address, as browsers send it in Origin.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// https reports whether the deployment is reached over TLS.
func (o *Options) https() bool { return strings.HasPrefix(o.BaseURL, "https://") }
