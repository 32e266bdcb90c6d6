package demo

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/civil"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/billing"
)

// code is the promo code of the studios.
const code = "WELCOME20"

// online books a date of the next days for one of the online customers, and pays. Some use the promo code, some save
// their card.
func (s *seeding) online(ctx context.Context, day int) error {
	n := day / s.plan.online
	g := s.regulars[n%len(s.regulars)]
	who, err := s.signedIn(ctx, g)
	if err != nil {
		return err
	}
	class := n % len(s.plan.classes)
	d, err := s.soonest(g, func(d *date) bool {
		return d.class == class && s.plan.classes[class].price > 0 && s.plan.classes[class].location == 0
	})
	if err != nil {
		d, err = s.soonest(g, func(d *date) bool { c := s.plan.classes[d.class]; return c.price > 0 && c.location == 0 })
	}
	if err != nil {
		return err
	}
	var how terms
	if n < len(s.regulars) { // the first time that they book
		how.save = n%2 == 1
		if n%2 == 0 {
			how.code = code
		}
	}
	b, err := s.buy(ctx, who, checkout.AddItemInput{OccurrenceID: d.ID}, how)
	if err != nil {
		return fmt.Errorf("%s books: %w", g.name, err)
	}
	d.bookings[g.email] = b
	return nil
}

// signedIn returns the scope of a guest, signed in at this studio.
func (s *seeding) signedIn(ctx context.Context, g *guest) (tenancy.Scope, error) {
	if g.scope.Tenant != uuid.Nil {
		return g.scope, nil
	}
	if err := s.named(ctx, g.email, g.name); err != nil {
		return tenancy.Scope{}, err
	}
	who, err := s.Actor(ctx, g.email, uuid.Nil)
	who.Tenant = s.owner.Tenant
	g.scope = who
	return who, err
}

// rent books the first free time of an appointment or a rental from tomorrow on; each time of another one.
func (s *seeding) rent(ctx context.Context) error {
	n := s.rented % len(s.computed)
	s.rented++
	return s.appointment(ctx, n, s.today().AddDays(1))
}

// appointments books the first free time of each appointment and rental in the days that come.
func (s *seeding) appointments(ctx context.Context) error {
	for n := range s.computed {
		if err := s.appointment(ctx, n, s.today().AddDays(2)); err != nil {
			return err
		}
	}
	return nil
}

// appointment books the first free time of one from a day on. Requests are made only after the history: an
// authorization on a card lasts for a week.
func (s *seeding) appointment(ctx context.Context, n int, from civil.Date) error {
	offering := s.computed[n]
	if s.plan.services[n].settings.Approval && s.Clock.Now().Before(s.end.Add(-day24)) {
		return nil
	}
	who, err := s.signedIn(ctx, s.regulars[(n+s.rented)%len(s.regulars)])
	if err != nil {
		return err
	}
	t, err := s.Availability.Times(ctx, s.owner.Tenant, schedule.TimesInput{OfferingID: offering, From: from})
	if err != nil {
		return err
	}
	if len(t.Days) == 0 {
		return fmt.Errorf("%s has no times", t.Head.OfferingName)
	}
	first := t.Days[0].Occurrences[0]
	item := checkout.AddItemInput{Slot: &checkout.Slot{OfferingID: offering, StartsAt: first.StartsAt, Party: 1}}
	if _, err := s.buy(ctx, who, item, terms{}); err != nil {
		return fmt.Errorf("%s: %w", t.Head.OfferingName, err)
	}
	return nil
}

// course publishes the course, and enrols four people: two pay online, the others at the desk; one of them has not
// paid.
func (s *seeding) course(ctx context.Context) error {
	if s.plan.course == nil {
		return nil
	}
	id, err := s.class(ctx, len(s.plan.classes), *s.plan.course, s.today().AddDays(7))
	if err != nil {
		return fmt.Errorf("%s: %w", s.plan.course.name, err)
	}
	for _, g := range s.regulars[:2] {
		who, err := s.signedIn(ctx, g)
		if err != nil {
			return err
		}
		if _, err := s.buy(ctx, who, checkout.AddItemInput{CourseID: id}, terms{}); err != nil {
			return fmt.Errorf("%s: %w", s.plan.course.name, err)
		}
	}
	return s.enrol(ctx, id)
}

// agree signs the required agreements of a customer's cart.
func (s *seeding) agree(ctx context.Context, who tenancy.Scope, token string, held checkout.Cart) error {
	var in agreement.AcceptInput
	for _, k := range agreement.Open(held.Agreements) {
		in.Accept = append(in.Accept, agreement.Accepted{ContentID: k.Copy.ID, Shown: agreement.ShownCheckbox})
	}
	if len(in.Accept) == 0 {
		return nil
	}
	_, err := s.Checkout.Accept(ctx, who, token, in)
	return err
}

// terms are the payment options of a customer.
type terms struct {
	code string // a promo code
	save bool   // their card is saved
}

// saveWords is the consent of a customer whose card is saved.
const saveWords = "Save this card for my next bookings. The studio may charge it for a balance due or a fee that I was told of when I booked."

// buy takes one customer through the checkout of a seat, and returns the first booking.
func (s *seeding) buy(ctx context.Context, who tenancy.Scope, item checkout.AddItemInput, how terms) (uuid.UUID, error) {
	done, intent, err := s.through(ctx, who, how, func(token string) error {
		_, err := s.Checkout.AddItem(ctx, who, token, item)
		return err
	})
	if err != nil || len(done.Lines) == 0 {
		return uuid.Nil, err
	}
	if intent != "" {
		s.paid = append(s.paid, intent)
	}
	return done.Lines[0].BookingID, nil
}

// through takes one customer through the checkout of what add puts into the cart, with the card that always works. It
// returns the receipt, and the payment at the processor; empty for nothing to pay.
func (s *seeding) through(
	ctx context.Context, who tenancy.Scope, how terms, add func(token string) error,
) (done checkout.Confirmed, intent string, err error) {
	c := s.Checkout
	cart, err := c.Create(ctx, who, checkout.CreateInput{LocationID: s.locations[0].ID})
	if err != nil {
		return done, "", err
	}
	if err = add(cart.Token); err == nil && how.code != "" {
		_, err = c.ApplyCode(ctx, who, cart.Token, how.code)
	}
	if err != nil {
		return done, "", err
	}
	if _, err := c.Hold(ctx, who, cart.Token, checkout.HoldInput{}); err != nil {
		return done, "", err
	}
	held, err := c.Cart(ctx, who, cart.Token)
	if err == nil {
		err = s.agree(ctx, who, cart.Token, held)
	}
	if err != nil {
		return done, "", err
	}
	if left := held.Totals.DueNow(); left > 0 {
		in := checkout.PayInput{QuotedAmount: left}
		if how.save {
			in.How = &checkout.How{Consent: &billing.Consent{Text: saveWords, Version: billing.ConsentVersion}}
		}
		pay, err := c.Pay(ctx, who, cart.Token, in)
		if err != nil {
			return done, "", err
		}
		if _, err := s.Sim.PayByCard(pay.ClientSecret, "4242 4242 4242 4242"); err != nil {
			return done, "", err
		}
		intent, _, _ = strings.Cut(pay.ClientSecret, "_secret_")
	}
	done, err = c.Confirm(ctx, who, cart.Token)
	return done, intent, err
}

// walkable is the rental that takes walk-ins; uuid.Nil when the studio has none.
func (s *seeding) walkable() uuid.UUID {
	i := slices.IndexFunc(s.plan.services, func(v servicePlan) bool { return v.kind == catalog.Rental && v.settings.Walkins })
	if i < 0 {
		return uuid.Nil
	}
	return s.computed[i]
}
