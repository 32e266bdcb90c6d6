package op

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Gate is how web learns about credentials, roles and records. The assembly connects it to identity, business and catalog,
// which op must not import.
type Gate struct {
	// Enter answers all that a request has to ask before it is let in, in as few trips to the database as can be: that is
	// why it is one function. What it answers is for web to judge, in the order of A57; its error is none of a caller's.
	Enter func(ctx context.Context, k Knock) (Entry, error)
}

// Knock is what a request shows at the gate, and what it asks.
type Knock struct {
	// Count are the windows in which the call is counted, whatever becomes of it.
	Count []pg.Window
	// Bearer is the credential, "" without one. Open says that the call may come without a good one.
	Bearer string
	Open   bool
	// Kind and ID name the record that the call is about, if it is about one: a Kind constant and a UUID in its usual form
	// or a token. Roles asks what the caller may do in the business of that record.
	Kind, ID string
	Roles    bool
}

// Entry is what the gate says.
type Entry struct {
	Hits []pg.Hits // of Count
	// Principal is who the credential stands for: nobody when it is unknown, has expired or was revoked.
	Principal tenancy.Principal
	// Place is where the record is, and Found whether there is one. An id of a business is found whether it exists or not.
	Place pg.Place
	Found bool
	// Grants are what the caller may do there. Exists is false when there is no such business, Member when the caller has no
	// role in it.
	Grants         tenancy.Grants
	Exists, Member bool
}

// Registry holds the declared operations, and answers requests for them. Make it with New.
type Registry struct {
	build        string
	log          *slog.Logger
	gate         Gate
	known        func(tenancy.Feature) bool
	onUndeclared func(operation string, status int, err error)
	limiter      *Limiter

	api      huma.API
	tree     *routes
	tags     []string
	refusals map[string][]*fault.Error
	examples []byte
	declared []*declared
	sealed   bool // serving: the tree is read without a lock from here on
}

// declared is a Spec that passed the checks, with what is known about its types.
type declared struct {
	Spec
	registry *Registry
	input    inputShape
	output   reflect.Type
	body     *huma.Schema // nil when the operation takes none
	unique   bool         // there are lists in it that take each value once
}

// metadataKey is where an operation of huma keeps its declaration.
const metadataKey = "foyer"

// declaredOf is the declaration of an operation.
func declaredOf(op *huma.Operation) *declared { return op.Metadata[metadataKey].(*declared) }

// answers tells whether the operation may answer with a refusal of that status.
func (d *declared) answers(status int) bool {
	switch status {
	case http.StatusInternalServerError:
		return true
	case http.StatusTooManyRequests:
		return d.Rate != RateNone
	}
	return slices.Contains(d.Errors, status)
}

// Operations lists the declarations, with defaults filled in, in the order they were made.
func (r *Registry) Operations() []Spec {
	out := make([]Spec, len(r.declared))
	for i, d := range r.declared {
		out[i] = d.Spec
	}
	return out
}

// Declare declares an operation: its route, its document entry and its handler.
//
// I is a struct whose fields are tagged path, query or header, and whose field Body is the JSON body; a pointer Body may
// be left out of a request. O is the data of the answer, or NoContent, Raw or Quoted. The handler runs for an admitted
// caller with checked input; the scope says who, in which business and location, with which grants. Its error is a fault,
// or an internal error.
//
// Declare panics when the declaration is incomplete or contradicts itself: that is a mistake to find at start.
func Declare[I, O any](r *Registry, spec Spec, handle func(ctx context.Context, sc tenancy.Scope, in *I) (O, error)) {
	d := r.declare(spec, reflect.TypeFor[I](), reflect.TypeFor[O]())
	operation := r.operation(d)
	switch any(*new(O)).(type) {
	case Raw:
		huma.Register(r.api, operation, func(ctx context.Context, in *I) (*Raw, error) {
			out, err := handle(ctx, callFrom(ctx).scope, in)
			if err != nil {
				return nil, r.settle(ctx, d, err)
			}
			raw := any(out).(Raw)
			raw.ContentType = d.Media
			return &raw, nil
		})
	default:
		fill := finish(reflect.TypeFor[O]())
		if d.Quoted {
			handle = quoted(d, fill, handle)
		}
		huma.Register(r.api, operation, func(ctx context.Context, in *I) (*answer[O], error) {
			out, err := handle(ctx, callFrom(ctx).scope, in)
			if err != nil {
				return nil, r.settle(ctx, d, err)
			}
			a := &answer[O]{Status: d.Success, Body: envelope[O]{Data: out, V: r.build}}
			if o, ok := any(&a.Body.Data).(outcome); ok {
				a.Status = o.status(d.Success)
			}
			if fill != nil {
				fill(reflect.ValueOf(&a.Body.Data).Elem())
			}
			return a, nil
		})
	}
}

// operation is the huma side of a declaration.
func (r *Registry) operation(d *declared) huma.Operation {
	return huma.Operation{
		OperationID: d.ID, Method: d.Method, Path: d.Path,
		Tags: []string{d.Tag}, Summary: d.Summary, Description: d.Description,
		DefaultStatus: d.Success, MaxBodyBytes: MaxBody + 1, BodyReadTimeout: -1,
		Metadata:    map[string]any{metadataKey: d},
		Middlewares: huma.Middlewares{r.admission(d)},
		Security:    d.security(),
		Extensions:  d.extensions(),
	}
}

// admission runs in front of huma: it lets a request in, or writes the refusal.
func (r *Registry) admission(d *declared) func(huma.Context, func(huma.Context)) {
	return func(hc huma.Context, next func(huma.Context)) {
		x := hc.(*exchange)
		if err := r.admit(x, d); err != nil {
			r.settle(x.call, d, err).Send(x.c)
			return
		}
		next(hc)
	}
}

// admit checks a request in the order of A57.
func (r *Registry) admit(x *exchange, d *declared) error {
	if err := r.authorize(x, d); err != nil {
		return err
	}
	if err := checkText(x, d); err != nil {
		return err
	}
	if err := readBody(x, d); err != nil {
		return err
	}
	if d.writes() {
		x.call.Context = tenancy.Acting(x.call.Context, x.call.scope)
	}
	askQuote(x, d)
	claim, claimed, err := replayClaim(x, d)
	if claimed {
		x.call.Context = pg.WithClaim(x.call.Context, claim) // where pg.InTx finds it
	}
	return err
}

// undeclared reports a status that an operation answered without listing it.
func (r *Registry) undeclared(operation string, status int, err error) {
	r.log.Error("undeclared status", "operation", operation, "status", status, "error", err)
	if r.onUndeclared != nil {
		r.onUndeclared(operation, status, err)
	}
}

func (r *Registry) declare(spec Spec, in, out reflect.Type) *declared {
	if r.sealed {
		panic(fmt.Sprintf("op: operation %s is declared after the server started", spec.ID))
	}
	d := &declared{Spec: spec, registry: r, output: out}
	d.fillDefaults()
	d.input = shapeOf(d, in)
	d.input.file = spec.File != nil
	r.check(d)
	r.declared = append(r.declared, d)
	return d
}
