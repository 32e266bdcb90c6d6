package demo

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/owed"
	"foyer/app/till"
	"foyer/app/waitlist"
	"foyer/app/walkin"
	"foyer/billing/tender"
)

// Events at the front desk of a studio: classes, courses and walk-ins that are paid there, and the cash drawer.

// deskMayRefund is how much of one payment the front desk of the demo may refund, in minor units.
const deskMayRefund = 1000

// limit lets the front desk refund a little.
func (s *seeding) limit(ctx context.Context) error {
	here, err := s.Business.Location(ctx, s.owner, s.locations[0].ID)
	if err != nil {
		return err
	}
	most := int64(deskMayRefund)
	_, err = s.Business.UpdateLocation(ctx, s.owner, business.UpdateLocationInput{LocationID: here.ID, Version: here.Version, RefundCapAmount: &most})
	return err
}

// dropIn sells a seat of one of the next classes at the desk: in cash or by the studio's own terminal, alternating.
func (s *seeding) dropIn(ctx context.Context) error {
	s.dropIns++
	g, method := s.guests[s.dropIns*5%len(s.guests)], tender.Cash
	if s.dropIns%3 == 0 {
		g = s.newGuest()
	}
	if s.dropIns%2 == 0 {
		method = tender.Other
	}
	want := s.dropIns % len(s.plan.classes)
	d, err := s.soonest(g, func(d *date) bool { return d.class == want && s.plan.classes[want].children == nil })
	if err != nil || s.plan.classes[want].price == 0 {
		d, err = s.soonest(g, func(d *date) bool { c := s.plan.classes[d.class]; return c.price > 0 && c.children == nil })
	}
	if err != nil {
		return err
	}
	sold, err := s.Owed.Sell(ctx, s.owner, booking.BookInput{Customer: g.who(), OccurrenceID: d.ID}, method)
	if err != nil {
		return fmt.Errorf("%s at the desk: %w", g.name, err)
	}
	d.bookings[g.email] = sold.Booking.ID
	return nil
}

// walkIn lets a party in that has not booked, and takes their money in cash.
func (s *seeding) walkIn(ctx context.Context) error {
	stay, err := s.comeIn(ctx)
	if err != nil || stay.DueAmount == 0 {
		return err
	}
	take := owed.PaymentInput{BookingIDs: []uuid.UUID{stay.BookingID}, Tenders: owed.Pays(tender.Cash)}
	_, err = s.Owed.RecordPayment(ctx, s.owner, take)
	return err
}

// comeIn lets a party in, if there is a room for it.
func (s *seeding) comeIn(ctx context.Context) (walkin.Stay, error) {
	offering := s.walkable()
	if offering == uuid.Nil {
		return walkin.Stay{}, nil
	}
	s.walkIns++
	in := walkin.CheckInInput{LocationID: s.locations[0].ID, OfferingID: offering, Party: 1 + s.walkIns%2}
	if s.walkIns%3 > 0 {
		in.Customer = s.guests[s.walkIns*11%len(s.guests)].who()
	}
	stay, err := s.Walkin.CheckIn(ctx, s.owner, in)
	if f := fault.From(err); f != nil && f.Kind == fault.Conflict {
		return walkin.Stay{}, nil // the room is closed at this time, or full
	}
	return stay, err
}

// inside adds two parties of walk-ins that are checked in now, if the location is open.
func (s *seeding) inside(ctx context.Context) error {
	for range 2 {
		if _, err := s.comeIn(ctx); err != nil {
			return err
		}
	}
	return nil
}

// enrol enrols two people into the course at the desk: one pays in cash, the other has not paid.
func (s *seeding) enrol(ctx context.Context, course uuid.UUID) error {
	in := booking.BookInput{Customer: s.newGuest().who(), OfferingID: course}
	if _, err := s.Owed.Sell(ctx, s.owner, in, tender.Cash); err != nil {
		return err
	}
	in.Customer = s.newGuest().who()
	_, err := s.Booking.Book(ctx, s.owner, in)
	return err
}

// openDrawer opens the cash drawer with a float, and puts change into it.
func (s *seeding) openDrawer(ctx context.Context) error {
	here := s.locations[0].ID
	d, err := s.Till.Open(ctx, s.owner, till.OpenInput{LocationID: here, FloatAmount: drawerFloat})
	if err != nil {
		return err
	}
	s.drawer = till.Of{LocationID: here, DrawerID: d.ID}
	if s.drawers++; s.drawers%3 != 1 {
		return nil
	}
	in := till.TransactionInput{Of: s.drawer, Kind: till.PayIn, Amount: 2000, Note: "Change from the bank"}
	_, err = s.Till.RecordCash(ctx, s.owner, in)
	return err
}

// drawerFloat is the opening float of the cash drawer, in minor units.
const drawerFloat = 10_000

// countDrawer counts the cash drawer, in which now and then something is missing, and notes that the terminal's money
// has arrived.
func (s *seeding) countDrawer(ctx context.Context) error {
	if s.drawer.DrawerID == uuid.Nil {
		return nil
	}
	d, _, err := s.Till.Get(ctx, s.owner, s.drawer)
	if err != nil {
		return err
	}
	in := till.CountInput{Of: s.drawer, CountedAmount: d.Expected(), RemainingAmount: drawerFloat}
	if s.drawers%4 == 2 {
		in.CountedAmount -= 200
		in.Note = "Two short; counted twice."
	}
	if _, err := s.Till.Count(ctx, s.owner, in); err != nil {
		return err
	}
	s.drawer = till.Of{}
	_, due, err := s.Till.Outstanding(ctx, s.owner, d.LocationID)
	if err != nil || due == 0 {
		return err
	}
	fee := due * 17 / 1000
	_, err = s.Till.RecordSettlement(ctx, s.owner, till.SettlementInput{LocationID: d.LocationID, Amount: due - fee, FeeAmount: fee, Note: "Terminal, this week"})
	return err
}

// crowd fills a date of the smallest class in the days that come, and lets three more people wait.
func (s *seeding) crowd(ctx context.Context) error {
	now := s.Clock.Now()
	var full *date
	for _, d := range s.dates {
		c := s.plan.classes[d.class]
		if d.StartsAt.After(now.Add(day24)) && d.StartsAt.Before(now.Add(6*day24)) && c.location == 0 && c.children == nil &&
			(full == nil || c.capacity < full.seats(s) || c.capacity == full.seats(s) && d.free() < full.free()) {
			full = d
		}
	}
	for full.free() > 0 {
		g := s.newGuest()
		made, err := s.Booking.Book(ctx, s.owner, booking.BookInput{Customer: g.who(), OccurrenceID: full.ID})
		if err != nil {
			return err
		}
		full.bookings[g.email] = made.Booking.ID
	}
	waiting := 0
	for _, g := range s.regulars {
		if _, in := full.bookings[g.email]; in || waiting == 3 {
			continue
		}
		who, err := s.signedIn(ctx, g)
		if err == nil {
			_, err = s.Waitlist.Join(ctx, who, waitlist.JoinInput{OfferingID: full.OfferingID, OccurrenceID: full.ID})
		}
		if err != nil {
			return err
		}
		waiting++
	}
	return nil
}

func (d *date) seats(s *seeding) int { return s.plan.classes[d.class].capacity }

// expected are the bookings of the classes of a day that are to be checked in by the evening.
func (s *seeding) expected(day int) (ids []uuid.UUID) {
	for _, d := range s.dates {
		if d.day != day || s.now(d) {
			continue
		}
		for _, email := range sorted(d.bookings) {
			if id := d.bookings[email]; !s.away[id] {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// now reports whether a date has not begun when the demo is made: no customer is checked in yet.
func (s *seeding) now(d *date) bool { return d.StartsAt.After(s.end.Add(-30 * time.Minute)) }

// taken returns a booking of a regular for a date that fulfils a condition and has more bookings than the minimum;
// nil if there is none.
func (s *seeding) taken(ok func(*date) bool) (*date, string) {
	for _, d := range s.dates {
		c := s.plan.classes[d.class]
		if c.location != 0 || c.price == 0 || c.children != nil || len(d.bookings) <= c.least()+1 || !ok(d) {
			continue
		}
		for _, email := range sorted(d.bookings) {
			if !s.away[d.bookings[email]] && slices.IndexFunc(s.regulars, func(g *guest) bool { return g.email == email }) < 0 {
				return d, email
			}
		}
	}
	return nil, ""
}
