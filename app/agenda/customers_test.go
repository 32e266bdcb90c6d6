package agenda_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/agenda"
	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/policy"
)

// TestCustomers: bookings and amounts due of each customer equal those of their bookings, in one trip, of the
// bookings that the caller sees.
func TestCustomers(t *testing.T) {
	w := open(t)
	now := w.Clock.Now()
	there := w.AddLocation(t, "Riverside")
	here := w.AddOccurrence(t, w.AddOffering(t), now.Add(26*time.Hour))
	away := w.AddOccurrence(t, w.AddOffering(t, func(o *apptest.OfferingRow) { o.Location = there.ID }), now.Add(3*time.Hour))
	course, _ := w.AddCourse(t, 3)
	book := func(name string, in booking.BookInput) uuid.UUID {
		in.Customer = booking.CustomerRef{Email: name + "@example.com", Name: name}
		did, err := w.Booking.Book(t.Context(), w.Owner, in)
		if err != nil {
			t.Fatal(err)
		}
		return did.Booking.ID
	}
	book("ada", booking.BookInput{OccurrenceID: here.ID, Party: 2})
	book("ada", booking.BookInput{OccurrenceID: away.ID})
	book("ben", booking.BookInput{OfferingID: course.ID})
	off := book("cy", booking.BookInput{OccurrenceID: here.ID})
	if _, err := w.Booking.Cancel(t.Context(), w.Owner, booking.CancelInput{BookingID: off, By: booking.ByStudio}); err != nil {
		t.Fatal(err)
	}

	page := func(sort agenda.CustomerSort) (out agenda.CustomersPage) {
		t.Helper()
		trips := w.World.Statements(func() {
			var err error
			if out, err = w.s.Customers(t.Context(), w.Owner, agenda.CustomersInput{Sort: sort}); err != nil {
				t.Fatal(err)
			}
		})
		if trips != 1 || out.Total != 3 {
			t.Errorf("by %s: %d trips, %d customers", sort, trips, out.Total)
		}
		return out
	}
	for _, sort := range agenda.CustomerSort("").All() {
		page(sort)
	}
	for _, c := range page(agenda.SortName).Customers {
		var want, listed int64
		list, err := w.Booking.List(t.Context(), w.Owner, booking.ListInput{CustomerID: c.ID})
		if err != nil {
			t.Fatal(err)
		}
		groups := map[uuid.UUID]bool{}
		for _, b := range list.Items {
			if b.Course() && groups[*b.GroupID] {
				continue
			} else if b.Course() {
				groups[*b.GroupID] = true
			}
			m, err := w.Orders.MoneyOf(t.Context(), w.Business.ID, b.Booking)
			if err != nil {
				t.Fatal(err)
			}
			want += m.Due + m.FeesDue
		}
		debts, err := w.s.BalancesDue(t.Context(), w.Owner, c.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range debts {
			listed += d.Due + d.FeesDue
		}
		var sum int64
		for _, o := range c.AmountsDue {
			sum += o.Amount
		}
		if sum != want || listed != want || c.Bookings != len(list.Items) || (want == 0) != (c.Name == "cy") {
			t.Errorf("%s: %d bookings of %d; owes %d, listed %d, want %d", c.Name, c.Bookings, len(list.Items), sum, listed, want)
		}
	}
	ada := page(agenda.SortNext).Customers[0]
	if ada.Name != "ada" || !ada.NextAt.Equal(away.StartsAt) || ada.LastAt != nil {
		t.Errorf("first comes %+v", ada)
	}

	// A caller limited to one location sees its rows only.
	sc := w.Holding(there.ID, policy.CRMView, policy.BookingView)
	some, err := w.s.Customers(t.Context(), sc, agenda.CustomersInput{})
	if err != nil || some.Total != 1 || some.Customers[0].Bookings != 1 {
		t.Errorf("at one place: %+v, %v", some, err)
	}
	some, err = w.s.Customers(t.Context(), w.Holding(there.ID, policy.CRMView), agenda.CustomersInput{})
	if err != nil || some.Total != 1 || some.Customers[0].Bookings != 0 || len(some.Customers[0].AmountsDue) != 0 || some.Customers[0].NextAt != nil {
		t.Errorf("without bookings: %+v, %v", some, err)
	}
	for _, in := range []agenda.CustomersInput{{Sort: "x"}, {Limit: 201}, {Offset: -1}, {Query: strings.Repeat("x", 121)}} {
		if _, err := w.s.Customers(t.Context(), w.Owner, in); !fault.IsKind(err, fault.Validation) {
			t.Errorf("%+v: %v", in, err)
		}
	}
	if _, err := w.s.Customers(t.Context(), w.Holding(there.ID, policy.BookingView), agenda.CustomersInput{}); !fault.IsKind(err, fault.Forbidden) {
		t.Errorf("without the feature: %v", err)
	}
}

// TestFeesAreDue: a fee that is due is listed beside the price, and names its booking.
func TestFeesAreDue(t *testing.T) {
	w := open(t)
	w.SetPolicy(t, w.AddPolicy(t, func(r *catalog.Rules) { r.NoShow.FeeAmount = 500 }))
	date := w.AddOccurrence(t, w.AddOffering(t), w.Clock.Now().Add(time.Hour))
	id := w.seat(t, date.ID)
	w.Clock.Advance(3 * time.Hour)
	if _, err := w.Booking.NoShow(t.Context(), w.Owner, id); err != nil {
		t.Fatal(err)
	}
	page, err := w.s.Customers(t.Context(), w.Owner, agenda.CustomersInput{Sort: agenda.SortByBalance})
	if err != nil || len(page.Customers) != 1 {
		t.Fatalf("%+v, %v", page, err)
	}
	debts, err := w.s.BalancesDue(t.Context(), w.Owner, page.Customers[0].ID)
	if err != nil || !slices.ContainsFunc(debts, func(d agenda.BalanceDue) bool {
		return d.BookingID == id && d.FeesDue == 500 && d.State == booking.NoShow
	}) {
		t.Errorf("%s, %v", fmt.Sprint(debts), err)
	}
}
