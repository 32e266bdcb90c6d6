package api

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/business"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/app/web"
)

// Gate is how the operations learn who calls, what they may do, and where a record is. A token that begins like an API
// key is one: no session token does.
func Gate(o wire.Services) web.Gate {
	return web.Gate{
		Authenticate: func(ctx context.Context, bearer string) (tenancy.Principal, error) {
			if strings.HasPrefix(bearer, business.KeyPrefix) {
				return o.Business.AuthenticateKey(ctx, bearer)
			}
			return o.Identity.Authenticate(ctx, bearer)
		},
		Admit:  o.Business.Admit,
		Locate: locate(o),
	}
}

// locate is what finds the business, and the location if there is one, of what a path names. Kinds of record that do not exist
// yet are found nowhere.
func locate(o wire.Services) func(ctx context.Context, kind, id string) (where, location uuid.UUID, found bool, err error) {
	return func(ctx context.Context, kind, id string) (where, location uuid.UUID, found bool, err error) {
		switch kind {
		case web.KindCart:
			return o.Checkout.FindCart(ctx, id)
		case web.KindReceipt:
			where, found, err = o.Checkout.FindReceipt(ctx, id)
			return where, uuid.Nil, found, err
		case web.KindWaitlistOffer:
			entry, found, err := o.Waitlist.Locate(ctx, id)
			return entry.BusinessID, uuid.Nil, found, err
		}
		record, err := uuid.Parse(id)
		if err != nil {
			return uuid.Nil, uuid.Nil, false, nil
		}
		var place pg.Place
		switch kind {
		case web.KindLocation:
			place, found, err = o.DB.LocationOf(ctx, record)
		case web.KindOffering:
			place, found, err = o.DB.OfferingOf(ctx, record)
		}
		return place.Business, place.Location, found, err
	}
}
