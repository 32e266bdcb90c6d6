package mcp

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/assembly"
	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/oauth"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// CallerOf returns the function of Options.Caller: it takes the sessions and API keys of REST, and the access tokens of
// connected assistants. A41.
func CallerOf(o assembly.Services) func(ctx context.Context, bearer string, pin uuid.UUID) (Caller, error) {
	return func(ctx context.Context, bearer string, pin uuid.UUID) (Caller, error) {
		if hash, ok := business.HashKey(bearer); ok {
			return keyCaller(ctx, o, hash, pin)
		}
		if home, hash, ok := oauth.IsAccess(bearer); ok {
			return assistantCaller(ctx, o, home, hash, pin)
		}
		return personCaller(ctx, o, bearer, pin)
	}
}

// keyCaller is an API key, at a location of its business if there is a pin. A43.
func keyCaller(ctx context.Context, o assembly.Services, hash [32]byte, pin uuid.UUID) (c Caller, err error) {
	home, found, err := o.DB.KeyOf(ctx, hash)
	if err != nil {
		return c, err
	}
	if !found {
		return c, op.ErrUnauthorized
	}
	return callerAt(ctx, o, home.Business, pin, func(b *pg.Batch, v *pg.View) func() (business.Caller, error) {
		return business.QueueKey(b, v, hash)
	})
}

// assistantCaller is the person of an access token in the business of its connection, at a location if there is a pin.
func assistantCaller(ctx context.Context, o assembly.Services, home uuid.UUID, hash []byte, pin uuid.UUID) (Caller,
	error) {
	return callerAt(ctx, o, home, pin, func(b *pg.Batch, v *pg.View) func() (business.Caller, error) {
		return oauth.QueueCaller(b, v, hash)
	})
}

// callerAt is the caller of a credential of one business.
func callerAt(
	ctx context.Context, o assembly.Services, home, pin uuid.UUID, queue func(*pg.Batch,
		*pg.View) func() (business.Caller, error),
) (c Caller, err error) {
	v := o.DB.View(home)
	b := v.Batch()
	who := queue(b, v)
	if err := b.Send(ctx); err != nil {
		return c, err
	}
	k, err := who()
	if err != nil {
		return c, err
	}
	if pin != uuid.Nil {
		at, found, err := o.DB.Locate(ctx, pg.LocationID(pin))
		if err != nil {
			return c, err
		}
		if !found || at.Business != home {
			return c, fault.Missing()
		}
	}
	return Caller{Principal: k.Principal, Grants: k.Grants}, nil
}

// personCaller is a signed-in person, with what their roles allow in any of their businesses, or at the location of the
// pin.
func personCaller(ctx context.Context, o assembly.Services, token string, pin uuid.UUID) (c Caller, err error) {
	if c.Principal, err = o.Identity.Authenticate(ctx, token); err != nil {
		return c, err
	}
	if pin != uuid.Nil {
		at, found, err := o.DB.Locate(ctx, pg.LocationID(pin))
		if err != nil {
			return c, err
		}
		member := false
		if found {
			if c.Grants, _, member, err = o.Business.Admit(ctx, c.Principal, at.Business); err != nil {
				return c, err
			}
		}
		if !member {
			return c, fault.Missing()
		}
		return c, nil
	}
	c.Holds = func(ctx context.Context) (g tenancy.Grants, err error) {
		mine, err := o.Business.Mine(ctx, tenancy.Visitor(c.Principal, uuid.Nil, tenancy.SurfaceAssistant),
			paging.In[uuid.UUID]{Limit: paging.Max})
		g.All = tenancy.FeatureSet{}
		for _, m := range mine.Items {
			for _, f := range m.Features {
				g.All[f] = struct{}{}
			}
		}
		return g, err
	}
	return c, nil
}
