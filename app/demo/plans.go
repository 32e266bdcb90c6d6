package demo

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/order"
	"foyer/app/owed"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/billing/tender"
)

// plansOnSale publishes the plans of a studio: a pack, a pass, an intro offer, two memberships and a complimentary
// plan. A pack costs eight times a class, a pass as much as that and a half, a membership of four classes as much as
// three.
func (s *seeding) plansOnSale(ctx context.Context) error {
	class := s.plan.classes[0].price
	classes := []catalog.Kind{catalog.Class}
	for i, in := range []plan.CreateInput{
		{
			Name:        "10-class pack",
			Description: "Ten classes at the price of eight. Bring a friend: credits are for guests, too.",
			Kind:        plan.Pack, PriceAmount: 8 * class, SoldOnline: true,
			Validity: plan.Validity{Count: 6, Unit: rules.Month},
			Benefits: []plan.Benefit{{Credits: ptr(10), Kinds: classes, ForGuests: true}},
		},
		{
			Name: "30-day pass", Description: "As many classes as you like, up to one each day.", Kind: plan.Pass,
			PriceAmount: 12 * class, SoldOnline: true,
			Validity: plan.Validity{Count: 30, Unit: rules.Day, FromFirstUse: true},
			Benefits: []plan.Benefit{{Kinds: classes, DayMax: 1}},
		},
		{
			Name: "Two classes to try", Description: "For your first visits.", Kind: plan.Intro, PriceAmount: class,
			SoldOnline: true, Validity: plan.Validity{Count: 14, Unit: rules.Day, FromFirstUse: true},
			Benefits: []plan.Benefit{{Credits: ptr(2), Kinds: classes}},
		},
		{
			Name:        "Studio regular",
			Description: "Four classes each month. Cancel any time for the end of the month that is paid.",
			Kind:        plan.Renewing, PriceAmount: 3 * class, SoldOnline: true,
			Validity: plan.Validity{Count: 1, Unit: rules.Month},
			Renewal:  plan.Renewal{IntroAmount: 2 * class, IntroPeriods: 1},
			Freeze:   rules.Freeze{Allowed: true, MinDays: 7, MaxDays: 62, PerYear: 2},
			Benefits: []plan.Benefit{{Credits: ptr(4), Kinds: classes, RolloverMax: 1}},
		},
		{
			Name: "Friends of the studio", Kind: plan.Comp, Validity: plan.Validity{Count: 1, Unit: rules.Year},
			Benefits: []plan.Benefit{{Credits: ptr(5), Kinds: classes}},
		},
		{
			Name:        "Studio unlimited",
			Description: "Come as often as you like, and bring a guest once between two payments.",
			Kind:        plan.Renewing, PriceAmount: 6 * class, SoldOnline: true,
			Validity: plan.Validity{Count: 1, Unit: rules.Month},
			Freeze:   rules.Freeze{Allowed: true, MinDays: 7, MaxDays: 62, PerYear: 2},
			Benefits: []plan.Benefit{{Kinds: classes}, {Credits: ptr(1), Kinds: classes, GuestsOnly: true}},
		},
	} {
		in.Position = i
		if in.PriceAmount > 0 {
			in.TaxRateID = &s.taxRate
		}
		p, err := s.Plans.Create(ctx, s.owner, in)
		if err == nil {
			p, err = s.Plans.Publish(ctx, s.owner, p.ID)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", in.Name, err)
		}
		s.offers = append(s.offers, p)
	}
	regular, unlimited := s.offers[regularOffer], s.offers[unlimitedOffer]
	return errors.Join(s.changes(ctx, regular, unlimited), s.changes(ctx, unlimited, regular))
}

// The places of the memberships among the offers.
const (
	regularOffer   = 3
	unlimitedOffer = 5
)

// changes lets the customers of a membership change to another one.
func (s *seeding) changes(ctx context.Context, from, to plan.Plan) error {
	ids := []uuid.UUID{to.ID}
	_, err := s.Plans.Update(ctx, s.owner, plan.UpdateInput{ID: from.ID, Version: from.Version, ChangeIDs: &ids})
	return err
}

// members has customers buy plans, and book with them: the first one a pack online, another a pass at the desk, and a
// third has a complimentary plan.
func (s *seeding) members(ctx context.Context) error {
	first := s.regulars[0]
	who, err := s.signedIn(ctx, first)
	if err != nil {
		return err
	}
	done, _, err := s.through(ctx, who, terms{}, func(token string) error {
		_, err := s.Checkout.AddNonSeat(ctx, who, token,
			order.CartItem{Kind: order.Plan, Subject: s.offers[0].ID, Quantity: 1})
		return err
	})
	if err != nil {
		return fmt.Errorf("%s buys a pack: %w", first.name, err)
	}
	s.ofGoods[done.OrderID] = true
	if err := s.joins(ctx, s.regulars[3]); err != nil {
		return err
	}
	for range 2 {
		d, err := s.soonest(first, func(d *date) bool { c := s.plan.classes[d.class]; return c.price > 0 && c.location == 0 })
		if err != nil {
			return err
		}
		b, err := s.buy(ctx, who, checkout.AddItemInput{OccurrenceID: d.ID}, terms{})
		if err != nil {
			return fmt.Errorf("%s books with a pack: %w", first.name, err)
		}
		d.bookings[first.email] = b
	}
	return s.desksPlans(ctx)
}

// renewalWords is what the members of the demo agree to.
const renewalWords = "The studio charges my card each month until I cancel."

// joins has a customer join the membership online.
func (s *seeding) joins(ctx context.Context, g *guest) error {
	who, err := s.signedIn(ctx, g)
	if err != nil {
		return err
	}
	done, _, err := s.through(ctx, who, terms{}, func(token string) error {
		_, err := s.Checkout.AddNonSeat(ctx, who, token,
			order.CartItem{Kind: order.Plan, Subject: s.offers[regularOffer].ID, Quantity: 1, Consent: renewalWords})
		return err
	})
	if err != nil {
		return fmt.Errorf("%s joins: %w", g.name, err)
	}
	s.ofGoods[done.OrderID] = true
	return nil
}

// desksPlans sells a pass at the desk, and gives a complimentary plan.
func (s *seeding) desksPlans(ctx context.Context) error {
	for i, g := range s.regulars[1:3] {
		d, err := s.soonest(g, func(d *date) bool { c := s.plan.classes[d.class]; return c.price > 0 && c.location == 0 })
		if err != nil {
			return err
		}
		made, err := s.book(ctx, g, d)
		if err != nil {
			return err
		}
		if i == 0 {
			sale, bad := s.Owed.RecordPayment(ctx, s.owner, owed.PaymentInput{
				Plans: []uuid.UUID{s.offers[1].ID}, LocationID: s.locations[0].ID, CustomerID: made.CustomerID,
				Tenders: owed.Pays(tender.Other),
			})
			s.ofGoods[sale.OrderID], err = true, bad
		} else {
			_, err = s.Plans.AddComp(ctx, s.owner, plan.CompInput{
				CustomerID: made.CustomerID, PlanID: s.offers[4].ID, LocationID: s.locations[0].ID,
			})
		}
		if err == nil {
			_, err = s.Owed.RecordPayment(ctx, s.owner, owed.PaymentInput{
				BookingIDs: []uuid.UUID{made.ID}, Tenders: owed.Pays(owed.PlanCredit),
			})
		}
		if err != nil {
			return fmt.Errorf("%s has a plan: %w", g.name, err)
		}
	}
	return nil
}

// book books a guest into a date at the desk.
func (s *seeding) book(ctx context.Context, g *guest, d *date) (booking.StudioBooking, error) {
	made, err := s.Booking.Book(ctx, s.owner, booking.BookInput{Customer: g.who(), OccurrenceID: d.ID})
	if err == nil {
		d.bookings[g.email] = made.Booking.ID
	}
	return made.Booking, err
}
