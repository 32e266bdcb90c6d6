package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
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

// OpenHoldsInput chooses a part of the open holds.
type OpenHoldsInput struct {
	After *Key // nil: from the beginning
	Limit int  // 0: PageDefault
}

// OpenHoldPage is a part of the open holds, the first to end first.
type OpenHoldPage struct {
	Items []OpenHold
	Next  *Key
}

// OpenHolds lists the holds that keep seats right now. It needs booking.manage, and shows those at the locations for which
// the caller holds it. Freeing one is package checkout's: it has the cart and the payment to look after.
func (s *Service) OpenHolds(ctx context.Context, sc tenancy.Scope, in OpenHoldsInput) (OpenHoldPage, error) {
	cover, err := policy.Where(sc, policy.BookingManage)
	if err != nil {
		return OpenHoldPage{}, err
	}
	size, ok := PageSize(in.Limit)
	if !ok {
		return OpenHoldPage{}, fault.Invalid("limit", "Ask for 1 to 200.")
	}
	rows, err := openHolds(ctx, s.db.View(sc.Tenant), cover, in.After, size+1)
	if err != nil {
		return OpenHoldPage{}, err
	}
	items, next := Cut(rows, size, func(h OpenHold) Key { return Key{h.ExpiresAt, h.ID} })
	return OpenHoldPage{items, next}, nil
}
