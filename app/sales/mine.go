package sales

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fees"
	"foyer/app/identity"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Mine is a payment as the customer sees it: amount, item and refunds. The studio's fees are not included.
type Mine struct {
	Payment
	BusinessID   uuid.UUID
	BusinessName string
	LocationSlug string
	Fee          fees.Kind // its first line is that fee; empty: a booking
}

// Mine lists the signed-in person's payments in all businesses, by card, at the desk or with credit, the latest
// first, without void ones. It takes one round trip and one more for each business on the page. It returns
// identity.ErrSignIn, ErrKeyRefused, and a validation error on limit.
func (s *Service) Mine(ctx context.Context, p tenancy.Principal, in paging.In[paging.Moment]) (out paging.Page[Mine, paging.Moment], err error) {
	person, err := identity.PersonOf(p)
	if err != nil {
		return out, err
	}
	if err := in.Validate(); err != nil {
		return out, err
	}
	keys, err := paymentsOf(ctx, s.o.DB, person, in)
	if err != nil {
		return out, err
	}
	items, err := pg.Across(keys, func(m Mine) uuid.UUID { return m.ID }, func(business uuid.UUID, ids []uuid.UUID) ([]Mine, error) {
		return s.theirs(ctx, s.o.DB.View(business), person, ids)
	})
	return paging.Of(items, in.Size(), func(m Mine) paging.Moment { return paging.Moment{At: m.CreatedAt, ID: m.ID} }), err
}

// theirs reads payments of a person in one business.
func (s *Service) theirs(ctx context.Context, r pg.Reader, person uuid.UUID, ids []uuid.UUID) ([]Mine, error) {
	rows, err := readTheirs(ctx, r, person, ids)
	out := make([]Mine, 0, len(rows))
	for _, r := range rows {
		m := Mine{Payment: r.payment(), BusinessID: r.BusinessID, BusinessName: r.BusinessName, LocationSlug: r.LocationSlug, Fee: r.Fee}
		s.receipt(&m.Payment)
		m.FeeAmount, m.FeePPM, m.FeeRefunded, m.ProcessorFee, m.Net, m.Note, m.RecordedBy = 0, 0, 0, nil, nil, "", ""
		out = append(out, m)
	}
	return out, err
}

// MyCredit is a person's account credit with one business, in minor units of Currency.
type MyCredit struct {
	BusinessID   uuid.UUID
	BusinessName string
	Currency     money.Currency
	Amount       int64
}

// MyCredits returns the account credit of the signed-in person, by business. It takes one round trip and one more for
// each business. It returns identity.ErrSignIn and ErrKeyRefused.
func (s *Service) MyCredits(ctx context.Context, p tenancy.Principal) ([]MyCredit, error) {
	person, err := identity.PersonOf(p)
	if err != nil {
		return nil, err
	}
	businesses, err := creditsOf(ctx, s.o.DB, person)
	out := []MyCredit{}
	for _, b := range businesses {
		list, err := theirCredits(ctx, s.o.DB.View(b), person)
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return out, err
}
