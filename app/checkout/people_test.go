package checkout_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// coming are the names of those who come by a cart, in its order; "" is the customer.
func coming(c checkout.Cart) []string {
	out := make([]string, len(c.Lines))
	for i, l := range c.Lines {
		out[i] = l.Attendee
	}
	return out
}

func (s shop) add(t testing.TB, token string, in checkout.AddItemInput) (checkout.Cart, error) {
	t.Helper()
	return s.Checkout.AddItem(t.Context(), s.Visitor(), token, in)
}

// mine is a cart as who holds it reads it.
func (s shop) mine(t testing.TB, who tenancy.Scope, token string) checkout.Cart {
	t.Helper()
	c, err := s.Checkout.Cart(t.Context(), who, token)
	return must(t, c, err)
}

// Friends who book one class in one order are a seat and a booking each: priced and seated at once, named in one
// mail, and one of them cancels late without the others.
func TestFriendsInOneOrder(t *testing.T) {
	s := open(t)
	o := s.class(t, 2200, 5)
	ada := s.Customer(t, "Ada")
	token := s.Fill(t)
	c, err := s.add(t, token, checkout.AddItemInput{OccurrenceID: o.ID, People: 3, Others: []string{" Ben "}})
	if err != nil || !slices.Equal(coming(c), []string{"", "Ben", "Guest 2"}) || c.Totals.SubtotalAmount != 6600 {
		t.Fatalf("%q for %d (%v)", coming(c), c.Totals.SubtotalAmount, err)
	}
	s.hold(t, ada, token)
	if n := s.taken(t, o); n != 3 {
		t.Fatalf("%d seats are kept", n)
	}
	p := s.pay(t, ada, token, 6600)
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	done := s.confirm(t, ada, token)
	s.jobs(t)
	if len(done.Lines) != 3 || len(s.mails(ada)) != 1 {
		t.Fatalf("%d lines, mails %q", len(done.Lines), s.mails(ada))
	}
	ben := done.Lines[1]
	if ben.Attendee != "Ben" {
		t.Fatalf("the second line is for %q", ben.Attendee)
	}
	s.w.Clock.Advance(47 * time.Hour) // an hour before the start
	gone, err := s.Booking.CancelMine(t.Context(), ada, ben.BookingID)
	if err != nil || gone.Booking.State != booking.LateCancelled {
		t.Fatalf("%v (%v)", gone.Booking.State, err)
	}
	later, err := s.Orders.Receipt(t.Context(), s.Visitor(), done.Token)
	if err != nil {
		t.Fatal(err)
	}
	var states []booking.State
	for _, l := range later.Lines {
		states = append(states, l.State)
	}
	if !slices.Equal(states, []booking.State{booking.Confirmed, booking.LateCancelled, booking.Confirmed}) || s.taken(t, o) != 2 {
		t.Errorf("%v, %d taken", states, s.taken(t, o))
	}
	s.check(t)
}

// A74. All friends get their seats or none does, and the refusal has the number of available seats. The cart reports
// in advance the people without a seat.
func TestA74_FriendsAllOrNone(t *testing.T) {
	s := open(t)
	o := s.class(t, 2200, 2)
	token := s.Fill(t)
	c, err := s.add(t, token, checkout.AddItemInput{OccurrenceID: o.ID, People: 3})
	if err != nil || c.Lines[0].Full || c.Lines[1].Full || !c.Lines[2].Full {
		t.Fatalf("%+v (%v)", c.Lines, err)
	}
	_, err = s.Checkout.Hold(t.Context(), s.Customer(t, "Ada"), token, checkout.HoldInput{})
	refused(t, "three of two", err, booking.ErrFull)
	if detail(err, "spots") != 2 || detail(err, "occurrenceId") != o.ID.String() || s.taken(t, o) != 0 {
		t.Errorf("%v spots of %v, %d taken", detail(err, "spots"), detail(err, "occurrenceId"), s.taken(t, o))
	}
}

// One person takes one seat, however their name is typed: in the cart, by another name for the same item, and in
// another cart.
func TestOneAttendeeInEverySpelling(t *testing.T) {
	s := open(t)
	o := s.class(t, 2200, 50)
	token := s.Fill(t)
	put := func(token, name string) (checkout.Cart, error) {
		return s.add(t, token, checkout.AddItemInput{OccurrenceID: o.ID, Attendee: name})
	}
	c, err := put(token, "Zoe\u0308  Ray")
	if err != nil || c.Lines[0].Attendee != "Zoë Ray" {
		t.Fatalf("%+v (%v)", c.Lines, err)
	}
	spellings := []string{"Zoë Ray", "Zoe\u0308 Ray", "zoë ray", "ZOË RAY", "Zoë  Ray", "Zoë\u00a0Ray", "Zoë\u200b Ray"}
	for _, name := range spellings {
		_, err := put(token, name)
		refused(t, name, err, booking.ErrDuplicate)
	}
	ben, err := put(token, "Ben")
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Checkout.UpdateItem(t.Context(), s.Visitor(), token, ben.Lines[1].ItemID, checkout.UpdateItemInput{Attendee: "zoë ray"})
	refused(t, "renamed to her", err, booking.ErrDuplicate)
	renamed, err := s.Checkout.UpdateItem(t.Context(), s.Visitor(), token, c.Lines[0].ItemID, checkout.UpdateItemInput{Attendee: "Zoë RAY"})
	if err != nil || renamed.Lines[0].Attendee != "Zoë RAY" {
		t.Errorf("her own other spelling: %v", err)
	}
}

// A74. Invalid groups of people: then none of them is added.
func TestA74_AddPeople(t *testing.T) {
	s := open(t)
	o := s.class(t, 2200, 50)
	token := s.Fill(t)
	add := func(in checkout.AddItemInput) error {
		in.OccurrenceID = o.ID
		_, err := s.add(t, token, in)
		return err
	}
	refused(t, "the same name twice", add(checkout.AddItemInput{Others: []string{"Ben", "Ben "}}), booking.ErrDuplicate)
	refused(t, "one person in two spellings", add(checkout.AddItemInput{Others: []string{"Zoë Ray", "zoe\u0308\u00a0 RAY"}}), booking.ErrDuplicate)
	for name, in := range map[string]checkout.AddItemInput{
		"21 people": {People: 21}, "a long name": {Others: []string{strings.Repeat("x", 121)}}, "20 others": {Others: make([]string, 20)},
	} {
		if err := add(in); !fault.IsKind(err, fault.Validation) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := add(checkout.AddItemInput{People: 19}); err != nil {
		t.Fatal(err)
	}
	refused(t, "two where one fits", add(checkout.AddItemInput{More: true, People: 2}), checkout.ErrCartFull)
	refused(t, "herself again", add(checkout.AddItemInput{}), booking.ErrDuplicate)
	if c := s.cart(t, token); len(c.Lines) != 19 {
		t.Errorf("%d lines", len(c.Lines))
	}
}

// Adding a class that is in the cart raises the number: who has a name comes first, and no two have the same.
func TestMorePeople(t *testing.T) {
	s := open(t)
	o := s.class(t, 2200, 50)
	token := s.Fill(t, o)
	more := func(in checkout.AddItemInput) []string {
		t.Helper()
		in.OccurrenceID, in.More = o.ID, true
		c, err := s.add(t, token, in)
		return coming(must(t, c, err))
	}
	if got := more(checkout.AddItemInput{People: 2}); !slices.Equal(got, []string{"", "Guest 2", "Guest 3"}) {
		t.Errorf("%q", got)
	}
	if got := more(checkout.AddItemInput{People: 1, Others: []string{"Ben"}}); !slices.Equal(got, []string{"", "Guest 2", "Guest 3", "Ben"}) {
		t.Errorf("%q", got)
	}
	c := s.cart(t, token)
	if _, err := s.Checkout.RemoveItem(t.Context(), s.Visitor(), token, c.Lines[1].ItemID); err != nil {
		t.Fatal(err)
	}
	if got := more(checkout.AddItemInput{}); !slices.Equal(got, []string{"", "Guest 3", "Ben", "Guest 2"}) {
		t.Errorf("%q", got)
	}
}

// Who has booked for a guest before and brings another one has two guests, and not a duplicate.
func TestGuestsOfTwoOrders(t *testing.T) {
	s := open(t)
	o := s.class(t, 0, 9)
	ada := s.Customer(t, "Ada")
	for i, names := range [][]string{{"", "Guest 2"}, {"Kim", "Guest 3"}} {
		token := s.Fill(t)
		c, err := s.add(t, token, checkout.AddItemInput{OccurrenceID: o.ID, People: 2, Attendee: names[0]})
		if err != nil || coming(c)[1] != "Guest 2" {
			t.Fatalf("%q (%v)", coming(c), err)
		}
		s.hold(t, ada, token)
		if got := coming(s.mine(t, ada, token)); !slices.Equal(got, names) {
			t.Errorf("order %d is for %q, want %q", i+1, got, names)
		}
		s.confirm(t, ada, token)
	}
	if n := s.taken(t, o); n != 4 {
		t.Errorf("%d taken", n)
	}
	again := s.Fill(t, o)
	_, err := s.Checkout.Hold(t.Context(), ada, again, checkout.HoldInput{})
	refused(t, "herself again", err, booking.ErrDuplicate)
	if detail(err, "attendee") != "" {
		t.Errorf("the refusal is about %q", detail(err, "attendee"))
	}
	s.check(t)
}

// Two friends take a course together: a line and a group of bookings each.
func TestFriendsTakeACourse(t *testing.T) {
	s := open(t)
	course, dates := s.course(t, 3, 0, 2)
	token := s.Fill(t)
	c, err := s.add(t, token, checkout.AddItemInput{CourseID: course.ID, People: 3})
	if err != nil || !slices.Equal(coming(c), []string{"", "Guest 2", "Guest 3"}) || c.Lines[1].Full || !c.Lines[2].Full {
		t.Fatalf("%+v (%v)", c.Lines, err)
	}
	if _, err := s.Checkout.RemoveItem(t.Context(), s.Visitor(), token, c.Lines[2].ItemID); err != nil {
		t.Fatal(err)
	}
	ada := s.Customer(t, "Ada")
	s.hold(t, ada, token)
	s.confirm(t, ada, token)
	if got := s.enrolled(t, course); got != "confirmed 6 in 2 for 0" || !slices.Equal(s.seats(t, dates), all(2, 3)) {
		t.Errorf("%s, %v taken", got, s.seats(t, dates))
	}
	s.check(t)
}

// The same request, repeated, adds no person twice.
func TestPeopleOncePerClaim(t *testing.T) {
	s := open(t)
	o := s.class(t, 2200, 9)
	token := s.Fill(t, o)
	claim := pg.Claim{Key: [32]byte{1}, Request: [32]byte{1}}
	for range 2 {
		c, err := s.Checkout.AddItem(pg.WithClaim(t.Context(), claim), s.Visitor(), token, checkout.AddItemInput{OccurrenceID: o.ID, People: 2, More: true})
		if err != nil || len(c.Lines) != 3 {
			t.Fatalf("%q (%v)", coming(c), err)
		}
	}
}
