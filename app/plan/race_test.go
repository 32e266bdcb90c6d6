package plan_test

import (
	"errors"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/plan"
	"foyer/app/tenancy"
)

// A74. Carts of a customer at once want the last credits of a pack, of which only some can have one: as many are booked
// as it can pay for, and the others have to pay the price. Built with the tag nolock more have to be booked, or the
// race proves nothing: two of them have always chosen the credit before either takes it.
func TestA74_LastCredit(t *testing.T) {
	s := open(t)
	ada := s.Customer(t, "Ada")
	plans := []plan.Plan{s.published(t, pack(1, 1000)), s.published(t, pack(2, 2000))}
	rounds := walks.Steps(4, 50)
	if !apptest.Guarded {
		rounds = 1 // of a pack of one credit
	}
	for round := range rounds {
		can := 1 + round%2
		s.bought(t, ada, plans[round%2])
		var acts []func() error
		for range 4 {
			token := s.Fill(t, s.class(t, 2200))
			s.hold(t, ada, token)
			acts = append(acts, func() error {
				_, err := s.Checkout.Confirm(t.Context(), ada, token)
				if err != nil {
					return errors.Join(err, s.Checkout.Release(t.Context(), ada, token))
				}
				return nil
			})
		}
		got, id := 0, apptest.Value[uuid.UUID](t, s.w, "select id from memberships order by id desc limit 1")
		s.w.Jam(t, 2, func() { got = apptest.AtOnce(t, []*fault.Error{checkout.ErrPaymentRequired}, acts...) },
			"memberships", "id = $1", id)
		if apptest.Guarded && got != can {
			t.Errorf("%d carts were booked with %d credits", got, can)
		}
		if !apptest.Guarded && got <= can {
			t.Errorf("without the guard %d credits paid for %d carts: this race proves nothing", can, got)
		}
	}
	if apptest.Guarded {
		s.check(t)
	}
}

// A cancellation and a use of the same credits at once leave as many as there are: each credit comes back once.
func TestReturnedOnce(t *testing.T) {
	s := open(t)
	ada := s.Customer(t, "Ada")
	s.bought(t, ada, s.published(t, pack(3, 3000)))
	var acts []func() error
	for range 3 {
		c := s.booked(t, ada, s.class(t, 2200))
		for range 3 {
			acts = append(acts, func() error { return s.cancel(t, c.Lines[0].BookingID) })
		}
	}
	for range 3 {
		token := s.Fill(t, s.class(t, 2200))
		s.hold(t, ada, token)
		acts = append(acts, func() error {
			_, err := s.Checkout.Confirm(t.Context(), ada, token)
			return err
		})
	}
	s.w.Warm(t)
	got := apptest.AtOnce(t, []*fault.Error{checkout.ErrPaymentRequired, booking.ErrState}, acts...)
	booked := apptest.Value[int](t, s.w, "select count(*) from bookings where state = 'confirmed'")
	expect(t, "credits in use or left", booked+s.mine(t, ada)[0].Grants[0].Balance, 3)
	if got < 3 {
		t.Errorf("%d of three cancellations succeeded", got)
	}
	s.check(t)
}

func (s studio) cancel(t testing.TB, id uuid.UUID) error {
	_, err := s.Booking.Cancel(t.Context(), s.Owner, booking.CancelInput{BookingID: id, By: booking.ByCustomer})
	return err
}

// An intro offer is bought once by a person, also from two carts at once.
func TestIntroOnce(t *testing.T) {
	s := open(t)
	in := pack(2, 0)
	in.Kind, in.Name = plan.Intro, "Two classes to try"
	p := s.published(t, in)
	ada := s.Customer(t, "Ada")
	var acts []func() error
	for range 6 {
		token := s.Fill(t)
		must(t, 0, s.put(t, token, p))
		acts = append(acts, func() error { return s.heldAndBooked(t, ada, token) })
	}
	s.w.Warm(t)
	if got := apptest.AtOnce(t, []*fault.Error{plan.ErrOwned}, acts...); got != 1 {
		t.Errorf("%d of six carts bought an intro offer", got)
	}
	token := s.Fill(t)
	must(t, 0, s.put(t, token, p))
	_, err := s.Checkout.Hold(t.Context(), ada, token, checkout.HoldInput{})
	refused(t, "once more", err, plan.ErrOwned)
	s.booked(t, ada, s.class(t, 2200))
	in.Name = "Another offer"
	other := s.published(t, in)
	token = s.Fill(t)
	must(t, 0, s.put(t, token, other))
	_, err = s.Checkout.Hold(t.Context(), ada, token, checkout.HoldInput{})
	refused(t, "an offer for new customers", err, plan.ErrNotNew)
	s.check(t)
}

func (s studio) heldAndBooked(t testing.TB, who tenancy.Scope, token string) error {
	if _, err := s.Checkout.Hold(t.Context(), who, token, checkout.HoldInput{}); err != nil {
		return err
	}
	_, err := s.Checkout.Confirm(t.Context(), who, token)
	return err
}
