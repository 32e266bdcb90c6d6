package walkin

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/availability"
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/crm"
	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/policy"
)

// CheckInInput is a walk-in: customer, offering and party.
type CheckInInput struct {
	LocationID uuid.UUID
	OfferingID uuid.UUID
	Customer   booking.CustomerRef // without a record and an address: an anonymous customer, with any name or none
	Party      int                 // people; 0: one
	Minutes    int                 // one of the offering's lengths; 0: its default one
}

// Validate trims and checks the input. The error names every wrong field.
func (in *CheckInInput) Validate() error {
	var c fault.Checks
	if in.Party == 0 {
		in.Party = 1
	}
	c.That(in.Party >= 1 && in.Party <= booking.PartyMax, "party", fmt.Sprintf("Use 1 to %d.", booking.PartyMax))
	c.That(in.Minutes == 0 || in.Minutes >= schedule.MinutesMin && in.Minutes <= schedule.MinutesMax, "minutes",
		fmt.Sprintf("Use %d to %d minutes.", schedule.MinutesMin, schedule.MinutesMax))
	in.Customer.Email = strings.TrimSpace(in.Customer.Email)
	in.Customer.Name = booking.CheckLine(&c, "customer.name", in.Customer.Name, booking.AttendeeMax)
	if in.Customer.Email != "" {
		_, ok := identity.ParseEmail(in.Customer.Email)
		c.That(ok, "customer.email", "Enter an e-mail address, like name@example.com.")
		c.That(in.Customer.CustomerID == uuid.Nil, "customer.email", "Name a customer or an address, not both.")
	}
	return c.Err()
}

// CheckIn sells a stay that begins now and checks the party in, in the first room of the offering with room for all
// of them. It charges nothing: the price is due at the desk. It needs booking.manage at the location.
//
// It sells exactly the state shown: it reads the same facts under the lock of the rooms. E64, E65.
//
// Errors:
//   - not found for a location, an offering or a customer the business does not have
//   - Validation
//   - ErrNotBookable when the offering takes no walk-ins
//   - ErrOff
//   - ErrPaused with details.until
//   - ErrClosed
//   - ErrLastEntry with details.closesAt
//   - ErrFull with details.spots
func (s *Service) CheckIn(ctx context.Context, sc tenancy.Scope, in CheckInInput) (Stay, error) {
	if err := policy.RequireAny(sc, policy.BookingManage); err != nil {
		return Stay{}, err
	}
	if err := in.Validate(); err != nil {
		return Stay{}, err
	}
	// Expired holds do not block walk-ins. They end first, in a transaction of their own: holds are locked before
	// rooms.
	if _, err := s.booking.ExpireSlots(pg.WithoutClaim(ctx), sc.Tenant); err != nil {
		return Stay{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Stay, error) {
		if err := atDoor(ctx, tx, sc, in.LocationID); err != nil {
			return Stay{}, err
		}
		customer, err := in.guest(ctx, tx)
		if err != nil {
			return Stay{}, err
		}
		if err := lockRooms(ctx, tx, in.LocationID, in.OfferingID); err != nil {
			return Stay{}, err
		}
		p, err := walkinFacts(ctx, tx, in.LocationID, in.Minutes)
		if err != nil {
			return Stay{}, err
		}
		placed, err := in.place(ctx, tx, p.Facts)
		if err != nil {
			return Stay{}, err
		}
		opened, err := availability.OpenTx(ctx, tx, []availability.Placement{placed})
		if err != nil {
			return Stay{}, err
		}
		return seatWalkin(ctx, tx, sc, walkinSeat{
			Placement: placed, Occurrence: opened[0], Customer: customer, Currency: p.Currency,
		})
	})
}

// atDoor checks whether the caller may check walk-ins in and out at a location. A location that the business does not
// have is not found, with any grants.
func atDoor(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, location uuid.UUID) error {
	if _, err := business.LocationOf(ctx, tx, location); err != nil {
		return err
	}
	return policy.RequireAt(sc, policy.BookingManage, location)
}

// place finds the room.
func (in CheckInInput) place(ctx context.Context, tx *pg.Tx, f Facts) (availability.Placement, error) {
	now := tx.Now()
	if err := f.shut(now); err != nil {
		return availability.Placement{}, err
	}
	i := slices.IndexFunc(f.Offers, func(o Listing) bool { return o.ID == in.OfferingID })
	if i < 0 || len(f.Offers[i].Rooms) == 0 {
		return availability.Placement{}, noWalkins(ctx, tx, in.LocationID, in.OfferingID)
	}
	o, minutes := f.Offers[i], in.Minutes
	if minutes == 0 {
		minutes = o.Lengths.Default()
	}
	price, sold := o.Lengths.Price(minutes, in.Party)
	if !sold {
		return availability.Placement{}, fault.Invalid("minutes", "This is not one of the lengths that can be booked.")
	}
	d := f.door(now)
	room, err := d.choose(o, minutes, in.Party)
	if err != nil {
		return availability.Placement{}, err
	}
	ends := d.start.Add(time.Duration(minutes) * time.Minute)
	return availability.Placement{
		OfferingID: o.ID, LocationID: in.LocationID, StartsAt: d.start, EndsAt: ends,
		BlockedFrom: d.start, BlockedTo: ends.Add(time.Duration(o.After) * time.Minute),
		SpaceID: &f.Rooms[room].ID, Shared: true, Party: in.Party, PriceAmount: price,
	}, nil
}

// guest returns the customer's record, and makes it when there is none. Each customer without an address gets their
// own.
func (in CheckInInput) guest(ctx context.Context, tx *pg.Tx) (uuid.UUID, error) {
	if !in.Customer.Anonymous() {
		return in.Customer.Lock(ctx, tx)
	}
	c, err := crm.GuestTx(ctx, tx, in.Customer.Name)
	return c.ID, err
}
