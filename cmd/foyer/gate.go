package main

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/app/web"
)

// gate is how package web, which knows no domain, learns who asks and whose record a path names.
func (x *product) gate() web.Gate {
	return web.Gate{
		Authenticate: func(ctx context.Context, bearer string) (tenancy.Principal, error) {
			if strings.HasPrefix(bearer, business.KeyPrefix) {
				return x.business.AuthenticateKey(ctx, bearer)
			}
			return x.identity.Authenticate(ctx, bearer)
		},
		Admit:  x.business.Admit,
		Locate: x.locate,
	}
}

// locate finds the business, and the location if there is one, of a record.
func (x *product) locate(ctx context.Context, kind, id string) (inBusiness, atLocation uuid.UUID, ok bool, err error) {
	switch kind {
	case web.KindCart:
		return x.checkout.FindCart(ctx, id)
	case web.KindReceipt:
		inBusiness, ok, err = x.checkout.FindReceipt(ctx, id)
		return inBusiness, uuid.Nil, ok, err
	}
	find := map[string]func(context.Context, uuid.UUID) (pg.Place, bool, error){
		web.KindLocation: x.db.LocationOf, web.KindOffering: x.db.OfferingOf,
	}[kind]
	known, err := uuid.Parse(id)
	if find == nil || err != nil {
		return uuid.Nil, uuid.Nil, false, nil
	}
	place, ok, err := find(ctx, known)
	return place.Business, place.Location, ok, err
}
