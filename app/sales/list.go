package sales

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/policy"
)

// ListInput selects payments; an unset filter selects all. Without a state, attempts that were not paid are left out.
type ListInput struct {
	Method     Method
	State      State
	From       civil.Date // the first day, of each location's own calendar
	To         civil.Date // the last day
	CustomerID uuid.UUID
	LocationID uuid.UUID
	OrderID    uuid.UUID
	Page       paging.In[paging.Moment]
}

// Validate checks the input. The error names every invalid field.
func (in ListInput) Validate() error {
	var c fault.Checks
	in.Page.Check(&c)
	c.That(in.Method == "" || in.Method.Valid(), "method", "Use card, cash, other, account_credit or gift_card.")
	c.That(in.State == "" || in.State.Valid(), "state", "Use open, processing, paid, partly_refunded, refunded, failed, canceled or void.")
	c.That(in.From.IsZero() || in.From.Valid(), "from", "Enter a date such as 2026-05-31.")
	c.That(in.To.IsZero() || in.To.Valid(), "to", "Enter a date such as 2026-05-31.")
	c.That(in.From.IsZero() || in.To.IsZero() || !in.To.Before(in.From), "to", "The last day is before the first.")
	return c.Err()
}

// sight selects the payments that a caller sees: those of the locations of cover, and outside full only today's.
type sight struct{ cover, full policy.Cover }

func sightOf(sc tenancy.Scope) (sight, error) {
	cover, err := policy.Where(sc, policy.PaymentView)
	return sight{cover, policy.WhereFull(sc, policy.PaymentView)}, err
}

// limited reports whether a part of the caller's payments is limited to today's.
func (s sight) limited() bool {
	for _, id := range s.cover.Locations {
		if !s.full.At(id) {
			return true
		}
	}
	return s.cover.Everywhere && !s.full.Everywhere
}

// List lists payments and open attempts, by card and at the desk, the latest first: in the order in which payments
// began. It needs payment.view, and shows those at the caller's locations with it; today's only, where the caller has
// the limited form. Days are those of a location's wall clock, by the time of payment, or else by the beginning of
// the attempt. It returns policy.ErrMissingFeature and a validation error.
func (s *Service) List(ctx context.Context, sc tenancy.Scope, in ListInput) (out paging.Page[Payment, paging.Moment], err error) {
	see, err := sightOf(sc)
	if err != nil {
		return out, err
	}
	if err := in.Validate(); err != nil {
		return out, err
	}
	rows, err := listPayments(ctx, s.o.DB.View(sc.Tenant), in, see)
	for i := range rows {
		s.receipt(&rows[i])
	}
	return paging.Of(rows, in.Page.Size(), func(p Payment) paging.Moment { return paging.Moment{At: p.CreatedAt, ID: p.ID} }), err
}

// receipt adds the token of its receipt to a payment whose order was sold.
func (s *Service) receipt(p *Payment) {
	if p.State.Succeeded() || p.State == Void {
		p.Receipt = s.o.Orders.ReceiptToken(p.OrderID)
	}
}
