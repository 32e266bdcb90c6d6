package demo

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/checkout"
	"foyer/app/paging"
	"foyer/app/sales"
	"foyer/app/till"
	"foyer/billing"
)

// deskMayGive is how much of one payment the front desk of the demo may give back, in minor units.
const deskMayGive = 1000

// refunds lets the front desk give back a little, and gives back of the last two payments: a part of one as account credit, all of the other
// to its card.
func (s *seeding) refunds(ctx context.Context) error {
	here, err := s.Business.Location(ctx, s.owner, s.locations[0].ID)
	if err != nil {
		return err
	}
	most := int64(deskMayGive)
	if _, err := s.Business.UpdateLocation(ctx, s.owner, business.UpdateLocationInput{LocationID: here.ID, Version: here.Version, RefundCapAmount: &most}); err != nil {
		return err
	}
	paid, err := s.Sales.List(ctx, s.owner, sales.ListInput{State: sales.Paid, Method: sales.ByCard, Page: paging.In[paging.Moment]{Limit: 2}})
	if err != nil {
		return err
	}
	for i, p := range paid.Items {
		in := sales.RefundInput{PaymentID: p.ID, Amount: &p.Left, Reason: billing.ReasonRequested, Note: "Moves away next month."}
		if i == 0 {
			part := min(p.Left, 500)
			in = sales.RefundInput{PaymentID: p.ID, Amount: &part, Reason: billing.ReasonGoodwill, Destination: billing.ToCredit, Note: "The heating was off."}
		}
		if _, err := s.Sales.Refund(ctx, s.owner, in); err != nil {
			return err
		}
	}
	return nil
}

// desk opens the cash drawer with 100.00, puts change into it, and takes the money of two bookings that the desk has made: one in cash, one
// by the studio's own terminal. What else is due stays so.
func (s *seeding) desk(ctx context.Context) error {
	here := s.locations[0].ID
	d, err := s.Till.Open(ctx, s.owner, till.OpenInput{LocationID: here, FloatAmount: 10000})
	if err != nil {
		return err
	}
	in := till.MoveInput{Of: till.Of{LocationID: here, DrawerID: d.ID}, Kind: till.PayIn, Amount: 2000, Note: "Change from the bank"}
	if _, err := s.Till.Move(ctx, s.owner, in); err != nil {
		return err
	}
	list, err := s.Booking.List(ctx, s.owner, booking.ListInput{LocationID: here, State: booking.Confirmed, Page: paging.In[paging.Moment]{Limit: paging.Max}})
	if err != nil {
		return err
	}
	methods := []billing.Method{billing.MethodCash, billing.MethodElsewhere}
	for _, b := range list.Items {
		if len(methods) == 0 {
			break
		}
		m, err := s.Checkout.MoneyOf(ctx, s.owner.Tenant, b.Booking)
		if err != nil {
			return err
		}
		if m.Due == 0 {
			continue
		}
		if _, err := s.Checkout.Take(ctx, s.owner, checkout.TakeInput{BookingIDs: []uuid.UUID{b.ID}, Tenders: checkout.Pays(methods[0])}); err != nil {
			return err
		}
		methods = methods[1:]
	}
	return nil
}
