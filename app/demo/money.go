package demo

import (
	"context"

	"foyer/app/business"
	"foyer/app/paging"
	"foyer/app/sales"
	"foyer/billing"
)

// deskMayGive is how much of one payment the front desk of the demo may give back, in minor units.
const deskMayGive = 1000

// refunds lets the front desk give back a little, and gives money back of the last two payments: a part of one, all of the other.
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
		back, reason, note := p.Left, billing.ReasonRequested, "Moves away next month."
		if i == 0 {
			back, reason, note = min(p.Left, 500), billing.ReasonGoodwill, "The heating was off."
		}
		if _, err := s.Sales.Refund(ctx, s.owner, sales.RefundInput{PaymentID: p.ID, Amount: &back, Reason: reason, Note: note}); err != nil {
			return err
		}
	}
	return nil
}
