package policy

import (
	"slices"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/tenancy"
)

// The refusals. A55: an actor who may not gets 403 forbidden.
var (
	// ErrMissingFeature carries the feature in details.feature.
	ErrMissingFeature = fault.New(fault.Forbidden, "missing_feature", "You do not have permission to do this.")
	// ErrOwnerOnly is the answer for closing the business, transferring it, and making or changing owners.
	ErrOwnerOnly = fault.New(fault.Forbidden, "owner_only", "Only an owner may do this.")
)

func missing(f tenancy.Feature) error { return ErrMissingFeature.With("feature", string(f)) }

func isSystem(sc tenancy.Scope) bool { return sc.Actor.Kind == tenancy.ActorSystem }

// Require lets the actor through when f is held in the whole business. It is the check for what has no location. Someone
// who holds f at some locations only is refused, so that a forgotten RequireAt shows as a refusal, not as a hole.
func Require(sc tenancy.Scope, f tenancy.Feature) error { return RequireAt(sc, f, uuid.Nil) }

// RequireAny lets the actor through when f is held at all: everywhere, at one location or for own rows. It is the check
// that comes before the place is known, and the whole check for what everybody in the house may see, such as the name of
// the business. It opens no row: ask RequireAt, RequireRow or Where for those.
func RequireAny(sc tenancy.Scope, f tenancy.Feature) error {
	if isSystem(sc) || sc.Grants.Any(f) {
		return nil
	}
	return missing(f)
}

// RequireAt lets the actor through when f is held for all rows of that location.
func RequireAt(sc tenancy.Scope, f tenancy.Feature, location uuid.UUID) error {
	return RequireRow(sc, f, location, false)
}

// RequireRow lets the actor through when f is held at the row's location, or when the row is the actor's own and f is
// held for own rows. The caller says whose row it is: own is true for a session that this person teaches.
func RequireRow(sc tenancy.Scope, f tenancy.Feature, location uuid.UUID, own bool) error {
	if isSystem(sc) || sc.Grants.At(f, location) || own && sc.Grants.Own.Has(f) {
		return nil
	}
	return missing(f)
}

// RequireOwner lets an owner of the business through. A key is no owner. Error: ErrOwnerOnly.
func RequireOwner(sc tenancy.Scope) error {
	if isSystem(sc) || sc.Grants.Owner {
		return nil
	}
	return ErrOwnerOnly
}

// Cover says which rows of a business a feature opens to an actor. A row is open when any of the three says so.
type Cover struct {
	Everywhere bool        // all rows
	Locations  []uuid.UUID // the rows of these locations, sorted
	Own        bool        // the person's own rows, wherever they are
}

// Where is the check of a list: it returns the rows to show, and refuses only an actor who does not hold f at all
// (booking.view of an instructor: their own sessions; of a manager: their locations).
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

// WhereFull says which of the rows that Where opens are open without the limit of the feature. A verb whose feature has a limited form
// shows the others within the limit only (payment.view: what was taken today).
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

// At tells whether the rows of a location are open, whoever's they are.
func (c Cover) At(location uuid.UUID) bool {
	return c.Everywhere || slices.Contains(c.Locations, location)
}
