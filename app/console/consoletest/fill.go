package consoletest

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/app/product"
)

// Filled identifies the data of Fill.
type Filled struct {
	Class    apptest.OfferingRow
	Dates    []apptest.OccurrenceRow // the first is current, the second full with a waitlist
	Massage  apptest.ServiceRow
	Sauna    apptest.ServiceRow
	Member   business.Member
	Room     business.Space
	Bookings []uuid.UUID // of the first date
	Alone    uuid.UUID   // of an appointment
}

// Fill adds data for every screen: a class with dates, bookings and a waitlist entry, an appointment, a rental, a
// customer, names in another script, a second location, products, plans.
func (s *Studio) Fill(t testing.TB) Filled {
	t.Helper()
	f := Filled{Room: s.AddSpace(t, "Studio A")}
	s.AddHours(t, apptest.Daily(6*60, 22*60)...)
	f.Member = s.AddMember(t, "Ana Ruiz", apptest.Daily(6*60, 22*60)...)
	s.AddLocation(t, "Riverside")
	f.Class = s.AddOffering(t, func(o *apptest.OfferingRow) {
		o.Name, o.Slug, o.Capacity, o.Online = "Sunrise Vinyasa", "sunrise", 4, 4
	})
	at := s.Clock.Now().Add(-15 * time.Minute)
	for i := range 6 {
		f.Dates = append(f.Dates, s.AddOccurrence(t, f.Class, at.Add(time.Duration(i)*90*time.Minute), func(o *apptest.OccurrenceRow) {
			if i != 3 {
				o.Member, o.Space = &f.Member.ID, &f.Room.ID
			}
		}))
	}
	for i, name := range []string{"Cleo Marin", "משה כהן", "Li Wei"} {
		f.Bookings = append(f.Bookings, s.Seat(t, f.Dates[0].ID, name, []string{"", "Ben", ""}[i]))
	}
	for _, name := range []string{"One", "Two", "Three", "Four"} {
		s.Seat(t, f.Dates[1].ID, name, "")
	}
	f.Massage = s.AddAppointment(t, []uuid.UUID{f.Member.ID})
	f.Sauna = s.AddRental(t, []uuid.UUID{f.Room.ID})
	ten := time.Date(at.Year(), at.Month(), at.Day(), 14, 0, 0, 0, time.UTC).AddDate(0, 0, 1)
	did, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{
		Customer: booking.CustomerRef{Email: "cleo@example.com", Name: "Cleo Marin"}, Time: &booking.Times{OfferingID: f.Massage.ID, StartsAt: ten},
	})
	if err != nil {
		t.Fatal(err)
	}
	f.Alone = did.Booking.ID
	s.AddGoods(t)
	s.AddPlans(t, did.Booking.CustomerID)
	return f
}

// AddPlans adds a published pack, a draft, and a complimentary plan that a customer has.
func (s *Studio) AddPlans(t testing.TB, customer uuid.UUID) {
	t.Helper()
	ctx := t.Context()
	add := func(in plan.CreateInput) plan.Plan {
		p, err := s.Plans.Create(ctx, s.Owner, in)
		must(t, err)
		return p
	}
	month := plan.Validity{Count: 1, Unit: rules.Month}
	pack := add(plan.CreateInput{
		Name: "Ten classes", Kind: plan.Pack, PriceAmount: 18000, SoldOnline: true,
		Validity: plan.Validity{Count: 3, Unit: rules.Month, FromFirstUse: true},
		Benefits: []plan.Benefit{{Credits: new(10), Kinds: []catalog.Kind{catalog.Class}, DayMax: 1}},
	})
	_, err := s.Plans.Publish(ctx, s.Owner, pack.ID)
	must(t, err)
	add(plan.CreateInput{
		Name: "Everything", Kind: plan.Pass, PriceAmount: 9900, Validity: month,
		Benefits: []plan.Benefit{{Kinds: []catalog.Kind{catalog.Class}}, {Credits: new(2)}},
	})
	comp := add(plan.CreateInput{
		Name: "Welcome gift", Kind: plan.Comp, Validity: month, Benefits: []plan.Benefit{{Credits: new(1)}},
	})
	_, err = s.Plans.Publish(ctx, s.Owner, comp.ID)
	must(t, err)
	_, err = s.Plans.AddComp(ctx, s.Owner, plan.CompInput{
		CustomerID: customer, PlanID: comp.ID, LocationID: s.Location.ID,
	})
	must(t, err)
}

// AddGoods adds a published product of two variants, one of them with stock, and a draft without options.
func (s *Studio) AddGoods(t testing.TB) {
	t.Helper()
	ctx := t.Context()
	p, err := s.Products.Create(ctx, s.Owner, product.CreateInput{
		Name: "Cork mat", Options: []product.Option{{Name: "Colour", Choices: []string{"Blue", "Red"}}},
	})
	must(t, err)
	for i, colour := range p.Options[0].Choices {
		v, err := s.Products.CreateVariant(ctx, s.Owner, product.CreateVariantInput{
			ProductID: p.ID, Choices: []string{colour}, PriceAmount: int64(2400 + i*200), SKU: "MAT-" + colour, Track: i == 0,
		})
		must(t, err)
		if i == 0 {
			_, err = s.Products.Receive(ctx, s.Owner, product.ReceiveInput{
				StockInput: product.StockInput{ProductID: p.ID, VariantID: v.ID, LocationID: s.Location.ID}, Quantity: 20,
			})
			must(t, err)
		}
	}
	_, err = s.Products.Update(ctx, s.Owner, product.UpdateInput{
		ID: p.ID, Version: p.Version, State: new(product.Published),
	})
	must(t, err)
	tea, err := s.Products.Create(ctx, s.Owner, product.CreateInput{Name: "Herbal tea"})
	must(t, err)
	_, err = s.Products.CreateVariant(ctx, s.Owner, product.CreateVariantInput{
		ProductID: tea.ID, PriceAmount: 300, Track: true,
	})
	must(t, err)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Seat books a customer on a date, at the desk.
func (s *Studio) Seat(t testing.TB, date uuid.UUID, name, guest string) uuid.UUID {
	t.Helper()
	did, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{
		Customer: booking.CustomerRef{Email: uuid.NewString()[:8] + "@example.com", Name: name}, OccurrenceID: date, Attendee: guest, Override: true, Reason: "at the desk",
	})
	if err != nil {
		t.Fatal(err)
	}
	return did.Booking.ID
}
