package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/policy"
)

func openHolds(ctx context.Context, v *pg.View, cover policy.Cover, after *Key, limit int) ([]OpenHold, error) {
	type row struct {
		ID, LocationID, CustomerID                uuid.UUID
		LocationName, CustomerName, CustomerEmail string
		CreatedAt, ExpiresAt                      time.Time
		Paying                                    bool
		BookingID, OccurrenceID, OfferingID       uuid.UUID
		OfferingName, Zone, Attendee              string
		StartsAt                                  time.Time
		Party                                     int
	}
	var key Key
	if after != nil {
		key = *after
	}
	locations := cover.Locations
	if locations == nil {
		locations = []uuid.UUID{}
	}
	rows, err := pg.All[row](ctx, v, `with h as (
			select h.*, k.location_id, exists (select from orders r where r.business_id = $1 and r.cart_id = h.cart_id and r.state = 'open') as paying
			from holds h join carts k on k.business_id = h.business_id and k.id = h.cart_id
			where h.business_id = $1 and h.state = 'live' and h.expires_at > $2 and ($3 or k.location_id = any($4))
				and ($5 or (h.expires_at, h.id) > ($6, $7))
			order by h.expires_at, h.id limit $8
		)
		select h.id, h.location_id, h.customer_id, l.name as location_name, c.name as customer_name, c.email as customer_email,
			h.created_at, h.expires_at, h.paying, b.id as booking_id, b.occurrence_id, b.offering_id, f.name as offering_name, l.zone,
			b.attendee, b.starts_at, b.party
		from h
		join customers c on c.business_id = h.business_id and c.id = h.customer_id
		join locations l on l.business_id = h.business_id and l.id = h.location_id
		join bookings b on b.business_id = h.business_id and b.hold_id = h.id and b.state = 'held'
		join offerings f on f.business_id = h.business_id and f.id = b.offering_id
		order by h.expires_at, h.id, b.created_at, b.id`,
		v.Business(), v.Now(), cover.Everywhere, locations, after == nil, key.At, key.ID, limit)
	var out []OpenHold
	for _, r := range rows {
		if n := len(out); n == 0 || out[n-1].ID != r.ID {
			out = append(out, OpenHold{
				ID: r.ID, LocationID: r.LocationID, LocationName: r.LocationName, CustomerID: r.CustomerID, CustomerName: r.CustomerName,
				CustomerEmail: r.CustomerEmail, CreatedAt: r.CreatedAt.UTC(), ExpiresAt: r.ExpiresAt.UTC(), Paying: r.Paying,
			})
		}
		h := &out[len(out)-1]
		h.Seats = append(h.Seats, OpenSeat{
			BookingID: r.BookingID, OccurrenceID: r.OccurrenceID, OfferingID: r.OfferingID, OfferingName: r.OfferingName,
			StartsAt: r.StartsAt.UTC(), Zone: r.Zone, Party: r.Party, Attendee: r.Attendee,
		})
	}
	return out, err
}
