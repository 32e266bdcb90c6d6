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

// Gate resolves credentials, roles and records. The assembly connects it to identity, business and catalog, which op
// must not import.
type Gate struct {
	// Enter resolves everything that admission needs, in as few database round trips as possible: hence one function.
	// Package op judges the entry in the order of A57; an error is an internal error.
	Enter func(ctx context.Context, k Knock) (Entry, error)
}

// Knock is the request to the gate: credential, record and counters.
type Knock struct {
	// Count are the windows in which the call is counted, whether it is admitted or refused.
	Count []pg.Window
	// Bearer is the credential, or "". Open reports whether the call is also admitted without a valid one.
	Bearer string
	Open   bool
	// Inside reports that an assistant's surface received the request: credentials that are for assistants only are
	// valid.
	Inside bool
	// Kind and ID name the record of the call, if there is one: a Kind constant, and a UUID in its usual form or a
	// token. Roles requests the caller's grants in the business of that record.
	Kind, ID string
	Roles    bool
}

// Entry is the answer of the gate.
type Entry struct {
	Hits []pg.Hits // of Count
	// Principal is the owner of the credential. It is the zero value if the credential is unknown, expired or
	// revoked.
	Principal tenancy.Principal
	// At is the location of the record, and Found reports whether the record exists. The id of a business is
	// always found.
	At    pg.Location
	Found bool
	// Grants are the caller's grants in the business. Exists is false if there is no such business, and Member if the
	// caller has no role in it.
	Grants         tenancy.Grants
	Exists, Member bool
}

// Registry holds the declared operations, and serves requests for them. Create it with New.
type Registry struct {
	build        string
	log          *slog.Logger
	gate         Gate
	known        func(tenancy.Feature) bool
	onUndeclared func(operation string, status int, err error)
	limiter      *Limiter
	uploads      *Uploads

	api      huma.API
	tree     *routes
	tags     []string
	refusals map[string][]*fault.Error
	examples []byte
	declared []*declared
	sealed   bool // serving: the tree is now read without a lock
}

// declared is a Spec that passed the checks, with facts about its types.
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

// answers reports whether the operation may return a refusal of that status.
func (d *declared) answers(status int) bool {
	switch status {
	case http.StatusInternalServerError:
		return true
	case http.StatusTooManyRequests:
		return d.Rate != RateNone
	}
	return slices.Contains(d.Errors, status)
}

// Operations returns the declarations, with defaults filled in, in order of declaration.
func (r *Registry) Operations() []Spec {
	out := make([]Spec, len(r.declared))
	for i, d := range r.declared {
		out[i] = d.Spec
	}
	return out
}

// Declare declares an operation: its route, its entry in the document and its handler.
//
// I is a struct with fields tagged path, query or header. Its field Body is the JSON body; a pointer Body is
// optional. O is the data of the answer, or NoContent, Raw or Quoted. The handler runs for an admitted caller with
// validated input; the scope has the caller, the business and location, and the grants. Its error is a fault, or an
// internal error.
//
// Declare panics if the declaration is incomplete or contradicts itself.
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
