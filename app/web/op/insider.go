package op

import (
	"context"
	"maps"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/tenancy"
)

// Insider is the caller of an operation that is carried out inside the process: an assistant, whose request another
// surface received. It is a value of the request that nothing sent from outside can carry.
type Insider struct {
	Context context.Context // the operation ends with it
	Bearer  string          // the credential; also one that REST refuses
	Visitor string          // the address that the original request came from
	Surface tenancy.Surface
	Pin     uuid.UUID // the only location in which the caller acts; uuid.Nil: as the credential allows

	file   *File // of the call; see Sent
	inside bool  // set by SetInsider: the credential may be one that is for assistants only
}

type insiderKey struct{}

// SetInsider makes a request the one that an insider sent. rc is fasthttp's.
func SetInsider(rc interface{ SetUserValue(key, value any) }, in *Insider, sent Sent) {
	caller := *in
	caller.file, caller.inside = sent.File, true
	rc.SetUserValue(insiderKey{}, &caller)
}

// InsiderOf returns the insider of a request; nil if it came from outside.
func InsiderOf(c *fiber.Ctx) *Insider {
	in, _ := c.Context().UserValue(insiderKey{}).(*Insider)
	return in
}

// ErrLost refuses an insider whose credential is not valid: REST answers with ErrUnauthorized, and lets visitors in.
var ErrLost = fault.New(fault.Unauthorized, "credential_lost", ErrUnauthorized.Message)

// Refusals of insiders. They are answers of a tool, so the operation does not list them.
var (
	// ErrOtherLocation refuses an insider a record of another location than the pin.
	ErrOtherLocation = fault.New(fault.Forbidden, "other_location", "This connection is limited to one location.")
	// ErrOtherBusiness refuses an assistant what is outside of its business: also what a person has across all of them.
	ErrOtherBusiness = fault.New(fault.Forbidden, "other_business", "This connection is limited to one business.")
)

// reaches reports whether the insider may act at a location; uuid.Nil is the whole business, where the grants decide.
func (in *Insider) reaches(at uuid.UUID) bool {
	return in.Pin == uuid.Nil || at == uuid.Nil || at == in.Pin
}

// pinned narrows grants to one location: what was held everywhere, or there, is held there only. A person's own rows
// can be at any location, so nothing is held for them.
func pinned(g tenancy.Grants, at uuid.UUID) tenancy.Grants {
	if at == uuid.Nil {
		return g
	}
	merged := func(a, b tenancy.FeatureSet) tenancy.FeatureSet {
		out := tenancy.FeatureSet{}
		maps.Copy(out, a)
		maps.Copy(out, b)
		return out
	}
	return tenancy.Grants{
		AtLocation: map[uuid.UUID]tenancy.FeatureSet{at: merged(g.All, g.AtLocation[at])},
		Limited:    map[uuid.UUID]tenancy.FeatureSet{at: limitedAt(g, at)},
	}
}

// limitedAt returns the features that are held at a location in their limited form only: a feature that is unlimited
// everywhere or there is not limited.
func limitedAt(g tenancy.Grants, at uuid.UUID) tenancy.FeatureSet {
	out := tenancy.FeatureSet{}
	for _, held := range []tenancy.FeatureSet{g.Limited[uuid.Nil], g.Limited[at]} {
		for f := range held {
			if !g.Unlimited(f, at) {
				out[f] = struct{}{}
			}
		}
	}
	return out
}
