package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/policy"
)

// OpenHold is a hold that keeps seats right now, as the studio sees it.
type OpenHold struct {
	ID            uuid.UUID
	LocationID    uuid.UUID
	LocationName  string
	CustomerID    uuid.UUID
	CustomerName  string // may be empty
	CustomerEmail string
	CreatedAt     time.Time
	ExpiresAt     time.Time
	Paying        bool // its payment has begun
	Seats         []OpenSeat
}

// OpenSeat is one booking of an open hold.
type OpenSeat struct {
	BookingID    uuid.UUID
	OccurrenceID uuid.UUID
	OfferingID   uuid.UUID
	OfferingName string
	StartsAt     time.Time
	Zone         string
	Party        int
	Attendee     string
}

// OpenHolds lists the holds that keep seats right now, the first to end first. It needs booking.manage, and shows those at
// the locations for which the caller holds it. Freeing one is package checkout's: it has the cart and the payment to look
// after.
func (s *Service) OpenHolds(ctx context.Context, sc tenancy.Scope, page paging.In[paging.Moment]) (out paging.Page[OpenHold, paging.Moment], err error) {
	cover, err := policy.Where(sc, policy.BookingManage)
	if err != nil {
		return out, err
	}
	var c fault.Checks
	if page.Check(&c); c.Err() != nil {
		return out, c.Err()
	}
	return openHolds(ctx, s.db.View(sc.Tenant), cover, page)
}
