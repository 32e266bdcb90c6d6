package booking

import (
	"context"

	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/policy"
)

// OpenHolds lists the holds that keep seats right now, the first to end first. It needs booking.manage, and shows those at
// the locations for which the caller holds it. Freeing one is package checkout's: it has the cart and the payment to look
// after.
func (s *Service) OpenHolds(ctx context.Context, sc tenancy.Scope, page paging.In[paging.Moment]) (out paging.Page[OpenHold, paging.Moment], err error) {
	cover, err := policy.Where(sc, policy.BookingManage)
	if err != nil {
		return out, err
	}
	if err := page.Validate(); err != nil {
		return out, err
	}
	return openHolds(ctx, s.db.View(sc.Tenant), cover, page)
}
