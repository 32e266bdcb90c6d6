// Package tenancy defines the actor, the business and the permissions of a call. It depends on no domain and no
// database.
//
// A Principal is a verified credential: a person's session or a business's API key. A Scope is a principal inside one
// business: the first parameter of every verb. Identity and tenant come from the credential row and the path only,
// never from a body.
package tenancy

import (
	"context"
	"maps"
	"slices"

	"github.com/google/uuid"
)

// Feature is a permission by the contract's name, for example "catalog.manage". package policy has the closed list.
type Feature string

// FeatureSet is a set of features. Built once, then only read.
type FeatureSet map[Feature]struct{}

// NewFeatureSet returns the set of the given features.
func NewFeatureSet(features ...Feature) FeatureSet {
	s := make(FeatureSet, len(features))
	for _, f := range features {
		s[f] = struct{}{}
	}
	return s
}

// Has reports whether f is in the set.
func (s FeatureSet) Has(f Feature) bool { _, ok := s[f]; return ok }

// List returns the features in alphabetical order.
func (s FeatureSet) List() []Feature {
	out := slices.AppendSeq(make([]Feature, 0, len(s)), maps.Keys(s))
	slices.Sort(out)
	return out
}

// Surface names the surface of a call.
type Surface string

// The doors.
const (
	SurfaceAPI       Surface = "api"
	SurfaceAssistant Surface = "assistant"
	SurfaceHosted    Surface = "hosted"
	SurfaceConsole   Surface = "console"
	SurfaceJob       Surface = "job"
	SurfaceCLI       Surface = "cli"
)

// All lists them.
func (Surface) All() []Surface {
	return []Surface{SurfaceAPI, SurfaceAssistant, SurfaceHosted, SurfaceConsole, SurfaceJob, SurfaceCLI}
}

// ActorKind is the kind of credential of an actor.
type ActorKind string

// The kinds of actor.
const (
	ActorNone   ActorKind = ""       // no credential: a visitor of the storefront
	ActorPerson ActorKind = "person" // a signed-in person, operator or customer
	ActorKey    ActorKind = "key"    // an API key of a business
	ActorSystem ActorKind = "system" // a job or the command line
)

// Actor is the author of a change, for history and audit rows.
type Actor struct {
	Kind ActorKind
	ID   uuid.UUID // person id or key id; Nil for a visitor and the system
	Name string    // a person's or key's name as shown to the studio; may be empty
	// Via is the assistant through which a person acts; the zero value without one.
	Via Assistant
}

// Assistant is one that a person connected to a business (package oauth).
type Assistant struct {
	ID     uuid.UUID // of its connection
	Client string    // its name, as the person saw it
}

// Principal is a verified credential.
type Principal struct {
	Actor
	Session  uuid.UUID // the session row of a person
	Business uuid.UUID // the business of a key, and of an assistant; Nil for any other person
	Email    string    // the person's verified address
}

// Reaches reports whether the credential may be used for a business at all: a key and an assistant are of one. A62.
func (p Principal) Reaches(business uuid.UUID) bool {
	return p.Business == uuid.Nil || p.Business == business
}

// Person is the id of the signed-in person, or Nil.
func (p Principal) Person() uuid.UUID {
	if p.Kind == ActorPerson {
		return p.ID
	}
	return uuid.Nil
}

// Grants are the permissions of a principal in one business. All has the features held at every location; features
// held only at some locations are under that location's id. Own are features held for the person's own rows only: the
// occurrences that they teach, the customers of those, their own pay, at the location of each row. Package policy
// fills Grants from roles and keys, and checks them; a system actor holds everything although its Grants are empty.
type Grants struct {
	All        FeatureSet
	AtLocation map[uuid.UUID]FeatureSet
	Own        FeatureSet
	// Limited lists, per location and under uuid.Nil for the whole business, the features of AtLocation and All that
	// are held there in their limited form only (payment.view: today's payments). policy.All documents the limit of
	// each feature.
	Limited map[uuid.UUID]FeatureSet
	Owner   bool
}

// Any reports whether f is held at all: everywhere, at some location, or for own rows.
func (g Grants) Any(f Feature) bool {
	if g.All.Has(f) || g.Own.Has(f) {
		return true
	}
	for _, s := range g.AtLocation {
		if s.Has(f) {
			return true
		}
	}
	return false
}

// At reports whether f is held, limited or not, for all rows of that location; with uuid.Nil, of the whole business.
func (g Grants) At(f Feature, location uuid.UUID) bool {
	return g.All.Has(f) || g.AtLocation[location].Has(f)
}

// Unlimited reports whether f is held at that location without its limit; with uuid.Nil, in the whole business.
func (g Grants) Unlimited(f Feature, location uuid.UUID) bool {
	return g.All.Has(f) && !g.Limited[uuid.Nil].Has(f) ||
		g.AtLocation[location].Has(f) && !g.Limited[location].Has(f)
}

// Locations returns where f is held: all is true when everywhere, else ids lists the locations, sorted.
func (g Grants) Locations(f Feature) (ids []uuid.UUID, all bool) {
	if g.All.Has(f) {
		return nil, true
	}
	ids = []uuid.UUID{}
	for id, s := range g.AtLocation {
		if s.Has(f) {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
	return ids, false
}

// Scope is a principal inside one business: the first argument, after the context, of every verb.
type Scope struct {
	Principal
	Tenant   uuid.UUID // the business all rows belong to
	Location uuid.UUID // the location the path names, or Nil
	Grants   Grants
	Surface  Surface
	Visitor  string // address the caller is rate-limited by; empty for jobs
}

// System is the scope of a job or a command acting for a business.
func System(business uuid.UUID, surface Surface) Scope {
	return Scope{Principal: Principal{Actor: Actor{Kind: ActorSystem}}, Tenant: business, Surface: surface}
}

// Visitor is the scope of a storefront call: a business's public side, with or without a signed-in person.
func Visitor(p Principal, business uuid.UUID, surface Surface) Scope {
	return Scope{Principal: p, Tenant: business, Surface: surface}
}

type actingKey struct{}

type acting struct {
	actor   Actor
	surface Surface
}

// Acting returns a context with the actor and the surface. A surface sets it as soon as both are known; package pg
// passes it to the database with every transaction, so that the audit log names the author of each change.
func Acting(ctx context.Context, sc Scope) context.Context {
	return context.WithValue(ctx, actingKey{}, acting{sc.Actor, sc.Surface})
}

// ActingFrom returns the actor of ctx and the surface. Without one it is the system, in a job.
func ActingFrom(ctx context.Context) (Actor, Surface) {
	a, ok := ctx.Value(actingKey{}).(acting)
	if !ok {
		return Actor{Kind: ActorSystem}, SurfaceJob
	}
	return a.actor, a.surface
}
