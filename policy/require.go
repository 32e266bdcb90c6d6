package policy

import (
	"slices"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/tenancy"
)

// The refusals. A55: without permission the answer is 403 forbidden.
var (
	// ErrMissingFeature carries the feature in details.feature.
	ErrMissingFeature = fault.New(fault.Forbidden, "missing_feature", "You do not have permission to do this.")
	// ErrOwnerOnly refuses closing the business, transferring it, and making or changing owners.
	ErrOwnerOnly = fault.New(fault.Forbidden, "owner_only", "Only an owner may do this.")
)

func missing(f tenancy.Feature) error { return ErrMissingFeature.With("feature", string(f)) }

func isSystem(sc tenancy.Scope) bool { return sc.Actor.Kind == tenancy.ActorSystem }

// Require checks that the actor holds f in the whole business. It is the check for records without a location. An
// actor with f at some locations only is refused, so that a forgotten RequireAt shows as a refusal, not as a hole.
func Require(sc tenancy.Scope, f tenancy.Feature) error { return RequireAt(sc, f, uuid.Nil) }

// RequireFull is Require without the limited form of f: the front desk, limited to today's payments, is refused.
func RequireFull(sc tenancy.Scope, f tenancy.Feature) error {
	if isSystem(sc) || sc.Grants.Unlimited(f, uuid.Nil) {
		return nil
	}
	return missing(f)
}

// RequireAny checks that the actor holds f at all: everywhere, at one location or for own rows. Use it before the
// location is known, and as the whole check for data that every member may see, such as the name of the business. It
// opens no row: use RequireAt, RequireRow or Where for those.
func RequireAny(sc tenancy.Scope, f tenancy.Feature) error {
	if isSystem(sc) || sc.Grants.Any(f) {
		return nil
	}
	return missing(f)
}

// RequireAt checks that the actor holds f for all rows of that location.
func RequireAt(sc tenancy.Scope, f tenancy.Feature, location uuid.UUID) error {
	return RequireRow(sc, f, location, false)
}

// RequireRow checks that the actor holds f at the row's location, or that the row is the actor's own and f is held
// for own rows. The caller determines own: it is true for a session that this person teaches.
func RequireRow(sc tenancy.Scope, f tenancy.Feature, location uuid.UUID, own bool) error {
	if isSystem(sc) || sc.Grants.At(f, location) || own && sc.Grants.Own.Has(f) {
		return nil
	}
	return missing(f)
}

// RequireOwner checks that the actor is an owner of the business. A key is no owner. Error: ErrOwnerOnly.
func RequireOwner(sc tenancy.Scope) error {
	if isSystem(sc) || sc.Grants.Owner {
		return nil
	}
	return ErrOwnerOnly
}

// Cover is the set of rows of a business that a feature opens to an actor. A row is open if any of the three fields
// includes it.
type Cover struct {
	Everywhere bool        // all rows
	Locations  []uuid.UUID // the rows of these locations, sorted
	Own        bool        // the person's own rows, at every location
}

// Where is the check of a list: it returns the rows to show, and refuses only an actor without f (booking.view of an
// instructor: their own sessions; of a manager: their locations).
func Where(sc tenancy.Scope, f tenancy.Feature) (Cover, error) {
	if err := RequireAny(sc, f); err != nil {
		return Cover{}, err
	}
	if isSystem(sc) {
		return Cover{Everywhere: true}, nil
	}
	ids, all := sc.Grants.Locations(f)
	return Cover{Everywhere: all, Locations: ids, Own: sc.Grants.Own.Has(f)}, nil
}

// WhereFull returns the part of Where's rows without the limit of the feature. A verb with a limited feature shows
// the others within the limit only (payment.view: the payments of today).
func WhereFull(sc tenancy.Scope, f tenancy.Feature) Cover {
	if isSystem(sc) || sc.Grants.Unlimited(f, uuid.Nil) {
		return Cover{Everywhere: true}
	}
	ids := []uuid.UUID{}
	for id := range sc.Grants.AtLocation {
		if sc.Grants.Unlimited(f, id) {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
	return Cover{Locations: ids}
}

// At reports whether all rows of a location are open.
func (c Cover) At(location uuid.UUID) bool {
	return c.Everywhere || slices.Contains(c.Locations, location)
}
