package demo

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/paging"
	"foyer/app/sales"
	"foyer/billing"
)

func sorted(m map[string]uuid.UUID) []string { return slices.Sorted(maps.Keys(m)) }

// regret is a customer who cancels some hours before the class with a late-cancellation fee; the policy waives the
// first one of each.
func (s *seeding) regret(ctx context.Context, _ int) error {
	now := s.Clock.Now()
	d, email := s.taken(func(d *date) bool {
		_, in := d.bookings[s.sorry]
		return d.StartsAt.After(now) && d.StartsAt.Before(now.Add(11*time.Hour+30*time.Minute)) && (s.sorry == "" || in)
	})
	if d == nil && s.sorry != "" {
		s.sorry = ""
		return s.regret(ctx, 0)
	}
	if d == nil {
		return nil
	}
	if s.sorry != "" {
		email = s.sorry
	}
	id := d.bookings[email]
	delete(d.bookings, email)
	s.sorry = email
	_, err := s.Booking.Cancel(ctx, s.owner, booking.CancelInput{BookingID: id, By: booking.ByCustomer})
	return err
}

// refunds are the refunds of the latest card payment: a part as account credit, all of it to the card, a part of it
// to the card.
var refunds = []sales.RefundInput{
	{Reason: billing.ReasonGoodwill, Destination: billing.ToCredit, Note: "The heating was off."},
	{Reason: billing.ReasonRequested, Note: "Moves away next month."},
	{Reason: billing.ReasonNotProvided, Note: "Class ended twenty minutes early."},
	{Reason: billing.ReasonDuplicate, Note: "Booked twice by mistake."},
}

// refund refunds of the last payment by card for a booking that can be refunded.
func (s *seeding) refund(ctx context.Context, n int) error {
	paid, err := s.Sales.List(ctx, s.owner, sales.ListInput{
		State: sales.Paid, Method: sales.ByCard, Page: paging.In[paging.Moment]{Limit: 10},
	})
	if err != nil {
		return err
	}
	i := slices.IndexFunc(paid.Items, func(p sales.Payment) bool { return !s.ofGoods[p.OrderID] })
	if i < 0 {
		return nil
	}
	in, p := refunds[n%len(refunds)], paid.Items[i]
	amount := p.Refundable
	if n%2 == 0 {
		amount = min(amount, 500)
	}
	in.PaymentID, in.Amount = p.ID, &amount
	done, err := s.Sales.Refund(ctx, s.owner, in)
	if err != nil {
		return err
	}
	return s.Billing.SubmitRefund(ctx, billing.RefundJob{Business: s.owner.Tenant, Refund: done.Refund.ID})
}

// dispute has a customer's bank want a payment back: one of some days ago.
func (s *seeding) dispute(ctx context.Context, _ int) error {
	if len(s.paid) < 4 {
		return nil
	}
	account, err := s.account(ctx)
	if err == nil {
		_, err = s.Sim.Dispute(account, s.paid[len(s.paid)-4], "fraudulent")
	}
	return err
}

// paidOut pays the available balance of the processor out to the studio's bank account.
func (s *seeding) paidOut(ctx context.Context) error {
	account, err := s.account(ctx)
	if err == nil {
		_, err = s.Sim.PayOut(account)
	}
	return err
}

func (s *seeding) account(ctx context.Context) (string, error) {
	c, err := s.Billing.Connection(ctx, s.owner)
	return c.AccountID, err
}
