package op

import (
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"

	"foyer/app/fault"
	"foyer/app/tenancy"
)

// Options configure a Registry. The server fills them from its own.
type Options struct {
	BaseURL string // of the document
	Build   string // v of every answer: digits, or "dev" (A14)
	Log     *slog.Logger
	Gate    Gate
	Known   func(tenancy.Feature) bool // reports whether a feature exists
	Limiter *Limiter
	Uploads *Uploads

	Tags     []Tag                     // of the document; an operation names one
	Words    map[string]string         // of members that have no doc of their own
	Refusals map[string][]*fault.Error // by operation: the refusals of its domains that have a reason
	Examples []byte                    // recorded calls for the document, as JSON; see example

	// OnUndeclared is called when an operation returns a status that it does not list. Tests fail on it.
	OnUndeclared func(operation string, status int, err error)
}

// New returns a registry without operations.
func New(o Options) *Registry {
	r := &Registry{
		build: o.Build, log: o.Log, gate: o.Gate, known: o.Known, onUndeclared: o.OnUndeclared, limiter: o.Limiter,
		uploads:  o.Uploads,
		refusals: o.Refusals, examples: o.Examples, tree: &routes{},
	}
	r.api = huma.NewAPI(huma.Config{
		OpenAPI:       newDocument(&o),
		Formats:       map[string]huma.Format{JSONType: jsonFormat},
		DefaultFormat: JSONType,
	}, &adapter{tree: r.tree})
	r.api.OpenAPI().OnAddOperation = []huma.AddOpFunc{r.describe}
	for _, t := range o.Tags {
		r.tags = append(r.tags, t.Name)
	}
	return r
}

// Seal ends the declarations. Afterwards the routes are read without a lock.
func (r *Registry) Seal() { r.sealed = true }

// Serve serves a request for a declared operation, and reports whether there is one. visitor returns the rate limit
// key.
func (r *Registry) Serve(c *fiber.Ctx, visitor func(*fiber.Ctx) string) bool {
	rt, x := r.exchange(c, visitor)
	if rt != nil {
		rt.serve(x)
	}
	return rt != nil
}

// Unread is Serve for a request with a body that is too large to read. It refuses it, in the order of A57.
func (r *Registry) Unread(c *fiber.Ctx, visitor func(*fiber.Ctx) string) bool {
	rt, x := r.exchange(c, visitor)
	if rt != nil {
		rt.unread(x)
	}
	return rt != nil
}

func (r *Registry) exchange(c *fiber.Ctx, visitor func(*fiber.Ctx) string) (*route, *exchange) {
	path := string(c.Request().URI().PathOriginal())
	rt, p, ok := r.tree.find(c.Method(), path)
	if !ok {
		return nil, nil
	}
	x := &exchange{c: c, call: CallOf(c), path: path, params: p}
	x.call.Route = rt.template
	x.call.Visitor = visitor(c)
	return rt, x
}

// unread refuses a request to an operation with a body that is too large to read.
func (r *Registry) unread(x *exchange, d *declared) {
	err := r.authorize(x, d)
	if err == nil {
		err = FaultOf(fiber.ErrRequestEntityTooLarge)
	}
	r.settle(x.call, d, err).Send(x.c)
}

// Nowhere responds at a path of the API where no operation has the method.
func (r *Registry) Nowhere(c *fiber.Ctx) {
	allowed := r.tree.methods(string(c.Request().URI().PathOriginal()))
	if len(allowed) == 0 {
		Refuse(fault.Missing()).Send(c)
		return
	}
	Refuse(wrongMethod(c.Method(), allowed)).Send(c)
	c.Set(fiber.HeaderAllow, strings.Join(allowed, ", "))
}

// FileMost returns the maximum size in bytes of the file of the operation at a raw path; 0 if it takes none.
func (r *Registry) FileMost(method, path string) int {
	rt, _, ok := r.tree.find(method, path)
	if !ok {
		return 0
	}
	return rt.file
}

// FaultOf returns the fault in an error, or the equivalent of an error of fiber: an unknown address and a wrong
// method are 404, a malformed request is 400. A77. It returns nil for an internal error.
func FaultOf(err error) *fault.Error {
	if f := fault.From(err); f != nil {
		return f
	}
	var fe *fiber.Error
	if !errors.As(err, &fe) || fe.Code >= http.StatusInternalServerError {
		return nil
	}
	switch fe.Code {
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return fault.Missing()
	case http.StatusRequestEntityTooLarge:
		return ErrInvalid.And("body", "is too large")
	case http.StatusRequestHeaderFieldsTooLarge:
		return ErrInvalid.And("header", "the request head is too large")
	case http.StatusRequestTimeout:
		return ErrInvalid.And("body", "did not arrive in time")
	}
	return ErrInvalid.And("header", "the request cannot be read")
}

// wrongMethod returns the refusal at an address whose operations have other methods. A77: it is 404, like an unknown
// address; the header Allow lists the methods for programs.
func wrongMethod(method string, allowed []string) *fault.Error {
	return fault.Missing().WithMessage(method + " is not supported. This address supports " + strings.Join(allowed, ", ") + ".")
}
