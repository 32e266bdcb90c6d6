package api

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/assembly"
	"foyer/app/business"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/oauth"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/waitlist"
	"foyer/app/web/op"
)

// Gate returns the gate of the operations: it resolves the caller, the caller's permissions and the location of a
// record.
func Gate(o assembly.Services) op.Gate { return op.Gate{Enter: gate{o}.enter} }

type gate struct{ assembly.Services }

// enter resolves everything in one batch: the caller and the permissions, the business of the record, and last the
// count of the call, so that concurrent calls of one visitor wait for each other as briefly as possible. The batch
// needs the business in advance: that of an API key, or that of the role. Finding it is a round trip of its own, once
// for a key or record. A refused credential finds nothing.
func (g gate) enter(ctx context.Context, k op.Knock) (e op.Entry, err error) {
	c, err := g.credential(ctx, k)
	if err != nil {
		return e, err
	}
	var record pg.Lookup
	var seek bool
	if c.isToken || c.isKey || c.isAssistant || k.Open {
		if record, seek, err = g.place(ctx, k, &e); err != nil {
			return e, err
		}
	}
	wall := c.home
	if c.isToken && k.Roles {
		wall = e.At.Business
	}
	v := g.DB.View(wall)
	b := v.Batch()
	who := c.ask(b, v)
	if seek {
		pg.QueueLocation(b, record, &e.At, &e.Found)
	}
	e.Hits = make([]pg.Hits, len(k.Count))
	for i, w := range k.Count {
		pg.QueueHit(b, w, &e.Hits[i])
	}
	if err := b.Send(ctx); err != nil {
		return e, err
	}
	caller, err := who()
	if fault.IsKind(err, fault.Unauthorized) {
		return e, nil // anonymous
	}
	if err != nil {
		return e, err
	}
	e.Principal, e.Grants, e.Exists, e.Member = caller.Principal, caller.Grants, caller.Exists, caller.Member
	if k.Roles && (c.isKey || c.isAssistant) && e.Found && e.At.Business != c.home {
		e.Grants, e.Exists, e.Member, err = g.Business.Admit(ctx, e.Principal, e.At.Business)
	}
	return e, err
}

// credential is a bearer token by its form: a session token, an API key, an assistant's access token, or none of them.
type credential struct {
	isToken, isKey, isAssistant bool

	token []byte    // hash of a session or access token
	key   [32]byte  // hash
	home  uuid.UUID // the business of a key, and of an assistant
}

// credential parses a bearer token. A key without a business is no credential, and an access token is one only where
// an assistant's surface received the request. A62.
func (g gate) credential(ctx context.Context, k op.Knock) (c credential, err error) {
	if c.token, c.isToken = identity.HashToken(k.Bearer); c.isToken {
		return c, nil
	}
	if k.Inside {
		if c.home, c.token, c.isAssistant = oauth.IsAccess(k.Bearer); c.isAssistant {
			return c, nil
		}
	}
	if c.key, c.isKey = business.HashKey(k.Bearer); c.isKey {
		var at pg.Location
		at, c.isKey, err = g.DB.KeyOf(ctx, c.key)
		c.home = at.Business
	}
	return c, err
}

// ask adds to a batch the lookup of the caller and of the caller's permissions in the business of the view.
func (c credential) ask(b *pg.Batch, v *pg.View) (who func() (business.Caller, error)) {
	switch {
	case c.isKey:
		return business.QueueKey(b, v, c.key)
	case c.isAssistant:
		return oauth.QueueCaller(b, v, c.token)
	case c.isToken && v.Business() != uuid.Nil:
		return business.QueueMember(b, v, c.token)
	case c.isToken:
		person := identity.QueueSession(b, v, c.token)
		return func() (c business.Caller, err error) {
			c.Principal, err = person()
			return c, err
		}
	}
	return func() (business.Caller, error) { return business.Caller{}, nil }
}

// recordsByID are the lookups of records by id alone.
var recordsByID = map[string]func(uuid.UUID) pg.Lookup{
	op.KindLocation: pg.LocationID, op.KindOffering: pg.OfferingID, op.KindAsset: pg.AssetID,
	op.KindProduct: pg.ProductID,
}

// place returns the location of the record in a request, as far as it is known. seek reports whether a lookup is
// still needed.
func (g gate) place(ctx context.Context, k op.Knock, e *op.Entry) (record pg.Lookup, seek bool, err error) {
	switch k.Kind {
	case op.KindBusiness:
		e.At.Business, err = uuid.Parse(k.ID)
		e.Found = e.At.Business != uuid.Nil // no tenant has this id, and no view
		return record, false, err
	case op.KindLocation, op.KindOffering, op.KindAsset, op.KindProduct:
		id, err := uuid.Parse(k.ID)
		if err != nil {
			return record, false, err
		}
		record, seek = recordsByID[k.Kind](id), true
	case op.KindCart:
		record, seek = checkout.CartLookup(k.ID)
	case op.KindReceipt:
		record, seek = order.ReceiptLookup(k.ID)
	case op.KindWaitlistOffer:
		record, seek = waitlist.OfferLookup(k.ID)
	}
	if !seek {
		return record, false, nil
	}
	if k.Roles {
		e.At, e.Found, err = g.DB.Locate(ctx, record)
		return record, false, err
	}
	e.At, e.Found = g.DB.Known(record)
	return record, !e.Found, nil
}
