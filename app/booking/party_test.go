package booking_test

import (
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/booking"
	"foyer/app/fault"
	"foyer/policy"
)

// resize makes a booking one for so many people.
func (d desk) resize(t *testing.T, id uuid.UUID, party int, change ...func(*booking.EditInput)) (booking.StudioBooking, error) {
	t.Helper()
	in := booking.EditInput{BookingID: id, Party: &party, Version: apptest.Value[int64](t, d.w, "select version from bookings where id = $1", id)}
	for _, c := range change {
		c(&in)
	}
	return d.s.Edit(t.Context(), d.Owner, in)
}

// A larger party of a sold booking costs the difference: it is refused with the amount, due at the studio or waived.
// The price of one that has not been sold follows its party.
func TestLargerParty(t *testing.T) {
	d := open(t)
	o := d.class(t, 9)
	later := func(in *booking.EditInput) { in.Difference = booking.DifferenceLater }
	waive := func(in *booking.EditInput) { in.Difference, in.Reason = booking.DifferenceWaive, "a birthday" }
	c, sold := d.made(t, o)
	_, err := d.resize(t, sold, 3)
	is(t, "more people", err, booking.ErrPriceDifference)
	if f := refusal(t, err); f.Details["difference"] != int64(4400) || f.Details["currency"] != "USD" || d.taken(t, o) != 1 {
		t.Errorf("%+v, %d taken", f.Details, d.taken(t, o))
	}
	if b, err := d.resize(t, sold, 3, later); err != nil || b.Party != 3 || b.PriceAmount != 6600 || d.taken(t, o) != 3 {
		t.Errorf("later: %+v (%v), %d taken", b.Booking, err, d.taken(t, o))
	}
	if got := d.mailed(t, c); !slices.Equal(got, []string{"party"}) {
		t.Errorf("mails: %q", got)
	}
	if b, err := d.resize(t, sold, 2); err != nil || b.Party != 2 || b.PriceAmount != 6600 || d.taken(t, o) != 2 {
		t.Errorf("fewer: %+v (%v)", b.Booking, err)
	}
	if b, err := d.resize(t, sold, 3, waive); err != nil || b.PriceAmount != 6600 {
		t.Errorf("waived: %+v (%v)", b.Booking, err)
	}
	_, err = d.resize(t, sold, 4, func(in *booking.EditInput) { in.Difference = booking.DifferenceWaive })
	if f := fault.From(err); f == nil || f.Kind != fault.Validation {
		t.Errorf("waived without a reason: %v", err)
	}
	desk := d.Join(t, "desk@example.com", apptest.At(policy.FrontDesk, d.Location.ID))
	four := 4
	_, err = d.s.Edit(t.Context(), desk, booking.EditInput{BookingID: sold, Party: &four, Version: 5, Difference: booking.DifferenceWaive, Reason: "x"})
	is(t, "who may not set rules aside", err, policy.ErrMissingFeature)

	made, err := d.s.Book(t.Context(), d.Owner, booking.BookInput{Customer: booking.CustomerRef{Email: "walk@example.com"}, OccurrenceID: o.ID, Party: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		party int
		price int64
	}{{3, 6600}, {1, 2200}} {
		if b, err := d.resize(t, made.Booking.ID, x.party); err != nil || b.PriceAmount != x.price {
			t.Errorf("not sold, for %d: %d (%v)", x.party, b.PriceAmount, err)
		}
	}
	d.w.CheckBooks(t)
}

// One date of a course is for as many as the course.
func TestLargerPartyOfACourse(t *testing.T) {
	d := open(t)
	course, _ := d.AddCourse(t, 2)
	made, err := d.s.Book(t.Context(), d.Owner, booking.BookInput{Customer: booking.CustomerRef{Email: "ada@example.com"}, OfferingID: course.ID})
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.resize(t, made.Booking.ID, 2)
	is(t, "one date", err, booking.ErrCourse)
}

// Ten parties grow by one with three seats available: three of them succeed, in any order.
func TestLargerPartyRace(t *testing.T) {
	d := open(t)
	for range walks.Steps(3, 50) {
		o := d.class(t, 13)
		ids, _ := d.standing(t, o, booking.Confirmed, 10)
		var got atomic.Int64
		all(ids, func(id uuid.UUID) {
			two := 2
			_, err := d.s.Edit(t.Context(), d.Owner, booking.EditInput{BookingID: id, Version: 1, Party: &two})
			switch {
			case err == nil:
				got.Add(1)
			case !errors.Is(err, booking.ErrFull):
				t.Error(err)
			}
		})
		if apptest.Guarded && (got.Load() != 3 || d.taken(t, o) != 13) {
			t.Errorf("%d grew, %d are taken", got.Load(), d.taken(t, o))
		}
	}
	if apptest.Guarded {
		d.w.CheckBooks(t)
	}
}
