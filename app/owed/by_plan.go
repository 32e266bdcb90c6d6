package owed

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/app/tenancy"
	"foyer/policy"
)

// The values of details.why of plan.ErrNotPaid at the desk, besides the reasons of package rules.
const (
	WhyNoPlan rules.Why = "no_plan" // the customer has none, or not the selected one
	WhySold   rules.Why = "sold"    // the price of the booking is in an order already
)

// byPlan reports whether plans pay.
func (in PaymentInput) byPlan() bool {
	return slices.ContainsFunc(in.Tenders, func(t Tender) bool { return t.Method == PlanCredit })
}

// checkPlan checks the tender of plans.
func (in *PaymentInput) checkPlan(c *fault.Checks, t Tender, field string) {
	alone := len(in.Tenders) == 1 && in.sells()+len(in.FeeIDs) == 0 && len(in.BookingIDs) > 0
	c.That(alone, field+"method", "A plan pays for bookings alone. Pay for the rest separately.")
	c.That(t.Amount == 0 && t.Received == 0, field+"amount", "A plan pays in full. Leave out the amount.")
	c.That(t.Note == "", field+"note", "A payment by plan has no note.")
}

// usePlans is takeTx by plans of the customer: an order of the bookings whose prices are all taken off.
func (s *Service) usePlans(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in PaymentInput) (Sale, error) {
	d, err := lockDesk(ctx, tx, in)
	if err != nil {
		return Sale{}, err
	}
	if err := policy.RequireAt(sc, policy.PaymentTake, d.place.LocationID); err != nil {
		return Sale{}, err
	}
	if err := s.dropOpen(ctx, tx, d); err != nil {
		return Sale{}, err
	}
	if err := in.customer(ctx, tx, sc, &d); err != nil {
		return Sale{}, err
	}
	switch {
	case len(d.unpaid) > 0: // in an order already: its price was agreed
		return Sale{}, plan.ErrNotPaid.With("why", string(WhySold))
	case len(d.prices) == 0:
		return Sale{}, checkout.ErrNothingToPay
	}
	if err := d.cover(ctx, tx, in.Tenders[0].Source); err != nil {
		return Sale{}, err
	}
	made := d.sale()
	made.ID = pg.NewID()
	made.Receipt = s.order.ReceiptHash(made.ID)
	if err := order.Insert(ctx, tx, made); err != nil {
		return Sale{}, err
	}
	if err := plan.UseTx(ctx, tx, sc.Actor, made.ID); err != nil {
		return Sale{}, err
	}
	return Sale{
		OrderID: made.ID, LocationID: d.place.LocationID, CustomerID: d.place.CustomerID, Currency: d.place.Currency,
		Tenders: []Tender{{Method: PlanCredit, Label: made.Lines[0].Cover.Name}}, Lines: d.lines(),
	}, nil
}

// cover decides which plans pay for the bookings, or one plan alone. The memberships are locked then.
func (d *deskDue) cover(ctx context.Context, tx *pg.Tx, grant uuid.UUID) error {
	owned, err := plan.LockOfTx(ctx, tx, d.place.CustomerID)
	if err != nil {
		return err
	}
	ids := make([]uuid.UUID, len(d.prices))
	for i, p := range d.prices {
		ids[i] = p.BookingID
	}
	seats, err := plan.SeatsOf(ctx, tx, ids)
	if err != nil {
		return err
	}
	for i := range seats {
		seats[i].With = grant
	}
	for i, c := range plan.Choose(seats, owned) {
		if c.Source == uuid.Nil {
			passed := grant
			if grant == uuid.Nil && len(c.Passed) > 0 {
				passed = c.Passed[0].Source
			}
			why := cmp.Or(c.WhyNot(passed), WhyNoPlan)
			return plan.ErrNotPaid.With("bookingId", ids[i].String()).With("why", string(why))
		}
		at := slices.IndexFunc(owned, func(o plan.Owned) bool { return o.GrantID == c.Source })
		d.prices[i].cover = &order.Cover{GrantID: c.Source, Credits: c.Credits, Name: owned[at].Name}
	}
	return nil
}
