package op

import (
	"net/http"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Errors of admission.
var (
	ErrUnauthorized   = fault.New(fault.Unauthorized, "", "A valid credential is needed: sign in, or send an API key where one is accepted.")
	ErrKeyRefused     = fault.New(fault.Forbidden, "key_refused", "API keys are not accepted here. Sign in.")
	ErrNoRole         = fault.New(fault.Forbidden, "no_role", "You have no role in this business.")
	ErrFeatureMissing = fault.New(fault.Forbidden, "feature_missing", "Your role does not allow this.")
)

// authorize counts the call, authenticates the caller, resolves the target, and stores the scope in the call. It
// makes one call of the gate. Refusals come in the order of A57: 429, 401, then 404 for an unknown business, then
// 403.
func (r *Registry) authorize(x *exchange, d *declared) error {
	windows, err := r.limiter.count(d.Rate, x.call.Visitor)
	if err != nil {
		return err
	}
	x.call.caller = Insider{Surface: tenancy.SurfaceAPI}
	if in := InsiderOf(x.c); in != nil {
		x.call.caller = *in
	} else {
		x.call.caller.Bearer, _ = bearer(x.c)
	}
	x.call.scope, err = r.enter(x.call, d, &x.params, windows)
	return err
}

// enter authenticates the caller of a call for an operation with these path parameters, and resolves the target.
func (r *Registry) enter(call *Call, d *declared, params *params, windows []pg.Window) (sc tenancy.Scope, err error) {
	in := &call.caller
	k := Knock{
		Count: windows, Open: d.Access == Public, Roles: d.Access.gated(), Bearer: in.Bearer, Inside: in.inside,
	}
	var misnamed error // not returned before the caller is known
	if d.Target != (Target{}) {
		if k.ID, misnamed = d.Target.named(params); misnamed == nil {
			k.Kind = d.Target.kind
		}
	}
	e, err := r.gate.Enter(call, k)
	if err != nil {
		return sc, err
	}
	if err := r.limiter.within(e.Hits); err != nil {
		return sc, err
	}
	if in.inside && in.Bearer != "" && e.Principal.Kind == tenancy.ActorNone {
		return sc, ErrLost // also where visitors are let in
	}
	p, err := identify(e.Principal, d.Access)
	if err == nil {
		p, err = d.keepTo(p, &e)
	}
	if err != nil {
		return sc, err
	}
	sc = tenancy.Visitor(p, uuid.Nil, in.Surface)
	sc.Visitor = call.Visitor
	e.Grants = pinned(e.Grants, in.Pin)
	if e.Found && !in.reaches(e.At.Location) {
		return sc, ErrOtherLocation
	}
	switch {
	case d.Target == Target{}:
		return sc, nil
	case misnamed == nil && !e.Found:
		misnamed = fault.Missing()
	}
	if d.Access.gated() {
		err = placeMember(d, &sc, &e, misnamed)
	} else {
		err = placeVisitor(d, &sc, &e, misnamed)
	}
	return sc, err
}

// identify returns the principal if the operation's access admits it. The refusal never explains why a credential is
// invalid.
func identify(p tenancy.Principal, access Access) (tenancy.Principal, error) {
	switch {
	case access == Public && p.Kind != tenancy.ActorPerson:
		return tenancy.Principal{}, nil
	case access == Public:
		return p, nil
	case p.Kind == tenancy.ActorNone:
		return tenancy.Principal{}, ErrUnauthorized
	case p.Kind == tenancy.ActorKey && access == StorefrontSession:
		return tenancy.Principal{}, ErrUnauthorized
	case p.Kind == tenancy.ActorKey && access == Session:
		return tenancy.Principal{}, ErrKeyRefused
	}
	return p, nil
}

// keepTo returns the principal of the call. The assistant of a person is of one business: elsewhere it is a visitor to
// the public, and to operations of people it is refused. Operations that need a role judge it by its grants. A62.
func (d *declared) keepTo(p tenancy.Principal, e *Entry) (tenancy.Principal, error) {
	switch {
	case p.Via == tenancy.Assistant{} || d.Access.gated() || d.OneBusiness,
		d.Target != Target{} && (!e.Found || p.Reaches(e.At.Business)):
		return p, nil
	case d.Access == Public:
		return tenancy.Principal{}, nil
	case d.Access == StorefrontSession:
		return tenancy.Principal{}, ErrUnauthorized // as a key there
	}
	return tenancy.Principal{}, ErrOtherBusiness
}

// placeMember sets the business of a caller that needs a role, and requires the feature.
func placeMember(d *declared, sc *tenancy.Scope, e *Entry, missing error) error {
	switch {
	case missing != nil:
		return missing
	case !e.Exists, !e.Member && d.Target.kind != KindBusiness:
		return fault.Missing() // a foreign record looks like an unknown one (A47)
	case d.Access == OperatorSession && sc.Kind == tenancy.ActorKey:
		return ErrKeyRefused
	case !e.Member:
		return ErrNoRole
	}
	sc.Tenant, sc.Location, sc.Grants = e.At.Business, e.At.Location, e.Grants
	return d.Spec.admits(sc.Grants, sc.Location)
}

// admits requires the feature, at the location that the call names, if it names one.
func (s *Spec) admits(g tenancy.Grants, location uuid.UUID) error {
	if s.Access == Member {
		return nil
	}
	// A feature for own rows is held at every location: the verb checks the row.
	if location != uuid.Nil && !g.At(s.Feature, location) && !g.Own.Has(s.Feature) ||
		location == uuid.Nil && !g.Any(s.Feature) {
		return ErrFeatureMissing.With("feature", string(s.Feature))
	}
	return nil
}

// Admits reports whether a caller with these grants may call an operator operation. It returns nil, or the refusal of
// the operation itself. Pages that do the same as an operation call Admits, so that permissions are declared once. It
// panics if the operation is not declared.
func (r *Registry) Admits(operation string, g tenancy.Grants) error {
	for _, d := range r.declared {
		if d.ID == operation && d.Access.gated() {
			return d.Spec.admits(g, uuid.Nil)
		}
	}
	panic("op: no operation of people who run a business is called " + operation)
}

// placeVisitor sets the business of a storefront call. An operation that does not list 404, or sets AnyTarget, gets
// an unknown record as no business (A185).
func placeVisitor(d *declared, sc *tenancy.Scope, e *Entry, missing error) error {
	if missing != nil {
		if d.AnyTarget || !d.answers(http.StatusNotFound) {
			return nil
		}
		return missing
	}
	sc.Tenant, sc.Location = e.At.Business, e.At.Location
	return nil
}

// named is the path parameter of the target.
func (t Target) named(p *params) (id string, err error) {
	id = p.get(t.param)
	if t.byID() && !isUUID(id) {
		return "", notAnID(t.param, id)
	}
	if !storable(id) || len(id) > maxToken {
		return "", fault.Missing()
	}
	return id, nil
}
