package owed

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/fees"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/processor"
	"foyer/policy"
)

// cardFor returns the saved card to charge: the one named, or else the latest that has not expired. found is false if
// there is none with its customer's consent to charges off session.
func (s *Service) cardFor(
	ctx context.Context, r pg.Reader, customer, card uuid.UUID,
) (got billing.SavedCard, found bool, err error) {
	got, why, err := s.chargeable(ctx, r, customer, card)
	return got, err == nil && why == nil, err
}

// chargeable is cardFor with a reason if there is none: processor.ErrCardRemoved, or processor.ErrCardConsent for a
// card without consent.
func (s *Service) chargeable(
	ctx context.Context, r pg.Reader, customer, card uuid.UUID,
) (got billing.SavedCard, why *fault.Error, err error) {
	cards, err := s.billing.SavedCards(ctx, r, customer)
	if card == uuid.Nil {
		cards = slices.DeleteFunc(cards, func(c billing.SavedCard) bool { return c.Expired(r.Now()) })
	} else {
		cards = slices.DeleteFunc(cards, func(c billing.SavedCard) bool { return c.ID != card })
	}
	i := slices.IndexFunc(cards, billing.SavedCard.AllowsFees)
	switch {
	case err != nil:
		return got, nil, err
	case i >= 0:
		return cards[i], nil, nil
	case len(cards) > 0:
		return got, processor.ErrCardConsent, nil
	case card == uuid.Nil:
		why = processor.ErrCardRemoved.WithMessage("The studio has saved no card of this customer that can be charged.")
		return got, why, nil
	}
	return got, processor.ErrCardRemoved, nil
}

// Chargeable reports, for each of the fees due, whether a saved card of its customer can pay it off session now:
// Collect charges no other. It needs payment.take at any location.
func (s *Service) Chargeable(ctx context.Context, sc tenancy.Scope, feeList []fees.Fee) (map[uuid.UUID]bool, error) {
	if err := policy.RequireAny(sc, policy.PaymentTake); err != nil {
		return nil, err
	}
	var customers []uuid.UUID
	for _, f := range feeList {
		if f.State == fees.Due && !slices.Contains(customers, f.CustomerID) {
			customers = append(customers, f.CustomerID)
		}
	}
	pay, err := s.billing.Payers(ctx, s.db.View(sc.Tenant), customers)
	out := map[uuid.UUID]bool{}
	for _, f := range feeList {
		cur, has := pay[f.CustomerID]
		out[f.ID] = has && f.State == fees.Due && (cur == "" || cur == f.Currency) && order.Payable(f.Amount, f.Currency)
	}
	return out, err
}

// CardOf returns the saved card of a customer that Collect charges by default. It needs payment.take at any location.
func (s *Service) CardOf(ctx context.Context, sc tenancy.Scope, customer uuid.UUID) (billing.SavedCard, bool, error) {
	if err := policy.RequireAny(sc, policy.PaymentTake); err != nil {
		return billing.SavedCard{}, false, err
	}
	return s.cardFor(ctx, s.db.View(sc.Tenant), customer, uuid.Nil)
}
