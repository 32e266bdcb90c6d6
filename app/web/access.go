package web

import (
	"net/http"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/tenancy"
)

// Refusals of admission.
var (
	ErrUnauthorized   = fault.New(fault.Unauthorized, "", "A valid credential is needed: sign in, or send an API key where one is accepted.")
	ErrKeyRefused     = fault.New(fault.Forbidden, "key_refused", "API keys are not accepted here. Sign in.")
	ErrNoRole         = fault.New(fault.Forbidden, "no_role", "You have no role in this business.")
	ErrFeatureMissing = fault.New(fault.Forbidden, "feature_missing", "Your role does not allow this.")
)

// authorize finds out who calls and where, and leaves the scope in the call. Its refusals come in the order of A57: 401,
// then 404 for an unknown business, then 403.
func (r *Registry) authorize(x *exchange, d *declared) error {
	p, err := r.identify(x, d.Access)
	if err != nil {
		return err
	}
	x.call.scope = tenancy.Visitor(p, uuid.Nil, tenancy.SurfaceAPI)
	x.call.scope.Visitor = x.call.visitor
	switch {
	case d.Target == Target{}:
		return nil
	case d.Access.gated():
		return r.admitMember(x, d, &x.call.scope)
	default:
		return r.placeVisitor(x, d, &x.call.scope)
	}
}

// identify reads the credential as the operation's access asks.
func (r *Registry) identify(x *exchange, access Access) (tenancy.Principal, error) {
	p, err := r.principal(x)
	if access == Public {
		if (err == nil && p.Kind != tenancy.ActorPerson) || fault.IsKind(err, fault.Unauthorized) {
			return tenancy.Principal{}, nil
		}
		return p, err
	}
	switch {
	case err != nil:
		return tenancy.Principal{}, err
	case p.Kind == tenancy.ActorKey && access == StorefrontSession:
		return tenancy.Principal{}, ErrUnauthorized
	case p.Kind == tenancy.ActorKey && access == Session:
		return tenancy.Principal{}, ErrKeyRefused
	}
	return p, nil
}

// principal is who the credential stands for. Why a credential is not valid is nobody's business.
func (r *Registry) principal(x *exchange) (tenancy.Principal, error) {
	token, _ := bearer(x.c)
	if token == "" {
		return tenancy.Principal{}, ErrUnauthorized
	}
	p, err := r.gate.Authenticate(x.call, token)
	if err != nil && fault.IsKind(err, fault.Unauthorized) {
		return tenancy.Principal{}, ErrUnauthorized
	}
	return p, err
}

// admitMember places a caller who needs a role, and asks for the feature.
func (r *Registry) admitMember(x *exchange, d *declared, sc *tenancy.Scope) error {
	business, location, err := r.find(x, d)
	if err != nil {
		return err
	}
	grants, exists, member, err := r.gate.Admit(x.call, sc.Principal, business)
	switch {
	case err != nil:
		return err
	case !exists, !member && d.Target.kind != KindBusiness:
		return fault.Missing() // a foreign record looks like an unknown one (A47)
	case d.Access == OperatorSession && sc.Kind == tenancy.ActorKey:
		return ErrKeyRefused
	case !member:
		return ErrNoRole
	}
	sc.Tenant, sc.Location, sc.Grants = business, location, grants
	if d.Access == Member {
		return nil
	}
	// Who holds a feature for rows of their own holds it wherever those are: the verb looks at the row.
	if location != uuid.Nil && !grants.At(d.Feature, location) && !grants.Own.Has(d.Feature) ||
		location == uuid.Nil && !grants.Any(d.Feature) {
		return ErrFeatureMissing.With("feature", string(d.Feature))
	}
	return nil
}

// placeVisitor finds the business a storefront call is about. An operation that does not list 404 sees an unknown record
// as no business at all (A185).
func (r *Registry) placeVisitor(x *exchange, d *declared, sc *tenancy.Scope) error {
	business, location, err := r.find(x, d)
	if fault.From(err) != nil && !d.answers(http.StatusNotFound) {
		return nil
	}
	sc.Tenant, sc.Location = business, location
	return err
}

// find resolves the path parameter of the target.
func (r *Registry) find(x *exchange, d *declared) (business, location uuid.UUID, err error) {
	id := x.params.get(d.Target.param)
	if d.Target.byID() && !isUUID(id) {
		return uuid.Nil, uuid.Nil, fault.Invalid("path."+d.Target.param, "is not a UUID")
	}
	if !storable(id) || len(id) > maxToken {
		return uuid.Nil, uuid.Nil, fault.Missing()
	}
	if d.Target.kind == KindBusiness {
		business, err = uuid.Parse(id)
		return business, uuid.Nil, err
	}
	business, location, ok, err := r.gate.Locate(x.call, d.Target.kind, id)
	if err == nil && !ok {
		err = fault.Missing()
	}
	return business, location, err
}
